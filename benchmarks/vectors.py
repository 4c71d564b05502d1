"""Indexes of vectors side by side: time to make, memory, disk, time to answer, and what they miss."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks import AT_HOME
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import fresh, percentiles, timed, times_ms
from benchmarks.vector_sets import DIMENSION, ArraySource, VectorSet, clusters, texts
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.selection import Selection
from simonides.ports.vectors import VectorIndex
from simonides.vectors.exact import ExactIndex
from simonides.vectors.registry import IndexRequest, IndexSettings, maker_of

KINDS: Final = ("exact", "faiss-pq", "faiss-hnsw", "faiss-ivf", "usearch", "sqlite-vec")
_PACKAGES: Final = {"usearch": "usearch", "sqlite-vec": "sqlite_vec"} | dict.fromkeys(
    ("faiss-pq", "faiss-hnsw", "faiss-ivf"), "faiss"
)
_MADE_BY: Final = {"clusters": clusters, "texts": texts}
#: What the read path asks a structure for, and what people do.
_LIMITS: Final = (10, 80)
_SCOPES: Final = 10
_MODEL: Final = EmbedderIdentity("bench", "bench", DIMENSION)
_ANYTHING: Final = Selection(scopes=None, live_at=None)
#: Nearer than this two cosines are the same.
_SAME: Final = 1e-6
_OPEN: Final = f"{AT_HOME} from benchmarks.vectors import opened; opened(*sys.argv[1:])"


@dataclass(frozen=True, slots=True)
class Plan:
    """Kinds, sizes and amounts to measure.

    Attributes:
        clusters, texts: Sizes with vectors of each origin.
        kinds: Of indexes.
        scoped: Kinds that are also measured with ten scopes, of which one is searched.
        questions: Asked of each.
    """

    clusters: tuple[int, ...] = (10_000,)
    texts: tuple[int, ...] = ()
    kinds: tuple[str, ...] = KINDS
    scoped: tuple[str, ...] = KINDS
    questions: int = 200


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "Indexes of vectors: time to make and to answer, memory, disk, and recall.")
    parser.add_argument(
        "--sizes", type=_sizes, default=(10_000,), metavar="N,…", help="vectors of a mixture of Gaussians"
    )
    parser.add_argument(
        "--texts", type=_sizes, default=(), metavar="N,…", help="vectors of the speed bench's texts"
    )
    parser.add_argument(
        "--kinds", type=_kinds, default=KINDS, metavar="KIND,…", help="indexes; all if not given"
    )
    parser.add_argument(
        "--scoped", type=_kinds, metavar="KIND,…", help="also with ten scopes; all of the kinds if not given"
    )
    parser.add_argument("--queries", type=int, default=200, help="questions asked of each")
    parser.add_argument("--seed", type=int, default=1, help="of the vectors")
    parser.add_argument("--folder", type=Path, help="where files are made; a temporary one if not given")
    options = parser.parse_args(arguments)
    scoped = options.kinds if options.scoped is None else options.scoped
    plan = Plan(options.sizes, options.texts, options.kinds, scoped, options.queries)
    outcome = measure(plan, seed=options.seed, folder=options.folder)
    return finish(outcome, tables(outcome), options)


def measure(plan: Plan, *, seed: int = 1, folder: Path | None = None) -> dict[str, Any]:
    """All figures. Files are made in a folder of their own, which is removed."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="simonides-bench-", dir=folder) as name:
        place = Path(name)
        for origin, sizes in (("clusters", plan.clusters), ("texts", plan.texts)):
            for size in sizes:
                progress(f"{size:,} vectors of {origin}")
                made = _MADE_BY[origin](size, plan.questions, seed, place)
                figures.setdefault(origin, {})[str(size)] = _of_set(made, plan, place)
                (place / f"{origin}-{size}.npy").unlink()
    return result("vectors", seed=seed, sizes=asdict(plan), figures=figures)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    head = (
        "", "made in, s", "on disk, MB", "in memory, MB", "opened in, s", "k=10, ms", "p95", "recall",
        "k=80, ms", "p95", "recall", "one of ten scopes, k=80, ms", "recall",
    )  # fmt: skip
    found: list[Table] = []
    for origin, sizes in outcome["figures"].items():
        for size, kinds in sizes.items():
            rows = [[kind, *_cells(figures)] for kind, figures in kinds.items()]
            found.append(Table(f"{int(size):,} vectors of {origin}", head, rows))
    return found


