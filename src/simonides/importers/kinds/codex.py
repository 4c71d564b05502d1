"""Codex' sessions: a file of JSON lines for each, `rollout-….jsonl` below `~/.codex/sessions`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

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


class CodexImporter:
    """Sessions of Codex: what the user and the model said to each other, in both forms of its files."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        for file in sources(request.path, "rollout-*.jsonl"):
            session_id, folder, begun = file.stem, "", False
            for place, line in json_lines(file):
                if isinstance(line, str):
                    yield Refusal(place=place, reason=line)
                    continue
                if not begun:
                    begun = True
                    meta = an_object(line.get("payload")) if line.get("type") == "session_meta" else line
                    if not a_text(meta.get("id")):
                        raise InvalidInput(f"{file.name} is no session of Codex: its first line has no id")
                    session_id, folder = a_text(meta["id"]), a_text(meta.get("cwd"))
                    continue
                item = an_object(line.get("payload")) if line.get("type") == "response_item" else line
                if item.get("type") == "message":
                    yield from with_times(_entry(item, line, place, (session_id, folder)), line, "timestamp")
                elif line.get("type") == "response_item":
                    yield Refusal(place=place, reason=f"{LEFT_OUT}a call or result of a tool, or a thought")


def _entry(item: Fields, line: Fields, place: str, session: tuple[str, str]) -> SourceEntry:
    blocks = [an_object(block) for block in a_list(item.get("content"))]
    whole = "\n\n".join(one for block in blocks if (one := a_text(block.get("text"))).strip())
    text = without_program_frames(whole)
    if a_text(item.get("role")) not in _SPEAKERS or _OWN.match(whole) or (whole and not text):
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of the program itself")
    if not text.strip():
        return Refusal(place=place, reason=f"{LEFT_OUT}a message without text")
    session_id, folder = session
    turn: dict[str, Any] = {
        "role": item["role"],
        "content": text,
        # Messages have no ids of their own; a file only grows.
        "id": a_text(item.get("id")) or f"{session_id}:{place.rpartition(' ')[2]}",
        "metadata": {"folder": folder} if folder else {},
    }
    if (at := moment_of(line.get("timestamp"))) is not None:
        turn["at"] = iso(at)
    return SourceTurn(place=place, session_id=session_id, message=turn)
