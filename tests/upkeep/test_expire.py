"""Expiry: what has outlived its time goes to the archive."""

from simonides.domain.item import Status
from simonides.domain.scope import ALL


def test_what_has_expired_is_archived_and_the_rest_is_not(memory, remember, clock):
    gone, kept = remember("A.", expires_at="2026-03-02"), remember("B.", expires_at="2026-04-02")
    endless = remember("C.")
    clock.advance(days=3)
    run = memory.maintain(["expire"])
    assert run.counts == {"archived": 1}
    assert [memory.get(item.id).status for item in (gone, kept, endless)] == [
        Status.ARCHIVED,
        Status.ACTIVE,
        Status.ACTIVE,
    ]
    assert [revision.reason for revision in memory.history(gone.id)] == ["create", "expire"]
    assert memory.maintain(["expire"]).changes == ()


def test_the_very_instant_counts_as_expired(memory, remember, clock):
    item = remember("A.", expires_at="2026-03-02T12:00:00Z")
    clock.advance(days=1)
    memory.maintain(["expire"])
    assert memory.get(item.id).status is Status.ARCHIVED


def test_what_waited_too_long_for_a_decision_expires_too(memory, clock):
    (verdict,) = memory.propose([{"content": "B is so.", "type": "fact"}]).verdicts
    clock.advance(days=4)
    assert memory.maintain(["expire"]).counts == {"archived": 1}
    assert memory.get(verdict.item_id).status is Status.ARCHIVED
    memory.undo(memory.runs.list()[0].id)
    assert memory.get(verdict.item_id).status is Status.QUARANTINED


def test_only_the_scope_that_is_named_is_worked_in(memory, remember, clock):
    mine = remember("A.", expires_at="2026-03-02", scope="user:ana")
    remember("A.", expires_at="2026-03-02", scope="user:ana/project:apollo")
    remember("A.", expires_at="2026-03-02")
    clock.advance(days=3)
    run = memory.maintain(["expire"], scope="user:ana")
    assert [change.item_id for change in run.changes] == [mine.id]
    assert run.scope == "user:ana"
    assert memory.maintain(["expire"]).counts == {"archived": 2}


def test_more_than_a_page_is_archived(memory, clock):
    memory.add([f"Number {n}." for n in range(1203)], expires_at="2026-03-02")
    clock.advance(days=3)
    assert memory.maintain(["expire"], dry_run=True).counts == {"archived": 1203}
    assert memory.maintain(["expire"]).counts == {"archived": 1203}
    assert memory.list(scope=ALL) == []
