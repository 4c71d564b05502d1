"""Adding of what callers hand over: texts, items, messages of a chat, proposals of a model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.item import MAX_METADATA_DEPTH, Item, is_deeper
from simonides.domain.scope import Scope
from simonides.domain.text import short_text
from simonides.domain.verdict import AddResult, Verdict, too_many_an_hour
from simonides.errors import Advice, InvalidInput, InvalidScope
from simonides.parts.arguments import Whose, acting, placed, storable
from simonides.writing.intake import CONFIGURATION, Intake, is_message, source_of
from simonides.writing.record import PIECE, Progress

#: Fewer are added sooner than a process that would work on them has started.
_MANY: Final = 4096


def add(
    parts: Parts,
    content: str | Mapping[str, Any] | Item | Sequence[Mapping[str, Any] | Item | str],
    scope: Scope,
    given: dict[str, Any],
    progress: Progress | None,
    actor: str,
) -> AddResult:
    """Remember what a caller hands over (`Memory.add`)."""
    if not is_person(acting(parts, actor)):
        raise InvalidInput(
            f"a person adds, and {actor!r} is none",
            Advice("{} judges what a model would remember", "propose"),
        )
    if (run := given.pop("run_id", None)) is not None:
        given.setdefault("session_id", run)
    alone = isinstance(content, str | Item) or (isinstance(content, Mapping) and not is_message(content))
    if not alone:
        if isinstance(content, bytes | bytearray) or not isinstance(content, Iterable):
            raise InvalidInput(f"a text, a mapping, an item or a list of them, not {type(content).__name__}")
        inputs: list[Any] = [content] if isinstance(content, Mapping) else list(content)
        if inputs and all(is_message(value) for value in inputs):
            return _messages(parts, inputs, scope, given, progress, actor)
    else:
        inputs = [content]
    intake = Intake(parts.clock.now(), source_id=source_of(actor), taxonomy=parts.taxonomy, actor=actor)
    candidates = (intake.read(value, scope, given, strict=alone) for value in inputs)
    if len(inputs) < _MANY:
        return AddResult(parts.recorder.items(candidates, progress))
    from simonides.parts.judged_aside import pieces_of  # noqa: PLC0415 - few lists are as long

    with pieces_of(parts, candidates, PIECE) as pieces:
        return AddResult(parts.recorder.pieces(pieces, progress))


def propose(
    parts: Parts,
    given: Sequence[object],
    scope: Scope,
    session_id: str | None,
    intake: Intake,
    heard: Sequence[Item],
    *,
    caller: str,
) -> AddResult:
    """Judge proposals, and store what may be stored (`Memory.propose`).

    Args:
        heard: Turns of the user that no session holds.
        caller: Name under which proposals are counted.
    """
    if session_id is not None:
        parts.uses.settle()  # What was injected has to be known.
    settings = parts.policy.settings

    def beyond_quota() -> Verdict | None:
        wait_us = parts.quota.wait_us(caller, parts.clock.now())
        return too_many_an_hour(settings.proposals_per_hour) if wait_us else None

    entries = (
        # What lies behind the first of a turn is not judged, and costs nothing.
        (beyond_quota() if n < settings.proposals_per_turn else None)
        or intake.proposal(value, scope, session_id)
        for n, value in enumerate(given)
    )
    return AddResult(parts.recorder.proposals(entries, session_id, heard), session_id)


def _messages(
    parts: Parts,
    messages: list[Mapping[str, Any]],
    scope: Scope,
    given: dict[str, Any],
    progress: Progress | None,
    actor: str,
) -> AddResult:
    named = given.pop("session_id", None)
    session_id = (
        _session_of(messages, scope) if named is None or named == "" else short_text(named, name="session_id")
    )
    for message in messages:
        _require_own_place(message, scope)
    shared = given.pop("metadata", None)
    if given:
        raise InvalidInput(
            f"{min(given)!r} does not apply to chat messages; use session_id, metadata and a scope"
        )
    if shared is not None:
        messages = [_with_metadata(message, shared) for message in messages]
    for name, text in (("session_id", session_id), ("scope", str(scope))):
        storable(parts, text, name)
    return parts.recorder.turns(messages, scope, session_id, progress, by=actor)


def _require_own_place(message: Mapping[str, Any], scope: Scope) -> None:
    """Refuse a message that says itself that it belongs elsewhere: a conversation is of one scope.

    Raises:
        InvalidScope: It names another scope, or what is none.
    """
    parts = {name: message[name] for name in Whose.__annotations__ if message.get(name) is not None}
    named = message.get("scope")
    if (named is not None or parts) and placed(str(scope) if named is None else named, parts) != scope:
        raise InvalidScope(
            f"a message names another scope than {scope!r}, its conversation's; name one for all of them"
        )


def _session_of(messages: Sequence[Mapping[str, Any]], scope: Scope) -> str:
    """A name for a conversation that has none: its beginning tells it apart, a system prompt does not."""
    turns = [message for message in messages if str(message.get("role")).casefold() not in CONFIGURATION]
    first = (turns or messages)[0]
    content = first.get("content")
    # Too deep a content is refused with its turn, and must not be walked before.
    text = "" if is_deeper(content, MAX_METADATA_DEPTH) else content
    beginning = f"{scope}\n{first.get('role')}\n{text}"
    return "chat-" + hashlib.sha256(beginning.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _with_metadata(message: Mapping[str, Any], shared: object) -> Mapping[str, Any]:
    """A message with metadata that all of its conversation share; its own stands before it."""
    own = message.get("metadata")
    if not isinstance(shared, Mapping):
        raise InvalidInput("metadata must be a mapping of names to JSON values")
    if own is not None and not isinstance(own, Mapping):
        return message  # Refused with its own reason when it is read.
    return {**message, "metadata": {**shared, **(own or {})}}
