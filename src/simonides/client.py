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
from dataclasses import field, replace
from enum import Enum
from inspect import signature
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
    Unpack,
    cast,
    overload,
)
from urllib.parse import quote

from simonides.domain.actor import is_model, valid_actor
from simonides.domain.address import path_of
from simonides.domain.closing import Closing
from simonides.domain.document import Comparison, Corpus, Document
from simonides.domain.entity import Entity, EntityProfile
from simonides.domain.extraction import ExtractReport
from simonides.domain.growth import Growth
from simonides.domain.importing import ImportReport, RefusedPart
from simonides.domain.instant import iso
from simonides.domain.item import Item
from simonides.domain.link import Link
from simonides.domain.page import ItemPage
from simonides.domain.record import FoundRecord, Record, RecordVersion
from simonides.domain.records import AuditEvent, Injection, Place, Revision, Session
from simonides.domain.run import Run
from simonides.domain.scope import ALL, Scope, Scopes, looked_from
from simonides.domain.text import cleaned_text, short_text, valid_text
from simonides.domain.verdict import AddResult, Outcome, Verdict
from simonides.domain.written import reader
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
from simonides.memory import Memory
from simonides.parts.arguments import ReadFields, Whose, checked_offset, count, finite, id_of, require_known
from simonides.parts.audit import Audit
from simonides.parts.documents import Documents
from simonides.parts.entities import Entities
from simonides.parts.palace import Palace
from simonides.parts.records import Records
from simonides.parts.review import Contradicted, Quarantined, Review
from simonides.parts.runs import Runs
from simonides.parts.sessions import Sessions
from simonides.ports.store import Report
from simonides.recall.assemble import ContextResult
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
#: A verb: it yields requests, is sent what they are answered with, and returns its value. It does no I/O itself.
Verb: TypeAlias = Generator["VerbRequest", Any, R]

_TIMEOUT_S: Final = 60.0
_MOST: Final = 1000
_PARTS: Final = {"user_id": "user", "agent_id": "agent", "project": "project"}
_IN_PATH: Final = re.compile(r"\{(\w+)\}")
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
        options: dict[str, Any] = {"headers": headers}
        if self.body is not None:
            headers.append((b"content-type", self.kind.encode()))
            return options | {"content": self.body, "params": _in_query(self.given)}
        if self.method in {"GET", "DELETE"}:
            return options | {"params": _in_query(self.given)}
        return options | {"json": _json(dict(self.given))}


# Reading answers


def _one(kind: type[T]) -> Callable[[Any], T]:
    """Reader of a value."""
    return lambda answer: _as(kind, answer)


def _each(kind: type[T]) -> Callable[[Any], list[T]]:
    """Reader of a list of values."""
    return lambda answer: [_as(kind, one) for one in answer["items"]]


def _field(name: str) -> Callable[[Any], Any]:
    """Reader of the one field of an answer."""
    return lambda answer: answer[name]


def _cards(*words: str) -> Callable[[Any], dict[Any, int]]:
    """Reader of places with the number of their cards."""
    return lambda answer: {tuple(one[word] for word in words): one["cards"] for one in answer["items"]}


def _spaces(answer: Any) -> list[tuple[str, ...]]:
    return [tuple(space) for space in answer["items"]]


def _as_is(value: Any) -> Any:
    return value


def _nothing(_: Any) -> None:
    pass


def _as(kind: type[T], value: Any) -> T:
    """A value from the JSON that its `to_dict` wrote."""
    return reader(kind)(value)


def _import_report(answer: Mapping[str, Any]) -> ImportReport:
    return ImportReport(
        kind=answer["kind"],
        dry_run=answer["dry_run"],
        counts={what: Counter(ended) for what, ended in answer["counts"].items()},
        left_out=Counter(answer["left_out"]),
        refused=[RefusedPart(**part) for part in answer["refused"]],
        reasons=Counter(answer["reasons"]),
    )


def _one_or_several(answer: Mapping[str, Any]) -> Item | Candidates:
    return _candidates(answer) if answer["item"] is None else Item.from_dict(answer["item"])


def _corrected(answer: Mapping[str, Any]) -> Verdict | Candidates:
    return _candidates(answer) if answer["verdict"] is None else Verdict.from_dict(answer["verdict"])


def _candidates(answer: Mapping[str, Any]) -> Candidates:
    several = answer["candidates"]
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


