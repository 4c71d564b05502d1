"""`/v1/responses`: OpenAI's dialect of items, which the server may keep, and named events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, cast

from simonides.agent.middleware import Answer, Message, ToolCall
from simonides.agent.prompt import without_added
from simonides.agent.stream import VisibleStream
from simonides.edges.http.dialects.dialect import (
    EVENTS,
    AnswerReader,
    AskedChat,
    Ours,
    OverEvents,
    an_object,
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

_RESULT: Final = ("_output", "mcp_approval_response")
_CALL: Final = "function_call"
_ENDS: Final = frozenset({"response.completed", "response.incomplete", "response.failed"})


class OpenAIResponses(OverEvents):
    """The dialect. Items that are neither messages nor calls of functions (thoughts, images) are never touched."""

    path = "/responses"

    def chat_of(self, body: Mapping[str, Any]) -> AskedChat | None:
        items = _items_of(body)
        instructions: object = body.get("instructions")
        if not items or not isinstance(instructions, str | None):
            return None
        # Of what the server keeps, the instructions alone are not taken into the next request.
        system = {"role": "system", "content": instructions or "", PLACE: SYSTEM}
        goes_on_from = _kept(body)
        messages = [system, *_read(items, kept=bool(goes_on_from))]
        form = an_object((an_object(body.get("text")) or {}).get("format")) or {}
        later = body.get("background") is True  # Nobody sees the answer pass.
        return AskedChat(
            body,
            tuple(messages),
            names_of_tools(body),
            free=body.get("tool_choice", "auto") in ("auto", None) and not later,
            in_form=form.get("type", "text") != "text" or later,
            user=body.get("safety_identifier") or body.get("user"),
            goes_on_from=goes_on_from,
            named_at=("previous_response_id",),
            is_kept=True,
        )

    def sent(
        self,
        chat: AskedChat,
        messages: Sequence[Message],
        tools: Sequence[Mapping[str, Any]],
        before: AnswerReader | None,
    ) -> Mapping[str, Any]:
        body = dict(chat.body)
        items, came = _items_of(body), {place_of(one): one for one in chat.messages}
        rounds = list(before.rounds) if isinstance(before, _Answer) else []
        made: list[dict[str, Any]] = []
        for message in messages:
            place = place_of(message)
            if place == SYSTEM:
                if message != came[place]:
                    body["instructions"] = message.get("content")
            elif place is not None:
                before_it = items[slice(*place)]
                made += before_it if message == came[place] else _changed(before_it, came[place], message)
            elif message.get("role") == "tool":
                made.append(_result(message.get("tool_call_id"), message.get("content")))
            elif rounds:
                made += _sendable(rounds.pop(0), kept=body.get("store") is not False)
        answered = {item.get("call_id") for item in made}
        open_calls = [call for call in chat.open_calls if call.id not in answered]
        made = [*(_result(call.id, HEARD) for call in open_calls), *made]
        if isinstance(before, _Answer) and body.get("conversation"):
            # The server has put all that was asked and answered into the conversation already.
            results = list(takewhile(lambda item: item.get("type") == f"{_CALL}_output", reversed(made)))
            made = results[::-1]
        body["input"] = _shortest(chat.body.get("input"), made)
        return body | {"tools": [*objects(chat.body.get("tools")), *map(_tool, tools)]} if tools else body

    def reading(self, content_type: str, ours: Ours, before: AnswerReader | None) -> AnswerReader:
        kind = _Stream if content_type.startswith(EVENTS) else _Answer
        return kind(ours, before if isinstance(before, _Answer) else None)

    def failure(self, message: str, kind: str, code: str) -> bytes:
        return written({"error": {"message": message, "type": kind, "param": None, "code": code}})

    def failure_frame(self, message: str) -> bytes:
        return an_event({"type": "error", "code": "upstream_failed", "message": message, "param": None})


# A request


def _items_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The input as items; none where it is none."""
    given: object = body.get("input")
    if isinstance(given, str):
        return [{"role": "user", "content": given}] if given else []
    items = objects(given)
    return items if isinstance(given, list) and len(items) == len(cast("list[object]", given)) else []


def _shortest(given: object, items: list[dict[str, Any]]) -> object:
    """The input as its client writes it: one message of the user may be a text."""
    content = items[0].get("content") if len(items) == 1 else None
    return content if isinstance(given, str) and isinstance(content, str) else items


def _kept(body: Mapping[str, Any]) -> str:
    """Name of the answer or conversation that a request goes on from."""
    conversation: object = body.get("conversation")
    named = (an_object(conversation) or {}).get("id", conversation)
    name = body.get("previous_response_id") or named
    return name if isinstance(name, str) else ""


