"""Answers about texts are kept while they are short and few."""

from simonides.domain.kept import forget_texts, kept


def counting(most, **bound):
    asked = []

    @kept(most, **bound)
    def length(text):
        """Its length."""
        asked.append(text)
        return len(text)

    return length, asked


def test_a_short_text_is_worked_through_once():
    length, asked = counting(10)
    assert [length("abc"), length("abc")] == [3, 3]
    assert asked == ["abc"]
    assert length.__doc__ == "Its length."


def test_a_long_text_is_not_held():
    length, asked = counting(10)
    assert length("x" * 5000) == length("x" * 5000) == 5000
    assert len(asked) == 2


def test_so_many_are_kept_and_no_more():
    length, asked = counting(2)
    for text in ("a", "b", "c", "c", "a"):
        length(text)
    assert asked == ["a", "b", "c", "a"]


def test_a_text_of_any_length_is_held_where_nothing_bounds_it():
    length, asked = counting(2, longest=None)
    assert length("x" * 5000) == length("x" * 5000) == 5000
    assert len(asked) == 1


def test_nothing_is_held_once_texts_are_to_be_forgotten():
    length, asked = counting(10)
    length("abc")
    forget_texts()
    length("abc")
    assert asked == ["abc", "abc"]
