"""The conversations of a Memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from simonides.compose import Parts
from simonides.domain.extraction import ExtractReport
from simonides.domain.item import Item, Status
from simonides.domain.records import Session
from simonides.domain.scope import Scopes, exactly, looked_from, visible
from simonides.domain.selection import Selection
from simonides.domain.text import short_text
from simonides.errors import NotFound
from simonides.parts.arguments import count
from simonides.ports.buffer import SessionSelection, WaitingTurn
from simonides.upkeep.ground import Order

if TYPE_CHECKING:
    from simonides.upkeep.jobs.turns import Wanted

_EVERY: int = 1_000_000


class Sessions:
    """Conversations."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, *, scope: str | Scopes | None = None, limit: int = 100) -> list[Session]:
        """Sessions, last heard of first."""
        with self._parts.reading() as reader:
            return reader.sessions(
                SessionSelection(scopes=visible(looked_from(scope))), count(limit, "limit")
            )

    def get(
        self, session_id: str, *, scope: str | Scopes | None = None, last: int | None = None
    ) -> list[Item]:
        """The turns of a session in their order, but for those that are in the archive file.

        Sessions of this name in several scopes in sight follow each other, as `waiting` has them.

        Args:
            last: Only so many, the last that were recorded; None for all.

        Raises:
            NotFound: No session of this name is visible from there.
        """
        selection = Selection(
            scopes=visible(looked_from(scope)),
            live_at=None,
            statuses=frozenset(Status) - {Status.QUARANTINED},
            session_id=short_text(session_id, name="session_id"),
            types=frozenset({"episode"}),
        )
        # A chat asks for many a session that is not there: what was noted meanwhile need not be written down for that.
        with self._parts.store.read() as reader:
            there = reader.keys(selection, limit=1)
        if not there and not self._has_moved(selection):
            where = "" if selection.scopes is None else f" in sight of {selection.scopes[0]}"
            raise NotFound(f"there is no session {session_id!r}{where}")
        with self._parts.reading() as reader:
            turns = reader.select(selection, limit=_EVERY if last is None else count(last, "last"))
        return sorted(turns.values(), key=lambda item: (str(item.scope), item.ordinal or 0, item.id))

    def _has_moved(self, selection: Selection) -> bool:
        archive = self._parts.store.archive
        if archive is None:
            return False
        with archive.read() as reader:
            return bool(reader.keys(selection, limit=1))

    def waiting(self, session_id: str, *, scope: str | Scopes | None = None) -> list[WaitingTurn]:
        """Turns of a session that wait for extraction or failed at it, in their order; maybe none."""
        short_text(session_id, name="session_id")
        with self._parts.reading() as reader:
            named = SessionSelection(scopes=visible(looked_from(scope)), session_id=session_id)
            sessions = sorted(reader.sessions(named, _EVERY), key=lambda session: str(session.scope))
            return [
                turn
                for session in sessions
                for turn in reader.waiting_turns(session.scope, session_id, _EVERY, failed=True)
            ]

    def end(self, session_id: str, *, scope: str | Scopes | None = None) -> ExtractReport:
        """Say that a session is over: extract from the turns that still wait, and tell what it was about.

        The telling is an item of type narrative, linked to the turns and, by `narrative_id`, to the one before
        it. A session may go on after its end; ended again, it is told anew. Turns that cannot be extracted
        from now are tried again later.

        Args:
            scope: The scope of the session, exactly; `ALL` for every session of this name.

        Raises:
            NotFound: There is no such session in this scope.
        """
        from simonides.upkeep.jobs.turns import Wanted  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        place = looked_from(scope)
        short_text(session_id, name="session_id")
        with self._parts.reading() as reader:
            named = SessionSelection(scopes=exactly(place), session_id=session_id)
            known = reader.sessions(named, 1)
        if not known:
            raise NotFound(f"there is no session {session_id!r} in {place}")
        return hear_out(self._parts, place, Wanted(exactly(place), session_id))

    def end_silent(self, *, scope: str | Scopes | None = None) -> ExtractReport:
        """End sessions that were silent for as long as `buffer.silence_s` says; with `ALL`, those of every scope."""
        from simonides.upkeep.jobs.turns import Wanted  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        place = looked_from(scope)
        return hear_out(self._parts, place, Wanted(visible(place), extracts=False))


def hear_out(
    parts: Parts,
    place: Scopes,
    wanted: Wanted,
    *,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ExtractReport:
    """Take turns and end sessions in a run; where there is nothing to do, there is none."""
    from simonides.upkeep.jobs.turns import HearOut  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

    report = ExtractReport(dry_run=dry_run)
    with parts.reading() as reader:
        anything = wanted.anything(reader, parts.habits, parts.clock.now())
    if not anything:
        why = parts.habits.idle_because if wanted.extracts else None
        return report if why is None else replace(report, degradations=(why,))
    job = HearOut(wanted)

    def step_done(_: str, done: int, of: int | None) -> None:
        if progress is not None:
            progress(done, of or 0)

    run = parts.upkeep.run_for(job, Order(scope=place, dry_run=dry_run), step_done)
    return replace(
        report + job.report,
        run_id=run.id if run.changes and not dry_run else None,
        degradations=run.degradations if run.error is None else (*run.degradations, run.error),
    )
