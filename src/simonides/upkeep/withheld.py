"""Turns, and narratives of them, that say what was forgotten or taken back: no prompt is told that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from simonides.domain.ids import is_id
from simonides.domain.item import Item, Status, Validation
from simonides.domain.link import Relation
from simonides.domain.provenance import FROM_USER, Provenance
from simonides.domain.selection import LONGER, ItemOrder, Selection
from simonides.domain.text import cjk_bigrams, cjk_runs
from simonides.governance.bearing import bears_out
from simonides.governance.known import clauses_of, of_the_user, restates, words_of
from simonides.governance.speakers import may_speak_of, sender, speaker
from simonides.language.addressed import as_the_user_says
from simonides.language.aliases import COMMON
from simonides.language.contradiction import differences
from simonides.language.sameness import read
from simonides.language.taken_back.within import taken_back_within
from simonides.ports.both import Both
from simonides.ports.buffer import SessionSelection
from simonides.ports.store import Reader, TextQuery
from simonides.recall.question.speech import TELLING_OF_TURNS, stated, unquoted
from simonides.recall.withheld import mark_of, marked, marks_of, pieces_of
from simonides.upkeep.change import Revise
from simonides.upkeep.clusters import search_terms
from simonides.values import dataclass

#: Turns that are looked at for what was made of one item; of a topic of so many none is all that tells of it.
_MOST: Final = 50
#: Statements that turns are looked through for beside those that they were made of, and words that each is found by.
_MOST_SOUGHT: Final = 20
_TERMS: Final = 12
#: Share of a claim's words that whatever says it has.
_SHARED: Final = 1 / 3
#: Words of a turn by which what was forgotten is looked for, at once and at most, and turns of its session that are
#: compared with it.
_WORDS: Final = 32
_MOST_WORDS: Final = 96
_MOST_HELD: Final = 1000


@dataclass(frozen=True, slots=True)
class _Claim:
    """A statement that is to be told no more, or again.

    Attributes:
        sources: Ids of the turns that it was made of.
    """

    text: str
    item: Item
    sources: frozenset[str]


def withheld(
    views: Reader | Both,
    lost: Sequence[Item],
    unsaid: Mapping[str, Sequence[str]] | None = None,
    *,
    still: str = "",
) -> list[Revise]:
    """Revisions of turns, and of narratives of them, that say what items say: prompts tell the rest of each.

    Turns that the items were made of, and others of their scopes that say the same, an assistant's among them. One
    with nothing left to state, and a narrative that quotes any of it, is put into no prompt at all. They are found as
    ever by whoever searches.

    Args:
        lost: Items that are forgotten, or held back because their speaker took them back.
        unsaid: Sentences of turns that their speaker took back, and by which they did, whether they were kept or not.
        still: A text that holds; what it says is told.
    """
    claims = [claim for claim in _claims(views, lost) if not still or not _holds(still, claim.text)]
    gone = {item.id for item in lost}
    sentences = unsaid or {}
    changes: list[Revise] = []
    telling = {item.id: item for item in (*views.get(list(sentences)).values(), *_telling(views, claims))}
    for item in telling.values():
        if item.id in gone or not item.injectable:
            continue
        before = marks_of(item)
        marks = before | {mark_of(piece) for piece in sentences.get(item.id, ())}
        marks |= {mark_of(piece) for claim in claims for piece in _saying(item, claim)}
        if marks != before:
            after = replace(marked(item, marks), injectable=not _is_silent(item, marks))
            changes.append(Revise(item, after, reason="retract"))
    known = gone | {change.before.id for change in changes}
    return changes + [one for one in _naming(views, changes) if one.before.id not in known]


def _naming(views: Reader | Both, changes: Sequence[Revise]) -> Iterator[Revise]:
    """Yield revisions of narratives that name, among what was talked about, what no turn of theirs tells any more.

    Each bears the marks of the sentences that named it.
    """
    turns = {change.after.id: change.after for change in changes if change.after.type == "episode"}
    made = views.links(sorted(turns), [Relation.DERIVED_FROM]) if turns else []
    narratives = views.get(sorted({link.src for link in made if link.dst in turns}))
    narratives = {id_: one for id_, one in narratives.items() if one.type in TELLING_OF_TURNS}
    links = views.links(sorted(narratives), [Relation.DERIVED_FROM]) if narratives else []
    others = views.get(sorted({link.dst for link in links} - turns.keys()))
    for id_, narrative in narratives.items():
        if not narrative.injectable or narrative.status is not Status.ACTIVE:
            continue
        of_it = {link.dst for link in links if link.src == id_}
        every = [turn for key, turn in (others | turns).items() if key in of_it]
        pieces = [(mark_of(piece), piece, marks_of(turn)) for turn in every for piece in pieces_of(turn)]
        standing = {word for mark, piece, gone in pieces if mark not in gone for word in words_of(piece)}
        named = {*words_of(unquoted(narrative.content))} - standing
        marks = {
            mark for mark, piece, gone in pieces if mark in gone and not named.isdisjoint(words_of(piece))
        }
        if marks:
            after = replace(marked(narrative, marks_of(narrative) | marks), injectable=False)
            yield Revise(narrative, after, reason="retract")


def repeated(turns: Sequence[Item], unsaid: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """By turn, the sentences by which others than the user repeat what the user took back.

    Args:
        turns: Of a session.
        unsaid: Sentences that were taken back, by turn.
    """
    claims = [text for sentences in unsaid.values() for sentence in sentences for text in stated(sentence)]
    saying = {
        turn.id: [piece for piece in pieces_of(turn) if any(_repeats(piece, text) for text in claims)]
        for turn in (turns if claims else ())
        if turn.origin not in FROM_USER
    }
    return {id_: pieces for id_, pieces in saying.items() if pieces}


def told_again(views: Reader | Both, items: Sequence[Item]) -> list[Revise]:
    """Revisions by which prompts are told by turns again what restored items say."""
    claims = _claims(views, items)
    changes: list[Revise] = []
    lifted: set[str] = set()
    for turn in _telling(views, claims):
        before = marks_of(turn)
        said_again = {mark_of(piece) for claim in claims for piece in _saying(turn, claim)}
        lifted |= said_again
        marks = before - (lifted if turn.type in TELLING_OF_TURNS else said_again)
        if marks != before:
            # Only what has marks for all that it states was silenced by them, and a narrative by any that it has.
            silent = bool(before) if turn.type in TELLING_OF_TURNS else _is_silent(turn, before)
            left = bool(marks) if turn.type in TELLING_OF_TURNS else _is_silent(turn, marks)
            injectable = turn.injectable or (silent and not left)
            changes.append(
                Revise(turn, replace(marked(turn, marks), injectable=injectable), reason="restore")
            )
    return changes


def have_turns(views: Both, items: Sequence[Item]) -> bool:
    """True if there were conversations in scopes of items, which may tell what these say."""
    scopes = tuple(dict.fromkeys(item.scope for item in items))
    return bool(scopes and views.here.sessions(SessionSelection(scopes=scopes), 1))


def with_replaced(views: Both, items: Sequence[Item]) -> list[Item]:
    """Items with all that they had replaced, and what those had."""
    known = {item.id: item for item in items}
    frontier = list(known)
    while frontier and len(known) < _MOST:
        links = views.links(frontier, [Relation.SUPERSEDES])
        replaced = views.get(sorted({link.dst for link in links if link.src in frontier} - known.keys()))
        known |= replaced
        frontier = list(replaced)
    return list(known.values())


def wordings(views: Both, items: Sequence[Item]) -> list[Item]:
    """Items as they were ever worded, of each the first wording first."""
    states: list[Item] = []
    for item in items:
        every = [] if item.type in LONGER else [revision.item for revision in views.revisions(item.id)]
        by_content: dict[str, Item] = {}
        for state in (*every, item):
            by_content.setdefault(state.content, state)
        states += by_content.values()
    return states


def reworded(views: Both, item: Item) -> list[Revise]:
    """Revisions after an item was worded anew: turns, and narratives of them, tell what it says now alone."""
    # What it says now was not made of the turns that its first wording was made of.
    alone = replace(item, id="", provenance=Provenance())
    changes = {change.before.id: change for change in told_again(views, [alone])}
    for change in withheld(views, wordings(views, [item]), still=item.content):
        marks = marks_of(change.after)
        if again := changes.get(change.before.id):
            marks -= marks_of(again.before) - marks_of(again.after)
        after = replace(marked(change.after, marks), injectable=not _is_silent(change.after, marks))
        changes[change.before.id] = replace(change, after=after)
    return list(changes.values())


def repeating(reader: Reader, moved: Reader | None, turns: Sequence[Item]) -> dict[str, Item]:
    """Turns by which an assistant, or a tool, says again what was forgotten, by id, as prompts are to tell them.

    What the user said since, before them or elsewhere, is known again. Turns of the user, too, that take back
    themselves what they say.

    Args:
        moved: Reads the archive file; None where there is none.
        turns: Of one conversation, about to be recorded, in their order, the user's among them.
    """
    changed: dict[str, Item] = {}
    for place, turn in enumerate(turns):
        if not turn.injectable:
            continue
        before = marks_of(turn)
        if turn.origin in FROM_USER:
            if gone := taken_back_within(turn.content):
                marks = before | {mark_of(turn.content[start:end]) for start, end in gone}
                changed[turn.id] = replace(marked(turn, marks), injectable=not _is_silent(turn, marks))
            continue
        marks = before | {
            mark_of(piece)
            for claim in _claims(reader, _forgotten_near(reader, moved, turn))
            if (pieces := _saying(replace(turn, scope=claim.item.scope), claim))
            and not _is_known_again(reader, claim, turns[:place], turn)
            for piece in pieces
        }
        if marks != before:
            changed[turn.id] = replace(marked(turn, marks), injectable=not _is_silent(turn, marks))
    return changed


def _forgotten_near(reader: Reader, moved: Reader | None, turn: Item) -> list[Item]:
    """Items that were forgotten where a turn sees them, and share words with it."""
    words = [
        *dict.fromkeys(
            term
            for piece in pieces_of(turn)
            for term in (*(word.written for word in read(piece).words), *_pairs(piece))
        )
    ]
    out = frozenset({Status.ARCHIVED, Status.QUARANTINED})
    near = Selection(scopes=turn.scope.visible(), live_at=None, statuses=out)
    near_by_id: dict[str, Item] = {}
    for start in range(0, min(len(words), _MOST_WORDS), _WORDS):
        query = TextQuery(tuple(words[start : start + _WORDS]))
        for view in (reader, moved):
            if view is not None:
                keys: list[int] = view.search_text(query, near, _MOST).keys.tolist()
                near_by_id |= {
                    item.id: item
                    for item in view.load(keys).values()
                    if item.validation is Validation.RETRACTED
                    and any(_shares(turn.content, text) for text in (item.content, *stated(item.content)))
                    and (view is reader or reader.key(item.id) is None)
                }
    return list(near_by_id.values())


def _pairs(text: str) -> Iterator[str]:
    """Yield pairs of Chinese signs: among other words a search looks for no sign alone."""
    return (pair for run in cjk_runs(text) for pair in cjk_bigrams(run))


def _is_known_again(reader: Reader, claim: _Claim, earlier: Sequence[Item], turn: Item) -> bool:
    """True if the user says a claim: in an item that stands, or by a turn since it was forgotten."""
    gone = claim.item
    near = Selection(scopes=turn.scope.visible(), live_at=None)
    keys = reader.search_text(TextQuery(search_terms(claim.text, COMMON, _TERMS)), near, _MOST).keys.tolist()
    for item in reader.load(keys).values():
        if item.origin in FROM_USER and item.type not in TELLING_OF_TURNS and may_speak_of(item, gone):
            if item.type != "episode" and _says(item.content, claim.text):
                return True
            if item.type == "episode" and item.created_at > gone.updated_at and _tells(item, claim):
                return True
    # A client may have sent the history once more: what the session holds already is not said anew.
    saying = [
        one for one in earlier if one.origin in FROM_USER and may_speak_of(one, gone) and _tells(one, claim)
    ]
    if not saying:
        return False
    of_session = replace(near, scopes=(turn.scope,), types=frozenset({"episode"}), session_id=turn.session_id)
    held = {one.content for one in reader.select(of_session, ItemOrder.LATEST, limit=_MOST_HELD).values()}
    return any(one.content not in held for one in saying)


def _tells(turn: Item, claim: _Claim) -> bool:
    """True if a turn of the user's says a claim, and prompts tell it."""
    marks = marks_of(turn)
    rest = " ".join(piece for piece in pieces_of(turn) if mark_of(piece) not in marks)
    return turn.injectable and bears_out(rest, claim.text)


