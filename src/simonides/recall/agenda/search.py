"""The agenda itself: a queue of partial explanations, the best one developed first, within budgets."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from simonides.recall.agenda.node import AgendaNode, Goal, NodeStep, Piece
from simonides.recall.agenda.operators import OPERATORS, Proposal
from simonides.recall.agenda.placing import PlacedItem, placed
from simonides.recall.agenda.run import AgendaRun
from simonides.recall.agenda.score import Scorer
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.agenda.source import AgendaSource, Evidence, Validator, Wording
from simonides.recall.agenda.trace import Expansion, Trace
from simonides.values import dataclass

#: Expansions of one that nobody asked for. Chains of three items take two to four.
_BRIEF_EXPANSIONS: Final = 6


class Stop(StrEnum):
    """Reason for which an agenda ended."""

    ANSWERED = "answered"
    NOTHING = "nothing found"
    EXHAUSTED = "nothing left to try"
    NO_GAIN = "no better explanation in sight"
    EXPANSIONS = "expansions spent"
    TOKENS = "tokens spent"
    TIME = "time spent"


@dataclass(frozen=True, slots=True)
class AgendaResult:
    """Outcome of an agenda.

    Attributes:
        best: The best explanation: one that leaves nothing open before others, then by score, then by id.
        ranking: The hits, in order: what `placing.placed` says.
        stop: Why it ended.
        searches: Whole searches made.
        refuted: Keys of items that the validator contradicted, ascending.
        degradations: What did not work as it should, in words.
    """

    best: AgendaNode
    ranking: tuple[PlacedItem, ...]
    trace: Trace
    stop: Stop
    searches: int
    refuted: tuple[int, ...] = ()
    degradations: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[int, ...]:
        """Keys of the hits, in order."""
        return tuple(hit.key for hit in self.ranking)

    @property
    def expansions(self) -> int:
        """Number of explanations that were developed."""
        return len(self.trace.expansions)

    @property
    def tokens(self) -> int:
        """Of the best explanation's support."""
        return self.best.tokens

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.best.goal.text,
            "best": self.best.to_dict(),
            "ranking": [hit.to_dict() for hit in self.ranking],
            "stop": self.stop.value,
            "expansions": self.expansions,
            "searches": self.searches,
            "tokens": self.tokens,
            "refuted": list(self.refuted),
            "trace": self.trace.to_dict(),
            "degradations": list(self.degradations),
        }


