"""Answers as OpenAI's Responses API writes them, and what such a server refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from simonides.testing_server.script import Asked, Said, items_of, pieces, written_arguments

OPENAI_RESPONSES: Final = "/v1/responses"
_USAGE: Final = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


class KeptResponses:
    """Responses that the server keeps, by their ids, for requests that go on from them."""

    def __init__(self) -> None:
        self._items: dict[str, list[dict[str, Any]]] = {}

    def complaint(self, request: Asked) -> str | None:
        """Reason for which such a server refuses a request; None where it is good."""
        previous = request.json.get("previous_response_id")
        if previous is not None and previous not in self._items:
            return f"Previous response with id '{previous}' not found."
        called: set[str] = set()
        for item in self._known(request):
            match item.get("type"):
                case "function_call":
                    called.add(str(item.get("call_id")))
                case "function_call_output" if item.get("call_id") not in called:
                    return f"No tool call found for function call output with call_id {item.get('call_id')}."
                case "function_call_output":
                    called.discard(str(item.get("call_id")))
                case _:
                    pass
        return f"No tool output found for function call {', '.join(sorted(called))}." if called else None

    def keep(self, request: Asked, reply: Said, text: str) -> None:
        """Keep what was asked and answered, unless the request says not to."""
        if request.json.get("store") is not False:
            output = [item for item in _items(request, reply, text) if item["type"] != "reasoning"]
            self._items[f"resp_{request.digest}"] = [*self._known(request), *output]

    def _known(self, request: Asked) -> list[dict[str, Any]]:
        before = self._items.get(str(request.json.get("previous_response_id")), [])
        return [*before, *items_of(request.json.get("input"))]


def events(request: Asked, reply: Said, text: str) -> Iterator[dict[str, Any]]:
    """The events of a stream, in order."""
    for number, event in enumerate(_events(request, reply, text)):
        yield {**event, "sequence_number": number}


def whole(request: Asked, reply: Said, text: str) -> dict[str, Any]:
    """The answer in one piece."""
    return _response(request, "completed", _items(request, reply, text)) | {"usage": _USAGE}


def _events(request: Asked, reply: Said, text: str) -> Iterator[dict[str, Any]]:
    begun = _response(request, "in_progress", [])
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    for index, item in enumerate(_items(request, reply, text)):
        at: dict[str, Any] = {"item_id": item["id"], "output_index": index}
        yield {"type": "response.output_item.added", "output_index": index, "item": _begun(item)}
        match item["type"]:
            case "message":
                yield from _of_text(at, item["content"][0], reply)
            case "function_call":
                for piece in pieces(item["arguments"], reply.piece):
                    yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
                done = {"name": item["name"], "arguments": item["arguments"]}
                yield {"type": "response.function_call_arguments.done", **at, **done}
            case _:
                yield from _of_thought(at, item["summary"][0], reply)
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": whole(request, reply, text)}


def _of_text(at: Mapping[str, Any], part: Mapping[str, Any], reply: Said) -> Iterator[dict[str, Any]]:
    at = {**at, "content_index": 0}
    yield {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
    for piece in pieces(part["text"], reply.piece):
        yield {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
    yield {"type": "response.output_text.done", **at, "text": part["text"], "logprobs": []}
    yield {"type": "response.content_part.done", **at, "part": part}


def _of_thought(at: Mapping[str, Any], part: Mapping[str, Any], reply: Said) -> Iterator[dict[str, Any]]:
    at = {**at, "summary_index": 0}
    yield {"type": "response.reasoning_summary_part.added", **at, "part": {**part, "text": ""}}
    for piece in pieces(part["text"], reply.piece):
        yield {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
    yield {"type": "response.reasoning_summary_text.done", **at, "text": part["text"]}
    yield {"type": "response.reasoning_summary_part.done", **at, "part": part}


def _begun(item: Mapping[str, Any]) -> dict[str, Any]:
    match item["type"]:
        case "message":
            return {**item, "content": [], "status": "in_progress"}
        case "function_call":
            return {**item, "arguments": "", "status": "in_progress"}
        case _:
            return {**item, "summary": []}


def _items(request: Asked, reply: Said, text: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if reply.thinking:
        summary = [{"type": "summary_text", "text": reply.thinking}]
        items.append({"type": "reasoning", "id": f"rs_{request.digest}", "summary": summary})
    if text or not reply.calls:
        part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
        message: dict[str, Any] = {
            "type": "message",
            "id": f"msg_{request.digest}",
            "role": "assistant",
            "content": [part],
        }
        items.append(message | {"status": "completed"})
    for index, call in enumerate(reply.calls):
        named = f"{request.digest}_{index}"
        items.append(
            {
                "type": "function_call",
                "id": f"fc_{named}",
                "call_id": f"call_{named}",
                "name": call.name,
                "arguments": written_arguments(call.arguments),
                "status": "completed",
            }
        )
    return items


def _response(request: Asked, status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": f"resp_{request.digest}",
        "object": "response",
        "created_at": 1767225600,
        "status": status,
        "model": request.json.get("model", "scripted"),
        "output": output,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "previous_response_id": request.json.get("previous_response_id"),
        "store": request.json.get("store") is not False,
    }
