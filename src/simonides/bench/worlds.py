"""Worlds: conversations with questions about them, one JSON object a line, or one alone in a file."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simonides.errors import InvalidInput

DATA_VARIABLE: Final = "SIMONIDES_BENCH_DATA"


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said. `at` is ISO 8601."""

    id: str
    role: str
    name: str | None
    text: str
    at: str | None

    @property
    def said(self) -> str:
        """The text with who said it, where that is more than the role."""
        named = self.name and self.name.casefold() != self.role
        return f"{self.name}: {self.text}" if named else self.text

    def message(self) -> dict[str, str]:
        """As a chat message: the form in which it is added to a memory."""
        found = {"role": self.role, "name": self.name, "content": self.text, "id": self.id, "at": self.at}
        return {key: value for key, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation."""

    id: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the turns and sessions that answer it; without any where nothing does."""

    id: str
    text: str
    at: str | None
    category: str
    evidence_turns: frozenset[str]
    evidence_sessions: frozenset[str]
    abstain: bool


@dataclass(frozen=True, slots=True)
class World:
    """Sessions of the same people, and questions about them."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def turns(self) -> dict[str, Turn]:
        """Turns by id, in their order. A session may occur twice; its turns are one each."""
        return {turn.id: turn for session in self.sessions for turn in session.turns}

    @property
    def session_of(self) -> dict[str, str]:
        """The session of each turn, by its id."""
        return {turn.id: session.id for session in self.sessions for turn in session.turns}


def data_folder(given: Path | None) -> Path:
    """Where data is: what was given, else what `SIMONIDES_BENCH_DATA` names.

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


def lines(path: Path) -> list[str]:
    """The worlds of a file, each as JSON text."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    if path.suffix == ".json":
        return [text]
    # Not `splitlines`: JSON may hold line separators of other alphabets as they are.
    return [line for line in text.split("\n") if line.strip()]


def world(line: str) -> World:
    """A world from its JSON.

    Raises:
        InvalidInput: It is no world; the message says what is amiss.
    """
    try:
        found: Mapping[str, Any] = json.loads(line)
        return World(
            id=found["id"],
            sessions=tuple(_session(session) for session in found["sessions"]),
            questions=tuple(_question(question) for question in found["questions"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"this is no world: {type(error).__name__}: {error}; it begins {line[:60]!r}"
        ) from error


def read_worlds(path: Path) -> list[World]:
    """All worlds of a file."""
    return [world(line) for line in lines(path)]


def asked(questions: Sequence[Question], *, abstaining: bool) -> list[Question]:
    """The questions that can be measured: those with evidence.

    Args:
        abstaining: Keep those whose right answer is that nothing is known, where they name turns that
            a reader needs to see that.
    """
    return [found for found in questions if found.evidence_turns and (abstaining or not found.abstain)]


def _session(found: Mapping[str, Any]) -> Session:
    turns = tuple(
        Turn(turn["id"], turn["role"], turn.get("name"), turn["text"], turn.get("at"))
        for turn in found["turns"]
    )
    return Session(found["id"], turns)


def _question(found: Mapping[str, Any]) -> Question:
    return Question(
        id=found["id"],
        text=found["text"],
        at=found.get("at"),
        category=str(found["category"]),
        evidence_turns=frozenset(found["evidence_turns"]),
        evidence_sessions=frozenset(found["evidence_sessions"]),
        abstain=bool(found.get("abstain")),
    )
