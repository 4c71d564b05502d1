"""Callers: in which scope a request works, what its role lets it do, and the wall around what it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from simonides import ALL, Memory, NotFound, Scope, Status
from simonides.domain.actor import is_model, is_person, valid_actor
from simonides.domain.item import Item
from simonides.domain.scope import Scopes
from simonides.edges.http.access import EVERYWHERE, Pass
from simonides.edges.http.tokens import Role
from simonides.edges.server.problems import HttpProblem
from simonides.values import dataclass

#: What helps whoever may not do what concerns the whole store.
USE_WHOLE: Final = (
    "use a key of `global/*` (`simonides keys create NAME --narrower`), and name no narrower scope"
)


@dataclass(frozen=True, slots=True)
class ServerCaller:
    """Rights of a request.

    Attributes:
        scope: Where it writes, and from where it looks.
        role: What it may do there.
        actor: As the audit log names whoever asks.
        name: Tells credentials apart; the quota of proposals is counted by it.
        narrows: Whether what belongs to narrower scopes is theirs as well.
        everywhere: Whether it looks in every scope.
        session_id: The conversation, as a header names it.
        tenant: Whose memory it works on; None for the server's own.
    """

    scope: Scope
    role: Role
    actor: str = "api"
    name: str = ""
    narrows: bool = True
    everywhere: bool = False
    session_id: str | None = None
    tenant: str | None = None

    @classmethod
    def of(cls, passed: Pass, actor: str = "api", *, by_cookie: bool = False) -> ServerCaller:
        """The caller of a request that was let in.

        Args:
            actor: Whoever the request says that it is; `api` where it does not: then the key has a name, or none.
            by_cookie: Whether it comes from the page.
        """
        shown = passed.credential
        if actor == "api" and shown is not None and shown.label:
            actor = f"api:{shown.label}"
        elif actor == "api" and by_cookie:
            actor = "user"
        return cls(
            passed.scope,
            Role.READER if shown is None else shown.role,
            actor,
            f"{passed.caller} {passed.scope}",
            shown is not None and shown.narrows,
            passed.everywhere,
            passed.session_id,
            None if shown is None else shown.tenant,
        )

    @property
    def looks(self) -> Scopes:
        """From where it looks, as reads of `Memory` take it."""
        return ALL if self.everywhere else self.scope

    @property
    def oversees(self) -> Scopes:
        """From where it looks at a queue: whose store it is need not know in which scopes something waits."""
        return ALL if self.unbound else self.looks

    @property
    def works(self) -> Scopes:
        """Scope of jobs: exactly this one, or every scope."""
        return ALL if self.everywhere else self.scope

    @property
    def unbound(self) -> bool:
        """True if the whole store is theirs."""
        return self.scope == "global" and self.narrows

    @property
    def reach(self) -> Callable[[Scope], bool] | None:
        """Test of the scopes that its acts may change; None for all."""
        return None if self.unbound else self.holds

    def within(self, scope: str) -> ServerCaller:
        """The same caller in another scope, `*` for every one.

        Raises:
            InvalidScope: It is no scope.
            HttpProblem: 403: it does not lie within the caller's own.
        """
        if scope == EVERYWHERE:
            self.require_unbound()
            return replace(self, everywhere=True)
        named = Scope(scope)
        if not self.holds(named):
            raise HttpProblem(
                403, "scope", f"{named} does not lie within {self.scope}, to which this key is bound"
            )
        return replace(self, scope=named, everywhere=False)

    def require(self, role: Role) -> None:
        """Refuse what takes a higher role.

        Raises:
            HttpProblem: 403.
        """
        if not self.role.may(role):
            raise HttpProblem(
                403,
                "role",
                f"this takes the role {role}, and this key is a {self.role}'s; use a key of that role",
            )

    def require_person(self, what: str) -> None:
        """Refuse to a model what only a person, or a program for them, may say.

        Raises:
            HttpProblem: 403.
        """
        if not self.is_person:
            raise HttpProblem(403, "actor", f"a model does not say {what}; X-Simonides-Actor names one")

    def require_unbound(self) -> None:
        """Refuse what concerns the whole store to a key of one scope.

        Raises:
            HttpProblem: 403.
        """
        if not self.unbound:
            alone = " alone" if self.scope == "global" else ""
            text = (
                f"this concerns the whole store, and this request works in {self.scope}{alone}; {USE_WHOLE}"
            )
            raise HttpProblem(403, "scope", text)

    def require_own_tenant(self) -> None:
        """Refuse chats to the key of another tenant: they are given the memory of the server's own.

        Raises:
            HttpProblem: 403.
        """
        if self.tenant is not None:
            text = "chats are given the memory of the server's own tenant; use a key that names none"
            raise HttpProblem(403, "tenant", text)

    def sees(self, scope: str) -> bool:
        """True of what belongs to this scope, to a wider one, or to one within it."""
        return self.scope.sees(Scope(scope)) or self.holds(scope)

    def holds(self, scope: str) -> bool:
        """True of what may be changed: it belongs to this scope or, where the key says so, to one within it."""
        other = Scope(scope)
        return other == self.scope or (self.narrows and other.sees(self.scope))

    @property
    def is_person(self) -> bool:
        """True if no model asks."""
        return is_person(self.actor)

    def view(self, item: Item) -> Scopes:
        """From where the surroundings of an item are looked at: the caller's scope, or the item's within it."""
        return self.looks if self.everywhere or self.scope.sees(item.scope) else item.scope

    def seen(self, memory: Memory, item_ids: Iterable[str]) -> set[str]:
        """Ids of the items that may be read, of these."""
        ids: set[str] = set()
        for item_id in item_ids:
            with suppress(NotFound):
                ids.add(self.item(memory, item_id).id)
        return ids

    def item(self, memory: Memory, item_id: str) -> Item:
        """An item that may be read.

        Raises:
            NotFound: There is none in sight; that others have it is not told.
        """
        item = memory.get(item_id)
        if not self.sees(item.scope):
            raise NotFound(f"there is no item {item_id!r}")
        return item

    def own(self, memory: Memory, item_id: str) -> Item:
        """An item that may be changed.

        Raises:
            NotFound: There is none in sight.
            HttpProblem: 403: it belongs to a wider scope, where others see it; or a review holds it, or turned it
                down, and the caller is no reviewer.
        """
        item = self.item(memory, item_id)
        if not self.holds(item.scope):
            raise HttpProblem(
                403,
                "scope",
                f"this belongs to {item.scope}, and this request works in {self.scope}; use a key of that scope",
            )
        if item.status is not Status.ACTIVE and memory.explain(item.id).is_held:
            self.require(Role.REVIEWER)
        return item


def named_actor(name: str | None, default: str) -> str:
    """The actor of a request: a model's name where one is given, for what a model does has less weight.

    Raises:
        InvalidInput: It cannot be named in an audit log.
        HttpProblem: 403: it is a person's or the engine's; who asks is told by the key.
    """
    if name is None:
        return default
    if not is_model(valid_actor(name)):
        raise HttpProblem(
            403, "actor", "X-Simonides-Actor names a model; which person asks is told by the key"
        )
    return name
