"""Requests that name themselves: the server's own file keeps no word of them, and what was deleted from it is wiped."""

import pytest

from simonides.edges.server.table import TABLE
from tests.edges.server.conftest import bearer

WORD = "plantedword"
VALUES = {
    "proposals": [
        {"content": f"The {WORD} is open.", "type": "fact", "why_store": WORD, "source": WORD}
    ],
    "value": {"said": WORD},
    "act": "update",
    "changes": {"title": WORD},
    "rel": "references",
}  # fmt: skip
#: Fields that hold no words of anybody's.
WITHOUT = {"scope", "valid_from", "valid_until", "item_ids", "dry_run", "after", "type"}


def requests(served):
    for one in TABLE:
        if one.changes and not one.lines:
            (item,) = served.memory.add(f"The harbour of {one.name} is deep.", type="fact").item_ids
            fields = {}
            for name, field in one.takes.model_fields.items():
                if name in VALUES:
                    fields[name] = VALUES[name]
                elif name in {"target", "src", "dst", "item_id"}:
                    fields[name] = item
                elif "str" in str(field.annotation) and "list" not in str(field.annotation):
                    fields |= {} if name in WITHOUT else {name: WORD}
            yield one, one.path.format(**dict.fromkeys(one.words, item)), fields


def kept(path):
    """Bytes of the server's own file, its log included."""
    return b"".join(file.read_bytes() for file in path.iterdir() if file.name.startswith("served.server"))


def test_no_word_of_a_request_is_kept(served, tmp_path):
    well = set()
    turns = {"content": [{"role": "user", "content": f"I saw the {WORD}."}], "session_id": WORD}
    mapped = {"content": {"content": f"We ship by {WORD}.", "session_id": WORD}}
    asked = [*requests(served)]
    add = next((one, path) for one, path, _ in asked if one.name == "add")
    asked += [(*add, turns), (*add, mapped)]
    for number, (one, path, fields) in enumerate(asked):
        place = {"params": fields} if one.in_query else {"json": fields}
        headers = bearer("admin") | {"idempotency-key": f"k{number}"}
        answer = served.client.request(one.method, path, headers=headers, **place)
        assert answer.status_code < 500, answer.text
        if answer.is_success:
            well.add(one.name)
            assert WORD.encode() not in kept(tmp_path), one.name
    assert {"add", "propose", "correct", "forget", "records.put"} <= well, sorted(well)
    assert WORD.encode() not in kept(tmp_path)


@pytest.mark.parametrize("named", [True, False])
def test_a_request_that_comes_again_is_told_its_session_until_that_is_purged(served, named):
    fields = {"content": [{"role": "user", "content": "I saw the harbour."}]}
    fields |= {"session_id": "monday"} if named else {}

    def ask():
        headers = bearer("admin") | {"idempotency-key": "once"}
        return served.client.post("/v1/memories", headers=headers, json=fields)

    first, again = ask(), ask()
    assert again.status_code == first.status_code == 201
    assert again.json()["session_id"] == first.json()["session_id"] is not None
    served.memory.purge(scope="global")
    assert ask().json()["session_id"] == ("monday" if named else None)


def test_what_is_deleted_from_the_servers_own_file_is_wiped(served):
    assert served.state._connection.pragma("secure_delete") == 1
