"""`/v1/messages`: Anthropic's dialect, in blocks and named events."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final, cast

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
from simonides.edges.http.dialects.reading import (
    CLIENT,
    HEARD,
    PLACE,
    SYSTEM,
    WholeAnswer,
    an_event,
    event_of,
    merged,
    of_client,
    place_of,
)
from simonides.edges.http.framing import Frame
from simonides.values import dataclass

_KINDS: Final = {"server_error": "api_error"}
#: Kinds of errors that OpenAI does not tell apart, by our codes.
_KINDS_BY_CODE: Final = {"upstream_silent": "timeout_error"}
#: What the server holds of a thread from its beginning, and refuses in a request that continues it.
_OF_THE_BEGINNING: Final = frozenset({"system", "tools"})


class AnthropicMessages(OverEvents):
    """The dialect. Blocks that are neither texts nor calls of tools (thoughts, images, documents) are never touched."""

    path = "/messages"

    def chat_of(self, body: Mapping[str, Any]) -> AskedChat | None:
        thread = an_object(body.get("thread"))
        goes_on_from = _continued(thread)
        sent = messages_of(body)
        if sent is None:
            if not goes_on_from or body.get("messages") != []:
                return None
            sent = ()  # An answer that paused goes on.
        system: object = body.get("system")
        messages: list[Message] = [{"role": "system", "content": system, PLACE: SYSTEM}] if system else []
        if goes_on_from:
            messages.append(_before(sent))
        for place, message in enumerate(sent):
            messages += _read(message, place)
        choice = an_object(body.get("tool_choice")) or {"type": "auto"}
        wanted = body.get("output_format") or (an_object(body.get("output_config")) or {}).get("format")
        # An answer whose beginning the client wrote goes on as that wants.
        in_form = bool(wanted) or (bool(sent) and sent[-1].get("role") == "assistant")
        return AskedChat(
            body,
            tuple(messages),
            names_of_tools(body),
            free=choice.get("type") == "auto",
            in_form=in_form,
            user=(an_object(body.get("metadata")) or {}).get("user_id"),
            goes_on_from=goes_on_from,
            named_at=("thread", "previous_message_id"),
            is_kept=thread is not None,
            is_begun=bool(goes_on_from),
        )

    def sent(
        self,
        chat: AskedChat,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        before: AnswerReader | None,
    ) -> Mapping[str, Any]:
        body = dict(chat.body)
        writing = _Writing(chat, before.rounds if isinstance(before, _Answer) else [])
        for message in messages:
            if message.get("role") in {"system", "developer"}:
                body["system"] = message.get("content")
            else:
                writing.add(message)
        body["messages"] = writing.made()
        if chat.is_kept and isinstance(before, _Answer):
            # The server has put all that was asked and answered into the thread already.
            body["thread"] = {"type": "continue", "previous_message_id": before.kept_as}
            body["messages"] = body["messages"][-1:]
        if _continued(body.get("thread")):
            return {name: value for name, value in body.items() if name not in _OF_THE_BEGINNING}
        return body | {"tools": [*objects(chat.body.get("tools")), *map(_tool, tools)]} if tools else body

    def reading(self, content_type: str, ours: Ours, before: AnswerReader | None) -> AnswerReader:
        kind = _Stream if content_type.startswith(EVENTS) else _Answer
        return kind(ours, before if isinstance(before, _Answer) else None)

    def failure(self, message: str, kind: str, code: str) -> bytes:
        return written(_failure(message, kind, code))

    def failure_frame(self, message: str) -> bytes:
        return an_event(_failure(message, "server_error", "upstream_failed"))


def _failure(message: str, kind: str, code: str) -> dict[str, Any]:
    kind = _KINDS_BY_CODE.get(code) or _KINDS.get(kind, kind)
    return {"type": "error", "error": {"type": kind, "message": message, "details": {"error_code": code}}}


# A request


def _continued(thread: object) -> str:
    """Name of the answer that a request continues a thread from; empty if it does not."""
    thread = an_object(thread) or {}
    name = thread.get("previous_message_id")
    return name if thread.get("type") == "continue" and isinstance(name, str) else ""


def _before(sent: Sequence[Message]) -> Message:
    """The end of a thread before what is sent now: the turn that called the tools whose results come, if any did."""
    blocks = objects(sent[0].get("content")) if sent else []
    results = [block for block in blocks if block.get("type") == "tool_result"]
    if not results:
        return {"role": CLIENT, "content": "", PLACE: (0, 0)}
    call = {"id": results[0].get("tool_use_id"), "function": {"name": "", "arguments": ""}}
    return {"role": "assistant", "content": "", "tool_calls": [call], PLACE: (0, 0)}


def _read(message: Message, place: int) -> list[Message]:
    """A message as those of OpenAI's form: results of tools stand for themselves."""
    content: object = message.get("content")
    at = {PLACE: (place, place + 1)}
    role = message.get("role")
    if role in {"system", "developer"}:
        role = CLIENT  # In the midst of a chat it is said where it stands, and is no system prompt to add to.
    if isinstance(content, str):
        return [{"role": CLIENT if role == "user" and of_client(content) else role, "content": content, **at}]
    blocks = objects(content)
    if role == "assistant":
        text = "".join(_text(block) for block in blocks if block.get("type") == "text")
        calls = [_openai(block) for block in blocks if block.get("type") == "tool_use"]
        return [{"role": role, "content": text, **({"tool_calls": calls} if calls else {}), **at}]
    results = [block for block in blocks if block.get("type") == "tool_result"]
    spoken = [block for block in blocks if block not in results and not of_client(block.get("text"))]
    messages: list[Message] = []
    if results:
        messages.append({"role": "tool", "content": "\n".join(map(_result, results)), **at})
    if spoken or not results:
        messages.append({"role": role if spoken else CLIENT, "content": spoken, **at})
    return messages


