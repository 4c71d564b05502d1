"""Context that every call of a tool shares: the memory, and the scope that nothing in a call can widen."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import iscoroutinefunction
from typing import Any

from simonides import Candidates
from simonides.domain.ids import is_id
from simonides.domain.item import Item, Status
from simonides.domain.scope import ALL, GLOBAL, Scope, Scopes
from simonides.domain.verdict import Verdict
from simonides.errors import Conflict, InvalidInput, InvalidScope, NotFound
from simonides.memory import Memory
from simonides.values import dataclass


def require_memory(given: object) -> None:
    """See that a memory was given, and no path of one, nor a class or one whose verbs are awaited.

    Raises:
        InvalidInput: It is none.
    """
    search = getattr(given, "search", None)
    if isinstance(given, type) or not callable(search) or iscoroutinefunction(search):
        kind = f"the class {given.__name__}" if isinstance(given, type) else type(given).__name__
        raise InvalidInput(f"memory takes a Memory, such as Memory('notes.db'), not {kind}")


@dataclass(frozen=True, slots=True)
class Context:
    """The memory that a tool works on, and on whose behalf.

    Attributes:
        bound: Where every read looks from and every write goes; None where each call may say.
        session_id: The conversation that the calls belong to.
        actor: Who calls, for the audit log.
        caller: Whose calls and proposals are counted together.
        user_said: The user's turn that this call follows, where whoever makes the call knows it.
        trust_client: The client shows its user each call, and makes it only where the user agrees.
    """

    memory: Memory
    bound: Scope | None = None
    session_id: str | None = None
    actor: str = "model"
    caller: str = ""
    user_said: str | None = None
    trust_client: bool = False

    def request(self, item: Item, act: str, changes: Mapping[str, Any] | None = None) -> Verdict:
        """Outcome of a model's request about an item: done where it may be, else it waits for a person."""
        return self.memory.review.ask(
            item.id,
            act,
            changes,
            actor=self.actor,
            session_id=self.session_id,
            user_said=self.user_said,
            confirmed=self.trust_client,
        )

    def look(self, scope: str | None) -> Scope:
        """From where a read looks.

        Raises:
            InvalidScope: It cannot be seen from the bound scope.
        """
        if self.bound is None:
            return GLOBAL if scope is None else Scope(scope)
        wanted = self.bound if scope is None else Scope(scope)
        if not self.bound.sees(wanted):
            raise InvalidScope(f"scope {wanted!r} is not visible from {self.bound!r}")
        return wanted

    def place(self, scope: str | None) -> Scope:
        """Scope that a write goes into.

        Raises:
            InvalidScope: It is not the bound scope.
        """
        wanted = self.look(scope)
        if self.bound is not None and wanted != self.bound:
            raise InvalidScope(f"what is written from here goes into {self.bound!r}; leave the scope out")
        return wanted

    def sight(self, scope: str | None) -> Scopes:
        """From where an id is looked up: from everywhere if nothing was said and nothing binds."""
        return ALL if self.bound is None and scope is None else self.look(scope)

    def sees(self, place: str) -> bool:
        """True where items of a scope may be shown at all."""
        return self.bound is None or self.bound.sees(Scope(place))

    def shown(self, item_id: str, scope: str | None, *, used: bool = False) -> Item:
        """The item with this id.

        Raises:
            NotFound: There is none that can be seen from there.
        """
        return self.memory.get(item_id, scope=self.sight(scope), used=used, asked_in=self.session_id)

    def resolve(self, target: str, scope: str | None) -> Item | Candidates:
        """The one item that an id or words mean, or the ones that they may mean.

        Raises:
            NotFound: There is no item with this id that can be seen from there.
        """
        return self.memory.resolve(target, scope=self.sight(scope) if is_id(target) else self.look(scope))

    def visible(self, item_id: str) -> bool:
        """True where there is an item with this id that may be shown."""
        try:
            self.shown(item_id, None)
        except NotFound:
            return False
        return True

    def own(self, item: Item) -> Item:
        """The item itself, if calls from here may change it.

        Raises:
            InvalidScope: It can be seen from the bound scope but belongs to a wider one, which others share.
            Conflict: It is quarantined: a person decides about it.
        """
        if self.bound is not None and item.scope != self.bound:
            raise InvalidScope(
                f"{item.id} belongs to {item.scope!r} and can only be read from {self.bound!r}; "
                "write a memory of your own instead"
            )
        if item.status is Status.QUARANTINED:
            raise Conflict(f"{item.id} is quarantined; it waits for a person's decision")
        return item

    def source(self, tool: str) -> str:
        """Source of a memory that came by a call of a tool."""
        return f"tool:{tool}" if self.session_id is None else f"tool:{tool} {self.session_id}"
