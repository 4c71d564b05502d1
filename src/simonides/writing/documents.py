"""Keeping documents: each a record with its chunks, put as a whole; what is unchanged of it stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simonides.domain.document import CHUNK, DOCUMENTS, Chunk, Corpus, Document, Left, ReadDocument
from simonides.domain.entity import Name
from simonides.domain.ids import new_id
from simonides.domain.item import MAX_TITLE_CHARS, Item, Status, changed_at
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import TRUST_OF, Origin, Provenance, SourceKind
from simonides.domain.record import RecordPut, stands
from simonides.domain.records import AuditEvent
from simonides.domain.taxonomy import TAXONOMY
from simonides.domain.text import sha256_hex, shortened
from simonides.domain.verdict import Outcome
from simonides.errors import Conflict, InvalidText
from simonides.governance.policy import Candidate, Policy, Ruling
from simonides.language.names import names_of
from simonides.ports.clock import Clock
from simonides.ports.embedder import Embedder
from simonides.ports.store import NewItem, Reader, Store, Writer
from simonides.values import dataclass
from simonides.writing.attaching import MOST_EARLIER, attach_earlier
from simonides.writing.corpora import JoinedChunks, place_of
from simonides.writing.document_delta import ChunkDelta, delta
from simonides.writing.embedded import Embedded, embedded
from simonides.writing.records import PreparedRecord, RecordKeeper, at_address, write_record

INGEST: Final = "ingest"
_TRIES: Final = 3
#: Characters of a heading that the title of its document keeps.
_TITLE_CHARS: Final = 200
#: Metadata that say where a chunk stands: its lines, and which of those that begin on its first one it is.
_PLACE: Final = ("lines", "part")
_JOINS: Final = (Relation.SAME_RULE, Relation.EVOLVED_FROM)
#: Pieces that the policy keeps out of which a document tells.
_MOST_REFUSED: Final = 50

_Change = ChunkDelta[Item, Chunk]


class PutDocument(NamedTuple):
    """Outcome of putting a document.

    Attributes:
        is_new: There was none of its path.
        added, changed, removed: How many of its chunks.
    """

    document: Document
    is_new: bool
    added: int
    changed: int
    removed: int


class PreparedPiece(NamedTuple):
    """Outcome of a piece of a document, whatever the store holds.

    Attributes:
        ruling: Of the policy; its item has an id and times of its own once it is written.
        vector: None where nobody embedded it yet.
    """

    ruling: Ruling
    names: tuple[Name, ...] = ()
    vector: NDArray[np.float32] | None = None

    @property
    def is_kept(self) -> bool:
        return self.ruling.outcome is Outcome.ACCEPTED


@dataclass(frozen=True, slots=True)
class PreparedDocument:
    """A document as it was read, with those of its pieces that were judged already."""

    reading: ReadDocument
    pieces: Mapping[Chunk, PreparedPiece] = field(default_factory=dict[Chunk, PreparedPiece])


def prepared(
    reading: ReadDocument,
    corpus: Corpus,
    policy: Policy,
    at: int,
    *,
    known: Container[str] = frozenset(),
    embedder: Embedder | None = None,
) -> PreparedDocument:
    """Judge the pieces of a document, look for names in them, and embed them where there is an embedder.

    Args:
        known: Marks of pieces that need none of that, as `DocumentKeeper.marks` tells them.
    """
    new = [piece for piece in reading.pieces if _mark_of(piece, reading) not in known]
    pieces = {piece: _prepared(piece, reading, corpus, policy, at) for piece in new}
    kept = [piece for piece, one in pieces.items() if one.is_kept]
    if embedder is not None:
        vectors = embedded(embedder, [pieces[piece].ruling.item.text for piece in kept]).vectors
        for piece, vector in zip(kept, vectors, strict=True):
            pieces[piece] = pieces[piece]._replace(vector=vector)
    return PreparedDocument(reading, pieces)


def _prepared(piece: Chunk, reading: ReadDocument, corpus: Corpus, policy: Policy, at: int) -> PreparedPiece:
    ruling = policy.judge(Candidate(_chunk(piece, reading, corpus, at)), at)
    return PreparedPiece(ruling, names_of(ruling.item) if ruling.outcome is Outcome.ACCEPTED else ())


@dataclass(frozen=True, slots=True)
class _Ready:
    """A document that was judged, beside what is there of it."""

    reading: ReadDocument
    record: PreparedRecord
    is_new: bool
    there: Item | None
    change: _Change
    #: New ones, changed ones first.
    pieces: tuple[tuple[Chunk, PreparedPiece], ...]

    @property
    def kept(self) -> list[tuple[Chunk, PreparedPiece]]:
        return [(piece, one) for piece, one in self.pieces if one.is_kept]

    def put(self, document: Item) -> PutDocument:
        """Outcome, once its record is this one."""
        kept_out = sum(not one.is_kept for _, one in self.pieces)
        counts = (len(self.change.added) - kept_out, len(self.change.changed), len(self.change.removed))
        return PutDocument(Document.of(document), self.is_new, *counts)


class DocumentKeeper:
    """Writes documents. Safe to use from several threads."""

    def __init__(
        self, store: Store, embedder: Embedder, policy: Policy, clock: Clock, records: RecordKeeper
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._policy = policy
        self._clock = clock
        self._records = records

    def put(
        self,
        documents: Sequence[PreparedDocument],
        corpus: Corpus,
        *,
        root: str | None = None,
        actor: str = "user",
    ) -> list[PutDocument | Left]:
        """Keep documents as they were read, all of them or none, but for those whose path or title the policy refuses.

        Args:
            root: Mark of the folder that they came from.

        Chunks that say what they said keep ids and vectors, changed ones are superseded, removed ones archived.

        Raises:
            Conflict: Somebody else puts the same documents all the time.
        """
        for attempt in range(_TRIES):
            at = self._clock.now()
            judged = self._ready(documents, corpus, at, root, actor)
            ready = self._embedded([one for one in judged if isinstance(one, _Ready)])
            # The record of a document has no text; that is noted where vectors are, or one would be missed.
            empty = embedded(self._embedder, [""] * len(ready))
            try:
                done = iter(
                    self._store.write(
                        lambda tx, ready=ready, empty=empty, at=at: _write(
                            tx, ready, corpus, empty, at, actor
                        )
                    )
                )
                return [one if isinstance(one, Left) else next(done) for one in judged]
            except Conflict:
                if attempt == _TRIES - 1:
                    raise
        raise AssertionError  # pragma: no cover - the loop returns or raises

    def changes(self, documents: Sequence[PreparedDocument], corpus: Corpus) -> list[PutDocument | Left]:
        """Effects that putting these documents would have; nothing is written."""
        judged = self._ready(documents, corpus, self._clock.now(), None, "user")
        return [one if isinstance(one, Left) else one.put(one.record.item) for one in judged]

    def marks(self, document: Item) -> frozenset[str]:
        """Marks of the chunks that a document has."""
        with self._store.read() as reader:
            return frozenset(map(mark_of, chunks_of(reader, document)))

    def tie(self, documents: Sequence[Item], root: str, *, actor: str = "user") -> None:
        """Have documents that are as they were be of the folder in which they were found now.

        Args:
            root: Its mark.
        """
        at = self._clock.now()

        def write(tx: Writer) -> None:
            for item in tx.get([document.id for document in documents]).values():
                value = item.metadata["value"] | {"root": root}
                if item.status is Status.ACTIVE and value != item.metadata["value"]:
                    tied = changed_at(item, at, metadata={**item.metadata, "value": value})
                    tx.revise(tied, reason="moved", action="update", actor=actor)

        self._store.write(write)

    def delete(self, documents: Sequence[Item], *, actor: str = "user") -> int:
        """Archive documents with their chunks; how many chunks."""
        at = self._clock.now()

        def write(tx: Writer) -> int:
            gone = 0
            for item in tx.get([document.id for document in documents]).values():
                if item.status is Status.ARCHIVED:
                    continue
                for chunk in chunks_of(tx, item):
                    _archive(tx, chunk, at, actor)
                    gone += 1
                _archive(tx, item, at, actor)
            return gone

        return self._store.write(write)

    def allow(self, corpus: Corpus, chunks: Sequence[Item], *, actor: str = "user") -> int:
        """Have chunks be injectable or not, as their corpus says; how many changed.

        One that gives orders stays out of prompts.
        """
        at = self._clock.now()
        wanted: list[Item] = []
        for chunk in chunks:
            ruling = self._policy.judge(
                Candidate(replace(chunk, injectable=corpus.injectable), actor=actor), at
            )
            if ruling.outcome is Outcome.ACCEPTED and ruling.item.injectable != chunk.injectable:
                wanted.append(changed_at(chunk, at, injectable=ruling.item.injectable))

        def write(tx: Writer) -> int:
            there = tx.get([item.id for item in wanted])
            for item in wanted:
                if there[item.id].status is Status.ACTIVE:
                    tx.revise(
                        item, reason="allow" if item.injectable else "withhold", action="update", actor=actor
                    )
            return len(wanted)

        return self._store.write(write) if wanted else 0

    def join(self, joined: Sequence[JoinedChunks], *, actor: str = "user") -> None:
        """Link chunks of a corpus to what they were in another, where both still stand."""
        at = self._clock.now()

        def write(tx: Writer) -> None:
            ends = [item for one in joined for item in (one.chunk, one.former)]
            there = tx.get([item.id for item in ends])
            standing = {id_ for id_, item in there.items() if item.status is Status.ACTIVE}
            linked = {(link.src, link.dst, link.rel) for link in tx.links(list(there), _JOINS)}
            for chunk, former, rel in joined:
                stand = standing.issuperset((chunk.id, former.id))
                if chunk.id == former.id or not stand or (chunk.id, former.id, rel) in linked:
                    continue
                tx.link(Link(src=chunk.id, dst=former.id, rel=rel, created_at=at))
                tx.record(
                    [
                        AuditEvent(
                            action="link",
                            at=at,
                            item_id=chunk.id,
                            scope=chunk.scope,
                            actor=actor,
                            details={"rel": rel.value, "dst": former.id},
                        )
                    ]
                )

        self._store.write(write)

    # Before the transaction

    def _ready(
        self, documents: Sequence[PreparedDocument], corpus: Corpus, at: int, root: str | None, actor: str
    ) -> list[_Ready | Left]:
        with self._store.read() as reader:
            compared = [(one, *_compared(reader, one.reading, corpus)) for one in documents]
        ready: list[_Ready | Left] = []
        for document, there, change in compared:
            reading = document.reading
            new = [*(piece for _, piece in change.changed), *change.added]
            parts = _parts(reading)
            pieces = tuple(
                (
                    piece,
                    _placed(
                        _dated(document.pieces[piece], at)
                        if piece in document.pieces
                        else _prepared(piece, reading, corpus, self._policy, at),
                        _place(piece, parts),
                    ),
                )
                for piece in new
            )
            kept_out = [_refused_piece(piece, one.ruling) for piece, one in pieces if not one.is_kept]
            count = len(change.kept) + len(pieces) - len(kept_out)
            value = _value(reading, corpus, count, kept_out[:_MOST_REFUSED], root)
            put = RecordPut(
                space=space_of(corpus.name, reading.path), key=_key(reading.path), value=value, index=False
            )
            try:
                record = self._records.prepared(put, corpus.scope, at, actor, Origin.USER_SAID)
            except InvalidText as error:
                ready.append(
                    Left(self._policy.redacted(reading.path), f"its path or title is refused: {error}")
                )
                continue
            is_new = there is None or not stands(there, at)
            ready.append(_Ready(reading, record, is_new, there, change, pieces))
        return ready

    def _embedded(self, ready: Sequence[_Ready]) -> list[_Ready]:
        """The same documents, each piece that is kept with a vector, where there can be one."""
        texts = [one.ruling.item.text for doc in ready for _, one in doc.kept if one.vector is None]
        vectors = iter(embedded(self._embedder, texts).vectors)
        return [
            replace(
                doc,
                pieces=tuple(
                    (piece, one._replace(vector=next(vectors)))
                    if one.is_kept and one.vector is None
                    else (piece, one)
                    for piece, one in doc.pieces
                ),
            )
            for doc in ready
        ]


def _write(
    tx: Writer, ready: Sequence[_Ready], corpus: Corpus, empty: Embedded, at: int, actor: str
) -> list[PutDocument]:
    new: list[NewItem] = []
    later: list[Link] = []
    done: list[PutDocument] = []
    for one, vector in zip(ready, empty.vectors, strict=True):
        document = one.record.item
        there = at_address(tx, corpus.scope, document.provenance.source_id or "")
        if there != one.there:
            raise Conflict(f"{one.reading.path} was put by somebody else meanwhile")
        if there is None:
            new.append(NewItem(document, Outcome.ACCEPTED, vector, action=INGEST, actor=actor))
        else:
            document = write_record(tx, replace(one.record, vector=vector), empty.model, at, actor)
        fresh, joined = _chunks(tx, one, document, at, actor)
        new += fresh
        later += joined
        done.append(one.put(document))
    if new:
        attach_earlier(tx, tx.insert(new, empty.model, earlier=MOST_EARLIER))
    for link in later:
        tx.link(link)
    stored = {entry.item.id for entry in new}
    for one in ready:
        _end(tx, one, stored, at, actor)
    return done


def _chunks(tx: Writer, one: _Ready, document: Item, at: int, actor: str) -> tuple[list[NewItem], list[Link]]:
    """New chunks of a document, each linked to it and to the one before; and links to be made once they are there."""
    parts = _parts(one.reading)
    there: dict[int, str] = {}
    for chunk, piece in one.change.kept:
        there[id(piece)] = chunk.id
        place = _place(piece, parts)
        if {name: chunk.metadata[name] for name in _PLACE if name in chunk.metadata} != place:
            others = {name: value for name, value in chunk.metadata.items() if name not in _PLACE}
            moved = changed_at(chunk, at, metadata=others | place)
            tx.revise(moved, reason="moved", action="update", actor=actor)
    new_ids = {id(piece): ready.ruling.item.id for piece, ready in one.kept}
    fresh = set(new_ids.values())
    order = [id_ for piece in one.reading.pieces if (id_ := (there | new_ids).get(id(piece)))]
    before = dict(zip(order[1:], order, strict=False))
    joined = _joined_before(tx, one, list(there.values()))
    joints = [
        Link(src=previous, dst=id_, rel=Relation.ADJACENT, created_at=at)
        for id_, previous in before.items()
        if id_ in fresh or previous in fresh or (joined is not None and (previous, id_) not in joined)
    ]
    by_end = {link.dst: link for link in joints}
    new: list[NewItem] = []
    accepted = {ready.ruling.item.id: ready for _, ready in one.kept}
    for ready in (accepted[id_] for id_ in order if id_ in fresh):
        item = ready.ruling.item
        contains = Link(src=document.id, dst=item.id, rel=Relation.CONTAINS, created_at=at)
        own = [by_end[item.id]] if item.id in by_end else []
        new.append(
            NewItem(
                item,
                Outcome.ACCEPTED,
                ready.vector,
                action=INGEST,
                actor=actor,
                names=ready.names,
                links=(contains, *own),
            )
        )
    return new, [link for link in joints if link.dst not in fresh]


def _joined_before(tx: Writer, one: _Ready, kept: Sequence[str]) -> set[tuple[str, str]] | None:
    """Ends of the links between chunks that stay, where an earlier release may have left some out: on one line."""
    if not any(_parts(one.reading).values()):
        return None
    return {(link.src, link.dst) for link in tx.links(kept, [Relation.ADJACENT])}


def _end(tx: Writer, one: _Ready, stored: Container[str], at: int, actor: str) -> None:
    """Archive what a document no longer says, and name what stands in its place."""
    for (old, _), (_, ready) in zip(one.change.changed, one.pieces, strict=False):
        successor = ready.ruling.item.id if ready.ruling.item.id in stored else None
        _archive(tx, old, at, actor, successor)
        if successor is not None:
            tx.link(Link(src=successor, dst=old.id, rel=Relation.SUPERSEDES, created_at=at))
    for old in one.change.removed:
        _archive(tx, old, at, actor)


def chunks_of(reader: Reader, document: Item) -> list[Item]:
    """The chunks that a document holds at present, in the order of its text."""
    links = reader.links([document.id], [Relation.CONTAINS])
    items = reader.get([link.dst for link in links if link.src == document.id])
    standing = [item for item in items.values() if item.type == CHUNK and item.status is not Status.ARCHIVED]
    if len(set(map(place_of, standing))) < len(standing):  # An earlier release kept no more than their lines.
        standing.sort(key=lambda item: reader.key(item.id) or 0)
    return sorted(standing, key=place_of)


def space_of(corpus: str, path: str) -> tuple[str, ...]:
    """The space in which a document is a record."""
    return (DOCUMENTS, corpus, *path.split("/")[:-1])


def _key(path: str) -> str:
    return path.rpartition("/")[2]


def _compared(reader: Reader, reading: ReadDocument, corpus: Corpus) -> tuple[Item | None, _Change]:
    put = RecordPut(space=space_of(corpus.name, reading.path), key=_key(reading.path), value=None)
    there = at_address(reader, corpus.scope, put.address)
    chunks = [] if there is None else chunks_of(reader, there)
    marked = [(mark_of(chunk), chunk) for chunk in chunks]
    return there, delta(marked, [(_mark_of(piece, reading), piece) for piece in reading.pieces])


def mark_of(chunk: Item) -> str:
    """Identity of a chunk: its headings, and its text."""
    return _mark(chunk.title, chunk.provenance.content_hashes)


def _mark_of(piece: Chunk, reading: ReadDocument) -> str:
    return _mark(_title(piece, reading), (_hash(piece),))


def _dated(one: PreparedPiece, at: int) -> PreparedPiece:
    """A piece as it is stored now."""
    item = replace(one.ruling.item, id=new_id(at), created_at=at, updated_at=at)
    return one._replace(ruling=replace(one.ruling, item=item))


def _mark(title: str, hashes: Sequence[str]) -> str:
    return f"{title}\n{''.join(hashes)}"


def _hash(piece: Chunk) -> str:
    return sha256_hex(piece.text)


def _title(piece: Chunk, reading: ReadDocument) -> str:
    """Headings of a piece: the document's own name or title, and those that lead to it."""
    name = reading.title or _key(reading.path)
    headings = [heading for heading in piece.heading if heading != name]
    # What stands under the second of two headings of a level, slides or sheets does not stand under the first.
    is_elsewhere = reading.title and piece.heading and piece.heading[0][:_TITLE_CHARS] != reading.title
    return shortened(" / ".join(headings if is_elsewhere else [name, *headings]), MAX_TITLE_CHARS)


