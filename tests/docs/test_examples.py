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
from simonides.models.registry import model_from, reranker_from

PAGES = [
    "README.md",
    "docs/guide.md",
    "docs/context.md",
    "docs/errors.md",
    "docs/extending/policy.md",
    "docs/extending/clock.md",
    "docs/extending/scorer.md",
    "docs/extending/validator.md",
    "docs/questions.md",
    "docs/entities.md",
    "docs/records.md",
    "docs/documents.md",
    "docs/proxy.md",
    "docs/upkeep.md",
    "docs/schedule.md",
    "docs/consolidation.md",
    "docs/compression.md",
    "docs/extending/consolidator.md",
    "docs/middleware.md",
    "docs/coming-from.md",
    "docs/agenda.md",
    "docs/extraction.md",
    "docs/forgetting.md",
    "docs/importing.md",
    "docs/profiles.md",
    "docs/security.md",
    "docs/tools.md",
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


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/chat.md",
        "docs/cli.md",
        "docs/hooks.md",
        "docs/documents.md",
        "docs/importing.md",
        "docs/mcp.md",
        "docs/proxy.md",
    ],
)
def test_every_command_line_shown_has_known_options(page, docs):
    for arguments in docs.commands(page):
        parse(arguments)


def parse(arguments):
    """Read a command line as the command would, without running it."""
    found, given = get_command(app), arguments
    context = found.make_context("simonides", list(given))
    while hasattr(found, "resolve_command") and (context._protected_args or context.args):
        name, found, given = found.resolve_command(context, [*context._protected_args, *context.args])
        context = found.make_context(name, list(given), parent=context)


@pytest.fixture
def acme(docs, elsewhere, monkeypatch):
    """The package of a page, installed as it says there; gives the settings that name it."""
    modules = []

    def installed(page):
        tables = [tomllib.loads(block) for block in docs.fenced(page, "toml")]
        [project] = [table["project"] for table in tables if "project" in table]
        [(group, entries)] = project["entry-points"].items()
        module = next(iter(entries.values())).partition(":")[0]
        modules.append(module)
        (elsewhere / f"{module}.py").write_text(docs.fenced(page, "python")[0], "utf-8")
        metadata = elsewhere / f"{module}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n", "utf-8")
        lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
        (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")
        monkeypatch.syspath_prepend(elsewhere)
        settings = elsewhere / "simonides.toml"
        settings.write_text(docs.fenced(page, "toml")[-1], "utf-8")
        return settings

    yield installed
    for module in modules:
        sys.modules.pop(module, None)


@pytest.mark.parametrize("page", ["embedder", "reranker", "model", "job", "store", "importer"])
def test_what_a_page_makes_can_be_used_as_it_says(page, docs, acme):
    acme(f"docs/extending/{page}.md").unlink()
    _, printed, promised = docs.run(f"docs/extending/{page}.md")
    assert printed == promised


def test_an_embedder_of_a_package_can_be_named_in_the_settings(acme):
    settings = acme("docs/extending/embedder.md")
    with Memory("named.db", settings=load(settings)) as memory:
        memory.add("天文台在山上。")
        assert memory.stats()["vectors"] == {"trigrams": 1}
        assert memory.search("天文台").strategy == "text+vectors"


def test_a_reranker_of_a_package_can_be_named_in_the_settings(acme):
    settings = load(acme("docs/extending/reranker.md"))
    assert reranker_from(settings.rerank).name == "rare-words"


def test_a_model_of_a_package_can_be_named_in_the_settings(acme):
    settings = load(acme("docs/extending/model.md"))
    assert model_from(settings.model).name == "thesaurus"


@pytest.mark.parametrize(
    ("page", "name"),
    [("reranker", "TestRareWords"), ("model", "TestThesaurus"), ("store", "TestCountingStore")],
)
def test_what_a_page_makes_meets_its_contract(page, name, docs, acme):
    acme(f"docs/extending/{page}.md")
    names, _, _ = docs.run(f"docs/extending/{page}.md")
    contract = names[name]
    tests = [test for test in dir(contract) if test.startswith("test_")]
    assert tests
    for test in tests:
        case = contract()
        getattr(case, "setup_method", lambda: None)()
        try:
            getattr(case, test)()
        finally:
            getattr(case, "teardown_method", lambda: None)()


def test_the_tests_that_show_a_frozen_clock_pass(docs, elsewhere):
    names, _, _ = docs.run("docs/extending/clock.md")
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 2
    for number, test in enumerate(tests):
        (folder := elsewhere / str(number)).mkdir()
        test(folder)


def test_the_settings_file_of_the_docs_can_be_read(docs, elsewhere):
    page = Path("simonides.toml")
    page.write_text(
        "\n".join(line.strip() for line in docs.fenced("docs/settings.md", "toml")[0].splitlines()), "utf-8"
    )
    assert load(page).embedder.name == "ollama:nomic-embed-text"
    page.write_text(docs.fenced("docs/settings.md", "toml")[-1], "utf-8")
    assert (load(page).model.name, load(page).rerank.name) == ("ollama:qwen3:8b", "tei")
