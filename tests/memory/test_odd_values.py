"""Odd numbers, texts and times from callers give a result or an error of ours.

The methods and their parameters are found by reflection, so that a new one is tried without being named here.
"""

import inspect
import math
from datetime import date, datetime, timedelta, timezone
from functools import partial
from itertools import count
from typing import get_args

import pytest

from simonides import Memory
from simonides.domain.item_fields import ItemFields
from simonides.domain.records import AuditEvent
from simonides.domain.text import shown
from simonides.errors import InvalidInput, NotFound, SimonidesError
from simonides.writing.curate import UPDATABLE
from tests.memory.reflection import PARTS

WITHIN_ITSELF: list[object] = []
WITHIN_ITSELF.append(WITHIN_ITSELF)
#: Nested more deeply than anything may be written out.
DEEP: dict[str, object] = {}
for _ in range(2_000):
    DEEP = {"a": DEEP}
ODD = [
    *(WITHIN_ITSELF, DEEP),
    *(0, -1, 1 << 31, 1 << 63, -(1 << 63) - 1, 1 << 70, 10**400),
    *(0.5, -1.0, 1e308, math.nan, math.inf, -math.inf),
    *(True, False, None, "", " ", "a", "1", "\0", "\ud800", "x" * 5000, b"a", bytearray(b"a"), object(), 1j),
    *([], [1], ["\ud800"], {}, {"a": object()}, {1: 2}, [[[]]], [None], ["a", b"a"]),
    *(date.max, timedelta(1), datetime(9999, 12, 31, 23, 59)),  # noqa: DTZ001 - one without a zone is odd
    datetime.min.replace(tzinfo=timezone(timedelta(hours=14))),
    datetime.max.replace(tzinfo=timezone(-timedelta(hours=14))),
]
#: Beginnings of the names of methods that leave an item as it is.
READS = (
    "get",
    "history",
    "explain",
    "derived",
    "graph",
    "search",
    "context",
    "where",
    "show",
    "events",
    "resolve",
)
#: Parameters that are neither numbers, texts nor times, nor lists of them.
OTHERS = {"progress", "around", "event", "records"}


def arguments_of(method):
    """Names of all that a method takes, those that it collects included."""
    names = []
    for parameter in inspect.signature(method).parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            names.append(parameter.name)
        elif method is Memory.update:
            names += sorted(UPDATABLE)
        else:
            kind = eval(method.__annotations__[parameter.name], method.__globals__)
            names += [name for fields in get_args(kind) for name in fields.__annotations__]
    return [name for name in names if name not in {"self", *OTHERS}]


def doors():
    for part, cls in {None: Memory, **PARTS}.items():
        for name, method in inspect.getmembers(cls, inspect.isfunction):
            former = (method.__doc__ or "").startswith("Former name")
            if not name.startswith("_") and name != "close" and not former:
                yield part, name, arguments_of(method)


DOORS = [door for door in doors() if door[2]]


class World:
    """A memory, and a good argument for each parameter that a method requires.

    An item that no call has answered for stands as it was, and is good for the next one.
    """

    def __init__(self, memory):
        self.memory = memory
        self._numbers = count()
        self._fresh = []
        self._given = 0
        memory.add("Ana Petrova keeps bees.", entities=["Ana Petrova", "Bob Stone"])
        memory.add([{"role": "user", "content": "I met Ana Petrova."}], session_id="s1")
        self._injection = memory.context("who keeps bees?").injection_id
        self._run = memory.maintain(["expire"]).id

    def good(self, name):
        match name:
            case "item_id" | "target" | "src" | "dst" | "items" | "item_ids":
                self._given += 1
                if self._given > len(self._fresh):
                    self._fresh += self.memory.add(f"bird number {next(self._numbers)} nests").item_ids
                return self._fresh[self._given - 1]
            case "proposals":
                return [{"content": "Ana may like tea.", "why_store": "said so"}]
            case "event":
                return AuditEvent(action="x", at=0)
            case "records":
                return []
            case "injection_id":
                return self._injection
            case "run_id":
                return self._run
            case "longest" | "at":
                return 1
        return {
            "act": "update", "name": "Ana Petrova", "keep": "Ana Petrova", "other": "Bob Stone", "type": "person",
            "session_id": "s1", "path": "copy.db", "domain": "global",
        }.get(name, "bees")  # fmt: skip

    def call(self, part, name, odd, value):
        """Call a method with good arguments and an odd one; a generator is read to its end."""
        method = getattr(self.memory if part is None else getattr(self.memory, part), name)
        parameters = inspect.signature(method).parameters.values()
        listed = [value if one.name == odd else self.good(one.name) for one in parameters
                  if one.kind is one.VAR_POSITIONAL and (one.name == odd or name != "purge")]  # fmt: skip
        named = {
            one.name: self.good(one.name)
            for one in parameters
            if one.default is one.empty and one.kind in {one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY}
        }
        if odd not in {one.name for one in parameters if one.kind is one.VAR_POSITIONAL}:
            named[odd] = value
        self._given, given = 0, self._given
        found = method(*listed, **named)
        if not name.startswith(READS):
            self._fresh = self._fresh[given:]
        return list(found) if inspect.isgenerator(found) else found


