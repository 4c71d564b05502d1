import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import ALL
from simonides.config import Settings, StoreSettings
from simonides.domain.link import Relation
from simonides.errors import ProviderUnavailable
from simonides.tasks.cause import Cause
from simonides.testing import ScriptedModel
from simonides.upkeep.jobs.causes import stated
from simonides.upkeep.settings import UpkeepSettings


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The bridge was closed.", "So we took the ferry."),
        ("The bridge was closed.", "Because of that we took the ferry."),
        ("The bridge was closed.", "Yes, that's why we took the ferry."),
        ("The bridge was closed.", "Therefore the ferry was full."),
        ("The bridge was closed.", "That led to a full ferry."),
        ("Мост закрыли.", "Поэтому мы поехали на пароме."),
        ("Le pont était fermé.", "Du coup nous avons pris le bac."),
        ("桥关了。", "所以我们坐了渡轮。"),
    ],
)
def test_what_came_of_the_turn_before_is_its_effect(first, second):
    assert stated(first, second) is Cause.FIRST


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Why did you take the ferry?", "Because the bridge was closed."),
        ("We took the ferry.", "Because the bridge was closed."),
        ("We took the ferry.", "Due to the closed bridge."),
        ("Why did you take the ferry?", "Because the bridge was closed, and it was late."),
        ("Почему вы поехали на пароме?", "Потому что мост закрыли."),
        ("Pourquoi avez-vous pris le bac ?", "Parce que le pont était fermé."),
        ("你们为什么坐渡轮？", "因为桥关了。"),
    ],
)
def test_the_reason_of_the_turn_before_is_its_cause(first, second):
    assert stated(first, second) is Cause.SECOND


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The bridge was closed.", "We took the ferry."),
        ("The bridge was closed.", "So what?"),
        ("The bridge was closed.", "So?"),
        ("The bridge was closed.", "Because."),
        ("Shall we take the ferry?", "So we took the ferry."),
        ("Would you like a coffee?", "Because the bridge was closed."),
        ("We had coffee.", "Because the bridge was closed, we took the ferry."),
        ("The bridge was closed.", "So far the ferry is fine."),
        ("The bridge was closed.", "Sober people take the ferry."),
        ("The bridge was closed.", "Carl took the ferry."),
        ("The bridge was closed.", "Because of you?"),
    ],
)
def test_in_doubt_there_is_no_cause(first, second):
    assert stated(first, second) is Cause.NEITHER


def talk(memory, *texts, session="s1", scope="user:ana"):
    memory.add([{"role": "user", "content": text} for text in texts], session_id=session, scope=scope)
    return {turn.content: turn.id for turn in memory.sessions.get(session, scope=ALL)}


def causes(memory):
    ids = [item.id for item in memory.list(scope=ALL, limit=1000)]
    with memory._parts.store.read() as reader:
        return {(link.src, link.dst): link for link in reader.links(ids, [Relation.CAUSAL])}


def infer(memory, **options):
    run = memory.maintain(["causes"], **options)
    assert run.error is None
    return run


def test_a_cause_is_linked_to_its_effect(memory):
    ids = talk(memory, "The bridge was closed.", "So we took the ferry.", "It was windy.")
    infer(memory)
    ((pair, link),) = causes(memory).items()
    assert pair == (ids["The bridge was closed."], ids["So we took the ferry."])
    assert link.confidence == 0.7


def test_a_reason_that_comes_after_is_the_cause_all_the_same(memory):
    ids = talk(memory, "We took the ferry.", "Because the bridge was closed.")
    infer(memory)
    assert set(causes(memory)) == {(ids["Because the bridge was closed."], ids["We took the ferry."])}


def test_turns_of_two_conversations_are_no_pair(memory):
    talk(memory, "The bridge was closed.", session="s1")
    talk(memory, "So we took the ferry.", session="s2")
    infer(memory)
    assert not causes(memory)


def test_each_pair_is_judged_once_and_the_next_run_goes_on(open_memory):
    settings = Settings(store=StoreSettings(synchronous="NORMAL"), upkeep=UpkeepSettings(pairs=2))
    memory = open_memory(settings=settings)
    for number in range(5):
        talk(memory, f"Bridge {number} was closed.", f"So we took ferry {number}.", session=f"s{number}")
    seen = []
    while infer(memory).changes:
        seen.append(len(causes(memory)))
    assert seen == [2, 4, 5]
    talk(memory, "Bridge 9 was closed.", "So we took ferry 9.", session="s9")
    infer(memory)
    assert len(causes(memory)) == 6


