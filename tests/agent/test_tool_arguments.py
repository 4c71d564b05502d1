"""Arguments that cannot be used are answered, whatever they are."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.agent.tools.arguments import InvalidArguments, parse
from simonides.agent.tools.table import BY_NAME, TABLE
from simonides.governance.policy import Policy
from simonides.testing import FakeEmbedder, FrozenClock

ID = "01900000-0000-7000-8000-000000000000"
NAMES = [tool.name for tool in TABLE]
#: Arguments that are all right as far as their form goes.
GOOD = {
    "memory.propose": {"proposals": [{"content": "The kettle is blue."}]},
    "memory.write": {"content": "The kettle is blue."},
    "memory.search": {"query": "kettle"},
    "memory.context": {"query": "kettle"},
    "memory.read": {"id": ID},
    "memory.update": {"id": ID, "tags": ["kitchen"]},
    "memory.link": {"src": ID, "dst": ID},
    "memory.palace.list": {},
    "memory.palace.get": {"domain": "house"},
    "memory.palace.assign": {"id": ID, "room": "kitchen"},
    "memory.palace.browse": {"domain": "house"},
    "memory.reinforce": {"id": ID},
    "memory.demote": {"id": ID},
    "memory.confirm": {"id": ID},
    "memory.correct": {"target": ID, "content": "The kettle is red."},
    "memory.forget": {"target": ID},
    "memory.explain": {"id": ID},
    "memory.entity": {"name": "Kettle"},
    "memory.stats": {},
    "memory.weak": {},
    "memory.timeline": {},
    "memory.history": {"id": ID},
}
BAD = [
    ("memory.propose", {"proposals": []}, "proposals"),
    ("memory.propose", {"proposals": [{"content": "x"}] * 51}, "proposals"),
    ("memory.propose", {"proposals": {"content": "x"}}, "proposals"),
    ("memory.write", {"content": ["x"]}, "content"),
    ("memory.write", {"content": "x", "tags": "kitchen"}, "tags"),
    ("memory.write", {"content": "x", "confidence": 1.5}, "confidence"),
    ("memory.write", {"content": "x", "type": "episode"}, "type"),
    ("memory.search", {"query": "x", "k": 0}, "k"),
    ("memory.search", {"query": "x", "k": 10**30}, "k"),
    ("memory.search", {"query": "x", "k": "many"}, "k"),
    ("memory.search", {"query": "x", "tiers": ["forever"]}, "tiers.0"),
    ("memory.search", {"query": "x", "kinds": "semantic"}, "kinds"),
    ("memory.context", {"query": "x", "max_tokens": 10}, "max_tokens"),
    ("memory.read", {"id": 5}, "id"),
    ("memory.read", {"id": "x" * 101}, "id"),
    ("memory.update", {"id": ID, "importance": -1}, "importance"),
    ("memory.update", {"id": ID, "title": ""}, "title"),
    ("memory.link", {"src": ID, "dst": ID, "rel": 3}, "rel"),
    ("memory.palace.list", {"room": "kitchen"}, "arguments"),
    ("memory.palace.get", {"domain": "house", "shelf": "top"}, "arguments"),
    ("memory.palace.assign", {"id": ID, "room": ""}, "room"),
    ("memory.palace.browse", {"domain": "house", "limit": 101}, "limit"),
    ("memory.reinforce", {"id": ID, "by": 1000}, "by"),
    ("memory.demote", {"id": ID, "by": 1000}, "by"),
    ("memory.confirm", {"id": True}, "id"),
    ("memory.correct", {"target": ID, "content": 7}, "content"),
    ("memory.forget", {"target": "x" * 4001}, "target"),
    ("memory.explain", {"id": [ID]}, "id"),
    ("memory.entity", {"name": ""}, "name"),
    ("memory.entity", {"name": "Kettle", "limit": 51}, "limit"),
    ("memory.stats", {"scope": 7}, "scope"),
    ("memory.weak", {"below": 2}, "below"),
    ("memory.weak", {"limit": 0}, "limit"),
    ("memory.timeline", {"limit": 1.5}, "limit"),
    ("memory.history", {"id": ID, "limit": 0}, "limit"),
]  # fmt: skip


def refused(answer, code="invalid_arguments"):
    assert set(answer) == {"error"}
    assert answer["error"]["code"] == code, answer
    assert answer["error"]["message"]
    return answer["error"]


def test_every_tool_is_tried():
    assert set(GOOD) == set(NAMES) == {name for name, _, _ in BAD}


@pytest.mark.parametrize(("name", "arguments", "field"), BAD)
def test_a_bad_field_is_named(tools, memory, name, arguments, field):
    error = refused(tools.call(name, arguments))
    assert field in error["fields"]
    assert field in error["message"]
    assert memory.list() == []


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_field_is_an_error_that_names_the_known_ones(tools, name):
    error = refused(tools.call(name, GOOD[name] | {"tenant": "bob"}))
    assert list(error["fields"]) == ["tenant"]
    assert "scope" in error["fields"]["tenant"]


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_field_of_null_is_an_error_too(tools, name):
    assert list(refused(tools.call(name, GOOD[name] | {"tenant": None}))["fields"]) == ["tenant"]


@pytest.mark.parametrize("name", [name for name in NAMES if GOOD[name] and name != "memory.palace.browse"])
def test_what_is_required_is_asked_for(tools, name):
    first = next(iter(GOOD[name]))
    for arguments in ({}, {first: None}):
        assert refused(tools.call(name, arguments))["fields"][first] == "is required"


@pytest.mark.parametrize("name", [name for name in NAMES if {"id", "target", "src"} & set(GOOD[name])])
def test_an_id_that_nothing_has_is_not_found(tools, name):
    refused(tools.call(name, GOOD[name]), "not_found")


@pytest.mark.parametrize("name", NAMES)
def test_null_means_not_given(tools, name):
    [schema] = [schema for schema in tools.schemas() if schema["name"] == name]
    optional = dict.fromkeys(schema["parameters"]["properties"], None)
    assert set(tools.call(name, optional | GOOD[name])) == set(tools.call(name, GOOD[name]))


@pytest.mark.parametrize("name", NAMES)
def test_arguments_may_be_json_text(tools, name):
    answer = tools.call(name, json.dumps(GOOD[name]))
    assert answer.get("error", {}).get("code", "not_found") == "not_found"


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", "null", "7", '"query"', "{'query': 'kettle'}", '{"query": NaN}', '{"query": Infinity}', "\0",
        '{"query": ' + "9" * 5000 + "}", '{"query": "\\ud800"}', '{"query": "\ud800"}', "[" * 60_000, '{"a":' * 10_000,
    ],
    ids=range(14),
)  # fmt: skip
def test_text_that_is_no_object_is_refused(tools, text):
    refused(tools.call("memory.search", text))


@pytest.mark.parametrize("text", ["", "{}", " {} "])
def test_no_arguments_are_an_empty_object(tools, text):
    assert tools.call("memory.stats", text)["items"] == 0


@pytest.mark.parametrize("arguments", [None, 7, ["query"], b"{}", {"query": object()}, {"query": {1, 2}}])
def test_arguments_that_are_not_json_are_refused(tools, arguments):
    refused(tools.call("memory.search", arguments))


def test_a_number_that_json_does_not_know_is_refused(tools):
    refused(tools.call("memory.weak", {"below": float("nan")}))


def nested(levels):
    value = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize("as_text", [False, True])
def test_arguments_are_at_most_sixty_four_levels_deep(tools, as_text):
    deep = {"query": "kettle", "x": nested(64)}
    error = refused(tools.call("memory.search", json.dumps(deep) if as_text else deep))
    assert "64 levels" in error["message"]
    flat = {"query": "kettle", "x": nested(63)}
    assert "unknown field" in refused(tools.call("memory.search", flat))["message"]


def test_arguments_that_hold_themselves_are_refused(tools):
    loop = {"query": "kettle"}
    loop["filters"] = loop
    refused(tools.call("memory.search", loop))


@pytest.mark.parametrize("as_text", [False, True])
def test_arguments_are_at_most_sixty_four_kilobytes_long(tools, as_text):
    huge = {"query": "ü" * 33_000}
    error = refused(tools.call("memory.search", json.dumps(huge, ensure_ascii=False) if as_text else huge))
    assert "65536 bytes" in error["message"]
    assert tools.call("memory.search", {"query": "kettle " * 9000})["abstained"]


@pytest.mark.parametrize(
    "name", ["memory.purge", "purge", "", "memory", "memory.search.x", "__class__", None, 7]
)
def test_an_unknown_tool_is_an_answer(tools, name):
    assert "memory.search" in refused(tools.call(name, "not even JSON"), "unknown_tool")["message"]


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("memory.search", {"query": "x", "after": "the day of days"}, "invalid_input"),
        ("memory.search", {"query": "x", "types": ["nonsense"]}, "invalid_input"),
        ("memory.search", {"query": " "}, "invalid_text"),
        ("memory.search", {"query": "x", "scope": "nonsense"}, "invalid_scope"),
        ("memory.write", {"content": "x", "scope": "user:a/user:b"}, "invalid_scope"),
    ],
)
def test_what_the_library_refuses_keeps_its_code(tools, name, arguments, code):
    refused(tools.call(name, arguments), code)


class Broken(Policy):
    """A policy with a bug."""

    def judge(self, *args, **kwargs):
        raise ZeroDivisionError("a bug of somebody else's")


def test_a_bug_inside_is_an_answer_without_a_trace_and_an_entry_in_the_log(tmp_path, caplog):
    with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(), policy=Broken()) as memory:
        with caplog.at_level(logging.ERROR, "simonides"):
            error = refused(
                Tools(memory).call("memory.write", {"content": "The kettle is blue."}), "internal"
            )
        assert "bug" not in json.dumps(error)
        assert "ZeroDivisionError" in caplog.text
        [event] = memory.audit.events()
        assert event.details == {"ok": False, "error": "internal"}


TEXTS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [ID, "\0", "\ud800", "global", "user:ana", "2026-01-01", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00-14:00",
         "fact", 'a "b" AND (c*) NEAR', "%_'; --", "stm", "semantic", "supports", "\u202eabc", "x" * 3000]
    ),
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@st.composite
def calls(draw):
    """A tool with fields of its own that hold anything: texts mostly, as its schema wants them."""
    tool = draw(st.sampled_from(TABLE))
    fields = tool.parameters()["properties"]
    chosen = draw(st.lists(st.sampled_from(sorted(fields)), unique=True, max_size=6))
    drawn = {}
    for name in chosen:
        fitting = {"string": TEXTS, "array": st.lists(TEXTS, max_size=3)}.get(fields[name]["type"], VALUES)
        drawn[name] = draw(st.one_of(fitting, fitting, fitting, VALUES))
    return tool.name, GOOD[tool.name] | drawn


@pytest.fixture(scope="module")
def sturdy(tmp_path_factory):
    path = tmp_path_factory.mktemp("fuzz") / "memory.db"
    clock = FrozenClock()
    with Memory(path, embedder=FakeEmbedder(), clock=clock) as memory:
        memory.add(["The kettle is blue.", "The cup is red."])
        yield (Tools(memory, scope="user:ana"), Tools(memory)), memory, clock


@given(call=calls())
@settings(max_examples=120, suppress_health_check=list(HealthCheck))
def test_no_arguments_whatever_make_a_tool_fail(sturdy, call):
    for tools in sturdy[0]:
        answer = tools.call(*call)
        json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
        assert answer.get("error", {}).get("code") != "internal", answer


#: Texts of JSON, of what nearly is, and of what no float, integer or store can hold.
SCRAPS = st.sampled_from(
    ["1e999", "-1e999", "[1e400]", "NaN", "-Infinity", "9" * 5000, "-0.0", "1E+2",
     '"\\ud800"', '"\ud800"', '"\\u0000"', "\0",
     "{}", '{"a":1e999}', '{"a":1,"a":2}', "[" * 70 + "]" * 70, "tru", "null", '"' + "x" * 70_000 + '"', ""]
)  # fmt: skip
JSON_TEXTS = st.one_of(
    SCRAPS,
    st.text(max_size=40),
    st.sampled_from([" ", "\n\t", "\ufeff{}", "{", "[]", "\ud800"]),
    st.dictionaries(st.text(max_size=5), VALUES, max_size=3).map(json.dumps),
    st.lists(
        st.tuples(st.sampled_from(["query", "k", "id", "scope", "content", "\\udfff"]), SCRAPS), max_size=3
    ).map(lambda pairs: "{" + ",".join(f'"{name}":{value}' for name, value in pairs) + "}"),
)
OBJECTS = st.one_of(
    st.dictionaries(st.one_of(st.text(max_size=5), st.integers(), st.none()), VALUES, max_size=3),
    VALUES,
    st.sampled_from(
        [{"k": 10**5000}, {"scope": 10**4299}, {"query": b"x"}, {"a": {1}}, {"a": nested(3000)}, ...]
    ),
)


@given(
    name=st.one_of(st.sampled_from(NAMES), TEXTS, VALUES),
    arguments=st.one_of(JSON_TEXTS, JSON_TEXTS, OBJECTS),
    further=st.dictionaries(st.sampled_from(["user_said", "confirmed"]), st.one_of(TEXTS, VALUES)),
)
@settings(max_examples=250, suppress_health_check=list(HealthCheck))
def test_no_text_and_no_object_raises_and_each_call_is_noted(sturdy, caplog, name, arguments, further):
    every, memory, clock = sturdy
    for tools in every:
        clock.advance(hours=1)
        [last] = memory.audit.events(limit=1)
        answer = tools.call(name, arguments, **further)
        json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
        assert answer.get("error", {}).get("code") != "internal", answer
        noted = [event for event in memory.audit.events(limit=1000) if event.number > last.number]
        assert len([event for event in noted if event.action.startswith("tool:")]) == 1
    assert "could not be noted" not in caplog.text


@pytest.mark.parametrize(
    ("name", "given", "same"),
    [
        ("memory.propose", {"items": [{"content": "x"}]}, {"proposals": [{"content": "x"}]}),
        ("memory.update", {"item_id": ID, "patch": {"title": "t"}}, {"id": ID, "title": "t"}),
        ("memory.link", {"src_id": ID, "dst_id": ID}, {"src": ID, "dst": ID}),
        ("memory.palace.get", {"path": "apollo/kitchen"}, {"domain": "apollo", "room": "kitchen"}),
        ("memory.palace.get", {"path": "a/b/c"}, {"domain": "a", "room": "b", "shelf": "c"}),
        ("memory.read", {"memory_id": ID}, {"id": ID}),
        ("memory.write", {"text": "x"}, {"content": "x"}),
        ("memory.search", {"question": "x", "limit": 3}, {"query": "x", "k": 3}),
        ("memory.search", {"query": "x", "top_k": 3}, {"query": "x", "k": 3}),
        ("memory.weak", {"k": 3}, {"limit": 3}),
        ("memory.context", {"question": "x"}, {"query": "x"}),
        ("memory.forget", {"id": ID}, {"target": ID}),
        ("memory.forget", {"query": "the mill"}, {"target": "the mill"}),
        ("memory.correct", {"item_id": ID, "content": "x"}, {"target": ID, "content": "x"}),
    ],
)
def test_fields_may_have_the_names_of_other_memories(name, given, same):
    model = BY_NAME[name].input
    assert parse(model, given) == parse(model, same)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("memory.update", {"id": ID, "item_id": ID}),
        ("memory.search", {"query": "x", "k": 3, "limit": 4}),
        ("memory.search", {"query": "x", "limit": 3, "top_k": 4}),
        ("memory.forget", {"id": ID, "query": "the mill"}),
        ("memory.update", {"id": ID, "title": "a", "patch": {"title": "b"}}),
        ("memory.update", {"id": ID, "patch": {"trust": "high"}}),
        ("memory.palace.get", {"domain": "a", "path": "b/c"}),
        ("memory.palace.get", {"path": "a/b/c/d"}),
        ("memory.search", {"query": "x", "domain": "a"}),
    ],
)
def test_a_field_by_two_names_or_of_another_tool_is_refused(name, given):
    with pytest.raises(InvalidArguments):
        parse(BY_NAME[name].input, given)
