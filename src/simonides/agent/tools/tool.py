"""Tools: a name, a description of the input, and a function each."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import Enum, auto
from functools import cache
from typing import Any, Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict, field_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from simonides.agent.tools.call_context import Context
from simonides.domain.text import cleaned_text
from simonides.values import dataclass


class Input(BaseModel):
    """The arguments of a call. A field that is not there is an error; null means that it was not given."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _storable(cls, value: object) -> object:
        """No text that a store cannot hold, be it looked for or written."""
        if any(isinstance(text, str) and cleaned_text(text) != text for text in _within(value)):
            raise ValueError("holds a NUL character or half of a surrogate pair; remove it")
        return value


def _within(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


I = TypeVar("I", bound=Input)  # noqa: E741 - the input of a tool


class Effect(Enum):
    """Effects of a call on what is remembered, as clients are told of them.

    Attributes:
        READS: Changes nothing but how often something was used.
        ADDS: Adds something; the same again adds nothing.
        WEIGHS: Lets something rise or sink, further with each call.
        CHANGES: Replaces something or takes it out of recall; the same again changes nothing more.
    """

    READS = auto()
    ADDS = auto()
    WEIGHS = auto()
    CHANGES = auto()


@dataclass(frozen=True, slots=True)
class Tool(Generic[I]):
    """One thing that a model may do.

    Attributes:
        input: The arguments; the docstring of this class tells the model what the tool does.
        run: Does it. What it raises of `SimonidesError` becomes the answer.
        aliases: Other names that are accepted.
    """

    name: str
    input: type[I]
    run: Callable[[Context, I], dict[str, Any]]
    aliases: tuple[str, ...] = ()
    effect: Effect = Effect.READS

    @property
    def description(self) -> str:
        """Description of the tool for the model."""
        return " ".join((self.input.__doc__ or "").split())

    def parameters(self) -> dict[str, Any]:
        """The JSON Schema of the input; `scope`, which is the same for all, comes last."""
        schema = schema_of(self.input)
        schema["properties"]["scope"] = schema["properties"].pop("scope")
        return schema


class _Plain(GenerateJsonSchema):
    """As short as models understand: no titles, and no null beside what may be left out."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - as the base class calls it
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        made = super().default_schema(schema)
        return {name: value for name, value in made.items() if (name, value) != ("default", None)}


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a model, without its title and description; the caller's to change."""
    return json.loads(_schema_text(model))


@cache
def _schema_text(model: type[BaseModel]) -> str:
    """JSON of a schema: to work it out takes milliseconds, and some frameworks ask for the tools at every run."""
    schema = model.model_json_schema(schema_generator=_Plain)
    return json.dumps({name: value for name, value in schema.items() if name not in {"title", "description"}})
