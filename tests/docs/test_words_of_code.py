"""Words of the code itself: docstrings that begin with a noun or a verb, and one class to a name."""

import ast
import re
from collections import defaultdict
from functools import cache
from typing import NamedTuple

import pytest

#: A docstring that begins so describes a question instead of naming a thing or an act.
QUESTIONS = {
    *("what", "whatever", "whether", "how", "where", "wherever", "when", "whenever"),
    *("who", "whoever", "whom", "whose", "which", "why"),
}
#: Share of docstrings that may begin so, by folder. Lowered as rooms are reworded, never raised.
LIMITS = {"src": 0.005, "tests": 0.0, "benchmarks": 0.0, "scripts": 0.0}
#: Words that say no more of a function than that it works: every one finds, says, asks or tells something.
VAGUE = {"found", "said", "asked", "told"}
#: Such a word where it may be a name that is given; in most files none stands so, and they need no parsing.
BOUND = re.compile(rf"\b(?:{'|'.join(sorted(VAGUE))})\b(?:\s*[-+*/|&:,)\]=]| in\b)")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def defined(node):
    """A module's, class's or function's node, and those within it."""
    yield node
    for child in node.body:
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from defined(child)


class Words(NamedTuple):
    """Names and first words of a folder's code, each with its place."""

    classes: list[tuple[str, str]]
    firsts: list[tuple[str, str]]
    functions: list[tuple[str, str]]


@cache
def read(folder):
    """The words of a folder; each file is parsed once for all that is asked of it."""
    words = Words([], [], [])
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        tree = ast.parse(path.read_text("utf-8"))
        for node in defined(tree):
            if isinstance(node, ast.ClassDef):
                words.classes.append((name, node.name))
            if text := ast.get_docstring(node, clean=False):
                words.firsts.append((f"{name}:{node.body[0].lineno}", text.split()[0].strip(",;:.").lower()))
        words.functions.extend(
            (f"{name}:{node.lineno}", node.name) for node in tree.body if isinstance(node, FUNCTIONS)
        )
    return words


@pytest.mark.parametrize("folder", LIMITS)
def test_docstrings_begin_with_a_noun_or_a_verb(docs, folder):
    words = read(docs.root / folder).firsts
    questions = [place for place, word in words if word in QUESTIONS]
    assert len(questions) <= LIMITS[folder] * len(words), "\n".join(questions)


def test_no_two_files_have_a_class_of_the_same_name(docs):
    files = defaultdict(set)
    for path, name in read(docs.root / "src").classes:
        if not name.startswith("_"):  # Others are known in their file only.
            files[name].add(path)
    twice = {name: sorted(paths) for name, paths in files.items() if len(paths) > 1}
    assert twice == SHARED


#: Public names that stand in several files, which nobody imports from both at once.
SHARED = {
    # What validators of other packages are written with.
    "Finding": ["simonides/governance/scan.py", "simonides/recall/agenda/source.py"],
    # Names of mem0: a program changes its import, and nothing else.
    "Memory": ["simonides/adapters/mem0.py", "simonides/memory.py"],
    "AsyncMemory": ["simonides/adapters/mem0.py", "simonides/aio.py"],
}


def test_no_function_of_a_module_is_named_by_a_word_that_fits_them_all(docs):
    named = read(docs.root / "src").functions
    assert [f"{place} {name}" for place, name in named if name.strip("_") in VAGUE] == []


#: Packages in which no value has such a name either.
PLAIN_VALUES = (
    *(
        "adapters",
        "agent",
        "documents",
        "domain",
        "edges",
        "exports",
        "governance",
        "importers",
        "language",
        "models",
    ),
    *("parts", "sample", "storage/sqlite", "tasks", "testing_server", "upkeep", "vectors", "writing"),
)


@pytest.mark.parametrize("package", PLAIN_VALUES)
def test_values_are_named_by_what_they_hold(docs, package):
    vague = []
    for path in sorted((docs.root / "src" / "simonides" / package).rglob("*.py")):
        text = path.read_text("utf-8")
        if BOUND.search(text):
            tree = ast.parse(text)
            # A field of a class is a word of what others read: JSON, a report.
            fields = {
                id(line.target)
                for node in ast.walk(tree)
                if isinstance(node, ast.ClassDef)
                for line in node.body
                if isinstance(line, ast.AnnAssign)
            }
            vague += [
                f"{path.relative_to(docs.root)}:{node.lineno} {name}"
                for node in ast.walk(tree)
                if (name := _assigned(node)) in VAGUE and id(node) not in fields
            ]
    assert vague == []


def _assigned(node: ast.AST) -> str:
    """The name of a parameter, or of what is assigned; empty for anything else."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.arg if isinstance(node, ast.arg) else ""
