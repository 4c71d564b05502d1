"""Turns that wait for extraction, and sessions that are not over, as a store keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from simonides.domain.item import Item
from simonides.domain.records import Session
from simonides.domain.scope import Scope
from simonides.values import dataclass


class Waiting(NamedTuple):
    """A session with turns in the buffer.

    Attributes:
        turns: How many wait; those that failed for good are not among them.
        failed: How many failed as often as they may.
        bytes: UTF-8 of the texts that wait.
        last_at: When the newest of all its turns in the buffer was recorded.
        tries: How often one of those that wait was tried at most.
        retry_at: Not before this instant are they tried again; None where none failed yet.
    """

    scope: Scope
    session_id: str
    turns: int
    failed: int
    bytes: int
    last_at: int
    tries: int
    retry_at: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSelection:
    """A filter over sessions. A field of None does not restrict.

    Attributes:
        scopes: Each meant exactly; None for every scope.
        silent_since: Instant since which it was not heard of.
        changed_since: Instant after which it began or ended.
        open: It is not over.
        unconsolidated: It was heard of since it was last consolidated, or never was.
    """

    scopes: tuple[Scope, ...] | None
    session_id: str | None = None
    silent_since: int | None = None
    changed_since: int | None = None
    open: bool = False
    unconsolidated: bool = False


class WaitingTurn(NamedTuple):
    """An episode in the buffer.

    Attributes:
        failed: It was tried as often as it may be.
        error: What went wrong the last time; None where nothing did.
    """

    item: Item
    tries: int
    failed: bool
    error: str | None
    retry_at: int | None


class Buffered(NamedTuple):
    """The state of a turn that waits for extraction.

    Attributes:
        failed: It was tried as often as it may be.
    """

    session_id: str
    failed: bool = False
    tries: int = 0
    error: str | None = None
    retry_at: int | None = None


class BufferReader(Protocol):
    """The buffer and the sessions."""

    def sessions(
        self, selection: SessionSelection, limit: int, *, longest_silent: bool = False
    ) -> list[Session]:
        """Sessions that pass, last heard of first, or longest silent first; ties by name."""
        ...

    def waiting(self, scopes: tuple[Scope, ...] | None) -> list[Waiting]:
        """Sessions of these scopes with turns in the buffer, the longest waiting first."""
        ...

    def waiting_turns(
        self, scope: Scope, session_id: str, limit: int, *, failed: bool = False
    ) -> list[WaitingTurn]:
        """Turns of a session that wait, in their order; with `failed` also those that failed for good."""
        ...


def session_of(reader: BufferReader, scope: Scope, session_id: str) -> Session | None:
    """A session; None for an unknown one."""
    return next(iter(reader.sessions(SessionSelection(scopes=(scope,), session_id=session_id), 1)), None)


class BufferWriter(BufferReader, Protocol):
    """Changes to the buffer and to what is known of sessions."""

    def put_waiting(self, turns: Mapping[str, Buffered | None]) -> None:
        """Let turns wait as these values say, by item id, whatever they did before; None: no longer.

        Raises:
            NotFound: There is no such item.
        """
        ...
