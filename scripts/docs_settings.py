"""Write the table of settings in docs/settings.md from the dataclasses that hold them.

usage: python scripts/docs_settings.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

from simonides.config import Settings
from simonides.domain.tuning import is_tuned

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
BLOCK = re.compile(r"(?<=<!-- settings -->\n).*?(?=<!-- /settings -->)", re.DOTALL)
_ENTRY = re.compile(r"^(?P<names>\w+(?:, \w+)*): (?P<text>.*(?:\n {4,}.*)*)", re.MULTILINE)


def filled(page: str) -> str:
    """The page with its table written anew."""
    head = ["| setting | type | default | meaning |", "|---|---|---|---|"]
    rows = [
        f"| `{name}` | {kind} | {default} | {text} |" for name, kind, default, text in rows_of(Settings())
    ]
    return BLOCK.sub(lambda _: "\n".join([*head, *rows, ""]), page)


def rows_of(settings: Any, where: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Name, type, default and meaning of each setting, in the order of the code."""
    meanings, hints = described(type(settings)), get_type_hints(type(settings))
    for found in (one for one in fields(settings) if not is_tuned(one)):
        value, name = getattr(settings, found.name), where + found.name
        if is_dataclass(value):
            yield from rows_of(value, f"{name}.")
        else:
            yield (
                name,
                _kind(hints[found.name]),
                _default(value),
                meanings.get(found.name, "Goes with the one above."),
            )


def described(kind: type) -> dict[str, str]:
    """Descriptions of attributes in a docstring; several may share an entry."""
    attributes = (kind.__doc__ or "").partition("Attributes:")[2].partition("Raises:")[0]
    text = re.sub(r"^ {4,8}(?=\S)", "", attributes, flags=re.MULTILINE)
    return {
        name: " ".join(entry["text"].split()).replace("|", "\\|")
        for entry in _ENTRY.finditer(text)
        for name in entry["names"].split(", ")
    }


def _kind(hint: Any) -> str:
    if "Mapping" in str(hint):
        return "sections"
    named = getattr(hint, "__name__", None) if isinstance(hint, type) else str(hint)
    words = {
        "str": "text",
        "int": "whole number",
        "float": "number",
        "bool": "true or false",
        "Provider": "provider block",
        "tuple[str, ...]": "list of texts",
    }
    if str(hint) in words:
        return words[str(hint)]
    return words.get((named or str(hint)).removesuffix(" | None").rpartition(".")[2], str(named))


def _default(value: Any) -> str:
    return "–" if value in (None, "", {}) else f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
