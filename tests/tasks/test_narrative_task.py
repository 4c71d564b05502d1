"""The task `narrative`."""

import pytest

from simonides.errors import InvalidAnswer
from simonides.tasks.extract import Utterance
from simonides.tasks.narrative import tell
from simonides.testing import ScriptedModel

TURNS = [Utterance(1, "Ana", "2026-03-01T12:00:00Z", "We ship release 4.2 on Friday.")]


def told(text):
    return tell(ScriptedModel({"narrative": {"narrative": text}}), TURNS)


def test_a_session_is_told_on_one_line():
    assert told("Ana said that\nrelease 4.2 ships on Friday.") == "Ana said that release 4.2 ships on Friday."


@pytest.mark.parametrize("text", ["", " \n ", "Ana ships. " * 99])
def test_what_is_blank_or_long_is_no_telling(text):
    with pytest.raises(InvalidAnswer, match="narrative is"):
        told(text)


@pytest.mark.parametrize("text", ["Ana ships release 4.3.", "Ana and Boris ship on Friday."])
def test_what_nobody_said_is_no_telling(text):
    with pytest.raises(InvalidAnswer, match="what nobody said"):
        told(text)
