"""Tools as models are told of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from simonides.agent.tools import Tools
from simonides.agent.tools.reference import reference
from simonides.agent.tools.table import BY_NAME, TABLE

GOLDEN = Path(__file__).parent / "golden" / "schemas.json"
DOCS = Path(__file__).parents[2] / "docs" / "tools.md"
NAMES = [
    "memory.propose",
    "memory.write",
    "memory.search",
    "memory.context",
    "memory.read",
    "memory.update",
    "memory.link",
    "memory.palace.list",
    "memory.palace.get",
    "memory.palace.assign",
    "memory.palace.browse",
    "memory.reinforce",
    "memory.demote",
    "memory.confirm",
    "memory.correct",
    "memory.forget",
    "memory.explain",
    "memory.entity",
    "memory.stats",
    "memory.weak",
    "memory.timeline",
    "memory.history",
]


def rendered(schemas):
    return json.dumps(schemas, indent=1, ensure_ascii=False) + "\n"


def walk(schema):
    yield schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        if isinstance(inner, dict | list):
            yield from walk(inner)


def test_the_tools_are_these_in_this_order(tools):
    assert tools.names() == NAMES
    assert [schema["name"] for schema in tools.schemas()] == NAMES


def test_the_schemas_are_the_golden_ones(tools):
    # Written anew with: golden.write_text(rendered(Tools(memory).schemas()))
    assert rendered(tools.schemas()) == GOLDEN.read_text()


def test_schemas_without_dots_have_names_that_every_api_takes(tools):
    names = [schema["name"] for schema in tools.schemas(dots=False)]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in names)
    assert names == [name.replace(".", "_") for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_a_closed_object_without_references_titles_or_nulls(tools, name):
    [schema] = [schema for schema in tools.schemas() if schema["name"] == name]
    parameters = schema["parameters"]
    assert parameters["type"] == "object"
    assert parameters["additionalProperties"] is False
    assert schema["description"]
    for part in walk(parameters):
        assert not {"$ref", "$defs", "anyOf"} & set(part)
        assert not isinstance(part, dict) or not isinstance(part.get("title"), str)


def test_a_bound_scope_is_not_offered_as_a_field(tools, ana):
    assert all("scope" in schema["parameters"]["properties"] for schema in tools.schemas())
    assert not any("scope" in schema["parameters"]["properties"] for schema in ana.schemas())


def test_asking_for_schemas_twice_gives_equal_ones_that_may_be_changed(tools):
    first = tools.schemas()
    first[0]["parameters"].clear()
    assert tools.schemas()[0]["parameters"]


def test_no_tool_deletes():
    assert not [name for name in BY_NAME if "purge" in name or "delete" in name]


def test_one_tool_is_one_file():
    assert len({tool.run.__module__ for tool in TABLE}) == len(TABLE)


def test_the_page_of_docs_is_current():
    assert DOCS.read_text() == reference(), "run: python -m simonides.agent.tools > docs/tools.md"


def test_the_example_of_the_docs_runs(tmp_path, monkeypatch):
    [example] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    found = {}
    exec(example, found)
    assert found["answer"]["abstained"] is True


def test_tools_can_be_made_with_a_scope_only(memory):
    assert Tools(memory, scope="user:ana").call("memory.stats")["items"] == 0
