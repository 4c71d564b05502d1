"""Requests that are sent again: whatever changes something, changes it once."""

from __future__ import annotations

import json

import pytest

from simonides.domain.scope import ALL
from simonides.edges.server.operations.documents import FILE
from simonides.edges.server.operations.store import LINES
from simonides.edges.server.table import TABLE

from .conftest import bearer, checked, operation


def snapshot(memory):
    """All that a store holds, but for what tells that somebody asked: the log and empty runs."""
    memory.flush()
    items = memory.list(scope=ALL, limit=1000, archived=True)
    waiting = [one.item for one in memory.review.list(scope=ALL)]
    return {
        "items": {item.id: item.to_dict() for item in [*items, *waiting]},
        "versions": {item.id: len(memory.history(item.id)) for item in [*items, *waiting]},
        "links": {item.id: [link.to_dict() for link in memory.explain(item.id).links] for item in items},
        "entities": {one.id: one.to_dict() for one in memory.entities.list(scope=ALL)},
        "places": {item.id: memory.palace.where(item.id) for item in items},
        "runs": [run.id for run in memory.runs.list() if any(run.counts.values())],
    }


@pytest.fixture
def wanted(memory):
    """A request for every operation that changes something, by its name: words of its path, and what it sends."""
    first, second, third = memory.add(
        ["The dome of Ana Miller is green.", "The dome of Bob Castle is blue.", "The dome leaks in May."],
        type="fact",
    ).item_ids
    gone = memory.add("It was forgotten.").item_ids[0]
    memory.forget(gone)
    waiting = [
        verdict.item_id
        for verdict in memory.propose([{"content": f"No reason {n}."} for n in range(3)]).verdicts
    ]
    memory.review.reject(waiting[2])
    memory.add([{"role": "user", "content": "I sail."}], session_id="monday")
    memory.records.put("notes", "boat", 1)
    memory.documents.put("handbook", "old.md", "# Old\n\nText.")
    memory.documents.put("leaflet", "new.md", "# Old\n\nText.")
    run = memory.maintain(["consolidate"], scope="global")
    names = [one.name for one in memory.entities.list()]
    memory.add("Dora Hill and Theodora Hill are one.", entities=["Dora Hill", "Theodora Hill"])
    memory.entities.merge("Theodora Hill", "Dora Hill")
    exported = b"".join(json.dumps(one).encode() + b"\n" for one in memory.export())
    one = {"item_id": first}
    return {
        "add": ({}, {"json": {"content": "We ship on Fridays."}}),
        "propose": ({}, {"json": {"proposals": [{"content": "Ana sails.", "why_store": "said", "source": first}]}}),
        "update": (one, {"json": {"title": "Dome"}}),
        "forget": ({"item_id": third}, {}),
        "forget_meant": ({}, {"json": {"target": "dome of Ana Miller"}}),
        "correct": ({}, {"json": {"target": "dome of Ana Miller", "content": "It is red."}}),
        "restore": ({"item_id": gone}, {"json": {}}),
        "confirm": (one, {"json": {}}),
        "reinforce": (one, {"json": {}}),
        "demote": (one, {"json": {}}),
        "link": ({}, {"json": {"src": first, "dst": second}}),
        "mark_used": ({}, {"json": {"item_ids": [first]}}),
        "purge": ({}, {"json": {"item_ids": [third]}}),
        "entities.merge": ({}, {"json": {"keep": names[0], "other": names[1]}}),
        "entities.unmerge": ({}, {"json": {"other": "Dora Hill"}}),
        "entities.alias": ({}, {"json": {"name": names[0], "alias": "Annie"}}),
        "entities.rename": ({}, {"json": {"name": names[0], "to": "A. Miller"}}),
        "entities.retype": ({}, {"json": {"name": names[0], "type": "place"}}),
        "palace.assign": (one, {"json": {"room": "Repairs", "domain": "House"}}),
        "sessions.end": ({}, {"json": {"session_id": "monday"}}),
        "records.put": ({}, {"json": {"space": "notes", "key": "boat", "value": 2}}),
        "records.delete": ({}, {"params": {"space": "notes", "key": "boat"}}),
        "documents.corpus": ({}, {"json": {"name": "handbook", "label": "H"}}),
        "documents.put": ({}, {"json": {"corpus": "handbook", "path": "a.md", "text": "# A\n\nText."}}),
        "documents.upload": ({}, {"params": {"corpus": "handbook", "path": "b.md"}, "content": b"# B", "kind": FILE}),
        "documents.delete": ({}, {"params": {"corpus": "handbook", "path": "old.md"}}),
        "review.approve": ({"item_id": waiting[0]}, {"json": {}}),
        "review.reject": ({"item_id": waiting[1]}, {"json": {}}),
        "review.reopen": ({"item_id": waiting[2]}, {"json": {}}),
        "review.ask": (one, {"json": {"act": "forget"}}),
        "review.rollback": ({}, {"json": {"session_id": "monday", "dry_run": False}}),
        "maintain": ({}, {"json": {}}),
        "consolidate": ({}, {"json": {}}),
        "undo": ({"run_id": run.id}, {"json": {}}),
        "load": ({}, {"content": exported, "kind": LINES}),
        "import_from": (
            {"kind": "jsonl"},
            {"content": b'{"text": "Imported."}\n', "kind": FILE,
             "params": {"mapping": "content=text", "name": "a.jsonl"}},
        ),
        "doctor": ({}, {"json": {}}),
        "extract": ({}, {"json": {}}),
        "backfill": ({}, {"json": {"again": True}}),
        "reindex": ({}, {"json": {}}),
        "rebuild_fts": ({}, {"json": {}}),
        "documents.relate": ({}, {"json": {"first": "handbook", "second": "leaflet"}}),
        "backup": ({}, {"json": {"name": "monday.db"}}),
        "operations.cancel": ({"operation_id": "none"}, {"json": {}}),
    }  # fmt: skip


