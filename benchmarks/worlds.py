"""Finding and reading the worlds of a data set: one JSON object a line, or one alone in a file."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from simonides.errors import InvalidInput
from simonides.sample import Question, SampleTurn, World

DATA_VARIABLE: Final = "SIMONIDES_BENCH_DATA"


class Kind(StrEnum):
    """The kind of memory that a set is made of."""

    TURNS = "turns"
    CHATS = "real chats"
    MEETINGS = "meetings"
    NOTES = "notes and statements"
    PASSAGES = "passages and abstracts"


@dataclass(frozen=True, slots=True)
class DataSet:
    """A set of worlds for development.

    Attributes:
        title: As tables name it.
        file: Its file without `_dev.jsonl.gz`.
        free: Its licence allows any use.
    """

    title: str
    file: str
    kind: Kind
    licence: str
    free: bool = False


SETS: Final[Mapping[str, DataSet]] = {
    "locomo": DataSet("LoCoMo", "locomo", Kind.TURNS, "CC BY-NC 4.0"),
    "longmemeval": DataSet("LongMemEval-S", "longmemeval_s", Kind.TURNS, "MIT", free=True),
    "beam": DataSet("BEAM 100K", "beam_100k", Kind.TURNS, "none stated"),
    "memdaily": DataSet("MemDaily (Chinese)", "memdaily_zh", Kind.TURNS, "none stated"),
    "realmem_chat": DataSet("RealMem, turns", "realmem_chat", Kind.TURNS, "Apache-2.0", free=True),
    "realtalk": DataSet("REALTALK", "realtalk", Kind.CHATS, "none stated"),
    "qmsum": DataSet("QMSum", "qmsum", Kind.MEETINGS, "MIT", free=True),
    "realmem_notes": DataSet("RealMem, notes", "realmem_notes", Kind.NOTES, "Apache-2.0", free=True),
    "xquad": DataSet("XQuAD, sentences", "xquad_sentences", Kind.PASSAGES, "CC BY-SA 4.0", free=True),
    "cranfield": DataSet("Cranfield", "cranfield", Kind.PASSAGES, "none stated"),
}
#: Names of the data files by set, without `_dev.jsonl.gz`.
FILES: Final = {name: one.file for name, one in SETS.items()}
#: Sets whose questions without an answer name the turns that mislead, and are asked like the others.
ABSTAINING: Final = frozenset({"locomo"})


def data_folder(given: Path | None) -> Path:
    """Folder of the data: the one given, else the one that `SIMONIDES_BENCH_DATA` names.

    Raises:
        InvalidInput: Nothing is named, or it is no folder.
    """
    named = given or (Path(os.environ[DATA_VARIABLE]) if os.environ.get(DATA_VARIABLE) else None)
    if named is None:
        raise InvalidInput(
            f"this bench needs data: give its folder with --data DIR, or set {DATA_VARIABLE}; "
            "`sample` needs none"
        )
    if not named.is_dir():
        raise InvalidInput(f"{named} is no folder; give the one with the data to --data")
    return named


def data_file(folder: Path, name: str) -> Path:
    """The file of a set within a folder: `NAME_dev.jsonl.gz`, `NAME.jsonl.gz`, or the same uncompressed.

    Raises:
        InvalidInput: There is none.
    """
    wanted = [f"{name}{part}.jsonl{packed}" for part in ("_dev", "") for packed in (".gz", "")]
    for candidate in wanted:
        if (folder / candidate).is_file():
            return folder / candidate
    raise InvalidInput(f"{folder} has none of {', '.join(wanted)}; give another folder to --data")


def lines(path: Path) -> Iterator[str]:
    """The JSON texts of a file, one a line; a file that ends in `.json` is one text."""
    if path.suffix == ".json":
        yield path.read_text("utf-8")
        return
    # As bytes: JSON may hold line separators of other alphabets as they are.
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for line in file:
            if line.strip():
                yield line.decode("utf-8")


def world(line: str) -> World:
    """A world from its JSON.

    Raises:
        InvalidInput: It is no world; the message says what is amiss.
    """
    try:
        return World.from_dict(json.loads(line))
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"this is no world: {type(error).__name__}: {error}; it begins {line[:60]!r}"
        ) from error


def asked(questions: Sequence[Question], *, abstaining: bool) -> list[Question]:
    """The questions that can be measured: those with evidence.

    Args:
        abstaining: Keep those whose right answer is that nothing is known, where they name turns that
            a reader needs to see that.
    """
    return [found for found in questions if found.evidence_turns and (abstaining or not found.abstain)]


def said(turn: SampleTurn) -> str:
    """The text of a turn with its title, and with who said it where that is more than the role."""
    if turn.title:
        return f"{turn.title} {turn.text}"
    named = turn.name and turn.name.casefold() != turn.role
    return f"{turn.name}: {turn.text}" if named else turn.text


def session_of(found: World) -> dict[str, str]:
    """The session of each turn, by its id."""
    return {turn.id: session.id for session in found.sessions for turn in session.turns}
