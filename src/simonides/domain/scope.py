"""Scopes: where an item belongs, and what is visible from where."""

from __future__ import annotations

import itertools
import re
import reprlib
from enum import Enum
from typing import Final, TypeAlias, cast

from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.errors import InvalidScope

#: Parts in a scope. Visibility is every subset of the parts, so this bounds it at 64 paths.
MAX_PARTS: Final = 6
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_VALUE = later(
    r"(?=[^/\x00-\x1f\x7f\ud800-\udfff]{1,200}\Z)\S(?:.*\S)?", re.DOTALL
)  # No blank at its ends: who is meant must not depend on what nobody sees.
_FIRST = {"user": 0, "project": 1, "agent": 2}


class Scope(str):
    """A canonical scope path: `global`, `project:apollo`, `user:ana/project:apollo`.

    It is a string, so it compares, hashes and prints as one. Parts are put in the order user,
    project, agent, then the others by name; a key occurs once. A value is kept as it is written, so it
    neither begins nor ends with white space, which would look like the name of another.

    Raises:
        InvalidScope: It is not text, or the text is not `global` or key:value parts joined by `/`.
    """

    __slots__ = ()

    def __new__(cls, path: str = "global") -> Scope:
        if isinstance(path, Scope):
            return path
        # Whatever is no text must not be taken for "no restriction" further down.
        if not isinstance(path, str):
            raise InvalidScope(
                f"a scope is text such as 'user:ana', or simonides.ALL for everything; "
                f"not {type(path).__name__}: {reprlib.repr(path)}"
            )
        return _parse(str(path))

    @classmethod
    def of(cls, **parts: str | None) -> Scope:
        """The scope with these parts; a part of None is left out.

        Raises:
            InvalidScope: A value is none, or holds a `/`: it must not bring parts of its own.
        """
        given = {key: value for key, value in parts.items() if value is not None}
        for key, value in given.items():
            if not isinstance(value, str):
                raise InvalidScope(
                    f"the {key} of a scope is text, not {type(value).__name__}: {reprlib.repr(value)}"
                )
            if "/" in value:
                raise InvalidScope(
                    f"the {key} {value[:80]!r} holds a '/', which separates the parts of a scope"
                )
        return cls("/".join(f"{key}:{value}" for key, value in given.items()) or "global")

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """(key, value) pairs in canonical order; none for `global`."""
        if self == "global":
            return ()
        pairs = (part.partition(":") for part in self.split("/"))
        return tuple((key, value) for key, _, value in pairs)

    def narrowed(self, **parts: str | None) -> Scope:
        """The scope with further parts; a part of None is left out.

        Raises:
            InvalidScope: It has another value of one of them already, or a value is none.
        """
        known, further = dict(self.parts), dict(Scope.of(**parts).parts)
        for key, value in further.items():
            if known.get(key, value) != value:
                raise InvalidScope(
                    f"the scope {str(self)!r} and the {key} {value!r} contradict each other; give one of them"
                )
        return Scope.of(**known | further)

    def visible(self) -> tuple[Scope, ...]:
        """Every scope that can be seen from here: all subsets of the parts, itself first, `global` last."""
        return _visible(self)

    def sees(self, other: Scope) -> bool:
        """True if an item of `other` is visible from here."""
        return set(other.parts) <= set(self.parts)

    def is_of_one_user(self, other: Scope) -> bool:
        """True if whoever speaks in both is the same: the same scope, or two of the same user."""
        user = dict(self.parts).get("user")
        return self == other or (user is not None and user == dict(other.parts).get("user"))


@kept(4096, longest=None)
def _parse(path: str) -> Scope:
    if path == "global":
        return str.__new__(Scope, path)
    pairs: dict[str, str] = {}
    for part in path.split("/"):
        key, separator, value = part.partition(":")
        if value.strip() != value and value.strip():
            raise InvalidScope(
                f"the {key[:32]} {value[:80]!r} of a scope begins or ends with white space; leave it out"
            )
        if not separator or not _KEY.fullmatch(key) or not _VALUE.fullmatch(value):
            raise InvalidScope(
                f"{path[:80]!r} is not a scope: use `global` or key:value parts joined by '/', "
                "such as 'user:ana/project:apollo'"
            )
        if key in pairs:
            raise InvalidScope(f"{path[:80]!r} names {key!r} twice; a scope holds each key once")
        pairs[key] = value
    if len(pairs) > MAX_PARTS:
        raise InvalidScope(f"{path[:80]!r} has {len(pairs)} parts; a scope has at most {MAX_PARTS}")
    ordered = sorted(pairs.items(), key=lambda pair: (_FIRST.get(pair[0], 9), pair[0]))
    return str.__new__(Scope, "/".join(f"{key}:{value}" for key, value in ordered))


@kept(4096, longest=None)
def _visible(scope: Scope) -> tuple[Scope, ...]:
    parts = [f"{key}:{value}" for key, value in scope.parts]
    return tuple(
        Scope("/".join(chosen) or "global")
        for size in range(len(parts), -1, -1)
        for chosen in itertools.combinations(parts, size)
    )


class _Everywhere(Enum):
    """The type of `ALL`, whose only member stays the same object when it is copied or pickled."""

    ALL = "ALL"

    def __repr__(self) -> str:
        return "ALL"

    __str__ = __repr__


#: Every scope, said on purpose. Only for reading.
ALL: Final = _Everywhere.ALL
#: What may be passed to a read.
Scopes: TypeAlias = Scope | _Everywhere
GLOBAL: Final = Scope("global")


def looked_from(scope: object) -> Scopes:
    """The scope that a caller of a read names: text, `ALL`, or None for `global`.

    Raises:
        InvalidScope: It is anything else. What cannot be read is never taken for everything.
    """
    return GLOBAL if scope is None else ALL if scope is ALL else Scope(cast("str", scope))


def visible(scopes: Scopes) -> tuple[Scope, ...] | None:
    """Scopes whose items are seen from a place, as `Selection.scopes` takes them: None for `ALL` alone."""
    return None if scopes is ALL else Scope(scopes).visible()


def exactly(scopes: Scopes) -> tuple[Scope, ...] | None:
    """A scope alone, without the wider ones that are seen from it; None for `ALL` alone."""
    return None if scopes is ALL else (Scope(scopes),)
