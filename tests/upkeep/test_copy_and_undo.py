"""Copies and undos: an export loaded elsewhere is the same memory, and undo takes any job back."""

import json
import re
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.domain.selection import lacking_vector
from simonides.errors import NotFound, SimonidesError
from simonides.ports.entities import entity_of
from simonides.testing import FakeEmbedder, FrozenClock, ScriptedModel
from simonides.upkeep.jobs.registry import own_jobs
from simonides.upkeep.settings import UpkeepSettings

JOBS = own_jobs()

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SCOPES = ("user:ana", "user:ana/project:apollo", "global")
_TEXTS = (
    "I live in Turku.", "I moved to Oslo.", "Ana Lovelace likes walnuts.", "Ana Lovelace loves walnuts.",
    "We ship on Fridays.", "We ship on Mondays.", "每周五发布", "Срок: 5 мая",
    "The bridge opened because the river rose.",
    "My sister Petra plays chess with Ruben.", "Petra Novak plays chess.", "Ruben is my brother in Milan.",
    "I am allergic to hazelnuts.", "Remember that the budget is 450 euros.", "The budget is 480 euros.",
)  # fmt: skip


@contextmanager
def a_store(folder, name, clock, embedder=None, max_size="none"):
    upkeep = UpkeepSettings(max_size=max_size)
    chosen = Settings(store=StoreSettings(synchronous="NORMAL"), upkeep=upkeep)
    memory = Memory(Path(folder) / name, settings=chosen, clock=clock, embedder=embedder or FakeEmbedder(8))
    try:
        yield memory
    finally:
        memory.close()


def lines(memory):
    return [json.dumps(record, ensure_ascii=False) for record in memory.export()]


def plans(memory):
    """Plans of each job, new ids and the ids of what it would make left out."""
    known = {item.id for item in memory.list(scope=ALL, archived=True, limit=100_000)}
    known |= {entity.id for entity in memory.entities.list(scope=ALL, limit=100_000)}
    return {
        job: [
            (change.kind, _ID.sub(lambda found: found[0] if found[0] in known else "new", told))
            for change in memory.maintain([job], dry_run=True).changes
            for told in (change.kind, *change.lines)
        ]
        for job in JOBS
    }


def _one_of(entries, number):
    if not entries:
        raise NotFound("there is none yet")
    return entries[number % len(entries)]


