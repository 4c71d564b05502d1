"""Asking what was known at an instant."""

import pytest

from simonides.domain.instant import iso
from simonides.domain.item import Status
from simonides.domain.scope import ALL
from simonides.domain.selection import Selection


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
