"""Sessions that are over: what was stated in them is kept, and what they were about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.link import Link, Relation
from simonides.domain.records import Session
from simonides.domain.scope import Scope, exactly
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.governance.conflict import difference
from simonides.governance.policy import Candidate, Ruling
from simonides.ports.store import NewItem, Reader, TextQuery
from simonides.upkeep.alike import read, same
from simonides.upkeep.asking import Asking
from simonides.upkeep.change import AddLink, Change, Create, MarkSession, Revise, TakeTurns
from simonides.upkeep.clusters import Contradiction, takes_part
from simonides.upkeep.conflicts import Contesting
from simonides.upkeep.derived import SESSIONS, derived, links_to, whose
from simonides.upkeep.ground import Ground
from simonides.upkeep.habits import Stated
from simonides.upkeep.job import Batch, Step

NAME: Final = SESSIONS
#: Turns that are extracted from together, that a narrative looks at, and what was made of a session.
_TURNS: Final = 500
_STATED: Final = 50
#: Sessions of one run, longest silent first; the next run goes on.
_SESSIONS: Final = 10_000
_TOLD: Final = 0.8
_WHY: Final = "what the session was about"
#: Items that a statement is compared with, and the words by which they are found.
_NEAR: Final = 20
_TERMS: Final = 12


class _Found(NamedTuple):
    """What is to be done about one statement.

    Attributes:
        made: The item that holds it; None where `known` says it already.
        against: Items that it contradicts.
    """

    made: Create | None
    known: Item | None
    sources: tuple[Item, ...]
    against: tuple[Contradiction, ...]


class ConsolidateSessions:
    """Consolidates sessions that are over: silent, ended, or followed by another one in their scope.

    Turns that still wait for extraction are extracted from: what they clearly state becomes items, derived from
    them; where it is known, they support it; where it contradicts what is known, both are linked and the weaker is
    contested. A session without a narrative gets one, after that of the session before it. Last, it is marked as
    done, also where there was nothing in it; one that goes on later is due again.
    """

    name = NAME
    about = "Keep what was stated in sessions that are over, and what they were about."

    def plan(self, ground: Ground) -> Iterator[Step | Batch]:
        asking = Asking(
            ground,
            "turns wait for the next run",
            "these turns were extracted from by rules, these narratives told without a model",
        )
        sessions = _over(ground)
        for done, session in enumerate(sessions, 1):
            yield from extracted(ground, asking, session)
            if ground.habits.extracts and asking.silent:
                return  # Its turns wait, so it is not done; nor would the next ones be.
            yield from _narrated(ground, asking, session)
            at = max(ground.now(), session.last_seen_at)
            yield Step((MarkSession(session.session_id, session.scope, at),))
            ground.tell(done, len(sessions), "sessions")


def _over(ground: Ground) -> list[Session]:
    """Sessions that are over and not done, longest silent first; those of the order's session whatever they are."""
    with ground.read() as reader:
        if (wanted := ground.order.session_id) is not None:
            sessions = undone(reader, exactly(ground.scope), _SESSIONS, extracts=ground.habits.extracts)
            return [session for session in sessions if session.session_id == wanted]
        silent_since = ground.now() - ground.habits.silence_us
        return over(reader, exactly(ground.scope), silent_since, _SESSIONS, extracts=ground.habits.extracts)


def over(
    reader: Reader, scopes: tuple[Scope, ...] | None, silent_since: int, limit: int, *, extracts: bool
) -> list[Session]:
    """Sessions that are not done and are over: ended, followed by another one in their scope, or silent since then.

    Args:
        limit: How many are looked at, longest silent first.
        extracts: Whether anything is extracted from turns: if so, one with turns that wait is not done.
    """
    sessions = undone(reader, scopes, limit, extracts=extracts)
    latest = {
        scope: newest.first_seen_at
        for scope in {session.scope for session in sessions}
        for newest in reader.sessions((scope,), 1)
    }
    return [
        session
        for session in sessions
        if session.ended_at is not None
        or session.last_seen_at < latest.get(session.scope, 0)
        or session.last_seen_at <= silent_since
    ]


def undone(reader: Reader, scopes: tuple[Scope, ...] | None, limit: int, *, extracts: bool) -> list[Session]:
    """Sessions that were heard of since they were consolidated, or have turns that wait for extraction."""
    sessions = reader.unconsolidated(scopes, limit)
    known = {(session.scope, session.session_id) for session in sessions}
    for one in reader.waiting(scopes) if extracts else ():
        if one.turns and (one.scope, one.session_id) not in known:
            late = reader.session(one.scope, one.session_id)
            sessions += [] if late is None else [late]
    return sessions


