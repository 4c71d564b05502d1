"""Runs of upkeep on the command line."""

import json

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app
from simonides.testing import FakeEmbedder


@pytest.fixture
def store(tmp_path, monkeypatch):
    """Runs commands on a store that holds one item which has expired and one which has not."""
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("Gone since long.", expires_at="2020-01-01")
        memory.add("Here to stay.")

    def run(*arguments, code=0):
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == code, result.output
        return result.stdout

    return run


def test_a_dry_run_shows_a_diff_and_changes_nothing(store):
    shown = store("maintain", "expire", "--dry-run")
    assert "- status: active\n+ status: archived" in shown
    assert "[note] Gone since long." in shown
    assert "dry run  expire: archived 1" in shown
    assert store("runs", "list") == ""


def test_a_diff_has_no_empty_part_where_items_are_only_marked_as_read(tmp_path, store):
    path = str(tmp_path / "moved.db")
    with Memory(path, embedder=FakeEmbedder()) as memory:
        memory.add("I love tea.")
    parts = store("maintain", "embed", "--dry-run", "--db", path).split("@@ ")[1:]
    assert parts
    assert all("\n+ " in part or "\n- " in part for part in parts), parts


def test_a_run_is_listed_shown_and_taken_back(store):
    run_id = store("maintain", "expire", "--quiet").strip()
    assert f"{run_id}  " in store("runs", "list")
    shown = store("runs", "show", run_id)
    assert "+ status: archived" in shown
    assert "done  expire: archived 1" in shown
    assert "restored 1" in store("undo", run_id)
    assert "(taken back)" in store("runs", "show", run_id)
    assert "undone" in store("runs", "list", "--job", "expire")
    store("undo", run_id, code=1)


def test_an_undo_that_is_refused_names_the_item_and_force_does_the_rest(store, tmp_path):
    run = json.loads(store("maintain", "expire", "--json"))
    item_id = run["changes"][0]["item_id"]
    with Memory(tmp_path / "memory.db") as memory:
        memory.update(item_id, importance=0.9)
    result = CliRunner().invoke(app, ["undo", run["id"]])
    assert result.exit_code == 1
    assert item_id in result.stderr
    assert "left alone: an item changed since the run" in store("undo", run["id"], "--force")


def test_maintain_of_everything_tells_of_each_job(store):
    found = json.loads(store("maintain", "--json"))
    assert found["job"] == "maintain"
    assert [part["job"] for part in found["parts"]] == list(json.loads(store("runs", "jobs", "--json")))
    assert "maintain: " in store("runs", "show", found["id"])


def test_the_changes_of_several_jobs_stand_under_their_names(store, tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("Gone since long, too.", expires_at="2020-01-01")
        memory.add("Petra decided to stay.", type="decision")
    shown = store("maintain", "expire", "consolidate", "--dry-run")
    assert shown.index("== expire\n") < shown.index("Gone since long") < shown.index("== consolidate\n")
    assert shown.index("== consolidate\n") < shown.index("+ tier: mtm")
    found = json.loads(store("maintain", "expire", "consolidate", "--json"))
    assert "== consolidate\n" in store("runs", "show", found["id"])
    told = json.loads(store("runs", "show", found["id"], "--json"))
    assert [change["number"] for change in told["changes"]] == [1, 2, 3]


def test_changes_beyond_the_limit_are_said_to_be_there(store, tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("Gone since long, too.", expires_at="2020-01-01")
    run_id = store("maintain", "expire", "--quiet").strip()
    cut = CliRunner().invoke(app, ["runs", "show", run_id, "--limit", "1"])
    assert cut.stdout.count("@@ revise") == 1
    assert "these are the first 1 changes" in cut.stderr
    assert "first" not in CliRunner().invoke(app, ["runs", "show", run_id, "--limit", "2"]).stderr


def test_what_was_left_alone_for_one_reason_is_told_in_one_sentence(store, tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("Gone since long, too.", expires_at="2020-01-01")
    run = json.loads(store("maintain", "expire", "--json"))
    with Memory(tmp_path / "memory.db") as memory:
        for change in run["changes"]:
            memory.update(change["item_id"], importance=0.9)
    told = store("undo", run["id"], "--force")
    assert told.count("left alone:") == 1
    assert all(change["item_id"] in told for change in run["changes"])


def test_an_unknown_job_is_refused_with_those_there_are(store):
    result = CliRunner().invoke(app, ["maintain", "tidy"])
    assert result.exit_code == 2
    assert "expire" in result.stderr


def test_an_unknown_run_is_not_found(store):
    store("runs", "show", "nothing", code=3)
    store("undo", "nothing", code=3)


def test_consolidate_works_in_the_scope_that_is_named(store):
    found = json.loads(store("consolidate", "--scope", "user:ana", "--dry-run", "--json"))
    assert (found["job"], found["scope"], found["dry_run"]) == ("consolidate", "user:ana", True)
