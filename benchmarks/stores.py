"""Stores of worlds: filled once, kept where that is wanted."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from functools import cache
from pathlib import Path
from typing import Final

import simonides
from simonides.config import Settings, StoreSettings
from simonides.memory import Memory
from simonides.models.registry import embedder_from, provider_named, reranker_from
from simonides.ports.embedder import Embedder
from simonides.ports.reranker import Reranker
from simonides.sample import SampleSession, World

_SCHEMA: Final = "storage/sqlite/schema.sql"


def schema_of(package: Path) -> str:
    """Names the schema that a version of the package gives its stores: the same name, the same schema."""
    return hashlib.sha256((package / _SCHEMA).read_bytes()).hexdigest()[:8]


def kept_store(folder: Path, world: str, embedder: str) -> Path:
    """Place of a world's store, by all that it depends on.

    What is written otherwise under the same schema is not seen: such stores are to be removed by hand.
    """
    named = re.sub(r"[^\w.-]+", "-", embedder)
    return folder / f"{world}-{named}-{schema_of(Path(simonides.__file__).parent)}.db"


@cache
def embedder_named(name: str) -> Embedder:
    """An embedder by its short name, one for all worlds of a process."""
    return embedder_from(provider_named(name))


@cache
def reranker_named(name: str) -> Reranker:
    """A reranker by its short name, likewise."""
    return reranker_from(provider_named(name))


def bring(found: World, path: Path, embedder: str, keep: Path | None = None) -> float | None:
    """Put a world's store at a path.

    Args:
        embedder: Its short name.
        keep: Folder of the kept stores and the world's name there, as one path; None to keep nothing.

    Returns:
        Seconds that adding its turns took; None where the store was kept.
    """
    kept = None if keep is None else kept_store(keep.parent, keep.name, embedder)
    if kept is not None and kept.exists():
        shutil.copyfile(kept, path)
        return None
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    began = time.perf_counter()
    with Memory(path, settings=settings, embedder=embedder_named(embedder)) as memory:
        for session in found.sessions:
            fill(memory, found, session)
    spent = time.perf_counter() - began
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        shutil.copyfile(path, part)
        part.replace(kept)  # What was stopped halfway is not found again.
    return spent


def fill(memory: Memory, found: World, session: SampleSession) -> dict[str, str]:
    """Add a session of a world; the items of its turns by the ids of these, without those that were not stored."""
    if found.notes:
        added = memory.add([turn.to_note() for turn in session.turns])
    else:
        added = memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
    pairs = zip(session.turns, added.verdicts, strict=True)
    return {turn.id: verdict.item_id for turn, verdict in pairs if verdict.item_id}
