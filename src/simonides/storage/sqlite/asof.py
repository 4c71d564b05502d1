"""The store as it was known at an instant: its revisions, put into a store in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, TypeAlias

from simonides.domain.entity import fold
from simonides.domain.item import Item, Status, Validation
from simonides.domain.scope import Scope
from simonides.domain.text import content_hash
from simonides.errors import StoreError
from simonides.language.names import names_of
from simonides.storage.sql.registry import NameRegistry, Naming, looked_up
from simonides.storage.sql.rows import COLUMNS, item_of, parsed, row_hash, to_row
from simonides.storage.sqlite.connection import connect, in_our_words
from simonides.storage.sqlite.database import SqliteDatabase
from simonides.storage.sqlite.migrate import make_schema
from simonides.storage.sqlite.moved import LOSING
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.seals import sealed_tables
from simonides.storage.sqlite.sql import Connection, table
from simonides.storage.sqlite.statements import INSERT_ITEM, insert_item, statement
from simonides.storage.sqlite.text import TextSearch

#: Entities of today that have one of some folded names, as rows of `entities_of_names`.
EntitiesNamed: TypeAlias = Callable[[Collection[str]], Iterable[Sequence[Any]]]


class PastItem(NamedTuple):
    """An item as it was, from whichever store.

    Attributes:
        revision: Number, instant, reason, run and snapshot.
        sound: Whether the snapshot is as it was written.
        vectors: Those of its text: name, fingerprint and dimension of the model, checksum and float32 values.
        mentions: Keys of the entities that its text mentions; None where that is read in what it said then.
    """

    key: int
    item: Item
    revision: tuple[Any, ...]
    sound: bool
    vectors: Sequence[tuple[Any, ...]] = ()
    mentions: Sequence[int] | None = ()


class MemoryView:
    """A read-only store in memory. Meets the reading half of `ports.store.Store`.

    Attributes:
        keep: Called instead of letting go of it; None where it is not kept.
    """

    def __init__(self, connection: Connection) -> None:
        self.keep: Callable[[], None] | None = None
        self._connection = connection
        self._text = TextSearch()

    @contextmanager
    def read(self) -> Generator[SqliteReader]:
        yield SqliteReader(self._connection, self._text)

    def close(self) -> None:
        if self.keep is None:
            self._connection.close()
        else:
            self.keep()

    @classmethod
    def of(
        cls,
        source: Connection,
        at: int,
        scopes: tuple[Scope, ...] | None,
        archive: Connection | None,
        lose: Callable[[StoreError], None],
    ) -> MemoryView:
        """The items of these scopes as their revisions stood at an instant, under their own keys.

        Items that have not changed since are copied row by row, the others are made from what they said then.
        Vectors come along where the text has not changed since; where it has, it mentions what it named then. Entities
        are named as they are today. Links, places and usage are today's and stay out.

        Args:
            archive: The archive file: what has moved there since was known then.
            lose: Told where it cannot be read.
        """
        view = connect(":memory:", key=source.key)
        view.blind = source.blind
        with view:
            make_schema(view)
            view.execute(statement("lift_uniqueness"))
            view.executemany(statement("put_scope"), source.execute(statement("scopes_by_key")))
            view.executemany(statement("put_model"), source.execute(statement("models_by_key")))
            chosen = None if scopes is None else frozenset(scopes)
            standing = _standing(source, at, chosen)
            for read, write in _COPIED:
                view.executemany(write, source.execute(read, {"keys": table(standing)}) if standing else ())
            former = _copy_former(source, view, at, chosen)
            _copy_vectors(source, view, {key: key for key in former})
            moved: dict[int, Item] = {}
            if archive is not None:
                try:
                    with in_our_words(archive.filename):
                        _copy_vectors(archive, view, _copy_moved(archive, view, at, chosen, moved))
                except LOSING as error:
                    lose(error)
            _copy_entities(source, view, former, moved)
            view.execute(statement("rebuild_text_index"))
        return cls(view)

    @classmethod
    def holding(
        cls, items: Iterable[PastItem], entities: Iterable[Sequence[Any]], named: EntitiesNamed
    ) -> MemoryView:
        """These items under their own keys, where two of them do not have the same.

        Args:
            entities: What they mention, as rows of `entities_by_key`.
            named: What items may mention of which that is read in what they said then.
        """
        view = connect(":memory:")
        renamed: dict[int, Item] = {}
        with view:
            make_schema(view)
            view.execute(statement("lift_uniqueness"))
            for past in items:
                taken = view.execute(statement("scope_of_item"), {"item": past.key}).get is not None
                key = view.execute(statement("last_item_key")).get + 1 if taken else past.key
                _put(view, key, past.item, past.revision, sound=past.sound)
                for vector in past.vectors:
                    _put_vector(view, key, *vector)
                if past.mentions is None:
                    renamed[key] = past.item
                for entity in past.mentions or ():
                    view.execute(statement("add_mention"), (key, entity, 0))
            _put_entities(view, entities)
            _name(view, renamed, named)
            view.execute(statement("rebuild_text_index"))
        return cls(view)


#: What is copied of items that have not changed since, with the statement that puts it in.
_COPIED: Final = (
    (
        statement("rows_of_items").replace(
            "/*columns*/", ", ".join(f"i.{name}" for name in (*COLUMNS, "seal"))
        ),
        insert_item(*COLUMNS, "seal"),
    ),
    (statement("last_states_of_items"), statement("add_revision")),
    (statement("vectors_by_key"), statement("put_vector")),
    (statement("mentions_of_items"), statement("add_mention")),
)


class KeptView:
    """The view that was asked for last, for whoever asks for the same again soon, before anything has changed.

    It is in nobody's hands while it is kept: a connection has one user at a time. It is a copy of the store, so it is
    let go when nobody has asked for it in a while.

    Args:
        idle_s: How long it is kept.
    """

    def __init__(self, idle_s: float = 20.0) -> None:
        self._idle_s = idle_s
        self._lock = threading.Lock()
        self._kept: tuple[object, MemoryView] | None = None
        self._timer: threading.Timer | None = None

    def take(self, what: object) -> MemoryView | None:
        """The view of this, if it is the one that is kept; any other is let go."""
        with self._lock:
            kept, self._kept = self._kept, None
            self._stop_waiting()
        if kept is not None and kept[0] != what:
            _drop(kept[1])
            return None
        return kept and kept[1]

    def lend(self, what: object, view: MemoryView) -> MemoryView:
        """Let a view come back when it is closed."""
        view.keep = lambda: self._put(what, view)
        return view

    def _put(self, what: object, view: MemoryView) -> None:
        with self._lock:
            former, self._kept = self._kept, (what, view)
            self._stop_waiting()
            self._timer = threading.Timer(self._idle_s, self._drop_idle, [view])
            self._timer.daemon = True
            self._timer.start()
        if former is not None:
            _drop(former[1])

    def drop(self) -> None:
        """Keep nothing."""
        self.take(object())

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _drop_idle(self, view: MemoryView) -> None:
        with self._lock:
            # It may have been asked for, and have come back, while the timer went off.
            if self._kept is None or self._kept[1] is not view:
                return
            self._kept = None
        _drop(view)


def _drop(view: MemoryView) -> None:
    view.keep = None
    view.close()


def _standing(source: Connection, at: int, scopes: frozenset[Scope] | None) -> list[int]:
    """Keys of items whose present state was known then."""
    rows = source.execute(statement("standing_since"), {"at": at})
    return [key for key, path in rows if scopes is None or Scope(path) in scopes]


def _copy_former(
    source: Connection, view: Connection, at: int, scopes: frozenset[Scope] | None
) -> dict[int, Item]:
    """Put in items that have changed since, as they were; them by their keys."""
    copied: dict[int, Item] = {}
    for key, text, *fields, sound in source.execute(statement("former_states_as_of"), {"at": at}):
        item = item_of(text)
        if scopes is None or item.scope in scopes:
            _put(view, key, item, (*fields, None, text), sound=bool(sound))
            copied[key] = item
    return copied


def _copy_moved(
    archive: Connection, view: Connection, at: int, scopes: frozenset[Scope] | None, moved: dict[int, Item]
) -> dict[int, int]:
    """Items that the view does not have, under their own keys where these are free; the keys they got.

    Args:
        moved: Gets them, by these keys.
    """
    keys: dict[int, int] = {}
    for key, text, *fields, sound in archive.execute(statement("states_as_of"), {"at": at}):
        item = item_of(text)
        known = view.execute(statement("key_of_item"), {"id": item.id}).get is not None
        if known or (scopes is not None and item.scope not in scopes):
            continue
        taken = view.execute(statement("scope_of_item"), {"item": key}).get is not None
        keys[key] = view.execute(statement("last_item_key")).get + 1 if taken else key
        _put(view, keys[key], item, (*fields, None, text), sound=bool(sound))
        moved[keys[key]] = item
    return keys


def _put(view: Connection, key: int, item: Item, revision: tuple[Any, ...], *, sound: bool) -> None:
    """Put in an item as a revision has it; as sealed only where the revision is as it was sealed itself."""
    path = {"path": str(item.scope)}
    if (scope_key := view.execute(statement("scope_key"), path).get) is None:
        scope_key = view.execute(statement("add_scope"), path).get
        view.execute(sealed_tables()["memory_scopes"].seal_row, (scope_key,))
    check = row_hash(revision[-1])
    row = to_row(item, scope_key, content_hash(item.type, item.content), check)
    view.execute(INSERT_ITEM, (key, *row))
    view.execute(statement("add_revision"), (key, *revision, check))
    if sound:
        view.execute(sealed_tables()["memory_items"].seal_row, (key,))


def _copy_vectors(source: Connection, view: Connection, keys: Mapping[int, int]) -> None:
    """Copy the vectors of items whose text has not changed since.

    Args:
        keys: Of the items, with those that they have in the view.
    """
    for key, there in keys.items():
        now = source.execute(statement("text_of_item"), {"item": key}).fetchone()
        if now == view.execute(statement("text_of_item"), {"item": there}).fetchone():
            for name, fingerprint, dimension, checksum, vector in source.execute(
                statement("vectors_of_item"), {"item": key}
            ).fetchall():
                _put_vector(view, there, name, fingerprint, dimension, checksum, vector)


def _put_vector(
    view: Connection, key: int, name: str, fingerprint: str, dimension: int, checksum: int, vector: bytes
) -> None:
    values = {"name": name, "fingerprint": fingerprint, "dimension": dimension}
    known = view.execute(statement("model"), {"fingerprint": fingerprint}).fetchone()
    model, *_ = known or next(view.execute(statement("add_model"), values))
    view.execute(statement("put_vector"), (key, model, checksum, vector))


def _copy_entities(
    source: Connection, view: Connection, former: Mapping[int, Item], moved: Mapping[int, Item]
) -> None:
    """Copy mentions of items that have changed since, where their names are the same, and all entities mentioned.

    Args:
        moved: Items of the archive file. Their mentions are not in the store.
    """
    renamed = dict(moved)
    for key, item in former.items():
        naming = statement("naming_of_item")
        now = source.execute(naming, {"item": key}).fetchone()
        if now != view.execute(naming, {"item": key}).fetchone():
            renamed[key] = item
            continue
        for _, entity in source.execute(statement("mentioned_by_items"), {"keys": table((key,))}):
            view.execute(statement("add_mention"), (key, entity, 0))
    entities = [key for (key,) in view.execute(statement("entities_mentioned"))]
    if entities:
        _put_entities(view, source.execute(statement("entities_by_key"), {"keys": table(entities)}))
    values = {"everywhere": True, "scope_keys": table(())}
    named = statement("entities_of_names")
    _name(view, renamed, lambda folded: source.execute(named, {"folded": table(folded), **values}))


def _name(view: Connection, renamed: Mapping[int, Item], named: EntitiesNamed) -> None:
    """Let items mention what they named then: entities of today, else such as nothing mentions any more."""
    namings = [
        Naming(
            key,
            view.execute(statement("scope_of_item"), {"item": key}).get,
            item.happened_at,
            item.updated_at,
            names_of(item),
        )
        for key, item in renamed.items()
        if item.status is not Status.QUARANTINED
        and not (item.status is Status.ARCHIVED and item.validation is Validation.RETRACTED)
    ]
    if not namings:
        return
    here = {key for (key,) in view.execute(statement("entities_mentioned"))}
    paths = {str(item.scope) for item in renamed.values()}
    rows = named(looked_up([name for naming in namings for name in naming.names]))
    _put_entities(
        view, {key: (key, *row) for _, key, *row in rows if key not in here and row[1] in paths}.values()
    )
    NameRegistry(SqliteDatabase(view)).name(namings, new=True)


def _put_entities(view: Connection, rows: Iterable[Sequence[Any]]) -> None:
    """Put in entities as rows of `entities_by_key` tell of them, with the mentions that are there by now."""
    for key, id_, path, name, type_, aliases, _, _, first, last, attributes, settled in rows:
        scope = view.execute(statement("add_scope"), {"path": path}).get
        view.execute(statement("add_entity"), (key, id_, scope, name, type_, 0, first, last))
        view.execute(
            statement("put_entity"),
            {"key": key, "aliases": aliases, "attributes": attributes, "settled": settled},
        )
        for known in (name, *parsed(aliases)):
            view.execute(statement("add_name"), (fold(known), scope, key))
        view.execute(statement("recount_mentions"), {"key": key})
