"""Many chats at once: each is answered, waits for memory no longer than its own deadline, and is told."""

import asyncio
import json
import threading
import time

from simonides.config import MiddlewareSettings
from simonides.testing import FakeEmbedder
from simonides.testing_server import Said

CHAT = "/v1/chat/completions"


class Stuck(FakeEmbedder):
    """An embedder that gives nothing until it is released."""

    def __init__(self):
        super().__init__()
        self.released = threading.Event()

    def embed(self, texts):
        if any("dome" in text for text in texts):
            self.released.wait(600)
        return super().embed(texts)


async def first_byte(port, number):
    """The head of a streamed answer, its first piece, and the seconds until it came."""
    asked = {
        "model": "m",
        "stream": True,
        "messages": [{"role": "user", "content": f"Is dome {number} green?"}],
    }
    body = json.dumps(asked).encode()
    head = (
        f"POST {CHAT} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.encode() + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        await reader.readuntil(b"data: ")
        return answered, time.monotonic() - began
    finally:
        writer.transport.abort()
        await asyncio.sleep(0)


def test_of_200_chats_at_once_none_waits_for_memory_longer_than_one_does(proxied, remember):
    embedder = Stuck()
    memory = remember(middleware=MiddlewareSettings(deadline_ms=1_000), embedder=embedder)
    proxy = proxied(Said("It is green."), memory=memory)

    async def all_at_once():
        return await asyncio.gather(*(first_byte(proxy.port, number) for number in range(200)))

    try:
        answers = asyncio.run(all_at_once())
    finally:
        embedder.released.set()
    assert {head.partition(b"\r\n")[0] for head, _ in answers} == {b"HTTP/1.1 200 OK"}
    assert all(b"x-simonides-degraded: memory" in head for head, _ in answers)
    # Behind a queue they would wait for one deadline after the other, up to two hundred seconds; a busy machine
    # takes some for the chats themselves.
    assert max(waited for _, waited in answers) < 100
    # What is far behind is not even begun.
    assert sum(b"too far behind" in head for head, _ in answers) > 50
    assert sum(role == "user" for role, _ in proxy.turns()) == 200
