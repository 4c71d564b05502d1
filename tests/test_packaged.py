"""Data files and patterns of the package are worked through once, and mean what they say."""

import os
import random
import re
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from simonides.packaged import _Patterns, toml

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


@pytest.fixture
def patterns(tmp_path, monkeypatch):
    """Makes the one_of_them of another process, all of which keep theirs in one folder of the test."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    return _Patterns


def counted(one_of_them, monkeypatch):
    """The expressions that a one_of_them compiles from here on."""
    seen = []
    own = one_of_them._assembled
    monkeypatch.setattr(one_of_them, "_assembled", lambda *given: seen.append(given) or own(*given))
    return seen


EXPRESSIONS = [
    (r"(?P<who>\w+) lives? in (?P<where>[A-ZÄÖÜ]\w+)", re.IGNORECASE),
    (r"(?i:а|б)(?<!x)[^\u4e00-\u9fff]{2,5}?|(a)(b)?\2", 0),
    ("# a comment\n a + ", re.VERBOSE | re.ASCII),
    ("", 0),
    ("|".join(f"word{number}" for number in range(500)), re.IGNORECASE),
]


@pytest.mark.parametrize(("expression", "flags"), EXPRESSIONS)
def test_what_another_process_compiled_is_the_same_pattern(patterns, monkeypatch, expression, flags):
    first = patterns()
    assert first.compiled(expression, int(flags)) == re.compile(expression, flags)
    first._write()
    second = patterns()
    anew = counted(second, monkeypatch)
    found = second.compiled(expression, int(flags))
    assert not anew
    expected = re.compile(expression, flags)
    assert found == expected
    assert (found.flags, found.groups, found.groupindex) == (
        expected.flags,
        expected.groups,
        expected.groupindex,
    )
    text = "Anna lives in Graz, а б word77 ab aa"
    assert [one.span() for one in found.finditer(text)] == [one.span() for one in expected.finditer(text)]


def test_the_same_expression_with_other_flags_is_another_one(patterns):
    first = patterns()
    first.compiled("graz", 0)
    first._write()
    second = patterns()
    assert second.compiled("graz", int(re.IGNORECASE)).match("GRAZ")
    assert not second.compiled("graz", 0).match("GRAZ")


def test_an_error_is_that_of_an_expression(patterns):
    with pytest.raises(re.error, match="unterminated"):
        patterns().compiled("(a", 0)


def test_what_two_processes_compiled_is_kept_of_both(patterns, monkeypatch):
    one, other = patterns(), patterns()
    one.compiled("one", 0)
    other.compiled("other", 0)
    one._write()
    other._write()
    third = patterns()
    anew = counted(third, monkeypatch)
    third.compiled("one", 0)
    third.compiled("other", 0)
    assert not anew


def test_what_another_interpreter_compiled_is_compiled_anew(patterns, monkeypatch):
    first = patterns()
    first.compiled("gr[aä]z", 0)
    first._write()
    monkeypatch.setattr(sys, "version", "another one")
    second = patterns()
    anew = counted(second, monkeypatch)
    assert second.compiled("gr[aä]z", 0).match("gräz")
    assert anew


@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_file_is_compiled_anew(patterns, monkeypatch, seed):
    first = patterns()
    first.compiled("gr[aä]z", 0)
    first._write()
    data = bytearray(first._file.read_bytes())
    drawn = random.Random(seed)
    if seed % 4 == 0:
        del data[drawn.randrange(len(data)) :]
    else:
        data[drawn.randrange(len(data))] ^= 1 << drawn.randrange(8)
    first._file.write_bytes(data)
    second = patterns()
    anew = counted(second, monkeypatch)
    assert second.compiled("gr[aä]z", 0).match("gräz")
    assert anew


def test_where_nothing_can_be_kept_each_process_compiles_for_itself(patterns, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "file"))
    first = patterns()
    assert first.compiled("graz", 0).match("graz")
    first._write()
    assert patterns().compiled("graz", 0).match("graz")


def test_a_process_that_is_to_write_nothing_keeps_nothing(patterns, monkeypatch):
    first = patterns()
    first.compiled("graz", 0)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    first._write()
    assert not first._file.exists()


def test_a_second_process_compiles_nothing_and_keeps_no_word_of_a_user(tmp_path):
    """Extracts from a conversation in two processes; the second holds each pattern to what `re` makes of it."""
    code = """
import re, sys
from simonides import Memory, packaged
assemble, compiled, anew, asked = packaged._Patterns._assembled, packaged._Patterns.compiled, [], {}
def assembled(self, *given):
    anew.append(given)
    return assemble(self, *given)
def remembered(self, *given):
    asked[given] = compiled(self, *given)
    return asked[given]
packaged._Patterns._assembled, packaged._Patterns.compiled = assembled, remembered
with Memory(sys.argv[1]) as memory:
    turn = {"role": "user", "content": "My sister Xanthippe moved to Ouagadougou. Where do I live?"}
    memory.add([turn], session_id="s")
    memory.extract()
    memory.search("Where does Xanthippe live?")
    memory.context("Where does Xanthippe live?")
assert not any(word in one.lower() for one, _ in asked for word in ("xanthippe", "ouaga"))
if not anew:
    assert all(found == re.compile(*given) for given, found in asked.items())
print(len(anew), len(asked))
"""
    counts = []
    for number in range(2):
        arguments = [sys.executable, "-X", f"pycache_prefix={tmp_path / 'cache'}", "-c", code]
        done = subprocess.run(
            [*arguments, tmp_path / f"{number}.db"], capture_output=True, text=True, check=True
        )
        counts.append([int(one) for one in done.stdout.split()])
    (first, asked), second = counts
    assert first == asked > 400
    assert second == [0, asked]
