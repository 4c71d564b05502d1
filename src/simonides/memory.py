"""Memory: the table of contents of the engine."""

from __future__ import annotations

import builtins
import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypedDict, Unpack, cast

from simonides.compose import Parts, compose
from simonides.config import Settings
from simonides.config import load as load_settings
from simonides.domain.ids import is_id, new_id
from simonides.domain.instant import Moment, days_between, instant
from simonides.domain.item import Item
from simonides.domain.link import HAND_MADE, Link, Relation, relation
from simonides.domain.records import Injection, Revision, Standing
from simonides.domain.retention import effective_confidence
from simonides.domain.scope import ALL, GLOBAL, Scope, Scopes
from simonides.domain.selection import Selection, visible
from simonides.domain.text import count_tokens, valid_text
from simonides.domain.verdict import AddResult, Verdict
from simonides.errors import InvalidInput, InvalidScope, NotFound, ProviderError
from simonides.governance.policy import Policy
from simonides.governance.scan import redact, scan
from simonides.parts import Audit, Entities, Palace, Review, Sessions
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.model import LanguageModel
from simonides.ports.reranker import Reranker
from simonides.ports.store import Reader, Report
from simonides.recall.agenda.search import Agenda
from simonides.recall.assemble import ContextResult, Form, assemble, token_budget
from simonides.recall.filters import selection_of
from simonides.recall.graph import Graph, Walk, graph_of
from simonides.recall.meant import meant
from simonides.recall.profiles import PROFILES, profile_named
from simonides.recall.question.asks import is_complex
from simonides.recall.question.reading import read
from simonides.recall.result import Candidates, Explanation, Hit, Query, SearchResult, WeakItem
from simonides.writing.curate import DEMOTED_BY, REINFORCED_BY
from simonides.writing.intake import CONFIGURATION, Intake, ItemFields, is_message
from simonides.writing.record import Progress
from simonides.writing.transfer import LoadResult

_PARTS: Final = {"user_id": "user", "agent_id": "agent", "project": "project"}
_LONGEST_CHAIN: Final = 1000
_DEEPEST: Final = 5
#: Hits from which a context is put together.
_CONTEXT_HITS: Final = 40
#: Share of the best score below which a hit is left out of a context.
_CONTEXT_FLOOR: Final = 0.3


__all__ = ["PROFILES", "Memory"]


class Whose(TypedDict, total=False):
    """Parts of a scope by name, accepted wherever `scope` is."""

    user_id: str | None
    agent_id: str | None
    project: str | None


class AddFields(ItemFields, Whose, total=False):
    """Keywords of `add`: fields of the item, and parts of its scope."""

    run_id: str | None


class Filters(Whose, total=False):
    """Keywords that restrict what a read may see. Times are ISO 8601 or datetimes."""

    tiers: Sequence[str] | None
    types: Sequence[str] | None
    kinds: Sequence[str] | None
    tags: Sequence[str] | None
    entity: str | None
    after: Moment | None
    before: Moment | None
    valid_at: Moment | None
    session_id: str | None
    run_id: str | None
    corpus_id: str | None
    archived: bool
    pinned: bool | None


class SearchFields(Filters, total=False):
    """Keywords of `search`."""

    at: Moment | None
    as_of: Moment | None
    profile: str | None
    agenda: bool | None
    explain: bool
    min_relevance: float | None


