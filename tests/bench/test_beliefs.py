import pytest

from benchmarks import BENCHES
from benchmarks.beliefs import beliefs


@pytest.fixture(scope="module")
def figures():
    return BENCHES["beliefs"].run([])["figures"]


def test_each_question_stands_once_and_names_beliefs_and_each_belief_is_asked_for():
    told = beliefs()
    texts = [text for text, _ in told.questions] + list(told.unanswered)
    assert len(set(texts)) == len(texts)
    assert frozenset().union(*(right for _, right in told.questions)) == set(told.texts)
    assert set(told.aliases) <= {name for names in told.about.values() for name in names}


def test_other_names_find_what_words_do_not(figures):
    assert list(figures) == ["simonides", "after a full upkeep", "without other names", "BM25", "vectors"]
    found = {way: one["means"]["R@10"] for way, one in figures.items()}
    assert found["simonides"] > found["without other names"] > found["BM25"]


def test_upkeep_takes_nothing_from_what_is_found(figures):
    assert figures["after a full upkeep"]["means"] == figures["simonides"]["means"]
