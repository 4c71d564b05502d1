"""Markdown as people keep notes in it: front matter, headings, tags and links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple, cast

from simonides.documents.folders import HIDDEN, IGNORED, LINK, Closed, Entered, Passed, below
from simonides.domain.document import Left
from simonides.errors import InvalidInput
from simonides.importers.files import moment_of, not_utf8
from simonides.ports.importer import LEFT_OUT, Refusal
from simonides.values import dataclass

#: A note of more is too long for a memory and is taken by its sections; documents of any length are ingested.
_MOST_CHARS: Final = 4_000
_MOST_BYTES: Final = 16 << 20
_NOTES: Final = frozenset({".md", ".markdown", ".mdx", ".mdc", ".txt", ""})
#: Git is told to ignore them so that they stay their writer's own.
_OWN: Final = frozenset({"CLAUDE.local.md"})
#: Notes of a vault are somebody's own, whatever git makes of them.
OF_A_VAULT: Final = Entered(frozenset({"node_modules", "site-packages", "__pycache__"}), ignored=True)
_FIELD: Final = re.compile(r"([\w][\w .-]*):(?:\s+(.*)|\s*)$")
_MEMBER: Final = re.compile(r"\s*-\s+(.*)$")
_HEADING: Final = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
_TAG: Final = re.compile(r"(?<![\w/&#])#([^\W\d][\w/-]*)")
_LINK: Final = re.compile(r"\[\[([^\]|#^]+)(?:[#^][^\]|]*)?(?:\|[^\]]*)?\]\]")


class Section(NamedTuple):
    """A part of a note under a heading.

    Attributes:
        line: Number of its first line in the file, from 1.
        heading: The headings that lead to it, outermost first.
        lines: Numbers of its lines in the file, those of its headings among them.
    """

    line: int
    heading: tuple[str, ...]
    text: str
    lines: Sequence[int]


@dataclass(frozen=True, slots=True)
class Note:
    """A file of Markdown.

    Attributes:
        path: Its path below the folder that is read.
        line: Number of the first line of its body.
        text: The file itself.
        unread: Names of fields before it that cannot be read; none of them is among its fields.
    """

    path: str
    fields: dict[str, Any]
    body: str
    line: int
    changed_at: int
    text: str
    unread: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its path without the ending."""
        return PurePosixPath(self.path).with_suffix("").as_posix()

    @property
    def title(self) -> str:
        return str(self.fields.get("title") or self.name.rpartition("/")[2])

    @property
    def tags(self) -> list[str]:
        """Tags of the front matter and of the text."""
        given = self.fields.get("tags", [])
        named = re.split(r"[,\s]+", given) if isinstance(given, str) else cast("list[object]", given or [])
        return list(
            dict.fromkeys(
                word
                for one in [*named, *_TAG.findall(_without_code(self.body))]
                if (word := str(one).strip().removeprefix("#"))
            )
        )[:64]

    @property
    def created_at(self) -> int | None:
        """Time that the front matter states, under one of its usual names."""
        for name in ("created", "created_at", "date"):
            if (at := moment_of(self.fields.get(name))) is not None:
                return at
        return None

    @property
    def links(self) -> list[str]:
        """Names of the notes that it links to, each once."""
        return list(dict.fromkeys(name.strip() for name in _LINK.findall(_without_code(self.body))))

    def sections(self) -> Iterator[Section]:
        """The whole body, where it is short; else what stands under each of its headings."""
        if len(self.body) <= _MOST_CHARS:
            last = self.line + self.body.count("\n")
            yield Section(self.line, (), self.body.strip(), range(self.line, last + 1))
            return
        yield from by_heading(self.body, self.line)


class _Open(str):
    """A list in brackets that has no end, so far."""

    __slots__ = ()


def read_notes(path: Path, *patterns: str, entered: Entered = OF_A_VAULT) -> Iterator[Note | Refusal]:
    """The note of a file, or those of a folder whose files have one of these names; and what was not read.

    Raises:
        InvalidInput: There is nothing there, no such file in the folder, or the file is no note by its name.
    """
    root = path if path.is_dir() else path.parent
    for file in _notes_in(path, patterns, entered):
        if isinstance(file, Refusal):
            yield file
            continue
        inside = file.relative_to(root).as_posix()
        try:
            yield _note_of(file, inside)
        except InvalidInput as error:
            yield Refusal(place=inside, reason=str(error))


