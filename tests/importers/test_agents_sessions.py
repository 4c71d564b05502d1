"""Sessions of coding agents: what was said in them, when, and what of it was given up or is the program's."""

import json

import pytest

from .test_importers import accepted

BEGUN = "2025-06-01T10:00:00.000Z"
FORMER = [
    {"record_type": "state"},
    {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "We moved the release to Friday."}],
    },
    {"type": "reasoning", "id": "r", "summary": []},
    {"type": "local_shell_call", "status": "completed"},
    {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
    {"type": "function_call_output", "call_id": "c", "output": "x"},
    {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "Noted for Friday."}],
    },
]


def rollout(folder, first, items, name="rollout-2024-05-02T08-30-00-0190bbb.jsonl"):
    (folder / name).write_text("\n".join(map(json.dumps, [first, *items])) + "\n")
    return folder / name


@pytest.mark.parametrize(
    ("first", "name", "at"),
    [
        (
            {"id": "0190bbb", "timestamp": BEGUN, "git": {}},
            "rollout-2024-05-02T08-30-00-x.jsonl",
            "2025-06-01 10:00",
        ),
        ({"id": "0190bbb", "timestamp": "soon"}, "rollout-2024-05-02T08-30-00-x.jsonl", "2024-05-02 08:30"),
        ({"id": "0190bbb"}, "rollout-2024-05-02T08-30-00-x.jsonl", "2024-05-02 08:30"),
        ({"id": "0190bbb"}, "rollout-x.jsonl", "2026-06-01 12:00"),
        ({"id": "0190bbb"}, "rollout-2024-15-02T08-30-00-x.jsonl", "2026-06-01 12:00"),
    ],
)
def test_messages_of_codex_without_times_were_said_when_their_session_began(
    first, name, at, memory, tmp_path
):
    report = memory.import_from("codex", rollout(tmp_path, first, FORMER, name))
    assert accepted(report) == {"turns": 2}
    assert report.left_out == {"a call or result of a tool, or a thought": 4}
    turns = memory.sessions.get("0190bbb")
    assert [turn.content for turn in turns] == ["We moved the release to Friday.", "Noted for Friday."]
    assert [f"{turn.times['event_at']:%Y-%m-%d %H:%M}" for turn in turns] == [at, at]


def test_a_message_of_codex_with_a_time_keeps_it(memory, tmp_path):
    first = {"type": "session_meta", "timestamp": BEGUN, "payload": {"id": "0190bbb", "timestamp": BEGUN}}
    lines = [
        {"timestamp": "2025-06-01T10:07:00Z", "type": "response_item", "payload": FORMER[1]},
        {"type": "response_item", "payload": FORMER[-1]},
        {"type": "turn_context", "payload": {}},
    ]
    report = memory.import_from("codex", rollout(tmp_path, first, lines))
    assert not report.left_out
    turns = memory.sessions.get("0190bbb")
    assert [f"{turn.times['event_at']:%H:%M}" for turn in turns] == ["10:07", "10:00"]


def session(folder, *lines):
    """A session of Claude Code of lines, each its id, that of its parent, who speaks, and what."""
    written = []
    for n, (name, parent, speaker, content, *more) in enumerate(lines):
        one = {"uuid": name, "parentUuid": parent, "sessionId": "s", "type": speaker, "isSidechain": False}
        one |= {"timestamp": f"2025-09-01T10:00:{n:02}Z", "message": {"role": speaker, "content": content}}
        written.append(one | (more[0] if more else {}))
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, written)) + "\n")
    return folder / "s.jsonl"


def said(memory):
    return [turn.content for turn in memory.sessions.get("s")]


GIVEN_UP = "a message of a branch that was given up"
OF_PROGRAM = "a message of the program itself"


