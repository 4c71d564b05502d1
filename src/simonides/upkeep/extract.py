"""The daily flush: what turns still wait for extraction is extracted from, also in sessions that go on."""

from __future__ import annotations

from collections.abc import Iterator

from simonides.domain.scope import exactly
from simonides.upkeep.asking import Asking
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.sessions import extracted


class ExtractWaiting:
    """Extracts from every turn that waits, whether or not its session is over."""

    name = "extract"
    about = "Keep what was stated in turns that wait for extraction."

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        if not ground.habits.extracts:
            return
        asking = Asking(ground, "turns wait for the next run", "these turns were extracted from by rules")
        scopes = exactly(ground.scope)
        with ground.read() as reader:
            waiting = [(one.scope, one.session_id) for one in reader.waiting(scopes) if one.turns]
            known = (reader.session(scope, session_id) for scope, session_id in waiting)
            sessions = [session for session in known if session is not None]
        for done, session in enumerate(sessions, 1):
            yield from extracted(ground, asking, session)
            if asking.silent:
                return  # The next ones would wait, too.
            ground.tell(done, len(sessions), "sessions")
