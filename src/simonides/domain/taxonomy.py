"""Types, kinds and tiers of memory, and what each type implies."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from simonides.domain.retention import DAILY, FADING, PERMANENT, STEADY, Retention
from simonides.domain.text import known_names, nearest_names
from simonides.errors import InvalidInput, InvalidSettings
from simonides.values import dataclass

#: Retentions by the names that settings use.
RETENTIONS: Final = MappingProxyType(
    {"permanent": PERMANENT, "steady": STEADY, "daily": DAILY, "fading": FADING}
)
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")


class Tier(StrEnum):
    """Degrees of settling: short-, mid- or long-term."""

    STM = "stm"
    MTM = "mtm"
    LTM = "ltm"


class Kind(StrEnum):
    """The cognitive class of a type."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    OPINION = "opinion"


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """Defaults that a type implies for its items.

    Attributes:
        importance: In [0, 1], where none is given.
        decay_rate: Of the confidence, per day to the power 0.8; 0 protects.
        auto_promote: Promoted by upkeep without having been used.
        merges: Whether items of this type are deduplicated and merged. Raw turns, chunks and records are not.
        max_chars: Length of the content where a model, a tool or a web page wrote it; None has no limit of its
            own. What people write is bounded by the policy's settings alone.
    """

    name: str
    kind: Kind
    importance: float
    retention: Retention = STEADY
    decay_rate: float = 0.1
    auto_promote: bool = False
    merges: bool = True
    max_chars: int | None = 3000


