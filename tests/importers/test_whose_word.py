"""Speakers of imported memories: what another person said at the source is not the user's."""

import csv
import json
import sqlite3

import pytest

from simonides import ALL
from simonides.governance.speakers import is_users_word

#: Who owns the memories, who said each (None for no name), and which of them are the owner's word.
ACTORS = [
    ("ana", [None], [True]),
    ("ana", ["Ana"], [True]),
    ("ana", ["Bob"], [False]),
    ("ana", ["Ana", "Bob"], [True, False]),
    ("ana", [None, "Bob"], [True, False]),
    ("ana", ["Bob", "Clara"], [False, False]),
    ("ana", ["web page"], [False]),
    ("u17", ["Bob"], [True]),
    ("u17", ["Bob", "Bob"], [True, True]),
    ("u17", ["Bob", "Clara"], [False, False]),
    ("u17", [None, "Bob", "Clara"], [True, False, False]),
    ("u17", ["Bob", "BOB"], [True, True]),
    ("u17", ["Bob", "tool"], [True, False]),
    ("ana", ["Ana García", "Bob"], [True, False]),
    ("ana@example.org", ["Ana", "Bob"], [True, False]),
    ("mueller", ["Müller", "Mueller", "Bob"], [True, True, False]),
    ("zoe", ["Zoë", "Bob"], [True, False]),
]
PLANTS = ("heron", "falcon", "kestrel")


def rows(owner, actors, role="user"):
    return [
        {"id": str(n), "memory": f"Likes the {plant}.", "user_id": owner, "role": role, "actor_id": actor}
        for n, (plant, actor) in enumerate(zip(PLANTS, actors, strict=False))
    ]


def words(memory):
    found = {item.content: item for item in memory.list(scope=ALL, limit=100)}
    return [is_users_word(found[f"Likes the {plant}."]) for plant in PLANTS if f"Likes the {plant}." in found]


@pytest.mark.parametrize(("owner", "actors", "own"), ACTORS)
def test_what_another_person_said_to_mem0_is_not_the_users_word(memory, tmp_path, owner, actors, own):
    path = tmp_path / "all.json"
    path.write_text(json.dumps({"results": rows(owner, actors)}))
    assert memory.import_from("mem0", path).counts["items"] == {"accepted": len(actors)}
    assert words(memory) == own


@pytest.mark.parametrize("role", ["assistant", None])
def test_what_is_said_in_no_users_role_is_nobodys_word(memory, tmp_path, role):
    path = tmp_path / "all.json"
    path.write_text(json.dumps(rows("ana", ["Ana", None], role)))
    memory.import_from("mem0", path)
    assert words(memory) == [False, False]


@pytest.mark.parametrize(("owner", "actors", "own"), ACTORS)
def test_a_history_of_mem0_tells_whose_word_it_is_in_the_scope_that_is_named(
    memory, tmp_path, owner, actors, own
):
    path = tmp_path / "history.db"
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE history (memory_id, old_memory, new_memory, event, created_at, updated_at, is_deleted,"
        " actor_id, role)"
    )
    for row in rows(owner, actors):
        values = (
            row["id"],
            None,
            row["memory"],
            "ADD",
            "2024-01-01",
            "2024-01-01",
            0,
            row["actor_id"],
            "user",
        )
        connection.execute(f"INSERT INTO history VALUES ({', '.join('?' * 9)})", values)
    connection.commit()
    connection.close()
    memory.import_from("mem0", path, user_id=owner)
    assert words(memory) == own


@pytest.mark.parametrize("actor", [["Bob"], {"name": "Bob"}, True, 1.5])
def test_what_is_no_name_is_somebodys_all_the_same(memory, tmp_path, actor):
    path = tmp_path / "all.json"
    path.write_text(json.dumps(rows("u17", [actor])))
    memory.import_from("mem0", path)
    assert words(memory) == [False]
    assert [item.origin.value for item in memory.list(scope=ALL)] == ["import"]


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.parametrize(("owner", "actors", "own"), ACTORS)
def test_what_another_person_stated_in_a_row_is_not_the_users_word(
    memory, tmp_path, kind, is_named, owner, actors, own
):
    path = tmp_path / f"notes.{kind}"
    stated = [
        {"content": row["memory"], "author": row["actor_id"]} | ({} if is_named else {"user_id": owner})
        for row in rows(owner, actors)
    ]
    write(path, stated)
    memory.import_from(kind, path, mapping={"name": "author"}, user_id=owner if is_named else None)
    assert words(memory) == own


@pytest.mark.parametrize("where", [{"user_id": "u17"}, {"project": "x"}, {}])
def test_of_several_who_go_into_one_scope_none_is_its_user_whatever_the_source_calls_them(
    memory, tmp_path, where
):
    named = [("Bob", "b1"), ("Clara", "c2")] if "user_id" in where else [("Bob", ""), ("Clara", "")]
    for n, (name, user_id) in enumerate(named):
        write(
            tmp_path / f"{n}.csv",
            [{"content": f"Likes the {PLANTS[n]}.", "author": name, "user_id": user_id}],
        )
    memory.import_from("csv", tmp_path, mapping={"name": "author"}, **where)
    assert words(memory) == [False, False]


def write(path, stated):
    """Write rows in the form that the ending of a file names."""
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            table = csv.DictWriter(file, stated[0])
            table.writeheader()
            table.writerows(stated)
        else:
            file.writelines(f"{json.dumps(row)}\n" for row in stated)


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
@pytest.mark.parametrize("is_mapped", [True, False])
def test_a_name_that_is_mapped_says_who_stated_a_row_and_any_other_is_kept(memory, tmp_path, kind, is_mapped):
    path = tmp_path / f"notes.{kind}"
    column = "author" if is_mapped else "name"
    row = {"content": "Likes the heron.", column: "Bob"}
    path.write_text(json.dumps(row) if kind == "jsonl" else f"content,{column}\nLikes the heron.,Bob\n")
    memory.import_from(kind, path, user_id="ana", mapping={"name": "author"} if is_mapped else None)
    assert words(memory) == [not is_mapped]
    [item] = memory.list(user_id="ana")
    assert item.metadata["sender" if is_mapped else "name"] == "Bob"


@pytest.mark.parametrize(
    ("mapped", "row", "is_users", "kept"),
    [
        ("author", {"author": "Ana", "sender": "box"}, True, {"author": "Ana", "source_sender": "box"}),
        ("author", {"author": "Bob", "sender": "box"}, False, {"sender": "Bob", "source_sender": "box"}),
        ("sender", {"sender": "Ana", "name": "Bird list"}, True, {"name": "Ana", "source_name": "Bird list"}),
        (
            "author",
            {"author": "Ana", "metadata": {"author": "Mo"}},
            True,
            {"author": "Ana", "source_author": "Mo"},
        ),
    ],
)
def test_what_a_source_calls_as_memory_calls_the_speaker_is_kept_beside_them(
    memory, tmp_path, mapped, row, is_users, kept
):
    path = tmp_path / "notes.jsonl"
    path.write_text(json.dumps({"content": "Likes the heron."} | row))
    memory.import_from("jsonl", path, user_id="ana", mapping={"name": mapped})
    assert words(memory) == [is_users]
    [item] = memory.list(user_id="ana")
    assert {name: item.metadata[name] for name in kept} == kept
