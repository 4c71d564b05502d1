"""Nearest vectors: what the database compares is what an index of the process compares."""

import random
from dataclasses import replace

import numpy as np
import pytest

from simonides import Memory
from simonides.config import Settings
from simonides.domain.item import Status
from simonides.domain.kept import forget_texts
from simonides.domain.link import Link, Relation
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import InvalidSettings, StoreError, StoreReadOnly
from simonides.ports.recalling import Nearing
from simonides.ports.store import NewItem
from simonides.recall.gather import Gatherer
from simonides.recall.store_view import ComparedVectors, StoreView
from simonides.storage.postgres import reader as reader_module
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.nearest import FEW, NO_INDEX, SEARCHING, comparing
from simonides.storage.postgres.statements import query, with_figures
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import FakeEmbedder, FrozenClock, an_item
from simonides.vectors.exact import ExactIndex
from simonides.vectors.registry import IndexSettings
from tests.recall.test_close_reading import ASKED, FACTS
from tests.storage.postgres.network import Network
from tests.storage.postgres.server import running
from tests.storage.postgres.test_round_trips import takes

EVERYTHING = Selection(scopes=None, live_at=None)
DIMENSION = 16
#: Reads some of the items, as an encoder that stands beside the embedder does.
READING = FakeEmbedder(24)
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
            # Few of them hold already.
            valid_from=drawn.choices([10**15, None], [30, 1])[0],
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
    with store.read() as reader:
        keys = reader.keys(EVERYTHING, limit=1000)
    read = [
        (key, vector)
        for key, vector in zip(keys, READING.embed([f"read {key % 400}" for key in keys]), strict=True)
        if drawn.random() < 0.7
    ]
    store.write(lambda tx: tx.put_vectors(READING.identity, read))
    yield store
    store.close()


def nearest_by_index(view, model, questions, selection):
    """The nearest by an index of the process, and the index."""
    index = ExactIndex(model)
    index.refresh(view)
    scopes = view.reader.scope_keys(selection)
    found = [index.search(question, selection, scopes, 600) for question in questions]
    return [keys[cosines > 0] for keys, cosines in found], index


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
            begun_at=drawn.choice([None, None, 0]),
        )


def asked_both(store, embedder, selection, words, depth, wanted=40, read=None):
    """The same question, compared by the database and by indexes of the process.

    Args:
        read: It as the other model reads it: None where that is not asked, "" where it only tells of what comes.
    """
    questions = list(embedder.embed(words))
    read_question = READING.embed([read])[0] if read else None
    asking = Nearing(
        selection=selection, text=[], wanted=wanted, surrounded=5, reach=2, seeds=10,
        relations=frozenset({Relation.CAUSAL}), depth=depth,
    )  # fmt: skip
    with store.read() as reader:
        view = StoreView(reader, reader.state())
        near, index = nearest_by_index(view, embedder.identity, questions, selection)
        others = [] if read_question is None else [read_question]
        more, readings = nearest_by_index(view, READING.identity, others, selection)
        near += more
        given = reader.near(replace(asking, near=near, asked=[0] * len(near)))
        keys = [key for some in given.near for key in some.tolist()]
        vectors = [one.vectors(np.array(keys, np.int64)) for one in (index, readings)]
        expected = given, vectors
    reading = None if read is None else READING.identity
    with store.read() as reader:
        reader.state()
        compared = reader.near(
            replace(asking, questions=questions, model=embedder.identity, reading=reading, read=read_question)
        )
        models = (embedder.identity, READING.identity)
        found = compared, [reader.comparer.vectors(model, keys) for model in models]
    return expected, found


def same(expected, found):
    (given, vectors), (compared, read) = expected, found
    assert [some.tolist() for some in compared.near] == [some.tolist() for some in given.near]
    assert (compared.edges, compared.passing, compared.around) == (given.edges, given.passing, given.around)
    assert all(map(np.array_equal, vectors, read))


@pytest.mark.parametrize("seed", range(25))
def test_the_database_finds_what_an_index_of_the_process_finds(filled, embedder, seed):
    drawn = random.Random(seed)
    for selection in (next(selections(drawn)) for _ in range(4)):
        words = [f"text {drawn.randrange(600)}" for _ in range(drawn.choice([1, 1, 1, 2]))]
        read = drawn.choice([None, None, "", f"read {drawn.randrange(400)}"])
        depth, wanted = drawn.choice([1, 1, 2]), drawn.choice([40, 40, 5])
        same(*asked_both(filled, embedder, selection, words, depth, wanted, read=read))


def indexes(server):
    with server.owner() as owner:
        return {
            name
            for (name,) in owner.execute(
                "SELECT indexname FROM pg_indexes WHERE indexname LIKE 'memory_embeddings_near_%'"
            )
        }


