"""The registry of entities: which names mean which entity, and what mentions it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from simonides.domain.entity import MAX_MENTIONS, MENTIONS_OF_A_PAGE, Entity, EntityType, Name, fold
from simonides.domain.ids import new_id
from simonides.domain.item import canonical_json
from simonides.errors import Conflict, InvalidInput, NotFound
from simonides.language.russian_names import forms
from simonides.storage.sql.database import Database
from simonides.storage.sql.entities import to_entity
from simonides.storage.sql.merges import MergeRecord, Told, separable
from simonides.storage.sql.rows import parsed
from simonides.values import dataclass

#: Names that are remembered; then it begins anew.
_MOST_KNOWN: Final = 100_000
#: The first of the scripts that are written without blanks between words.
UNSPACED: Final = "\u2e80"
_LONGEST_UNSPACED: Final = 8


class Naming(NamedTuple):
    """An item and the names it mentions.

    Attributes:
        happened_at: When what it tells happened, else when it was recorded.
    """

    item: int
    scope: int
    happened_at: int
    recorded_at: int
    names: Sequence[Name]


@dataclass(slots=True)
class _Registered:
    """An entity, as far as deciding about mentions needs."""

    key: int
    type: str
    settled: bool


@dataclass(slots=True)
class _Tally:
    """Changes that a round of namings makes to one entity."""

    mentions: int
    first_at: int
    last_at: int


class NameRegistry:
    """Registers names and mentions over the writing database; the caller holds the transaction.

    Names that were met are remembered, those that mean nothing too: most mentions are of what is known.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[tuple[int, str], _Registered | None] = {}
        #: Whether any name is written without blanks around it; None if nobody has looked.
        self._unspaced: bool | None = None
        self._version: object = None
        self._fresh: dict[int, tuple[int, str]] = {}

    def forget(self) -> None:
        """Drop what was learnt: it may have been taken back."""
        self._known.clear()
        self._unspaced = None

    def take_fresh(self) -> dict[int, tuple[int, str]]:
        """Entities that became known since this was asked last, as scope and name, by key."""
        fresh, self._fresh = self._fresh, {}
        return fresh

    # Mentions

    def name(self, namings: Sequence[Naming], *, new: bool) -> tuple[str, ...]:
        """Let items mention these names instead of what they mentioned.

        Args:
            namings: One for an item.
            new: The items are new and mention nothing yet.

        Returns:
            Ids of entities that were known before, as concepts, and whose names tell by now what they are.
        """
        if not namings:
            return ()
        self._follow_others()
        wanted = [self._candidates(naming) for naming in namings]
        self._learn(wanted, namings)
        made = _Made(self._next_key())
        meant = [
            (naming, self._meant(naming, candidates, made))
            for naming, candidates in zip(namings, wanted, strict=True)
        ]
        self._attach(meant, made, new=new)
        former = [key for key in made.guesses if key < made.first]
        return tuple(self._database.value("id_of_entity", key=key) for key in former)

    def name_more(self, namings: Sequence[Naming], only: Container[int]) -> None:
        """Let items mention those of these entities that they name, beside what they mention already."""
        self._follow_others()
        wanted = [self._candidates(naming) for naming in namings]
        self._learn(wanted, namings)
        before = self._mentioned([naming.item for naming in namings])
        more: list[tuple[Naming, dict[int, None]]] = []
        for naming, candidates in zip(namings, wanted, strict=True):
            had = before.get(naming.item, frozenset())
            known = (self._of(naming.scope, folded) for folded, _ in candidates)
            keys = dict.fromkeys(one.key for one in known if one is not None and one.key in only)
            certain = sum(not name.known_only for name in naming.names)
            room = min(max(certain, MENTIONS_OF_A_PAGE), MAX_MENTIONS) - len(had)
            more.append((naming, dict.fromkeys([key for key in keys if key not in had][: max(0, room)])))
        self._attach(more, _Made(self._next_key()), new=True)

    def mention(self, mentions: Sequence[tuple[Naming, Sequence[int]]]) -> None:
        """Let items mention these entities instead of what they mentioned."""
        if mentions:
            meant = [(naming, dict.fromkeys(keys)) for naming, keys in mentions]
            self._attach(meant, _Made(self._next_key()), new=False)

    def _attach(self, meant: Sequence[tuple[Naming, dict[int, None]]], made: _Made, *, new: bool) -> None:
        before = {} if new else self._mentioned([naming.item for naming, _ in meant])
        links: list[tuple[int, int, int]] = []
        gone: list[tuple[int, int]] = []
        gone_at: list[dict[str, int]] = []
        tallies: dict[int, _Tally] = {}
        for naming, keys in meant:
            had = before.get(naming.item, frozenset())
            for key in keys:
                if key not in had:
                    links.append((naming.item, key, naming.recorded_at))
                    _count(tallies, key, naming.happened_at)
            for key in had - keys.keys():
                gone.append((naming.item, key))
                gone_at.append({"key": key, "at": naming.happened_at})
        self._write(made, links, tallies)
        if gone:
            self._drop_mentions(gone)
            self._database.executemany("look_again_when_seen", gone_at)

    def _candidates(self, naming: Naming) -> list[tuple[str, Name]]:
        """Names with their folded form; of stretches without blanks every piece, if such a name is known."""
        candidates: list[tuple[str, Name]] = []
        for name in naming.names:
            folded = fold(name.text)
            if not (name.known_only and folded >= UNSPACED):
                candidates.append((folded, name))
            elif self._knows_unspaced():
                candidates += ((piece, name) for piece in _pieces(folded))
        return candidates

    def _meant(self, naming: Naming, candidates: Sequence[tuple[str, Name]], made: _Made) -> dict[int, None]:
        """Keys of the entities that are mentioned, the certain ones first; missing ones are made."""
        keys: dict[int, None] = {}
        perhaps: dict[str, int] = {}
        for folded, name in candidates:
            known = self._of(naming.scope, folded)
            if name.known_only:
                if known is not None:
                    perhaps[folded] = known.key
                continue
            if len(keys) >= MAX_MENTIONS or not folded:
                continue
            if known is None:
                known = self._known[naming.scope, folded] = made.entity(naming, folded, name)
                self._unspaced = self._unspaced or folded >= UNSPACED
            elif known.type == EntityType.CONCEPT and not known.settled and name.type != EntityType.CONCEPT:
                known.type = name.type.value
                made.guesses[known.key] = known.type
            keys[known.key] = None
        most = max(len(keys), MENTIONS_OF_A_PAGE)
        for folded, key in perhaps.items():
            # Of two names in one place without blanks the longer one is meant.
            within = folded >= UNSPACED and any(folded in other for other in perhaps if other != folded)
            if len(keys) < most and not within:
                keys[key] = None
        return keys

    def _of(self, scope: int, folded: str) -> _Registered | None:
        """The entity of this name, else the one that has it in another case, where that is one."""
        exact = self._known.get((scope, folded))
        if exact is not None:
            return exact
        others = (self._known.get((scope, form)) for form in forms(folded))
        known_by_key = {known.key: known for known in others if known is not None}
        return next(iter(known_by_key.values())) if len(known_by_key) == 1 else None

    def _learn(self, wanted: Sequence[Sequence[tuple[str, Name]]], namings: Sequence[Naming]) -> None:
        """Look up, in one go, the names that are not remembered."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        missing = {
            (naming.scope, form): name.known_only and folded >= UNSPACED
            for naming, candidates in zip(namings, wanted, strict=True)
            for folded, name in candidates
            for form in forms(folded)
            if (naming.scope, form) not in self._known
        }
        if not missing:
            return
        rows = self._database.execute(
            "known_names",
            {
                "folded": {folded for _, folded in missing},
                "scope_keys": {scope for scope, _ in missing},
            },
        )
        for folded, scope, key, type_, settled in rows:
            self._known[scope, folded] = _Registered(key, type_, settled == 1)
        for place, passing in missing.items():
            if not passing:
                self._known.setdefault(place, None)

    def _write(self, made: _Made, links: Sequence[tuple[int, int, int]], tallies: dict[int, _Tally]) -> None:
        if made.entities:
            rows = [
                (
                    key,
                    id_,
                    scope,
                    name,
                    made.guesses.get(key, type_),
                    tally.mentions,
                    tally.first_at,
                    tally.last_at,
                )
                for key, id_, scope, name, type_ in made.entities
                for tally in (tallies.pop(key),)
            ]
            self._database.executemany("add_entity", rows)
            self._database.executemany("add_name", made.names)
            self._fresh |= {key: (scope, name) for key, _, scope, name, _ in made.entities}
        if made.guesses:
            guesses = [(type_, key) for key, type_ in made.guesses.items() if key < made.first]
            self._database.executemany("guess_type", guesses)
        if links:
            self._database.executemany("add_mention", links)
        if tallies:
            counted = [(tally.mentions, tally.first_at, tally.last_at, key) for key, tally in tallies.items()]
            self._database.executemany("count_mentions", counted)

    def _drop_mentions(self, gone: Sequence[tuple[int, int]]) -> None:
        self._database.executemany("drop_mention", gone)
        counts = Counter(entity for _, entity in gone)
        self._database.executemany("uncount_mentions", [(count, key) for key, count in counts.items()])
        self.drop_unneeded(list(counts))

    def see_at_another_time(self, keys: Sequence[int], was: int, now: int) -> None:
        """Keep when entities were seen, where what happened at one time is said to have happened at another."""
        self._database.executemany("count_mentions", [(0, now, now, key) for key in keys])
        self._database.executemany("look_again_when_seen", [{"key": key, "at": was} for key in keys])

    def drop_unneeded(self, keys: Sequence[int]) -> None:
        """Remove those of these entities that nothing mentions and nobody said anything about."""
        for (key,) in self._database.rows("entities_that_nobody_needs", keys=keys).fetchall():
            self.remove(key)

    def remove(self, key: int) -> None:
        """Remove an entity with its names and mentions, and what was merged into it."""
        entity = self._row(key)
        for name in entity.names:
            self._do("drop_name", folded=fold(name), scope_key=entity.scope, entity=key)
        self._do("drop_mentions_of_entity", gone=key)
        self._do("drop_merged_entities", key=key)
        self._do("drop_entity", key=key)
        self.forget()

    def know(self, entity: Entity, scope: int) -> int:
        """Make an entity as another store knew it, which nothing mentions yet; its key."""
        key = self._next_key()
        for name in dict.fromkeys(map(fold, entity.names)):
            values = {"folded": name, "scope_key": scope}
            if self._database.execute("holder_of_name", values).get is not None:
                raise Conflict(f"{name!r} is the name of another entity of the scope")
        if self._database.execute("key_of_entity", {"id": entity.id}).get is not None:
            raise Conflict(f"there is an entity {entity.id} already")
        self._do(
            "add_whole_entity",
            key=key,
            id=entity.id,
            scope_key=scope,
            name=entity.name,
            type=entity.type.value,
            settled=entity.settled,
            aliases=canonical_json(list(entity.aliases)),
            summary=entity.summary,
            first_seen_at=entity.first_seen_at,
            last_seen_at=entity.last_seen_at,
            attributes=canonical_json(dict(entity.attributes)),
        )
        for name in dict.fromkeys(map(fold, entity.names)):
            self._do("claim_name", folded=name, scope_key=scope, entity=key)
        self.forget()
        return key

    # Changes by hand

    def merge(self, keep: int, gone: int) -> None:
        """Let `keep` take over the names and mentions of `gone`."""
        if keep == gone:
            raise InvalidInput("an entity cannot be merged with itself")
        kept, other = self._row(keep), self._row(gone)
        if kept.scope != other.scope:
            raise InvalidInput(
                "they belong to different scopes, and what mentions an entity stays in its scope; "
                "give one of them the other's name as an alias instead"
            )
        record = MergeRecord.made(self._database, (keep, self._entity(keep)), (gone, self._entity(gone)))
        self._do("move_names", keep=keep, scope_key=kept.scope, folded=list(map(fold, other.names)))
        self._do("move_mentions", keep=keep, gone=gone)
        self._do("drop_mentions_of_entity", gone=gone)
        self._do("point_merged_entities", keep=keep, gone=gone)
        self._do("point_run_changes", keep=keep, gone=gone)
        self._do("take_over_entity", keep=keep, gone=gone)
        self._do("make_merged", keep=keep, gone=gone, record=record.written())
        self._put_names(keep, kept.name, [*kept.aliases, *other.names])
        self._do("recount_mentions", key=keep)
        self.forget()

    def unmerge(self, gone: int, namings: Sequence[Naming]) -> None:
        """Let an entity that was merged into another be one by itself again.

        It gets back what it had, as far as that is there, and was not purged.

        Args:
            namings: Items that came since and mention the other one: their names say which of the two they mean.
        """
        keep, record = self._merge_of(gone)
        kept = self._row(keep)
        names, rest = record.names_apart(kept.names)
        if names is None or rest is None:
            raise Conflict("of one of the two no name is left; they stay one")
        mentions = dict(self._database.rows("mentions_of", entity=keep))
        self._do("move_names", keep=gone, scope_key=kept.scope, folded=list(map(fold, names)))
        self._do("make_living", key=gone, attributes=canonical_json(record.attributes))
        self._put_names(gone, names[0], names[1:])
        self._put_names(keep, rest[0], rest[1:])
        self._database.executemany("point_merged_entity", [(gone, key, keep) for key in record.merged])
        self._database.executemany("point_run_change", [(gone, *change, keep) for change in record.changes])
        self.forget()
        self._give_back(keep, gone, record, mentions)
        self._tell_apart(keep, gone, namings)
        for key in (keep, gone):
            self._do("recount_mentions", key=key)
        as_recorded = not (namings or record.known - mentions.keys() or separable(self._database, keep))
        now = Told.of(self._entity(keep))
        for key, state in ((gone, record.gone), (keep, record.kept_of(now))):
            self._put_told(key, state if as_recorded else replace(state, seen=None), now)
        self.drop_unneeded([keep, gone])

    def _merge_of(self, gone: int) -> tuple[int, MergeRecord]:
        row = next(self._database.rows("merge_of", key=gone), None)
        record = None if row is None else separable(self._database, row[0]).get(gone)
        if row is None or record is None:
            raise NotFound("there is no such merge")
        return row[0], record

    def _give_back(self, keep: int, gone: int, record: MergeRecord, mentions: Mapping[int, int]) -> None:
        """Let the items that mentioned what was merged mention it again, and it alone where they did."""
        back = [(item, gone, at) for item, at in record.mentions.items() if item in mentions]
        self._database.executemany("add_mention", back)
        alone = {item for item, _, _ in back if item not in record.others}
        self._database.executemany("drop_mention", [(item, keep) for item in sorted(alone)])
        # What was merged later and is mentioned there as well found the mention made: from now on it is by that one.
        for key, other in separable(self._database, keep).items():
            heir = alone & other.mentions.keys()
            alone -= heir
            if heir:
                self._database.executemany(
                    "add_mention", [(item, keep, other.mentions[item]) for item in heir]
                )
                self._do("put_merge", key=key, record=replace(other, others=other.others - heir).written())

    def _tell_apart(self, keep: int, gone: int, namings: Sequence[Naming]) -> None:
        """Let items mention those of the two that they name; the first, where they name neither."""
        wanted = [self._candidates(naming) for naming in namings]
        self._learn(wanted, namings)
        for naming, candidates in zip(namings, wanted, strict=True):
            known = (self._of(naming.scope, folded) for folded, _ in candidates)
            named = {one.key for one in known if one is not None} & {keep, gone}
            if gone in named:
                self._database.executemany("add_mention", [(naming.item, gone, naming.recorded_at)])
                if keep not in named:
                    self._database.executemany("drop_mention", [(naming.item, keep)])

    def _put_told(self, key: int, state: Told, joined: Told) -> None:
        """Tell of an entity what was told of it before it was joined, and when it was seen, if that is as it was."""
        self._do(
            "change_entity", key=key, type=state.type.value, settled=state.settled, summary=state.summary
        )
        first, last = state.seen or joined.seen or (0, None)
        self._do("put_seen", key=key, first=first, last=last)
        if state.seen is None:
            self._do("look_again_when_seen", key=key, at=first)

    def put(self, key: int, entity: Entity) -> None:
        """Give an entity these names, this type and summary."""
        row = self._row(key)
        held, names = (dict.fromkeys(map(fold, one)) for one in (row.names, entity.names))
        for name in names.keys() - held.keys():
            values = {"folded": name, "scope_key": row.scope}
            if self._database.value("holder_of_name", **values) is not None:
                raise Conflict(
                    f"{name!r} is the name of another entity of the scope; merge them if they are one"
                )
            self._do("claim_name", **values, entity=key)
        for name in held.keys() - names.keys():
            self._do("drop_name", folded=name, scope_key=row.scope, entity=key)
        self._put_names(key, entity.name, entity.aliases)
        self._do(
            "change_entity", key=key, type=entity.type.value, settled=entity.settled, summary=entity.summary
        )
        self.forget()

    def _put_names(self, key: int, name: str, aliases: Iterable[str]) -> None:
        distinct = {fold(alias): alias for alias in reversed(list(aliases)) if fold(alias) != fold(name)}
        self._do("put_names", key=key, name=name, aliases=canonical_json(list(distinct.values())[::-1]))

    def respell(self, key: int, names: Sequence[str]) -> None:
        """Let an entity have these names and no others, the first as its own; none is another's."""
        entity = self._row(key)
        for name in entity.names:
            self._do("drop_name", folded=fold(name), scope_key=entity.scope, entity=key)
        for name in names:
            self._do("claim_name", folded=fold(name), scope_key=entity.scope, entity=key)
        self._put_names(key, names[0], names[1:])
        self.forget()

    def mend(self) -> None:
        """Bring names, mentions and counts in step with the entities that there are."""
        self._do("drop_dangling_names")
        self._do("drop_dangling_mentions")
        names = [
            (fold(name), scope, key)
            for key, scope, own, aliases in self._database.rows("every_entity")
            for name in (own, *parsed(aliases))
        ]
        self._database.executemany("add_missing_name", names)
        self._do("recount_all_mentions")
        self.forget()

    # The file

    def _follow_others(self) -> None:
        """Forget what another process may have changed since: names move and go with merges and purges."""
        version = self._database.version()
        if version != self._version:
            self.forget()
            self._version = version

    def _knows_unspaced(self) -> bool:
        if self._unspaced is None:
            self._unspaced = bool(self._database.execute("any_unspaced_name", {"first": UNSPACED}).get)
        return self._unspaced

    def _mentioned(self, items: Sequence[int]) -> dict[int, frozenset[int]]:
        mentioned: dict[int, set[int]] = {}
        for item, entity in self._database.rows("mentioned_by_items", keys=items):
            mentioned.setdefault(item, set()).add(entity)
        return {item: frozenset(entities) for item, entities in mentioned.items()}

    def _next_key(self) -> int:
        return self._database.execute("last_entity_key").get + 1

    def _entity(self, key: int) -> Entity:
        return to_entity(next(self._database.rows("entities_by_key", keys=[key])))

    def _row(self, key: int) -> _Row:
        row = next(self._database.rows("names_of_entity", key=key), None)
        if row is None:
            raise NotFound("there is no such entity")
        return _Row(row[0], row[1], tuple(parsed(row[2])))

    def _do(self, name: str, /, **values: Any) -> None:
        self._database.execute(name, values)


