"""Review of what the policy held back, and rollback of what should not have come in."""

from __future__ import annotations

import builtins
import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simonides.compose import Parts
from simonides.domain.actor import is_person
from simonides.domain.flag import flag, flag_or_none
from simonides.domain.instant import Moment, instant
from simonides.domain.item import Item, Status
from simonides.domain.provenance import Origin, Trust
from simonides.domain.reach import reach
from simonides.domain.run import Run
from simonides.domain.scope import ALL, Scopes, exactly, looked_from, visible
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.text import shown, valid_text
from simonides.domain.verdict import Outcome, Verdict
from simonides.domain.written import Written, refusing
from simonides.errors import Conflict, InvalidInput, InvalidText, NeedsApproval
from simonides.governance.requests import Request, RequestedAct, request_for, request_in
from simonides.parts.arguments import acting, count, person_or_engine, storable, word
from simonides.parts.deciding import confirm, correct, forget, note_order, update
from simonides.parts.looking import item_of
from simonides.parts.palace import assign
from simonides.parts.retraction import tell_again, tell_no_more
from simonides.ports.both import both
from simonides.ports.store import Reader, StoredVerdict
from simonides.upkeep.ground import Order
from simonides.values import dataclass

if TYPE_CHECKING:
    from simonides.writing.requests import WaitingRequest

