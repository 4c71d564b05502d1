"""A server under load: searches and writes of many clients at once, by one process and by several."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import Corpus
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.servers import ServedStore, peer_process, server_process
from benchmarks.timing import percentiles
from simonides import Memory
from simonides.errors import InvalidInput
from simonides.sample import load_sample

_SEED: Final = 7
_PIECE: Final = 500
#: What a client asks for, by mix: how many of a hundred requests write.
_MIXES: Final[Mapping[str, int]] = {"search": 0, "write": 100, "mixed": 20}
_PAGE_S: Final = 1.0
#: A lasting load is one that a server bears: each client waits between two requests, and few write.
_LASTING_PAUSE_S: Final = 2.0
_LASTING_WRITES: Final = 2
#: Times at which memory is looked at meanwhile.
_LOOKS: Final = 60
_LASTING: Final = ("lasting load: first MB", "last MB")
_START_S: Final = 120.0
_WARM_UP: Final = 8


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        made = Path(folder) / "made.db"
        corpus = Corpus(load_sample(), _SEED)
        texts = corpus.texts(options.items)
        _fill(made, texts)
        questions = [question for question, _ in corpus.questions(options.items, 200)]
        figures: dict[str, Any] = {}
        for workers in options.workers:
            path = Path(folder) / f"{workers}.db"
            shutil.copy(made, path)
            figures[str(workers)] = _measured(server_process(path, workers), str(workers), questions, options)
        if options.peers:
            path = Path(folder) / "texts.json"
            path.write_text(json.dumps(texts), "utf-8")
            figures["langgraph"] = _measured(peer_process(path), "langgraph", questions, options)
    sizes = {
        "items": options.items,
        "clients": options.clients,
        "seconds": options.seconds,
        "minutes": options.minutes,
        "workers": options.workers,
    }
    outcome = result(name, seed=_SEED, sizes=sizes, figures=figures)
    return finish(outcome, tables(outcome), options)


def _fill(path: Path, texts: Sequence[str]) -> None:
    """Store texts."""
    with Memory(path) as memory:
        for first in range(0, len(texts), _PIECE):
            progress(f"{first:,} of {len(texts):,} memories stored")
            memory.add(texts[first : first + _PIECE], scope="user:ana")


def _measured(
    process: AbstractContextManager[ServedStore], name: str, questions: list[str], options: argparse.Namespace
) -> dict[str, Any]:
    began = time.perf_counter()
    with process as served:
        asyncio.run(_ready(served))
        found: dict[str, Any] = {
            "start_s": time.perf_counter() - began,
            "start_processor_s": _processor_s(served.pid),
            "idle_mb": _memory_mb(served.pid),
        }
        for mix, writes in _MIXES.items():
            progress(f"{name}: {mix}")
            load = _Load(served, questions, writes)
            asyncio.run(load.run(options.clients, options.seconds))
            found[mix] = load.figures()
        found["memory_mb"] = _memory_mb(served.pid)
        if options.minutes:
            progress(f"{name}: lasting")
            found["lasting"] = asyncio.run(_lasting(served, questions, options))
    return found


async def _lasting(served: ServedStore, questions: list[str], options: argparse.Namespace) -> dict[str, Any]:
    """A load that a server bears, for some minutes; and its memory in the course of it."""
    load = _Load(served, questions, _LASTING_WRITES, _LASTING_PAUSE_S)
    seconds = 60 * options.minutes
    working = asyncio.create_task(load.run(options.clients, seconds))
    memory: list[float | None] = []
    while not working.done():
        await asyncio.wait([working], timeout=seconds / _LOOKS)
        memory.append(_memory_mb(served.pid))
    await working
    return load.figures() | {"memory_mb": memory}


async def _ready(served: ServedStore) -> None:
    async with asyncio.timeout(_START_S):
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                if (await _asked(await _opened(served), _request(served, "GET", "/readyz")))[0] == 200:
                    return
            await asyncio.sleep(0.02)


@dataclass
class _Load:
    """Clients that ask one after the other, each over a connection of its own; and a page that is open meanwhile.

    Attributes:
        writes: Of a hundred requests.
        pause_s: Between two requests of a client, on average.
    """

    served: ServedStore
    questions: list[str]
    writes: int
    pause_s: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    statuses: Counter[str] = field(default_factory=Counter[str])
    spent_s: float = 0.0

    async def run(self, clients: int, seconds: float) -> None:
        """Ask for so long; the first requests, which load what is needed, do not count."""
        warm = await _opened(self.served)
        for question in self.questions[:_WARM_UP]:
            await _asked(warm, self._search(question))
        began = time.perf_counter()
        page = asyncio.create_task(self._page())
        await asyncio.gather(*(self._client(number, began + seconds) for number in range(clients)))
        self.spent_s = time.perf_counter() - began
        page.cancel()

    def figures(self) -> dict[str, Any]:
        """Answers a second, waits in ms by what was asked, and what went wrong, by status."""
        asked = sum(len(times) for name, times in self.times.items() if name != "page")
        wrong = {status: count for status, count in self.statuses.items() if status not in {"200", "201"}}
        waits = {
            name: percentiles([1000 * one for one in times], 50, 99) for name, times in self.times.items()
        }
        return {"per_s": asked / self.spent_s, "errors": wrong, "ms": waits}

    async def _client(self, number: int, ends: float) -> None:
        chance = random.Random(f"{_SEED} {number}")
        line, count = await _opened(self.served), 0
        while time.perf_counter() < ends:
            count += 1
            if chance.randrange(100) < self.writes:
                kind, request = "write", self._write(f"Client {number} noted {count}: {chance.random()}")
            else:
                kind, request = "search", self._search(chance.choice(self.questions))
            if not await self._timed(kind, line, request):
                line = await _opened(self.served)
            if self.pause_s:
                await asyncio.sleep(2 * self.pause_s * chance.random())

    async def _page(self) -> None:
        line = await _opened(self.served)
        while True:
            if not await self._timed("page", line, _request(self.served, "GET", "/")):
                line = await _opened(self.served)
            await asyncio.sleep(_PAGE_S)

    async def _timed(self, kind: str, line: _Line, request: bytes) -> bool:
        began = time.perf_counter()
        try:
            status = str((await _asked(line, request))[0])
        except (OSError, asyncio.IncompleteReadError) as error:
            self.statuses[type(error).__name__] += 1
            return False
        self.times.setdefault(kind, []).append(time.perf_counter() - began)
        self.statuses[status] += 1
        return True

    def _search(self, question: str) -> bytes:
        return _request(self.served, "POST", "/v1/search", {"query": question, "k": 10})

    def _write(self, content: str) -> bytes:
        return _request(self.served, "POST", "/v1/memories", {"content": content})


_Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _opened(served: ServedStore) -> _Line:
    host, _, port = served.address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


def _request(served: ServedStore, method: str, path: str, fields: Mapping[str, Any] | None = None) -> bytes:
    body = b"" if fields is None else json.dumps(fields).encode()
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: {served.address}\r\nAuthorization: Bearer {served.token}\r\n"
        f"X-Simonides-Scope: user:ana\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _asked(line: _Line, request: bytes) -> tuple[int, bytes]:
    """Status and body of an answer."""
    reader, writer = line
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
    return int(head.split(" ", 2)[1]), await reader.readexactly(length)


def _memory_mb(pid: int) -> float | None:
    """Memory of a process and its children, what they share counted once; None where the system does not tell."""
    try:
        rolled = [Path(f"/proc/{one}/smaps_rollup").read_text("utf-8") for one in _family(pid)]
    except OSError:
        return None
    return sum(int(one.partition("\nPss:")[2].split()[0]) for one in rolled) / 1024


def _processor_s(pid: int) -> float | None:
    """Processor time of a process and its children so far; None where the system does not tell."""
    try:
        told = [
            Path(f"/proc/{one}/stat").read_text("utf-8").rpartition(")")[2].split() for one in _family(pid)
        ]
    except OSError:
        return None
    return sum(int(ticks) for one in told for ticks in one[11:13]) / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[int]:
    """A process and its children."""
    found = [pid]
    for one in found:
        found += map(int, Path(f"/proc/{one}/task/{one}/children").read_text("utf-8").split())
    return found


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    rows: list[list[object]] = []
    for workers, found in figures.items():
        for mix in (*_MIXES, *({"lasting"} & found.keys())):
            for kind, waits in found[mix]["ms"].items():
                rate = found[mix]["per_s"] if kind != "page" else None
                errors = sum(found[mix]["errors"].values())
                rows.append([f"{workers}: {mix}, {kind}", rate, *waits.values(), errors])
    title = f"{sizes['clients']} clients and a page on {sizes['items']:,} memories, by workers"
    parts = ("start_s", "start_processor_s", "idle_mb", "memory_mb")
    whole = [
        [workers, *(found.get(part) for part in parts), *_first_and_last(found)]
        for workers, found in figures.items()
    ]
    return [
        Table(title, ("asked", "a second", "p50 ms", "p99 ms", "errors"), rows),
        Table("the server", ("workers", "start s", "processor s", "idle MB", "loaded MB", *_LASTING), whole),
    ]


def _first_and_last(found: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Memory near the beginning and at the end of a lasting load."""
    looks = found.get("lasting", {}).get("memory_mb") or [None]
    return looks[0], looks[-1]


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "What a server answers to many clients at once, by one process and by several.")
    parser.add_argument("--items", type=int, default=10_000, help="in the store")
    parser.add_argument("--clients", type=int, default=64, help="at once")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each load")
    parser.add_argument("--minutes", type=float, default=0.0, help="of a load that lasts, after the others")
    parser.add_argument("--workers", type=_numbers, default=[1, 2], help="numbers of processes, by commas")
    parser.add_argument("--peers", action="store_true", help="measure LangGraph's store, served, as well")
    options = parser.parse_args(arguments)
    if (
        options.items < 1
        or options.clients < 1
        or options.seconds <= 0
        or options.minutes < 0
        or min(options.workers) < 1
    ):
        raise InvalidInput("give at least one item, one client, one worker and some time")
    return options
