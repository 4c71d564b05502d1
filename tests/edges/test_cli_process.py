"""The command line from outside: processes, pipes, signals, files that are no stores."""

import json
import os
import pty
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app
from simonides.recall.result import SearchResult
from simonides.sample import load_sample

COMMAND = [sys.executable, "-m", "simonides"]


@pytest.fixture
def environment(tmp_path):
    """The environment of a user with a store of their own and no settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SIMONIDES_")}
    kept.pop("NO_COLOR", None)
    return kept | {"SIMONIDES_DB": str(tmp_path / "memory.db"), "TERM": "xterm-256color", "COLUMNS": "80"}


@pytest.fixture
def run(environment, tmp_path):
    def run(*arguments, stdin="", env=None):
        return subprocess.run(
            [*COMMAND, *arguments], input=stdin, capture_output=True, text=True, encoding="utf-8", check=False,
            env=environment | (env or {}), cwd=tmp_path, timeout=300,
        )  # fmt: skip

    return run


@pytest.fixture
def inside(environment, tmp_path, monkeypatch):
    """Runs a command inside this process: what it prints and its code do not depend on where it runs."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, env=None):
        ended = CliRunner().invoke(app, list(arguments), env=environment | (env or {}))
        return subprocess.CompletedProcess(arguments, ended.exit_code, ended.stdout, ended.stderr)

    return run


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A store that holds the sample conversation."""
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    with Memory(path) as memory:
        for session in load_sample().sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
    return path


def on_terminal(arguments, environment, cwd, keys=b""):
    """Exit code and everything shown where all three streams are a terminal of 80 columns."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdin=side, stdout=side, stderr=side, env=environment, cwd=cwd
    )
    os.close(side)
    os.write(main, keys)
    shown = b""
    while True:
        try:
            piece = os.read(main, 65536)
        except OSError:  # What Linux says when the other side is closed.
            break
        if not piece:
            break
        shown += piece
    os.close(main)
    return process.wait(120), shown.decode()


def test_the_version_is_told(run):
    result = run("--version")
    assert result.returncode == 0
    assert result.stdout.startswith("simonides 0.")


def test_the_help_and_the_version_leave_the_engine_alone(environment, tmp_path):
    code = (
        "import sys\nfrom simonides.edges.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'apsw', 'rich', 'pydantic'} & set(sys.modules)))"
    )
    for argument in ("--version", "--help"):
        result = subprocess.run(
            [sys.executable, "-c", code, argument],
            capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
        )  # fmt: skip
        assert result.stdout.splitlines()[-1] == "[]"


def test_a_search_makes_no_checks_of_options_that_nobody_gave(environment, tmp_path):
    code = (
        "import sys\nfrom simonides.edges.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('pydantic' in sys.modules)"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", code, "search", "dentist", *given, "--db", str(tmp_path / "memory.db")],
            capture_output=True, text=True, check=True, env=environment, cwd=tmp_path,
        ).stdout.splitlines()[-1]
        for given in ([], ["--limit", "3"])
    ]  # fmt: skip
    assert found == ["False", "True"]


def test_a_pipe_gets_no_colours_and_aligned_columns(run, sample):
    result = run("list", "--db", str(sample), "-k", "3")
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    header, *rows = result.stdout.splitlines()
    assert len(rows) == 3
    assert all(row[header.index("type") :].startswith("episode") for row in rows)


def test_json_is_one_document_with_the_names_of_to_dict(inside, sample):
    result = inside("search", "walnuts", "--db", str(sample), "--json")
    found = json.loads(result.stdout)
    assert set(found) == set(SearchResult(()).to_dict())
    names = {
        "item", "score", "relevance", "signals", "matches", "moved", "act", "excerpt", "superseded_by",
        "superseded_parts", "outdated_by",
    }  # fmt: skip
    assert set(found["hits"][0]) == names
    assert result.stderr == ""


def test_a_terminal_gets_colours_unless_they_are_not_wanted(environment, tmp_path, sample):
    arguments = ("list", "--db", str(sample), "-k", "2")
    _, shown = on_terminal(arguments, environment, tmp_path)
    assert "\x1b[" in shown
    _, plain = on_terminal(arguments, environment | {"NO_COLOR": "1"}, tmp_path)
    assert "\x1b[" not in plain
    assert max(map(len, plain.splitlines())) <= 80


def test_a_demo_at_a_terminal_takes_questions_and_new_memories(environment, tmp_path):
    keys = b"who is Councillor?\n+\n+ Tripod sleeps in the dome\n\n"
    code, shown = on_terminal(["demo"], environment | {"NO_COLOR": "1"}, tmp_path, keys)
    assert code == 0
    assert "ask> " in shown
    assert "ram" in shown.rpartition("An empty line ends.")[2]
    assert "write what to remember behind the +" in shown
    assert "accepted" in shown.rpartition("behind the +")[2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("said", "code", "left"), [(b"y\n", 0, 0), (b"n\n", 1, 1)])
def test_purge_asks_at_a_terminal(environment, tmp_path, said, code, left):
    with Memory(environment["SIMONIDES_DB"]) as memory:
        [item_id] = memory.add("my diary").item_ids
    ended, shown = on_terminal(["purge", item_id], environment, tmp_path, said)
    assert "my diary" in shown
    assert ended == code
    with Memory(environment["SIMONIDES_DB"]) as memory:
        assert memory.stats()["items"] == left


