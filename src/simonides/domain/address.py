"""Address of a store: the path of a file, or a URL whose scheme says which kind of store it is."""

from __future__ import annotations

import re
from os import PathLike, fsencode, fspath
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from simonides.errors import InvalidInput

SQLITE: Final = "sqlite"
_DATABASES: Final = ("postgresql", "postgres")
_PORT: Final = "5432"
IN_MEMORY: Final = Path(":memory:")
#: A single letter is a drive.
_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
#: A URL that lacks slashes, or one of those that other programs take; either would make a file of that name.
_NO_PATH: Final = re.compile(r"(?:sqlite|file):", re.IGNORECASE)
#: A name and password in a URL or a connection string.
_PASSWORD: Final = re.compile(r"://[^/@:]*:[^/@]+@|password=[^&\s]")
#: A password may hold what should have been written otherwise (@, /, ?): of a database all goes up to the last @.
_SECRET: Final = re.compile(
    r"(?:(?<=postgresql://)|(?<=postgres://))[^/\s]\S*@|(?<=://)[^/@]*@|(?<=password=)[^&\s]+"
)
#: A host and its port, of several in a row.
_HOST: Final = re.compile(r"(\[[^\]]*\]|[^:]*)(?::([0-9]*))?")
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
#: Bytes of a file's name; what stands beside a store has a name that is a little longer.
_LONGEST_NAME: Final = 200


def shown(address: Path | str) -> str:
    """An address as people are told it: without name and password."""
    return _SECRET.sub("", str(address))


def has_password(address: str) -> bool:
    """True of a URL that holds a password."""
    return _PASSWORD.search(address) is not None


def of_tenant(address: Path | str, tenant: str) -> str:
    """The address of another tenant in the same database.

    Raises:
        InvalidInput: It is no database's.
    """
    if isinstance(address, Path):
        raise InvalidInput(
            f"{address} is a file, which has no tenants; they are for a database, such as postgresql://…"
        )
    before, _, query = address.partition("?")
    others = [part for part in query.split("&") if part and not part.startswith("tenant=")]
    return "&".join([f"{before}?tenant={quote(tenant, safe='')}", *others])


def scheme_of(address: Path | str) -> str:
    """The scheme of an address; of a path, SQLite's."""
    match = _SCHEME.match(address) if isinstance(address, str) else None
    return SQLITE if match is None else match[1].lower()


def place_of(address: str) -> str:
    """Identity of a store at an address of what is no file.

    Of a database that is hosts with ports, database and tenant, however they are spelt, and neither who asks nor how.

    Raises:
        InvalidInput: It is no URL.
    """
    if scheme_of(address) not in _DATABASES:
        return shown(address)
    try:
        parsed = urlsplit(address.replace("#", "%23"))
    except ValueError as error:
        raise InvalidInput(f"the address is no URL of a database ({error})") from error
    parameters = dict(parse_qsl(parsed.query, keep_blank_values=True))
    user, _, written = parsed.netloc.rpartition("@")
    named = [match.groups() for one in written.split(",") if (match := _HOST.fullmatch(one))]
    hosts = [unquote(host).strip("[]") for host, _ in named if host]
    hosts = (parameters.get("host") or parameters.get("hostaddr") or ",".join(hosts)).lower().split(",")
    ports = (parameters.get("port") or ",".join(port or "" for _, port in named)).split(",")
    ports = ports * len(hosts) if len(ports) == 1 else ports
    servers = sorted(
        f"{'localhost' if host in _LOOPBACK else host}:{port or _PORT}"
        for host, port in zip(hosts, ports, strict=False)
    )
    database = (
        parameters.get("dbname")
        or unquote(parsed.path[1:])
        or parameters.get("user")
        or unquote(user.partition(":")[0])
    )
    return f"postgresql://{','.join(servers)}/{database}?tenant={parameters.get('tenant', 'default')}"


def address_of(given: str | PathLike[str]) -> Path | str:
    """The path of a store that is a file, or the URL of one that is none.

    Of `sqlite:///notes.db` the path is `notes.db`, of `sqlite:////srv/notes.db` it is `/srv/notes.db`, and `sqlite://`
    is a store in memory, as `:memory:` is.

    Raises:
        InvalidInput: It is neither.
    """
    if not isinstance(given, str):
        return path_of(given)
    match = _SCHEME.match(given)
    if _NO_PATH.match(given) and (match is None or match[1].lower() != SQLITE):
        raise InvalidInput(
            f"{given!r:.200} is no address of a store; write the path of the file, or sqlite:///FILE"
        )
    if match is None or match[1].lower() != SQLITE:
        return path_of(given) if match is None else given
    rest = given[match.end() :]
    if "?" in rest:
        raise InvalidInput(f"{given!r:.200} has parameters, and addresses have none; leave them out")
    if rest and not rest.startswith("/"):
        raise InvalidInput(
            f"{given!r:.200} names a host, and SQLite has none; write sqlite:///FILE, with a fourth slash before an "
            "absolute path"
        )
    return path_of(rest[1:] or IN_MEMORY)


def path_of(given: str | PathLike[str]) -> Path:
    """The path of a file.

    Raises:
        InvalidInput: It is none.
    """
    if not isinstance(given, str | PathLike) or not isinstance(name := fspath(given), str):
        raise InvalidInput(f"a file is named by a text or a path, not by {type(given).__name__}")
    try:
        if b"\0" not in fsencode(name) and len(fsencode(Path(name).name)) <= _LONGEST_NAME:
            return Path(name)
    except UnicodeEncodeError:
        pass
    raise InvalidInput(f"no file can be called {name!r:.60}")
