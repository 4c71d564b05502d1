"""Files that a user names: none of them ever replaces a store or what stands beside one."""

import os
import sqlite3
from contextlib import closing
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides import ALL, InvalidInput, Memory, SimonidesError
from simonides.compose import salvage_store
from simonides.edges.cli.main import app
from simonides.edges.report import write
from simonides.edges.server.state import ServerState
from simonides.ports.store_files import require_no_store
from simonides.testing import FakeEmbedder, FrozenClock

#: Endings of what a store may have beside it, there or not.
PARTS = [
    "",
    "-wal",
    "-shm",
    "-journal",
    ".reserve",
    ".archive",
    ".archive-wal",
    ".archive.reserve",
    ".vectors",
]


@pytest.fixture
def memory(tmp_path):
    folder = tmp_path / "held"
    folder.mkdir()
    with (
        Memory(folder / "s.db", embedder=FakeEmbedder(8), clock=FrozenClock("2026-06-01T12:00:00Z")) as made,
        closing(ServerState(ServerState.beside(folder / "s.db"))),
    ):
        made.add("The heron nests at Lindau.", type="fact")
        (folder / "s.token").write_text("# Tokens\n")
        yield made


def contents(folder):
    """Digests of all files, by name; of a link, where it leads. Marks of readers come and go in the shared memory."""
    return {
        str(file): file.readlink() if file.is_symlink() else sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_symlink() or (file.is_file() and not file.name.endswith("-shm"))
    }


def ways_to(tmp_path, name):
    """Paths that mean a file of the folder, spelled in several ways and by links."""
    folder = tmp_path / "held"
    (tmp_path / "way").symlink_to(folder)
    (tmp_path / "link").symlink_to(folder / name)
    ways = [folder / name, folder / ".." / "held" / name, tmp_path / "way" / name, tmp_path / "link"]
    if name == "s.db":
        (tmp_path / "hard").hardlink_to(folder / name)
        ways.append(tmp_path / "hard")
    return ways


def writers(memory):
    """Everything that writes a file where a user says."""
    return [
        lambda path: memory.export_to(path, form="jsonl", force=True),
        lambda path: memory.export_to(path, form="csv", force=True),
        lambda path: memory.export_to(path, types=["decision"], force=True),
        lambda path: memory.export_to(path, form="markdown", force=True),
        lambda path: write.replace(path, write.MARK, memory.path, force=True),
        memory.backup,
        lambda path: salvage_store(memory.path, path),
    ]


@pytest.mark.parametrize("name", [*(f"s.db{part}" for part in PARTS), "s.token", "s.server", "s.server-wal"])
def test_no_writer_replaces_or_makes_a_file_of_the_open_store(name, memory, tmp_path):
    ways = ways_to(tmp_path, name)
    before = contents(tmp_path)
    for path in ways:
        for written in writers(memory):
            with pytest.raises(InvalidInput):
                written(path)
            assert contents(tmp_path) == before
    memory.add("We ship on Fridays.", type="decision")
    assert len(memory.list(scope=ALL)) == 2
    assert memory.doctor().healthy


def test_every_file_that_a_store_makes_is_a_part_of_it(memory):
    [*files] = memory.path.parent.iterdir()
    assert {file.name for file in files} >= {"s.db", "s.db-wal", "s.db.reserve", "s.server", "s.token"}
    for file in files:
        with pytest.raises(InvalidInput, match=r"a store|part of the store"):
            require_no_store(file, memory.path)


def test_no_other_store_is_replaced_either(memory, tmp_path):
    plain, hidden = tmp_path / "plain.db", tmp_path / "hidden.db"
    with closing(sqlite3.connect(plain)) as database:
        database.execute("CREATE TABLE t (a)")
    # An encrypted file is known by what stands beside it.
    hidden.write_bytes(bytes(range(256)) * 16)
    (tmp_path / "hidden.db.reserve").write_bytes(b"")
    before = contents(tmp_path)
    for path in (plain, hidden, tmp_path / "plain.db.archive", tmp_path / "hidden.db-wal"):
        for written in writers(memory):
            with pytest.raises(InvalidInput):
                written(path)
    assert contents(tmp_path) == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_or_a_device_stays_what_it_is(memory, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "to-pipe").symlink_to(pipe)
    for path in (pipe, tmp_path / "to-pipe"):
        for written in (*writers(memory), lambda path: write.replace(path, write.MARK, memory.path)):
            with pytest.raises(InvalidInput):
                written(path)
    assert pipe.is_fifo()
    assert (tmp_path / "to-pipe").is_symlink()


