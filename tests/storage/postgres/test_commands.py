"""Commands on a database, as on a file."""

import hashlib
import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.domain.address import place_of, shown
from simonides.edges.cli.main import app
from simonides.errors import StoreError
from simonides.storage.postgres.address import postgres_address
from simonides.testing import FakeEmbedder

RUN = CliRunner()


@pytest.fixture
def address(server):
    """The address of a store that holds something."""
    name = server.new_tenant()
    with Memory(server.url, tenant=name, embedder=FakeEmbedder(8)) as memory:
        memory.add("We ship on Fridays.")
    return f"{server.url}&tenant={name}"


def run(*arguments):
    found = RUN.invoke(app, [str(one) for one in arguments])
    assert found.exit_code == 0, (found.output, found.exception)
    return found.stdout


@pytest.mark.parametrize("command", ["stats", "doctor"])
def test_the_store_is_named_by_its_address(address, command):
    assert shown(address) in run(command, "--db", address).replace("\n", "")


def test_a_server_keeps_its_keys_beside_the_user_where_the_store_is_no_file(address, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert "laptop" in run("keys", "create", "laptop", "--db", address) + run("keys", "list", "--db", address)
    assert [one.suffix for one in (tmp_path / "simonides").iterdir() if one.suffix == ".server"] == [
        ".server"
    ]
    with Memory(address, embedder=FakeEmbedder(8)) as memory:
        assert memory.stats()["items"] == 1


@pytest.mark.parametrize(
    "other",
    [
        "postgres://db.example/memory?tenant=acme",
        "postgresql://app:secret@DB.example:5432/memory?pool_size=5&tenant=acme&application_name=x",
        "postgresql://owner@db.example/?dbname=memory&tenant=acme&connect_timeout=3",
        "postgresql:///memory?host=db.example&port=5432&user=app&tenant=acme&sslmode=require",
        "postgresql://memory@db.example?tenant=acme",
    ],
)
def test_keys_of_a_server_stay_however_the_address_of_its_database_is_spelt(tmp_path, monkeypatch, other):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    address = "postgresql://app@db.example/memory?tenant=acme"
    run("keys", "create", "laptop", "--db", address)
    assert "laptop" in run("keys", "list", "--db", other)
    for elsewhere in (
        "other.example/memory?tenant=acme",
        "db.example/memory",
        "db.example:5433/memory?tenant=acme",
    ):
        assert "laptop" not in run("keys", "list", "--db", f"postgresql://app@{elsewhere}")


def test_a_socket_and_hosts_in_any_order_are_places_of_a_database():
    assert place_of("postgresql:///x?host=/run/pg") == place_of("postgresql://%2Frun%2Fpg/x")
    assert place_of("postgresql://a:1,b/x") == place_of("postgres://u@b:5432,a:1/x")
    assert place_of("postgresql://[::1]/x") == place_of("postgresql://localhost/x?tenant=default")
    assert place_of("postgresql://u@a") == place_of("postgresql://a/u") != place_of("postgresql://v@a")


def test_keys_that_an_earlier_release_made_by_the_spelling_of_an_address_stay_in_use(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    address = "postgresql://app@db.example/memory?pool_size=5"
    run("keys", "create", "laptop", "--db", address)
    (made,) = (tmp_path / "simonides").iterdir()
    digest = hashlib.blake2b(shown(address).encode(), digest_size=8).hexdigest()
    made.rename(made.with_name(f"postgresql-{digest}.server"))
    assert "laptop" in run("keys", "list", "--db", address)


def test_a_key_names_a_tenant_that_there_is(server, address, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    other = server.new_tenant()
    told = json.loads(run("keys", "create", "acme", "--tenant", other, "--json", "--db", address))
    assert told["tenant"] == other
    assert f"global of {other}" in run("keys", "list", "--db", address)
    for name, where, said in [
        ("nobody-here", address, "there is no tenant 'nobody-here'"),
        ("No Name", address, "no name of a tenant"),
        ("acme", tmp_path / "notes.db", "has no tenants"),
    ]:
        found = RUN.invoke(app, ["keys", "create", "x", "--tenant", name, "--db", str(where)])
        assert found.exit_code
        assert said in f"{found.output} {found.exception}".replace("\n", " ")
        assert "x" not in [key["name"] for key in json.loads(run("keys", "list", "--json", "--db", where))]


def test_what_is_for_files_only_does_not_tell_the_password():
    found = RUN.invoke(app, ["doctor", "--salvage", "x.db", "--db", "postgresql://ana:secret@db/x"])
    assert isinstance(found.exception, StoreError | SystemExit)
    assert "secret" not in f"{found.output} {found.exception}"


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql://ana:secret@db/x?tenant=a", "postgresql://db/x?tenant=a"),
        (
            "postgresql://db/x?user=ana&password=secret&tenant=a",
            "postgresql://db/x?user=ana&password=&tenant=a",
        ),
        ("notes.db", "notes.db"),
    ],
)
def test_an_address_is_told_without_what_is_secret(address, told):
    assert shown(address) == told


def test_a_search_beside_a_writer_says_in_a_line_that_it_could_not_count_what_it_found(server, address):
    command = [
        sys.executable,
        "-m",
        "simonides",
        "search",
        "Fridays",
        "--db",
        f"{address}&lock_timeout_s=0.1",
    ]
    with server.owner() as owner, owner.transaction():
        owner.execute("SELECT 1 FROM memory_heads FOR UPDATE")
        found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "We ship on Fridays." in found.stdout
    (line,) = (line for line in found.stderr.splitlines() if not line.startswith("degraded: vectors"))
    assert "are lost: another writer" in line


def test_a_server_that_was_started_anew_is_no_matter_for_the_terminal(server, address):
    script = f"""
import psycopg
from simonides import Memory
with Memory({address!r}) as memory:
    with psycopg.connect({server.owner_url!r}, autocommit=True) as owner:
        owner.execute("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE usename = 'simonides_app'")
    print(len(memory.list()))
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (found.stdout.strip(), found.stderr) == ("1", "")


def test_what_psycopg_logs_of_connections_that_broke_is_no_matter_for_the_terminal():
    script = """
import logging, simonides.storage.postgres.pool
for name in ("psycopg", "psycopg.pool"):
    logging.getLogger(name).warning("error ignored terminating <Pipeline [BAD]>")
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stderr == ""


SECRET = "hunter"


@pytest.mark.parametrize(
    "between", ["@", "/", "@/", "/@", "?", "?@", "#", ":", "%", "%zz", " ", "&", "1/", "1?", "[", ","]
)
@pytest.mark.parametrize("scheme", ["postgresql", "postgres"])
@pytest.mark.parametrize("use", ["stats", "migrate", "worker"])
def test_a_password_that_is_not_written_as_an_address_needs_it_is_told_by_nobody(scheme, between, use):
    secret = f"{SECRET}1{between}{SECRET}2"
    address = f"{scheme}://ana:{secret}@127.0.0.1:1/x?connect_timeout=1&pool_timeout_s=1"
    found = RUN.invoke(app, [use, "--db", address])
    assert found.exit_code
    assert SECRET not in f"{found.output} {found.exception}"
    assert SECRET not in shown(address)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ana@h1:5432,h2:5433/x?target_session_attrs=primary",
        "postgresql://ana:a%40b@[::1]:5432/x",
        "postgresql:///x?host=/var/run/postgresql&user=ana@corp",
        "postgresql://ana:p#q@h/x",
        "postgres://%2Fvar%2Frun/x",
    ],
)
def test_an_address_as_libpq_reads_it_is_taken(address):
    assert postgres_address(address).url == address.replace("@corp", "%40corp").replace("#", "%23")
