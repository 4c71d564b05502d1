"""Plain lines of JSON, or a list of objects in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simonides.errors import InvalidInput
from simonides.importers.files import Fields, a_list, json_lines, json_of, opened, sources, stem_of
from simonides.importers.mapped import checked, entries_of, require_content, speakers_of
from simonides.ports.importer import Refusal, SourceEntry, SourceRequest


class JsonLinesImporter:
    """Objects of a file, a line each or in a list; `--map` names their fields."""

    def read(self, request: SourceRequest) -> Iterator[SourceEntry]:
        mapping = checked(request.mapping)
        files = list(sources(request.path, "*.jsonl", "*.ndjson", "*.json"))
        every = (row for file in files for _, row in _objects(file) if not isinstance(row, str))
        speakers = speakers_of(every, mapping, request.scope)
        for file in files:
            rows = _objects(file)
            first = next(((place, row) for place, row in rows if not isinstance(row, str)), None)
            if first is None:
                raise InvalidInput(f"{file.name} holds no JSON object")
            require_content([str(name) for name in first[1]], mapping, file.name)
            for place, row in _objects(file):
                if isinstance(row, str):
                    yield Refusal(place=place, reason=row)
                else:
                    yield from entries_of(row, mapping, place, stem_of(file), speakers)


def _objects(file: Path) -> Iterator[tuple[str, Fields | str]]:
    if not _is_list(file):
        yield from json_lines(file)
        return
    for number, one in enumerate(a_list(json_of(file)), 1):
        place = f"{file.name}, entry {number}"
        yield place, one if isinstance(one, dict) else "the entry is no JSON object"


def _is_list(file: Path) -> bool:
    with opened(file) as stream:
        return stream.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
