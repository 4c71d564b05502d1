"""Runs, their changes and leases; how the store grew; what the schedule asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from simonides.domain.growth import Shift
from simonides.domain.instant import DAY_US
from simonides.domain.item import Status, Usage
from simonides.domain.link import Link, Relation
from simonides.domain.records import Place, Session
from simonides.domain.run import LeftAlone, Run, RunChange, RunStatus
from simonides.domain.scope import ALL, Scope
from simonides.domain.taxonomy import Tier
from simonides.errors import NotFound
from simonides.ports.buffer import SessionSelection
from simonides.ports.entities import EntitySelection
from simonides.ports.runs import LeaseHolder, RunSelection, StandingChange, judged, run_of
from simonides.ports.store import StoredVerdict
from simonides.testing.fakes import an_item
from simonides.testing.raising import raises
from simonides.testing.store.case import StoreCase


class UpkeepContract(StoreCase):
    """Changes of upkeep are kept, and can be told and taken back."""

    def run_of(self, run_id: str, at: int = 1, **fields: Any) -> Run:
        """Keep a run."""
        values: dict[str, Any] = {"job": "decay", "trigger": "hand", "scope": str(ALL)}
        run = Run(id=run_id, started_at=at, **(values | fields))
        self.store.write(lambda tx: tx.put_run(run))
        return run

    # Runs and their changes

    def test_a_run_comes_back_in_its_newest_state(self) -> None:
        self.run_of("r1", lease_until=9)
        done = self.run_of(
            "r1",
            status=RunStatus.DONE,
            ended_at=5,
            counts={"revised": 2},
            degradations=("no model",),
            left_alone=(LeftAlone(("a", "b"), "they had changed"),),
            error="the last step",
        )
        with self.store.read() as reader:
            assert run_of(reader, "r1") == done
            assert run_of(reader, "r2") is None

    def test_runs_are_listed_last_started_first_and_parts_in_their_order(self) -> None:
        self.run_of("all", job="maintain")
        for n in range(3):
            self.run_of(f"part {n}", job=("decay", "week")[n % 2], parent="all")
        self.run_of("back", job="undo", undoes="part 0")
        with self.store.read() as reader:
            assert [run.id for run in reader.runs()] == ["back", "part 2", "part 1", "part 0", "all"]
            assert [run.id for run in reader.runs(RunSelection(job="decay"), 2)] == ["part 2", "part 0"]
            assert [run.id for run in reader.runs(RunSelection(parent="all"))] == [
                "part 2",
                "part 1",
                "part 0",
            ]
            assert [run.id for run in reader.runs(RunSelection(undoes="part 0"))] == ["back"]
            assert reader.runs(RunSelection(undoes="part 1")) == []

    def test_a_run_that_never_ended_is_found_by_its_job(self) -> None:
        self.run_of("first")
        self.run_of("other", job="week")
        self.run_of("second")
        self.run_of("over", status=RunStatus.DONE)
        assert [run.id for run in self.view.runs(RunSelection(job="decay", status=RunStatus.RUNNING))] == [
            "second",
            "first",
        ]

    def test_changes_come_in_their_order_until_they_are_taken_back(self) -> None:
        one, two = an_item("one"), an_item("two")
        self.put(one, two)
        r1 = self.run_of("r1")
        self.run_of("r2", undoes="r1")
        changes = [
            RunChange(number=1, step=1, kind="revise", item_id=one.id, before=1, after=2),
            RunChange(
                number=2, step=1, kind="link", item_id=one.id, other_id=two.id, details={"rel": "similar"}
            ),
            RunChange(number=3, step=2, kind="revise", item_id=two.id, before=1, after=2),
        ]
        self.store.write(lambda tx: tx.put_run(r1, changes))
        assert self.view.run_changes("r1") == changes
        assert self.view.run_changes("r1", after=1, limit=1) == changes[1:2]
        assert self.view.run_changes("unknown") == []
        self.store.write(lambda tx: tx.mark_undone("r1", [1, 3], "r2"))
        assert [change.undone_by for change in self.view.run_changes("r1")] == ["r2", None, "r2"]
        assert self.view.run_changes("r1", left=True) == changes[1:2]

    def test_changes_that_later_runs_made_of_the_same_are_told_while_they_stand(self) -> None:
        one, two, three = (an_item(text) for text in ("one", "two", "three"))
        self.put(one, two, three)
        r1, r2, r3 = (self.run_of(run) for run in ("r1", "r2", "r3"))
        undoing = self.run_of("undoing", undoes="r1")

        def changes(after: str, kinds: set[str], **of: str) -> list[tuple[str, Mapping[str, Any]]]:
            later = self.view.standing_changes(frozenset(kinds), after=after, **of)
            return [(change.run_id, change.details) for change in later]

        def revised(item_id: str, **fields: Any) -> RunChange:
            values: dict[str, Any] = {"number": 1, "step": 1, "kind": "revise", "item_id": item_id}
            return RunChange(**(values | fields))

        linked = revised(one.id, number=2, kind="link", other_id=two.id, details={"rel": "similar"})
        self.store.write(lambda tx: tx.put_run(r1, [revised(one.id), linked]))
        self.store.write(lambda tx: tx.put_run(r2, [revised(one.id, details={"of": 2}), linked]))
        self.store.write(lambda tx: tx.put_run(r3, [revised(three.id)]))
        self.store.write(lambda tx: tx.put_run(undoing, [revised(one.id)]))
        assert changes("r1", {"revise"}, item_id=one.id) == [("r2", {"of": 2})]
        assert changes("r1", {"link"}, item_id=one.id, other_id=two.id) == [("r2", {"rel": "similar"})]
        assert changes("r1", {"hold"}, item_id=one.id) == []
        assert changes("r2", {"revise"}, item_id=one.id) == []
        self.run_of("r4", undoes="r2")
        self.store.write(lambda tx: tx.mark_undone("r2", [1, 2], "r4"))
        assert changes("r1", {"revise"}, item_id=one.id) == []

    def test_a_revision_made_by_an_undo_stands_for_the_one_that_it_restored(self) -> None:
        item = an_item("one")
        self.put(item)
        self.revise(replace(item, content="two"))
        self.revise(item)
        self.run_of("r0")
        r1 = self.run_of("r1", undoes="r0")
        restoring = RunChange(
            number=1, step=1, kind="revise", item_id=item.id, before=2, after=3, details={"restores": 1}
        )
        assert self.view.revision_numbers(item.id) == (3, 3)
        assert self.view.revision_numbers("unknown") == (0, 0)
        self.store.write(lambda tx: tx.put_run(r1, [restoring]))
        assert self.view.revision_numbers(item.id) == (3, 1)
        (second,) = self.view.revisions(item.id, 2)
        assert (second.number, second.item.content) == (2, "two")
        assert self.view.revisions(item.id, 4) == self.view.revisions("unknown", 1) == []

    # Leases

    def test_a_lease_is_its_holders_until_another_takes_it_or_the_holder_lets_go(self) -> None:
        assert self.view.lease("decay") is None
        self.store.write(lambda tx: tx.put_lease("decay", LeaseHolder("one", 1, 10)))
        self.store.write(lambda tx: tx.put_lease("decay", LeaseHolder("two", 5, 20)))
        self.store.write(lambda tx: tx.put_lease("prune", None))
        assert self.view.lease("decay") == LeaseHolder("two", 5, 20)
        self.store.write(lambda tx: tx.put_lease("decay", None))
        assert self.view.lease("decay") is None

    # What a job looked at

    def test_a_pair_that_was_judged_is_known_in_either_order_until_it_is_forgotten(self) -> None:
        one, two, three = (an_item(text) for text in ("one", "two", "three"))
        self.put(one, two, three)
        assert self.store.write(lambda tx: tx.note_judged("week", two.id, one.id, 1))
        assert not self.store.write(lambda tx: tx.note_judged("week", one.id, two.id, 2))
        asked = [(one.id, two.id), (two.id, one.id), (one.id, three.id), (one.id, "unknown")]
        with self.store.read() as reader:
            assert judged(reader, "week", asked) == {(one.id, two.id), (two.id, one.id)}
            assert judged(reader, "day", asked) == set()
            ((job, a, b, at),) = reader.judged_pairs()
            assert (job, {a, b}, at) == ("week", {one.id, two.id}, 1)
            keys = [reader.key(a), reader.key(b)]
        self.store.write(lambda tx: tx.set_aside([one.id]))
        assert (self.view.judged_pairs(), self.view.judged_keys()) == ([], [("week", *keys, 1)])
        self.store.write(lambda tx: tx.bring_back([one.id]))
        self.store.settle_archive()
        assert self.store.write(lambda tx: tx.note_judged("week", one.id, two.id, None))
        assert not self.store.write(lambda tx: tx.note_judged("week", one.id, two.id, None))
        assert judged(self.view, "week", asked) == set()
        with raises(NotFound):
            self.store.write(lambda tx: tx.note_judged("week", one.id, "unknown", 1))

    def test_a_job_goes_on_behind_the_newest_item_that_it_noted_even_when_that_is_purged(self) -> None:
        items = [an_item(f"item {n}") for n in range(3)]
        self.put(*items)
        keys = [self.view.key(item.id) for item in items]
        assert self.view.bookmark("day:turns") == 0
        for item in items:
            self.store.write(lambda tx, item=item: tx.note_judged("day:turns", item.id, item.id, 1))
        self.store.write(lambda tx: tx.note_judged("week", items[2].id, items[2].id, 1))
        assert self.view.bookmark("day:turns") == keys[2]
        self.store.purge([items[2].id], 5)
        with self.store.read() as reader:
            assert reader.bookmark("day:turns") == keys[1]
            assert judged(reader, "week", [(item.id, item.id) for item in items]) == set()

    # What only upkeep changes

    def test_links_verdicts_and_places_can_be_taken_away(self) -> None:
        one, two = an_item("one"), an_item("two")
        self.put(one, two)
        link = Link(src=one.id, dst=two.id, rel=Relation.SIMILAR, weight=0.5, created_at=3)
        self.store.write(lambda tx: tx.link(link))
        self.store.write(lambda tx: tx.judge(one.id, StoredVerdict("accepted", ("fine",), None, "user", 1)))
        self.store.write(lambda tx: tx.assign(one.id, Place(one.id, "home", "kitchen", "shelf")))
        with self.store.read() as reader:
            for ends in ((one.id, two.id), (two.id, one.id)):
                assert reader.links(ends, (Relation.SIMILAR,), between=True) == [link]
            assert reader.links((one.id, two.id), (Relation.SUPPORTS,), between=True) == []
            assert reader.links((one.id,), between=True) == []
        self.store.write(lambda tx: tx.drop_link(two.id, one.id, Relation.SIMILAR))
        assert self.view.links([one.id]) == [link]
        self.store.write(lambda tx: tx.drop_link(one.id, two.id, Relation.SIMILAR))
        self.store.write(lambda tx: tx.judge(one.id, None))
        self.store.write(lambda tx: tx.assign(one.id, None))
        assert self.view.links([one.id]) == []
        assert self.view.verdict(one.id) is None
        assert self.view.place(one.id, given=True) is None

    def test_usage_is_set_as_it_was(self) -> None:
        item = an_item("one")
        self.put(item)
        self.store.write(lambda tx: tx.use([item.id], "s", 7))
        usage = Usage(reinforcement=0.25, usage_count=4, last_used_at=5, last_hit_at=3)
        self.store.write(lambda tx: tx.set_usage(item.id, usage))
        assert self.get(item).usage == usage
        with raises(NotFound):
            self.store.write(lambda tx: tx.set_usage("unknown", usage))

    def test_a_session_is_consolidated_until_it_is_heard_of_again(self) -> None:
        for scope in (self.ANA, self.BO):
            self.heard("s", scope, 10, 1)
        self.store.write(lambda tx: tx.put_session(Session("s", self.ANA, 10, 10, 1, consolidated_at=30)))
        assert [
            one.scope
            for one in self.view.sessions(
                SessionSelection(scopes=None, unconsolidated=True), 10, longest_silent=True
            )
        ] == [self.BO]
        assert (
            self.view.sessions(
                SessionSelection(scopes=(self.ANA,), unconsolidated=True), 10, longest_silent=True
            )
            == []
        )
        self.heard("s", self.ANA, 40, 1)
        assert [
            one.scope
            for one in self.view.sessions(
                SessionSelection(scopes=None, unconsolidated=True), 10, longest_silent=True
            )
        ] == [self.BO, self.ANA]
        assert (
            len(
                self.view.sessions(SessionSelection(scopes=None, unconsolidated=True), 1, longest_silent=True)
            )
            == 1
        )

    def test_the_summary_of_an_entity_is_set_and_how_it_was_made_is_known(self) -> None:
        self.name(an_item("Ana rows."), "Ana")
        summaries = frozenset({"summary"})
        ((key, entity),) = self.view.entities(EntitySelection(), 10).items()
        assert self.view.standing_changes(summaries, entity_id=entity.id) == []
        assert self.view.standing_changes(summaries, entity_id="unknown") == []
        self.change(key, lambda ana: replace(ana, summary="A captain."))
        r1 = self.run_of("r1", at=7)
        details = {"sources": ["a"], "after": "A captain."}
        made = RunChange(number=1, step=1, kind="summary", entity_id=entity.id, details=details)
        self.store.write(lambda tx: tx.put_run(r1, [made]))
        assert self.view.standing_changes(summaries, entity_id=entity.id) == [
            StandingChange("r1", 7, details)
        ]
        assert self.view.standing_changes(frozenset({"link"}), entity_id=entity.id) == []
        self.run_of("r2", undoes="r1")
        self.store.write(lambda tx: tx.mark_undone("r1", [1], "r2"))
        assert self.view.standing_changes(summaries, entity_id=entity.id) == []

    # How it grew

    def test_changes_are_counted_by_period(self) -> None:
        item = an_item("one", at=DAY_US)
        self.put(item, an_item("a turn", at=DAY_US, type="episode"))
        self.revise(replace(item, tier=Tier.MTM, updated_at=2 * DAY_US), reason="promotion")
        self.revise(replace(item, status=Status.ARCHIVED, updated_at=3 * DAY_US), reason="decay")
        with self.store.read() as reader:
            told = reader.growth(None, DAY_US, DAY_US, revisions=100, runs=1)
            assert told.complete_from == DAY_US
            assert {shift._replace(reason="") for shift in told.shifts} == {
                Shift(0, False, True, "", None, "stm", 1),
                Shift(0, True, True, "", None, "stm", 1),
                Shift(1, False, False, "", "stm", "mtm", 1),
                Shift(2, False, False, "", "mtm", None, 1),
            }
            few = reader.growth(None, DAY_US, DAY_US, revisions=1, runs=1)
            assert [shift.reason for shift in few.shifts] == ["decay"]
            assert few.complete_from == 2 * DAY_US

    def test_what_stands_is_counted_by_tier_and_kind(self) -> None:
        self.put(an_item("one"), an_item("two", tier=Tier.LTM), an_item("a turn", type="episode"))
        standing = self.view.growth(None, 0, DAY_US, revisions=1, runs=1).standing
        assert sorted(standing) == [(False, "ltm", 1), (False, "stm", 1), (True, "stm", 1)]

    def test_runs_are_counted_by_period_and_status(self) -> None:
        for n, status in enumerate((RunStatus.DONE, RunStatus.FAILED, RunStatus.DONE)):
            self.run_of(f"r{n}", at=n // 2 * DAY_US, status=status)
        assert sorted(self.view.growth(None, 0, DAY_US, revisions=1, runs=10).runs) == [
            (0, "done", 1),
            (0, "failed", 1),
            (1, "done", 1),
        ]

    # What the schedule asks

    def test_runs_of_a_job_are_told_by_the_scope_that_they_took_in(self) -> None:
        self.run_of("everywhere")
        self.run_of("hers", scope=str(self.ANA))
        self.run_of("again")
        assert [run.id for run in self.view.runs(RunSelection(job="decay", over=ALL), 10)] == [
            "again",
            "everywhere",
        ]
        assert [run.id for run in self.view.runs(RunSelection(job="decay", over=self.ANA), 10)] == [
            "again",
            "hers",
            "everywhere",
        ]
        assert [run.id for run in self.view.runs(RunSelection(job="decay", over=self.BO), 1)] == ["again"]
        assert self.view.runs(RunSelection(job="week", over=self.BO), 10) == []

    def test_scopes_with_something_new_are_told_with_when_it_came(self) -> None:
        self.put(an_item("old", at=10, scope=self.ANA))
        self.put(an_item("new", at=20, scope=self.BO), an_item("newer", at=30, scope=self.BO))
        self.put(an_item("other", at=40, type="note", scope=Scope("user:cy")))
        fact = frozenset({"fact"})
        assert self.view.scopes_with_recent(None, fact, 100) == [(self.ANA, 10), (self.BO, 30)]
        assert self.view.scopes_with_recent(None, fact, 3) == [(self.BO, 30)]
        assert self.view.scopes_with_recent((self.ANA,), fact, 100) == [(self.ANA, 10)]

    def test_a_session_that_began_or_ended_is_noticed(self) -> None:
        self.heard("s", self.ANA, 10, 1)
        assert self.view.sessions(SessionSelection(scopes=(self.ANA,), changed_since=9), 1)
        assert not self.view.sessions(SessionSelection(scopes=(self.ANA,), changed_since=10), 1)
        assert not self.view.sessions(SessionSelection(scopes=(self.BO,), changed_since=0), 1)
        self.end("s", self.ANA, 20)
        assert self.view.sessions(SessionSelection(scopes=(self.ANA,), changed_since=15), 1)

    def test_links_that_runs_made_are_told_of_once_they_were_taken_back(self) -> None:
        one, two = an_item("one"), an_item("two")
        self.put(one, two)
        r1 = self.run_of("r1")
        self.run_of("r2", undoes="r1")
        linked = RunChange(
            number=1, step=1, kind="link", item_id=one.id, other_id=two.id, details={"rel": "similar"}
        )
        self.store.write(lambda tx: tx.put_run(r1, [linked]))
        assert self.view.links_undone([two.id], [Relation.SIMILAR]) == []
        self.store.write(lambda tx: tx.mark_undone("r1", [1], "r2"))
        assert self.view.links_undone([two.id], [Relation.SIMILAR]) == [(one.id, two.id, Relation.SIMILAR)]
        assert self.view.links_undone([two.id], [Relation.CAUSAL]) == []
        assert self.view.links_undone([one.id], [Relation.SIMILAR]) == []
