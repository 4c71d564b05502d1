"""Choice of the side of a contradiction that is doubted."""

import tempfile
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.item import Validation
from simonides.domain.link import Relation
from simonides.domain.provenance import Origin, Trust
from simonides.domain.scope import ALL, Scope
from simonides.domain.verdict import Outcome
from simonides.language.contradiction import difference
from simonides.ports.store import NewItem
from simonides.testing import FakeEmbedder, FrozenClock, ScriptedModel, an_item
from simonides.upkeep.clusters import Contradiction
from simonides.upkeep.conflicts import Contesting
from simonides.upkeep.ground import Order

AT = FrozenClock("2026-03-01T12:00:00Z").now()
USERS = {Origin.USER_SAID, Origin.USER_CONFIRMED}
SIDES = st.fixed_dictionaries(
    {
        "origin": st.sampled_from(Origin),
        "trust": st.sampled_from(Trust),
        "confidence": st.floats(0, 1),
        "decay_rate": st.floats(0, 0.5),
        "validation": st.sampled_from([Validation.VERIFIED, Validation.UNVERIFIED, Validation.CONTESTED]),
        "age_days": st.integers(0, 400),
    }
)


class Tell:
    """A job that tells of one contradiction."""

    name, about = "tell", "Tell of a contradiction."

    def __init__(self, pair):
        self._pair = pair

    def plan(self, ground):
        yield from Contesting(ground).steps([self._pair], {})


def side(city, age_days, **fields):
    at = AT - age_days * 86_400_000_000
    return an_item(f"Ana lives in {city}.", at=at, scope=Scope("user:ana"), **fields)


def contest(memory, pair):
    """Have a run tell of a contradiction; the validation of both sides afterwards."""
    older, newer = sorted(pair, key=lambda item: (item.created_at, item.id))
    said = difference(older.content, newer.content)
    memory._parts.store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED) for item in pair], None))
    run = memory._parts.upkeep.maintain((Tell(Contradiction(older, newer, said)),), Order(scope=ALL))
    assert run.error is None
    assert run.counts["linked"] == 1
    return [memory.get(item.id).validation for item in pair]


@settings(max_examples=15)
@given(st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=12))
def test_what_the_user_says_is_not_doubted_for_what_others_say_nor_what_is_verified_at_all(pairs):
    names = (f"City{number}" for number in count())
    with tempfile.TemporaryDirectory() as folder:
        chosen = Settings(store=StoreSettings(synchronous="NORMAL"))
        clock = FrozenClock("2026-03-01T12:00:00Z")
        with Memory(Path(folder) / "m.db", settings=chosen, clock=clock, embedder=FakeEmbedder(8)) as memory:
            for pair in pairs:
                sides = [side(next(names), **fields) for fields in pair]
                after = contest(memory, sides)
                for own, other, now in zip(sides, sides[::-1], after, strict=True):
                    if own.validation is Validation.VERIFIED:
                        assert now is Validation.VERIFIED
                    if own.origin in USERS and other.origin not in USERS:
                        assert now is own.validation
                doubted = sum(now is not item.validation for item, now in zip(sides, after, strict=True))
                assert doubted <= 1
                if all(item.validation is Validation.UNVERIFIED for item in sides):
                    assert doubted == 1


@pytest.mark.parametrize("confidence", [0.35, 0.9])
def test_what_the_user_noted_is_not_contested_by_what_a_model_made_of_a_talk(open_memory, confidence):
    fact = {
        "content": "Bo lives in Porto.",
        "type": "fact",
        "turns": [1, 2],
        "confidence": 1.0,
        "why": "told",
    }
    memory = open_memory(
        model=ScriptedModel({"extract": {"facts": [fact]}, "conflicts": {"verdict": "contradict"}})
    )
    noted = memory.add("Bo lives in Lisbon.", type="fact", scope="user:ana", confidence=confidence).item_ids[
        0
    ]
    talk = [
        {"role": "assistant", "content": "So Bo lives in Porto?"},
        {"role": "user", "content": "Porto, yes."},
    ]
    memory.add(talk, session_id="s", scope="user:ana")
    (made,) = memory.extract().item_ids
    with memory._parts.store.read() as reader:
        assert len(reader.links([noted], [Relation.CONTRADICTS])) == 1
    assert memory.get(noted).validation is Validation.UNVERIFIED
    assert memory.get(made).validation is Validation.CONTESTED


#: One denies what the other says: who lives, ships or works where is told by names and days, too.
DENIED = [
    ("I live in Berlin.", "I do not live in Berlin."),
    ("I live in Berlin.", "I no longer live in Berlin."),
    ("I live in Berlin.", "I don't live in Berlin anymore."),
    ("Ana lives in Berlin.", "Ana does not live in Berlin."),
    ("Ana lives in Berlin.", "Ana no longer lives in Berlin."),
    ("Tom works at Siemens.", "Tom no longer works at Siemens."),
    ("I know Ana.", "I do not know Ana."),
    ("We ship on Fridays.", "We do not ship on Fridays."),
    ("We ship on Fridays.", "We no longer ship on Fridays."),
    ("We ship on Fridays.", "We stopped shipping on Fridays."),
    ("The shop opens at 9.", "The shop does not open at 9."),
    ("Я живу в Москве.", "Я не живу в Москве."),
    ("Мы отправляем по пятницам.", "Мы не отправляем по пятницам."),
    ("J'habite à Lyon.", "Je n'habite plus à Lyon."),
    ("J'aime le thé.", "Je n'aime pas le thé."),
    ("我住在北京。", "我不住在北京。"),
]
NOT_DENIED = [
    ("Way to go, John.", "No way, John."),
    ("Today, Ana.", "Not today, Ana."),
    ("I like it.", "I don't like it."),
    ("I know.", "I don't know."),
    ("I live in Berlin.", "I do not live in Rome."),
    ("Ana lives in Berlin.", "Bob does not live in Berlin."),
    ("My sister lives in Berlin.", "I do not live in Berlin."),
    ("We ship on Fridays.", "We do not ship on Mondays."),
    ("We ship on Fridays.", "We do not ship on Fridays in August."),
]


def contested(memory, clock, former, said):
    for text in (former, said):
        memory.add(text, type="fact")
        clock.advance(seconds=3600)
    memory.consolidate()
    return [(pair.older.content, pair.newer.content) for pair in memory.review.contradictions()]


@pytest.mark.parametrize(("told", "denied"), DENIED)
def test_a_plain_denial_is_linked_whichever_came_first(open_memory, tmp_path, clock, told, denied):
    for number, pair in enumerate(((told, denied), (denied, told))):
        memory = open_memory(tmp_path / f"{number}.db", embedder=None)
        assert contested(memory, clock, *pair) == [pair]


@pytest.mark.parametrize(("told", "denied"), NOT_DENIED)
def test_what_denies_something_else_or_next_to_nothing_is_not(open_memory, tmp_path, clock, told, denied):
    for number, pair in enumerate(((told, denied), (denied, told))):
        memory = open_memory(tmp_path / f"{number}.db", embedder=None)
        assert contested(memory, clock, *pair) == []
