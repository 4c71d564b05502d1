"""Answers where no scope is named: what others have in scopes that a key does not see changes none of them."""

from __future__ import annotations

import pytest

from simonides.domain.scope import Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential, Role
from simonides.edges.server.app import application
from simonides.edges.server.table import TABLE
from tests.edges.whole_answers import TestClient

KEYS = {
    "bound": Credential(Scope("project:apollo"), narrows=False, token="b" * 24),
    "narrows": Credential(Scope("project:apollo"), narrows=True, token="n" * 24),
    "reader": Credential(Scope("project:apollo"), narrows=False, token="r" * 24, role=Role.READER),
}
#: Words that only others write.
FOREIGN = "zanzibar"
#: Weights of words and shares of all hits depend on the whole store; which hits there are does not.
WEIGHED = {"search", "context", "records.search", "explain", "resolve"}


@pytest.fixture
def world(memory):
    """Memories that everybody sees, and the project's."""
    [wide] = memory.add("The harbour is open.", type="fact", entities=["Harbour"]).item_ids
    ids = memory.add(
        ["Apollo ships on Friday.", "Apollo ships on Monday.", "The harbour is deep."],
        scope="project:apollo",
        type="fact",
        entities=["Harbour"],
        session_id="s",
    ).item_ids
    memory.link(ids[0], wide, "references")
    memory.palace.assign(ids[0], domain="House", room="Repairs")
    memory.records.put("notes", "boat", 1, scope="project:apollo")
    memory.documents.put("handbook", "a.md", "# A\n\nText.", scope="project:apollo")
    waiting = memory.propose([{"content": "It may be."}], scope="project:apollo").verdicts[0].item_id
    told = memory.context("harbour", scope="project:apollo", mode="inject", session_id="s")
    run = memory.maintain(["consolidate"], scope="project:apollo")
    memory.flush()
    return {"wide": wide, "item": ids[0], "waiting": waiting, "injection": told.injection_id, "run": run.id}


def add_foreign(memory, wide, mine, scopes):
    """Put in what others have, joined to what is seen in every way there is."""
    for scope in scopes:
        hers = memory.add(
            [f"The harbour of {FOREIGN} is closed.", f"{FOREIGN} sails from {scope}."],
            scope=scope,
            type="fact",
            entities=["Harbour", FOREIGN.title()],
            session_id="s",
        ).item_ids
        for rel in ("derived_from", "contradicts", "references", "supports"):
            for end in (wide, mine):
                memory.link(hers[0], end, rel, evidence=f"as {FOREIGN} says")
        memory.palace.assign(hers[0], domain="House", room="Repairs")
        memory.palace.assign(hers[1], domain=FOREIGN, room=FOREIGN)
        memory.records.put("notes", "boat", FOREIGN, scope=scope)
        memory.records.put(f"{FOREIGN}/notes", "boat", FOREIGN, scope=scope)
        memory.documents.put("handbook", f"{FOREIGN}.md", f"# {FOREIGN}", scope=scope)
        memory.documents.put(FOREIGN, "a.md", "# A", scope=scope)
        memory.propose([{"content": f"There may be more in {FOREIGN}."}], scope=scope)
        memory.context(f"Where is {FOREIGN}?", scope=scope, mode="inject", session_id="s")
        memory.maintain(scope=scope)
    memory.flush()


def asked(client, key, world, one):
    words = {
        "item_id": world["waiting" if one.name == "review.show" else "item"],
        "injection_id": world["injection"],
        "run_id": world["run"],
        "operation_id": "none",
    }
    values = {
        "query": "harbour",
        "target": world["item"],
        "text": "A text.",
        "name": "Harbour",
        "session_id": "s",
        "space": "notes",
        "key": "boat",
        "corpus": "handbook",
        "path": "a.md",
        "first": "handbook",
        "second": "handbook",
        "domain": "House",
        "below": 1.0,
    }
    fields = {name: values[name] for name, field in one.takes.model_fields.items() if field.is_required()}
    place = {"params": fields} if one.in_query else {"json": fields}
    answer = client.request(
        one.method, one.path.format(**words), headers={"authorization": f"Bearer {KEYS[key].token}"}, **place
    )
    assert FOREIGN not in answer.text.lower(), (one.name, answer.text)
    if one.name == "search" and answer.status_code == 200:
        return [hit["item"]["id"] for hit in answer.json()["hits"]]
    return answer.status_code if one.name in WEIGHED or one.streams else (answer.status_code, answer.json())


@pytest.mark.parametrize("key", KEYS)
def test_what_others_have_changes_no_answer(memory, world, key):
    access = Access.of(
        "127.0.0.1", Credential(Scope("global")), hosts="testserver", credentials=KEYS.values()
    )
    reading = [one for one in TABLE if not one.changes]
    with TestClient(application(memory, access), raise_server_exceptions=False) as client:
        # Asking counts as use: what is asked a second time stands as it will.
        for one in reading:
            asked(client, key, world, one)
        memory.flush()
        # An injection is put on record whenever somebody asks for one.
        reading = [one for one in reading if one.name != "context"]
        before = {one.name: asked(client, key, world, one) for one in reading}
        scopes = ["user:ana", "project:other"]
        if not KEYS[key].narrows:  # Else it may name the scope, and see what is there.
            scopes.append("user:ana/project:apollo")
        add_foreign(memory, world["wide"], world["item"], scopes)
        after = {one.name: asked(client, key, world, one) for one in reading}
    changed = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
    assert changed == {}
