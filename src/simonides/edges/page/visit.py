"""Visits: what a browser asks of the page, on whose behalf, and what it is answered with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final, Protocol
from urllib.parse import urlencode

from simonides.domain.item import Item, Status
from simonides.domain.scope import ALL, Scope, Scopes
from simonides.errors import Conflict, InvalidScope, NotFound
from simonides.memory import Memory
from simonides.values import dataclass

#: Rights of whoever asks, each with those before it.
ROLES: Final = ("reader", "writer", "reviewer", "admin")
READER, WRITER, REVIEWER, ADMIN = ROLES


class Visitor(Protocol):
    """A visitor of the page, as the server's keys say it.

    Attributes:
        scope: From where they look.
        role: One of `ROLES`.
        actor: The person, as the audit log has it.
        unbound: Whether the whole store is theirs.
    """

    @property
    def scope(self) -> Scope: ...
    @property
    def role(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def unbound(self) -> bool: ...
    def sees(self, scope: str) -> bool:
        """True of what belongs to a scope and may be read."""
        ...

    def holds(self, scope: str) -> bool:
        """True of what belongs to a scope and may be changed."""
        ...


class NotAllowed(Conflict):
    """This key may not do that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A request to the page.

    Attributes:
        names: What the path names.
        query, form: Fields, the last of each name.
        in_place: A part of the page is asked for, to stand in the place of what was there.
        now: In microseconds.
    """

    memory: Memory
    visitor: Visitor
    path: str
    names: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, str]
    in_place: bool
    now: int

    @property
    def query_string(self) -> str:
        """The fields of the address, written out."""
        return urlencode({name: value for name, value in self.query.items() if name not in {"done", "on"}})

    @property
    def scope(self) -> Scopes:
        """The scope that is looked from: the one of `?scope=`, else everything that the visitor sees.

        Raises:
            InvalidScope: It is none, or lies outside.
        """
        named = self.chosen
        if not named:
            return ALL if self.visitor.unbound else self.visitor.scope
        scope = Scope(named)
        if not (self.visitor.unbound or self.visitor.sees(scope)):
            raise InvalidScope(f"{named} cannot be seen with this key, which is for {self.visitor.scope}")
        return scope

    @property
    def chosen(self) -> str:
        """The scope that was chosen, as the address has it; empty where none was."""
        return self.query.get("scope", "")

    def may(self, role: str) -> bool:
        """True if the visitor has the rights of a role."""
        return ROLES.index(self.visitor.role) >= ROLES.index(role)

    def require(self, role: str) -> None:
        """Raise NotAllowed where the visitor lacks the rights of a role."""
        if not self.may(role):
            raise NotAllowed(f"this takes the role {role}, and this key is a {self.visitor.role}'s")

    def require_whole(self) -> None:
        """Raise NotAllowed where only a part of the store is the visitor's."""
        if not self.visitor.unbound:
            raise NotAllowed(
                f"this concerns the whole store, and this key is for {self.visitor.scope} alone; open the page with a "
                "key of `global/*` (`simonides keys create NAME --narrower`)"
            )

    def shows(self, scope: str) -> bool:
        """True of what belongs to a scope and may be shown."""
        return self.visitor.unbound or (scope != "ALL" and self.visitor.sees(scope))

    def asks(self, scope: str) -> bool:
        """True of what was asked from a scope of the visitor's own: what others ask from a wider one is not told."""
        return self.visitor.unbound or (scope != "ALL" and self.visitor.holds(scope))

    def item(self) -> Item:
        """The item that the path names.

        Raises:
            NotFound: There is none that the visitor sees.
        """
        return self.seen(self.names["id"])

    def seen(self, item_id: str) -> Item:
        """The item with an id.

        Raises:
            NotFound: There is none that the visitor sees.
        """
        item = self.memory.get(item_id)
        if not self.shows(item.scope):
            raise NotFound(f"there is no item {item_id!r}")
        return item

    def in_sight(self, *item_ids: str) -> bool:
        """True if the visitor sees all of these items."""
        try:
            return all(self.seen(item_id) for item_id in item_ids)
        except NotFound:
            return False

    def own(self, item_id: str, role: str = WRITER) -> Item:
        """The item with an id, for a change.

        Raises:
            NotFound: There is none that the visitor sees.
            NotAllowed: The visitor may not change it; what a review holds or turned down, only a reviewer may.
        """
        item = self.seen(item_id)
        self.require(role)
        if not (self.visitor.unbound or self.visitor.holds(item.scope)):
            raise NotAllowed(
                f"this belongs to {item.scope}, and this key is for {self.visitor.scope}; nothing was changed"
            )
        if item.status is not Status.ACTIVE and self.memory.explain(item.id).is_held:
            self.require(REVIEWER)
        return item

    def scope_of(self, item: Item) -> Scopes:
        """From where the surroundings of an item are seen: all that the visitor sees, and its own scope at least."""
        return ALL if self.visitor.unbound else item.scope

    def count(self, name: str, usual: int, most: int) -> int:
        """A number of the address, within bounds; the usual one where it is none."""
        text = self.query.get(name, "")
        return min(most, int(text)) if text.isascii() and text.isdigit() and len(text) < 10 else usual

    def address(self, **changes: object) -> str:
        """This address with other fields; those of None are taken away."""
        return address(self.path, **{**self.query, "done": None, **changes})


def address(path: str, **fields: object) -> str:
    """An address within the page; fields that are None or empty are left out."""
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    return f"{path}?{urlencode(given)}" if given else path


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """An answer: a template with what it shows, and the same as JSON.

    Attributes:
        template: Name, without its ending.
        data: What JSON tells; None where there is no JSON of it.
    """

    template: str
    shown: Mapping[str, Any]
    data: Any = None
    status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """An answer that leads to another address of the page."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The way back from a change: fields of the form that takes it.

    Attributes:
        path: Where the form is sent.
        says: What it brings back, for a button's title.
    """

    path: str
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One sentence on what was done, with the way back where there is one.

    Attributes:
        failed: It was not done.
        link: Where to look next, with its words.
    """

    text: str
    undo: Undo | None = None
    failed: bool = False
    link: tuple[str, str] | None = None
