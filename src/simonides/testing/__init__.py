"""Public fakes for tests of programs that use Simonides, and contracts that adapters of its ports must meet.

A contract is a class to inherit from: it runs under pytest as it is, once `make_store`, `make_index`,
`make_reranker` or `make_model` says how the adapter is made.
"""

from __future__ import annotations

import warnings
from typing import Any

from simonides.testing.fakes import (
    FakeEmbedder,
    FakeReranker,
    FakeVectorSource,
    FrozenClock,
    Script,
    ScriptedAnswer,
    ScriptedModel,
    an_item,
)
from simonides.testing.models import LanguageModelContract, RerankerContract
from simonides.testing.store import FileStoreContract, StoreContract
from simonides.testing.vectors import VectorIndexContract

__all__ = [
    "FakeEmbedder",
    "FakeReranker",
    "FakeVectorSource",
    "FileStoreContract",
    "FrozenClock",
    "LanguageModelContract",
    "RerankerContract",
    "Script",
    "ScriptedAnswer",
    "ScriptedModel",
    "StoreContract",
    "VectorIndexContract",
    "an_item",
]


def __getattr__(name: str) -> Any:
    if name == "Said":
        warnings.warn("simonides.testing.Said is called ScriptedAnswer now", DeprecationWarning, stacklevel=2)
        return ScriptedAnswer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
