"""Every public change says who did it: found by looking through the whole surface."""

import inspect
from functools import partial

import pytest

from simonides.agent.tools import Tools
from simonides.domain.actor import UPKEEP
from simonides.domain.records import AuditEvent
from simonides.domain.run import RunStatus
from simonides.domain.scope import Scope
from simonides.errors import InvalidInput, NeedsApproval
from simonides.memory import Memory
from tests.full_disk import full_from
from tests.memory.reflection import PARTS

ANA = "user:ana"
TOKEN = "ghp_RgDug13FucR9CS37dMo4stqD04GHwGGf2GK4"
WHY = {"why_store": "it may matter", "source": "m1"}
#: What changes no memory.
READING = {
    *(
        "search",
        "context",
        "core_profile",
        "get",
        "list",
        "meant",
        "resolve",
        "history",
        "graph",
        "timeline",
        "explain",
        "weak",
    ),
    *("why", "injections", "stats", "growth", "derived", "doctor", "export", "close", "flush", "admit"),
    *(
        "palace.get",
        "palace.list",
        "palace.rooms",
        "palace.shelves",
        "palace.where",
        "entities.alike",
        "entities.get",
        "entities.list",
    ),
    *("review.contradictions", "review.list", "review.show", "runs.jobs", "runs.list", "runs.show"),
    *("schedule.due", "schedule.find", "schedule.lease", "schedule.list", "schedule.local"),
    *("schedule.seat", "schedule.stop", "records.get", "records.history", "records.list", "records.search"),
    *("records.spaces", "records.redacted", "export_to", "page"),
    *("documents.chunks", "documents.compare", "documents.corpora", "documents.get"),
    *("documents.history", "documents.list"),
    *("schedule.wait_s", "sessions.get", "sessions.list", "sessions.waiting", "audit.events", "audit.verify"),
}
#: What takes no actor, and why.
NOBODYS = {
    "load": "its events are `import`'s: the records bring their own",
    "import_from": "as load",
    "extract": "the engine's own work, whoever starts it: what is stored names `upkeep` or a model",
    "sessions.end": "as extract",
    "sessions.end_silent": "as extract",
    "backfill": "vectors and names are made anew from what is there; no item changes",
    "reindex": "as backfill",
    "mark_used": "a use is noted, no change",
    "records.sweep": "what has run out is archived by the engine, as the job `expire` does it",
    "audit.record": "the event that is given says who",
}


def surface():
    for owner, kind in (("", Memory), *PARTS.items()):
        for name, function in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                yield f"{owner}.{name}" if owner else name, function


CHANGING = sorted(name for name, function in surface() if "actor" in inspect.signature(function).parameters)


def test_every_public_method_reads_or_says_who_or_why_nobody():
    unknown = {name for name, _ in surface()} - READING - set(NOBODYS) - set(CHANGING)
    assert not unknown, f"these change something and take no actor: {sorted(unknown)}"
    assert not (READING | set(NOBODYS)) & set(CHANGING)


def kettle(memory):
    return memory.add("The kettle is blue.").item_ids[0]


def forgotten(memory):
    memory.forget(item_id := kettle(memory))
    return item_id


def named(memory):
    memory.add("Ana Silva met Rui Costa in Lisbon.", entities=["Ana Silva", "Rui Costa"])


def waiting(memory):
    [verdict] = memory.propose([{"content": "The user prefers tea.", "type": "preference", **WHY}])
    return verdict.item_id


def alike(memory):
    memory.add(["Tea is in the blue tin.", "The blue tin has the tea in it."])


