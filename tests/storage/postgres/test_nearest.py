"""Nearest vectors: what the database compares is what an index of the process compares."""

import random
from dataclasses import replace

import numpy as np
import pytest

from simonides import Memory
from simonides.config import Settings
from simonides.domain.item import Status
from simonides.domain.link import Link, Relation
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import InvalidSettings, StoreReadOnly
from simonides.ports.recalling import Nearing
from simonides.ports.store import NewItem
from simonides.recall.store_view import StoreView
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.nearest import FEW
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import FakeEmbedder, FrozenClock, an_item
from simonides.vectors.exact import ExactIndex
from simonides.vectors.registry import IndexSettings
from tests.storage.postgres.server import running

DIMENSION = 16
SCOPES = tuple(map(Scope, ("global", "user:ana", "user:bo")))


@pytest.fixture(scope="module")
def embedder():
    return FakeEmbedder(DIMENSION)


@pytest.fixture(scope="module")
def filled(embedder):
    """A store of some hundred items, of every status, some of which expire, linked at random."""
    server = running()
    drawn = random.Random(11)
    store = PostgresStore(
        PostgresAddress(url=server.url, tenant=server.new_tenant()),
        connections=server.connections,
        compares=FEW,
    )
    new = []
    for number in range(600):
        status = drawn.choices(["active", "archived", "quarantined"], [8, 1, 1])[0]
        item = an_item(
            f"text {number}",
            scope=drawn.choice(SCOPES),
            type=drawn.choice(["fact", "note"]),
            status=Status(status),
            expires_at=drawn.choice([None, None, 10**15, 5 * 10**15]),
        )
        # Some are the same: ties are ordered by key.
        vector = embedder.embed([f"text {number % 500}"])[0] if drawn.random() < 0.95 else None
        outcome = Outcome.QUARANTINED if status == "quarantined" else Outcome.ACCEPTED
        new.append(NewItem(item, outcome, vector))
    store.write(lambda tx: tx.insert(new, embedder.identity))
    ids = [one.item.id for one in new if one.item.status is Status.ACTIVE]
    links = [
        Link(src=one, dst=other, rel=Relation.CAUSAL)
        for one, other in (drawn.sample(ids, 2) for _ in range(300))
    ]
    store.write(lambda tx: [tx.link(link) for link in links])
    yield store
    store.close()


def selections(drawn):
    """Selections of every kind that a search makes."""
    while True:
        yield Selection(
            scopes=drawn.choice([None, SCOPES[:1], SCOPES[1:], (Scope("user:nobody"),)]),
            statuses=frozenset(
                drawn.sample([Status.ACTIVE, Status.ARCHIVED, Status.QUARANTINED], drawn.randint(1, 2))
            ),
            live_at=drawn.choice([None, 0, 2 * 10**15]),
            types=drawn.choice([None, None, frozenset({"fact"})]),
        )


def asked_both(store, embedder, selection, words, depth, wanted=40):
    """The same question, compared by the database and by an index of the process."""
    questions = list(embedder.embed(words))
    asking = Nearing(
        selection=selection, text=[], wanted=wanted, surrounded=5, reach=2, seeds=10,
        relations=frozenset({Relation.CAUSAL}), depth=depth,
    )  # fmt: skip
    with store.read() as reader:
        view = StoreView(reader, reader.state())
        index = ExactIndex(embedder.identity)
        index.refresh(view)
        scopes = reader.scope_keys(selection)
        near = []
        for question in questions:
            keys, cosines = index.search(question, selection, scopes, 600)
            near.append(keys[cosines > 0])
        given = reader.near(replace(asking, near=near, asked=[0] * len(near)))
        keys = [key for some in given.near for key in some.tolist()]
        expected = given, index.vectors(np.array(keys, np.int64))
    with store.read() as reader:
        reader.state()
        compared = reader.near(replace(asking, questions=questions, model=embedder.identity))
        found = compared, reader.comparer.vectors(embedder.identity, keys)
    return expected, found


def same(expected, found):
    (given, vectors), (compared, read) = expected, found
    assert [some.tolist() for some in compared.near] == [some.tolist() for some in given.near]
    assert (compared.edges, compared.passing, compared.around) == (given.edges, given.passing, given.around)
    assert np.array_equal(vectors, read)


@pytest.mark.parametrize("seed", range(25))
def test_the_database_finds_what_an_index_of_the_process_finds(filled, embedder, seed):
    drawn = random.Random(seed)
    for selection in (next(selections(drawn)) for _ in range(4)):
        words = [f"text {drawn.randrange(600)}" for _ in range(drawn.choice([1, 1, 1, 2]))]
        same(*asked_both(filled, embedder, selection, words, drawn.choice([1, 1, 2])))


