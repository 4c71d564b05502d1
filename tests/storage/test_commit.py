"""Writing: what shares a transaction, what is taken back, and who else may write."""

import linecache
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import apsw
import numpy as np
import pytest

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import StoreError, StoreFull, StoreLocked
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.sql.commit import GroupCommit
from simonides.storage.sqlite import connection as connections
from simonides.storage.sqlite.reader import SqliteReader
from simonides.storage.sqlite.statements import INSERT_ITEM
from simonides.storage.sqlite.text import TextSearch
from simonides.storage.sqlite.transaction import SqliteTransaction
from simonides.testing import an_item

EVERYTHING = Selection(scopes=None, live_at=None)


def new(content, **fields):
    return NewItem(an_item(content, **fields), Outcome.ACCEPTED)


def put(store, *contents, **fields):
    store.write(lambda tx: tx.insert([new(content, **fields) for content in contents], None))


def contents(store, **changes):
    with store.read() as reader:
        found = reader.select(Selection(**({"scopes": None, "live_at": None} | changes)), limit=100_000)
    return [item.content for item in found.values()]


# Group commit


class Recorded:
    """A connection that notes when transactions begin and end."""

    def __init__(self):
        self.connection = apsw.Connection(":memory:")
        self.connection.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
        self.commits = 0

    def __getattr__(self, name):
        return getattr(self.connection, name)

    def commit(self):
        self.commits += 1
        self.connection.execute("COMMIT")


def numbers(recorded):
    return [n for (n,) in recorded.connection.execute("SELECT n FROM t ORDER BY n")]


def insert(recorded, n):
    recorded.execute("INSERT INTO t VALUES (?)", (n,))
    return n


def test_whoever_is_interrupted_wherever_keeps_no_later_writer_waiting():
    """Of a leader, of a follower, or of one that works alone: at each line of the hand-over in turn."""

    def interrupted_at(line, role):
        recorded = Recorded()
        commit = GroupCommit(SqliteTransaction(recorded), patience_s=0.02)
        left, begun, go, answered = line, threading.Event(), threading.Event(), set()
        struck = []

        def strikes(frame, event, _):
            nonlocal left
            if frame.f_code.co_filename != commit_file:
                return None
            # The end of a `with` is a line to whoever traces, and no place where Python looks for signals.
            if (
                event == "line"
                and not struck
                and "with" not in linecache.getline(commit_file, frame.f_lineno)
            ):
                left -= 1
                if left < 0:
                    struck.append(line)
                    raise KeyboardInterrupt
            return strikes

        def held(n):
            begun.set()
            go.wait(1 if role == "leads" else 0.05)
            return insert(recorded, n)

        def write(n, run, traced=False):
            with suppress(KeyboardInterrupt, StoreError):
                if traced:
                    sys.settrace(strikes)
                try:
                    run(n)
                    answered.add(n)
                finally:
                    sys.settrace(None)

        def plain(n):
            return commit.run(lambda: insert(recorded, n))

        runs = {
            "leads": lambda n: commit.run(lambda: held(n)),
            "follows": plain,
            "alone": lambda n: commit.alone(lambda: insert(recorded, n)),
        }
        threads = []
        if role != "leads":
            threads.append(threading.Thread(target=write, args=(99, lambda n: commit.run(lambda: held(n)))))
            threads[0].start()
            begun.wait(5)
        threads.append(threading.Thread(target=write, args=(0, runs[role], True)))
        threads[-1].start()
        begun.wait(0.05)
        threads += [threading.Thread(target=write, args=(n, plain)) for n in (1, 2, 3)]
        for thread in threads[-3:]:
            thread.start()
        go.set()
        for thread in threads:
            thread.join(10)
        assert not any(thread.is_alive() for thread in threads), (line, role)
        write(4, plain)
        assert 4 in answered, (line, role)
        assert answered - {0} <= set(numbers(recorded)), (line, role)
        return bool(struck)

    commit_file = sys.modules[GroupCommit.__module__].__file__
    for role in ("leads", "follows", "alone"):
        line = 0
        while interrupted_at(line, role):
            line += 1
        assert line > 10


@pytest.fixture
def batched():
    """Runs works in one shared transaction: they all wait while the first is held up."""
    recorded = Recorded()
    commit = GroupCommit(SqliteTransaction(recorded))

    def run(works):
        held, go = threading.Event(), threading.Event()

        def first():
            held.set()
            assert go.wait(60)

        def attempt(work):
            try:
                return commit.run(work)
            except Exception as error:  # noqa: BLE001 - what a caller got, to be looked at
                return error

        with ThreadPoolExecutor(len(works) + 1) as pool:
            leader = pool.submit(attempt, first)
            assert held.wait(60)
            futures = [pool.submit(attempt, work) for work in works]
            while len(commit._waiting) < len(works):
                pass
            go.set()
            leader.result()
            return [future.result() for future in futures]

    run.recorded = recorded
    yield run
    recorded.connection.close()


