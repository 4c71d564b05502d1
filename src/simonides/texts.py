"""Readings of a text without a store, for code that stands between a chat and its memory."""

from __future__ import annotations

from simonides.governance.forgetting import to_forget
from simonides.governance.known import restates
from simonides.governance.scan import redact, scan
from simonides.governance.speakers import users_among
from simonides.language.asking import asked_of_memory
from simonides.language.orders import orders
from simonides.language.program_frames import without_program_frames
from simonides.language.sentences import read
from simonides.recall.context_selection import plain
from simonides.recall.question.asks import is_complex, wants_recall
from simonides.recall.question.gate import gate
from simonides.recall.question.speech import Act, act, act_of_turn
from simonides.recall.render import neutralised, quotation, shown_speaker, unframed

__all__ = [
    "asked_of_memory",
    "asks_for_recall",
    "asks_for_several",
    "findings",
    "neutralised",
    "orders",
    "plain",
    "quotation",
    "redacted",
    "restates",
    "shown_speaker",
    "states",
    "to_forget",
    "unframed",
    "users_among",
    "without_program_frames",
    "worth_asking",
]


def worth_asking(message: str) -> bool:
    """False of a message that only greets, thanks, agrees or holds code: there is nothing to ask memory for."""
    return gate(message).open and act(message) is not Act.ACKNOWLEDGES


def asks_for_recall(message: str) -> bool:
    """True where the words ask memory itself: "recall", "as we decided earlier", "remind me what"."""
    return wants_recall(read(message))


def asks_for_several(message: str) -> bool:
    """True where more than one lookup is asked for: a long question, an aggregate, several parts."""
    return is_complex(read(message))


def states(message: str) -> bool:
    """True of a message that says something, and does not only ask, doubt or agree."""
    return act_of_turn(message) is Act.STATES


def redacted(text: str) -> str:
    """The text with every secret that is found in it replaced."""
    return redact(text, scan(text))


def findings(text: str) -> set[tuple[str, str]]:
    """Category and kind of all that the policy's packaged rules find in a text."""
    return {(finding.category, finding.kind) for finding in scan(text)}
