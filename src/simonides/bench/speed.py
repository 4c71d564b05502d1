"""Times, rates, memory and bytes over the corpus of `corpus.py`."""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import apsw

from simonides.bench.corpus import Corpus
from simonides.bench.install import base_install
from simonides.bench.report import Table, finish, options_of, progress, result
from simonides.bench.timing import fresh, percentiles, timed, times_ms
from simonides.config import Settings
from simonides.domain.verdict import Outcome
from simonides.memory import Memory
from simonides.sample import load_sample

TEN: Final = "ten scopes"
ONE: Final = "one scope"
_THREADS: Final = 32
_CONTEXT_TOKENS: Final = 2000
_WARM_UP: Final = 10
#: Queries that are also timed in other ways.
_FEW: Final = 100
_IMPORT: Final = """
import time
began = time.perf_counter()
from simonides import Memory
print(time.perf_counter() - began, flush=True)
"""
_FIRST_HIT: Final = """
import sys
from simonides import Memory
from simonides.config import Settings
memory = Memory(sys.argv[1], settings=Settings())
hits = len(memory.search(sys.argv[2], scope=sys.argv[3]))
try:
    with open("/proc/self/status") as status:
        used = next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
except OSError:
    import resource
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
print(hits, used, flush=True)
memory.close()
"""


@dataclass(frozen=True, slots=True)
class Effort:
    """How often is measured.

    Attributes:
        queries: Searches, for each size and layout.
        adds: Single writes of each kind, for each size.
        fresh: Processes whose median is taken.
    """

    queries: int = 300
    adds: int = 300
    fresh: int = 5


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "Times, rates, memory and bytes over a corpus made from a seed.")
    parser.add_argument("--sizes", type=_sizes, default=[10_000], metavar="N,…", help="items in the store")
    parser.add_argument("--seed", type=int, default=1, help="of the corpus")
    parser.add_argument("--queries", type=int, default=300, help="searches timed for each size and layout")
    parser.add_argument("--adds", type=int, default=300, help="single writes timed for each size")
    parser.add_argument("--fresh", type=int, default=5, help="fresh processes whose median is taken")
    parser.add_argument("--folder", type=Path, help="where the stores are made; a temporary one if not given")
    options = parser.parse_args(arguments)
    effort = Effort(options.queries, options.adds, options.fresh)
    outcome = measure(options.sizes, effort, seed=options.seed, folder=options.folder)
    return finish(outcome, tables(outcome), options)


