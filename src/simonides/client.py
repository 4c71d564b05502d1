"""The client of a server: `Client` and `AsyncClient`, with the verbs, values and errors of `Memory`.

Code moves from the library to a server by one line: `Client("http://127.0.0.1:11436", key)` instead of `Memory(path)`.
"""

from __future__ import annotations

import builtins
import functools
import json
import re
import types
from collections import Counter
from collections.abc import (
    AsyncGenerator,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import field, fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import (
    Any,
    Concatenate,
    Final,
    Generic,
    ParamSpec,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import quote

from simonides.domain.actor import is_model, valid_actor
from simonides.domain.address import path_of
from simonides.domain.document import Comparison, Corpus, Document
from simonides.domain.entity import Entity, EntityProfile, EntityType, Related
from simonides.domain.extraction import ExtractReport
from simonides.domain.growth import Growth
from simonides.domain.importing import ImportReport, RefusedPart
from simonides.domain.instant import Moment, instant, iso
from simonides.domain.item import Item
from simonides.domain.link import Link
from simonides.domain.page import ItemPage
from simonides.domain.record import FoundRecord, Record, RecordVersion
from simonides.domain.records import AuditEvent, Injection, Place, Revision, Session
from simonides.domain.run import Run
from simonides.domain.scope import ALL, Scope, Scopes, looked_from
from simonides.domain.text import valid_text
from simonides.domain.verdict import AddResult, Verdict
from simonides.errors import (
    Forbidden,
    InvalidAnswer,
    InvalidInput,
    InvalidScope,
    NotFound,
    NotInstalled,
    ProviderUnavailable,
    RateLimited,
    SimonidesError,
    WrongToken,
)
from simonides.language.same_names import Alike
from simonides.parts.arguments import Whose, checked_offset, count, finite, id_of, require_known
from simonides.parts.review import Contradicted, Quarantined
from simonides.ports.store import Report, StoredVerdict
from simonides.recall.assemble import PROFILE_TOKENS, ContextResult
from simonides.recall.graph import Graph
from simonides.recall.result import Candidates, Explanation, Hit, SearchResult, WeakItem
from simonides.upkeep.jobs.retract import Derived
from simonides.values import dataclass
from simonides.writing.transfer import LoadResult

try:
    import httpx
except ImportError as error:
    raise NotInstalled.of("httpx", extra="client") from error

T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")
S = TypeVar("S", bound="_Place")
#: A verb: it yields requests, is sent what they are answered with, and returns its value. It does no I/O itself.
Verb: TypeAlias = Generator["VerbRequest", Any, R]

_TIMEOUT_S: Final = 60.0
_MOST: Final = 1000
_PARTS: Final = {"user_id": "user", "agent_id": "agent", "project": "project"}
_LINES: Final = "application/x-ndjson"
_FILE: Final = "application/octet-stream"
#: What a server's door says with many a code.
_DOOR: Final[Mapping[int, type[SimonidesError]]] = {401: WrongToken, 403: Forbidden}
#: Characters of a file's name that a server does not take.
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class VerbRequest:
    """A request to the server.

    Attributes:
        place: Scope and actor, as headers, in UTF-8.
        given: Fields; in the query of GET and DELETE, else in the body.
        body: A body that is no JSON instead; `kind` is its content type.
    """

    method: str
    path: str
    place: Mapping[str, bytes]
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: bytes | None = None
    kind: str = _LINES

    def options(self) -> dict[str, Any]:
        """Arguments of the HTTP client."""
        headers = [(name.encode(), value) for name, value in self.place.items()]
        found: dict[str, Any] = {"headers": headers}
        if self.body is not None:
            headers.append((b"content-type", self.kind.encode()))
            return found | {"content": self.body, "params": _in_query(self.given)}
        if self.method in {"GET", "DELETE"}:
            return found | {"params": _in_query(self.given)}
        return found | {"json": _json(dict(self.given))}


class _Place:
    """Scope in which verbs work where they are told none."""

    def __init__(self, scope: str | Scopes | None) -> None:
        self._scope = scope

    def _wire(
        self,
        method: str,
        path: str,
        given: Mapping[str, Any],
        *,
        scope: str | Scopes | None = None,
        actor: str | None = None,
        words: Sequence[str] = (),
    ) -> VerbRequest:
        """A request, with what was given but for what is None; words of the path stand in for `{}`."""
        fields = {name: value for name, value in given.items() if value is not None}
        parts = {key: fields.pop(name, None) for name, key in _PARTS.items()}
        place = looked_from(self._scope if scope is None else scope)
        if isinstance(place, Scope):
            place = place.narrowed(**parts)
        headers: dict[str, bytes] = {}
        if place != "global":
            headers["X-Simonides-Scope"] = _header("*" if place is ALL else str(place), "the scope")
        if actor is not None and is_model(valid_actor(actor)):
            headers["X-Simonides-Actor"] = _header(actor, "the actor")
        words = [id_of(word) if path.startswith("/v1/memories/{}") else _named(word) for word in words]
        return VerbRequest(method, path.format(*(quote(word, safe="") for word in words)), headers, fields)


class Verbs(_Place):
    """The verbs of `Memory`, as requests. Each is called as there, and answers as there."""

    def add(
        self, content: Any, *, scope: str | None = None, actor: str = "user", **fields: Any
    ) -> Verb[AddResult]:
        """As `Memory.add`."""
        given = {"content": _plain(content), **fields}
        return AddResult.from_dict(
            (yield self._wire("POST", "/v1/memories", given, scope=scope, actor=actor))
        )

    def propose(
        self,
        proposals: Sequence[Mapping[str, Any]],
        *,
        scope: str | None = None,
        session_id: str | None = None,
        source: str | None = None,
        actor: str = "model",
        user_said: str | None = None,
        **whose: Any,
    ) -> Verb[AddResult]:
        """As `Memory.propose`."""
        given = {
            "proposals": list(proposals),
            "session_id": session_id,
            "source": source,
            "user_said": user_said,
        }
        return AddResult.from_dict(
            (yield self._wire("POST", "/v1/proposals", given | whose, scope=scope, actor=actor))
        )

    def search(
        self, query: str, *, scope: str | Scopes | None = None, k: int | str = 10, **fields: Any
    ) -> Verb[SearchResult]:
        """As `Memory.search`; the trace of an agenda stays behind."""
        given = {"query": query, "k": k, **fields}
        return SearchResult.from_dict((yield self._wire("POST", "/v1/search", given, scope=scope)))

    def context(
        self,
        query: str,
        *,
        scope: str | Scopes | None = None,
        max_tokens: int | str | None = None,
        mode: str = "context",
        ids: bool = False,
        **fields: Any,
    ) -> Verb[ContextResult]:
        """As `Memory.context`."""
        given = {"query": query, "max_tokens": max_tokens, "mode": mode, "ids": ids, **fields}
        return ContextResult.from_dict((yield self._wire("POST", "/v1/context", given, scope=scope)))

    def core_profile(
        self, *, scope: str | Scopes | None = None, max_tokens: int = PROFILE_TOKENS, **whose: Any
    ) -> Verb[ContextResult]:
        """As `Memory.core_profile`."""
        given = {"max_tokens": max_tokens, **whose}
        return ContextResult.from_dict((yield self._wire("GET", "/v1/core-profile", given, scope=scope)))

    def mark_used(self, item_ids: Iterable[str], *, session_id: str | None = None) -> Verb[None]:
        """As `Memory.mark_used`."""
        yield self._wire("POST", "/v1/uses", {"item_ids": list(item_ids), "session_id": session_id})

    def get(self, item_id: str, *, scope: str | Scopes | None = None) -> Verb[Item]:
        """As `Memory.get`."""
        return Item.from_dict((yield self._wire("GET", "/v1/memories/{}", {}, scope=scope, words=[item_id])))

    def page(
        self, *, scope: str | Scopes | None = None, limit: int = 100, cursor: str | None = None, **fields: Any
    ) -> Verb[ItemPage]:
        """As `Memory.page`."""
        given = {"limit": limit, "cursor": cursor, **fields}
        return ItemPage.from_dict((yield self._wire("GET", "/v1/memories", given, scope=scope)))

    def list(
        self, *, scope: str | Scopes | None = None, limit: int = 100, offset: int = 0, **fields: Any
    ) -> Verb[builtins.list[Item]]:
        """As `Memory.list`, read page by page."""
        found: builtins.list[Item] = []
        cursor: str | None = None
        limit, first = count(limit, "limit"), checked_offset(offset)
        while len(found) < first + limit:
            page = yield from self.page(
                scope=scope, limit=min(_MOST, first + limit - len(found)), cursor=cursor, **fields
            )
            found += page.items
            if (cursor := page.cursor) is None:
                break
        return found[first : first + limit]

    def timeline(
        self, *, scope: str | Scopes | None = None, limit: int = 100, **fields: Any
    ) -> Verb[builtins.list[Item]]:
        """As `Memory.timeline`."""
        return _each(Item, (yield self._wire("GET", "/v1/timeline", {"limit": limit, **fields}, scope=scope)))

    def weak(
        self, *, scope: str | Scopes | None = None, below: float = 0.3, limit: int = 20
    ) -> Verb[builtins.list[WeakItem]]:
        """As `Memory.weak`."""
        given = {"below": below, "limit": limit}
        return _each(WeakItem, (yield self._wire("GET", "/v1/weak", given, scope=scope)))

    def resolve(self, target: str, *, scope: str | Scopes | None = None) -> Verb[Item | Candidates]:
        """As `Memory.resolve`."""
        return _one_or_several((yield self._wire("POST", "/v1/resolve", {"target": target}, scope=scope)))

    def history(self, item_id: str) -> Verb[builtins.list[Revision]]:
        """As `Memory.history`."""
        return _each(Revision, (yield self._wire("GET", "/v1/memories/{}/history", {}, words=[item_id])))

    def explain(self, item_id: str) -> Verb[Explanation]:
        """As `Memory.explain`."""
        return _as(Explanation, (yield self._wire("GET", "/v1/memories/{}/explanation", {}, words=[item_id])))

    def derived(self, item_id: str, *, purge: bool = False) -> Verb[builtins.list[Derived]]:
        """As `Memory.derived`, of one item."""
        given = {"purge": purge}
        return _each(Derived, (yield self._wire("GET", "/v1/memories/{}/derived", given, words=[item_id])))

    def graph(
        self,
        item_id: str,
        *,
        depth: int = 1,
        relations: Sequence[str] | None = None,
        scope: str | Scopes | None = None,
        limit: int = 100,
    ) -> Verb[Graph]:
        """As `Memory.graph`."""
        given = {"depth": depth, "relations": relations, "limit": limit}
        return _as(
            Graph, (yield self._wire("GET", "/v1/memories/{}/graph", given, scope=scope, words=[item_id]))
        )

    def why(self, injection_id: str) -> Verb[Injection]:
        """As `Memory.why`, without how its items stand now."""
        return _injection((yield self._wire("GET", "/v1/injections/{}", {}, words=[injection_id])))

    def injections(self, session_id: str | None = None, limit: int = 20) -> Verb[builtins.list[Injection]]:
        """As `Memory.injections`."""
        given = {"session_id": session_id, "limit": limit}
        return [_injection(one) for one in (yield self._wire("GET", "/v1/injections", given))["items"]]

    def stats(self, *, scope: str | Scopes | None = None) -> Verb[Mapping[str, Any]]:
        """As `Memory.stats`."""
        return (yield self._wire("GET", "/v1/stats", {}, scope=scope))

    def growth(self, *, scope: str | Scopes | None = None, by: str = "day", last: int = 30) -> Verb[Growth]:
        """As `Memory.growth`."""
        return _as(Growth, (yield self._wire("GET", "/v1/growth", {"by": by, "last": last}, scope=scope)))

    def update(self, item_id: str, *, actor: str = "user", **changes: Any) -> Verb[Verdict]:
        """As `Memory.update`."""
        wire = self._wire("PATCH", "/v1/memories/{}", {}, actor=actor, words=[item_id])
        return Verdict.from_dict((yield VerbRequest(wire.method, wire.path, wire.place, changes)))

    def correct(
        self, target: str, content: str, *, scope: str | None = None, actor: str = "user"
    ) -> Verb[Verdict | Candidates]:
        """As `Memory.correct`."""
        given = {"target": target, "content": content}
        found = yield self._wire("POST", "/v1/correct", given, scope=scope, actor=actor)
        return _candidates(found) if found["verdict"] is None else Verdict.from_dict(found["verdict"])

    def forget(
        self, target: str, *, scope: str | None = None, keep_derived: bool = False, actor: str = "user"
    ) -> Verb[Item | Candidates]:
        """As `Memory.forget`."""
        given = {"target": target, "keep_derived": keep_derived}
        return _one_or_several((yield self._wire("POST", "/v1/forget", given, scope=scope, actor=actor)))

    def restore(self, item_id: str, *, actor: str = "user") -> Verb[Verdict]:
        """As `Memory.restore`."""
        wire = self._wire("POST", "/v1/memories/{}/restore", {}, actor=actor, words=[item_id])
        return Verdict.from_dict((yield wire))

    def confirm(self, item_id: str, *, actor: str = "user") -> Verb[Item]:
        """As `Memory.confirm`."""
        wire = self._wire("POST", "/v1/memories/{}/confirm", {}, actor=actor, words=[item_id])
        return Item.from_dict((yield wire))

    def reinforce(self, item_id: str, by: float | None = None, *, actor: str = "user") -> Verb[Item]:
        """As `Memory.reinforce`."""
        wire = self._wire("POST", "/v1/memories/{}/reinforce", {"by": by}, actor=actor, words=[item_id])
        return Item.from_dict((yield wire))

    def demote(self, item_id: str, by: float | None = None, *, actor: str = "user") -> Verb[Item]:
        """As `Memory.demote`."""
        wire = self._wire("POST", "/v1/memories/{}/demote", {"by": by}, actor=actor, words=[item_id])
        return Item.from_dict((yield wire))

    def link(
        self,
        src: str,
        dst: str,
        rel: str = "references",
        *,
        evidence: str | None = None,
        weight: float = 1.0,
        actor: str = "user",
    ) -> Verb[Link]:
        """As `Memory.link`."""
        given = {"src": src, "dst": dst, "rel": rel, "evidence": evidence, "weight": weight}
        return Link.from_dict((yield self._wire("POST", "/v1/links", given, actor=actor)))

    def purge(
        self,
        *items: str | Item | Iterable[str | Item],
        scope: str | None = None,
        keep_derived: bool = False,
        **whose: Any,
    ) -> Verb[Mapping[str, int]]:
        """As `Memory.purge`."""
        scope = self._purged(scope, whose)
        named = [str(one.id if isinstance(one, Item) else one) for group in items for one in _several(group)]
        given = {"item_ids": named or None, "scope": scope, "keep_derived": keep_derived}
        return (yield self._wire("POST", "/v1/purge", given, scope=scope))

    def _purged(self, scope: str | None, whose: Mapping[str, Any]) -> str | None:
        """The scope that is to be purged; None where none is named."""
        require_known(whose, self.purge, Whose)
        parts = {_PARTS[name]: value for name, value in whose.items() if value is not None}
        if not parts:
            return scope
        place = looked_from(self._scope if scope is None else scope)
        if not isinstance(place, Scope):
            raise InvalidScope("each scope that is purged is named; ALL and several are none")
        return str(place.narrowed(**parts))

    def maintain(
        self,
        jobs: Sequence[str] | None = None,
        *,
        scope: str | Scopes | None = None,
        dry_run: bool = False,
        actor: str = "user",
    ) -> Verb[Run]:
        """As `Memory.maintain`, in the client's scope if none is named."""
        given = {"jobs": jobs, "dry_run": dry_run}
        return Run.from_dict((yield self._wire("POST", "/v1/runs", given, scope=scope, actor=actor)))

    def consolidate(
        self,
        *,
        scope: str | None = None,
        tiers: Sequence[str] = ("stm",),
        promote: bool = True,
        dry_run: bool = False,
        actor: str = "user",
        **whose: Any,
    ) -> Verb[Run]:
        """As `Memory.consolidate`."""
        given = {"tiers": list(tiers), "promote": promote, "dry_run": dry_run, **whose}
        return Run.from_dict((yield self._wire("POST", "/v1/consolidate", given, scope=scope, actor=actor)))

    def extract(
        self,
        *,
        scope: str | Scopes = ALL,
        session_id: str | None = None,
        due_only: bool = False,
        dry_run: bool = False,
    ) -> Verb[ExtractReport]:
        """As `Memory.extract`, with a key of `global`."""
        given = {"session_id": session_id, "due_only": due_only, "dry_run": dry_run}
        return ExtractReport.from_dict((yield self._wire("POST", "/v1/extract", given, scope=scope)))

    def backfill(self, *, again: bool = False) -> Verb[int]:
        """As `Memory.backfill`, with a key of `global`."""
        return (yield self._wire("POST", "/v1/backfill", {"again": again}, scope=ALL))["embedded"]

    def reindex(self) -> Verb[str]:
        """As `Memory.reindex`, with a key of `global`."""
        return (yield self._wire("POST", "/v1/reindex", {}, scope=ALL))["index"]

    def rebuild_fts(self, *, actor: str = "user") -> Verb[None]:
        """As `Memory.rebuild_fts`, with a key of `global`."""
        yield self._wire("POST", "/v1/rebuild_fts", {}, scope=ALL, actor=actor)

    def doctor(self) -> Verb[Report]:
        """As `Memory.doctor`, with a key of `global`."""
        return _as(Report, (yield self._wire("POST", "/v1/doctor", {})))

    def import_from(
        self,
        kind: str,
        path: str | Path,
        *,
        scope: str | None = None,
        mapping: Mapping[str, str] | None = None,
        dry_run: bool = False,
        **whose: Any,
    ) -> Verb[ImportReport]:
        """As `Memory.import_from`, of a file, which is sent."""
        name, body = _sent_file(path)
        pairs = None if mapping is None else [f"{what}={field}" for what, field in mapping.items()]
        given = {"name": name, "mapping": pairs, "dry_run": dry_run, **whose}
        wire = self._wire("POST", "/v1/import/{}", given, scope=scope, words=[kind])
        return _import_report((yield replace(wire, body=body, kind=_FILE)))

    def undo(self, run_id: str, *, force: bool = False, actor: str = "user") -> Verb[Run]:
        """As `Memory.undo`."""
        wire = self._wire("POST", "/v1/runs/{}/undo", {"force": force}, actor=actor, words=[run_id])
        return Run.from_dict((yield wire))

    def load(self, records: Iterable[Mapping[str, Any]], *, trusted: bool = False) -> Verb[LoadResult]:
        """As `Memory.load`."""
        wire = self._wire("POST", "/v1/import", {"trusted": trusted})
        lines = b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)
        found = yield replace(wire, body=lines)
        return LoadResult(tuple(map(Verdict.from_dict, found["verdicts"])))


class PalaceVerbs(_Place):
    """The verbs of `Memory.palace`."""

    def list(
        self, domain: str | None = None, room: str | None = None, *, scope: str | Scopes | None = None
    ) -> Verb[dict[str, int]]:
        """As `Palace.list`."""
        given = {"domain": domain, "room": room}
        return (yield self._wire("GET", "/v1/palace", given, scope=scope))["places"]

    def rooms(self, *, scope: str | Scopes | None = None) -> Verb[dict[tuple[str, str], int]]:
        """As `Palace.rooms`."""
        found = yield self._wire("GET", "/v1/palace/rooms", {}, scope=scope)
        return {(one["domain"], one["room"]): one["cards"] for one in found["items"]}

    def shelves(self, *, scope: str | Scopes | None = None) -> Verb[dict[tuple[str, str, str], int]]:
        """As `Palace.shelves`."""
        found = yield self._wire("GET", "/v1/palace/shelves", {}, scope=scope)
        return {(one["domain"], one["room"], one["shelf"]): one["cards"] for one in found["items"]}

    def get(
        self, domain: str, room: str | None = None, shelf: str | None = None, *,
        scope: str | Scopes | None = None, limit: int = 100,
    ) -> Verb[builtins.list[Item]]:  # fmt: skip
        """As `Palace.get`."""
        given = {"domain": domain, "room": room, "shelf": shelf, "limit": limit}
        return _each(Item, (yield self._wire("GET", "/v1/palace/cards", given, scope=scope)))

    def assign(
        self,
        item_id: str,
        *,
        room: str,
        domain: str | None = None,
        shelf: str | None = None,
        actor: str = "user",
    ) -> Verb[Place]:
        """As `Palace.assign`."""
        given = {"room": room, "domain": domain, "shelf": shelf}
        return _place((yield self._wire("PUT", "/v1/memories/{}/place", given, actor=actor, words=[item_id])))

    def where(self, item_id: str) -> Verb[Place]:
        """As `Palace.where`."""
        return _place((yield self._wire("GET", "/v1/memories/{}/place", {}, words=[item_id])))


class EntityVerbs(_Place):
    """The verbs of `Memory.entities`."""

    def list(
        self,
        *,
        scope: str | Scopes | None = None,
        limit: int = 100,
        type: str | None = None,  # noqa: A002 - the word for it
        prefix: str | None = None,
    ) -> Verb[builtins.list[Entity]]:
        """As `Entities.list`."""
        given = {"limit": limit, "type": type, "prefix": prefix}
        return _each(Entity, (yield self._wire("GET", "/v1/entities", given, scope=scope)))

    def get(self, name: str, *, scope: str | Scopes | None = None, limit: int = 20) -> Verb[EntityProfile]:
        """As `Entities.get`; of what is related its name, type and number."""
        given = {"name": name, "limit": limit}
        return _as(EntityProfile, (yield self._wire("GET", "/v1/entities/profile", given, scope=scope)))

    def alike(self, *, scope: str | Scopes | None = None, limit: int = 100) -> Verb[builtins.list[Alike]]:
        """As `Entities.alike`."""
        return _each(Alike, (yield self._wire("GET", "/v1/entities/alike", {"limit": limit}, scope=scope)))

    def merge(self, keep: str, other: str, *, scope: str | None = None, actor: str = "user") -> Verb[Entity]:
        """As `Entities.merge`."""
        given = {"keep": keep, "other": other}
        return _as(Entity, (yield self._wire("POST", "/v1/entities/merge", given, scope=scope, actor=actor)))

    def unmerge(self, other: str, *, scope: str | None = None, actor: str = "user") -> Verb[Entity]:
        """As `Entities.unmerge`."""
        given = {"other": other}
        return _as(
            Entity, (yield self._wire("POST", "/v1/entities/unmerge", given, scope=scope, actor=actor))
        )

    def alias(self, name: str, alias: str, *, scope: str | None = None, actor: str = "user") -> Verb[Entity]:
        """As `Entities.alias`."""
        given = {"name": name, "alias": alias}
        return _as(Entity, (yield self._wire("POST", "/v1/entities/alias", given, scope=scope, actor=actor)))

    def rename(self, name: str, to: str, *, scope: str | None = None, actor: str = "user") -> Verb[Entity]:
        """As `Entities.rename`."""
        given = {"name": name, "to": to}
        return _as(Entity, (yield self._wire("POST", "/v1/entities/rename", given, scope=scope, actor=actor)))

    def retype(
        self,
        name: str,
        type: str,  # noqa: A002 - the word for it
        *,
        scope: str | None = None,
        actor: str = "user",
    ) -> Verb[Entity]:
        """As `Entities.retype`."""
        given = {"name": name, "type": type}
        return _as(Entity, (yield self._wire("POST", "/v1/entities/retype", given, scope=scope, actor=actor)))


class RecordVerbs(_Place):
    """The verbs of `Memory.records`."""

    def put(
        self,
        space: str | Sequence[str],
        key: str,
        value: Any,
        *,
        scope: str | None = None,
        index: Sequence[str] | bool | None = None,
        ttl: float | None = None,
        actor: str = "user",
    ) -> Verb[Record | None]:
        """As `Records.put`."""
        given = {"space": _space(space), "key": key, "index": index, "ttl": ttl}
        wire = self._wire("PUT", "/v1/records", given, scope=scope, actor=actor)
        found = yield VerbRequest(wire.method, wire.path, wire.place, {**wire.given, "value": value})
        return None if found is None else Record.from_dict(found)

    def get(self, space: str | Sequence[str], key: str, *, scope: str | None = None) -> Verb[Record | None]:
        """As `Records.get`."""
        given = {"space": _space(space), "key": key}
        try:
            return Record.from_dict((yield self._wire("GET", "/v1/records", given, scope=scope)))
        except NotFound:
            return None

    def list(
        self,
        prefix: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> Verb[builtins.list[Record]]:
        """As `Records.list`."""
        given = {"prefix": _space(prefix), "limit": limit, "offset": offset}
        return _each(Record, (yield self._wire("GET", "/v1/records/list", given, scope=scope)))

    def search(
        self,
        query: str,
        prefix: str | Sequence[str] = (),
        *,
        scope: str | None = None,
        where: Mapping[str, Any] | None = None,
        k: int = 10,
    ) -> Verb[builtins.list[FoundRecord]]:
        """As `Records.search`."""
        given = {"query": query, "prefix": _space(prefix), "where": where, "k": k}
        found = yield self._wire("POST", "/v1/records/search", given, scope=scope)
        return [FoundRecord(Record.from_dict(one["record"]), one["score"]) for one in found["items"]]

    def delete(
        self, space: str | Sequence[str], key: str, *, scope: str | None = None, actor: str = "user"
    ) -> Verb[bool]:
        """As `Records.delete`."""
        given = {"space": _space(space), "key": key}
        return (yield self._wire("DELETE", "/v1/records", given, scope=scope, actor=actor))["deleted"]

    def history(
        self, space: str | Sequence[str], key: str, *, scope: str | None = None
    ) -> Verb[builtins.list[RecordVersion]]:
        """As `Records.history`."""
        given = {"space": _space(space), "key": key}
        return _versions((yield self._wire("GET", "/v1/records/history", given, scope=scope)))

    def spaces(
        self, prefix: str | Sequence[str] = (), *, scope: str | None = None
    ) -> Verb[builtins.list[tuple[str, ...]]]:
        """As `Records.spaces`."""
        found = yield self._wire("GET", "/v1/records/spaces", {"prefix": _space(prefix)}, scope=scope)
        return [tuple(space) for space in found["items"]]


class DocumentVerbs(_Place):
    """The verbs of `Memory.documents`."""

    def put(
        self,
        corpus: str,
        path: str,
        text: str | bytes,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Any,
    ) -> Verb[Document]:
        """As `Documents.put`."""
        given = {"corpus": corpus, "path": path, **whose}
        if isinstance(text, bytes | bytearray | memoryview):
            wire = self._wire("POST", "/v1/documents/upload", given, scope=scope, actor=actor)
            return _as(Document, (yield replace(wire, body=bytes(text), kind=_FILE)))
        given["text"] = text
        return _as(Document, (yield self._wire("POST", "/v1/documents", given, scope=scope, actor=actor)))

    def get(self, corpus: str, path: str, *, scope: str | None = None, **whose: Any) -> Verb[Document | None]:
        """As `Documents.get`."""
        given = {"corpus": corpus, "path": path, **whose}
        try:
            return _as(Document, (yield self._wire("GET", "/v1/documents/one", given, scope=scope)))
        except NotFound:
            return None

    def history(
        self, corpus: str, path: str, *, scope: str | None = None, **whose: Any
    ) -> Verb[builtins.list[RecordVersion]]:
        """As `Documents.history`."""
        given = {"corpus": corpus, "path": path, **whose}
        return _versions((yield self._wire("GET", "/v1/documents/history", given, scope=scope)))

    def chunks(
        self, corpus: str, path: str, *, scope: str | None = None, **whose: Any
    ) -> Verb[builtins.list[Item]]:
        """As `Documents.chunks`."""
        given = {"corpus": corpus, "path": path, **whose}
        return _each(Item, (yield self._wire("GET", "/v1/documents/chunks", given, scope=scope)))

    def list(
        self,
        corpus: str,
        prefix: str = "",
        *,
        scope: str | None = None,
        limit: int = 100,
        offset: int = 0,
        **whose: Any,
    ) -> Verb[builtins.list[Document]]:
        """As `Documents.list`."""
        given = {"corpus": corpus, "prefix": prefix, "limit": limit, "offset": offset, **whose}
        return _each(Document, (yield self._wire("GET", "/v1/documents", given, scope=scope)))

    def delete(
        self,
        corpus: str,
        path: str | None = None,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Any,
    ) -> Verb[int]:
        """As `Documents.delete`."""
        given = {"corpus": corpus, "path": path, **whose}
        return (yield self._wire("DELETE", "/v1/documents", given, scope=scope, actor=actor))["archived"]

    def corpora(self, *, scope: str | None = None, **whose: Any) -> Verb[builtins.list[Corpus]]:
        """As `Documents.corpora`."""
        return _each(Corpus, (yield self._wire("GET", "/v1/corpora", whose, scope=scope)))

    def corpus(
        self,
        name: str,
        *,
        scope: str | None = None,
        label: str | None = None,
        parent: str | None = None,
        injectable: bool | None = None,
        actor: str = "user",
        **whose: Any,
    ) -> Verb[Corpus]:
        """As `Documents.corpus`."""
        given = {"name": name, "label": label, "parent": parent, "injectable": injectable, **whose}
        return _as(Corpus, (yield self._wire("POST", "/v1/corpora", given, scope=scope, actor=actor)))

    def compare(self, first: str, second: str, *, scope: str | None = None, **whose: Any) -> Verb[Comparison]:
        """As `Documents.compare`."""
        given = {"first": first, "second": second, **whose}
        return _as(Comparison, (yield self._wire("GET", "/v1/corpora/compare", given, scope=scope)))

    def relate(
        self, first: str, second: str, *, scope: str | None = None, actor: str = "user", **whose: Any
    ) -> Verb[Comparison]:
        """As `Documents.relate`."""
        given = {"first": first, "second": second, **whose}
        wire = self._wire("POST", "/v1/corpora/relate", given, scope=scope, actor=actor)
        return _as(Comparison, (yield wire))


class ReviewVerbs(_Place):
    """The verbs of `Memory.review`."""

    def list(
        self, *, scope: str | Scopes | None = None, limit: int = 100, low_trust: bool = False
    ) -> Verb[builtins.list[Quarantined]]:
        """As `Review.list`."""
        given = {"limit": limit, "low_trust": low_trust}
        found = yield self._wire("GET", "/v1/review", given, scope=scope)
        return [_quarantined(one) for one in found["items"]]

    def contradictions(
        self, *, scope: str | Scopes | None = None, limit: int = 100
    ) -> Verb[builtins.list[Contradicted]]:
        """As `Review.contradictions`."""
        return _each(
            Contradicted, (yield self._wire("GET", "/v1/contradictions", {"limit": limit}, scope=scope))
        )

    def show(self, item_id: str) -> Verb[Quarantined]:
        """As `Review.show`."""
        return _quarantined((yield self._wire("GET", "/v1/review/{}", {}, words=[item_id])))

    def approve(
        self, item_id: str, reason: str = "", *, injectable: bool | None = None, actor: str = "user"
    ) -> Verb[Verdict]:
        """As `Review.approve`."""
        given = {"reason": reason, "injectable": injectable}
        wire = self._wire("POST", "/v1/review/{}/approve", given, actor=actor, words=[item_id])
        return Verdict.from_dict((yield wire))

    def reject(self, item_id: str, reason: str = "", *, actor: str = "user") -> Verb[Verdict]:
        """As `Review.reject`."""
        wire = self._wire("POST", "/v1/review/{}/reject", {"reason": reason}, actor=actor, words=[item_id])
        return Verdict.from_dict((yield wire))

    def reopen(self, item_id: str, *, actor: str = "user") -> Verb[Item]:
        """As `Review.reopen`."""
        wire = self._wire("POST", "/v1/review/{}/reopen", {}, actor=actor, words=[item_id])
        return Item.from_dict((yield wire))

    def rollback(
        self,
        *,
        source_id: str | None = None,
        session_id: str | None = None,
        after: Moment | None = None,
        scope: str | Scopes | None = None,
        dry_run: bool = True,
        actor: str = "user",
    ) -> Verb[Run]:
        """As `Review.rollback`."""
        given = {"source_id": source_id, "session_id": session_id, "after": after, "dry_run": dry_run}
        return Run.from_dict((yield self._wire("POST", "/v1/rollback", given, scope=scope, actor=actor)))


class SessionVerbs(_Place):
    """The verbs of `Memory.sessions`."""

    def list(self, *, scope: str | Scopes | None = None, limit: int = 100) -> Verb[builtins.list[Session]]:
        """As `Sessions.list`."""
        return _each(Session, (yield self._wire("GET", "/v1/sessions", {"limit": limit}, scope=scope)))

    def get(
        self, session_id: str, *, scope: str | Scopes | None = None, last: int | None = None
    ) -> Verb[builtins.list[Item]]:
        """As `Sessions.get`."""
        given = {"session_id": session_id, "last": last}
        return _each(Item, (yield self._wire("GET", "/v1/sessions/turns", given, scope=scope)))

    def end(self, session_id: str, *, scope: str | Scopes | None = None) -> Verb[ExtractReport]:
        """As `Sessions.end`."""
        given = {"session_id": session_id}
        return ExtractReport.from_dict((yield self._wire("POST", "/v1/sessions/end", given, scope=scope)))


class RunVerbs(_Place):
    """The verbs of `Memory.runs`."""

    def list(self, *, job: str | None = None, limit: int = 20) -> Verb[builtins.list[Run]]:
        """As `Runs.list`."""
        return _each(Run, (yield self._wire("GET", "/v1/runs", {"job": job, "limit": limit})))

    def show(self, run_id: str) -> Verb[Run]:
        """As `Runs.show`."""
        return Run.from_dict((yield self._wire("GET", "/v1/runs/{}", {}, words=[run_id])))

    def jobs(self) -> Verb[dict[str, str]]:
        """As `Runs.jobs`."""
        return (yield self._wire("GET", "/v1/jobs", {}))["jobs"]


class AuditVerbs(_Place):
    """The verbs of `Memory.audit`."""

    def events(self, *, item_id: str | None = None, limit: int = 100) -> Verb[builtins.list[AuditEvent]]:
        """As `Audit.events`."""
        given = {"item_id": item_id, "limit": limit}
        return _each(AuditEvent, (yield self._wire("GET", "/v1/audit", given)))

    def verify(self) -> Verb[Sequence[str]]:
        """As `Audit.verify`."""
        return (yield self._wire("GET", "/v1/audit/check", {}))["problems"]


# Reading answers


def _each(kind: type[T], found: Mapping[str, Any]) -> list[T]:
    return [_as(kind, one) for one in found["items"]]


def _as(kind: type[T], found: Any) -> T:
    """A value from the JSON that its `to_dict` wrote."""
    return _reader(kind)(found)


@functools.cache
def _reader(hint: Any) -> Callable[[Any], Any]:
    """Reader of values of a kind: by its own `from_dict`, else field by field."""
    if (own := _OWN.get(hint)) is not None:
        return own
    if isinstance(hint, type) and hasattr(hint, "from_dict"):
        return cast("Any", hint).from_dict
    if isinstance(hint, type) and is_dataclass(hint):
        return _fields_reader(hint)
    if isinstance(hint, type) and (issubclass(hint, Enum) or hint is Scope):
        return hint
    inner = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        read = _reader(next(one for one in inner if one is not type(None)))
        return lambda value: None if value is None else read(value)
    if get_origin(hint) is tuple:
        member = _reader(inner[0])
        return lambda value: tuple(map(member, value))
    if hint is int:
        return lambda value: instant(value) if isinstance(value, str) else value
    return lambda value: value


def _fields_reader(kind: type) -> Callable[[Any], Any]:
    hints = get_type_hints(kind)
    readers = {one.name: _reader(hints[one.name]) for one in fields(cast("Any", kind))}

    def read(found: Mapping[str, Any]) -> Any:
        return kind(**{name: read(found[name]) for name, read in readers.items() if name in found})

    return read


def _related(found: Mapping[str, Any]) -> Related:
    kind = EntityType(found["type"])
    return Related(Entity(id=found["id"], name=found["name"], type=kind, first_seen_at=0), found["shared"])


def _place(found: Mapping[str, Any]) -> Place:
    return Place(found["card"], found["domain"], found["room"], found["shelf"])


def _quarantined(found: Mapping[str, Any]) -> Quarantined:
    item = Item.from_dict(found["item"])
    reasons = tuple(found["reasons"])
    verdict = StoredVerdict(item.status.value, reasons, found["why_store"], found["actor"], item.created_at)
    return Quarantined(item, verdict, found["wished"])


def _injection(found: Mapping[str, Any]) -> Injection:
    named = ("id", "scope", "mode", "query", "tokens", "session_id")
    return Injection(
        at=instant(found["at"]),
        items=tuple((one["id"], one["score"]) for one in found["items"]),
        signals={one["id"]: one["signals"] for one in found["items"] if "signals" in one},
        **{name: found[name] for name in named},
    )


_OWN: Final[Mapping[Any, Callable[[Any], Any]]] = {Related: _related, Place: _place}


def _import_report(found: Mapping[str, Any]) -> ImportReport:
    return ImportReport(
        kind=found["kind"],
        dry_run=found["dry_run"],
        counts={what: Counter(ended) for what, ended in found["counts"].items()},
        left_out=Counter(found["left_out"]),
        refused=[RefusedPart(**part) for part in found["refused"]],
        reasons=Counter(found["reasons"]),
    )


def _one_or_several(found: Mapping[str, Any]) -> Item | Candidates:
    return _candidates(found) if found["item"] is None else Item.from_dict(found["item"])


def _candidates(found: Mapping[str, Any]) -> Candidates:
    several = found["candidates"]
    return Candidates(tuple(map(Hit.from_dict, several["hits"])), several["reason"])


# Writing requests


def _plain(value: Any) -> Any:
    """A value as JSON has it: times as ISO 8601, items as mappings of what may be given."""
    match value:
        case Item():
            return {
                name: _json(one) for name, one in _given_of(value).items() if one not in (None, (), "", {})
            }
        case Mapping():
            return {str(key): _plain(one) for key, one in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple():
            return [_plain(one) for one in cast("Sequence[Any]", value)]
        case _:
            return _json(value)


def _given_of(item: Item) -> dict[str, Any]:
    names = ("content", "type", "title", "tags", "entities", "confidence", "importance", "pinned", "metadata")
    times = ("event_at", "valid_from", "valid_until", "expires_at")
    told = {name: getattr(item, name) for name in names}
    return told | {name: None if (at := getattr(item, name)) is None else iso(at) for name in times}


def _named(word: Any) -> str:
    """A word that names something, as it stands in a path.

    Raises:
        InvalidText: It is no text, or an empty one.
        NotFound: Nothing can have this name: a path would lead elsewhere.
    """
    if valid_text(word, name="a name") in {".", ".."}:
        raise NotFound(f"there is nothing that is called {word!r}")
    return word


def _json(value: Any) -> Any:
    """A value as JSON has it.

    Raises:
        InvalidText: A text holds half of a surrogate pair.
        InvalidInput: A number is not finite, or a value is none of JSON.
    """
    match value:
        case str() if not value.isascii() and any("\ud800" <= one <= "\udfff" for one in value):
            return valid_text(value)
        case float():
            return finite(value, "a number")
        case Mapping():
            return {_json(str(key)): _json(one) for key, one in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple() | set() | frozenset():
            return [_json(one) for one in cast("Iterable[Any]", value)]
        case Enum():
            return value.value
        case _ if hasattr(value, "isoformat"):
            return value.isoformat()
        case None | str() | int():
            return value
        case _:
            raise InvalidInput(
                f"{type(value).__name__} cannot be sent as JSON; give text, numbers, lists or mappings"
            )


def _in_query(given: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: _json(value) for name, value in given.items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in found.items()}


def _space(given: str | Sequence[str]) -> str:
    if not isinstance(given, str) and any("/" in part for part in given):
        raise InvalidInput("a part of a space that holds a '/' cannot be told to a server; leave the '/' out")
    return given if isinstance(given, str) else "/".join(given)


def _sent_file(path: str | Path) -> tuple[str, bytes]:
    """Name and bytes of a file that is sent.

    Raises:
        InvalidInput: It cannot be read.
    """
    source = path_of(path).expanduser()
    try:
        body = source.read_bytes()
    except OSError as error:
        raise InvalidInput(
            f"{source} cannot be read ({error.strerror or error}); to a server one file is sent at a time"
        ) from error
    name = _NOT_IN_NAMES.sub("_", source.name)[-_LONGEST_NAME:]
    return name if name[:1].isalnum() else f"x{name[1:]}", body


def _several(given: str | Item | Iterable[str | Item]) -> Iterable[str | Item]:
    return [given] if isinstance(given, str | Item) else given


# Sending


@functools.cache
def _errors() -> dict[str, type[SimonidesError]]:
    """Every error by its code."""
    found = [SimonidesError]
    for kind in found:
        found += kind.__subclasses__()
    return {kind.code: kind for kind in found}


def _answer(response: httpx.Response) -> Any:
    """The value of an answer.

    Raises:
        SimonidesError: What the server could not do, as `Memory` would raise it.
    """
    if response.is_success:
        try:
            return response.json()
        except ValueError as error:
            raise InvalidAnswer(
                f"{response.url} answers no JSON; check that it is a server of Simonides"
            ) from error
    try:
        problem = dict(response.json())
        code, detail = str(problem["code"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        raise InvalidAnswer(
            f"{response.url} answers {response.status_code} without a problem; check that it is a server of Simonides"
        ) from None
    wait = response.headers.get("retry-after", "")
    if response.status_code == 429:
        raise RateLimited(float(wait) if wait.isdecimal() else 1.0)
    kind = _errors().get(code) or _DOOR.get(response.status_code, SimonidesError)
    raise SimonidesError(detail) if kind is RateLimited else kind(detail)


def _unreachable(url: str, error: Exception) -> ProviderUnavailable:
    return ProviderUnavailable(
        f"{url} cannot be reached ({error}); check that the server runs, and its address"
    )


def _headers(key: str | None) -> dict[str, str]:
    if key is None:
        return {}
    if not key.isascii():
        raise InvalidInput(
            "a key of a server has ASCII characters alone; look at what it showed when it made it"
        )
    return {"Authorization": _header(f"Bearer {key}", "the key").decode()}


def _base(url: str) -> str:
    """The address of a server.

    Raises:
        InvalidInput: It is none.
    """
    if not url.lower().startswith(("http://", "https://")):
        raise InvalidInput(
            f"the address of a server begins with http:// or https://, such as http://127.0.0.1:11436, not {url!r:.200}"
        )
    return url


def _header(value: str, name: str) -> bytes:
    """A value as a header holds it.

    Raises:
        InvalidInput: None can.
    """
    if not value.isprintable() or value != value.strip():
        raise InvalidInput(f"{name} cannot be sent: it has signs that cannot be seen, or blanks around it")
    return value.encode()


class _Sync:
    """Carries out verbs, each in one thread."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def run(self, verb: Verb[R]) -> R:
        try:
            wire = next(verb)
            while True:
                try:
                    found = _answer(self._http.request(wire.method, wire.path, **wire.options()))
                except httpx.TransportError as error:
                    raise _unreachable(str(self._http.base_url), error) from error
                except SimonidesError as error:
                    wire = verb.throw(error)
                    continue
                wire = verb.send(found)
        except StopIteration as done:
            return done.value


class _Async:
    """Carries out verbs, awaited."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def run(self, verb: Verb[R]) -> R:
        try:
            wire = next(verb)
            while True:
                try:
                    found = _answer(await self._http.request(wire.method, wire.path, **wire.options()))
                except httpx.TransportError as error:
                    raise _unreachable(str(self._http.base_url), error) from error
                except SimonidesError as error:
                    wire = verb.throw(error)
                    continue
                wire = verb.send(found)
        except StopIteration as done:
            return done.value


V = TypeVar("V", bound=_Place)


class _Called(Generic[V]):
    """Verbs of a kind, carried out at once."""

    def __init__(self, verbs: V, over: _Sync) -> None:
        self._verbs = verbs
        self._over = over

    def do(self, verb: Callable[[V], Verb[R]]) -> R:
        """The value of a verb."""
        return self._over.run(verb(self._verbs))


class _Awaited(Generic[V]):
    """Verbs of a kind, awaited."""

    def __init__(self, verbs: V, over: _Async) -> None:
        self._verbs = verbs
        self._over = over

    async def do(self, verb: Callable[[V], Verb[R]]) -> R:
        """The value of a verb."""
        return await self._over.run(verb(self._verbs))


def _now(verb: Callable[Concatenate[V, P], Verb[R]]) -> Callable[Concatenate[_Called[V], P], R]:
    """The verb as a method, with its name, signature and docstring."""

    @functools.wraps(verb)
    def call(self: _Called[V], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.do(lambda verbs: verb(verbs, *args, **kwargs))

    return call


def _later(
    verb: Callable[Concatenate[V, P], Verb[R]],
) -> Callable[Concatenate[_Awaited[V], P], Coroutine[Any, Any, R]]:
    """The verb as a coroutine, with its name, signature and docstring."""

    @functools.wraps(verb)
    async def call(self: _Awaited[V], /, *args: P.args, **kwargs: P.kwargs) -> R:
        return await self.do(lambda verbs: verb(verbs, *args, **kwargs))

    return call


class _ClientPalace(_Called[PalaceVerbs]):
    """The verbs of `Memory.palace`."""

    list = _now(PalaceVerbs.list)
    rooms = _now(PalaceVerbs.rooms)
    shelves = _now(PalaceVerbs.shelves)
    get = _now(PalaceVerbs.get)
    assign = _now(PalaceVerbs.assign)
    where = _now(PalaceVerbs.where)


class _ClientEntity(_Called[EntityVerbs]):
    """The verbs of `Memory.entities`."""

    list = _now(EntityVerbs.list)
    get = _now(EntityVerbs.get)
    alike = _now(EntityVerbs.alike)
    merge = _now(EntityVerbs.merge)
    unmerge = _now(EntityVerbs.unmerge)
    alias = _now(EntityVerbs.alias)
    rename = _now(EntityVerbs.rename)
    retype = _now(EntityVerbs.retype)


class _ClientRecord(_Called[RecordVerbs]):
    """The verbs of `Memory.records`."""

    put = _now(RecordVerbs.put)
    get = _now(RecordVerbs.get)
    list = _now(RecordVerbs.list)
    search = _now(RecordVerbs.search)
    delete = _now(RecordVerbs.delete)
    history = _now(RecordVerbs.history)
    spaces = _now(RecordVerbs.spaces)


class _ClientDocument(_Called[DocumentVerbs]):
    """The verbs of `Memory.documents`."""

    put = _now(DocumentVerbs.put)
    get = _now(DocumentVerbs.get)
    history = _now(DocumentVerbs.history)
    chunks = _now(DocumentVerbs.chunks)
    list = _now(DocumentVerbs.list)
    delete = _now(DocumentVerbs.delete)
    corpora = _now(DocumentVerbs.corpora)
    corpus = _now(DocumentVerbs.corpus)
    compare = _now(DocumentVerbs.compare)
    relate = _now(DocumentVerbs.relate)


class _ClientReview(_Called[ReviewVerbs]):
    """The verbs of `Memory.review`."""

    list = _now(ReviewVerbs.list)
    contradictions = _now(ReviewVerbs.contradictions)
    show = _now(ReviewVerbs.show)
    approve = _now(ReviewVerbs.approve)
    reject = _now(ReviewVerbs.reject)
    reopen = _now(ReviewVerbs.reopen)
    rollback = _now(ReviewVerbs.rollback)


class _ClientSession(_Called[SessionVerbs]):
    """The verbs of `Memory.sessions`."""

    list = _now(SessionVerbs.list)
    get = _now(SessionVerbs.get)
    end = _now(SessionVerbs.end)


class _ClientRun(_Called[RunVerbs]):
    """The verbs of `Memory.runs`."""

    list = _now(RunVerbs.list)
    show = _now(RunVerbs.show)
    jobs = _now(RunVerbs.jobs)


class _ClientAudit(_Called[AuditVerbs]):
    """The verbs of `Memory.audit`."""

    events = _now(AuditVerbs.events)
    verify = _now(AuditVerbs.verify)


class Client(_Called[Verbs]):
    """A memory behind a server, with the verbs of `Memory`.

    Args:
        url: Address of the server.
        key: A key of it, or its token.
        scope: Where verbs work that are told no scope; that of the key by default, `ALL` for every scope.
        timeout_s: How long an answer may take.
        http: Sends the requests instead; it has the address and the key already.

    Raises:
        ProviderUnavailable: The server cannot be reached.
        SimonidesError: As `Memory` raises it.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:11436",
        key: str | None = None,
        *,
        scope: str | Scopes | None = None,
        timeout_s: float = _TIMEOUT_S,
        http: httpx.Client | None = None,
    ) -> None:
        self._http = http or httpx.Client(base_url=_base(url), headers=_headers(key), timeout=timeout_s)
        super().__init__(Verbs(scope), _Sync(self._http))
        over = self._over
        self.palace = _ClientPalace(PalaceVerbs(scope), over)
        self.entities = _ClientEntity(EntityVerbs(scope), over)
        self.records = _ClientRecord(RecordVerbs(scope), over)
        self.documents = _ClientDocument(DocumentVerbs(scope), over)
        self.review = _ClientReview(ReviewVerbs(scope), over)
        self.sessions = _ClientSession(SessionVerbs(scope), over)
        self.runs = _ClientRun(RunVerbs(scope), over)
        self.audit = _ClientAudit(AuditVerbs(scope), over)

    add = _now(Verbs.add)
    propose = _now(Verbs.propose)
    search = _now(Verbs.search)
    context = _now(Verbs.context)
    core_profile = _now(Verbs.core_profile)
    mark_used = _now(Verbs.mark_used)
    get = _now(Verbs.get)
    page = _now(Verbs.page)
    list = _now(Verbs.list)
    timeline = _now(Verbs.timeline)
    weak = _now(Verbs.weak)
    resolve = _now(Verbs.resolve)
    history = _now(Verbs.history)
    explain = _now(Verbs.explain)
    derived = _now(Verbs.derived)
    graph = _now(Verbs.graph)
    why = _now(Verbs.why)
    injections = _now(Verbs.injections)
    stats = _now(Verbs.stats)
    growth = _now(Verbs.growth)
    update = _now(Verbs.update)
    correct = _now(Verbs.correct)
    forget = _now(Verbs.forget)
    restore = _now(Verbs.restore)
    confirm = _now(Verbs.confirm)
    reinforce = _now(Verbs.reinforce)
    demote = _now(Verbs.demote)
    link = _now(Verbs.link)
    purge = _now(Verbs.purge)
    maintain = _now(Verbs.maintain)
    consolidate = _now(Verbs.consolidate)
    extract = _now(Verbs.extract)
    backfill = _now(Verbs.backfill)
    reindex = _now(Verbs.reindex)
    rebuild_fts = _now(Verbs.rebuild_fts)
    doctor = _now(Verbs.doctor)
    import_from = _now(Verbs.import_from)
    undo = _now(Verbs.undo)
    load = _now(Verbs.load)

    def export(self) -> Iterator[dict[str, Any]]:
        """As `Memory.export`, with a key of `global`."""
        with self._http.stream("GET", "/v1/export", headers={"X-Simonides-Scope": "*"}) as response:
            if not response.is_success:
                response.read()
                _answer(response)
            for line in response.iter_lines():
                yield json.loads(line)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _AsyncPalace(_Awaited[PalaceVerbs]):
    """The verbs of `Memory.palace`, awaited."""

    list = _later(PalaceVerbs.list)
    rooms = _later(PalaceVerbs.rooms)
    shelves = _later(PalaceVerbs.shelves)
    get = _later(PalaceVerbs.get)
    assign = _later(PalaceVerbs.assign)
    where = _later(PalaceVerbs.where)


class _AsyncEntity(_Awaited[EntityVerbs]):
    """The verbs of `Memory.entities`, awaited."""

    list = _later(EntityVerbs.list)
    get = _later(EntityVerbs.get)
    alike = _later(EntityVerbs.alike)
    merge = _later(EntityVerbs.merge)
    unmerge = _later(EntityVerbs.unmerge)
    alias = _later(EntityVerbs.alias)
    rename = _later(EntityVerbs.rename)
    retype = _later(EntityVerbs.retype)


class _AsyncRecord(_Awaited[RecordVerbs]):
    """The verbs of `Memory.records`, awaited."""

    put = _later(RecordVerbs.put)
    get = _later(RecordVerbs.get)
    list = _later(RecordVerbs.list)
    search = _later(RecordVerbs.search)
    delete = _later(RecordVerbs.delete)
    history = _later(RecordVerbs.history)
    spaces = _later(RecordVerbs.spaces)


class _AsyncDocument(_Awaited[DocumentVerbs]):
    """The verbs of `Memory.documents`, awaited."""

    put = _later(DocumentVerbs.put)
    get = _later(DocumentVerbs.get)
    history = _later(DocumentVerbs.history)
    chunks = _later(DocumentVerbs.chunks)
    list = _later(DocumentVerbs.list)
    delete = _later(DocumentVerbs.delete)
    corpora = _later(DocumentVerbs.corpora)
    corpus = _later(DocumentVerbs.corpus)
    compare = _later(DocumentVerbs.compare)
    relate = _later(DocumentVerbs.relate)


class _AsyncReview(_Awaited[ReviewVerbs]):
    """The verbs of `Memory.review`, awaited."""

    list = _later(ReviewVerbs.list)
    contradictions = _later(ReviewVerbs.contradictions)
    show = _later(ReviewVerbs.show)
    approve = _later(ReviewVerbs.approve)
    reject = _later(ReviewVerbs.reject)
    reopen = _later(ReviewVerbs.reopen)
    rollback = _later(ReviewVerbs.rollback)


class _AsyncSession(_Awaited[SessionVerbs]):
    """The verbs of `Memory.sessions`, awaited."""

    list = _later(SessionVerbs.list)
    get = _later(SessionVerbs.get)
    end = _later(SessionVerbs.end)


class _AsyncRun(_Awaited[RunVerbs]):
    """The verbs of `Memory.runs`, awaited."""

    list = _later(RunVerbs.list)
    show = _later(RunVerbs.show)
    jobs = _later(RunVerbs.jobs)


class _AsyncAudit(_Awaited[AuditVerbs]):
    """The verbs of `Memory.audit`, awaited."""

    events = _later(AuditVerbs.events)
    verify = _later(AuditVerbs.verify)


class AsyncClient(_Awaited[Verbs]):
    """A `Client` whose verbs are awaited."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:11436",
        key: str | None = None,
        *,
        scope: str | Scopes | None = None,
        timeout_s: float = _TIMEOUT_S,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self._http = http or httpx.AsyncClient(base_url=_base(url), headers=_headers(key), timeout=timeout_s)
        super().__init__(Verbs(scope), _Async(self._http))
        over = self._over
        self.palace = _AsyncPalace(PalaceVerbs(scope), over)
        self.entities = _AsyncEntity(EntityVerbs(scope), over)
        self.records = _AsyncRecord(RecordVerbs(scope), over)
        self.documents = _AsyncDocument(DocumentVerbs(scope), over)
        self.review = _AsyncReview(ReviewVerbs(scope), over)
        self.sessions = _AsyncSession(SessionVerbs(scope), over)
        self.runs = _AsyncRun(RunVerbs(scope), over)
        self.audit = _AsyncAudit(AuditVerbs(scope), over)

    add = _later(Verbs.add)
    propose = _later(Verbs.propose)
    search = _later(Verbs.search)
    context = _later(Verbs.context)
    core_profile = _later(Verbs.core_profile)
    mark_used = _later(Verbs.mark_used)
    get = _later(Verbs.get)
    page = _later(Verbs.page)
    list = _later(Verbs.list)
    timeline = _later(Verbs.timeline)
    weak = _later(Verbs.weak)
    resolve = _later(Verbs.resolve)
    history = _later(Verbs.history)
    explain = _later(Verbs.explain)
    derived = _later(Verbs.derived)
    graph = _later(Verbs.graph)
    why = _later(Verbs.why)
    injections = _later(Verbs.injections)
    stats = _later(Verbs.stats)
    growth = _later(Verbs.growth)
    update = _later(Verbs.update)
    correct = _later(Verbs.correct)
    forget = _later(Verbs.forget)
    restore = _later(Verbs.restore)
    confirm = _later(Verbs.confirm)
    reinforce = _later(Verbs.reinforce)
    demote = _later(Verbs.demote)
    link = _later(Verbs.link)
    purge = _later(Verbs.purge)
    maintain = _later(Verbs.maintain)
    consolidate = _later(Verbs.consolidate)
    extract = _later(Verbs.extract)
    backfill = _later(Verbs.backfill)
    reindex = _later(Verbs.reindex)
    rebuild_fts = _later(Verbs.rebuild_fts)
    doctor = _later(Verbs.doctor)
    import_from = _later(Verbs.import_from)
    undo = _later(Verbs.undo)
    load = _later(Verbs.load)

    async def export(self) -> AsyncGenerator[dict[str, Any]]:
        """As `Memory.export`, with a key of `global`."""
        async with self._http.stream("GET", "/v1/export", headers={"X-Simonides-Scope": "*"}) as response:
            if not response.is_success:
                await response.aread()
                _answer(response)
            async for line in response.aiter_lines():
                yield json.loads(line)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _versions(found: Mapping[str, Any]) -> list[RecordVersion]:
    return [RecordVersion(**(one | {"at": instant(one["at"])})) for one in found["items"]]
