"""Rooms for what would stand in `misc` although it is known what it is about."""

import pytest


@pytest.fixture
def known(memory):
    """Petra Novak is mentioned often enough for a room."""
    memory.add([f"Petra Novak said so, for the {n}th time." for n in range(3)], tags=["sayings"])


def test_an_item_without_tags_gets_the_room_of_what_it_mentions(memory, remember, known):
    item = remember("We asked Petra Novak about the roof.")
    assert memory.palace.where(item.id).room == "misc"
    run = memory.maintain(["palace"])
    assert memory.palace.where(item.id).room == "Petra Novak"
    assert run.counts == {"placed": 1}
    assert memory.maintain(["palace"]).counts == {}


def test_an_undo_puts_it_back(memory, remember, known):
    item = remember("We asked Petra Novak about the roof.")
    memory.undo(memory.maintain(["palace"]).id)
    assert memory.palace.where(item.id).room == "misc"


def test_what_has_a_tag_or_was_put_somewhere_stays_there(memory, remember, known):
    tagged = remember("Petra Novak has a roof.", tags=["house"])
    put = remember("Petra Novak has a door.")
    memory.palace.assign(put.id, room="doors")
    memory.maintain(["palace"])
    assert [memory.palace.where(item.id).room for item in (tagged, put)] == ["house", "doors"]


def test_what_mentions_nothing_known_and_turns_of_a_conversation_stay(memory, remember, known):
    plain, rare = remember("It rained all day."), remember("We met Ruben Castillo once.")
    memory.add([{"role": "user", "content": "Petra Novak called."}], session_id="s")
    assert memory.maintain(["palace"]).counts == {}
    assert [memory.palace.where(item.id).room for item in (plain, rare)] == ["misc", "misc"]
