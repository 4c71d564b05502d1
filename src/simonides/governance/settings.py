"""Settings of the policy."""

from __future__ import annotations

from typing import Final

from simonides.domain.flag import flag
from simonides.domain.tuning import tuned
from simonides.errors import InvalidSettings
from simonides.values import dataclass

_LONGEST_QUARANTINE_HOURS: Final = 1_000_000
_MOST_CALLS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class PolicySettings:
    """Bounds of the policy.

    Attributes:
        quarantine_hours: How long a quarantined item waits for a decision before it expires.
        least_confidence: Candidates below it are quarantined.
        max_write_chars: Longest text of any kind that is taken in, episodes included.
        proposals_per_turn: Proposals of one call that are judged; the rest is rejected.
        proposals_per_hour: Proposals that are judged for a caller or scope in the long run, and at once.
        calls_per_minute: Calls of tools that a caller may make in the long run.
        burst: Calls that it may make at once; None for those of a minute and a half.
        auditor: Let the language model look at what the user did not say; it can only be stricter.
        rules: Files of rules of your own, in TOML; relative paths start from the working directory.
    """

    quarantine_hours: float = 72.0
    least_confidence: float = 0.3
    max_write_chars: int = 1_000_000
    proposals_per_turn: int = 10
    proposals_per_hour: int = 240
    calls_per_minute: float = 60.0
    burst: int | None = tuned(None)
    auditor: bool = False
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.quarantine_hours <= _LONGEST_QUARANTINE_HOURS:
            raise InvalidSettings(
                f"policy.quarantine_hours lies above 0 and up to {_LONGEST_QUARANTINE_HOURS}, "
                f"got {self.quarantine_hours}"
            )
        if not 0 <= self.least_confidence <= 1:
            raise InvalidSettings(f"policy.least_confidence lies in [0, 1], got {self.least_confidence}")
        if self.max_write_chars < 1:
            raise InvalidSettings(f"policy.max_write_chars is at least 1, got {self.max_write_chars}")
        flag(self.auditor, "policy.auditor")
        for name in ("proposals_per_turn", "proposals_per_hour"):
            if getattr(self, name) < 1:
                raise InvalidSettings(f"policy.{name} is at least 1, got {getattr(self, name)}")
        if not 0 < self.calls_per_minute <= _MOST_CALLS:
            raise InvalidSettings(
                f"policy.calls_per_minute lies above 0 and up to {_MOST_CALLS}, got {self.calls_per_minute}"
            )
        if self.calls_at_once < 1:
            raise InvalidSettings(f"policy.burst is at least 1, got {self.burst}")

    @property
    def calls_at_once(self) -> int:
        """Calls of tools that a caller may make at once."""
        return max(1, round(1.5 * self.calls_per_minute)) if self.burst is None else self.burst
