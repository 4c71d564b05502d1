"""Files read and their pieces judged and embedded, here or in processes of their own, which do so for long lists, too.

In these it goes faster, since threads of one take turns; and a file that is made to exhaust whoever opens it ends one
that holds nothing.
"""

from __future__ import annotations

import logging
import queue
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from simonides.child import Child, processors
from simonides.documents.reading import CONVERTED, Unread, read_bytes, read_file
from simonides.domain.document import Corpus, ReadDocument
from simonides.errors import Busy, ProviderUnavailable
from simonides.values import dataclass

# A process that only reads starts in a quarter of the time without what judges and embeds.
if TYPE_CHECKING:
    from simonides.governance.policy import Policy
    from simonides.governance.settings import PolicySettings
    from simonides.ports.embedder import Embedder
    from simonides.writing.documents import PreparedDocument

_log: Final = logging.getLogger("simonides.documents")
#: Less is read sooner than a process has started.
_WORTH_BYTES: Final = 4 << 20
#: The one that writes keeps up with no more.
_MOST: Final = 4
#: Processor time that a process may take for a file.
MOST_SECONDS: Final = 300
#: Time by the clock that it may take: one that waits takes no processor time, one on a busy machine gets little.
_MOST_WAIT_S: Final = 900.0
#: Documents that are put one at a time: processes for them at once. Each may take much memory.
_ONE_BY_ONE: Final = threading.BoundedSemaphore(2)
#: How long a further one waits for its turn: whoever waits keeps a thread from writing something else.
_TURN_S: Final = 10.0
#: How long one that no longer answers may take to be gone.
_ENDING_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A file to be read.

    Attributes:
        path: As its document is called.
        root: The folder that it was found in.
        data: Its bytes, where they are known already.
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
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class FileReader:
    """Reads files.

    Attributes:
        policy: Judges the pieces of each, which are then prepared; None to leave that to who writes them.
        embedder: Embeds them; None likewise.
    """

    policy: Policy | None = None
    embedder: Embedder | None = None

    def read(self, request: FileRequest) -> PreparedDocument | ReadDocument | Unread | None:
        """Contents of a file, or the reason why it is no document; None where it is as it was.

        Raises:
            ProviderUnavailable: Its format needs a package that is not installed.
        """
        try:
            if request.data is None:
                reading = read_file(request.file, request.path, request.root)
            else:
                reading = read_bytes(request.data, request.path)
        except Unread as error:
            return error
        if reading.sha256 == request.sha256:
            return None
        if self.policy is None:
            return reading
        from simonides.documents.secrets import without_secrets  # noqa: PLC0415 - where it judges
        from simonides.writing.documents import prepared  # noqa: PLC0415

        clean = without_secrets(reading, self.policy)
        return prepared(
            clean, request.corpus, self.policy, request.at, known=request.known, embedder=self.embedder
        )


@dataclass(frozen=True, slots=True)
class ReadingRules:
    """First message to a process that reads files: the rules by which it judges, and if it embeds.

    Types of somebody's own are not among it: a chunk's is the engine's.

    Attributes:
        settings: None where whoever writes judges.
    """

    settings: PolicySettings | None
    embeds: bool

    def reader(self) -> FileReader:
        """Reader of the process that was told so."""
        if self.settings is None:
            return FileReader()
        from simonides.governance.policy import Policy  # noqa: PLC0415 - where it judges
        from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - where it embeds

        return FileReader(Policy(self.settings), BundledEmbedder() if self.embeds else None)


class AsideReader(Protocol):
    """Worker of a process of its own."""

    def read(self, request: Any, /) -> object:
        """Outcome of a request."""
        ...


class AsideTask(Protocol):
    """First message to a process: what it is to do."""

    def reader(self) -> AsideReader:
        """The one that does it there."""
        ...


class Aside:
    """Reads files, or what else it is opened for, in processes of their own; several threads at once, each with one.

    A file that ends its process is refused, and never opened here: it would end this one. Another process takes its
    place.
    """

    def __init__(self, opening: AsideTask, processes: int) -> None:
        self._opening = opening
        self._free: queue.SimpleQueue[_Process | None] = queue.SimpleQueue()
        self._all: list[_Process] = []
        self._closed = False
        for _ in range(processes):
            self._free.put(None)  # Each is started with its first file.

    @property
    def pids(self) -> list[int]:
        """The numbers that the system gives the processes, of those that were started."""
        return [one.pid for one in self._all]

    def read(self, request: FileRequest) -> PreparedDocument | ReadDocument | Unread | None:
        """As `FileReader.read` does.

        Raises:
            ProviderUnavailable: No process can be started, too.
        """
        try:
            answer = self.ask(request)
        except Ended as error:
            if not self._closed:
                _log.warning("a process that reads files ended: %s", error)
            return Unread(str(error))
        if answer.error is not None:
            raise answer.error
        return cast("PreparedDocument | ReadDocument | Unread | None", answer.value)

    def ask(self, request: FileRequest | bytes | None) -> AsideAnswer:
        """AsideAnswer of a process to a request; without one it is only started.

        Raises:
            Ended: It ended before it answered.
            ProviderUnavailable: No process can be started.
        """
        one = self._free.get()
        try:
            one = one or self._started()
            return AsideAnswer() if request is None else one.ask(request)
        except Ended:
            one = None
            raise
        finally:
            self._free.put(one)

    def close(self) -> None:
        """End the processes, in the middle of a file if need be."""
        self._closed = True
        for one in self._all:
            one.close()

    def _started(self) -> _Process:
        if self._closed:
            raise Ended("reading was given up")
        one = _Process(self._opening)
        self._all.append(one)
        if self._closed:
            one.close()  # Meanwhile; whoever asks it is told.
        return one


