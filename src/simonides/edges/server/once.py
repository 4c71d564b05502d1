"""Requests that name themselves: sent again, they are not carried out twice."""

from __future__ import annotations

import hashlib
import logging
from typing import Any, Final

from pydantic_core import to_json

from simonides import SimonidesError, StoreError
from simonides.edges.server.operation import Fields, Operation, OperationCall
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.state import RequestName, ServerState
from simonides.errors import StoreFull
from simonides.values import dataclass

_log: Final = logging.getLogger("simonides.server")
IDEMPOTENCY: Final = "idempotency-key"
_LONGEST: Final = 200
_PIECE_BYTES: Final = 1 << 20


class UnderWay(Exception):
    """The request is being carried out, as it was sent before."""


@dataclass(slots=True)
class Once:
    """Name of a request whose operation would count again.

    Attributes:
        named: As its sender calls it.
        request: With all that it asks for; None until it is first looked at.
    """

    state: ServerState
    named: str
    request: RequestName | None = None

    @classmethod
    def of(cls, state: ServerState | None, operation: Operation, named: str | None) -> Once | None:
        """The name of a request; None where it has none, or may be carried out again as well.

        Raises:
            HttpProblem: 400: it is no name, or this server keeps none.
        """
        if named is None:
            return None
        checked_name(named)
        if operation.again is None:
            return None
        if state is None:
            raise HttpProblem(
                400, "invalid_header", "this server keeps no requests; leave the Idempotency-Key out"
            )
        return cls(state, named)

    def answer(self, operation: Operation, call: OperationCall, given: Fields) -> Any:
        """The answer: of the operation, or as it was the first time.

        Raises:
            UnderWay: It is being carried out; its answer is worth waiting for.
            Conflict: Another request has this name.
            HttpProblem: 409: it is not known whether the request was carried out.
        """
        again = operation.again
        assert again is not None
        if self.request is None:
            self.request = RequestName(call.caller.name, self.named, asked_for(operation, call, given))
        if operation.frees:
            self.state.make_room()
        noted = self.state.begin(self.request)
        if noted.under_way:
            raise UnderWay
        if noted.answer is not None:
            return again.tells(call, given, noted.answer)
        try:
            if noted.before and again.counts:
                text = (
                    "this request was broken off and may have counted; look at the memory, then name it anew"
                )
                raise HttpProblem(409, "unknown_outcome", text)
            return self._carried_out(self.request, operation, call, given)
        finally:
            self.state.let_go(self.request)

    def _carried_out(
        self, request: RequestName, operation: Operation, call: OperationCall, given: Fields
    ) -> Any:
        try:
            answer = operation.do(call, given)
        except (SimonidesError, HttpProblem) as error:
            # Of a store that failed it is not known what it kept. A full one kept nothing of an operation that counts,
            # which is one transaction, unless it makes room; the others are carried out again in any case.
            if not isinstance(error, StoreError) or (isinstance(error, StoreFull) and not operation.frees):
                self.state.dropped(request)
            raise
        assert operation.again is not None
        keeps = operation.again.keeps(answer)
        try:
            if keeps is None:
                self.state.dropped(request)
            else:
                self.state.done(request, keeps)
        except StoreError as error:  # What was done is told: it would be untrue that it was not.
            _log.warning("the answer of %s is not known again: %s", operation.name, error)
        return answer


def asked_for(operation: Operation, call: OperationCall, given: Fields) -> bytes:
    """All that a request asks for, and as whom; by this one is told from another of the same name.

    A body of lines stands there by its hash.
    """
    caller = call.caller
    as_whom = [caller.actor, caller.session_id, caller.everywhere]
    parts: list[Any] = [operation.name, dict(call.path), given.given(), as_whom]
    if operation.lines:
        digest = hashlib.sha256()
        while part := call.lines.read(_PIECE_BYTES):
            digest.update(part)
        call.lines.seek(0)
        parts.append(digest.hexdigest())
    return to_json(parts)


def checked_name(named: str) -> str:
    """The name of a request.

    Raises:
        HttpProblem: 400.
    """
    if not 0 < len(named) <= _LONGEST or not named.isascii() or not named.isprintable():
        text = f"an Idempotency-Key has at most {_LONGEST} printable ASCII characters"
        raise HttpProblem(400, "invalid_header", text)
    return named
