"""Spans of what a memory does, for OpenTelemetry: none, and nothing of it imported, until a tracer is given.

A span holds numbers and names of our own, never a text: no content, question, name of an entity or scope, and of an
error only its kind, since messages quote what they are about.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, TypeAlias

#: Called with what is known of a span only at its end: names without the common prefix, and their values.
Noting: TypeAlias = Callable[..., None]

_PREFIX: Final = "simonides."
_tracer: Any = None


def _unheard(**_: str | float | bool) -> None:
    pass


_NONE: Final = nullcontext(_unheard)


def trace_by(tracer: Any) -> None:
    """Have this process tell its spans to a tracer of OpenTelemetry; None for nobody."""
    global _tracer  # noqa: PLW0603 - one a process, as its log
    _tracer = tracer


def traced() -> bool:
    """True where spans are told."""
    return _tracer is not None


def span(name: str, **attributes: str | float | bool) -> AbstractContextManager[Noting]:
    """A span around some work, within the one that is under way in this thread.

    Args:
        name: Of the work, without the common prefix.
        attributes: Numbers, and names of our own.
    """
    return _NONE if _tracer is None else _span(name, attributes)


@contextmanager
def _span(name: str, attributes: Mapping[str, str | int | float | bool]) -> Generator[Noting]:
    with _tracer.start_as_current_span(
        _PREFIX + name,
        attributes=_prefixed(attributes),
        record_exception=False,
        set_status_on_exception=False,
    ) as current:

        def note(**more: str | float | bool) -> None:
            current.set_attributes(_prefixed(more))

        try:
            yield note
        except BaseException as error:
            from opentelemetry.trace import StatusCode  # noqa: PLC0415 - there is a tracer, so there is this

            current.set_attribute("error.type", type(error).__name__)
            current.set_status(StatusCode.ERROR)
            raise


def _prefixed(attributes: Mapping[str, str | int | float | bool]) -> dict[str, str | int | float | bool]:
    return {_PREFIX + name: value for name, value in attributes.items()}
