"""Nearness of candidates to a question by meaning, and its share of their scores. Pure."""

from __future__ import annotations

from itertools import accumulate
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from simonides.domain.selection import LONGER
from simonides.language.guess import language_of
from simonides.language.matters import typical_answers
from simonides.language.names import may_be_a_word
from simonides.language.whose import asks_of_oneself
from simonides.recall.candidates import CandidateTable, Floats, Indices
from simonides.recall.close_reader import MAX_CHARS
from simonides.recall.cosines import CosineScale
from simonides.recall.ranking.first_look import SHORTLIST, shortlist
from simonides.recall.ranking.match import (
    FIRM_SHARE,
    LARGE,
    behind_named,
    close_share,
    held_beside_names,
    likeness,
    meaning_share,
    nearness,
    of_the_matter,
)
from simonides.values import dataclass

#: What a closer reading counts, beside that of words; and the share of what a text has in common with others that it
#: loses there.
_CLOSER: Final = 1.5
_CROWD: Final = 0.5
#: What tables of matters count beside an embedder that tells by itself, and beside what reads any language; and beside
#: what reads English alone, among statements.
_MATTERS: Final = 0.35
_MATTERS_BESIDE_ENGLISH: Final = 0.2
#: What likeness to typical answers counts beside likeness to the question.
_TYPICAL: Final = 0.5
#: What a closer reading counts for the order of turns, beside that of statements, in a talk of so many turns, and in
#: longer ones, such as the trees learned from: in shorter ones it counts more, up to as much.
_OF_TURNS: Final = 0.5
_LONG_TALK: Final = 250
#: Least share of the candidates that were read, from which the reading counts.
_LEAST_READ: Final = 0.5
#: Characters of candidates that are read for one question: some seventy statements, .2 s the first time.
_READ_CHARS: Final = 6_000
#: Likewise in a large store, of which upkeep has read the rest.
_NEW_CHARS: Final = 1_500


@dataclass(frozen=True, slots=True)
class ReadVectors:
    """Vectors of a question and of candidates, on one scale.

    Attributes:
        question: Shape (dimension,).
        vectors: Shape (n, dimension); rows of zeros for what was not read.
        matters: What tables of matters count beside them.
        encoder: The fingerprint of the closer reader's model; None where the store's own vectors are read.
        typical: Of statements that typical answers are like, shape (m, dimension); None where none are known.
    """

    question: NDArray[np.float32]
    vectors: NDArray[np.float32]
    scale: CosineScale
    matters: float
    encoder: str | None = None
    typical: NDArray[np.float32] | None = None

    @property
    def read(self) -> NDArray[np.bool_]:
        """True for what was read."""
        return cast("NDArray[np.bool_]", self.vectors.any(axis=1))

    @property
    def near(self) -> Floats:
        """Cosine of each with the question, on the scale, >= 0; 0 for what was not read."""
        return self._near(self.question)

    @property
    def near_typical(self) -> Floats:
        """The same, with what typical answers are like, if any."""
        if self.typical is None:
            return self.near
        likest = np.maximum.reduce([self._near(typical) for typical in self.typical])
        return (self.near + _TYPICAL * likest) / (1 + _TYPICAL)

    def _near(self, vector: NDArray[np.float32]) -> Floats:
        cosines = np.vecdot(self.vectors, vector).astype(np.float64)
        return np.maximum(self.scale(cosines).round(6), 0.0) * self.read


@dataclass(frozen=True, slots=True)
class Closeness:
    """Nearness of statements to a question by a closer reader.

    Attributes:
        encoder: The fingerprint of its model.
        question: The question's vector, of length 1.
        near: Cosine of each candidate that was looked at, on the scale, >= 0; 0 for what was not read; shape (n,).
        read: True for what was read.
        weight: What the reading counts by the share of candidates that were read, in [0, 1].
    """

    encoder: str
    question: NDArray[np.float32]
    near: Floats
    read: NDArray[np.bool_]
    weight: float


