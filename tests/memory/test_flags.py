"""A flag is True or False: what only counts as one, such as the text "no", is refused before anything is done.

The methods, options, settings and tools are found by reflection, so that a new flag is tried without being named here.
"""

import inspect
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Union, get_args, get_origin, get_type_hints

import pytest

from simonides import Memory
from simonides.agent.middleware import Middleware
from simonides.agent.tools import Tools
from simonides.agent.tools.table import TABLE
from simonides.agent.turn import Answer, Chat
from simonides.compose import Options
from simonides.config import Settings
from simonides.domain.item_fields import ItemFields
from simonides.errors import InvalidInput
from simonides.writing.curate import UPDATABLE
from tests.memory.reflection import PARTS

NO_FLAGS = ["no", "false", "yes", "True", "", 0, 1, 0.0, [], {}, b"x", object()]


def is_flag(kind):
    """True of `bool`, as a type or written out, with or without None."""
    if isinstance(kind, str):
        return {word.strip() for word in kind.split("|")} - {"None"} == {"bool"}
    kinds = get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
    return set(kinds) - {type(None)} == {bool}


def flags_of(method):
    """Names of all flags that a method takes, those that it collects included."""
    for parameter in inspect.signature(method).parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            if is_flag(parameter.annotation):
                yield parameter.name
        elif method is Memory.update:
            yield from (name for name, kind in get_type_hints(ItemFields).items()
                        if name in UPDATABLE and is_flag(kind))  # fmt: skip
        else:
            kind = eval(method.__annotations__[parameter.name], method.__globals__)
            for keywords in get_args(kind):
                yield from (name for name, kind in get_type_hints(keywords).items() if is_flag(kind))


DOORS = [
    (part, name, flag)
    for part, cls in {None: Memory, **PARTS}.items()
    for name, method in inspect.getmembers(cls, inspect.isfunction)
    if not name.startswith("_")
    for flag in flags_of(method)
]
#: What callers build: settings by their sections, a chat, an answer.
BUILT = [
    kind
    for kind in (Chat, Answer, *(one.default_factory for one in fields(Settings)))
    if kind is not MISSING and is_dataclass(kind)
]


@pytest.fixture
def good(memory, tmp_path, monkeypatch):
    """A good argument for each parameter that one of the methods requires."""
    monkeypatch.chdir(tmp_path)  # A target that is an id is a file's name, too.
    item = memory.add("Ana Petrova keeps bees.").verdicts[0].item_id
    waits = memory.propose([{"content": "Ana may like tea."}]).verdicts[0].item_id
    (notes := tmp_path / "notes.csv").write_text("content\nA hen nests.\n", "utf-8")
    return {
        "corpus": "notes",
        "name": "notes",
        "kind": "csv",
        "path": notes,
        "content": "A heron stands in the reeds.",
        "proposals": [{"content": "Ana keeps geese.", "why_store": "said so", "source": item}],
        "query": "who keeps bees?",
        "space": "notes",
        "key": "bees",
        "item_id": item,
        "target": item,
        "waits": waits,
        "act": "forget",
        "run_id": memory.maintain(["expire"]).id,
        "records": [],
        "item_ids": [item],
    }


def call(memory, good, part, name, **more):
    method = getattr(memory if part is None else getattr(memory, part), name)
    known = good | {"item_id": good["waits"]} if name == "approve" else good
    required = [
        one.name
        for one in inspect.signature(method).parameters.values()
        if one.default is one.empty and one.kind in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY}
    ]
    more |= {"session_id": "s1"} if name == "rollback" else {}
    listed = {"derived": [good["item_id"]], "purge": [good["item_id"]], "ingest": [good["path"]]}.get(
        name, []
    )
    found = method(*listed, **{name: known[name] for name in required}, **more)
    return list(found) if inspect.isgenerator(found) else found


def test_the_flags_are_found():
    found = {(part, name, flag) for part, name, flag in DOORS}
    assert found >= {
        (None, "propose", "confirmed"),
        (None, "load", "trusted"),
        (None, "search", "archived"),
        (None, "update", "pinned"),
        ("review", "ask", "confirmed"),
        ("review", "approve", "injectable"),
    }
    assert len(BUILT) > 10


@pytest.mark.parametrize(("part", "name", "flag"), DOORS)
def test_what_is_no_flag_is_refused_and_nothing_is_done(memory, good, part, name, flag):
    before = list(memory.export())
    for value in NO_FLAGS:
        with pytest.raises(InvalidInput, match=f"{flag} must be true or false"):
            call(memory, good, part, name, **{flag: value})
    assert list(memory.export()) == before
    call(memory, good, part, name, **{flag: False})


@pytest.mark.parametrize("kind", BUILT, ids=lambda kind: kind.__name__)
def test_nothing_is_built_with_what_is_no_flag(kind):
    for name, hint in get_type_hints(kind).items():
        for value in NO_FLAGS if is_flag(hint) else ():
            with pytest.raises(InvalidInput, match=f"{name} must be true or false"):
                kind(**{name: value})


@pytest.mark.parametrize("value", NO_FLAGS)
def test_options_are_flags_too(memory, path, value):
    assert {name for name, kind in Options.__annotations__.items() if kind.__forward_arg__ == "bool"} == {
        "read_only"
    }
    with pytest.raises(InvalidInput, match="read_only must be true or false"):
        Memory(path.with_name("other.db"), read_only=value)
    assert not path.with_name("other.db").exists()
    with pytest.raises(InvalidInput, match="trust_client must be true or false"):
        Tools(memory, trust_client=value)
    with pytest.raises(InvalidInput, match="dots must be true or false"):
        Tools(memory).schemas(dots=value)
    middleware = Middleware(memory)
    turn = middleware.before_model([{"role": "user", "content": "hello"}], Chat())
    with pytest.raises(InvalidInput, match="in_words must be true or false"):
        middleware.intercept(turn, Answer("hello"), in_words=value)


@pytest.mark.parametrize("tool", TABLE, ids=lambda tool: tool.name)
def test_a_model_has_to_send_a_flag_as_one(memory, tool):
    flags = [name for name, one in tool.parameters()["properties"].items() if one.get("type") == "boolean"]
    for name in flags:
        for value in ("no", "yes", 0, 1):
            error = Tools(memory, caller=f"{name} {value}").call(tool.name, {name: value})["error"]
            assert error["code"] == "invalid_arguments"
            assert name in error["fields"]
