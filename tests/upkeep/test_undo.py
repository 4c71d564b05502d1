"""Undo: exactly what a run changed, and nothing that came since."""

from contextlib import suppress
from dataclasses import replace

import pytest

from simonides.domain.item import Status
from simonides.domain.link import Link, Relation
from simonides.domain.records import Place
from simonides.domain.run import RunStatus
from simonides.domain.scope import Scope
from simonides.errors import Conflict, NotFound, StoreFull, UndoRefused
from simonides.ports.runs import judged
from simonides.testing import an_item
from simonides.upkeep.change import (
    AddLink,
    Assign,
    DropLink,
    HoldBack,
    Judged,
    MarkSession,
    Revise,
    Summarise,
    new_item,
)
from simonides.upkeep.job import Step
from tests.full_disk import full_from


def test_a_merge_is_taken_back_exactly(memory, remember, run_job, merge, everything, clock):
    items = [remember("Petra lives in Milan.", tags=["city"]), remember("Petra is in Milan.", confidence=0.7)]
    memory.palace.assign(items[0].id, room="hall")
    before = everything(memory)
    clock.advance(days=1)
    run = run_job([merge(items, "Petra lives in Milan, in the city.")])
    made = run.changes[2].item_id
    clock.advance(days=1)
    undo = memory.undo(run.id)
    after = everything(memory)
    archived = after["items"].pop(made)
    assert archived.status is Status.ARCHIVED
    after["usage"].pop(made)
    assert after == before
    assert undo.counts == {"restored": 5}
    assert undo.undoes == run.id
    assert memory.runs.show(run.id).status is RunStatus.UNDONE
    assert {change.undone_by for change in memory.runs.show(run.id).changes} == {undo.id}
    assert [hit.item.id for hit in memory.search("Milan").hits if hit.item.id == made] == []
    assert [revision.reason for revision in memory.history(made) if revision.item.id == made] == [
        "consolidation_merge",
        "undo",
    ]
    assert {entity.name: entity.mention_count for entity in memory.entities.list()}["Petra"] >= 2
    assert memory.doctor().healthy
    assert memory.audit.verify() == []
    memory.add("Petra lives in Milan, in the city.", type="fact")
    assert any(item.content.endswith("in the city.") for item in memory.list())


def test_every_kind_of_change_is_taken_back(memory, remember, run_job, everything):
    one, two = remember("Petra is here."), remember("Two.")
    memory.link(one.id, two.id, "supports", evidence="as she said")
    memory.palace.assign(two.id, room="cellar")
    memory.add([{"role": "user", "content": "Hello there."}], session_id="s")
    (entity,) = memory.entities.list()
    before = everything(memory)
    run = run_job(
        [
            Step((AddLink(Link(src=one.id, dst=two.id, rel=Relation.SUPPORTS, weight=4.0)),)),
            Step((AddLink(Link(src=one.id, dst=two.id, rel=Relation.CAUSAL, confidence=0.7)),)),
            Step((DropLink(Link(src=one.id, dst=two.id, rel=Relation.SUPPORTS)),)),
            Step((Judged("causes", two.id, one.id),)),
            Step((Assign(Place(one.id, "home", "hall", "wall")),)),
            Step((Assign(Place(two.id, "home", "hall", "wall")),)),
            Step((Summarise(entity.id, entity.name, "Petra is a person.", None),)),
            Step((MarkSession("s", Scope("global"), 77),)),
            Step((HoldBack(two, ("derived: its source was retracted",)),)),
        ]
    )
    assert (run.status, len(run.changes)) == (RunStatus.DONE, 9), run
    undo = memory.undo(run.id)
    assert (undo.status, undo.left_alone) == (RunStatus.DONE, ())
    assert everything(memory) == before
    assert memory.sessions.list()[0].consolidated_at is None
    assert memory.entities.get("Petra").entity.summary is None
    assert memory.review.list() == []
    assert memory.explain(two.id).verdict is None
    with memory._parts.store.read() as reader:
        assert judged(reader, "causes", [(one.id, two.id)]) == set()


