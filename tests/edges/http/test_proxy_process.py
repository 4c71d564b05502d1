"""`simonides proxy` from outside: what it says, how it ends, when it refuses to begin."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading

import httpx
import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app
from simonides.testing_server import Page, Said

COMMAND = [sys.executable, "-m", "simonides", "proxy"]
ASKED = {"model": "m", "messages": [{"role": "user", "content": "My telescope is as blue as the sea."}]}


@pytest.fixture
def environment(tmp_path):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SIMONIDES_")}
    return kept | {"SIMONIDES_DB": str(tmp_path / "memory.db"), "SIMONIDES_MIDDLEWARE_DEADLINE_MS": "60000"}


@pytest.fixture
def run(environment, tmp_path, monkeypatch):
    """Runs the command in this process, where it ends by itself."""

    def run(*arguments, **more):
        for name in [name for name in os.environ if name.startswith("SIMONIDES_")]:
            monkeypatch.delenv(name)
        for name, value in (environment | more).items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(tmp_path)
        return CliRunner().invoke(app, ["proxy", *arguments])

    return run


@pytest.fixture
def started(environment, tmp_path):
    """Starts the command; gives the process, and what it says when it listens."""
    processes = []

    def start(*arguments):
        process = subprocess.Popen(
            [*COMMAND, *arguments, "--port", "0", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment, cwd=tmp_path,
        )  # fmt: skip
        processes.append(process)
        said = ""
        while not said.endswith("}\n"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        return process, json.loads(said)

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def test_it_says_where_it_listens_and_what_to_set(serve, started, tmp_path):
    upstream = serve("An answer.")
    _, told = started("--upstream", upstream.url, "--scope", "user:ana", "--mode", "inject")
    assert told["openai_base_url"] == told["url"] + "/v1"
    assert told["ollama_host"] == told["url"]
    assert (told["upstream"], told["scope"], told["mode"]) == (upstream.url, "user:ana", "inject")
    assert (told["db"], told["token_file"]) == (str(tmp_path / "memory.db"), None)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_lets_the_answer_under_way_end_and_is_quiet(number, serve, started, tmp_path):
    hold = threading.Event()
    upstream = serve(Said("It is as blue as the sea.", hold=hold))
    process, told = started("--upstream", upstream.url, "--scope", "user:ana")
    with httpx.stream(
        "POST", f"{told['url']}/v1/chat/completions", json=ASKED | {"stream": True}, timeout=120
    ) as answer:
        pieces = answer.iter_raw()
        next(pieces)
        process.send_signal(number)
        hold.set()
        assert b"".join(pieces).endswith(b"data: [DONE]\n\n")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "", "")
    with Memory(tmp_path / "memory.db") as memory:
        turns = [item.content for item in memory.timeline(scope="user:ana")]
    assert turns == [ASKED["messages"][0]["content"], "It is as blue as the sea."]


def test_an_address_that_others_reach_needs_a_token(serve, started, tmp_path):
    upstream = serve("An answer.")
    _, told = started("--upstream", upstream.url, "--host", "0.0.0.0")
    path = tmp_path / "memory.token"
    assert told["token_file"] == str(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    token = path.read_text("utf-8").splitlines()[-1]
    url = f"{told['url']}/v1/chat/completions"
    assert httpx.post(url, json=ASKED, timeout=120).status_code == 401
    assert (
        httpx.post(url, json=ASKED, headers={"Authorization": f"Bearer {token}"}, timeout=120).status_code
        == 200
    )
    assert httpx.post(url, json=ASKED, headers={"X-Simonides-Token": token}, timeout=120).status_code == 200


def test_a_key_that_cannot_be_read_is_told_before_a_token_is_made(run, tmp_path):
    done = run("--host", "0.0.0.0", "--port", "0", SIMONIDES_PROXY_API_KEY="${NOT_SET_ANYWHERE}")
    assert done.exit_code == 2, done.output
    assert "NOT_SET_ANYWHERE" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_where_no_token_can_be_kept_it_refuses_to_begin(run, tmp_path):
    (tmp_path / "file").touch()
    done = run("--host", "0.0.0.0", "--port", "0", "--token-file", str(tmp_path / "file" / "token"))
    assert done.exit_code == 2
    assert "a token is needed" in done.stderr
    loose = tmp_path / "loose.token"
    loose.write_text("a-token-that-nobody-guesses\n", "utf-8")
    loose.chmod(0o644)
    done = run("--host", "0.0.0.0", "--port", "0", "--token-file", str(loose))
    assert done.exit_code == 2
    assert "chmod 600" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--upstream", "localhost:11434"],
            "--upstream is 'localhost:11434'; it must be an address like http://",
        ),
        (["--mode", "loud"], "--mode is one of"),
        (["--scope", "nothing"], "is not a scope"),
        (["--host", "no-such-host.invalid"], "the host"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_line(arguments, said, run):
    done = run(*arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_password_in_the_upstreams_address_is_not_shown(serve, started, run):
    upstream = serve("An answer.")
    address = upstream.url.replace("://", "://ana:open-sesame@")
    process, told = started("--upstream", address)
    assert told["upstream"] == upstream.url
    assert httpx.post(f"{told['url']}/v1/chat/completions", json=ASKED, timeout=120).status_code == 200
    assert upstream.chats[0].header("authorization") == "Basic YW5hOm9wZW4tc2VzYW1l"
    upstream.close()
    refused = httpx.post(f"{told['url']}/v1/chat/completions", json=ASKED, timeout=120)
    assert (refused.status_code, "sesame" in refused.text) == (502, False)
    checked = run("--upstream", address, "--check", "--json")
    assert "sesame" not in checked.stdout + checked.stderr
    process.terminate()
    assert "sesame" not in "".join(process.communicate(timeout=120))


def test_a_port_that_is_taken_is_said(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("--port", str(taken.getsockname()[1]))
    assert done.exit_code == 2
    assert "is taken; stop what listens there, or choose another with --port" in done.stderr


def test_mcp_names_its_own_option_for_an_address_that_it_cannot_have(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for address, said in (
            (f"127.0.0.1:{taken.getsockname()[1]}", "choose another with --http"),
            ("192.0.2.1:0", "check --http"),
        ):
            files = ["--db", str(tmp_path / "m.db"), "--token-file", str(tmp_path / "tokens")]
            done = CliRunner().invoke(app, ["mcp", "--http", address, *files])
            assert done.exit_code == 2
            assert said in done.stderr
            assert "--port" not in done.stderr


def test_a_key_that_is_not_in_the_environment_is_said(run):
    done = run(SIMONIDES_PROXY_API_KEY="${NO_SUCH_KEY}")
    assert done.exit_code == 2
    assert "NO_SUCH_KEY" in done.stderr


def test_a_check_says_what_the_upstream_is(serve, run):
    ollama = serve()
    done = run("--upstream", ollama.url, "--check", "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["says"] == "Ollama 0.0.0"
    openai = serve(lambda asked: Page(status=404) if asked.path == "/api/version" else None)
    assert "1 models" in run("--upstream", f"{openai.url}/v1", "--check").stdout
    other = serve(lambda _: Page(b"a page", 404))
    done = run("--upstream", other.url, "--check")
    assert (done.exit_code, "neither" in done.stdout) == (5, True)
    locked = serve(lambda _: Page(b"", 401))
    assert "asks for a key" in run("--upstream", locked.url, "--check").stdout
    ollama.close()
    done = run("--upstream", ollama.url, "--check")
    assert (done.exit_code, "it cannot be reached: Connection refused" in done.stdout) == (5, True)


def test_it_serves_mcp_beside_its_chats_from_the_same_store(serve, started):
    pytest.importorskip("mcp")
    upstream = serve("An answer.")
    process, told = started("--upstream", upstream.url, "--scope", "user:ana", "--mcp")
    assert httpx.post(f"{told['url']}/v1/chat/completions", json=ASKED, timeout=120).status_code == 200
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    accept = {"accept": "application/json, text/event-stream"}
    assert httpx.post(f"{told['url']}/mcp", json=hello, headers=accept, timeout=120).status_code == 200
    process.terminate()
    assert process.communicate(timeout=120) == ("", "")
