"""Files that coding agents read and write for themselves: CLAUDE.md, AGENTS.md, MEMORY.md, a journal a day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from simonides.documents.folders import Entered
from simonides.domain.instant import iso
from simonides.domain.provenance import Origin
from simonides.domain.text import sha256_hex
from simonides.importers.files import moment_of
from simonides.importers.markdown import Section, by_heading, read_notes
from simonides.ports.importer import LEFT_OUT, CutFrom, Refusal, SourceEntry, SourceItem, SourceRequest

_NAMES: Final = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENT.md",
    "GEMINI.md",
    "MEMORY.md",
    "memory.md",
)
_DAY: Final = re.compile(r"(?:.*/)?(\d{4}-\d{2}-\d{2})[\w-]*$")
_BULLET: Final = re.compile(r"(?:[-*+]|\d+[.)])\s+(.*)$")
#: Files of folders with what others wrote are no rules of who imports.
_ENTERED: Final = Entered(
    packages=frozenset(
        {
            "node_modules",
            "bower_components",
            "site-packages",
            "dist-packages",
            "vendor",
            "third_party",
            "Pods",
        }
        | {"__pycache__", "venv"}
    ),
    shown=frozenset({".agents", ".claude", ".codex", ".cursor", ".gemini", ".github", ".opencode"}),
    environments=False,
)
#: What was installed of others among an agent's own files.
_INSTALLED: Final = re.compile(
    r"(?:^|/)\.(?:agents|claude|codex|cursor|gemini|opencode)/(?:plugins|extensions)/"
)
#: Comments, which nobody sees who reads the file; and what holds none: code, and what a backslash makes a plain sign.
_COMMENT: Final = re.compile(
    r"(?ms)^ {0,3}(?P<fence>`{3,}(?=[^`\n]*$)|~{3,}).*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|\\[\\<`]|(?P<ticks>`+)(?:[^\n]*?(?<!`)(?P=ticks)(?!`))?|<!--.*?(?:-->|\Z)"
)
#: How these files take in others.
_NAMED_FILE: Final = re.compile(r"@\S+")
_FENCE: Final = re.compile(r"\s*(```|~~~)")
#: Longest piece; a longer paragraph is no memory, but a document.
_MOST_CHARS: Final = 4_000


class AgentFilesImporter:
    """Files of instructions and memory: one memory for each point of a list and each paragraph.

    What people write for an agent counts as theirs; MEMORY.md and journals, which agents write, as a model's.
    """

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        names = (*_NAMES, "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md")
        folder = request.path.resolve().name if request.path.is_dir() else None
        for note in read_notes(request.path, *names, entered=_ENTERED):
            if isinstance(note, Refusal):
                yield note
                continue
            inside = note.path
            if folder is not None and _INSTALLED.search(f"{folder}/{inside}"):
                yield Refusal(place=inside, reason=f"{LEFT_OUT}a file of a plug-in (name it)")
                continue
            day = _DAY.match(note.name)
            at = moment_of(day[1]) if day else None
            own = day is not None or inside.rpartition("/")[2].casefold() == "memory.md"
            body, comments = _without_comments(note.body, note.line)
            for line in comments:
                yield Refusal(place=f"{inside}, line {line}", reason=f"{LEFT_OUT}a comment")
            for section in by_heading(body, note.line):
                above = [line for line in section.lines if line < section.line]
                for lines, text in _pieces(section):
                    line = lines[0]
                    place = f"{inside}, line {line}"
                    if _NAMED_FILE.fullmatch(text):
                        yield Refusal(
                            place=place, reason=f"{LEFT_OUT}the name of another file (import it, too)"
                        )
                        continue
                    if len(text) > _MOST_CHARS:
                        yield Refusal(place=place, reason=f"{LEFT_OUT}a long text (ingest the file)")
                        continue
                    fields: dict[str, Any] = {
                        "title": " / ".join(section.heading)[:200],
                        "type": "note" if day else "fact" if own else "procedure",
                        "metadata": {"path": inside, "line": line},
                    }
                    if at is not None:
                        fields["event_at"] = iso(at)
                    yield SourceItem(
                        place=place,
                        key=f"{inside}#{sha256_hex('/'.join((*section.heading, text)))[:32]}",
                        content=text,
                        fields=fields,
                        origin=Origin.IMPORT if own else Origin.USER_SAID,
                        created_at=at or note.changed_at,
                        updated_at=note.changed_at,
                        cut_from=CutFrom(note.text, [*above, *lines]),
                    )


def _without_comments(text: str, first: int) -> tuple[str, list[int]]:
    """A text whose lines have their numbers still, and the numbers of the lines in which comments began."""
    comments: list[int] = []
    kept: list[str] = []
    line, at = first, 0
    for match in _COMMENT.finditer(text):
        kept.append(text[at : match.start()])
        line += kept[-1].count("\n")
        lines, at = match[0].count("\n"), match.end()
        # One without an end is a slip: what follows it was not meant to be unseen.
        is_comment = match[0].startswith("<!--") and match[0].endswith("-->")
        kept.append("\n" * lines if is_comment else match[0])
        comments += [line] if is_comment else []
        line += lines
    return "".join([*kept, text[at:]]), comments


def _pieces(section: Section) -> Iterator[tuple[range, str]]:
    """Points of lists, with what is indented below them, and paragraphs; blocks of code go with what precedes them.

    Each with the numbers of its lines.
    """
    lines: list[str] = []
    start, fenced = section.line, False
    for number, line in enumerate([*section.text.split("\n"), ""], section.line):
        begins_fence = bool(_FENCE.match(line))
        bullet = None if fenced or line.startswith((" ", "\t")) else _BULLET.match(line)
        ends = not fenced and not begins_fence and (bullet is not None or not line.strip())
        if ends and (text := "\n".join(lines).strip()):
            yield range(start, number), text
            lines = []
        fenced ^= begins_fence
        if bullet is not None:
            lines, start = [bullet[1]], number
        elif line.strip() or fenced:
            start = start if lines else number
            lines.append(line)
    if text := "\n".join(lines).strip():
        yield range(start, start + len(lines)), text
