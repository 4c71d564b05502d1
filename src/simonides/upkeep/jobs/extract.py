"""The daily flush: what turns still wait for extraction is extracted from, also in sessions that go on."""

from __future__ import annotations

from collections.abc import Iterator

from simonides.domain.scope import exactly
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.stated import Extraction


class ExtractWaiting:
    """Extracts from every turn that waits, whether or not its session is over, but for those put off for now."""

    name = "extract"
    about = "Keep what was stated in turns that wait for extraction."

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        if (why := ground.habits.idle_because) is not None:
            ground.degraded(why)
            return
        with ground.read() as reader:
            waiting = [
                one
                for one in reader.waiting(exactly(ground.scope))
                if one.turns and not ground.habits.is_put_off(one, ground.now())
            ]
        extraction = Extraction(ground, ModelAccess(ground, ""), of=sum(one.turns for one in waiting))
        for one in waiting:
            yield from extraction.of(one.scope, one.session_id)
