"""A long list, of which other processes work out what needs no store while this one commits.

What they are told and answer are plain values and those of this package: no module of the caller's is imported there.
Whatever they do not answer is worked out here, at its turn, as if there were none.
"""

from __future__ import annotations

import io
import logging
import pickle
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from simonides.child import processors
from simonides.domain.batches import batches
from simonides.domain.item import Item
from simonides.domain.taxonomy import Taxonomy
from simonides.domain.verdict import Verdict
from simonides.errors import ProviderUnavailable
from simonides.governance.policy import Candidate, Policy
from simonides.governance.settings import PolicySettings
from simonides.models.bundled import BundledEmbedder
from simonides.parts.preparing import Aside, AsideAnswer, Ended
from simonides.ports.embedder import Embedder
from simonides.values import dataclass
from simonides.writing.alone import NOTHING_READY, AlonePiece, alone

if TYPE_CHECKING:
    from simonides.compose import Parts
    from simonides.writing.record import ReadyPiece

_log: Final = logging.getLogger("simonides.writing")
#: What they do takes at most twice as long as a commit, and this process does some of it.
_MOST_PROCESSES: Final = 2
#: Pieces that are read beyond those that processes work on.
_AHEAD: Final = 3
_PACKAGE: Final = str(Path(__file__).parents[1])
_ITEM: Final = tuple(field.name for field in fields(Item))
_values = attrgetter(*_ITEM)
#: How long a process may take for a piece. It takes less than a second; one that was stopped takes for ever.
_MOST_WAIT_S: Final = 60.0
#: One list at a time: others are worked on as if there were one processor.
_ONE: Final = threading.Lock()
#: Set where a process could not be started: the next one could not, either.
_NONE_STARTS: Final = threading.Event()


@dataclass(frozen=True, slots=True)
class JudgingRules:
    """First message to a process that judges and embeds candidates.

    Attributes:
        package: Where the asking process has this package from: another version might judge otherwise.
    """

    settings: PolicySettings
    taxonomy: Taxonomy
    package: str = _PACKAGE

    @classmethod
    def of(cls, policy: Policy) -> JudgingRules:
        """Rules of a policy, in a form that can be sent."""
        taxonomy = Taxonomy(dict(policy.taxonomy.specs), dict(policy.taxonomy.aliases))
        return cls(policy.settings, taxonomy)

    def reader(self) -> PieceReader:
        """Reader of the process that was told so."""
        if self.package != _PACKAGE:
            sys.exit(f"this is {_PACKAGE}, not {self.package}")
        return PieceReader(Policy(self.settings, self.taxonomy), BundledEmbedder())


@dataclass(frozen=True, slots=True)
class PieceReader:
    """Works out of packed candidates what needs no store."""

    policy: Policy
    embedder: Embedder

    def read(self, request: bytes) -> AlonePiece:
        """As `alone` does."""
        return alone(_unpacked(request), self.policy, self.embedder)


@contextmanager
def pieces_of(
    parts: Parts, candidates: Iterable[Candidate | Verdict], size: int
) -> Generator[Iterator[ReadyPiece]]:
    """Pieces of `size` candidates, in order, of which something is worked out before each is asked for.

    It is worked out in processes where there are processors for them, and they do as this one would. They are gone when
    the context is left.
    """
    processes = min(processors() - 1, _MOST_PROCESSES)
    if not (processes and _does_so_too(parts) and _ONE.acquire(blocking=False)):
        yield ((piece, NOTHING_READY) for piece in batches(candidates, size))
        return
    try:
        with closing(_Pieces(parts.policy, parts.embedder, batches(candidates, size), processes)) as pieces:
            yield pieces.each()
    finally:
        _ONE.release()


def _does_so_too(parts: Parts) -> bool:
    """True if another process judges and embeds as this one does: by no code, model or file of somebody's own."""
    policy = parts.policy
    return (
        type(policy) is Policy
        and not policy.settings.rules
        and not policy.settings.auditor
        and type(parts.embedder) is BundledEmbedder
        # Else it is the program that Python is a part of, which may not be started as one.
        and Path(sys.executable or "").name.lower().startswith(("python", "pypy"))
        and not hasattr(sys, "frozen")
        and not _NONE_STARTS.is_set()
    )


