"""The ground of every test of a store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

import numpy as np

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Entity, Name
from simonides.domain.item import Item
from simonides.domain.records import Session
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import Conflict
from simonides.ports.buffer import session_of
from simonides.ports.copying import Copied
from simonides.ports.entities import EntitySelection
from simonides.ports.recalling import Opening
from simonides.ports.store import NewItem, Reader, Store, TextQuery, Writer
from simonides.testing.fakes import FakeEmbedder

#: A vector of length 1 may come back in half precision.
HALF: Final = 1e-3


class _EachInAView:
    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **fields: Any) -> Any:
            with self._store.read() as reader:
                return getattr(reader, name)(*args, **fields)

        return call


class StoreCase:
    """A store of its own for each test, and short ways to write to it and to read."""

    MODEL: Final = EmbedderIdentity("fake", "fake-8", 8)
    ANA: Final = Scope("user:ana")
    BO: Final = Scope("user:bo")

    def make_store(self, folder: Path) -> Store:
        """A new, empty store; a folder of its own is there for one that needs files."""
        raise NotImplementedError

    def setup_method(self) -> None:
        self._folder = TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.store = self.make_store(self.folder)

    def teardown_method(self) -> None:
        self.store.close()
        self._folder.cleanup()

    # What the tests below are written with

    @property
    def view(self) -> Reader:
        """A reader of which each call is a view of its own."""
        return cast("Reader", _EachInAView(self.store))

    def put(self, *items: Item, outcome: Outcome = Outcome.ACCEPTED, **fields: Any) -> None:
        """Store items, each with a vector of its text."""
        vectors = FakeEmbedder(8).embed([item.text for item in items])
        news = [NewItem(item, outcome, vector, **fields) for item, vector in zip(items, vectors, strict=True)]
        self.store.write(lambda tx: tx.insert(news, self.MODEL))

    def name(self, item: Item, *names: str | Name) -> Item:
        """Store an item that mentions these names."""
        read = tuple(name if isinstance(name, Name) else Name(name) for name in names)
        self.store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED, names=read)], None))
        return item

    def change(self, key: int, change: Callable[[Entity], Entity]) -> None:
        """Change an entity, where there is one."""
        self.store.write(lambda tx: tx.put_entity(key, change(tx.entities(EntitySelection(keys=[key]))[key])))

    def heard(self, session_id: str, scope: Scope, at: int, turns: int = 1) -> None:
        """Note that a session was heard of."""

        def write(tx: Writer) -> None:
            session = session_of(tx, scope, session_id) or Session(session_id, scope, at, at, 0)
            tx.put_session(session.heard(at, turns))

        self.store.write(write)

    def end(self, session_id: str, scope: Scope, at: int | None) -> None:
        """Note that a session is over, or goes on."""

        def write(tx: Writer) -> None:
            session = session_of(tx, scope, session_id)
            assert session is not None
            tx.put_session(replace(session, ended_at=at))

        self.store.write(write)

    def take(self, copy: Copied) -> Conflict | None:
        """Take in an item of another store; why not, where it cannot be."""
        (problem,) = self.store.write(lambda tx: tx.take_in([copy]))
        return problem

    def revise(self, item: Item, **fields: Any) -> None:
        """Store a new state of an item."""
        values: dict[str, Any] = {"reason": "test", "action": "update"}
        self.store.write(lambda tx: tx.revise(item, **(values | fields)))

    def get(self, item: Item) -> Item:
        """The item as it is stored."""
        return self.view.get([item.id])[item.id]

    def find(self, limit: int = 100, **changes: Any) -> list[str]:
        """Contents of the items that pass, newest first; the count must agree."""
        selection = self.selection(**changes)
        with self.store.read() as reader:
            found = reader.select(selection, limit=limit)
            if len(found) < limit:
                assert reader.count(selection) == len(found)
        return [item.content for item in found.values()]

    def words(
        self, *terms: str, limit: int = 100, every: bool = False, prefixes: bool = False, **changes: Any
    ) -> list[str]:
        """Contents that text search finds, best first."""
        with self.store.read() as reader:
            query = TextQuery(terms, every=every, prefixes=prefixes)
            matches = reader.search_text(query, self.selection(**changes), limit)
            assert matches.degraded is None
            assert matches.keys.dtype == np.int64
            assert (matches.scores > 0).all()
            assert (np.diff(matches.scores) <= 1e-6).all()
            items = reader.load(matches.keys.tolist())
        return [items[key].content for key in matches.keys.tolist()]

    def opening(self, *terms: str, **changes: Any) -> Opening:
        """The first request of a search for some words, with changes."""
        values: dict[str, Any] = {
            "selection": self.selection(),
            "text": TextQuery(terms),
            "width": 10,
            "long_bytes": 100,
            "long": 2,
            "too_common": 100,
            "narrow": 5,
            "pinned": 2,
        }
        return Opening(**(values | changes))

    def selection(self, **changes: Any) -> Selection:
        """A selection of everything that is active, with changes."""
        values: dict[str, Any] = {"scopes": None, "live_at": None}
        return Selection(**(values | changes))
