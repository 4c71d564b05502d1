"""Requests to forget: no prompt tells what they name, whether anything was kept of it or not."""

from __future__ import annotations

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

SCOPE = "user:ana"


def prompt_after(said: str, then: str, question: str) -> str:
    clock = FrozenClock("2026-01-05T18:00:00Z")
    with Memory(":memory:", clock=clock) as memory:
        for number, text in enumerate((said, then)):
            chat = [{"role": "user", "content": text}, {"role": "assistant", "content": "I see."}]
            memory.add(chat, session_id=f"s{number}", scope=SCOPE)
            clock.advance(hours=12)
            memory.maintain()
            clock.advance(days=2)
        return memory.context(question, scope=SCOPE, mode="inject", min_relevance=0).text


@pytest.mark.parametrize(
    ("said", "then", "word"),
    [
        (
            "I've been seeing a therapist called Dr Lowe.",
            "Please forget that I'm seeing a therapist.",
            "therapist",
        ),
        ("I earn 52,000 pounds a year.", "Forget what I said about my salary.", "52,000"),
        ("Ich verdiene 3.900 Euro brutto.", "Vergiss bitte, was ich über mein Gehalt gesagt habe.", "3.900"),
        ("My son was arrested last year.", "Forget that my son was arrested.", "arrested"),
    ],
)
def test_a_turn_that_is_to_be_forgotten_is_told_by_no_prompt(said: str, then: str, word: str) -> None:
    assert word not in prompt_after(said, then, said)


@pytest.mark.parametrize(
    ("said", "then", "word"),
    [
        ("I earn 52,000 pounds a year.", "Forget what I said about my dog.", "52,000"),
        ("I'm seeing a dentist on Friday.", "Please forget that I'm seeing a therapist.", "dentist"),
        ("I earn 52,000 pounds a year.", "I have forgotten what my salary was.", "52,000"),
    ],
)
def test_nothing_else_is_kept_from_prompts(said: str, then: str, word: str) -> None:
    assert word in prompt_after(said, then, said)
