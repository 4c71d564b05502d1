"""Decisions about ranking and abstaining, held against the code."""

import re

import pytest

from simonides.recall.ranking import model, trees
from simonides.recall.ranking.confidence import EVIDENCE, TIME_ALONE
from simonides.recall.ranking.features import GROUPS, NAMES
from simonides.recall.ranking.first_look import SHORTLIST
from simonides.recall.ranking.profiles.balanced import Balanced
from simonides.recall.settings import RecallSettings

RANKING = "docs/decisions/0014-a-learned-ranking.md"
ABSTAINING = "docs/decisions/0015-abstaining.md"


def told(docs, page, pattern):
    """The numbers that a page says at a place."""
    [found] = re.findall(pattern, " ".join(docs.read(page).split()))
    return tuple(float(number) for number in (found if isinstance(found, tuple) else (found,)))


def test_the_ranking_has_the_size_that_its_decision_tells(docs):
    forest = model.bundled().trees
    assert told(docs, RANKING, r"by (\d+) small gradient-boosted trees of (\d+) leaves") == (
        len(forest.parts),
        trees.LEAVES,
    )
    assert told(docs, RANKING, r"(\d+) features in (\d+) groups") == (len(NAMES), len(GROUPS))
    assert told(docs, RANKING, r"The best (\d+) by it") == (SHORTLIST,)
    assert (
        told(docs, RANKING, r"within ±([\d.]+):")
        == (Balanced().prior_span,)
        == (RecallSettings().prior_span,)
    )


def test_the_decision_names_every_group_of_features(docs):
    [listed] = re.findall(r"`recall/ranking/features.py`\): (.*?)\.", " ".join(docs.read(RANKING).split()))
    assert listed.split(", ") == list(GROUPS)


def test_the_file_of_the_trees_is_as_large_as_the_decision_says(docs):
    [size] = told(docs, RANKING, r"The data file has some (\d+) kB")
    assert len(model.packed(model.bundled())) == pytest.approx(size * 1000, rel=0.1)


def test_the_bounds_of_the_decision_are_the_defaults(docs):
    rows = dict(re.findall(r"^\| `recall\.(\w+)` \|.*\| ([\d.]+) \|$", docs.read(ABSTAINING), re.MULTILINE))
    settings = RecallSettings()
    assert {name: float(bound) for name, bound in rows.items()} == {
        "abstain_below": settings.abstain_below,
        "inject_below": settings.inject_below,
        "hide_below": settings.hide_below,
    }


def test_the_decision_names_all_evidence(docs):
    table = docs.read(ABSTAINING).partition("| evidence |")[2].partition("\n\n")[0]
    first = " ".join(row.split("|")[1] for row in table.splitlines()[2:])
    assert sorted(re.findall(r"`(\w+)`", first)) == sorted(EVIDENCE)


def test_a_question_about_a_time_alone_is_as_likely_answered_as_the_decision_tells(docs):
    assert told(docs, ABSTAINING, r"its likelihood is (\.\d+) at least") == (TIME_ALONE,)
    assert RecallSettings().abstain_below <= TIME_ALONE
