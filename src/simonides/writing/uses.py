"""Uses and injections, noted off the read path and written in batches."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from simonides.domain.ids import new_id
from simonides.domain.instant import SECOND_US
from simonides.domain.records import Injection
from simonides.errors import InvalidInput, StoreError
from simonides.ports.store import Store, Writer
from simonides.writing.corecall import pairs_used_together

#: A session that nobody names ends after this silence, as a chat's does.
_SILENCE_US: Final = 30 * 60 * SECOND_US
_FLUSH_AFTER_S: Final = 0.5
_MOST_PENDING: Final = 1000
_log = logging.getLogger(__name__)


def _use(item_ids: tuple[str, ...], session_id: str, at: int, tx: Writer) -> None:
    counted = tx.use(item_ids, session_id, at)
    tx.strengthen(pairs_used_together(item_ids, counted), at)


def _all(noted: Sequence[Callable[[Writer], Any]], tx: Writer) -> None:
    for note in noted:
        note(tx)


class UseLog:
    """Collects what was used and injected; a timer, a reader of the counts or closing writes it down.

    Attributes:
        kept: Whether anything is noted at all: nothing is of a store that is only read.
    """

    def __init__(self, store: Store, *, kept: bool = True) -> None:
        self.kept = kept
        self._store = store
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._noted: list[Callable[[Writer], Any]] = []
        self._timer: threading.Timer | None = None
        self._unnamed = ""
        self._unnamed_at = 0
        self._closed = False

    def used(self, item_ids: Sequence[str], session_id: str | None, at: int) -> None:
        """Note that items, best first, were served at once to somebody who asked.

        Writing it down counts a use of each and links those at the top (`pairs_used_together`).
        """
        if item_ids and self.kept:
            with self._lock:
                session = session_id or self._unnamed_session(at)
                self._noted.append(partial(_use, tuple(item_ids), session, at))
                self._arm()

    def injected(self, injection: Injection) -> None:
        """Note what was put into a prompt."""
        if self.kept:
            with self._lock:
                self._noted.append(lambda tx: tx.keep_injections([injection]))
                self._arm()

    def flush(self) -> None:
        """Write down what was noted.

        Of what could not be written the latest stays noted, and the error is raised. What the store never takes is
        lost, and the log says so.
        """
        with self._writing:  # Who closes waits for a flush that is under way.
            self._flush()

    def _flush(self) -> None:
        with self._lock:
            noted, self._noted = self._noted, []
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        pieces = [noted] if noted else []
        while pieces:
            piece = pieces.pop(0)
            try:
                self._store.write(partial(_all, piece))
            except InvalidInput as error:
                # It would be refused each time, and everything that is noted with it: a session's name, say, that is
                # longer than a database keeps in its keys.
                if len(piece) > 1:
                    pieces = [[note] for note in piece]
                else:
                    _log.warning("a use could not be written and is lost: %s", error)
            except BaseException:
                with self._lock:
                    left = [note for each in (piece, *pieces) for note in each]
                    self._noted = (left + self._noted)[-_MOST_PENDING:]
                raise

    def settle(self) -> None:
        """Write down what was noted, for a reader of the counts: where that fails, reading goes on without."""
        try:
            self.flush()
        except StoreError as error:
            _log.warning(
                "uses could not be written and are %s: %s",
                "lost" if self._closed else "kept for later",
                error,
            )

    def close(self) -> None:
        """Write down the rest and stop the timer. What cannot be written is lost, and the log says so."""
        with self._lock:
            self._closed = True
        self.settle()

    def _unnamed_session(self, at: int) -> str:
        """The id of the session that goes on while searches without one follow each other closely."""
        if not self._unnamed or not 0 <= at - self._unnamed_at <= _SILENCE_US:
            self._unnamed = f"unnamed-{new_id(at)}"
        self._unnamed_at = at
        return self._unnamed

    def _arm(self) -> None:
        if self._timer is None and not self._closed:
            self._timer = threading.Timer(_FLUSH_AFTER_S, self._flush_by_timer)
            self._timer.daemon = True
            self._timer.start()

    def _flush_by_timer(self) -> None:
        with self._lock:
            self._timer = None
        try:
            self.settle()
        except Exception:  # noqa: BLE001 - a thread's outermost edge; what was noted is kept for the next flush
            _log.warning("uses could not be written and are kept for later", exc_info=True)
