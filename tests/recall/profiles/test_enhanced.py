"""The profile `enhanced`: lists joined by rank, reread, and `classic` when anything fails; by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.taxonomy import TAXONOMY
from simonides.errors import ProviderError, ProviderUnavailable
from simonides.recall.candidates import united
from simonides.recall.ranking.profiles.enhanced import Enhanced, EnhancedSettings


class Searches:
    """Answers each text with candidates, ranked by `base` (else BM25), and remembers what was asked."""

    def __init__(self, ranking, answers, relevance=None):
        self._ranking = ranking
        self._answers = answers
        self._relevance = relevance or {}
        self.asked = []

    def __call__(self, text):
        self.asked.append(text)
        found = self._answers.get(text)
        if isinstance(found, Exception):
            raise found
        table = found or self._ranking.candidates()
        relevance = self._relevance.get(text, np.zeros(len(table)))
        return table.scored({"base": table.bm25 + table.cosine}, np.asarray(relevance, float))


class Reader:
    """A reranker that scores texts by a table, or fails."""

    name = "reader"

    def __init__(self, scores):
        self._scores = scores
        self.texts = []

    def rerank(self, question, texts):
        self.texts.append((question, list(texts)))
        if isinstance(self._scores, Exception):
            raise self._scores
        if callable(self._scores):
            return self._scores(texts)
        return np.array([self._scores[text] for text in texts], np.float32)


def expansions(lexical=(), semantic=(), hypothetical=""):
    return lambda _: SimpleNamespace(lexical=lexical, semantic=semantic, hypothetical=hypothetical)


@pytest.fixture
def keyed(ranking):
    """Candidates by BM25 or cosine of each key; contents are `text <key>`."""

    def made(**columns):
        keys = sorted({key for column in columns.values() for key in column})
        sketches = [ranking.sketch(key, content=f"text {key}") for key in keys]
        return ranking.candidates(
            *sketches, **{name: [found.get(key, 0.0) for key in keys] for name, found in columns.items()}
        )

    return made


def scores(found):
    return dict(zip(found.keys.tolist(), found.score.tolist(), strict=True))


def kept(found):
    return found.keys[~found.dropped].tolist()


# Joining


def test_lists_are_joined_by_rank_the_questions_own_counting_twice(ranking, keyed):
    search = Searches(
        ranking,
        {
            "q": keyed(bm25={1: 9, 2: 8, 3: 7, 4: 6}),
            "words": keyed(bm25={4: 5, 5: 3}, cosine={9: 0.9}),
            "meaning": keyed(cosine={2: 0.9, 4: 0.8, 6: 0.7, 7: 0.6}, bm25={8: 9}),
        },
    )
    found = Enhanced(search, expansions(("words",), ("meaning",))).rank("q", TAXONOMY)
    one = 2 / 61 + 0.05  # first of the question's list: .082787
    two = 2 / 62 + 1 / 61 + 0.05  # second, and first of an expansion: .098652
    three = 2 / 63 + 0.02  # .051746
    four = 2 / 64 + 1 / 61 + 1 / 62 + 0.05  # .113772: fourth, first, second
    five = 1 / 62 + 0.02
    six = 1 / 63 + 0.02
    seven = 1 / 64  # a fourth rank brings no bonus
    expected = {1: one, 2: two, 3: three, 4: four, 5: five, 6: six, 7: seven}
    assert scores(found) == pytest.approx(
        {key: value / four for key, value in expected.items()} | {8: 0, 9: 0}
    )
    assert ranking.best(found) == [4, 2, 1, 3, 5, 6, 7]
    assert kept(found) == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]  # 8 stands in a list of meaning by words only, 9 the other way
    assert (found.steps, found.degradations) == (("expand",), ())


def test_the_bonus_for_the_best_rank_is_given_once(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={1: 2, 2: 1}), "w": keyed(bm25={1: 2, 2: 1})})
    found = Enhanced(search, expansions(("w",))).rank("q", TAXONOMY)
    assert scores(found) == pytest.approx({1: 1.0, 2: (2 / 62 + 1 / 62 + 0.02) / (2 / 61 + 1 / 61 + 0.05)})


def test_a_list_has_forty_and_what_stands_in_none_is_dropped(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={key: 100 - key for key in range(1, 61)})})
    found = Enhanced(search).rank("q", TAXONOMY)
    assert kept(found) == list(range(1, 41))
    assert ranking.best(found)[:3] == [1, 2, 3]
    assert scores(found)[40] == pytest.approx((2 / 100) / (2 / 61 + 0.05))


def test_each_text_is_searched_once_and_blank_ones_not_at_all(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={1: 1})})
    expand = expansions(("Tea", " q ", ""), ("tea ", "a drink"), "")
    Enhanced(search, expand).rank("q", TAXONOMY)
    assert search.asked == ["q", "Tea", "a drink"]


def test_a_hypothetical_answer_is_searched_for_by_its_meaning(ranking, keyed):
    answer = keyed(bm25={7: 9}, cosine={8: 0.9})
    search = Searches(ranking, {"It is in the tin.": answer})
    found = Enhanced(search, expansions(hypothetical="It is in the tin.")).rank("where is the tea?", TAXONOMY)
    assert kept(found) == [8]


def test_what_several_lists_found_keeps_what_the_question_measured(ranking, keyed):
    first, second = keyed(bm25={1: 4.0, 3: 2.0}), keyed(bm25={2: 7.0, 3: 9.0})
    both = united([first, second])
    assert both.keys.tolist() == [1, 2, 3]
    assert both.bm25.tolist() == [4.0, 7.0, 2.0]
    assert [sketch.content for sketch in both.sketches] == ["text 1", "text 2", "text 3"]
    assert both.query is first.query


def test_relevance_is_the_best_that_any_text_says(ranking, keyed):
    pools = {"q": keyed(bm25={1: 4.0, 3: 2.0}), "w": keyed(bm25={2: 7.0, 3: 9.0})}
    search = Searches(ranking, pools, {"q": [0.2, 0.3], "w": [0.4, 0.9]})
    found = Enhanced(search, expansions(("w",))).rank("q", TAXONOMY)
    assert found.relevance.tolist() == [0.2, 0.4, 0.9]


def test_nothing_found_is_nothing(ranking):
    found = Enhanced(Searches(ranking, {}), expansions(("w",)), Reader({})).rank("q", TAXONOMY)
    assert (len(found), found.score.shape, found.steps) == (0, (0,), ("expand",))


# Strong signals


@pytest.mark.parametrize(
    ("relevance", "expanded"),
    [
        ([0.85, 0.70], False),
        ([0.95, 0.80], False),
        ([1.0, 0.86], True),  # another is too near
        ([0.84, 0.10], True),  # it does not answer well enough
        ([0.10, 0.90], True),  # what answers well is not what ranks first
    ],
)
def test_a_strong_signal_needs_no_expansion(relevance, expanded, ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={1: 2, 2: 1})}, {"q": relevance})
    found = Enhanced(search, expansions(("w",))).rank("q", TAXONOMY)
    assert (found.steps == ("expand",)) is expanded
    assert search.asked == (["q", "w"] if expanded else ["q"])


def test_a_single_strong_candidate_has_nobody_near(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={1: 2})}, {"q": [0.9]})
    assert Enhanced(search, expansions(("w",))).rank("q", TAXONOMY).steps == ()


# Rereading


def test_the_reranker_counts_the_more_the_further_down(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={key: 20.0 - key for key in range(1, 13)})})
    reader = Reader({f"text {key}": float(key) for key in range(1, 13)})  # it would turn the order round
    found = Enhanced(search, reranker=reader).rank("q", TAXONOMY)
    best = 2 / 61 + 0.05
    first = 0.75 * 1 + 0.25 * 0  # first of the joined list, reread as the worst: (1 − 1)/11
    third = 0.75 * (2 / 63 + 0.02) / best + 0.25 * (2 / 11)
    fourth = 0.60 * (2 / 64) / best + 0.40 * (3 / 11)
    tenth = 0.60 * (2 / 70) / best + 0.40 * (9 / 11)
    eleventh = 0.40 * (2 / 71) / best + 0.60 * (10 / 11)
    twelfth = 0.40 * (2 / 72) / best + 0.60 * 1
    expected = {1: first, 3: third, 4: fourth, 10: tenth, 11: eleventh, 12: twelfth}
    assert {key: value for key, value in scores(found).items() if key in expected} == pytest.approx(expected)
    assert found.steps == ("rerank",)
    assert reader.texts == [("q", [f"text {key}" for key in range(1, 13)])]


def test_twenty_are_reread_and_the_others_stay_behind(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={key: 100 - key for key in range(1, 31)})})
    reader = Reader(lambda texts: np.array([0.0] * 19 + [-5.0], np.float32))
    found = Enhanced(search, reranker=reader).rank("q", TAXONOMY)
    assert len(reader.texts[0][1]) == 20
    best = 2 / 61 + 0.05
    assert scores(found)[20] == pytest.approx(0.40 * (2 / 80) / best)
    assert scores(found)[21] == pytest.approx(0.40 * (2 / 81) / best)
    assert ranking.best(found)[19:] == list(range(20, 31))


def test_a_reranker_that_says_the_same_of_all_changes_no_order(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={key: 100 - key for key in range(1, 31)})})
    found = Enhanced(search, reranker=Reader(lambda texts: np.full(len(texts), 0.7))).rank("q", TAXONOMY)
    assert ranking.best(found) == list(range(1, 31))


def test_a_title_is_read_with_its_text(ranking):
    table = ranking.candidates(ranking.sketch(1, title="Tea", content="in the tin"), bm25=[1])
    reader = Reader(lambda texts: np.ones(len(texts)))
    Enhanced(Searches(ranking, {"q": table}), reranker=reader).rank("q", TAXONOMY)
    assert reader.texts[0][1] == ["Tea\nin the tin"]


# Failing


def refuses(_):
    raise ProviderUnavailable("the model does not answer")


@pytest.mark.parametrize(
    ("expand", "reader", "why"),
    [
        (refuses, None, "the model does not answer"),
        (expansions(("broken",)), None, "the embedder is gone"),
        (None, Reader(ProviderError("reader timed out")), "reader timed out"),
        (None, Reader(lambda texts: np.ones(1)), "reader gave scores of shape (1,) for 7 texts"),
        (
            None,
            Reader(lambda texts: np.full(len(texts), np.nan)),
            "reader gave scores that are no finite numbers",
        ),
    ],
)
def test_a_model_that_fails_leaves_classic_and_is_named(expand, reader, why, ranking, keyed):
    table = keyed(bm25={key: 9.0 - key for key in range(1, 8)})
    search = Searches(ranking, {"q": table, "broken": ProviderError("the embedder is gone")})
    enhanced = Enhanced(search, expand, reader)
    found = enhanced.rank("q", TAXONOMY)
    assert found.keys is table.keys
    assert np.array_equal(found.score, enhanced.classic.rank(table, TAXONOMY).score)
    assert kept(found) == [1, 2, 3, 4, 5]
    assert found.steps == ()
    assert found.degradations == (f"enhanced: {why}; ranked by classic",)


def test_an_error_that_is_no_models_is_not_hidden(ranking, keyed):
    def broken(_):
        raise ValueError("a mistake in the program")

    with pytest.raises(ValueError, match="a mistake"):
        Enhanced(Searches(ranking, {"q": keyed(bm25={1: 1})}), broken).rank("q", TAXONOMY)


# Laws


@settings(max_examples=30)
@given(data=st.data())
def test_scores_lie_in_zero_to_one_parts_add_up_and_ties_go_by_key(data, ranking):
    first, second = data.draw(ranking.tables()), data.draw(ranking.tables())
    said = data.draw(st.lists(st.floats(-9, 9), min_size=20, max_size=20))
    search = Searches(ranking, {"q": first, "w": second})
    reader = Reader(lambda texts: np.array(said[: len(texts)])) if data.draw(st.booleans()) else None
    found = Enhanced(search, expansions(("w",), ("w2",)), reader).rank("q", TAXONOMY)
    assert found.degradations == ()
    assert ((found.score >= 0) & (found.score <= 1 + 1e-9)).all()
    assert found.score == pytest.approx(sum(found.parts.values()) * found.factor)
    assert found.keys.tolist() == sorted({*first.keys.tolist(), *second.keys.tolist()})


@settings(max_examples=30)
@given(data=st.data())
def test_the_order_of_the_expansions_does_not_matter_to_the_scores(data, ranking):
    answers = {name: data.draw(ranking.tables()) for name in ("q", "a", "b")}
    ways = [
        Enhanced(Searches(ranking, answers), expansions(order)).rank("q", TAXONOMY)
        for order in (("a", "b"), ("b", "a"))
    ]
    assert ways[0].score == pytest.approx(ways[1].score)


def test_its_numbers_are_settings(ranking, keyed):
    search = Searches(ranking, {"q": keyed(bm25={1: 3, 2: 2, 3: 1})})
    mine = EnhancedSettings(
        width=2, k=1, original=3, first=0.5, near=0, reranked=1, head=0.5, middle=0.4, tail=0.2, head_until=1,
        middle_until=1,
    )  # fmt: skip
    reader = Reader(lambda texts: np.ones(len(texts)))
    found = Enhanced(search, reranker=reader, settings=mine).rank("q", TAXONOMY)
    # Joined: 3/2 + .5 = 2, 3/3 = 1; the first alone is reread, which by itself says nothing.
    assert scores(found) == pytest.approx({1: 0.5 * 1, 2: 0.2 * 0.5, 3: 0})
