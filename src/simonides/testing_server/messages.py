"""Answers as Anthropic's servers write them, and what such a server refuses."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

from simonides.testing_server.script import Asked, Said, as_object, items_of, pieces, written_arguments

ANTHROPIC_MESSAGES: Final = "/v1/messages"
_USAGE: Final = {"input_tokens": 1, "output_tokens": 1}
_THREADS_BETA: Final = "message-threads-2026-08-12"


class KeptThreads:
    """Threads that the server keeps, by the id of their last message, for requests that continue them."""

    def __init__(self) -> None:
        self._messages: dict[str, list[dict[str, Any]]] = {}
        self._continued: set[str] = set()

    def complaint(self, request: Asked) -> str | None:
        """Reason for which such a server refuses a request; None where it is good."""
        if "thread" in request.json and _THREADS_BETA not in (request.header("anthropic-beta") or ""):
            return "thread: Extra inputs are not permitted"
        if self.lost(request) is not None:
            return "thread: cannot be continued from this message"
        previous = _previous(request)
        given = [name for name in ("system", "tools") if previous and name in request.json]
        if given:
            return f"{', '.join(given)}: cannot be set when a thread is continued"
        return complaint(request, self._known(request), paused=bool(previous))

    def lost(self, request: Asked) -> str | None:
        """The code by which a client is told to send all of its history; None where there is what it continues."""
        previous = _previous(request)
        if not previous:
            return None
        if previous not in self._messages:
            return "thread_not_found"
        return "thread_already_continued" if previous in self._continued else None

    def keep(self, request: Asked, reply: Said, text: str) -> None:
        """Keep what was asked and answered, where the request says so."""
        if not as_object(request.json.get("thread")):
            return
        id_ = f"msg_{request.digest}"
        answer = {"role": "assistant", "content": _blocks(request, reply, text)}
        self._messages[id_] = [*self._known(request), answer]
        self._continued.discard(id_)
        self._continued.add(_previous(request))

    def _known(self, request: Asked) -> list[dict[str, Any]]:
        return [*self._messages.get(_previous(request), []), *request.messages]


def _previous(request: Asked) -> str:
    """Name of the message that a request continues a thread from; empty if it does not."""
    thread = as_object(request.json.get("thread"))
    return str(thread.get("previous_message_id")) if thread.get("type") == "continue" else ""


def events(request: Asked, reply: Said, text: str) -> Iterator[dict[str, Any]]:
    """The events of a stream, in order."""
    start: dict[str, Any] = {**whole(request, reply, text), "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": start}
    yield {"type": "ping"}
    for index, block in enumerate(_blocks(request, reply, text)):
        yield {"type": "content_block_start", "index": index, "content_block": _begun(block)}
        for delta in _deltas(block, reply):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": _reason(reply), "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


def whole(request: Asked, reply: Said, text: str) -> dict[str, Any]:
    """The answer in one piece."""
    return {
        "id": f"msg_{request.digest}",
        "type": "message",
        "role": "assistant",
        "model": request.json.get("model", "scripted"),
        "content": _blocks(request, reply, text),
        "stop_reason": _reason(reply),
        "stop_sequence": None,
        "usage": _USAGE,
    }


def signature(thinking: str) -> str:
    """Signature of a thought, by which it is known again."""
    return hashlib.sha256(thinking.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def complaint(request: Asked, history: list[dict[str, Any]], *, paused: bool = False) -> str | None:
    """Reason for which such a server refuses a request; None where it is good.

    Args:
        history: The messages of a thread, those of the request included.
        paused: Whether the last answer may go on without a message.
    """
    if not isinstance(request.json.get("max_tokens"), int):
        return "max_tokens: Field required"
    if not request.messages and not paused:
        return "messages: at least one message is required"
    called: set[str] = set()
    for place, message in enumerate(history):
        content = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items_of(content)
        value = _of_blocks(f"messages.{place}", blocks, called)
        if value is not None:
            return value
        called = {str(block.get("id")) for block in blocks if block.get("type") == "tool_use"}
    return _of_thoughts(request, history)


def _of_blocks(where: str, blocks: list[dict[str, Any]], called: set[str]) -> str | None:
    if any(block.get("type") == "text" and not block.get("text") for block in blocks):
        return f"{where}: text content blocks must be non-empty"
    given = [str(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"]
    if missing := called - set(given):
        return (
            f"{where}: `tool_use` ids were found without `tool_result` blocks: {', '.join(sorted(missing))}"
        )
    if set(given) - called:
        return f"{where}: unexpected `tool_use_id` found in `tool_result` blocks"
    if any(block.get("type") != "tool_result" for block in blocks[: len(given)]):
        return f"{where}: `tool_result` blocks come first"
    for block in blocks:
        if block.get("type") == "thinking" and block.get("signature") != signature(
            str(block.get("thinking"))
        ):
            return f"{where}: Invalid `signature` in `thinking` block"
    return None


def _of_thoughts(request: Asked, history: list[dict[str, Any]]) -> str | None:
    """With thinking, a turn whose tools were called begins with a thought."""
    thinking = as_object(request.json.get("thinking"))
    answers = [message for message in history if message.get("role") == "assistant"]
    if thinking.get("type") != "enabled" or not answers or history[-1] in answers:
        return None
    blocks = items_of(answers[-1].get("content"))
    called = any(block.get("type") == "tool_use" for block in blocks)
    first = blocks[0].get("type") if blocks else "text"
    if called and first not in {"thinking", "redacted_thinking"}:
        return f"Expected `thinking` or `redacted_thinking`, but found `{first}`"
    return None


def _blocks(request: Asked, reply: Said, text: str) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if reply.thinking:
        blocks.append(
            {"type": "thinking", "thinking": reply.thinking, "signature": signature(reply.thinking)}
        )
    if text or not reply.calls:
        blocks.append({"type": "text", "text": text})
    for index, call in enumerate(reply.calls):
        id_ = f"toolu_{request.digest}_{index}"
        blocks.append({"type": "tool_use", "id": id_, "name": call.name, "input": call.arguments})
    return blocks


def _begun(block: Mapping[str, Any]) -> dict[str, Any]:
    match block["type"]:
        case "text":
            return {**block, "text": ""}
        case "thinking":
            return {**block, "thinking": "", "signature": ""}
        case _:
            return {**block, "input": {}}


def _deltas(block: Mapping[str, Any], reply: Said) -> Iterator[dict[str, Any]]:
    match block["type"]:
        case "text":
            for piece in pieces(cast("str", block["text"]), reply.piece):
                yield {"type": "text_delta", "text": piece}
        case "thinking":
            for piece in pieces(cast("str", block["thinking"]), reply.piece):
                yield {"type": "thinking_delta", "thinking": piece}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case _:
            for piece in ("", *pieces(written_arguments(block["input"]), reply.piece)):
                yield {"type": "input_json_delta", "partial_json": piece}


def _reason(reply: Said) -> str:
    return "tool_use" if reply.calls else "end_turn"
