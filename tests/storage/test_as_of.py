"""Asking what was known at an instant."""

import random
import threading
from contextlib import suppress

import apsw
import pytest

from simonides.domain.instant import iso
from simonides.domain.item import Status
from simonides.domain.scope import ALL, Scope
from simonides.domain.selection import Selection
from simonides.errors import Conflict, InvalidInput, NotFound
from simonides.ports.store import TextQuery
from simonides.storage.sqlite.asof import KeptView, MemoryView
from simonides.storage.sqlite.connection import connect


@pytest.fixture
def days(memory, clock):
    """Instants at the end of days on which something happened."""
    marks = [clock.now() - 1]

    def night():
        marks.append(clock.now())
        clock.advance(days=1)

    (first,) = memory.add("we ship falcons on Friday", type="decision")
    night()
    memory.update(first.item_id, content="we ship falcons on Monday")
    night()
    memory.correct(first.item_id, "we ship falcons on Tuesday")
    night()
    memory.add("falcons of Ana", scope="user:ana")
    (gone,) = memory.add("a falcon that will be purged")
    night()
    memory.forget(memory.list(limit=10)[-1].id)
    memory.purge(gone.item_id)
    night()
    return marks


def known(memory, at, **fields):
    result = memory.search("falcon falcons Friday Monday Tuesday", as_of=iso(at), min_relevance=0, **fields)
    return sorted(hit.item.content for hit in result.hits)


def test_a_search_answers_from_what_was_known_then(memory, days):
    assert known(memory, days[0]) == []
    assert known(memory, days[1]) == ["we ship falcons on Friday"]
    assert known(memory, days[2]) == ["we ship falcons on Monday"]
    assert known(memory, days[3]) == ["we ship falcons on Tuesday"]
    assert known(memory, days[4]) == ["we ship falcons on Tuesday"]
    assert known(memory, days[5]) == []


def test_the_past_has_scopes_too(memory, days):
    assert known(memory, days[4], scope=ALL) == ["falcons of Ana", "we ship falcons on Tuesday"]
    assert known(memory, days[4], scope="user:bo") == ["we ship falcons on Tuesday"]


def test_what_was_purged_was_never_known(memory, days):
    assert not any("purged" in content for content in known(memory, days[4], scope=ALL))


def test_a_look_at_the_past_is_no_use_and_changes_nothing(memory, days, path):
    before = [memory.get(item.id) for item in memory.list(scope=ALL, archived=True)]
    known(memory, days[2])
    assert [memory.get(item.id) for item in memory.list(scope=ALL, archived=True)] == before
    assert all(item.usage_count == 0 for item in before)


@pytest.mark.parametrize(("day", "items", "vectors"), [(0, 0, 0), (1, 1, 0), (2, 1, 1), (4, 3, 3)])
@pytest.mark.usefixtures("memory")
def test_vectors_come_along_where_the_text_has_not_changed_since(days, open_store, day, items, vectors):
    everything = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
    past = open_store().as_of(days[day], None)
    try:
        with past.read() as reader:
            assert reader.count(everything) == items
            assert [count for _, count in reader.models()] == [vectors]
    finally:
        past.close()


