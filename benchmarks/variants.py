"""Ways of reading that are compared: settings changed by name, keywords of a search, another embedder."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Final

from simonides.config import Settings, StoreSettings
from simonides.errors import InvalidInput, InvalidSettings

BUNDLED: Final = "bundled"
#: Where names are looked for that are given without their section.
_SECTION: Final = "recall"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of reading.

    Attributes:
        name: Of its row in the tables.
        changes: Settings that differ from the defaults, by name (`changed`).
        asking: Keywords of each search.
        embedder: What makes the vectors, such as `ollama:MODEL`.
        reranker: What reads the best hits again, named likewise; None for none.
        upkeep: Whether every job of upkeep runs before it is asked.
        credited: Whether what upkeep made counts as a turn that it was made of, in its place.
    """

    name: str
    changes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    asking: Mapping[str, Any] = field(default_factory=dict[str, Any])
    embedder: str = BUNDLED
    reranker: str | None = None
    upkeep: bool = False
    credited: bool = False

    @property
    def settings(self) -> Settings:
        """The defaults with these changes; writes need not survive a power cut."""
        return changed(Settings(store=StoreSettings(synchronous="NORMAL")), self.changes)

    def to_dict(self) -> dict[str, Any]:
        return {
            "changes": dict(self.changes),
            "asking": dict(self.asking),
            "embedder": self.embedder,
            "reranker": self.reranker,
            "upkeep": self.upkeep,
            "credited": self.credited,
        }


def changed(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Settings with some of them changed.

    Args:
        values: By name: the whole of it, `recall.min_relevance`, or as much of its end as
            names one setting of the read path. A text is read as what the setting is.

    Raises:
        InvalidInput: A name is unknown or names several settings, or a value cannot be used.
    """
    for name, value in values.items():
        path, present = _place(settings, name)
        read = _read(value, present, name) if isinstance(value, str) else value
        try:
            settings = _put(settings, path.split("."), read)
        except InvalidSettings as error:
            raise InvalidInput(str(error)) from error
    return settings


def changes(text: str) -> dict[str, str]:
    """Changes as an option lists them: `name=value,…`."""
    found: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"{part!r} is not of the form name=value")
        found[name.strip()] = value.strip()
    return found


def _place(settings: Settings, name: str) -> tuple[str, Any]:
    known = dict(_entries(settings, ""))
    if name in known:
        return name, known[name]
    section = {path: value for path, value in known.items() if path.startswith(f"{_SECTION}.")}
    found = [path for path in section if path.endswith(f".{name}")]
    if len(found) > 1:
        raise InvalidInput(f"{name!r} may be any of {', '.join(found)}; give more of the name")
    if not found:
        names = sorted(path.removeprefix(f"{_SECTION}.") for path in section)
        raise InvalidInput(f"there is no setting {name!r} of the read path; use one of {', '.join(names)}")
    return found[0], known[found[0]]


def _entries(settings: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Every setting and section, by its whole name."""
    for entry in fields(settings):
        value = getattr(settings, entry.name)
        yield f"{where}{entry.name}", value
        if is_dataclass(value):
            yield from _entries(value, f"{where}{entry.name}.")


def _put(settings: Any, path: list[str], value: Any) -> Any:
    first, *rest = path
    return replace(settings, **{first: _put(getattr(settings, first), rest, value) if rest else value})


def _read(text: str, present: Any, name: str) -> Any:
    """A text as a value of the kind that is there."""
    match present:
        case bool():
            return text.lower() in {"1", "true"}
        case int() | float():
            try:
                return type(present)(text)
            except ValueError:
                raise InvalidInput(f"{name} takes a {type(present).__name__}, not {text!r}") from None
        case _:
            return text
