"""The scripted server itself: it says what it is told to, and goes wrong as it is told to."""

import json
import threading

import httpx
import pytest

from simonides.testing_server import TWELVE, Call, Fault, Page, Said, ScriptedServer, spoil

ASKED = {"model": "m", "messages": [{"role": "user", "content": "hello there"}]}
PROPOSED = '[{"content": "x", "confidence": 0.5}]'


def post(server, path="/v1/chat/completions", **more):
    return httpx.post(server.url + path, json=ASKED | more, timeout=120)


def test_there_are_twelve_faults():
    assert len(TWELVE) == 12


def test_without_a_script_it_repeats_what_the_user_said():
    with ScriptedServer() as server:
        assert post(server).json()["choices"][0]["message"]["content"] == "hello there"
        assert post(server, "/api/chat", stream=False).json()["message"]["content"] == "hello there"
        assert post(server, "/api/generate", stream=False, prompt="hello").json()["response"] == "hello"


def test_answers_come_one_after_the_other_and_then_no_more():
    with ScriptedServer(["one", Said("two"), Page(b"three")]) as server:
        found = [post(server) for _ in range(4)]
    assert [one.json()["choices"][0]["message"]["content"] for one in found[:2]] == ["one", "two"]
    assert found[2].content == b"three"
    assert (found[3].status_code, "has 3 answers" in found[3].text) == (500, True)


def test_a_script_that_fails_is_told_by_the_answer():
    with ScriptedServer(lambda asked: asked.json["missing"]) as server:
        assert "KeyError" in post(server).text


def test_pieces_of_a_stream_have_the_size_that_was_asked_for():
    with ScriptedServer(Said("abcdefg", calls=(Call("look", {"at": 1}),), piece=3)) as server:
        text = post(server, stream=True).text
    chunks = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert [delta["content"] for delta in deltas if delta.get("content")] == ["abc", "def", "g"]
    parts = [call["function"]["arguments"] for delta in deltas for call in delta.get("tool_calls", [])]
    assert json.loads("".join(parts)) == {"at": 1}
    assert text.endswith("data: [DONE]\n\n")


def test_what_is_held_comes_when_it_is_let_go():
    hold = threading.Event()
    with (
        ScriptedServer(Said("abcdef", piece=3, hold=hold)) as server,
        httpx.stream("POST", f"{server.url}/api/chat", json=ASKED, timeout=120) as answer,
    ):
        pieces = answer.iter_raw()
        assert b"abc" in next(pieces)
        hold.set()
        assert b'"done": true' in b"".join(pieces)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", Fault)
def test_each_fault_goes_wrong_in_its_way(fault, stream):
    with ScriptedServer(Said(f"Well. {PROPOSED}", fault=fault)) as server:
        match fault:
            case Fault.TIMEOUT:
                with pytest.raises(httpx.ReadTimeout):
                    httpx.post(
                        f"{server.url}/v1/chat/completions", json=ASKED, timeout=httpx.Timeout(60, read=0.05)
                    )
                assert server.left.wait(60)
            case Fault.RESET | Fault.CUT:
                with pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)):
                    post(server, stream=stream)
            case Fault.BUSY | Fault.BROKEN:
                assert post(server, stream=stream).status_code == int(fault)
            case _:
                answer = post(server, stream=stream)
                assert answer.status_code == 200
                assert ("gzip" in answer.headers.get("content-encoding", "")) == (fault is Fault.PACKED)


def test_the_json_of_a_block_is_spoilt_and_nothing_around_it():
    block = f"Yes. <MEMORY_PROPOSALS_JSON>{PROPOSED}</MEMORY_PROPOSALS_JSON> Bye."
    assert spoil(block, Fault.NULL) == "Yes. <MEMORY_PROPOSALS_JSON>null</MEMORY_PROPOSALS_JSON> Bye."
    assert spoil(block, None) == spoil(block, Fault.RESET) == block
    wrong = json.loads(spoil(PROPOSED, Fault.WRONG_TYPES))
    assert wrong == [{"content": [7], "confidence": {"value": "seven"}}]
    assert len(json.loads(spoil(PROPOSED, Fault.DUPLICATES))) == 10
    assert len(spoil(PROPOSED, Fault.HUGE)) > 10_000_000
    with pytest.raises(json.JSONDecodeError):
        json.loads(spoil(PROPOSED, Fault.TRUNCATED))


def test_requests_are_kept_as_they_came():
    with ScriptedServer() as server:
        httpx.put(
            f"{server.url}/a%2Fb?c", content=iter([b"one", b"two"]), headers={"X-Odd": "1"}, timeout=120
        )
        [asked] = server.requests
    assert (asked.method, asked.target, asked.path, asked.body) == ("PUT", "/a%2Fb?c", "/a%2Fb", b"onetwo")
    assert asked.header("x-odd") == "1"


def test_a_model_that_it_has_not_is_not_found():
    with ScriptedServer(models=["a", "b"]) as server:
        assert post(server).status_code == 404
        assert post(server, model="a").status_code == 200
        assert len(httpx.get(f"{server.url}/v1/models", timeout=120).json()["data"]) == 2


def threaded(server, thread, beta="message-threads-2026-08-12", **more):
    asked = ASKED | {"max_tokens": 9, "thread": thread} | more
    headers = {"anthropic-beta": beta} if beta else {}
    return httpx.post(f"{server.url}/v1/messages", json=asked, headers=headers, timeout=120)


def test_a_thread_goes_on_with_what_is_new_and_takes_nothing_of_its_beginning_again():
    with ScriptedServer([Said("one", calls=(Call("look"),)), "two"]) as server:
        first = threaded(server, {"type": "create"}, system="Be brief.").json()
        goes_on = {"type": "continue", "previous_message_id": first["id"]}
        refused = [threaded(server, goes_on, **{name: "x"}) for name in ("system", "tools")]
        assert [(one.status_code, "cannot be set" in one.text) for one in refused] == [(400, True)] * 2
        assert "without `tool_result`" in threaded(server, goes_on).text
        result = {"type": "tool_result", "tool_use_id": first["content"][1]["id"], "content": "x"}
        answer = [{"role": "user", "content": [result]}]
        assert threaded(server, goes_on, messages=answer).json()["content"][0]["text"] == "two"


def test_a_thread_that_cannot_go_on_is_begun_anew_by_its_client():
    def code(answer):
        return answer.json()["error"].get("details", {}).get("error_code")

    with ScriptedServer("Yes.") as server:
        first = threaded(server, {"type": "create"}).json()["id"]
        goes_on = {"type": "continue", "previous_message_id": first}
        assert threaded(server, goes_on, messages=[]).status_code == 200
        assert code(threaded(server, goes_on)) == "thread_already_continued"
        assert code(threaded(server, goes_on | {"previous_message_id": "msg_0"})) == "thread_not_found"
        assert code(threaded(server, {"type": "create"}, beta="")) is None
        assert threaded(server, {"type": "create"}, beta="").status_code == 400
