"""simonides chat."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.options import Common, ScopeOptions
from simonides.edges.cli.output import on_terminal

app = commands()


@command(
    app,
    "chat",
    example="""\
  simonides chat --model ollama:llama3.2 --user ana
  simonides chat --session monday --mode catalog
  simonides chat --model ollama:llama3.2 --json < questions.txt""",
)
def chat(
    common: Common,
    place: ScopeOptions,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Such as ollama:llama3.2 or openai:gpt-4.1-mini.", show_default="model"
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The conversation to continue, or to begin."),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="inject, catalog, hybrid, tools-only or off.",
            show_default="middleware.mode",
        ),
    ] = None,
) -> None:
    """Talk to a model that remembers, or to the memory itself.

    Shows what was recalled before each answer, and what was stored or refused after it. Without a model,
    a line that ends in a question mark is a search, "forget that …" lets go of what it names, and any
    other line is remembered. /help lists the commands; an empty line, /quit or the end of input ends the
    chat.

    In a pipe each line is a turn. With --json each turn answers with a line of JSON, with --quiet with the
    model's words alone. Exits with 1 if the model failed.
    """
    from simonides import streaming_model  # noqa: PLC0415 - brings the engine along
    from simonides.edges.cli.talk import MemoryDialogue, ModelDialogue, in_lines, name_of  # noqa: PLC0415

    with common.memory(makes=True) as memory:
        chat_model = streaming_model(memory.settings, model)
        where = name_of(place.path, session, mode)
        with (
            ModelDialogue(common, memory, chat_model, where)
            if chat_model
            else MemoryDialogue(common, memory, where) as talk
        ):
            typed = on_terminal(sys.stdin) and common.out.terminal
            talk.run(in_lines(common, typed=typed), greet=typed)
    if talk.failed:
        raise typer.Exit(1)
