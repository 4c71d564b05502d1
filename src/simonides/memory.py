"""Memory: the table of contents of the engine."""

from __future__ import annotations

import builtins
import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from heapq import merge
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from simonides.compose import Options, Parts, compose
from simonides.config import Settings
from simonides.domain.address import address_of, path_of
from simonides.domain.closing import Closing
from simonides.domain.extraction import ExtractReport
from simonides.domain.flag import flag
from simonides.domain.growth import Growth
from simonides.domain.ids import is_id
from simonides.domain.importing import ImportReport
from simonides.domain.instant import SECOND_US
from simonides.domain.item import Item
from simonides.domain.link import Link, Relation, hand_made, relation
from simonides.domain.page import ItemPage, Position
from simonides.domain.reach import reach
from simonides.domain.records import AuditEvent, Injection, Revision
from simonides.domain.retention import DEMOTED_BY, REINFORCED_BY
from simonides.domain.run import Run
from simonides.domain.scope import ALL, Scopes, looked_from, visible
from simonides.domain.selection import ItemOrder, Selection, Weakness
from simonides.domain.text import short_text, shown, valid_text
from simonides.domain.verdict import AddResult, Verdict
from simonides.errors import InvalidInput, InvalidScope, NotFound, ProviderError, RateLimited, StoreError
from simonides.parts.accounts import confidence_of, count_stored, explain, explain_injection, report_of
from simonides.parts.answers import context_of, core_profile_of, meant, search
from simonides.parts.arguments import (
    AddFields,
    ReadFields,
    SearchFields,
    Whose,
    acting,
    callback,
    checked_offset,
    count,
    finite,
    ids_of,
    listed,
    person_or_engine,
    place_of,
    placed,
    query_of,
    question,
    require_known,
    selection,
    session_of,
    storable,
    tiers_of,
    trigger_of,
    word,
    words,
)
from simonides.parts.audit import Audit
from simonides.parts.deciding import confirm, correct, forget, note_order, update
from simonides.parts.documents import Documents
from simonides.parts.entities import Entities
from simonides.parts.looking import found_item, item_of
from simonides.parts.maintaining import maintain, maintain_due
from simonides.parts.palace import Palace
from simonides.parts.purging import purge
from simonides.parts.records import Records
from simonides.parts.retraction import tell_again
from simonides.parts.review import Review
from simonides.parts.runs import Runs
from simonides.parts.schedule import Schedule
from simonides.parts.sessions import Sessions, hear_out
from simonides.ports.files import FileStore, file_of
from simonides.ports.store import Report
from simonides.ports.vectors import ComparingStore
from simonides.recall.assemble import NOTHING_AROUND, PROFILE_TOKENS, ContextResult, Surroundings
from simonides.recall.ranking.profiles import PROFILES
from simonides.recall.resolve import resolved
from simonides.recall.result import Candidates, Explanation, SearchResult, WeakItem
from simonides.recall.store_view import viewing
from simonides.recall.unmatched import unmatched
from simonides.upkeep.ground import Order
from simonides.upkeep.growth import MOST_PERIODS, growth

if TYPE_CHECKING:
    from simonides.recall.graph import Graph
    from simonides.upkeep.jobs.retract import Derived
    from simonides.upkeep.runner import Progress as RunProgress
    from simonides.writing.record import Progress
    from simonides.writing.transfer import LoadResult

_log = logging.getLogger(__name__)
_DEEPEST: Final = 5
#: Items that an export reads at once.
_EXPORTED: Final = 500
#: Hits from which a context is put together.
_CONTEXT_HITS: Final = 40
#: Hits of which words may mean one.
_MEANT_HITS: Final = 5

__all__ = ["PROFILES", "Memory", "SearchFields"]


