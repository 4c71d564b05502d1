"""Cutting a text into pieces along its structure: headings, paragraphs, classes and functions. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from simonides.domain.document import Chunk, Uncut

#: Characters of a piece: a few paragraphs. Chosen among sizes of 400 to 3,200: the table in docs/documents.md.
CHUNK_CHARS: Final = 2_000
#: A piece that is shorter joins the one before, under the same heading.
_LEAST_SHARE: Final = 0.25
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_FENCE: Final = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_UNDERLINE: Final = re.compile(r"(=+|-+|~+)\s*$")
_UNDERLINED: Final = re.compile(r"(?:={2,}|-{2,})\s*")
#: A line that is no list, quotation, table, rule or block of code.
_PARAGRAPH: Final = re.compile(r" {0,3}(?![#>|`~=]|[-*+]\s|\d+[.)]\s|-+\s*$|<!--)\S.*")
#: What begins a class or a function at the margin, in languages that write it there.
_DEFINITION: Final = re.compile(
    r"(?P<indent>\s*)(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|final\s+|"
    r"pub(?:\([^)]*\))?\s+|async\s+|unsafe\s+|inline\s+)*"
    r"(?P<what>def|class|function|func|fn|interface|struct|enum|trait|impl|module|namespace|type|record|object|"
    r"CREATE\s+(?:TABLE|VIEW|INDEX|TRIGGER|FUNCTION))\s+(?P<name>[\w.$:<>]+)",
    re.IGNORECASE,
)
_DECORATOR: Final = re.compile(r"\s*[@#]\[?\w")

Line = tuple[int, str]


def as_plain(line: str) -> str:
    """A line of text that is no Markdown, so that it is cut as a text: indented where it looks like a structure."""
    is_structure = _HEADING.match(line) or _FENCE.match(line) or _UNDERLINE.fullmatch(line)
    return f"    {line.lstrip()}" if is_structure else line


def pieces_of(uncut: Uncut) -> tuple[str, tuple[Chunk, ...]]:
    """Title of a text, where it has one, and its pieces under the numbers that their lines have in the file."""
    pieces = cut(uncut.text, uncut.shape, uncut.most)
    title = next((piece.heading[0] for piece in pieces if piece.heading and uncut.shape == "markdown"), "")
    if numbers := uncut.numbers:
        pieces = [
            piece._replace(first=numbers[piece.first - 1], last=numbers[piece.last - 1]) for piece in pieces
        ]
    return title[:200], tuple(pieces)


def cut(text: str, kind: str, most: int = CHUNK_CHARS) -> list[Chunk]:
    """Pieces of a text in their order.

    Args:
        kind: markdown, code or text.
        most: Characters of a piece; a line that is longer is cut.

    Guarantees:
        Every line that is not blank stands in a piece, whole unless it is longer than a piece, under its number.
    """
    lines = list(enumerate(text.split("\n"), 1))
    match kind:
        case "code":
            blocks = _of_code(lines)
        case "text":
            blocks = [((), lines)]
        case _:
            blocks = _of_markdown(lines)
    pieces: list[Chunk] = []
    for heading, block in blocks:
        packed = list(_packed(heading, block, most))
        if (
            pieces
            and len(packed) == 1
            and pieces[-1].heading == heading
            and len(pieces[-1].text) + len(packed[0].text) < most
        ):
            pieces[-1] = _joined(pieces[-1], packed[0])
        else:
            pieces += packed
    return _without_crumbs(pieces, most)


def _of_markdown(lines: list[Line]) -> Iterator[tuple[tuple[str, ...], list[Line]]]:
    """The text under each heading, with the line of the heading."""
    path: list[tuple[int, str]] = []
    block: list[Line] = []
    fence = ""
    for number, line in lines:
        if (mark := _FENCE.match(line)) and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        heading = None if fence else _HEADING.match(line)
        if heading is not None:
            above, own, level, title = block, list[Line](), len(heading[1]), heading[2]
        elif not fence and _UNDERLINED.fullmatch(line) and _is_title(block):
            above, own, level, title = (
                block[:-1],
                block[-1:],
                1 if line[0] == "=" else 2,
                block[-1][1].strip(),
            )
        else:
            block.append((number, line))
            continue
        yield tuple(name for _, name in path), above
        path = [*((depth, name) for depth, name in path if depth < level), (level, title)]
        block = [*own, (number, line)]
    yield tuple(name for _, name in path), block


def _is_title(block: list[Line]) -> bool:
    """True if the last line is a paragraph of its own, which a line under it makes a heading."""
    above = block[-2][1] if len(block) > 1 else ""
    return bool(block) and not above.strip() and _PARAGRAPH.match(block[-1][1]) is not None


def _of_code(lines: list[Line]) -> Iterator[tuple[tuple[str, ...], list[Line]]]:
    """Classes and functions at the margin, and functions of classes, each with what is written above it."""
    outer, inner = "", ""
    block: list[Line] = []
    for number, line in lines:
        match = _DEFINITION.match(line)
        if match is not None and len(match["indent"].expandtabs(4)) <= 4:
            above = _above(block)
            if block:
                yield tuple(name for name in (outer, inner) if name), block
            block = above
            name = f"{match['what'].split()[0].lower()} {match['name'].rstrip(':<>.')}"
            outer, inner = (name, "") if not match["indent"] else (outer, name)
        elif line and not line[0].isspace() and line[0] not in "})]#/*@\"'" and (outer or inner):
            # Something else at the margin ends a definition.
            yield tuple(name for name in (outer, inner) if name), block
            block, outer, inner = [], "", ""
        block.append((number, line))
    yield tuple(name for name in (outer, inner) if name), block


def _above(block: list[Line]) -> list[Line]:
    """Decorators and comments right above a definition, taken from the end of what precedes it."""
    taken: list[Line] = []
    while (
        block
        and block[-1][1].strip()
        and (_DECORATOR.match(block[-1][1]) or block[-1][1].lstrip().startswith(("//", "/*", "*", "--", "#")))
    ):
        taken.insert(0, block.pop())
    return taken


def _packed(heading: tuple[str, ...], block: list[Line], most: int) -> Iterator[Chunk]:
    """Paragraphs of a block, as many in a piece as fit; one that does not fit is cut between lines."""
    held: list[Line] = []
    size = 0
    for paragraph in _paragraphs(block):
        length = sum(len(line) + 1 for _, line in paragraph)
        if held and size + length > most:
            yield from _piece(heading, held)
            held, size = [], 0
        if length > most:
            yield from _by_lines(heading, held + paragraph, most)
            held, size = [], 0
            continue
        held += paragraph
        size += length
    yield from _piece(heading, held)


def _paragraphs(block: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines up to and with the blank ones that follow them; a fenced block of code is not parted."""
    held: list[Line] = []
    blank, fence = False, ""
    for number, line in block:
        if blank and line.strip() and not fence:
            yield held
            held, blank = [], False
        if mark := _FENCE.match(line):
            fence = "" if fence and line.strip().startswith(fence) else fence or mark[1]
        held.append((number, line))
        blank = not line.strip()
    if held:
        yield held


