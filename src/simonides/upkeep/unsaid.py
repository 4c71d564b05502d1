"""What was kept of turns that their speaker takes back later: it is held back until somebody decides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from simonides.domain.item import Item, Status
from simonides.domain.link import Relation
from simonides.domain.provenance import FROM_USER
from simonides.domain.selection import LONGER, ItemOrder, Selection
from simonides.domain.taxonomy import Kind, Taxonomy
from simonides.governance.bearing import bears_out
from simonides.governance.known import of_the_user, tellers, words_of
from simonides.governance.speakers import speaker, without_sender
from simonides.governance.standing import TakenBack, taken_back
from simonides.language.sameness import read
from simonides.language.taken_back.turns import names_what_it_retracts, retracts
from simonides.language.taken_back.within import taken_back_within
from simonides.ports.store import Reader, TextQuery
from simonides.recall.question.speech import TELLING_OF_TURNS
from simonides.recall.withheld import pieces_of

#: Items of a session that are looked through for what a model proposed in it.
_MOST_PROPOSED: Final = 200
#: Turns that are looked through for what a later one takes back by name.
_MOST_TURNS: Final = 2000
#: Items that are looked through for what a turn takes back by name.
_MOST_SAID: Final = 50
_INTRODUCING: Final = frozenset(':："“”„«»「」『』\n>')


def unsaid(
    reader: Reader, turns: Sequence[Item], new: Sequence[Item], proposed: Selection, taxonomy: Taxonomy
) -> list[tuple[Item, tuple[str, ...]]]:
    """Items that hold what new turns of a session take back, each with the ids of the turns that do.

    What a person pinned or verified stays; so does what other turns say, where the one that was taken back is not
    named.

    Args:
        turns: The turns of the session as far back as they count, the new ones among them, those that were meant.
        proposed: What may be of the session, of its scope alone.
    """
    fresh = {turn.id for turn in new}
    taken = [one for one in taken_back(turns) if one.by.id in fresh]
    if not taken:
        return []
    formers = sorted({one.former.id for one in taken})
    links = reader.links(formers, [Relation.DERIVED_FROM])
    made = {link.src for link in links if link.dst in formers}
    items = reader.get(sorted(made)) | {
        item.id: item
        for item in reader.select(proposed, limit=_MOST_PROPOSED).values()
        if item.origin not in FROM_USER and taxonomy[item.type].kind is not Kind.EPISODIC
    }
    held: dict[str, tuple[Item, tuple[str, ...]]] = {}
    for item in items.values():
        standing = _standing(reader, item)
        against = [one for one in _against(reader, item, taken) if not _said_again(item, one, turns)]
        by = tuple(dict.fromkeys(one.by.id for one in against))
        if standing is not None and by:
            held[standing.id] = standing, by
    return list(held.values())


def unsaid_sentences(
    turns: Sequence[Item], new: Sequence[Item], held: Iterable[tuple[Item, Sequence[str]]]
) -> dict[str, list[str]]:
    """By turn, the sentences that new turns of a session take back, and those by which they do, for no prompt to tell.

    Of themselves, too: "I have diabetes. Please forget that."

    Args:
        turns: As for `unsaid`.
        held: Items that are held back, each with the ids of the turns that take it back.
    """
    fresh = {turn.id for turn in new}
    by_turn: dict[str, list[str]] = {}
    for turn in new:
        if turn.origin in FROM_USER and (gone := taken_back_within(turn.content)):
            by_turn[turn.id] = [turn.content[start:end] for start, end in gone]
    for one in taken_back(turns):
        if one.by.id in fresh and (
            reached := [piece for piece in pieces_of(one.former) if one.reaches(piece)]
        ):
            by_turn.setdefault(one.former.id, []).extend(reached)
            by_turn.setdefault(one.by.id, []).extend(_taking_back(one.by, reached))
    known = {turn.id: turn for turn in turns}
    for item, by in held:
        for turn in (known[id_] for id_ in by if id_ in known):
            by_turn.setdefault(turn.id, []).extend(_taking_back(turn, [_statement(item)]))
    return by_turn


def _taking_back(turn: Item, statements: Sequence[str]) -> list[str]:
    """Sentences of a turn that share a word with what it takes back."""
    words = {word for statement in statements for word in words_of(statement)}
    return [piece for piece in pieces_of(turn) if not words.isdisjoint(words_of(piece))]


def retracted(
    reader: Reader, turns: Sequence[Item], new: Sequence[Item], spoken: Selection
) -> list[tuple[Item, list[Item]]]:
    """New turns of users that take back by name what they said in other conversations, each with what it may mean.

    What a person pinned or verified is not among that, nor what they say once more behind it.

    Args:
        turns: As for `unsaid`.
        spoken: What belongs to the scope of the session.
    """
    fresh = {turn.id for turn in new}
    pairs: list[tuple[Item, list[Item]]] = []
    for place, turn in enumerate(turns):
        if turn.id not in fresh or turn.origin not in FROM_USER:
            continue
        words = turn.content
        # Behind one of these, somebody else may say it.
        if not names_what_it_retracts(words) or not _INTRODUCING.isdisjoint(words):
            continue
        terms = tuple(dict.fromkeys(word.written for word in read(words).words))
        keys: list[int] = (
            reader.search_text(TextQuery(terms), spoken, _MOST_SAID).keys.tolist() if terms else []
        )
        # "I earn 52,000 pounds." has no word of "my salary".
        told_before = _told_before(reader, turn)
        links = reader.links(sorted(told_before), [Relation.DERIVED_FROM])
        formers = reader.get(sorted(told_before))
        kept = {item.id: item for item in reader.load(keys).values()}
        kept |= reader.get(sorted({link.src for link in links}))
        meant: dict[str, Item] = {}
        words_taken_back: dict[str, set[tuple[str, ...]]] = {}
        for item in kept.values():
            standing = _standing(reader, item) if item.type not in LONGER else None
            if standing is None or standing.origin not in FROM_USER or speaker(standing) != speaker(turn):
                continue
            made_of = [formers[link.dst] for link in links if link.src == item.id and link.dst in formers]
            statements = [(_statement(standing),), *(_told_by(reader, former, item) for former in made_of)]
            gone = [some for some in statements if some and all(retracts(one, words) for one in some)]
            if not gone:
                continue
            if not any(
                later.origin in FROM_USER
                and speaker(later) == speaker(turn)
                and bears_out(later.content, _statement(standing))
                for later in turns[place + 1 :]
            ):
                meant[standing.id] = standing
                words_taken_back[standing.id] = {words_of(one) for one in gone[-1]}
        # What is named in its own words is meant rather than what says the same in others.
        named = [id_ for id_, one in meant.items() if retracts(_statement(one), words, word_for_word=True)]
        # A model may word one statement in several ways, each time that it is said.
        wanted = [words_taken_back[id_] for id_ in named or meant]
        chosen = [one for id_, one in meant.items() if words_taken_back[id_] in wanted]
        if all(words_taken_back[one.id] == words_taken_back[chosen[0].id] for one in chosen):
            pairs += ((turn, [one]) for one in chosen)
        else:
            pairs.append((turn, chosen))
    return pairs


def retracted_sentences(reader: Reader, turns: Sequence[Item], new: Sequence[Item]) -> dict[str, list[str]]:
    """By turn, sentences of other conversations that new turns of users take back by name, and those by which they do.

    Nothing may have been kept of them. A narrative that quotes one is among the turns.

    Args:
        turns: As for `unsaid`.
    """
    fresh = {turn.id for turn in new}
    by_turn: dict[str, list[str]] = {}
    for turn in turns:
        words = turn.content
        if turn.id not in fresh or turn.origin not in FROM_USER:
            continue
        if not names_what_it_retracts(words) or not _INTRODUCING.isdisjoint(words):
            continue
        sentences = _told_before(reader, turn)
        if not sentences:
            continue
        links = reader.links(sorted(sentences), [Relation.DERIVED_FROM])
        for item in reader.get(sorted({link.src for link in links if link.dst in sentences})).values():
            if item.type in TELLING_OF_TURNS:
                sentences[item.id] = [piece for piece in pieces_of(item) if retracts(piece, words)]
        for id_, pieces in sentences.items():
            by_turn.setdefault(id_, []).extend(pieces)
        by_turn.setdefault(turn.id, []).extend(
            piece for piece in pieces_of(turn) if names_what_it_retracts(piece)
        )
    return by_turn


def _told_before(reader: Reader, turn: Item) -> dict[str, list[str]]:
    """Sentences of former turns of a speaker that a turn takes back by name, by the ids of those."""
    selection = Selection(scopes=(turn.scope,), live_at=None, types=frozenset({"episode"}))
    sentences: dict[str, list[str]] = {}
    for item in reader.select(selection, ItemOrder.LATEST, limit=_MOST_TURNS).values():
        if item.origin in FROM_USER and item.age < turn.age and speaker(item) == speaker(turn):
            pieces = [
                piece
                for piece in pieces_of(item)
                if not names_what_it_retracts(piece)
                and retracts(of_the_user(piece, item.scope), turn.content)
            ]
            if pieces:
                sentences[item.id] = pieces
    return sentences


def _said_again(item: Item, one: TakenBack, turns: Sequence[Item]) -> bool:
    """True if the speaker says what an item says once more, behind the turn that takes it back."""
    since = turns[turns.index(one.by) + 1 :]
    return any(
        turn.origin in FROM_USER
        and speaker(turn) == speaker(one.by)
        and bears_out(turn.content, _statement(item))
        for turn in since
    )


def _statement(item: Item) -> str:
    return of_the_user(without_sender(item), item.scope)


def _standing(reader: Reader, item: Item) -> Item | None:
    """The item, or what took its place and stands; None where that is nothing, or a person settled it."""
    seen = {item.id}
    while item.superseded_by is not None and item.superseded_by not in seen:
        seen.add(item.superseded_by)
        heir = reader.get([item.superseded_by]).get(item.superseded_by)
        if heir is None:
            return None
        item = heir
    return item if item.status is Status.ACTIVE and not item.settled else None


def _against(reader: Reader, item: Item, taken: Sequence[TakenBack]) -> Iterator[TakenBack]:
    """Yield what takes an item back: by its name, or all that it was made of."""
    text = without_sender(item)
    sources = {link.dst for link in reader.links([item.id], [Relation.DERIVED_FROM]) if link.src == item.id}
    formers = {one.former.id for one in taken}
    for one in taken:
        is_of = one.former.id in sources or (not sources and bears_out(one.former.content, _statement(item)))
        if not is_of or not (one.named or sources <= formers):
            continue
        told_by = _told_by(reader, one.former, item)
        if one.reaches(text) or (told_by and all(map(one.reaches, told_by))):
            yield one


def _told_by(reader: Reader, former: Item, item: Item) -> Sequence[str]:
    """Clauses of a turn that say an item, in whatever words a model put it: "I live in Graz" of "Their home is Graz.".

    None of what a person has worded anew since, or put something in the place of.
    """
    if item.type in LONGER or item.superseded_by is not None:
        return ()
    if any(revision.item.content != item.content for revision in reader.revisions(item.id)):
        return ()
    pieces = [of_the_user(piece, former.scope) for piece in pieces_of(former)]
    return tellers(_statement(item), pieces)
