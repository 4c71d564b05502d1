"""Purging: the only deletion there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final, NamedTuple

from simonides.compose import Parts
from simonides.domain.document import CHUNK
from simonides.domain.item import Item, Status
from simonides.domain.kept import forget_texts
from simonides.domain.link import Relation
from simonides.domain.record import is_record
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.errors import Conflict
from simonides.governance.carried import LostHeadings
from simonides.parts.retraction import planned, retract
from simonides.ports.both import Both
from simonides.ports.store import Reader, Writer
from simonides.writing.embedded import embedded

_PURGED: Final[tuple[str, ...]] = ("items", "revisions", "vectors", "links", "entities", "injections")
#: Times that a scope is purged of what came while it was purged.
_ROUNDS: Final = 10
_EVERY: Final = 1_000_000_000


def purge(
    parts: Parts, item_ids: Sequence[str], scope: Scope | None, *, keep_derived: bool, actor: str
) -> Mapping[str, int]:
    """Delete items, or all of exactly a scope, with every trace (`Memory.purge`); counts of what went."""
    counts: Counter[str] = Counter(dict.fromkeys(_PURGED, 0))
    if scope is None and not item_ids:
        return dict(counts)
    path = None if scope is None else str(scope)
    for _ in range(_ROUNDS):
        with parts.store.freeing():
            with parts.reading_all(item_ids) as views:
                going = _with_chunks(views, item_ids) if scope is None else _everything_of(views, scope)
                if len(going) > len(item_ids):
                    views.expect(going)
                plan = None if keep_derived or not going else planned(views, going, purge=True, actor=actor)
                going += [] if plan is None else [one.item.id for one in plan.gone]
                made = set[tuple[str, str]]() if keep_derived else _made_of(views, going)
                heirs = _heirs(views, going)
            if plan:
                retract(parts, plan, purge=True)
                with parts.reading_all() as views:
                    heirs = _heirs(views, going)
            if heirs.moved:
                parts.store.write(lambda tx, moved=heirs.moved: tx.bring_back(moved))
                parts.store.settle_archive(heirs.moved)
            look = None if keep_derived else partial(_require_nothing_new, going, made)
            try:
                gone = parts.store.purge(going, parts.clock.now(), scope=path, actor=actor, first=look)
            except _MadeMeanwhile:
                continue
            counts.update(gone)
            _embed_anew(parts, heirs.texts)
        forget_texts()
        # What somebody wrote into the scope meanwhile goes as well.
        if scope is None or not _is_written(parts, scope):
            return dict(counts)
    what = "something is made of it" if scope is None else f"{scope} is written to"
    raise Conflict(f"{what} while it is purged: end who writes, and purge it again")


class _MadeMeanwhile(Exception):
    """Raised where something was made of an item since its purge was planned: nothing was removed."""


def _require_nothing_new(going: Sequence[str], made: Collection[tuple[str, str]], reader: Reader) -> None:
    """Refuse to remove items of which something was made since that was planned: it would be there for good."""
    fresh = {id_ for id_, _ in _made_of(Both(reader, None), going).difference(made)}
    if fresh.difference(going):
        raise _MadeMeanwhile


def _made_of(views: Both, item_ids: Sequence[str]) -> set[tuple[str, str]]:
    """Pairs of an item that was made of some at first hand, or is a chunk of them, and of which."""
    ids = set(item_ids)
    links = views.links(item_ids, [Relation.DERIVED_FROM, Relation.SUPERSEDES, Relation.CONTAINS])
    pairs = (
        (link.dst, link.src) if link.rel is Relation.CONTAINS else (link.src, link.dst) for link in links
    )
    named = ((id_, source) for id_, some in views.made_from(item_ids).items() for source in some)
    return {pair for pair in (*pairs, *named) if pair[1] in ids}


def _with_chunks(views: Both, item_ids: Sequence[str]) -> list[str]:
    """These, and of a document among them every chunk that it holds or held: the record itself says nothing."""
    records = {item.id for item in views.get(item_ids).values() if is_record(item)}
    links = views.links(sorted(records), [Relation.CONTAINS]) if records else ()
    targets = views.get([link.dst for link in links if link.src in records])
    return [*item_ids, *(item.id for item in targets.values() if item.type == CHUNK)]


class _Heirs(NamedTuple):
    """Items that took words over from others: successors, and theirs in turn; of chunks what has their headings.

    Attributes:
        texts: By id.
        moved: Ids of those in the archive file.
    """

    texts: Mapping[str, str]
    moved: Sequence[str]


def _heirs(views: Both, item_ids: Sequence[str]) -> _Heirs:
    """What may hold words of items that go: see `_Heirs`."""
    known: dict[str, Item] = {}
    frontier = set(item_ids)
    while frontier:
        items = views.get(sorted(frontier))
        known |= items
        frontier = {item.superseded_by for item in items.values() if item.superseded_by} - known.keys()
    chunks = [known[id_] for id_ in item_ids if id_ in known and known[id_].type == CHUNK]
    known |= _losing_headings(views, chunks, set(item_ids))
    heirs = {id_: item.text for id_, item in known.items() if id_ not in set(item_ids)}
    return _Heirs(heirs, [id_ for id_ in heirs if views.moved(id_)])


def _losing_headings(views: Both, chunks: Sequence[Item], going: AbstractSet[str]) -> Mapping[str, Item]:
    """Documents of chunks, and chunks beside these, whose titles the purge takes a heading from."""
    if not chunks:
        return {}
    of_chunks = views.links([chunk.id for chunk in chunks], [Relation.CONTAINS])
    losing: dict[str, Item] = {}
    for document in {link.src for link in of_chunks} - going:
        contained = {
            link.dst for link in views.links([document], [Relation.CONTAINS]) if link.src == document
        }
        rest = views.get(sorted({document, *contained} - going))
        beside = [item for id_, item in rest.items() if id_ != document]
        lost = LostHeadings.of((chunk for chunk in chunks if chunk.id in contained), beside)
        losing |= {id_: item for id_, item in rest.items() if lost.left_in(item) != item}
    return losing


def _embed_anew(parts: Parts, heirs: Mapping[str, str]) -> None:
    """Give items whose title went a vector of what they say now."""
    if not heirs:
        return
    with parts.reading() as reader:
        items = [item for item in reader.get(list(heirs)).values() if item.text != heirs[item.id]]
    made = embedded(parts.embedder, [item.text for item in items])
    model = made.model
    if items and model is not None:

        def write(tx: Writer) -> None:
            keys = [(tx.key(item.id), vector) for item, vector in zip(items, made.vectors, strict=True)]
            tx.put_vectors(model, [(key, vector) for key, vector in keys if key is not None])

        parts.store.write(write)


def _is_written(parts: Parts, scope: Scope) -> bool:
    """True if items of exactly this scope are there."""
    with parts.reading_all() as views:
        return bool(_everything_of(views, scope))


def _everything_of(views: Both, scope: Scope) -> list[str]:
    """Ids of the items of exactly this scope, of every status, moved ones included."""
    selection = Selection(scopes=(scope,), live_at=None, statuses=frozenset(Status))
    readers = [reader for reader in (views.here, views.there) if reader is not None]
    ids = [item.id for reader in readers for item in reader.select(selection, limit=_EVERY).values()]
    return list(dict.fromkeys(ids))
