"""Long texts: a fact deep inside is among the best hits, and is what is shown of them."""

import random
import re

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.agent.tools import Tools
from simonides.domain.text import count_tokens
from simonides.recall.passage import (
    SHOWN_CHARS,
    WHOLE_CHARS,
    Sought,
    _beginning_with,
    excerpt_of,
    folded,
    read_of,
)
from simonides.testing import FrozenClock

_NOUNS = """
harbour meadow lantern willow copper velvet thunder basket orchard marble pepper violin glacier saddle compass
blanket pigeon cellar ribbon anchor bridge timber kettle mirror pillow garden ladder candle button pocket
"""
NOUNS = _NOUNS.split()
VERBS = ["keeps", "sells", "paints", "repairs", "collects", "borrows", "hides", "carries"]
#: What a fact says that no other text does, what is asked, and what of it is asked for.
FACTS = [
    ("My sister Odile teaches the oboe in Aarhus.", "What does my sister Odile teach?", "oboe"),
    ("The spare key of the boathouse hangs behind the barometer.", "Where does the spare boathouse key hang?",
     "barometer"),
    ("Quentin paid 412 francs for the gramophone.", "How much did Quentin pay for the gramophone?", "412"),
    ("Ma tante Élodie habite à Besançon depuis 1998.", "Où habite ma tante Elodie ?", "Besançon"),
    ("Байдарка Дмитрия лежит в гараже у Марины.", "Где лежит байдарка Дмитрия?", "гараже"),
    ("我妹妹在大阪教双簧管。", "我妹妹在哪里教双簧管？", "大阪"),
]  # fmt: skip


def prose(luck, size):
    said = []
    while sum(map(len, said)) < size:
        said.append(
            f"The {luck.choice(NOUNS)} {luck.choice(VERBS)} a {luck.choice(NOUNS)} near the {luck.choice(NOUNS)}. "
        )
    return "".join(said)


def chinese(luck, size):
    return "".join(luck.choice("港口草地灯笼柳树铜丝雷声篮子果园石头胡椒小提琴冰川马鞍") for _ in range(size))


def with_fact(text, fact, depth):
    at = text.find(" ", int(depth * len(text))) + 1
    return f"{text[:at]}{fact} {text[at:]}"


@settings(max_examples=5, phases=[Phase.explicit, Phase.generate])
# Where others that have a word of it are read closely, and long notes are not.
@example(seed=0, fact=FACTS[4], size=60_000, depth=0.05, same_words=90, script=chinese)
@example(seed=407, fact=FACTS[4], size=12_000, depth=0.7, same_words=90, script=chinese)
@example(seed=22, fact=FACTS[3], size=4_500, depth=0.93, same_words=90, script=chinese)
@example(seed=6003, fact=FACTS[3], size=100_000, depth=0.81, same_words=90, script=prose)
@given(
    seed=st.integers(0, 10_000),
    fact=st.sampled_from(FACTS),
    size=st.sampled_from([4_500, 12_000, 60_000, 100_000]),
    depth=st.floats(0, 1),
    same_words=st.sampled_from([0, 3, 90]),
    script=st.sampled_from([prose, prose, chinese]),
)
def test_a_fact_at_any_depth_of_a_long_note_is_found_and_shown(seed, fact, size, depth, same_words, script):
    luck = random.Random(seed)
    said, question, answer = fact
    words = ["妹妹", "我"] if " " not in said else [word.strip(".?") for word in said.split()]
    with Memory(":memory:", clock=FrozenClock("2026-03-01")) as memory:
        note = with_fact(script(luck, size), said, depth)
        memory.add([prose(luck, luck.choice([80, 500, 5_000, 30_000])) for _ in range(8)])
        (verdict,) = memory.add(note)
        memory.add([script(luck, luck.choice([80, 500, 5_000])) for _ in range(20)])
        # Others have a word of it, here and there; never its two rarest together.
        memory.add([f"The {luck.choice(NOUNS)} {n} has {luck.choice(words[:2])}." for n in range(same_words)])
        found = memory.search(question, k=5)
        assert verdict.item_id in [hit.item.id for hit in found]
        (hit,) = [hit for hit in found if hit.item.id == verdict.item_id]
        assert answer in hit.excerpt
        assert len(hit.excerpt) <= SHOWN_CHARS + 20
        for mode in ("context", "inject"):
            told = memory.context(question, mode=mode, max_tokens=1000)
            assert answer in told.text
            assert verdict.item_id in [item.id for item in told.items]
            assert told.tokens == count_tokens(told.text) <= 1000


def test_a_fact_is_found_among_long_notes_that_hold_each_of_its_words():
    luck = random.Random(5)
    with Memory(":memory:") as memory:
        note = with_fact(prose(luck, 60_000), "The yellow violin sleeps in the copper cellar.", 0.2)
        (verdict,) = memory.add(note)
        memory.add([prose(luck, 20_000) for _ in range(25)])
        memory.add([f"The yellow violin {n} is no {luck.choice(NOUNS)}." for n in range(150)])
        found = memory.search("Where does the yellow violin of the copper cellar sleep?", k=3)
        assert found.hits[0].item.id == verdict.item_id


