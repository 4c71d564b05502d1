"""Answers on their way: as they come, without what is memory's, and never ended where the model's were not."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anthropic
import httpx
import httpx2
import openai
import pytest

from simonides.testing_server import Asked, Call, Fault, Page, Said
from simonides.testing_server.wire import written

CHAT = "/v1/chat/completions"
BLOCK = '<MEMORY_PROPOSALS_JSON>[{"content":"The dome is green.","why_store":"x"}]</MEMORY_PROPOSALS_JSON>'
ASKED = [{"role": "user", "content": "Which colour does the dome of the observatory have?"}]
PATHS = {
    "/v1/chat/completions": {"stream": True},
    "/v1/responses": {"stream": True},
    "/v1/messages": {"stream": True, "max_tokens": 100},
    "/api/chat": {},
    "/api/generate": {},
}
#: What clients raise for a cut stream; OpenAI's in its versions 2 and 3.
BROKEN = (
    *(httpx.RemoteProtocolError, httpx2.RemoteProtocolError),
    *(openai.APIConnectionError, anthropic.APIConnectionError),
)
ENDS = (b"[DONE]", b'"stop"', b'"done": true', b'"done":true', b"response.completed", b"message_stop")
CHATS = [
    f"{dialect}{way}" for dialect in ("openai", "responses", "anthropic", "ollama") for way in ("", " stream")
]
STREAMS = [
    "openai stream",
    "responses stream",
    "anthropic stream",
    "ollama stream",
    "generate stream",
]


def body(path, **more):
    place, said = {
        "/api/generate": ("prompt", ASKED[0]["content"]),
        "/v1/responses": ("input", ASKED),
    }.get(path, ("messages", ASKED))
    asked = {place: said}
    return {"model": "m", **asked, **PATHS[path], **more}


@pytest.mark.parametrize("path", PATHS)
def test_pieces_are_passed_on_as_they_come(path, proxied):
    hold = threading.Event()
    proxy = proxied(Said("It is green, as far as anyone can say.", piece=8, hold=hold))
    with proxy.http().stream("POST", path, json=body(path)) as answer:
        pieces = answer.iter_raw()
        first = next(pieces)
        # The model is still waiting, so that nothing more can have been there.
        assert first
        assert not hold.is_set()
        hold.set()
        rest = b"".join(pieces)
    assert rest.rstrip().endswith((b"[DONE]", b"}"))
    assert proxy.turns()[-1] == ("assistant", "It is green, as far as anyone can say.")


@pytest.mark.parametrize("way", STREAMS)
def test_a_block_of_proposals_is_never_seen_however_it_is_cut(way, proxied, ask):
    said = f"It is <b>green</b>. {BLOCK}\nAnything else? 1 < 2"
    proxy = proxied([Said(said, piece=size) for size in (1, 2, 3, 7, 22, 23, 24, 1000)])
    for number in range(8):
        assert ask(proxy, way, f"How green is dome {number}?") == "It is <b>green</b>.\nAnything else? 1 < 2"
    assert proxy.turns()[-1] == ("assistant", "It is <b>green</b>.\nAnything else? 1 < 2")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("fault", [Fault.CUT, Fault.RESET])
def test_a_cut_stream_is_cut_for_the_client_and_stored_as_no_answer(path, fault, proxied):
    proxy = proxied(Said("It is green, as far as anyone can say.", fault=fault))
    got = b""
    with proxy.http().stream("POST", path, json=body(path)) as answer:
        pieces = answer.iter_raw()
        with pytest.raises(httpx.RemoteProtocolError):  # noqa: PT012 - which piece is the last one is not said
            for piece in pieces:
                got += piece
    assert not any(end in got for end in ENDS)
    assert proxy.turns() == [("user", ASKED[0]["content"])]
    assert proxy.facts() == []


def test_of_a_cut_stream_the_client_has_what_came(proxied):
    proxy = proxied(Said("It is green <MEMORY_PROP of course", piece=6, fault=Fault.CUT))
    seen = ""
    with pytest.raises(BROKEN):  # noqa: PT012 - which chunk is the last one is not said
        for chunk in proxy.openai().chat.completions.create(model="m", messages=ASKED, stream=True):
            seen += chunk.choices[0].delta.content or ""
    assert seen
    assert "It is green <MEMORY_PROP of course".startswith(seen)


@pytest.mark.parametrize("path", PATHS)
def test_a_cut_answer_in_one_piece_is_an_error_and_stored_as_no_answer(path, proxied):
    proxy = proxied(Said("It is green.", fault=Fault.CUT))
    answer = proxy.http().post(path, json=body(path, stream=False))
    assert answer.status_code == 502
    assert "broke off" in answer.text
    assert proxy.turns() == [("user", ASKED[0]["content"])]


def test_a_stream_that_says_it_failed_passes_as_it_is_and_is_no_answer(proxied):
    line = b'data: {"error": {"message": "out of memory"}}\n\n'
    begun = b'data: {"id":"1","choices":[{"index":0,"delta":{"content":"It is"},"finish_reason":null}]}\n\n'
    page = Page([begun, line], 200, (("Content-Type", "text/event-stream"),))
    proxy = proxied(lambda asked: page)
    assert proxy.http().post(CHAT, json=body(CHAT)).content == begun + line
    assert proxy.turns() == [("user", ASKED[0]["content"])]


@pytest.fixture
def old_server():
    """Starts servers that end a stream with its connection, as HTTP/1.0 does, after some of an answer's pieces."""
    running = []

    def start(said, pieces=None):
        class Old(BaseHTTPRequestHandler):
            def do_POST(self):
                sent = self.rfile.read(int(self.headers["content-length"]))
                wire = written(Asked("POST", self.path, (), sent), said)
                self.send_response(200)
                self.send_header("content-type", wire.content_type)
                self.end_headers()
                self.wfile.write(b"".join(wire.pieces[:pieces]))

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Old)
        running.append((server, threading.Thread(target=server.serve_forever)))
        running[-1][1].start()
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server, thread in running:
        server.shutdown()
        server.server_close()
        thread.join()


