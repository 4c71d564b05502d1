"""View of the store for the policy: settled items that a candidate may contradict, and near ones it may repeat."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice, pairwise
from math import ceil
from typing import Final

from simonides.domain.actor import is_model
from simonides.domain.entity import Entity, fold
from simonides.domain.ids import is_id
from simonides.domain.item import Item, Validation, source_texts, texts_in
from simonides.domain.link import Relation
from simonides.domain.pattern import later
from simonides.domain.provenance import FROM_USER
from simonides.domain.record import RECORD
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.text import CJK
from simonides.governance.bearing import bears_out
from simonides.governance.known import KnownMemories, of_the_user, readings
from simonides.governance.policy import Candidate
from simonides.governance.speakers import by_the_user
from simonides.governance.standing import latest_first, standing
from simonides.language.aliases import COMMON, Aliases
from simonides.language.clauses import clauses
from simonides.language.common_words import COMMON as WORDS
from simonides.language.names import names_of
from simonides.language.tokens import MAX_CHARS, Shape, tokens
from simonides.language.words import STOP
from simonides.ports.embedder import Embedder
from simonides.ports.governing import PrecedentQuery, Precedents
from simonides.ports.store import Reader, Store, TextQuery
from simonides.values import dataclass
from simonides.writing.embedded import embedded

#: Types of which nothing is a repetition.
_RAW: Final = frozenset({"episode", "chunk", "record"})
#: Cosine from which two texts may say the same; the words decide.
_NEAR: Final = 0.92
_MOST_NEAR: Final = 16
#: Turns that bear a proposal out of which it is looked at what was made of them.
_MOST_BEARING: Final = 8
_MOST_TERMS: Final = 24
#: Words without a capital that are looked up as names.
_MOST_SMALL: Final = 24
#: Of the session: injections, items of these, and turns of the user that are looked at, the latest.
_MOST_INJECTIONS: Final = 32
_MOST_TOLD: Final = 200
_MOST_HEARD: Final = 60
#: Sets of scopes whose settled items are kept at hand.
_MOST_SHELVES: Final = 64
#: Sets of scopes of which is remembered that nothing is settled there.
_MOST_BARE: Final = 10_000
#: Share of a statement's words that a text must hold to be compared with it; a name may differ, and forms of words.
_SHARED: Final = 0.5
_BEGINNING: Final = 3
_ASCII_WORD: Final = later(r"[a-z0-9]+")
_WORD: Final = later(rf"[{CJK}]+|[^\W_{CJK}]+")
_CJK: Final = later(f"[{CJK}]")


class Neighbours:
    """Looks up what is known already. Reads only, outside transactions; safe to use from several threads."""

    def __init__(self, store: Store, embedder: Embedder, taxonomy: Taxonomy) -> None:
        self._store = store
        self._embedder = embedder
        self._types = frozenset(taxonomy.specs) - _RAW
        self._shelves: OrderedDict[tuple[Scope, ...], _Shelf] = OrderedDict()
        #: Sets of scopes where nothing was settled when they were looked at last.
        self._bare: OrderedDict[tuple[Scope, ...], None] = OrderedDict()
        self._lock = threading.Lock()

    def introduce(
        self, candidates: Sequence[Candidate], at: int, session_id: str | None = None
    ) -> list[Candidate]:
        """The candidates with what is known that bears on them, in their order.

        Turns, chunks and what programs keep are not looked at. Where nothing is settled, the cost is that of one look
        into an empty index for all candidates of a scope.

        Args:
            at: The present instant; what has expired by then is not known.
            session_id: The conversation in which something is proposed.
        """
        if all(map(_is_raw, candidates)):
            return list(candidates)
        known: dict[int, KnownMemories] = {}
        with ExitStack() as views:
            if any(map(_compares, candidates)):
                reader, there = views.enter_context(self._store.read_all())
            else:
                reader, there = views.enter_context(self._store.read()), None
            for scope in dict.fromkeys(one.item.scope for one in candidates if not _is_raw(one)):
                places = [
                    place
                    for place, one in enumerate(candidates)
                    if one.item.scope == scope and not _is_raw(one)
                ]
                some = [candidates[place] for place in places]
                known |= zip(places, self._known(reader, there, scope, some, session_id, at), strict=True)
        return [
            replace(candidate, known=known[place])
            if known.get(place, KnownMemories()) != KnownMemories()
            else candidate
            for place, candidate in enumerate(candidates)
        ]

    def heard(self, item: Item, session_id: str | None, at: int) -> list[Item]:
        """Turns in a session by whoever may speak of an item, to be taken at their word, the latest first."""
        if session_id is None:
            return []
        with self._store.read() as reader:
            return _believed(reader.precedents(_of_session(item.scope, session_id, at)).heard, item)

    def trusted(self, candidates: Sequence[Candidate]) -> frozenset[Scope]:
        """Scopes of candidates of which nothing is to be known, as far as was seen last; none if any needs a look.

        Whoever trusts in it asks `is_bare` in the transaction, and introduces them after all where that denies it.
        """
        considered = [candidate for candidate in candidates if candidate.item.type not in _RAW]
        scopes = {candidate.item.scope for candidate in considered}
        bare = all(scope.visible() in self._bare for scope in scopes)
        return frozenset(scopes) if bare and not any(one.proposed for one in considered) else frozenset()

    def is_bare(self, reader: Reader, scope: Scope, at: int) -> bool:
        """True if nothing is settled where a scope sees."""
        settled = reader.precedents(PrecedentQuery(scope=scope, at=at)).settled
        self._note(scope.visible(), bare=not settled)
        return not settled

    def _note(self, scopes: tuple[Scope, ...], *, bare: bool) -> None:
        with self._lock:
            self._bare.pop(scopes, None)
            if bare:
                self._bare[scopes] = None
                while len(self._bare) > _MOST_BARE:
                    self._bare.popitem(last=False)

    def _known(
        self,
        reader: Reader,
        there: Reader | None,
        scope: Scope,
        candidates: Sequence[Candidate],
        session_id: str | None,
        at: int,
    ) -> list[KnownMemories]:
        """Memories that bear on candidates of a scope."""
        items = [candidate.item for candidate in candidates]
        proposed = [candidate.item for candidate in candidates if _compares(candidate)]
        query = self._query(scope, proposed, session_id, at)
        # Names are read, and looked up, where there is something to compare.
        if proposed or self._shelves.get(scope.visible(), _EMPTY).items:
            query = replace(query, names=[_names(item) for item in items])
        precedents = reader.precedents(query)
        shelf = self._shelf(reader, scope.visible(), precedents.settled)
        aliases = [_aliases(entities) for entities in precedents.entities]
        if shelf.items and not query.names:
            named = PrecedentQuery(scope=scope, at=at, names=[_names(item) for item in items])
            aliases = [_aliases(entities) for entities in reader.precedents(named).entities]
        moved = (
            there.precedents(replace(query, session_id=None, sources=(), names=()))
            if there and proposed
            else None
        )
        near = iter(zip(precedents.near, _taken_out(reader, precedents, moved), strict=True))
        known: list[KnownMemories] = []
        for candidate, names in zip(candidates, aliases or [COMMON] * len(items), strict=True):
            item = candidate.item
            text = " ".join((item.content[:MAX_CHARS], *names.spellings(item.content)))
            one = KnownMemories(settled=shelf.about(text, at), aliases=names)
            if _compares(candidate):
                alike, taken_out = next(near)
                one = self._nearer(reader, item, one, precedents, alike, taken_out)
                formerly = (*_formerly(reader, item, one), *_worded_anew(reader, alike))
                one = replace(one, forgotten=(*one.forgotten, *formerly))
            known.append(one)
        return known

    def _query(
        self, scope: Scope, proposed: Sequence[Item], session_id: str | None, at: int
    ) -> PrecedentQuery:
        """The query for precedents: for their texts and sources, where any of them is proposed."""
        if not proposed:
            return PrecedentQuery(scope=scope, at=at)
        sources = {source for item in proposed if (source := item.provenance.source_id) and is_id(source)}
        return replace(
            _of_session(scope, session_id, at),
            types=self._types,
            near=[_words(item) for item in proposed],
            most_near=_MOST_NEAR,
            sources=sorted(sources),
        )

    def _shelf(self, reader: Reader, scopes: tuple[Scope, ...], standing: Mapping[int, bytes]) -> _Shelf:
        """The settled items of these scopes, read again as far as they changed."""
        self._note(scopes, bare=not standing)
        if not standing:
            return _EMPTY
        with self._lock:
            shelf = self._shelves.pop(scopes, _EMPTY)
        if shelf.standing != standing:
            changed = [key for key, mark in standing.items() if shelf.standing.get(key) != mark]
            kept = {key: item for key, item in shelf.items.items() if key in standing}
            shelf = _Shelf.of(standing, kept | reader.load(changed))
        with self._lock:
            self._shelves[scopes] = shelf
            while len(self._shelves) > _MOST_SHELVES:
                self._shelves.popitem(last=False)
        return shelf

    def _nearer(
        self,
        reader: Reader,
        item: Item,
        known: KnownMemories,
        precedents: Precedents,
        near: Sequence[Item],
        gone: Sequence[Item],
    ) -> KnownMemories:
        alike = {other.id: other for other in (*near, *precedents.told) if other.type not in _RAW}
        heard = _believed(precedents.heard)
        source = item.provenance.source_id
        if source is not None and is_id(source) and all(turn.id != source for turn in heard):
            named = precedents.sources.get(source)
            if (
                named is not None
                and item.scope.sees(named.scope)
                and item.scope.is_of_one_user(named.scope)
                and _may_be_believed(named)
                and _still_stands(reader, named)
            ):
                heard = [*heard, named]
        return replace(
            known,
            near=() if item.type in _RAW else self._close(item, list(alike.values())),
            forgotten=tuple(gone),
            told_by=tuple(_told_by(reader, gone)),
            recalled=tuple(other.content for other in precedents.told if not _is_its_source(other, item)),
            heard=tuple(heard),
        )

    def _close(self, item: Item, others: Sequence[Item]) -> tuple[Item, ...]:
        """Those that are near by their vectors, too; all, where no vectors can be had at once.

        What was taken from the same turn is about the same: of it the words alone decide.
        """
        if not others:
            return ()
        own, *vectors = embedded(self._embedder, [item.content, *(other.content for other in others)]).vectors
        if own is None:
            return tuple(others)
        cosines = [0.0 if vector is None else float(vector @ own) for vector in vectors]
        nearest = sorted(range(len(others)), key=lambda place: (-cosines[place], place))
        return tuple(
            others[place] for place in nearest if cosines[place] >= _NEAR or _one_turn(item, others[place])
        )


def _was_taken_out(item: Item) -> bool:
    """True of what was forgotten, rejected, corrected or held back with its source; what has only faded may return."""
    return item.validation is Validation.RETRACTED or item.superseded_by is not None


def _taken_out(reader: Reader, here: Precedents, moved: Precedents | None) -> list[list[Item]]:
    """Items that were taken out, near each proposal; those of the archive file among them.

    An item of the file that is here as well was not moved, or was brought back: what the store says of it counts.
    """
    further = [
        [item for item in some if reader.key(item.id) is None] for some in (moved.archived if moved else ())
    ] or [()] * len(here.near)
    return [
        [*filter(_was_taken_out, (*some, *more))] for some, more in zip(here.archived, further, strict=True)
    ]


def _told_by(reader: Reader, gone: Sequence[Item]) -> Iterator[tuple[str, Item]]:
    """Ids of items that were taken out, each beside a turn of the user that it was made of."""
    ids = {item.id for item in gone}
    if not ids:
        return
    links = reader.links(sorted(ids), [Relation.DERIVED_FROM])
    turns = reader.get(sorted({link.dst for link in links if link.src in ids}))
    for link in links:
        turn = turns.get(link.dst) if link.src in ids else None
        if turn is not None and turn.type == "episode" and turn.origin in FROM_USER:
            yield link.src, turn


def _formerly(reader: Reader, item: Item, known: KnownMemories) -> Iterator[Item]:
    """Former states of items made of turns that bear an item out, from before somebody worded them anew."""
    bearing = [
        turn.id for turn in known.heard if bears_out(turn.content, of_the_user(item.content, item.scope))
    ]
    if not bearing:
        return
    made = {link.src for link in reader.links(bearing[:_MOST_BEARING], [Relation.DERIVED_FROM])}
    for one in reader.get(sorted(made.difference(bearing))).values():
        if one.origin in FROM_USER:
            for former, then in pairwise(reader.revisions(one.id)):
                if former.item.content not in {then.item.content, one.content}:
                    yield replace(former.item, updated_at=then.at, superseded_by=one.id)


def _worded_anew(reader: Reader, near: Sequence[Item]) -> Iterator[Item]:
    """Former texts of the user's own items among those that are near, before somebody worded them anew."""
    for one in near:
        if one.origin not in FROM_USER or one.updated_at == one.created_at:
            continue
        wordings = {one.content, *_beside(one)}
        for former, then in pairwise(reader.revisions(one.id)):
            for text in (former.item.content, *_beside(former.item)):
                if text not in wordings:
                    yield replace(former.item, content=text, updated_at=then.at, superseded_by=one.id)