def _text(block: Mapping[str, Any]) -> str:
    text = block.get("text")
    return text if isinstance(text, str) else ""


def _result(block: Mapping[str, Any]) -> str:
    content: object = block.get("content")
    return content if isinstance(content, str) else "\n".join(map(_text, objects(content)))


def _openai(block: Mapping[str, Any]) -> dict[str, Any]:
    given = an_object(block.get("input")) or {}
    return {
        "id": block.get("id"),
        "type": "function",
        "function": {"name": block.get("name"), "arguments": json.dumps(given, ensure_ascii=False)},
    }


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function: Mapping[str, Any] = tool["function"]
    return {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }


def _heard(call_id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": HEARD}


def _called(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call of a tool as a block."""
    function = an_object(call.get("function")) or {}
    given = an_object(read(str(function.get("arguments") or "{}").encode())) or {}
    return {"type": "tool_use", "id": call.get("id"), "name": function.get("name"), "input": given}


class _Writing:
    """Messages in this dialect's form, made of those that came and of what memory changed or added.

    Args:
        rounds: Contents of the answers so far, thoughts included, where the model is asked again.
    """

    def __init__(self, chat: AskedChat, rounds: Sequence[Sequence[dict[str, Any]]]) -> None:
        self._came = objects(chat.body.get("messages"))
        self._read = {(place_of(one), one.get("role")): one for one in chat.messages}
        self._open = [call.id for call in chat.open_calls]
        self._rounds = list(rounds)
        self._made: list[dict[str, Any]] = []
        self._results: list[dict[str, Any]] = []
        self._last: tuple[int, int] | None = None

    def add(self, message: Message) -> None:
        place = place_of(message)
        if place is None:
            self._add_new(message)
            return
        if place[0] == place[1]:
            return  # The server has it.
        if place != self._last:
            self._last = place
            self._add(dict(self._came[place[0]]))
        before = self._read[place, message.get("role")]
        if message != before:
            self._made[-1] = self._changed(self._made[-1], before, message)

    def made(self) -> list[dict[str, Any]]:
        self._flush()
        first = objects(self._made[0].get("content")) if self._made else []
        answered = {block.get("tool_use_id") for block in first}
        self._results = [_heard(call) for call in self._open if call not in answered]
        if self._results and self._made and self._made[0].get("role") == "user":
            self._made[0] = self._with_results(self._made[0])
        elif self._results:
            self._made, after = [], self._made
            self._flush()
            self._made += after
        return self._made

    def _add(self, message: dict[str, Any]) -> None:
        """Add a message that came; results of memory's tools join those of the client's."""
        if self._results and message.get("role") == "user":
            message = self._with_results(message)
        self._flush()
        self._made.append(message)

    def _with_results(self, message: dict[str, Any]) -> dict[str, Any]:
        content: object = message.get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
        results, self._results = self._results, []
        return {**message, "content": [*results, *blocks]}

    def _add_new(self, message: Message) -> None:
        if message.get("role") == "tool":
            id_, content = message.get("tool_call_id"), message.get("content")
            self._results.append({"type": "tool_result", "tool_use_id": id_, "content": content})
            return
        self._flush()
        blocks = list(self._rounds.pop(0)) if self._rounds else []
        self._made.append({"role": "assistant", "content": blocks})

    def _flush(self) -> None:
        if self._results:
            self._made.append({"role": "user", "content": self._results})
            self._results = []

    def _changed(self, came: dict[str, Any], before: Message, message: Message) -> dict[str, Any]:
        content: object = message.get("content")
        if message.get("role") == "assistant":
            blocks = objects(came.get("content"))
            known = objects(before.get("tool_calls"))
            calls = [_called(call) for call in objects(message.get("tool_calls")) if call not in known]
            first = next(
                (n for n, block in enumerate(blocks) if block.get("type") == "tool_use"), len(blocks)
            )
            return {**came, "content": [*blocks[:first], *calls, *blocks[first:]]}
        if isinstance(content, str):
            results = [] if isinstance(came.get("content"), str) else objects(came.get("content"))[:-1]
            changed = [*results, {"type": "text", "text": content}] if results else content
            return {**came, "content": changed}
        seen = cast("Sequence[object]", before.get("content"))
        return {
            **came,
            "content": merged(objects(came.get("content")), seen, cast("Sequence[object]", content)),
        }


# An answer


@dataclass(slots=True)
class _Block:
    """A block of the answer as it comes.

    Attributes:
        whole: It with what came so far.
        number: Its number for the client; None while the client has not seen it.
        ours: Whether it is a call of a tool of memory's.
        waiting: Its beginning, until there is something in it that the client may see.
        view: What a text shows.
    """

    whole: dict[str, Any]
    ours: bool = False
    number: int | None = None
    waiting: tuple[dict[str, Any], Frame] | None = None
    view: VisibleStream | None = None
    arguments: list[str] = field(default_factory=list[str])

    def add(self, delta: Mapping[str, Any]) -> None:
        """Take what a delta brings: an answer that memory has a part in is sent back as it was said."""
        match delta.get("type"):
            case "input_json_delta":
                self.arguments.append(str(delta.get("partial_json") or ""))
            case "citations_delta":
                self.whole["citations"] = [*objects(self.whole.get("citations")), delta.get("citation")]
            case _:
                for key, value in delta.items():
                    if key != "type" and isinstance(value, str):
                        self.whole[key] = str(self.whole.get(key) or "") + value

    def end(self) -> None:
        if given := "".join(self.arguments):
            self.whole["input"] = an_object(read(given.encode("utf-8", "surrogatepass"))) or {}


class _Answer(WholeAnswer):
    """An answer in one piece.

    Attributes:
        content: Blocks that the client gets.
    """

    def __init__(self, ours: Ours, before: _Answer | None) -> None:
        super().__init__(ours, before)
        self.content: list[dict[str, Any]] = [] if before is None else list(before.content)

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        self._raw = frame.raw
        body = an_object(read(frame.data))
        if body is None or not isinstance(body.get("content"), list) or body.get("type") == "error":
            self._failed = True
            return b""
        blocks = objects(cast("object", body["content"]))
        self.id = self.kept_as = str(body.get("id") or "")
        self.rounds.append(_sendable(blocks))
        left = [block for block in map(self._visible, blocks) if block is not None]
        changed = left != blocks or self._again
        self.content += left
        body["content"] = self.content
        self._finished = True
        if self._ends_otherwise(body.get("stop_reason")):
            body["stop_reason"], changed = "end_turn", True
        self._body = body if changed else None
        return b""

    def _visible(self, block: dict[str, Any]) -> dict[str, Any] | None:
        """A block without what is memory's; None where nothing is left of it."""
        if self._called(block):
            return None
        text = block.get("text")
        if block.get("type") != "text" or not isinstance(text, str):
            return block
        view = VisibleStream()
        visible = view.feed(text) + view.end()
        self._said.append(text)
        self._shown.append(visible)
        if visible == text:
            return block
        # A text that is empty would be refused when it comes back.
        return {**block, "text": visible} if visible else None

    def _called(self, block: Mapping[str, Any]) -> bool:
        """Take note of a call; whether it is for memory."""
        if block.get("type") != "tool_use":
            return False
        given = an_object(block.get("input"))
        call = ToolCall(str(block.get("name") or ""), given or "", str(block.get("id") or ""))
        self._calls.append(call)
        return self._ours(call.name)

    def _ends_otherwise(self, reason: object) -> bool:
        """True if the answer ends for tools of which the client knows nothing."""
        return reason == "tool_use" and bool(self._calls) and all(self._ours(one.name) for one in self._calls)


class _Stream(_Answer):
    """Events of a stream."""

    def __init__(self, ours: Ours, before: _Answer | None) -> None:
        super().__init__(ours, before)
        self.ended = False
        self.next: int = before.next if isinstance(before, _Stream) else 0
        self.id = before.id if isinstance(before, _Stream) else ""
        self._blocks: dict[int, _Block] = {}
        self._held: list[tuple[dict[str, Any], Frame]] = []
        self.rounds.append([])

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        event = an_object(read(frame.data))
        if event is None or event.get("type") == "error":
            self._failed = True
            self.ended |= event is not None
            return self.rest() + frame.raw
        match event.get("type"):
            case "message_start":
                self.kept_as = str((an_object(event.get("message")) or {}).get("id") or "")
                self.id = self.id or self.kept_as
                return b"" if self._again else frame.raw
            case "content_block_start":
                return self._start(event, frame)
            case "content_block_delta":
                return self._delta(event, frame)
            case "content_block_stop":
                return self._stop(event, frame)
            case "message_delta" | "message_stop" as kind:
                delta = an_object(event.get("delta")) or {}
                self._finished |= kind == "message_stop" or delta.get("stop_reason") is not None
                self.ended |= self._finished
                self._held.append((event, frame))
                return b""
            case _ if self._held:
                self._held.append((event, frame))
                return b""
            case _:
                return self._other(event, frame)

    def rest(self) -> bytes:
        return b"".join(self._left(block) for block in self._blocks.values() if not block.ours)

    def end(self) -> bytes:
        return b"".join(self._ending(event, frame) for event, frame in self._held)

    def answer(self) -> Answer:
        text = "".join(block.view.raw for block in self._blocks.values() if block.view is not None)
        return Answer(
            whole_characters(text), tuple(self._calls), complete=self._finished and not self._failed
        )

    def _start(self, event: dict[str, Any], frame: Frame) -> bytes:
        whole = an_object(event.get("content_block")) or {}
        ours = whole.get("type") == "tool_use" and self._ours(str(whole.get("name") or ""))
        block = self._blocks[_index(event)] = _Block(dict(whole), ours)
        if ours:
            return b""
        if whole.get("type") != "text":
            return self._begin(block, event, frame)
        block.view = VisibleStream()
        block.waiting = event, frame
        text = _text(whole)
        if not (visible := block.view.feed(text)):
            return b""
        self._shown.append(visible)
        if visible == text:
            return self._begun(block)
        block.waiting = {**event, "content_block": {**whole, "text": visible}}, Frame(b"", b"")
        return self._begun(block, changed=True)

    def _delta(self, event: dict[str, Any], frame: Frame) -> bytes:
        block = self._blocks.get(_index(event))
        delta = an_object(event.get("delta")) or {}
        if block is None:
            return frame.raw
        block.add(delta)
        if block.ours:
            return b""
        text = delta.get("text")
        if block.view is None or delta.get("type") != "text_delta" or not isinstance(text, str):
            return self._begun(block) + self._numbered(block, event, frame)
        visible = block.view.feed(text)
        if not visible:
            return b"" if text else self._begun(block) + self._numbered(block, event, frame)
        self._shown.append(visible)
        changed = visible != text
        event["delta"] = {**delta, "text": visible}
        return self._begun(block) + self._numbered(block, event, frame, changed=changed)

    def _stop(self, event: dict[str, Any], frame: Frame) -> bytes:
        block = self._blocks.get(_index(event))
        if block is None:
            return frame.raw
        block.end()
        self.rounds[-1] += _sendable([block.whole])
        self._called(block.whole)
        if block.ours:
            return b""
        left = self._left(block)
        if block.waiting is not None and block.view is not None and block.view.raw:
            return b""  # All of it was memory's.
        return left + self._begun(block) + self._numbered(block, event, frame)

    def _other(self, event: dict[str, Any], frame: Frame) -> bytes:
        """An event that is not known: it passes as it is, but for the number of its block where that is another."""
        block = self._blocks.get(_index(event))
        return (
            frame.raw
            if block is None or block.ours
            else self._begun(block) + self._numbered(block, event, frame)
        )

    def _left(self, block: _Block) -> bytes:
        """Text that was held back of a block, now that nothing more of it comes."""
        text = "" if block.view is None else block.view.end()
        if not text:
            return b""
        self._shown.append(text)
        begun = self._begun(block)
        delta = {"type": "text_delta", "text": text}
        return begun + an_event({"type": "content_block_delta", "index": block.number, "delta": delta})

    def _begun(self, block: _Block, *, changed: bool = False) -> bytes:
        """The beginning of a block, where the client has not had it."""
        if block.waiting is None:
            return b""
        (event, frame), block.waiting = block.waiting, None
        return self._begin(block, event, frame, changed=changed)

    def _begin(self, block: _Block, event: dict[str, Any], frame: Frame, *, changed: bool = False) -> bytes:
        block.number = self.next
        self.next += 1
        return self._numbered(block, event, frame, changed=changed)

    def _numbered(
        self, block: _Block, event: dict[str, Any], frame: Frame, *, changed: bool = False
    ) -> bytes:
        """An event of a block with the number that the client knows it by."""
        if event.get("index") != block.number:
            event, changed = {**event, "index": block.number}, True
        return event_of(event, changed, frame)

    def _ending(self, event: dict[str, Any], frame: Frame) -> bytes:
        delta = an_object(event.get("delta")) or {}
        if not self._ends_otherwise(delta.get("stop_reason")):
            return frame.raw
        return an_event({**event, "delta": {**delta, "stop_reason": "end_turn"}})


def _index(event: Mapping[str, Any]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else -1


def _sendable(blocks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Blocks of an answer that may be sent back: a text that is empty would be refused."""
    return [block for block in blocks if block.get("type") != "text" or block.get("text")]
