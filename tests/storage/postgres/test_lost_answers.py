"""A COMMIT whose answer is lost: what was done is said to be done, what was not is done when it is asked again."""

import itertools
import time
from contextlib import closing
from functools import cache

import pytest

from simonides import Memory
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.errors import SimonidesError, StoreError
from simonides.testing import FakeEmbedder
from tests.storage.postgres.network import READY, Network

TURNS = [{"role": "user", "content": f"My sister Petra lives in house {n}."} for n in range(3)]


def with_expired(memory):
    memory.add([{"content": f"Thing {n} is here.", "expires_at": "2001-01-01"} for n in range(5)])


def with_a_run(memory):
    with_expired(memory)
    return memory.maintain(["expire"]).id


def with_an_item(memory):
    return memory.add("Ana keeps a note.").verdicts[0].item_id


def with_turns(memory):
    memory.add(TURNS, session_id="s")


#: What is there before, and what is done then.
WORKS = {
    "add": (lambda _: None, lambda memory, _: memory.add(["Ana keeps a note.", "Bo keeps another."])),
    "turns": (lambda _: None, lambda memory, _: memory.add(TURNS, session_id="s")),
    "expire": (with_expired, lambda memory, _: memory.maintain(["expire"])),
    "maintain": (with_expired, lambda memory, _: memory.maintain(["expire", "entities"])),
    "end": (with_turns, lambda memory, _: memory.sessions.end("s")),
    "undo": (with_a_run, lambda memory, run: memory.undo(run)),
    "purge": (with_an_item, lambda memory, item_id: memory.purge(item_id)),
    "forget": (with_an_item, lambda memory, item_id: memory.forget(item_id)),
    "correct": (with_an_item, lambda memory, item_id: memory.correct(item_id, "Ana keeps two notes.")),
    "record": (lambda _: None, lambda memory, _: memory.records.put("users/ana", "tea", {"likes": "green"})),
    "document": (lambda _: None, lambda memory, _: memory.documents.put("c", "a.md", "# A\n\nText of it.")),
}


def outcome(memory):
    """Contents of a memory and outcomes of its runs, without ids and times."""
    items = sorted((item.content, item.status, item.type) for item in memory.list(scope=ALL, limit=1000))
    runs = [(run.job, run.status, dict(run.counts), run.error) for run in memory.runs.list()]
    return items, runs, [session.ended_at is None for session in memory.sessions.list(scope=ALL)]


def failed(act):
    """True if it was told that it was not done."""
    try:
        done = act()
    except SimonidesError as error:
        return "was taken back already" not in str(error)
    return getattr(done, "status", None) is RunStatus.FAILED


def write_commits(data):
    """True of the end of a transaction that writes; views are ended by a message of its own."""
    return b"COMMIT" in data and not data.startswith(b"Q")


def address_of(server, network):
    """Address of the server behind a network."""
    return f"postgresql://simonides_app@127.0.0.1:{network.port}/postgres?sslmode=disable&gssencmode=disable"


class Nth:
    """True once: of the commit behind a number of others."""

    def __init__(self, number):
        self.left = number

    def __call__(self, data):
        if not write_commits(data):
            return False
        self.left -= 1
        return self.left == -1


#: What a server says to a connection that it ends, as it does with all when it is shut down.
FATAL = b"E\0\0\0\x4fSFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
COMMITTED = b"C\0\0\0\x0bCOMMIT\0"


def committed(answer):
    """An answer up to the word that it was committed, and the end of the connection."""
    return answer[: answer.index(COMMITTED) + len(COMMITTED)] + FATAL


def tried(server, name, way, number):
    """Number of commits that were asked for, whether the work failed, also when done again, and what is there."""
    prepare, work = WORKS[name]
    tenant = server.new_tenant()
    network = Network(f"{server.data}/.s.PGSQL.5432")
    with (
        closing(network),
        Memory(server.url, tenant=tenant, embedder=FakeEmbedder(8)) as direct,
        Memory(address_of(server, network), tenant=tenant, embedder=FakeEmbedder(8)) as memory,
    ):
        before = prepare(direct)
        cut = Nth(number)
        if way == "ends":
            network.passes = committed
        setattr(network, "breaks" if way == "breaks" else "loses", cut)
        missed = failed(lambda: work(memory, before))
        again = missed and failed(lambda: work(memory, before))
        assert not direct.doctor().problems
        return number - cut.left, missed, again, outcome(direct)


