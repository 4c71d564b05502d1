"""Dataclasses whose methods are made when they are first used.

The standard library compiles up to ten methods as it decorates a class: a millisecond for a frozen one, a third of
the start of a process that loads two hundred and uses eighty. Here it only collects the fields, so that `fields`,
`replace` and `asdict` know these classes as their own; a method is compiled when it is first looked up.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """Decorate a class as `dataclasses.dataclass` would.

        Args:
            options: `frozen`, `slots`, `kw_only`, `order`, `eq` and `repr`, with their usual meaning.

        A missing docstring becomes the class's name, not its signature. An order of fields that no signature allows
        is found by the type checker, or at the first call.
        """
        return _decorated(cls, **options) if cls else lambda decorated: _decorated(decorated, **options)


__all__ = ["dataclass"]

_ORDER: Final = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def _decorated(
    cls: type,
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    order: bool = False,
    eq: bool = True,
    repr: bool = True,  # noqa: A002 - as the standard library calls it
) -> type:
    cls.__doc__ = cls.__doc__ or cls.__name__
    written = {name for name, value in vars(cls).items() if value is not None}
    collect = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
    cls = cast("type", collect(cls))  # With slots, it is another class.
    made: dict[str, Any] = {"__init__": _frozen_init if frozen else _init}
    if repr:
        made["__repr__"] = _repr
    if eq:
        made |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
    if order:
        made |= dict.fromkeys(_ORDER, _compare)
    for name in made.keys() - written:
        late = _Method if name == "__init__" else _late
        setattr(cls, name, made[name] and late(cls, name, made[name]))
    if frozen:
        _freeze(cls, written, slots=slots)
    return cls


_Making: TypeAlias = "Callable[[Any, str], Callable[..., Any]]"


class _Method:
    """An `__init__` until somebody looks it up, who may ask for its signature."""

    __slots__ = ("_cls", "_make", "_name")

    def __init__(self, cls: type, name: str, make: _Making) -> None:
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, instance: object, owner: type) -> Any:
        return _put(self._cls, self._name, self._make).__get__(instance, owner)


def _late(cls: type, name: str, make: _Making) -> Callable[..., Any]:
    """Any other method until somebody calls it.

    Python takes an error in the lookup of one for its absence: with an interrupt, what is equal would be told apart.
    """

    def method(*given: object) -> Any:
        return _put(cls, name, make)(*given)

    return method


def _put(cls: type, name: str, make: _Making) -> Callable[..., Any]:
    """Make a method, which stands in its class from then on."""
    made = make(cls, name)
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    made.__module__ = cls.__module__
    setattr(cls, name, made)
    return made


class _Factory:
    """Default of a parameter whose field has a factory, as signatures show it."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY: Final = _Factory()


def _init(cls: Any, name: str, assignment: str = "self.{0} = {1}") -> Callable[..., Any]:
    """A parameter for each field, assigned in their order."""
    known: dict[str, Any] = {"_FACTORY": _FACTORY, "_set": object.__setattr__}
    parameters: dict[bool, list[str]] = {False: ["self"], True: []}
    body: list[str] = []
    for field in fields(cls):
        value, default = _value_of(field, known)
        if field.init:
            parameters[bool(field.kw_only)].append(field.name + default)
        if value:
            body.append(assignment.format(field.name, value))
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    keywords = ["*", *parameters[True]] if parameters[True] else []
    made = _compiled(name, [*parameters[False], *keywords], body or ["pass"], known)
    made.__annotations__ = {field.name: field.type for field in fields(cls) if field.init} | {"return": None}
    return made


def _frozen_init(cls: Any, name: str) -> Callable[..., Any]:
    return _init(cls, name, "_set(self, {0!r}, {1})")


def _value_of(field: Field[Any], known: dict[str, Any]) -> tuple[str, str]:
    """Expression of a field's value, and the default of its parameter; what these mention is added to `known`."""
    name, default = field.name, f"_default_{field.name}"
    if field.default_factory is not MISSING:
        known[default] = field.default_factory
        value = f"{default}() if {name} is _FACTORY else {name}" if field.init else f"{default}()"
        return value, "=_FACTORY"
    if field.default is MISSING:
        return (name if field.init else ""), ""
    known[default] = field.default
    return (name if field.init else default), f"={default}"


def _repr(cls: Any, name: str) -> Callable[..., Any]:
    pairs = ", ".join(f"{field.name}={{self.{field.name}!r}}" for field in fields(cls) if field.repr)
    return recursive_repr()(
        _compiled(name, ["self"], [f'return f"{{self.__class__.__qualname__}}({pairs})"'])
    )


def _eq(cls: Any, name: str) -> Callable[..., Any]:
    return _compare(cls, name, "==")


def _compare(cls: Any, name: str, sign: str = "") -> Callable[..., Any]:
    mine, theirs = (
        _tuple(of, (field.name for field in fields(cls) if field.compare)) for of in ("self", "other")
    )
    body = ["if other.__class__ is self.__class__:", f" return {mine} {sign or _ORDER[name]} {theirs}"]
    return _compiled(name, ["self", "other"], [*body, "return NotImplemented"])


def _hash(cls: Any, name: str) -> Callable[..., Any]:
    hashed = (field.name for field in fields(cls) if (field.compare if field.hash is None else field.hash))
    return _compiled(name, ["self"], [f"return hash({_tuple('self', hashed)})"])


def _tuple(of: str, names: Iterable[str]) -> str:
    return "(" + "".join(f"{of}.{name}, " for name in names) + ")"


def _compiled(
    name: str, parameters: list[str], body: list[str], known: dict[str, Any] | None = None
) -> Callable[..., Any]:
    names: dict[str, Any] = dict(known or {})
    source = f"def {name}({', '.join(parameters)}):\n " + "\n ".join(body)
    # An interrupt in a text that is executed would end the process by a signal later, although it was handled.
    exec(compile(source, "<string>", "exec"), names)  # noqa: S102 - of names of fields
    return names[name]


def _freeze(cls: Any, written: set[str], *, slots: bool) -> None:
    """Refuse to assign and delete the fields of a class, and anything of its own instances."""
    names = frozenset(field.name for field in fields(cls))

    def assign(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    made: dict[str, Any] = {"__setattr__": assign, "__delattr__": delete}
    if slots:
        made |= {"__getstate__": _state, "__setstate__": _restore}
    for name in made.keys() - written:
        setattr(cls, name, made[name])


def _state(self: Any) -> list[object]:
    """State for `pickle` and `copy`, which would assign to a frozen object's slots."""
    return [getattr(self, field.name) for field in fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for field, value in zip(fields(self), state, strict=False):
        object.__setattr__(self, field.name, value)
