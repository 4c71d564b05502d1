"""Dataclasses that compile their methods late are dataclasses like any other."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import values
from simonides.values import dataclass

NAMES = ("one", "two", "three", "four")
GIVEN: dict[str, dict[str, Any]] = {
    "nothing": {},
    "default": {"default": 7},
    "factory": {"default_factory": lambda: 8},
}
FIELDS = st.lists(
    st.fixed_dictionaries(
        {"given": st.sampled_from(tuple(GIVEN))}
        | {name: st.booleans() for name in ("init", "repr", "compare", "kw_only")},
        optional={"hash": st.booleans()},
    ),
    max_size=4,
)
OPTIONS = st.fixed_dictionaries(
    {name: st.booleans() for name in ("frozen", "slots", "kw_only", "repr", "order")}
)
ADDRESS = re.compile(" at 0x[0-9a-f]+")
VALUES = st.lists(st.integers(0, 2), min_size=4, max_size=4)


def made(decorate: Callable[..., Any], rows: list[dict[str, Any]], options: dict[str, bool]) -> Any:
    """A class with these fields; None if their order is none."""
    body: dict[str, Any] = {"__annotations__": {}, "__doc__": "Values."}
    for name, row in zip(NAMES, rows, strict=False):
        asked = {key: row[key] for key in ("init", "repr", "compare", "kw_only", "hash") if key in row}
        body["__annotations__"][name] = "int"
        body[name] = field(**asked, **GIVEN[row["given"]])
    return decorate(**options)(type("Found", (), body))


def outcome(act: Callable[[], object]) -> object:
    """The result of a call, or the kind of its error with its message."""
    try:
        return act()
    except (TypeError, AttributeError) as error:
        return type(error), str(error).replace(" (most recent call last)", "")


@given(FIELDS, OPTIONS, VALUES, VALUES)
def test_a_value_behaves_as_a_dataclass_of_the_standard_library(
    rows: list[dict[str, Any]], options: dict[str, bool], first: list[int], second: list[int]
) -> None:
    try:
        theirs = made(dataclasses.dataclass, rows, options)
    except TypeError:
        return  # A field without a default after one with a default.
    ours = made(dataclass, rows, options)
    names = [name for name, row in zip(NAMES, rows, strict=False) if row["init"]]
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert ours.__match_args__ == theirs.__match_args__

    def seen(cls: Any) -> list[object]:
        one, two = (cls(**dict(zip(names, found, strict=False))) for found in (first, second))
        return [
            outcome(lambda: repr(one)),
            outcome(lambda: one == two),
            outcome(lambda: one < two),
            outcome(lambda: one >= two),
            outcome(lambda: (hash(one), hash(two))),
            [outcome(lambda: setattr(one, "one", 3)) for _ in rows[:1]],
            [outcome(lambda: delattr(one, "two")) for row in rows[1:2] if row["init"]],
            outcome(lambda: dataclasses.asdict(two)),
            outcome(lambda: dataclasses.asdict(copy.deepcopy(two))),
            outcome(lambda: dataclasses.asdict(dataclasses.replace(two, **dict.fromkeys(names[:1], 5)))),
            outcome(lambda: repr(cls())),
            [(found.name, found.default, found.init) for found in dataclasses.fields(cls)],
        ]

    assert [ADDRESS.sub("", repr(found)) for found in seen(ours)] == [
        ADDRESS.sub("", repr(found)) for found in seen(theirs)
    ]


@dataclass(frozen=True, slots=True)
class Place:
    """Module-level, as `pickle` wants it."""

    name: str
    near: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class House(Place):
    rooms: list[str] = field(default_factory=list[str], compare=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a house without a name")


def test_a_frozen_value_with_slots_survives_pickling_and_copying() -> None:
    house = House("Mill", (Place("River"),), rooms=["hall"])
    for again in (pickle.loads(pickle.dumps(house)), copy.copy(house), copy.deepcopy(house)):
        assert again == house
        assert again.rooms == ["hall"]


def test_a_subclass_has_the_fields_of_both_and_its_own_checks() -> None:
    assert str(inspect.signature(House)) == (
        "(name: 'str', near: 'tuple[Place, ...]' = (), *, rooms: 'list[str]' = <factory>) -> None"
    )
    assert House("Mill") != Place("Mill")
    assert {House("Mill"), House("Mill", rooms=["hall"])} == {House("Mill")}
    with pytest.raises(ValueError, match="without a name"):
        House("")
    with pytest.raises(FrozenInstanceError):
        House("Mill").rooms = []  # type: ignore[misc]


def test_methods_that_a_class_writes_itself_are_kept() -> None:
    @dataclass(frozen=True)
    class Own:  # noqa: PLW1641 - its hash is what is tested
        size: int

        def __init__(self, text: str) -> None:
            object.__setattr__(self, "size", len(text))

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __repr__(self) -> str:
            return "own"

    assert Own("abc") == Own("")
    assert repr(Own("abc")) == "own"
    assert hash(Own("abc")) == hash((3,))


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda one, two: type(one)(3).size, 3),
        (lambda one, two: repr(one).rpartition(".")[2], "Fresh(size=1)"),
        (lambda one, two: hash(one), hash((1,))),
        (lambda one, two: one == two, True),
        (lambda one, two: one <= two, True),
    ],
)
def test_an_interrupt_while_a_method_is_made_is_raised_and_the_next_use_makes_it(
    act: Callable[..., object], expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True, order=True)
    class Fresh:
        size: int

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    one, two = object.__new__(Fresh), object.__new__(Fresh)
    for fresh in (one, two):
        object.__setattr__(fresh, "size", 1)
    with monkeypatch.context() as broken:
        broken.setattr(values, "_compiled", interrupted)
        with pytest.raises(KeyboardInterrupt):
            act(one, two)
    assert act(one, two) == expected


def test_an_interrupt_that_was_handled_while_a_method_is_made_does_not_end_the_process_later() -> None:
    """Python notes an interrupt that leaves a text it executes, and ends with the signal whatever was done since."""
    program = """
import signal, sys
from simonides.values import dataclass
@dataclass
class Fresh:
    size: int
def interrupt(frame, event, argument):
    if frame.f_code.co_filename == "<string>":
        sys.settrace(None)
        signal.raise_signal(signal.SIGINT)
    return interrupt
sys.settrace(interrupt)
try:
    Fresh(1)
except KeyboardInterrupt:
    print("handled")
"""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "handled\n", "")
