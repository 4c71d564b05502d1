"""The calls of a search, made of what a store reads otherwise: for every store that is near."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from simonides.domain.entity import Entity, fold
from simonides.domain.item import Status
from simonides.domain.link import Relation
from simonides.domain.records import Session
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection, happening
from simonides.language.search_tokens import search_tokens
from simonides.language.terms import terms
from simonides.language.variants import MOST, variants
from simonides.ports.buffer import SessionSelection
from simonides.ports.entities import Edge
from simonides.ports.recalling import (
    Looked,
    Neared,
    Nearing,
    Opened,
    Opening,
    VectorComparer,
    ViewState,
    interleaved,
)
from simonides.ports.store import Sketch, TextMatches, TextQuery

#: Former wordings that are looked through for those of which the item today passes.
_MOST_FORMER: Final = 20_000


class Readings(Protocol):
    """Readings that the calls are made of."""

    def search_text(self, query: TextQuery, selection: Selection, limit: int) -> TextMatches: ...
    def sketches(self, keys: Sequence[int]) -> list[Sketch]: ...
    def document_counts(self, tokens: Sequence[str]) -> dict[str, int]: ...
    def tokens_beginning(self, beginnings: Sequence[str], most: int) -> list[tuple[str, int]]: ...
    def entities_named(self, folded: Sequence[str], scopes: Any) -> list[tuple[str, int, Entity]]: ...
    def keys(
        self, selection: Selection, order: ItemOrder = ..., *, limit: int, after: int | None = None
    ) -> list[int]: ...
    def sessions(
        self, selection: SessionSelection, limit: int, *, longest_silent: bool = False
    ) -> list[Session]: ...
    def scope_keys(self, selection: Selection) -> Sequence[int] | None: ...
    def successors(self, keys: Sequence[int]) -> dict[int, int]: ...
    def matching(self, keys: Sequence[int], selection: Selection) -> set[int]: ...
    def surroundings(
        self,
        seeds: Sequence[int],
        relations: frozenset[Relation],
        around: Sequence[int],
        reach: int,
        selection: Selection,
    ) -> tuple[list[Edge], frozenset[int], list[int]]: ...
    def mentioned_by(self, keys: Sequence[int]) -> list[tuple[int, int]]: ...


class ComposedRecall:
    """Meets `ports.recalling.RecallReader`, but for `state`."""

    @property
    def comparer(self) -> VectorComparer | None:
        return None

    def expect_opening(self, opening: Callable[[ViewState], Opening]) -> None:
        """Nothing: what is near is asked when it is wanted."""

    def open(self: Readings, asked: Opening) -> Opened:
        selection = asked.selection
        known = variants(*asked.words, ReaderVocabulary(self, selection.scopes))
        names = respelt(asked.names, known)
        named = self.entities_named(names, selection.scopes) if names else []
        tokens = asked.words.tokens
        known = with_aliases(known, tokens, named)
        asked = replace(asked, text=replace(asked.text, variants=known))
        text = asked.given or _matches(self, asked)
        rare = sorted({key for _, key, entity in named if entity.mention_count <= asked.too_common})
        mentioning: Sequence[int] = ()
        if rare:
            mentioning = self.keys(replace(selection, mentioned=tuple(rare)), limit=asked.narrow)
        within: list[int] = []
        if asked.window is not None:
            happened = happening(selection, *asked.window)
            within = self.keys(happened, ItemOrder.LATEST, limit=asked.narrow)
        last = _last_session(self, asked) if asked.last_session else None
        session: tuple[int, str] | None = None
        if last is not None:
            of_it = replace(selection, session_id=last.session_id)
            within = sorted({*within, *self.keys(of_it, limit=asked.narrow)})
            (place,) = self.scope_keys(Selection(scopes=(last.scope,), live_at=None)) or (0,)
            session = place, last.session_id
        return Opened(
            scopes=self.scope_keys(selection),
            text=text,
            sketches={sketch.key: sketch for sketch in self.sketches(text.keys.tolist())},
            counts=counted(tokens, known, self.document_counts(tokens_with_variants(tokens, known))),
            variants=known,
            entities=named,
            mentioning=mentioning,
            former=former(self, asked) if asked.former else {},
            changing=changing(self, asked) if asked.changing else (),
            within=within,
            session=session,
            pinned=self.keys(selection, ItemOrder.PINNED, limit=asked.pinned) if asked.pinned else (),
        )

    def near(self: Readings, asked: Nearing) -> Neared:
        near = [keys[: asked.wanted] for keys in asked.near]
        if asked.selection.narrow:
            listed: list[list[int]] = [keys.tolist() for keys in asked.near]
            every = sorted(set[int]().union(*listed))
            passing = self.matching(every, asked.selection) if every else set[int]()
            found = [[key for key in keys if key in passing] for keys in listed]
            short = frozenset(
                number
                for number, (keys, some, limit) in enumerate(zip(asked.near, found, asked.asked, strict=True))
                if len(some) < asked.wanted and limit and len(keys) >= limit
            )
            near = [np.array(some[: asked.wanted], np.int64) for some in found]
            if short:
                return Neared(near=near, short=short)
        nearest: list[int] = interleaved(near).tolist()
        best = [*asked.text[: asked.surrounded], *nearest[: asked.surrounded]]
        half = asked.seeds // 2
        return _surrounded(self, asked, near, {*asked.text[:half], *nearest[:half]}, best)

    def look(self: Readings, keys: Sequence[int], mentioning: Sequence[int] = ()) -> Looked:
        sketches = {sketch.key: sketch for sketch in self.sketches(keys)}
        return Looked(sketches, self.mentioned_by(mentioning))


class ReaderVocabulary:
    """Meets `language.variants.Vocabulary` for what may be seen from some scopes."""

    def __init__(self, reader: Readings, scopes: tuple[Scope, ...] | None) -> None:
        self._reader = reader
        self._scopes = scopes

    def beginning(self, beginnings: Sequence[str], most: int) -> Sequence[tuple[str, int]]:
        return self._reader.tokens_beginning(beginnings, most)

    def counts(self, tokens: Sequence[str]) -> Mapping[str, int]:
        return self._reader.document_counts(tokens)

    def named(self, words: Sequence[str]) -> frozenset[str]:
        return frozenset(name for name, _, _ in self._reader.entities_named(words, self._scopes))


def tokens_with_variants(tokens: Sequence[str], known: Mapping[str, Sequence[str]]) -> list[str]:
    """Every token of which `counted` takes the number of items that hold it."""
    return sorted({*tokens, *(word for some in known.values() for one in some for word in one.split())})


def counted(
    tokens: Sequence[str], known: Mapping[str, Sequence[str]], counts: Mapping[str, int]
) -> dict[str, int]:
    """Number of items that hold each token or a variant of it; one that holds several counts with each."""
    return {
        token: counts[token] + sum(min(counts[word] for word in one.split()) for one in known.get(token, ()))
        for token in tokens
    }


def respelt(names: Sequence[str], known: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Names of one word with what may be meant by them."""
    if not known:
        return names
    cut = search_tokens(names)
    more = [other for tokens in cut if len(tokens) == 1 for other in known.get(tokens[0], ())]
    return list(dict.fromkeys([*names, *more]))