def plan_of(store, embedder, selection):
    """Plan by which PostgreSQL answers who is nearest."""
    (question,) = embedder.embed(["text 3"])
    asking = Nearing(
        selection=selection, text=[], wanted=40, surrounded=5, reach=2, questions=[question],
        model=embedder.identity,
    )  # fmt: skip
    with store._view() as database:
        keys = dict(database.rows("scope_keys", paths=[str(scope) for scope in selection.scopes or ()]))
        conditions, values = database.conditions(selection, lambda scopes: [keys[str(one)] for one in scopes])
        (_, model, dimension), _ = sorted(database.rows("indexed_models"), key=lambda row: row[1])
        asked = with_figures(
            query("indexed", *conditions), tenant=store.tenant, model=model, dimension=dimension,
            other_model=NO_INDEX.model, other_dimension=NO_INDEX.dimension,
        )  # fmt: skip
        for setting in SEARCHING:
            database.let(setting)
        bound = values | comparing(asking, values, 100) | {"wanted": 40, "above": 0.0}
        rows = database.run(asked._replace(text=f"EXPLAIN {asked.text}"), bound).fetchall()
    return "\n".join(line for (line,) in rows)


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
    made, _ = sorted(indexes(server) - before)
    with server.owner() as owner:  # As autovacuum does.
        owner.execute("ANALYZE memory_embeddings")
    assert f"Index Scan using {made}" in plan_of(app, embedder, Selection(scopes=None, live_at=None))
    found = wanted = 0
    for selection in (next(selections(drawn)) for _ in range(40)):
        words, read = [f"text {drawn.randrange(600)}"], drawn.choice([None, f"read {drawn.randrange(400)}"])
        expected, compared = asked_both(app, embedder, selection, words, 1, read=read)
        if selection.narrow or selection.scopes is not None:
            same(expected, compared)  # Too few pass: all are compared.
        for one, other in zip(expected[0].near, compared[0].near, strict=True):
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


def holds_vectors(memory):
    """Tell if an index of the process compares the vectors of the next search."""
    seen = []
    taken = Gatherer.vectors

    def noted(gatherer, view):
        seen.append(not isinstance(given := taken(gatherer, view), ComparedVectors))
        return given

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Gatherer, "vectors", noted)
        memory.search("what does Ana keep")
    return seen[0]


def test_a_process_that_goes_on_searching_holds_few_vectors_and_finds_the_same(server, embedder, monkeypatch):
    monkeypatch.setattr(reader_module, "FEW", 40)
    name, clock, drawn = server.new_tenant(), FrozenClock("2026-03-01T12:00:00Z"), random.Random(5)
    with (
        Memory(server.url, tenant=name, embedder=embedder, clock=clock) as memory,
        Memory(server.url, tenant=name, embedder=embedder, clock=clock,
               settings=Settings(index=IndexSettings(kind="pgvector"))) as other,
    ):  # fmt: skip
        kept = [one.item_id for one in memory.add([f"Ana keeps note {n} of {n % 7}." for n in range(30)])]
        assert [holds_vectors(memory) for _ in range(9)] == [False] * 8 + [True]

        def same():
            question = f"what does Ana keep of {drawn.randrange(7)}"
            found, expected = (
                [(hit.item.id, hit.score) for hit in one.search(question, k=50).hits]
                for one in (memory, other)
            )
            assert found == expected
            return {id_ for id_, _ in found}

        for number in range(30):  # What another process changes is known at the next search.
            match drawn.randrange(5):
                case 0:
                    kept.append(other.add(f"Ana keeps a further note {number}.").item_ids[0])
                case 1:
                    other.update(drawn.choice(kept), content=f"Bo keeps what was {number}.")
                case 2:
                    other.forget(gone := kept.pop(drawn.randrange(len(kept))))
                    assert gone not in same()
                    other.restore(gone)
                    kept.append(gone)
                case 3:
                    other.purge(gone := kept.pop(drawn.randrange(len(kept))))
                    assert gone not in same()
                case _:
                    memory.correct(kept.pop(), f"Ana keeps it as {number}.")
            same()
        assert holds_vectors(memory)
        assert not any(holds_vectors(other) for _ in range(12))
        # Beyond the bound the server compares, and the process holds none.
        held = memory._parts.recall._retriever._migration.present
        assert len(held._index) > 0
        memory.add([f"Bo keeps picture {n}." for n in range(40)])
        assert not holds_vectors(memory)
        assert held._index is None
        same()


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


def filled_store(server, embedder, number):
    """A store of the owner with an index of its vectors, and a scope that holds two of them."""
    store = PostgresStore(
        PostgresAddress(
            url=f"{server.owner_url}&options=-c%20maintenance_work_mem%3D32MB",
            tenant=server.new_tenant(),
            pool_size=1,
        ),
        compares=3,
    )
    new = [
        NewItem(an_item(f"text {n}", scope=SCOPES[n > 1]), Outcome.ACCEPTED, embedder.embed([f"text {n}"])[0])
        for n in range(number)
    ]
    store.write(lambda tx: tx.insert(new, embedder.identity))
    return store, new


