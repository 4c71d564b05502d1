"""memory.propose: suggest what should be remembered; the policy decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, cast

from pydantic import AfterValidator, Field, WithJsonSchema

from simonides.agent.tools.arguments import InvalidArguments, parse
from simonides.agent.tools.call_context import Context
from simonides.agent.tools.fields import Scoped, Share, Time, TypeName, beside
from simonides.agent.tools.render import judged as shown
from simonides.agent.tools.tool import Effect, Input, Tool, schema_of
from simonides.domain.item import MAX_TAGS
from simonides.domain.scope import Scope
from simonides.domain.verdict import Outcome, Verdict


class ProposalInput(Input):
    """One memory as a model suggests it. Its scope, origin and trust are not for it to say."""

    content: str = Field(description="The memory: one fact in a sentence or two that stands by itself.")
    type: TypeName | None = None
    title: str | None = Field(default=None, max_length=200, description="A short title.")
    tags: list[str] | None = Field(default=None, max_length=MAX_TAGS, description="Words to find it by.")
    entities: list[str] | None = Field(
        default=None, max_length=MAX_TAGS, description="People, projects, places and things it is about."
    )
    confidence: Share | None = Field(default=None, description="How sure it is.")
    importance: Share | None = Field(default=None, description="How much it matters.")
    event_at: Time | None = Field(default=None, description="When it happened (ISO 8601).")
    why_store: Annotated[str, AfterValidator(beside)] | None = Field(
        default=None,
        max_length=500,
        description="Why it will be worth knowing. Always give it: without a reason the memory waits for the user.",
    )
    source: str | None = Field(
        default=None,
        max_length=200,
        description="What it was taken from, such as the id of a message or of a chunk of a document.",
    )


class Propose(Scoped):
    """Suggest what should be remembered.

    The policy accepts, quarantines or rejects each proposal and says why. Propose what will matter
    later: decisions, facts, preferences, how something was solved; never secrets or small talk.
    """

    proposals: Annotated[
        list[Any],
        Field(min_length=1, max_length=50),
        WithJsonSchema(
            {
                "type": "array",
                "items": schema_of(ProposalInput) | {"required": ["content", "why_store", "source"]},
                "minItems": 1,
                "maxItems": 50,
            }
        ),
    ]


def run(context: Context, given: Propose) -> dict[str, Any]:
    """One verdict per proposal, in order."""
    verdicts = judged(context, given.proposals, context.place(given.scope))
    return {"verdicts": [shown(verdict) for verdict in verdicts]}


def judged(context: Context, proposals: Sequence[object], place: Scope) -> list[Verdict]:
    """A verdict for each proposal, in order. A bad one is rejected and costs the others nothing."""
    checked = [_checked(proposal) for proposal in proposals]
    kept = [entry for entry in checked if not isinstance(entry, Verdict)]
    answers = iter(
        context.memory.propose(
            kept,
            scope=place,
            session_id=context.session_id,
            actor=context.actor,
            user_said=context.user_said,
            confirmed=context.trust_client,
            caller=context.caller or None,
        )
    )
    return [entry if isinstance(entry, Verdict) else next(answers) for entry in checked]


def _checked(proposal: object) -> Mapping[str, Any] | Verdict:
    """A proposal in the form in which the engine judges it; other fields go along, and it names them."""
    if not isinstance(proposal, Mapping):
        return Verdict(Outcome.REJECTED, None, ("invalid: a proposal is an object with content",))
    given = {name: value for name, value in cast("Mapping[str, Any]", proposal).items() if value is not None}
    try:
        parse(
            ProposalInput,
            {name: value for name, value in given.items() if name in ProposalInput.model_fields},
        )
    except InvalidArguments as error:
        return Verdict(Outcome.REJECTED, None, (f"invalid: {error}",))
    return given


TOOL = Tool("memory.propose", Propose, run, effect=Effect.ADDS)
