"""Text search: never an error, whatever is asked; and what happens when its index is missing."""

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simonides.domain.item import Status
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.errors import StoreDamaged
from simonides.language.terms import terms
from simonides.ports.store import NewItem, TextQuery
from simonides.storage.sql.expression import SMALL_STORE
from simonides.storage.sqlite.text import LONG_BYTES, MAX_TERMS
from simonides.testing import an_item

EVERYTHING = Selection(scopes=None, live_at=None)
many = settings(max_examples=150, derandomize=True)

OPERATORS = [
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "NEAR(",
    "a AND",
    '"',
    '""',
    "'",
    "*",
    "^",
    "+",
    "-",
    ":",
    "title:",
    "{a b}:",
]
OPERATORS += [
    "(",
    ")",
    "((((",
    "\\",
    "%",
    "_",
    "%%",
    "\0",
    "a\0b",
    "\x1a",
    "\ud800",
    "\ufeff",
    "\u200d",
    ";--",
    "/*",
]
PIECES = st.sampled_from(OPERATORS) | st.text(st.characters(exclude_categories=()), max_size=8)
HOSTILE = st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=12).map(" ".join)


@pytest.fixture
def found(store):
    """Contents that a search over a small store finds."""
    put(store, an_item("the red falcon"), an_item("配置文件 and café"), an_item("NEAR AND title:x"))

    def search(query, selection=EVERYTHING, limit=10):
        with store.read() as reader:
            matches = reader.search_text(query, selection, limit)
            items = reader.load(matches.keys.tolist())
        assert matches.degraded is None
        return [items[key].content for key in matches.keys.tolist()]

    return search


def put(store, *items):
    store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in items], None))


@many
@given(st.lists(HOSTILE, max_size=6), st.booleans(), st.booleans())
@example(["x" * 100_000], False, False)
@example(["x_" * 50_000], False, True)
@example(['"' * 100_000], True, True)
@example(["配" * 100_000], False, False)
@example(["word"] * 1000, True, False)
@example([str(n) for n in range(1000)], False, True)
def test_no_terms_are_an_error(found, words, every, prefixes):
    found(TextQuery(tuple(words), every=every, prefixes=prefixes))


@many
@given(HOSTILE)
@example('"' * 100_000)
@example("a" * 100_000)
@example("NEAR(" * 20_000)
@example("x_" * 50_000)
def test_no_question_is_an_error(found, question):
    found(TextQuery(terms(question)))
    assert "the red falcon" in found(TextQuery((*terms(question)[:5], "falcon")))


def test_only_so_many_terms_are_looked_for(found):
    words = (*(f"word{n}" for n in range(MAX_TERMS)), "falcon")
    assert found(TextQuery(words)) == []
    assert found(TextQuery(words[1:])) == ["the red falcon"]


def test_a_repeated_term_counts_once(found):
    assert found(TextQuery(("word",) * 100 + ("falcon",))) == ["the red falcon"]


@pytest.mark.parametrize("selection", [{"scopes": (Scope("user:ana"),)}, {"types": frozenset({"note"})}])
def test_a_thousand_better_matches_that_do_not_pass_crowd_nothing_out(store, found, selection):
    others = [an_item(f"osprey osprey {n}") for n in range(1000)]
    put(store, *others, an_item("an osprey among words", type="note", scope=Scope("user:ana")))
    narrow = Selection(**({"scopes": None, "live_at": None} | selection))
    assert found(TextQuery(("osprey",)), narrow, 1) == ["an osprey among words"]


def test_on_a_large_store_the_commonest_terms_give_way_to_rarer_ones(store):
    put(store, *[an_item(f"common {n}") for n in range(SMALL_STORE + 100)], an_item("common rarity"))
    with store.read() as reader:
        matches = reader.search_text(TextQuery(("common", "rarity", "missing")), EVERYTHING, 5)
        assert matches.terms == ("rarity",)
        assert [reader.load([key])[key].content for key in matches.keys.tolist()] == ["common rarity"]
        alone = reader.search_text(TextQuery(("common",)), EVERYTHING, 5)
        assert (alone.terms, len(alone.keys)) == (("common",), 5)
        both = reader.search_text(TextQuery(("common", "rarity"), every=True), EVERYTHING, 5)
        assert len(both.keys) == 1


# Agreement of the index with the items


def indexed_words(raw):
    return {row[0] for row in raw().execute("SELECT term FROM memory_items_terms")}


