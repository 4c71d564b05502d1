"""Changing what is remembered: each change makes a revision, none deletes."""

import json
import math
from functools import partial

import pytest

from simonides.domain.item import Status, Validation
from simonides.domain.scope import ALL
from simonides.errors import Conflict, InvalidInput, InvalidText, NotFound
from simonides.recall.result import Candidates

NOWHERE = "019ca945-0a00-7000-a10e-ce9fc091a904"


def told(memory, item_id):
    return memory.get(item_id).content


def reasons(memory, item_id):
    return [revision.reason for revision in memory.history(item_id)]


# Update


def test_an_update_changes_what_it_names_and_nothing_else(memory, add, clock):
    item_id = add("the kettle is blue", type="fact", tags=["kitchen"], importance=0.9, title="Kettle")
    before = memory.get(item_id)
    clock.advance(days=1)
    verdict = memory.update(item_id, content="the kettle is green", tags=["tea", "Tea"])
    after = memory.get(item_id)
    assert (verdict.outcome, verdict.item_id) == ("accepted", item_id)
    assert (after.content, after.tags) == ("the kettle is green", ("tea",))
    assert after.updated_at == clock.now()
    kept = (
        "type",
        "title",
        "importance",
        "confidence",
        "created_at",
        "scope",
        "origin",
        "provenance",
        "status",
    )
    assert all(getattr(after, name) == getattr(before, name) for name in kept)
    assert [revision.item.content for revision in memory.history(item_id)] == [
        "the kettle is blue",
        "the kettle is green",
    ]
    assert [hit.item.id for hit in memory.search("green kettle")] == [item_id]
    assert memory.search("blue", min_relevance=0.5).hits == ()


UPDATES = {
    "title": ("Kettle", "Kettle"),
    "type": ("fact", "fact"),
    "entities": (["Ana"], ("Ana",)),
    "tier": ("mtm", "mtm"),
    "confidence": (0.5, 0.5),
    "importance": (0.25, 0.25),
    "pinned": (True, True),
    "injectable": (False, False),
    "decay_rate": (0.7, 0.7),
    "event_at": ("1970-01-01T00:00:01Z", 1_000_000),
    "valid_from": ("1970-01-01T00:00:01Z", 1_000_000),
    "valid_until": ("1970-01-01T00:00:01Z", 1_000_000),
    "expires_at": ("2100-01-01", 4_102_444_800_000_000),
    "task_id": ("t1", "t1"),
    "metadata": ({"a": [1]}, {"a": [1]}),
}


@pytest.mark.parametrize("name", UPDATES)
def test_each_field_can_be_updated(memory, add, name):
    given, expected = UPDATES[name]
    item_id = add("the kettle is blue")
    assert memory.update(item_id, **{name: given}).outcome == "accepted"
    assert getattr(memory.get(item_id), name) == expected
    assert told(memory, item_id) == "the kettle is blue"


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "scope",
        "origin",
        "trust",
        "status",
        "created_at",
        "superseded_by",
        "usage_count",
        "wings",
        "validation",
    ],
)
def test_what_is_not_the_callers_to_set_is_an_error(memory, add, name):
    item_id = add("the kettle is blue")
    before = memory.get(item_id)
    with pytest.raises(InvalidInput, match=name):
        memory.update(item_id, **{name: "x"})
    assert memory.get(item_id) == before


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"content": ""},
        {"content": "a\0b"},
        {"confidence": float("nan")},
        {"confidence": 2},
        {"metadata": {"a": float("inf")}},
        {"tags": "kitchen"},
        {"type": "episode"},
        {"valid_from": "2026-02-01", "valid_until": "2026-01-01"},
        {"expires_at": "soon"},
    ],
    ids=repr,
)
def test_an_update_that_cannot_be_read_changes_nothing(memory, add, changes):
    item_id = add("the kettle is blue")
    before = memory.get(item_id)
    with pytest.raises(InvalidInput):
        memory.update(item_id, **changes)
    assert memory.get(item_id) == before
    assert len(memory.history(item_id)) == 1


CLEARED = {
    "title": "", "tags": (), "entities": (), "metadata": {}, "event_at": None, "valid_from": None,
    "valid_until": None, "expires_at": None, "task_id": None,
}  # fmt: skip


