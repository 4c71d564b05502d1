"""Admission of requests, and the names that they come under: hosts, origins, tokens, and the proxy's own headers."""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import field
from math import ceil
from typing import Final
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers

from simonides.domain.scope import Scope
from simonides.edges.http.tokens import KEY_BYTES, PREFIX, Credential, known
from simonides.errors import InvalidScope
from simonides.values import dataclass

#: Headers of the proxy begin so; they are never sent to the upstream.
OWN: Final = "x-simonides-"
#: Begins the name of the cookie in which a browser shows the token of a page; a port stands behind it.
OWN_COOKIE: Final = "simonides-"
_TOKEN: Final = f"{OWN}token"
_SCOPE: Final = f"{OWN}scope"
_SESSION: Final = f"{OWN}session"
_BYPASS: Final = f"{OWN}bypass"
#: Every scope, as a request names it whose credential is bound to none.
EVERYWHERE: Final = "*"
#: Where clients put their API key.
_KEYS: Final = ("x-api-key", "api-key", "authorization")
_PREFLIGHT: Final = "access-control-request-method"
_BEARER: Final = "bearer "
_LONGEST_SESSION: Final = 200
#: A key of the server, whatever stands beside it.
_KEY: Final = re.compile(rf"(?=({PREFIX}[\w-]{{{ceil(KEY_BYTES * 4 / 3)}}}))", re.ASCII)
#: How often an address is decoded: programs that pass one on encode it again, a few times at most.
_MOST_DECODED: Final = 10
_MISSING: Final = (
    "this server asks for a token: send it as Authorization: Bearer, X-Simonides-Token or the API key"
)
_UNKNOWN: Final = "this token lets nobody in: it is mistyped, was revoked or has expired; show another"
_TWO: Final = "this request shows two tokens, and says not which of them is meant; show one"
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})


#: Stable names of what is refused, by status, where the refusal has none of its own.
_CODES: Final = {400: "invalid_header", 401: "token", 403: "forbidden", 413: "large_body", 421: "host"}


class Refused(Exception):
    """A request that is not served.

    Attributes:
        code: Its stable name.
    """

    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code or _CODES[status]


@dataclass(frozen=True, slots=True)
class Pass:
    """Rights of a request.

    Attributes:
        scope: Where it looks and writes.
        session_id: As the client names the conversation; None if it does not.
        bypass: Whether it goes to the upstream as it is.
        caller: Whose proposals and calls of tools are counted together: the credential's, whatever scope is named.
        token_in: Headers that showed the token and are not meant for the upstream.
        credential: What was shown; None for what a browser asks before it asks.
        everywhere: Whether it asks for every scope, as `*`.
    """

    scope: Scope
    session_id: str | None
    bypass: bool
    token_in: tuple[str, ...]
    caller: str = ""
    credential: Credential | None = None
    everywhere: bool = False

    def for_user(self, name: str) -> Scope | None:
        """The scope of one of several users; None where the name is none, or the scope is another user's already.

        Args:
            name: The id as it is: `ana`. Who is called `user:ana` is somebody else.
        """
        id_ = name.strip().replace("%", "%25").replace("/", "%2F")
        try:
            scope = Scope(f"user:{id_}")
            if dict(self.scope.parts).get("user") == id_:
                return self.scope
            return scope if self.scope == "global" else Scope(f"{self.scope}/{scope}")
        except InvalidScope:
            return None


