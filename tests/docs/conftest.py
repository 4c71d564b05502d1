"""Reading and running what the documentation shows."""

import contextlib
import io
import os
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
_SHOWN = re.compile(r"# → (.*)$", re.MULTILINE)
_REDIRECTION = {"|", ">", "<"}


def read(name):
    return (ROOT / name).read_text("utf-8")


def fenced(name, language):
    """The blocks of a page in a language."""
    return [found["code"] for found in _FENCE.finditer(read(name)) if found["language"] == language]


def run(name):
    """Run a page's Python from top to bottom.

    Returns:
        The names it made, the lines that it printed, and those that it says it prints.
    """
    code = "\n".join(fenced(name, "python"))
    names, printed = {"__name__": "page"}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, name, "exec"), names)
    lines = [line.rstrip() for line in printed.getvalue().splitlines()]
    return names, lines, [line.rstrip() for line in _SHOWN.findall(code)]


def commands(name):
    """The arguments of each `simonides` in a page's console blocks, without pipes and redirections."""
    for line in "".join(fenced(name, "console")).splitlines():
        words = shlex.split(line.removeprefix("$ "))
        while "simonides" in words:
            words = words[words.index("simonides") + 1 :]
            end = next((n for n, word in enumerate(words) if word in _REDIRECTION), len(words))
            yield words[:end]
            words = words[end:]


@pytest.fixture(scope="session")
def docs():
    """Helpers that tests of the documentation share."""
    return SimpleNamespace(root=ROOT, read=read, fenced=fenced, run=run, commands=commands)


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder of one's own to work in, and no settings."""
    for name in [name for name in os.environ if name.startswith("SIMONIDES_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
