"""Words of the code itself: docstrings that begin with a noun or a verb, and one class to a name."""

import ast
from collections import defaultdict
from functools import cache

import pytest

#: A docstring that begins so describes a question instead of naming a thing or an act.
QUESTIONS = {
    *("what", "whatever", "whether", "how", "where", "wherever", "when", "whenever"),
    *("who", "whoever", "whom", "whose", "which", "why"),
}
#: Share of docstrings that may begin so, by folder. Lowered as rooms are reworded, never raised.
LIMITS = {"src": 0.005, "tests": 0.0, "benchmarks": 0.0, "scripts": 0.0}


def defined(node):
    """A module's, class's or function's node, and those within it."""
    yield node
    for child in node.body:
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from defined(child)


@cache
def read(folder):
    """The classes, and the first words of docstrings, of a folder, each with its place."""
    classes, words = [], []
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        for node in defined(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                classes.append((name, node.name))
            if text := ast.get_docstring(node, clean=False):
                words.append((f"{name}:{node.body[0].lineno}", text.split()[0].strip(",;:.").lower()))
    return classes, words


@pytest.mark.parametrize("folder", LIMITS)
def test_docstrings_begin_with_a_noun_or_a_verb(docs, folder):
    _, words = read(docs.root / folder)
    questions = [place for place, word in words if word in QUESTIONS]
    assert len(questions) <= LIMITS[folder] * len(words), "\n".join(questions)


def test_no_two_files_have_a_class_of_the_same_name(docs):
    files = defaultdict(set)
    for path, name in read(docs.root / "src")[0]:
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


#: Words that say no more of a function than that it works: every one finds, says, asks or tells something.
VAGUE = {"found", "said", "asked", "told"}


def test_no_function_of_a_module_is_named_by_a_word_that_fits_them_all(docs):
    vague = [
        f"{path.relative_to(docs.root)}:{node.lineno} {node.name}"
        for path in sorted((docs.root / "src").rglob("*.py"))
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.strip("_") in VAGUE
    ]
    assert vague == []


#: Packages in which no value has such a name either.
PLAIN_VALUES = ("documents", "domain", "edges", "exports", "governance", "language", "parts", "tasks")


@pytest.mark.parametrize("package", PLAIN_VALUES)
def test_values_are_named_by_what_they_hold(docs, package):
    vague = [
        f"{path.relative_to(docs.root)}:{node.lineno} {name}"
        for path in sorted((docs.root / "src" / "simonides" / package).rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for node in ast.walk(function)
        if (name := _assigned(node)) in VAGUE
    ]
    assert vague == []


def _assigned(node: ast.AST) -> str:
    """The name of a parameter, or of what is assigned; empty for anything else."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.arg if isinstance(node, ast.arg) else ""
