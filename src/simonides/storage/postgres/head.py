"""The head of a tenant: what SQLite keeps in its table of facts, in memory while the tenant is written to."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace
from typing import Final

from simonides.values import dataclass

#: Facts of a store by their names, with the field that holds each.
FACTS: Final = {"audit_key": "audit_key", "audit_head": "audit_head", "epoch": "epoch"}


@dataclass(slots=True)
class Head:
    """A tenant's row of `memory_heads`, and what a transaction will add to it and beside it.

    Attributes:
        worded, tokens: Rows and tokens of the text index, as they were when the head was read.
        more_worded, more_tokens: How many more there are by now.
        changed: Items of which the feed of changes is to be told, in order.
        terms: How many more items hold a term.
    """

    epoch: str
    last_key: int
    last_change: int
    last_revision: int
    commits: int
    worded: int
    tokens: int
    audit_key: bytes
    audit_head: bytes
    names_after: int | None
    names_until: int | None
    more_worded: int = 0
    more_tokens: int = 0
    changed: list[int] = field(default_factory=list[int])
    terms: Counter[str] = field(default_factory=Counter[str])

    def copied(self) -> Head:
        """The head as it is, for a part of the transaction that may be taken back."""
        return replace(self, changed=list(self.changed), terms=Counter(self.terms))

    # Names of items that nobody has looked through

    def leave_unnamed(self, after: int, until: int) -> None:
        """Let the items behind one key up to another count as unnamed, beside those that do."""
        self.names_after = after if self.names_after is None else min(self.names_after, after)
        self.names_until = until if self.names_until is None else max(self.names_until, until)

    def note_named(self, key: int) -> None:
        """Note that every item up to this one has been looked through."""
        if self.names_until is not None:
            self.names_after = key if self.names_after is None else max(self.names_after, key)

    def end_naming(self) -> None:
        """Forget the bounds once nothing is left between them."""
        if (
            self.names_after is not None
            and self.names_until is not None
            and self.names_after >= self.names_until
        ):
            self.names_after = self.names_until = None
