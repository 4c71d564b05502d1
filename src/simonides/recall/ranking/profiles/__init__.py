"""The ranking profiles by name, with what the read path has to know of each before it looks for candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
from types import MappingProxyType
from typing import Final, Protocol

from simonides.domain.taxonomy import Taxonomy
from simonides.errors import InvalidInput
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking.profiles import classic, strict
from simonides.recall.ranking.profiles.classic import Classic
from simonides.recall.ranking.profiles.enhanced import EnhancedSettings
from simonides.recall.ranking.profiles.hebbian import FETCH, Hebbian
from simonides.recall.ranking.profiles.rrf import Rrf
from simonides.recall.ranking.profiles.text_search import SearchText
from simonides.recall.ranking.profiles.weighted import Weighted
from simonides.values import dataclass


class Ranker(Protocol):
    """A way of ranking. Pure."""

    def rank(self, candidates: CandidateTable, taxonomy: Taxonomy) -> CandidateTable:
        """Score every candidate."""
        ...


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """Numbers of the profiles, for code to give."""

    weighted: Weighted = field(default_factory=Weighted)
    rrf: Rrf = field(default_factory=Rrf)
    classic: Classic = field(default_factory=Classic)
    enhanced: EnhancedSettings = field(default_factory=EnhancedSettings)
    hebbian: Hebbian = field(default_factory=Hebbian)


@dataclass(frozen=True, slots=True)
class Profile:
    """A way of ranking and its needs.

    Attributes:
        vectors: Whether it asks for vectors; the question is not embedded where it does not.
        fetch: Candidates to fetch, as so many times the hits that are wanted; 1 where the channels' own
            width will do.
        search_text: Its own search of the text channel, by its settings; None where that is asked for the question's
            words.
        ranker: Ranks the candidates of one search, by its settings; None for a profile that makes several.
    """

    name: str
    vectors: bool = True
    fetch: int = 1
    search_text: Callable[[ProfileSettings], SearchText] | None = None
    ranker: Callable[[ProfileSettings], Ranker] | None = None


PROFILES: Final[Mapping[str, Profile]] = MappingProxyType(
    {
        profile.name: profile
        for profile in (
            Profile("balanced"),
            Profile("weighted", ranker=lambda settings: settings.weighted),
            Profile("rrf", ranker=lambda settings: settings.rrf),
            Profile(
                "classic",
                vectors=False,
                search_text=lambda settings: partial(classic.search_keywords, settings.classic.words),
                ranker=lambda settings: settings.classic,
            ),
            Profile("enhanced"),
            Profile("hebbian", vectors=False, fetch=FETCH, ranker=lambda settings: settings.hebbian),
            Profile(
                "strict",
                vectors=False,
                search_text=lambda _: strict.search_by_steps,
                ranker=lambda _: strict.Strict(),
            ),
        )
    }
)


def profile_named(name: str) -> Profile:
    """The profile of this name.

    Raises:
        InvalidInput: There is none; the message lists those there are.
    """
    try:
        return PROFILES[name.strip().lower()]
    except KeyError:
        raise InvalidInput(f"unknown profile {name!r}; use one of {', '.join(PROFILES)}") from None
