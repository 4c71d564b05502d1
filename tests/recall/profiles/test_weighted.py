"""The profile `weighted`: 0.3·tag + 0.5·max(0, cos) + 0.2·prov, by hand."""

import pytest

from simonides.domain.taxonomy import TAXONOMY
from simonides.recall.ranking.profiles.support import Support
from simonides.recall.ranking.profiles.weighted import Weighted
from simonides.recall.ranking.tags import question_tags, tag_overlap


@pytest.mark.parametrize(
    ("kind", "hashed", "validation", "prov"),
    [
        ("doc", 1, "verified", 0.6 * 1.0 + 0.4 * 1.0),  # 1
        ("doc", 0, "unverified", 0.6 * 0.7 + 0.4 * 0.3),  # .54
        ("tool", 1, "unverified", 0.6 * 0.8 + 0.4 * 0.3),  # .60
        ("tool", 0, "contested", 0.6 * 0.5 + 0.4 * 0.1),  # .34
        ("mixed", 1, "contested", 0.6 * 0.6 + 0.4 * 0.1),  # .40
        ("mixed", 0, "retracted", 0.6 * 0.4 + 0.4 * 0.0),  # .24
        ("chat", 1, "unverified", 0.6 * 0.5 + 0.4 * 0.3),  # .42
        ("chat", 0, "retracted", 0.6 * 0.2 + 0.4 * 0.0),  # .12
    ],
)
def test_support_is_what_source_and_validation_are_worth(kind, hashed, validation, prov, ranking):
    one = ranking.sketch(source_kind=kind, hashed=hashed, validation=validation)
    assert Support().of([one]) == pytest.approx([prov])


def test_a_score_is_tags_meaning_and_support(ranking):
    table = ranking.candidates(
        ranking.sketch(1, source_kind="doc", hashed=1, validation="verified"),
        ranking.sketch(2, source_kind="chat"),
        ranking.sketch(3, source_kind="tool", validation="contested"),
        tag=[1, 0.5, 0],
        cosine=[0.8, 0.4, -0.3],
        bm25=[0, 0, 40],
    )
    found = Weighted().rank(table, TAXONOMY)
    first = 0.3 * 1 + 0.5 * 0.8 + 0.2 * 1.0  # .90
    second = 0.3 * 0.5 + 0.5 * 0.4 + 0.2 * (0.6 * 0.2 + 0.4 * 0.3)  # .15 + .20 + .048
    third = 0 + 0 + 0.2 * (0.6 * 0.5 + 0.4 * 0.1)  # .068: words do not count, a negative cosine is none
    assert found.score == pytest.approx([first, second, third])
    assert found.score == pytest.approx([0.9, 0.398, 0.068])
    assert {name: part[1] for name, part in found.parts.items()} == pytest.approx(
        {"tag": 0.15, "vec": 0.2, "provenance": 0.048}
    )
    assert not found.dropped.any()


def test_its_weights_are_settings(ranking):
    table = ranking.candidates(ranking.sketch(), tag=[0.5], cosine=[0.5])
    mine = Weighted(
        tag=1, vector=0.5, provenance=0.5, support=Support(source=0, validation=1, unverified=0.8)
    )
    assert mine.rank(table, TAXONOMY).score == pytest.approx([0.5 + 0.25 + 0.5 * 0.8])


@pytest.mark.parametrize(
    ("question", "given", "tags"),
    [
        ("When is the Release of Apollo due?", (), {"release", "apollo", "due"}),
        ("Is it an ox, or two?", (), {"two"}),
        ("anything", ("Release ", "QA"), {"release", "qa"}),
        ("配置在哪里", (), {"配置", "置在", "在哪", "哪里"}),
        ("Когда выходит Релиз?", (), {"выходит", "релиз"}),
        ("the", (), set()),
    ],
)
def test_the_tags_of_a_question_are_those_given_else_its_words(question, given, tags):
    assert question_tags(question, given) == tags


@pytest.mark.parametrize(
    ("tags", "share"),
    [
        ("Release\nApollo", 2 / 2),
        ("release\nbeta", 1 / 3),  # of release, apollo, beta
        ("release\nbeta\nqa\nci", 1 / 5),
        ("beta", 0),
        ("", 0),
    ],
)
def test_tags_overlap_by_jaccard_without_case(tags, share, ranking):
    wanted = frozenset({"release", "apollo"})
    assert tag_overlap(wanted, [ranking.sketch(tags=tags)]) == pytest.approx([share])


def test_no_tags_on_either_side_have_nothing_in_common(ranking):
    assert tag_overlap(frozenset(), [ranking.sketch(tags=""), ranking.sketch(tags="a")]).tolist() == [0, 0]
