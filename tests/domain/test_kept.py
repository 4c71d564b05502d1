"""Answers about texts are kept while they are short and few."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import simonides
from simonides.domain.kept import forget_texts, keeps_texts, kept
from tests.storage.postgres.server import running


def counting(most, **bound):
    asked = []

    @kept(most, **bound)
    def length(text):
        asked.append(text)
        return len(text)

    return length, asked


def test_a_short_text_is_worked_through_once():
    length, asked = counting(10)
    assert [length("abc"), length("abc")] == [3, 3]
    assert asked == ["abc"]


def test_a_long_text_is_not_held():
    length, asked = counting(10)
    assert length("x" * 5000) == length("x" * 5000) == 5000
    assert len(asked) == 2


def test_so_many_are_kept_and_no_more():
    length, asked = counting(2)
    for text in ("a", "b", "c", "c", "a"):
        length(text)
    assert asked == ["a", "b", "c", "a"]


def test_a_text_of_any_length_is_held_where_nothing_bounds_it():
    length, asked = counting(2, longest=None)
    assert length("x" * 5000) == length("x" * 5000) == 5000
    assert len(asked) == 1


def test_nothing_is_held_once_texts_are_to_be_forgotten():
    length, asked = counting(10)
    length("abc")
    forget_texts()
    length("abc")
    assert asked == ["abc", "abc"]


def test_a_dictionary_of_texts_is_emptied_while_somebody_has_it():
    class Words(dict):
        pass

    one, other = keeps_texts(Words(abc=3)), keeps_texts(Words())
    del other
    forget_texts()
    assert one == {}


#: Caches that hold no text of a user, by what they hold.
_NO_TEXT = {
    "names of files, tables, statements, models and packages": {
        "agent.prompt._template", "agent.tools.tool._schema_text", "config._warn_of",
        "domain.selection.filters_of", "edges.mcp.profiles.called", "governance.forgetting._han",
        "governance.forgetting._words",
        "governance.rulefiles.book_with", "governance.scan._closed", "language.calendar.grammars.grammar",
        "language.calendar.grammars.grammars", "language.calendar.told._past_of",
        "language.tables.alternatives", "language.tables._content",
        "plugins._installed", "storage.postgres.bulk._parts", "storage.postgres.bulk.batch_query",
        "storage.postgres.statements.numbered",
        "storage.postgres.statements.query", "storage.sqlite.ours._plain", "storage.sqlite.seals._adding",
        "storage.sqlite.seals._as_they_are", "storage.sqlite.statements.reworded",
        "storage.sqlite.statements.statement",
        "writing.extract.language.wordings",
    },
    "digests": {"testing.fakes._unit_vector"},
    "settings": {
        "config._types_of", "edges.server.operations.store._policy", "storage.sqlite.cipher.cipher_from",
        "upkeep.schedule.cron.hours_of",
    },
    "single characters": {
        "governance.confusables.CleanTable", "governance.confusables.FoldTable", "language.quoted._Unseen",
        "models.bundled.wordpiece._Letters", "recall.passage._Folded", "recall.render._ReadTable",
    },
    "numbers": {"recall.ranking.laws._reinforced", "recall.render._day_of"},
    "counts of a memory, by scope, for a minute": {"edges.page.counted._kept"},
    "fields of our own classes": {"domain.written._readers", "domain.written.fields_written"},
    "our own words": {
        "language.synonyms._GROUP_OF", "recall.question.exemplars._BY_LOCAL", "storage.sql.expression._AS_WRITTEN",
    },
    "readers, which forget their texts themselves": {"recall.close_reader.close_reader"},
    "addresses of stores": {"upkeep.schedule.lease._HELD"},
    "what this test is about": {"domain.kept._caches"},
    "what one load brings, as long as it lasts": {"writing.transfer.<lru_cache>"},
}  # fmt: skip


def caches_of(module, tree):
    """Names of what holds something in a module: functions with arguments, dictionaries that fill themselves."""
    kept_here = {
        ast.unparse(call.args[0])
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "keeps_texts"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            of = [ast.unparse(one).split("(")[0].split(".")[-1] for one in node.decorator_list]
            if {"cache", "lru_cache"} & set(of) and ast.unparse(node.args):
                yield f"{module}.{node.name}"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith(
            ("lru_cache(", "functools.lru_cache(")
        ):
            if ast.unparse(node) not in kept_here:
                yield f"{module}.<lru_cache>"
        elif (
            isinstance(node, ast.ClassDef)
            and "__missing__" in {getattr(one, "name", "") for one in node.body}
            and not {"self", f"{node.name}()"} & kept_here
        ):
            yield f"{module}.{node.name}"
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            value = ast.unparse(node.value)
            if value == "{}" or value.startswith(
                ("dict()", "OrderedDict(", "defaultdict(", "WeakKey", "WeakValue")
            ):
                yield f"{module}.{ast.unparse(target)}"


def test_every_cache_of_texts_is_emptied_by_a_purge():
    root = Path(simonides.__file__).parent
    found = {
        name
        for file in root.rglob("*.py")
        for name in caches_of(
            ".".join(file.relative_to(root).with_suffix("").parts), ast.parse(file.read_text("utf-8"))
        )
    }
    allowed = set().union(*_NO_TEXT.values())
    assert found == allowed, (
        f"make these `kept` or `keeps_texts`, or say above what they hold: {sorted(found - allowed)}; "
        f"these are gone: {sorted(allowed - found)}"
    )


def held_by(store, embedder, work):
    """Number of those that held a word told to a memory, and those that do once it was purged (`holding.py`)."""
    script = Path(__file__).with_name("holding.py")
    done = subprocess.run(
        [sys.executable, script, json.dumps(store), embedder, work],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return found["before"], found["after"]


@pytest.mark.parametrize(
    ("embedder", "on_a_server"),
    [("bundled", False), ("fake", True)],
    ids=["bundled", "server"],
)
def test_nothing_in_the_process_holds_what_was_purged(tmp_path, embedder, on_a_server):
    store = {"path": str(tmp_path / "memory.db")}
    if on_a_server:
        server = running()
        store = {"path": server.url, "tenant": server.new_tenant()}
    before, after = held_by(store, embedder, "everything")
    assert before  # It is found where it is.
    assert after == []


def test_nothing_holds_the_words_of_questions_about_what_was_purged(tmp_path):
    before, after = held_by({"path": str(tmp_path / "memory.db")}, "fake", "questions")
    assert before
    assert after == []
