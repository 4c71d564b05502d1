"""Keywords of callers: the parts of a scope by name, and names that nothing knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from inspect import Parameter, signature
from typing import Any, Final, TypedDict

from simonides.domain.scope import ALL, Scope, Scopes, looked_from
from simonides.errors import InvalidInput, InvalidScope

_PARTS: Final = {"user_id": "user", "agent_id": "agent", "project": "project"}
#: Keywords of other memories, and their names here.
_ELSEWHERE: Final = {
    "limit": "k",
    "top_k": "k",
    "n_results": "k",
    "num_results": "k",
    "k": "limit",
    "threshold": "min_relevance",
    "score_threshold": "min_relevance",
    "type": "types",
    "kind": "kinds",
    "tier": "tiers",
    "tag": "tags",
    "entities": "entity",
    "filter": "metadata",
    "filters": "metadata",
    "namespace": "scope",
    "since": "after",
    "until": "before",
}
_BY_NAME: Final = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)


class Whose(TypedDict, total=False):
    """Parts of a scope by name, accepted wherever `scope` is."""

    user_id: str | None
    agent_id: str | None
    project: str | None


def looked(scope: str | Scopes | None, fields: dict[str, Any]) -> Scopes:
    """The place a read looks from; the parts by name are taken out of the fields.

    Raises:
        InvalidScope: It is neither text nor `ALL`, or a part by name contradicts it.
    """
    parts = {key: fields.pop(name, None) for name, key in _PARTS.items()}
    named = {key: value for key, value in parts.items() if value is not None}
    place = looked_from(scope)
    if not named:
        return place
    if place is ALL:
        raise InvalidScope(f"scope=ALL and a {min(named)} of its own contradict each other; give one of them")
    return place.narrowed(**named)


def placed(scope: str | None, fields: dict[str, Any]) -> Scope:
    """The scope that `scope` and the parts by name say together; the parts are taken out of the fields.

    Raises:
        InvalidScope: It is no scope, or is everywhere: a memory belongs somewhere.
    """
    place = looked(scope, fields)
    if place is ALL:
        raise InvalidScope("a memory belongs to one scope; ALL is for reading only")
    return place


def require_known(given: Iterable[str], method: Callable[..., Any], fields: type) -> None:
    """Refuse a keyword that a method does not take: a misspelt `project` must not end up in `global`.

    Args:
        given: Keywords that it has collected.
        method: Named in the message by what it takes.
        fields: The typed dictionary of those that it collects.

    Raises:
        InvalidInput: One is unknown; the message names the nearest one.
    """
    unknown = sorted(set(given).difference(fields.__annotations__))
    if not unknown:
        return
    own = (one.name for one in signature(method).parameters.values() if one.kind in _BY_NAME)
    names = sorted({*own, *fields.__annotations__})
    elsewhere = _ELSEWHERE.get(unknown[0])
    near = [elsewhere] if elsewhere in names else get_close_matches(unknown[0], names, n=1)
    hint = f"did you mean {near[0]!r}? Known are" if near else "use one of"
    raise InvalidInput(f"unknown keyword {unknown[0]!r}; {hint} {', '.join(names)}")
