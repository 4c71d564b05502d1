"""Forms of a word that the index does not fold by itself are found by each other, in stores of any age."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.terms import terms
from simonides.recall.ranking.profiles import PROFILES
from simonides.testing import FakeEmbedder

WORDS = {
    "kayak": ("байдарка", "байдарку", "байдарки", "байдаркой", "байдарке"),
    "book": ("книга", "книги", "книгу", "книгой", "книг"),
    "Moscow": ("Москва", "Москве", "Москву", "Москвой"),
    "fir": ("ёлка", "елка", "ёлку", "елки"),
    "home": ("дом", "дома", "доме", "дому"),
    "red": ("красный", "красная", "красную", "красного"),
    "API": ("ＡＰＩ", "api", "API", "ａｐｉ"),
    "falcon": ("ｆａｌｃｏｎ", "falcon", "FALCON"),
}
OTHERS = ("который", "кот", "картина", "домино", "книжник", "Мост", "kettle", "东西")


def found(memory, question, **fields):
    return {hit.item.content for hit in memory.search(question, **fields) if hit.matches.get("coverage")}


@settings(max_examples=15)
@given(data=st.data(), kept=st.lists(st.sampled_from([*WORDS]), min_size=1, max_size=4, unique=True))
def test_a_word_is_found_in_whatever_form_it_is_asked_for_and_no_other_is(tmp_path_factory, data, kept):
    with Memory(tmp_path_factory.mktemp("forms") / "m.db", embedder=FakeEmbedder()) as memory:
        memory.add([f"note of {word}" for word in OTHERS])
        notes = {name: f"note of {data.draw(st.sampled_from(WORDS[name]))}" for name in kept}
        for note in notes.values():
            memory.add(note)
        for name, forms in WORDS.items():
            asked = data.draw(st.sampled_from(forms))
            wanted = {notes[name]} if name in notes else set()
            assert found(memory, asked, k=20) == wanted, asked


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "weighted"])
def test_every_profile_finds_another_form(memory, profile):
    memory.add(["Мы купили новую байдарку", "Кот спит", "we read the ＡＰＩ notes"])
    for question, note in (("байдарка", "Мы купили новую байдарку"), ("api", "we read the ＡＰＩ notes")):
        hits = memory.search(question, profile=profile).hits
        assert note in [hit.item.content for hit in hits if hit.matches.get("lex")]


def test_forms_are_found_among_many_words_that_begin_alike(memory):
    memory.add([f"дом{chr(0x430 + n % 32)}{chr(0x430 + n // 32)}ск" for n in range(900)])
    memory.add("в нашем доме тепло")
    assert "в нашем доме тепло" in found(memory, "дом", k=5)


@pytest.mark.parametrize(
    ("asked", "wanted"), [("C++", "C++"), ("is C# fast?", "C#"), ("who knows c++ here", "c++")]
)
def test_a_language_with_a_sign_in_its_name_is_a_word_to_look_for(memory, asked, wanted):
    assert wanted in terms(asked)
    memory.add(["We wrote the engine in C++", "The port is in C#", "The kettle is blue"])
    assert memory.search(asked).hits[0].item.content != "The kettle is blue"
    assert "The kettle is blue" not in found(memory, asked)


def test_full_width_letters_are_asked_for_as_letters():
    assert terms("ＡＰＩ　ｋｅｙ") == ("API", "key")
