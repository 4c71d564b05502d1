"""Ownership of memories: what a model may do by itself, and what takes a person's word. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from simonides.domain.actor import is_model, is_person
from simonides.domain.item import Item, Status, Validation
from simonides.domain.provenance import FROM_USER, TRUSTS, Origin, Trust, trust_of_actor
from simonides.domain.record import PUT
from simonides.domain.records import AuditEvent
from simonides.governance.forgetting import asks_to_forget
from simonides.governance.known import KnownMemories, borne_out
from simonides.governance.requests import Request, RequestedAct
from simonides.governance.speakers import may_speak_of
from simonides.language.revision import revises, said_as_correction
from simonides.language.spoken import own_words, sentences
from simonides.language.tokens import tokens
from simonides.language.words import ADDING

#: Fields that a model may set of what it wrote itself. Pins, tiers, confidence and prompts are for people.
MODELS_FIELDS: Final = frozenset(
    {
        "content", "title", "type", "tags", "entities", "importance",
        "event_at", "valid_from", "valid_until", "expires_at", "metadata",
    }
)  # fmt: skip
_FULL_STOPS: Final = ".。!！"
#: How far a model can lift what it wrote.
MOST_REINFORCED: Final = 9.0
#: Types that a model never made by itself.
_RAW: Final = frozenset({"episode", "chunk", "narrative", "record"})
#: What belongs to whoever says a thing, not to the thing.
_BESIDE_THE_WORDS: Final = (
    "origin", "trust", "provenance", "injectable", "type", "title", "tags", "entities", "importance", "decay_rate",
    "event_at", "valid_from", "valid_until", "metadata",
)  # fmt: skip
#: What a person may do to an item without making it his own.
_PASSING: Final = frozenset({"reinforce", "demote", "link", "assign"})
_MADE: Final = frozenset({"create", "correct"})


def is_models_own(item: Item, events: Iterable[AuditEvent], actor: str) -> bool:
    """True if a model may change an item by itself: a model wrote it, and no person has made it theirs.

    Args:
        events: All that the audit log has about the item.
        actor: Who would change it; one of low trust changes only what such a one wrote.
    """
    if item.type in _RAW or not _stands_as_a_models(item, actor):
        return False
    made = False
    for event in events:
        if is_person(event.actor) and event.action not in _PASSING:
            return False
        made = made or (event.action in _MADE and is_model(event.actor))
    return made


def is_models_record(item: Item, events: Iterable[AuditEvent], actor: str) -> bool:
    """True if a model may put another value in a record's place, or delete it: a model put what stands there.

    Args:
        events: All that the audit log has about the item, newest first; a person's since the last put make it theirs.
        actor: Who would change it; one of low trust changes only what such a one put.
    """
    since = takewhile(lambda event: event.action != PUT, events)
    return _stands_as_a_models(item, actor) and not any(
        is_person(event.actor) and event.action not in _PASSING for event in since
    )


def _stands_as_a_models(item: Item, actor: str) -> bool:
    """True if nothing in an item itself says that it is more than a model's."""
    return (
        item.origin is Origin.ASSISTANT_SAID
        and item.status is Status.ACTIVE
        and not item.pinned
        and item.validation is not Validation.VERIFIED
        and not (trust_of_actor(actor) is Trust.LOW and item.trust is not Trust.LOW)
    )


def as_users_word(known: Item, stated: Item) -> Item:
    """An item that is there, after a person said the same in person: from then on it is theirs.

    What the user says is not kept as a model's or a web page's word only because that one came first, and nothing
    that the other put around the words becomes the user's: a title, tags, names, times, metadata.
    """
    if stated.origin not in FROM_USER or known.origin in FROM_USER:
        return known
    words = {name: getattr(stated, name) for name in _BESIDE_THE_WORDS}
    return replace(known, **words, confidence=max(known.confidence, stated.confidence))


def weaker(one: Trust, other: Trust | None) -> Trust:
    """The lower trust of two; None says nothing."""
    return one if other is None else min(one, other, key=TRUSTS.index)


def holds_back(item: Item, *, in_person: bool) -> bool:
    """True if an item that is pinned or verified may hold back what contradicts it.

    A pin by upkeep does not, nor does what only a model wrote hold back what the user says in person.
    """
    by_somebody = item.origin in FROM_USER or item.validation is Validation.VERIFIED
    return item.settled and (by_somebody or not in_person)


def warranted(request: Request, item: Item, heard: Sequence[Item]) -> bool:
    """True if the user's own words ask for what a model asks for.

    What is pinned or verified always takes a decision.

    Args:
        heard: Turns of the user, and of whoever stated the item; only later ones than it count.
    """
    if item.settled:
        return False
    named = {item.id, item.provenance.source_id}
    later = [
        turn
        for turn in heard
        if turn.created_at >= item.created_at and turn.id not in named and may_speak_of(turn, item)
    ]
    match request.act:
        case RequestedAct.CORRECT:
            content = str(request.changes.get("content"))
            corrects = any(said_as_correction(own_words(turn.content), content) for turn in later)
            plainly = tuple(turn for turn in later if not _says_more(turn, content))
            return (
                set(request.changes) == {"content"}
                and revises(item.content, content, as_correction=corrects)
                and borne_out(content, KnownMemories(heard=plainly))
            )
        case RequestedAct.FORGET:
            return any(
                asks_to_forget(turn.content, item.content) for turn in later if turn.origin in FROM_USER
            )
        case _:
            return False


def _says_more(turn: Item, content: str) -> bool:
    """True if a turn adds to something ("… too"), or says the same with yet another value."""
    words = own_words(turn.content)
    bare = content.rstrip(_FULL_STOPS)
    return any(token.fold in ADDING for token in tokens(words)) or any(
        sentence != bare and revises(bare, sentence, as_correction=True) for sentence, _ in sentences(words)
    )
