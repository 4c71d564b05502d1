"""Talking in a terminal: lines in, answers with what was recalled and what was stored out."""

from __future__ import annotations

import json
import secrets
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, Final

from simonides import Candidates, StreamingModel, texts
from simonides.agent.middleware import Answer, Chat, Middleware, Mode, ToolCall, Turn, TurnOutcome
from simonides.agent.stream import VisibleStream
from simonides.domain.closing import Closing
from simonides.domain.extraction import ExtractReport
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.text import count_tokens
from simonides.domain.verdict import Outcome, Verdict
from simonides.edges.cli import render
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import PIPE_WIDTH, note, shortened, shown
from simonides.errors import InvalidInput, NotFound, ProviderError, SimonidesError
from simonides.memory import Memory

#: What of a conversation is sent along; older turns are left to memory.
_HISTORY_TOKENS: Final = 6000
#: Turns of a session that is gone on with.
_TAKEN_UP: Final = 40
_SHOWN: Final = 5
_WIDEST: Final = 100
#: Share of the best score below which a hit is not shown.
_WORTH_A_LOOK: Final = 0.5
_COMMANDS: Final = {
    "/search WORDS": "look for something",
    "/remember TEXT": "keep something",
    "/forget WORDS": "let go of something (nothing is deleted)",
    "/why": "what was recalled for the last answer, and why",
    "/help": "this",
    "/quit": "end",
}
_WORDS: Final = {"accepted": "stored", "merged": "known", "quarantined": "to review", "rejected": "refused"}
_COLOURS: Final = {"accepted": "green", "merged": "cyan", "quarantined": "yellow", "rejected": "red"}


def name_of(scope: Scope | None, session: str | None, mode: str | None) -> Chat:
    """The conversation that the options mean.

    Raises:
        InvalidInput: There is no such mode.
    """
    if mode is not None and mode not in set(Mode):
        raise InvalidInput(f"--mode is one of {', '.join(Mode)}, not {mode!r}")
    name = session or f"terminal-{secrets.token_hex(4)}"
    return Chat(str(scope or GLOBAL), name, None if mode is None else Mode(mode))


def in_lines(common: Common, *, typed: bool) -> Iterator[str]:
    """Lines that somebody types, or those of a pipe; without blank ones."""
    if not typed:
        for line in sys.stdin:
            if text := line.strip():
                yield text
        return
    with suppress(ImportError):
        import_module("readline")  # Lets input() be edited.
    while True:
        common.out.line()
        try:
            text = input("you> ").strip()
        except (EOFError, KeyboardInterrupt):
            common.out.line()
            return
        if not text:
            return
        yield text


