"""Methods of the ports, all of them tried by the contract."""

import inspect
import re

import pytest

from simonides.errors import StoreError
from simonides.ports.files import FileStore, file_of
from simonides.ports.store import Store, Writer
from simonides.testing import FileStoreContract, StoreContract


def members(port):
    """Everything that a port and those that it is made of ask for."""
    return sorted(
        name
        for part in port.__mro__
        if part.__module__.startswith("simonides")
        for name in vars(part)
        if not name.startswith("_")
    )


CONTRACT = "\n".join(
    inspect.getsource(part)
    for part in dict.fromkeys((*StoreContract.__mro__, *FileStoreContract.__mro__))
    if part.__module__.startswith("simonides")
)
TRIED = set(re.findall(r"\b(?:tx|reader|view|store|copy)\.(\w+)", CONTRACT))


@pytest.mark.parametrize("name", sorted({*members(Store), *members(Writer), *members(FileStore)}))
def test_the_contract_tries_everything_that_a_store_must_do(name):
    assert name in TRIED


def test_what_only_a_file_can_do_is_refused_where_the_store_is_none():
    class Elsewhere:
        """A store that is no file."""

    with pytest.raises(StoreError, match="no file: to copy it"):
        file_of(Elsewhere(), "copy it")
