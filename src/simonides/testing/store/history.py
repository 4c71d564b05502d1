"""Writing, revisions and use: what a store must remember of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import numpy as np

from simonides.domain.entity import Entity, Name
from simonides.domain.ids import new_id
from simonides.domain.instant import DAY_US
from simonides.domain.item import Item, Status, Usage
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Provenance
from simonides.domain.records import AuditEvent, Place, Revision, Session
from simonides.domain.run import Run
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Weakness
from simonides.domain.text import content_hash
from simonides.domain.verdict import Outcome
from simonides.errors import (
    Conflict,
    NotFound,
)
from simonides.ports.buffer import Buffered, SessionSelection, session_of
from simonides.ports.copying import Copied
from simonides.ports.entities import EntitySelection
from simonides.ports.store import Ahead, NewItem, TextQuery, Writer
from simonides.testing.fakes import an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import StoreCase


class HistoryContract(StoreCase):
    """Nothing is there twice or by half; every state and use is remembered."""

    # What may not be there twice

    def test_no_two_active_items_of_a_scope_have_the_same_content(self) -> None:
        first = an_item("the same", scope=self.ANA)
        self.put(first)
        with raises(Conflict):
            self.put(an_item("another"), an_item("the  same", scope=self.ANA))
        assert self.find() == ["the same"]
        self.put(an_item("the same", scope=self.BO), an_item("the same", type="note", scope=self.ANA))
        hashes = [first.content_hash, an_item("unknown").content_hash]
        assert self.view.holders(self.ANA, hashes) == {first.content_hash: first}
        assert self.view.holders(Scope("user:nobody"), hashes) == {}
        assert self.view.holders(self.ANA, []) == {}

    def test_an_archived_or_quarantined_item_does_not_hold_its_content(self) -> None:
        archived, held = an_item("one"), an_item("two", status=Status.QUARANTINED)
        self.put(archived)
        self.revise(replace(archived, status=Status.ARCHIVED))
        self.put(held, outcome=Outcome.QUARANTINED)
        assert self.view.holders(archived.scope, [archived.content_hash, held.content_hash]) == {}
        found = self.view.holders(archived.scope, [held.content_hash], quarantined=True)
        assert found == {held.content_hash: held}
        self.put(an_item("one"), an_item("two"))
        with raises(Conflict):
            self.revise(replace(archived, status=Status.ACTIVE))
        with raises(Conflict):
            self.revise(replace(held, status=Status.ACTIVE))
        assert self.get(archived).status is Status.ARCHIVED

    def test_episodes_repeat_but_each_turn_of_a_session_is_there_once(self) -> None:
        def turn(content: str, ordinal: int, source: str | None = None) -> Item:
            provenance = Provenance(source_id=source, source_role="user")
            return an_item(content, type="episode", session_id="s", ordinal=ordinal, provenance=provenance)

        turns = [turn("hi", 0), turn("hi", 1), turn("bye", 2, "m3")]
        self.put(*turns)
        with raises(Conflict):
            self.put(turn("hi", 1))
        with raises(Conflict):
            self.put(turn("anything", 9, "m3"))
        with self.store.read() as reader:
            known = reader.conversation(Scope(), "s", source_ids=["m3", "m4"])
            assert [(turn.id, turn.ordinal, turn.role, turn.event_at) for turn in known.turns] == [
                (item.id, item.ordinal, "user", item.event_at) for item in turns
            ]
            assert known.by_source == {"m3": turns[2].id}
            assert known.session is None
            (last,) = (found := reader.conversation(Scope(), "s", last=1)).turns
            assert (last.id, last.content_hash) == (turns[2].id, turns[2].content_hash)
            assert found.by_source == {}
            for scope, session in ((self.ANA, "s"), (Scope(), "other")):
                assert reader.conversation(scope, session, source_ids=["m3"]) == (None, [], {})
        self.heard("s", Scope(), 9)
        assert self.view.conversation(Scope(), "s").session == session_of(self.view, Scope(), "s") is not None

    def test_an_id_is_there_once(self) -> None:
        item = an_item("one")
        self.put(item)
        with raises(Conflict):
            self.put(an_item("two", id=item.id))
        assert self.find() == ["one"]

    # Writing

    def test_work_that_fails_leaves_no_trace_and_its_error_is_passed_on(self) -> None:
        item = an_item("never", scope=Scope("user:new"))

        def work(tx: Writer) -> None:
            tx.insert([NewItem(item, Outcome.QUARANTINED, np.ones(8, np.float32), ("why",))], self.MODEL)
            tx.use([item.id], "s", 1)
            tx.put_session(Session("s", item.scope, 1, 1, 1))
            tx.assign(item.id, Place(item.id, "d", "r", "s"))
            raise KeyError(item.id)

        with raises(KeyError):
            self.store.write(work)
        with self.store.read() as reader:
            assert reader.get([item.id]) == {}
            assert reader.events() == []
            assert reader.sessions(SessionSelection(scopes=None), 10) == []
            assert reader.state().change == 0
            assert reader.keys(self.selection(held=True, statuses=frozenset(Status)), limit=10) == []
        assert self.words("never", statuses=frozenset(Status)) == []
        self.put(item)
        assert self.find(scopes=(item.scope,)) == ["never"]

    def test_each_caller_gets_its_own_result_or_its_own_error(self) -> None:
        def work(tx: Writer, n: int) -> int:
            tx.insert([NewItem(an_item(f"item {n}"), Outcome.ACCEPTED)], None)
            if n % 5 == 0:
                raise ZeroDivisionError(str(n))
            return n

        def call(n: int) -> int | str:
            try:
                return self.store.write(lambda tx: work(tx, n))
            except ZeroDivisionError as error:
                return str(error)

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(call, range(320)))
        assert answers == [str(n) if n % 5 == 0 else n for n in range(320)]
        assert set(self.find(1000)) == {f"item {n}" for n in range(320) if n % 5}
        assert list(self.store.check(audit_only=True)) == []

    def test_entries_that_are_written_together_are_answered_each_and_fail_each(self) -> None:
        def handler(tx: Writer, texts: list[str]) -> list[str]:
            if "bad" in texts:
                raise ZeroDivisionError
            tx.insert([NewItem(an_item(text), Outcome.ACCEPTED) for text in texts], None)
            return [f"{text} is stored" for text in texts]

        def call(text: str) -> str:
            try:
                return self.store.write_together(handler, text)
            except ZeroDivisionError:
                return f"{text} failed"

        texts = [*(f"item {n}" for n in range(30)), "bad"]
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(call, texts))
        assert answers == [*(f"{text} is stored" for text in texts[:-1]), "bad failed"]
        assert set(self.find()) == set(texts[:-1])

    def test_a_reader_keeps_its_view_while_others_write(self) -> None:
        self.put(an_item("before"))
        with self.store.read() as reader:
            assert reader.count(self.selection()) == 1
            self.put(an_item("after"))
            assert reader.count(self.selection()) == 1
            with self.store.read() as newer:
                assert newer.count(self.selection()) == 2

    # History

    def test_each_change_leaves_a_revision_with_the_whole_state(self) -> None:
        first = an_item("first")
        second = replace(first, content="second", confidence=0.4, updated_at=first.updated_at + 5)
        self.put(first)
        self.revise(second, reason="because", run_id="run-1")
        revisions = self.view.revisions(first.id)
        assert self.view.revisions("unknown") == []
        assert [(r.number, r.item, r.at, r.reason, r.run_id) for r in revisions] == [
            (1, first, first.created_at, "create", None),
            (2, second, second.updated_at, "because", "run-1"),
        ]
        with raises(NotFound):
            self.revise(an_item("unknown"))

    def test_what_was_known_at_an_instant(self) -> None:
        first = an_item("first falcon", at=10, scope=self.ANA)
        self.put(first, an_item("another falcon", at=20, scope=self.BO))
        self.revise(replace(first, content="second falcon", updated_at=30))
        self.revise(replace(first, content="second falcon", updated_at=40, status=Status.ARCHIVED))

        def known(at: int, *scopes: Scope) -> list[str]:
            past = self.store.as_of(at, scopes or None)
            try:
                with past.read() as reader:
                    items = [item.content for item in reader.select(self.selection(), limit=10).values()]
                    found = reader.search_text(TextQuery(("falcon",)), self.selection(), 10)
                    assert len(found.keys) == len(items)
            finally:
                past.close()
            return items

        assert known(9) == []
        assert known(10) == ["first falcon"]
        assert known(25) == ["another falcon", "first falcon"]
        assert known(30) == ["another falcon", "second falcon"]
        assert known(30, self.ANA) == ["second falcon"]
        assert known(40) == ["another falcon"]
        assert self.find() == ["another falcon"]

    def test_what_was_known_before_a_clock_was_set_back_can_still_be_read(self) -> None:
        first, second = an_item("the same", at=10), an_item("the same", at=15)
        self.put(first)
        self.revise(replace(first, content="reworded", updated_at=20))
        self.put(second)  # Stored later, but dated before the rewording.
        past = self.store.as_of(17, None)
        try:
            with past.read() as reader:
                assert [i.content for i in reader.select(self.selection(), limit=10).values()] == [
                    "the same"
                ] * 2
        finally:
            past.close()

    def test_an_item_of_another_store_is_restored_with_its_history_and_continued(self) -> None:
        first = an_item("first", scope=self.ANA)
        second = replace(first, content="second", updated_at=first.updated_at + 1)
        history = [Revision(1, first, 10, "create"), Revision(2, second, 20, "update", "run")]
        assert self.take(Copied(revisions=history[:1], usage=first)) is None
        assert self.take(Copied(revisions=history, usage=second)) is None
        assert self.take(Copied(revisions=history, usage=second)) is None
        assert self.view.revisions(first.id) == history
        assert self.find(scopes=(self.ANA,)) == ["second"]
        assert self.words("first") == []
        other = [Revision(1, replace(first, content="other"), 10, "create")]
        assert isinstance(self.take(Copied(revisions=other, usage=other[0].item)), Conflict)
        taken = an_item("second", scope=self.ANA)
        made = Copied(revisions=[Revision(1, taken, 10, "create")], usage=taken)
        assert isinstance(self.take(made), Conflict)
        assert self.find() == ["second"]

    def test_what_hangs_on_items_of_another_store_comes_with_them(self) -> None:
        turn = an_item("first", type="episode", session_id="s", ordinal=0, scope=self.ANA)
        copy = Copied(
            revisions=[Revision(1, turn, 10, "record")],
            usage=replace(turn, usage=Usage(usage_count=2)),
            uses=[("s", 5), ("t", 6)],
            place=Place(turn.id, "home", "hall", "shelf"),
            waits=Buffered("s", failed=True, tries=3, error="no answer"),
        )
        again = Copied(revisions=[Revision(1, replace(turn, content="other"), 10, "record")], usage=turn)
        assert self.store.write(lambda tx: tx.take_in([copy])) == [None]
        (problem,) = self.store.write(lambda tx: tx.take_in([again]))
        assert problem is not None
        with self.store.read() as reader:
            key = reader.key(turn.id) or 0
            assert reader.load([key])[key].usage.usage_count == 2
            uses, waits = reader.attached([key])[key]
            assert (list(uses), waits) == ([("s", 5), ("t", 6)], copy.waits)
            assert reader.attached([key + 1]) == {}
            assert reader.place(turn.id, given=True) == copy.place

    def test_what_files_brought_and_whether_somebody_vouched_is_in_the_log(self) -> None:
        own, vouched, brought, touched = (an_item(text, scope=self.ANA) for text in ("a", "b", "c", "d"))
        self.put(own)
        copies = [
            Copied(revisions=[Revision(1, item, 10, "create")], usage=item)
            for item in (vouched, brought, touched)
        ]
        self.store.write(lambda tx: tx.take_in(copies[:1], vouched=True))
        self.store.write(lambda tx: tx.take_in(copies[1:], vouched=False))
        self.store.write(lambda tx: tx.record([AuditEvent(action="confirm", at=20, item_id=touched.id)]))
        ids = [item.id for item in (own, vouched, brought, touched)]
        told = {event.item_id: event for event in self.view.events(item_ids=[*ids, new_id(9)], action="load")}
        assert {id_: event.details["vouched"] for id_, event in told.items()} == {
            vouched.id: True,
            brought.id: False,
            touched.id: False,
        }

    def test_what_is_said_ahead_is_no_more_than_that(self) -> None:
        there, first, second = an_item("there"), an_item("first"), an_item("second")
        self.put(there)
        digest = content_hash(there.type, there.content)
        ahead = Ahead(
            contents={(there.scope, False): [digest]},
            settled=[there.scope],
            new=[NewItem(first, Outcome.ACCEPTED, names=(Name("Zora"),))],
            session=(there.scope, "s", 1),
            source_ids=["x"],
        )

        def write(tx: Writer) -> list[str]:
            tx.look_ahead(ahead)
            held = [tx.holders(there.scope, [digest])[digest].id]
            tx.insert([NewItem(first, Outcome.ACCEPTED, names=(Name("Zora"),))], None)
            tx.revise(replace(there, content="elsewhere"), reason="test", action="update")
            # What was written since is seen, whatever was said ahead.
            held += [item.id for item in tx.holders(there.scope, [digest]).values()]
            assert not tx.conversation(there.scope, "s").turns
            return held

        assert self.store.write(write) == [there.id]
        assert sorted(self.find()) == ["elsewhere", "first"]

        def twice(tx: Writer) -> None:
            tx.look_ahead(ahead)
            tx.insert([NewItem(replace(second, id=first.id), Outcome.ACCEPTED)], None)

        with raises(Conflict):
            self.store.write(twice)
        assert sorted(self.find()) == ["elsewhere", "first"]

    def test_items_that_are_looked_at_ahead_are_read_as_they_stand_and_revised_in_order(self) -> None:
        one, two = an_item("one"), an_item("two")
        self.put(one, two)

        def write(tx: Writer) -> list[str]:
            tx.look_ahead(Ahead(items=[one.id, two.id, "nobody"]))
            read = [item.content for item in tx.get([two.id, one.id, "nobody"]).values()]
            for content in ("first", "second"):
                now = tx.get([one.id])[one.id]
                tx.revise(replace(now, content=content), reason="test", action="update")
                read.append(tx.get([one.id])[one.id].content)
            tx.link(Link(src=one.id, dst=two.id, rel=Relation.CAUSAL))
            return read

        assert sorted(self.store.write(write)) == ["first", "one", "second", "two"]
        with self.store.read() as reader:
            assert [revision.number for revision in reader.revisions(one.id)] == [1, 2, 3]
            assert [(link.src, link.dst) for link in reader.links([two.id])] == [(one.id, two.id)]
            assert reader.links(["nobody"]) == reader.links([two.id], [Relation.SUPERSEDES]) == []
            assert reader.get([one.id])[one.id].content == "second"
            assert reader.load([reader.key(one.id) or 0])

    def test_who_writes_with_others_is_told_of_the_own_conflict_alone(self) -> None:
        taken = an_item("taken")
        self.put(taken)

        def write(content: str) -> str:
            def work(tx: Writer) -> str:
                tx.look_ahead(Ahead())
                tx.insert([NewItem(an_item(content), Outcome.ACCEPTED)], None)
                return content

            try:
                return self.store.write(work)
            except Conflict:
                return "refused"

        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(write, ["taken" if n % 3 == 0 else f"item {n}" for n in range(24)]))
        assert answers == ["refused" if n % 3 == 0 else f"item {n}" for n in range(24)]
        assert len(self.find()) == 17

    def test_a_part_of_a_transaction_that_fails_leaves_the_rest(self) -> None:
        first, second = an_item("first", scope=self.ANA), an_item("second", scope=self.BO)

        def write(tx: Writer) -> None:
            tx.insert([NewItem(first, Outcome.ACCEPTED)], None)
            with suppress(Conflict), tx.savepoint():
                tx.insert([NewItem(second, Outcome.ACCEPTED)], None)
                raise Conflict
            with raises(Conflict), tx.savepoint():
                tx.put_run(
                    Run(id=new_id(1), job="decay", trigger="hand", scope="ALL", started_at=1, parent="x")
                )

        self.store.write(write)
        assert self.find() == ["first"]
        self.put(second)
        assert sorted(self.find()) == ["first", "second"]

    def test_an_entity_of_another_store_keeps_its_id_and_those_that_lead_to_it(self) -> None:
        known = Entity(id=new_id(5), name="Ana", scope=self.ANA, aliases=("Ada",), first_seen_at=5)
        gone = new_id(6)
        key = self.store.write(lambda tx: tx.put_entity(None, known, [gone]))
        assert self.view.entities(EntitySelection(id=gone)) == {key: known}
        assert self.view.known_entities(None, 0, 10) == [(key, known, (gone,))]
        with raises(Conflict):
            self.store.write(lambda tx: tx.put_entity(None, replace(known, id=new_id(7))))
        self.store.write(lambda tx: tx.drop_unneeded([key]))  # Somebody gave it an alias.
        late = new_id(8)
        self.store.write(lambda tx: tx.put_entity(key, known, [late]))
        assert self.view.entities(EntitySelection(id=known.id)) != {}
        assert self.view.entities(EntitySelection(id=late)) == {key: known}

    def test_a_session_of_another_store_takes_the_place_of_what_was_known(self) -> None:
        self.heard("s", self.ANA, 9, 1)
        session = Session("s", self.ANA, 1, 7, 4, consolidated_at=8, ended_at=7)
        self.store.write(lambda tx: tx.put_session(session))
        assert session_of(self.view, self.ANA, "s") == session

    # Use

    def test_a_use_is_dated_no_earlier_than_the_last_change(self) -> None:
        item = an_item("one", at=10)
        self.put(item)
        for session, at, dated in (("s1", 3, 10), ("s2", 70, 70), ("s3", 40, 70)):
            self.store.write(lambda tx, s=session, at=at: tx.use([item.id], s, at))
            assert self.get(item).last_used_at == dated

    def test_an_item_counts_once_a_session_and_gains_confidence_without_a_revision(self) -> None:
        item = an_item("one", confidence=0.5, at=10)
        self.put(item)
        for session, counted in (("s1", {item.id}), ("s1", set[str]()), ("s2", {item.id})):
            assert self.store.write(lambda tx, s=session: tx.use([item.id, "unknown"], s, 70)) == counted
        used = self.get(item)
        assert (used.usage_count, used.last_used_at, used.last_hit_at) == (2, 70, None)
        assert abs(used.confidence - (0.5 + 0.05 * np.log(1 + 1 / 20) + 0.05 * np.log(1 + 2 / 20))) < 1e-9
        assert len(self.view.revisions(item.id)) == 1
        self.revise(replace(used, title="folded"))
        assert abs(self.get(item).confidence - used.confidence) < 1e-9

    def test_a_link_of_items_used_together_grows_by_1_and_fades_between(self) -> None:
        self.put(*[an_item(f"item {n}", id=f"id-{n}", at=1) for n in range(3)])

        def strengthen(*pairs: tuple[str, str], at: int) -> int:
            return self.store.write(lambda tx: tx.strengthen(pairs, at))

        def links() -> list[tuple[str, str, float, int | None, int]]:
            found = self.view.links(["id-0", "id-2"], [Relation.CO_RECALLED])
            return [(x.src, x.dst, round(x.weight, 6), x.valid_from, x.created_at) for x in found]

        assert strengthen(("id-0", "id-1"), at=5) == 1
        assert links() == [("id-0", "id-1", 1.0, 5, 5)]
        # Both ways round it is one link, given twice it counts once: 1 · (0.3 + 0.7 · exp(−0.004 · 180)) + 1.
        assert strengthen(("id-1", "id-0"), ("id-0", "id-1"), ("id-2", "id-0"), at=5 + 180 * DAY_US) == 2
        again = 5 + 180 * DAY_US
        assert links() == [("id-0", "id-1", 1.640727, again, 5), ("id-0", "id-2", 1.0, again, again)]
        # A clock set back fades nothing, and what was learnt later stays as of then.
        assert strengthen(("id-0", "id-1"), at=9) == 1
        assert links()[0] == ("id-0", "id-1", 2.640727, again, 5)
        assert strengthen(at=9) == 0

    def test_only_items_that_may_know_of_each_other_are_linked_by_use(self) -> None:
        project = Scope("project:apollo")
        self.put(
            an_item("hers", id="hers", scope=self.ANA),
            an_item("his", id="his", scope=self.BO),
            an_item("ours", id="ours"),
            an_item("project", id="project", scope=project),
            an_item("hers there", id="both", scope=Scope("user:ana/project:apollo")),
            an_item("turn", id="turn", scope=self.ANA, type="episode"),
            an_item("old", id="old", scope=self.ANA, status=Status.ARCHIVED),
        )
        self.put(
            an_item("held", id="held", scope=self.ANA, status=Status.QUARANTINED), outcome=Outcome.QUARANTINED
        )
        ids = ["hers", "his", "ours", "project", "both", "turn", "old", "held", "unknown"]
        every = [(one, other) for n, one in enumerate(ids) for other in ids[n:]]
        made = self.store.write(lambda tx: tx.strengthen(every, 5))
        links = {frozenset((link.src, link.dst)) for link in self.view.links(ids)}
        together = ("hers ours", "his ours", "ours project", "ours both", "ours turn", "ours old")
        hers = ("hers both", "project both", "both turn", "both old", "hers turn", "hers old", "turn old")
        assert links == {frozenset(pair.split()) for pair in (*together, *hers)}
        assert made == len(links)

    def test_the_weakest_come_first_by_effective_confidence_since_the_last_use(self) -> None:
        old, used, safe = an_item("old", at=0), an_item("used", at=0), an_item("safe", at=0, decay_rate=0.0)
        self.put(old, used, safe)
        self.store.write(lambda tx: tx.use([used.id], "s", 23 * DAY_US))
        with self.store.read() as reader:

            def weakest(below: float, limit: int = 10) -> list[str]:
                selection = self.selection(weak=Weakness(30 * DAY_US, below))
                found = reader.select(selection, ItemOrder.WEAKEST, limit=limit)
                return [item.content for item in found.values()]

            assert weakest(0.9) == ["old", "used"]
            assert weakest(0.62) == weakest(0.3) == weakest(0.9, 1) == ["old"]
            assert weakest(0.21) == []
