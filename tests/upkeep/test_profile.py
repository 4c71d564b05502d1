import pytest

from simonides import ALL
from simonides.config import Settings, StoreSettings
from simonides.domain.text import count_tokens
from simonides.errors import ProviderUnavailable
from simonides.testing import ScriptedModel
from simonides.upkeep.settings import UpkeepSettings


def refresh(memory, **options):
    run = memory.maintain(["profile"], **options)
    assert run.error is None
    return run


def pinned(memory, scope=ALL):
    return {item.content for item in memory.list(scope=scope, limit=1000, pinned=True)}


def small(tokens):
    return Settings(store=StoreSettings(synchronous="NORMAL"), upkeep=UpkeepSettings(profile_tokens=tokens))


def test_what_is_important_is_pinned_and_the_rest_is_not(memory, remember):
    remember("Ana is a nurse.", type="identity")
    remember("Ana prefers tea.", type="preference")
    remember("It rained on Monday.", type="fact")
    remember("Ana painted the boat.", type="event", importance=0.9)
    refresh(memory)
    assert pinned(memory) == {"Ana is a nurse.", "Ana prefers tea."}
    assert "Ana is a nurse." in memory.core_profile().text


def test_within_the_tokens_the_weightiest_come_first(open_memory, remember):
    memory = open_memory(settings=small(12))
    for text, importance in (("Ana likes tea.", 0.7), ("Ana is a nurse.", 1.0), ("Ben has a boat.", 0.8)):
        remember(text, where=memory, importance=importance)
    refresh(memory)
    assert pinned(memory) == {"Ana is a nurse."}
    assert sum(map(count_tokens, pinned(memory))) <= 12


def test_what_lost_its_confidence_gives_way(open_memory, remember, clock):
    memory = open_memory(settings=small(12))
    remember("Ana likes tea.", where=memory, importance=0.9)
    clock.advance(days=1)
    refresh(memory)
    clock.advance(days=40)
    remember("Ana likes milk.", where=memory, importance=0.8)
    refresh(memory)
    assert pinned(memory) == {"Ana likes milk."}


def test_what_somebody_pinned_stays_pinned(open_memory, remember):
    memory = open_memory(settings=small(12))
    remember("The door code is on the fridge.", where=memory, type="note", importance=0.1, pinned=True)
    remember("Ana is a nurse.", where=memory, type="identity")
    refresh(memory)
    assert pinned(memory) == {"The door code is on the fridge."}


def test_what_somebody_pinned_counts_towards_the_tokens(open_memory, remember):
    memory = open_memory(settings=small(17))
    remember("The door code is on the fridge.", where=memory, type="note", pinned=True)
    remember("Ana likes tea.", where=memory, importance=0.9)
    refresh(memory)
    assert pinned(memory) == {"The door code is on the fridge."}


def test_a_pin_of_its_own_is_taken_away_when_the_item_is_no_longer_important(memory, remember):
    item = remember("Ana is a nurse.", type="identity")
    refresh(memory)
    memory.update(item.id, importance=0.3)
    refresh(memory)
    assert not pinned(memory)
    assert "pinned_by" not in memory.get(item.id).metadata


def test_an_item_that_somebody_pinned_again_is_theirs(memory, remember):
    item = remember("Ana is a nurse.", type="identity")
    refresh(memory)
    memory.update(item.id, pinned=False)
    memory.update(item.id, pinned=True, importance=0.1)
    refresh(memory)
    assert pinned(memory) == {"Ana is a nurse."}


def test_nothing_changes_where_nothing_has_changed(memory, remember):
    remember("Ana is a nurse.", type="identity")
    assert refresh(memory).changes
    assert not refresh(memory).changes


def test_a_pin_of_its_own_promotes_nothing(memory, remember):
    item = remember("Ana prefers tea.", type="preference")
    refresh(memory)
    memory.maintain(["consolidate"])
    assert memory.get(item.id).tier == "stm"
    other = remember("Ben prefers milk.", type="preference", pinned=True)
    memory.maintain(["consolidate"])
    assert memory.get(other.id).tier == "mtm"


