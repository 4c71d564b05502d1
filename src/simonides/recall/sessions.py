"""Sessions as answers: of each conversation the best turn, ranked by what all its turns say together. Pure."""

from __future__ import annotations

from typing import Final

import numpy as np

from simonides.recall.candidates import CandidateTable, comparable

#: How much of its score the second turn of a session adds; each next one that share of the share before it. Of sets
#: that the trees had not seen, the first session answers .765 of LoCoMo's questions (.728 by the best turn alone, .763
#: with a half) and .783 of REALTALK's (.768, .778); chosen among seven on these two.
_NEXT: Final = 0.3


def by_session(candidates: CandidateTable) -> CandidateTable:
    """The candidates with one of each session, its best, at the score of the session.

    score = best + .3 · second + .09 · third + …, the others counted from the lowest score of all. What belongs to no
    session stands by itself. What its session adds to the score of a candidate is the part `together`; all parts add
    up, as before.
    """
    score = comparable(candidates.score)
    rows = candidates.ranked()
    lowest = min((float(score[row]) for row in rows), default=0.0)
    best: dict[tuple[int, str], int] = {}
    added = np.zeros(len(candidates))
    dropped = candidates.dropped.copy()
    counted: dict[int, int] = {}
    for row in rows:
        sketch = candidates.sketches[row]
        if sketch.session_id is None:
            continue
        first = best.setdefault((sketch.scope, sketch.session_id), row)
        if first != row:
            counted[first] = counted.get(first, 0) + 1
            added[first] += _NEXT ** counted[first] * (float(score[row]) - lowest)
            dropped[row] = True
    factor = np.where(candidates.factor == 0, 1.0, candidates.factor)
    return candidates.scored(
        {**candidates.parts, "together": added / factor},
        candidates.relevance,
        candidates.factor,
        dropped,
    )
