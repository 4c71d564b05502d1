"""Codex' sessions: a file of JSON lines for each, `rollout-….jsonl` below `~/.codex/sessions`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from simonides.domain.instant import iso
from simonides.errors import InvalidInput
from simonides.importers.files import (
    Fields,
    a_list,
    a_text,
    an_object,
    json_lines,
    moment_of,
    sources,
    with_times,
)
from simonides.language.program_frames import without_program_frames
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceRequest, SourceTurn

_SPEAKERS: Final = frozenset({"user", "assistant"})
#: What the program puts into a user's message by itself.
_OWN: Final = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted|INSTRUCTIONS|user_shell_command)\b"
    r"|# AGENTS\.md instructions|Another language model started to solve this problem)"
)


_DATED: Final = re.compile(r"rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)")


class _Session(NamedTuple):
    """Facts that a file tells of all its messages; one without a time of its own was said when the session began."""

    name: str
    folder: str
    begun_at: int | None


class CodexImporter:
    """Sessions of Codex: what the user and the model said to each other, in both forms of its files."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        for file in sources(request.path, "rollout-*.jsonl"):
            session, bare, begun = _Session(file.stem, "", None), False, False
            for place, line in json_lines(file):
                if isinstance(line, str):
                    yield Refusal(place=place, reason=line)
                    continue
                if not begun:
                    begun = True
                    meta = an_object(line.get("payload")) if line.get("type") == "session_meta" else line
                    if not a_text(meta.get("id")):
                        raise InvalidInput(f"{file.name} is no session of Codex: its first line has no id")
                    session = _Session(
                        a_text(meta["id"]), a_text(meta.get("cwd")), _begun_at(meta, file.stem)
                    )
                    # Former files have items themselves for lines.
                    bare = "type" not in line
                    continue
                is_item = line.get("type") == "response_item"
                item = an_object(line.get("payload")) if is_item else line
                if item.get("type") == "message":
                    yield from with_times(_entry(item, line, place, session), line, "timestamp")
                elif is_item or (bare and "type" in line):
                    yield Refusal(place=place, reason=f"{LEFT_OUT}a call or result of a tool, or a thought")


def _begun_at(meta: Fields, name: str) -> int | None:
    """Beginning of a session, as its first line says or else the name of its file."""
    dated = _DATED.match(name)
    named = f"{dated[1]}T{dated[2]}:{dated[3]}:{dated[4]}" if dated else None
    at = moment_of(meta.get("timestamp"))
    return moment_of(named) if at is None else at


def _entry(item: Fields, line: Fields, place: str, session: _Session) -> SourceEntry:
    blocks = [an_object(block) for block in a_list(item.get("content"))]
    if item.get("role") == "user":
        blocks = [block for block in blocks if block.get("type") != "output_text"]  # A model's words.
    whole = "\n\n".join(one for block in blocks if (one := a_text(block.get("text"))).strip())
    text = without_program_frames(whole)
    if a_text(item.get("role")) not in _SPEAKERS or _OWN.match(whole) or (whole and not text):
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of the program itself")
    if not text.strip():
        return Refusal(place=place, reason=f"{LEFT_OUT}a message without text")
    turn: dict[str, Any] = {
        "role": item["role"],
        "content": text,
        # Messages have no ids of their own; a file only grows.
        "id": a_text(item.get("id")) or f"{session.name}:{place.rpartition(' ')[2]}",
        "metadata": {"folder": session.folder} if session.folder else {},
    }
    at = moment_of(line.get("timestamp"))
    if (at := session.begun_at if at is None else at) is not None:
        turn["at"] = iso(at)
    return SourceTurn(place=place, session_id=session.name, message=turn)
