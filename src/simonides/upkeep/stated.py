"""From turns that wait to items: what they clearly state is kept, in one step with the turns' leaving the buffer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from simonides.domain.extraction import Extracted, ExtractReport
from simonides.domain.ids import is_id
from simonides.domain.item import SESSIONS, Item, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import FROM_USER, Origin, Trust
from simonides.domain.scope import Scope
from simonides.domain.selection import LONGER, ItemOrder
from simonides.domain.taxonomy import Kind, Taxonomy
from simonides.domain.text import content_hash, shortened
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidAnswer, ProviderError
from simonides.governance.known import of_the_user
from simonides.governance.policy import Candidate, Ruling, to_be_noted
from simonides.governance.speakers import speaker, without_sender
from simonides.governance.wordings import taken_back_in
from simonides.language.aliases import COMMON, Aliases
from simonides.language.contradiction import (
    Difference,
    difference,
    difference_of_one,
    replacement,
    told_of_one,
    words_of_telling,
)
from simonides.language.earnest import in_earnest
from simonides.language.outdated import outdated, tells_an_end, told_by_now
from simonides.language.sameness import read, same
from simonides.ports.buffer import WaitingTurn
from simonides.ports.store import NewItem, Reader, TextQuery
from simonides.recall.withheld import mark_of, marked, marks_of, pieces_of, rest_of
from simonides.upkeep.asking import ModelAccess
from simonides.upkeep.change import AddLink, Change, Create, HoldBack, NoteRefusal, PutOff, Revise, TakeTurns
from simonides.upkeep.clusters import Contradiction, search_terms, takes_part
from simonides.upkeep.conflicts import Contesting, contested, ended_by
from simonides.upkeep.derived import derived, links_to
from simonides.upkeep.ground import Ground
from simonides.upkeep.job import Batch, Step
from simonides.upkeep.overtaken import TYPES, overtaken
from simonides.upkeep.unsaid import retracted, retracted_sentences, unsaid, unsaid_sentences
from simonides.upkeep.withheld import repeated, telling, withheld
from simonides.values import dataclass
from simonides.writing.extract.by_model import Findings
from simonides.writing.extract.statement import Statement

RULES: Final = "rules"
#: Items that a statement is compared with, and the words by which they are found.
_NEAR: Final = 20
_TERMS: Final = 12
#: Items that are looked through for what tells the same of one.
_NEAR_OF_ONE: Final = 50
#: Types of what people say of themselves.
_OF_SPEAKERS: Final = frozenset({"identity", "fact", "preference"})
#: The last items of a type, which a correction may be of.
_LATEST: Final = 3
#: Turns of a session before those that are read: what they began may go on.
_MOST_BEFORE: Final = 200
_LONGEST_ERROR: Final = 300
_KNOWN: Final = "duplicate: this is known already"

#: Called with what became of a piece of turns, once that is durable; in a dry run with what would.
Note = Callable[[ExtractReport], None]


@dataclass(frozen=True, slots=True)
class _Found:
    """Statements of a piece of turns.

    Attributes:
        by: `rules`, or the name of the model.
        failed: Why the model found nothing, where the rules did in its place: the turns stand as failed then.
    """

    findings: Findings
    by: str
    failed: str | None = None


@dataclass(slots=True)
class _Entry:
    """Changes for one statement.

    Attributes:
        made: The change that stores it; None where `known` says it already, or it is refused.
        refused: Of a secret or an order.
        known: What says it already, stored or made in the same step.
        former: What said it before something else was said, and ends with it.
        against: Items that it contradicts.
    """

    statement: Statement
    sources: tuple[Item, ...]
    verdict: Verdict
    made: Create | None = None
    refused: NoteRefusal | None = None
    known: Item | None = None
    former: Item | None = None
    against: tuple[Contradiction, ...] = ()


class Extraction:
    """Extracts from the turns of one session after another, in one run.

    Args:
        failed: Whether turns that failed as often as they may are tried, too.
        note: Hears of every piece.
        of: How many turns there are to take, for whoever watches; 0 to tell nothing.
    """

    def __init__(
        self,
        ground: Ground,
        asking: ModelAccess,
        *,
        failed: bool = False,
        note: Note = lambda _: None,
        of: int = 0,
    ) -> None:
        self._ground = ground
        self._asking = asking
        self._failed = failed
        self._note = note
        self._of = of
        self._done = 0
        #: What a dry run would have stored.
        self.planned: list[Item] = []

    def of(self, scope: Scope, session_id: str) -> Generator[Step | Batch, None, bool]:
        """Steps that take the turns of a session out of the buffer, each with what they state.

        Returns:
            Whether none is left to be tried again.
        """
        taken: set[str] = set()
        most = self._ground.habits.settings.max_turns
        while True:
            with self._ground.read() as reader:
                waiting = reader.waiting_turns(scope, session_id, most + len(taken), failed=self._failed)
            turns = [turn for turn in waiting if turn.item.id not in taken][:most]
            if not turns:
                return True
            taken.update(turn.item.id for turn in turns)
            before = self._before(turns[0].item)
            reading = self._read(turns, before)
            if reading is None:
                return False
            if isinstance(reading, ProviderError):
                yield self._put_off(session_id, turns, reading)
            else:
                yield from self._kept(session_id, [turn.item for turn in turns], reading, before)
            self._done += len(turns)
            if self._of:
                self._ground.tell(self._done, self._of, "turns")
            if isinstance(reading, ProviderError):
                return False

    # Finding

    def _before(self, first: Item) -> list[Item]:
        """The last turns of a session before one of it."""
        at = first.happened_at
        selection = self._ground.within(first.scope).selection(
            types=frozenset({first.type}), session_id=first.session_id, before=at + 1
        )
        with self._ground.read() as reader:
            turns = reader.select(selection, ItemOrder.LATEST, limit=_MOST_BEFORE).values()
        place = first.ordinal or 0
        return sorted(
            (turn for turn in turns if (turn.ordinal or 0) < place), key=lambda turn: turn.ordinal or 0
        )

    def _read(self, turns: Sequence[WaitingTurn], before: Sequence[Item]) -> _Found | ProviderError | None:
        """Read the statements of turns; why the model did not say; None where it does not answer, and is not asked.

        Args:
            before: What was said before them in the session.
        """
        ground, asking = self._ground, self._asking
        habits = ground.habits
        items = [turn.item for turn in turns]
        if ground.model is None or not habits.with_model:
            return _Found(habits.stated(items, None, before), RULES)
        if asking.silent:
            ground.degraded(f"{asking.name} does not answer; turns of other sessions wait for the next run")
            return None
        try:
            rests = self._rests(items)
            return _Found(asking.insist(lambda model: habits.stated(rests, model, before)), asking.name)
        except ProviderError as error:
            if habits.rules_stand_in and self._retry_at(turns) is None:
                return _Found(habits.stated(items, None, before), RULES, self._why(error))
            return error

    def _rests(self, turns: Sequence[Item]) -> list[Item]:
        """Turns as a model is shown them: without what was forgotten, taken back or replaced since they were said.

        The rules took statements of them where a model had failed, and would be heard once more in other words.
        """
        with self._ground.read() as reader:
            links = reader.links([turn.id for turn in turns], [Relation.DERIVED_FROM])
            made = reader.get(sorted({link.src for link in links}))
        rests: list[Item] = []
        for turn in turns:
            gone = (made[link.src] for link in links if link.dst == turn.id and link.src in made)
            marks = {
                mark_of(piece)
                for item in gone
                if item.superseded_by is not None and item.type not in LONGER
                for piece in telling(pieces_of(turn), of_the_user(without_sender(item), turn.scope))
            }
            rests.append(rest_of(marked(turn, marks_of(turn) | marks)))
        return rests

    def _retry_at(self, turns: Sequence[WaitingTurn]) -> int | None:
        """Next time to try turns that failed once more; None for never."""
        return self._ground.habits.retry_at(_tries(turns), self._ground.now())

    def _why(self, error: ProviderError) -> str:
        """Describe what went wrong, without what may quote a turn."""
        if isinstance(error, InvalidAnswer):
            return f"{self._asking.name}: its answer could not be used"
        return shortened(str(error), _LONGEST_ERROR)

    def _put_off(self, session_id: str, turns: Sequence[WaitingTurn], error: ProviderError) -> Step:
        """The step that leaves turns where they are, to be tried again later, or as failed."""
        why, retry_at = self._why(error), self._retry_at(turns)
        most = self._ground.habits.settings.tries
        then = (
            "stand as failed"
            if retry_at is None
            else f"are tried again, {_tries(turns)} of {most} tries are over"
        )
        self._ground.degraded(f"{why}; {len(turns)} turns of {session_id} {then}")
        change = PutOff(session_id, tuple(turn.item.id for turn in turns), why, retry_at)
        return self._noted((change,), ExtractReport(sessions=(session_id,), put_off=len(turns)))

    # Keeping

    def _kept(
        self, session_id: str, turns: Sequence[Item], reading: _Found, before: Sequence[Item]
    ) -> Iterator[Step | Batch]:
        ground = self._ground
        entries = self._entries(session_id, turns, reading)
        ids = tuple(turn.id for turn in turns)
        changes: list[Change] = [
            TakeTurns(session_id, ids)
            if reading.failed is None
            else PutOff(session_id, ids, reading.failed, None)
        ]
        if ground.dry_run:
            self.planned += [entry.made.new.item for entry in entries if entry.made is not None]
        made = {entry.made.new.item.id for entry in entries if entry.made is not None}
        for entry in entries:
            if entry.made is not None:
                new = entry.made.new.item
                if entry.former is not None:
                    changes.append(
                        Revise(entry.former, ended_by(entry.former, new, ground.now()), "supersede")
                    )
                changes += [entry.made, *links_to(new, entry.sources)]
            elif entry.refused is not None:
                changes.append(entry.refused)
            elif entry.known is not None:
                changes += _joined(entry.known, entry.sources, made=entry.known.id in made)
        meant = in_earnest([*before, *turns])
        held = self._unsaid(session_id, turns, meant)
        held, doubtful = self._with_what_is_retracted(held, turns, meant)
        gone = {item.id for item, _ in held} | {one.former.id for one in entries if one.former is not None}
        gone |= {pair.older.id for one in entries for pair in one.against}
        doubtful += self._overtaken(turns, meant, gone | {item.id for _, items in doubtful for item in items})
        changes += (HoldBack(item, (taken_back_in(by),)) for item, by in held)
        for turn, items in doubtful:
            changes += _contested_by(turn, items)
        sentences = unsaid_sentences(meant, turns, held)
        with ground.read() as reader:
            for id_, pieces in retracted_sentences(reader, meant, turns).items():
                sentences.setdefault(id_, []).extend(pieces)
        sentences |= repeated([*before, *turns], sentences)
        if held or sentences:
            with ground.read() as reader:
                changes += withheld(reader, [item for item, _ in held], sentences)
        if reading.failed is not None:
            ground.degraded(f"{reading.failed}; extracted by rules, {len(turns)} turns stand as failed")
        known = (entry.known for entry in entries if entry.known is not None and entry.known.id not in made)
        report = ExtractReport(
            turns=len(turns),
            found=tuple(_extracted(entry, reading.by, dry_run=ground.dry_run) for entry in entries),
            sessions=(session_id,),
            dropped=reading.findings.dropped,
        )
        reads = (*turns, *known, *(item for item, _ in held))
        yield self._noted(tuple(changes), report, reads=reads)
        yield from Contesting(ground).steps([pair for entry in entries for pair in entry.against], {})

    def _unsaid(
        self, session_id: str, turns: Sequence[Item], meant: Sequence[Item]
    ) -> list[tuple[Item, tuple[str, ...]]]:
        """Items that were kept before and that these turns take back, with the ids of those that do.

        Args:
            meant: These turns and those before them, as of `in_earnest`.
        """
        ground = self._ground.within(turns[0].scope)
        with ground.read() as reader:
            return unsaid(reader, meant, turns, ground.selection(session_id=session_id), ground.taxonomy)

    def _with_what_is_retracted(
        self, held: list[tuple[Item, tuple[str, ...]]], turns: Sequence[Item], meant: Sequence[Item]
    ) -> tuple[list[tuple[Item, tuple[str, ...]]], list[tuple[Item, list[Item]]]]:
        """Items to hold back, also those of other sessions that turns take back by name, and where that is in doubt."""
        ground = self._ground.within(turns[0].scope)
        with ground.read() as reader:
            reading = retracted(reader, meant, turns, ground.selection())
        known = {item.id for item, _ in held}
        doubtful: list[tuple[Item, list[Item]]] = []
        for turn, items in reading:
            others = [item for item in items if item.id not in known]
            if len(items) == 1 and others:
                held = [*held, (others[0], (turn.id,))]
                known.add(others[0].id)
            elif len(others) == len(items):
                doubtful.append((turn, [item for item in others if item.id not in known]))
        return held, doubtful

    def _overtaken(
        self, turns: Sequence[Item], meant: Sequence[Item], gone: AbstractSet[str]
    ) -> list[tuple[Item, list[Item]]]:
        """Items that are over by what these turns tell in passing, but those that something else becomes of."""
        ground = self._ground.within(turns[0].scope)
        ids = {turn.id for turn in meant}
        new = [turn for turn in turns if turn.id in ids]
        with ground.read() as reader:
            pairs = overtaken(reader, new, ground.selection(types=TYPES))
        left = ((turn, [item for item in items if item.id not in gone]) for turn, items in pairs)
        return [(turn, items) for turn, items in left if items]

    def _noted(
        self, changes: tuple[Change, ...], report: ExtractReport, reads: tuple[Item, ...] = ()
    ) -> Step:
        """A step of which is told once it is done; in a dry run at once."""
        if self._ground.dry_run:
            self._note(report)
        return Step(
            changes, note=f"session {report.sessions[0]}", reads=reads, done=lambda: self._note(report)
        )

    def _entries(self, session_id: str, turns: Sequence[Item], reading: _Found) -> list[_Entry]:
        by_id = {turn.id: turn for turn in turns}
        stated = [
            (one, tuple(by_id[source] for source in one.source_ids)) for one in reading.findings.statements
        ]
        actor = "upkeep" if reading.by == RULES else "model"
        candidates = [
            # As a proposal: what is known in other words, or was put into a prompt of the session, is no news.
            Candidate(
                self._item(one, sources, session_id, reading.by),
                proposed=True,
                why_store=one.why_store,
                actor=actor,
                said_at=max(turn.said_at for turn in sources) if reading.by == RULES else None,
            )
            for one, sources in stated
        ]
        rulings = self._ground.habits.judged(candidates, session_id) if candidates else ()
        aliases = self._ground.within(turns[0].scope).aliases() if rulings else COMMON
        entries: list[_Entry] = []
        made: dict[bytes, Item] = {}
        for (statement, sources), candidate, ruling in zip(stated, candidates, rulings, strict=True):
            entry = self._entry(statement, sources, ruling, made, actor, aliases)
            entry = self._said_again(entry, candidate, session_id, made, aliases)
            if entry.made is not None and entry.made.new.outcome is Outcome.ACCEPTED:
                made[entry.made.new.item.content_hash] = entry.made.new.item
            entries.append(entry)
        return entries

    def _item(self, statement: Statement, sources: tuple[Item, ...], session_id: str, by: str) -> Item:
        ground = self._ground
        # Of what nobody said a model may be right; but it is its word, and judged as such.
        own = {"origin": Origin.ASSISTANT_SAID, "trust": Trust.MEDIUM} if statement.invented else {}
        item = derived(
            statement.content,
            statement.type,
            sources,
            now=ground.now(),
            taxonomy=ground.taxonomy,
            made_by=SESSIONS,
            worded_by=None if by == RULES else by,
            tags=statement.tags,
            entities=statement.entities,
            confidence=min(statement.confidence, *(turn.confidence for turn in sources)),
            importance=statement.importance,
            event_at=statement.event_at,
            session_id=session_id,
            **own,
        )
        names = {str(turn.metadata.get("sender") or "") for turn in sources}
        name = names.pop() if len(names) == 1 else ""
        return replace(item, metadata={**item.metadata, "sender": name}) if name else item

    def _entry(
        self,
        statement: Statement,
        sources: tuple[Item, ...],
        ruling: Ruling,
        made: dict[bytes, Item],
        actor: str,
        aliases: Aliases,
    ) -> _Entry:
        """Decide what to do about a statement, after those of the same piece that are made already."""
        ground, item = self._ground, ruling.item
        if ruling.outcome is Outcome.REJECTED:
            code = ruling.reasons[0].partition(":")[0]
            ground.degraded(f"{code}: the policy turned some statements down")
            kinds = tuple(to_be_noted(ruling))
            refused = NoteRefusal(item.content, kinds, actor) if kinds else None
            return _Entry(
                statement, sources, Verdict(Outcome.REJECTED, None, ruling.reasons), refused=refused
            )
        if ruling.outcome is Outcome.MERGED:
            verdict = Verdict(Outcome.MERGED, item.id, ruling.reasons)
            return _Entry(statement, sources, verdict, known=item)
        held_back = ruling.outcome is Outcome.QUARANTINED
        with ground.read() as reader:
            held = reader.holders(item.scope, [item.content_hash], quarantined=held_back)
            known = next(iter(held.values()), None)
            near = [] if held_back else _near(ground, reader, item, aliases, statement)
        if held_back:
            if known is not None:
                return _Entry(statement, sources, Verdict(Outcome.QUARANTINED, known.id, ruling.reasons))
            verdict = Verdict(Outcome.QUARANTINED, item.id, ruling.reasons)
            return _Entry(statement, sources, verdict, _creation(statement, ruling))
        if known is not None and known.expires_at is not None and known.expires_at <= ground.now():
            known = None  # Nobody can see it; it is archived when the new item is stored.
        known = made.get(item.content_hash) or known
        content = read(aliases.unified(item.content))
        stored = [one for one in near if one.type == item.type]
        known = known or next(
            (one for one in stored if same(content, read(aliases.unified(one.content)))), None
        )
        if known is not None:
            verdict = Verdict(Outcome.MERGED, known.id, (_KNOWN, *ruling.reasons))
            return _Entry(statement, sources, verdict, known=known)
        against = tuple(_against(statement, item, [*near, *made.values()], aliases, ground.taxonomy))
        verdict = Verdict(Outcome.ACCEPTED, item.id, ruling.reasons)
        return _Entry(statement, sources, verdict, _creation(statement, ruling), against=against)

    def _said_again(
        self,
        entry: _Entry,
        candidate: Candidate,
        session_id: str,
        made: Mapping[bytes, Item],
        aliases: Aliases,
    ) -> _Entry:
        """What is said again behind something said otherwise in between is the last word, and stored anew."""
        known, ground = entry.known, self._ground
        if known is None or known.settled or known.origin not in FROM_USER or known in made.values():
            return entry
        with ground.read() as reader:
            near = _near(ground, reader, candidate.item, aliases, entry.statement)
        others = [one for one in near if one.id != known.id]
        against = tuple(_against(entry.statement, candidate.item, others, aliases, ground.taxonomy))
        if not any(pair.newer is candidate.item and pair.older.age > known.age for pair in against):
            return entry
        (ruling,) = ground.habits.judged([replace(candidate, anew=True)], session_id)
        if ruling.outcome is not Outcome.ACCEPTED:
            return entry
        against = tuple(
            replace(pair, newer=ruling.item)
            if pair.newer is candidate.item
            else replace(pair, older=ruling.item)
            for pair in against
        )
        verdict = Verdict(Outcome.ACCEPTED, ruling.item.id, ruling.reasons)
        made_anew = _creation(entry.statement, ruling)
        return _Entry(entry.statement, entry.sources, verdict, made_anew, former=known, against=against)


def _contested_by(turn: Item, items: Sequence[Item]) -> Iterator[Change]:
    """Yield what lets a person decide which of some items a turn takes back."""
    for item in items:
        if item.validation is Validation.UNVERIFIED:
            yield Revise(item, contested(item), reason="contest")
        yield AddLink(Link(src=turn.id, dst=item.id, rel=Relation.CONTRADICTS))


def _tries(turns: Sequence[WaitingTurn]) -> int:
    """Number of tries of some turns, with this one."""
    return max(turn.tries for turn in turns) + 1


def _creation(statement: Statement, ruling: Ruling) -> Create:
    new = NewItem(
        ruling.item, ruling.outcome, why_store=statement.why_store, action="extract", actor="upkeep"
    )
    return Create(new, ruling)


def _against(
    statement: Statement, item: Item, near: Sequence[Item], aliases: Aliases, taxonomy: Taxonomy
) -> Iterator[Contradiction]:
    """Yield contradictions of a statement with what was kept before it, also where that was said later.

    What is told of one is compared with that of other types, too: where somebody lives ends by the event of a move. A
    correction takes the place of the last thing that its words fit.
    """
    replaced: list[Contradiction] = []
    of_type = [one for one in near if one.type == item.type and speaker(one) == speaker(item)]
    latest = max(of_type, key=lambda one: one.age, default=None)
    right = content_hash(item.type, statement.instead_of) if statement.instead_of else None
    for one in near:
        if one.content_hash == right:
            yield Contradiction(one, item, Difference("name", (one.content, item.content)))
            continue
        older, newer = sorted((one, item), key=lambda each: each.age)
        words, own = _words_of(older, aliases), _words_of(newer, aliases)
        alike = one.type == item.type
        differ = difference(*aliases.together(older.content, newer.content)) if alike else None
        if differ is None and speaker(one) == speaker(item):
            ends = taxonomy[older.type].kind is not Kind.EPISODIC
            if ends:
                differ = difference_of_one(told_of_one(words), told_of_one(own))
            if differ is None and alike and statement.corrects and newer is item:
                instead = replacement(words, own, next_to=one is latest, announced=True)
                replaced += [] if instead is None else [Contradiction(one, item, instead)]
            if differ is None and ends:
                over = outdated(words, own)
                if over is not None:
                    yield Contradiction(older, newer, over, partly=True)
        if differ is not None:
            yield Contradiction(older, newer, differ)
    if replaced:
        yield max(replaced, key=lambda pair: pair.older.age)


def _words_of(item: Item, aliases: Aliases) -> str:
    """Content without the name of who said it before it; what has several names by one of them."""
    return aliases.unified(item.content).removeprefix(
        f"{aliases.unified(str(item.metadata.get('sender')))}: "
    )


def _near(ground: Ground, reader: Reader, item: Item, aliases: Aliases, statement: Statement) -> list[Item]:
    """Items of the same scope: of its type those that share the most words, and what tells the same of one.

    That is told in other words: of where somebody lives by that they moved. What corrects is held against the latest
    of its type, too: "I'm a vegan" has no word of "I'm a vegetarian".
    """
    near = _matching(ground, reader, item, search_terms(item.content, aliases, _TERMS), {item.type}, _NEAR)
    matters = told_of_one(_words_of(item, aliases)).keys()
    if matters:
        types = {name for name, spec in ground.taxonomy.specs.items() if spec.merges}
        for words in words_of_telling(matters):
            others = _matching(ground, reader, item, words, types, _NEAR_OF_ONE)
            near |= {
                one: two
                for one, two in others.items()
                if matters & told_of_one(_words_of(two, aliases)).keys()
            }
    own = _words_of(item, aliases)
    former: dict[int, Item] = {}
    if tells_an_end(own):
        words = search_terms(item.content, aliases, _TERMS)
        former |= _matching(ground, reader, item, words, _OF_SPEAKERS, _NEAR)
    if told_by_now(own):
        # "I'm an analyst at Acme." has no word of "I now work for Globex.".
        selection = ground.within(item.scope).selection(types=_OF_SPEAKERS)
        former |= reader.select(selection, limit=_NEAR_OF_ONE)
    near |= {
        key: one
        for key, one in former.items()
        if takes_part(one, ground.taxonomy) and outdated(_words_of(one, aliases), own) is not None
    }
    if statement.corrects:
        selection = ground.within(item.scope).selection(types=frozenset({item.type}))
        latest = reader.select(selection, limit=_LATEST)
        near |= {key: one for key, one in latest.items() if takes_part(one, ground.taxonomy)}
    if statement.instead_of:
        put_right = reader.holders(item.scope, [content_hash(item.type, statement.instead_of)])
        others = {one.id for one in near.values()}
        return [*near.values(), *(one for one in put_right.values() if one.id not in others)]
    return list(near.values())


def _matching(
    ground: Ground, reader: Reader, item: Item, terms: tuple[str, ...], types: AbstractSet[str], most: int
) -> dict[int, Item]:
    """Items of a scope and of some types that hold one of these words, best first, by their keys."""
    if not terms:
        return {}
    selection = ground.within(item.scope).selection(types=frozenset(types))
    keys: list[int] = reader.search_text(TextQuery(terms), selection, most).keys.tolist()
    items = reader.load(keys)
    return {key: items[key] for key in keys if key in items and takes_part(items[key], ground.taxonomy)}


def _joined(known: Item, sources: Sequence[Item], *, made: bool) -> Iterator[AddLink]:
    """Links of an item that says it already to turns: it was made of such, or they support it."""
    source_id = known.provenance.source_id
    if made or (source_id is not None and is_id(source_id)):
        yield from links_to(known, sources)
    else:
        for turn in sources:
            yield AddLink(Link(src=turn.id, dst=known.id, rel=Relation.SUPPORTS))


def _extracted(entry: _Entry, by: str, *, dry_run: bool) -> Extracted:
    statement = entry.statement
    verdict = None if dry_run else entry.verdict
    return Extracted(statement.content, statement.type, by, tuple(statement.source_ids), verdict)