def _read(items: Sequence[dict[str, Any]], *, kept: bool) -> list[Message]:
    """Items as messages of OpenAI's older form. What a model made, one item after the other, is one turn of it."""
    messages: list[Message] = []
    turn: list[dict[str, Any]] = []
    called: set[object] = set()
    for place, item in enumerate([*items, {"role": ""}]):
        kind = str(item.get("type") or "")
        role = item.get("role") if kind in {"", "message"} else None
        if role == "assistant" or (role is None and not kind.endswith(_RESULT)):
            turn.append(item)
            continue
        if turn:
            messages.append(_turn(turn, place))
            called |= {one.get("call_id") for one in turn}
            turn = []
        if role:
            messages.append(_message(item, place))
        elif role is None:
            if kept and kind == f"{_CALL}_output" and item.get("call_id") not in called:
                # The server keeps the turn in which it was called.
                call = {"id": item.get("call_id"), "function": {"name": "", "arguments": ""}}
                messages.append(
                    {"role": "assistant", "content": "", "tool_calls": [call], PLACE: (place, place)}
                )
                called |= {one.get("call_id") for one in items}
            messages.append(
                {"role": "tool", "content": _words(item.get("output")), PLACE: (place, place + 1)}
            )
    return messages


def _turn(items: Sequence[dict[str, Any]], stop: int) -> Message:
    calls = [_openai(item) for item in items if item.get("type") == _CALL]
    text = "".join(_words(item.get("content")) for item in items if item.get("role") == "assistant")
    more = {"tool_calls": calls} if calls else {}
    return {"role": "assistant", "content": text, **more, PLACE: (stop - len(items), stop)}


def _message(item: dict[str, Any], place: int) -> Message:
    content: object = item.get("content")
    role: object = item.get("role")
    if isinstance(content, str):
        role = CLIENT if role == "user" and of_client(content) else role
        return {"role": role, "content": content, PLACE: (place, place + 1)}
    spoken = [part for part in objects(content) if not of_client(part.get("text"))]
    role = role if spoken or role != "user" else CLIENT
    return {"role": role, "content": spoken, PLACE: (place, place + 1)}


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    texts = [part.get("text") for part in objects(content)]
    return "".join(text for text in texts if isinstance(text, str))


