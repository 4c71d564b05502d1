"""Output of commands: aligned text, in colour on a terminal, or JSON."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TextIO

import typer

#: Width where there is no terminal to ask: nothing is wrapped or cut for it, only ruled off.
PIPE_WIDTH: Final = 80
#: A column of prose is not made narrower than this.
_NARROWEST: Final = 20
_COLOURS: Final = frozenset({"red", "green", "yellow", "blue", "magenta", "cyan"})
#: Control characters and overrides of the writing direction: a memory must not steer the terminal.
_STEERING: Final = (
    {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}
    | dict.fromkeys([*range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD)
    | {ord("\t"): "    "}
)


def on_terminal(stream: TextIO) -> bool:
    """True where a person looks at this stream."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class Output:
    """Standard output and standard error, as the options and the streams want them."""

    def __init__(self, by_hand: Callable[[str], str] = str) -> None:
        #: Makes commands in a text of ours name the store that is meant.
        self.by_hand = by_hand
        self.terminal = on_terminal(sys.stdout)
        #: What is to be said below the answer.
        self.remarks: list[str] = []

    @cached_property
    def styled(self) -> bool:
        """True where colours are wanted."""
        return self.terminal and not os.environ.get("NO_COLOR")

    @cached_property
    def width(self) -> int:
        """Columns of the terminal."""
        return shutil.get_terminal_size((PIPE_WIDTH, 24)).columns if self.terminal else PIPE_WIDTH

    def line(self, text: str = "") -> None:
        """One line, or several."""
        typer.echo(text)

    def json(self, value: Any) -> None:
        """A value as JSON with the names of `to_dict()`."""
        import json  # noqa: PLC0415 - most commands write none

        typer.echo(json.dumps(value, ensure_ascii=False, indent=2))

    def paint(self, text: str, *styles: str) -> str:
        """The text in styles: `bold`, `dim`, or a colour; as it is where nobody sees colours."""
        if not self.styled or not text:
            return text
        colour = next((style for style in styles if style in _COLOURS), None)
        return typer.style(text, fg=colour, bold="bold" in styles or None, dim="dim" in styles or None)

    def table(self, headers: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Aligned columns, numbers to the right; nothing without rows. On a terminal the last one is wrapped."""
        numbers: set[int] = set()
        cells: list[list[str]] = []
        for row in rows:
            numbers |= {n for n, value in enumerate(row) if isinstance(value, int | float)}
            cells.append([shown(_text(value), lines=False) for value in row])
        if not cells:
            return
        widths = [max(map(width, column)) for column in zip(headers, *cells, strict=True)]
        indent = sum(widths[:-1]) + 2 * (len(widths) - 1)
        room = max(_NARROWEST, self.width - indent) if self.terminal else None
        for n, row in enumerate([list(headers), *cells]):
            last = wrapped(row[-1], room) if room else [row[-1]]
            columns = [
                _padded(value, widths[k], right=k in numbers) for k, value in enumerate([*row[:-1], last[0]])
            ]
            text = "  ".join(columns).rstrip()
            self.line(self.paint(text, "bold") if n == 0 else text)
            for more in last[1:]:
                self.line(" " * indent + more)

    def fields(self, pairs: Mapping[str, object]) -> None:
        """Names and values, a pair a line; pairs without a value are left out."""
        kept = {name: _text(value) for name, value in pairs.items() if value not in (None, "", (), [])}
        space = max(map(len, kept), default=0)
        for name, value in kept.items():
            for n, part in enumerate(self.wrap(value, space + 2)):
                head = self.paint(f"{name:<{space}}", "dim") if n == 0 else " " * space
                self.line(f"{head}  {part}".rstrip())

    def prose(self, text: str, indent: int = 0, *styles: str) -> None:
        """Text in full, indented; on a terminal wrapped."""
        for part in self.wrap(text, indent):
            self.line((" " * indent + self.paint(part, *styles)).rstrip())

    def wrap(self, text: str, indent: int = 0) -> list[str]:
        """Lines of a text that leave room for an indent; as they are where it goes into a pipe."""
        room = max(_NARROWEST, self.width - indent) if self.terminal else None
        lines = shown(text).splitlines() or [""]
        return lines if room is None else [part for line in lines for part in wrapped(line, room)]


def note(text: str) -> None:
    """A remark on standard error, which leaves standard output clean for what reads it."""
    typer.echo(shown(text), err=True)


def shown(text: str, *, lines: bool = True) -> str:
    """Text that leaves the terminal alone; in one line if `lines` is false."""
    return (text if lines else " ".join(text.split())).translate(_STEERING)


def width(text: str) -> int:
    """Columns that a text takes: two for wide characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def shortened(text: str, room: int) -> str:
    """The beginning of a text that fits into so many columns, in one line."""
    text = shown(text, lines=False)
    return text if width(text) <= room else _cut(text, room - 1)[0].rstrip(" ,;:.–-") + "…"


def wrapped(text: str, room: int) -> list[str]:
    """Lines no wider than `room`, broken at blanks where there are any."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while width(line) > room:
            head, line = _cut(line, room)
            lines.append(head)
    return [*lines, line]


def bar(share: float, cells: int = 8) -> tuple[str, str]:
    """A share in [0, 1] as the full and the empty part of a bar."""
    full = round(max(0.0, min(1.0, share)) * cells)
    return "━" * full, "─" * (cells - full)


def _cut(text: str, room: int) -> tuple[str, str]:
    taken = 0
    for n, char in enumerate(text):
        taken += width(char)
        if taken > room:
            return text[: max(1, n)], text[max(1, n) :]
    return text, ""


def _padded(text: str, columns: int, *, right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if right else text + space


def _text(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}" if abs(value) < 1 else f"{value:,.2f}".rstrip("0").rstrip(".")
        case int():
            return f"{value:,}"
        case tuple() | list():
            return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            return str(value)
