"""Recall: what a request needs of the store, in time or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Hashable
from dataclasses import field, replace
from typing import Any, Final

from simonides import ContextResult, Surroundings
from simonides.agent.conversation import Conversation, Conversations, KnownChat, Recent, beginning
from simonides.agent.readers import ChatContextRequest, ContextReaders
from simonides.agent.turn import Chat, Turn, TurnOutcome
from simonides.agent.workers import BackgroundTask, Deadline, TooMuchWaiting, Workers, in_words
from simonides.config import MiddlewareSettings, Mode
from simonides.domain.item import Status
from simonides.domain.provenance import Origin
from simonides.domain.text import normalised
from simonides.errors import NotFound
from simonides.memory import Memory
from simonides.texts import asks_for_recall, plain, redacted, worth_asking
from simonides.values import dataclass

#: Names that are tried for a conversation that has none and begins like another.
_NAMES: Final = 9
_LATEST_TURNS: Final = 50
_LATEST_ANSWERS: Final = 10
_INJECTIONS: Final = 1000


@dataclass
class Gathering:
    """Readings for a turn, as far as they have come: whoever waits takes what is there when time is up."""

    session_id: str | None = None
    profile: ContextResult | None = None
    recalled: ContextResult | None = None
    degradations: list[str] = field(default_factory=list[str])


class ChatRecall:
    """Asks the store on behalf of a chat. Safe to use from several threads."""

    def __init__(
        self,
        memory: Memory,
        settings: MiddlewareSettings,
        conversations: Conversations,
        threads: Workers,
        readers: ContextReaders,
    ) -> None:
        self._memory = memory
        self._readers = readers
        self._settings = settings
        self._conversations = conversations
        self._threads = threads
        self._injections: Recent[ContextResult] = Recent(_INJECTIONS)

    def in_time(
        self, chat: Chat, mode: Mode, conversation: Conversation, known: KnownChat, within: Deadline
    ) -> Gathering:
        """Read what a request needs, as far as it comes within the deadline; name what does not."""
        gathered = Gathering()

        def work(task: BackgroundTask[None]) -> None:
            self._read(task, gathered, chat, mode, conversation, known)

        try:
            if not within.left_s:
                raise TimeoutError if within.begins else TooMuchWaiting  # noqa: TRY301 - said as others are
            self._threads.run(work).result(within)
        except Exception as error:  # noqa: BLE001 - the chat's outermost edge: it goes on without memory
            # A copy: who reads may still be at it.
            gathered = replace(
                gathered, degradations=[*gathered.degradations, in_words(error, "memory was not asked")]
            )
        return gathered

    def once_more(self, turn: Turn, conversation: Conversation, outcome: TurnOutcome) -> ContextResult:
        """Answer a question that nothing was recalled for with an agenda, for the caller to show.

        What became of the answer itself is no memory of it: neither the turn that holds it nor what was proposed in it.

        Raises:
            TimeoutError: It found nothing in time.
        """
        form = Mode.INJECT if turn.mode in {Mode.INJECT, Mode.HYBRID} else Mode.CATALOG

        known_texts = conversation.last_texts() | {
            plain(outcome.text),
            plain(redacted(outcome.text)),
        }
        new = {verdict.item_id for verdict in outcome.verdicts} | {outcome.answer_id}

        def work(task: BackgroundTask[ContextResult]) -> ContextResult:
            return self._memory.context(
                turn.question,
                scope=turn.chat.scope,
                mode=form.value,
                agenda=True,
                asked_in=turn.session_id,
                around=Surroundings(
                    told=known_texts, besides=lambda item: item.id in new, wanted=task.wanted
                ),
            )

        return self._threads.run(work).result(Deadline(self._settings.deadline_ms))

    def _read(
        self,
        task: BackgroundTask[None],
        gathered: Gathering,
        chat: Chat,
        mode: Mode,
        conversation: Conversation,
        known: KnownChat,
    ) -> None:
        """Read from the store what a turn needs, most needed first."""
        session_id = known.session_id
        if session_id is None and conversation.spoken:
            session_id = self._named(chat, conversation)
        gathered.session_id = session_id
        known_texts = conversation.last_texts()
        if self._settings.profile_tokens:
            gathered.profile = self._memory.core_profile(
                scope=chat.scope, max_tokens=self._settings.profile_tokens
            )
            known_texts |= {plain(item.content) for item in gathered.profile.items}
        question = conversation.question
        if conversation.asking is None or mode is Mode.TOOLS_ONLY or not worth_asking(question):
            return
        key = (chat.scope, chat.session_id, conversation.asking.mark, mode)
        working = conversation.asking is not conversation.spoken[-1]
        again = self._told_before(key, chat) if working else None
        recalled = again or self._recall(task, chat, mode, conversation, session_id, known_texts)
        if recalled.text:
            self._injections.put(key, recalled)
        gathered.recalled = recalled
        gathered.degradations += recalled.degradations

    def _told_before(self, key: Hashable, chat: Chat) -> ContextResult | None:
        """Context injected for this question at first: the same while a model works with the caller's tools.

        None where any of it was changed since, forgotten or purged.
        """
        before = self._injections.get(key)
        if before is None:
            return None
        try:
            now = [self._memory.get(item.id, scope=chat.scope) for item in before.items]
        except NotFound:
            return None
        same = all(
            item.updated_at == then.updated_at and item.status is Status.ACTIVE and item.injectable
            for item, then in zip(now, before.items, strict=True)
        )
        return before if same else None

    def _recall(
        self,
        task: BackgroundTask[Any],
        chat: Chat,
        mode: Mode,
        conversation: Conversation,
        session_id: str | None,
        known_texts: frozenset[str],
    ) -> ContextResult:
        question = conversation.question
        asked_for = asks_for_recall(question)
        form = Mode.HYBRID if asked_for and mode is Mode.INJECT else mode
        if not (chat.reads and self._settings.max_rounds):
            form = Mode.INJECT  # Titles are worth nothing to whom cannot read what they stand for.
        request = ChatContextRequest(
            question,
            chat.scope,
            form.value,
            agenda=True if asked_for else None,
            asked_in=session_id,
            told=known_texts,
            sure=not asked_for,
            said_before=conversation.said_before,
        )
        return self._readers.read(request, task.wanted)

    def _named(self, chat: Chat, conversation: Conversation) -> str:
        """A session for a conversation that has no name and is not known to this process."""
        base = beginning(chat.scope, conversation)
        spoken = [normalised(turn.text) for turn in conversation.spoken if turn.by_assistant and turn.text]
        answers = set(spoken[-_LATEST_ANSWERS:])
        for name in (base, *(f"{base}-{n}" for n in range(2, _NAMES + 1))):
            try:
                turns = self._memory.sessions.get(name, scope=chat.scope, last=_LATEST_TURNS)
            except NotFound:
                turns = []
            # One that goes on after a restart holds most of what was answered last, or has no answer yet. One
            # answer alone may be a greeting that others were given, too, who have gone on since.
            held = [normalised(turn.content) for turn in turns if turn.origin is Origin.ASSISTANT_SAID]
            same = 2 * len(answers.intersection(held)) > len(answers) if answers else not held
            same = same and (len(answers) != 1 or held[-1] in answers)
            if (not turns or same) and self._conversations.claim(name):
                return name
        return f"{base}-{secrets.token_hex(4)}"
