"""Files read and their pieces judged and embedded, here or in processes of their own: threads of one take turns."""

from __future__ import annotations

import logging
import os
import pickle
import queue
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from simonides.documents.reading import Unread, read_file
from simonides.domain.document import Corpus
from simonides.governance.policy import Policy, PolicySettings
from simonides.ports.embedder import Embedder
from simonides.writing.documents import PreparedDocument, prepared

_log: Final = logging.getLogger("simonides.documents")
#: Less is read sooner than a process has started.
_WORTH_BYTES: Final = 4 << 20
#: The one that writes keeps up with no more.
_MOST: Final = 4


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file to be read.

    Attributes:
        path: As its document is called.
        root: The folder that it was found in.
        at: The present instant.
        sha256: Of what is there of it; the same bytes need no more.
        known: Marks of chunks that are there.
    """

    file: Path
    path: str
    root: Path
    corpus: Corpus
    at: int
    sha256: str | None = None
    known: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads files.

    Attributes:
        policy: Judges the pieces of each; None to leave that to who writes them.
        embedder: Embeds them; None likewise.
    """

    policy: Policy | None = None
    embedder: Embedder | None = None

    def read(self, request: FileRequest) -> PreparedDocument | Unread | None:
        """What is in a file, or why it is no document; None where it is as it was.

        Raises:
            ProviderUnavailable: Its format needs a package that is not installed.
        """
        try:
            reading = read_file(request.file, request.path, request.root)
        except Unread as error:
            return error
        if reading.sha256 == request.sha256:
            return None
        if self.policy is None:
            return PreparedDocument(reading)
        return prepared(
            reading, request.corpus, self.policy, request.at, known=request.known, embedder=self.embedder
        )


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """What a process that reads files is told first: by which rules it judges, and if it embeds.

    Types of somebody's own are not among it: a chunk's is the engine's.
    """

    settings: PolicySettings
    embeds: bool


class Aside:
    """Reads files in processes of their own; several threads at once, each with one of them.

    What a process cannot do, since it ended, is done here.
    """

    def __init__(self, opening: ReadingRules, processes: int) -> None:
        self._here = FileReader()
        self._free: queue.SimpleQueue[_Process | None] = queue.SimpleQueue()
        self._all = [_Process(opening) for _ in range(processes)]
        for one in self._all:
            self._free.put(one)

    @property
    def pids(self) -> list[int]:
        """The numbers that the system gives the processes."""
        return [one.pid for one in self._all]

    def read(self, request: FileRequest) -> PreparedDocument | Unread | None:
        """As `FileReader.read` does."""
        one = self._free.get()
        try:
            answer = None if one is None else one.ask(request)
        except _Ended as error:
            _log.warning("a process that reads files ended (%s); its files are read here", error)
            one = answer = None
        finally:
            self._free.put(one)
        if answer is None:
            return self._here.read(request)
        if answer.error is not None:
            raise answer.error
        return answer.value

    def close(self) -> None:
        """End the processes."""
        for one in self._all:
            one.close()


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """What became of a request."""

    value: PreparedDocument | Unread | None = None
    error: Exception | None = field(default=None, compare=False)


class _Ended(Exception):
    """A process is no more."""


class _Process:
    def __init__(self, opening: ReadingRules) -> None:
        self._process = subprocess.Popen(
            # -P: the folder that this is called in, often the one that is read, is no place to import from.
            [sys.executable, "-P", "-m", "simonides.parts.prepared_aside"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.pid = self._process.pid
        with suppress(OSError):  # Whoever asks it for anything is told.
            self._send(opening)

    def ask(self, request: FileRequest) -> FileAnswer:
        assert self._process.stdout is not None
        try:
            self._send(request)
            answer: FileAnswer = pickle.load(self._process.stdout)  # noqa: S301 - of this program's own process
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            self.close()
            raise _Ended(f"status {self._process.returncode}") from error
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.stdout.close()  # Or it might wait for somebody to hear the rest of an answer.
        self._process.wait()

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
        self._process.stdin.flush()


def processes_for(size: int) -> int:
    """How many processes are worth their start for so many bytes: one for each processor that this one may use."""
    if size < _WORTH_BYTES or not sys.executable:
        return 0
    with suppress(AttributeError):  # Not on every system.
        return _worth(len(os.sched_getaffinity(0)))
    return _worth(os.cpu_count() or 1)


def _worth(processors: int) -> int:
    return 0 if processors == 1 else min(processors, _MOST)


@contextmanager
def reader_of(policy: Policy, embedder: Embedder, processes: int) -> Generator[FileReader | Aside]:
    """Something that reads files: in processes where there are to be any, and where they judge as this one would."""
    from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - where files are read

    if not processes or type(policy) is not Policy:
        yield FileReader()
        return
    aside = Aside(ReadingRules(policy.settings, type(embedder) is BundledEmbedder), processes)
    try:
        yield aside
    finally:
        aside.close()


def reader_in(opening: ReadingRules) -> FileReader:
    """The reader of a process of its own."""
    from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - where it embeds

    return FileReader(Policy(opening.settings), BundledEmbedder() if opening.embeds else None)
