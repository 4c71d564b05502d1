"""simonides hook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simonides.edges.cli import exits
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


@command(app, "recall", example='  simonides hook recall "which branch do we deploy from?" --user ana')
def recall(
    common: Common,
    place: ScopeOptions,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What the agent wants to know.")],
) -> None:
    """Tell an agent what is known about a question.

    It looks from where hooks keep: the project of this folder, within the scope that is named.
    """
    answer = _called("memory.context", common, place, {"query": question})
    common.answer(answer, lambda out: out.prose(answer["text"] or "nothing is known"))


@command(
    app,
    "propose",
    example="""\
  simonides hook propose "We deploy from branch release." \\
    --type decision --why "asked to" --user ana""",
)
def propose(
    common: Common,
    place: ScopeOptions,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="One statement that stands by itself.")],
    why: Annotated[str, typer.Option(metavar="REASON", help="Why it will be worth knowing.")],
    kind: Annotated[
        str | None, typer.Option("--type", metavar="NAME", help="fact, decision, todo, …")
    ] = None,
) -> None:
    """Keep what an agent would like to remember.

    It goes where hooks keep, and is never the user's word. It is judged as a model's proposal: what only the user can
    say waits for review, unless their prompts bear it out.
    """
    given = {"content": text, "why_store": why} | ({} if kind is None else {"type": kind})
    common.out.json(_called("memory.write", common, place, given))


@command(app, "forget", example='  simonides hook forget "we deploy from main" --user ana')
def forget(
    common: Common,
    place: ScopeOptions,
    target: Annotated[str, typer.Argument(metavar="ID|WORDS", help="An item's id, or words that name it.")],
) -> None:
    """Take back what an agent proposed.

    What others said waits for review, unless the user just asked to forget it.
    """
    common.out.json(_called("memory.forget", common, place, {"target": target}))


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

    from simonides.edges.cli.changes import told  # noqa: PLC0415
    from simonides.edges.install.agents import AGENTS, skill_text  # noqa: PLC0415
    from simonides.edges.install.change import FileChange, text_of  # noqa: PLC0415

    if client not in AGENTS:
        raise InvalidInput(f"--client is one of {', '.join(AGENTS)}, not {client!r}")
    agent = AGENTS[client]
    if folder is not None:
        agent = replace(agent, folder=folder.expanduser)
    options = _options(common, place)
    path = agent.folder() / agent.hooks
    before = text_of(path)
    try:
        hooks = FileChange(path, before, agent.with_hooks(before or "", client, options))
    except InvalidInput as error:
        raise InvalidInput(f"{path} cannot be changed: {error}; mend it first") from error
    skill = FileChange(agent.skill(), text_of(agent.skill()), skill_text(options))
    told(common, [hooks, skill], dry_run=dry_run)


def _call(agent: str, event: str, common: Common, place: ScopeOptions) -> None:
    from simonides.edges.hooks.call import main  # noqa: PLC0415

    main([agent, event, *_options(common, place)])


def _called(tool: str, common: Common, place: ScopeOptions, given: dict[str, Any]) -> dict[str, Any]:
    """The answer to an agent's call of a tool from where its hooks keep, in the conversation last heard of there."""
    from simonides.agent.tools import Tools  # noqa: PLC0415
    from simonides.domain.scope import Scope  # noqa: PLC0415
    from simonides.edges.hooks.events import scope_in  # noqa: PLC0415

    scope = scope_in(str(Path.cwd()), place.path or Scope())
    with common.memory(makes=True) as memory:
        heard = (session for session in memory.sessions.list(scope=scope) if session.scope == scope)
        session = next(heard, None)
        tools = Tools(memory, scope=scope, session_id=None if session is None else session.session_id)
        answer = tools.call(tool, given)
    if "error" in answer:
        common.out.json(answer)
        raise typer.Exit(exits.code_named(str(answer["error"].get("code"))))
    return answer


def _options(common: Common, place: ScopeOptions) -> list[str]:
    """Options that were given, for the command of a hook."""
    found = [] if common.db is None else ["--db", str(common.address())]
    return found if place.path is None else [*found, "--scope", str(place.path)]
