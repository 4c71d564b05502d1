"""The end of a server: when it is told, however often, and what is under way comes to its own."""

import signal
import socket
import threading
import time

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from simonides.edges.http.serve import Server, address, listening


class Running:
    """A server whose only answer waits until it is let go."""

    def __init__(self):
        self.asked, self.go_on = threading.Event(), threading.Event()
        bound = listening("127.0.0.1", 0)
        self.url = address("127.0.0.1", bound)
        self.port = bound.getsockname()[1]
        self.ticks = 0
        self.server = Server(Starlette(routes=[Route("/", self.answer)]), bound)
        self.server.on_tick = self.counted
        self.thread = threading.Thread(target=self.server.listen)

    def answer(self, _):
        self.asked.set()
        self.go_on.wait(60)
        return PlainTextResponse("done")

    async def counted(self, counter):
        self.ticks += 1
        return await Server.on_tick(self.server, counter)


@pytest.fixture
def running():
    one = Running()
    yield one
    one.go_on.set()
    one.server.stop()
    if one.thread.ident is not None:
        one.thread.join()


def test_what_is_under_way_is_answered_and_nothing_is_taken_after_that(running):
    running.thread.start()
    answers = []
    client = threading.Thread(target=lambda: answers.append(httpx.get(running.url, timeout=120)))
    client.start()
    assert running.asked.wait(60)
    running.server.stop()
    running.server.stop()
    running.thread.join(0.3)
    assert running.thread.is_alive()
    running.go_on.set()
    client.join()
    running.thread.join()
    assert [one.text for one in answers] == ["done"]
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", running.port))
    assert running.ticks == 1  # It slept all the while.


def test_a_server_that_was_told_to_stop_before_it_began_ends_at_once(running):
    running.server.stop()
    running.thread.start()
    running.thread.join()
    assert not running.asked.is_set()


def test_an_idle_connection_holds_no_end_up(running):
    running.go_on.set()
    running.thread.start()
    with httpx.Client(timeout=120) as client:
        assert client.get(running.url).text == "done"
        running.server.stop()
        running.thread.join()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals go to a process, not to a thread")
def test_a_signal_ends_a_server_that_sleeps_whichever_thread_the_system_wakes_for_it(running, number):
    heeded, too_late = threading.Event(), []

    def tell():
        running.go_on.set()
        for _ in range(600):
            if running.server.started:
                break
            time.sleep(0.05)
        assert httpx.get(running.url, timeout=60).text == "done"
        while running.server.server_state.connections:
            time.sleep(0.05)
        time.sleep(0.2)  # The loop sleeps by then; where it does not, this shows less.
        # As one that comes just before the loop begins to wait, which nobody can time: the loop is not interrupted.
        signal.pthread_kill(threading.get_ident(), number)
        if not heeded.wait(20):
            too_late.append(number)
            running.server.stop()

    told = threading.Thread(target=tell)
    told.start()
    before = signal.getsignal(number)
    running.server.listen()
    heeded.set()
    told.join()
    assert too_late == []
    assert signal.getsignal(number) is before