class _Coming:
    """A piece that is worked on.

    Attributes:
        future: Answer of a process; None where none is asked.
        worked_out: Known already, by this process.
    """

    def __init__(self, entries: Sequence[Candidate | Verdict]) -> None:
        self.entries = entries
        self.candidates = [entry for entry in entries if isinstance(entry, Candidate)]
        self.future: Future[AsideAnswer] | None = None
        self.worked_out: AlonePiece | None = None

    @property
    def is_under_way(self) -> bool:
        return self.future is not None and not self.future.done()

    def ready(self) -> ReadyPiece:
        worked_out = self.worked_out
        if worked_out is None and self.future is not None and not self.future.cancelled():
            try:
                answer = self.future.result(_MOST_WAIT_S).value
            except (
                Ended,
                ProviderUnavailable,
                TimeoutError,
                RuntimeError,
            ):  # The last: the interpreter ends.
                answer = None
            worked_out = answer if isinstance(answer, AlonePiece) else None
        return self.entries, NOTHING_READY if worked_out is None else worked_out.of(self.candidates)


class _Pieces:
    """Pieces of one list, some of them ahead."""

    def __init__(
        self,
        policy: Policy,
        embedder: Embedder,
        source: Iterator[Sequence[Candidate | Verdict]],
        processes: int,
    ) -> None:
        self._policy, self._embedder, self._source = policy, embedder, source
        self._aside = Aside(JudgingRules.of(policy), processes)
        self._threads = ThreadPoolExecutor(processes)
        self._ahead: deque[_Coming] = deque()
        self._most = processes + _AHEAD
        self._asks = True
        self._failure: Exception | None = None
        for _ in range(processes):
            self._submit(None)  # While they start, pieces behind that are worked on here.

    def each(self) -> Iterator[ReadyPiece]:
        """Each piece, ready as far as it may be; what the source raises is raised behind the pieces before it."""
        self._read()
        while self._ahead:
            self._help()
            first = self._ahead.popleft()
            self._read()  # Processes go on while what is ready is committed.
            yield first.ready()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        self._asks = False
        self._aside.close()
        self._threads.shutdown(cancel_futures=True)

    def _read(self) -> None:
        while self._failure is None and len(self._ahead) < self._most:
            try:
                entries = next(self._source, None)
            except Exception as error:  # noqa: BLE001 - raised once what stood before is committed
                self._failure = error
                return
            if entries is None:
                return
            coming = _Coming(entries)
            if self._asks and (packed := _packed(coming.candidates)) is not None:
                coming.future = self._submit(packed)
            self._ahead.append(coming)

    def _help(self) -> None:
        """Work on pieces that no process has begun, until the first is there."""
        first = self._ahead[0]
        for one in self._ahead:
            if not first.is_under_way:
                return
            if one.future is not None and one.future.cancel():
                try:
                    one.worked_out = alone(one.candidates, self._policy, self._embedder)
                except Exception:  # noqa: BLE001 - raised again at its turn
                    return

    def _submit(self, request: bytes | None) -> Future[AsideAnswer] | None:
        try:
            return self._threads.submit(self._ask, request)
        except RuntimeError:  # The interpreter is about to end; this thread goes on for as long as it takes.
            self._asks = False
            return None

    def _ask(self, request: bytes | None) -> AsideAnswer:
        if not self._asks:
            raise Ended
        try:
            return self._aside.ask(request)
        except (Ended, ProviderUnavailable) as error:
            if self._asks:
                self._asks = False
                if isinstance(error, ProviderUnavailable):
                    _NONE_STARTS.set()
                    why = "was not to be started"
                else:
                    why = f"ended ({error})"
                _log.warning("a process for a long list %s; the rest is worked on here", why)
            raise


class _Pickler(pickle.Pickler):
    """Pickles nothing whose type is not of this package: another process would have to import it."""

    def reducer_override(self, obj: Any) -> Any:
        named = obj if isinstance(obj, type) else type(obj)
        if not named.__module__.startswith("simonides."):
            raise pickle.PicklingError
        return NotImplemented


def _packed(candidates: Sequence[Candidate]) -> bytes | None:
    """The judged parts of candidates, by columns, of which many hold one value; None where not all can be sent."""
    rows = [(one.actor, one.remarks, *_values(one.item)) for one in candidates]
    columns = [
        column[:1] if all(value is column[0] for value in column) else column
        for column in zip(*rows, strict=True)
    ]
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump((len(rows), columns))
    except pickle.PicklingError:
        return None
    return buffer.getvalue()


def _unpacked(packed: bytes) -> list[Candidate]:
    count, columns = pickle.loads(packed)  # noqa: S301 - of this program's own process
    columns = [column * count if len(column) == 1 else column for column in columns]
    return [
        Candidate(Item(**dict(zip(_ITEM, values, strict=True))), actor=actor, remarks=remarks)
        for actor, remarks, *values in zip(*columns, strict=True)
    ]