def chunked(said, pieces):
    """A script whose streams come to the end of their chunks after some of an answer's pieces."""

    def answer(asked):
        wire = written(asked, said)
        return Page(list(wire.pieces[:pieces]), 200, (("Content-Type", wire.content_type),))

    return answer


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("framing", ["chunked", "close"])
def test_a_stream_that_stops_without_its_last_event_is_cut_for_the_client(path, framing, proxied, old_server):
    said = Said("It is green, as far as anyone can say.", piece=8)
    proxy = proxied(chunked(said, 3)) if framing == "chunked" else proxied(upstream=old_server(said, 3))
    got = b""
    asked = proxy.http().stream("POST", path, json=body(path))
    with asked as answer, pytest.raises(httpx.RemoteProtocolError):  # noqa: PT012 - which piece is last is not said
        for piece in answer.iter_raw():
            got += piece
    assert got
    assert not any(end in got for end in ENDS)
    assert proxy.turns() == [("user", ASKED[0]["content"])]


def _of_choice(index, text=None, finish=None):
    choice = {"index": index, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return f"data: {json.dumps({'id': '1', 'choices': [choice]})}\n\n".encode()


@pytest.mark.parametrize("second", [[], [_of_choice(1, "Its")]])
def test_a_stream_of_several_choices_of_which_one_stops_is_cut_for_the_client(second, proxied):
    events = [_of_choice(0, "It is"), *second, _of_choice(0, None, "stop"), _of_choice(1, " roof")]
    proxy = proxied(lambda _: Page(events, 200, (("Content-Type", "text/event-stream"),)))
    asked = {"model": "m", "messages": ASKED, "stream": True, "n": 2}
    with proxy.http().stream("POST", CHAT, json=asked) as answer, pytest.raises(BROKEN):
        answer.read()


@pytest.mark.parametrize("way", STREAMS)
def test_clients_are_told_that_a_stream_stopped_and_get_one_that_ended_with_its_connection(
    way, proxied, old_server, ask
):
    said = Said("It is green, as far as anyone can say.", piece=8)
    assert ask(proxied(upstream=old_server(said)), way, "How green is it?") == said.text
    with pytest.raises(BROKEN):
        ask(proxied(upstream=old_server(said, 3)), way, "How green is it?")


def test_a_stream_that_stops_within_an_event_is_cut_there(proxied):
    begun = b'data: {"id":"1","choices":[{"index":0,"delta":{"content":"It is"},"finish_reason":null}]}\n\n'
    proxy = proxied(
        lambda _: Page([begun, b'data: {"choices": [{"in'], 200, (("Content-Type", "text/event-stream"),))
    )
    got = b""
    asked = proxy.http().stream("POST", CHAT, json=body(CHAT))
    with asked as answer, pytest.raises(httpx.RemoteProtocolError):  # noqa: PT012 - which piece is last is not said
        for piece in answer.iter_raw():
            got += piece
    assert got == begun + b'data: {"choices": [{"in'
    assert proxy.turns() == [("user", ASKED[0]["content"])]


def test_what_is_not_changed_passes_byte_for_byte(proxied):
    pieces = [
        b": keep-alive\n\n",
        b'event: x\r\ndata:  {"choices": [{"index": 0,  "delta": {"content": "It is gr\xc3\xbcn."}}]}\r\n\r\n',
        b'data: {"choices": [], "usage": null, "odd": -Infinity}\n\n',
        b'data: {"id": "1", "choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]}\n\n',
        b'data: {"choices": [], "usage": {"total_tokens": 3}}\n\ndata: [DONE]\n\n',
    ]
    page = Page(pieces, 200, (("Content-Type", "text/event-stream; charset=utf-8"), ("X-Model", "m")))
    proxy = proxied(lambda asked: page)
    answer = proxy.http().post(CHAT, json=body(CHAT))
    assert answer.content == b"".join(pieces)
    assert answer.headers["x-model"] == "m"
    assert proxy.turns()[-1] == ("assistant", "It is grün.")


def test_thinking_passes_and_is_not_stored(proxied):
    proxy = proxied(Said("Green.", thinking="The user asks about the dome, let me see."))
    stream = proxy.openai().chat.completions.create(model="m", messages=ASKED, stream=True)
    thought = "".join(getattr(chunk.choices[0].delta, "reasoning_content", None) or "" for chunk in stream)
    assert thought == "The user asks about the dome, let me see."
    assert proxy.turns()[-1] == ("assistant", "Green.")


@pytest.mark.parametrize("path", PATHS)
def test_a_client_that_leaves_ends_the_request_at_the_upstream(path, proxied):
    proxy = proxied(Said("It is green, as far as anyone can say.", hold=threading.Event()))
    with proxy.http().stream("POST", path, json=body(path)) as answer:
        next(answer.iter_raw())
    assert proxy.upstream.left.wait(60)
    assert proxy.turns() == [("user", ASKED[0]["content"])]


def leave_before_the_first_byte(proxy, headers):
    """Ask, and leave once the model's server was asked: it stays silent."""
    client = proxy.raw()
    client.request("POST", CHAT, json.dumps(body(CHAT)), {"Content-Type": "application/json", **headers})
    ends = time.monotonic() + 60
    while not proxy.upstream.requests and time.monotonic() < ends:
        time.sleep(0.01)
    client.close()


def test_a_client_that_leaves_before_the_first_byte_ends_the_request_too(proxied):
    proxy = proxied(Said(fault=Fault.TIMEOUT))
    leave_before_the_first_byte(proxy, {})
    assert proxy.upstream.left.wait(60)
    assert proxy.turns() == [("user", ASKED[0]["content"])]


def test_a_client_that_leaves_a_page_ends_the_request_too(proxied):
    proxy = proxied(Said(fault=Fault.TIMEOUT))
    leave_before_the_first_byte(proxy, {"X-Simonides-Bypass": "1"})
    assert proxy.upstream.left.wait(60)


@pytest.mark.parametrize("path", PATHS)
def test_an_upstream_that_stays_silent_is_said_to(path, proxied):
    proxy = proxied(Said(fault=Fault.TIMEOUT), timeout_s=0.2)
    answer = proxy.http().post(path, json=body(path))
    assert answer.status_code == 504
    assert "proxy.timeout_s" in answer.text
    assert proxy.turns() == [("user", ASKED[0]["content"])]


# Tools

LOOK_UP = Said("Let me look. ", calls=(Call("memory_search", {"query": "dome"}),), piece=4)
TOOL = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}},
}


