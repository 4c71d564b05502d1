"""Speakers of imported memories: what another person said at the source is not the user's."""

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
    # Of several it does not tell which of them is its user.
    several = len({actor for actor in actors if actor}) > 1
    assert words(memory) == [
        is_own and not (several and actor) for is_own, actor in zip(own, actors, strict=True)
    ]


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
