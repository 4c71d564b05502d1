"""Entities, mentions and the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from simonides.domain.entity import MAX_MENTIONS, Entity, EntityType, Name, fold
from simonides.domain.ids import new_id
from simonides.domain.item import Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.records import Revision
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, happening
from simonides.domain.verdict import Outcome
from simonides.errors import (
    Conflict,
    InvalidInput,
    NotFound,
)
from simonides.ports.copying import Copied
from simonides.ports.entities import EntitySelection
from simonides.ports.store import NewItem, ReadableStore, TextQuery, Writer
from simonides.testing.fakes import an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import StoreCase


class EntitiesContract(StoreCase):
    """Names become entities; items hang together by them and by links."""

    # Entities and the graph

    def entities(self, scopes: tuple[Scope, ...] | None = None, **fields: Any) -> dict[str, Entity]:
        """Entities by name, in the order in which they are listed."""
        found = self.view.entities(EntitySelection(scopes=scopes, **fields), 100)
        return {entity.name: entity for entity in found.values()}

    def counts(self, scopes: tuple[Scope, ...] | None = None, **fields: Any) -> dict[str, int]:
        """Counts of mentions of entities, by name."""
        return {name: entity.mention_count for name, entity in self.entities(scopes, **fields).items()}

    def entity_key(self, name: str, scope: Scope | None = None) -> int:
        """The key of the entity of a name."""
        ((_, key, _),) = self.view.entities_named([fold(name)], None if scope is None else (scope,))
        return key

    def mentioning(self, *names: str, limit: int = 100, **changes: Any) -> list[str]:
        """Contents of the items that pass and mention any of these names, newest first."""
        keys = tuple(self.entity_key(name) for name in names)
        selection = self.selection(mentioned=keys, **changes)
        found = self.view.select(selection, limit=limit)
        every = self.view.keys(selection, ItemOrder.OLDEST, limit=1000)
        assert every[::-1][:limit] == list(found)
        assert self.view.count(selection) == len(every)
        return [item.content for item in found.values()]

    def test_names_become_entities_that_are_counted(self) -> None:
        self.name(an_item("one", at=10, event_at=5), "Ana Lovelace", Name("Rome", EntityType.PLACE))
        self.name(an_item("two", at=20), "ANA  lovelace")
        found = self.entities()
        assert list(found) == ["Ana Lovelace", "Rome"]
        ana = found["Ana Lovelace"]
        assert (ana.mention_count, ana.first_seen_at, ana.last_seen_at) == (2, 5, 20)
        assert (ana.type, ana.settled, ana.aliases, ana.scope) == (EntityType.CONCEPT, False, (), Scope())
        assert found["Rome"].type is EntityType.PLACE
        assert self.mentioning("ana lovelace") == ["two", "one"]
        assert self.mentioning("Rome", "Ana Lovelace") == ["two", "one"]

    def test_an_entity_belongs_to_the_scope_of_what_mentions_it(self) -> None:
        self.name(an_item("hers", scope=self.ANA), "Zoë")
        self.name(an_item("his", scope=self.BO), "zoë", "Oslo")
        assert self.counts((self.ANA,)) == {"Zoë": 1}
        assert self.counts((self.BO,)) == {"Oslo": 1, "zoë": 1}
        assert self.counts(()) == {}
        with self.store.read() as reader:
            for scopes, found in (
                ((self.ANA,), [("zoë", self.ANA)]),
                ((self.ANA, self.BO), [("oslo", self.BO), ("zoë", self.ANA), ("zoë", self.BO)]),
                ((Scope("user:nobody"),), []),
                ((), []),
            ):
                named = reader.entities_named(["zoë", "oslo", "unknown"], scopes)
                assert [(name, entity.scope) for name, _, entity in named] == found
            assert reader.entities_named([], None) == []

    def test_a_name_that_may_be_a_word_counts_where_it_is_known(self) -> None:
        doubtful = Name("Grace", known_only=True)
        self.name(an_item("before"), doubtful)
        assert self.counts() == {}
        self.name(an_item("certain"), "Grace")
        self.name(an_item("after"), doubtful)
        self.name(an_item("elsewhere", scope=self.ANA), doubtful)
        assert self.mentioning("Grace") == ["after", "certain"]
        assert self.counts((self.ANA,)) == {}

    def test_known_names_are_found_within_a_stretch_without_blanks(self) -> None:
        stretch = Name("昨天见到李明华了", known_only=True)
        self.name(an_item("before"), stretch)
        self.name(an_item("longer"), "李明华")
        self.name(an_item("shorter"), "李明")
        self.name(an_item("after"), stretch)
        assert self.mentioning("李明华") == ["after", "longer"]
        assert self.mentioning("李明") == ["shorter"]

    def test_a_guess_gives_way_to_a_better_one_and_to_what_somebody_says(self) -> None:
        self.name(an_item("one"), "Apollo")
        self.name(an_item("two"), Name("Apollo", EntityType.PROJECT))
        self.name(an_item("three"), Name("Apollo", EntityType.PERSON))
        assert self.entities()["Apollo"].type is EntityType.PROJECT
        key = self.entity_key("Apollo")
        self.change(key, lambda apollo: replace(apollo, type=EntityType.CONCEPT))
        assert self.entities()["Apollo"].type is EntityType.CONCEPT
        self.change(key, lambda apollo: replace(apollo, settled=True))
        self.name(an_item("four"), Name("Apollo", EntityType.PERSON))
        apollo = self.entities()["Apollo"]
        assert (apollo.type, apollo.settled, apollo.mention_count) == (EntityType.CONCEPT, True, 4)
        self.name(an_item("five"), "Borel", Name("borel", EntityType.PERSON))
        assert self.entities()["Borel"].type is EntityType.PERSON

    def test_an_item_mentions_so_many_entities_at_most(self) -> None:
        self.name(an_item("many"), *[f"Name {n}" for n in range(MAX_MENTIONS + 5)])
        assert len(self.counts()) == MAX_MENTIONS

    def test_mentions_follow_what_an_item_says_now(self) -> None:
        item = self.name(an_item("Ana and Bo"), "Ana", "Bo")
        self.name(an_item("Bo again"), "Bo")
        self.revise(replace(item, content="Bo and Cid"), names=(Name("Bo"), Name("Cid")))
        assert self.counts() == {"Bo": 2, "Cid": 1}
        self.revise(replace(item, content="Bo and Cid", title="x"))
        assert self.counts() == {"Bo": 2, "Cid": 1}
        self.revise(replace(item, status=Status.ARCHIVED))
        assert self.counts() == {"Bo": 2, "Cid": 1}
        self.name(an_item("Ana returns"), "Ana")
        assert self.counts()["Ana"] == 1
        assert list(self.store.check()) == []

    def test_what_is_quarantined_registers_nothing_until_it_is_let_in(self) -> None:
        held = self.name(an_item("held", status=Status.QUARANTINED), "Gwil")
        assert self.counts() == {}
        self.revise(replace(held, title="x"), names=(Name("Gwil"),))
        assert self.counts() == {}
        self.revise(replace(held, status=Status.ACTIVE), names=(Name("Gwil"),))
        assert self.counts() == {"Gwil": 1}
        self.revise(replace(held, status=Status.QUARANTINED))
        assert self.counts() == {}

    def test_mentions_apply_their_filters_before_the_limit(self) -> None:
        for n in range(50):
            self.name(an_item(f"note {n}", type="note"), "Ana")
        self.name(an_item("archived", status=Status.ACTIVE), "Ana")
        wanted = self.name(an_item("wanted"), "Ana", "Bo")
        for n in range(50, 100):
            self.name(an_item(f"note {n}", type="note"), "Ana")
        assert self.mentioning("Ana", limit=1, types=frozenset({"fact"})) == ["wanted"]
        assert self.mentioning("Ana", "Bo", limit=2, types=frozenset({"fact"})) == ["wanted", "archived"]
        assert self.mentioning("Ana", limit=3) == ["note 99", "note 98", "note 97"]
        assert self.mentioning("Ana", scopes=(self.ANA,)) == []
        with self.store.read() as reader:
            key = reader.key(wanted.id)
            assert key is not None
            pairs = [(key, self.entity_key("Ana")), (key, self.entity_key("Bo"))]
            assert reader.look((), [key]).mentions == sorted(pairs)
            assert reader.look((), []).mentions == []
            for nobody in ((), (10**6,)):
                assert reader.keys(self.selection(mentioned=nobody), limit=5) == []
                assert reader.keys(self.selection(mentioned=nobody), ItemOrder.OLDEST, limit=5) == []

    def test_a_write_that_is_taken_back_leaves_no_name(self) -> None:
        def fail(tx: Writer) -> None:
            tx.insert([NewItem(an_item("one"), Outcome.ACCEPTED, names=(Name("Ana"),))], None)
            raise Conflict("on purpose")

        with raises(Conflict):
            self.store.write(fail)
        assert self.counts() == {}
        self.name(an_item("two"), "Ana")
        assert self.counts() == {"Ana": 1}
        assert list(self.store.check()) == []

    def test_entities_are_listed_by_beginning_by_type_and_by_what_was_told(self) -> None:
        self.name(an_item("one"), "Ana", "Anton", Name("Apollo", EntityType.PROJECT), "Éva")
        self.name(an_item("two"), "Anton", "Éva")
        self.change(self.entity_key("Apollo"), lambda apollo: apollo.aliased("Antares"))
        assert list(self.counts()) == ["Anton", "Éva", "Ana", "Apollo"]
        assert list(self.counts(prefix="an")) == ["Anton", "Ana", "Apollo"]
        assert list(self.counts(prefix="é")) == ["Éva"]
        assert list(self.counts(prefix="x")) == []
        assert list(self.counts(type=EntityType.PROJECT)) == ["Apollo"]
        assert list(self.counts(told=True)) == ["Apollo"]
        assert [entity.name for entity in self.view.entities(EntitySelection(), 1).values()] == ["Anton"]

    def test_an_alias_means_the_entity_and_no_other(self) -> None:
        self.name(an_item("one"), "Robert", "Alice")
        key = self.entity_key("Robert")
        for alias in ("Bob", "BOB", "robert"):
            self.change(key, lambda robert, alias=alias: robert.aliased(alias))
        self.name(an_item("two"), "bob")
        assert self.entities()["Robert"].aliases == ("Bob",)
        assert self.mentioning("Bob") == self.mentioning("Robert") == ["two", "one"]
        with raises(Conflict):
            self.change(key, lambda robert: robert.aliased("alice"))
        with raises(Conflict):
            self.change(key, lambda robert: robert.renamed("Alice"))
        with raises(NotFound):
            self.store.write(lambda tx: tx.put_entity(10**6, Entity(id="x", name="x", first_seen_at=1)))
        assert self.counts() == {"Robert": 2, "Alice": 1}
        self.change(key, lambda robert: replace(robert, aliases=()))
        assert self.view.entities_named(["bob"], None) == []
        self.change(self.entity_key("Alice"), lambda alice: alice.aliased("bob"))
        assert self.mentioning("Bob") == ["one"]

    def test_a_former_name_stays_an_alias(self) -> None:
        self.name(an_item("one"), "ana_l")
        key = self.entity_key("ana_l")
        self.change(key, lambda ana: ana.renamed("Ana"))
        self.change(key, lambda ana: ana.renamed("ANA"))
        assert self.entities()["ANA"].aliases == ("ana_l",)
        self.change(key, lambda ana: ana.renamed("ana_l"))
        assert self.entities()["ana_l"].aliases == ("ANA",)
        assert self.entity_key("Ana") == self.entity_key("ana_l") == key
        assert list(self.store.check()) == []

    def test_two_entities_become_one_with_all_names_and_mentions(self) -> None:
        self.name(an_item("one", at=30), "Robert")
        self.name(an_item("two", at=10), "Bob", "Robert")
        self.name(an_item("three", at=50), Name("Bob", EntityType.PERSON))
        self.name(an_item("hers", scope=self.ANA), "Bob")
        here = Scope()
        keep, gone = self.entity_key("Robert"), self.entity_key("Bob", here)
        old = self.view.entities(EntitySelection(keys=[gone]))[gone]
        self.change(gone, lambda bob: bob.aliased("Bobby"))
        self.store.write(lambda tx: tx.merge_entities(keep, gone))
        robert = self.entities((here,))["Robert"]
        assert (robert.aliases, robert.mention_count) == (("Bob", "Bobby"), 3)
        assert (robert.type, robert.first_seen_at, robert.last_seen_at) == (EntityType.PERSON, 10, 50)
        assert self.view.entities(EntitySelection(id=old.id)) == {keep: robert}
        assert self.view.entities(EntitySelection(id="unknown")) == {}
        self.name(an_item("four"), "bobby")
        assert self.counts((here,)) == {"Robert": 4}
        assert self.counts((self.ANA,)) == {"Bob": 1}
        for wrong in (keep, self.entity_key("Bob", self.ANA)):
            with raises(InvalidInput):
                self.store.write(lambda tx, wrong=wrong: tx.merge_entities(keep, wrong))
        with raises(NotFound):
            self.store.write(lambda tx: tx.merge_entities(keep, gone))
        assert list(self.store.check()) == []

    def test_an_entity_merged_twice_leads_to_the_last(self) -> None:
        self.name(an_item("one"), "A1", "B2", "C3")
        keys = [self.entity_key(name) for name in ("A1", "B2", "C3")]
        ids = [self.view.entities(EntitySelection(keys=[key]))[key].id for key in keys]
        self.store.write(lambda tx: tx.merge_entities(keys[1], keys[0]))
        self.store.write(lambda tx: tx.merge_entities(keys[2], keys[1]))
        assert [list(self.view.entities(EntitySelection(id=id_))) for id_ in ids] == [[keys[2]]] * 3
        assert self.entities()["C3"].aliases == ("B2", "A1")

    def registered(self) -> tuple[dict[int, Entity], dict[int, list[int]]]:
        """All entities by key, and what each is mentioned by."""
        with self.store.read() as reader:
            found = dict(sorted(reader.entities(EntitySelection()).items()))
            selections = {key: self.selection(mentioned=(key,), statuses=frozenset(Status)) for key in found}
            return found, {key: reader.keys(one, limit=1000) for key, one in selections.items()}

    def merges(self) -> dict[str, int]:
        """Merges that can be taken back: the key of what was merged, by its name."""
        found = self.view.entity_merges(list(self.view.entities(EntitySelection())))
        return {merge.merged.names[0]: merge.key for merge in found}

    def test_merges_that_are_taken_back_in_whatever_order_leave_all_as_it_was(self) -> None:
        drawn = Random(5)
        for turn in range(6):
            names = [f"{letter}{turn}" for letter in "ABCDEF"]
            for number in range(10):
                said = drawn.sample(names, drawn.randint(1, 4))
                kinds = [
                    drawn.choice([EntityType.CONCEPT, EntityType.CONCEPT, EntityType.PERSON]) for _ in said
                ]
                self.name(an_item(f"{turn} {number}", at=drawn.randrange(100)), *map(Name, said, kinds))
            for name in drawn.sample(list(self.entities()), 3):
                told = drawn.choice(
                    [{"summary": f"of {name}"}, {"type": EntityType.TOOL, "settled": True}, {}]
                )
                alias = f"also {name} {turn}"
                self.change(
                    self.entity_key(name),
                    lambda one, told=told, alias=alias: replace(one, **told).aliased(alias),
                )
            before = self.registered()
            for _ in range(4):
                here = [name for name in self.entities() if name in names]
                keep, gone = map(self.entity_key, drawn.sample(here, 2))
                self.store.write(lambda tx, keep=keep, gone=gone: tx.merge_entities(keep, gone))
            assert self.registered() != before
            while merges := self.merges():
                key = drawn.choice(list(merges.values()))
                self.store.write(lambda tx, key=key: tx.unmerge_entity(key, []))
                assert list(self.store.check()) == []
            assert self.registered() == before

    def test_a_merge_that_is_taken_back_leaves_what_was_said_since(self) -> None:
        self.name(an_item("one", at=10), "Robert")
        self.name(an_item("two", at=20), "Bob")
        keep, gone = self.entity_key("Robert"), self.entity_key("Bob")
        self.store.write(lambda tx: tx.merge_entities(keep, gone))
        self.name(an_item("three", at=30), "Bob")
        self.name(an_item("four", at=40), "Robert", "Bob")
        self.name(an_item("five", at=50), "Robert")
        self.change(keep, lambda robert: robert.aliased("Rob").renamed("Bob"))
        self.change(
            keep, lambda robert: replace(robert, type=EntityType.PERSON, settled=True, summary="of both")
        )
        since = list(self.view.select(self.selection(mentioned=(keep,)), ItemOrder.OLDEST, limit=9))[2:]
        said = [[Name("Bob")], [Name("Bob"), Name("Robert")], [Name("Robert")]]
        self.store.write(lambda tx: tx.unmerge_entity(gone, list(zip(since, said, strict=True))))
        assert self.mentioning("Bob") == ["four", "three", "two"]
        assert self.mentioning("Robert") == ["five", "four", "one"]
        robert, bob = self.entities()["Robert"], self.entities()["Bob"]
        assert (robert.aliases, robert.type, robert.settled, robert.summary) == (
            ("Rob",),
            EntityType.PERSON,
            True,
            None,
        )
        assert (robert.first_seen_at, robert.last_seen_at, robert.mention_count) == (10, 50, 3)
        assert (bob.aliases, bob.type, bob.settled) == ((), EntityType.CONCEPT, False)
        assert (bob.first_seen_at, bob.last_seen_at, bob.mention_count) == (20, 40, 3)
        with raises(NotFound):
            self.store.write(lambda tx: tx.unmerge_entity(gone, []))
        with raises(NotFound):
            self.store.write(lambda tx: tx.unmerge_entity(keep, []))
        assert list(self.store.check()) == []

    def test_a_merge_of_which_a_purge_left_no_name_stays(self) -> None:
        self.name(an_item("Robert"), "Robert")
        gone_item = an_item("Bob and Quill")
        self.name(gone_item, "Bob")
        self.name(an_item("Robert and Rob"), "Robert")
        keep, gone = self.entity_key("Robert"), self.entity_key("Bob")
        self.change(gone, lambda bob: replace(bob.aliased("Bobby"), summary="Bob knows Quill"))
        self.store.write(lambda tx: tx.merge_entities(keep, gone))
        self.store.purge([gone_item.id], 1)
        assert self.entities()["Robert"].names == ("Robert", "Bobby")
        assert self.entities()["Robert"].summary is None
        assert list(self.merges()) == ["Bobby"]
        self.store.write(lambda tx: tx.unmerge_entity(gone, []))
        assert self.counts() == {"Robert": 2}
        assert self.entities()["Robert"].names == ("Robert",)
        assert list(self.store.check()) == []

    def test_entities_that_were_told_of_are_found_by_what_mentions_them(self) -> None:
        first, second = an_item("one"), an_item("two")
        self.name(first, "Bob", "Quill")
        self.name(second, "Robert", "Bob")
        for name in ("Robert", "Bob"):
            self.change(
                self.entity_key(name), lambda entity, name=name: replace(entity, summary=f"of {name}")
            )
        assert [one.name for one in self.view.told_by([second.id, first.id])] == ["Bob", "Robert"]
        assert [one.summary for one in self.view.told_by([first.id])] == ["of Bob"]
        assert self.view.told_by(["unknown"]) == self.view.told_by([]) == []

    def test_items_within_a_time_are_found_by_when_it_happened(self) -> None:
        self.put(an_item("told", at=50, event_at=10), an_item("noted", at=20), an_item("late", at=30))
        self.put(an_item("gone", at=20, status=Status.ARCHIVED), an_item("hers", at=20, scope=self.ANA))

        def within(start: int, end: int, limit: int = 10, **changes: Any) -> list[str]:
            selection = happening(self.selection(**({"scopes": (Scope(),)} | changes)), start, end)
            found = self.view.select(selection, ItemOrder.LATEST, limit=limit)
            return [item.content for item in found.values()]

        assert within(0, 100) == ["late", "noted", "told"]
        assert within(10, 30) == ["noted", "told"]
        assert within(0, 100, limit=1) == ["late"]
        assert within(40, 60) == within(30, 30) == []
        assert within(20, 21, scopes=None) == ["hers", "noted"]
        both = frozenset({Status.ACTIVE, Status.ARCHIVED})
        assert within(20, 21, statuses=both) == ["gone", "noted"]
        assert within(0, 100, before=15) == ["told"]

    def test_links_are_read_by_key_from_both_ends(self) -> None:
        items = [an_item(f"item {n}", id=f"id-{n}") for n in range(4)]
        self.put(*items)
        self.name(an_item("mentions"), "Ana")
        for src, dst, rel in ((0, 1, "causal"), (2, 0, "similar"), (3, 0, "temporal"), (2, 3, "causal")):
            link = Link(src=f"id-{src}", dst=f"id-{dst}", rel=Relation(rel), weight=src + 0.5)
            self.store.write(lambda tx, link=link: tx.link(link))
        with self.store.read() as reader:
            keys = [reader.key(item.id) or 0 for item in items]
            assert [edge[:4] for edge in reader.links_from_keys(keys[:1], Relation)] == [
                (keys[0], keys[1], Relation.CAUSAL, 0.5),
                (keys[2], keys[0], Relation.SIMILAR, 2.5),
                (keys[3], keys[0], Relation.TEMPORAL, 3.5),
            ]
            assert [edge[:4] for edge in reader.links_from_keys(keys, [Relation.CAUSAL])] == [
                (keys[0], keys[1], Relation.CAUSAL, 0.5),
                (keys[2], keys[3], Relation.CAUSAL, 2.5),
            ]
            everything = [edge[:4] for edge in reader.links_from_keys(keys, Relation)]
            strongest = sorted(everything, key=lambda edge: (-edge[3], *edge[:3]))
            for limit in range(1, 5):
                kept = reader.links_from_keys(keys, Relation, limit)
                assert [edge[:4] for edge in kept] == sorted(strongest[:limit])
            assert reader.links_from_keys([], Relation) == reader.links_from_keys(keys, []) == []
            everything = [*keys, *range(1, 20)]
            assert reader.links_from_keys(everything, [Relation.MENTIONS]) == []

    def test_no_link_claims_to_be_a_mention(self) -> None:
        self.put(an_item("one", id="id-1"), an_item("two", id="id-2"))
        with raises(InvalidInput):
            self.store.write(lambda tx: tx.link(Link(src="id-1", dst="id-2", rel=Relation.MENTIONS)))

    def test_what_was_superseded_leads_to_what_is_said_now(self) -> None:
        chain = [
            an_item(f"state {n}", id=f"id-{n}", status=Status.ARCHIVED, superseded_by=f"id-{n + 1}")
            for n in range(3)
        ]
        dead = an_item("dead", id="dead", status=Status.ARCHIVED, superseded_by="end")
        end = an_item("end", id="end", status=Status.ARCHIVED)
        lost = an_item("lost", id="lost", status=Status.ARCHIVED, superseded_by="purged")
        self.put(*chain, an_item("now", id="id-3"), dead, end, lost)
        with self.store.read() as reader:
            keys = {name: reader.key(name) or 0 for name in ("id-0", "id-2", "id-3", "dead", "lost")}
            now = keys["id-3"]
            matches = reader.search_text(
                TextQuery(("state",)), self.selection(statuses=frozenset({Status.ARCHIVED})), 10
            )
            opened = reader.open(self.opening("state", former=True))
            assert opened.former == {now: max(matches.scores.tolist())}
            assert reader.open(self.opening("state")).former == {}
            assert reader.open(self.opening("dead", former=True)).former == {}

    def test_what_was_taken_from_turns_is_read_with_all_that_took_its_place(self) -> None:
        drawn = Random(7)
        types = ("episode", "episode", "narrative", "fact", "fact", "fact")
        items = [
            an_item(
                f"item {n}",
                id=f"id-{n:02}",
                type=drawn.choice(types),
                scope=drawn.choice((self.ANA, self.ANA, self.BO)),
                at=drawn.randint(1, 9),
                valid_until=drawn.choice((None, 10, 10)),
                superseded_by=drawn.choice((None, f"id-{drawn.randint(0, 70):02}")),
            )
            for n in range(64)
        ]
        pairs = {(drawn.choice(items).id, drawn.choice(items).id) for _ in range(160)}
        links = [Link(src=a, dst=b, rel=Relation.DERIVED_FROM, created_at=1) for a, b in pairs if a != b]
        self.put(*items)
        self.store.write(lambda tx: [tx.link(link) for link in links])
        self.store.write(lambda tx: tx.link(Link(src="id-00", dst="id-01", rel=Relation.CAUSAL)))
        self._compare_taken(self.store, items, links, drawn)
        self.store.write(lambda tx: tx.set_aside([item.id for item in items[::2]]))
        assert self.store.archive is not None
        self._compare_taken(self.store.archive, items[::2], links, drawn)

    def _compare_taken(
        self, store: ReadableStore, items: Sequence[Item], links: Sequence[Link], drawn: Random
    ) -> None:
        """Compare what a store reads of random turns with what was drawn."""
        known = {item.id: item for item in items}
        made = [(link.dst, link.src) for link in links]
        told = [(link.src, link.dst) for link in links]
        with store.read() as reader:
            assert reader.taken([], {"narrative"}, None) == ({}, {})
            for _ in range(30):
                scopes = drawn.choice((None, (self.ANA,), (self.BO, self.ANA)))
                seen = {one.id: one for one in items if scopes is None or one.scope in scopes}
                some = drawn.sample([*items], 4)
                ended = {
                    id_
                    for id_, one in seen.items()
                    if one.superseded_by is not None and one.valid_until is not None
                }
                wanted: dict[str, set[str]] = {}
                for item in some:
                    if item.type == "episode":
                        wanted[item.id] = {src for turn, src in made if turn == item.id}
                    elif item.type == "narrative":
                        turns = {turn for src, turn in told if src == item.id}
                        wanted[item.id] = ended & {src for turn, src in made if turn in turns}
                wanted = {
                    teller: {id_ for id_ in ids if id_ in seen and seen[id_].type != "narrative"}
                    for teller, ids in wanted.items()
                }
                later = {
                    heir
                    for ids in wanted.values()
                    for id_ in ids & ended
                    if (heir := seen[id_].superseded_by)
                }
                while (
                    more := {one for id_ in later if id_ in known and (one := known[id_].superseded_by)}
                    - later
                ):
                    later |= more
                found = reader.taken([reader.key(item.id) or 0 for item in some], {"narrative"}, scopes)
                assert {teller: {one.id for one in ones} for teller, ones in found.items.items()} == {
                    teller: ids for teller, ids in wanted.items() if ids
                }
                for one in (one for ones in found.items.values() for one in ones):
                    item, over = seen[one.id], one.id in ended
                    assert one == (
                        item.id, item.updated_at, item.superseded_by if over else None, item.content if over else ""
                    )  # fmt: skip
                assert {one.id: one for one in found.successors.values()} == found.successors
                assert found.successors == {
                    id_: (id_, seen[id_].updated_at, seen[id_].superseded_by, seen[id_].content)
                    for id_ in later & seen.keys()
                }

    def test_what_has_no_names_yet_is_listed_until_it_was_looked_through(self) -> None:
        items = [an_item(f"item {n}") for n in range(5)]
        unnamed = self.selection(unnamed=True)
        for item in items:
            self.take(Copied(revisions=[Revision(1, item, 10, "create")], usage=item, names=None))
        late = an_item("late")
        self.take(Copied(revisions=[Revision(1, late, 10, "create")], usage=late, names=(Name("Ana"),)))
        waiting = self.view.select(unnamed, ItemOrder.OLDEST, limit=3)
        assert list(waiting.values()) == items[:3]
        self.store.write(lambda tx: tx.name_items([(key, (Name("Bo"),)) for key in waiting]))
        rest = self.view.select(unnamed, ItemOrder.OLDEST, limit=10)
        assert list(rest.values()) == items[3:]
        self.store.write(lambda tx: tx.name_items([(key, ()) for key in rest]))
        assert self.view.keys(unnamed, limit=10) == []
        assert self.counts() == {"Bo": 3, "Ana": 1}
        self.store.write(lambda tx: tx.name_items(None))
        assert len(self.view.keys(unnamed, limit=10)) == 6
        assert self.counts() == {"Bo": 3, "Ana": 1}

    def test_purging_takes_along_the_names_that_nobody_else_says(self) -> None:
        gone = self.name(an_item("Plantagenet met Ana in ROME"), "Plantagenet", "Ana", "ROME")
        self.name(an_item("Ana in Rome"), "Ana", "Rome")
        assert self.counts() == {"Ana": 2, "ROME": 2, "Plantagenet": 1}
        self.change(self.entity_key("Ana"), lambda ana: ana.aliased("Plantagenet's friend"))
        counts = self.store.purge([gone.id], 1)
        assert (counts["entities"], counts["links"]) == (1, 3)
        assert self.counts() == {"Ana": 1, "Rome": 1}
        assert self.view.entities_named(["plantagenet"], None) == []
        assert list(self.store.check()) == []
        self.name(an_item("again"), "Plantagenet")
        assert self.counts()["Plantagenet"] == 1

    def test_an_item_whose_scope_changes_takes_its_mentions_along(self) -> None:
        item = self.name(an_item("moved"), "Ana")
        self.revise(replace(item, scope=self.ANA))
        assert self.counts((Scope(),)) == {}
        assert self.counts((self.ANA,)) == {"Ana": 1}
        assert self.mentioning("Ana") == ["moved"]

    def test_what_was_stored_before_a_name_was_known_can_be_given_it(self) -> None:
        early, other = an_item("we met zora at the pier"), an_item("the pier is closed")
        self.put(early, other)
        told = an_item("Zora is a diver.")

        def write(tx: Writer) -> list[str]:
            news = [NewItem(told, Outcome.ACCEPTED, names=(Name("Zora"),))]
            found = tx.insert(news, None, earlier=10).earlier
            tx.name_items([(key, [Name("Zora")]) for key, _ in found], more=True)
            assert tx.revise(told, reason="test", action="update", earlier=10).earlier == ()
            return [item.content for _, item in found]

        # Whether it gives back the item that made the name known, too, is its own affair.
        assert [one for one in self.store.write(write) if one != told.content] == [early.content]
        assert self.counts() == {"Zora": 2}

    def test_what_the_store_itself_wrote_was_not_altered(self) -> None:
        item = self.name(an_item("Zora is a diver."), "Zora")
        self.revise(replace(item, importance=0.9))
        zora, gone = self.entities()["Zora"], new_id(9)
        with self.store.read() as reader:
            key = reader.key(item.id) or 0
            assert reader.intact([]) == ({}, frozenset())
            assert reader.intact([key, key + 1]) == (reader.load([key]), frozenset())
            assert reader.altered_entities([]) == frozenset()
            assert reader.altered_entities([zora.id, gone]) == {gone}
