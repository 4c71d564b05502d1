"""The example of a chat loop, run as its readers would."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from simonides.testing_server import Call, Said, ScriptedServer

LOOP = Path(__file__).parents[2] / "examples" / "loop.py"


def run(*arguments, said):
    result = subprocess.run(
        [sys.executable, "-W", "error", str(LOOP), *map(str, arguments)],
        input="".join(f"{line}\n" for line in said),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        # A machine that is busy with other tests is not what is tried here.
        env=os.environ | {"SIMONIDES_MIDDLEWARE_DEADLINE_MS": "20000"},
    )
    return result.stdout


def test_the_example_remembers_without_a_model(tmp_path):
    db = tmp_path / "memory.db"
    assert "(accepted" in run(db, said=["remember Apollo ships on Fridays."])
    told = run(db, said=["When does Apollo ship?"])
    assert "Apollo ships on Fridays." in told
    assert "MEMORY_PROPOSALS" not in told


def test_the_example_talks_to_a_server_that_speaks_openais_api(tmp_path):
    script = [Said(calls=(Call("memory_search", {"query": "Apollo"}),)), "I found nothing about it."]
    with ScriptedServer(script) as server:
        told = run(tmp_path / "memory.db", f"{server.url}/v1", "m", said=["What about Apollo?"])
    assert told == "I found nothing about it.\n"
    assert [message["role"] for message in server.chats[1].messages] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]


def test_the_loop_of_the_example_is_short():
    code = LOOP.read_text("utf-8")
    loop = code[code.index("def main(") : code.index("if __name__")]
    assert len(loop.splitlines()) <= 30
