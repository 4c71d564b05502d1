"""A keyword that a method does not know is refused, and the nearest one named: nothing is written to `global` for it.

The methods are found by reflection, so that a new one is tried without being named here.
"""

import inspect
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import ALL, AsyncMemory, Memory
from simonides.errors import InvalidInput, InvalidScope
from tests.memory.reflection import PARTS

#: The way each part of a scope is misspelt, or called elsewhere, and its name.
MISSPELT = {
    "projekt": "project",
    "user": "user_id",
    "usr_id": "user_id",
    "agent": "agent_id",
    "scop": "scope",
}
MISSPELT |= {"namespace": "scope"}


def collectors():
    """(part, name) of every public method that collects keywords it does not name in its signature."""
    for part, cls in {None: Memory, **PARTS}.items():
        for name, method in inspect.getmembers(cls, inspect.isfunction):
            kinds = {one.kind for one in inspect.signature(method).parameters.values()}
            if not name.startswith("_") and inspect.Parameter.VAR_KEYWORD in kinds:
                yield part, name


COLLECTORS = list(collectors())
#: `update` collects fields of an item and takes no scope.
OF_A_SCOPE = [door for door in COLLECTORS if door != (None, "update")]


def good(memory):
    """A good argument for each parameter that one of these methods requires."""
    known = memory.add("We ship on Fridays.").verdicts[0].item_id
    return {
        "content": "The heron is called Quentin.",
        "proposals": [{"content": "The user likes tea.", "why_store": "said so"}],
        "query": "when do we ship?",
        "item_id": known,
        "space": "notes",
        "key": "ship",
        "value": "on Fridays",
        "kind": "mem0",
        "path": "nowhere.json",
        "corpus": "notes",
        "text": "Bees sleep.",
        "name": "notes",
        "first": "notes",
        "second": "notes",
        "target": memory.path.with_name("exported.jsonl"),
        "puts": [{"space": "notes", "key": "ship", "value": "on Fridays"}],
    }


def call(method, arguments, **more):
    required = [
        one.name
        for one in inspect.signature(method).parameters.values()
        if one.default is one.empty and one.kind in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY}
    ]
    return method(**{name: arguments[name] for name in required}, **more)


@pytest.fixture
def world(memory):
    return SimpleNamespace(memory=memory, good=good(memory))


def method_of(memory, part, name):
    return getattr(memory if part is None else getattr(memory, part), name)


def test_the_methods_that_take_a_scope_by_its_parts_are_found():
    assert {name for _, name in OF_A_SCOPE} >= {
        "add",
        "propose",
        "search",
        "consolidate",
        "core_profile",
        "purge",
    }


@pytest.mark.parametrize(("part", "name"), OF_A_SCOPE)
@pytest.mark.parametrize("value", ["apollo", None])
def test_a_misspelt_part_of_a_scope_is_answered_with_its_name(world, part, name, value):
    before = list(world.memory.export())
    for misspelt, meant in MISSPELT.items():
        with pytest.raises(InvalidInput, match=f"unknown keyword '{misspelt}'; did you mean '{meant}'"):
            call(method_of(world.memory, part, name), world.good, **{misspelt: value})
    assert list(world.memory.export()) == before


@pytest.mark.parametrize(("part", "name"), COLLECTORS)
def test_no_unknown_keyword_is_passed_over(world, part, name):
    method = method_of(world.memory, part, name)
    before = list(world.memory.export())

    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(st.from_regex("[a-z_]{1,12}_", fullmatch=True), st.none() | st.text(max_size=5) | st.integers())
    def refused(keyword, value):
        with pytest.raises(InvalidInput, match=f"'{keyword}'"):
            call(method, world.good, **{keyword: value})

    refused()
    assert list(world.memory.export()) == before


def test_a_list_of_inputs_is_not_stored_with_a_keyword_that_nothing_knows(memory):
    for inputs in (["one note", "another note"], [{"role": "user", "content": "hello there"}]):
        with pytest.raises(InvalidInput, match="did you mean 'project'"):
            memory.add(inputs, projekt="apollo")
    assert memory.stats()["items"] == 0


def test_awaiting_refuses_the_same():
    for part, name in COLLECTORS:
        if part is None:
            assert inspect.unwrap(getattr(AsyncMemory, name)) is getattr(Memory, name)


@pytest.mark.parametrize(
    ("scope", "parts"),
    [
        ("user:ana", {"user_id": "ben"}),
        ("user:ana/project:apollo", {"project": "borealis"}),
        ("agent:a", {"agent_id": "b"}),
    ],
)
@pytest.mark.parametrize("door", ["add", "search", "context"])
def test_a_part_that_contradicts_the_scope_is_refused(memory, door, scope, parts):
    with pytest.raises(InvalidScope, match="contradict each other"):
        getattr(memory, door)("We ship on Fridays.", scope=scope, **parts)
    assert not memory.search("ship", scope=ALL).hits


def test_a_part_that_the_scope_has_already_or_lacks_is_none_too_many(memory):
    memory.add("We ship on Fridays.", scope="user:ana", user_id="ana", project="apollo")
    assert memory.list(scope=ALL)[0].scope == "user:ana/project:apollo"
