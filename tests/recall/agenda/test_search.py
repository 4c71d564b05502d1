"""The agenda on a small memory: chains of items, the order of the queue, stop rules, models that fail."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from simonides.errors import InvalidInput, ProviderError, ProviderUnavailable
from simonides.recall.agenda.node import Goal, ScoreParts
from simonides.recall.agenda.score import Scorer
from simonides.recall.agenda.search import Agenda, Stop
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.agenda.source import Finding


@pytest.fixture
def ask(fake):
    """Runs an agenda over items; the result and the ground that was asked."""

    def asked(question, items, *, entities=(), settings=None, documents=False, agenda=None, **fields):
        goal = fake.goal(question, items, entities=entities, **fields)
        ground = fake.ground(goal, items, documents=documents)
        chosen = agenda or Agenda(settings, clock=fake.time())
        return chosen.run(goal, ground), ground

    return asked


@pytest.fixture
def ask_chain(ask, fake):
    def asked(**options):
        return ask(fake.question, fake.chain(), entities=["Apollo"], **options)

    return asked


class Constant(Scorer):
    """Every explanation is worth the same."""

    def score(self, node):
        return ScoreParts(score=0.3)


# Several steps


def test_a_question_over_three_items_is_answered_where_an_ordinary_search_is_not(ask_chain):
    result, ground = ask_chain()
    lead, boss, home = 26, 27, 28
    ordinary = [evidence.key for evidence in ground.find(ground.goal.text, 10)]
    assert lead in ordinary
    assert not {boss, home} & set(ordinary)
    assert set(result.best.keys) >= {lead, boss, home}
    assert {boss, home} <= set(result.keys[:5])
    assert result.best.depth == 2
    assert [result.trace.nodes[n].step.operator for n in (1, 2)] == ["bridge", "bridge"]


def test_coverage_and_score_rise_along_the_way(ask_chain):
    result, _ = ask_chain()
    way = [result.best]
    while way[-1].parent is not None:
        way.append(result.trace.nodes[way[-1].parent])
    coverage = [node.parts.coverage for node in reversed(way)]
    assert len(way) == 3
    assert coverage == sorted(set(coverage))
    assert result.best.score > result.trace.nodes[0].score


def test_a_bridge_asks_for_what_is_open_by_the_names_it_has_come_to(ask_chain):
    _, ground = ask_chain()
    queries = [asked[1] for asked in ground.asked if asked[0] == "find"]
    assert queries[0] == ground.goal.text
    assert queries[1:] == ["person Lena city manager live", "person Marek Lena city live"]


def test_items_that_share_a_missing_entity_or_tag_need_no_search(ask, fake):
    items = [
        fake.sketch(1, "Lena leads Apollo.", entities="Apollo\nLena"),
        fake.sketch(2, "She grew up by the sea.", entities="Lena", tags="childhood"),
        *(fake.sketch(n, f"Apollo question {n}.") for n in range(3, 30)),
    ]
    result, ground = ask("childhood of who leads Apollo?", items, entities=["Apollo"])
    assert ("expand_memory", 2) in [
        (node.step.operator, key) for node in result.trace.nodes for key in node.step.added
    ]
    assert ("sharing", "Lena", "/", "childhood") in ground.asked


def test_documents_are_asked_once_nothing_cheaper_closes_a_subgoal(ask, fake):
    items = [
        fake.sketch(1, "Lena leads Apollo."),
        fake.sketch(2, "Lena is reached by phone in an emergency.", type="chunk"),
        *(fake.sketch(n, f"In an emergency call {n}.") for n in range(3, 40)),
    ]
    question = "emergency contact of Apollo?"
    settings = AgendaSettings(width=5)
    result, ground = ask(question, items, entities=["Apollo"], documents=True, settings=settings)
    assert [asked[0] for asked in ground.asked if asked[0] == "documents"]
    assert "handbook" in result.best.documents
    _, ground = ask(question, items, entities=["Apollo"], documents=False, settings=settings)
    assert not [asked for asked in ground.asked if asked[0] == "documents"]


def test_pieces_of_documents_join_the_beginning(ask, fake):
    items = [fake.sketch(n, "Apollo flies.") for n in range(1, 8)]
    items += [fake.sketch(n, "Apollo flies high.", type="chunk") for n in range(8, 12)]
    result, _ = ask("Apollo flies", items)
    assert result.trace.nodes[0].keys == (1, 2, 3, 4, 5, 8, 9)
    assert result.best.documents == ("handbook",)


# Order


def queue_order(result):
    """Ids that a queue ordered strictly by score, ties by id, would give, replayed from the trace."""
    waiting, order = [result.trace.nodes[0]], []
    for expansion in result.trace.expansions:
        waiting.sort(key=lambda node: (-node.score, node.id))
        order.append(waiting.pop(0).id)
        waiting += [result.trace.nodes[child] for child in expansion.children]
    return order


@pytest.mark.parametrize("scorer", [None, Constant()])
def test_the_best_explanation_is_developed_first_ties_by_id(fake, ask_chain, scorer):
    agenda = Agenda(AgendaSettings(patience=50, searches=20), scorer=scorer, clock=fake.time())
    result, _ = ask_chain(agenda=agenda)
    order = [expansion.node for expansion in result.trace.expansions]
    assert len(order) > 2
    assert order == queue_order(result)
    if scorer is not None:
        assert order == sorted(order)


def test_no_explanation_is_made_twice(fake, ask_chain):
    result, _ = ask_chain(agenda=Agenda(AgendaSettings(patience=50, searches=20), clock=fake.time()))
    signatures = [node.signature for node in result.trace.nodes]
    assert len(signatures) == len(set(signatures))


def test_nothing_is_asked_or_looked_at_twice(fake, ask_chain):
    _, ground = ask_chain(agenda=Agenda(AgendaSettings(patience=50, searches=20), clock=fake.time()))
    assert len(ground.asked) == len(set(ground.asked))
    assert len(ground.looked_at) == len(set(ground.looked_at))


def test_the_same_memory_gives_the_same_bytes(ask_chain):
    (first, _), (second, _) = ask_chain(), ask_chain()
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    assert first.trace.tree() == second.trace.tree()


def test_the_order_of_sets_in_a_process_changes_nothing(fake):
    code = (
        "import json, runpy, sys\n"
        "from simonides.recall.agenda.search import Agenda\n"
        "made = runpy.run_path(sys.argv[1])\n"
        "items = made['the_chain']()\n"
        "goal = made['a_goal'](made['CHAIN'], items, entities=['Apollo'])\n"
        "print(json.dumps(Agenda().run(goal, made['FakeGround'](goal, items)).to_dict()))\n"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).with_name("conftest.py"))]
    answers = {
        subprocess.run(
            command, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(answers) == 1


# Stop rules


def test_an_explanation_that_leaves_nothing_open_is_an_answer(ask, fake):
    result, ground = ask("who leads Apollo?", [fake.sketch(1, "Lena leads Apollo.")], entities=["Apollo"])
    assert result.stop is Stop.ANSWERED
    assert result.best.open == ()
    assert result.best.score > 0.4
    assert [asked[0] for asked in ground.asked].count("find") == 1


def test_without_a_high_enough_score_it_is_none(ask, fake):
    items = [fake.sketch(1, "Lena leads Apollo.")]
    result, _ = ask("who leads Apollo?", items, entities=["Apollo"], settings=AgendaSettings(enough=0.9))
    assert result.stop is Stop.EXHAUSTED
    assert result.best.open == ()


def test_an_empty_memory_gives_nothing_and_costs_one_search(ask):
    result, ground = ask("who leads Apollo?", [], entities=["Apollo"])
    assert result.stop is Stop.NOTHING
    assert (result.keys, result.best.keys, result.best.score, result.expansions) == ((), (), 0.0, 0)
    assert len(ground.asked) == 1
    json.dumps(result.to_dict())


def test_a_question_of_stop_words_is_nothing_to_look_for(ask, fake):
    result, _ = ask("what is it?", [fake.sketch(1, "Lena leads Apollo.")])
    assert result.stop is Stop.NOTHING


def test_an_answer_is_best_even_where_something_else_scores_higher(ask, fake):
    class LikesFew(Scorer):
        def score(self, node):
            return replace(super().score(node), score=0.9 - len(node.support) / 100)

    items = [fake.sketch(1, "Lena leads Apollo."), fake.sketch(2, "The manager of Lena is Marek.")]
    agenda = Agenda(AgendaSettings(start=1), scorer=LikesFew(), clock=fake.time())
    result, _ = ask("manager of who leads Apollo?", items, entities=["Apollo"], agenda=agenda)
    assert result.best.keys == (1, 2)
    assert result.trace.nodes[0].score > result.best.score


# Verification


def test_a_hashed_source_is_preferred_for_a_critical_claim(ask, fake):
    items = [
        fake.sketch(1, "Lena leads Apollo today."),
        fake.sketch(2, "Lena leads Apollo since spring today.", source_kind="doc", hashed=1),
    ]
    settings = AgendaSettings(start=1)
    result, _ = ask("who leads Apollo today?", items, entities=["Apollo"], settings=settings)
    assert result.trace.nodes[0].keys == (1,)
    assert result.best.keys == (2,)
    assert result.best.step.operator == "verify"
    assert result.best.step.dropped == (1,)
    assert result.best.parts.provenance > result.trace.nodes[0].parts.provenance


@pytest.mark.parametrize("validation", ["contested", "retracted"])
def test_a_doubtful_witness_is_none(ask, fake, validation):
    items = [
        fake.sketch(1, "Lena leads Apollo today."),
        fake.sketch(
            2, "Lena leads Apollo since spring today.", source_kind="doc", hashed=1, validation=validation
        ),
    ]
    settings = AgendaSettings(start=1)
    result, _ = ask("who leads Apollo today?", items, entities=["Apollo"], settings=settings)
    assert result.best.keys == (1,)


class Judge:
    """A validator that knows what is true."""

    def __init__(self, **findings):
        self.findings = findings
        self.asked = []

    def check(self, claim, item):
        self.asked.append((claim, item.key))
        return self.findings.get(f"item{item.key}", Finding.UNKNOWN)


def test_a_claim_that_the_validator_supports_counts_as_verified(ask, fake):
    judge = Judge(item1=Finding.SUPPORTED)
    items = [fake.sketch(1, "Lena leads Apollo.")]
    agenda = Agenda(validator=judge, clock=fake.time())
    result, _ = ask("who leads Apollo?", items, entities=["Apollo"], agenda=agenda)
    assert judge.asked == [("Lena leads Apollo.", 1)]
    assert result.best.confirmed == {1}
    assert result.best.parts.provenance == pytest.approx(0.52)
    assert result.stop is Stop.ANSWERED


def test_no_explanation_rests_on_what_the_validator_contradicts(ask, fake):
    judge = Judge(item1=Finding.CONTRADICTED)
    items = [fake.sketch(1, "Lena leads Apollo now."), fake.sketch(2, "Marek leads Apollo.")]
    agenda = Agenda(AgendaSettings(start=1), validator=judge, clock=fake.time())
    result, _ = ask("who leads Apollo now?", items, entities=["Apollo"], agenda=agenda)
    assert result.refuted == (1,)
    assert 1 not in result.best.keys
    assert set(result.keys) == {1, 2}  # What is shown is not the agenda's to decide.


def test_a_validator_is_asked_about_one_claim_after_the_other_and_not_too_often(ask, fake):
    judge = Judge()
    items = [fake.sketch(1, "Apollo"), fake.sketch(2, "Apollo city"), fake.sketch(3, "Apollo manager lives")]
    for checks in (0, 1, 2):
        judge.asked.clear()
        agenda = Agenda(AgendaSettings(checks=checks), validator=judge, clock=fake.time())
        ask("Apollo city manager lives person where", items, entities=["Apollo"], agenda=agenda)
        assert len(judge.asked) == len(set(judge.asked)) <= checks


# Models


def test_a_model_may_word_the_new_queries(ask_chain, fake):
    given = []

    def word(question, subgoal, names):
        given.append((question, subgoal, names))
        return f"  manager of {names[0]}\n" if names else ""

    _, ground = ask_chain(agenda=Agenda(word=word, clock=fake.time()))
    assert given[0] == (fake.question, "person", ("Lena",))
    assert ("find", "manager of Lena") in ground.asked


@pytest.mark.parametrize("error", [ProviderError("no words today"), ProviderUnavailable("asleep")])
def test_a_model_that_fails_is_named_and_not_asked_again(ask_chain, fake, error):
    calls = []

    def word(*given):
        calls.append(given)
        raise error

    result, _ = ask_chain(agenda=Agenda(word=word, clock=fake.time()))
    plain, _ = ask_chain()
    assert len(calls) == 1
    assert result.degradations == (f"agenda: queries are worded without a model: {error}",)
    assert result.keys == plain.keys
    assert plain.degradations == ()


def test_a_model_without_words_is_named(ask_chain, fake):
    result, _ = ask_chain(agenda=Agenda(word=lambda *_: "  \n", clock=fake.time()))
    assert result.degradations == ("agenda: queries are worded without a model: the model gave no words",)


def test_a_validator_that_fails_is_named_and_not_asked_again(ask_chain, fake):
    class Broken:
        calls = 0

        def check(self, claim, item):
            self.calls += 1
            raise ProviderUnavailable("the judge is away")

    judge = Broken()
    result, _ = ask_chain(agenda=Agenda(validator=judge, clock=fake.time()))
    assert judge.calls == 1
    assert result.degradations == ("agenda: claims are not checked: the judge is away",)


# Scorers


def test_a_scorer_of_ones_own_decides_what_is_best(ask_chain, fake):
    class Dated(Scorer):
        def score(self, node):
            newest = max((piece.key for piece in node.support), default=0)
            return replace(super().score(node), score=newest / 100)

    result, _ = ask_chain(agenda=Agenda(scorer=Dated(), clock=fake.time()))
    assert result.best.score == max(result.best.keys) / 100


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_scorer_that_leaves_its_range_is_an_error(ask_chain, fake, score):
    class Wild(Scorer):
        def score(self, node):
            return ScoreParts(score=score)

    with pytest.raises(InvalidInput, match=r"a scorer's score lies in \[0, 1\]"):
        ask_chain(agenda=Agenda(scorer=Wild(), clock=fake.time()))


def test_a_goal_without_wants_is_its_ordinary_search(fake):
    goal = Goal(text="Apollo")
    result = Agenda(clock=fake.time()).run(goal, fake.ground(goal, [fake.sketch(1, "Apollo flies.")]))
    assert result.keys == (1,)
