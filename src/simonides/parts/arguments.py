"""Arguments of callers: keywords, numbers, names, lists and actors, read where they come in, before anything else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter, signature
from typing import Any, Final, TypedDict, TypeVar, cast

from simonides.compose import Parts
from simonides.domain.actor import is_model, valid_actor
from simonides.domain.flag import flag, flag_or_none
from simonides.domain.ids import is_id
from simonides.domain.instant import Moment, instant
from simonides.domain.item import Item
from simonides.domain.item_fields import ItemFields
from simonides.domain.scope import ALL, Scope, Scopes, exactly, looked_from, visible
from simonides.domain.selection import Filters, Selection
from simonides.domain.taxonomy import Tier
from simonides.domain.text import known_names, short_text, shown, valid_text
from simonides.errors import InvalidInput, InvalidScope, NeedsApproval, NotFound
from simonides.language.sentences import read
from simonides.recall.assemble import AUTO
from simonides.recall.filters import selection_of
from simonides.recall.question.asks import is_complex
from simonides.recall.ranking.profiles import profile_named
from simonides.recall.result import Query

#: Hits where the question decides: a lookup has one answer, a question about several things has many.
_SIMPLE_HITS: Final = 5
_COMPLEX_HITS: Final = 20
_MOST_HITS: Final = 1000
#: Characters of a question, and of its end: of a longer one that comes behind its beginning.
_ASKED_CHARS: Final = 100_000
_END_CHARS: Final = 10_000
#: Rows that may be passed over: far more than a file holds, and a number that SQLite can add to.
_FURTHEST: Final = 1 << 53

_Callback = TypeVar("_Callback")

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


class AddFields(ItemFields, Whose, total=False):
    """Keywords of `add`: fields of the item, and parts of its scope."""

    run_id: str | None
    links: Sequence[Mapping[str, Any]]


class ReadFields(Filters, Whose, total=False):
    """Keywords that restrict what a read may see; `exact` leaves out what belongs to wider scopes."""

    exact: bool


class SearchFields(ReadFields, total=False):
    """Keywords of `search`."""

    at: Moment | None
    as_of: Moment | None
    profile: str | None
    agenda: bool | None
    explain: bool
    min_relevance: float | None
    asked_in: str | None
    statements_first: bool
    group: str | None
    noted: bool


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
    meant = elsewhere if elsewhere in names else unknown[0]
    raise InvalidInput(f"unknown keyword {unknown[0]!r}; {known_names(meant, names)}")


def place_of(method: Callable[..., Any], scope: str | None, whose: Mapping[str, Any]) -> Scope:
    """The scope that a method works in, by `scope` and the parts of one that it has collected by name.

    Raises:
        InvalidInput: It has collected another keyword.
        InvalidScope: It is no scope, or is everywhere.
    """
    require_known(whose, method, Whose)
    return placed(scope, dict(whose))


def selection(parts: Parts, scope: str | Scopes | None, fields: Mapping[str, Any]) -> Selection:
    """The selection that a scope and keywords of a read name together."""
    given = dict(fields)
    place = looked(scope, given)
    scopes = exactly(place) if flag(given.pop("exact", False), "exact") else visible(place)
    return selection_of(given, scopes, parts.taxonomy, parts.clock.now())


def query_of(
    parts: Parts, text: str, scope: str | Scopes | None, k: int | str, fields: Mapping[str, Any]
) -> Query:
    """The question that the arguments of a search name together."""
    given = dict(fields)
    at, as_of = given.get("at"), given.get("as_of")
    if (profile := given.get("profile")) is not None:
        profile = profile_named(short_text(profile, name="profile")).name
    min_relevance = given.get("min_relevance")
    if min_relevance is not None and not 0 <= finite(min_relevance, "min_relevance") <= 1:
        raise InvalidInput(f"min_relevance lies in [0, 1], got {shown(min_relevance)}")
    asked_in = session_of(parts, given.get("asked_in"), "asked_in")
    flag(given.get("statements_first", False), "statements_first")
    as_of = None if as_of is None else instant(as_of, name="as_of")
    chosen = selection(parts, scope, given)
    return Query(
        text=text,
        selection=chosen if as_of is None else replace(chosen, live_at=chosen.live_at and as_of),
        k=_hits_for(text) if k == AUTO else count(cast("int", k), "k", most=_MOST_HITS),
        at=parts.clock.now() if at is None else instant(at, name="at"),
        as_of=as_of,
        profile=profile,
        agenda=flag_or_none(given.get("agenda"), "agenda"),
        min_relevance=min_relevance,
        explain=flag(given.get("explain", False), "explain"),
        session_id=asked_in or given.get("session_id") or given.get("run_id"),
        by_session=_by_session(given.get("group")),
        noted=flag(given.get("noted", True), "noted"),
    )


def _by_session(group: object) -> bool:
    """Tell that sessions are the answers of a search.

    Raises:
        InvalidInput: It is grouped by something else.
    """
    if group is not None and group != "session":
        raise InvalidInput(f"group is 'session', or left out for hits by themselves; got {shown(group)}")
    return group is not None


def _hits_for(question: str) -> int:
    """Hits of a search that leaves their number to the question."""
    return _COMPLEX_HITS if is_complex(read(question)) else _SIMPLE_HITS


def question(text: object) -> str:
    """A question, without what would end it for the store, and as much of it as is read and put on record."""
    if isinstance(text, str):
        if len(text) > _ASKED_CHARS:
            text = f"{text[: _ASKED_CHARS - _END_CHARS - 1]} {text[-_END_CHARS:]}"
        text = text.replace("\0", " ")
    return valid_text(text, name="the query")


def ids_of(targets: Iterable[object]) -> list[str]:
    """Ids that were given one by one, as items, or in lists.

    Raises:
        InvalidInput: Something is none of these.
        NotFound: An id has not the form of one.
    """
    named: list[str] = []
    for target in targets:
        listed: Iterable[object] = (target,)
        if not isinstance(target, str | Item | Mapping | bytes | bytearray) and isinstance(target, Iterable):
            listed = cast("Iterable[object]", target)
        for one in listed:
            if not isinstance(one, str | Item):
                raise InvalidInput("name items by their ids: a text each, or a list of texts")
            named.append(id_of(one if isinstance(one, str) else one.id))
    return named


def id_of(value: str) -> str:
    """The id itself.

    Raises:
        NotFound: It has not the form of one.
    """
    if not is_id(value):
        raise NotFound(
            f"{shown(value)} is no id; an item's id looks like 01a1fa7c-f3df-7dfc-9e66-775f82845ba0"
        )
    return value


def tiers_of(names: Sequence[str]) -> tuple[Tier, ...]:
    """Tiers by name."""
    known = [tier.value for tier in Tier]
    given = words(names, "tiers")
    if not given or any(name not in known for name in given):
        raise InvalidInput(f"tiers are a list of {', '.join(known)}, got {shown(names)}")
    return tuple(Tier(name) for name in dict.fromkeys(given))


def storable(parts: Parts, text: str, name: str) -> str:
    """The text, where it may be stored as a name: names stand in logs and books, which no purge reads.

    Raises:
        InvalidInput: The policy refuses it, as it does a secret.
    """
    if refusals := parts.policy.refusals_of_name(text):
        raise InvalidInput(f"{name} cannot be stored ({refusals[0]}); choose another name")
    return text


def session_of(parts: Parts, name: str | None, argument: str) -> str | None:
    """The name of a session, where one is given, that may be stored."""
    named = word(name, argument)
    return None if named is None else storable(parts, named, argument)


def acting(parts: Parts, actor: object) -> str:
    """The actor, where the audit log may name it.

    Raises:
        InvalidInput: It is no name, one of the engine's own, or one that the policy refuses.
    """
    return storable(parts, valid_actor(actor), "the actor")


def trigger_of(parts: Parts, text: str) -> str:
    """The cause of a run, in a word."""
    name = storable(parts, short_text(text, name="trigger"), "trigger")
    if len(name) > 40 or not name.replace("-", "").isalnum():
        raise InvalidInput(f"trigger is a word such as hand or schedule, got {text[:60]!r}")
    return name


def count(value: int, name: str, most: int = 1_000_000) -> int:
    """A number of things to be told, from 1 to `most`."""
    return whole(value, name, 1, most)


def checked_offset(value: int) -> int:
    """A number of rows to pass over, from 0."""
    return whole(value, "offset", 0, _FURTHEST)


def whole(value: int, name: str, least: int, most: int) -> int:
    """The number itself.

    Raises:
        InvalidInput: It is no whole number from `least` to `most`.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(f"{name} must be a whole number from {least} to {most}, got {shown(value)}")
    return value