@pytest.mark.parametrize(("depth", "questions"), [(1, 1), (2, 1), (2, 3)])
def test_few_vectors_beside_an_index_are_compared_in_one_round_trip(server, embedder, depth, questions):
    store, _ = filled_store(server, embedder, 40)
    store.index_vectors()
    network = Network(f"{server.data}/.s.PGSQL.5432", delay_s=0.02)
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    far = PostgresStore(PostgresAddress(url=url, tenant=store.address.tenant), compares=3)
    trips = []
    for scopes, found in ((SCOPES[:1], 2), (SCOPES[1:2], 38), (None, 40)):
        asking = Nearing(
            selection=Selection(scopes=scopes, live_at=None), text=[], wanted=100, surrounded=5, reach=1, depth=depth,
            questions=list(embedder.embed(["text 1"] * questions)), model=embedder.identity,
        )  # fmt: skip
        with far.read() as reader:
            reader.state()
            reader.scope_keys(asking.selection)
            before = network.trips
            assert 1 <= len(reader.near(asking).near[0]) <= found
            trips.append(network.trips - before)
    assert trips == [1] * 3
    far.close()
    network.close()
    store.close()


def test_what_is_in_the_archive_gets_an_index_too(server, embedder):
    store, new = filled_store(server, embedder, 10)
    store.write(lambda tx: tx.set_aside([entry.item.id for entry in new[:6]]))
    before = indexes(server)
    told = store.index_vectors()
    assert "4 of fake, compared by an index" in told
    assert "6 of fake in the archive, compared by an index" in told
    key = f"_{store.tenant}_1_{DIMENSION}"
    assert {name.removeprefix("memory_embeddings_near") for name in indexes(server) - before} == {
        key, f"_-{store.tenant}_1_{DIMENSION}",
    }  # fmt: skip
    store.close()


def test_an_index_of_a_model_or_tenant_that_is_gone_is_dropped(server, embedder):
    store, _ = filled_store(server, embedder, 5)
    gone, _ = filled_store(server, embedder, 5)
    stays, _ = filled_store(server, embedder, 5)
    before = indexes(server)
    for one in (store, gone, stays):
        one.index_vectors()
    of = {
        tenant: f"memory_embeddings_near_{tenant}_1_{DIMENSION}"
        for tenant in (store.tenant, gone.tenant, stays.tenant)
    }
    assert indexes(server) - before == set(of.values())
    gone.close()
    with server.owner() as owner:
        owner.execute("DELETE FROM memory_embeddings WHERE tenant = %s", (gone.tenant,))
        owner.execute("DELETE FROM memory_tenants WHERE tenant = %s", (gone.tenant,))
    store.write(lambda tx: tx.drop_vectors(embedder.identity.fingerprint))
    app = PostgresStore(
        PostgresAddress(url=server.url, tenant=store.address.tenant),
        connections=server.connections,
        compares=3,
    )
    app.index_vectors()
    assert indexes(server) - before == set(of.values())  # It owns nothing.
    store.index_vectors()
    assert indexes(server) - before == {of[stays.tenant]}
    store.close()
    stays.close()


def test_a_build_that_fails_leaves_the_connection_as_it_was(server, embedder):
    store, _ = filled_store(server, embedder, 5)

    def memory():
        with store._connections.lend() as connection:
            return connection.execute("SHOW maintenance_work_mem").fetchone()

    before = memory()
    assert before == ("32MB",)
    name = f"memory_embeddings_near_{store.tenant}_1_{DIMENSION}"
    with server.owner() as owner:
        owner.execute(f"CREATE TABLE {name} ()")
        with pytest.raises(StoreError, match="already exists"):
            store.index_vectors()
        assert memory() == before
        owner.execute(f"DROP TABLE {name}")
    assert "by an index" in store.index_vectors()
    store.close()


def test_what_upkeep_has_read_finds_the_same_as_in_a_file_over_four_round_trips(
    server, tmp_path, monkeypatch
):
    monkeypatch.setattr("simonides.recall.gather._READ_FROM", 0)
    network = Network(f"{server.data}/.s.PGSQL.5432", delay_s=0.02)
    url = f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"
    name, found = server.new_tenant(), []
    orders = [f"The order {n} of shop {n % 17} went out." for n in range(60)]
    for address, options in ((tmp_path / "facts.db", {}), (url, {"tenant": name})):
        with Memory(address, **options) as memory:
            memory.add([{"content": text, "type": "fact"} for text in [*FACTS, *orders]])
            memory.maintain(["embed"])
            assert sorted(memory.stats()["vectors"].values()) == [len(FACTS) + len(orders)] * 2
            forget_texts()
            found.append([[hit.item.content for hit in memory.search(text, k=3)] for text, _ in ASKED])
            if options:
                # The fifth ends the view, when the search has answered.
                assert takes(5, memory, network, lambda memory=memory: memory.search(ASKED[0][0]))
    network.close()
    assert found[0] == found[1]
    assert sum(hits[0] == fact for hits, (_, fact) in zip(found[1], ASKED, strict=True)) >= len(ASKED) - 1
