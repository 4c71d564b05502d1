"""The contract of every store, kept by one on PostgreSQL."""

from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import StoreContract
from tests.storage.postgres.server import running


class TestPostgresStore(StoreContract):
    def make_store(self, folder):
        server = running()
        address = PostgresAddress(url=server.url, tenant=server.new_tenant())
        return PostgresStore(address, connections=server.connections)
