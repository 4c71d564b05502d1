"""The write path: govern, embed, commit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.actor import IMPORT
from simonides.domain.batches import batches
from simonides.domain.document import CHUNK, citation
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import Name
from simonides.domain.ids import is_id
from simonides.domain.item import MAX_TAGS, Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import FROM_USER, Origin
from simonides.domain.records import AuditEvent, Session
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.text import content_hash
from simonides.domain.verdict import AddResult, Outcome, Verdict, too_many
from simonides.errors import InvalidInput
from simonides.governance.authority import as_users_word
from simonides.governance.policy import Candidate, Policy, Ruling, to_be_noted
from simonides.governance.wishes import wish_of
from simonides.language.names import names_of
from simonides.language.taken_back.within import taken_back_within
from simonides.ports.both import both
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import Ahead, NewItem, Reader, Store, StoredConversation, StoredTurn, Writer
from simonides.values import dataclass
from simonides.writing.alone import NOTHING_READY, Alone
from simonides.writing.attaching import MOST_EARLIER, attach_earlier
from simonides.writing.audit import Auditor
from simonides.writing.embedded import embedded
from simonides.writing.holders import holders
from simonides.writing.intake import SPEAKERS, Message, message
from simonides.writing.neighbours import Neighbours
from simonides.writing.resumed import bring_back_turns

#: Items that are governed, embedded and committed together. Bounded, so that other writers get their turn.
PIECE: Final = 512
_EVERY: Final = 1 << 53
_OUT_OF_RECALL: Final = frozenset({Status.ARCHIVED, Status.QUARANTINED})
#: A turn that comes alone, again, within this time is tried again by a program; later it is said again by somebody.
_TRIED_AGAIN_US: Final = 10 * 60 * 1_000_000

Progress = Callable[[int], None]
#: Entries that are committed together, with what was worked out of them before, by their identity.
ReadyPiece = tuple[Sequence[Candidate | Verdict], Mapping[int, Alone]]
#: Who spoke, by role, and the hash of what was said.
_Mark = tuple[str | None, bytes]
#: Of turns that are to be recorded, by id, those of which prompts are not to tell all; from the store, its archive file
#: where there is one, and the turns in their order.
Repeating = Callable[[Reader, Reader | None, Sequence[Item]], Mapping[str, Item]]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A ruling with what the commit needs, worked out before the transaction: embedded text and names."""

    candidate: Candidate
    ruling: Ruling
    vector: NDArray[np.float32] | None
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """Entries of one caller that are committed together.

    Attributes:
        bare: Scopes that they were judged for as if nothing were settled there.
    """

    entries: Sequence[_Prepared | Verdict]
    bare: frozenset[Scope]