class Dialogue(Closing, ABC):
    """Base of both kinds of talk: the commands, and how things look.

    Attributes:
        failed: Whether anything went wrong that is not to be passed over in a script.
    """

    def __init__(self, common: Common, memory: Memory, chat: Chat) -> None:
        self._common = common
        self._out = common.out
        self._memory = memory
        self._chat = chat
        self._injection_id: str | None = None
        self.failed = False

    def run(self, lines: Iterator[str], *, greet: bool) -> None:
        """Answer lines until they end or one says so."""
        if greet:
            self._dim(self._greeting())
        for line in lines:
            if line in {"/quit", "/exit"}:
                return
            try:
                if line.startswith("/"):
                    self._command(line)
                else:
                    self._turn(line)
            except SimonidesError as error:
                self.failed = True
                if self._common.as_json:
                    self._json({"said": line, "error": str(error)})
                note(f"simonides: {error}")

    @abstractmethod
    def _greeting(self) -> str: ...

    @abstractmethod
    def _turn(self, text: str) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Finish what is under way."""

    def _command(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        rest = rest.strip()
        match name:
            case "/search" if rest:
                self._search(rest)
            case "/remember" if rest:
                self._remember(rest)
            case "/forget" if rest:
                self._forget(rest)
            case "/why":
                self._why()
            case "/help" if self._common.as_json:
                self._json(_COMMANDS)
            case "/help":
                self._out.fields(_COMMANDS)
            case _:
                known = ", ".join(_COMMANDS)
                raise InvalidInput(f"{name} is no command, or wants something behind it: {known}")

    def _search(self, words: str) -> None:
        result = self._memory.search(words, scope=self._chat.scope, k=_SHOWN, asked_in=self._chat.session_id)
        if self._common.as_json:
            self._json({"asked": words, **result.to_dict()})
            return
        if result.abstained or not result.hits:
            self._dim(
                "Nothing that is remembered seems to answer this" + ("; nearest is:" if result.hits else ".")
            )
        least = max((hit.score for hit in result), default=0.0) * _WORTH_A_LOOK
        render.hits(self._out, [hit for hit in result if hit.score >= least])

    def _remember(self, text: str) -> None:
        verdicts = self._memory.add(text, scope=self._chat.scope, actor="cli").verdicts
        if self._common.as_json:
            self._json({"said": text, "verdicts": [verdict.to_dict() for verdict in verdicts]})
        for verdict in verdicts:
            self._verdict(verdict)

    def _forget(self, target: str) -> None:
        outcome = self._memory.forget(target, scope=self._chat.scope, actor="cli")
        if self._common.as_json:
            self._json({"forget": target, **outcome.to_dict()})
        elif isinstance(outcome, Candidates):
            self._dim(f"{outcome.reason}; nothing was changed")
            render.candidates(self._out, outcome)
        else:
            self._aside("forgotten", outcome.display, "yellow")

    def _why(self) -> None:
        if self._injection_id is None:
            if self._common.as_json:
                self._json({"injection_id": None})
            self._dim("Nothing was recalled for the last answer.")
            return
        from simonides.edges.cli.commands.why import show  # noqa: PLC0415 - most talks never ask

        injection = self._memory.why(self._injection_id)
        if self._common.as_json:
            self._json(injection.to_dict())
        else:
            show(self._out, injection)

    # How things look

    def _json(self, value: Mapping[str, Any]) -> None:
        self._out.line(json.dumps(value, ensure_ascii=False))

    def _dim(self, text: str) -> None:
        if not (self._common.quiet or self._common.as_json):
            self._out.prose(text, 0, "dim")

    def _aside(self, label: str, text: str, colour: str = "dim") -> None:
        """A line beside the conversation: what memory did."""
        if not (self._common.quiet or self._common.as_json):
            room = min(_WIDEST, self._out.width if self._out.terminal else PIPE_WIDTH) - len(label) - 4
            self._out.line(
                f"  {self._out.paint(label, colour)}  {self._out.paint(shortened(text, room), 'dim')}"
            )

    def _verdict(self, verdict: Verdict) -> None:
        word = verdict.outcome.value
        text = "; ".join(verdict.reasons)
        if verdict.item_id is not None:
            with suppress(NotFound):
                item = self._memory.get(verdict.item_id)
                text = item.headline + (f" ({text})" if text and word != "merged" else "")
        self._aside(_WORDS[word], text, _COLOURS[word])


class MemoryDialogue(Dialogue):
    """Without a model: what ends in a question mark is looked for, an order to forget done, all else remembered."""

    def _greeting(self) -> str:
        return (
            "No model is set: you talk to the memory itself. A line that ends in ? is looked for, any other is "
            "remembered. /help lists what else there is; an empty line ends."
        )

    def _turn(self, text: str) -> None:
        if text.endswith(("?", "？")):
            self._search(text)
        elif (meant := texts.to_forget(text)) is not None:
            self._forget(meant)
        else:
            self._remember(text)

    def close(self) -> None:
        """Nothing is."""


class ModelDialogue(Dialogue):
    """With a model, by the hooks of the middleware."""

    def __init__(self, common: Common, memory: Memory, model: StreamingModel, chat: Chat) -> None:
        super().__init__(common, memory, chat)
        self._model = model
        self._middleware = Middleware(memory)
        self._middleware.warm()
        self._history = self._taken_up()

    def _greeting(self) -> str:
        before = f" It goes on where it was left, {len(self._history)} turns ago." if self._history else ""
        return (
            f"You talk to {self._model.name}; session {self._chat.session_id}.{before} "
            "/help lists what else there is; an empty line ends."
        )

    def _taken_up(self) -> list[dict[str, Any]]:
        """The last turns of a session that there is already."""
        if self._chat.session_id is None:
            return []
        turns = self._memory.list(
            scope=self._chat.scope, session_id=self._chat.session_id, types=["episode"], limit=_TAKEN_UP
        )
        return [
            {"role": role, "content": turn.content}
            for turn in reversed(turns)
            if (role := turn.provenance.source_role) in {"user", "assistant"}
        ]

    def _turn(self, text: str) -> None:
        self._history.append({"role": "user", "content": text})
        turn = self._middleware.before_model(_latest(self._history), self._chat)
        self._recalled(turn)
        shown_before = ""
        while True:
            answer, error = self._answer(turn)
            again = self._middleware.intercept(turn, answer) if error is None else None
            if again is None:
                break
            for query in again.looked_up[len(turn.looked_up) :]:
                self._aside("asked", query)
            shown_before += f"{visible}\n\n" if (visible := _visible(answer)) else ""
            turn = again
        answer = Answer(shown_before + answer.text, answer.tool_calls, answer.complete)
        outcome = self._middleware.before_return(turn, self._middleware.after_model(turn, answer))
        self._injection_id = outcome.injection_id
        if outcome.text.strip():
            self._history.append({"role": "assistant", "content": outcome.text})
        else:  # Models want user and assistant to speak by turns; memory has what was said.
            self._history.pop()
        self._told(turn, outcome, error)

    def _answer(self, turn: Turn) -> tuple[Answer, str | None]:
        """The model's answer, shown as it comes, and why it was cut, if it was."""
        stream, calls, ended, error = VisibleStream(), (), False, None
        tools = self._middleware.tools(self._chat) if turn.may_call and turn.mode is not Mode.OFF else []
        wrote = False
        try:
            for delta in self._model.stream(turn.messages, tools):
                wrote = self._write(stream.feed(delta.text)) or wrote
                calls, ended = delta.calls, delta.ended
            error = None if ended else "the model's answer was cut"
        except ProviderError as failure:
            error = str(failure)
        except KeyboardInterrupt:
            error = "stopped"
        wrote = self._write(stream.end()) or wrote
        if wrote and not self._common.as_json:
            self._out.line()
        tool_calls = tuple(ToolCall(call.name, call.arguments, call.id) for call in calls)
        return Answer(stream.raw, tool_calls, complete=error is None), error

    def _write(self, text: str) -> bool:
        if text and not self._common.as_json:
            sys.stdout.write(shown(text))
            sys.stdout.flush()
        return bool(text)

    def _recalled(self, turn: Turn) -> None:
        for degradation in turn.degradations:
            self._aside("degraded", degradation, "yellow")
        for item in turn.items[:_SHOWN]:
            self._aside("recalled", item.headline)
        if len(turn.items) > _SHOWN:
            self._aside("recalled", f"and {len(turn.items) - _SHOWN} more; /why shows them")

    def _told(self, turn: Turn, outcome: TurnOutcome, error: str | None) -> None:
        """Show what became of the answer."""
        if self._common.as_json:
            self._json(
                {
                    "text": outcome.text,
                    "recalled": [{"id": item.id, "title": item.headline} for item in turn.items],
                    "looked_up": list(turn.looked_up),
                    "verdicts": [verdict.to_dict() for verdict in outcome.verdicts],
                    "problems": list(outcome.problems),
                    "degradations": list(outcome.degradations),
                    "injection_id": outcome.injection_id,
                    "error": error,
                }
            )
        for degradation in outcome.degradations:
            if degradation not in turn.degradations:  # Those were said before the answer.
                self._aside("degraded", degradation, "yellow")
        for verdict in outcome.verdicts:
            self._verdict(verdict)
        for problem in outcome.problems:
            self._aside("refused", problem, "red")
        if error is not None:
            self.failed = self.failed or error != "stopped"
            note(f"simonides: {error}")

    def close(self) -> None:
        ending = self._middleware.end_session(self._chat)
        report = ExtractReport()
        with suppress(NotFound):  # Nothing was said.
            try:
                report = report if ending is None else ending.done.result()
            except KeyboardInterrupt:
                self._dim("What was said is kept and looked through later.")
        for item in report.found:
            if item.verdict is not None and item.verdict.outcome is not Outcome.MERGED:
                self._verdict(item.verdict)
        for degradation in report.degradations if report.turns or report.put_off else ():
            self._aside("degraded", degradation, "yellow")
        self._middleware.close()
        self._model.close()


def _visible(answer: Answer) -> str:
    stream = VisibleStream()
    return (stream.feed(answer.text) + stream.end()).strip()


def _latest(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last turns that fit, from one of the user's on; the last one always does."""
    kept, tokens = 0, 0
    for message in reversed(history):
        tokens += count_tokens(message["content"])
        if kept and tokens > _HISTORY_TOKENS:
            break
        kept += 1
    chosen = history[-kept:]
    return chosen[next(place for place, turn in enumerate(chosen) if turn["role"] == "user") :]
