"""One run: what it may still spend, what it learned, what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from simonides.errors import InvalidInput, ProviderError
from simonides.recall.agenda.known import KnownItems
from simonides.recall.agenda.node import AgendaNode, Goal, NodeStep, Piece, Subgoal
from simonides.recall.agenda.score import Scorer
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.agenda.source import AgendaSource, Evidence, Finding, Validator, Wording
from simonides.recall.agenda.subgoals import open_subgoals


class AgendaRun:
    """Asks the source, the model and the validator within the budgets, and never twice the same.

    Attributes:
        known: The items seen so far.
        searches: Whole searches made.
        refuted: Keys of items that a validator contradicted; no explanation may rest on them.
        degradations: What did not work as it should, in words.
    """

    def __init__(
        self,
        goal: Goal,
        source: AgendaSource,
        settings: AgendaSettings,
        *,
        scorer: Scorer,
        word: Wording | None,
        validator: Validator | None,
        clock: Callable[[], float],
    ) -> None:
        self.goal = goal
        self.settings = settings
        self.known = KnownItems(source)
        self.searches = 0
        self.refuted: set[int] = set()
        self.degradations: list[str] = []
        self._source = source
        self._scorer = scorer
        self._word = word
        self._validator = validator
        self._clock = clock
        self._deadline = clock() + settings.seconds
        self._asked: dict[tuple[str, ...], list[Piece]] = {}
        self._worded: dict[tuple[Subgoal, tuple[str, ...]], str] = {}
        self._findings: dict[int, Finding] = {}

    @property
    def in_time(self) -> bool:
        """True if another step may still begin."""
        return self._clock() < self._deadline

    def begin(self, hits: int) -> Sequence[Evidence]:
        """The ordinary answer to the question: the first search. So many hits as a search gives are looked at."""
        self.searches += 1
        found = self._source.find(self.goal.text, max(hits, self.settings.width))
        self._asked["find", self.goal.text] = self.known.take(found[: self.settings.width])
        return found

    def find(self, text: str) -> list[Piece]:
        """Hits of an ordinary search for a text; none where no search is left."""
        return self._searched(("find", text), lambda: self._source.find(text, self.settings.width))

    def documents(self, text: str) -> list[Piece]:
        """Pieces of documents that a search finds; nothing where there are none or no search is left."""
        if not self._source.has_documents:
            return []
        return self._searched(("documents", text), lambda: self._source.documents(text, self.settings.width))

    def sharing(self, entities: Sequence[str], tags: Sequence[str], exclude: Collection[int]) -> list[Piece]:
        """Items that mention an entity or carry a tag."""
        if not (entities or tags) or not self.settings.shared:
            return []
        asked = ("sharing", *entities, "", *tags)
        if asked not in self._asked:
            found = self._source.sharing(entities, tags, exclude, self.settings.shared)
            self._asked[asked] = self.known.take(found)
        return self._asked[asked]

    def worded(self, subgoal: Subgoal, anchors: tuple[str, ...], plain: str) -> str:
        """A query for a subgoal: the model's words where there is one that answers, else the plain ones."""
        asked = (subgoal, anchors)
        if asked not in self._worded and self._word is not None and self.in_time:
            self._worded[asked] = self._by_model(self._word, subgoal, anchors)
        return self._worded.get(asked) or plain

    def finding(self, piece: Piece) -> Finding | None:
        """Opinion of the validator on an item; None where it was not asked."""
        return self._findings.get(piece.key)

    def check(self, piece: Piece) -> Finding:
        """Ask the validator about an item; unknown where there is none, or no check or time is left."""
        if self._validator is None or len(self._findings) >= self.settings.checks or not self.in_time:
            return Finding.UNKNOWN
        try:
            finding = self._validator.check(piece.sketch.content, piece.sketch)
        except ProviderError as error:
            self._validator = None  # One that fails once is not waited for again.
            self.degradations.append(f"agenda: claims are not checked: {error}")
            return Finding.UNKNOWN
        self._findings[piece.key] = finding
        if finding is Finding.CONTRADICTED:
            self.refuted.add(piece.key)
        return finding

    def explained(
        self,
        support: tuple[Piece, ...],
        *,
        confirmed: frozenset[int] = frozenset(),
        step: NodeStep | None = None,
        parent: AgendaNode | None = None,
    ) -> AgendaNode:
        """An explanation, scored, without an id of its own yet.

        Raises:
            InvalidInput: The scorer gave a score outside of [0, 1].
        """
        node = AgendaNode(
            goal=self.goal,
            support=support,
            open=open_subgoals(self.goal, support),
            similarity=self.known.mean_similarity(support),
            confirmed=confirmed,
            step=step or NodeStep("start", added=tuple(piece.key for piece in support)),
            parent=None if parent is None else parent.id,
            depth=0 if parent is None else parent.depth + 1,
        )
        parts = self._scorer.score(node)
        if not 0 <= parts.score <= 1:
            raise InvalidInput(f"a scorer's score lies in [0, 1], got {parts.score}; clamp it")
        return replace(node, parts=parts)

    def _searched(self, asked: tuple[str, ...], search: Callable[[], Sequence[Evidence]]) -> list[Piece]:
        if asked not in self._asked:
            if self.searches >= self.settings.searches or not self.in_time:
                return []
            self.searches += 1
            self._asked[asked] = self.known.take(search())
        return self._asked[asked]

    def _by_model(self, word: Wording, subgoal: Subgoal, anchors: tuple[str, ...]) -> str:
        try:
            text = " ".join(word(self.goal.text, subgoal.words, anchors).split())
            reason = "" if text else "the model gave no words"
        except ProviderError as error:
            text, reason = "", str(error)
        if reason:
            self._word = None  # One that fails once is not waited for again.
            self.degradations.append(f"agenda: queries are worded without a model: {reason}")
        return text
