"""Calls of memory's tools over MCP beside the same calls in the process, and what thousands of them leave behind."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from mcp import Client, StdioServerParameters

from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import percentiles
from simonides.agent.tools import Tools
from simonides.memory import Memory

_SCOPE: Final = "project:p0"
_WARM_UP: Final = 20
#: Calls after which a server has everything that it will hold.
_SETTLED: Final = 0.2
_UNBOUNDED: Final = {
    "SIMONIDES_POLICY_CALLS_PER_MINUTE": "60000",
    "SIMONIDES_POLICY_PROPOSALS_PER_HOUR": "1000000",
}


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    os.environ.update(_UNBOUNDED)
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "mcp.db"
        with Memory(path) as memory:
            memory.add(
                [f"Dome {n} of the observatory is {n % 7} years old." for n in range(options.items)],
                scope=_SCOPE,
            )
        figures = asyncio.run(_measure(path, options.searches, options.calls))
    sizes = {"items": options.items, "searches": options.searches, "calls": options.calls}
    outcome = result(name, seed=None, sizes=sizes, figures=figures)
    return finish(outcome, tables(outcome), options)


async def _measure(path: Path, searches: int, calls: int) -> dict[str, Any]:
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "simonides", "mcp", "--db", str(path), "--scope", _SCOPE],
        env=dict(os.environ),
    )
    inside: list[float] = []
    over: list[float] = []
    with Memory(path) as memory:
        tools = Tools(memory, scope=_SCOPE)
        async with Client(command) as client:
            progress("searches over standard streams and in the process, by turns")
            for number in range(_WARM_UP + searches):
                asked = {"query": f"How old is dome {number % 97}?"}
                began = time.perf_counter()
                await asyncio.to_thread(tools.call, "memory.search", asked)
                middle = time.perf_counter()
                await client.call_tool("memory_search", asked)
                if number >= _WARM_UP:
                    inside.append((middle - began) * 1000)
                    over.append((time.perf_counter() - middle) * 1000)
            first, last = await _grown(client, path, calls)
    return {
        "in_process_ms": percentiles(inside, 50, 95),
        "stdio_ms": percentiles(over, 50, 95),
        "resident_mb": {"settled": first, "at the end": last},
    }


async def _grown(client: Client, path: Path, calls: int) -> tuple[float, float]:
    """Megabytes that the server holds after a part of the calls, and after all."""
    settled = 0.0
    for number in range(calls):
        if number == round(calls * _SETTLED):
            settled = _resident_mb(path)
        if number % 1000 == 0:
            progress(f"call {number:,} of {calls:,}")
        name, given = (
            ("memory_search", {"query": f"How old is dome {number % 97}?", "k": 3})
            if number % 4 == 0
            else ("memory_get", {"id": "01a20400-0000-7000-8000-000000000000"})
            if number % 4 == 1
            else ("memory_context", {"query": "dome", "max_tokens": 200})
            if number % 40 == 2
            else ("memory_get", {"id": 5})
        )
        await client.call_tool(name, given)
    return settled, _resident_mb(path)


def _resident_mb(path: Path) -> float:
    """Megabytes of the process that serves a store, where the system tells; else 0."""
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = file.read_bytes()
            if str(path).encode() in line and b"mcp" in line.split(b"\0"):
                status = (file.parent / "status").read_text()
                return round(int(status.partition("VmRSS:")[2].split()[0]) / 1024, 1)
    return 0.0


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    times = [
        ["in the process", *figures["in_process_ms"].values()],
        ["over standard streams", *figures["stdio_ms"].values()],
    ]
    held = [["server", *figures["resident_mb"].values()]]
    return [
        Table(f"ms of a search among {sizes['items']:,} items", ("", *figures["stdio_ms"]), times),
        Table(f"resident MB in {sizes['calls']:,} calls", ("", *figures["resident_mb"]), held),
    ]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "What the protocol adds to a search, and what thousands of calls leave behind.")
    parser.add_argument("--items", type=int, default=1000, help="in the store")
    parser.add_argument("--searches", type=int, default=300, help="each way")
    parser.add_argument("--calls", type=int, default=10_000, help="of the long round")
    return parser.parse_args(arguments)
