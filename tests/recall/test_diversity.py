"""The same text never twice, and nothing else."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.ports.store import Sketch
from simonides.recall.diversity import distinct


def sketch(key, content, title=""):
    values = dict.fromkeys(Sketch._fields) | {"key": key, "content": content, "title": title}
    return Sketch(**values)


def test_a_repeat_is_folded_into_the_better_one_and_said():
    found = distinct(
        [sketch(4, "tea"), sketch(1, "coffee"), sketch(9, "tea"), sketch(2, "tea"), sketch(3, "milk")]
    )
    assert [one.key for one in found.kept] == [4, 1, 3]
    assert found.folded == {4: (9, 2)}


@pytest.mark.parametrize("ended", [{"superseded_by": "m-1"}, {"validation": "retracted"}])
def test_of_equal_texts_one_that_holds_stands_for_those_that_were_replaced_or_forgotten(ended):
    first, second, last = (sketch(key, "tea") for key in (4, 9, 2))
    old = {key: one._replace(**ended) for key, one in ((4, first), (9, second), (2, last))}
    found = distinct([old[4], sketch(1, "coffee"), old[9], last], holding=True)
    assert ([one.key for one in found.kept], found.folded) == ([2, 1], {2: (4, 9)})
    found = distinct([first, old[9], last], holding=True)
    assert ([one.key for one in found.kept], found.folded) == ([4], {4: (9, 2)})
    found = distinct([old[4], old[9]], holding=True)
    assert ([one.key for one in found.kept], found.folded) == ([4], {4: (9,)})
    # What held once is answered by what was replaced.
    assert distinct([old[4], last]).folded == {4: (2,)}


@pytest.mark.parametrize(
    ("first", "again"), [("the tea", "  the\ttea\n"), ("thé", unicodedata.normalize("NFD", "thé"))]
)
def test_blanks_and_unicode_forms_make_no_difference(first, again):
    assert distinct([sketch(1, first), sketch(2, again)]).folded == {1: (2,)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Tea is in the tin.", ""), ("Tea is in the tin", "")),
        (("Tea", ""), ("tea", "")),
        (("cancelled", "Monday"), ("cancelled", "Tuesday")),
        (("b c", "a"), ("c", "a b")),
    ],
)
def test_what_is_only_similar_stays(one, other):
    assert distinct([sketch(1, *one), sketch(2, *other)]).folded == {}


def test_a_turn_and_what_was_made_of_it_are_two():
    fact, turn, again = (
        sketch(n, "tea")._replace(type=kind) for n, kind in enumerate(("fact", "episode", "episode"))
    )
    found = distinct([turn, fact, again])
    assert [one.key for one in found.kept] == [1, 0]
    assert found.folded == {1: (2,)}


def test_nothing_has_no_repeats():
    assert distinct([]).kept == ()


@given(texts=st.lists(st.sampled_from(["a", "b", " a", "c d", "c  d", "e"]), max_size=12))
def test_order_is_kept_nothing_is_lost_and_once_is_enough(texts):
    ranked = [sketch(key, text) for key, text in enumerate(texts)]
    found = distinct(ranked)
    keys = [one.key for one in found.kept]
    assert keys == sorted(keys)
    folded = [key for repeats in found.folded.values() for key in repeats]
    assert sorted([*keys, *folded]) == list(range(len(texts)))
    assert distinct(found.kept) == type(found)(found.kept, {})


def told(key, content, item_type="episode", session_id="s1"):
    return sketch(key, content)._replace(type=item_type, session_id=session_id, scope=1)


def test_a_summary_that_quotes_a_turn_gives_way_to_it():
    event = told(1, "We painted the boat on Saturday. Ana: The mast is rotten and has to…", "event")
    turn = told(2, "Hello there. We painted the boat on Saturday. It took long.")
    found = distinct([event, turn])
    assert [one.key for one in found.kept] == [2]
    assert found.folded == {2: (1,)}


def test_who_said_it_is_no_part_of_a_quoted_sentence():
    event = told(1, "Ana: The mast is rotten and has to…", "event")
    assert [one.key for one in distinct([event, told(2, "The mast is rotten and has to go.")]).kept] == [2]


@pytest.mark.parametrize(
    "event",
    [
        told(1, "Ana and Ben painted a boat together.", "event"),
        told(1, "We painted the boat on Saturday.", "event", session_id="s2"),
        told(1, "Yes.", "event"),
        told(1, "We painted the boat on Saturday.", "fact"),
    ],
    ids=["in other words", "of another session", "too short to be a quotation", "no summary"],
)
def test_what_is_no_quotation_of_a_turn_stays(event):
    turn = told(2, "Yes. We painted the boat on Saturday.")
    assert len(distinct([event, turn]).kept) == 2


def test_a_title_ends_no_sentence_that_a_turn_could_be_quoted_by():
    event = told(1, "Ana: The check-up is with Dr. Meier on Monday, she says.", "event")
    assert len(distinct([event, told(2, "Then ask Meier on Monday, she says.")]).kept) == 2
