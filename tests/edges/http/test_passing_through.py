"""Requests that are no chat pass as they are: every byte, both ways, while it comes."""

import gzip
import threading

import httpx
import pytest

from simonides.testing_server import Fault, Page, Said

CHAT = "/v1/chat/completions"


def everything(asked):
    """A page that says in its body what it was asked."""
    headers = (
        ("X-Seen", "yes"),
        ("Set-Cookie", "a=1"),
        ("Set-Cookie", "b=2"),
        ("Content-Type", "text/x-odd"),
    )
    return Page(asked.body[::-1], 207, headers)


def test_every_method_path_query_and_body_reach_the_upstream_as_they_are(proxied):
    proxy = proxied(everything)
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"):
        passes_as_it_is(method, "/api//blobs/..%2Fsha256:ab;c?x=[1]&y=%20+%C3%A9&z", proxy)


def passes_as_it_is(method, target, proxy):
    body = bytes(range(256))
    connection = proxy.raw()
    connection.request(method, target, body, {"X-Odd": "a, b", "Content-Type": "application/x-odd"})
    answer = connection.getresponse()
    asked = proxy.upstream.requests[-1]
    assert (asked.method, asked.target, asked.body) == (method, target, body)
    assert (asked.header("x-odd"), asked.header("content-type")) == ("a, b", "application/x-odd")
    assert answer.status == 207
    assert answer.read() == body[::-1]
    assert answer.headers.get_all("set-cookie") == ["a=1", "b=2"]
    assert (answer.headers["x-seen"], answer.headers["content-type"]) == ("yes", "text/x-odd")
    assert [name.lower() for name in answer.headers if name.lower() in {"server", "date"}] == []


def test_a_question_for_the_head_only_is_answered_with_its_length(proxied):
    proxy = proxied(lambda _: Page(b"x" * 1234, 200, (("Etag", "7"),)))
    connection = proxy.raw()
    connection.request("HEAD", "/api/blobs/sha256:0")
    answer = connection.getresponse()
    assert (answer.status, answer.headers["etag"], answer.headers["content-length"]) == (200, "7", "1234")
    assert answer.read() == b""
    assert proxy.upstream.requests[-1].method == "HEAD"


def test_every_status_passes_and_no_redirect_is_followed(proxied):
    elsewhere = (("Location", "http://elsewhere.example/v1/models"),)

    def page(asked):
        status = int(asked.target.rpartition("/")[2])
        return Page(b"" if status in {204, 304} else b"as it is", status, elsewhere)

    proxy = proxied(page)
    statuses = [201, 204, 301, 304, 307, 400, 404, 418, 503]
    for status in statuses:
        answer = proxy.http().get(f"/v1/models/{status}", headers={"Authorization": "Bearer secret"})
        assert answer.status_code == status
        assert answer.headers["location"] == elsewhere[0][1]
    assert len(proxy.upstream.requests) == len(statuses)


def test_headers_of_one_connection_stay_there(proxied):
    proxy = proxied()
    proxy.http().get(
        "/v1/models",
        headers={
            "Connection": "keep-alive, X-Hop",
            "X-Hop": "1",
            "Keep-Alive": "timeout=5",
            "TE": "trailers",
            "Proxy-Authorization": "Basic abc",
            "Upgrade": "websocket",
            "X-Simonides-Session": "mine",
            "X-Kept": "1",
        },
    )
    [asked] = proxy.upstream.requests
    names = {name.lower() for name, _ in asked.headers}
    assert names & {"x-hop", "keep-alive", "te", "proxy-authorization", "upgrade", "connection"} == set()
    assert {name for name in names if name.startswith("x-simonides-")} == set()
    assert asked.header("x-kept") == "1"
    assert asked.header("host") == proxy.upstream.url.removeprefix("http://")


def test_a_body_is_sent_on_while_it_comes(proxied):
    proxy = proxied()
    arrived = threading.Event()
    received = []

    def parts():
        yield b"first"
        # The upstream has the whole body only when the client has sent all of it.
        yield b"second"
        arrived.set()

    received = proxy.http().put("/api/blobs/sha256:1", content=parts())
    assert received.status_code == 200
    assert arrived.is_set()
    assert proxy.upstream.requests[-1].body == b"firstsecond"


def test_a_page_that_comes_in_chunks_is_passed_on_chunk_by_chunk(proxied):
    proxy = proxied(lambda _: Page([b"one", b"two", b"three"]))
    with proxy.http().stream("GET", "/api/ps") as answer:
        assert b"".join(answer.iter_raw()) == b"onetwothree"
        assert answer.headers["transfer-encoding"] == "chunked"


def test_a_packed_page_stays_packed(proxied):
    packed = gzip.compress(b"a page")
    proxy = proxied(lambda _: Page(packed, 200, (("Content-Encoding", "gzip"),)))
    with proxy.http().stream("GET", "/v1/models", headers={"Accept-Encoding": "gzip, br"}) as answer:
        assert b"".join(answer.iter_raw()) == packed
    assert proxy.upstream.requests[-1].header("accept-encoding") == "gzip, br"


def test_a_chat_that_goes_past_memory_passes_byte_for_byte(proxied):
    proxy = proxied("An answer <MEMORY_PROPOSALS_JSON>[]</MEMORY_PROPOSALS_JSON>")
    body = (
        b'{"model":  "m", "messages": [{"role": "user", "content": "What do you remember of my telescope?"}]}'
    )
    answer = proxy.http().post(CHAT, content=body, headers={"X-Simonides-Bypass": "1"})
    assert proxy.upstream.requests[-1].body == body
    assert "MEMORY_PROPOSALS_JSON" in answer.text
    assert "x-simonides-why" not in answer.headers
    assert proxy.turns() == []


def test_with_mode_off_nothing_is_looked_into(proxied):
    proxy = proxied("An answer.", mode="off")
    body = b'{"messages": [{"role": "user", "content": "What do you remember of my telescope?"}]}'
    assert proxy.http().post(CHAT, content=body).status_code == 200
    assert proxy.upstream.requests[-1].body == body
    assert proxy.turns() == []


def test_the_path_of_the_upstreams_address_comes_first_and_its_version_once(serve, proxied):
    server = serve(lambda _: Page(b"{}"))
    proxy = proxied(upstream=f"{server.url}/openai/v1/")
    proxy.http().get("/v1/models?x=1")
    assert server.requests[-1].target == "/openai/v1/models?x=1"


def test_a_page_that_breaks_off_breaks_off_for_the_client(proxied):
    proxy = proxied(Said("A long answer that is cut in the middle of it.", fault=Fault.CUT))
    with pytest.raises(httpx.RemoteProtocolError):
        proxy.http().post(
            CHAT, json={"messages": [{"role": "user", "content": "x"}]}, headers={"X-Simonides-Bypass": "1"}
        )


@pytest.mark.parametrize(
    ("path", "said"),
    [("/v1/models", lambda body: body["error"]["message"]), ("/api/tags", lambda body: body["error"])],
)
def test_an_upstream_that_is_down_is_said_in_the_words_of_its_protocol(path, said, serve, proxied):
    server = serve()
    server.close()
    answer = proxied(upstream=server).http().get(path)
    assert answer.status_code == 502
    assert "cannot be reached" in said(answer.json())
    assert said(answer.json()).startswith(f"{server.url} cannot be reached (Connection refused); check")
