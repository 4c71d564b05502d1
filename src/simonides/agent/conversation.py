"""Conversations as clients send them: again and again, whole or in part, with a name or without."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar, cast

from simonides.agent.prompt import without_recalled
from simonides.agent.turn import Chat, Message
from simonides.domain.instant import TIMES_OF_MESSAGES, first_instant
from simonides.domain.text import cleaned_text
from simonides.texts import plain, without_program_frames, worth_asking
from simonides.values import dataclass

#: Of a history that is not known yet, so many of the last messages and characters are recorded.
MOST_MESSAGES: Final = 200
MOST_CHARS: Final = 400_000
#: Of a long message so much of its beginning and end is a question.
_QUESTION_CHARS: Final = 3000
_QUESTION_END_CHARS: Final = 1000
_NAME_CHARS: Final = 64
#: Conversations and injections that are remembered between requests: some hundred bytes each.
_MOST_REMEMBERED: Final = 20_000
#: Chats that are remembered of those that begin with the same words.
_MOST_ALIKE: Final = 64
#: Seconds after an answer in which the same first words again ask for another answer, and begin no other chat.
_AGAIN_S: Final = 600.0

_USER: Final = frozenset({"user", "human"})
_ASSISTANT: Final = frozenset({"assistant", "ai", "model"})
_CONFIGURATION: Final = frozenset({"system", "developer"})
#: Types of parts that are words: files, quotes and results of tools may have a text, too.
_OF_TEXT: Final = frozenset({None, "text", "input_text"})
#: And of what a model put out, which is no user's word.
_OF_MODEL: Final = "output_text"
#: The role of what a client says for itself in its user's name.
_CLIENT: Final = "client"

V = TypeVar("V")


def role_of(message: object) -> str:
    """The role, as it is compared; empty for what is no message."""
    role: object = cast("Mapping[str, Any]", message).get("role") if isinstance(message, Mapping) else None
    return role.casefold() if isinstance(role, str) else ""


def text_of(message: object) -> str:
    """The words of a message, without what was recalled into it or its client put there for itself.

    Empty for one of images only, or none.
    """
    if not isinstance(message, Mapping):
        return ""
    content: object = cast("Mapping[str, Any]", message).get("content")
    if isinstance(content, str):
        return without_recalled(without_program_frames(content))
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        return ""
    by_user = role_of(cast("object", message)) in _USER
    parts = [_words_of(part, by_user=by_user) for part in cast("Sequence[object]", content)]
    return without_recalled(without_program_frames("\n".join(part for part in parts if part)))


def _is_of_client(message: Message) -> bool:
    """True of a message all of whose words stand in frames of the client's own: it is nobody's words."""
    content: object = message.get("content")
    parts = cast("Sequence[object]", content) if isinstance(content, list | tuple) else [content]
    words = [words for part in parts if (words := _words_of(part, by_user=True).strip())]
    return bool(words) and not any(map(without_program_frames, words))


def _words_of(part: object, *, by_user: bool) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return ""
    fields = cast("Mapping[str, Any]", part)
    text = fields.get("text")
    kind = fields.get("type")
    counts = kind in _OF_TEXT or (kind == _OF_MODEL and not by_user)
    return text if isinstance(text, str) and counts else ""


def _name_of(message: Message) -> str:
    """Name of a message's author; what is longer than APIs allow, or cannot be shown, is cut, and names them still."""
    name: object = message.get("name")
    if not isinstance(name, str):
        return ""
    return "".join(char for char in name if char.isprintable()).strip()[:_NAME_CHARS]


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """A message that is part of what was said.

    Attributes:
        index: Its place in the client's list.
        name: Whose it is, where several people talk; empty if the client does not say.
        mark: A digest of this and all that was said before it.
        at: When it was said, in microseconds; None if the client does not say.
    """

    index: int
    role: str
    text: str
    mark: bytes
    name: str = ""
    at: int | None = None

    @property
    def by_user(self) -> bool:
        return self.role in _USER

    @property
    def by_assistant(self) -> bool:
        return self.role in _ASSISTANT