def measure(
    sizes: Sequence[int], effort: Effort, *, seed: int = 1, folder: Path | None = None
) -> dict[str, Any]:
    """All figures. Stores are made in a folder of their own, which is removed."""
    corpus = Corpus(load_sample(), seed)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="simonides-bench-", dir=folder) as name:
        place = Path(name)
        for size in sizes:
            figures[str(size)] = _of_size(corpus, size, effort, place)
        import_s = median(float(fresh(_IMPORT, [], place, 1)[1][0]) for _ in range(effort.fresh))
    distributions, size_bytes = base_install()
    figures["import_s"] = import_s
    figures["install"] = {"distributions": len(distributions), "mb": size_bytes / 1e6, "bytes": distributions}
    figures["ratios"] = _ratios(figures, sizes)
    return result("speed", seed=seed, sizes={"items": list(sizes)} | asdict(effort), figures=figures)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures = outcome["figures"]
    sizes = [str(size) for size in outcome["sizes"]["items"]]
    head = ("", *(f"{int(size):,} items" for size in sizes))

    def row(label: str, *path: str) -> list[object]:
        return [label, *(_at(figures[size], path) for size in sizes)]

    writing = [
        row("add one text, durable, p50, ms", "add_ms", "p50"),
        row("add one text, durable, p99, ms", "add_ms", "p99"),
        row("the same, processor time, p50, ms", "add_processor_ms", "p50"),
        row("one row in bare SQLite, durable, p50, ms", "bare_commit_ms", "p50"),
        row("record one turn, p50, ms", "turn_ms", "p50"),
        row("record one turn, p99, ms", "turn_ms", "p99"),
        row("bulk add, items/s", "bulk_items_per_s"),
        row(f"{_THREADS} threads adding singly, items/s", "threads_items_per_s"),
        row("file, bytes per item", "file_bytes_per_item"),
        row("not accepted by the policy, items", "not_accepted"),
    ]
    reading = [
        row(f"search k=10, {kind}{layout}, {percentile}, ms", layout, f"search{part}_ms", percentile)
        for layout in (TEN, ONE)
        for kind, part in (("", ""), ("real questions, ", "_questions"), ("four words, ", "_words"))
        for percentile in (("p50", "p95", "p99") if not part else ("p50",))
    ]
    reading += [
        row(f"search k=10, {TEN}, processor time, p50, ms", TEN, "search_processor_ms", "p50"),
        row(f"search k=10, {ONE}, processor time, p50, ms", ONE, "search_processor_ms", "p50"),
        row(f"context of {_CONTEXT_TOKENS} tokens, {TEN}, p50, ms", TEN, "context_ms", "p50"),
        row(f"context of {_CONTEXT_TOKENS} tokens, {ONE}, p50, ms", ONE, "context_ms", "p50"),
        row(f"fresh process to first hit, {TEN}, s", TEN, "first_hit_s"),
        row(f"fresh process to first hit, {ONE}, s", ONE, "first_hit_s"),
        row("memory of that process, MB", ONE, "rss_mb"),
    ]
    install = figures["install"]
    other: list[list[object]] = [
        ["import, s", figures["import_s"]],
        ["base install, distributions", install["distributions"]],
        ["base install, MB", install["mb"]],
        *([name, value] for name, value in figures["ratios"].items()),
    ]
    return [
        Table("writing", head, writing),
        Table("reading", head, reading),
        Table("besides", ("", ""), other),
    ]


def _of_size(corpus: Corpus, size: int, effort: Effort, place: Path) -> dict[str, Any]:
    texts = corpus.texts(size)
    figures: dict[str, Any] = {}
    for layout, scopes in ((TEN, [f"project:p{n}" for n in range(10)]), (ONE, ["project:p0"])):
        path = place / f"{layout.partition(' ')[0]}-{size}.db"
        progress(f"{size:,} items, {layout}: filling")
        spent, not_accepted = _fill(path, texts, scopes)
        if layout == TEN:
            figures["bulk_items_per_s"] = size / spent
            figures["not_accepted"] = not_accepted
            figures["file_bytes_per_item"] = path.stat().st_size / size
        progress(f"{size:,} items, {layout}: reading")
        asked = [
            (question, scopes[(number if text is None else text) % len(scopes)], text is None)
            for number, (question, text) in enumerate(corpus.questions(texts, effort.queries))
        ]
        figures[layout] = _reading(path, asked, effort.fresh)
        if layout == TEN:
            progress(f"{size:,} items, {layout}: writing")
            figures |= _writing(corpus, path, scopes, effort.adds)
            figures["bare_commit_ms"] = percentiles(_bare_commits(place, texts[: effort.adds]), 50, 99)
        path.unlink()
    return figures


def _fill(path: Path, texts: Sequence[str], scopes: Sequence[str]) -> tuple[float, int]:
    """Add the texts in one call, scopes by turns; the time it took, and how many were not accepted."""
    inputs = [{"content": text, "scope": scopes[n % len(scopes)]} for n, text in enumerate(texts)]
    with Memory(path, settings=Settings()) as memory:
        added, spent = timed(lambda: memory.add(inputs))
    return spent, len(added) - added.count(Outcome.ACCEPTED)


