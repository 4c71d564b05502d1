"""Anthropic's memory tool: Claude keeps files under /memories, which are records of a memory."""

# pyright: basic, reportMissingImports=false, reportAssignmentType=false
from __future__ import annotations

import logging
import posixpath
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from anthropic.lib.tools import ToolError
from anthropic.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from simonides import InvalidInput, Memory, SimonidesError
from simonides.adapters.chat import Awaiting, awaited, bound
from simonides.errors import NeedsApproval

_log: Final = logging.getLogger(__name__)
_ROOT: Final = "/memories"
_SHOWN_DEPTH: Final = 2
_NUMBER_WIDTH: Final = 6
_AROUND: Final = 2
_EVERY: Final = 1_000_000

__all__ = ["AsyncMemoryTool", "MemoryTool"]


class MemoryTool(BetaAbstractMemoryTool):
    """Anthropic's memory tool on a memory: `client.beta.messages.tool_runner(tools=[MemoryTool(memory)], …)`.

    It answers word for word as their `BetaLocalFilesystemMemoryTool`. A directory is there as long as it holds a file.
    A directory is a space of records, a file's text a value: what a model writes passes the policy, is found by
    searches, and keeps its versions. A file that a person put, pinned or confirmed it reads, and cannot change.

    Args:
        memory: Where the files are kept. It stays the caller's.
        scope: The one that they belong to; `user_id`, `agent_id` and `project` name its parts.
        actor: The model, for the audit log; under a person's name (`user`) it changes what people keep, too.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        scope: str | None = None,
        actor: str = "model",
        cache_control: BetaCacheControlEphemeralParam | None = None,
        **whose: str | None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        bound(memory, scope, whose)
        self._records = memory.records
        self._place: Any = {"scope": scope, **whose}
        self._actor = actor
        #: One change at a time.
        self._changing = threading.Lock()

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        path = _path(command.path)
        if (text := self._text(path)) is not None:
            return self._numbered(command, text)
        below = self._below(path)
        if not below and len(path) > 1:
            raise ToolError(f"The path {command.path} does not exist. Please provide a valid path.")
        shown = [f"{_size(sum(below.values()))}\t{command.path}"]
        shown += [f"{_size(size)}\t{command.path}/{name}" for name, size in _listing(below, len(path))]
        header = f"Here're the files and directories up to 2 levels deep in {command.path}, excluding hidden items:"
        return "\n".join([header, *shown])

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        path = _path(command.path)
        with self._changing:
            if self._exists(path):
                raise ToolError(f"File {command.path} already exists")
            self._require_directories(path)
            self._write([(path, command.file_text)])
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        old, new = command.old_str, command.new_str
        with self._changing:
            path, text = self._file(command.path)
            count = text.count(old)
            if count == 0:
                raise ToolError(
                    f"No replacement was performed, old_str `{old}` did not appear verbatim in {command.path}."
                )
            if count > 1:
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
                    f"{', '.join(map(str, _lines_with(text, old)))}. Please ensure it is unique"
                )
            changed = text.replace(old, new)
            self._write([(path, changed)])
        line = text[: text.find(old)].count("\n")
        lines = changed.split("\n")
        first, last = max(0, line - _AROUND), min(len(lines), line + _AROUND + 1)
        snippet = "\n".join(_numbered(lines[first:last], first + 1))
        return (
            "The memory file has been edited. "
            f"Here is the snippet showing the change (with line numbers):\n{snippet}"
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        with self._changing:
            path, text = self._file(command.path)
            lines = text.split("\n")
            if lines[-1] == "":
                lines.pop()
            if not 0 <= command.insert_line <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {command.insert_line}. "
                    f"It should be within the range [0, {len(lines)}]."
                )
            lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
            changed = "\n".join(lines)
            self._write([(path, changed if changed.endswith("\n") else f"{changed}\n")])
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        path = _path(command.path)
        if len(path) == 1:
            raise ToolError("Cannot delete the /memories directory itself")
        with self._changing:
            gone = self._at_or_below(path)
            if not gone:
                raise ToolError(f"The path {command.path} does not exist")
            self._write([(one, None) for one in gone])
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        old, new = _path(command.old_path), _path(command.new_path)
        if len(old) == 1:
            raise ToolError("Cannot rename the /memories directory itself")
        with self._changing:
            if self._exists(new):
                raise ToolError(f"The destination {command.new_path} already exists")
            moved = self._at_or_below(old)
            if not moved:
                raise ToolError(f"The path {command.old_path} does not exist")
            if new[: len(old)] == old:
                raise ToolError(f"Cannot move {command.old_path} into itself")
            self._require_directories(new)
            puts: list[tuple[Sequence[str], str | None]] = [(path, None) for path in moved]
            puts += [((*new, *path[len(old) :]), text) for path, text in moved.items()]
            self._write(puts)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Delete every file; `Memory.purge` removes what they said."""
        with self._changing:
            self._write([(path, None) for path in self._at_or_below((_ROOT[1:],))])
        return "All memory cleared"

    def _numbered(self, command: BetaMemoryTool20250818ViewCommand, text: str) -> str:
        lines, first = text.split("\n"), 0
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0]) - 1
            last = command.view_range[1]
            lines = lines[first : len(lines) if last == -1 else last]
        content = "\n".join(_numbered(lines, first + 1))
        return f"Here's the content of {command.path} with line numbers:\n{content}"

    def _file(self, named: str) -> tuple[Sequence[str], str]:
        """The path and the text of a file that is to be changed."""
        path = _path(named)
        text = self._text(path)
        if text is not None:
            return path, text
        if self._exists(path):
            raise ToolError(f"The path {named} is not a file.")
        raise ToolError(f"The path {named} does not exist. Please provide a valid path.")

    def _text(self, path: Sequence[str]) -> str | None:
        """The text of a file; None where there is none."""
        if len(path) == 1:
            return None
        record = _outcome(lambda: self._records.get(path[:-1], path[-1], **self._place))
        return None if record is None else str(record.value)

    def _below(self, path: Sequence[str]) -> dict[Sequence[str], int]:
        """Paths of all files below a directory, with their sizes."""
        records = _outcome(lambda: self._records.list(path, limit=_EVERY, **self._place))
        return {(*one.space, one.key): len(str(one.value).encode()) for one in records}

    def _at_or_below(self, path: Sequence[str]) -> dict[Sequence[str], str]:
        """The file of this path, or all below it, with their texts."""
        if (text := self._text(path)) is not None:
            return {tuple(path): text}
        records = _outcome(lambda: self._records.list(path, limit=_EVERY, **self._place))
        return {(*one.space, one.key): str(one.value) for one in records}

    def _exists(self, path: Sequence[str]) -> bool:
        return len(path) == 1 or self._text(path) is not None or bool(self._below(path))

    def _require_directories(self, path: Sequence[str]) -> None:
        for depth in range(2, len(path)):
            if self._text(path[:depth]) is not None:
                raise ToolError(f"The path /{'/'.join(path[:depth])} is a file, not a directory")

    def _write(self, texts: Sequence[tuple[Sequence[str], str | None]]) -> None:
        puts = [{"space": path[:-1], "key": path[-1], "value": text} for path, text in texts]
        _outcome(lambda: self._records.put_many(cast("Any", puts), actor=self._actor, **self._place))


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool, Awaiting[MemoryTool]):
    """`MemoryTool`, awaited."""

    def __init__(
        self,
        memory: Memory,
        *,
        scope: str | None = None,
        actor: str = "model",
        cache_control: BetaCacheControlEphemeralParam | None = None,
        **whose: str | None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.sync = MemoryTool(memory, scope=scope, actor=actor, **cast("Any", whose))

    view = awaited(MemoryTool.view)
    create = awaited(MemoryTool.create)
    str_replace = awaited(MemoryTool.str_replace)
    insert = awaited(MemoryTool.insert)
    delete = awaited(MemoryTool.delete)
    rename = awaited(MemoryTool.rename)
    clear_all_memory = awaited(MemoryTool.clear_all_memory)


def _outcome(work: Callable[[], Any]) -> Any:
    """The outcome of work on records; what they refuse, and a store that fails, is an answer to the model."""
    try:
        return work()
    except (InvalidInput, NeedsApproval) as error:
        raise ToolError(str(error)) from error
    except SimonidesError as error:
        _log.warning("the memory's store failed", exc_info=True)
        raise ToolError(
            f"Error: the memory cannot be used now ({error.code}); nothing was changed"
        ) from error


def _path(given: str) -> tuple[str, ...]:
    if not given.startswith(_ROOT):
        raise ToolError(f"Path must start with {_ROOT}, got: {given}")
    relative = posixpath.normpath(given[len(_ROOT) :].lstrip("/") or ".")
    if relative == ".." or relative.startswith("../"):
        raise ToolError(f"Path {given} would escape {_ROOT} directory")
    return (_ROOT[1:],) if relative == "." else (_ROOT[1:], *relative.split("/"))


def _listing(below: dict[Sequence[str], int], depth: int) -> list[tuple[str, int]]:
    """Names below a directory, two levels deep, with sizes; a directory stands before what it holds."""
    sizes: dict[tuple[str, ...], int] = {}
    directories: set[tuple[str, ...]] = set()
    for path, size in below.items():
        inner = tuple(path[depth:])
        for level in range(1, min(len(inner), _SHOWN_DEPTH) + 1):
            name = inner[:level]
            sizes[name] = sizes.get(name, 0) + size
            if level < len(inner):
                directories.add(name)
    return [
        ("/".join(name) + ("/" if name in directories else ""), sizes[name])
        for name in sorted(sizes)
        if not any(segment.startswith(".") for segment in name)
    ]


def _numbered(lines: Sequence[str], first: int) -> list[str]:
    return [f"{number:>{_NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines, first)]


def _lines_with(text: str, wanted: str) -> list[int]:
    """Numbers of the lines in which a text begins, also where it overlaps itself."""
    numbers, at = list[int](), text.find(wanted)
    while at != -1:
        numbers.append(text[:at].count("\n") + 1)
        at = text.find(wanted, at + 1)
    return numbers


def _size(count: int) -> str:
    """A number of bytes as their local implementation writes it."""
    if count == 0:
        return "0B"
    step = min((count.bit_length() - 1) // 10, 3)
    size = count / 1024**step
    return f"{int(size)}{'BKMG'[step]}" if size == int(size) else f"{size:.1f}{'BKMG'[step]}"
