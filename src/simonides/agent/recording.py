"""Recording: what was said is recorded, what was proposed is governed, one after the other within a conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, cast

from simonides import ContextResult
from simonides.agent.conversation import Conversation, Conversations, KnownChat, SpokenTurn
from simonides.agent.held import CallPlace
from simonides.agent.proposals import TOOL
from simonides.agent.tools import Tools
from simonides.agent.tools.call_context import Context
from simonides.agent.tools.propose import judged
from simonides.agent.turn import Chat, Turn
from simonides.agent.usage import came_back
from simonides.agent.workers import BackgroundTask, Deadline, Workers, in_words, threads_for, tried
from simonides.config import MiddlewareSettings
from simonides.domain.extraction import ExtractReport
from simonides.domain.instant import iso
from simonides.domain.scope import Scope
from simonides.domain.verdict import Outcome, Verdict, too_many
from simonides.memory import Memory
from simonides.values import dataclass

_ENDERS: Final = 1
#: How long the user's words stay behind chats that wait for memory: the model has hardly begun to answer by then.
_PATIENCE_MS: Final = 250
#: Of a text that is too long to be recorded so much of what is kept is its end.
_END_SHARE: Final = 0.1
#: Characters in which a blank is looked for, so that it is cut between two words.
_WORD_CHARS: Final = 1000


@dataclass(frozen=True)
class TurnState:
    """Notes that the hooks of a turn pass to each other.

    Attributes:
        recording: Ids of the user's new turns once they are recorded; None where there was nothing to record.
        source: The episode of the user's last turn, where that was recorded before.
        recalled: What was found before the model; None where nothing was looked for, or it came too late.
        proposals: Of blocks in the answers before the last.
        verdicts: On what was proposed by tool in those.
        place: Where in its conversation the model answers; None where nothing was done for the turn.
    """

    conversation: Conversation
    recording: BackgroundTask[tuple[str, ...]] | None = None
    source: str | None = None
    recalled: ContextResult | None = None
    proposals: tuple[object, ...] = ()
    problems: tuple[str, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    place: CallPlace | None = None


@dataclass
class Stored:
    """Records made of an answer, as far as they have come."""

    verdicts: tuple[Verdict, ...] = ()
    answer_id: str | None = None
    used: tuple[str, ...] = ()
    degradations: list[str] = field(default_factory=list[str])

    @property
    def recorded(self) -> bool:
        return self.answer_id is not None


class Recording:
    """Writes on behalf of a chat. Safe to use from several threads.

    Args:
        readers: What chats wait for before their model: it goes first.
    """

    def __init__(
        self, memory: Memory, settings: MiddlewareSettings, conversations: Conversations, readers: Workers
    ) -> None:
        self._memory = memory
        self._settings = settings
        self._conversations = conversations
        self._writers = Workers("record", threads_for(memory), behind=readers)
        self._enders = Workers("end", _ENDERS)
        self._lost = 0

    def begin(
        self,
        chat: Chat,
        conversation: Conversation,
        known: KnownChat,
        session_id: str | None,
        degradations: list[str],
    ) -> BackgroundTask[tuple[str, ...]] | None:
        """Record what is new beside the model; what comes of it is told after the model."""
        if session_id is None:
            return None
        self._conversations.begin(chat, conversation, session_id)
        turns = conversation.turns(known.messages)
        if not turns:
            self._conversations.recorded(chat, conversation, session_id, known.source)
            return None
        if any(len(turn.text) > self._most_chars for turn in turns):
            degradations.append(self._too_long("what was said"))
        try:
            return self._writers.run(
                lambda _: self._record(chat, conversation, session_id, turns),
                after=(chat.scope, session_id),
                patience=Deadline(_PATIENCE_MS),
            )
        except Exception as error:  # noqa: BLE001 - the chat's outermost edge
            degradations.append(in_words(error, "what was said is not recorded"))
            return None

    def awaited(self, recording: BackgroundTask[tuple[str, ...]] | None, within: Deadline) -> tuple[str, ...]:
        """Errors of recording the user's turns; waits for it no longer than the deadline."""
        if recording is not None:
            try:
                recording.result(within)
            except Exception as error:  # noqa: BLE001 - the chat's outermost edge
                return (in_words(error, "what was said is not recorded yet"),)
        return ()

    def proposed(
        self,
        turn: Turn,
        state: TurnState,
        proposals: Sequence[object],
        judged_before: int,
        deadline: Deadline,
    ) -> tuple[dict[str, Any], tuple[Verdict, ...]]:
        """The tool's answer to proposals, and its verdicts, after what was said before them is recorded.

        Args:
            judged_before: How many proposals of this turn were judged already.

        Raises:
            TimeoutError: They are not there in time; they will be stored all the same.
        """
        tools = tools_of(self._memory, turn)
        first, rest = self._parted(proposals, judged_before)

        def work(_: BackgroundTask[dict[str, Any]]) -> dict[str, Any]:
            reply = tools.call(TOOL, {"proposals": self._sourced(state, first)}) if first or not rest else {}
            if rest and "error" not in reply:
                reply["verdicts"] = [*reply.get("verdicts", ()), *(verdict.to_dict() for verdict in rest)]
            return reply

        answer = self._writers.run(work, after=(turn.chat.scope, turn.session_id)).result(deadline)
        verdicts = [
            Verdict(Outcome(ruling["outcome"]), ruling["item_id"], tuple(ruling["reasons"]))
            for ruling in answer.get("verdicts", ())
        ]
        return answer, tuple(verdicts)

    def stored(
        self,
        turn: Turn,
        state: TurnState,
        text: str,
        proposals: Sequence[object],
        judged_before: int,
        within: Deadline,
    ) -> Stored:
        """Records made of an answer within the deadline; where that is not all, recording goes on, and is named.

        Args:
            judged_before: How many proposals of this turn were judged already.
        """
        stored = Stored()
        first, rest = self._parted(proposals, judged_before)

        def work(_: BackgroundTask[None]) -> None:
            before = len(stored.degradations)
            self._store(turn, state, text, first, stored)
            self._lost += len(stored.degradations) > before
            stored.verdicts += rest

        try:
            line = (turn.chat.scope, turn.session_id)
            self._writers.run(work, after=line).result(within)
        except Exception as error:  # noqa: BLE001 - the chat's outermost edge: the user gets the answer
            late = in_words(error, "the answer is not stored yet")
            return replace(stored, degradations=[*stored.degradations, late])
        return stored

    def ending(
        self, chat: Chat, session_id: str, conversation: Conversation | None = None, known: int = 0
    ) -> BackgroundTask[ExtractReport]:
        """Record the rest of a conversation and close its session."""
        turns = conversation.turns(known) if conversation else []

        def rest(_: BackgroundTask[None]) -> None:
            if conversation is not None and turns:
                self._record(chat, conversation, session_id, turns)

        before = self._writers.run(rest, after=(chat.scope, session_id))

        def work(_: BackgroundTask[ExtractReport]) -> ExtractReport:
            before.done.result()
            return self._memory.sessions.end(session_id, scope=chat.scope)

        # A model may be asked for minutes: not in the threads that others wait for.
        return self._enders.run(work, after=(chat.scope, session_id))

    @property
    def failures(self) -> int:
        """Number of times that something could not be recorded."""
        return self._writers.failed + self._lost

    def settle(self) -> None:
        """Wait until everything that was begun is stored, or has failed."""
        self._writers.settle()
        self._enders.settle()

    def close(self) -> None:
        """Finish what is under way, and take nothing more."""
        self._writers.close()
        self._enders.close()

    def _record(
        self, chat: Chat, conversation: Conversation, session_id: str, turns: Sequence[SpokenTurn]
    ) -> tuple[str, ...]:
        """Ids of the user's turns that are recorded now, or were."""
        messages = [
            {"role": turn.role, "content": shortened(turn.text, self._most_chars)}
            | ({"name": turn.name} if turn.name else {})
            | ({} if turn.at is None else {"at": iso(turn.at)})
            for turn in turns
        ]
        verdicts = self._memory.add(messages, scope=chat.scope, session_id=session_id, actor=chat.speaker)
        ids = tuple(
            verdict.item_id
            for turn, verdict in zip(turns, verdicts, strict=True)
            if turn.by_user and verdict.item_id is not None
        )
        self._conversations.recorded(chat, conversation, session_id, ids[-1] if ids else None)
        return ids

    def _store(
        self, turn: Turn, state: TurnState, text: str, proposals: Sequence[object], stored: Stored
    ) -> None:
        """Record an answer, judge its proposals, note which memories came back. One that fails leaves the others."""
        heard = stored.degradations
        if turn.session_id is not None:
            stored.answer_id = tried(
                lambda: self._record_answer(turn, state, text), "what was said is not recorded", heard
            )
            if stored.recorded and len(text) > self._most_chars:
                heard.append(self._too_long("the answer"))
        if proposals:
            judged_now = tried(lambda: self._govern(turn, state, proposals), "no proposal was stored", heard)
            stored.verdicts = judged_now or ()
        if used := came_back(turn.items, text):
            tried(
                lambda: self._memory.mark_used(used, session_id=turn.session_id), "uses are not noted", heard
            )
            stored.used = used

    def _record_answer(self, turn: Turn, state: TurnState, text: str) -> str | None:
        """Record what the user saw; its id if it was. The user's turns are recorded before it, or raise."""
        assert turn.session_id is not None
        if state.recording is not None:
            state.recording.done.result()
        recorded: str | None = None
        if text.strip():
            message = {"role": "assistant", "content": shortened(text, self._most_chars)}
            [answered] = self._memory.add([message], scope=turn.chat.scope, session_id=turn.session_id)
            recorded = answered.item_id if answered.stored else None
        self._conversations.answered(
            turn.chat, state.conversation, turn.session_id, text, self._source(state)
        )
        return recorded

    @property
    def _most_chars(self) -> int:
        """Characters of a turn that the policy lets in."""
        return self._memory.settings.policy.max_write_chars

    def _too_long(self, what: str) -> str:
        return (
            f"{what} is longer than {self._most_chars:,} characters; its beginning and its end are recorded"
        )

    def _govern(self, turn: Turn, state: TurnState, proposals: Sequence[object]) -> tuple[Verdict, ...]:
        place = Scope(turn.chat.scope)
        context = Context(self._memory, place, turn.session_id, turn.chat.actor, turn.chat.caller or "")
        return tuple(judged(context, self._sourced(state, proposals), place))

    def _parted(
        self, proposals: Sequence[object], judged_before: int
    ) -> tuple[Sequence[object], tuple[Verdict, ...]]:
        """Proposals that are judged, and the verdicts on the rest: a turn has so many, by tool and block together."""
        most = self._memory.settings.policy.proposals_per_turn
        left = max(0, most - judged_before)
        return proposals[:left], (too_many(most),) * len(proposals[left:])

    def _sourced(self, state: TurnState, proposals: Sequence[object]) -> list[object]:
        """Proposals with what the user said as their source: a model does not choose it."""
        source = self._source(state)
        if source is None:
            return list(proposals)
        return [
            {**cast("Mapping[str, Any]", proposal), "source": source}
            if isinstance(proposal, Mapping)
            else proposal
            for proposal in proposals
        ]

    def _source(self, state: TurnState) -> str | None:
        """The episode of the user's turn that was answered; None if it could not be recorded."""
        if state.recording is None:
            return state.source
        if state.recording.done.exception() is not None:
            return None
        turns = state.recording.done.result()
        return turns[-1] if turns else None


def tools_of(memory: Memory, turn: Turn) -> Tools:
    """Memory's tools as the model of a chat calls them."""
    chat = turn.chat
    return Tools(memory, scope=chat.scope, session_id=turn.session_id, actor=chat.actor, caller=chat.caller)


def shortened(text: str, most: int) -> str:
    """The beginning and the end of a text, at most `most` characters, with what was left out said between them."""
    if len(text) <= most:
        return text
    between = f"\n[… {len(text):,} characters in all …]\n"
    room = max(most - len(between), 0)
    head, tail = text[: room - round(room * _END_SHARE)], text[len(text) - round(room * _END_SHARE) :]
    head = head[: _between_words(head[-_WORD_CHARS:][::-1], len(head))]
    tail = tail[len(tail) - _between_words(tail[:_WORD_CHARS], len(tail)) :]
    return f"{head}{between}{tail}"[:most]


def _between_words(edge: str, length: int) -> int:
    """Length of a text without the word that may be cut at its edge; all of it where no blank is near."""
    blank = next((place for place, char in enumerate(edge) if char.isspace()), 0)
    return length - blank
