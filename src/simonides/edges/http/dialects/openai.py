"""`/v1/chat/completions`: OpenAI's dialect, which nearly every server speaks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from simonides.agent.middleware import Answer, Message, ToolCall
from simonides.agent.stream import VisibleStream
from simonides.edges.http.dialects.dialect import (
    EVENTS,
    AnswerReader,
    AskedChat,
    Ours,
    OverEvents,
    an_object,
    messages_of,
    names_of_tools,
    objects,
    read,
    whole_characters,
    written,
)
from simonides.edges.http.framing import Frame
from simonides.values import dataclass

_DONE: Final = b"[DONE]"
#: What servers with OpenAI's dialect call a form of the answer, beside `response_format`: llama.cpp, vLLM, SGLang.
_FORMS: Final = (
    *("grammar", "json_schema", "guided_json", "guided_regex", "guided_choice", "guided_grammar"),
    *("structured_outputs", "regex", "ebnf"),
)


class OpenAIChat(OverEvents):
    """The dialect."""

    path = "/chat/completions"

    def chat_of(self, body: Mapping[str, Any]) -> AskedChat | None:
        messages = messages_of(body)
        if messages is None:
            return None
        own = names_of_tools(body)
        free = body.get("tool_choice", "auto") in ("auto", None) and "functions" not in body
        wanted = an_object(body.get("response_format")) or {}
        in_form = wanted.get("type", "text") != "text" or any(body.get(name) for name in _FORMS)
        return AskedChat(
            body,
            messages,
            own,
            free=free and body.get("n") in (None, 1),
            in_form=in_form,
            user=body.get("user"),
        )

    def sent(
        self,
        chat: AskedChat,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        before: AnswerReader | None = None,
    ) -> Mapping[str, Any]:
        del before
        body = {**chat.body, "messages": list(messages)}
        return body | {"tools": [*objects(chat.body.get("tools")), *tools]} if tools else body

    def reading(self, content_type: str, ours: Ours, before: AnswerReader | None) -> AnswerReader:
        if content_type.startswith(EVENTS):
            return _Stream(ours, before if isinstance(before, _Stream) else None)
        return _Answer(ours, before if isinstance(before, _Answer) else None)

    def failure(self, message: str, kind: str, code: str) -> bytes:
        return written({"error": {"message": message, "type": kind, "param": None, "code": code}})

    def failure_frame(self, message: str) -> bytes:
        return b"data: " + self.failure(message, "server_error", "upstream_failed") + b"\n\n"


@dataclass(slots=True)
class _Call:
    """A tool call that comes in parts."""

    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list[str])

    def add(self, part: Mapping[str, Any]) -> None:
        function = an_object(part.get("function")) or {}
        self.id = self.id or str(part.get("id") or "")
        self.name += str(function.get("name") or "")
        self.arguments.append(str(function.get("arguments") or ""))

    def made(self) -> ToolCall:
        return ToolCall(self.name, "".join(self.arguments), self.id)


class _Stream:
    """Chunks of a stream. Text is taken from the first choice; the others are only freed of proposals."""

    id = kept_as = ""

    def __init__(self, ours: Ours, before: _Stream | None) -> None:
        self.ended = False
        self.identity: dict[str, Any] = {} if before is None else before.identity
        self._ours = ours
        self._failed = False
        self._again = before is not None
        self._shown: list[str] = [] if before is None else [before.shown]
        self._views: dict[int, VisibleStream] = {}
        self._calls: dict[int, _Call] = {}
        self._numbers: dict[int, int] = {}
        self._held: list[dict[str, Any] | bytes] = []
        self._finished: set[int] = set()

    @property
    def shown(self) -> str:
        return "".join(self._shown)

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        if frame.data.strip() == _DONE:
            self.ended = True
            self._held.append(frame.raw)
            return b""
        chunk = an_object(read(frame.data))
        if chunk is None or chunk.get("error"):
            self._failed = True
            self.ended |= chunk is not None
            return self.rest() + frame.raw
        changed = self._named(chunk)
        choices = objects(chunk.get("choices"))
        if not choices and self._finished:  # What it cost, behind the end.
            self._held.append(chunk if changed else frame.raw)
            return b""
        shown: list[bytes] = []
        for choice in choices:
            changed |= self._choice(choice, shown)
        ends = any(choice.get("finish_reason") is not None for choice in choices)
        # Of several choices one after the other, each begins anew what was over.
        self.ended = bool(self._finished) and self._finished.issuperset(self._views)
        if ends:
            self._held.append(chunk if changed else frame.raw)
            return b"".join(shown)
        if changed and all(_is_bare(choice) for choice in choices):
            return b""
        return _event(chunk) if changed else frame.raw

    def rest(self) -> bytes:
        return b"".join(
            _event(self._text(n, text)) for n, view in self._views.items() if (text := view.end())
        )

    def end(self) -> bytes:
        return b"".join(
            frame if isinstance(frame, bytes) else _event(self._ending(frame)) for frame in self._held
        )

    def answer(self) -> Answer:
        text = self._views[0].raw if 0 in self._views else ""
        calls = tuple(call.made() for _, call in sorted(self._calls.items()))
        return Answer(whole_characters(text), calls, complete=0 in self._finished and not self._failed)

    def _named(self, chunk: dict[str, Any]) -> bool:
        """Let a second answer look like the first one's continuation; whether that changed the chunk."""
        identity = {key: chunk[key] for key in ("id", "created") if key in chunk}
        if not self.identity:
            self.identity |= identity | {key: chunk[key] for key in ("object", "model") if key in chunk}
        if not self._again or all(self.identity.get(key) == value for key, value in identity.items()):
            return False
        chunk |= {key: self.identity[key] for key in identity if key in self.identity}
        return True

    def _choice(self, choice: dict[str, Any], shown: list[bytes]) -> bool:
        """Take what is memory's out of a choice; whether that changed it. Text that its end brings goes to `shown`."""
        index = choice.get("index")
        index = index if isinstance(index, int) else 0
        delta = an_object(choice.get("delta")) or {}
        changed = False
        view = self._views.setdefault(index, VisibleStream())
        text = delta.get("content")
        visible = ""
        if isinstance(text, str) and text:
            visible = view.feed(text)
            changed = visible != text
            delta["content"] = visible
        if choice.get("logprobs") and (changed or view.withholds):
            choice["logprobs"] = (
                None  # They spell out what is taken out, at times without the text beside them.
            )
            changed = True
        if index == 0 and (parts := objects(delta.get("tool_calls"))):
            changed |= self._without_ours(delta, parts)
        if choice.get("finish_reason") is None:
            self._show(index, visible)
            return changed
        if visible := visible + view.end():
            shown.append(_event(self._text(index, visible)))
        if text:
            delta["content"] = ""
        self._finished.add(index)
        if index == 0:
            changed |= any(self._ours(call.name) for call in self._calls.values())
        return changed or bool(text)

    def _without_ours(self, delta: dict[str, Any], parts: Sequence[dict[str, Any]]) -> bool:
        """Leave the client's own calls, numbered as if there were no others; whether that changed anything."""
        kept: list[dict[str, Any]] = []
        for part in parts:
            index = part.get("index")
            index = index if isinstance(index, int) else len(self._calls)
            call = self._calls.setdefault(index, _Call())
            call.add(part)
            if not self._ours(call.name):
                number = self._numbers.setdefault(index, len(self._numbers))
                kept.append(part if number == index else part | {"index": number})
        if kept == parts:
            return False
        delta["tool_calls"] = kept
        if not kept:
            del delta["tool_calls"]
        return True

    def _show(self, index: int, text: str) -> None:
        if index == 0 and text:
            self._shown.append(text)

    def _text(self, index: int, text: str) -> dict[str, Any]:
        """A chunk that says this."""
        self._show(index, text)
        choice = {"index": index, "delta": {"content": text}, "finish_reason": None}
        return {**self.identity, "choices": [choice]}

    def _ending(self, chunk: dict[str, Any]) -> dict[str, Any]:
        """The end, as it is where only memory's tools were called: for the client there was no call."""
        for choice in objects(chunk.get("choices")):
            if choice.get("finish_reason") == "tool_calls" and _only_ours(self._calls.values(), self._ours):
                choice["finish_reason"] = "stop"
        return chunk


