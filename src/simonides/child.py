"""Child processes of this program, and the messages between one and the process that started it, over two pipes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import suppress
from typing import IO, Any

from simonides.ending import leave_signals


class Channel:
    """Two pipes between two processes of this program, which trust each other. Several threads may send."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    def send(self, message: object) -> None:
        """Send a message.

        Raises:
            OSError: The other process has ended.
            ValueError: Nothing more was to come.
        """
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        with self._lock:
            self._writer.write(data)
            self._writer.flush()

    def receive(self) -> Any:
        """The next message of the other process.

        Raises:
            EOFError: It has ended, or was broken off in the midst of one.
        """
        try:
            return pickle.load(self._reader)  # noqa: S301 - of this program's own process
        except (OSError, ValueError, pickle.UnpicklingError) as error:
            raise EOFError from error

    def messages(self) -> Generator[Any]:
        """Messages of the other process, until its end."""
        with suppress(EOFError):
            while True:
                yield self.receive()

    def close(self) -> None:
        """Say that nothing more comes."""
        with self._lock, suppress(OSError):
            self._writer.close()


class Child:
    """A process that runs a module of this package and is told over its input what to do.

    Attributes:
        began: When it was started, in seconds.
        pid: Its number.
        channel: What is told and answered.

    Raises:
        OSError: The system starts none.
    """

    def __init__(self, module: str) -> None:
        self.began = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 - a module of this package
            # -P: the folder that this is called in, often one that is read, is no place to import from.
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.pid = self._process.pid
        self.channel = Channel(self._process.stdout, self._process.stdin)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def wait(self, longest_s: float | None = None) -> int:
        """Wait for its end, which is made where it does not come in time; its exit status."""
        assert self._process.stdout is not None
        try:
            self._process.wait(longest_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
        status = self._process.wait()
        self.channel.close()
        self._process.stdout.close()
        return status


def channel_to_starter() -> Channel:
    """The channel of a child to the process that started it, which tells it when to end, too."""
    leave_signals()
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Whatever is printed is no message.
    return Channel(reader, writer)


def processors() -> int:
    """Number of processors that this process may use."""
    with suppress(AttributeError):  # Not on every system.
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
