"""Data classes of `values` are those of the standard library, but for when their methods are written."""

import copy
import dataclasses
import inspect
import pickle
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.taxonomy import TypeSpec
from simonides.values import dataclass

NAMES = ("alpha", "beta", "gamma", "delta")
#: How a field is made, after those that must be given.
DEFAULTS: list[Any] = [
    None,
    lambda: 7,
    lambda: dataclasses.field(default=()),
    lambda: dataclasses.field(default_factory=list),
    lambda: dataclasses.field(default=3, kw_only=True),
    lambda: dataclasses.field(kw_only=True),
    lambda: dataclasses.field(default=1, repr=False),
    lambda: dataclasses.field(default=1, compare=False),
    lambda: dataclasses.field(default=1, hash=False),
    lambda: dataclasses.field(init=False, default_factory=dict),
]
OPTIONS = st.fixed_dictionaries(
    {name: st.booleans() for name in ("frozen", "slots", "kw_only", "eq", "repr")}
)


def _both(kinds: list[int], options: dict[str, bool], *, after: bool) -> tuple[type[Any], type[Any]]:
    """The same class, made by the standard library and by us."""
    made: list[type[Any]] = []
    for make in (dataclasses.dataclass, dataclass):
        body: dict[str, Any] = {
            "__annotations__": {name: "Any" for name, _ in zip(NAMES, kinds, strict=False)}
        }
        body |= {name: DEFAULTS[kind]() for name, kind in zip(NAMES, kinds, strict=False) if DEFAULTS[kind]}
        body |= {"__doc__": "Some value.", "__module__": __name__, "__qualname__": "Some"}
        if after:
            body["__post_init__"] = _refuse_zero
        made.append(make(**options)(type("Some", (), body)))
    return made[0], made[1]


def _refuse_zero(self: object) -> None:
    if 0 in [getattr(self, name, None) for name in NAMES]:
        raise ValueError("no zero")


def _outcome(call: Any) -> tuple[str, str]:
    """Kind and message of the error that a call ends with; else what it returns."""
    try:
        return "", repr(call())
    except Exception as error:  # noqa: BLE001 - whichever it is, both are to raise it
        return type(error).__name__, str(error)


@given(
    st.lists(st.integers(0, len(DEFAULTS) - 1), max_size=4).map(sorted),
    OPTIONS,
    st.booleans(),
    st.lists(st.integers(0, 2), max_size=4),
    st.dictionaries(st.sampled_from((*NAMES, "other")), st.integers(0, 2), max_size=4),
)
def test_a_class_behaves_as_the_standard_one_does(
    kinds: list[int], options: dict[str, bool], after: bool, values: list[int], named: dict[str, int]
) -> None:
    standard, ours = _both(kinds, options, after=after)
    assert str(inspect.signature(ours)) == str(inspect.signature(standard))
    assert ours.__match_args__ == standard.__match_args__
    assert repr(ours.__dataclass_params__) == repr(standard.__dataclass_params__)
    assert [str(one) for one in dataclasses.fields(ours)] == [
        str(one) for one in dataclasses.fields(standard)
    ]
    first, second = (_outcome(lambda one=one: one(*values, **named)) for one in (standard, ours))
    assert second == first
    if not first[0]:
        assert _told(ours, values, named) == _told(standard, values, named)


def _told(made: type[Any], values: list[int], named: dict[str, int]) -> list[tuple[str, str]]:
    one, again, other = made(*values, **named), made(*values, **named), made(*values, **named)
    names = [field.name for field in dataclasses.fields(made)]
    if names:
        object.__setattr__(other, names[0], 99)
    told = [
        _outcome(lambda: one == again),
        _outcome(lambda: one != again) if made.__eq__ is not object.__eq__ else ("", ""),
        _outcome(lambda: one == other),
        _outcome(lambda: (one == 1, one.__eq__(1))),
        _outcome(lambda: made.__eq__ is not object.__eq__ and hash(one) == hash(again)),
        *[_outcome(lambda name=name: setattr(again, name, 5)) for name in names],
        _outcome(lambda: repr(again)),
        *[_outcome(lambda name=name: delattr(again, name)) for name in names],
        # In Python 3.11 the standard one refuses it with another error where it has slots.
        (str(made.__dataclass_params__.frozen and not _outcome(lambda: setattr(one, "unknown", 5))[0]), ""),
        _outcome(lambda: dataclasses.asdict(one)),
        _outcome(lambda: copy.copy(one)),
        _outcome(lambda: copy.deepcopy(one)),
    ]
    told += [_outcome(lambda name=name: dataclasses.replace(one, **{name: 6})) for name in names]
    return [told_of for told_of in told if "object at 0x" not in told_of[1]]


def test_our_own_values_are_copied_between_processes() -> None:
    spec = TypeSpec(**{field.name: 1 for field in dataclasses.fields(TypeSpec)})
    assert pickle.loads(pickle.dumps(spec)) == spec
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field"):
        spec.importance = 2.0


def test_a_class_of_a_user_may_go_on_from_ours() -> None:
    first = dataclass(frozen=True)(
        type("First", (), {"__annotations__": {"one": int}, "__module__": __name__})
    )
    second = dataclasses.dataclass(frozen=True)(
        type("Second", (first,), {"__annotations__": {"two": int}, "__module__": __name__})
    )
    third = dataclass(frozen=True)(
        type("Third", (second,), {"__annotations__": {"three": int}, "__module__": __name__})
    )
    assert repr(third(1, 2, 3)) == "Third(one=1, two=2, three=3)"
    assert third(1, 2, 3) == third(1, 2, 3) != third(1, 2, 4)
    with pytest.raises(TypeError, match="cannot inherit non-frozen"):
        dataclass(type("Loose", (first,), {"__annotations__": {"two": int}, "__module__": __name__}))


def test_methods_that_a_class_has_are_its_own() -> None:
    said = dataclass(
        type(
            "Said",
            (),
            {"__annotations__": {"one": int}, "__module__": __name__, "__repr__": lambda self: "said"},
        )
    )
    assert repr(said(1)) == "said"
    assert said(1) == said(1) != said(2)
    own = dataclass(frozen=True)(
        type(
            "Own",
            (),
            {"__annotations__": {"one": int}, "__module__": __name__, "__hash__": lambda self: 5},
        )
    )
    assert hash(own(1)) == 5
    assert own(1) == own(1)


def test_a_class_that_goes_on_from_ours_may_ask_for_what_it_overrides() -> None:
    class Own(
        dataclass(frozen=True)(type("Base", (), {"__annotations__": {"one": int}, "__module__": __name__}))
    ):
        def __eq__(self, other: object) -> bool:
            return super().__eq__(other)

        def __hash__(self) -> int:
            return super().__hash__()

        def __repr__(self) -> str:
            return super().__repr__()

    assert Own(1) == Own(1)
    assert hash(Own(1)) == hash(Own(1))
    assert "one=1" in repr(Own(1))


def test_threads_may_be_the_first_to_use_a_class_together() -> None:
    for _ in range(20):
        _, ours = _both([0, 0], {"frozen": True, "slots": True}, after=False)
        begin = threading.Barrier(4)
        made: list[object] = []

        def use(ours: type[Any] = ours, begin: threading.Barrier = begin, made: list[object] = made) -> None:
            begin.wait()
            made.append((ours(1, 2) == ours(1, 2), hash(ours(1, 2)) == hash(ours(1, 2)), repr(ours(1, 2))))

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made == [(True, True, "Some(alpha=1, beta=2)")] * 4
