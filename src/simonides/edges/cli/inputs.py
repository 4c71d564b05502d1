"""Reading what a command is given: texts, JSON and JSON lines, from files and standard input."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from simonides.errors import InvalidInput


def text_or_stdin(text: str | None, what: str) -> str:
    """A text as it was given, or all of standard input where it is `-` or left out in a pipe.

    Raises:
        InvalidInput: Nothing was given and standard input is a terminal, or it is not UTF-8.
    """
    if text not in (None, "-"):
        return text
    if text is None and sys.stdin.isatty():
        raise InvalidInput(f"give {what}, or - to read it from standard input")
    with opened("-") as file:
        return decoded(file.read(), "standard input").strip("\n")


@contextmanager
def opened(path: str) -> Generator[BinaryIO]:
    """The bytes of a file, unpacked where gzip packed it, or of standard input for `-`.

    Raises:
        InvalidInput: The file cannot be read, or is packed and damaged or cut off.
    """
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below; only opening is guarded
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from error
    with file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            yield cast("BinaryIO", gzip.GzipFile(fileobj=file)) if packed else file
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InvalidInput(f"{path} is damaged or cut off: {error}") from error


def decoded(data: bytes, name: str) -> str:
    """Bytes as UTF-8, a byte order mark left out.

    Raises:
        InvalidInput: They are not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name} is not UTF-8 (byte {error.start})") from error


def json_value(text: str, name: str) -> Any:
    """Value of a JSON text.

    Raises:
        InvalidInput: It is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name}: no JSON: {error}") from error


def json_lines(file: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any] | InvalidInput]]:
    """The objects of a file with one JSON object a line, each with its line's number; blank lines are left out.

    A line that cannot be read is given as the error that says why.
    """
    for number, line in enumerate(file, 1):
        if not line.strip():
            continue
        try:
            value = json_value(decoded(line, "the line"), "the line")
        except InvalidInput as error:
            yield number, error
        else:
            yield (
                number,
                cast("dict[str, Any]", value)
                if isinstance(value, dict)
                else InvalidInput("the line is no JSON object"),
            )


def messages(path: str) -> list[dict[str, Any]]:
    """Chat messages from a file: a JSON list, an object with `messages`, or a message a line.

    Raises:
        InvalidInput: They cannot be read; of lines the message names the first bad one.
    """
    with opened(path) as file:
        data = file.read()
    try:
        values = json.loads(decoded(data, path))
    except ValueError:
        return _message_lines(data, path)
    if isinstance(values, dict) and "messages" in values:
        values = cast("dict[str, Any]", values)["messages"]
    entries = cast("list[Any]", values if isinstance(values, list) else [values])
    for number, entry in enumerate(entries, 1):
        _require_message(entry, f"{path}: message {number}")
    return entries


def _message_lines(data: bytes, path: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    for number, value in json_lines(data.splitlines()):
        if isinstance(value, InvalidInput):
            raise InvalidInput(f"{path}, line {number}: {value}")
        _require_message(value, f"{path}, line {number}")
        lines.append(value)
    return lines


def _require_message(value: object, name: str) -> None:
    if not (isinstance(value, dict) and "role" in value and "content" in value):
        raise InvalidInput(f"{name} is no chat message; it needs role and content")
