"""The store as it was known at an instant: its revisions, put into a store in memory."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

from simonides.domain.entity import fold
from simonides.domain.item import Item
from simonides.domain.scope import Scope
from simonides.domain.text import content_hash
from simonides.errors import StoreError
from simonides.storage.sqlite.connection import connect, in_our_words
from simonides.storage.sqlite.migrate import make_schema
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.rows import item_of, parsed, row_hash, to_row, words_of
from simonides.storage.sqlite.sql import Connection, carray
from simonides.storage.sqlite.statements import statement
from simonides.storage.sqlite.text import TextSearch
from simonides.storage.sqlite.writer import INSERT_ITEM


class MemoryView:
    """A read-only store in memory. Meets the reading half of `ports.store.Store`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._text = TextSearch()

    @contextmanager
    def read(self) -> Generator[SqliteReader]:
        yield SqliteReader(self._connection, self._text)

    def close(self) -> None:
        self._connection.close()

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

        Vectors and mentions come along where the text has not changed since, and with these the
        entities, named as they are today. Links, places and usage are today's and stay out.

        Args:
            archive: The archive file: what has moved there since was known then. Of it, mentions stay out.
            lose: Told where it cannot be read.
        """
        view = connect(":memory:")
        with view:
            make_schema(view)
            view.execute(statement("lift_uniqueness"))
            chosen = None if scopes is None else frozenset(scopes)
            _copy_items(source, view, at, chosen)
            _copy_vectors(source, view)
            _copy_entities(source, view)
            if archive is not None:
                try:
                    with in_our_words(archive.filename):
                        _copy_vectors(archive, view, _copy_moved(archive, view, at, chosen))
                except StoreError as error:
                    lose(error)
        return cls(view)


def _copy_items(source: Connection, view: Connection, at: int, scopes: frozenset[Scope] | None) -> None:
    for key, text, number, changed_at, reason in source.execute(statement("states_as_of"), {"at": at}):
        item = item_of(text)
        if scopes is not None and item.scope not in scopes:
            continue
        _put(view, key, item, (number, changed_at, reason, None, text))


def _copy_moved(
    archive: Connection, view: Connection, at: int, scopes: frozenset[Scope] | None
) -> dict[int, int]:
    """Items that the view does not have, under their own keys where these are free; the keys they got."""
    keys: dict[int, int] = {}
    for key, text, number, changed_at, reason in archive.execute(statement("states_as_of"), {"at": at}):
        item = item_of(text)
        known = view.execute(statement("key_of_item"), {"id": item.id}).get is not None
        if known or (scopes is not None and item.scope not in scopes):
            continue
        taken = view.execute(statement("scope_of_item"), {"item": key}).get is not None
        keys[key] = view.execute(statement("last_item_key")).get + 1 if taken else key
        _put(view, keys[key], item, (number, changed_at, reason, None, text))
    return keys


def _put(view: Connection, key: int, item: Item, revision: tuple[Any, ...]) -> None:
    scope_key = view.execute(statement("add_scope"), {"path": str(item.scope)}).get
    check = row_hash(revision[-1])
    row = to_row(item, scope_key, content_hash(item.type, item.content), check)
    view.execute(INSERT_ITEM, (key, *row))
    view.execute(statement("insert_item_words"), (key, *words_of(row)))
    view.execute(statement("add_revision"), (key, *revision, check))


def _copy_vectors(source: Connection, view: Connection, keys: Mapping[int, int] | None = None) -> None:
    """Copy the vectors of items whose text has not changed since.

    Args:
        keys: Of the items that are meant, with those that they have in the view; None for all, under their own.
    """
    for name, fingerprint, dimension, _ in source.execute(statement("models")):
        values = {"name": name, "fingerprint": fingerprint, "dimension": dimension}
        model, _ = next(view.execute(statement("add_model"), values))
        for item, vector in source.execute(statement("vectors_of_model"), {"fingerprint": fingerprint}):
            key = item if keys is None else keys.get(item)
            now = source.execute(statement("text_of_item"), {"item": item}).fetchone()
            if key is not None and now == view.execute(statement("text_of_item"), {"item": key}).fetchone():
                view.execute(statement("put_vector"), (key, model, zlib.crc32(vector), vector))


def _copy_entities(source: Connection, view: Connection) -> None:
    entities: set[int] = set()
    for (item,) in view.execute(statement("all_item_keys")).fetchall():
        naming = statement("naming_of_item")
        now = source.execute(naming, {"item": item}).fetchone()
        if now == view.execute(naming, {"item": item}).fetchone():
            for _, entity in source.execute(statement("mentioned_by_items"), {"keys": carray((item,))}):
                view.execute(statement("add_mention"), (item, entity, 0))
                entities.add(entity)
    if not entities:
        return
    keys = carray(tuple(sorted(entities)))
    for key, id_, path, name, type_, aliases, _, _, first, last, attributes, settled in source.execute(
        statement("entities_by_key"), {"keys": keys}
    ):
        scope = view.execute(statement("add_scope"), {"path": path}).get
        view.execute(statement("add_entity"), (key, id_, scope, name, type_, 0, first, last))
        view.execute(
            statement("put_entity"),
            {"key": key, "aliases": aliases, "attributes": attributes, "settled": settled},
        )
        for known in (name, *parsed(aliases)):
            view.execute(statement("add_name"), (fold(known), scope, key))
        view.execute(statement("recount_mentions"), {"key": key})
