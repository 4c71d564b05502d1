"""Co-recall: which items are linked because they were used together. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

#: Of the items that one search returned, only the first so many count as used together: further down
#: hits have the question in common, and little else.
TOGETHER: Final = 5


def pairs_used_together(ranked: Sequence[str], counted: Collection[str]) -> list[tuple[str, str]]:
    """The pairs whose `co_recalled` link one use of several items makes or strengthens.

    Each pair's strength becomes `strength · retention(d) + 1`, d days since the two were last used
    together (`domain.retention.strengthened`); the first time it is 1.

    A pair counts at most once a session, as an item does, however often the same is asked. So at least
    one of a pair must be an item that the session had not used before: had the pair counted already,
    both would have been. A pair whose items the session had used apart from each other is passed over.

    Args:
        ranked: Ids of the items that were used at once, best first.
        counted: Those of them that the session used for the first time.

    Returns:
        At most 10, better ranked ones first; each with the better ranked item first.
    """
    top = list(dict.fromkeys(ranked))[:TOGETHER]
    return [pair for pair in combinations(top, 2) if pair[0] in counted or pair[1] in counted]
