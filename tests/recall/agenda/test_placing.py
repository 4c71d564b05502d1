"""From an explanation to hits: the ordinary order, and what earns a place in it."""

import pytest

from simonides.recall.agenda.search import Agenda
from simonides.recall.agenda.settings import AgendaSettings

LEAD, BOSS, HOME = 26, 27, 28


@pytest.fixture
def chain(fake):
    """Hits of the chain of three under some settings, and those of the ordinary search."""

    def run(hits=0, **numbers):
        items = fake.chain()
        goal = fake.goal(fake.question, items, entities=["Apollo"])
        ground = fake.ground(goal, items)
        result = Agenda(AgendaSettings(**numbers), clock=fake.time()).run(goal, ground, hits=hits)
        return result, [evidence.key for evidence in ground.find(goal.text, max(hits, 20))]

    return run


def test_hits_of_the_ordinary_search_keep_their_order(chain):
    result, ordinary = chain()
    assert [hit.key for hit in result.ranking if hit.operator == "find"] == ordinary


@pytest.mark.parametrize("kept", [0, 1, 3, 5, 20])
def test_the_best_ordinary_hits_keep_their_places(chain, kept):
    result, ordinary = chain(kept=kept)
    assert list(result.keys[:kept]) == ordinary[:kept]
    if kept:
        assert result.keys[kept : kept + 2] == (BOSS, HOME)


def test_found_items_stand_by_what_they_add(chain):
    result, _ = chain(kept=1)
    found = [hit for hit in result.ranking if hit.operator != "find"]
    assert [hit.key for hit in found] == [BOSS, HOME]
    assert found[0].contribution > found[1].contribution > 0.05


def test_an_item_on_which_the_others_hang_contributes_what_they_do(chain):
    result, _ = chain(kept=0)
    worth = {hit.key: hit.contribution for hit in result.ranking if hit.contribution is not None}
    assert worth[LEAD] > worth[BOSS] > worth[HOME]
    assert result.keys[:3] == (LEAD, BOSS, HOME)


def test_what_adds_too_little_goes_to_the_end(chain):
    result, ordinary = chain(earned=1.0)
    assert list(result.keys) == [*ordinary, BOSS, HOME]


def test_what_the_questions_own_words_lead_to_takes_no_place(fake):
    items = [fake.sketch(n, f"Apollo flies {n} today.") for n in range(1, 10)]
    items += [fake.sketch(n, "high") for n in range(10, 12)]
    items += [fake.sketch(12, "Apollo is high.", entities="Apollo")]
    goal = fake.goal("how high flies Apollo today?", items, entities=["Apollo"])
    ground = fake.ground(goal, items)
    ordinary = [evidence.key for evidence in ground.find(goal.text, 5)]
    result = Agenda(AgendaSettings(width=5), clock=fake.time()).run(goal, ground)
    assert 12 in result.best.keys
    assert list(result.keys) == [*ordinary, 12]


def test_a_place_is_all_that_is_said_of_a_hit_scores_are_the_searchs(chain):
    result, _ = chain()
    assert all(set(hit.to_dict()) == {"key", "operator", "contribution"} for hit in result.ranking)


def test_a_link_that_makes_the_whole_look_less_like_the_question_keeps_its_place(fake):
    """Each item of a chain looks little like the question: the mean nearness falls with each."""
    facts = ["Lena leads Apollo.", "Ana is the manager of Lena.", "Ana lives in Riga."]
    others = [f"Some manager lives in city {n}." for n in range(40)]
    modules = [f"Apollo has module {n}." for n in range(30)]
    items = [fake.sketch(key, text) for key, text in enumerate([*facts, *others, *modules], 1)]
    goal = fake.goal(fake.question, items, entities=["Apollo"])
    result = Agenda(clock=fake.time()).run(goal, fake.ground(goal, items))
    found = {hit.key: hit.contribution for hit in result.ranking[:10] if hit.operator != "find"}
    assert list(found) == [2, 3]
    scores = {node.keys: node.score for node in result.trace.nodes}
    without = result.best.keys[:-1]
    assert result.best.keys[-1] == 3
    assert result.best.score - scores[without] < found[3]


def test_what_closes_nothing_that_was_open_goes_to_the_end(fake):
    items = [fake.sketch(1, "Lena leads Apollo."), fake.sketch(2, "Lena is tall.")]
    items += [fake.sketch(n, f"Somebody leads team {n}.") for n in range(3, 12)]
    goal = fake.goal("who leads Apollo today?", items, entities=["Apollo"])
    ground = fake.ground(goal, items)
    ordinary = [evidence.key for evidence in ground.find(goal.text, 20)]
    result = Agenda(AgendaSettings(enough=1.0), clock=fake.time()).run(goal, ground)
    assert list(result.keys)[: len(ordinary)] == ordinary


def test_more_hits_may_be_wanted_than_are_looked_at(chain):
    result, ordinary = chain(hits=26, width=10)
    assert len(ordinary) == 26
    assert [hit.key for hit in result.ranking if hit.operator == "find"] == ordinary
    assert result.keys[3:5] == (BOSS, HOME)