class Recorder:
    """Brings what callers add into the store, past the policy.

    Args:
        neighbours: Tells the policy what is known already.
        auditor: A model that has a say where the user did not speak; None for none.
        repeating: Knows turns by which others than the user say again what was forgotten.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        policy: Policy,
        clock: Clock,
        neighbours: Neighbours,
        auditor: Auditor | None,
        repeating: Repeating,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._clock = clock
        self._neighbours = neighbours
        self._auditor = auditor
        self._repeating = repeating

    def items(
        self, candidates: Iterable[Candidate | Verdict], progress: Progress | None = None
    ) -> tuple[Verdict, ...]:
        """Judge candidates and store what may be stored.

        A verdict among the candidates passes through: it stands for an input that could not be read.

        Returns:
            One verdict for each, in order.

        Guarantees:
            What has a verdict is durable. Candidates are committed in pieces; an error ends the work
            with the pieces before it stored.
        """
        return self.pieces(((piece, NOTHING_READY) for piece in batches(candidates, PIECE)), progress)

    def pieces(self, pieces: Iterable[ReadyPiece], progress: Progress | None = None) -> tuple[Verdict, ...]:
        """As `items`, of pieces of `PIECE` candidates, with what was worked out of them already."""
        verdicts: list[Verdict] = []
        for piece, ready in pieces:
            verdicts.extend(self._commit_piece(piece, ready=ready))
            if progress is not None:
                progress(len(verdicts))
        return tuple(verdicts)

    def proposals(
        self,
        proposals: Iterable[Candidate | Verdict],
        session_id: str | None,
        heard: Sequence[Item] = (),
    ) -> tuple[Verdict, ...]:
        """Judge what a model proposes in one turn of a session; store what may be stored.

        Args:
            heard: What the user said beside what the session holds.

        Of many, the first are judged, as many as `policy.proposals_per_turn` says; the rest is rejected, and can be
        proposed again. What cannot be read counts as judged.
        """
        entries = list(proposals)
        most = self._policy.settings.proposals_per_turn
        verdicts: list[Verdict] = []
        for start in range(0, min(len(entries), most), PIECE):
            verdicts += self._commit_piece(entries[start : min(start + PIECE, most)], session_id, heard)
        return (*verdicts, *[too_many(most)] * max(0, len(entries) - most))

    def turns(
        self,
        messages: Sequence[Mapping[str, Any]],
        scope: Scope,
        session_id: str,
        progress: Progress | None = None,
        *,
        by: str = "user",
    ) -> AddResult:
        """Record messages of a chat as episodes, each turn once, chained in time.

        Clients resend their whole history: turns that the session holds already are recognised, by
        their ids or by place and text, and answered with `merged`.

        Args:
            by: The person whose turns those of the user are, for the audit log.
        """
        at = self._clock.now()
        read = [_read(value) for value in messages]
        kept = [entry for entry in read if isinstance(entry, Message)]
        turns = [entry.episode(scope, session_id, at) for entry in kept]
        speakers = {**SPEAKERS, Origin.USER_SAID: by}
        prepared = self._prepare([Candidate(turn, actor=speakers[turn.origin]) for turn in turns])
        prepared = self._without_what_was_forgotten(prepared, scope)
        rulings = [entry.ruling for entry in prepared]
        bring_back_turns(self._store, scope, session_id, at)
        placing = _Placing(scope, session_id, rulings, None if not kept else kept[0].at, at)
        stored: list[Verdict] = []
        for piece in batches(prepared, PIECE):
            stored += self._store.write(partial(self._commit_turns, prepared=piece, placing=placing))
            if progress is not None:
                progress(len(stored))
        answers = iter(stored)
        verdicts = tuple(entry if isinstance(entry, Verdict) else next(answers) for entry in read)
        return AddResult(verdicts, session_id)

    def _without_what_was_forgotten(self, prepared: Sequence[_Prepared], scope: Scope) -> list[_Prepared]:
        """Turns, of which prompts are not to tell what they take back, or others repeat of what was forgotten."""
        turns = [entry.ruling.item for entry in prepared]
        orders = any(turn.origin in FROM_USER and taken_back_within(turn.content) for turn in turns)
        if not orders and all(turn.origin in FROM_USER for turn in turns):
            return list(prepared)
        with self._store.read_all() as (reader, moved):
            # Where nothing is out of recall, nothing was forgotten.
            out = Selection(scopes=scope.visible(), live_at=None, statuses=_OUT_OF_RECALL)
            looks = orders or moved is not None or reader.keys(out, limit=1)
            changed: Mapping[str, Item] = self._repeating(reader, moved, turns) if looks else {}
        return [
            replace(entry, ruling=replace(entry.ruling, item=changed[entry.ruling.item.id]))
            if entry.ruling.item.id in changed
            else entry
            for entry in prepared
        ]

    def heard(self, text: str, scope: Scope) -> list[Item]:
        """A turn of the user that was passed along: as it would be recorded, or nothing where it gives orders."""
        at = self._clock.now()
        turn = message({"role": "user", "content": text}).episode(scope, "", at)
        ruling = self._policy.judge(Candidate(turn), at)
        believed = ruling.outcome is Outcome.ACCEPTED and ruling.item.injectable
        return [ruling.item] if believed else []

    def judged(
        self,
        candidates: Sequence[Candidate],
        session_id: str | None = None,
        heard: Sequence[Item] = (),
        *,
        bare: bool = False,
        ready: Mapping[int, Alone] = NOTHING_READY,
    ) -> list[Ruling]:
        """Judge candidates, by the policy and whoever audits it, beside what is known; stores nothing.

        Args:
            bare: Nothing is settled where they are to stand.
            ready: What was worked out of them already, as `alone` does, by their identity: it holds for those of which
                nothing else is known.
        """
        at = self._clock.now()
        if not bare:
            candidates = self._neighbours.introduce(candidates, at, session_id)
        if heard:
            candidates = [
                replace(one, known=replace(one.known, heard=(*heard, *one.known.heard))) for one in candidates
            ]
        rulings = [
            self._policy.judge(candidate, at) if one is None else one.ruling
            for candidate in candidates
            for one in (ready.get(id(candidate)),)
        ]
        return rulings if self._auditor is None else self._auditor.review(candidates, rulings, at)

    # Preparing: everything that needs no transaction

    def _commit_piece(
        self,
        entries: Sequence[Candidate | Verdict],
        session_id: str | None = None,
        heard: Sequence[Item] = (),
        ready: Mapping[int, Alone] = NOTHING_READY,
    ) -> list[Verdict]:
        """Prepare and commit entries.

        Preparing the next piece in a thread beside the commit was measured and is slower by a third:
        SQLite's steps are so short that taking the interpreter back after each costs more than they do. Processes
        may do so for long lists, as far as no store is needed.

        Args:
            ready: What they worked out, by the identity of each candidate.
        """
        trusted = self._neighbours.trusted([entry for entry in entries if isinstance(entry, Candidate)])
        while True:
            piece = _Piece(
                self._prepare_mixed(entries, session_id, heard, bare=bool(trusted), ready=ready), trusted
            )
            verdicts = self._store.write_together(self._commit_pieces, piece)
            if verdicts is not None:
                return verdicts
            trusted = frozenset[Scope]()  # Something was settled meanwhile: it is judged beside that.

    def _prepare_mixed(
        self,
        entries: Sequence[Candidate | Verdict],
        session_id: str | None = None,
        heard: Sequence[Item] = (),
        *,
        bare: bool = False,
        ready: Mapping[int, Alone] = NOTHING_READY,
    ) -> list[_Prepared | Verdict]:
        entries = self._with_chunks(self._with_sound_links(entries))
        candidates = [entry for entry in entries if isinstance(entry, Candidate)]
        prepared = iter(self._prepare(candidates, session_id, heard, bare=bare, ready=ready))
        return [entry if isinstance(entry, Verdict) else next(prepared) for entry in entries]

    def _with_sound_links(self, entries: Sequence[Candidate | Verdict]) -> Sequence[Candidate | Verdict]:
        """The entries, those rejected that ask for a link to what is not there, or with words that are refused."""
        wanted = {link.dst for entry in entries if isinstance(entry, Candidate) for link in entry.links}
        if not wanted:
            return entries
        with both(self._store) as views:
            there = views.here.get(sorted(wanted))
            moved = {id_ for id_ in wanted.difference(there) if views.moved(id_)}
        return [
            Verdict(Outcome.REJECTED, None, (fault,))
            if isinstance(entry, Candidate) and (fault := self._fault(entry.links, there, moved)) is not None
            else entry
            for entry in entries
        ]

    def _with_chunks(self, entries: Sequence[Candidate | Verdict]) -> Sequence[Candidate | Verdict]:
        """The entries, linked to the chunks that they name as their source, as far as they may see them."""
        named = {id_ for entry in entries if isinstance(entry, Candidate) for id_ in _sources_of(entry.item)}
        if not named:
            return entries
        with self._store.read() as reader:
            chunks = {id_: item for id_, item in reader.get(sorted(named)).items() if item.type == CHUNK}
        return [_extracted(one, chunks) if isinstance(one, Candidate) else one for one in entries]

    def _fault(self, links: Sequence[Link], there: Container[str], moved: Container[str]) -> str | None:
        """Reason that links cannot be made; None if they can."""
        for link in links:
            if link.dst in moved:
                return f"invalid: links: {link.dst} was moved to the archive file; restore it first"
            if link.dst not in there:
                return f"invalid: links: there is no item {link.dst[:80]!r}"
            if link.evidence is not None and (refused := self._policy.refusals(link.evidence)):
                return f"invalid: links: the evidence cannot be stored ({refused[0]})"
        return None

    def _prepare(
        self,
        candidates: Sequence[Candidate],
        session_id: str | None = None,
        heard: Sequence[Item] = (),
        *,
        bare: bool = False,
        ready: Mapping[int, Alone] = NOTHING_READY,
    ) -> list[_Prepared]:
        rulings = self.judged(candidates, session_id, heard, bare=bare, ready=ready)
        done = {id(one.ruling): one for one in ready.values()}
        rest = [one for one in rulings if one.outcome is Outcome.ACCEPTED and id(one) not in done]
        vectors = iter(embedded(self._embedder, [ruling.item.text for ruling in rest]).vectors)
        done |= {id(ruling): Alone(ruling, names_of(ruling.item), next(vectors)) for ruling in rest}
        return [
            _Prepared(candidate, ruling, one.vector, one.names)
            if (one := done.get(id(ruling))) is not None
            else _Prepared(candidate, ruling, None, ())
            for candidate, ruling in zip(candidates, rulings, strict=True)
        ]

    def _model(self, new: Iterable[NewItem]) -> EmbedderIdentity | None:
        # Asked where there are vectors of it: an embedder that failed may not even say what it is.
        return self._embedder.identity if any(entry.vector is not None for entry in new) else None

    # Committing: inside a transaction

    def _commit_pieces(self, tx: Writer, pieces: list[_Piece]) -> list[list[Verdict] | None]:
        """Commit the pieces of several callers as one; None for those that something was settled for meanwhile."""
        at = self._clock.now()
        trusted = sorted({scope for piece in pieces for scope in piece.bare})
        taken = self._look_ahead(tx, pieces, trusted)
        bare = {scope: self._neighbours.is_bare(tx, scope, at) for scope in trusted}
        current = [piece for piece in pieces if all(bare[scope] for scope in piece.bare)]
        taken.look(tx, at)
        entries = _still_linked(tx, [entry for piece in current for entry in piece.entries])
        verdicts = iter(self._commit(tx, entries, taken))
        return [list(islice(verdicts, len(piece.entries))) if piece in current else None for piece in pieces]

    def _look_ahead(self, tx: Writer, pieces: Sequence[_Piece], settled: Sequence[Scope]) -> _Holders:
        """Say what committing these will ask for."""
        entries = [entry for piece in pieces for entry in piece.entries if isinstance(entry, _Prepared)]
        taken = _Holders(entries)
        if stored := list(taken.new.values()):
            ahead = Ahead(
                contents=taken.wanted,
                new=stored,
                model=self._model(stored),
                settled=settled,
                items=sorted(_linked_to(entries)),
            )
            tx.look_ahead(ahead)
        return taken

    def _commit(self, tx: Writer, prepared: Sequence[_Prepared | Verdict], taken: _Holders) -> list[Verdict]:
        new: list[NewItem] = []
        verdicts: list[Verdict] = []
        repeated: list[tuple[str, Item, str]] = []
        refused: list[AuditEvent] = []
        for entry in prepared:
            if isinstance(entry, Verdict):
                verdicts.append(entry)
                continue
            ruling = entry.ruling
            if ruling.outcome is Outcome.REJECTED:
                refused += _refused(tx, entry)
                verdicts.append(Verdict(Outcome.REJECTED, None, ruling.reasons))
                continue
            if ruling.outcome is Outcome.MERGED:
                # It says nothing new: the known item stays as it is. Who sees it need not see where it was said again.
                repetition = entry.candidate.item
                event = AuditEvent(
                    action="merge",
                    at=repetition.created_at,
                    item_id=ruling.item.id,
                    scope=repetition.scope,
                    actor=entry.candidate.actor,
                )
                tx.record([event])
                verdicts.append(Verdict(Outcome.MERGED, ruling.item.id, ruling.reasons))
                continue
            known = taken.claim(ruling)
            if known is None:
                new.append(taken.new[id(ruling)])
                verdicts.append(Verdict(ruling.outcome, ruling.item.id, ruling.reasons))
            elif ruling.outcome is Outcome.QUARANTINED:
                verdicts.append(Verdict(Outcome.QUARANTINED, known, ruling.reasons))
            else:
                # What a model proposes, or a file brings, changes nothing that is there.
                if not entry.candidate.proposed and entry.candidate.actor != IMPORT:
                    repeated.append((known, ruling.item, entry.candidate.actor))
                verdicts.append(
                    Verdict(Outcome.MERGED, known, ("duplicate: this is known already", *ruling.reasons))
                )
        if new:
            attach_earlier(tx, tx.insert(new, self._model(new), earlier=MOST_EARLIER))
        if repeated:
            self._merge(tx, repeated)
        if refused:
            tx.record(refused)
        for entry, verdict in zip(prepared, verdicts, strict=True):
            if isinstance(entry, _Prepared) and entry.candidate.links and verdict.item_id is not None:
                _link(tx, entry.candidate, verdict.item_id, entry.ruling.item.scope)
        return verdicts

    def _merge(self, tx: Writer, repeated: Sequence[tuple[str, Item, str]]) -> None:
        """Let known items gain what a repetition brought: tags, entities, a pin, a later end, or just a note.

        What a person repeats is that person's word from then on, whoever said it first.
        """
        known = tx.get([item_id for item_id, _, _ in repeated])
        for item_id, again, actor in repeated:
            item = known[item_id]
            vouched = as_users_word(item, again)
            richer = replace(
                vouched,
                tags=_united(vouched.tags, again.tags),
                entities=_united(vouched.entities, again.entities),
                pinned=item.pinned or again.pinned,
                decay_rate=min(vouched.decay_rate, again.decay_rate),
                expires_at=_later(item.expires_at, again.expires_at),
                updated_at=max(item.updated_at, again.created_at),
            )
            if replace(richer, updated_at=item.updated_at) != item:
                names = names_of(richer) if richer.entities != item.entities else None
                tx.revise(richer, reason="merge", action="merge", actor=actor, names=names)
                known[item_id] = richer
            else:
                event = AuditEvent(
                    action="merge", at=again.created_at, item_id=item_id, scope=item.scope, actor=actor
                )
                tx.record([event])

    def _commit_turns(self, tx: Writer, *, prepared: Sequence[_Prepared], placing: _Placing) -> list[Verdict]:
        scope, session_id = placing.scope, placing.session_id
        rulings = [entry.ruling for entry in prepared]
        storable = {
            id(entry): _new(entry, "record")
            for entry in prepared
            if entry.ruling.outcome is not Outcome.REJECTED
        }
        tx.look_ahead(placing.ahead(rulings, list(storable.values()), self._model(storable.values())))
        stored = placing.stored(tx, rulings)
        places = placing.places(stored, rulings)
        previous = stored.turns[-1].id if stored.turns else None
        new: list[NewItem] = []
        verdicts: list[Verdict] = []
        for entry, place in zip(prepared, places, strict=True):
            ruling = entry.ruling
            if ruling.outcome is Outcome.REJECTED:
                verdicts.append(Verdict(Outcome.REJECTED, None, ruling.reasons))
            elif isinstance(place, str):
                verdicts.append(
                    Verdict(Outcome.MERGED, place, ("duplicate: the session holds this turn already",))
                )
                previous = place
            else:
                item = replace(ruling.item, ordinal=place)
                links: tuple[Link, ...] = ()
                if previous is not None:
                    links = (
                        Link(src=previous, dst=item.id, rel=Relation.TEMPORAL, created_at=item.created_at),
                    )
                new.append(replace(storable[id(entry)], item=item, links=links, waits=True))
                previous = item.id
                verdicts.append(Verdict(Outcome.ACCEPTED, item.id, ruling.reasons))
        if new:
            attach_earlier(tx, tx.insert(new, self._model(new), earlier=MOST_EARLIER))
            at = max(entry.item.event_at or 0 for entry in new)
            session = stored.session or Session(session_id, scope, at, at, 0)
            tx.put_session(session.heard(at, len(new)))
        return verdicts


def _sources_of(item: Item) -> Iterable[str]:
    """The ids of items that one was taken from, as it says itself."""
    return filter(is_id, (*item.provenance.chunk_ids, item.provenance.source_id or ""))


def _extracted(candidate: Candidate, chunks: Mapping[str, Item]) -> Candidate:
    """A candidate with links to the chunks that it was taken from; for evidence, their places in their documents."""
    item = candidate.item
    sources = [chunks[id_] for id_ in dict.fromkeys(_sources_of(item)) if id_ in chunks]
    sources = [chunk for chunk in sources if item.scope.sees(chunk.scope)]
    links = (
        Link(
            src=item.id,
            dst=chunk.id,
            rel=Relation.EXTRACTED_FROM,
            evidence=citation(chunk) or None,
            created_at=item.created_at,
        )
        for chunk in sources
    )
    named = dict.fromkeys((*item.provenance.chunk_ids, *(chunk.id for chunk in sources)))
    item = replace(item, provenance=replace(item.provenance, chunk_ids=tuple(named)))
    return replace(candidate, item=item, links=(*candidate.links, *links))


def _linked_to(entries: Sequence[_Prepared | Verdict]) -> set[str]:
    """Ids of what entries are to be linked to."""
    return {link.dst for entry in entries if isinstance(entry, _Prepared) for link in entry.candidate.links}


def _still_linked(tx: Writer, entries: Sequence[_Prepared | Verdict]) -> Sequence[_Prepared | Verdict]:
    """The entries as they are committed: what they were to be linked to may be gone by now."""
    wanted = _linked_to(entries)
    gone = wanted.difference(tx.get(sorted(wanted))) if wanted else wanted
    return (
        [_without(entry, gone) if isinstance(entry, _Prepared) else entry for entry in entries]
        if gone
        else entries
    )


def _without(entry: _Prepared, gone: Container[str]) -> _Prepared | Verdict:
    """An entry without links to sources that are gone; rejected where somebody asked for a link to what is gone."""
    sources = frozenset(_sources_of(entry.candidate.item))
    links = [link for link in entry.candidate.links if link.dst not in gone]
    for link in entry.candidate.links:
        if link.dst in gone and not (link.rel is Relation.EXTRACTED_FROM and link.dst in sources):
            return Verdict(
                Outcome.REJECTED, None, (f"invalid: links: there is no item {link.dst[:80]!r} any more",)
            )
    return replace(entry, candidate=replace(entry.candidate, links=tuple(links)))


def _link(tx: Writer, candidate: Candidate, item_id: str, scope: Scope) -> None:
    """Make the links that were asked for, from the item that says it, which is in a scope."""
    for link in candidate.links:
        if link.dst == item_id:
            continue  # What it repeats is what it was to be joined to.
        if link.rel is Relation.EXTRACTED_FROM and scope != candidate.item.scope:
            continue  # What is known in a wider scope does not point into a narrower one.
        tx.link(replace(link, src=item_id))
        event = AuditEvent(
            action="link",
            at=link.created_at,
            item_id=item_id,
            scope=candidate.item.scope,
            actor=candidate.actor,
            details={"rel": link.rel, "dst": link.dst},
        )
        tx.record([event])


class _Holders:
    """Contents of a piece that are taken, by stored items and by earlier ones of the piece.

    Attributes:
        new: What may be stored, by the identity of its ruling, as it is stored where nobody says it yet.
    """

    def __init__(self, prepared: Sequence[_Prepared]) -> None:
        self.new = {id(entry.ruling): _new(entry) for entry in prepared if _may_be_stored(entry)}
        self._hashes: dict[int, bytes] = {}
        self.wanted: dict[tuple[Scope, bool], list[bytes]] = {}
        for entry in prepared:
            ruling = entry.ruling
            if id(ruling) in self.new:
                digest = self._hashes[id(ruling)] = content_hash(ruling.item.type, ruling.item.content)
                self.wanted.setdefault(_shelf(ruling), []).append(digest)
        self._taken: dict[tuple[Scope, bool], dict[bytes, str]] = {}

    def look(self, tx: Writer, at: int) -> None:
        """Find out who holds what."""
        self._taken = {
            shelf: holders(tx, shelf[0], hashes, at, quarantined=shelf[1])
            for shelf, hashes in self.wanted.items()
        }

    def claim(self, ruling: Ruling) -> str | None:
        """The id of the item that has this content already; else the content is this item's from now on."""
        taken = self._taken[_shelf(ruling)]
        digest = self._hashes[id(ruling)]
        known = taken.get(digest)
        if known is None:
            taken[digest] = ruling.item.id
        return known


