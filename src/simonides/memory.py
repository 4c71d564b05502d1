"""Memory: the table of contents of the engine."""

from __future__ import annotations

import builtins
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from heapq import merge
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, Unpack, cast

from simonides.compose import Parts, compose
from simonides.config import Settings
from simonides.config import load as load_settings
from simonides.domain.actor import is_person, valid_actor
from simonides.domain.address import address_of, path_of
from simonides.domain.extraction import ExtractReport
from simonides.domain.growth import Growth
from simonides.domain.ids import is_id, new_id
from simonides.domain.instant import SECOND_US, Moment, days_between, instant
from simonides.domain.item import Item, Status
from simonides.domain.link import Link, Relation, hand_made, relation
from simonides.domain.records import AuditEvent, Injection, Revision, Standing
from simonides.domain.retention import effective_confidence
from simonides.domain.run import Run
from simonides.domain.scope import ALL, Scope, Scopes, exactly, looked_from, visible
from simonides.domain.selection import Filters, ItemOrder, Selection, Weakness
from simonides.domain.taxonomy import Tier
from simonides.domain.text import count_tokens, valid_text
from simonides.domain.verdict import AddResult, Verdict, too_many_an_hour
from simonides.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    ProviderError,
    RateLimited,
    StoreError,
)
from simonides.governance.policy import Policy
from simonides.governance.scan import redact, scan
from simonides.language.sentences import read
from simonides.parts import Audit, Entities, Palace, Review, Runs, Schedule, Sessions
from simonides.parts.bounds import count as _count
from simonides.parts.bounds import finite, in_charge, listed, word, words
from simonides.parts.bounds import offset as _offset
from simonides.parts.deciding import confirmed, corrected, forgotten, ordered
from simonides.parts.keywords import Whose, looked, placed, require_known
from simonides.parts.retraction import retracted
from simonides.parts.sessions import hear_out
from simonides.ports.both import both
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.files import FileStore, file_of
from simonides.ports.model import LanguageModel
from simonides.ports.reranker import Reranker
from simonides.ports.store import Reader, Report
from simonides.recall.agenda.search import Agenda
from simonides.recall.archived import joined
from simonides.recall.assemble import (
    AUTO,
    NOTHING_AROUND,
    PROFILE_TOKENS,
    ContextResult,
    Form,
    Profile,
    Surroundings,
    assemble,
    core_profile,
    token_budget,
)
from simonides.recall.filters import selection_of
from simonides.recall.graph import Graph, Walk, graph_of
from simonides.recall.meant import meant
from simonides.recall.portraits import profiles_of
from simonides.recall.profiles import PROFILES, profile_named
from simonides.recall.question.asks import is_complex
from simonides.recall.result import Candidates, Explanation, Hit, Query, SearchResult, WeakItem
from simonides.recall.sound import sound_in_order
from simonides.recall.telling import lasting, merged, served, told_in_order, worth_telling
from simonides.upkeep.ground import Order
from simonides.upkeep.growth import MOST_PERIODS, growth
from simonides.upkeep.jobs.registry import jobs_named
from simonides.upkeep.jobs.retract import Derived, derived, planned
from simonides.upkeep.jobs.turns import Wanted
from simonides.upkeep.merge import Consolidator
from simonides.upkeep.metrics import merge_metrics
from simonides.upkeep.runner import Progress as RunProgress
from simonides.upkeep.schedule.watch import SCHEDULE
from simonides.upkeep.upkeep import nothing_done
from simonides.writing.curate import DEMOTED_BY, REINFORCED_BY
from simonides.writing.intake import CONFIGURATION, Intake, ItemFields, is_message, source_of
from simonides.writing.record import Progress
from simonides.writing.transfer import LoadResult

_DEEPEST: Final = 5
_PURGED: Final[tuple[str, ...]] = ("items", "revisions", "vectors", "links", "entities", "injections")
#: Times that a scope is purged of what came while it was purged.
_PURGE_ROUNDS: Final = 10
_EVERY: Final = 1_000_000_000
#: Hits from which a context is put together.
_CONTEXT_HITS: Final = 40
#: Factor by which the search is widened when most hits are already known.
_CROWDED: Final = 4
_MOST_HITS: Final = 1000

__all__ = ["PROFILES", "Memory"]


#: Hits where the question decides: a lookup has one answer, a question about several things has many.
_SIMPLE_HITS: Final = 5
_COMPLEX_HITS: Final = 20


class AddFields(ItemFields, Whose, total=False):
    """Keywords of `add`: fields of the item, and parts of its scope."""

    run_id: str | None
    links: Sequence[Mapping[str, Any]]


class ReadFields(Filters, Whose, total=False):
    """Keywords that restrict what a read may see; `exact` leaves out what belongs to wider scopes."""

    exact: bool


class SearchFields(ReadFields, total=False):
    """Keywords of `search`."""

    at: Moment | None
    as_of: Moment | None
    profile: str | None
    agenda: bool | None
    explain: bool
    min_relevance: float | None
    asked_in: str | None
    statements_first: bool


