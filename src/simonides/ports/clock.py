"""The clock port: the only source of "now"."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Microseconds since 1970 in UTC."""
        ...
