"""Notes that `export` wrote in Markdown, edited since or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from simonides.domain.ids import is_id
from simonides.domain.item import Usage
from simonides.domain.link import Relation
from simonides.domain.provenance import Origin
from simonides.importers.files import (
    KEPT_ELSEWHERE,
    a_text,
    amount,
    an_object,
    elsewhere,
    moment_of,
    with_times,
)
from simonides.importers.markdown import Note, read_notes, unread_fields
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry, SourceItem, SourceLink, SourceRequest

_PLAIN: Final = (
    *("title", "type", "tags", "entities", "tier", "pinned", "confidence", "importance"),
    *("valid_from", "valid_until"),
)
_NAMED: Final = {"event_at": "date", "expires_at": "expires", "session_id": "session"}
_REST: Final = (
    "injectable",
    "decay_rate",
    "task_id",
    "narrative_id",
    "corpus_id",
    "rule_id",
    "provenance",
    "metadata",
)
#: As `simonides.exports.notes` writes it.
_MARK: Final = "\n%% links %%\n"
_LINK: Final = re.compile(r"- (\w+) \[\[([^\]|]+)(?:\|[^\]]*)?\]\]")


class MarkdownImporter:
    """Notes with an id in their front matter: what was changed in a note since is what it says."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        joined: list[tuple[str, str, str, str]] = []
        ids: dict[str, str] = {}
        for note in read_notes(request.path, "*.md"):
            if isinstance(note, Refusal):
                yield note
                continue
            yield from unread_fields(note)
            entry = _entry(note)
            if isinstance(entry, SourceItem):
                ids[note.name] = ids[note.name.rpartition("/")[2]] = entry.key
                _, mark, tail = note.body.rpartition(_MARK)
                joined += [(note.path, entry.key, rel, name) for rel, name in _LINK.findall(tail) if mark]
            yield from with_times(entry, note.fields, "created", "updated")
        for place, src, rel, name in joined:
            dst = ids.get(name) or ids.get(name.rpartition("/")[2])
            if dst is None or rel not in list(Relation) or rel == Relation.MENTIONS:
                yield Refusal(place=place, reason=f"{LEFT_OUT}a link to a note that is not there")
            else:
                yield SourceLink(place=place, src=src, dst=dst, rel=Relation(rel))


def _entry(note: Note) -> SourceEntry:
    given = note.fields
    above, mark, below = note.body.rpartition(_MARK)
    key, content = a_text(given.get("id")), (above if mark else below).removesuffix("\n")
    if not is_id(key):
        return Refusal(place=note.path, reason="the note has no id of an export; `--from obsidian` takes it")
    if a_text(given.get("type")) in KEPT_ELSEWHERE:
        return elsewhere(note.path)
    rest: dict[str, Any] = {}
    with suppress(ValueError, RecursionError):
        rest = dict(an_object(json.loads(a_text(given.get("simonides")) or "{}")))
    fields = {name: given[name] for name in _PLAIN if given.get(name) not in (None, "")}
    for name in ("tags", "entities"):
        if isinstance(fields.get(name), str):
            fields[name] = [one.strip() for one in fields[name].split(",") if one.strip()]
    for name in ("confidence", "importance"):
        with suppress(ValueError):
            fields[name] = float(a_text(fields.pop(name, None)))
    fields["pinned"] = str(given.get("pinned")) == "true"
    fields |= {name: given[there] for name, there in _NAMED.items() if given.get(there) not in (None, "")}
    fields |= {name: rest[name] for name in _REST if rest.get(name) is not None}
    origin = rest.get("origin")
    return SourceItem(
        place=note.path,
        key=key,
        id=key,
        content=content,
        fields=fields,
        # An export always says it: a note that lost it is not for everybody.
        scope=given.get("scope", ""),
        origin=Origin(origin) if origin in list(Origin) else Origin.USER_SAID,
        created_at=moment_of(given.get("created")),
        updated_at=moment_of(given.get("updated")),
        archived=given.get("status") == "archived",
        usage=Usage(
            reinforcement=amount(rest.get("reinforcement")),
            usage_count=int(amount(rest.get("usage_count"))),
            last_used_at=moment_of(rest.get("last_used_at")),
            last_hit_at=moment_of(rest.get("last_hit_at")),
        ),
    )
