"""Patience with a provider: how long it is waited for, how often it is asked, and what is raised when it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextvars import copy_context
from typing import Final, TypeVar

from simonides.errors import ProviderError, ProviderUnavailable
from simonides.models.provider import Provider

#: Before each repetition of a request; so three requests are made at most.
PAUSES_S: Final = (0.5, 1.0)
#: What to do about a request for vectors that is refused for none of the usual reasons.
CHECK_EMBEDDING: Final = "check `model`, and leave `dimension` out if the model has only one"
_DETAIL_CHARACTERS: Final = 300

T = TypeVar("T")


class Allowance:
    """Deadline of a wait, all tries together; it runs from when it is made."""

    def __init__(self, seconds: float) -> None:
        self.seconds: Final = seconds
        self._ends = time.monotonic() + seconds

    @property
    def left_s(self) -> float:
        """Seconds until then; 0 afterwards."""
        return max(0.0, self._ends - time.monotonic())

    def hold(self, work: Callable[[], T]) -> T:
        """Do some work in a thread of its own, and return or raise what it does.

        A timeout of HTTP is not enough: it bounds each step alone, so that a server which sends a byte now and
        then is waited for without end, and it does not bound the look-up of a name at all.

        Raises:
            TimeoutError: Nothing came in time. The work goes on, unheard, until its own timeouts end it.
        """
        done: Future[T] = Future()
        context = copy_context()

        def run() -> None:
            try:
                done.set_result(context.run(work))
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                done.set_exception(error)

        threading.Thread(target=run, name="simonides-model", daemon=True).start()
        if not wait([done], self.left_s).done:
            raise TimeoutError
        return done.result()


class BusyError(Exception):
    """A request was refused for now and may be repeated. `repeated` handles it; no caller sees it."""

    def __init__(self, message: str, *, after_s: float | None = None) -> None:
        super().__init__(message)
        self.after_s = after_s


def repeated(
    request: Callable[[], T],
    *,
    longest_pause_s: float,
    pause: Callable[[float], object],
    deadline: Allowance | None = None,
) -> T:
    """Make a request, and again after each of `PAUSES_S` while the provider is busy.

    Args:
        request: Raises `BusyError` to be repeated.
        longest_pause_s: A provider that asks for a longer pause is not waited for.
        pause: Waits for so many seconds.
        deadline: No pause is begun that would reach it.

    Raises:
        ProviderUnavailable: It is still busy after that.
    """
    pauses_s = iter(PAUSES_S)
    while True:
        try:
            return request()
        except BusyError as busy:
            usual_s = next(pauses_s, None)
            pause_s = busy.after_s if busy.after_s is not None else usual_s or 0.0
            late = deadline is not None and pause_s >= deadline.left_s
            if usual_s is None or (busy.after_s or 0) > longest_pause_s or late:
                raise ProviderUnavailable(f"{busy}; try again later") from busy
            pause(pause_s)


def refusal(
    provider: Provider,
    status: int,
    detail: str,
    *,
    not_found: str,
    otherwise: str = CHECK_EMBEDDING,
    after_s: float | None = None,
) -> ProviderError | BusyError:
    """Error to raise for an HTTP status of 300 or more.

    Args:
        provider: Who answered.
        status: The status.
        detail: The answer's text, shown in one line and cut.
        not_found: What to do about a 404.
        otherwise: What to do about a request that is refused for none of the usual reasons.
        after_s: The pause the server asked for.
    """
    text = f"{provider.name} answered {status}: {one_line(detail)}"
    match status:
        case 401 | 403:
            return ProviderError(f"{text}; check api_key")
        case 404:
            return ProviderError(f"{text}; {not_found}")
        case 408 | 429:
            return BusyError(text, after_s=after_s)
        case _ if status >= 500:
            return BusyError(text, after_s=after_s)
        case _ if status < 400:
            # Followed, it would take the key and the texts to wherever it leads.
            return ProviderError(f"{text}; redirects are not followed, set base_url to the server itself")
        case _:
            return ProviderError(f"{text}; {otherwise}")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The pause that an answer asks for, in seconds; None for none, or for a date."""
    header = headers.get("retry-after")
    return float(header) if header is not None and header.isascii() and header.isdigit() else None


def silence(provider: Provider, *, allowed_s: float | None = None) -> ProviderUnavailable:
    """Error to raise for a request that timed out. It is not repeated: that would only wait again.

    Args:
        provider: Who was asked.
        allowed_s: How long whoever asked would wait; None where the provider's own `timeout_s` decided.
    """
    waited_s = provider.timeout_s if allowed_s is None else allowed_s
    advice = "raise timeout_s" if allowed_s is None else "choose a quicker model: this may take no longer"
    return ProviderUnavailable(
        f"{provider.name} did not answer within {waited_s:g} s; see whether it is overloaded, or {advice}"
    )


def unreadable(provider: Provider, error: Exception, *, wanted: str = "vectors") -> ProviderError:
    """Error to raise for an answer that does not hold what was wanted."""
    return ProviderError(
        f"{provider.name} gave an answer without {wanted} ({type(error).__name__}: {one_line(str(error))}); "
        "check that base_url is the address of such a server"
    )


def one_line(text: str) -> str:
    """Make somebody else's text fit for an error message: one line, no control characters, not long."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _DETAIL_CHARACTERS else line[: _DETAIL_CHARACTERS - 1] + "…"
