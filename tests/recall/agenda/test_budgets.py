"""Budgets: each one by itself, and all of them on memories made at random."""

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides.errors import InvalidSettings
from simonides.recall.agenda.search import Agenda, Stop
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.agenda.source import Finding


@pytest.fixture(scope="module")
def chain(fake):
    """Runs the agenda on the chain of three."""

    def run(clock=None, **numbers):
        items = fake.chain()
        goal = fake.goal(fake.question, items, entities=["Apollo"])
        ground = fake.ground(goal, items)
        return Agenda(AgendaSettings(**numbers), clock=clock or fake.time()).run(goal, ground), ground

    return run


def searches(ground):
    return [asked for asked in ground.asked if asked[0] in {"find", "documents"}]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_expansions_are_bounded(chain, count):
    result, _ = chain(expansions=count)
    assert result.expansions == count
    assert result.stop is Stop.EXPANSIONS


def test_an_answer_counts_though_no_expansion_is_left(fake):
    items = [fake.sketch(1, "Lena leads Apollo.")]
    goal = fake.goal("who leads Apollo?", items, entities=["Apollo"])
    result = Agenda(AgendaSettings(expansions=0), clock=fake.time()).run(goal, fake.ground(goal, items))
    assert result.stop is Stop.ANSWERED


@pytest.mark.parametrize("count", [1, 2, 3])
def test_searches_are_bounded_the_first_one_included(chain, count):
    result, ground = chain(searches=count)
    assert len(searches(ground)) == result.searches == count


def test_one_that_nobody_asked_for_searches_no_more_and_keeps_to_the_numbers_given(fake):
    items = fake.chain()
    goal = fake.goal(fake.question, items, entities=["Apollo"])
    for expansions, most in ((20, 6), (2, 2)):
        ground = fake.ground(goal, items)
        agenda = Agenda(AgendaSettings(expansions=expansions, patience=20), clock=fake.time())
        result = agenda.brief().run(goal, ground)
        assert len(searches(ground)) == result.searches == 1
        assert 0 < result.expansions <= most
        assert agenda.run(goal, fake.ground(goal, items)).searches > 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_children_of_an_expansion_are_bounded(fake, count):
    items = [
        fake.sketch(1, "Lena leads Apollo."),
        *(fake.sketch(n, f"manager {n} of Lena") for n in range(2, 6)),
    ]
    goal = fake.goal("manager of who leads Apollo?", items, entities=["Apollo"])
    settings = AgendaSettings(children=count, start=1)
    result = Agenda(settings, clock=fake.time()).run(goal, fake.ground(goal, items))
    assert len(result.trace.expansions[0].children) == count


def test_the_support_never_takes_more_than_its_tokens(chain):
    free, _ = chain()
    limit = free.trace.nodes[0].tokens + 12
    result, _ = chain(tokens=limit)
    assert free.best.tokens > limit
    assert all(node.tokens <= limit for node in result.trace.nodes)
    assert result.stop is Stop.TOKENS
    assert sum(expansion.refused for expansion in result.trace.expansions) > 0


def test_items_that_do_not_fit_are_left_out_of_the_beginning(chain):
    result, _ = chain(tokens=1)
    assert (result.best.keys, result.stop) == ((), Stop.TOKENS)
    assert result.keys  # They are found all the same.


def test_nothing_is_begun_once_the_time_is_over(chain, fake):
    clock = fake.time()
    result, ground = chain(clock=clock, seconds=10.0)
    assert result.stop is not Stop.TIME
    late, ground = chain(clock=fake.time(step=11.0), seconds=10.0)
    assert (late.stop, late.expansions) == (Stop.TIME, 0)
    assert len(searches(ground)) == 1
    assert late.keys


def test_time_that_runs_out_in_between_ends_the_run(chain, fake):
    whole, _ = chain()
    result, ground = chain(clock=fake.time(step=3.0), seconds=10.0)
    assert result.stop is Stop.TIME
    assert 0 < result.expansions < whole.expansions
    assert len(searches(ground)) < whole.searches


def test_a_run_without_gain_ends_after_its_patience(chain):
    result, _ = chain(searches=1, patience=1)
    assert result.stop in {Stop.NO_GAIN, Stop.EXHAUSTED}
    assert result.expansions == 1


def test_names_and_companions_of_a_query_are_bounded(chain):
    _, ground = chain(anchors=0, companions=0)
    assert ("find", "person") in ground.asked


