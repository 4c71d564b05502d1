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