class Hand:
    """Does things to a memory, as numbers say."""

    def __init__(self, memory, clock):
        self.memory = memory
        self.clock = clock

    def item(self, number):
        items = self.memory.list(scope=ALL, archived=True, limit=1000)
        return _one_of(items, number).id

    def entity(self, number):
        found = self.memory.entities.list(scope=ALL, limit=1000)
        return _one_of(found, number)

    def do(self, what, a, b):
        self.clock.advance(hours=0.2)
        with suppress(SimonidesError):
            getattr(self, what)(a, b)

    def add(self, a, b):
        types = ("fact", "note", "decision", "preference")
        self.memory.add(
            _TEXTS[a % len(_TEXTS)],
            type=types[b % 4],
            scope=_SCOPES[b % 3],
            tags=["t"] * (b % 2),
            pinned=b % 7 == 0,
        )

    def add_about(self, a, b):
        self.memory.add(
            f"It is said of them that {a % 5} is their number.",
            entities=[("Petra", "Ruben", "Milan")[b % 3]],
            scope=_SCOPES[b % 2],
        )

    def chat(self, a, b):
        said = [
            {"role": ("user", "assistant")[n % 2], "content": _TEXTS[(a + n) % len(_TEXTS)]} for n in range(3)
        ]
        self.memory.add(said, session_id=f"s{b % 3}", scope=_SCOPES[a % 2])

    def propose(self, a, b):
        proposal = {"content": _TEXTS[a % len(_TEXTS)], "why_store": "it was said"}
        self.memory.propose([proposal], scope=_SCOPES[b % 3])

    def update(self, a, b):
        self.memory.update(self.item(a), content=_TEXTS[b % len(_TEXTS)])

    def correct(self, a, b):
        self.memory.correct(self.item(a), _TEXTS[b % len(_TEXTS)])

    def forget(self, a, _):
        self.memory.forget(self.item(a))

    def purge(self, a, _):
        self.memory.purge(self.item(a))

    def confirm(self, a, _):
        self.memory.confirm(self.item(a))

    def use(self, a, b):
        self.memory.mark_used([self.item(a), self.item(a + 1)], session_id=f"s{b % 4}")
        self.memory.flush()

    def reinforce(self, a, _):
        self.memory.reinforce(self.item(a))

    def link(self, a, b):
        self.memory.link(self.item(a), self.item(b), "supports", evidence="she said so")

    def place(self, a, b):
        self.memory.palace.assign(self.item(a), domain="home", room=f"room {b % 3}", shelf="shelf")

    def record(self, a, b):
        value = None if b % 5 == 0 else {"number": b, "said": _TEXTS[b % len(_TEXTS)]}
        lasting = {"ttl_s": 90_000} if b % 3 == 0 else {}
        self.memory.records.put("users/ana", f"key {a % 3}", value, scope=_SCOPES[b % 3], **lasting)

    def document(self, a, b):
        said = "\n\n".join(
            f"## Part {n}\n\n" + f"{_TEXTS[(a + n) % len(_TEXTS)]} " * 30 for n in range(b % 6)
        )
        self.memory.documents.put(
            "notes", f"folder/page {a % 3}.md", f"# Page\n\n{said}", scope=_SCOPES[b % 2]
        )

    def drop_document(self, a, b):
        path = f"folder/page {a % 3}.md" if b % 4 else None
        self.memory.documents.delete("notes", path, scope=_SCOPES[b % 2])

    def corpus(self, a, b):
        self.memory.documents.corpus(
            "notes", injectable=a % 2 == 0, label=f"Notes {b % 3}", scope=_SCOPES[b % 2]
        )

    def alias(self, a, b):
        found = self.entity(a)
        self.memory.entities.alias(found.name, f"Alias {b % 9}", scope=found.scope)

    def rename(self, a, b):
        found = self.entity(a)
        self.memory.entities.rename(found.name, f"Name {b % 9}", scope=found.scope)

    def merge(self, a, b):
        one, other = self.entity(a), self.entity(b)
        self.memory.entities.merge(one.name, other.name, scope=one.scope)

    def unmerge(self, a, _):
        known = self.memory.entities.list(scope=ALL, limit=1000)
        merged = [one for entity in known for one in self.memory.entities.get(entity.id).merged]
        self.memory.entities.unmerge(_one_of(merged, a).id)

    def retype(self, a, b):
        found = self.entity(a)
        self.memory.entities.retype(found.name, ("person", "place")[b % 2], scope=found.scope)

    def end(self, a, b):
        self.memory.sessions.end(f"s{a % 3}", scope=_SCOPES[b % 2])

    def extract(self, a, b):
        self.memory.extract(scope=_SCOPES[b % 2])

    def wait(self, a, _):
        self.clock.advance(days=(1, 3, 40)[a % 3])

    def upkeep(self, a, _):
        self.memory.maintain([list(JOBS)[a % len(JOBS)]])

    def prune(self, _a, _b):
        self.clock.advance(days=8)
        self.memory.maintain(["prune"])

    def restore(self, a, _):
        items = self.memory.list(scope=ALL, archived=True, limit=1000)
        self.memory.restore(_one_of([item for item in items if item.status == "archived"], a).id)

    def roll_back(self, a, b):
        self.memory.review.rollback(session_id=f"s{a % 3}", scope=_SCOPES[b % 2], dry_run=False)

    def waiting(self, number):
        return _one_of(self.memory.review.list(), number).item.id

    def approve(self, a, _):
        self.memory.review.approve(self.waiting(a))

    def reject(self, a, _):
        self.memory.review.reject(self.waiting(a))

    def reopen(self, a, _):
        self.memory.review.reopen(self.item(a))

    def everything(self, _a, _b):
        self.memory.maintain()

    def undo(self, a, _):
        runs = [run for run in self.memory.runs.list(limit=100) if run.job != "undo"]
        self.memory.undo(_one_of(runs, a).id, force=a % 2 == 0)


