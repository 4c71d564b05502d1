"""Options that mean nothing without another, or beside another: refused, never ignored in silence."""

import re

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from simonides.edges.cli.main import COMMANDS, app


def partnered():
    """Each option whose help names the option that it goes with, as a whole command line without that one."""
    root = get_command(app)
    for name in COMMANDS:
        found = root.get_command(None, name)
        subs = getattr(found, "commands", {})
        for words, one in [([name], found), *(([name, sub], below) for sub, below in subs.items())]:
            needed = ["x" for parameter in one.params if "--" not in parameter.opts[0] and parameter.required]
            for parameter in one.params:
                if partner := re.match(r"With (--[\w-]+)", getattr(parameter, "help", None) or ""):
                    value = [] if getattr(parameter, "is_flag", False) else ["1"]
                    yield [*words, *needed, parameter.opts[0], *value], partner[1]


PARTNERED = list(partnered())


@pytest.fixture
def refusal(tmp_path, monkeypatch):
    """Runs a command that has to refuse what it is given; returns its words."""
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "memory.db"))

    def run(arguments):
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 2, result.output
        return result.stderr

    return run


def test_the_walk_finds_the_options_that_go_with_another():
    assert {words[0] for words, _ in PARTNERED} >= {"stats", "import", "mcp"}


@pytest.mark.parametrize(("arguments", "partner"), PARTNERED, ids=lambda one: "".join(one[:1]))
def test_an_option_without_the_one_that_it_goes_with_is_refused(arguments, partner, refusal):
    assert partner in refusal(arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["why", "an-id", "--limit", "3"], "leave them out with an ID"),
        (["why", "an-id", "--session", "monday"], "leave them out with an ID"),
        (["schedule", "--list", "--once"], "leave out --once"),
        (["mcp", "--user", "ana", "install", "--client", "cursor"], "options before `install`"),
        (["serve", "--upstream", "localhost:11434", "--port", "0"], "--upstream is 'localhost:11434'"),
    ],
    ids=lambda one: one[0] if isinstance(one, list) else "",
)
def test_what_would_be_ignored_is_refused_in_words_of_what_was_typed(arguments, words, refusal):
    assert words in refusal(arguments)
