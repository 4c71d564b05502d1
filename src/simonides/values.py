"""Data classes whose methods are written when they are first used: writing all of them was a third of every start.

`dataclass` here is `dataclasses.dataclass`, of the options that this package has: the same fields, parameters,
signatures, comparisons and errors. What a class defines itself, or takes from another data class, is written at once.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type[Any] | None = None, /, **options: bool) -> Any:
        """Make a data class; for type checkers, this is the standard one."""
        return _made(cls, **options) if cls else lambda cls: _made(cls, **options)


__all__ = ["dataclass"]

_WRITTEN: Final = ("__init__", "__repr__", "__eq__", "__hash__")
#: Without a docstring, the standard one writes the signature at once, as its docstring.
_UNTOLD: Final = "A value."


class _Later:
    """A method of a data class, until it is first asked for."""

    def __init__(self, name: str, cls: Any) -> None:
        self._name = name
        self._cls = cls

    def __get__(self, instance: object, owner: object = None) -> Any:
        cls, name = self._cls, self._name
        written = _init_of(cls) if name == "__init__" else _standard(cls, name)
        setattr(cls, name, written)
        return written.__get__(instance, owner)


class _Factory:
    """Default of a parameter whose value is made for each object, as signatures show it."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY: Final = _Factory()


def _made(
    cls: type[Any],
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    repr: bool = True,  # noqa: A002 - the standard one's
    **other: bool,
) -> type[Any]:
    own = vars(cls).keys() & {"__init__", "__eq__", "__hash__", "__setattr__", "__delattr__"}
    if other or own or any(map(dataclasses.is_dataclass, cls.__bases__)):
        return dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, repr=repr, **other)(cls)
    names = [name for name in _WRITTEN if name not in vars(cls) and (repr or name != "__repr__")]
    cls.__doc__ = cls.__doc__ or _UNTOLD
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    for name in names:
        setattr(made, name, _Later(name, made))
    made.__dataclass_params__ = _params(frozen=frozen, slots=slots, kw_only=kw_only, repr=repr)
    if frozen:
        _freeze(made, slots=slots)
    else:
        made.__hash__ = None
    return made


def _init_of(cls: Any) -> Any:
    """The method that takes the fields of a class."""
    fields = dataclasses.fields(cls)
    taken = sorted((field for field in fields if field.init), key=lambda field: field.kw_only is True)
    assign = '_set(self, "{0}", {1})' if cls.__dataclass_params__.frozen else "self.{0} = {1}"
    known: dict[str, Any] = {"_set": object.__setattr__, "_factory": _FACTORY}
    parameters = ["self"]
    for field in taken:
        if field.kw_only and "*" not in parameters:
            parameters.append("*")
        if field.default_factory is not dataclasses.MISSING:
            parameters.append(f"{field.name}=_factory")
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{field.name}"] = field.default
            parameters.append(f"{field.name}=_default_{field.name}")
        else:
            parameters.append(field.name)
    body: list[str] = []
    for field in fields:
        value = field.name
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{field.name}"] = field.default_factory
            value = f"_make_{field.name}()"
            value = f"{value} if {field.name} is _factory else {field.name}" if field.init else value
        elif not field.init:
            continue  # Another method sets it.
        body.append(assign.format(field.name, value))
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    lines = [f"def __init__({', '.join(parameters)}):", *(body or ["pass"])]
    exec("\n ".join(lines), known)  # noqa: S102 - as `dataclasses` does it; names of fields are all that varies
    written = known["__init__"]
    written.__annotations__ = {field.name: field.type for field in taken} | {"return": None}
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    written.__module__ = cls.__module__
    return written


def _standard(cls: Any, method: str) -> Any:
    """One of the other methods, as a standard data class of the same fields has it."""
    compared = method != "__repr__"
    namespace = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": _UNTOLD}
    twin = dataclasses.make_dataclass(
        cls.__name__,
        [(field.name, field.type, field) for field in dataclasses.fields(cls)],
        namespace=namespace,
        init=False,
        repr=not compared,
        eq=compared,
        unsafe_hash=method == "__hash__",
    )
    return getattr(twin, method)


@cache
def _params(**options: bool) -> Any:
    """What a class tells of how it was made."""
    made: Any = dataclasses.dataclass(**options)(type("Made", (), {}))
    return made.__dataclass_params__


def _freeze(cls: Any, *, slots: bool) -> None:
    names = frozenset(field.name for field in dataclasses.fields(cls))

    def refuse_setting(self: object, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def refuse_deleting(self: object, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__ = refuse_setting
    cls.__delattr__ = refuse_deleting
    if slots:
        cls.__getstate__ = _state
        cls.__setstate__ = _restore


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
