"""Completeness of the docs: all that exists is in them, and nothing else."""

import inspect
import re
import tomllib
from dataclasses import asdict
from enum import Enum

import pytest
from typer.main import get_command

import simonides
from simonides import errors
from simonides.agent.tools.table import TABLE
from simonides.domain.taxonomy import Kind, Tier
from simonides.edges.cli import exits
from simonides.edges.cli.main import COMMANDS, app
from simonides.recall.ranking.first_look import Weights


def command_lines():
    root = get_command(app)
    for name in COMMANDS:
        subcommands = getattr(root.get_command(None, name), "commands", None)
        yield from [name] if subcommands is None else [f"{name} {sub}" for sub in subcommands]


def every_error():
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]


@pytest.mark.parametrize("command", list(command_lines()))
def test_every_command_has_an_example(command, docs):
    shown = [" ".join(arguments) for arguments in docs.commands("docs/cli.md")]
    assert any(line == command or line.startswith(f"{command} ") for line in shown)


def test_every_exit_code_is_there_with_its_meaning(docs):
    rows = dict(re.findall(r"^\| (\d+) \| (.*) \|$", docs.read("docs/cli.md"), re.MULTILINE))
    assert {int(code): meaning for code, meaning in rows.items()} == exits.MEANINGS


@pytest.mark.parametrize("tool", [tool.name for tool in TABLE])
def test_every_tool_has_its_row(tool, docs):
    assert f"| `{tool}`" in docs.read("docs/tools.md")


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.__name__)
def test_every_error_is_there_with_its_code_and_exit_code(error, docs):
    rows = re.findall(
        r"^\| (?:[├└] )?`(\w+)` \| `(\w+)` \| (\d+) \|", docs.read("docs/errors.md"), re.MULTILINE
    )
    assert (error.__name__, error.code, str(exits.code_of(error()))) in rows


def test_the_tree_of_errors_is_drawn_whole():
    drawn = re.findall(r"[├└]── (\w+)  ", errors.__doc__)
    assert sorted(drawn) == sorted(
        error.__name__ for error in every_error() if error is not errors.SimonidesError
    )


def test_no_error_of_the_docs_is_made_up(docs):
    rows = re.findall(r"^\| (?:[├└] )?`(\w+)` \|", docs.read("docs/errors.md"), re.MULTILINE)
    assert sorted(rows) == sorted(error.__name__ for error in every_error())


def test_every_public_class_and_function_is_in_the_reference(docs):
    page = docs.read("docs/api.md")
    found = [getattr(simonides, name) for name in simonides.__all__]
    classes = [one for one in found if isinstance(one, type) and not issubclass(one, Exception | Enum)]
    assert [one.__name__ for one in classes if f"### {one.__name__}\n" not in page] == []
    functions = [one.__name__ for one in found if inspect.isfunction(one)]
    assert functions
    assert [name for name in functions if f"\n* `{name}(" not in page] == []


def test_the_layers_are_those_that_are_checked(docs):
    project = tomllib.loads(docs.read("pyproject.toml"))
    [contract] = [one for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "layers"]
    [shown] = docs.fenced("docs/architecture.md", "layers")
    assert shown.splitlines() == [layer.replace("simonides.", "") for layer in contract["layers"]]


def test_the_tree_names_every_module_and_package(docs):
    [shown] = docs.fenced("docs/architecture.md", "tree")
    source = docs.root / "src" / "simonides"
    packages = {f"{path.name}/" for path in source.iterdir() if (path / "__init__.py").exists()}
    modules = {path.name for path in source.glob("*.py")}
    assert set(re.findall(r"^[├└]── (\S+)", shown, re.MULTILINE)) == packages | modules


def test_files_that_the_architecture_names_exist(docs):
    source = docs.root / "src" / "simonides"
    named = re.findall(r"`((?:\w+/)+\w*(?:\.\w+)?)`", docs.read("docs/architecture.md"))
    assert named
    assert [name for name in named if not (source / name).exists() and not (docs.root / name).exists()] == []


def test_every_dependency_and_extra_has_its_reason(docs):
    project = tomllib.loads(docs.read("pyproject.toml"))["project"]
    page = docs.read("docs/dependencies.md")
    names = [re.match(r"[\w-]+", line)[0] for line in project["dependencies"]]
    assert [name for name in [*names, *project["optional-dependencies"]] if f"| `{name}` |" not in page] == []


def test_the_weights_of_the_decision_are_those_of_the_code(docs):
    [formula] = re.findall(
        r"(?:^    .*\n)+", docs.read("docs/decisions/0005-ranking-weights.md"), re.MULTILINE
    )
    used = {number for name, number in asdict(Weights()).items() if name not in {"long_words", "prior_span"}}
    assert {float(number) for number in re.findall(r"\d+(?:\.\d+)?", formula)} - {1.0} == used


def test_every_decision_is_in_the_list(docs):
    listed = docs.read("docs/decisions/README.md")
    pages = [path.name for path in (docs.root / "docs" / "decisions").glob("0*.md")]
    assert [name for name in pages if f"({name})" not in listed] == []


def test_the_changelog_begins_with_the_present_version(docs):
    version = tomllib.loads(docs.read("pyproject.toml"))["project"]["version"]
    assert re.findall(r"^## (\S+)", docs.read("CHANGELOG.md"), re.MULTILINE)[0] == version


def test_tiers_and_kinds_are_explained(docs):
    page = docs.read("docs/glossary.md")
    assert [name for name in [*Tier, *Kind] if name.value not in page] == []
