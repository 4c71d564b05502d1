"""One PostgreSQL server for a session of tests, one tenant for each store."""

import pytest

from tests.storage.postgres.server import running, started


@pytest.fixture(scope="session")
def server():
    """The server, with the schema in it and a role that owns nothing."""
    return running()


@pytest.fixture(autouse=True)
def _standing():
    """A server that something ended stands again before the next test."""
    if started():
        running()
