"""Contracts of what searches, contexts and checks read of many items at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simonides.domain.instant import DAY_US
from simonides.domain.item import Status, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Provenance, SourceKind
from simonides.domain.scope import GLOBAL
from simonides.domain.selection import ItemOrder, Selection, Weakness, lacking_vector
from simonides.language.search_tokens import search_tokens
from simonides.ports.recalling import Neared, Nearing, Words
from simonides.ports.store import MergedItem
from simonides.testing.fakes import FakeEmbedder, an_item
from simonides.testing.store.case import HALF, StoreCase


class ReadingContract(StoreCase):
    """Items are read in the order, and with just as much of them, as the engine asks for."""

    def keys(self, *item_ids: str) -> list[int]:
        """The keys of items."""
        found = [self.view.key(item_id) for item_id in item_ids]
        return [key for key in found if key is not None]

    # For ranking

    def test_a_sketch_tells_what_ranking_needs(self) -> None:
        turn = an_item(
            "We row at six.",
            at=5,
            type="episode",
            title="Rowing",
            tags=("boat",),
            entities=("Ana", "Bo"),
            provenance=Provenance(content_hashes=("ab",)),
            confidence=0.5,
            importance=0.25,
            validation=Validation.VERIFIED,
            pinned=True,
            event_at=3,
            valid_from=2,
            valid_until=90,
            session_id="s",
            ordinal=4,
        )
        note = an_item("A note.", at=7)
        self.put(turn, note)
        self.store.write(lambda tx: tx.use([turn.id], "s", 60))
        keys = self.keys(turn.id, note.id)
        with self.store.read() as reader:
            sketches = reader.look(keys).sketches
            assert reader.look([10**9]).sketches == reader.look([]).sketches == {}
        first, second = (sketches[key] for key in keys)
        assert (first.key, second.key) == tuple(keys)
        assert (first.type, first.title, first.content, first.sender) == (
            "episode",
            "Rowing",
            "We row at six.",
            "Ana",
        )
        assert (first.session_id, first.ordinal, first.validation, bool(first.pinned)) == (
            "s",
            4,
            "verified",
            True,
        )
        assert (first.importance, first.created_at, first.event_at, first.last_used_at) == (0.25, 5, 3, 60)
        assert first.confidence >= 0.5
        assert (first.valid_from, first.valid_until, bool(first.hashed)) == (2, 90, True)
        assert "boat" in first.tags
        assert "Bo" in first.entities
        assert (second.sender, second.event_at, second.last_used_at, bool(second.hashed)) == (
            "",
            7,
            None,
            False,
        )
        assert second.source_kind == SourceKind.CHAT.value

    def test_turns_around_are_those_of_the_same_session_that_pass(self) -> None:
        turns = [
            an_item(f"turn {n}", type="episode", session_id="s", ordinal=n, scope=self.ANA) for n in range(7)
        ]
        other = an_item("elsewhere", type="episode", session_id="s", ordinal=3, scope=self.BO)
        note = an_item("a note", session_id="s", scope=self.ANA)
        self.put(*turns, other, note)
        self.revise(replace(turns[2], status=Status.ARCHIVED))
        keys = self.keys(*(turn.id for turn in turns))
        with self.store.read() as reader:

            def around(text: Sequence[int], reach: int, selection: Selection) -> list[int]:
                asked = Nearing(selection=selection, text=text, surrounded=len(text), reach=reach)
                return sorted(reader.near(asked).around)

            assert around([keys[3]], 2, self.selection()) == [keys[n] for n in (1, 3, 4, 5)]
            assert around([keys[0], keys[6]], 1, self.selection()) == [keys[n] for n in (0, 1, 5, 6)]
            assert around(self.keys(note.id), 2, self.selection()) == []
            assert around([keys[3]], 2, self.selection(scopes=(self.BO,))) == []

    def test_items_come_in_each_order_whole_and_in_pages(self) -> None:
        items = [
            an_item(
                f"item {n}",
                at=10 * n,
                event_at=happened,
                expires_at=expires,
                pinned=n != 3,
                importance=importance,
                scope=(self.ANA, self.BO)[n % 2],
            )
            for n, (happened, expires, importance) in enumerate(
                [(None, 90, 0.5), (5, None, 0.9), (99, 70, 0.5), (None, 90, 0.1), (5, 80, 0.9)]
            )
        ]
        self.put(*items)
        keys = self.keys(*(item.id for item in items))

        def by_id(*places: int) -> list[int]:
            return sorted(places, key=lambda n: items[n].id)

        weak = self.selection(weak=Weakness(90 * DAY_US, 0.5))
        for selection, order, wanted in (
            (self.selection(), ItemOrder.OLDEST, [0, 1, 2, 3, 4]),
            (self.selection(), ItemOrder.NEWEST, [4, 3, 2, 1, 0]),
            (self.selection(), ItemOrder.LATEST, [2, 3, 4, 1, 0]),
            (self.selection(), ItemOrder.PINNED, by_id(1, 4) + by_id(0, 2)),
            (self.selection(), ItemOrder.EXPIRY, [2, 4, *by_id(0, 3)]),
            (self.selection(expired_at=80), ItemOrder.EXPIRY, [2, 4]),
            (weak, ItemOrder.WEAKEST, [0, 1, 2, 3, 4]),
            (self.selection(scopes=(self.BO,)), ItemOrder.NEWEST, [3, 1]),
            (self.selection(scopes=(self.BO,)), ItemOrder.PINNED, [1]),
        ):
            with self.store.read() as reader:
                whole = reader.keys(selection, order, limit=10)
                assert whole == [keys[n] for n in wanted], order
                found = reader.select(selection, order, limit=10)
                assert list(found) == whole
                assert [item.id for item in found.values()] == [items[n].id for n in wanted]
                after: int | None = None
                paged: list[int] = []
                while page := reader.keys(selection, order, limit=2, after=after):
                    paged += page
                    after = page[-1]
                assert paged == whole, order

    def test_items_that_are_taken_out_between_pages_end_no_walk_by_key(self) -> None:
        items = [an_item(f"item {n}") for n in range(4)]
        self.put(*items)
        keys = self.keys(*(item.id for item in items))
        self.revise(replace(items[1], status=Status.ARCHIVED))
        self.store.purge([items[2].id], 1)
        assert self.view.keys(self.selection(), ItemOrder.OLDEST, limit=9, after=keys[1]) == [keys[3]]
        assert self.view.keys(self.selection(), ItemOrder.OLDEST, limit=9, after=keys[2]) == [keys[3]]
        assert self.view.keys(self.selection(), ItemOrder.NEWEST, limit=9, after=keys[2]) == [keys[0]]

    def test_records_are_known_by_their_addresses(self) -> None:
        addresses = ("/a", "/a/b", "/a/b/c", "/ab/c", "/B/c")
        records = [
            an_item("A value.", at=n, type="record", provenance=Provenance(source_id=address))
            for n, address in enumerate(addresses)
        ]
        gone = an_item("", at=9, type="record", provenance=Provenance(source_id="/a/gone"), expires_at=20)
        self.put(*records, gone, an_item("No record.", provenance=Provenance(source_id="/a/x")))
        every = Selection(scopes=None, live_at=20, space="")
        with self.store.read() as reader:
            assert reader.addresses(every) == sorted(addresses)
            assert reader.addresses(replace(every, space="/a")) == ["/a/b", "/a/b/c"]
            assert reader.addresses(replace(every, live_at=19, space="/a")) == ["/a/b", "/a/b/c", "/a/gone"]
            assert reader.addresses(replace(every, scopes=())) == []
            [found] = reader.select(replace(every, space=None, address="/a/b"), limit=9).values()
            assert found.provenance.source_id == "/a/b"

    def test_a_store_knows_cheaply_what_it_has_none_of(self) -> None:
        item = an_item("old")
        self.put(item)
        with self.store.read() as reader:
            assert not reader.state().superseded
            assert not reader.state().documents
        self.revise(replace(item, status=Status.ARCHIVED, superseded_by="new"))
        with self.store.read() as reader:
            assert reader.state().superseded
            assert not reader.state().pinned
        self.put(an_item("held", status=Status.ARCHIVED, pinned=True))
        assert not self.view.state().pinned
        self.put(an_item("pinned", pinned=True))
        assert self.view.state().pinned

    # In few calls

    def test_a_view_knows_where_it_stands(self) -> None:
        empty = self.view.state()
        assert (empty.models, empty.aside) == ((), False)
        assert (empty.superseded, empty.documents, empty.pinned) == (False, False, False)
        self.put(an_item("one"), an_item("two"))
        with self.store.read() as reader:
            state = reader.state()
            assert state.change > empty.change
            assert state.extent >= 2
            assert state.models == (self.MODEL.fingerprint,)
        self.store.write(lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "r1"))
        assert (self.view.state().models, self.view.state().aside) == ((), True)

    def test_words_that_were_expected_find_what_others_find(self) -> None:
        self.put(an_item("The falcon nests on the book shelf."), an_item("Falcons nest."))
        tokens = [token for cut in search_tokens(["bookshelf", "falcom", "nests"]) for token in cut]
        words = Words(tokens, frozenset(tokens[1:2]))
        opening = self.opening("bookshelf", "falcom", "nests", words=words, changing=("nest", "moved"))
        found: list[tuple[Any, ...]] = []
        for expected in (None, Words(["shelf"]), words):
            with self.store.read() as reader:
                if expected is not None:
                    reader.expect_opening(lambda _, expected=expected: replace(opening, words=expected))
                    reader.state()
                opened = reader.open(opening)
            found.append(
                (opened.counts, {**opened.variants}, opened.text.keys.tolist(), sorted(opened.changing))
            )
        assert found[0] == found[1] == found[2]
        counts, variants, keys, changing = found[0]
        assert (len(keys), set(variants), min(counts.values())) == (2, set(tokens[:2]), 1)
        assert changing == sorted(keys)

    def test_a_search_opens_with_what_needs_no_vectors(self) -> None:
        items = [
            an_item(
                f"falcon {n} {'nests' * (n == 4)}", at=10 * n, scope=(self.ANA, self.BO)[n % 2], pinned=n == 1
            )
            for n in range(6)
        ]
        self.put(*items)
        long = an_item("a falcon " + "far " * 60, at=70, scope=self.BO)
        self.put(long)
        self.name(an_item("Zora rows", at=80, session_id="s", scope=self.BO), "Zora")
        self.heard("s", self.BO, 80, 1)
        self.heard("now", self.BO, 90, 1)
        (falcon,), (nests,) = search_tokens(["falcon", "nests"])
        selection = self.selection(scopes=(self.BO,))
        with self.store.read() as reader:
            opened = reader.open(
                self.opening(
                    "falcon",
                    selection=selection,
                    width=2,
                    words=Words((falcon, nests)),
                    names=("zora", "nobody"),
                    window=(10, 40),
                    last_session=True,
                    asking="now",
                )
            )
            every = reader.select(selection, ItemOrder.OLDEST, limit=20)
        keys = {item.content: key for key, item in every.items()}
        assert opened.counts == {falcon: 7, nests: 1}
        # As many short ones as were wanted, and then the long one.
        matched: list[int] = opened.text.keys.tolist()
        assert len(matched) == 3
        assert matched[-1] == keys[long.content]
        assert set(opened.sketches) == set(matched)
        assert [(name, entity.name) for name, _, entity in opened.entities] == [("zora", "Zora")]
        assert list(opened.mentioning) == [keys["Zora rows"]]
        assert set(opened.within) == {keys["falcon 1 "], keys["falcon 3 "], keys["Zora rows"]}
        assert opened.session is not None
        assert opened.session[1] == "s"
        assert list(opened.scopes or ()) == [opened.session[0]]
        assert list(opened.pinned) == [keys["falcon 1 "]]
        given = self.view.open(self.opening("nothing", given=opened.text, names=("zora",), too_common=0))
        assert given.text is opened.text
        assert set(given.sketches) == set(matched)
        assert (list(given.mentioning), list(given.within), given.session) == ([], [], None)

    def test_what_is_near_passes_and_brings_its_surroundings(self) -> None:
        turns = [
            an_item(f"turn {n}", type="episode", session_id="s", ordinal=n, scope=self.ANA) for n in range(8)
        ]
        notes = [an_item(f"note {n}", scope=self.ANA) for n in range(3)]
        hidden = an_item("hidden", scope=self.BO)
        self.put(*turns, *notes, hidden)
        for far in (notes[1], hidden):
            self.store.write(
                lambda tx, far=far: tx.link(Link(src=notes[0].id, dst=far.id, rel=Relation.CAUSAL))
            )
        keys = self.keys(*(item.id for item in (*turns, *notes, hidden)))
        turn, note, far = keys[:8], keys[8:11], keys[11]
        selection = self.selection(scopes=(self.ANA,), types=frozenset({"episode", "fact"}))

        def near(*lists: list[int], asked: int = 0, wanted: int = 2) -> Neared:
            nearing = Nearing(
                selection=selection,
                text=[note[0]],
                near=[np.array(some, np.int64) for some in lists],
                asked=[asked] * len(lists),
                wanted=wanted,
                surrounded=2,
                reach=1,
                seeds=4,
                relations=frozenset({Relation.CAUSAL}),
            )
            return self.view.near(nearing)

        found = near([far, turn[2], turn[6], turn[7]])
        assert [some.tolist() for some in found.near] == [[turn[2], turn[6]]]
        assert list(found.around) == [turn[1], turn[2], turn[3], turn[5], turn[6], turn[7]]
        assert [(edge.src, edge.dst) for edge in found.edges] == [(note[0], note[1]), (note[0], far)]
        assert found.passing == {note[0], note[1]}
        short = near([far, turn[2]], [turn[4], turn[5]], asked=2)
        assert (short.short, list(short.around), list(short.edges)) == (frozenset({0}), [], [])
        assert [some.tolist() for some in short.near] == [[turn[2]], [turn[4], turn[5]]]
        assert near([far, turn[2]], asked=3).short == frozenset()
        assert near().near == []

    def test_candidates_are_looked_at_with_what_they_mention(self) -> None:
        one, two = self.name(an_item("one"), "Ana", "Bo"), self.name(an_item("two"), "Bo")
        keys = self.keys(one.id, two.id)
        with self.store.read() as reader:
            looked = reader.look(keys[:1], keys)
            assert list(looked.sketches) == keys[:1]
            assert looked.mentions == sorted(looked.mentions)
            assert len(looked.mentions) == 3
            assert reader.look(keys).mentions == []

    # For contexts

    def test_contradictions_come_latest_first_while_both_ends_stand(self) -> None:
        one, two, three = (an_item(text, scope=self.ANA) for text in ("one", "two", "three"))
        self.put(one, two, three)

        def linked(src: str, dst: str, at: int) -> Link:
            link = Link(src=src, dst=dst, rel=Relation.CONTRADICTS, created_at=at)
            self.store.write(lambda tx: tx.link(link))
            return link

        first, second = linked(one.id, two.id, 1), linked(three.id, one.id, 2)
        assert self.view.contradictions(self.selection(), 10) == [second, first]
        assert self.view.contradictions(self.selection(), 1) == [second]
        assert self.view.contradictions(self.selection(scopes=(self.BO,)), 10) == []
        self.revise(replace(three, status=Status.ARCHIVED))
        assert self.view.contradictions(self.selection(), 10) == [first]

    def test_a_contradiction_is_told_where_both_of_its_ends_are_seen(self) -> None:
        wide, narrow = an_item("wide"), an_item("narrow", scope=self.ANA)
        self.put(wide, narrow)
        for src, dst in ((wide, narrow), (narrow, wide)):
            link = Link(src=src.id, dst=dst.id, rel=Relation.CONTRADICTS, created_at=1)
            self.store.write(lambda tx, link=link: tx.link(link))
        assert len(self.view.contradictions(self.selection(scopes=(GLOBAL, self.ANA)), 10)) == 2
        assert self.view.contradictions(self.selection(scopes=(GLOBAL,)), 10) == []
        assert self.view.contradictions(self.selection(scopes=(self.ANA,)), 10) == []

    def test_merged_items_lead_to_what_took_their_place(self) -> None:
        kept, gone, corrected = (an_item(text) for text in ("kept", "gone", "corrected"))
        made = an_item("made of both")
        self.put(kept, gone, corrected)
        new = an_item("the correction")
        self.put(new)
        self.put(made, action="consolidation_merge")
        self.revise(replace(gone, status=Status.ARCHIVED, superseded_by=made.id, session_id="s"))
        self.revise(replace(corrected, status=Status.ARCHIVED, superseded_by=new.id))
        found = self.view.merged(self.selection(), 10)
        assert [(one.item_id, one.successor_id) for one in found] == [(gone.id, made.id)]
        assert isinstance(found[0], MergedItem)

    # Vectors by item

    def test_a_store_that_compares_vectors_gives_them_and_zeros_where_there_are_none(self) -> None:
        one, two = an_item("one"), an_item("two")
        self.put(one, two)
        (first, second) = self.keys(one.id, two.id)
        self.store.write(lambda tx: tx.drop_vectors(self.MODEL.fingerprint, [second]))
        with self.store.read() as reader:
            vector = reader.vectors_of(self.MODEL.fingerprint, [one.id])[one.id]
            comparer = reader.comparer  # None where an index of the process compares them.
            found = None if comparer is None else comparer.vectors(self.MODEL, [second, first])
        assert found is None or np.allclose(found, [np.zeros_like(vector), vector], atol=HALF)

    def test_vectors_of_some_items_go_and_what_is_set_aside_is_cleared(self) -> None:
        one, two = an_item("one"), an_item("two")
        self.put(one, two)
        model = self.MODEL.fingerprint
        (first, second) = self.keys(one.id, two.id)
        self.store.write(lambda tx: tx.drop_vectors(model, [first]))
        assert set(self.view.vectors_of(model, [one.id, two.id])) == {two.id}
        assert self.view.keys(lacking_vector(model), limit=10) == [first]
        vector = FakeEmbedder(8).embed(["one"])[0]
        self.store.write(lambda tx: tx.put_vectors(self.MODEL, [(first, vector)]))
        assert np.allclose(self.view.vectors_of(model, [one.id])[one.id], vector, atol=HALF)
        self.store.write(lambda tx: tx.drop_vectors(model, [first, second]))
        assert self.view.models() == []
        self.store.write(lambda tx: tx.put_vectors(self.MODEL, [(first, vector)]))
        self.store.write(lambda tx: tx.set_vectors_aside(model, "r1"))
        assert self.view.state().aside
        self.store.write(lambda tx: tx.drop_vectors(None))
        assert not self.view.state().aside
        assert not self.store.write(lambda tx: tx.set_vectors_aside(model, "r1", back=True))

    def test_the_period_of_what_passes_may_end_within_a_day(self) -> None:
        self.put(an_item("before", at=DAY_US - 1), an_item("at", at=DAY_US), an_item("after", at=DAY_US + 1))
        assert self.find(after=DAY_US, before=DAY_US + 1) == ["at"]
