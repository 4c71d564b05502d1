"""Frames in which programs put words of their own into their user's messages."""

from __future__ import annotations

import re
from typing import Final

#: Of Claude Code, Codex, Cline and the like.
_NAMES: Final = (
    *("system-reminder", "environment_context", "environment_details", "user_instructions"),
    *("task-notification", "teammate-message", "subagent_notification", "skill", "turn_aborted"),
    *("command-name", "command-message", "command-args", "bash-input", "bash-stdout", "bash-stderr"),
    *("user-prompt-submit-hook", "ide_opened_file", "ide_selection"),
    *("local-command-stdout", "local-command-stderr", "local-command-caveat"),
)
_TAG: Final = re.compile(rf"<(/?)({'|'.join(_NAMES)})(?:\s[^<>]*)?>")
#: So deep a frame may lie in others.
_DEEPEST: Final = 50


def without_program_frames(text: str) -> str:
    """The text without what programs said in frames of their own; what stands between two frames is kept.

    A frame ends where it was opened; one that is never closed is words about frames. Linear in the text.
    """
    opened: list[tuple[str, int]] = []
    frames: list[tuple[int, int]] = []
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened.append((tag[2], tag.start()))
        elif any(name == tag[2] for name, _ in opened[-_DEEPEST:]):
            while opened:
                name, start = opened.pop()
                if name == tag[2]:
                    frames.append((start, tag.end()))
                    break
    if not frames:
        return text
    kept: list[str] = []
    at = 0
    for start, end in sorted(frames):
        if start >= at:
            kept.append(text[at:start])
        at = max(at, end)
    kept.append(text[at:])
    return "\n".join(part for one in kept if (part := one.strip()))
