"""Encrypted stores. The build of APSW that encrypts stands beside the other, which every other test uses."""

import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import apsw
import pytest

from simonides import ALL, Memory, rekey_store
from simonides.compose import salvage_store
from simonides.config import EncryptionSettings, IntegritySettings, Settings
from simonides.errors import (
    InvalidInput,
    InvalidSettings,
    NotAStore,
    NotInstalled,
    StoreError,
    StoreLocked,
    WrongKey,
)
from simonides.storage.sqlite.cipher import cipher_from
from simonides.storage.sqlite.connection import connect
from simonides.storage.sqlite.store import SqliteStore, archive_of
from simonides.testing import FakeEmbedder, FileStoreContract, StoreContract

CIPHER = Path(sys.prefix) / "cipher"
ENCRYPTS = hasattr(apsw, "mc_version")
needs_cipher = pytest.mark.skipif(not ENCRYPTS, reason="in the process that the first test starts")
KEY, OTHER = "first key " * 4, "other key " * 4
SECRET = "The password of Zanzibar's lighthouse keeper is kept by his aunt."


def under(key=KEY, **others):
    return Settings(encryption=EncryptionSettings(key=key), **others)


PLAIN = Settings()


def opened(path, settings, **options):
    return Memory(path, settings=settings, embedder=FakeEmbedder(8), **options)


def filled(path, settings):
    with opened(path, settings) as memory:
        memory.add(SECRET, tags=["lighthouse"])
        moved = memory.add("Zanzibar was left in May.").verdicts[0].item_id
        memory._parts.store.write(lambda tx: tx.set_aside([moved]))
    return path


def contents(path, settings):
    with opened(path, settings) as memory:
        return sorted(item.content for item in memory.list(scope=ALL, archived=True))


def clear_text(folder):
    return [
        file.name
        for file in folder.rglob("*")
        if file.is_file()
        and any(word in file.read_bytes() for word in (b"Zanzibar", b"lighthouse", b"memory_items"))
    ]


