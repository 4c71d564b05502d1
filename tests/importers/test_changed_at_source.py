"""Messages that were changed at their source: they are left out, and the report says so."""

import json

import pytest

from simonides import ALL

CHANGED = "other words are here under its id"
KINDS = ["chatgpt", "claude", "letta", "jsonl", "codex", "claude-code"]


def written(kind, folder, *texts):
    """A source with a conversation of these messages, each with the id of its place."""
    path = folder / {"codex": "rollout-1.jsonl", "letta": "a.af"}.get(kind, "source.json")
    at = "2025-01-01T00:00:00Z"
    match kind:
        case "chatgpt":
            nodes = {
                str(n): {
                    "parent": str(n - 1) if n else None,
                    "message": {"id": f"m{n}", "author": {"role": "user"}, "create_time": 1.7e9 + n,
                                "content": {"content_type": "text", "parts": [text]}},
                }
                for n, text in enumerate(texts)
            }  # fmt: skip
            value = [{"id": "c", "mapping": nodes, "current_node": str(len(texts) - 1)}]
        case "claude":
            said = [
                {"uuid": f"m{n}", "sender": "human", "text": text, "created_at": at}
                for n, text in enumerate(texts)
            ]
            value = [{"uuid": "c", "chat_messages": said}]
        case "letta":
            said = [
                {"id": f"m{n}", "role": "user", "content": text, "created_at": at}
                for n, text in enumerate(texts)
            ]
            value = {"agents": [{"name": "sam", "messages": said}], "blocks": []}
        case "jsonl":
            value = [
                {"id": f"m{n}", "role": "user", "content": text, "session_id": "c"}
                for n, text in enumerate(texts)
            ]
        case "codex":
            lines = [
                {"type": "response_item", "timestamp": at, "payload": {
                    "type": "message", "id": f"m{n}", "role": "user", "content": [{"text": text}]}}
                for n, text in enumerate(texts)
            ]  # fmt: skip
            value = [{"type": "session_meta", "payload": {"id": "c"}}, *lines]
        case _:
            value = [
                {
                    "type": "user",
                    "uuid": f"m{n}",
                    "sessionId": "c",
                    "timestamp": at,
                    "message": {"content": text},
                }
                for n, text in enumerate(texts)
            ]
    lines = kind in {"codex", "claude-code"}
    path.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value))
    return path


def outcome(memory, kind, path):
    """Counts of the turns of an import, and of those that were changed at the source; a dry run foretells both."""
    told, done = (memory.import_from(kind, path, user_id="ana", dry_run=dry_run) for dry_run in (True, False))
    assert (told.counts, told.left_out, told.refused) == (done.counts, done.left_out, done.refused)
    changed = sum(number for reason, number in done.left_out.items() if reason.startswith(CHANGED))
    assert changed == done.left_out.total()
    return dict(done.counts.get("turns", {})), changed


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_that_was_changed_at_the_source_is_told_and_left_as_it_is(kind, memory, tmp_path):
    before, after = (
        ("The mill is blue.", "The cat is called Tom."),
        ("The mill is red.", "The cat is called Tom."),
    )
    assert outcome(memory, kind, written(kind, tmp_path, *before)) == ({"accepted": 2}, 0)
    assert outcome(memory, kind, written(kind, tmp_path, *before)) == ({"merged": 2}, 0)
    path = written(kind, tmp_path, *after, "The owl is called Una.")
    assert outcome(memory, kind, path) == ({"merged": 1, "accepted": 1}, 1)
    assert {item.content for item in memory.list(scope=ALL)} == {*before, "The owl is called Una."}


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_whose_secret_was_replaced_is_as_it_was(kind, memory, tmp_path):
    path = written(kind, tmp_path, "My password is hunter2hunter2, and the mill is blue.")
    assert outcome(memory, kind, path) == ({"accepted": 1}, 0)
    assert outcome(memory, kind, path) == ({"merged": 1}, 0)


@pytest.mark.parametrize("kind", ["chatgpt", "jsonl"])
def test_a_message_that_was_changed_here_is_as_it_was_there(kind, memory, tmp_path):
    path = written(kind, tmp_path, "The mill is blue.", "The cat is called Tom.")
    outcome(memory, kind, path)
    mill, cat = sorted(memory.list(user_id="ana"), key=lambda item: item.content, reverse=True)
    memory.forget(cat.id)
    assert outcome(memory, kind, path) == ({"merged": 2}, 0)
    memory.purge(mill.id)
    assert outcome(memory, kind, path) == ({"accepted": 1, "merged": 1}, 0)


def test_of_two_messages_with_one_id_the_second_is_told(memory, tmp_path):
    rows = [
        {"id": "m", "role": "user", "content": text, "session_id": "c"}
        for text in ("The mill is blue.", "The mill is red.", "The mill is blue.")
    ]
    (tmp_path / "source.json").write_text(json.dumps(rows))
    assert outcome(memory, "jsonl", tmp_path / "source.json") == ({"accepted": 1, "merged": 1}, 1)
