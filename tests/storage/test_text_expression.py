"""Rows that a text query looks at on a large store."""

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.sql import expression
from simonides.storage.sql.expression import MOST_SCORED, SMALL_STORE, affordable, whole
from simonides.storage.sqlite import text
from simonides.storage.sqlite.store import SqliteStore
from simonides.testing import an_item

ROWS = 1_000_000
LETTERS = "abcdefgh"
EVERYTHING = Selection(scopes=None, live_at=None)


def chosen(**counts):
    return affordable(tuple(counts), counts, ROWS)


def test_few_postings_are_scored_whole():
    assert chosen(falcon=300, heron=4_500) == whole(("falcon", "heron"))
    assert chosen(falcon=0) == whole(("falcon",))


def test_the_rarest_terms_choose_rows_by_themselves_and_the_others_in_pairs():
    found = chosen(falcon=100, heron=6_000, river=20_000)
    assert found.expression == '("falcon" OR "heron") AND ("falcon" OR "river")'
    assert found.repeated == '"falcon"'
    assert found.terms == ("falcon", "heron", "river")
    assert found.most == MOST_SCORED


def test_pairs_that_too_many_rows_hold_are_not_looked_for():
    found = chosen(falcon=100, heron=90_000, river=90_000, the=900_000)
    assert found.terms == ("falcon", "heron", "river")
    assert "the" not in found.expression


def test_a_term_that_stands_alone_is_looked_for_however_common_it_is():
    found = chosen(the=900_000, missing=0)
    assert (found.expression, found.terms, found.most) == ('"the"', ("the",), MOST_SCORED)


def test_what_stands_twice_in_an_expression_is_told():
    counts = {f"word{n}": 50 * (n + 1) ** 2 for n in range(40)}
    found = affordable(tuple(counts), counts, ROWS)
    assert len(set(found.terms)) == len(found.terms)
    assert found.expression.count('"') == 2 * len(found.terms) + found.repeated.count('"')


def test_quotes_end_no_term():
    assert whole(('a"b',)).expression == '"a""b"'
    assert whole(("red", "fal"), every=True, prefixes=True).expression == '"red"* AND "fal"*'


@pytest.fixture
def large(memory):
    """A store in which `common` occurs everywhere, and two words in every hundredth row, together in one."""
    texts = [f"common {n}" + (" heron" if n % 100 == 0 else "") + (" river" if n % 100 == 1 else "") for n in range(SMALL_STORE)]  # fmt: skip  # noqa: E501
    memory.add([*texts, "common heron river"])
    return memory


def looked_up(memory, *terms, limit=5):
    with memory._parts.store.read() as reader:
        keys = reader.search_text(TextQuery(terms), EVERYTHING, limit).keys.tolist()
        items = reader.load(keys)
    return [items[key].content for key in keys]


def test_a_row_that_holds_two_common_words_is_found_among_those_that_hold_one(large):
    assert looked_up(large, "common", "heron", "river")[0] == "common heron river"


def test_of_a_word_that_too_many_rows_hold_the_newest_are_looked_at(large):
    found = looked_up(large, "common", limit=2 * MOST_SCORED)
    assert len(found) == MOST_SCORED
    assert "common heron river" in found
    assert "common 17" not in found


@given(
    rows=st.lists(st.sets(st.sampled_from(LETTERS)), min_size=1, max_size=40),
    asked=st.lists(st.sampled_from(LETTERS), min_size=1, max_size=8, unique=True),
    bounds=st.fixed_dictionaries(
        {"_ALONE": st.integers(0, 30), "_PAIRED": st.integers(0, 30), "_SMALL_QUERY": st.integers(0, 9)}
    ),
)
@example(
    rows=[set("ab"), set("bc"), set("ac"), set("b"), set("b"), set("c"), set("c")],
    asked=["a", "b", "c"],
    bounds={"_ALONE": 2, "_PAIRED": 30, "_SMALL_QUERY": 0},
)
def test_a_row_is_scored_by_all_terms_that_take_part_however_it_was_chosen(rows, asked, bounds):
    with (
        TemporaryDirectory() as folder,
        closing(SqliteStore(Path(folder) / "memory.db", synchronous="OFF")) as store,
    ):
        texts = [
            " ".join([f"no{number}", *(f"word{letter}" for letter in sorted(row))])
            for number, row in enumerate(rows)
        ]
        new = [NewItem(an_item(text), Outcome.ACCEPTED) for text in texts]
        store.write(lambda tx: tx.insert(new, None))
        with store.read() as reader:
            with patch.multiple(expression, **bounds), patch.object(text, "SMALL_STORE", 0):
                found = reader.search_text(
                    TextQuery(tuple(f"word{letter}" for letter in asked)), EVERYTHING, 40
                )
            by_all = reader.search_text(TextQuery(found.terms), EVERYTHING, 40)
    scores = dict(zip(by_all.keys.tolist(), by_all.scores.tolist(), strict=True))
    assert found.scores.tolist() == pytest.approx([scores[key] for key in found.keys.tolist()])
