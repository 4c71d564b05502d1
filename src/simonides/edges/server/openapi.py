"""The OpenAPI document, made from the table of operations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

import simonides
from simonides.edges.server import problems, shapes
from simonides.edges.server.operation import Fields, Nothing, Operation

_REFERENCE: Final = "#/components/schemas/{model}"
_SCOPE_PART: Final = r"[a-z][a-z0-9_-]{0,31}:[!-.0-~]{1,200}"
#: Headers that every operation heeds, with the forms that their values have at least.
_HEADERS: Final = {
    "X-Simonides-Scope": (
        "A scope within the key's own, such as user:ana; `*` for every scope, with a key of `global/*`.",
        rf"^(\*|global|{_SCOPE_PART}(/{_SCOPE_PART}){{0,5}})$",
    ),
    "X-Simonides-Actor": (
        "The model that asks, where one does: what it does has less weight than a person's word.",
        r"^[A-Za-z][A-Za-z0-9._-]{0,98}$",
    ),
}
_ONCE: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of the request; sent again under it within a day, it is carried out once.",
    "schema": {"type": "string", "pattern": r"^[!-~]{1,200}$"},
}


_PREFER: Final = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "description": "`respond-async` for an answer at once, with the address of the operation that goes on.",
    "schema": {"type": "string", "enum": ["respond-async"]},
}
_LOCATION: Final = {
    "Location": {"description": "Where the operation tells how far it is.", "schema": {"type": "string"}}
}


def form_of(operation: Operation) -> Any:
    """The form of an operation's answer."""
    assert operation.answers is not None
    return shapes.ANSWERS.get(operation.answers) or getattr(shapes, operation.answers)


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """The document."""
    operations = list(operations)
    wanted: list[tuple[Any, JsonSchemaMode]] = [
        (shapes.ProblemJson, "serialization"),
        (shapes.LongOperationJson, "serialization"),
    ]
    for one in operations:
        if one.takes is not Nothing:
            wanted.append((one.takes, "validation"))
        if one.answers is not None:
            wanted.append((form_of(one), "serialization"))
    schemas, definitions = TypeAdapter.json_schemas(
        [(model, mode, TypeAdapter(model)) for model, mode in dict.fromkeys(wanted)], ref_template=_REFERENCE
    )
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        path = re.sub(r"\{(\w+)(?::\w+)?\}", r"{\1}", one.path)
        paths.setdefault(path, {})[one.method.lower()] = _operation(one, schemas, definitions)
    schema: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Simonides",
            "version": simonides.__version__,
            "description": "Long-term memory for agents. Errors are problems as RFC 9457 has them.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions.get("$defs", {}),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}],
    }
    # Classes tell themselves from those whose values they are the forms of; clients need not.
    return json.loads(json.dumps(schema).replace('Json"', '"'))


def _operation(one: Operation, schemas: Any, definitions: Any) -> dict[str, Any]:
    description: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.title,
        "description": f"Takes the role {one.role.value}.",
        "parameters": [
            *(
                {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
                for name in one.words
            ),
            *(_parameters(one.takes, schemas, definitions) if one.in_query else ()),
            *(
                {
                    "name": name,
                    "in": "header",
                    "required": False,
                    "description": about,
                    "schema": {"type": "string", "pattern": pattern},
                }
                for name, (about, pattern) in _HEADERS.items()
            ),
            *([_ONCE] if one.again is not None or one.summary is not None else []),
            *([_PREFER] if one.summary is not None else []),
        ],
        "responses": {str(status): _answer(one, status, schemas) for status in one.statuses},
    }
    if one.lines:
        description["requestBody"] = {
            "required": True,
            "content": {one.lines: {"schema": {"type": "string"}}},
        }
    if one.has_body and not one.in_query and one.takes is not Nothing:
        body = {"application/json": {"schema": schemas[one.takes, "validation"]}}
        required = any(field.is_required() for field in one.takes.model_fields.values())
        description["requestBody"] = {"required": required, "content": body}
    return description


def _parameters(takes: type[Fields], schemas: Any, definitions: Any) -> list[dict[str, Any]]:
    if takes is Nothing:
        return []
    schema = schemas[takes, "validation"]
    if "$ref" in schema:
        schema = definitions["$defs"][schema["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _without_null(field)}
        for name, field in schema["properties"].items()
    ]


def _without_null(field: dict[str, Any]) -> dict[str, Any]:
    """The form of a field of a query, which is left out where there is none."""
    some = [one for one in field.get("anyOf", ()) if one != {"type": "null"}]
    if len(some) == 1:
        return some[0] | {name: value for name, value in field.items() if name not in {"anyOf", "default"}}
    return field


def _answer(one: Operation, status: int, schemas: Any) -> dict[str, Any]:
    about = HTTPStatus(status).phrase
    if status == 202 and one.summary is not None:
        content = {"application/json": {"schema": schemas[shapes.LongOperationJson, "serialization"]}}
        return {"description": about, "headers": _LOCATION, "content": content}
    if status != one.status:
        content = {problems.TYPE: {"schema": schemas[shapes.ProblemJson, "serialization"]}}
        return {"description": about, "content": content}
    if one.streams:
        return {"description": about, "content": {one.streams: {"schema": {"type": "string"}}}}
    return {
        "description": about,
        "content": {"application/json": {"schema": schemas[form_of(one), "serialization"]}},
    }
