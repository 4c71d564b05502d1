"""Activation over links: by hand for each intent, both ways, and with time."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US
from simonides.domain.link import Relation
from simonides.ports.entities import Edge
from simonides.recall.question.intent import Intent
from simonides.recall.spread import relations, spread

NOW = 1_772_366_400_000_000

#: What flows from the source of a link to its destination, and back.
ALWAYS = {
    Relation.SUPPORTS: (0.4, 0.6),
    Relation.REFINES: (0.5, 0.8),
    Relation.SUPERSEDES: (0.2, 0.9),
    Relation.DEPENDS_ON: (0.5, 0.4),
    Relation.REFERENCES: (0.5, 0.4),
    Relation.DERIVED_FROM: (0.5, 0.6),
    Relation.CONTRADICTS: (0.4, 0.4),
    Relation.SIMILAR: (0.5, 0.5),
    Relation.CAUSAL: (0.4, 0.4),
    Relation.CONTAINS: (0.3, 0.3),
    Relation.ADJACENT: (0.3, 0.3),
    Relation.EXTRACTED_FROM: (0.5, 0.5),
}
BY_INTENT = {
    Intent.WHY: {Relation.CAUSAL: (0.3, 1.0), Relation.SUPPORTS: (0.4, 1.0)},
    Intent.WHEN: {Relation.TEMPORAL: (0.6, 0.6)},
    Intent.WHO: {Relation.DERIVED_FROM: (0.7, 0.7)},
    Intent.WHAT: {Relation.DERIVED_FROM: (0.7, 0.7), Relation.REFINES: (0.6, 1.0)},
    Intent.GENERAL: {},
}
PASSAGES = [
    (intent, relation, *passages)
    for intent in Intent
    for relation, passages in {**ALWAYS, **BY_INTENT[intent]}.items()
]


@pytest.mark.parametrize(("intent", "relation", "along", "back"), PASSAGES)
def test_activation_flows_both_ways_by_what_is_asked(intent, relation, along, back):
    edge = Edge(1, 2, relation, 1.0)
    assert spread({1: 0.8}, [edge], intent, NOW) == {2: pytest.approx(0.8 * along)}
    assert spread({2: 0.8}, [edge], intent, NOW) == {1: pytest.approx(0.8 * back)}


def test_who_asks_why_gets_the_cause_before_the_effect():
    """A cause is linked to its effect."""
    edges = [Edge(1, 2, Relation.CAUSAL, 1.0), Edge(2, 3, Relation.CAUSAL, 1.0)]
    assert spread({2: 1.0}, edges, Intent.WHY, NOW) == pytest.approx({1: 1.0, 3: 0.3})
    assert spread({2: 1.0}, edges, Intent.GENERAL, NOW) == pytest.approx({1: 0.4, 3: 0.4})


def test_turns_beside_are_activated_where_a_time_is_asked_for_and_nowhere_else():
    edge = Edge(1, 2, Relation.TEMPORAL, 1.0)
    for intent in Intent:
        assert spread({1: 1.0}, [edge], intent, NOW) == ({2: 0.6} if intent is Intent.WHEN else {})
        assert (Relation.TEMPORAL in relations(intent)) == (intent is Intent.WHEN)


def test_what_an_item_mentions_is_no_link_between_items():
    for intent in Intent:
        assert Relation.MENTIONS not in relations(intent)
        assert spread({1: 1.0}, [Edge(1, 2, Relation.MENTIONS, 1.0)], intent, NOW) == {}


@pytest.mark.parametrize("intent", Intent)
def test_the_links_that_are_asked_for_are_those_over_which_something_flows(intent):
    flows = {
        relation for relation in Relation if spread({1: 1.0}, [Edge(1, 2, relation, 1.0, NOW)], intent, NOW)
    }
    assert set(relations(intent)) == flows
    assert len(relations(intent)) == len(flows)


# Firmness


@pytest.mark.parametrize(("weight", "firmness"), [(0.0, None), (0.25, 0.25), (1.0, 1.0), (7.0, 1.0)])
def test_a_link_lets_through_as_much_as_it_weighs_and_one_at_most(weight, firmness):
    found = spread({1: 1.0}, [Edge(1, 2, Relation.SUPPORTS, weight)], Intent.GENERAL, NOW)
    assert found == ({} if firmness is None else {2: pytest.approx(0.4 * firmness)})


@pytest.mark.parametrize(("weight", "firmness"), [(1.0, 1 / 3), (2.0, 1 / 2), (6.0, 3 / 4), (98.0, 0.98)])
def test_what_was_recalled_together_is_tied_the_firmer_the_more_often(weight, firmness):
    for since in (NOW, None):
        edge = Edge(1, 2, Relation.CO_RECALLED, weight, since)
        assert spread({1: 1.0}, [edge], Intent.GENERAL, NOW) == {2: pytest.approx(0.5 * firmness)}


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (30, 0.3 + 0.7 * math.exp(-0.12)), (100_000, 0.3)])
def test_what_was_recalled_together_loosens_with_time(days, left):
    """It keeps .3 and loses the rest at .004 a day: 2 · left / (2 · left + 2)."""
    edge = Edge(1, 2, Relation.CO_RECALLED, 2.0, NOW)
    found = spread({1: 1.0}, [edge], Intent.GENERAL, NOW + days * DAY_US)
    assert found == {2: pytest.approx(0.5 * left / (left + 1))}


def test_other_links_do_not_loosen():
    edge = Edge(1, 2, Relation.SUPPORTS, 1.0, NOW - 10_000 * DAY_US)
    assert spread({1: 1.0}, [edge], Intent.GENERAL, NOW) == {2: pytest.approx(0.4)}


@pytest.mark.parametrize("relation", [Relation.SUPPORTS, Relation.CO_RECALLED])
def test_what_was_linked_after_the_question_counts_for_nothing(relation):
    for later, known in ((0, True), (1, False), (DAY_US, False)):
        edge = Edge(1, 2, relation, 1.0, NOW + later)
        assert bool(spread({1: 1.0}, [edge], Intent.GENERAL, NOW)) == known


# Paths


def test_the_best_path_counts_and_not_how_many_there_are():
    edges = [Edge(seed, 9, Relation.SIMILAR, 1.0) for seed in (1, 2, 3)]
    assert spread({1: 0.2, 2: 0.9, 3: 0.5}, edges, Intent.GENERAL, NOW) == {9: pytest.approx(0.45)}
    several = [Edge(1, 9, Relation.CONTAINS, 1.0), Edge(1, 9, Relation.SUPPORTS, 1.0)]
    assert spread({1: 1.0}, several, Intent.GENERAL, NOW) == {9: pytest.approx(0.4)}


def test_a_seed_may_receive_from_another_seed_and_it_goes_one_step_alone():
    edges = [Edge(1, 2, Relation.SIMILAR, 1.0), Edge(2, 3, Relation.SIMILAR, 1.0)]
    assert spread({1: 1.0}, edges, Intent.GENERAL, NOW) == {2: 0.5}
    assert spread({1: 1.0, 2: 0.4}, edges, Intent.GENERAL, NOW) == pytest.approx({1: 0.2, 2: 0.5, 3: 0.2})


def test_without_seeds_or_links_nothing_flows():
    edge = Edge(1, 2, Relation.SIMILAR, 1.0)
    assert spread({}, [edge], Intent.GENERAL, NOW) == {}
    assert spread({3: 1.0}, [edge], Intent.GENERAL, NOW) == {}
    assert spread({1: 1.0}, [], Intent.GENERAL, NOW) == {}


# Whatever the links

KEYS = st.integers(1, 6)
EDGES = st.lists(
    st.tuples(KEYS, KEYS, st.sampled_from(Relation), st.floats(0, 100), st.sampled_from([None, 0, NOW, NOW + 1]))
    .filter(lambda edge: edge[0] != edge[1])
    .map(lambda edge: Edge(*edge)),
    max_size=15,
)  # fmt: skip
SEEDS = st.dictionaries(KEYS, st.floats(0, 1), max_size=6)


@given(seeds=SEEDS, edges=EDGES, intent=st.sampled_from(Intent), at=st.sampled_from([0, NOW, NOW + DAY_US]))
def test_what_is_received_is_a_share_and_never_more_than_the_strongest_seed_gives(seeds, edges, intent, at):
    found = spread(seeds, edges, intent, at)
    linked = {end for edge in edges for end in edge[:2] if seeds.keys() & {edge.src, edge.dst}}
    assert found.keys() <= linked
    assert all(0 < value <= max(seeds.values()) <= 1 for value in found.values())


@given(seeds=SEEDS, edges=EDGES, intent=st.sampled_from(Intent), data=st.data())
def test_the_order_of_the_links_does_not_matter_and_more_of_them_take_nothing_away(
    seeds, edges, intent, data
):
    found = spread(seeds, edges, intent, NOW)
    assert spread(seeds, data.draw(st.permutations(edges)), intent, NOW) == found
    fewer = spread(seeds, edges[1:], intent, NOW)
    assert all(found[key] >= value for key, value in fewer.items())
