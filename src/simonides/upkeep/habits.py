"""What upkeep shares with the write path, without knowing it: `compose` brings the two together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from simonides.domain.entity import Name
from simonides.domain.item import Item
from simonides.governance.policy import Candidate, Ruling
from simonides.ports.buffer import Waiting
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


class Findings(Protocol):
    """What was found in turns."""

    @property
    def statements(self) -> Sequence[Stated]: ...
    @property
    def dropped(self) -> tuple[str, ...]:
        """Why other things that a model answered were dropped."""
        ...


class Habits(Protocol):
    """How the write path reads and judges texts."""

    def names_of(self, item: Item) -> tuple[Name, ...]:
        """The names that an item mentions."""
        ...

    def holder(self, tx: Writer, item: Item, at: int) -> str | None:
        """The item of the same scope that says already what this one says; one that has expired is archived."""
        ...

    def judged(self, candidates: Sequence[Candidate], session_id: str) -> Sequence[Ruling]:
        """What the policy says of what turns of a session state, beside what is known already."""
        ...

    @property
    def idle_because(self) -> str | None:
        """Why nothing is to be extracted from turns; None where something is."""
        ...

    @property
    def extracts(self) -> bool:
        """Whether anything is to be extracted from turns."""
        ...

    @property
    def most_turns(self) -> int:
        """Turns of a session that are taken at once."""
        ...

    @property
    def most_tries(self) -> int:
        """How often turns are tried before they stand as failed."""
        ...

    @property
    def rules_stand_in(self) -> bool:
        """Whether rules take the place of a model that failed as often as it may."""
        ...

    def due(self, waiting: Sequence[Waiting], now: int) -> Sequence[Waiting]:
        """Those sessions whose turns should be extracted from now; `waiting` are all of their scopes."""
        ...

    def is_put_off(self, one: Waiting, now: int) -> bool:
        """Whether the turns of a session wait for the time of another try."""
        ...

    def retry_at(self, tries: int, now: int) -> int | None:
        """When turns that were tried so often are tried again; None for never."""
        ...

    @property
    def with_model(self) -> bool:
        """Whether a model is to be asked where there is one."""
        ...

    @property
    def silence_us(self) -> int:
        """How long a session is silent before it counts as over."""
        ...

    def stated(self, turns: Sequence[Item], model: LanguageModel | None) -> Findings:
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
