"""Public fakes for tests of programs that use Simonides, and contracts that adapters of its ports must meet.

A contract is a class to inherit from: it runs under pytest as it is, once `make_store`, `make_index`,
`make_reranker` or `make_model` says how the adapter is made.
"""

from __future__ import annotations

from simonides.testing.fakes import (
    FakeEmbedder,
    FakeReranker,
    FakeVectorSource,
    FrozenClock,
    Said,
    Script,
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
    "Said",
    "Script",
    "ScriptedModel",
    "StoreContract",
    "VectorIndexContract",
    "an_item",
]
