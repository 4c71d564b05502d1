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

from benchmarks import (
    abstain,
    against,
    beliefs,
    chains,
    chatty,
    closely,
    crowd,
    determinism,
    diaries,
    extract,
    kinds,
    oneself,
    paraphrases,
    proxy,
    speed,
    subjects,
)
from benchmarks.gathering import EVERY_SET
from benchmarks.measures import headline
from benchmarks.report import Table, cell
from benchmarks.retrieval import CATEGORIES, ENGINE
from benchmarks.sets import set_tables, spread
from benchmarks.worlds import Kind

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
    """Every set ranked by trees that never saw it, by kind, beside what they have to beat."""
    if "ranker" not in found:
        return []
    measures = ("R@1", "R@3", "R@5", "R@10", "MRR")
    ways = {"trees": "balanced", "first look": "– first look", "BM25": "– BM25", "vectors": "– vectors"}
    lines: list[str] = []
    for kind in Kind:
        rows: list[list[object]] = []
        for name, figures in found["ranker"]["figures"].items():
            if EVERY_SET[name].kind is kind:
                rows += [
                    [
                        f"{EVERY_SET[name].title}, {figures['questions']} questions"
                        if way == "trees"
                        else title,
                        *(figures[way][one] for one in measures),
                        spread(figures["lead in R@10"].get(way)),
                    ]
                    for way, title in ways.items()
                ]
        if rows:
            lines += _markdown(Table(str(kind), ("", *measures, "lead in R@10 (95 %)"), rows))
    means = found["ranker"]["kinds"]
    rows = [[kind, *(means[kind][way]["R@10"] for way in ways)] for kind in means]
    head = ("R@10, mean of the sets", "balanced", "first look", "BM25", "vectors")
    return [*lines, *_markdown(Table("by kind", head, rows)), _where(found["ranker"]), ""]


def _calibration(found: Mapping[str, Any]) -> list[str]:
    """Grounds of the confidence: by kind, by what it says, and what each bound would cost."""
    if "ranker" not in found:
        return []
    told = found["ranker"]["confidence"]
    left = ("world left out", "set left out")
    names = ["all", *told[left[0]]["kinds"]]
    rows = [[name, *(value for one in left for value in _judged(told[one], name))] for name in names]
    head = ("", *(f"{what}, {one}" for one in left for what in ("calibration error", "AUC")))
    lines = _markdown(Table("the confidence on what it never saw", head, rows))
    for name in names:
        judged = told[left[0]]["all"] if name == "all" else told[left[0]]["kinds"][name]
        lines += _diagram(name, judged["reliability"])
    rows = [
        [one["bound"], one["answerable below"], one["others below"], _cost(one)] for one in told["bounds"]
    ]
    head = ("bound", "answerable below", "others below", "cost, a missing answer being four useless texts")
    return [*lines, *_markdown(Table("what each bound does", head, rows)), _where(found["ranker"]), ""]


def _judged(told: Mapping[str, Any], name: str) -> tuple[float, float]:
    judged = told["all"] if name == "all" else told["kinds"][name]
    return judged["error"], judged["auc"]


def _diagram(name: str, bins: Sequence[Mapping[str, float]]) -> list[str]:
    """A reliability diagram as a table: what is said, and what is so."""
    rows = [
        ["said", *(one["said"] for one in bins)],
        ["so", *(one["so"] for one in bins)],
        ["share of the questions", *(one["share"] for one in bins)],
    ]
    return _markdown(Table(f"reliability: {name}", ("", *("" for _ in bins)), rows))


def _cost(one: Mapping[str, float]) -> float:
    """Cost of a bound per question with and one without an answer."""
    return 4 * one["answerable below"] + 1 - one["others below"]


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
    "subjects": _of("subjects", subjects.tables),
    "diaries": _of("diaries", diaries.tables),
    "oneself": _of("oneself", oneself.tables),
    "closely": _of("closely", closely.tables),
    "everyday": _of("everyday", paraphrases.tables),
    "natively": _of("natively", paraphrases.tables),
    "everyday_multilingual": _of("everyday-multilingual", paraphrases.tables),
    "paraphrases_multilingual": _of("paraphrases-multilingual", paraphrases.tables),
    "crowd": _of("crowd", crowd.tables),
    "chains": _of("chains", chains.tables),
    "beliefs": _of("beliefs", beliefs.tables),
    "held": _held,
    "calibration": _calibration,
    "memory": _of("kinds", kinds.tables),
    "profiles": _of("profiles", set_tables),
    "speed": _of("speed", speed.tables),
    "against": _of("speed_against", against.tables),
    "determinism": _of("determinism", determinism.tables),
    "proxy": _of("proxy", proxy.tables),
    "extract": _of("extract", extract.tables),
    "chatty": _of("chatty", chatty.tables),
}


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(filled(page.read_text("utf-8")), "utf-8")
