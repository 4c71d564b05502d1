"""Pruning: a store that has grown too large lets its faintest items move to the archive file beside it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Final

from simonides.domain.batches import batches
from simonides.domain.instant import DAY_US
from simonides.domain.item import Item, Status
from simonides.ports.forgetting import Faint
from simonides.upkeep.change import Change, Compact, Move, Revise
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step

#: Share of the items that a turn moves.
SHARE: Final = 0.01
#: Items of one step: they are copied, and leave, together. So long nobody else can write.
_TOGETHER: Final = 50
#: Candidates that are looked at in one go.
_LOOKED_AT: Final = 100_000
#: Turns of a session that was heard of so recently stay: its client may send them all again.
QUIET_DAYS: Final = 7
#: Bytes that are left free: what the run notes of itself comes on top.
_OF_THE_RUN: Final = 16_384
#: The file is measured anew, and may still be too large, so often at most.
_ROUNDS: Final = 20
#: What a store without items takes, and some: below that nothing helps.
EMPTY_BYTES: Final = 287_000


class Prune:
    """Moves what is faintest to the archive file while the store is larger than `upkeep.max_size`.

    Moved is at least one item and a hundredth of all a turn, until what has gone suffices; then the file is
    compacted, and measured again. What it measures are the pages in use: size is the file's, whoever fills it. Where
    one scope is named, only items of that one move. Of what is active it leaves alone what is pinned, verified or
    long-term, what decay leaves alone too (but for episodes), chunks, and what still waits for extraction or a
    decision.
    """

    name = "prune"
    about = "Move the faintest items to the archive file while the store is too large."

    def plan(self, ground: Ground) -> Iterator[Step]:
        limit = ground.settings.upkeep.max_bytes
        if limit is None:
            return
        if limit < EMPTY_BYTES:
            ground.degraded(
                f"upkeep.max_size is {limit:,} bytes, and a store without any item takes {EMPTY_BYTES:,}: "
                "nothing is moved, allow more"
            )
            return
        for _ in range(_ROUNDS):
            with ground.read() as reader:
                over = reader.statistics(None)["live_bytes"] + _OF_THE_RUN - limit
                aside = reader.state().aside
            if over <= 0:
                return
            if aside and not ground.dry_run:
                yield Step((Compact(),), note="vectors that nothing reads go first")
                continue
            moved = yield from self._round(ground, over)
            if not moved:
                ground.degraded(
                    f"the store is {over:,} bytes larger than upkeep.max_size, and nothing in it may be moved: "
                    "allow more, or purge"
                )
                return
            if ground.dry_run:  # Nothing left, so there is nothing to measure.
                return
            yield Step((Compact(),), note="what has left makes room")

    def _round(self, ground: Ground, over: int) -> Generator[Step, None, int]:
        """Move what is faintest until it makes up for what is too much; how many bytes that were."""
        at = ground.now()
        everything = ground.selection(live_at=None, statuses=frozenset(Status))
        with ground.read() as reader:
            total = reader.count(everything)
            faintest = reader.faintest(everything, at, at - QUIET_DAYS * DAY_US, _LOOKED_AT)
        turn, moved, done = max(1, int(total * SHARE)), 0, 0
        while faintest and moved < over:
            chosen, faintest = faintest[:turn], faintest[turn:]
            for piece in batches(chosen, _TOGETHER):
                yield from self._moved(ground, piece)
                moved += sum(faint.bytes for faint in piece)
                done += len(piece)
                ground.tell(done, what="moved items")
        return moved

    def _moved(self, ground: Ground, faint: Sequence[Faint]) -> Iterator[Step]:
        with ground.read() as reader:
            items = reader.load([key for key, _ in faint])
        yield _step([items[key] for key, _ in faint if key in items])


def _step(items: Sequence[Item]) -> Step:
    """Items that leave together; what was active is archived first, so that it is so wherever it is."""
    changes: list[Change] = []
    for item in items:
        if item.status is Status.ACTIVE:
            changes.append(Revise(item, replace(item, status=Status.ARCHIVED), reason="prune"))
    return Step((*changes, Move(tuple(items))))
