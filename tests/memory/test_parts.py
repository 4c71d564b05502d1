"""The parts with verbs of their own: palace, sessions, audit."""

import pytest

from simonides import AsyncMemory, Memory
from simonides.domain.records import AuditEvent
from simonides.domain.scope import ALL
from simonides.errors import InvalidText, NotFound


def test_the_palace_stands_by_what_items_are_until_somebody_assigns_them(memory, add):
    tea = add("tea is in the tin", type="fact", tags=["kitchen", "tea"], scope="project:house")
    bees = add("Ana keeps bees", entities=["Ana"])
    other = add("the ferry leaves at noon", type="event")
    assert memory.palace.where(tea).to_dict() == {
        "domain": "house",
        "room": "kitchen",
        "shelf": "fact",
        "card": tea,
    }
    assert memory.palace.where(bees).room == "Ana"
    assert memory.palace.where(other).room == "misc"
    assert memory.palace.list() == {"global": 2}
    assert memory.palace.list(scope="project:house") == {"global": 2, "house": 1}
    assert memory.palace.list("global") == {"Ana": 1, "misc": 1}
    assert memory.palace.list("global", "misc") == {"event": 1}
    assert memory.palace.rooms() == {("global", "Ana"): 1, ("global", "misc"): 1}
    assert memory.palace.shelves() == {("global", "Ana", "note"): 1, ("global", "misc", "event"): 1}
    memory.palace.assign(bees, room="garden")
    assert memory.palace.list("global") == {"garden": 1, "misc": 1}
    memory.palace.assign(bees, room="hives", domain="farm", shelf="animals")
    assert [item.id for item in memory.palace.get("farm", "hives", "animals")] == [bees]
    assert [item.id for item in memory.palace.get("farm")] == [bees]
    assert memory.palace.get("farm", "elsewhere") == memory.palace.get("house") == []
    assert memory.get(bees).to_dict() == memory.palace.get("farm")[0].to_dict()


@pytest.mark.parametrize("name", ["", " ", "a\0b", "\ud800", None, 5])
def test_a_room_has_a_name(memory, add, name):
    tea = add("tea is in the tin")
    with pytest.raises(InvalidText):
        memory.palace.assign(tea, room=name)
    assert memory.palace.where(tea).room == "misc"


def test_what_does_not_exist_stands_nowhere(memory):
    for call in (lambda i: memory.palace.assign(i, room="x"), memory.palace.where):
        with pytest.raises(NotFound):
            call("019ca945-0a00-7000-a10e-ce9fc091a904")
    with pytest.raises(NotFound):
        memory.sessions.get("nothing like it")


def test_what_is_archived_or_expired_stands_nowhere(memory, add, clock):
    memory.forget(add("tea is in the tin"))
    add("the kettle is lent out", expires_at="2026-03-02")
    clock.advance(days=2)
    assert memory.palace.list(scope=ALL) == {}


def test_every_change_is_in_the_audit_log_and_the_log_holds(memory, add, clock):
    item_id = add("tea is in the tin")
    memory.update(item_id, title="Tea")
    new = memory.correct(item_id, "tea is in the jar").item_id
    memory.confirm(new)
    memory.forget(new)
    actions = [event.action for event in reversed(memory.audit.events())]
    assert actions == ["create", "update", "correct", "correct", "confirm", "forget"]
    assert [event.number for event in memory.audit.events(limit=2)] == [6, 5]
    assert {event.item_id for event in memory.audit.events(item_id=new)} == {new}
    assert all("tea" not in str(event.to_dict()) for event in memory.audit.events())
    assert memory.audit.verify() == []


def test_an_event_of_ones_own_is_recorded_now_with_a_hash_of_its_content(memory, clock):
    memory.audit.record(AuditEvent(action="tool:mine", at=0), "tea is in the tin")
    memory.audit.record(AuditEvent(action="tool:mine", at=5))
    last, first = memory.audit.events()
    assert (first.at, last.at) == (clock.now(), 5)
    assert len(first.content_hash) == 32
    assert last.content_hash == ""
    assert memory.audit.verify() == []


def test_an_option_that_there_is_not_is_refused(path):
    with pytest.raises(TypeError, match="no option 'embeder'; did you mean 'embedder'"):
        Memory(path, embeder=None)
    with pytest.raises(TypeError, match="no option 'embeder'; did you mean 'embedder'"):
        AsyncMemory(path, embeder=None)