def person_or_engine(parts: Parts, actor: object) -> str:
    """The actor, where it is a person or the engine itself.

    Raises:
        InvalidInput: It cannot be named in an audit log.
        NeedsApproval: It is a model: what this does is for people.
    """
    name = acting(parts, actor)
    if is_model(name):
        raise NeedsApproval(f"this is done by people, not by {name}; ask one of them")
    return name


def finite(value: float, name: str) -> float:
    """The number as a float.

    Raises:
        InvalidInput: It is no number, or not finite.
    """
    try:
        if not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass
    raise InvalidInput(f"{name} must be a finite number, got {shown(value)}")


def callback(given: _Callback, name: str = "progress") -> _Callback:
    """A function to be called as work goes on, or None.

    Raises:
        InvalidInput: It cannot be called.
    """
    if given is not None and not callable(given):
        raise InvalidInput(f"{name} is a function, or left out, not {type(given).__name__}")
    return given


def word(value: str | None, name: str) -> str | None:
    """A text to look for, or None for any.

    Raises:
        InvalidText: It is no text, blank, or no store can hold it.
    """
    return None if value is None else short_text(value, name=name)


def listed(values: Iterable[Any], name: str) -> list[Any]:
    """The members of a list that a caller gives.

    Raises:
        InvalidInput: It is no list, but a text or a mapping, say.
    """
    given: object = values
    if isinstance(given, str | bytes | bytearray | Mapping) or not isinstance(given, Iterable):
        raise InvalidInput(f"{name} must be a list, not {type(values).__name__}")
    return list(values)


def words(values: Iterable[str], name: str) -> list[str]:
    """A list of texts.

    Raises:
        InvalidInput: It is no list, or one of its members is no text that a store can hold.
    """
    return [short_text(value, name=f"each of {name}") for value in listed(values, name)]
