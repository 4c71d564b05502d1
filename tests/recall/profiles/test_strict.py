"""The profile `strict`: every word, else step by step less, and which step answered."""

import pytest

from simonides.domain.taxonomy import TAXONOMY
from simonides.recall.ranking.profiles.strict import Strict

TEXTS = [
    "the red falcon nests on cliffs",
    "a red falcon was seen in Graz",
    "a red heron was seen",
    "falconry is taught in Graz",
    "the red kite",
    "the red bus",
]


@pytest.fixture
def birds(memory):
    memory.add(TEXTS)
    return memory


@pytest.mark.parametrize(
    ("question", "found", "step"),
    [
        ("red falcon", TEXTS[:2], "every word"),
        ("falcons, seen, red", [TEXTS[1]], "every word"),
        # Nothing holds all; "red", the commonest, goes first, and the rarest last.
        ("the red falconry of Graz", [TEXTS[3]], "2 of 3 words"),
        ("red heron of Graz", [TEXTS[2]], "1 of 3 words"),
        # Nothing holds "grazing" or "falc" as a word.
        ("Gra falc", [TEXTS[3], TEXTS[1]], "beginnings of words"),
        ("the red ostrich", [*TEXTS[:3], *TEXTS[4:]], "any word"),
    ],
)
def test_the_first_step_that_finds_anything_answers_and_is_named(birds, question, found, step):
    result = birds.search(question, profile="strict", min_relevance=0)
    assert {hit.item.content for hit in result} == set(found)
    assert result.strategy == f"text+{step}"


def test_where_any_word_will_do_those_that_hold_more_come_first(birds):
    result = birds.search("ostrich seen red", profile="strict", min_relevance=0)
    assert result.strategy == "text+any word"
    assert result.hits[0].item.content == TEXTS[2]
    assert [hit.relevance for hit in result] == sorted((hit.relevance for hit in result), reverse=True)


def test_nothing_but_what_holds_the_words_is_an_answer(memory, clock):
    """Not by an entity, a time, a link or what it said before."""
    first, other = memory.add(["a red falcon of Petra Novak", "an owl of Petra Novak"]).item_ids
    memory.link(first, other, "references")
    memory.correct(memory.add("the falcon is red").item_ids[0], "it was an owl")
    clock.advance(days=1)
    result = memory.search("red falcon of Petra Novak", profile="strict", min_relevance=0)
    assert [hit.item.content for hit in result] == ["a red falcon of Petra Novak"]


def test_where_nothing_is_found_a_search_says_so(birds):
    result = birds.search("submarine", profile="strict")
    assert (result.hits, result.abstained) == ((), True)
    assert birds.search("👍", profile="strict").hits == ()


def test_a_scope_is_kept_at_every_step(birds):
    birds.add("a red falcon nests in Graz", scope="user:ana")
    assert birds.search("red falcon nests in Graz", profile="strict").strategy == "text+1 of 4 words"
    result = birds.search("red falcon nests in Graz", profile="strict", scope="user:ana")
    assert [hit.item.content for hit in result] == ["a red falcon nests in Graz"]


def test_a_score_is_the_words_held_and_bm25_where_they_tie(ranking):
    table = ranking.candidates(
        *[ranking.sketch(key) for key in (1, 2, 3)], bm25=[4, 8, 2], coverage=[0.5, 0.5, 0.75]
    )
    found = Strict().rank(table, TAXONOMY)
    # .99 · held + .01 · BM25 / best · most that any holds
    assert found.score == pytest.approx([0.495 + 0.00375, 0.495 + 0.0075, 0.7425 + 0.001875])
    assert ranking.best(found) == [3, 2, 1]
