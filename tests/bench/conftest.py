import gzip
import json

import pytest


def a_world(number=0):
    """Two sessions of three turns; `red` occurs in one turn only, so every search can find it."""
    sessions = [
        {
            "id": f"s{s}",
            "date": "2026-01-01T00:00:00Z",
            "turns": [
                {
                    "id": f"s{s}:{t}",
                    "role": "user",
                    "name": "Ana",
                    "text": f"{colour} lanterns hang over bridge number {number}{s}{t}",
                    "at": f"2026-01-0{s + 1}T00:0{t}:00Z",
                }
                for t, colour in enumerate(colours)
            ],
        }
        for s, colours in enumerate((("green", "blue", "yellow"), ("red", "grey", "white")))
    ]
    questions = [
        {
            "id": "q1",
            "text": "Where do the red lanterns hang?",
            "at": "2026-02-01T00:00:00Z",
            "category": "1",
            "evidence_turns": ["s1:0"],
            "evidence_sessions": ["s1"],
            "answer": "over the bridge",
            "abstain": False,
        },
        {
            "id": "q2",
            "text": "Who sells violet lanterns?",
            "at": None,
            "category": "5",
            "evidence_turns": ["s0:1"],
            "evidence_sessions": ["s0"],
            "answer": "never said",
            "abstain": True,
        },
        {
            "id": "q3",
            "text": "Who is the mayor?",
            "at": None,
            "category": "5",
            "evidence_turns": [],
            "evidence_sessions": [],
            "answer": "never said",
            "abstain": True,
        },
    ]
    return {"id": f"world-{number}", "sessions": sessions, "questions": questions}


@pytest.fixture
def data(tmp_path):
    """A folder with two worlds as `locomo`."""
    lines = "\n".join(json.dumps(a_world(number), ensure_ascii=False) for number in range(2)) + "\n"
    (tmp_path / "locomo_dev.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path
