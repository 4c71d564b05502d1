"""Empty answers, and what they say of filters that nothing has."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import ALL, Memory
from simonides.agent.tools import Tools
from simonides.testing import FakeEmbedder, FrozenClock

NAMES = ("deploy", "deploys", "harbour", "harbor", "kitchen", "garden")
FILTERS = ("tags", "session_id", "task_id", "entity", "metadata")


def opened():
    return Memory(":memory:", embedder=FakeEmbedder(), clock=FrozenClock("2026-03-01T12:00:00Z"))


def wanted(kind, name):
    return {kind: {"metadata": {name: 1}, "tags": [name]}.get(kind, name)}


def fields(kind, name):
    return {"entities": [name]} if kind == "entity" else wanted(kind, name)


ENTRIES = st.lists(
    st.tuples(st.sampled_from(FILTERS), st.sampled_from(NAMES), st.booleans()), min_size=1, max_size=6
)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(ENTRIES, st.sampled_from(FILTERS), st.sampled_from(NAMES))
def test_nothing_of_other_scopes_is_told(entries, kind, name):
    """A scope is told the same whether others have something or not, and only ever of what it can see."""
    told = []
    for with_others in (True, False):
        with opened() as memory:
            memory.add("It begins somewhere.", user_id="ana")
            for number, (its_kind, its_name, own) in enumerate(entries):
                if own or with_others:
                    memory.add(
                        f"Note {number} of many.",
                        user_id="ana" if own else "bob",
                        **fields(its_kind, its_name),
                    )
            filters = wanted(kind, name)
            found = memory.page(user_id="ana", **filters)
            told.append(found.hints)
            assert bool(found) != bool(found.hints)
            assert memory.search("zebra", user_id="ana", **filters).hints in {(), found.hints}
            context = memory.context("zebra", user_id="ana", **filters)
            assert context.text or context.hints == found.hints
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"tags": ["deploi"]}, "no item in sight has the tag 'deploi'; did you mean 'deploy'?"),
        ({"session_id": "mondey"}, "no item in sight is of the session 'mondey'; did you mean 'monday'?"),
        ({"entity": "Ptra"}, "no item in sight mentions 'ptra'; did you mean 'Petra'?"),
        ({"types": ["todo"]}, "no item in sight is of type todo; there are 'episode', 'note'"),
        ({"path": "crw.md"}, "no item in sight is of the path 'crw.md'"),
        ({"tags": ["deploy"]}, None),
    ],
)
def test_what_nothing_has_is_said_with_what_may_be_meant(filters, said):
    with opened() as memory:
        memory.add("Petra deploys on Fridays.", tags=["deploy"], entities=["Petra"])
        memory.add([{"role": "user", "content": "Hello there."}], session_id="monday")
        found = memory.search("zebra quartz", min_relevance=1, **filters)
        assert not found.hits
        assert found.hints == (() if said is None else (said,))
        assert memory.search("zebra quartz", min_relevance=1, scope=ALL, **filters).hints == found.hints
        told = Tools(memory).call("memory.search", {"query": "zebra quartz", **filters})
        assert told["hints"] == list(found.hints)


def test_a_scope_without_items_of_its_own_is_said():
    with opened() as memory:
        assert memory.page(user_id="ana").hints == ("nothing is stored in sight of user:ana",)
        memory.propose([{"content": "Gwil lends his tractor.", "type": "fact"}], scope="user:ana")
        assert memory.page(user_id="ana").hints == (
            "all that is stored in sight of user:ana waits for review",
        )
        assert memory.page(scope=ALL).hints == ("all that is stored waits for review",)
        assert memory.page(user_id="bob").hints == ("nothing is stored in sight of user:bob",)
        memory.add("Something of all.", tags=["a"])
        assert memory.page(user_id="ana", tags=["b"]).hints[-1] == "nothing is stored in user:ana itself"
        assert memory.page(tags=["a"]).hints == ()
