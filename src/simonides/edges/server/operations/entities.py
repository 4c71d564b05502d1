"""Entities: the people, projects and things that memories mention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from simonides import NotFound
from simonides.domain.entity import EntityProfile
from simonides.domain.ids import is_id
from simonides.edges.http.tokens import Role
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Limited, Word
from simonides.edges.server.problems import HttpProblem


class EntitiesRequest(Limited):
    """Entities that are asked about."""

    type: Word | None = None
    prefix: Word | None = None


class EntityRequest(Fields):
    """An entity, by its name, an alias or its id, and how much is told of it."""

    name: Word
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class MergeRequest(Fields):
    """Two entities that are one: the second's names and mentions go to the first."""

    keep: Word
    other: Word


class UnmergeRequest(Fields):
    """An entity that was merged into another: its id, or a name that it had."""

    other: Word


class AliasRequest(Fields):
    """An entity, and a further name of it."""

    name: Word
    alias: Word


class RenameRequest(Fields):
    """An entity, and its new name."""

    name: Word
    to: Word


class RetypeRequest(Fields):
    """An entity, and what it is."""

    name: Word
    type: Word


def _get(call: OperationCall, given: EntityRequest) -> EntityProfile:
    sees = call.caller.sees
    profile: EntityProfile | None = None
    if is_id(given.name):
        with suppress(NotFound):
            profile = call.memory.entities.get(given.name, limit=given.limit)
    if profile is None or not sees(profile.entity.scope):
        return call.memory.entities.get(given.name, scope=call.caller.looks, limit=given.limit)
    return profile.seen(sees)


def _own(verb: str, *named: str) -> Callable[[OperationCall, Fields], Any]:
    """A verb of the entities that these fields name: the caller's own."""

    def does(call: OperationCall, given: Fields) -> Any:
        _require_own(call, *(getattr(given, name) for name in named))
        return Verb.SCOPE.do(verb, call, given)

    return does


def _require_own(call: OperationCall, *names: str) -> None:
    """See that ids name entities of the caller's; a name means one of exactly the caller's scope anyhow."""
    for name in filter(is_id, names):
        scope = _get(call, EntityRequest(name=name, limit=1)).entity.scope
        if not call.caller.holds(scope):
            raise HttpProblem(403, "scope", f"this entity belongs to {scope}; use a key of that scope")


def _entity_id(answer: Mapping[str, Any]) -> str:
    return answer["id"]


def _retold(call: OperationCall, _: Fields, entity_id: str) -> Any:
    return _get(call, EntityRequest(name=entity_id, limit=1)).entity.to_dict()


#: The entity as it is now.
_ENTITY = Again(_entity_id, _retold)
_R, _W = Role.READER, Role.WRITER
OPERATIONS = (
    Operation(
        "entities.list", "GET", "/v1/entities", _R, "Entities, the most often mentioned first.",
        Verb.LOOKS, "EntitiesJson", EntitiesRequest,
    ),
    Operation(
        "entities.get", "GET", "/v1/entities/profile", _R, "What is known of an entity.",
        _get, "EntityProfileJson", EntityRequest,
    ),
    Operation(
        "entities.alike", "GET", "/v1/entities/alike", _R, "Entities that may be one and the same.",
        Verb.LOOKS, "AlikesJson", Limited,
    ),
    Operation(
        "entities.merge", "POST", "/v1/entities/merge", _W, "Make two entities one.",
        _own("entities.merge", "keep", "other"), "EntityJson", MergeRequest, again=_ENTITY,
    ),
    Operation(
        "entities.unmerge", "POST", "/v1/entities/unmerge", _W, "Take back that an entity was merged into another.",
        _own("entities.unmerge", "other"), "EntityJson", UnmergeRequest, again=_ENTITY,
    ),
    Operation(
        "entities.alias", "POST", "/v1/entities/alias", _W, "Give an entity a further name.",
        _own("entities.alias", "name"), "EntityJson", AliasRequest, again=_ENTITY,
    ),
    Operation(
        "entities.rename", "POST", "/v1/entities/rename", _W, "Give an entity another name.",
        _own("entities.rename", "name"), "EntityJson", RenameRequest, again=_ENTITY,
    ),
    Operation(
        "entities.retype", "POST", "/v1/entities/retype", _W, "Say what an entity is.",
        _own("entities.retype", "name"), "EntityJson", RetypeRequest, again=_ENTITY,
    ),
)  # fmt: skip
