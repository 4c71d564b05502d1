"""Several sets measured in several ways: what the bench of the profiles is made of."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measures import headline
from benchmarks.paired import degraded, measure, tasks
from benchmarks.report import Table, progress, result
from benchmarks.variants import Variant
from benchmarks.worlds import FILES, data_file, data_folder


def set_options(parser: argparse.ArgumentParser) -> None:
    """Options of a bench over several sets."""
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder with the sets; SIMONIDES_BENCH_DATA if not given"
    )
    parser.add_argument(
        "--set",
        type=set_names,
        default=list(FILES),
        metavar="NAME,…",
        dest="sets",
        help=f"some of {', '.join(FILES)}; all if not given",
    )
    parser.add_argument(
        "--stores", type=Path, metavar="DIR", help="keep the filled stores there and use them again"
    )
    parser.add_argument("--workers", type=int, default=2, help="worlds measured at a time")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn at random")


def set_names(text: str) -> list[str]:
    """Names of sets as an option lists them."""
    found = [name.strip() for name in text.split(",")]
    if unknown := [name for name in found if name not in FILES]:
        raise argparse.ArgumentTypeError(f"there is no set {unknown[0]!r}; known are {', '.join(FILES)}")
    return found


def set_files(options: argparse.Namespace) -> dict[str, Path]:
    """The file of each set that is wanted.

    Raises:
        InvalidInput: There is no folder, or one of the files is not there.
    """
    folder = data_folder(options.data)
    return {name: data_file(folder, FILES[name]) for name in options.sets}


def measure_sets(name: str, variants: Sequence[Variant], options: argparse.Namespace) -> dict[str, Any]:
    """Every set in every way, beside plain BM25 and plain vectors: means, differences, times by set."""
    for variant in variants:
        _ = variant.settings  # A name that is not there is said now.
    found: dict[str, dict[str, Any]] = {}
    for set_name, path in set_files(options).items():
        progress(f"{set_name} …")
        given = tasks(set_name, path, variants, baselines=True, keep=options.stores)
        found[set_name] = measure(set_name, given, workers=options.workers, seed=options.seed)
    return result(
        name,
        seed=options.seed,
        sizes={set_name: some["sizes"] for set_name, some in found.items()},
        figures={set_name: some["figures"] for set_name, some in found.items()},
        settings={"rows": {variant.name: variant.to_dict() for variant in variants}},
    )


def set_tables(outcome: Mapping[str, Any]) -> list[Table]:
    """For each set: the measures it is judged by, and by how much the first row leads in each."""
    shown: list[Table] = []
    for name, figures in outcome["figures"].items():
        measures, sizes = headline(name), outcome["sizes"][name]
        rows: list[list[object]] = []
        for row, means in figures["overall"].items():
            leads = figures["differences"].get(row, {})
            rows.append(
                [row, *(means[one] for one in measures), *(spread(leads.get(one)) for one in measures)]
            )
        first = next(iter(figures["overall"]))
        head = ("", *measures, *(f"lead of {first} in {one}" for one in measures))
        shown += [Table(f"{name}: {sizes['questions']} questions", head, rows), *degraded(figures)]
    return shown


def spread(difference: Sequence[float] | None) -> str | None:
    """A difference with its 95 % interval; None for none."""
    if difference is None:
        return None
    mean, lower, upper = difference
    return f"{mean:+.3f} ({lower:+.3f} … {upper:+.3f})"
