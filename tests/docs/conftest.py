"""Running what the documentation shows."""

import contextlib
import io
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL
)
_SHOWN = re.compile(r"# → (.*)$", re.MULTILINE)


def fenced(path, language):
    """The blocks of a page in a language."""
    return [
        found["code"] for found in _FENCE.finditer(path.read_text("utf-8")) if found["language"] == language
    ]


def ran(path):
    """Run a page's Python from top to bottom; what it holds afterwards, what it printed and what it says it prints."""
    code = "\n".join(fenced(path, "python"))
    names, printed = {"__name__": path.stem}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, str(path), "exec"), names)
    return names, [line.rstrip() for line in printed.getvalue().splitlines()], [
        line.rstrip() for line in _SHOWN.findall(code)
    ]  # fmt: skip


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """A folder of one's own to work in, and no settings."""
    for name in [name for name in os.environ if name.startswith("SIMONIDES_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return tmp_path