@cache
def untroubled(server, name):
    """Number of commits of a work, and what is there after it, where nothing breaks off."""
    commits, missed, _, found = tried(server, name, "loses", 1000)
    assert commits
    assert not missed
    return commits, found


@pytest.mark.parametrize("way", ["loses", "ends", "breaks"])
@pytest.mark.parametrize("name", WORKS)
def test_each_commit_may_break_off(server, name, way):
    """Behind it all is as if nothing had happened, also where the server says that it ends (`ends`).

    Before it (`breaks`) it is so as well, once it is done again.
    """
    commits, expected = untroubled(server, name)
    for number in range(commits):
        asked, missed, again, found = tried(server, name, way, number)
        assert asked > number
        assert not again
        if way != "breaks":
            assert not missed
            assert found == expected
        else:
            assert found[0] == expected[0]


def ends_of(answer):
    """Places behind each message of an answer, but for the last."""
    place = 0
    while place < len(answer) - len(READY):
        place += 1 + int.from_bytes(answer[place + 1 : place + 5], "big")
        yield place


@pytest.mark.parametrize("ends_after_s", [0.0, 0.02])
@pytest.mark.parametrize("way", ["whole", "torn", "fatal"])
def test_wherever_the_answer_to_a_commit_breaks_off_what_was_done_is_said_to_be_done(
    server, way, ends_after_s
):
    """Behind each message: with nothing, with the beginning of the next, and with the word that the server ends."""
    network = Network(f"{server.data}/.s.PGSQL.5432")
    network.ends_after_s = ends_after_s
    with (
        closing(network),
        Memory(address_of(server, network), tenant=server.new_tenant(), embedder=FakeEmbedder(8)) as memory,
    ):
        for number in itertools.count():
            left = []

            def passes(answer, number=number, left=left):
                places = [0, *ends_of(answer)]
                left.append(len(places) - number)
                place = places[min(number, len(places) - 1)]
                return answer[: place + 3 * (way == "torn")] + FATAL * (way == "fatal")

            network.loses, network.passes, network.lost = Nth(0), passes, 0
            assert memory.add(f"Ana keeps note {number}.").outcome == "accepted"
            assert len(memory.list(limit=1000)) == number + 1
            if left[0] <= 1:  # They differ in length: some prepare statements.
                break
        assert number > 3
        assert not memory.doctor().problems


def wait_for_answers(memory):
    """Wait until the pool has a connection again; between its tries it waits ever longer."""
    ends = time.monotonic() + 60
    while True:
        try:
            memory.list(limit=1)
        except StoreError:
            assert time.monotonic() < ends
        else:
            return


def test_a_run_of_which_nobody_can_tell_whether_it_began_is_taken_over_by_its_own_process(server):
    network = Network(f"{server.data}/.s.PGSQL.5432")
    url = f"{address_of(server, network)}&pool_size=1&pool_timeout_s=1"
    with (
        closing(network),
        Memory(url, tenant=server.new_tenant(), embedder=FakeEmbedder(8)) as memory,
    ):
        with_expired(memory)
        cut = Nth(0)

        def loses(data):
            if lost := cut(data):
                network.lead_to("/nowhere")
            return lost

        network.loses = loses
        with pytest.raises(StoreError, match="cannot be asked whether it did"):
            memory.maintain(["expire"])
        network.lead_to(f"{server.data}/.s.PGSQL.5432")
        wait_for_answers(memory)
        assert memory.maintain(["expire"]).status is RunStatus.DONE
        _, first = memory.runs.list()
        assert (first.status, first.error.partition(":")[0]) == (RunStatus.FAILED, "interrupted")
