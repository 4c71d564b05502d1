"""The text index of a file: the tokens of `language.search_tokens`, also in stores of earlier releases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.language.terms import terms
from simonides.storage.sqlite.text_index import is_former, text_index_schema
from simonides.testing import FakeEmbedder

FORMER = text_index_schema().replace("simonides 1", "porter unicode61 remove_diacritics 2")
NOTES = [
    "We wrote the engine in C++",
    "The port is in C#",
    "Мы купили байдарку",
    "ภาษาไทยง่าย",
    "Straße nach Łódź",
]
ASKED = [("C++", 0), ("c#", 1), ("байдарка", 2), ("ภาษา", 3), ("STRASSE", 4), ("lodz", 4)]


@pytest.fixture
def former(memory, path, raw):
    """A store with the text index of an earlier release; or a large one, by its last key."""

    def make(last_key=None):
        memory.add(NOTES)
        memory.close()
        file = raw()
        file.execute("DROP TABLE memory_items_terms; DROP TABLE memory_items_fts")
        file.execute(FORMER)
        file.execute("INSERT INTO memory_items_fts (memory_items_fts) VALUES ('rebuild')")
        if last_key is not None:
            file.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'memory_items'", (last_key,))
        assert is_former(file)
        file.close()
        return path

    return make


def found(memory, question):
    return {hit.item.content for hit in memory.search(question) if hit.matches.get("coverage")}


def test_every_sign_and_script_is_found_by_its_words(memory):
    memory.add(NOTES)
    for question, place in ASKED:
        assert found(memory, question) == {NOTES[place]}, question


def test_a_small_index_of_an_earlier_release_is_made_anew_when_the_store_is_opened(former, open_memory, raw):
    path = former()
    memory = open_memory(path)
    assert not is_former(raw())
    for question, place in ASKED:
        assert found(memory, question) == {NOTES[place]}, question
    assert memory.doctor().healthy


def test_a_large_one_is_read_and_written_until_upkeep_makes_it_anew(former, open_memory, raw):
    path = former(last_key=1_000_000)
    memory = open_memory(path)
    assert is_former(raw())
    added = memory.add("The falcon nests in May").item_ids[0]
    assert [hit.item.id for hit in memory.search("where does the falcon nest?")][:1] == [added]
    assert NOTES[0] in [hit.item.content for hit in memory.search("which engine?")]
    assert memory.doctor().healthy
    memory.maintain(["expire"], dry_run=True)
    assert is_former(raw())
    memory.maintain(["expire"])
    assert not is_former(raw())
    assert found(memory, "C++") == {NOTES[0]}
    assert memory.doctor().healthy


def test_a_purge_makes_a_former_index_anew(former, open_memory, raw):
    memory = open_memory(former(last_key=1_000_000))
    gone = memory.add("The falcon nests in May").item_ids[0]
    memory.purge([gone])
    assert not is_former(raw())
    assert memory.doctor().healthy
    assert found(memory, "байдарка") == {NOTES[2]}


TEXTS = st.lists(
    st.sampled_from(["C++", ".NET", "R&D", "Straße", "Łódź", "ёлка", "Ｆａｌｃｏｎ", "हिन्दी", "ภาษาไทย", "配置文件",
                     "retryCount", "don't", "café", "cafe\u0301", "v2.0", "Ruby", "falcons", "القَاهِرَة"]),
    min_size=1, max_size=6, unique=True,
).map(" ".join)  # fmt: skip


@settings(max_examples=20)
@given(text=TEXTS)
def test_every_term_of_a_text_finds_it(tmp_path_factory, text):
    with Memory(tmp_path_factory.mktemp("text") / "m.db", embedder=FakeEmbedder()) as memory:
        memory.add(["The kettle is blue", text])
        for term in terms(text):
            assert text in {hit.item.content for hit in memory.search(term)}, term
