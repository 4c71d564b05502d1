"""Results of memory's tools that wait for a caller: they come back in the turn they belong to, and in no other."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.agent.conversation import Conversation
from simonides.agent.held import HeldExchanges, calling_turns
from simonides.agent.tool_loop import ToolExchange
from simonides.agent.turn import Chat, Mode, ToolCall, Turn

BERGEN = ToolCall("get_weather", {"city": "Bergen"})
OSLO = ToolCall("get_weather", {"city": "Oslo", "days": [1, 2]})


@dataclass
class Client:
    """A chat with a model that calls tools, as its client keeps it.

    Attributes:
        asked: Questions to memory by the place in the history at which the model asked them.
    """

    held: HeldExchanges
    name: str = "chat"
    chat: Chat = field(default_factory=lambda: Chat("user:ana"))
    history: list = field(default_factory=list)
    asked: dict = field(default_factory=dict)

    def says(self, text):
        self.history.append({"role": "user", "content": text})
        return self

    def model_calls(self, *own, memory=True, ids=True):
        """The model calls the client's tools and memory; the client runs its own."""
        conversation = Conversation.of(self.history)
        turn = Turn(chat=self.chat, mode=Mode.HYBRID, messages=(), session_id=self.name)
        exchange = None
        if memory:
            query = f"{self.name} {len(self.history)}"
            self.asked[len(self.history)] = query
            exchange = ToolExchange((ToolCall("memory_search", {"query": query}),), ({"found": query},))
            exchange = exchange.named(0)
        self.held.keep(turn, calling_turns(conversation, self.history)[-1].place, own, exchange)
        calls = [called(call, ids=ids) for call in own]
        self.history.append({"role": "assistant", "content": "", "tool_calls": calls})
        self.history += [{"role": "tool", "content": "rain"} for _ in own]
        return self

    def woven(self, *, begins=0, system="Be kind."):
        """Questions to memory that the model sees by their places, where the client sends what is left so."""
        sent = [{"role": "system", "content": system}, *self.history[begins:]]
        seen = {}
        places = iter(range(begins - 1, len(self.history)))
        got = self.held.woven(self.chat, calling_turns(Conversation.of(sent), sent), sent)
        results = [json.loads(m["content"])["found"] for m in got if '"found"' in str(m["content"])]
        for message in got:
            if '"found"' in str(message["content"]):
                continue
            place = next(places)
            if "memory_search" in json.dumps(message):
                seen[place] = results.pop(0)
        assert results == []
        return seen


def called(call, *, ids):
    """A call as clients send it: OpenAI's, with an id and spaces in its arguments, or Ollama's."""
    if not ids:
        return {"function": {"name": call.name, "arguments": dict(call.arguments)}}
    function = {"name": call.name, "arguments": json.dumps(call.arguments, indent=1)}
    return {"id": call.id, "type": "function", "function": function}


QUESTIONS = ["Is it raining?", "And tomorrow?"]
OWN = st.lists(
    st.builds(lambda call, id_: ToolCall(call.name, call.arguments, id_), st.sampled_from([BERGEN, OSLO]),
              st.sampled_from(["", "c1", "c2"])),
    min_size=1, max_size=2,
)  # fmt: skip
STEPS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.one_of(
            st.sampled_from(QUESTIONS), st.tuples(OWN, st.booleans(), st.booleans()), st.integers(0, 6)
        ),
    ),
    max_size=40,
)


@settings(max_examples=300)
@given(steps=STEPS)
def test_no_turn_gets_what_another_asked_memory(steps):
    held = HeldExchanges()
    clients = [Client(held, f"chat {n}").says(QUESTIONS[0]) for n in range(4)]
    for number, step in steps:
        client = clients[number]
        match step:
            case str():
                client.says(step)
            case (own, memory, ids):
                client.model_calls(*own, memory=memory, ids=ids)
            case int():
                begins = min(step, len(client.history) - 1)
                seen = client.woven(begins=begins, system=f"It is {step} o'clock.")
                assert seen.items() <= client.asked.items()


@given(steps=STEPS, data=st.data())
def test_a_chat_told_apart_by_its_words_gets_all_that_it_asked_however_it_is_sent(steps, data):
    held = HeldExchanges()
    clients = [Client(held, f"chat {n}").says(f"Question {n}: is it raining?") for n in range(4)]
    for number, step in steps:
        client = clients[number]
        if isinstance(step, str):
            client.says(f"{step} That is turn {len(client.history)} of {client.name}.")
        elif isinstance(step, tuple):
            client.model_calls(*step[0], memory=step[1], ids=step[2])
        users = [n for n, message in enumerate(client.history) if message["role"] == "user"]
        begins = data.draw(st.sampled_from(users))
        left = {place: query for place, query in client.asked.items() if place >= begins}
        assert client.woven(begins=begins, system=f"It is {number} o'clock.") == left


@pytest.mark.parametrize("other", [Chat("user:bob"), Chat("user:ana", "planning")])
def test_a_scope_or_a_named_session_gets_nothing_of_another(other):
    held = HeldExchanges()
    Client(held).says("Is it raining?").model_calls(BERGEN)
    stranger = Client(held, "other", other).says("Is it raining?")
    stranger.history.append({"role": "assistant", "content": "", "tool_calls": [called(BERGEN, ids=False)]})
    assert stranger.woven() == {}


