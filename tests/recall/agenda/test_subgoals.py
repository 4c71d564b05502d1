"""Open parts of a question, and items that belong together."""

import pytest

from simonides.recall.agenda.node import Goal, SubgoalKind, Want
from simonides.recall.agenda.subgoals import anchored, open_subgoals, reached, tied

APOLLO = Want("apollo", "Apollo", 3.0)
TERMS = (Want("city", "city", 2.0), Want("manager", "manager", 2.5))
GOAL = Goal(text="which city does the manager of Apollo live in?", terms=TERMS, entities=(APOLLO,))


def names(subgoals):
    return [subgoal.name for subgoal in subgoals]


def test_everything_is_open_at_first_entities_before_the_heaviest_terms():
    found = open_subgoals(GOAL, [])
    assert names(found) == ["apollo", "manager", "city"]
    assert [subgoal.kind for subgoal in found] == [SubgoalKind.ENTITY, SubgoalKind.TERM, SubgoalKind.TERM]
    assert [str(subgoal) for subgoal in found] == ["Apollo", "manager", "city"]


def test_only_what_belongs_to_the_entity_covers_anything(fake):
    stranger = fake.piece(2, holds=["city", "manager"], names=["Ana"])
    assert names(open_subgoals(GOAL, [fake.piece(1, holds=["apollo"], names=["Lena"]), stranger])) == [
        "manager",
        "city",
    ]


def test_names_tie_items_over_any_number_of_steps(fake):
    support = [
        fake.piece(4, holds=["city"], names=["Marek"]),
        fake.piece(1, holds=["apollo"], names=["Lena"]),
        fake.piece(2, holds=["city"], names=["Ana"]),
        fake.piece(3, holds=["manager"], names=["Lena", "Marek"]),
    ]
    assert [piece.key for piece in tied(GOAL, support)] == [4, 1, 3]
    assert open_subgoals(GOAL, support) == ()


def test_where_nothing_mentions_the_entity_every_item_counts(fake):
    support = [fake.piece(1, holds=["city"]), fake.piece(2, holds=["manager"])]
    assert not anchored(GOAL, support)
    assert names(open_subgoals(GOAL, support)) == ["apollo"]


def test_where_the_question_names_nothing_every_item_counts(fake):
    goal = Goal(text="which city?", terms=TERMS)
    assert open_subgoals(goal, [fake.piece(1, holds=["city"]), fake.piece(2, holds=["manager"])]) == ()


def test_an_item_is_reached_by_names_that_the_question_does_not_say(fake):
    lead = fake.piece(1, holds=["apollo"], names=["Apollo", "Lena"])
    boss = fake.piece(2, holds=["manager"], names=["Lena"])
    named = fake.piece(3, holds=["city"], names=["Apollo"])
    support = [lead, boss, named]
    assert [reached(GOAL, support, piece) for piece in support] == [False, True, False]
    assert not reached(GOAL, [boss], boss)
    assert not reached(GOAL, [boss, fake.piece(4, names=["Lena"])], boss)  # Nothing mentions Apollo.


# Time and facets


def facets(goal, *support):
    return [subgoal.name for subgoal in open_subgoals(goal, support) if not subgoal.weight]


@pytest.mark.parametrize(
    "text",
    [
        "It slipped because of the rain.",
        "Das caused it",
        "C'est à cause de lui",
        "Потому что дождь",
        "因为下雨",
    ],
)
def test_why_asks_for_a_cause(fake, text):
    goal = Goal(text="why?", intent="why")
    assert facets(goal, fake.piece(1, "It slipped.")) == ["cause"]
    assert facets(goal, fake.piece(1, text)) == []


@pytest.mark.parametrize(
    "text",
    ["Since 2021.", "on 3/4", "at 9 am", "in May", "last week", "le 3 janvier", "вчера", "3月", "昨天"],
)
def test_when_asks_for_a_time(fake, text):
    goal = Goal(text="when?", intent="when")
    assert facets(goal, fake.piece(1, "It may march on.")) == ["time"]
    assert facets(goal, fake.piece(1, text)) == []
    assert facets(goal, fake.piece(1, "It happened.", type="event")) == []


def test_who_asks_for_somebody_whom_the_question_does_not_name(fake):
    goal = Goal(text="who knows Lena?", intent="who")
    assert facets(goal, fake.piece(1, names=["Lena"])) == ["person"]
    assert facets(goal, fake.piece(1, names=["Lena", "Marek"])) == []
    assert facets(goal, fake.piece(1, type="episode", sender="Marek")) == []


def test_a_question_for_several_asks_for_two_of_a_kind(fake):
    goal = Goal(text="which city?", terms=TERMS, several=True)
    both = fake.piece(1, holds=["city", "manager"])
    assert facets(goal, both) == ["several"]
    assert facets(goal, both, fake.piece(2, holds=["manager"])) == []
    assert facets(goal, both, fake.piece(2, holds=["city"])) == ["several"]


@pytest.mark.parametrize(
    ("window", "inside"),
    [
        ((100, 200), True),
        ((None, 151), True),
        ((150, None), True),
        ((None, 150), False),
        ((151, None), False),
    ],
)
def test_a_time_window_is_open_until_something_of_that_time_is_there(fake, window, inside):
    goal = Goal(text="what city?", terms=TERMS, window=window)
    assert facets(goal, fake.piece(1, event_at=150)) == ([] if inside else ["window"])


def test_an_open_facet_is_asked_for_by_what_the_question_is_about():
    goal = Goal(text="why?", terms=TERMS, entities=(APOLLO,), intent="why")
    assert open_subgoals(goal, [])[-1].words == "Apollo manager reason because"


@pytest.mark.parametrize("intent", ["general", "what", "where"])
def test_other_intents_ask_for_nothing_of_their_own(fake, intent):
    assert facets(Goal(text="?", intent=intent), fake.piece(1)) == []
