"""Things in words: times, numbers, states, who said something and where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from simonides.domain.instant import DAY_US, SECOND_US, iso
from simonides.domain.item import Item, Status, Validation
from simonides.domain.run import Run
from simonides.edges.cli.render import who
from simonides.edges.page.visit import address
from simonides.edges.wording import counts, day, line, moment

_MINUTE_US: Final = 60 * SECOND_US
_HOUR_US: Final = 60 * _MINUTE_US
_MONTH_US: Final = 30.44 * DAY_US
_YEAR_US: Final = 365.25 * DAY_US
#: Units in which a distance of time is told, the smallest first, and up to where each is.
_UNITS: Final = (
    ("second", SECOND_US, _MINUTE_US),
    ("minute", _MINUTE_US, _HOUR_US),
    ("hour", _HOUR_US, DAY_US),
    ("day", DAY_US, 45 * DAY_US),
    ("month", _MONTH_US, 1.5 * _YEAR_US),
    ("year", _YEAR_US, float("inf")),
)
#: Roles of messages that name nobody.
_ROLES: Final = {
    "user": "the user",
    "assistant": "the assistant",
    "tool": "a tool",
    "system": "Simonides itself",
}
#: Fields of an item whose changes are told, by what they are called there.
FIELDS: Final[Mapping[str, str]] = {
    "type": "type",
    "title": "title",
    "tier": "tier",
    "status": "status",
    "validation": "validation",
    "pinned": "pinned",
    "confidence": "confidence",
    "importance": "importance",
    "decay_rate": "decay",
    "injectable": "may be injected",
    "tags": "tags",
    "entities": "entities",
    "event_at": "happened",
    "valid_from": "true since",
    "valid_until": "true until",
    "expires_at": "expires",
    "trust": "trust",
}
#: What starts a run, in words.
_TRIGGERS: Final = {
    "hand": "by hand",
    "schedule": "at its hour",
    "threshold": "after much had come",
    "session": "after a session",
    "resolve": "after a decision",
    "forget": "after something was forgotten",
    "purge": "after something was purged",
}
_TIERS: Final = {"stm": "short term", "mtm": "mid term", "ltm": "long term"}


def ago(at: int, now: int) -> str:
    """Distance from now: `3 days ago`, `in 2 hours`."""
    apart = abs(now - at)
    if apart < 10 * SECOND_US:
        return "just now"
    name, unit, _ = next(unit for unit in _UNITS if apart < unit[2])
    number = max(1, int(apart / unit))
    phrase = f"{number} {name}{'' if number == 1 else 's'}"
    return f"{phrase} ago" if at < now else f"in {phrase}"


def speaker(item: Item) -> str:
    """A name for who said it: their own where it is known, else what the door says."""
    name = who(item)
    return _ROLES.get(name, name) or {
        "user-said": "the user",
        "user-confirmed": "the user, confirming",
        "assistant-said": "the assistant",
        "tool": "a tool",
        "web": "a web page",
        "document": "a document",
        "import": "an import",
        "system": "Simonides itself",
    }.get(item.origin.value, item.origin.value)


def state(item: Item) -> tuple[str, str] | None:
    """State of an item that a reader must not miss: its mark and its word; None of one in good standing."""
    if item.status is Status.QUARANTINED:
        return "quarantined", "quarantined"
    if item.superseded_by is not None:
        return "retracted", "replaced"
    if item.validation is Validation.RETRACTED:
        return "retracted", "forgotten"
    if item.status is Status.ARCHIVED:
        return "retracted", "archived"
    if item.validation is Validation.CONTESTED:
        return "contested", "contested"
    if item.validation is Validation.VERIFIED:
        return "verified", "verified"
    return None


def trigger(run: Run) -> str:
    """The trigger of a run, in words."""
    return _TRIGGERS.get(run.trigger, run.trigger)


def number(value: float) -> str:
    """A number with its thousands apart."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def signed(value: float) -> str:
    """A number with its sign."""
    return f"{'+' if value >= 0 else '−'}{abs(value):.2f}"


def percent(value: float) -> str:
    """A share in per cent."""
    return f"{value:.0%}".replace("%", " %")


def many(count: int, one: str, more: str | None = None) -> str:
    """A count with its noun: `1 hit`, `2 hits`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def size(count: int) -> str:
    """Bytes in words."""
    return f"{count / 1_000_000:,.1f} MB" if count >= 100_000 else f"{count / 1000:,.1f} kB"


def capitalize_first(text: str) -> str:
    """A message as a sentence begins, without the stop at its end."""
    return (text[:1].upper() + text[1:]).rstrip(".")


def tier(name: str) -> str:
    """A tier in words."""
    return _TIERS.get(name, name)


FILTERS: Final[Mapping[str, Any]] = {
    "ago": ago,
    "moment": moment,
    "day": day,
    "iso": iso,
    "line": line,
    "counts": counts,
    "number": number,
    "signed": signed,
    "percent": percent,
    "size": size,
    "tier": tier,
    "capitalize_first": capitalize_first,
}
GLOBALS: Final[Mapping[str, Any]] = {
    "address": address,
    "many": many,
    "speaker": speaker,
    "state": state,
    "trigger": trigger,
}
