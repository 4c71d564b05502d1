"""A scope is a scope or an error: whatever else is passed, nothing is read and nothing changes.

The doors are found by reflection, so that a new method is tried without being named here.
"""

import copy
import inspect
import pickle
from types import SimpleNamespace
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import ALL, AsyncMemory, Memory
from simonides.agent.tools.table import TABLE
from simonides.agent.turn import Chat
from simonides.domain.scope import Scope
from simonides.errors import InvalidInput, InvalidScope
from simonides.testing import FakeEmbedder, FrozenClock
from tests.memory.reflection import PARTS

NAMED = ("user_id", "agent_id", "project")


def keywords(method):
    """Names of everything that a method takes by name, those of its keyword dictionary included."""
    signature = inspect.signature(method)
    names = dict(signature.parameters)
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            names.pop(parameter.name)
            kind = eval(method.__annotations__[parameter.name], method.__globals__)
            for fields in get_args(kind):
                names |= dict.fromkeys(fields.__annotations__)
    return names


def doors():
    """(part, method name, keyword) for each keyword that names a scope."""
    for part, cls in {None: Memory, **PARTS}.items():
        for name, method in inspect.getmembers(cls, inspect.isfunction):
            if not name.startswith("_") and not (method.__doc__ or "").startswith("Former name"):
                found = keywords(method)
                yield from ((part, name, key) for key in ("scope", *NAMED) if key in found)


DOORS = list(doors())


@pytest.fixture
def world(memory):
    return filled(memory)


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # A target by words is a file's name, too.


@pytest.fixture(scope="module")
def unchanging(tmp_path_factory):
    """A world for tests after each of which it is as it was."""
    path = tmp_path_factory.mktemp("world") / "memory.db"
    with Memory(path, clock=FrozenClock(), embedder=FakeEmbedder(8)) as memory:
        yield filled(memory)


def filled(memory):
    """A memory with something in every room, and a good argument for each parameter that a door requires."""
    ana = memory.add("Ana keeps her diary under the stairs.", user_id="ana").verdicts[0].item_id
    memory.add("Ana Petrova keeps bees.", user_id="ana", entities=["Ana Petrova"])
    memory.add("The office opens at nine.")
    memory.add([{"role": "user", "content": "I met Ana Petrova."}], session_id="s1", user_id="ana")
    memory.propose([{"content": "Ana may like tea."}], user_id="ana")
    good = {
        "query": "diary",
        "content": "a note",
        "proposals": [{"content": "a note"}],
        "item_id": ana,
        "target": ana,
        "session_id": "s1",
        "name": "Ana Petrova",
        "keep": "Ana Petrova",
        "other": "Ana Petrova",
        "alias": "Anja",
        "to": "Anja",
        "type": "person",
        "domain": "user:ana",
        "room": "inbox",
        "space": "lists",
        "key": "birds",
        "value": {"name": "wren"},
        "puts": [],
        "kind": "mem0",
        "path": "nowhere.json",
        "corpus": "notes",
        "text": "Bees sleep.",
        "first": "notes",
        "second": "notes",
    }
    memory.documents.put("notes", "diary.md", "Ana Petrova wrote that bees sleep.", user_id="ana")
    # The same word for something else.
    own = {"export_to": {"target": memory.path.with_name("exported.jsonl")}, "corpus": {"name": "notes"}}
    return SimpleNamespace(memory=memory, good=good, own=own)


def knock(world, part, name, **said):
    """Call a door with good arguments and what is said of the scope; a generator is read to its end."""
    target = world.memory if part is None else getattr(world.memory, part)
    method = getattr(target, name)
    required = [
        parameter.name
        for parameter in inspect.signature(method).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}
    ]
    good = world.good | world.own.get(name, {})
    found = method(**{key: good[key] for key in required}, **said)
    return list(found) if inspect.isgenerator(found) else found


def revisions(memory):
    """All that items ever said, without how often they were used."""
    return [(record["id"], record["revisions"]) for record in memory.export() if record["kind"] == "item"]


def everything(memory):
    return memory.stats(), list(memory.export())


NO_SCOPES = st.one_of(
    st.booleans(),
    st.integers(),
    st.floats(),
    st.binary(),
    st.lists(st.sampled_from(["user:ana", "user:bob", "global"])),
    st.tuples(st.just("user:bob")),
    st.dictionaries(st.sampled_from(["user", "scope"]), st.just("bob")),
    st.frozensets(st.just("user:bob")),
    st.sampled_from(
        [b"user:bob", bytearray(b"user:bob"), object(), Memory, Ellipsis, NotImplemented, ALL.value]
    ),
    st.sampled_from(
        ["", " ", "ALL", "*", "user", "user:", "/", "user:bob/", "user:bob/user:ana", "None", "\0"]
    ),
)


def test_there_are_doors_of_every_kind():
    assert {part for part, _, _ in DOORS} >= {None, "palace", "entities", "review", "schedule", "sessions"}
    assert {name for part, name, _ in DOORS if part is None} >= {"add", "search", "forget", "stats", "export"}


