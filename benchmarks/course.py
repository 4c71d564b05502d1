"""Course of the speed bench: which stores it fills, what it asks of them and what it writes."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import Corpus
from benchmarks.report import progress
from benchmarks.rounds import WARM_UP
from benchmarks.trees import Tree

TEN: Final = "ten scopes"
ONE: Final = "one scope"
#: In which scopes the items lie, by turns.
LAYOUTS: Final = {TEN: [f"project:p{n}" for n in range(10)], ONE: ["project:p0"]}
THREADS: Final = 32
CONTEXT_TOKENS: Final = 2000
#: Queries that are also timed in other ways.
_FEW: Final = 100


@dataclass(frozen=True, slots=True)
class Effort:
    """Number of measurements.

    Attributes:
        queries: Searches, for each size and layout.
        adds: Single writes of each kind, for each size.
        fresh: Processes whose median is taken.
        bulk: Items of a call that adds many.
    """

    queries: int = 300
    adds: int = 300
    fresh: int = 5
    bulk: int = 2000


@dataclass(frozen=True, slots=True)
class Filled:
    """A copy of a store, to be measured.

    Attributes:
        size_bytes: Of its file, before anything is done to it.
        fill: What filling it took (`rounds.fill`); None where it was kept from an earlier run.
    """

    path: Path
    size_bytes: int
    fill: dict[str, Any] | None


class Course:
    """One corpus, and stores of it.

    Args:
        place: An empty folder for what is thrown away.
        keep: Where filled stores are kept and found again; None to throw them away. They are known by
            size, layout, seed and schema: what is written otherwise under the same schema is not seen.
    """

    def __init__(self, corpus: Corpus, effort: Effort, place: Path, keep: Path | None) -> None:
        self.place = place
        self.seed = corpus.seed
        self._corpus = corpus
        self._effort = effort
        self._keep = keep
        self._asked: tuple[int, list[tuple[str, int | None]]] = (0, [])

    @contextmanager
    def stores(self, trees: Sequence[Tree], size: int, layout: str) -> Generator[list[Filled]]:
        """A filled store for each version of the package, removed at the end."""
        words = self.place / f"texts-{size}.txt"
        found: list[Filled] = []
        folder = self._keep or self.place
        folder.mkdir(parents=True, exist_ok=True)
        try:
            for number, tree in enumerate(trees):
                name = f"speed-{size}-{layout.partition(' ')[0]}-seed{self._corpus.seed}-{tree.schema}.db"
                kept, fill = folder / name, None
                if not kept.exists():
                    self._write(words, size)
                    fill = self._filled(tree, kept, words, size, layout)
                copy = self.place / f"measured-{number}.db"
                shutil.copyfile(kept, copy)
                tree.run({"do": "index", "path": str(copy)}, self.place)
                found.append(Filled(copy, kept.stat().st_size, fill))
            yield found
        finally:
            for left in self.place.iterdir():
                shutil.rmtree(left) if left.is_dir() else left.unlink()

    def plan(self, path: Path, size: int, layout: str, *, writing: bool) -> dict[str, Any]:
        """A round over a store, as `rounds.py` takes it."""
        return {
            "do": "measure",
            "path": str(path),
            "asked": self.asked(size, layout),
            "few": _FEW,
            "context_tokens": CONTEXT_TOKENS,
            "writes": self._writes(LAYOUTS[layout]) if writing else None,
        }

    def asked(self, size: int, layout: str) -> list[tuple[str, str]]:
        """Questions with the scope that each is asked from; real ones and four words by turns."""
        scopes = LAYOUTS[layout]
        if self._asked[0] != size:
            self._asked = (size, self._corpus.questions(size, self._effort.queries))
        return [
            (question, scopes[(number if text is None else text) % len(scopes)])
            for number, (question, text) in enumerate(self._asked[1])
        ]

    def _write(self, path: Path, size: int) -> None:
        if not path.exists():
            with path.open("w", encoding="utf-8") as file:
                file.writelines(f"{text}\n" for text in islice(self._corpus.stream(), size))

    def _filled(self, tree: Tree, kept: Path, words: Path, size: int, layout: str) -> dict[str, Any]:
        progress(f"{size:,} items, {layout}: filling {tree.label}")
        making = self.place / "making.db"
        plan = {"do": "fill", "texts": str(words), "size": size, "scopes": LAYOUTS[layout]}
        fill = tree.run(plan | {"path": str(making)}, self.place)
        shutil.move(making, kept)  # Only now: what was stopped halfway is not found again.
        return fill

    def _writes(self, scopes: Sequence[str]) -> dict[str, Any]:
        texts, adds = self._corpus.texts, self._effort.adds
        return {
            "scopes": scopes,
            "singles": texts(adds + WARM_UP, part=1),
            "turns": texts(adds, part=3),
            "processor": texts(min(adds, _FEW), part=4),
            "threads": [texts(max(1, adds // 10), part=10 + n) for n in range(THREADS)],
            "bulk": texts(self._effort.bulk, part=5),
        }