@dataclass(frozen=True, slots=True)
class Access:
    """The rules by which requests are let in.

    Attributes:
        hosts: Names, without ports and in lower case, under which the proxy may be addressed. A web page that
            makes a foreign name lead here is turned away by its name.
        every_address: Whether an address in numbers is good as well: for a proxy that listens on all of them.
        origins: Web pages that may ask, beside those that come from the proxy's own address.
        bound: What requests may do where no token is asked for.
        credentials: The tokens; without any, and without `keys`, nobody is asked for one.
        keys: Finds the credential of a key; None where there are none.
    """

    hosts: frozenset[str]
    bound: Credential
    every_address: bool = False
    origins: frozenset[str] = frozenset()
    credentials: tuple[Credential, ...] = ()
    keys: Callable[[str], Credential | None] | None = None
    #: The tokens as they may be read: whoever wrote a file of them may have used any character, a % included.
    _forms: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        forms: set[str] = set()
        for one in self.credentials:
            # An address with one that is encoded over and over is refused for that.
            with suppress(Refused):
                forms.update(_read(one.token.encode()) if one.token else ())
        object.__setattr__(self, "_forms", frozenset(forms))

    @classmethod
    def of(
        cls,
        host: str,
        bound: Credential,
        *,
        hosts: str = "",
        origins: str = "",
        credentials: Iterable[Credential] = (),
    ) -> Access:
        """The rules for a proxy that listens on `host`; hosts and origins are separated by commas."""
        named = frozenset(_without_port(name) for name in _listed(hosts))
        return cls(
            hosts=_LOCAL_NAMES | named | (set[str]() if _is_wildcard(host) else {_bracketed(host)}),
            bound=bound,
            every_address=_is_wildcard(host),
            origins=frozenset(origin.rstrip("/").lower() for origin in _listed(origins)),
            credentials=tuple(credentials),
        )

    def enter(self, headers: Headers, method: str = "GET") -> Pass:
        """Let a request in. What a browser asks before a request, without the token, goes past memory.

        Raises:
            Refused: Its host, origin, token or a header of ours is not good, or it shows two tokens.
        """
        host = self._host(headers)
        self._origin(headers, host)
        if method == "OPTIONS" and "origin" in headers and _PREFLIGHT in headers:
            return Pass(self.bound.scope, None, bypass=True, token_in=())
        credential, token_in = self._credential(headers)
        everywhere = headers.get(_SCOPE) == EVERYWHERE and credential.scope == "global" and credential.narrows
        return Pass(
            scope=credential.scope if everywhere else _scope(own_header(headers, _SCOPE), credential),
            session_id=session(own_header(headers, _SESSION)),
            bypass=headers.get(_BYPASS, "").strip().lower() in {"1", "true", "yes"},
            token_in=token_in,
            caller=credential.name,
            credential=credential,
            everywhere=everywhere,
        )

    def _host(self, headers: Headers) -> str:
        named = headers.getlist("host")
        name = _without_port(named[0]) if len(named) == 1 else ""
        if name in self.hosts or (self.every_address and _is_address(name)):
            return named[0].strip().lower()
        shown = ascii(", ".join(named))[:100]
        raise Refused(
            421, f"this server is not addressed as {shown}; name the host in proxy.hosts or with --allow-host"
        )

    def _origin(self, headers: Headers, host: str) -> None:
        for origin in headers.getlist("origin"):
            named = origin.strip().rstrip("/").lower()
            # A page that the proxy itself passed on may ask; its host was looked at before.
            if named not in self.origins and named.partition("://")[2] != host:
                raise Refused(
                    403,
                    f"web pages of {ascii(origin)[:100]} may not use this server; name them in proxy.origins or with "
                    "--allow-origin",
                )

    def _credential(self, headers: Headers) -> tuple[Credential, tuple[str, ...]]:
        """Rights of the request, and the headers of the upstream's in which its token came."""
        if not self.credentials and self.keys is None:
            return self.bound, ()
        if any(len(headers.getlist(name)) > 1 for name in (_TOKEN, *_KEYS)):
            raise Refused(400, _TWO)
        credential = self._known(named := headers.get(_TOKEN, ""))
        is_shown = bool(named)
        token_in: list[str] = []
        for name in _KEYS:
            shown = headers.get(name, "")
            if name == "authorization":
                shown = shown[len(_BEARER) :].strip() if shown.lower().startswith(_BEARER) else ""
            is_shown = is_shown or bool(shown)
            if (by_key := self._known(shown)) is not None:
                if credential not in (None, by_key):
                    raise Refused(400, _TWO)
                credential = by_key
                token_in.append(name)
        if credential is None:
            raise Refused(401, _UNKNOWN if is_shown else _MISSING)
        return credential, tuple(token_in)

    def is_shown_in(self, address: bytes) -> bool:
        """True of an address with a token that lets somebody in, in its path or query.

        However often it is percent-encoded, and also where its characters are other forms of the same (full-width).

        Raises:
            Refused: It is encoded so often that nobody can tell.
        """
        if not self.credentials and self.keys is None:
            return False
        texts = set(_read(address))
        if any(token in text for token in self._forms for text in texts):
            return True
        return self.keys is not None and any(
            self.keys(key) is not None for text in texts for key in _KEY.findall(text)
        )

    def _known(self, token: str) -> Credential | None:
        credential = known(self.credentials, token)
        return credential if credential is not None or self.keys is None else self.keys(token)