def test_links_in_a_circle_are_refused_in_words(memory, tmp_path):
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for written in writers(memory):
        with pytest.raises(SimonidesError):
            written(tmp_path / "circle" / "x")


def test_a_copy_is_made_in_the_home_folder_that_is_meant(memory, tmp_path, monkeypatch):
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert memory.backup("~/copy.db") == tmp_path / "copy.db"


def test_a_damaged_store_that_is_not_there_leaves_what_is_beside_its_copy(tmp_path):
    (tmp_path / "new.db.partial").write_bytes(b"another's")
    with pytest.raises(SimonidesError):
        salvage_store(tmp_path / "none.db", tmp_path / "new.db")
    assert (tmp_path / "new.db.partial").read_bytes() == b"another's"


@given(
    st.lists(st.sampled_from([*PARTS[1:], ".gz", ".jsonl", "-old"]), max_size=3).map("".join), st.booleans()
)
def test_a_path_is_free_unless_what_it_would_stand_beside_is_a_store(tmp_path_factory, ending, store):
    folder = tmp_path_factory.mktemp("any")
    (folder / "a.x").write_bytes(b"SQLite format 3\0" if store else b"{}")
    rest = ending
    while part := next((one for one in PARTS[1:] if rest.endswith(one)), None):
        rest = rest.removesuffix(part)
    if store and not rest:
        with pytest.raises(InvalidInput):
            require_no_store(folder / f"a.x{ending}")
    else:
        require_no_store(folder / f"a.x{ending}")


def test_a_backup_goes_only_where_nothing_is_taken_for_a_part_of_it(memory, tmp_path):
    for ending in (".archive", "-wal", "-journal"):
        beside = tmp_path / f"copy.db{ending}"
        beside.write_bytes(b"another's")
        with pytest.raises(InvalidInput, match="overwrites nothing"):
            memory.backup(tmp_path / "copy.db")
        beside.unlink()
    memory.backup(tmp_path / "copy.db")
    with Memory(tmp_path / "copy.db", embedder=FakeEmbedder(8)) as copy:
        assert copy.doctor().healthy


@pytest.mark.parametrize("copied", ["s.db.partial", "other.db"])
def test_a_store_that_is_named_like_an_unfinished_copy_is_not_taken_away(copied, tmp_path):
    with Memory(tmp_path / "s.db.partial", embedder=FakeEmbedder(8)) as memory:
        memory.add("The heron nests at Lindau.")
    with (
        Memory(tmp_path / copied, embedder=FakeEmbedder(8)) as memory,
        pytest.raises(InvalidInput, match="is a store"),
    ):
        memory.backup(tmp_path / "s.db")
    with Memory(tmp_path / "s.db.partial", embedder=FakeEmbedder(8)) as memory:
        assert len(memory.list()) == 1


def test_an_unfinished_copy_is_made_anew(memory, tmp_path):
    (tmp_path / "copy.db.partial").write_bytes(b"SQLite format 3\0 and no more")
    memory.backup(tmp_path / "copy.db")
    assert not (tmp_path / "copy.db.partial").exists()


@pytest.mark.parametrize(
    "command",
    [["export"], ["export", "--format", "csv"], ["report", "--out"], ["export", "--type", "decision"]],
)
def test_commands_say_so_and_leave_the_store(command, tmp_path):
    store = str(tmp_path / "s.db")
    run = CliRunner().invoke
    assert run(app, ["add", "The heron nests at Lindau.", "--type", "fact", "--db", store]).exit_code == 0
    refused = run(app, [*command, store, "--force", "--db", store])
    assert refused.exit_code == 2
    assert "is a store" in refused.stderr
    assert "heron" in run(app, ["list", "--db", store]).stdout
