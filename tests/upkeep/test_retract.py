"""Retraction: what was made from an item that is forgotten or purged does not outlive it unseen."""

import pytest

from simonides.domain.item import Status, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.scope import ALL
from simonides.errors import Conflict, NotFound
from simonides.testing import an_item
from simonides.testing.port_calls import PortCalls
from simonides.upkeep.change import AddLink, Summarise, new_item
from simonides.upkeep.job import Step
from simonides.upkeep.schedule.lease import Lease


@pytest.fixture
def made_from(memory, run_job, clock):
    """Makes an item out of others, as compression and extraction do; gives its id."""

    def make(content, *sources, link=True, **fields):
        clock.advance(seconds=1)
        item = an_item(content, at=clock.now(), **({"type": "fact"} | fields))
        links = [AddLink(Link(src=item.id, dst=source, rel=Relation.DERIVED_FROM)) for source in sources]
        run_job([Step((new_item(item, reason="day"), *(links if link else ())))])
        return memory.get(item.id).id

    return make


@pytest.fixture
def merged(memory, run_job, merge, clock):
    """Merges items, as consolidation does; gives the id of the new one."""

    def make(content, *items, **fields):
        clock.advance(seconds=1)
        run = run_job([merge([memory.get(item.id) for item in items], content, **fields)])
        return next(change.item_id for change in run.changes if change.kind == "create")

    return make


def status(memory, *item_ids):
    return [memory.get(item_id).status.value for item_id in item_ids]


def on_disk(path, word):
    return [
        file.name for file in path.parent.iterdir() if file.is_file() and word.encode() in file.read_bytes()
    ]


# What was made from what


def test_what_was_made_from_an_item_is_found_at_every_remove_nearest_first(
    memory, remember, made_from, merged
):
    turn = remember("Petra said that she moves to Bergen.")
    fact = made_from("Petra moves to Bergen.", turn.id)
    same = remember("Petra will move to Bergen.")
    both = merged("Petra is about to move to Bergen.", memory.get(fact), same)
    profile = made_from("Petra is moving.", both)
    remember("Unrelated: it rained.")
    found = memory.derived(turn.id)
    assert [(one.item.id, one.how) for one in found] == [
        (fact, "derived"),
        (both, "merged"),
        (profile, "derived"),
    ]
    assert [one.sources for one in found] == [(turn.id,), (fact,), (both,)]
    assert found[1].others == (same.id,)
    assert memory.derived(profile) == []
    assert found[0].to_dict()["then"] == "left"


def test_what_a_provenance_names_counts_as_a_source(memory, remember, run_job, clock):
    turn, chunk = remember("Petra said so."), remember("A page about Bergen.")
    clock.advance(seconds=1)
    named = memory.add(
        "Bergen has rain.", type="fact", provenance={"source_kind": "chat", "source_id": turn.id}
    ).verdicts[0]
    paged = memory.add(
        "Bergen has a page.", type="fact",
        provenance={"source_kind": "doc", "source_id": "b.md", "chunk_ids": [chunk.id]},
    ).verdicts[0]  # fmt: skip
    assert [one.item.id for one in memory.derived(turn.id)] == [named.item_id]
    assert [(one.item.id, one.how) for one in memory.derived(chunk.id)] == [(paged.item_id, "named")]


def test_a_correction_was_not_made_from_what_it_corrects(memory, remember, clock):
    old = remember("Petra lives in Milan.")
    clock.advance(seconds=1)
    new = memory.correct(old.id, "Petra lives in Bergen.").item_id
    assert memory.derived(old.id) == []
    memory.purge(old.id)
    assert status(memory, new) == ["active"]


def test_what_was_there_before_its_source_was_not_made_from_it(memory, remember, clock):
    old = remember("Petra lives in Milan.")
    clock.advance(days=1)
    turn = remember("Petra said that she lives in Milan.")
    memory.link(old.id, turn.id, "derived_from")
    assert memory.derived(turn.id) == []


