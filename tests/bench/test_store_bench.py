"""The parts of the bench `store` that need a database, at sizes that say nothing but that they run."""

from benchmarks.tenants import Sizes, beside_a_big_one, by_an_index, tables
from tests.storage.postgres.server import running

SIZES = Sizes(tenants=2, items=12, big=24, vectors=120, few=60, searches=8, written=12)


def test_small_tenants_are_timed_alone_and_beside_a_big_one():
    server = running()
    found = beside_a_big_one(server.owner_url, server.url, SIZES)
    for what in ("search_ms", "add_ms"):
        alone, beside = found["alone"][what]["p95"], found["beside_the_big_one"][what]["p95"]
        assert found["ratio"][what] == beside / alone > 0
    assert found["big"] == 24
    [table] = tables({"tenants": found})
    assert len(table.rows) == 7
    assert found["of_the_big_one"]["search_ms"]["p100"] > 0


def test_an_index_is_compared_with_every_vector():
    server = running()
    texts = [f"Ana keeps note {n} about the harbour." for n in range(120)]
    found = by_an_index(
        server.owner_url, server.url, SIZES, texts, ["Who keeps notes?", "the harbour of Ana"]
    )
    assert "by an index" in found["compared_by"]
    assert found["every scope"]["recall@10"] >= 0.9
    # Too few for the index: both compare every vector.
    assert found["one tenth"]["recall@60"] == 1.0
    [table] = tables({"nearest": found})
    assert [row[0] for row in table.rows] == ["every scope", "nine tenths", "one tenth"]
