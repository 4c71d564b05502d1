"""The day: what was talked about becomes an event for each conversation, and what lasts of events becomes facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from simonides.domain.batches import batches
from simonides.domain.instant import DAY_US
from simonides.domain.item import MADE_BY, SESSIONS, Item
from simonides.domain.provenance import FROM_USER
from simonides.domain.scope import ALL, Scope
from simonides.domain.selection import Selection
from simonides.domain.text import shortened
from simonides.governance.about_user import speaks_to_somebody, tells_of_the_user
from simonides.governance.known import of_the_user
from simonides.language.earnest import in_earnest
from simonides.language.excerpt import excerpt
from simonides.language.taken_back.within import said_in
from simonides.recall.withheld import rest_of
from simonides.tasks.facts import lasting
from simonides.tasks.summary import Spoken, summarise
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import Judged, new_item
from simonides.upkeep.derived import borne_out_by, derived, links_to
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Step
from simonides.values import dataclass
from simonides.writing.extract.by_model import speaker

NAME: Final = "day"
#: Characters of an event.
EVENT_CHARS: Final = 200
#: A stretch with fewer characters tells of itself; so does one of fewer turns.
_LEAST_CHARS: Final = 300
_LEAST_TURNS: Final = 3
#: Turns of a stretch that are read, and characters of them that a model is shown.
_MOST_TURNS: Final = 400
_SHOWN_CHARS: Final = 12_000
_SHOWN_OF_TURN: Final = 600
#: Events of a day that a model is asked about together.
_EVENTS_AT_ONCE: Final = 30
#: Surety of what is drawn from something, if it is itself sure.
_DRAWN: Final = 0.8
#: Names under which the jobs note how far they came: in the turns, and in the events.
_TURNS: Final = "day:turns"
_EVENTS: Final = "day:events"


class Stretch(NamedTuple):
    """The turns of one session on one day, counted from 1970, in UTC."""

    scope: Scope
    session_id: str
    day: int


@dataclass(frozen=True, slots=True)
class _Page:
    """Events between two bookmarks.

    Attributes:
        closed: What happened on days that are over.
        bookmark: The newest item up to which every day is over; None if nothing was to be noted.
    """

    closed: tuple[Item, ...]
    bookmark: Item | None


class CompressDays:
    """Tells of every day that is over, once, whenever it runs next.

    Each stretch of a conversation that lies on one day gets an `event` of at most 200 characters, unless it is too
    short or has one. Of all other events, what lasts becomes facts. The turns and events stay as they are.
    With a model the words are its own, as far as the turns bear them out; without one an event quotes what the
    stretch is most about, and facts are the plain statements of the events.
    """

    name = NAME
    about = "Sum up the conversations of each day that is over, and draw facts from its events."

    def plan(self, ground: Ground) -> Iterator[Step]:
        asking = ModelAccess(
            ground,
            "events quote the turns, and facts of events wait for the next run",
            "these events quote the turns, and their facts were found by rules",
        )
        for page in _pages(ground, _TURNS, frozenset({"episode"})):
            yield from _events(ground, asking, page.closed)
            yield from _noted(ground, _TURNS, page.bookmark)
        for page in _pages(ground, _EVENTS, frozenset({"event"})):
            yield from _facts(
                ground, asking, [item for item in page.closed if item.metadata.get(MADE_BY) != NAME]
            )
            if asking.silent:
                return  # What it was not asked about is left for the next run.
            yield from _noted(ground, _EVENTS, page.bookmark)


def day_of(item: Item) -> int:
    """The day on which what an item tells happened, from 1970, in UTC."""
    return item.happened_at // DAY_US


def _place(ground: Ground, job: str) -> str:
    """The name of a bookmark: one scope does not move that of the whole store."""
    return job if ground.scope is ALL else f"{job}:{ground.scope}"


def _pages(ground: Ground, job: str, types: frozenset[str]) -> Iterator[_Page]:
    """Items behind the bookmark, by key, page by page; what happened today is left for another day."""
    today = ground.now() // DAY_US
    with ground.read() as reader:
        after = max(reader.bookmark(job), reader.bookmark(_place(ground, job)))
    selection = ground.selection(types=types)
    still_open = False
    for page in ground.pages(selection, after=after, what="turns" if "episode" in types else "events"):
        closed: list[Item] = []
        bookmark: Item | None = None
        for item in page.values():
            if day_of(item) >= today:
                still_open = True
                continue
            closed.append(item)
            bookmark = bookmark if still_open else item
        yield _Page(tuple(closed), bookmark)


def _noted(ground: Ground, job: str, item: Item | None) -> Iterator[Step]:
    if item is not None:
        yield Step((Judged(_place(ground, job), item.id, item.id),))


# Events of conversations


def _events(ground: Ground, asking: ModelAccess, turns: Sequence[Item]) -> Iterator[Step]:
    stretches = dict.fromkeys(
        Stretch(turn.scope, turn.session_id, day_of(turn)) for turn in turns if turn.session_id is not None
    )
    for done, stretch in enumerate(stretches, 1):
        if (step := _event(ground, asking, stretch)) is not None:
            yield step
        if asking.answers:
            ground.tell(done, len(stretches), "conversations")


def _event(ground: Ground, asking: ModelAccess, stretch: Stretch) -> Step | None:
    """The event of a stretch; None where it has one, or needs none."""
    with ground.read() as reader:
        events = reader.select(_within(stretch, "event", None), limit=_MOST_TURNS)
        if any(_sums_up(event) for event in events.values()):
            return None
        by_key = reader.select(_within(stretch, "episode", ground.now()), limit=_MOST_TURNS)
    in_order = sorted(by_key.values(), key=lambda turn: (turn.ordinal or 0, turn.created_at, turn.id))
    turns = [turn for turn in in_earnest(in_order) if turn.injectable]
    if len(turns) < _LEAST_TURNS or sum(len(turn.content) for turn in turns) < _LEAST_CHARS:
        return None
    rests = list(map(rest_of, turns))
    shown = spoken(rests)
    worded = asking.ask(lambda model: summarise(model, shown, EVENT_CHARS)) if shown else None
    if worded is not None:
        sources = borne_out_by(worded, turns) or turns
        text, worded_by = worded, asking.name
    else:
        quoted = excerpt(rests, EVENT_CHARS, left_out=_speaks_for_the_user)
        if quoted is None:
            return None
        ids = {turn.id for turn in quoted.turns}
        text, sources, worded_by = quoted.text, [turn for turn in turns if turn.id in ids], None
    item = derived(
        text,
        "event",
        sources,
        now=ground.now(),
        taxonomy=ground.taxonomy,
        made_by=NAME,
        worded_by=worded_by,
        session_id=stretch.session_id,
        event_at=turns[0].event_at or turns[0].created_at,
        confidence=min(_DRAWN, *(turn.confidence for turn in sources)),
    )
    with ground.read() as reader:
        if reader.holders(item.scope, [item.content_hash]):
            return None
    why = f"what session {stretch.session_id} was about on that day"
    return Step(
        (new_item(item, reason="event", why_store=why), *links_to(item, sources)), reads=tuple(sources)
    )


def _speaks_for_the_user(turn: Item, sentence: str) -> bool:
    """True if a model or a tool says in a sentence what only the user may say of themselves, or says it to them."""
    return turn.origin not in FROM_USER and (
        speaks_to_somebody(sentence)
        or tells_of_the_user(
            of_the_user(sentence, turn.scope), owned=dict(turn.scope.parts).get("user") is not None
        )
    )


def _sums_up(event: Item) -> bool:
    """True if an event tells of a stretch, and not only of something that was stated in it."""
    return "extracted_by" not in event.metadata and event.metadata.get(MADE_BY) != SESSIONS


def _within(stretch: Stretch, item_type: str, live_at: int | None) -> Selection:
    return Selection(
        scopes=(stretch.scope,),
        live_at=live_at,
        types=frozenset({item_type}),
        session_id=stretch.session_id,
        after=stretch.day * DAY_US,
        before=(stretch.day + 1) * DAY_US,
    )


def spoken(turns: Sequence[Item]) -> list[Spoken]:
    """Turns as a model is shown them: the beginning of each; of a long stretch from all over it.

    What users quote, forward or paste is left out: what is made of their turns passes for their word.
    """
    texts = [(turn, said_in(turn)) for turn in turns]
    spoken_turns = [Spoken(speaker(turn), shortened(text, _SHOWN_OF_TURN)) for turn, text in texts if text]
    every = 1
    while sum(len(one.text) for one in spoken_turns[::every]) > _SHOWN_CHARS:
        every += 1
    return spoken_turns[::every]


# Facts of events


def _facts(ground: Ground, asking: ModelAccess, events: Sequence[Item]) -> Iterator[Step]:
    days: Mapping[tuple[object, ...], list[Item]] = defaultdict(list)
    for event in events:
        if event.injectable:
            days[event.scope, day_of(event)].append(event)
    for some in days.values():
        for events_at_once in batches(some, _EVENTS_AT_ONCE):
            yield from _of_day(ground, asking, events_at_once)
            if asking.silent:
                return


def _of_day(ground: Ground, asking: ModelAccess, events: Sequence[Item]) -> Iterator[Step]:
    """Plan what lasts of events of one day."""
    answer = asking.ask(lambda model: lasting(model, [event.text for event in events]))
    if answer is not None:
        for drawn in answer.kept:
            sources = [events[place] for place in drawn.sources]
            yield from _drawn(ground, drawn.content, drawn.type, sources, worded_by=asking.name)
        if answer.dropped:
            ground.degraded(
                f"{asking.name}: {len(answer.dropped)} facts were not borne out by the events, and left out"
            )
        return
    if asking.silent:
        return
    by_id = {event.id: event for event in events}
    for stated in ground.habits.stated(events, None).statements:
        sources = [by_id[source] for source in stated.source_ids]
        yield from _drawn(ground, stated.content, stated.type, sources, worded_by=None)


def _drawn(
    ground: Ground, content: str, item_type: str, sources: Sequence[Item], *, worded_by: str | None
) -> Iterator[Step]:
    """The step that stores a fact, unless it is known already."""
    item = derived(
        content,
        item_type,
        sources,
        now=ground.now(),
        taxonomy=ground.taxonomy,
        made_by=NAME,
        worded_by=worded_by,
        event_at=sources[0].event_at,
        confidence=min(_DRAWN, *(source.confidence for source in sources)),
    )
    with ground.read() as reader:
        known = reader.holders(item.scope, [item.content_hash])
    if not known:
        made = new_item(item, reason="extract", why_store="it outlasts the day")
        yield Step((made, *links_to(item, sources)), reads=tuple(sources))