class Memory:
    """Long-term memory in one file.

    Args:
        path: The store; made if it does not exist. None for the settings' path, `SIMONIDES_DB`, or a
            file in the user's data directory.
        settings: None reads `simonides.toml` and the environment.
        clock, embedder, reranker, model, agenda, policy: Take the place of what the settings name.
        read_only: Open without changing the file.

    Raises:
        StoreError: The file cannot be used; the message says why and what helps.
        InvalidSettings: A setting is unknown or out of range.

    Safe to use from several threads; several processes may open the same file.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        model: LanguageModel | None = None,
        agenda: Agenda | None = None,
        policy: Policy | None = None,
        read_only: bool = False,
    ) -> None:
        self._closed = False
        self._parts: Parts = compose(
            None if path is None else Path(path),
            settings or load_settings(),
            clock=clock,
            embedder=embedder,
            reranker=reranker,
            model=model,
            agenda=agenda,
            policy=policy,
            read_only=read_only,
        )

    # Writing

    def add(
        self,
        content: str | Mapping[str, Any] | Item | Sequence[Mapping[str, Any] | Item | str],
        *,
        scope: str | None = None,
        progress: Progress | None = None,
        **fields: Unpack[AddFields],
    ) -> AddResult:
        """Remember something.

        Args:
            content: A text; a mapping with `content` and fields of its own; a list of chat messages
                (`role`, `content`, optional `name`, `id`, `at`, `metadata`); or a list of texts,
                mappings and items.
            scope: Where it belongs; `user_id`, `agent_id` and `project` name its parts. `global` if
                nothing is said.
            progress: Called with the number of inputs done, for long lists.
            **fields: Said of every input that does not say otherwise itself.

        Returns:
            One verdict per input, in order. One bad input of a list is `rejected` with its reason and
            costs the others nothing.

        Raises:
            InvalidInput: A single input cannot be stored as it is.

        Guarantees:
            What was accepted is durable.
        """
        given = dict(fields)
        place = _scope(scope, given)
        if (run := given.pop("run_id", None)) is not None:
            given.setdefault("session_id", run)
        if isinstance(content, str | Item) or (isinstance(content, Mapping) and not is_message(content)):
            return AddResult(self._add_items([content], place, given, progress, strict=True))
        if isinstance(content, bytes | bytearray) or not isinstance(content, Iterable):
            raise InvalidInput(f"a text, a mapping, an item or a list of them, not {type(content).__name__}")
        inputs = [content] if isinstance(content, Mapping) else list(content)
        if inputs and all(is_message(value) for value in inputs):
            return self._add_messages(
                cast("builtins.list[Mapping[str, Any]]", inputs), place, given, progress
            )
        return AddResult(self._add_items(inputs, place, given, progress, strict=False))

    def _add_items(
        self,
        inputs: Sequence[Any],
        scope: Scope,
        given: Mapping[str, Any],
        progress: Progress | None,
        *,
        strict: bool,
    ) -> tuple[Verdict, ...]:
        intake = Intake(self._parts.clock.now(), taxonomy=self._parts.taxonomy)
        return self._parts.recorder.items(
            (intake.read(value, scope, given, strict=strict) for value in inputs), progress
        )

    def _add_messages(
        self,
        messages: builtins.list[Mapping[str, Any]],
        scope: Scope,
        given: dict[str, Any],
        progress: Progress | None,
    ) -> AddResult:
        session_id = valid_text(
            given.pop("session_id", None) or _session_of(messages, scope), name="session_id"
        )
        if given:
            raise InvalidInput(
                f"{min(given)!r} says nothing of chat messages; they take session_id and a scope"
            )
        if found := self._parts.policy.refusals(session_id):
            raise InvalidInput(f"session_id cannot be stored ({found[0]}); name the session otherwise")
        return self._parts.recorder.turns(messages, scope, session_id, progress)

    def propose(
        self,
        proposals: Sequence[Mapping[str, Any]],
        *,
        scope: str | None = None,
        **whose: Unpack[Whose],
    ) -> AddResult:
        """Judge what a model would like to remember; store what may be stored.

        A proposal is a mapping with `content` and optional `type`, `title`, `tags`, `entities`,
        `confidence`, `why_store` and `source` (the id of what it was taken from). Other fields, such
        as an id, a scope or a trust of its own, are left out and said. Without `why_store` or
        `source` it is quarantined.
        """
        place = _scope(scope, dict(whose))
        intake = Intake.of_model(self._parts.clock.now(), self._parts.taxonomy)
        return AddResult(self._parts.recorder.items([intake.proposal(value, place) for value in proposals]))

    # Reading

    def search(
        self, query: str, *, scope: str | Scopes | None = None, k: int = 10, **fields: Unpack[SearchFields]
    ) -> SearchResult:
        """Find the items that answer a question.

        Args:
            query: A question or words, in any language.
            scope: From where to look; what is visible from there is searched. `ALL` for everything.
            k: Most hits, 1 to 1000.
            **fields: Filters, which every channel applies before its limit; `at` is the date of the
                question; `as_of` answers from what was known then; `archived` includes what was
                superseded, faded or forgotten; `profile` is the way of ranking; `agenda` goes on from what
                was found until the question is covered.

        Returns:
            Hits, best first, and whether it abstained, what was hidden, and what did not work.

        Raises:
            InvalidInput: A filter is unknown or cannot be read.
        """
        asked = self._query(_question(query), scope, k, dict(fields))
        result = self._parts.recall.search(asked)
        if asked.as_of is None and not result.abstained:
            served = [hit.item.id for hit in result.hits]
            self._parts.uses.used(served, asked.session_id, self._parts.clock.now())
        return result

    def context(
        self,
        query: str,
        *,
        scope: str | Scopes | None = None,
        max_tokens: int | str | None = None,
        mode: str = "context",
        ids: bool = False,
        **fields: Unpack[SearchFields],
    ) -> ContextResult:
        """A block of text for a prompt: what is known about a question.

        Args:
            max_tokens: Its budget. None for 2000, `auto` for 1000, or 3000 where the question is complex;
                where the mode is not `context`, both go by the length of the question.
            mode: `context` (markdown), `inject` (blocks in a frame), `catalog` or `hybrid`.
            ids: Whether a `context` names the ids of its items; the other modes always do.

        Returns:
            The text with its items. Only what may be injected is in it, and nothing of it counts as
            used. `why(injection_id)` tells later what it was.
        """
        query = _question(query)
        asked = self._query(query, scope, _CONTEXT_HITS, dict(fields))
        asked = replace(asked, selection=replace(asked.selection, injectable=True))
        result = self._parts.recall.search(asked)
        many = is_complex(read(query))
        most = token_budget(max_tokens, mode, query, is_complex=many)
        pinned = self._profile(asked) if mode == "context" else []
        form = Form(is_complex=many, ids=ids, keyed=self._keyed_hash)
        hits = _worth_telling(result.hits)
        text, items = assemble(hits, pinned, mode, most, form)
        injection = self._note_injection(asked, mode, text, items, hits) if text else None
        return ContextResult(
            text=text,
            items=items,
            tokens=0 if injection is None else injection.tokens,
            mode=mode,
            injection_id=None if injection is None or not self._parts.uses.kept else injection.id,
            abstained=result.abstained,
            degradations=result.degradations,
        )

    def get(self, item_id: str, *, scope: str | Scopes | None = ALL, used: bool = False) -> Item:
        """The item with this id, whatever its status.

        Args:
            scope: Where to look from; everything by default, since an id names one item.
            used: Whether somebody asked for it, which counts as a use; a look does not.

        Raises:
            NotFound: There is none that is visible from there.
        """
        self._parts.uses.settle()
        item = self._item(item_id, scope)
        if used:
            self._parts.uses.used([item.id], None, self._parts.clock.now())
        return item

    def list(
        self,
        *,
        scope: str | Scopes | None = None,
        limit: int = 100,
        offset: int = 0,
        **fields: Unpack[Filters],
    ) -> builtins.list[Item]:
        """Items that pass the filters, newest first."""
        selection = self._selection(scope, dict(fields))
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            return reader.find(selection, limit=_count(limit, "limit"), offset=max(0, offset))

    def meant(self, target: str, *, scope: str | Scopes | None = None) -> Item | Candidates:
        """Which item an id or words mean. Changes nothing, and nothing counts as used.

        Args:
            target: An id, or words that say which item is meant.
            scope: From where to look for the words; an id names its item from everywhere unless it is given.

        Returns:
            The one item that is meant beyond doubt; else the ones that may be meant.

        Raises:
            NotFound: There is no item with this id that is visible from there.
        """
        if is_id(target):
            return self.get(target, scope=ALL if scope is None else scope)
        query = self._query(valid_text(target, name="the target"), scope, 5, {})
        return meant(self._parts.recall.search(query).hits, target)

    def history(self, item_id: str) -> builtins.list[Revision]:
        """Every state of an item and of those it replaced or that replaced it, oldest first.

        Raises:
            NotFound: There is no such item.
        """
        self._item(item_id, ALL)
        with self._parts.store.read() as reader:
            chain = _chain(reader, item_id)
            return [revision for member in chain for revision in reader.revisions(member)]

    def graph(
        self,
        item_id: str,
        *,
        depth: int = 1,
        relations: Sequence[str] | None = None,
        scope: str | Scopes | None = ALL,
        limit: int = 100,
    ) -> Graph:
        """What surrounds an item: linked items, and the entities they mention.

        Args:
            depth: Most links between the item and what is shown, 0 to 5. Corrections are shown whole,
                what was replaced included, however long the chain is.
            relations: Names of the links to follow; all if None.
            scope: From where to look; everywhere by default, since an id names one item.
            limit: Most nodes; the nearest are kept.

        Raises:
            NotFound: There is no such item that is visible from there.
            InvalidInput: A relation is unknown.
        """
        self._item(item_id, scope)
        if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= _DEEPEST:
            raise InvalidInput(f"depth must be a whole number from 0 to {_DEEPEST}, got {depth!r}")
        walk = Walk(
            Selection(scopes=visible(_look(scope, {})), live_at=self._parts.clock.now()),
            frozenset(Relation if relations is None else map(relation, relations)),
            depth,
            _count(limit, "limit"),
        )
        with self._parts.store.read() as reader:
            key = reader.key(item_id)
            return graph_of(reader, [] if key is None else [key], walk)

    def timeline(
        self, *, scope: str | Scopes | None = None, limit: int = 100, **fields: Unpack[Filters]
    ) -> builtins.list[Item]:
        """Items in the order in which what they tell happened, oldest first; of many the latest."""
        selection = self._selection(scope, dict(fields))
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            return reader.latest(selection, limit=_count(limit, "limit"))[::-1]

    def explain(self, item_id: str) -> Explanation:
        """Why an item is there and what it is worth: provenance, verdict, history, links, confidence now.

        Raises:
            NotFound: There is no such item.
        """
        self._parts.uses.settle()
        item = self._item(item_id, ALL)
        now = self._parts.clock.now()
        with self._parts.store.read() as reader:
            return Explanation(
                item=item,
                effective_confidence=effective_confidence(
                    item.confidence, item.decay_rate, days_between(item.last_used_at or item.created_at, now)
                ),
                retention=self._parts.taxonomy[item.type].retention.after(
                    days_between(item.last_used_at or item.created_at, now)
                ),
                verdict=reader.verdict(item_id),
                revisions=tuple(reader.revisions(item_id)),
                links=tuple(reader.links([item_id])),
                events=tuple(reversed(reader.events(item_id=item_id))),
                place=reader.place(item_id),
            )

    def weak(
        self, *, scope: str | Scopes | None = None, below: float = 0.3, limit: int = 20
    ) -> builtins.list[WeakItem]:
        """Items whose effective confidence has sunk below a bound, lowest first."""
        self._parts.uses.settle()
        selection = self._selection(scope, {})
        with self._parts.store.read() as reader:
            found = reader.weakest(selection, self._parts.clock.now(), below, _count(limit, "limit"))
        return [WeakItem(item, confidence) for item, confidence in found]

    def why(self, injection_id: str) -> Injection:
        """What one injection put into a prompt, for which question and why, and how its items stand now.

        Raises:
            NotFound: No injection has this id.
        """
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            found = reader.injection(injection_id)
            if found is None:
                raise NotFound(
                    f"there is no injection {injection_id!r}; purging an item takes those that held it along"
                )
            items = reader.get([item_id for item_id, _ in found.items])
            changed = [item.id for item in items.values() if item.updated_at >= found.at]
            revisions = {item_id: reader.revisions(item_id) for item_id in changed}
        now = self._parts.clock.now()
        standings = {
            item_id: Standing.of(items.get(item_id), revisions.get(item_id, ()), found.at, now)
            for item_id, _ in found.items
        }
        return replace(found, now=standings)

    def injections(self, session_id: str | None = None, limit: int = 20) -> builtins.list[Injection]:
        """What was put into prompts, newest first."""
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            return reader.injections(session_id, limit)

    def stats(self, *, scope: str | Scopes | None = ALL) -> Mapping[str, Any]:
        """Counts by tier, type, status and scope, vectors by model, and the size of the file."""
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            counts = dict(reader.statistics(visible(_look(scope, {}))))
            counts["vectors"] = {identity.name: count for identity, count in reader.models()}
        return counts

    # Changing

    def update(self, item_id: str, **changes: Any) -> Verdict:
        """Change fields of an item; the former state stays in its history.

        Returns:
            `accepted`, or `rejected` with reasons; then nothing was changed.

        Raises:
            NotFound: There is no such item.
            InvalidInput: A field cannot be updated or its value cannot be used.
        """
        return self._parts.curator.update(self.get(item_id), changes)

    def correct(
        self, target: str, content: str, *, scope: str | Scopes | None = None
    ) -> Verdict | Candidates:
        """Replace what an item says; the old one ends now and stays in the history.

        Args:
            target: An id, or words that say which item is meant.

        Returns:
            A verdict; or candidates, and nothing changed, where the words fit no item well or several.

        Raises:
            NotFound: There is no item with this id.
        """
        found = self.meant(target, scope=scope)
        return self._parts.curator.correct(found, content) if isinstance(found, Item) else found

    def forget(self, target: str, *, scope: str | Scopes | None = None) -> Item | Candidates:
        """Take an item out of recall. Nothing is deleted: it is archived; `purge` deletes.

        Args:
            target: An id, or words that say which item is meant.

        Returns:
            The archived item; or candidates, and nothing changed.
        """
        found = self.meant(target, scope=scope)
        return self._parts.curator.forget(found) if isinstance(found, Item) else found

    def confirm(self, item_id: str) -> Item:
        """Make an item certain: confidence 1, verified, no decay."""
        return self._parts.curator.confirm(self.get(item_id))

    def reinforce(self, item_id: str, by: float = REINFORCED_BY) -> Item:
        """Let an item rise: it proved useful."""
        self._parts.curator.reinforce(self.get(item_id), _finite(by, "by"))
        return self.get(item_id)

    def demote(self, item_id: str, by: float = DEMOTED_BY) -> Item:
        """Let an item sink: it was of no use."""
        self._parts.curator.demote(self.get(item_id), _finite(by, "by"))
        return self.get(item_id)

    def link(
        self, src: str, dst: str, rel: str = "references", *, evidence: str | None = None, weight: float = 1.0
    ) -> Link:
        """Join two items.

        Raises:
            NotFound: One of them does not exist.
            InvalidInput: The relation is unknown or the engine's own.
        """
        kind = relation(rel)
        if kind not in HAND_MADE:
            raise InvalidInput(
                f"{rel!r} links are made by the engine; use one of {', '.join(sorted(HAND_MADE))}"
            )
        return self._parts.curator.link(
            Link(src=src, dst=dst, rel=kind, evidence=evidence, weight=_finite(weight, "weight"))
        )

    def purge(self, *item_ids: str) -> Mapping[str, int]:
        """Delete items with every trace of their text. The only deletion there is; it cannot be undone.

        Returns:
            Counts of what went: items, revisions, vectors, links, entities, injections.

        Raises:
            NotFound: An id is unknown; nothing was removed.
            StoreLocked: The items are gone but a reader held the log; purge again to wipe it.
        """
        if not item_ids:
            raise InvalidInput("name at least one item to purge")
        self._parts.uses.flush()
        return self._parts.store.purge(item_ids, self._parts.clock.now())

    # Keeping

    def backfill(self, progress: Callable[[int, int], None] | None = None, *, again: bool = False) -> int:
        """Embed what has no vector of the present model, or everything again; how many were embedded.

        Names are looked for, too, in what an earlier release stored without; or in everything again.
        Stopped at any point, the next call goes on with what is missing.
        """
        self._parts.names.run(again=again)
        return self._parts.backfill.run(progress, again=again)

    def rebuild_fts(self) -> None:
        """Make the text index anew from the items."""
        self._parts.store.rebuild_fts()

    def reindex(self) -> str:
        """Make the index of vectors now, if the store is large enough for one, and wait for it.

        Without it, a process that goes on searching makes it in the background.

        Returns:
            What compares vectors now, and how many, in words.

        Raises:
            ProviderError: It cannot be made, or the embedder cannot say what its vectors are.
        """
        index = self._parts.recall.index
        index.build(self._parts.store.read)
        if index.degradations:
            raise ProviderError("; ".join(index.degradations))
        return index.describe()

    def backup(self, path: str | Path, progress: Callable[[float], None] | None = None) -> Path:
        """Copy the store, in use or not, to a path that does not exist yet."""
        self._parts.uses.settle()
        self._parts.store.backup(Path(path), progress)
        return Path(path)

    def doctor(self, progress: Callable[[str, float], None] | None = None) -> Report:
        """Look for damage: file, rows against hashes, text index, links, vectors, audit chain."""
        self._parts.uses.settle()
        problems = tuple(self._parts.store.check(progress))
        return Report(problems, {**self._parts.store.describe(), "index": self._index()})

    def export(self, *, scope: str | Scopes | None = ALL) -> Iterator[dict[str, Any]]:
        """Everything about the items of a scope, as JSON records in an order that `load` takes back."""
        self._parts.uses.settle()
        return self._parts.transfer.export(visible(_look(scope, {})))

    def load(self, records: Iterable[Mapping[str, Any]], progress: Progress | None = None) -> LoadResult:
        """Take in records of `export`: items with their revisions, usage and links, past the policy.

        Returns:
            A verdict per record, in order; a record that cannot be read is rejected with its number.
        """
        return self._parts.transfer.load(records, progress)

    def flush(self) -> None:
        """Write down the uses and injections that were noted."""
        self._parts.uses.flush()

    def close(self) -> None:
        """Finish what is under way and let go of the file. Closing twice is fine."""
        if not self._closed:
            self._closed = True
            try:
                self._parts.uses.close()
            finally:
                self._parts.recall.close()
                self._parts.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    # Parts

    @property
    def palace(self) -> Palace:
        """The browsing hierarchy: domains, rooms, shelves, cards."""
        return Palace(self._parts)

    @property
    def entities(self) -> Entities:
        """The people, projects, places and things that items mention."""
        return Entities(self._parts)

    @property
    def review(self) -> Review:
        """What was quarantined and waits for a decision."""
        return Review(self._parts)

    @property
    def sessions(self) -> Sessions:
        """Conversations."""
        return Sessions(self._parts)

    @property
    def audit(self) -> Audit:
        """The log of every change."""
        return Audit(self._parts)

    @property
    def path(self) -> Path | None:
        """The file."""
        return self._parts.store.path

    # Reading what callers mean

    def _query(self, text: str, scope: str | Scopes | None, k: int, fields: dict[str, Any]) -> Query:
        now = self._parts.clock.now()
        at, as_of = fields.pop("at", None), fields.pop("as_of", None)
        if (profile := fields.pop("profile", None)) is not None:
            profile = profile_named(valid_text(profile, name="profile")).name
        if (agenda := fields.pop("agenda", None)) is not None and not isinstance(agenda, bool):
            raise InvalidInput(f"agenda must be true or false, got {agenda!r}")
        explain = bool(fields.pop("explain", False))
        min_relevance = fields.pop("min_relevance", None)
        if min_relevance is not None:
            _finite(min_relevance, "min_relevance")
        session_id = fields.get("session_id") or fields.get("run_id")
        as_of = None if as_of is None else instant(as_of, name="as_of")
        selection = self._selection(scope, fields)
        return Query(
            text=text,
            selection=selection if as_of is None else replace(selection, live_at=selection.live_at and as_of),
            k=_count(k, "k", most=1000),
            at=now if at is None else instant(at, name="at"),
            as_of=as_of,
            profile=profile,
            agenda=agenda,
            min_relevance=min_relevance,
            explain=explain,
            session_id=session_id,
        )

    def _selection(self, scope: str | Scopes | None, fields: dict[str, Any]) -> Selection:
        scopes = visible(_look(scope, fields))
        unknown = sorted(set(fields) - set(Filters.__annotations__))
        if unknown:
            raise InvalidInput(
                f"unknown filter {unknown[0]!r}; use one of {', '.join(sorted(Filters.__annotations__))}"
            )
        return selection_of(fields, scopes, self._parts.taxonomy, self._parts.clock.now())

    def _item(self, item_id: str, scope: str | Scopes | None) -> Item:
        where = visible(_look(scope, {}))
        if not is_id(item_id):
            raise NotFound(
                f"{str(item_id)[:80]!r} is no id; an item's id looks like 01a1fa7c-f3df-7dfc-9e66-775f82845ba0"
            )
        with self._parts.store.read() as reader:
            item = reader.get([item_id]).get(item_id)
        if item is None or (where is not None and item.scope not in where):
            raise NotFound(f"there is no item {item_id!r}")
        return item

    def _profile(self, asked: Query) -> builtins.list[Item]:
        if asked.selection.pinned is False:
            return []
        selection = replace(asked.selection, pinned=True)
        if asked.as_of is None:
            with self._parts.store.read() as reader:
                pinned = reader.pinned(selection, limit=100)
        else:
            past = self._parts.store.as_of(asked.as_of, selection.scopes)
            try:
                with past.read() as reader:
                    pinned = reader.pinned(selection, limit=100)
            finally:
                past.close()
        return pinned

    def _index(self) -> str:
        """What compares vectors, in words."""
        try:
            with self._parts.store.read() as reader:
                self._parts.recall.index.refresh(reader)
            return "; ".join((self._parts.recall.index.describe(), *self._parts.recall.index.degradations))
        except ProviderError as error:
            return f"not known: {error}"

    def _keyed_hash(self, text: str) -> str:
        with self._parts.store.read() as reader:
            return reader.keyed_hash(text)

    def _note_injection(
        self, asked: Query, mode: str, text: str, items: Sequence[Item], hits: Sequence[Hit]
    ) -> Injection:
        now = self._parts.clock.now()
        found = {hit.item.id: hit for hit in hits}
        scores = {item.id: round(found[item.id].score, 6) if item.id in found else 0.0 for item in items}
        injection = Injection(
            id=new_id(now),
            at=now,
            scope=str(asked.selection.scopes[0]) if asked.selection.scopes else "ALL",
            mode=mode,
            query=redact(asked.text, scan(asked.text)),
            items=tuple(scores.items()),
            tokens=count_tokens(text),
            session_id=asked.session_id,
            signals={id_: signals for id_ in scores if id_ in found and (signals := _spoke_for(found[id_]))},
        )
        self._parts.uses.injected(injection)
        return injection


def _look(scope: str | Scopes | None, fields: dict[str, Any]) -> Scopes:
    """From where a read looks."""
    if scope is not None and not isinstance(scope, str):
        if named := [name for name in _PARTS if fields.get(name) is not None]:
            raise InvalidScope(f"scope=ALL and {named[0]} contradict each other; give one of them")
        return scope
    return _scope(scope, fields)


def _scope(scope: str | None, fields: dict[str, Any]) -> Scope:
    """The scope that `scope` and the parts by name say together; the parts are taken out of the fields.

    Raises:
        InvalidScope: It is no scope, or is everywhere: a memory belongs somewhere.
    """
    parts = {key: fields.pop(name, None) for name, key in _PARTS.items()}
    named = {key: value for key, value in parts.items() if value is not None}
    if wrong := [value for value in named.values() if not isinstance(value, str)]:
        raise InvalidScope(f"a part of a scope is text, not {type(wrong[0]).__name__}: {wrong[0]!r}")
    if scope is not None and not isinstance(scope, str):
        raise InvalidScope("a memory belongs to one scope; ALL is for reading only")
    place = GLOBAL if scope is None else Scope(scope)
    return Scope.of(**dict(place.parts) | named) if named else place


def _session_of(messages: Sequence[Mapping[str, Any]], scope: Scope) -> str:
    """A name for a conversation that has none: its beginning tells it apart, a system prompt does not."""
    said = [message for message in messages if str(message.get("role")).casefold() not in CONFIGURATION]
    first = (said or messages)[0]
    beginning = f"{scope}\n{first.get('role')}\n{first.get('content')}"
    return "chat-" + hashlib.sha256(beginning.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _question(query: object) -> str:
    """The question, without what would end it for the store."""
    return valid_text(query.replace("\0", " ") if isinstance(query, str) else query, name="the query")


def _count(value: int, name: str, most: int = 1_000_000) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from 1 to {most}, got {value!r}")
    return value


def _finite(value: float, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidInput(f"{name} must be a finite number, got {value!r}")
    return float(value)


def _worth_telling(hits: Sequence[Hit]) -> builtins.list[Hit]:
    """Hits that are not far behind the best: a budget need not be filled with what happens to be there.

    What only an agenda found has a score of its own kind, and was looked for on purpose.
    """
    best = max((hit.score for hit in hits), default=0.0)
    bound = min(best, _CONTEXT_FLOOR * best)  # Where even the best speaks against itself, it stands alone.
    return [hit for hit in hits if hit.score >= bound or "agenda" in hit.signals]


def _spoke_for(hit: Hit) -> Mapping[str, float]:
    """Signals of a hit that say anything, to three decimals: what `why` keeps of them."""
    return {name: rounded for name, value in hit.signals.items() if (rounded := round(value, 3))}


def _chain(reader: Reader, item_id: str) -> list[str]:
    """Ids of an item, all it superseded and all that superseded it, oldest first."""
    replaced: dict[str, set[str]] = {item_id: set()}
    frontier = [item_id]
    while frontier and len(replaced) < _LONGEST_CHAIN:
        links = reader.links(frontier, [Relation.SUPERSEDES])
        frontier = sorted({end for link in links for end in (link.src, link.dst)} - set(replaced))
        replaced |= {member: set() for member in frontier}
        for link in links:
            replaced[link.src].add(link.dst)
    items = reader.get(list(replaced))
    ordered: list[str] = []
    # What was replaced comes before what replaced it, even where a clock stood still or went back.
    while len(ordered) < len(items):
        ready = [member for member in items if member not in ordered and replaced[member] <= set(ordered)]
        left = ready or [member for member in items if member not in ordered]
        ordered.append(min(left, key=lambda member: (items[member].created_at, member)))
    return ordered
