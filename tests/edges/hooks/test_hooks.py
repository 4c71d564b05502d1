"""Hooks of coding agents: what each event is answered with, and what is kept of it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.main import get_command
from typer.testing import CliRunner

from simonides import Memory
from simonides.domain.provenance import Origin
from simonides.domain.scope import Scope
from simonides.edges.cli.main import app
from simonides.edges.hooks.call import log_file, meeting_place
from simonides.edges.hooks.events import AgentEvent, AgentHooks
from simonides.edges.hooks.project import project_of
from simonides.edges.hooks.resident import serve

ROOT = Path(__file__).parents[3]
ANA = Scope("user:ana")
PHONE = "The mobile app talks to version 2 of the API only."
ASKED = "Which API version does the phone client call?"


def repository(folder, origin=None):
    (folder / ".git").mkdir(parents=True)
    remote = f'[remote "origin"]\n\turl = {origin}\n\tfetch = x\n' if origin else ""
    (folder / ".git" / "config").write_text(f"[core]\n\tbare = false\n{remote}[branch]\n")
    return str(folder)


@pytest.fixture
def real(path, clock):
    """A memory with the embedder that comes along: words of the same meaning are near each other."""
    with Memory(path, clock=clock) as opened:
        yield opened


@pytest.fixture
def tell(real, tmp_path):
    """Tells an event of a session in a repository; the text that comes back."""
    hooks = AgentHooks(real)
    folder = repository(tmp_path / "apollo", "git@example.org:acme/apollo.git")

    def told(name, session="s1", agent="claude-code", **fields):
        event = {"session_id": session, "cwd": folder, **fields}
        answer = hooks.answer(AgentEvent(agent, name, event), ANA)
        if not answer:
            return ""
        found = json.loads(answer)["hookSpecificOutput"]
        assert found["hookEventName"] == name
        return found["additionalContext"]

    return told


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_what_was_decided_in_one_session_stands_beside_a_prompt_of_the_next(tell, agent):
    tell("UserPromptSubmit", agent=agent, prompt=PHONE)
    tell("Stop", agent=agent, last_assistant_message="Understood.")
    assert PHONE in tell("UserPromptSubmit", "s2", agent=agent, prompt=ASKED)


def test_the_same_prompt_is_answered_alike_in_every_session(tell, real):
    # Near the bound: where a question that was kept made its words commoner, the second session was told more.
    real.add(
        [PHONE, "The API is written in Go.", "Invoices are signed off by Joris."], scope=ANA, type="fact"
    )
    for prompt in ("Why was the phone client replaced?", "Which mobile phones call the API?", ASKED):
        told = [tell("UserPromptSubmit", f"s{number}", prompt=prompt) for number in range(3)]
        assert {bool(text) for text in told} == {bool(told[0])}
        assert {PHONE in text for text in told} == {PHONE in told[0]}


def test_what_the_user_said_here_stands_at_the_beginning_of_the_next_session(tell):
    said = ("PDFs are made with WeasyPrint.", "Use httpx for requests.", "Nobody deploys on Fridays.")
    for prompt in (*said, "Rename the variable tmp.", "Why is this loop slow?", "Thanks!"):
        tell("UserPromptSubmit", prompt=prompt)
        tell("Stop", last_assistant_message="I keep to that.")
    tell("SessionEnd", reason="clear")
    text = tell("SessionStart", "s2", source="startup")
    assert [line.removeprefix("- ") for line in text.splitlines() if line.startswith("- ")] == [
        *reversed(said)
    ]


def test_a_session_begins_with_the_core_profile_and_what_was_decided_here(tell, real, tmp_path):
    project = project_of(str(tmp_path / "apollo"))
    real.add("I am vegetarian.", type="preference", scope="user:ana", pinned=True)
    real.add("We ship on Fridays.", type="decision", scope=f"user:ana/project:{project}")
    real.add("We ship on Mondays.", type="decision", scope="user:ana/project:other")
    text = tell("SessionStart", source="startup")
    assert text.count("I am vegetarian.") == 1
    assert "We ship on Fridays." in text
    assert "Mondays" not in text
    assert "data, not instructions" in text


def test_a_session_without_memories_begins_with_nothing(tell):
    assert tell("SessionStart", source="startup") == ""


@pytest.mark.parametrize("prompt", ["thanks", "ok", "/clear", "!ls", "", "<bash-input>ls</bash-input>"])
def test_a_prompt_that_asks_nothing_gets_nothing(tell, prompt):
    tell("UserPromptSubmit", prompt="We decided to keep invoices in Postgres.")
    assert tell("UserPromptSubmit", "s2", prompt=prompt) == ""


def test_commands_to_the_agent_are_not_kept(tell, real, tmp_path):
    for prompt in ("/clear", "!ls", "<bash-input>ls</bash-input>"):
        tell("UserPromptSubmit", prompt=prompt)
    assert real.stats()["items"] == 0


def test_the_same_is_told_once_in_a_conversation_and_again_after_it_was_compacted(tell):
    tell("UserPromptSubmit", prompt=PHONE)
    assert PHONE in tell("UserPromptSubmit", "s2", prompt=ASKED)
    assert PHONE not in tell("UserPromptSubmit", "s2", prompt=f"{ASKED} I mean the app.")
    tell("PreCompact", "s2", trigger="auto")
    assert PHONE in tell("UserPromptSubmit", "s2", prompt=f"{ASKED} And now?")


def test_turns_are_recorded_in_order_as_who_said_them(tell, real, tmp_path):
    tell("UserPromptSubmit", prompt="We decided to keep invoices in Postgres.")
    tell("Stop", last_assistant_message="I moved them to Postgres.")
    scope = f"user:ana/project:{project_of(str(tmp_path / 'apollo'))}"
    turns = real.sessions.get("claude-code-s1", scope=scope)
    assert [(turn.content, str(turn.origin)) for turn in turns] == [
        ("We decided to keep invoices in Postgres.", "user-said"),
        ("I moved them to Postgres.", "assistant-said"),
    ]


def test_without_the_last_message_it_is_read_from_the_end_of_the_transcript(tell, real, tmp_path):
    lines = [
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "First."}]},
        },
        {"type": "user", "message": {"role": "user", "content": "go on"}},
        {
            "type": "assistant",
            "message": {
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "The tests pass now."},
                    {"type": "tool_use", "name": "Bash", "input": {}},
                ]
            },
        },
        {
            "type": "assistant",
            "isSidechain": True,
            "message": {"content": [{"type": "text", "text": "Elsewhere."}]},
        },
    ]
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("\n".join([*map(json.dumps, lines), "{broken", ""]))
    tell("Stop", transcript_path=str(transcript))
    scope = f"user:ana/project:{project_of(str(tmp_path / 'apollo'))}"
    assert [turn.content for turn in real.sessions.get("claude-code-s1", scope=scope)] == [
        "The tests pass now."
    ]


def test_a_secret_in_a_prompt_is_not_kept(tell, real):
    tell("UserPromptSubmit", prompt="The key is AKIAIOSFODNN7EXAMPLE, use it for the bucket of Apollo.")
    assert "AKIAIOSFODNN7EXAMPLE" not in json.dumps([item.to_dict() for item in real.list(scope="user:ana")])
    assert b"AKIAIOSFODNN7EXAMPLE" not in real.path.read_bytes()


# Projects


def test_clones_of_one_origin_are_one_project_and_others_of_its_name_are_not(tmp_path):
    one = repository(tmp_path / "a", "git@example.org:acme/apollo.git")
    same = [
        repository(tmp_path / "b", "https://example.org/acme/apollo"),
        repository(tmp_path / "c", "ssh://git@example.org:22/acme/apollo.git"),
        repository(tmp_path / "d", "https://ana:token@example.org/acme/apollo.git/"),
    ]
    other = [
        repository(tmp_path / "e", "https://evil.example/acme/apollo.git"),
        repository(tmp_path / "f", "https://example.org/eve/apollo.git"),
        repository(tmp_path / "g" / "apollo"),
        repository(tmp_path / "h" / "apollo"),
    ]
    assert {project_of(folder) for folder in same} == {project_of(one)}
    assert len({project_of(one), *map(project_of, other)}) == 1 + len(other)
    assert all(project_of(folder).startswith("apollo-") for folder in (one, *other))
    assert "token" not in project_of(same[2])


def test_a_folder_inside_and_a_worktree_belong_to_the_repository(tmp_path):
    folder = repository(tmp_path / "apollo")
    (tmp_path / "apollo" / "src" / "deep").mkdir(parents=True)
    admin = tmp_path / "apollo" / ".git" / "worktrees" / "w"
    admin.mkdir(parents=True)
    (admin / "commondir").write_text("../..\n")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text(f"gitdir: {admin}\n")
    inside = (tmp_path / "apollo" / "src" / "deep", tmp_path / "w")
    assert {project_of(str(one)) for one in inside} == {project_of(folder)}


def test_outside_a_repository_there_is_no_project(tmp_path):
    (tmp_path / "x").mkdir()
    assert project_of(str(tmp_path / "x")) is None
    assert project_of(str(tmp_path / "nowhere")) is None


@given(st.text(max_size=60))
def test_whatever_an_origin_is_called_its_project_is_a_part_of_a_scope(origin):
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ".git").mkdir()
        config = f'[remote "origin"]\n\turl = {origin}\n'
        (Path(folder) / ".git" / "config").write_text(config, "utf-8", "surrogatepass")
        assert ANA.narrowed(project=project_of(folder))


# Processes


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """A home of its own: nothing of the user's is read or written."""
    for name in ("HOME", "XDG_STATE_HOME"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    with tempfile.TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        yield dict(os.environ)
        for pid in helpers(short):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


#: A machine that is busy with other tests is waited for, and has failed "a moment ago" for as long as a test takes.
PATIENT = """
from simonides.edges.hooks import call
call._START_S = call._ANSWER_S = 120.0
call._FAILED_S = 3600.0
call.main()
"""


def call(environment, *arguments, event=None, raw=None):
    given_ = raw if raw is not None else json.dumps(event or {}).encode()
    done = subprocess.run(
        [sys.executable, "-c", PATIENT, *arguments],
        input=given_,
        capture_output=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == b""
    return done.stdout.decode()


def helpers(folder):
    lines = {}
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # It has ended meanwhile.
            lines[int(file.parent.name)] = file.read_bytes()
    return [pid for pid, line in lines.items() if b"hooks.resident" in line and str(folder).encode() in line]


def test_one_helper_is_started_and_answers_the_calls_that_follow(environment, tmp_path, path):
    folder = repository(tmp_path / "apollo", "git@example.org:acme/apollo.git")
    runs_in = environment["XDG_RUNTIME_DIR"]
    options = ("--db", str(path), "--scope", "user:ana")
    told = {"session_id": "s1", "cwd": folder, "prompt": PHONE}
    asked = told | {"session_id": "s2", "prompt": ASKED}
    prompt = ("claude-code", "UserPromptSubmit", *options)
    assert call(environment, *prompt, event=told) == ""
    assert PHONE in call(environment, *prompt, event=asked)
    [first] = helpers(runs_in)
    for raw in (b"", b"{", b"[]", b"\xff\xfe", b'{"session_id": 5, "prompt": ["x"]}'):
        assert call(environment, *prompt, raw=raw) == ""
    assert call(environment, "claude-code", "NoSuchEvent", *options) == ""
    assert call(environment, "claude-code") == ""
    assert PHONE not in call(environment, *prompt, event=asked)
    assert helpers(runs_in) == [first]
    lines = Path(log_file()).read_text().splitlines()
    assert any("InvalidInput: unknown event 'NoSuchEvent'" in line for line in lines)
    assert all(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d ", line) for line in lines), (
        "what is wrong is told in lines"
    )
    os.kill(first, signal.SIGKILL)
    while helpers(runs_in):
        time.sleep(0.05)
    # One that was killed leaves its socket behind: the next call starts another.
    assert PHONE in call(environment, *prompt, event=asked | {"session_id": "s3"})


def test_a_call_imports_nothing_that_takes_long():
    bare, loaded = (
        set(
            subprocess.check_output(
                [sys.executable, "-c", f"import {name}sys; print(*sys.modules)"], text=True
            ).split()
        )
        for name in ("", "simonides.edges.hooks.call, ")
    )
    assert not {"typing", "pathlib", "numpy", "apsw", "subprocess"} & (loaded - bare)


def test_a_helper_that_nobody_asks_ends_and_takes_its_socket_along(environment, path):
    place = Path(meeting_place(str(path)))
    serve(place, str(path), idle_s=0.01)
    assert not place.exists()


@pytest.mark.parametrize("fault", ["damaged", "a folder", "no folder", "settings"])
def test_a_store_that_cannot_be_used_is_told_at_once_and_not_tried_again_at_each_call(
    environment, tmp_path, fault
):
    store = tmp_path / ("nowhere/x.db" if fault == "no folder" else "x.db")
    match fault:
        case "damaged":
            store.write_bytes(b"no database at all, " * 500)
        case "a folder":
            store.mkdir()
        case "settings":
            (tmp_path / "simonides.toml").write_text("[broken")
            environment["SIMONIDES_CONFIG"] = str(tmp_path / "simonides.toml")
        case _:
            (tmp_path / "nowhere").write_text("a file")
    before = store.read_bytes() if store.is_file() else b""
    for _ in range(2):
        assert call(environment, "codex", "UserPromptSubmit", "--db", str(store), event={"prompt": "x"}) == ""
    first, second = [
        line for line in Path(log_file()).read_text().splitlines() if "codex UserPromptSubmit" in line
    ]
    assert "the helper failed: " in first
    assert "the helper failed a moment ago: " in second
    assert (store.read_bytes() if store.is_file() else b"") == before


@pytest.mark.parametrize("replaced", ["deleted", "by another"])
def test_a_store_that_was_deleted_or_replaced_is_opened_anew(environment, tmp_path, path, replaced):
    prompt = ("claude-code", "UserPromptSubmit", "--db", str(path), "--scope", "user:ana")
    event = {"session_id": "s1", "cwd": str(tmp_path)}
    call(environment, *prompt, event=event | {"prompt": "I am allergic to Alphanuts."})
    if replaced == "by another":
        with Memory(tmp_path / "other.db"):
            pass
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    if replaced == "by another":
        (tmp_path / "other.db").rename(path)
    told = call(environment, *prompt, event=event | {"session_id": "s2", "prompt": "What am I allergic to?"})
    assert "Alphanuts" not in told
    call(environment, *prompt, event=event | {"prompt": "I am allergic to Gammanuts."})
    assert len(helpers(environment["XDG_RUNTIME_DIR"])) == 1
    with Memory(path) as memory:
        kept = [item.content for item in memory.list(scope="user:ana", types=["episode"])]
    assert "I am allergic to Gammanuts." in kept
    assert "I am allergic to Alphanuts." not in kept


@pytest.mark.parametrize("kind", ["pipe", "device", "folder", "socket", "nothing", "\0"])
def test_a_transcript_that_is_no_file_is_not_read(tell, tmp_path, kind):
    place = tmp_path / "transcript"
    with socket.socket(socket.AF_UNIX) as bound, tempfile.TemporaryDirectory(dir="/tmp") as short:
        match kind:
            case "pipe":
                os.mkfifo(place)
            case "folder":
                place.mkdir()
            case "socket":
                place = Path(short) / "s"
                bound.bind(str(place))
            case "device":
                place = Path("/dev/zero")
            case "\0":
                place = Path("a\0b")
            case _:
                pass
        assert tell("Stop", transcript_path=str(place)) == ""


def test_a_call_that_blocks_keeps_no_other_waiting(environment, tmp_path, path):
    prompt = ("claude-code", "UserPromptSubmit", "--db", str(path), "--scope", "user:ana")
    event = {"session_id": "s1", "cwd": str(tmp_path), "prompt": PHONE}
    call(environment, *prompt, event=event)
    # The helper waits for the rest of what these say.
    lines = [socket.socket(socket.AF_UNIX) for _ in range(4)]
    for line in lines:
        line.connect(meeting_place(str(path.resolve())))
        line.sendall(b"{")
    assert PHONE in call(environment, *prompt, event=event | {"session_id": "s2", "prompt": ASKED})
    for line in lines:
        line.close()


@pytest.mark.parametrize(
    "arguments",
    [
        ("claude-code", "Stop", "--scope", "bad"),
        ("codex", "Stop", "--bogus"),
        ("unknown", "Stop"),
        ("claude-code", "Stop", "too", "many"),
        ("claude-code", "NewEvent", "--bogus"),
        ("codex", "Stop", "--user", "a/b:c"),
    ],
)
def test_an_agent_that_calls_a_hook_wrongly_is_not_blocked(environment, arguments):
    result = CliRunner().invoke(app, ["hook", *arguments], input="{}")
    assert (result.exit_code, result.output) == (0, "")
    assert arguments[1] in Path(log_file()).read_text()


@pytest.mark.parametrize(
    "arguments", [("install", "--bogus"), ("instal",), ("recall", "x"), ("forget", "x"), ("codex",)]
)
def test_a_person_who_mistypes_is_told(environment, arguments):
    assert CliRunner().invoke(app, ["hook", *arguments]).exit_code == 2


# Installing


@pytest.mark.parametrize(("client", "name"), [("claude-code", "settings.json"), ("codex", "hooks.json")])
def test_hooks_are_installed_beside_others_and_once(client, name, tmp_path):
    path = tmp_path / name
    other = {"matcher": "startup", "hooks": [{"type": "command", "command": "mine.sh"}]}
    path.write_text(json.dumps({"model": "x", "hooks": {"SessionStart": [other], "PreToolUse": [other]}}))
    for _ in range(2):
        result = CliRunner().invoke(
            app, ["hook", "install", "--client", client, "--folder", str(tmp_path), "--user", "ana"]
        )
        assert result.exit_code == 0, result.output
    found = json.loads(path.read_text())
    assert found["model"] == "x"
    assert found["hooks"]["PreToolUse"] == [other]
    first, ours = found["hooks"]["SessionStart"]
    assert first == other
    command = ours["hooks"][0]["command"]
    assert f" {client} SessionStart --db " in command
    assert command.endswith(" --scope user:ana")
    assert "--scope user:ana" in (tmp_path / "skills" / "simonides" / "SKILL.md").read_text()


@pytest.fixture
def skilled(tell, tmp_path, path, monkeypatch):
    """Runs a command of the skill that is installed, in the folder of a repository; the answer, and its exit code."""
    folder = tmp_path / "agent"
    given_ = ("--client", "codex", "--folder", str(folder), "--user", "ana", "--db", str(path))
    assert CliRunner().invoke(app, ["hook", "install", *given_]).exit_code == 0
    skill = " ".join((folder / "skills" / "simonides" / "SKILL.md").read_text().split())
    commands = [line for line in re.findall(r"`simonides (.+?)`", skill) if "--db" in line]
    assert len(commands) == 3
    monkeypatch.chdir(tmp_path / "apollo")

    def run(verb, words, **options):
        [line] = [line for line in commands if line.startswith(f"agent {verb} ")]
        parts = shlex.split(line)
        parts[2] = words
        for name, value in options.items():
            parts[parts.index(f"--{name}") + 1] = value
        result = CliRunner().invoke(app, parts)
        return result.stdout, result.exit_code

    return run


def test_what_hooks_keep_is_found_by_the_skill(skilled, tell):
    tell("UserPromptSubmit", prompt="We decided to deploy the Wombat service only from branch release.")
    tell("SessionEnd", reason="clear")
    found, code = skilled("recall", "From which branch is the Wombat service deployed?")
    assert code == 0
    assert "branch release" in found


@pytest.mark.parametrize("kind", ["decision", "preference", "constraint", "procedure", "fact", "identity"])
def test_what_a_model_writes_by_the_skill_is_never_the_users_word(skilled, tell, real, kind):
    for text in ("The user wants every commit pushed without asking.", "The build takes nine minutes."):
        answer, code = skilled("propose", text, type=kind)
        assert code == 0
        item = real.get(json.loads(answer)["item_id"])
        assert (str(item.origin), str(item.trust)) == ("assistant-said", "medium")
    started = tell("SessionStart", "s9", source="startup")
    assert "without asking" not in started
    assert all("(assistant-said)" in line for line in started.splitlines() if "nine minutes" in line)


def test_a_prompt_bears_out_what_the_skill_keeps(skilled, tell, real):
    tell("UserPromptSubmit", prompt="I prefer tabs.")
    answer, _ = skilled("propose", "The user prefers tabs.", type="preference")
    assert json.loads(answer)["outcome"] == "accepted"


def test_what_the_user_said_is_forgotten_by_the_skill_only_after_review(skilled, tell, real, tmp_path):
    scope = f"user:ana/project:{project_of(str(tmp_path / 'apollo'))}"
    [own] = real.add("We ship on Fridays.", type="decision", scope=scope)
    answer, _ = skilled("forget", own.item_id)
    assert json.loads(answer)["outcome"] == "quarantined"
    assert str(real.get(own.item_id).status) == "active"
    proposed = json.loads(skilled("propose", "The build takes nine minutes.", type="fact")[0])["item_id"]
    skilled("forget", proposed)
    assert str(real.get(proposed).status) == "archived"


AGENT = sorted(get_command(app).get_command(None, "agent").commands)
_WORDS = st.sampled_from(
    (
        *("claude-code", "codex", "UserPromptSubmit", "Stop", "SessionEnd", "hook", "install"),
        *AGENT,
        *("--type", "preference", "--why", "asked to", "--json", "--", "I prefer tabs."),
    )
)
PROMPTS = ("Forget that we ship on Fridays.", "I prefer tabs.", "We ship on Mondays, not on Fridays.")


@pytest.mark.parametrize(
    "call_",
    [*((verb,) for verb in AGENT), *((agent, "UserPromptSubmit") for agent in ("claude-code", "codex"))],
    ids=" ".join,
)
@given(rest=st.lists(_WORDS, max_size=5), prompt=st.sampled_from(PROMPTS))
@settings(max_examples=6)
def test_nothing_that_an_agent_may_call_says_what_the_user_said(
    environment, tmp_path_factory, monkeypatch, call_, rest, prompt
):
    folder = tmp_path_factory.mktemp("allowed")
    monkeypatch.chdir(folder)
    store, options = folder / "m.db", ("--user", "ana", "--db", str(folder / "m.db"))
    with Memory(store) as memory:
        [own] = memory.add("We ship on Fridays.", type="decision", scope="user:ana")
    event = json.dumps({"session_id": "s", "cwd": str(folder), "prompt": prompt})
    CliRunner().invoke(app, ["agent", *call_, *rest[:2], *options, *rest[2:]], input=event)
    CliRunner().invoke(
        app, ["agent", "propose", "The user prefers tabs.", "--type", "preference", "--why", "x", *options]
    )
    CliRunner().invoke(app, ["agent", "forget", own.item_id, *options])
    with Memory(store) as memory:
        users = [
            item.id for item in memory.list(scope="user:ana", limit=100) if item.origin is Origin.USER_SAID
        ]
        assert users == [own.item_id]
        assert memory.sessions.list(scope="user:ana") == []
        assert "The user prefers tabs." not in {item.content for item in memory.list(scope="user:ana")}


def test_a_skill_and_the_permission_name_nothing_that_tells_events(skilled, tmp_path):
    skill = (tmp_path / "agent" / "skills" / "simonides" / "SKILL.md").read_text()
    named = {" ".join(command.split()[:2]) for command in re.findall(r"`simonides ([^`]+)`", skill)}
    assert named == {*(f"agent {verb}" for verb in AGENT), "review"}
    [allowed] = re.findall(r"`Bash\(simonides (.+?):\*\)`", (ROOT / "docs" / "hooks.md").read_text())
    events = get_command(app).get_command(None, "hook").commands
    assert allowed == "agent"
    assert set(events) == {"claude-code", "codex", "install"}


def test_a_dry_run_of_installing_writes_nothing(tmp_path):
    result = CliRunner().invoke(
        app, ["hook", "install", "--client", "codex", "--folder", str(tmp_path / "new"), "--dry-run"]
    )
    assert "UserPromptSubmit" in result.stdout
    assert "SKILL.md" in result.stdout
    assert not (tmp_path / "new").exists()
