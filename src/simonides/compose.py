"""The one place where settings become objects."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from simonides.config import Settings, store_path
from simonides.domain.taxonomy import TAXONOMY, Taxonomy
from simonides.governance.policy import Policy
from simonides.models.registry import embedder_from, model_from, reranker_from
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.model import LanguageModel
from simonides.ports.reranker import Reranker
from simonides.ports.store import Store
from simonides.ports.vectors import VectorIndex, saved_vectors
from simonides.recall.agenda.search import Agenda
from simonides.recall.search import Recall
from simonides.storage.sqlite.salvage import Salvaged, salvage
from simonides.storage.sqlite.store import SqliteStore
from simonides.tasks.bridge import word_subgoal
from simonides.tasks.expand import expand
from simonides.vectors.registry import IndexRequest, maker_of
from simonides.writing.backfill import Backfill, NameBackfill
from simonides.writing.curate import Curator
from simonides.writing.entities import Registrar
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
    """What a Memory is made of. Without a reranker or model, what could use one goes on without."""

    store: Store
    embedder: Embedder
    reranker: Reranker | None
    model: LanguageModel | None
    policy: Policy
    clock: Clock
    taxonomy: Taxonomy
    settings: Settings
    recorder: Recorder
    curator: Curator
    recall: Recall
    uses: UseLog
    backfill: Backfill
    names: NameBackfill
    registrar: Registrar
    transfer: Transfer


def compose(
    path: Path | None,
    settings: Settings,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    model: LanguageModel | None = None,
    agenda: Agenda | None = None,
    policy: Policy | None = None,
    read_only: bool = False,
) -> Parts:
    """Build the parts for one file; what is given takes the place of what the settings name."""
    chosen = path or store_path(settings)
    clock = clock or SystemClock()
    embedder = embedder or embedder_from(settings.embedder)
    if reranker is None and settings.rerank is not None:
        reranker = reranker_from(settings.rerank)
    if model is None and settings.model is not None:
        model = model_from(settings.model)
    policy = policy or Policy(settings.policy, TAXONOMY)
    make_index, folder = maker_of(settings.index.kind), saved_vectors(chosen)
    store = SqliteStore(chosen, synchronous=settings.store.synchronous, read_only=read_only)

    def index() -> VectorIndex:
        return make_index(IndexRequest(embedder.identity, settings.index, folder, writes=not read_only))

    return Parts(
        store=store,
        embedder=embedder,
        reranker=reranker,
        model=model,
        policy=policy,
        clock=clock,
        taxonomy=policy.taxonomy,
        settings=settings,
        recorder=Recorder(store, embedder, policy, clock),
        curator=Curator(store, embedder, policy, clock),
        recall=Recall(
            store,
            index,
            embedder,
            policy.taxonomy,
            settings.recall,
            expand=None if model is None else partial(expand, model),
            word=None if model is None else partial(word_subgoal, model),
            reranker=reranker,
            agenda=agenda,
        ),
        uses=UseLog(store, kept=not read_only),
        backfill=Backfill(store, embedder),
        names=NameBackfill(store),
        registrar=Registrar(store, policy, clock),
        transfer=Transfer(store, embedder, policy, clock),
    )