def _sendable(entries: Sequence[Any]) -> tuple[list[Any], dict[int, Verdict]]:
    """Entries of a list as JSON has them, and verdicts on those that it has no form for, by their places.

    Such a one costs the others nothing, as in the library: what stands in its place the server rejects. Half of a
    surrogate pair in a message of a chat is replaced, as it is there.
    """
    plain: list[Any] = []
    refused: dict[int, Verdict] = {}
    for place, entry in enumerate(entries):
        message = isinstance(entry, Mapping) and "role" in entry
        try:
            plain.append(_plain(_cleaned(entry) if message else entry))
        except InvalidInput as error:
            plain.append({"role": "user", "content": None} if message else None)
            refused[place] = Verdict(Outcome.REJECTED, None, (f"invalid: {error}",))
    return plain, refused


def _cleaned(value: Any) -> Any:
    """A value with its texts in valid Unicode."""
    match value:
        case str():
            return cleaned_text(value)
        case Mapping():
            return {name: _cleaned(one) for name, one in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple():
            return [_cleaned(one) for one in cast("Sequence[Any]", value)]
        case _:
            return value


def _given_of(item: Item) -> dict[str, Any]:
    names = ("content", "type", "title", "tags", "entities", "confidence", "importance", "pinned", "metadata")
    times = ("event_at", "valid_from", "valid_until", "expires_at")
    values = {name: getattr(item, name) for name in names}
    return values | {name: None if (at := getattr(item, name)) is None else iso(at) for name in times}


def _named(word: Any) -> str:
    """A word that names something, as it stands in a path.

    Raises:
        InvalidText: It is no text, or an empty one.
        NotFound: Nothing can have this name: a path would lead elsewhere.
    """
    if short_text(word, name="a name") in {".", ".."}:
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
    query = {name: _json(value) for name, value in given.items() if value is not None}
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}


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


#: Arguments that are not sent as they are.
_WRITTEN: Final[Mapping[str, Callable[[Any], Any]]] = {
    "content": _plain,
    "space": _space,
    "prefix": _space,
    "item_ids": list,
}


# Sending


