"""Messages read from a dialect's own items, and the items again once memory has changed messages.

A message keeps the place of what it was read from. What memory leaves alone goes on as it came; of what it changes,
only that part is written anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.agent.middleware import Answer, Message, ToolCall
from simonides.edges.http.dialects.dialect import Ours, an_object, whole_characters, written
from simonides.edges.http.framing import Frame
from simonides.texts import without_program_frames

#: Where a message has the place of its items: the first and behind the last.
PLACE: Final = "simonides_place"
#: Place of what a request has beside its items for the system's words.
SYSTEM: Final = (-1, -1)
#: The role of what a client says for itself in its user's name.
CLIENT: Final = "client"
#: Told a model whose call of memory's needs no more answer than this.
HEARD: Final = '{"status":"done"}'


def of_client(text: object) -> bool:
    """True for what a coding agent puts into its user's messages, in frames of its own: it is nobody's words."""
    return isinstance(text, str) and bool(text.strip()) and not without_program_frames(text)


def place_of(message: Message) -> tuple[int, int] | None:
    """Place of the items that a message was read from; None for one that memory made."""
    place: object = message.get(PLACE)
    return place if isinstance(place, tuple) else None  # pyright: ignore[reportUnknownVariableType]


def merged(
    parts: Sequence[dict[str, Any]], seen: Sequence[object], changed: Sequence[object]
) -> list[dict[str, Any]]:
    """Parts of an item after those of them that memory may see were changed: what is new stands before these."""
    new = [part for part in map(an_object, changed) if part is not None and part not in seen]
    kept = [part for part in parts if part not in seen or part in changed]
    first = next((n for n, part in enumerate(kept) if part in seen), len(kept))
    return [*kept[:first], *new, *kept[first:]]


def an_event(value: Mapping[str, Any]) -> bytes:
    """An event of a stream, named by its type."""
    return b"event: " + str(value.get("type")).encode() + b"\ndata: " + written(value) + b"\n\n"


def event_of(value: dict[str, Any], changed: bool, frame: Frame) -> bytes:
    """The event, as it came where nothing is changed."""
    return an_event(value) if changed else frame.raw


class WholeAnswer:
    """Shared part of readings of an answer in one piece, of several blocks or items.

    Attributes:
        rounds: Blocks of this answer and of those before it, in which the model was asked again.
        id: Name that the client has for the answer.
        kept_as: The one that the server has.
    """

    def __init__(self, ours: Ours, before: WholeAnswer | None) -> None:
        self.rounds: list[list[dict[str, Any]]] = [] if before is None else list(before.rounds)
        self.id = self.kept_as = ""
        self.ended = True
        self._again = before is not None
        self._shown: list[str] = [] if before is None else [before.shown]
        self._ours = ours
        self._said: list[str] = []
        self._calls: list[ToolCall] = []
        self._failed = False
        self._finished = False
        self._raw = b""
        self._body: dict[str, Any] | None = None

    @property
    def shown(self) -> str:
        return "".join(self._shown)

    def rest(self) -> bytes:
        return self._raw

    def end(self) -> bytes:
        return self._raw if self._body is None else written(self._body)

    def answer(self) -> Answer:
        text = whole_characters("".join(self._said))
        return Answer(text, tuple(self._calls), complete=self._finished and not self._failed)
