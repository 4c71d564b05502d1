"""Names as they are written, and phrases to look up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language import question_names as module
from simonides.language.question_names import MAX_CANDIDATES, MAX_NAMES, candidates_in, names_in
from simonides.language.sentences import read

NAMES = [
    ("When did Anna Petrova move to Oslo?", ("Anna Petrova", "Oslo")),
    ("Did the Museum of Modern Art open?", ("Museum of Modern Art",)),
    ("Which did Anna and Bert choose?", ("Anna", "Bert")),
    ("Where is Anna's key and Bert’s ladder?", ("Anna", "Bert")),
    ("Anna, Bert and Greta", ("Anna", "Bert", "Greta")),
    ("What did Dr. Seuss write?", ("Seuss",)),
    ("Who is E. M. Forster?", ("E. M. Forster",)),
    ("Did O'Brien call AT&T about C++?", ("O'Brien", "AT&T", "C++")),
    ("What's new? Who's there? I'm Anna. I think so.", ("Anna",)),
    ("Is IT slow in the US? It is ONLY us.", ("IT", "US")),
    ("WHERE IS MY KEY?", ()),
    ("What Is The Name Of My Dog", ("Dog",)),
    ("where is my key", ()),
    ("What do I do on Mondays in January?", ()),
    ("Remind me. Tell Greta. List all.", ("Greta",)),
    (
        "What does @ana_b do with retryCount and max_size in foo.bar?",
        ("@ana_b", "retryCount", "max_size", "foo.bar"),
    ),
    ("write to ana.b@example.org", ("ana.b@example.org",)),
    ("see https://example.org/Foo_Bar, Anna", ("Anna",)),
    ('Did I like "The Lord of the Rings" or “Dune”?', ("The Lord of the Rings", "Dune")),
    ("'The night of' and ‘some of it’ end, don't they?", ("The night of", "some of it")),
    ("Кто написал «Война и мир» и 《红楼梦》?", ("Война и мир", "红楼梦")),
    ("「雪国」は面白い?", ("雪国",)),
    ("Что сказала Анна Петрова про Мурманск?", ("Анна Петрова", "Мурманск")),
    ("Где Лина? Напомни. Почему? Сколько?", ("Лина",)),
    ("Où habite Jean-Luc de la Tour ?", ("Jean-Luc de la Tour",)),
    ("Erzähle mir, was Ana am Montag machte.", ("Ana",)),
    ("Recuérdame qué dijo Ana Ruiz.", ("Ana Ruiz",)),
    ("Ça va, Élodie ?", ("Élodie",)),
    ("Πού μένει η Μαρία;", ("Πού", "Μαρία")),
    ("用 retryCount 问 Anna 的事", ("retryCount", "Anna")),
    ("anna, ANNA", ("ANNA",)),
    ("?!", ()),
]


@pytest.mark.parametrize(("text", "names"), NAMES)
def test_names_are_found_as_they_are_written(text, names):
    assert names_in(read(text)) == names


def test_the_words_that_named_a_time_are_no_name():
    text = "What did Anna do in April 2023?"
    taken = (text.index("in April"), text.index("?"))
    assert names_in(read(text), taken) == ("Anna",)
    assert names_in(read(text)) == ("Anna", "April")


def test_candidates_are_the_names_and_runs_of_up_to_five_words():
    found = candidates_in(read("Where is the Kettle of Anna's aunt?"), ("Kettle of Anna",))
    assert found[0] == "kettle of anna"
    assert {"kettle", "anna", "aunt", "the kettle", "kettle of anna's aunt", "is the kettle of anna"} <= set(
        found
    )
    assert not {"where", "is the", "of", "where is the"} & set(found)
    assert all(phrase == phrase.casefold() and len(phrase.split()) <= 5 for phrase in found)


def test_candidates_of_a_cjk_run_are_its_parts_of_two_to_six_characters():
    found = candidates_in(read("王思琪的生日"), ())
    assert {"王思琪", "生日", "王思", "王思琪的生日"} <= set(found)
    assert {len(phrase) for phrase in found} == {2, 3, 4, 5, 6}
    assert "是的" not in candidates_in(read("是的，我的"), ())


def test_a_name_with_marks_inside_is_a_candidate_as_it_is_written():
    assert "dr. seuss" in candidates_in(read("What did Dr. Seuss write?"), ())


def test_no_candidate_reaches_over_the_end_of_a_sentence():
    assert "kettle where" not in candidates_in(read("kettle? Where"), ())


def test_of_a_long_text_the_names_and_the_short_candidates_are_kept():
    words = [f"word{n}" for n in range(150)]
    found = candidates_in(read(" ".join(words)), ("Zed",))
    assert len(found) == MAX_CANDIDATES
    assert found[0] == "zed"
    assert set(words) <= set(found)


@given(text=st.text(max_size=600))
def test_any_text_has_bounded_names_and_candidates_none_twice(text):
    reading = read(text)
    names = names_in(reading)
    candidates = candidates_in(reading, names)
    assert len(names) <= MAX_NAMES
    assert len(candidates) <= MAX_CANDIDATES
    assert len({name.casefold() for name in names}) == len(names)
    assert len(set(candidates)) == len(candidates)
    assert [name.casefold() for name in names] == list(candidates[: len(names)])
    assert (names, candidates) == (names_in(reading), candidates_in(reading, names))


@given(st.text("aZ1_ .'&+#-/\t\n", max_size=30))
def test_what_is_ascii_has_the_words_of_any_text(text):
    assert [word.span() for word in module._PLAIN_WORD.finditer(text)] == [
        word.span() for word in module._WORD.finditer(text)
    ]
