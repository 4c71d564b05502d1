"""The profile `strict`: what holds every word that was asked for; where nothing does, step by step less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.taxonomy import Taxonomy
from simonides.language.search_tokens import search_tokens
from simonides.language.terms import terms
from simonides.ports.store import Reader, TextQuery
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking.match import lexical
from simonides.recall.ranking.profiles.text_search import ProfileSearch
from simonides.recall.result import Query
from simonides.values import dataclass

#: Share of a score that is the words held; BM25, the rest, decides where two hold equally much.
_HELD: Final = 0.99

#: A text query, and how `strategy` names it.
_Rung = tuple[TextQuery, str]


@dataclass(frozen=True, slots=True)
class Strict:
    """score = .99 · coverage + .01 · text: by how much of the question's words a text holds, then by BM25."""

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:  # noqa: ARG002 - types do not count here
        """Scores in [0, 1]; what the text channel did not see is dropped."""
        held = _HELD * candidates.coverage
        text = (1 - _HELD) * lexical(candidates.bm25, candidates.coverage)
        found = candidates.scored({"coverage": held, "text": text}, candidates.coverage)
        return found.having(dropped=candidates.bm25 <= 0)


def search_by_steps(reader: Reader, query: Query, question: str, most: int) -> ProfileSearch:
    """Look for all words together; where nothing is found, for fewer, for beginnings of words, and at last for any.

    One after the other the commonest word is left out.
    """
    words = terms(question)
    for wanted, step in _rungs(words, _rarity(reader, words)):
        found = reader.search_text(wanted, query.selection, most)
        if len(found.keys):
            return ProfileSearch(query, found, step, only=True)
    found = reader.search_text(TextQuery(words), query.selection, most)
    return ProfileSearch(query, found, "any word", only=True)


def _rungs(words: Sequence[str], held_by: dict[str, int]) -> Iterator[_Rung]:
    known = [word for word in words if word in held_by]
    # While a word that nothing holds takes part nothing is found, and being the rarest it would go last.
    if known and all(held_by.values()):
        yield TextQuery(tuple(known), every=True), "every word"
        commonest = sorted(known, key=lambda word: -held_by[word])
        for dropped in range(1, len(known)):
            left = frozenset(commonest[dropped:])
            query = TextQuery(tuple(word for word in known if word in left), every=True)
            yield query, f"{len(left)} of {len(known)} words"
    if known:
        yield TextQuery(tuple(known), every=True, prefixes=True), "beginnings of words"


def _rarity(reader: Reader, words: Sequence[str]) -> dict[str, int]:
    """The number of items that hold each word; without what the text index knows no word in."""
    cut = dict(zip(words, search_tokens(words), strict=True))
    counts = reader.document_counts(sorted({token for tokens in cut.values() for token in tokens}))
    return {word: min(counts[token] for token in tokens) for word, tokens in cut.items() if tokens}
