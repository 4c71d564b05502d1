import atexit
import gc
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis.internal.conjecture import providers

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import FakeEmbedder, FrozenClock
from tests.prepared import copied

# No example fails because a machine is slow or busy, and a memory may serve several of them.
hypothesis_settings.register_profile(
    "patient",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
hypothesis_settings.load_profile("patient")
# What lands is tried on the same examples each time, so on fewer; elsewhere properties search at random, and longer.
hypothesis_settings.register_profile("ci", derandomize=True, max_examples=50)
FEWEST_EXAMPLES, SHARE = 5, 4
if os.environ.get("CI"):
    hypothesis_settings.load_profile("ci")
    # Else constants of our modules are tried, too: of those that other tests happened to import before.
    assert callable(providers._get_local_constants)
    providers._get_local_constants = lambda: providers._local_constants


#: A file system in memory, and the room that all stores of a run may take there at once.
IN_MEMORY, ROOM_BYTES = Path("/dev/shm"), 4 * 1024**3


def pytest_configure():
    """Keep the tests' files in memory where there is room for them, and settings out."""
    # No test measures how fast a disk is.
    if os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
        # A memory without a path is a file, too.
        os.environ["TMPDIR"] = tempfile.tempdir = str(IN_MEMORY)
    # Tests, and what processes that they start import, are compiled once, not by each process and each run anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    # Where they run in the background it may be ignored, and a process that they start would never end by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # No settings of whoever runs the tests: there is no such folder.
    os.environ["XDG_CONFIG_HOME"] = str(Path(__file__).with_name("no-settings"))
    # Nor their memories: what opens one without a path has a folder of the run's own.
    own = tempfile.TemporaryDirectory(prefix="simonides-tests-", ignore_cleanup_errors=True)
    atexit.register(own.cleanup)
    os.environ["XDG_DATA_HOME"] = own.name


def pytest_collection():
    """Look for no garbage while thousands of tests are collected: all of it stays."""
    gc.disable()


def pytest_collection_modifyitems(items):
    """Try a quarter of the examples that a property asks for where they are the same each time."""
    if not os.environ.get("CI"):
        return
    for function in {item.function for item in items if hasattr(item, "function")}:
        if own := getattr(function, "_hypothesis_internal_use_settings", None):
            fewer = min(own.max_examples, max(FEWEST_EXAMPLES, own.max_examples // SHARE))
            function._hypothesis_internal_use_settings = hypothesis_settings(own, max_examples=fewer)


def pytest_collection_finish():
    """Keep the collected tests out of every later search for garbage, and search less often."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.db"


@pytest.fixture
def clock():
    return FrozenClock("2026-03-01T12:00:00Z")


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory):
    """A store in which nothing was stored yet: a copy costs half of what making one does."""
    path = tmp_path_factory.mktemp("empty") / "memory.db"
    SqliteStore(path, synchronous="NORMAL").close()
    return path


@pytest.fixture
def fresh(tmp_path, empty_store):
    """The path of a store in which nothing was stored yet."""
    return copied(empty_store, tmp_path / "memory.db")


@pytest.fixture
def open_memory(path, clock, empty_store):
    """Opens memories, by default on `path`, and closes them at the end."""
    opened = []

    def open_one(where=path, **options):
        if where == path and not opened and not where.exists() and "settings" not in options:
            copied(empty_store, where)
        settings = Settings(store=StoreSettings(synchronous="NORMAL"))
        chosen = {"settings": settings, "clock": clock, "embedder": FakeEmbedder(8)} | options
        opened.append(Memory(where, **chosen))
        return opened[-1]

    yield open_one
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(open_memory):
    return open_memory()


@pytest.fixture
def add(memory):
    """Add what a user says; the id of the item that was accepted."""

    def added(content, **fields):
        (verdict,) = memory.add(content, **fields)
        assert verdict.outcome == "accepted", verdict
        return verdict.item_id

    return added
