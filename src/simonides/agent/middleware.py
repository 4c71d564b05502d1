"""Middleware: memory for any loop that talks to a model, in four hooks."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from simonides import Surroundings
from simonides.agent import prompt
from simonides.agent.conversation import Conversation, Conversations, beginning
from simonides.agent.held import CallingTurn, HeldExchanges, calling_turns
from simonides.agent.loading import PROCESS, Loading
from simonides.agent.proposals import Parsed, from_tool_call, parse
from simonides.agent.readers import ContextReaders
from simonides.agent.recall import ChatRecall, Gathering
from simonides.agent.recording import Recording, TurnState, tools_of
from simonides.agent.tool_loop import (
    PROPOSE,
    ToolExchange,
    canonical,
    is_memorys,
    looked_up,
    offered,
    refusal,
)
from simonides.agent.tools import Tools
from simonides.agent.tools.call_context import require_memory
from simonides.agent.turn import Answer, Chat, Message, ToolCall, Turn, TurnOutcome
from simonides.agent.workers import BackgroundTask, Deadline, Workers, in_words, threads_for, tried
from simonides.config import MiddlewareSettings, Mode, Placement
from simonides.domain.closing import Closing
from simonides.domain.extraction import ExtractReport
from simonides.domain.flag import flag
from simonides.domain.scope import ALL
from simonides.domain.verdict import Verdict
from simonides.memory import Memory
from simonides.texts import asked_of_memory, asks_for_recall, asks_for_several, restates

__all__ = ["Answer", "Chat", "Message", "Middleware", "Mode", "ToolCall", "Turn", "TurnOutcome"]

_SEARCH: Final = "memory_search"
#: How long a model waits for a tool that it called itself.
_TOOL_MS: Final = 5000


class _LeaveOff(Exception):
    """There is something more urgent."""


class Middleware(Closing):
    """Memory for a chat, before and after its model.

    Cheap to make; one serves a process. Safe to use from several threads. No hook raises for what a client, a
    model or a broken store does: the chat goes on without memory, and `degradations` say so. No hook waits longer
    for memory than the settings' `deadline_ms`; what is being written then goes on, in order. What this package
    has to load before the first chat of a process does not count: the first hook waits for that, unless `warm` came
    before. An embedder of one's own counts.

    Args:
        memory: Where everything is kept. It stays the caller's, who closes it after the middleware.
        settings: None for those of the memory.
        readers: What reads the contexts of chats; None for this process alone. It is closed with the middleware.
        loading: What loads beforehand what chats need.

    Attributes:
        settings: Those that hold.
    """

    def __init__(
        self,
        memory: Memory,
        settings: MiddlewareSettings | None = None,
        *,
        readers: ContextReaders | None = None,
        loading: Loading = PROCESS,
    ) -> None:
        require_memory(memory)
        self._memory = memory
        self._contexts = readers or ContextReaders(memory)
        self.settings = memory.settings.middleware if settings is None else settings
        self._readers = Workers("recall", max(threads_for(memory), self._contexts.at_once), drops=True)
        self._conversations = Conversations()
        self._recall = ChatRecall(memory, self.settings, self._conversations, self._readers, self._contexts)
        self._recording = Recording(memory, self.settings, self._conversations, self._readers)
        self._held = HeldExchanges()
        self._loading = loading

    def tools(self, chat: Chat | None = None) -> list[dict[str, Any]]:
        """Memory's tools as OpenAI's clients pass them, for callers that pass tools; always the same, in one order.

        Those with a name that one of the chat's own tools has are left out. Offer them while `Turn.may_call`.
        """
        return offered(chat or Chat())

    def warm(self) -> None:
        """Load, in the background, what the first question of a process has to wait for."""

        def work(_: BackgroundTask[None]) -> None:
            self._loading.finish()
            unheard = Surroundings(wanted=lambda: False)
            # Of every scope, so that statements are read that a first question may be compared with.
            self._memory.context(
                "What do we know?", scope=ALL, mode=Mode.HYBRID.value, agenda=True, around=unheard
            )
            restates(
                "We ship on Fridays.", "We ship on Fridays."
            )  # Its patterns are compiled at their first use.

        tried(lambda: self._readers.run(work), "nothing was loaded", [])
        self._contexts.start()

    # Before the model

    def before_model(
        self, messages: Sequence[Message], chat: Chat, *, within: Deadline | None = None
    ) -> Turn:
        """Give a request memory: the core profile in the system prompt, what answers before the user's message.

        Records what is new of the conversation, without what was recalled into it.

        Args:
            messages: As a client sent them; they are not changed. Only the user's last message is a question.
            chat: Whose they are.
            within: How long memory is waited for; None for the settings' `deadline_ms` from now on, and from when
                everything is loaded where this is the first chat of the process.

        Returns:
            The turn; its messages go to the model. With mode `off`, and without messages, they are the client's.
        """
        mode = Mode(chat.mode or self.settings.mode)
        plain = Turn(chat=chat, mode=mode, messages=tuple(messages), session_id=chat.session_id)
        if mode is Mode.OFF or not messages:
            return plain
        conversation = Conversation.of(messages)
        known = self._conversations.find(chat, conversation)
        within = within or self._deadline()
        gathered = self._recall.in_time(chat, mode, conversation, known, within)
        session_id = known.session_id or gathered.session_id
        if session_id is None and conversation.spoken:
            session_id = f"{beginning(chat.scope, conversation)}-{secrets.token_hex(4)}"
        recording = self._recording.begin(chat, conversation, known, session_id, gathered.degradations)
        calling = calling_turns(conversation, messages)
        sent = self._given(messages, chat, mode, conversation, calling, gathered)
        recalled = gathered.recalled
        return replace(
            plain,
            messages=tuple(sent),
            session_id=session_id,
            question=conversation.question,
            injection_id=recalled.injection_id if recalled else None,
            items=recalled.items if recalled else (),
            profile=gathered.profile.items if gathered.profile else (),
            may_call=chat.reads and self.settings.max_rounds > 0,
            degradations=tuple(dict.fromkeys(gathered.degradations)),
            state=TurnState(
                conversation,
                recording,
                known.source,
                recalled,
                place=calling[-1].place,
            ),
        )

    def _deadline(self) -> Deadline:
        """Deadline of a hook; it begins when what the process loads is there."""
        self._loading.finish()
        return Deadline(self.settings.deadline_ms)

    def _given(
        self,
        messages: Sequence[Message],
        chat: Chat,
        mode: Mode,
        conversation: Conversation,
        calling: Sequence[CallingTurn],
        gathered: Gathering,
    ) -> Sequence[Message]:
        """The messages with what memory adds."""
        sent = list(messages)
        question = conversation.asking
        if question is not None and gathered.recalled is not None and gathered.recalled.text:
            with_memories = prompt.with_recalled(sent, question.index, gathered.recalled.text)
            sent = sent if with_memories is None else with_memories
        sent = self._held.woven(chat, calling, sent)
        if chat.is_told:
            return sent
        added = prompt.addition(
            mode,
            gathered.profile.text if gathered.profile else "",
            reads=chat.reads and self.settings.max_rounds > 0,
            propose=chat.proposes and self.settings.propose,
        )
        match Placement(self.settings.placement):
            case Placement.SYSTEM:
                return prompt.with_system(sent, added)
            case Placement.USER:
                return prompt.with_user(sent, added)
            case Placement.NONE:
                return sent

    # Rounds

    def intercept(self, turn: Turn, answer: Answer, *, in_words: bool = True) -> Turn | None:
        """Run what a model asks of memory, and make the request that asks it again with the results.

        Args:
            turn: As it went to the model.
            answer: What came back, with the calls of tools that the model asks for.
            in_words: Whether an answer that only says what it would look up is a search, too, unless the settings
                say otherwise; not where its text cannot be taken back or followed by another.

        Returns:
            The next request; None if the answer stands: no tool of memory is called, the rounds are over, it was
            cut, or the model only proposes beside what it says. Calls of the caller's own tools are never run
            here. Where a model calls both, the answer stands, `TurnOutcome.tool_calls` has the caller's, and memory's
            results are put beside theirs when the caller comes back.
        """
        calls, own = _split(turn, answer)
        if (
            flag(in_words, "in_words")
            and not answer.tool_calls
            and turn.may_call
            and self.settings.asks_in_words
        ):
            calls = _said_calls(answer)
        if not calls or own or not answer.complete or turn.rounds >= self.settings.max_rounds:
            return None
        parsed = parse(answer.text)
        if not calls[0].id and calls[0] not in answer.tool_calls:
            parsed = replace(parsed, visible="")  # The request is the call.
        if parsed.visible.strip() and all(canonical(call.name) == PROPOSE for call in calls):
            return None
        state = _state_of(turn)
        exchange, verdicts = self._run(turn, state, calls, Deadline(_TOOL_MS))
        rounds = turn.rounds + 1
        return replace(
            turn,
            messages=(*turn.messages, *exchange.named(rounds).messages(parsed.visible)),
            rounds=rounds,
            may_call=rounds < self.settings.max_rounds,
            looked_up=(*turn.looked_up, *looked_up(exchange)),
            state=replace(
                state,
                proposals=state.proposals + parsed.proposals,
                problems=state.problems + parsed.problems,
                verdicts=state.verdicts + verdicts,
            ),
        )

    def _run(
        self, turn: Turn, state: TurnState, calls: Sequence[ToolCall], deadline: Deadline
    ) -> tuple[ToolExchange, tuple[Verdict, ...]]:
        """Run calls of memory's tools; the answers, and the verdicts on what was proposed by them."""
        tools = tools_of(self._memory, turn)
        answers: list[Mapping[str, Any]] = []
        verdicts: list[Verdict] = []
        for place, call in enumerate(calls):
            if (refused := refusal(call, place)) is not None:
                answers.append(refused)
                continue
            try:
                if canonical(call.name) == PROPOSE:
                    before = len(state.verdicts) + len(verdicts)
                    answer, judged_now = self._proposed(turn, state, call, before, deadline)
                    verdicts += judged_now
                else:
                    answer = self._readers.run(_calling(tools, call)).result(deadline)
            except Exception as error:  # noqa: BLE001 - the chat's outermost edge: the model gets an answer
                answer = {"error": {"code": "late", "message": in_words(error, "memory did not answer")}}
            answers.append(answer)
        return ToolExchange(tuple(calls), tuple(answers)), tuple(verdicts)

    def _proposed(
        self, turn: Turn, state: TurnState, call: ToolCall, judged_before: int, deadline: Deadline
    ) -> tuple[Mapping[str, Any], tuple[Verdict, ...]]:
        parsed = from_tool_call(call.name, call.arguments) or Parsed()
        if parsed.problems:
            return {"error": {"code": "invalid_arguments", "message": "; ".join(parsed.problems)}}, ()
        return self._recording.proposed(turn, state, parsed.proposals, judged_before, deadline)

    # After the model

    def after_model(self, turn: Turn, answer: Answer, *, within: Deadline | None = None) -> TurnOutcome:
        """Take proposals out of an answer, let the policy judge them, and record what the user saw.

        An answer that was cut is not recorded and proposes nothing: nobody knows how it would have gone on. The
        same holds for it where a client sends it again as part of its history.

        Args:
            turn: The last request.
            answer: What the model said to it.
            within: As of `before_model`.

        Returns:
            What the user sees, and what became of the rest. Where that takes longer than the deadline, it goes on,
            and the outcome says so.
        """
        if turn.mode is Mode.OFF:
            return TurnOutcome(text=answer.text, tool_calls=answer.tool_calls)
        within = within or self._deadline()
        parsed = parse(answer.text)
        calls, own = _split(turn, answer)
        state = _state_of(turn)
        outcome = TurnOutcome(
            text=parsed.visible,
            tool_calls=own,
            problems=state.problems + parsed.problems,
            verdicts=state.verdicts,
            injection_id=turn.injection_id,
            degradations=turn.degradations,
        )
        if not answer.complete:
            return self._cut(turn, state, outcome, within)
        lookups = [call for call in calls if canonical(call.name) != PROPOSE]
        if own:
            self._hold(turn, state, lookups, own)
        elif lookups and not parsed.visible.strip():
            remark = "the model kept on asking memory and gave no answer"
            outcome = replace(outcome, degradations=(*outcome.degradations, remark))
        if proposing := [call for call in calls if canonical(call.name) == PROPOSE]:
            exchange, verdicts = self._run(turn, state, proposing, within)
            outcome = replace(
                outcome,
                verdicts=outcome.verdicts + verdicts,
                problems=(*outcome.problems, *exchange.errors()),
            )
        return self._stored(turn, state, outcome, (*state.proposals, *parsed.proposals), within)

    def _hold(
        self, turn: Turn, state: TurnState, lookups: Sequence[ToolCall], own: Sequence[ToolCall]
    ) -> None:
        """Keep what memory answers until the caller comes back with the results of its own calls."""
        exchange = None
        if lookups:
            exchange, _ = self._run(turn, state, lookups, Deadline(_TOOL_MS))
            exchange = exchange.named(turn.rounds)
        if state.place is not None:
            self._held.keep(turn, state.place, own, exchange)

    def _cut(self, turn: Turn, state: TurnState, outcome: TurnOutcome, within: Deadline) -> TurnOutcome:
        self._conversations.cut(turn.chat, state.conversation, seen=bool(outcome.text.strip()))
        late = self._recording.awaited(state.recording, within)
        remark = "the answer was cut; nothing of it is recorded"
        return replace(outcome, degradations=tuple(dict.fromkeys((*outcome.degradations, *late, remark))))

    def _stored(
        self,
        turn: Turn,
        state: TurnState,
        outcome: TurnOutcome,
        proposals: Sequence[object],
        within: Deadline,
    ) -> TurnOutcome:
        if turn.session_id is None and not proposals:
            return outcome
        stored = self._recording.stored(turn, state, outcome.text, proposals, len(outcome.verdicts), within)
        return replace(
            outcome,
            verdicts=outcome.verdicts + stored.verdicts,
            answer_id=stored.answer_id,
            recorded=stored.recorded,
            used=stored.used,
            degradations=tuple(dict.fromkeys((*outcome.degradations, *stored.degradations))),
        )

    # Before the answer is returned

    def before_return(self, turn: Turn, outcome: TurnOutcome) -> TurnOutcome:
        """Add what memory knows of the question, for the caller to show beside the answer.

        What was recalled for the model is told again. Where nothing was, because it came too late or the mode
        leaves asking to the model, and the user asks for what is remembered or for several things, an agenda looks
        for it now, within the deadline.

        Returns:
            The outcome with `recalled`: a catalog where the mode is `catalog` or `tools-only`, else in full.
        """
        state = _state_of(turn)
        if turn.mode is Mode.OFF or not turn.question:
            return outcome
        if state.recalled is not None and state.recalled.text:
            return replace(outcome, recalled=state.recalled)
        if state.recalled is not None or not (
            asks_for_recall(turn.question) or asks_for_several(turn.question)
        ):
            return outcome
        try:
            gathered = self._recall.once_more(turn, state.conversation, outcome)
        except Exception as error:  # noqa: BLE001 - the chat's outermost edge
            late = in_words(error, "memory was not asked")
            return replace(outcome, degradations=tuple(dict.fromkeys((*outcome.degradations, late))))
        return replace(outcome, recalled=gathered if gathered.text else None)

    # The end of a conversation, or of what a client keeps of it

    def end_session(self, chat: Chat) -> BackgroundTask[ExtractReport] | None:
        """Say that a conversation is over: what it states is extracted and what it was about is told, now.

        Returns:
            The work, which goes on after all that was begun for the conversation; nobody has to wait for it. None
            for a conversation without a name, which ends by silence, with mode `off`, and after `close`.
        """
        session_id = chat.session_id
        if session_id is None or Mode(chat.mode or self.settings.mode) is Mode.OFF:
            return None
        return tried(lambda: self._recording.ending(chat, session_id), "the session is not ended", [])

    def before_compaction(
        self, messages: Sequence[Message], chat: Chat
    ) -> BackgroundTask[ExtractReport] | None:
        """Say that a client is about to drop or shorten its history: all of it is recorded and told first.

        Returns:
            As of `end_session`; None also where nothing was said.
        """
        conversation = Conversation.of(messages)
        if not conversation.spoken or Mode(chat.mode or self.settings.mode) is Mode.OFF:
            return None
        known = self._conversations.find(chat, conversation)
        session_id = known.session_id or beginning(chat.scope, conversation)
        return tried(
            lambda: self._recording.ending(chat, session_id, conversation, known.messages),
            "the conversation is not told before it is shortened",
            [],
        )

    def extract_due(self, unless: Callable[[], bool]) -> None:
        """Take what lasts out of conversations that have gone silent.

        Args:
            unless: Asked between two sessions; once it says yes, what was taken so far is stored, and the rest waits.
        """

        def heed(_done: int, _total: int) -> None:
            if unless():
                raise _LeaveOff

        with suppress(_LeaveOff):
            self._memory.extract(scope=ALL, due_only=True, progress=heed)

    def settle(self) -> None:
        """Wait until everything that was begun is stored, or has failed."""
        self._recording.settle()

    @property
    def failures(self) -> int:
        """Number of times that something to be kept could not be."""
        return self._recording.failures

    def close(self) -> None:
        """Finish what is under way. The memory stays open."""
        self._recording.close()
        self._contexts.close()
        self._readers.close()


def _state_of(turn: Turn) -> TurnState:
    """The state of a turn; of one that the middleware did nothing for, one that says so."""
    return turn.state if isinstance(turn.state, TurnState) else TurnState(Conversation.of(turn.messages))


def _split(turn: Turn, answer: Answer) -> tuple[tuple[ToolCall, ...], tuple[ToolCall, ...]]:
    """Calls of memory's tools, and the caller's own."""
    if turn.mode is Mode.OFF:
        return (), answer.tool_calls
    ours = tuple(call for call in answer.tool_calls if is_memorys(call, turn.chat))
    return ours, tuple(call for call in answer.tool_calls if call not in ours)


def _said_calls(answer: Answer) -> tuple[ToolCall, ...]:
    """The search that an answer asks for in words, if it does nothing else."""
    calls = asked_of_memory(answer.text)
    return () if calls is None else (ToolCall(_SEARCH, {"query": calls}),)


def _calling(tools: Tools, call: ToolCall) -> Callable[[BackgroundTask[dict[str, Any]]], dict[str, Any]]:
    return lambda _: tools.call(call.name, call.arguments)
