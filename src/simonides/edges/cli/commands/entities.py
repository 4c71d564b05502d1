"""simonides entities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from simonides.edges.cli import render
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, LookOptions, ScopeOptions
from simonides.edges.cli.output import Output

if TYPE_CHECKING:
    from simonides.domain.entity import Entity, EntityProfile

app = commands("People, projects and things that items mention.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name, an alias, or an id.")]


@command(app, "list", example="  simonides entities list --type person --project apollo")
def list_(
    common: Common,
    look: LookOptions,
    prefix: Annotated[str | None, typer.Argument(metavar="[PREFIX]", help="Beginning of a name.")] = None,
    type_: Annotated[
        str | None,
        typer.Option("--type", metavar="NAME", help="person, project, organization, place, concept, tool."),
    ] = None,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most entities.")] = 50,
) -> None:
    """List entities, the most often mentioned first."""
    with common.memory(reads=True) as memory:
        entities = common.first(
            lambda most: memory.entities.list(scope=look.scopes, limit=most, type=type_, prefix=prefix), limit
        )
    common.listing(entities, _table, lambda entity: entity.id, empty=look.hint)


@command(app, "show", example="  simonides entities show Petra --project apollo")
def show(
    common: Common,
    look: LookOptions,
    name: Name,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most facts, most dates.")] = 10,
) -> None:
    """Show what is known of an entity.

    Facts that mention it, what happened when, and what is often mentioned beside it.
    """
    with common.memory(reads=True) as memory:
        profile = memory.entities.get(name, scope=look.scopes, limit=limit)
    common.answer(
        profile.to_dict(),
        lambda out: _show(out, profile),
        dict.fromkeys(item.id for item in profile.timeline),
    )


@command(app, "alike", example="  simonides entities alike --project apollo")
def alike(
    common: Common,
    look: LookOptions,
    limit: Annotated[int, typer.Option("-k", "--limit", metavar="N", help="Most pairs.")] = 50,
) -> None:
    """List entities that may be one and the same.

    Decide, then merge them with `entities merge`.
    """
    with common.memory(reads=True) as memory:
        pairs = common.first(lambda most: memory.entities.alike(scope=look.scopes, limit=most), limit)
    common.table(
        pairs,
        ("keep", "other", "scope", "why"),
        lambda pair: (pair.keep.name, pair.other.name, pair.keep.scope, pair.why),
        lambda pair: pair.other.id,
    )


@command(app, "merge", example="  simonides entities merge Petra Petruschka --project apollo")
def merge(
    common: Common,
    place: ScopeOptions,
    keep: Annotated[str, typer.Argument(metavar="KEEP", help="The entity that stays.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The entity that is merged into it.")],
) -> None:
    """Make two entities one.

    The first gets the names and mentions of the second. `entities unmerge` takes it back.
    """
    with common.memory() as memory:
        _answer(common, memory.entities.merge(keep, other, scope=place.path, actor="cli"))


@command(app, "unmerge", example="  simonides entities unmerge Petruschka --project apollo")
def unmerge(
    common: Common,
    place: ScopeOptions,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="A name that it had, or its id.")],
) -> None:
    """Take back that an entity was merged into another.

    Both have again what they had, as far as it was not purged.
    """
    with common.memory() as memory:
        _answer(common, memory.entities.unmerge(other, scope=place.path, actor="cli"))


@command(app, "alias", example="  simonides entities alias Petra Petruschka --project apollo")
def alias(
    common: Common,
    place: ScopeOptions,
    name: Name,
    alias_: Annotated[str, typer.Argument(metavar="ALIAS", help="The new alias.")],
) -> None:
    """Add an alias to an entity."""
    with common.memory() as memory:
        _answer(common, memory.entities.alias(name, alias_, scope=place.path, actor="cli"))


@command(app, "rename", example="  simonides entities rename petra_k Petra --project apollo")
def rename(
    common: Common,
    place: ScopeOptions,
    name: Name,
    to: Annotated[str, typer.Argument(metavar="TO", help="The new name.")],
) -> None:
    """Rename an entity.

    The former name stays an alias.
    """
    with common.memory() as memory:
        _answer(common, memory.entities.rename(name, to, scope=place.path, actor="cli"))


@command(app, "retype", example="  simonides entities retype Apollo project --project apollo")
def retype(
    common: Common,
    place: ScopeOptions,
    name: Name,
    type_: Annotated[
        str, typer.Argument(metavar="TYPE", help="person, project, organization, place, concept or tool.")
    ],
) -> None:
    """Set the type of an entity.

    It is no longer guessed then.
    """
    with common.memory() as memory:
        _answer(common, memory.entities.retype(name, type_, scope=place.path, actor="cli"))


def _answer(common: Common, entity: Entity) -> None:
    common.answer(entity.to_dict(), lambda out: _table(out, [entity]), [entity.id])


def _table(out: Output, entities: list[Entity]) -> None:
    rows = [
        (
            entity.name,
            entity.type.value,
            entity.mention_count,
            entity.scope,
            render.moment(entity.last_seen_at, short=True),
            ", ".join(entity.aliases),
        )
        for entity in entities
    ]
    out.table(("name", "type", "mentions", "scope", "last", "also"), rows)


def _show(out: Output, profile: EntityProfile) -> None:
    entity = profile.entity
    out.line(out.paint(entity.name, "bold"))
    out.fields(
        {
            "id": entity.id,
            "type": entity.type.value if entity.settled else f"{entity.type.value} (a guess)",
            "also": ", ".join(entity.aliases),
            "mentions": entity.mention_count,
            "first": render.moment(entity.first_seen_at, short=True),
            "last": render.moment(entity.last_seen_at, short=True),
            "merged": "; ".join(", ".join(entry.names) for entry in profile.merged),
            "beside": ", ".join(f"{entry.entity.name} ({entry.shared})" for entry in profile.related),
        }
    )
    if entity.summary:
        out.line()
        out.prose(entity.summary)
    for title, items in (("facts", profile.facts), ("timeline", profile.timeline)):
        if items:
            out.line()
            out.line(out.paint(title, "dim"))
            render.items(out, items)