@pytest.mark.parametrize("seed", range(4))
def test_the_past_is_what_the_revisions_say_it_was(memory, clock, seed):
    """Items that stand as they did then, that have changed since, moved to the archive file, or came later."""
    rng, ids, marks = random.Random(seed), [], []
    scopes = ("global", "user:ana", "user:bo")
    for step in range(60):
        clock.advance(days=rng.choice((-0.01, 0.05, 0.05)))
        what = rng.choice(("add", "add", "update", "correct", "forget", "restore", "move", "mark"))
        item_id = rng.choice(ids) if ids else None
        with suppress(Conflict, InvalidInput, NotFound):
            if what == "add":
                ids.append(
                    memory.add(f"heron {step} of Ana Berg", scope=rng.choice(scopes)).verdicts[0].item_id
                )
            elif what == "mark":
                marks.append(clock.now())
            elif item_id is not None and what == "move":
                memory._parts.store.write(lambda tx, item_id=item_id: tx.set_aside([item_id]))
            elif item_id is not None and what == "update":
                memory.update(item_id, content=f"heron {step} was reworded", scope=rng.choice(scopes))
            elif item_id is not None and what == "correct":
                ids.append(memory.correct(item_id, f"heron {step} is corrected").item_id)
            elif item_id is not None:
                getattr(memory, what)(item_id)
    everything = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
    for at in [*marks, clock.now() + 1, clock.now() + 1]:
        for chosen in (None, (Scope("user:ana"), Scope("global"))):
            known = {}
            for item_id in ids:
                states = [s for s in memory.history(item_id) if s.item.id == item_id and s.at <= at]
                if states and (chosen is None or states[-1].item.scope in chosen):
                    known[item_id] = states[-1].item
            past = memory._parts.store.as_of(at, chosen)
            with past.read() as reader:
                found = {item.id: item for item in reader.select(everything, limit=1000).values()}
                words = TextQuery(("heron",))
                hits = reader.search_text(words, everything, 1000).keys
                assert len(hits) == len(known)
                assert {reader.load([int(key)])[int(key)].id for key in hits} == set(known)
            past.close()
            assert {i: (x.content, x.status, x.scope) for i, x in found.items()} == {
                i: (x.content, x.status, x.scope) for i, x in known.items()
            }


def test_a_view_that_is_asked_for_again_knows_what_came_meanwhile(memory, clock):
    memory.add("the heron nests")
    at = clock.now() + 5
    assert known(memory, at) == known(memory, at)
    assert [hit.item.content for hit in memory.search("heron", as_of=iso(at)).hits] == ["the heron nests"]
    memory.add("another heron nests")
    assert len(memory.search("heron", as_of=iso(at), min_relevance=0).hits) == 2
    memory.purge(memory.list()[0].id)
    assert len(memory.search("heron", as_of=iso(at), min_relevance=0).hits) == 1


def test_a_view_that_nobody_asks_for_again_is_let_go():
    closed = threading.Event()

    class Watched(MemoryView):
        def close(self) -> None:
            super().close()
            if self.keep is None:
                closed.set()

    kept = KeptView(idle_s=0.01)
    connection = connect(":memory:")
    kept.lend("now", Watched(connection)).close()
    assert closed.wait(60), "the view is still there after a minute"
    with pytest.raises(apsw.ConnectionClosedError):
        connection.execute("SELECT 1")
    assert kept.take("now") is None


def test_a_view_that_is_asked_for_in_time_is_the_same():
    kept = KeptView(idle_s=600)
    view = MemoryView(connect(":memory:"))
    kept.lend("now", view).close()
    assert kept.take("now") is view
    kept.lend("now", view).close()
    assert kept.take("then") is None
    assert kept.take("now") is None


_NAMES = ("Petra Novak", "Ruben Ek", "Анна", "NASA", "Café Nord", "李明")
_TEXTS = (
    "We met {} at the lamps.",
    "Lamps are what {} collects.",
    "Вчера {} купила lamps.",
    "我的朋友李明喜欢 lamps。",
)


@pytest.mark.parametrize("seed", range(4))
def test_an_item_is_of_whom_it_named_then_whatever_it_says_now(memory, clock, seed):
    drawn = random.Random(seed)

    def about():
        return {
            name: {
                hit.item.id for hit in memory.search("lamps", entity=name, k=100, noted=False, **then).hits
            }
            for name in _NAMES
        }

    then, noted = {}, []
    ids = [memory.add(f"Lamp {number} is among the lamps.", type="fact").item_id for number in range(6)]
    for _ in range(12):
        clock.advance(hours=1)
        chosen = drawn.choice(ids)
        with suppress(Conflict, InvalidInput):
            if drawn.random() < 0.2:
                memory.forget(chosen)
            elif drawn.random() < 0.2:
                memory.restore(chosen)
            elif drawn.random() < 0.2:
                memory.update(chosen, entities=[drawn.choice(_NAMES)])
            else:
                memory.update(chosen, content=drawn.choice(_TEXTS).format(drawn.choice(_NAMES[:-1])))
        clock.advance(seconds=60)
        noted.append((clock.now(), about()))
    for at, was in noted:
        then = {"as_of": iso(at)}
        assert about() == was
