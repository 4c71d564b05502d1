"""Arguments of callers: lists and items to purge, filters of their own, keywords of other memories."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import ALL, Memory
from simonides.domain.item import Item
from simonides.domain.records import AuditEvent
from simonides.domain.scope import Scope
from simonides.errors import InvalidInput, InvalidScope, NotFound, SimonidesError

PLACES = ["global", "user:ana", "user:ana/project:apollo", "user:bob", "project:apollo"]


def contents(items):
    return sorted(item.content for item in items)


@pytest.fixture
def places(memory):
    """Something of each status in each scope: active, archived, quarantined, a turn."""
    for place in PLACES:
        memory.add(f"a note of {place}", scope=place)
        memory.forget(memory.add(f"an old note of {place}", scope=place).verdicts[0].item_id)
        memory.propose([{"content": f"maybe {place} likes tea"}], scope=place)
        memory.add([{"role": "user", "content": f"hello from {place}"}], session_id=f"s-{place}", scope=place)
    return memory


def everything(memory, place=None):
    """Ids of everything that an export holds, of one scope or of all."""
    records = [record for record in memory.export() if record["kind"] == "item"]
    return sorted(
        record["id"]
        for record in records
        if place is None or record["revisions"][-1]["item"]["scope"] == place
    )


@pytest.mark.parametrize("place", PLACES)
def test_a_scope_is_purged_whole_and_nothing_else(places, place):
    others = set(everything(places)) - set(everything(places, place))
    assert len(everything(places, place)) == 4
    counts = places.purge(scope=place)
    assert counts["items"] == 4
    assert everything(places) == sorted(others)
    assert places.purge(scope=place)["items"] == 0
    assert places.doctor().healthy


def test_the_parts_of_a_scope_name_what_is_purged(places):
    assert places.purge(user_id="ana")["items"] == 4
    assert places.purge(user_id="ana", project="apollo")["items"] == 4
    assert len(everything(places)) == 12


@pytest.mark.parametrize("how", ["ids", "items", "list", "tuple", "generator", "nested"])
def test_items_to_purge_come_one_by_one_or_in_lists(memory, how):
    ids = [verdict.item_id for verdict in memory.add(["one", "two"])]
    items = memory.list()
    match how:
        case "ids":
            memory.purge(*ids)
        case "items":
            memory.purge(*items)
        case "list":
            memory.purge(ids)
        case "tuple":
            memory.purge(tuple(items))
        case "generator":
            memory.purge(item.id for item in items)
        case "nested":
            memory.purge(ids[0], [items[0]])
    assert memory.list() == [] if how != "nested" else len(memory.list()) <= 1


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(st.recursive(st.integers() | st.binary() | st.floats() | st.booleans() | st.none() | st.text(max_size=8) |
                    st.dictionaries(st.text(max_size=3), st.text(max_size=3)), st.lists))  # fmt: skip
def test_whatever_else_is_to_be_purged_is_an_error_of_ours_and_nothing_goes(memory, target):
    count = len(everything(memory))
    memory.add("stays")
    try:
        memory.purge(target)
    except (InvalidInput, NotFound):
        pass
    else:
        assert not str(target).strip("[], ")
    assert len(everything(memory)) >= max(count, 1)


@pytest.mark.parametrize(
    ("targets", "fields"),
    [((), {}), (("x",), {"scope": "user:ana"}), ((), {"top": 3}), ((), {"user_id": None})],
    ids=repr,
)
def test_a_purge_names_items_or_a_scope_and_not_both(memory, targets, fields):
    with pytest.raises(InvalidInput):
        memory.purge(*targets, **fields)


def test_everything_is_never_purged_in_one_word(memory):
    memory.add("stays")
    with pytest.raises(InvalidScope):
        memory.purge(scope=ALL)
    assert contents(memory.list()) == ["stays"]


@pytest.mark.parametrize("place", PLACES)
def test_exactly_one_scope_can_be_read(places, place):
    assert {item.scope for item in places.list(scope=place, exact=True)} == {Scope(place)}
    assert {hit.item.scope for hit in places.search("a note", scope=place, exact=True)} == {Scope(place)}
    seen = {item.scope for item in places.list(scope=place)}
    assert seen == set(Scope(place).visible()) & set(map(Scope, PLACES))


def test_metadata_is_a_filter_for_notes_and_turns(memory):
    memory.add("by mail", metadata={"channel": "mail", "n": 3})
    memory.add("by phone", metadata={"channel": "phone"})
    memory.add(
        [
            {"role": "user", "content": "in a chat"},
            {"role": "user", "content": "in a mail, after all", "metadata": {"channel": "mail"}},
        ],
        session_id="s1",
        metadata={"channel": "chat", "n": 3},
    )
    assert contents(memory.list(metadata={"channel": "mail"})) == ["by mail", "in a mail, after all"]
    assert contents(memory.list(metadata={"n": 3, "channel": "chat"})) == ["in a chat"]
    assert [hit.item.content for hit in memory.search("by phone", metadata={"channel": "phone"})] == [
        "by phone"
    ]


def test_a_task_is_a_filter(memory):
    memory.add("draft the letter", task_id="t1")
    memory.add("send the letter", task_id="t2")
    assert contents(memory.list(task_id="t1")) == ["draft the letter"]
    assert [hit.item.content for hit in memory.search("letter", task_id="t2")] == ["send the letter"]


@pytest.mark.parametrize(
    "value",
    [[], {}, "x", {"a": [1]}, {1: "a"}, {"a": float("nan")}, {"a": "\ud800"}, {"a": "x" * 300_000}],
    ids=lambda value: repr(value)[:20],
)
def test_metadata_that_nothing_can_hold_is_refused(memory, value):
    with pytest.raises(InvalidInput, match=r"metadata|JSON"):
        memory.list(metadata=value)


@pytest.mark.parametrize("value", ["a\0b", "\u2028", "\U0010ffff", "", 2**70])
def test_metadata_that_an_item_can_hold_is_found(memory, value):
    memory.add("by mail", metadata={"channel": value})
    assert contents(memory.list(metadata={"channel": value})) == ["by mail"]


@pytest.mark.parametrize(
    ("name", "meant"), [("limit", "k"), ("top_k", "k"), ("tag", "tags"), ("typs", "types")]
)
def test_a_keyword_of_another_memory_is_answered_with_ours(memory, name, meant):
    with pytest.raises(InvalidInput, match=f"did you mean '{meant}'"):
        memory.search("x", **{name: 3})


def test_what_came_out_of_a_memory_can_be_built_again(memory):
    memory.add("We ship on Fridays.", tags=["release"], event_at="2026-03-01")
    (item,) = memory.list()
    assert Item.from_dict(item.to_dict()) == item
    assert item.times["event_at"] == datetime(2026, 3, 1, tzinfo=UTC)


def test_a_statement_that_is_asked_for_in_its_own_words_is_told(memory):
    memory.add("The heron is called Quentin.", type="fact")
    assert "Quentin" in memory.context("the heron is called Quentin").text


@pytest.mark.parametrize("path", [3, [], {}, b"\xff", "a\0b", "\ud800", "x" * 300])
def test_what_names_no_file_opens_none(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput):
        Memory(path)
    assert list(tmp_path.iterdir()) == []


_LONG = "x" * 1_001
#: What names something, by the argument that names it.
_NAMED = {
    "session_id of turns": lambda m, _: m.add([{"role": "user", "content": "I ski."}], session_id=_LONG),
    "session_id of a proposal": lambda m, _: m.propose([{"content": "The mill is red."}], session_id=_LONG),
    "run_id": lambda m, _: m.add("The mill is red.", run_id=_LONG),
    "task_id": lambda m, _: m.add("The mill is red.", task_id=_LONG),
    "tags": lambda m, _: m.add("The mill is red.", tags=[_LONG]),
    "scope": lambda m, _: m.add("The mill is red.", scope=f"user:{_LONG}"),
    "user_id": lambda m, _: m.add("The mill is red.", user_id=_LONG),
    "corpus_id": lambda m, _: m.add("The mill is red.", corpus_id=_LONG),
    "actor": lambda m, one: m.forget(one, actor=_LONG),
    "tags to look for": lambda m, _: m.search("mill", tags=[_LONG]),
    "session to look in": lambda m, _: m.list(session_id=_LONG),
    "entity to look for": lambda m, _: m.search("mill", entity=_LONG),
    "metadata to look for": lambda m, _: m.search("mill", metadata={_LONG: 1}),
    "asked_in": lambda m, _: m.context("mill", asked_in=_LONG),
    "session of a use": lambda m, one: m.mark_used([one], session_id=_LONG),
    "session to end": lambda m, _: m.sessions.end(_LONG),
    "session to read": lambda m, _: m.sessions.get(_LONG),
    "session to extract": lambda m, _: m.extract(session_id=_LONG),
    "session to take back": lambda m, _: m.review.rollback(session_id=_LONG),
    "source to take back": lambda m, _: m.review.rollback(source_id=_LONG),
    "room": lambda m, one: m.palace.assign(one, room=_LONG),
    "shelf": lambda m, one: m.palace.assign(one, room="mill", shelf=_LONG),
    "relation": lambda m, one: m.link(one, one, _LONG),
    "key": lambda m, _: m.records.put(["mill"], _LONG, {"a": 1}),
    "run": lambda m, _: m.undo(_LONG),
    "injection": lambda m, _: m.why(_LONG),
}


@pytest.mark.parametrize("named", _NAMED)
def test_a_name_of_more_than_a_thousand_characters_is_refused_in_a_short_sentence(named):
    with Memory(":memory:") as memory:
        one = memory.add("The mill is closed.").item_ids[0]
        with pytest.raises(SimonidesError) as refused:
            _NAMED[named](memory, one)
        assert len(str(refused.value)) < 300
        assert memory.list(exact=True, limit=5) == [memory.get(one)]


def test_what_names_nothing_may_be_long():
    quote = "The mill is closed. " * 500
    with Memory(":memory:") as memory:
        one, other = memory.add("The mill is closed.").item_ids + memory.add("The mill is red.").item_ids
        assert memory.link(one, other, evidence=quote).evidence == quote
        memory.audit.record(AuditEvent(action="tool:memory.link", at=0, actor="tool"), quote)
        assert memory.audit.events(limit=1)[0].action == "tool:memory.link"