@pytest.mark.parametrize("back", [{"seconds": 5}, {"days": 40}], ids=str)
def test_what_is_made_while_the_clock_is_set_back_goes_with_its_source_all_the_same(
    memory, path, clock, made_from, merged, back
):
    """A merge, what is linked to it, what names it, and what a run extracted."""
    memory.add([{"role": "user", "content": "I live in Plantedville."}], session_id="s")
    (turn,) = memory.sessions.get("s")
    fact, other = (memory.get(memory.add(text).item_ids[0]) for text in ("Plantedville rains.", "It rains."))
    clock.advance(**{unit: -number for unit, number in back.items()})
    memory.extract()
    linked = made_from("Rain in Plantedville.", fact.id)
    named = memory.add(
        "Wet Plantedville.", provenance={"source_kind": "chat", "source_id": fact.id}
    ).item_ids[0]
    both = merged("It rains in Plantedville.", fact, other)
    assert {one.item.id for one in memory.derived(fact.id)} == {linked, named, both}
    assert memory.derived(turn.id)
    memory.purge(turn.id, fact.id)
    assert on_disk(path, "Plantedville") == []
    assert [item.content for item in memory.list()] == ["It rains."]


def test_an_unknown_id_is_told(memory):
    with pytest.raises(NotFound):
        memory.derived("019b76da-a800-7000-8000-000000000000")


# Forgetting


def test_what_was_made_from_what_is_forgotten_waits_for_review(memory, remember, made_from):
    turn = remember("Petra said that she moves to Bergen.")
    fact = made_from("Petra moves to Bergen.", turn.id)
    assert [one.then for one in memory.derived(turn.id)] == ["held back"]
    memory.forget(turn.id)
    assert status(memory, turn.id, fact) == ["archived", "quarantined"]
    assert memory.search("Bergen").hits == ()
    (waiting,) = memory.review.list()
    assert waiting.item.id == fact
    assert turn.id in waiting.verdict.reasons[0]
    assert memory.review.approve(fact).outcome == "accepted"
    assert status(memory, fact) == ["active"]


def test_a_merge_is_taken_apart_and_its_other_sources_stand_again(memory, remember, merged):
    one = remember("Petra lives in Milan.", tags=["city"])
    two = remember("Petra is living in Milan.", confidence=0.7, tags=["home"])
    both = merged("Petra lives in Milan, they say.", one, two)
    assert [one.then for one in memory.derived(one.id)] == ["taken apart"]
    memory.forget(one.id)
    assert status(memory, one.id, two.id, both) == ["archived", "active", "archived"]
    again = memory.get(two.id)
    assert (again.superseded_by, again.tags, again.confidence) == (None, ("home",), 0.7)
    assert memory.get(both).validation is Validation.RETRACTED
    assert [hit.item.id for hit in memory.search("Petra Milan").hits] == [two.id]


def test_a_pin_on_a_merge_passes_to_what_stands_again(memory, remember, merged):
    one, two = remember("Petra lives in Milan."), remember("Petra is living in Milan.")
    both = merged("Petra lives in Milan, they say.", one, two)
    memory.update(both, pinned=True)
    memory.forget(one.id)
    assert memory.get(two.id).pinned


def test_a_merge_of_nothing_else_waits_for_review(memory, remember, merged):
    one, two = remember("Petra lives in Milan."), remember("Petra is living in Milan.")
    both = merged("Petra lives in Milan, they say.", one, two)
    memory.purge(two.id, keep_derived=True)
    memory.forget(one.id)
    assert status(memory, both) == ["quarantined"]


def test_summaries_of_what_it_mentions_are_dropped(memory, remember, run_job):
    item = remember("Petra Novak moves to Bergen.")
    entity = memory.entities.get("Petra Novak").entity
    run_job([Step((Summarise(entity.id, entity.name, "Petra Novak moves.", None),))])
    other = remember("Petra Novak sings.")
    turn = remember("It is said of Petra Novak.")
    memory.link(other.id, turn.id, "supports")
    memory.forget(item.id)
    assert memory.entities.get("Petra Novak").entity.summary is None


def test_it_can_be_left_and_it_can_be_taken_back(memory, remember, made_from):
    turn = remember("Petra said that she moves to Bergen.")
    fact = made_from("Petra moves to Bergen.", turn.id)
    memory.forget(turn.id, keep_derived=True)
    assert status(memory, fact) == ["active"]
    memory.restore(turn.id)
    memory.forget(turn.id)
    run = next(run for run in memory.runs.list() if run.job == "retract")
    assert run.trigger == "forget"
    memory.undo(run.id)
    assert status(memory, turn.id, fact) == ["archived", "active"]


