"""Workers: tenants that are due, each kept up by one worker at a time; and copies of a tenant."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from simonides import Memory, due_stores
from simonides.edges.cli.main import app
from simonides.errors import InvalidInput, StoreError, WrongKey
from simonides.storage.postgres.due import DueTenants
from simonides.testing import FakeEmbedder

RUN = CliRunner()


@pytest.fixture
def nobody_else(server):
    """A database in which no tenant of another test is due."""
    with server.owner() as owner:
        owner.execute("UPDATE simonides_due SET due_at = 'infinity'")


def due(server):
    return DueTenants(server.url, 600.0)


def test_a_tenant_that_is_due_is_taken_by_one_worker_alone(server, nobody_else):
    names = {server.new_tenant() for _ in range(3)}
    workers = [due(server) for _ in range(4)]
    claims = [worker.claim() for worker in workers]
    assert {claim.name for claim in claims if claim is not None} == names
    assert claims[3] is None
    workers[0].leave(claims[0], 0)
    again = workers[3].claim()
    assert (again.name, again.tries) == (claims[0].name, 1)
    assert not workers[0].keep(claims[0])
    assert workers[1].keep(claims[1])


def test_what_a_dead_worker_had_is_taken_over_once_its_time_is_over(server, nobody_else):
    name = server.new_tenant()
    assert due(server).claim().name == name
    other = due(server)
    assert other.claim() is None
    with server.owner() as owner:
        owner.execute("UPDATE simonides_due SET until = now() WHERE holder IS NOT NULL")
    taken = other.claim()
    assert (taken.name, taken.tries) == (name, 2)


def test_a_failure_is_counted_until_a_store_was_left_well(server, nobody_else):
    server.new_tenant()
    worker = due(server)
    worker.leave(worker.claim(), 0, failed=True)
    claim = worker.claim()
    assert claim.tries == 2
    worker.leave(claim, 0)
    assert worker.claim().tries == 1


def test_what_is_written_makes_a_tenant_due_soon(server, nobody_else):
    name = server.new_tenant()
    worker = due(server)
    worker.leave(worker.claim(), 10_000)
    assert worker.wait_s() > 9_000
    with Memory(server.url, tenant=name, embedder=FakeEmbedder(8)) as memory:
        memory.add("We ship on Fridays.")
    assert worker.wait_s() < 61


def test_the_clock_is_the_databases(server):
    clock = due(server).clock()
    with server.owner() as owner:
        (there,) = owner.execute(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
        ).fetchone()
    assert abs(clock.now() - there) < 60_000_000


def test_a_worker_is_for_a_database(tmp_path):
    with pytest.raises(InvalidInput, match="simonides schedule"):
        due_stores(str(tmp_path / "x.db"))


def test_a_worker_for_one_tenant_is_refused_before_it_takes_any(server, nobody_else):
    name = server.new_tenant()
    for options in (["--once"], []):
        found = RUN.invoke(app, ["worker", "--db", f"{server.url}&tenant={name}", *options])
        assert found.exit_code == 2
        told = found.output.replace("\n", " ")
        assert name in told
        assert "simonides schedule" in told
    with server.owner() as owner:
        kept = "SELECT tries, holder FROM simonides_due WHERE tenant = simonides_tenant_named(%s)"
        assert owner.execute(kept, (name,)).fetchone() == (0, None)


@pytest.mark.parametrize("twice", ["tenant=a&tenant=b", "tenant=a&tenant=a", "pool_size=1&pool_size=2"])
def test_an_address_that_says_something_twice_is_refused(server, twice):
    with pytest.raises(InvalidInput, match="more than once"):
        Memory(f"{server.url}&{twice}")


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SIMONIDES")}
    return kept | more


def worker(server, *options, **more):
    command = [sys.executable, "-m", "simonides", "worker", "--db", server.url, *options]
    return subprocess.Popen(
        command, env=environment(**more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def connected(server):
    """Connections of stores that the server answers now, by its own numbers."""
    with server.owner() as owner:
        return {
            number
            for (number,) in owner.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'simonides'"
            )
        }


def test_a_worker_that_is_killed_leaves_nothing_by_half_and_another_takes_over(server, nobody_else):
    names = [server.new_tenant() for _ in range(2)]
    for name in names:
        with Memory(server.url, tenant=name, embedder=FakeEmbedder(8)) as memory:
            memory.add([f"Note {n} is about the harbour." for n in range(30)], type="note")
    before = connected(server)
    first = worker(server)
    try:
        for _ in range(600):
            with server.owner() as owner:
                taken = owner.execute(
                    "SELECT count(*) FROM simonides_due WHERE holder IS NOT NULL"
                ).fetchone()
                done = owner.execute("SELECT count(*) FROM memory_runs").fetchone()
            if taken[0] or done[0] or first.poll() is not None:
                break
            time.sleep(0.02)
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait(60)
        for stream in (first.stdout, first.stderr):
            stream.close()
    while not connected(server) <= before:  # What it asked for last is carried out all the same.
        time.sleep(0.02)
    with server.owner() as owner:
        owner.execute("UPDATE simonides_due SET until = now() WHERE holder IS NOT NULL")
    second = worker(server, "--once", "--json")
    out, told = second.communicate(timeout=300)
    assert second.returncode == 0, told
    for line in out.splitlines():
        assert json.loads(line)["tenant"] in names
    for name in names:
        with Memory(server.url, tenant=name, embedder=FakeEmbedder(8)) as memory:
            assert memory.doctor().healthy
            assert memory.stats()["items"] == 30
            assert not [run for run in memory.runs.list() if run.status == "running"]
    assert due(server).claim() is None


def run(*arguments):
    return RUN.invoke(app, [str(one) for one in arguments])


def filled(address, **whose):
    """A memory with something of everything in it."""
    with Memory(address, embedder=FakeEmbedder(8), **whose) as memory:
        (ships, tea) = memory.add(["We ship on Fridays from Porto.", "Ana drinks tea."], project="apollo")
        memory.add([{"role": "user", "content": "When do we ship, Ana?"}], session_id="s", project="apollo")
        memory.correct(ships.item_id, "We ship on Mondays from Porto.")
        memory.forget(tea.item_id)
        memory.records.put(["users", "ana"], "tea", {"green": True}, project="apollo")
        memory.maintain()
        memory.flush()
        return list(memory.export())


def test_a_tenant_is_copied_to_a_file_and_back_without_a_loss(server, tmp_path):
    name, other = server.new_tenant(), server.new_tenant()
    there = filled(server.url, tenant=name)
    told = run("copy", "--db", server.url, "--tenant", name, "--to", tmp_path / "acme.db")
    assert told.exit_code == 0, told.output
    with Memory(tmp_path / "acme.db", embedder=FakeEmbedder(8)) as memory:
        assert list(memory.export()) == there
    told = run("copy", "--db", tmp_path / "acme.db", "--tenant", other, "--to", server.url, "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout) == {"records": len(there), "rejected": 0, "same": True}
    with Memory(server.url, tenant=other, embedder=FakeEmbedder(8)) as memory:
        assert list(memory.export()) == there
        assert memory.doctor().healthy


def test_a_store_under_a_key_is_copied_to_a_database_and_back(server, tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_INTEGRITY_KEY", "a key of the owner's " * 2)
    other = server.new_tenant()
    there = filled(tmp_path / "acme.db")
    told = run("copy", "--db", tmp_path / "acme.db", "--to", server.url, "--tenant", other)
    assert told.exit_code == 0, told.output
    told = run("copy", "--db", server.url, "--tenant", other, "--to", tmp_path / "back.db")
    assert told.exit_code == 0, told.output
    with Memory(tmp_path / "back.db", embedder=FakeEmbedder(8)) as memory:
        assert list(memory.export()) == there
    monkeypatch.delenv("SIMONIDES_INTEGRITY_KEY")
    with pytest.raises(WrongKey):  # The key of the settings is that of a file which a copy makes, too.
        Memory(tmp_path / "back.db")


def test_the_tenant_that_lacks_is_made_by_the_owner_of_its_database_not_of_the_file(server, tmp_path):
    filled(tmp_path / "acme.db")
    told = run("copy", "--db", tmp_path / "acme.db", "--to", server.url, "--tenant", "nobody")
    assert told.exit_code == 4
    assert "`simonides migrate --tenant nobody --db URL`" in f"{told.output} {told.exception}".replace(
        "\n", " "
    )


def test_a_copy_overwrites_nothing(server, tmp_path):
    name = server.new_tenant()
    filled(server.url, tenant=name)
    filled(tmp_path / "there.db")
    for arguments in (
        ("--db", server.url, "--tenant", name, "--to", tmp_path / "there.db"),
        ("--db", tmp_path / "there.db", "--to", server.url, "--tenant", name),
        ("--db", tmp_path / "there.db", "--to", tmp_path / "other.db"),
    ):
        told = run("copy", *arguments)
        assert isinstance(told.exception, StoreError | InvalidInput | SystemExit), told.output
    assert not (tmp_path / "other.db").exists()


def test_a_copy_goes_on_in_what_was_begun_of_its_source_alone(server, tmp_path):
    filled(tmp_path / "acme.db")
    other = server.new_tenant()
    arguments = ("copy", "--db", tmp_path / "acme.db", "--to", server.url, "--tenant", other)
    with Memory(tmp_path / "acme.db") as memory, Memory(server.url, tenant=other) as begun:
        exported = list(memory.export())
        begun.load(exported[: len(exported) // 2], trusted=True)
        assert begun.stats()["items"]
    told = run(*arguments, "--resume", "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["same"]
    with Memory(server.url, tenant=other) as memory:
        memory.add("This was said elsewhere.")
        before = list(memory.export())
    told = run(*arguments, "--resume")
    assert "holds 1 items that the source lacks" in f"{told.output} {told.exception}".replace("\n", " ")
    with Memory(server.url, tenant=other) as memory:
        assert list(memory.export()) == before


def test_a_tenant_is_not_copied_onto_itself(server):
    one, other = server.new_tenant(), server.new_tenant()
    with Memory(server.url, tenant=one) as memory:
        memory.add("We ship on Fridays.")
    for arguments, said in (
        (("--tenant", one, "--to", server.url), "is the store that is copied"),
        (("--tenant", one, "--to", server.url, "--tenant", other), "--tenant is said more than once"),
    ):
        told = run("copy", "--db", server.url, *arguments)
        assert told.exit_code
        assert said in f"{told.output} {told.exception}".replace("\n", " ")
    told = run("copy", "--db", f"{server.url}&tenant={one}", "--to", f"{server.url}&tenant={other}", "--json")
    assert json.loads(told.stdout)["same"], told.output


def test_an_owner_that_is_a_file_is_refused_at_once(server, tmp_path):
    told = run("worker", "--db", server.url, "--owner", tmp_path / "owner.db", "--once")
    assert told.exit_code == 2
    assert "is a file" in told.output.replace("\n", " ")
    assert not (tmp_path / "owner.db").exists()


def test_a_worker_that_knows_the_owner_makes_the_index_of_a_tenant_with_many_vectors(server, nobody_else):
    name = server.new_tenant()
    with Memory(server.url, tenant=name) as memory:
        memory.add("We ship on Fridays.")
    with server.owner() as owner:
        owner.execute("SET session_replication_role = replica")
        # Vectors alone, of items that are none, and shorter than the model's: only their number counts here.
        owner.execute(
            """INSERT INTO memory_embeddings (tenant, item, model, scope_key, standing, checksum, vector)
            SELECT t.tenant, 1000 + n, 1, 1, 0, 0, '[1, 0]'
            FROM memory_tenants AS t, generate_series(1, 20001) AS n WHERE t.name = %s""",
            (name,),
        )
    wrong = server.owner_url.replace("/postgres?", "/nowhere?")
    theirs = f"{server.owner_url}&tenant=default"  # Each tenant is named in its turn, whatever stands there.
    for owner_url, described in ((None, "reindex"), (wrong, "reindex"), (theirs, "by an index")):
        with server.owner() as owner:
            owner.execute("UPDATE simonides_due SET due_at = now(), holder = NULL WHERE due_at < 'infinity'")
        working = worker(server, "--once", **({} if owner_url is None else {"SIMONIDES_OWNER": owner_url}))
        _, told = working.communicate(timeout=300)
        assert working.returncode == 0, told
        assert ("its index will be made later" in told) == (owner_url == wrong)
        with server.owner() as owner:  # An index that cannot be made is no failure of the upkeep.
            tries = owner.execute(
                "SELECT tries FROM simonides_due AS d JOIN memory_tenants AS t USING (tenant) WHERE t.name = %s",
                (name,),
            ).fetchone()
        assert tries == (0,)
        with Memory(server.url, tenant=name) as memory:
            assert described in memory.doctor().backend["index"]
