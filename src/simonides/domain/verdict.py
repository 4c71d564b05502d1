"""Outcomes for something that was to be remembered."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import overload

from simonides.domain.written import Written
from simonides.values import dataclass


class Outcome(StrEnum):
    """The four ends of a write."""

    ACCEPTED = "accepted"
    MERGED = "merged"
    QUARANTINED = "quarantined"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Verdict(Written):
    """The answer to one input.

    Attributes:
        item_id: The item that now holds it; of `merged` the one that was there before; None of `rejected`.
        reasons: Why, most important first, each `code: explanation`. May be empty when accepted.
    """

    outcome: Outcome
    item_id: str | None = None
    reasons: tuple[str, ...] = ()

    @property
    def stored(self) -> bool:
        """True if an item holds what was said, quarantined ones included."""
        return self.outcome is not Outcome.REJECTED


@dataclass(frozen=True, slots=True)
class AddResult(Written):
    """One verdict per input, in order. Of a single input it tells the `outcome`, `item_id` and `reasons` itself.

    Attributes:
        session_id: The session that turns of a chat were recorded in, else None.
    """

    verdicts: tuple[Verdict, ...]
    session_id: str | None = None

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Verdict, ...]: ...
    def __getitem__(self, index: int | slice) -> Verdict | tuple[Verdict, ...]:
        return self.verdicts[index]

    @property
    def outcome(self) -> Outcome:
        """Outcome of the only input; AttributeError unless there was exactly one."""
        return self._only("outcome").outcome

    @property
    def item_id(self) -> str | None:
        """Id of what holds the only input; AttributeError unless there was exactly one."""
        return self._only("item_id").item_id

    @property
    def reasons(self) -> tuple[str, ...]:
        """Reasons for the only input's outcome; AttributeError unless there was exactly one."""
        return self._only("reasons").reasons

    def _only(self, name: str) -> Verdict:
        if len(self.verdicts) == 1:
            return self.verdicts[0]
        raise AttributeError(
            f"there are {len(self.verdicts)} verdicts, and each has its {name}: [one.{name} for one in result]"
        )

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Ids of what is now stored, in the order of the inputs; rejected ones are left out."""
        return tuple(verdict.item_id for verdict in self.verdicts if verdict.item_id is not None)

    def count(self, outcome: Outcome) -> int:
        """Number of inputs that ended so."""
        return sum(verdict.outcome == outcome for verdict in self.verdicts)


def too_many(most: int) -> Verdict:
    """Rejection of a proposal behind the first `most` of a turn."""
    reason = f"rate: {most} proposals a turn are judged; propose the rest in the next"
    return Verdict(Outcome.REJECTED, None, (reason,))


def too_many_an_hour(most: int) -> Verdict:
    """Rejection of a proposal beyond the quota of its caller."""
    return Verdict(Outcome.REJECTED, None, (f"rate: {most} proposals an hour are judged; propose it later",))
