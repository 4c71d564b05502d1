"""`simonides chat`: a terminal chat with a memory, and the memory alone."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from simonides import Memory
from simonides.edges.cli.main import app
from simonides.testing_server import Call, Fault, Said, ScriptedServer

SHIPS = {"content": "Apollo ships on Fridays.", "type": "decision", "why_store": "plans"}
KEY = "sk-proj-" + "Ab3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3fG5hJ7k"


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store that does not exist yet; nothing waits for memory in vain on a busy machine."""
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("SIMONIDES_MIDDLEWARE_DEADLINE_MS", "60000")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "memory.db"


@pytest.fixture
def ollama(monkeypatch):
    """Start a server with a script, where Ollama is looked for."""
    servers = []

    def started(*script):
        server = ScriptedServer(list(script))
        servers.append(server)
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        return server

    yield started
    for server in servers:
        server.close()


def chat(*lines, options=(), model="ollama:m"):
    named = ["--model", model] if model else []
    return CliRunner().invoke(app, ["chat", *named, *options], input="\n".join(lines) + "\n")


def block(*proposals):
    return f"\n<MEMORY_PROPOSALS_JSON>{json.dumps(proposals)}</MEMORY_PROPOSALS_JSON>"


def test_what_was_recalled_and_stored_is_shown_beside_the_conversation(store, ollama):
    server = ollama("Noted, Fridays it is." + block(SHIPS), "On Fridays.")
    result = chat("We ship Apollo on Fridays.", options=["--session", "one"])
    assert result.exit_code == 0, result.output
    assert "Noted, Fridays it is." in result.output
    assert "stored  Apollo ships on Fridays." in result.output
    assert "MEMORY_PROPOSALS" not in result.output
    result = chat("When do we ship Apollo?", options=["--session", "two"])
    assert result.output.index("recalled  ") < result.output.index("On Fridays.\n")
    assert "recalled  Apollo ships on Fridays." in result.output
    assert SHIPS["content"] in server.chats[1].messages[-1]["content"]


def test_what_was_refused_or_waits_for_review_is_shown_with_the_reason(store, ollama):
    ollama("Well." + block(SHIPS | {"content": f"The key is {KEY}."}, {"content": "The party is in Oslo."}))
    result = chat("Remember these.")
    assert "refused  secret" in result.output
    assert "to review  The party is in Oslo. (no reason" in result.output
    assert KEY not in result.output


def test_proposals_that_cannot_be_read_are_reported(store, ollama):
    ollama("Well.<MEMORY_PROPOSALS_JSON>not json</MEMORY_PROPOSALS_JSON>")
    result = chat("Remember this.")
    assert "Well." in result.output
    assert "refused  the block of proposals: not JSON" in result.output


def test_what_the_model_asks_memory_is_shown(store, ollama):
    with Memory(store) as memory:
        memory.add(SHIPS["content"])
    server = ollama(Said("Let me look.", calls=(Call("memory_search", {"query": "Apollo"}),)), "On Fridays.")
    result = chat("Tell me about the plans.", options=["--mode", "tools-only"])
    assert "asked  memory.search Apollo" in result.output
    assert "Let me look.\n" in result.output
    assert "On Fridays.\n" in result.output
    assert SHIPS["content"] in server.chats[1].messages[-1]["content"]


def test_a_session_is_gone_on_with(store, ollama):
    server = ollama("Hello Ana.", "Ana.")
    chat("My name is Ana.", options=["--session", "monday"])
    chat("What is my name?", options=["--session", "monday"])
    assert [m["content"].rpartition("\n\n")[2] for m in server.chats[1].messages[1:]] == [
        "My name is Ana.",
        "Hello Ana.",
        "What is my name?",
    ]
    with Memory(store) as memory:
        assert len(memory.sessions.get("monday")) == 4


def test_an_answer_that_breaks_off_is_shown_as_far_as_it_came_and_not_recorded(store, ollama):
    ollama(Said("I was about to say something.", fault=Fault.CUT), "Yes.")
    result = chat("Hello there!", "Go on, please.", options=["--session", "one"])
    assert result.exit_code == 1
    assert "I was ab" in result.output
    assert "not the whole answer" in result.stderr
    with Memory(store) as memory:
        assert [turn.content for turn in memory.sessions.get("one")] == [
            "Hello there!",
            "Go on, please.",
            "Yes.",
        ]


def test_a_server_that_is_down_stops_no_talk_and_the_turn_is_kept(store, ollama):
    ollama("never").close()
    result = chat("Keep this in mind.", "/search mind", options=["--session", "one"])
    assert result.exit_code == 1
    assert "cannot be reached" in result.stderr
    with Memory(store) as memory:
        assert [turn.content for turn in memory.sessions.get("one")] == ["Keep this in mind."]


def test_a_question_that_was_not_answered_is_not_sent_along(store, ollama):
    server = ollama("Hello.", Said("", fault=Fault.CUT), "Bye.")
    result = chat("One.", "Where is the shed?", "Three.")
    assert result.exit_code == 1
    sent = [message["content"] for message in server.chats[-1].messages if message["role"] != "system"]
    assert sent == ["One.", "Hello.", "Three."]
    with Memory(store) as memory:
        assert "Where is the shed?" in [item.content for item in memory.timeline(types=["episode"])]


