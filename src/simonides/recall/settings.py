"""Settings of the read path."""

from __future__ import annotations

from dataclasses import field

from simonides.domain.tuning import TUNED, tuned
from simonides.errors import InvalidSettings
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.ranking.profiles import PROFILES, ProfileSettings
from simonides.recall.result import Query
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Bounds of the read path.

    Attributes:
        profile: The way of ranking, where a search names none.
        min_relevance: Hits below it are hidden, in [0, 1].
        abstain_below: Where the likelihood that anything answers is below it, a search says that it
            abstains; its hits are what is nearest all the same.
        inject_below: Where it is below this, nothing is put into a prompt unasked; a missing answer costs as many times
            what a useless text does as odds speak against an answer here.
        hide_below: Where it is below this, a search returns no hits at all, and a context stays empty; 0 hides
            nothing; not above `abstain_below`.
        unsettled_below: A question that names something known goes on to an agenda where that likelihood is below
            this.
        prior_span: How far what speaks for an item whatever the question moves a score of `balanced`.
        profiles: Numbers of the other profiles.
        agenda: How far an agenda goes.
    """

    profile: str = "balanced"
    min_relevance: float = 0.0
    abstain_below: float = 0.35
    inject_below: float = tuned(0.2)
    hide_below: float = 0.0
    unsettled_below: float = tuned(0.5)
    prior_span: float = tuned(0.25)
    profiles: ProfileSettings = field(default_factory=ProfileSettings, metadata=TUNED)
    agenda: AgendaSettings = field(default_factory=AgendaSettings, metadata=TUNED)

    def __post_init__(self) -> None:
        for name in ("min_relevance", "abstain_below", "inject_below", "hide_below", "unsettled_below"):
            if not 0 <= (value := getattr(self, name)) <= 1:
                raise InvalidSettings(f"recall.{name} lies in [0, 1], got {value}")
        if self.hide_below > self.abstain_below:
            raise InvalidSettings("recall.hide_below must not be above recall.abstain_below")
        if not 0 <= self.prior_span <= 1:
            raise InvalidSettings(f"recall.prior_span lies in [0, 1], got {self.prior_span}")
        if self.profile not in PROFILES:
            raise InvalidSettings(f"recall.profile is one of {', '.join(PROFILES)}, not {self.profile!r}")

    def least_relevance(self, query: Query) -> float:
        """The relevance below which nothing is shown."""
        return self.min_relevance if query.min_relevance is None else query.min_relevance

    def hides_all(self, query: Query, confidence: float) -> bool:
        """True if nothing is shown, since nothing seems to answer."""
        return query.min_relevance is None and confidence < self.hide_below
