"""forget, purge, restore and what shows the archive file, run inside this process."""

import json

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app


@pytest.fixture
def store(tmp_path, monkeypatch):
    path = tmp_path / "memory.db"
    monkeypatch.setenv("SIMONIDES_DB", str(path))
    monkeypatch.chdir(tmp_path)
    return path


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def done(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def source(store):
    """Ids of a source, and of what was made from it."""
    with Memory(store) as memory:
        turn = memory.add("Petra said that she moves to Bergen.", type="fact").verdicts[0].item_id
        fact = memory.add("Petra moves to Bergen.", type="fact").verdicts[0].item_id
        memory.link(fact, turn, "derived_from")
    return turn, fact


@pytest.mark.parametrize("command", ["forget", "purge"])
def test_without_a_terminal_it_has_to_be_said_what_becomes_of_what_was_made(source, command):
    turn, fact = source
    result = run(command, turn)
    assert result.exit_code == 2
    assert "--yes" in result.stderr
    assert json.loads(done("show", fact, "--json"))["status"] == "active"


def test_forget_with_yes_holds_back_what_was_made(source):
    turn, fact = source
    assert f"{fact}  held back" in done("forget", turn, "--yes")
    assert json.loads(done("show", fact, "--json"))["status"] == "quarantined"


@pytest.mark.parametrize("command", [("forget",), ("purge", "--yes")])
def test_what_was_made_can_be_kept(source, command):
    turn, fact = source
    done(command[0], turn, *command[1:], "--keep-derived")
    assert json.loads(done("show", fact, "--json"))["status"] == "active"


def test_purge_with_yes_takes_along_what_repeats_it(source):
    turn, fact = source
    assert "items 2" in done("purge", turn, "--yes")
    assert run("show", fact).exit_code == 3


def test_restore_brings_back_what_was_forgotten(source):
    _, fact = source
    done("forget", fact)
    assert done("restore", fact).startswith("restored")
    assert json.loads(done("show", fact, "--json"))["status"] == "active"
    result = run("restore", fact)
    assert result.exit_code != 0
    assert "nothing to restore" in result.stderr


def test_restoring_what_is_said_again_by_now_says_so(source):
    _, fact = source
    done("forget", fact)
    again = done("add", "Petra moves to Bergen.", "--type", "fact", "--quiet").strip()
    assert again in done("restore", fact)


def test_the_archive_file_shows_in_search_stats_and_backups(source, store):
    _, fact = source
    with Memory(store) as memory:
        memory._parts.store.write(lambda tx: tx.set_aside([fact]))
    assert "[archive file] Petra moves to Bergen." in done("search", "Petra moves Bergen", "--archived")
    assert "1 items" in done("stats").split("archive file")[1].splitlines()[0]
    told = json.loads(done("backup", "copy.db", "--json"))
    assert told["archive"] == "copy.db.archive"
    assert told["archive_bytes"] > 0
    assert run("forget", fact).exit_code != 0
