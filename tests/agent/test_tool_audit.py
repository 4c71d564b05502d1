"""Every call leaves one event, and no text."""

from __future__ import annotations

import pytest

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.testing import FakeEmbedder, FrozenClock

WORD = "rhododendron"


def test_each_call_leaves_one_event(memory, ana, events, clock):
    written = ana.call("memory.write", {"content": f"Ana's {WORD} is in bloom.", "why_store": "to know"})
    ana.call("memory_search", {"query": WORD})
    ana.call("memory.get", {"id": written["item_id"]})
    assert [event.action for event in events()] == [
        "tool:memory.write", "tool:memory.search", "tool:memory.read",
    ]  # fmt: skip
    for event in events():
        assert (event.actor, event.scope, event.at) == ("model", "user:ana", clock.now())
        assert event.details == {"ok": True}
        assert len(event.content_hash) == 32
    assert [event.item_id for event in events()] == [written["item_id"], None, written["item_id"]]
    assert memory.audit.verify() == []


@pytest.mark.parametrize(
    ("name", "arguments", "action", "code"),
    [
        ("memory.purge", {"id": WORD}, "tool:unknown", "unknown_tool"),
        (WORD, {}, "tool:unknown", "unknown_tool"),
        ("memory.search", {"query": WORD, "k": 0}, "tool:memory.search", "invalid_arguments"),
        ("memory.search", f'{{"query": "{WORD}"', "tool:memory.search", "invalid_arguments"),
        ("memory.read", {"id": WORD}, "tool:memory.read", "not_found"),
        ("memory.search", {"query": WORD, "scope": "user:bob"}, "tool:memory.search", "invalid_scope"),
        ("memory.search", {WORD: WORD}, "tool:memory.search", "invalid_arguments"),
    ],
)
def test_a_call_that_failed_leaves_its_code_and_no_text(ana, memory, events, name, arguments, action, code):
    ana.call(name, arguments)
    [event] = events()
    assert (event.action, event.details) == (action, {"ok": False, "error": code})
    assert event.item_id is None
    memory.close()
    assert WORD.encode() not in memory.path.read_bytes()


def test_the_words_of_a_question_are_nowhere_in_the_file(ana, memory, events):
    ana.call("memory.search", {"query": WORD})
    assert len(events()) == 1
    memory.close()
    assert not [file for file in memory.path.parent.iterdir() if WORD.encode() in file.read_bytes()]


def test_equal_arguments_have_equal_hashes_however_they_are_written(ana, bob, events):
    ana.call("memory.search", {"query": WORD, "k": 3})
    ana.call("memory.search", f'{{ "k": 3, "query": "{WORD}" }}')
    ana.call("memory.search", {"query": WORD, "k": 4})
    first, second, third = (event.content_hash for event in events())
    assert first == second != third


def test_hashes_are_under_the_stores_own_key(tmp_path):
    found = set()
    for n in range(2):
        with Memory(tmp_path / f"{n}.db", embedder=FakeEmbedder(), clock=FrozenClock()) as memory:
            Tools(memory).call("memory.search", {"query": WORD})
            found.add(memory.audit.events()[0].content_hash)
    assert len(found) == 2


def test_the_actor_and_the_scope_of_a_call_are_noted(memory, events):
    Tools(memory, actor="agent:planner").call("memory.stats", {"scope": "project:apollo"})
    [event] = events()
    assert (event.actor, event.scope) == ("agent:planner", "project:apollo")


def test_a_store_that_cannot_be_written_still_answers_reads(tmp_path, caplog):
    path = tmp_path / "memory.db"
    with Memory(path, embedder=FakeEmbedder()) as memory:
        memory.add("The kettle is blue.")
    with Memory(path, embedder=FakeEmbedder(), read_only=True) as memory:
        answer = Tools(memory).call("memory.timeline")
        assert [item["content"] for item in answer["items"]] == ["The kettle is blue."]
        written = Tools(memory).call("memory.write", {"content": "The cup is red.", "why_store": "to know"})
        assert written["error"]["code"] == "store_read_only"
    assert "could not be noted" in caplog.text
