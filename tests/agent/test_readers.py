"""Contexts read beside: the same as here, whatever becomes of the process that reads them."""

import logging
import os
import signal
import threading
import time

import pytest

from simonides import Memory
from simonides.agent.calls import OpenRequest
from simonides.agent.readers import ChatContextRequest, ContextReaders, processes_for
from simonides.config import Settings
from simonides.errors import InvalidInput
from simonides.models.provider import Provider

FACTS = ("The dome of the observatory is green.", "The telescope is blue.", "Tea is served at five.")


@pytest.fixture
def memory(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith("SIMONIDES_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    with Memory(tmp_path / "memory.db", settings=Settings()) as opened:
        opened.add(FACTS, scope="user:ana")
        yield opened


@pytest.fixture
def readers(memory, request):
    """One process; a test that waits for its end says how long a context may take, the others have a slow machine."""
    longest_s = getattr(request, "param", 60.0)
    made = ContextReaders(memory, OpenRequest(memory.path, logging.WARNING), 1, longest_s=longest_s)
    made.start()
    until(lambda: made.pids)
    yield made
    made.close()


def until(there):
    deadline = time.monotonic() + 60
    while not there():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def asked(question, *, told=frozenset(), mode="inject"):
    return ChatContextRequest(question, "user:ana", mode, agenda=None, asked_in=None, told=told, sure=True)


def yes():
    return True


def beside(readers, request, wanted=yes):
    """A context that is asked for while another is being read here."""
    results = []

    def meanwhile():
        results.append(readers.read(request, wanted))
        return False

    readers.read(asked("Which colour does the dome of the observatory have?"), meanwhile)
    return results[0]


@pytest.mark.parametrize("question", ["Which colour is the telescope?", "When is tea served?", "Who is Bob?"])
@pytest.mark.parametrize("told", [frozenset(), frozenset({"the telescope is blue"})])
def test_what_is_read_beside_is_what_is_read_here(memory, readers, question, told):
    here = asked(question, told=told).answered(memory, yes)
    there = beside(readers, asked(question, told=told))
    assert there.items == here.items
    assert (there.abstained, there.degradations) == (here.abstained, here.degradations)
    assert (there.injection_id is None) == (here.injection_id is None)
    assert len(readers.pids) == 1


def test_what_was_just_recorded_is_read_beside(memory, readers):
    beside(readers, asked("Where is the key?"))
    [verdict] = memory.add("The key of the cellar hangs in the porch.", scope="user:ana")
    assert verdict.item_id in {
        item.id for item in beside(readers, asked("Where is the key of the cellar?")).items
    }


def test_what_nobody_wants_any_more_comes_back_empty_and_is_on_no_record(readers):
    heard = []

    def wanted():
        heard.append(threading.current_thread())
        return False

    result = beside(readers, asked("When is tea served?"), wanted)
    assert (result.text, result.items, result.injection_id) == ("", (), None)
    assert heard == [threading.current_thread()]


def test_what_was_injected_beside_is_on_record_once_it_is_closed(memory, readers):
    result = beside(readers, asked("When is tea served?"))
    readers.close()
    assert [item.id for item in result.items] == [
        item_id for item_id, _ in memory.why(result.injection_id).items
    ]


def test_an_error_is_raised_where_the_context_was_asked_for(readers):
    with pytest.raises(InvalidInput, match="mode"):
        beside(readers, asked("When is tea served?", mode="song"))
    assert beside(readers, asked("When is tea served?")).items


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="a process can be killed on POSIX only")
def test_where_a_process_ends_the_context_is_read_here_and_another_takes_its_place(readers):
    [first] = readers.pids
    time.sleep(1.1)  # One that ends at once is not started again.
    os.kill(first, signal.SIGKILL)
    assert "five" in beside(readers, asked("When is tea served?")).text
    until(lambda: readers.pids)
    assert readers.pids != [first]
    assert "five" in beside(readers, asked("When is tea served?")).text


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process can be stopped on POSIX only")
@pytest.mark.parametrize("readers", [1.0], indirect=True)
def test_what_a_process_that_hangs_was_asked_for_is_read_here(readers):
    [first] = readers.pids
    os.kill(first, signal.SIGSTOP)
    assert "five" in beside(readers, asked("When is tea served?")).text


def test_without_a_store_that_opens_everything_is_read_here(memory, tmp_path):
    (tmp_path / "none.db").write_text("no database " * 1000)
    readers = ContextReaders(memory, OpenRequest(tmp_path / "none.db", logging.WARNING), 1)
    readers.start()
    assert "five" in beside(readers, asked("When is tea served?")).text
    readers.close()
    assert readers.pids == []


def test_there_is_one_for_each_further_processor_and_none_beside_a_model_of_its_own(memory, tmp_path):
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert processes_for(memory) == min(3, processors - 1)
    server = Provider("ollama", base_url="http://127.0.0.1:9", model="m", dimension=8)
    with Memory(tmp_path / "other.db", settings=Settings(embedder=server)) as far:
        assert processes_for(far) == 0
