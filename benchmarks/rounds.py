"""One round of the speed bench over one store, in a process of its own.

Run as a file, with a plan on standard input and the answer on standard output, so that the same code
measures any version of the package: of that, nothing is used but what its users import.

    {"do": "fill", "path": …, "texts": FILE, "size": n, "scopes": […], "settings": {VARIABLE: value}}
    {"do": "index", "path": …, "settings": {…}}
    {"do": "measure", "path": …, "settings": {…}, "asked": [[question, scope], …],
     "few": n, "context_tokens": n, "writes": null | {"scopes": […], "singles": […], "turns": […],
     "processor": […], "threads": [[…], …], "bulk": […]}}

Times are lists in ms in the order of the plan, rates items a second.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any, Final

import apsw

import simonides
from simonides import Memory
from simonides.config import Settings, load
from simonides.memory import SearchFields

_PREFIX: Final = "SIMONIDES_"
#: Inputs of one call while filling.
_PIECE: Final = 10_000
_TELL_EVERY_S: Final = 10.0
#: Calls of a kind before times are taken.
WARM_UP: Final = 10


def main() -> None:
    """Do what the plan says."""
    plan = json.load(sys.stdin)
    done = {"fill": fill, "index": index, "measure": measure}[plan["do"]](plan)
    json.dump(done | {"package": str(Path(simonides.__file__).parent)}, sys.stdout)


def known_settings(given: Mapping[str, str]) -> dict[str, str]:
    """Of settings as variables of the environment, those whose section this version has."""
    sections = {found.name for found in fields(Settings)}
    return {
        name: value
        for name, value in given.items()
        if name.removeprefix(_PREFIX).partition("_")[0].lower() in sections
    }


def fill(plan: Mapping[str, Any], piece: int = _PIECE) -> dict[str, Any]:
    """Add the first texts of a file, one a line, scopes by turns.

    Args:
        piece: Inputs of one call: no more of the texts is held in memory.
    """
    size, scopes = plan["size"], plan["scopes"]
    spent, accepted, done, calls, told = 0.0, 0, 0, 0, time.monotonic()
    with _opened(plan) as memory, Path(plan["texts"]).open(encoding="utf-8") as lines:
        texts = islice((line.rstrip("\n") for line in lines), size)
        while inputs := [
            {"content": text, "scope": scopes[n % len(scopes)]}
            for n, text in enumerate(islice(texts, piece), done)
        ]:
            began = time.perf_counter()
            added = memory.add(inputs)
            spent += time.perf_counter() - began
            accepted += sum(verdict.outcome.value == "accepted" for verdict in added.verdicts)
            done += len(inputs)
            calls += 1
            if time.monotonic() - told > _TELL_EVERY_S:
                told = time.monotonic()
                sys.stderr.write(f"  {done:,} of {size:,} items, {done / spent:,.0f}/s\n")
                sys.stderr.flush()
    return {"spent_s": spent, "calls": calls, "not_accepted": done - accepted}


def index(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Make the index that a process which goes on searching makes in the background."""
    with _opened(plan) as memory:
        made = memory.reindex() if hasattr(memory, "reindex") else "exact"
    return {"index": made}


def measure(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Time reading, and writing where the plan holds what to write."""
    with _opened(plan) as memory:
        found = _reading(memory, plan)
        if plan["writes"] is not None:
            found |= _writing(memory, plan["writes"])
    if plan["writes"] is not None:
        found["bare_commit_ms"] = _bare_commits(Path(plan["path"]), plan["writes"]["singles"])
        found["bulk_items_per_s"] = _bulk(plan)
    return found


def _opened(plan: Mapping[str, Any]) -> Memory:
    return Memory(plan["path"], settings=load(None, known_settings(plan["settings"])))


def _reading(memory: Memory, plan: Mapping[str, Any]) -> dict[str, Any]:
    asked = plan["asked"]
    few = asked[: plan["few"]]
    ask: Any = memory.search

    def search(given: Sequence[str]) -> object:
        return ask(given[0], scope=given[1])

    def explore(given: Sequence[str]) -> object:
        return ask(given[0], scope=given[1], agenda=True)

    def context(given: Sequence[str]) -> object:
        return memory.context(given[0], scope=given[1], max_tokens=plan["context_tokens"])

    _times_ms(search, asked[:WARM_UP])
    found: dict[str, Any] = {
        "search_ms": _times_ms(search, asked),
        "search_processor_ms": _times_ms(search, few, time.process_time),
        "context_ms": _times_ms(context, few),
    }
    if "agenda" in SearchFields.__annotations__:
        found["agenda_ms"] = _times_ms(explore, few)
    else:
        sys.stderr.write("  this version has no agenda; its time is left out\n")
    return found


def _writing(memory: Memory, writes: Mapping[str, Any]) -> dict[str, Any]:
    scopes: Sequence[str] = writes["scopes"]

    def add(given: tuple[int, str]) -> object:
        return memory.add(given[1], scope=scopes[given[0] % len(scopes)])

    def turn(given: tuple[int, str]) -> object:
        message = {"role": "assistant" if given[0] % 2 else "user", "content": given[1]}
        return memory.add(message, session_id="speed", scope=scopes[0])

    def numbered(name: str) -> list[tuple[int, str]]:
        texts: Sequence[str] = writes[name]
        return list(enumerate(texts))

    batches: Sequence[Sequence[str]] = writes["threads"]
    found: dict[str, Any] = {
        "add_ms": _times_ms(add, numbered("singles"))[WARM_UP:],
        "turn_ms": _times_ms(turn, numbered("turns")),
        "add_processor_ms": _times_ms(add, numbered("processor"), time.process_time),
    }
    began = time.perf_counter()
    _from_threads(memory, batches, scopes)
    found["threads_items_per_s"] = sum(map(len, batches)) / (time.perf_counter() - began)
    return found


def _from_threads(memory: Memory, batches: Sequence[Sequence[str]], scopes: Sequence[str]) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for text in batches[number]:
                memory.add(text, scope=scopes[number % len(scopes)])
        except BaseException as error:  # noqa: BLE001 - a thread's outermost edge; raised again below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(batches))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def _bulk(plan: Mapping[str, Any]) -> float:
    """Items a second of one call that adds many to a store of their own."""
    path = Path(plan["path"]).with_name("bulk.db")
    with _opened(dict(plan, path=str(path))) as memory:
        memory.add("A first text, so that what is loaded at the first write is there.")
        began = time.perf_counter()
        memory.add(plan["writes"]["bulk"])
        spent = time.perf_counter() - began
    for left in _files(path):
        left.unlink()
    return len(plan["writes"]["bulk"]) / spent


def _bare_commits(beside: Path, texts: Sequence[str]) -> list[float]:
    """Single durable rows without index, vector, revision or audit: what the disk allows."""
    path = beside.with_name("bare.db")
    connection: Any = apsw.Connection(str(path))
    for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE kept (text)"):
        connection.execute(statement).fetchall()
    times = _times_ms(lambda text: connection.execute("INSERT INTO kept VALUES (?)", (text,)), texts)
    connection.close()
    for left in _files(path):
        left.unlink()
    return times


def _files(path: Path) -> Iterator[Path]:
    """A database and what SQLite left beside it."""
    yield from path.parent.glob(f"{path.name}*")


def _times_ms(
    call: Callable[[Any], object], inputs: Sequence[Any], clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    found: list[float] = []
    for given in inputs:
        began = clock()
        call(given)
        found.append((clock() - began) * 1000)
    return found


if __name__ == "__main__":
    main()
