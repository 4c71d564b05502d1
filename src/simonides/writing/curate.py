"""Changes to single items: each makes a revision, none deletes.

Each says who makes it. A model changes what it wrote itself; on anything else it raises `NeedsApproval`, and
`writing/requests.py` lets what it asks for wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, Final, TypeVar

from simonides.domain.actor import is_model, is_person
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Name
from simonides.domain.item import PINNED_BY, UNUSED, Item, Status, Validation, changed_at
from simonides.domain.link import PEOPLES_LINKS, Link, Relation
from simonides.domain.pattern import later
from simonides.domain.provenance import Origin, Trust, trust_of_actor
from simonides.domain.record import RECORD
from simonides.domain.records import AuditEvent, Place
from simonides.domain.retention import DEMOTED_BY, REINFORCED_BY
from simonides.domain.taxonomy import Tier
from simonides.domain.text import CJK, valid_text
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import Advice, Conflict, InvalidInput, InvalidText, NeedsApproval, NotFound
from simonides.governance.about_user import tells_of_the_user
from simonides.governance.authority import (
    MODELS_FIELDS,
    MOST_REINFORCED,
    as_users_word,
    is_models_own,
    weaker,
)
from simonides.governance.carried import carried_on
from simonides.governance.known import forgotten
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.governance.requests import request_in
from simonides.governance.wishes import granted
from simonides.governance.wordings import LOW_TRUST
from simonides.language.names import names_of
from simonides.ports.buffer import session_of
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import Ahead, NewItem, Reader, Store, StoredVerdict, Writer
from simonides.writing.attaching import MOST_EARLIER, attach_earlier
from simonides.writing.embedded import embedded
from simonides.writing.holders import holder as holder_of
from simonides.writing.intake import RESERVED, Intake, source_of
from simonides.writing.mentions import guess_again, mentioned_by
from simonides.writing.neighbours import Neighbours

T = TypeVar("T")
#: What a corrected item keeps of its weight.
_CORRECTED_CONFIDENCE: Final = 0.3
_CORRECTED_DECAY: Final = 0.5
#: What `update` may change. Id, scope, origin, trust, status and history are not a caller's to set.
UPDATABLE: Final = frozenset(
    {
        "content", "title", "type", "tags", "entities", "tier", "confidence", "importance", "pinned", "injectable",
        "decay_rate", "event_at", "valid_from", "valid_until", "expires_at", "task_id", "metadata", "provenance",
    }
)  # fmt: skip
#: What None takes away; of the rest there always is some.
_CLEARED: Final = frozenset(
    {
        "title", "tags", "entities", "metadata", "event_at", "valid_from", "valid_until", "expires_at", "task_id",
    }
)  # fmt: skip

#: Reasons of revisions that a person's decision made.
_CONFIRMED: Final = "confirm"
_ASK: Final = Advice("{} lets what is asked for wait for a person", "review.ask")
#: A name of so many words, or signs of Chinese, Japanese and Korean, states nothing.
_WORDS_OF_A_NAME: Final = 2
_SIGNS_OF_A_NAME: Final = 3
#: Sums of votes, and of those of items that are merged, stay numbers that JSON can hold.
_MOST_REINFORCED: Final = 1e9
_SIGN: Final = later(f"[{CJK}]")
_DECISIONS: Final = frozenset({"approve", "reject", _CONFIRMED})
#: Where the record of a decision keeps the verdict before it.
_FORMER: Final = "former"
_REASONS_LOST: Final = "taken back: a decision was; the reasons before it were not kept"
#: What a put says of a record, and nobody else.
_KEPT_BY_PUT: Final = frozenset({"content", "metadata", "provenance", "expires_at", "event_at"})


class Curator:
    """Changes items that are known by id. Every new text passes the policy."""

    def __init__(
        self, store: Store, embedder: Embedder, policy: Policy, clock: Clock, neighbours: Neighbours
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._clock = clock
        self._neighbours = neighbours
        self._also: Callable[[Writer], None] | None = None

    def together_with(self, also: Callable[[Writer], None]) -> Curator:
        """A curator whose changes are made together with something else, in one transaction: both, or neither."""
        other = copy(self)
        other._also = also  # noqa: SLF001 - its own kind
        return other

    def _write(self, work: Callable[[Writer], T]) -> T:
        also = self._also
        if also is None:
            return self._store.write(work)

        def both(tx: Writer) -> T:
            outcome = work(tx)
            if not isinstance(outcome, Verdict) or outcome.stored:
                also(tx)
            return outcome

        return self._store.write(both)

    def update(self, item: Item, changes: Mapping[str, Any], *, actor: str = "user") -> Verdict:
        """Change fields of an item; its reinforcement stays, its Hebbian clock starts anew.

        With another content, title, tags and entities go that repeat what only the former one said, and are not given.

        Returns:
            `accepted`, or `rejected` with the policy's reasons or because another item says the same;
            then nothing was changed. An update is never quarantined: the item would vanish.

        Raises:
            InvalidInput: A field is unknown or a value out of range.
            NeedsApproval: It is not the actor's to change.
        """
        at = self._clock.now()
        changed = self.changed(item, changes, at)
        if "decay_rate" not in changes and _is_let_go(item, changed):
            changed = replace(changed, decay_rate=self._decay_before(item, changed.type))
        self.require_own(item, actor)
        if not is_person(actor):
            _require_models_fields(changes, actor)
            changed = replace(changed, trust=weaker(item.trust, trust_of_actor(actor)))
        [candidate] = self._neighbours.introduce([Candidate(changed, actor=actor, before=item)], at)
        ruling = self._policy.judge(candidate, at)
        if ruling.outcome is not Outcome.ACCEPTED:
            return Verdict(Outcome.REJECTED, item.id, ruling.reasons)
        vector = self._vector(ruling.item, item)

        def write(tx: Writer) -> Verdict:
            self._require_unchanged(tx, item)
            _require_own(tx, item, actor)
            if (holder := holder_of(tx, ruling.item, at)) not in (None, item.id):
                return Verdict(Outcome.REJECTED, holder, ("duplicate: another item says the same",))
            mentioned = tx.revise(
                ruling.item,
                reason="update",
                action="update",
                actor=actor,
                vector=vector,
                model=self._model(vector),
                names=_names_after(item, ruling.item),
                earlier=MOST_EARLIER,
            )
            attach_earlier(tx, mentioned)
            _reinforce(tx, item.id, 0.0, at)
            if ruling.item.content != item.content:
                _tell_anew(tx, item)
            return Verdict(Outcome.ACCEPTED, item.id, ruling.reasons)

        return self._write(write)

    def _decay_before(self, item: Item, type_name: str) -> float:
        """Rate at which an item's confidence decayed before it was pinned or kept for the long term."""
        with self._store.read() as reader:
            states = [revision.item for revision in reader.revisions(item.id)]
        free = [state for state in states if not _is_kept(state) and state.type == type_name]
        return free[-1].decay_rate if free else self._policy.taxonomy[type_name].decay_rate

    def changed(self, item: Item, changes: Mapping[str, Any], at: int) -> Item:
        """The item with changes that were read and checked as those of a new one are.

        Raises:
            InvalidInput: There is none, a field is unknown or a value out of range.
        """
        if unknown := sorted(set(changes) - UPDATABLE):
            raise InvalidInput(f"{unknown[0]!r} cannot be updated; use one of {', '.join(sorted(UPDATABLE))}")
        if item.type in RESERVED and "type" in changes:
            raise InvalidInput(f"type: {item.type} is the engine's own and stays what it is")
        if item.type == RECORD and (kept := sorted(set(changes) & _KEPT_BY_PUT)):
            raise InvalidInput(
                f"{kept[0]}: a record is changed under its key", Advice("{} does it", "records.put")
            )
        if not changes:
            raise InvalidInput("nothing to update: give at least one field")
        if unset := sorted(name for name, value in changes.items() if value is None and name not in _CLEARED):
            raise InvalidInput(f"{unset[0]} cannot be taken away; give a value")
        # A new memory is worth more than its label; of a change the label is all there is.
        if isinstance(named := changes.get("type"), str):
            self._policy.taxonomy.require_known(named)
        intake = Intake(at, item.origin, item.provenance.source_id, self._policy.taxonomy)
        before = carried_on(item, changes["content"]) if "content" in changes else item
        return _with_its_pin(item, _changed(before, changes, intake), changes)

    def correct(
        self,
        item: Item,
        content: str,
        *,
        actor: str = "user",
        origin: Origin = Origin.USER_SAID,
        session_id: str | None = None,
        warranted: bool = False,
        fields: Mapping[str, Any] | None = None,
    ) -> Verdict:
        """Replace what an item says. The old item ends now and stays in the history, superseded.

        Title, tags and entities that repeat what is corrected go, unless `fields` give them; the rest is kept.

        A person's correction asks no settled item: correcting is how a contradiction is resolved. A model's is
        judged as a proposal, and stays its word: unpinned, and trusted no more than the old item and the model are.

        Args:
            origin: Of a person's correction: said, or confirmed.
            session_id: Of a model's: the conversation.
            warranted: The user's own words ask for it, so a model may do it to what is not its own.
            fields: Further fields of what is said instead, as `update` takes them.

        Returns:
            `accepted` with the id of the item that says it now, or `rejected`; then nothing changed.

        Raises:
            NeedsApproval: It is not the actor's to change, or the policy would hold back what it says instead.
        """
        if item.superseded_by is not None:
            raise Conflict(f"{item.id} was replaced by {item.superseded_by} already; correct that one")
        at, further = self._clock.now(), fields or {}
        if further and replace(item, content=content).content_hash == item.content_hash:
            return self.update(item, further, actor=actor)
        if is_person(actor):
            candidate = self._with_fields(self._correction(item, content, origin, actor, at), further)
            ruling = self._policy.judge(candidate, at)
        else:
            if not warranted:
                self.require_own(item, actor)
            _require_models_fields(further, actor)
            proposed = self._with_fields(self._proposed(item, content, actor, session_id, at), further)
            [candidate] = self._neighbours.introduce([proposed], at, session_id)
            ruling = self._policy.judge(candidate, at)
            if ruling.outcome is Outcome.QUARANTINED:
                raise NeedsApproval(reasons=ruling.reasons)
            if ruling.outcome is Outcome.MERGED and ruling.item.id == item.id:
                return Verdict(Outcome.MERGED, item.id, ruling.reasons)
        if ruling.outcome is Outcome.REJECTED or (
            is_person(actor) and ruling.outcome is not Outcome.ACCEPTED
        ):
            return Verdict(Outcome.REJECTED, None, ruling.reasons)
        return self._replace(item, ruling, None if warranted else actor, actor, at)

    def _with_fields(self, candidate: Candidate, changes: Mapping[str, Any]) -> Candidate:
        item = candidate.item
        return replace(candidate, item=self.changed(item, changes, item.created_at)) if changes else candidate

    def _correction(self, item: Item, content: str, origin: Origin, actor: str, at: int) -> Candidate:
        item = carried_on(item, content)
        intake = Intake(at, origin, source_of(actor), self._policy.taxonomy, actor=actor)
        given = {
            "type": item.type if item.type != "episode" else "fact",
            "title": item.title,
            "tags": item.tags,
            "entities": item.entities,
            "importance": item.importance,
            "pinned": item.pinned,
            "valid_from": None,
            "metadata": item.metadata,
            "session_id": item.session_id,
            "task_id": item.task_id,
        }
        candidate = intake.candidate(content, item.scope, given)
        return replace(candidate, item=replace(candidate.item, valid_from=at))

    def _proposed(self, item: Item, content: str, actor: str, session_id: str | None, at: int) -> Candidate:
        """Candidate that a model proposes instead of an item, judged as its proposal."""
        item = carried_on(item, content)
        given = {
            "content": content,
            "type": "fact" if item.type in RESERVED else item.type,
            "title": item.title or None,
            "tags": list(item.tags),
            "entities": list(item.entities),
            "importance": item.importance,
            "why_store": f"corrects {item.id}",
            "source": "tool:memory.correct" + ("" if session_id is None else f" {session_id}"),
        }
        intake = Intake.of_model(at, self._policy.taxonomy, actor=actor)
        proposed = intake.proposed_in(given, item.scope, session_id)
        trust = weaker(weaker(proposed.item.trust, item.trust), trust_of_actor(actor))
        return replace(proposed, item=replace(proposed.item, valid_from=at, trust=trust))

    def _replace(self, item: Item, ruling: Ruling, owner: str | None, actor: str, at: int) -> Verdict:
        """End an item in favour of one that is made, or of one that says the same already.

        Args:
            owner: Whose own the item has to be.
        """
        known = ruling.item.id if ruling.outcome is Outcome.MERGED else None
        vector = None if known is not None else self._vector(ruling.item, None)

        contents = {(ruling.item.scope, False): [ruling.item.content_hash]}
        ahead = Ahead(items=[item.id], contents=contents, model=self._model(vector))

        def write(tx: Writer) -> Verdict:
            tx.look_ahead(ahead)
            self._require_unchanged(tx, item)
            if owner is not None:
                _require_own(tx, item, owner)
            holder = known or holder_of(tx, ruling.item, at)
            if holder == item.id:
                return Verdict(Outcome.MERGED, item.id, ("duplicate: the item says this already",))
            successor = holder or ruling.item.id
            old = changed_at(
                item,
                at,
                status=Status.ARCHIVED,
                superseded_by=successor,
                valid_until=max(min(at, item.valid_until or at), item.valid_from or 0),
                confidence=min(item.confidence, _CORRECTED_CONFIDENCE),
                decay_rate=_CORRECTED_DECAY,
                pinned=False,
            )
            tx.revise(old, reason="supersede", action="correct", actor=actor)
            _tell_anew(tx, item)
            if holder is None:
                new = NewItem(
                    ruling.item,
                    ruling.outcome,
                    vector,
                    ruling.reasons,
                    action="correct",
                    actor=actor,
                    names=names_of(ruling.item),
                )
                attach_earlier(tx, tx.insert([new], self._model(vector), earlier=MOST_EARLIER))
            elif is_person(actor):
                there = tx.get([holder])[holder]
                theirs = as_users_word(there, ruling.item)
                theirs = replace(theirs, pinned=theirs.pinned or ruling.item.pinned)
                if theirs != there:
                    merged = replace(theirs, updated_at=max(at, there.updated_at))
                    tx.revise(merged, reason="merge", action="merge", actor=actor)
            tx.link(Link(src=successor, dst=item.id, rel=Relation.SUPERSEDES, created_at=at))
            outcome = Outcome.ACCEPTED if holder is None else Outcome.MERGED
            return Verdict(outcome, successor, ruling.reasons)

        return self._write(write)

    def confirm(self, item: Item, *, actor: str = "user") -> Item:
        """Make an item certain: confidence 1, verified, no decay; its Hebbian clock starts anew.

        A model cannot verify: what it confirms of its own only rises.

        Raises:
            NeedsApproval: It is not the actor's to confirm.
            Conflict: It is not in recall: what is quarantined is approved, what is archived restored.
        """
        if item.status is not Status.ACTIVE:
            instead = "review.approve lets it in" if item.status is Status.QUARANTINED else "restore it first"
            raise Conflict(f"{item.id} is {item.status}, so confirming it would change nothing; {instead}")
        if not is_person(actor):
            self.require_own(item, actor)
            self.reinforce(item, actor=actor)
            with self._store.read() as reader:
                return reader.get([item.id])[item.id]
        return self._revise(
            item, "confirm", actor, confidence=1.0, decay_rate=0.0, validation=Validation.VERIFIED, hit=True
        )

    def forget(self, item: Item, *, actor: str = "user", warranted: bool = False) -> Item:
        """Take an item out of recall. It stays in the archive, retracted, until somebody purges it.

        Args:
            warranted: The user's own words ask for it.

        Raises:
            NeedsApproval: It is not the actor's to forget.
        """
        if not warranted:
            self.require_own(item, actor)
        return self._revise(
            item,
            "forget",
            actor,
            owner=None if warranted else actor,
            status=Status.ARCHIVED,
            validation=Validation.RETRACTED,
        )

    def stand_again(self, gone: Item, item: Item, *, actor: str = "user") -> None:
        """Take back that an item was forgotten."""
        self._revise(gone, "restore", actor, status=item.status, validation=item.validation)

    def reinforce(self, item: Item, by: float = REINFORCED_BY, *, actor: str = "user") -> None:
        """Let an item rise: it proved useful. Resets its Hebbian clock. A model lifts no further than to a bound."""
        if not is_person(actor):
            by = max(0.0, min(by, MOST_REINFORCED - item.reinforcement))
        self._move(item, "reinforce", by, actor, hit=True)

    def demote(self, item: Item, by: float = DEMOTED_BY, *, actor: str = "user") -> None:
        """Let an item sink: it was of no use. Its Hebbian clock goes on.

        A model's word takes back what an item has risen, and lets only what it wrote itself sink below that.
        """
        if not is_person(actor) and not self.is_own(item, actor):
            by = -max(0.0, min(-by, item.reinforcement))
        self._move(item, "demote", by, actor, hit=False)

    def _move(self, item: Item, action: str, by: float, actor: str, *, hit: bool) -> None:
        at = self._clock.now()
        event = self._event(action, item, actor, at, {"by": by})

        def write(tx: Writer) -> None:
            _reinforce(tx, item.id, by, at if hit else None)
            tx.record([event])

        self._write(write)

    def link(self, link: Link, *, actor: str = "user") -> Link:
        """Join two items. What somebody linked before, a model does not reword.

        Raises:
            InvalidInput: The link is of a kind that only the engine and people make.
            InvalidText: The evidence holds a secret or an order.
            NeedsApproval: A model says in the evidence what only the user may say of themselves, personal data, or
                what was forgotten.
            NotFound: An item does not exist.
        """
        person = is_person(actor)
        if not person and link.rel in PEOPLES_LINKS:
            raise InvalidInput(f"{link.rel.value} links are made by the engine and by people, not by {actor}")
        self._require_clean(link.evidence, "the evidence")
        self._require_no_personal_data(link.evidence, "the evidence", actor)
        _require_not_of_the_user(link.evidence, "the evidence", actor)
        at = self._clock.now()
        self._require_not_forgotten(link.evidence, "the evidence", link.src, actor)
        made = replace(link, created_at=at)

        def write(tx: Writer) -> Link:
            ends = tx.get([link.src, link.dst])
            if not person:
                for known in tx.links([link.src], [link.rel]):
                    if (known.src, known.dst) == (link.src, link.dst):
                        return known
            tx.link(made)
            tx.record([self._event("link", ends[link.src], actor, at, {"rel": link.rel, "dst": link.dst})])
            return made

        return self._write(write)

    def assign(self, place: Place, *, actor: str = "user") -> Place:
        """Put an item into a room of the palace.

        Raises:
            InvalidText: A name holds a secret or an order.
            NeedsApproval: A person put it where it stands, and a model would move it; or a name says what only
                the user may say of themselves, personal data, or what was forgotten.
        """
        self._require_clean(f"{place.domain}\n{place.room}\n{place.shelf}", "the place's name")
        for name in (place.domain, place.room, place.shelf):
            self._require_no_personal_data(name, "the place's name", actor)
            if name and not _is_short(name):
                _require_not_of_the_user(name, "the place's name", actor)
                self._require_not_forgotten(name, "the place's name", place.item_id, actor)
        at = self._clock.now()

        def write(tx: Writer) -> None:
            item = tx.get([place.item_id]).get(place.item_id)
            if item is None:
                raise NotFound(f"there is no item {place.item_id!r}")
            if not is_person(actor) and any(
                event.action == "assign" and is_person(event.actor)
                for event in tx.events(item_ids=[place.item_id])
            ):
                raise NeedsApproval(
                    f"a person placed {item.id}; they decide whether it is moved", advice=_ASK
                )
            tx.assign(item.id, place)
            tx.record([self._event("assign", item, actor, at)])

        self._write(write)
        return place

    def is_own(self, item: Item, actor: str) -> bool:
        """True if an actor may change an item by itself: a person any, a model what it wrote."""
        with self._store.read() as reader:
            return _is_own(reader, item, actor)

    def require_own(self, item: Item, actor: str) -> None:
        """Raise NeedsApproval where an item is not the actor's to change."""
        with self._store.read() as reader:
            _require_own(reader, item, actor)

    def _event(
        self, action: str, item: Item, actor: str, at: int, details: Mapping[str, Any] | None = None
    ) -> AuditEvent:
        return AuditEvent(
            action=action, at=at, item_id=item.id, scope=item.scope, actor=actor, details=dict(details or {})
        )

    def approve(
        self, item: Item, reason: str, *, injectable: bool | None = None, actor: str = "user"
    ) -> Verdict:
        """Let a quarantined item in, as it was to be. If its content is known by now, that item answers: `merged`.

        An active item of low trust becomes injectable.

        Args:
            injectable: Whether it may be put into a prompt; None for what it was to be, which low trust never is.
        """
        at = self._clock.now()
        if item.status is Status.ACTIVE and item.trust is Trust.LOW and not item.injectable:
            return self._make_injectable(item, reason, actor, at)
        if item.status is not Status.QUARANTINED:
            raise Conflict(f"{item.id} is {item.status}, not quarantined; there is nothing to approve")
        if item.expires_at is not None and item.expires_at <= at:
            raise Conflict(f"{item.id} waited too long and has expired; propose it again")
        self._require_clean(reason, "the reason")
        with self._store.read() as reader:
            verdict = reader.verdict(item.id)
        wish = None if verdict is None else verdict.wished
        approved = replace(
            granted(item, wish, injectable=injectable, at=at),
            status=Status.ACTIVE,
            updated_at=max(at, item.updated_at),
        )
        vector = self._vector(approved, None)

        def write(tx: Writer) -> Verdict:
            self._require_unchanged(tx, item)
            holder = holder_of(tx, approved, at)
            if holder is not None:
                merged = changed_at(item, at, status=Status.ARCHIVED, superseded_by=holder)
                tx.revise(merged, reason="approve", action="approve", actor=actor)
            else:
                tx.revise(
                    approved,
                    reason="approve",
                    action="approve",
                    actor=actor,
                    vector=vector,
                    model=self._model(vector),
                    names=names_of(approved),
                )
            tx.judge(item.id, decision("approved", reason, actor, at, verdict))
            reasons = _stays_out(approved) if holder is None else ("duplicate: another item says the same",)
            return Verdict(Outcome.ACCEPTED if holder is None else Outcome.MERGED, holder or item.id, reasons)

        return self._write(write)

    def _make_injectable(self, item: Item, reason: str, actor: str, at: int) -> Verdict:
        self._require_clean(reason, "the reason")
        trusted = changed_at(item, at, injectable=True)

        def write(tx: Writer) -> Verdict:
            self._require_unchanged(tx, item)
            former = tx.verdict(item.id)
            tx.revise(trusted, reason="approve", action="approve", actor=actor)
            tx.judge(item.id, decision("approved", reason, actor, at, former))
            return Verdict(Outcome.ACCEPTED, item.id)

        return self._write(write)

    def refuse(self, item: Item, reason: str, *, actor: str = "user") -> Verdict:
        """Turn a quarantined item down: it is archived, retracted, and never comes back by itself."""
        if item.status is not Status.QUARANTINED:
            raise Conflict(f"{item.id} is {item.status}, not quarantined; there is nothing to reject")
        self._require_clean(reason, "the reason")
        at = self._clock.now()
        refused = changed_at(item, at, status=Status.ARCHIVED, validation=Validation.RETRACTED)

        def write(tx: Writer) -> Verdict:
            self._require_unchanged(tx, item)
            former = tx.verdict(item.id)
            tx.revise(refused, reason="reject", action="reject", actor=actor)
            tx.judge(item.id, decision("rejected", reason, actor, at, former))
            return Verdict(Outcome.REJECTED, item.id, (reason,) if reason else ())

        return self._write(write)

    def reopen(self, item: Item, *, actor: str = "user") -> Item:
        """Take back the last decision about an item: it is as it was, and waits again where it waited.

        Raises:
            Conflict: Nobody decided about it last; or what a model asked for is done, or its time is over by now.
        """
        at = self._clock.now()

        def write(tx: Writer) -> Item:
            self._require_unchanged(tx, item)
            states = tx.revisions(item.id)
            decided = states[-1].reason if len(states) > 1 else ""
            if decided not in _DECISIONS:
                raise Conflict(f"no decision about {item.id} was made last; nothing was changed")
            before = states[-2].item
            if (
                before.status is Status.QUARANTINED
                and before.expires_at is not None
                and before.expires_at <= at
            ):
                raise Conflict(f"the time in which {item.id} waited is over; propose it again")
            if decided != _CONFIRMED:
                self._judge_again(tx, before)
            again = replace(before, updated_at=max(at, item.updated_at))
            mentioned = mentioned_by(tx, item) if before.status is Status.QUARANTINED else ()
            tx.revise(again, reason="reopen", action="reopen", actor=actor)
            guess_again(tx, (entity.id for entity in mentioned))
            return tx.get([item.id])[item.id]

        return self._write(write)

    def _judge_again(self, tx: Writer, item: Item) -> None:
        """Put the verdict back that a decision about an item took the place of; the item as it was before."""
        made = tx.verdict(item.id)
        former = None if made is None else former_verdict(made)
        if (
            made is not None
            and made.verdict == "approved"
            and former
            and request_in(former.wished) is not None
        ):
            raise Conflict("what was asked for is done; take back the change itself")
        if former is None and item.status is Status.QUARANTINED:
            former = StoredVerdict("quarantined", (_REASONS_LOST,), None, "policy", item.created_at)
        tx.judge(item.id, former)

    def _revise(
        self,
        item: Item,
        action: str,
        actor: str,
        *,
        owner: str | None = None,
        hit: bool = False,
        **changes: Any,
    ) -> Item:
        at = self._clock.now()
        changed = changed_at(item, at, **changes)

        def write(tx: Writer) -> Item:
            tx.look_ahead(Ahead(items=[item.id]))
            self._require_unchanged(tx, item)
            if owner is not None:
                _require_own(tx, item, owner)
            tx.revise(changed, reason=action, action=action, actor=actor)
            if hit:
                _reinforce(tx, item.id, 0.0, at)
            return tx.get([item.id])[item.id]

        return self._write(write)

    def _require_unchanged(self, tx: Writer, item: Item) -> None:
        """Check that `item`, from which a change was made, is still what is stored."""
        now = tx.get([item.id]).get(item.id)
        if now is None:
            raise NotFound(f"there is no item {item.id!r}")
        if replace(now, confidence=item.confidence) != item:
            raise Conflict(f"{item.id} was changed by somebody else meanwhile; read it again and repeat")

    def _require_clean(self, text: str | None, name: str) -> None:
        if text and (refused := self._policy.refusals(valid_text(text, name=name))):
            raise InvalidText(f"{name} cannot be stored ({refused[0]}); say it without")

    def _require_no_personal_data(self, text: str | None, name: str, actor: str) -> None:
        """Raise NeedsApproval where a model words what identifies a person."""
        if text and is_model(actor) and (kinds := self._policy.personal(text)):
            raise NeedsApproval(f"{name} holds personal data ({', '.join(kinds)}); word it without")

    def _require_not_forgotten(self, text: str | None, name: str, item_id: str, actor: str) -> None:
        """Raise NeedsApproval where a model says beside an item what was forgotten in its scope."""
        if not text or not is_model(actor):
            return
        with self._store.read() as reader:
            item = reader.get([item_id]).get(item_id)
        if item is None:
            return
        entry = replace(
            item,
            type="fact",
            content=text,
            title="",
            tags=(),
            entities=(),
            metadata={},
            provenance=replace(item.provenance, source_id=None),
        )
        wanted = Candidate(entry, actor=actor, proposed=True)
        [candidate] = self._neighbours.introduce([wanted], self._clock.now())
        if forgotten([text], item.scope, candidate.known) is not None:
            raise NeedsApproval(f"{name} says what was forgotten; word it without")

    def _model(self, vector: Any) -> EmbedderIdentity | None:
        # A remote embedder is asked for its identity only where there is a vector of it.
        return None if vector is None else self._embedder.identity

    def _vector(self, item: Item, before: Item | None) -> Any:
        if before is not None and before.text == item.text:
            return None
        return embedded(self._embedder, [item.text]).vectors[0]


