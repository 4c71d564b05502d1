"""Samples of what other programs keep, made for these tests."""

import sqlite3
from pathlib import Path

import pytest

from simonides import Memory
from simonides.testing import FakeEmbedder, FrozenClock

SAMPLES = Path(__file__).parent / "samples"
NOW = "2026-06-01T12:00:00Z"


@pytest.fixture
def memory(fresh):
    with Memory(fresh, embedder=FakeEmbedder(8), clock=FrozenClock(NOW)) as made:
        yield made


@pytest.fixture
def samples():
    return SAMPLES


@pytest.fixture
def database(tmp_path):
    """Make a database of others from a sample of its statements, or from statements."""

    def make(sample):
        path = tmp_path / "theirs.db"
        script = (SAMPLES / sample).read_text() if sample.endswith(".sql") else sample
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.close()
        return path

    return make
