"""Parts of different documents that say much the same are linked, once, within their scope."""

import random
from collections import Counter

import numpy as np
import pytest

from simonides import Memory
from simonides.domain.item import Status
from simonides.domain.link import Relation
from simonides.upkeep.jobs import similar
from simonides.upkeep.jobs.similar import LEAST_COSINE, MOST_NEIGHBOURS

MILL = "The mill in Turku grinds rye and barley for the bakers of the harbour, every day but Monday."
FERRY = "The ferry to the islands leaves at eight in summer, and in winter not at all."


def similar_links(memory):
    return [record for record in memory.export() if record["kind"] == "link" and record["rel"] == "similar"]


def chunk(memory, path, corpus="notes", **where):
    [one] = memory.documents.chunks(corpus, path, **where)
    return one


@pytest.fixture
def memory(fresh):
    """With vectors of meaning: those of the fake embedder know equal words only."""
    with Memory(fresh) as made:
        yield made


def test_what_says_much_the_same_in_two_documents_is_linked(memory):
    for path, text in {"a.md": MILL, "b.md": f"{MILL} It is old.", "c.md": FERRY}.items():
        memory.documents.put("notes", path, text)
    run = memory.maintain(["similar"])
    [link] = similar_links(memory)
    assert (link["src"], link["dst"]) == (chunk(memory, "b.md").id, chunk(memory, "a.md").id)
    assert LEAST_COSINE <= link["weight"] < 1
    assert run.counts == {"linked": 1, "judged": 1}


def test_a_second_run_looks_at_nothing_and_an_undo_leaves_no_trace(memory):
    for path in ("a.md", "b.md"):
        memory.documents.put("notes", path, MILL)
    before = [record for record in memory.export() if record["kind"] == "link"]
    run = memory.maintain(["similar"])
    assert memory.maintain(["similar"]).counts == {}
    memory.undo(run.id)
    assert [record for record in memory.export() if record["kind"] == "link"] == before
    assert memory.maintain(["similar"]).counts == {"linked": 1, "judged": 1}


def test_a_dry_run_tells_what_the_run_does(memory):
    for n in range(4):
        memory.documents.put("notes", f"{n}.md", f"{MILL} Seen {n} times.")
    planned = memory.maintain(["similar"], dry_run=True)
    assert similar_links(memory) == []
    assert memory.maintain(["similar"]).counts == planned.counts


def test_only_what_is_new_is_compared_and_what_was_changed_is_new(memory, monkeypatch):
    for path in ("a.md", "b.md", "c.md"):
        memory.documents.put("notes", path, FERRY if path == "c.md" else MILL)
    memory.maintain(["similar"])
    seen = []
    near = similar._Chunks.near
    monkeypatch.setattr(
        similar._Chunks, "near", lambda self, seeds: seen.append(len(seeds)) or near(self, seeds)
    )
    memory.documents.put("notes", "c.md", f"{MILL} It is closed now.")
    assert memory.maintain(["similar"]).counts["linked"] == 2
    assert seen == [1]


def test_scopes_are_walls(memory):
    for owner in ("user:ana", "user:ben", "project:mill", "global"):
        memory.documents.put("notes", "a.md", MILL, scope=owner)
    assert memory.maintain(["similar"]).counts == {"judged": 4}
    memory.documents.put("more", "b.md", MILL, scope="user:ana")
    memory.documents.put("more", "b.md", MILL, scope="user:ben")
    assert memory.maintain(["similar"], scope="user:ana").counts == {"linked": 1, "judged": 1}
    [link] = similar_links(memory)
    assert {link["src"], link["dst"]} == {
        chunk(memory, "a.md", scope="user:ana").id,
        chunk(memory, "b.md", "more", scope="user:ana").id,
    }


