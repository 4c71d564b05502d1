"""Accounts of a Memory: of an item, of an injection, of all that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from simonides.compose import Parts
from simonides.domain.instant import days_between
from simonides.domain.item import Item
from simonides.domain.records import Injection, Standing
from simonides.domain.retention import effective_confidence
from simonides.domain.scope import ALL, Scope
from simonides.errors import NotFound, ProviderError, StoreError
from simonides.parts.looking import found_item
from simonides.ports.store import Report
from simonides.recall.result import Explanation
from simonides.recall.store_view import viewing


def explain(parts: Parts, item_id: str) -> Explanation:
    """The account of an item (`Memory.explain`)."""
    item = found_item(parts, item_id, ALL)
    now = parts.clock.now()
    with parts.reading_all() as views:
        reader = views.reader_of(item_id) or views.here
        return Explanation(
            item=item,
            effective_confidence=confidence_of(item, now),
            retention=parts.taxonomy[item.type].retention.after(_idle_days(item, now)),
            verdict=reader.verdict(item_id),
            revisions=tuple(reader.revisions(item_id)),
            links=tuple(views.links([item_id])),
            events=tuple(reversed(views.here.events(item_ids=[item_id], limit=100))),
            place=reader.place(item_id),
        )


def explain_injection(parts: Parts, injection_id: str) -> Injection:
    """The account of an injection, with how its items stand now (`Memory.why`)."""
    with parts.reading_all() as views:
        kept = views.here.injections(1, injection_id=injection_id)
        if not kept:
            # Purging an item also deletes the injections that contained it; where they are another's, the same is said.
            raise NotFound(f"there is no injection {injection_id!r}")
        (injection,) = kept
        items = views.get([item_id for item_id, _ in injection.items])
        changed = [item.id for item in items.values() if item.updated_at >= injection.at]
        revisions = {item_id: views.revisions(item_id) for item_id in changed}
    now = parts.clock.now()
    standings = {
        item_id: Standing.of(items.get(item_id), revisions.get(item_id, ()), injection.at, now)
        for item_id, _ in injection.items
    }
    return replace(injection, now=standings)


def count_stored(parts: Parts, scopes: tuple[Scope, ...] | None) -> Mapping[str, Any]:
    """Counts of what the store and its archive file hold (`Memory.stats`)."""
    from simonides.upkeep.metrics import merge_metrics  # noqa: PLC0415 - it brings Python's statistics along

    with parts.reading_all() as views:
        counts = dict(views.here.statistics(scopes))
        counts["vectors"] = {identity.name: count for identity, count in views.here.models() if count}
        counts["merges"] = merge_metrics(views.here, scopes).to_dict()
        counts["archive"] = None
        if views.there is not None:
            moved = views.there.statistics(scopes)
            counts["archive"] = {name: moved[name] for name in ("items", "file_bytes")}
    if (problem := parts.store.archive_problem) is not None:
        counts["archive"] = {"problem": problem}
    return counts


def report_of(parts: Parts, problems: tuple[Any, ...]) -> Report:
    """The report of the doctor: problems, and what the store and its vectors are served by."""
    described = parts.store.describe()
    return Report(problems, described if "index" in described else {**described, "index": _index(parts)})


def confidence_of(item: Item, now: int) -> float:
    """Confidence of an item that is left at an instant."""
    return effective_confidence(item.confidence, item.decay_rate, _idle_days(item, now))


def _idle_days(item: Item, now: int) -> float:
    return days_between(item.last_used_at or item.created_at, now)


def _index(parts: Parts) -> str:
    """Description of what compares vectors."""
    try:
        index = parts.recall.index  # Of the embedder's model, which its server may have to tell.
        with viewing(parts.store) as view:
            index.refresh(view)
        return "; ".join((index.describe(), *index.degradations))
    except (ProviderError, StoreError) as error:  # The doctor tells what can be told of a damaged store.
        return f"not known: {error}"
