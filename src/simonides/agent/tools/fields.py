"""Fields that several tools share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, cast

from pydantic import AfterValidator, Field, create_model

from simonides.agent.tools.tool import Input
from simonides.domain.item import MAX_TAGS
from simonides.domain.selection import Filter, FilterForm, Filters, filters_of
from simonides.domain.text import valid_text
from simonides.errors import InvalidText
from simonides.texts import findings

#: Types that only the engine gives: what was said, what was cut from a file, what sessions were
#: about, what a program keeps under a key.
RESERVED: Final = frozenset({"episode", "chunk", "narrative", "record"})
#: What the policy refuses in a memory's text is refused in what stands beside it, too.
_REFUSED: Final = ("secret", "injection", "mimicry", "self_instruction")


def beside(text: str) -> str:
    """A text that is kept beside a memory's content: a reason, a name, a note.

    Raises:
        InvalidText: It holds a secret or gives orders; it would go past the policy this way.
    """
    valid_text(text)
    refused = {one for one in findings(text) if one[0] in _REFUSED}
    if refused:
        category, kind = min(refused, key=lambda pair: (_REFUSED.index(pair[0]), pair[1]))
        raise InvalidText(f"{category.replace('_', ' ')}: {kind}; leave it out")
    return text


def _given_by_hand(name: str) -> str:
    if name.strip().lower() in RESERVED:
        raise InvalidText(f"{name!r} is given by the engine only")
    return name


ItemId: TypeAlias = Annotated[str, Field(max_length=100, description="The id of a memory.")]
Target: TypeAlias = Annotated[
    str, Field(max_length=4000, description="The id of a memory, or words that say which one is meant.")
]
TypeName: TypeAlias = Annotated[
    str,
    Field(
        max_length=40,
        description="What it is: fact, decision, definition, constraint, pattern, todo, pointer, note, identity, "
        "config, solution, preference, procedure, event.",
    ),
    AfterValidator(_given_by_hand),
]
Word: TypeAlias = Annotated[str, Field(max_length=100), AfterValidator(beside)]
Words: TypeAlias = Annotated[list[Word], Field(max_length=MAX_TAGS)]
Title: TypeAlias = Annotated[str, Field(max_length=200, description="A short title."), AfterValidator(beside)]
Time: TypeAlias = Annotated[str, Field(max_length=40)]
_MaybeTime: TypeAlias = Time | None
Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
#: A place to look at; the scope of a memory may be the name of its domain.
PlaceName: TypeAlias = Annotated[str, Field(min_length=1, max_length=2000)]
NewPlaceName: TypeAlias = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(beside)]


class Scoped(Input):
    """Input of a tool that looks from a scope, or writes into one."""

    scope: str | None = Field(
        default=None,
        max_length=1500,
        description="Where to look or to write, such as 'user:ana/project:apollo'.",
    )


class Named(Scoped):
    """Input of a tool that acts on one memory."""

    id: ItemId


class _Filtered(Scoped):
    """Input of a tool that reads many memories."""

    def filters(self) -> Filters:
        """The keywords that `Memory` takes for the filters that were given."""
        return cast("Filters", self.model_dump(include=set(filters_of()), exclude_none=True))


def filter_fields(keywords: Any = Filters) -> dict[str, Any]:
    """Types and fields of the filters that tools offer, as pydantic makes models of them."""
    return {name: _field(one) for name, one in filters_of(keywords).items() if one.tells}


def _field(one: Filter) -> tuple[Any, Any]:
    match one.form:
        case FilterForm.FLAG:
            return bool, Field(default=False, strict=True, description=one.tells)
        case FilterForm.WORDS if one.of is not None:
            member: Any = Literal[tuple(value.value for value in one.of)]
            return list[member] | None, Field(default=None, max_length=len(one.of), description=one.tells)
        case FilterForm.WORDS:
            return list[str] | None, Field(default=None, max_length=one.most, description=one.tells)
        case FilterForm.TIME | FilterForm.BOUND:
            return _MaybeTime, Field(default=None, description=one.tells)
        case _:
            return str | None, Field(default=None, max_length=one.most, description=one.tells)


if TYPE_CHECKING:
    Filtered = _Filtered
else:
    Filtered = create_model("Filtered", __base__=_Filtered, **filter_fields())