def test_a_new_text_is_taken_back_with_vector_words_and_names(memory, remember, run_job):
    item = remember("Petra lives in Milan.")
    run = run_job([Step((Revise(item, replace(item, content="Ruben lives in Oslo."), reason="enrich"),))])
    assert {entity.name for entity in memory.entities.list()} == {"Ruben", "Oslo"}
    memory.undo(run.id)
    assert {entity.name for entity in memory.entities.list()} == {"Petra", "Milan"}
    (hit,) = memory.search("Petra in Milan").hits
    assert hit.item.content == "Petra lives in Milan."
    assert memory.stats()["vectors"] == {"fake": 1}


def test_use_that_came_since_stays(memory, remember, run_job, archive):
    item = remember("Ana plays chess.", confidence=0.5)
    memory.get(item.id, used=True)
    memory.flush()
    used = memory.get(item.id)
    run = run_job([Step((Revise(used, replace(used, importance=0.9), reason="x"),))])
    memory.mark_used([item.id], session_id="later")
    memory.flush()
    confident = memory.get(item.id).confidence
    memory.undo(run.id)
    after = memory.get(item.id)
    assert (after.usage_count, after.reinforcement, after.importance) == (2, 0.0, used.importance)
    assert used.confidence < after.confidence == pytest.approx(confident)


def test_an_item_that_changed_since_refuses_the_undo_and_is_named(memory, remember, run_job):
    items = [remember(f"Number {n}.") for n in range(3)]
    run = run_job([Step((Revise(item, replace(item, importance=0.9), reason="x"),)) for item in items])
    memory.update(items[1].id, content="Number one.")
    with pytest.raises(UndoRefused, match=items[1].id) as refused:
        memory.undo(run.id)
    assert refused.value.item_ids == (items[1].id,)
    assert [memory.get(item.id).importance for item in items] == [0.9] * 3
    assert memory.runs.show(run.id).status is RunStatus.DONE


def test_with_force_the_rest_is_taken_back(memory, remember, run_job):
    items = [remember(f"Number {n}.") for n in range(3)]
    run = run_job([Step((Revise(item, replace(item, importance=0.9), reason="x"),)) for item in items])
    memory.update(items[1].id, content="Number one.")
    undo = memory.undo(run.id, force=True)
    assert undo.counts == {"restored": 2, "skipped": 1}
    assert undo.left_alone[0].item_ids == (items[1].id,)
    assert [memory.get(item.id).importance for item in items] == [0.5, 0.9, 0.5]
    assert memory.runs.show(run.id).status is RunStatus.UNDONE


def test_a_later_run_has_to_be_taken_back_first(memory, remember, run_job):
    item = remember("One.")
    first = run_job([Step((Revise(item, replace(item, importance=0.9), reason="x"),))])
    now = memory.get(item.id)
    second = run_job([Step((Revise(now, replace(now, importance=0.1), reason="x"),))])
    with pytest.raises(UndoRefused):
        memory.undo(first.id)
    memory.undo(second.id)
    assert memory.get(item.id).importance == 0.9
    memory.undo(first.id)
    assert memory.get(item.id).importance == item.importance


def test_an_item_that_a_run_changed_twice_is_as_before_it(memory, remember, run_job):
    item = remember("One.")

    def plan(_):
        for importance in (0.6, 0.7, 0.8):
            now = memory.get(item.id)
            yield Step((Revise(now, replace(now, importance=importance), reason="x"),))

    memory.undo(run_job(plan).id)
    assert memory.get(item.id).importance == item.importance


def test_a_content_that_was_taken_meanwhile_answers_merged(memory, remember, run_job, archive):
    item = remember("The door is open.")
    run = run_job([Step((archive(item),))])
    other = remember("The door is open.")
    assert other.id != item.id
    undo = memory.undo(run.id)
    after = memory.get(item.id)
    assert (after.status, after.superseded_by) == (Status.ARCHIVED, other.id)
    assert undo.counts == {"merged": 1, "restored": 1}
    assert other.id in undo.left_alone[0].why


