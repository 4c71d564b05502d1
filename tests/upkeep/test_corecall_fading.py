"""Links between items that were used together go when little is left of them."""

from itertools import count

import pytest

from simonides.domain.link import Relation

SESSIONS = count()


@pytest.fixture
def together(memory):
    def use(*items):
        memory._parts.uses.used([item.id for item in items], f"s{next(SESSIONS)}", memory._parts.clock.now())
        memory.flush()

    return use


def links(memory):
    ids = [item.id for item in memory.list(archived=True)]
    with memory._parts.store.read() as reader:
        return [(link.src, link.dst) for link in reader.links(ids, [Relation.CO_RECALLED])]


@pytest.mark.parametrize(("days", "left"), [(310, 1), (316, 0)])
def test_items_that_were_used_together_once_keep_their_link_for_ten_months(
    memory, remember, together, clock, days, left
):
    """0.3 + 0.7 · exp(−0.004 · d) < 0.5 from day 313.2 on."""
    together(remember("Figs.", pinned=True), remember("Plums.", pinned=True))
    clock.advance(days=days)
    run = memory.maintain(["corecall"])
    assert len(links(memory)) == left
    assert run.counts == ({} if left else {"unlinked": 1})


def test_what_was_used_together_often_stays_linked(memory, remember, together, clock):
    one, two = remember("Figs.", pinned=True), remember("Plums.", pinned=True)
    for _ in range(3):
        together(one, two)
    clock.advance(days=5000)
    memory.maintain(["corecall"])
    assert len(links(memory)) == 1


def test_an_undo_brings_the_link_back_as_it_was(memory, remember, together, clock):
    one, two = remember("Figs.", pinned=True), remember("Plums.", pinned=True)
    together(one, two)
    with memory._parts.store.read() as reader:
        before = reader.links([one.id])
    clock.advance(days=400)
    run = memory.maintain(["corecall"])
    memory.undo(run.id)
    with memory._parts.store.read() as reader:
        assert reader.links([one.id]) == before


def test_links_that_somebody_made_stay(memory, remember, clock):
    one, two = remember("Figs.", pinned=True), remember("Plums.", pinned=True)
    memory.link(one.id, two.id, "supports")
    clock.advance(days=5000)
    assert memory.maintain(["corecall"]).counts == {}


def test_in_one_scope_only_its_own_links_go(memory, remember, together, clock):
    ours = [remember("Figs.", pinned=True, scope="user:a"), remember("Plums.", pinned=True, scope="user:a")]
    theirs = [remember("Figs.", pinned=True, scope="user:b"), remember("Plums.", pinned=True, scope="user:b")]
    together(*ours)
    together(*theirs)
    clock.advance(days=400)
    assert memory.maintain(["corecall"], scope="user:a").counts == {"unlinked": 1}
    assert memory.maintain(["corecall"]).counts == {"unlinked": 1}
