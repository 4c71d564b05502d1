"""`simonides extract` and the end of a session."""

import json

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app

TALK = [
    {"role": "user", "content": "I live in Ghent."},
    {"role": "assistant", "content": "How nice!"},
    {"role": "user", "content": "We decided to move to Bruges."},
]


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store with a chat of two sessions; the environment names it."""
    path = tmp_path / "memory.db"
    monkeypatch.setenv("SIMONIDES_DB", str(path))
    monkeypatch.chdir(tmp_path)
    with Memory(path) as memory:
        memory.add(TALK, session_id="monday", scope="user:ana")
        memory.add(TALK, session_id="tuesday", scope="user:bo")
    return path


def done(*arguments):
    """Standard output of a command that succeeds."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


def answer(*arguments):
    return json.loads(done(*arguments, "--json"))


def test_everything_is_extracted_where_no_scope_is_named(store):
    told = done("extract")
    assert told.count("I live in Ghent.") == 2
    assert "6 turns looked at, 4 statements found" in told
    assert answer("stats")["buffer"] == {"waiting": 0, "failed": 0}


def test_only_a_session_or_scope_is_extracted_where_one_is_named(store):
    assert answer("extract", "--session", "monday", "--user", "ana")["turns"] == 3
    assert answer("extract", "--user", "ana")["turns"] == 0
    assert answer("stats")["buffer"]["waiting"] == 3
    assert "turns waiting" in done("stats")


@pytest.mark.parametrize("options", [("nope",), ("monday", "--user", "bo"), ("nope", "--dry-run")])
def test_a_session_that_is_not_there_is_said_to_be_none(store, options):
    result = CliRunner().invoke(app, ["extract", "--session", *options])
    assert result.exit_code == 3
    assert f"there is no session '{options[0]}'" in result.stderr
    assert answer("stats")["buffer"]["waiting"] == 6


def test_what_is_not_due_is_left(store):
    assert answer("extract", "--due")["turns"] == 0


def test_a_dry_run_tells_what_would_be_stored(store):
    assert "would be stored" in done("extract", "--dry-run")
    assert answer("stats")["buffer"]["waiting"] == 6


def test_ids_are_all_that_is_said_where_quiet_is_asked_for(store):
    assert len(done("extract", "--quiet").split()) == 4


def test_a_session_shows_what_waits_and_is_told_when_it_ends(store):
    assert "3 wait for extraction" in done("sessions", "show", "monday", "--user", "ana")
    told = done("sessions", "end", "monday", "--user", "ana")
    assert "over: monday" in told
    assert "The user and the assistant talked about" in told
    assert "wait for extraction" not in done("sessions", "show", "monday", "--user", "ana")
    (session,) = answer("sessions", "list", "--user", "ana")
    assert session["ended_at"] is not None


def test_a_session_that_does_not_exist_is_not_found(store):
    result = CliRunner().invoke(app, ["sessions", "end", "never", "--user", "ana"])
    assert result.exit_code == 3
    assert "no session 'never'" in result.stderr