def test_who_reads_no_further_is_no_error(environment, sample):
    process = subprocess.Popen(
        [*COMMAND, "export", "--db", str(sample)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(120) == 0


def test_an_interrupt_ends_with_130_and_one_line(environment, tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "import", "-"], env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )
    # More than a pipe holds is taken once it reads.
    process.stdin.write(b"\n" * 500_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130
    assert stderr.startswith(b"simonides: interrupted")
    assert stderr.count(b"\n") == 1


def one_line(result, code):
    assert result.returncode == code
    assert result.stdout == ""
    assert result.stderr.startswith("simonides: ")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_no_database_is_left_as_it_is(run, tmp_path):
    file = tmp_path / "letter.txt"
    file.write_bytes(b"Dear Petra, " * 500)
    one_line(run("add", "x", "--db", str(file)), 4)
    assert file.read_bytes() == b"Dear Petra, " * 500


def test_another_programs_database_is_refused(inside, tmp_path):
    file = tmp_path / "other.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE recipes (name)")
    connection.commit()
    connection.close()
    one_line(inside("list", "--db", str(file)), 4)


def test_a_store_of_a_later_release_is_refused(inside, environment):
    Memory(environment["SIMONIDES_DB"]).close()
    connection = sqlite3.connect(environment["SIMONIDES_DB"])
    connection.execute("PRAGMA user_version = 9999")
    connection.close()
    result = inside("list")
    one_line(result, 4)
    assert "upgrade" in result.stderr


def test_a_folder_and_a_path_below_a_file_are_no_stores(inside, tmp_path):
    (tmp_path / "file").write_text("x")
    one_line(inside("add", "x", "--db", str(tmp_path)), 4)
    one_line(inside("add", "x", "--db", str(tmp_path / "file" / "memory.db")), 4)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_said(inside, tmp_path):
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    one_line(inside("add", "x", "--db", str(folder / "memory.db")), 4)


def test_a_damaged_store_fails_the_doctor(inside, environment):
    with Memory(environment["SIMONIDES_DB"]) as memory:
        memory.add("The key is under the mat")
    connection = sqlite3.connect(environment["SIMONIDES_DB"])
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("UPDATE memory_revisions SET snapshot = replace(snapshot, 'mat', 'rug')")
    connection.commit()
    connection.close()
    result = inside("doctor")
    assert result.returncode == 1
    assert "1 problem found" in result.stdout


def test_wrong_settings_are_wrong_input(inside):
    result = inside("add", "x", env={"SIMONIDES_RECALL_MIN_RELEVANCE": "much"})
    one_line(result, 2)
    assert "min_relevance" in result.stderr


def test_debug_shows_steps_and_tracebacks_which_otherwise_stay_hidden(run, inside, sample):
    assert "Traceback" not in inside("show", "nothing", "--db", str(sample)).stderr
    result = run("show", "nothing", "--debug", "--db", str(sample))
    assert result.returncode == 3
    assert "Traceback" in result.stderr
    assert "opened in" in result.stderr


def test_interrupted_while_it_is_loading_it_ends_quietly():
    program = """
import sys

class Interrupts:
    def find_spec(self, name, path, target=None):
        if name == "simonides.edges.cli.main":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
from simonides.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_told_to_end_it_leaves_nothing_of_its_own_and_ends_by_the_signal(environment, tmp_path, number):
    folder = tmp_path / "temporary"
    folder.mkdir()
    before = signal.signal(number, signal.SIG_DFL)  # Whoever runs the tests may be to outlive a hang-up.
    try:
        process = subprocess.Popen(
            [*COMMAND, "demo"], env=environment | {"TMPDIR": str(folder)}, cwd=tmp_path,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
    finally:
        signal.signal(number, before)
    while not list(folder.iterdir()):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(number)
    if number == signal.SIGHUP:
        process.send_signal(number)  # A shell sends its own, too.
    _, said = process.communicate(timeout=120)
    assert process.returncode == -number
    assert list(folder.iterdir()) == []
    assert said.startswith(b"simonides: interrupted")
    assert said.count(b"\n") == 1


def test_a_process_that_is_to_outlive_a_hangup_does(environment, tmp_path):
    program = (
        "import os, signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from simonides.ending import end_in_order, ending_signals\n"
        "end_in_order()\n"
        "os.kill(os.getpid(), signal.SIGHUP)\n"
        "print(sorted(map(int, ending_signals())))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.strip() == str(sorted(map(int, (signal.SIGINT, signal.SIGTERM))))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_read_and_write_nothing(environment, tmp_path, closed):
    line = f'exec "$@" {closed}'
    added = subprocess.run(
        ["/bin/sh", "-c", line, "sh", *COMMAND, "add", "The mill is closed."],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert (added.returncode, added.stderr) == (0, "")
    with Memory(environment["SIMONIDES_DB"]) as memory:
        assert [item.content for item in memory.list()] == ["The mill is closed."]
    nothing = subprocess.run(
        ["/bin/sh", "-c", line, "sh", *COMMAND, "add"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert nothing.returncode == 2
    assert "unexpected" not in nothing.stderr
