"""The contract of stores, by what a store does."""

from __future__ import annotations

from simonides.testing.store.beside import BesideContract
from simonides.testing.store.entities import EntitiesContract
from simonides.testing.store.files import FileStoreContract
from simonides.testing.store.forgetting import ForgettingContract
from simonides.testing.store.history import HistoryContract
from simonides.testing.store.items import ItemsContract
from simonides.testing.store.reading import ReadingContract
from simonides.testing.store.upkeep import UpkeepContract


class StoreContract(
    ItemsContract,
    ReadingContract,
    HistoryContract,
    BesideContract,
    EntitiesContract,
    ForgettingContract,
    UpkeepContract,
):
    """The contract of every `ports.store.Store`. Inherit, override `make_store`, and let pytest run it."""


__all__ = ["FileStoreContract", "StoreContract"]
