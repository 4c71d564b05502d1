"""A machine that adds, merges, fades, links and takes back in any order, beside a twin without upkeep.

At every moment nothing is lost; once every run was taken back, the memory is what its twin is.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.item import Status, Usage
from simonides.domain.link import Link, Relation
from simonides.domain.records import Place
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.errors import Conflict
from simonides.ports.runs import judged
from simonides.testing import FakeEmbedder, FrozenClock, an_item
from simonides.upkeep.change import AddLink, Assign, Judged, Revise, new_item
from simonides.upkeep.ground import Order
from simonides.upkeep.job import Step

WORDS = ("walnut", "Milan", "Petra", "harbour", "chess", "violin", "October", "Ruben")


class Job:
    name = "planned"
    about = "Do what a test wants."

    def __init__(self, *steps):
        self.steps = steps

    def plan(self, _):
        yield from self.steps


class UpkeepMachine(RuleBasedStateMachine):
    runs = Bundle("runs")

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FrozenClock()
        self.memory, self.twin = (
            Memory(
                Path(self.folder.name) / name,
                settings=Settings(store=StoreSettings(synchronous="NORMAL")),
                clock=self.clock,
                embedder=FakeEmbedder(4),
            )
            for name in ("memory.db", "twin.db")
        )
        self.twins: dict[str, str] = {}
        self.standing: list[str] = []

    def teardown(self):
        try:
            for run_id in reversed(self.standing):
                assert self.memory.undo(run_id).status is RunStatus.DONE
            self.compare()
            assert self.memory.doctor().healthy
        finally:
            self.memory.close()
            self.twin.close()
            self.folder.cleanup()

    def compare(self):
        """The memory is what it would be without upkeep, but for archived items that runs had made."""
        ids = list(self.twins)
        with self.memory._parts.store.read() as reader, self.twin._parts.store.read() as other:
            mine, theirs = reader.get(ids), other.get(list(self.twins.values()))
            for item_id, twin_id in self.twins.items():
                item, twin = mine[item_id], theirs[twin_id]
                assert item.usage == twin.usage
                assert abs(item.confidence - twin.confidence) < 1e-9
                same = {"id": "", "updated_at": 0, "created_at": 0, "confidence": 0.0}
                assert replace(item, **same) == replace(twin, **same)
                assert reader.place(item_id, given=True) is None
            assert reader.links(ids) == []
            assert judged(reader, "job", [(a, b) for a in ids for b in ids]) == set()
        made = [item for item in self.memory.list(scope=ALL, archived=True) if item.id not in self.twins]
        assert all(item.status is Status.ARCHIVED for item in made)
        # What counts as a name may depend on what was known by then: at least what the twin knows is known.
        known = {entity.name for entity in self.memory.entities.list(limit=1000)}
        assert {entity.name for entity in self.twin.entities.list(limit=1000)} <= known

    def active(self):
        return sorted(self.memory.list(), key=lambda item: item.id)

    def run(self, *steps):
        self.clock.advance(hours=1)
        found = self.memory._parts.upkeep.maintain((Job(*steps),), Order(scope=ALL))
        assert found.status is RunStatus.DONE, found.error
        self.standing.append(found.id)
        return found.id

    @rule(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    def add(self, words):
        text = f"{' '.join(words)} {len(self.twins)}"
        ids = [
            memory.add(text, type="fact", confidence=0.6).verdicts[0].item_id
            for memory in (self.memory, self.twin)
        ]
        self.twins[ids[0]] = ids[1]

    @precondition(lambda self: self.twins)
    @rule(data=st.data())
    def use(self, data):
        item_id = data.draw(st.sampled_from(sorted(self.twins)))
        session = f"s{data.draw(st.integers(0, 3))}"
        self.memory.mark_used([item_id], session_id=session)
        self.twin.mark_used([self.twins[item_id]], session_id=session)
        self.memory.flush()
        self.twin.flush()

    @precondition(lambda self: len(self.memory.list()) >= 2)
    @rule(target=runs, data=st.data())
    def merge(self, data):
        items = data.draw(
            st.lists(st.sampled_from(self.active()), min_size=2, max_size=3, unique_by=lambda i: i.id)
        )
        content = data.draw(st.sampled_from([items[0].content, f"{items[0].content} and {items[1].content}"]))
        now = self.clock.now()
        usage = Usage(usage_count=sum(item.usage_count for item in items))
        made = an_item(content, at=now, usage=usage)
        gone = [
            Revise(item, replace(item, status=Status.ARCHIVED, superseded_by=made.id), reason="merge")
            for item in items
        ]
        links = [AddLink(Link(src=made.id, dst=item.id, rel=Relation.SUPERSEDES)) for item in items]
        return self.run(Step((*gone, new_item(made, reason="merge"), *links)))

    @precondition(lambda self: self.memory.list())
    @rule(target=runs, data=st.data())
    def fade(self, data):
        items = data.draw(st.lists(st.sampled_from(self.active()), min_size=1, unique_by=lambda i: i.id))
        return self.run(
            tuple(
                Step((Revise(item, replace(item, status=Status.ARCHIVED), reason="decay"),)) for item in items
            )
        )

    @precondition(lambda self: self.memory.list())
    @rule(target=runs, data=st.data())
    def reword(self, data):
        item = data.draw(st.sampled_from(self.active()))
        word = data.draw(st.sampled_from(WORDS))
        after = replace(item, content=f"{item.content} {word}", importance=0.9, confidence=0.3)
        return self.run(Step((Revise(item, after, reason="enrich"),)))

    @precondition(lambda self: len(self.memory.list()) >= 2)
    @rule(target=runs, data=st.data())
    def enrich(self, data):
        one, two = data.draw(
            st.lists(st.sampled_from(self.active()), min_size=2, max_size=2, unique_by=lambda i: i.id)
        )
        place = Place(one.id, "home", data.draw(st.sampled_from(("hall", "attic"))), "shelf")
        link = Link(src=one.id, dst=two.id, rel=Relation.CAUSAL)
        return self.run(Step((Assign(place), AddLink(link), Judged("job", one.id, two.id))))

    @rule(run_id=consumes(runs))
    def undo(self, run_id):
        before = self.states()
        try:
            undo = self.memory.undo(run_id)
        except Conflict:
            assert self.states() == before
            return
        assert (undo.status, undo.left_alone) == (RunStatus.DONE, ())
        self.standing.remove(run_id)

    def states(self):
        items = self.memory.list(scope=ALL, archived=True)
        with self.memory._parts.store.read() as reader:
            return {item.id: (item, reader.revision_numbers(item.id).last) for item in items}

    @invariant()
    def nothing_is_lost(self):
        items = {item.id: item for item in self.memory.list(scope=ALL, archived=True)}
        assert set(self.twins) <= set(items)
        for item in items.values():
            assert item.superseded_by is None or item.superseded_by in items


TestUpkeep = UpkeepMachine.TestCase
TestUpkeep.settings = settings(
    max_examples=10,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