def _beside(item: Item) -> list[str]:
    """Title and tags of an item that say something; a word alone is nobody's."""
    return [text for text in (item.title, *item.tags) if len(text.split()) > 1 or _CJK.search(text)]


def _is_raw(candidate: Candidate) -> bool:
    """True of what repeats and contradicts nothing; but a model may put into a record what was forgotten."""
    return candidate.item.type in _RAW and not _is_kept_by_a_model(candidate)


def _compares(candidate: Candidate) -> bool:
    """True if what is near to a candidate counts: a model words it."""
    changed = candidate.before is not None and is_model(candidate.actor)
    return candidate.proposed or changed or _is_kept_by_a_model(candidate)


def _is_kept_by_a_model(candidate: Candidate) -> bool:
    return candidate.item.type == RECORD and is_model(candidate.actor)


def _one_turn(item: Item, other: Item) -> bool:
    """True if both were taken from one turn of a conversation."""
    source = item.provenance.source_id
    return source is not None and is_id(source) and source == other.provenance.source_id


def _of_session(scope: Scope, session_id: str | None, at: int) -> PrecedentQuery:
    """The query for what was put into prompts of a session, and what the user said in it."""
    return PrecedentQuery(
        scope=scope,
        at=at,
        session_id=session_id,
        injections=_MOST_INJECTIONS,
        told=_MOST_TOLD,
        heard=2 * _MOST_HEARD,
    )


