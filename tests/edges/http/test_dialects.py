"""Answers cut into frames, and read while they pass: the same however they are cut, whole or as a stream."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.edges.http import framing
from simonides.edges.http.dialects.anthropic import AnthropicMessages
from simonides.edges.http.dialects.ollama import OllamaChat, OllamaGenerate
from simonides.edges.http.dialects.openai import OpenAIChat
from simonides.edges.http.dialects.responses import OpenAIResponses
from simonides.testing_server import Asked, Call, Said
from simonides.testing_server.wire import written

DIALECTS = [OpenAIChat(), OpenAIResponses(), AnthropicMessages(), OllamaChat(), OllamaGenerate()]
NAMED = ("/responses", "/messages")
WORDS = st.lists(
    st.sampled_from(
        [
            "It is ",
            "green",
            "\n",
            "<",
            "<MEMORY_PROPOSALS_JSON>",
            "[]",
            "</MEMORY_PROPOSALS_JSON>",
            "ü",
            "🔭",
            " ",
        ]
    ),
    max_size=12,
).map("".join)
CALLS = st.lists(
    st.sampled_from(["memory_search", "weather"]).map(lambda name: Call(name, {"q": "x"})), max_size=3
).map(tuple)


def is_ours(name):
    return name.startswith("memory_")


def cut(data, places):
    places = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[begin:end] for begin, end in itertools.pairwise(places)]


def passed(dialect, said, places=(), *, stream):
    """Bytes for the client, and the answer as understood, of an answer that comes in pieces."""
    path = dialect.path if dialect.path.startswith("/api") else f"/v1{dialect.path}"
    asked = Asked("POST", path, (), json.dumps({"stream": stream}).encode())
    wire = written(asked, said)
    kind = wire.content_type
    cutter, reading = dialect.frames(kind), dialect.reading(kind, is_ours, None)
    out = b""
    for piece in cut(b"".join(wire.pieces), places):
        for frame in cutter.feed(piece):
            out += reading.take(frame)
    for frame in cutter.end():
        out += reading.take(frame)
    return out + reading.end(), reading


def named_text_of(events):
    """Text of an answer in items or blocks, told as it comes and again at its end."""
    whole = next(one.get("response", one) for one in reversed(events) if one.get("type") != "message_stop")
    items = [item for item in whole.get("output", []) if item["type"] == "message"]
    parts = [part for item in items for part in item["content"]] or whole.get("content", [])
    told = "".join(part["text"] for part in parts if "text" in part)
    if len(events) == 1:
        return told
    deltas = [
        one.get("delta") for one in events if one["type"].endswith((".output_text.delta", "block_delta"))
    ]
    streamed = "".join(one if isinstance(one, str) else one.get("text", "") for one in deltas)
    assert told in ("", streamed)
    return streamed


def text_of(dialect, out, *, stream):
    """Text of an answer as a client shows it."""
    lines = [line.removeprefix("data: ") for line in out.decode().splitlines()] if stream else [out.decode()]
    if dialect.path in NAMED:
        return named_text_of([json.loads(line) for line in lines if line.startswith("{")])
    found = ""
    for line in lines:
        if not line or line == "[DONE]":
            continue
        value = json.loads(line)
        if dialect.path == "/api/generate":
            found += value["response"]
        elif dialect.path == "/api/chat":
            found += value["message"]["content"]
        else:
            said = [choice.get("delta") or choice.get("message") or {} for choice in value["choices"]]
            found += "".join(one.get("content") or "" for one in said)
    return found


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.path)
def test_a_stream_has_ended_once_its_last_event_came_and_not_before(dialect):
    path = dialect.path if dialect.path.startswith("/api") else f"/v1{dialect.path}"
    wire = written(Asked("POST", path, (), b'{"stream": true}'), Said("It is green.", piece=3))
    reading, cutter = dialect.reading(wire.content_type, is_ours, None), dialect.frames(wire.content_type)
    ends = (b'"finish_reason": "stop"', b"response.completed", b'"stop_reason": "end_turn"', b'"done": true')
    ended = False
    for piece in wire.pieces:
        ended |= any(end in piece for end in ends)
        for frame in cutter.feed(piece):
            reading.take(frame)
        assert reading.ended is ended
    assert ended


def test_of_several_choices_each_has_to_end():
    reading = OpenAIChat().reading("text/event-stream", is_ours, None)

    def choice(index, reason):
        chunk = {"choices": [{"index": index, "delta": {"content": "It"}, "finish_reason": reason}]}
        reading.take(framing.Frame(b"", json.dumps(chunk).encode()))
        return reading.ended

    assert [choice(0, None), choice(1, None), choice(0, "stop"), choice(1, "length")] == [False] * 3 + [True]


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.path)
@given(text=WORDS, calls=CALLS, size=st.integers(1, 30), places=st.lists(st.integers(0, 5000), max_size=20))
def test_an_answer_is_understood_alike_whole_and_as_a_stream(dialect, text, calls, size, places):
    if dialect.path == "/api/generate":
        calls = ()
    said = Said(text, calls=calls, piece=size)
    whole, of_whole = passed(dialect, said, places, stream=False)
    streamed, of_stream = passed(dialect, said, places, stream=True)
    assert of_whole.answer().text == of_stream.answer().text
    if text.count("<MEMORY_PROPOSALS_JSON>") <= 2:  # Of more, only that there are too many is kept.
        assert of_whole.answer().text == text
    assert of_whole.answer().complete
    assert of_stream.answer().complete
    assert [call.name for call in of_whole.answer().tool_calls] == [call.name for call in calls]
    assert [call.name for call in of_stream.answer().tool_calls] == [call.name for call in calls]
    assert of_whole.shown == of_stream.shown
    assert text_of(dialect, whole, stream=False) == text_of(dialect, streamed, stream=True) == of_whole.shown
    assert b"memory_search" not in whole + streamed
    own = sum(call.name == "weather" for call in calls)
    # The stream of items tells a call at its beginning, in its arguments, at its end and at the answer's.
    times = 5 if dialect.path == "/responses" else 2
    assert (whole + streamed).count(b"weather") == times * own


@given(
    data=st.lists(st.sampled_from([b"data: x", b"\n", b"\r\n", b"\r", b": c", b"\n\n", b"{}"])).map(b"".join),
    places=st.lists(st.integers(0, 200)),
)
@pytest.mark.parametrize("kind", [framing.Events, framing.Lines, framing.Whole])
def test_frames_together_are_what_came(kind, data, places):
    cutter = kind()
    found = [frame for piece in cut(data, places) for frame in cutter.feed(piece)]
    found += cutter.end()
    assert b"".join(frame.raw for frame in found) == data


@pytest.mark.parametrize("kind", [framing.Events, framing.Lines, framing.Whole])
def test_what_is_far_too_long_is_no_longer_looked_into(kind):
    cutter = kind(most=1000)
    pieces = [b'data: {"a": 1}\n\n'] * 100
    found = [frame for piece in pieces for frame in cutter.feed(piece)] + list(cutter.end())
    assert b"".join(frame.raw for frame in found) == b"".join(pieces)
    assert cutter.blind
    assert found[-1].data is None


def test_half_a_character_stays_what_it_was_and_becomes_whole_in_the_answer():
    reading = OpenAIChat().reading("text/event-stream", is_ours, None)
    halves = [b'data: {"choices":[{"index":0,"delta":{"content":"\\ud83d"},"finish_reason":null}]}\n\n',
              b'data: {"choices":[{"index":0,"delta":{"content":"\\udd2d"},"finish_reason":null}]}\n\n',
              b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n']  # fmt: skip
    out = b"".join(reading.take(frame) for half in halves for frame in framing.Events().feed(half))
    assert out + reading.end() == b"".join(halves)
    assert reading.answer().text == "🔭"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.path)
def test_errors_are_worded_as_such_a_server_does(dialect):
    error = json.loads(dialect.failure("it is down", "server_error", "upstream_failed"))["error"]
    assert (error if dialect.path.startswith("/api") else error["message"]) == "it is down"


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.path)
def test_an_error_in_the_midst_of_a_stream_has_the_code_of_a_whole_answer(dialect):
    shown = dialect.failure_frame("it is down").decode()
    assert "it is down" in shown
    assert ('"upstream_failed"' in shown) is not dialect.path.startswith("/api")
