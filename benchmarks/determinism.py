"""Two fresh processes answer the same questions over the same stores with the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, cast

from benchmarks import AT_HOME
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.sets import set_files, set_options
from benchmarks.stores import bring, embedder_named
from benchmarks.variants import BUNDLED, Variant
from benchmarks.worlds import DATA_VARIABLE, lines, world
from simonides.memory import PROFILES, Memory, SearchFields
from simonides.sample import sample_path
from simonides.testing import FrozenClock

#: What Python's hashes are seeded with: order of sets differs, and so would what depends on it.
_SEEDS: Final = ("1", "2")
_SHOWN: Final = 20
_ANSWER: Final = f"{AT_HOME} from benchmarks.determinism import answer; answer(*sys.argv[1:])"


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(
        name,
        "Ask two fresh processes the same; without --data the sample's questions only, else a set's too.",
    )
    set_options(parser)
    parser.set_defaults(sets=["locomo"])
    parser.add_argument(
        "--questions", type=int, help="of each world at most, as many as there are by default"
    )
    options = parser.parse_args(arguments)
    files = {"sample": sample_path()}
    if options.data is not None or os.environ.get(DATA_VARIABLE):
        files |= set_files(options)
    figures = {set_name: measure(path, options.stores, options.questions) for set_name, path in files.items()}
    outcome = result(
        name,
        seed=None,
        sizes={set_name: found["answers"] for set_name, found in figures.items()},
        figures=figures,
        settings={"hash_seeds": list(_SEEDS), "ways": {way.name: way.to_dict() for way in ways()}},
    )
    return finish(outcome, tables(outcome), options)


def ways() -> list[Variant]:
    """Ways of asking each question: by the default profile, by each other one, with the agenda."""
    found = [Variant(profile, asking={"profile": profile}) for profile in PROFILES]
    if "agenda" in SearchFields.__annotations__:
        found.append(Variant("agenda", asking={"agenda": True}))
    return found


def measure(path: Path, keep: Path | None, most: int | None = None) -> dict[str, Any]:
    """Fill a store for each world of a file and compare what both processes answer.

    Args:
        most: Questions of each world; None for all.

    Returns:
        How many answers were compared, how many differ, and the first differences in words.
    """
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        place, stem = Path(folder), path.name.partition(".")[0]
        progress(f"{stem}: filling")
        for number, line in enumerate(lines(path)):
            kept = None if keep is None else keep / f"{stem}-{number}"
            bring(world(line), place / f"{number}.db", BUNDLED, kept)
        progress(f"{stem}: asking")
        now = datetime.now(UTC).isoformat()
        answered = [place / f"answers-{seed}.jsonl" for seed in _SEEDS]
        for seed, file in zip(_SEEDS, answered, strict=True):
            subprocess.run(  # noqa: S603 - this interpreter with our own code
                [sys.executable, "-c", _ANSWER, str(path), str(place), str(file), now, str(most or "")],
                check=True,
                env=dict(os.environ, PYTHONHASHSEED=seed),
            )
        return _compared(*answered)


def answer(worlds: str, stores: str, out: str, now: str, most: str = "") -> None:
    """Ask every question in every way, in a fresh process, and write one answer a line.

    Args:
        worlds: File of the worlds.
        stores: Folder with their stores.
        out: Where the answers go.
        now: Where the clock stands, in ISO 8601.
        most: Questions of each world, spread evenly over all; every one if empty.
    """
    clock, embedder = FrozenClock(now), embedder_named(BUNDLED)
    with Path(out).open("w", encoding="utf-8") as file:
        for number, line in enumerate(lines(Path(worlds))):
            found = world(line)
            every = max(1, len(found.questions) // int(most)) if most else 1
            for way in ways():
                with Memory(
                    Path(stores) / f"{number}.db",
                    settings=way.settings,
                    embedder=embedder,
                    clock=clock,
                    read_only=True,
                ) as memory:
                    search: Any = memory.search
                    for question in found.questions[::every]:
                        said = search(question.text, at=question.at, explain=True, **way.asking).to_dict()
                        where = f"{found.id} {question.id} {way.name}"
                        file.write(json.dumps({"asked": where} | said, ensure_ascii=False) + "\n")


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures = outcome["figures"]
    rows: list[list[object]] = [[name, found["answers"], found["differ"]] for name, found in figures.items()]
    told = [[f"{name}: {text}"] for name, found in figures.items() for text in found["differences"]]
    return [
        Table("answers of two processes", ("", "compared", "differ"), rows),
        *([Table("what differs first", ("",), told)] if told else []),
    ]


def differences(first: Any, second: Any, where: str = "") -> Iterator[str]:
    """Describe where two JSON values differ; nothing if they are equal."""
    if isinstance(first, dict) and isinstance(second, dict):
        one, other = cast("dict[str, Any]", first), cast("dict[str, Any]", second)
        for name in dict.fromkeys([*one, *other]):
            yield from differences(one.get(name), other.get(name), f"{where}.{name}")
    elif isinstance(first, list) and isinstance(second, list):
        pairs = zip_longest(cast("list[Any]", first), cast("list[Any]", second))
        for number, (one, other) in enumerate(pairs):
            yield from differences(one, other, f"{where}[{number}]")
    elif first != second:
        found, unlike = _cut(cast("object", first)), _cut(cast("object", second))
        yield f"{where.lstrip('.')}: {found} and {unlike}"


def _compared(first: Path, second: Path) -> dict[str, Any]:
    answers = differ = 0
    told: list[str] = []
    with first.open("rb") as one, second.open("rb") as other:
        for mine, theirs in zip(one, other, strict=True):
            answers += 1
            if mine != theirs:
                differ += 1
                found: tuple[dict[str, Any], dict[str, Any]] = (json.loads(mine), json.loads(theirs))
                # Equal values in another order are another text: that counts, and is said.
                places = list(differences(*found)) or ["the order of names"]
                told += [f"{found[0]['asked']}: {place}" for place in places]
    return {"answers": answers, "differ": differ, "differences": told[:_SHOWN]}


def _cut(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:79]}…"
