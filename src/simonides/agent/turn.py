"""A turn of a chat on its way through memory: what goes to the model, what comes back, what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from simonides import ContextResult
from simonides.config import Mode
from simonides.domain.actor import is_person, valid_actor
from simonides.domain.flag import flag
from simonides.domain.item import Item
from simonides.domain.scope import Scope
from simonides.domain.verdict import Verdict
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: A message as OpenAI's clients send it: `role`, `content` (a text, a list of parts or None), and what else there is.
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation's owner, and the manner in which it is given memory.

    Attributes:
        scope: From where it looks and where it writes. It comes from configuration or a credential, never
            from what a model or a message says.
        session_id: Names the conversation; None where its beginning tells it apart.
        mode: None for the settings' own.
        own_tools: Names of tools that the caller runs itself. Calls of these are never intercepted, whatever
            they are called.
        reads: Whether the model is offered memory's tools; one that is not gets texts instead of titles to read by.
        speaker: The person who speaks, for the audit log: `user`, or by name, `user:ana`.
        actor: The model that answers, likewise: `model`, or by name, `model:llama3`.
        caller: Whose proposals and calls of tools are counted together, such as a credential; the scope if None.
        proposes: Whether the model may end its answer with a block of proposals; not where it has to answer in JSON.
        is_told: Whether a server that keeps the conversation has, from its beginning, what memory adds beside what
            it recalls: it is not added again.

    Raises:
        InvalidScope: The scope is none.
        InvalidInput: There is no such mode, or a model speaks, or a person answers.
    """

    scope: str = "global"
    session_id: str | None = None
    mode: Mode | str | None = None
    own_tools: frozenset[str] = frozenset()
    reads: bool = True
    proposes: bool = True
    speaker: str = "user"
    actor: str = "model"
    caller: str | None = None
    is_told: bool = False

    def __post_init__(self) -> None:
        Scope(self.scope)
        if self.mode is not None and self.mode not in list(Mode):
            raise InvalidInput(f"mode is one of {', '.join(Mode)}, not {self.mode!r}")
        if not is_person(valid_actor(self.speaker)) or is_person(valid_actor(self.actor)):
            raise InvalidInput(
                f"a person speaks and a model answers, not {self.speaker!r} and {self.actor!r}"
            )
        flag(self.reads, "reads")
        flag(self.proposes, "proposes")
        flag(self.is_told, "is_told")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that a model asks for.

    Attributes:
        id: Of the call; empty where the API gives none.
        arguments: An object, or its JSON text.
    """

    name: str
    arguments: Mapping[str, Any] | str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer.

    Attributes:
        text: All it said, proposals included: the text of a stream as `VisibleStream.raw` has it.
        complete: Whether it came to its end. Nothing is stored of an answer that was cut.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    complete: bool = True

    def __post_init__(self) -> None:
        flag(self.complete, "complete")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A request with memory, as it goes to a model.

    Attributes:
        chat: Whose it is.
        mode: The one that holds: the chat's or the settings' own.
        messages: What the model is sent: a new list; the caller's messages are as they were. What the middleware
            adds (results of tools) is in OpenAI's form, arguments as JSON text.
        session_id: The conversation's name, the chat's own or one found by its beginning; None if it has none.
        question: What the user asks now, in words; empty if nothing.
        injection_id: Names what was recalled to `Memory.why`; None if nothing was.
        items: What was recalled into the messages, in the order of the text.
        looked_up: What the model asked memory by its tools, in words: `memory.search when do we ship?`.
        profile: Items of the core profile in the system prompt.
        rounds: How often the model was asked again with results of tools.
        may_call: Whether the model may be offered memory's tools with this request; not once its rounds are
            over, so that it answers with what it has.
        degradations: What did not work as it should, in words.
        state: The middleware's own.
    """

    chat: Chat
    mode: Mode
    messages: tuple[Message, ...]
    session_id: str | None = None
    question: str = ""
    injection_id: str | None = None
    items: tuple[Item, ...] = ()
    looked_up: tuple[str, ...] = ()
    profile: tuple[Item, ...] = ()
    rounds: int = 0
    may_call: bool = True
    degradations: tuple[str, ...] = ()
    state: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """Consequences of an answer in memory.

    Attributes:
        text: What the user sees: the answer without proposals.
        tool_calls: The caller's own tools that the model asks for; calls of memory's are taken out.
        verdicts: On each proposal, in order.
        problems: What was wrong with proposals as a whole, in words: no JSON, two blocks, a block without end.
        answer_id: The episode that holds the answer; None where it is not recorded yet.
        recorded: Whether the answer was recorded as a turn of the conversation; not if it was cut or blank.
        used: Ids of injected items that came back in the answer, which counts as a use.
        injection_id: As of the turn.
        recalled: What the agenda found for the caller, after `before_return`; None if it had nothing to do.
        degradations: What did not work as it should, the turn's included.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    problems: tuple[str, ...] = ()
    answer_id: str | None = None
    recorded: bool = False
    used: tuple[str, ...] = ()
    injection_id: str | None = None
    recalled: ContextResult | None = None
    degradations: tuple[str, ...] = ()
