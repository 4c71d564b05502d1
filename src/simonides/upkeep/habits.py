"""What upkeep shares with the write path, without knowing it: `compose` brings the two together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from simonides.domain.entity import Name
from simonides.domain.item import Item
from simonides.ports.model import LanguageModel
from simonides.ports.store import Writer


class Stated(Protocol):
    """Something that a speaker clearly stated, as the write path finds it in turns."""

    @property
    def content(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def tags(self) -> tuple[str, ...]: ...
    @property
    def entities(self) -> tuple[str, ...]: ...
    @property
    def confidence(self) -> float: ...
    @property
    def importance(self) -> float: ...
    @property
    def why_store(self) -> str: ...
    @property
    def source_ids(self) -> tuple[str, ...]:
        """Ids of the items that say it, in their order; at least one."""
        ...

    @property
    def event_at(self) -> int | None: ...


class Habits(Protocol):
    """How the write path reads texts."""

    def names_of(self, item: Item) -> tuple[Name, ...]:
        """The names that an item mentions."""
        ...

    def holder(self, tx: Writer, item: Item, at: int) -> str | None:
        """The item of the same scope that says already what this one says; one that has expired is archived."""
        ...

    @property
    def extracts(self) -> bool:
        """Whether anything is to be extracted from turns."""
        ...

    @property
    def with_model(self) -> bool:
        """Whether a model is to be asked where there is one."""
        ...

    @property
    def silence_us(self) -> int:
        """How long a session is silent before it counts as over."""
        ...

    def stated(self, turns: Sequence[Item], model: LanguageModel | None) -> Sequence[Stated]:
        """What turns clearly state: by rules, or as a model words it.

        Raises:
            ProviderError: The model did not answer, or not usefully.
        """
        ...

    def told(
        self, turns: Sequence[Item], stated: Sequence[Item], model: LanguageModel | None
    ) -> tuple[str, ...]:
        """What a session was about, in ways of which the first that may be stored is to be taken; maybe none.

        Raises:
            ProviderError: The model did not answer, or not usefully.
        """
        ...
