"""The form of a change: a subject that can be read and written, its value before, and its value after."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field, fields, replace
from typing import Any, ClassVar, Final, Self

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Item
from simonides.domain.run import LeftAlone, RunChange
from simonides.governance.policy import Policy
from simonides.ports.store import Reader, Writer
from simonides.values import dataclass

#: Fields of subjects that are columns of the store; the others stand in the details of a change.
_COLUMNS: Final = frozenset({"item_id", "other_id", "entity_id"})


class Stale(Exception):
    """Raised where a step was made from what is no longer so."""

    def __init__(self, why: str, *item_ids: str) -> None:
        super().__init__(why)
        self.why = why
        self.item_ids = item_ids


@dataclass(frozen=True, slots=True)
class Work:
    """A transaction of a run, in which changes are applied or taken back.

    Attributes:
        run_id: The run that writes.
        at: The present instant.
        model: The embedder that made the vectors of the changes; None where they bring none.
        source: The run whose changes are taken back.
        vectors: Vectors by text, of what comes back.
        left: Filled with what an undo left alone, or ended otherwise than it had been.
    """

    tx: Writer
    run_id: str
    at: int
    model: EmbedderIdentity | None = None
    source: str = ""
    vectors: Mapping[str, Any] = field(default_factory=dict[str, Any])
    left: list[LeftAlone] = field(default_factory=list[LeftAlone])


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing that changes. Its fields are what the store tells it by: `of` and `row` carry them there and back.

    A subject that must stand as a run left it before the run's change is taken back says so in `changed`.
    """

    #: Kinds of changes of the same subject. Where a later run began with the value that an earlier one left, only
    #: they tell; empty where revisions do.
    kinds: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def of(cls, change: RunChange) -> Self:
        """The subject of a stored change."""
        names = [entry.name for entry in fields(cls)]
        values = [getattr(change, name) if name in _COLUMNS else change.details.get(name) for name in names]
        return cls(*(value or "" for value in values))

    def row(self, kind: str, **details: Any) -> RunChange:
        """A change of the subject as the store keeps it, without its place in the run; what is None is left out."""
        names = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        columns = {name: names.pop(name) for name in _COLUMNS & names.keys()}
        kept = {name: value for name, value in (names | details).items() if value is not None}
        return RunChange(number=0, step=0, kind=kind, **columns, details=kept)

    def read(self, reader: Reader) -> Any:
        """The present value, in the form in which the details of a change hold it; None where there is none."""

    def write(self, tx: Writer, value: Any, /) -> None:
        """Give it a value, as `read` gives one."""

    def before(self, change: RunChange) -> Any:
        """The value that a change found."""
        return change.details.get("before")

    def after(self, change: RunChange) -> Any:
        """The value that a change left."""
        return change.details.get("after")

    def changed(self) -> LeftAlone | None:
        """The reason to leave a change where the subject has another value by now; None if there is none."""
        return None

    def is_back(self, _reader: Reader, _change: RunChange, /) -> bool:
        """True if it is again as a change found it, because somebody made it so: there is nothing to take back."""
        return False

    def take_back(self, work: Work, change: RunChange) -> RunChange:
        """Give it the value that a change found; that in the form in which the store keeps it."""
        self.write(work.tx, self.before(change))
        return reversal(change)

    def lines(self, _before: Any, _after: Any, /) -> tuple[str, ...]:
        """The lines of a diff between two values."""
        return ()

    def stored_lines(self, _reader: Reader, /, change: RunChange) -> tuple[str, ...]:
        """The lines of a stored change, of a change that was taken back too."""
        if "of" in change.details:
            return (f"  {change.kind} {change.details['of']} taken back",)
        return self.lines(self.before(change), self.after(change))


@dataclass(frozen=True, slots=True)
class Change(ABC):
    """One change that a job plans."""

    #: As the store and `runs show` call it.
    kind: ClassVar[str]
    #: What the books of a run count it as.
    counted: ClassVar[str] = "noted"

    def counts(self) -> tuple[str, int]:
        """The name under which it is counted, and for how many."""
        return self.counted, 1

    def touches(self) -> tuple[str, ...]:
        """Ids of the items that it would change."""
        return tuple(item.id for item in self.states())

    def states(self) -> tuple[Item, ...]:
        """Items as the plan read them. If one is another by then, the step is left out."""
        return ()

    def words(self) -> str:
        """Words that pass the policy by themselves, beside those of items."""
        return ""

    def judged(self, policy: Policy, _at: int, /) -> Change | tuple[str, ...]:
        """The change in the form in which the policy lets it through; why not, where it does not."""
        words = self.words()
        return (words.strip() and policy.refusals(words)) or self

    def text(self) -> str | None:
        """The text that is to be embedded; None where there is none."""
        return None

    def completed(self, _vector: Any, /) -> Change:
        """The change with the vector of its text, if there is one, and with the names that it mentions."""
        return self

    def has_vector(self) -> bool:
        """True if it brings a vector of the present embedder."""
        return False

    @abstractmethod
    def lines(self) -> tuple[str, ...]:
        """Lines of a diff."""

    @abstractmethod
    def details(self) -> dict[str, Any]:
        """JSON for a dry run."""

    @abstractmethod
    def apply(self, work: Work) -> RunChange | None:
        """Make the change; what the store is to keep of it, None where all was so already.

        Raises:
            Stale: What the plan was made from is no longer so.
            Conflict, NotFound: As the store says; they count as Stale.
        """


@dataclass(frozen=True, slots=True)
class Put(Change):
    """A change that gives its subject a value."""

    @abstractmethod
    def planned(self) -> tuple[Subject, Any, Any]:
        """The subject, its value before as far as the plan knows it, and its value after."""

    def lines(self) -> tuple[str, ...]:
        subject, before, after = self.planned()
        return subject.lines(before, after)

    def apply(self, work: Work) -> RunChange | None:
        subject, _, after = self.planned()
        return self.put(work, subject, subject.read(work.tx), after)

    def put(self, work: Work, subject: Subject, before: Any, after: Any, **details: Any) -> RunChange | None:
        """Write the value after, if it is not the one before."""
        if before == after:
            return None
        subject.write(work.tx, after)
        return subject.row(self.kind, before=before, after=after, **details)


def reversal(change: RunChange, **details: Any) -> RunChange:
    """The row of a change that was taken back."""
    kept = {"of": change.number, **details}
    return replace(change, number=0, before=None, after=None, details=kept, undone_by=None, lines=())
