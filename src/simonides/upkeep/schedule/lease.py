"""Leases: two processes never run the same job at once."""

from __future__ import annotations

import os
import threading
import uuid
from pathlib import Path
from typing import Final

from simonides.ports.runs import LeaseHolder, RunReader, RunWriter

#: Leases that this process holds, by the thread that took them; one of its own that is not among them was left behind.
_HELD: Final[dict[str, int]] = {}
#: Tells this process from a later one with the same number.
_PROCESS: Final = uuid.uuid4().hex


class Lease:
    """The right to run a job, for a bounded time from when it was last renewed.

    It is kept in the store. One that is over may be taken by anybody; so may one whose process is known to
    have ended, and one whose beginning lies further ahead of the clock than it is long (a clock was set back).

    Args:
        name: Of the job.
        length_us: How long it holds without being renewed.
    """

    def __init__(self, name: str, length_us: int) -> None:
        self.name = name
        self.holder = f"{_host()}/{os.getpid()}/{_PROCESS}/{uuid.uuid4().hex}"
        self._length_us = length_us

    def take(self, tx: RunWriter, at: int) -> LeaseHolder | None:
        """Take it, if it is free; else who holds it."""
        held = tx.lease(self.name)
        if held is not None and not is_free(held, at):
            return held
        self._renew(tx, at)
        _HELD[self.holder] = threading.get_ident()
        return None

    def hold(self, tx: RunWriter, at: int) -> bool:
        """Renew it; False if somebody else has taken it over."""
        held = tx.lease(self.name)
        if held is None or held.holder != self.holder:
            return False
        self._renew(tx, at)
        return True

    def drop(self, tx: RunWriter) -> None:
        """Let go of it."""
        held = tx.lease(self.name)
        if held is not None and held.holder == self.holder:
            tx.put_lease(self.name, None)

    def let_go(self) -> None:
        """Let anybody take it from now on, even where the store could not be told."""
        _HELD.pop(self.holder, None)

    def until(self, at: int) -> int:
        """End of the lease, if it is renewed at an instant."""
        return at + self._length_us

    def _renew(self, tx: RunWriter, at: int) -> None:
        tx.put_lease(self.name, LeaseHolder(self.holder, at, self.until(at)))


def is_free(held: LeaseHolder, at: int) -> bool:
    """True if a lease may be taken over at an instant."""
    set_back = at < held.taken_at - (held.until - held.taken_at)
    return held.until <= at or set_back or _has_ended(held.holder)


def is_own(held: LeaseHolder) -> bool:
    """True if this very thread took a lease: it would wait for itself."""
    return _HELD.get(held.holder) == threading.get_ident()


def still_runs(tx: RunReader, name: str, at: int) -> bool:
    """True if somebody holds a lease."""
    held = tx.lease(name)
    return held is not None and not is_free(held, at)


def holder_in_words(held: LeaseHolder) -> str:
    """Holder of a lease, in words."""
    host, process, *_ = held.holder.split("/")
    return f"process {process} on {host.partition('#')[0]}"


def _has_ended(holder: str) -> bool:
    """True if a holder is known to have ended; of another machine or container nothing is known."""
    host, number, process, _ = holder.split("/")
    if host != _host():
        return False
    if int(number) == os.getpid():
        return process != _PROCESS or holder not in _HELD
    if os.name != "posix":  # Asking about a process ends it elsewhere.
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _host() -> str:
    """This machine, and where processes are numbered apart (containers) their numbering."""
    import socket  # noqa: PLC0415 - where a lease is taken

    try:
        numbering = str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        numbering = ""
    return f"{socket.gethostname()}#{numbering}".replace("/", "_")