@dataclass(frozen=True, slots=True)
class Meaning:
    """The part of scores that is meaning.

    Attributes:
        share: Of each score, that is likeness of meaning alone, in [0, 1].
        alike: That likeness, on the scale of what is learned; shape (n,).
        closely: Statements were read closely: their likeness lies far apart.
        closeness: By the closer reader; None where there is none.
        named: Some texts have a name of the question.
    """

    share: float
    alike: Floats
    closely: bool = False
    closeness: Closeness | None = None
    named: bool = False

    def weighed(self, scores: Floats) -> Floats:
        """Scores by which the likelihood of an answer goes, of those by which the order does.

        That meaning counts among texts with one name tells which of them answers, and not whether any does.
        """
        if not self.named:
            return scores
        return FIRM_SHARE * self.alike + (1 - FIRM_SHARE) * (scores - self.share * self.alike) / (
            1 - self.share
        )


def by_meaning(candidates: CandidateTable, rows: Indices) -> Meaning:
    """The meaning of some of the candidates.

    Raises:
        ProviderError: What reads statements closely is damaged.
    """
    query, vectors = candidates.query, candidates.vectors[rows]
    crowd = (
        np.isin(rows, shortlist(candidates, SHORTLIST)) if query.k > SHORTLIST else np.ones(len(rows), bool)
    )
    groups = candidates.groups[rows]
    others = query.trust * nearness(vectors, groups, crowd, query.extent, query.scale)
    known = cast("NDArray[np.bool_]", vectors.any(axis=1))
    entity = _naming(candidates)
    named = bool(entity.any())
    share = query.trust * meaning_share(candidates.coverage, entity, query.extent)
    alike = likeness(candidates.cosine[rows], known, others)
    stored = query.reading is not None or query.scale.telling
    held = None if query.analysis.about_asking else held_beside_names(candidates.coverage, entity)
    closer = query.trust * close_share(held, query.passing, named=named, stored=stored)
    if closer > FIRM_SHARE and (reading := read_closely(candidates, rows, crowd)) is not None:
        read, near = reading.read, reading.near
        weight = max(0.0, (float(read[crowd].mean()) - _LEAST_READ) / (1 - _LEAST_READ))
        closeness = None
        if reading.encoder is not None:
            closeness = Closeness(reading.encoder, reading.question, near, read, weight)
        common = _CROWD * nearness(reading.vectors, groups, crowd, query.passing, reading.scale)
        alike = _CLOSER * np.where(read, likeness(reading.near_typical, read, common), alike)
        if reading.matters:
            alike += reading.matters * of_the_matter(
                query.analysis.text, _texts(candidates, rows), crowd, query.extent
            )
        alike = _not_behind(alike, read, candidates.coverage[rows])
        alike = behind_named(alike, entity[rows])
        lessened = 0.0 if named else (1 - _OF_TURNS) * min(1.0, query.passing / _LONG_TALK)
        share += weight * (1 - lessened * _turns(candidates, rows)) * (closer - share)
        return Meaning(share, alike, closely=weight > 0, closeness=closeness, named=named)
    if share > FIRM_SHARE:
        alike += of_the_matter(query.analysis.text, _texts(candidates, rows), crowd, query.extent)
    return Meaning(share, alike)


def _not_behind(alike: Floats, read: NDArray[np.bool_], coverage: Floats) -> Floats:
    """Likeness by which no long text is behind what is read closely for that alone: its words tell how like it is."""
    if not read.any():
        return alike
    behind = np.maximum(0.0, float(alike[read].max()) - alike)
    return np.where(read, alike, alike + coverage * behind)


def _naming(candidates: CandidateTable) -> Floats:
    """The share of the question's names that each candidate mentions, as of `CandidateTable.entity`.

    None where they may be ordinary words, which two texts have in common by chance, and a closer reader is at hand.
    """
    entity, query = candidates.entity, candidates.query
    if query.closer is None or not query.untold or not entity.any():
        return entity
    german = any(
        language_of(candidates.sketches[row].content) == "de" for row in np.flatnonzero(entity).tolist()
    )
    plain = all(may_be_a_word(name, german=german) for name in query.entities)
    return np.zeros(len(candidates)) if plain else entity


