"""Weights of encoders that come along: files of arrays, and what multiplies with them."""

from __future__ import annotations

import threading
import zipfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from simonides.errors import ProviderUnavailable

#: Gives the arrays of an open file by their names.
Arrays = Callable[[str], Any]
Ids = NDArray[np.intp]

#: Tokens that frame a text: what begins it and what ends it.
FRAME: Final = 2
#: A text's rows stand from a multiple of this on. BLAS goes through the rows of a product by twos to two dozen, as the
#: processor has it, and adds up each row by its place among them, and what is left over in another way.
_BLOCK: Final = 24
#: Tokens of several texts that go through a layer together.
_TOKENS_AT_ONCE: Final = 512

_one_at_a_time: Final = threading.Lock()


class WeightsFile:
    """An archive of numpy arrays; one of them is the digest of all others."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def fingerprint(self) -> str:
        """The digest, read, not computed.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        with self.arrays() as array:
            return bytes(array("fingerprint")).hex()

    @contextmanager
    def arrays(self) -> Generator[Arrays]:
        """Open the file for reading its arrays by their names.

        Raises:
            ProviderUnavailable: The file is not there, or damaged.
        """
        try:
            with zipfile.ZipFile(self._path) as file:

                def array(name: str) -> Any:
                    with file.open(f"{name}.npy") as content:
                        return np.lib.format.read_array(content, allow_pickle=False)

                yield array
        except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ProviderUnavailable(
                f"{self._path.name} is not there or damaged; reinstall the package."
            ) from error


@contextmanager
def one_thread() -> Generator[None]:
    """Hold BLAS to one thread, one caller at a time.

    Several threads wait longer for each other than they work, on busy cores three times as long, and add up in another
    order. The limit is the process's: who ends it first would end it for others.
    """
    with _one_at_a_time, _blas().limit(limits=1):
        yield


@cache
def _blas() -> Any:
    """The limiter of the threads of BLAS; its package has no types."""
    return cast("Any", ThreadpoolController()).select(user_api="blas")


def batches(texts: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Places of the texts that have tokens, in their order, so many that their rows go through a layer together."""
    batch: list[int] = []
    rows = 0
    for place, ids in enumerate(texts):
        taken = _whole(len(ids) + FRAME)
        if batch and rows + taken > _TOKENS_AT_ONCE:
            yield batch
            batch, rows = [], 0
        if ids:
            batch.append(place)
            rows += taken
    if batch:
        yield batch


def rows_of(texts: Sequence[Sequence[int]], first: int, last: int) -> tuple[Ids, list[slice]]:
    """The ids of texts in rows, framed by `first` and `last`, and where each text stands.

    Whatever stands between two texts is `last`, so that a text's numbers do not depend on its neighbours.
    """
    rows: list[int] = []
    places: list[slice] = []
    for ids in texts:
        start = len(rows)
        rows += (first, *ids, last)
        places.append(slice(start, len(rows)))
        rows += [last] * (_whole(len(ids) + FRAME) - len(ids) - FRAME)
    return np.array(rows, np.intp), places


def _whole(rows: int) -> int:
    return -(-rows // _BLOCK) * _BLOCK
