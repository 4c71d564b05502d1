"""An index that compares large scopes by a structure, made in the background and kept beside the store."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.selection import Selection
from simonides.ports.vectors import VectorSource
from simonides.values import dataclass
from simonides.vectors import saved
from simonides.vectors.engine import BuildStopped, Engine
from simonides.vectors.exact import DECIMALS, Best, ExactIndex, products, status_codes
from simonides.vectors.frozen import FrozenRows
from simonides.vectors.saved import Manifest, SavedVectors, Unusable

#: A saving is made anew when this share of its vectors changed, but not for fewer than `above`.
_CHANGED_SHARE: Final = 0.1
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SavingPlan:
    """Time and place of saving what an index makes.

    Attributes:
        folder: Where; None keeps it from opening and making anything.
        above: Vectors of one scope, from which a structure serves it.
        writes: Whether it may make one, or only open what is there.
        patience_s: So long after it is first asked nothing is made in the background: a process that asks
            once and ends, as a command does, would only begin it.
    """

    folder: Path | None
    above: int
    writes: bool = True
    patience_s: float = 30.0


class ApproximateIndex:
    """Meets `ports.vectors.VectorIndex`: exact as long as that is quick, by an engine's structure beyond.

    Vectors are in two places: as they were saved, mapped and never changed (`FrozenRows`), and what
    changed since then, in memory (`ExactIndex`); before anything is saved, everything is there. What a
    structure names is compared exactly, so that every cosine that is given is that of exact search.
    """

    def __init__(self, model: EmbedderIdentity, engine: Engine, plan: SavingPlan) -> None:
        self._model = model
        self._engine = engine
        self._plan = plan
        self._held: _Held = (None, ExactIndex(model))
        self._change = 0
        self._first_asked_s: float | None = None
        self._wanted = False
        self._build: _Build | None = None
        self._problem: str | None = None
        self._lock = threading.Lock()

    def __len__(self) -> int:
        frozen, recent = self._held
        return len(recent) + (0 if frozen is None else len(frozen))

    @property
    def degradations(self) -> Sequence[str]:
        frozen, _ = self._held
        if frozen is not None and frozen.damaged:
            return ("vectors: some that were saved are damaged and left out; the next search has them again",)
        return () if self._problem is None else (self._problem,)

    def describe(self) -> str:
        frozen, recent = self._held
        text = f"{self._engine.name} for scopes of {self._plan.above:,} vectors and more; "
        if frozen is None:
            text += f"{len(recent):,} compared one by one"
        else:
            text += f"{len(frozen):,} saved, {len(recent):,} since"
        return text + (", making one in the background" if self._build is not None else "")

    def refresh(self, source: VectorSource) -> None:
        known = self._first_asked_s is not None and not self._something_to_do()
        if known and source.last_change() <= self._change:
            return
        with self._lock:
            if self._first_asked_s is None:
                self._open(source)
                self._first_asked_s = time.monotonic()
            frozen, _ = self._held
            if frozen is not None and frozen.damaged:
                self._start_over(frozen, source)
            self._follow(source)
            if self._build is not None and self._build.done:
                self._take_over(source, self._build)
            elif self._build is None and self._wanted and self._was_patient() and not self._adopted(source):
                self._start(source)

    def search(
        self, vector: NDArray[np.float32], selection: Selection, scopes: Sequence[int] | None, limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        frozen, recent = self._held
        latest = recent.search(vector, selection, scopes, limit)
        if frozen is None:
            return latest
        best = Best(limit)
        # What changes meanwhile is masked there before it comes here: this order finds nothing twice.
        best.offer(*latest)
        frozen.search(best, vector, status_codes(selection), selection.live_at, scopes, limit)
        return best.ordered()

    def cosines(self, vector: NDArray[np.float32], keys: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.round(products(self.vectors(keys), vector), DECIMALS)

    def vectors(self, keys: NDArray[np.int64]) -> NDArray[np.float32]:
        frozen, recent = self._held
        vectors = recent.vectors(keys)
        if frozen is not None:
            saved_ones, held = frozen.vectors(keys)
            vectors[held] = saved_ones[held]
        return vectors

    def build(self, views: Callable[[], AbstractContextManager[VectorSource]]) -> int:
        self._problem = None
        with views() as source:
            self.refresh(source)
            with self._lock:
                if self._build is None and self._plan.writes and self._worth_making():
                    self._start(source)
                build = self._build
        if build is not None:
            build.wait()
            with views() as source:
                self.refresh(source)
        return len(self)

    def close(self) -> None:
        with self._lock:
            self._wanted = False
            self._drop_build()
            self._held = (None, ExactIndex(self._model))  # Lets go of what is mapped.

    def _something_to_do(self) -> bool:
        frozen, _ = self._held
        if frozen is not None and frozen.damaged:
            return True
        if self._build is not None:
            return self._build.done
        return self._wanted and self._was_patient()

    def _was_patient(self) -> bool:
        first = self._first_asked_s
        return first is not None and time.monotonic() - first >= self._plan.patience_s

    # Each of the following is called by one thread at a time.

    def _open(self, source: VectorSource) -> None:
        """Take what is saved, if it is this store's; else everything comes from the store."""
        if self._plan.folder is None:
            return
        try:
            opened = saved.open_current(self._plan.folder, self._engine, self._model, source.holds)
        except Unusable as reason:
            _LOG.info("the saved index of vectors is not used: %s", reason)
        except Exception as error:  # noqa: BLE001 - whatever an engine raises: searches go on without it
            self._fail(str(error) or type(error).__name__)
        else:
            if opened is not None:
                self._go_on_from(FrozenRows(opened, self._engine), source)

    def _adopted(self, source: VectorSource) -> bool:
        """Take what another process has made meanwhile, and was to be made here; True if there was such."""
        assert self._plan.folder is not None
        before, _ = self._held
        named = saved.current(self._plan.folder, self._engine)
        if not named or (before is not None and before.manifest.saving == named):
            return False
        self._open(source)
        now, _ = self._held
        return now is not before or self._problem is not None

    def _go_on_from(self, frozen: FrozenRows | None, source: VectorSource) -> None:
        held = frozen, ExactIndex(self._model)
        newest = self._catch_up(held, source, 0 if frozen is None else frozen.manifest.change)
        self._held, self._change = held, newest  # A search beside it sees the one or the other, whole.
        self._decide()

    def _follow(self, source: VectorSource) -> None:
        if source.last_change() > self._change:
            self._change = self._catch_up(self._held, source, self._change)
            self._decide()

    def _catch_up(self, held: _Held, source: VectorSource, since: int) -> int:
        """Take in what changed; the number of the newest change."""
        newest = max(since, source.last_change())
        frozen, recent = held
        for changes in source.vector_changes(since, self._model.fingerprint):
            purged = changes.keys[changes.scopes < 0]
            if len(purged):
                self._drop_build()  # It writes down what is to be nowhere.
            if frozen is not None:
                if frozen.knows(purged):
                    self._discard(frozen.manifest)
                    frozen.outdated = True
                frozen.mask(changes.keys)
            recent.take(changes)
        return newest

    def _decide(self) -> None:
        """Make something in the background, if it is time."""
        self._wanted = self._problem is None and self._plan.writes and self._worth_making()

    def _worth_making(self) -> bool:
        frozen, recent = self._held
        above = self._plan.above
        if self._plan.folder is None:
            return False
        if frozen is None:
            return len(recent) >= above
        changed = max(len(recent), frozen.masked)
        enough = max(above, _CHANGED_SHARE * len(frozen))
        return len(self) > 0 and (frozen.outdated or changed >= enough)

    def _start(self, source: VectorSource) -> None:
        assert self._plan.folder is not None
        frozen, recent = self._held
        pieces = recent.snapshot() if frozen is None else [frozen.snapshot(), *recent.snapshot()]
        snapshot = SavedVectors(self._model, source.mark(), self._change, pieces)
        self._build = _Build(self._plan.folder, self._engine, snapshot, self._plan.above, frozen)
        self._wanted = False

    def _take_over(self, source: VectorSource, build: _Build) -> None:
        """Make what was built current, and go on from there."""
        assert self._plan.folder is not None
        self._build = None
        try:
            saved.publish(self._plan.folder, build.result())
            opened = saved.open_current(self._plan.folder, self._engine, self._model, source.holds)
        except FileNotFoundError:
            self._wanted = True  # A purge of another process removed it: once more, without what was purged.
        except Exception as error:  # noqa: BLE001 - whatever an engine raises: searches go on without it
            self._fail(str(error) or type(error).__name__)
        else:
            if opened is not None:
                self._go_on_from(FrozenRows(opened, self._engine), source)
            return
        self._discard(build.manifest)

    def _drop_build(self) -> None:
        if self._build is not None:
            self._build.stop()
            self._discard(self._build.manifest)
            self._build = None

    def _start_over(self, frozen: FrozenRows, source: VectorSource) -> None:
        _LOG.warning("saved vectors of %s are damaged; they are read from the store again", self._plan.folder)
        self._drop_build()
        self._discard(frozen.manifest)
        self._go_on_from(None, source)

    def _fail(self, why: str) -> None:
        self._wanted = False
        why_not = f"vectors: {self._engine.name} cannot be used ({why}); all are compared one by one"
        self._problem = f"{why_not} until `simonides reindex` succeeds"
        _LOG.warning("%s", self._problem)

    def _discard(self, manifest: Manifest | None) -> None:
        if manifest is not None and self._plan.folder is not None:
            saved.discard(self._plan.folder, manifest)


