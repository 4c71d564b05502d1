"""Operations: everything that the server's REST interface does, each described once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from io import BytesIO
from operator import attrgetter
from typing import IO, Any, Final, Protocol, cast, runtime_checkable

from pydantic import BaseModel, ConfigDict

from simonides import Memory
from simonides.domain.reach import reaching
from simonides.edges.http.tokens import Role
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.long import LongOperations, ProgressNote
from simonides.values import dataclass

#: Methods whose fields stand in the query.
_IN_QUERY: Final = frozenset({"GET", "DELETE"})
#: Statuses that any operation may answer with: what is refused at the door, what is not there, and what goes wrong with
#: a store or a model's server.
EVERYWHERE: Final = frozenset({400, 401, 403, 404, 409, 421, 422, 429, 500, 501, 502, 503})
_OF_BODIES: Final = frozenset({408, 413, 415})
_OF_WRITES: Final = frozenset({507})


class Fields(BaseModel):
    """Fields that a request takes; any other is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    def given(self, *without: str) -> dict[str, Any]:
        """The fields that were given, but for some."""
        # In the order of their declaration: that of a set is another in each process.
        wanted = self.model_fields_set.difference(without)
        return {name: getattr(self, name) for name in type(self).model_fields if name in wanted}


class Nothing(Fields):
    """No fields."""


@runtime_checkable
class Telling(Protocol):
    """A value that says itself in JSON."""

    def to_dict(self) -> dict[str, Any]: ...


def _silent(_: str, __: int, ___: int | None) -> None:
    pass


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class OperationCall:
    """A request for an operation.

    Attributes:
        path: Words that stand in the path, by name.
        lines: Of a body that is lines, or a file's.
        progress: Told what is done, how much of it, of how much. It raises where the operation is to leave off.
        long: Operations that go on behind their requests; None where this server keeps none.
        stopping: Whether the server is about to end, and streams with it.
    """

    memory: Memory
    caller: ServerCaller
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    lines: IO[bytes] = field(default_factory=BytesIO)
    progress: ProgressNote = _silent
    long: LongOperations | None = None
    stopping: Callable[[], bool] = _never


class Verb(Enum):
    """What a verb of `Memory` is told beside the fields of a request.

    Attributes:
        LOOKS: From where the caller looks.
        SCOPE: Exactly the scope that the request works in.
        WORKS: What upkeep works on.
        QUEUE: From where a queue is looked at.
        ITEM: The item that the path names, which the caller sees.
        OWN: Likewise; the caller may change it.
        STORE: Nothing: it concerns the store.
    """

    LOOKS = "looks"
    SCOPE = "scope"
    WORKS = "works"
    QUEUE = "oversees"
    ITEM = "item"
    OWN = "own"
    STORE = ""

    def do(self, name: str, call: OperationCall, given: Fields, **beside: Any) -> Any:
        """Call the verb of a name, such as `records.list`, with further keywords; what is null was not given."""
        verb = attrgetter(name)(call.memory)
        fields = {name: getattr(given, name) for name in type(given).model_fields}
        arguments = {name: value for name, value in fields.items() if value is not None} | beside
        if "actor" in (verb.__kwdefaults__ or ()):
            arguments["actor"] = call.caller.actor
        match self:
            case Verb.ITEM | Verb.OWN:
                item = getattr(call.caller, self.value)(call.memory, call.path["item_id"])
                return verb(item.id, **arguments)
            case Verb.STORE:
                return verb(**arguments)
            case _:
                return verb(scope=getattr(call.caller, self.value), **arguments)


@dataclass(frozen=True, slots=True)
class Again:
    """Treatment of a request with an `Idempotency-Key` that comes again: it is not carried out twice.

    Of one that was broken off nothing is known. It is carried out again, which leads to the same state, unless it
    would count twice.

    Attributes:
        keeps: What is kept of an answer: nothing that quotes a memory. None of one by which nothing was done: the
            request may be carried out again.
        tells: The answer to a request that comes again, from its fields and what was kept.
        counts: It would count twice.
    """

    keeps: Callable[[Any], Any]
    tells: Callable[[OperationCall, Any, Any], Any]
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that a request may ask for.

    Attributes:
        name: Its `operationId`.
        path: With the names of its words in braces.
        role: The least that it takes.
        about: What it does, in a line.
        does: Does it: a call and its fields to a value with `to_dict`, a list of such, or a value of JSON; or what the
            verb of `Memory` that has its name is told.
        answers: The form of its answer, by its name in `shapes`, which is loaded with the document; None where it
            is a stream.
        takes: Its fields: in the query of GET and DELETE, else in the body.
        field: Of its answer, which holds the value; empty where this is an object itself.
        status: Of its answer.
        streams: Content type of an answer that comes piece by piece.
        lines: Content type of a body of lines, or a file's; its fields stand in the query then.
        again: What becomes of a request that names itself and comes again; None where it is carried out again, which
            changes nothing more.
        whole: It concerns the whole store, and takes a key of `global/*`.
        frees: It makes room on a full disk: what the server notes of it takes some that is kept for that.
        says: Its matter, where only a person may say that, and no model: `what a user said elsewhere`.
        summary: What is told of its answer later where it goes on behind its request, which may ask for that; no
            text of a memory. None where it is always waited for.
    """

    name: str
    method: str
    path: str
    role: Role
    about: str
    does: Callable[[OperationCall, Any], object] | Verb
    answers: str | None
    takes: type[Fields] = Nothing
    field: str = ""
    status: int = 200
    streams: str = ""
    lines: str = ""
    again: Again | None = None
    summary: Callable[[Any], Any] | None = None
    whole: bool = False
    frees: bool = False
    says: str = ""

    @property
    def title(self) -> str:
        """Its effect, in a line, with the key that it takes."""
        return f"{self.about.removesuffix('.')}, with a key of `global/*`." if self.whole else self.about

    @property
    def in_query(self) -> bool:
        """True if its fields stand in the query."""
        return bool(self.lines) or self.method in _IN_QUERY

    @property
    def has_body(self) -> bool:
        """True if it takes a body."""
        return self.method not in _IN_QUERY

    @property
    def changes(self) -> bool:
        """True if it writes."""
        return self.method != "GET" and self.role.may(Role.WRITER)

    @property
    def words(self) -> tuple[str, ...]:
        """Names of the words in its path."""
        return tuple(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status that it may answer with."""
        body = _OF_BODIES if self.has_body else frozenset[int]()
        writes = _OF_WRITES if self.changes else frozenset[int]()
        behind = frozenset[int]() if self.summary is None else frozenset({202})
        return tuple(sorted({self.status} | EVERYWHERE | body | writes | behind))

    def do(self, call: OperationCall, given: Fields) -> Any:
        """Do it; the answer as a value of JSON. What lies outside of the caller's scope stays as it is."""
        with reaching(call.caller.reach):
            answer = (
                self.does.do(self.name, call, given)
                if isinstance(self.does, Verb)
                else self.does(call, given)
            )
        if self.field:
            return {self.field: answer}
        if isinstance(answer, list):
            return {"items": [_in_json(one) for one in cast("list[object]", answer)]}
        return _in_json(answer)


def _in_json(value: object) -> Any:
    return value.to_dict() if isinstance(value, Telling) else value
