"""Processes that hold what is under way: named so that another one can tell whether they have ended."""

from __future__ import annotations

import os
import secrets
import socket
from functools import cache
from pathlib import Path
from typing import Final

from simonides.domain.instant import SECOND_US

#: How often a process says that it goes on with what it holds.
SEEN_S: Final = 10.0
#: Of a process that nothing else is known of, after so long without a word.
_SILENT_US: Final = 60 * SECOND_US
#: Tells this process from a later one with the same number.
_PROCESS: Final = secrets.token_hex(8)


def this_process() -> str:
    """Name of this process: its host, its number, when it began, and a word of its own."""
    return f"{socket.gethostname()}/{os.getpid()}/{_began(os.getpid())}/{_PROCESS}"


def has_ended(holder: str, seen_at: int, now: int) -> bool:
    """True if another process is known to have ended, or says nothing any more.

    Args:
        holder: Its name.
        seen_at: When it last said that it goes on.
    """
    if holder == this_process():
        return False
    host, number, began, _ = holder.split("/")
    if host != socket.gethostname():
        return abs(now - seen_at) > _SILENT_US
    if int(number) == os.getpid():
        return True
    return _began(int(number)) != began if began else abs(now - seen_at) > _SILENT_US


@cache
def _tells_of_processes() -> bool:
    return Path("/proc/self/stat").exists()


def _began(number: int) -> str:
    """Start of a process, as the system counts; empty where there is none, or the system does not tell."""
    if not _tells_of_processes():
        return ""
    try:
        stat = Path(f"/proc/{number}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    state, *rest = stat.rpartition(")")[2].split()
    return "" if state == "Z" else rest[18]