def _words(item: Item) -> TextQuery:
    """The most telling words of an item, wherever they stand in it."""
    beside = re.sub(
        r"[-_]+",
        " ",
        "\n".join((item.title, *item.tags, *item.entities, *texts_in(item.metadata), *source_texts(item))),
    )
    words = dict.fromkeys(
        token.text
        for reading in readings(f"{item.content}\n{beside}")
        for token in tokens(reading)
        if token.shape in {Shape.WORD, Shape.HAN, Shape.NUMBER, Shape.IDENTIFIER} and token.fold not in STOP
    )
    return TextQuery(tuple(sorted(words, key=len, reverse=True)[:_MOST_TERMS]))


def _believed(turns: Sequence[Item], item: Item | None = None) -> list[Item]:
    turns = latest_first(turns)
    # Who speaks in a session shows in what was taken back there, too.
    own = {turn.id for turn in by_the_user(turns, item)}
    return [turn for turn in standing(turns) if turn.id in own and _may_be_believed(turn)][:_MOST_HEARD]


def _names(item: Item) -> list[str]:
    """The names of an item, folded, and its other words: who writes in small letters names things as well."""
    loud = item.content.isupper()
    small = (
        token.text
        for token in tokens(item.content)
        if token.shape is Shape.WORD and (loud or not token.capital) and token.fold not in STOP | WORDS
    )
    return list(
        dict.fromkeys(map(fold, (*(name.text for name in names_of(item)), *islice(small, _MOST_SMALL))))
    )


