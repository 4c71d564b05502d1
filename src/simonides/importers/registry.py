"""The kinds of sources there are, by name: those that come along, and those of other packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Final

from simonides.errors import InvalidInput, InvalidSettings
from simonides.importers import kinds as ours
from simonides.plugins import Makers
from simonides.ports.importer import Importer, ImporterMaker

GROUP: Final = "simonides.importers"


def _made(module: str) -> Importer:
    """The importer of a file of `kinds/`: the one class there that is called so."""
    home = import_module(f"{ours.__name__}.{module}")
    (made,) = (
        each for name, each in vars(home).items() if name.endswith("Importer") and isinstance(each, type)
    )
    return made()


#: Imported when their kind is asked for.
_MAKERS: Final[Mapping[str, Callable[[], Importer]]] = MappingProxyType(
    {file.name.replace("_", "-"): partial(_made, file.name) for file in iter_modules(ours.__path__)}
)
_IMPORTERS: Final = Makers[ImporterMaker]("importer", GROUP, _MAKERS)


def kinds() -> list[str]:
    """Every kind by name, sorted."""
    return _IMPORTERS.known()


def importer_of(kind: str) -> Importer:
    """The importer of a kind.

    Raises:
        InvalidInput: There is none.
        ProviderUnavailable: Its package cannot be imported.
    """
    try:
        return _IMPORTERS.named(kind)()
    except InvalidSettings as error:
        raise InvalidInput(f"there is no kind of source {kind!r}; known are {', '.join(kinds())}") from error
