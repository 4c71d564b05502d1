"""A call of a hook: an event goes to the resident helper, what it says comes back.

An agent waits for each call, so it imports only what every call needs: `typing`, `pathlib` and `re` would take as long
as all the rest. An agent never suffers from it, either: whatever goes wrong leaves a line in a log, nothing on standard
output, and exit code 0.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import time
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Sequence
    from typing import Any, Final

#: How long a helper that has just been started may take to listen.
_START_S: Final = 8.0
#: How long its answer may take.
_ANSWER_S: Final = 5.0
_LOOK_S: Final = 0.03
#: How long a helper that failed is not started again: until then calls end at once.
_FAILED_S: Final = 30.0
_AGENTS: Final = frozenset({"claude-code", "codex"})
_EVENTS: Final = frozenset({"SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"})
_MOST_BYTES: Final = 16 * 1024 * 1024
_LOG_BYTES: Final = 1_000_000
#: A socket's path has at most 104 bytes on some systems, and 50 of them are ours.
_LONGEST_BASE: Final = 50


def main(arguments: Sequence[str] | None = None) -> None:
    """Read an event from standard input and write the answer, if there is one."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        answer = called(given, sys.stdin.buffer.read(_MOST_BYTES))
        if answer:
            sys.stdout.write(answer)
            sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 - an agent never fails for its memory
        try:
            log(f"{' '.join(given)}: {type(error).__name__}: {error}")
        except Exception:  # noqa: BLE001, S110 - nor for its log
            pass


def called(given: Sequence[str], event: bytes) -> str:
    """The answer to an event, in the agent's form; empty where there is nothing to say.

    Args:
        given: The agent, the name of the event, and options for the helper: `--db PATH`, `--scope SCOPE`.
    """
    agent, name, *options = given
    fields: Any = json.loads(event or b"{}")
    if not isinstance(fields, dict):
        raise TypeError("the event is no object")
    event_fields: dict[str, Any] = {"cwd": os.getcwd(), **fields}
    message = {"agent": agent, "name": name, "options": options, "event": event_fields}
    if not hasattr(socket, "AF_UNIX"):
        from simonides.edges.hooks.resident import answered_alone  # noqa: PLC0415 - brings the engine along

        return answered_alone(message)
    return _exchange(json.dumps(message).encode() + b"\n", options)


def meeting_place(store: str) -> str:
    """Path of the resident helper's socket for a store, in a folder that nobody else can enter.

    Raises:
        OSError: The folder belongs to somebody else.
    """
    bases = (os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("TMPDIR") or "/tmp", "/tmp")  # noqa: S108 - looked at below
    base = next((base for base in bases if len(base) < _LONGEST_BASE), bases[-1])
    folder = os.path.join(base, f"simonides-{os.getuid()}")
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    state = os.lstat(folder)
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise OSError(f"{folder} can be entered by others")
    # Another version of the code is another helper: an update is not answered by the former one.
    code = os.stat(__file__).st_mtime_ns
    name = sha256(f"{store}\n{sys.executable}\n{code}".encode()).hexdigest()[:24]
    return os.path.join(folder, f"{name}.sock")


def failure_note(place: str) -> str:
    """Path of a file beside a meeting place that says why the helper could not be started."""
    return f"{place.removesuffix('.sock')}.failed"


def is_call(arguments: Sequence[str]) -> bool:
    """True of a command line by which an agent tells an event to `simonides hook`."""
    words = [one for one in arguments if not one.startswith("-")]
    options = words[words.index("hook") + 1 :] if "hook" in words else []
    return len(options) > 1 and options[0] != "install" and (options[0] in _AGENTS or options[1] in _EVENTS)


def log_file() -> str:
    """Path of the log of what went wrong; it is begun anew when it has grown large."""
    home = os.path.expanduser("~")
    if sys.platform == "darwin":
        folder = os.path.join(home, "Library", "Logs", "simonides")
    else:
        state = os.environ.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state")
        folder = os.path.join(state, "simonides")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, "hooks.log")
    try:
        if os.stat(path).st_size > _LOG_BYTES:
            os.unlink(path)
    except OSError:
        pass
    return path


def log(line: str) -> None:
    """Note what went wrong, in one line."""
    with open(log_file(), "a", encoding="utf-8", errors="replace") as file:
        file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {' '.join(line.split())[:1000]}\n")


def _exchange(message: bytes, options: Sequence[str]) -> str:
    store = options[options.index("--db") + 1] if "--db" in options else os.environ.get("SIMONIDES_DB", "")
    if store and "://" not in store:
        store = os.path.realpath(os.path.expanduser(store))
    place = meeting_place(store)
    with _line(place, store) as line:
        line.settimeout(_ANSWER_S)
        line.sendall(message)
        parts: list[bytes] = []
        while part := line.recv(1 << 16):
            parts.append(part)
        return b"".join(parts).decode()


def _line(place: str, store: str) -> socket.socket:
    """A line to the helper; it is started where none listens.

    Raises:
        TimeoutError: It did not come up in time.
        OSError: It failed, or did so a moment ago.
    """
    until = time.monotonic() + _START_S
    helper: subprocess.Popen[bytes] | None = None
    while True:
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(place)
        except (FileNotFoundError, ConnectionRefusedError):
            line.close()
            if helper is None:
                if failed := _failure(place):
                    raise OSError(f"the helper failed a moment ago: {failed}") from None
                helper = _start(place, store)
            elif helper.poll():
                raise OSError(f"the helper failed: {_failure(place)}") from None
            if time.monotonic() > until:
                raise TimeoutError("the helper did not start in time") from None
            time.sleep(_LOOK_S)
        else:
            return line


def _failure(place: str) -> str:
    """Reason why a helper failed a moment ago; empty where none did."""
    note = failure_note(place)
    try:
        if not 0 <= time.time() - os.stat(note).st_mtime < _FAILED_S:
            return ""
        with open(note, encoding="utf-8", errors="replace") as file:
            return file.read() or "for an unknown reason"
    except OSError:
        return ""


def _start(place: str, store: str) -> subprocess.Popen[bytes]:
    import subprocess  # noqa: PLC0415 - a call that finds the helper there does without

    with open(log_file(), "ab") as log_to:
        return subprocess.Popen(  # noqa: S603 - this very interpreter
            [sys.executable, "-m", "simonides.edges.hooks.resident", place, store],
            stdin=subprocess.DEVNULL,
            stdout=log_to,
            stderr=log_to,
            start_new_session=True,
            cwd=os.path.dirname(place),
        )
