"""simonides hook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.errors import InvalidInput

app = commands("Give a coding agent a memory by its hooks.")
_Event = Annotated[
    str, typer.Argument(metavar="EVENT", help="As the agent calls it; its JSON comes on standard input.")
]


@command(app, "claude-code", example="  simonides hook claude-code SessionStart --user ana < event.json")
def claude_code(common: Common, place: ScopeOptions, event: _Event) -> None:
    """Answer an event of Claude Code."""
    _call("claude-code", event, common, place)


@command(app, "codex", example="  simonides hook codex UserPromptSubmit --user ana < event.json")
def codex(common: Common, place: ScopeOptions, event: _Event) -> None:
    """Answer an event of Codex."""
    _call("codex", event, common, place)


@command(
    app,
    "install",
    example="""\
  simonides hook install --client claude-code --user ana --dry-run
  simonides hook install --client codex --user ana""",
)
def install(
    common: Common,
    place: ScopeOptions,
    client: Annotated[str, typer.Option(metavar="NAME", help="claude-code or codex.")],
    folder: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="The agent's folder, where it is not the user's own."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the changes only.")] = False,
) -> None:
    """Write hooks and a skill into an agent's configuration.

    Other hooks stay, and the former file is kept beside it. The project of a session is added to the scope.
    """
    from dataclasses import replace  # noqa: PLC0415

    from simonides.edges.cli.changes import carry_out  # noqa: PLC0415
    from simonides.edges.install.agents import AGENTS, skill_text  # noqa: PLC0415
    from simonides.edges.install.change import FileChange, text_of  # noqa: PLC0415

    if client not in AGENTS:
        raise InvalidInput(f"--client is one of {', '.join(AGENTS)}, not {client!r}")
    agent = AGENTS[client]
    if folder is not None:
        agent = replace(agent, folder=folder.expanduser)
    stored, where = common.installed()
    options = [*stored, *_scope(place)]
    path = agent.folder() / agent.hooks
    before = text_of(path)
    try:
        hooks = FileChange(path, before, agent.with_hooks(before or "", client, options))
    except InvalidInput as error:
        raise InvalidInput(f"{path} cannot be changed: {error}; mend it first") from error
    skill = FileChange(agent.skill(), text_of(agent.skill()), skill_text(options))
    carry_out(common, [hooks, skill], dry_run=dry_run)
    common.remark(f"{client} has a memory from its next session on; {where}" if not dry_run else where)


def _call(agent: str, event: str, common: Common, place: ScopeOptions) -> None:
    from simonides.edges.hooks.call import main  # noqa: PLC0415

    given = [] if common.db is None else ["--db", str(common.address())]
    main([agent, event, *given, *_scope(place)])


def _scope(place: ScopeOptions) -> list[str]:
    return [] if place.path is None else ["--scope", str(place.path)]
