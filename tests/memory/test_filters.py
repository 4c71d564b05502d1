"""Filters: one table, of which keywords of a memory, options of commands and fields of tools are made."""

from dataclasses import fields
from typing import Annotated

import pytest
import typer
from pydantic import create_model
from typer.testing import CliRunner

from simonides.agent.tools.fields import Scoped, filter_fields
from simonides.domain.selection import Filter, FilterForm, Filters, Selection, filters_of
from simonides.domain.taxonomy import TAXONOMY
from simonides.edges.cli.command import unfolded
from simonides.recall.filters import selection_of

#: One value of each filter, as a caller gives it.
VALUES = {
    "tiers": ["stm"], "types": ["fact"], "kinds": ["semantic"], "tags": ["tea"], "entity": "Ana", "after": "2026-01-01",
    "before": "2026-01-01", "valid_at": "2026-01-01", "session_id": "s1", "run_id": "r1", "task_id": "t1",
    "corpus_id": "c1", "path": "docs", "metadata": {"channel": "mail"}, "space": "users/ana", "archived": True,
    "pinned": True,
}  # fmt: skip
#: Filters for programs: a person at a terminal and a model have no names for what they hold.
PROGRAMS = {"run_id", "task_id", "metadata"}


class WithSource(Filters, total=False):
    """The table with a filter more."""

    source_id: Annotated[
        str | None,
        Filter(form=FilterForm.TEXT, option="--source", help="From this source.", tells="From this source."),
    ]


def chosen(given, keywords=Filters):
    return selection_of(given, None, TAXONOMY, 0, keywords)


@pytest.mark.parametrize("name", filters_of())
def test_every_filter_restricts_what_is_read(name):
    assert chosen({name: VALUES[name]}) != chosen({})
    assert chosen({name: None}) == chosen({})


def test_a_filter_has_the_name_of_what_it_sets_or_is_another_name_for_it():
    named = {field.name for field in fields(Selection)}
    assert set(filters_of()) - named == {"kinds", "run_id", "archived"}


def test_commands_offer_every_filter_but_those_for_programs():
    assert {name for name, one in filters_of().items() if not one.option} == PROGRAMS


def test_tools_offer_every_filter_but_those_for_programs_and_the_core_profile():
    assert set(filters_of()) - set(filter_fields()) == PROGRAMS | {"pinned", "space"}


def test_a_filter_that_is_added_to_the_table_is_read_and_offered_at_every_door():
    assert chosen({"source_id": "mail"}, WithSource).source_id == "mail"

    app, given = typer.Typer(), []

    def look(filters: WithSource) -> None:
        """Look around."""
        given.append(filters)

    look.__annotations__["filters"] = WithSource
    app.command()(unfolded(look))
    assert "From this source." in CliRunner().invoke(app, ["--help"]).output
    assert CliRunner().invoke(app, ["--source", "mail", "--tag", "tea"]).exit_code == 0
    assert given == [{"source_id": "mail", "tags": ["tea"]}]

    tool = create_model("Look", __base__=Scoped, **filter_fields(WithSource))
    assert tool.model_json_schema()["properties"]["source_id"]["description"] == "From this source."
    assert tool(source_id="mail").source_id == "mail"