def _notes_in(path: Path, patterns: Sequence[str], entered: Entered) -> list[Path | Refusal]:
    """The file itself, or the files of a folder that have one of these names, sorted; and what was passed by.

    A link is followed to a file of the same folder, unless that is read anyhow.
    """
    if not path.is_dir():
        if not path.is_file():
            raise InvalidInput(f"there is no file {path}")
        if path.suffix.lower() not in _NOTES:
            raise InvalidInput(
                f"{path.name} is no note in Markdown by its name; give a folder, or a file named *.md"
            )
        return [path]
    root = path.resolve()
    notes: list[tuple[bool, str, Path]] = []
    aside: list[Refusal] = []
    for one in below(root, entered):
        place = one.path
        name = place.rpartition("/")[2]
        if isinstance(one, Passed):
            if one.reason != HIDDEN and name != "__pycache__":
                aside.append(Refusal(place=place, reason=f"{LEFT_OUT}{one.reason} (name a file of it)"))
        elif isinstance(one, Closed):
            if one.changed_ns is None:
                aside.append(Refusal(place=place or path.name, reason=one.reason))
        elif not any(fnmatchcase(name, pattern) for pattern in patterns) or name.startswith("."):
            continue
        elif isinstance(one, Left) and one.reason == IGNORED and name not in _OWN:
            aside.append(Refusal(place=place, reason=f"{LEFT_OUT}a file {IGNORED} (name it)"))
        elif (target := (root / place).resolve()).is_file() and target.is_relative_to(root):
            notes.append((isinstance(one, Left), place, target))
        elif isinstance(one, Left) and one.reason != LINK:
            aside.append(Refusal(place=place, reason=one.reason))
    by_target: dict[Path, str] = {}
    for _, place, target in sorted(notes):  # Files before links.
        if by_target.setdefault(target, place) != place:
            aside.append(Refusal(place=place, reason=f"{LEFT_OUT}a link to a file that is read as well"))
    if not notes:
        passed = f"; {len(aside)} files and folders there were passed by: name a file itself" if aside else ""
        raise InvalidInput(f"{path} holds no file named {' or '.join(patterns)}{passed}")
    return [*aside, *sorted(path / place for place in by_target.values())]


def _note_of(path: Path, inside: str) -> Note:
    """Read a file.

    Raises:
        InvalidInput: It is too large, or not UTF-8.
    """
    try:
        stat = path.stat()
        if stat.st_size > _MOST_BYTES:
            raise InvalidInput(f"it has {stat.st_size:,} bytes; ingest it as a document")
        text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"it {not_utf8(error.object, error)}") from error
    except OSError as error:
        raise InvalidInput(f"it cannot be read: {error.strerror}") from error
    fields, body, line = front_matter(text)
    unread = tuple(name for name, value in fields.items() if isinstance(value, _Open))
    fields = {name: value for name, value in fields.items() if name not in unread}
    return Note(inside, fields, body, line, int(stat.st_mtime * 1_000_000), text, unread)


def unread_fields(note: Note) -> Iterator[Refusal]:
    """A word on each field before a note that cannot be read; the note is taken without it."""
    for _ in note.unread:
        yield Refusal(place=note.path, reason=f"{LEFT_OUT}a field of the front matter that cannot be read")


def front_matter(text: str) -> tuple[dict[str, Any], str, int]:
    """Fields that stand before a text between lines of `---`, the text after them, and the number of its first line.

    Values are texts, and lists of them in brackets or a line each; what is nested deeper is kept as text. A value that
    is JSON is read as such, which YAML allows.
    """
    lines = text.split("\n")
    if lines[0].strip() != "---" or "---" not in (line.strip() for line in lines[1:]):
        return {}, text, 1
    end = next(n for n, line in enumerate(lines[1:], 1) if line.strip() == "---")
    fields: dict[str, Any] = {}
    name = ""
    for line in lines[1:end]:
        if (member := _MEMBER.match(line)) and name and fields.get(name) == "":
            fields[name] = [_scalar(member[1])]
        elif member and name and isinstance(fields.get(name), list):
            fields[name].append(_scalar(member[1]))
        elif match := _FIELD.match(line):
            name = match[1].strip()
            fields[name] = _value(match[2] or "")
        elif name and line.strip() and isinstance(fields.get(name), str):
            # Lists in brackets go on over lines.
            fields[name] = _value(f"{fields[name]}\n{line.strip()}")
    return fields, "\n".join(lines[end + 1 :]), end + 2


def by_heading(text: str, first: int = 1) -> Iterator[Section]:
    """Sections of a text, each under the headings that lead to it; blank ones are left out."""
    path: list[tuple[int, str, int]] = []
    lines: list[str] = []
    start, fenced = first, False
    for number, line in enumerate([*text.split("\n"), "# "], first):
        fenced ^= bool(_FENCE.match(line))
        last = number == first + text.count("\n") + 1
        heading = None if fenced else _HEADING.match(line)
        if heading is None and not last:
            if lines or line.strip():
                lines.append(line)
            else:
                start = number + 1
            continue
        if section := "\n".join(lines).strip():
            above = tuple(at for _, _, at in path)
            yield Section(start, tuple(name for _, name, _ in path), section, (*above, *range(start, number)))
        if heading is not None:
            level = len(heading[1])
            path = [*(one for one in path if one[0] < level), (level, heading[2], number)]
        lines, start = [], number + 1


def _value(text: str) -> Any:
    text = text.strip()
    if text.startswith(("[", "{", '"')):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    if text.startswith("[") and text.endswith("]"):
        return [_scalar(one) for one in text[1:-1].split(",") if one.strip()]
    if text[:1] in {"[", "{"} and any(text.count(begin) > text.count(end) for begin, end in ("[]", "{}")):
        return _Open(text)
    return _scalar(text)


def _scalar(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1]
    return text


def _without_code(text: str) -> str:
    return re.sub(r"(?s)```.*?```|`[^`\n]*`", " ", text)
