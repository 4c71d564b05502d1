"""Sources that a job may read and ask while it plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from simonides.domain.item import Item
from simonides.domain.scope import Scope, Scopes, exactly
from simonides.domain.selection import LIVE, ItemOrder, Selection
from simonides.domain.taxonomy import Taxonomy, Tier
from simonides.language.aliases import COMMON, Aliases
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder, StatementEncoder
from simonides.ports.entities import EntitySelection
from simonides.ports.model import LanguageModel
from simonides.ports.store import ReadableStore, Reader
from simonides.upkeep.settings import JobSettings
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.governance.policy import Policy
    from simonides.upkeep.merge import Consolidator
    from simonides.writing.habits import Habits

#: Items that are read at a time.
PAGE: Final = 500
#: Entities whose further names count, the most often mentioned.
_MOST_ENTITIES: Final = 5_000


@dataclass(frozen=True, slots=True)
class Order:
    """An order for upkeep.

    Attributes:
        scope: Where; ALL for every scope. Upkeep works in exactly the scope it is given, not in those
            that are visible from there, and never joins items of different scopes.
        tiers: Tiers whose items are consolidated.
        promote: Whether items may rise to the next tier.
        dry_run: Plan, and apply nothing.
        trigger: What started it: hand, schedule, threshold, session …
    """

    scope: Scopes
    tiers: tuple[Tier, ...] = (Tier.STM,)
    promote: bool = True
    dry_run: bool = False
    trigger: str = "hand"


@dataclass(frozen=True, slots=True)
class Ground:
    """Sources of a job's plan. Nothing of it writes.

    Attributes:
        view: The store, for reading.
        closers: Read statements more closely than the embedder.
        habits: How the write path reads texts.
        model: None where there is none: every job can do without.
        progress: Called with (done, of how many, of what); `tell` is the way to it.
        degradation: Called with what the job had to do without; `degraded` is the way to it.
        failure: Called with (why, item ids) for what could not be done; `failed` is the way to it.
        consolidator: Words what is merged, where somebody brought one.
    """

    view: ReadableStore
    policy: Policy
    embedder: Embedder
    closers: Sequence[StatementEncoder]
    habits: Habits
    model: LanguageModel | None
    clock: Clock
    settings: JobSettings
    order: Order
    progress: Callable[[int, int | None, str], None]
    degradation: Callable[[str], None]
    failure: Callable[[str, tuple[str, ...]], None]
    consolidator: Consolidator | None = None

    @property
    def taxonomy(self) -> Taxonomy:
        return self.policy.taxonomy

    @property
    def scope(self) -> Scopes:
        return self.order.scope

    @property
    def tiers(self) -> tuple[Tier, ...]:
        return self.order.tiers

    @property
    def dry_run(self) -> bool:
        return self.order.dry_run

    def now(self) -> int:
        """The present instant."""
        return self.clock.now()

    def read(self) -> AbstractContextManager[Reader]:
        """A consistent view for the length of a `with` block; keep it short."""
        return self.view.read()

    def tell(self, done: int, of: int | None = None, what: str = "") -> None:
        """Say how far it is, for whoever watches; keeps the lease as well. Call it in long work."""
        self.progress(done, of, what)

    def degraded(self, text: str) -> None:
        """Say what it had to do without; told once, however often it is said."""
        self.degradation(text)

    def failed(self, why: str, *item_ids: str) -> None:
        """Count an error and go on: something about these items could not be done. `why` quotes none of them."""
        self.failure(why, item_ids)

    def selection(self, **fields: Any) -> Selection:
        """A selection in exactly the scope of the order; by default of active items that have not expired."""
        chosen: dict[str, Any] = {
            "scopes": exactly(self.scope),
            "live_at": self.now(),
            "statuses": LIVE,
        }
        return Selection(**(chosen | fields))

    def items(self, selection: Selection, *, page: int = PAGE) -> Iterator[Item]:
        """Items that pass, oldest key first, read page by page, each in a view of its own.

        What is added while this goes on may still come; what changes may come in either state.
        """
        for items in self.pages(selection, size=page):
            yield from items.values()

    def pages(
        self,
        selection: Selection,
        order: ItemOrder = ItemOrder.OLDEST,
        *,
        after: int | None = None,
        size: int = PAGE,
        what: str = "",
    ) -> Iterator[dict[int, Item]]:
        """Pages of items that pass, by key, as `items` reads them; at least one, which may be empty.

        Args:
            after: Key of the item to go on behind.
            what: What the items are; tells how far it is after each page.
        """
        done = 0
        while True:
            with self.read() as reader:
                page = reader.select(selection, order, limit=size, after=after)
            yield page
            if len(page) < size:
                return
            done += len(page)
            after = [*page][-1]
            if what:
                self.tell(done, what=what)

    def aliases(self) -> Aliases:
        """The names that entities of the order's scope have beside their own."""
        with self.read() as reader:
            bearing_names = EntitySelection(scopes=exactly(self.scope), told=True)
            known = reader.entities(bearing_names, _MOST_ENTITIES)
        groups = [entity.names for entity in known.values() if entity.aliases]
        return Aliases(groups) if groups else COMMON

    def scopes(self) -> list[Scope]:
        """The scopes that hold active items, within the order's, in their order."""
        if isinstance(self.scope, Scope):
            return [self.scope]
        with self.read() as reader:
            counts = reader.statistics(None)["by_scope"]
        return sorted((Scope(path) for path in counts), key=str)

    def within(self, scope: Scope) -> Ground:
        """The same ground for one scope."""
        return replace(self, order=replace(self.order, scope=scope))