@functools.cache
def _errors() -> dict[str, type[SimonidesError]]:
    """Every error by its code."""
    kinds = [SimonidesError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return {kind.code: kind for kind in kinds}


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
                    answer = _answer(self._http.request(wire.method, wire.path, **wire.options()))
                except httpx.TransportError as error:
                    raise _unreachable(str(self._http.base_url), error) from error
                except SimonidesError as error:
                    wire = verb.throw(error)
                    continue
                wire = verb.send(answer)
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
                    answer = _answer(await self._http.request(wire.method, wire.path, **wire.options()))
                except httpx.TransportError as error:
                    raise _unreachable(str(self._http.base_url), error) from error
                except SimonidesError as error:
                    wire = verb.throw(error)
                    continue
                wire = verb.send(answer)
        except StopIteration as done:
            return done.value


C = TypeVar("C", _Sync, _Async)


class _Place(Generic[C]):
    """A scope, and a connection.

    Attributes:
        over: Carries out verbs.
        scope: Where verbs work that are told no scope.
    """

    def __init__(self, over: C, scope: str | Scopes | None) -> None:
        self.over = over
        self.scope = scope


def _request(
    where: str | Scopes | None,
    route: str,
    given: Mapping[str, Any],
    *,
    scope: str | Scopes | None = None,
    actor: str | None = None,
) -> VerbRequest:
    """A request for a method and path, with what was given but for what is None; some stands in the path.

    Args:
        where: Scope where none is named.
    """
    method, _, path = route.partition(" ")
    fields = {name: value for name, value in given.items() if value is not None}
    if "{run_id}" not in path and (run := fields.pop("run_id", None)) is not None:
        fields.setdefault("session_id", run)  # Other programs call a session so.
    parts = {key: fields.pop(name, None) for name, key in _PARTS.items()}
    place = looked_from(where if scope is None else scope)
    if isinstance(place, Scope):
        place = place.narrowed(**parts)
    headers: dict[str, bytes] = {}
    if place != "global":
        headers["X-Simonides-Scope"] = _header("*" if place is ALL else str(place), "the scope")
    if actor is not None and is_model(valid_actor(actor)):
        headers["X-Simonides-Actor"] = _header(actor, "the actor")
    named = id_of if path.startswith("/v1/memories/{") else _named
    words = {name: quote(named(fields.pop(name, None)), safe="") for name in _IN_PATH.findall(path)}
    return VerbRequest(method, path.format(**words), headers, fields)


class ClientVerb(Generic[P, R]):
    """A verb as a method: carried out at once by a `Client`, awaited of an `AsyncClient`.

    Args:
        requests: Its requests.
        like: The method whose name, signature and docstring it has; `requests` if None.
    """

    def __init__(
        self, requests: Callable[Concatenate[Any, P], Verb[R]], like: Callable[..., Any] | None = None
    ) -> None:
        def now(place: _Place[_Sync], /, *args: P.args, **kwargs: P.kwargs) -> R:
            return place.over.run(requests(place, *args, **kwargs))

        async def later(place: _Place[_Async], /, *args: P.args, **kwargs: P.kwargs) -> R:
            return await place.over.run(requests(place, *args, **kwargs))

        self.requests = requests
        self._now = functools.update_wrapper(now, like or requests)
        self._later = functools.update_wrapper(later, like or requests)

    @overload
    def __get__(self, place: None, owner: type) -> Callable[Concatenate[Any, P], Any]: ...
    @overload
    def __get__(self, place: _Place[_Sync], owner: type) -> Callable[P, R]: ...
    @overload
    def __get__(self, place: _Place[_Async], owner: type) -> Callable[P, Coroutine[Any, Any, R]]: ...
    def __get__(self, place: _Place[Any] | None, owner: type) -> Any:
        awaited = issubclass(owner, AsyncClient) if place is None else isinstance(place.over, _Async)
        call: Callable[..., Any] = self._later if awaited else self._now
        return call if place is None else types.MethodType(call, place)


def _sent(
    method: Callable[Concatenate[Any, P], R],
    route: str,
    reads: Callable[[Any], R],
    *,
    limit: int | None = None,
    everywhere: bool = False,
    or_none: bool = False,
    entries: str | None = None,
) -> ClientVerb[P, R]:
    """A verb that is one request.

    What is not given is not sent: the server's defaults are those of the method.

    Args:
        method: The method of `Memory` whose arguments it takes.
        route: Method and path, in which arguments stand by their names.
        reads: Reads the answer.
        limit: Default of `limit`, where the server has another.
        everywhere: Whether it works in every scope where none is named.
        or_none: Whether its value is None where there is nothing of the name.
        entries: The argument that may be a list, of which each entry gets a verdict.
    """
    known = signature(method)
    collected = [one.name for one in known.parameters.values() if one.kind is one.VAR_KEYWORD]
    by = known.parameters["actor"].default if "actor" in known.parameters else None

    def requests(place: _Place[Any], /, *args: P.args, **kwargs: P.kwargs) -> Verb[Any]:
        bound = known.bind(place, *args, **kwargs).arguments
        refused: dict[int, Verdict] = {}
        if entries is not None and isinstance(listed := bound.get(entries), list | tuple):
            bound[entries], refused = _sendable(cast("Sequence[Any]", listed))
        given: dict[str, Any] = {} if limit is None else {"limit": limit}
        given |= {name: _WRITTEN.get(name, _as_is)(value) for name, value in list(bound.items())[1:]}
        for name in collected:
            given |= given.pop(name, {})
        scope, actor = given.pop("scope", ALL if everywhere else None), given.pop("actor", by)
        try:
            answer = reads((yield _request(place.scope, route, given, scope=scope, actor=actor)))
            return _with_refused(answer, refused) if refused else answer
        except NotFound:
            if or_none:
                return None
            raise

    return ClientVerb(requests, method)


def _with_refused(result: Any, refused: Mapping[int, Verdict]) -> Any:
    """A result with the verdicts on entries that could not be sent, each in its place."""
    verdicts = [refused.get(place, verdict) for place, verdict in enumerate(result.verdicts)]
    return replace(result, verdicts=tuple(verdicts))


# The verbs. Each is called as the method of `Memory` that it names, and answers as that.


class PalaceVerbs(_Place[C]):
    """The verbs of `Memory.palace`."""

    list = _sent(Palace.list, "GET /v1/palace", _field("places"))
    rooms = _sent(Palace.rooms, "GET /v1/palace/rooms", _cards("domain", "room"))
    shelves = _sent(Palace.shelves, "GET /v1/palace/shelves", _cards("domain", "room", "shelf"))
    get = _sent(Palace.get, "GET /v1/palace/cards", _each(Item))
    assign = _sent(Palace.assign, "PUT /v1/memories/{item_id}/place", _one(Place))
    where = _sent(Palace.where, "GET /v1/memories/{item_id}/place", _one(Place))


class EntityVerbs(_Place[C]):
    """The verbs of `Memory.entities`; of what is related its name, type and number."""

    list = _sent(Entities.list, "GET /v1/entities", _each(Entity))
    get = _sent(Entities.get, "GET /v1/entities/profile", _one(EntityProfile))
    alike = _sent(Entities.alike, "GET /v1/entities/alike", _each(Alike))
    merge = _sent(Entities.merge, "POST /v1/entities/merge", _one(Entity))
    unmerge = _sent(Entities.unmerge, "POST /v1/entities/unmerge", _one(Entity))
    alias = _sent(Entities.alias, "POST /v1/entities/alias", _one(Entity))
    rename = _sent(Entities.rename, "POST /v1/entities/rename", _one(Entity))
    retype = _sent(Entities.retype, "POST /v1/entities/retype", _one(Entity))


class RecordVerbs(_Place[C]):
    """The verbs of `Memory.records`."""

    get = _sent(Records.get, "GET /v1/records", _one(Record), or_none=True)
    list = _sent(Records.list, "GET /v1/records/list", _each(Record))
    search = _sent(Records.search, "POST /v1/records/search", _each(FoundRecord))
    delete = _sent(Records.delete, "DELETE /v1/records", _field("deleted"))
    history = _sent(Records.history, "GET /v1/records/history", _each(RecordVersion))
    spaces = _sent(Records.spaces, "GET /v1/records/spaces", _spaces)

    @ClientVerb
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
        **whose: Unpack[Whose],
    ) -> Verb[Record | None]:
        """As `Records.put`."""
        given = {"space": _space(space), "key": key, "index": index, "ttl": ttl, **whose}
        wire = _request(self.scope, "PUT /v1/records", given, scope=scope, actor=actor)
        answer = yield replace(wire, given={**wire.given, "value": value})
        return None if answer is None else Record.from_dict(answer)