def _reading(path: Path, asked: Sequence[tuple[str, str, bool]], attempts: int) -> dict[str, Any]:
    question, scope, _ = asked[0]
    first_hit_s, (_, rss_mb) = fresh(_FIRST_HIT, [str(path), question, scope], path.parent, attempts)
    with Memory(path, settings=Settings()) as memory:

        def search(given: tuple[str, str, bool]) -> object:
            return memory.search(given[0], scope=given[1])

        def context(given: tuple[str, str, bool]) -> object:
            return memory.context(given[0], scope=given[1], max_tokens=_CONTEXT_TOKENS)

        times_ms(search, asked[:_WARM_UP])
        searches = times_ms(search, asked)
        processor = times_ms(search, asked[:_FEW], time.process_time)
        contexts = times_ms(context, asked[:_FEW])
    by_kind = [
        [ms for ms, given in zip(searches, asked, strict=True) if given[2] is real] for real in (True, False)
    ]
    return {
        "search_ms": percentiles(searches, 50, 95, 99),
        "search_questions_ms": percentiles(by_kind[0], 50, 95, 99),
        "search_words_ms": percentiles(by_kind[1], 50, 95, 99),
        "search_processor_ms": percentiles(processor, 50),
        "context_ms": percentiles(contexts, 50, 95, 99),
        "first_hit_s": first_hit_s,
        "rss_mb": float(rss_mb),
    }


def _writing(corpus: Corpus, path: Path, scopes: Sequence[str], adds: int) -> dict[str, Any]:
    with Memory(path, settings=Settings()) as memory:
        singles = corpus.texts(adds, part=1)
        times_ms(memory.add, corpus.texts(_WARM_UP, part=2))

        def add(given: tuple[int, str]) -> object:
            return memory.add(given[1], scope=scopes[given[0] % len(scopes)])

        def turn(given: tuple[int, str]) -> object:
            message = {"role": "assistant" if given[0] % 2 else "user", "content": given[1]}
            return memory.add(message, session_id="speed", scope=scopes[0])

        add_ms = times_ms(add, enumerate(singles))
        turn_ms = times_ms(turn, enumerate(corpus.texts(adds, part=3)))
        processor_ms = times_ms(add, enumerate(corpus.texts(min(adds, _FEW), part=4)), time.process_time)
        each = max(1, adds // 10)
        batches = [corpus.texts(each, part=10 + n) for n in range(_THREADS)]
        _, spent = timed(lambda: _from_threads(memory, batches, scopes))
    return {
        "add_ms": percentiles(add_ms, 50, 95, 99),
        "add_processor_ms": percentiles(processor_ms, 50),
        "turn_ms": percentiles(turn_ms, 50, 95, 99),
        "threads_items_per_s": _THREADS * each / spent,
    }


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


def _bare_commits(place: Path, texts: Sequence[str]) -> list[float]:
    """Times in ms of single durable rows without index, vector, revision or audit: what the disk allows."""
    connection: Any = apsw.Connection(str(place / "bare.db"))
    for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "CREATE TABLE kept (text)"):
        connection.execute(statement).fetchall()
    times = times_ms(lambda text: connection.execute("INSERT INTO kept VALUES (?)", (text,)), texts)
    connection.close()
    (place / "bare.db").unlink()
    return times


def _ratios(figures: Mapping[str, Any], sizes: Sequence[int]) -> dict[str, float]:
    """What does not depend on the machine: figures of one run over each other."""
    least, most = str(min(sizes)), str(max(sizes))
    found = {
        "add one ÷ one bare row": figures[least]["add_ms"]["p50"] / figures[least]["bare_commit_ms"]["p50"]
    }
    if least != most:
        for layout in (TEN, ONE):
            found[f"search p50 in {layout}, {int(most):,} ÷ {int(least):,} items"] = (
                figures[most][layout]["search_ms"]["p50"] / figures[least][layout]["search_ms"]["p50"]
            )
    return found


def _at(figures: Any, path: Sequence[str]) -> object:
    for step in path:
        figures = figures[step]
    return figures


def _sizes(text: str) -> list[int]:
    try:
        found = [int(part.replace("_", "")) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers such as 10000,100000") from None
    if min(found) < 10:
        raise argparse.ArgumentTypeError("a store of the speed bench holds at least ten items")
    return found
