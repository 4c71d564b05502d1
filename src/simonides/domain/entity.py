"""Entities: the people, projects, organizations, places, concepts and tools that items mention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.text import normalised, short_text, valid_text
from simonides.domain.written import Written, refusing
from simonides.errors import InvalidInput
from simonides.values import dataclass

#: Entities that one item mentions at most, and those of each 4,000 characters.
MAX_MENTIONS: Final = 96
MENTIONS_OF_A_PAGE: Final = 12
MAX_NAME_CHARS: Final = 200


class EntityType(StrEnum):
    """Kinds of things that entities are."""

    PERSON = "person"
    PROJECT = "project"
    ORGANIZATION = "organization"
    PLACE = "place"
    CONCEPT = "concept"
    TOOL = "tool"


class Name(NamedTuple):
    """A name that a text mentions.

    Attributes:
        type: What it seems to be; `concept` says nothing, and gives way to any other guess.
        known_only: Whether it counts only where an entity has this name already: it may as well be an
            ordinary word. In a script without blanks it is a stretch in which such names may stand.
    """

    text: str
    type: EntityType = EntityType.CONCEPT
    known_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Written):
    """Something that items of a scope mention by name.

    It belongs to one scope and is mentioned by items of that scope only; what has the same name in
    several scopes is one thing to whoever sees them. A name means one entity in a scope.

    Attributes:
        settled: Whether somebody said what it is; else its type is a guess.
        aliases: Other names, as written, in the order in which they were given.
        summary: What is known of it in a sentence or two, where upkeep wrote one.
        mention_count: Items that mention it, archived ones included.
        first_seen_at, last_seen_at: When the earliest and the latest of what mentioned it happened.
    """

    id: str
    name: str
    type: EntityType = EntityType.CONCEPT
    settled: bool = False
    scope: Scope = GLOBAL
    aliases: tuple[str, ...] = ()
    summary: str | None = None
    mention_count: int = 0
    first_seen_at: int
    last_seen_at: int | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)

    def aliased(self, alias: str) -> Entity:
        """The entity with a further name, if it does not have that one."""
        if fold(alias) in map(fold, self.names):
            return self
        return replace(self, aliases=(*self.aliases, alias))

    def renamed(self, name: str) -> Entity:
        """The entity under another name; the former one becomes an alias."""
        others = tuple(other for other in self.names if fold(other) != fold(name))
        return replace(self, name=name, aliases=others)


@dataclass(frozen=True, slots=True)
class Related:
    """An entity that is mentioned together with another one.

    Attributes:
        shared: Items, of those that were looked at, that mention both.
    """

    entity: Entity
    shared: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.entity.id,
            "name": self.entity.name,
            "type": self.entity.type.value,
            "shared": self.shared,
        }

    @classmethod
    @refusing
    def from_dict(cls, written: Mapping[str, Any]) -> Related:
        """The pair that `to_dict` wrote: of the entity its id, name and type.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        kind = EntityType(written["type"])
        return cls(
            Entity(id=written["id"], name=written["name"], type=kind, first_seen_at=0), written["shared"]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedEntity(Written):
    """An entity that was merged into another, as it was; `Entities.unmerge` takes that back.

    Attributes:
        names: Its own first.
    """

    id: str
    names: tuple[str, ...]
    scope: Scope = GLOBAL


@dataclass(frozen=True, slots=True)
class EntityProfile(Written):
    """Knowledge of an entity from one point of view.

    Attributes:
        entity: As it is seen from there: names, counts and times of all scopes in sight together.
        facts: Items that mention it and are no turns of a chat, most important first.
        timeline: Items that mention it, by when what they tell happened, oldest first.
        related: Entities mentioned beside it, the most often shared first.
        merged: What was merged into it and can be taken out of it again.
    """

    entity: Entity
    facts: tuple[Item, ...]
    timeline: tuple[Item, ...]
    related: tuple[Related, ...]
    merged: tuple[MergedEntity, ...] = ()

    def seen(self, sees: Callable[[Scope], bool]) -> EntityProfile:
        """What of it those may be told who see some scopes alone."""
        return replace(
            self,
            facts=tuple(item for item in self.facts if sees(item.scope)),
            timeline=tuple(item for item in self.timeline if sees(item.scope)),
            related=tuple(one for one in self.related if sees(one.entity.scope)),
            merged=tuple(one for one in self.merged if sees(one.scope)),
        )


@kept(8192)
def fold(name: str) -> str:
    """The form by which names are compared: one blank between words, composed characters, no case."""
    return normalised(name).casefold()


def is_name(text: str) -> bool:
    """True if a text may name something: it is one line of at most 200 characters."""
    return len(text) <= MAX_NAME_CHARS and len(text.splitlines()) == 1


def cut_name(name: object) -> str:
    """A name as it was kept: one that is longer than a name may be is cut, and several lines become one.

    Raises:
        InvalidText: It is no text, or empty.
    """
    valid = valid_text(name, name="the name")
    return valid if is_name(valid) else normalised(valid)[:MAX_NAME_CHARS].rstrip()


def valid_name(name: object) -> str:
    """A name as it may be given by hand: one line without blanks around it.

    Raises:
        InvalidInput: It is no text, empty, too long, or spans lines.
    """
    valid = short_text(name, name="the name").strip()
    if not is_name(valid):
        raise InvalidInput(
            f"a name is one line of at most {MAX_NAME_CHARS} characters, not {valid[:40]!r} …; shorten it"
        )
    return normalised(valid)


def entity_type(name: str) -> EntityType:
    """The type of this name.

    Raises:
        InvalidInput: There is none.
    """
    text = short_text(name, name="the type").strip().lower()
    try:
        return EntityType(text)
    except ValueError:
        raise InvalidInput(
            f"{name[:40]!r} is no type of an entity; use one of {', '.join(EntityType)}"
        ) from None
