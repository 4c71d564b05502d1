"""Fields that several operations take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, get_type_hints

from pydantic import Field, create_model

from simonides.domain.instant import Moment
from simonides.domain.item_fields import ItemFields
from simonides.domain.provenance import Provenance
from simonides.domain.selection import Filter, FilterForm, Filters, filters_of
from simonides.edges.server.operation import Fields

#: A whole number that every store can count to.
Count = Annotated[int, Field(ge=1, le=1_000)]
#: An instant: ISO 8601.
Time = Annotated[str, Field(max_length=64, examples=["2026-03-01T12:00:00Z"])]
Word = Annotated[str, Field(min_length=1, max_length=400)]
Text = Annotated[str, Field(min_length=1)]
_MaybeTime: TypeAlias = Time | None
_MaybeWord: TypeAlias = Word | None
#: A number that is one in every store.
Number = Annotated[float, Field(ge=-1e15, le=1e15)]


class Limited(Fields):
    """Limits on the length of an answer."""

    limit: Count = 100


def _filter(hint: Any, one: Filter) -> tuple[Any, Any]:
    """Type and default of a filter."""
    match one.form:
        case FilterForm.FLAG:
            return hint, False if hint is bool else None
        case FilterForm.WORDS if one.of is not None:
            return list[Annotated[one.of, Field(strict=False)]] | None, None
        case FilterForm.WORDS:
            return list[str] | None, None
        case FilterForm.TIME | FilterForm.BOUND:
            return _MaybeTime, None
        case FilterForm.TEXT:
            return _MaybeWord, None
        case _:
            return str | None, None


def _filters() -> dict[str, Any]:
    """The filters that a query holds, but for the other name of `session_id`."""
    hints = get_type_hints(Filters)
    held = (one for one in filters_of().items() if one[0] != "run_id" and one[1].form is not FilterForm.PAIRS)
    return {name: _filter(hints[name], one) for name, one in held}


#: Types of an item's fields, as JSON has them.
_IN_JSON: Final[Mapping[Any, Any]] = {
    Moment: Time,
    Sequence[str]: list[str],
    Mapping[str, Any]: dict[str, Any],
    Mapping[str, Any] | Provenance: dict[str, Any],
}


def _given() -> dict[str, Any]:
    """The fields of an item, each of which may be left out."""
    hints = get_type_hints(ItemFields)
    return {name: (_IN_JSON.get(hint, hint) | None, None) for name, hint in hints.items()}


if TYPE_CHECKING:

    class ReadFilters(Fields):
        """Filters of a read; what is left out restricts nothing."""

    class GivenFields(Fields):
        """Fields of an item that may be given when it is added."""
else:
    ReadFilters = create_model("ReadFilters", __base__=Fields, **_filters(), exact=(bool, False))
    GivenFields = create_model("GivenFields", __base__=Fields, **_given())


class QuestionFilters(ReadFilters):
    """Filters of a question, which stand in a body."""

    metadata: dict[str, str | float | int | bool | None] | None = None
