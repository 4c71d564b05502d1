"""Triggers of consolidation: pure, with hysteresis, so that it does not follow every message."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Taxonomy, Tier
from simonides.domain.text import count_tokens
from simonides.ports.store import Reader
from simonides.upkeep.settings import ConsolidateSettings
from simonides.values import dataclass

#: Items that are read at a time, newest first.
_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Load:
    """Load of the short term of a scope; turns and chunks are not counted.

    Attributes:
        items: How many there are.
        tokens: Of their texts, by estimate.
        new: How many of them were recorded since consolidation last ended.
        new_tokens: Of their texts.
        consolidated: Whether it has ever run.
        session_changed: Whether a session ended, or another began, since it last ended.
    """

    items: int
    tokens: int
    new: int
    new_tokens: int
    consolidated: bool
    session_changed: bool = False


def due(load: Load, settings: ConsolidateSettings) -> str | None:
    """Reason that consolidation is due, in words; None if it is not.

    The first time from `stm_items` items or `token_share` of the context's tokens; after that only once there are
    `growth` new items, or half as many new tokens as the first time took. A change of session is reason enough if
    anything is new. Nothing is ever due without new items.
    """
    if load.new == 0:
        return None
    most_tokens = settings.token_share * settings.context_tokens
    if load.items >= settings.stm_items and (not load.consolidated or load.new >= settings.growth):
        return f"{load.items} items in the short term, {load.new} of them new"
    if load.tokens >= most_tokens and (not load.consolidated or load.new_tokens >= most_tokens / 2):
        return f"about {load.tokens} tokens in the short term, {load.new_tokens} of them new"
    if load.session_changed:
        return f"a session ended with {load.new} new items"
    return None


def load_of(
    reader: Reader, selection: Selection, since: int | None, settings: ConsolidateSettings, taxonomy: Taxonomy
) -> Load:
    """Load of the short term, counted as far as it takes to decide: newest first, until it is enough.

    Args:
        reader: A view of the store.
        selection: Of one scope; active items that have not expired.
        since: When consolidation of the scope last ended; None if it never ran.
        settings: What is enough.
        taxonomy: Types whose items merge are counted.
    """
    kept = frozenset(name for name, spec in taxonomy.specs.items() if spec.merges)
    chosen = replace(selection, tiers=frozenset({Tier.STM}), types=kept)
    most_tokens = settings.token_share * settings.context_tokens
    load, after = Load(0, 0, 0, 0, since is not None), None
    while True:
        page = reader.select(chosen, limit=_PAGE, after=after)
        runs, after = list(page.values()), min(page, default=None)
        sizes = [count_tokens(item.text) for item in runs]
        new = [
            size for item, size in zip(runs, sizes, strict=True) if since is None or item.created_at > since
        ]
        load = replace(
            load,
            items=load.items + len(runs),
            tokens=load.tokens + sum(sizes),
            new=load.new + len(new),
            new_tokens=load.new_tokens + sum(new),
        )
        full = load.items >= settings.stm_items and load.tokens >= most_tokens
        if len(runs) < _PAGE or due(load, settings) is not None or (full and not new):
            return load