_NAMES = sorted(
    name
    for name in vars(Hand)
    if not name.startswith("_") and name not in {"do", "item", "entity", "waiting"}
)
DEEDS = st.lists(
    st.tuples(
        st.sampled_from([*_NAMES, "add", "chat", "add", "chat", "upkeep", "document", "document"]),
        st.integers(0, 99),
        st.integers(0, 99),
    ),
    min_size=4,
    max_size=22,
)


@settings(
    max_examples=10,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(DEEDS)
def test_a_copy_of_any_memory_is_the_memory_and_upkeep_plans_the_same_for_it(deeds):
    check(deeds)


def check(deeds):
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with tempfile.TemporaryDirectory() as folder, a_store(folder, "one.db", clock) as memory:
        hand = Hand(memory, clock)
        for what, a, b in deeds:
            hand.do(what, a, b)
        exported = lines(memory)
        with a_store(folder, "two.db", clock) as copy:
            result = copy.load(map(json.loads, exported), trusted=True)
            refused = [verdict for verdict in result.verdicts if verdict.outcome != "accepted"]
            assert refused == []
            assert lines(copy) == exported
            assert plans(copy) == plans(memory)
            assert (
                copy.maintain(due=True, dry_run=True).counts == memory.maintain(due=True, dry_run=True).counts
            )
            assert copy.doctor().healthy
            again = copy.load(map(json.loads, exported), trusted=True)
            assert {verdict.outcome.value for verdict in again.verdicts} <= {"merged", "accepted"}
            assert lines(copy) == exported
            take_back_the_last_run(memory, copy)


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
@given(
    st.lists(
        st.tuples(
            st.sampled_from([*_NAMES, "add", "chat", "add_about", "prune", "prune", "prune"]),
            st.integers(0, 99),
            st.integers(0, 99),
        ),
        min_size=4,
        max_size=22,
    )
)
def test_a_copy_of_a_pruned_memory_is_the_memory_with_all_that_moved_items_mention(deeds):
    check_pruned(deeds)


def check_pruned(deeds):
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with (
        tempfile.TemporaryDirectory() as folder,
        a_store(folder, "one.db", clock, max_size="287KB") as memory,
        a_store(folder, "two.db", clock) as copy,
    ):
        hand = Hand(memory, clock)
        for what, a, b in deeds:
            hand.do(what, a, b)
        exported = lines(memory)
        result = copy.load(map(json.loads, exported), trusted=True)
        assert {verdict.outcome.value for verdict in result.verdicts} <= {"accepted"}
        assert lines(copy) == exported
        assert copy.doctor().healthy
        take_back_the_last_run(memory, copy)
        for item in memory.list(scope=ALL, archived=True, limit=1000):
            # What was replaced comes back only from where it was moved to, and stays replaced.
            if item.superseded_by is None:
                assert restored(memory, item.id) == restored(copy, item.id)
        assert strip(lines(copy)) == strip(lines(memory))


def restored(memory, item_id):
    try:
        return memory.restore(item_id)
    except SimonidesError as error:
        return type(error)


def test_an_entity_that_only_moved_items_mention_is_in_a_copy_and_seen_when_they_happened():
    check_pruned([("add", 2, 0), ("prune", 0, 0)])
    # What mentions it here comes and goes while another item is away.
    check_pruned([("add", 2, 1), ("prune", 0, 0), ("add", 3, 1), ("purge", 0, 0)])
    check_pruned([("add_about", 0, 0), ("prune", 0, 0), ("add_about", 1, 0), ("rename", 0, 1)])


def test_what_an_extraction_held_back_is_the_same_on_a_copy_where_that_is_undone():
    check([("add", 4, 55), ("chat", 4, 71), ("add", 4, 56), ("forget", 0, 0), ("extract", 57, 20)])
    check([
        ("add_about", 9, 27), ("add_about", 18, 38), ("add_about", 89, 30), ("add_about", 92, 4), ("correct", 41, 65),
        ("add", 69, 96), ("add", 10, 42), ("document", 4, 67), ("document", 93, 20), ("add", 2, 55), ("chat", 4, 71),
        ("chat", 39, 93), ("add_about", 21, 68), ("confirm", 61, 1), ("extract", 57, 20),
    ])  # fmt: skip


def test_what_comes_at_one_instant_is_planned_in_the_same_order_for_a_copy():
    """Scopes are counted anew in a copy: no order may follow their numbers."""
    clock = FrozenClock("2026-03-01T12:00:00Z")
    said = [{"role": "user", "content": "We ship on Mondays, says Ana Lovelace."}]
    with tempfile.TemporaryDirectory() as folder, a_store(folder, "one.db", clock) as memory:
        gone = memory.add("A word that goes.", scope="user:zoe").item_ids
        for scope in ("user:bob", "user:ana", "user:zoe"):
            memory.add(said, session_id="s", scope=scope)
        memory.purge(*gone)
        clock.advance(days=2)
        with a_store(folder, "two.db", clock) as copy:
            copy.load(map(json.loads, reversed_scopes(lines(memory))), trusted=True)
            assert plans(copy) == plans(memory)


def reversed_scopes(records):
    """Records of a store whose scopes come in another order than they were used."""
    kept = [json.loads(line) for line in records]
    return [json.dumps(one) for one in sorted(kept, key=lambda one: one["kind"] != "session")]


def test_what_a_person_held_back_is_the_same_on_a_copy_where_that_is_undone():
    check([
        ("chat", 20, 20), ("add", 84, 61), ("add", 15, 6), ("add", 63, 92), ("upkeep", 57, 67), ("propose", 2, 87),
        ("extract", 98, 80), ("record", 60, 40), ("propose", 3, 63), ("forget", 23, 49), ("confirm", 87, 17),
    ])  # fmt: skip


def take_back_the_last_run(memory, copy):
    """An undo does to the copy what it does to the store."""
    run = next((run for run in memory.runs.list(limit=100) if run.job != "undo" and not run.parent), None)
    if run is None or run.status is not RunStatus.DONE:
        return
    ended = [undone(where, run.id) for where in (memory, copy)]
    assert ended[0] == ended[1]
    if ended[0] is None:
        left = [strip(lines(where)) for where in (memory, copy)]
        assert left[0] == left[1]


def undone(memory, run_id):
    try:
        memory.undo(run_id)
    except SimonidesError as error:
        return type(error).__name__
    return None


def strip(records):
    """Records without ids that were made at random since: those of the undo."""
    return [_ID.sub("", line) for line in records]


@pytest.fixture
def copied(memory, open_memory, tmp_path):
    """Loads what a memory exports into an empty one."""

    def copy(where=memory, name="copy.db", records=None):
        other = open_memory(tmp_path / name)
        taken = (json.loads(line) for line in lines(where)) if records is None else records
        result = other.load(taken, trusted=True)
        assert {verdict.outcome.value for verdict in result.verdicts} == {"accepted"}
        return other

    return copy


def test_a_copy_has_the_sessions_and_what_waits_for_extraction(memory, copied, clock):
    memory.add(
        [{"role": "user", "content": "My sister Petra lives in Milan."}], session_id="s", scope="user:ana"
    )
    copy = copied()
    assert copy.sessions.list(scope=ALL) == memory.sessions.list(scope=ALL) != []
    assert copy.sessions.waiting("s", scope=ALL) == memory.sessions.waiting("s", scope=ALL) != []
    clock.advance(days=1)
    done = [where.maintain(["extract"]).counts for where in (memory, copy)]
    assert done[0] == done[1]
    assert done[0]["created"]


def test_a_run_can_be_shown_and_taken_back_on_the_copy(memory, copied, clock):
    item_id = memory.add("We ship on Fridays.", type="decision", scope="user:ana").verdicts[0].item_id
    clock.advance(days=1)
    run = memory.maintain(["consolidate"])
    assert memory.get(item_id).tier == "mtm"
    copy = copied()
    assert copy.runs.show(run.id).to_dict() == memory.runs.show(run.id).to_dict()
    copy.undo(run.id)
    assert copy.get(item_id).tier == "stm"
    assert memory.get(item_id).tier == "mtm"


def test_merged_entities_are_known_by_their_former_ids_on_the_copy(memory, copied):
    memory.add("Ana Lovelace met Petra Novak.", scope="user:ana")
    gone = memory.entities.get("Petra Novak", scope=ALL).entity.id
    memory.entities.merge("Ana Lovelace", "Petra Novak", scope="user:ana")
    memory.entities.rename("Ana Lovelace", "Ada", scope="user:ana")
    copy = copied()
    with copy._parts.store.read() as reader:
        assert entity_of(reader, gone)[1].name == "Ada"
    assert lines(copy) == lines(memory)


@pytest.mark.parametrize("purged", [1, 2, 3])
def test_jobs_go_on_at_the_same_place_in_a_copy_after_the_newest_was_purged(memory, copied, clock, purged):
    said = [
        "We sold the car.",
        "The bridge opened because the river rose.",
        "It was too old.",
        "I live in Oslo.",
    ]
    turns = [{"role": "user", "content": text} for text in said]
    stored = [verdict.item_id for verdict in memory.add(turns, session_id="s", scope="user:ana").verdicts]
    clock.advance(days=3)
    memory.maintain(["causes", "day", "week"])
    for item_id in stored[-purged:]:
        memory.purge(item_id)
    copy = copied()
    memory.add("The bridge closed because the river fell.", scope="user:ana")
    copy.add("The bridge closed because the river fell.", scope="user:ana")
    clock.advance(days=3)
    assert plans(copy) == plans(memory)


def test_an_export_of_one_scope_tells_no_run_that_changed_another(memory, open_memory, tmp_path, clock):
    for scope in ("user:ana", "user:bob"):
        memory.add("We ship on Fridays.", type="decision", scope=scope)
    clock.advance(days=1)
    both = memory.maintain(["consolidate"])
    assert both.counts == {"revised": 2}
    memory.add("The ferry leaves at noon.", type="decision", scope="user:ana")
    own = memory.maintain(["consolidate"], scope="user:ana")
    records = list(memory.export(scope="user:ana"))
    runs = {record["id"] for record in records if record["kind"] == "run"}
    assert both.id not in runs
    assert own.id in runs
    assert "user:bob" not in json.dumps(records)


def test_an_export_of_one_scope_is_whole_where_runs_of_several_were_taken_back(memory, copied, clock):
    memory.add("The lift is out of order.", expires_at="2026-03-05", user_id="bob")
    memory.add([PETRA], session_id="s1", user_id="ana")
    clock.advance(days=7)
    memory.undo(memory.maintain(["expire", "sessions"]).id)
    own = memory.maintain(["sessions"], scope="user:ana")
    memory.undo(own.id)
    records = list(memory.export(scope="user:ana"))
    copy = copied(records=records)
    assert [run.job for run in copy.runs.list()] == ["undo", "sessions"]
    assert list(copy.export()) == records
    assert copy.runs.show(own.id).status is RunStatus.UNDONE


def test_records_of_the_first_format_still_load(open_memory, tmp_path, memory):
    memory.add("Ana Lovelace ships on Fridays.", type="decision", scope="user:ana")
    memory.entities.alias("Ana Lovelace", "Ada", scope="user:ana")
    old = []
    for line in lines(memory):
        record = json.loads(line)
        if record["kind"] == "item":
            old.append(
                {n: v for n, v in record.items() if n not in {"mentions", "uses", "waits"}} | {"format": 1}
            )
        if record["kind"] == "entity":
            kept = ("kind", "scope", "name", "type", "settled", "aliases")
            old.append({name: record[name] for name in kept} | {"format": 1})
    old.sort(key=lambda record: record["kind"] == "entity")
    other = open_memory(tmp_path / "other.db")
    assert {v.outcome.value for v in other.load(old, trusted=True).verdicts} <= {"accepted", "merged"}
    assert other.entities.get("Ada", scope="user:ana").entity.name == "Ana Lovelace"
    assert other.entities.get("Ada", scope="user:ana").entity.mention_count == 1


# Undo

PETRA = {"role": "user", "content": "My sister Petra plays chess with Ruben."}


def vectors(memory, among):
    """Items that have a vector, of which model, and its bytes; of texts that embed to nothing, that they do."""
    found = {}
    with memory._parts.store.read() as reader:
        for model, _ in reader.models():
            found = reader.select(lacking_vector(model.fingerprint), limit=1_000_000)
            lacking = {item.id for item in found.values()}
            known = reader.vectors_of(model.fingerprint, sorted(among))
            for item_id in among - lacking:
                vector = known.get(item_id)
                found["vector", model.name, item_id] = None if vector is None else vector.tobytes()
    return {key: repr(data) for key, data in found.items()}


def items_of(memory):
    return {record["id"] for record in memory.export() if record["kind"] == "item"}


def dump(memory, among=None):
    """All that is known, but for revisions, runs, and archived items that a run that was taken back had made.

    Entities with what they are taken for, and vectors byte by byte, are in it.
    """
    found = {}
    for record in memory.export():
        match record["kind"]:
            case "run" | "change":
                continue
            case "item":
                if among is not None and record["id"] not in among:
                    assert record["revisions"][-1]["item"]["status"] == "archived"
                    assert record["mentions"] == []
                    continue
                # What use has added to it stands beside the revisions; the next of these holds it.
                item = record["revisions"][-1]["item"] | {"updated_at": 0, "confidence": record["confidence"]}
                found["item", record["id"]] = record | {"revisions": item}
            case kind:
                told = ("id", "src", "dst", "rel", "scope", "session_id", "job", "a", "b")
                names = [record.get(name) for name in told]
                found[kind, *names] = record
    told = {key: json.dumps(record, sort_keys=True) for key, record in found.items()}
    return told | vectors(memory, items_of(memory) if among is None else among)


def check_undo(deeds):
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with tempfile.TemporaryDirectory() as folder:
        with a_store(folder, "one.db", clock) as memory:
            hand = Hand(memory, clock)
            for what, a, b in deeds:
                hand.do(what, a, b)
        with a_store(folder, "one.db", clock, FakeEmbedder(16, name="another")) as memory:
            clock.advance(days=2)
            take_back_each_job(memory)


def whatever_changes_memory_by_itself(memory):
    """Ways to bring a run about, by name: the id of that run, None where nothing was changed."""

    def of_job(job):
        run = memory.maintain([job])
        assert run.error is None
        return run.id if run.changes else None

    # Vectors first: later jobs change texts that have some.
    deeds = {"embed": lambda: of_job("embed"), "extract()": lambda: memory.extract().run_id}
    for one in memory.sessions.list(scope=ALL):
        deeds[f"the end of {one.session_id} in {one.scope}"] = lambda one=one: (
            memory.sessions.end(one.session_id, scope=one.scope).run_id
        )
    return deeds | {job: lambda job=job: of_job(job) for job in JOBS if job != "embed"}


def take_back_each_job(memory):
    for name, deed in whatever_changes_memory_by_itself(memory).items():
        before = dump(memory)
        items = items_of(memory)
        run_id = deed()
        assert deed() is None, f"{name} does again what it has done"
        if run_id is None:
            continue
        undo = memory.undo(run_id)
        assert undo.left_alone == ()
        after = dump(memory, among=items)
        assert {key: after.get(key) for key in before} == before, name
        assert {key: record for key, record in after.items() if key not in before} == {}, name
        deed()  # The next one works on what this one leaves.
    assert memory.doctor().healthy


@settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(DEEDS)
@example(
    [("chat", 63, 0), ("end", 0, 1), ("update", 0, 0), ("chat", 1, 0)]
)  # A narrative loses its only name.
def test_every_job_is_taken_back_exactly_and_plans_nothing_twice(deeds):
    check_undo(deeds)


@settings(
    max_examples=5,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(DEEDS, st.integers(0, 99))
@example(
    [("chat", 0, 0), ("add", 0, 0), ("add", 0, 0), ("extract", 0, 0), ("use", 0, 0)], 0
)  # A used narrative.
def test_what_is_held_back_is_nowhere_else_and_comes_back_as_it_was(deeds, number):
    check_holding_back(deeds, number)


def check_holding_back(deeds, number):
    clock = FrozenClock("2026-03-01T12:00:00Z")
    with tempfile.TemporaryDirectory() as folder, a_store(folder, "one.db", clock) as memory:
        hand = Hand(memory, clock)
        for what, a, b in deeds:
            hand.do(what, a, b)
        clock.advance(hours=1)
        memory.extract()
        memory.maintain(["sessions", "embed"])
        assert_nothing_waits_elsewhere(memory)
        made = [item.id for item in memory.list(scope=ALL, limit=1000) if memory.derived(item.id)]
        before = dump(memory)
        runs = {run.id for run in memory.runs.list(limit=1000)}
        if not made:
            return
        gone = made[number % len(made)]
        memory.forget(gone)
        assert_nothing_waits_elsewhere(memory)
        for run in memory.runs.list(limit=1000):
            if run.id not in runs and run.parent is None:
                memory.undo(run.id)
        after = dump(memory)
        assert after.keys() == before.keys()
        assert {key for key in after if after[key] != before[key]} == {("item", gone)}


def embedded_of(memory, item_ids):
    """Models and items of the vectors that there are of some items."""
    with memory._parts.store.read() as reader:
        prints = [model.fingerprint for model, _ in reader.models()]
        return [(one, item_id) for one in prints for item_id in reader.vectors_of(one, item_ids)]


def assert_nothing_waits_elsewhere(memory):
    held = [one.item.id for one in memory.review.list(limit=1000)]
    assert embedded_of(memory, held) == []
    mentions = {record["id"]: record["mentions"] for record in memory.export() if record["kind"] == "item"}
    assert all(mentions[item_id] == [] for item_id in held)


@pytest.mark.parametrize("copies", [False, True])
def test_what_only_a_held_item_mentions_comes_back_as_the_same_entity(memory, remember, copied, copies):
    source = remember("The mill is open again.")
    made = remember("Petra Vogel runs the mill with Ruben Haas.")
    memory.link(made.id, source.id, "derived_from")
    remember("Ruben Haas plays chess.")
    before = {one.name: one.to_dict() for one in memory.entities.list(scope=ALL)}
    memory.forget(source.id)
    assert "Petra Vogel" not in {one.name for one in memory.entities.list(scope=ALL)}
    run = memory.runs.list()[0]
    details = [dict(change.details) for change in memory.runs.show(run.id).changes]
    assert "Petra" not in json.dumps(details, default=dict)
    where = copied() if copies else memory
    where.undo(run.id)
    assert {one.name: one.to_dict() for one in where.entities.list(scope=ALL)} == before


def test_a_decision_that_is_taken_back_leaves_no_trace_beside_the_history(memory):
    memory.add("Zanderlin Holdings is near the station.", scope="user:ana")
    proposals = [
        {
            "content": f"The user was hired by {name}.",
            "type": "identity",
            "why_store": "said",
            "source": "m1",
        }
        for name in ("Zanderlin Holdings", "Quillmont Group")
    ]
    for verdict in memory.propose(proposals, scope="user:ana"):
        before = dump(memory)
        assert memory.review.approve(verdict.item_id).outcome == "accepted"
        assert dump(memory) != before
        memory.review.reopen(verdict.item_id)
        assert dump(memory) == before
        memory.review.approve(verdict.item_id)
        assert memory.entities.get(memory.get(verdict.item_id).content[22:-1], scope="user:ana")
        assert len(embedded_of(memory, [verdict.item_id])) == 1


def test_what_was_held_back_and_rejected_is_embedded_when_it_is_restored(memory, clock):
    memory.add([PETRA], session_id="s")
    clock.advance(days=1)
    memory.extract()
    (turn,) = memory.sessions.get("s")
    memory.forget(turn.id)
    held = memory.review.list()[0].item
    memory.review.reject(held.id)
    assert embedded_of(memory, [held.id]) == []
    memory.restore(held.id)
    assert len(embedded_of(memory, [held.id])) == 1


def test_counts_of_mentions_do_not_grow_with_runs_that_are_taken_back(memory, clock):
    memory.add([PETRA], session_id="s", scope="user:ana")
    clock.advance(days=1)
    counts = []
    for _ in range(3):
        memory.undo(memory.maintain(["sessions"]).id)
        counts.append({one.name: one.mention_count for one in memory.entities.list(scope=ALL)})
    assert counts[0] == counts[1] == counts[2] != {}


@pytest.fixture
def guessed(open_memory, clock):
    """A memory with a run whose model worded a turn so that Petra, until then a name, is a person; and that run."""
    fact = {
        "content": "Petra says the door code is 55.",
        "type": "fact",
        "turns": [1],
        "confidence": 0.9,
        "why": "told",
    }
    memory = open_memory(model=ScriptedModel({"extract": {"facts": [fact]}}))
    memory.add([{"role": "user", "content": "The door code is 55, I got that from Petra."}], session_id="s")
    assert type_of_petra(memory) == "concept"
    clock.advance(days=1)
    run = memory.maintain(["extract"])
    assert type_of_petra(memory) == "person"
    return memory, run


def type_of_petra(memory):
    return memory.entities.get("Petra").entity.type


def test_a_guess_of_what_an_entity_is_goes_with_the_run_that_made_it(guessed):
    memory, run = guessed
    assert memory.undo(run.id).left_alone == ()
    assert type_of_petra(memory) == "concept"


def test_what_others_said_since_of_an_entity_outlives_the_run_that_guessed_it_first(guessed):
    memory, run = guessed
    memory.add("Petra says that boats are best.")
    memory.undo(run.id)
    assert type_of_petra(memory) == "person"


def test_what_somebody_said_that_an_entity_is_outlives_the_run_that_guessed_it(guessed):
    memory, run = guessed
    memory.entities.retype("Petra", "place")
    memory.undo(run.id)
    assert type_of_petra(memory) == "place"


def test_what_an_undo_archived_can_be_brought_back_with_what_it_mentions(memory, clock):
    memory.add([PETRA], session_id="s", scope="user:ana")
    clock.advance(days=1)
    run = memory.maintain(["sessions"])
    made = next(change.item_id for change in run.changes if change.kind == "create")
    memory.undo(run.id)
    before = memory.entities.get("Petra", scope="user:ana").entity.mention_count
    memory.restore(made)
    assert memory.entities.get("Petra", scope="user:ana").entity.mention_count == before + 1


class Mumbling:
    """A language model whose answers nobody can use."""

    name = "mumbling"

    def answer(self, _prompt):
        return "well"


@pytest.mark.parametrize("job", ["extract", "sessions", "day"])
def test_a_run_only_promises_to_ask_again_where_it_will(open_memory, tmp_path, clock, job):
    """A model's unusable answer left to the rules is not asked for again, and no run says that it waits."""
    memory = open_memory(tmp_path / "m.db", model=Mumbling())
    memory.add([{"role": "user", "content": "My sister Petra plays chess with Ruben."}], session_id="s")
    memory.add("The harbour was closed.", type="event", event_at="2026-02-27")
    clock.advance(days=2)
    run = memory.maintain([job])
    told = "; ".join(run.degradations)
    assert "could not be used" in told
    assert "wait" not in told
    assert memory.maintain([job]).degradations == ()
