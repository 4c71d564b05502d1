"""Features: every group by hand, and what holds of them whatever the candidates."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US
from simonides.recall.question.analysis import Asks, Expects
from simonides.recall.ranking.features import GROUPS, NAMES, features
from simonides.recall.ranking.texts import held_by_session

NOW = 1_772_366_400_000_000
LONG = "```x``` my " + " ".join(["word"] * 73)
#: How much short turns take of their surroundings, by words.
TERSE = {words: 165 / (165 + words) for words in (1, 4, 7, 75)}


@pytest.fixture(scope="session")
def kitchen(stage):
    """Three turns of a session, a pinned note, and a long answer of another session; two words are asked for."""
    day = DAY_US
    told = {"type": "episode", "role": "user", "session_id": "s"}
    answered = {"type": "episode", "role": "assistant"}
    turns = [
        stage.sketch(1, "Where is my kettle?", **told, ordinal=0, event_at=NOW - 3 * day),
        stage.sketch(
            2,
            "The blue kettle is on shelf 3.",
            **answered,
            session_id="s",
            ordinal=1,
            event_at=NOW - 3 * day,
        ),
        stage.sketch(3, "I bought it yesterday.", **told, ordinal=2, event_at=NOW - day),
        stage.sketch(4, "kettle", pinned=1),
        stage.sketch(5, LONG, **answered, session_id="t", ordinal=0, event_at=NOW + day),
    ]
    none = [-1] * 5
    return stage.candidates(
        *turns,
        matches=[
            stage.match(
                [[1, 0], [1, 1], [0, 0], [2, 0], [0, 3]],
                weights=[0.75, 0.25],
                phrases=[0, 1, 0, 0, 0],
                cosine=[0.5, 0.8, 0.0, 0.3, 0.1],
            )
        ],
        tokens=[
            ["where", "kettle"], ["blue", "kettle", "shelf"], ["bought", "yesterdai"], ["kettle"],
            ["blue", "shelf", "two"],
        ],
        lengths=[4, 6, 4, 1, 75],
        neighbours={-1: [-1, 0, 1, -1, -1], 1: [1, 2, -1, -1, -1], -2: [-1, -1, 0, -1, -1], 2: [2, *none[1:]]},
        groups=[0, 0, 0, -1, 1],
        vectors=[[1, 0], [0.6, 0.8], [0, 1], [0, 0], [0.8, 0.6]],
        names=["ana"],
        speaker=[0, 1, 0, 0, 0],
        lexical=[0.4, 1.0, 0.0, 0.6, 0.2],
        alone=[1.0, 2.0, 0.2, 0.8, 0.4],
        linear=[1.5, 3.0, 0.9, 0.6, 0.3],
        entity=[0.5, 1.0, 0.0, 0.0, 0.25],
        activation=[0.0, 0.0, 0.9, 0.1, 0.0],
        tag=[0.0, 0.0, 0.0, 0.5, 0.0],
        window=[0.0, 0.0, 1.0, 0.0, 0.0],
    )  # fmt: skip


def of(table, analysis):
    """The candidates of another question."""
    return replace(table, query=replace(table.query, analysis=analysis))


def named(table, analysis, rows=None):
    """The features by name, a list over the rows each."""
    chosen = np.arange(len(table)) if rows is None else np.array(rows, np.intp)
    found = features(of(table, analysis), chosen)
    assert found.shape == (len(chosen), len(NAMES))
    return {name: found[:, number].tolist() for number, name in enumerate(NAMES)}


def expect(found, group, **columns):
    """Every feature of a group is these numbers, to six decimals."""
    assert set(columns) == set(GROUPS[group])
    for name, values in columns.items():
        assert found[name] == pytest.approx(values, abs=1e-6), name


def faded(*ranks):
    """Weights of places, the first 0."""
    return [1 / (1 + rank / 5) for rank in ranks]


# By hand


def test_how_well_each_matches(kitchen, stage):
    expect(
        named(kitchen, stage.analysis()),
        "match",
        alone=[1.0, 2.0, 0.2, 0.8, 0.4],
        alone_share=[0.5, 1.0, 0.1, 0.4, 0.2],
        alone_rank=faded(1, 0, 4, 2, 3),
        linear=[1.5, 3.0, 0.9, 0.6, 0.3],
        linear_share=[0.5, 1.0, 0.3, 0.2, 0.1],
        linear_rank=faded(1, 0, 2, 3, 4),
    )


def test_the_words_that_each_holds(kitchen, stage):
    # BM25 with k1 1.2 and b .75; the mean length is 18 tokens.
    bm25 = [
        0.75 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 18)),
        2.2 / (1 + 1.2 * (0.25 + 0.75 * 6 / 18)),
        0.0,
        0.75 * 4.4 / (2 + 1.2 * (0.25 + 0.75 * 1 / 18)),
        0.25 * 6.6 / (3 + 1.2 * (0.25 + 0.75 * 75 / 18)),
    ]
    assert bm25 == pytest.approx([1.1, 1.375, 0.0, 1.404255, 0.234043], abs=1e-6)
    expect(
        named(kitchen, stage.analysis()),
        "words",
        lexical=[0.4, 1.0, 0.0, 0.6, 0.2],
        bm25=[value / bm25[3] for value in bm25],
        coverage=[0.75, 1.0, 0.0, 0.75, 0.25],
        # Squares of .75 and .25 tell rare words from common ones twice as clearly.
        coverage_rare=[0.9, 1.0, 0.0, 0.9, 0.1],
        terms_held=[0.5, 1.0, 0.0, 0.5, 0.5],
        rarest=[1.0, 1.0, 0.0, 1.0, 1 / 3],
        phrase=[0.0, 1.0, 0.0, 0.0, 0.0],
        lexical_rank=faded(2, 0, 4, 1, 3),
    )


def test_what_each_means(kitchen, stage):
    expect(
        named(kitchen, stage.analysis()),
        "meaning",
        cosine=[0.5, 0.8, 0.0, 0.3, 0.1],
        cosine_rank=faded(1, 0, 4, 2, 3),
    )


def test_who_says_it(kitchen, stage):
    nothing = [0.0] * 5
    expect(
        named(kitchen, stage.analysis()),
        "speaker",
        speaker=[0, 1, 0, 0, 0],
        other_speaker=[1, 0, 1, 1, 1],
        # One "my" or "I": wholly about oneself in a short text, little in one of 75 words.
        first_person=[1, 0, 1, 0, 1 / (0.12 * 75)],
        answer=[0, 1, 0, 0, 1],
        long_answer=[0, 0, 0, 0, 1],
        long_lexical=[0, 0, 0, 0, 0.2],
        long_coverage=[0, 0, 0, 0, 0.25],
        long_cosine=[0, 0, 0, 0, 0.1],
        asked_answer=nothing,
        asked_coverage=nothing,
        asked_lexical=nothing,
    )


def test_who_says_it_where_the_question_asks_for_what_was_answered(kitchen, stage):
    nothing = [0.0] * 5
    expect(
        named(kitchen, stage.analysis(asks=Asks.ASSISTANT)),
        "speaker",
        speaker=[0, 1, 0, 0, 0],
        other_speaker=[1, 0, 1, 1, 1],
        first_person=[1, 0, 1, 0, 1 / 9],
        answer=nothing,
        long_answer=nothing,
        long_lexical=nothing,
        long_coverage=nothing,
        long_cosine=nothing,
        asked_answer=[0, 1, 0, 0, 1],
        asked_coverage=[0, 1.0, 0, 0, 0.25],
        asked_lexical=[0, 1.0, 0, 0, 0.2],
    )


def test_what_stands_beside_it(kitchen, stage):
    short, seven, one, long = TERSE[4], TERSE[7], TERSE[1], TERSE[75]
    expect(
        named(kitchen, stage.analysis()),
        "neighbours",
        before=[0, seven * 0.5, short * 1.0, 0, 0],
        after=[short * 1.0, seven * 0.1, 0, 0, 0],
        before_2=[0, 0, short * 0.5, 0, 0],
        after_2=[short * 0.1, 0, 0, 0, 0],
        before_3=[0.0] * 5,
        after_3=[0.0] * 5,
        before_4=[0.0] * 5,
        after_4=[0.0] * 5,
        cosine_before=[0, seven * 0.5, short * 0.8, 0, 0],
        cosine_after=[short * 0.8, 0, 0, 0, 0],
        coverage_before=[0, seven * 0.75, short * 1.0, 0, 0],
        coverage_after=[short * 1.0, 0, 0, 0, 0],
        long_before=[0, (1 - seven) * 0.5, (1 - short) * 1.0, 0, 0],
        long_after=[(1 - short) * 1.0, (1 - seven) * 0.1, 0, 0, 0],
        with_before=[0.75, 1.0, 1.0, 0.75, 0.25],
        with_after=[short, seven, 0, one * 0.75, long * 0.25],
        with_both=[short, seven, short, one * 0.75, long * 0.25],
        with_four=[short, seven, short, one * 0.75, long * 0.25],
        asked_before=[0, seven, 0, 0, 0],
        question_before=[0, seven * 0.5, 0, 0, 0],
        # The three best are the second, the first and the note, which stands beside nothing.
        near_best=[8 / 9, 8 / 9, 8 / 9, 0, 0],
    )


def test_turns_up_to_four_away_and_words_that_turns_hold_together(stage):
    """Nine turns of a session, each holding one of nine words; each matches as well as its place says."""
    size = 9
    places = np.arange(size)
    found = named(
        stage.candidates(
            *(stage.sketch(n + 1, "tea", session_id="s", ordinal=n) for n in range(size)),
            matches=[stage.match(np.eye(size))],
            neighbours={
                step: np.where((places + step >= 0) & (places + step < size), places + step, -1)
                for step in (-4, -3, -2, -1, 1, 2, 3, 4)
            },
            groups=[0] * size,
            alone=(places + 1) / 9,
        ),
        stage.analysis(),
    )
    one, middle = TERSE[1], 4
    for step in (1, 2, 3, 4):
        end = "" if step == 1 else f"_{step}"
        assert found[f"before{end}"][middle] == pytest.approx(one * (5 - step) / 9, abs=1e-6)
        assert found[f"after{end}"][middle] == pytest.approx(one * (5 + step) / 9, abs=1e-6)
        assert found[f"after{end}"][size - step :] == [0.0] * step
    assert found["with_before"][middle] == pytest.approx(2 / 9, abs=1e-6)
    assert found["with_after"][middle] == pytest.approx(one * 2 / 9, abs=1e-6)
    assert found["with_both"][middle] == pytest.approx(one * 3 / 9, abs=1e-6)
    assert found["with_four"][middle] == pytest.approx(one * 5 / 9, abs=1e-6)
    assert found["with_four"][0] == pytest.approx(one * 3 / 9, abs=1e-6)
    # The best are the last three turns: the first turn is six away from the nearest of them.
    assert found["near_best"][0] == pytest.approx(1 - 6 / 9, abs=1e-6)


def test_what_its_session_holds(kitchen, stage):
    short, seven, long = TERSE[4], TERSE[7], TERSE[75]
    cosine = (0.5 + 0.8 + 0.0) / 3
    expect(
        named(kitchen, stage.analysis()),
        "session",
        session_held=[short, seven, short, 0, long * 0.25],
        session_lexical=[short, seven, short, 0, long * 0.2],
        session_cosine=[short * cosine, seven * cosine, short * cosine, 0, long * 0.1],
        session_held_all=[1, 1, 1, 0, 0.25],
        session_lexical_all=[1, 1, 1, 0, 0.2],
        session_cosine_all=[cosine, cosine, cosine, 0, 0.1],
        session_sum=[1, 1, 1, 0, 0.4 / 3.2],
        session_best=[1, 1, 1, 0, 0.4 / 2.0],
        session_rank=[1 / 2, 1, 1 / 3, 0, 1],
    )


def test_a_session_alone_tells_none_of_its_turns_from_another(kitchen, stage):
    found = named(replace(kitchen, groups=np.array([0, 0, 0, -1, -1])), stage.analysis())
    for name in ("held", "lexical", "cosine"):
        assert found[f"session_{name}"] == found[f"session_{name}_all"] == [0.0] * 5
    assert found["session_rank"] == pytest.approx([1 / 2, 1, 1 / 3, 0, 0], abs=1e-6)


@given(st.integers(0, 40), st.integers(1, 8), st.integers(1, 9), st.randoms(use_true_random=False))
def test_sessions_hold_together_what_one_walk_after_the_other_finds(stage, size, sessions, tokens, random):
    numbers = [random.randint(-1, sessions - 1) for _ in range(size)]
    known = {number: place for place, number in enumerate(dict.fromkeys(one for one in numbers if one >= 0))}
    groups = np.array([known.get(number, -1) for number in numbers], np.intp)
    values = np.round(
        [[random.random() for _ in range(tokens + 3)] for _ in range(size)], random.randint(1, 8)
    )
    values = values.reshape(size, tokens + 3)
    alone, lexical, cosine = values[:, 0], values[:, 1], values[:, 2]
    match = stage.match((values[:, 3:] > 0.6).astype(float).reshape(size, tokens))
    expected = {name: np.zeros(size) for name in ("held", "lexical", "cosine", "sum", "best", "rank")}
    for number in known.values():
        rows = np.flatnonzero(groups == number)
        best_first = rows[np.argsort(-alone[rows], kind="stable")]
        expected["rank"][best_first] = 1 / (1 + np.arange(len(rows)))
        expected["sum"][rows] = alone[best_first[:5]].sum()
        expected["best"][rows] = alone[best_first[0]]
        if len(known) > 1:
            expected["held"][rows] = match.held[rows].max(axis=0).sum()
            expected["lexical"][rows] = lexical[rows].max()
            expected["cosine"][rows] = np.sort(cosine[rows])[-3:].mean()
    assert held_by_session(groups, [match]).tolist() == expected["held"].tolist()
    if not size:
        return
    found = named(
        stage.candidates(
            *(stage.sketch(key + 1) for key in range(size)), matches=[match], groups=groups, alone=alone,
            lexical=lexical, cosine=cosine,
        ),
        stage.analysis(),
    )  # fmt: skip
    for name in ("held", "lexical", "cosine"):
        assert found[f"session_{name}_all"] == np.round(expected[name], 6).tolist()
    for name in ("sum", "best"):
        share = expected[name] / (expected[name].max() or 1.0)
        assert found[f"session_{name}"] == np.round(share, 6).tolist()
    assert found["session_rank"] == np.round(expected["rank"], 6).tolist()


def test_what_it_has_in_common_with_the_best(kitchen, stage):
    # The center of all five by how well they match, 2·(.6, .8) + (1, 0) + .4·(.8, .6) + .2·(0, 1).
    x, y = 1.2 + 1.0 + 0.32, 1.6 + 0.24 + 0.2
    length = math.hypot(x, y)
    # Words that at least two hold: kettle by three of five, in all of the best three; blue and shelf by two.
    kettle, blue = math.log1p(5 / 4) * (2.0 + 1.0 + 0.8), math.log1p(5 / 3) * 2.0
    most = kettle + 2 * blue
    expect(
        named(kitchen, stage.analysis()),
        "feedback",
        # Where the embedder says nothing of the question it says nothing of texts: the third and the fourth.
        like_best=[x / length, (0.6 * x + 0.8 * y) / length, 0, 0, (0.8 * x + 0.6 * y) / length],
        like_any=[0.8, 0.96, 0, 0, 0.96],
        words_of_best=[kettle / most, 1, 0, kettle / most, 2 * blue / most],
    )


@pytest.mark.parametrize(
    ("expects", "asked"),
    [
        (Expects.OTHER, {}),
        (Expects.TIME, {"asks_time": [1] * 5, "time_for_when": [0, 0, 1, 0, 0]}),
        (Expects.NUMBER, {"asks_number": [1] * 5, "number_for_many": [0, 1, 0, 0, 1]}),
        (Expects.LIST, {"asks_list": [1] * 5}),
    ],
)
def test_its_form(kitchen, stage, expects, asked):
    nothing = dict.fromkeys(
        ("time_for_when", "number_for_many", "asks_time", "asks_number", "asks_answer", "asks_self", "asks_list"),
        [0.0] * 5,
    )  # fmt: skip
    expect(
        named(kitchen, stage.analysis(expects=expects)),
        "form",
        # Beyond sixty words length does not count.
        length=[math.log1p(words) / 5 for words in (4, 7, 4, 1, 60)],
        question=[1, 0, 0, 0, 0],
        tells_time=[0, 0, 1, 0, 0],
        # A digit, or a word that counts.
        tells_number=[0, 1, 0, 0, 1],
        code=[0, 0, 0, 0, 1],
        **(nothing | asked),
    )


def test_what_the_question_asks_of_whom(kitchen, stage):
    assert named(kitchen, stage.analysis("where is my kettle?"))["asks_self"] == [1.0] * 5
    assert named(kitchen, stage.analysis("what did I buy?"))["asks_self"] == [1.0] * 5
    # Whole words only.
    assert named(kitchen, stage.analysis("where is the menu of Immy?"))["asks_self"] == [0.0] * 5
    assert named(kitchen, stage.analysis(asks=Asks.ASSISTANT))["asks_answer"] == [1.0] * 5


def test_when_it_happened_and_how_old_it_is_does_not_count(kitchen, stage):
    expect(
        named(kitchen, stage.analysis()),
        "time",
        window=[0, 0, 1, 0, 0],
    )


def test_what_it_hangs_together_with(kitchen, stage):
    expect(
        named(kitchen, stage.analysis()),
        "links",
        entity=[0.5, 1.0, 0, 0, 0.25],
        activation=[0, 0, 0.9, 0.1, 0],
        tag=[0, 0, 0, 0.5, 0],
        pinned=[0, 0, 0, 1, 0],
    )


def test_of_several_questions_each_candidate_shows_its_best(kitchen, stage):
    second = stage.match([[0], [0], [1], [0], [1]], cosine=[0.0, 0.9, 0.2, 0.0, 0.0])
    both = replace(
        kitchen, matches=[*kitchen.matches, second], cosine=np.maximum(kitchen.cosine, second.cosine)
    )
    found = named(both, stage.analysis())
    assert found["coverage"] == pytest.approx([0.75, 1.0, 1.0, 0.75, 1.0], abs=1e-6)
    assert found["cosine"] == pytest.approx([0.5, 0.9, 0.2, 0.3, 0.1], abs=1e-6)
    # The text channel was asked for all of them at once, so that its scores say nothing of either.
    assert found["lexical"] == found["bm25"]
    assert found["bm25"][2] == 1.0


def test_texts_count_and_tell_times_in_other_scripts_too(stage):
    texts = ["我有两个水壶", "昨天", "Был вчера.", "水壶在哪里?"]
    found = named(
        stage.candidates(
            *(stage.sketch(n + 1, text) for n, text in enumerate(texts)),
            tokens=[["我有两个水壶"], ["昨天"], ["был", "вчера"], ["水壶在哪里"]],
        ),
        stage.analysis(expects=Expects.TIME),
    )
    assert found["tells_number"] == [1, 0, 0, 0]
    assert found["tells_time"] == found["time_for_when"] == [0, 1, 1, 0]
    assert found["question"] == [0, 0, 0, 1]


# What a channel that is missing leaves behind

WITHOUT = {
    "vectors": ("cosine", "cosine_before", "cosine_after", "session_cosine", "session_cosine_all", "long_cosine",
                "like_best", "like_any"),
    "sessions": ("before", "after", "before_2", "after_2", "cosine_before", "cosine_after", "coverage_before",
                 "coverage_after", "long_before", "long_after", "asked_before", "question_before", "near_best",
                 *GROUPS["session"]),
    "speakers": ("speaker", "other_speaker"),
    "text": ("lexical", "bm25", "coverage", "coverage_rare", "terms_held", "rarest", "phrase", "with_before",
             "with_after", "with_both", "with_four"),
    "links": ("entity", "activation", "tag"),
    "time": ("window",),
}  # fmt: skip


def lacking(table, stage, channel):
    """The candidates without what a channel gives."""
    size = len(table)
    zeros, nowhere = np.zeros(size), np.full(size, -1)
    (match,) = table.matches
    missing = {
        "vectors": {
            "matches": [replace(match, cosine=zeros)],
            "cosine": zeros,
            "vectors": np.zeros((size, 1), np.float32),
        },
        "sessions": {"neighbours": dict.fromkeys(table.neighbours, nowhere), "groups": nowhere},
        "speakers": {"speaker": zeros, "query": replace(table.query, names=frozenset())},
        "text": {"matches": [stage.match(np.zeros((size, 0)), cosine=match.cosine)], "lexical": zeros},
        "links": {"entity": zeros, "activation": zeros, "tag": zeros},
        "time": {"window": zeros},
    }
    return replace(table, **missing[channel])


@pytest.mark.parametrize("channel", WITHOUT)
def test_a_channel_that_is_missing_leaves_nothing_in_its_columns(kitchen, stage, channel):
    whole = named(kitchen, stage.analysis())
    found = named(lacking(kitchen, stage, channel), stage.analysis())
    for name in WITHOUT[channel]:
        assert any(whole[name]), name
        assert found[name] == [0.0] * 5, name


def test_without_sessions_a_turn_holds_what_it_holds_itself(kitchen, stage):
    found = named(lacking(kitchen, stage, "sessions"), stage.analysis())
    assert found["with_before"] == found["coverage"]
    terse = [TERSE[words] for words in (4, 7, 4, 1, 75)]
    for name in ("with_after", "with_both", "with_four"):
        own = [share * held for share, held in zip(terse, found["coverage"], strict=True)]
        assert found[name] == pytest.approx(own, abs=1e-6)


# Whatever the candidates


def test_only_the_rows_that_are_asked_for_come_back_compared_with_all(kitchen, stage):
    whole = features(kitchen, np.arange(5))
    # The words of the best are counted against the best of the rows, here the second.
    for rows in ([1], [4, 1], [1, 2, 3], [1, 1], []):
        chosen = features(kitchen, np.array(rows, np.intp))
        assert np.array_equal(chosen, whole[rows])


ANALYSES = st.tuples(
    st.sampled_from(Asks), st.sampled_from(Expects), st.sampled_from(["", "my kettle", "我"])
)


@settings(max_examples=40)
@given(data=st.data())
def test_features_are_finite_whatever_the_candidates(data, stage):
    table = data.draw(stage.tables())
    asks, expects, text = data.draw(ANALYSES)
    analysis = stage.analysis(text, asks=asks, expects=expects)
    found = features(of(table, analysis), np.arange(len(table)))
    assert found.shape == (len(table), len(NAMES))
    assert np.isfinite(found).all()
    assert np.array_equal(found, np.round(found, 6))


@pytest.mark.parametrize("content", ["", "?", "👍", "\n", " " * 10, "a" * 10_000, "one two " * 2_000])
def test_one_candidate_of_any_length_has_finite_features(stage, content):
    for tokens in ([], content.split()[:3]):
        table = stage.candidates(stage.sketch(1, content), tokens=[tokens], alone=[1.0], linear=[1.0])
        assert np.isfinite(features(of(table, stage.analysis("")), np.arange(1))).all()


@settings(max_examples=40)
@given(data=st.data())
def test_the_order_in_which_candidates_come_does_not_matter(data, stage):
    table = data.draw(stage.tables(least=1))
    size = len(table)
    # Of equal ones the first comes first, so that none may be equal here.
    apart = {
        name: np.array(data.draw(st.permutations(range(1, size + 1)))) / size
        for name in ("alone", "linear", "lexical", "cosine")
    }
    match = replace(table.matches[0], cosine=apart["cosine"])
    table = replace(table, matches=[match], **apart)
    rows = data.draw(st.permutations(range(size)))
    found = features(table, np.arange(size))
    again = features(stage.turned(table, rows), np.arange(size))
    # The last bits of a sum follow its order, and may turn the last of six decimals.
    assert again == pytest.approx(found[rows], abs=2e-6)


def test_the_candidates_are_left_as_they_were(kitchen, stage):
    before = {
        name: getattr(kitchen, name).copy() for name in ("alone", "linear", "lexical", "vectors", "groups")
    }
    features(kitchen, np.arange(5))
    assert all(np.array_equal(getattr(kitchen, name), column) for name, column in before.items())


def test_every_feature_has_a_name_of_its_own_in_one_group():
    assert len(set(NAMES)) == len(NAMES) == sum(len(names) for names in GROUPS.values())