def _require_not_of_the_user(text: str | None, name: str, actor: str) -> None:
    """Raise NeedsApproval where a model words a statement about the user."""
    if text and is_model(actor) and tells_of_the_user(text):
        raise NeedsApproval(
            f"{name} is a statement about the user, which only they can make; word it without"
        )


def _is_short(name: str) -> bool:
    """True if a name is too short to state anything."""
    return len(name.split()) <= _WORDS_OF_A_NAME and len(_SIGN.findall(name)) <= _SIGNS_OF_A_NAME


def _is_own(reader: Reader, item: Item, actor: str) -> bool:
    return is_person(actor) or is_models_own(item, reader.events(item_ids=[item.id]), actor)


def _reinforce(tx: Writer, item_id: str, by: float, at: int | None) -> None:
    """Move an item's reinforcement; an instant resets its Hebbian clock, which no clock that was set back turns back.

    Raises:
        NotFound: There is no such item.
    """
    item = tx.get([item_id]).get(item_id)
    usage = UNUSED if item is None else item.usage
    hit_at = usage.last_hit_at
    if at is not None and item is not None:
        hit_at = max(at, item.updated_at, hit_at or at)
    reinforcement = max(-_MOST_REINFORCED, min(_MOST_REINFORCED, usage.reinforcement + by))
    tx.set_usage(item_id, replace(usage, reinforcement=reinforcement, last_hit_at=hit_at))