DONE = {
    "add": lambda memory, by: memory.add("The kettle is red.", actor=by),
    "backup": lambda memory, by: memory.backup(memory.path.with_suffix(".copy"), actor=by),
    "confirm": lambda memory, by: memory.confirm(kettle(memory), actor=by),
    "consolidate": lambda memory, by: (alike(memory), memory.consolidate(actor=by)),
    "correct": lambda memory, by: memory.correct(kettle(memory), "The kettle is red.", actor=by),
    "demote": lambda memory, by: memory.demote(kettle(memory), actor=by),
    "forget": lambda memory, by: memory.forget(kettle(memory), actor=by),
    "link": lambda memory, by: memory.link(kettle(memory), memory.add("Pots.").item_ids[0], actor=by),
    "maintain": lambda memory, by: memory.maintain(["decay"], actor=by),
    "propose": lambda memory, by: memory.propose([{"content": "The pot is red.", **WHY}], actor=by),
    "purge": lambda memory, by: memory.purge(kettle(memory), actor=by),
    "rebuild_fts": lambda memory, by: memory.rebuild_fts(actor=by),
    "reinforce": lambda memory, by: memory.reinforce(kettle(memory), actor=by),
    "restore": lambda memory, by: memory.restore(forgotten(memory), actor=by),
    "undo": lambda memory, by: memory.undo(memory.maintain(["decay"]).id, actor=by),
    "update": lambda memory, by: memory.update(kettle(memory), importance=0.9, actor=by),
    "palace.assign": lambda memory, by: memory.palace.assign(kettle(memory), room="kitchen", actor=by),
    "entities.merge": lambda memory, by: (
        named(memory),
        memory.entities.merge("Ana Silva", "Rui Costa", actor=by),
    ),
    "entities.unmerge": lambda memory, by: (
        named(memory),
        memory.entities.merge("Ana Silva", "Rui Costa"),
        memory.entities.unmerge("Rui Costa", actor=by),
    ),
    "entities.alias": lambda memory, by: (
        named(memory),
        memory.entities.alias("Ana Silva", "Anita", actor=by),
    ),
    "entities.rename": lambda memory, by: (
        named(memory),
        memory.entities.rename("Ana Silva", "Ana", actor=by),
    ),
    "entities.retype": lambda memory, by: (
        named(memory),
        memory.entities.retype("Ana Silva", "person", actor=by),
    ),
    "documents.put": lambda memory, by: memory.documents.put("notes", "bees.md", "Bees sleep.", actor=by),
    "documents.delete": lambda memory, by: (
        memory.documents.put("notes", "bees.md", "Bees sleep."),
        memory.documents.delete("notes", "bees.md", actor=by),
    ),
    "documents.purge": lambda memory, by: (
        memory.documents.put("notes", "bees.md", "Bees sleep."),
        memory.documents.purge("notes", actor=by),
    ),
    "documents.relate": lambda memory, by: (
        memory.documents.put("notes", "bees.md", "Bees sleep."),
        memory.documents.put("others", "bees.md", "Bees dance."),
        memory.documents.relate("notes", "others", actor=by),
    ),
    "documents.corpus": lambda memory, by: memory.documents.corpus("notes", label="Notes", actor=by),
    "documents.ingest": lambda memory, by: (
        (file := memory.path.with_name("bees.md")).write_text("Bees sleep."),
        memory.documents.ingest(file, corpus="notes", actor=by),
    ),
    "records.put": lambda memory, by: memory.records.put("birds", "wren", {"legs": 2}, actor=by),
    "records.put_many": lambda memory, by: memory.records.put_many(
        [{"space": "birds", "key": "wren", "value": {"legs": 2}}], actor=by
    ),
    "records.delete": lambda memory, by: (
        memory.records.put("birds", "wren", {"legs": 2}),
        memory.records.delete("birds", "wren", actor=by),
    ),
    "records.purge": lambda memory, by: (
        memory.records.put("birds", "wren", {"legs": 2}),
        memory.records.purge("birds", actor=by),
    ),
    "review.approve": lambda memory, by: memory.review.approve(waiting(memory), actor=by),
    "review.reject": lambda memory, by: memory.review.reject(waiting(memory), actor=by),
    "review.reopen": lambda memory, by: (
        memory.review.reject(one := waiting(memory)),
        memory.review.reopen(one, actor=by),
    ),
    "review.ask": lambda memory, by: memory.review.ask(kettle(memory), "forget", actor=by),
    "review.rollback": lambda memory, by: memory.review.rollback(
        session_id=memory.add([{"role": "user", "content": "The kettle is blue."}]).session_id,
        dry_run=False,
        actor=by,
    ),
}


@pytest.mark.parametrize("name", CHANGING)
def test_the_event_of_every_change_names_who_did_it(memory, name):
    by = "model:llama" if name == "propose" else ANA
    DONE[name](memory, by)
    assert by in {event.actor for event in memory.audit.events(limit=1000)}, name


#: What is for people: a model proposes, changes its own, or asks.
PEOPLES = [
    *("backup", "consolidate", "maintain", "purge", "rebuild_fts", "restore", "undo"),
    *("entities.merge", "entities.unmerge", "entities.alias", "entities.rename", "entities.retype"),
    *("review.approve", "review.reject", "review.reopen", "review.rollback"),
]


@pytest.mark.parametrize("name", PEOPLES)
def test_what_is_for_people_no_model_does_and_nothing_changes(memory, name):
    with pytest.raises(NeedsApproval):
        DONE[name](memory, "model:llama")
    assert "model:llama" not in {event.actor for event in memory.audit.events(limit=1000)}
    assert "purge" not in {event.action for event in memory.audit.events(limit=1000)}


@pytest.mark.parametrize("name", DONE)
@pytest.mark.parametrize("actor", ["upkeep", "Upkeep:night", " policy ", "import"])
def test_nobody_calls_himself_what_the_engine_calls_itself(memory, name, actor):
    with pytest.raises(InvalidInput, match="the engine calls itself"):
        DONE[name](memory, actor)


