"""The one place where settings become objects."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from simonides.config import Settings, store_path
from simonides.domain.taxonomy import TAXONOMY, Taxonomy
from simonides.governance.policy import Policy
from simonides.models.registry import embedder_from
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import Store
from simonides.recall.search import Recall
from simonides.storage.sqlite.salvage import Salvaged, salvage
from simonides.storage.sqlite.store import SqliteStore
from simonides.vectors.exact import ExactIndex
from simonides.writing.backfill import Backfill
from simonides.writing.curate import Curator
from simonides.writing.record import Recorder
from simonides.writing.transfer import Transfer
from simonides.writing.uses import UseLog


class SystemClock:
    """The computer's clock."""

    def now(self) -> int:
        return time.time_ns() // 1000


def salvage_store(source: Path, target: Path) -> Salvaged:
    """Put what can be read of a damaged store into a new one; the damaged file is only read.

    Raises:
        InvalidInput: There is a file at the target.
        StoreError: Not even the list of items can be read.
    """
    return salvage(source, target)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a Memory is made of."""

    store: Store
    embedder: Embedder
    policy: Policy
    clock: Clock
    taxonomy: Taxonomy
    settings: Settings
    recorder: Recorder
    curator: Curator
    recall: Recall
    uses: UseLog
    backfill: Backfill
    transfer: Transfer


def compose(
    path: Path | None,
    settings: Settings,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    policy: Policy | None = None,
    read_only: bool = False,
) -> Parts:
    """Build the parts for one file; what is given takes the place of what the settings name."""
    chosen = path or store_path(settings)
    clock = clock or SystemClock()
    embedder = embedder or embedder_from(settings.embedder)
    policy = policy or Policy(settings.policy, TAXONOMY)
    store = SqliteStore(chosen, synchronous=settings.store.synchronous, read_only=read_only)

    def index() -> ExactIndex:
        return ExactIndex(embedder.identity)

    return Parts(
        store=store,
        embedder=embedder,
        policy=policy,
        clock=clock,
        taxonomy=policy.taxonomy,
        settings=settings,
        recorder=Recorder(store, embedder, policy, clock),
        curator=Curator(store, embedder, policy, clock),
        recall=Recall(store, index, embedder, policy.taxonomy, settings.recall),
        uses=UseLog(store, kept=not read_only),
        backfill=Backfill(store, embedder),
        transfer=Transfer(store, embedder, policy, clock),
    )