def test_what_stands_in_one_document_or_is_linked_already_is_not_linked(memory):
    memory.documents.put("first", "a.md", f"# A\n\n{MILL * 15}\n\n# B\n\n{MILL * 15}\n")
    memory.documents.put("second", "a.md", f"# A\n\n{MILL * 15}\n\n# B\n\n{MILL * 15}\n")
    memory.documents.relate("first", "second")
    related = {
        frozenset((record["src"], record["dst"]))
        for record in memory.export()
        if record["kind"] == "link" and record["rel"] == "same_rule"
    }
    memory.maintain(["similar"])
    assert related.isdisjoint(frozenset((link["src"], link["dst"])) for link in similar_links(memory))
    corpora = {one.id: one.corpus_id for one in memory.list(types=["chunk"])}
    assert all(corpora[link["src"]] != corpora[link["dst"]] for link in similar_links(memory))


def test_chunks_without_a_vector_wait_for_one(memory, monkeypatch):
    memory.documents.put("notes", "a.md", MILL)
    memory.documents.put("notes", "b.md", MILL)
    memory.add("The mill is old.")
    with memory._parts.store.read() as reader:
        [(model, _)] = reader.models()
        key = reader.key(chunk(memory, "b.md").id)
    memory._parts.store.write(lambda tx: tx.drop_vectors(model.fingerprint, [key]))
    run = memory.maintain(["similar"])
    assert "linked" not in run.counts
    assert "embed" in run.degradations[0]
    memory.maintain(["embed"])
    assert memory.maintain(["similar"]).counts["linked"] == 1


@pytest.mark.parametrize("seed", range(6))
def test_links_are_those_of_a_comparison_of_every_pair(seed, tmp_path, monkeypatch):
    """However the chunks come, in however many runs and blocks: no pair below the bound, none of one document or
    scope with another, no chunk with too many; and a near pair is left out only where an end has its links."""
    drawn = random.Random(seed)
    monkeypatch.setattr(similar, "_SEEDS", drawn.randint(1, 5))
    monkeypatch.setattr(similar, "_BLOCK", drawn.randint(1, 5))
    words = [f"word{n}" for n in range(6)]
    with Memory(tmp_path / "memory.db") as memory:
        for _ in range(3):
            for _ in range(drawn.randint(1, 12)):
                said = (
                    " ".join(drawn.choices(words, k=4))
                    if drawn.random() < 0.7
                    else "Licensed as it is to all."
                )
                place = drawn.choice(["user:ana", "user:ben"])
                memory.documents.put("notes", f"{drawn.randint(0, 15)}.md", said, scope=place)
            memory.maintain(["similar"], scope=drawn.choice([None, "user:ana", "user:ben"]))
        memory.maintain(["similar"])
        chunks = {one.id: one for one in memory.list(types=["chunk"], archived=True, limit=1000)}
        with memory._parts.store.read() as reader:
            vectors = reader.vectors_of(memory._parts.embedder.identity.fingerprint, list(chunks))
            links = reader.links(list(chunks), [Relation.SIMILAR])
    standing = {id_ for id_, one in chunks.items() if one.status is Status.ACTIVE}
    joined = {frozenset((link.src, link.dst)) for link in links}
    degrees = Counter(end for pair in joined if pair <= standing for end in pair)
    assert all(count <= MOST_NEIGHBOURS for count in degrees.values())
    for one in sorted(chunks):
        for other in sorted(chunks):
            a, b = chunks[one], chunks[other]
            apart = a.scope != b.scope or a.provenance.source_id == b.provenance.source_id
            near = float(np.dot(vectors[one], vectors[other])) >= LEAST_COSINE + 0.002
            far = float(np.dot(vectors[one], vectors[other])) < LEAST_COSINE - 0.002
            if one < other and frozenset((one, other)) in joined:
                assert not apart
                assert not far
            elif one < other and near and not apart and {one, other} <= standing:
                full = Counter(end for pair in joined for end in pair)
                assert max(full[one], full[other]) >= MOST_NEIGHBOURS