@pytest.mark.parametrize(("part", "name", "key"), DOORS)
def test_what_is_no_scope_is_refused_at_every_door_and_changes_nothing(unchanging, part, name, key):
    before = everything(unchanging.memory)

    @settings(max_examples=20, suppress_health_check=list(HealthCheck))
    @given(NO_SCOPES)
    def refused(value):
        if key != "scope" and isinstance(value, str):
            value = f"{value}/user:ana"  # A name may be any text but must not bring parts of its own.
        with pytest.raises(InvalidScope):
            knock(unchanging, part, name, **{key: value})

    refused()
    assert everything(unchanging.memory) == before


@pytest.mark.parametrize(
    ("part", "name"), [(part, name) for part, name, key in DOORS if key == "scope"], ids=str
)
def test_nothing_of_another_user_comes_through_any_door(world, part, name):
    """Asked from Bob's scope, no door that answers tells a word of Ana's."""
    world.good |= {"target": "her diary under the stairs", "content": "Bob's own note"}
    try:
        found = knock(world, part, name, scope="user:bob")
    except InvalidInput:
        return
    except LookupError:
        return
    assert "diary" not in repr(found)
    assert "Petrova" not in repr(found)


#: Verbs that change what belongs to everybody where `ALL` says so: they work on scopes, and mean no item by words.
BY_SCOPE = {(None, "extract"), (None, "maintain"), ("review", "rollback"), ("sessions", "end"),
            ("sessions", "end_silent")}  # fmt: skip
#: Arguments without which a verb would do nothing.
TO_DO = {"rollback": {"session_id": "s1", "dry_run": False}}


@pytest.mark.parametrize(("part", "name"), [door[:2] for door in DOORS if door[2] == "scope"], ids=str)
def test_everywhere_is_no_place_to_change_anything_in_but_for_what_works_on_scopes(world, part, name):
    world.good |= {"target": "her diary under the stairs", "content": "Bob's own note"}
    method = getattr(Memory if part is None else PARTS[part], name)
    before = revisions(world.memory)
    more = TO_DO.get(name, {})
    if "Scopes" in str(inspect.signature(method).parameters["scope"].annotation):
        knock(world, part, name, scope=ALL, **more)
    else:
        with pytest.raises(InvalidScope, match="ALL"):
            knock(world, part, name, scope=ALL, **more)
    if (part, name) in BY_SCOPE:
        assert "every" in method.__doc__
    else:
        assert revisions(world.memory) == before


@pytest.mark.parametrize("verb", ["forget", "correct"])
def test_an_id_names_its_item_from_everywhere(memory, verb):
    (item_id,) = memory.add("Ana's boat is blue.", user_id="ana").item_ids
    getattr(memory, verb)(item_id, *(["Ana's boat is red."] if verb == "correct" else []), scope=ALL)
    assert memory.get(item_id).status == "archived"


def test_everything_is_said_by_all_alone_even_when_it_was_copied(memory):
    memory.add("blood type A", user_id="ana")
    for said in (ALL, copy.deepcopy(ALL), pickle.loads(pickle.dumps(ALL))):
        assert len(memory.list(scope=said)) == 1
    assert memory.list() == []
    assert memory.list(scope=None) == []


@given(st.one_of(NO_SCOPES, st.text()))
def test_a_scope_is_made_of_text_or_not_at_all(value):
    try:
        scope = Scope(value)
    except InvalidScope:
        return
    assert isinstance(value, str)
    assert Scope(str(scope)) == scope


def test_awaiting_goes_through_the_same_doors():
    for _, name, _ in (door for door in DOORS if door[0] is None):
        assert inspect.unwrap(getattr(AsyncMemory, name)) is getattr(Memory, name)


@pytest.mark.parametrize("value", [["user:bob"], 0, False, b"user:bob", {"user": "bob"}], ids=repr)
def test_a_chat_has_a_scope_or_is_refused(value):
    with pytest.raises(InvalidScope):
        Chat(scope=value)


def test_each_tool_that_takes_a_scope_takes_text_only():
    for tool in TABLE:
        if (field := tool.input.model_json_schema()["properties"].get("scope")) is not None:
            assert {kind["type"] for kind in field.get("anyOf", [field])} <= {"string", "null"}, tool.name


@pytest.mark.parametrize(
    "named",
    [
        {"scope": "user:bob"},
        {"scope": 77},
        {"scope": ["user:ana"]},
        {"user_id": "bob"},
        {"project": "apollo"},
        {"scope": "user:ana", "agent_id": "a"},
    ],
    ids=repr,
)
def test_a_message_of_another_scope_is_not_kept_in_its_conversations(memory, named):
    turns = [{"role": "user", "content": "I met Ana."}, {"role": "user", "content": "Hello there.", **named}]
    with pytest.raises(InvalidScope):
        memory.add(turns, user_id="ana", session_id="s")
    assert memory.list(scope=ALL) == []


def test_a_message_may_say_what_its_conversation_says(memory):
    turns = [
        {"role": "user", "content": "I met Ana.", "user_id": "ana", "scope": "user:ana", "tool_calls": []}
    ]
    memory.add(turns, user_id="ana", session_id="s")
    assert [item.scope for item in memory.list(scope=ALL)] == ["user:ana"]
