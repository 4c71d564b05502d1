"""Answers as OpenAI's, Anthropic's and Ollama's servers write them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from simonides.testing_server import messages, responses
from simonides.testing_server.faults import spoil
from simonides.testing_server.messages import ANTHROPIC_MESSAGES
from simonides.testing_server.responses import OPENAI_RESPONSES
from simonides.testing_server.script import Asked, Call, Said, pieces, written_arguments
from simonides.values import dataclass

OPENAI_CHAT: Final = "/v1/chat/completions"
OLLAMA_CHAT: Final = "/api/chat"
OLLAMA_GENERATE: Final = "/api/generate"
CHATS: Final = frozenset({OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC_MESSAGES, OLLAMA_CHAT, OLLAMA_GENERATE})
_CREATED: Final = "2026-01-01T00:00:00Z"
_NAMED_EVENTS: Final = {OPENAI_RESPONSES: responses, ANTHROPIC_MESSAGES: messages}


@dataclass(frozen=True, slots=True)
class Wire:
    """One answer in bytes: `pieces` are sent as chunks where `streams`, else they are one body."""

    content_type: str
    pieces: tuple[bytes, ...]
    streams: bool


def streams(request: Asked) -> bool:
    """True if a stream is asked for: Ollama streams unless told not to, the others only when told to."""
    stream = request.json.get("stream")
    return stream is not False if request.path.startswith("/api/") else stream is True


def written(request: Asked, reply: Said) -> Wire:
    """Write an answer in the form that the path and the request ask for."""
    wants_stream = streams(request)
    text = spoil(reply.text, reply.fault)
    if (kind := _NAMED_EVENTS.get(request.path)) is not None:
        if wants_stream:
            return Wire(
                "text/event-stream", tuple(map(_named, kind.events(request, reply, text))), streams=True
            )
        return Wire("application/json", (_json(kind.whole(request, reply, text)),), streams=False)
    if request.path == OPENAI_CHAT:
        if wants_stream:
            frames = (b"data: " + _json(chunk) + b"\n\n" for chunk in _openai_chunks(request, reply, text))
            return Wire("text/event-stream", (*frames, b"data: [DONE]\n\n"), streams=True)
        return Wire("application/json", (_json(_openai_whole(request, reply, text)),), streams=False)
    if wants_stream:
        lines = tuple(_json(line) + b"\n" for line in _ollama_lines(request, reply, text))
        return Wire("application/x-ndjson", lines, streams=True)
    whole = _ollama_line(request, text, reply.thinking, reply.calls, done=True)
    return Wire("application/json; charset=utf-8", (_json(whole),), streams=False)


def failure(path: str, message: str, kind: str, code: str | None = None) -> bytes:
    """An error in the form of the server that a path belongs to."""
    if path.startswith("/api/"):
        return _json({"error": message})
    if path == ANTHROPIC_MESSAGES:
        kind = {"server_error": "api_error"}.get(kind, kind)
        details = {"details": {"error_code": code}} if code and code.startswith("thread_") else {}
        return _json({"type": "error", "error": {"type": kind, "message": message, **details}})
    return _json({"error": {"message": message, "type": kind, "param": None, "code": code}})


def _named(event: dict[str, Any]) -> bytes:
    return b"event: " + event["type"].encode() + b"\ndata: " + _json(event) + b"\n\n"


def _openai_chunks(request: Asked, reply: Said, text: str) -> Iterator[dict[str, Any]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
        return _openai(request, "chat.completion.chunk") | {"choices": choices}

    yield chunk({"role": "assistant", "content": ""})
    for piece in pieces(reply.thinking, reply.piece):
        yield chunk({"reasoning_content": piece})
    for piece in pieces(text, reply.piece):
        yield chunk({"content": piece})
    for index, call in enumerate(reply.calls):
        function = {"name": call.name, "arguments": ""}
        yield chunk(
            {
                "tool_calls": [
                    {"index": index, "id": f"call_{index}", "type": "function", "function": function}
                ]
            }
        )
        for piece in pieces(written_arguments(call.arguments), reply.piece):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls" if reply.calls else "stop")
    options = request.json.get("stream_options")
    if isinstance(options, dict) and options.get("include_usage"):  # pyright: ignore[reportUnknownMemberType]
        yield _openai(request, "chat.completion.chunk") | {"choices": [], "usage": _USAGE}


def _openai_whole(request: Asked, reply: Said, text: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or (None if reply.calls else "")}
    if reply.thinking:
        message["reasoning_content"] = reply.thinking
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{index}",
                "type": "function",
                "function": {"name": call.name, "arguments": written_arguments(call.arguments)},
            }
            for index, call in enumerate(reply.calls)
        ]
    finish = "tool_calls" if reply.calls else "stop"
    choices = [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish}]
    return _openai(request, "chat.completion") | {"choices": choices, "usage": _USAGE}


def _openai(request: Asked, kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": kind,
        "created": 1767225600,
        "model": request.json.get("model", "scripted"),
    }


def _ollama_lines(request: Asked, reply: Said, text: str) -> Iterator[dict[str, Any]]:
    for piece in pieces(reply.thinking, reply.piece):
        yield _ollama_line(request, "", piece, ())
    for piece in pieces(text, reply.piece):
        yield _ollama_line(request, piece, "", ())
    if reply.calls:
        yield _ollama_line(request, "", "", reply.calls)
    yield _ollama_line(request, "", "", (), done=True)


def _ollama_line(
    request: Asked, text: str, thinking: str, calls: tuple[Call, ...], *, done: bool = False
) -> dict[str, Any]:
    line: dict[str, Any] = {"model": request.json.get("model", "scripted"), "created_at": _CREATED}
    if request.path == OLLAMA_GENERATE:
        line |= {"response": text} | ({"thinking": thinking} if thinking else {})
    else:
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if thinking:
            message["thinking"] = thinking
        if calls:
            message["tool_calls"] = [
                {"function": {"name": call.name, "arguments": _object(call)}} for call in calls
            ]
        line["message"] = message
    return line | ({"done": True, "done_reason": "stop"} | _COUNTS if done else {"done": False})


def _object(call: Call) -> Any:
    if not isinstance(call.arguments, str):
        return dict(call.arguments)
    try:
        return json.loads(call.arguments)
    except ValueError:
        return call.arguments


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


_USAGE: Final = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
_COUNTS: Final = {
    "total_duration": 1,
    "load_duration": 1,
    "prompt_eval_count": 1,
    "eval_count": 1,
    "eval_duration": 1,
}
