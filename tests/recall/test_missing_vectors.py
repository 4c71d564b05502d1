"""Items without a vector yet: counted by every search, found out from what changed."""

import numpy as np
import pytest

from simonides.ports.recalling import ViewState
from simonides.recall.missing_vectors import MissingVectors
from simonides.testing import FakeEmbedder

MODEL = FakeEmbedder(8).identity.fingerprint


class Remote(FakeEmbedder):
    """Embeds when it is asked to catch up, and never while somebody waits."""

    def __init__(self):
        super().__init__(8, local=False)

    def embed(self, texts):
        """Embed texts; those without letters mean nothing."""
        meant = [any(character.isalpha() for character in text) for text in texts]
        return super().embed(texts) * np.array(meant, np.float32)[:, np.newaxis]


@pytest.fixture
def memory(open_memory):
    return open_memory(embedder=Remote())


def said(memory, **fields):
    return memory.search("kettle", min_relevance=0, **fields).degradations


def told(missing, of):
    return (f"vectors: {missing} of {of} items have none yet; run `simonides backfill`",)


def test_a_search_says_how_many_items_have_no_vector_until_all_have_one(memory):
    assert said(memory) == ()
    memory.add(["the kettle is blue", "the tea is green"])
    assert said(memory) == told(2, 2)
    memory.backfill()
    assert said(memory) == ()
    memory.add("a kettle of copper")
    assert said(memory) == told(1, 3)
    (hit,) = memory.search("copper kettle", k=1).hits
    memory.forget(hit.item.id)
    assert said(memory) == ()  # What is archived answers no search.
    memory.purge(hit.item.id)
    assert said(memory) == ()


def test_a_text_that_was_changed_has_no_vector_of_its_own_until_it_is_embedded(memory):
    (item,) = memory.add("the kettle is blue").item_ids
    memory.backfill()
    memory.update(item, content="the kettle is red")
    assert said(memory) == told(1, 1)
    memory.backfill()
    assert said(memory) == ()


def test_what_embeds_to_nothing_and_what_is_quarantined_lacks_none(memory):
    memory.add("the kettle is blue")
    memory.add([{"role": "user", "content": "!!!"}], session_id="s")
    memory.backfill()
    assert memory.stats()["vectors"] == {"fake": 1}
    (held,) = memory.propose([{"content": "The kettle is Gwil's."}])
    assert said(memory) == ()
    memory.review.approve(held.item_id)
    assert said(memory) == told(1, 3)


def test_who_ranks_without_vectors_is_not_told(memory):
    memory.add("the kettle is blue")
    assert said(memory, profile="classic") == said(memory, profile="hebbian") == ()
    assert said(memory, profile="weighted") == told(1, 1)


def test_another_process_that_embeds_is_noticed(memory, open_memory):
    memory.add(["the kettle is blue", "the tea is green"])
    assert said(memory) == told(2, 2)
    open_memory(embedder=Remote()).backfill()
    assert said(memory) == ()


class Watched:
    """A view of a large store that tells what was asked of it. Keys in `lacking` have no vector."""

    def __init__(self, extent, lacking=()):
        self.change = self.size = extent
        self.lacking = set(lacking)
        self.asked = []

    def state(self):
        return ViewState(
            change=self.change,
            extent=self.size,
            models=(MODEL,),
            superseded=False,
            pinned=False,
            documents=False,
            aside=False,
        )

    def count_lacking_vector(self, model):
        assert model == MODEL
        self.asked.append("count")
        return len(self.lacking), self.size

    def lacking_vector(self, model, keys, since, extent, limit):
        assert model == MODEL
        self.asked.append((sorted(keys), since, extent))
        return sorted(self.lacking)[:limit]

    def add(self, *lacking):
        self.size += 1
        self.change += 1
        self.lacking |= set(lacking)

    def take(self):
        asked, self.asked = self.asked, []
        return asked


def test_a_large_store_that_is_complete_is_counted_once_and_then_asked_for_what_changed():
    view, missing = Watched(1_000_000), MissingVectors()
    assert missing.notice(view, view.state(), MODEL) is missing.notice(view, view.state(), MODEL) is None
    assert view.take() == ["count"]
    view.add()
    assert missing.notice(view, view.state(), MODEL) is None
    assert view.take() == [([], 1_000_000, 1_000_000)]
    view.add(1_000_002)
    assert missing.notice(view, view.state(), MODEL) == told(1, "1,000,001")[0]
    view.add()
    missing.notice(view, view.state(), MODEL)
    assert view.take() == [([], 1_000_001, 1_000_001), ([1_000_002], 1_000_002, 1_000_002)]
    view.change += 1
    view.lacking.clear()
    assert missing.notice(view, view.state(), MODEL) is None


def test_of_a_large_store_that_lacks_many_they_are_counted_anew_once_all_may_be_there():
    view, missing = Watched(1_000_000, range(1, 301)), MissingVectors()
    assert missing.notice(view, view.state(), MODEL) == told(300, "1,000,000")[0]
    view.change += 299
    view.lacking = {1}
    assert missing.notice(view, view.state(), MODEL) == told(300, "1,000,000")[0]
    assert view.take() == ["count"]
    view.change += 1
    view.lacking = set()
    assert missing.notice(view, view.state(), MODEL) is None


def test_a_store_that_was_put_back_and_another_model_are_counted_anew():
    view, missing = Watched(1_000_000, [1]), MissingVectors()
    missing.notice(view, view.state(), MODEL)
    view.take()
    view.change, view.size = 10, 10
    assert missing.notice(view, view.state(), MODEL) == told(1, 10)[0]
    assert view.take()[0] == "count"
