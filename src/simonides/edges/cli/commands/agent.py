"""simonides agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from simonides.edges.cli import exits
from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ItemTarget, ScopeOptions

app = commands("Speak for a coding agent, never for its user.")


@command(app, "recall", example='  simonides agent recall "which branch do we deploy from?" --user ana')
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
  simonides agent propose "We deploy from branch release." \\
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


@command(app, "forget", example='  simonides agent forget "we deploy from main" --user ana')
def forget(
    common: Common,
    place: ScopeOptions,
    target: ItemTarget,
) -> None:
    """Take back what an agent proposed.

    What others said waits for review, unless the user just asked to forget it.
    """
    common.out.json(_called("memory.forget", common, place, {"target": target}))


def _called(tool: str, common: Common, place: ScopeOptions, given: dict[str, Any]) -> dict[str, Any]:
    """The answer to an agent's call of a tool from where its hooks keep, in the conversation last heard of there."""
    from simonides.agent.tools import Tools  # noqa: PLC0415
    from simonides.domain.scope import Scope  # noqa: PLC0415
    from simonides.edges.hooks.events import scope_in  # noqa: PLC0415

    scope = scope_in(str(Path.cwd()), place.path or Scope())
    with common.memory(makes=True) as memory:
        heard = (session for session in memory.sessions.list(scope=scope) if session.scope == scope)
        session = next(heard, None)
        tools = Tools(
            memory,
            scope=scope,
            session_id=None if session is None else session.session_id,
            store_options=common.store_options(),
        )
        answer = tools.call(tool, given)
    if "error" in answer:
        common.out.json(answer)
        raise typer.Exit(exits.code_named(str(answer["error"].get("code"))))
    return answer
