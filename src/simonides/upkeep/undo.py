"""Taking back what a run changed: newest change first, exactly, and nothing that came since."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from simonides.domain.entity import EntityType, Name, fold
from simonides.domain.item import Item, Status, Usage
from simonides.domain.link import Link, Relation
from simonides.domain.records import Place
from simonides.domain.run import LeftAlone, RunChange
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.errors import ProviderError
from simonides.language.names import names_of
from simonides.ports.buffer import Buffered
from simonides.ports.embedder import Embedder
from simonides.ports.runs import RunReader
from simonides.ports.store import Reader, StoredVerdict, Writer
from simonides.upkeep.apply import link_row, usage_row
from simonides.writing.holders import holder as holder_of

#: Changes that are taken back in one transaction, at least; a step is never divided.
PIECE: Final = 200
#: Items that are asked, newest first, what an entity is that a run made a guess about.
_LOOKED_AT: Final = 1000
#: Changes that made a revision of their item.
REVISING: Final = frozenset({"create", "revise", "hold"})


def changed_since(reader: Reader, runs: Mapping[str, Sequence[RunChange]]) -> list[LeftAlone]:
    """What changed since these changes were made, in the order in which it is met: items, links, places and so on.

    Args:
        runs: Changes by id of their run, newest first; the later run first.
    """
    stands: dict[_Subject, Any] = {}
    changed: dict[_Subject, LeftAlone] = {}
    for run_id, change in ((run_id, change) for run_id, changes in runs.items() for change in changes):
        subject = _subject(change)
        if subject is None:
            continue
        if subject not in stands:
            stands[subject] = _present(reader, subject)
        if (
            stands[subject] != _left_by(change) and change.details.get("rel") != Relation.CO_RECALLED
        ) or _went_on(reader, run_id, change, frozenset(runs)):
            changed.setdefault(subject, _told(change))
        stands[subject] = _before(change)
    return list(changed.values())


def _went_on(
    reader: RunReader, run_id: str, change: RunChange, taken_back: frozenset[str] = frozenset()
) -> bool:
    """Whether another run began with what this change left: it may have been changed back since, and look the same.

    Of an item the number of its revision tells; links, places and summaries have none.

    Args:
        taken_back: Runs that are to be taken back as well.
    """
    kinds = _ALIKE.get(change.kind)
    if kinds is None:
        return False
    rel, left = change.details.get("rel"), _left_by(change)
    return any(
        later not in taken_back and details.get("rel") == rel and details.get("before") == left
        for later, details in reader.later_changes(run_id, change, kinds)
    )


#: Kinds of changes that change the same thing as one of this kind.
_ALIKE: Final = {
    "link": frozenset({"link", "unlink"}),
    "unlink": frozenset({"link", "unlink"}),
    "place": frozenset({"place"}),
    "summary": frozenset({"summary"}),
}


#: What a change is about: its kind, and what tells it from others of the kind.
_Subject = tuple[str, ...]


def _subject(change: RunChange) -> _Subject | None:
    """What has to be as the change left it before it can be taken back; None if nothing."""
    match change.kind:
        case "create" | "revise" | "hold":
            return "item", change.item_id or ""
        case "link" | "unlink":
            return ("link", *_ends(change), change.details["rel"])
        case "place":
            return "place", change.item_id or ""
        case "summary":
            return "summary", change.entity_id or ""
        case "session":
            return "session", change.details["scope"], change.details["session_id"]
        case _:
            return None


def _present(reader: Reader, subject: _Subject) -> Any:
    """How it stands, as `_left_by` and `_before` tell it."""
    kind, *names = subject
    match kind:
        case "item":
            return reader.stands_for(names[0])
        case "link":
            src, dst, rel = names
            links = reader.links([src], [Relation(rel)])
            return next((link_row(link) for link in links if (link.src, link.dst) == (src, dst)), None)
        case "place":
            place = reader.assignment(names[0])
            return None if place is None else [place.domain, place.room, place.shelf]
        case "summary":
            found = reader.entity(names[0])
            return None if found is None else found[1].summary
        case _:
            session = reader.session(Scope(names[0]), names[1])
            return None if session is None else session.consolidated_at


def _left_by(change: RunChange) -> Any:
    return change.after if change.kind in REVISING else change.details.get("after")


def _before(change: RunChange) -> Any:
    return (change.before or 0) if change.kind in REVISING else change.details.get("before")


def _told(change: RunChange) -> LeftAlone:
    """That something changed since the run."""
    match change.kind:
        case "link" | "unlink":
            return LeftAlone(_ends(change), f"a {change.details['rel']} link changed since the run")
        case "place":
            return LeftAlone((change.item_id or "",), "an item was put elsewhere since the run")
        case "summary":
            return LeftAlone((), f"the entity {change.entity_id} was summarised anew since the run")
        case "session":
            session_id = change.details["session_id"]
            return LeftAlone((), f"the session {session_id} was consolidated again since the run")
        case _:
            return LeftAlone((change.item_id or "",), "an item changed since the run")


def pieces(changes: Sequence[RunChange]) -> Iterator[list[RunChange]]:
    """Changes of a run, newest first, in pieces of whole steps."""
    piece: list[RunChange] = []
    for change in changes:
        if len(piece) >= PIECE and piece[-1].step != change.step:
            yield piece
            piece = []
        piece.append(change)
    if piece:
        yield piece


def vectors_for(
    reader: Reader, piece: Sequence[RunChange], embedder: Embedder, degraded: Callable[[str], None]
) -> dict[str, Any]:
    """Vectors of the texts that a piece brings back, by text; none of a remote embedder."""
    texts: dict[str, None] = {}
    for change in piece:
        if change.kind != "revise" or change.item_id is None:
            continue
        was, made = _both(reader, change)
        if was is not None and made is not None and was.text != made.text:
            texts[was.text] = None
    if not texts or not embedder.local:
        return {}
    try:
        return dict(zip(texts, embedder.embed(list(texts)), strict=True))
    except ProviderError as error:
        degraded(f"embedder: {error}; `backfill` embeds what was brought back")
        return {}


@dataclass(slots=True)
class TakingBack:
    """Takes changes of one run back, inside a transaction.

    Attributes:
        run_id: Of the undo.
        source: The run whose changes they are.
        told: What was left alone, or ended otherwise than it had been.
    """

    tx: Writer
    run_id: str
    source: str
    at: int
    embedder: Embedder
    vectors: dict[str, Any]
    told: list[LeftAlone] = field(default_factory=list[LeftAlone])

    def take_back(self, change: RunChange) -> RunChange | None:
        """Take one change back; what the store is to keep of that, or None if it was left alone."""
        subject = _subject(change)
        if subject is not None and (
            _present(self.tx, subject) != _left_by(change) or _went_on(self.tx, self.source, change)
        ):
            self.told.append(_told(change))
            return None
        match change.kind:
            case "create" | "revise" | "hold":
                return self._item(change)
            case "link" | "unlink":
                self._link(change)
            case "judged":
                self.tx.forget_judged(change.details["job"], *_ends(change))
            case "place":
                self._place(change)
            case "summary":
                self.tx.summarise(change.entity_id or "", change.details.get("before"))
            case "session":
                scope, session_id = Scope(change.details["scope"]), change.details["session_id"]
                self.tx.mark_session(scope, session_id, change.details.get("before"))
            case "extracted" | "put off":
                self._wait_again(change)
            case "ended":
                scope, session_id = Scope(change.details["scope"]), change.details["session_id"]
                session = self.tx.session(scope, session_id)
                # One that went on since is open already.
                if session is not None and session.ended_at == change.details["after"]:
                    self.tx.reopen_session(scope, session_id)
            case "gain":
                self._gain(change)
            case "vectors":
                self._drop_vectors(change)
            case "dropped vectors":
                if not self.tx.bring_vectors_back(change.details.get("fingerprint", ""), self.source):
                    gone = f"the vectors of {change.details.get('model', 'a former model')} are gone"
                    self.told.append(LeftAlone((), f"{gone}: `embed` makes new ones"))
            case _:
                pass
        return _taken(change)

    def _wait_again(self, change: RunChange) -> None:
        """Let turns wait as they did, but for those that somebody has tried or taken since."""
        details = change.details
        item_ids: list[str] = details["item_ids"]
        # Runs of earlier releases do not tell how turns waited.
        former: list[list[Any]] = details.get("waits") or [[]] * len(item_ids)
        keys = {item_id: key for item_id in item_ids if (key := self.tx.key(item_id)) is not None}
        now = self.tx.buffered(list(keys.values()))
        again: dict[str, Buffered] = {}
        for item_id, row in zip(item_ids, former, strict=True):
            was = Buffered(details["session_id"], *row)
            stands = now.get(keys.get(item_id, 0))
            as_left = (
                stands is None if change.kind == "extracted" else stands and stands.tries == was.tries + 1
            )
            if item_id in keys and as_left:
                again[item_id] = was
        self.tx.wait_again(again)

    def _item(self, change: RunChange) -> RunChange:
        item_id = change.item_id or ""
        number = self.tx.last_revision(item_id)
        now = self.tx.get([item_id])[item_id]
        as_it_was = True
        if change.kind == "create":
            # What only it mentioned is known no longer, as before the run.
            gone = replace(now, status=Status.ARCHIVED, updated_at=max(self.at, now.updated_at))
            self._revise(gone, names=())
        else:
            as_it_was = self._restore(change, now)
        if change.kind == "hold":
            self._restore_verdict(change)
        self._guess_again(change.details.get("guessed", ()))
        done = replace(_taken(change), before=number, after=number + 1)
        restores = {"restores": change.before or 0} if as_it_was else {}
        return replace(done, details={**done.details, **restores})

    def _restore(self, change: RunChange, now: Item) -> bool:
        """Restore the state before a change; whether the item is what it was."""
        was, made = _both(self.tx, change)
        assert was is not None
        assert made is not None
        # The item is as the run left it, but for what it gained by use since: that is no work of the run's.
        gained = max(0.0, now.confidence - made.confidence)
        restored = replace(
            was,
            confidence=min(1.0, change.details["confidence"] + gained),
            updated_at=max(self.at, now.updated_at),
        )
        as_it_was = True
        if restored.status is Status.ACTIVE:
            holder = holder_of(self.tx, restored, self.at)
            if holder not in (None, restored.id):
                restored = replace(restored, status=Status.ARCHIVED, superseded_by=holder)
                self.told.append(LeftAlone((restored.id,), f"merged: {holder} says the same by now"))
                as_it_was = False
        named = (was.text, was.entities, was.type) != (made.text, made.entities, made.type)
        names = names_of(restored) if named else None
        self._revise(restored, names=names, vector=self.vectors.get(was.text))
        return as_it_was

    def _revise(self, item: Item, *, names: Sequence[Name] | None, vector: Any = None) -> None:
        self.tx.revise(
            item,
            reason="undo",
            action="undo",
            actor="upkeep",
            run_id=self.run_id,
            vector=vector,
            model=None if vector is None else self.embedder.identity,
            names=names,
        )

    def _guess_again(self, entity_ids: Sequence[str]) -> None:
        """Take entities that were concepts before for what those items make of them that still mention them."""
        every = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
        for entity_id in entity_ids:
            found = self.tx.entity(entity_id)
            if found is None or found[1].id != entity_id or found[1].settled:
                continue
            key, entity = found
            own = {fold(name) for name in (entity.name, *entity.aliases)}
            items = self.tx.select(replace(every, mentioned=(key,)), limit=_LOOKED_AT).values()
            names = (name for item in items for name in names_of(item))
            told = (name.type for name in names if not name.known_only and fold(name.text) in own)
            guess = next((type_ for type_ in told if type_ is not EntityType.CONCEPT), EntityType.CONCEPT)
            self.tx.guess_type(key, guess)

    def _drop_vectors(self, change: RunChange) -> None:
        """Drop the vectors that a change made, of texts that are the same since."""
        details = change.details
        # Runs of earlier releases only tell how many they were; their vectors stay.
        made = dict(zip(details.get("item_ids", ()), details.get("revisions", ()), strict=False))
        items = self.tx.get(list(made))
        keys: list[int] = []
        for item_id, number in made.items():
            was, key = self.tx.revision(item_id, number), self.tx.key(item_id)
            if was is not None and key is not None and was.item.text == items[item_id].text:
                keys.append(key)
        self.tx.drop_vectors_of(details.get("fingerprint", ""), keys)

    def _restore_verdict(self, change: RunChange) -> None:
        item_id = change.item_id or ""
        self.tx.drop_verdict(item_id)
        if (former := change.details.get("verdict")) is not None:
            verdict, reasons, why_store, actor, at = former
            self.tx.judge(item_id, StoredVerdict(verdict, tuple(reasons), why_store, actor, at))

    def _link(self, change: RunChange) -> None:
        src, dst = _ends(change)
        rel = Relation(change.details["rel"])
        self.tx.drop_link(src, dst, rel)
        if (before := change.details.get("before")) is not None:
            self.tx.link(link_of(src, dst, rel, before))

    def _place(self, change: RunChange) -> None:
        item_id = change.item_id or ""
        if (before := change.details.get("before")) is None:
            self.tx.unassign(item_id)
        else:
            self.tx.assign(Place(item_id, *before))

    def _gain(self, change: RunChange) -> None:
        item_id = change.item_id or ""
        usage = self.tx.get([item_id])[item_id].usage
        before, after = change.details["before"], change.details["after"]
        now = usage_row(usage)
        instants = [
            was if at == made else at for was, made, at in zip(before[2:], after[2:], now[2:], strict=True)
        ]
        count = max(0, now[1] - (after[1] - before[1]))
        score = before[0] if now[0] == after[0] else now[0] - (after[0] - before[0])
        self.tx.set_usage(item_id, Usage(score, count, *instants))


def link_of(src: str, dst: str, rel: Relation, row: Sequence[Any]) -> Link:
    """The link that a row of `apply.link_row` tells of."""
    predicate, weight, confidence, evidence, valid_from, valid_until, created_at = row
    return Link(
        src=src,
        dst=dst,
        rel=rel,
        predicate=predicate,
        weight=weight,
        confidence=confidence,
        evidence=evidence,
        valid_from=valid_from,
        valid_until=valid_until,
        created_at=created_at,
    )


def _both(reader: RunReader, change: RunChange) -> tuple[Item | None, Item | None]:
    """An item as it was before a change, and as the change made it."""
    was = reader.revision(change.item_id or "", change.before or 0)
    made = reader.revision(change.item_id or "", change.after or 0)
    return None if was is None else was.item, None if made is None else made.item


def _ends(change: RunChange) -> tuple[str, str]:
    return change.item_id or "", change.other_id or ""


def _taken(change: RunChange) -> RunChange:
    """What the store keeps of a change that was taken back."""
    return replace(
        change, number=0, before=None, after=None, details={"of": change.number}, undone_by=None, lines=()
    )
