"""`/api/chat` and `/api/generate`: Ollama's dialects, JSON a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from simonides.agent.middleware import Answer, Message, ToolCall
from simonides.agent.stream import VisibleStream
from simonides.edges.http.dialects.dialect import (
    AnswerReader,
    AskedChat,
    Ours,
    an_object,
    messages_of,
    names_of_tools,
    objects,
    read,
    whole_characters,
    written,
)
from simonides.edges.http.framing import Frame, Frames, Lines, Whole

_LINES: Final = ("application/x-ndjson", "application/ndjson", "application/jsonl")
_JSON: Final = "application/json"


class _Ollama:
    """Shared parts of both endpoints."""

    def frames(self, content_type: str) -> Frames | None:
        if content_type.startswith(_LINES):
            return Lines()
        return Whole() if content_type.startswith(_JSON) else None

    def failure(self, message: str, kind: str, code: str) -> bytes:  # noqa: ARG002 - it has neither
        return written({"error": message})

    def failure_frame(self, message: str) -> bytes:
        return written({"error": message}) + b"\n"


class OllamaChat(_Ollama):
    """The chat."""

    path = "/api/chat"

    def chat_of(self, body: Mapping[str, Any]) -> AskedChat | None:
        messages = messages_of(body)
        if messages is None:
            return None
        own = names_of_tools(body)
        return AskedChat(
            body, messages, own, free=True, in_form=bool(body.get("format")), user=body.get("user")
        )

    def sent(
        self,
        chat: AskedChat,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        before: AnswerReader | None = None,
    ) -> Mapping[str, Any]:
        del before
        messages = messages if _has_system(chat.messages) else _folded(messages)
        body = {**chat.body, "messages": _as_ollama(messages)}
        return body | {"tools": [*objects(chat.body.get("tools")), *tools]} if tools else body

    def reading(self, content_type: str, ours: Ours, before: AnswerReader | None) -> AnswerReader:
        kind = _Stream if content_type.startswith(_LINES) else _Answer
        return kind(_ChatText(), ours, before if isinstance(before, _Answer) else None)


class OllamaGenerate(_Ollama):
    """A prompt and what the model makes of it. For the middleware it is a chat of one question."""

    path = "/api/generate"

    def chat_of(self, body: Mapping[str, Any]) -> AskedChat | None:
        prompt, system = body.get("prompt"), body.get("system")
        # Filling in the middle of a file, and prompts that are in the model's own format, are no chats.
        if not isinstance(prompt, str) or not prompt.strip() or body.get("raw") or body.get("suffix"):
            return None
        messages: list[Message] = [{"role": "user", "content": prompt}]
        if isinstance(system, str) and system:
            messages.insert(0, {"role": "system", "content": system})
        return AskedChat(body, tuple(messages), in_form=bool(body.get("format")), user=body.get("user"))

    def sent(
        self,
        chat: AskedChat,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        before: AnswerReader | None = None,
    ) -> Mapping[str, Any]:
        del tools, before
        messages = messages if _has_system(chat.messages) else _folded(messages)
        body = {**chat.body, "prompt": str(messages[-1].get("content"))}
        return (
            body | {"system": str(messages[0].get("content"))}
            if messages[0].get("role") == "system"
            else body
        )

    def reading(self, content_type: str, ours: Ours, before: AnswerReader | None) -> AnswerReader:
        kind = _Stream if content_type.startswith(_LINES) else _Answer
        return kind(_GeneratedText(), ours, before if isinstance(before, _Answer) else None)


class _ChatText:
    """Place of the text in lines of `/api/chat`."""

    def holder(self, line: dict[str, Any]) -> dict[str, Any] | None:
        return an_object(line.get("message"))

    key = "content"

    def line(self, text: str) -> dict[str, Any]:
        return {"message": {"role": "assistant", "content": text}}


class _GeneratedText:
    """Place of the text in lines of `/api/generate`."""

    def holder(self, line: dict[str, Any]) -> dict[str, Any] | None:
        return line if "response" in line else None

    key = "response"

    def line(self, text: str) -> dict[str, Any]:
        return {"response": text}


class _Answer:
    """An answer in one piece."""

    id = kept_as = ""
    ended = True

    def __init__(self, place: _ChatText | _GeneratedText, ours: Ours, before: _Answer | None) -> None:
        self._failed = False
        self._place = place
        self._ours = ours
        self._before: str = "" if before is None else before.shown
        self._shown: list[str] = [self._before]
        self._view = VisibleStream()
        self._calls: list[ToolCall] = []
        self._held: list[dict[str, Any] | bytes] = []
        self._finished = False

    @property
    def shown(self) -> str:
        return "".join(self._shown)

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        line = an_object(read(frame.data))
        holder = None if line is None else self._place.holder(line)
        if line is None or line.get("error") or holder is None:
            self._failed = True
            self._held.append(frame.raw)
            return b""
        text = self._said(holder)
        self._shown += [self._view.feed(text), self._view.end()]
        changed = self._without_ours(holder)
        if self.shown != text:
            holder[self._place.key] = self.shown
            line.pop("logprobs", None)  # They spell out what is taken out.
            changed = True
        self._finished = line.get("done") is True
        self._held.append(line if changed else frame.raw)
        return b""

    def rest(self) -> bytes:
        return self.end()

    def end(self) -> bytes:
        return b"".join(held if isinstance(held, bytes) else written(held) for held in self._held)

    def answer(self) -> Answer:
        text = whole_characters(self._view.raw)
        return Answer(text, tuple(self._calls), complete=self._finished and not self._failed)

    def _said(self, holder: Mapping[str, Any]) -> str:
        text = holder.get(self._place.key)
        return text if isinstance(text, str) else ""

    def _without_ours(self, holder: dict[str, Any]) -> bool:
        """Take calls of memory's tools out of a message; whether there were any."""
        parts = objects(holder.get("tool_calls"))
        if not parts:
            return False
        calls = [_call(part) for part in parts]
        self._calls += calls
        kept = [part for part, call in zip(parts, calls, strict=True) if not self._ours(call.name)]
        if len(kept) == len(parts):
            return False
        holder["tool_calls"] = kept
        if not kept:
            del holder["tool_calls"]
        return True


