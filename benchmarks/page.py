"""Times of the page on a large store: answers over HTTP, and what a browser paints and is ready to use."""

from __future__ import annotations

import argparse
import shutil
import socket
import tempfile
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import uvicorn

from benchmarks.corpus import Corpus
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import percentiles
from simonides import Memory, Scope
from simonides.edges.http.access import Access
from simonides.edges.http.tokens import Credential
from simonides.edges.server.app import application
from simonides.errors import InvalidInput
from simonides.sample import load_sample

_SEED: Final = 7
_PIECE: Final = 500
_TYPES: Final = ("fact", "decision", "note", "event", "preference")
_WARM_UP: Final = 2
#: What a browser tells of a page that it loaded, in ms from the click on.
_TIMES: Final = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return { paint: paint ? paint.startTime : page.domInteractive, usable: page.domContentLoadedEventEnd };
}"""


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    options = _options(name, arguments)
    with (
        tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder,
        Memory(Path(folder) / "page.db") as memory,
    ):
        questions = _filled(memory, options.items)
        with _served(memory) as url:
            figures = _measured(memory, url, questions, options)
    sizes = {"items": options.items, "loads": options.loads}
    outcome = result(name, seed=_SEED, sizes=sizes, figures=figures)
    return finish(outcome, tables(outcome), options)


def _filled(memory: Memory, items: int) -> list[str]:
    """Store so many memories; questions about them."""
    corpus = Corpus(load_sample(), _SEED)
    texts = corpus.texts(items)
    for first in range(0, items, _PIECE):
        progress(f"{first:,} of {items:,} memories stored")
        for number, kind in enumerate(_TYPES):
            chosen = texts[first + number : first + _PIECE : len(_TYPES)]
            memory.add(chosen, type=kind, scope=f"project:p{first // _PIECE % 8}", tags=[f"tag-{number}"])
    return [question for question, _ in corpus.questions(items, 20)]


@contextmanager
def _served(memory: Memory) -> Generator[str]:
    """The server with this memory; its address."""
    access = Access.of("127.0.0.1", Credential(Scope("global")))
    with socket.create_server(("127.0.0.1", 0)) as bound:
        config = uvicorn.Config(application(memory, access), log_config=None, access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


def _measured(memory: Memory, url: str, questions: list[str], options: argparse.Namespace) -> dict[str, Any]:
    item = memory.search(questions[0], scope="project:p0", k=1).hits[0].item.id
    places: dict[str, list[str]] = {
        "search": [f"/?{urlencode({'q': question})}" for question in questions],
        "newest": ["/"],
        "memory": [f"/m/{item}"],
        "review": ["/review"],
        "palace": ["/palace"],
        "entities": ["/entities"],
        "timeline": ["/timeline"],
        "audit": ["/audit"],
    }
    answers = _answers(url, places, options.loads)
    return {
        "answer_ms": answers,
        "browser_ms": _painted(url, places, options.loads),
        "bytes": _weights(url, places),
    }


def _answers(url: str, places: Mapping[str, list[str]], loads: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with httpx.Client(base_url=url, timeout=60) as client:
        for name, paths in places.items():
            progress(f"answers: {name}")
            taken: list[float] = []
            for number in range(_WARM_UP + loads):
                began = time.perf_counter()
                client.get(paths[number % len(paths)]).raise_for_status()
                taken.append((time.perf_counter() - began) * 1000)
            found[name] = percentiles(taken[_WARM_UP:], 50, 95)
    return found


def _painted(url: str, places: Mapping[str, list[str]], loads: int) -> dict[str, Any]:
    """First paint and readiness in Debian's chromium; nothing where there is none."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return {}
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - of those who work on Simonides

    found: dict[str, Any] = {}
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for name, paths in places.items():
            progress(f"browser: {name}")
            times: list[Mapping[str, float]] = []
            for number in range(_WARM_UP + loads):
                page.goto(url + paths[number % len(paths)], wait_until="load")
                page.wait_for_timeout(50)
                times.append(page.evaluate(_TIMES))
            kept = times[_WARM_UP:]
            found[name] = {
                part: percentiles([one[part] for one in kept], 50, 95) for part in ("paint", "usable")
            }
        browser.close()
    return found


def _weights(url: str, places: Mapping[str, list[str]]) -> dict[str, int]:
    with httpx.Client(base_url=url, timeout=60) as client:
        return {name: len(client.get(paths[0]).content) for name, paths in places.items()}


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    rows: list[list[object]] = []
    for name, answer in figures["answer_ms"].items():
        browser = figures["browser_ms"].get(name)
        painted: list[object] = (
            ["–"] * 4 if browser is None else [*browser["paint"].values(), *browser["usable"].values()]
        )
        rows.append([name, *answer.values(), *painted, f"{figures['bytes'][name] / 1000:.0f}"])
    heads = ("place", "answer p50", "p95", "first paint p50", "p95", "usable p50", "p95", "kB")
    return [Table(f"ms of the page on {sizes['items']:,} memories", heads, rows)]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "How long the page takes to answer, to paint and to be ready on a large store.")
    parser.add_argument("--items", type=int, default=10_000, help="in the store")
    parser.add_argument("--loads", type=int, default=20, help="of each place, each way")
    options = parser.parse_args(arguments)
    if options.items < _PIECE or options.loads < 1:
        raise InvalidInput(f"give at least {_PIECE} --items and one of --loads")
    return options