def _may_be_stored(entry: _Prepared) -> bool:
    return entry.ruling.outcome in {Outcome.ACCEPTED, Outcome.QUARANTINED}


def _shelf(ruling: Ruling) -> tuple[Scope, bool]:
    return ruling.item.scope, ruling.outcome is Outcome.QUARANTINED


def _refused(tx: Writer, entry: _Prepared) -> list[AuditEvent]:
    """Audit events of a secret or an order that was refused: a keyed hash, and of which kind it was."""
    kinds = to_be_noted(entry.ruling)
    if not kinds:
        return []
    item = entry.candidate.item
    return [
        AuditEvent(
            action="refuse",
            at=item.created_at,
            actor=entry.candidate.actor,
            details={"reasons": kinds},
            content_hash=tx.keyed_hash(item.content),
        )
    ]


def _new(entry: _Prepared, action: str = "create") -> NewItem:
    return NewItem(
        item=entry.ruling.item,
        outcome=entry.ruling.outcome,
        vector=entry.vector,
        reasons=entry.ruling.reasons,
        why_store=entry.candidate.why_store,
        action=action,
        actor=entry.candidate.actor,
        names=entry.names,
        wished=None if entry.ruling.wished is None else wish_of(entry.ruling.wished),
    )


class _Placing:
    """Positions of a list's turns in their session, piece by piece."""

    def __init__(
        self, scope: Scope, session_id: str, rulings: Sequence[Ruling], began_at: int | None, at: int
    ) -> None:
        self.scope = scope
        self.session_id = session_id
        self._began_at = began_at
        self._at = at
        kept = [ruling for ruling in rulings if ruling.outcome is not Outcome.REJECTED]
        self._named = all(ruling.item.provenance.source_id is not None for ruling in kept)
        self._marks = [_mark(ruling) for ruling in kept]
        #: Ordinal of the next turn by its place in the list; known once the list is laid on the session.
        self._next: int | None = None

    def stored(self, tx: Writer, rulings: Sequence[Ruling]) -> StoredConversation:
        """Turns of the session that are needed: all to recognise a resent history, the last to append one."""
        return tx.conversation(self.scope, self.session_id, last=self._last, source_ids=_sources(rulings))

    def ahead(
        self, rulings: Sequence[Ruling], new: Sequence[NewItem], model: EmbedderIdentity | None
    ) -> Ahead:
        """The same, as it is said ahead, with what is likely to be stored."""
        session = (self.scope, self.session_id, self._last)
        return Ahead(session=session, source_ids=_sources(rulings), new=new, model=model)

    @property
    def _last(self) -> int:
        resent = len(self._marks) > 1 and not self._named
        return _EVERY if resent else 1

    def places(self, conversation: StoredConversation, rulings: Sequence[Ruling]) -> list[int | str]:
        """For each turn of a piece its ordinal in the session, or the id of the stored turn that it repeats."""
        stored, by_source = conversation.turns, dict(conversation.by_source)
        if self._next is None:
            self._next = self._first(stored)
        held = {(turn.ordinal, *_mark_of(turn)): turn.id for turn in stored}
        following = _after(stored)
        places: list[int | str] = []
        for ruling in rulings:
            if ruling.outcome is Outcome.REJECTED:
                places.append(-1)  # It has no place, and takes none from those after it.
                continue
            source = ruling.item.provenance.source_id
            self._next = _place(stored, self._next, _mark(ruling))
            if source is not None:
                ordinal = following if self._named else self._next
                place: int | str = by_source.get(source) or held.get((ordinal, *_mark(ruling)), ordinal)
                by_source.setdefault(source, ruling.item.id)
            else:
                place = held.get((self._next, *_mark(ruling)), self._next)
            self._next += 1
            if isinstance(place, int):
                following = max(following, place) + 1
            places.append(place)
        return places

    def _first(self, stored: Sequence[StoredTurn]) -> int:
        """Position at which the list begins. What was said at another time is another turn, whatever it says.

        One turn alone, without a time, is no history: what it repeats was sent just before, or it is said again.
        """
        first = _first_ordinal(stored, self._marks)
        known = _next_turn(stored, first)
        if known is None:
            return first
        if self._began_at is None:
            later = self._at - (known.event_at or 0) > _TRIED_AGAIN_US
            return _after(stored) if later and len(self._marks) == 1 else first
        if known.ordinal > first:  # Where it begins a turn was purged; what follows was not said before it.
            return first if self._began_at <= (known.event_at or 0) else _after(stored)
        return first if known.event_at == self._began_at else _after(stored)


