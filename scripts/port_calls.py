"""Calls of the store's ports, and SQL statements, of what is done most: `python scripts/port_calls.py`.

Counted over the sample conversation; the first of each is left out, for it fills caches.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import mean

from simonides import Memory
from simonides.sample import load_sample
from simonides.testing.port_calls import PortCalls


def counted(works: list[Callable[[], object]]) -> tuple[float, float, str]:
    """Calls, statements, and the methods of the last one."""
    works[0]()
    calls: list[PortCalls] = []
    for work in works[1:]:
        with PortCalls() as found:
            work()
        calls.append(found)
    methods = ", ".join(f"{name} x{count}" if count > 1 else name for name, count in calls[-1].calls.items())
    return mean(found.total for found in calls), mean(found.statements for found in calls), methods


def main() -> None:
    sample = load_sample()
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "sample.db") as memory:
        for session in sample.sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
        questions = [question.text for question in sample.questions]
        operations: dict[str, list[Callable[[], object]]] = {
            "search": [lambda text=text: memory.search(text, agenda=False) for text in questions],
            "search, agenda": [lambda text=text: memory.search(text, agenda=True) for text in questions[:8]],
            "context": [lambda text=text: memory.context(text) for text in questions[:8]],
            "add": [lambda n=n: memory.add(f"Note {n} about the harbour.") for n in range(8)],
            "propose": [
                lambda n=n: memory.propose(
                    [{"content": f"The user's boat number {n} lies in the harbour."}],
                    session_id="s",
                )
                for n in range(8)
            ],
            "add a turn": [
                lambda n=n: memory.add([{"role": "user", "content": f"turn {n}"}], session_id="s")
                for n in range(8)
            ],
        }
        print(f"{'':16}{'calls':>8}{'statements':>12}  methods of the last one")
        for name, works in operations.items():
            calls, statements, methods = counted(works)
            print(f"{name:16}{calls:8.1f}{statements:12.1f}  {methods}")


if __name__ == "__main__":
    main()
