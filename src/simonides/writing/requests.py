"""Requests of a model on memories not its own: kept beside what is quarantined, until a person decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from simonides.domain.item import Item, Status, changed_at
from simonides.domain.provenance import Origin, Provenance, SourceKind
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import Conflict, InvalidInput
from simonides.governance.policy import Candidate, Policy
from simonides.governance.requests import REQUEST, Request, RequestedAct
from simonides.governance.wishes import wish_of
from simonides.ports.clock import Clock
from simonides.ports.store import NewItem, Store, StoredVerdict, Writer
from simonides.writing.curate import Curator, decision
from simonides.writing.holders import holders
from simonides.writing.intake import Intake

_PLACE: Final = frozenset({"room", "domain", "shelf"})


class WaitingRequest(NamedTuple):
    """A request that waits, as it is decided about.

    Attributes:
        closing: Takes it out of the queue, in the transaction that carries it out. Raises Conflict where somebody has
            decided about it meanwhile.
        opening: Lets it wait again, in the transaction that takes back what was done.
    """

    closing: Callable[[Writer], None]
    opening: Callable[[Writer], None]


class Requests:
    """Files requests, and settles them once somebody has decided."""

    def __init__(self, store: Store, policy: Policy, clock: Clock, curator: Curator) -> None:
        self._store = store
        self._policy = policy
        self._clock = clock
        self._curator = curator

    def check(self, request: Request, item: Item) -> None:
        """Raise InvalidInput where nobody could do what is asked for."""
        if request.act in {RequestedAct.UPDATE, RequestedAct.CORRECT}:
            self._curator.changed(item, request.changes, self._clock.now())
        elif request.act is RequestedAct.ASSIGN:
            if "room" not in request.changes or set(request.changes) - _PLACE:
                raise InvalidInput("to assign takes a room, and may take a domain and a shelf")
        elif request.changes:
            raise InvalidInput(f"to {request.act} takes no changes")

    def file(self, request: Request, item: Item, *, actor: str, why: Sequence[str]) -> Verdict:
        """Let a request wait for a person.

        It is an item in quarantine that names the other one as its source, so that it goes when that is purged.

        Args:
            why: Why a person has to decide, one reason at least.

        Returns:
            `quarantined` with the id under which it waits, the same for the same request; or `rejected` where it
            asks for what no person could let in.
        """
        at = self._clock.now()
        intake = Intake(at, Origin.ASSISTANT_SAID, item.id, self._policy.taxonomy, actor=actor)
        waiting = intake.candidate(request.worded(item), item.scope, {"type": "note"}).item
        waiting = replace(waiting, provenance=Provenance(SourceKind.TOOL, item.id))
        ruling = self._policy.judge(Candidate(waiting, actor=actor), at)
        refused = (
            self._policy.refusals("\n".join(map(str, request.changes.values()))) if request.changes else ()
        )
        if refused or ruling.outcome is Outcome.REJECTED:
            return Verdict(Outcome.REJECTED, None, refused or ruling.reasons)
        reasons = (f"needs approval: {why[0]}", *why[1:])
        held = self._policy.quarantined(waiting, reasons, at).item
        new = NewItem(
            held,
            Outcome.QUARANTINED,
            reasons=reasons,
            action="ask",
            actor=actor,
            wished=wish_of(waiting) | {REQUEST: request.to_dict()},
        )

        def write(tx: Writer) -> Verdict:
            known = holders(tx, held.scope, [held.content_hash], at, quarantined=True).get(held.content_hash)
            if known is None:
                tx.insert([new], None)
            return Verdict(Outcome.QUARANTINED, known or held.id, reasons)

        return self._store.write(write)

    def open_request(
        self, waiting: Item, verdict: StoredVerdict, reason: str, *, actor: str
    ) -> WaitingRequest:
        """A request that a person approves, as it waits with its verdict."""
        at = self._clock.now()

        def close(tx: Writer) -> None:
            now = tx.get([waiting.id]).get(waiting.id)
            if now is None or now.status is not Status.QUARANTINED:
                raise Conflict(f"{waiting.id} waits for no decision any more; nothing was done")
            done = changed_at(now, at, status=Status.ARCHIVED)
            tx.revise(done, reason="approve", action="approve", actor=actor)
            tx.judge(waiting.id, decision("approved", reason, actor, at, verdict))

        def open_again(tx: Writer) -> None:
            now = tx.get([waiting.id])[waiting.id]
            again = changed_at(now, at, status=Status.QUARANTINED)
            tx.revise(again, reason="ask", action="ask", actor=actor)
            tx.judge(waiting.id, verdict)

        return WaitingRequest(close, open_again)
