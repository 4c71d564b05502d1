"""Time that the proxy adds to the first byte, beside the same server without it, in one run."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from benchmarks.corpus import Corpus
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.servers import BYPASS, SCOPE, chat_request, proxy_process, upstream_process
from benchmarks.timing import percentiles
from simonides.config import Settings
from simonides.memory import Memory
from simonides.sample import load_sample

_DIRECT: Final = "without the proxy"
_PAST: Final = "through the proxy, past memory"
_PROXIED: Final = "through the proxy"
_WARM_UP: Final = 20
#: Words of an answer where only its beginning counts.
_FEW_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class Effort:
    """Amount of measuring.

    Attributes:
        items: In the store.
        requests: One after the other, each way.
        streams: At once.
        rounds: Streams of each of these, each way.
        words: Of a stream's answer.
        pause_ms: Between two words: 30 ms is a model that is quick on good hardware.
    """

    items: int = 10_000
    requests: int = 200
    streams: int = 32
    rounds: int = 4
    words: int = 60
    pause_ms: float = 30.0


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    effort = Effort(
        options.items, options.requests, options.streams, options.rounds, options.words, options.pause_ms
    )
    outcome = measure(effort, options.seed)
    return finish(outcome, tables(outcome), options)


def measure(effort: Effort, seed: int = 1) -> dict[str, Any]:
    """Fill a store, start server and proxy as processes of their own, and ask both by turns."""
    corpus = Corpus(load_sample(), seed)
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "proxy.db"
        progress(f"{effort.items:,} items: filling")
        with Memory(path, settings=Settings()) as memory:
            memory.add(corpus.texts(effort.items), scope=SCOPE)
        with upstream_process(effort.pause_ms) as upstream, proxy_process(upstream, path) as proxy:
            asked = [question for question, _ in corpus.questions(effort.items, _enough(effort))]
            ways = {
                _DIRECT: _Way(upstream),
                _PAST: _Way(proxy, BYPASS),
                _PROXIED: _Way(proxy),
            }
            figures = asyncio.run(_Measurement(effort, ways, asked).all())
    sizes = {
        "items": effort.items,
        "requests": effort.requests,
        "streams": effort.streams,
        "rounds": effort.rounds,
        "words": effort.words,
        "pause_ms": effort.pause_ms,
    }
    return result("proxy", seed=seed, sizes=sizes, figures=figures)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    titles = {
        "alone": "one after the other",
        "at_once": f"{sizes['streams']} streams at once",
        "burst": f"{sizes['streams']} streams begun in the same moment",
    }
    rows: list[list[object]] = []
    for key, title in titles.items():
        for way in (_DIRECT, _PAST, _PROXIED):
            rows.append([f"{title}, {way}", figures[key][way]["p50"], figures[key][way]["p95"]])
        rows.append([f"{title}, added", figures[key]["added"]["p50"], figures[key]["added"]["p95"]])
    rows.append(["answers without memory in time", figures["degraded"], None])
    title = f"time to the first byte in ms, {sizes['items']:,} items"
    return [Table(title, ("", "p50", "p95"), rows)]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "Time that the proxy adds to the first byte of an answer.")
    standard = Effort()
    parser.add_argument("--items", type=int, default=standard.items, help="in the store")
    parser.add_argument(
        "--requests", type=int, default=standard.requests, help="one after the other, each way"
    )
    parser.add_argument("--streams", type=int, default=standard.streams, help="at once")
    parser.add_argument("--rounds", type=int, default=standard.rounds, help="of streams, each way")
    parser.add_argument("--words", type=int, default=standard.words, help="of a stream's answer")
    parser.add_argument("--pause-ms", type=float, default=standard.pause_ms, help="between two words")
    parser.add_argument("--seed", type=int, default=1, help="of the corpus")
    return parser.parse_args(arguments)


def _enough(effort: Effort) -> int:
    """Questions for everything that is asked, so that none is asked twice the same way."""
    return effort.requests + _WARM_UP + 6 * effort.streams * effort.rounds


@dataclass(frozen=True, slots=True)
class _Way:
    """A server that is asked, and a header line for it."""

    url: str
    header: str = ""


class _Measurement:
    """Asks by turns, without the proxy, past memory, and with it."""

    def __init__(self, effort: Effort, ways: Mapping[str, _Way], asked: Sequence[str]) -> None:
        self._effort = effort
        self._ways = ways
        self._asked = asked
        self._next = 0
        self._degraded = 0

    async def all(self) -> dict[str, Any]:
        async with self._connections(1) as connections:
            for _ in range(_WARM_UP):
                question = self._question()
                for [connection] in connections.values():
                    await self._first_byte(connection, question, _FEW_WORDS)
        self._degraded = 0
        progress("one after the other")
        figures = {"alone": await self._alone()}
        progress(f"{self._effort.streams} streams at once")
        figures["at_once"] = await self._together(spread=True)
        progress(f"{self._effort.streams} streams begun in the same moment")
        figures["burst"] = await self._together(spread=False)
        return {**figures, "degraded": self._degraded}

    async def _alone(self) -> dict[str, Any]:
        times: dict[str, list[float]] = {way: [] for way in self._ways}
        async with self._connections(1) as connections:
            for _ in range(self._effort.requests):
                question = self._question()
                for way, [connection] in connections.items():
                    times[way].append(await self._first_byte(connection, question, _FEW_WORDS))
        return _figures(times)

    async def _together(self, *, spread: bool) -> dict[str, Any]:
        """All streams at once, round by round, without the proxy and with it.

        Args:
            spread: Whether they begin one after the other over the time that a stream takes, as those of people
                do; else all begin in the same moment.
        """
        effort, times = self._effort, {way: list[float]() for way in self._ways}
        step_s = effort.words * effort.pause_ms / 1000 / effort.streams if spread else 0.0
        async with self._connections(effort.streams) as connections:
            for _ in range(effort.rounds):
                for way in self._ways:
                    found = await asyncio.gather(
                        *(
                            self._later(number * step_s, connection, self._question())
                            for number, connection in enumerate(connections[way])
                        )
                    )
                    times[way] += found
        return _figures(times)

    @asynccontextmanager
    async def _connections(self, count: int) -> AsyncGenerator[dict[str, list[_Connection]]]:
        found = {name: [_Connection(way) for _ in range(count)] for name, way in self._ways.items()}
        try:
            yield found
        finally:
            await asyncio.gather(*(one.close() for connections in found.values() for one in connections))

    async def _later(self, wait_s: float, connection: _Connection, question: str) -> float:
        await asyncio.sleep(wait_s)
        return await self._first_byte(connection, question, self._effort.words)

    async def _first_byte(self, connection: _Connection, question: str, words: int) -> float:
        ms, degraded = await connection.ask(question, words)
        self._degraded += degraded
        return ms

    def _question(self) -> str:
        self._next += 1
        return self._asked[self._next % len(self._asked)]


class _Connection:
    """One client that keeps its connection. By hand, so that it costs next to nothing itself."""

    def __init__(self, way: _Way) -> None:
        parts = urlsplit(way.url)
        self._host, self._port = str(parts.hostname), int(parts.port or 80)
        self._header = way.header
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            await self._streams[1].wait_closed()

    async def ask(self, question: str, words: int) -> tuple[float, bool]:
        """Ask for a stream and read it to its end; ms until its first byte, and whether memory was left out."""
        request = chat_request(
            f"{self._host}:{self._port}", question, words=words, stream=True, header=self._header
        )
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        began = time.perf_counter()
        writer.write(request)
        answered = await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"\r\n")  # The size of the first chunk comes with it.
        ms = (time.perf_counter() - began) * 1000
        status = answered.partition(b"\r\n")[0].decode("latin-1")
        if " 200 " not in status:
            raise RuntimeError(f"the answer was {status}")
        await reader.readuntil(b"[DONE]\n\n\r\n0\r\n\r\n")
        return ms, b"x-simonides-degraded" in answered


def _figures(times: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    found: dict[str, Any] = {way: percentiles(ms, 50, 95, 99) for way, ms in times.items()}
    added = {name: found[_PROXIED][name] - found[_DIRECT][name] for name in found[_DIRECT]}
    return {**found, "added": added}
