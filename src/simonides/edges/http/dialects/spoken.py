"""The dialects, and which of them a client speaks."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers

from simonides.edges.http.dialects.anthropic import AnthropicMessages
from simonides.edges.http.dialects.dialect import Dialect
from simonides.edges.http.dialects.ollama import OllamaChat, OllamaGenerate
from simonides.edges.http.dialects.openai import OpenAIChat
from simonides.edges.http.dialects.responses import OpenAIResponses

_OPENAI: Final = OpenAIChat()
_ANTHROPIC: Final = AnthropicMessages()
_OLLAMA: Final = OllamaChat()
_DIALECTS: Final[tuple[Dialect, ...]] = (_OPENAI, OpenAIResponses(), _ANTHROPIC, _OLLAMA, OllamaGenerate())
#: Clients of Anthropic's say by it what they speak, on every path.
_VERSION: Final = "anthropic-version"
#: Kinds of errors, as OpenAI and Anthropic name them.
_KINDS: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


def dialect_of(path: str) -> Dialect | None:
    """The dialect of a path by its end: what stands before, a version or a deployment, is the server's."""
    path = path.rstrip("/")
    return next((dialect for dialect in _DIALECTS if path.endswith(dialect.path)), None)


def refusal(path: str, headers: Headers, status: int, message: str, code: str) -> bytes:
    """An error as the server words it that the client thinks it talks to.

    Args:
        code: Its stable name, where the dialect has a place for one.
    """
    dialect = dialect_of(path)
    if dialect is None and _VERSION in headers:
        dialect = _ANTHROPIC
    if dialect is None:
        dialect = _OLLAMA if path.startswith("/api/") and "/v1/" not in path else _OPENAI
    kind = _KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error")
    return dialect.failure(message, kind, code)
