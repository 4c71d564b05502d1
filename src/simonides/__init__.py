"""Long-term memory for LLM agents, in one SQLite file."""

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