def _chunk(piece: Chunk, reading: ReadDocument, corpus: Corpus, at: int) -> Item:
    spec = TAXONOMY[CHUNK]
    return Item(
        id=new_id(at),
        content=piece.text,
        type=CHUNK,
        created_at=at,
        updated_at=at,
        scope=corpus.scope,
        title=_title(piece, reading),
        provenance=Provenance(SourceKind.DOC, reading.path, content_hashes=(_hash(piece),)),
        importance=spec.importance,
        decay_rate=spec.decay_rate,
        injectable=corpus.injectable,
        corpus_id=corpus.name,
        origin=Origin.DOCUMENT,
        trust=TRUST_OF[Origin.DOCUMENT],
        metadata={"lines": [piece.first, piece.last]},
    )


def _parts(reading: ReadDocument) -> dict[int, int]:
    """Numbers of pieces among those that begin on the same line, by their identity: two may be alike."""
    begun = Counter[int]()
    parts: dict[int, int] = {}
    for piece in reading.pieces:
        parts[id(piece)] = begun[piece.first]
        begun[piece.first] += 1
    return parts


def _place(piece: Chunk, parts: Mapping[int, int]) -> dict[str, Any]:
    """Metadata that say where a piece stands."""
    part = parts[id(piece)]
    return {"lines": [piece.first, piece.last]} | ({"part": part} if part else {})