def _read(address: bytes) -> Iterator[str]:
    """An address as it may be read: percent-encoded, as it is, and at last decoded until nothing changes.

    Once as it stands, and once with its characters made plain each time: a full-width % encodes as another does.

    Raises:
        Refused: It changes still.
    """
    for made in (bytes, _plain):
        read = made(address)
        for _ in range(_MOST_DECODED):
            yield read.decode("latin-1")
            yield (text := read.decode(errors="replace"))
            yield unicodedata.normalize("NFKC", text)
            read, before = made(unquote_to_bytes(read)), read
            if read == before:
                break
        else:
            raise Refused(
                400,
                "the address is percent-encoded over and over; encode each character once",
                "invalid_target",
            )
        if read.isascii():
            return


def _plain(address: bytes) -> bytes:
    if address.isascii():
        return address
    text = unicodedata.normalize("NFKC", address.decode(errors="surrogateescape"))
    return text.encode(errors="surrogateescape")


def is_loopback(host: str) -> bool:
    """True if only this machine reaches an address.

    Raises:
        OSError: The name is not known here.
    """
    addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return all(
        ipaddress.ip_address(str(address[4][0]).partition("%")[0]).is_loopback for address in addresses
    )


def own_header(headers: Headers, name: str) -> str | None:
    """The value of a header that names something for us, in UTF-8: users, scopes and chats have names in any language.

    One that is no UTF-8 is read as HTTP reads it, as Latin-1.
    """
    value = headers.get(name)
    if value is None or value.isascii():
        return value
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value


def _scope(named: str | None, credential: Credential) -> Scope:
    if named == EVERYWHERE:
        raise Refused(
            403,
            f"X-Simonides-Scope: * is every scope, and takes a key of global/* (made with --narrower), not of "
            f"{credential.scope}; name a scope",
        )
    try:
        bounds = credential.scope_for(None if named is None else Scope(named))
    except InvalidScope as error:
        raise Refused(400, f"X-Simonides-Scope: {error}") from error
    if bounds is None:
        raise Refused(
            403,
            f"X-Simonides-Scope may not leave {credential.scope} with this credential",
        )
    return bounds


def session(named: str | None) -> str | None:
    """The name of a conversation as a header gives it; None where it gives none.

    Raises:
        Refused: It is no name.
    """
    if not named:
        return None
    if len(named) > _LONGEST_SESSION or not named.isprintable():
        raise Refused(400, f"a session has a name of at most {_LONGEST_SESSION} printable characters")
    return named


def _listed(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _without_port(host: str) -> str:
    host = host.strip().lower()
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].rstrip(".")


def _bracketed(host: str) -> str:
    return f"[{host.lower()}]" if ":" in host else host.lower()


def _is_wildcard(host: str) -> bool:
    return host in {"", "0.0.0.0", "::"}  # noqa: S104 - looked for, not bound


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
