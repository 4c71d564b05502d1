"""Items as notes in Markdown, one a file, that Obsidian opens and `import --from markdown` reads."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

#: Fields of the front matter in their order, by their names there.
FIELDS: Final = {
    "id": "id", "title": "title", "type": "type", "scope": "scope", "tags": "tags", "entities": "entities",
    "created": "created_at", "updated": "updated_at", "date": "event_at", "valid_from": "valid_from",
    "valid_until": "valid_until", "expires": "expires_at", "tier": "tier", "status": "status", "pinned": "pinned",
    "confidence": "confidence", "importance": "importance", "session": "session_id",
}  # fmt: skip
#: Fields that no reader of notes asks for; one line of JSON keeps them.
REST: Final = (
    "injectable", "decay_rate", "validation", "origin", "trust", "superseded_by", "task_id", "narrative_id",
    "corpus_id", "rule_id", "ordinal", "provenance", "metadata", "usage_count", "reinforcement",
    "last_used_at", "last_hit_at",
)  # fmt: skip
_MOST_NAME_CHARS: Final = 60
#: What stands between a text and the links of its note.
LINKS: Final = "%% links %%"
_ALWAYS: Final = frozenset({"id", "type", "scope", "created_at", "updated_at", "tier", "status"})
_UNFIT: Final = re.compile(r"[^\w \-]+")


class NoteFile(NamedTuple):
    """A file of a folder.

    Attributes:
        path: Below the folder, with slashes.
    """

    path: str
    text: str


def note_files(
    items: Iterable[Mapping[str, Any]],
    names: Mapping[str, str],
    links: Mapping[str, Sequence[tuple[str, str]]],
) -> Iterator[NoteFile]:
    """The notes of items.

    Args:
        items: As `Item.to_dict` writes them.
        names: Paths of all notes, without the ending, by item.
        links: By item, the relation and the other item of each link from it.
    """
    for item in items:
        head = ["---"]
        for name, field in FIELDS.items():
            value = item[field]
            # A confidence of 0 is said: it equals False, and is not it.
            if field in _ALWAYS or not (value is False or value in (None, "", [])):
                head.append(f"{name}: {json.dumps(value, ensure_ascii=False)}")
        rest = {name: item[name] for name in REST if item[name] not in (None, "", {}, [])}
        head += [f"simonides: {json.dumps(json.dumps(rest, ensure_ascii=False), ensure_ascii=False)}", "---"]
        joined = [f"- {rel} [[{names[other]}]]" for rel, other in links.get(item["id"], ()) if other in names]
        # A text that holds the mark itself is told from what follows it by the last one.
        tail = ["", LINKS, *joined] if joined or LINKS in item["content"] else []
        yield NoteFile(f"{names[item['id']]}.md", "\n".join([*head, item["content"], *tail, ""]))


def names_of(items: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Paths of the notes of items without the ending, by item: its scope, and what it is about.

    No two are one where case does not count. None is longer than file systems take, reserved, or leads elsewhere.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for item in items:
        folder = "/".join(_fit(part.replace(":", " ")) for part in item["scope"].split("/"))
        first = item["content"][:200].split("\n")[0]
        about = f"{folder}/{_fit(item['title'] or first)}"
        id_ = item["id"].replace("-", "")
        name = next(
            name for name in (f"{about} {id_[-8:]}", f"{about} {id_}") if name.casefold() not in taken
        )
        taken.add(name.casefold())
        names[item["id"]] = name
    return names


def _fit(text: str) -> str:
    """A text as a name that every file system takes: letters, digits and single blanks, of at most 240 bytes."""
    plain = " ".join(_UNFIT.sub(" ", unicodedata.normalize("NFC", text)).split())
    return plain[:_MOST_NAME_CHARS].strip() or "note"