# What was stated


def extracted(ground: Ground, asking: Asking, session: Session) -> Iterator[Step | Batch]:
    """Steps that take the turns of a session out of the buffer, each with what they state."""
    if not ground.habits.extracts:
        return
    taken: set[str] = set()
    while True:
        with ground.read() as reader:
            waiting = reader.waiting_turns(session.scope, session.session_id, _TURNS + len(taken))
        turns = [turn.item for turn in waiting if turn.item.id not in taken][:_TURNS]
        if not turns:
            return
        statements = _statements(ground, asking, turns)
        if statements is None:
            return
        taken.update(turn.id for turn in turns)
        yield from _stored(ground, asking, session, turns, statements)


def _statements(ground: Ground, asking: Asking, turns: Sequence[Item]) -> Sequence[Stated] | None:
    """What turns state; None where the model did not answer, and they have to wait."""
    if ground.habits.with_model and asking.answers:
        found = asking.ask(lambda model: ground.habits.stated(turns, model))
        if found is not None:
            return found
        if asking.silent:
            return None
    return ground.habits.stated(turns, None)


def _stored(
    ground: Ground, asking: Asking, session: Session, turns: Sequence[Item], statements: Sequence[Stated]
) -> Iterator[Step | Batch]:
    by_id = {turn.id: turn for turn in turns}
    found: list[_Found] = []
    hashes: set[bytes] = set()
    for statement in statements:
        sources = tuple(by_id[source] for source in statement.source_ids)
        one = _judged(ground, asking, session, statement, sources)
        if one is None or (one.made is not None and one.made.new.item.content_hash in hashes):
            continue
        if one.made is not None:
            hashes.add(one.made.new.item.content_hash)
        found.append(one)
    changes: list[Change] = [TakeTurns(session.session_id, tuple(by_id))]
    for one in found:
        if one.made is not None:
            changes.append(one.made)
            if one.made.new.outcome is Outcome.ACCEPTED:
                changes += links_to(one.made.new.item, one.sources)
        elif one.known is not None:
            changes += [AddLink(_supports(turn, one.known)) for turn in one.sources]
    reads = (*turns, *(one.known for one in found if one.known is not None))
    yield Step(tuple(changes), note=f"session {session.session_id}", reads=reads)
    yield from Contesting(ground).steps([pair for one in found for pair in one.against], {})


def _judged(
    ground: Ground, asking: Asking, session: Session, statement: Stated, sources: tuple[Item, ...]
) -> _Found | None:
    """What is to be done about a statement; None where the policy turns it down."""
    now = ground.now()
    worded_by = asking.name if ground.habits.with_model and asking.answers else None
    names = {str(turn.metadata.get("sender") or "") for turn in sources}
    item = derived(
        statement.content,
        statement.type,
        sources,
        now=now,
        taxonomy=ground.taxonomy,
        made_by=NAME,
        worded_by=worded_by,
        tags=statement.tags,
        entities=statement.entities,
        confidence=min(statement.confidence, *(turn.confidence for turn in sources)),
        importance=statement.importance,
        event_at=statement.event_at,
        session_id=session.session_id,
    )
    if len(names) == 1 and (name := names.pop()):
        item = replace(item, metadata={**item.metadata, "sender": name})
    ruling = ground.policy.judge(Candidate(item, why_store=statement.why_store, actor="upkeep"), now)
    if ruling.outcome is Outcome.REJECTED:
        ground.degraded(f"{ruling.reasons[0].partition(':')[0]}: the policy turned some statements down")
        return None
    with ground.read() as reader:
        near = _near(ground, reader, item)
        taken = reader.holders(
            item.scope, [item.content_hash], quarantined=ruling.outcome is Outcome.QUARANTINED
        )
        held = reader.get(list(taken.values()))
    known = next(iter(held.values()), None)
    if ruling.outcome is Outcome.QUARANTINED:
        return None if known is not None else _Found(_creation(statement, item, ruling), None, sources, ())
    known = known or next((other for other in near if same(read(item.content), read(other.content))), None)
    if known is not None:
        return _Found(None, known, sources, ())
    against = [
        Contradiction(other, item, said)
        for other in near
        if (said := difference(other.content, item.content)) is not None
    ]
    return _Found(_creation(statement, item, ruling), None, sources, tuple(against))


