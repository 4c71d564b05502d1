"""Taking what only purged items said out of what the engine wrote elsewhere: questions, evidence, reasons, runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

from simonides.domain.item import Item, canonical_json
from simonides.governance.carried import words_of
from simonides.governance.wordings import quotes_nobody
from simonides.language.words import STOP
from simonides.storage.sql.database import Database
from simonides.storage.sql.merges import texts_of
from simonides.storage.sql.rows import parsed
from simonides.values import dataclass

#: What stands for a text that quoted a purged item.
_TAKEN_OUT: Final = "it told of an item that was purged"
#: Where the details of a change quote a link, and the verdict that an item had before.
_OF_LINK, _OF_VERDICT = (0, 3), (1, 2)


@dataclass(frozen=True, slots=True)
class Traces:
    """Words that purged items said and no other item says, and the sessions and the scope that they leave.

    Attributes:
        words: As the text index holds them.
        names: Names of their sessions, as long as no item is in any session of that name.
        sessions: Their sessions, each by its scope and name: another scope may have one of the same name.
        scope: The scope that goes as a whole.
    """

    words: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    sessions: frozenset[tuple[str, str]] = frozenset()
    scope: str | None = None

    def look(self, database: Database) -> None:
        """Say what `alone` will ask."""
        if self.words:
            database.look("documents_with_terms", {"terms": sorted(self.words)})
            database.look("texts_beside_the_index")
        for name in self.names:
            database.look("name_has_items", {"session_id": name})
        for scope, name in self.sessions:
            database.look("session_has_items", {"scope": scope, "session_id": name})

    def alone(self, database: Database) -> Traces:
        """Those that no item of a store says either."""
        self.look(database)
        held = dict(database.rows("documents_with_terms", terms=sorted(self.words))) if self.words else {}
        words = self.words - held.keys()
        if words:
            unindexed = database.execute("texts_beside_the_index")
            words -= words_of([text for (text,) in unindexed])
        names = (name for name in self.names if not _held(database, "name_has_items", session_id=name))
        sessions = (
            (scope, name)
            for scope, name in self.sessions
            if not _held(database, "session_has_items", scope=scope, session_id=name)
        )
        return Traces(words, frozenset(names), frozenset(sessions), self.scope)


def traces_of(items: Iterable[Item], scope: str | None = None) -> Traces:
    """Words that items say, in whatever field.

    Args:
        scope: The scope that goes as a whole, with all that was asked from it.
    """
    sessions: set[tuple[str, str]] = set()
    texts: set[str] = set()
    for item in items:
        source = item.provenance
        sessions |= {(str(item.scope), item.session_id)} if item.session_id else set()
        texts.update((item.title, item.content, *item.tags, *item.entities))
        of_source = (source.source_id, source.source_role, *source.chunk_ids)
        places = (item.session_id, item.task_id, item.narrative_id, item.corpus_id, item.rule_id)
        texts.update(name for name in (*of_source, *places) if name)
        if item.metadata:
            texts.add(json.dumps(dict(item.metadata), ensure_ascii=False))
    words = words_of(texts) - words_of(STOP)
    return Traces(
        frozenset(word for word in words if len(word) > 1 or not word.isascii()),
        frozenset(name for _, name in sessions),
        frozenset(sessions),
        scope,
    )


#: Everything beside the items that may quote them.
_QUOTING: Final = (
    "evidence_of_links", "evidence_of_moved_links", "tellings_of_entities", "every_reason", "errors_of_waiting",
    "notes_of_runs", "details_of_changes", "queries_of_injections", "names_beside_items",
)  # fmt: skip


def look_for_traces(database: Database) -> None:
    """Say that `take_out` is asked next."""
    for name in _QUOTING:
        database.look(name)


def take_out(database: Database, traces: Traces) -> int:
    """Remove every trace from what stands beside the items of a store; how many records of contexts went."""
    sweep = _Sweep(database, traces)
    for name in sorted(traces.names.union(sweep.names())):
        for drop in ("drop_sessions_of_name", "drop_uses_of_name", "unname_injections_of_name"):
            database.execute(drop, {"session_id": name})
    for scope, name in sorted(traces.sessions):
        for drop in ("drop_session", "unname_injections"):
            database.execute(drop, {"scope": scope, "session_id": name})
    left = 0 if traces.scope is None else _leave(database, traces.scope)
    sweep.evidence()
    sweep.reasons()
    sweep.runs()
    sweep.changes()
    return left + sweep.injections()


def _leave(database: Database, scope: str) -> int:
    """Remove what was asked from a scope, and its sessions; how many records of contexts went."""
    names = sorted({name for (name,) in database.execute("names_of_sessions", {"scope": scope})})
    database.execute("drop_injections_of_scope", {"scope": scope})
    removed = database.changes()
    database.execute("drop_sessions_of_scope", {"scope": scope})
    for name in names:
        if not _held(database, "name_is_in_use", session_id=name):
            database.execute("drop_uses_of_name", {"session_id": name})
    return removed


def _held(database: Database, name: str, **values: str) -> bool:
    return bool(database.execute(name, values).get)


class _Sweep:
    def __init__(self, database: Database, traces: Traces) -> None:
        self._database = database
        self._traces = traces
        self._tells_one = cache(self._has_trace)

    def names(self) -> list[str]:
        """Names of sessions that somebody asked in, and that have a trace in them."""
        return [name for (name,) in self._rows("names_beside_items") if self._tells(name)]

    def injections(self) -> int:
        gone = [(id_,) for id_, query in self._rows("queries_of_injections") if self._tells(query)]
        self._database.executemany("drop_injection", gone)
        return len(gone)

    def evidence(self) -> None:
        for every, drop in (
            ("evidence_of_links", "drop_evidence_of_links"),
            ("evidence_of_moved_links", "drop_evidence_of_moved_links"),
        ):
            for *ends, evidence, predicate in self._rows(every):
                if self._tells(evidence, predicate):
                    self._do(drop, *ends)
        for key, summary, into, attributes in self._rows("tellings_of_entities"):
            if self._tells(summary, attributes if into is None else texts_of(attributes)):
                self._do("drop_telling", key)

    def reasons(self) -> None:
        for item, reasons in self._rows("every_reason"):
            self._put_if_changed("put_reasons", reasons, self._without, item)
        for item, error in self._rows("errors_of_waiting"):
            if self._tells(error):
                self._do("put_waiting_error", _TAKEN_OUT, item)

    def runs(self) -> None:
        for id_, notes, error in self._rows("notes_of_runs"):
            self._put_if_changed("put_notes_of_run", notes, self._without_why, id_)
            if self._tells(error):
                self._do("put_error_of_run", _TAKEN_OUT, id_)

    def changes(self) -> None:
        for run, number, kind, details in self._rows("details_of_changes"):
            fields: dict[str, Any] = parsed(details)
            if self._is_of_session(fields) or (
                kind == "summary" and self._tells(fields.get("before"), fields.get("after"))
            ):
                self._do("drop_run_change", run, number)
            else:
                self._put_if_changed("put_run_change", details, self._without_quotes, run, number)

    def _is_of_session(self, fields: Mapping[str, Any]) -> bool:
        name, scope = fields.get("session_id"), fields.get("scope")
        return name in self._traces.names or (
            name is not None and scope is not None and (scope, name) in self._traces.sessions
        )

    def _put_if_changed(self, name: str, text: str, without: Callable[[Any], Any], *place: object) -> None:
        value = parsed(text)
        left = without(value)
        if left != value:
            self._do(name, canonical_json(left), *place)

    def _without(self, value: Any) -> Any:
        """A list of texts, or a text; of one that has a trace its code stays."""
        if isinstance(value, list):
            return [self._without(part) for part in cast("list[Any]", value)]
        if not isinstance(value, str) or quotes_nobody(value) or not self._tells(value):
            return value
        code, mark, _ = value.partition(": ")
        return f"{code}: {_TAKEN_OUT}" if mark and not self._tells(code) else _TAKEN_OUT

    def _without_why(self, notes: dict[str, Any]) -> dict[str, Any]:
        left = [note | {"why": self._without(note["why"])} for note in notes.get("left_alone", ())]
        cleaned = {"degradations": self._without(notes.get("degradations")), "left_alone": left}
        return notes | {name: note for name, note in cleaned.items() if note}

    def _without_quotes(self, details: dict[str, Any]) -> dict[str, Any]:
        kept = dict(details)
        if waits := details.get("waits"):
            kept["waits"] = [[*row[:2], row[2] and self._without(row[2]), *row[3:]] for row in waits]
        for name, places in (("before", _OF_LINK), ("after", _OF_LINK), ("verdict", _OF_VERDICT)):
            row = details.get(name)
            if isinstance(row, list) and ("rel" in details or name == "verdict"):
                row = cast("list[Any]", row)
                kept[name] = [self._without(part) if n in places else part for n, part in enumerate(row)]
        return kept

    def _tells(self, *texts: object) -> bool:
        """True if any of the texts has a trace in it."""
        return any(self._tells_one(text) for text in texts if isinstance(text, str))

    def _has_trace(self, text: str) -> bool:
        return not self._traces.words.isdisjoint(words_of([text]))

    def _do(self, name: str, *values: object) -> None:
        self._database.execute(name, values)

    def _rows(self, name: str) -> Sequence[tuple[Any, ...]]:
        return self._database.execute(name).fetchall()