class _Answer:
    """An answer in one piece."""

    id = kept_as = ""
    ended = True

    def __init__(self, ours: Ours, before: _Answer | None) -> None:
        self._ours = ours
        self._failed = False
        self._before: str = "" if before is None else before.shown
        self.shown = self._before
        self._raw = b""
        self._body: dict[str, Any] | None = None
        self._text = ""
        self._calls: list[_Call] = []
        self._changed = False

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        self._raw = frame.raw
        body = an_object(read(frame.data))
        choices = objects(body.get("choices")) if body else []
        if body is None or body.get("error") or not choices:
            self._failed = True
            return b""
        for number, choice in enumerate(choices):
            self._choice(choice, first=number == 0)
        self._body = body
        return b""

    def rest(self) -> bytes:
        return self._raw

    def end(self) -> bytes:
        return written(self._body) if self._body is not None and self._changed else self._raw

    def answer(self) -> Answer:
        calls = tuple(call.made() for call in self._calls)
        return Answer(
            whole_characters(self._text), calls, complete=self._body is not None and not self._failed
        )

    def _choice(self, choice: dict[str, Any], *, first: bool) -> None:
        message = an_object(choice.get("message"))
        if message is None:
            self._failed |= first
            return
        text = message.get("content")
        if isinstance(text, str):
            view = VisibleStream()
            visible = (self._before if first else "") + view.feed(text) + view.end()
            if visible != text:
                self._changed = True
                if choice.get("logprobs"):
                    choice["logprobs"] = None  # They spell out what is taken out.
            message["content"] = visible
            if first:
                self._text, self.shown = text, visible
        elif first and self._before:
            message["content"], self._changed = self._before, True
        if first:
            self._without_ours(choice, message)

    def _without_ours(self, choice: dict[str, Any], message: dict[str, Any]) -> None:
        parts = objects(message.get("tool_calls"))
        for part in parts:
            call = _Call()
            call.add(part)
            self._calls.append(call)
        kept = [part for part, call in zip(parts, self._calls, strict=True) if not self._ours(call.name)]
        if len(kept) == len(parts):
            return
        self._changed = True
        if kept:
            message["tool_calls"] = kept
            return
        del message["tool_calls"]
        message["content"] = message.get("content") or ""
        if choice.get("finish_reason") == "tool_calls":
            choice["finish_reason"] = "stop"


def _only_ours(calls: Collection[_Call], ours: Ours) -> bool:
    return bool(calls) and all(ours(call.name) for call in calls)


def _is_bare(choice: Mapping[str, Any]) -> bool:
    """True if nothing is left of a chunk's choice that a client could use."""
    delta = an_object(choice.get("delta"))
    return delta is not None and not any(delta.values())


def _event(chunk: Mapping[str, Any]) -> bytes:
    return b"data: " + written(chunk) + b"\n\n"
