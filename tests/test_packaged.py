"""Data files of the package are parsed once, and mean what they say."""

import os
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from simonides.packaged import toml

FILES = sorted(Path(str(resources.files("simonides"))).rglob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_a_file_of_the_package_reads_as_it_is_written(file):
    written = tomllib.loads(file.read_text("utf-8"))
    for _ in range(2):
        found = toml(file)
        assert found == written
        assert [*found] == [*written], "the order of sections"


def test_a_file_that_changed_is_read_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "words.toml"
    for value in ("one", "other"):
        file.write_text(f'[words]\nstop = "{value}"\n')
        assert toml(file) == toml(file) == {"words": {"stop": value}}
    size = file.stat().st_size
    file.write_text('[words]\nstop = "again"\n')
    os.utime(file, (1_000_000, 1_000_000))
    assert file.stat().st_size == size
    assert toml(file) == {"words": {"stop": "again"}}


def test_a_file_is_read_where_nothing_can_be_kept(tmp_path, monkeypatch):
    file = tmp_path / "words.toml"
    file.write_text("[words]\nstop = 'the'\n")
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    assert toml(file) == {"words": {"stop": "the"}}
