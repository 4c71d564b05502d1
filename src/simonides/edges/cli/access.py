"""Access to what a command serves over HTTP: an address that others can reach asks for a token."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from simonides.errors import InvalidSettings

if TYPE_CHECKING:
    from simonides.domain.scope import Scope
    from simonides.edges.cli.options import Common
    from simonides.edges.http.access import Access
    from simonides.edges.http.tokens import Credential

_UPSTREAM: Final = "proxy.upstream"


def access_to(
    host: str, token_file: Path | None, scope: Scope, common: Common, *, hosts: str, origins: str
) -> tuple[Access, Path | None]:
    """Access rules, and the file of tokens if one is asked for.

    Raises:
        InvalidSettings: Others can reach the address, and the file of tokens cannot be used.
    """
    from simonides.edges.http.access import Access, is_loopback  # noqa: PLC0415
    from simonides.edges.http.tokens import Credential, credentials_of  # noqa: PLC0415

    try:
        local = is_loopback(host)
    except OSError as error:
        raise InvalidSettings(f"the host {host!r} is not known here: {error.strerror or error}") from error
    if token_file is None and not local:
        token_file = common.state_path().with_suffix(".token")
    credentials: tuple[Credential, ...] = ()
    if token_file is not None:
        try:
            credentials = credentials_of(token_file.expanduser(), scope)
        except OSError as error:
            text = (
                f"others can reach {host}, so a token is needed, and" if not local else "the file of tokens"
            )
            raise InvalidSettings(
                f"{text} {token_file} cannot be used: {error.strerror or error}; name another with --token-file"
            ) from error
    access = Access.of(host, Credential(scope), hosts=hosts, origins=origins, credentials=credentials)
    return access, token_file


@contextmanager
def worded_as_typed(upstream: str | None) -> Generator[None]:
    """Name `--upstream`, where it was typed, in an error about the setting that it takes the place of.

    Raises:
        InvalidSettings: The address cannot be used.
    """
    try:
        yield
    except InvalidSettings as error:
        text = str(error)
        if upstream is None or not text.startswith(_UPSTREAM):
            raise
        raise InvalidSettings(text.replace(_UPSTREAM, "--upstream", 1)) from None