def _aliases(entities: Sequence[Entity]) -> Aliases:
    """The names of what an item names, where some of it has several."""
    groups = [entity.names for entity in entities if entity.aliases]
    return Aliases(groups) if groups else COMMON


def _is_its_source(source: Item, item: Item) -> bool:
    """True for a turn of the user's, or of the item's own session: what is taken from it repeats no memory."""
    if source.type != "episode":
        return False
    of_session = (
        item.session_id is not None and source.session_id == item.session_id and source.scope == item.scope
    )
    return of_session or source.origin in FROM_USER


def _may_be_believed(turn: Item) -> bool:
    """True if a turn bears out what a model says of the user: the user's own, and free of orders to a model."""
    return turn.type == "episode" and turn.origin in FROM_USER and turn.injectable


def _still_stands(reader: Reader, turn: Item) -> bool:
    """True if the user meant a turn where it was said, and nothing said next in its session takes it back."""
    if turn.session_id is None:
        return bool(by_the_user([turn]))
    said_at = turn.happened_at
    session = Selection(
        scopes=(turn.scope,), live_at=None, types=frozenset({turn.type}), session_id=turn.session_id
    )
    turns = {
        **reader.select(replace(session, before=said_at + 1), ItemOrder.LATEST, limit=2 * _MOST_HEARD),
        **reader.select(replace(session, after=said_at), ItemOrder.OLDEST, limit=_MOST_HEARD),
    }
    whole = latest_first([*turns.values()])
    return all(any(one.id == turn.id for one in some) for some in (by_the_user(whole), standing(whole)))


