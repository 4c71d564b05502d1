"""Retrieval quality without a language model: does a search find the turns that answer?"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.measures import COMPARED, MEASURES
from benchmarks.paired import BM25, Task, degraded, measure, tasks
from benchmarks.report import Table, finish, options_of, result
from benchmarks.variants import Variant, changes
from benchmarks.worlds import FILES, data_file, data_folder
from simonides.errors import InvalidInput
from simonides.memory import SearchFields
from simonides.sample import sample_path

ENGINE: Final = "simonides"
#: What the numbers of LoCoMo's categories mean.
CATEGORIES: Final = {
    "1": "1 multi-hop",
    "2": "2 temporal",
    "3": "3 open",
    "4": "4 single-hop",
    "5": "5 adversarial",
}


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure one set as its options say."""
    options = _options(name, arguments)
    variants = variants_of(options)
    path = sample_path() if name == "sample" else data_file(data_folder(options.data), FILES[name])
    given = tasks(name, path, variants, baselines=options.compare, keep=options.stores)
    outcome = measured_set(name, given, workers=options.workers, seed=options.seed)
    return finish(outcome, tables(outcome), options)


def variants_of(options: argparse.Namespace) -> list[Variant]:
    """The default way of reading, and one more for each thing that is asked for besides.

    Raises:
        InvalidInput: This version does not have it.
    """
    weights: Mapping[str, str] = options.weights
    found = [Variant(ENGINE, weights)]
    found += [Variant(f"{ENGINE}, {name}", weights, embedder=name) for name in options.embedder]
    profiles = [Variant(f"profile {name}", weights, {"profile": name}) for name in options.profile]
    plain = [found[0], *profiles]
    found += profiles
    if options.agenda:
        if "agenda" not in SearchFields.__annotations__:
            raise InvalidInput("this version has no agenda search; leave --agenda out")
        found.append(Variant("with agenda", weights, {"agenda": True}))
    if options.upkeep:
        kept = Variant("after upkeep", weights, upkeep=True)
        found += [kept, replace(kept, name="after upkeep, credited", credited=True)]
    for name in options.rerank:
        found += [replace(some, name=f"{some.name}, reranked by {name}", reranker=name) for some in plain]
    for variant in found:
        _ = variant.settings  # A name or value that cannot be used is said before an hour's work, not after.
    return found


def measured_set(name: str, given: Sequence[Task], *, workers: int = 2, seed: int = 1) -> dict[str, Any]:
    """The result of a set's worlds."""
    found = measure(name, given, workers=workers, seed=seed)
    variants = given[0].variants
    settings = {
        "recall": asdict(variants[0].settings.recall),
        "rows": {variant.name: variant.to_dict() for variant in variants},
    }
    return result(name, seed=seed, sizes=found["sizes"], figures=found["figures"], settings=settings)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    title = (
        f"{outcome['name']}: {sizes['worlds']} worlds, {sizes['questions']} questions, {sizes['turns']} turns"
    )
    overall: Mapping[str, Mapping[str, float]] = figures["overall"]
    rows: list[list[object]] = [[name, *(means[m] for m in MEASURES)] for name, means in overall.items()]
    by_category: list[list[object]] = [
        [CATEGORIES.get(name, name), means["questions"], *(means[ENGINE][m] for m in MEASURES)]
        for name, means in figures["categories"].items()
    ]
    times: list[list[object]] = [
        *([f"search p50, ms, {row}", ms] for row, ms in figures["search_ms_p50"].items()),
        ["turns added per s and process", figures.get("add_turns_per_s")],
        ["all in all, s", figures["wall_s"]],
    ]
    return [
        Table(title, ("", *MEASURES), rows),
        Table("by category", ("", "questions", *MEASURES), by_category),
        *_differences(figures),
        *degraded(figures),
        *_contexts(figures),
        Table("time", ("", ""), times),
    ]


def _differences(figures: Mapping[str, Any]) -> list[Table]:
    """Tables of what the engine's row has more than the others, with 95 % intervals."""
    rows: list[list[object]] = [
        [f"{ENGINE} − {name}, {measure}", *by_measure[measure]]
        for name, by_measure in figures["differences"].items()
        for measure in COMPARED
    ]
    by_category: list[list[object]] = [
        [CATEGORIES.get(name, name), means["questions"], *means["differences"][BM25]["R@10"]]
        for name, means in figures["categories"].items()
        if BM25 in means["differences"]
    ]
    head = ("mean", "from", "to")
    return [
        *([Table("difference, 95 %", ("", *head), rows)] if rows else []),
        *(
            [Table(f"{ENGINE} − {BM25} in R@10, 95 %", ("", "questions", *head), by_category)]
            if by_category
            else []
        ),
    ]


def _contexts(figures: Mapping[str, Any]) -> list[Table]:
    """Lengths of contexts, where stores before and after upkeep are compared."""
    rows: list[list[object]] = [[name, *found.values()] for name, found in figures.get("context", {}).items()]
    return [Table("contexts of 2,000 tokens at most", ("", "tokens", "evidence held"), rows)] if rows else []


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "Retrieval quality: is what answers a question among the first hits?")
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder with the set; SIMONIDES_BENCH_DATA if not given"
    )
    parser.add_argument("--compare", action="store_true", help="measure plain BM25 and plain vectors too")
    parser.add_argument(
        "--weights", type=changes, default={}, metavar="K=V,…", help="weights and bounds of the read path"
    )
    parser.add_argument("--workers", type=int, default=2, help="worlds measured at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the bootstrap")
    parser.add_argument(
        "--stores",
        type=Path,
        metavar="DIR",
        help="keep the filled stores there and use them again: for runs that differ in reading only",
    )
    rows = parser.add_argument_group("further rows, each compared with the default; may be given repeatedly")
    rows.add_argument(
        "--embedder", action="append", default=[], metavar="NAME", help="such as sentence-transformers:MODEL"
    )
    rows.add_argument("--profile", action="append", default=[], metavar="NAME", help="a ranking profile")
    rows.add_argument("--agenda", action="store_true", help="the agenda search")
    rows.add_argument(
        "--upkeep",
        action="store_true",
        help="after every job of upkeep; what it made counts for nothing, and as a turn that it was made of",
    )
    rows.add_argument(
        "--rerank", action="append", default=[], metavar="NAME", help="a reranker, with each profile named"
    )
    return parser.parse_args(arguments)
