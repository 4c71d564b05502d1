"""A server that is killed under load: nothing acknowledged is lost, and what is sent again is there once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import suppress

import httpx
import pytest

from simonides import ALL
from simonides.memory import Memory

from .conftest import free_port

#: Kills of each run; the bar is 100, by SERVER_KILLS.
KILLS = int(os.environ.get("SERVER_KILLS", "2"))
WRITERS = 4


class Served:
    """`simonides serve` in a process of its own."""

    def __init__(self, path, port):
        command = [
            sys.executable,
            "-m",
            "simonides",
            "serve",
            "--db",
            str(path),
            "--port",
            str(port),
            "--no-upkeep",
        ]
        self.process = subprocess.Popen(
            [*command, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.url = f"http://127.0.0.1:{port}"

    def wait(self):
        for _ in range(600):
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz", timeout=2).status_code == 200:
                    return
            time.sleep(0.1)
        raise AssertionError("the server did not start")


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX's")
def test_nothing_acknowledged_is_lost_and_nothing_doubles(path):
    port = free_port()
    served = Served(path, port)
    served.wait()
    token = next(
        line for line in path.with_suffix(".token").read_text().splitlines() if line[0] != "#"
    ).split()[0]
    acknowledged, over, sent = [], threading.Event(), Counter()

    def write(writer):
        number = 0
        with httpx.Client(headers={"authorization": f"Bearer {token}"}, timeout=120) as http:
            while not over.is_set():
                # Sent again under its name until it is acknowledged, as a client does that had no answer.
                name, content = f"{writer}-{number}", f"writer {writer} notes number {number}"
                said = [{"role": "user", "content": content}] if number % 2 else content
                body = {"content": said, **({"session_id": f"s{writer}"} if number % 2 else {})}
                try:
                    sent[name] += 1
                    answer = http.post(
                        f"{served.url}/v1/memories", json=body, headers={"idempotency-key": name}
                    )
                except httpx.TransportError:
                    time.sleep(0.05)
                    continue
                assert answer.status_code == 201, answer.text
                acknowledged.append(content)
                number += 1

    def more(count):
        wanted = len(acknowledged) + count
        for _ in range(2400):
            if len(acknowledged) >= wanted:
                return
            time.sleep(0.05)
        raise AssertionError("nothing is acknowledged any more")

    writers = [threading.Thread(target=write, args=(n,)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        for _ in range(KILLS):
            more(8)
            served.process.send_signal(signal.SIGKILL)
            served.process.wait(60)
            served = Served(path, port)
            served.wait()
        # What was broken off is sent again by then.
        more(8 * WRITERS)
    finally:
        over.set()
        for writer in writers:
            writer.join(120)
        served.process.terminate()
        served.process.wait(60)
    with Memory(path) as memory:
        stored = Counter(item.content for item in memory.list(scope=ALL, limit=100_000))
        assert memory.audit.verify() == []
    assert len(acknowledged) > KILLS
    assert sum(sent.values()) > len(sent)
    assert [content for content in acknowledged if not stored[content]] == []
    assert [content for content, times in stored.items() if times > 1] == []
