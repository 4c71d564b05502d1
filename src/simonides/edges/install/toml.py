"""TOML: one table put into a file, and every other byte stays."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, cast

from simonides.errors import InvalidInput


def put(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """The text with a table at a path of names, in the place of one that has it.

    Args:
        value: Texts and lists of texts by name.

    Raises:
        InvalidInput: The text is not TOML, or holds the table in a form that this does not change.
    """
    before = _loads(text)
    header = f"[{'.'.join(path)}]"
    lines = "".join(f"{name} = {json.dumps(given, ensure_ascii=False)}\n" for name, given in value.items())
    section = re.compile(rf"^{re.escape(header)}[ \t]*(?:#[^\n]*)?\n(?:(?!\s*\[)[^\n]*\n?)*", re.MULTILINE)
    written = f"{header}\n{lines}"
    if (old := section.search(text)) is not None:
        blank = old[0][len(old[0].rstrip()) :] or "\n"
        changed = text[: old.start()] + written.rstrip() + blank + text[old.end() :]
    else:
        changed = f"{text.rstrip()}\n\n{written}" if text.strip() else written
    if _loads(changed) != _with(before, path, value):
        raise InvalidInput(f"{header} stands there in a form that cannot be changed")
    return changed


def _with(before: Mapping[str, Any], path: Sequence[str], value: Mapping[str, Any]) -> dict[str, Any]:
    name, *rest = path
    inner = before.get(name)
    known: Mapping[str, Any] = cast("Mapping[str, Any]", inner) if isinstance(inner, Mapping) else {}
    return {**before, name: _with(known, rest, value) if rest else dict(value)}


def _loads(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"not TOML: {error}") from None
