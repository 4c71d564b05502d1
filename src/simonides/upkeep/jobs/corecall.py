"""Co-recall: links between items that were used together go when they have faded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from simonides.domain.instant import days_between
from simonides.domain.link import Link, Relation
from simonides.domain.retention import strength_left
from simonides.domain.scope import Scope
from simonides.upkeep.change import DropLink
from simonides.upkeep.ground import PAGE, Ground
from simonides.upkeep.job import Batch, Step

#: What must be left of a link's strength: items that were used together once keep theirs for 313 days; of those
#: that were so twice in a row more is left for good.
FADED_BELOW: Final = 0.5


class CoRecall:
    """Drops `co_recalled` links of which little is left. They are made where items are used, among the first five."""

    name = "corecall"
    about = "Drop links between items that were used together long ago."

    def plan(self, ground: Ground) -> Iterator[Batch]:
        at, after, done = ground.now(), (0, 0), 0
        while True:
            with ground.read() as reader:
                page = reader.links_of(Relation.CO_RECALLED, after, PAGE)
                scopes = {id_: item.scope for id_, item in reader.get(_ends(page)).items()}
            faded = [link for _, link in page if strength(link, at) < FADED_BELOW]
            # In one scope only what joins its own items is dropped.
            yield tuple(
                Step((DropLink(link),))
                for link in faded
                if not isinstance(ground.scope, Scope)
                or scopes.get(link.src) == scopes.get(link.dst) == ground.scope
            )
            if len(page) < PAGE:
                return
            done += len(page)
            ground.tell(done, what="links")
            after = page[-1][0]


def strength(link: Link, at: int) -> float:
    """Strength left to a `co_recalled` link at an instant."""
    since = link.created_at if link.valid_from is None else link.valid_from
    return strength_left(link.weight, days_between(since, at))


def _ends(page: list[tuple[tuple[int, int], Link]]) -> list[str]:
    return sorted({end for _, link in page for end in (link.src, link.dst)})
