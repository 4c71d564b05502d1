"""Expired items are gone from every read at once, even before the job has run."""

import pytest


@pytest.fixture
def expired(memory, clock):
    (verdict,) = memory.add(
        "The market is on the square.", type="fact", expires_at="2026-04-01", pinned=True, tags=["market"]
    )
    item = memory.get(verdict.item_id)
    clock.advance(days=100)
    return item


def reads(memory):
    return {
        "search": [hit.item.id for hit in memory.search("market square").hits],
        "list": [item.id for item in memory.list()],
        "tags": [item.id for item in memory.list(tags=["market"])],
        "context": [item.id for item in memory.context("where is the market?").items],
        "profile": [item.id for item in memory.core_profile().items],
        "timeline": [item.id for item in memory.timeline()],
        "weak": [weak.item.id for weak in memory.weak(below=1.0)],
        "palace": [item.id for item in memory.palace.get("global")],
        "rooms": list(memory.palace.list()),
    }


def test_every_read_leaves_out_what_has_expired(memory, expired):
    assert reads(memory) == {name: [] for name in reads(memory)}


def test_its_content_may_be_said_again_and_is_then_another_item(memory, expired):
    (verdict,) = memory.add("The market is on the square.", type="fact")
    assert verdict.outcome == "accepted"
    assert verdict.item_id != expired.id


def test_by_its_id_it_is_still_there(memory, expired):
    assert memory.get(expired.id).content == "The market is on the square."
    memory.maintain(["expire"])
    assert memory.get(expired.id).status == "archived"
    assert [item.id for item in memory.list(archived=True)] == [expired.id]


def test_restoring_it_takes_the_expiry_off(memory, expired):
    memory.maintain(["expire"])
    memory.restore(expired.id)
    assert memory.get(expired.id).expires_at is None
    assert [item.id for item in memory.list()] == [expired.id]