def _claims(views: Reader | Both, items: Sequence[Item]) -> list[_Claim]:
    """Claims of items, of turns and of longer texts sentence by sentence; none of narratives."""
    stating = [item for item in items if item.type not in TELLING_OF_TURNS]
    sources = {item.id: {item.provenance.source_id or ""} for item in stating}
    for link in views.links(sorted(sources), [Relation.DERIVED_FROM, Relation.SUPPORTS]):
        source, teller = (link.src, link.dst) if link.rel is Relation.DERIVED_FROM else (link.dst, link.src)
        if source in sources:
            sources[source].add(teller)
    claims: list[_Claim] = []
    for item in stating:
        # Of an item that was worded anew, the first wording was made of the turn.
        made_of = frozenset(filter(is_id, sources.pop(item.id, ())))
        whole = item.content.removeprefix(f"{sender(item)}: ")
        if item.type != "episode":
            claims.append(_Claim(of_the_user(whole, item.scope), item, made_of))
        each = stated(whole)
        if item.type == "episode" or len(each) > 1:
            claims += (_Claim(of_the_user(text, item.scope), item, frozenset()) for text in each)
    return claims


def _telling(views: Reader | Both, claims: Sequence[_Claim]) -> Iterator[Item]:
    """Yield turns that may say what is claimed, and narratives that were made of them."""
    if not claims:
        return
    reader = views.here if isinstance(views, Both) else views
    ids = dict.fromkeys(islice((id_ for claim in claims for id_ in sorted(claim.sources)), _MOST))
    ids |= dict.fromkeys(claim.item.id for claim in claims if claim.item.type == "episode")
    turns = {id_: item for id_, item in reader.get(list(ids)).items() if item.type == "episode"}
    for claim in claims[:_MOST_SOUGHT]:
        terms = search_terms(claim.text, COMMON, _TERMS)
        near = Selection(scopes=(claim.item.scope,), live_at=None, types=frozenset({"episode"}))
        if terms:
            keys: list[int] = reader.search_text(TextQuery(terms), near, _MOST).keys.tolist()
            turns |= {item.id: item for item in reader.load(keys).values()}
    made = reader.links(sorted(turns), [Relation.DERIVED_FROM])
    others = reader.get(sorted({link.src for link in made if link.dst in turns}))
    yield from (turn for turn in turns.values() if turn.status is Status.ACTIVE)
    yield from (
        item for item in others.values() if item.type in TELLING_OF_TURNS and item.status is Status.ACTIVE
    )


