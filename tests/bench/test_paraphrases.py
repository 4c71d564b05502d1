import pytest

from benchmarks import BENCHES
from benchmarks.paraphrases import small_stores
from simonides.errors import InvalidInput


def test_the_stores_hold_three_hundred_questions_in_five_languages():
    stores = small_stores()
    assert sum(len(store.questions) for store in stores) >= 300
    assert {store.language for store in stores} == {"de", "en", "fr", "ru", "zh"}


def test_each_question_stands_once_and_names_a_fact():
    for store in small_stores():
        texts = [text for text, _ in store.questions] + list(store.unanswered)
        assert len(set(texts)) == len(texts), store.id
        assert {fact for _, fact in store.questions} <= set(store.facts), store.id


def test_the_bench_tells_what_each_way_of_reading_offers(capsys):
    outcome = BENCHES["paraphrases"].run(["--language", "de"])
    assert outcome["sizes"] == {"stores": 1, "facts": 14, "questions": 24, "unanswered": 8}
    overall = outcome["figures"]["overall"]
    assert list(overall) == ["simonides", "BM25", "vectors"]
    assert overall["simonides"]["in the context"] == 1.0  # A dozen facts fit into any context.
    assert 0 < overall["BM25"]["among three"] < overall["simonides"]["among three"]
    assert "24 questions in other words" in capsys.readouterr().out


def test_a_language_without_stores_is_named():
    with pytest.raises(InvalidInput, match="no store in 'fi'"):
        BENCHES["paraphrases"].run(["--language", "fi"])
