"""Fill the block of figures in README.md from benchmarks/results/*.json.

usage: python scripts/docs_figures.py
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
RESULTS = ROOT / "benchmarks" / "results"
BLOCK = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
SETS = {
    "locomo": "LoCoMo",
    "longmemeval": "LongMemEval-S",
    "beam": "BEAM 100K",
    "memdaily": "MemDaily (Chinese)",
}


def filled(readme: str, folder: Path = RESULTS) -> str:
    """The README with its block written anew; a bench without a result leaves its line out."""
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
    lines = [*_retrieval(found), *_lines(found)]
    return BLOCK.sub(lambda _: "\n".join([*lines, ""]), readme)


def _retrieval(found: Mapping[str, Any]) -> list[str]:
    rows = [_row(SETS[name], found[name]) for name in SETS if name in found]
    head = [
        "| recall@10 of the evidence | questions | BM25 | vectors alone | Simonides |",
        "|---|---|---|---|---|",
    ]
    return [*head, *rows, ""] if rows else []


def _row(name: str, result: Mapping[str, Any]) -> str:
    shares = [result["figures"]["overall"][system]["R@10"] for system in ("BM25", "vectors", "simonides")]
    bm25, vectors, ours = (f"{share:.3f}".removeprefix("0") for share in shares)
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
        lines.append(_policy(found["policy"]["figures"]["detection"]))
    return lines


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


def _policy(detection: Mapping[str, Any]) -> str:
    secret, injection = detection["secret"], detection["injection"]
    plain, soft = injection["found"]["tier core"], injection["found"]["tier soft"]
    return (
        f"* The policy finds {_share(secret['found']['all'])} secrets and {_share(plain)} outright injections, "
        f"but {_share(soft)} softly worded ones; it flags {_share(secret['flagged']['all'])} and "
        f"{_share(injection['flagged']['all'])} harmless texts."
    )


def _share(counted: Mapping[str, Any]) -> str:
    return f"{counted['hits']} of {counted['texts']}"


def _ms(times: Mapping[str, float]) -> str:
    return f"{times['p50']:.1f} ms"


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")
