"""Small losses: what a source holds twice, in halves or in another place is told, and no part of it is garbled."""

import json
import sqlite3
import zipfile
from contextlib import closing

import pytest

from simonides import ALL, InvalidInput

from .test_importers import accepted

UNREAD = "a field of the front matter that cannot be read"


@pytest.mark.parametrize(
    ("front", "tags", "unread"),
    [
        ("tags: [a\ntitle: Mill", (), 1),
        ("tags: [a, b", (), 1),
        ('tags: ["a", "b"', (), 1),
        ("tags: {a: 1", (), 1),
        ("tags: [a,\n  : b", (), 1),
        ("tags: [a,\n  b]", ("a", "b"), 0),
        ("tags: [\n  a,\n  b\n]", ("a", "b"), 0),
        ("tags: [a, b]", ("a", "b"), 0),
        ("tags:\n  - a\n  - b", ("a", "b"), 0),
        ("tags: a, b", ("a", "b"), 0),
        ('tags: [a]\nnote: \'{"x": "{"}\'', ("a",), 0),
        ("title: [Draft] Mill\ntags: [a]", ("a",), 0),
    ],
)
@pytest.mark.parametrize("kind", ["obsidian", "basic-memory"])
def test_a_list_without_an_end_is_told_and_makes_no_tags(kind, front, tags, unread, memory, tmp_path):
    (tmp_path / "note.md").write_text(f"---\n{front}\n---\nThe mill is blue.\n")
    report = memory.import_from(kind, tmp_path / "note.md")
    assert (accepted(report), report.left_out) == ({"items": 1}, {UNREAD: 1} if unread else {})
    [item] = memory.list()
    assert item.tags == tags
    assert "[a" not in json.dumps(dict(item.metadata))


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("content,tags,content", "'content'"),
        ("content,note,note", "'note'"),
        ("content,,column 2", "'column 2'"),
        ("content,b,,", None),
    ],
)
def test_a_table_with_two_columns_of_one_name_is_refused(head, why, memory, tmp_path):
    count = head.count(",")
    cells = ",".join(f"Cell number {n} is blue." for n in range(count + 1))
    (tmp_path / "t.csv").write_text(f"{head}\n{cells}\n")
    if why:
        with pytest.raises(InvalidInput, match=f"t.csv has two columns named {why}: rename one of them"):
            memory.import_from("csv", tmp_path / "t.csv")
        assert not memory.list()
    else:
        memory.import_from("csv", tmp_path / "t.csv")
        [item] = memory.list()
        assert item.metadata == {"b": "Cell number 1 is blue.", "column 3": "Cell number 2 is blue.", "column 4": (
            "Cell number 3 is blue.")}  # fmt: skip


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("below", ["", "data-2025/"])
def test_projects_of_claude_in_a_folder_of_their_own_are_told(packed, below, memory, samples, tmp_path):
    names = ["projects/one.json", "projects/two.json", "users.json", "my-projects/three.json"]
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.write(samples / "claude.json", f"{below}conversations.json")
        for name in names:
            archive.writestr(f"{below}{name}", "{}")
        archive.extractall(tmp_path / "export")
    report = memory.import_from("claude", tmp_path / ("export.zip" if packed else "export"))
    assert accepted(report) == {"turns": 2}
    assert [number for reason, number in report.left_out.items() if reason.startswith("projects with")] == [2]


def agent_file(folder, *parts, name="sam", **fields):
    message = {"id": "m", "role": "assistant", "content": list(parts), "created_at": "2025-08-01T00:00:00Z"}
    agents = [{"id": "agent-0", "name": name, "block_ids": ["b"], "messages": [message], **fields}]
    agents.append({"id": "agent-1", "name": "eve", "block_ids": ["shared"], "messages": []})
    agents[0]["block_ids"].append("shared")
    blocks = [{"id": "b", "label": "human", "value": "Rows on Mondays."}]
    blocks.append({"id": "shared", "label": "team", "value": "The mill is ours."})
    (folder / "a.af").write_text(json.dumps({"agents": agents, "blocks": blocks}))
    return folder / "a.af"


