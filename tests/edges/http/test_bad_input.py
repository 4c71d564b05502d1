"""Odd, wrong and huge requests, and models that go wrong: the chat is answered or told why not, and nothing is lost."""

import json
import socket
import threading
from contextlib import suppress

import anthropic
import httpx
import httpx2
import ollama
import openai
import pytest

from simonides.config import MiddlewareSettings
from simonides.edges.http import exchange
from simonides.testing import FakeEmbedder
from simonides.testing_server import TWELVE, Fault, Said

CHAT = "/v1/chat/completions"
PATHS = ["/v1/chat/completions", "/api/chat", "/api/generate"]
ASKED = "Which colour does the dome of the observatory have?"
PROPOSED = json.dumps(
    [{"content": "The dome of the observatory is green.", "type": "fact", "why_store": "asked"}]
)
BLOCK = f"<MEMORY_PROPOSALS_JSON>{PROPOSED}</MEMORY_PROPOSALS_JSON>"


NO_CHATS = [
    b"",
    b"not JSON",
    b"[1, 2]",
    b"null",
    b'{"messages": []}',
    b'{"messages": "hello"}',
    b'{"messages": [1, null]}',
    b'{"messages": [{"content": "no role"}]}',
    b'{"model": "m", "prompt": 7, "messages": {"role": "user"}}',
    b'{"messages": [{"role": "user", "content": "hello"}], "temperature": NaN}',
    b'{"messages": [{"role": "user", "content": "hello"}], "temperature": 1e999}',
    b'{"prompt": "x", "raw": true, "messages": 1}',
    b"[" * 100_000,
    b'{"a": "\xff"}',
]


@pytest.mark.parametrize("path", PATHS)
def test_what_is_no_chat_is_left_to_the_upstream_untouched(path, proxied):
    proxy = proxied("An answer.")
    client = proxy.http()
    for body in NO_CHATS:
        answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert proxy.upstream.requests[-1].body == body
        assert answer.status_code in {200, 400}
        assert "x-simonides-why" not in answer.headers
    assert proxy.turns() == []


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_model_is_for_the_upstream_to_say_and_the_turn_is_kept(path, proxied):
    proxy = proxied(models=["scripted"])
    body = {"model": "unheard-of", "messages": [{"role": "user", "content": ASKED}], "prompt": ASKED}
    answer = proxy.http().post(path, json=body)
    assert answer.status_code == 404
    assert "unheard-of" in answer.text
    assert proxy.turns() == [("user", ASKED)]


@pytest.mark.parametrize("path", PATHS)
def test_an_upstream_that_is_down_is_said_and_the_turn_is_kept(path, serve, proxied):
    server = serve()
    server.close()
    proxy = proxied(upstream=server)
    answer = proxy.http().post(path, json={"messages": [{"role": "user", "content": ASKED}], "prompt": ASKED})
    assert answer.status_code == 502
    error = answer.json()["error"]
    assert "cannot be reached" in (error["message"] if path == CHAT else error)
    assert proxy.turns() == [("user", ASKED)]


def test_a_request_that_is_too_long_is_refused(proxied):
    proxy = proxied("An answer.", max_body_mb=0.01)
    body = {"model": "m", "messages": [{"role": "user", "content": "long " * 5000}]}
    answer = proxy.http().post(CHAT, json=body)
    assert answer.status_code == 413
    assert "send less at a time" in answer.json()["error"]["message"]
    assert proxy.http().post(CHAT, content=iter([json.dumps(body).encode()])).status_code == 413
    assert proxy.upstream.requests == []
    # Elsewhere, files of gigabytes are sent.
    assert proxy.http().post("/api/blobs/sha256:1", json=body).status_code == 200


@pytest.mark.parametrize(("path", "status"), [(CHAT, 413), ("/api/chat", 413), ("http://x/", 400)])
def test_who_first_sends_all_of_it_still_reads_why_it_was_refused(path, status, proxied, monkeypatch):
    monkeypatch.setattr(exchange, "_DRAIN_S", 60.0)
    proxy = proxied("An answer.", max_body_mb=0.01)
    body = b"x" * 20_000_000  # More than the buffers between the two hold.
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=120) as sock:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
        sock.sendall(head.encode() + body)
        assert sock.recv(100).startswith(f"HTTP/1.1 {status} ".encode())


def test_who_asks_for_leave_to_send_is_refused_at_once(proxied):
    proxy = proxied("An answer.", max_body_mb=0.01)
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=120) as sock:
        sock.sendall(
            f"POST {CHAT} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 90000000\r\n"
            "Expect: 100-continue\r\n\r\n".encode()
        )
        assert sock.recv(100).startswith(b"HTTP/1.1 413 ")


def test_a_packed_request_passes_untouched(proxied):
    proxy = proxied(lambda asked: "never asked")
    body = b"\x1f\x8b packed"
    proxy.http().post(CHAT, content=body, headers={"Content-Encoding": "gzip"})
    assert proxy.upstream.requests[-1].body == body


def test_images_parts_results_of_tools_and_odd_fields_reach_the_model(proxied):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    messages = [
        {"role": "system", "content": "Be brief.", "name": "house"},
        {"role": "user", "content": [{"type": "text", "text": "What is on this picture of the dome?"}, image]},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "a green dome"},
        {"role": "user", "content": [image]},
        {"role": "odd", "content": {"weird": True}},
    ]  # fmt: skip
    proxy = proxied("A green dome.")
    body = {"model": "m", "messages": messages, "temperature": 0.25, "seed": 7, "odd": [None, 1e-7, "\ud83d"]}
    answer = proxy.http().post(CHAT, content=json.dumps(body).encode())
    assert answer.json()["choices"][0]["message"]["content"] == "A green dome."
    sent = proxy.upstream.chats[0].json
    assert {key: sent[key] for key in sent if key != "messages"} == {
        key: body[key] for key in body if key != "messages"
    }
    assert [one["role"] for one in sent["messages"]] == [one["role"] for one in messages]
    assert sent["messages"][2:4] == messages[2:4]
    assert image in sent["messages"][1]["content"]
    assert sent["messages"][4:] == messages[4:]


