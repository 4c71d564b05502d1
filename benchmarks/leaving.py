"""Clients that leave, cancel, stall and ask again, and what others wait for meanwhile."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import socket
import struct
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.servers import BYPASS, chat_request, proxy_process, upstream_process
from benchmarks.timing import percentiles
from simonides.config import Settings
from simonides.memory import Memory

_WORDS: Final = 12
#: A request that takes longer is one that hangs.
_PATIENCE_S: Final = 20.0
_STALL_S: Final = 0.2
_MOMENT_S: Final = 0.003
_DEGRADED: Final = b"x-simonides-degraded"


class Manner(Enum):
    """Bad manners of a client."""

    LEAVES_WHILE_ASKING = auto()
    LEAVES_WHILE_HEARING = auto()
    LEAVES_AT_THE_END = auto()
    STALLS = auto()
    ASKS_AGAIN = auto()


@dataclass
class Heard:
    """Experience of patient clients.

    Attributes:
        waits_ms: From sending a request to the end of its answer.
        wrong: What came instead of a whole, good answer to the question.
        without_memory: Answers that say that memory was left out.
    """

    waits_ms: list[float] = field(default_factory=list[float])
    wrong: list[str] = field(default_factory=list[str])
    without_memory: int = 0


class Storm:
    """Bad clients around good ones, all asking one server. Answers have to repeat `probe-N` of their question.

    Args:
        headers: Lines of good clients' requests, each with its end: how they are told apart in what is measured.
    """

    def __init__(self, url: str, seed: int, headers: Sequence[str] = ("",)) -> None:
        parts = urlsplit(url)
        self._host, self._port = str(parts.hostname), int(parts.port or 80)
        self._random = random.Random(seed)
        self._headers = headers
        self._number = 0

    async def rage(self, clients: int, patient: int = 4) -> dict[str, Heard]:
        """Let so many bad clients loose at once while some good ones ask without a pause, and once more after it."""
        heard = {header: Heard() for header in self._headers}
        calm = asyncio.Event()
        asking = [
            asyncio.create_task(self._patient(header, heard[header], calm))
            for header in self._headers
            for _ in range(patient)
        ]
        await asyncio.gather(*(self._bad() for _ in range(clients)))
        calm.set()
        await asyncio.gather(*asking)
        # What was broken by the storm is met by those who come next.
        await asyncio.gather(
            *(self._good(header, heard[header]) for header in self._headers for _ in range(4 * patient))
        )
        return heard

    async def _patient(self, header: str, heard: Heard, calm: asyncio.Event) -> None:
        while not calm.is_set():
            await self._good(header, heard)

    async def _good(self, header: str, heard: Heard) -> None:
        self._number += 1
        mark = f"probe-{self._number}-"
        began = time.perf_counter()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                answer = await self._whole(self._request(mark, header, stream=self._random.random() < 0.5))
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            heard.wrong.append(f"{mark}: {error!r}")
            return
        heard.waits_ms.append((time.perf_counter() - began) * 1000)
        head, _, body = answer.partition(b"\r\n\r\n")
        # A stream cuts words as it likes.
        text = _said(body) if b"event-stream" in head else body
        if b" 200 " not in head.partition(b"\r\n")[0] or mark.encode() not in text:
            heard.wrong.append(f"{mark}: {answer[:300]!r}")
        heard.without_memory += _DEGRADED in head

    async def _whole(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            ends = reader.readuntil(b"0\r\n\r\n") if length is None else reader.readexactly(int(length[1]))
            return head + await ends
        finally:
            await _gone(writer)

    async def _bad(self) -> None:
        await asyncio.sleep(self._random.random())
        manner = self._random.choice(list(Manner))
        request = self._request("storm", self._random.choice(self._headers), stream=True)
        for _ in range(2 if manner is Manner.ASKS_AGAIN else 1):
            # What a bad client meets is its own affair.
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                await self._behave(manner, request)

    async def _behave(self, manner: Manner, request: bytes) -> None:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        if manner is Manner.LEAVES_WHILE_ASKING:
            request = request[: self._random.randrange(1, len(request))]
        try:
            writer.write(request)
            if manner is Manner.STALLS:
                await asyncio.sleep(self._random.random() * _STALL_S)
            elif manner is Manner.LEAVES_AT_THE_END:
                await reader.readuntil(self._random.choice((b"[DONE]", b'"stop"')))
                await asyncio.sleep(self._random.random() * _MOMENT_S)
            elif manner is not Manner.LEAVES_WHILE_ASKING:
                async with asyncio.timeout(self._random.random()):
                    await reader.readexactly(self._random.randrange(4000))
        finally:
            if self._random.random() < 0.5:  # Without a goodbye.
                found: socket.socket = writer.get_extra_info("socket")
                with suppress(OSError):
                    found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            await _gone(writer)

    def _request(self, mark: str, header: str, *, stream: bool) -> bytes:
        return chat_request(
            f"{self._host}:{self._port}",
            f"Which colour does the dome have, {mark}?",
            words=_WORDS,
            stream=stream,
            header=f"{header}Connection: close\r\n",
        )


async def _gone(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


def _said(body: bytes) -> bytes:
    """The text of a stream of events, chunked or not."""
    text: list[str] = []
    for line in body.splitlines():
        if line.startswith(b"data: {"):
            chunk = json.loads(line[6:])
            text += [choice["delta"].get("content") or "" for choice in chunk["choices"]]
    return "".join(text).encode()


@dataclass(frozen=True, slots=True)
class Effort:
    """Amount of measuring: bad clients at once, how often, and the pause between two words of the server."""

    clients: int = 200
    rounds: int = 10
    items: int = 1000
    pause_ms: float = 20.0


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    effort = Effort(options.clients, options.rounds, options.items, options.pause_ms)
    outcome = measure(effort, options.seed)
    return finish(outcome, tables(outcome), options)


def measure(effort: Effort, seed: int = 1) -> dict[str, Any]:
    """Let the same storms loose on a server, directly and through the proxy, in processes of their own."""
    direct, past, proxied = Heard(), Heard(), Heard()
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "leaving.db"
        with Memory(path, settings=Settings()) as memory:
            memory.add(
                [f"Dome {n} of the observatory is green." for n in range(effort.items)], scope="project:p0"
            )
        with (
            upstream_process(effort.pause_ms, repeats=True) as upstream,
            proxy_process(upstream, path) as proxy,
        ):
            for number in range(effort.rounds):
                progress(f"storm {number + 1} of {effort.rounds}")
                alone = Storm(upstream, seed + number)
                _join(direct, asyncio.run(alone.rage(effort.clients))[""])
                both = asyncio.run(Storm(proxy, seed + number, (BYPASS, "")).rage(effort.clients, patient=2))
                _join(past, both[BYPASS])
                _join(proxied, both[""])
    ways = {"without the proxy": direct, "through the proxy, past memory": past, "through the proxy": proxied}
    figures = {
        way: {
            "answers": len(heard.waits_ms),
            "p50": percentiles(heard.waits_ms, 50)["p50"],
            "most": max(heard.waits_ms),
            "wrong": len(heard.wrong),
            "without memory": heard.without_memory,
        }
        for way, heard in ways.items()
    }
    sizes = {
        "clients": effort.clients,
        "rounds": effort.rounds,
        "items": effort.items,
        "pause_ms": effort.pause_ms,
    }
    return result("leaving", seed=seed, sizes=sizes, figures=figures)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    sizes = outcome["sizes"]
    title = f"ms to the end of an answer while {sizes['clients']} clients leave, stall and ask again"
    head = ("", "answers", "p50", "most", "wrong or none", "without memory")
    rows = [[way, *figures.values()] for way, figures in outcome["figures"].items()]
    return [Table(title, head, rows)]


def _join(all_heard: Heard, heard: Heard) -> None:
    all_heard.waits_ms += heard.waits_ms
    all_heard.wrong += heard.wrong
    all_heard.without_memory += heard.without_memory


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "What others wait for while clients leave, cancel, stall and ask again.")
    standard = Effort()
    parser.add_argument("--clients", type=int, default=standard.clients, help="that behave badly at once")
    parser.add_argument("--rounds", type=int, default=standard.rounds, help="storms, each way")
    parser.add_argument("--items", type=int, default=standard.items, help="in the store")
    parser.add_argument("--pause-ms", type=float, default=standard.pause_ms, help="between two words")
    parser.add_argument("--seed", type=int, default=1, help="of the storms")
    return parser.parse_args(arguments)
