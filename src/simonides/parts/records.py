"""The records of a Memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import accumulate, islice
from typing import Any, Final, TypedDict, Unpack, cast

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.document import OWN_SPACES
from simonides.domain.flag import flag
from simonides.domain.item import Item, Status, canonical_json, require_nesting
from simonides.domain.provenance import Origin
from simonides.domain.record import (
    FoundRecord,
    Index,
    Record,
    RecordPut,
    RecordVersion,
    address,
    segments,
    space_of,
    stands,
    under,
)
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.text import short_text, shown
from simonides.errors import Advice, InvalidInput
from simonides.parts.answers import search
from simonides.parts.arguments import (
    Whose,
    acting,
    checked_offset,
    count,
    finite,
    listed,
    person_or_engine,
    place_of,
    query_of,
    question,
)
from simonides.parts.purging import purge
from simonides.writing.records import READ, at_address

#: Longest time to live: three hundred years.
_LONGEST_S: Final = 1e10
_PAGE: Final = 500
_MOST_HITS: Final = 1000
_EVERY: Final = 1_000_000_000

Where = Mapping[str, Any] | Callable[[Record], bool]


class PutFields(TypedDict, total=False):
    """A value to be kept by `put_many`: a space, a key, the value, and as `put` has them `index` and `ttl`."""

    space: str | Sequence[str]
    key: str
    value: Any
    index: Index
    ttl: float | timedelta | None


class Records:
    """JSON values that programs keep under a space and a key.

    A record belongs to exactly its scope. Each put is a version; a deleted one goes to the archive, and `purge` removes
    it with every trace. Its indexed text is found by `Memory.search` as an item of type `record`.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def put(
        self,
        space: str | Sequence[str],
        key: str,
        value: Any,
        *,
        scope: str | None = None,
        index: Index = None,
        ttl: float | timedelta | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Record | None:
        """Keep a value under a key; None deletes what is there.

        Args:
            space: Where: a list of words, or `users/ana`.
            value: Anything that JSON holds.
            index: What of it searches find: every text of it if None, nothing if False, else the texts at these paths,
                such as `title`, `notes[*].text`.
            ttl: How long it lasts from the last time that it was written or read: seconds, or a timedelta.
            actor: Who keeps it. What a model keeps is trusted less, and a model changes only what a model put.

        Raises:
            InvalidInput: The value is no JSON or too large, the space is empty, or the time to live is not positive.
            InvalidText: The policy refuses it: it holds a secret, say.
            NeedsApproval: A model would change what a person put, or pinned or confirmed since.

        Guarantees:
            It is durable when this returns.
        """
        given = PutFields(space=space, key=key, value=value, index=index, ttl=ttl)
        return self.put_many([given], scope=scope, actor=actor, **whose)[0]

    def put_many(
        self,
        puts: Iterable[PutFields],
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> list[Record | None]:
        """Keep several values, and delete those of None, in their order: all of them, or none."""
        by = acting(self._parts, actor)
        origin = Origin.USER_SAID if is_person(by) else Origin.ASSISTANT_SAID
        given = [_put(one) for one in listed(puts, "puts")]
        items = self._parts.records.put(given, place_of(self.put_many, scope, whose), actor=by, origin=origin)
        return [None if item is None else Record.of(item) for item in items]

    def redacted(self, value: Any) -> Any:
        """A value as `put` takes it: a mark such as `[secret: password]` stands for each secret in it.

        Secrets are looked for in texts, numbers and names, and over the parts of a `content`; a text that is JSON stays
        JSON, and is looked through however often it is packed into JSON again. A value without any comes back as it is.

        Raises:
            InvalidInput: The value is no JSON, or is nested too deeply.
        """
        require_nesting(value, "the value")
        canonical_json(value)
        return self._parts.policy.redacted_value(value)

    def get(
        self,
        space: str | Sequence[str],
        key: str,
        *,
        scope: str | None = None,
        refresh: bool = True,
        **whose: Unpack[Whose],
    ) -> Record | None:
        """The record under a key; None where there is none, or it has expired.

        Args:
            refresh: Whether one with a time to live lasts longer for it.
        """
        place = place_of(self.get, scope, whose)
        flag(refresh, "refresh")
        known = self._item(space, key, place)
        if known is None or not stands(known, self._parts.clock.now()):
            return None
        return self._read([known], refresh=refresh)[0]

    def list(
        self,
        prefix: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        where: Where | None = None,
        limit: int = 100,
        offset: int = 0,
        refresh: bool = True,
        **whose: Unpack[Whose],
    ) -> list[Record]:
        """Records in and below a space, what was put first last.

        Args:
            prefix: The space; everything by default.
            where: Values that its own must have, by name, with `$eq`, `$ne`, `$gt`, `$gte`, `$lt`, `$lte` where they
                are compared: `{"score": {"$gte": 4}}`; or a function of a record.
        """
        most, first = count(limit, "limit"), checked_offset(offset)
        items = self._under(prefix, place_of(self.list, scope, whose), where, first + most)
        return self._read(list(islice(items, first, first + most)), refresh=refresh)

    def search(
        self,
        query: str,
        prefix: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        where: Where | None = None,
        k: int = 10,
        offset: int = 0,
        refresh: bool = True,
        **whose: Unpack[Whose],
    ) -> list[FoundRecord]:
        """Records in and below a space by how well they answer a question, best first.

        It does not abstain: what no word and no vector finds fills up, without a score.
        """
        most, first = count(k, "k"), checked_offset(offset)
        place = place_of(self.search, scope, whose)
        wanted = min(_MOST_HITS, first + most) if where is None else _MOST_HITS
        fields = {"space": space_of(prefix), "exact": True, "min_relevance": 0.0}
        read = query_of(self._parts, question(query), str(place), wanted, fields)
        result = search(self._parts, read, archived=False, statements_first=False)
        passes = _test(where)
        hits = [hit for hit in result.hits if passes(hit.item)]
        items = [hit.item for hit in hits]
        scores = dict(
            zip((item.id for item in items), accumulate((hit.relevance for hit in hits), min), strict=True)
        )
        if len(items) < first + most:
            rest = (item for item in self._under(prefix, place, where) if item.id not in scores)
            items += islice(rest, first + most - len(items))
        records = self._read(items[first : first + most], refresh=refresh)
        return [FoundRecord(record, scores.get(record.item_id)) for record in records]

    def delete(
        self,
        space: str | Sequence[str],
        key: str,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> bool:
        """Archive the record under a key; True if there was one. Its versions stay until it is purged.

        Raises:
            NeedsApproval: A model would delete what a person put, or pinned or confirmed since.
        """
        known = self._item(space, key, place_of(self.delete, scope, whose))
        self.put(space, key, None, scope=scope, actor=actor, **whose)
        return known is not None and stands(known, self._parts.clock.now())

    def history(
        self,
        space: str | Sequence[str],
        key: str,
        *,
        scope: str | None = None,
        **whose: Unpack[Whose],
    ) -> list[RecordVersion]:
        """Every version under a key, oldest first, deletions included; none where there never was any."""
        known = self._item(space, key, place_of(self.history, scope, whose))
        return [] if known is None else versions_of(self._parts, known)

    def spaces(
        self, prefix: str | Sequence[str] = (), *, scope: str | None = None, **whose: Unpack[Whose]
    ) -> list[tuple[str, ...]]:
        """Spaces in and below a space that hold a record, in alphabetical order."""
        chosen = replace(
            _within(prefix, place_of(self.spaces, scope, whose)), live_at=self._parts.clock.now()
        )
        with self._parts.reading() as reader:
            spaces = {segments(address)[:-1] for address in reader.addresses(chosen)}
        return sorted(space for space in spaces if space[0] not in OWN_SPACES)

    def sweep(self, *, scope: str | None = None, **whose: Unpack[Whose]) -> int:
        """Archive what has expired; how many records. Reads leave them out from that instant on anyhow."""
        return self._parts.records.sweep(place_of(self.sweep, scope, whose))

    def purge(
        self,
        space: str | Sequence[str],
        key: str | None = None,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Mapping[str, int]:
        """Remove a record, or all in and below a space, with their versions and every trace; it cannot be undone.

        Returns:
            Counts of what went, as `Memory.purge` gives them.

        Raises:
            InvalidInput: The space is empty, or a model is to do it.
        """
        if not space_of(space):
            raise InvalidInput(
                "name the space to purge", Advice("everything of a scope goes with {}", "purge")
            )
        by, place = person_or_engine(self._parts, actor), place_of(self.purge, scope, whose)
        if key is None:
            chosen = replace(_within(space, place), live_at=None, statuses=frozenset(Status))
            with self._parts.reading() as reader:
                ids = [item.id for item in reader.select(chosen, limit=_EVERY).values()]
        else:
            known = self._item(space, key, place)
            ids = [] if known is None else [known.id]
        return purge(self._parts, ids, None, keep_derived=False, actor=by)

    def _item(self, space: str | Sequence[str], key: str, place: Scope) -> Item | None:
        named = address(space_of(space), key)
        with self._parts.reading() as reader:
            return at_address(reader, place, named)

    def _under(
        self, prefix: str | Sequence[str], place: Scope, where: Where | None, most: int | None = None
    ) -> Iterator[Item]:
        chosen = replace(_within(prefix, place), live_at=self._parts.clock.now())
        passes, page = _test(where), _PAGE if where is not None or most is None else min(_PAGE, most)
        after: int | None = None
        while True:
            with self._parts.reading() as reader:
                rows = reader.select(chosen, limit=page, after=after)
            yield from (item for item in rows.values() if passes(item) and not _is_own(item))
            if len(rows) < page:
                return
            after = next(reversed(rows))

    def _read(self, items: Sequence[Item], *, refresh: bool) -> list[Record]:
        if not flag(refresh, "refresh"):
            return [Record.of(item) for item in items]
        read = self._parts.records.refreshed(items)
        return [Record.of(read.get(item.id, item)) for item in items]


def versions_of(parts: Parts, record: Item) -> list[RecordVersion]:
    """Every version of a record, oldest first; one that was deleted is a version without a value."""
    with parts.reading() as reader:
        revisions = reader.revisions(record.id)
    return [
        RecordVersion(
            one.number,
            None if one.item.status is Status.ARCHIVED else one.item.metadata.get("value"),
            one.at,
            one.reason,
        )
        for one in revisions
        if one.reason != READ
    ]


def _is_own(item: Item) -> bool:
    """True if a record is kept by the engine itself."""
    return segments(item.provenance.source_id or "")[0] in OWN_SPACES


def _within(space: str | Sequence[str], place: Scope) -> Selection:
    return Selection(scopes=(place,), live_at=None, space=under(space_of(space)))


def _put(given: object) -> RecordPut:
    if not isinstance(given, Mapping):
        raise InvalidInput(f"a put is a mapping with space, key and value, not {type(given).__name__}")
    fields = cast("Mapping[str, Any]", given)
    if unknown := sorted(set(fields) - set(PutFields.__annotations__)):
        raise InvalidInput(
            f"unknown field {unknown[0]!r}; a put takes {', '.join(PutFields.__annotations__)}"
        )
    index = fields.get("index")
    if isinstance(index, str) or not (index is None or isinstance(index, bool | Sequence)):
        raise InvalidInput(f"index is a list of paths, False for none, None for all; not {shown(index)}")
    put = RecordPut(
        space=space_of(fields.get("space", ())),
        key=short_text(fields.get("key"), name="the key"),
        value=fields.get("value"),
        index=cast("Index", index),
        ttl_s=_seconds(fields.get("ttl")),
    )
    address(put.space, put.key)
    if put.space[0] in OWN_SPACES:
        raise InvalidInput(
            f"the space {put.space[0]!r} is the engine's own", Advice("{} keeps documents", "documents.put")
        )
    return put


def _seconds(ttl: float | timedelta | None) -> float | None:
    if ttl is None:
        return None
    seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else finite(ttl, "ttl")
    if not 0 < seconds <= _LONGEST_S:
        raise InvalidInput(f"ttl is a number of seconds above 0, at most {_LONGEST_S:.0f}; got {ttl!r}")
    return seconds


def _test(where: Where | None) -> Callable[[Item], bool]:
    """Test of an item against what is asked of a record's value."""
    if where is None:
        return lambda _: True
    if callable(where):
        return lambda item: where(Record.of(item))
    if not isinstance(cast("object", where), Mapping):
        raise InvalidInput(f"where is a mapping such as {{'kind': 'note'}}, not {type(where).__name__}")
    require_nesting(where, "where")
    for wanted in where.values():
        _require_operators(wanted)
    return lambda item: _holds(item.metadata.get("value"), where)


def _holds(value: object, where: Mapping[str, Any]) -> bool:
    if not isinstance(value, Mapping):
        return False
    held = cast("Mapping[str, Any]", value)
    return all(_matches(held.get(name), wanted) for name, wanted in where.items())


def _matches(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        named = cast("Mapping[str, Any]", wanted)
        if any(name.startswith("$") for name in named):
            return all(_compared(value, name, bound) for name, bound in named.items())
        return _holds(value, named)
    return _equal(value, wanted)


def _equal(value: Any, wanted: Any) -> bool:
    """True if two JSON values are equal; true and 1 are two."""
    if isinstance(wanted, tuple | list):
        members = cast("Sequence[Any]", wanted)
        held = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else None
        return held is not None and len(held) == len(members) and all(map(_matches, held, members))
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)


def _compared(value: Any, operator: str, bound: Any) -> bool:
    if operator == "$eq":
        return _equal(value, bound)
    if operator == "$ne":
        return not _equal(value, bound)
    numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in (value, bound))
    if not numbers and not (isinstance(value, str) and isinstance(bound, str)):
        return False
    return _ORDERS[operator](value, bound)


_ORDERS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "$gt": lambda value, bound: value > bound,
    "$gte": lambda value, bound: value >= bound,
    "$lt": lambda value, bound: value < bound,
    "$lte": lambda value, bound: value <= bound,
}


def _require_operators(wanted: Any) -> None:
    if not isinstance(wanted, Mapping):
        return
    named = cast("Mapping[str, Any]", wanted)
    known = {"$eq", "$ne", *_ORDERS}
    if unknown := sorted(name for name in named if name.startswith("$") and name not in known):
        raise InvalidInput(f"where: unknown operator {unknown[0]!r}; use one of {', '.join(sorted(known))}")
    for inner in named.values():
        _require_operators(inner)
