"""One PostgreSQL server for a session of tests, one tenant for each store."""

import pytest

from tests.storage.postgres.server import running


@pytest.fixture
def server():
    """The server, with the schema in it and a role that owns nothing."""
    return running()
