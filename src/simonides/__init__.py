"""Long-term memory for LLM agents, in one SQLite file."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from simonides.aio import AsyncMemory
    from simonides.domain.item import Item, Status, Validation
    from simonides.domain.scope import ALL, Scope
    from simonides.domain.taxonomy import Kind, Tier
    from simonides.domain.verdict import AddResult, Outcome, Verdict
    from simonides.errors import InvalidInput, NotFound, SimonidesError, StoreError
    from simonides.memory import Memory

__version__ = "0.1.0"
__all__ = [
    "ALL",
    "AddResult",
    "AsyncMemory",
    "InvalidInput",
    "Item",
    "Kind",
    "Memory",
    "NotFound",
    "Outcome",
    "Scope",
    "SimonidesError",
    "Status",
    "StoreError",
    "Tier",
    "Validation",
    "Verdict",
]
#: Where each public name lives. It is imported when it is first asked for: the engine brings numpy and
#: SQLite along, which `simonides --help` has no use for.
_HOMES: Final = {
    "aio": ("AsyncMemory",),
    "domain.item": ("Item", "Status", "Validation"),
    "domain.scope": ("ALL", "Scope"),
    "domain.taxonomy": ("Kind", "Tier"),
    "domain.verdict": ("AddResult", "Outcome", "Verdict"),
    "errors": ("InvalidInput", "NotFound", "SimonidesError", "StoreError"),
    "memory": ("Memory",),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            found = getattr(import_module(f"{__name__}.{home}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