def test_the_methods_and_their_parameters_are_found():
    found = {(part, name): names for part, name, names in DOORS}
    assert {"limit", "offset", "after", "exact"} <= set(found[None, "list"])
    assert "injection_id" in found[None, "why"]
    assert "limit" in found["review", "list"]
    assert {part for part, _, _ in DOORS} == {None, *PARTS}


def raised_by(call):
    """The error that no caller may see; None for an answer, or a refusal in our words."""
    try:
        call()
    except SimonidesError as error:
        return error if error.code in {"error", "store_error", "store_damaged"} else None
    except Exception as error:  # noqa: BLE001 - what a caller must never see
        return error
    return None


@pytest.mark.parametrize(
    "field", sorted({*ItemFields.__annotations__, "content", "why_store", "source", "x"})
)
def test_an_odd_field_is_answered_or_refused_in_our_words(memory, add, field):
    known = add("a bird nests")
    given = {"content": "another bird nests", "why_store": "said so"}
    failed = []
    for value in ODD:
        for call in (
            lambda value=value: memory.propose([{**given, field: value}]),
            lambda value=value: memory.add([{"content": "one more bird", field: value}]),
            lambda value=value: memory.review.ask(known, "update", {field: value}),
            lambda value=value: memory.review.ask(known, "correct", {"content": "it flew", field: value}),
        ):
            if (error := raised_by(call)) is not None:
                failed.append(f"{shown(value)}: {error!r:.150}")
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize(
    ("part", "name", "names"), DOORS, ids=[f"{part or 'memory'}.{name}" for part, name, _ in DOORS]
)
def test_an_odd_value_is_answered_or_refused_in_our_words(memory, tmp_path, monkeypatch, part, name, names):
    monkeypatch.chdir(tmp_path)
    world = World(memory)
    failed = []
    for odd in names:
        for value in ODD:
            if (error := raised_by(partial(world.call, part, name, odd, value))) is not None:
                failed.append(f"{odd}={shown(value)}: {error!r:.150}")
    assert not failed, "\n".join(failed)
    assert memory.doctor().healthy


@pytest.mark.parametrize("value", [{}, "settings.toml", 5, []], ids=repr)
def test_what_is_no_settings_no_records_and_no_surroundings_is_refused(memory, path, value):
    with pytest.raises(InvalidInput, match="settings are Settings"):
        Memory(path.with_name("other.db"), settings=value)
    assert not path.with_name("other.db").exists()
    with pytest.raises(InvalidInput, match="around is Surroundings"):
        memory.context("bees", around=value)
    if not isinstance(value, list):
        with pytest.raises(InvalidInput, match="records are those of export"):
            memory.load(value)


#: What names something: an item, a conversation, a task, a part of a scope.
NAMED = [
    (part, name, argument)
    for part, name, arguments in DOORS
    for argument in arguments
    if argument.endswith("_id") or argument in {"src", "dst", "target", "caller", "asked_in", "project"}
]


def test_a_name_is_text(memory):
    world = World(memory)
    assert {argument for _, _, argument in NAMED} >= {"item_id", "session_id", "task_id", "run_id", "user_id"}
    turn = {"role": "user", "content": "Bees sleep."}
    for value in (0, 5, -1, True, False, 0.5, b"", b"s1", [], ["s1"], {}, object()):
        for part, name, argument in NAMED:
            with pytest.raises((InvalidInput, NotFound)):
                pytest.fail(f"{part}.{name}({argument}={value!r}): {world.call(part, name, argument, value)}")
        for session in ("session_id", "run_id"):
            with pytest.raises(InvalidInput):
                memory.add([turn], **{session: value})
