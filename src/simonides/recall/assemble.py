"""Assembly: from hits to a block of text within a token budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from simonides.domain.item import Item
from simonides.domain.text import count_tokens, normalised
from simonides.errors import InvalidInput
from simonides.recall.render import HEADER, block, catalog, line
from simonides.recall.result import Hit

MODES: Final = ("context", "inject", "catalog", "hybrid")
CATALOG_K: Final = 10
#: Hits that a hybrid gives in full; the rest is catalog.
_HYBRID_FULL: Final = 3
#: Sections of a context with their shares; what one leaves unused goes to the next.
_SECTIONS: Final = (("Facts", 0.40), ("Profiles", 0.25), ("Timeline", 0.25), ("Evidence", 0.10))


@dataclass(frozen=True, slots=True)
class ContextResult:
    """Text for a prompt.

    Attributes:
        items: What it was made of, in the order of the text.
        tokens: Estimate of its length; within the budget that was asked for.
        injection_id: Names this injection to `why`; None if nothing was injected.
    """

    text: str
    items: tuple[Item, ...]
    tokens: int
    mode: str
    injection_id: str | None = None
    abstained: bool = False
    degradations: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "items": [item.to_dict() for item in self.items],
            "tokens": self.tokens,
            "mode": self.mode,
            "injection_id": self.injection_id,
            "abstained": self.abstained,
            "degradations": list(self.degradations),
        }


def budget_for(question: str) -> int:
    """Tokens that an injection may take, by the length of the question."""
    for chars, tokens in ((80, 600), (200, 800), (400, 1200)):
        if len(question) < chars:
            return tokens
    return 1500


def assemble(
    hits: Sequence[Hit], profile: Sequence[Item], mode: str, max_tokens: int
) -> tuple[str, tuple[Item, ...]]:
    """Write hits down in a mode, within a budget.

    Args:
        hits: Best first.
        profile: The core profile: pinned items, most important first.
        mode: `context` (markdown in sections), `inject` (blocks), `catalog` or `hybrid`.

    Returns:
        The text, empty if nothing fits or there is nothing, and its items. The same text never
        occurs twice.

    Raises:
        InvalidInput: The mode is unknown or the budget is not positive.
    """
    if mode not in MODES:
        raise InvalidInput(f"unknown mode {mode!r}; use one of {', '.join(MODES)}")
    if max_tokens <= 0:
        raise InvalidInput(f"max_tokens must be positive, got {max_tokens}")
    hits = _distinct(hits)
    match mode:
        case "context":
            return _context(hits, profile, max_tokens)
        case "inject":
            return _inject(hits, max_tokens)
        case "catalog":
            return _catalog(hits[:CATALOG_K], max_tokens)
        case _:
            return _hybrid(hits, max_tokens)


def _distinct(hits: Iterable[Hit]) -> list[Hit]:
    found: dict[str, Hit] = {}
    for hit in hits:
        found.setdefault(normalised(hit.item.content), hit)
    return list(found.values())


def _inject(hits: Sequence[Hit], max_tokens: int) -> tuple[str, tuple[Item, ...]]:
    spent = count_tokens(HEADER)
    blocks: list[str] = []
    items: list[Item] = []
    for hit in hits:
        text = block(hit.item)
        cost = count_tokens(text)
        if spent + cost > max_tokens:
            continue  # One long turn must not keep out the short ones behind it.
        spent += cost
        blocks.append(text)
        items.append(hit.item)
    return ("\n".join([HEADER, *blocks]) if blocks else "", tuple(items))


def _catalog(hits: Sequence[Hit], max_tokens: int) -> tuple[str, tuple[Item, ...]]:
    for size in range(len(hits), 0, -1):
        text = catalog(hits[:size])
        if count_tokens(text) <= max_tokens:
            return text, tuple(hit.item for hit in hits[:size])
    return "", ()


def _hybrid(hits: Sequence[Hit], max_tokens: int) -> tuple[str, tuple[Item, ...]]:
    full, shown = _inject(hits[:_HYBRID_FULL], max_tokens)
    rest = [hit for hit in hits if hit.item not in shown][:CATALOG_K]
    listed, named = _catalog(rest, max_tokens - count_tokens(full)) if rest else ("", ())
    return "\n".join(part for part in (full, listed) if part), shown + named


def _context(hits: Sequence[Hit], profile: Sequence[Item], max_tokens: int) -> tuple[str, tuple[Item, ...]]:
    pinned = {normalised(item.content): item for item in reversed(profile)}
    found = [hit.item for hit in hits if normalised(hit.item.content) not in pinned]
    groups: Mapping[str, list[Item]] = {
        "Facts": [item for item in found if _is_fact(item)],
        "Profiles": [item for item in profile if pinned[normalised(item.content)] is item],
        "Timeline": [item for item in found if item.type in {"event", "narrative"}],
        "Evidence": [item for item in found if item.type in {"episode", "chunk"}],
    }
    parts: list[str] = []
    items: list[Item] = []
    left = 0.0
    for name, share in _SECTIONS:
        budget = left + share * max_tokens
        lines, taken, spent = _fill(name, groups[name], budget)
        left = budget - spent
        if taken:
            parts.append("\n".join(lines))
            items.extend(taken)
    return "\n\n".join(parts), tuple(items)


def _fill(name: str, items: Sequence[Item], budget: float) -> tuple[list[str], list[Item], int]:
    lines = [f"## {name}"]
    spent = count_tokens(lines[0])
    taken: list[Item] = []
    for item in items:
        text = line(item)
        cost = count_tokens(text)
        if spent + cost > budget:
            continue
        spent += cost
        lines.append(text)
        taken.append(item)
    return lines, taken, spent if taken else 0


def _is_fact(item: Item) -> bool:
    return item.type not in {"event", "narrative", "episode", "chunk"}