_Held = tuple[FrozenRows | None, ExactIndex]


class _Build:
    """A saving under way in a thread of its own.

    Attributes:
        manifest: What was made; None before it is done and if nothing came of it.
    """

    def __init__(
        self, folder: Path, engine: Engine, snapshot: SavedVectors, own_part: int, frozen: FrozenRows | None
    ) -> None:
        self.manifest: Manifest | None = None
        self._error: Exception | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run,
            args=(folder, engine, snapshot, own_part, frozen),
            name="simonides-index",
            daemon=True,
        )
        self._thread.start()

    @property
    def done(self) -> bool:
        return not self._thread.is_alive()

    def wait(self) -> None:
        self._thread.join()

    def stop(self) -> None:
        """End it soon, and wait until it has."""
        self._stop.set()
        self._thread.join()

    def result(self) -> Manifest:
        """Return what was made.

        Raises:
            Exception: Whatever stood in the way.
        """
        if self.manifest is None:
            raise self._error or BuildStopped("it was stopped")
        return self.manifest

    def _run(
        self, folder: Path, engine: Engine, snapshot: SavedVectors, own_part: int, frozen: FrozenRows | None
    ) -> None:
        try:
            if frozen is not None:
                frozen.check()  # What is copied gets new checksums.
            self.manifest = saved.write(folder, engine, snapshot, own_part, self._stop.is_set)
        except Exception as error:  # noqa: BLE001 - a thread's outermost edge; whoever asks for the result gets it
            self._error = error
