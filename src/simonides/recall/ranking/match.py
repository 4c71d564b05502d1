"""Matches of texts by themselves, as several ways of ranking count them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.language.matters import matters
from simonides.language.sentences import sentences
from simonides.recall.candidates import Floats, Indices
from simonides.recall.cosines import PLAIN, CosineScale

#: Share of a score that is likeness of meaning, whatever is asked; and what is added at most in a small store where
#: none of the question's words is held, at so many items half of that. Of a few texts any word tells one from another.
FIRM_SHARE: Final = 0.03
_OF_SMALL: Final = 0.9
_SMALL: Final = 20.0
_FEW: Final = 12.0
#: From so many texts with a name of the question on, the name tells none of them from the others.
_SEVERAL: Final = 2
#: What is left of the share of a closer reading there.
_BESIDE_NAMES: Final = 0.4
#: How much of the share of a closer reading is left to words where one text holds them all.
_HELD_CLOSELY: Final = 0.25
#: How much of it is left in a large store, where upkeep has read the statements.
_OF_STORED: Final = 0.9
#: What a cosine of 1 counts, on the scale of what is learned.
_ALIKE: Final = 20.0
#: What a matter of the question counts that one text alone is about, on the same scale.
_OF_THE_MATTER: Final = 6.0
#: Characters of a question whose matters count.
_LONGEST: Final = 100
#: A cosine between two texts from which on they say something of one matter. Several notes on what is asked for are no
#: reason to pass over each of them: a nearer one counts no more.
_OF_ONE_MATTER: Final = 0.3
#: In larger stores nearness to other texts counts nothing: the share of likeness is small there. From half of that on
#: it counts less and less, so that one item more in another scope moves nobody's order.
LARGE: Final = 1_000


def lexical(bm25: Floats, coverage: Floats) -> Floats:
    """The match by words, in [0, 1]; 0 where the text channel did not see a candidate.

    BM25 / the best BM25, times the highest coverage among the texts that were seen: the best of texts
    that hold little of the question is no full match. Where no coverage is known, the best is 1.

    Args:
        bm25, coverage: Shape (n,); as in `CandidateTable`.
    """
    seen = bm25 > 0
    held = coverage[seen].max(initial=0.0) or 1.0
    return bm25 / (bm25.max(initial=0.0) or 1.0) * held


def relevance(coverage: Floats, cosine: Floats) -> Floats:
    """The match by words and meaning, in [0, 1], whatever other candidates there are."""
    return np.minimum(np.maximum(0.6 * coverage + 0.4 * cosine, 0.0), 1.0)


def held_beside_names(coverage: Floats, entity: Floats) -> float | None:
    """The share of a question that the best text holds, in [0, 1]; of one that names somebody, the rest of it.

    None where one text alone has the names that the question has in common with any: that is no chance.

    Args:
        coverage, entity: Shape (n,); as in `CandidateTable`.
    """
    if not entity.any():
        return float(coverage.max(initial=0.0))
    held = coverage[entity >= entity.max()]
    if len(held) < _SEVERAL:
        return None
    least = float(held.min())
    return (float(held.max()) - least) / (1 - least) if least < 1 else 1.0


def meaning_share(coverage: Floats, entity: Floats, extent: int) -> float:
    """The share of a score that goes by likeness of meaning alone, in [0, 1].

    A dozen texts do not tell which words are rare: where the best of them holds little of the question, what it
    holds is chance more often than not. A name that the question has in common with a text is none.

    Args:
        coverage, entity: Shape (n,); as in `CandidateTable`.
        extent: Items of the store.
    """
    if entity.any():
        return FIRM_SHARE
    unheld = 1 - float(coverage.max(initial=0.0))
    enough = min(1.0, extent / _FEW) ** 2
    return FIRM_SHARE + _OF_SMALL * max(0.0, unheld) * enough * _SMALL / (_SMALL + extent)


def close_share(held: float | None, extent: int, *, named: bool = False, stored: bool = False) -> float:
    """The share of a score that goes by a closer reading of statements, in [0, 1].

    It tells what answers from what holds a word of the question by chance, so that words take little of it, and the
    number of statements less than of `meaning_share`. Where statements are read when they are asked about, it fades as
    the other things do that count in small stores alone.

    Args:
        held: As `held_beside_names` has it.
        extent: As of `meaning_share`.
        named: It is of what several texts with a name have beside it. Who is named is much of what is asked, and what
            is told of others may lead on to it.
        stored: The vectors that are read are stored: what is nearest by them in all the store is among the candidates.
    """
    if held is None:
        return FIRM_SHARE
    unheld = (1 - _HELD_CLOSELY * held) * (_BESIDE_NAMES if named else 1)
    enough = min(1.0, extent / _FEW) ** 2
    counted = LARGE / (LARGE + extent)
    if stored:
        return FIRM_SHARE + _OF_SMALL * unheld * enough * max(_OF_STORED, counted)
    return FIRM_SHARE + _OF_SMALL * unheld * enough * counted * _fading(extent)


def behind_named(alike: Floats, entity: Floats) -> Floats:
    """Likeness by which nothing gains on what has the names of the question: the rest is as like as the best of that.

    It is no less: of somebody much is told where they are not named, and who is thanked by name is told nothing of.

    Args:
        alike, entity: Shape (n,).
    """
    named = entity >= entity.max(initial=0.0)
    if not entity.any() or named.all():
        return alike
    return np.where(named, alike, np.minimum(alike, alike[named].max()))


def likeness(cosine: Floats, known: NDArray[np.bool_], others: Floats) -> Floats:
    """The likeness of meaning, on the scale of what is learned; what has no vector is as near as others in the mean.

    What is near to everything is near to a question by chance, and loses what it has in common with the others.

    Args:
        cosine, known: Shape (n,); known where there is a vector.
        others: As `nearness` has it.
    """
    near = cosine - others
    mean = float(near[known].mean()) if known.any() else 0.0
    return _ALIKE * np.where(known, near, mean)


def of_the_matter(question: str, texts: Sequence[str], crowd: NDArray[np.bool_], extent: int) -> Floats:
    """Share of each text in the question's matters, on the scale of what is learned: the fewer texts have it, the more.

    A matter of which both tell in the same word is left to the words. A question of more than one sentence or a hundred
    characters has many words, and matters by chance.

    Args:
        texts: Of n candidates.
        crowd, extent: As of `nearness`.
    """
    found = np.zeros(len(texts))
    if extent >= LARGE or len(question) > _LONGEST or len(sentences(question)) > 1:
        return found
    asked = matters(question)
    shared = [
        {
            matter.name
            for matter, told in matters(text).items()
            if matter in asked and told.isdisjoint(asked[matter])
        }
        for text in texts
    ]
    for name in sorted({matter.name for matter in asked}):
        has = np.array([name in some for some in shared], np.bool_)
        found += has / np.sqrt(max(1, np.count_nonzero(has & crowd)))
    return np.round(_OF_THE_MATTER * found * _fading(extent), 6)


def nearness(
    vectors: NDArray[np.float32],
    groups: Indices,
    crowd: NDArray[np.bool_],
    extent: int,
    scale: CosineScale = PLAIN,
) -> Floats:
    """The mean cosine of each text with others, without those of its own session: these are of one matter anyway.

    Args:
        vectors: Of length 1, shape (n, dimension); rows of zeros where there is none.
        groups: Number of each one's session, -1 outside of sessions.
        crowd: True of the texts that each is compared with, whatever else is ranked; shape (n,).
        extent: Items of the store.
        scale: Of the cosines.

    Source:
        Radovanović, Nanopoulos and Ivanović, JMLR 2010, on such hubs.
    """
    if extent >= LARGE:
        return np.zeros(len(vectors))
    # Row by row: small matrix products start threads that cost more than they do.
    each = cast("NDArray[np.float32]", np.vecdot(vectors[:, None, :], vectors[None, crowd, :]))
    known = cast("NDArray[np.bool_]", vectors.any(axis=1))
    apart = (groups[:, None] != groups[None, crowd]) | (groups[:, None] < 0)
    beside: NDArray[np.bool_] = apart & known[:, None] & known[None, crowd]
    beside &= np.arange(len(vectors))[:, None] != np.flatnonzero(crowd)[None, :]
    counted = np.minimum(scale(each.astype(np.float64)), _OF_ONE_MATTER) * beside
    total = cast("Floats", counted.sum(axis=1))
    count = cast("NDArray[np.intp]", beside.sum(axis=1))
    return np.round(total / np.maximum(1, count) * _fading(extent), 6)


def _fading(extent: int) -> float:
    """Weight of evidence that counts in small stores alone, in a store of so many items: in [0, 1]."""
    return max(0.0, min(1.0, 2 - 2 * extent / LARGE))
