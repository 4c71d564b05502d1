"""Contradictions of a pinned or verified item wait, whatever way they come in."""

import pytest

from simonides import Memory
from simonides.domain.item import Status, Validation
from simonides.domain.scope import ALL
from simonides.domain.verdict import Outcome
from simonides.testing import FakeEmbedder, an_item

WHY = {"why_store": "it was said", "source": "m1"}


@pytest.fixture
def settled(memory, add):
    return add("We ship on Fridays.", type="decision", pinned=True)


def doors(memory):
    """Every way in for a new statement; each answers with verdicts."""
    text = "We ship on Mondays."
    other = memory.add("We ship from Graz.").item_ids[0]
    yield "add", lambda: memory.add(text)
    yield "add a mapping", lambda: memory.add({"content": text, "type": "decision"})
    yield "add a list", lambda: memory.add(["The lamp burns oil.", text])
    yield "add an item", lambda: memory.add(an_item(text))
    yield "propose", lambda: memory.propose([{"content": text} | WHY])
    yield "update", lambda: [memory.update(other, content=text)]
    yield "load", lambda: memory.load(records(memory, other, text)).verdicts


def records(memory, item_id, text):
    """The record of an item, as another store has it."""
    (record,) = (record for record in memory.export() if record["id"] == item_id)
    new_id = item_id[:-4] + "0000"
    item = record["revisions"][0]["item"] | {"id": new_id, "content": text}
    return [record | {"id": new_id, "revisions": [record["revisions"][0] | {"item": item}]}]


def test_nothing_comes_in_that_contradicts_what_is_settled(memory, settled):
    for door, call in doors(memory):
        verdict = list(call())[-1]
        assert verdict.outcome in {Outcome.QUARANTINED, Outcome.REJECTED}, door
        assert verdict.reasons[0].startswith("contradiction: date 'Fridays' and 'Mondays' with "), door
        assert verdict.reasons[0].endswith(f"correct {settled} instead"), door
    said = {item.content for item in memory.list(scope=ALL)}
    assert said == {"We ship on Fridays.", "We ship from Graz.", "The lamp burns oil."}


def test_without_anything_settled_both_stand(memory, add):
    add("We ship on Fridays.", type="decision")
    add("We ship on Mondays.", type="decision")


def test_what_is_verified_is_settled_too(memory, add):
    memory.confirm(add("We ship on Fridays."))
    (verdict,) = memory.add("We ship on Mondays.")
    assert verdict.outcome is Outcome.QUARANTINED


def test_correcting_is_the_way_out(memory, settled):
    corrected = memory.correct(settled, "We ship on Mondays.")
    assert corrected.outcome is Outcome.ACCEPTED
    (verdict,) = memory.add("We ship on Mondays at noon.")
    assert verdict.outcome is Outcome.ACCEPTED
    (former,) = memory.add("We ship on Fridays.")
    assert former.reasons[0].startswith("contradiction: date 'Mondays' and 'Fridays'")


def test_of_two_settled_items_that_say_the_same_each_can_be_corrected(memory, settled, add):
    other = add("We ship on Fridays, always.", pinned=True)
    assert memory.correct(settled, "We ship on Mondays.").outcome is Outcome.ACCEPTED
    assert memory.correct(other, "We ship on Mondays, always.").outcome is Outcome.ACCEPTED


@pytest.mark.parametrize(
    "change",
    [
        lambda memory, item_id: memory.update(item_id, pinned=False),
        lambda memory, item_id: memory.forget(item_id),
        lambda memory, item_id: memory.purge(item_id),
        lambda memory, item_id: memory.update(item_id, valid_until="2026-01-01"),
        lambda memory, item_id: memory.update(item_id, expires_at="2026-01-01"),
    ],
    ids=["unpinned", "forgotten", "purged", "no longer true", "expired"],
)
def test_what_is_settled_no_longer_binds_nobody(memory, settled, change):
    assert memory.add("We ship on Mondays.").count(Outcome.QUARANTINED) == 1
    change(memory, settled)
    assert memory.add("We ship on Tuesdays.").count(Outcome.ACCEPTED) == 1


def test_what_was_settled_elsewhere_meanwhile_is_seen(memory, open_memory):
    first = memory.add("We ship on Fridays.").item_ids[0]
    assert memory.add("We ship on Sundays.").count(Outcome.ACCEPTED) == 1
    other = open_memory()
    other.confirm(first)
    other.add("Our office is in Graz.", pinned=True)
    assert memory.add("We ship on Mondays.").count(Outcome.QUARANTINED) == 1
    assert memory.add("Our office is in Linz.").count(Outcome.QUARANTINED) == 1
    other.update(first, content="We ship on Mondays.")
    assert memory.add("We ship on Mondays, as ever.").count(Outcome.ACCEPTED) == 1


