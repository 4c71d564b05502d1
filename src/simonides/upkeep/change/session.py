"""Sessions: when they were consolidated, and that they are over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from simonides.domain.instant import iso
from simonides.domain.run import LeftAlone, RunChange
from simonides.domain.scope import Scope
from simonides.errors import NotFound
from simonides.ports.buffer import session_of
from simonides.ports.store import Reader, Writer
from simonides.upkeep.change.subject import Change, Put, Subject, Work, reversal
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class SessionMark(Subject):
    """The instant at which a session was last consolidated."""

    scope: str
    session_id: str

    def read(self, reader: Reader) -> Any:
        session = session_of(reader, Scope(self.scope), self.session_id)
        return None if session is None else session.consolidated_at

    def write(self, tx: Writer, value: Any, /) -> None:
        session = session_of(tx, Scope(self.scope), self.session_id)
        if session is None:
            raise NotFound(f"there is no session {self.session_id!r} in {self.scope}")
        tx.put_session(replace(session, consolidated_at=value))

    def changed(self) -> LeftAlone:
        return LeftAlone((), f"the session {self.session_id} was consolidated again since the run")

    def lines(self, _before: Any, after: Any, /) -> tuple[str, ...]:
        at = "not consolidated" if after is None else f"consolidated {iso(after)}"
        return (f"+ session {self.session_id} ({self.scope}): {at}",)


@dataclass(frozen=True, slots=True)
class MarkSession(Put):
    """The mark that a session was consolidated at an instant. None takes it away."""

    session_id: str
    scope: Scope
    consolidated_at: int | None

    kind: ClassVar[str] = "session"

    def planned(self) -> tuple[Subject, Any, Any]:
        return SessionMark(str(self.scope), self.session_id), None, self.consolidated_at

    def details(self) -> dict[str, Any]:
        at = None if self.consolidated_at is None else iso(self.consolidated_at)
        return {"session_id": self.session_id, "scope": self.scope, "consolidated_at": at}


@dataclass(frozen=True, slots=True)
class SessionEnd(Subject):
    """The instant at which a session was found to be over."""

    scope: str
    session_id: str

    def take_back(self, work: Work, change: RunChange) -> RunChange:
        scope = Scope(self.scope)
        session = session_of(work.tx, scope, self.session_id)
        # One that went on since is open already.
        if session is not None and session.ended_at == self.after(change):
            work.tx.put_session(replace(session, ended_at=None))
        return reversal(change)

    def lines(self, _before: Any, after: Any, /) -> tuple[str, ...]:
        return (f"+ session {self.session_id} ({self.scope}): ended {iso(after)}",)


@dataclass(frozen=True, slots=True)
class EndSession(Change):
    """A session that is over; nothing happens where it is known to be."""

    session_id: str
    scope: Scope
    at: int

    kind: ClassVar[str] = "ended"

    @property
    def _subject(self) -> SessionEnd:
        return SessionEnd(str(self.scope), self.session_id)

    def lines(self) -> tuple[str, ...]:
        return self._subject.lines(None, self.at)

    def details(self) -> dict[str, Any]:
        return {"session_id": self.session_id, "scope": self.scope, "ended_at": iso(self.at)}

    def apply(self, work: Work) -> RunChange | None:
        session = session_of(work.tx, self.scope, self.session_id)
        if session is None or session.ended_at is not None:
            return None
        work.tx.put_session(replace(session, ended_at=self.at))
        return self._subject.row(self.kind, after=self.at)
