"""Links that are given with what is added: made with it, or nothing is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import InvalidInput, Outcome
from simonides.domain.link import HAND_MADE, Relation


@pytest.fixture
def memory(open_memory):
    return open_memory()


@pytest.fixture
def known(memory):
    (verdict,) = memory.add("The telescope needs a new mirror.")
    return verdict.item_id


def links_of(memory, item_id):
    with memory._parts.store.read() as reader:
        return [link for link in reader.links([item_id]) if link.src == item_id and link.rel != "mentions"]


@pytest.mark.parametrize("rel", sorted(HAND_MADE))
def test_what_is_added_is_linked_as_link_would(memory, known, rel):
    (verdict,) = memory.add(
        "Its coating is worn.", links=[{"to": known, "rel": rel, "evidence": "seen", "weight": 2}]
    )
    (link,) = links_of(memory, verdict.item_id)
    assert (link.dst, link.rel, link.evidence, link.weight) == (known, rel, "seen", 2.0)
    (other,) = memory.add("Its mount is rusty.")
    by_hand = memory.link(other.item_id, known, rel, evidence="seen", weight=2)
    assert (by_hand.rel, by_hand.evidence, by_hand.weight) == (link.rel, link.evidence, link.weight)
    assert [
        event.details["dst"]
        for event in memory.audit.events(item_id=verdict.item_id)
        if event.action == "link"
    ] == [known]


def test_a_link_without_a_relation_references(memory, known):
    (verdict,) = memory.add("Its coating is worn.", links=[{"to": known}])
    assert [link.rel for link in links_of(memory, verdict.item_id)] == [Relation.REFERENCES]


def test_each_of_a_list_has_its_own_links(memory, known):
    verdicts = memory.add(
        [{"content": "Its coating is worn.", "links": [{"to": known}]}, "We sail on Sundays."]
    )
    assert [len(links_of(memory, verdict.item_id)) for verdict in verdicts] == [1, 0]


def test_what_repeats_something_links_what_is_there(memory, known):
    (first,) = memory.add("Its coating is worn.")
    (again,) = memory.add("Its coating is worn.", links=[{"to": known, "rel": "supports"}])
    assert (again.outcome, again.item_id) == (Outcome.MERGED, first.item_id)
    assert [link.dst for link in links_of(memory, first.item_id)] == [known]


def test_what_repeats_its_own_end_is_not_linked_to_itself(memory, known):
    (again,) = memory.add("The telescope needs a new mirror.", links=[{"to": known}])
    assert again.item_id == known
    assert links_of(memory, known) == []


@pytest.mark.parametrize("end", ["nothing", "019ca6b1-dc00-7000-b39c-d90863ee97eb"])
def test_a_link_to_nothing_rejects_its_input_and_no_other(memory, known, end):
    verdicts = memory.add(
        [{"content": "Its coating is worn.", "links": [{"to": end}]}, "We sail on Sundays."]
    )
    assert [verdict.outcome for verdict in verdicts] == [Outcome.REJECTED, Outcome.ACCEPTED]
    assert "there is no item" in verdicts.verdicts[0].reasons[0]
    assert len(memory.list()) == 2


def test_evidence_that_is_refused_rejects_its_input(memory, known):
    secret = "the password is hunter2-Zx9!kk"
    (verdict,) = memory.add("Its coating is worn.", links=[{"to": known, "evidence": secret}])
    assert verdict.outcome is Outcome.REJECTED
    assert "hunter2" not in str(verdict.reasons)
    assert len(memory.list()) == 1


@pytest.mark.parametrize(
    "links",
    [
        "x", {"to": "x"}, [1], ["x"], [{"rel": "supports"}], [{"to": 1}], [{"to": "x", "rel": "mentions"}],
        [{"to": "x", "rel": "temporal"}], [{"to": "x", "rel": "no such"}], [{"to": "x", "rel": 1}],
        [{"to": "x", "weight": -1}], [{"to": "x", "weight": "much"}], [{"to": "x", "weight": float("nan")}],
        [{"to": "x", "weight": True}], [{"to": "x", "evidence": 1}], [{"to": "x", "scope": "user:bo"}],
        [{"to": "x"}] * 65,
    ],
)  # fmt: skip
def test_a_link_that_cannot_be_read_is_an_error_and_stores_nothing(memory, links):
    with pytest.raises(InvalidInput):
        memory.add("Its coating is worn.", links=links)
    assert memory.list() == []


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
FIELDS = st.sampled_from(["to", "rel", "weight", "x"])


@given(links=st.recursive(LEAVES, lambda some: st.lists(some, max_size=3) | st.dictionaries(FIELDS, some)))
def test_no_links_break_a_list(memory, links):
    verdicts = memory.add([{"content": "Its coating is worn.", "links": links}, "We sail on Sundays."])
    assert verdicts.verdicts[1].outcome in {Outcome.ACCEPTED, Outcome.MERGED}


def test_a_model_gives_no_links_with_what_it_proposes(memory, known):
    (verdict,) = memory.propose(
        [{"content": "Its coating is worn.", "links": [{"to": known, "rel": "supersedes"}]}]
    )
    assert any("links" in reason for reason in verdict.reasons)
    assert links_of(memory, verdict.item_id) == []


def test_messages_of_a_chat_take_no_links(memory, known):
    with pytest.raises(InvalidInput, match="links"):
        memory.add([{"role": "user", "content": "hello there"}], links=[{"to": known}])
