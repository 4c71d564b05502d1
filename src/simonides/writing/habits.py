"""How the write path reads texts, for upkeep, which reads them the same way."""

from __future__ import annotations

from collections.abc import Sequence

from simonides.domain.entity import Name
from simonides.domain.instant import SECOND_US
from simonides.domain.item import Item
from simonides.ports.model import LanguageModel
from simonides.ports.store import Writer
from simonides.tasks.narrative import tell
from simonides.writing.buffer import BufferSettings, Extract, batches
from simonides.writing.extract import Statement, statements
from simonides.writing.extract.by_model import found_by, pieces_of, shown
from simonides.writing.holders import holder
from simonides.writing.naming import names_of
from simonides.writing.sessions_told import told_plainly


class Habits:
    """What upkeep shares with the write path."""

    def __init__(self, settings: BufferSettings) -> None:
        self._settings = settings

    def names_of(self, item: Item) -> tuple[Name, ...]:
        """The names that an item mentions."""
        return names_of(item)

    def holder(self, tx: Writer, item: Item, at: int) -> str | None:
        """The item of the same scope that says already what this one says; one that has expired is archived."""
        return holder(tx, item, at)

    @property
    def extracts(self) -> bool:
        return self._settings.extract != Extract.OFF

    @property
    def with_model(self) -> bool:
        return self._settings.extract in {Extract.AUTO, Extract.MODEL}

    @property
    def silence_us(self) -> int:
        return round(self._settings.silence_s * SECOND_US)

    def stated(self, turns: Sequence[Item], model: LanguageModel | None) -> Sequence[Statement]:
        """What turns clearly state: by rules, or as a model words it."""
        return (
            statements(turns)
            if model is None
            else found_by(model, turns, self._settings.max_tokens).statements
        )

    def told(
        self, turns: Sequence[Item], stated: Sequence[Item], model: LanguageModel | None
    ) -> tuple[str, ...]:
        """What a session was about: by a model, then with what was stated, then without."""
        spoken = shown(turns)
        if not spoken:
            return ()
        plain = told_plainly(spoken, stated)
        if model is None:
            return plain
        # The end of a session says what came of it: of a long one the last batch is shown.
        *_, last = batches([text for _, text in spoken], self._settings.max_tokens)
        return (tell(model, pieces_of(spoken, last)), *plain)
