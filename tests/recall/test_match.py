"""Likeness of meaning as a share of a score: in which stores, for which questions, and for which texts."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.recall.ranking.match import (
    behind_named,
    held_beside_names,
    likeness,
    meaning_share,
    nearness,
    of_the_matter,
)

UNIT = st.floats(0, 1)
SIZE = st.integers(12, 2_000_000)
NONE = np.zeros(3)


def share(coverage, extent, entity=NONE):
    return meaning_share(np.array(coverage, float), np.array(entity, float), extent)


@given(UNIT, UNIT, SIZE, SIZE)
def test_the_share_falls_with_the_words_that_are_held_and_with_the_size_of_the_store(one, other, few, many):
    few, many = sorted((few, many))
    less, more = sorted((one, other))
    assert 0 < share([less, 0.0], many) <= share([less, 0.0], few) < 1
    assert share([more, 0.0], few) <= share([less, 0.0], few)


def test_a_dozen_statements_that_hold_no_word_of_the_question_go_by_meaning_a_large_store_by_what_was_learned():
    assert share([0.0, 0.0], 12) > 0.4
    assert share([0.0, 0.0], 100_000) < 0.05
    assert share([1.0, 0.0], 12) < 0.05
    assert share([0.0, 0.0], 2) < 0.1


@given(UNIT, SIZE)
def test_a_name_that_question_and_text_have_in_common_is_no_chance(coverage, extent):
    named = share([coverage, 0.0], extent, [0.0, 0.5])
    assert named == share([1.0, 0.0], extent) <= share([coverage, 0.0], extent)


def test_what_has_no_vector_is_as_near_as_the_others_in_the_mean():
    found = likeness(np.array([0.2, 0.0, 0.6]), np.array([True, False, True]), NONE)
    assert found[1] == pytest.approx((found[0] + found[2]) / 2)
    assert found[0] < found[1] < found[2]
    assert not likeness(np.zeros(2), np.zeros(2, bool), np.zeros(2)).any()


def test_what_is_near_to_everything_is_less_alike():
    found = likeness(np.array([0.5, 0.5]), np.array([True, True]), np.array([0.2, 0.0]))
    assert found[0] < found[1]


def unit(*rows):
    found = np.array(rows, np.float32)
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


ALONE, ALL = np.full(4, -1), np.ones(4, bool)


def test_nearness_is_the_mean_cosine_with_the_other_texts_that_have_a_vector():
    # The first is at right angles to the second and 0.2 from the third; the last has no vector.
    vectors = unit([1, 0, 0], [0, 1, 0], [0.2, 0, 0.96**0.5], [0, 0, 0])
    assert nearness(vectors, ALONE, ALL, 4) == pytest.approx([0.1, 0.0, 0.1, 0.0], abs=1e-6)
    assert not nearness(vectors[:1], ALONE[:1], ALL[:1], 1).any()
    assert not nearness(vectors, ALONE, ALL, 100_000).any()


def test_several_texts_of_one_matter_count_no_more_than_somewhat_near_ones():
    same = unit([1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0])
    assert nearness(same, ALONE, ALL, 4) == pytest.approx([0.2, 0.2, 0.2, 0.0], abs=1e-6)


def test_texts_of_a_session_are_not_held_against_each_other():
    same = unit([1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 1, 0])
    assert nearness(same, np.array([0, 0, 1, -1]), ALL, 4) == pytest.approx([0.15, 0.15, 0.2, 0.0], abs=1e-6)


@given(st.integers(1, 12), st.integers(0, 2**32))
def test_nearness_goes_by_no_order(size, seed):
    draw = np.random.default_rng(seed)
    vectors, groups = unit(*draw.normal(size=(size, 4))), draw.integers(-1, 3, size)
    rows = draw.permutation(size)
    crowd = draw.random(size) < 0.7
    turned = nearness(vectors[rows], groups[rows], crowd[rows], size)
    assert turned == pytest.approx(nearness(vectors, groups, crowd, size)[rows], abs=2e-6)


def test_whatever_else_is_ranked_changes_nothing_of_what_a_crowd_says():
    draw = np.random.default_rng(3)
    vectors, groups, crowd = unit(*draw.normal(size=(9, 4))), draw.integers(-1, 3, 9), np.arange(9) < 6
    few = nearness(vectors[:6], groups[:6], crowd[:6], 9)
    assert nearness(vectors, groups, crowd, 9)[:6] == pytest.approx(few, abs=2e-6)


def test_one_item_more_in_the_store_is_never_a_step():
    vectors = unit([1, 0, 0], [0.9, 0.1, 0], [0, 1, 0], [0.2, 0, 0.96**0.5])
    found = [nearness(vectors, ALONE, ALL, extent) for extent in range(490, 1_020)]
    assert max(abs(one - other).max() for one, other in pairwise(found)) < 0.001
    assert found[0].any()
    assert not found[-1].any()


FACTS = {
    "database": "We chose PostgreSQL 16 as the primary store for Apollo.",
    "release": "Releases are shipped every second Tuesday.",
    "mobile": "Ruben leads the iOS and Android work.",
    "review": "Code reviews must be answered within one working day.",
    "language": "The API was rewritten in Go because of memory usage.",
    "incidents": "Incidents are announced in #apollo-fire.",
    "logs": "Logs are deleted after 30 days.",
    "customer": "Nordbank is our largest account, with 38 percent of sales.",
    "price": "The Pro plan is 49 euros a user and month.",
    "remote": "Everyone comes to the office at least on Mondays and Wednesdays; the rest is up to you.",
    "call": "The all-hands takes place on the first Friday of the month.",
    "login": "Authentication goes through Okta; we keep no passwords of our own.",
    "goal": "The security audit has to be passed by the end of June.",
    "mascot": "The team's mascot is a stuffed owl.",
}


def test_a_matter_that_fewer_texts_are_about_counts_more():
    texts = ["My dog Rex is three.", "I drink green tea.", "I drink no coffee.", "The catalogue is printed."]
    pets = of_the_matter("Do I have any pets?", texts, ALL, 4)
    drinks = of_the_matter("Which beverage do I like?", texts, ALL, 4)
    assert pets[0] > drinks[1] == drinks[2] > 0
    assert not pets[1:].any()
    assert not drinks[[0, 3]].any()


def test_a_matter_of_which_both_tell_in_one_word_is_left_to_the_words():
    assert not of_the_matter("Do I have a dog?", ["My dog Rex is three."], ALL[:1], 12).any()


@given(st.integers(1, 5_000))
def test_matters_fade_with_the_size_of_the_store_and_count_nothing_in_large_ones(extent):
    texts = ["My dog Rex is three.", "The catalogue is printed."]
    now, larger = (of_the_matter("Any pets?", texts, ALL[:2], size)[0] for size in (extent, extent + 1))
    assert 0 <= now - larger < 0.1
    assert (now > 0) == (extent < 1_000)


@pytest.mark.parametrize(
    "question", ["I came home late. Do I have any pets?", f"Do I have {'very ' * 20}old pets?"]
)
def test_a_long_question_is_of_no_matter(question):
    assert not of_the_matter(question, ["My dog Rex is three."], ALL[:1], 12).any()


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Which database are we building on?", "database"),
        ("Where is our data kept?", "database"),
        ("When do new versions go live?", "release"),
        ("Why did we leave Python behind?", "language"),
    ],
)
def test_in_a_few_statements_a_word_by_chance_does_not_stand_before_what_is_meant(tmp_path, question, fact):
    with Memory(tmp_path / "team.db") as memory:
        for text in FACTS.values():
            memory.add(text)
        assert memory.search(question).hits[0].item.content == FACTS[fact]


def test_where_several_texts_have_the_name_the_rest_of_the_question_tells_how_much_meaning_counts():
    named = np.array([1.0, 1.0, 0.0])
    assert held_beside_names(np.array([0.5, 0.5, 0.0]), named) == 0.0
    assert held_beside_names(np.array([0.5, 1.0, 0.0]), named) == 1.0
    assert held_beside_names(np.array([0.5, 0.75, 0.9]), named) == 0.5
    assert held_beside_names(np.array([0.5, 0.5, 0.0]), np.array([1.0, 0.0, 0.0])) is None


@given(st.lists(st.tuples(st.floats(-20, 20), st.booleans()), min_size=1, max_size=8))
def test_nothing_gains_by_meaning_on_what_has_the_name(texts):
    alike = np.array([one for one, _ in texts])
    named = np.array([float(has) for _, has in texts])
    behind = behind_named(alike, named)
    assert (behind[named > 0] == alike[named > 0]).all()
    assert (behind <= alike).all()
    if named.any():
        assert (behind[named == 0] == np.minimum(alike, alike[named > 0].max())[named == 0]).all()


def test_what_is_told_without_the_name_is_found_among_what_only_speaks_to_somebody(tmp_path):
    """Lines of a talk kept as notes: those who are named are thanked, and of themselves they tell without a name."""
    told = {
        "tattoo stand for": "Got mine three years ago, the tattoo is a swallow and stands for coming home.",
        "medal like best": "I used to swim in competitions; the medal from Leeds is the one I am proudest of.",
        "audit begin with": "Work has been hectic, the audit starts on Monday.",
    }
    spoken = (
        "Thanks, Nora! That means a lot to me.",
        "Wow, Nora, you look so happy when you dance!",
        "Sounds great, Nora. Let's plan something special.",
        "Hey Nora, good to hear from you, what have you been up to?",
        "Yes, Nora, I'm always here to cheer you on.",
        "Glad you liked it, Nora! I can send you the recipe.",
        "Bye Nora, take care of yourself.",
        "We took the night train to Vienna and slept badly.",
    )
    with Memory(tmp_path / "talk.db") as memory:
        memory.add([*told.values(), *spoken])
        for rest, text in told.items():
            thing, *others = rest.split()
            question = f"What does Nora's {thing} {' '.join(others)}?"
            assert memory.search(question).hits[0].item.content == text, question