@pytest.mark.parametrize("name", CLEARED)
def test_what_an_item_may_lack_can_be_taken_away(memory, add, name):
    item_id = add(
        "the kettle is blue",
        title="Kettle",
        tags=["tea"],
        entities=["Ana"],
        metadata={"a": 1},
        event_at="2026-01-01",
        valid_from="2026-01-01",
        valid_until="2027-01-01",
        expires_at="2027-01-01",
        task_id="t1",
    )
    memory.update(item_id, **{name: None})
    item = memory.get(item_id)
    assert {n: getattr(item, n) for n in CLEARED if getattr(item, n) == CLEARED[n]} == {name: CLEARED[name]}


@pytest.mark.parametrize(
    "name",
    [
        "content",
        "type",
        "tier",
        "confidence",
        "importance",
        "pinned",
        "injectable",
        "decay_rate",
        "provenance",
    ],
)
def test_what_an_item_always_has_cannot_be_taken_away(memory, add, name):
    item_id = add("the kettle is blue", confidence=0.5, importance=0.9, type="decision")
    before = memory.get(item_id)
    with pytest.raises(InvalidInput, match=name):
        memory.update(item_id, **{name: None})
    assert memory.get(item_id) == before


def test_an_update_onto_what_another_item_says_is_rejected_and_names_it(memory, add):
    holder, other = add("the kettle is blue"), add("the kettle is green")
    verdict = memory.update(other, content="the  kettle is blue")
    assert (verdict.outcome, verdict.item_id) == ("rejected", holder)
    assert told(memory, other) == "the kettle is green"
    assert memory.update(holder, content="the  kettle is blue").outcome == "accepted"


def test_an_update_keeps_the_reinforcement_and_sets_the_hebbian_clock(memory, add, clock):
    item_id = add("the kettle is blue")
    memory.reinforce(item_id)
    clock.advance(days=3)
    memory.update(item_id, title="Kettle")
    item = memory.get(item_id)
    assert (item.reinforcement, item.last_hit_at) == (3.0, clock.now())


def test_what_is_pinned_or_made_long_term_is_protected_from_decay(memory, add, clock):
    pinned, settled, rated = (add(f"the kettle {n}") for n in range(3))
    memory.update(pinned, pinned=True)
    memory.update(settled, tier="ltm")
    memory.update(rated, pinned=True, decay_rate=0.2)
    clock.advance(days=365)
    assert memory.explain(pinned).effective_confidence == 1.0
    assert memory.explain(settled).effective_confidence == 1.0
    assert memory.explain(rated).effective_confidence == 1.0


def test_a_turn_can_be_tagged_and_stays_a_turn(memory):
    (turn,) = memory.add([{"role": "user", "content": "hello from Ana"}], session_id="s")
    memory.update(turn.item_id, tags=["greeting"])
    item = memory.get(turn.item_id)
    assert (item.type, item.tags, item.ordinal, item.session_id) == ("episode", ("greeting",), 0, "s")


# Correct


def test_a_correction_supersedes_the_old_item_and_starts_now(memory, add, clock):
    old_id = add("we ship on Fridays", type="decision", tags=["release"], importance=0.9, pinned=True)
    clock.advance(days=2)
    verdict = memory.correct(old_id, "we ship on Mondays")
    old, new = memory.get(old_id), memory.get(verdict.item_id)
    assert verdict.outcome == "accepted"
    assert (old.status, old.superseded_by, old.valid_until) == (Status.ARCHIVED, new.id, clock.now())
    assert (old.confidence, old.decay_rate, old.pinned) == (0.3, 0.5, False)
    assert (new.content, new.type, new.tags, new.importance) == (
        "we ship on Mondays",
        "decision",
        ("release",),
        0.9,
    )
    assert (new.status, new.confidence, new.valid_from, new.pinned) == (Status.ACTIVE, 1.0, clock.now(), True)
    (link,) = memory.explain(old_id).links
    assert (link.src, link.dst, link.rel) == (new.id, old.id, "supersedes")
    assert [hit.item.id for hit in memory.search("when do we ship?")] == [new.id]
    found = memory.search("when do we ship?", archived=True)
    assert {hit.item.id for hit in found} == {old.id, new.id}


def test_an_item_less_certain_than_that_is_not_made_more_certain_by_a_correction(memory, add):
    item_id = add("we ship on Fridays", confidence=0.3)
    memory.update(item_id, confidence=0.3)
    memory.correct(item_id, "we ship on Mondays")
    assert memory.get(item_id).confidence == 0.3


