import pytest

from benchmarks.baselines import PlainBm25, PlainVectors
from simonides.testing import FakeEmbedder

TEXTS = {
    "ferry": "The ferry leaves at seven from the old harbour",
    "harbour": "Harbour fees went up again",
    "bread": "Bake the bread for forty minutes",
    "phone": "我昨天买了一部新手机",
    "tea": "他喜欢喝绿茶",
}


@pytest.fixture
def bm25():
    return PlainBm25(TEXTS)


def test_words_are_stemmed_and_the_fuller_match_goes_first(bm25):
    assert bm25.ranking("When do ferries leave the harbour?", 5) == ["ferry", "harbour"]


def test_a_question_of_stop_words_finds_nothing(bm25):
    assert bm25.ranking("What is it that they did?", 5) == []


def test_chinese_is_found_by_pairs_of_characters(bm25):
    assert bm25.ranking("哪部手机？", 5) == ["phone"]


def test_syntax_in_a_question_is_only_text(bm25):
    assert bm25.ranking('ferry" OR NEAR(bread* -harbour', 5)[0] == "ferry"


def test_ties_stand_in_the_order_of_the_texts():
    assert PlainBm25(dict.fromkeys("cab", "same words")).ranking("same words", 5) == ["c", "a", "b"]


def test_vectors_put_the_same_text_first():
    plain = PlainVectors(TEXTS, FakeEmbedder())
    assert plain.ranking(TEXTS["tea"], 3)[0] == "tea"


def test_both_answer_the_same_every_time():
    for _ in range(2):
        assert PlainBm25(TEXTS).ranking("old bread harbour", 5) == PlainBm25(TEXTS).ranking(
            "old bread harbour", 5
        )
        first, second = (PlainVectors(TEXTS, FakeEmbedder()).ranking("old bread", 5) for _ in range(2))
        assert first == second
