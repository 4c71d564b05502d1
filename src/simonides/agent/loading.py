"""Loading of what the first chat of a process would wait for: modules, patterns, tables, the bundled embedder."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

_log: Final = logging.getLogger(__name__)
_PATIENCE_MS: Final = 60_000
_PROPOSAL: Final = (
    '<MEMORY_PROPOSALS_JSON>[{"content": "Apollo ships on Fridays.", "type": "decision",'
    ' "why_store": "to plan releases"}]</MEMORY_PROPOSALS_JSON>'
)


class Loading:
    """Loads something once. Safe to use from several threads.

    Args:
        load: What does it. Where it fails, whoever needs a thing loads it at its first use.
    """

    def __init__(self, load: Callable[[], None]) -> None:
        self._load = load
        self._lock = threading.Lock()
        self._over = False

    def finish(self) -> None:
        """Load what is not loaded yet; where another thread is at it, wait for that, for a minute at most."""
        # In a process that was forked meanwhile, that thread is no more.
        if self._over or not self._lock.acquire(timeout=_PATIENCE_MS / 1000):
            return
        try:
            if not self._over:
                self._load()
        except Exception:  # noqa: BLE001 - it only spares a wait
            _log.info("not everything was loaded before the first chat", exc_info=True)
        finally:
            self._over = True
            self._lock.release()


def rehearse() -> None:
    """Hold a short chat with a memory of its own, gone afterwards: nothing else comes by all that chats need."""
    from simonides.agent.middleware import Answer, Chat, Middleware  # noqa: PLC0415 - it imports this module
    from simonides.agent.workers import Deadline  # noqa: PLC0415
    from simonides.config import Settings  # noqa: PLC0415
    from simonides.memory import Memory  # noqa: PLC0415

    chat = Chat(scope="global")
    with Memory(":memory:", settings=Settings()) as memory, Middleware(memory) as middleware:
        for words, answer in _SCRIPT:
            within = Deadline(_PATIENCE_MS)
            turn = middleware.before_model([{"role": "user", "content": words}], chat, within=within)
            middleware.after_model(turn, Answer(answer), within=within)


#: What is recalled has to be stored before.
_SCRIPT: Final = (
    ("We decided that Apollo goes out at the end of each week.", f"Noted. {_PROPOSAL}"),
    ("What do we know about Apollo?", "It ships on Fridays."),
)
#: Of this process.
PROCESS: Final = Loading(rehearse)
