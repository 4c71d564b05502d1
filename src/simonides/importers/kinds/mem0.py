"""mem0: what `get_all` answers, as JSON, and the history that it keeps in SQLite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

from simonides.domain.instant import first_instant
from simonides.domain.provenance import Origin
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
        yield from _history(path) if is_database else _memories(path)


def _memories(path: Path) -> Iterator[SourceEntry]:
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
    actors: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for _, row in rows:
        if not isinstance(row, str) and row.get("role") == "user":
            actors[_owners(row)].add(_actor(row))
    for place, row in rows:
        if isinstance(row, str):
            yield Refusal(place=place, reason=row)
        else:
            own = _own(actors[_owners(row)], an_id(row.get("user_id")))
            yield from with_times(_memory(row, place, own), row, "created_at", "updated_at")


def _owners(row: Fields) -> tuple[str, ...]:
    return tuple(an_id(row.get(name)) for name in _OWNERS)


def _actor(row: Mapping[str, Any]) -> str:
    """The name of whoever said a memory; empty where it has none."""
    return an_id(row.get("actor_id")).strip()


def _own(actors: Collection[str], user: str) -> Collection[str]:
    """Names by which the user may speak: the only one that speaks; of several, who is called as the memory's user is.

    Whether the only one is the user is told by the scope, which is not known here: the name stands in the metadata.
    """
    named = {name for name in actors if name}
    return {"", *(named if len(named) == 1 else (one for one in named if one.casefold() == user.casefold()))}


def _origin(rows: Iterable[Mapping[str, Any]], own: Collection[str]) -> Origin:
    """Origin of a memory that stands in these rows.

    Args:
        own: Names by which the user may speak.
    """
    is_users = all(row.get("role") == "user" and _actor(row) in own for row in rows)
    return Origin.USER_SAID if is_users else Origin.IMPORT


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


def _memory(row: Fields, place: str, own: Collection[str]) -> SourceEntry:
    content = a_text(row.get("memory")) or a_text(row.get("text")) or a_text(row.get("data"))
    key = an_id(row.get("id"))
    if not content.strip() or not key:
        return Refusal(place=place, reason="no memory of mem0: id or memory are missing")
    metadata = dict(an_object(row.get("metadata")))
    metadata |= {name: value for name, value in row.items() if name not in _USED and value not in (None, "")}
    if actor := _actor(row):
        metadata["sender"] = actor
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
        whose={name: row.get(name) for name in _OWNERS},
        origin=_origin([row], own),
        created_at=moment_of(row.get("created_at")),
        updated_at=moment_of(row.get("updated_at")),
    )


def _history(path: Path) -> Iterator[SourceEntry]:
    """The memories that a history tells of: each with its wordings, archived where it was deleted."""
    with opened(path) as database:
        database.require("history", _HISTORY, "mem0")
        events: dict[str, list[tuple[str, Row]]] = {}
        for place, row in database.rows("history", ("created_at",)):
            if isinstance(row, str):
                yield Refusal(place=place, reason=row)
            else:
                events.setdefault(an_id(row["memory_id"]), []).append((place, row))
        of_users = (row for some in events.values() for _, row in some if row.get("role") == "user")
        own = _own({_actor(row) for row in of_users}, "")
        for key, some in events.items():
            yield _entry_of(key, some, own)
        if "messages" in database.tables:
            for place, _ in database.rows("messages"):
                yield Refusal(place=place, reason=f"{LEFT_OUT}a message that waited to be read again")


def _entry_of(key: str, events: list[tuple[str, Row]], own: Collection[str]) -> SourceEntry:
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
    actors = {_actor(row): None for _, row in events if _actor(row)}
    metadata = {"metadata": {"sender": ", ".join(actors)}} if actors else {}
    return SourceItem(
        place=place,
        key=key,
        content=states[-1].content,
        fields={"type": "fact", **metadata},
        origin=_origin([row for _, row in events], own),
        created_at=first_instant(events[0][1], "created_at"),
        updated_at=first_instant(last, "updated_at", "created_at"),
        archived=deleted,
        earlier=states if deleted else states[:-1],
    )
