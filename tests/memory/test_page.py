"""Pages: each item once, newest first, whatever happens between two of them."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from simonides import InvalidInput, Memory
from simonides.domain.page import Position
from simonides.testing import FakeEmbedder


def pages(memory, limit, between=lambda: None, **fields):
    """Contents, page by page."""
    cursor, told = None, []
    while True:
        page = memory.page(limit=limit, cursor=cursor, **fields)
        told.append([item.content for item in page])
        cursor = page.cursor
        if cursor is None:
            return told
        between()


@pytest.mark.parametrize(("limit", "sizes"), [(3, [3, 3, 1]), (7, [7]), (8, [7]), (1, [1] * 7)])
def test_pages_hold_every_item_once_newest_first(memory, add, limit, sizes):
    for n in range(7):
        add(f"note {n}")
    found = pages(memory, limit)
    assert [len(page) for page in found] == sizes
    assert [one for page in found for one in page] == [item.content for item in memory.list()]


def test_an_empty_list_is_one_empty_page(memory):
    assert pages(memory, 5) == [[]]


def test_what_comes_between_two_pages_moves_nothing(memory, add):
    for n in range(6):
        add(f"note {n}")
    number = iter(range(100))
    assert pages(memory, 2, lambda: add(f"later {next(number)}")) == [
        ["note 5", "note 4"],
        ["note 3", "note 2"],
        ["note 1", "note 0"],
    ]


def test_the_item_at_the_end_of_a_page_may_be_purged(memory, add):
    ids = [add(f"note {n}") for n in range(4)]
    first = memory.page(limit=2)
    memory.purge(ids[2])
    assert [item.content for item in memory.page(limit=2, cursor=first.cursor)] == ["note 1", "note 0"]


def test_filters_hold_on_every_page(memory, add):
    for n in range(6):
        add(f"fact {n}", type="fact", tags=["odd"] if n % 2 else ["even"])
    assert pages(memory, 2, tags=["odd"]) == [["fact 5", "fact 3"], ["fact 1"]]


@pytest.mark.parametrize(
    "cursor", ["", "i", "x1", "i-1", "iffffffffffffffff", "i1\n", "a" * 99, 5, "i0x1", "abc", "i1"]
)
def test_a_cursor_that_no_page_gave_is_refused(memory, cursor):
    with pytest.raises(InvalidInput, match="cursor"):
        memory.page(cursor=cursor)


CURSORS = st.builds(lambda *key: Position(*key).cursor, st.integers(0, (1 << 63) - 1), st.booleans())


@given(
    st.one_of(
        st.text(max_size=20),
        st.text("ia0123456789abcdef-", max_size=20),
        st.builds(lambda one, at: one[:at], CURSORS, st.integers(0, 9)),
        st.builds(lambda one, at: one[at:], CURSORS, st.integers(1, 9)),
        st.builds(lambda one, other, at: one[:at] + other[at:], CURSORS, CURSORS, st.integers(1, 20)),
        st.builds(str.upper, CURSORS),
        st.builds(lambda one, more: one + more, CURSORS, st.text(min_size=1, max_size=3)),
    ),
    st.sets(CURSORS, max_size=5),
)
def test_only_what_a_page_gave_is_a_cursor(word, given_out):
    try:
        found = Position.of(word)
    except InvalidInput:
        assert word not in given_out
    else:
        assert found.cursor == word


@given(st.integers(0, (1 << 63) - 1), st.booleans())
def test_a_cursor_is_read_as_it_was_written(key, archive):
    assert Position.of(Position(key, archive).cursor) == Position(key, archive)


@hypothesis_settings(max_examples=25)
@given(st.lists(st.sampled_from(["add", "forget", "page"]), max_size=40), st.integers(1, 4))
def test_what_stays_is_told_once(steps, limit):
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        ids = [memory.add(f"note {n}").item_ids[0] for n in range(12)]
        told, cursor, stays = [], None, set(ids)
        for n, step in enumerate([*steps, *["page"] * 40]):
            if step == "add":
                memory.add(f"later {n}")
            elif step == "forget" and stays:
                stays.discard(gone := sorted(stays)[n % len(stays)])
                memory.forget(gone)
            else:
                page = memory.page(limit=limit, cursor=cursor)
                told += [item.id for item in page]
                if (cursor := page.cursor) is None:
                    break
        assert len(told) == len(set(told))
        assert stays <= set(told)