def test_works_that_wait_share_a_transaction_and_each_gets_its_own_result(batched):
    answers = batched([lambda n=n: insert(batched.recorded, n) for n in range(10)])
    assert answers == list(range(10))
    assert numbers(batched.recorded) == list(range(10))
    assert batched.recorded.commits == 2  # The one that held the others up, and theirs.


def test_a_work_that_fails_in_a_shared_transaction_harms_no_other(batched):
    def fail(n):
        insert(batched.recorded, n)
        raise ValueError(n)

    works = [
        lambda n=n: (fail if n % 3 == 0 else lambda m: insert(batched.recorded, m))(n) for n in range(10)
    ]
    answers = batched(works)
    assert [n for n in answers if not isinstance(n, Exception)] == [1, 2, 4, 5, 7, 8]
    assert [str(n) for n in answers if isinstance(n, Exception)] == ["0", "3", "6", "9"]
    assert numbers(batched.recorded) == [1, 2, 4, 5, 7, 8]


def test_where_the_transaction_is_lost_none_of_its_works_is_said_to_be_done(batched):
    def lose():
        batched.recorded.execute("ROLLBACK")
        raise apsw.FullError

    answers = batched([lambda: insert(batched.recorded, 1), lose, lambda: insert(batched.recorded, 2)])
    assert numbers(batched.recorded) == [n for n in answers if not isinstance(n, Exception)]
    assert isinstance(answers[0], apsw.FullError)
    assert isinstance(answers[1], apsw.FullError)


def test_where_taking_back_fails_too_nobody_is_left_waiting(batched):
    def execute(text, *values):
        if text == "ROLLBACK":
            raise apsw.IOError
        return batched.recorded.connection.execute(text, *values)

    def fail():
        batched.recorded.execute = execute
        raise ValueError

    assert [type(error) for error in batched([fail, fail])] == [apsw.IOError, ValueError]


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="threads cannot be signalled here")
@pytest.mark.parametrize("when", ["it waits", "it is to lead"])
def test_a_caller_that_is_interrupted_writes_nothing_and_holds_up_nobody(when):
    recorded = Recorded()
    commit = GroupCommit(SqliteTransaction(recorded))
    held, go, interrupted = threading.Event(), threading.Event(), threading.Event()

    def first():
        held.set()
        assert go.wait(60)
        return insert(recorded, 1)

    def interrupt(*_):
        if interrupted.is_set():
            return
        interrupted.set()
        if when == "it is to lead":
            go.set()
            while not commit._waiting[0].leads:
                pass
        raise KeyboardInterrupt

    def others():
        while len(commit._waiting) < 1:
            pass
        later = pool.submit(commit.run, lambda: insert(recorded, 3))
        while len(commit._waiting) < 2:
            pass
        # One that comes just before a thread waits is handled when its wait ends: they come until one is handled.
        while not interrupted.is_set():
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
            time.sleep(0.01)
        return later

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        with ThreadPoolExecutor(3) as pool:
            leader = pool.submit(commit.run, first)
            assert held.wait(60)
            asked = pool.submit(others)
            with pytest.raises(KeyboardInterrupt):
                commit.run(lambda: insert(recorded, 2))
            go.set()
            assert leader.result(60) == 1
            assert asked.result(60).result(60) == 3
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert commit.run(lambda: insert(recorded, 4)) == 4
    assert numbers(recorded) == [1, 3, 4]
    recorded.connection.close()


def test_what_runs_alone_waits_for_its_turn_and_keeps_others_out():
    recorded = Recorded()
    commit = GroupCommit(SqliteTransaction(recorded))
    written = []

    def work(thread):
        for n in range(20):
            if n % 5 == thread % 5:
                written.append(commit.alone(lambda: recorded.in_transaction))
            else:
                commit.run(lambda n=n: insert(recorded, 100 * thread + n))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert written == [False] * 32
    assert len(numbers(recorded)) == 8 * 16
    assert not commit._waiting
    recorded.connection.close()


def test_sixteen_threads_lose_nothing(store):
    def write(thread):
        for n in range(25):
            put(store, f"thread {thread} number {n}", scope=Scope(f"user:u{thread % 4}"))

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(write, range(16)))
    assert set(contents(store)) == {f"thread {t} number {n}" for t in range(16) for n in range(25)}
    assert len(contents(store, scopes=(Scope("user:u0"),))) == 100
    assert list(store.check()) == []


