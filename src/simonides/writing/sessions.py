"""The end of a session: what it was about, in an item of its own, linked to its turns and to the session before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from simonides.domain.ids import new_id
from simonides.domain.item import Item
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Origin, Provenance, SourceKind, Trust
from simonides.domain.records import Session
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import ProviderError
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.model import LanguageModel
from simonides.ports.store import NewItem, Reader, Store, Writer
from simonides.writing.embedded import embedded
from simonides.writing.habits import Habits
from simonides.writing.holders import holder as holder_of
from simonides.writing.naming import names_of

#: Turns of a session that are looked at, its latest; and items that were made of it.
_MOST_TURNS: Final = 500
_MOST_STATED: Final = 50
_TURNS: Final = frozenset({"episode"})
_NARRATIVE: Final = frozenset({"narrative"})
#: Sessions that are ended in one call because they fell silent.
_MOST_SESSIONS: Final = 1000
_TRUSTS: Final = (Trust.LOW, Trust.MEDIUM, Trust.HIGH)


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that is over.

    Attributes:
        narrative_id: The item that tells what it was about; None where there was nothing to tell.
        degradations: What did not work, and what was done without it.
    """

    session: Session
    narrative_id: str | None
    degradations: tuple[str, ...] = ()


class SessionEnds:
    """Ends sessions and writes their narratives."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        policy: Policy,
        model: LanguageModel | None,
        clock: Clock,
        habits: Habits,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._model = model
        self._clock = clock
        self._habits = habits

    def silent(self, scopes: tuple[Scope, ...] | None) -> list[Session]:
        """Sessions that have been silent long enough to count as over; none of which turns still wait."""
        now = self._clock.now()
        before = now - self._habits.silence_us
        with self._store.read() as reader:
            waiting = {(one.scope, one.session_id): one for one in reader.waiting(scopes)}
            found = reader.unended(scopes, before, _MOST_SESSIONS)
        # What was just recorded is being said, whenever its messages claim to have been.
        return [
            session
            for session in found
            if (one := waiting.get((session.scope, session.session_id))) is None
            or (not one.turns and one.last_at <= before)
        ]

    def end(self, session: Session) -> Ended:
        """Say that a session is over and tell what it was about.

        A session that went on after its end is told anew, in the same item. One without turns that say
        anything gets no narrative.
        """
        with self._store.read() as reader:
            turns = self._turns(reader, session)
            stated = self._items(reader, session)
            before = self._narratives(reader, session, own=True)
            previous = self._narratives(reader, session, own=False)
        text, degradations = self._told(turns, stated)
        # It may quote what was stated as well as what was said: it is made of both, and goes with either.
        sources = [*turns, *stated]
        ruling = self._ruling(text, session, sources, previous) if text else None
        item = None if ruling is None else self._commit(session, ruling, before, sources)
        if ruling is None:
            at = self._clock.now()
            self._store.write(lambda tx: tx.end_session(session.scope, session.session_id, at))
        return Ended(session, item, degradations)

    # Reading

    def _turns(self, reader: Reader, session: Session) -> list[Item]:
        found = reader.find(self._selection(session, _TURNS), limit=_MOST_TURNS)
        return sorted(found, key=lambda turn: (turn.ordinal or 0, turn.id))

    def _items(self, reader: Reader, session: Session) -> list[Item]:
        found = reader.find(self._selection(session, None), limit=_MOST_TURNS + _MOST_STATED)
        stated = [item for item in found if item.type not in _TURNS | _NARRATIVE and item.injectable]
        return stated[:_MOST_STATED]

    def _narratives(self, reader: Reader, session: Session, *, own: bool) -> Item | None:
        """The session's own narrative, or the latest of those before it in its scope."""
        selection = self._selection(session, _NARRATIVE)
        if own:
            return next(iter(reader.find(selection, limit=1)), None)
        earlier = replace(selection, session_id=None, before=session.first_seen_at)
        return next(iter(reader.latest(earlier, limit=1)), None)

    def _selection(self, session: Session, types: frozenset[str] | None) -> Selection:
        return Selection(
            scopes=(session.scope,), live_at=self._clock.now(), types=types, session_id=session.session_id
        )

    # Telling

    def _told(self, turns: Sequence[Item], stated: Sequence[Item]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a session was about, in ways of which the first that may be stored is taken; and degradations."""
        model = self._model if self._habits.with_model else None
        try:
            return self._habits.told(turns, stated, model), ()
        except ProviderError as error:
            without = f"{error}; the session is told without a model"
            return self._habits.told(turns, stated, None), (without,)

    def _ruling(
        self, texts: Sequence[str], session: Session, sources: Sequence[Item], previous: Item | None
    ) -> Ruling | None:
        """The first telling that the policy lets through."""
        at = self._clock.now()
        for text in texts:
            item = Item(
                id=new_id(at),
                content=text,
                type="narrative",
                created_at=at,
                updated_at=at,
                scope=session.scope,
                provenance=Provenance(SourceKind.CHAT, source_id=sources[0].id),
                confidence=0.8,
                importance=self._policy.taxonomy["narrative"].importance,
                decay_rate=self._policy.taxonomy["narrative"].decay_rate,
                event_at=session.first_seen_at,
                session_id=session.session_id,
                narrative_id=None if previous is None else previous.id,
                origin=Origin.SYSTEM,
                trust=min((source.trust for source in sources), key=_TRUSTS.index),
            )
            ruling = self._policy.judge(
                Candidate(item, why_store="what the session was about", actor="upkeep"), at
            )
            if ruling.outcome is Outcome.ACCEPTED:
                return ruling
        return None

    # Storing

    def _commit(
        self, session: Session, ruling: Ruling, before: Item | None, sources: Sequence[Item]
    ) -> str | None:
        at = self._clock.now()
        new = ruling.item
        found = embedded(self._embedder, [new.text])
        vector, model = found.vectors[0], found.model
        names = names_of(new)

        def write(tx: Writer) -> str | None:
            if not tx.end_session(session.scope, session.session_id, at):
                return None if before is None else before.id  # Another process was here first.
            # Short talks may be told in the same words: then one item tells of them all.
            item_id = holder_of(tx, new, at)
            if item_id is None and before is None:
                item_id = new.id
                tx.insert(
                    [NewItem(new, ruling.outcome, vector, ruling.reasons, actor="upkeep", names=names)], model
                )
            elif item_id is None and before is not None:
                item_id = before.id
                told = replace(
                    before,
                    content=new.content,
                    trust=new.trust,
                    updated_at=max(at, before.updated_at),
                )
                tx.revise(
                    told,
                    reason="update",
                    action="update",
                    actor="upkeep",
                    vector=vector,
                    model=model,
                    names=names,
                )
            assert item_id is not None
            for source in sources:
                tx.link(Link(src=item_id, dst=source.id, rel=Relation.DERIVED_FROM, created_at=at))
            return item_id

        return self._store.write(write)
