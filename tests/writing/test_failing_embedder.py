"""An embedder that fails, in whatever way: no text is lost for it, and no search is an error."""

import numpy as np
import pytest

from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderError, ProviderUnavailable
from simonides.testing import FakeEmbedder


class Moody(FakeEmbedder):
    """Fails as it is told to."""

    def __init__(self, way=None):
        super().__init__(8, name="moody")
        self.way = way

    @property
    def identity(self):
        if self.way == "identity":
            raise OSError("the file is gone")
        return EmbedderIdentity("moody", "moody-8", 8)

    def embed(self, texts):
        vectors = super().embed(texts)
        match self.way:
            case "value":
                raise ValueError("no")
            case "typed":
                raise ProviderUnavailable("the model is away")
            case "memory":
                raise MemoryError
            case "shape":
                return vectors[:, :-1]
            case "fewer":
                return vectors[:-1]
            case "flat":
                return vectors.ravel()
            case "nan":
                return np.full_like(vectors, np.nan)
            case "words":
                return [["a"] * 8 for _ in texts]
            case "none":
                return None
        return vectors


WAYS = ("value", "typed", "memory", "shape", "fewer", "flat", "nan", "words", "none", "identity")


@pytest.mark.parametrize("way", WAYS)
def test_a_text_is_stored_without_a_vector_said_by_searches_and_given_its_vector_later(open_memory, way):
    embedder = Moody(way)
    memory = open_memory(embedder=embedder)
    (note,) = memory.add("the kettle is blue").item_ids
    memory.add([{"role": "user", "content": "the lamp is green"}], session_id="s")
    (verdict,) = memory.propose([{"content": "The cup is red.", "why_store": "asked", "source": "m1"}])
    assert verdict.item_id is not None
    corrected = memory.correct(note, "the kettle is black").item_id
    found = memory.search("kettle lamp cup", k=5)
    assert {hit.item.content for hit in found} >= {"the kettle is black", "the lamp is green"}
    assert any("vectors" in said for said in found.degradations)
    with pytest.raises(ProviderError):
        memory.backfill()
    embedder.way = None
    before = memory.search("kettle")
    assert any("have none yet" in said for said in before.degradations)
    assert memory.backfill() >= 3
    assert memory.search("kettle").degradations == ()
    assert corrected in {hit.item.id for hit in memory.search("kettle")}


@pytest.mark.parametrize("way", WAYS)
def test_an_embedder_that_begins_to_fail_leaves_a_search_to_its_other_channels(open_memory, way):
    embedder = Moody()
    memory = open_memory(embedder=embedder)
    memory.add(["the kettle is blue", "the lamp is green"])
    embedder.way = way
    for profile in ("balanced", "weighted", "rrf", "enhanced"):
        found = memory.search("the colour of the kettle", profile=profile)
        assert "the kettle is blue" in [hit.item.content for hit in found]
        assert found.degradations


@pytest.mark.parametrize("way", [None, "value"])
def test_what_is_archived_or_waits_for_review_does_not_lack_a_vector(open_memory, way):
    embedder = Moody()
    memory = open_memory(embedder=embedder)
    memory.add("the kettle is blue")
    embedder.way = way
    (verdict,) = memory.propose([{"content": "The cup is red."}])
    (gone,) = memory.add("the lamp is green").item_ids
    memory.forget(gone)
    embedder.way = None
    assert memory.search("kettle").degradations == ()
    memory.review.reject(verdict.item_id)
    assert memory.search("kettle").degradations == ()
