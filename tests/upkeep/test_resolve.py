"""A side that is confirmed, corrected or forgotten closes its contradiction, and undo opens it again."""

import pytest

from simonides.domain.item import Status, Validation
from simonides.domain.link import Link, Relation
from simonides.upkeep.change import AddLink
from simonides.upkeep.job import Step


@pytest.fixture
def memory(open_memory):
    return open_memory(embedder=None)


@pytest.fixture
def pair(memory, remember, clock):
    """Two items of which the older was contested, in the order of their age."""
    older = remember("The budget of Apollo is 450 euros.", tags=["notes"])
    clock.advance(seconds=60)
    newer = remember("The budget of Apollo is 480 euros.", tags=["notes"])
    memory.consolidate()
    found = [memory.get(item.id) for item in (older, newer)]
    assert Validation.CONTESTED in {item.validation for item in found}
    return found


def state(memory, item):
    now = memory.get(item.id)
    return now.status, now.validation


@pytest.mark.parametrize("chosen", [0, 1])
def test_confirming_a_side_ends_the_other(memory, pair, chosen):
    winner, loser = pair[chosen], pair[1 - chosen]
    memory.confirm(winner.id)
    assert state(memory, winner) == (Status.ACTIVE, Validation.VERIFIED)
    ended = memory.get(loser.id)
    assert (ended.status, ended.superseded_by) == (Status.ARCHIVED, winner.id)
    run = memory.runs.list()[0]
    memory.undo(run.id)
    assert state(memory, loser) == (Status.ACTIVE, loser.validation)
    assert memory.get(loser.id).superseded_by is None


@pytest.mark.parametrize("chosen", [0, 1])
def test_forgetting_a_side_frees_the_other(memory, pair, chosen):
    gone, kept = pair[chosen], pair[1 - chosen]
    memory.forget(gone.id)
    assert state(memory, kept) == (Status.ACTIVE, Validation.UNVERIFIED)
    assert memory.get(gone.id).validation is Validation.RETRACTED


@pytest.mark.parametrize("chosen", [0, 1])
def test_correcting_a_side_to_the_other_frees_it(memory, pair, chosen):
    wrong, right = pair[chosen], pair[1 - chosen]
    verdict = memory.correct(wrong.id, right.content)
    assert verdict.item_id == right.id
    assert state(memory, right) == (Status.ACTIVE, Validation.UNVERIFIED)
    assert memory.get(wrong.id).superseded_by == right.id


@pytest.mark.parametrize("chosen", [0, 1])
def test_correcting_a_side_to_a_third_ends_the_other(memory, pair, chosen):
    verdict = memory.correct(pair[chosen].id, "The budget of Apollo is 500 euros.")
    assert {memory.get(item.id).superseded_by for item in pair} == {verdict.item_id}
    assert memory.get(verdict.item_id).validation is Validation.UNVERIFIED


def test_what_a_third_item_contradicts_stays_contested(memory, pair, remember, clock):
    clock.advance(seconds=60)
    third = remember("The budget of Apollo is 520 euros.", tags=["notes"])
    memory.consolidate()
    assert memory.get(pair[0].id).validation is Validation.CONTESTED
    memory.forget(third.id)
    assert memory.get(pair[0].id).validation is Validation.CONTESTED
    memory.forget(pair[1].id)
    assert memory.get(pair[0].id).validation is Validation.UNVERIFIED


@pytest.mark.parametrize("chosen", [0, 1])
def test_what_is_pinned_is_not_ended(memory, pair, chosen):
    memory.update(pair[1 - chosen].id, pinned=True)
    memory.confirm(pair[chosen].id)
    assert memory.get(pair[1 - chosen].id).status is Status.ACTIVE


def test_the_confirmation_of_a_models_note_does_not_end_what_the_user_said(memory, remember, run_job, clock):
    said = remember("The budget of Apollo is 450 euros.", tags=["notes"])
    clock.advance(seconds=60)
    proposal = {
        "content": "The budget of Apollo is 480 euros.",
        "type": "fact",
        "why_store": "to know",
        "source": "m1",
    }
    note = memory.get(memory.propose([proposal]).verdicts[0].item_id)
    link = Link(src=note.id, dst=said.id, rel=Relation.CONTRADICTS)
    run_job([Step((AddLink(link),))])
    memory.confirm(note.id)
    assert memory.get(said.id).status is Status.ACTIVE


