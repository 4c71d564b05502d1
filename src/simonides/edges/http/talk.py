"""A chat with memory on its way through: before the model, its answer as it passes, after it."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from simonides.agent.conversation import Recent
from simonides.agent.middleware import Answer, Chat, Middleware, Mode, Turn
from simonides.agent.process import MiddlewareProcess
from simonides.agent.tool_loop import is_memorys
from simonides.agent.turn import ToolCall
from simonides.agent.workers import Deadline
from simonides.config import Placement, ProxySettings
from simonides.domain.actor import valid_actor
from simonides.domain.scope import Scope
from simonides.edges.http.access import Pass
from simonides.edges.http.connections import Response, UpstreamFailed
from simonides.edges.http.dialects.dialect import AnswerReader, AskedChat, Dialect, an_object
from simonides.edges.http.exchange import Exchange, RawHeaders
from simonides.edges.http.framing import Frames, Unpacker, Whole, unpacker_of
from simonides.edges.http.upstream import Upstream, end_to_end
from simonides.errors import SimonidesError
from simonides.values import dataclass

T = TypeVar("T")

_log: Final = logging.getLogger("simonides.proxy")
#: Hooks that are under way at once; each waits for the middleware's own threads no longer than its deadline.
_THREADS: Final = 64
_TOLD_EVERY_S: Final = 60.0
#: Chats that wait for memory at once; the next goes on without. Fewer than threads, so that it gets one at once.
_MOST_BEGINNING: Final = 32
#: Beginnings of what the middleware and the proxy say in their own words.
_PUBLIC: Final = (
    *("memory was late", "memory failed", "memory is too far"),
    *("the answer ", "what was said is longer", "the model kept"),
)
_LONGEST_HEADER: Final = 1000
#: Of the body: written anew where it was looked into.
_OF_THE_BODY: Final = frozenset({b"content-length", b"content-encoding"})
#: Of an upstream's error that is told within a stream.
_EXCERPT_BYTES: Final = 500


class Hooks:
    """The middleware's hooks for an event loop: in threads, so that none holds up another chat."""

    def __init__(self, middleware: Middleware | MiddlewareProcess) -> None:
        self._middleware = middleware
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="simonides-hook")
        self._under_way: set[asyncio.Future[Any]] = set()

    @property
    def middleware(self) -> Middleware | MiddlewareProcess:
        return self._middleware

    async def run(self, hook: Callable[..., T], *arguments: object) -> T:
        """Run a hook and return its result. It goes on where whoever waits is cancelled."""
        return await asyncio.shield(self.begin(hook, *arguments))

    def begin(self, hook: Callable[..., T], *arguments: object) -> asyncio.Future[T]:
        """Begin a hook without waiting for it; `close` does."""
        begun = asyncio.get_running_loop().run_in_executor(self._threads, hook, *arguments)
        self._under_way.add(begun)
        begun.add_done_callback(self._over)
        return begun

    def _over(self, done: asyncio.Future[Any]) -> None:
        self._under_way.discard(done)
        if not done.cancelled() and (error := done.exception()) is not None:
            _log.error("a hook failed", exc_info=error)

    async def close(self) -> None:
        """Wait until all that was begun is done."""
        if self._under_way:
            await asyncio.wait(set(self._under_way))
        self._threads.shutdown()


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A chat as it came in.

    Attributes:
        body: Its bytes; they go on as they are where memory adds nothing.
        scope: Where it looks and writes.
        caller: Whose proposals and calls of tools are counted together.
    """

    exchange: Exchange
    passed: Pass
    dialect: Dialect
    chat: AskedChat
    body: bytes
    scope: Scope
    session_id: str | None
    caller: str


@dataclass(frozen=True, slots=True)
class _Kept:
    """Position of a conversation whose history the server keeps.

    Attributes:
        name: The server's, of its last answer or of the conversation.
        open_calls: Calls of memory's tools to which the server waits for results.
        own_tools: Names of the client's, of which the server may hold more than a request says.
        reads: Whether the model has been offered memory's.
    """

    name: str
    session_id: str | None
    open_calls: tuple[ToolCall, ...]
    own_tools: frozenset[str]
    reads: bool


class Talk:
    """Gives chats memory.

    Args:
        mode: In which manner.
    """

    def __init__(
        self,
        hooks: Hooks,
        upstream: Upstream,
        settings: ProxySettings,
        mode: Mode,
    ) -> None:
        self._hooks = hooks
        self._middleware = hooks.middleware
        self._upstream = upstream
        self._tools = settings.tools
        self._mode = mode
        self._deadline_ms = hooks.middleware.settings.deadline_ms
        self._beginning = 0
        self._kept: Recent[_Kept] = Recent()
        self._troubles = Troubles()

    async def answer(self, request: ChatRequest) -> None:
        """Answer a chat.

        Raises:
            UpstreamFailed: There was no answer, and nothing was sent to the client.
        """
        kept = self._kept.get((request.scope, request.chat.goes_on_from))
        request = request if kept is None else _going_on(request, kept)
        reads = self._reads(request.chat)
        if request.chat.is_begun:
            reads = kept is not None and kept.reads and request.chat.free
        chat = Chat(
            scope=request.scope,
            session_id=request.session_id,
            mode=self._mode,
            own_tools=request.chat.own_tools,
            reads=reads,
            proposes=not request.chat.in_form,
            is_told=kept is not None if self._in_words_of_user else request.chat.is_begun,
            speaker=_named("user", dict(request.scope.parts).get("user")),
            actor=_named("model", request.chat.body.get("model")),
            caller=request.caller,
        )
        turn = await self._begun(request, chat)
        self._troubles.heard(turn.degradations)
        before: AnswerReader | None = None
        while True:
            part = _Part(self, request, turn, before)
            try:
                answer = await part.passed_on()
            except BaseException:
                # Whatever went wrong: the user's words stay, and nothing of a cut answer does.
                self.after_cut(turn)
                raise
            if answer is None:
                self.after_cut(turn)
                return
            # What was said in words has gone to the client as the answer.
            again = await self._hooks.run(partial(self._middleware.intercept, in_words=False), turn, answer)
            if again is None:
                shown = "" if before is None else before.shown
                outcome = await self._hooks.run(
                    partial(self._middleware.after_model, within=self._deadline()),
                    turn,
                    replace(answer, text=shown + answer.text),
                )
                self._troubles.heard(outcome.degradations)
                self._keep(request, turn, part.reading, answer)
                await part.ended(outcome.degradations)
                return
            turn, before = again, await part.interrupted()

    def _keep(self, request: ChatRequest, turn: Turn, reading: AnswerReader, answer: Answer) -> None:
        """Note where a conversation stands whose history the server keeps."""
        if not request.chat.is_kept:
            return
        ours = tuple(call for call in answer.tool_calls if is_memorys(call, turn.chat))
        before = self._kept.get((request.scope, request.chat.goes_on_from)) if request.chat.is_begun else None
        reads = turn.chat.reads if before is None else before.reads
        kept = _Kept(reading.kept_as, turn.session_id, ours, turn.chat.own_tools, reads)
        if reading.id:
            self._kept.put((request.scope, reading.id), kept)
        if request.chat.body.get("conversation") and (named := request.chat.goes_on_from):
            self._kept.put((request.scope, named), replace(kept, name=named))

    async def _begun(self, request: ChatRequest, chat: Chat) -> Turn:
        """The chat's turn. How long memory is waited for counts from here, before any queue."""
        within = self._deadline() if self._beginning < _MOST_BEGINNING else Deadline(0)
        self._beginning += 1
        try:
            return await self._hooks.run(
                partial(self._middleware.before_model, within=within), request.chat.messages, chat
            )
        finally:
            self._beginning -= 1

    @property
    def _in_words_of_user(self) -> bool:
        """True if what memory adds stands in what the user said, which a server keeps with it."""
        return Placement(self._middleware.settings.placement) is Placement.USER

    def _deadline(self) -> Deadline:
        return Deadline(self._deadline_ms)

    def after_cut(self, turn: Turn) -> None:
        """Let memory know that there is no answer, or none that is whole."""
        self._hooks.begin(self._middleware.after_model, turn, Answer(complete=False))

    def model_answer(
        self, request: ChatRequest, turn: Turn, before: AnswerReader | None
    ) -> AbstractAsyncContextManager[Response]:
        """Send the turn to the model; what it answers, while the context lasts.

        Args:
            before: The reading of its answer before, where it is asked again.

        Raises:
            UpstreamFailed: No answer began.
        """
        exchange = request.exchange
        return self._upstream.request(
            exchange.method,
            exchange.target,
            exchange.raw_headers,
            self._body(request, turn, before),
            # What is packed could not be looked into.
            replace={b"accept-encoding": b"identity"},
            leave_out=request.passed.token_in,
        )

    def unreadable(self) -> UpstreamFailed:
        """Error to raise for an answer whose packing is broken."""
        why = "packed its answer in a way that cannot be read; have it send its answers as they are"
        return UpstreamFailed(502, f"{self._upstream.address} {why}")

    def _body(self, request: ChatRequest, turn: Turn, before: AnswerReader | None) -> bytes:
        chat = request.chat
        tools = self._offered(chat, turn)
        if not tools and not chat.open_calls and turn.messages == chat.messages:
            return request.body
        return _written(request.dialect.sent(chat, turn.messages, tools, before))

    def _offered(self, chat: AskedChat, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """Memory's tools, where the model may be offered them."""
        offered = turn.may_call and not chat.is_begun and self._reads(chat)
        return self._middleware.tools(turn.chat) if offered else ()

    def _reads(self, chat: AskedChat) -> bool:
        """True if the model is offered memory's tools."""
        always = self._tools == "always" or (self._mode is Mode.TOOLS_ONLY and self._tools != "never")
        return chat.free and (always or (bool(chat.own_tools) and self._tools == "offered"))


class Troubles:
    """Tells the operator that memory does not work: each kind of trouble once a minute, with how often it came."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[float, int]] = {}

    def heard(self, degradations: Sequence[str]) -> None:
        """Take note of what went wrong for one chat."""
        for text in dict.fromkeys(degradations):
            kind = text.partition(" (")[0]
            told_at, times = self._since.get(kind, (-_TOLD_EVERY_S, 0))
            now = time.monotonic()
            if now - told_at < _TOLD_EVERY_S:
                self._since[kind] = told_at, times + 1
                continue
            more = f" ({times:,} more chats since this was said last)" if times else ""
            _log.warning("a chat goes on without all of memory: %s%s", " ".join(text.split()), more)
            self._since[kind] = now, 0


class _Part:
    """One answer of the model, the only one or one of several that the client gets as one."""

    def __init__(self, talk: Talk, request: ChatRequest, turn: Turn, before: AnswerReader | None) -> None:
        self._talk = talk
        self._turn = turn
        self._exchange = request.exchange
        self._request = request
        self._before = before
        self._status = 0
        self._headers: list[tuple[bytes, bytes]] = []
        self._streams = False
        self._reading: AnswerReader

    @property
    def reading(self) -> AnswerReader:
        """The reading of the answer, once it came."""
        return self._reading

    async def passed_on(self) -> Answer | None:
        """Ask the model and pass on what it says as it comes; what ends the answer is held back.

        Returns:
            The answer; None if it did not come to its end, or is none. The client then has what there is.

        Raises:
            UpstreamFailed: There was no answer, and nothing was sent to the client.
        """
        async with self._talk.model_answer(self._request, self._turn, self._before) as response:
            return await self._read(response)

    async def ended(self, degradations: Sequence[str]) -> None:
        """End the client's answer as the model's server ended its own."""
        if self._streams:
            await self._exchange.write(self._reading.end())
            await self._exchange.end()
        else:
            headers = [*self._headers, *memory_headers(self._turn, degradations)]
            await self._exchange.answer(self._status, headers, self._reading.end())

    async def interrupted(self) -> AnswerReader:
        """Leave the client's answer open for the next part; what this one said."""
        if self._streams:
            await self._exchange.write(self._reading.rest())
        return self._reading

    async def _read(self, response: Response) -> Answer | None:
        kind = response.headers.get("content-type", "").strip().lower()
        packing = response.headers.get("content-encoding", "identity").strip().lower()
        unpacker = unpacker_of(packing)
        frames = self._request.dialect.frames(kind) if response.is_success else None
        if frames is None or (unpacker is None and packing not in {"", "identity"}):
            await self._not_understood(response, packing if frames is not None else "")
            return None
        self._status = response.status
        self._streams = not isinstance(frames, Whole)
        self._headers = [
            pair for pair in end_to_end(response.raw_headers) if pair[0].lower() not in _OF_THE_BODY
        ]
        self._reading = self._request.dialect.reading(kind, self._is_ours, self._before)
        if self._streams and not self._exchange.started:
            headers = memory_headers(self._turn, self._turn.degradations)
            await self._exchange.start(self._status, [*self._headers, *headers])
        try:
            await self._take(_unpacked(response, unpacker), frames)
        except zlib.error:
            return await self._cut(self._talk.unreadable(), frames)
        except UpstreamFailed as error:
            return await self._cut(error, frames)
        answer = replace(
            self._reading.answer(), complete=self._reading.answer().complete and not frames.blind
        )
        if answer.complete and (self._reading.ended or not self._streams):
            return answer
        if self._streams and not (self._reading.ended or frames.blind):
            return await self._cut(UpstreamFailed(502, "it stopped without its last event"), frames)
        return await self._unfinished()

    async def _take(self, data: AsyncIterator[bytes], frames: Frames) -> None:
        async for piece in data:
            for frame in frames.feed(piece):
                await self._pass_on(self._reading.take(frame))
        for frame in frames.end():
            await self._pass_on(self._reading.take(frame))

    async def _pass_on(self, data: bytes) -> None:
        if data and not self._exchange.started:  # A whole answer that is too long to be looked into.
            self._streams = True
            headers = memory_headers(self._turn, self._turn.degradations)
            await self._exchange.start(self._status, [*self._headers, *headers])
        await self._exchange.write(data)

    async def _unfinished(self) -> None:
        """An answer that says it failed, or that was not read to its end: the client gets it as it is."""
        if self._streams:
            await self._exchange.write(self._reading.rest() + self._reading.end())
            await self._exchange.end()
        else:
            headers = [*self._headers, *memory_headers(self._turn, self._turn.degradations)]
            await self._exchange.answer(self._status, headers, self._reading.rest())

    async def _cut(self, error: UpstreamFailed, frames: Frames) -> None:
        """An answer that broke off: it breaks off for the client, too."""
        if not self._exchange.started:
            raise error
        _log.info("the answer to %s was cut: %s", self._exchange.path, error)
        left = b"".join(frame.raw for frame in frames.end())
        await self._exchange.write(self._reading.rest() + left)

    async def _not_understood(self, response: Response, packing: str) -> None:
        """An error, or an answer in a form that nobody knows: it goes to the client as it is."""
        if not self._exchange.started:
            remarks = [f"the answer is packed with {packing}; memory did not see it"] if packing else []
            headers = memory_headers(self._turn, [*self._turn.degradations, *remarks])
            await passed_through(self._exchange, response, headers)
            return
        excerpt = b""
        async for piece in response:
            excerpt += piece
            if len(excerpt) > _EXCERPT_BYTES:
                break
        shown = excerpt[:_EXCERPT_BYTES].decode("utf-8", "replace")
        text = f"asked again with what memory found, the model's server answered {response.status}: {shown}"
        await self._exchange.write(self._request.dialect.failure_frame(text))
        await self._exchange.end()

    def _is_ours(self, name: str) -> bool:
        return is_memorys(ToolCall(name), self._turn.chat)


def _going_on(request: ChatRequest, kept: _Kept) -> ChatRequest:
    """The request with what is known of the answer that it goes on from."""
    chat = replace(request.chat, open_calls=kept.open_calls)
    if chat.is_begun:
        chat = replace(chat, own_tools=chat.own_tools | kept.own_tools)
    body = request.body
    if kept.name != chat.goes_on_from:
        chat = replace(chat, body=_named_anew(chat.body, chat.named_at, kept.name))
        body = _written(chat.body)
    return replace(request, chat=chat, body=body, session_id=request.session_id or kept.session_id)


def _named_anew(body: Mapping[str, Any], at: Sequence[str], name: str) -> dict[str, Any]:
    first, *within = at
    return {**body, first: _named_anew(body[first], within, name) if within else name}


def _written(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _named(kind: str, name: object) -> str:
    """Somebody by kind and name, as the audit log has them; by kind alone where the name is none that it can have."""
    try:
        return valid_actor(f"{kind}:{name}") if isinstance(name, str) and name.strip() else kind
    except SimonidesError:
        return kind


def without_memory(why: str) -> RawHeaders:
    """Headers for a client whose chat went past memory though it did not ask for that."""
    return [(b"x-simonides-memory", f"none: {why}".encode("ascii", "replace"))]


async def passed_through(exchange: Exchange, response: Response, headers: RawHeaders = ()) -> None:
    """Give a client an answer as it came, byte for byte, while it comes.

    An answer that breaks off is left open, so that it breaks off for the client as well.
    """
    kept = [
        pair for pair in end_to_end(response.raw_headers) if not pair[0].lower().startswith(b"x-simonides-")
    ]
    await exchange.start(response.status, [*kept, *headers])
    try:
        async for piece in response:
            await exchange.write(piece)
    except UpstreamFailed as error:
        _log.info("the answer to %s was cut: %s", exchange.path, error)
        return
    await exchange.end()


def memory_headers(turn: Turn, degradations: Sequence[str]) -> list[tuple[bytes, bytes]]:
    """Headers that tell the client about memory."""
    headers: list[tuple[bytes, bytes]] = []
    if turn.injection_id is not None:
        headers.append((b"x-simonides-why", turn.injection_id.encode("ascii", "replace")))
    if degradations:
        text = "; ".join(dict.fromkeys(map(_public, degradations)))[:_LONGEST_HEADER]
        headers.append((b"x-simonides-degraded", text.encode("ascii", "replace")))
    return headers


def _public(degradation: str) -> str:
    """Public part of a degradation: no path, address or message of an error; those are for the operator's log."""
    text = " ".join(degradation.partition(" (")[0].split())
    return text if text.startswith(_PUBLIC) else "memory is degraded; the log of the proxy says how"


def request_of(body: bytes) -> dict[str, Any] | None:
    """A request's JSON object; None if it is none, or could not be written again as it is."""
    try:
        body_object = an_object(json.loads(body, parse_constant=_refused, parse_float=_finite))
    except (ValueError, RecursionError):
        return None
    return body_object


def _refused(_: str) -> float:
    raise ValueError


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError
    return number


async def _unpacked(response: Response, unpacker: Unpacker | None) -> AsyncIterator[bytes]:
    async for piece in response:
        if unpacker is None:
            yield piece
        else:
            for part in unpacker.feed(piece):
                yield part
    if unpacker is not None and not unpacker.ended:
        raise zlib.error("the packed answer ends too early")
