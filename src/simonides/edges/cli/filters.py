"""Options of the filters that `Memory` takes, made from their one declaration."""

from __future__ import annotations

from inspect import Parameter
from typing import Annotated, Any

import typer

from simonides.domain.selection import Filter, FilterForm, filters_of


def options_of(keywords: Any) -> list[Parameter]:
    """The filters among keywords that have an option, as parameters of a command."""
    return [_option(name, one) for name, one in filters_of(keywords).items() if one.option]


def _option(name: str, one: Filter) -> Parameter:
    """The option of a filter."""
    if one.form is FilterForm.FLAG:
        annotation: Any = Annotated[bool, typer.Option(one.option, help=one.help)]
    else:
        many = one.form is FilterForm.WORDS
        option = typer.Option(one.option, metavar=one.metavar, help=one.help)
        annotation = Annotated[list[str] | None if many else str | None, option]
    default = False if one.form is FilterForm.FLAG else None
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
