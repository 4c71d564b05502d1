"""Claude Code's sessions: a file of JSON lines for each, below `~/.claude/projects`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from simonides.domain.instant import iso
from simonides.errors import InvalidInput
from simonides.importers.files import Fields, a_list, a_text, an_object, json_lines, moment_of, sources
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceRequest, SourceTurn

_SPEAKERS: Final = frozenset({"user", "assistant"})
#: What the program puts into a user's message by itself.
_REMINDERS: Final = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_COMMAND: Final = re.compile(
    r"\s*<(?:command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat)|bash-(?:input|stdout|stderr))>"
)


class ClaudeCodeImporter:
    """Sessions of Claude Code: what the user and the model said to each other."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        for file in sources(request.path, "*.jsonl"):
            lines = 0
            for place, line in json_lines(file):
                if isinstance(line, str):
                    yield Refusal(place=place, reason=line)
                    continue
                lines += 1
                if "type" not in line and lines == 1:
                    raise InvalidInput(f"{file.name} is no session of Claude Code: its lines have no `type`")
                if a_text(line.get("type")) in _SPEAKERS:
                    yield _entry(line, place, file.stem)


def _entry(line: Fields, place: str, file: str) -> SourceEntry:
    message = an_object(line.get("message"))
    text = _text(message.get("content"))
    if line.get("isSidechain") is True:
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of a sub-agent")
    if line.get("isMeta") is True or line.get("isCompactSummary") is True or _COMMAND.match(text):
        return Refusal(place=place, reason=f"{LEFT_OUT}a message of the program itself")
    if not text.strip():
        return Refusal(place=place, reason=f"{LEFT_OUT}a call or result of a tool, or a thought")
    said: dict[str, Any] = {
        "role": line["type"],
        "content": text,
        "id": a_text(line.get("uuid")) or place,
        "metadata": {"folder": folder} if (folder := a_text(line.get("cwd"))) else {},
    }
    if (at := moment_of(line.get("timestamp"))) is not None:
        said["at"] = iso(at)
    return SourceTurn(place=place, session_id=a_text(line.get("sessionId")) or file, message=said)


def _text(content: object) -> str:
    if isinstance(content, str):
        texts = [content]
    else:
        blocks = [an_object(block) for block in a_list(content)]
        texts = [a_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    return "\n\n".join(text for one in texts if (text := _REMINDERS.sub("", one).strip()))