def _sources(rulings: Sequence[Ruling]) -> list[str]:
    return [source for ruling in rulings if (source := ruling.item.provenance.source_id)]


def _after(stored: Sequence[StoredTurn]) -> int:
    return stored[-1].ordinal + 1 if stored else 0


def _first_ordinal(stored: Sequence[StoredTurn], marks: Sequence[_Mark]) -> int:
    """Position in the session at which a list of messages without ids begins.

    A client that resends its history begins where the session began; one with a sliding window
    overlaps with the session's end; anything else goes on after it. One message alone repeats the
    session's beginning only where the session is that one message: people say "hi" more than once.
    """
    if not stored or not marks:
        return _after(stored)
    known = [*map(_mark_of, stored)]
    alike = _alike(stored, known, marks, 0)
    if alike >= 2 or (alike == 1 and len(stored) == 1):
        return _place(stored, 0, marks[0])
    # What overlaps with the end repeats the last turn, and no more turns than the list has.
    for index in range(max(0, len(stored) - len(marks)), len(stored)) if known[-1] in marks else ():
        if _alike(stored, known, marks, index) == len(stored) - index:
            return _place(stored, _behind(stored, index), marks[0])
    return _after(stored)


def _alike(stored: Sequence[StoredTurn], known: Sequence[_Mark], marks: Sequence[_Mark], index: int) -> int:
    """Number of turns in a row that a list repeats if it begins behind the turn before an index.

    Purged ones are passed by.

    Args:
        known: The marks of the stored turns.
    """
    first, place = index, _behind(stored, index)
    for mark in marks:
        if index == len(stored):
            break
        if known[index] == mark:
            index, place = index + 1, stored[index].ordinal + 1
        elif stored[index].ordinal == place:
            break
        else:
            place += 1
    return index - first