def sent(served, name, wanted, headers):
    words, given = wanted[name]
    asked = operation(name)
    place = {key: given[key] for key in ("json", "params", "content") if key in given}
    kind = {"content-type": given["kind"]} if "kind" in given else {}
    return served.client.request(
        asked.method, asked.path.format(**words), headers=bearer("admin") | kind | headers, **place
    )


@pytest.mark.parametrize("name", [one.name for one in TABLE if one.changes])
@pytest.mark.parametrize("actor", [{}, {"x-simonides-actor": "gpt"}], ids=["person", "model"])
def test_a_request_that_is_sent_again_under_its_name_changes_nothing_more(served, wanted, name, actor):
    headers = {"idempotency-key": "one"} | actor
    first = sent(served, name, wanted, headers)
    # A model may do less, and a cancellation has nothing to cancel.
    assert first.status_code < 300 or actor or name == "operations.cancel", first.text
    before = snapshot(served.memory)
    for _ in range(2):
        again = checked(operation(name), sent(served, name, wanted, headers))
        assert again.status_code < 500, again.text
        assert again.status_code == first.status_code or not operation(name).again or name == "sessions.end"
        assert snapshot(served.memory) == before


@pytest.mark.parametrize("behind", [False, True])
@pytest.mark.parametrize("name", [one.name for one in TABLE if one.lines])
def test_another_file_is_another_request_whatever_its_name(served, wanted, name, behind):
    headers = {"idempotency-key": "one"} | ({"prefer": "respond-async"} if behind else {})
    assert sent(served, name, wanted, headers).status_code < 300
    words, given = wanted[name]
    wanted[name] = (words, given | {"content": given["content"] + b"\n"})
    is_named = operation(name).again is not None or (behind and operation(name).summary is not None)
    other = checked(operation(name), sent(served, name, wanted, headers))
    assert other.status_code == 409 if is_named else other.status_code < 300, other.text