def test_without_shared_items_no_look_up_is_made(chain):
    _, ground = chain(shared=0)
    assert not [asked for asked in ground.asked if asked[0] == "sharing"]


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("start", 0),
        ("start_documents", -1),
        ("width", 0),
        ("children", 0),
        ("considered", 0),
        ("expansions", -1),
        ("patience", 0),
        ("tokens", 0),
        ("searches", 0),
        ("checks", -1),
        ("anchors", -1),
        ("companions", -1),
        ("shared", -1),
        ("kept", -1),
        ("seconds", 0.0),
        ("seconds", float("inf")),
        ("seconds", float("nan")),
        ("enough", 1.1),
        ("same_claim", -0.1),
        ("earned", float("nan")),
    ],
)
def test_a_setting_out_of_range_is_named(name, value):
    with pytest.raises(InvalidSettings, match=rf"agenda\.{name}"):
        AgendaSettings(**{name: value})


def test_every_number_is_a_setting():
    numbers = {entry.name: entry.default for entry in fields(AgendaSettings)}
    assert numbers["start"] == 5
    assert numbers["children"] == 3
    assert numbers["expansions"] == 20
    assert numbers["tokens"] == 3000
    assert numbers["seconds"] == 10.0
    assert numbers["enough"] == 0.4


# At random

WORDS = st.sampled_from("apollo Lena Marek Ana manager city lives leads north tower because".split())  # noqa: SIM905
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), max_size=14)
NUMBERS = st.fixed_dictionaries(
    {
        "start": st.integers(1, 6),
        "width": st.integers(1, 12),
        "children": st.integers(1, 4),
        "expansions": st.integers(0, 8),
        "patience": st.integers(1, 8),
        "tokens": st.integers(1, 80),
        "searches": st.integers(1, 5),
        "checks": st.integers(0, 3),
        "anchors": st.integers(0, 3),
        "kept": st.integers(0, 4),
    }
)


class Fickle:
    """A validator whose findings follow the length of the claim."""

    def __init__(self):
        self.asked = 0

    def check(self, claim, item):
        self.asked += 1
        return list(Finding)[len(claim) % 3]


@settings(max_examples=150)
@given(
    texts=TEXTS,
    question=st.lists(WORDS, max_size=6).map(" ".join),
    entities=st.lists(st.sampled_from(["apollo", "tower"]), max_size=2, unique=True),
    marks=st.lists(st.sampled_from(["", "chunk", "hashed", "contested", "entity"]), min_size=14, max_size=14),
    numbers=NUMBERS,
    intent=st.sampled_from(["why", "when", "who", "general"]),
    several=st.booleans(),
)
def test_budgets_and_order_hold_on_any_memory(
    fake, texts, question, entities, marks, numbers, intent, several
):
    items = [
        fake.sketch(
            key,
            text,
            type="chunk" if mark == "chunk" else "fact",
            hashed=int(mark == "hashed"),
            validation="contested" if mark == "contested" else "unverified",
            entities="Lena\nApollo" if mark == "entity" else "",
        )
        for key, (text, mark) in enumerate(zip(texts, marks, strict=False), 1)
    ]
    goal = fake.goal(question, items, entities=entities, intent=intent, several=several)
    ground, judge, bounds = fake.ground(goal, items, documents=True), Fickle(), AgendaSettings(**numbers)
    result = Agenda(bounds, validator=judge, clock=fake.time()).run(goal, ground)

    assert result.expansions <= bounds.expansions
    assert len(searches(ground)) == result.searches <= bounds.searches
    assert judge.asked <= bounds.checks
    assert all(len(expansion.children) <= bounds.children for expansion in result.trace.expansions)
    assert all(node.tokens <= bounds.tokens and 0 <= node.score <= 1 for node in result.trace.nodes)
    assert [node.id for node in result.trace.nodes] == list(range(len(result.trace.nodes)))
    assert not set(result.best.keys) & set(result.refuted)

    ordinary = [evidence.key for evidence in ground.find(goal.text, bounds.width)]
    assert list(result.keys[: min(bounds.kept, len(ordinary))]) == ordinary[: bounds.kept]
    assert len(set(result.keys)) == len(result.keys)
    assert set(ordinary) | set(result.best.keys) == set(result.keys)
    stayed = [hit.key for hit in result.ranking if hit.operator == "find"]
    assert stayed == [key for key in ordinary if key in set(stayed)]
