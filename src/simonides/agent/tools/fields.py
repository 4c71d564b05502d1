"""Fields that several tools share."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field

from simonides.agent.tools.tool import Input
from simonides.domain.item import MAX_TAGS
from simonides.domain.text import valid_text
from simonides.errors import InvalidText
from simonides.texts import findings

#: Types that only the engine gives: what was said, what was cut from a file, what sessions were about.
RESERVED: Final = frozenset({"episode", "chunk", "narrative"})
#: What the policy refuses in a memory's text is refused in what stands beside it, too.
_REFUSED: Final = ("secret", "injection", "mimicry", "self_instruction")


def beside(text: str) -> str:
    """A text that is kept beside a memory's content: a reason, a name, a note.

    Raises:
        InvalidText: It holds a secret or gives orders; it would go past the policy this way.
    """
    valid_text(text)
    found = {one for one in findings(text) if one[0] in _REFUSED}
    if found:
        category, kind = min(found, key=lambda pair: (_REFUSED.index(pair[0]), pair[1]))
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


class Filtered(Scoped):
    """Input of a tool that reads many memories."""

    types: list[str] | None = Field(default=None, max_length=40, description="Only these types.")
    kinds: list[Literal["episodic", "semantic", "procedural", "opinion"]] | None = Field(
        default=None, max_length=4, description="Only these kinds."
    )
    tiers: list[Literal["stm", "mtm", "ltm"]] | None = Field(
        default=None, max_length=3, description="Only these tiers: short-, mid-, long-term."
    )
    tags: list[str] | None = Field(default=None, max_length=MAX_TAGS, description="All of these tags.")
    entity: str | None = Field(
        default=None, max_length=200, description="About this person, project, place …"
    )
    after: Time | None = Field(default=None, description="Happened at or after this time (ISO 8601).")
    before: Time | None = Field(default=None, description="Happened before this time (ISO 8601).")
    valid_at: Time | None = Field(default=None, description="Was true at this time (ISO 8601).")
    session_id: str | None = Field(default=None, max_length=400, description="Said in this conversation.")
    archived: bool = Field(
        default=False, description="Also what was superseded, forgotten or has faded away."
    )

    def filters(self) -> dict[str, Any]:
        """The keywords that `Memory` takes for these fields."""
        names = Filtered.model_fields.keys() - {"scope"}
        return self.model_dump(include=names, exclude_none=True)