def test_a_chain_of_corrections_comes_back_whole_from_each_of_its_items(memory, add, clock):
    ids = [add("version 0 of the plan")]
    for number in range(1, 6):
        clock.advance(days=1)
        ids.append(memory.correct(ids[-1], f"version {number} of the plan").item_id)
    whole = memory.history(ids[0])
    assert [revision.item.content for revision in whole if revision.reason != "supersede"] == [
        f"version {number} of the plan" for number in range(6)
    ]
    assert [revision.reason for revision in whole].count("supersede") == 5
    assert all(memory.history(item_id) == whole for item_id in ids)
    assert [revision.at for revision in whole] == sorted(revision.at for revision in whole)
    assert [item.id for item in memory.list()] == ids[-1:]


def test_a_correction_to_what_it_says_already_changes_nothing(memory, add):
    item_id = add("we ship on Fridays")
    verdict = memory.correct(item_id, "we ship  on Fridays")
    assert (verdict.outcome, verdict.item_id) == ("merged", item_id)
    assert memory.get(item_id).status is Status.ACTIVE
    assert len(memory.history(item_id)) == 1


def test_a_correction_to_what_another_item_says_makes_that_one_the_successor(memory, add):
    wrong, right = add("we ship on Fridays"), add("we ship on Mondays")
    verdict = memory.correct(wrong, "we ship on Mondays")
    assert (verdict.outcome, verdict.item_id) == ("merged", right)
    assert memory.get(wrong).superseded_by == right
    assert [item.id for item in memory.list()] == [right]


def test_a_corrected_turn_stays_as_it_was_said_and_the_correction_is_a_fact(memory):
    (turn,) = memory.add([{"role": "user", "content": "we ship on Fridays, says Ana"}], session_id="s")
    verdict = memory.correct(turn.item_id, "we ship on Mondays")
    assert memory.get(verdict.item_id).type == "fact"
    assert told(memory, turn.item_id) == "we ship on Fridays, says Ana"


# By words


@pytest.fixture
def pumps(memory):
    texts = ["the pump in the cellar is broken", "the bicycle pump hangs in the hall", "tea is in the tin"]
    return memory.add(texts).item_ids


@pytest.mark.parametrize(
    "words", ["pump", "the pump", "PUMPS", "pump!", "a pump somewhere", "зонтик", "umbrella", "?"]
)
def test_words_that_fit_several_items_or_none_change_nothing(memory, pumps, words):
    before = [memory.get(item_id) for item_id in pumps]
    for found in (memory.forget(words), memory.correct(words, "the umbrella is red")):
        assert isinstance(found, Candidates)
        assert "by its id" in found.reason
    assert [memory.get(item_id) for item_id in pumps] == before
    assert len(memory.list(limit=10)) == 3
    assert all(item.usage_count == 0 for item in memory.list())


def test_the_candidates_of_vague_words_are_shown(memory, pumps):
    found = memory.forget("pump")
    assert {hit.item.id for hit in found.hits} >= set(pumps[:2])
    assert found.to_dict()["candidates"][0]["id"] in pumps[:2]


def test_the_text_of_an_item_means_it(memory, pumps):
    assert memory.forget("The pump in the  cellar is broken").id == pumps[0]
    assert memory.get(pumps[0]).status is Status.ARCHIVED
    assert len(memory.list()) == 2


def test_words_that_only_one_item_holds_mean_it(memory, pumps):
    verdict = memory.correct("tea in the tin", "tea is in the jar")
    assert memory.get(pumps[2]).superseded_by == verdict.item_id


def test_words_look_from_a_scope_only(memory, add):
    item_id = add("tea is in the tin", scope="user:ana")
    assert isinstance(memory.forget("tea is in the tin"), Candidates)
    assert isinstance(memory.forget("tea is in the tin", scope="user:bo"), Candidates)
    assert memory.get(item_id).status is Status.ACTIVE
    assert memory.forget("tea is in the tin", scope="user:ana/project:kitchen").id == item_id


def test_an_id_named_from_a_scope_must_be_visible_from_there(memory, add):
    item_id = add("tea is in the tin", scope="user:ana")
    with pytest.raises(NotFound):
        memory.forget(item_id, scope="user:bo")
    with pytest.raises(NotFound):
        memory.get(item_id, scope="global")
    assert memory.get(item_id).status is Status.ACTIVE
    assert memory.get(item_id, scope=ALL).id == item_id