def test_what_was_said_before_a_rewind_was_given_up(memory, tmp_path):
    path = session(
        tmp_path,
        ("1", None, "user", "We need a database."),
        ("2", "1", "assistant", "Which one?"),
        ("3", "2", "user", "We use MySQL."),
        ("4", "3", "assistant", "MySQL it is."),
        ("5", "4", "user", "And its version is 8."),
        ("6", "2", "user", "We use Postgres."),
        ("7", "6", "assistant", "Postgres it is."),
    )
    report = memory.import_from("claude-code", path)
    assert said(memory) == ["We need a database.", "Which one?", "We use Postgres.", "Postgres it is."]
    assert report.left_out == {GIVEN_UP: 3}


def test_what_forks_without_a_rewind_is_kept(memory, tmp_path):
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]
    path = session(
        tmp_path,
        ("1", None, "user", "Look at both files."),
        ("2", "1", "assistant", [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]),
        ("3", "2", "assistant", "I read the second one, too."),
        ("4", "2", "user", result),
        ("5", "4", "assistant", "Both are read."),
        ("6", None, "user", "Resumed: the mill is blue."),
        ("7", "elsewhere", "user", "From another file: the mill is old."),
        ("8", "7", "assistant", "So it is."),
    )
    report = memory.import_from("claude-code", path)
    assert len(said(memory)) == 6
    assert GIVEN_UP not in report.left_out


def test_lines_that_answer_each_other_in_a_ring_are_read(memory, tmp_path):
    path = session(tmp_path, ("1", "2", "user", "The mill is blue."), ("2", "1", "assistant", "So it is."))
    memory.import_from("claude-code", path)
    assert said(memory) == ["The mill is blue.", "So it is."]


SYNTHETIC = {
    "role": "assistant",
    "model": "<synthetic>",
    "content": [{"type": "text", "text": "API Error: 500"}],
}


@pytest.mark.parametrize("mark", [{"isApiErrorMessage": True}, {"message": SYNTHETIC}])
def test_an_error_that_the_program_tells_is_no_answer(mark, memory, tmp_path):
    path = session(
        tmp_path,
        ("1", None, "user", "We use Postgres."),
        ("2", "1", "assistant", "API Error: 500", mark),
        ("3", "2", "user", "Go on with Postgres."),
    )
    report = memory.import_from("claude-code", path)
    assert said(memory) == ["We use Postgres.", "Go on with Postgres."]
    assert report.left_out == {OF_PROGRAM: 1}


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        (
            """<command-message>review</command-message>\n<command-name>/review</command-name>
            <command-args>never touch the billing module</command-args>""",
            ["never touch the billing module"],
        ),
        (
            "<command-name>/x</command-name><command-args>one\nand two lines</command-args>",
            ["one\nand two lines"],
        ),
        ("<command-name>/clear</command-name><command-args></command-args>", []),
        ("<command-name>/clear</command-name><command-args> </command-args>", []),
        ("<command-name>/clear</command-name>", []),
        ("<local-command-stdout>never touch the billing module</local-command-stdout>", []),
        ("<bash-input>ls billing</bash-input>", []),
        *(
            (f"<{frame}>log: <command-args>never touch billing</command-args></{frame}>", [])
            for frame in ("bash-stdout", "bash-stderr", "local-command-stdout")
        ),
        ("<command-name>/x</command-name>" + "<command-args>" * 20_000, []),
    ],
)
def test_what_a_person_typed_behind_a_command_is_their_word(written, typed, memory, tmp_path):
    path = session(tmp_path, ("1", None, "user", "We use Postgres."), ("2", "1", "user", written))
    report = memory.import_from("claude-code", path)
    assert said(memory) == ["We use Postgres.", *typed]
    assert report.left_out == ({} if typed else {OF_PROGRAM: 1})


def test_the_program_s_own_commands_are_nobodys_word(memory, tmp_path):
    written = "<command-name>/x</command-name><command-args>never touch billing</command-args>"
    path = session(
        tmp_path, ("1", None, "user", "We use Postgres."), ("2", "1", "user", written, {"isMeta": True})
    )
    memory.import_from("claude-code", path)
    assert said(memory) == ["We use Postgres."]