def test_what_lives_on_its_own_is_forgotten_without_a_run(memory, remember):
    memory.forget(remember("Petra likes figs.").id)
    assert memory.runs.list() == []


def test_while_a_retraction_is_under_way_nothing_else_is_forgotten(memory, remember, made_from, clock):
    turn = remember("Petra said that she moves to Bergen.")
    fact = made_from("Petra moves to Bergen.", turn.id)
    lease = Lease("retract", 10**9)
    memory._parts.store.write(lambda tx: lease.take(tx, clock.now()))
    for act in (memory.forget, memory.purge):
        with pytest.raises(Conflict, match="nothing was removed"):
            act(turn.id)
    assert status(memory, turn.id, fact) == ["active", "active"]


def test_the_log_is_asked_once_however_much_was_made_from_an_item(memory, remember, made_from):
    turn = remember("Petra said that she moves to Bergen.")
    for number in range(12):
        made_from(f"Petra moves to Bergen on day {number}.", turn.id)
    with PortCalls() as found:
        assert len(memory.derived(turn.id)) == 12
    assert found.calls["events"] <= 2


# Purging


def test_a_purge_takes_along_what_says_what_the_source_said(memory, remember, made_from, path):
    turn = remember("Petra said that she moves to plantedbergen.")
    fact = made_from("Petra moves to plantedbergen.", turn.id)
    profile = made_from("Petra is fond of plantedbergen, and moves.", fact)
    assert [one.then for one in memory.derived(turn.id, purge=True)] == ["purged", "purged"]
    assert on_disk(path, "plantedbergen")
    counts = memory.purge(turn.id)
    assert counts["items"] == 3
    assert on_disk(path, "plantedbergen") == []
    for item_id in (turn.id, fact, profile):
        with pytest.raises(NotFound):
            memory.get(item_id)
    assert memory.doctor().healthy


def test_a_purge_keeps_for_review_what_says_nothing_that_other_sources_do_not_say(
    memory, remember, made_from
):
    gone = remember("Petra moves to Bergen.")
    kept = remember("Petra packs boxes in Milan.")
    told = made_from("Petra packs boxes.", gone.id, kept.id)
    assert [one.then for one in memory.derived(gone.id, purge=True)] == ["held back"]
    memory.purge(gone.id)
    assert status(memory, kept.id, told) == ["active", "quarantined"]


def test_a_purge_of_a_merged_source_leaves_no_word_and_the_others_stand_again(memory, remember, merged, path):
    one = remember("Petra lives in plantedmilan.", tags=["plantedtag"])
    two = remember("Petra is living in town.", tags=["home"])
    both = merged("Petra lives in plantedmilan, in town.", one, two, tags=("plantedtag", "home"))
    memory.purge(one.id)
    assert status(memory, two.id) == ["active"]
    assert memory.get(two.id).superseded_by is None
    with pytest.raises(NotFound):
        memory.get(both)
    assert [on_disk(path, word) for word in ("plantedmilan", "plantedtag")] == [[], []]
    assert memory.doctor().healthy


def test_a_purge_reaches_what_was_made_and_has_moved_to_the_archive_file(memory, remember, made_from, path):
    turn = remember("Petra said that she moves to plantedbergen.")
    fact = made_from("Petra moves to plantedbergen.", turn.id)
    memory._parts.store.write(lambda tx: tx.set_aside([fact]))
    (one,) = memory.derived(turn.id, purge=True)
    assert (one.moved, one.then) == (True, "purged")
    memory.purge(turn.id)
    assert on_disk(path, "plantedbergen") == []
    assert memory.list(scope=ALL, archived=True) == []


@pytest.mark.parametrize("moved", [None, "made", "source"])
def test_a_purge_reaches_what_was_made_by_a_run_that_was_taken_back(memory, path, clock, moved):
    words = ["Ruben", "plantedbergen", "Turku"]
    turns = [{"role": "user", "content": f"We decided to go to {word}."} for word in words]
    said = [verdict.item_id for verdict in memory.add(turns, session_id="s").verdicts]
    clock.advance(days=1)
    run = memory.maintain(["sessions"])
    (made,) = memory.list(scope=ALL, types=["narrative"])
    assert "plantedbergen" in made.content
    memory.undo(run.id)
    if moved:
        memory._parts.store.write(lambda tx: tx.set_aside([made.id if moved == "made" else said[1]]))
    memory.purge(said[1])
    assert on_disk(path, "plantedbergen") == []


