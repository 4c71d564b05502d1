import pytest

from simonides import ALL
from simonides.config import Settings, StoreSettings
from simonides.errors import ProviderUnavailable
from simonides.testing import ScriptedModel
from simonides.upkeep.jobs.summaries import SUMMARY_CHARS
from simonides.upkeep.settings import UpkeepSettings

FACTS = ("Clara plays the harp in Graz.", "Clara has two brothers.", "Clara keeps seven bees at home.")


def tell(memory, *facts, **fields):
    verdicts = memory.add(list(facts or FACTS), **({"type": "fact"} | fields)).verdicts
    return [verdict.item_id for verdict in verdicts]


def summarise(memory, **options):
    run = memory.maintain(["entities"], **options)
    assert run.error is None
    return run


def summary(memory, name="Clara", scope=None):
    return memory.entities.get(name, scope=scope).entity.summary


def test_an_entity_is_told_of_in_its_best_facts(memory):
    tell(memory)
    summarise(memory)
    assert summary(memory)
    assert len(summary(memory)) <= SUMMARY_CHARS
    assert all(sentence.strip() in " ".join(FACTS) for sentence in summary(memory).split(". "))


def test_what_is_mentioned_less_than_three_times_gets_none(memory):
    tell(memory, *FACTS[:2])
    summarise(memory)
    assert summary(memory) is None


def test_only_some_a_run_and_then_the_others(open_memory):
    settings = Settings(store=StoreSettings(synchronous="NORMAL"), upkeep=UpkeepSettings(summaries=1))
    memory = open_memory(settings=settings)
    tell(memory)
    tell(memory, *(text.replace("Clara", "Boris").replace("Graz", "Linz") for text in FACTS))
    assert summarise(memory).counts == {"summarised": 1}
    assert summarise(memory).counts == {"summarised": 1}
    assert not summarise(memory).changes
    assert summary(memory)
    assert summary(memory, "Boris")


def test_nothing_is_told_anew_where_nothing_has_changed(memory, clock):
    tell(memory)
    summarise(memory)
    clock.advance(days=1)
    assert not summarise(memory).changes


def test_a_changed_fact_makes_a_summary_stale(memory, clock):
    first, *_ = tell(memory)
    summarise(memory)
    clock.advance(days=1)
    memory.update(first, content="Clara plays the drums in Graz.")
    summarise(memory)
    assert "drums" in summary(memory)
    assert "harp" not in summary(memory)


def test_what_was_corrected_is_told_no_longer(memory, clock):
    first, *_ = tell(memory)
    summarise(memory)
    clock.advance(days=1)
    memory.correct(first, "Clara plays the flute in Graz.")
    summarise(memory)
    assert "harp" not in summary(memory)


def test_a_summary_goes_with_the_last_of_its_facts(memory, clock):
    ids = tell(memory)
    summarise(memory)
    clock.advance(days=1)
    for item_id in ids:
        memory.forget(item_id)
    summarise(memory)
    assert summary(memory) is None


def test_what_may_not_be_injected_is_not_told(memory):
    tell(memory, *FACTS, "Clara owes money to the harbour master.")
    (debt,) = [item for item in memory.list(scope=ALL) if "money" in item.content]
    memory.update(debt.id, injectable=False, importance=1.0)
    summarise(memory)
    assert "money" not in summary(memory)


def test_what_is_contradicted_is_not_told(memory):
    first, *_ = tell(memory)
    (other,) = tell(memory, "Clara plays the tuba in Graz.")
    memory.link(other, first, "contradicts")
    summarise(memory)
    assert "harp" not in summary(memory)
    assert "tuba" not in summary(memory)


def test_facts_of_another_scope_are_not_told(memory):
    tell(memory, scope="user:ana")
    tell(memory, *(text.replace("Clara", "Clara Berg") for text in FACTS), scope="user:ben")
    summarise(memory, scope="user:ana")
    assert summary(memory, scope="user:ana")
    assert summary(memory, "Clara Berg", scope="user:ben") is None


def test_undo_brings_the_former_summary_back(memory, clock):
    first, *_ = tell(memory)
    summarise(memory)
    before = summary(memory)
    clock.advance(days=1)
    memory.update(first, content="Clara plays the drums in Graz.")
    run = summarise(memory)
    memory.undo(run.id)
    assert summary(memory) == before


def test_a_context_tells_of_the_entities_that_a_question_names(memory):
    tell(memory)
    assert "**Clara**" not in memory.context("What does Clara do?").text
    summarise(memory)
    text = memory.context("What does Clara do?").text
    assert f"**Clara** {summary(memory)}" in text
    assert "**Clara**" not in memory.context("What is the weather like?").text


