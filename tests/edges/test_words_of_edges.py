"""An error says what to do in the words of the edge that answers it."""

import ast
import re
from functools import cache
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import simonides
from simonides import errors
from simonides.agent.tools import Tools
from simonides.edges.cli.main import COMMANDS, _app, command_of
from simonides.edges.server.problems import HttpProblem
from simonides.edges.server.table import TABLE, path_of
from simonides.errors import Advice, SimonidesError
from simonides.memory import Memory

SOURCE = Path(simonides.__file__).parent
#: What is only met by whoever writes Python: an adapter of another library, opening asynchronously, making tools.
OF_PYTHON = ("adapters/", "testing", "aio.py", "agent/tools/call_context.py", "importers/kinds/mem0.py")
#: Functions of the database, which begin with the name of the project, are SQL for its owner.
PYTHON = re.compile(
    r"\b(?!simonides_)[a-z_]+\(\)|\b[a-z_]+=(?:True|False|None)\b|\bMemory\(|\b[Mm]emory\.[a-z_.]+\(|`to_dict`"
)
VERBS = sorted({one.name for one in TABLE} | {name for name in vars(Memory) if not name.startswith("_")})


def _kinds(kind=SimonidesError):
    yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)


def _plain_kinds():
    """Classes that a message and advice make an error of."""
    return [kind for kind in dict.fromkeys(_kinds()) if kind.__init__ is SimonidesError.__init__]


def _texts(tree):
    """Texts of a module that are no docstrings, f-strings with `…` for what they are filled with."""
    bodies = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    skipped = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, bodies) and node.body
               and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
            yield "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def _trees(word):
    """Modules in which a word occurs, with their places: the others need not be parsed."""
    for file in sorted(SOURCE.rglob("*.py")):
        if word in (text := file.read_text("utf-8")):
            yield file.relative_to(SOURCE).as_posix(), ast.parse(text)


@cache
def _raised():
    """Texts that stand in a call that makes an error, or in a `raise`, with their places."""
    names = {kind.__name__ for kind in _kinds()} | {"Problem", "HttpProblem"}
    raised = []
    for place, tree in _trees(""):
        if place.startswith(OF_PYTHON):
            continue
        for node in ast.walk(tree):
            made = (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", "")) in names
            )
            if made or isinstance(node, ast.Raise):
                raised += ((place, text) for text in _texts(node))
    return raised


def _advice():
    for _, tree in _trees("Advice("):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Advice":
                yield Advice(*(ast.literal_eval(part) for part in node.args))


ADVICE = sorted(set(_advice()))


def test_no_error_is_worded_in_python():
    raised = _raised()
    assert len(raised) > 500
    assert [one for one in raised if PYTHON.search(one[1])] == []
    assert [kind for kind in _kinds() if PYTHON.search((kind.__doc__ or "").partition("\n")[0])] == []


def test_no_error_names_a_verb_as_python_does_but_in_its_advice():
    verbs = {one.name for one in TABLE if "." in one.name}
    told = dict.fromkeys(_raised())
    named = [(place, text) for place, text in told if verbs & set(re.findall(r"[a-z_]+\.[a-z_]+", text))]
    assert [one for one in named if one[1] not in {advice.verb for advice in ADVICE}] == []


def test_a_model_is_told_over_rest_where_to_ask_for_what_is_not_its_own(memory):
    [item_id] = memory.add("The dome is green.", type="fact").item_ids
    memory.palace.assign(item_id, room="Repairs", domain="House")
    memory.records.put("notes", "boat", 1)
    model = {"actor": "gpt"}
    for refused in (
        lambda: memory.forget(item_id, **model),
        lambda: memory.update(item_id, title="Dome", **model),
        lambda: memory.palace.assign(item_id, room="Doors", domain="House", **model),
        lambda: memory.records.put("notes", "boat", 2, **model),
        lambda: memory.records.delete("notes", "boat", **model),
    ):
        with pytest.raises(errors.NeedsApproval) as caught:
            refused()
        assert "`POST /v1/memories/{item_id}/ask`" in HttpProblem.of(caught.value).detail
        assert "review" not in caught.value.worded(command_of)
        assert "review" not in caught.value.worded(Tools(memory)._name_of)
        assert "review.ask()" in caught.value.__notes__[0]


@pytest.mark.parametrize("advice", ADVICE)
def test_advice_names_a_verb_that_memory_has(memory, advice):
    assert callable(attrgetter(advice.verb)(memory))
    assert advice.text.count("{}") == 1
    assert errors.InvalidInput("no", advice).__notes__ == [advice.text.format(f"{advice.verb}()")]


PATHS = {f"`{one.method} {one.path}`" for one in TABLE}


@given(st.sampled_from(_plain_kinds()), st.text(max_size=40), st.sampled_from(VERBS))
def test_rest_names_its_paths_and_nothing_that_it_lacks(kind, message, verb):
    error = kind(message, Advice("see {}", verb))
    name = path_of(verb)
    assert name is None or name in PATHS
    assert (name is not None) == any(one.name == verb for one in TABLE)
    assert HttpProblem.of(error).detail == (str(error) if name is None else f"{error}; see {name}")


@given(st.sampled_from(VERBS))
def test_the_command_line_names_its_commands_and_nothing_that_it_lacks(verb):
    if (name := command_of(verb)) is None:
        return
    program, command, *below = name.strip("`").split()
    assert (program, command in COMMANDS) == ("simonides", True)
    made = _app(command).made()
    assert list(below) == [] if not hasattr(made, "commands") else below[0] in made.commands


def test_tools_are_named_as_their_client_calls_them_and_none_that_it_lacks(memory):
    pytest.importorskip("mcp")
    from simonides.edges.mcp.profiles import ToolProfile, called, offers

    for profile in ToolProfile:
        tools = Tools(memory, admin=profile is ToolProfile.ADMIN, offered=called(profile))
        names = {name for verb in VERBS if (name := tools._name_of(verb)) is not None}
        assert names <= set(offers(profile))
    assert Tools(memory, offered=called(ToolProfile.CORE))._name_of("propose") is None
    assert Tools(memory, admin=True)._name_of("runs.list") == "memory.upkeep.list"
    assert {Tools(memory)._name_of(verb) for verb in VERBS} - {None} <= set(Tools(memory).names())


def test_an_undo_that_finds_no_run_says_how_each_edge_lists_them(memory):
    with pytest.raises(errors.NotFound) as caught:
        memory.undo("no such run")
    assert caught.value.__notes__ == ["runs.list() lists them"]
    assert caught.value.worded(path_of).endswith("; `GET /v1/runs` lists them")
    assert caught.value.worded(command_of).endswith("; `simonides runs list` lists them")