class Memory:
    """Long-term memory in one file.

    Args:
        path: The store; made if it does not exist. A file, or a URL such as `sqlite:///notes.db`, of another scheme
            where a package offers one. None for the settings' path, `SIMONIDES_DB`, or a file in the user's data
            directory.
        settings: None reads the user's own `simonides.toml` and the environment.
        clock, embedder, reranker, model, agenda, consolidator, policy: Take the place of what the settings name.
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
        consolidator: Consolidator | None = None,
        policy: Policy | None = None,
        read_only: bool = False,
    ) -> None:
        self._closed = False
        self._parts: Parts = compose(
            None if path is None else address_of(path),
            settings or load_settings(),
            clock=clock,
            embedder=embedder,
            reranker=reranker,
            model=model,
            agenda=agenda,
            consolidator=consolidator,
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
        actor: str = "user",
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
            actor: The person who does it: `user`, `api` or `cli`, also by name, `user:ana`. Turns of a chat are of
                those who spoke: the user's of this person.
            **fields: Defaults for inputs that do not set the field themselves. `links` joins it to items that there
                are, `[{"to": id, "rel": "supports"}]`, as `link` does; `evidence` and `weight` may be said of each.

        Returns:
            One verdict per input, in order. One bad input of a list is `rejected` with its reason and
            costs the others nothing.

        Raises:
            InvalidInput: A single input cannot be stored as it is.

        Guarantees:
            What was accepted is durable.
        """
        require_known(fields, self.add, AddFields)
        given = dict(fields)
        place = placed(scope, given)
        if (run := given.pop("run_id", None)) is not None:
            given.setdefault("session_id", run)
        if isinstance(content, str | Item) or (isinstance(content, Mapping) and not is_message(content)):
            return AddResult(self._add_items([content], place, given, progress, actor, strict=True))
        if isinstance(content, bytes | bytearray) or not isinstance(content, Iterable):
            raise InvalidInput(f"a text, a mapping, an item or a list of them, not {type(content).__name__}")
        inputs = [content] if isinstance(content, Mapping) else list(content)
        if inputs and all(is_message(value) for value in inputs):
            return self._add_messages(
                cast("builtins.list[Mapping[str, Any]]", inputs), place, given, progress, actor
            )
        return AddResult(self._add_items(inputs, place, given, progress, actor, strict=False))

    def _add_items(
        self,
        inputs: Sequence[Any],
        scope: Scope,
        given: Mapping[str, Any],
        progress: Progress | None,
        actor: str,
        *,
        strict: bool,
    ) -> tuple[Verdict, ...]:
        _require_person(actor)
        intake = Intake(
            self._parts.clock.now(), source_id=source_of(actor), taxonomy=self._parts.taxonomy, actor=actor
        )
        return self._parts.recorder.items(
            (intake.read(value, scope, given, strict=strict) for value in inputs), progress
        )

    def _add_messages(
        self,
        messages: builtins.list[Mapping[str, Any]],
        scope: Scope,
        given: dict[str, Any],
        progress: Progress | None,
        actor: str,
    ) -> AddResult:
        _require_person(actor)
        session_id = valid_text(
            given.pop("session_id", None) or _session_of(messages, scope), name="session_id"
        )
        shared = given.pop("metadata", None)
        if given:
            raise InvalidInput(
                f"{min(given)!r} does not apply to chat messages; use session_id, metadata and a scope"
            )
        if shared is not None:
            messages = [_with_metadata(message, shared) for message in messages]
        for name, text in (("session_id", session_id), ("scope", str(scope))):
            if found := self._parts.policy.refusals(text):
                raise InvalidInput(f"{name} cannot be stored ({found[0]}); choose another name")
        return self._parts.recorder.turns(messages, scope, session_id, progress, by=actor)

    def propose(
        self,
        proposals: Sequence[Mapping[str, Any]],
        *,
        scope: str | None = None,
        session_id: str | None = None,
        run_id: str | None = None,
        source: str | None = None,
        actor: str = "model",
        user_said: str | None = None,
        confirmed: bool = False,
        caller: str | None = None,
        **whose: Unpack[Whose],
    ) -> AddResult:
        """Judge what a model would like to remember; store what may be stored.

        A proposal is a mapping with `content` and optional `type`, `title`, `tags`, `entities`,
        `confidence`, `why_store` and `source` (the id of what it was taken from). Other fields, such
        as an id, a scope or a trust of its own, are left out and said. Without `why_store` or
        `source` it is quarantined.

        Args:
            session_id: The conversation; `run_id` means the same. What was recalled in it and comes back is
                not stored again, and what the user said in it bears out what a model says of them.
            source: What proposals are taken from that name none.
            actor: Who proposes. `sub-agent`, `external` and `plugin` (or `plugin:NAME`) are of low trust: what
                they propose is found, but not put into prompts before somebody has approved it.
            user_said: The user's turn that is answered, where no session holds it: it bears out what a model says.
            confirmed: The user saw and accepted the proposals; they count as said by the user.
            caller: Whose proposals are counted together, such as a credential; the scope if nothing is said.

        Returns:
            One verdict per proposal, in order; `merged` where it is known already. More than
            `policy.proposals_per_turn`, or than `policy.proposals_per_hour` in the long run, are rejected unread.
        """
        require_known(whose, self.propose, Whose)
        place, given = placed(scope, dict(whose)), listed(proposals, "proposals")
        session = session_id if session_id is not None else run_id
        if session is not None:
            session = valid_text(session, name="session_id")
            self._parts.uses.settle()  # What was injected has to be known.
        intake = Intake.of_model(
            self._parts.clock.now(),
            self._parts.taxonomy,
            actor=valid_actor(actor),
            source_id=word(source, "the source"),
            confirmed=confirmed,
        )
        counted = str(place) if caller is None else valid_text(caller, name="the caller")
        most = self._parts.policy.settings.proposals_per_turn
        entries = (
            # What lies behind the first of a turn is not judged, and costs nothing.
            (self._counted(counted) if n < most else None) or intake.proposal(value, place, session)
            for n, value in enumerate(given)
        )
        heard = () if user_said is None else self._parts.recorder.heard(user_said, place)
        return AddResult(self._parts.recorder.proposals(entries, session, heard), session)

    def _counted(self, caller: str) -> Verdict | None:
        """Count a proposal; the rejection where there were too many."""
        wait_us = self._parts.quota.wait_us(caller, self._parts.clock.now())
        return too_many_an_hour(self._parts.policy.settings.proposals_per_hour) if wait_us else None

    def admit(self, caller: str) -> None:
        """Count a call of a tool.

        Args:
            caller: The session that it belongs to, or another name for who calls.

        Raises:
            RateLimited: There were too many; nothing was done. The error says when to try again.
        """
        now = self._parts.clock.now()
        wait_us = self._parts.limiter.wait_us(valid_text(caller, name="the caller"), now)
        if wait_us:
            raise RateLimited(wait_us / SECOND_US, self._parts.limiter.unnoted(caller, now))

    def extract(
        self,
        *,
        scope: str | Scopes = ALL,
        session_id: str | None = None,
        due_only: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> ExtractReport:
        """Store what recorded turns state, and tell of sessions that are over.

        Every turn is looked at once; the turns themselves stay. What is found passes the policy with the
        origin and trust of those who said it, and is linked to its turns.

        Args:
            scope: From where to look; everything by default.
            session_id: Only turns of this session, then also those that failed as often as they may.
            due_only: Only sessions that have been quiet, moved on from, or hold as much as is taken at once.
            dry_run: Tell what would be found; change nothing. A model is asked all the same.
            progress: Called with how many turns are done, and of how many.

        Guarantees:
            What a turn states is durable before the turn counts as looked at. Several processes may extract
            at once: they take turns, and nothing is stored twice. All of it is one run, which `undo` takes back.
        """
        named = None if session_id is None else valid_text(session_id, name="session_id")
        if not dry_run:
            self._parts.uses.flush()
        place = looked_from(scope)
        wanted = Wanted(visible(place), named, due_only, ends=named is None and not dry_run)
        return hear_out(self._parts, place, wanted, dry_run=dry_run, progress=progress)

    # Reading

    def search(
        self,
        query: str,
        *,
        scope: str | Scopes | None = None,
        k: int | str = 10,
        **fields: Unpack[SearchFields],
    ) -> SearchResult:
        """Find the items that answer a question.

        Args:
            query: A question or words, in any language.
            scope: From where to look; what is visible from there is searched. `ALL` for everything.
            k: Most hits, 1 to 1000; `auto` for 5, or 20 where the question is complex.
            **fields: Filters, which every channel applies before its limit; `at` is the date of the
                question; `as_of` answers from what was known then; `archived` includes what was
                superseded, faded or forgotten; `profile` is the way of ranking; `agenda` goes on from what
                was found until the question is covered; `asked_in` is the session that asks, where that
                is no filter: an item counts as used once in it; `explain` also tells of the candidates that
                came next, in `missed`; `statements_first` puts what states something before what only asks, does not
                know or acknowledges, looks further where most of the nearest does, tells the same once, and leaves
                out the question itself.

        Returns:
            Hits, best first, and whether it abstained, what was hidden, and what did not work.

        Raises:
            InvalidInput: A filter is unknown or cannot be read.
        """
        require_known(fields, self.search, SearchFields)
        statements_first = bool(fields.pop("statements_first", False))
        asked = self._query(_question(query), scope, k, dict(fields))
        result = self._uncrowded(asked) if statements_first else self._parts.recall.search(asked)
        # The view of a former state holds what has moved since already.
        wanted = fields.get("archived") is True and asked.as_of is None
        if wanted and (moved := self._parts.archive.search(asked)) is not None:
            with self._parts.store.read() as reader:
                result = joined(result, moved, reader, asked.k)
        if statements_first:
            now = self._parts.clock.now() if asked.as_of is None else asked.as_of
            result = replace(result, hits=tuple(told_in_order(result.hits, query, now)[: asked.k]))
        if asked.as_of is None:
            self._parts.uses.used(served(result), asked.session_id, self._parts.clock.now())
        return result

    def context(
        self,
        query: str,
        *,
        scope: str | Scopes | None = None,
        max_tokens: int | str | None = None,
        mode: str = "context",
        ids: bool = False,
        around: Surroundings = NOTHING_AROUND,
        **fields: Unpack[SearchFields],
    ) -> ContextResult:
        """A block of text for a prompt: what is known about a question.

        Args:
            max_tokens: Its budget. None for 2000, `auto` for 1000, or 3000 where the question is complex;
                where the mode is not `context`, both go by the length of the question.
            mode: `context` (markdown), `inject` (blocks in a frame), `catalog` or `hybrid`.
            ids: Whether a `context` names the ids of its items; the other modes always do.
            around: What stands in the prompt already, for injections that nobody asked for.

        Returns:
            The text with its items. Only what may be injected is in it, and nothing of it counts as
            used. `why(injection_id)` tells later what it was.
        """
        require_known(fields, self.context, SearchFields)
        query = _question(query)
        asked = self._query(query, scope, _CONTEXT_HITS, dict(fields))
        portraits, unsound = self._portraits(asked) if mode == "context" else ((), ())
        asked = replace(asked, selection=replace(asked.selection, injectable=True))
        result = self._uncrowded(asked, around)
        now = self._parts.clock.now() if asked.as_of is None else asked.as_of
        many = is_complex(read(query))
        most = token_budget(max_tokens, mode, query, is_complex=many)
        pinned, altered = self._profile(asked) if mode == "context" else ([], ())
        form = Form(now, portraits, is_complex=many, ids=ids, question=query, keyed=self._keyed_hash)
        near = worth_telling(around.untold(result.hits), query, closely=mode != "context", now=now)
        hits = () if around.sure and result.abstained else near
        text, items = assemble(hits, pinned, mode, most, form)
        if not around.wanted():
            text, items = "", ()
        injection = self._note_injection(asked, mode, text, items, hits) if text else None
        return ContextResult(
            text=text,
            items=items,
            tokens=0 if injection is None else injection.tokens,
            mode=mode,
            injection_id=None if injection is None or not self._parts.uses.kept else injection.id,
            abstained=result.abstained,
            degradations=tuple(dict.fromkeys((*result.degradations, *unsound, *altered))),
        )

    def core_profile(
        self, *, scope: str | Scopes | None = None, max_tokens: int = PROFILE_TOKENS, **whose: Unpack[Whose]
    ) -> ContextResult:
        """The core profile for a system prompt: what is pinned, most important first, within a budget.

        Changes nothing, and changes itself only when what is pinned does.
        """
        require_known(whose, self.core_profile, Whose)
        place = looked(scope, dict(whose))
        now = self._parts.clock.now()
        selection = Selection(scopes=visible(place), live_at=now, injectable=True, pinned=True)
        with self._parts.store.read() as reader:
            pinned, altered = sound_in_order(reader, lasting(_pinned(reader, selection), now))
        text, items = core_profile(pinned, _count(max_tokens, "max_tokens"), now=now)
        return ContextResult(
            text=text, items=items, tokens=count_tokens(text), mode="profile", degradations=altered
        )

    def mark_used(self, item_ids: Iterable[str], *, session_id: str | None = None) -> None:
        """Note that items served somebody, best first: each counts as used, once in a session.

        What `get(used=True)` reads and the most relevant hits of a `search` that is sure are noted by themselves; this
        is for what else helped. Ids that are unknown, or quarantined, count for nothing.
        """
        named, session = words(item_ids, "item_ids"), word(session_id, "session_id")
        self._parts.uses.used(named, session, self._parts.clock.now())

    def get(
        self,
        item_id: str,
        *,
        scope: str | Scopes | None = ALL,
        used: bool = False,
        asked_in: str | None = None,
    ) -> Item:
        """The item with this id, whatever its status.

        Args:
            scope: Where to look from; everything by default, since an id names one item.
            used: Whether somebody asked for it, which counts as a use; a look does not.
            asked_in: The session that asks; the item counts as used once in it.

        Raises:
            NotFound: There is none that is visible from there.
        """
        session = word(asked_in, "asked_in")
        self._parts.uses.settle()
        item = self._item(item_id, scope)
        if used:
            self._parts.uses.used([item.id], session, self._parts.clock.now())
        return item

    def list(
        self,
        *,
        scope: str | Scopes | None = None,
        limit: int = 100,
        offset: int = 0,
        **fields: Unpack[ReadFields],
    ) -> builtins.list[Item]:
        """Items that pass the filters, newest first."""
        require_known(fields, self.list, ReadFields)
        selection, most = self._selection(scope, dict(fields)), _count(limit, "limit")
        first = _offset(offset)
        self._parts.uses.settle()
        with both(self._parts.store) as views:
            if not fields.get("archived") or views.there is None:
                items = views.here.load(keys := views.here.keys(selection, limit=first + most)[first:])
                return [items[key] for key in keys]
            here = views.here.select(selection, limit=first + most).values()
            there = views.there.select(selection, limit=first + most)
            moved = [item for item in there.values() if views.moved(item.id)]
            return builtins.list(merge(here, moved, key=_made_at, reverse=True))[first : first + most]

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
        with both(self._parts.store) as views:
            return [revision for member in views.chain(item_id) for revision in views.revisions(member)]

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
            Selection(scopes=visible(looked_from(scope)), live_at=self._parts.clock.now()),
            frozenset(Relation if relations is None else map(relation, words(relations, "relations"))),
            depth,
            _count(limit, "limit"),
        )
        with self._parts.store.read() as reader:
            key = reader.key(item_id)
            return graph_of(reader, [] if key is None else [key], walk)

    def timeline(
        self, *, scope: str | Scopes | None = None, limit: int = 100, **fields: Unpack[ReadFields]
    ) -> builtins.list[Item]:
        """Items in the order in which what they tell happened, oldest first; of many the latest."""
        require_known(fields, self.timeline, ReadFields)
        selection = self._selection(scope, dict(fields))
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            found = reader.select(selection, ItemOrder.LATEST, limit=_count(limit, "limit"))
        return builtins.list(found.values())[::-1]

    def explain(self, item_id: str) -> Explanation:
        """Why an item is there and what it is worth: provenance, verdict, history, links, confidence now.

        Raises:
            NotFound: There is no such item.
        """
        self._parts.uses.settle()
        item = self._item(item_id, ALL)
        now = self._parts.clock.now()
        with both(self._parts.store) as views:
            reader = views.reader_of(item_id) or views.here
            return Explanation(
                item=item,
                effective_confidence=_confidence(item, now),
                retention=self._parts.taxonomy[item.type].retention.after(
                    days_between(item.last_used_at or item.created_at, now)
                ),
                verdict=reader.verdict(item_id),
                revisions=tuple(reader.revisions(item_id)),
                links=tuple(views.links([item_id])),
                events=tuple(reversed(views.here.events(item_id=item_id))),
                place=reader.place(item_id),
            )

    def weak(
        self, *, scope: str | Scopes | None = None, below: float = 0.3, limit: int = 20
    ) -> builtins.list[WeakItem]:
        """Items whose effective confidence has sunk below a bound, lowest first."""
        self._parts.uses.settle()
        now, least = self._parts.clock.now(), finite(below, "below")
        selection = replace(self._selection(scope, {}), weak=Weakness(now, least))
        with self._parts.store.read() as reader:
            found = reader.select(selection, ItemOrder.WEAKEST, limit=_count(limit, "limit"))
        return [WeakItem(item, _confidence(item, now)) for item in found.values()]

    def why(self, injection_id: str) -> Injection:
        """What one injection put into a prompt, for which question and why, and how its items stand now.

        Raises:
            NotFound: No injection has this id.
        """
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            kept = reader.injections(1, injection_id=valid_text(injection_id, name="the injection"))
            if not kept:
                raise NotFound(
                    f"there is no injection {injection_id!r}; "
                    "purging an item also deletes the injections that contained it"
                )
        (found,) = kept
        with both(self._parts.store) as views:
            items = views.get([item_id for item_id, _ in found.items])
            changed = [item.id for item in items.values() if item.updated_at >= found.at]
            revisions = {item_id: views.revisions(item_id) for item_id in changed}
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
            return reader.injections(_count(limit, "limit"), session_id=word(session_id, "session_id"))

    def stats(self, *, scope: str | Scopes | None = ALL) -> Mapping[str, Any]:
        """Counts by tier, type, status and scope, vectors by model, the size of the file; and of its archive file.

        `merges` tells what consolidation has come to: chains, originals, their mean, median and longest length, the
        share that come from one source, and how far apart the originals of a chain are.
        """
        self._parts.uses.settle()
        with self._parts.store.read() as reader:
            counts = dict(reader.statistics(visible(looked_from(scope))))
            counts["vectors"] = {identity.name: count for identity, count in reader.models()}
            counts["merges"] = merge_metrics(reader, visible(looked_from(scope))).to_dict()
        counts["archive"] = None
        if (archive := self._parts.store.archive) is not None:
            with archive.read() as reader:
                told = reader.statistics(visible(looked_from(scope)))
                counts["archive"] = {name: told[name] for name in ("items", "file_bytes")}
        if (problem := self._parts.store.archive_problem) is not None:
            counts["archive"] = {"problem": problem}
        return counts

    def growth(self, *, scope: str | Scopes | None = ALL, by: str = "day", last: int = 30) -> Growth:
        """How the store grew: by day or week, what came, was merged, rose and went, and what stood then.

        It is counted from revisions and runs, the newest ones: periods that lie before those are left out. What was
        purged is not told any more.

        Args:
            by: `day` or `week`, in UTC.
            last: How many periods, the present one included, 1 to 1000.
        """
        self._parts.uses.settle()
        count = _count(last, "last", MOST_PERIODS)
        with both(self._parts.store) as views:
            return growth(views, visible(looked_from(scope)), self._parts.clock.now(), by, count)

    # Changing

    def update(self, item_id: str, *, actor: str = "user", **changes: Any) -> Verdict:
        """Change fields of an item; the former state stays in its history.

        Args:
            actor: Who does it: `user`, `cli`, `api`, or the name of a model, which changes only what it wrote.

        Returns:
            `accepted`, or `rejected` with reasons; then nothing was changed.

        Raises:
            NotFound: There is no such item.
            InvalidInput: A field cannot be updated or its value cannot be used.
            NeedsApproval: The actor is a model, and it is not its own; `review.ask` lets it wait for a person.
        """
        return self._parts.curator.update(self._here(item_id), changes, actor=valid_actor(actor))

    def correct(
        self, target: str, content: str, *, scope: str | Scopes | None = None, actor: str = "user"
    ) -> Verdict | Candidates:
        """Replace what an item says; the old one ends now and stays in the history.

        Args:
            target: An id, or words that say which item is meant.
            actor: Who does it.

        Returns:
            A verdict; or candidates, and nothing changed, where the words fit no item well or several.

        Raises:
            NeedsApproval: The actor is a model, and it is not its own.
            NotFound: There is no item with this id.
        """
        found = self.meant(target, scope=scope)
        if not isinstance(found, Item):
            return found
        return corrected(self._parts, self._here(found.id), content, actor=valid_actor(actor))

    def forget(
        self,
        target: str,
        *,
        scope: str | Scopes | None = None,
        keep_derived: bool = False,
        actor: str = "user",
    ) -> Item | Candidates:
        """Take an item out of recall. Nothing is deleted: it is archived; `purge` deletes.

        What was made from it (`derived`) is held back for review, or put together without it; that is a run
        of its own, which `undo` takes back.

        Args:
            target: An id, or words that say which item is meant.
            keep_derived: Leave what was made from it as it is.
            actor: Who does it.

        Returns:
            The archived item; or candidates, and nothing changed.

        Raises:
            NeedsApproval: The actor is a model, and it is not its own.
            Conflict: Something that was made from it is being changed at present; nothing was forgotten.
        """
        found = self.meant(target, scope=scope)
        if not isinstance(found, Item):
            return found
        item = self._here(found.id)
        with self._parts.store.freeing():
            return forgotten(self._parts, item, actor=valid_actor(actor), keep_derived=keep_derived)

    def derived(self, *item_ids: str, purge: bool = False) -> builtins.list[Derived]:
        """What was made from items, and from that in turn, nearest first, and what `forget` does with it.

        Args:
            purge: Tell what `purge` does with it instead.

        Raises:
            NotFound: There is no item with one of these ids.
        """
        for item_id in item_ids:
            self._item(item_id, ALL)
        with both(self._parts.store) as views:
            found = derived(views, item_ids)
            plan = planned(views, item_ids, found, purge=purge)
        return [plan.of(one) for one in found]

    def restore(self, item_id: str, *, actor: str = "user") -> Verdict:
        """Bring back what was archived: faded, expired, forgotten, or moved to the archive file.

        Args:
            actor: The person who does it.

        Returns:
            `accepted`; or `merged` with the id of the item that says the same by now, or replaced it.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not archived; or another one replaced it.
        """
        by = in_charge(actor)
        self._item(item_id, ALL)
        return self._parts.restorer.restore(item_id, actor=by)

    def confirm(self, item_id: str, *, actor: str = "user") -> Item:
        """Make an item certain: confidence 1, verified, no decay. What a model confirms of its own only rises.

        What contradicted it ends, unless it is verified or pinned itself; that is a run of its own, which `undo` takes
        back.

        Raises:
            NeedsApproval: The actor is a model, and it is not its own.
        """
        return confirmed(self._parts, self._here(item_id), actor=valid_actor(actor))

    def reinforce(self, item_id: str, by: float = REINFORCED_BY, *, actor: str = "user") -> Item:
        """Raise an item that proved useful. A model can raise it to 9 at most."""
        self._parts.curator.reinforce(self._here(item_id), finite(by, "by"), actor=valid_actor(actor))
        return self.get(item_id)

    def demote(self, item_id: str, by: float = DEMOTED_BY, *, actor: str = "user") -> Item:
        """Lower an item that was of no use. A model cannot lower another's item below 0."""
        self._parts.curator.demote(self._here(item_id), finite(by, "by"), actor=valid_actor(actor))
        return self.get(item_id)

    def link(
        self,
        src: str,
        dst: str,
        rel: str = "references",
        *,
        evidence: str | None = None,
        weight: float = 1.0,
        actor: str = "user",
    ) -> Link:
        """Join two items. A model makes no `derived_from`, `supersedes` or `contradicts`: those have consequences.

        Raises:
            NotFound: One of them does not exist.
            InvalidInput: The relation is unknown or the engine's own.
        """
        return self._parts.curator.link(
            Link(
                src=_id(src),
                dst=_id(dst),
                rel=hand_made(rel),
                evidence=word(evidence or None, "the evidence"),
                weight=finite(weight, "weight"),
            ),
            actor=valid_actor(actor),
        )

    def purge(
        self,
        *items: str | Item | Iterable[str | Item],
        scope: str | None = None,
        keep_derived: bool = False,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Mapping[str, int]:
        """Delete items with every trace of their text. The only deletion there is; it cannot be undone.

        What was made from them (`derived`) goes along where it has words of theirs that no other source of it
        has; the rest is held back for review, and merges are put together without them.

        Args:
            *items: Ids or items, or lists of them.
            scope: Everything of exactly this scope, whatever its status; what belongs to wider or narrower scopes
                stays. `user_id`, `agent_id` and `project` name its parts.
            keep_derived: Leave what was made from them as it is, with what it says.
            actor: The person who does it.

        Returns:
            Counts of what went: items, revisions, vectors, links, entities, injections.

        Raises:
            NotFound: An id is unknown; nothing was removed.
            InvalidInput: Neither items nor a scope are named, or both are.
            InvalidScope: The scope is none, or `ALL`: each scope is named.
            Conflict: Something that was made from them is being changed at present, and nothing was removed; or the
                scope is written to all the time, and what was there before is gone.
            StoreLocked: The items are gone but a reader held the log; purge again to wipe it.
            StoreFull: The items are gone but there was no room to wipe what they left; free some and purge again.
        """
        require_known(whose, self.purge, Whose)
        by = in_charge(actor)
        parts = dict(whose)
        named = scope is not None or any(value is not None for value in parts.values())
        place = placed(scope, parts)
        if bool(items) is named:
            raise InvalidInput("pass either items or a scope to purge")
        item_ids = self._everything_of(place) if named else _ids(items)
        counts: Counter[str] = Counter(dict.fromkeys(_PURGED, 0))
        for _ in range(_PURGE_ROUNDS):
            if not item_ids:
                return dict(counts)
            with self._parts.store.freeing():
                gone: tuple[str, ...] = (
                    () if keep_derived else retracted(self._parts, item_ids, purge=True, actor=by)
                )
                self._parts.uses.settle()
                at = self._parts.clock.now()
                counts.update(self._parts.store.purge((*item_ids, *gone), at, actor=by))
            # What somebody wrote into the scope meanwhile goes as well.
            item_ids = self._everything_of(place) if named else []
        if item_ids:
            raise Conflict(f"{place} is written to while it is purged: end who writes, and purge it again")
        return dict(counts)

    def _everything_of(self, scope: Scope) -> builtins.list[str]:
        """Ids of the items of exactly this scope, of every status, moved ones included."""
        selection = Selection(scopes=(scope,), live_at=None, statuses=frozenset(Status))
        with both(self._parts.store) as views:
            readers = [reader for reader in (views.here, views.there) if reader is not None]
            found = [
                item.id for reader in readers for item in reader.select(selection, limit=_EVERY).values()
            ]
        return builtins.list(dict.fromkeys(found))

    # Upkeep

    def maintain(
        self,
        jobs: Sequence[str] | None = None,
        *,
        scope: str | Scopes = ALL,
        dry_run: bool = False,
        trigger: str = "hand",
        due: bool = False,
        actor: str = "user",
        progress: RunProgress | None = None,
    ) -> Run:
        """Run jobs of upkeep, one after the other.

        Args:
            jobs: Their names; every job if None. `runs.jobs()` tells what there is.
            scope: Exactly the scope to work in; everything by default.
            dry_run: Only find out what would be changed.
            trigger: What started it, for the books; what is due says so itself.
            due: Only what is due now: jobs whose hour has come since they last ran, sessions that are over, and
                scopes with so much new in the short term that they are to be consolidated. May be asked often.
            actor: Who asks for it; the changes themselves are made by `upkeep`.
            progress: Called with (what is done, how much of it, of how much or None).

        Returns:
            The run with its changes; of several jobs one whose `parts` are theirs. A job that fails says so
            in its run and keeps what it had done. Where nothing is due, an empty run, which is not kept.

        Raises:
            InvalidInput: There is no such job.
        """
        order = Order(scope=looked_from(scope), dry_run=dry_run, trigger=_trigger(trigger))
        by = in_charge(actor)
        run = self._maintain_due(jobs, order, progress) if due else self._maintain(jobs, order, progress)
        return ordered(self._parts, "maintain", run, by)

    def consolidate(
        self,
        *,
        scope: str | None = None,
        tiers: Sequence[str] = ("stm",),
        promote: bool = True,
        dry_run: bool = False,
        actor: str = "user",
        progress: RunProgress | None = None,
        **whose: Unpack[Whose],
    ) -> Run:
        """Merge what says the same, promote what proved useful.

        Args:
            scope: Exactly the scope to work in; `global` if nothing is said.
            tiers: Whose items are merged.
            promote: Whether items may rise to the next tier.
            dry_run: Only find out what would be changed.
            actor: Who asks for it; the changes themselves are made by `upkeep`.

        Returns:
            The run with its changes; `undo` takes it back.
        """
        require_known(whose, self.consolidate, Whose)
        order = Order(scope=placed(scope, dict(whose)), tiers=_tiers(tiers), promote=promote, dry_run=dry_run)
        by = in_charge(actor)
        return ordered(self._parts, "consolidate", self._maintain(["consolidate"], order, progress), by)

    def undo(
        self, run_id: str, *, force: bool = False, actor: str = "user", progress: RunProgress | None = None
    ) -> Run:
        """Take back what a run changed: its items, links and places stand again as they did before.

        Use that came since stays. An undo is a run itself; a run is taken back once.

        Args:
            force: Where items changed since the run, leave these and take back the rest.
            actor: The person who does it.

        Returns:
            The run of the undo; `left_alone` tells what did not come back as it was, and why.

        Raises:
            NotFound: There is no such run.
            UndoRefused: Items changed since the run; nothing was taken back.
            Conflict: The run goes on, was taken back already, or is an undo.
        """
        by = in_charge(actor)
        self._parts.uses.flush()
        run = self._parts.upkeep.undo(valid_text(run_id, name="the run"), force=force, progress=progress)
        return ordered(self._parts, "undo", run, by)

    def _maintain(self, jobs: Sequence[str] | None, order: Order, progress: RunProgress | None) -> Run:
        chosen = jobs_named(jobs)
        self._write_uses(order)
        return self._parts.upkeep.maintain(chosen, order, progress)

    def _maintain_due(self, jobs: Sequence[str] | None, order: Order, progress: RunProgress | None) -> Run:
        chosen = {job.name: job for job in jobs_named(jobs)}
        found, missing = self.schedule.find(scope=order.scope, jobs=list(chosen))
        work = [(chosen[one.job], replace(order, scope=one.scope, trigger=one.trigger)) for one in found]
        order = replace(order, trigger=found[0].trigger if found else SCHEDULE)
        if work:
            self._write_uses(order)
            run = self._parts.upkeep.carry_out(work, order, progress)
        else:
            run = nothing_done(order, self._parts.clock.now())
        return run if missing is None else replace(run, degradations=(*run.degradations, missing))

    def _write_uses(self, order: Order) -> None:
        if order.dry_run:
            self._parts.uses.settle()
        else:
            self._parts.uses.flush()

    # Keeping

    def backfill(self, progress: Callable[[int, int], None] | None = None, *, again: bool = False) -> int:
        """Embed what has no vector of the present model, or everything again; how many were embedded.

        Names are looked for, too, in what an earlier release stored without; or in everything again.
        Stopped at any point, the next call goes on with what is missing.
        """
        self._parts.names.run(again=again)
        return self._parts.backfill.run(progress, again=again)

    def rebuild_fts(self, *, actor: str = "user") -> None:
        """Make the text index anew from the items."""
        by = in_charge(actor)
        file_of(self._parts.store, "make its text index anew").rebuild_fts()
        self._note("rebuild", by)

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

    def backup(
        self, path: str | Path, progress: Callable[[float], None] | None = None, *, actor: str = "user"
    ) -> Path:
        """Copy the store, in use or not, to a path that does not exist yet."""
        by = in_charge(actor)
        copy = path_of(path)
        self._parts.uses.settle()
        file_of(self._parts.store, "copy it").backup(copy, progress)
        if self._parts.uses.kept:
            self._note("backup", by)
        return copy

    def _note(self, action: str, actor: str) -> None:
        """Leave an event about the store as a whole."""
        self.audit.record(AuditEvent(action=action, at=0, actor=actor))

    def doctor(self, progress: Callable[[str, float], None] | None = None) -> Report:
        """Look for damage: file, rows against hashes, text index, links, vectors, audit chain."""
        self._parts.uses.settle()
        problems = tuple(self._parts.store.check(progress))
        return Report(problems, {**self._parts.store.describe(), "index": self._index()})

    def export(self, *, scope: str | Scopes | None = ALL) -> Iterator[dict[str, Any]]:
        """Everything about the items of a scope, as JSON records in an order that `load` takes back."""
        self._parts.uses.settle()
        return self._parts.transfer.export(visible(looked_from(scope)))

    def load(
        self,
        records: Iterable[Mapping[str, Any]],
        progress: Progress | None = None,
        *,
        trusted: bool = False,
    ) -> LoadResult:
        """Take in records of `export`: items with their revisions, usage and links, past the policy.

        Args:
            trusted: Take over what people decided there about words that are not the user's (approvals, pins,
                verifications, trust), and what upkeep did. Use this only for your own exports; else only what is
                new comes in, without them, and nothing that is here changes.

        Returns:
            A verdict per record, in order; a record that cannot be read is rejected with its number.
        """
        return self._parts.transfer.load(records, progress, trusted=trusted)

    def flush(self) -> None:
        """Write down the uses and injections that were noted."""
        self._parts.uses.flush()

    def close(self) -> None:
        """Finish what is under way and let go of the file. Closing twice is fine."""
        if not self._closed:
            self._closed = True
            with ExitStack() as last_first:
                if self._parts.temporary is not None:
                    last_first.callback(self._parts.temporary.cleanup)
                for part in (self._parts.store, self._parts.archive, self._parts.recall):
                    last_first.callback(part.close)
                last_first.callback(self._parts.uses.close)
                last_first.callback(self._parts.upkeep.close)

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
    def runs(self) -> Runs:
        """What upkeep did."""
        return Runs(self._parts)

    @property
    def schedule(self) -> Schedule:
        """When upkeep runs by itself."""
        return Schedule(self._parts)

    @property
    def audit(self) -> Audit:
        """The log of every change."""
        return Audit(self._parts)

    @property
    def settings(self) -> Settings:
        """The settings that hold."""
        return self._parts.settings

    @property
    def path(self) -> Path | None:
        """The file; None where the store is none."""
        store = self._parts.store
        return store.path if isinstance(store, FileStore) else None

    # Reading what callers mean

    def _query(self, text: str, scope: str | Scopes | None, k: int | str, fields: dict[str, Any]) -> Query:
        now = self._parts.clock.now()
        at, as_of = fields.pop("at", None), fields.pop("as_of", None)
        if (profile := fields.pop("profile", None)) is not None:
            profile = profile_named(valid_text(profile, name="profile")).name
        if (agenda := fields.pop("agenda", None)) is not None and not isinstance(agenda, bool):
            raise InvalidInput(f"agenda must be true or false, got {agenda!r}")
        explain = bool(fields.pop("explain", False))
        min_relevance = fields.pop("min_relevance", None)
        if min_relevance is not None:
            finite(min_relevance, "min_relevance")
        asked_in = word(fields.pop("asked_in", None), "asked_in")
        asked_in = asked_in or fields.get("session_id") or fields.get("run_id")
        as_of = None if as_of is None else instant(as_of, name="as_of")
        selection = self._selection(scope, fields)
        return Query(
            text=text,
            selection=selection if as_of is None else replace(selection, live_at=selection.live_at and as_of),
            k=_hits_for(text) if k == AUTO else _count(cast("int", k), "k", most=1000),
            at=now if at is None else instant(at, name="at"),
            as_of=as_of,
            profile=profile,
            agenda=agenda,
            min_relevance=min_relevance,
            explain=explain,
            session_id=asked_in,
        )

    def _selection(self, scope: str | Scopes | None, fields: dict[str, Any]) -> Selection:
        place = looked(scope, fields)
        if not isinstance(exact := fields.pop("exact", False), bool):
            raise InvalidInput(f"exact must be true or false, got {exact!r}")
        scopes = exactly(place) if exact else visible(place)
        return selection_of(fields, scopes, self._parts.taxonomy, self._parts.clock.now())

    def _item(self, item_id: str, scope: str | Scopes | None) -> Item:
        where = visible(looked_from(scope))
        _id(item_id)
        with self._parts.store.read() as reader:
            item = reader.get([item_id]).get(item_id)
        if item is None and (archive := self._parts.store.archive) is not None:
            with archive.read() as reader:
                item = reader.get([item_id]).get(item_id)
        if item is None or (where is not None and item.scope not in where):
            raise NotFound(f"there is no item {item_id!r}")
        return item

    def _here(self, item_id: str) -> Item:
        """An item that is to be changed: one in the archive file has to come back first."""
        item = self.get(item_id)
        with self._parts.store.read() as reader:
            if reader.key(item_id) is None:
                raise Conflict(f"{item_id} was moved to the archive file; restore it, then change it")
        return item

    def _portraits(self, asked: Query) -> tuple[tuple[Profile, ...], tuple[str, ...]]:
        """Summaries of the entities that a question names; none where it asks for certain items, or of the past."""
        if asked.selection.narrow or asked.as_of is not None:
            return (), ()
        with self._parts.store.read() as reader:
            return profiles_of(reader, asked.text, asked.selection.scopes)

    def _profile(self, asked: Query) -> tuple[builtins.list[Item], tuple[str, ...]]:
        """What is pinned, and a word on what of it was left out."""
        if asked.selection.pinned is False:
            return [], ()
        selection = replace(asked.selection, pinned=True)
        if asked.as_of is None:
            with self._parts.store.read() as reader:
                pinned, altered = sound_in_order(reader, _pinned(reader, selection))
        else:
            past = self._parts.store.as_of(asked.as_of, selection.scopes)
            try:
                with past.read() as reader:
                    pinned, altered = sound_in_order(reader, _pinned(reader, selection))
            finally:
                past.close()
        return lasting(pinned, asked.selection.live_at), altered

    def _index(self) -> str:
        """What compares vectors, in words."""
        try:
            with self._parts.store.read() as reader:
                self._parts.recall.index.refresh(reader)
            return "; ".join((self._parts.recall.index.describe(), *self._parts.recall.index.degradations))
        except (ProviderError, StoreError) as error:  # The doctor tells what can be told of a damaged store.
            return f"not known: {error}"

    def _uncrowded(self, asked: Query, around: Surroundings = NOTHING_AROUND) -> SearchResult:
        """What answers, also where most of what is nearest is told already, or only asks the same.

        Of a long talk about one thing its own turns would be all that is found; of a question that was asked
        in a hundred chats, the question.
        """
        result = self._parts.recall.search(asked)
        if len(result.hits) < asked.k or not around.crowds(result.hits):
            return result
        result = self._parts.recall.search(
            replace(asked, k=min(_MOST_HITS, _CROWDED * asked.k + len(around.told)))
        )
        if not around.crowds(result.hits):
            return result
        types = (asked.selection.types or frozenset(self._parts.taxonomy.specs)) - {"episode"}
        if not types:
            return result
        stored = replace(asked.selection, types=types)
        return merged(result, self._parts.recall.search(replace(asked, selection=stored)))

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
            scope=_without_secrets(str(asked.selection.scopes[0])) if asked.selection.scopes else "ALL",
            mode=mode,
            query=_without_secrets(asked.text),
            items=tuple(scores.items()),
            tokens=count_tokens(text),
            session_id=asked.session_id,
            signals={id_: signals for id_ in scores if id_ in found and (signals := _spoke_for(found[id_]))},
        )
        self._parts.uses.injected(injection)
        return injection


