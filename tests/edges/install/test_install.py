"""Lines in the configuration of clients: put where they belong, and every other byte stays."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from simonides.edges.cli.main import app
from simonides.edges.install import jsonc, toml
from simonides.edges.install.clients import CLIENTS
from simonides.errors import InvalidInput

EDITORS = """\
// Settings of an editor
{
  "theme": "One", // the old one
  /* servers */
  "context_servers": {
    "other": { "command": "x", "args": ["a, b", "}"], },
  },
  "last": 1.50
}
"""
NAMES = st.text(min_size=1, max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)


def run(*arguments):
    return CliRunner().invoke(app, ["mcp", "install", *arguments])


def with_value(document, path, value):
    name, *rest = path
    return {**document, name: with_value(document.get(name, {}), rest, value) if rest else value}


@given(
    st.dictionaries(NAMES, VALUES, max_size=4),
    st.lists(NAMES, min_size=1, max_size=3),
    VALUES,
    st.sampled_from([None, 2, 4, "\t"]),
)
def test_a_value_is_put_where_it_belongs_and_nothing_else_changes(document, path, value, indent):
    inner = document
    for name in path[:-1]:
        inner = inner.get(name, {})
        if not isinstance(inner, dict):
            return
    text = json.dumps(document, indent=indent)
    changed = jsonc.put(text, path, value)
    assert jsonc.loads(changed) == json.loads(changed) == with_value(document, path, value)
    assert jsonc.put(changed, path, value) == changed


def test_comments_commas_and_the_writing_of_numbers_stay():
    changed = jsonc.put(EDITORS, ("context_servers", "simonides"), {"command": "simonides"})
    start = EDITORS.index('"context_servers": {') + len('"context_servers": {')
    assert changed.startswith(EDITORS[:start])
    assert changed.endswith(EDITORS[start:])
    assert jsonc.loads(changed)["context_servers"]["simonides"] == {"command": "simonides"}


@pytest.mark.parametrize(
    "text", ["{", '{"a" 1}', "[1, 2", '{"a": nope}', "[]", '{"a": 1} x', '{"mcpServers": 5}']
)
def test_what_is_no_json_is_not_changed(text, tmp_path):
    path = tmp_path / "mcp.json"
    path.write_text(text)
    result = run("--client", "cursor", "--file", str(path))
    assert result.exit_code == 2
    assert "simonides" in result.stderr
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_table_of_toml_is_put_beside_what_is_there_and_replaced_the_next_time():
    text = '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "y"\n\n[tui]\nbell = true\n'
    once = toml.put(text, ("mcp_servers", "simonides"), {"command": "a", "args": ['"q"', "ü"]})
    assert once.startswith(text)
    assert tomllib.loads(once)["mcp_servers"]["simonides"] == {"command": "a", "args": ['"q"', "ü"]}
    twice = toml.put(once + "\n[later]\nx = 1\n", ("mcp_servers", "simonides"), {"command": "b", "args": []})
    assert tomllib.loads(twice)["mcp_servers"]["simonides"] == {"command": "b", "args": []}
    assert tomllib.loads(twice)["later"] == {"x": 1}
    assert twice.startswith(text)


def test_toml_in_another_form_is_left_alone():
    with pytest.raises(InvalidInput, match="cannot be changed"):
        toml.put(
            '[mcp_servers.simonides]\ncommand = "a"\n[mcp_servers.simonides.env]\nX = "1"\n',
            ("mcp_servers", "simonides"),
            {"command": "b"},
        )
    with pytest.raises(InvalidInput):
        toml.put(
            'mcp_servers = {simonides = {command = "a"}}\n', ("mcp_servers", "simonides"), {"command": "b"}
        )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_gets_the_server_and_keeps_the_rest(client, encoding, tmp_path):
    path = tmp_path / "config"
    form = tomllib.loads if client == "codex" else json.loads
    path.write_text(
        'kept = "as it is"\n' if client == "codex" else '{\n  "kept": "as it is"\n}\n', encoding=encoding
    )
    before = path.read_bytes()
    path.chmod(0o600)
    result = run("--client", client, "--file", str(path), "--user", "ana", "--profile", "full")
    assert result.exit_code == 0, result.output
    found = form(path.read_text(encoding))
    assert found["kept"] == "as it is"
    assert path.read_bytes()[:3] == before[:3] or encoding == "utf-8"
    entry = found[CLIENTS[client].table[0]]["simonides"]
    assert entry["args"][-4:] == ["--scope", "user:ana", "--profile", "full"]
    [backup] = [other for other in tmp_path.iterdir() if other != path]
    assert backup.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o600
    again = run("--client", client, "--file", str(path), "--user", "ana", "--profile", "full", "--json")
    assert [one["changed"] for one in json.loads(again.stdout)] == [False]


def test_a_dry_run_shows_the_lines_and_writes_nothing(tmp_path):
    path = tmp_path / "new" / "mcp.json"
    result = run("--client", "cursor", "--file", str(path), "--user", "ana", "--dry-run")
    assert '"mcpServers"' in result.stdout
    assert not path.parent.exists()


def test_an_unknown_client_is_an_error_that_names_the_known_ones():
    result = run("--client", "emacs")
    assert result.exit_code == 2
    assert "claude-desktop" in result.stderr


def mcp_entry(tmp_path, *options):
    path = tmp_path / "mcp.json"
    result = CliRunner().invoke(app, [*options, "mcp", "install", "--client", "cursor", "--file", str(path)])
    assert result.exit_code == 0, result.output
    return json.loads(path.read_text())["mcpServers"]["simonides"]["args"], result.stderr


def hook_entry(tmp_path, *options):
    folder = tmp_path / "agent"
    result = CliRunner().invoke(
        app, [*options, "hook", "install", "--client", "codex", "--folder", str(folder)]
    )
    assert result.exit_code == 0, result.output
    [group] = json.loads((folder / "hooks.json").read_text())["hooks"]["SessionStart"]
    return shlex.split(group["hooks"][0]["command"]), result.stderr


INSTALLERS = pytest.mark.parametrize("installed", [mcp_entry, hook_entry])


def named_by(origin, named, tmp_path, monkeypatch):
    """Options, environment and settings that name a store in one way."""
    for name in ("SIMONIDES_DB", "SIMONIDES_STORE_PATH", "SIMONIDES_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    if origin == "variable":
        monkeypatch.setenv("SIMONIDES_DB", named)
    elif origin == "setting":
        settings = tmp_path / "mine.toml"
        settings.write_text(f"[store]\npath = {json.dumps(named)}\n")
        monkeypatch.setenv("SIMONIDES_CONFIG", str(settings))
    return ["--db", named] if origin == "option" else []


@INSTALLERS
@pytest.mark.parametrize("origin", ["option", "variable", "setting", "default"])
@pytest.mark.parametrize("named", ["memory.db", "../beside.db", "~/home.db", "sqlite:///url.db"])
def test_what_is_installed_names_the_store_that_is_meant_here(
    installed, origin, named, tmp_path, monkeypatch
):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    options = named_by(origin, named, tmp_path, monkeypatch)
    words, told = installed(tmp_path, *options)
    where = Path(words[words.index("--db") + 1])
    assert where.is_absolute()
    assert str(where) in told.splitlines()[-1]
    missing = CliRunner().invoke(app, [*options, "stats"])
    assert os.path.realpath(where) in {
        os.path.realpath(word.rstrip(";")) for word in missing.stderr.split() if word.endswith(".db;")
    }


@INSTALLERS
@pytest.mark.parametrize("origin", ["variable", "setting"])
def test_a_password_is_not_copied_into_another_programs_file(installed, origin, tmp_path, monkeypatch):
    options = named_by(origin, "postgresql://ana:hushhush@db.example/memory", tmp_path, monkeypatch)
    words, told = installed(tmp_path, *options)
    assert "--db" not in words
    assert "hushhush" not in told
    assert "postgresql://db.example/memory" in told.splitlines()[-1]


def test_a_server_that_cannot_start_is_not_installed(tmp_path):
    path = tmp_path / "mcp.json"
    code = dedent(f"""
        import sys
        from importlib.machinery import PathFinder
        from simonides.edges.cli.main import main

        class Plain(PathFinder):
            @classmethod
            def find_spec(cls, name, path=None, target=None):
                return None if name in ("mcp", "mcp_types") else PathFinder.find_spec(name, path, target)

        sys.meta_path[sys.meta_path.index(PathFinder)] = Plain
        sys.argv = ["simonides", "mcp", "install", "--client", "cursor", "--file", {str(path)!r}]
        main()
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 6
    assert "pip install 'simonides[mcp]'" in done.stderr
    assert not path.exists()


def test_a_profile_that_there_is_not_is_not_installed(tmp_path):
    path = tmp_path / "mcp.json"
    assert run("--client", "cursor", "--file", str(path), "--profile", "ful").exit_code == 2
    assert not path.exists()
