"""How the write path reads texts, for upkeep, which reads them the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simonides.domain.entity import Name
from simonides.domain.instant import SECOND_US
from simonides.domain.item import Item
from simonides.governance.policy import Candidate, Ruling
from simonides.language.names import names_of
from simonides.ports.buffer import Waiting
from simonides.ports.model import LanguageModel
from simonides.ports.store import Writer
from simonides.tasks.narrative import tell
from simonides.writing.buffer import BufferSettings, Extract, back_off, batches, due, is_put_off
from simonides.writing.extract import statements
from simonides.writing.extract.by_model import Findings, found_by, pieces_of, shown
from simonides.writing.holders import holder
from simonides.writing.sessions_told import told_plainly

#: Judges what turns of a session state, as what a model proposes is judged: `Recorder.judged`.
Judge = Callable[[Sequence[Candidate], str], Sequence[Ruling]]


class Habits:
    """What upkeep shares with the write path.

    Args:
        answers: Whether there is a language model.
    """

    def __init__(self, settings: BufferSettings, judge: Judge, *, answers: bool) -> None:
        self._settings = settings
        self._judge = judge
        self._answers = answers

    def names_of(self, item: Item) -> tuple[Name, ...]:
        """The names that an item mentions."""
        return names_of(item)

    def holder(self, tx: Writer, item: Item, at: int) -> str | None:
        """The item of the same scope that says already what this one says; one that has expired is archived."""
        return holder(tx, item, at)

    def judged(self, candidates: Sequence[Candidate], session_id: str) -> Sequence[Ruling]:
        return self._judge(candidates, session_id)

    @property
    def idle_because(self) -> str | None:
        if self._settings.extract == Extract.OFF:
            return "extraction is off: buffer.extract"
        if self._settings.extract == Extract.MODEL and not self._answers:
            return "buffer.extract is `model`, and there is no model: set one, or `auto`"
        return None

    @property
    def extracts(self) -> bool:
        return self.idle_because is None

    @property
    def most_turns(self) -> int:
        return self._settings.max_turns

    @property
    def most_tries(self) -> int:
        return self._settings.tries

    @property
    def rules_stand_in(self) -> bool:
        return self._settings.extract == Extract.AUTO

    def due(self, waiting: Sequence[Waiting], now: int) -> Sequence[Waiting]:
        return due(waiting, now, self._settings)

    def is_put_off(self, one: Waiting, now: int) -> bool:
        return is_put_off(one, now, self._settings)

    def retry_at(self, tries: int, now: int) -> int | None:
        last = tries >= self._settings.tries
        return None if last else now + back_off(tries, self._settings)

    @property
    def with_model(self) -> bool:
        return self._settings.extract in {Extract.AUTO, Extract.MODEL}

    @property
    def silence_us(self) -> int:
        return round(self._settings.silence_s * SECOND_US)

    def stated(self, turns: Sequence[Item], model: LanguageModel | None) -> Findings:
        """What turns clearly state: by rules, or as a model words it."""
        if model is None:
            return Findings(statements(turns))
        return found_by(model, turns, self._settings.max_tokens)

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
