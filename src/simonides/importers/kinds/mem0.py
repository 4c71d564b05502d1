"""mem0: what `get_all` answers, as JSON, and the history that it keeps in SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, cast

from simonides.domain.instant import first_instant
from simonides.domain.provenance import Origin
from simonides.domain.scope import Scope
from simonides.errors import InvalidInput
from simonides.importers.databases import Row, opened
from simonides.importers.files import (
    Fields,
    a_list,
    a_text,
    an_id,
    an_object,
    json_lines,
    json_of,
    moment_of,
    with_times,
)
from simonides.importers.speakers import Speakers, name_of
from simonides.ports.importer import LEFT_OUT, FormerWording, Refusal, SourceEntry, SourceItem, SourceRequest

_HISTORY: Final = ("memory_id", "old_memory", "new_memory", "event", "created_at")
_OWNERS: Final = ("user_id", "agent_id")
_USED: Final = frozenset(
    {"id", "memory", "text", "data", "created_at", "updated_at", "user_id", "agent_id", "categories"}
    | {"run_id", "metadata", "hash", "score", "embedding", "actor_id", "role"}
)


class Mem0Importer:
    """Memories of mem0. The history tells every wording, but not whose they are: say so by a scope."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        path = request.path
        if not path.is_file():
            raise InvalidInput(f"{path} is no file; name the JSON of get_all(), or history.db")
        with path.open("rb") as file:
            is_database = file.read(15) == b"SQLite format 3"
        yield from _history(path, request.scope) if is_database else _memories(path, request.scope)


def _memories(path: Path, scope: Scope) -> Iterator[SourceEntry]:
    if path.suffix in {".jsonl", ".ndjson"}:
        rows = list(json_lines(path))
    else:
        value = json_of(path)
        results: object = an_object(value).get("results", an_object(value).get("memories", value))
        if results is None or not isinstance(results, list):
            raise InvalidInput(f"{path.name} is no answer of mem0: neither a list nor `results`")
        rows = [
            (f"{path.name}, memory {n}", an_object(one))
            for n, one in enumerate(a_list(cast("object", results)), 1)
        ]
        yield from _further(an_object(value), len(rows), path.name)
        for number, _ in enumerate(a_list(an_object(value).get("relations")), 1):
            place = f"{path.name}, relation {number}"
            yield Refusal(place=place, reason=f"{LEFT_OUT}a relation of mem0's graph")
    speakers = Speakers(scope)
    for _, row in rows:
        if not isinstance(row, str) and row.get("role") == "user":
            speakers.hear(name_of(row.get("actor_id")), _whose(row))
    for place, row in rows:
        if isinstance(row, str):
            yield Refusal(place=place, reason=row)
        else:
            yield from with_times(_memory(row, place, speakers), row, "created_at", "updated_at")


def _whose(row: Mapping[str, Any]) -> dict[str, object]:
    return {name: row.get(name) for name in _OWNERS}


def _spoken(
    rows: Sequence[Mapping[str, Any]], whose: Mapping[str, object], speakers: Speakers
) -> tuple[Origin, dict[str, str]]:
    """Origin of a memory that stands in these rows, and its metadata on who said it."""
    names = list(dict.fromkeys(name_of(row.get("actor_id")) for row in rows))
    own = all(speakers.is_users(name, whose) for name in names)
    listed = ", ".join(filter(None, names))
    is_users = all(row.get("role") == "user" for row in rows) and own
    # The user's own name says nothing of who else spoke; it is kept as mem0 has it.
    metadata = {"actor_id" if own else "sender": listed} if listed else {}
    return Origin.USER_SAID if is_users else Origin.IMPORT, metadata


def _further(answer: Fields, here: int, name: str) -> Iterator[Refusal]:
    """A word on the pages that an answer says to come after it, or before it."""
    count = answer.get("count")
    left = count - here if isinstance(count, int) else 0
    if left > 0 or any(answer.get(end) for end in ("next", "previous")):
        number = f" with {left:,} memories" if left > 0 else ""
        yield Refusal(
            place=name,
            reason=f"{LEFT_OUT}other pages of the answer{number} (ask for them, and import them, too)",
        )


def _memory(row: Fields, place: str, speakers: Speakers) -> SourceEntry:
    content = a_text(row.get("memory")) or a_text(row.get("text")) or a_text(row.get("data"))
    key = an_id(row.get("id"))
    if not content.strip() or not key:
        return Refusal(place=place, reason="no memory of mem0: id or memory are missing")
    metadata = dict(an_object(row.get("metadata")))
    metadata |= {name: value for name, value in row.items() if name not in _USED and value not in (None, "")}
    origin, said_by = _spoken([row], _whose(row), speakers)
    metadata |= said_by
    fields: dict[str, Any] = {"type": "fact", "metadata": metadata}
    if tags := [str(one) for one in a_list(row.get("categories"))]:
        fields["tags"] = tags
    if session_id := an_id(row.get("run_id")):
        fields["session_id"] = session_id
    return SourceItem(
        place=place,
        key=key,
        content=content,
        fields=fields,
        whose=_whose(row),
        origin=origin,
        created_at=moment_of(row.get("created_at")),
        updated_at=moment_of(row.get("updated_at")),
    )


def _history(path: Path, scope: Scope) -> Iterator[SourceEntry]:
    """The memories that a history tells of: each with its wordings, archived where it was deleted."""
    with opened(path) as database:
        database.require("history", _HISTORY, "mem0")
        events: dict[str, list[tuple[str, Row]]] = {}
        for place, row in database.rows("history", ("created_at",)):
            if isinstance(row, str):
                yield Refusal(place=place, reason=row)
            else:
                events.setdefault(an_id(row["memory_id"]), []).append((place, row))
        speakers = Speakers(scope)
        for _, row in chain.from_iterable(events.values()):
            if row.get("role") == "user":
                speakers.hear(name_of(row.get("actor_id")), {})
        for key, some in events.items():
            yield _entry_of(key, some, speakers)
        if "messages" in database.tables:
            for place, _ in database.rows("messages"):
                yield Refusal(place=place, reason=f"{LEFT_OUT}a message that waited to be read again")


def _entry_of(key: str, events: list[tuple[str, Row]], speakers: Speakers) -> SourceEntry:
    states: list[FormerWording] = []
    for _, row in events:
        before = a_text(row["old_memory"])
        # The event that brought it may be gone.
        if before.strip() and (not states or states[-1].content != before):
            at = first_instant(row, "created_at") or 0
            states.append(FormerWording(content=before, at=max(at, states[-1].at) if states else at))
        if row["event"] in {"ADD", "UPDATE"} and a_text(row["new_memory"]).strip():
            states.append(
                FormerWording(
                    content=a_text(row["new_memory"]),
                    at=first_instant(row, "updated_at", "created_at") or 0,
                    reason="create" if row["event"] == "ADD" else "update",
                )
            )
    place, last = events[-1]
    if not key or not states:
        return Refusal(place=place, reason="the history tells no wording of it")
    deleted = last["event"] == "DELETE" or bool(last.get("is_deleted"))
    origin, said_by = _spoken([row for _, row in events], {}, speakers)
    return SourceItem(
        place=place,
        key=key,
        content=states[-1].content,
        fields={"type": "fact", "metadata": said_by},
        origin=origin,
        created_at=first_instant(events[0][1], "created_at"),
        updated_at=first_instant(last, "updated_at", "created_at"),
        archived=deleted,
        earlier=states if deleted else states[:-1],
    )
