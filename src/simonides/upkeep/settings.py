"""Settings of upkeep."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final

from simonides.domain.tuning import tuned
from simonides.errors import InvalidSettings
from simonides.values import dataclass

_UNITS: Final = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_SIZE: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) ?(B|KB|MB|GB|TB)")


@dataclass(frozen=True, slots=True)
class UpkeepSettings:
    """Settings of upkeep runs.

    Attributes:
        lease_s: How long a process that does nothing holds a job, in seconds, 1 to 86400; then another may
            take it over. It is renewed at each step.
        max_size: How large the store may grow before `prune` moves what is faintest to the archive file beside
            it: a number with B, KB, MB, GB or TB (1 KB is 1000 bytes), such as `100MB`; `none` for no limit.
        summaries: Entities that get a summary in one run, >= 0.
        pairs: Pairs of turns that are judged for causes in one run, >= 0.
        profile_tokens: Tokens that the pins of the core profile take, those of users included, >= 0.
    """

    lease_s: float = tuned(600.0)
    max_size: str = "100MB"
    summaries: int = 5
    pairs: int = 50
    profile_tokens: int = tuned(500)

    def __post_init__(self) -> None:
        if not 1 <= self.lease_s <= 86_400:
            raise InvalidSettings(f"upkeep.lease_s lies in [1, 86400], got {self.lease_s}")
        bytes_of(self.max_size)
        for name in ("summaries", "pairs", "profile_tokens"):
            if getattr(self, name) < 0:
                raise InvalidSettings(f"upkeep.{name} is at least 0, got {getattr(self, name)}")

    @property
    def max_bytes(self) -> int | None:
        """Bytes of `max_size`; None for no limit."""
        return bytes_of(self.max_size)


def bytes_of(size: str) -> int | None:
    """Bytes of a size such as `100MB`, in decimal units; None for `none`.

    Raises:
        InvalidSettings: It is no size, or none above 0.
    """
    text = size.strip().upper() if isinstance(size, str) else ""
    if text == "NONE":
        return None
    match = _SIZE.fullmatch(text)
    if match is None or (count := round(float(match[1]) * _UNITS[match[2]])) < 1:
        raise InvalidSettings(
            f"upkeep.max_size is a number above 0 with {', '.join(_UNITS)}, such as 100MB, or none; got {size!r}"
        )
    return count


@dataclass(frozen=True, slots=True)
class ConsolidateSettings:
    """Settings of consolidation: when it is due, and what counts as saying the same.

    Attributes:
        cosine, overlap: From which two items may be merged: cosine of their vectors, and share of their content
            words that each has in common with the other; both in [0, 1].
        cosine_across_tags, overlap_across_tags: The same for items whose first tags differ.
        lexical_overlap: The share where one of the two has no vector.
        contradiction_cosine, contradiction_overlap: The same for two items that may contradict each other.
        stm_items: Short-term items of a scope from which it is due, episodes not counted, >= 1.
        growth: New items before it is due again, >= 1.
        context_tokens, token_share: It is due, too, where short-term items hold this share of so many tokens.
        delta_above: Short-term items of a scope above which only the surroundings of new ones are looked at, and
            the whole scope only the first time.
        questions: Contradictions of one run that a model is asked about, if there is one; the rest stands as found.
    """

    cosine: float = tuned(0.85)
    overlap: float = tuned(0.6)
    cosine_across_tags: float = tuned(0.88)
    overlap_across_tags: float = tuned(0.75)
    lexical_overlap: float = tuned(0.75)
    contradiction_cosine: float = tuned(0.6)
    contradiction_overlap: float = tuned(0.5)
    stm_items: int = tuned(20)
    growth: int = tuned(10)
    context_tokens: int = tuned(32_000)
    token_share: float = tuned(0.15)
    delta_above: int = tuned(20_000)
    questions: int = 50

    def __post_init__(self) -> None:
        for name in (
            "cosine", "overlap", "cosine_across_tags", "overlap_across_tags", "lexical_overlap",
            "contradiction_cosine", "contradiction_overlap", "token_share",
        ):  # fmt: skip
            if not 0 <= getattr(self, name) <= 1:
                raise InvalidSettings(f"consolidate.{name} lies in [0, 1], got {getattr(self, name)}")
        for name, least in (
            ("stm_items", 1), ("growth", 1), ("context_tokens", 1), ("delta_above", 0), ("questions", 0),
        ):  # fmt: skip
            if getattr(self, name) < least:
                raise InvalidSettings(f"consolidate.{name} is at least {least}, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class JobSettings:
    """The sections of the settings that jobs go by."""

    upkeep: UpkeepSettings = field(default_factory=UpkeepSettings)
    consolidate: ConsolidateSettings = field(default_factory=ConsolidateSettings)