class DocumentVerbs(_Place[C]):
    """The verbs of `Memory.documents`."""

    get = _sent(Documents.get, "GET /v1/documents/one", _one(Document), or_none=True)
    history = _sent(Documents.history, "GET /v1/documents/history", _each(RecordVersion))
    chunks = _sent(Documents.chunks, "GET /v1/documents/chunks", _each(Item))
    list = _sent(Documents.list, "GET /v1/documents", _each(Document))
    delete = _sent(Documents.delete, "DELETE /v1/documents", _field("archived"))
    purge = _sent(Documents.purge, "POST /v1/documents/purge", dict)
    corpora = _sent(Documents.corpora, "GET /v1/corpora", _each(Corpus))
    corpus = _sent(Documents.corpus, "POST /v1/corpora", _one(Corpus))
    compare = _sent(Documents.compare, "GET /v1/corpora/compare", _one(Comparison))
    relate = _sent(Documents.relate, "POST /v1/corpora/relate", _one(Comparison))

    @ClientVerb
    def put(
        self,
        corpus: str,
        path: str,
        text: str | bytes,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Verb[Document]:
        """As `Documents.put`."""
        given: dict[str, Any] = {"corpus": corpus, "path": path, **whose}
        if isinstance(text, bytes | bytearray | memoryview):
            wire = _request(self.scope, "POST /v1/documents/upload", given, scope=scope, actor=actor)
            wire = replace(wire, body=bytes(text), kind=_FILE)
        else:
            wire = _request(
                self.scope, "POST /v1/documents", given | {"text": text}, scope=scope, actor=actor
            )
        return _as(Document, (yield wire))


class ReviewVerbs(_Place[C]):
    """The verbs of `Memory.review`."""

    list = _sent(Review.list, "GET /v1/review", _each(Quarantined))
    contradictions = _sent(Review.contradictions, "GET /v1/contradictions", _each(Contradicted))
    show = _sent(Review.show, "GET /v1/review/{item_id}", _one(Quarantined))
    approve = _sent(Review.approve, "POST /v1/review/{item_id}/approve", _one(Verdict))
    reject = _sent(Review.reject, "POST /v1/review/{item_id}/reject", _one(Verdict))
    reopen = _sent(Review.reopen, "POST /v1/review/{item_id}/reopen", _one(Item))
    rollback = _sent(Review.rollback, "POST /v1/rollback", _one(Run))


class SessionVerbs(_Place[C]):
    """The verbs of `Memory.sessions`."""

    list = _sent(Sessions.list, "GET /v1/sessions", _each(Session))
    get = _sent(Sessions.get, "GET /v1/sessions/turns", _each(Item))
    end = _sent(Sessions.end, "POST /v1/sessions/end", _one(ExtractReport))


class RunVerbs(_Place[C]):
    """The verbs of `Memory.runs`."""

    list = _sent(Runs.list, "GET /v1/runs", _each(Run), limit=20)
    show = _sent(Runs.show, "GET /v1/runs/{run_id}", _one(Run))
    jobs = _sent(Runs.jobs, "GET /v1/jobs", _field("jobs"))


class AuditVerbs(_Place[C]):
    """The verbs of `Memory.audit`."""

    events = _sent(Audit.events, "GET /v1/audit", _each(AuditEvent))
    verify = _sent(Audit.verify, "GET /v1/audit/check", _field("problems"))


_PAGE: Final = _sent(Memory.page, "GET /v1/memories", _one(ItemPage))


class Verbs(_Place[C]):
    """The verbs of `Memory`."""

    def __init__(self, over: C, scope: str | Scopes | None) -> None:
        super().__init__(over, scope)
        self.palace = PalaceVerbs(over, scope)
        self.entities = EntityVerbs(over, scope)
        self.records = RecordVerbs(over, scope)
        self.documents = DocumentVerbs(over, scope)
        self.review = ReviewVerbs(over, scope)
        self.sessions = SessionVerbs(over, scope)
        self.runs = RunVerbs(over, scope)
        self.audit = AuditVerbs(over, scope)

    add = _sent(Memory.add, "POST /v1/memories", _one(AddResult), entries="content")
    propose = _sent(Memory.propose, "POST /v1/proposals", _one(AddResult), entries="proposals")
    extract = _sent(Memory.extract, "POST /v1/extract", _one(ExtractReport), everywhere=True)

    search = _sent(Memory.search, "POST /v1/search", _one(SearchResult))
    context = _sent(Memory.context, "POST /v1/context", _one(ContextResult))
    core_profile = _sent(Memory.core_profile, "GET /v1/core-profile", _one(ContextResult))
    mark_used = _sent(Memory.mark_used, "POST /v1/uses", _nothing)
    get = _sent(Memory.get, "GET /v1/memories/{item_id}", _one(Item))
    page = _PAGE
    timeline = _sent(Memory.timeline, "GET /v1/timeline", _each(Item))
    weak = _sent(Memory.weak, "GET /v1/weak", _each(WeakItem), limit=20)
    resolve = _sent(Memory.resolve, "POST /v1/resolve", _one_or_several)
    history = _sent(Memory.history, "GET /v1/memories/{item_id}/history", _each(Revision))
    explain = _sent(Memory.explain, "GET /v1/memories/{item_id}/explanation", _one(Explanation))
    graph = _sent(Memory.graph, "GET /v1/memories/{item_id}/graph", _one(Graph))
    why = _sent(Memory.why, "GET /v1/injections/{injection_id}", _one(Injection))
    injections = _sent(Memory.injections, "GET /v1/injections", _each(Injection), limit=20)
    stats = _sent(Memory.stats, "GET /v1/stats", _as_is)
    growth = _sent(Memory.growth, "GET /v1/growth", _one(Growth))

    correct = _sent(Memory.correct, "POST /v1/correct", _corrected)
    forget = _sent(Memory.forget, "POST /v1/forget", _one_or_several)
    restore = _sent(Memory.restore, "POST /v1/memories/{item_id}/restore", _one(Verdict))
    confirm = _sent(Memory.confirm, "POST /v1/memories/{item_id}/confirm", _one(Item))
    reinforce = _sent(Memory.reinforce, "POST /v1/memories/{item_id}/reinforce", _one(Item))
    demote = _sent(Memory.demote, "POST /v1/memories/{item_id}/demote", _one(Item))
    link = _sent(Memory.link, "POST /v1/links", _one(Link))

    maintain = _sent(Memory.maintain, "POST /v1/runs", _one(Run))
    consolidate = _sent(Memory.consolidate, "POST /v1/consolidate", _one(Run))
    undo = _sent(Memory.undo, "POST /v1/runs/{run_id}/undo", _one(Run))
    backfill = _sent(Memory.backfill, "POST /v1/backfill", _field("embedded"), everywhere=True)
    reindex = _sent(Memory.reindex, "POST /v1/reindex", _field("index"), everywhere=True)
    rebuild_fts = _sent(Memory.rebuild_fts, "POST /v1/rebuild_fts", _nothing, everywhere=True)
    doctor = _sent(Memory.doctor, "POST /v1/doctor", _one(Report))

    @ClientVerb
    def list(
        self,
        *,
        scope: str | Scopes | None = None,
        limit: int = 100,
        offset: int = 0,
        **fields: Unpack[ReadFields],
    ) -> Verb[builtins.list[Item]]:
        """As `Memory.list`, read page by page."""
        items: builtins.list[Item] = []
        cursor: str | None = None
        limit, first = count(limit, "limit"), checked_offset(offset)
        while len(items) < first + limit:
            page = yield from _PAGE.requests(
                self, scope=scope, limit=min(_MOST, first + limit - len(items)), cursor=cursor, **fields
            )
            items += page.items
            if (cursor := page.cursor) is None:
                break
        return items[first : first + limit]

    @ClientVerb
    def derived(self, item_id: str, *, purge: bool = False) -> Verb[builtins.list[Derived]]:
        """As `Memory.derived`, of one item."""
        given = {"item_id": item_id, "purge": purge}
        return _each(Derived)((yield _request(self.scope, "GET /v1/memories/{item_id}/derived", given)))

    @ClientVerb
    def update(self, item_id: str, *, actor: str = "user", **changes: Any) -> Verb[Verdict]:
        """As `Memory.update`."""
        wire = _request(self.scope, "PATCH /v1/memories/{item_id}", {"item_id": item_id}, actor=actor)
        return Verdict.from_dict((yield replace(wire, given=changes)))

    @ClientVerb
    def purge(
        self,
        *items: str | Item | Iterable[str | Item],
        scope: str | None = None,
        keep_derived: bool = False,
        **whose: Unpack[Whose],
    ) -> Verb[Mapping[str, int]]:
        """As `Memory.purge`."""
        require_known(whose, Memory.purge, Whose)
        if any(part is not None for part in whose.values()):
            place = looked_from(self.scope if scope is None else scope)
            if not isinstance(place, Scope):
                raise InvalidScope("each scope that is purged is named; ALL and several are none")
            parts = cast("Mapping[str, str | None]", whose)
            scope = str(place.narrowed(**{_PARTS[name]: part for name, part in parts.items()}))
        named = [str(one.id if isinstance(one, Item) else one) for group in items for one in _several(group)]
        given = {"item_ids": named or None, "scope": scope, "keep_derived": keep_derived}
        return (yield _request(self.scope, "POST /v1/purge", given, scope=scope))

    @ClientVerb
    def import_from(
        self,
        kind: str,
        path: str | Path,
        *,
        scope: str | None = None,
        mapping: Mapping[str, str] | None = None,
        dry_run: bool = False,
        **whose: Unpack[Whose],
    ) -> Verb[ImportReport]:
        """As `Memory.import_from`, of a file, which is sent."""
        name, body = _sent_file(path)
        pairs = None if mapping is None else [f"{what}={field}" for what, field in mapping.items()]
        given = {"kind": kind, "name": name, "mapping": pairs, "dry_run": dry_run, **whose}
        wire = _request(self.scope, "POST /v1/import/{kind}", given, scope=scope)
        return _import_report((yield replace(wire, body=body, kind=_FILE)))

    @ClientVerb
    def load(self, records: Iterable[Mapping[str, Any]], *, trusted: bool = False) -> Verb[LoadResult]:
        """As `Memory.load`."""
        wire = _request(self.scope, "POST /v1/import", {"trusted": trusted})
        lines = b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)
        answer = yield replace(wire, body=lines)
        return LoadResult(tuple(map(Verdict.from_dict, answer["verdicts"])))


class Client(Verbs[_Sync], Closing):
    """A memory behind a server, with the verbs of `Memory`.

    Args:
        url: Address of the server.
        key: A key of it, or its token.
        scope: Where verbs work that are told no scope; that of the key by default, `ALL` for every scope.
        timeout_s: How long an answer may take.
        http: Sends the requests instead; it has the address and the key already.

    What concerns the whole store takes a key of `global/*`.

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
        super().__init__(_Sync(self._http), scope)

    def export(self) -> Iterator[dict[str, Any]]:
        """As `Memory.export`, with a key of `global/*`."""
        with self._http.stream("GET", "/v1/export", headers={"X-Simonides-Scope": "*"}) as response:
            if not response.is_success:
                response.read()
                _answer(response)
            for line in response.iter_lines():
                yield json.loads(line)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()


class AsyncClient(Verbs[_Async]):
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
        super().__init__(_Async(self._http), scope)

    async def export(self) -> AsyncGenerator[dict[str, Any]]:
        """As `Memory.export`, with a key of `global/*`."""
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
