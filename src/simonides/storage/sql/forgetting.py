"""Reading for the jobs that forget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from simonides.domain.link import Link, Relation
from simonides.domain.selection import Selection
from simonides.ports.forgetting import Faint
from simonides.storage.sql.rows import parsed
from simonides.storage.sql.runs import to_link
from simonides.storage.sql.statement_reader import StatementReader


class SqlForgettingReader(StatementReader):
    """Meets `ports.forgetting.ForgettingReader`."""

    def faintest(self, selection: Selection, now: int, quiet_since: int, limit: int) -> list[Faint]:
        rows = self._selected("faintest", selection, now=now, quiet_since=quiet_since, limit=limit)
        return [Faint(*row) for row in rows]

    def links_of(
        self, rel: Relation, after: tuple[int, int], limit: int
    ) -> list[tuple[tuple[int, int], Link]]:
        rows = self._database.rows(
            "links_of_relation", rel=rel.value, src=after[0], dst=after[1], limit=limit
        )
        return [((row[10], row[11]), to_link(row[:10])) for row in rows]

    def expect(self, item_ids: Sequence[str]) -> None:
        """Nothing: what is near is asked when it is wanted."""

    def made_from(self, item_ids: Sequence[str]) -> dict[str, frozenset[str]]:
        if not item_ids:
            return {}
        wanted = frozenset(item_ids)
        sources: dict[str, frozenset[str]] = {}
        for id_, source_id, details in self._database.rows("made_from", ids=wanted):
            fields = cast("dict[str, Any]", parsed(details)) if details else {}
            named = {source_id, *fields.get("chunk_ids", ())}
            sources[id_] = frozenset(named & wanted)
        return sources
