"""Notes that differ in time, certainty, extent, polarity, number or name are never taken for one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.governance.known import KnownMemories, echoes, repeated
from simonides.language.sameness import read, same
from simonides.testing import an_item

#: Regular and irregular: now, then, and the bare form.
ENGLISH_VERBS = [
    ("lives in", "lived in", "live in"), ("owns", "owned", "own"), ("runs", "ran", "run"), ("has", "had", "have"),
    ("works for", "worked for", "work for"), ("teaches in", "taught in", "teach in"), ("buys", "bought", "buy"),
    ("likes", "liked", "like"), ("writes for", "wrote for", "write for"), ("drives to", "drove to", "drive to"),
    ("sends parcels to", "sent parcels to", "send parcels to"), ("keeps", "kept", "keep"),
    ("uses", "used", "use"), ("speaks with", "spoke with", "speak with"), ("pays", "paid", "pay"),
]  # fmt: skip
NAMES = ["Mia", "Ben", "Farid", "Keiko", "the old baker", "my sister", "our team"]
PLACES = ["Turku", "the blue boat", "Castor", "the small cinema", "Riga"]
FRENCH_VERBS = [
    ("habite à", "a habité à", "habitait à", "habitera à", "habiter à"),
    ("travaille pour", "a travaillé pour", "travaillait pour", "travaillera pour", "travailler pour"),
    ("aime", "a aimé", "aimait", "aimera", "aimer"),
]
RUSSIAN_VERBS = [
    ("работает в", "работала в", "будет работать в"),
    ("живёт в", "жила в", "будет жить в"),
    ("любит", "любила", "будет любить"),
    ("покупает", "покупала", "будет покупать"),
]
CHINESE_VERBS = ["住在", "喜欢", "使用", "管理"]


def english(who, verb, what):
    now, then, bare = verb
    return f"{who} {now} {what}", [
        f"{who} {then} {what}",
        f"{who} used to {bare} {what}",
        f"{who} will {bare} {what}",
        f"{who} is going to {bare} {what}",
        f"{who} would {bare} {what}",
        f"{who} may {bare} {what}",
        f"{who} must {bare} {what}",
        f"{who} can {bare} {what}",
        f"{who} wants to {bare} {what}",
        f"{who} no longer {now} {what}",
        f"{who} never {now} {what}",
        f"{who} does not {bare} {what}",
        f"{who} doesn't {bare} {what}",
        f"{who} did {bare} {what}",
        f"{who} {now} {what} until 2020",
        f"{who} perhaps {now} {what}",
        f"{who} rarely {now} {what}",
        f"{who} almost {now} {what}",
        f"If {who} {now} {what}",
        f"{who} stopped: {who} {then} {what}",
        f"{who} {now} {what} twice",
        f"Only {who} {now} {what}",
        f"Ozan {now} {what}",
        f"{who} {now} Utrecht",
    ]


def french(who, verb, what):
    now, perfect, imperfect, future, bare = verb
    return f"{who} {now} {what}", [
        f"{who} {perfect} {what}",
        f"{who} {imperfect} {what}",
        f"{who} {future} {what}",
        f"{who} ne {now} plus {what}",
        f"{who} ne {now} pas {what}",
        f"{who} peut {bare} {what}",
        f"{who} doit {bare} {what}",
        f"{who} {now} peut-être {what}",
    ]


def russian(who, verb, what):
    now, then, later = verb
    return f"{who} {now} {what}", [
        f"{who} {then} {what}",
        f"{who} {later} {what}",
        f"{who} больше не {now} {what}",
        f"{who} не {now} {what}",
        f"{who} возможно {now} {what}",
        f"{who} раньше {then} {what}",
    ]


def chinese(who, verb, what):
    return f"{who}{verb}{what}", [
        f"{who}{verb}过{what}",
        f"{who}曾经{verb}{what}",
        f"{who}将{verb}{what}",
        f"{who}会{verb}{what}",
        f"{who}不{verb}{what}",
        f"{who}不再{verb}{what}",
        f"{who}可能{verb}{what}",
        f"{who}想{verb}{what}",
    ]


STATED = st.one_of(
    st.builds(english, st.sampled_from(NAMES), st.sampled_from(ENGLISH_VERBS), st.sampled_from(PLACES)),
    st.builds(
        french,
        st.sampled_from(["Mia", "Ma soeur"]),
        st.sampled_from(FRENCH_VERBS),
        st.sampled_from(["Turku", "Lyon"]),
    ),
    st.builds(
        russian,
        st.sampled_from(["Анна", "Моя сестра"]),
        st.sampled_from(RUSSIAN_VERBS),
        st.sampled_from(["Риге", "Турку"]),
    ),
    st.builds(
        chinese,
        st.sampled_from(["米娅", "我姐姐"]),
        st.sampled_from(CHINESE_VERBS),
        st.sampled_from(["图尔库", "上海"]),
    ),
)
#: What may stand around both.
FRAMES = st.sampled_from(["{}.", "Note: {}.", "{}", "{}, by the way.", "{} with two cats."])


@given(STATED.flatmap(lambda pair: st.tuples(st.just(pair[0]), st.sampled_from(pair[1]))), FRAMES, st.data())
def test_what_differs_in_how_it_is_meant_is_never_taken_for_one(pair, frame, data):
    one = frame.format(pair[0])
    other = data.draw(st.sampled_from([frame, "{}."])).format(pair[1])
    assert not same(read(one), read(other))
    assert not same(read(other), read(one))
    assert repeated(other, KnownMemories(near=(an_item(one),))) is None
    assert repeated(one, KnownMemories(near=(an_item(other),))) is None
    assert not echoes(other, [one])


@given(STATED, FRAMES)
def test_the_same_words_are_taken_for_one(pair, frame):
    said = frame.format(pair[0])
    assert same(read(said), read(f"  {said}"))
    assert repeated(said, KnownMemories(near=(an_item(said),))) is not None


@pytest.mark.parametrize("order", [0, 1])
def test_upkeep_keeps_both_what_is_and_what_was(memory, remember, order):
    pairs = [
        ("Mia lives in Turku.", "Mia lived in Turku."),
        ("Ben works at Acme.", "Ben will work at Acme."),
        ("Анна работает в Риге.", "Анна работала в Риге."),
        ("Keiko is married to Farid.", "Keiko was married to Farid."),
    ]
    texts = [text for pair in pairs for text in (pair if order else reversed(pair))]
    for text in texts:
        remember(text, tags=["notes"])
    memory.consolidate()
    assert sorted(item.content for item in memory.list(types=["fact"])) == sorted(texts)
