"""Write docs/api.md from the docstrings of the public classes.

usage: python scripts/docs_api.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import simonides
from simonides import errors
from simonides.agent.middleware import Middleware
from simonides.agent.tools import Tools
from simonides.agent.turn import Answer, Chat, Turn
from simonides.domain.written import Written
from simonides.parts.audit import Audit
from simonides.parts.documents import Documents
from simonides.parts.entities import Entities
from simonides.parts.palace import Palace
from simonides.parts.records import Records
from simonides.parts.review import Review
from simonides.parts.runs import Runs
from simonides.parts.schedule import Schedule
from simonides.parts.sessions import Sessions

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
SECTIONS: dict[str, tuple[type, ...]] = {
    "The memory": (simonides.Memory, simonides.AsyncMemory),
    "Its parts": (Palace, Entities, Records, Documents, Review, Sessions, Runs, Schedule, Audit),
    "What goes in and comes out": (
        *(simonides.Item, simonides.Scope, simonides.AddResult, simonides.Verdict),
        *(
            simonides.SearchResult,
            simonides.Hit,
            simonides.Candidates,
            simonides.ContextResult,
            simonides.Run,
        ),
        *(simonides.ItemPage, simonides.Record, simonides.FoundRecord, simonides.RecordVersion),
        *(simonides.Explanation, simonides.Graph, simonides.Node, simonides.Growth, simonides.Derived),
        *(simonides.ExtractReport, simonides.WaitingTurn, simonides.LoadResult, simonides.ImportReport),
        *(
            simonides.Report,
            simonides.Document,
            simonides.Corpus,
            simonides.IngestReport,
            simonides.Comparison,
        ),
        *(simonides.Quarantined, simonides.Contradicted, simonides.Appointment, simonides.SchedulerLease),
        *(simonides.DueStores, simonides.DueStore),
        *(
            simonides.Policy,
            simonides.Rule,
            simonides.Trial,
            simonides.Surroundings,
            simonides.StreamingModel,
        ),
    ),
    "For agents": (Tools, Middleware, Chat, Turn, Answer),
}
_INTRODUCTION = """\
Made from the docstrings by `python scripts/docs_api.py`. Names are imported from `simonides` unless another module is
given. [The guide](guide.md) shows them at work; [errors](errors.md) has every error.
"""
#: Awaited twins of what another class describes.
_TWINS = {simonides.AsyncMemory: "Every method of `Memory`, awaited."}


def page() -> str:
    """The whole page, in Markdown."""
    parts = [
        "# API reference\n",
        _INTRODUCTION,
    ]
    for title, classes in SECTIONS.items():
        parts.append(f"## {title}\n")
        parts += [_of_class(cls) for cls in classes]
    parts.append("## Functions\n")
    named = [getattr(simonides, name) for name in simonides.__all__]
    parts += [
        f"* `{found.__name__}{_signature(found, skipped=0)}`: {_first(found)}{_raises(found)}"
        for found in named
        if inspect.isfunction(found)
    ]
    return "\n".join([*parts, ""])


def _of_class(cls: type) -> str:
    home = "simonides" if cls.__name__ in simonides.__all__ else cls.__module__
    lines = [f"### {cls.__name__}\n", f"`from {home} import {cls.__name__}`\n", _first(cls), ""]
    if cls in _TWINS:
        return "\n".join([*lines, _TWINS[cls], ""])
    if attributes := _section(cls, "Attributes"):
        lines += [
            "| attribute | |",
            "|---|---|",
            *(f"| `{name}` | {text} |" for name, text in attributes),
            "",
        ]
    for name, member in _public(cls):
        if isinstance(member, property):
            lines.append(f"* `.{name}`: {_first(member)}")
        else:
            lines.append(f"* `{name}{_signature(member)}`: {_first(member)}{_raises(member)}")
    return "\n".join([*lines, ""])


def _public(cls: type) -> Iterator[tuple[str, Any]]:
    """Methods and properties in the order in which they are written, those with a docstring."""
    inherited = vars(Written) if issubclass(cls, Written) else {}
    for name, member in [
        *vars(cls).items(),
        *(pair for pair in inherited.items() if pair[0] not in vars(cls)),
    ]:
        found = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if (
            not name.startswith("_")
            and (inspect.isfunction(found) or isinstance(found, property))
            and found.__doc__
        ):
            yield name, found


def _signature(function: Any, *, skipped: int = 1) -> str:
    """The parameters by name, `self` skipped; a keyword dictionary as `**`, types left to the editor."""
    names: list[str] = []
    starred = False
    for parameter in list(inspect.signature(function).parameters.values())[skipped:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            names.append("*")
            starred = True
        prefix = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        starred = starred or prefix == "*"
        default = "" if parameter.default is parameter.empty else f"={_value(parameter.default)}"
        names.append(f"{prefix}{parameter.name}{default}")
    return f"({', '.join(names)})"


def _value(default: object) -> str:
    return repr(default) if default is None or isinstance(default, str | int | float | tuple | Enum) else "…"


def _first(found: Any) -> str:
    """The first paragraph of a docstring in one line."""
    return _cell((inspect.getdoc(found) or "").partition("\n\n")[0])


def _raises(function: Any) -> str:
    named = [name for name, _ in _section(function, "Raises") if hasattr(errors, name)]
    return f" Raises {', '.join(f'`{name}`' for name in named)}." if named else ""


def _section(found: Any, title: str) -> list[tuple[str, str]]:
    """Entries of a section of a docstring: names and what is said of them."""
    text = (inspect.getdoc(found) or "").partition(f"{title}:\n")[2]
    entries: list[tuple[str, str]] = []
    for line in text.splitlines():
        if line and not line.startswith("    "):
            break
        if match := re.fullmatch(r"    ([\w, *]+): (.*)", line):
            entries.append((match[1], match[2]))
        elif entries and line.strip():
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}")
    return [(name, _cell(text)) for name, text in entries]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