def _saying(item: Item, claim: _Claim) -> list[str]:
    """Sentences of a turn, or quotations of a narrative, that say what is claimed."""
    if item.scope != claim.item.scope:
        return []
    pieces = pieces_of(item)
    by_user = item.origin in FROM_USER
    if by_user and item.type not in TELLING_OF_TURNS and item.id not in claim.sources:
        same = speaker(item) == speaker(claim.item)
        return [piece for piece in pieces if same and _says(piece, claim.text)]
    saying = [piece for piece in pieces if _repeats(piece, claim.text)]
    if saying or item.id not in claim.sources or item.type in TELLING_OF_TURNS:
        return saying
    return telling(pieces, claim.text)


def telling(pieces: Sequence[str], text: str) -> list[str]:
    """Sentences of a turn that what a model worded was made of: those with the most of its words, else any."""
    words = set(words_of(text))
    shared = {piece: len(words.intersection(words_of(piece))) for piece in pieces}
    most = max(shared.values(), default=0)
    return [piece for piece, count in shared.items() if count == most]


def _repeats(piece: str, text: str) -> bool:
    """True if a sentence says a claim, or holds it, of the user or to them."""
    own = as_the_user_says(piece, text) if _shares(piece, text) else piece
    return any(_says(reading, text) or _holds(reading, text) for reading in dict.fromkeys((piece, own)))


def _says(piece: str, text: str) -> bool:
    return _shares(piece, text) and (restates(piece, text) or bears_out(piece, text))


def _shares(piece: str, text: str) -> bool:
    """True if a sentence has enough words of a claim to say it, with synonyms: comparing closely takes long."""
    words = set(words_of(text))
    return len(words.intersection(words_of(piece))) >= _SHARED * len(words)


def _holds(piece: str, text: str) -> bool:
    """True if a sentence, or a clause of it, has every word of a claim, and differs from it in nothing."""
    words = set(words_of(text))
    return (
        bool(words)
        and words <= set(words_of(piece))
        and any(
            words <= set(words_of(part)) and not differences(part, text)
            for part in (piece, *clauses_of(piece))
        )
    )


def _is_silent(item: Item, marks: frozenset[str]) -> bool:
    """True if nothing that a turn states is left to tell, or a narrative quotes what is not to be told."""
    if item.type in TELLING_OF_TURNS:
        return any(mark_of(piece) in marks for piece in pieces_of(item))
    left = [piece for piece in pieces_of(item) if mark_of(piece) not in marks]
    return not any(map(stated, left))
