"""`simonides mcp` as clients start it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mcp")

from simonides import Memory
from simonides.edges.cli import exits

from .conftest import User, called, command, with_client

#: What nothing can be written to.
FULL = Path("/dev/full")
START = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
START += b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'


def started(path, *options):
    arguments = [sys.executable, "-m", "simonides", "mcp", "--db", str(path), *options]
    return subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
    )


def test_what_was_remembered_in_one_session_is_found_in_the_next(path):
    async def remember(client):
        return await called(
            client, "memory_add", content="I am vegetarian.", type="preference", why_store="asked"
        )

    async def recall(client):
        return await called(client, "memory_context", query="What may I cook for the user?")

    where = command(path, "--user", "ana")
    assert with_client(where, remember, user=User())["outcome"] == "accepted"
    assert "I am vegetarian." in with_client(where, recall)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_on_a_signal_while_it_waits(path, number):
    process = started(path)
    process.stdin.write(START)
    process.stdin.flush()
    assert process.stdout.readline()
    process.send_signal(number)
    assert process.wait(120) == 0
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    with Memory(path) as memory:
        assert memory.doctor().healthy


def test_it_prints_protocol_only_whatever_comes_in_and_ends_when_the_client_closes_the_stream(path):
    """A line that is no message is answered with an error."""
    lines = [
        b'{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"memory_add","arguments":{"content":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":"\\udc00","method":"ping"}',
        b"hello",
        b"\xff\xfe",
        b"[" * 100_000,
        b"{}",
        b"[]",
        b'{"jsonrpc":"1.0","id":11,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":12}',
    ]
    wants_none = [
        b"",
        b"  ",
        b'{"jsonrpc":"2.0","method":"x\\ud800"}',
        b'{"jsonrpc":"2.0","id":13,"result":"\\ud800"}',
    ]
    process = started(path)
    out, err = process.communicate(START + b"\n".join([*lines, *wants_none]) + b"\n", timeout=120)
    assert process.returncode == 0
    assert not err
    answers = [json.loads(line) for line in out.splitlines()]
    # What cannot be read is answered at once, maybe before the first message has been.
    assert [answer["id"] for answer in answers if "result" in answer] == [1]
    refused = [answer for answer in answers if "error" in answer]
    assert [answer["id"] for answer in refused] == [10, "\udc00", None, None, None, None, None, 11, 12]
    assert [answer["error"]["code"] for answer in refused] == [-32700] * 5 + [-32600] * 4
    assert len(answers) == len(refused) + 1


@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
def test_it_ends_with_a_reason_where_no_answer_can_be_written(path):
    """Of a message, and of a line that is none."""
    for line in (START, b"hello\n"):
        arguments = [sys.executable, "-m", "simonides", "mcp", "--db", str(path)]
        with FULL.open("wb") as full:
            ended = subprocess.run(
                arguments, input=line, stdout=full, stderr=subprocess.PIPE, timeout=120, check=False
            )
        assert ended.returncode == exits.STORE
        assert ended.stderr.startswith(b"simonides: standard output: No space left on device; ")
        assert len(ended.stderr.splitlines()) == 1


def test_a_command_that_the_user_is_told_names_the_store(path):
    async def remember(client):
        return await called(client, "memory_add", content="I prefer rooibos.", type="preference")

    answer = with_client(command(path, "--user", "ana"), remember)
    assert f"`simonides review approve {answer['item_id']} --db {path}`" in answer["say"]