@dataclass(frozen=True)
class _Shelf:
    """Settled items, with what tells fast which of them a text may be about.

    Attributes:
        standing: Key to a mark of the state it is in.
        statements: For each statement the key of its item, and how many words it needs.
        where: Beginnings of words to the numbers of statements that hold them.
        always: Keys of items that any text may be about.
    """

    standing: Mapping[int, bytes]
    items: Mapping[int, Item]
    statements: Sequence[tuple[int, int]]
    where: Mapping[str, Sequence[int]]
    always: frozenset[int]

    @classmethod
    def of(cls, standing: Mapping[int, bytes], items: Mapping[int, Item]) -> _Shelf:
        statements: list[tuple[int, int]] = []
        where: dict[str, list[int]] = {}
        always: set[int] = set()
        for key, item in sorted(items.items()):
            for clause in clauses(item.content) if item.type not in _RAW else ():
                # Where a name is the value, another may stand in its place.
                given = {part for name in clause.names if name.role for part in name.parts}
                beginnings = {beginning for stem in clause.topic - given for beginning in _beginnings(stem)}
                for beginning in beginnings:
                    where.setdefault(beginning, []).append(len(statements))
                statements.append((key, ceil(len(beginnings) * _SHARED)))
                if not beginnings:  # "I am 34"
                    always.add(key)
        return cls(standing, items, statements, where, frozenset(always))

    def about(self, text: str, at: int) -> tuple[Item, ...]:
        """Items that a text may be about, oldest first; the policy compares them word by word."""
        if not self.items:
            return ()
        shared: Counter[int] = Counter()
        for beginning in _beginnings(text):
            shared.update(self.where.get(beginning, ()))
        keys = {
            self.statements[number][0]
            for number, held in shared.items()
            if held >= self.statements[number][1]
        }
        items = [self.items[key] for key in sorted(keys | self.always)]
        return tuple(item for item in items if item.expires_at is None or item.expires_at > at)


def _beginnings(text: str) -> set[str]:
    """The first letters of each word, without case and accents; Chinese characters by themselves."""
    folded = text.casefold()
    if folded.isascii():
        return {word[:_BEGINNING] for word in _ASCII_WORD.findall(folded)}
    plain = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return {
        piece
        for word in _WORD.findall(plain)
        for piece in (word if _CJK.match(word) else (word[:_BEGINNING],))
    }


_EMPTY: Final = _Shelf({}, {}, (), {}, frozenset())
