"""Of a conversation that is handed over at once the last word counts, as it does of turns that come one by one."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

SAID_OTHERWISE = [
    ("I have two cats.", "I have three cats."),
    ("Ich habe zwei Katzen.", "Ich habe drei Katzen."),
    ("Tengo dos gatos.", "Tengo tres gatos."),
    ("J'ai deux chats.", "J'ai trois chats."),
    ("У меня два кота.", "У меня три кота."),
    ("我有两只猫。", "我有三只猫。"),
]


@pytest.mark.parametrize("reverse", [False, True])
def test_the_last_of_one_instant_stands(tmp_path, reverse):
    clock = FrozenClock("2026-03-02T18:00:00Z")
    with Memory(tmp_path / "m.db", clock=clock) as memory:
        scopes = {}
        for number in range(4):
            for place, pair in enumerate(SAID_OTHERWISE):
                former, last = reversed(pair) if reverse else pair
                scope = f"user:x{number}-{place}"
                scopes[scope] = former
                turns = [{"role": "user", "content": content} for content in (former, last)]
                memory.add(turns, session_id="s", scope=scope)
        clock.advance(hours=1)
        memory.extract()
        for scope, former in scopes.items():
            doubted = [one.content for one in memory.list(scope=scope) if one.validation.value == "contested"]
            assert doubted == [former]
