"""The index of the docs is an index, and can be named in the settings."""

import sys
import tomllib

import pytest

from simonides import Memory
from simonides.config import load

PAGE = "docs/extending/index.md"


def test_the_index_of_the_docs_meets_the_contract(docs, elsewhere):
    names, _, _ = docs.run(PAGE)
    contract = names["TestPlainIndex"]
    tests = [name for name in dir(contract) if name.startswith("test_")]
    assert len(tests) > 15
    for name in tests:
        case = contract()
        case.setup_method()
        getattr(case, name)()


@pytest.fixture
def acme(docs, elsewhere, monkeypatch):
    """The package of the page, installed as it says there."""
    (elsewhere / "acme_index.py").write_text(docs.fenced(PAGE, "python")[0], "utf-8")
    [(group, entries)] = tomllib.loads(docs.fenced(PAGE, "toml")[0])["project"]["entry-points"].items()
    metadata = elsewhere / "acme_index-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-index\nVersion: 1.0\n", "utf-8")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    monkeypatch.syspath_prepend(elsewhere)
    yield elsewhere
    sys.modules.pop("acme_index", None)


def test_an_index_of_a_package_can_be_named_in_the_settings(docs, acme):
    settings = acme / "simonides.toml"
    settings.write_text(docs.fenced(PAGE, "toml")[1], "utf-8")
    with Memory("named.db", settings=load(settings)) as memory:
        memory.add("The observatory stands on the hill.")
        assert memory.search("where is the observatory?").strategy.startswith("text+vectors")
        assert memory.reindex() == "plain, 1 vectors"
