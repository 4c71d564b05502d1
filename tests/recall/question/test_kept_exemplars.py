"""Examples of questions are embedded once for all by an embedder that is far away, and kept beside the store."""

import numpy as np
import pytest

from simonides.recall.cosines import PAIRS
from simonides.recall.question.exemplars import EmbeddedExemplars
from simonides.testing import FakeEmbedder

#: No cue word tells what it asks for.
SILENT = "the deadline for the permit"


class Counting(FakeEmbedder):
    """Far away, and counts the texts that it was given."""

    def __init__(self, name="far", local=False):
        super().__init__(8, local=local, name=name)
        self.asked = 0

    def embed(self, texts):
        self.asked += len(texts)
        return super().embed(texts)


def asked(open_memory, embedder, **options):
    memory = open_memory(embedder=embedder, **options)
    before = embedder.asked
    memory.search(SILENT)
    memory.close()
    return embedder.asked - before


def test_a_store_that_is_opened_again_asks_for_the_question_alone(open_memory):
    first = asked(open_memory, Counting())
    assert first > 50
    assert asked(open_memory, Counting()) <= 2


def test_another_embedder_is_asked_anew(open_memory):
    asked(open_memory, Counting())
    assert asked(open_memory, Counting("farther")) > 50


@pytest.mark.parametrize("damage", [b"", b"junk", None])
def test_what_is_damaged_is_asked_for_again(open_memory, tmp_path, damage):
    asked(open_memory, Counting())
    kept = list(tmp_path.rglob("exemplars-*.npy"))
    assert len(kept) == 2  # Those of intents, and those by which cosines are read.
    for file in kept:
        if damage is None:
            np.save(file, np.zeros((3, 8), np.float32))
        else:
            file.write_bytes(damage)
    assert asked(open_memory, Counting()) > 50
    assert asked(open_memory, Counting()) <= 2


def test_a_near_embedder_keeps_nothing(open_memory, tmp_path):
    asked(open_memory, Counting(local=True))
    assert not list(tmp_path.rglob("exemplars-*"))


@pytest.mark.parametrize(("remembered", "again"), [(True, 0), (False, 2)])
def test_a_near_embedder_is_asked_once_for_all_memories_of_a_process(remembered, again):
    class Near(Counting):
        __hash__ = Counting.__hash__ if remembered else None

    near = Near(local=True)
    for _ in range(3):
        compared = EmbeddedExemplars(near)
        vectors, intents = compared.known(english=True)
        assert vectors.shape == (len(intents), 8)
        assert compared.scale == EmbeddedExemplars(Counting(local=True)).scale
    once = len(intents) + 2 * len(PAIRS)
    assert near.asked == once * (1 + again)
