"""Names that mean one thing count as one where texts are compared."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.item import Status
from simonides.domain.verdict import Outcome
from simonides.language.aliases import COMMON, Aliases
from simonides.language.contradiction import difference
from simonides.language.sameness import same
from simonides.testing import an_item
from simonides.upkeep.clusters import entry_of

OWN = Aliases([("Juno", "the Sparrow Team", "J-7"), ("Petra Novak", "Pepa"), ("Gotham", "NYC")])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NYC", "New York City"),
        ("the US", "the United States"),
        ("Munich", "München"),
        ("St. Petersburg", "Saint Petersburg"),
        ("K8s", "Kubernetes"),
    ],
)
def test_what_is_said_of_one_name_denies_what_is_said_of_the_other(one, other):
    told = f"The office in {one} has 40 desks."
    assert difference(told, f"The office in {other} has 55 desks.").words == ("40", "55")
    assert difference(told, f"The office in {other} has 40 desks.") is None
    assert difference(told, "The office in Lagos has 55 desks.") is None


@pytest.mark.parametrize(
    ("text", "unified"),
    [
        (
            "We moved to the U.S. He likes NYC.",
            "We moved to the United States of America. He likes New York City.",
        ),
        ("the U.S. army", "the United States of America army"),
        ("NYC's best", "New York City's best"),
        ("TELL US NOW", "TELL US NOW"),
        ("Lagos, LAX and the use", "Lagos, LAX and the use"),
    ],
)
def test_a_name_is_found_as_a_whole_and_ends_its_sentence(text, unified):
    assert COMMON.unified(text) == unified


def test_names_of_the_store_join_those_that_everybody_knows():
    assert len({OWN.unified(name) for name in ("Gotham", "NYC", "New York City")}) == 1
    assert set(OWN.spellings("Pepa and Ana")) == {"Petra Novak", "Pepa"}


@given(st.text(alphabet="JunoNYC.'7- USt\nßÖé", max_size=60))
def test_what_is_unified_stays_so(text):
    once = OWN.unified(text)
    assert OWN.unified(once) == once


def test_items_are_one_by_any_name():
    texts = ("Juno ships on Fridays.", "The Sparrow Team ships on Fridays.", "Lagos ships on Fridays.")
    told, again, other = (entry_of(an_item(text), OWN).reading for text in texts)
    assert same(told, again)
    assert not same(told, other)
    named = [entry_of(an_item(entities=(name,)), OWN).entities for name in ("Pepa", "Petra Novak", "Juno")]
    assert named[0] == named[1] != named[2]


def test_a_correction_by_another_name_closes_its_pair(memory, clock):
    memory.add("Juno was born in May.", entities=["Juno"], scope="user:ana", type="fact")
    memory.entities.alias("Juno", "Sparrow", scope="user:ana")
    ids = []
    for text in ("The Juno office has 40 desks.", "Sorry, the Sparrow office has 55 desks."):
        ids += memory.add(text, scope="user:ana", type="fact").item_ids
        clock.advance(days=2)
    memory.maintain(["consolidate"])
    assert memory.get(ids[0]).superseded_by == ids[1]


@pytest.mark.parametrize("names", list(permutations(["Juno", "Sparrow", "Lagos"], 2)))
def test_the_policy_knows_the_names_of_the_store(memory, names):
    scope = "user:ana"
    memory.add("Juno was born in May.", entities=["Juno"], scope=scope)
    memory.entities.alias("Juno", "Sparrow", scope=scope)
    one, other = names
    memory.add(f"The {one} office opens at 9:00.", pinned=True, scope=scope)
    (verdict,) = memory.add(f"The {other} office opens at 10:00.", scope=scope)
    assert (verdict.outcome is Outcome.QUARANTINED) == ({one, other} == {"Juno", "Sparrow"})


def test_a_pinned_place_is_known_by_its_other_name(memory):
    memory.add("The NYC office is closed on Mondays.", pinned=True)
    (verdict,) = memory.add("The New York City office is open on Mondays.")
    assert memory.get(verdict.item_id).status is Status.QUARANTINED
