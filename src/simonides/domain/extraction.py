"""Outcome of extraction from waiting turns, and of ended sessions, for callers."""

from __future__ import annotations

from simonides.domain.verdict import Outcome, Verdict
from simonides.domain.written import Written
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Extracted(Written):
    """Something that turns state, and what became of it.

    Attributes:
        by: `rules`, or the name of the model that worded it.
        source_ids: Episodes that say it.
        verdict: None in a dry run.
    """

    content: str
    type: str
    by: str
    source_ids: tuple[str, ...]
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractReport(Written):
    """Result of extracting memories from waiting turns.

    Attributes:
        turns: How many were looked at and wait no longer; in a dry run, how many would be.
        found: What they state, in their order.
        sessions: Names of the sessions that they belong to.
        ended: Names of sessions that were found to be over.
        narratives: Ids of the items that tell what these were about.
        put_off: How many turns wait for another try, or failed for good.
        degradations: What did not work, and what was done without it.
        dropped: What a model answered that its turns do not bear out, and why it was dropped.
        run_id: The run that did it, which `runs.show` shows and `undo` takes back; None where nothing was changed.
        dry_run: Nothing was changed.
    """

    turns: int = 0
    found: tuple[Extracted, ...] = ()
    sessions: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    narratives: tuple[str, ...] = ()
    put_off: int = 0
    degradations: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    run_id: str | None = None
    dry_run: bool = False

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Ids of the items that hold what was found, those that were known before included; none twice."""
        held = (one.verdict.item_id for one in self.found if one.verdict is not None)
        return tuple(dict.fromkeys(item_id for item_id in held if item_id is not None))

    def count(self, outcome: Outcome) -> int:
        """Number of statements that ended so."""
        return sum(one.verdict is not None and one.verdict.outcome == outcome for one in self.found)

    def __add__(self, other: ExtractReport) -> ExtractReport:
        """Both as one."""
        return ExtractReport(
            turns=self.turns + other.turns,
            found=self.found + other.found,
            sessions=tuple(dict.fromkeys(self.sessions + other.sessions)),
            ended=self.ended + other.ended,
            narratives=self.narratives + other.narratives,
            put_off=self.put_off + other.put_off,
            degradations=tuple(dict.fromkeys(self.degradations + other.degradations)),
            dropped=self.dropped + other.dropped,
            run_id=self.run_id or other.run_id,
            dry_run=self.dry_run or other.dry_run,
        )