def test_nobody_but_the_user_gets_into_the_profile_unchecked(memory, remember):
    memory.propose(
        [{"content": "The house has seven rooms.", "type": "definition", "why_store": "told", "source": "m1"}]
    )
    (item,) = memory.list(scope=ALL)
    memory.update(item.id, importance=0.9)
    refresh(memory)
    assert not pinned(memory)
    memory.confirm(item.id)
    refresh(memory)
    assert pinned(memory) == {"The house has seven rooms."}


def test_what_is_contradicted_stays_out_on_both_sides(memory, remember):
    one = remember("I live in Lisbon.", type="identity")
    other = remember("I live in Porto.", type="identity")
    memory.link(other.id, one.id, "contradicts")
    refresh(memory)
    assert not pinned(memory)
    memory.correct(one.id, "I lived in Lisbon.")
    refresh(memory)
    assert "I live in Porto." in pinned(memory)


def test_two_that_say_nearly_the_same_take_one_place(memory, remember):
    remember("Ana prefers green tea in the morning.", type="preference")
    remember("In the morning Ana prefers green tea.", type="preference")
    refresh(memory)
    assert len(pinned(memory)) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"valid_until": "2026-02-01"},
        {"expires_at": "2026-12-01"},
        {"type": "todo"},
    ],
    ids=["over", "ends", "todo"],
)
def test_what_passes_is_no_part_of_it(memory, remember, fields):
    remember("Ana is at sea.", **({"type": "identity", "importance": 1.0} | fields))
    refresh(memory)
    assert not pinned(memory)


def test_each_scope_has_its_own(memory, remember):
    remember("Ana is a nurse.", type="identity", scope="user:ana")
    remember("Ben is a cook.", type="identity", scope="user:ben")
    refresh(memory, scope="user:ben")
    assert pinned(memory) == {"Ben is a cook."}
    refresh(memory)
    assert pinned(memory, "user:ana") == {"Ana is a nurse."}


def test_a_dry_run_pins_nothing(memory, remember):
    remember("Ana is a nurse.", type="identity")
    run = refresh(memory, dry_run=True)
    assert any("+ pinned: True" in line for change in run.changes for line in change.lines)
    assert not pinned(memory)


def test_undo_takes_the_pins_away(memory, remember):
    remember("Ana is a nurse.", type="identity")
    run = refresh(memory)
    memory.undo(run.id)
    assert not pinned(memory)


def test_a_model_chooses_within_the_rules(open_memory, remember):
    model = ScriptedModel({"profile": {"keep": [2]}})
    memory = open_memory(model=model)
    remember("Ana is a nurse.", where=memory, type="identity")
    remember("Ben is a cook.", where=memory, type="identity")
    assert not refresh(memory).degradations
    assert len(pinned(memory)) == 1
    assert model.prompts[0].user.count("note") >= 2


@pytest.mark.parametrize("keep", [[], [99], [0], "all"], ids=["nothing", "unknown", "zero", "no list"])
def test_a_choice_that_cannot_be_used_is_made_by_importance(open_memory, remember, keep):
    memory = open_memory(model=ScriptedModel({"profile": {"keep": keep}}))
    remember("Ana is a nurse.", where=memory, type="identity")
    run = refresh(memory)
    assert pinned(memory) == {"Ana is a nurse."}
    assert any("could not be used" in text for text in run.degradations)


def test_a_model_that_does_not_answer_leaves_the_choice_to_importance(open_memory, remember):
    memory = open_memory(model=ScriptedModel({"profile": ProviderUnavailable("the model is down")}))
    remember("Ana is a nurse.", where=memory, type="identity")
    run = refresh(memory)
    assert pinned(memory) == {"Ana is a nurse."}
    assert any("the model is down" in text for text in run.degradations)


