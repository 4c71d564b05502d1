"""Exclamations of an assistant at what it is told do not stand before what was told."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

SCOPE = "user:me"


@pytest.mark.parametrize(
    ("told", "reaction", "question"),
    [
        (
            "last day at the old place, they gave me a fern and a card",
            "A new start!",
            "how did my last day end?",
        ),
        (
            "Mum's 70th was lovely, she cried over the album",
            "Happy birthday to her!",
            "how was the birthday?",
        ),
        (
            "mein letzter Tag, es gab einen Farn und eine Karte",
            "Ein neuer Anfang!",
            "Wie war der letzte Tag?",
        ),
    ],
)
def test_an_exclamation_stands_behind_what_it_is_about(tmp_path, told, reaction, question):
    clock = FrozenClock("2026-05-18T09:00:00Z")
    with Memory(tmp_path / "chat.db", clock=clock) as memory:
        for role, text in (("user", told), ("assistant", reaction), ("user", "anyway, off to bed now")):
            memory.add([{"role": role, "content": text}], session_id="one", scope=SCOPE)
            clock.advance(seconds=30)
        contents = [hit.item.content for hit in memory.search(question, scope=SCOPE)]
        assert contents[0] == told


@pytest.mark.parametrize("answer", ["Dark green!", "Lake Bled!", "At 5!"])
def test_an_exclamation_that_tells_something_keeps_its_place(tmp_path, answer):
    clock = FrozenClock("2026-05-18T09:00:00Z")
    with Memory(tmp_path / "chat.db", clock=clock) as memory:
        talk = (("user", "I need an idea for the holiday, the door and the tea."), ("assistant", answer))
        for role, text in talk:
            memory.add([{"role": role, "content": text}], session_id="one", scope=SCOPE)
            clock.advance(seconds=30)
        hits = {hit.item.content: hit for hit in memory.search("an idea for the holiday?", scope=SCOPE)}
        assert answer not in hits or hits[answer].signals.get("standing", 0.0) > -4.0
