"""Limits on the calls of a session."""

import pytest

from simonides.agent.tools import Tools
from simonides.errors import RateLimited


def codes(tools, calls):
    answers = [tools.call("memory.stats", {}) for _ in range(calls)]
    return [answer.get("error", {}).get("code") for answer in answers]


def test_after_a_burst_calls_are_refused_and_the_answer_says_when_to_try_again(tools, clock):
    assert codes(tools, 91) == [None] * 90 + ["rate_limited"]
    assert tools.call("memory.stats", {})["error"]["message"].endswith("try again in 1 s")
    clock.advance(seconds=1)
    assert codes(tools, 2) == [None, "rate_limited"]


def test_a_refused_call_does_nothing_and_is_noted(tools, memory, events):
    codes(tools, 90)
    given = {"content": "The boat is red.", "why_store": "so"}
    assert tools.call("memory.write", given)["error"]["code"] == "rate_limited"
    assert memory.stats()["items"] == 0
    assert events()[-1].details == {"ok": False, "error": "rate_limited", "refused": 1}


def test_a_new_name_for_the_session_is_no_new_caller(memory):
    codes(Tools(memory, scope="user:ana", session_id="s"), 90)
    others = [Tools(memory, scope="user:ana", session_id=f"s{n}") for n in range(3)]
    assert [codes(other, 1) for other in others] == [["rate_limited"]] * 3


def test_scopes_and_credentials_are_counted_apart(memory):
    codes(Tools(memory, scope="user:ana"), 90)
    assert codes(Tools(memory, scope="user:bo"), 1) == [None]
    codes(Tools(memory, scope="user:bo", caller="key 1"), 90)
    assert codes(Tools(memory, scope="user:ana", caller="key 1"), 1) == ["rate_limited"]
    assert codes(Tools(memory, scope="user:bo", caller="key 2"), 1) == [None]


def test_naming_other_scopes_in_calls_makes_no_new_caller(tools):
    for n in range(90):
        tools.call("memory.stats", {"scope": f"user:u{n}"})
    assert tools.call("memory.stats", {"scope": "user:new"})["error"]["code"] == "rate_limited"


def test_the_library_says_when_to_try_again(memory):
    for _ in range(90):
        memory.admit("somebody")
    with pytest.raises(RateLimited, match="try again in 1 s") as error:
        memory.admit("somebody")
    assert 0 < error.value.retry_after_s <= 1


def test_proposals_by_tools_belong_to_their_session_and_actor(memory):
    tools = Tools(memory, session_id="s", actor="plugin:town")
    given = {"content": "The bakery in Graz opens at six.", "why_store": "it may matter"}
    item = memory.get(tools.call("memory.write", given)["item_id"])
    assert (item.session_id, item.trust, item.injectable) == ("s", "low", False)


def test_a_model_does_not_correct_what_is_settled(memory, add, tools):
    there = add("We ship on Fridays.", pinned=True)
    answer = tools.call("memory.correct", {"target": there, "content": "We ship on Mondays."})
    assert answer["outcome"] == "quarantined"
    assert answer["reasons"][0].startswith("needs approval: ")
    assert memory.get(there).status == "active"


def test_refused_calls_leave_one_event_a_minute_which_says_how_many(tools, clock, events):
    codes(tools, 90)
    before = len(events())
    for second in range(150):
        codes(tools, 1)  # As many as are let through.
        refused = [tools.call(name, "{}") for name in ("memory.stats", "no_such_tool", "memory.write")]
        assert {answer["error"]["code"] for answer in refused} == {"rate_limited"}
        if second < 149:
            clock.advance(seconds=1)
    noted = [event.details for event in events()[before:] if "refused" in event.details]
    assert [details["refused"] for details in noted] == [1, 3 * 60 + 1, 3 * 60]


def test_calls_of_unknown_tools_are_counted(tools, events):
    before = len(events())
    found = [tools.call("no_such_tool", "{}")["error"]["code"] for _ in range(500)]
    assert found == ["unknown_tool"] * 90 + ["rate_limited"] * 410
    assert len(events()) - before == 91
