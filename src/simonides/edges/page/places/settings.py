"""Settings: every value that holds, and where it comes from."""

from __future__ import annotations

from typing import Any

from simonides.config import origins, settings_file
from simonides.edges.cli.commands.settings import origin_of, values_of
from simonides.edges.page.visit import ADMIN, View, Visit


def place(visit: Visit) -> View:
    """The settings of this process; keys and passwords are masked."""
    visit.require(ADMIN)
    visit.require_whole()
    set_in = origins()
    rows = {
        name: {"value": value, "from": origin_of(name, set_in)}
        for name, value in values_of(visit.memory.settings)
    }
    groups: dict[str, dict[str, Any]] = {}
    for name, row in rows.items():
        section, _, key = name.rpartition(".")
        groups.setdefault(section or "general", {})[key] = row
    file = settings_file()
    shown = {
        "here": "Settings",
        "groups": groups,
        "file": str(file),
        "there": file.exists(),
        "path": visit.memory.path,
    }
    return View(template="settings", shown=shown, data={"file": str(file), "settings": rows})
