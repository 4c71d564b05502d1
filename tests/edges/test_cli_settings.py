"""simonides settings: each value with its origin, and no key."""

import json

import pytest
from typer.testing import CliRunner

from simonides.edges.cli.main import app


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "settings.toml"
    path.write_text(
        "[recall]\nmin_relevance = 0.25\n[proxy]\nupstream = 'http://ana:sesame@host:1'\n"
        "[model]\nprovider = 'openai'\napi_key = 'sk-sesame'\n",
        "utf-8",
    )
    monkeypatch.setenv("SIMONIDES_CONFIG", str(path))
    monkeypatch.setenv("SIMONIDES_BUFFER_SILENCE_S", "5")
    return path


def shown(*arguments):
    result = CliRunner().invoke(app, ["settings", *arguments])
    assert result.exit_code == 0, result.output
    return result


def test_each_value_is_shown_with_the_place_that_it_comes_from(file):
    told = json.loads(shown("--json").stdout)["settings"]
    assert told["recall.min_relevance"] == {"value": 0.25, "from": str(file)}
    assert told["buffer.silence_s"] == {"value": 5.0, "from": "SIMONIDES_BUFFER_SILENCE_S"}
    assert told["store.synchronous"] == {"value": "FULL", "from": None}
    assert set(json.loads(shown("--set", "--json").stdout)["settings"]) == {
        "recall.min_relevance", "buffer.silence_s", "proxy.upstream", "model.provider", "model.api_key",
    }  # fmt: skip


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--set",)], ids=repr)
def test_no_key_and_no_password_is_shown(file, arguments):
    assert "sesame" not in shown(*arguments).output


def test_a_file_of_the_working_directory_that_is_not_read_is_named(file, tmp_path):
    (tmp_path / "simonides.toml").write_text("[recall]\nmin_relevance = 1\n", "utf-8")
    assert f"{tmp_path / 'simonides.toml'} is not read" in shown().output
    assert json.loads(shown("--json").stdout)["unread"] == str(tmp_path / "simonides.toml")