def _contents(candidates: CandidateTable, rows: Indices) -> list[str]:
    """Texts of some of the candidates as they are read closely: with the name for which a pronoun stands."""
    texts, names = _texts(candidates, rows), ", ".join(candidates.query.entities)
    if not candidates.spoken_of.any():
        return texts
    return [
        f"{names}: {text}" if of else text for text, of in zip(texts, candidates.spoken_of[rows], strict=True)
    ]


def _turns(candidates: CandidateTable, rows: Indices) -> float:
    """The share of some of the candidates that are turns of a chat."""
    return float(
        np.mean([candidates.sketches[row].type == "episode" for row in cast("list[int]", rows.tolist())])
    )


def _texts(candidates: CandidateTable, rows: Indices) -> list[str]:
    return [candidates.sketches[row].content for row in cast("list[int]", rows.tolist())]


def read_closely(candidates: CandidateTable, rows: Indices, crowd: NDArray[np.bool_]) -> ReadVectors | None:
    """A reading that tells more of statements than their words do; None where there is none.

    That of a closer reader, if it reads enough; else the store's own vectors, where they tell what answers from what
    does not. What is ranked beside the crowd, since more hits are wanted, changes nothing.
    """
    query = candidates.query
    if query.vectors is None or len(query.parts) != 1 or len(query.analysis.text) > MAX_CHARS:
        return None
    sketches = [candidates.sketches[row] for row in cast("list[int]", rows.tolist())]
    # Of a large store, upkeep has read the statements and no turns. Of people who talk to each other the speaker tells
    # more.
    turns = query.reading is None and query.passing < LARGE and not query.names
    longer = LONGER - {"episode"} if turns else LONGER
    statements = crowd & np.array(
        [one.type not in longer and len(one.content) <= MAX_CHARS for one in sketches], np.bool_
    )
    least = _LEAST_READ * np.count_nonzero(crowd)
    if np.count_nonzero(statements) <= least:
        return None
    if query.closer is not None and (query.reading is not None or query.passing < LARGE):
        known = candidates.readings[rows] if query.reading is not None else None
        unread = statements if known is None else statements & ~known.any(axis=1)
        cosines = candidates.cosine[rows].tolist()
        # Of equals the words decide: the order in which items came to be stored says nothing.
        nearest = sorted(
            np.flatnonzero(unread).tolist(), key=lambda row: (-cosines[row], sketches[row].content)
        )
        contents = _contents(candidates, rows)
        lengths = accumulate(len(contents[row]) for row in nearest)
        most = _READ_CHARS if query.passing < LARGE else _NEW_CHARS
        read = [row for row, length in zip(nearest, lengths, strict=True) if length <= most]
        if known is not None or len(read) > least:
            vectors = query.closer.vectors([query.analysis.text, *(contents[row] for row in read)])
            found = np.zeros((len(rows), vectors.shape[1]), np.float32) if known is None else known
            found[read] = vectors[1:]
            analysis, encoder = query.analysis, query.closer.identity.fingerprint
            # In talks people like, call and mail about anything.
            beside_english = (
                0.0 if analysis.names else _MATTERS_BESIDE_ENGLISH * (1 - _turns(candidates, rows))
            )
            matters = _MATTERS if query.closer.multilingual else beside_english
            answers = ()
            if asks_of_oneself(analysis.text):
                answers = typical_answers(analysis.text, analysis.content_terms)
            typical = query.closer.vectors(answers) if answers else None
            return ReadVectors(vectors[0], found, query.closer.scale, matters, encoder, typical)
    if query.scale.telling:
        vectors = candidates.vectors[rows] * statements[:, None]
        return ReadVectors(query.vectors[0], vectors, query.scale, _MATTERS)
    return None
