"""Reading of what others wrote: JSON, lines of JSON, archives; with bounds, and with the place of every fault."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
import zlib
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, cast

from simonides.domain.instant import instant_as_written
from simonides.errors import InvalidInput
from simonides.ports.importer import LEFT_OUT, Refusal, SourceEntry

#: Largest file that is read as one JSON value: it takes a multiple of that in memory.
_MOST_BYTES: Final = 2 << 30
#: Longest line of a file of lines.
_MOST_LINE_BYTES: Final = 64 << 20
#: JSON shrinks to a tenth, rarely to a fiftieth. What shrinks more was made to fill a memory.
_MOST_SHRUNK: Final = 200
#: How a ZIP archive begins. Its end says what is in it: without that it is none.
_ZIP: Final = b"PK\x03\x04"
_GZIP: Final = b"\x1f\x8b"

#: Said of a part that is taken without one of its times.
UNREAD_TIME: Final = f"{LEFT_OUT}a time that cannot be read"
#: Types of what an export holds and no note or row of one brings back: turns are told in conversations, chunks in
#: documents, values under keys.
KEPT_ELSEWHERE: Final = frozenset({"episode", "chunk", "record"})
#: How texts in UTF-16 begin, as some programs of Windows save them.
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")

Fields = Mapping[str, Any]


def sources(path: Path, *patterns: str) -> list[Path]:
    """The file itself, or the files of a folder that have one of these names, sorted; none that a link leads out to.

    Raises:
        InvalidInput: There is nothing there, or no such file in the folder.
    """
    if path.is_dir():
        root = path.resolve()
        named = {file for pattern in patterns for file in path.rglob(pattern) if file.is_file()}
        inside = sorted(file for file in named if file.resolve().is_relative_to(root))
        if not inside:
            raise InvalidInput(f"{path} holds no file named {' or '.join(patterns)}")
        return inside
    if not path.is_file():
        raise InvalidInput(f"there is no file {path}")
    return [path]


@contextmanager
def opened(path: Path) -> Generator[BufferedReader | gzip.GzipFile]:
    """The bytes of a file, unpacked where gzip packed it.

    Raises:
        InvalidInput: It cannot be read, or is packed and damaged, cut off or far larger than it is.
    """
    try:
        with path.open("rb") as file:
            if file.peek(2).startswith(_GZIP):
                packed = gzip.GzipFile(fileobj=file)
                _require_whole(packed, path)
                yield packed
            else:
                yield file
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidInput(f"{path.name} is damaged or cut off: {error}") from error
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from error


def _require_whole(packed: gzip.GzipFile, path: Path) -> None:
    """Unpack a file to its end before anything of it is taken."""
    most = _MOST_SHRUNK * max(1 << 20, path.stat().st_size)
    while packed.read(1 << 20):
        if packed.tell() > most:
            raise InvalidInput(f"{path.name} unfolds to more than {most:,} bytes; that is not unpacked")
    packed.seek(0)


def stem_of(path: Path) -> str:
    """The name of a file without its ending: the same one, packed or not."""
    return Path(path.name.removesuffix(".gz")).stem


def json_files(path: Path, *patterns: str) -> list[tuple[str, Any]]:
    """Names and JSON values of the files of a folder or a ZIP archive that have such a name, or of a file itself.

    They come in the order of their names, numbers in them as numbers: exports are cut into `-000`, `-001` and so on.

    Raises:
        InvalidInput: There is none, or one cannot be read as JSON or is too large.
    """
    if path.is_file() and zipfile.is_zipfile(path):
        if not (members := _members(path, patterns)):
            raise InvalidInput(f"the archive {path.name} holds no {' or '.join(patterns)}")
        return [(name.rsplit("/", 1)[-1], _value(data, name)) for name, data in members]
    files = sorted(sources(path, *patterns), key=lambda file: _by_number(str(file)))
    return [(file.name, json_of(file)) for file in files]


def names_in(path: Path, *patterns: str) -> list[str]:
    """Those of these names that files of a folder or a ZIP archive have; any other file holds none.

    A name with a slash is that of a file in a folder.

    Raises:
        InvalidInput: The archive cannot be read.
    """
    if path.is_dir():
        names = {
            _last(file.as_posix(), pattern)
            for pattern in patterns
            for file in path.rglob(pattern)
            if file.is_file()
        }
    elif zipfile.is_zipfile(path):
        with _archive(path) as archive:
            names = {
                last
                for one in archive.infolist()
                for pattern in patterns
                if fnmatchcase(last := _last(one.filename, pattern), pattern)
            }
    else:
        names = set[str]()
    return sorted(names)


def _last(path: str, pattern: str) -> str:
    """As many of the last parts of a path as a pattern has."""
    return "/".join(path.split("/")[-pattern.count("/") - 1 :])


def json_of(path: Path) -> Any:
    """The JSON value of a file.

    Raises:
        InvalidInput: It cannot be read as JSON, or is too large.
    """
    return _value(_bytes(path), path.name)


def _value(data: bytes, name: str) -> Any:
    if data.startswith(_ZIP):
        raise InvalidInput(
            f"{name} is an archive, and none that is read here, or one that is cut off or damaged: is the file whole?"
        )
    if not data.strip():
        raise InvalidInput(f"{name} is empty: is the file whole?")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name} {not_utf8(data, error)}") from error
    except ValueError as error:
        cut = " It ends in the middle: is the file whole?" if _is_cut(error, data) else ""
        raise InvalidInput(f"{name} is not JSON: {error}.{cut}") from error
    except RecursionError as error:
        raise InvalidInput(f"{name} is nested too deeply") from error


def json_lines(path: Path) -> Iterator[tuple[str, Fields | str]]:
    """Objects of a file with one a line, each with its place; of a line that cannot be read, why.

    Raises:
        InvalidInput: The file cannot be opened.
    """
    with opened(path) as file:
        number = 0
        if file.peek(2).startswith(_UTF16):
            raise InvalidInput(f"{path.name} is in UTF-16; save it as UTF-8")
        while line := file.readline(_MOST_LINE_BYTES + 1):
            number += 1
            place = f"{path.name}, line {number}"
            if len(line) > _MOST_LINE_BYTES:
                while line and not line.endswith(b"\n"):
                    line = file.readline(_MOST_LINE_BYTES)
                yield place, f"the line has more than {_MOST_LINE_BYTES:,} bytes"
                continue
            if line.strip():
                yield place, _object(line)


def _object(line: bytes) -> Fields | str:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return f"the line is not UTF-8 (byte {error.start})"
    except (ValueError, RecursionError) as error:
        return f"the line is not JSON: {error}"
    return cast("Fields", value) if isinstance(value, dict) else "the line is no JSON object"


def not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    """Message about a text that is not UTF-8, with a remedy."""
    return (
        "is in UTF-16; save it as UTF-8" if data.startswith(_UTF16) else f"is not UTF-8 (byte {error.start})"
    )


def an_object(value: object) -> Fields:
    """A value that should be an object; an empty one where it is none."""
    return cast("Fields", value) if isinstance(value, Mapping) else {}


def a_list(value: object) -> list[Any]:
    """A value that should be a list; an empty one where it is none."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def objects_of(value: object) -> list[Fields]:
    """The objects of a list, or the one object that a value is."""
    if isinstance(value, Mapping):
        return [cast("Fields", value)]
    return [an_object(one) for one in a_list(value)]