@dataclass(frozen=True, slots=True)
class AsideAnswer:
    """Outcome of a request."""

    value: object = None
    error: Exception | None = field(default=None, compare=False)


class Ended(Exception):
    """A process is no more; the message says why, as far as can be told."""


class _Process(Child):
    """A process that reads files.

    Raises:
        ProviderUnavailable: The system starts none, or it ends at once.
    """

    def __init__(self, opening: AsideTask) -> None:
        try:
            super().__init__("simonides.parts.prepared_aside")
        except OSError as error:
            raise ProviderUnavailable(
                f"no process to read files in can be started ({error.strerror}); "
                "what is kept stays, ingest again to go on"
            ) from error
        self._is_late = False
        try:
            self.channel.send(opening)
            self.channel.receive()  # It is there, and has imported what it needs.
        except _GONE as error:
            raise ProviderUnavailable(
                f"a process to read files in {self._how_it_ended(self.close())} before it read any; "
                "what it wrote says why"
            ) from error

    def ask(self, request: FileRequest | bytes) -> AsideAnswer:
        late = threading.Timer(_MOST_WAIT_S, self._give_up)
        late.daemon = True
        late.start()
        try:
            self.channel.send(request)
            return self.channel.receive()
        except _GONE as error:
            raise Ended(f"the process that read it {self._how_it_ended(self.wait(_ENDING_S))}") from error
        finally:
            late.cancel()

    def _give_up(self) -> None:
        self._is_late = True
        self.kill()

    def close(self) -> int:
        self.kill()  # Nothing of it is lost: it only reads.
        return self.wait()

    def _how_it_ended(self, status: int) -> str:
        if self._is_late:
            return f"took more than {_MOST_WAIT_S:.0f} s"
        if status >= 0:
            return f"ended with status {status}"
        name = signal.Signals(-status).name if -status in set(signal.Signals) else f"signal {-status}"
        return (
            f"took more than {MOST_SECONDS} s of processor time"
            if name == "SIGPROF"
            else f"was ended by {name}"
        )


#: Signs that a process is no more.
_GONE: Final = (EOFError, OSError, ValueError)


def processes_for(size: int) -> int:
    """Number of processes worth their start for so many bytes: one for each processor that this one may use."""
    most = 0 if size < _WORTH_BYTES or not sys.executable else processors()
    return 0 if most == 1 else min(most, _MOST)


def is_read_aside(path: str) -> bool:
    """True if a document is of a format that is never opened in the process that writes."""
    return Path(path).suffix.lower() in CONVERTED


def read_aside(data: bytes, path: str, corpus: Corpus) -> ReadDocument:
    """The document of some bytes, read in a process that ends with it.

    Raises:
        Unread: They are no document.
        ProviderUnavailable: Its format needs a package that is not installed, or no process can be started.
        Busy: As many as may are being read, and go on being.
    """
    if not _ONE_BY_ONE.acquire(timeout=_TURN_S):
        raise Busy(f"{path} was not read: other files take their time; try again later")
    try:
        with closing(Aside(ReadingRules(None, embeds=False), 1)) as aside:
            read = aside.read(FileRequest(Path(), path, Path(), corpus, 0, data=data))
    finally:
        _ONE_BY_ONE.release()
    if isinstance(read, Unread):
        raise read
    assert isinstance(read, ReadDocument)
    return read


@contextmanager
def reader_of(
    policy: Policy, embedder: Embedder, processes: int, *, judges: bool = True
) -> Generator[FileReader | Aside]:
    """Something that reads files: in processes where there are to be any.

    They judge and embed, too, where that is wanted and they do as this one would.
    """
    from simonides.governance.policy import Policy  # noqa: PLC0415 - where files are judged
    from simonides.models.bundled import BundledEmbedder  # noqa: PLC0415 - where they are embedded

    if not processes:
        yield FileReader()
        return
    settings = policy.settings if judges and type(policy) is Policy else None
    aside = Aside(
        ReadingRules(settings, settings is not None and type(embedder) is BundledEmbedder), processes
    )
    try:
        yield aside
    finally:
        aside.close()
