"""Operators: ways to a better explanation.

Each proposes changes of one explanation; the search weighs them. `expand_memory` and `verify` cost a look-up,
`bridge` and `expand_docs` a whole search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from simonides.domain.item import Validation
from simonides.recall.agenda.names import Bonds, says
from simonides.recall.agenda.node import AgendaNode, Goal, Piece, Subgoal, SubgoalKind
from simonides.recall.agenda.run import AgendaRun
from simonides.recall.agenda.score import doubtful
from simonides.recall.agenda.source import Finding
from simonides.recall.agenda.subgoals import anchored, held_weight, tied
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change of an explanation.

    Attributes:
        subgoal, words: What the operator was after, and what it asked, where it asked.
        drop: Keys of items that leave the support.
        confirm: Keys of items that a validator found to hold.
    """

    operator: str
    subgoal: Subgoal | None = None
    words: str = ""
    add: tuple[Piece, ...] = ()
    drop: frozenset[int] = frozenset()
    confirm: frozenset[int] = frozenset()


Operator: TypeAlias = Callable[[AgendaNode, AgendaRun], list[Proposal]]


def expand_memory(node: AgendaNode, run: AgendaRun) -> list[Proposal]:
    """Items that hold something open: those seen already, and those that share missing entities or tags.

    The names that the support goes on to count as missing too: who leads the project is a way to what
    the question asks of that person.
    """
    if not node.open:
        return []
    entities = [subgoal.words for subgoal in node.open if subgoal.kind is SubgoalKind.ENTITY]
    tags = [subgoal.words.casefold() for subgoal in node.open if subgoal.kind is SubgoalKind.TERM]
    shared = run.sharing([*entities, *anchors(node, run.settings.anchors)], tags, set(node.keys))
    missing = {subgoal.name for subgoal in node.open}
    holding = [piece for piece in run.known if piece.holds & missing]
    return [Proposal("expand_memory", add=(piece,)) for piece in _fresh([*holding, *shared], node, run)]


def verify(node: AgendaNode, run: AgendaRun) -> list[Proposal]:
    """Prefer items with hashed sources for the critical claims, and ask the validator about one of them.

    An item that says the same and whose source has a hash takes the claim's place, if nothing that only
    the claim covered gets lost.
    """
    claims = critical_claims(node)
    if not claims:
        return []
    run.sharing(claims[0].names[: run.settings.anchors], [], set(node.keys))
    return [
        *_checked(claims, run),
        *(proposal for claim in claims for proposal in _witnessed(claim, node, run)),
    ]


def bridge(node: AgendaNode, run: AgendaRun) -> list[Proposal]:
    """The weightiest open subgoal as a new query."""
    if not node.open:
        return []
    words = _query(node, run)
    return [
        Proposal("bridge", subgoal=node.open[0], words=words, add=(piece,))
        for piece in _fresh(run.find(words), node, run)
    ]


def expand_docs(node: AgendaNode, run: AgendaRun) -> list[Proposal]:
    """Look in documents for the weightiest open subgoal."""
    if not node.open:
        return []
    words = _query(node, run)
    return [
        Proposal("expand_docs", subgoal=node.open[0], words=words, add=(piece,))
        for piece in _fresh(run.documents(words), node, run)
    ]


#: In the order in which they are tried, until one closes a subgoal. Those that cost a search come after the
#: one that does not; where nothing closes anything, what is there can at least be made surer.
OPERATORS: Final[tuple[Operator, ...]] = (expand_memory, bridge, expand_docs, verify)


def anchors(node: AgendaNode, count: int) -> tuple[str, ...]:
    """Names that a search can go on from: in items that belong together, and not in the question.

    What the item found last adds to them comes first, then those of the items that hold most of the
    question. None where the question names entities and the support mentions none of them: its names
    lead astray.
    """
    if node.goal.entities and not anchored(node.goal, node.support):
        return ()
    latest = set(node.step.added) if node.parent is not None else set[int]()
    belonging = sorted(
        tied(node.goal, node.support), key=lambda piece: (-held_weight(node.goal, piece), piece.key)
    )
    before = {name.casefold(): name for piece in belonging if piece.key not in latest for name in piece.names}
    added = {name.casefold(): name for piece in belonging if piece.key in latest for name in piece.names}
    new = {folded: name for folded, name in added.items() if folded not in before}
    return tuple(name for name in (new | before).values() if not says(node.goal.text, name))[:count]


