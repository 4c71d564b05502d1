"""Statements as a language model finds them in turns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from simonides.domain.instant import iso
from simonides.domain.item import Item
from simonides.domain.provenance import Origin
from simonides.domain.taxonomy import TAXONOMY
from simonides.governance.about_user import tells_of_the_user
from simonides.governance.bearing import bears_out
from simonides.governance.known import of_the_user, words_of
from simonides.governance.scan import MARK_OF_SECRET
from simonides.governance.speakers import by_the_user, sender
from simonides.governance.standing import standing
from simonides.language.sentences import sentences
from simonides.language.spoken import LEFT_OUT, hands_on
from simonides.language.taken_back.turns import named_as_gone
from simonides.language.taken_back.within import said_in
from simonides.ports.model import LanguageModel
from simonides.tasks.extract import Fact, Utterance, extract_facts
from simonides.values import dataclass
from simonides.writing.buffer import batches
from simonides.writing.extract.statement import Statement

#: Letters that two words have in common that may be forms of one: "diabetes", "diabetic".
_BEGINNING: Final = 4
_SPOKEN: frozenset[Origin] = frozenset({Origin.USER_SAID, Origin.USER_CONFIRMED, Origin.ASSISTANT_SAID})


@dataclass(frozen=True, slots=True)
class Findings:
    """Facts found in turns.

    Attributes:
        dropped: Why other things that a model answered were dropped.
    """

    statements: tuple[Statement, ...]
    dropped: tuple[str, ...] = ()


def shown(turns: Sequence[Item]) -> list[tuple[Item, str]]:
    """The turns that a model is shown: what people say in their own words, and what assistants say.

    Neither memories that were put in nor what people quote, forward or paste: it would pass for their word. What
    carries orders is not shown: no model is told what no prompt may hold.
    """
    spoken = (turn for turn in turns if turn.origin in _SPOKEN and turn.injectable)
    return [(turn, text) for turn in spoken if (text := said_in(turn).strip())]


def speaker(turn: Item) -> str:
    """Sender of a turn: the name, else the role."""
    return sender(turn) or turn.provenance.source_role or "user"


def pieces_of(turns: Sequence[tuple[Item, str]], pieces: Sequence[tuple[int, str]]) -> list[Utterance]:
    """Pieces of turns as a prompt shows them; numbers are places among the turns, from 1."""
    return [
        Utterance(place + 1, speaker(turn), iso(turn.happened_at), text)
        for place, text in pieces
        for turn in (turns[place][0],)
    ]


def found_by(model: LanguageModel, turns: Sequence[Item], max_tokens: int) -> Findings:
    """Have a model find facts in turns, batch by batch.

    What rests on an assistant's word alone is left out, whatever the model says: nobody took it up. So is what
    a turn that hands on words of others does not say in its speaker's own: the assistant may have repeated them.

    Args:
        max_tokens: Most of a batch.

    Raises:
        ProviderError: It did not answer, or not usefully; what it said of other batches is lost with it.
    """
    chosen = shown(turns)
    undone = {turn.id for turn in turns} - {turn.id for turn in standing([*reversed(turns)])}
    own = {turn.id for turn in by_the_user(turns)}
    statements: list[Statement] = []
    dropped: list[str] = []
    for batch in batches([text for _, text in chosen], max_tokens):
        facts = extract_facts(model, pieces_of(chosen, batch))
        dropped += facts.dropped
        for fact in facts.kept:
            sources = [chosen[turn - 1][0] for turn in fact.turns]
            if all(turn.origin is Origin.ASSISTANT_SAID for turn in sources):
                dropped.append("only the assistant says it")
            elif any(turn.id in undone for turn in sources):
                dropped.append("the speaker took it back in the next turn")
            elif _has_it_forgotten(fact, sources):
                dropped.append("the speaker has it forgotten")
            elif _passes_for_the_users(fact, sources, own):
                dropped.append("somebody else than the user says it of themselves")
            elif LEFT_OUT in fact.content or _of_others(fact, sources):
                dropped.append("the speaker's own words do not bear it out")
            else:
                statements.append(_statement(fact, sources, model.name))
    return Findings(tuple(statements), tuple(dropped))


def _passes_for_the_users(fact: Fact, sources: Sequence[Item], own: AbstractSet[str]) -> bool:
    """True if a fact is told of "the user" that only others than the user say, who are called by their names."""
    owned = "user" in dict(sources[0].scope.parts)
    return own.isdisjoint(turn.id for turn in sources) and tells_of_the_user(
        of_the_user(fact.content, sources[0].scope), owned=owned
    )


def _has_it_forgotten(fact: Fact, sources: Sequence[Item]) -> bool:
    """True if people name a fact only as what is to be forgotten: "Please forget that I live in Graz." states none."""
    people = [turn for turn in sources if turn.origin is not Origin.ASSISTANT_SAID]
    pieces = [turn.content[start:end] for turn in people for start, end, _ in sentences(turn.content)]
    orders = {
        piece: min(map(words_of, named), key=len) for piece in pieces if (named := named_as_gone(piece))
    }
    if not orders:
        return False
    words = set(words_of(_of_the_user(fact.content, people[0])))
    gone = {word for named in orders.values() for word in named}
    rest = {word for piece in pieces if piece not in orders for word in words_of(piece)}
    beside = {word for piece in orders for word in words_of(piece)} - gone
    return words.isdisjoint(rest | beside) and (not words.isdisjoint(gone) or not rest)


def _of_others(fact: Fact, sources: Sequence[Item]) -> bool:
    """True if a fact may come from words that a person only handed on: their own words do not bear it out."""
    people = [turn for turn in sources if turn.origin is not Origin.ASSISTANT_SAID]
    # A mark of ours stands for a secret of theirs, and quotes nobody.
    if not any(hands_on(MARK_OF_SECRET.sub("", turn.content)) for turn in people):
        return False
    return not any(bears_out(turn.content, _of_the_user(fact.content, turn)) for turn in people)


def _of_the_user(content: str, turn: Item) -> str:
    """Statement about a speaker, worded as of somebody without a name."""
    name = sender(turn)
    return re.sub(rf"\b{re.escape(name)}\b", "the user", content) if name else content


def _is_invented(fact: Fact, sources: Sequence[Item]) -> bool:
    """True if no word of a fact, nor one that begins alike, stands in the turns that it names."""
    words = {word for turn in sources for word in words_of(_of_the_user(fact.content, turn))}
    known = {word[:_BEGINNING] for turn in sources for word in words_of(turn.content)}
    return bool(words) and known.isdisjoint(word[:_BEGINNING] for word in words)


def _statement(fact: Fact, sources: Sequence[Item], name: str) -> Statement:
    names = dict.fromkeys(name_ for turn in sources if (name_ := sender(turn)))
    return Statement(
        content=fact.content,
        type=fact.type,
        entities=tuple(names),
        confidence=fact.confidence,
        importance=TAXONOMY[fact.type].importance,
        why_store=fact.why or f"found by {name}",
        source_ids=tuple(turn.id for turn in sources),
        invented=_is_invented(fact, sources),
        event_at=sources[-1].event_at,
    )