@dataclass(frozen=True, slots=True)
class Conversation:
    """A request's messages, read once.

    Attributes:
        spoken: What was said, in order, results of tools included.
        asking: The user's last message; None if there is none.
    """

    spoken: tuple[SpokenTurn, ...]
    asking: SpokenTurn | None

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Conversation:
        """Read what a client sent. Linear in its length; nothing in it is an error."""
        turns: list[SpokenTurn] = []
        mark = b""
        for index, message in enumerate(messages):
            role = role_of(message)
            if not role or role in _CONFIGURATION:
                continue
            text = text_of(message)
            if role in _USER and not text and _is_of_client(message):
                role = _CLIENT
            mark = marked(mark, role, text)
            at = first_instant(message, *TIMES_OF_MESSAGES)
            turns.append(SpokenTurn(index, role, text, mark, _name_of(message), at))
        return cls(tuple(turns), next((turn for turn in reversed(turns) if turn.by_user), None))

    @property
    def mark(self) -> bytes:
        """The digest of all that was said."""
        return self.spoken[-1].mark if self.spoken else b""

    @property
    def question(self) -> str:
        """The user's present question; of a long message the beginning and the end."""
        text = cleaned_text(self.asking.text).strip() if self.asking else ""
        if len(text) <= _QUESTION_CHARS:
            return text
        return f"{text[: _QUESTION_CHARS - _QUESTION_END_CHARS]}\n{text[-_QUESTION_END_CHARS:]}"

    @property
    def said_before(self) -> str:
        """Message of the user before the present question; empty if there is none."""
        earlier = [turn.text for turn in self.spoken if turn.by_user and turn is not self.asking]
        return earlier[-1] if earlier else ""

    @property
    def begins(self) -> bool:
        """True until something was answered."""
        return not any(turn.by_assistant for turn in self.spoken)

    def last_texts(self) -> frozenset[str]:
        """Texts of the last messages, as `texts.plain` leaves them: no need to recall them."""
        return frozenset(plain(turn.text) for turn in self._last(0))

    def turns(self, known: int) -> list[SpokenTurn]:
        """Turns to record: what user and assistant said after the first `known` messages."""
        return [
            turn for turn in self._last(known) if (turn.by_user or turn.by_assistant) and turn.text.strip()
        ]

    def _last(self, known: int) -> list[SpokenTurn]:
        kept: list[SpokenTurn] = []
        chars = 0
        for turn in reversed(self.spoken[max(known, len(self.spoken) - MOST_MESSAGES) :]):
            chars += len(turn.text)
            if kept and chars > MOST_CHARS:
                break
            kept.append(turn)
        return kept[::-1]


def marked(before: bytes, role: str, text: str) -> bytes:
    """The digest of a conversation that goes on with a message. Blanks around a text are the client's business."""
    kind = "assistant" if role in _ASSISTANT else "user" if role in _USER else role
    marked_text = f"{kind}\0{text.strip()}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(before + marked_text, digest_size=16).digest()


class Recent(Generic[V]):
    """The latest values by key; what was not asked for longest makes room. Safe to use from several threads."""

    def __init__(self, most: int = _MOST_REMEMBERED) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: V) -> bool:
        """Keep a value; whether the key is new."""
        with self._lock:
            new = key not in self._values
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
            return new


@dataclass(frozen=True, slots=True)
class ChatPosition:
    """Last known position of a conversation that was seen before.

    Attributes:
        session_id: Its session.
        recorded: Everything up to there is recorded.
        answered: A model has answered there, or is about to; with a cut answer too.
        source: The episode of the user's last turn, where it is recorded.
        ended_at: When the last answer there came to its end, in seconds; None while one is under way.
    """

    session_id: str
    recorded: bool = False
    answered: bool = False
    source: str | None = None
    ended_at: float | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """A chat that may go on behind its first words.

    Attributes:
        place: Where it stands.
        used: It went on.
    """

    place: ChatPosition
    used: bool = False


