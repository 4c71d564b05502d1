"""Indexes that the settings name, and the errors where one cannot be had."""

import subprocess
import sys

import pytest

from simonides.config import load
from simonides.errors import InvalidSettings, NotInstalled
from simonides.testing import FakeEmbedder
from simonides.vectors.registry import IndexRequest, IndexSettings, known_kinds, maker_of

MODEL = FakeEmbedder(8).identity


def made(tmp_path, **settings):
    chosen = IndexSettings(**settings)
    return maker_of(chosen.kind)(IndexRequest(MODEL, chosen, tmp_path / "vectors"))


def test_the_section_is_read_from_a_file_and_the_environment(tmp_path):
    file = tmp_path / "simonides.toml"
    file.write_text('[index]\nkind = "faiss-hnsw"\n')
    assert load(file, {}).index == IndexSettings(kind="faiss-hnsw")
    assert load(file, {"SIMONIDES_INDEX_KIND": "faiss-pq"}).index == IndexSettings(kind="faiss-pq")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("above", 0),
        ("m", 1),
        ("m", 129),
        ("ef_construction", 7),
        ("ef_search", 4097),
        ("probed", 0.0),
        ("probed", 1.1),
    ],
)
def test_a_number_out_of_range_is_refused_by_name(name, value):
    with pytest.raises(InvalidSettings, match=rf"index\.{name}"):
        IndexSettings(**{name: value})


def test_an_unknown_kind_is_refused_when_a_memory_is_opened(open_memory):
    from simonides.config import Settings

    with pytest.raises(InvalidSettings, match=r"index\.kind is one of auto, exact, .*, not 'hnsw'"):
        open_memory(settings=Settings(index=IndexSettings(kind="hnsw")))


def test_the_kinds_are_known_by_name():
    assert {"auto", "exact", "faiss-pq", "faiss-hnsw", "faiss-ivf", "usearch", "sqlite-vec"} <= set(
        known_kinds()
    )


def test_auto_takes_what_is_installed(tmp_path):
    pytest.importorskip("faiss")
    assert made(tmp_path).describe().startswith("faiss-pq for scopes of ")
    assert made(tmp_path, kind="exact").describe() == "exact, 0 vectors"


WITHOUT = """
import importlib.util, sys

find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == sys.argv[1] else find(name, *rest)

from simonides.testing import FakeEmbedder
from simonides.vectors.registry import IndexRequest, IndexSettings, maker_of

try:
    settings = IndexSettings(kind=sys.argv[2])
    print(maker_of(settings.kind)(IndexRequest(FakeEmbedder(8).identity, settings, None)).describe())
except Exception as error:
    print(type(error).__name__, error)
"""


def without(module, kind):
    """Answer about a kind in a process that lacks a module."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, module, kind], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("module", "kind", "extra"),
    [
        ("faiss", "faiss-pq", "faiss"),
        ("faiss", "faiss-hnsw", "faiss"),
        ("faiss", "faiss-ivf", "faiss"),
        ("usearch", "usearch", "usearch"),
        ("sqlite_vec", "sqlite-vec", "sqlite-vec"),
    ],
)
def test_a_kind_whose_package_is_missing_names_the_extra(module, kind, extra):
    said = without(module, kind)
    assert said.startswith(NotInstalled.__name__)
    assert f"pip install 'simonides[{extra}]'" in said


def test_auto_is_exact_where_no_engine_is_installed():
    assert without("faiss", "auto") == "exact, 0 vectors"


def test_opening_a_memory_imports_no_engine(tmp_path):
    script = """
import sys
from simonides import Memory
with Memory(sys.argv[1]) as memory:
    memory.add("We ship on Fridays.")
    memory.search("when do we ship?")
print(sorted({"faiss", "usearch", "sqlite_vec"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.strip() == "[]"
