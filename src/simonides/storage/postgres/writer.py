"""Writing that PostgreSQL does otherwise: parts of a transaction, and an archive in the same database."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any

from simonides.domain.entity import fold
from simonides.domain.item import Item, Status
from simonides.domain.scope import Scope
from simonides.domain.text import cjk_bigrams, cjk_runs
from simonides.errors import StoreReadOnly
from simonides.language.russian_names import forms
from simonides.language.search_tokens import search_tokens
from simonides.ports.store import Ahead, Mentioned, StoredConversation
from simonides.storage.postgres.database import WritingDatabase
from simonides.storage.postgres.reader import PostgresReader
from simonides.storage.postgres.words import KINDS, cut, prefix_of, quoted
from simonides.storage.sql import moving
from simonides.storage.sql.registry import forms_of
from simonides.storage.sql.rows import to_items
from simonides.storage.sql.writer import SqlWriter


class PostgresWriter(PostgresReader, SqlWriter):
    """Meets `ports.store.Writer` within a transaction.

    Args:
        aside: Gives the writer of the archive, in the same transaction; None in the archive itself.
        parts: Begins a part of the transaction.
    """

    def __init__(
        self,
        database: WritingDatabase,
        parts: Callable[[], AbstractContextManager[None]],
        aside: Callable[[], PostgresWriter] | None = None,
    ) -> None:
        super().__init__(database)
        self._writing = database
        self._aside = aside
        self._parts = parts
        #: Of names that were looked for, by scope and name, the keys of items that hold them.
        self._holders: dict[tuple[int, str], list[int]] = {}

    @property
    def writing(self) -> WritingDatabase:
        """The database that it writes to."""
        return self._writing

    def forget_caches(self) -> None:
        super().forget_caches()
        self.writing.forget()

    def look_ahead(self, ahead: Ahead) -> None:
        database = self.writing
        database.tell_late()
        database.look("last_entity_key")
        if ahead.model is not None:
            database.look("model", {"fingerprint": ahead.model.fingerprint})
        if ahead.items:
            database.look("items_by_id", {"ids": list(ahead.items)})
            database.look("last_revisions", {"ids": list(ahead.items)})
        self._look_for_contents(ahead.contents)
        for scope in ahead.settled:
            database.look("settled_items", {"paths": scope.visible()})
        scopes = {self._scopes[entry.item.scope] for entry in ahead.new if entry.item.scope in self._scopes}
        forms = forms_of(name for entry in ahead.new for name in entry.names)
        if scopes and forms:
            database.look("known_names", {"folded": forms, "scope_keys": scopes})
        if ahead.session is not None:
            self._look_for_session(*ahead.session, ahead.source_ids)
        database.hear_ahead()
        if ahead.items:
            database.numbers.update(database.rows("last_revisions", ids=list(ahead.items)))
            self.get(ahead.items)

    def _look_for_contents(self, contents: Mapping[tuple[Scope, bool], Sequence[bytes]]) -> None:
        for (scope, quarantined), hashes in contents.items():
            key = self._scopes.get(scope)
            if key is not None and hashes:
                status = "quarantined" if quarantined else "active"
                self.writing.look(
                    "holders_of_content", {"scope_key": key, "hashes": hashes, "status": status}
                )

    def _look_for_session(self, scope: Scope, session_id: str, last: int, source_ids: Sequence[str]) -> None:
        key = self._scopes.get(scope)
        if key is None:
            return
        about = {"scope_key": key, "session_id": session_id}
        self.writing.look("last_turns_of_session", about | {"limit": last})
        if source_ids:
            self.writing.look("turns_by_source", about | {"source_ids": source_ids})
        self.writing.look("session_of_scope", about)

    def conversation(
        self, scope: Scope, session_id: str, *, last: int = 1 << 53, source_ids: Sequence[str] = ()
    ) -> StoredConversation:
        found = super().conversation(scope, session_id, last=last, source_ids=source_ids)
        self.writing.keys.update((turn.id, turn.key) for turn in found.turns)
        return found

    def look_for_names(self, names: Sequence[tuple[int, str]], most: int) -> None:
        self._holders = {place: [] for place in names}
        asked = {place: query for place in names if (query := self._holding(*place))}
        if asked:
            rows = self._database.rows("holders_of_names", asked=list(asked.values()), best=most).fetchall()
            for number, place in enumerate(asked, 1):
                self._holders[place] = [key for asked_for, key in rows if asked_for == number]

    def holders_of_name(self, name: str, scope: int, limit: int) -> list[int]:
        return sorted(self._holders[scope, name], reverse=True)[:limit]

    def _holding(self, scope: int, name: str) -> str:
        """What the lexemes of an item hold that holds every word of a name, as a tsquery; empty where none can."""
        prefix = prefix_of(self._database.tenant)
        words = [
            [[f"'{quoted(prefix + form)}'" for form in token] for token in word]
            for word in _words_of_name(name)
        ]
        if not all(words):
            return ""
        tokens = [f"({' | '.join(forms)})" for word in words for forms in word]
        return " & ".join(tokens) + self._kinds([scope], [KINDS[Status.ACTIVE.value]]) if tokens else ""

    def get(self, item_ids: Sequence[str]) -> dict[str, Item]:
        keys = [self.writing.keys.get(item_id) for item_id in item_ids]
        known = {key: self.writing.items[key] for key in keys if key in self.writing.items}
        if not item_ids or len(known) == len(set(item_ids)):
            return {item.id: item for item in sorted(known.values(), key=lambda item: item.id)}
        rows = self._database.rows("items_by_id", ids=list(item_ids)).fetchall()
        found = to_items(rows, 1)
        self.writing.note_read(rows, found)
        return found

    def revise(self, item: Item, **how: Any) -> Mentioned:
        key = self._existing(item.id)
        before = self.load([key])[key]
        made = super().revise(item, **how)
        # As it would be read again: what use has made of it is no part of a revision.
        self.writing.items[key] = replace(item, usage=before.usage)
        return made

    def load(self, keys: Sequence[int]) -> dict[int, Item]:
        known = self.writing.items
        return {key: known[key] for key in keys} if known.keys() >= set(keys) else super().load(keys)

    def key(self, item_id: str) -> int | None:
        known = self.writing.keys.get(item_id)
        return super().key(item_id) if known is None else known

    @contextmanager
    def savepoint(self) -> Generator[None]:
        try:
            with self._parts():
                yield
        except BaseException:
            self.forget_caches()
            raise

    def set_aside(self, item_ids: Sequence[str]) -> None:
        moving.copy(self, self.archive, item_ids, out=True)
        moving.remove(self, item_ids, known=True)

    def bring_back(self, item_ids: Sequence[str]) -> list[str]:
        there = self.archive
        held = moving.present(there.database, item_ids)
        here = moving.present(self.database, item_ids)
        wanted = [item_id for item_id in dict.fromkeys(item_ids) if item_id in held - here]
        with self.savepoint():
            moving.copy(there, self, wanted, out=False)
        return wanted

    @property
    def archive(self) -> PostgresWriter:
        """The writer of the archive, in the same transaction."""
        if self._aside is None:
            raise StoreReadOnly("there is no archive beside this one")
        return self._aside()


def _words_of_name(name: str) -> list[list[list[str]]]:
    """Of every word of a name its tokens, each in whichever form, by the cases of the word."""
    parts = [pair for run in cjk_runs(name) for pair in cjk_bigrams(run)] or name.split()
    words: list[list[list[str]]] = []
    for part in dict.fromkeys(parts):
        cases = search_tokens(sorted(forms(fold(part))))
        written = sorted({cut(tokens[0]) for tokens in cases if len(tokens) == 1})
        several = [[cut(token)] for token in next((tokens for tokens in cases if len(tokens) > 1), ())]
        words.append([written] if written else several)
    return words