@dataclass(frozen=True, slots=True)
class KnownChat:
    """Session and new turns of a request's conversation, as far as they are known.

    Attributes:
        session_id: Its session; None where it was not seen before in this process.
        messages: How many of the first messages need not be recorded again.
        source: The episode of the last turn of the user's among these.
    """

    session_id: str | None
    messages: int
    source: str | None = None


class Conversations:
    """Assignment of requests to sessions, and of what in them is new, as far as this process has seen it.

    Clients send no name, the whole history, a window of it, or the last message only. A conversation is known
    again by all that was said up to some place in it, or by the last question with its answer. What is not known here,
    the store recognises by the turns that it holds.

    A first question that comes again soon after its answer asks for another answer; a greeting begins another
    chat. Chats that begin with the same words, and the same answer, go on in any order: one goes on in each
    session. Where a session goes on behind one of several first answers, what goes on behind another is another chat.

    Args:
        now: Seconds of a clock that is never set back.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._places: Recent[ChatPosition] = Recent()
        self._names: Recent[None] = Recent()
        #: Chats without a name by what was said first, with its answer and without.
        self._begun: Recent[tuple[Begun, ...]] = Recent()
        #: Of these that went on, the mark of the first answer behind which they did.
        self._gone_on: Recent[bytes] = Recent()
        self._lock = threading.Lock()

    def find(self, chat: Chat, conversation: Conversation) -> KnownChat:
        """Look up the session of a request and what of it is new."""
        turns = conversation.spoken
        session_id = chat.session_id
        later: str | None = None  # The session of what was said behind these, which need not be recorded yet.
        for count in range(len(turns), 0, -1):
            place = self._places.get(self._key(chat, turns[count - 1].mark))
            if place is None or place.session_id != (later or place.session_id):
                continue
            if later is None and count == len(turns) and conversation.begins and place.answered:
                if not self._again(chat, conversation, place):
                    # The same words after an answer: another conversation, or the next turn of one that has a name
                    # and whose client sends nothing but its last message.
                    return KnownChat(session_id, 0)
            elif later is None:
                if (own := self._own(chat, conversation, count, place)) is None:
                    return KnownChat(None, 0)
                place = own
            later = place.session_id
            session_id = session_id or later
            if place.recorded:
                # The answer was recorded as it was given, or was cut; the client may tell it otherwise.
                answered = place.answered and count < len(turns) and turns[count].by_assistant
                return KnownChat(session_id, count + answered, place.source)
        for index in range(len(turns) - 1, 0, -1):
            if turns[index].by_assistant:
                place = self._places.get(self._key(chat, _pair(turns[index - 1], turns[index].text)))
                if place is not None:
                    return KnownChat(session_id or place.session_id, index + 1, place.source)
                break
        return KnownChat(session_id, 0)

    def _again(self, chat: Chat, conversation: Conversation, place: ChatPosition) -> bool:
        """True if a first question asks for another answer in the same chat."""
        return (
            chat.session_id is None
            and place.ended_at is not None
            and self._now() - place.ended_at <= _AGAIN_S
            and self._gone_on.get((chat.scope, place.session_id)) is None
            and worth_asking(conversation.question)
        )

    def _own(
        self, chat: Chat, conversation: Conversation, count: int, place: ChatPosition
    ) -> ChatPosition | None:
        """Position of the request's chat behind its first question, of all that began alike; None for none of them.

        Args:
            count: How many of the first messages `place` holds for.
        """
        turns = conversation.spoken
        first = next((n for n, turn in enumerate(turns) if turn.by_assistant), None)
        key = self._key(chat, turns[count - 1].mark)
        begun = self._begun.get(key)
        if begun is None or first is None or first not in {count - 1, count}:
            return place
        with self._lock:
            begun = self._begun.get(key) or ()
            left = [one for one in begun if not one.used]
            fresh = [one for one in left if self._gone_on.get((chat.scope, one.place.session_id)) is None]
            if not left:
                return next(
                    (one.place for one in reversed(begun) if self._went(chat, one, turns[first])), None
                )
            chosen = (fresh or left)[0]
            self._begun.put(key, tuple(replace(one, used=True) if one is chosen else one for one in begun))
            if not fresh:
                return None
            self._gone_on.put((chat.scope, chosen.place.session_id), turns[first].mark)
            return chosen.place

    def _went(self, chat: Chat, one: Begun, answer: SpokenTurn) -> bool:
        """True if the session of a chat went on behind this first answer."""
        return self._gone_on.get((chat.scope, one.place.session_id)) == answer.mark

    def _stands(self, chat: Chat, mark: bytes, place: ChatPosition, *, again: bool = True) -> None:
        """Note where a chat without a name stands behind its first words, or their answer.

        Args:
            again: It was asked; else what is known of it has changed.
        """
        key = self._key(chat, mark)
        with self._lock:
            known = self._begun.get(key) or ()
            known = tuple(
                replace(one, place=place) if one.place.session_id == place.session_id else one
                for one in known
            )
            self._begun.put(key, (*known, Begun(place))[-_MOST_ALIKE:] if again else known)

    def claim(self, session_id: str) -> bool:
        """Take a name for a conversation that has none; no other of this process gets it."""
        return self._names.put(session_id, None)

    def begin(self, chat: Chat, conversation: Conversation, session_id: str) -> None:
        """A request goes to the model."""
        key = self._key(chat, conversation.mark)
        place = self._places.get(key)
        recorded = place is not None and place.recorded and place.session_id == session_id
        source = place.source if place is not None and recorded else None
        begun = ChatPosition(session_id, recorded, answered=True, source=source)
        self._places.put(key, begun)
        if conversation.begins and chat.session_id is None:
            self._stands(chat, conversation.mark, begun)

    def recorded(self, chat: Chat, conversation: Conversation, session_id: str, source: str | None) -> None:
        """All of a request is recorded; `source` is the episode of the user's last turn."""
        key = self._key(chat, conversation.mark)
        place = self._places.get(key) or ChatPosition(session_id)
        if place.session_id == session_id:
            held = replace(place, recorded=True, source=source or place.source)
            self._places.put(key, held)
            if conversation.begins and chat.session_id is None:
                self._stands(chat, conversation.mark, held, again=False)

    def cut(self, chat: Chat, conversation: Conversation, *, seen: bool) -> None:
        """An answer did not come to its end. Where nobody saw any of it, the same request again is a second try."""
        key = self._key(chat, conversation.mark)
        if (place := self._places.get(key)) is not None:
            self._places.put(key, replace(place, answered=seen, ended_at=self._now()))

    def answered(
        self, chat: Chat, conversation: Conversation, session_id: str, text: str, source: str | None
    ) -> None:
        """A model has answered, the user saw `text`, and all of it is recorded."""
        mark = marked(conversation.mark, "assistant", text)
        place = ChatPosition(session_id, recorded=True, source=source)
        self._places.put(self._key(chat, mark), place)
        asking_turn = self._places.get(self._key(chat, conversation.mark))
        if asking_turn is not None and asking_turn.session_id == session_id:
            self._places.put(self._key(chat, conversation.mark), replace(asking_turn, ended_at=self._now()))
        if conversation.begins and chat.session_id is None:
            self._stands(chat, mark, place)
        if conversation.spoken and text.strip():
            self._places.put(self._key(chat, _pair(conversation.spoken[-1], text)), place)

    def _key(self, chat: Chat, mark: bytes) -> Hashable:
        return chat.scope, chat.session_id, mark


def _pair(question: SpokenTurn, answer: str) -> bytes:
    """A digest of a question and its answer, wherever in a conversation they stand."""
    return marked(marked(b"pair", question.role, question.text), "assistant", answer)


def beginning(scope: str, conversation: Conversation) -> str:
    """The name of a session whose client gives none: the scope, and what was said first, tell it apart."""
    first = conversation.spoken[0]
    text = f"{scope}\n{first.role}\n{first.text}".encode("utf-8", "surrogatepass")
    return f"chat-{hashlib.sha256(text).hexdigest()[:16]}"
