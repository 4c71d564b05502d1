"""Rows of a table or objects of a file, whose fields a caller names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from simonides.domain.instant import iso
from simonides.domain.provenance import Origin
from simonides.domain.scope import Scope
from simonides.domain.text import sha256_hex
from simonides.errors import InvalidInput
from simonides.importers.files import Fields, moment_of, with_times
from simonides.importers.speakers import Speakers, name_of
from simonides.ports.importer import Refusal, SourceEntry, SourceItem, SourceTurn

_TIMES: Final = ("event_at", "valid_from", "valid_until", "expires_at")
_NUMBERS: Final = ("confidence", "importance", "decay_rate")
_FLAGS: Final = ("pinned", "injectable")
LISTS: Final = ("tags", "entities")
_TEXTS: Final = ("title", "type", "tier", "session_id", "task_id", "corpus_id", "rule_id")
_WHOSE: Final = ("user_id", "agent_id", "project")
_OWN: Final = ("id", "content", "created_at", "updated_at", "role", "name", "at", "metadata")
#: What a field of a source can be for.
TARGETS: Final = (*_OWN, *_WHOSE, *_TEXTS, *LISTS, *_TIMES, *_NUMBERS, *_FLAGS)
_SEPARATORS: Final = re.compile(r"[,;|\n]")
_TRUE: Final = frozenset({"true", "yes", "1", "x"})


def checked(mapping: Mapping[str, str]) -> Mapping[str, str]:
    """A mapping whose fields exist.

    Raises:
        InvalidInput: One is unknown; the message names those that there are.
    """
    if unknown := sorted(set(mapping).difference(TARGETS)):
        raise InvalidInput(
            f"--map {unknown[0]}=…: there is no field {unknown[0]!r}; there are {', '.join(sorted(TARGETS))}"
        )
    return mapping


def require_content(names: list[str], mapping: Mapping[str, str], file: str) -> None:
    """Refuse a source without a field for the content.

    Raises:
        InvalidInput: There is none; the message names the fields that there are.
    """
    if mapping.get("content", "content") not in names:
        raise InvalidInput(
            f"{file} has no field {mapping.get('content', 'content')!r}; say which one holds the text: "
            f"--map content=FIELD, one of {', '.join(names[:30])}"
        )


def speakers_of(rows: Iterable[Fields], mapping: Mapping[str, str], scope: Scope) -> Speakers:
    """The names under which rows state something; none where no field of them is named as the speaker's.

    Args:
        rows: All of a source; not read where none is needed.
        scope: Where the caller wants them.
    """
    speakers = Speakers(scope)
    for row in rows if "name" in mapping else ():
        taken = _filled(row, mapping)
        if "role" not in taken:
            speakers.hear(name_of(taken.get("name")), _whose(row, mapping))
    return speakers


def entries_of(
    row: Fields, mapping: Mapping[str, str], place: str, source: str, speakers: Speakers
) -> Iterator[SourceEntry]:
    """The entry that a row is, and before it a word on each of its times that cannot be read.

    Args:
        source: Name of the file; a row is known by it and by its id, or else by what it says.
        speakers: All who state something in the source.
    """
    times = (mapping.get(name, name) for name in ("created_at", "updated_at", "at"))
    return with_times(_entry(row, mapping, place, source, speakers), row, *times)


def _filled(row: Fields, mapping: Mapping[str, str]) -> dict[str, Any]:
    taken = {target: row.get(mapping.get(target, target)) for target in TARGETS}
    return {target: value for target, value in taken.items() if value not in (None, "", [])}


def _whose(row: Fields, mapping: Mapping[str, str]) -> dict[str, object]:
    return {name: row.get(mapping.get(name, name)) for name in _WHOSE}


def _entry(
    row: Fields, mapping: Mapping[str, str], place: str, source: str, speakers: Speakers
) -> SourceEntry:
    """The entry that a row is: a turn where it has a role, else an item; what has no field of its own is metadata.

    Args:
        source: Name of the file; a row is known by it and by its id, or else by what it says.
    """
    filled = _filled(row, mapping)
    content = filled.get("content")
    if not isinstance(content, str) or not content.strip():
        return Refusal(place=place, reason="it has no content")
    try:
        fields = _fields(filled)
    except ValueError as error:
        return Refusal(place=place, reason=str(error))
    # Without a role a column `name` may name anything; one that is named as the speaker's is that.
    left = {"name"} if "role" not in filled and "name" not in mapping else set[str]()
    used = {mapping.get(target, target) for target in TARGETS if target not in left}
    given = filled.get("metadata")
    metadata = dict(cast("Fields", given)) if isinstance(given, Mapping) else {}
    metadata |= {name: value for name, value in row.items() if name not in used and value not in (None, "")}
    whose = _whose(row, mapping)
    key = f"{source}:{filled.get('id') or sha256_hex(content)[:32]}"
    created = moment_of(filled.get("created_at"))
    if "role" in filled:
        turn: dict[str, Any] = {
            "role": str(filled["role"]),
            "content": content,
            "id": str(filled.get("id") or key),
            "metadata": metadata,
        }
        if "name" in filled:
            turn["name"] = str(filled["name"])
        if (at := moment_of(filled.get("at")) or created) is not None:
            turn["at"] = iso(at)
        session_id = str(filled.get("session_id") or source)
        return SourceTurn(place=place, session_id=session_id, message=turn, whose=whose)
    if "at" in filled and (at := moment_of(filled["at"])) is not None:
        fields.setdefault("event_at", iso(at))
    name = "" if left else name_of(filled.get("name"))
    is_users = not name or speakers.is_users(name, whose)
    if name:
        # The user's says nothing of who else spoke, and is kept as the source has it.
        own = "name" if mapping["name"] == "sender" else mapping["name"]
        field = own if is_users else "sender"
        # What else the source calls so stays under another name: `sender` says who spoke.
        for taken in {field, "sender"} & metadata.keys():
            metadata[f"source_{taken}"] = metadata.pop(taken)
        metadata[field] = name
    if metadata:
        fields["metadata"] = metadata
    return SourceItem(
        place=place,
        key=key,
        content=content,
        fields=fields,
        whose=whose,
        origin=Origin.USER_SAID if is_users else Origin.IMPORT,
        created_at=created,
        updated_at=moment_of(filled.get("updated_at")),
    )


def _fields(named: Fields) -> dict[str, Any]:
    fields: dict[str, Any] = {name: str(named[name]) for name in _TEXTS if name in named}
    for name in LISTS:
        if name in named:
            fields[name] = _words(named[name])
    for name in _NUMBERS:
        if name in named:
            fields[name] = _number(named[name], name)
    for name in _FLAGS:
        if name in named:
            fields[name] = named[name] is True or str(named[name]).strip().casefold() in _TRUE
    for name in _TIMES:
        if name in named:
            at = moment_of(named[name])
            if at is None:
                raise ValueError(f"{name} {named[name]!r:.40} is no time")
            fields[name] = iso(at)
    return fields


def _words(value: object) -> list[str]:
    given = _SEPARATORS.split(value) if isinstance(value, str) else value
    members = cast("list[object]", given) if isinstance(given, list) else [given]
    return [word for one in members if (word := str(one).strip().removeprefix("#"))]


def _number(value: object, name: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise ValueError(f"{name} {value!r:.40} is no number") from None