@pytest.mark.parametrize("way", CHATS)
def test_the_model_is_asked_again_within_one_answer(way, proxied, ask):
    proxy = proxied([LOOK_UP, "It is green."], tools="always")
    seen = ask(proxy, way, ASKED[0]["content"])
    assert seen == "Let me look. It is green."
    assert proxy.turns() == [("user", ASKED[0]["content"]), ("assistant", seen)]


def test_a_stream_of_two_answers_looks_like_one(proxied):
    proxy = proxied([LOOK_UP, "It is green."], tools="always")
    text = proxy.http().post(CHAT, json=body(CHAT)).text
    chunks = [json.loads(line[6:]) for line in text.split("\n\n") if line.startswith("data: {")]
    assert len({chunk["id"] for chunk in chunks}) == 1
    finishes = [
        choice["finish_reason"] for chunk in chunks for choice in chunk["choices"] if choice["finish_reason"]
    ]
    assert finishes == ["stop"]
    assert "tool_calls" not in text
    assert text.count("[DONE]") == 1


@pytest.mark.parametrize("way", CHATS)
def test_a_model_that_goes_on_asking_is_asked_three_times_more(way, proxied, ask):
    proxy = proxied(lambda asked: LOOK_UP if asked.json.get("tools") else "It is green.", tools="always")
    assert ask(proxy, way, ASKED[0]["content"]).endswith("It is green.")
    assert len(proxy.upstream.chats) == 4