class _Stream(_Answer):
    """Lines of a stream."""

    ended = False

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        line = an_object(read(frame.data))
        holder = None if line is None else self._place.holder(line)
        if line is None or line.get("error") or (holder is None and line.get("done") is not True):
            self._failed = True
            self.ended |= bool(line and line.get("error"))
            return self.rest() + frame.raw
        holder = {} if holder is None else holder
        text = self._said(holder)
        visible = self._view.feed(text)
        changed = self._without_ours(holder)
        if line.get("logprobs") and (visible != text or self._view.withholds):
            del line["logprobs"]  # They spell out what is taken out.
            changed = True
        if line.get("done") is True:
            self._finished = self.ended = True
            visible += self._view.end()
            if text:
                holder[self._place.key] = ""
            self._held.append(line if text or changed else frame.raw)
            return self._text(visible, line)
        self._shown.append(visible)
        if visible != text:
            holder[self._place.key] = visible
            changed = True
        if changed and not visible and not holder.get("tool_calls") and not _thinking(line, holder):
            return b""
        return _line(line) if changed else frame.raw

    def rest(self) -> bytes:
        return self._text(self._view.end(), {})

    def end(self) -> bytes:
        return b"".join(held if isinstance(held, bytes) else _line(held) for held in self._held)

    def _text(self, text: str, like: Mapping[str, Any]) -> bytes:
        """A line that says this, of the same model and time; nothing for no text."""
        if not text:
            return b""
        self._shown.append(text)
        same = {key: like[key] for key in ("model", "created_at") if key in like}
        return _line({**same, **self._place.line(text), "done": False})


def _line(value: Mapping[str, Any]) -> bytes:
    return written(value) + b"\n"


def _thinking(line: Mapping[str, Any], holder: Mapping[str, Any]) -> bool:
    return bool(line.get("thinking") or holder.get("thinking"))


def _call(part: Mapping[str, Any]) -> ToolCall:
    function = an_object(part.get("function")) or {}
    arguments = function.get("arguments")
    given = arguments if isinstance(arguments, str) else an_object(arguments) or ""
    return ToolCall(str(function.get("name") or ""), given, str(part.get("id") or ""))


def _has_system(messages: Sequence[Message]) -> bool:
    return any(message.get("role") == "system" for message in messages)


def _folded(messages: Sequence[Message]) -> list[Message]:
    """The messages with a system message that was added put before the first words of the user.

    A system message takes the place of the one that Ollama has for the model, and must not where the client sent
    none. The first message is the same in every request of a conversation, so that what is cached stays.
    """
    first, *rest = messages
    place = next((n for n, message in enumerate(rest) if message.get("role") == "user"), None)
    if first.get("role") != "system" or place is None or not isinstance(rest[place].get("content"), str):
        return list(messages)
    rest[place] = {**rest[place], "content": f"{first.get('content')}\n\n{rest[place]['content']}"}
    return rest


def _as_ollama(messages: Sequence[Message]) -> list[Message]:
    """Messages in OpenAI's form as Ollama takes them: arguments as objects, results with the name of their tool."""
    names: dict[str, str] = {}
    return [_message(message, names) for message in messages]


def _message(message: Message, names: dict[str, str]) -> Message:
    calls = objects(message.get("tool_calls"))
    if message.get("role") == "tool" and "tool_name" not in message and "tool_call_id" in message:
        return {**message, "tool_name": message.get("name") or names.get(str(message["tool_call_id"]), "")}
    if not calls:
        return message
    messages: list[dict[str, Any]] = []
    for call, part in zip(map(_call, calls), calls, strict=True):
        names[call.id] = call.name
        messages.append({**part, "function": {"name": call.name, "arguments": _as_object(call.arguments)}})
    return {**message, "content": message.get("content") or "", "tool_calls": messages}


def _as_object(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    try:
        return an_object(json.loads(arguments)) or {}
    except (ValueError, RecursionError):
        return {}