def test_readers_and_writers_do_not_wait_for_each_other(store):
    put(store, "falcon 0")
    with store.read() as reader, ThreadPoolExecutor(1) as pool:
        assert reader.count(EVERYTHING) == 1
        pool.submit(put, store, "falcon 1").result()
        assert reader.count(EVERYTHING) == 1
        matches = reader.search_text(TextQuery(("falcon",)), EVERYTHING, 10)
        assert len(matches.keys) == 1


# What was taken back


def test_a_scope_that_was_taken_back_with_its_work_is_made_anew(store):
    ana, bo = Scope("user:ana"), Scope("user:bo")

    def fail(tx):
        tx.insert([new("never", scope=ana)], None)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.write(fail)
    put(store, "his", scope=bo)
    put(store, "hers", scope=ana)
    assert contents(store, scopes=(bo,)) == ["his"]
    assert contents(store, scopes=(ana,)) == ["hers"]


def test_a_scope_whose_commit_failed_is_forgotten_before_anybody_else_writes(store):
    ana, bo = Scope("user:ana"), Scope("user:bo")
    store._connection.set_commit_hook(lambda: True)
    with pytest.raises(StoreError):
        put(store, "never", scope=ana)
    store._connection.set_commit_hook(None)
    put(store, "his", scope=bo)
    put(store, "hers", scope=ana)
    assert contents(store, scopes=(ana,)) == ["hers"]
    assert contents(store, scopes=(bo,)) == ["his"]


def test_a_model_that_another_process_dropped_does_not_lend_its_key(store, open_store):
    first, second = EmbedderIdentity("first", "first-2", 2), EmbedderIdentity("second", "second-2", 2)
    vector = np.array([1, 0], np.float32)
    store.write(lambda tx: tx.insert([NewItem(an_item("one"), Outcome.ACCEPTED, vector)], first))
    other = open_store()
    other.write(lambda tx: tx.drop_vectors(first.fingerprint))
    other.write(lambda tx: tx.insert([NewItem(an_item("two"), Outcome.ACCEPTED, vector)], second))
    store.write(lambda tx: tx.insert([NewItem(an_item("three"), Outcome.ACCEPTED, vector)], first))
    with store.read() as reader:
        assert reader.models() == [(second, 1), (first, 1)]


def test_a_failed_vector_write_leaves_no_trace(store):
    model = EmbedderIdentity("m", "m-2", 2)
    good, bad = np.ones(2, np.float32), np.full(2, np.nan, np.float32)
    items = [NewItem(an_item(f"item {n}"), Outcome.ACCEPTED, good) for n in range(5)]
    items.append(NewItem(an_item("bad"), Outcome.ACCEPTED, bad))
    with pytest.raises(ValueError, match="finite"):
        store.write(lambda tx: tx.insert(items, model))
    with store.read() as reader:
        assert reader.count(EVERYTHING) == 0
        assert reader.models() == []
        assert reader.events() == []
        assert len(reader.search_text(TextQuery(("item", "bad")), EVERYTHING, 10).keys) == 0


def test_the_database_itself_holds_that_a_content_is_there_once(store, raw):
    put(store, "the same")
    connection = raw()
    *row, _ = connection.execute("SELECT * FROM memory_items").fetchone()
    row[0], row[1] = 99, "another id"
    with pytest.raises(apsw.ConstraintError, match="content_hash"):
        connection.execute(INSERT_ITEM, row)
    row[5] = "archived"
    connection.execute(INSERT_ITEM, row)
    with pytest.raises(apsw.ConstraintError, match="content_hash"):
        connection.execute("UPDATE memory_items SET status = 'active' WHERE key = 99")


# Others that write