def test_a_link_that_changed_since_is_left_and_told(memory, remember, run_job):
    one, two = remember("One."), remember("Two.")
    run = run_job([Step((AddLink(Link(src=one.id, dst=two.id, rel=Relation.SUPPORTS)),))])
    memory.link(one.id, two.id, "supports", weight=7)
    with pytest.raises(UndoRefused, match="supports"):
        memory.undo(run.id)
    undo = memory.undo(run.id, force=True)
    assert undo.counts == {"skipped": 1}
    assert set(undo.left_alone[0].item_ids) == {one.id, two.id}


def test_what_later_runs_changed_and_changed_back_is_taken_back_after_them(memory, remember, run_job):
    one, two = remember("Petra is here."), remember("Two.")
    (entity,) = memory.entities.list()

    def made(room, before, weight):
        told = None if room is None else f"Petra is in the {room}."
        was = None if before is None else f"Petra is in the {before}."
        link = Link(src=one.id, dst=two.id, rel=Relation.CAUSAL, weight=weight)
        place = Place(one.id, "home", room, "wall")
        return [Step((change,)) for change in (
            Assign(place), AddLink(link), Summarise(entity.id, entity.name, told, was)
        )]  # fmt: skip

    runs = [
        run_job(made(*values))
        for values in (("hall", None, 1.0), ("attic", "hall", 2.0), ("hall", "attic", 1.0))
    ]
    for run in runs[:2]:
        with pytest.raises(UndoRefused):
            memory.undo(run.id)
    assert memory.undo(runs[0].id, force=True).counts == {"skipped": 3}
    assert memory.palace.where(one.id).room == "hall"
    assert memory.undo(runs[2].id).left_alone == ()
    assert memory.undo(runs[1].id).left_alone == ()
    assert memory.palace.where(one.id).room == "hall"
    assert memory.entities.get("Petra").entity.summary == "Petra is in the hall."


def test_what_was_assigned_summarised_or_marked_anew_since_is_left(memory, remember, run_job):
    one = remember("Petra is here.")
    memory.add([{"role": "user", "content": "Hello there."}], session_id="s")
    (entity,) = memory.entities.list()
    changes = (
        Assign(Place(one.id, "home", "hall", "wall")),
        Summarise(entity.id, entity.name, "Petra is a person.", None),
        MarkSession("s", Scope("global"), 77),
    )
    run = run_job([Step((change,)) for change in changes])
    memory.palace.assign(one.id, room="cellar")
    run_job([Step((Summarise(entity.id, "Petra", "Petra is a cat.", "Petra is a person."),))])
    run_job([Step((MarkSession("s", Scope("global"), 99),))])
    with pytest.raises(UndoRefused):
        memory.undo(run.id)
    undo = memory.undo(run.id, force=True)
    assert undo.counts == {"skipped": 3}
    assert memory.palace.where(one.id).room == "cellar"
    assert memory.entities.get("Petra").entity.summary == "Petra is a cat."
    assert memory.sessions.list()[0].consolidated_at == 99


def test_what_was_purged_since_does_not_stand_in_the_way(memory, remember, run_job, merge):
    items = [remember("One."), remember("Two.")]
    run = run_job([merge(items, "One and two.")])
    memory.purge(items[0].id)
    memory.undo(run.id, force=True)
    assert [item.content for item in memory.list()] == ["Two."]
    assert memory.doctor().healthy


def test_a_run_is_taken_back_once_and_an_undo_never(memory, remember, run_job, archive):
    run = run_job([Step((archive(remember("One.")),))])
    undo = memory.undo(run.id)
    with pytest.raises(Conflict, match=undo.id):
        memory.undo(run.id)
    with pytest.raises(Conflict, match="an undo itself"):
        memory.undo(undo.id)
    with pytest.raises(NotFound):
        memory.undo("no-such-run")


def test_a_run_that_failed_can_be_taken_back(memory, remember, run_job, archive):
    item = remember("One.")

    def plan(_):
        yield Step((archive(item),))
        raise ValueError

    memory.undo(run_job(plan).id)
    assert memory.get(item.id).status is Status.ACTIVE


