"""Empty contexts where a search finds what may not go into prompts."""

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.edges.cli.main import app
from simonides.recall.assemble import WITHHELD

QUESTION = "When does the workshop open?"
TEXT = "The workshop opens at nine.\n"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "hours.md").write_text(TEXT)
    return folder


@pytest.fixture
def memory(tmp_path, folder):
    with Memory(tmp_path / "m.db") as memory:
        memory.documents.ingest(folder, corpus="handbook")
        yield memory


def test_an_empty_context_says_that_what_a_search_finds_stays_out_of_prompts(memory):
    assert memory.search(QUESTION).hits
    context = memory.context(QUESTION)
    assert not context.text
    assert WITHHELD in context.hints
    assert WITHHELD in Tools(memory).call("memory.context", {"query": QUESTION})["hints"]


def test_once_a_corpus_may_go_into_prompts_there_is_nothing_to_say(memory):
    memory.documents.corpus("handbook", injectable=True)
    context = memory.context(QUESTION)
    assert "nine" in context.text
    assert WITHHELD not in context.hints


def test_of_what_answers_nothing_nothing_is_said(memory):
    assert WITHHELD not in memory.context("Who won the regatta in Lisbon?").hints


def test_one_withheld_turn_is_told_of_as_well(tmp_path):
    with Memory(tmp_path / "t.db") as memory:
        memory.add(TEXT, injectable=False)
        assert WITHHELD in memory.context(QUESTION).hints


def test_the_command_names_the_command_that_lets_documents_in(memory, tmp_path):
    memory.close()
    result = CliRunner().invoke(app, ["context", QUESTION, "--db", str(tmp_path / "m.db")])
    assert WITHHELD in result.output
    assert "--injectable" in result.output
    assert "--all-scopes" not in result.output
