"""Fill the blocks of figures in README.md, docs/benchmarks.md and docs/extraction.md from benchmarks/results/*.json.

usage: python scripts/docs_figures.py

A block lies between `<!-- figures NAME -->` and `<!-- /figures -->`; the one without a name is the README's.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # Benches lie beside the package.

from benchmarks import abstain, against, determinism, extract, paraphrases, proxy, speed
from benchmarks.measures import headline
from benchmarks.report import Table, cell
from benchmarks.retrieval import CATEGORIES, ENGINE
from benchmarks.sets import set_tables, spread

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "extraction.md")
RESULTS = ROOT / "benchmarks" / "results"
BLOCK = re.compile(r"(<!-- figures ?(\w*) -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
SETS = {
    "locomo": "LoCoMo",
    "longmemeval": "LongMemEval-S",
    "beam": "BEAM 100K",
    "memdaily": "MemDaily (Chinese)",
}
#: Kinds of question are shown where each has enough of them.
BY_CATEGORY = ("locomo", "longmemeval", "beam")


def filled(page: str, folder: Path = RESULTS) -> str:
    """The page with its blocks written anew; a bench without a result leaves its lines out."""
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
    return BLOCK.sub(lambda block: block[1] + "\n".join([*WRITERS[block[2]](found), ""]), page)


def _readme(found: Mapping[str, Any]) -> list[str]:
    return [*_retrieval(found), *_lines(found)]


def _sets(found: Mapping[str, Any]) -> list[str]:
    """Every set: all rows by the measures that it is judged by, and how far the engine leads."""
    lines: list[str] = []
    for name, title in SETS.items():
        if name in found:
            figures, sizes = found[name]["figures"], found[name]["sizes"]
            measures, leads = headline(name), figures.get("differences", {})
            rows = [
                [row, *(means[one] for one in measures), *(_lead(leads, row, one) for one in measures)]
                for row, means in figures["overall"].items()
            ]
            head = ("", *measures, *(f"lead in {one} (95 %)" for one in measures))
            size = f"{sizes['worlds']} worlds, {sizes['questions']} questions, {sizes['turns']:,} turns"
            lines += _markdown(Table(f"{title}: {size}", head, rows))
    return lines


def _kinds(found: Mapping[str, Any]) -> list[str]:
    """R@10 by kind of question, beside the baselines."""
    lines: list[str] = []
    for name in BY_CATEGORY:
        if name in found:
            rows = [
                [
                    CATEGORIES.get(kind, kind).replace("_", " "),
                    means["questions"],
                    *(means[row]["R@10"] for row in ("BM25", "vectors", ENGINE)),
                    *(_lead(means.get("differences", {}), row, "R@10") for row in ("BM25", "vectors")),
                ]
                for kind, means in found[name]["figures"]["categories"].items()
            ]
            head = (
                "",
                "questions",
                "BM25",
                "vectors",
                ENGINE,
                "lead over BM25 (95 %)",
                "over vectors (95 %)",
            )
            lines += _markdown(Table(f"{SETS[name]}: R@10 by kind of question", head, rows))
    return lines


def _lead(leads: Mapping[str, Any], row: str, measure: str) -> str | None:
    return spread(leads.get(row, {}).get(measure))


def _of(
    name: str, tables: Callable[[Mapping[str, Any]], Sequence[Table]]
) -> Callable[[Mapping[str, Any]], list[str]]:
    """Writes the tables of a bench as the bench itself prints them, with the machine under them."""

    def written(found: Mapping[str, Any]) -> list[str]:
        if name not in found:
            return []
        lines = [line for table in tables(found[name]) for line in _markdown(table)]
        return [*lines, _where(found[name]), ""]

    return written


def _where(result: Mapping[str, Any]) -> str:
    machine, commit = result["machine"], result["commit"]
    return (
        f"*{machine['cores']} cores of {machine['cpu']}, Python {machine['python']}, SQLite {machine['sqlite']}"
        f"{f', commit {commit[:10]}' if commit else ''}*"
    )


def _markdown(table: Table) -> list[str]:
    """A table with its title above it."""
    rows = [table.head, ["---"] * len(table.head), *([cell(value) for value in row] for row in table.rows)]
    return [f"**{table.title}**", "", *(f"| {' | '.join(row)} |" for row in rows), ""]


def _retrieval(found: Mapping[str, Any]) -> list[str]:
    held = found.get("ranker", {}).get("figures", {})
    rows = [_row(SETS[name], found[name], held[name]) for name in SETS if name in found and name in held]
    head = [
        "| recall@10 of the evidence | questions | BM25 | vectors alone | Simonides, held out |",
        "|---|---|---|---|---|",
    ]
    return [*head, *rows, ""] if rows else []


def _row(name: str, result: Mapping[str, Any], held: Mapping[str, Any]) -> str:
    plain = [result["figures"]["overall"][system]["R@10"] for system in ("BM25", "vectors")]
    bm25, vectors, ours = (f"{share:.3f}".removeprefix("0") for share in (*plain, held["trees"]["R@10"]))
    return f"| {name} | {result['sizes']['questions']} | {bm25} | {vectors} | **{ours}** |"


def _lines(found: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    if "speed" in found:
        lines += _speed(found["speed"])
    if "crash" in found:
        sizes, figures = found["crash"]["sizes"], found["crash"]["figures"]
        lines.append(
            f"* {sizes['rounds']} times kill −9 among {sizes['writers']} writers: of "
            f"{figures['acknowledged_in_all']:,} acknowledged writes {len(figures['lost'])} lost, "
            f"{len(figures['half_records'])} half written."
        )
    if "processes" in found:
        sizes, figures = found["processes"]["sizes"], found["processes"]["figures"]
        lines.append(
            f"* {sizes['processes']} processes writing one file, {figures['acknowledged']:,} writes: "
            f"{len(figures['errors'])} errors, {figures['lost']} lost."
        )
    if "policy" in found:
        lines.append(_policy(found["policy"]["figures"]))
    return lines


def _held(found: Mapping[str, Any]) -> list[str]:
    """Every set ranked by trees that never saw the world that is asked."""
    if "ranker" not in found:
        return []
    lines: list[str] = []
    for name, figures in found["ranker"]["figures"].items():
        measures = headline(name)
        rows = [["first look", figures["questions"], *(figures["first look"][one] for one in measures), None]]
        lead = spread(figures["difference in R@10"])
        rows.append(["balanced", figures["questions"], *(figures["trees"][one] for one in measures), lead])
        if name in BY_CATEGORY:
            rows += [
                [
                    f"– {CATEGORIES.get(kind, kind).replace('_', ' ')}",
                    None,
                    *(means[one] for one in measures),
                    None,
                ]
                for kind, means in figures["categories"].items()
            ]
        head = ("", "questions", *measures, "lead in R@10 (95 %)")
        lines += _markdown(Table(f"{SETS[name]}, {found['ranker']['folds']} folds", head, rows))
    return lines


def _ladder(found: Mapping[str, Any]) -> list[str]:
    if "ladder" not in found.get("ranker", {}):
        return []
    steps: Mapping[str, Mapping[str, Mapping[str, float]]] = found["ranker"]["ladder"]
    sets = list(next(iter(steps.values())))
    head = ("", *(f"{SETS[name]} {one}" for name in sets for one in headline(name)))
    rows = [[step, *(by[name][one] for name in sets for one in headline(name))] for step, by in steps.items()]
    return _markdown(Table("without one group of features at a time", head, rows))


def _speed(result: Mapping[str, Any]) -> list[str]:
    machine = result["machine"]
    lines: list[str] = []
    for size in map(str, result["sizes"]["items"]):
        at = result["figures"][size]
        lines.append(
            f"* {int(size):,} items on {machine['cores']} cores: a search {_ms(at['ten scopes']['search_ms'])} where "
            f"they lie in ten scopes, {_ms(at['one scope']['search_ms'])} in one; a durable write "
            f"{_ms(at['add_ms'])}; in bulk {at['bulk_items_per_s']:,.0f} items/s (medians)."
        )
    return lines


def _policy(figures: Mapping[str, Any]) -> str:
    secret, injection = figures["detection"]["secret"], figures["detection"]["injection"]
    plain, soft = injection["found"]["tier core"], injection["found"]["tier soft"]
    said = (
        f"* The policy finds {_share(secret['found']['all'])} secrets and {_share(plain)} outright injections, "
        f"but {_share(soft)} softly worded ones; it flags {_share(secret['flagged']['all'])} and "
        f"{_share(injection['flagged']['all'])} harmless texts."
    )
    taken = figures.get("notes")
    if taken is None:
        return said
    held = "share_when_proposed"
    return (
        f"{said} Proposed by a model, {plain[held]:.0%} of the outright and {soft[held]:.0%} of the soft ones are held "
        f"back, and {injection['flagged']['all'][held]:.1%} of the harmless texts. It takes {taken['accepted']:,} of "
        f"{taken['notes']:,} ordinary notes of a user."
    )


def _share(counted: Mapping[str, Any]) -> str:
    return f"{counted['hits']} of {counted['texts']}"


def _ms(times: Mapping[str, float]) -> str:
    return f"{times['p50']:.1f} ms"


WRITERS: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "": _readme,
    "retrieval": _sets,
    "kinds": _kinds,
    "abstain": _of("abstain", abstain.tables),
    "paraphrases": _of("paraphrases", paraphrases.tables),
    "held": _held,
    "ladder": _ladder,
    "profiles": _of("profiles", set_tables),
    "speed": _of("speed", speed.tables),
    "against": _of("speed_against", against.tables),
    "determinism": _of("determinism", determinism.tables),
    "proxy": _of("proxy", proxy.tables),
    "extract": _of("extract", extract.tables),
}


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(filled(page.read_text("utf-8")), "utf-8")