@pytest.mark.parametrize("name", DONE)
def test_no_secret_passes_for_the_name_of_an_actor(memory, name):
    with pytest.raises(InvalidInput, match=r"the actor cannot be stored \(secret: GitHub token\)"):
        DONE[name](memory, f"user:{TOKEN}")
    memory.flush()
    assert all(TOKEN.encode() not in file.read_bytes() for file in memory.path.parent.iterdir())


@pytest.mark.parametrize("name", ["rule_id", "corpus_id", "task_id", "session_id", "narrative_id"])
def test_no_secret_passes_for_the_name_of_what_an_item_belongs_to(memory, name):
    verdict = memory.add("A rock is here.", **{name: TOKEN})
    assert (verdict.outcome.value, verdict.reasons) == ("rejected", ("secret: GitHub token",))
    loaded = memory.load([{"kind": "item", "content": "A rock is here.", name: TOKEN}])
    assert loaded.verdicts[0].outcome.value == "rejected"


@pytest.mark.parametrize(
    "use",
    [
        lambda memory, item_id: memory.mark_used([item_id], session_id=TOKEN),
        lambda memory, item_id: memory.get(item_id, used=True, asked_in=TOKEN),
        lambda memory, _: memory.search("kettle", asked_in=TOKEN),
        lambda memory, _: memory.context("kettle", asked_in=TOKEN),
        lambda memory, _: memory.maintain(["decay"], trigger=f"AKIA{TOKEN[4:20].upper()}"),
        lambda memory, _: memory.maintain(["decay"], scope=f"user:{TOKEN}"),
        lambda memory, _: memory.consolidate(scope=f"user:{TOKEN}"),
        lambda memory, _: memory.review.rollback(session_id="s", scope=f"user:{TOKEN}", dry_run=False),
        lambda memory, _: memory.audit.record(AuditEvent(action=TOKEN, at=0)),
        lambda memory, _: memory.audit.record(
            AuditEvent(action="looked", at=0, scope=Scope(f"user:{TOKEN}"))
        ),
    ],
)
def test_no_secret_passes_for_the_name_of_a_session_or_of_a_cause(memory, use):
    item_id = kettle(memory)
    with pytest.raises(InvalidInput):
        use(memory, item_id)
    memory.flush()
    assert all(TOKEN.encode() not in file.read_bytes() for file in memory.path.parent.iterdir())


def test_a_tool_is_noted_without_a_scope_that_is_no_name(memory):
    Tools(memory, scope=f"user:{TOKEN}").call("memory.search", '{"query": "kettle"}')
    Tools(memory).call("memory.search", {"query": "kettle", "scope": f"user:{TOKEN}"})
    assert [event.scope for event in memory.audit.events(limit=2)] == [None, None]
    memory.flush()
    assert all(TOKEN.encode() not in file.read_bytes() for file in memory.path.parent.iterdir())


def test_a_run_that_the_schedule_starts_is_nobodys_order(memory):
    memory.maintain(["decay"], actor=UPKEEP)
    assert {event.actor for event in memory.audit.events()} == {"upkeep"}


def test_turns_of_the_user_are_of_the_person_who_is_named(memory):
    said = [{"role": "user", "content": "The boat is red."}, {"role": "assistant", "content": "It is."}]
    memory.add(said, session_id="s1", actor=ANA)
    assert [event.actor for event in reversed(memory.audit.events())] == [ANA, "assistant"]


#: Runs that a person asks for, each with a store in which it has something to do.
ASKED_FOR = {
    "maintain": lambda memory: partial(memory.maintain, ["decay"], actor=ANA),
    "consolidate": lambda memory: partial(memory.consolidate, actor=ANA),
    "undo": lambda memory: partial(memory.undo, memory.maintain(["decay"]).id, actor=ANA),
    "rollback": lambda memory: partial(memory.review.rollback, session_id="s", dry_run=False, actor=ANA),
}


@pytest.mark.parametrize("name", ASKED_FOR)
def test_a_run_stands_where_it_cannot_be_noted_who_asked_for_it(memory, name):
    def last_write(number):
        memory.add("The kettle is red.", session_id="s")
        ask = ASKED_FOR[name](memory)
        with full_from(memory._parts.store, number) as tried:
            return ask(), tried[0]

    whole, count = last_write(1000)
    assert whole.degradations == ()
    run, _ = last_write(count)
    assert (run.status, run.counts) == (RunStatus.DONE, whole.counts)
    [remark] = run.degradations
    assert "does not say who asked" in remark
    assert "no space left" in remark
    assert memory.runs.show(run.id).status is RunStatus.DONE


def test_a_copy_stands_where_it_cannot_be_noted_who_asked_for_it(memory, caplog):
    memory.add("The kettle is red.")
    copy = memory.path.with_suffix(".copy")
    with full_from(memory._parts.store, 1):
        assert memory.backup(copy, actor=ANA) == copy
    assert "does not say who asked for the backup" in caplog.text
    with Memory(copy) as copied:
        assert [item.content for item in copied.list()] == ["The kettle is red."]
