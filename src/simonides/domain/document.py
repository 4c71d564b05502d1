"""Documents: what was read of files, in chunks; and the corpora that they belong to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.scope import Scope
from simonides.domain.text import short_text
from simonides.domain.written import INNER, Written
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: First words of the spaces in which documents and corpora are kept as records.
DOCUMENTS: Final = "~documents"
CORPORA: Final = "~corpora"
CHUNK: Final = "chunk"
#: No program keeps records of its own in these.
OWN_SPACES: Final = frozenset({DOCUMENTS, CORPORA})
_NAME: Final = re.compile(r"[^\W_][\w .+-]{0,99}")
_MOST_PATH_CHARS: Final = 800
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_ESCAPED: Final = re.compile(r"%(?:2e|2f|5c|00)", re.IGNORECASE)
#: Look like `.`, `/` or `\\` and become them where a name is normalised.
_LOOK_ALIKES: Final = frozenset("\u2024\u2025\u2026\uff0e\uff0f\uff3c\u2044\u2215\u29f8\ufe68")


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus(Written):
    """A body of documents.

    Attributes:
        name: Its name; with its scope, what it is known by. The `corpus_id` of its chunks.
        label: What people call it.
        parent: Name of the corpus that it is a version or a part of.
        injectable: Its chunks may be put into prompts without being asked for.
    """

    name: str
    scope: Scope
    label: str = ""
    parent: str | None = None
    injectable: bool = False
    documents: int = 0
    chunks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(Written):
    """A file as it was read last.

    Attributes:
        path: Its path below the folder that was read, with slashes.
        sha256: Of its bytes, in hexadecimal.
        size: Bytes.
        modified_ns: When the file itself was changed last, as its file system says; None where it came as a text.
        kind: text, markdown, html, code, notebook, or the format that it was converted from.
        lines: Number of its lines; of a converted file, of its text.
        chunks: How many chunks hold it.
        refused: Lines that the policy keeps out, each `lines: reason`.
    """

    path: str
    corpus: str
    scope: Scope
    item_id: str
    sha256: str
    size: int
    kind: str
    title: str
    lines: int
    chunks: int
    ingested_at: int
    modified_ns: int | None = field(default=None, metadata=INNER)
    refused: tuple[str, ...] = ()

    @classmethod
    def of(cls, item: Item) -> Document:
        """The document that a record tells of."""
        value: Mapping[str, Any] = item.metadata["value"]
        return cls(
            path=value["path"],
            corpus=value["corpus"],
            scope=item.scope,
            item_id=item.id,
            sha256=value["sha256"],
            size=value["size"],
            kind=value["kind"],
            title=value["title"],
            lines=value["lines"],
            chunks=value["chunks"],
            ingested_at=item.updated_at,
            modified_ns=value.get("modified_ns"),
            refused=tuple(value.get("refused", ())),
        )


class Chunk(NamedTuple):
    """A part of a text that is kept together.

    Attributes:
        first, last: Numbers of its lines, from 1.
        heading: What it stands under, outermost first: headings, or names of classes and functions.
    """

    first: int
    last: int
    heading: tuple[str, ...]
    text: str


class Uncut(NamedTuple):
    """A text that pieces are cut of.

    Attributes:
        shape: markdown, code or text: how it is cut.
        numbers: Number that each of its lines has in the file; empty where it is the same.
        most: Characters of a piece.
    """

    text: str
    shape: str
    numbers: Sequence[int]
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDocument:
    """A file that was read.

    Attributes:
        pieces: Its text, cut, in its order.
        uncut: The text itself, until its secrets were looked for.
    """

    path: str
    sha256: str
    size: int
    kind: str
    title: str
    lines: int
    pieces: tuple[Chunk, ...]
    modified_ns: int | None = None
    uncut: Uncut | None = None


class Left(NamedTuple):
    """A file that was not taken, and why."""

    path: str
    reason: str


@dataclass(slots=True)
class IngestReport:
    """Outcome of reading a folder, file by file.

    Attributes:
        added, changed, removed: Paths of documents.
        unchanged: How many documents are as they were.
        chunks_added, chunks_changed, chunks_removed: How many chunks are new, superseded, archived.
        refused: Files that could not be read, and lines that the policy keeps out, each with why.
        left_out: How many files are no documents, by reason.
    """

    corpus: str
    dry_run: bool = False
    added: list[str] = field(default_factory=list[str])
    changed: list[str] = field(default_factory=list[str])
    removed: list[str] = field(default_factory=list[str])
    unchanged: int = 0
    chunks_added: int = 0
    chunks_changed: int = 0
    chunks_removed: int = 0
    refused: list[Left] = field(default_factory=list[Left])
    left_out: dict[str, int] = field(default_factory=dict[str, int])

    def to_dict(self) -> dict[str, Any]:
        return {
            "corpus": self.corpus,
            "dry_run": self.dry_run,
            "added": self.added,
            "changed": self.changed,
            "removed": self.removed,
            "unchanged": self.unchanged,
            "chunks": {
                "added": self.chunks_added,
                "changed": self.chunks_changed,
                "removed": self.chunks_removed,
            },
            "refused": [one._asdict() for one in self.refused],
            "left_out": self.left_out,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(Written):
    """Two corpora beside each other.

    Attributes:
        added, removed, modified: Citations of chunks; of `modified`, of the first corpus and of the second.
        unchanged: How many chunks are the same in both.
        drift: Share of the chunks of both that are not the same, in [0, 1].
    """

    first: str
    second: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    modified: tuple[tuple[str, str], ...]
    unchanged: int
    drift: float


def valid_corpus(name: object) -> str:
    """The name of a corpus.

    Raises:
        InvalidInput: It is none.
    """
    corpus = short_text(name, name="the name of a corpus").strip()
    if not _NAME.fullmatch(corpus):
        raise InvalidInput(
            f"a corpus is named by letters, digits, spaces and . + - _, up to a hundred; not {corpus!r:.120}"
        )
    return corpus


def valid_path(path: object) -> str:
    """The path of a document: relative, with slashes, and nowhere upwards.

    Raises:
        InvalidInput: It is absolute, leads upwards in any way of writing it, or holds what no path should.
    """
    valid = short_text(path, name="the path of a document")
    parts = valid.split("/")
    if (
        len(valid) > _MOST_PATH_CHARS
        or "\\" in valid
        or _DRIVE.match(valid)
        or _ESCAPED.search(valid)
        or not _LOOK_ALIKES.isdisjoint(valid)
        or any(not part or part.strip(" .") == "" or part != part.strip() for part in parts)
        or any(ord(character) < 32 or ord(character) == 127 for character in valid)
        or parts[0].startswith("~")
    ):
        raise InvalidInput(
            "the path of a document is relative, such as docs/guide.md, and leads nowhere else: without backslashes, "
            "tabs and line breaks, blanks at the ends of a name, escapes such as %2f, and a ~ or a drive's letter "
            f"(a:) at the beginning; not {valid!r:.120}"
        )
    return valid


def citation(item: Item) -> str:
    """A chunk by its document and lines, `docs/guide.md:12-30`; empty for what is none."""
    lines = item.metadata.get("lines")
    if item.type != CHUNK or item.provenance.source_id is None:
        return ""
    match lines:
        case [int(first), int(last)]:
            span = f":{first}" if first == last else f":{first}-{last}"
            return f"{item.provenance.source_id}{span}"
        case _:
            return item.provenance.source_id
