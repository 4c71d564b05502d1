"""Worlds: conversations with questions whose answers are known. One comes with the package."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from simonides.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Turn:
    """Something that somebody said; `at` is ISO 8601 in UTC, empty where it is not known."""

    id: str
    role: str
    name: str
    text: str
    at: str

    def to_message(self) -> dict[str, Any]:
        """The turn as a chat message that `Memory.add` takes."""
        message = {"role": self.role, "content": self.text, "id": self.id}
        return message | {key: value for key, value in (("name", self.name), ("at", self.at)) if value}


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation in one sitting."""

    id: str
    date: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its known answer.

    Attributes:
        at: When it is asked, from which "last week" is counted.
        evidence_turns: Ids of the turns that answer it; none where `abstain`.
        abstain: The world never says; the right answer is that it is not known.
    """

    id: str
    text: str
    at: str
    category: str
    evidence_turns: tuple[str, ...]
    evidence_sessions: tuple[str, ...]
    answer: str
    abstain: bool


@dataclass(frozen=True, slots=True)
class World:
    """Sessions in the order of time, and questions about them."""

    id: str
    title: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns, in order."""
        return tuple(turn for session in self.sessions for turn in session.turns)


def load_sample() -> World:
    """The conversation that comes with the package: two friends bring an old observatory back to life."""
    text = files(__name__).joinpath("conversation.json").read_text("utf-8")
    return _world(json.loads(text))


def worlds(path: str | Path) -> Iterator[World]:
    """The worlds of a file, one JSON object a line; a name that ends in `.gz` is read through gzip.

    Raises:
        InvalidInput: A line is not a world; the message names it.
        OSError: The file cannot be read.
    """
    path = Path(path)
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield _world(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise InvalidInput(f"{path.name}, line {number}: not a world ({error!r})") from error


def _world(found: Mapping[str, Any]) -> World:
    return World(
        id=str(found["id"]),
        title=str(found.get("title") or found["id"]),
        sessions=tuple(_session(session) for session in found["sessions"]),
        questions=tuple(_question(question) for question in found["questions"]),
    )


def _session(found: Mapping[str, Any]) -> Session:
    return Session(
        id=str(found["id"]),
        date=_text(found, "date"),
        turns=tuple(
            Turn(str(turn["id"]), _text(turn, "role"), _text(turn, "name"), turn["text"], _text(turn, "at"))
            for turn in found["turns"]
        ),
    )


def _question(found: Mapping[str, Any]) -> Question:
    return Question(
        id=str(found["id"]),
        text=found["text"],
        at=_text(found, "at"),
        category=_text(found, "category"),
        evidence_turns=_ids(found, "evidence_turns"),
        evidence_sessions=_ids(found, "evidence_sessions"),
        answer=_text(found, "answer"),
        abstain=bool(found.get("abstain", False)),
    )


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    return "" if value is None else str(value)


def _ids(found: Mapping[str, Any], name: str) -> tuple[str, ...]:
    return tuple(str(value) for value in cast("list[Any]", found.get(name) or []))
