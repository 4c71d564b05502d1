"""A scripted server and the proxy before it, as processes of their own, and requests to them by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Scope of the proxy's memory.
SCOPE: Final = "project:p0"
#: Header line of a request that goes past memory.
BYPASS: Final = "X-Simonides-Bypass: 1\r\n"


def chat_request(address: str, question: str, *, words: int, stream: bool, header: str = "") -> bytes:
    """A request for a chat, head and body.

    Args:
        address: Host and port.
        words: Most tokens of the answer.
        header: Further lines of the head, each with its end.
    """
    asked = {
        "model": "m",
        "max_tokens": words,
        "stream": stream,
        "messages": [{"role": "user", "content": question}],
    }
    body = json.dumps(asked).encode()
    head = (
        f"POST /v1/chat/completions HTTP/1.1\r\nHost: {address}\r\n{header}"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@contextmanager
def upstream_process(pause_ms: float, *, repeats: bool = False) -> Generator[str]:
    """The address of a scripted server.

    Args:
        repeats: Whether it says what it was asked; else as many words as are asked for.
    """
    options = ["--pause-ms", str(pause_ms), *(["--repeat"] if repeats else [])]
    with _process(["simonides.testing_server", *options]) as process:
        yield _line(process).strip()


@contextmanager
def proxy_process(upstream: str, path: Path) -> Generator[str]:
    """The address of a proxy before it."""
    arguments = ["--upstream", upstream, "--port", "0", "--db", str(path), "--scope", SCOPE, "--json"]
    with _process(["simonides", "proxy", *arguments]) as process:
        said = _line(process)
        while not said.endswith("}\n"):
            said += _line(process)
        yield json.loads(said)["url"]


@dataclass(frozen=True, slots=True)
class ServedStore:
    """A server of a store.

    Attributes:
        pid: The process that was started; others may be its children.
    """

    address: str
    token: str
    pid: int


@contextmanager
def server_process(path: Path, workers: int) -> Generator[ServedStore]:
    """A server of a store, which may not have begun to answer yet."""
    arguments = ["--port", "0", "--db", str(path), "--workers", str(workers), "--no-upkeep", "--json"]
    with _process(["simonides", "serve", *arguments]) as process:
        said = _line(process)
        while not said.endswith("}\n"):
            said += _line(process)
        told = json.loads(said)
        token = told["page"].rpartition("=")[2]
        yield ServedStore(told["url"].removeprefix("http://"), token, process.pid)


@contextmanager
def peer_process(texts: Path) -> Generator[ServedStore]:
    """LangGraph's store of the texts in a file, served."""
    with _process(["benchmarks.peer_server", str(texts)], folder=Path(__file__).parents[1]) as process:
        address = json.loads(_line(process))["url"].removeprefix("http://")
        yield ServedStore(address, "none", process.pid)


@contextmanager
def _process(arguments: Sequence[str], *, folder: Path | None = None) -> Generator[subprocess.Popen[str]]:
    """A module run in a process of its own, with no settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SIMONIDES_")}
    process = subprocess.Popen(  # noqa: S603 - this interpreter with our own modules
        [sys.executable, "-m", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=kept,
        cwd=folder or tempfile.gettempdir(),
    )
    with process:
        try:
            yield process
        finally:
            process.terminate()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{' '.join(map(str, process.args))} ended; its error stands above")  # pyright: ignore[reportArgumentType]
    return line