def test_a_purge_reaches_what_was_told_anew_of_a_later_turn(memory, path, clock):
    memory.add([{"role": "user", "content": "We decided to go to Turku."}], session_id="s")
    clock.advance(days=1)
    memory.maintain(["sessions"])
    clock.advance(hours=1)
    turn = memory.add([{"role": "user", "content": "We decided to meet at plantedbergen."}], session_id="s")
    clock.advance(days=1)
    memory.maintain(["sessions"])
    (made,) = memory.list(scope=ALL, types=["narrative"])
    assert "plantedbergen" in made.content
    memory.purge(turn.verdicts[0].item_id)
    assert on_disk(path, "plantedbergen") == []


@pytest.mark.parametrize("made", ["extracted", "told", "derived", "merged"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_purge_takes_along_what_is_made_while_it_is_planned(
    memory, made_from, merged, monkeypatch, path, made, whole
):
    turn = memory.add(
        [{"role": "user", "content": "We decided to use Zorrilla for the mill."}],
        session_id="s",
        user_id="ana",
    ).verdicts[0]
    other = memory.add("The mill is old.", type="fact", user_id="ana").verdicts[0]
    make = {
        "extracted": memory.extract,
        "told": lambda: memory.sessions.end("s", scope="user:ana"),
        "derived": lambda: made_from("Zorrilla is for the mill.", turn.item_id),
        "merged": lambda: merged(
            "Zorrilla is for the old mill.", memory.get(turn.item_id), memory.get(other.item_id)
        ),
    }[made]
    waiting = [make]
    remove = memory._parts.store.purge

    def purge(*args, **options):
        if waiting:
            waiting.pop()()
        return remove(*args, **options)

    monkeypatch.setattr(memory._parts.store, "purge", purge)
    memory.purge(*([] if whole else [turn.item_id]), **({"user_id": "ana"} if whole else {}))
    assert not waiting
    assert all("Zorrilla" not in item.content for item in memory.list(scope=ALL, archived=True))
    memory.flush()
    assert on_disk(path, "Zorrilla") == []


def test_a_purge_of_what_others_go_on_making_something_of_removes_nothing(
    memory, remember, made_from, monkeypatch
):
    turn, remove = remember("We decided to use Zorrilla for the mill."), memory._parts.store.purge
    texts = (f"Zorrilla is for mill {n}." for n in range(100))

    def purge(*args, **options):
        made_from(next(texts), turn.id)
        return remove(*args, **options)

    monkeypatch.setattr(memory._parts.store, "purge", purge)
    with pytest.raises(Conflict, match="something is made of it while it is purged"):
        memory.purge(turn.id)
    assert memory.get(turn.id).content == turn.content


def test_a_purge_can_leave_what_was_made(memory, remember, made_from):
    turn = remember("Petra said that she moves to Bergen.")
    fact = made_from("Petra moves to Bergen.", turn.id)
    memory.purge(turn.id, keep_derived=True)
    assert status(memory, fact) == ["active"]


def test_an_unknown_id_among_those_to_be_purged_reaches_nothing(memory, remember, made_from):
    turn = remember("Petra said that she moves to Bergen.")
    fact = made_from("Petra moves to Bergen.", turn.id)
    with pytest.raises(NotFound, match="nothing was purged"):
        memory.purge(turn.id, "019b76da-a800-7000-8000-000000000000")
    assert status(memory, turn.id, fact) == ["active", "active"]


def test_extracted_facts_go_with_the_turn_that_said_them(memory, path, clock):
    memory.add([{"role": "user", "content": "I live in Plantedville and I work as a baker."}], session_id="s")
    clock.advance(hours=1)
    memory.extract()
    (turn,) = memory.sessions.get("s")
    facts = [one.item for one in memory.derived(turn.id)]
    assert facts
    memory.purge(turn.id)
    assert on_disk(path, "Plantedville") == []
    assert {item.status for item in memory.list(scope=ALL)} <= {Status.ACTIVE}
