"""Sessions: conversations, their turns, and what is extracted from them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from simonides.edges.http.tokens import Role
from simonides.edges.server.again import DONE
from simonides.edges.server.operation import Fields, Operation, Verb
from simonides.edges.server.operations.fields import Limited, Word


class TurnsRequest(Fields):
    """A conversation, and how many of its last turns."""

    session_id: Word
    last: Annotated[int, Field(ge=1, le=10_000)] | None = None


class EndRequest(Fields):
    """The conversation that is over."""

    session_id: Word


_R = Role.READER
OPERATIONS = (
    Operation(
        "sessions.list", "GET", "/v1/sessions", _R, "Conversations, last heard of first.",
        Verb.LOOKS, "SessionsJson", Limited,
    ),
    Operation(
        "sessions.get", "GET", "/v1/sessions/turns", _R, "The turns of a conversation, in their order.",
        Verb.LOOKS, "ItemsJson", TurnsRequest,
    ),
    Operation(
        "sessions.end", "POST", "/v1/sessions/end", Role.WRITER, "Say that a conversation is over.",
        Verb.SCOPE, "ExtractReportJson", EndRequest, again=DONE,
    ),
)  # fmt: skip
