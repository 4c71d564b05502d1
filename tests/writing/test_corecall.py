"""Items that are used together become linked, and the link grows and fades."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.link import Relation
from simonides.domain.retention import strength_left, strengthened
from simonides.domain.scope import ALL
from simonides.errors import StoreFull
from simonides.testing import FakeEmbedder
from simonides.writing.corecall import TOGETHER, pairs_used_together
from simonides.writing.uses import UseLog

# The pairs


def test_every_pair_of_the_top_five_is_used_together_better_ranked_first():
    assert pairs_used_together("cab", "abc") == [("c", "a"), ("c", "b"), ("a", "b")]
    pairs = pairs_used_together("abcdefgh", "abcdefgh")
    assert len(pairs) == 5 * 4 / 2
    assert {item for pair in pairs for item in pair} == set("abcde")


@pytest.mark.parametrize(
    ("ranked", "counted", "pairs"),
    [
        ("a", "a", []),
        ("", "", []),
        ("ab", "", []),  # the session had used both
        ("ab", "b", [("a", "b")]),
        ("abc", "b", [("a", "b"), ("b", "c")]),
        ("abcdef", "f", []),  # what is new stands too far down
        ("aba", "a", [("a", "b")]),
    ],
)
def test_a_pair_needs_an_item_that_the_session_had_not_used(ranked, counted, pairs):
    assert pairs_used_together(ranked, counted) == pairs


@given(
    events=st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8), max_size=12),
)
def test_a_pair_counts_at_most_once_a_session(events):
    used, strengthened_pairs = set(), []
    for ranked in events:
        counted = set(ranked) - used
        used |= counted
        pairs = pairs_used_together(ranked, counted)
        assert len(pairs) <= 10
        strengthened_pairs += map(frozenset, pairs)
    assert len(strengthened_pairs) == len(set(strengthened_pairs))


# The strength


def test_strength_grows_by_one_on_what_retention_left_of_it():
    # retention(d) = 0.3 + 0.7 · exp(−0.004 · d): 1 at once, .92084 after 30 days, .64073 after 180.
    assert strengthened(0, 0) == 1
    assert strengthened(1, 0) == 2
    assert strengthened(1, 30) == pytest.approx(1.92084, abs=1e-5)
    assert strengthened(2.5, 180) == pytest.approx(2.5 * (0.3 + 0.7 * math.exp(-0.72)) + 1)
    assert strengthened(2.5, 180) == pytest.approx(2.60182, abs=1e-5)
    assert strength_left(2, 180) == pytest.approx(1.28145, abs=1e-5)


@given(strength=st.floats(0, 1e6), days=st.floats(-100, 1e6), more=st.floats(0, 1e4))
def test_strength_fades_with_time_to_three_tenths_and_no_further(strength, days, more):
    left = strength_left(strength, days)
    assert 0.3 * strength <= left * (1 + 1e-9)
    assert strength_left(strength, days + more) <= left <= strength
    assert strengthened(strength, days) == pytest.approx(left + 1)


# In a store


@pytest.fixture
def links(memory):
    """The co-recall links of the store: {(content, content): weight}."""

    def found():
        memory.flush()
        items = memory.list(scope=ALL, limit=1000)
        contents = {item.id: item.content for item in items}
        made = {link for item in items for link in memory.explain(item.id).links}
        return {
            tuple(sorted((contents[link.src], contents[link.dst]))): round(link.weight, 5)
            for link in made
            if link.rel is Relation.CO_RECALLED
        }

    return found


TEA, MILK, CUPS = "tea is in the tin", "tea takes milk", "tea cups are blue"


def test_what_a_search_returns_together_is_linked(memory, add, links):
    for content in (TEA, MILK, CUPS, "coffee"):
        add(content)
    assert len(memory.search("tea", k=3)) == 3
    assert links() == {(CUPS, MILK): 1, (CUPS, TEA): 1, (TEA, MILK): 1}


def test_a_pair_counts_once_a_session_and_again_in_the_next(memory, add, clock, links):
    for content in (TEA, MILK):
        add(content)
    for _ in range(3):
        memory.search("tea")
    assert links() == {(TEA, MILK): 1}
    clock.advance(days=30)
    memory.search("tea")
    assert links() == {(TEA, MILK): 1.92084}


def test_uses_of_one_flush_and_of_several_count_the_same(memory, add, clock, links):
    ids = [add(content) for content in (TEA, MILK, CUPS)]
    for k in (1, 3, 3):
        memory.mark_used(ids[:k])
    at_once = links()
    assert at_once == {(CUPS, MILK): 1, (CUPS, TEA): 1, (TEA, MILK): 1}
    clock.advance(hours=1)
    for k in (1, 3, 3):
        memory.mark_used(ids[:k])
        memory.flush()
    assert links() == pytest.approx(dict.fromkeys(at_once, 2), abs=1e-3)


def test_a_look_and_a_single_item_link_nothing(memory, add, links):
    ids = [add(content) for content in (TEA, MILK)]
    memory.context("tea")
    memory.list()
    for item_id in ids:
        memory.get(item_id, used=True)
    memory.search("tea", k=1)
    assert links() == {}


def test_turns_are_linked_like_other_items(memory, links):
    chat = [{"role": "user", "content": TEA}, {"role": "user", "content": MILK}]
    memory.add(chat, session_id="breakfast")
    memory.search("tea")
    assert links() == {(TEA, MILK): 1}


def test_items_of_people_who_cannot_see_each_other_are_never_linked(memory, add, links):
    add(TEA, user_id="ana")
    add(MILK, user_id="bo")
    add(CUPS)
    assert len(memory.search("tea", scope=ALL)) == 3
    assert links() == {(CUPS, TEA): 1, (CUPS, MILK): 1}


def test_a_purged_item_leaves_no_link_even_where_its_use_is_written_later(memory, add, links, open_memory):
    tea, _ = add(TEA), add(MILK)
    other = open_memory(embedder=FakeEmbedder(8))
    other.search("tea")
    memory.purge(tea)
    other.flush()
    assert links() == {}
    assert memory.doctor().healthy


def test_a_use_that_could_not_be_written_links_nothing_until_it_is(memory, add, links):
    ids = [add(content) for content in (TEA, MILK)]

    class FullDisk:
        full = True

        def write(self, work):
            if self.full:
                raise StoreFull
            return memory._parts.store.write(work)

    disk = FullDisk()
    log = UseLog(disk)
    log.used(ids, "s1", 1)
    with pytest.raises(StoreFull):
        log.flush()
    assert links() == {}
    disk.full = False
    log.close()
    assert links() == {(TEA, MILK): 1}


def test_a_use_of_many_links_the_first_five_only(memory, add, links):
    ids = [add(f"tea number {number}") for number in range(12)]
    memory.mark_used(ids)
    top = {memory.get(item_id).content for item_id in ids[:TOGETHER]}
    made = links()
    assert len(made) == 10
    assert {content for pair in made for content in pair} == top
