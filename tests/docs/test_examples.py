"""Every example runs, and prints what it says."""

import sys
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from simonides import Memory
from simonides.config import load
from simonides.edges.cli.main import app

PAGES = [
    "README.md",
    "docs/guide.md",
    "docs/errors.md",
    "docs/extending/policy.md",
    "docs/extending/clock.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_print_what_they_say(page, docs, elsewhere):
    _, printed, promised = docs.run(page)
    assert printed == promised


def test_the_lines_of_the_readme_are_a_dozen(docs):
    [code] = docs.fenced("README.md", "python")
    assert len([line for line in code.splitlines() if line]) == 12


def test_the_commands_of_the_readme_run_one_after_the_other(docs, elsewhere, monkeypatch):
    [console] = docs.fenced("README.md", "console")
    setting, *rest = console.splitlines()
    name, _, value = setting.removeprefix("$ export ").partition("=")
    monkeypatch.setenv(name, value)
    given = list(docs.commands("README.md"))
    assert len(given) == len(rest)
    for arguments in given:
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, (arguments, result.output)
    assert (elsewhere / value).exists()


@pytest.mark.parametrize("page", ["README.md", "docs/cli.md"])
def test_every_command_line_shown_has_known_options(page, docs):
    for arguments in docs.commands(page):
        parse(arguments)


def parse(arguments):
    """Read a command line as the command would, without running it."""
    found, given = get_command(app), arguments
    context = found.make_context("simonides", list(given))
    while hasattr(found, "resolve_command"):
        name, found, given = found.resolve_command(context, [*context._protected_args, *context.args])
        context = found.make_context(name, list(given), parent=context)


@pytest.fixture
def acme(docs, elsewhere, monkeypatch):
    """The package of the page about embedders, installed as it says there."""
    (elsewhere / "acme_memory.py").write_text(docs.fenced("docs/extending/embedder.md", "python")[0], "utf-8")
    project = tomllib.loads(docs.fenced("docs/extending/embedder.md", "toml")[0])["project"]
    [(group, entries)] = project["entry-points"].items()
    metadata = elsewhere / "acme_memory-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-memory\nVersion: 1.0\n", "utf-8")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    monkeypatch.syspath_prepend(elsewhere)
    yield elsewhere
    sys.modules.pop("acme_memory", None)


def test_an_embedder_can_be_passed_as_an_object(docs, acme):
    _, printed, promised = docs.run("docs/extending/embedder.md")
    assert printed == promised


def test_an_embedder_of_a_package_can_be_named_in_the_settings(docs, acme):
    settings = acme / "simonides.toml"
    settings.write_text(docs.fenced("docs/extending/embedder.md", "toml")[1], "utf-8")
    with Memory("named.db", settings=load(settings)) as memory:
        memory.add("天文台在山上。")
        assert memory.stats()["vectors"] == {"trigrams": 1}
        assert memory.search("天文台").strategy == "text+vectors"


def test_the_tests_that_show_a_frozen_clock_pass(docs, elsewhere):
    names, _, _ = docs.run("docs/extending/clock.md")
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 2
    for number, test in enumerate(tests):
        (folder := elsewhere / str(number)).mkdir()
        test(folder)


def test_the_store_of_the_docs_meets_the_contract(docs, elsewhere):
    names, _, _ = docs.run("docs/extending/store.md")
    contract = names["TestCountingStore"]
    for name in [name for name in dir(contract) if name.startswith("test_")]:
        case = contract()
        case.setup_method()
        try:
            getattr(case, name)()
            assert case.store.writes >= 0
        finally:
            case.teardown_method()


def test_the_settings_file_of_the_docs_can_be_read(docs, elsewhere):
    page = Path("simonides.toml")
    page.write_text(
        "\n".join(line.strip() for line in docs.fenced("docs/settings.md", "toml")[0].splitlines()), "utf-8"
    )
    assert load().embedder.name == "ollama:nomic-embed-text"