def test_the_index_holds_the_present_words_of_the_items_and_no_others(store, raw):
    first = an_item("falcon", title="heron", tags=("stork",), entities=("Ibis",))
    second = an_item("osprey")
    put(store, first, second)
    assert indexed_words(raw) == {"falcon", "heron", "stork", "ibi", "osprei"}
    reworded = an_item("crane", id=first.id)
    store.write(lambda tx: tx.revise(reworded, reason="r", action="update"))
    assert indexed_words(raw) == {"crane", "osprei"}
    archived = an_item("crane", id=first.id, status=Status.ARCHIVED)
    store.write(lambda tx: tx.revise(archived, reason="r", action="forget"))
    assert indexed_words(raw) == {"crane", "osprei"}
    store.purge([first.id], 0)
    assert indexed_words(raw) == {"osprei"}
    assert list(store.check()) == []


# Without the index


@pytest.fixture
def without_index(memory, raw):
    """A memory whose text index somebody dropped."""
    memory.add(["the red falcon", "a grey heron", "50% of _all_ \\ birds", "请打开配置文件"])
    raw().execute("DROP TABLE memory_items_fts")
    return memory


def contents(result):
    return [hit.item.content for hit in result.hits]


def test_without_the_index_search_goes_on_and_says_so(without_index):
    result = without_index.search("where is the falcon?")
    assert contents(result)[0] == "the red falcon"
    assert any("rebuild-fts" in reason for reason in result.degradations)


def test_without_the_index_wildcards_are_ordinary_characters(without_index, open_store):
    with open_store().read() as reader:
        for term, count in (
            ("50%", 1),
            ("_all_", 1),
            ("5_%", 0),
            ("%", 1),
            ("\\", 1),
            ("配置", 1),
            ("bird", 1),
        ):
            matches = reader.search_text(TextQuery((term,)), EVERYTHING, 10)
            assert len(matches.keys) == count, term
            assert "LIKE" in matches.degraded


def test_without_the_index_any_or_every_term_is_found_best_first(without_index, open_store):
    with open_store().read() as reader:
        some = reader.search_text(TextQuery(("heron", "falcon", "red")), EVERYTHING, 10)
        assert reader.load(some.keys.tolist()[:1]).popitem()[1].content == "the red falcon"
        assert some.scores.tolist() == [2.0, 1.0]
        every = reader.search_text(TextQuery(("red", "heron"), every=True), EVERYTHING, 10)
        assert len(every.keys) == 0


def test_without_the_index_the_filters_hold(without_index):
    assert contents(without_index.search("falcon", types=["note"], min_relevance=0))
    assert not contents(without_index.search("falcon", types=["decision"], min_relevance=0))
    assert not contents(without_index.search("falcon", tags=["x"], min_relevance=0))


@pytest.mark.parametrize("question", ["x" * 100_000, "%" * 100_000, "x_" * 50_000, "\\" * 70_000])
def test_without_the_index_no_length_is_an_error(without_index, open_store, question):
    without_index.search(question)
    with open_store().read() as reader:
        reader.search_text(TextQuery((question,)), EVERYTHING, 10)


def test_without_the_index_a_write_fails_and_says_what_helps(without_index):
    with pytest.raises(StoreDamaged, match="rebuild-fts"):
        without_index.add("another bird")
    without_index.rebuild_fts()
    assert without_index.add("another bird").verdicts[0].stored


def test_an_index_made_anew_finds_everything_again(without_index, raw):
    assert not without_index.doctor().healthy
    without_index.rebuild_fts()
    result = without_index.search("falcon")
    assert contents(result)[0] == "the red falcon"
    assert result.degradations == ()
    assert without_index.doctor().healthy
    assert {"falcon", "配置"} <= indexed_words(raw)


def test_a_damaged_index_is_named_and_can_be_made_anew(memory, raw):
    memory.add(["the red falcon", "a grey heron"])
    connection = raw()
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.execute("UPDATE memory_items_fts_data SET block = randomblob(length(block)) WHERE id > 10")
    result = memory.search("falcon")
    assert contents(result)[0] == "the red falcon"
    assert any("rebuild-fts" in reason for reason in result.degradations)
    assert "text index" in {problem.area for problem in memory.doctor().problems}
    memory.rebuild_fts()
    assert memory.search("falcon").degradations == ()
    assert memory.doctor().healthy


def test_long_texts_alone_are_found_where_there_are_any(store):
    def found(above):
        with store.read() as reader:
            return reader.search_text(
                TextQuery(("harbour",), above_bytes=above), EVERYTHING, 10
            ).keys.tolist()

    def put(content):
        store.write(lambda tx: tx.insert([NewItem(an_item(content), Outcome.ACCEPTED)], None))

    put("The harbour opens at seven.")
    assert [found(bound) for bound in (0, 10, LONG_BYTES, 5_000)] == [[1], [1], [], []]
    put("The harbour of the north. " + "é" * (LONG_BYTES // 2))
    put("The harbour of the south. " * 300)
    assert sorted(found(0)) == sorted(found(10)) == [1, 2, 3]
    assert sorted(found(LONG_BYTES)) == [2, 3]
    assert found(5_000) == [3]
