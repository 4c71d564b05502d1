"""`simonides`: finds the command, and turns errors into one line and an exit code."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, Final, NoReturn, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

import simonides
from simonides.edges.cli import exits
from simonides.edges.cli.command import App, fit, help_unless_told, spare_checks, unfolded
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import note
from simonides.errors import InvalidInput, SimonidesError

#: Every command by section, in the order of the help. Each is the module of its name in `commands/`.
SECTIONS: Final = {
    "Remember": (
        *("add", "ingest", "extract", "update", "correct", "link"),
        *("reinforce", "demote", "confirm", "forget", "restore", "purge"),
    ),
    "Recall": (
        *("search", "context", "show", "list", "history", "explain", "why", "weak"),
        *("sessions", "entities", "graph", "records", "documents"),
    ),
    "Serve": ("serve", "keys"),
    "Chat": ("chat", "proxy", "mcp", "hook", "agent"),
    "Govern": ("review", "policy", "palace", "audit"),
    "Organise": ("consolidate", "maintain", "schedule", "worker", "runs", "undo"),
    "Keep": (
        "stats",
        "settings",
        "report",
        "doctor",
        "backup",
        "export",
        "import",
        "backfill",
        "rebuild-fts",
        "reindex",
        "rekey",
        "migrate",
        "copy",
    ),
    "Try": ("demo", "tools"),
}
COMMANDS: Final = tuple(name for names in SECTIONS.values() for name in names)
#: Columns of a command's name and its line in the help; in a narrower terminal it is wrapped, never cut.
_SUMMARY: Final = 78
#: Objects made and not gone, after which a command looks for garbage.
_BETWEEN_LOOKS: Final = 50_000
#: Commands of other tools, and what does it here.
_ELSEWHERE: Final = {
    "ask": "search",
    "check": "doctor",
    "config": "settings",
    "delete": "forget` or `simonides purge",
    "del": "forget` or `simonides purge",
    "edit": "update",
    "find": "search",
    "fix": "correct",
    "get": "show",
    "init": "add",
    "load": "import",
    "ls": "list",
    "new": "add",
    "query": "search",
    "read": "show",
    "recall": "search",
    "remember": "add",
    "remove": "forget` or `simonides purge",
    "retrieve": "search",
    "rm": "forget` or `simonides purge",
    "save": "add",
    "server": "serve",
    "start": "serve",
    "status": "stats",
    "store": "add",
    "upkeep": "maintain",
    "verify": "audit verify",
    "version": "--version",
    "view": "show",
    "write": "add",
}
_EPILOG: Final = "\b\nExit codes:\n" + "\n".join(
    f"  {code:>3}  {meaning}" for code, meaning in exits.MEANINGS.items()
)


class Commands(TyperGroup):
    """The commands, each imported when it is asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        # Typer looks here for names that are near a mistyped one.
        self.commands = cast("dict[str, Any]", dict.fromkeys(COMMANDS))

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        if self.commands[cmd_name] is None:
            made = _app(cmd_name).made()
            made.name = cmd_name
            self.commands[cmd_name] = made
        return self.commands[cmd_name]

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if (does := _ELSEWHERE.get(args[0])) is not None:
            raise InvalidInput(f"there is no command {args[0]!r}; use `simonides {does}`")
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        fit(formatter)
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        space = max(map(len, COMMANDS))
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl(
                    [
                        (
                            f"{name:<{space}}",
                            _app(name).summary(_SUMMARY - space),
                        )
                        for name in names
                    ]
                )

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,  # noqa: ARG002
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run, and leave the process with the exit code of `exits`."""
        given = sys.argv[1:] if args is None else args
        fail = partial(_fail_unheard, given)
        if "hook" not in given or not _is_hook_call(given):
            fail = partial(_fail, as_json="--json" in given)
        try:
            code = super().main(args, "simonides", complete_var, False, windows_expand_args, **extra)
            _finish(code if isinstance(code, int) else exits.OK)
        except SimonidesError as error:
            fail(_by_hand(given, error.worded(command_of)), exits.code_of(error), error.code)
        except typer.TyperException as error:
            path = getattr(getattr(error, "ctx", None), "command_path", "simonides")
            text = error.format_message()
            fail(f"{text}{'' if text.endswith(('.', '?')) else '.'} `{path} --help` tells more", exits.USAGE)
        except typer.Abort:
            fail("cancelled; nothing was changed", exits.INTERRUPTED)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            fail(
                f"{where}{error.strerror or error}; check the path, its permissions and the disk", exits.STORE
            )
        except Exception as error:  # noqa: BLE001 - the outermost edge
            fail(f"unexpected {type(error).__name__}: {error}; --debug shows where", exits.WRONG)


def command_of(verb: str) -> str | None:
    """The command that a verb of `Memory` is; None where it is none."""
    words = verb.replace("_", "-").split(".")
    if words[0] not in COMMANDS:
        return None
    below = getattr(_app(words[0]).made(), "commands", None)
    known = below is None if not words[1:] else words[1] in (below or ())
    return f"`simonides {' '.join(words)}`" if known else None


def _app(command: str) -> App:
    """The file of a command."""
    name = "import_" if command == "import" else command.replace("-", "_")
    return import_module(f"simonides.edges.cli.commands.{name}").app


def _by_hand(given: Sequence[str], text: str) -> str:
    """An error whose commands name the store that the arguments name."""
    before = list(given[: given.index("--")]) if "--" in given else list(given)
    named = [one.partition("=")[2] for one in before if one.startswith("--db=")]
    named += [value for option, value in pairwise(before) if option == "--db"]
    with contextlib.suppress(SimonidesError):  # What the error may be about: settings, or the address itself.
        return Common(db=named[-1]).by_hand(text) if named else text
    return text


def _finish(code: int) -> NoReturn:
    if code == exits.INTERRUPTED:
        _fail("interrupted; what was reported as done is kept", code)
    sys.exit(code)


def _fail(message: str, code: int, name: str | None = None, *, as_json: bool = False) -> NoReturn:
    """End with an error: one line, or an object on standard error where answers are JSON."""
    line = " ".join(message.split())
    if as_json:
        import json  # noqa: PLC0415 - most commands write none

        line = json.dumps({"error": {"code": name or exits.NAMES[code], "message": line}}, ensure_ascii=False)
    with contextlib.suppress(BrokenPipeError):
        note(line if as_json else f"simonides: {line}")
    sys.exit(code)


def _is_hook_call(arguments: Sequence[str]) -> bool:
    from simonides.edges.hooks.call import is_call  # noqa: PLC0415 - for hooks alone

    return is_call(arguments)


def _fail_unheard(
    arguments: Sequence[str],
    message: str,
    code: int,  # noqa: ARG001
    name: str | None = None,  # noqa: ARG001
) -> NoReturn:
    """End an agent's call of a hook, which never fails: the log says what was wrong."""
    from simonides.edges.hooks.call import log  # noqa: PLC0415 - for hooks alone

    with contextlib.suppress(Exception):
        log(f"{' '.join(arguments)}: {message}")
    sys.exit(exits.OK)


app = typer.Typer(
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"simonides {simonides.__version__}")
        raise typer.Exit


def _root(
    ctx: typer.Context,
    common: Common,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Long-term memory for LLM agents, in one SQLite file.

    Options may come before or after the name of a command. Without a scope, commands work in `global`;
    `stats` and `export` cover everything.
    """
    del version
    ctx.obj = common
    help_unless_told(ctx)


app.callback(invoke_without_command=True, epilog=_EPILOG)(unfolded(_root))


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets a substitute, not a traceback.
        with contextlib.suppress(AttributeError):
            cast("Any", stream).reconfigure(errors="replace")
    # Of what is imported nothing is garbage: looking for some took a tenth of a start.
    gc.set_threshold(_BETWEEN_LOOKS)
    command = get_command(app)
    spare_checks(command)
    command.main()
