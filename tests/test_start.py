"""Cost of a start: only what opening a store and one search need is imported."""

import gc
import subprocess
import sys

import pytest

import simonides
from simonides import Memory

PROGRAM = """
import sys
import simonides
assert not [name for name in sys.modules if name.startswith("simonides.")], "an import alone brings the engine along"
with simonides.Memory(sys.argv[1]) as memory:
    memory.search("When do we ship?")
print(*sorted(sys.modules))
"""
#: Rooms that a search does not enter.
UNASKED = (
    "simonides.upkeep.apply",
    "simonides.upkeep.change",
    "simonides.upkeep.clusters",
    "simonides.upkeep.jobs",
    "simonides.upkeep.merge",
    "simonides.upkeep.metrics",
    "simonides.upkeep.runner",
    "simonides.upkeep.schedule.watch",
    "simonides.upkeep.undo",
    "simonides.upkeep.upkeep",
    "simonides.recall.agenda.node",
    "simonides.recall.agenda.operators",
    "simonides.recall.agenda.score",
    "simonides.recall.agenda.run",
    "simonides.recall.agenda.search",
    "simonides.recall.agenda_source",
    "simonides.recall.graph",
    "simonides.governance.bearing",
    "simonides.governance.known",
    "simonides.governance.policy",
    "simonides.governance.rulebook",
    "simonides.governance.scan",
    "simonides.language.clauses",
    "simonides.language.contradiction",
    "simonides.writing.curate",
    "simonides.writing.extract",
    "simonides.writing.neighbours",
    "simonides.writing.record",
    "simonides.writing.habits",
    "simonides.writing.transfer",
    "simonides.agent",
    "simonides.edges",
    "simonides.aio",
    # Entry points are read where something is named that does not come along.
    "importlib.metadata",
    "numpy.ma",
    "subprocess",
)


def test_opening_a_store_and_a_search_import_nothing_that_nobody_asked_for(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("We ship on Fridays.")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.split()
    assert "simonides.recall.search" in loaded
    assert [name for name in loaded if any(f"{name}.".startswith(f"{room}.") for room in UNASKED)] == []


PATTERNS = """
import re, sys
compiled, compiling = [], re.compile
re.compile = lambda pattern, flags=0: compiled.append(pattern) or compiling(pattern, flags)
import simonides
with simonides.Memory(sys.argv[1]) as memory:
    memory.search("When do we ship?")
from simonides.domain.text import CJK
assert len(compiled) > 10, "patterns are compiled in another way"
print(*(pattern for pattern in compiled if pattern in {f"[{CJK}]", f"[{CJK}]+"}))
"""


def test_a_question_in_ascii_compiles_no_class_of_chinese_signs(tmp_path):
    with Memory(tmp_path / "memory.db") as memory:
        memory.add("We ship on Fridays.")
    done = subprocess.run(
        [sys.executable, "-c", PATTERNS, str(tmp_path / "memory.db")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout.strip() == ""


def test_a_name_of_a_module_that_is_loaded_counts_nothing_of_what_is_kept_apart(monkeypatch):
    assert gc.isenabled()
    memory = simonides.Memory
    monkeypatch.setattr(gc, "get_freeze_count", lambda: pytest.fail("counted all that is frozen"))
    assert simonides.__getattr__("Memory") is memory
