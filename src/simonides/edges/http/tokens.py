"""Tokens: who may come in, and from which scope they look and write."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Iterable
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Final

from simonides.domain.scope import Scope
from simonides.errors import InvalidSettings
from simonides.exports.placing import require_no_store
from simonides.values import dataclass

_HEAD: Final = """\
# Tokens of `simonides serve`, `proxy` and `mcp`, one a line. Behind a token may stand the scope that it is bound to;
# with `/*` at the scope's end its holder may add parts to it. Without a scope it is bound as the command line says.
"""
#: What a key of the server begins with: a secret scanner, and whoever finds one, can tell where it belongs; and the
#: bytes that are drawn for it.
PREFIX: Final = "smnd_"
KEY_BYTES: Final = 32
#: A token shorter than this can be guessed.
_SHORTEST: Final = 16
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class Role(StrEnum):
    """Roles of whoever shows a token, each with the rights of those before it."""

    READER = "reader"
    WRITER = "writer"
    REVIEWER = "reviewer"
    ADMIN = "admin"

    def may(self, needed: Role) -> bool:
        """True if this role has the rights of another one."""
        order = list(Role)
        return order.index(self) >= order.index(needed)


@dataclass(frozen=True, slots=True)
class Credential:
    """Rights of whoever shows a token.

    Attributes:
        scope: From where they look and where they write.
        narrows: Whether a request may name a scope with further parts.
        token: What they show; empty where nobody is asked for one.
        role: What they may do there.
        key: Id of the key that it is; empty for a token of a file.
        label: Its name, as the audit log has it.
        rate, quota: Requests a minute and a day; None for any number.
        tenant: Whose memory it is for; None for the server's own.
    """

    scope: Scope
    narrows: bool = True
    token: str = field(default="", repr=False)
    role: Role = Role.ADMIN
    key: str = ""
    label: str = ""
    rate: int | None = None
    quota: int | None = None
    tenant: str | None = None

    @property
    def name(self) -> str:
        """Names it and no other, without its token."""
        if self.key:
            return f"key {self.key}"
        digest = hashlib.sha256(self.token.encode()).hexdigest()[:16]
        return f"token {digest}" if self.token else f"everybody in {self.scope}"

    def scope_for(self, named: Scope | None) -> Scope | None:
        """The scope of a request that names one, or none; None if it may not be used with this credential."""
        if named is None or named == self.scope:
            return self.scope
        return named if self.narrows and named.sees(self.scope) else None


def credentials_of(path: Path, scope: Scope) -> tuple[Credential, ...]:
    """The credentials of a file; it is made with one new token, readable by its owner only, if there is none.

    Args:
        scope: What a token without a scope of its own is bound to; requests may add parts to it.

    Raises:
        InvalidSettings: The file can be read by others, or a line of it is no token.
        InvalidInput: There is none, and its name is that of a part of a store.
        OSError: It cannot be read or made.
    """
    try:
        text = _own(path)
    except FileNotFoundError:
        _make(path)
        text = _own(path)
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    credentials = tuple(
        _credential(f"{path}, line {n}", line, scope) for n, line in lines if line and line[0] != "#"
    )
    if not credentials:
        raise InvalidSettings(f"{path} holds no token; delete it, and the next start makes one")
    return credentials


def known(credentials: Iterable[Credential], token: str) -> Credential | None:
    """The credential with this token. Takes the same time for every token that is none."""
    match: Credential | None = None
    given = token.encode("utf-8", "surrogatepass")
    for credential in credentials:
        if credential.token and hmac.compare_digest(credential.token.encode(), given):
            match = credential
    return match


def _own(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        if os.name != "nt" and os.fstat(file.fileno()).st_mode & _OTHERS:
            raise InvalidSettings(f"{path} can be read by others on this machine; run: chmod 600 {path}")
        try:
            return file.read()
        except UnicodeDecodeError:
            raise InvalidSettings(f"{path} is no file of tokens; name another with --token-file") from None


def _make(path: Path) -> None:
    if path.suffix != ".token":  # That is where the tokens of a store stand.
        require_no_store(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return  # Another process was quicker.
    try:
        with os.fdopen(made, "w", encoding="utf-8") as file:
            file.write(f"{_HEAD}{secrets.token_urlsafe(32)}\n")
    except OSError:  # An empty one would keep the next start from making another.
        path.unlink(missing_ok=True)
        raise


def _credential(where: str, line: str, scope: Scope) -> Credential:
    token, _, rest = line.partition(" ")
    if len(token) < _SHORTEST or not token.isascii():
        raise InvalidSettings(f"{where}: a token is at least {_SHORTEST} characters of plain ASCII")
    if not (named := rest.strip()):
        return Credential(scope, token=token)
    return Credential(Scope(named.removesuffix("/*")), narrows=named.endswith("/*"), token=token)
