"""Item that words mean: one beyond doubt, or none."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.recall.resolve import resolved
from simonides.recall.result import Candidates, Hit
from simonides.testing import an_item


def hit(content, relevance, coverage=0.0):
    return Hit(an_item(content), relevance, relevance, matches={"coverage": coverage})


PUMP, TEA = "the pump is in the cellar", "tea is in the tin"


def test_an_item_that_leads_clearly_is_resolved():
    best = hit(PUMP, 0.8, 1.0)
    assert resolved([best, hit(TEA, 0.6, 0.5)], "pump cellar") is best.item


@pytest.mark.parametrize(
    ("hits", "reason"),
    [
        ([], "no item matches"),
        ([hit(PUMP, 0.59, 1.0)], "no item matches"),
        ([hit(PUMP, 0.8, 1.0), hit(TEA, 0.66, 0.1)], "several items match"),
        ([hit(PUMP, 0.99, 1.0), hit(TEA, 0.6, 0.8)], "several items match"),
        ([hit(TEA, 0.7, 1.0), hit(PUMP, 0.7, 1.0)], "several items match"),
    ],
)
def test_what_is_not_clear_is_answered_with_candidates(hits, reason):
    found = resolved(hits, "pump")
    assert isinstance(found, Candidates)
    assert reason in found.reason
    assert [h.relevance for h in found.hits] == sorted((h.relevance for h in hits), reverse=True)


def test_an_item_that_says_just_these_words_is_meant_whatever_else_is_near():
    other = hit("the pump is in the cellar of Bo", 0.9, 1.0)
    same = hit(PUMP, 0.3)
    assert resolved([other, same], " The PUMP is in\nthe cellar ") is same.item


def test_two_items_that_say_just_these_words_are_both_candidates():
    found = resolved([hit(PUMP, 0.9, 1.0), hit(PUMP, 0.9, 1.0)], PUMP)
    assert isinstance(found, Candidates)


def turn_of(content, relevance, *, coverage=1.0):
    return Hit(an_item(content, type="episode"), relevance, relevance, matches={"coverage": coverage})


def taken_from(turn, content, relevance, *, coverage=1.0):
    item = an_item(content, provenance=replace(turn.item.provenance, source_id=turn.item.id))
    return Hit(item, relevance, relevance, matches={"coverage": coverage})


def test_a_turn_and_the_one_statement_taken_from_it_are_one():
    turn = turn_of("btw the pump is in the cellar", 0.9)
    statement = taken_from(turn, "The pump is in the cellar.", 0.9)
    for words in ("the pump in the cellar", turn.item.content):
        assert resolved([turn, statement], words) is statement.item
    assert resolved([turn], turn.item.content) is turn.item


def test_a_turn_of_several_statements_is_meant_by_its_own_words():
    turn = turn_of("the pump is in the cellar and tea is in the tin", 0.9)
    other = hit("the pump near the cellar of Bo is in the tin with tea", 0.8, 1.0)
    statements = [taken_from(turn, PUMP, 0.5, coverage=0.5), taken_from(turn, TEA, 0.3, coverage=0.5)]
    assert resolved([turn, other, *statements], turn.item.content) is turn.item
    assert isinstance(
        resolved([turn, other, *statements], "the pump, the cellar, tea and the tin"), Candidates
    )


def test_a_turn_is_not_meant_to_be_the_little_that_was_taken_from_it():
    turn, other = turn_of("the pump is in the cellar of my house", 0.95), hit(TEA, 0.7, 0.2)
    found = resolved(
        [turn, other, taken_from(turn, "My house is old.", 0.1, coverage=0.1)], "pump cellar house"
    )
    assert found is turn.item


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 3), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6
    )
)
def test_what_is_meant_is_the_best_or_of_one_turn_with_it(drawn):
    turns = [
        turn_of(f"turn {n}", relevance, coverage=held) for n, (_, _, relevance, held) in enumerate(drawn)
    ]
    hits = list(turns)
    for n, (states, source, relevance, held) in enumerate(drawn):
        if states:
            hits.append(taken_from(turns[source % len(turns)], f"statement {n}", held, coverage=relevance))
    found = resolved(hits, "words")
    best = max(hits, key=lambda one: one.relevance).item
    if not isinstance(found, Candidates):
        assert best.id in {found.id, found.provenance.source_id}


def of_session(content, relevance, coverage, *, type="fact", session="s1"):  # noqa: A002 - as items have it
    return Hit(
        an_item(content, type=type, session_id=session), relevance, relevance, matches={"coverage": coverage}
    )


def test_the_summary_of_a_conversation_is_no_rival_of_what_was_said_in_it():
    said = of_session(PUMP, 0.9, 1.0)
    for relevance in (0.85, 0.95):
        told = of_session(f"They talked about Bo. “{PUMP}”", relevance, 1.0, type="narrative")
        assert resolved([told, said], "pump cellar") is said.item
        elsewhere = of_session(
            f"They talked about Bo. “{PUMP}”", relevance, 1.0, type="narrative", session="s2"
        )
        assert isinstance(resolved([elsewhere, said], "pump cellar"), Candidates)


def test_a_summary_that_alone_holds_the_words_is_meant():
    said = [of_session(PUMP, 0.6, 0.5), of_session(TEA, 0.5, 0.5)]
    told = of_session("They talked about the pump and about tea.", 0.9, 1.0, type="narrative")
    assert resolved([*said, told], "pump tea") is told.item


SAID = {
    "I moved to Linz last week.": ("I moved to Linz", "event"),
    "My sister Berta works at Siemens.": ("Berta works at Siemens", "fact"),
    "I live in Graz and I'm allergic to hazelnuts.": ("allergic to hazelnuts", "identity"),
    "We decided to ship the billing service on Thursdays.": ("billing ships on Thursdays", "decision"),
}


@pytest.mark.parametrize("said", SAID)
def test_words_mean_the_statement_and_neither_its_turn_nor_the_summary_of_the_session(memory, said):
    words, kind = SAID[said]
    memory.add([{"role": "user", "content": said}], user_id="ana", session_id="s1")
    memory.sessions.end("s1", scope="user:ana")
    assert "narrative" in {item.type for item in memory.list(user_id="ana")}
    found = memory.resolve(words, scope="user:ana")
    assert found.type == kind
    memory.correct(words, "It is otherwise now.", scope="user:ana")
    assert memory.get(found.id).superseded_by is not None
