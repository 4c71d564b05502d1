"""Problems: errors as RFC 9457 has them, each saying what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import to_json
from starlette.responses import Response

from simonides import InvalidInput, NotFound, SimonidesError, StoreError
from simonides.domain.fault import faults_of
from simonides.edges.http.access import Refused
from simonides.errors import (
    Busy,
    Conflict,
    NeedsApproval,
    NotInstalled,
    ProviderError,
    RateLimited,
    StoreFull,
    StoreLocked,
)

TYPE: Final = "application/problem+json"
#: Statuses of the library's errors; the first that fits.
_STATUSES: Final[tuple[tuple[type[SimonidesError], int], ...]] = (
    (InvalidInput, 422),
    (NotFound, 404),
    (NeedsApproval, 403),
    (Conflict, 409),
    (RateLimited, 429),
    (Busy, 503),
    (StoreLocked, 503),
    (StoreFull, 507),
    (StoreError, 503),
    (NotInstalled, 501),
    (ProviderError, 502),
)
#: Seconds after which a locked store or a full server is worth another try.
_AGAIN_S: Final = 1
_MOST_ERRORS: Final = 20
#: Fields by which other ways to a memory name a scope.
_SCOPES: Final = frozenset({("scope",), ("user_id",), ("agent_id",), ("project",)})
_OF_A_HEADER: Final = (
    "unknown field; the key says whose it is, and the header X-Simonides-Scope which narrower scope"
)


class HttpProblem(Exception):
    """An answer that is an error.

    Attributes:
        code: Stable name.
        detail: What happened and what to do.
        headers: Further headers of the answer.
        more: Further members of its body.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    @classmethod
    def of(cls, error: Exception) -> HttpProblem:
        """The problem that an error is. What is none of ours says nothing of itself."""
        match error:
            case HttpProblem():
                return error
            case Refused():
                return cls(error.status, error.code, str(error), _challenge(error.status))
            case ValidationError():
                return cls.invalid(error)
            case RateLimited():
                wait = str(max(1, math.ceil(error.retry_after_s)))
                return cls(429, error.code, str(error), {"retry-after": wait})
            case SimonidesError():
                status = next((number for kind, number in _STATUSES if isinstance(error, kind)), 500)
                from simonides.edges.server.table import path_of  # noqa: PLC0415 - the table's operations raise problems

                return cls(status, error.code, error.worded(path_of), busy() if status == 503 else None)
            case _:
                return cls(
                    500, "internal", "the server failed; its log says why, and the request may be tried again"
                )

    @classmethod
    def invalid(cls, error: ValidationError, known: Sequence[str] = (), sent: object = None) -> HttpProblem:
        """Fields that cannot be used, each with its place.

        Args:
            known: Names of the fields that there are.
            sent: All of the fields, among which a place is told.
        """
        faults = faults_of(error, sent, known)[:_MOST_ERRORS]
        errors = [
            {
                "at": "/".join(map(str, fault.at)),
                "message": _OF_A_HEADER if fault.at in _SCOPES and fault.is_unknown else fault.why,
            }
            for fault in faults
        ]
        first = f"{errors[0]['at'] or 'the request'}: {errors[0]['message']}"
        return cls(
            422, "invalid_input", f"{first}; /v1/openapi.json says what this takes", more={"errors": errors}
        )

    def body(self) -> dict[str, Any]:
        """The body of its answer."""
        fields = {
            "type": f"urn:simonides:problem:{self.code}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        return fields | self.more

    def response(self) -> Response:
        """The answer."""
        return Response(to_json(self.body()), self.status, self.headers, TYPE)


def busy(after_s: int = _AGAIN_S) -> Mapping[str, str]:
    """Headers of an answer that says to come again."""
    return {"retry-after": str(after_s)}


def not_allowed(methods: Sequence[str]) -> HttpProblem:
    """A method that a path has not."""
    allowed = ", ".join(methods)
    return HttpProblem(405, "method", f"this path takes {allowed}", {"allow": allowed})


def _challenge(status: int) -> Mapping[str, str] | None:
    return {"www-authenticate": "Bearer"} if status == 401 else None
