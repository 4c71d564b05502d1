"""JSON values without their secrets, wherever these stand: in a text, a number, a name, or over several of them."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final, NamedTuple, TypeAlias, cast

from simonides.domain.item import BEGINS_JSON, canonical_json, texts_packed_in
from simonides.domain.pattern import later
from simonides.governance.scan import MARK_OF_SECRET, SecretPlace
from simonides.values import dataclass

#: Looks at a value: a mark may bring to light what stood behind it.
_MOST_LOOKS: Final = 20
_WITHHELD: Final = "[secret: withheld]"
#: The name of what is read as one text in parts.
_CONTENT: Final = "content"
#: The name of a value among the metadata of its item.
_FIELD: Final = "value"
#: No secret by itself: a word, or what is too short for one.
_PLAIN: Final = later(r"[A-Za-z_]*|.{0,3}")
_TO_THE_END: Final = 1_000_000_000

_Path: TypeAlias = tuple[str | int, ...]
_Secrets: TypeAlias = Callable[[str], Sequence[SecretPlace]]
_Cuts: TypeAlias = "dict[tuple[_Path, bool], list[_Cut]]"


class _Piece(NamedTuple):
    """A part of a value, and where it is written.

    Attributes:
        origins: For each character that is written the one of the text that it stands for; None where a mark takes the
            place of the whole: of a number, an object, a list.
        is_name: Said of the name that its path ends with, not of the value there.
        is_branch: Said of an object or a list.
    """

    start: int
    end: int
    path: _Path
    origins: Sequence[int] | None
    is_name: bool = False
    is_branch: bool = False


class _Cut(NamedTuple):
    """Characters of a text in whose place a mark is put; of what is no text the whole."""

    start: int
    end: int
    mark: str


def redacted_value(value: Any, secrets: _Secrets) -> Any:
    """The value with a mark in the place of each secret.

    A text that is JSON itself stays JSON. What cannot be freed of secrets is a mark as a whole.

    Args:
        secrets: Finds the secrets of a text, in order and apart.
    """
    clean = _with_clean_json(value, secrets)
    for _ in range(_MOST_LOOKS):
        last, refused = clean, bool(secrets(_judged(clean).text))
        if not refused and not secrets(_content_in_a_row(clean).text):
            return clean
        for look in (_content_in_a_row, _lines, _names_and_texts, _stored, _judged):
            written = look(clean)
            clean = _cut(clean, _cuts(written, secrets(written.text)))
        if clean == last:  # Marks side by side look like a secret in a row, and none is judged by its rows.
            return _WITHHELD if refused else clean
        written = _in_a_row(clean)
        clean = _cut(clean, _cuts(written, secrets(written.text)))
    return _WITHHELD


def _with_clean_json(value: Any, secrets: _Secrets) -> Any:
    """The value with the texts that are JSON redacted as such, also where JSON is packed into JSON again."""
    match value:
        case Mapping():
            fields = cast("Mapping[str, Any]", value)
            return {name: _with_clean_json(one, secrets) for name, one in fields.items()}
        case list() | tuple():
            return [_with_clean_json(one, secrets) for one in cast("Sequence[Any]", value)]
        case str() if value.lstrip()[:1] in BEGINS_JSON:
            try:
                inner = json.loads(value)
                clean = redacted_value(inner, secrets)
            except (ValueError, RecursionError):  # It only looks like JSON, and is a text like others.
                return value
            # Half a surrogate, which an escape may stand for, is no text that can be kept.
            return value if clean == inner else json.dumps(clean)
        case _:
            return value


@dataclass(slots=True, eq=False)
class _Writer:
    """A text made of a value, and the pieces of the value in it.

    Attributes:
        escaped: Texts are written as JSON escapes them.
    """

    escaped: bool = False
    pieces: list[_Piece] = field(default_factory=list[_Piece])
    length: int = 0
    _texts: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        return "".join(self._texts)

    def write_frame(self, text: str) -> None:
        """Write what is no part of the value."""
        self._texts.append(text)
        self.length += len(text)

    def write_below(self, other: _Writer) -> None:
        """Write on a line of its own what another wrote."""
        self.write_frame("\n")
        start = self.length
        self.write_frame(other.text)
        self.pieces += [one._replace(start=one.start + start, end=one.end + start) for one in other.pieces]

    def write_leaf(self, value: Any, path: _Path, *, is_name: bool = False) -> None:
        start = self.length
        origins: Sequence[int] | None = None
        if isinstance(value, str):
            shown, origins = value, range(len(value))
            if self.escaped and (shown := canonical_json(value)[1:-1]) != value:
                origins = [n for n, char in enumerate(value) for _ in canonical_json(char)[1:-1]]
        else:
            shown = canonical_json(value)
        self.write_frame(shown)
        if value is not None and not isinstance(value, bool):
            self.pieces.append(_Piece(start, self.length, path, origins, is_name))


def _judged(value: Any) -> _Writer:
    """All that a record is judged by."""
    writer = _stored(value)
    if "\\" in writer.text:
        writer.write_below(_names_and_texts(value))
        for text in texts_packed_in(value):
            writer.write_frame(f"\n{text}")
    writer.write_below(_lines(value))
    return writer


def _lines(value: Any) -> _Writer:
    """Each text and number on a line, behind the names that lead to it."""
    writer = _Writer()

    def write(inner: Any, path: _Path) -> None:
        if isinstance(inner, Mapping | list | tuple):
            for step, one in _members(inner):
                write(one, (*path, step))
        elif inner is not None and not isinstance(inner, bool):
            names = [n for n, step in enumerate(path) if isinstance(step, str)]
            for n in names:
                writer.write_leaf(path[n], path[: n + 1], is_name=True)
                writer.write_frame(": " if n == names[-1] else " ")
            writer.write_leaf(inner, path)
            writer.write_frame("\n")

    write(value, ())
    return writer


def _names_and_texts(value: Any) -> _Writer:
    """Each name and text on a line of its own."""
    writer = _Writer()
    writer.write_frame(f"{_FIELD}\n")

    def write(inner: Any, path: _Path) -> None:
        if isinstance(inner, str):
            writer.write_leaf(inner, path)
            writer.write_frame("\n")
        elif isinstance(inner, Mapping | list | tuple):
            for step, one in _members(inner):
                if isinstance(step, str):
                    writer.write_leaf(step, (*path, step), is_name=True)
                    writer.write_frame("\n")
                write(one, (*path, step))

    write(value, ())
    return writer


def _content_in_a_row(value: Any) -> _Writer:
    """The texts of each list that is a content, one behind the other, with and without a space between them."""
    return _rows(value, ("", " "), lambda path: path[-1:] == (_CONTENT,))


def _in_a_row(value: Any) -> _Writer:
    """The texts of each list and object, one behind the other."""
    return _rows(value, (" ",), lambda _: True)


def _rows(value: Any, between: Sequence[str], is_read: Callable[[_Path], bool]) -> _Writer:
    writer = _Writer()

    def write(inner: Any, path: _Path) -> None:
        members = _members(inner) if isinstance(inner, Mapping | list | tuple) else []
        if len(members) > 1 and is_read(path):
            for space in between:
                for step, one in members:
                    part = cast("Any", one).get("text") if isinstance(one, Mapping) else one
                    if isinstance(part, str):
                        writer.write_leaf(part, (*path, step) if part is one else (*path, step, "text"))
                        writer.write_frame(space)
                writer.write_frame("\n\n")
        for step, one in members:
            write(one, (*path, step))

    write(value, ())
    return writer


def _stored(value: Any) -> _Writer:
    """The value as it is stored."""
    writer = _Writer(escaped=True)
    writer.write_frame(f'{{"{_FIELD}":')

    def write(inner: Any, path: _Path) -> None:
        if not isinstance(inner, Mapping | list | tuple):
            quote = '"' if isinstance(inner, str) else ""
            writer.write_frame(quote)
            writer.write_leaf(inner, path)
            writer.write_frame(quote)
            return
        start, is_object = writer.length, isinstance(inner, Mapping)
        members = _members(inner)
        writer.write_frame("{" if is_object else "[")
        for number, (step, one) in enumerate(sorted(members, key=lambda member: member[0])):
            writer.write_frame("," if number else "")
            if is_object:
                writer.write_frame('"')
                writer.write_leaf(step, (*path, step), is_name=True)
                writer.write_frame('":')
            write(one, (*path, step))
        writer.write_frame("}" if is_object else "]")
        writer.pieces.append(_Piece(start, writer.length, path, None, is_branch=True))

    write(value, ())
    writer.write_frame("}")
    return writer


def _members(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, Mapping):
        return list(cast("Mapping[str, Any]", value).items())
    return list(enumerate(cast("Sequence[Any]", value)))


def _cuts(writer: _Writer, places: Sequence[SecretPlace]) -> _Cuts:
    """Parts of a value that secrets stand in, by path and whether it is the name there."""
    cuts: _Cuts = {}
    if not places:
        return cuts
    text, pieces = writer.text, _Pieces(writer.pieces)
    for place in places:
        for piece in _held(text, pieces, place):
            cut = _Cut(0, _TO_THE_END, place.mark)
            if piece.origins:
                first, last = max(place.start, piece.start), min(place.end, piece.end) - 1
                cut = _Cut(
                    piece.origins[first - piece.start], piece.origins[last - piece.start] + 1, place.mark
                )
            cuts.setdefault((piece.path, piece.is_name), []).append(cut)
    return cuts


class _Pieces:
    """The pieces of a text, found by where they stand: a value may hold thousands, and as many secrets."""

    def __init__(self, pieces: Sequence[_Piece]) -> None:
        self._leaves = [one for one in pieces if not one.is_branch]
        self._starts = [one.start for one in self._leaves]
        self._ends = [one.end for one in self._leaves]
        self._branches = sorted(one for one in pieces if one.is_branch)
        self._begun = [one.start for one in self._branches]
        #: For each branch the number of the one that it stands in; -1 of the outermost.
        self._around: list[int] = []
        opened = [-1]
        for number, one in enumerate(self._branches):
            while opened[-1] >= 0 and self._branches[opened[-1]].end <= one.start:
                opened.pop()
            self._around.append(opened[-1])
            opened.append(number)

    def leaves_at(self, place: SecretPlace) -> list[_Piece]:
        """Texts, numbers and names that a place touches, in their order."""
        return self._leaves[bisect_right(self._ends, place.start) : bisect_left(self._starts, place.end)]

    def branches_at(self, place: SecretPlace) -> list[_Piece]:
        """Objects and lists that a place touches: those around its beginning, and those that begin behind it."""
        behind = bisect_right(self._begun, place.start)
        around: list[_Piece] = []
        number = behind - 1
        while number >= 0:
            if self._branches[number].end > place.start:
                around.append(self._branches[number])
            number = self._around[number]
        return around + self._branches[behind : bisect_left(self._begun, place.end)]


def _held(text: str, pieces: _Pieces, place: SecretPlace) -> list[_Piece]:
    """The pieces that a secret stands in.

    In JSON its place may reach too far, as to the next space: it is what the place begins with, and what follows where
    that is no plain word and no mark tells that the secret is gone.
    """
    branches = pieces.branches_at(place)
    leaves = [one for one in pieces.leaves_at(place) if not one.is_name or one.start <= place.start]
    begun = [one for one in branches if one.start == place.start]
    if begun or not leaves:
        return [min(begun or branches, key=lambda one: one.end - one.start)] if branches else []
    if not branches:
        return leaves
    first, *others = leaves
    words = [text[one.start : one.end] for one in others]
    if any(map(MARK_OF_SECRET.search, words)):
        return [first]
    return [first, *(one for one, word in zip(others, words, strict=True) if not _PLAIN.fullmatch(word))]


def _cut(value: Any, cuts: _Cuts, path: _Path = ()) -> Any:
    """The value with marks for what is cut."""
    if not cuts:
        return value
    own = cuts.get((path, False))
    if own and not isinstance(value, str):
        return own[0].mark
    match value:
        case str():
            return _marked(value, own or [])
        case Mapping():
            fields: dict[str, Any] = {}
            for name, one in cast("Mapping[str, Any]", value).items():
                shown = base = _marked(name, cuts.get(((*path, name), True), []))
                number = 1
                while shown in fields:
                    shown = f"{base} {(number := number + 1)}"
                fields[shown] = _cut(one, cuts, (*path, name))
            return fields
        case list() | tuple():
            return [_cut(one, cuts, (*path, n)) for n, one in enumerate(cast("Sequence[Any]", value))]
        case _:
            return value


def _marked(text: str, cuts: Sequence[_Cut]) -> str:
    """The text with one mark for what overlaps; marks that stand there already stay whole."""
    shown, last = "", 0
    for start, end, mark in sorted(piece for cut in cuts for piece in _outside_marks(text, cut)):
        if start >= last:
            shown += text[last:start] + mark
        last = max(last, end)
    return shown + text[last:]


def _outside_marks(text: str, cut: _Cut) -> Iterator[_Cut]:
    start = cut.start
    for mark in MARK_OF_SECRET.finditer(text):
        if mark.start() < cut.end and start < mark.end():
            if start < mark.start():
                yield _Cut(start, mark.start(), cut.mark)
            start = mark.end()
    if start < cut.end:
        yield _Cut(start, cut.end, cut.mark)