@pytest.mark.parametrize("words", ["", " ", "a\0b", "\ud800", 5])
def test_words_that_are_no_text_are_an_error(memory, pumps, words):
    with pytest.raises((InvalidText, TypeError)):
        memory.forget(words)
    assert len(memory.list()) == len(pumps)


# Forget, confirm, reinforce, demote


def test_votes_add_up_and_never_to_more_than_json_can_hold(memory, add):
    item_id = add("The lamp burns oil.")
    memory.reinforce(item_id, by=2.5)
    assert memory.demote(item_id, by=-4).reinforcement == -1.5
    for by in (1e308, -1e308):
        for _ in range(3):
            memory.reinforce(item_id, by=by)
            json.dumps(list(memory.export()), allow_nan=False)


def test_what_is_forgotten_is_archived_and_retracted_and_can_be_looked_up(memory, add):
    item_id = add("tea is in the tin", pinned=True)
    item = memory.forget(item_id)
    assert (item.status, item.validation) == (Status.ARCHIVED, Validation.RETRACTED)
    assert memory.search("tea").hits == ()
    assert memory.context("tea").text == ""
    assert memory.list() == []
    assert [hit.item.id for hit in memory.search("tea", archived=True)] == [item_id]
    assert reasons(memory, item_id) == ["create", "forget"]
    assert memory.add("tea is in the tin").verdicts[0].outcome == "accepted"


def test_a_confirmed_item_is_certain_and_decays_no_more(memory, add, clock):
    item_id = add("tea is in the tin", confidence=0.6)
    clock.advance(days=30)
    assert memory.explain(item_id).effective_confidence == pytest.approx(0.6 * math.exp(-0.1 * 30**0.8))
    item = memory.confirm(item_id)
    assert (item.confidence, item.decay_rate, item.validation) == (1.0, 0.0, Validation.VERIFIED)
    assert item.last_hit_at == clock.now()
    clock.advance(days=1000)
    assert memory.explain(item_id).effective_confidence == 1.0
    assert reasons(memory, item_id) == ["create", "confirm"]


def test_reinforcing_adds_three_and_resets_the_clock_and_demoting_takes_one_and_does_not(memory, add, clock):
    item_id = add("tea is in the tin")
    assert (memory.get(item_id).reinforcement, memory.get(item_id).last_hit_at) == (0.0, None)
    assert memory.demote(item_id).reinforcement == -1.0
    assert memory.get(item_id).last_hit_at is None
    clock.advance(days=1)
    risen_at = clock.now()
    assert memory.reinforce(item_id).reinforcement == 2.0
    clock.advance(days=1)
    item = memory.demote(item_id)
    assert (item.reinforcement, item.last_hit_at) == (1.0, risen_at)
    assert memory.reinforce(item_id, 0.5).reinforcement == 1.5
    assert len(memory.history(item_id)) == 1


@pytest.mark.parametrize("by", [float("nan"), float("inf"), "much", None, True], ids=repr)
def test_a_reinforcement_is_a_finite_number(memory, add, by):
    item_id = add("tea is in the tin")
    for change in (memory.reinforce, memory.demote):
        with pytest.raises(InvalidInput):
            change(item_id, by)
    assert memory.get(item_id).reinforcement == 0.0


@pytest.mark.parametrize(
    "name", ["get", "history", "explain", "confirm", "reinforce", "demote", "forget", "purge"]
)
@pytest.mark.parametrize("item_id", [NOWHERE, "nothing like it", "x" * 10_000])
def test_what_does_not_exist_is_not_found(memory, add, name, item_id):
    add("tea is in the tin")
    if name == "forget" and item_id != NOWHERE:
        assert isinstance(memory.forget(item_id), Candidates)
        return
    with pytest.raises(NotFound):
        getattr(memory, name)(item_id)
    assert len(memory.list()) == 1


# Links


@pytest.mark.parametrize("rel", ["supports", "Contradicts", " refines ", "causal", "similar", "depends_on"])
def test_two_items_can_be_linked_by_hand(memory, add, clock, rel):
    one, other = add("tea is in the tin"), add("the tin is red")
    link = memory.link(one, other, rel, evidence="Ana said so", weight=0.5)
    assert (link.rel, link.weight, link.created_at) == (rel.strip().lower(), 0.5, clock.now())
    assert memory.explain(one).links == memory.explain(other).links == (link,)
    memory.link(one, other, rel)
    assert len(memory.explain(one).links) == 1


