"""Cancelling of work in a thread: whoever asked for it waits for it no longer."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Context, ContextVar

_IS_CANCELLED: ContextVar[Callable[[], bool] | None] = ContextVar("simonides_cancelled", default=None)


def cancelled_by(context: Context, is_cancelled: Callable[[], bool]) -> None:
    """Let work in a context ask whether it is cancelled."""
    context.run(_IS_CANCELLED.set, is_cancelled)


def is_cancelled() -> bool:
    """True if what is done now is waited for no longer: work in steps ends before its next one."""
    asks = _IS_CANCELLED.get()
    return asks is not None and asks()
