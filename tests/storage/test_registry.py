"""From an address to its store."""

import re
import sys
import textwrap
from pathlib import Path

import pytest

from simonides import Memory
from simonides.domain.address import address_of, scheme_of
from simonides.errors import InvalidInput, InvalidSettings, ProviderUnavailable, StoreError
from simonides.storage.registry import STORES


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A package that offers a store for `toy://`: one that is no file to whoever asks."""
    (tmp_path / "toy_store.py").write_text(
        textwrap.dedent("""
            from pathlib import Path

            from simonides.ports.files import FileStore
            from simonides.storage.sqlite.store import SqliteStore

            opened = []


            class ToyStore:
                def __init__(self, request):
                    self.request = request
                    name = request.address.removeprefix("toy://")
                    self._kept = SqliteStore(Path(__file__).with_name(name), reserve=False, aside=False)
                    opened.append(self)

                def __getattr__(self, name):
                    if name in vars(FileStore):
                        raise AttributeError(name)
                    return getattr(self._kept, name)
        """)
    )
    metadata = tmp_path / "toy_store-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-store\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(
        "[simonides.stores]\ntoy = toy_store:ToyStore\nlost = toy_store:gone\nsqlite = toy_store:ToyStore\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("toy_store", None)


def test_a_store_that_a_package_offers_is_opened_by_the_scheme_of_its_url(toy):
    with Memory("toy://notes", read_only=False) as memory:
        memory.add("The lighthouse stands in the harbour.", project="apollo")
        [hit] = memory.search("lighthouse", project="apollo").hits
        assert hit.item.content == "The lighthouse stands in the harbour."
        assert memory.context("lighthouse", project="apollo").text
        assert memory.path is None
        assert memory.doctor().healthy
        memory.purge(hit.item.id)
        assert memory.stats()["items"] == 0
    [store] = sys.modules["toy_store"].opened
    assert store.request.address == "toy://notes"


def test_what_only_a_file_can_do_is_refused_of_a_store_that_is_none(toy, tmp_path):
    with Memory("toy://notes") as memory, pytest.raises(StoreError, match="no file"):
        memory.backup(tmp_path / "copy.db")


def test_the_settings_may_name_a_url(toy, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", "toy://of-the-settings")
    with Memory() as memory:
        memory.add("Kept where the settings say.")
    [store] = sys.modules["toy_store"].opened
    assert store.request.address == "toy://of-the-settings"


def test_a_store_that_comes_along_is_not_replaced(toy, tmp_path):
    assert STORES.known() == ["lost", "postgres", "postgresql", "sqlite", "toy"]
    with Memory(f"sqlite:///{tmp_path}/own.db") as memory:
        assert memory.path == tmp_path / "own.db"


def test_a_store_that_cannot_be_imported_says_so(toy):
    with pytest.raises(ProviderUnavailable, match="store 'lost'"):
        Memory("lost://notes")


def test_a_scheme_that_nobody_offers_is_refused_with_those_that_are_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidSettings, match="no store 'mysql'; known are postgres, postgresql, sqlite"):
        Memory("mysql://db.example/notes")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("notes.db", Path("notes.db")),
        (Path("a/notes.db"), Path("a/notes.db")),
        ("sqlite:///notes.db", Path("notes.db")),
        ("SQLite:///a/notes.db", Path("a/notes.db")),
        ("sqlite:////srv/notes.db", Path("/srv/notes.db")),
        ("sqlite://", Path(":memory:")),
        ("sqlite:///:memory:", Path(":memory:")),
        ("C://notes.db", Path("C://notes.db")),
        ("notes: a//b.db", Path("notes: a//b.db")),
        ("postgresql://db.example/notes", "postgresql://db.example/notes"),
    ],
)
def test_an_address_is_a_path_or_the_url_of_what_is_no_file(given, address):
    assert address_of(given) == address
    assert scheme_of(address_of(given)) == ("postgresql" if isinstance(address, str) else "sqlite")


@pytest.mark.parametrize("given", ["sqlite://host/notes.db", "sqlite:///a\0b", 7, b"notes.db", None])
def test_what_is_no_address_is_refused(given):
    with pytest.raises(InvalidInput):
        address_of(given)


@pytest.mark.parametrize(
    ("given", "instead"),
    [
        ("sqlite:notes.db", "sqlite:///FILE"),
        ("SQLite:/srv/notes.db", "sqlite:///FILE"),
        ("sqlite:", "sqlite:///FILE"),
        ("file:notes.db", "the path of the file"),
        ("file:///srv/notes.db?mode=ro", "the path of the file"),
        ("sqlite:///notes.db?mode=ro", "leave them out"),
    ],
)
def test_an_address_of_another_form_is_refused_with_the_right_one(tmp_path, monkeypatch, given, instead):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=re.escape(instead)):
        Memory(given)
    assert list(tmp_path.iterdir()) == []
