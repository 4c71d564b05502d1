"""Statements that are over by a later turn: contested, out of the core profile, and behind that turn."""

import pytest

from simonides import Memory
from simonides.testing import FrozenClock

SCOPE = "user:ana"
PAIRS = [
    ("I'm vegan, have been for years.", "so I stopped being vegan, missed cheese too much", "am I vegan?"),
    ("I'm pregnant, due in May.", "baby's here!! a boy, noah", "am I pregnant?"),
    ("Ich bin Veganerin seit Jahren.", "esse wieder käse, bin nicht mehr vegan", "bin ich vegan?"),
    ("Je suis au chômage depuis janvier.", "jai trouvé un boulot!!", "suis-je au chômage ?"),
    ("Soy vegana desde hace años.", "ya no soy vegana, echaba de menos el queso", "¿soy vegana?"),
    ("Я веган уже много лет.", "больше не веган, скучал по сыру", "я веган?"),
    ("I work at Tesco as a shift lead.", "left Tesco, started at Aldi on monday", "where do I work?"),
    ("I live in Hull with my mum.", "got my own flat in Goole now, moved out of mum's", "where do I live?"),
    ("我对花生过敏。", "做了检测 我对花生不过敏", "我对花生过敏吗?"),
]


@pytest.fixture
def clock():
    return FrozenClock("2026-01-05T18:00:00Z")


@pytest.fixture
def memory(clock):
    with Memory(":memory:", clock=clock) as memory:
        yield memory


def say(memory, clock, text, session):
    memory.add([{"role": "user", "content": text}], session_id=session, scope=SCOPE)
    clock.advance(hours=12)
    report = memory.extract()
    clock.advance(days=2)
    return report


def kept(memory, text):
    return next(one for one in memory.list(scope=SCOPE) if one.content == text and one.type != "episode")


@pytest.mark.parametrize(("former", "later", "question"), PAIRS)
def test_what_is_over_leaves_the_profile_and_stands_behind_what_ended_it(
    memory, clock, former, later, question
):
    say(memory, clock, former, "one")
    memory.maintain()
    assert former in memory.core_profile(scope=SCOPE).text
    say(memory, clock, later, "two")
    assert former not in memory.core_profile(scope=SCOPE).text
    memory.maintain()
    assert former not in memory.core_profile(scope=SCOPE).text
    assert kept(memory, former).validation.value == "contested"
    contents = [hit.item.content for hit in memory.search(question, scope=SCOPE)]
    first = min(place for place, one in enumerate(contents) if one.casefold().startswith(later.casefold()))
    assert first < min(place for place, content in enumerate(contents) if content == former)


def test_a_person_sees_what_contradicts_it_and_takes_it_back(memory, clock):
    former, later, _ = PAIRS[0]
    say(memory, clock, former, "one")
    memory.maintain()
    report = say(memory, clock, later, "two")
    (pair,) = memory.review.contradictions()
    assert (pair.older.headline, pair.newer.headline) == (former, later)
    memory.undo(report.run_id)
    assert kept(memory, former).validation.value == "unverified"
    assert former in memory.core_profile(scope=SCOPE).text


def test_what_only_a_session_contradicted_is_contested_no_more_once_it_is_rolled_back(memory, clock):
    former, later, _ = PAIRS[0]
    say(memory, clock, former, "one")
    say(memory, clock, later, "two")
    run = memory.review.rollback(session_id="two", scope=SCOPE, dry_run=False)
    assert kept(memory, former).validation.value == "unverified"
    assert memory.review.contradictions() == []
    memory.undo(run.id)
    assert kept(memory, former).validation.value == "contested"


def test_what_two_turns_end_stays_contested_where_one_is_forgotten(memory, clock):
    former, later, _ = PAIRS[0]
    say(memory, clock, former, "one")
    turns = []
    for session in ("two", "three"):
        say(memory, clock, later, session)
        turns += memory.sessions.get(session, scope=SCOPE)
    for turn, validation in zip(turns, ("contested", "unverified"), strict=True):
        memory.forget(turn.id)
        assert kept(memory, former).validation.value == validation


def test_what_a_person_pinned_or_confirmed_stays(memory, clock):
    for former, keep in (
        ("I'm vegan.", lambda item: memory.update(item.id, pinned=True)),
        ("I'm pregnant.", lambda item: memory.confirm(item.id)),
    ):
        say(memory, clock, former, former)
        keep(kept(memory, former))
    say(memory, clock, "so I stopped being vegan", "two")
    say(memory, clock, "the baby's here!", "three")
    assert kept(memory, "I'm vegan.").validation.value == "unverified"
    assert kept(memory, "I'm pregnant.").validation.value == "verified"


def test_what_somebody_else_says_or_a_game_ends_nothing(memory, clock):
    say(memory, clock, "I'm vegan.", "one")
    memory.add([{"role": "assistant", "content": "I stopped being vegan."}], session_id="two", scope=SCOPE)
    memory.add(
        [
            {"role": "user", "content": "Let's do a role play."},
            {"role": "user", "content": "I stopped being vegan."},
        ],
        session_id="three",
        scope=SCOPE,
    )
    clock.advance(hours=12)
    memory.extract()
    assert kept(memory, "I'm vegan.").validation.value == "unverified"


def test_what_is_told_before_it_ends_nothing(memory, clock):
    say(memory, clock, "so I stopped being vegan", "one")
    say(memory, clock, "I'm vegan.", "two")
    assert kept(memory, "I'm vegan.").validation.value == "unverified"


def test_what_ends_something_else_stands_where_it_stood(memory, clock):
    say(memory, clock, "ок. я в казани живу, работаю дизайнером в студии", "one")
    say(memory, clock, "ещё я ушла из студии, теперь на фрилансе", "two")
    first = memory.search("в каком городе я живу?", scope=SCOPE).hits[0].item.content
    assert "казани" in first
