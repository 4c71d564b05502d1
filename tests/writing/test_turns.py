"""Turns of `turns/`, a file a language: what is found in them, of what they state, and how much of it is right."""

from pathlib import Path

import pytest

from benchmarks.extract import Guess, Label, judged
from simonides.domain.scope import GLOBAL
from simonides.writing.extract import statements
from simonides.writing.intake import message

FILES = sorted(Path(__file__).with_name("turns").glob("*.txt"))
AT = 1_767_225_600_000_000


def labelled(file):
    """Each turn with the (type, words) that it states."""
    for line in file.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            turn, _, stated = line.partition(" =>")
            yield turn, [tuple(one.strip().split(": ", 1)) for one in stated.split("|") if one.strip()]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_statements_of_ordinary_turns_are_found_and_little_else_is(file):
    turns = list(labelled(file))
    labels = [Label(turn, *one) for turn, stated in turns for one in stated]
    guesses = [
        Guess(turn, one.type, one.content)
        for turn, _ in turns
        for one in statements([message({"role": "user", "content": turn}).episode(GLOBAL, "s", AT)])
    ]
    right, found, typed = judged(labels, guesses)
    wrong = [guess for guess, hit in zip(guesses, right, strict=True) if not hit]
    missed = [label for label, hit in zip(labels, found, strict=True) if not hit]
    mistyped = [label for label, hit, kind in zip(labels, found, typed, strict=True) if hit and not kind]
    figures = f"precision {sum(right) / len(guesses):.3f}, recall {sum(found) / len(labels):.3f}"
    assert len(turns) >= 80
    assert len(wrong) <= 0.05 * len(guesses), (figures, wrong)
    assert len(missed) <= 0.1 * len(labels), (figures, missed)
    assert len(mistyped) <= 0.1 * len(labels), (figures, mistyped)
