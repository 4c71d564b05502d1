"""Reading of turns by the settings of the buffer, for upkeep, which reads them as the write path does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from simonides.domain.instant import SECOND_US
from simonides.domain.item import Item
from simonides.governance.policy import Candidate, Ruling
from simonides.language.earnest import in_earnest
from simonides.ports.buffer import Waiting
from simonides.ports.model import LanguageModel
from simonides.tasks.narrative import tell
from simonides.values import dataclass
from simonides.writing.buffer import BufferSettings, Extract, back_off, batches, due, is_put_off
from simonides.writing.extract import statements
from simonides.writing.extract.by_model import Findings, found_by, pieces_of, shown
from simonides.writing.sessions_told import told_plainly

#: Turns before those that are read, of which the last statement may be put right.
_PUT_RIGHT: Final = 6

#: Judges what turns of a session state, as what a model proposes is judged: `Recorder.judged`.
Judge = Callable[[Sequence[Candidate], str], Sequence[Ruling]]


@dataclass(frozen=True, slots=True)
class Habits:
    """Reading of turns by the settings of the buffer, the same for the write path and for upkeep.

    Attributes:
        judged: Rulings of the policy on what turns of a session state, beside what is known already.
        answers: Whether there is a language model.
    """

    settings: BufferSettings
    judged: Judge
    answers: bool

    @property
    def idle_because(self) -> str | None:
        """The reason to extract nothing from turns; None where something is extracted."""
        if self.settings.extract == Extract.OFF:
            return "extraction is off: buffer.extract"
        if self.settings.extract == Extract.MODEL and not self.answers:
            return "buffer.extract is `model`, and there is no model: set one, or `auto`"
        return None

    @property
    def extracts(self) -> bool:
        """True if anything is to be extracted from turns."""
        return self.idle_because is None

    @property
    def with_model(self) -> bool:
        """True if a model is to be asked where there is one."""
        return self.settings.extract in {Extract.AUTO, Extract.MODEL}

    @property
    def rules_stand_in(self) -> bool:
        """True if rules take the place of a model that failed as often as it may."""
        return self.settings.extract == Extract.AUTO

    @property
    def silence_us(self) -> int:
        """Time after which a silent session counts as over."""
        return round(self.settings.silence_s * SECOND_US)

    def due(self, waiting: Sequence[Waiting], now: int) -> Sequence[Waiting]:
        """Those sessions whose turns should be extracted from now; `waiting` are all of their scopes."""
        return due(waiting, now, self.settings)

    def is_put_off(self, one: Waiting, now: int) -> bool:
        """True if the turns of a session wait for the time of another try."""
        return is_put_off(one, now, self.settings)

    def retry_at(self, tries: int, now: int) -> int | None:
        """The instant at which turns that were tried so often are tried again; None for never."""
        last = tries >= self.settings.tries
        return None if last else now + back_off(tries, self.settings)

    def stated(
        self, turns: Sequence[Item], model: LanguageModel | None, before: Sequence[Item] = ()
    ) -> Findings:
        """Statements that turns clearly make: by rules, or as a model words them.

        Args:
            before: Turns that were said before them in the session: a game may have begun there, and the rules hear
                what puts the last of them right.

        Raises:
            ProviderError: The model did not answer, or not usefully.
        """
        every = [*before, *turns]
        if model is None:
            earnest = in_earnest(every, since=max(0, len(before) - _PUT_RIGHT))
            return Findings(statements(earnest, of={turn.id for turn in turns}))
        return found_by(model, in_earnest(every, since=len(before)), self.settings.max_tokens)

    def session_summaries(
        self, turns: Sequence[Item], stated: Sequence[Item], model: LanguageModel | None
    ) -> tuple[str, ...]:
        """Summaries of a session, of which the first that may be stored is to be taken; maybe none.

        By a model, then with what was stated, then without.

        Raises:
            ProviderError: The model did not answer, or not usefully.
        """
        spoken = shown(turns)
        if not spoken:
            return ()
        plain = told_plainly(spoken, stated)
        if model is None:
            return plain
        # The end of a session says what came of it: of a long one the last batch is shown.
        *_, last = batches([text for _, text in spoken], self.settings.max_tokens)
        return (tell(model, pieces_of(spoken, last)), *plain)
