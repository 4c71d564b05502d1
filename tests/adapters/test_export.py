"""Records that adapters keep come out of an export as they went in."""

import json

import pytest
from anthropic.types.beta import BetaMemoryTool20250818CreateCommand
from langchain_core.messages import AIMessage, HumanMessage

from simonides.adapters.anthropic import MemoryTool
from simonides.adapters.langchain import SimonidesChatMessageHistory
from simonides.adapters.langgraph import SimonidesStore


def an_empty_file(memory):
    command = BetaMemoryTool20250818CreateCommand(command="create", path="/memories/a.md", file_text="")
    MemoryTool(memory).create(command)


def a_document_that_nothing_is_indexed_of(memory):
    SimonidesStore(memory).put(("docs",), "k", {"text": "The heron nests."}, index=False)


def a_history(memory):
    history = SimonidesChatMessageHistory(memory, "monday", user_id="ana")
    history.add_messages([HumanMessage("The heron nests."), AIMessage("Nice.")])


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize("keep", [an_empty_file, a_document_that_nothing_is_indexed_of, a_history])
def test_it_is_loaded_whole(memory, open_memory, tmp_path, keep, trusted):
    keep(memory)
    exported = [json.dumps(record) for record in memory.export()]
    other = open_memory(tmp_path / "other.db")
    result = other.load([json.loads(record) for record in exported], trusted=trusted)
    assert {verdict.outcome for verdict in result.verdicts} == {"accepted"}
    assert [json.dumps(record) for record in other.export()] == exported
