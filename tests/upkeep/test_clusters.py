"""Items that say the same, and items that contradict each other."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simonides.domain.item import Status, Validation
from simonides.domain.provenance import Origin, Trust
from simonides.domain.scope import Scope
from simonides.domain.taxonomy import TAXONOMY
from simonides.language.aliases import COMMON
from simonides.testing import an_item
from simonides.upkeep.clusters import (
    best_first,
    entry_of,
    grouped,
    kind_of,
    near_pairs,
    search_terms,
    takes_part,
)
from simonides.upkeep.settings import ConsolidateSettings

DAY_US = 86_400_000_000
AT = 1_767_225_600_000_000


def found(items, vectors=None, **settings):
    chosen = ConsolidateSettings(**settings)
    entries = [entry_of(item) for item in items]
    pairs = near_pairs(entries, chosen, TAXONOMY)
    return grouped(entries, pairs, vectors or {}, chosen)


def contents(clusters):
    return [sorted(item.content for item in cluster.items) for cluster in clusters]


def unit(*values):
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


def items_of(*texts, **fields):
    return [an_item(text, at=AT + number, **fields) for number, text in enumerate(texts)]


TEA = ("Ana prefers green tea in the morning.", "In the morning, Ana prefers green tea.")


def test_items_that_say_the_same_are_one_cluster():
    items = items_of(*TEA, "Ben rows on the river.")
    assert contents(found(items).clusters) == [sorted(TEA)]


def test_the_order_of_the_items_does_not_matter():
    items = items_of(*TEA, "Ana prefers green tea in the morning with milk.", "Ben rows.")
    outcomes = {tuple(map(tuple, contents(found(order).clusters))) for order in permutations(items)}
    assert len(outcomes) == 1


def test_a_low_cosine_keeps_items_apart_whatever_their_words():
    one, other = items_of(*TEA)
    near, far = unit(1, 0.2), unit(1, 5)
    assert found([one, other], {one.id: unit(1, 0), other.id: near}).clusters
    assert not found([one, other], {one.id: unit(1, 0), other.id: far}).clusters


def test_without_vectors_more_words_have_to_agree():
    short, long = items_of("Ana lives in Lisbon.", "Ana lives in Lisbon with cats and dogs.")
    assert not found([short, long]).clusters
    assert found([short, long], {item.id: unit(1, 0) for item in (short, long)}).clusters


def test_of_two_items_one_vector_is_as_good_as_none():
    one, other = items_of(*TEA)
    assert found([one, other], {one.id: unit(1, 0)}).clusters
    assert found([one, other], {one.id: unit(1, 0), other.id: np.zeros(2, np.float32)}).clusters


def test_items_without_vectors_and_words_in_common_never_become_one_big_cluster():
    items = items_of(
        *(f"{word} is a word by itself" for word in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"])
    )
    assert not found(items).clusters


def test_a_cluster_holds_only_items_that_are_near_each_other_every_one_to_every_other():
    texts = (
        "Ana rows on the river with Ben.",
        "Ana rows on the river with Ben in spring and in summer.",
        "Ana rows on the river with Ben at dawn and at dusk.",
    )
    items = items_of(*texts)
    vectors = {item.id: unit(1, 0) for item in items}
    for cluster in found(items, vectors).clusters:
        for one, other in combinations(cluster.items, 2):
            assert found([one, other], vectors).clusters
    assert max(len(cluster.items) for cluster in found(items, vectors).clusters) == 2


@pytest.mark.parametrize("tags", [("tea",), (), ("tea", "other")])
def test_items_that_differ_in_other_tags_or_have_none_are_compared(tags):
    one, other = items_of(*TEA)
    tagged = an_item(one.content, at=AT, tags=("Tea",))
    assert found([tagged, an_item(other.content, at=AT + 1, tags=tags)]).clusters


def test_items_whose_first_tags_differ_need_more_in_common():
    short = an_item("Ana lives in Lisbon with cats.", at=AT, tags=("home",))
    long = "Ana lives in Lisbon with cats for work and for pleasure."
    vectors = lambda *items: {item.id: unit(1, 0) for item in items}  # noqa: E731
    alike, other = an_item(long, at=AT, tags=("home",)), an_item(long, at=AT, tags=("pets",))
    assert found([short, alike], vectors(short, alike)).clusters
    assert not found([short, other], vectors(short, other)).clusters


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"scope": Scope("user:ana")}, {"scope": Scope("user:ben")}),
        ({"type": "fact"}, {"type": "preference"}),
        ({"trust": Trust.HIGH}, {"trust": Trust.LOW}),
        ({"origin": Origin.USER_SAID}, {"origin": Origin.WEB}),
        ({"injectable": True}, {"injectable": False}),
    ],
)
def test_items_of_different_kinds_are_not_compared(one, other):
    assert kind_of(an_item(**one)) != kind_of(an_item(**other))


def test_what_the_user_said_and_confirmed_is_one_kind():
    assert kind_of(an_item(origin=Origin.USER_SAID)) == kind_of(an_item(origin=Origin.USER_CONFIRMED))


@pytest.mark.parametrize(
    "fields",
    [
        {"entities": ("Carla",)},
        {"task_id": "other"},
        {"corpus_id": "other"},
        {"metadata": {"sender": "carla"}},
        {"valid_until": AT + DAY_US},
        {"title": "The tea of the office"},
    ],
)
def test_what_stands_beside_the_text_may_keep_items_apart(fields):
    one, other = TEA
    plain = {"entities": ("Ana",), "task_id": "t", "metadata": {"sender": "ana"}}
    first = an_item(one, at=AT, **plain)
    assert found([first, an_item(other, at=AT + 1, **plain)]).clusters
    assert not found([first, an_item(other, at=AT + 1, **(plain | fields))]).clusters


def test_events_of_different_days_are_different_events():
    texts = ("Ana rowed on the river with Ben.", "Ana rowed with Ben on the river.")
    one = an_item(texts[0], type="event", at=AT, event_at=AT)
    same_day = an_item(texts[1], type="event", at=AT, event_at=AT + DAY_US // 2)
    later = an_item(texts[1], type="event", at=AT, event_at=AT + 3 * DAY_US)
    assert found([one, same_day]).clusters
    assert not found([one, later]).clusters


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "episode"},
        {"type": "chunk"},
        {"type": "narrative"},
        {"status": Status.QUARANTINED},
        {"status": Status.ARCHIVED},
        {"validation": Validation.RETRACTED},
        {"superseded_by": "another"},
        {"pinned": True},
    ],
)
def test_turns_chunks_and_what_is_out_of_use_or_pinned_take_no_part(fields):
    assert takes_part(an_item(), TAXONOMY)
    assert not takes_part(an_item(**fields), TAXONOMY)


@pytest.mark.parametrize(
    ("older", "newer", "kind"),
    [
        ("The retry limit of the upload is 5.", "The retry limit of the upload is 6.", "number"),
        ("The weekly review is on Monday.", "The weekly review is on Friday.", "date"),
        ("Ana lives in Lisbon.", "Ana lives in Porto.", "name"),
        ("Ana likes rowing on the river.", "Ana does not like rowing on the river.", "negation"),
    ],
)
def test_a_different_value_of_the_same_is_a_contradiction_and_no_cluster(older, newer, kind):
    items = items_of(older, newer)
    outcome = found(items, {item.id: unit(1, 0) for item in items})
    assert not outcome.clusters
    (pair,) = outcome.contradictions
    assert (pair.older.content, pair.newer.content, pair.difference.kind) == (older, newer, kind)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana likes rowing on the river.", "Ben likes rowing on the river."),
        ("The contract with Orion ends on 3 May.", "The contract with Vega ends on 9 May."),
        ("No way, John! That is cool.", "Way to go, John! You are doing great."),
    ],
)
def test_another_subject_is_neither_a_repetition_nor_a_contradiction(one, other):
    outcome = found(items_of(one, other))
    assert not outcome.clusters
    assert not outcome.contradictions


def test_what_two_days_brought_is_no_contradiction():
    items = items_of("Ana rowed 5 km on the river.", "Ana rowed 8 km on the river.", type="event")
    assert not found(items).contradictions


def test_the_best_member_is_the_most_confident_then_the_longest_then_the_oldest():
    sure = an_item("Ana rows on the river.", confidence=0.9, at=AT + 2)
    long = an_item("Ana really rows on the river.", confidence=0.8, at=AT + 1)
    old = an_item("Ana rows on the river!", confidence=0.8, at=AT)
    ordered = best_first([entry_of(item) for item in (old, long, sure)])
    assert [entry.item for entry in ordered] == [sure, long, old]


def test_items_of_which_the_surest_leaves_something_out_are_left_alone():
    sure = an_item("Ana rows on the river.", confidence=0.9, at=AT)
    fuller = an_item("Ana rows on the river with friends.", confidence=0.5, at=AT + 1)
    assert best_first([entry_of(sure), entry_of(fuller)]) is None
    assert not found([sure, fuller], {item.id: unit(1, 0) for item in (sure, fuller)}).clusters


def test_near_pairs_of_many_items_are_found_without_comparing_all():
    texts = [
        f"Room {n} of building {chr(97 + n % 26) * 4}{n} has {n % 7} windows and a view." for n in range(600)
    ]
    items = items_of(
        *texts, "The room of building zzzz1 has a view.", "The room of building zzzz1 has a view!"
    )
    outcome = found(items)
    assert contents(outcome.clusters) == [
        ["The room of building zzzz1 has a view!", "The room of building zzzz1 has a view."]
    ]


def test_chinese_is_looked_for_by_pairs_of_signs_as_a_text_index_knows_them():
    terms = search_terms("我的会议在周五。", COMMON, 12)
    assert {"会议", "周五"} <= {*terms}
    assert not any(len(term) == 1 and not term.isascii() for term in terms)


def test_many_values_of_one_statement_are_a_series_and_contradict_nothing():
    two = found(items_of("The lamp in hall 1 is red.", "The lamp in hall 1 is not red."))
    assert len(two.contradictions) == 1
    series = items_of(*(f"The number of lamps in the hall is {n}." for n in range(2, 42)))
    assert not found(series[:0]).contradictions
    assert len(found(series[:3]).contradictions) == 3
    assert not found(series).contradictions
    assert not found(series).clusters


# What somebody says of himself


#: Of one language each; every two of them tell the same.
OF_ONESELF = [
    [
        "I live in {}.", "I now live in {}.", "I live in {} now.", "I'm based in {}.", "I am living in {}",
        "The user lives in {}.", "I moved to {}.", "I like tea. I live in {}.",
    ],
    ["We live in {}.", "We moved to {}.", "Now we live in {}"],
    ["I work for {}.", "I work at {}.", "I am employed by {}."],
    ["My name is {}.", "I am called {}.", "I'm called {}"],
    ["I was born in {}."],
    ["J'habite à {}.", "J’habite à {} maintenant."],
    ["Я живу в {}.", "Я теперь живу в {}."],
]  # fmt: skip
LATIN = ("ka", "lo", "mi", "tu", "re", "vo", "ni", "da")
CYRILLIC = ("ка", "ло", "ми", "ту", "ре", "во", "ни", "да")


@st.composite
def told_of_one(draw):
    """Two texts that tell different names of the same, and maybe whose name stands before them."""
    forms = draw(st.sampled_from(OF_ONESELF))
    syllables = CYRILLIC if "живу" in forms[0] else LATIN
    first = draw(st.lists(st.sampled_from(syllables), min_size=2, max_size=2, unique=True))
    rest = st.lists(st.sampled_from(syllables), min_size=2, max_size=3).map("".join)
    names = [f"{beginning}{draw(rest)}".capitalize() for beginning in first]
    if draw(st.booleans()):
        names = [f"{name} {draw(rest).capitalize()}" for name in names]
        # A name within another may be that other one, said in short.
        words = " ".join(names).split()
        assume(len({*words}) == len(words))
    sender = draw(st.sampled_from(["", "Ana"]))
    before = f"{sender}: " if sender else ""
    texts = [before + draw(st.sampled_from(forms)).format(name) for name in names]
    return texts, {"sender": sender} if sender else {}


@given(told_of_one(), st.floats(-1, 1))
def test_what_somebody_says_of_himself_contradicts_another_name_whatever_the_cosine(told, cosine):
    texts, metadata = told
    items = items_of(*texts, metadata=metadata)
    vectors = dict(
        zip([item.id for item in items], (unit(1, 0), unit(cosine, (1 - cosine**2) ** 0.5)), strict=True)
    )
    outcome = found(items, vectors)
    assert not outcome.clusters
    assert [pair.difference.kind for pair in outcome.contradictions] == ["name"], texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I lived in Graz.", "I lived in Linz."),
        ("I used to live in Graz.", "I live in Linz."),
        ("I will live in Graz.", "I live in Linz."),
        ("I might live in Graz.", "I live in Linz."),
        ("I want to live in Graz.", "I live in Linz."),
        ("Do I live in Graz?", "I live in Linz."),
        ("If I live in Graz, I walk.", "I live in Linz."),
        ("I do not live in Graz.", "I live in Linz."),
        ("I also live in Graz.", "I live in Linz."),
        ("I live in Graz in winter.", "I live in Linz in summer."),
        ("I moved to Graz in 2010.", "I moved to Linz in 2015."),
        ("I live in Graz.", "I live in graz!"),
        ("I live in Graz.", "We live in Linz."),
        ("I live in Graz.", "I work in Linz."),
        ("I live in Linz.", "I was born in Graz."),
        ("I like Graz.", "I like Linz."),
        ("I visited Graz.", "I visited Linz."),
        ("I work with Ana.", "I work with Eva."),
        ("He lives in Graz.", "He lives in Linz."),
        ("Ana lives in Graz.", "Eva lives in Linz."),
        ("My friend lives in Graz.", "My friend lives in Linz."),
        ("My dog is called Rex.", "My dog is called Bella."),
        ("My friend is Ana.", "My friend is Eva."),
        ("I live in Graz. My friend is Ana.", "I live in Graz. My friend is Eva."),
        ("The name of my boat is Petra.", "The name of my boat is Clara."),
        ("J'ai habité à Lyon.", "J'habite à Nice."),
        ("Я жил в Казани.", "Я живу в Омске."),
    ],
)
def test_where_it_may_be_another_matter_words_that_mean_far_from_the_same_contradict_nothing(one, other):
    items = items_of(one, other)
    vectors = {items[0].id: unit(1, 0), items[1].id: unit(0, 1)}
    assert found(items, vectors).contradictions == ()
