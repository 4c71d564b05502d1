"""The profile `classic`: words, importance and forgetting; no vectors, no model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from simonides.domain.instant import DAY_US
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import cjk_runs
from simonides.language.terms import STOP_WORDS, terms
from simonides.ports.store import Reader, TextQuery
from simonides.recall.bounds import require
from simonides.recall.candidates import CandidateTable, Floats
from simonides.recall.ranking.match import lexical
from simonides.recall.ranking.profiles.text_search import ProfileSearch
from simonides.recall.result import Query
from simonides.values import dataclass

_SEPARATORS = re.compile(r"[\W_]+")
#: Of a longer message only so much is read.
_MAX_CHARS: Final = 20_000
_MIN_LETTERS: Final = 3
_MIN_RUN: Final = 2


@dataclass(frozen=True, slots=True)
class Classic:
    """score = text · importance · retention(type, d), d days since the last use, else since creation.

    What a candidate starts from is its text match *and* its importance, as a product: without a word
    of the question nothing is found, however important, and of two equal matches the more important
    one comes first. A base chosen by importance alone would answer every question with the same items.

    Attributes:
        most: Best candidates that are kept, the rest is dropped; >= 1.
        words: Keywords of a question that are looked for, >= 1.
    """

    most: int = 5
    words: int = 8

    def __post_init__(self) -> None:
        require("recall.profiles.classic", self, "most", "words", least=1)

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:
        """Scores in [0, 1]; relevance is what a text holds of the question, since vectors do not count."""
        text = lexical(candidates.bm25, candidates.coverage)
        factor = np.array([sketch.importance for sketch in candidates.sketches]) * _retention(
            candidates, taxonomy
        )
        found = candidates.scored({"text": text}, candidates.coverage, factor)
        dropped = np.ones(len(candidates), np.bool_)
        dropped[candidates.order(found.score)[: self.most]] = False
        return found.having(dropped=dropped | (found.score <= 0))


def _retention(candidates: CandidateTable, taxonomy: Taxonomy) -> Floats:
    """Share of its weight that each candidate keeps, in [0, 1]."""
    since = np.array(
        [
            sketch.created_at if sketch.last_used_at is None else sketch.last_used_at
            for sketch in candidates.sketches
        ],
        np.float64,
    )
    days = np.maximum(0.0, (candidates.query.now - since) / DAY_US)
    curves = [taxonomy[sketch.type].retention for sketch in candidates.sketches]
    floor = np.array([curve.floor for curve in curves])
    rate = np.array([curve.rate for curve in curves])
    power = np.array([curve.power for curve in curves])
    return floor + (1 - floor) * np.exp(-rate * days**power)


def search_keywords(words: int, reader: Reader, query: Query, question: str, most: int) -> ProfileSearch:
    """Look for the keywords of a question, in the projects that it names.

    Args:
        words: Keywords that are looked for. A question that has none is asked with what words it has.
    """
    wanted = terms(" ".join(keywords(question, words))) or terms(question)
    scopes = query.selection.scopes
    narrowed = _narrowed(question, reader.scopes() if scopes is None else scopes)
    if narrowed is not None:
        query = replace(query, selection=replace(query.selection, scopes=narrowed))
    return ProfileSearch(query, reader.search_text(TextQuery(wanted), query.selection, most))


def _narrowed(question: str, scopes: Sequence[Scope]) -> tuple[Scope, ...] | None:
    """Those of the scopes that are of a project that the question names, and `global`; None where it names none."""
    projects = {scope: dict(scope.parts).get("project") for scope in scopes}
    named = projects_named(question, filter(None, projects.values()))
    if not named:
        return None
    return tuple(scope for scope in scopes if projects[scope] in named or scope == GLOBAL)


def keywords(question: str, most: int = 8) -> tuple[str, ...]:
    """Keywords that `classic` looks for: words of three or more letters, then runs of two or more CJK characters.

    Without URLs and stop words, none twice (compared without case), at most `most`: the longest, ties
    by their place. A run has no words that could be seen, so that a search cuts it into pairs (`terms`).
    """
    cut = question[:_MAX_CHARS]
    words = [term for term in terms(cut) if len(term) >= _MIN_LETTERS and not cjk_runs(term)]
    found = [*words, *dict.fromkeys(run for run in cjk_runs(cut) if len(run) >= _MIN_RUN)]
    longest = sorted(range(len(found)), key=lambda n: (-len(found[n]), n))[:most]
    return tuple(found[n] for n in sorted(longest))


def projects_named(question: str, known_project_names: Iterable[str]) -> frozenset[str]:
    """The known projects that a message names: reading may be narrowed to these and `global`.

    A name counts as whole words, without case, whatever stands between its words: "Marrow Hill" names
    `marrow-hill`, "call" does not name `all`. A name in CJK counts wherever it occurs, since nothing
    separates words there. One made of stop words alone would be named by almost every message and
    counts nowhere.

    Returns:
        Names as they were given.
    """
    plain = _plain(question[:_MAX_CHARS])
    return frozenset(name for name in known_project_names if _names(plain, _plain(name)))


def _plain(text: str) -> str:
    """Words joined by single spaces, with one at each end."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return f" {_SEPARATORS.sub(' ', folded).strip()} "


def _names(question: str, name: str) -> bool:
    words = name.split()
    if not words or all(word in STOP_WORDS for word in words):
        return False
    return name.strip() in question if cjk_runs(name) else name in question
