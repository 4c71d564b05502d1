"""Tools as a client of MCP lists and calls them, in both eras of the protocol."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("mcp")

from mcp import MCPError

from simonides.agent.tools.table import TABLE
from simonides.domain.text import count_tokens

from .conftest import called, with_client

CORE = ["memory_search", "memory_add", "memory_context", "memory_get", "memory_forget"]


def listed(where, mode="auto"):
    async def work(client):
        return (await client.list_tools()).tools

    return with_client(where, work, mode=mode)


def test_the_core_profile_is_five_tools_in_either_era(served, era):
    assert [tool.name for tool in listed(served(), era)] == CORE


def test_the_schemas_of_the_core_profile_stay_within_2000_tokens(served):
    told = [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed(served())]
    assert count_tokens(json.dumps(told, ensure_ascii=False)) <= 2000


def test_the_full_profile_is_every_tool_of_memory(served):
    names = {tool.name for tool in listed(served(profile="full"))}
    assert names == {(tool.aliases or (tool.name,))[0].replace(".", "_") for tool in TABLE}


def test_hints_tell_what_a_tool_does(served):
    hints = {tool.name: tool.annotations for tool in listed(served(profile="full"))}
    assert hints["memory_search"].read_only_hint
    assert hints["memory_forget"].destructive_hint
    assert not hints["memory_add"].destructive_hint
    assert hints["memory_add"].idempotent_hint
    assert not hints["memory_reinforce"].idempotent_hint
    assert not any(hint.open_world_hint for hint in hints.values())


@pytest.mark.parametrize("profile", ["core", "full"])
def test_a_reason_is_asked_for_and_a_call_without_one_waits_and_says_so(served, era, profile):
    where = served(profile=profile)
    [add] = [tool for tool in listed(where, era) if tool.name == "memory_add"]
    assert add.input_schema["required"] == ["content", "why_store"]
    assert "waits for the user" in add.input_schema["properties"]["why_store"]["description"]

    async def work(client):
        return await called(client, "memory_add", content="Apollo deploys from main.", type="fact")

    answer = with_client(where, work, mode=era)
    assert answer["outcome"] == "quarantined"
    assert "why_store" in answer["reasons"][0]
    assert "review approve" in answer["say"]


def test_no_tool_offers_a_scope(served):
    assert not [
        tool.name for tool in listed(served(profile="full")) if "scope" in tool.input_schema["properties"]
    ]


def test_what_was_added_is_found_read_and_forgotten(served, era):
    async def work(client):
        added = await called(
            client, "memory_add", content="Apollo deploys from main.", type="fact", why_store="needed"
        )
        found = await called(client, "memory_search", query="where does Apollo deploy from?")
        text = await called(client, "memory_context", query="where does Apollo deploy from?")
        read = await called(client, "memory_get", id=added["item_id"])
        gone = await called(client, "memory_forget", target=added["item_id"])
        after = await called(client, "memory_search", query="where does Apollo deploy from?")
        return added, found, text, read, gone, after

    added, found, text, read, gone, after = with_client(served(), work, mode=era)
    assert added["outcome"] == "accepted"
    assert [hit["id"] for hit in found["hits"]] == [added["item_id"]]
    assert "Apollo deploys from main." in text
    assert read["item"]["content"] == "Apollo deploys from main."
    assert gone["item"]["status"] == "archived"
    assert not after["hits"]


def test_what_is_known_but_does_not_fit_is_not_said_to_be_unknown(served):
    async def work(client):
        await called(
            client,
            "memory_add",
            content=f"The mill stands at {'Lindau by the lake, ' * 9}Bavaria.",
            why_store="a place",
        )
        return await called(client, "memory_context", query="Where does the mill stand?", max_tokens=50)

    said = with_client(served(), work)
    assert said.startswith("Something is known: what was found does not fit into 50 tokens")


def test_nothing_known_is_said_in_words(served):
    async def work(client):
        return await called(client, "memory_context", query="where does Apollo deploy from?")

    assert with_client(served(), work) == "Nothing is known about this."


def test_a_long_memory_is_cut_in_a_list_and_read_in_full(served, add):
    text = "The opening of the harbour. " * 60
    item_id = add(text, scope="user:ana")

    async def work(client):
        found = await called(client, "memory_search", query="the opening of the harbour")
        return found["hits"][0], await called(client, "memory_get", id=item_id)

    hit, read = with_client(served(), work)
    assert hit["truncated"]
    assert len(hit["content"]) <= 400
    assert read["item"]["content"] == text


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("memory_search", {}, "invalid_arguments"),
        ("memory_search", {"query": 5}, "invalid_arguments"),
        ("memory_search", {"query": "x", "scope": "user:bob"}, "invalid_scope"),
        ("memory_search", {"query": "x", "colour": "red"}, "invalid_arguments"),
        ("memory_get", {"id": "no such"}, "not_found"),
        ("memory_add", {"content": "x" * 10_000_000}, "invalid_arguments"),
        ("memory_add", {"content": ["x"]}, "invalid_arguments"),
        ("memory_context", {"query": "x", "max_tokens": -1}, "invalid_arguments"),
    ],
)
def test_a_bad_call_is_answered_with_an_error_that_the_model_reads(
    served, memory, era, name, arguments, code
):
    async def work(client):
        return await called(client, name, **arguments)

    error = with_client(served(), work, mode=era)["error"]
    assert error["code"] == code
    assert error["message"]
    assert not memory.list(scope="user:ana")


def test_a_tool_that_is_not_offered_cannot_be_called(served, add, memory, era):
    item_id = add("We ship on Fridays.", scope="user:ana")

    async def work(client):
        with pytest.raises(MCPError, match="unknown tool"):
            await client.call_tool("memory_update", {"id": item_id, "content": "We never ship."})

    with_client(served(), work, mode=era)
    assert memory.get(item_id).content == "We ship on Fridays."


def test_connectors_search_for_titles_and_fetch_whole_texts(served, add):
    item_id = add("Apollo deploys from main.", scope="user:ana")

    async def work(client):
        found = await client.call_tool("search", {"query": "where does Apollo deploy from?"})
        read = await client.call_tool("fetch", {"id": item_id})
        return found, read

    found, read = with_client(served(profile="connector"), work)
    [hit] = found.structured_content["results"]
    assert hit["id"] == item_id
    assert hit["url"] == f"simonides://item/{item_id}"
    assert json.loads(found.content[0].text) == found.structured_content
    assert read.structured_content["text"] == "Apollo deploys from main."
