"""Upkeep on request while talks go on: turns that wait are extracted from, sessions that ended are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.extraction import ExtractReport
from simonides.domain.records import Session
from simonides.domain.scope import Scope
from simonides.ports.buffer import SessionSelection, Waiting
from simonides.ports.store import Reader
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import Change, EndSession
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.jobs.sessions import WITHOUT, marked, narrated
from simonides.upkeep.stated import Extraction
from simonides.values import dataclass
from simonides.writing.habits import Habits

NAME: Final = "turns"
#: Sessions that are ended in one run because they fell silent.
_MOST_SESSIONS: Final = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Turns to take, and sessions to end.

    Attributes:
        scopes: Theirs; None for every scope.
        session_id: Only this session, then also turns that failed for good.
        due_only: Only turns of sessions that are due.
        extracts: Whether turns are taken.
        ends: Whether sessions are ended: the one that is named; else those that have been silent for long.
    """

    scopes: tuple[Scope, ...] | None
    session_id: str | None = None
    due_only: bool = False
    extracts: bool = True
    ends: bool = True

    def turns(self, reader: Reader, habits: Habits, now: int) -> Sequence[Waiting]:
        """Sessions whose turns are to be taken."""
        if not self.extracts or habits.idle_because is not None:
            return ()
        waiting: Sequence[Waiting] = reader.waiting(self.scopes)
        if self.due_only:
            waiting = habits.due(waiting, now)
        if self.session_id is None:
            return [one for one in waiting if one.turns]
        return [one for one in waiting if one.session_id == self.session_id]

    def over(self, reader: Reader, habits: Habits, now: int) -> Sequence[Session]:
        """Sessions that are to be ended."""
        if not self.ends:
            return ()
        if self.session_id is not None:
            named = SessionSelection(scopes=self.scopes, session_id=self.session_id)
            return sorted(reader.sessions(named, _MOST_SESSIONS), key=lambda session: str(session.scope))
        return _silent(reader, self.scopes, habits, now)

    def anything(self, reader: Reader, habits: Habits, now: int) -> bool:
        """True if there is anything to do."""
        return bool(self.turns(reader, habits, now) or self.over(reader, habits, now))


class HearOut:
    """Extracts from turns that are wanted now, and ends sessions.

    Not one of the nightly jobs: `Memory.extract` and `sessions.end` run it, and are answered by its report.

    Attributes:
        report: What was done so far.
    """

    name = NAME
    about = "Keep what was stated in turns, and tell what sessions were about that ended."

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self.report = ExtractReport()

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        wanted, habits = self._wanted, ground.habits
        if wanted.extracts and (why := habits.idle_because) is not None:
            ground.degraded(why)
        with ground.read() as reader:
            waiting = wanted.turns(reader, habits, ground.now())
        named = wanted.session_id is not None
        total = sum(one.turns + (one.failed if named else 0) for one in waiting)
        asking = ModelAccess(ground, WITHOUT)
        extraction = Extraction(ground, asking, failed=named, note=self._note, of=total)
        for one in waiting:
            yield from extraction.of(one.scope, one.session_id)
        if ground.dry_run:
            return
        with ground.read() as reader:
            over = wanted.over(reader, habits, ground.now())
        for session in over:
            yield from self._end(ground, asking, session)

    def _end(self, ground: Ground, asking: ModelAccess, session: Session) -> Iterator[Step]:
        narrative_id = yield from narrated(ground, asking, session)
        with ground.read() as reader:
            waits = reader.waiting_turns(session.scope, session.session_id, 1)
        changes: list[Change] = [EndSession(session.session_id, session.scope, ground.now())]
        if not (ground.habits.extracts and waits):
            changes.append(marked(ground, session))
        narratives = () if narrative_id is None else (narrative_id,)
        report = ExtractReport(ended=(session.session_id,), narratives=narratives)
        yield Step(tuple(changes), done=lambda: self._note(report))

    def _note(self, report: ExtractReport) -> None:
        self.report += report


def _silent(reader: Reader, scopes: tuple[Scope, ...] | None, habits: Habits, now: int) -> list[Session]:
    """Sessions that have been silent long enough to count as over; none of which turns still wait."""
    before = now - habits.silence_us
    waiting = {(one.scope, one.session_id): one for one in reader.waiting(scopes)}
    # What was just recorded is being said, whenever its messages claim to have been.
    silent = SessionSelection(scopes=scopes, open=True, silent_since=before)
    return [
        session
        for session in reader.sessions(silent, _MOST_SESSIONS, longest_silent=True)
        if (one := waiting.get((session.scope, session.session_id))) is None
        or (not one.turns and one.last_at <= before)
    ]
