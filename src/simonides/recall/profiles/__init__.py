"""The ranking profiles by name, and what the read path has to know of each before it looks for candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Final

from simonides.errors import InvalidInput
from simonides.recall.pool import Profile
from simonides.recall.profiles import classic, strict
from simonides.recall.profiles.asked import Ask
from simonides.recall.profiles.classic import Classic
from simonides.recall.profiles.enhanced import EnhancedSettings
from simonides.recall.profiles.hebbian import FETCH, Hebbian
from simonides.recall.profiles.rrf import Rrf
from simonides.recall.profiles.weighted import Weighted


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """Numbers of the profiles, for code to give."""

    weighted: Weighted = field(default_factory=Weighted)
    rrf: Rrf = field(default_factory=Rrf)
    classic: Classic = field(default_factory=Classic)
    enhanced: EnhancedSettings = field(default_factory=EnhancedSettings)
    hebbian: Hebbian = field(default_factory=Hebbian)


@dataclass(frozen=True, slots=True)
class Plan:
    """A profile, and what it needs.

    Attributes:
        vectors: Whether it asks for vectors; the question is not embedded where it does not.
        fetch: Candidates to fetch, as so many times the hits that are wanted; 1 where the channels' own
            width will do.
        ask: What asks the text channel, by its settings; None where it is asked for the question's words.
        pure: What ranks one pool, by its settings; None for a profile that needs more than a pool.
    """

    name: str
    vectors: bool = True
    fetch: int = 1
    ask: Callable[[ProfileSettings], Ask] | None = None
    pure: Callable[[ProfileSettings], Profile] | None = None


PROFILES: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        plan.name: plan
        for plan in (
            Plan("balanced"),
            Plan("weighted", pure=lambda settings: settings.weighted),
            Plan("rrf", pure=lambda settings: settings.rrf),
            Plan(
                "classic",
                vectors=False,
                ask=lambda settings: partial(classic.ask, settings.classic.words),
                pure=lambda settings: settings.classic,
            ),
            Plan("enhanced"),
            Plan("hebbian", vectors=False, fetch=FETCH, pure=lambda settings: settings.hebbian),
            Plan("strict", vectors=False, ask=lambda _: strict.ask, pure=lambda _: strict.Strict()),
        )
    }
)


def profile_named(name: str) -> Plan:
    """The profile of this name.

    Raises:
        InvalidInput: There is none; the message lists those there are.
    """
    try:
        return PROFILES[name.strip().lower()]
    except KeyError:
        raise InvalidInput(f"unknown profile {name!r}; use one of {', '.join(PROFILES)}") from None