def test_a_maintain_is_taken_back_with_all_its_parts(memory, remember, planned, everything):
    from simonides.domain.scope import ALL
    from simonides.upkeep.ground import Order

    item = remember("One.")
    before = everything(memory)

    def change(importance):
        def plan(_):
            now = memory.get(item.id)
            yield Step((Revise(now, replace(now, importance=importance), reason="x"),))

        return plan

    jobs = (planned(change(0.8), "first"), planned(change(0.2), "second"))
    run = memory._parts.upkeep.maintain(jobs, Order(scope=ALL))
    undo = memory.undo(run.id)
    assert undo.counts == {"restored": 2}
    assert everything(memory) == before
    assert {found.status for found in memory.runs.list() if found.job != "undo"} == {RunStatus.UNDONE}


def test_parts_that_were_taken_back_before_are_passed_over(memory, remember, planned):
    from simonides.domain.scope import ALL
    from simonides.upkeep.ground import Order

    one, two = remember("One."), remember("Two.")
    jobs = tuple(
        planned([Step((Revise(item, replace(item, importance=0.9), reason="x"),))], item.content[:-1])
        for item in (one, two)
    )
    run = memory._parts.upkeep.maintain(jobs, Order(scope=ALL))
    memory.undo(run.parts[1].id)
    memory.undo(run.id)
    assert [memory.get(item.id).importance for item in (one, two)] == [0.5, 0.5]


def test_a_long_undo_that_was_interrupted_goes_on(memory, remember, run_job, everything):
    """Killed between two pieces, the first is taken back and the run is not: undo again goes on."""
    items = [
        memory.get(v.item_id) for v in memory.add([f"Number {n}." for n in range(450)], type="fact").verdicts
    ]
    before = everything(memory)

    def plan(_):
        yield tuple(Step((Revise(item, replace(item, importance=0.9), reason="x"),)) for item in items)

    run = run_job(plan)
    told = []

    def stop(*args):
        told.append(args)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.undo(run.id, progress=stop)
    assert told[0][0] == "undo"
    assert 0 < sum(memory.get(item.id).importance == 0.5 for item in items) < 450
    assert memory.runs.show(run.id).status is RunStatus.DONE
    undo = memory.undo(run.id)
    assert 0 < undo.counts["restored"] < 450
    assert everything(memory) == before


@pytest.mark.parametrize("number", range(1, 5))
def test_an_undo_on_a_disk_that_fills_up_is_done_and_in_the_books_or_can_be_sent_again(
    memory, remember, run_job, archive, number
):
    item = remember("One.")
    run = run_job([Step((archive(item),))])
    with full_from(memory._parts.store, number), suppress(StoreFull):
        memory.undo(run.id)
    if memory.runs.show(run.id).status is not RunStatus.UNDONE:
        memory.undo(run.id)
    assert memory.runs.show(run.id).status is RunStatus.UNDONE
    assert memory.get(item.id).status is Status.ACTIVE
    done = [one for one in memory.runs.list() if one.undoes == run.id and one.status is RunStatus.DONE]
    assert len(done) == 1


def test_an_undo_waits_for_no_job_that_runs(memory, remember, run_job, archive):
    """While the job runs, nothing of its former runs is taken back."""
    run = run_job([Step((archive(remember("One.")),))])
    refused = []

    def plan(_):
        with pytest.raises(Conflict, match="busy") as error:
            memory.undo(run.id)
        refused.append(error)
        yield from ()

    assert run_job(plan).status is RunStatus.DONE
    assert refused
    assert memory.undo(run.id).status is RunStatus.DONE


def test_a_created_item_that_was_confirmed_since_is_not_taken_away(memory, run_job):
    run = run_job([Step((new_item(an_item("One."), reason="x"),))])
    made = run.changes[0].item_id
    memory.confirm(made)
    with pytest.raises(UndoRefused):
        memory.undo(run.id)
    assert memory.get(made).status is Status.ACTIVE
