"""Making commands of functions."""

from __future__ import annotations

import inspect
import logging
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial, wraps
from typing import Any, Final, cast, get_type_hints, is_typeddict

import typer
from typer.core import TyperCommand
from typer.main import get_command

from simonides.edges.cli.options import Common
from simonides.errors import InvalidInput

_log = logging.getLogger("simonides.cli")
#: Columns below which typer takes a terminal for wider than it is, and those below which no help can be read.
_NARROW: Final = 52
_NARROWEST: Final = 30
#: Columns that typer leaves free at the right, and those of names there that have their text beside them.
_MARGIN: Final = 2
_NAMES: Final = 11
#: Types of values that need no check.
_PLAIN: Final = (str, int, float)


#: What typer writes of a parameter in its own notation: `ID <str>`, `[default: (11435); 0<=x<=65535]`.
_TYPE: Final = re.compile(r" <\w+>$")
_DEFAULT: Final = re.compile(r"\[default: \(([^()]*)\)(;|\])")
_BOUNDS: Final = re.compile(r"\b(\d+)<=x<=(\d+)(?=\])")
_LEAST: Final = re.compile(r"\bx>=(\d+)(?=\])")


class App:
    """The commands of a file: one that stands by itself, or a group with its help, which may do something itself.

    Their options are read when a command is to run or to show its help: a list of all commands needs none of them.
    """

    def __init__(self, help_: str | None) -> None:
        self._help = help_
        self._commands: list[tuple[Callable[..., None], dict[str, Any]]] = []
        self._own: tuple[Callable[..., None], dict[str, Any]] | None = None

    def add(self, function: Callable[..., None], settings: dict[str, Any], *, own: bool = False) -> None:
        """Take in a command, with what typer is told of it.

        Args:
            own: It is what the group does where none of its commands is named.
        """
        if own:
            self._own = function, {name: value for name, value in settings.items() if name != "name"}
        else:
            self._commands.append((function, settings))

    def summary(self, width: int) -> str:
        """The help in one line of this width."""
        text = self._help or inspect.getdoc(self._commands[0][0])
        return TyperCommand(None, help=text).get_short_help_str(width)

    def made(self) -> Any:
        """The command or group, as typer runs it."""
        app = typer.Typer(
            help=self._help, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
        )
        if self._own is not None:
            function, settings = self._own
            own = _unless_told(_guarded(unfolded(function)))
            app.callback(invoke_without_command=True, help=inspect.getdoc(function), **settings)(own)
        elif self._help is not None:
            app.callback(invoke_without_command=True)(help_unless_told)
        for function, settings in self._commands:
            app.command(**settings)(_guarded(unfolded(function)))
        made = get_command(app)
        for one in (made, *getattr(made, "commands", {}).values()):
            spare_checks(one)
            one.format_help = partial(_fitted, one.format_help)
        return made


def spare_checks(command: Any) -> None:
    """Let the parameters of a command check values only where there is something to check.

    Typer has pydantic make a check for every parameter that a command has, given or not: that took as long as all that
    is between the call of a command and its work.
    """
    command.get_params = partial(_spared, command.get_params)


def fit(formatter: Any) -> None:
    """Let a help text follow a terminal that is narrower than typer goes: long names get a line of their own."""
    columns = shutil.get_terminal_size().columns
    if columns < _NARROW:
        formatter.width = max(columns, _NARROWEST) - _MARGIN
        formatter.write_dl = partial(formatter.write_dl, col_max=_NAMES)


def _fitted(format_help: Callable[[Any, Any], None], ctx: Any, formatter: Any) -> None:
    fit(formatter)
    format_help(ctx, formatter)


def _spared(parameters: Callable[[Any], list[Any]], ctx: Any) -> list[Any]:
    accepted = parameters(ctx)
    for parameter in accepted:
        if not isinstance(parameter.get_help_record, partial):
            parameter.get_help_record = partial(_line_of_help, parameter.get_help_record)
        if not isinstance(parameter.get_runtime_param, partial):
            parameter.get_runtime_param = partial(_Checks, parameter.get_runtime_param)
    return accepted


def _line_of_help(record: Callable[[Any], tuple[str, str] | None], ctx: Any) -> tuple[str, str] | None:
    """A parameter and its help as typer words them, without the type behind a name, and with bounds in words."""
    line = record(ctx)
    if line is None:
        return None
    name, text = line
    text = _LEAST.sub(r"\1 or more", _BOUNDS.sub(r"\1 to \2", text))
    return _TYPE.sub("", name), _DEFAULT.sub(r"[default: \1\2", text)


