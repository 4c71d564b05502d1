"""Sessions that are over: what was stated in them is kept, and what they were about."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Final

from simonides.domain.item import MADE_BY, SESSIONS, Item, Status, Validation
from simonides.domain.link import Relation
from simonides.domain.records import Session
from simonides.domain.scope import Scope, exactly
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.text import sha256_hex
from simonides.domain.verdict import Outcome
from simonides.governance.policy import Candidate
from simonides.language.earnest import in_earnest
from simonides.language.sameness import read
from simonides.language.sentences import sentences
from simonides.ports.buffer import SessionSelection, session_of
from simonides.ports.store import NewItem, Reader
from simonides.recall.question.speech import quotations
from simonides.recall.withheld import mark_of, marks_of, rest_of
from simonides.recall.withheld import marked as with_marks
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import Create, MarkSession, Revise
from simonides.upkeep.derived import derived, links_to, whose
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.stated import Extraction
from simonides.values import dataclass
from simonides.writing.habits import Habits

NAME: Final = SESSIONS
#: Turns that a narrative looks at, and what was made of a session.
_TURNS: Final = 500
_STATED: Final = 50
#: Sessions of one run, longest silent first; the next run goes on.
_SESSIONS: Final = 10_000
_TOLD: Final = 0.8
_WHY: Final = "what the session was about"
#: What a job says of narratives for which its model does not answer.
WITHOUT: Final = "these sessions are told without a model"


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
        asking = ModelAccess(ground, WITHOUT)
        extraction = Extraction(ground, asking)
        with ground.read() as reader:
            sessions = over(reader, exactly(ground.scope), ground.habits, ground.now(), _SESSIONS)
        for done, session in enumerate(sessions, 1):
            if ground.habits.extracts and not (yield from extraction.of(session.scope, session.session_id)):
                continue  # Its turns wait, so it is not done.
            yield from narrated(ground, asking, session, extraction.planned)
            yield Step((marked(ground, session),))
            ground.tell(done, len(sessions), "sessions")


def marked(ground: Ground, session: Session) -> MarkSession:
    """That a session is done, with all that was said until now."""
    return MarkSession(session.session_id, session.scope, max(ground.now(), session.last_seen_at))


def over(
    reader: Reader, scopes: tuple[Scope, ...] | None, habits: Habits, now: int, limit: int
) -> list[Session]:
    """Sessions that are not done and are over: ended, followed by another one in their scope, or silent for long.

    One whose turns wait for the time of another try is left alone until then.

    Args:
        limit: How many are looked at, longest silent first.
    """
    sessions = _undone(reader, scopes, habits, now, limit)
    silent_since = now - habits.silence_us
    latest = {
        scope: newest.first_seen_at
        for scope in {session.scope for session in sessions}
        for newest in reader.sessions(SessionSelection(scopes=(scope,)), 1)
    }
    return [
        session
        for session in sessions
        if session.ended_at is not None
        or session.last_seen_at < latest.get(session.scope, 0)
        or session.last_seen_at <= silent_since
    ]


def _undone(
    reader: Reader, scopes: tuple[Scope, ...] | None, habits: Habits, now: int, limit: int
) -> list[Session]:
    """Sessions that were heard of since they were consolidated, or have turns that may be extracted from."""
    sessions = reader.sessions(
        SessionSelection(scopes=scopes, unconsolidated=True), limit, longest_silent=True
    )
    waiting = [one for one in reader.waiting(scopes) if one.turns] if habits.extracts else []
    put_off = {(one.scope, one.session_id) for one in waiting if habits.is_put_off(one, now)}
    known = {(session.scope, session.session_id) for session in sessions}
    for one in waiting:
        if (one.scope, one.session_id) not in known:
            late = session_of(reader, one.scope, one.session_id)
            sessions += [] if late is None else [late]
    return [session for session in sessions if (session.scope, session.session_id) not in put_off]


# What it was about


def narrated(
    ground: Ground, asking: ModelAccess, session: Session, planned: Sequence[Item] = ()
) -> Generator[Step, None, str | None]:
    """The narrative of a session that has none, or told anew where the session went on since.

    Args:
        planned: What was stated in it or others, and is stored only where this is no dry run.

    Returns:
        Its id; None where there is nothing to tell.
    """
    heard = _heard(ground, session, planned)
    known = heard.known
    if not heard.is_news:
        return None if known is None else known.id
    texts, worded_by = _worded(ground, asking, heard)
    words = frozenset[str]().union(*(read(turn.content).content for turn in heard.turns))
    for text in texts:
        if not words & read(text).content:
            continue  # That somebody talked is no news.
        item = _narrative(ground, session, heard, text, worded_by)
        ruling = ground.policy.judge(Candidate(item, why_store=_WHY, actor="upkeep"), ground.now())
        if ruling.outcome is not Outcome.ACCEPTED:
            continue
        with ground.read() as reader:
            holders = reader.holders(item.scope, [item.content_hash])
        # Short talks may be told in the same words: then one item tells of them all.
        narrative = next((one for one in holders.values() if not _has_expired(one, ground.now())), None)
        if narrative is None:
            yield _telling(item, known, heard.sources)
            narrative = known or item
        else:
            yield Step((*links_to(narrative, heard.sources),), note=_WHY, reads=(narrative, *heard.sources))
        with ground.read() as reader:
            return narrative.id if reader.get([narrative.id]) else None
    return None


@dataclass(frozen=True, slots=True)
class _Heard:
    """All that the narrative of a session is made of.

    Attributes:
        known: Its narrative as it stands.
        told_at: When that was told last.
        previous: The narrative of the session before.
        turns: What was said, in its order.
        stated: What was stated in it.
        corrected: Whether the narrative was made of something that says otherwise now.
    """

    known: Item | None
    told_at: int
    previous: Item | None
    turns: Sequence[Item]
    stated: Sequence[Item]
    corrected: bool

    @property
    def is_news(self) -> bool:
        """True if something was said that the narrative does not tell of yet, or was corrected that it tells of."""
        known = self.known
        return self.corrected or any(known is None or turn.created_at > self.told_at for turn in self.turns)

    @property
    def sources(self) -> list[Item]:
        """Turns and statements: it may quote either, is made of both, and goes with either."""
        return [*self.turns, *self.stated]


def _heard(ground: Ground, session: Session, planned: Sequence[Item]) -> _Heard:
    own = _of(ground, session, frozenset({"narrative"}))
    earlier = replace(own, session_id=None, before=session.first_seen_at)
    taken_out = replace(own, live_at=None, statuses=frozenset({Status.ARCHIVED}))
    with ground.read() as reader:
        known = next(iter(reader.select(own, limit=1).values()), None)
        turns = reader.select(_of(ground, session, frozenset({"episode"})), limit=_TURNS).values()
        stated = reader.select(_of(ground, session, _made_of(ground)), limit=_STATED).values()
        previous = next(iter(reader.select(earlier, ItemOrder.LATEST, limit=1).values()), None)
        gone = [
            one for one in reader.select(taken_out, limit=_STATED).values() if _was_forgotten(reader, one)
        ]
        told_at = 0 if known is None else _told_at(reader, known)
        corrected = known is not None and _is_corrected(reader, known, told_at)
    heard = [*reversed(stated), *(item for item in planned if item.session_id == session.session_id)]
    # What a forgotten narrative told of is not told again: only what was said since.
    since = max((one.updated_at for one in gone), default=-1)
    return _Heard(
        known,
        told_at,
        previous,
        [
            turn
            for turn in in_earnest(sorted(turns, key=lambda turn: (turn.ordinal or 0, turn.id)))
            if turn.injectable and turn.created_at > since
        ],
        [item for item in heard if item.injectable and _is_stated(item) and item.said_at > since],
        corrected,
    )


def _was_forgotten(reader: Reader, narrative: Item) -> bool:
    """True if a narrative itself was let go of, and not held back with a turn that it was made of."""
    return narrative.validation is Validation.RETRACTED and all(
        revision.reason != "hold" for revision in reader.revisions(narrative.id)
    )


def _told_at(reader: Reader, narrative: Item) -> int:
    """Instant at which a narrative was told last: that prompts are to tell less of it changes it, too."""
    if not marks_of(narrative):
        return narrative.updated_at
    same = [one for one in reader.revisions(narrative.id) if one.item.content == narrative.content]
    return same[0].item.updated_at if same else narrative.updated_at


def _is_corrected(reader: Reader, narrative: Item, told_at: int) -> bool:
    """True if a source of a narrative was replaced, or worded anew, since it was told."""
    links = reader.links([narrative.id], [Relation.DERIVED_FROM])
    sources = reader.get([link.dst for link in links if link.src == narrative.id]).values()
    hashes = narrative.provenance.content_hashes
    return any(
        source.superseded_by is not None or sha256_hex(source.content) not in hashes
        for source in sources
        if source.updated_at > told_at
    )


def _is_stated(item: Item) -> bool:
    return item.type != "event" or item.metadata.get(MADE_BY) in {None, SESSIONS}


def _worded(ground: Ground, asking: ModelAccess, heard: _Heard) -> tuple[Sequence[str], str | None]:
    """Narratives to choose from, and the model that worded them; None where none did."""
    turns = list(map(rest_of, heard.turns))
    if ground.habits.with_model:
        if asking.silent:
            ground.degraded(f"{asking.name} does not answer; {WITHOUT}")
        texts = asking.ask(lambda model: ground.habits.session_summaries(turns, heard.stated, model))
        if texts:
            return texts, asking.name
    return ground.habits.session_summaries(turns, heard.stated, None), None


def _narrative(ground: Ground, session: Session, heard: _Heard, text: str, worded_by: str | None) -> Item:
    return derived(
        text,
        "narrative",
        heard.sources,
        now=ground.now(),
        taxonomy=ground.taxonomy,
        made_by=NAME,
        worded_by=worded_by,
        confidence=min(_TOLD, *(source.confidence for source in heard.sources)),
        event_at=session.first_seen_at,
        session_id=session.session_id,
        narrative_id=None if heard.previous is None else heard.previous.id,
    )


def _has_expired(item: Item, now: int) -> bool:
    return item.expires_at is not None and item.expires_at <= now


def _telling(item: Item, known: Item | None, sources: Sequence[Item]) -> Step:
    """The step that stores a narrative: as a new item, or in the place of the former words."""
    if known is None:
        made = Create(NewItem(item, Outcome.ACCEPTED, action="narrative", actor="upkeep", why_store=_WHY))
        return Step((made, *links_to(item, sources)), note=_WHY, reads=tuple(sources))
    trust = whose([known, item])[1]
    # What silenced the former words does so to new ones that quote it.
    marks = frozenset[str]().union(*map(marks_of, (known, *sources)))
    quotes = any(mark_of(sentence) in marks for sentence in _quoted(item))
    narrative = replace(
        known,
        content=item.content,
        trust=trust,
        injectable=(known.injectable or bool(marks_of(known))) and not quotes,
        metadata={**with_marks(known, ()).metadata, **item.metadata},
        provenance=replace(known.provenance, content_hashes=item.provenance.content_hashes),
    )
    return Step(
        (Revise(known, narrative, reason="narrative"), *links_to(narrative, sources)),
        note=_WHY,
        reads=tuple(sources),
    )


def _quoted(narrative: Item) -> Iterator[str]:
    """Yield what a narrative quotes, and each sentence of that."""
    for quotation in quotations(narrative.content):
        yield quotation
        yield from (quotation[start:end] for start, end, _ in sentences(quotation))


def _made_of(ground: Ground) -> frozenset[str]:
    """Types of what is stated in a session."""
    return frozenset(ground.taxonomy.specs) - {"episode", "chunk", "narrative", "record"}


def _of(ground: Ground, session: Session, types: frozenset[str]) -> Selection:
    return ground.within(session.scope).selection(types=types, session_id=session.session_id)