def test_of_a_session_that_is_gone_on_with_the_first_turn_sent_is_the_users(store, ollama):
    ollama(*["Yes."] * 20, Said("", fault=Fault.CUT))
    chat(*[f"Question {n} is long enough to count as one." for n in range(21)], options=["--session", "one"])
    server = ollama("Yes.")
    chat("And now?", options=["--session", "one"])
    roles = [message["role"] for message in server.chats[-1].messages if message["role"] != "system"]
    assert len(roles) > 20
    assert roles[0] == "user"


def test_what_is_extracted_at_the_end_is_shown(store, ollama):
    ollama("I see.")
    result = chat("I'm allergic to sesame.")
    assert result.output.index("I see.") < result.output.index("stored  I'm allergic to sesame.")


def test_with_json_commands_and_errors_are_lines_too(store, ollama):
    ollama("Hello.")
    result = chat("/help", "/nothing", options=["--json"])
    helped, wrong = [json.loads(line) for line in result.stdout.splitlines()]
    assert "/search WORDS" in helped
    assert wrong["said"] == "/nothing"
    assert "no command" in wrong["error"]


def test_with_json_each_turn_is_a_line(store, ollama):
    ollama("Noted." + block(SHIPS), "On Fridays.")
    result = chat("We ship on Fridays.", "/search Fridays", "/why", "When do we ship?", options=["--json"])
    first, searched, why, second = map(json.loads, result.stdout.splitlines())
    assert why == {"injection_id": None}
    assert first["text"] == "Noted."
    assert first["verdicts"][0]["outcome"] == "accepted"
    assert searched["hits"]
    assert second["text"] == "On Fridays."


def test_with_quiet_only_the_model_speaks(store, ollama):
    ollama("Noted." + block(SHIPS))
    assert chat("We ship on Fridays.", options=["--quiet"]).stdout == "Noted.\n"


def test_answers_cannot_steer_the_terminal(store, ollama):
    ollama("red \x1b[31malert\x07")
    assert "\x1b" not in chat("Hello!").output


def test_the_scope_holds_for_reading_and_writing(store, ollama):
    server = ollama("Noted." + block(SHIPS), "I do not know.")
    chat("We ship Apollo on Fridays.", options=["--user", "ana"])
    chat("When do we ship Apollo?", options=["--user", "bob"])
    assert SHIPS["content"] not in json.dumps(server.chats[1].json)


def test_an_unknown_mode_is_an_error_that_names_the_modes(store):
    result = chat("Hello!", options=["--mode", "loud"])
    assert result.exit_code == 2
    assert "tools-only" in result.stderr


def test_a_model_without_a_name_is_an_error(store):
    result = chat("Hello!", model="ollama")
    assert result.exit_code == 2
    assert "ollama:MODEL" in result.stderr


# Without a model


def test_without_a_model_a_question_is_looked_for_and_all_else_remembered(store):
    result = chat("The spare key is with Gwil.", "Who has the spare key?", model=None)
    assert result.exit_code == 0, result.output
    first, *rest = result.stdout.splitlines()
    assert first == "  stored  The spare key is with Gwil."
    assert any("The spare key is with Gwil." in line for line in rest)


def test_what_is_not_known_is_said(store):
    result = chat("The spare key is with Gwil.", "Which opera did Verdi write?", model=None)
    assert "Nothing that is remembered seems to answer this" in result.stdout


def test_commands_remember_forget_and_search(store):
    chat("/remember The spare key is with Gwil.", model=None)
    result = chat("/search spare key", "/forget The spare key is with Gwil.", "/search spare key", model=None)
    assert "forgotten  The spare key is with Gwil." in result.stdout
    with Memory(store) as memory:
        assert memory.list() == []


def test_what_may_mean_several_things_is_not_forgotten(store):
    result = chat(
        "The red key is with Gwil.", "The blue key is with Gwil.", "/forget key with Gwil", model=None
    )
    assert "nothing was changed" in result.stdout
    with Memory(store) as memory:
        assert len(memory.list()) == 2


def test_an_unknown_command_is_said_and_changes_nothing(store):
    result = chat("/sing", "/quit", "never read", model=None)
    assert "/sing is no command" in result.stderr
    assert "/search WORDS" in result.stderr
    with Memory(store) as memory:
        assert memory.list() == []


def test_help_lists_the_commands(store):
    result = chat("/help", "/why", model=None)
    for name in ("/search", "/remember", "/forget", "/why", "/quit"):
        assert name in result.stdout
    assert "Nothing was recalled" in result.stdout


def test_the_model_of_the_settings_is_asked(store, ollama, monkeypatch):
    server = ollama("Good morning.")
    file = store.parent.joinpath("settings.toml")
    file.write_text('model = "ollama:m"\n[buffer]\nextract = "off"\n')
    monkeypatch.setenv("SIMONIDES_CONFIG", str(file))
    assert chat("Hello!", model=None).stdout.endswith("Good morning.\n")
    assert server.chats[0].json["model"] == "m"
