"""The rows that a text query looks at: on a large store scoring every row that a common word hits is too much.

A row is scored for about 3 µs, and walked past for 0.05 µs. So rows are chosen by what tells them apart:
they hold one of the rarest terms, or two of the others together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from simonides.values import dataclass

#: Stores of so many rows, and queries whose terms have so many postings together, are scored whole.
SMALL_STORE: Final = 5_000
_SMALL_QUERY: Final = 5_000
#: Rows that the rarest terms may have together, each of which chooses a row by itself.
_ALONE: Final = 400
#: Rows that are expected to hold two of the other terms.
_PAIRED: Final = 600
#: Postings that looking for such pairs may walk past.
_WALKED: Final = 100_000
#: Most rows that are scored; of more, the newest.
MOST_SCORED: Final = 1_000


_AS_WRITTEN: Final[Mapping[str, Sequence[str]]] = {}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A query as FTS5 reads it.

    Attributes:
        expression: For MATCH.
        terms: Those that take part, in the order of the query.
        most: Rows that are scored, the newest first; None for all.
        repeated: For MATCH, the terms that occur twice in the expression, which BM25 counts twice; None for none.
    """

    expression: str
    terms: tuple[str, ...]
    most: int | None = None
    repeated: str | None = None


#: What is looked for beside a term as it is written.
Forms = Mapping[str, Sequence[str]]


def whole(
    terms: Sequence[str], *, every: bool = False, prefixes: bool = False, forms: Forms = _AS_WRITTEN
) -> Chosen:
    """All terms: any of them chooses a row, or only all together."""
    expressions = (_term_expression(term, forms, prefixes=prefixes) for term in terms)
    return Chosen((" AND " if every else " OR ").join(expressions), tuple(terms))


def affordable(
    terms: Sequence[str], counts: Mapping[str, int], rows: int, forms: Forms = _AS_WRITTEN
) -> Chosen:
    """The terms that tell rows apart, such that few rows have to be scored.

    Args:
        terms: Each once; at least one.
        counts: How many rows hold each.
        rows: How many there are.
    """
    # A word that no row holds costs nothing and finds nothing: it must not stand for the one that does.
    held = sorted((term for term in terms if counts[term]), key=lambda term: (counts[term], term))
    if sum(counts[term] for term in held) <= _SMALL_QUERY:
        return whole(terms, forms=forms)
    alone: list[str] = []
    spent = 0
    while held and spent + counts[held[0]] <= _ALONE:
        spent += counts[held[0]]
        alone.append(held.pop(0))
    odd, even = _paired(held, counts, rows)
    if not even:
        alone, odd = alone or held[:1], []
    taken = {*alone, *odd, *even}
    found = tuple(term for term in terms if term in taken)
    if not even:
        return Chosen(_any(alone, forms), found, MOST_SCORED)
    # Not `alone OR odd AND even`: FTS5 would count no odd or even term of a row that holds one of them alone.
    both = f"({_any([*alone, *odd], forms)}) AND ({_any([*alone, *even], forms)})"
    return Chosen(both, found, MOST_SCORED, _any(alone, forms) or None)


def _paired(terms: Sequence[str], counts: Mapping[str, int], rows: int) -> tuple[list[str], list[str]]:
    """Two groups of terms, by turns from the rarest on: a row is looked at that holds one of each.

    So the expression stays short and names each term once. A row that holds more of the terms than the larger
    group has is never missed. How many rows hold two terms is estimated as if they occurred independently.
    """
    groups: tuple[list[str], list[str]] = ([], [])
    held = [0, 0]
    for number, term in enumerate(terms):
        grown = list(held)
        grown[number % 2] += counts[term]
        both = all(groups)
        if both and (grown[0] * grown[1] / rows > _PAIRED or sum(grown) > _WALKED):
            break
        groups[number % 2].append(term)
        held = grown
    return groups


def _any(terms: Sequence[str], forms: Forms) -> str:
    return " OR ".join(_term_expression(term, forms) for term in terms)


def _term_expression(term: str, forms: Forms, *, prefixes: bool = False) -> str:
    written = _quoted(term, prefixes=prefixes)
    if not (each := forms.get(term)):
        return written
    return "(" + " OR ".join([written, *map(_all_of, each)]) + ")"


def _all_of(form: str) -> str:
    """A form of one word, or of several that have to be there together."""
    words = [_quoted(word) for word in form.split(" ")]
    return words[0] if len(words) == 1 else "(" + " AND ".join(words) + ")"


def _quoted(term: str, *, prefixes: bool = False) -> str:
    return '"' + term.replace('"', '""') + '"' + ("*" if prefixes else "")
