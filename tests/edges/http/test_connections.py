"""Connections to the upstream: whole and idle again after a request, or gone at once."""

import asyncio
import random

import pytest

from simonides.edges.http import connections
from simonides.edges.http.connections import UpstreamFailed
from simonides.edges.http.upstream import Upstream
from simonides.testing_server import Page


@pytest.fixture(autouse=True)
def kept_for_long(monkeypatch):
    """A machine may be busy for as long as a connection that nobody uses is kept."""
    monkeypatch.setattr(connections, "_KEPT_S", 600.0)


async def whole(upstream, method="GET", target=b"/any", body=None):
    async with upstream.request(method, target, [], body) as response:
        return b"".join([piece async for piece in response])


async def cancelled_after(steps, work):
    """Cancel some work after so many turns of the loop, as a client that leaves does."""
    task = asyncio.ensure_future(work)
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})


def test_a_request_that_is_cancelled_at_any_moment_leaves_the_next_one_unharmed(serve):
    server = serve(lambda _: Page([b"one ", b"two ", b"three"]))

    async def all_moments():
        upstream = Upstream(server.url, None, connect_s=60, silence_s=60)
        chance = random.Random(1)
        for _ in range(300):
            # Some begin on a kept line, some on a new one; some end while others begin.
            await asyncio.gather(
                *(
                    cancelled_after(chance.randrange(150), whole(upstream))
                    for _ in range(chance.choice((1, 3)))
                )
            )
            async with asyncio.timeout(60):
                assert await whole(upstream) == b"one two three"
        await upstream.close()

    asyncio.run(all_moments())


class Raw:
    """A server that answers each connection as a coroutine says; counts connections and requests."""

    def __init__(self, answer):
        self._answer = answer
        self.connections = 0
        self.heads = []
        self._clients = []

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        return self, Upstream(f"http://name:p%40ss@127.0.0.1:{port}/v1", None, connect_s=60, silence_s=60)

    async def __aexit__(self, *_):
        self._server.close()
        await asyncio.gather(*self._clients)
        await asyncio.sleep(0)

    async def _connected(self, reader, writer):
        self.connections += 1
        self._clients.append(asyncio.current_task())
        try:
            while True:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                if not await self._answer(self, reader, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_a_kept_connection_that_dies_as_it_is_used_again_is_replaced_by_a_new_one():
    async def dies(raw, reader, writer):
        # The second request of the first connection is read and not answered.
        if raw.connections == 1 and len(raw.heads) == 2:
            return False
        writer.write(OK)
        return True

    async def twice():
        async with Raw(dies) as (raw, upstream):
            for _ in range(2):
                assert await whole(upstream, "POST", b"/v1/chat/completions", b"") == b"ok"
            assert (raw.connections, len(raw.heads)) == (2, 3)
            await upstream.close()

    asyncio.run(twice())


def test_a_new_connection_that_dies_is_an_error_and_nothing_is_sent_twice():
    async def dies(raw, reader, writer):
        return False

    async def once():
        async with Raw(dies) as (raw, upstream):
            with pytest.raises(UpstreamFailed, match="broke off") as error:
                await whole(upstream, "POST", b"/v1/chat/completions", b"")
            assert (error.value.status, len(raw.heads)) == (502, 1)
            await upstream.close()

    asyncio.run(once())


def test_what_a_server_says_unasked_is_never_taken_for_the_next_answer():
    async def says_more(raw, reader, writer):
        writer.write(OK + b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong")
        return True

    async def twice():
        async with Raw(says_more) as (raw, upstream):
            assert [await whole(upstream), await whole(upstream)] == [b"ok", b"ok"]
            assert raw.connections == 2
            await upstream.close()

    asyncio.run(twice())


def test_a_connection_is_kept_for_the_next_request_and_hints_are_passed_over():
    async def hints(raw, reader, writer):
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + OK)
        return True

    async def often():
        async with Raw(hints) as (raw, upstream):
            assert [await whole(upstream) for _ in range(5)] == [b"ok"] * 5
            assert raw.connections == 1
            await upstream.close()

    asyncio.run(often())


def test_an_answer_that_ends_with_its_connection_ends_and_one_that_is_cut_short_does_not():
    async def short(raw, reader, writer):
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nok" if raw.connections == 1 else OK[:-1])
        await writer.drain()
        writer.close()
        return False

    async def both():
        async with Raw(short) as (_, upstream):
            assert await whole(upstream) == b"ok"
            with pytest.raises(UpstreamFailed):
                await whole(upstream)
            await upstream.close()

    asyncio.run(both())


def test_a_name_and_password_in_the_address_are_sent_and_never_shown():
    async def answers(raw, reader, writer):
        writer.write(OK)
        return True

    async def once():
        async with Raw(answers) as (raw, upstream):
            await whole(upstream)
            assert b"authorization: Basic bmFtZTpwQHNz\r\n" in raw.heads[0]
            assert "p%40ss" not in upstream.address
            assert "p@ss" not in upstream.address
            await upstream.close()

    asyncio.run(once())