def test_several_processes_make_the_store_and_write_at_once_and_lose_nothing(path, open_store):
    script = """
import sys
from simonides.domain.scope import Scope
from simonides.domain.verdict import Outcome
from simonides.ports.store import NewItem
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import an_item
from pathlib import Path

name, path = sys.argv[1:]
sys.stdin.readline()
store = SqliteStore(Path(path), synchronous="NORMAL")
for n in range(100):
    item = NewItem(an_item(f"process {name} number {n}", scope=Scope(f"user:u{n % 3}")), Outcome.ACCEPTED)
    store.write(lambda tx: tx.insert([item], None))
store.close()
"""
    arguments = [[sys.executable, "-c", script, str(n), str(path)] for n in range(4)]
    writers = [
        subprocess.Popen(a, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for a in arguments
    ]
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        _, complaints = writer.communicate(timeout=300)
        assert writer.returncode == 0, complaints
    store = open_store()
    assert set(contents(store)) == {f"process {p} number {n}" for p in range(4) for n in range(100)}
    assert list(store.check()) == []
    with store.read() as reader:
        assert [event.number for event in reader.events(limit=1000)] == list(range(400, 0, -1))


def test_a_lock_that_another_process_keeps_for_too_long_is_named(store, raw, monkeypatch):
    monkeypatch.setattr(connections, "BUSY_TIMEOUT_S", 0.1)
    put(store, "before")
    other = raw()
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked, match="try again"):
        put(store, "meanwhile")
    assert contents(store) == ["before"]
    other.execute("ROLLBACK")
    put(store, "after")
    assert contents(store) == ["after", "before"]


def test_purging_waits_for_its_turn_like_any_other_write(store, raw):
    item = an_item("gone")
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED)], None))
    other = raw()
    other.set_busy_timeout(0)
    tried = []

    def interfere(_cursor, sql, _bindings):
        if "SELECT key FROM memory_items" in sql and not tried:
            try:
                other.execute("UPDATE memory_usage SET reinforcement = 0")
                other.execute("INSERT INTO memory_scopes (path) VALUES ('user:other')")
                tried.append("written")
            except apsw.BusyError:
                tried.append("kept out")
        return True

    store._connection.exec_trace = interfere
    assert store.purge([item.id], 0)["items"] == 1
    store._connection.exec_trace = None
    assert tried == ["kept out"]


def test_the_items_are_gone_even_where_a_reader_keeps_the_log_in_use(store, path, raw):
    item = an_item("planted xyzzyword")
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED)], None))
    store._connection.set_busy_handler(lambda _: False)
    reader = raw()
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM memory_items").fetchall()
    put(store, "something that comes after the reader's view")
    with pytest.raises(StoreLocked, match="purge again"):
        store.purge([item.id], 0)
    assert contents(store) == ["something that comes after the reader's view"]
    reader.execute("ROLLBACK")
    store.purge([item.id], 0)
    files = [file.read_bytes() for file in path.parent.iterdir()]
    assert not any(b"xyzzyword" in data for data in files)


# A full disk


def fill(store, spare_pages=4):
    """Let the file grow by so many pages and no more."""
    pages = store._connection.pragma("page_count")
    store._connection.pragma("max_page_count", pages + spare_pages)


def test_on_a_full_disk_writes_fail_reads_go_on_and_nothing_is_half_written(store):
    put(store, "falcon before")
    fill(store)
    stored = ["falcon before"]

    def write_on():
        for n in range(1000):
            content = f"falcon {n} " + "x" * 2000
            put(store, content)
            stored.insert(0, content)

    with pytest.raises(StoreFull, match="free some"):
        write_on()
    assert contents(store) == stored
    with store.read() as reader:
        assert len(reader.search_text(TextQuery(("falcon",)), EVERYTHING, 1000).keys) == len(stored)
    assert list(store.check()) == []
    store._connection.pragma("max_page_count", 1_000_000)
    put(store, "falcon after")
    assert contents(store) == ["falcon after", *stored]
    assert list(store.check()) == []


def test_on_a_full_disk_nobody_is_told_that_a_lost_write_is_done(store):
    fill(store, 8)

    def write(n):
        try:
            put(store, f"number {n} " + "x" * 1500)
        except StoreFull:
            return None
        return n

    with ThreadPoolExecutor(8) as pool:
        done = {n for n in pool.map(write, range(60)) if n is not None}
    assert {int(content.split()[1]) for content in contents(store)} == done
    assert len(done) < 60
    assert list(store.check()) == []


def test_a_view_looks_scopes_up_once_even_where_one_of_them_is_not_there_yet(store):
    put(store, "ana's", scope=Scope("user:ana"))
    asked = Selection(scopes=(Scope("user:ana"), Scope("user:bo")), live_at=None)
    with store.lend() as connection:
        reader, ran = SqliteReader(connection, TextSearch()), []
        connection.set_exec_trace(lambda _, text, values: ran.append(text) is None)
        ana = [reader.scope_keys(asked) for _ in range(3)]
        connection.set_exec_trace(None)
    assert len(ran) == 1
    assert [len(keys) for keys in ana] == [1, 1, 1]
    put(store, "bo's", scope=Scope("user:bo"))
    with store.read() as later:
        assert len(later.scope_keys(asked)) == 2
