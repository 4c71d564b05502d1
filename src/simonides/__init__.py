"""Long-term memory for LLM agents, in one SQLite file."""

from __future__ import annotations

TYPE_CHECKING = (
    False  # As type checkers know it; importing `typing` would cost each call of a hook ten milliseconds.
)
if TYPE_CHECKING:
    from typing import Any, Final

    from simonides.aio import AsyncMemory
    from simonides.compose import (
        due_stores,
        migrate_store,
        rekey_store,
        salvage_store,
        seal_store,
        streaming_model,
    )
    from simonides.domain.document import Comparison, Corpus, Document, IngestReport
    from simonides.domain.extraction import ExtractReport
    from simonides.domain.growth import Growth
    from simonides.domain.importing import ImportReport
    from simonides.domain.item import Item, Status, Validation
    from simonides.domain.page import ItemPage
    from simonides.domain.record import FoundRecord, Record, RecordVersion
    from simonides.domain.run import Run
    from simonides.domain.scope import ALL, Scope
    from simonides.domain.taxonomy import Kind, Tier
    from simonides.domain.verdict import AddResult, Outcome, Verdict
    from simonides.errors import InvalidInput, NotFound, SimonidesError, StoreError
    from simonides.governance.policy import Policy
    from simonides.governance.rulebook import Rule
    from simonides.governance.trial import Trial, try_policy
    from simonides.memory import Memory
    from simonides.models.streaming import StreamingModel
    from simonides.parts.review import Contradicted, Quarantined
    from simonides.parts.schedule import SchedulerLease
    from simonides.ports.buffer import WaitingTurn
    from simonides.ports.store import Report
    from simonides.ports.workers import DueStore, DueStores
    from simonides.recall.assemble import ContextResult, Surroundings
    from simonides.recall.graph import Graph, Node
    from simonides.recall.question.speech import Act
    from simonides.recall.result import Candidates, Explanation, Hit, SearchResult
    from simonides.upkeep.jobs.retract import Derived
    from simonides.upkeep.schedule.watch import Appointment
    from simonides.writing.transfer import LoadResult

__version__ = "0.1.0"
__all__ = [
    "ALL",
    "Act",
    "AddResult",
    "Appointment",
    "AsyncMemory",
    "Candidates",
    "Comparison",
    "ContextResult",
    "Contradicted",
    "Corpus",
    "Derived",
    "Document",
    "DueStore",
    "DueStores",
    "Explanation",
    "ExtractReport",
    "FoundRecord",
    "Graph",
    "Growth",
    "Hit",
    "ImportReport",
    "IngestReport",
    "InvalidInput",
    "Item",
    "ItemPage",
    "Kind",
    "LoadResult",
    "Memory",
    "Node",
    "NotFound",
    "Outcome",
    "Policy",
    "Quarantined",
    "Record",
    "RecordVersion",
    "Report",
    "Rule",
    "Run",
    "SchedulerLease",
    "Scope",
    "SearchResult",
    "SimonidesError",
    "Status",
    "StoreError",
    "StreamingModel",
    "Surroundings",
    "Tier",
    "Trial",
    "Validation",
    "Verdict",
    "WaitingTurn",
    "due_stores",
    "migrate_store",
    "rekey_store",
    "salvage_store",
    "seal_store",
    "streaming_model",
    "try_policy",
]
#: Where each public name lives. It is imported when it is first asked for: the engine brings numpy and
#: SQLite along, which `simonides --help` has no use for.
_HOMES: Final = {
    "aio": ("AsyncMemory",),
    "compose": (
        "due_stores",
        "migrate_store",
        "rekey_store",
        "salvage_store",
        "seal_store",
        "streaming_model",
    ),
    "domain.document": ("Comparison", "Corpus", "Document", "IngestReport"),
    "domain.extraction": ("ExtractReport",),
    "domain.growth": ("Growth",),
    "domain.importing": ("ImportReport",),
    "domain.item": ("Item", "Status", "Validation"),
    "domain.page": ("ItemPage",),
    "domain.record": ("FoundRecord", "Record", "RecordVersion"),
    "domain.run": ("Run",),
    "domain.scope": ("ALL", "Scope"),
    "domain.taxonomy": ("Kind", "Tier"),
    "domain.verdict": ("AddResult", "Outcome", "Verdict"),
    "errors": ("InvalidInput", "NotFound", "SimonidesError", "StoreError"),
    "governance.policy": ("Policy",),
    "governance.rulebook": ("Rule",),
    "governance.trial": ("Trial", "try_policy"),
    "memory": ("Memory",),
    "models.streaming": ("StreamingModel",),
    "parts.review": ("Contradicted", "Quarantined"),
    "parts.schedule": ("SchedulerLease",),
    "ports.buffer": ("WaitingTurn",),
    "ports.store": ("Report",),
    "ports.workers": ("DueStore", "DueStores"),
    "recall.assemble": ("ContextResult", "Surroundings"),
    "recall.graph": ("Graph", "Node"),
    "recall.question.speech": ("Act",),
    "recall.result": ("Candidates", "Explanation", "Hit", "SearchResult"),
    "upkeep.jobs.retract": ("Derived",),
    "upkeep.schedule.watch": ("Appointment",),
    "writing.transfer": ("LoadResult",),
}


#: Former public names.
_RENAMED: Final = {"Seat": "SchedulerLease"}


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        import warnings  # noqa: PLC0415 - see above

        warnings.warn(f"simonides.{name} is called {_RENAMED[name]} now", DeprecationWarning, stacklevel=2)
        name = _RENAMED[name]
    for home, names in _HOMES.items():
        if name in names:
            value = getattr(_loaded(f"{__name__}.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _loaded(module: str) -> Any:
    """Import a module without looking for garbage among what it makes: tens of thousands of objects, which all stay."""
    import gc  # noqa: PLC0415 - see above
    import sys  # noqa: PLC0415
    from importlib import import_module  # noqa: PLC0415

    if module in sys.modules:  # It makes nothing, and to ask what is frozen counts all of that, one by one.
        return import_module(module)  # Another thread may be at it still.
    looking = gc.isenabled()
    gc.disable()
    try:
        return import_module(module)
    finally:
        if looking:
            if not gc.get_freeze_count():  # Else somebody keeps objects apart, for processes that they fork.
                gc.freeze()
                gc.unfreeze()  # Together they make what is there as old as can be.
            gc.enable()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
