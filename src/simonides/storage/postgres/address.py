"""Address of a tenant: the URL of its database, with parameters of ours among PostgreSQL's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, quote, urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from simonides.errors import InvalidInput
from simonides.values import dataclass

#: The name of a tenant.
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?")
#: A host with its port, of several in a row; none is a socket's.
_HOST: Final = re.compile(r"(?:\[[^\]]*\]|[^:@\[\]]*)(?::[0-9]*)?")
#: What libpq says of a parameter that it does not know.
_UNKNOWN: Final = re.compile(r'invalid URI query parameter: "(\w{1,40})"')
_LONGEST_S: Final = 3600
_MOST_CONNECTIONS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresAddress:
    """A tenant's place: a database, and how it is connected to.

    Attributes:
        url: As libpq reads it.
        pool_size: Most connections of this process.
        pool_timeout_s: How long somebody waits for one of them.
        lock_timeout_s: How long a writer waits for another one of its tenant.
        durable: An answered write survives a power cut; else what was written in the last moments may be lost then.
    """

    url: str
    tenant: str = "default"
    pool_size: int = 10
    pool_timeout_s: float = 30.0
    lock_timeout_s: float = 5.0
    durable: bool = True


def postgres_address(url: str, tenant: str | None = None, *, durable: bool = True) -> PostgresAddress:
    """The address that a URL is, such as `postgresql://app@db.example/memory?tenant=acme&pool_size=20`.

    Args:
        tenant: Whose store it is, where the URL does not say so.

    Raises:
        InvalidInput: It is none, or it names another tenant.
    """
    try:
        parsed = urlsplit(url.replace("#", "%23"))  # libpq knows no fragments.
    except ValueError as error:
        raise InvalidInput(f"the address is no URL of a database ({error})") from error
    _require_hosts(parsed)
    ours: dict[str, Any] = {}
    theirs: list[str] = []
    for name, value in parse_qsl(parsed.query, keep_blank_values=True):
        if name in _OURS:
            if name in ours:
                raise InvalidInput(f"the address says {name} more than once; say it once")
            ours[name] = _OURS[name](name, value)
        else:
            theirs.append(f"{quote(name)}={quote(value, safe='/')}")
    if tenant is not None and ours.setdefault("tenant", tenant) != tenant:
        raise InvalidInput(f"the address names the tenant {ours['tenant']!r}, not {tenant!r:.70}")
    require_name(ours.get("tenant", "default"))
    # Put together by hand: of `postgresql:///memory`, which leads to a socket, `urlunsplit` leaves one slash.
    rest = f"?{'&'.join(theirs)}" * bool(theirs)
    whole = f"{parsed.scheme}://{parsed.netloc}{parsed.path}{rest}"
    _require_legible(whole)
    return PostgresAddress(url=whole, durable=durable, **ours)


def _require_hosts(parsed: SplitResult) -> None:
    """See that what stands behind the password is hosts: libpq would take a part of it for one, and name it.

    Raises:
        InvalidInput: It is none.
    """
    hosts = parsed.netloc.rpartition("@")
    if "@" in parsed.path or "@" in hosts[0] or not all(map(_HOST.fullmatch, hosts[2].split(","))):
        raise InvalidInput(
            "the address of the database cannot be read: in a name or password, write @ as %40, / as %2F, ? as %3F and "
            "% as %25"
        )


def database_address(url: str) -> str:
    """The URL of a database as libpq reads it, of which all tenants are meant.

    Raises:
        InvalidInput: It is none, or it names a tenant.
    """
    address = postgres_address(url)
    if "tenant" in dict(parse_qsl(url.partition("?")[2], keep_blank_values=True)):
        raise InvalidInput(
            f"the address names the tenant {address.tenant!r}, and workers keep up every one of the database; leave "
            "out `tenant`, or run `simonides schedule`, which keeps up that one alone"
        )
    return address.url


def _require_legible(url: str) -> None:
    """See that libpq can read a URL; of what it says, nothing is told that may be a password.

    Raises:
        InvalidInput: It cannot.
    """
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        unknown = _UNKNOWN.match(str(error))
        why = (
            f"it knows no parameter {unknown[1]!r}"
            if unknown
            else str(error).partition(":")[0].partition('"')[0]
        )
        raise InvalidInput(f"the address of the database cannot be read ({why.strip()})") from None


def require_name(name: object) -> str:
    """The name of a tenant.

    Raises:
        InvalidInput: It is none.
    """
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r:.70} is no name of a tenant: small letters, digits, '.', '_' and '-', at most 63, such as 'acme'"
        )
    return name


def _text(_: str, value: str) -> str:
    return value


def _connections(name: str, value: str) -> int:
    if value.isascii() and value.isdecimal() and 1 <= int(value) <= _MOST_CONNECTIONS:
        return int(value)
    raise InvalidInput(f"{name} in the address is a number from 1 to {_MOST_CONNECTIONS}, not {value!r:.40}")


def _seconds(name: str, value: str) -> float:
    try:
        found = float(value)
    except ValueError:
        found = 0.0
    if 0 < found <= _LONGEST_S:
        return found
    raise InvalidInput(f"{name} in the address is above 0 and at most {_LONGEST_S}, not {value!r:.40}")


_OURS: Final[dict[str, Callable[[str, str], Any]]] = {
    "tenant": _text,
    "pool_size": _connections,
    "pool_timeout_s": _seconds,
    "lock_timeout_s": _seconds,
}
