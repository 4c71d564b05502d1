"""Taking in what records tell beside items: as it is where somebody vouches for the file, else only what it adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from typing import Final, assert_never

from simonides.domain.entity import fold
from simonides.domain.link import Link
from simonides.domain.records import Session
from simonides.domain.run import Run, RunStatus
from simonides.domain.scope import Scope
from simonides.domain.verdict import Outcome, Verdict
from simonides.errors import InvalidInput
from simonides.ports.both import Both
from simonides.ports.buffer import session_of
from simonides.ports.entities import EntitySelection, entity_of
from simonides.ports.runs import JudgedPair, RunSelection, run_of
from simonides.ports.store import Reader, Writer
from simonides.values import dataclass
from simonides.writing.item_records import ItemRecord
from simonides.writing.store_records import ChangeRecord, EntityRecord, Told

_TAKEN: Final = Verdict(Outcome.ACCEPTED, None)
_HERE: Final = Verdict(Outcome.MERGED, None, ("duplicate: it is here already",))
#: Code of what is not taken in by rule: nothing is wrong with it.
LEFT_OUT: Final = "left out"
_VOUCH: Final = "load the file as trusted if you vouch for it"
#: A run that ended only changes by being undone.
_STAGES: Final = {RunStatus.RUNNING: 0, RunStatus.DONE: 1, RunStatus.FAILED: 1, RunStatus.UNDONE: 2}


@dataclass(slots=True)
class Vouched:
    """A file that somebody vouches for: its records are taken as they are.

    Attributes:
        loaded: Ids of the items that records ended in.
    """

    loaded: set[str] = field(default_factory=set[str])
    entities: list[int] = field(default_factory=list[int])

    def look(self, _views: Both, _records: Iterable[ItemRecord | Told]) -> None:
        """Find out what is here of all that records name."""

    def note(self, verdict: Verdict, _record: ItemRecord) -> None:
        """Note what became of the record of an item."""
        if verdict.item_id is not None:
            self.loaded.add(verdict.item_id)

    def own(self, fresh: Iterable[str]) -> set[str]:
        """Ids that may say of each other whatever they like, together with those of new records."""
        return self.loaded.union(fresh)

    def require_item(self, _tx: Writer, _found: ItemRecord) -> None:
        """Refuse an item that the file may not bring."""

    def mentions(self, tx: Reader, record: ItemRecord) -> list[int] | None:
        """Keys of the entities of its scope that an item mentions; None where its text has to tell."""
        if record.mentions is None:
            return None
        known = (entity_of(tx, id_) for id_ in record.mentions)
        return [one[0] for one in known if one is not None and one[1].scope == record.item.scope]

    def write(self, tx: Writer, record: Told) -> Verdict:
        """Take in a record that is none of an item."""
        match record:
            case Link():
                tx.link(record)
                return _TAKEN
            case EntityRecord():
                return self._entity(tx, record)
            case Session():
                return _session(tx, record)
            case JudgedPair(job, a_id, b_id, at):
                return _TAKEN if tx.note_judged(job, a_id, b_id, at) else _HERE
            case Run():
                return _run(tx, record)
            case ChangeRecord():
                return _change(tx, record)
            case _:
                assert_never(record)

    def _entity(self, tx: Writer, record: EntityRecord) -> Verdict:
        """Know an entity: as it was, or where a name of it is known here, as what that name means."""
        given = record.entity
        here = entity_of(tx, given.id) if record.whole else None
        named = tx.entities_named([fold(name) for name in given.names], (given.scope,))
        keys = [key for _, key, _ in named]
        if here is not None and here[1].scope == given.scope:
            keys.insert(0, here[0])
        if not keys and not record.whole:
            raise InvalidInput(f"nothing in {given.scope!r} mentions {given.name!r}")
        if not keys:
            self.entities.append(tx.put_entity(None, given, record.merged))
            return _TAKEN
        key = keys[0]
        before = tx.entities(EntitySelection(keys=[key]))[key]
        for other in dict.fromkeys(keys):
            if other != key:
                tx.merge_entities(key, other)
        known = tx.entities(EntitySelection(keys=[key]))[key].renamed(given.name)
        for alias in given.aliases:
            known = known.aliased(alias)
        if given.settled:
            known = replace(known, type=given.type, settled=True)
        if record.whole and before.summary is None and given.summary is not None:
            known = replace(known, summary=given.summary)
        tx.put_entity(key, known, (given.id, *record.merged) if record.whole else ())
        self.entities.append(key)
        return _HERE if tx.entities(EntitySelection(keys=[key]))[key] == before else _TAKEN


@dataclass(slots=True)
class Foreign:
    """A file that nobody vouches for: it adds what is new, and speaks of nothing but what such files brought.

    What upkeep of another store did is not taken over, nor what would change, end, merge or name what is here.

    Attributes:
        now: No session was heard of later.
        brought: Ids of the items that it brought, or an earlier such file and nobody touched since.
        others: Ids of items that are here, or in the archive file, without it; of those that were looked at last.
        names: Keys of what its entities are here, by the ids that they have in the file.
        entities: Keys of those that it added.
        sessions: Which sessions take its turns.
    """

    now: int
    brought: set[str] = field(default_factory=set[str])
    others: set[str] = field(default_factory=set[str])
    names: dict[str, tuple[int, Scope]] = field(default_factory=dict[str, tuple[int, Scope]])
    entities: list[int] = field(default_factory=list[int])
    sessions: dict[tuple[Scope, str], bool] = field(default_factory=dict[tuple[Scope, str], bool])

    def look(self, views: Both, records: Iterable[ItemRecord | Told]) -> None:
        ids: dict[str, None] = {}
        for record in records:
            match record:
                case ItemRecord():
                    ids |= dict.fromkeys([record.item.id, *record.successors])
                case Link(src=src, dst=dst):
                    ids |= {src: None, dst: None}
                case _:
                    pass
        known = [id_ for id_ in ids if id_ not in self.brought and views.reader_of(id_) is not None]
        if known:
            self.brought |= _only_files_brought(views.here, [id_ for id_ in known if not views.moved(id_)])
        self.others = set(known) - self.brought

    def note(self, verdict: Verdict, record: ItemRecord) -> None:
        if verdict.outcome is Outcome.ACCEPTED:
            self.brought.add(record.item.id)

    def own(self, fresh: Iterable[str]) -> set[str]:
        return self.brought.union(fresh) - self.others

    def require_item(self, tx: Writer, record: ItemRecord) -> None:
        item = record.item
        if record.asks:
            raise InvalidInput(f"{LEFT_OUT}: what a model asked for in another store; {_VOUCH}")
        if item.id in self.others:
            raise InvalidInput(f"{item.id} is here with a different history; it was left as it is; {_VOUCH}")
        if record.successors & self.others:
            raise InvalidInput(f"it names a successor that the file does not bring; {_VOUCH}")
        if (
            item.type in _TELLING
            and item.session_id is not None
            and not self._takes_turns(tx, item.scope, item.session_id)
        ):
            raise InvalidInput(f"its session is here, and other turns are in it; {_VOUCH}")

    def mentions(self, _tx: Reader, record: ItemRecord) -> list[int] | None:
        if record.mentions is None or not all(id_ in self.names for id_ in record.mentions):
            return None
        return [
            key for key, scope in map(self.names.__getitem__, record.mentions) if scope == record.item.scope
        ]

    def write(self, tx: Writer, record: Told) -> Verdict:
        match record:
            case Link():
                return self._link(tx, record)
            case EntityRecord():
                return self._entity(tx, record)
            case Session():
                return self._session(tx, record)
            case JudgedPair() | Run() | ChangeRecord():
                raise InvalidInput(f"{LEFT_OUT}: what upkeep did in another store; {_VOUCH}")
            case _:
                assert_never(record)

    def _link(self, tx: Writer, link: Link) -> Verdict:
        if any((one.src, one.dst) == (link.src, link.dst) for one in tx.links([link.src], [link.rel])):
            return _HERE
        if not {link.src, link.dst} <= self.brought:
            raise InvalidInput(f"it joins items that the file does not bring; {_VOUCH}")
        tx.link(link)
        return _TAKEN

    def _entity(self, tx: Writer, record: EntityRecord) -> Verdict:
        """Know an entity that is new in its scope; else its id in the file means the one that has its names."""
        given = record.entity
        if not record.whole:
            raise InvalidInput(f"a record of format 1 says what entities that are here are called; {_VOUCH}")
        ids = (given.id, *record.merged)
        known = [one for id_ in ids if (one := entity_of(tx, id_)) is not None]
        named = tx.entities_named([fold(name) for name in given.names], (given.scope,))
        keys = {key for _, key, _ in named} | {key for key, _ in known}
        if len(keys) > 1 or any(entity.scope != given.scope for _, entity in known):
            raise InvalidInput(f"its names and ids mean several entities that are here; {_VOUCH}")
        key = keys.pop() if keys else tx.put_entity(None, given, record.merged)
        self.names |= dict.fromkeys(ids, (key, given.scope))
        if named or known:
            return _HERE
        self.entities.append(key)
        return _TAKEN

    def _session(self, tx: Writer, session: Session) -> Verdict:
        if session_of(tx, session.scope, session.session_id) == session:
            return _HERE
        if not self._takes_turns(tx, session.scope, session.session_id):
            raise InvalidInput(f"the session is here, and other turns are in it; {_VOUCH}")
        # What is said in it from now on is later than all that the file tells of it.
        instants = {name: getattr(session, name) for name in _INSTANTS}
        until_now = {name: min(at, self.now) for name, at in instants.items() if at is not None}
        return _session(tx, replace(session, **until_now))

    def _takes_turns(self, tx: Writer, scope: Scope, session_id: str) -> bool:
        """True if a session is new here, or its turns are those of such files."""
        place = (scope, session_id)
        if place not in self.sessions:
            latest = tx.conversation(scope, session_id, last=1)
            last = next(iter(latest.turns), None)
            self.sessions[place] = (
                latest.session is None
                if last is None
                else last.id in self.brought or last.id in _only_files_brought(tx, [last.id])
            )
        return self.sessions[place]


def _only_files_brought(reader: Reader, item_ids: Sequence[str]) -> frozenset[str]:
    """Those of the items of which the audit log knows nothing but files that brought them unvouched for."""
    only: dict[str | None, bool] = {}
    for event in reader.events(item_ids=item_ids):
        brought = event.action == "load" and event.details.get("vouched") is False
        only[event.item_id] = brought and only.get(event.item_id, True)
    return frozenset(item_id for item_id in item_ids if only.get(item_id))


#: Types of items that tell what was said in their session.
_TELLING: Final = frozenset({"episode", "narrative"})
_INSTANTS: Final = ("first_seen_at", "last_seen_at", "consolidated_at", "ended_at")


def _session(tx: Writer, given: Session) -> Verdict:
    """Know a session; of one that is known here too, whichever went on longer counts."""
    here = session_of(tx, given.scope, given.session_id)
    if here is not None and (here == given or _reach(here) > _reach(given)):
        return _HERE
    tx.put_session(given)
    return _TAKEN


def _reach(session: Session) -> tuple[int, int, int]:
    """Progress of a session."""
    return session.last_seen_at, session.turns, session.consolidated_at or 0


def _run(tx: Writer, run: Run) -> Verdict:
    """Keep a run; of one that is here too, whichever came further counts."""
    for other in (run.parent, run.undoes):
        if other is not None and not tx.runs(RunSelection(id=other)):
            raise InvalidInput(f"there is no run {other!r} that the run belongs to")
    here = run_of(tx, run.id)
    if here is not None and (here == run or _STAGES[here.status] >= _STAGES[run.status]):
        return _HERE
    tx.put_run(run)
    return _TAKEN


def _change(tx: Writer, record: ChangeRecord) -> Verdict:
    """Keep a change of a run that is here; only whole can it be told and taken back."""
    run_id, change = record.run_id, record.change
    run = run_of(tx, run_id)
    if run is None:
        raise InvalidInput(f"there is no run {run_id!r} that the change belongs to")
    here = tx.run_changes(run_id, after=change.number - 1, limit=1)
    known = here[0] if here and here[0].number == change.number else None
    if known is None:
        for item_id in (change.item_id, change.other_id):
            if item_id is not None and tx.key(item_id) is None:
                raise InvalidInput(f"the change is about {item_id!r}, which is not here")
        tx.put_run(run, [change])
    if change.undone_by is not None and (known is None or known.undone_by is None):
        if not tx.runs(RunSelection(id=change.undone_by)):
            raise InvalidInput(f"there is no run {change.undone_by!r} that took the change back")
        tx.mark_undone(run_id, [change.number], change.undone_by)
    elif known is not None:
        return _HERE
    return _TAKEN