def test_a_model_is_shown_the_passage_of_a_long_note(open_memory):
    memory = open_memory()
    memory.add(with_fact(prose(random.Random(1), 20_000), FACTS[0][0], 0.9))
    (shown,) = Tools(memory).call("memory.search", {"query": FACTS[0][1]})["hits"]
    assert "oboe" in shown["content"]
    assert shown["truncated"]


def test_a_fact_deep_in_a_long_turn_of_the_user_is_found(open_memory):
    memory = open_memory()
    luck = random.Random(3)
    turn = with_fact(prose(luck, 30_000), FACTS[0][0], 0.8)
    memory.add([{"role": "user", "content": text} for text in (turn, *(prose(luck, 200) for _ in range(30)))])
    hit = memory.search(FACTS[0][1]).hits[0]
    assert hit.item.content == turn
    assert "oboe" in hit.excerpt


def test_a_short_note_is_told_as_it_is(open_memory):
    memory = open_memory()
    memory.add(FACTS[0][0])
    (hit,) = memory.search(FACTS[0][1])
    assert hit.excerpt == ""
    assert hit.to_dict()["excerpt"] == ""
    assert FACTS[0][0] in memory.context(FACTS[0][1]).text


# What is read of a text


def sought(*words, stem=str.casefold):
    """Each word is worth as much as the next; a token is a word that `stem` changes."""
    weights = {stem(word): 1.0 for word in words}
    return Sought.of(words, weights, lambda texts: [[stem(text)] for text in texts])


def test_a_text_that_is_not_long_is_read_whole():
    text = "tea " * (WHOLE_CHARS // 4)
    assert read_of(text, sought("kettle")) == text
    assert excerpt_of("tea " * (SHOWN_CHARS // 4), sought("tea")) == ""


def test_of_a_text_without_any_of_the_words_the_beginning_is_read():
    text = "".join(f"tea{n} " for n in range(2_000))
    assert read_of(text, sought("kettle")) == text[:WHOLE_CHARS]
    assert excerpt_of(text, sought("kettle")).startswith("tea0 tea1 ")
    assert len(excerpt_of(text, sought("kettle"))) <= SHOWN_CHARS


def test_words_that_stand_together_come_before_words_that_stand_apart():
    filler = "tea " * 500
    text = f"blue {filler}kettle {filler}a blue kettle boils {filler}kettle"
    assert "a blue kettle boils" in read_of(text, sought("blue", "kettle"))
    assert read_of(text, sought("blue", "kettle")).count("kettle") == 1


def test_what_one_passage_lacks_another_brings():
    filler = "tea " * 1_000
    text = f"the owner is Ana {filler}the colour is blue {filler}"
    assert excerpt_of(text, sought("owner", "colour")).startswith("the owner is Ana")
    assert "… tea" in excerpt_of(text, sought("owner", "colour"))
    assert "the colour is blue" in excerpt_of(text, sought("owner", "colour"))


def test_a_passage_begins_and_ends_between_words():
    text = "harbour " * 1_000 + "the kettle " + "lantern " * 1_000
    shown = excerpt_of(text, sought("kettle"))
    assert set(shown.split()) == {"…", "harbour", "the", "kettle", "lantern"}
    assert shown.startswith("… harbour")
    assert shown.endswith("lantern …")


@pytest.mark.parametrize(
    ("written", "asked"), [("Élodie", "elodie"), ("ЁЛКА", "елка"), ("Straße", "straße"), ("ponies", "ponies")]
)
def test_marks_and_capitals_do_not_hide_a_word(written, asked):
    text = "tea " * 2_000 + f"here is {written} now " + "tea " * 2_000
    assert written in read_of(text, sought(asked, stem=folded))


def test_a_word_within_another_is_none():
    text = f"{'tea ' * 2_000}the scar of a carpet {'tea ' * 2_000}a car {'tea ' * 2_000}"
    assert "a car " in read_of(text, sought("car"))
    assert "scar" not in read_of(text, sought("car"))


@given(st.text("abé_ 车轮.", max_size=60), st.text("abé车轮.", min_size=1, max_size=4))
def test_words_that_begin_alike_are_found_where_a_pattern_finds_them(text, beginning):
    unspaced = any(sign in "车轮" for sign in beginning)
    rest = "" if unspaced else r"\w*" if len(beginning) > 2 else r"(?!\w)"
    expected = [found.span() for found in re.finditer(re.escape(beginning) + rest, text)]
    assert list(_beginning_with(beginning, text, unspaced=unspaced)) == expected


@given(st.text(max_size=300))
def test_folding_moves_nothing(text):
    assert len(folded(text)) == len(text)


@given(
    words=st.lists(st.sampled_from(["tea", "kettle", "blue", "owner", "x" * 30]), max_size=3_000),
    asked=st.sets(st.sampled_from(["tea", "kettle", "blue", "owner", "absent"]), max_size=2),
)
def test_what_is_read_is_of_the_text_bounded_and_holds_what_the_text_holds(words, asked):
    text = " ".join(words)
    read = read_of(text, sought(*asked))
    if len(text) > WHOLE_CHARS:
        assert len(read) <= WHOLE_CHARS
    assert all(part in text for part in read.split(" … "))
    assert {word for word in asked if word in words} == {word for word in asked if word in read.split()} or (
        not asked & set(words)
    )
