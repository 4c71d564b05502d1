"""Requests that name themselves: the server's own file keeps no word of them, and what was deleted from it is wiped."""

import random
from collections import Counter

import pytest

from simonides.edges.server.table import TABLE
from simonides.importers.registry import kinds
from tests.edges.server.conftest import bearer, ended

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


#: What a file may be that is to be taken in, some of it broken: with a text, or a name, that is purged afterwards.
BODIES = [
    f'{{"text": "We sail to {WORD}."}}\n',
    f'{{"text": "We sail to {WORD}."}}\n{{"text": "{WORD}',
    f'{{"text": {{"{WORD}": "{WORD}"}}}}\n',
    f'{{"kind": "item", "content": "The {WORD} is open."}}\n{{"kind": "{WORD}"}}\n',
    f'{{"kind": "item", "content": "{WORD}", "type": "{WORD}"}}\n',
    f'{{"kind": "item", "{WORD}": 1}}\n',
    f"{WORD}\n",
    f"---\ntitle: {WORD}\n---\n# {WORD}\n",
    f'["{WORD}"]',
    "",
]


def behind(at_random, item):
    """A request for an operation that goes on behind it, with the word in whatever takes one."""
    one = at_random.choice([one for one in TABLE if one.summary is not None])
    words = {"kind": at_random.choice(kinds()), "run_id": WORD, "item_id": item}
    if one.lines:
        fields = {
            "name": f"{WORD}.jsonl",
            "mapping": [at_random.choice(("content=text", f"content={WORD}", WORD))],
        }
        fields = {name: fields[name] for name in fields if name in one.takes.model_fields}
        place = {"params": fields, "content": at_random.choice(BODIES).encode()}
    else:
        values = {"jobs": [WORD], "item_ids": [WORD], "session_id": WORD, "scope": "global", "tiers": ["stm"]}
        fields = {
            name: values[name]
            for name in one.takes.model_fields
            if name in values and at_random.random() < 0.6
        }
        fields |= {"name": "copy.db"} if one.name == "backup" else {}
        place = {"json": fields}
    return one, one.path.format(**{word: words[word] for word in one.words}), place


def test_no_word_of_an_operation_that_ended_is_told_or_outlasts_a_purge(served, tmp_path):
    at_random = random.Random(11)
    ends = Counter()
    for number in range(150):
        (item,) = served.memory.add(f"The {WORD} is open on day {number}.", session_id=WORD).item_ids
        one, path, place = behind(at_random, item)
        headers = bearer("admin") | {"prefer": "respond-async"}
        headers |= {"content-type": one.lines} if one.lines else {}
        headers |= {"idempotency-key": f"k{number}"} if at_random.random() < 0.5 else {}
        answer = served.client.request(one.method, path, headers=headers, **place)
        if answer.status_code != 202:
            assert answer.status_code in {400, 422}, answer.text
            continue
        found = ended(served.client, answer)
        ends[found["status"]] += 1
        assert WORD not in str(found), one.name  # Another process may purge it: no process holds it.
        assert WORD.encode() not in kept(tmp_path), (one.name, found)
    assert ends["failed"] > 20
    served.memory.purge(scope="global")
    served.memory.flush()
    stored = [file for file in tmp_path.rglob("*") if file.is_file() and "backups" not in str(file)]
    assert [file.name for file in stored if WORD.encode() in file.read_bytes()] == []