def forms_of(names: Iterable[Name]) -> set[str]:
    """Folded forms under which names are looked up, but for stretches that are looked up piece by piece."""
    folded = ((fold(name.text), name.known_only) for name in names)
    return {
        form for text, known_only in folded if not (known_only and text >= UNSPACED) for form in forms(text)
    }


def looked_up(names: Iterable[Name]) -> set[str]:
    """Folded forms under which names are looked up, stretches piece by piece."""
    names = list(names)
    stretches = (fold(name.text) for name in names if name.known_only)
    return forms_of(names) | {piece for text in stretches if text >= UNSPACED for piece in _pieces(text)}


def _pieces(stretch: str) -> Iterator[str]:
    """Every piece of a stretch that is as long as names are."""
    for start in range(len(stretch) - 1):
        for end in range(start + 2, min(len(stretch), start + _LONGEST_UNSPACED) + 1):
            yield stretch[start:end]


class _Row(NamedTuple):
    scope: int
    name: str
    aliases: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


class _Made:
    """Entities and names that a round of namings makes, not yet written."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.entities: list[tuple[int, str, int, str, str]] = []
        self.names: list[tuple[str, int, int]] = []
        self.guesses: dict[int, str] = {}

    def entity(self, naming: Naming, folded: str, name: Name) -> _Registered:
        """A new entity of the item's scope."""
        key = self.first + len(self.entities)
        self.entities.append((key, new_id(naming.recorded_at), naming.scope, name.text, name.type.value))
        self.names.append((folded, naming.scope, key))
        return _Registered(key, name.type.value, settled=False)


def _count(tallies: dict[int, _Tally], key: int, at: int) -> None:
    tally = tallies.get(key)
    if tally is None:
        tallies[key] = _Tally(1, at, at)
    else:
        tally.mentions += 1
        tally.first_at = min(tally.first_at, at)
        tally.last_at = max(tally.last_at, at)