def test_only_what_can_be_seen_from_a_scope_binds_it(memory, add):
    add("We ship on Fridays.", scope="project:apollo", pinned=True)
    assert memory.add("We ship on Mondays.", scope="project:zeus").count(Outcome.ACCEPTED) == 1
    assert memory.add("We ship on Mondays.").count(Outcome.ACCEPTED) == 1
    below = memory.add("We ship on Mondays.", scope="user:ana/project:apollo")
    assert below.count(Outcome.QUARANTINED) == 1


def test_turns_are_recorded_whatever_they_say(memory, settled):
    (verdict,) = memory.add([{"role": "user", "content": "We ship on Mondays."}], session_id="s")
    assert verdict.outcome is Outcome.ACCEPTED
    assert memory.get(settled).status is Status.ACTIVE


def test_a_store_that_contradicts_itself_moves_as_it_is(memory, open_memory, tmp_path, add):
    first, second = add("We ship on Fridays."), add("We ship on Mondays.")
    memory.confirm(first)
    memory.confirm(second)
    held = memory.add("We ship on Tuesdays.").item_ids[0]
    other = open_memory(tmp_path / "other.db")
    assert other.load(list(memory.export())).count(Outcome.ACCEPTED) == 3
    assert other.get(held).status is Status.QUARANTINED
    assert other.review.approve(held).outcome is Outcome.ACCEPTED
    again = open_memory(tmp_path / "third.db")
    assert again.load(list(other.export())).count(Outcome.ACCEPTED) == 3
    assert again.get(held).status is Status.ACTIVE


def test_an_approved_contradiction_stands_beside_what_it_contradicts(memory, settled):
    held = memory.add("We ship on Mondays.", pinned=True).item_ids[0]
    assert memory.review.approve(held).outcome is Outcome.ACCEPTED
    item = memory.get(held)
    assert (item.status, item.pinned, item.injectable, item.validation) == (
        Status.ACTIVE, True, True, Validation.UNVERIFIED,
    )  # fmt: skip
    assert memory.get(settled).status is Status.ACTIVE


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("I am allergic to walnuts.", "{} is not allergic to walnuts."),
        ("I am allergic to walnuts.", "{} has no walnut allergy."),
        ("I live in Graz.", "{} no longer lives in Graz."),
        ("I live in Graz.", "{} has left Graz."),
        ("My name is Lee.", "{}'s name is not Lee."),
        ("I never eat meat.", "{} eats meat."),
        ("We ship on Fridays.", "We refuse to ship on Fridays."),
        ("We ship on Fridays.", "Fridays are no longer shipping days."),
        ("Always use tabs.", "Avoid tabs."),
        ("Je suis allergique aux noix.", "Il est faux que je sois allergique aux noix."),
        ("У меня аллергия на орехи.", "У меня больше нет аллергии на орехи."),
        ("商店周日营业。", "商店周日停止营业。"),
    ],
)
@pytest.mark.parametrize("who", ["Ana", "User", "The user", "I"])
def test_a_denial_waits_whoever_the_user_is_called_by(memory, who, said, denied):
    if who == "I" and "{}" in denied:
        return
    memory.add(said, type="fact", pinned=True, scope="user:ana")
    (verdict,) = memory.add(denied.format(who), type="fact", scope="user:ana")
    assert verdict.outcome is Outcome.QUARANTINED, verdict
    (proposed,) = memory.propose([{"content": denied.format(who)} | WHY], scope="user:ana").verdicts
    assert proposed.outcome is not Outcome.ACCEPTED
    (other,) = memory.add(denied.format("Ben"), type="fact", scope="user:ana")
    assert "{}" not in denied or other.outcome is Outcome.ACCEPTED


@pytest.mark.parametrize("scope", ["user:ana", "user:ana-lee", "user:ana/project:apollo", "user:Ana"])
def test_the_owner_of_a_scope_is_known_by_name(memory, scope):
    memory.add("I am vegetarian.", type="fact", pinned=True, scope=scope)
    (verdict,) = memory.add("Ana is not vegetarian.", type="fact", scope=scope)
    assert verdict.outcome is Outcome.QUARANTINED
    (other,) = memory.add("Ana Ruiz is not vegetarian.", type="fact", scope=scope)
    assert other.outcome is Outcome.ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        "We ship on Fridays, never on Sundays.",
        "We don't ship on Fridays in August.",
        "We ship on Fridays but not in May.",
    ],
)
def test_an_exception_comes_in(memory, settled, text):
    (verdict,) = memory.add(text, type="decision")
    assert verdict.outcome is Outcome.ACCEPTED, verdict


def test_what_became_settled_in_another_process_counts_at_once(tmp_path):
    with (
        Memory(tmp_path / "x.db", embedder=FakeEmbedder(8)) as here,
        Memory(tmp_path / "x.db", embedder=FakeEmbedder(8)) as there,
    ):
        here.add("Nothing is settled yet.", project="apollo")
        (port,) = there.add("The database port is 5432.", type="fact", pinned=True, project="apollo")
        (verdict,) = here.add("The database port is 5433.", type="fact", project="apollo")
        assert verdict.outcome == "quarantined"
        assert port.item_id in verdict.reasons[0]
