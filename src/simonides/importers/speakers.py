"""Names under which the statements of a source were made, and which of them are their users'."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress

from simonides.domain.importing import placed
from simonides.domain.scope import Scope
from simonides.errors import InvalidInput
from simonides.governance.speakers import UNNAMED, users_among
from simonides.importers.files import an_id


class Speakers:
    """The speakers of a source: all are heard before the first of its statements is told from another's.

    Args:
        scope: Where a caller wants it: that user's names are looked for, whomever the source names.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._heard: defaultdict[str, set[str]] = defaultdict(set)
        self._own: dict[str, frozenset[str]] = {}

    def hear(self, name: str, whose: Mapping[str, object]) -> None:
        """Note who made a statement.

        Args:
            whose: Parts of its scope as the source has them.
        """
        # Whose nobody can tell is refused where it is taken in.
        with suppress(InvalidInput):
            self._heard[self._of_one_user(whose)].add(name)

    def is_users(self, name: str, whose: Mapping[str, object]) -> bool:
        """True if the user of a statement's scope made it, of all who were heard there."""
        try:
            scope = self._of_one_user(whose)
        except InvalidInput:
            return False
        if scope not in self._own:
            self._own[scope] = users_among(self._heard[scope], scope)
        return not name or name in self._own[scope]

    def _of_one_user(self, whose: Mapping[str, object]) -> Scope:
        """The scope that a statement goes into, of a user in whatever project."""
        scope = placed(self._scope, whose)
        user = dict(scope.parts).get("user")
        return scope if user is None else Scope(f"user:{user}")


def name_of(value: object) -> str:
    """The name that a source has for a speaker: empty for none, and somebody's where it is no name (a list)."""
    return "" if value in (None, "") else an_id(value).strip() or UNNAMED
