"""Counting what a piece of work asks of a store: calls of its ports, which are round trips where it is far away."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType, TracebackType
from typing import Any, Final

from simonides.ports.store import Reader, Writer

_STORAGE: Final = "simonides.storage"
#: Say what the calls behind them will ask for, and wait for nothing.
_AHEAD: Final = frozenset({"look_ahead", "expect_opening"})
_NAMES: Final = frozenset(name for name in (*dir(Reader), *dir(Writer)) if not name.startswith("_")) - _AHEAD


class PortCalls:
    """Counts, for the length of a `with` block and in this thread, calls of readers and writers from outside storage.

    Attributes:
        calls: How often each method was called.
        statements: SQL statements that were run by a store on SQLite, with those that begin and end a transaction.
    """

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.statements = 0
        self._within: FrameType | None = None

    @property
    def total(self) -> int:
        """Calls of all methods."""
        return self.calls.total()

    def __enter__(self) -> PortCalls:
        sys.setprofile(self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call":
            self.statements += arg.__name__ in {"execute", "executemany"}
        elif event == "return" and frame is self._within:
            self._within = None
        elif event == "call" and self._within is None and _is_of_a_port(frame):
            self.calls[frame.f_code.co_name] += 1
            self._within = frame


def _is_of_a_port(frame: FrameType) -> bool:
    """True if a call is one of a method of a reader or writer, in storage."""
    if frame.f_code.co_name not in _NAMES or not str(frame.f_globals.get("__name__", "")).startswith(
        _STORAGE
    ):
        return False
    return all(hasattr(frame.f_locals.get("self"), name) for name in ("load", "scopes"))
