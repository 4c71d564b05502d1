"""Reasons in which the policy quotes nobody: what a purge looks for in a text that somebody wrote is no trace here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from simonides.domain.item import Item
from simonides.domain.pattern import later
from simonides.domain.provenance import Origin
from simonides.domain.taxonomy import Tier

NO_REASON: Final = "no reason: a proposal says in why_store why it is worth keeping"
NO_SOURCE: Final = "no source: a proposal names in source what it was taken from"
UNCHECKED: Final = "unchecked document: it comes without a content hash"
LOW_TRUST: Final = "low trust: it is found but not put into prompts; approve it once more, or with injectable"
#: Types of what nobody but the user may say about the user, or order.
OWN_WORDS: Final = frozenset({"identity", "preference", "constraint"})
_STATEMENT: Final = "statement about the user"
_SOURCES: Final[Mapping[Origin, str]] = {
    Origin.ASSISTANT_SAID: "a model, which no turn of the user bears out,",
    Origin.TOOL: "a tool",
    Origin.WEB: "a web page",
    Origin.DOCUMENT: "a document",
}


def without_source(tier: str) -> str:
    """The reason for what is to last and names no source."""
    return f"no source: an item in {tier} needs provenance.source_id"


def of_low_confidence(confidence: str) -> str:
    """The reason for what is too unsure; a confidence has two places."""
    return f"low confidence: {confidence}"


def forgotten_before(item_id: str) -> str:
    """The reason for what an item says that somebody let go of."""
    return (
        f"forgotten: {item_id} said it and was taken out of recall; restore it, or let the user say it again"
    )


def made_from(source_ids: Iterable[str], done: str) -> str:
    """The reason for what was made from items that were `forgotten` or `purged`."""
    return f"retracted: made from {', '.join(source_ids)}, {done}"


def taken_back_in(turn_ids: Iterable[str]) -> str:
    """The reason for what was taken back in turns."""
    return f"taken back: in {', '.join(turn_ids)}"


def not_the_users(item: Item) -> str:
    """The reason for what only the user can say of themselves."""
    what = item.type if item.type in OWN_WORDS else _STATEMENT
    return _not_the_users(_with_article(what), _SOURCES.get(item.origin, item.origin))


def _not_the_users(what: str, source: str) -> str:
    return f"not the user's word: {what} from {source} needs confirmation"


def _with_article(what: str) -> str:
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"


def _any_of(*texts: str) -> str:
    return f"(?:{'|'.join(map(re.escape, texts))})"


def _pattern(reason: str, *parts: str) -> str:
    """Pattern of a reason in which each `#` stands for the next part."""
    first, *rest = map(re.escape, reason.split("#"))
    return first + "".join(part + text for part, text in zip(parts, rest, strict=True))


_ID: Final = "[0-9a-f-]{36}"
_IDS: Final = f"{_ID}(?:, {_ID})*"
_QUOTING_NOBODY: Final = later(
    "|".join(
        [
            *map(re.escape, (NO_REASON, NO_SOURCE, UNCHECKED, LOW_TRUST)),
            _pattern(without_source("#"), _any_of(*Tier)),
            _pattern(of_low_confidence("#"), r"\d\.\d\d"),
            _pattern(forgotten_before("#"), _ID),
            _pattern(made_from("#", "#"), _IDS, _any_of("forgotten", "purged")),
            _pattern(taken_back_in("#"), _IDS),
            _pattern(
                _not_the_users("#", "#"),
                _any_of(*map(_with_article, (*OWN_WORDS, _STATEMENT))),
                _any_of(*_SOURCES.values(), *Origin),
            ),
        ]
    )
)


def quotes_nobody(reason: str) -> bool:
    """True if a reason is the policy's own from its first sign to its last."""
    return _QUOTING_NOBODY.fullmatch(reason) is not None
