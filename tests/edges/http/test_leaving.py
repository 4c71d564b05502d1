"""Clients that leave, stall and ask again: nobody else waits for it, and no answer goes wrong."""

import asyncio

from benchmarks.leaving import Storm
from simonides.testing_server import Said

BYPASS = "X-Simonides-Bypass: 1\r\n"


def repeats(asked):
    return Said(f"You said: {asked.messages[-1]['content']}", piece=40, pause_s=0.01)


def test_with_200_clients_that_leave_stall_and_ask_again_nobody_else_waits_for_them(serve, proxied):
    upstream = serve(repeats)
    proxy = proxied(upstream=upstream)
    direct = asyncio.run(Storm(upstream.url, 1).rage(200))[""]
    heard = asyncio.run(Storm(proxy.url, 1, ("", BYPASS)).rage(200, patient=2))
    for way in heard.values():
        assert way.wrong == []
        assert len(way.waits_ms) >= 8
    # What hangs, hangs for ever. How slow a busy machine is, the same storm without the proxy tells.
    assert max(heard[BYPASS].waits_ms) < 10_000 + 10 * max(direct.waits_ms)