class Memory(Closing):
    """Long-term memory in one file.

    Args:
        path: The store; made if it does not exist. A file, or a URL such as `sqlite:///notes.db`, of another scheme
            where a package offers one. None for the settings' path, `SIMONIDES_DB`, or a file in the user's data
            directory.
        settings: None reads the user's own `simonides.toml` and the environment.
        clock, embedder, reranker, model, agenda, consolidator, policy: Take the place of what the settings name.
        read_only: Open without changing the file.
        tenant: Whose store it is, where the address is that of a database; settings name another.

    Raises:
        StoreError: The file cannot be used; the message says why and what helps.
        InvalidSettings: A setting is unknown or out of range.

    Safe to use from several threads; several processes may open the same file.
    """

    def __init__(self, path: str | Path | None = None, **options: Unpack[Options]) -> None:
        self._closed = False
        self._parts: Parts = compose(None if path is None else address_of(path), options)

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
        from simonides.parts.adding import add  # noqa: PLC0415 - a process that only reads loads no policy

        return add(self._parts, content, place, given, callback(progress), actor)

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
        place, given = place_of(self.propose, scope, whose), listed(proposals, "proposals")
        session = session_id if session_id is not None else run_id
        if session is not None:
            session = short_text(session, name="session_id")
        counted = str(place) if caller is None else short_text(caller, name="the caller")
        from simonides.parts.adding import propose  # noqa: PLC0415 - as above
        from simonides.writing.intake import Intake  # noqa: PLC0415

        intake = Intake.of_model(
            self._parts.clock.now(),
            self._parts.taxonomy,
            actor=acting(self._parts, actor),
            source_id=word(source, "the source"),
            confirmed=flag(confirmed, "confirmed"),
        )
        heard = () if user_said is None else self._parts.recorder.heard(user_said, place)
        return propose(self._parts, given, place, session, intake, heard, caller=counted)

    def admit(self, caller: str) -> None:
        """Count a call of a tool.

        Args:
            caller: The session that it belongs to, or another name for who calls.

        Raises:
            RateLimited: There were too many; nothing was done. The error says when to try again.
        """
        now = self._parts.clock.now()
        wait_us = self._parts.limiter.wait_us(short_text(caller, name="the caller"), now)
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
        from simonides.upkeep.jobs.turns import Wanted  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        named = None if session_id is None else short_text(session_id, name="session_id")
        only_due, dry_run, progress = flag(due_only, "due_only"), flag(dry_run, "dry_run"), callback(progress)
        if not dry_run:
            self._parts.uses.flush()
        place = looked_from(scope)
        wanted = Wanted(visible(place), named, only_due, ends=named is None and not dry_run)
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
                came next, in `missed`; `group="session"` gives one hit for each session, its best turn, ranked by
                what its turns say together, and what is in none by itself; it follows no agenda; `statements_first`
                puts what states something before what only asks, does not know or acknowledges, looks further where
                most of the nearest does, tells the same once, and leaves out the question itself; `noted=False`
                leaves no trace: nothing counts as used, for whoever only looks.

        Returns:
            Hits, best first, and whether it abstained, what was hidden, and what did not work.

        Raises:
            InvalidInput: A filter is unknown or cannot be read.
        """
        require_known(fields, self.search, SearchFields)
        return search(
            self._parts,
            query_of(self._parts, question(query), scope, k, fields),
            archived=fields.get("archived") is True,
            statements_first=fields.get("statements_first") is True,
        )

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
            **fields: As `search` takes them; `noted=False` only shows what a prompt would be given: no injection is
                put on record.

        Returns:
            The text with its items. Only what may be injected is in it, and nothing of it counts as
            used. `why(injection_id)` tells later what it was.
        """
        require_known(fields, self.context, SearchFields)
        if not isinstance(around, Surroundings):
            raise InvalidInput(f"around is Surroundings, not {type(around).__name__}")
        request = query_of(self._parts, question(query), scope, _CONTEXT_HITS, fields)
        return context_of(
            self._parts, request, max_tokens=max_tokens, mode=mode, ids=flag(ids, "ids"), around=around
        )

    def core_profile(
        self, *, scope: str | Scopes | None = None, max_tokens: int = PROFILE_TOKENS, **whose: Unpack[Whose]
    ) -> ContextResult:
        """The core profile for a system prompt: what is pinned, most important first, within a budget.

        Changes nothing, and changes itself only when what is pinned does.
        """
        require_known(whose, self.core_profile, Whose)
        chosen = replace(selection(self._parts, scope, whose), injectable=True, pinned=True)
        return core_profile_of(self._parts, chosen, count(max_tokens, "max_tokens"))

    def mark_used(self, item_ids: Iterable[str], *, session_id: str | None = None) -> None:
        """Note that items served somebody, best first: each counts as used, once in a session.

        What `get(used=True)` reads and the most relevant hits of a `search` that is sure are noted by themselves; this
        is for what else helped. Ids that are unknown, or quarantined, count for nothing.
        """
        named, session = words(item_ids, "item_ids"), session_of(self._parts, session_id, "session_id")
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
        session, uses = session_of(self._parts, asked_in, "asked_in"), flag(used, "used")
        item = found_item(self._parts, item_id, scope)
        if uses:
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
        chosen, most = selection(self._parts, scope, fields), count(limit, "limit")
        first = checked_offset(offset)
        with self._parts.reading_all() as views:
            if not fields.get("archived") or views.there is None:
                items = views.here.load(keys := views.here.keys(chosen, limit=first + most)[first:])
                return [items[key] for key in keys]
            here = views.here.select(chosen, limit=first + most).values()
            there = views.there.select(chosen, limit=first + most)
            moved = [item for item in there.values() if views.moved(item.id)]
            return builtins.list(merge(here, moved, key=_made_at, reverse=True))[first : first + most]

    def page(
        self,
        *,
        scope: str | Scopes | None = None,
        limit: int = 100,
        cursor: str | None = None,
        **fields: Unpack[ReadFields],
    ) -> ItemPage:
        """Items that pass the filters, newest first, page by page.

        What passes them all the while is told once, whatever is written or purged meanwhile; what comes after the
        first page was read is told by none. Of `archived` items those in the archive file come last.

        Args:
            limit: Most items of the page.
            cursor: That of the page before; None for the first page.

        Raises:
            InvalidInput: The cursor is none of a page, or a filter cannot be read.
        """
        require_known(fields, self.page, ReadFields)
        chosen, most, last = selection(self._parts, scope, fields), count(limit, "limit"), Position.of(cursor)
        positions: builtins.list[tuple[Item, Position]] = []
        with self._parts.reading_all() as views:
            if not last.archive:
                here = views.here.select(chosen, limit=most + 1, after=last.key)
                positions = [(item, Position(key)) for key, item in here.items()]
            if fields.get("archived") and views.there is not None and len(positions) <= most:
                behind = last.key if last.archive else None
                there = views.there.select(chosen, limit=most + 1 - len(positions), after=behind)
                positions += [(item, Position(key, archive=True)) for key, item in there.items()]
            items = [item for item, at in positions[:most] if not at.archive or views.moved(item.id)]
            hints = () if items or cursor is not None else unmatched(views.here, chosen)
        return ItemPage(tuple(items), positions[most - 1][1].cursor if len(positions) > most else None, hints)

    def resolve(self, target: str, *, scope: str | Scopes | None = None) -> Item | Candidates:
        """Find the item that an id or words mean. Changes nothing, and nothing counts as used.

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
        request = query_of(self._parts, valid_text(target, name="the target"), scope, _MEANT_HITS, {})
        return resolved(meant(self._parts, request), target)

    def meant(self, target: str, *, scope: str | Scopes | None = None) -> Item | Candidates:
        """Former name of `resolve`."""
        warnings.warn("Memory.meant is called Memory.resolve now", DeprecationWarning, stacklevel=2)
        return self.resolve(target, scope=scope)

    def _to_change(self, target: str, scope: str | None) -> Item | Candidates:
        """The item that an id or words mean, for a change: words mean one in sight of a scope, not anybody's."""
        if looked_from(scope) is ALL and not is_id(target):
            raise InvalidScope("words mean an item from one scope; ALL is for reading only, or name its id")
        return self.resolve(target, scope=scope)

    def history(self, item_id: str) -> builtins.list[Revision]:
        """Every state of an item and of those it replaced or that replaced it, oldest first.

        Raises:
            NotFound: There is no such item.
        """
        found_item(self._parts, item_id, ALL)
        with self._parts.reading_all() as views:
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
        """Surroundings of an item: linked items, and the entities they mention.

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
        from simonides.recall.graph import Walk, graph_of  # noqa: PLC0415 - most processes draw none

        found_item(self._parts, item_id, scope)
        if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= _DEEPEST:
            raise InvalidInput(f"depth must be a whole number from 0 to {_DEEPEST}, got {shown(depth)}")
        walk = Walk(
            Selection(scopes=visible(looked_from(scope)), live_at=self._parts.clock.now()),
            frozenset(Relation if relations is None else map(relation, words(relations, "relations"))),
            depth,
            count(limit, "limit"),
        )
        with self._parts.reading() as reader:
            key = reader.key(item_id)
            return graph_of(reader, [] if key is None else [key], walk)

    def timeline(
        self, *, scope: str | Scopes | None = None, limit: int = 100, **fields: Unpack[ReadFields]
    ) -> builtins.list[Item]:
        """Items in the order in which what they tell happened, oldest first; of many the latest."""
        require_known(fields, self.timeline, ReadFields)
        chosen, most = selection(self._parts, scope, fields), count(limit, "limit")
        with self._parts.reading() as reader:
            return builtins.list(reader.select(chosen, ItemOrder.LATEST, limit=most).values())[::-1]

    def explain(self, item_id: str) -> Explanation:
        """Explain why an item is there and what it is worth: provenance, verdict, history, links, confidence now.

        Raises:
            NotFound: There is no such item.
        """
        return explain(self._parts, item_id)

    def weak(
        self, *, scope: str | Scopes | None = None, below: float = 0.3, limit: int = 20
    ) -> builtins.list[WeakItem]:
        """Items whose effective confidence has sunk below a bound, lowest first."""
        now = self._parts.clock.now()
        weakness = Weakness(now, finite(below, "below"))
        chosen = replace(selection(self._parts, scope, {}), weak=weakness)
        with self._parts.reading() as reader:
            items = reader.select(chosen, ItemOrder.WEAKEST, limit=count(limit, "limit"))
        return [WeakItem(item, confidence_of(item, now)) for item in items.values()]

    def why(self, injection_id: str) -> Injection:
        """Explain an injection: what it put into a prompt, for which question and why, and how its items stand now.

        Raises:
            NotFound: No injection has this id.
        """
        return explain_injection(self._parts, short_text(injection_id, name="the injection"))

    def injections(self, session_id: str | None = None, limit: int = 20) -> builtins.list[Injection]:
        """Injections into prompts, newest first."""
        with self._parts.reading() as reader:
            return reader.injections(count(limit, "limit"), session_id=word(session_id, "session_id"))

    def stats(self, *, scope: str | Scopes | None = ALL) -> Mapping[str, Any]:
        """Counts by tier, type, status and scope, vectors by model, the size of the file; and of its archive file.

        `merges` tells what consolidation has come to: chains, originals, their mean, median and longest length, the
        share that come from one source, and how far apart the originals of a chain are.
        """
        return count_stored(self._parts, visible(looked_from(scope)))

    def growth(self, *, scope: str | Scopes | None = ALL, by: str = "day", last: int = 30) -> Growth:
        """Growth of the store by day or week: what came, was merged, rose and went, and what stood then.

        It is counted from revisions and runs, the newest ones: periods that lie before those are left out. What was
        purged is not told any more.

        Args:
            scope: What is seen from it is counted, items and runs; `ALL` for everything.
            by: `day` or `week`, in UTC.
            last: How many periods, the present one included, 1 to 1000.
        """
        periods = count(last, "last", MOST_PERIODS)
        with self._parts.reading_all() as views:
            return growth(views, visible(looked_from(scope)), self._parts.clock.now(), by, periods)

    # Changing

    def update(self, item_id: str, *, actor: str = "user", **changes: Any) -> Verdict:
        """Change fields of an item; the former state stays in its history.

        With another content those of title, tags and entities go that repeat what only the former one said.

        Args:
            actor: Who does it: `user`, `cli`, `api`, or the name of a model, which changes only what it wrote.

        Returns:
            `accepted`, or `rejected` with reasons; then nothing was changed.

        Raises:
            NotFound: There is no such item.
            InvalidInput: A field cannot be updated or its value cannot be used.
            NeedsApproval: The actor is a model, and it is not its own; `review.ask` lets it wait for a person.
        """
        return update(self._parts, item_of(self._parts, item_id), changes, actor=acting(self._parts, actor))

    def correct(
        self, target: str, content: str, *, scope: str | None = None, actor: str = "user"
    ) -> Verdict | Candidates:
        """Replace what an item says; the old one ends now and stays in the history.

        Of its title, tags and entities those go that repeat what only the former content said.

        Args:
            target: An id, or words that say which item is meant.
            scope: From where to look; words never mean an item of everywhere.
            actor: Who does it.

        Returns:
            A verdict; or candidates, and nothing changed, where the words fit no item well or several.

        Raises:
            NeedsApproval: The actor is a model, and it is not its own.
            NotFound: There is no item with this id.
            InvalidScope: The scope is `ALL`, and the target words.
        """
        valid_text(content, name="the content")
        to_change = self._to_change(target, scope)
        if not isinstance(to_change, Item):
            return to_change
        return correct(
            self._parts, item_of(self._parts, to_change.id), content, actor=acting(self._parts, actor)
        )

    def forget(
        self,
        target: str,
        *,
        scope: str | None = None,
        keep_derived: bool = False,
        actor: str = "user",
    ) -> Item | Candidates:
        """Take an item out of recall. Nothing is deleted: it is archived; `purge` deletes.

        What was made from it (`derived`) is held back for review, or put together without it; that is a run
        of its own, which `undo` takes back.

        Args:
            target: An id, or words that say which item is meant.
            scope: From where to look; words never mean an item of everywhere.
            keep_derived: Leave what was made from it as it is.
            actor: Who does it.

        Returns:
            The archived item; or candidates, and nothing changed.

        Raises:
            NeedsApproval: The actor is a model, and it is not its own.
            InvalidScope: The scope is `ALL`, and the target words.
            Conflict: Something that was made from it is being changed at present; nothing was forgotten.
        """
        keeps = flag(keep_derived, "keep_derived")
        to_change = self._to_change(target, scope)
        if not isinstance(to_change, Item):
            return to_change
        try:
            with self._parts.store.freeing():
                return forget(
                    self._parts, to_change, actor=acting(self._parts, actor), keep_derived=keeps
                ).item
        except NotFound:
            item_of(self._parts, to_change.id)  # Of one in the archive file it says so.
            raise

    def derived(self, *item_ids: str, purge: bool = False) -> builtins.list[Derived]:
        """Items that were made from others, and from those in turn, nearest first, with what `forget` does to each.

        Args:
            purge: Tell what `purge` does with it instead.

        Raises:
            NotFound: There is no item with one of these ids.
        """
        from simonides.upkeep.jobs.retract import derived, planned  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        purges = flag(purge, "purge")
        for item_id in item_ids:
            found_item(self._parts, item_id, ALL)
        with self._parts.reading_all() as views:
            retracted = derived(views, item_ids)
            reached = reach()
            plan = planned(
                views, item_ids, [one for one in retracted if reached(one.item.scope)], purge=purges
            )
        return [plan.of(one) for one in retracted]

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
        by = person_or_engine(self._parts, actor)
        found_item(self._parts, item_id, ALL)
        verdict = self._parts.restorer.restore(item_id, actor=by)
        return replace(verdict, reasons=(*verdict.reasons, *tell_again(self._parts, item_id)))

    def confirm(self, item_id: str, *, actor: str = "user") -> Item:
        """Make an item certain: confidence 1, verified, no decay. What a model confirms of its own only rises.

        What contradicted it ends, unless it is verified or pinned itself; that is a run of its own, which `undo` takes
        back.

        Raises:
            NeedsApproval: The actor is a model, and it is not its own.
            Conflict: It is quarantined or archived: `review.approve` and `restore` bring it into recall.
        """
        return confirm(self._parts, item_of(self._parts, item_id), actor=acting(self._parts, actor)).item

    def reinforce(self, item_id: str, by: float = REINFORCED_BY, *, actor: str = "user") -> Item:
        """Raise an item that proved useful. A model can raise it to 9 at most."""
        self._parts.curator.reinforce(
            item_of(self._parts, item_id), finite(by, "by"), actor=acting(self._parts, actor)
        )
        return self.get(item_id)

    def demote(self, item_id: str, by: float = DEMOTED_BY, *, actor: str = "user") -> Item:
        """Lower an item that was of no use. A model cannot lower another's item below 0."""
        self._parts.curator.demote(
            item_of(self._parts, item_id), finite(by, "by"), actor=acting(self._parts, actor)
        )
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
            Conflict: One of them is in the archive file, and has to come back first.
            InvalidInput: The relation is unknown or the engine's own.
        """
        return self._parts.curator.link(
            Link(
                src=item_of(self._parts, src).id,
                dst=item_of(self._parts, dst).id,
                rel=hand_made(rel),
                evidence=valid_text(evidence, name="the evidence") if evidence else None,
                weight=finite(weight, "weight"),
            ),
            actor=acting(self._parts, actor),
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
        A document takes its chunks along, former ones included. What corrections took over of its title, tags,
        entities and metadata goes from them, unless their content says the same.

        Args:
            *items: Ids or items, or lists of them.
            scope: Everything of exactly this scope, whatever its status, with its sessions and what was asked from
                it; what belongs to wider or narrower scopes stays. `user_id`, `agent_id` and `project` name its parts.
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
        by, keeps = person_or_engine(self._parts, actor), flag(keep_derived, "keep_derived")
        parts = dict(whose)
        named = scope is not None or any(value is not None for value in parts.values())
        place = placed(scope, parts)
        if bool(items) is named:
            raise InvalidInput("name either items or a scope to purge")
        item_ids = [] if named else ids_of(items)
        return purge(self._parts, item_ids, place if named else None, keep_derived=keeps, actor=by)

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
        where = looked_from(scope)
        storable(self._parts, str(where), "the scope")
        cause = trigger_of(self._parts, trigger)
        order = Order(scope=where, dry_run=flag(dry_run, "dry_run"), trigger=cause)
        by = person_or_engine(self._parts, actor)
        if flag(due, "due"):
            return maintain_due(self._parts, jobs, order, callback(progress), by)
        return maintain(self._parts, jobs, order, callback(progress), by, action="maintain")

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
        where = place_of(self.consolidate, scope, whose)
        storable(self._parts, str(where), "the scope")
        order = Order(
            scope=where,
            tiers=tiers_of(tiers),
            promote=flag(promote, "promote"),
            dry_run=flag(dry_run, "dry_run"),
        )
        by = person_or_engine(self._parts, actor)
        return maintain(self._parts, ["consolidate"], order, callback(progress), by, action="consolidate")

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
        by, forced, progress = person_or_engine(self._parts, actor), flag(force, "force"), callback(progress)
        self._parts.uses.flush()
        run = self._parts.upkeep.undo(short_text(run_id, name="the run"), force=forced, progress=progress)
        return note_order(self._parts, "undo", run, by)

    # Keeping

    def backfill(self, progress: Callable[[int, int], None] | None = None, *, again: bool = False) -> int:
        """Embed what has no vector of the present model, or everything again; how many were embedded.

        Names are looked for, too, in what an earlier release stored without; or in everything again.
        Stopped at any point, the next call goes on with what is missing.
        """
        everything, progress = flag(again, "again"), callback(progress)
        self._parts.names.run(again=everything)
        return self._parts.backfill.run(progress, again=everything)

    def rebuild_fts(self, *, actor: str = "user") -> None:
        """Make the text index anew from the items."""
        by = person_or_engine(self._parts, actor)
        file_of(self._parts.store, "make its text index anew").rebuild_fts()
        self._note("rebuild", by)

    def reindex(self) -> str:
        """Make the index of vectors now, if the store is large enough for one, and wait for it.

        Without it, a process that goes on searching makes it in the background. On PostgreSQL the owner of the tables
        makes it, and a worker that has the owner's address.

        Returns:
            What compares vectors now, and how many, in words.

        Raises:
            ProviderError: It cannot be made, or the embedder cannot say what its vectors are.
            StoreReadOnly: A tenant needs one, and the role does not own the tables.
        """
        store = self._parts.store
        if isinstance(store, ComparingStore) and (compared := store.index_vectors()) is not None:
            return compared
        index = self._parts.recall.index
        index.build(partial(viewing, self._parts.store))
        if index.degradations:
            raise ProviderError("; ".join(index.degradations))
        return index.describe()

    def backup(
        self, path: str | Path, progress: Callable[[float], None] | None = None, *, actor: str = "user"
    ) -> Path:
        """Copy the store, in use or not, to a path that does not exist yet."""
        by, progress = person_or_engine(self._parts, actor), callback(progress)
        copy = path_of(path).expanduser()
        self._parts.uses.settle()
        file_of(self._parts.store, "copy it").backup(copy, progress)
        if self._parts.uses.kept:
            self._note("backup", by)
        return copy

    def _note(self, action: str, actor: str) -> None:
        """Leave an event about the store as a whole; what it tells of is done, whether it can be written or not."""
        try:
            self.audit.record(AuditEvent(action=action, at=0, actor=actor))
        except StoreError as error:
            _log.warning("the log of changes does not say who asked for the %s: %s", action, error)

    def doctor(self, progress: Callable[[str, float], None] | None = None) -> Report:
        """Look for damage: file, rows against hashes, text index, links, vectors, audit chain."""
        progress = callback(progress)
        self._parts.uses.settle()
        return report_of(self._parts, tuple(self._parts.store.check(progress)))

    def export(self, *, scope: str | Scopes | None = ALL) -> Iterator[dict[str, Any]]:
        """Everything about the items of a scope, as JSON records in an order that `load` takes back."""
        self._parts.uses.settle()
        return self._parts.transfer.export(visible(looked_from(scope)))

    def export_to(
        self,
        target: str | Path,
        *,
        form: str | None = None,
        redact: Sequence[str] = (),
        force: bool = False,
        scope: str | Scopes | None = ALL,
        progress: Progress | None = None,
        **fields: Unpack[ReadFields],
    ) -> int:
        """Write memories to a file, or as notes into a folder, that only its owner reads.

        Args:
            target: Packed where it ends in `.gz`.
            form: `jsonl` (everything, for `load`), `csv` (a row for each item), or `markdown` (a note for each, which
                Obsidian opens); None goes by the ending.
            redact: What is left out of every text: `emails`, `hosts`, `paths`, `ids`, or `all`.
            force: Replace what is there, which is never a store or a part of one.
            progress: Called with how many are done.
            **fields: Filters, as of `list`. Runs of upkeep are written only without any.

        Returns:
            How many records, rows or notes.

        Raises:
            InvalidInput: There is something at the target, it belongs to a store, or a form, level or filter is
                unknown.
            StoreFull: The disk of the target is full; nothing is left there.

        Guarantees:
            What is written is there whole, or what was there before is.
        """
        from simonides.parts.exporting import Source, export_to, form_of  # noqa: PLC0415 - where something is exported

        require_known(fields, self.export_to, ReadFields)
        place = path_of(target).expanduser()
        chosen: ReadFields = fields or {"archived": True}

        def items() -> Iterator[Item]:
            cursor: str | None = None
            while True:
                page = self.page(scope=scope, limit=_EXPORTED, cursor=cursor, **chosen)
                yield from page.items
                if (cursor := page.cursor) is None:
                    return

        source = Source(lambda: self.export(scope=scope), items, bool(fields), self.path)
        kind = form_of(form, place, self.path)
        return export_to(
            source, place, form=kind, redact=redact, force=flag(force, "force"), progress=callback(progress)
        )

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
        given: object = records
        if isinstance(given, str | bytes | bytearray | Mapping) or not isinstance(given, Iterable):
            kind = type(records).__name__
            raise InvalidInput(f"records are those of export, one by one, not {kind}")
        return self._parts.transfer.load(records, callback(progress), trusted=flag(trusted, "trusted"))

    def import_from(
        self,
        kind: str,
        path: str | Path,
        *,
        scope: str | None = None,
        mapping: Mapping[str, str] | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
        **whose: Unpack[Whose],
    ) -> ImportReport:
        """Take in what another memory or program kept, past the policy.

        Args:
            kind: Kind of the source: `chatgpt`, `claude-code`, `mem0` and so on.
            path: File or folder.
            scope: Where it belongs; what the source tells of users, agents and projects fills what this leaves open.
            mapping: Of `jsonl` and `csv`, which of its fields holds what: `{"content": "text"}`.
            dry_run: Tell what would be taken; change nothing.
            progress: Called with how much is done.

        Returns:
            How many items, turns, records and links ended how, and the place of each refusal.

        Raises:
            InvalidInput: There is no such kind, or the source is none of it; nothing was taken.
            ProviderUnavailable: The package of the kind cannot be imported.

        Guarantees:
            What `progress` was told of is durable. Importing again goes on: what was brought already is merged, and
            stays as it is here now.
        """
        from simonides.parts.importing import import_from  # noqa: PLC0415 - most processes import nothing

        place, source = place_of(self.import_from, scope, whose), path_of(path).expanduser()
        only_told = flag(dry_run, "dry_run")
        return import_from(
            self._parts, kind, source, place, mapping=mapping, dry_run=only_told, progress=callback(progress)
        )

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
                if (upkeep := self._parts.upkeep_made) is not None:
                    last_first.callback(upkeep.close)

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
    def records(self) -> Records:
        """JSON values that programs keep under keys."""
        return Records(self._parts)

    @property
    def documents(self) -> Documents:
        """Files in corpora, cut into chunks that searches find."""
        return Documents(self._parts)

    @property
    def review(self) -> Review:
        """Quarantined items that wait for a decision."""
        return Review(self._parts)

    @property
    def sessions(self) -> Sessions:
        """Conversations."""
        return Sessions(self._parts)

    @property
    def runs(self) -> Runs:
        """Runs of upkeep."""
        return Runs(self._parts)

    @property
    def schedule(self) -> Schedule:
        """The schedule of upkeep."""
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
    def local(self) -> bool:
        """True if no search and no write asks a server: embedder, reranker and auditor work in this process."""
        parts = self._parts
        return parts.embedder.local and parts.reranker is None and not parts.settings.policy.auditor

    @property
    def path(self) -> Path | None:
        """The file; None where the store is none."""
        store = self._parts.store
        return store.path if isinstance(store, FileStore) else None


def _made_at(item: Item) -> tuple[int, str]:
    return item.created_at, item.id
