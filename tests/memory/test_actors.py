"""Actors and sources: true in the log, on the item and in the quota."""

import pytest
from typer.testing import CliRunner

from simonides import InvalidInput
from simonides.agent.tools import Tools
from simonides.domain.scope import ALL
from simonides.edges.cli.main import app

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2cD4fG6"
WHY = {"why_store": "it may matter", "source": "m1"}


def log(memory, item_id=None):
    return [
        (event.action, event.actor) for event in reversed(memory.audit.events(item_id=item_id, limit=1000))
    ]


def test_turns_are_of_those_who_spoke(memory):
    said = [("user", "Is the boat red?"), ("assistant", "It is blue."), ("tool", "colour: blue")]
    memory.add([{"role": role, "content": text} for role, text in said], session_id="s1")
    assert log(memory) == [("record", "user"), ("record", "assistant"), ("record", "tool")]


@pytest.mark.parametrize("actor", ["model", "assistant", "upkeep", "plugin:town"])
def test_nobody_but_a_person_adds(memory, actor):
    with pytest.raises(InvalidInput, match=r"propose|the engine calls"):
        memory.add("The kettle is blue.", actor=actor)


def test_what_came_by_the_command_line_says_so(memory, path):
    done = CliRunner().invoke(app, ["add", "The kettle is blue.", "--db", str(path), "--quiet"])
    assert done.exit_code == 0, done.output
    [item] = memory.list(scope=ALL)
    assert (item.provenance.source_id, item.origin) == ("cli", "user-said")
    assert log(memory, item.id) == [("create", "cli")]


def test_what_came_from_a_file_says_so(memory, open_memory, tmp_path, add):
    item_id = add("The kettle is blue.")
    other = open_memory(tmp_path / "other.db")
    other.load(list(memory.export()))
    assert log(other, item_id) == [("load", "import")]


@pytest.mark.parametrize("by", ["user", "model"])
def test_a_refused_secret_leaves_an_event_without_its_text(memory, path, by):
    text = f"the token is {SECRET}"
    if by == "user":
        memory.add(text)
    else:
        memory.propose([{"content": text} | WHY])
    [event] = memory.audit.events()
    assert (event.action, event.actor, event.item_id) == ("refuse", by, None)
    assert event.details["reasons"][0].startswith("secret: ")
    assert len(event.content_hash) == 32
    memory.close()
    assert SECRET.encode() not in path.read_bytes()


def test_backup_and_rebuild_are_noted(memory, tmp_path, add):
    add("The kettle is blue.")
    memory.backup(tmp_path / "copy.db")
    memory.rebuild_fts()
    assert log(memory)[-2:] == [("backup", "user"), ("rebuild", "user")]
    assert memory.audit.verify() == []


@pytest.mark.parametrize(
    "provenance",
    [
        {"source_kind": "doc", "source_id": None},
        {"source_kind": "doc"},
        {"source_id": " "},
        {"source_id": ""},
    ],
)
@pytest.mark.parametrize("tier", ["mtm", "ltm"])
def test_a_provenance_that_names_no_source_holds_nothing_beyond_the_short_term(memory, tier, provenance):
    given = {"content": "The kettle is blue.", "provenance": provenance}
    [verdict] = memory.add([given | {"tier": tier}])
    assert (verdict.outcome, verdict.reasons[0][:9]) == ("rejected", "no source")
    [verdict] = memory.add([given])
    assert memory.get(verdict.item_id).provenance.source_id is None, "and is not taken for the library's"


def test_secrets_in_the_names_of_scopes_and_sessions_are_written_nowhere(memory, path, add):
    add("The kettle is blue.")
    hidden = f"user:{SECRET}"
    [verdict] = memory.add(["The boat is red."], scope=hidden)
    assert verdict.outcome == "rejected"
    with pytest.raises(InvalidInput, match="scope"):
        memory.add([{"role": "user", "content": "hello there"}], scope=hidden)
    with pytest.raises(InvalidInput, match="session_id"):
        memory.add([{"role": "user", "content": "hello there"}], session_id=SECRET)
    memory.propose([{"content": "The boat is red."} | WHY], scope=hidden)
    memory.context("What colour is the kettle?", scope=hidden)
    tools = Tools(memory)
    for name, given in (
        ("memory.write", {"content": "The boat is red."} | WHY),
        ("memory.search", {"query": "kettle"}),
    ):
        tools.call(name, given | {"scope": hidden})
    memory.close()
    assert not [file.name for file in path.parent.iterdir() if SECRET.encode() in file.read_bytes()]


def test_a_burst_of_proposals_is_bounded_for_its_scope_whatever_the_session_is_called(memory, clock):
    def proposed(count, first, **more):
        found = []
        for n in range(first, first + count):
            [verdict] = memory.propose(
                [{"content": f"Boat {n} has {n} cabins and sails from port {n}."} | WHY],
                session_id=f"s{n}",
                **more,
            )
            found.append(verdict.outcome.value)
        return found

    assert "rejected" not in proposed(240, 0)
    assert proposed(3, 240) == ["rejected"] * 3
    assert proposed(1, 300, scope="user:ana") == ["accepted"]
    clock.advance(seconds=3600)
    assert "rejected" not in proposed(3, 400)


def test_other_scopes_named_in_calls_give_a_caller_no_more_proposals(memory, clock):
    tools = Tools(memory, caller="key 1")
    outcomes = []
    for n in range(30):
        clock.advance(seconds=1)
        proposals = [{"content": f"Boat {n} {m} has {n} cabins."} | WHY for m in range(10)]
        answer = tools.call("memory.propose", {"proposals": proposals, "scope": f"user:u{n}"})
        outcomes += [verdict["outcome"] for verdict in answer["verdicts"]]
    assert outcomes.count("rejected") >= 55