def opened(kind: str, rows: str, folder: str) -> None:
    """Open what is saved, ask once, and print what it took: seconds, and MB that are not mapped files."""
    vectors: NDArray[np.float32] = np.load(rows, mmap_mode="r")
    before = _private_mb()
    began = time.perf_counter()
    index = _index(kind, Path(folder))
    index.refresh(ArraySource(vectors, 1))
    index.search(np.array(vectors[0]), _ANYTHING, [0], _LIMITS[-1])
    sys.stdout.write(f"{time.perf_counter() - began} {_private_mb() - before}\n")
    sys.stdout.flush()
    index.close()


def _of_set(made: VectorSet, plan: Plan, place: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    truths = {scopes: _truth(made, scopes) for scopes in (1, _SCOPES)}
    for kind in plan.kinds:
        if (package := _PACKAGES.get(kind)) is not None and find_spec(package) is None:
            progress(f"{kind} is left out: {package} is not installed")
            continue
        progress(f"  {kind}")
        found[kind] = _of_kind(kind, made, 1, truths[1], place)
        if kind in plan.scoped:
            found[kind]["scoped"] = _of_kind(kind, made, _SCOPES, truths[_SCOPES], place)
    return found


def _of_kind(
    kind: str, made: VectorSet, scopes: int, truth: Mapping[int, NDArray[np.float32]], place: Path
) -> dict[str, Any]:
    folder = place / "saved"
    source = ArraySource(made.rows, scopes)
    index = _index(kind, folder)
    _, spent = timed(lambda: index.build(lambda: nullcontext(source)))
    figures: dict[str, Any] = {"made_s": spent, "disk_mb": _size(folder) / 1e6}
    for limit in _LIMITS:
        asked: Callable[[NDArray[np.float32]], Any] = _asking(index, limit)
        answers = [asked(question) for question in made.questions]  # Also warms what is mapped.
        figures[f"k{limit}"] = {
            "ms": percentiles(times_ms(asked, made.questions), 50, 95),
            "processor_ms": percentiles(times_ms(asked, made.questions, time.process_time), 50),
            "recall": _recall(answers, truth[limit]),
        }
    index.close()
    if scopes == 1:
        rows = getattr(made.rows, "filename", "")
        _, (open_s, private_mb) = fresh(_OPEN, [kind, str(rows), str(folder)], place, 1)
        figures |= {"open_s": float(open_s), "memory_mb": float(private_mb)}
    shutil.rmtree(folder, ignore_errors=True)
    return figures


def _asking(index: VectorIndex, limit: int) -> Callable[[NDArray[np.float32]], Any]:
    return lambda question: index.search(question, _ANYTHING, [0], limit)


def _truth(made: VectorSet, scopes: int) -> dict[int, NDArray[np.float32]]:
    """The cosine of the last of the nearest, for each limit and question."""
    index = ExactIndex(_MODEL)
    index.refresh(ArraySource(made.rows, scopes))
    return {
        limit: np.array([_asking(index, limit)(question)[1][-1] for question in made.questions])
        for limit in _LIMITS
    }


def _recall(answers: Sequence[Any], worst: NDArray[np.float32]) -> float:
    """Share of the answers that are as near as the last of the true ones: of what ties, any will do."""
    pairs = zip(answers, worst, strict=True)
    limit = max(len(cosines) for _, cosines in answers)
    return float(np.mean([np.count_nonzero(cosines >= last - _SAME) / limit for (_, cosines), last in pairs]))


def _index(kind: str, folder: Path) -> VectorIndex:
    """An index that makes a structure for every scope, however small."""
    return maker_of(kind)(IndexRequest(_MODEL, IndexSettings(kind=kind, above=1), folder))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _private_mb() -> float:
    """Memory of this process that is no mapped file, in MB; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), 0.0)


def _cells(figures: Mapping[str, Any]) -> list[object]:
    found: list[object] = [figures[name] for name in ("made_s", "disk_mb", "memory_mb", "open_s")]
    for limit in _LIMITS:
        measured = figures[f"k{limit}"]
        found += [measured["ms"]["p50"], measured["ms"]["p95"], measured["recall"]]
    scoped = figures.get("scoped", {}).get(f"k{_LIMITS[-1]}")
    return [*found, *((None, None) if scoped is None else (scoped["ms"]["p50"], scoped["recall"]))]


def _sizes(text: str) -> tuple[int, ...]:
    try:
        found = tuple(int(part.replace("_", "")) for part in text.split(",") if part)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers such as 10000,100000") from None
    if any(size < 1000 for size in found):
        raise argparse.ArgumentTypeError("at least a thousand vectors are compared")
    return found


def _kinds(text: str) -> tuple[str, ...]:
    found = tuple(part for part in text.split(",") if part)
    if wrong := sorted(set(found) - set(KINDS)):
        raise argparse.ArgumentTypeError(f"{wrong[0]!r} is none of {', '.join(KINDS)}")
    return found