def test_what_says_nothing_of_causes_is_not_looked_through_again(memory):
    talk(memory, *(f"It was windy on day {number}." for number in range(5)))
    assert infer(memory).counts == {"judged": 1}  # The place to go on from.
    assert not infer(memory).changes


def test_a_turn_that_follows_later_is_judged_with_the_one_before(memory):
    talk(memory, "The bridge was closed.")
    infer(memory)
    talk(memory, "So we took the ferry.")
    infer(memory)
    assert len(causes(memory)) == 1


def test_undo_takes_the_links_back_and_lets_the_pairs_be_judged_again(memory):
    talk(memory, "The bridge was closed.", "So we took the ferry.")
    run = infer(memory)
    memory.undo(run.id)
    assert not causes(memory)
    infer(memory)
    assert len(causes(memory)) == 1


def test_one_scope_does_not_move_the_bookmark_of_the_others(memory):
    talk(memory, "The bridge was closed.", "So we took the ferry.", scope="user:ana")
    talk(memory, "The bridge was closed.", "So we took the ferry.", session="s2", scope="user:ben")
    infer(memory, scope="user:ben")
    infer(memory)
    assert len(causes(memory)) == 2


@pytest.mark.parametrize(("answer", "found"), [("first", 1), ("second", 1), ("neither", 0)])
def test_a_model_decides_whether_it_means_what_it_says(open_memory, answer, found):
    model = ScriptedModel({"cause": {"cause": answer}})
    memory = open_memory(model=model)
    ids = talk(memory, "The bridge was closed.", "So we took the ferry.", "It was windy.")
    infer(memory)
    pair = (ids["The bridge was closed."], ids["So we took the ferry."])
    expected = {"first": {pair}, "second": {pair[::-1]}, "neither": set()}[answer]
    assert set(causes(memory)) == expected
    assert len(model.prompts) == 1  # Only the pair with such wording is asked about.
    assert not infer(memory).changes
    assert len(expected) == found


def test_an_answer_that_cannot_be_used_leaves_it_to_the_wording(open_memory):
    memory = open_memory(model=ScriptedModel({"cause": {"cause": "perhaps"}}))
    talk(memory, "The bridge was closed.", "So we took the ferry.")
    run = infer(memory)
    assert len(causes(memory)) == 1
    assert any("could not be used" in text for text in run.degradations)


def test_pairs_wait_for_a_model_that_does_not_answer(open_memory):
    memory = open_memory(model=ScriptedModel({"cause": ProviderUnavailable("the model is down")}))
    talk(memory, "The bridge was closed.", "So we took the ferry.")
    run = infer(memory)
    assert not run.changes
    assert any("the model is down" in text for text in run.degradations)
    memory.close()
    again = open_memory(model=ScriptedModel({"cause": {"cause": "first"}}))
    infer(again)
    assert len(causes(again)) == 1


FILLERS = [
    "That explains it.", "That explains everything!", "I see.", "Oh, I see, thanks.",
    "That makes sense.", "Makes sense, thank you!",
    "Good to know.", "Great, thanks.", "Interesting.", "I understand.", "You are right.",
    "Sounds good.", "Exactly.", "Fair enough.",
    "No problem.", "I agree.", "Wow, that is amazing!", "Понятно, спасибо.", "Это всё объясняет.", "Je comprends.",
    "Ça explique tout.", "原来如此。", "明白了，谢谢。", "那解释了一切。", "OK.", "Yes.", "Why?", "…", "That figures.",
]  # fmt: skip
STATEMENTS = [
    "The bridge was closed.",
    "We took the ferry.",
    "Мост закрыли.",
    "Le pont était fermé.",
    "桥关了。",
]
CLAIMS = [
    "So we {}",
    "Because {}",
    "That's why {}",
    "Therefore {}",
    "Поэтому {}",
    "Потому что {}",
    "Donc {}",
    "Parce que {}",
    "所以{}",
    "因为{}",
]


@given(st.sampled_from(FILLERS), st.sampled_from(CLAIMS), st.sampled_from([*STATEMENTS, *FILLERS]))
def test_what_tells_nothing_is_neither_cause_nor_effect(filler, claim, statement):
    assert stated(filler, claim.format(statement)) is Cause.NEITHER


@given(st.sampled_from(STATEMENTS), st.sampled_from(CLAIMS), st.sampled_from(FILLERS))
def test_nothing_follows_from_what_tells_nothing(statement, claim, filler):
    assert stated(statement, claim.format(filler)) is Cause.NEITHER
