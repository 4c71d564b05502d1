"""Servers on this machine that speak the APIs of providers, and misbehave when told to."""

import hashlib
import json
import re
import socket
import threading
import zlib
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

OPENAI_PATH = "/v1/embeddings"
OLLAMA_PATH = "/api/embed"
CHAT_PATH = "/v1/chat/completions"
RERANK_PATH = "/rerank"


class ModelServer:
    """Shared parts of such servers. `mischief` says how the next requests are met:

    a number (that HTTP status), "hang up", "silent" (until the test ends), "drip" (a byte now and then, until the
    test ends), "dripping head" (the same, before the answer begins), "redirect" (to itself), "packed", "not json",
    "html", "empty", "null", "cut off" (before the end), "deep", "10 MB"; what else there is, each server says
    itself.
    """

    def __init__(self):
        self.retry_after = None
        self.error_body = json.dumps({"error": "told to misbehave"})
        self.mischief = deque()
        self.requests = []
        self.released = threading.Event()
        self._http = _Quiet(("127.0.0.1", 0), _Handler)
        self._http.models = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def header(self):
        """The last request's header of a name, or None."""
        return {key.lower(): value for key, value in self.requests[-1][2].items()}.get

    def page(self, path):
        """Answer to a GET; None where there is nothing."""

    def speaks(self, path):
        """True if something can be asked there."""
        raise NotImplementedError

    def answer(self, path, body, mischief):
        """Answer as JSON; or a status and an error's text."""
        raise NotImplementedError

    def close(self):
        self.released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class EmbeddingServer(ModelServer):
    """Vectors come from a hash of the text.

    Its mischief: "no vectors", "nan", "infinity", "nulls", "text", "huge", "wrong dimension", "ragged",
    "zeros", "one fewer", "one more", "shuffled", "unnumbered".
    """

    def __init__(self):
        self.dimension = 8
        self.digests = {"nomic-embed-text:latest": "sha256:aaaa"}
        super().__init__()

    @property
    def batches(self):
        """The texts of each request for vectors, in the order they came."""
        return [body["input"] for path, body, _ in self.requests if self.speaks(path)]

    def vector(self, text, dimension=None):
        """A vector of no particular length, as servers give it."""
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        return (np.random.default_rng(seed).normal(size=dimension or self.dimension) * 3).tolist()

    def page(self, path):
        if path == "/api/tags":
            return {"models": [{"model": name, "digest": digest} for name, digest in self.digests.items()]}
        return None

    def speaks(self, path):
        return path in {OPENAI_PATH, OLLAMA_PATH}

    def answer(self, path, body, mischief):
        rows = _spoilt([self.vector(text, body.get("dimensions")) for text in body["input"]], mischief)
        if path == OLLAMA_PATH:
            return {"model": "m", "embeddings": rows}
        data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
        if mischief == "shuffled":
            data.reverse()
        if mischief == "unnumbered":
            data = [{**row, "index": 0} for row in data]
        return {
            "object": "list",
            "data": data,
            "model": "m",
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }


class RerankServer(ModelServer):
    """Speaks `/rerank` as Cohere and Jina do, or as TEI does, whichever it is asked like. Texts that share words
    with the question are scored higher; results come best first.

    Its mischief: "nan", "infinity", "too large", "text", "true", "nulls", "not numbered", "out of range",
    "below zero", "one fewer", "one more", "twice", "no list", "numbers".
    """

    def speaks(self, path):
        return path.endswith(RERANK_PATH)

    @property
    def bodies(self):
        return [body for _, body, _ in self.requests]

    def answer(self, path, body, mischief):
        texts = body.get("texts") or body["documents"]
        key = "score" if "texts" in body else "relevance_score"
        wanted = set(re.findall(r"\w+", body["query"].lower()))
        shares = [len(wanted & set(re.findall(r"\w+", text.lower()))) / len(wanted) for text in texts]
        rows = [{"index": index, key: share} for index, share in enumerate(shares)]
        rows = _bent(sorted(rows, key=lambda row: -row[key]), key, mischief)
        return rows if "texts" in body else {"id": "1", "results": rows, "meta": {}}


