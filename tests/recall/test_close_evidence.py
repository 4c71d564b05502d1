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
from simonides.models.registry import encoder, multilingual_encoder
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
    {"base": 0.5, "odds": 1.0, "lead": 5.0, "unmet": -1.0},
    {"e": np.array([1.0, 0.0, -0.4])},
)


@pytest.fixture
def read():
    """The likelihood of three statements that lie so near to a question."""

    def made(
        near=(0.1, 0.5, 0.2), *, likely=0.4, extent=40, weight=1.0, encoder="e", vain=NEVER, told=(), **asked
    ):
        texts = told or ("tea at noon", "a kettle of brass", "the red cup")
        sketches = [stage.sketch(n + 1, text) for n, text in enumerate(texts)]
        table = stage.candidates(*sketches, coverage=asked.pop("coverage", (0.2, 0.1, 0.0)))
        table = stage.asked_for(table, **{"content_terms": ("kettle",)} | asked)
        table = table.having(confidence=likely, vain=vain)
        table = table.having(query=replace(table.query, passing=extent))
        near = np.array(near)
        return likelihood_read(
            table, np.arange(3), Closeness(encoder, QUESTION, near, ~NEVER, weight), LEARNED
        )

    return made


def likelihood(odds):
    return pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-6)


# By hand


def test_what_was_reached_is_held_against_what_such_questions_reach(read):
    assert usual_odds(LEARNED.usual["e"], QUESTION) == pytest.approx(0.2)
    assert read() == likelihood(0.5 + log_odds(0.4) - 0.2 + 5 * 0.3)
    assert read((0.2, 0.9, 0.2)) == likelihood(0.5 + log_odds(0.4) - 0.2 + 5 * 0.7)


def test_a_number_that_is_asked_for_and_not_told_speaks_against_an_answer(read):
    without = 0.5 + log_odds(0.4) - 0.2 + 5 * 0.3 - 1
    assert read(value=True) == likelihood(without)
    assert read(value=True, told=("tea", "it holds 2 litres", "cup")) == likelihood(without + 1)
    # Of equals any may tell it.
    assert read((0.5, 0.5, 0.2), value=True, told=("tea at 3", "kettle", "cup")) == read((0.5, 0.5, 0.2))


def test_it_counts_by_the_share_that_was_read_and_by_the_size_of_the_store(read):
    full, without = 0.5 + log_odds(0.4) - 0.2 + 5 * 0.3, log_odds(0.4)
    assert read(weight=0.5) == likelihood(without + 0.5 * (full - without))
    assert read(extent=6) == likelihood(without + 0.25 * (full - without))
    assert [counts(extent) for extent in (0, 12, 64, 282, 500, 5_000)] == [0.0, 1.0, 1.0, 0.5, 0.0, 0.0]
    for unread in ({"extent": 500}, {"weight": 0.0}, {"encoder": "another"}, {"content_terms": ()}):
        assert read(**unread) == 0.4
    assert read(likely=0.0) == 0.0


def test_what_was_asked_before_is_no_evidence(read):
    vain = np.array([False, True, False])
    assert read(vain=vain) == likelihood(0.5 + log_odds(0.4) - 0.2 + 5 * 0.05)
    assert read(vain=~NEVER) == 0.4


def test_what_holds_every_word_stays_a_half_at_least(read):
    far = {"likely": 0.6, "value": True}
    whole = (1.0, 0.0, 0.0)
    assert read((0.1, 0.11, 0.1), **far) < 0.5
    assert read((0.1, 0.11, 0.1), **far, coverage=whole) == 0.5
    assert read((0.1, 0.11, 0.1), **far, coverage=whole, vain=np.array([True, False, False])) < 0.5


# Whatever the statements


SHARES = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(SHARES, st.floats(0.01, 0.99), st.integers(0, 600), st.floats(0, 1), st.floats(0, 0.5))
def test_it_is_a_likelihood_and_a_nearer_nearest_statement_never_lowers_it(
    near, likely, extent, weight, more
):
    table = _table(likely, extent)
    best = int(np.argmax(near))
    nearer = [one + more * (place == best) for place, one in enumerate(near)]
    first, second = (
        likelihood_read(
            table, np.arange(3), Closeness("e", QUESTION, np.array(some), ~NEVER, weight), LEARNED
        )
        for some in (near, nearer)
    )
    assert 0 <= first <= second + 1e-6 <= 1 + 1e-6


@given(st.permutations(range(3)), SHARES)
def test_the_order_of_statements_does_not_matter(order, near):
    table, rows = _table(0.4, 40), np.arange(3)
    turned = Closeness("e", QUESTION, np.array(near)[list(order)], ~NEVER, 1.0)
    assert likelihood_read(table, rows[list(order)], turned, LEARNED) == likelihood_read(
        table, rows, Closeness("e", QUESTION, np.array(near), ~NEVER, 1.0), LEARNED
    )


def _table(likely, extent):
    table = stage.candidates(*(stage.sketch(n + 1, f"{n} cups") for n in range(3)), coverage=(0.2, 0.1, 0.0))
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
    assert made.weights["odds"] > 0 < made.weights["lead"]
    assert made.weights["unmet"] < 0


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