def _by_lines(heading: tuple[str, ...], lines: list[Line], most: int) -> Iterator[Chunk]:
    held: list[Line] = []
    size = 0
    for number, line in lines:
        for start in range(0, max(1, len(line)), most):
            part = line[start : start + most]
            if held and size + len(part) + 1 > most:
                yield from _piece(heading, held)
                held, size = [], 0
            held.append((number, part))
            size += len(part) + 1
    yield from _piece(heading, held)


def _piece(heading: tuple[str, ...], lines: list[Line]) -> Iterator[Chunk]:
    filled = [(number, line) for number, line in lines if line.strip()]
    if filled:
        first, last = filled[0][0], filled[-1][0]
        inner = [line for number, line in lines if first <= number <= last]
        yield Chunk(first, last, heading, "\n".join(line.rstrip() for line in inner).strip("\n"))


def _joined(one: Chunk, other: Chunk) -> Chunk:
    gap = "\n\n" if other.first - one.last > 1 else "\n"
    return Chunk(one.first, other.last, one.heading, f"{one.text}{gap}{other.text}")


def _without_crumbs(pieces: list[Chunk], most: int) -> list[Chunk]:
    """Pieces of which none is so short that it says little, where it could stand with what precedes it."""
    kept: list[Chunk] = []
    least = int(most * _LEAST_SHARE)
    for piece in pieces:
        before = kept[-1] if kept else None
        if (
            before is not None
            and len(before.text) + len(piece.text) + 2 <= most
            and min(len(before.text), len(piece.text)) < least
            and before.heading[:1] == piece.heading[:1]
        ):
            kept[-1] = _joined(before, piece)._replace(heading=_shared(before.heading, piece.heading))
        else:
            kept.append(piece)
    return kept


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The headings that two pieces stand under both."""
    return tuple(name for name, same in zip(one, other, strict=False) if name == same)