class ChatServer(ModelServer):
    """Says `says` one after the other, then "Good morning." It understands all or some forms of answers, and may
    know other parameters.

    Its mischief: "refusal", "filtered", "cut", "blank", "nothing", "a list", "no choices", "no message".
    """

    def __init__(self):
        self.says = deque()
        self.forms = {"json_schema", "json_object"}
        self.unknown = set()
        super().__init__()

    def speaks(self, path):
        return path == CHAT_PATH

    @property
    def bodies(self):
        return [body for _, body, _ in self.requests]

    def answer(self, path, body, mischief):
        form = body.get("response_format", {}).get("type")
        if form is not None and form not in self.forms:
            return 400, "this server does not know such a thing"
        if found := self.unknown & set(body):
            instead = "; use 'max_completion_tokens'" if min(found) == "max_tokens" else ""
            return 400, f"Unsupported parameter: {min(found)!r}{instead}"
        message = {"role": "assistant", "content": self.says.popleft() if self.says else "Good morning."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        match mischief:
            case "refusal":
                message |= {"content": None, "refusal": "I cannot\nhelp with that."}
            case "filtered":
                choice["finish_reason"] = "content_filter"
            case "cut":
                choice["finish_reason"] = "length"
            case "blank":
                message["content"] = " \n"
            case "nothing":
                message["content"] = None
            case "a list":
                message["content"] = [{"type": "text", "text": "hello"}]
            case "no message":
                del choice["message"]
        choices = [] if mischief == "no choices" else [choice]
        return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


class _Quiet(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, request, client_address):
        """A client that gave up leaves a broken pipe; its own error is what a test looks at."""


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format, *args):  # noqa: A002 - the name it has
        pass

    def do_GET(self):
        self._server.requests.append((self.path, None, dict(self.headers)))
        page = self._server.page(self.path)
        if page is None:
            return self._send(404, json.dumps({"error": "no such page"}))
        return self._send(200, json.dumps(page))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self._server
        server.requests.append((self.path, body, dict(self.headers)))
        if not server.speaks(self.path):
            return self._send(404, json.dumps({"error": "no such page"}))
        mischief = server.mischief.popleft() if server.mischief else None
        match mischief:
            case int():
                return self._send(mischief, server.error_body)
            case "hang up":
                return self.connection.shutdown(socket.SHUT_RDWR)
            case "silent":
                server.released.wait()
                return None
            case "drip" | "dripping head":
                return self._drip(headless=mischief == "drip")
            case "redirect":
                return self._send(307, "", location=f"{server.url}/elsewhere{self.path}")
            case "not json":
                return self._send(200, "<html>")
            case "html":
                return self._send(200, "<html>", kind="text/html")
            case "empty":
                return self._send(200, "{}")
            case "null":
                return self._send(200, "null")
            case "deep":
                return self._send(200, "[" * 200_000)
            case "10 MB":
                return self._send(200, '"' + "x" * 10_000_000 + '"')
            case "packed":
                return self._send(200, zlib.compress(b"{}"), packing="deflate")
        answer = server.answer(self.path, body, mischief)
        if isinstance(answer, tuple):
            return self._send(answer[0], json.dumps({"error": {"message": answer[1]}}))
        text = json.dumps(answer)
        return self._send(200, text[:-20] if mischief == "cut off" else text, length=len(text.encode()))

    def _drip(self, *, headless):
        """A byte every hundredth of a second, so that no single read waits for long."""
        self.wfile.write(b"HTTP/1.0 200 OK\r\n")
        self.wfile.write(b"Content-Type: application/json\r\n\r\n" if headless else b"X-Slow: ")
        while not self._server.released.wait(0.01):
            self.wfile.write(b" ")

    def _send(self, status, text, *, kind="application/json", length=None, packing=None, location=None):
        content = text if isinstance(text, bytes) else text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in (
            ("Retry-After", self._server.retry_after),
            ("Content-Encoding", packing),
            ("Location", location),
        ):
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    @property
    def _server(self):
        return self.server.models


def _spoilt(rows, mischief):
    first = rows[0]
    match mischief:
        case "no vectors":
            return []
        case "nan":
            return [[float("nan"), *first[1:]], *rows[1:]]
        case "infinity":
            return [[float("inf"), *first[1:]], *rows[1:]]
        case "nulls":
            return [[None, *first[1:]], *rows[1:]]
        case "text":
            return [["a lot", *first[1:]], *rows[1:]]
        case "huge":
            return [[number * 1e200 for number in row] for row in rows]
        case "wrong dimension":
            return [row[:-1] for row in rows]
        case "ragged":
            return [first[:-1], *rows[1:]]
        case "zeros":
            return [[0.0] * len(row) for row in rows]
        case "one fewer":
            return rows[1:]
        case "one more":
            return [first, *rows]
        case _:
            return rows


def _bent(rows, key, mischief):
    first = rows[0]
    scores = {
        "nan": float("nan"),
        "infinity": float("inf"),
        "too large": 1e300,
        "text": "0.5",
        "true": True,
        "nulls": None,
    }
    indices = {"not numbered": None, "out of range": len(rows), "below zero": -1}
    match mischief:
        case "one fewer":
            return rows[1:]
        case "one more":
            return [*rows, {"index": len(rows), key: 0.5}]
        case "twice":
            return [first, first, *rows[2:]]
        case "no list":
            return {"0": 0.5}
        case "numbers":
            return [row[key] for row in rows]
        case _ if mischief in scores:
            return [{**first, key: scores[mischief]}, *rows[1:]]
        case _ if mischief in indices:
            return [{**first, "index": indices[mischief]}, *rows[1:]]
        case _:
            return rows


@pytest.fixture
def no_providers_in_the_environment(monkeypatch):
    """The environment names no proxy, key or other server."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "OLLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def _running(kind):
    @pytest.fixture
    def server(no_providers_in_the_environment):
        """A server that behaves, until told otherwise."""
        running = kind()
        yield running
        running.close()

    return server


embedding_server = _running(EmbeddingServer)
rerank_server = _running(RerankServer)
chat_server = _running(ChatServer)


@pytest.fixture
def closed_port():
    """The address of a port where nothing listens."""
    with socket.socket() as taken:  # As long as it is bound, nobody else has it.
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