def _placed(one: PreparedPiece, place: Mapping[str, Any]) -> PreparedPiece:
    item = one.ruling.item
    return one._replace(ruling=replace(one.ruling, item=replace(item, metadata={**item.metadata, **place})))


def _refused_piece(piece: Chunk, ruling: Ruling) -> str:
    return f"{piece.first}-{piece.last}: {'; '.join(ruling.reasons)}"


def _value(
    reading: ReadDocument, corpus: Corpus, chunks: int, refused: Sequence[str], root: str | None
) -> dict[str, Any]:
    value: dict[str, Any] = {
        "path": reading.path,
        "corpus": corpus.name,
        "sha256": reading.sha256,
        "size": reading.size,
        "kind": reading.kind,
        "title": reading.title,
        "lines": reading.lines,
        "chunks": chunks,
    }
    optional = {"modified_ns": reading.modified_ns, "root": root, "refused": list(refused)}
    return value | {name: given for name, given in optional.items() if given not in (None, [])}


def _archive(tx: Writer, item: Item, at: int, actor: str, successor: str | None = None) -> None:
    gone = changed_at(item, at, status=Status.ARCHIVED, superseded_by=successor)
    reason = "archive" if successor is None else "supersede"
    tx.revise(gone, reason=reason, action=reason, actor=actor)
