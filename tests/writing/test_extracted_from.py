"""Memories that were taken from a chunk of a document are linked to it, with its place for evidence."""

import pytest

from simonides import Memory
from simonides.domain.link import Relation
from simonides.testing import FakeEmbedder
from tests.storage.postgres.server import running

PAGE = "# The mill\n\nIt grinds rye.\n\nIt is closed on Mondays.\n"
FACT = {"content": "The mill is closed on Mondays.", "type": "fact", "why_store": "for the plan"}


@pytest.fixture
def memory(fresh):
    with Memory(fresh, embedder=FakeEmbedder(16)) as made:
        yield made


def chunk_of(memory, corpus="notes", text=PAGE, **where):
    memory.documents.put(corpus, "mill.md", text, **where)
    [chunk] = memory.documents.chunks(corpus, "mill.md", **where)
    return chunk


def sources(memory, item_id):
    links = memory.explain(item_id).links
    return [
        (one.dst, one.evidence) for one in links if one.rel is Relation.EXTRACTED_FROM and one.src == item_id
    ]


@pytest.mark.parametrize("way", ["propose", "a source for all", "add", "chunk_ids"])
def test_what_names_a_chunk_as_its_source_is_linked_to_it_and_cited(way, memory):
    chunk = chunk_of(memory)
    match way:
        case "propose":
            result = memory.propose([FACT | {"source": chunk.id}])
        case "a source for all":
            result = memory.propose([FACT], source=chunk.id)
        case "add":
            result = memory.add(FACT["content"], type="fact", provenance={"source_id": chunk.id})
        case _:
            result = memory.add(FACT["content"], type="fact", provenance={"chunk_ids": [chunk.id]})
    [verdict] = result.verdicts
    assert sources(memory, verdict.item_id) == [(chunk.id, "mill.md:1-5")]
    assert memory.get(verdict.item_id).provenance.chunk_ids == (chunk.id,)


def test_what_is_known_gains_the_chunk_that_says_it_too(memory):
    item_id = memory.add(FACT["content"], type="fact").verdicts[0].item_id
    chunk = chunk_of(memory)
    [verdict] = memory.propose([FACT | {"source": chunk.id}]).verdicts
    assert verdict.item_id == item_id
    assert sources(memory, item_id) == [(chunk.id, "mill.md:1-5")]


def test_a_chunk_that_cannot_be_seen_is_not_linked(memory):
    """One user's document is none of another's, and what all know does not point into what one knows."""
    theirs = chunk_of(memory, scope="user:ben")
    [verdict] = memory.propose([FACT | {"source": theirs.id}], scope="user:ana").verdicts
    assert sources(memory, verdict.item_id) == []
    known = memory.add("The ferry leaves at eight.", type="fact").verdicts[0].item_id
    [again] = memory.propose(
        [FACT | {"content": "The ferry leaves at eight.", "source": theirs.id}], scope="user:ben"
    ).verdicts
    assert sources(memory, known) == []
    assert again.item_id == known or sources(memory, again.item_id) == [(theirs.id, "mill.md:1-5")]
    shared = chunk_of(memory, "shared", "It is known to all.")
    [seen] = memory.propose(
        [FACT | {"content": "All of it is known.", "source": shared.id}], scope="user:ana"
    ).verdicts
    assert sources(memory, seen.item_id) == [(shared.id, "mill.md:1")]


@pytest.mark.parametrize("source", ["api", "mill.md", "0" * 36, "01900000-0000-7000-8000-000000000000"])
def test_another_source_stays_a_name(source, memory):
    [verdict] = memory.propose([FACT | {"source": source}]).verdicts
    assert sources(memory, verdict.item_id) == []
    assert memory.get(verdict.item_id).provenance.source_id == source


def test_the_link_stays_where_the_chunk_was_replaced(memory):
    chunk = chunk_of(memory)
    [verdict] = memory.propose([FACT | {"source": chunk.id}]).verdicts
    memory.documents.put("notes", "mill.md", PAGE.replace("rye", "oat"))
    assert sources(memory, verdict.item_id) == [(chunk.id, "mill.md:1-5")]
    assert memory.get(chunk.id).superseded_by


class Meanwhile(FakeEmbedder):
    """An embedder that is busy for so long that something happens: `happens`, once."""

    happens = None

    def embed(self, texts):
        happens, self.happens = self.happens, None
        if happens is not None:
            happens()
        return super().embed(texts)


@pytest.fixture
def embedder():
    return Meanwhile(16)


@pytest.fixture(params=["file", "server"])
def where(request, tmp_path):
    if request.param == "file":
        return {"path": tmp_path / "memory.db"}
    server = running()
    return {"path": server.url, "tenant": server.new_tenant()}


def test_a_chunk_that_is_purged_meanwhile_takes_nothing_with_it(embedder, where):
    with Memory(**where, embedder=embedder) as memory:
        chunk, stays = chunk_of(memory), chunk_of(memory, "others")
        embedder.happens = lambda: memory.purge(chunk.id)
        [one, other] = memory.propose(
            [FACT | {"source": chunk.id}, FACT | {"content": "The weir was mended.", "source": stays.id}]
        ).verdicts
        assert [one.outcome, other.outcome] == ["accepted", "accepted"]
        assert sources(memory, one.item_id) == []
        assert sources(memory, other.item_id) == [(stays.id, "mill.md:1-5")]


def test_what_asks_for_a_link_to_what_is_purged_meanwhile_is_refused_alone(embedder, where):
    with Memory(**where, embedder=embedder) as memory:
        [mill] = memory.add("The mill stands by the lake.").verdicts
        embedder.happens = lambda: memory.purge(mill.item_id)
        linked = {"content": "It burnt in May.", "links": [{"to": mill.item_id, "rel": "causal"}]}
        [one, other] = memory.add([linked, {"content": "The lake is deep."}]).verdicts
        assert one.outcome == "rejected"
        assert "any more" in one.reasons[0]
        assert other.outcome == "accepted"
        assert [item.content for item in memory.list()] == ["The lake is deep."]
