"""Trace of a run."""

import json
from dataclasses import replace

import pytest

from simonides.recall.agenda.search import Agenda
from simonides.recall.agenda.settings import AgendaSettings

TREE = """\
· 0 start +1 +2  S=0.443 (R=0.50 P=0.24 C=0.88 D=0.00 X=0.00), expanded 1.
│   1: Lena leads Apollo.
│   2: Some manager 2
│   open: manager
└── ★ 1 bridge +ana  S=0.440 (R=0.44 P=0.24 C=1.00 D=0.13 X=0.00), expanded 2.
        asked for manager: 'manager Lena'
        ana: Ana is the manager of Lena."""


@pytest.fixture
def result(fake):
    items = fake.chain(3)
    goal = fake.goal(fake.question, items, entities=["Apollo"])
    return Agenda(clock=fake.time()).run(goal, fake.ground(goal, items))


def test_every_node_is_in_the_tree_the_best_one_with_a_star(result):
    tree = result.trace.tree()
    lines = tree.splitlines()
    stars = [line for line in lines if "★" in line]
    heads = [line for line in lines if "S=" in line]
    assert len(heads) == len(result.trace.nodes)
    assert len(stars) == 1
    assert f"★ {result.best.id} " in stars[0]


def test_the_tree_reads_from_the_ordinary_answer_to_the_best_one(fake):
    items = [fake.sketch(1, "Lena leads Apollo."), fake.sketch(30, "Ana is the manager of Lena.")]
    items += [fake.sketch(n, f"Some manager {n}") for n in range(2, 24)]
    goal = fake.goal("manager of who leads Apollo?", items, entities=["Apollo"])
    settings = AgendaSettings(start=2, children=1)
    result = Agenda(settings, clock=fake.time()).run(goal, fake.ground(goal, items))
    assert replace(result.trace, names={30: "ana"}).tree() == TREE


def test_the_trace_is_json_and_says_what_was_tried(result):
    found = json.loads(json.dumps(result.to_dict()))
    assert found["expansions"] == len(found["trace"]["expansions"])
    assert found["trace"]["nodes"][found["trace"]["best"]] == found["best"]
    assert set(found["best"]["parts"]) == {
        "relevance",
        "provenance",
        "coverage",
        "redundancy",
        "doubt",
        "score",
    }
    assert [hit["key"] for hit in found["ranking"]] == list(result.keys)
    for expansion in found["trace"]["expansions"]:
        assert next(iter(expansion["operators"])) == "expand_memory"
