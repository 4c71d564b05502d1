"""Selections as SQL: a closed set of fixed fragments with bound values, as far as every dialect words them alike.

Each fragment speaks of `i`, a row of `memory_items`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection

#: The values that a fragment binds for a field's value.
Binding: TypeAlias = Callable[[Any], dict[str, Any]]

#: The fragments of a selection that nothing can pass.
NOTHING: Final = ["FALSE"]
#: Written out, not bound: the partial indexes ask for these very words.
_HAS_STATUS: Final = {status: f"i.status = '{status.value}'" for status in Status}
_UNPROTECTED: Final = "i.decay_rate > 0 AND i.pinned = 0 AND i.tier <> 'ltm' AND i.validation <> 'verified'"
_VALID: Final = """coalesce(i.valid_from, i.event_at, i.created_at) <= :valid_at
    AND (i.valid_until IS NULL OR i.valid_until > :valid_at)"""
#: Written out: the partial index of records asks for these very words.
_RECORD: Final = "i.type = 'record' AND i.source_id >= '/' AND i.source_id < '0'"
#: '0' follows '/'. The narrower bounds stand first: of several, SQLite walks the index within the first.
_UNDER: Final = f"i.source_id >= :space || '/' AND i.source_id < :space || '0' AND {_RECORD}"
#: A chunk of a document, or of one in a folder. ('0' follows '/'.)
_OF_DOCUMENT: Final = (
    "i.type = 'chunk' AND (i.source_id = :path OR i.source_id >= :path || '/' AND i.source_id < :path || '0')"
)
#: Fields of a selection in the order in which they are tested; any other comes after them.
_ORDER: Final = (
    "tiers", "tags", "entity", "after", "before", "valid_at", "begun_at", "lasting_at", "replaced", "former",
    "session_id", "task_id", "corpus_id", "metadata", "source_id", "address", "space", "path", "among",
    "recorded_since", "expired_at", "mentioned", "place", "lacking", "unprotected", "unnamed", "held", "weak",
)  # fmt: skip


def value_of(name: str) -> Binding:
    """Binding of a value to one name."""
    return lambda value: {name: value}


def nothing(_: Any) -> dict[str, Any]:
    """Binding of what its fragment says already."""
    return {}


#: Fragments that every dialect words alike.
_SHARED: Final[Mapping[str, tuple[str, Binding]]] = {
    "valid_at": (_VALID, value_of("valid_at")),
    "begun_at": ("(i.valid_from IS NULL OR i.valid_from <= :begun_at)", value_of("begun_at")),
    "lasting_at": ("(i.valid_until IS NULL OR i.valid_until > :lasting_at)", value_of("lasting_at")),
    "replaced": ("(i.status <> 'archived' OR i.superseded_by IS NOT NULL)", nothing),
    "session_id": ("i.session_id = :session_id", value_of("session_id")),
    "task_id": ("i.task_id = :task_id", value_of("task_id")),
    "corpus_id": ("i.corpus_id = :corpus_id", value_of("corpus_id")),
    "source_id": ("i.source_id = :source_id", value_of("source_id")),
    "address": (f"{_RECORD} AND i.source_id = :address", value_of("address")),
    "space": (_UNDER, value_of("space")),
    "path": (_OF_DOCUMENT, value_of("path")),
    "recorded_since": ("i.created_at >= :recorded_since", value_of("recorded_since")),
    "expired_at": ("i.expires_at <= :expired_at", value_of("expired_at")),
    "unprotected": (_UNPROTECTED, nothing),
}
#: What the fragments bind that each dialect words by itself, where they bind the same.
_BOUND: Final[Mapping[str, Binding]] = {
    "after": value_of("happened_from"),
    "before": value_of("happened_before"),
    "former": lambda held: {
        "former_since": held.since,
        "former_until": held.until,
        "former_copies": int(held.copies),
    },
    "metadata": lambda held: {"metadata": f"{{{','.join(f'{json.dumps(k)}:{v}' for k, v in held)}}}"},
    "place": lambda place: dict(zip(("domain", "room", "shelf"), place, strict=True)),
    "lacking": value_of("lacking"),
    "unnamed": nothing,
    "held": nothing,
    "weak": lambda weak: {"weak_at": weak.at, "weak_below": weak.below},
}


class Conditions:
    """The fragments of selections in one dialect."""

    def __init__(
        self,
        *,
        words: Mapping[str, str],
        bindings: Mapping[str, Binding],
        one_of: str,
        bound: Callable[[Collection[Any]], object],
    ) -> None:
        """Conditions of a dialect.

        Args:
            words: Fragments that it words by itself, by field.
            bindings: Of those of them that bind by its own ways.
            one_of: Test for one of several bound values, `{}` for their name.
            bound: Several values as such a test binds them.
        """
        self._one_of = one_of
        self._bound = bound
        several = {name: partial(self._several, name) for name in ("tiers", "among", "mentioned")}
        binding: Mapping[str, Binding] = {**_BOUND, **several, **bindings}
        words = {"tiers": self._among("i.tier", "tiers"), "among": self._among("i.key", "among"), **words}
        known = {**_SHARED, **{field: (fragment, binding[field]) for field, fragment in words.items()}}
        self._filters = {field: known[field] for field in (*_ORDER, *known)}

    def __call__(
        self, selection: Selection, scope_keys: Callable[[Sequence[Scope]], list[int]]
    ) -> tuple[list[str], dict[str, Any]]:
        """The fragments that a selection needs, and their values."""
        fragments: list[str] = []
        values: dict[str, Any] = {}

        def require(fragment: str, **bound: Any) -> None:
            fragments.append(fragment)
            values.update(bound)

        if selection.scopes is not None:
            keys = scope_keys(selection.scopes)
            if not keys:
                return NOTHING, {}
            if len(keys) == 1 and not self._is_of_turns(selection):
                require("i.scope_key = :scope_key", scope_key=keys[0])
            else:
                column = "+i.scope_key" if self._is_of_turns(selection) else "i.scope_key"
                require(self._among(column, "scope_keys"), scope_keys=self._bound(keys))
        if len(selection.statuses) == 1:
            (status,) = selection.statuses
            require(_HAS_STATUS[status])
        else:
            require(self._among("i.status", "statuses"), statuses=self._bound(selection.statuses))
        if selection.live_at is not None:
            require("(i.expires_at IS NULL OR i.expires_at > :live_at)", live_at=selection.live_at)
        if selection.narrow:
            self._narrow(selection, require)
        return fragments, values

    def _narrow(self, selection: Selection, require: Callable[..., None]) -> None:
        for field, (fragment, bind) in self._filters.items():
            value = getattr(selection, field)
            if value is not None and value is not False:
                require(fragment, **bind(value))
        if self._is_of_turns(selection):
            require("i.type = 'episode'")
        elif selection.types is not None:
            require(self._among("i.type", "types"), types=self._bound(selection.types))
        if selection.pinned is not None:
            require("i.pinned = 1" if selection.pinned else "i.pinned = 0")
        if selection.injectable is not None:
            require("i.injectable = :injectable", injectable=int(selection.injectable))

    def _among(self, column: str, values: str) -> str:
        return f"{column} {self._one_of.format(f':{values}')}"

    def _several(self, name: str, values: Collection[Any]) -> dict[str, Any]:
        return {name: self._bound(values)}

    def _is_of_turns(self, selection: Selection) -> bool:
        """True if the conditions have to be worded for the index of turns of one session."""
        del selection
        return False
