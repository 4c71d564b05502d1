"""Consolidation leaves items as somebody said them, and the same evidence lifts an item once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US, iso
from simonides.testing import FakeEmbedder

TIERS = ("stm", "mtm", "ltm")
_KEPT = settings(max_examples=25)


def use(memory, item_id, times, session="s"):
    for number in range(times):
        memory.mark_used([item_id], session_id=f"{session}{number}")
    memory.flush()


def test_an_end_that_somebody_set_stays_however_often_it_is_consolidated(memory, remember, clock):
    item = remember("The permit is valid.", type="decision", expires_at="2027-01-01", pinned=True)
    for _ in range(4):
        clock.advance(days=1)
        use(memory, item.id, 9, session=str(clock.now()))
        memory.consolidate()
    assert memory.get(item.id).tier == "ltm"
    assert memory.get(item.id).expires_at == item.expires_at


def test_what_was_kept_out_of_prompts_is_not_put_in_by_rising(memory, remember):
    item = remember("A decision that is not for prompts.", type="decision", injectable=False)
    memory.consolidate()
    assert memory.get(item.id).tier == "mtm"
    assert not memory.get(item.id).injectable


def test_the_same_evidence_lifts_an_item_by_one_tier(memory, remember, clock):
    used, decided = remember("The ferry leaves at noon."), remember("We take the ferry.", type="decision")
    pinned = remember("The cabin has a stove.", pinned=True)
    use(memory, used.id, 9)
    for _ in range(3):
        clock.advance(hours=1)
        memory.consolidate()
    assert [memory.get(one.id).tier for one in (used, decided, pinned)] == ["mtm"] * 3
    clock.advance(days=1)
    use(memory, used.id, 1, session="later")
    memory.confirm(decided.id)
    clock.advance(hours=1)
    memory.consolidate()
    assert [memory.get(one.id).tier for one in (used, decided, pinned)] == ["ltm", "ltm", "mtm"]


@_KEPT
@given(
    st.lists(
        st.tuples(
            st.sampled_from(("fact", "decision", "preference", "identity", "note")),
            st.integers(0, 9),
            st.booleans(),
            st.booleans(),
            st.sampled_from(TIERS[:2]),
            st.none() | st.integers(2, 400),
            st.sampled_from(
                ("The ferry leaves at noon.", "The ferry leaves at noon", "The cabin has a stove.")
            ),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_no_item_rises_twice_or_loses_its_end_without_anything_new(
    open_memory, tmp_path_factory, clock, drawn
):
    memory = open_memory(tmp_path_factory.mktemp("m") / "m.db", embedder=FakeEmbedder(4))
    for number, (type_, uses, pinned, verified, tier, days, text) in enumerate(drawn):
        ends = None if days is None else iso(clock.now() + days * DAY_US)
        source = {"source_kind": "doc", "source_id": "plan.md"}
        item_id = (
            memory.add(
                f"{text} {number % 2}",
                type=type_,
                pinned=pinned,
                tier=tier,
                expires_at=ends,
                provenance=source,
            )
            .verdicts[0]
            .item_id
        )
        use(memory, item_id, uses)
        if verified and memory.get(item_id).status == "active":  # What contradicts a settled one waits.
            memory.confirm(item_id)
    clock.advance(hours=1)
    before = {item.id: item for item in memory.list(limit=100)}
    memory.consolidate(tiers=("stm", "mtm"))
    after = {item.id: item for item in memory.list(limit=100)}
    for item_id in before.keys() & after.keys():
        assert TIERS.index(after[item_id].tier) - TIERS.index(before[item_id].tier) in (0, 1)
        assert after[item_id].expires_at == before[item_id].expires_at
    again = memory.consolidate(tiers=("stm", "mtm"))
    assert again.changes == ()
    memory.close()


def test_an_item_that_is_unpinned_fades_again_as_it_did(memory, remember):
    plain, own = remember("The ferry leaves at noon."), remember("The cabin has a stove.", decay_rate=0.3)
    born = remember("The dog is called Rex.", pinned=True)
    for item in (plain, own, born):
        memory.update(item.id, pinned=True)
        assert memory.get(item.id).decay_rate == 0
        memory.update(item.id, pinned=False)
    assert [memory.get(item.id).decay_rate for item in (plain, own, born)] == [
        plain.decay_rate, 0.3, plain.decay_rate
    ]  # fmt: skip


def test_what_leaves_the_long_term_fades_again_unless_it_is_pinned(memory, remember):
    item = remember("The ferry leaves at noon.")
    memory.update(item.id, tier="ltm", pinned=True)
    memory.update(item.id, tier="mtm")
    assert memory.get(item.id).decay_rate == 0
    memory.update(item.id, pinned=False)
    assert memory.get(item.id).decay_rate == item.decay_rate
    memory.update(item.id, pinned=True)
    memory.update(item.id, pinned=False, decay_rate=0.2)
    assert memory.get(item.id).decay_rate == 0.2