def test_a_clients_own_tools_are_left_to_it(proxied):
    called = Said(
        calls=(Call("weather", {"place": "dome"}), Call("memory_search", {"query": "dome"})), piece=3
    )
    proxy = proxied([called, "It rains on the green dome."])
    client = proxy.openai()
    stream = client.chat.completions.create(model="m", messages=ASKED, tools=[TOOL], stream=True)
    calls, arguments = [], ""
    for chunk in stream:
        for call in chunk.choices[0].delta.tool_calls or []:
            calls += [call.function.name] if call.function.name else []
            arguments += call.function.arguments or ""
        finish = chunk.choices[0].finish_reason
    assert (calls, json.loads(arguments), finish) == (["weather"], {"place": "dome"}, "tool_calls")
    offered = [tool["function"]["name"] for tool in proxy.upstream.chats[0].json["tools"]]
    assert offered[0] == "weather"
    assert "memory_search" in offered


@pytest.mark.parametrize(
    ("setting", "request_", "offered"),
    [
        ("offered", {}, False),
        ("offered", {"tools": [TOOL]}, True),
        ("offered", {"tools": [TOOL], "tool_choice": "none"}, False),
        (
            "offered",
            {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "weather"}}},
            False,
        ),
        ("always", {}, True),
        ("always", {"n": 2}, False),
        ("never", {"tools": [TOOL]}, False),
    ],
)
def test_memorys_tools_are_offered_where_they_are_wanted(setting, request_, offered, proxied):
    proxy = proxied("Green.", tools=setting)
    proxy.http().post(CHAT, json={"model": "m", "messages": ASKED, **request_})
    sent = proxy.upstream.chats[0].json
    names = [tool["function"]["name"] for tool in sent.get("tools", [])]
    assert ("memory_search" in names) == offered
    assert sent.get("tool_choice") == request_.get("tool_choice")


def test_an_upstream_that_fails_when_it_is_asked_again_is_no_end(proxied):
    proxy = proxied([LOOK_UP, Said(fault=Fault.BROKEN)], tools="always")
    text = proxy.http().post(CHAT, json=body(CHAT)).text
    assert "Let" in text
    assert "out of memory" in json.loads(text.strip().rpartition("data: ")[2])["error"]["message"]
    assert "[DONE]" not in text
    assert proxy.turns() == [("user", ASKED[0]["content"])]


def test_of_several_choices_each_is_freed_of_proposals(proxied):
    message = {"role": "assistant", "content": f"Green. {BLOCK}"}
    choices = [{"index": n, "message": message, "finish_reason": "stop"} for n in range(2)]
    page = Page(json.dumps({"choices": choices}).encode(), 200, (("Content-Type", "application/json"),))
    proxy = proxied(lambda asked: page)
    found = proxy.http().post(CHAT, json={"model": "m", "messages": ASKED, "n": 2}).json()["choices"]
    assert [choice["message"]["content"] for choice in found] == ["Green."] * 2


@pytest.mark.parametrize("way", [*CHATS, "generate", "generate stream"])
def test_an_answer_that_comes_packed_is_unpacked(way, proxied, ask):
    proxy = proxied(Said(f"Green. {BLOCK}", fault=Fault.PACKED))
    assert ask(proxy, way, ASKED[0]["content"]).rstrip() == "Green."
    assert proxy.upstream.chats[0].header("accept-encoding") == "identity"
    assert len(proxy.turns()) == 2


def test_an_answer_that_nobody_can_unpack_passes_and_is_said_to(proxied):
    page = Page(
        b"\x28\xb5\x2f\xfd", 200, (("Content-Type", "application/json"), ("Content-Encoding", "zstd"))
    )
    proxy = proxied(lambda asked: page)
    with proxy.http().stream("POST", CHAT, json={"model": "m", "messages": ASKED}) as answer:
        assert b"".join(answer.iter_raw()) == b"\x28\xb5\x2f\xfd"
        assert "zstd" in answer.headers["x-simonides-degraded"]
    assert proxy.turns() == [("user", ASKED[0]["content"])]