def test_images_of_ollama_reach_the_model(proxied):
    proxy = proxied("A green dome.")
    proxy.ollama().chat(
        "m", messages=[{"role": "user", "content": "What is on this picture?", "images": ["AAAA"]}]
    )
    assert proxy.upstream.chats[0].messages[-1]["images"] == ["AAAA"]


def test_a_history_of_200_000_tokens_is_answered(proxied):
    turns = [
        {"role": "user" if n % 2 == 0 else "assistant", "content": f"Turn {n}: " + "star map " * 250}
        for n in range(300)
    ]
    proxy = proxied("An answer.", memory=None)
    answer = proxy.http().post(
        CHAT, json={"model": "m", "messages": [*turns, {"role": "user", "content": ASKED}]}
    )
    assert answer.json()["choices"][0]["message"]["content"] == "An answer."
    assert proxy.turns()[-1] == ("assistant", "An answer.")


def test_ollamas_own_system_prompt_is_not_replaced(proxied):
    proxy = proxied("An answer.")
    proxy.ollama().chat("m", messages=[{"role": "user", "content": ASKED}])
    proxy.ollama().generate("m", prompt=ASKED)
    proxy.ollama().generate("m", prompt=ASKED, system="Be brief.")
    chat, bare, with_system = proxy.upstream.chats
    assert [one["role"] for one in chat.messages] == ["user"]
    assert chat.messages[0]["content"].endswith(ASKED)
    assert bare.json.get("system", "") == ""
    assert with_system.json["system"].startswith("Be brief.")


#: How clients tell that they had no answer.
REFUSALS = (
    openai.OpenAIError,
    anthropic.AnthropicError,
    httpx2.HTTPError,
    ollama.ResponseError,
    httpx.HTTPError,
)


@pytest.mark.parametrize(("number", "fault"), list(enumerate(TWELVE)), ids=str)
def test_whatever_goes_wrong_the_turn_stays_and_the_chat_is_answered_or_told(
    number, fault, proxied, ask, ways
):
    """Each fault in a third of the ways, some whole and some as a stream; all ways by turns."""
    tried = ways.chats[number % 3 :: 3]
    spoken = fault not in {Fault.TIMEOUT, Fault.BUSY, Fault.BROKEN, Fault.RESET}
    goes_wrong = threading.Event()
    wrong = Said(f"It is green.{BLOCK}", fault=fault)
    proxy = proxied(
        lambda _: wrong if goes_wrong.is_set() else "It is still green.",
        timeout_s=0.5 if fault is Fault.TIMEOUT else 60.0,
    )
    for way in tried:
        goes_wrong.set()
        asked = f"Which colour does the dome have, asked by {way}?"
        if spoken:
            assert ask(proxy, way, asked) == "It is green."
        else:
            with pytest.raises(REFUSALS):
                ask(proxy, way, asked)
        goes_wrong.clear()
        again = None
        # While little silence is waited for, a busy machine may be taken for a silent one.
        for _ in range(100 if fault is Fault.TIMEOUT else 1):
            with suppress(*REFUSALS if fault is Fault.TIMEOUT else ()):
                again = ask(proxy, way, f"And how is the weather there, asked by {way}?")
                break
        assert again == "It is still green."
    turns = proxy.turns()
    assert [text for role, text in turns if role == "user" and "colour" in text] == [
        f"Which colour does the dome have, asked by {way}?" for way in tried
    ]
    assert sum(role == "assistant" for role, _ in turns) == len(tried) * (1 + spoken)
    told = {item.content for item in proxy.facts()}
    assert told <= {"The dome of the observatory is green."}


class Hesitant(FakeEmbedder):
    """An embedder that takes its time for one text."""

    def __init__(self, text):
        super().__init__()
        self.released = threading.Event()
        self._text = text

    def embed(self, texts):
        if self._text in texts:
            self.released.wait(60)
        return super().embed(texts)


def test_memory_that_is_late_is_left_out_and_said(proxied, remember):
    embedder = Hesitant(ASKED)
    memory = remember(middleware=MiddlewareSettings(deadline_ms=50), embedder=embedder)
    memory.add("The dome of the observatory is green.", scope="user:ana")
    proxy = proxied("An answer.", memory=memory)
    answer = proxy.http().post(CHAT, json={"model": "m", "messages": [{"role": "user", "content": ASKED}]})
    embedder.released.set()
    assert answer.json()["choices"][0]["message"]["content"] == "An answer."
    assert "late" in answer.headers["x-simonides-degraded"]
    assert "dome of the observatory is green" not in proxy.upstream.chats[0].text
    assert proxy.turns() == [("user", ASKED), ("assistant", "An answer.")]


def test_memory_that_is_broken_is_left_out_and_said(proxied, remember):
    memory = remember()
    proxy = proxied("An answer.", memory=memory)
    memory.close()
    answer = proxy.http().post(CHAT, json={"model": "m", "messages": [{"role": "user", "content": ASKED}]})
    assert answer.json()["choices"][0]["message"]["content"] == "An answer."
    assert "memory failed" in answer.headers["x-simonides-degraded"]