def _require_person(actor: str) -> None:
    if not is_person(valid_actor(actor)):
        raise InvalidInput(f"add() takes a person as actor, not {actor!r}; use propose() for models")


def _ids(targets: Iterable[object]) -> builtins.list[str]:
    """Ids that were given one by one, as items, or in lists.

    Raises:
        InvalidInput: Something is none of these.
        NotFound: An id has not the form of one.
    """
    found: builtins.list[str] = []
    for target in targets:
        if isinstance(target, str | Item):
            found.append(_id(target if isinstance(target, str) else target.id))
        elif isinstance(target, Mapping | bytes | bytearray) or not isinstance(target, Iterable):
            raise InvalidInput("name items by their ids: a text each, or a list of texts")
        else:
            found += _ids(cast("Iterable[object]", target))
    return found


def _id(value: str) -> str:
    """The id itself.

    Raises:
        NotFound: It has not the form of one.
    """
    if not is_id(value):
        raise NotFound(
            f"{str(value)[:80]!r} is no id; an item's id looks like 01a1fa7c-f3df-7dfc-9e66-775f82845ba0"
        )
    return value


def _tiers(names: Sequence[str]) -> tuple[Tier, ...]:
    """Tiers by name."""
    known = [tier.value for tier in Tier]
    given = words(names, "tiers")
    if not given or any(name not in known for name in given):
        raise InvalidInput(f"tiers are a list of {', '.join(known)}, got {names!r}")
    return tuple(Tier(name) for name in dict.fromkeys(given))