def with_aliases(
    known: Mapping[str, Sequence[str]], tokens: Sequence[str], named: Sequence[tuple[str, int, Entity]]
) -> dict[str, Sequence[str]]:
    """The variants with the other names of entities, each for every word of the one that the question has."""
    found = dict(known)
    for name, _, entity in named:
        others = [
            " ".join(cut) for other in entity.names if fold(other) != name and (cut := _words_of(other))
        ]
        for token in {*_words_of(name)}.intersection(tokens) if others else ():
            found[token] = tuple(dict.fromkeys([*found.get(token, ()), *others]))[:MOST]
    return found


def _words_of(name: str) -> list[str]:
    return [token for cut in search_tokens(terms(name)) for token in cut]


def _surrounded(
    reader: Readings, asked: Nearing, near: Sequence[NDArray[np.int64]], seeds: set[int], best: Sequence[int]
) -> Neared:
    """Turns around the best, and links from and to the seeds, as many in a row as are followed."""
    edges: dict[Edge, None] = {}
    passing: set[int] = set()
    around: list[int] = []
    known, last = set(seeds), seeds
    for hop in range(asked.depth):
        turns = () if hop else best
        if not last and not turns:
            break
        found, reached, beside = reader.surroundings(
            sorted(last), asked.relations, turns, asked.reach, asked.selection
        )
        edges |= dict.fromkeys(found)
        around += beside
        passing |= reached
        last = reached - known
        known |= reached
    return Neared(near=near, around=around, edges=list(edges), passing=frozenset(passing))


def _matches(reader: Readings, asked: Opening) -> TextMatches:
    """Matches of the text channel; where it gives no fewer than asked, long texts too, whose words count for little.

    In a text of a book's length any word stands thinly, however near to each other those of the question stand.
    """
    found = reader.search_text(asked.text, asked.selection, asked.width)
    if len(found.keys) < asked.width or found.degraded is not None:
        return found
    long = reader.search_text(replace(asked.text, above_bytes=asked.long_bytes), asked.selection, asked.long)
    if not len(long.keys):
        return found
    new = ~np.isin(long.keys, found.keys)
    return replace(
        found,
        keys=np.concatenate([found.keys, long.keys[new]]),
        scores=np.concatenate([found.scores, long.scores[new]]),
    )


def _last_session(reader: Readings, asked: Opening) -> Session | None:
    """The session that was heard of last, but for the one that asks."""
    found = reader.sessions(SessionSelection(scopes=asked.selection.scopes), 2 if asked.asking is None else 3)
    return next((one for one in found if one.session_id != asked.asking), None)


def changing(reader: Readings, asked: Opening) -> Sequence[int]:
    """Items that may tell of a change of what is asked about."""
    found: list[int] = reader.search_text(
        TextQuery(tuple(asked.changing)), asked.selection, asked.narrow
    ).keys.tolist()
    return found


def former(reader: Readings, asked: Opening) -> Mapping[int, float]:
    """Items whose former wording, replaced since, matches the question, with how well it does."""
    old = Selection(
        scopes=asked.selection.scopes, statuses=frozenset({Status.ARCHIVED}), live_at=None, replaced=True
    )
    limit = asked.narrow
    while True:
        matches = reader.search_text(asked.text, old, limit)
        heirs = reader.successors(matches.keys.tolist())
        found: dict[int, float] = {}
        for key, score in zip(matches.keys.tolist(), matches.scores.tolist(), strict=True):
            if (heir := heirs.get(key)) is not None:
                found[heir] = max(found.get(heir, 0.0), score)
        passing = reader.matching(sorted(found), asked.selection) if found else set[int]()
        # What does not pass must not crowd out what does: it is the heir that the selection is about.
        exhausted = len(matches.keys) < limit or limit >= _MOST_FORMER
        if exhausted or len(passing) == len(found) or len(passing) >= asked.narrow:
            best = sorted(passing, key=lambda key: (-found[key], key))[: asked.narrow]
            return {key: found[key] for key in sorted(best)}
        limit *= 4
