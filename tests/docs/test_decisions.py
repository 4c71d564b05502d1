"""Decisions about ranking and abstaining, held against the code."""

import json
import re

import pytest

from simonides.recall.ranking import model, trees
from simonides.recall.ranking.confidence import TIME_ALONE
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
        "hide_below": settings.hide_below,
    }


def test_the_decision_says_what_each_kind_of_question_is_judged_by(docs):
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|$", docs.read(ABSTAINING), re.MULTILINE))
    words = {"coverage": "coverage", "cosine": "cosine", "linear": "first look", "linear_best": "best five"}
    assert {kind: {name for name, said in words.items() if said in text} for kind, text in rows.items()} == {
        kind: set(weights) - {"base"} for kind, weights in model.bundled().confidence.items()
    }


def figures(docs):
    return json.loads(docs.read("benchmarks/results/ranker.json"))


def test_the_figures_of_the_ranking_are_those_that_were_measured(docs):
    shown = re.findall(
        r"^\| ([\w \-()]+) \| (\d+) \| (R@[^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$",
        docs.read(RANKING),
        re.MULTILINE,
    )
    measured = figures(docs)["figures"]
    assert len(shown) == len(measured)
    for (_, questions, measures, *told_of), found in zip(shown, measured.values(), strict=True):
        assert int(questions) == found["questions"]
        for row, text in zip(("first look", "trees"), told_of, strict=False):
            assert text == " / ".join(without_zero(found[row][name]) for name in measures.split(" / "))
        lead, low, high = map(without_zero, found["difference in R@10"])
        assert told_of[2] == f"{lead} ({low} to {high})"


def test_the_mean_of_the_ranking_is_that_of_its_table(docs):
    measured = figures(docs)["figures"]
    each = [
        [found["trees"][name] for name in (("R@3", "R@5") if kind == "memdaily" else ("R@5", "R@10", "MRR"))]
        for kind, found in measured.items()
    ]
    mean = sum(sum(some) / len(some) for some in each) / len(each)
    assert told(docs, RANKING, r"What came of it all is (\.\d+)") == (round(mean, 3),)


def test_the_shares_that_are_turned_away_are_those_that_were_measured(docs):
    rows = dict(re.findall(r"^\| `(\w+)` \| (\.\d+) \|$", docs.read(ABSTAINING), re.MULTILINE))
    measured = {kind: found["foreign turned away"] for kind, found in figures(docs)["confidence"].items()}
    assert {kind: float(share) for kind, share in rows.items()} == measured


def test_a_question_about_a_time_alone_is_as_likely_answered_as_the_decision_tells(docs):
    assert told(docs, ABSTAINING, r"its likelihood is (\.\d+) at least") == (TIME_ALONE,)
    assert RecallSettings().abstain_below <= TIME_ALONE


def without_zero(number):
    return f"{number:.3f}".replace("0.", ".", 1).replace("-", "−")
