"""simonides records."""

import json

import pytest
from typer.testing import CliRunner

from simonides.edges.cli import exits
from simonides.edges.cli.main import app


@pytest.fixture
def run(path):
    def invoke(*arguments, code=0):
        result = CliRunner().invoke(app, ["records", *arguments, "--db", str(path)])
        assert result.exit_code == code, result.output
        return result.stdout

    return invoke


def test_a_record_from_put_to_its_history(run):
    run("put", "users/ana", "tea", '{"likes": "green"}')
    run("put", "users/ana", "tea", '{"likes": "black"}')
    run("put", "users/bob", "cup", '"red"', "--no-index", "--ttl", "3600")
    assert run("get", "users/ana", "tea") == '{"likes": "black"}\n'
    assert [one["key"] for one in json.loads(run("list", "--json"))] == ["cup", "tea"]
    assert "users/ana" in run("list", "users")
    assert run("list", "users/nobody") == ""
    found = json.loads(run("search", "who likes black?", "users", "--json"))
    assert [(one["record"]["key"], one["score"] is None) for one in found] == [("tea", False), ("cup", True)]
    assert "tea" in run("search", "who likes black?")
    assert run("delete", "users/ana", "tea") == "deleted\n"
    run("delete", "users/ana", "tea", code=exits.WRONG)
    versions = json.loads(run("history", "users/ana", "tea", "--json"))
    assert [one["value"] for one in versions] == [{"likes": "green"}, {"likes": "black"}, None]
    assert "delete" in run("history", "users/ana", "tea")


def test_records_of_a_scope(run):
    run("put", "notes", "k", "1", "--user", "ana")
    assert run("get", "notes", "k", "--user", "ana") == "1\n"
    run("get", "notes", "k", code=exits.NOT_FOUND)


def test_purge_leaves_no_version_and_asks_first(run):
    for space, key in (("users/ana", "tea"), ("users/ana/old", "cup"), ("users/bob", "tea")):
        run("put", space, key, '"green"')
    run("delete", "users/ana", "tea")
    run("purge", "users/ana", "tea", code=2)
    run("purge", "/", "--yes", code=2)
    assert run("purge", "users/ana", "tea", "--yes").startswith("purged: items 1, ")
    assert run("history", "users/ana", "tea") == ""
    assert json.loads(run("purge", "users", "--yes", "--json"))["items"] == 2
    assert json.loads(run("list", "--json")) == []


def test_what_is_no_json_is_said(run):
    run("put", "notes", "k", "nonsense", code=2)
    run("put", "notes", "k", "1")
    run("put", "notes", "k", "null")
    assert json.loads(run("list", "--json")) == []
