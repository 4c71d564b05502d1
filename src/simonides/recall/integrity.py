"""A word on what was changed outside Simonides."""

from __future__ import annotations

from collections.abc import Iterable


def left_out(altered: Iterable[str]) -> tuple[str, ...]:
    """The degradation that tells of what was left out; none where nothing was."""
    ids = ", ".join(sorted(altered))
    return (f"changed outside Simonides and left out: {ids}; run `simonides doctor`",) if ids else ()