def _openai(item: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": item.get("name"), "arguments": item.get("arguments")}
    return {"id": item.get("call_id"), "type": "function", "function": function}


def _result(call_id: object, content: object) -> dict[str, Any]:
    return {"type": f"{_CALL}_output", "call_id": call_id, "output": content}


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", **tool["function"], "strict": False}


def _changed(items: Sequence[dict[str, Any]], before: Message, message: Message) -> list[dict[str, Any]]:
    """Items of a message that memory changed: its words, or the calls of a turn."""
    if message.get("role") == "assistant":
        known = objects(before.get("tool_calls"))
        functions = [
            (call.get("id"), an_object(call.get("function")) or {})
            for call in objects(message.get("tool_calls"))
            if call not in known
        ]
        # Of a turn that the server keeps there are no items here; it has the calls.
        calls = [{"type": _CALL, "call_id": id_, **function} for id_, function in functions] if items else []
        first = next((n for n, item in enumerate(items) if item.get("type") == _CALL), len(items))
        return [*items[:first], *calls, *items[first:]]
    [item] = items
    content: object = message.get("content")
    if isinstance(content, str):
        return [{**item, "content": content}]
    parts = [
        {**part, "type": "input_text"} if part.get("type") == "text" else part for part in objects(content)
    ]
    seen = cast("Sequence[object]", before.get("content"))
    return [{**item, "content": merged(objects(item.get("content")), seen, parts)}]


def _sendable(items: Sequence[dict[str, Any]], *, kept: bool) -> list[dict[str, Any]]:
    """Items of an answer as they are sent back: what the server does not keep, it does not know by its id."""
    if kept:
        return list(items)
    return [
        item if item.get("encrypted_content") else {key: item[key] for key in item if key != "id"}
        for item in items
        if item.get("type") != "reasoning" or item.get("encrypted_content")
    ]


# An answer


class _Answer(WholeAnswer):
    """An answer in one piece.

    Attributes:
        output: Items that the client gets.
    """

    def __init__(self, ours: Ours, before: _Answer | None) -> None:
        super().__init__(ours, before)
        self.output: list[dict[str, Any]] = [] if before is None else list(before.output)

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        self._raw = frame.raw
        body = an_object(read(frame.data))
        if body is None or not isinstance(body.get("output"), list) or body.get("error"):
            self._failed = True
            return b""
        self._finished = body.get("status", "completed") in {"completed", "incomplete"}
        if self._whole(body, objects(body["output"])):
            self._body = body
        return b""

    def _whole(self, response: dict[str, Any], items: list[dict[str, Any]]) -> bool:
        """Read an answer that is whole, and take out of it what is memory's; whether there was anything."""
        self.id = self.kept_as = str(response.get("id") or "")
        self.rounds.append(items)
        left = [self._visible(item) for item in items if not self._called(item)]
        self._said += [_text(item) for item in items]
        self._shown += [_text(item) for item in left]
        self.output += left
        changed = left != items or self._again
        if changed:
            response["output"] = self.output
        return self._unasked(response) or changed

    def _visible(self, item: dict[str, Any]) -> dict[str, Any]:
        """An item without proposals."""
        parts = objects(item.get("content"))
        left = [_freed(part) for part in parts]
        return item if left == parts else {**item, "content": left}

    def _called(self, item: Mapping[str, Any]) -> bool:
        """Take note of a call; whether it is for memory."""
        if item.get("type") != _CALL:
            return False
        name, given = str(item.get("name") or ""), item.get("arguments")
        arguments = given if isinstance(given, str) else ""
        self._calls.append(ToolCall(name, arguments, str(item.get("call_id") or "")))
        return self._is_ours(item)

    def _is_ours(self, item: Mapping[str, Any]) -> bool:
        return (
            item.get("type") == _CALL
            and not item.get("namespace")
            and self._ours(str(item.get("name") or ""))
        )

    def _unasked(self, response: dict[str, Any]) -> bool:
        """Take what the client did not send out of its request as the server repeats it; whether there was any."""
        instructions = response.get("instructions")
        tools = objects(response.get("tools"))
        own = [tool for tool in tools if not self._ours(str(tool.get("name") or ""))]
        changed = False
        if isinstance(instructions, str) and (left := without_added(instructions)) != instructions:
            response["instructions"], changed = left or None, True
        if own != tools:
            response["tools"], changed = own, True
        return changed


class _Stream(_Answer):
    """Events of a stream."""

    def __init__(self, ours: Ours, before: _Answer | None) -> None:
        super().__init__(ours, before)
        self.ended = False
        self._first: int = len(self.output)
        self._first_id: str = "" if before is None else before.id
        self._views: dict[tuple[object, object], VisibleStream] = {}
        self._numbers: dict[object, int | None] = {}
        self._held: list[tuple[dict[str, Any], bool, Frame]] = []
        self._told: list[str] = []
        self._items: list[dict[str, Any]] = []
        self.next: int = before.next if isinstance(before, _Stream) else 0
        #: What is added to the server's numbers of events.
        self._shift: int | None = None if self._again else 0

    @property
    def shown(self) -> str:
        return "".join([*self._shown, *self._told])

    def take(self, frame: Frame) -> bytes:
        if frame.data is None:
            return frame.raw
        event = an_object(read(frame.data))
        kind = None if event is None else event.get("type")
        if event is None or kind == "error":
            self._failed = True
            self.ended |= event is not None
            return self.rest() + frame.raw
        if kind in _ENDS:
            return self._end(event, frame)
        number = event.get("output_index")
        if kind == "response.output_item.done":
            self._items.append(an_object(event.get("item")) or {})
        if (response := an_object(event.get("response"))) is not None:
            self._first_id = self._first_id or str(response.get("id") or "")
            changed = self._unasked(response)
            return self._dropped(event) if self._again else self._passed(event, frame, changed=changed)
        if kind == "response.output_item.added":
            ours = self._is_ours(an_object(event.get("item")) or {})
            shown = sum(one is not None for one in self._numbers.values())
            self._numbers[number] = None if ours else self._first + shown
        if number in self._numbers and self._numbers[number] is None:
            return self._dropped(event)
        match kind:
            case "response.output_text.delta":
                return self._delta(event, frame)
            case "response.output_text.done":
                return self._done(event, frame)
            case "response.content_part.added" | "response.content_part.done":
                part = an_object(event.get("part")) or {}
                event["part"] = _freed(part)
                return self._passed(event, frame, changed=event["part"] != part)
            case "response.output_item.added" | "response.output_item.done":
                item = an_object(event.get("item")) or {}
                event["item"] = self._visible(item)
                return self._passed(event, frame, changed=event["item"] != item)
            case _:
                return self._passed(event, frame)

    def rest(self) -> bytes:
        left = [(key, view.end()) for key, view in self._views.items()]
        return b"".join(self._text(key, text, {}) for key, text in left if text)

    def end(self) -> bytes:
        return b"".join(self._passed(event, frame, changed=changed) for event, changed, frame in self._held)

    def answer(self) -> Answer:
        if self._finished:
            return super().answer()
        text = "".join(view.raw for view in self._views.values())
        return Answer(whole_characters(text), complete=False)

    def _end(self, event: dict[str, Any], frame: Frame) -> bytes:
        response = an_object(event.get("response")) or {}
        self._failed |= event.get("type") == "response.failed"
        self._finished = self.ended = True
        rest = self.rest()
        streamed, self._told = self._told, []
        # Some servers do not repeat the items at the end.
        items = objects(response.get("output")) or self._items
        changed = self._whole(response, items)
        if not any(map(_text, items)):  # Nor do some tell the items at all.
            self._said += [view.raw for view in self._views.values()]
            self._shown += streamed
        self.id = self._first_id or self.id
        if self.id != self.kept_as:  # A client takes an answer by one name.
            response["id"], changed = self.id, True
        self._held.append((event, changed, frame))
        return rest

    def _delta(self, event: dict[str, Any], frame: Frame) -> bytes:
        view = self._views.setdefault(_key(event), VisibleStream())
        text = event.get("delta")
        if not isinstance(text, str):
            return self._passed(event, frame)
        visible = view.feed(text)
        changed = visible != text
        if changed and not visible:
            return self._dropped(event)
        self._told.append(visible)
        event["delta"] = visible
        if event.get("logprobs") and (changed or view.withholds):
            event["logprobs"], changed = [], True  # They spell out what is taken out.
        return self._passed(event, frame, changed=changed)

    def _done(self, event: dict[str, Any], frame: Frame) -> bytes:
        key = _key(event)
        view = self._views.setdefault(key, VisibleStream())
        passed_on = self._text(key, tail, event) if (tail := view.end()) else b""
        text = event.get("text")
        if not isinstance(text, str) or (visible := _freed_text(text)) == text:
            return passed_on + self._passed(event, frame)
        event["text"] = visible
        if event.get("logprobs"):
            event["logprobs"] = []
        return passed_on + self._passed(event, frame, changed=True)

    def _text(self, key: tuple[object, object], text: str, like: Mapping[str, Any]) -> bytes:
        """An event that says this, put in before another."""
        self._told.append(text)
        same = {name: like[name] for name in ("item_id", "sequence_number") if name in like}
        at = {"output_index": key[0], "content_index": key[1]}
        event: dict[str, Any] = {
            "type": "response.output_text.delta",
            **same,
            **at,
            "delta": text,
            "logprobs": [],
        }
        passed_on = self._passed(event, Frame(b"", b""), changed=True)
        if "sequence_number" in like and self._shift is not None:
            self._shift += 1
        return passed_on

    def _dropped(self, event: Mapping[str, Any]) -> bytes:
        number = event.get("sequence_number")
        if isinstance(number, int):
            self._shift = (self.next - number if self._shift is None else self._shift) - 1
        return b""

    def _passed(self, event: dict[str, Any], frame: Frame, *, changed: bool = False) -> bytes:
        """An event with the numbers that it has for the client, as it came where nothing is changed."""
        number, index = event.get("sequence_number"), event.get("output_index")
        if isinstance(number, int):
            self._shift = self.next - number if self._shift is None else self._shift
            self.next = number + self._shift + 1
            event["sequence_number"] = number + self._shift
            changed |= self._shift != 0
        if isinstance(index, int):
            known = self._numbers.get(index)
            event["output_index"] = self._first + index if known is None else known
            changed |= event["output_index"] != index
        return event_of(event, changed, frame)


def _key(event: Mapping[str, Any]) -> tuple[object, object]:
    return event.get("output_index"), event.get("content_index")


def _text(item: Mapping[str, Any]) -> str:
    """The text of an item that the user reads."""
    return _words(item.get("content")) if item.get("type") == "message" else ""


def _freed(part: dict[str, Any]) -> dict[str, Any]:
    """A part of a message without proposals."""
    text = part.get("text")
    if part.get("type") != "output_text" or not isinstance(text, str) or (left := _freed_text(text)) == text:
        return part
    return {**part, "text": left} | ({"logprobs": []} if part.get("logprobs") else {})


def _freed_text(text: str) -> str:
    view = VisibleStream()
    return view.feed(text) + view.end()
