"""A small graph as a drawing: one node at the top, its neighbours below it as rows, arcs between those that are joined.

Rows can be read at any width and walked by keyboard, which a cloud of dots cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from simonides.edges.cli.output import width
from simonides.values import dataclass

#: Units of the view box: about pixels of the side column.
WIDTH: Final = 368
_TOP: Final = 14
_TRUNK: Final = 10
_DOT: Final = 44
_TEXT: Final = 58
_ARCS: Final = 334
_ROW: Final = 44
_LINE: Final = 19
#: Width of a line of a label, in letters of the Latin script, and how many lines there are.
_LETTERS: Final = 39
_LINES: Final = 2
_THIN: Final = 1.25
_THICK: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """The other end of a link.

    Attributes:
        kind: `item` or `entity`.
        outward: Whether the link leads from the middle to it; None of one that leads nowhere.
        weight: Of the link, as its line is thick.
        struck: It holds no longer.
    """

    id: str
    kind: str
    label: str
    relation: str
    outward: bool | None = None
    weight: float = 1.0
    struck: bool = False

    @property
    def href(self) -> str:
        return f"/entities/{self.id}" if self.kind == "entity" else f"/m/{self.id}"


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A neighbour where it stands.

    Attributes:
        lines: Its label, as far as there is room, each with the height at which it is written.
        y, top, height: Middle of its dot, and the box around it.
        branch: Path of its line, and how thick that is.
    """

    one: Neighbour
    lines: Sequence[tuple[float, str]]
    y: float
    top: float
    height: float
    branch: str
    thickness: float


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    """A drawing.

    Attributes:
        arcs: Paths between neighbours that are joined themselves, each with what it says.
    """

    height: float
    rows: Sequence[DrawnRow]
    arcs: Sequence[tuple[str, str]]


def drawn(neighbours: Sequence[Neighbour], joined: Iterable[tuple[str, str, str]] = ()) -> DrawnGraph:
    """Draw a node with its neighbours.

    Args:
        joined: (id, id, in words how) of neighbours that are joined to one another.
    """
    heaviest = max((one.weight for one in neighbours), default=1.0) or 1.0
    rows: list[DrawnRow] = []
    top = _TOP + 16.0
    for one in neighbours:
        lines = _wrapped(one.label)
        height = _ROW + _LINE * (len(lines) - 1)
        y = top + 14
        thickness = max(_THIN, _THICK * one.weight / heaviest) if heaviest > 1 else _THIN
        branch = f"M{_TRUNK} {_TOP}V{y - 12:.0f}Q{_TRUNK} {y:.0f} {_TRUNK + 14} {y:.0f}H{_DOT - 6}"
        written = [(top + 36 + _LINE * n, line) for n, line in enumerate(lines)]
        rows.append(DrawnRow(one, written, y, top, height, branch, round(thickness, 2)))
        top += height + 6
    at = {row.one.id: row for row in rows}
    arcs: dict[tuple[str, str], str] = {}
    for first, second, says in joined:
        if first in at and second in at and first != second:
            pair = (first, second) if at[first].y < at[second].y else (second, first)
            arcs.setdefault(pair, says)
    paths = [(_arc(at[one].y, at[other].y), says) for (one, other), says in arcs.items()]
    return DrawnGraph(top + 2, rows, paths)


def _arc(first: float, second: float) -> str:
    """A path to the right of the rows, further out the more it spans."""
    out = _ARCS + min(WIDTH - _ARCS, 8 + (second - first) / 9)
    return f"M{_ARCS} {first:.0f}C{out:.0f} {first:.0f} {out:.0f} {second:.0f} {_ARCS} {second:.0f}"


def _wrapped(label: str) -> list[str]:
    """A label in lines that fit; the last one says where it goes on."""
    lines: list[str] = []
    line = ""
    for word in _pieces(label):
        if line and width(line + word.rstrip()) > _LETTERS:
            lines.append(line.rstrip())
            line = word.lstrip()
        else:
            line += word
        if len(lines) == _LINES:
            break
    else:
        lines.append(line.rstrip())
        return lines
    last = lines[-1]
    while width(last) >= _LETTERS:
        last = last[:-1]
    return [*lines[:-1], f"{last.rstrip(' .…')}…"]


def _pieces(label: str) -> list[str]:
    """Words with their blanks, cut where one is longer than a line or its script has none."""
    pieces: list[str] = []
    for word in " ".join(label.split()).split(" "):
        rest = f"{word} "
        while width(rest) > _LETTERS:
            end = next(n for n in range(1, len(rest) + 1) if width(rest[:n]) >= _LETTERS - 1)
            pieces.append(rest[:end])
            rest = rest[end:]
        pieces.append(rest)
    return pieces
