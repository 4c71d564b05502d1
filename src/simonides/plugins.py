"""Entry points by which other packages offer stores, providers, indexes and jobs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from simonides.errors import InvalidSettings, ProviderUnavailable
from simonides.values import dataclass

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

T = TypeVar("T")


@dataclass(frozen=True)  # with slots, `Makers[…](…)` fails in Python 3.11
class Makers(Generic[T]):
    """Makers of one kind by name: those that come along, and those that packages offer.

    Attributes:
        kind: What they make, in words.
        group: The group of entry points in which packages offer more.
        built_in: Those that come along; none that is offered takes the place of one.
    """

    kind: str
    group: str
    built_in: Mapping[str, T] = field(default_factory=lambda: MappingProxyType({}))

    def known(self) -> list[str]:
        """Every name, sorted."""
        return sorted({*self.built_in, *offered(self.group)})

    def named(self, name: str) -> T:
        """The maker of this name.

        Raises:
            InvalidSettings: There is none.
            ProviderUnavailable: Its package cannot be imported.
        """
        if name in self.built_in:
            return self.built_in[name]
        made = plugin(self.group, name, kind=self.kind)
        if made is None:
            known = ", ".join(self.known()) or "none"
            raise InvalidSettings(f"there is no {self.kind} {name!r}; known are {known}")
        return made


def offered(group: str) -> frozenset[str]:
    """The names that packages offer in a group."""
    return frozenset(point.name for point in _installed(group, tuple(sys.path)))


def plugin(group: str, name: str, *, kind: str) -> Any:
    """Load what an entry point leads to; None if no package offers the name.

    Args:
        kind: What it is, for the message.

    Raises:
        ProviderUnavailable: It cannot be imported.
    """
    point = next(iter(_installed(group, tuple(sys.path)).select(name=name)), None)
    if point is None:
        return None
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise ProviderUnavailable(
            f"the {kind} {name!r} ({point.value}) cannot be imported ({error}); install its package anew"
        ) from error


@lru_cache(maxsize=32)
def _installed(group: str, _path: tuple[str, ...]) -> EntryPoints:
    """Entry points of the packages on a path; read once, for reading them costs more than opening a store."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - with `email`, ten milliseconds that few starts need

    return entry_points(group=group)