THOUGHT, SAID = {"type": "reasoning", "reasoning": "Be warm."}, {"type": "text", "text": "Hi."}


@pytest.mark.parametrize(
    ("parts", "text", "thoughts"),
    [
        ([THOUGHT, SAID], "Hi.", 1),
        ([SAID, THOUGHT, {"type": "redacted_reasoning", "data": "x"}, SAID], "Hi.\n\nHi.", 2),
        ([SAID], "Hi.", 0),
        ([THOUGHT], None, 1),
    ],
)
def test_thoughts_of_letta_s_agents_leave_no_blank_lines_and_are_counted(
    parts, text, thoughts, memory, tmp_path
):
    report = memory.import_from("letta", agent_file(tmp_path, *parts))
    assert report.left_out["thoughts of the agent"] == thoughts
    turns = memory.list(scope="agent:sam", types=["episode"])
    assert [turn.content for turn in turns] == ([text] if text else [])


@pytest.mark.parametrize(("named", "agent"), [({}, "agent:sam"), ({"agent_id": "bo"}, "agent:bo")])
def test_what_agents_of_letta_hold_is_each_one_s_own(named, agent, memory, tmp_path):
    report = memory.import_from("letta", agent_file(tmp_path, SAID), user_id="ana", **named)
    again = memory.import_from("letta", tmp_path / "a.af", user_id="ana", **named)
    assert (report.refused, again.refused, again.count("accepted")) == ([], [], 0)
    own, other = f"user:ana/{agent}", "user:ana/agent:eve"
    held = [("Hi.", own), ("Rows on Mondays.", own), ("The mill is ours.", own), ("The mill is ours.", other)]
    assert sorted((item.content, str(item.scope)) for item in memory.list(scope=ALL)) == sorted(
        held[:3] if named else held
    )


def test_an_agent_of_letta_whose_name_is_none_leaves_nothing_to_everybody(memory, tmp_path):
    report = memory.import_from("letta", agent_file(tmp_path, SAID, name=["sam"]))
    assert len(report.refused) == 3
    assert {item.content: str(item.scope) for item in memory.list(scope=ALL)} == {
        "The mill is ours.": "agent:eve"
    }


@pytest.mark.parametrize("never", [0, "0", "", None, False, "never"])
def test_a_time_that_never_was_ends_no_row_and_a_day_in_digits_is_one(never, memory, tmp_path):
    with sqlite3.connect(tmp_path / "theirs.db") as connection:
        connection.executescript(
            "CREATE TABLE memories(id, content, deleted_at, day); CREATE TABLE memories_archive(id, content)"
        )
        row = (1, "The mill is blue.", never, 20260225)
        connection.execute("INSERT INTO memories VALUES (?, ?, ?, ?)", row)
    connection.close()
    memory.import_from("scored-db", tmp_path / "theirs.db")
    [item] = memory.list()
    assert item.to_dict()["event_at"] == "2026-02-25T00:00:00Z"


# Databases


def test_a_database_that_lacks_the_end_of_a_page_is_refused_whole(memory, tmp_path):
    path = tmp_path / "theirs.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE memory_items (id TEXT, content TEXT)")
        rows = [(str(n), f"Crate {n} stands in hall {n}. {'It is heavy. ' * 20}") for n in range(200)]
        database.executemany("INSERT INTO memory_items VALUES (?, ?)", rows)
    whole = path.read_bytes()
    for missing in (1, 700, 5000):
        path.write_bytes(whole[:-missing])
        with pytest.raises(InvalidInput, match=r"theirs\.db"):
            memory.import_from("items-db", path)
        assert memory.list(scope=ALL) == []
    path.write_bytes(whole)
    assert accepted(memory.import_from("items-db", path)) == {"items": 200}