def test_an_item_that_changed_meanwhile_is_left_alone(open_memory, remember):
    writing = open_memory()

    def meanwhile(_prompt):
        writing.update(item.id, content="Ana was a nurse until May.")
        return '{"keep": [1]}'

    memory = open_memory(model=ScriptedModel({"profile": meanwhile}))
    item = remember("Ana is a nurse.", where=writing, type="identity")
    run = refresh(memory)
    assert run.counts == {"skipped": 1}
    assert not pinned(memory)


#: By language: what somebody says of themselves, and how they say later that it has changed.
CHANGES = [
    ("I live in Headingley.", "I live in Otley now."),
    ("I live in Headingley.", "Actually, I live in Otley."),
    ("I live in Headingley.", "I moved to Otley last week."),
    ("I'm a vegetarian.", "I'm not a vegetarian any more."),
    ("I work at Acme.", "I don't work at Acme any more, I work at Globex now."),
    ("Ich wohne in Graz.", "Ich wohne jetzt in Linz."),
    ("J'habite à Lyon.", "J'habite maintenant à Lille."),
    ("Vivo en Vigo.", "Ahora vivo en Lugo."),
    ("Я живу в Твери.", "Я теперь живу в Туле."),
    ("我住在成都。", "我现在住在杭州。"),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_a_pin_of_its_own_holds_nothing_back_that_its_speaker_says_later(
    open_memory, path, clock, before, after
):
    def told(jobs):
        memory = open_memory(path.with_name(f"{len(jobs)}.db"))
        for session, text in (("a", before), ("b", after)):
            memory.add([{"role": "user", "content": text}], session_id=session, scope="user:ana")
            clock.advance(days=1)
            memory.maintain(jobs)
        assert memory.review.list(scope="user:ana") == []
        return sorted(item.content for item in memory.list(scope="user:ana") if item.type != "episode")

    ways = ["extract", "consolidate"]
    assert told([*ways, "profile"]) == told(ways)


@pytest.mark.parametrize("again", [{"pinned": True}, {"metadata": {"team": "a"}}, {"importance": 0.9}])
def test_only_who_pins_an_item_makes_a_pin_of_upkeep_their_own(memory, remember, again):
    item = remember("Ana lives in Riga.", type="identity")
    refresh(memory)
    memory.update(item.id, **again)
    waits = (
        memory.add("Ana lives in Oslo.", type="identity", scope=item.scope).verdicts[0].outcome
        == "quarantined"
    )
    assert waits is ("pinned" in again)


@pytest.mark.parametrize(
    ("former", "later"),
    [
        ("Lines have about 100 characters.", "Lines have about 104 characters."),
        ("Docstrings of the api follow Google style.", "Docstrings of the api follow NumPy style."),
        (
            "Branches of the kiosk are cut from feat/<ticket>.",
            "Branches of the kiosk are cut from <initials>/<ticket>.",
        ),
    ],
)
def test_of_two_conventions_about_the_same_the_later_one_is_pinned(memory, remember, clock, former, later):
    remember(former, type="constraint")
    clock.advance(days=30)
    refresh(memory)
    remember(later, type="constraint")
    refresh(memory)
    assert pinned(memory) == {later}
    refresh(memory)
    assert pinned(memory) == {later}


def test_what_is_verified_or_somebody_pinned_gives_way_to_nothing_later(memory, remember, clock):
    checked = remember("Docstrings of the api follow Google style.", type="constraint", importance=0.8)
    memory.confirm(checked.id)
    remember("Names of the kiosk follow camel style.", type="constraint", pinned=True)
    clock.advance(days=30)
    remember("Docstrings of the api follow NumPy style.", type="constraint")
    remember("Names of the kiosk follow snake style.", type="constraint")
    refresh(memory)
    assert pinned(memory) == {
        "Docstrings of the api follow Google style.",
        "Names of the kiosk follow camel style.",
    }


def test_a_repetition_takes_no_place_in_the_profile(memory, remember, clock):
    remember("Docstrings of the api follow Google style.", type="constraint")
    clock.advance(days=30)
    remember("Docstrings of the api follow the Google style.", type="constraint")
    refresh(memory)
    assert pinned(memory) == {"Docstrings of the api follow Google style."}
