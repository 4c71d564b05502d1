"""Names in items: what ties one to the next."""

import pytest

from simonides.recall.agenda.names import Bonds, bonds_of, names_of, ordinary_words, says, says_alone


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lena leads Apollo.", ("Apollo", "Lena")),
        ("We asked Anna Berg about it.", ("Anna Berg",)),
        ("I met Anna Berg's friend Bob O'Brien.", ("Anna Berg", "Bob O'Brien")),
        ("Thanks, Lena! Wow, Marek.", ("Lena", "Marek")),
        ("Great! Good.", ()),
        ("Lena's manager is Marek.", ("Marek", "Lena")),
        ("We met on Monday in March.", ()),
        ("Лена живёт у Петра.", ("Петра", "Лена")),
        ("Élodie aime Paris.", ("Paris", "Élodie")),
        ("莱娜住在格但斯克。", ()),
        ("I can't. It's me!", ()),
        ("", ()),
    ],
)
def test_names_are_words_with_a_capital_that_a_sentence_does_not_explain(fake, text, names):
    assert names_of(fake.sketch(1, text), frozenset()) == names


def test_entities_are_names_whatever_they_look_like_and_come_first(fake):
    sketch = fake.sketch(1, "She asked Marek.", entities="apollo\nthe north tower")
    assert names_of(sketch, frozenset()) == ("apollo", "the north tower", "Marek")


def test_who_speaks_is_no_name_in_what_is_said(fake):
    sketch = fake.sketch(1, "I am Lena, and this is Marek.", type="episode", sender="Lena", entities="Lena")
    assert names_of(sketch, frozenset()) == ("Marek",)


def test_a_word_that_others_write_small_is_no_name_by_itself(fake):
    ordinary = ordinary_words(["we had tea and rain yesterday at the north gate"])
    assert names_of(fake.sketch(1, "Yesterday we saw it: Tea and Rain."), ordinary) == ()
    assert names_of(fake.sketch(1, "Yesterday Lena came to North Gate."), ordinary) == ("Lena", "North Gate")
    assert bonds_of(["Lena Vogt", "North Gate"], ordinary) == Bonds(
        frozenset({"lena vogt", "north gate"}), frozenset({"lena", "vogt"})
    )


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("Lena van Dyck", "Lena van Dyck", {"lena van dyck"}),
        ("Lena van Dyck", "lena", {"lena"}),
        ("Lena van Dyck", "Dyck", {"dyck"}),
        ("apollo", "Apollo", {"apollo"}),
        ("Lena Vogt", "Lena Ek", set()),
        ("Lena Vogt", "Boris Vogt", set()),
        ("Lena van Dyck", "van", set()),
    ],
)
def test_a_part_of_a_name_ties_to_the_whole_and_not_to_namesakes(one, other, shared):
    ties = bonds_of([one]).shared(bonds_of([other]))
    assert ties == bonds_of([other]).shared(bonds_of([one])) == shared


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("Lena leads Apollo.", True),
        ("apollo is late", True),
        ("Apollo Two is late.", False),
        ("Apollo Two is late, Apollo is not.", True),
        ("Apollonia is late.", False),
        ("Apollo 2 is late.", True),
    ],
)
def test_a_name_stands_alone_where_no_capitalised_word_follows(text, alone):
    assert says_alone(text, "apollo") is alone


def test_only_the_beginning_of_a_long_text_is_looked_through(fake):
    assert names_of(fake.sketch(1, "and so on " * 1000 + "Marek"), frozenset()) == ()


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("Who is the manager?", "Ana", False),
        ("Who is ana's manager?", "Ana", True),
        ("Where is Marrow Hill?", "Marrow Hill", True),
        ("Where is Marrow Hilltop?", "Marrow Hill", False),
        ("莱娜住在哪里", "莱娜", True),
        ("C++ (or C)", "C++", True),
    ],
)
def test_a_name_is_said_as_whole_words(text, name, said):
    assert says(text, name) is said
