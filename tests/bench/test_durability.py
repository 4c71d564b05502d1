import pytest

from benchmarks.crash import checked
from simonides import Memory


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


def test_a_text_that_is_missing_counts_as_lost(path):
    with Memory(path) as memory:
        kept = memory.add("the kettle is in the shed").item_ids[0]
        gone = memory.add("the rope is in the loft").item_ids[0]
        memory.purge(gone)
    said = [
        ("texts added", (kept,), "the kettle is in the shed"),
        ("texts added", (gone,), "the rope is in the loft"),
    ]
    found = checked(path, said)
    assert found.acknowledged == {"texts added": 2}
    assert found.lost == [f"item {gone} is not there: 'the rope is in the loft'"]


def test_an_update_that_is_missing_counts_as_lost_and_one_more_than_acknowledged_does_not(path):
    with Memory(path) as memory:
        item_id = memory.add("version 0").item_ids[0]
        memory.update(item_id, content="version 1")
        memory.update(item_id, content="version 2")
    assert not checked(path, [("updates", (item_id,), "version 1")]).lost
    assert checked(path, [("updates", (item_id,), "version 3")]).lost


def test_a_correction_that_left_the_old_item_active_counts_as_lost(path):
    with Memory(path) as memory:
        old, new = (memory.add(f"the code is on page {page}").item_ids[0] for page in (1, 2))
    found = checked(path, [("corrections", (new, old), "the code is on page 2")])
    assert "is active and points at None" in found.lost[0]
    assert "has no link" in found.half[0]


def test_a_turn_that_is_missing_counts_as_lost(path):
    with Memory(path) as memory:
        messages = [{"role": "user", "content": "hello there"}, {"role": "assistant", "content": "good day"}]
        ids = memory.add(messages, session_id="round 0").item_ids
    assert not checked(path, [("turns of a chat", ids, "round 0: hello there")]).lost
    assert checked(path, [("turns of a chat", (*ids, "other"), "round 0: hello there")]).lost
