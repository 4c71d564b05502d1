"""States of items: new ones, revised ones, and those that a person has to decide about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.entity import Name
from simonides.domain.item import UNUSED, Item, Status, Validation, changed_at
from simonides.domain.run import LeftAlone, RunChange
from simonides.domain.verdict import Outcome
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.governance.wishes import wish_of
from simonides.language.names import names_of
from simonides.ports.store import NewItem, Reader, StoredVerdict
from simonides.upkeep.change.diff import difference_lines, fields_changed, text_lines
from simonides.upkeep.change.subject import Change, Stale, Subject, Work, reversal
from simonides.values import dataclass
from simonides.writing.holders import holder
from simonides.writing.mentions import gone_since, guess_again, know_again, mentioned_by

#: Fields of an item of which the policy has anything to say.
_JUDGED: Final = (
    "content", "title", "type", "tags", "entities", "metadata", "tier", "provenance", "status",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemState(Subject):
    """The state of an item. Its value is the number of the revision that the item stands for; 0 before the first."""

    item_id: str

    def read(self, reader: Reader) -> int:
        return reader.revision_numbers(self.item_id).stands_for

    def before(self, change: RunChange) -> int:
        return change.before or 0

    def after(self, change: RunChange) -> int | None:
        return change.after

    def changed(self) -> LeftAlone:
        return LeftAlone((self.item_id,), "an item changed since the run")

    def states(self, reader: Reader, change: RunChange) -> tuple[Item | None, Item | None]:
        """The item as a change found it, and as the change left it; None where there was, or is, none."""
        both = (reader.revisions(self.item_id, number or 0) for number in (change.before, change.after))
        was, made = (revisions[0].item if revisions else None for revisions in both)
        return was, made

    def is_back(self, reader: Reader, change: RunChange, /) -> bool:
        was, _ = self.states(reader, change)
        now = reader.get([self.item_id]).get(self.item_id)
        return was is not None and now is not None and fields_changed(was, now).keys() <= {"confidence"}

    def take_back(self, work: Work, change: RunChange) -> RunChange:
        now = work.tx.get([self.item_id])[self.item_id]
        as_it_was = True
        if change.kind == Create.kind:
            # What only it mentioned is known no longer, as before the run.
            gone = changed_at(now, work.at, status=Status.ARCHIVED)
            number, _ = _revise(work, gone, "undo", names=())
        else:
            number, as_it_was = self._restore(work, change, now)
        if change.kind == HoldBack.kind:
            # Forgotten first, with what the item was to be.
            work.tx.judge(self.item_id, None)
            if (former := change.details.get("verdict")) is not None:
                verdict, reasons, why_store, actor, at = former
                work.tx.judge(self.item_id, StoredVerdict(verdict, tuple(reasons), why_store, actor, at))
        guess_again(work.tx, change.details.get("guessed", ()))
        restores = {"restores": self.before(change)} if as_it_was else {}
        return replace(reversal(change, **restores), before=number, after=number + 1)

    def _restore(self, work: Work, change: RunChange, now: Item) -> tuple[int, bool]:
        """Restore the state before a change; the number of the revision so far, and whether the item is what it was."""
        was, made = self.states(work.tx, change)
        assert was is not None
        assert made is not None
        # The item is as the run left it, but for what it gained by use since: that is no work of the run's.
        gained = max(0.0, now.confidence - made.confidence)
        restored = replace(
            was,
            confidence=min(1.0, change.details["confidence"] + gained),
            updated_at=max(work.at, now.updated_at),
        )
        as_it_was = True
        if restored.status is Status.ACTIVE:
            other = holder(work.tx, restored, work.at)
            if other not in (None, restored.id):
                restored = replace(restored, status=Status.ARCHIVED, superseded_by=other)
                work.left.append(LeftAlone((restored.id,), f"merged: {other} says the same by now"))
                as_it_was = False
        names = names_of(restored) if was_held_back(change) or _mentions_may_differ(was, made) else None
        if names is not None:
            know_again(work.tx, restored, change.details.get("known", {}), names)
        number, _ = _revise(work, restored, "undo", names=names, vector=work.vectors.get(was.text))
        return number, as_it_was

    def stored_lines(self, reader: Reader, /, change: RunChange) -> tuple[str, ...]:
        was, made = self.states(reader, change)
        if made is None:
            return ()
        return tuple(f"+ {line}" for line in text_lines(made)) if was is None else difference_lines(was, made)


@dataclass(frozen=True, slots=True)
class Create(Change):
    """A new item.

    Its text passes the policy, and is embedded and read for names, in the runner: `vector`, `names`,
    `outcome` and `reasons` of the NewItem are filled in there. The item's usage is stored with it, so
    that a merged item has the sum of what its sources had. `action` names the reason of its first revision:
    consolidation_merge, extract, narrative … With the outcome `quarantined` it waits for a decision.

    Attributes:
        ruling: What the policy said, where the plan has asked it with all that it is to know; the runner does not ask
            again then. Not a refusal.
    """

    new: NewItem
    ruling: Ruling | None = None

    kind: ClassVar[str] = "create"

    def counts(self) -> tuple[str, int]:
        return "held_back" if self.new.outcome is Outcome.QUARANTINED else "created", 1

    def judged(self, policy: Policy, at: int, /) -> Change | tuple[str, ...]:
        new = self.new
        ruling = self.ruling or self._ruling(policy, at)
        if ruling.outcome is not new.outcome:
            return ruling.reasons or (ruling.outcome.value,)
        item = replace(ruling.item, usage=new.item.usage)
        wished = None if ruling.wished is None else wish_of(ruling.wished)
        made = replace(new, item=item, reasons=ruling.reasons, outcome=ruling.outcome, wished=wished)
        return replace(self, new=made)

    def _ruling(self, policy: Policy, at: int) -> Ruling:
        """The ruling of the policy; what is to wait for a decision waits, unless it is refused."""
        new = self.new
        ruling = policy.judge(Candidate(new.item, why_store=new.why_store, actor="upkeep"), at)
        if new.outcome is Outcome.QUARANTINED and ruling.outcome is not Outcome.REJECTED:
            return policy.quarantined(new.item, (*new.reasons, *ruling.reasons), at)
        return ruling

    def text(self) -> str:
        return self.new.item.text

    def completed(self, vector: Any, /) -> Create:
        new = replace(self.new, actor="upkeep")
        if new.outcome is not Outcome.QUARANTINED:
            new = replace(new, vector=vector, names=new.names or names_of(new.item))
        return replace(self, new=new)

    def has_vector(self) -> bool:
        return self.new.vector is not None

    def lines(self) -> tuple[str, ...]:
        return tuple(f"+ {line}" for line in text_lines(self.new.item))

    def details(self) -> dict[str, Any]:
        return {"action": self.new.action, "item": self.new.item.to_dict()}

    def apply(self, work: Work) -> RunChange:
        item = self.new.item
        _require_untaken(work, item)
        guessed = work.tx.insert([self.new], work.model, work.run_id).guessed
        if item.usage != UNUSED:
            work.tx.set_usage(item.id, item.usage)
        row = ItemState(item.id).row(self.kind, reason=self.new.action, guessed=list(guessed) or None)
        return replace(row, after=1)


@dataclass(frozen=True, slots=True)
class Revise(Change):
    """A new state of an item.

    Attributes:
        before: The item as the plan read it. If it is another one by then, the step is left out.
        after: What it becomes; its id and creation stay, `updated_at` is set by the runner.
        reason: Of the revision: decay, expire, promote, consolidation_merge, supersede …
        action: Of the audit event; the reason if empty.
        names: What it mentions from now on; None lets the runner find out where the text changed.
        vector: Of the new text; None lets the runner embed where the text changed.
    """

    before: Item
    after: Item
    reason: str
    action: str = ""
    names: tuple[Name, ...] | None = None
    vector: NDArray[np.float32] | None = field(default=None, compare=False)

    kind: ClassVar[str] = "revise"

    def counts(self) -> tuple[str, int]:
        if self.after.status is Status.ARCHIVED and self.before.status is not Status.ARCHIVED:
            return "archived" if self.after.superseded_by is None else "merged", 1
        return "revised", 1

    def states(self) -> tuple[Item, ...]:
        return (self.before,)

    def judged(self, policy: Policy, at: int, /) -> Change | tuple[str, ...]:
        """As the policy lets it through, where it has anything to say: of the text, or of where the item rises to."""
        before, after = self.before, self.after
        archives = after.status is Status.ARCHIVED and before.text == after.text
        if archives or all(getattr(before, name) == getattr(after, name) for name in _JUDGED):
            return self
        ruling = policy.judge(Candidate(after, actor="upkeep"), at)
        if ruling.outcome is not Outcome.ACCEPTED:
            return ruling.reasons or (ruling.outcome.value,)
        return replace(self, after=ruling.item)

    def text(self) -> str | None:
        return None if self.before.text == self.after.text or self.has_vector() else self.after.text

    def completed(self, vector: Any, /) -> Revise:
        names = self.names
        if names is None and _mentions_may_differ(self.before, self.after):
            names = names_of(self.after)
        return replace(self, vector=self.vector if self.has_vector() else vector, names=names)

    def has_vector(self) -> bool:
        return self.vector is not None

    def lines(self) -> tuple[str, ...]:
        return difference_lines(self.before, self.after)

    def details(self) -> dict[str, Any]:
        fields = fields_changed(self.before, self.after)
        return {"item_id": self.after.id, "reason": self.reason, "fields": fields}

    def apply(self, work: Work) -> RunChange:
        now = work.tx.get([self.before.id])[self.before.id]
        after = self.after
        if after.confidence == self.before.confidence:
            # What it gained by use since the plan read it stays.
            after = replace(after, confidence=now.confidence)
        after = replace(after, updated_at=max(work.at, now.updated_at))
        if after.status is Status.ACTIVE:
            _require_untaken(work, after)
        mentioned = [] if self.names is None else mentioned_by(work.tx, now)
        number, guessed = _revise(
            work, after, self.reason, action=self.action, names=self.names, vector=self.vector
        )
        known = gone_since(work.tx, mentioned, names_of(now)) if mentioned else None
        row = ItemState(after.id).row(
            self.kind,
            reason=self.reason,
            confidence=now.confidence,
            guessed=guessed or None,
            known=known or None,
        )
        return replace(row, before=number, after=number + 1)


@dataclass(frozen=True, slots=True)
class HoldBack(Change):
    """An item that a person has to decide about: quarantined, and in the review queue with these reasons.

    It loses vector and names, and what nothing else mentions is known no longer; undo brings them back.

    Attributes:
        before: The item as the plan read it. If it is another one by then, the step is left out.
        reasons: Each `code: explanation`; they quote nothing of any item.
    """

    before: Item
    reasons: tuple[str, ...]

    kind: ClassVar[str] = "hold"
    counted: ClassVar[str] = "held_back"

    def states(self) -> tuple[Item, ...]:
        return (self.before,)

    def words(self) -> str:
        return "\n".join(self.reasons)

    def lines(self) -> tuple[str, ...]:
        return (
            f"  {text_lines(self.before)[0]}",
            f"- status: {self.before.status}",
            f"+ status: quarantined ({'; '.join(self.reasons)})",
        )

    def details(self) -> dict[str, Any]:
        return {"item_id": self.before.id, "reasons": list(self.reasons)}

    def apply(self, work: Work) -> RunChange:
        now = work.tx.get([self.before.id])[self.before.id]
        held = changed_at(
            now, work.at, status=Status.QUARANTINED, validation=Validation.RETRACTED, injectable=False
        )
        verdict, mentioned = work.tx.verdict(now.id), mentioned_by(work.tx, now)
        number, _ = _revise(work, held, "hold")
        known = gone_since(work.tx, mentioned, names_of(now))
        held_back = StoredVerdict("quarantined", self.reasons, None, "upkeep", work.at, wish_of(now))
        work.tx.judge(now.id, held_back)
        former = None if verdict is None else [
            verdict.verdict, list(verdict.reasons), verdict.why_store, verdict.actor, verdict.at
        ]  # fmt: skip
        row = ItemState(now.id).row(
            self.kind, reason="hold", confidence=now.confidence, verdict=former, known=known or None
        )
        return replace(row, before=number, after=number + 1)


def was_held_back(change: RunChange) -> bool:
    """True of a change that took vector and names from an item."""
    return change.kind == HoldBack.kind


def new_item(item: Item, *, reason: str, why_store: str | None = None) -> Create:
    """The change that stores an item of upkeep's; the runner fills in what the policy and embedder say."""
    return Create(NewItem(item, Outcome.ACCEPTED, action=reason, actor="upkeep", why_store=why_store))


def _mentions_may_differ(one: Item, other: Item) -> bool:
    """True if two states of an item may mention different names."""
    return (one.text, one.entities, one.type) != (other.text, other.entities, other.type)


def is_same(before: Item, now: Item) -> bool:
    """True if an item is still the one that was read, whatever confidence it gained by use since."""
    return now.confidence >= before.confidence and replace(now, confidence=before.confidence) == before


def _require_untaken(work: Work, item: Item) -> None:
    other = holder(work.tx, item, work.at)
    if other not in (None, item.id):
        raise Stale("another item says the same by now", item.id, other)


def _revise(
    work: Work,
    item: Item,
    reason: str,
    *,
    action: str = "",
    names: Sequence[Name] | None = None,
    vector: Any = None,
) -> tuple[int, list[str]]:
    """Give an item a new state; the number of its revision before, and the entities that it made a guess about."""
    number = work.tx.revision_numbers(item.id).last
    mentioned = work.tx.revise(
        item,
        reason=reason,
        action=action or reason,
        actor="upkeep",
        run_id=work.run_id,
        vector=vector,
        model=None if vector is None else work.model,
        names=names,
    )
    return number, list(mentioned.guessed)
