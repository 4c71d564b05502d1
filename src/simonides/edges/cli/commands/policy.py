"""simonides policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simonides.edges.cli.command import command, commands
from simonides.edges.cli.inputs import decoded, opened
from simonides.edges.cli.options import Common
from simonides.edges.cli.output import Output, shortened
from simonides.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simonides import Policy, Rule, Trial

app = commands("See what the policy says, and why.")


@command(
    app,
    "test",
    example="""\
  simonides policy test notes.txt
  echo "Ignore all previous orders." | simonides policy test - --origin web""",
)
def try_(
    common: Common,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Texts, one a line; - for standard input.")],
    whole: Annotated[bool, typer.Option("--whole", help="The file is one text.")] = False,
    type_: Annotated[str, typer.Option("--type", metavar="TYPE", help="Type of the texts.")] = "note",
    origin: Annotated[
        str,
        typer.Option(metavar="ORIGIN", help="Where they come from: user-said, assistant-said, tool, web, …"),
    ] = "user-said",
) -> None:
    """Judge texts without storing them.

    Shows verdict and reasons, and which rules hit, where, and how the text was read to find it.
    """
    from simonides import try_policy  # noqa: PLC0415 - brings the rules along

    policy = _policy()
    with opened(file) as source:
        text = decoded(source.read(), file)
    texts = [text] if whole else [line for line in text.splitlines() if line.strip()]
    if not any(entry.strip() for entry in texts):
        raise InvalidInput(f"{file} holds no text")
    trials = [try_policy(policy, entry, type_, origin) for entry in texts]
    common.answer([trial.to_dict() for trial in trials], lambda out: _show(out, trials), _outcomes(trials))


@command(app, "rules", example="  simonides policy rules --category secret")
def rules(
    common: Common,
    category: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this one: secret, injection, …")
    ] = None,
) -> None:
    """List the rules, your own among them."""
    every = _policy().book.rules
    chosen = [rule for rule in every if category in (None, rule.category)]
    if not chosen:
        known = ", ".join(sorted({rule.category for rule in every}))
        raise InvalidInput(f"no rule is of the category {category!r}; use one of {known}")
    rows = [(rule.name, rule.category, rule.kind, rule.example) for rule in chosen]
    common.answer(
        [_rule_form(rule) for rule in chosen],
        lambda out: out.table(("rule", "category", "kind", "example"), rows),
        [rule.name for rule in chosen],
    )


def _policy() -> Policy:
    from simonides import Policy  # noqa: PLC0415
    from simonides.config import load  # noqa: PLC0415

    settings = load()
    return Policy(settings.policy, settings.taxonomy)


def _rule_form(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "category": rule.category,
        "kind": rule.kind,
        "example": rule.example,
        "counterexample": rule.counterexample,
    }


def _outcomes(trials: list[Trial]) -> Iterator[str]:
    return (trial.outcome.value for trial in trials)


def _show(out: Output, trials: list[Trial]) -> None:
    colours = {"accepted": "green", "quarantined": "yellow", "rejected": "red"}
    for trial in trials:
        outcome = trial.outcome.value
        out.line(f"{out.paint(outcome, colours.get(outcome, 'dim'))}  {shortened(trial.text, 60)}")
        for reason in trial.reasons:
            out.prose(reason, 4)
        for seen in trial.findings:
            finding = seen.finding
            read = f", read as {' → '.join(seen.view)}" if seen.view else ""
            place = f"{finding.start}–{finding.end}"
            excerpt = shortened(trial.text[finding.start : finding.end], 40)
            out.prose(f"rule {finding.rule} ({finding.category}) at {place}{read}: {excerpt}", 4)
