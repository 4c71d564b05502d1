"""All that writes to one store."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from simonides.governance.policy import Policy
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.model import LanguageModel
from simonides.ports.store import Store
from simonides.tasks.audit import audit
from simonides.writing.audit import Auditor
from simonides.writing.curate import Curator
from simonides.writing.entities import Registrar
from simonides.writing.neighbours import Neighbours
from simonides.writing.record import Recorder, Repeating
from simonides.writing.records import RecordKeeper
from simonides.writing.requests import Requests


class Writers(NamedTuple):
    """What writes to a store, under one policy."""

    policy: Policy
    neighbours: Neighbours
    recorder: Recorder
    records: RecordKeeper
    curator: Curator
    requests: Requests
    registrar: Registrar


def writers_of(
    store: Store,
    embedder: Embedder,
    policy: Policy,
    clock: Clock,
    model: LanguageModel | None,
    repeating: Repeating,
) -> Writers:
    """Make what writes to a store.

    Args:
        model: Has a say in verdicts, where the policy wants one.
        repeating: Knows turns by which others than the user say again what was forgotten.
    """
    neighbours = Neighbours(store, embedder, policy.taxonomy)
    auditor = (
        Auditor(policy, partial(audit, model)) if policy.settings.auditor and model is not None else None
    )
    curator = Curator(store, embedder, policy, clock, neighbours)
    return Writers(
        policy=policy,
        neighbours=neighbours,
        recorder=Recorder(store, embedder, policy, clock, neighbours, auditor, repeating),
        records=RecordKeeper(store, embedder, policy, clock, neighbours),
        curator=curator,
        requests=Requests(store, policy, clock, curator),
        registrar=Registrar(store, policy, clock),
    )
