"""Contracts of what stands beside the items: links, verdicts, audit, injections, places, sessions, the buffer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from simonides.domain.item import Item, Status, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Provenance
from simonides.domain.records import AuditEvent, Injection, Place
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder
from simonides.domain.taxonomy import Tier
from simonides.domain.verdict import Outcome
from simonides.errors import (
    NotFound,
)
from simonides.ports.buffer import Buffered, SessionSelection, session_of
from simonides.ports.governing import PrecedentQuery
from simonides.ports.store import Store, StoredVerdict, TextQuery
from simonides.testing.fakes import an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import StoreCase


class BesideContract(StoreCase):
    """Links, verdicts, places and sessions are kept, listed and counted."""

    def silent(self, scopes: tuple[Scope, ...] | None, since: int) -> list[Scope]:
        """Scopes of the sessions that are not over and were not heard of since an instant, longest silent first."""
        selection = SessionSelection(scopes=scopes, open=True, silent_since=since)
        return [one.scope for one in self.view.sessions(selection, 10, longest_silent=True)]

    # What stands beside the items

    def test_links_are_seen_from_both_ends_and_a_repeated_one_is_updated(self) -> None:
        items = [an_item(f"item {n}", id=f"id-{n}") for n in range(3)]
        self.put(*items)
        causal = Link(
            src="id-0", dst="id-1", rel=Relation.CAUSAL, weight=0.5, evidence="said so", created_at=1
        )
        similar = Link(src="id-2", dst="id-0", rel=Relation.SIMILAR, confidence=0.4, valid_from=3)
        for link in (similar, causal, causal):
            self.store.write(lambda tx, link=link: tx.link(link))
        stronger = replace(causal, weight=2.0)
        self.store.write(lambda tx: tx.link(stronger))
        assert self.view.links(["id-0"]) == [stronger, similar]
        assert self.view.links(["id-1"]) == [stronger]
        assert self.view.links(["id-0"], [Relation.SIMILAR]) == [similar]
        assert self.view.links(["unknown"]) == self.view.links([]) == []
        for src, dst in (("id-0", "unknown"), ("unknown", "id-0")):
            with raises(NotFound):
                self.store.write(lambda tx, s=src, d=dst: tx.link(Link(src=s, dst=d, rel=Relation.CAUSAL)))

    def test_settled_is_what_is_pinned_or_verified_in_exactly_these_scopes(self) -> None:
        pinned = an_item("pinned", scope=self.ANA, pinned=True)
        verified = an_item("verified", scope=self.ANA, validation=Validation.VERIFIED)
        held = an_item("held", scope=self.ANA, pinned=True, status=Status.QUARANTINED)
        self.put(
            pinned,
            verified,
            an_item("plain", scope=self.ANA),
            held,
            an_item("bo", scope=self.BO, pinned=True),
        )
        found = self.view.precedents(PrecedentQuery(scope=self.ANA, at=0)).settled
        assert {item.content for item in self.view.load(list(found)).values()} == {"pinned", "verified"}
        assert self.view.precedents(PrecedentQuery(scope=Scope("user:nobody"), at=0)).settled == {}
        self.revise(replace(pinned, content="pinned still"))
        self.revise(replace(verified, validation=Validation.UNVERIFIED))
        now = self.view.precedents(PrecedentQuery(scope=self.ANA, at=0)).settled
        [key] = now
        assert now[key] != found[key]

    def test_precedents_are_what_is_near_was_told_and_was_heard_where_it_can_be_seen(self) -> None:
        def turn(content: str, ordinal: int, **fields: Any) -> Item:
            fields = {"scope": self.ANA, **fields}
            return an_item(content, type="episode", session_id="s", ordinal=ordinal, at=ordinal + 1, **fields)

        near, told = an_item("the ferry leaves at noon", scope=self.ANA), an_item("tea is green", type="note")
        hidden = an_item("the ferry sinks", scope=self.BO)
        turns = [turn("hello", 0), turn("what ferry?", 1), turn("ignore it", 2, injectable=False)]
        turns.append(turn("a stranger's word", 3, scope=Scope("global")))
        gone = an_item("the ferry left at noon", scope=self.ANA, status=Status.ARCHIVED)
        self.put(near, gone, told, hidden, an_item("the ferry leaves", expires_at=5), *turns)
        self.name(an_item("Ana rows the ferry.", type="note", scope=self.ANA), "Ana")
        shown = [
            Injection(
                id=name,
                at=1,
                scope="user:ana",
                mode="context",
                query="tea",
                items=items,
                tokens=9,
                session_id=session,
            )
            for name, session, items in (
                ("i1", "s", ((told.id, 1.0), (hidden.id, 0.5))),
                ("i2", "other", ((near.id, 1.0),)),
            )
        ]
        self.store.write(lambda tx: tx.keep_injections(shown))
        query = PrecedentQuery(
            scope=self.ANA,
            at=9,
            types=frozenset({"fact"}),
            near=[TextQuery(("ferry", "noon")), TextQuery(("zeppelin",)), TextQuery(())],
            most_near=5,
            session_id="s",
            injections=5,
            told=5,
            heard=2,
            sources=[hidden.id, "unknown"],
            names=[["ana"], ["nobody"], []],
        )
        found = self.view.precedents(query)
        nothing = self.view.precedents(PrecedentQuery(scope=self.ANA, at=9))
        assert [[item.content for item in items] for items in found.near] == [[near.content], [], []]
        assert [[item.content for item in items] for items in found.archived] == [[gone.content], [], []]
        assert list(found.told) == [told]
        assert list(found.heard) == [turns[2], turns[1]]
        assert found.sources == {hidden.id: hidden}
        assert [[entity.name for entity in some] for some in found.entities] == [["Ana"], [], []]
        assert (nothing.near, nothing.archived, nothing.told, nothing.heard) == ([], [], [], [])
        assert nothing.sources == {}

    def test_a_wish_is_kept_beside_the_verdict(self) -> None:
        first, second = (an_item(text, status=Status.QUARANTINED) for text in ("one", "two"))
        wished = {"tier": "mtm", "pinned": True}
        self.put(first, outcome=Outcome.QUARANTINED, reasons=("no source: none",), wished=wished)
        self.put(second, outcome=Outcome.QUARANTINED, reasons=("no source: none",))
        one, two = self.view.verdict(first.id), self.view.verdict(second.id)
        assert one is not None
        assert two is not None
        assert (one.wished, two.wished) == (wished, None)
        self.store.write(lambda tx: tx.judge(second.id, replace(two, wished={"tier": "ltm"})))
        self.store.write(lambda tx: tx.judge(first.id, replace(one, wished=None, actor="ana")))
        assert self.view.verdict(second.id) == replace(two, wished={"tier": "ltm"})
        assert self.view.verdict(first.id) == replace(one, actor="ana")

    def test_items_are_found_by_where_they_come_from(self) -> None:
        page, chat = Provenance(source_id="page"), Provenance(source_id="chat")
        one = an_item("one", scope=self.ANA, provenance=page, session_id="s", created_at=10)
        two = an_item("two", scope=self.BO, provenance=page, session_id="t", created_at=20)
        three = an_item("three", scope=self.ANA, provenance=chat, session_id="s", created_at=30)
        gone = an_item("gone", scope=self.ANA, provenance=page, session_id="s", status=Status.ARCHIVED)
        self.put(one, two, three, gone)

        def coming(scopes: tuple[Scope, ...] | None = None, **given: Any) -> list[str]:
            standing = frozenset(Status) - {Status.ARCHIVED}
            selection = self.selection(scopes=scopes, statuses=standing, **given)
            return [item.id for item in self.view.select(selection, ItemOrder.OLDEST, limit=10).values()]

        assert coming(source_id="page") == [one.id, two.id]
        assert coming(session_id="s") == [one.id, three.id]
        assert coming(recorded_since=20) == [two.id, three.id]
        assert coming(session_id="s", source_id="page", recorded_since=11) == []
        assert coming(scopes=(self.ANA,)) == [one.id, three.id]
        assert coming(scopes=(Scope("user:nobody"),)) == []

    def test_what_is_quarantined_waits_in_order_until_it_is_judged(self) -> None:
        held = [an_item(f"held {n}", status=Status.QUARANTINED, scope=self.ANA) for n in range(3)]
        self.put(*held, outcome=Outcome.QUARANTINED, reasons=("no source",), why_store="useful")
        waiting = self.selection(statuses=frozenset({Status.QUARANTINED}), held=True)
        with self.store.read() as reader:
            assert list(reader.select(waiting, ItemOrder.OLDEST, limit=10).values()) == held
            verdict = reader.verdict(held[0].id)
            assert verdict is not None
            assert (verdict.reasons, verdict.why_store) == (("no source",), "useful")
            assert reader.keys(replace(waiting, scopes=(self.BO,)), limit=10) == []
        judged = StoredVerdict("rejected", ("wrong",), None, "user", 5)
        self.store.write(lambda tx: tx.judge(held[0].id, judged))
        assert self.view.verdict(held[0].id) == replace(judged, why_store="useful")
        assert self.view.verdict("unknown") is None
        assert list(self.view.select(waiting, ItemOrder.OLDEST, limit=10).values()) == held[1:]
        with raises(NotFound):
            self.store.write(lambda tx: tx.judge("unknown", judged))

    def test_every_change_is_in_the_audit_log_without_its_text(self) -> None:
        item = an_item("a secret falcon", scope=self.ANA)
        self.put(item, actor="model")
        self.revise(replace(item, title="x"))
        event = AuditEvent(action="tool:memory.search", at=9, actor="tool", details={"k": 5})
        self.store.write(lambda tx: tx.record([event]))
        events = self.view.events()
        assert [(e.number, e.action, e.item_id) for e in events] == [
            (3, "tool:memory.search", None),
            (2, "update", item.id),
            (1, "create", item.id),
        ]
        assert [e.number for e in self.view.events(item_ids=[item.id])] == [2, 1]
        assert [e.number for e in self.view.events(limit=1)] == [3]
        assert events[0].details == {"k": 5}
        assert (events[2].actor, events[2].scope) == ("model", self.ANA)
        assert events[1].content_hash == events[2].content_hash != item.content_hash.hex()
        assert "falcon" not in repr(events)
        assert list(self.store.check(audit_only=True)) == []

    def test_a_keyed_hash_is_the_same_each_time_and_another_in_another_store(self) -> None:
        def keyed(store: Store) -> str:
            return store.write(lambda tx: tx.keyed_hash("a guess"))

        other = self.make_store(self.folder / "other")
        try:
            assert keyed(self.store) == keyed(self.store) != keyed(other)
            assert self.view.keyed_hash("a guess") == keyed(self.store) != self.view.keyed_hash("another")
        finally:
            other.close()

    def test_an_injection_of_an_item_that_is_gone_is_not_kept(self) -> None:
        late = Injection(
            id="late",
            at=1,
            scope="global",
            mode="inject",
            query="its words",
            items=(("purged", 0.5),),
            tokens=3,
        )
        self.store.write(lambda tx: tx.keep_injections([late]))
        assert self.view.injections(10) == []

    def test_injections_are_kept_once_and_listed_newest_first(self) -> None:
        item = an_item()
        self.put(item)
        made = [
            Injection(
                id=f"i{n}", at=n, scope="global", mode="inject", query="q", items=((item.id, 0.5),), tokens=3,
                session_id="s" if n else None, signals={item.id: {"words": 0.5, "form": -0.125}} if n == 2 else {},
            )
            for n in range(3)
        ]  # fmt: skip
        for _ in range(2):
            self.store.write(lambda tx: tx.keep_injections(made))
        assert self.view.injections(10) == made[::-1]
        assert self.view.injections(1, session_id="s") == made[2:]
        assert self.view.injections(10, injection_id="i0") == made[:1]
        assert self.view.injections(10, injection_id="unknown") == []

    def test_an_item_stands_where_it_was_put_else_where_its_fields_say(self) -> None:
        apollo = Scope("user:ana/project:apollo")
        self.put(an_item("one", id="one", scope=apollo, tags=("release", "x")))
        self.put(an_item("two", id="two", entities=("Ana",), corpus_id="manuals"))
        self.put(an_item("three", id="three"))
        self.store.write(lambda tx: tx.assign("three", Place("three", "d", "r", "s")))
        self.store.write(lambda tx: tx.assign("three", Place("three", "apollo", "release", "fact")))
        with self.store.read() as reader:
            assert reader.place("one") == Place("one", "apollo", "release", "fact")
            assert reader.place("two") == Place("two", "manuals", "Ana", "fact")
            assert reader.place("three") == Place("three", "apollo", "release", "fact")
            assert reader.place("unknown") is None
            assert reader.places(self.selection()) == [
                (Place("", "apollo", "release", "fact"), 2),
                (Place("", "manuals", "Ana", "fact"), 1),
            ]
            assert reader.places(self.selection(scopes=(apollo,), place=("apollo", "release", None))) == [
                (Place("", "apollo", "release", "fact"), 1)
            ]
            cards = reader.select(self.selection(place=("apollo", None, None)), limit=10)
            assert [card.id for card in cards.values()] == ["three", "one"]
            assert reader.keys(self.selection(place=("apollo", "release", "note")), limit=10) == []
            assert reader.count(self.selection(place=(None, "release", "fact"))) == 2
        with raises(NotFound):
            self.store.write(lambda tx: tx.assign("unknown", Place("unknown", "d", "r", "s")))

    def test_sessions_remember_when_they_were_first_and_last_heard_of(self) -> None:
        for at, turns in ((20, 2), (10, 1), (30, 4)):
            self.heard("s", self.ANA, at, turns)
        self.heard("t", self.BO, 5, 1)
        with self.store.read() as reader:
            found = session_of(reader, self.ANA, "s")
            assert found is not None
            assert (found.first_seen_at, found.last_seen_at, found.turns) == (10, 30, 7)
            assert session_of(reader, self.BO, "s") is None
            assert [session.session_id for session in reader.sessions(SessionSelection(scopes=None), 10)] == [
                "s",
                "t",
            ]
            assert [
                session.session_id for session in reader.sessions(SessionSelection(scopes=(self.BO,)), 10)
            ] == ["t"]
            assert reader.sessions(SessionSelection(scopes=()), 10) == []

    def test_only_what_is_there_can_wait_for_extraction(self) -> None:
        item = an_item("one", type="episode")
        self.put(item)
        for _ in range(2):
            self.store.write(lambda tx: tx.put_waiting({item.id: Buffered("s")}))
        with raises(NotFound):
            self.store.write(lambda tx: tx.put_waiting({"unknown": Buffered("s")}))
        with raises(NotFound):
            self.store.write(lambda tx: tx.put_waiting({"unknown": None}))

    def test_turns_wait_until_they_are_taken_or_put_off_for_good(self) -> None:
        turns = [an_item(text, type="episode", scope=self.ANA, session_id="s", ordinal=n, at=n + 1)
                 for n, text in enumerate(("one", "zwei"))]  # fmt: skip
        self.put(*turns, waits=True)
        ids = [turn.id for turn in turns]
        with self.store.read() as reader:
            (one,) = reader.waiting((self.ANA,))
            assert (one.scope, one.session_id, one.turns, one.failed) == (self.ANA, "s", 2, 0)
            assert (one.bytes, one.last_at, one.tries, one.retry_at) == (7, 2, 0, None)
            assert reader.waiting((self.BO,)) == []
            assert [turn.item for turn in reader.waiting_turns(self.ANA, "s", 9)] == turns
            assert len(reader.waiting_turns(self.ANA, "s", 1)) == 1
        again, failed = Buffered("s", False, 1, "no answer", 5), Buffered("s", True, 1, "no answer", None)
        self.store.write(lambda tx: tx.put_waiting({ids[0]: again, ids[1]: failed}))
        with self.store.read() as reader:
            (one,) = reader.waiting(None)
            assert (one.turns, one.failed, one.tries, one.retry_at) == (1, 1, 1, 5)
            (left,) = reader.waiting_turns(self.ANA, "s", 9)
            assert (left.tries, left.failed, left.error, left.retry_at) == (1, False, "no answer", 5)
            assert [turn.failed for turn in reader.waiting_turns(self.ANA, "s", 9, failed=True)] == [
                False,
                True,
            ]
            assert reader.statistics(None)["buffer"] == {"waiting": 1, "failed": 1}
        self.store.write(lambda tx: tx.put_waiting(dict.fromkeys(ids)))
        assert self.view.waiting(None) == []

    def test_turns_wait_again_as_they_did(self) -> None:
        turns = [an_item(text, type="episode", scope=self.ANA, session_id="s", ordinal=n)
                 for n, text in enumerate(("one", "two"))]  # fmt: skip
        self.put(*turns)
        first, second = (turn.id for turn in turns)
        waits: dict[str, Buffered | None] = {
            first: Buffered("s", failed=True, tries=3, error="no answer"),
            second: Buffered("s", tries=1, retry_at=7),
        }
        for _ in range(2):
            self.store.write(lambda tx: tx.put_waiting(waits))
        found = self.view.waiting_turns(self.ANA, "s", 9, failed=True)
        assert [(turn.item, *turn[1:]) for turn in found] == [
            (turns[0], 3, True, "no answer", None),
            (turns[1], 1, False, None, 7),
        ]
        with raises(NotFound):
            self.store.write(lambda tx: tx.put_waiting({first: None, "unknown": Buffered("s")}))

    def test_a_session_is_over_until_it_is_heard_of_again(self) -> None:
        self.heard("s", self.ANA, 5, 1)
        self.heard("s", self.BO, 9, 1)
        with self.store.read() as reader:
            assert self.silent(None, 9) == [self.ANA, self.BO]
            assert self.silent(None, 8) == [self.ANA]
            assert self.silent((self.BO,), 8) == []
            assert {
                one.scope for one in reader.sessions(SessionSelection(scopes=None, session_id="s"), 10)
            } == {self.ANA, self.BO}
            assert reader.sessions(SessionSelection(scopes=(self.ANA,), session_id="t"), 10) == []
        self.end("s", self.ANA, 20)
        with self.store.read() as reader:
            assert self.silent(None, 9) == [self.BO]
            session = session_of(reader, self.ANA, "s")
            assert session is not None
            assert session.ended_at == 20
        self.end("s", self.ANA, None)
        assert self.silent(None, 9) == [self.ANA, self.BO]
        self.end("s", self.ANA, 30)
        self.heard("s", self.ANA, 40, 1)
        with self.store.read() as reader:
            session = session_of(reader, self.ANA, "s")
            assert session is not None
            assert session.ended_at is None

    def test_statistics_count_by_tier_type_status_and_scope(self) -> None:
        self.put(an_item("one", scope=self.ANA), an_item("two", type="note"), an_item("three", tier=Tier.LTM))
        counts, hers, none = (self.view.statistics(scopes) for scopes in (None, (self.ANA,), ()))
        assert counts["items"] == 3
        assert counts["by_tier"] == {"ltm": 1, "stm": 2}
        assert counts["by_type"] == {"fact": 2, "note": 1}
        assert sum(counts["active_by_type"].values()) == counts["by_status"].get("active", 0)
        assert counts["by_status"] == {"active": 3}
        assert counts["by_scope"] == {"global": 2, "user:ana": 1}
        assert (hers["items"], none["items"]) == (1, 0)
