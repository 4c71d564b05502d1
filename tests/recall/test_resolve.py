"""Item that words mean: one beyond doubt, or none."""

from dataclasses import replace

import pytest

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


def test_a_turn_and_the_statement_taken_from_it_are_one():
    turn = Hit(an_item("btw the pump is in the cellar", type="episode"), 0.9, 0.9, matches={"coverage": 1.0})
    source = replace(an_item("x").provenance, source_id=turn.item.id)
    statement = Hit(
        an_item("The pump is in the cellar.", provenance=source), 0.9, 0.9, matches={"coverage": 1.0}
    )
    for words in ("the pump in the cellar", turn.item.content):
        assert resolved([turn, statement], words) is statement.item
    assert resolved([turn], turn.item.content) is turn.item
