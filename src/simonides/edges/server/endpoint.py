"""Endpoints: one for each path of REST, which finds the operation, checks role and fields, and has it done."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, Final

import anyio
from anyio import to_thread
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from simonides.edges.server.bodies import Bodies, json_of, require_kind
from simonides.edges.server.caller import ServerCaller
from simonides.edges.server.long import LongOperations, LongWork, ProgressNote
from simonides.edges.server.once import IDEMPOTENCY, Once, UnderWay, asked_for, checked_name
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.problems import HttpProblem, busy, not_allowed
from simonides.edges.server.state import OperationState, RequestName, ServerState
from simonides.edges.server.tenants import Tenants

#: Header in which a request says that it does not wait, and what it says.
PREFER: Final = "prefer"
RESPOND_ASYNC: Final = "respond-async"
#: How long a request waits for the answer to the same one, sent before; and from and up to what pauses.
WAITED_S: Final = 10.0
_FIRST_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 0.5
_AGAIN_S: Final = 5
_log: Final = logging.getLogger("simonides.server")


class Threads:
    """Threads in which operations are done.

    Args:
        state: Knows requests that name themselves.
        at_once: How many.
        reading: How many of them for what only reads. A search keeps a core busy: more at once only keep each other,
            and those who write, waiting.
        waiting: How many may wait to read, and how many to write; any more are told to come again.

    Attributes:
        long: Operations that go on behind their requests; None without a state.
    """

    def __init__(
        self, state: ServerState | None = None, at_once: int = 16, reading: int = 16, waiting: int = 256
    ) -> None:
        self._state = state
        self.long = None if state is None else LongOperations(state)
        self._threads = anyio.CapacityLimiter(at_once)
        self._reading = anyio.CapacityLimiter(min(reading, at_once))
        self._waiting = waiting
        #: Requests that are answered, or wait for it. What a limiter counts comes a turn of the loop too late.
        self._here: Counter[anyio.CapacityLimiter] = Counter()

    async def answer(
        self, operation: Operation, call: OperationCall, given: Fields, named: str | None
    ) -> Response:
        """The answer of an operation.

        Args:
            named: As the request names itself, to be carried out once.

        Raises:
            HttpProblem: 503: too many wait; 409: the same request, sent before, is still being carried out.
        """
        once = Once.of(self._state, operation, named)
        limiter = self._threads if operation.changes else self._reading
        if self._here[limiter] >= self._waiting + limiter.total_tokens:
            raise HttpProblem(503, "busy", "too many requests wait; send this one again later", busy())
        self._here[limiter] += 1
        try:
            return await self._answered(partial(_answered, operation, call, given, once), limiter, call)
        finally:
            self._here[limiter] -= 1

    async def _answered(
        self, does: Callable[[], Response], limiter: anyio.CapacityLimiter, call: OperationCall
    ) -> Response:
        ends, pause_s = time.monotonic() + WAITED_S, _FIRST_PAUSE_S
        while True:
            try:
                # Begun is done: whoever leaves meanwhile leaves nothing half done.
                return await to_thread.run_sync(does, limiter=limiter)
            except UnderWay:
                if time.monotonic() > ends or call.stopping():
                    text = (
                        "the request of this Idempotency-Key is still being carried out; "
                        "send it again under the same key later, and it is told the answer"
                    )
                    raise HttpProblem(409, "under_way", text, busy(_AGAIN_S)) from None
            await anyio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    async def behind(
        self, operation: Operation, call: OperationCall, given: Fields, named: str | None, tenants: Tenants
    ) -> Response:
        """The answer to a request for an operation that is not waited for.

        Args:
            named: As the request names itself: the same operation is told of again.

        Raises:
            HttpProblem: 503: too many go on.
            Conflict: Another request has this name.
        """
        return await to_thread.run_sync(
            partial(self._behind, operation, call, given, named, tenants), limiter=self._threads
        )

    def _behind(
        self, operation: Operation, call: OperationCall, given: Fields, named: str | None, tenants: Tenants
    ) -> Response:
        assert self.long is not None
        assert operation.summary is not None

        def does(progress: ProgressNote) -> Any:
            # The request ends before it, and holds its tenant's memory no longer.
            with call.lines, tenants.held(call.caller.tenant) as memory:
                return operation.do(replace(call, memory=memory, progress=progress), given)

        request = None
        with ExitStack() as not_begun:
            not_begun.enter_context(call.lines)
            if named is not None:
                asks = b"behind " + asked_for(operation, call, given)
                request = RequestName(call.caller.name, checked_name(named), asks)
            work = LongWork(operation.name, call.caller, does, operation.summary, operation.frees)
            state, begins = self.long.start(work, request)
            if begins:
                not_begun.pop_all()
        return _accepted(state)


class Endpoint:
    """The operations of one path, by method."""

    def __init__(
        self, operations: Mapping[str, Operation], tenants: Tenants, threads: Threads, bodies: Bodies
    ) -> None:
        self._operations = operations
        self._tenants = tenants
        self._threads = threads
        self._bodies = bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = Request(scope, receive)
        try:
            answer = await self._answer(request)
        except Exception as error:  # noqa: BLE001 - the outermost edge
            problem = HttpProblem.of(error)
            if problem.code == "internal":
                _log.exception("%s %s failed", request.method, request.url.path)
            answer = problem.response()
        await answer(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        operation = self._operations.get("GET" if request.method == "HEAD" else request.method)
        if operation is None:
            raise not_allowed(sorted(self._operations))
        request.state.operation = operation.name
        caller: ServerCaller = request.state.caller
        caller.require(operation.role)
        if operation.whole:
            caller.require_unbound()
        if operation.says:
            caller.require_person(operation.says)
        app = request.app.state
        call = OperationCall(
            request.state.memory, caller, request.path_params, long=self._threads.long, stopping=app.stopping
        )
        named = request.headers.get(IDEMPOTENCY)
        given = await self._given(operation, request)
        behind = operation.summary is not None and call.long is not None and _is_not_waited_for(request)
        if operation.lines:
            require_kind(request.headers, operation.lines)
            call = replace(call, lines=await self._bodies.spooled(request))
        if behind:
            return await self._threads.behind(operation, call, given, named, self._tenants)
        with call.lines:
            return await self._threads.answer(operation, call, given, named)

    async def _given(self, operation: Operation, request: Request) -> Fields:
        sent, takes = await self._sent(operation, request), operation.takes
        try:
            return takes.model_validate(sent, strict=False if operation.in_query else None)
        except ValidationError as error:
            raise HttpProblem.invalid(error, [*takes.model_fields], sent) from None

    async def _sent(self, operation: Operation, request: Request) -> Any:
        if operation.in_query:
            return _fields(request.query_params, operation.takes)
        if request.query_params:
            raise HttpProblem(
                422, "invalid_input", "this takes its fields in the body; leave out what stands behind the ?"
            )
        return json_of(await self._bodies.read(request), request.headers)


def _is_not_waited_for(request: Request) -> bool:
    """True if a request prefers not to wait (RFC 7240)."""
    preferred = ",".join(request.headers.getlist(PREFER)).split(",")
    return any(one.partition(";")[0].strip().lower() == RESPOND_ASYNC for one in preferred)


def _accepted(state: OperationState) -> Response:
    headers = {"location": f"/v1/operations/{state.id}", "preference-applied": RESPOND_ASYNC}
    return Response(to_json(state.to_dict()), 202, headers, "application/json")


def _answered(operation: Operation, call: OperationCall, given: Fields, once: Once | None) -> Response:
    answer = operation.do(call, given) if once is None else once.answer(operation, call, given)
    if isinstance(answer, Response):
        return answer
    return Response(to_json(answer), operation.status, media_type="application/json")


def _fields(query: QueryParams, takes: type[BaseModel]) -> dict[str, Any]:
    """The fields of a query; one that is repeated is a list.

    Raises:
        HttpProblem: 422: one is given twice that is no list.
    """
    fields: dict[str, Any] = {}
    for name in dict.fromkeys(query.keys()):
        values = query.getlist(name)
        known = takes.model_fields.get(name)
        if known is not None and "list[" in str(known.annotation):
            fields[name] = values
        elif len(values) > 1:
            raise HttpProblem(
                422, "invalid_input", f"{ascii(name)[:80]} is given {len(values)} times; give it once"
            )
        else:
            fields[name] = values[0]
    return fields