def _require_own(reader: Reader, item: Item, actor: str) -> None:
    if not _is_own(reader, item, actor):
        raise NeedsApproval(
            f"{item.id} is not {actor}'s own memory: a person decides what becomes of it",
            (f"{item.id} is not {actor}'s own memory",),
            _ASK,
        )


def _require_models_fields(changes: Mapping[str, Any], actor: str) -> None:
    if theirs := sorted(set(changes) - MODELS_FIELDS):
        raise NeedsApproval(reasons=(f"{theirs[0]} is set by people, not by {actor}",))


def decision(verdict: str, reason: str, actor: str, at: int, former: StoredVerdict | None) -> StoredVerdict:
    """Record of a person's decision, with the verdict that it takes the place of."""
    kept = None
    if former is not None:
        wished = None if former.wished is None else dict(former.wished)
        kept = {
            _FORMER: [former.verdict, list(former.reasons), former.why_store, former.actor, former.at, wished]
        }
    return StoredVerdict(verdict, (reason,) if reason else (), None, actor, at, kept)


def former_verdict(made: StoredVerdict) -> StoredVerdict | None:
    """The verdict that a decision took the place of, as far as it was kept."""
    if made.wished is None or _FORMER not in made.wished:
        return None
    verdict, reasons, why_store, actor, at, wished = made.wished[_FORMER]
    return StoredVerdict(verdict, tuple(reasons), why_store, actor, at, wished)