def critical_claims(node: AgendaNode) -> list[Piece]:
    """Items on whose word alone some of the explanation rests, most of it first, ties by key.

    Those that can be checked, having a hashed source, and those that were, are left out.
    """
    claims = [
        (-weight, piece.key, piece)
        for piece in tied(node.goal, node.support)
        if not piece.sketch.hashed
        and piece.sketch.validation != Validation.VERIFIED
        and piece.key not in node.confirmed
        and (weight := _weight(node.goal, _held_alone(node, piece))) > 0
    ]
    return [piece for *_, piece in sorted(claims)]


def _checked(claims: Sequence[Piece], run: AgendaRun) -> list[Proposal]:
    """Opinions of the validator on these claims so far, and on the first one that is new to it."""
    found = {claim.key: run.finding(claim) for claim in claims}
    new = next((claim for claim in claims if found[claim.key] is None), None)
    if new is not None:
        found[new.key] = run.check(new)
    return [
        Proposal("verify", confirm=frozenset({key}))
        if finding is Finding.SUPPORTED
        else Proposal("verify", drop=frozenset({key}))
        for key, finding in found.items()
        if finding in {Finding.SUPPORTED, Finding.CONTRADICTED}
    ]


def _witnessed(claim: Piece, node: AgendaNode, run: AgendaRun) -> list[Proposal]:
    """Items with hashed sources in a claim's place, those that say most nearly the same first."""
    alone = _held_alone(node, claim)
    taken = {*node.keys, *run.refuted}
    witnesses = [
        (-likeness, piece.key, piece)
        for piece in run.known
        if piece.sketch.hashed
        and not doubtful(piece.sketch)
        and piece.key not in taken
        and piece.holds >= alone
        if (likeness := run.known.similarity(piece, claim)) >= run.settings.same_claim
    ]
    dropped = frozenset({claim.key})
    return [
        Proposal("verify", add=(piece,), drop=dropped)
        for *_, piece in sorted(witnesses)[: run.settings.considered]
    ]


def _query(node: AgendaNode, run: AgendaRun) -> str:
    """The first subgoal, names to go on from, and what else is open: a text that has several of these ranks first."""
    subgoal = node.open[0]
    names = anchors(node, run.settings.anchors)
    others = [other.words for other in node.open[1:] if other.weight > 0][: run.settings.companions]
    return run.worded(subgoal, names, " ".join([subgoal.words, *names, *others]))


def _fresh(pieces: Iterable[Piece], node: AgendaNode, run: AgendaRun) -> list[Piece]:
    """Pieces that may join, as many as are considered: those that hold most of what is open first.

    One may if it shares a name with the explanation, or mentions an entity of the question that is open, and where
    the explanation has none of these yet, if it holds anything that is open. Where some hold something open, or bring
    a name to go on from, the others lead nowhere.
    """
    belonging = tied(node.goal, node.support)
    entities = {want.name for want in node.goal.entities}
    seeded = anchored(node.goal, belonging)
    bonds = Bonds().joined(piece.bonds for piece in belonging)
    missing = {subgoal.name: subgoal.weight for subgoal in node.open}
    taken = {*node.keys, *run.refuted}
    ranked: dict[int, tuple[float, bool, float, int, Piece]] = {}
    for piece in pieces:
        held = sum(weight for name, weight in missing.items() if name in piece.holds)
        joins = held > 0 and not (seeded and piece.holds.isdisjoint(entities))
        if piece.key not in taken and (joins or piece.bonds.shared(bonds) - entities):
            goes_on = any(
                name.casefold() not in bonds.names and not says(node.goal.text, name) for name in piece.names
            )
            ranked[piece.key] = (-held, not goes_on, -piece.relevance, piece.key, piece)
    chosen = sorted(ranked.values())
    leading = [entry for entry in chosen if entry[0] < 0 or not entry[1]]
    return [piece for *_, piece in (leading or chosen)[: run.settings.considered]]


def _held_alone(node: AgendaNode, claim: Piece) -> frozenset[str]:
    others = {name for piece in node.support if piece.key != claim.key for name in piece.holds}
    return claim.holds - others


def _weight(goal: Goal, names: frozenset[str]) -> float:
    return sum(want.weight for want in goal.wants if want.name in names)
