"""Words of a store that stand for words of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.language.search_tokens import tokens_of
from simonides.language.variants import MOST, is_slip, lookups, variants


class Words:
    """A store's tokens, and the names of its entities."""

    def __init__(self, text, names=()):
        self.held = {}
        for token in tokens_of(text):
            self.held[token] = self.held.get(token, 0) + 1
        self.names = {name.casefold() for name in names}

    def beginning(self, beginnings, most):
        return sorted(one for one in self.held.items() if one[0].startswith(tuple(beginnings)))[:most]

    def counts(self, tokens):
        return {token: self.held.get(token, 0) for token in tokens}

    def named(self, words):
        return self.names.intersection(words)


def found(question, text, *, names=(), language=None, entities=()):
    tokens = tokens_of(question)
    return variants(
        tokens, {token for name in names for token in tokens_of(name)}, language, Words(text, entities)
    )


@pytest.mark.parametrize(
    ("language", "asked", "held"),
    [
        ("de", "Katze", "Katzen"), ("de", "Häuser", "Haus"), ("de", "Kindern", "Kind"), ("de", "grüne", "grünen"),
        ("de", "Frauen", "Frau"), ("de", "Wohnung", "Wohnungen"), ("es", "gatos", "gata"),
        ("es", "reunión", "reuniones"),
        ("es", "comprar", "comprado"), ("fr", "chevaux", "cheval"), ("fr", "cheval", "chevaux"),
        ("fr", "vélos", "vélo"),
        ("fr", "parler", "parlait"), ("fr", "grande", "grands"),
    ],
)  # fmt: skip
def test_a_word_is_found_in_another_form_of_its_language(language, asked, held):
    (token,), (other,) = tokens_of(asked), tokens_of(held)
    assert token == other or found(asked, f"{held} Tisch mesa table", language=language) == {token: (other,)}


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("Micheal", "Michael"),
        ("Jonh", "John"),
        ("Katarina", "Katharina"),
        ("Josphine", "Josephine"),
        ("Владмир", "Владимир"),
    ],
)
def test_a_name_that_is_one_slip_away_is_meant(asked, held):
    (token,), (other,) = tokens_of(asked), tokens_of(held)
    assert found(asked, held, names=[asked]) == {token: (other,)}
    assert found(asked.lower(), held, entities=[held]) == {token: (other,)}


def test_a_word_that_is_no_name_is_not_taken_for_another():
    assert found("what colour is the house", "the horse is called Bella") == {}
    assert found("micheal", "michael") == {}


def test_what_the_store_holds_is_meant_as_it_is_written():
    assert found("Marie", "Marie Maria", names=["Marie"]) == {}


def test_a_long_word_that_the_store_lacks_is_looked_for_by_its_parts():
    assert found("Autoversicherung", "Die Versicherung für das Auto") == {
        "autoversicherung": ("auto versicherung",)
    }
    assert found("Arbeitszimmer", "Das Zimmer für die Arbeit") == {"arbeitszimm": ("arbeit zimmer",)}
    assert found("Autoversicherung", "Das Auto") == {}


@given(st.text("abcdefgh", min_size=5, max_size=9), st.data())
def test_a_slip_is_one_letter_or_two_neighbours(word, data):
    place = data.draw(st.integers(0, len(word) - 2))
    letter = data.draw(st.sampled_from("xyz"))
    for slipped in (
        word[:place] + word[place + 1 :],
        word[:place] + letter + word[place:],
        word[:place] + letter + word[place + 1 :],
        word[:place] + word[place + 1] + word[place] + word[place + 2 :],
    ):
        assert is_slip(word, slipped) == is_slip(slipped, word) or len(slipped) < 5
        assert is_slip(word, slipped) or slipped == word
    assert not is_slip(word, word)
    assert not is_slip(word, f"xy{word}")
    assert not is_slip(word, f"x{word[1:-1]}y")


@given(st.text("bcdf", min_size=4, max_size=9), st.data())
def test_every_name_that_is_one_slip_behind_its_first_letter_is_found(word, data):
    place = data.draw(st.integers(1, len(word) - 1))
    letters = data.draw(st.text("bcdf", max_size=2))
    other = word[:place] + letters + word[place + data.draw(st.integers(0, 2)) :]
    expected = {word: (other,)} if is_slip(word, other) else {}
    assert found(word, other, names=[word]) == expected


@given(st.lists(st.text("abcdeß", min_size=1, max_size=10), max_size=20), st.text("abcde ", max_size=40))
def test_every_variant_is_a_word_of_the_store_and_none_stands_for_itself(held, question):
    words = Words(" ".join(held))
    tokens = tokens_of(question)
    for token, some in variants(tokens, set(tokens), "de", words).items():
        assert token in tokens
        assert 0 < len(some) <= MOST
        assert token not in some
        assert all(part in words.held for one in some for part in one.split())


@given(
    tokens=st.lists(
        st.text("abdehlnsuxé", min_size=1, max_size=14) | st.sampled_from(["dad", "oma"]), max_size=6
    ),
    named=st.booleans(),
    language=st.sampled_from([None, "en", "de", "fr", "es"]),
    data=st.data(),
)
def test_a_store_that_is_far_away_can_look_up_before_what_is_asked(tokens, named, language, data):
    held = data.draw(st.dictionaries(st.sampled_from([*tokens, "haus", "hand"]), st.integers(1, 5)))
    names = set(tokens) if named else set()
    looking = lookups(tokens, names, language)

    class Recording:
        def beginning(self, beginnings, most):
            slips = {looking.slips[word] for word in tokens if word in looking.slips and word not in held}
            assert set(beginnings) <= set(looking.beginnings) | slips
            return [one for one in held.items() if one[0].startswith(tuple(beginnings))]

        def counts(self, words):
            parts = {part for word, some in looking.parts.items() if word not in held for part in some}
            assert set(words) <= {*tokens, *parts, *looking.alike}
            return {word: held.get(word, 0) for word in words}

        def named(self, words):
            return set()

    variants(tokens, names, language, Recording())