@pytest.mark.parametrize("rel", ["temporal", "mentions", "co_recalled", "contains", "adjacent", "loves", ""])
def test_links_that_are_unknown_or_the_engines_own_cannot_be_made(memory, add, rel):
    one, other = add("tea is in the tin"), add("the tin is red")
    with pytest.raises(InvalidInput):
        memory.link(one, other, rel)
    assert memory.explain(one).links == ()


@pytest.mark.parametrize(
    "wrong", [{"weight": -1}, {"weight": math.inf}, {"weight": math.nan}, {"evidence": "\ud800"}]
)
def test_a_link_that_cannot_be_stored_is_an_error(memory, add, wrong):
    one, other = add("tea is in the tin"), add("the tin is red")
    with pytest.raises(InvalidInput):
        memory.link(one, other, **wrong)
    with pytest.raises(InvalidInput):
        memory.link(one, one)
    with pytest.raises(NotFound):
        memory.link(one, NOWHERE)
    assert memory.explain(one).links == ()


# Looking


def test_an_explanation_tells_all_that_is_known_of_an_item(memory, add, clock):
    item_id = add("tea is in the tin", type="event", confidence=0.8, scope="project:kitchen")
    clock.advance(days=30)
    memory.update(item_id, title="Tea")
    explained = memory.explain(item_id)
    assert explained.item == memory.get(item_id)
    assert explained.effective_confidence == pytest.approx(0.8 * math.exp(-0.1 * 30**0.8))
    assert explained.retention == pytest.approx(0.1 + 0.9 * math.exp(-0.023 * 30))
    assert [revision.number for revision in explained.revisions] == [1, 2]
    assert [event.action for event in explained.events] == ["create", "update"]
    assert (explained.place.domain, explained.place.shelf) == ("kitchen", "event")
    assert explained.verdict is None


@pytest.mark.parametrize(
    ("type_", "days", "retention"),
    [
        ("decision", 30, 0.921),
        ("decision", 180, 0.641),
        ("event", 30, 0.551),
        ("temp", 7, 0.5),
        ("identity", 999, 1.0),
    ],
)
def test_retention_is_as_the_type_says(memory, add, clock, type_, days, retention):
    item_id = add("tea is in the tin", type=type_)
    clock.advance(days=days)
    assert memory.explain(item_id).retention == pytest.approx(retention, abs=5e-4)


def test_weak_items_are_below_the_bound_lowest_first_within_the_scope(memory, add, clock):
    ids = {
        confidence: add(f"tea at {confidence}", confidence=confidence)
        for confidence in (0.9, 0.5, 0.31, 0.4, 1.0)
    }
    add("tea of Bo", confidence=0.35, scope="user:bo")
    add("tea for good", confidence=0.3, type="decision")
    assert memory.weak() == []
    clock.advance(days=7)  # exp(-0.1 * 7 ** 0.8) = 0.622
    found = memory.weak()
    assert [weak.item.id for weak in found] == [ids[0.31], ids[0.4]]
    assert [weak.effective_confidence for weak in found] == pytest.approx(
        [0.31 * 0.6223, 0.4 * 0.6223], abs=1e-4
    )
    assert [weak.item.id for weak in memory.weak(limit=1)] == [ids[0.31]]
    assert len(memory.weak(below=0.32)) == 4
    assert len(memory.weak(scope="user:bo")) == 3
    memory.confirm(ids[0.31])
    assert [weak.item.id for weak in memory.weak()] == [ids[0.4]]


def test_a_use_renews_an_items_confidence(memory, add, clock):
    item_id = add("tea is in the tin", confidence=0.4)
    clock.advance(days=30)
    assert [weak.item.id for weak in memory.weak()] == [item_id]
    memory.search("tea")
    assert memory.weak() == []


def test_a_timeline_is_in_the_order_of_what_happened(memory, add, clock):
    third = add("tea on Sunday")
    first = add("tea long ago", event_at="2020-01-01")
    clock.advance(days=1)
    fourth = add("tea on Monday")
    second = add("tea last year", event_at="2025-06-01")
    assert [item.id for item in memory.timeline()] == [first, second, third, fourth]
    assert [item.id for item in memory.timeline(limit=2)] == [third, fourth]
    assert [item.id for item in memory.timeline(after="2025-01-01", before="2026-03-02")] == [second, third]
    assert [item.id for item in memory.list()] == [second, fourth, first, third]


