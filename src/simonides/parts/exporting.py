"""Writing memories out, to a file or a folder (`Memory.export_to`)."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from simonides.domain.item import Item
from simonides.domain.text import shown
from simonides.errors import InvalidInput
from simonides.exports.notes import names_of, note_files
from simonides.exports.placing import beside, placed, private, require_file
from simonides.exports.redaction import levels_of, redactor
from simonides.exports.table import write_table
from simonides.ports.store_files import require_no_store
from simonides.values import dataclass
from simonides.writing.store_records import read_link

FORMS: Final = ("jsonl", "csv", "markdown")


@dataclass(frozen=True, slots=True)
class Source:
    """The contents of an export.

    Attributes:
        records: Every record of the scope, as `export` gives them.
        items: Items that pass the filters; all that a list shows.
        filtered: Filters are given: of the records only what belongs to these items is written.
        store: The file of the store; None where it is none.
    """

    records: Callable[[], Iterator[dict[str, Any]]]
    items: Callable[[], Iterator[Item]]
    filtered: bool
    store: Path | None


#: Form that the ending of a file's name says, without .gz.
_FORMS_BY_ENDING: Final = {
    "": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
}


def form_of(form: str | None, path: Path, store: Path | None) -> str:
    """The form that is asked for, or that a path's ending says.

    Args:
        store: The file of the open store.

    Raises:
        InvalidInput: There is no such form, the ending says none, or the path belongs to a store.
    """
    if form is None:
        ending = Path(path.name.removesuffix(".gz")).suffix.lower()
        if ending not in _FORMS_BY_ENDING:
            require_no_store(path, store)
            named = ", ".join(filter(None, _FORMS_BY_ENDING))
            raise InvalidInput(
                f"no form is known by the ending {ending}: end the file in {named}, "
                f"or name a form: {', '.join(FORMS)}"
            )
        return _FORMS_BY_ENDING[ending]
    if form not in FORMS:
        raise InvalidInput(f"there is no form {shown(form)}; there are {', '.join(FORMS)}")
    return form


def export_to(
    source: Source,
    path: Path,
    *,
    form: str,
    redact: Sequence[str],
    force: bool,
    progress: Callable[[int], None] | None,
) -> int:
    """Write memories in a form; how many records, rows or notes.

    Raises:
        InvalidInput: There is something at the path already, it belongs to a store, nothing can be written there, or
            a level of redaction is unknown.
    """
    clean = redactor(levels_of(redact), secrets.token_hex(16))
    if form == "markdown" and path.suffix == ".gz":
        raise InvalidInput("notes are a folder, which is not packed; leave out .gz")
    _require_room(path, form, force=force)
    if form == "markdown":
        return _folder(source, path, clean, progress, force=force)
    room = partial(_require_room, path, form, force=force)
    with placed(path, source.store, room, packed=path.suffix == ".gz") as stream:
        if form == "csv":
            items = (clean(item.to_dict()) for item in source.items())
            return write_table(_counted(items, progress), stream)
        written = 0
        for record in _counted(_chosen(source), progress):
            stream.write(json.dumps(clean(record), ensure_ascii=False, separators=(",", ":")) + "\n")
            written += 1
        return written


def _counted(
    values: Iterable[dict[str, Any]], progress: Callable[[int], None] | None
) -> Iterator[dict[str, Any]]:
    for number, value in enumerate(values, 1):
        yield value
        if progress is not None:
            progress(number)


def _chosen(source: Source) -> Iterator[dict[str, Any]]:
    """The records, or those that belong to the items that pass the filters.

    Runs are of all items, and so is what was summed up of an entity: a filter leaves them out.
    """
    if not source.filtered:
        yield from source.records()
        return
    ids = {item.id for item in source.items()}
    sessions: set[tuple[str, str]] = set()
    entities: set[str] = set()
    for record in source.records():
        if record["kind"] == "item" and record["id"] in ids:
            entities.update(record["mentions"] or ())
            last = record["revisions"][-1]["item"]
            if last.get("session_id"):
                sessions.add((last["scope"], last["session_id"]))
    for record in source.records():
        match record["kind"]:
            case "item" if record["id"] in ids:
                yield record
            case "entity" if record["id"] in entities:
                yield record | {"summary": None, "attributes": {}}
            case "link" if {record["src"], record["dst"]} <= ids:
                yield record
            case "session" if (record["scope"], record["session_id"]) in sessions:
                yield record
            case _:
                pass


def _folder(
    source: Source,
    path: Path,
    clean: Callable[[Any], Any],
    progress: Callable[[int], None] | None,
    *,
    force: bool,
) -> int:
    """Write notes beside the folder that is meant, and put them in its place once they are whole."""
    items = [clean(item.to_dict()) for item in source.items()]
    names = names_of(items)
    links: dict[str, list[tuple[str, str]]] = {}
    for record in source.records():
        if record["kind"] == "link":
            link = read_link(clean(record))
            links.setdefault(link.src, []).append((link.rel.value, link.dst))
    count = 0
    with beside(path, source.store) as room:
        made = room / "notes"
        made.mkdir(mode=0o700)
        for count, note in enumerate(note_files(items, names, links), 1):
            file = made / note.path
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with private(file) as stream:
                stream.write(note.text)
            if progress is not None:
                progress(count)
        _require_room(path, "markdown", force=force)
        former = room / "former"
        if path.exists():
            path.rename(former)
        try:
            made.rename(path)
        except OSError:
            if former.exists():
                former.rename(path)
            raise
    return count


def _require_room(path: Path, form: str, *, force: bool) -> None:
    """Refuse what would replace anything but an export of this form that may be replaced.

    Raises:
        InvalidInput: It would.
    """
    if not os.path.lexists(path):
        return
    if not force:
        raise InvalidInput(f"{path} exists; choose another name, or replace it with force (--force)")
    if form != "markdown":
        require_file(path)
        return
    if path.is_symlink() or not path.is_dir():
        raise InvalidInput(f"{path} is no folder; it is not replaced")
    for file in path.rglob("*"):
        if not _is_note(file) and (file.is_symlink() or not file.is_dir()):
            raise InvalidInput(f"{path} holds more than notes of an export ({file.name}); it is not replaced")


def _is_note(file: Path) -> bool:
    """True of a note that an export wrote, edited since or not."""
    if file.is_symlink() or not file.is_file() or file.suffix != ".md":
        return False
    with file.open("rb") as stream:
        head, ends, _ = stream.read(1 << 20).replace(b"\r\n", b"\n").partition(b"\n---\n")
    return bool(ends) and head.startswith(b"---\n") and b"\nid: " in head and b"\nsimonides: " in head