OPENERS = [
    "Correction: {}", "Correction, {}", "Sorry, {}", "Sorry: {}", "Actually, {}", "Actually {}",
    "I meant {}", "I meant that {}",
    "No wait, {}", "Wait, {}", "Oops, {}", "My mistake, {}", "I was wrong: {}", "I misspoke, {}",
    "To correct myself: {}",
    "Scratch that, {}", "Rather, {}", "Sorry, correction: {}", "Well, actually {}", "Update: {}",
    "I mean {}", "My bad: {}",
]  # fmt: skip
SAID = [
    ("the budget of Apollo is 450 euros", "the budget of Apollo is 480 euros"),
    ("the release of Apollo is on 3 May", "the release of Apollo is on 5 May"),
    ("the head office of Apollo is in Graz", "the head office of Apollo is in Linz"),
    ("the sauna in the cellar is open", "the sauna in the cellar is not open"),
]
ELSEWHERE = [
    ("Le budget d'Apollo est de 450 euros.", "En fait, le budget d'Apollo est de 480 euros."),
    ("Le budget d'Apollo est de 450 euros.", "Pardon, le budget d'Apollo est de 480 euros."),
    ("Le budget d'Apollo est de 450 euros.", "Correction : le budget d'Apollo est de 480 euros."),
    ("Le budget d'Apollo est de 450 euros.", "Je voulais dire que le budget d'Apollo est de 480 euros."),
    ("Бюджет проекта Аполлон 450 евро.", "Поправка: бюджет проекта Аполлон 480 евро."),
    ("Бюджет проекта Аполлон 450 евро.", "На самом деле бюджет проекта Аполлон 480 евро."),
    ("Бюджет проекта Аполлон 450 евро.", "Извини, бюджет проекта Аполлон 480 евро."),
    ("Бюджет проекта Аполлон 450 евро.", "Я ошибся, бюджет проекта Аполлон 480 евро."),
    ("项目预算是450欧元。", "更正：项目预算是480欧元。"),
    ("项目预算是450欧元。", "其实项目预算是480欧元。"),
    ("项目预算是450欧元。", "抱歉，项目预算是480欧元。"),
    ("项目预算是450欧元。", "我说错了，项目预算是480欧元。"),
    ("The budget of Apollo is 450 euros.", "The budget of Apollo is no longer 450 but 480 euros."),
    ("The budget of Apollo is 450 euros.", "The budget of Apollo is not 450 but 480 euros."),
    ("The budget of Apollo is 450 euros.", "Sorry, the budget of Apollo is 480 euros, not 450."),
    ("The budget of Apollo is 450 euros.", "The budget of Apollo is 480 instead of 450 euros."),
    ("Бюджет проекта Аполлон 450 евро.", "Бюджет проекта Аполлон не 450, а 480 евро."),
    ("Le budget d'Apollo est de 450 euros.", "Le budget d'Apollo n'est plus de 450 mais de 480 euros."),
]


def sentence(text):
    return text[0].upper() + text[1:] + "."


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize(("said", "meant"), SAID)
def test_a_correction_in_any_of_the_usual_openers_takes_the_place(
    memory, remember, clock, opener, said, meant
):
    old = remember(sentence(said), tags=["notes"])
    clock.advance(seconds=60)
    new = remember(sentence(opener.format(meant)), tags=["notes"])
    memory.consolidate()
    assert memory.get(old.id).superseded_by == new.id, opener
    assert memory.get(new.id).validation is Validation.UNVERIFIED


@pytest.mark.parametrize(("said", "meant"), ELSEWHERE)
def test_so_does_one_in_another_language_or_that_names_both(memory, remember, clock, said, meant):
    old = remember(said, tags=["notes"])
    clock.advance(seconds=60)
    new = remember(meant, tags=["notes"])
    memory.consolidate()
    assert memory.get(old.id).superseded_by == new.id