def test_a_turn_with_more_or_fewer_calls_is_another():
    held = HeldExchanges()
    for own, seen in [([BERGEN], [BERGEN, OSLO]), ([OSLO, BERGEN], [OSLO])]:
        Client(held).says("Is it raining?").model_calls(*own)
        stranger = Client(held).says("Is it raining?")
        calls = [called(call, ids=False) for call in seen]
        stranger.history.append({"role": "assistant", "content": "", "tool_calls": calls})
        assert stranger.woven() == {}


def test_of_chats_alike_in_everything_neither_gets_anything():
    held = HeldExchanges()
    first = Client(held, "first").says("Is it raining?").model_calls(BERGEN)
    second = Client(held, "second").says("Is it raining?").model_calls(BERGEN)
    assert first.woven() == second.woven() == {}


@pytest.mark.parametrize("first", [True, False])
def test_a_chat_that_did_not_ask_memory_gets_nothing_of_one_like_it(first):
    held = HeldExchanges()
    asking, plain = (
        Client(held, "asking").says("Is it raining?"),
        Client(held, "plain").says("Is it raining?"),
    )
    for client in (asking, plain) if first else (plain, asking):
        client.model_calls(BERGEN, memory=client is asking)
    assert plain.woven() == {}


def test_an_answer_asked_for_again_has_its_own_results():
    held = HeldExchanges()
    chat = Client(held).says("Is it raining?").model_calls(BERGEN)
    assert chat.woven() == {1: "chat 1"}
    again = Client(held, "chat").says("Is it raining?")
    again.held.keep(
        Turn(chat=again.chat, mode=Mode.HYBRID, messages=(), session_id="chat"),
        calling_turns(Conversation.of(again.history), again.history)[-1].place,
        [BERGEN],
        ToolExchange((ToolCall("memory_search", {"query": "rain"}, "m1"),), ({"found": "the second"},)),
    )
    assert chat.woven() == {1: "the second"}


def test_yesterdays_chat_that_came_to_its_results_gives_way_to_one_like_it():
    clock = [0.0]
    held = HeldExchanges(now=lambda: clock[0])
    yesterday = Client(held, "yesterday").says("Is it raining?").model_calls(BERGEN)
    assert yesterday.woven() == {1: "yesterday 1"}
    clock[0] += 24 * 3600
    assert Client(held, "today").says("Is it raining?").model_calls(BERGEN).woven() == {1: "today 1"}


def test_calls_that_nobody_can_read_get_nothing_and_harm_nothing():
    held = HeldExchanges()
    Client(held).says("Is it raining?").model_calls(BERGEN)
    for odd in (
        None,
        "x",
        {},
        {"function": None},
        {"function": {"name": 3}},
        {"id": 5, "function": {"name": ""}},
    ):
        chat = Client(held).says("Is it raining?")
        calls = [called(BERGEN, ids=False), odd]
        chat.history.append({"role": "assistant", "content": "", "tool_calls": calls})
        assert chat.woven() == {}


@pytest.mark.parametrize("memory", [True, False])
def test_of_turns_that_a_server_keeps_the_session_and_the_id_of_its_last_call_decide(memory):
    held = HeldExchanges()
    call = ToolCall("get_weather", {"city": "Bergen"}, "c1")
    Client(held, "first").says("Is it raining?").model_calls(call)
    Client(held, "other").says("And in Oslo?").model_calls(call)
    Client(held, "first").says("And now?").says("Really?").model_calls(call, memory=memory)
    left_out = {"id": "c1", "function": {"name": "", "arguments": ""}}
    for session, seen in (("first", {0: "first 2"} if memory else {}), ("third", {}), (None, {})):
        chat = Client(held, chat=Chat("user:ana", session))
        chat.history.append({"role": "assistant", "content": "", "tool_calls": [left_out]})
        assert chat.woven() == seen


def test_chats_that_differ_in_what_was_said_before_or_in_ids_have_each_its_own():
    held = HeldExchanges()
    begun = [
        Client(held, name).says(f"I am in {name}.").says("Is it raining?") for name in ("Bergen", "Oslo")
    ]
    for chat in begun:
        assert chat.model_calls(BERGEN).woven() == {2: f"{chat.name} 2"}
    assert begun[0].woven() == {2: "Bergen 2"}
    alike = [Client(held, name).says("Is it raining?") for name in ("c1", "c2")]
    for chat in alike:
        chat.model_calls(ToolCall("get_weather", {"city": "Oslo"}, chat.name))
    assert [chat.woven() for chat in alike] == [{1: "c1 1"}, {1: "c2 1"}]


def test_a_chat_that_nobody_saw_before_gets_nothing_of_one_with_another_beginning():
    held = HeldExchanges()
    Client(held).says("I am in Bergen.").says("Is it raining?").model_calls(BERGEN)
    stranger = Client(held).says("I am in Oslo.").says("Is it raining?")
    stranger.history.append({"role": "assistant", "content": "", "tool_calls": [called(BERGEN, ids=False)]})
    assert stranger.woven() == {}