WAYS = {
    "forget": lambda memory, fact: memory.forget(fact, keep_derived=True),
    "correct": lambda memory, fact: memory.correct(fact, "Clara plays the lute in Graz."),
    "update": lambda memory, fact: memory.update(fact, content="Clara plays the lute in Graz."),
    "purge": lambda memory, fact: memory.purge(fact),
    "contradict": lambda memory, fact: memory.link(
        memory.add("Clara plays the tuba.", type="fact").item_ids[0], fact, "contradicts"
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_context_tells_no_summary_of_facts_that_changed_until_it_is_made_anew(memory, clock, way):
    first, *_ = tell(memory)
    summarise(memory)
    clock.advance(seconds=60)
    WAYS[way](memory, first)
    former = "plays the harp" if way != "contradict" else "**Clara** Clara plays the harp"
    assert former not in memory.context("What about Clara?", min_relevance=0).text
    clock.advance(seconds=60)
    tell(memory, "Clara drives a tram.")
    summarise(memory)
    assert f"**Clara** {summary(memory)}" in memory.context("What about Clara?", min_relevance=0).text


@pytest.mark.parametrize("way", ["mark_used", "confirm", "pin", "tag", "expiry"])
def test_a_context_tells_the_summary_of_facts_that_say_what_they_said(memory, clock, way):
    first, *_ = tell(memory)
    summarise(memory)
    clock.advance(seconds=60)
    if way == "mark_used":
        memory.mark_used([first])
    elif way == "confirm":
        memory.confirm(first)
    elif way == "pin":
        memory.update(first, pinned=True)
    elif way == "tag":
        memory.update(first, tags=["music"])
    else:
        memory.update(first, expires_at="2100-01-01")
    memory.flush()
    assert f"**Clara** {summary(memory)}" in memory.context("What about Clara?", min_relevance=0).text


def test_a_context_of_another_scope_tells_nothing_of_it(memory):
    tell(memory, scope="user:ana")
    summarise(memory)
    assert "**Clara**" in memory.context("What does Clara do?", scope="user:ana").text
    assert "**Clara**" not in memory.context("What does Clara do?", scope="user:ben").text


def test_a_context_of_the_past_or_of_certain_items_tells_no_summary(memory, clock):
    tell(memory)
    summarise(memory)
    clock.advance(days=1)
    assert "**Clara**" not in memory.context("What does Clara do?", as_of="2026-03-02").text
    assert "**Clara**" not in memory.context("What does Clara do?", types=["fact"]).text


def described(text):
    return ScriptedModel({"entities": {"summary": text}})


def test_a_model_words_the_summary(open_memory):
    memory = open_memory(model=described("Clara plays the harp in Graz and keeps bees."))
    tell(memory)
    assert not summarise(memory).degradations
    assert summary(memory) == "Clara plays the harp in Graz and keeps bees."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Clara plays the harp in Vienna.",
        "Clara keeps 70 bees.",
        "She plays the harp.",
        "Clara joue de la harpe dans une ville qui est sur les quais.",
        "Clara " + "plays the harp " * 40,
    ],
    ids=["empty", "a name no fact has", "a number no fact has", "of nobody", "French", "too long"],
)
def test_a_summary_that_the_facts_do_not_bear_out_is_quoted_instead(open_memory, text):
    memory = open_memory(model=described(text))
    tell(memory)
    run = summarise(memory)
    assert summary(memory) not in (None, text.strip())
    assert any("could not be used" in told for told in run.degradations)


def test_a_model_that_does_not_answer_is_asked_once(open_memory):
    model = ScriptedModel({"entities": ProviderUnavailable("the model is down")})
    memory = open_memory(model=model)
    tell(memory)
    tell(memory, *(text.replace("Clara", "Boris").replace("Graz", "Linz") for text in FACTS))
    run = summarise(memory)
    assert len(model.prompts) == 1
    assert any("the model is down" in told for told in run.degradations)
    assert summary(memory)


def test_a_fact_that_was_purged_meanwhile_leaves_no_word(open_memory):
    writing = open_memory()
    ids = tell(writing)

    def meanwhile(_prompt):
        writing.purge(ids[0])
        return '{"summary": "Clara plays the harp in Graz."}'

    memory = open_memory(model=ScriptedModel({"entities": meanwhile}))
    run = summarise(memory)
    assert run.counts == {"skipped": 1}
    assert summary(memory) is None


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("Krimis", "Ich lese am liebsten Krimis.", "Ich lese keine Krimis mehr, nur noch Sachbücher."),
        ("Hummus", "I eat Hummus every day.", "I don't eat Hummus any more."),
        ("Nutella", "Je mange du Nutella.", "Je ne mange plus de Nutella."),
        ("Nutella", "Desayuno con Nutella.", "Ya no desayuno con Nutella."),
    ],
)
def test_of_two_facts_that_cannot_both_hold_the_later_one_is_told(memory, clock, name, before, after):
    tell(memory, before, f"The shop in Graz sells {name}.")
    clock.advance(days=30)
    tell(memory, after)
    summarise(memory)
    assert before not in summary(memory, name)


def test_two_facts_that_only_name_the_same_are_both_told(memory, clock):
    tell(memory, "I live with Clara in Graz.", "We met Clara in Linz.")
    clock.advance(days=30)
    tell(memory, "I quit my job with Clara.")
    summarise(memory)
    assert "I live with Clara in Graz." in summary(memory)
