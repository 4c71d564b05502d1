"""Taking in what other memories kept (`Memory.import_from`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from simonides.compose import Parts
from simonides.domain.importing import ImportReport
from simonides.domain.scope import Scope
from simonides.domain.text import short_text
from simonides.errors import InvalidInput
from simonides.importers.registry import importer_of
from simonides.ports.importer import SourceRequest
from simonides.writing.importing import Importing


def import_from(
    parts: Parts,
    kind: str,
    path: Path,
    scope: Scope,
    *,
    mapping: Mapping[str, str] | None,
    dry_run: bool,
    progress: Callable[[int], None] | None,
) -> ImportReport:
    """Read a source and take in what it holds."""
    reader = importer_of(short_text(kind, name="kind"))
    if not path.exists():
        raise InvalidInput(f"there is no {path} to import from")
    entries = reader.read(SourceRequest(path=path, mapping=dict(mapping or {}), scope=scope))
    taking_in = Importing(
        parts.store, parts.policy, parts.clock, parts.recorder, parts.records, parts.transfer
    )
    return taking_in.run(kind, entries, scope, dry_run=dry_run, progress=progress)
