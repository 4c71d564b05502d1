"""Help texts, word for word. `REGENERATE_GOLDEN=1` writes them anew."""

import os
import re
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from simonides.edges.cli.main import COMMANDS, app

GOLDEN = Path(__file__).parent / "golden" / "cli_help.txt"


def commands():
    """Every command and subcommand, as it is typed."""
    root = get_command(app)
    for name in COMMANDS:
        found = root.get_command(None, name)
        yield (name,)
        for sub in getattr(found, "commands", ()):
            yield (name, sub)


def help_of(*command):
    result = CliRunner().invoke(app, [*command, "--help"])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_help_of_every_command_is_the_golden_one():
    text = "\n".join(
        f"$ simonides {' '.join([*command, '--help'])}\n\n{help_of(*command)}"
        for command in [(), *commands()]
    )
    if os.environ.get("REGENERATE_GOLDEN"):
        GOLDEN.write_text(text, "utf-8")
    assert text == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("command", [(), *commands()], ids=" ".join)
def test_a_help_text_fits_80_columns_and_cuts_nothing(command):
    text = help_of(*command)
    assert max(map(len, text.splitlines())) <= 80
    assert "..." not in text.replace("[ARGS]...", "").replace("{ID}...", "").replace("{PATH}...", "").replace(
        "[JOB]...", ""
    ).replace("[ID]...", "")


@pytest.mark.parametrize("command", [(), *commands()], ids=" ".join)
def test_a_help_text_follows_a_narrow_terminal_but_for_lines_to_be_copied(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    text = re.split(r"\n  ?(?:Example|Exit codes):", help_of(*command))[0]
    assert max(map(len, text.splitlines())) <= 40


def test_the_list_of_commands_cuts_nothing_in_a_narrow_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert "..." not in help_of().replace("[ARGS]...", "")


@pytest.mark.parametrize("command", [(), *commands()], ids=" ".join)
def test_a_help_text_has_words_and_no_notation_of_programs(command):
    assert not re.findall(r"<\w[\w ]*>|\bx\b[<>]=|<=x|\[default: \(", help_of(*command))


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_a_command_gives_an_example_of_itself(command):
    groups = {
        "sessions",
        "documents",
        "entities",
        "palace",
        "review",
        "policy",
        "audit",
        "tools",
        "runs",
        "hook",
        "agent",
        "keys",
        "records",
    }
    if command[0] in groups and len(command) == 1:
        pytest.skip("a group: its commands have the examples")
    assert f"simonides {' '.join(command)}" in help_of(*command).partition("Example:")[2]


def test_without_arguments_the_help_is_shown():
    result = CliRunner().invoke(app, [])
    assert result.exit_code == 0
    assert result.stdout == help_of()


def test_a_group_without_a_command_shows_its_help():
    assert CliRunner().invoke(app, ["palace"]).stdout == help_of("palace")