def _creation(statement: Stated, item: Item, ruling: Ruling) -> Create:
    """The change that stores a statement; the runner judges it again, in the form in which it came."""
    new = NewItem(
        item,
        ruling.outcome,
        reasons=ruling.reasons if ruling.outcome is Outcome.QUARANTINED else (),
        why_store=statement.why_store,
        action="extract",
        actor="upkeep",
    )
    return Create(new)


def _near(ground: Ground, reader: Reader, item: Item) -> list[Item]:
    """Items of the same scope and type that share the most telling words with one, best first."""
    terms = tuple(dict.fromkeys(word.said for word in read(item.content).words))[:_TERMS]
    if not terms:
        return []
    selection = ground.within(item.scope).selection(types=frozenset({item.type}))
    keys: list[int] = reader.search_text(TextQuery(terms), selection, _NEAR).keys.tolist()
    found = reader.load(keys)
    return [found[key] for key in keys if key in found and takes_part(found[key], ground.taxonomy)]


def _supports(turn: Item, known: Item) -> Link:
    return Link(src=turn.id, dst=known.id, rel=Relation.SUPPORTS)


# What it was about


def _narrated(ground: Ground, asking: Asking, session: Session) -> Iterator[Step]:
    """The narrative of a session that has none, or told anew where the session went on since."""
    own = _of(ground, session, frozenset({"narrative"}))
    with ground.read() as reader:
        known = next(iter(reader.find(own, limit=1)), None)
        turns = reader.find(_of(ground, session, frozenset({"episode"})), limit=_TURNS)
        stated = [
            item
            for item in reader.find(_of(ground, session, _made_of(ground)), limit=_STATED)
            if item.injectable
        ]
        earlier = replace(own, session_id=None, before=session.first_seen_at)
        previous = next(iter(reader.latest(earlier, limit=1)), None)
    turns = sorted((turn for turn in turns if turn.injectable), key=lambda turn: (turn.ordinal or 0, turn.id))
    if not turns or (known is not None and all(turn.created_at <= known.updated_at for turn in turns)):
        return
    # It may quote what was stated as well as what was said: it is made of both, and goes with either.
    sources = [*turns, *stated]
    worded_by: str | None = None
    texts = None
    if ground.habits.with_model and asking.answers:
        texts = asking.ask(lambda model: ground.habits.told(turns, stated, model))
        worded_by = None if texts is None else asking.name
    said = frozenset[str]().union(*(read(turn.content).content for turn in turns))
    for text in texts or ground.habits.told(turns, stated, None):
        if not said & read(text).content:
            continue  # That somebody talked is no news.
        item = derived(
            text,
            "narrative",
            sources,
            now=ground.now(),
            taxonomy=ground.taxonomy,
            made_by=NAME,
            worded_by=worded_by,
            confidence=min(_TOLD, *(source.confidence for source in sources)),
            event_at=session.first_seen_at,
            session_id=session.session_id,
            narrative_id=None if previous is None else previous.id,
        )
        with ground.read() as reader:
            taken = reader.holders(item.scope, [item.content_hash])
        ruling = ground.policy.judge(Candidate(item, why_store=_WHY, actor="upkeep"), ground.now())
        if ruling.outcome is Outcome.ACCEPTED and not taken:
            yield _telling(item, known, sources)
            return


def _telling(item: Item, known: Item | None, sources: Sequence[Item]) -> Step:
    """The step that stores a narrative: as a new item, or in the place of the former words."""
    if known is None:
        made = Create(NewItem(item, Outcome.ACCEPTED, action="narrative", actor="upkeep", why_store=_WHY))
        return Step((made, *links_to(item, sources)), note=_WHY, reads=tuple(sources))
    trust = whose([known, item])[1]
    told = replace(known, content=item.content, trust=trust, metadata={**known.metadata, **item.metadata})
    return Step(
        (Revise(known, told, reason="narrative"), *links_to(told, sources)), note=_WHY, reads=tuple(sources)
    )


def _made_of(ground: Ground) -> frozenset[str]:
    """Types of what is stated in a session."""
    return frozenset(ground.taxonomy.specs) - {"episode", "chunk", "event", "narrative"}


def _of(ground: Ground, session: Session, types: frozenset[str]) -> Selection:
    return ground.within(session.scope).selection(types=types, session_id=session.session_id)
