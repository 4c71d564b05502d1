"""Forgetting, purging, checking, closing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simonides.domain.entity import Name
from simonides.domain.instant import DAY_US
from simonides.domain.item import Status, Usage, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Provenance
from simonides.domain.records import AuditEvent, Injection, Place
from simonides.domain.selection import ItemOrder, Selection, Weakness
from simonides.domain.taxonomy import Tier
from simonides.domain.verdict import Outcome
from simonides.errors import (
    Conflict,
    NotFound,
    SimonidesError,
    StoreClosed,
)
from simonides.ports.buffer import Buffered
from simonides.ports.store import NewItem, ReadableStore, Reader, Writer
from simonides.testing.fakes import an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import StoreCase


class ForgettingContract(StoreCase):
    """Faded items are found, moved and brought back; purged ones are gone; damage is told."""

    # Forgetting

    def test_what_has_faded_is_listed_by_key_without_what_is_protected(self) -> None:
        day = DAY_US
        faded = [an_item(f"faded {n}", at=0, confidence=0.5) for n in range(3)]
        kept = [
            an_item("fresh", at=99 * day, confidence=0.5),
            an_item("sure", at=0, decay_rate=0.0),
            an_item("pinned", at=0, pinned=True, confidence=0.1),
            an_item("settled", at=0, tier=Tier.LTM, confidence=0.1),
            an_item("verified", at=0, validation=Validation.VERIFIED, confidence=0.1),
        ]
        self.put(*faded, *kept)
        chosen = self.selection(unprotected=True, weak=Weakness(100 * day, 0.05))
        found = self.view.select(chosen, ItemOrder.OLDEST, limit=10)
        assert [item.id for item in found.values()] == [item.id for item in faded]

    def test_what_may_be_moved_out_comes_faintest_first(self) -> None:
        old, young = an_item("old", at=0), an_item("young", at=50 * DAY_US)
        liked = an_item("liked", at=0)
        gone = an_item("gone", at=50 * DAY_US, status=Status.ARCHIVED)
        replaced = an_item("replaced", at=50 * DAY_US, status=Status.ARCHIVED, superseded_by=old.id)
        self.put(old, young, liked, gone, replaced)
        self.put(an_item("pinned", pinned=True), an_item("a chunk", type="chunk"))
        self.put(an_item("held", status=Status.QUARANTINED), outcome=Outcome.QUARANTINED)
        self.store.write(lambda tx: tx.set_usage(liked.id, Usage(reinforcement=9.0)))
        everything = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
        found = self.view.faintest(everything, 100 * DAY_US, 0, 100)
        items = self.view.load([faint.key for faint in found])
        assert self.view.faintest(everything, 100 * DAY_US, 0, 2) == found[:2]
        assert 0 < found[0].bytes < self.view.statistics(None)["live_bytes"]
        assert [items[faint.key].id for faint in found] == [
            replaced.id, gone.id, old.id, young.id, liked.id,
        ]  # fmt: skip

    def test_links_of_a_relation_are_listed_in_pages(self) -> None:
        items = [an_item(f"item {n}") for n in range(4)]
        self.put(*items)
        links = [
            Link(src=items[n].id, dst=items[n + 1].id, rel=Relation.CAUSAL, created_at=5) for n in range(3)
        ]
        for link in links:
            self.store.write(lambda tx, link=link: tx.link(link))
        self.store.write(lambda tx: tx.link(Link(src=items[0].id, dst=items[3].id, rel=Relation.SIMILAR)))
        first = self.view.links_of(Relation.CAUSAL, (0, 0), 2)
        rest = self.view.links_of(Relation.CAUSAL, first[-1][0], 2)
        assert [link for _, link in first + rest] == links

    def test_what_names_an_item_as_its_source_is_found(self) -> None:
        source, chunk = an_item("source"), an_item("chunk", type="chunk")
        told = an_item("told", provenance=Provenance(source_id=source.id))
        both = an_item("both", provenance=Provenance(source_id=source.id, chunk_ids=(chunk.id, "other")))
        self.put(source, chunk, told, both)
        assert self.view.made_from([source.id, chunk.id]) == {
            told.id: frozenset({source.id}),
            both.id: frozenset({source.id, chunk.id}),
        }
        assert self.view.made_from([told.id]) == self.view.made_from([]) == {}
        with self.store.read() as reader:
            reader.expect([source.id])
            assert set(reader.made_from([source.id])) == {told.id, both.id}
            assert reader.made_from([chunk.id]) == {both.id: frozenset({chunk.id})}
            assert reader.get([source.id]) == {source.id: source}
        store = self.store
        with store.read_all([source.id, "unknown"]) as (here, there):
            assert there is None
            assert set(here.made_from([source.id])) == {told.id, both.id}
            assert here.get([source.id, "unknown"]) == {source.id: source}

    def test_what_was_done_to_items_is_asked_for_all_at_once(self) -> None:
        items = [an_item(text) for text in ("one", "two", "three")]
        self.put(*items)
        one, two, three = (item.id for item in items)
        events = [
            AuditEvent(action=action, at=5, item_id=id_)
            for id_ in (one, two, one)
            for action in ("look", id_)
        ]
        self.store.write(lambda tx: tx.record(events))
        with self.store.read() as reader:
            looked = reader.events(item_ids=[one, two, three, "unknown"], action="look")
            assert [event.item_id for event in looked] == [one, two, one]
            assert reader.events(item_ids=[one, two, three], action="look", limit=2) == looked[:2]
            assert {event.item_id for event in reader.events(item_ids=[one, two], action=one)} == {one}
            assert [event.action for event in reader.events(action="look")] == ["look"] * 3
            assert reader.events(item_ids=[], action="look") == reader.events(item_ids=[]) == []
            assert reader.events(item_ids=[three], action="look") == []

    def test_an_item_moves_out_and_comes_back_with_all_that_hangs_on_it(self) -> None:
        item, other = an_item("falcon one"), an_item("falcon two")
        self.put(item, other)
        self.revise(replace(item, title="again"))
        link = Link(src=other.id, dst=item.id, rel=Relation.CAUSAL, evidence="seen", created_at=5)
        self.store.write(lambda tx: tx.link(link))
        self.store.write(lambda tx: tx.use([item.id], "s", 7))
        self.store.write(lambda tx: tx.assign(item.id, Place(item.id, "d", "r", "s")))
        waits = Buffered("s", failed=True, tries=3, error="why", retry_at=9)
        self.store.write(lambda tx: tx.put_waiting({item.id: waits}))
        assert self.store.archive is None

        def told(view: ReadableStore) -> tuple[Any, ...]:
            with view.read() as reader:
                found = reader.get([item.id]).get(item.id)
                usage = None if found is None else found.usage
                links, key = reader.links([item.id]), reader.key(item.id)
                attached = None if key is None else reader.attached([key])[key]
                place = reader.place(item.id, given=True)
                return found, usage, reader.revisions(item.id), links, place, attached

        before = told(self.store)
        self.store.write(lambda tx: tx.set_aside([item.id]))
        assert self.words("falcon") == ["falcon two"]
        assert told(self.store) == (None, None, [], [], None, None)
        archive = self.store.archive
        assert archive is not None
        assert told(archive) == before
        assert list(self.store.check()) == []
        assert self.store.write(lambda tx: tx.bring_back([item.id, other.id])) == [item.id]
        assert (self.store.settle_archive(), self.store.settle_archive()) == (1, 0)
        assert told(self.store) == before
        assert told(archive) == (None, None, [], [], None, None)
        assert self.words("falcon") == ["falcon two", "falcon one"]
        assert list(self.store.check()) == []

    def test_a_move_that_fails_leaves_the_item_where_it_was(self) -> None:
        item = an_item("falcon")
        self.put(item)

        def fail(tx: Writer) -> None:
            tx.set_aside([item.id])
            raise ZeroDivisionError

        with raises(ZeroDivisionError):
            self.store.write(fail)
        assert item.id in self.view.get([item.id])
        assert self.store.settle_archive() in {0, 1}  # Copied, where the archive has transactions of its own.
        with raises(NotFound):
            self.store.write(lambda tx: tx.set_aside(["unknown"]))

    # Purging, checking, closing

    def test_purging_removes_an_item_with_all_that_hangs_on_it(self) -> None:
        gone, kept = an_item("falcon one"), an_item("falcon two")
        self.put(gone, kept)
        self.revise(replace(gone, title="again"))
        self.store.write(lambda tx: tx.link(Link(src=gone.id, dst=kept.id, rel=Relation.CAUSAL)))
        injection = Injection(
            id="i", at=1, scope="global", mode="inject", query="falcon?", items=((gone.id, 1.0),), tokens=1
        )
        self.store.write(lambda tx: tx.keep_injections([injection]))
        self.put(an_item("held", status=Status.QUARANTINED), outcome=Outcome.QUARANTINED)
        counts = self.store.purge([gone.id, gone.id], 77)
        assert counts == {
            "items": 1, "revisions": 2, "vectors": 0, "links": 1, "entities": 0, "injections": 1,
        }  # fmt: skip
        assert self.words("falcon") == self.find() == ["falcon two"]
        with self.store.read() as reader:
            assert reader.get([gone.id]) == {}
            assert reader.revisions(gone.id) == []
            assert reader.links([kept.id]) == []
            assert reader.injections(10) == []
            receipt = reader.events(item_ids=[gone.id])[0]
        assert (receipt.action, receipt.at) == ("purge", 77)
        assert receipt.details == {"receipt": dict(counts)}
        assert list(self.store.check()) == []

    def test_purging_takes_along_what_corrections_took_over_in_all_their_states(self) -> None:
        said: dict[str, Any] = {
            "title": "Falcon one",
            "tags": ("falcon", "bird"),
            "metadata": {"of": ["falcon"], "loud": True},
        }
        gone = an_item("The falcon sits.", **said, superseded_by="b")
        once = an_item("A bird sits.", id="b", **said, superseded_by="c")
        now = an_item("It is a bird that sits.", id="c", **said)
        met = an_item("Another falcon.", id="d", title="Falcon one", tags=("falcon",))
        for item in (gone, once, now):
            entry = NewItem(item, Outcome.ACCEPTED, action="correct", names=(Name("Falcon"),))
            self.store.write(lambda tx, entry=entry: tx.insert([entry], None))
        self.put(met)
        self.store.purge([gone.id], 77)
        for item in (once, now):
            left = self.get(item)
            assert (left.title, left.tags, left.metadata) == ("", ("bird",), {"loud": True})
            states = [revision.item for revision in self.view.revisions(item.id)]
            assert [(state.title, state.tags, state.metadata) for state in states] == [
                ("", ("bird",), {"loud": True})
            ] * 2
            assert [state.content for state in states] == [item.content] * 2
        assert self.get(met) == met
        assert self.words("falcon") == ["Another falcon."]
        assert list(self.store.check()) == []

    def test_purging_an_unknown_id_removes_nothing(self) -> None:
        item = an_item("falcon")
        self.put(item)
        with raises(NotFound):
            self.store.purge([item.id, "unknown"], 1)
        assert self.words("falcon") == ["falcon"]
        assert [event.action for event in self.view.events()] == ["create"]

    def test_nothing_is_purged_where_what_looks_first_refuses(self) -> None:
        item = an_item("falcon")
        self.put(item)
        looked: list[list[str]] = []

        def refuse(reader: Reader) -> None:
            looked.append([*reader.get([item.id])])
            raise Conflict("not now")

        with raises(Conflict):
            self.store.purge([item.id], 1, first=refuse)
        assert looked == [[item.id]]
        assert self.words("falcon") == ["falcon"]
        assert list(self.store.check()) == []

    def test_an_item_that_was_purged_can_be_purged_again_to_wipe_what_was_in_use(self) -> None:
        item = an_item("falcon")
        self.put(item)
        self.store.purge([item.id], 1)
        assert set(self.store.purge([item.id], 2).values()) == {0}
        assert [event.action for event in self.view.events()] == ["purge", "create"]

    def test_a_new_store_is_written_to_and_has_lost_nothing(self) -> None:
        assert not self.store.read_only
        assert self.store.archive_problem is None
        item = an_item("one")
        self.put(item)
        with self.store.freeing():
            self.store.purge([item.id], 5)
        assert self.find() == []

    def test_a_store_in_order_has_no_problems(self) -> None:
        self.put(*[an_item(f"item {n}", tags=("a",), metadata={"n": n}) for n in range(20)])
        areas: list[str] = []
        assert list(self.store.check(lambda area, _: areas.append(area))) == []
        assert areas
        assert list(self.store.check(audit_only=True)) == []
        assert self.store.describe()["backend"]

    def test_a_closed_store_says_so_and_may_be_closed_again(self) -> None:
        def read(use: Any) -> None:
            with self.store.read() as reader:
                use(reader)

        self.put(an_item("one"))
        self.store.close()
        self.store.close()

        def count(reader: Reader) -> int:
            return reader.count(self.selection())

        for use in (
            lambda: read(count),
            lambda: self.put(an_item("two")),
            lambda: self.store.purge(["x"], 0),
            lambda: list(self.store.check()),
            lambda: list(self.store.check(audit_only=True)),
            self.store.describe,
            lambda: self.store.as_of(1, None),
        ):
            with raises(StoreClosed):
                use()

    def test_what_the_store_raises_is_its_own(self) -> None:
        item = an_item("one")
        self.put(item)
        with raises(SimonidesError):
            self.put(item)
