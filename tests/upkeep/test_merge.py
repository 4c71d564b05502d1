"""Merging of a cluster into one item."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.item import Status, Usage, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.taxonomy import Tier
from simonides.errors import InvalidInput
from simonides.testing import an_item
from simonides.upkeep.clusters import Cluster
from simonides.upkeep.merge import (
    Consolidator,
    Merged,
    archived,
    checked,
    followed,
    merge_confidence,
    put_together,
)

DAY_US = 86_400_000_000
NOW = 1_767_225_600_000_000 + 100 * DAY_US


def put(*items, words=None):
    cluster = Cluster(items)
    return put_together(cluster, words or Consolidator().merge(cluster), NOW)


def aged(days, **fields):
    return an_item(at=NOW - int(days * DAY_US), **fields)


def test_merge_confidence_by_hand():
    # 0.4 · 0.9 + 0.3 · 1/3 + 0.2 · e^(−0.05 · 2) + 0.1 · 0.5
    items = [aged(2, confidence=0.9, tags=("a", "b")), aged(10, confidence=0.4, tags=("A", "c"))]
    assert merge_confidence(items, NOW) == pytest.approx(0.36 + 0.1 + 0.2 * math.exp(-0.1) + 0.05)
    # 0.4 · 1 + 0.3 · 1 + 0.2 · 1 + 0.1 · 1
    items = [aged(0, tags=("a",), validation=Validation.VERIFIED), aged(0, tags=("a",))]
    assert merge_confidence(items, NOW) == pytest.approx(1.0)
    # 0.4 · 0.5 + 0 + 0.2 · e^(−0.05 · 30) + 0: one was retracted, whatever else was verified.
    items = [
        aged(30, confidence=0.5, validation=Validation.RETRACTED),
        aged(40, confidence=0.2, validation=Validation.VERIFIED),
    ]
    assert merge_confidence(items, NOW) == pytest.approx(0.2 + 0.2 * math.exp(-1.5))


def test_merge_confidence_with_a_clock_set_back_counts_no_days():
    assert merge_confidence([an_item(at=NOW + DAY_US)], NOW) == pytest.approx(0.4 + 0.2 + 0.05)


@given(
    st.lists(
        st.builds(
            lambda confidence, days, tags, validation: aged(
                days, confidence=confidence, tags=tuple(tags), validation=validation
            ),
            st.floats(0, 1),
            st.floats(0, 100),
            st.lists(st.sampled_from("abc"), unique=True),
            st.sampled_from(Validation),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_merge_confidence_lies_between_0_and_1(items):
    assert 0 <= merge_confidence(items, NOW) <= 1


def test_a_merged_item_has_what_its_sources_had_together():
    one = aged(
        3,
        content="Ana rows on the river.",
        tags=("sport", "river"),
        entities=("Ana",),
        importance=0.4,
        usage=Usage(1.0, 3, NOW - 5, None),
        provenance=Provenance(SourceKind.CHAT, "s1", chunk_ids=("c1",), content_hashes=("h1",)),
    )
    other = aged(
        1,
        content="Ana really rows on the river.",
        tags=("Sport", "water"),
        entities=("Ana", "Tagus"),
        importance=0.7,
        usage=Usage(3.0, 2, NOW - 9, NOW - 7),
        provenance=Provenance(SourceKind.DOC, "s2", chunk_ids=("c1", "c2"), content_hashes=("h2",)),
    )
    merged = put(one, other)
    assert merged.content == one.content
    assert merged.tags == ("sport", "river", "water")
    assert merged.entities == ("Ana", "Tagus")
    assert merged.importance == 0.7
    assert merged.usage == Usage(3.0, 5, NOW - 5, NOW - 7)
    assert merged.provenance == Provenance(
        SourceKind.MIXED, "s1", chunk_ids=("c1", "c2"), content_hashes=("h1", "h2")
    )
    assert merged.status is Status.ACTIVE
    assert merged.created_at == NOW
    assert merged.event_at == one.created_at
    assert merged.id not in {one.id, other.id}


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("unverified", "unverified"), "unverified"),
        (("unverified", "contested"), "contested"),
        (("contested", "verified"), "verified"),
        (("verified", "retracted"), "retracted"),
    ],
)
def test_validation_follows_by_precedence(states, expected):
    items = [aged(1, validation=Validation(state)) for state in states]
    assert put(*items).validation is Validation(expected)


def test_nothing_lets_a_merged_item_claim_more_than_its_sources():
    sources = [
        aged(1, trust=Trust.HIGH, injectable=True),
        aged(1, trust=Trust.LOW, injectable=False),
    ]
    merged = put(*sources)
    assert merged.trust is Trust.LOW
    assert not merged.injectable
    assert put(aged(1, origin=Origin.WEB), aged(1, origin=Origin.WEB)).origin is Origin.WEB
    assert put(aged(1, origin=Origin.USER_CONFIRMED), aged(1)).origin is Origin.USER_SAID


def test_a_merged_item_lives_as_long_and_stands_as_high_as_its_best_source():
    merged = put(
        aged(1, tier=Tier.MTM, expires_at=NOW + 5, decay_rate=0.1),
        aged(1, tier=Tier.STM, expires_at=NOW + 9, decay_rate=0.0),
    )
    assert (merged.tier, merged.expires_at, merged.decay_rate) == (Tier.MTM, NOW + 9, 0.0)
    assert put(aged(1, expires_at=NOW + 5), aged(1)).expires_at is None


def test_what_sources_do_not_agree_in_is_left_out():
    merged = put(
        aged(1, session_id="a", task_id="t", metadata={"x": 1, "y": 2}),
        aged(1, session_id="b", task_id="t", metadata={"x": 3}),
    )
    assert (merged.session_id, merged.task_id, dict(merged.metadata)) == (None, "t", {"y": 2})


def test_a_title_is_kept_where_one_source_has_one():
    assert put(aged(1), aged(1, title="Rowing")).title == "Rowing"


def test_a_source_is_archived_and_names_its_successor():
    source, successor = aged(1), aged(0)
    gone = archived(source, successor)
    assert (gone.status, gone.superseded_by, gone.content) == (
        Status.ARCHIVED,
        successor.id,
        source.content,
    )


def test_links_of_the_sources_follow_to_the_successor():
    def link(src, dst, rel, **fields):
        return Link(src=src, dst=dst, rel=rel, **fields)

    links = [
        link("a", "x", Relation.DERIVED_FROM),
        link("b", "x", Relation.DERIVED_FROM, confidence=0.5),
        link("y", "a", Relation.CO_RECALLED, weight=2, valid_from=5),
        link("b", "y", Relation.CO_RECALLED, weight=3, valid_from=9),
        link("a", "b", Relation.CO_RECALLED, weight=9),
        link("a", "z", Relation.TEMPORAL),
        link("a", "old", Relation.SUPERSEDES),
    ]
    found = {(one.src, one.dst, one.rel): one for one in followed(links, {"a": "new", "b": "new"})}
    assert set(found) == {
        ("new", "x", Relation.DERIVED_FROM),
        ("y", "new", Relation.CO_RECALLED),
    }
    together = found["y", "new", Relation.CO_RECALLED]
    assert (together.weight, together.valid_from) == (5, 9)


@pytest.mark.parametrize(
    "returned", ["a text", Merged(""), Merged("   "), Merged("text", "x" * 201), Merged("text", "two\nlines")]
)
def test_what_a_consolidator_returns_is_checked(returned):
    with pytest.raises(InvalidInput):
        checked(returned)
