"""Fields beside a content that outlive it: what an item keeps when its content is replaced, and when that is purged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from simonides.domain.item import Item
from simonides.domain.record import is_record
from simonides.domain.text import cjk_runs, derived_tokens, valid_text
from simonides.language.search_tokens import search_tokens
from simonides.language.words import STOP
from simonides.values import dataclass

#: Reasons of the first revision of an item that was put together from those that it supersedes.
MERGES: Final = frozenset({"consolidation_merge", "delta_consolidation_merge"})
#: Reasons of the first revision of an item that took over fields of the one that it supersedes.
TAKING_OVER: Final = MERGES | {"correct"}


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Words of texts as the text index holds them."""
    whole = [f"{text} {derived_tokens(text)}" for text in texts]
    return frozenset(token for tokens in search_tokens(whole) for token in tokens)


def carried_on(item: Item, content: str) -> Item:
    """The item without the title, tags and names that repeat what only its former content said.

    Metadata is the caller's, and stays.

    Args:
        content: The one that takes the place of the item's.

    Raises:
        InvalidText: It is none that can be stored.
    """
    lost = words_of([item.content]) - words_of([valid_text(content)]) - words_of(STOP)
    if not lost or not (item.title or item.tags or item.entities):
        return item

    def stays(text: str) -> bool:
        return lost.isdisjoint(words_of([text]))

    return replace(
        item,
        title=item.title if stays(item.title) else "",
        tags=tuple(filter(stays, item.tags)),
        entities=tuple(filter(stays, item.entities)),
    )


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Fields of items that are purged, which their successors may have taken over from them."""

    titles: frozenset[str]
    tags: frozenset[str]
    entities: frozenset[str]
    tasks: frozenset[str]
    sessions: frozenset[str]
    metadata: Sequence[tuple[str, Any]]

    @classmethod
    def of(cls, states: Sequence[Item]) -> TakenOver:
        """Those of items in all their states."""
        return cls(
            frozenset(item.title for item in states),
            frozenset(tag for item in states for tag in item.tags),
            frozenset(name for item in states for name in item.entities),
            frozenset(item.task_id for item in states if item.task_id),
            frozenset(item.session_id for item in states if item.session_id),
            [pair for item in states for pair in item.metadata.items()],
        )

    def left_in(self, item: Item) -> Item:
        """A successor without what it took over, as far as its content does not say it as well."""
        stated = words_of([item.content]) | words_of(STOP)

        def stays(text: str, known: frozenset[str]) -> bool:
            return text not in known or words_of([text]) <= stated

        return replace(
            item,
            title=item.title if stays(item.title, self.titles) else "",
            tags=tuple(tag for tag in item.tags if stays(tag, self.tags)),
            entities=tuple(name for name in item.entities if stays(name, self.entities)),
            task_id=item.task_id if stays(item.task_id or "", self.tasks) else None,
            session_id=item.session_id if stays(item.session_id or "", self.sessions) else None,
            metadata={
                name: value
                for name, value in item.metadata.items()
                if (name, value) not in self.metadata or words_of(_texts(value)) <= stated
            },
        )


#: Between the headings in the title of a chunk.
_BETWEEN_HEADINGS: Final = " / "
#: A title of so many characters may be cut.
_MAYBE_CUT: Final = 200


@dataclass(frozen=True, slots=True)
class LostHeadings:
    """Headings of a document that went with chunks of it: no chunk that is left says them.

    Attributes:
        words: Of the chunks that went.
        left: What is left of the document, each on one line, folded.
    """

    words: frozenset[str]
    left: Sequence[str]

    @classmethod
    def of(cls, gone: Iterable[Item], left: Iterable[Item]) -> LostHeadings:
        """Those of chunks that go, beside what is left."""
        return cls(words_of(item.content for item in gone), [_on_one_line(item.content) for item in left])

    def left_in(self, item: Item) -> Item:
        """An item of the document, itself or a chunk, without them."""
        if not is_record(item):
            kept = [heading for heading in item.title.split(_BETWEEN_HEADINGS) if self._stays(heading)]
            return replace(item, title=_BETWEEN_HEADINGS.join(kept))
        document = item.metadata.get("value")
        if not isinstance(document, dict):
            return item
        value = cast("dict[str, Any]", document)
        title = value.get("title")
        if not isinstance(title, str) or self._stays(title):
            return item
        return replace(item, metadata={**item.metadata, "value": {**value, "title": ""}})

    def _stays(self, heading: str) -> bool:
        entire = _on_one_line(heading)
        if entire.endswith("…") or len(entire) >= _MAYBE_CUT:
            entire = entire.removesuffix("…").rpartition(" ")[0] or entire  # The last word may be none.
        own = words_of([entire]) - words_of(STOP)
        if not own or not own <= self.words:
            return True
        if cjk_runs(entire):
            return any(entire in line for line in self.left)
        as_words = re.compile(rf"(?<!\w){re.escape(entire)}(?!\w)")
        return any(as_words.search(line) for line in self.left)


def _on_one_line(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(value: object) -> list[str]:
    """The texts and numbers in a JSON value, names of fields included."""
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return [text for name, inner in fields.items() for text in (name, *_texts(inner))]
    if isinstance(value, list | tuple):
        return [text for inner in cast("Sequence[object]", value) for text in _texts(inner)]
    return [] if value is None or isinstance(value, bool) else [str(value)]
