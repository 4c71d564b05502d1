"""An embedder to which all texts lie in one direction is read on the scale by which the ranking was learned."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.embedding import EmbedderIdentity
from simonides.errors import ProviderUnavailable
from simonides.models.bundled import BundledEmbedder
from simonides.recall.cosines import PLAIN, CosineScale
from simonides.recall.question.exemplars import EmbeddedExemplars

FACTS = (
    "My dog Rex is three years old.",
    "I work at the harbour office.",
    "We fly to Gdansk on 9 August.",
    "The spare key lies under the flower pot.",
    "My sister Ida studies botany in Leiden.",
    "I pay the gardener thirty euros.",
    "The heating was serviced in October.",
    "My favourite soup is borscht.",
)
ANSWERED = (
    ("Do I have any pets?", "My dog Rex is three years old."),
    ("Which employer am I with?", "I work at the harbour office."),
    ("When is our flight?", "We fly to Gdansk on 9 August."),
    ("What does my sister do at university?", "My sister Ida studies botany in Leiden."),
)
UNANSWERED = ("Who won the chess championship?", "What is the password of the router?")


class Narrow:
    """The bundled embedder, to whose vectors all texts have a part in common; not local, so it is asked apart."""

    multilingual = True
    local = False

    def __init__(self, common, lasting=math.inf):
        self.common = common
        self.lasting = lasting
        self._plain = BundledEmbedder()

    @property
    def identity(self):
        return EmbedderIdentity(
            f"narrow-{self.common}", f"narrow-{self.common}", self._plain.identity.dimension + 1
        )

    def embed(self, texts):
        self.lasting -= 1
        if self.lasting < 0:
            raise ProviderUnavailable("the server is away")
        plain = self._plain.embed(texts)
        shared = np.where(plain.any(axis=1, keepdims=True), self.common, 0)
        vectors = np.hstack([plain, shared])
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.maximum(length, 1e-9)).astype(np.float32)


def remembering(memory):
    for fact in FACTS:
        memory.add(fact, type="fact")
    memory.maintain(jobs=["embed"])
    return memory


@pytest.mark.parametrize("common", [0.7, 1.0, 1.5])
def test_a_common_direction_changes_neither_order_nor_abstaining(tmp_path, clock, common):
    with (
        Memory(tmp_path / "plain.db", clock=clock, embedder=Narrow(0.0)) as plain,
        Memory(tmp_path / "narrow.db", clock=clock, embedder=Narrow(common)) as narrow,
    ):
        remembering(plain), remembering(narrow)
        for question, answer in ANSWERED:
            expected, found = plain.search(question), narrow.search(question)
            assert found.hits[0].item.content == expected.hits[0].item.content == answer
            assert found.confidence == pytest.approx(expected.confidence, abs=0.15)
        for question in UNANSWERED:
            expected, found = plain.search(question), narrow.search(question)
            assert found.abstained == expected.abstained
            assert found.confidence == pytest.approx(expected.confidence, abs=0.15)


def test_the_bundled_embedder_is_read_as_it_is():
    cosines = np.linspace(-1, 1, 9)
    assert EmbeddedExemplars(BundledEmbedder()).scale(cosines) is cosines
    assert PLAIN(0.3) == 0.3


@given(
    unrelated=st.floats(-1, 0.9),
    apart=st.floats(0.06, 1),
    cosines=st.lists(st.floats(-1, 1), min_size=1, max_size=9),
)
def test_a_scale_keeps_the_order_and_what_is_equal(unrelated, apart, cosines):
    scale = CosineScale(unrelated, min(unrelated + apart, 0.99))
    given = np.sort(np.array(cosines))
    assert np.all(np.diff(scale(given)) >= 0)
    assert scale(np.ones(1))[0] == pytest.approx(1.0)


def test_what_unrelated_texts_have_is_where_the_bundled_embedder_has_it():
    scale = EmbeddedExemplars(Narrow(1.0)).scale
    assert scale.unrelated == pytest.approx(0.51, abs=0.02)
    assert scale(scale.unrelated) == pytest.approx(PLAIN.unrelated)
    assert scale(scale.related) == pytest.approx(PLAIN.related)


@pytest.mark.parametrize(
    "vectors", [np.zeros((6, 3)), np.tile((0.6, 0.8), (6, 1))], ids=["none", "all alike"]
)
def test_vectors_that_tell_nothing_apart_have_no_scale(vectors):
    assert CosineScale.of_pairs(vectors.astype(np.float32)) == PLAIN


def test_where_the_scale_cannot_be_had_words_alone_answer_and_it_is_said(tmp_path, clock):
    embedder = Narrow(1.0)
    with Memory(tmp_path / "m.db", clock=clock, embedder=embedder) as memory:
        remembering(memory)
        embedder.lasting = 1
        found = memory.search("gardener")
        assert next(hit.item.content for hit in found) == "I pay the gardener thirty euros."
        assert any("away" in reason for reason in found.degradations)


def test_a_scale_equal_to_the_rankings_own_changes_nothing():
    cosines = np.linspace(-1, 1, 9)
    assert CosineScale()(cosines) is cosines
