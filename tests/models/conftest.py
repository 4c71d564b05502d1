"""A server on this machine that speaks the embedding APIs of OpenAI and Ollama, and misbehaves when told to."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

OPENAI_PATH = "/v1/embeddings"
OLLAMA_PATH = "/api/embed"


class EmbeddingServer:
    """Vectors come from a hash of the text. `mischief` says how the next requests for vectors are met:

    a number (that HTTP status), "hang up", "silent" (until the test ends), "not json", "html", "empty",
    "no vectors", "nan", "infinity", "null", "text", "huge", "wrong dimension", "ragged", "one fewer",
    "one more", "shuffled", "unnumbered".
    """

    def __init__(self):
        self.dimension = 8
        self.digests = {"nomic-embed-text:latest": "sha256:aaaa"}
        self.retry_after = None
        self.error_body = json.dumps({"error": "told to misbehave"})
        self.mischief = deque()
        self.requests = []
        self.released = threading.Event()
        self._http = _Quiet(("127.0.0.1", 0), _Handler)
        self._http.embeddings = self
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def batches(self):
        """The texts of each request for vectors, in the order they came."""
        return [body["input"] for path, body, _ in self.requests if path in {OPENAI_PATH, OLLAMA_PATH}]

    def vector(self, text, dimension=None):
        """A vector of no particular length, as servers give it."""
        seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
        return (np.random.default_rng(seed).normal(size=dimension or self.dimension) * 3).tolist()

    def close(self):
        self.released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


class _Quiet(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, request, client_address):
        """A client that gave up leaves a broken pipe; its own error is what a test looks at."""


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, format, *args):  # noqa: A002 - the name it has
        pass

    def do_GET(self):
        self._server.requests.append((self.path, None, dict(self.headers)))
        if self.path != "/api/tags":
            return self._send(404, json.dumps({"error": "no such page"}))
        models = [{"model": name, "digest": digest} for name, digest in self._server.digests.items()]
        return self._send(200, json.dumps({"models": models}))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server = self._server
        server.requests.append((self.path, body, dict(self.headers)))
        if self.path not in {OPENAI_PATH, OLLAMA_PATH}:
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
            case "not json":
                return self._send(200, "<html>")
            case "html":
                return self._send(200, "<html>", kind="text/html")
            case "empty":
                return self._send(200, "{}")
            case _:
                rows = [server.vector(text, body.get("dimensions")) for text in body["input"]]
                return self._send(200, json.dumps(self._answer(_spoilt(rows, mischief), mischief)))

    def _answer(self, rows, mischief):
        if self.path == OLLAMA_PATH:
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

    def _send(self, status, text, kind="application/json"):
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if self._server.retry_after is not None:
            self.send_header("Retry-After", self._server.retry_after)
        self.end_headers()
        self.wfile.write(content)

    @property
    def _server(self):
        return self.server.embeddings


def _spoilt(rows, mischief):
    first = rows[0]
    match mischief:
        case "no vectors":
            return []
        case "nan":
            return [[float("nan"), *first[1:]], *rows[1:]]
        case "infinity":
            return [[float("inf"), *first[1:]], *rows[1:]]
        case "null":
            return [[None, *first[1:]], *rows[1:]]
        case "text":
            return [["a lot", *first[1:]], *rows[1:]]
        case "huge":
            return [[number * 1e200 for number in row] for row in rows]
        case "wrong dimension":
            return [row[:-1] for row in rows]
        case "ragged":
            return [first[:-1], *rows[1:]]
        case "one fewer":
            return rows[1:]
        case "one more":
            return [first, *rows]
        case _:
            return rows


@pytest.fixture
def embedding_server(monkeypatch):
    """A server that behaves, until told otherwise. The environment names no proxy, key or other server."""
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST", "OLLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = EmbeddingServer()
    yield server
    server.close()


@pytest.fixture
def closed_port():
    """The address of a port where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"
