"""Share of a question's evidence in a context, by its tokens: the ground of the shares of its sections.

    python -m benchmarks.context --data DIR --set locomo --worlds 4

The stores hold turns only, so that the section "Evidence" gets whole budgets: the row of 300 tokens tells what
a tenth of a context of 3000 would hold.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

from benchmarks.worlds import ABSTAINING, FILES, asked, data_file, data_folder, lines, world
from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import instant
from simonides.language.sentences import read
from simonides.recall.assemble import PromptForm, assemble
from simonides.recall.context_selection import selected_hits
from simonides.recall.question.asks import is_complex
from simonides.recall.result import Hit

BUDGETS = (100, 200, 300, 500, 750, 1000, 1500, 2000, 3000)
HITS = 40


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with the sets; SIMONIDES_BENCH_DATA if not given")
    parser.add_argument("--set", choices=sorted(FILES), default="locomo")
    parser.add_argument("--worlds", type=int, default=10, help="so many of its worlds, the first ones")
    parser.add_argument("--closely", action="store_true", help="what prompts are given: only what is near")
    options = parser.parse_args()
    path = data_file(data_folder(options.data), FILES[options.set])
    found: dict[bool, list[list[tuple[float, int]]]] = {False: [], True: []}
    for number, line in enumerate(lines(path)):
        if number < options.worlds:
            for kind, row in measured(line, abstaining=options.set in ABSTAINING, closely=options.closely):
                found[kind].append(row)
    print("question      n  " + "".join(f"{budget:>13}" for budget in BUDGETS))
    for kind, rows in found.items():
        if rows:
            cells = [
                f"{fmean(row[n][0] for row in rows):.3f}/{fmean(row[n][1] for row in rows):<5.0f}"
                for n in range(len(BUDGETS))
            ]
            print(
                f"{'complex' if kind else 'simple':<8}{len(rows):>7}  "
                + "".join(f"{cell:>13}" for cell in cells)
            )


def measured(line: str, *, abstaining: bool, closely: bool) -> Iterator[tuple[bool, list[tuple[float, int]]]]:
    """For each question whether it is complex, and by budget the share of its evidence and the tokens spent."""
    found = world(line)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(store=StoreSettings(synchronous="NORMAL"))
        with Memory(Path(folder) / "world.db", settings=settings) as memory:
            for session in found.sessions:
                memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
            for question in asked(found.questions, abstaining=abstaining):
                hits = memory.search(question.text, k=HITS, at=question.at, min_relevance=0).hits
                now = instant(question.at) if question.at else time.time_ns() // 1000
                form = PromptForm(now=now, question=question.text)
                told = selected_hits(hits, question.text, now=now, closely=closely)
                yield (
                    is_complex(read(question.text)),
                    [share(told, question.evidence_turns, b, form) for b in BUDGETS],
                )


def share(hits: Sequence[Hit], evidence: Sequence[str], budget: int, form: PromptForm) -> tuple[float, int]:
    """Share of the evidence in a context of these hits, and its words in tokens."""
    text, items = assemble(hits, [], "context", budget, form)
    held = {item.provenance.source_id for item in items}
    return sum(turn in held for turn in evidence) / len(evidence), round(len(text.split()) * 4 / 3)


if __name__ == "__main__":
    main()