def _trigger(text: str) -> str:
    """What started a run, in a word."""
    word = valid_text(text, name="trigger")
    if len(word) > 40 or not word.replace("-", "").isalnum():
        raise InvalidInput(f"trigger is a word such as hand or schedule, got {text[:60]!r}")
    return word


def _session_of(messages: Sequence[Mapping[str, Any]], scope: Scope) -> str:
    """A name for a conversation that has none: its beginning tells it apart, a system prompt does not."""
    said = [message for message in messages if str(message.get("role")).casefold() not in CONFIGURATION]
    first = (said or messages)[0]
    beginning = f"{scope}\n{first.get('role')}\n{first.get('content')}"
    return "chat-" + hashlib.sha256(beginning.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _with_metadata(message: Mapping[str, Any], shared: object) -> Mapping[str, Any]:
    """A message with metadata that all of its conversation share; its own stands before it."""
    own = message.get("metadata")
    if not isinstance(shared, Mapping):
        raise InvalidInput("metadata must be a mapping of names to JSON values")
    if own is not None and not isinstance(own, Mapping):
        return message  # Refused with its own reason when it is read.
    return {**message, "metadata": {**shared, **(own or {})}}


def _question(query: object) -> str:
    """The question, without what would end it for the store."""
    return valid_text(query.replace("\0", " ") if isinstance(query, str) else query, name="the query")


def _spoke_for(hit: Hit) -> Mapping[str, float]:
    """Signals of a hit that say anything, to three decimals: what `why` keeps of them."""
    return {name: rounded for name, value in hit.signals.items() if (rounded := round(value, 3))}


def _without_secrets(text: str) -> str:
    return redact(text, scan(text))


def _made_at(item: Item) -> tuple[int, str]:
    return item.created_at, item.id


def _hits_for(question: str) -> int:
    """Hits of a search that leaves their number to the question."""
    return _COMPLEX_HITS if is_complex(read(question)) else _SIMPLE_HITS


def _pinned(reader: Reader, selection: Selection) -> builtins.list[Item]:
    """The core profile: what is pinned, most important first."""
    return builtins.list(reader.select(selection, ItemOrder.PINNED, limit=100).values())


def _confidence(item: Item, now: int) -> float:
    """What is left of an item's confidence."""
    return effective_confidence(
        item.confidence, item.decay_rate, days_between(item.last_used_at or item.created_at, now)
    )
