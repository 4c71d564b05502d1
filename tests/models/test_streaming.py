"""Answers as they are written, over real HTTP."""

from __future__ import annotations

import json
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.errors import InvalidSettings, ProviderError, ProviderUnavailable
from simonides.models.openai_api import _lines
from simonides.models.provider import Provider
from simonides.models.streaming import Delta, StreamingModel
from simonides.testing_server import Call, Fault, Page, Said, ScriptedServer

HELLO = [{"role": "user", "content": "Hello!"}]
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]


@pytest.fixture
def model():
    """Make a model that talks to a server."""
    with ExitStack() as made:

        def of(server, **fields):
            provider = Provider("ollama", base_url=server.url, model="m", **{"timeout_s": 20.0} | fields)
            return made.enter_context(StreamingModel(provider, pause=lambda _: None))

        yield of


def said(deltas):
    return "".join(delta.text for delta in deltas)


def test_an_answer_comes_in_pieces_and_ends(model):
    with ScriptedServer("Good morning to you.") as server:
        deltas = list(model(server).stream(HELLO))
    assert said(deltas) == "Good morning to you."
    assert len(deltas) > 2
    assert [delta.ended for delta in deltas] == [False] * (len(deltas) - 1) + [True]
    assert server.chats[0].json["stream"] is True


def test_calls_of_tools_come_whole_with_the_last_piece(model):
    with ScriptedServer(
        Said("One moment.", calls=(Call("weather", {"city": "Lyon"}), Call("weather", {})))
    ) as server:
        deltas = list(model(server).stream(HELLO, TOOLS))
    assert [(call.name, call.arguments) for call in deltas[-1].calls] == [
        ("weather", '{"city": "Lyon"}'),
        ("weather", "{}"),
    ]
    assert server.chats[0].json["tools"] == TOOLS


@pytest.mark.parametrize("fault", [Fault.CUT, Fault.RESET])
def test_a_connection_that_breaks_off_is_an_error_after_what_came(model, fault):
    deltas = []
    with (
        ScriptedServer(Said("Good morning to you.", fault=fault)) as server,
        pytest.raises(ProviderUnavailable),
    ):
        deltas.extend(model(server).stream(HELLO))
    with ScriptedServer(Said("Good morning to you.", fault=fault)) as server:
        stream = model(server).stream(HELLO)
        assert next(stream).text
        with pytest.raises(ProviderUnavailable, match="not the whole answer"):
            list(stream)


def test_a_stream_without_its_end_says_that_it_did_not_end(model):
    choice = {"index": 0, "delta": {"content": "Good"}, "finish_reason": None}
    said = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
    chunk = f"data: {json.dumps(said)}\n\n".encode()
    page = Page(chunk, headers=(("Content-Type", "text/event-stream"),))
    with ScriptedServer(page) as server:
        assert list(model(server).stream(HELLO)) == [Delta("Good"), Delta()]


def test_a_busy_server_is_asked_again(model):
    with ScriptedServer([Said(fault=Fault.BUSY), Said(fault=Fault.BROKEN), "Here I am."]) as server:
        assert said(model(server).stream(HELLO)) == "Here I am."


def test_a_server_that_stays_busy_is_named(model):
    with ScriptedServer(Said(fault=Fault.BROKEN)) as server, pytest.raises(ProviderUnavailable, match="500"):
        list(model(server).stream(HELLO))


def test_a_model_that_knows_no_tools_is_asked_without_them_from_then_on(model):
    def answer(asked):
        if "tools" in asked.json:
            return Page(
                b'{"error": {"message": "m does not support tools"}}',
                400,
                (("Content-Type", "application/json"),),
            )
        return "Without, then."

    with ScriptedServer(answer) as server:
        asked = model(server)
        assert said(asked.stream(HELLO, TOOLS)) == "Without, then."
        assert said(asked.stream(HELLO, TOOLS)) == "Without, then."
    assert ["tools" in request.json for request in server.chats] == [True, False, False]


def test_an_unknown_model_is_an_error_that_helps(model):
    with ScriptedServer("x", models=["other"]) as server, pytest.raises(ProviderError, match="ollama pull m"):
        list(model(server).stream(HELLO))


def test_a_server_that_is_not_there_is_an_error_that_helps(model):
    with ScriptedServer("x") as server:
        asked = model(server)
    with pytest.raises(ProviderUnavailable, match="check base_url and that the server runs"):
        list(asked.stream(HELLO))


def test_a_server_that_is_silent_is_given_up(model):
    with (
        ScriptedServer(Said("x", fault=Fault.TIMEOUT)) as server,
        pytest.raises(ProviderUnavailable, match="within"),
    ):
        list(model(server, timeout_s=0.2).stream(HELLO))


def test_an_answer_without_end_is_given_up(model):
    with ScriptedServer("x" * 2_100_000) as server, pytest.raises(ProviderError, match="characters"):
        list(model(server).stream(HELLO))


def test_a_provider_without_a_model_is_refused():
    with pytest.raises(InvalidSettings, match="needs a model"):
        StreamingModel(Provider("ollama"))


def test_unusual_line_ends_and_characters_in_a_stream_are_read_as_they_are(model):
    told = "one\u2028two\x85three"
    chunk = json.dumps({"choices": [{"index": 0, "delta": {"content": told}}]}, ensure_ascii=False)
    ended = '{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}'
    body = f": hello\r\n\r\nevent: x\r\ndata:{chunk}\r\n\r\ndata: {ended}\r\n\r\ndata: [DONE]".encode()
    page = Page([body[:50], body[50:70], body[70:]], 200, (("Content-Type", "text/event-stream"),))
    with ScriptedServer(lambda _: page) as server:
        deltas = list(model(server).stream(HELLO))
    assert said(deltas) == told
    assert deltas[-1].ended


def test_an_error_within_a_stream_is_said(model):
    page = Page(
        [b'data: {"error": {"message": "out of memory"}}\n\n'], 200, (("Content-Type", "text/event-stream"),)
    )
    with ScriptedServer(lambda _: page) as server, pytest.raises(ProviderError, match="out of memory"):
        list(model(server).stream(HELLO))


class _Pieces:
    def __init__(self, pieces):
        self.pieces = pieces

    def iter_bytes(self):
        yield from self.pieces


@given(st.lists(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"data: "]), max_size=6), max_size=8))
def test_lines_do_not_depend_on_how_they_are_cut(pieces):
    cut = [b"".join(piece) for piece in pieces]
    assert list(_lines(_Pieces(cut))) == b"".join(cut).split(b"\n")


def test_an_answer_without_a_line_break_is_given_up():
    taken = []

    def endless():
        while True:
            taken.append(4096)
            yield b"x" * 4096

    with pytest.raises(ValueError, match="line of more than"):
        list(_lines(_Pieces(endless())))
    assert sum(taken) < 2_000_000
