"""Taking what purged items said out of the registry of entities: names are text, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from simonides.domain.entity import Entity, fold
from simonides.domain.item import Item
from simonides.ports.entities import EntitySelection
from simonides.storage.sql.database import Database
from simonides.storage.sql.merges import merge_records
from simonides.storage.sql.registry import UNSPACED
from simonides.storage.sql.rows import item_of
from simonides.storage.sql.writer import SqlWriter
from simonides.values import dataclass


@dataclass(slots=True)
class PurgedWords:
    """Words of items that are about to be purged, in all their revisions.

    Attributes:
        entities: Keys of what they mention.
        texts: Their folded texts by scope, as its key.
        states: Their revisions.
    """

    entities: set[int] = field(default_factory=set[int])
    texts: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    states: list[Item] = field(default_factory=list[Item])

    def note(self, writer: SqlWriter, keys: Sequence[int]) -> None:
        """Note some of the items."""
        for key in keys:
            writer.database.look("scope_of_item", {"item": key})
            writer.database.look("revisions_of_item", {"item": key})
        self.entities.update(entity for _, entity in writer.mentioned_by(keys))
        for key in keys:
            scope: int = writer.database.execute("scope_of_item", {"item": key}).get
            for _, _, _, _, text in writer.database.execute("revisions_of_item", {"item": key}):
                item = item_of(text)
                self.states.append(item)
                wording = "\n".join([item.title, item.content, *item.entities])
                self.texts.setdefault(scope, []).append(fold(wording))

    def look(self, database: Database) -> None:
        """Say that the names of their scopes are asked for next."""
        for scope in self.texts:
            database.look("names_of_scope", {"scope_key": scope})


def purge_names(writer: SqlWriter, purged: PurgedWords) -> int:
    """Remove names that only the purged items said; how many entities went.

    An entity that nothing mentions any more goes. Of one that lives on, a name that the purged items
    said stays in the spelling of an item that is left, or goes, an alias that was given by hand too.
    Its summary may tell what they told, and is dropped.
    """
    gone = 0
    database = writer.database
    keys = sorted(purged.entities | set(_named_alike(database, purged)))
    for key in keys:
        database.look("names_of_entity", {"key": key})
    scopes: dict[int, int] = {}
    for key in keys:
        if (own := database.execute("names_of_entity", {"key": key}).fetchone()) is not None:
            scopes[key] = own[0]
    for key in sorted(set(keys) - scopes.keys()):
        # Of a damaged store: a name that leads nowhere is text all the same.
        database.execute("drop_names_leading_to", {"key": key})
    database.executemany("recount_mentions", [{"key": key} for key in scopes])
    for key in scopes:
        database.look("texts_that_mention", {"entity": key})
        database.look("merged_into", {"keys": [key]})
    entities = writer.entities(EntitySelection(keys=list(scopes))) if scopes else {}
    merges = {key: merge_records(database, key) for key in scopes}
    for key, scope in scopes.items():
        entity = entities[key]
        names = _names_left(database, key, entity, purged.texts.get(scope, ()))
        if entity.mention_count == 0 or not names:
            writer.remove_entity(key)
            gone += 1
            continue
        if names != list(entity.names):
            writer.respell_entity(key, names)
        database.execute("drop_summary", {"key": key})
        database.execute("purge_summary_changes", {"key": key})
        for merged, record in merges[key].items():
            database.execute("put_merge", {"key": merged, "record": record.purged(names).written()})
    return gone


def _named_alike(database: Database, purged: PurgedWords) -> Iterator[int]:
    """Entities of the items' scopes with a name that occurs in what they said, mentioned now or formerly."""
    for scope, texts in purged.texts.items():
        for folded, key in database.execute("names_of_scope", {"scope_key": scope}):
            if _says(texts, folded):
                yield key


def _names_left(database: Database, key: int, entity: Entity, texts: Sequence[str]) -> list[str]:
    """Names that may stay: those that the purged items did not say, the others as survivors write them."""
    wanted = [name for name in entity.names if _says(texts, fold(name))]
    spelled = dict(_spelled(wanted, database.execute("texts_that_mention", {"entity": key})))
    return [
        spelled.get(name, name)
        for name in entity.names
        if name not in wanted or spelled.get(name) is not None
    ]


def _says(texts: Iterable[str], folded: str) -> bool:
    """True if a name stands in one of the texts, as a word where words are told apart by blanks."""
    holding = [text for text in texts if folded in text]
    if not holding or folded >= UNSPACED:
        return bool(holding)
    word = re.compile(rf"(?<!\w){re.escape(folded)}(?!\w)")
    return any(word.search(text) for text in holding)


def _spelled(names: Iterable[str], rows: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Each name with its spelling in the first of the texts that has it in any."""
    pending = {name: re.compile(r"\s+".join(map(re.escape, name.split())), re.IGNORECASE) for name in names}
    for row in rows:
        if not pending:
            return
        text = "\n".join(row)
        for name, pattern in list(pending.items()):
            spelled = name if name in text else (match[0] if (match := pattern.search(text)) else None)
            if spelled is not None:
                del pending[name]
                yield name, " ".join(spelled.split())