def _behind(stored: Sequence[StoredTurn], index: int) -> int:
    """Position behind the turn before an index; where the session begins for the first."""
    return stored[index - 1].ordinal + 1 if index else 0


def _place(stored: Sequence[StoredTurn], place: int, mark: _Mark) -> int:
    """Position of a list's next turn: a place that a purge left empty, unless the list passes it by as well."""
    turn = _next_turn(stored, place)
    return turn.ordinal if turn is not None and _mark_of(turn) == mark else place


def _next_turn(stored: Sequence[StoredTurn], place: int) -> StoredTurn | None:
    index = bisect_left(stored, place, key=lambda turn: turn.ordinal)
    return stored[index] if index < len(stored) else None


def _mark_of(turn: StoredTurn) -> _Mark:
    return turn.role, turn.content_hash


def _mark(ruling: Ruling) -> _Mark:
    """Mark that a turn without an id is known by, beside its place: who spoke and what was said."""
    return ruling.item.provenance.source_role, content_hash(ruling.item.type, ruling.item.content)


def _read(value: Mapping[str, Any]) -> Message | Verdict:
    try:
        read = message(value)
    except InvalidInput as error:
        return Verdict(Outcome.REJECTED, None, (f"invalid: {error}",))
    if read.skipped is not None:
        return Verdict(Outcome.REJECTED, None, (read.skipped,))
    return read


def _later(first: int | None, second: int | None) -> int | None:
    """The later of two ends; None is never."""
    return None if first is None or second is None else max(first, second)


def _united(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    known = {word.casefold() for word in first}
    return (first + tuple(word for word in second if word.casefold() not in known))[
        : max(MAX_TAGS, len(first))
    ]