@pytest.mark.skipif(ENCRYPTS, reason="this is that process")
def test_all_of_this_file_passes_with_the_build_that_encrypts():
    if not CIPHER.is_dir():  # The process below would start one like this, and so on.
        assert not os.environ.get("CI")
        pytest.skip("apsw-sqlite3mc is not there: `make setup` puts it beside the other packages")
    paths = os.pathsep.join([str(CIPHER), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.skipif(ENCRYPTS, reason="this build can")
def test_a_build_that_cannot_encrypt_says_which_one_can(path):
    with pytest.raises(NotInstalled, match="apsw-sqlite3mc"):
        opened(path, under())
    assert not path.exists() or not path.stat().st_size


class TestEncryptedStore(StoreContract, FileStoreContract):
    __test__ = ENCRYPTS

    def make_store(self, folder):
        return SqliteStore(folder / "memory.db", synchronous="NORMAL", cipher=cipher_from(KEY))


@needs_cipher
def test_no_file_of_an_encrypted_store_holds_clear_text(tmp_path):
    path = tmp_path / "memory.db"
    with opened(path, under()) as memory:
        memory.add(SECRET, tags=["lighthouse"])
        moved = memory.add("Zanzibar was left in May.").verdicts[0].item_id
        memory._parts.store.write(lambda tx: tx.set_aside([moved]))
        memory.search("lighthouse keeper")
        memory.backup(tmp_path / "copy.db")
        assert not memory.doctor().problems
        assert clear_text(tmp_path) == []  # With its log, while it is open.
    assert clear_text(tmp_path) == []
    assert contents(tmp_path / "copy.db", under()) == contents(path, under())


@needs_cipher
@pytest.mark.parametrize(
    ("made", "asked", "error"),
    [(under(), PLAIN, NotAStore), (under(), under(OTHER), WrongKey), (PLAIN, under(), WrongKey)],
)
def test_a_store_that_is_under_another_key_is_not_opened_and_not_changed(path, made, asked, error):
    filled(path, made)
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(error) as raised:
            opened(path, asked, read_only=read_only)
        assert KEY not in str(raised.value)
        assert OTHER not in str(raised.value)
    assert path.read_bytes() == before
    with suppress(StoreError):
        salvage_store(path, path.with_name("saved.db"), asked)
    assert path.read_bytes() == before


@needs_cipher
@pytest.mark.parametrize(
    ("before", "former", "after"),
    [(PLAIN, None, under()), (under(), KEY, under(OTHER))],
)
def test_a_store_gets_a_key(path, before, former, after):
    filled(path, before)
    said, mode = contents(path, before), path.stat().st_mode
    assert rekey_store(path, after, former=former)
    assert path.stat().st_mode == mode
    assert contents(path, after) == said
    assert clear_text(path.parent) == []
    assert rekey_store(path, after, former=former) == []
    with opened(path, after) as memory:
        assert not memory.doctor().problems
        memory.add("Zanzibar is warm.")
    with pytest.raises(StoreError):
        opened(path, before)


@needs_cipher
def test_the_key_is_taken_away(path):
    filled(path, under())
    said = contents(path, under())
    rekey_store(path, under(), plain=True)
    assert contents(path, PLAIN) == said


@needs_cipher
def test_killed_between_its_two_files_the_same_call_goes_on(path):
    filled(path, PLAIN)
    said = contents(path, PLAIN)
    whole = path.read_bytes()
    rekey_store(path, under())
    path.write_bytes(whole)  # The archive file is encrypted, the store not yet.
    assert rekey_store(path, under()) == [path]
    assert contents(path, under()) == said


@needs_cipher
def test_a_key_that_neither_file_is_under_changes_nothing(path):
    filled(path, under(OTHER))
    before = path.read_bytes(), archive_of(path).read_bytes()
    with pytest.raises(WrongKey):
        rekey_store(path, under(), former="a third key " * 4)
    with pytest.raises(WrongKey):
        rekey_store(path, under())
    assert (path.read_bytes(), archive_of(path).read_bytes()) == before
    assert not list(path.parent.glob("*.partial"))


def _held(path, settings, ready, done):
    with opened(path, settings) as memory:
        memory.list()
        ready.set()
        done.wait(60)


@needs_cipher
def test_nobody_else_may_have_the_store_open(path):
    filled(path, PLAIN)
    context = get_context("fork")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=_held, args=(path, PLAIN, ready, done))
    other.start()
    assert ready.wait(60)
    try:
        with pytest.raises(StoreLocked, match="end it"):
            rekey_store(path, under())
    finally:
        done.set()
        other.join()
    assert rekey_store(path, under())


@needs_cipher
def test_what_the_former_file_held_is_overwritten(path):
    filled(path, PLAIN)
    link = path.with_name("link")
    os.link(path, link)
    rekey_store(path, under())
    assert set(link.read_bytes()) == {0}


@needs_cipher
@pytest.mark.parametrize("at", [17, 3000, 4096 + 100, -2000])
def test_a_changed_byte_is_damage(path, at):
    filled(path, under())
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    try:
        with opened(path, under()) as memory:
            assert memory.doctor().problems
    except StoreError:
        pass  # It was not even opened.


@needs_cipher
def test_the_doctor_looks_at_an_encrypted_store_that_must_not_change(path):
    filled(path, under())
    files = [path, archive_of(path)]
    before = [file.read_bytes() for file in files]
    with opened(path, under(), read_only=True) as memory:
        assert memory.doctor().problems == ()
    assert [file.read_bytes() for file in files] == before
    for file in files:
        connection = connect(str(file), cipher=cipher_from(KEY.strip()))
        connection.execute("INSERT INTO memory_items_fts (memory_items_fts) VALUES ('delete-all')")
        connection.close()
    with opened(path, under(), read_only=True) as memory:
        assert [problem.area for problem in memory.doctor().problems] == ["text index", "archive: text index"]


@needs_cipher
def test_a_copy_of_an_encrypted_store_is_found_sound(path, tmp_path):
    filled(path, under())
    with opened(path, under()) as memory:
        memory.backup(tmp_path / "copy.db")
    told = subprocess.run(
        [sys.executable, "-m", "simonides", "backup", "--verify", str(tmp_path / "copy.db")],
        env=os.environ | {"SIMONIDES_ENCRYPTION_KEY": KEY},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stdout.split("items, ")[-1].strip()) == (0, "sound"), told.stderr


@needs_cipher
def test_it_goes_beside_an_integrity_key(path):
    both = under(integrity=IntegritySettings(key="integrity key " * 3))
    filled(path, both)
    rekey_store(path, under(OTHER, integrity=both.integrity), former=KEY)
    assert len(contents(path, under(OTHER, integrity=both.integrity))) == 2
    with pytest.raises(WrongKey):
        opened(path, under(OTHER))


@needs_cipher
def test_no_index_is_kept_beside_it(path):
    filled(path, under())
    assert not list(path.parent.glob("*.vectors"))


def test_a_key_comes_from_a_file_or_a_command(tmp_path):
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    assert EncryptionSettings(key_file=str(file)).secret() == KEY.strip()
    assert EncryptionSettings(key_command=f"cat '{file}'").secret() == KEY.strip()
    assert EncryptionSettings().secret() is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"key_command": "false"},
        {"key_command": "no-such-program at all"},
        {"key_command": "echo short"},
        {"key_command": "echo 'unclosed"},
        {"key_file": "/no/such/file"},
    ],
)
def test_a_source_without_a_key_is_told(wrong):
    with pytest.raises(InvalidSettings):
        EncryptionSettings(**wrong).secret()


def test_a_key_comes_from_one_place():
    with pytest.raises(InvalidSettings, match="both"):
        EncryptionSettings(key=KEY, key_command="cat key")
    with pytest.raises(InvalidSettings, match="shorter"):
        EncryptionSettings(key="short")
    assert KEY not in repr(under())


def test_without_a_key_there_is_nothing_to_encrypt_with(path):
    filled(path, PLAIN)
    with pytest.raises(InvalidSettings, match="SIMONIDES_ENCRYPTION_KEY"):
        rekey_store(path, PLAIN)


@needs_cipher
def test_an_encrypted_store_is_not_replaced_by_an_export(path, tmp_path):
    other = filled(tmp_path / "other.db", under(OTHER))
    filled(path, under())
    files = [other, archive_of(other), path, archive_of(path)]
    before = [file.read_bytes() for file in files[:2]]
    with opened(path, under()) as memory:
        for file in files:
            with pytest.raises(InvalidInput, match=r"a store|part of the store"):
                memory.export_to(file, force=True)
    assert [file.read_bytes() for file in files[:2]] == before
    assert len(contents(path, under())) == len(contents(other, under(OTHER))) == 2
