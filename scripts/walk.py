"""The walk of a search through the code, counted over questions of the sample: `python scripts/walk.py`.

Functions entered are those of the package that are called at least once, calls are all of them, and a return is a call
of a function in a file that the walk had left: what a reader who follows a search comes back to.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from types import FrameType

import simonides
from simonides import Memory
from simonides.sample import load_sample

_PACKAGE = str(Path(simonides.__file__).parent)


class Walk:
    """Notes, for the length of a `with` block and in this thread, which functions of the package are entered.

    What the interpreter makes a frame for inside a function, comprehensions and lambdas, belongs to that function.
    """

    def __init__(self) -> None:
        self.functions: set[tuple[str, str]] = set()
        self.calls = 0
        self.returns: Counter[str] = Counter()
        self._last = ""
        self._visited: set[str] = set()

    def __enter__(self) -> Walk:
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_PACKAGE) or code.co_name.startswith("<"):
            return
        file = code.co_filename[len(_PACKAGE) + 1 :]
        self.functions.add((file, code.co_qualname))
        self.calls += 1
        if file != self._last:
            self.returns[file] += file in self._visited
            self._visited.add(file)
            self._last = file


def main() -> None:
    sample = load_sample()
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "sample.db") as memory:
        for session in sample.sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
        questions = [question.text for question in sample.questions]
        for question in questions:  # What is kept of a text is worked out once.
            memory.context(question)
        operations: dict[str, Callable[[str], object]] = {
            "search": lambda text: memory.search(text, agenda=False),
            "search, agenda": lambda text: memory.search(text, agenda=True),
            "context": memory.context,
            "add": memory.add,
        }
        print(f"{'':16}{'files':>8}{'functions':>11}{'calls':>8}{'returns':>9}  most returned to")
        for name, operation in operations.items():
            walks: list[Walk] = []
            for question in questions:
                with Walk() as walk:
                    operation(question)
                walks.append(walk)
            returns = sum((walk.returns for walk in walks), Counter[str]())
            most = ", ".join(
                f"{file} {count / len(walks):.1f}"
                for file, count in [
                    *returns.most_common(3),
                    ("recall/search.py", returns["recall/search.py"]),
                ]
            )
            figures = (
                mean(len({file for file, _ in walk.functions}) for walk in walks),
                mean(len(walk.functions) for walk in walks),
                mean(walk.calls for walk in walks),
                mean(walk.returns.total() for walk in walks),
            )
            print(f"{name:16}{figures[0]:8.0f}{figures[1]:11.0f}{figures[2]:8.0f}{figures[3]:9.0f}  {most}")


if __name__ == "__main__":
    main()
