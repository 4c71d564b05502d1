"""Worlds: conversations with questions whose answers are known. One comes with the package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class SampleTurn:
    """A message of somebody.

    Attributes:
        name: Who said it; None where only the role is known.
        at: ISO 8601 in UTC; None where it is not known.
        title, tags: Of a note.
    """

    id: str
    role: str
    name: str | None
    text: str
    at: str | None
    title: str = ""
    tags: tuple[str, ...] = ()

    def to_message(self) -> dict[str, str]:
        """The turn as a chat message that `Memory.add` takes."""
        message = {"role": self.role, "name": self.name, "content": self.text, "id": self.id, "at": self.at}
        return {key: value for key, value in message.items() if value is not None}

    def to_note(self) -> dict[str, object]:
        """The turn as a note of its own that `Memory.add` takes."""
        note = {"content": self.text, "title": self.title, "tags": list(self.tags), "event_at": self.at}
        return {key: value for key, value in note.items() if value}


@dataclass(frozen=True, slots=True)
class SampleSession:
    """A conversation in one sitting; `date` is ISO 8601, None where it is not known."""

    id: str
    date: str | None
    turns: tuple[SampleTurn, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its known answer.

    Attributes:
        at: When it is asked, from which "last week" is counted; None where it is not known.
        evidence_turns: Ids of the turns that answer it.
        abstain: The world never says; the right answer is that it is not known.
        after: The session after which it is asked, before the next one is held; None for after all of them.
    """

    id: str
    text: str
    at: str | None
    category: str
    evidence_turns: tuple[str, ...]
    evidence_sessions: tuple[str, ...]
    answer: str
    abstain: bool
    after: str | None = None


@dataclass(frozen=True, slots=True)
class World:
    """Sessions of the same people, and questions about them.

    Attributes:
        notes: Its turns are notes that stand alone, not messages of a chat.
        language: Code of the language it is in; empty where that is not told.
    """

    id: str
    title: str
    sessions: tuple[SampleSession, ...]
    questions: tuple[Question, ...]
    notes: bool = False
    language: str = ""

    @property
    def turns(self) -> dict[str, SampleTurn]:
        """Turns by id, in their order. A session may occur twice; its turns are one each."""
        return {turn.id: turn for session in self.sessions for turn in session.turns}

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> World:
        """A world from the format that README.md describes.

        Raises:
            KeyError: Something lacks that every world has.
            TypeError: Something is of another kind.
        """
        return cls(
            id=str(fields["id"]),
            title=str(fields.get("title") or fields["id"]),
            sessions=tuple(_session(session) for session in fields["sessions"]),
            questions=tuple(_question(question) for question in fields["questions"]),
            notes=fields.get("kind") == "notes",
            language=fields.get("lang") or "",
        )


def load_sample() -> World:
    """The conversation that comes with the package: two friends bring an old observatory back to life."""
    return World.from_dict(json.loads(sample_path().read_text("utf-8")))


def sample_path() -> Path:
    """The file of the conversation that comes with the package."""
    return Path(str(files(__name__) / "conversation.json"))


def _session(fields: Mapping[str, Any]) -> SampleSession:
    return SampleSession(
        str(fields["id"]), fields.get("date") or None, tuple(_turn(turn) for turn in fields["turns"])
    )


def _turn(fields: Mapping[str, Any]) -> SampleTurn:
    return SampleTurn(
        id=str(fields["id"]),
        role=fields["role"],
        name=fields.get("name") or None,
        text=fields["text"],
        at=fields.get("at") or None,
        title=fields.get("title") or "",
        tags=tuple(fields.get("tags") or ()),
    )


def _question(fields: Mapping[str, Any]) -> Question:
    return Question(
        id=str(fields["id"]),
        text=fields["text"],
        at=fields.get("at") or None,
        category=str(fields["category"]),
        evidence_turns=tuple(fields["evidence_turns"]),
        evidence_sessions=tuple(fields["evidence_sessions"]),
        answer=fields.get("answer") or "",
        abstain=bool(fields.get("abstain")),
        after=fields.get("after"),
    )
