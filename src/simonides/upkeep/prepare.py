"""What a step needs before its transaction: every new text past the policy, embedded, and read for names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Item, Status
from simonides.domain.run import LeftAlone
from simonides.domain.verdict import Outcome
from simonides.errors import ProviderError
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.governance.wishes import wish_of
from simonides.language.names import names_of
from simonides.ports.embedder import Embedder
from simonides.ports.store import NewItem
from simonides.upkeep.change import Change, Create, Revise
from simonides.upkeep.change.item import named_otherwise
from simonides.upkeep.job import Step


@dataclass(frozen=True, slots=True)
class Prepared:
    """A step that may be applied.

    Attributes:
        model: Whose vectors its changes bring; None where they bring none.
    """

    step: Step
    model: EmbedderIdentity | None


class Preparer:
    """Gets steps ready, outside of any transaction."""

    def __init__(self, policy: Policy, embedder: Embedder, degraded: Callable[[str], None]) -> None:
        self._policy = policy
        self._embedder = embedder
        self._degraded = degraded

    def ready(self, steps: Sequence[Step], at: int, *, embed: bool = True) -> list[Prepared | LeftAlone]:
        """Each step as it may be applied; or why not, where the policy refuses a text of it."""
        judged = [self._judged(step, at) for step in steps]
        if not embed:
            return [entry if isinstance(entry, LeftAlone) else Prepared(entry, None) for entry in judged]
        texts = [
            text
            for entry in judged
            if isinstance(entry, Step)
            for change in entry.changes
            if (text := _text_to_embed(change)) is not None
        ]
        vectors = self._embedded(texts)
        brought = any(
            isinstance(change, Revise) and change.vector is not None
            for entry in judged
            if isinstance(entry, Step)
            for change in entry.changes
        )
        model = self._embedder.identity if vectors or brought else None
        return [
            entry if isinstance(entry, LeftAlone) else Prepared(self._completed(entry, vectors), model)
            for entry in judged
        ]

    def _judged(self, step: Step, at: int) -> Step | LeftAlone:
        changes: list[Change] = []
        for change in step.changes:
            allowed, reasons = self._allowed(change, at)
            if allowed is None:
                return LeftAlone(step.touched(), "; ".join(reasons))
            changes.append(allowed)
        return replace(step, changes=tuple(changes))

    def _allowed(self, change: Change, at: int) -> tuple[Change | None, tuple[str, ...]]:
        """The change in the form in which the policy lets it through; None and why, if it does not."""
        match change:
            case Create(new):
                ruling = change.ruling or self._ruling(new, at)
                if ruling.outcome is not new.outcome:
                    return None, ruling.reasons or (ruling.outcome.value,)
                item = replace(ruling.item, usage=new.item.usage)
                wished = None if ruling.wished is None else wish_of(ruling.wished)
                made = replace(new, item=item, reasons=ruling.reasons, outcome=ruling.outcome, wished=wished)
                return replace(change, new=made), ()
            case Revise(before, after) if _says_something_new(before, after):
                ruling = self._policy.judge(Candidate(after, actor="upkeep"), at)
                if ruling.outcome is not Outcome.ACCEPTED:
                    return None, ruling.reasons or (ruling.outcome.value,)
                return replace(change, after=ruling.item), ()
            case _:
                words = change.words()
        reasons = self._policy.refusals(words) if words.strip() else ()
        return (None, reasons) if reasons else (change, ())

    def _ruling(self, new: NewItem, at: int) -> Ruling:
        """What the policy says of a new item; one that is to wait for a decision waits, unless it is refused."""
        ruling = self._policy.judge(Candidate(new.item, why_store=new.why_store, actor="upkeep"), at)
        if new.outcome is Outcome.QUARANTINED and ruling.outcome is not Outcome.REJECTED:
            return self._policy.quarantined(new.item, (*new.reasons, *ruling.reasons), at)
        return ruling

    def _embedded(self, texts: Sequence[str]) -> dict[str, Any]:
        """Vectors by text. A slow or remote embedder is left to `backfill`."""
        if not texts or not self._embedder.local:
            return {}
        unique = list(dict.fromkeys(texts))
        try:
            return dict(zip(unique, self._embedder.embed(unique), strict=True))
        except ProviderError as error:
            self._degraded(f"embedder: {error}; `backfill` embeds what was written meanwhile")
            return {}

    def _completed(self, step: Step, vectors: dict[str, Any]) -> Step:
        return replace(step, changes=tuple(self._complete(change, vectors) for change in step.changes))

    def _complete(self, change: Change, vectors: dict[str, Any]) -> Change:
        vector = vectors.get(_text_to_embed(change) or "")
        match change:
            case Create(new):
                if new.outcome is Outcome.QUARANTINED:
                    return replace(change, new=replace(new, actor="upkeep"))
                names = new.names or names_of(new.item)
                return replace(change, new=replace(new, vector=vector, names=names, actor="upkeep"))
            case Revise(before, after):
                names = change.names
                if names is None and named_otherwise(before, after):
                    names = names_of(after)
                return replace(change, vector=vector if change.vector is None else change.vector, names=names)
            case _:
                return change


def new_item(item: Item, *, reason: str, why_store: str | None = None) -> Create:
    """The change that stores an item of upkeep's; the runner fills in what the policy and embedder say."""
    return Create(NewItem(item, Outcome.ACCEPTED, action=reason, actor="upkeep", why_store=why_store))


def _says_something_new(before: Item, after: Item) -> bool:
    """Whether the policy has anything to say of a new state: of its text, or of where it rises to."""
    if after.status is Status.ARCHIVED and before.text == after.text:
        return False
    return any(
        getattr(before, name) != getattr(after, name)
        for name in (
            "content",
            "title",
            "type",
            "tags",
            "entities",
            "metadata",
            "tier",
            "provenance",
            "status",
        )
    )


def _text_to_embed(change: Change) -> str | None:
    match change:
        case Create(new):
            return new.item.text
        case Revise(before, after) if before.text != after.text and change.vector is None:
            return after.text
        case _:
            return None
