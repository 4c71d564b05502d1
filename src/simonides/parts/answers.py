"""Answers of a Memory: searches over the store and its archive file, texts for prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from simonides.compose import Parts
from simonides.domain.ids import new_id
from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.records import Injection
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.text import count_tokens
from simonides.language.sentences import read
from simonides.ports.store import Reader
from simonides.recall.archived import joined
from simonides.recall.assemble import (
    NOTHING_AROUND,
    WITHHELD,
    ContextResult,
    EntitySummary,
    PromptForm,
    Surroundings,
    assemble,
    core_profile,
    least_budget,
    token_budget,
    unfitting,
)
from simonides.recall.context_selection import in_context_order, lasting, merged, selected_hits, served
from simonides.recall.entity_summaries import summaries_of
from simonides.recall.integrity import left_out
from simonides.recall.question.asks import is_complex
from simonides.recall.question.gate import asks_of_the_world
from simonides.recall.question.speech import TELLING_OF_TURNS, states
from simonides.recall.result import Hit, Query, SearchResult
from simonides.recall.unmatched import unmatched
from simonides.recall.withheld import as_told

#: Factor by which the search is widened when most hits are already known.
_CROWDED: Final = 4
_MOST_HITS: Final = 1000
#: A question of general knowledge is answered by memory from this likelihood on, or where a hit holds so much of it.
_SURE: Final = 0.7
_SHARED: Final = 0.3
#: Items of a core profile that are looked at.
_MOST_PINNED: Final = 100


def search(parts: Parts, query: Query, *, archived: bool, statements_first: bool) -> SearchResult:
    """The hits of a question (`Memory.search`); those that served count as used."""
    result = _uncrowded(parts, query) if statements_first else parts.recall.search(query)
    # The view of a former state holds what has moved since already.
    if archived and query.as_of is None and (moved := parts.archive.search(query)) is not None:
        with parts.store.read() as reader:
            result = joined(result, moved, reader, query.k)
    now = parts.clock.now() if query.as_of is None else query.as_of
    if statements_first:
        result = replace(result, hits=tuple(in_context_order(result.hits, query.text, now, most=query.k)))
    if not result.hits and query.as_of is None:
        with parts.store.read() as reader:
            result = replace(result, hints=unmatched(reader, query.selection))
    if query.as_of is None and query.noted:
        parts.uses.used(served(result), query.session_id, now)
    return result


def meant(parts: Parts, query: Query) -> tuple[Hit, ...]:
    """Hits of words that mean an item, with the statements that a search folds into the turns that say the same."""
    result = parts.recall.search(query)
    turns = TELLING_OF_TURNS | {"episode"}
    if any(hit.item.type in turns for hit in result.hits):
        stated = replace(query.selection, types=frozenset(parts.taxonomy.specs) - turns)
        result = merged(result, parts.recall.search(replace(query, selection=stated)))
    # Words such as "my old address" also find what was replaced: nothing of that can be meant.
    return tuple(hit for hit in result.hits if hit.item.superseded_by is None)


def context_of(
    parts: Parts, query: Query, *, max_tokens: int | str | None, mode: str, ids: bool, around: Surroundings
) -> ContextResult:
    """A text for a prompt about a question (`Memory.context`)."""
    question = query.text
    whole = query.selection
    query = replace(query, selection=replace(whole, injectable=True))
    result = _uncrowded(parts, query, around)
    now = parts.clock.now() if query.as_of is None else query.as_of
    many = is_complex(read(question))
    most = token_budget(max_tokens, mode, question, is_complex=many)
    known = _known_anyway(parts, query, whole) if mode == "context" else _NOTHING_KNOWN

    def keyed(text: str) -> str:
        with parts.store.read() as reader:
            return reader.keyed_hash(text)

    form = PromptForm(now, known.portraits, is_complex=many, ids=ids, question=question, keyed=keyed)
    items_of = {hit.item.id: hit.item for hit in result.hits}
    near = selected_hits(
        [
            hit if (told_as := hit.told) is hit.item else replace(hit, item=told_as)
            for hit in map(as_told, around.untold(result.hits))
        ],
        question,
        closely=mode != "context",
        now=now,
        likely=result.confidence,
    )
    # What only asks goes into a prompt unasked beside a statement, never alone.
    sure = result.confidence >= parts.recall.inject_below and any(states(hit.item) for hit in near)
    sure = sure and not _is_of_the_world(question, result) and _serves(question, around.said_before, near)
    hits = () if (around.sure and not sure) or (around.nearest and result.abstained) else near
    text, items = assemble(hits, known.pinned, mode, most, form)
    if not text and ids:
        form = replace(form, ids=False)  # Better told without its id than not at all.
        text, items = assemble(hits, known.pinned, mode, most, form)
    least = None
    if not text and (hits or known.pinned or known.portraits):
        least = least_budget(lambda tokens: assemble(hits, known.pinned, mode, tokens, form)[0], most)
    items = tuple(items_of.get(item.id, item) for item in items)
    if not around.wanted():
        text, items = "", ()
    injection = _noted(parts, query, mode, text, items, hits) if text and query.noted else None
    hints = () if least is None else (unfitting(most, least),)
    if not text and least is None and query.as_of is None:
        with parts.store.read() as reader:
            hints = unmatched(reader, whole)
        # Recall that nobody asked for has nobody to tell.
        if not result.hits and around is NOTHING_AROUND and _finds_withheld(parts, query):
            hints = (*hints, WITHHELD)
    return ContextResult(
        text=text,
        items=items,
        tokens=count_tokens(text) if text else 0,
        mode=mode,
        injection_id=None if injection is None or not parts.uses.kept else injection.id,
        abstained=result.abstained,
        degradations=tuple(dict.fromkeys((*result.degradations, *known.degradations))),
        hints=hints,
        least_tokens=least,
    )


def _finds_withheld(parts: Parts, query: Query) -> bool:
    """True if a search finds what may not go into prompts."""
    withheld = replace(query, selection=replace(query.selection, injectable=False), noted=False)
    result = parts.recall.search(withheld)
    return bool(result.hits) and not result.abstained


def _is_of_the_world(question: str, result: SearchResult) -> bool:
    """True of a question of general knowledge, by its form, with which what was found shares next to nothing."""
    if result.confidence >= _SURE or not asks_of_the_world(question):
        return False
    return all(hit.matches.get("coverage", 0.0) < _SHARED for hit in result.hits)


def _serves(message: str, before: str, hits: Sequence[Hit]) -> bool:
    """True if hits may serve a message: of one that asks nothing, only what tells of something that it names.

    A narrative tells no more than its turns do.
    """
    # Where nothing is put into prompts, its modules stay on disk.
    from simonides.recall.question.touching import (  # noqa: PLC0415
        only_states,
        qualifies,
        speaks_of_oneself,
        touches,
    )

    if not only_states(message) or speaks_of_oneself(message) or qualifies(message, before):
        return True
    telling = (hit for hit in hits if hit.item.type not in TELLING_OF_TURNS and states(hit.item))
    return touches(message, ((hit.item.content, hit.matches.get("vec", 0.0)) for hit in telling))


def core_profile_of(parts: Parts, selection: Selection, max_tokens: int) -> ContextResult:
    """The core profile within a budget (`Memory.core_profile`)."""
    now = parts.clock.now()
    with parts.store.read() as reader:
        pinned, altered = _pinned(reader, selection)
    pinned = lasting(pinned, now)
    text, items = core_profile(pinned, max_tokens, now=now)
    least = None
    if pinned and not text:
        least = least_budget(lambda tokens: core_profile(pinned, tokens, now=now)[0], max_tokens)
    return ContextResult(
        text=text,
        items=items,
        tokens=count_tokens(text),
        mode="profile",
        degradations=altered,
        hints=() if least is None else (unfitting(max_tokens, least),),
        least_tokens=least,
    )


def _uncrowded(parts: Parts, query: Query, around: Surroundings = NOTHING_AROUND) -> SearchResult:
    """The answer, also where most of what is nearest is told already, or only asks the same.

    Of a long talk about one thing its own turns would be all that is found; of a question that was asked
    in a hundred chats, the question.
    """
    result = parts.recall.search(query)
    if len(result.hits) < query.k or not around.crowds(result.hits):
        return result
    result = parts.recall.search(replace(query, k=min(_MOST_HITS, _CROWDED * query.k + len(around.told))))
    if not around.crowds(result.hits):
        return result
    types = (query.selection.types or frozenset(parts.taxonomy.specs)) - {"episode"}
    if not types:
        return result
    stored = replace(query.selection, types=types)
    return merged(result, parts.recall.search(replace(query, selection=stored)))


class _Known(NamedTuple):
    """Parts of a prompt that do not depend on the hits.

    Attributes:
        portraits: Summaries of the entities that the question names.
        pinned: Pinned items, most important first.
        degradations: A word on those of both that were left out.
    """

    portraits: tuple[EntitySummary, ...] = ()
    pinned: Sequence[Item] = ()
    degradations: tuple[str, ...] = ()


_NOTHING_KNOWN: Final = _Known()


def _known_anyway(parts: Parts, query: Query, whole: Selection) -> _Known:
    """The core profile and summaries, whatever the hits; no summaries where certain items are asked for, or the past.

    Args:
        whole: The selection of the question, of what may be shown unasked and what may not.
    """
    selection, profile = replace(query.selection, pinned=True), query.selection.pinned is not False
    portraits, unsound, pinned, altered = (), (), [], ()
    if query.as_of is None:
        with parts.store.read() as reader:
            if not whole.narrow:
                portraits, unsound = summaries_of(reader, query.text, whole.scopes)
            if profile:
                pinned, altered = _pinned(reader, selection)
    elif profile:
        past = parts.store.as_of(query.as_of, selection.scopes)
        try:
            with past.read() as reader:
                pinned, altered = _pinned(reader, selection)
        finally:
            past.close()
    return _Known(portraits, lasting(pinned, query.selection.live_at), (*unsound, *altered))


def _pinned(reader: Reader, selection: Selection) -> tuple[list[Item], tuple[str, ...]]:
    """The core profile: pinned items, most important first, and a word on those of them that were left out."""
    items, altered = reader.intact(reader.keys(selection, ItemOrder.PINNED, limit=_MOST_PINNED))
    return list(items.values()), left_out(altered)


def _noted(
    parts: Parts, query: Query, mode: str, text: str, items: Sequence[Item], hits: Sequence[Hit]
) -> Injection:
    """The record of an injection, for `Memory.why`."""
    now = parts.clock.now()
    by_id = {hit.item.id: hit for hit in hits}
    scores = {item.id: round(by_id[item.id].score, 6) if item.id in by_id else 0.0 for item in items}
    injection = Injection(
        id=new_id(now),
        at=now,
        scope=_without_secrets(str(query.selection.scopes[0])) if query.selection.scopes else "ALL",
        mode=mode,
        query=_without_secrets(query.text),
        items=tuple(scores.items()),
        tokens=count_tokens(text),
        session_id=query.session_id,
        signals={id_: signals for id_ in scores if id_ in by_id and (signals := _spoke_for(by_id[id_]))},
    )
    parts.uses.injected(injection)
    return injection


def _spoke_for(hit: Hit) -> Mapping[str, float]:
    """Signals of a hit that say anything, to three decimals: what `why` keeps of them."""
    return {name: rounded for name, value in hit.signals.items() if (rounded := round(value, 3))}


@kept(1024)
def _without_secrets(text: str) -> str:
    from simonides.governance.scan import redact, scan  # noqa: PLC0415 - where a context is noted

    return redact(text, scan(text))
