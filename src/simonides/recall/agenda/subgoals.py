"""Parts of a question that a set of items covers, and those that are open. Pure.

Only items that belong together cover anything: those that mention an entity of the question, and those
that share a name with one that does, over any number of steps. That somebody's manager lives in some
city says nothing about the manager who was asked for. Where the question names no entity, or none of
the items mentions it, every item counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from simonides.language.tables import worded
from simonides.recall.agenda.names import Bonds, says
from simonides.recall.agenda.node import Goal, Piece, Subgoal, SubgoalKind

#: An instance holds at least this share of what the best of them holds of the question.
_INSTANCE_SHARE: Final = 0.5
_SCANNED: Final = 2000
_CAUSE: Final = worded("agenda", r"\b{cause}\b|{han_cause}")
_TIME: Final = worded(
    "agenda",
    r"\b(?:1[0-9]|20)\d\d\b|\b\d{1,2}[:/.-]\d{1,2}\b|\b\d{1,2} ?(?:am|pm|h)\b|\d{1,4} ?[年月日点]"
    r"|\b{time}\b|{han_time}",
)
#: These tell of something that happened, and so have a time of their own.
_DATED: Final = frozenset({"episode", "event"})
_FACETS: Final = {"why": ("cause", "reason because"), "when": ("time", "date"), "who": ("person", "name")}


def tied(goal: Goal, support: Sequence[Piece]) -> tuple[Piece, ...]:
    """The items that belong together around the question's entities, in the order of the support."""
    entities = {want.name for want in goal.entities}
    seeds = [piece for piece in support if piece.holds & entities]
    if not seeds:
        return tuple(support)
    bonds = Bonds().joined(piece.bonds for piece in seeds)
    chosen = {piece.key for piece in seeds}
    rest = [piece for piece in support if piece.key not in chosen]
    # What mentions an entity of the question is among the seeds: "Apollo" does not tie "Apollo Two" to it.
    while more := [piece for piece in rest if piece.bonds.shared(bonds) - entities]:
        chosen.update(piece.key for piece in more)
        bonds = bonds.joined(piece.bonds for piece in more)
        rest = [piece for piece in rest if piece.key not in chosen]
    return tuple(piece for piece in support if piece.key in chosen)


def anchored(goal: Goal, support: Sequence[Piece]) -> bool:
    """True if some item mentions an entity of the question, so that one can tell which items belong together."""
    entities = {want.name for want in goal.entities}
    return any(not piece.holds.isdisjoint(entities) for piece in support)


def reached(goal: Goal, support: Sequence[Piece], piece: Piece) -> bool:
    """True if an item of a support belongs to the question's entities by names alone that it does not say.

    No search for the question's own names leads to such an item.
    """
    if not anchored(goal, support) or anchored(goal, [piece]):
        return False
    others = Bonds().joined(other.bonds for other in tied(goal, support) if other.key != piece.key)
    return any(not says(goal.text, name) for name in piece.bonds.shared(others))


def open_subgoals(goal: Goal, support: Sequence[Piece]) -> tuple[Subgoal, ...]:
    """Subgoals that the items leave open: entities, then terms, by weight, ties as in the question; then the rest."""
    belonging = tied(goal, support)
    held = {name for piece in belonging for name in piece.holds}
    entities = {want.name for want in goal.entities}
    missing = [
        Subgoal(
            SubgoalKind.ENTITY if want.name in entities else SubgoalKind.TERM,
            want.name,
            want.words,
            want.weight,
        )
        for want in goal.wants
        if want.name not in held
    ]
    missing.sort(key=lambda subgoal: (subgoal.kind is not SubgoalKind.ENTITY, -subgoal.weight))
    return (*missing, *_open_facets(goal, belonging))


def held_weight(goal: Goal, piece: Piece) -> float:
    """Weight of the question's information that an item holds, in the goal's weights."""
    return sum(want.weight for want in goal.wants if want.name in piece.holds)


def _open_facets(goal: Goal, belonging: Sequence[Piece]) -> list[Subgoal]:
    found: list[Subgoal] = []
    if goal.window is not None and not any(_within(piece, goal.window) for piece in belonging):
        found.append(Subgoal(SubgoalKind.TIME, "window", _topic(goal)))
    if goal.intent in _FACETS:
        name, cue = _FACETS[goal.intent]
        if not any(_has_facet(name, goal, piece) for piece in belonging):
            found.append(Subgoal(SubgoalKind.FACET, name, f"{_topic(goal)} {cue}".strip()))
    if goal.several and _instances(goal, belonging) < 2:
        found.append(Subgoal(SubgoalKind.FACET, "several", _topic(goal)))
    return found


def _has_facet(name: str, goal: Goal, piece: Piece) -> bool:
    text = f"{piece.sketch.title}\n{piece.sketch.content[:_SCANNED]}"
    if name == "cause":
        return _CAUSE.search(text) is not None
    if name == "time":
        return piece.sketch.type in _DATED or _TIME.search(text) is not None
    people = [*piece.names, piece.sketch.sender]
    return any(person and not says(goal.text, person) for person in people)


def _within(piece: Piece, window: tuple[int | None, int | None]) -> bool:
    since, until = window
    at = piece.sketch.event_at
    return (since is None or at >= since) and (until is None or at < until)


def _instances(goal: Goal, belonging: Sequence[Piece]) -> int:
    weights = [held_weight(goal, piece) for piece in belonging]
    best = max(weights, default=0.0)
    return sum(weight > 0 and weight >= _INSTANCE_SHARE * best for weight in weights)


def _topic(goal: Goal) -> str:
    """The two weightiest things that the question says."""
    wants = sorted(goal.wants, key=lambda want: -want.weight)
    return " ".join(want.words for want in wants[:2])