class Agenda:
    """Looks for an explanation that answers a question, best first.

    Without a model, a validator and a shortage of time, the same source gives the same result and trace.
    """

    def __init__(
        self,
        settings: AgendaSettings | None = None,
        *,
        scorer: Scorer | None = None,
        word: Wording | None = None,
        validator: Validator | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up for any number of runs.

        Args:
            scorer: What an explanation is worth; None for the formula with the settings' weights.
            word: Words new queries; None for the plain words of subgoal and names.
            clock: Seconds, never going back.
        """
        self._settings = settings or AgendaSettings()
        self._scorer = scorer or Scorer(self._settings.weights)
        self._word = word
        self._validator = validator
        self._clock = clock

    def brief(self) -> Agenda:
        """An agenda that nobody asked for: it makes no further search, and costs as much as one or two would."""
        few = replace(
            self._settings, searches=1, expansions=min(self._settings.expansions, _BRIEF_EXPANSIONS)
        )
        return Agenda(few, scorer=self._scorer, word=self._word, validator=self._validator, clock=self._clock)

    def run(self, goal: Goal, source: AgendaSource, *, hits: int = 0) -> AgendaResult:
        """Look for what answers a question.

        Args:
            hits: How many hits are wanted, where these are more than the settings' `width`.

        Cost: at most `searches` whole searches, and for each expansion some look-ups.

        Raises:
            InvalidInput: A scorer gave a score outside of [0, 1].
        """
        run = AgendaRun(
            goal,
            source,
            self._settings,
            scorer=self._scorer,
            word=self._word,
            validator=self._validator,
            clock=self._clock,
        )
        ordinary = run.begin(hits)
        queue = _Queue(run, ordinary)
        stop = queue.work()
        best = queue.best()
        return AgendaResult(
            best=best,
            ranking=placed(run, best, ordinary, queue.origins(best)),
            trace=Trace(tuple(queue.nodes), tuple(queue.expansions), best.id),
            stop=stop,
            searches=run.searches,
            refuted=tuple(sorted(run.refuted)),
            degradations=tuple(run.degradations),
        )


class _Queue:
    """The explanations of one run, and which of them are still to be developed."""

    def __init__(self, run: AgendaRun, ordinary: Sequence[Evidence]) -> None:
        self._run = run
        self._settings = run.settings
        self._cramped = False
        first = run.explained(self._beginning(run.known.take(ordinary[: run.settings.width])))
        self.nodes = [first]
        self.expansions: list[Expansion] = []
        self._ranks = [self._rank(first)]
        self._waiting = [first.order]
        self._seen = {first.signature}

    def work(self) -> Stop:
        """Develop explanations, the best first, until one answers or a budget is spent."""
        if not self.nodes[0].support:
            return Stop.TOKENS if self._cramped else Stop.NOTHING
        fruitless = 0
        while self._waiting:
            node = self.nodes[heapq.heappop(self._waiting)[1]]
            if self._refuted(node):
                continue
            answers = self._answers(node)
            if (spent := self._spent()) is not None:
                return Stop.ANSWERED if answers else spent
            before = self.best()
            children = self._expand(node)
            if answers and not self._refuted(node) and all(child.score <= node.score for child in children):
                return Stop.ANSWERED
            fruitless = 0 if self.best().id != before.id else fruitless + 1
            if fruitless >= self._settings.patience:
                return Stop.NO_GAIN
        if not self._run.in_time:
            return Stop.TIME
        return Stop.TOKENS if self._cramped else Stop.EXHAUSTED

    def best(self) -> AgendaNode:
        """The best explanation that nothing contradicts."""
        standing = (
            rank for rank, node in zip(self._ranks, self.nodes, strict=True) if not self._refuted(node)
        )
        return self.nodes[min(standing)[-1]]

    def origins(self, node: AgendaNode) -> dict[int, str]:
        """Operator that brought in each item that the first explanation did not have."""
        found: dict[int, str] = {}
        while node.parent is not None:
            found |= dict.fromkeys(node.step.added, node.step.operator)
            node = self.nodes[node.parent]
        return found

    def _beginning(self, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """The first hits, and some pieces of documents from further down, as far as the tokens go."""
        documents = [piece for piece in pieces[self._settings.start :] if piece.document is not None]
        chosen: list[Piece] = []
        for piece in [*pieces[: self._settings.start], *documents[: self._settings.start_documents]]:
            if sum(other.tokens for other in chosen) + piece.tokens <= self._settings.tokens:
                chosen.append(piece)
            else:
                self._cramped = True
        return tuple(chosen)

    def _spent(self) -> Stop | None:
        if len(self.expansions) >= self._settings.expansions:
            return Stop.EXPANSIONS
        return None if self._run.in_time else Stop.TIME

    def _answers(self, node: AgendaNode) -> bool:
        return bool(node.support) and not node.open and node.score > self._settings.enough

    def _rank(self, node: AgendaNode) -> tuple[bool, float, int]:
        """Sorts explanations: what answers first, then the best score, ties by id."""
        return (not self._answers(node), *node.order)

    def _refuted(self, node: AgendaNode) -> bool:
        refuted = self._run.refuted
        return any(piece.key in refuted for piece in node.support)

    def _expand(self, node: AgendaNode) -> list[AgendaNode]:
        """Develop an explanation; its children, best first, ties in the order of the operators."""
        found: list[AgendaNode] = []
        tried: list[tuple[str, int]] = []
        for operator in OPERATORS:
            proposals = operator(node, self._run)
            tried.append((operator.__name__, len(proposals)))
            found += [self._child(node, proposal) for proposal in proposals]
            if any(not set(node.open) <= set(child.open) for child in found):
                break  # Something is closed: what costs more can wait.
        fitting = [child for child in found if child.tokens <= self._settings.tokens]
        refused = len(found) - len(fitting)
        self._cramped = self._cramped or refused > 0
        children = [self._keep(child) for child in self._chosen(fitting)]
        kept = tuple(child.id for child in children)
        self.expansions.append(Expansion(node.id, tuple(tried), kept, refused))
        return children

    def _chosen(self, found: Sequence[AgendaNode]) -> list[AgendaNode]:
        """The best of the new explanations that lead somewhere, ties in the order in which they were found."""
        new: dict[object, AgendaNode] = {}
        for child in found:
            if (signature := child.signature) not in self._seen and not self._refuted(child):
                new.setdefault(signature, child)
        return sorted(new.values(), key=lambda child: -child.score)[: self._settings.children]

    def _keep(self, child: AgendaNode) -> AgendaNode:
        """Give an explanation its id and put it into the queue."""
        node = replace(child, id=len(self.nodes))
        self.nodes.append(node)
        self._ranks.append(self._rank(node))
        self._seen.add(node.signature)
        heapq.heappush(self._waiting, node.order)
        return node

    def _child(self, node: AgendaNode, proposal: Proposal) -> AgendaNode:
        stays = tuple(piece for piece in node.support if piece.key not in proposal.drop)
        step = NodeStep(
            operator=proposal.operator,
            subgoal=proposal.subgoal,
            words=proposal.words,
            added=tuple(piece.key for piece in proposal.add),
            dropped=tuple(sorted(proposal.drop)),
            confirmed=tuple(sorted(proposal.confirm)),
        )
        confirmed = (node.confirmed | proposal.confirm) - proposal.drop
        return self._run.explained(stays + proposal.add, confirmed=confirmed, step=step, parent=node)