def test_stats_count_by_tier_type_status_and_scope(memory, add):
    add("tea", type="fact")
    gone = add("coffee", type="fact")
    add("the plan", type="decision", tier="mtm", scope="project:apollo")
    memory.forget(gone)
    memory.propose([{"content": "milk"}])
    stats = memory.stats()
    assert stats["items"] == 4
    assert stats["by_tier"] == {"mtm": 1, "stm": 3}
    assert stats["by_type"] == {"fact": 2, "decision": 1, "note": 1}
    assert stats["by_status"] == {"active": 2, "archived": 1, "quarantined": 1}
    assert stats["by_scope"] == {"global": 3, "project:apollo": 1}
    assert stats["vectors"] == {"fake": 3}
    assert memory.stats(scope="global")["items"] == 3


def test_a_list_pages_newest_first(memory):
    ids = list(memory.add([f"tea {n}" for n in range(10)]).item_ids)[::-1]
    assert [item.id for item in memory.list(limit=4)] == ids[:4]
    assert [item.id for item in memory.list(limit=4, offset=4)] == ids[4:8]
    assert [item.id for item in memory.list(limit=4, offset=8)] == ids[8:]
    for limit in (0, -1, 2.5, None, True):
        with pytest.raises(InvalidInput):
            memory.list(limit=limit)


def test_a_change_made_from_a_stale_item_is_a_conflict(memory, add, open_memory):
    """Two processes read an item; the second writer learns that the first was faster."""
    item_id = add("tea is in the tin")
    parts = open_memory()._parts
    stale = parts.curator
    item = memory.get(item_id)
    memory.update(item_id, title="Tea")
    with pytest.raises(Conflict, match="read it again"):
        stale.update(item, {"title": "Coffee"})
    assert memory.get(item_id).title == "Tea"


# What stands beside a text that another takes the place of

SAYING = {
    "title": "Key under the mat",
    "tags": ["mat", "spare key"],
    "entities": ["Mat"],
    "metadata": {"where": "mat"},
}


@pytest.mark.parametrize("how", ["correct", "update"])
def test_title_tags_and_names_go_that_repeat_what_a_text_no_longer_says(memory, add, how):
    item_id = add("The spare key is under the mat.", **SAYING)
    text = "The spare key is at Gwil's."
    changed = memory.correct(item_id, text) if how == "correct" else memory.update(item_id, content=text)
    item = memory.get(changed.item_id)
    assert (item.title, item.tags, item.entities) == ("", ("spare key",), ())
    assert item.metadata == {"where": "mat"}
    assert "mat" not in memory.context("Where is the spare key?").text


def test_title_and_tags_that_an_update_gives_stay_whatever_they_say(memory, add):
    item_id = add("The spare key is under the mat.", **SAYING)
    memory.update(item_id, content="The spare key is at Gwil's.", title="No key under the mat", tags=["mat"])
    assert (memory.get(item_id).title, memory.get(item_id).tags) == ("No key under the mat", ("mat",))


def test_a_purge_reaches_what_corrections_took_over(memory, add, clock):
    first = add("It is there, as it was.", **SAYING, session_id="s")
    clock.advance(hours=1)
    second = memory.correct(first, "It is at Gwil's.").item_id
    clock.advance(hours=1)
    third = memory.correct(second, "It is at Rhian's.").item_id
    assert memory.get(third).title == "Key under the mat"
    memory.purge(first)
    for item_id in (second, third):
        item = memory.get(item_id)
        assert (item.title, item.tags, item.entities, item.metadata) == ("", (), (), {})
    assert {r.item.title for r in memory.history(third)} == {""}
    assert memory.doctor().problems == ()
    assert [hit.item.id for hit in memory.search("Rhian's").hits] == [third]
    assert not memory.search("Rhian's").degradations


def test_an_offset_below_nothing_is_refused(memory):
    for listed in (memory.list, partial(memory.documents.list, "c"), partial(memory.records.search, ["x"])):
        with pytest.raises(InvalidInput, match="from 0"):
            listed(offset=-1)


@pytest.mark.parametrize("target", ["the kettle is blue", "words that mean nothing here", NOWHERE])
@pytest.mark.parametrize("content", ["", "  \n", "\0", 5])
def test_a_correction_without_a_text_is_refused_whatever_it_is_of(memory, add, target, content):
    add("the kettle is blue")
    with pytest.raises(InvalidText, match="the content"):
        memory.correct(target, content)