_log = logging.getLogger(__name__)
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Quarantined:
    """An item that waits for a decision, and why it was held back.

    Attributes:
        wished: What it was to be, by field; None where that was not kept.
    """

    item: Item
    verdict: StoredVerdict
    wished: dict[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "item": self.item.to_dict(),
            "reasons": list(self.verdict.reasons),
            "why_store": self.verdict.why_store,
            "actor": self.verdict.actor,
            "wished": self.wished,
        }

    @classmethod
    @refusing
    def from_dict(cls, written: Mapping[str, Any]) -> Quarantined:
        """The item that `to_dict` wrote, with the verdict as far as that tells of it.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        item = Item.from_dict(written["item"])
        reasons = tuple(written["reasons"])
        verdict = StoredVerdict(
            item.status.value, reasons, written["why_store"], written["actor"], item.created_at
        )
        return cls(item, verdict, written["wished"])


@dataclass(frozen=True, slots=True)
class Contradicted(Written):
    """Two active items that say different things of the same.

    Attributes:
        differ: Kind of the difference: number, date, name or negation; empty where somebody linked them by hand.
        evidence: The words, where they are known.
    """

    older: Item
    newer: Item
    differ: str
    evidence: str


class Review:
    """Items that the policy held back."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self, *, scope: str | Scopes | None = ALL, limit: int = 100, low_trust: bool = False
    ) -> list[Quarantined]:
        """Items that wait for a decision, oldest first; what has expired waits no longer.

        Args:
            scope: From where to look; whatever waits anywhere by default.
            low_trust: Instead, active items of low trust: they are found, and need an approval to be put into
                prompts. Newest first.
        """
        most, untrusted = count(limit, "limit"), flag(low_trust, "low_trust")
        with self._parts.reading() as reader:
            if untrusted:
                return self._low_trust(reader, looked_from(scope), most)
            waiting = Selection(
                scopes=visible(looked_from(scope)),
                live_at=self._parts.clock.now(),
                statuses=frozenset({Status.QUARANTINED}),
                held=True,
            )
            items = reader.select(waiting, ItemOrder.OLDEST, limit=most).values()
            return [
                Quarantined(item, verdict, _wish(verdict))
                for item in items
                if (verdict := reader.verdict(item.id)) is not None
            ]

    def contradictions(
        self, *, scope: str | Scopes | None = ALL, limit: int = 100
    ) -> builtins.list[Contradicted]:
        """Pairs of items that contradict each other, found last first.

        Both stay in recall until somebody decides: `confirm` makes one certain, `correct` replaces one, `forget`
        takes one out.

        Args:
            scope: From where to look; pairs of everywhere by default.
        """
        selection = Selection(scopes=visible(looked_from(scope)), live_at=self._parts.clock.now())
        with self._parts.reading() as reader:
            links = reader.contradictions(selection, count(limit, "limit"))
            items = reader.get([end for link in links for end in (link.src, link.dst)])
        pairs: builtins.list[Contradicted] = []
        for link in links:
            older, newer = sorted((items[link.src], items[link.dst]), key=lambda item: item.age)
            pairs.append(Contradicted(older, newer, link.predicate or "", link.evidence or ""))
        return pairs

    def show(self, item_id: str) -> Quarantined:
        """An item that waits for a decision, with the reasons.

        Raises:
            NotFound: There is no such item.
            Conflict: It waits for none.
        """
        item = item_of(self._parts, item_id)
        with self._parts.reading() as reader:
            verdict = reader.verdict(item_id)
        if item.status is Status.ACTIVE and _waits_for_trust(item):
            return Quarantined(item, verdict or _untrusted(item))
        if item.status is not Status.QUARANTINED or verdict is None:
            raise Conflict(f"{item_id} is {item.status}, not quarantined; nothing waits for a decision")
        return Quarantined(item, verdict, _wish(verdict))

    def ask(
        self,
        item_id: str,
        act: str,
        changes: Mapping[str, Any] | None = None,
        *,
        actor: str = "model",
        session_id: str | None = None,
        user_said: str | None = None,
        confirmed: bool = False,
    ) -> Verdict:
        """Do what a model asks for, where that is its to do; else let it wait for a person.

        It is done at once where the model wrote the item and no person made it theirs, and where the user's own
        words ask for it: in the turns of the session, or in `user_said`.

        Args:
            act: `forget`, `correct`, `update`, `confirm` or `assign`.
            changes: Fields with new values; of `correct` the content, of `assign` domain, room and shelf.
            actor: Who asks.
            session_id: The conversation.
            user_said: The user's turn that the model answers, where no session holds it.
            confirmed: The user was shown what is asked for, and agreed.

        Returns:
            `accepted` with the item that was changed; `quarantined` with the id under which the request waits, for
            `approve` or `reject`; or `rejected`.

        Raises:
            NotFound: There is no such item.
            InvalidInput: The act is unknown, or a change cannot be made.
            Conflict: It is quarantined: a person decides about it as a whole.
        """
        agreed, session_id = flag(confirmed, "confirmed"), word(session_id, "session_id")
        item = item_of(self._parts, item_id)
        if act not in list(RequestedAct):
            raise InvalidInput(f"unknown request {shown(act)}; use one of {', '.join(RequestedAct)}")
        if item.status is Status.QUARANTINED:
            raise Conflict(f"{item_id} is quarantined; it waits for a person's decision")
        request = request_for(RequestedAct(act), item.id, changes)
        self._parts.requests.check(request, item)
        if request.act is RequestedAct.CORRECT:
            content = valid_text(request.changes.get("content"), name="the content")
            if (
                set(request.changes) == {"content"}
                and replace(item, content=content).content_hash == item.content_hash
            ):
                return Verdict(Outcome.MERGED, item.id, ("duplicate: the item says this already",))
        if agreed:
            return self._carried_out(request, item, "user")
        from simonides.governance.authority import warranted  # noqa: PLC0415 - where somebody asks

        try:
            if warranted(request, item, self._heard(item, session_id, user_said)):
                return self._warranted(request, item, acting(self._parts, actor), session_id)
            return self._carried_out(request, item, acting(self._parts, actor), session_id)
        except NeedsApproval as needed:
            return self._parts.requests.file(request, item, actor=actor, why=needed.reasons or (str(needed),))

    def _heard(self, item: Item, session_id: str | None, user_said: str | None) -> builtins.list[Item]:
        heard = self._parts.neighbours.heard(item, session_id, self._parts.clock.now())
        return heard if user_said is None else [*self._parts.recorder.heard(user_said, item.scope), *heard]

    def _warranted(self, request: Request, item: Item, actor: str, session_id: str | None) -> Verdict:
        if request.act is RequestedAct.FORGET:
            done = forget(self._parts, item, actor=actor, warranted=True)
            return Verdict(Outcome.ACCEPTED, item.id, done.remarks)
        content = str(request.changes["content"])
        return correct(self._parts, item, content, actor=actor, session_id=session_id, warranted=True)

    def _carried_out(
        self,
        request: Request,
        item: Item,
        actor: str,
        session_id: str | None = None,
        waiting: WaitingRequest | None = None,
    ) -> Verdict:
        """Do what is asked for, as an actor that may.

        Args:
            asked: The request as it waits; it is closed with the change, in one transaction.

        Raises:
            NeedsApproval: It may not.
        """
        curator, changes = self._parts.curator, dict(request.changes)
        if waiting is not None:
            curator = curator.together_with(waiting.closing)
        match request.act:
            case RequestedAct.FORGET:
                done = forget(self._parts, item, actor=actor, request=waiting)
                return Verdict(Outcome.ACCEPTED, item.id, done.remarks)
            case RequestedAct.CONFIRM:
                done = confirm(self._parts, item, actor=actor, curator=curator)
                return Verdict(Outcome.ACCEPTED, item.id, done.remarks)
            case RequestedAct.UPDATE:
                return update(self._parts, item, changes, actor=actor, curator=curator)
            case RequestedAct.ASSIGN:
                assign(self._parts, item.id, actor=actor, curator=curator, **changes)
                return Verdict(Outcome.ACCEPTED, item.id)
            case RequestedAct.CORRECT:
                content = str(changes.pop("content"))
                verdict = correct(
                    self._parts,
                    item,
                    content,
                    actor=actor,
                    origin=Origin.USER_CONFIRMED,
                    session_id=session_id,
                    fields=changes,
                    curator=curator,
                )
                if not changes or verdict.outcome is not Outcome.MERGED or verdict.item_id in (None, item.id):
                    return verdict
                # Another item says it already, and has fields of its own: these are given to it if they can be.
                known = item_of(self._parts, verdict.item_id)
                more = self._parts.curator.update(known, changes, actor=actor)
                return replace(verdict, reasons=(*verdict.reasons, *more.reasons))

    def approve(
        self, item_id: str, reason: str = "", *, injectable: bool | None = None, actor: str = "user"
    ) -> Verdict:
        """Let an item in as it was to be: `accepted`, or `merged` where its content is known by now.

        An active item of low trust becomes injectable. What a model asked for (`ask`) is done.

        Args:
            injectable: Whether it may be put into prompts; None for what it was to be. What is of low trust is not,
                unless this says so.

        Raises:
            NotFound: There is no such item.
            Conflict: It does not wait for a decision; or what was asked for cannot be done any more.
        """
        shown = flag_or_none(injectable, "injectable")
        item = item_of(self._parts, item_id)
        _require_person(self._parts, actor)
        with self._parts.reading() as reader:
            verdict = reader.verdict(item_id) if item.status is Status.QUARANTINED else None
        request = None if verdict is None else request_in(verdict.wished)
        if verdict is None or request is None:
            approved = self._parts.curator.approve(item, reason, injectable=shown, actor=actor)
            return replace(approved, reasons=(*approved.reasons, *tell_again(self._parts, item_id)))
        if refusals := self._parts.policy.refusals(valid_text(reason, name="the reason")) if reason else ():
            raise InvalidText(f"the reason cannot be stored ({refusals[0]}); say it without")
        if item.expires_at is not None and item.expires_at <= self._parts.clock.now():
            raise Conflict(f"{item.id} waited too long and has expired; it can be asked for again")
        waiting = self._parts.requests.open_request(item, verdict, reason, actor=actor)
        return self._carried_out(request, item_of(self._parts, request.item_id), actor, waiting=waiting)

    def reject(self, item_id: str, reason: str = "", *, actor: str = "user") -> Verdict:
        """Turn an item down: it is archived and stays out of recall.

        Raises:
            NotFound: There is no such item.
            Conflict: It is not quarantined.
        """
        _require_person(self._parts, actor)
        return self._parts.curator.refuse(item_of(self._parts, item_id), reason, actor=actor)

    def reopen(self, item_id: str, *, actor: str = "user") -> Item:
        """Take back the last decision about an item; nothing else may have changed it since.

        What was approved or rejected waits again, with its reasons; what was confirmed is as certain as before. What
        ended because of a confirmation is a run of its own, which `undo` takes back.

        Raises:
            NotFound: There is no such item.
            Conflict: Nobody decided about it last; what was asked for is done; or the time in which it waited is over.
        """
        _require_person(self._parts, actor)
        item = self._parts.curator.reopen(item_of(self._parts, item_id), actor=actor)
        with self._parts.reading() as reader:
            verdict = reader.verdict(item_id) if item.status is Status.QUARANTINED else None
        if verdict is not None and any(reason.startswith("taken back:") for reason in verdict.reasons):
            for remark in tell_no_more(self._parts, item):
                _log.warning("%s: %s", item.id, remark)
        return item

    def rollback(
        self,
        *,
        source_id: str | None = None,
        session_id: str | None = None,
        after: Moment | None = None,
        scope: str | Scopes | None = None,
        dry_run: bool = True,
        actor: str = "user",
    ) -> Run:
        """Archive all in a scope that came from a source, a session or a time, with what was made of it.

        What it had taken the place of comes back, unless that came from there as well. What it alone contradicted is
        contested no more. What a user put right in their own words stays, unless a time alone is given. Where several
        are given, an item must fit them all.

        Args:
            source_id: The name of the source, as `provenance.source_id` has it.
            session_id: The conversation: its turns, and what was proposed and extracted in it.
            after: Only what was recorded then or later.
            scope: Where, exactly; `global` if nothing is said, `ALL` for everywhere. What was made of it goes
                whatever its scope is; with a server's key, as far as that key may change it.
            dry_run: Only show what would change, which is the default.
            actor: The person who asks for it; the changes themselves are made by `upkeep`.

        Returns:
            The run, with its changes; `undo` takes it back.

        Raises:
            InvalidInput: Neither source, session nor time is given.
        """
        from simonides.upkeep.jobs.rollback import Rollback  # noqa: PLC0415 - where nothing is kept up, its modules stay on disk

        where, shown_only = looked_from(scope), flag(dry_run, "dry_run")
        if source_id is None and session_id is None and after is None:
            raise InvalidInput("say what to roll back: source_id, session_id or after")
        chosen = Selection(
            scopes=exactly(where),
            live_at=None,
            statuses=frozenset(Status),
            source_id=word(source_id, "source_id"),
            session_id=word(session_id, "session_id"),
            recorded_since=None if after is None else instant(after, name="after"),
        )
        by = person_or_engine(self._parts, actor)
        storable(self._parts, str(where), "the scope")
        run = self._parts.upkeep.maintain(
            (Rollback(lambda: both(self._parts.store), chosen, reach()),),
            Order(scope=where, dry_run=shown_only),
        )
        return note_order(self._parts, "rollback", run, by)

    def _low_trust(self, reader: Reader, scopes: Scopes, limit: int) -> builtins.list[Quarantined]:
        selection = Selection(scopes=visible(scopes), live_at=self._parts.clock.now(), injectable=False)
        items: list[Quarantined] = []
        after: int | None = None
        while page := reader.select(selection, limit=_PAGE, after=after):
            for item in filter(_waits_for_trust, page.values()):
                items.append(Quarantined(item, reader.verdict(item.id) or _untrusted(item)))
                if len(items) == limit:
                    return items
            after = min(page)
        return items


def _require_person(parts: Parts, actor: str) -> None:
    if not is_person(acting(parts, actor)):
        raise NeedsApproval(f"only a person can decide on review items, not {actor}")


def _waits_for_trust(item: Item) -> bool:
    """True of an item that an approval would let into prompts."""
    return item.trust is Trust.LOW and not item.injectable and item.type != "episode"


def _untrusted(item: Item) -> StoredVerdict:
    return StoredVerdict("accepted", ("low trust: not put into prompts",), None, "policy", item.created_at)


def _wish(verdict: StoredVerdict) -> dict[str, Any] | None:
    return None if verdict.wished is None else dict(verdict.wished)
