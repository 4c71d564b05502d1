"""The confidence once statements of a small store were read closely."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.paraphrases import small_stores
from simonides import Memory
from simonides.language.value import ValueKind
from simonides.models.registry import encoder, multilingual_encoder
from simonides.recall.question.asks import Expects
from simonides.recall.ranking import close_evidence
from simonides.recall.ranking.close_evidence import (
    CloseEvidence,
    bundled,
    counts,
    likelihood_read,
    log_odds,
    packed,
    unpacked,
    usual_odds,
)
from simonides.recall.ranking.meaning import Closeness
from tests.recall import conftest as stage

NEVER = np.zeros(3, np.bool_)
QUESTION = np.array([0.6, 0.8], np.float32)
LEARNED = CloseEvidence(
    {"base": 0.5, "odds": 1.0, "best": 0.2, "undated": -0.5, "uncounted": -1.0},
    {"e": np.array([1.0, 0.0, -0.4])},
)
#: What answers a question that expects such a thing, as an analysis has it.
KINDS = {
    Expects.TIME: frozenset({ValueKind.DATE}),
    Expects.NUMBER: frozenset({ValueKind.NUMBER}),
    Expects.OTHER: frozenset({ValueKind.DATE, ValueKind.NUMBER}),
}


@pytest.fixture
def read():
    """The likelihood of three statements that lie so near to a question."""

    def made(
        scores=(-1.0, 1.5, 0.0), near=(0.1, 0.5, 0.2), *, likely=0.4, extent=40, weight=1.0, encoder="e",
        vain=NEVER, told=(), **asked
    ):  # fmt: skip
        texts = told or ("tea at noon", "a kettle of brass", "the red cup")
        sketches = [stage.sketch(n + 1, text) for n, text in enumerate(texts)]
        table = stage.candidates(*sketches, coverage=asked.pop("coverage", (0.2, 0.1, 0.0)))
        table = stage.asked_for(table, **{"content_terms": ("kettle",)} | asked)
        table = table.having(confidence=likely, vain=vain)
        table = table.having(query=replace(table.query, passing=extent))
        closeness = Closeness(encoder, QUESTION, np.array(near), np.array(near) > 0, weight)
        return likelihood_read(table, np.arange(3), closeness, np.array(scores), LEARNED)

    return made


#: Log-odds of what the fixture makes.
ALL_TOLD = 0.5 + log_odds(0.4) - 0.2 + 0.2 * 1.5


def likelihood(odds):
    return pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)


# By hand


def test_what_was_reached_is_held_against_what_such_questions_reach(read):
    assert usual_odds(LEARNED.usual["e"], QUESTION) == pytest.approx(0.2)
    assert read() == likelihood(ALL_TOLD)
    assert read((-1.0, 1.5, 4.0)) == likelihood(ALL_TOLD + 0.2 * 2.5)
    # What was not read says nothing.
    assert read((-1.0, 1.5, 4.0), near=(0.1, 0.5, 0.0)) == read()


@pytest.mark.parametrize(
    ("expects", "told", "less"),
    [
        (Expects.NUMBER, "it holds 2 litres", 0.0),
        (Expects.NUMBER, "it is version v2.3", 0.0),
        (Expects.NUMBER, "we bought it on 4 March 1985", 1.0),
        (Expects.NUMBER, "a kettle of brass", 1.0),
        (Expects.TIME, "we bought it on 4 March 1985", 0.0),
        (Expects.TIME, "tea is at 3 pm", 0.0),
        (Expects.TIME, "it holds 2 litres", 0.5),
        (Expects.OTHER, "it holds 2 litres", 0.0),
        (Expects.OTHER, "we bought it on 4 March 1985", 0.0),
        (Expects.OTHER, "a kettle of brass", 1.0),
    ],
)
def test_a_time_or_a_number_that_is_asked_for_and_not_told_speaks_against_an_answer(
    read, expects, told, less
):
    texts = ("it has 7 lids since 1990", told, "the red cup")
    assert read(values=KINDS[expects], expects=expects, told=texts) == likelihood(ALL_TOLD - less)
    assert read(expects=expects, told=texts) == likelihood(ALL_TOLD)


def test_any_of_the_nearest_three_may_tell_it(read):
    asked = {
        "values": KINDS[Expects.NUMBER],
        "expects": Expects.NUMBER,
        "told": ("2 litres", "a kettle", "the red cup"),
    }
    assert read(near=(0.43, 0.5, 0.2), **asked) == read()
    assert read(near=(0.41, 0.5, 0.2), **asked) == likelihood(ALL_TOLD - 1)


def test_it_counts_by_the_share_that_was_read_and_by_the_size_of_the_store(read):
    without = log_odds(0.4)
    assert read(weight=0.5) == likelihood(without + 0.5 * (ALL_TOLD - without))
    assert read(extent=6) == likelihood(without + 0.25 * (ALL_TOLD - without))
    assert [counts(extent) for extent in (0, 12, 64, 282, 500, 5_000)] == [0.0, 1.0, 1.0, 0.5, 0.0, 0.0]
    for unread in ({"extent": 500}, {"weight": 0.0}, {"encoder": "another"}, {"content_terms": ()}):
        assert read(**unread) == 0.4
    assert read(likely=0.0) == 0.0


def test_what_was_asked_before_is_no_evidence(read):
    assert read(vain=np.array([False, True, False])) == likelihood(ALL_TOLD - 0.2 * 1.5)
    assert read(vain=~NEVER) == 0.4


def test_what_holds_every_word_stays_a_half_at_least(read):
    far = {"likely": 0.6, "values": KINDS[Expects.NUMBER], "expects": Expects.NUMBER}
    whole = (1.0, 0.0, 0.0)
    assert read((-1.0, -0.5, -1.0), **far) < 0.5
    assert read((-1.0, -0.5, -1.0), **far, coverage=whole) == 0.5
    assert read((-1.0, -0.5, -1.0), **far, coverage=whole, vain=np.array([True, False, False])) < 0.5


# Whatever the statements


SCORES = st.lists(st.floats(-5, 5), min_size=3, max_size=3)
SHARES = st.lists(st.floats(0.01, 1), min_size=3, max_size=3)


@given(
    SCORES, st.floats(0.01, 0.99), st.integers(0, 600), st.floats(0, 1), st.integers(0, 2), st.floats(0, 5)
)
def test_it_is_a_likelihood_and_a_statement_that_fits_better_never_lowers_it(
    scores, likely, extent, weight, place, more
):
    better = [one + more * (place == number) for number, one in enumerate(scores)]
    closeness = Closeness("e", QUESTION, np.array([0.1, 0.5, 0.2]), ~NEVER, weight)
    first, second = (
        likelihood_read(_table(likely, extent), np.arange(3), closeness, np.array(some), LEARNED)
        for some in (scores, better)
    )
    assert 0 <= first <= second <= 1


@given(st.permutations(range(3)), SHARES, SCORES)
def test_the_order_of_statements_does_not_matter(order, near, scores):
    table, rows = _table(0.4, 40), np.arange(3)
    table = stage.asked_for(table, values=KINDS[Expects.NUMBER], expects=Expects.NUMBER)
    first, turned = (
        likelihood_read(
            table,
            some,
            Closeness("e", QUESTION, np.array(near)[some], ~NEVER, 1.0),
            np.array(scores)[some],
            LEARNED,
        )
        for some in (rows, rows[list(order)])
    )
    assert first == turned


def _table(likely, extent):
    table = stage.candidates(
        *(stage.sketch(n + 1, text) for n, text in enumerate(("two cups", "a cup", "cups since 1990"))),
        coverage=(0.2, 0.1, 0.0),
    )
    table = stage.asked_for(table, content_terms=("kettle",)).having(confidence=likely)
    return table.having(query=replace(table.query, passing=extent))


# What comes along


def test_what_comes_along_is_for_the_encoders_that_do_and_has_its_card():
    place = Path(close_evidence.__file__).with_name(close_evidence.WEIGHTS_FILE)
    card = json.loads(place.with_suffix(".json").read_text("utf-8"))
    made = bundled()
    assert card["weights_sha256"] == hashlib.sha256(place.read_bytes()).hexdigest()
    assert card["weights"] == made.weights
    assert all(one["licence"] and one["sha256"] for one in card["data"].values())
    encoders = {
        one().identity.fingerprint: one().identity.dimension for one in (encoder, multilingual_encoder)
    }
    assert {name: len(usual) - 1 for name, usual in made.usual.items()} == encoders
    assert made.weights["odds"] > 0 < made.weights["best"]
    assert made.weights["undated"] < 0 > made.weights["uncounted"]


def test_a_file_of_it_is_read_as_it_was_packed():
    found = unpacked(packed(bundled()))
    assert found.weights == bundled().weights
    for name, usual in bundled().usual.items():
        assert np.array_equal(found.usual[name], usual)


def test_of_questions_that_others_wrote_fewer_than_half_are_marked_though_answered(tmp_path):
    marked = asked = 0
    for one in small_stores("everyday")[:6]:
        with Memory(tmp_path / f"{one.id}.db") as memory:
            for text in one.facts.values():
                memory.add(text)
            marked += sum(memory.search(question).abstained for question, _ in one.questions)
            asked += len(one.questions)
    assert marked < 0.5 * asked