@dataclass(frozen=True, slots=True)
class TypeSettings:
    """A type of memory of one's own, or other values for one that there is: `[types.NAME]`.

    Attributes:
        kind: episodic, semantic, procedural or opinion.
        importance: In [0, 1], where none is given.
        retention: How long it lasts: permanent, steady, daily or fading.
        decay_rate: Of the confidence, per day to the power 0.8; 0 protects.
        auto_promote: Promoted by upkeep without having been used.
        max_chars: Length of the content; 0 has no limit of its own.
        aliases: Other names that models use for it.
    """

    kind: str = "semantic"
    importance: float = 0.5
    retention: str = "steady"
    decay_rate: float = 0.1
    auto_promote: bool = False
    max_chars: int = 3000
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in list(Kind):
            raise InvalidSettings(f"the kind of a type is one of {', '.join(Kind)}, not {self.kind!r}")
        if self.retention not in RETENTIONS:
            raise InvalidSettings(
                f"the retention of a type is one of {', '.join(RETENTIONS)}, not {self.retention!r}"
            )
        if not (0 <= self.importance <= 1 and 0 <= self.decay_rate < math.inf and self.max_chars >= 0):
            raise InvalidSettings("a type needs importance in [0, 1], decay_rate >= 0 and max_chars >= 0")

    def spec(self, name: str) -> TypeSpec:
        """Defaults of the type of this name."""
        return TypeSpec(
            name,
            Kind(self.kind),
            self.importance,
            RETENTIONS[self.retention],
            decay_rate=self.decay_rate,
            auto_promote=self.auto_promote,
            max_chars=self.max_chars or None,
        )


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The types that a store knows, and other names that models use for them."""

    specs: Mapping[str, TypeSpec]
    aliases: Mapping[str, str]

    def including(self, types: Mapping[str, TypeSettings]) -> Taxonomy:
        """This taxonomy with types of somebody's own, which stand before those of the same name.

        Raises:
            InvalidSettings: A name is no word in lower case, is the engine's own, or means two types.
        """
        if not types:
            return self
        specs, aliases = dict(self.specs), dict(self.aliases)
        for name, settings in types.items():
            if not _NAME.fullmatch(name) or (name in specs and not specs[name].merges):
                raise InvalidSettings(
                    f"types.{name}: a type is a word of a-z, 0-9 and -, and not one of the engine's own "
                    f"({', '.join(one for one, spec in specs.items() if not spec.merges)})"
                )
            specs[name] = settings.spec(name)
            aliases.pop(name, None)
        for name, settings in types.items():
            for alias in settings.aliases:
                if alias in specs or aliases.get(alias, name) != name or not _NAME.fullmatch(alias):
                    raise InvalidSettings(
                        f"types.{name}: the alias {alias!r} is a type, means another one, or is no word of a-z, "
                        "0-9 and -"
                    )
                aliases[alias] = name
        return Taxonomy(MappingProxyType(specs), MappingProxyType(aliases))

    def __getitem__(self, name: str) -> TypeSpec:
        """The spec of a type; of `note` for a type that this taxonomy does not know (any more)."""
        return self.specs.get(name) or self.specs["note"]

    def resolve(self, name: str) -> tuple[str, str | None]:
        """The type that a name means, and a remark where it is not that type's own name.

        Anything unknown is a note: a memory is worth more than its label. The remark names the type that may be meant.
        """
        plain = name.strip().lower().replace("_", "-")
        if plain in self.specs:
            return plain, None
        if plain in self.aliases:
            return self.aliases[plain], f"type {name!r} is stored as {self.aliases[plain]!r}"
        near = nearest_names(plain, [*self.specs, *self.aliases])
        types = dict.fromkeys(self.aliases.get(one, one) for one in near)
        meant = f"; did you mean {' or '.join(map(repr, types))}?" if types else ""
        return "note", f"unknown type {name[:40]!r} is stored as 'note'{meant}"

    def require_known(self, name: str) -> None:
        """Refuse a type that this taxonomy does not know: a person mistypes, where a model makes up a label.

        Raises:
            InvalidInput: It is unknown; the message has the nearest one, and all.
        """
        plain = name.strip().lower().replace("_", "-")
        if plain in self.specs or plain in self.aliases:
            return
        raise InvalidInput(f"unknown type {name[:40]!r}; {known_names(plain, self.specs, near=self.aliases)}")

    def of_kinds(self, kinds: frozenset[Kind]) -> frozenset[str]:
        """The names of the types of these kinds."""
        return frozenset(name for name, spec in self.specs.items() if spec.kind in kinds)


def _types() -> dict[str, TypeSpec]:
    semantic, procedural = Kind.SEMANTIC, Kind.PROCEDURAL
    specs = (
        TypeSpec("identity", semantic, 1.0, PERMANENT, decay_rate=0, auto_promote=True),
        TypeSpec("config", semantic, 0.7, PERMANENT, decay_rate=0),
        TypeSpec("credential", semantic, 0.7, PERMANENT, decay_rate=0),
        TypeSpec("decision", semantic, 0.8, decay_rate=0, auto_promote=True),
        TypeSpec("constraint", semantic, 0.9, decay_rate=0, auto_promote=True),
        TypeSpec("definition", semantic, 0.7, auto_promote=True),
        TypeSpec("fact", semantic, 0.5),
        TypeSpec("pointer", semantic, 0.4, max_chars=None),
        TypeSpec("note", semantic, 0.4),
        TypeSpec("solution", procedural, 0.7),
        TypeSpec("procedure", procedural, 0.6),
        TypeSpec("pattern", procedural, 0.6),
        TypeSpec("preference", Kind.OPINION, 0.7),
        TypeSpec("event", Kind.EPISODIC, 0.5, DAILY),
        TypeSpec("episode", Kind.EPISODIC, 0.3, DAILY, decay_rate=0, merges=False, max_chars=None),
        TypeSpec("narrative", Kind.EPISODIC, 0.4, DAILY),
        TypeSpec("todo", semantic, 0.5, DAILY),
        TypeSpec("chunk", semantic, 0.3, PERMANENT, decay_rate=0, merges=False, max_chars=None),
        TypeSpec("record", semantic, 0.4, PERMANENT, decay_rate=0, merges=False, max_chars=None),
        TypeSpec("temp", semantic, 0.2, FADING),
        TypeSpec("debug", semantic, 0.1, FADING),
    )
    return {spec.name: spec for spec in specs}


#: The types, and the names that models use for them.
TAXONOMY: Final = Taxonomy(
    specs=MappingProxyType(_types()),
    aliases=MappingProxyType(
        {
            "process": "pattern",
            "rule": "constraint",
            "requirement": "constraint",
            "opinion": "preference",
            "conversation": "event",
            "how-to": "procedure",
            "howto": "procedure",
        }
    ),
)
