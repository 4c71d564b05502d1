"""One memory: what it says, why it is believed, what became of it, what it hangs together with, how it fades."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from simonides.domain.instant import DAY_US
from simonides.domain.item import Item, Validation
from simonides.domain.link import Relation
from simonides.domain.records import Injection, Revision
from simonides.domain.retention import FADED_BELOW
from simonides.domain.taxonomy import Tier
from simonides.edges.page.drawn_graph import DrawnGraph, Neighbour, drawn
from simonides.edges.page.notices import done
from simonides.edges.page.rows import row_of
from simonides.edges.page.visit import View, Visit
from simonides.edges.page.word_diff import DiffPart, word_diff
from simonides.edges.page.wording import FIELDS
from simonides.edges.report import charts
from simonides.edges.report.collect import AHEAD_DAYS, BEHIND_DAYS, Fading, faded
from simonides.errors import NotFound
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides import Explanation, Graph

#: Turns that are told before and after the one that said it.
_AROUND: Final = 2
_SOURCES: Final = 3
_LINKED: Final = 24
_PROMPTS_LOOKED_AT: Final = 500
_PROMPTS: Final = 10
_EVENTS: Final = 30
#: Links by which an item came from others.
_CAME_BY: Final = (Relation.EXTRACTED_FROM, Relation.DERIVED_FROM)
#: Reasons of revisions, in words.
_REASONS: Final = {
    "create": "stored",
    "correct": "said instead",
    "update": "changed",
    "supersede": "replaced",
    "confirm": "confirmed",
    "forget": "forgotten",
    "restore": "brought back",
    "approve": "approved",
    "reject": "rejected",
    "reopen": "decision taken back",
    "merge": "merged",
    "consolidate": "merged",
    "promote": "promoted",
    "decay": "faded away",
    "expire": "expired",
}


@dataclass(frozen=True, slots=True)
class SourceExcerpt:
    """Turns of a conversation around one that matters.

    Attributes:
        session_id: The conversation; None where the turn stands alone.
        before, after: How many turns there are besides.
    """

    session_id: str | None
    turns: Sequence[Item]
    marked: str
    before: int = 0
    after: int = 0


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """A step of an item's history.

    Attributes:
        parts: What became of the text; empty where it stayed.
        changed: Other fields, with their values before and after.
        begins: Whether there is nothing before it to tell it beside, so that its text is told whole.
    """

    revision: Revision
    word: str
    parts: Sequence[DiffPart]
    changed: Sequence[tuple[str, str, str]]
    begins: bool


def place(visit: Visit) -> View:
    """The item with everything that is known about it."""
    item = visit.item()
    memory = visit.memory
    explained = memory.explain(item.id).seen(visit.shows, visit.in_sight)
    history = [one for one in memory.history(item.id) if visit.shows(one.item.scope)]
    graph = memory.graph(item.id, depth=1, scope=visit.scope_of(item), limit=_LINKED + 1)
    prompts = _prompts(visit, item)
    notice = done(visit)
    shown: dict[str, Any] = {
        "here": "Item",
        "item": item,
        "row": row_of(item, visit),
        "explained": explained,
        "sources": _sources(visit, item, explained),
        "steps": _steps(history),
        "graph": _drawn(item, graph),
        "fading": _curve(visit, item),
        "prompts": prompts,
        "notice": None if notice is None else notice[1],
        "charts": charts,
        "derived": [one for one in memory.derived(item.id) if visit.shows(one.item.scope)],
        "events": explained.events[:_EVENTS],
    }
    data = explained.to_dict() | {
        "history": [revision.to_dict() for revision in history],
        "graph": graph.to_dict(),
        "prompts": [prompt.to_dict() for prompt in prompts],
    }
    return View(template="item", shown=shown, data=data)


def _sources(visit: Visit, item: Item, explained: Explanation) -> list[SourceExcerpt]:
    """The turns that said it, each in its conversation."""
    ids = [item.id] if item.type == "episode" else []
    ids += [link.dst for link in explained.links if link.src == item.id and link.rel in _CAME_BY]
    sources: list[SourceExcerpt] = []
    for source_id in dict.fromkeys(ids):
        try:
            source = visit.seen(source_id)
        except NotFound:
            continue
        sources.append(_excerpt(visit, source))
        if len(sources) == _SOURCES:
            break
    return sources


def _excerpt(visit: Visit, source: Item) -> SourceExcerpt:
    if source.session_id is None or source.type != "episode":
        return SourceExcerpt(None, [source], source.id)
    try:
        turns = visit.memory.sessions.get(source.session_id, scope=source.scope)
    except NotFound:
        return SourceExcerpt(None, [source], source.id)
    at = next((n for n, turn in enumerate(turns) if turn.id == source.id), None)
    if at is None:
        return SourceExcerpt(source.session_id, [source], source.id)
    first, last = max(0, at - _AROUND), min(len(turns), at + _AROUND + 1)
    return SourceExcerpt(source.session_id, turns[first:last], source.id, first, len(turns) - last)


def _steps(history: Sequence[Revision]) -> list[HistoryStep]:
    """The history, newest first, each state beside the one before it."""
    steps: list[HistoryStep] = []
    before: dict[str, Item] = {}
    # What replaced another item is told beside what it replaced, also where that was taken back since.
    replaced = {one.item.superseded_by: one.item for one in history if one.item.superseded_by is not None}
    for revision in history:
        now = revision.item
        then = before.get(now.id) or replaced.get(now.id)
        text = (
            word_diff(then.content, now.content) if then is not None and then.content != now.content else ()
        )
        word = _REASONS.get(revision.reason, revision.reason)
        changed = () if then is None else _changes(then, now)
        steps.append(HistoryStep(revision, word, text, changed, begins=then is None))
        before[now.id] = now
    return steps[::-1]


def _changes(then: Item, now: Item) -> list[tuple[str, str, str]]:
    old, new = then.to_dict(), now.to_dict()
    return [
        (word, _value_text(old[name]), _value_text(new[name]))
        for name, word in FIELDS.items()
        if old[name] != new[name]
    ]


def _value_text(value: object) -> str:
    match value:
        case None | "" | []:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}".rstrip("0").rstrip(".")
        case list():
            return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case str() if value.endswith("Z") and value[:1].isdigit():
            return value[:16].replace("T", " ")
        case _:
            return str(value)


def _drawn(item: Item, graph: Graph) -> DrawnGraph:
    """Items and entities that are linked to an item directly, by relation, and the links between them."""
    nodes = {node.id: node for node in graph.nodes}
    neighbours: list[Neighbour] = []
    joined: list[tuple[str, str, str]] = []
    for edge in graph.edges:
        relation = edge.rel.value.replace("_", " ")
        if item.id not in (edge.src, edge.dst):
            joined.append((edge.src, edge.dst, relation))
            continue
        outward = edge.src == item.id
        other = nodes.get(edge.dst if outward else edge.src)
        if other is None or other.id == item.id:
            continue
        neighbours.append(
            Neighbour(
                id=other.id,
                kind=other.kind,
                label=other.label,
                relation=relation if outward else f"{relation} this",
                outward=outward,
                struck=other.status == "archived",
            )
        )
    return drawn(sorted(neighbours, key=lambda one: (one.kind, one.relation, one.label)), joined)


def _curve(visit: Visit, item: Item) -> Mapping[str, Any]:
    """The forgetting curve of an item, or why it has none."""
    if item.protected or item.status.value != "active":
        return {"chart": None, "why": _kept(item)}
    fading: Fading = faded(item, visit.now)
    labels = {day: _after(day) for day in (-BEHIND_DAYS, 0, AHEAD_DAYS)}
    chart = charts.falling({"confidence": fading.curve}, labels, FADED_BELOW)
    return {
        "chart": chart,
        "now": fading.confidence,
        "gone_at": fading.gone_at,
        "beyond": fading.gone_at > visit.now + AHEAD_DAYS * DAY_US,
        "why": "",
    }


def _after(days: int) -> str:
    return "today" if days == 0 else f"{days} days on" if days > 0 else f"{-days} days ago"


def _kept(item: Item) -> str:
    """Reason that an item does not fade."""
    if item.status.value != "active":
        return f"It is {item.status.value} and out of recall, so it does not fade."
    if item.validation is Validation.VERIFIED:
        return "It does not fade: somebody confirmed it."
    if item.pinned:
        return "It does not fade: it is pinned."
    if item.tier is Tier.LTM:
        return "It does not fade: it has settled in the long term."
    return f"It does not fade: a memory of type {item.type} keeps its confidence."


def _prompts(visit: Visit, item: Item) -> list[Injection]:
    """The latest prompts that it was put into, of those that the visitor may see."""
    return [
        prompt
        for prompt in visit.memory.injections(limit=_PROMPTS_LOOKED_AT)
        if any(item_id == item.id for item_id, _ in prompt.items) and visit.asks(prompt.scope)
    ][:_PROMPTS]
