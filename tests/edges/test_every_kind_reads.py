"""Every kind of item has a line that people and models can read, wherever it is shown."""

import re

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.domain.taxonomy import TAXONOMY
from simonides.edges.cli.main import app
from simonides.testing import FakeEmbedder, FrozenClock
from simonides.writing.intake import RESERVED
from tests.edges.page.conftest import PageServer


@pytest.fixture
def stored(path, tmp_path):
    """A store of every kind of item, and the ids of all that it shows."""
    folder = tmp_path / "papers"
    folder.mkdir()
    folder.joinpath("crew.md").write_text("# Crew\n\nThe staging server is called Rigel.\n")
    folder.joinpath("short.txt").write_text("Ann\n")
    with Memory(path, embedder=FakeEmbedder(), clock=FrozenClock("2026-03-01T12:00:00Z")) as memory:
        for kind in sorted(TAXONOMY.specs):
            if kind not in RESERVED:
                memory.add(f"Something of the kind {kind}.", type=kind)
        memory.add([{"role": "user", "content": "hi"}], session_id="s1")
        memory.documents.ingest(folder, corpus="papers")
        for key, value in (
            ("tea", "green"),
            ("empty", ""),
            ("none", []),
            ("deep", {"a": [1, {"b": "x" * 500}]}),
        ):
            memory.records.put("users/ana", key, value, index=False)
        yield memory, {item.id: item for item in memory.list(limit=1000)}


def test_no_line_of_the_command_is_empty(stored, path):
    _, items = stored
    listed = CliRunner().invoke(app, ["list", "--limit", "1000", "--db", str(path)]).stdout.splitlines()
    lines = {line.split()[0]: line.partition(" global ")[2].strip() for line in listed[1:]}
    assert set(lines) == set(items)
    assert [item_id for item_id, line in lines.items() if not line] == []
    for item in items.values():
        shown = CliRunner().invoke(app, ["show", item.id, "--db", str(path)]).stdout
        assert shown.splitlines()[0].strip()
        assert item.headline.rstrip("…")[:30] in " ".join(shown.split())


def test_neither_the_library_nor_tools_tell_of_an_item_without_words(stored):
    memory, items = stored
    assert all(item.headline in repr(item) and item.to_dict()["headline"].strip() for item in items.values())
    told = [Tools(memory).call("memory.read", {"id": item_id})["item"] for item_id in items]
    assert all(one["content"].strip() for one in told)


def test_no_heading_of_the_page_is_empty(stored):
    memory, items = stored
    with PageServer(memory).client() as client:
        for item_id in items:
            page = client.get(f"/m/{item_id}").text
            assert re.search(r'<h1 class="sentence[^>]*>[^<\s]', page), item_id


def test_a_record_without_text_is_told_by_its_address(stored):
    _, items = stored
    lines = {item.display for item in items.values() if item.type == "record"}
    assert 'users/ana/tea = "green"' in lines
    assert any(line.startswith("~documents/papers/crew.md = ") for line in lines)