def a_text(value: object) -> str:
    """A value that should be text; an empty one where it is none."""
    return value if isinstance(value, str) else ""


def an_id(value: object) -> str:
    """A value that should be an id, a text or a whole number; an empty text where it is none."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else a_text(value)


def moment_of(value: object) -> int | None:
    """Microseconds of a moment, as others write it; None of what is none."""
    with suppress(InvalidInput):
        return instant_as_written(value)
    return None


def is_no_moment(value: object) -> bool:
    """True if something is said of a moment that cannot be read."""
    return value not in (None, "") and moment_of(value) is None


def with_times(entry: SourceEntry, source: Fields, *names: str) -> Iterator[SourceEntry]:
    """An entry, and before it a word on each of its times that cannot be read; it is taken without them.

    Args:
        source: What it was read from.
        names: Fields that hold its times there.
    """
    if not isinstance(entry, Refusal):
        for name in names:
            if is_no_moment(source.get(name)):
                yield Refusal(place=entry.place, reason=UNREAD_TIME)
    yield entry


def _bytes(path: Path) -> bytes:
    with opened(path) as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InvalidInput(f"{path.name} has more than {_MOST_BYTES:,} bytes, the most that are read at once")
    return data


def _members(path: Path, patterns: Sequence[str]) -> list[tuple[str, bytes]]:
    """Names and bytes of the members of an archive that have one of these names, wherever they lie in it."""
    with _archive(path) as archive:
        members = _named(archive, patterns)
        _require_bounds(members, path)
        members.sort(key=lambda one: _by_number(one.filename))
        return [(one.filename, _unpacked(archive, one, path)) for one in members]


@contextmanager
def _archive(path: Path) -> Generator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except InvalidInput:
        raise
    except Exception as error:
        # Whatever a damaged archive does: of the errors that unpacking raises, no list is complete.
        raise InvalidInput(f"the archive {path.name} cannot be read: {error}") from error


def _named(archive: zipfile.ZipFile, patterns: Sequence[str]) -> list[zipfile.ZipInfo]:
    names = [(one, one.filename.rsplit("/", 1)[-1]) for one in archive.infolist()]
    return [one for one, name in names if any(fnmatchcase(name, pattern) for pattern in patterns)]


def _require_bounds(members: Sequence[zipfile.ZipInfo], path: Path) -> None:
    """Bounds hold for all members together: a thousand small ones fill a memory, too."""
    size, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
    if size > _MOST_BYTES or size > _MOST_SHRUNK * max(1 << 20, packed):
        names = ", ".join(one.filename for one in members[:3])
        raise InvalidInput(f"{names} in {path.name} claims {size:,} bytes; that is not unpacked")


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> bytes:
    with archive.open(member) as file:
        # The size that an archive states is not believed.
        data = file.read(member.file_size + 1)
    if len(data) > member.file_size:
        raise InvalidInput(f"{member.filename} in {path.name} is larger than the archive says")
    return data


def _by_number(name: str) -> list[tuple[int, str]]:
    """A name as a key for sorting in which `2` comes before `10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", name)]


def _is_cut(error: ValueError, data: bytes) -> bool:
    return isinstance(error, json.JSONDecodeError) and error.pos >= len(data.decode("utf-8-sig")) - 1


def elsewhere(place: str) -> Refusal:
    """A word on what an export holds that no import of notes or rows takes back."""
    return Refusal(place=place, reason=f"{LEFT_OUT}a turn, a part of a document or a record")


def amount(value: object) -> float:
    """A number of uses; 0 of what is none."""
    return float(value) if isinstance(value, int | float) and 0 <= value < 1 << 53 else 0.0