def indexes(server):
    with server.owner() as owner:
        return {
            name
            for (name,) in owner.execute(
                "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'memory_embeddings_near_%'"
            )
        }


def test_many_vectors_are_compared_by_an_index_that_the_owner_makes(filled, embedder):
    """With 100 vectors for many: the index finds nearly all that comparing every vector finds."""
    server = running()
    name = filled.address.tenant
    drawn = random.Random(3)
    before = indexes(server)
    app = PostgresStore(
        PostgresAddress(url=server.url, tenant=name), connections=server.connections, compares=100
    )
    assert "makes an index" in app.describe()["index"]
    with pytest.raises(StoreReadOnly, match="owner of the tables"):
        app.index_vectors()
    owner = PostgresStore(PostgresAddress(url=server.owner_url, tenant=name), compares=100)
    assert "by an index" in owner.index_vectors()
    assert owner.index_vectors() == app.describe()["index"]
    owner.close()
    assert len(indexes(server) - before) == 1
    found = wanted = 0
    for selection in (next(selections(drawn)) for _ in range(40)):
        expected, compared = asked_both(app, embedder, selection, [f"text {drawn.randrange(600)}"], 1)
        if selection.narrow or selection.scopes is not None:
            same(expected, compared)  # Too few pass: all are compared.
        (one,), (other,) = expected[0].near, compared[0].near
        wanted += len(one)
        found += len(set(one.tolist()) & set(other.tolist()))
    assert found >= 0.95 * wanted > 100


def test_a_search_of_a_memory_takes_what_the_settings_name(server, embedder, tmp_path):
    name = server.new_tenant()
    found = []
    clock = FrozenClock("2026-03-01T12:00:00Z")
    for kind in ("auto", "pgvector", "exact"):
        settings = Settings(index=IndexSettings(kind=kind))
        with Memory(server.url, tenant=name, embedder=embedder, settings=settings, clock=clock) as memory:
            if not found:
                memory.add([f"Ana keeps note {number}." for number in range(30)], project="apollo")
                clock.advance(days=1)
            answer = memory.search("what does Ana keep", project="apollo", k=20)
            then = memory.search("what does Ana keep", project="apollo", k=20, as_of="2026-03-01T13:00:00Z")
            found.append([[hit.item.id for hit in one.hits] for one in (answer, then)])
            assert not answer.degradations
            told = memory.doctor().backend["index"]
            assert told.startswith("exact" if kind == "exact" else "pgvector, 30 of")
            assert memory.reindex() == told
    assert found[0] == found[1] == found[2]
    with pytest.raises(InvalidSettings, match="PostgreSQL"):
        Memory(tmp_path / "x.db", settings=Settings(index=IndexSettings(kind="pgvector")))


def test_a_build_that_was_broken_off_is_begun_anew(server, embedder):
    store = PostgresStore(PostgresAddress(url=server.owner_url, tenant=server.new_tenant()), compares=3)
    new = [
        NewItem(an_item(text), Outcome.ACCEPTED, embedder.embed([text])[0])
        for text in ("one", "two", "three", "four")
    ]
    store.write(lambda tx: tx.insert(new, embedder.identity))
    before = indexes(server)
    store.index_vectors()
    (made,) = indexes(server) - before
    with server.owner() as owner:
        owner.execute("UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = %s::regclass", (made,))
        owner.execute("UPDATE memory_models SET indexed = 0 WHERE tenant = %s", (store.tenant,))
    assert "by an index" in store.index_vectors()
    with server.owner() as owner:
        state = "SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass"
        assert owner.execute(state, (made,)).fetchone() == (True,)
    store.close()


def test_vectors_of_a_model_with_another_number_of_dimensions_are_taken_beside_an_index(server, embedder):
    """The first model is gone, and its key is given again."""
    store = PostgresStore(PostgresAddress(url=server.owner_url, tenant=server.new_tenant()), compares=0)

    def put(text, by):
        new = [NewItem(an_item(text), Outcome.ACCEPTED, by.embed([text])[0])]
        store.write(lambda tx: tx.insert(new, by.identity))

    put("one", embedder)
    assert "by an index" in store.index_vectors()
    store.write(lambda tx: tx.drop_vectors(embedder.identity.fingerprint))
    other = FakeEmbedder(8)
    put("two", other)
    with store.read() as reader:
        assert [model.dimension for model in dict(reader.models())] == [8]
        reader.state()
        asking = Nearing(
            selection=Selection(scopes=None, live_at=None), text=[], wanted=5, surrounded=5, reach=1,
            questions=list(other.embed(["two"])), model=other.identity,
        )  # fmt: skip
        assert len(reader.near(asking).near[0]) == 1
    store.close()