class _Checks:
    """Checks of a parameter's value, as typer asks for them."""

    def __init__(self, made: Callable[[], Any]) -> None:
        self._made = made

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        """The value in its own type. None is not given; a text is what was typed, a number is a default.

        Raises:
            BadParameter: It is no such value.
        """
        if param.multiple or param.nargs == -1:
            if not value:
                return () if value is None else []
            return self._made().coerce(value, param=param, ctx=ctx)
        kind: Any = param.type_descriptor.annotation
        if value is None or (kind in _PLAIN and type(value) is kind):
            return value
        return self._made().coerce(value, param=param, ctx=ctx)


def commands(help_: str | None = None) -> App:
    """An app to register commands in. One command stands by itself; several are a group, with its help."""
    return App(help_)


def help_unless_told(ctx: typer.Context) -> None:
    """Show the help of a group where none of its commands is named."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def _unless_told(call: Callable[..., None]) -> Callable[..., None]:
    """The call of a group, made where none of its commands is named; then there are no options of its own, either."""

    @wraps(call)
    def unless(**given: Any) -> None:
        ctx = given["ctx"]
        if ctx.invoked_subcommand is None:
            call(**given)
        elif any(ctx.get_parameter_source(name).name == "COMMANDLINE" for name in given if name != "ctx"):
            below = ctx.invoked_subcommand
            raise InvalidInput(f"options before `{below}` are none of its own; write them behind it")

    return unless


def command(app: App, name: str, *, example: str, own: bool = False, **settings: Any) -> Callable[[Any], Any]:
    """Make a function a command of an app.

    A parameter that is a dataclass becomes the options of its fields; a `Common` is joined with the
    options before the command's name. A typed dictionary of filters becomes the options of those that
    have one. What the reader of the output no longer wants is dropped in silence.

    Args:
        app: One of `commands()`.
        name: As it is typed.
        example: Shown at the end of its help, as written.
        own: It is what the group of this name does where none of its commands is named.
    """

    def register(function: Callable[..., None]) -> Callable[..., None]:
        app.add(function, {"name": name, "epilog": "\b\nExample:\n" + example, **settings}, own=own)
        return function

    return register


def unfolded(function: Callable[..., None]) -> Callable[..., None]:
    """The function as typer wants it: parameters that are dataclasses or filters replaced by their fields."""
    hints = get_type_hints(function, include_extras=True)
    folded = {name: kind for name, kind in hints.items() if is_dataclass(kind) or is_typeddict(kind)}
    parameters = [inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    given_parameters = inspect.signature(function).parameters.items()
    # What is a command's own stands in its help before what it shares with others.
    for name, given in sorted(
        given_parameters, key=lambda pair: (pair[0] in folded, hints[pair[0]] is Common)
    ):
        if name in folded:
            parameters += _parameters(folded[name])
        elif hints[name] is not typer.Context:
            parameters.append(given.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name]))

    def call(*, ctx: typer.Context, **given: Any) -> None:
        for name, kind in folded.items():
            options = {option.name: given.pop(option.name) for option in _parameters(kind)}
            if is_typeddict(kind):
                given[name] = {option: value for option, value in options.items() if value}
                continue
            value: Any = cast("type[Any]", kind)(**options)
            given[name] = value.after(ctx.obj) if isinstance(value, Common) else value
        if "ctx" in hints:
            given["ctx"] = ctx
        function(**given)

    call.__doc__, call.__name__ = function.__doc__, function.__name__
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    cast("Any", call).__signature__ = inspect.Signature(parameters)
    return call


def _parameters(kind: Any) -> list[inspect.Parameter]:
    if is_typeddict(kind):
        from simonides.edges.cli.filters import options_of  # noqa: PLC0415 - only where something is filtered

        return options_of(kind)
    hints = get_type_hints(kind, include_extras=True)
    return [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(kind)
    ]


def _guarded(call: Callable[..., None]) -> Callable[..., None]:
    @wraps(call)
    def guarded(**given: Any) -> None:
        debug = _wants_debug(given)
        if debug:
            logging.basicConfig(
                level=logging.DEBUG, format="%(relativeCreated)6.0f ms  %(name)s: %(message)s", force=True
            )
        try:
            call(**given)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whoever read has seen enough. Nothing may be flushed to the closed pipe at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise typer.Exit(0) from None
        except Exception as error:
            if debug and not isinstance(error, typer.Exit | typer.TyperException):
                _log.exception("failed")
            raise
        finally:
            if debug:
                _log.debug("done")

    return guarded


def _wants_debug(given: Mapping[str, Any]) -> bool:
    before = given["ctx"].obj
    return bool(given.get("debug")) or (isinstance(before, Common) and before.debug)
