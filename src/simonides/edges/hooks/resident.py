"""Resident helper: holds a store open for hooks, answers over a socket, and ends when nobody has asked for a while."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

from simonides.domain.scope import Scope
from simonides.edges.hooks.call import failure_note
from simonides.edges.hooks.events import AgentEvent, AgentHooks
from simonides.errors import SimonidesError
from simonides.memory import Memory

_log: Final = logging.getLogger("simonides.hooks")
_IDLE_S: Final = 15 * 60.0
_MOST_BYTES: Final = 16 * 1024 * 1024
_PATIENCE_S: Final = 5.0
_LOOK_S: Final = 0.03


def answered_alone(message: Mapping[str, Any]) -> str:
    """The answer to an event from a store opened for it alone, where no helper can be resident."""
    options: Sequence[str] = message["options"]
    with _opened(options[options.index("--db") + 1] if "--db" in options else "") as memory:
        return _answer(AgentHooks(memory), message)


def serve(place: Path, store: str, idle_s: float = _IDLE_S) -> None:
    """Answer hooks at a place until nobody has asked for a while. Where another helper listens there, do nothing."""
    with ExitStack() as stack:
        bound = _bound(place, stack)
        if bound is None:
            return
        held = stack.enter_context(closing(_Held(store)))
        bound.listen(16)
        Path(failure_note(str(place))).unlink(missing_ok=True)
        bound.settimeout(idle_s)
        with suppress(TimeoutError):
            while True:
                line, _ = bound.accept()
                with ExitStack() as unanswered:
                    unanswered.enter_context(line)
                    hooks = held.hooks()
                    # One that blocks, on a slow disk say, keeps nobody else waiting.
                    Thread(target=_serve, args=(line, hooks), daemon=True).start()
                    unanswered.pop_all()


class _Held:
    """The store that is held open; another one that stands in its place is opened instead."""

    def __init__(self, store: str) -> None:
        self._store = store
        self._open()

    def hooks(self) -> AgentHooks:
        """Answers over the store that stands at the path now."""
        if _file_at(self._memory) != self._file:
            _log.warning("the store was deleted or replaced, and is opened anew")
            self._memory.close()
            self._open()
        return self._hooks

    def close(self) -> None:
        self._memory.close()

    def _open(self) -> None:
        self._memory = _opened(self._store)
        self._file = _file_at(self._memory)
        self._hooks = AgentHooks(self._memory)
        self._memory.context("What do we know?", mode="inject")  # What the first question would wait for.


def _file_at(memory: Memory) -> tuple[int, int] | None:
    """The file that stands at the path of a store; None where there is none."""
    try:
        file_state = None if memory.path is None else memory.path.stat()
    except OSError:
        return None
    return None if file_state is None else (file_state.st_dev, file_state.st_ino)


def _bound(place: Path, stack: ExitStack) -> socket.socket | None:
    """The place, bound but not yet listening, until the stack is left; None where another helper has it."""
    import fcntl  # noqa: PLC0415 - not on every system

    lock = os.open(place.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    stack.callback(os.close, lock)
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            # One that listens has the place for good; one that is ending gives it up soon.
            if place.exists() or time.monotonic() > until:
                return None
            time.sleep(_LOOK_S)
    with suppress(FileNotFoundError):
        place.unlink()  # Left behind by one that was killed: nobody else holds the lock.
    bound = stack.enter_context(socket.socket(socket.AF_UNIX))
    bound.bind(str(place))
    stack.callback(place.unlink, missing_ok=True)
    return bound


def _serve(line: socket.socket, hooks: AgentHooks) -> None:
    """Answer one call. What goes wrong in it is noted, and answered with nothing."""
    with line:
        try:
            line.settimeout(_PATIENCE_S)
            line.sendall(_answer(hooks, json.loads(_event(line))).encode())
        except Exception as error:  # noqa: BLE001 - the outermost edge: the next call is answered
            # What is wrong with an event or a store is told in a line; anything else is a fault of ours.
            why = f"{type(error).__name__}: {error}"
            _log.warning(
                "a hook was not answered: %s",
                " ".join(why.split()),
                exc_info=not isinstance(error, SimonidesError),
            )


def _event(line: socket.socket) -> bytes:
    """The event of a call, which is one line.

    Raises:
        ValueError: It is too long.
    """
    parts: list[bytes] = []
    size = 0
    while part := line.recv(1 << 16):
        parts.append(part)
        size += len(part)
        if part.endswith(b"\n"):
            break
        if size > _MOST_BYTES:
            raise ValueError("the event is too long")
    return b"".join(parts)


def _answer(hooks: AgentHooks, message: Mapping[str, Any]) -> str:
    options: Sequence[str] = message["options"]
    base = Scope(options[options.index("--scope") + 1]) if "--scope" in options else Scope()
    return hooks.answer(AgentEvent(message["agent"], message["name"], message["event"]), base)


def _opened(store: str) -> Memory:
    return Memory(store or None)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s", datefmt="%Y-%m-%dT%H:%M:%S")
    try:
        serve(Path(sys.argv[1]), sys.argv[2])
    except Exception as error:  # noqa: BLE001 - the outermost edge: calls are told why
        Path(failure_note(sys.argv[1])).write_text(f"{type(error).__name__}: {error}", "utf-8", "replace")
        sys.exit(1)