def _stays_out(item: Item) -> tuple[str, ...]:
    """Reasons that an approved item is not put into prompts."""
    if item.injectable or item.trust is not Trust.LOW:
        return ()
    return (LOW_TRUST,)


def _names_after(before: Item, after: Item) -> tuple[Name, ...] | None:
    """Names that an item mentions from now on; None where nothing changed that could name anything."""
    same = before.text == after.text and before.entities == after.entities and before.type == after.type
    return None if same else names_of(after)


def _with_its_pin(before: Item, after: Item, changes: Mapping[str, Any]) -> Item:
    """An item with the mark of a pin by upkeep, as long as nobody else decided whether it is pinned."""
    rest = {name: value for name, value in after.metadata.items() if name != PINNED_BY}
    keeps = "pinned" not in changes and PINNED_BY in before.metadata
    return replace(after, metadata=rest | ({PINNED_BY: before.metadata[PINNED_BY]} if keeps else {}))


def _is_kept(item: Item) -> bool:
    """True if somebody, or its tier, keeps an item from decay."""
    return item.pinned or item.tier is Tier.LTM


def _is_let_go(before: Item, after: Item) -> bool:
    """True if nothing keeps an item from decay any more that did."""
    return _is_kept(before) and not _is_kept(after)


def _changed(item: Item, changes: Mapping[str, Any], intake: Intake) -> Item:
    """The item with changes that were read and checked as those of a new one are."""
    given = {name: value for name, value in changes.items() if name != "content"}
    fresh = intake.candidate(changes.get("content", item.content), item.scope, given).item
    values = {name: getattr(fresh, name) for name in changes}
    if values.get("pinned") or values.get("tier") is Tier.LTM:
        values["decay_rate"] = 0.0
    return changed_at(item, intake.at, **values)


def _tell_anew(tx: Writer, item: Item) -> None:
    """Make the session of an item due again: what tells of it may quote what was corrected."""
    session = None if item.session_id is None else session_of(tx, item.scope, item.session_id)
    if session is not None and session.consolidated_at is not None:
        tx.put_session(replace(session, consolidated_at=None))
