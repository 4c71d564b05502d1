"""Actors: who does something, as the audit log has it, and whether that is a person."""

from __future__ import annotations

from typing import Final

from simonides.domain.text import short_text
from simonides.errors import InvalidInput

#: By whom people speak: in person, through a program of theirs, at the command line.
PEOPLE: Final = frozenset({"user", "api", "cli"})
#: Who brings what stands in a file.
IMPORT: Final = "import"
#: Names under which the engine does something by itself.
ENGINE: Final = frozenset({"upkeep", IMPORT, "policy"})
_MOST_CHARS: Final = 100


class _Own(str):
    """A name of the engine that the engine gives itself: no caller's text is one."""

    __slots__ = ()


#: Whoever keeps a schedule.
UPKEEP: Final[str] = _Own("upkeep")


def is_person(actor: str) -> bool:
    """True if an actor is a person: `user`, `api` or `cli`, also as `user:ana`. Anybody else is a machine."""
    return _kind(actor) in PEOPLE


def is_model(actor: str) -> bool:
    """True if an actor is neither a person nor the engine itself."""
    return _kind(actor) not in PEOPLE | ENGINE


def valid_actor(actor: object) -> str:
    """The actor, if an audit log can name it.

    Raises:
        InvalidInput: It is no short text on one line, or a name of the engine's own.
    """
    if isinstance(actor, _Own):
        return actor
    name = short_text(actor, name="the actor")
    if _kind(name) in ENGINE:
        raise InvalidInput(
            f"{name!r} is what the engine calls itself; name a person (`user`, `user:ana`, `api`, `cli`) or a model"
        )
    if len(name) > _MOST_CHARS or len(name.splitlines()) > 1:
        raise InvalidInput(f"an actor is named in one line of at most {_MOST_CHARS} characters")
    return name


def _kind(actor: str) -> str:
    return actor.partition(":")[0].strip().casefold()
