"""Arguments that cannot be used: an error of ours before anything is written, in a message of bounded length."""

from inspect import Parameter, signature
from itertools import chain

import pytest

from simonides import ALL, Memory
from simonides.domain.records import AuditEvent
from simonides.errors import InvalidInput, InvalidText, NotFound, SimonidesError

PARTS = ["audit", "documents", "entities", "palace", "records", "review", "runs", "schedule", "sessions"]
LONG = "x" * 1_000_000
#: What they write lies outside of the store, or they end it.
LEFT_OUT = {"backup", "clock", "close", "export_to", "keep", "lease", "leave", "seat", "stop", "take"}
REQUIRED = {
    "act": "forget",
    "jobs": ["expire"],
    "kind": "jsonl",
    "value": {"a": 1},
    "type": "person",
    "at": 0,
}
NOT_CALLABLE = [5, 0, "x", "", {}, [], True]
TIMED = [
    (name, field)
    for name, fields in {
        "search": ("as_of", "at", "after", "before", "valid_at"), "list": ("after", "before", "valid_at"),
        "context": ("as_of", "at", "after", "before"), "timeline": ("after", "before"),
        "page": ("after", "before"), "review.rollback": ("after",),
    }.items()
    for field in fields
]  # fmt: skip


@pytest.fixture
def memory(clock):
    with Memory(":memory:", clock=clock) as opened:
        opened.add("Petra feeds the cat.", tags=["x"])
        yield opened


def method_of(memory, name):
    part, _, method = name.rpartition(".")
    return getattr(getattr(memory, part) if part else memory, method)


def methods(memory):
    for part in ("", *PARTS):
        holder = getattr(memory, part) if part else memory
        for name in dir(type(holder)):
            if not name.startswith("_") and name not in LEFT_OUT and callable(getattr(type(holder), name)):
                yield getattr(holder, name)


def named(method):
    return [one for one in signature(method).parameters.values() if one.kind not in {
        Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL,
    }]  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_no_message_repeats_a_megabyte_of_what_was_passed_in(memory):
    item_id, lengths = memory.list()[0].id, {}
    for method in methods(memory):
        for one in named(method):
            given = {
                other.name: REQUIRED.get(other.name, item_id)
                for other in named(method)
                if other.default is Parameter.empty
            }
            try:
                found = method(**given | {one.name: LONG})
                if hasattr(found, "__next__"):
                    list(found)
            except SimonidesError as error:
                lengths[method.__qualname__, one.name] = len(str(error))
    assert len(lengths) > 100
    assert {place: length for place, length in lengths.items() if length > 2000} == {}


@pytest.mark.parametrize(("name", "field"), TIMED)
def test_a_bad_time_is_named_briefly(memory, name, field):
    asked = ["cat"] if name in {"search", "context"} else []
    with pytest.raises(InvalidInput, match=f"{field}.*is not ISO 8601") as told:
        method_of(memory, name)(*asked, **{field: LONG})
    assert len(str(told.value)) < 250


def test_a_long_message_keeps_what_happened_and_what_to_do():
    told = str(InvalidInput(f"the name {LONG} is taken; choose another"))
    assert len(told) == 2000
    assert told.startswith("the name xxx")
    assert told.endswith(" is taken; choose another")


def test_what_is_no_function_to_be_told_of_progress_is_refused_before_anything_is_written(memory, tmp_path):
    notes, copy = tmp_path / "a.jsonl", tmp_path / "copy.db"
    notes.write_text('{"content": "The pier is long."}\n')
    calls = {
        "add": [["The lake is deep.", "The lake is cold."]], "extract": [], "maintain": [], "consolidate": [],
        "undo": ["r"], "backfill": [], "backup": [copy], "doctor": [], "export_to": [tmp_path / "out.jsonl"],
        "load": [[{"kind": "item", "content": "The pier is old."}]], "import_from": ["jsonl", notes],
        "documents.ingest": [notes],
    }  # fmt: skip
    beside = {"documents.ingest": {"corpus": "c"}}
    takers = {
        f"{part}.{name}".strip(".")
        for part, holder in chain([("", memory)], ((part, getattr(memory, part)) for part in PARTS))
        for name in dir(type(holder))
        if not name.startswith("_") and callable(getattr(type(holder), name))
        and "progress" in signature(getattr(holder, name)).parameters
    }  # fmt: skip
    assert takers == set(calls)
    before = [item.id for item in memory.list(scope=ALL)]
    for name, args in calls.items():
        for bad in NOT_CALLABLE:
            with pytest.raises(InvalidInput, match="progress is a function"):
                method_of(memory, name)(*args, **beside.get(name, {}), progress=bad)
    assert [item.id for item in memory.list(scope=ALL)] == before
    assert (memory.documents.corpora(), memory.runs.list(), copy.exists()) == ([], [], False)


@pytest.mark.parametrize("bad", [{}, [], 10**30, 1.5, b"s", "\ud800", "a\0", ""])
def test_a_request_names_a_session_by_a_text(memory, bad):
    with pytest.raises(InvalidText):
        memory.review.ask(memory.list()[0].id, "forget", session_id=bad)
    assert memory.review.list() == []


@pytest.mark.parametrize("bad", [None, 5, "event", {"action": "x"}, AuditEvent])
def test_what_is_no_event_is_not_recorded(memory, bad):
    with pytest.raises(InvalidInput, match="an event is an AuditEvent"):
        memory.audit.record(bad)


def test_records_are_searched_below_a_space(memory):
    memory.records.put("a", "k", {"b": "cat"})
    with pytest.raises(InvalidInput, match="a space is a list"):
        memory.records.search("cat", None)


def test_a_request_for_what_is_not_there_is_not_found(memory):
    with pytest.raises(NotFound):
        memory.review.ask(LONG, "forget")
