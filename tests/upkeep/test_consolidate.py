"""Consolidation through a Memory: what is merged, kept, linked, undone."""

from dataclasses import replace

import numpy as np
import pytest

from simonides.config import Settings, StoreSettings
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Status, Validation
from simonides.domain.link import Relation
from simonides.domain.records import Place
from simonides.domain.scope import ALL
from simonides.errors import ProviderUnavailable
from simonides.governance.policy import Policy
from simonides.testing import ScriptedModel
from simonides.upkeep.merge import Consolidator, Merged
from simonides.upkeep.settings import ConsolidateSettings

TEA = (
    "Ana prefers green tea in the morning.",
    "In the morning, Ana prefers green tea.",
    "Ana prefers green tea in the morning with milk.",
)


@pytest.fixture
def memory(open_memory):
    return open_memory(embedder=None)


@pytest.fixture
def tell(clock):
    """Adds notes a minute apart; their ids."""

    def told(memory, *texts, **fields):
        ids = []
        for text in texts:
            (verdict,) = memory.add(text, **({"type": "fact", "tags": ["notes"]} | fields)).verdicts
            assert verdict.outcome == "accepted", verdict
            ids.append(verdict.item_id)
            clock.advance(seconds=60)
        return ids

    return told


@pytest.fixture
def delta(open_memory):
    """A memory that looks at the surroundings of new items only."""
    settings = Settings(
        store=StoreSettings(synchronous="NORMAL"), consolidate=ConsolidateSettings(delta_above=0)
    )
    return open_memory(embedder=None, settings=settings)


def texts(memory, **filters):
    return sorted(item.content for item in memory.list(scope=ALL, **filters))


def standing(memory, content):
    (item,) = [item for item in memory.list(scope=ALL) if item.content == content]
    return item


def test_items_that_say_the_same_become_one_and_their_history_stays_whole(memory, tell):
    ids = tell(memory, *TEA, "Ben rows on the river.")
    run = memory.consolidate()
    assert run.counts["merged"] == 3
    assert run.counts["created"] == 1
    assert texts(memory) == [TEA[2], "Ben rows on the river."]
    merged = standing(memory, TEA[2])
    assert [revision.reason for revision in memory.history(merged.id)][-1] == "consolidation_merge"
    assert {revision.item.content for revision in memory.history(merged.id)} == set(TEA)
    for item_id in ids[:3]:
        source = memory.get(item_id)
        assert (source.status, source.superseded_by) == (Status.ARCHIVED, merged.id)
        assert {revision.item.id for revision in memory.history(item_id)} == {*ids[:3], merged.id}


def test_a_chain_of_merges_stays_whole_night_after_night(memory, tell):
    ids = tell(memory, *TEA[:2])
    memory.consolidate()
    ids += tell(memory, TEA[2])
    memory.consolidate()
    (item,) = memory.list()
    history = {revision.item.id for revision in memory.history(ids[0])}
    assert history >= {*ids, item.id}
    assert {revision.item.content for revision in memory.history(item.id)} == set(TEA)
    chains = memory.stats()["merges"]
    assert (chains["chains"], chains["originals"], chains["longest"]) == (1, 3, 3)
    assert chains["same_document"] == 1
    assert 0 <= chains["dispersion"] < 0.3


def test_merged_items_are_found_where_their_sources_were(memory, tell):
    tell(memory, *TEA)
    memory.consolidate()
    assert [hit.item.content for hit in memory.search("what does Ana drink in the morning?").hits] == [TEA[2]]


def test_a_second_run_finds_nothing_to_do(memory, tell):
    tell(memory, *TEA, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    memory.consolidate()
    assert dict(memory.consolidate().counts) == {}


def test_a_dry_run_shows_what_a_run_does_and_changes_nothing(memory, tell):
    tell(memory, *TEA, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    before = {item.id: item for item in memory.list(archived=True)}
    dry = memory.consolidate(dry_run=True)
    assert {item.id: item for item in memory.list(archived=True)} == before
    real = memory.consolidate()
    assert dry.counts == real.counts
    assert [change.kind for change in dry.changes] == [change.kind for change in real.changes]


def test_undo_gives_every_item_link_and_pair_back(memory, tell):
    tell(memory, *TEA, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    tell(memory, "We decided to use Redis.", type="decision")
    before = {item.id: replace(item, updated_at=0) for item in memory.list(archived=True)}
    first = memory.consolidate()
    memory.undo(first.id)
    after = {item.id: replace(item, updated_at=0) for item in memory.list(archived=True)}
    assert {item_id: after[item_id] for item_id in before} == before
    assert all(after[item_id].status is Status.ARCHIVED for item_id in after.keys() - before.keys())
    assert memory.review.contradictions() == []
    assert memory.consolidate().counts == first.counts


def test_use_is_summed_and_may_let_the_merged_item_rise(memory, tell):
    ids = tell(memory, *TEA[:2])
    memory.mark_used(ids)
    memory.consolidate()
    (item,) = memory.list()
    assert item.usage_count == 2
    assert item.tier == "mtm"


def test_upkeeps_own_reads_never_count_as_use(memory, tell):
    tell(memory, *TEA, "Ben rows on the river.")
    for _ in range(6):
        memory.consolidate()
    assert {item.usage_count for item in memory.list(archived=True)} == {0}
    assert {item.tier for item in memory.list()} == {"stm"}


def test_items_rise_only_where_they_may(memory, tell):
    tell(memory, "We decided to use Redis for the sessions.", type="decision")
    memory.consolidate(promote=False)
    assert memory.list()[0].tier == "stm"
    assert memory.consolidate().counts == {"revised": 1}
    assert memory.list()[0].tier == "mtm"


def test_only_the_tiers_that_are_named_are_merged(memory, tell):
    tell(memory, *TEA[:2], tier="mtm")
    assert memory.consolidate().counts == {}
    assert memory.consolidate(tiers=["stm", "mtm"]).counts["merged"] == 2


def test_items_of_different_scopes_are_never_joined(memory, tell):
    tell(memory, TEA[0], scope="user:ana")
    tell(memory, TEA[1], scope="user:ana/project:apollo")
    tell(memory, TEA[2])
    assert memory.maintain(["consolidate"]).counts == {}
    assert len(texts(memory)) == 3


def test_palace_and_links_follow_to_the_merged_item(memory, tell):
    one, other = tell(memory, *TEA[:2])
    (aside,) = tell(memory, "Ben rows on the river.")
    memory.palace.assign(one, domain="home", room="kitchen", shelf="drinks")
    memory.link(aside, other, "supports")
    memory.consolidate()
    merged = standing(memory, TEA[1])
    assert memory.palace.where(merged.id) == Place(merged.id, "home", "kitchen", "drinks")
    links = memory.explain(aside).links
    assert (aside, merged.id, Relation.SUPPORTS) in {(link.src, link.dst, link.rel) for link in links}


def test_turns_pinned_quarantined_and_expired_items_are_left_alone(memory, tell, clock):
    memory.add([{"role": "user", "content": text} for text in TEA], session_id="s")
    tell(memory, TEA[0], pinned=True)
    memory.propose([{"content": TEA[1], "type": "fact"}])
    tell(memory, TEA[2], expires_at="2026-03-02T00:00:00Z")
    clock.advance(days=2)
    assert memory.consolidate(promote=False).counts == {}


# Contradictions


def test_a_contradiction_is_linked_contested_listed_and_judged_once(memory, tell):
    five, six = tell(memory, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    run = memory.consolidate()
    assert run.counts == {"revised": 1, "linked": 1, "judged": 1}
    assert memory.get(five).validation is Validation.CONTESTED
    assert memory.get(six).validation is Validation.UNVERIFIED
    (pair,) = memory.review.contradictions()
    assert (pair.older.id, pair.newer.id, pair.differ) == (five, six, "number")
    assert pair.evidence == "'5' and '6'"
    assert {hit.item.id for hit in memory.search("retry limit of the upload").hits} == {five, six}
    assert memory.consolidate().counts == {}


def test_another_place_to_live_is_told_with_the_embedder_that_comes_along(open_memory, clock):
    memory = open_memory(embedder=None)
    for city in ("Graz", "Linz"):
        memory.add(f"I live in {city}.", type="identity", scope="user:ana")
        clock.advance(seconds=60)
    memory.consolidate(scope="user:ana")
    (pair,) = memory.review.contradictions(scope="user:ana")
    assert (pair.older.content, pair.evidence) == ("I live in Graz.", "'Graz' and 'Linz'")
    assert memory.get(pair.older.id).validation is Validation.CONTESTED


def test_what_was_verified_is_not_contested_by_what_was_not(memory, tell):
    five, six = tell(memory, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    memory.confirm(five)
    memory.consolidate(promote=False)
    assert memory.get(five).validation is Validation.VERIFIED
    assert memory.get(six).validation is Validation.CONTESTED


def test_a_correction_takes_the_place_of_what_it_corrects(memory, tell):
    old, new = tell(
        memory, "The retry limit of the upload is 5.", "Actually, the retry limit of the upload is 6."
    )
    memory.consolidate()
    former = memory.get(old)
    assert (former.status, former.superseded_by) == (Status.ARCHIVED, new)
    assert former.valid_until == memory.get(new).created_at
    assert {revision.item.id for revision in memory.history(new)} == {old, new}


def test_an_item_with_several_contradictions_is_revised_once(memory, tell):
    limits = tell(memory, *(f"The retry limit of the upload is {n}." for n in range(5, 9)))
    run = memory.consolidate()
    assert run.left_alone == ()
    assert run.counts["linked"] == 6
    assert [memory.get(item_id).validation for item_id in limits] == [*["contested"] * 3, "unverified"]


def test_contradictions_of_merged_items_are_those_of_what_took_their_place(memory, tell):
    tell(memory, "The retry limit of the upload is 5.", "Note: the retry limit of the upload is 5.")
    (six,) = tell(memory, "The retry limit of the upload is 6.")
    memory.consolidate()
    (pair,) = memory.review.contradictions()
    assert {pair.older.id, pair.newer.id} == {
        six,
        standing(memory, "The retry limit of the upload is 5.").id,
    }


def test_a_model_may_say_that_a_contradiction_is_none(open_memory, tell):
    model = ScriptedModel({"conflicts": {"verdict": "compatible"}})
    memory = open_memory(embedder=None, model=model)
    tell(memory, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    assert memory.consolidate().counts == {"judged": 1}
    memory.consolidate()
    assert len(model.prompts) == 1


@pytest.mark.parametrize(
    "answer", ["no JSON", {"verdict": "perhaps"}, ProviderUnavailable("the model is away")]
)
def test_where_a_model_gives_no_usable_verdict_a_contradiction_stands(open_memory, tell, answer):
    memory = open_memory(embedder=None, model=ScriptedModel({"conflicts": answer}))
    tell(memory, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    run = memory.consolidate()
    assert run.counts["linked"] == 1
    assert any("taken as found" in text for text in run.degradations)


# Words by a model, by somebody's own consolidator


def test_a_model_words_the_merged_item(open_memory, tell):
    wording = {"title": "Tea", "content": "Ana prefers green tea in the morning, with milk."}
    memory = open_memory(embedder=None, model=ScriptedModel({"merge": wording}))
    tell(memory, *TEA)
    run = memory.consolidate()
    (item,) = memory.list()
    assert (item.title, item.content) == ("Tea", wording["content"])
    assert run.degradations == ()


@pytest.mark.parametrize(
    "answer",
    [
        "",
        {"title": "", "content": " "},
        {"title": "", "content": "Ana tea."},
        {"title": "", "content": "Ana prefers green tea in the morning at 7."},
        {"title": "", "content": "Ana and Berta prefer green tea in the morning with milk."},
        {"title": "", "content": "Somebody prefers green tea in the morning with milk."},
        {"title": "", "content": "Ana does not prefer green tea in the morning with milk."},
        {"title": "", "content": "Ana bevorzugt morgens grünen Tee mit Milch."},
        {"title": "", "content": "Ana prefers green tea in the morning with milk. " * 9},
        ProviderUnavailable("the model is away"),
    ],
)
def test_where_a_models_words_cannot_be_used_it_is_merged_without_and_said(open_memory, tell, answer):
    memory = open_memory(embedder=None, model=ScriptedModel({"merge": answer}))
    tell(memory, *TEA)
    run = memory.consolidate()
    assert texts(memory) == [TEA[2]]
    assert any("merged without a model" in text for text in run.degradations)


def test_a_consolidator_of_ones_own_words_what_is_merged(open_memory, tell):
    class Joined(Consolidator):
        def merge(self, cluster):
            return Merged(" / ".join(sorted(item.content for item in cluster.items)), "joined")

    memory = open_memory(embedder=None, consolidator=Joined())
    tell(memory, *TEA[:2])
    memory.consolidate()
    (item,) = memory.list()
    assert (item.title, item.content) == ("joined", f"{TEA[0]} / {TEA[1]}")


def test_a_consolidator_may_leave_a_cluster_alone(open_memory, tell):
    class Shy(Consolidator):
        def merge(self, cluster):
            return None

    memory = open_memory(embedder=None, consolidator=Shy())
    tell(memory, *TEA)
    assert memory.consolidate().counts == {}


def test_what_a_consolidator_returns_by_mistake_is_told_and_merges_nothing(open_memory, tell):
    class Blank(Consolidator):
        def merge(self, cluster):
            return Merged("  ")

    memory = open_memory(embedder=None, consolidator=Blank())
    tell(memory, *TEA)
    run = memory.consolidate()
    assert run.counts == {"errors": 1}
    assert "no content" in run.left_alone[0].why
    assert texts(memory) == sorted(TEA)


def test_words_that_the_policy_refuses_are_not_stored(open_memory, tell):
    class Leaky(Consolidator):
        def merge(self, cluster):
            return Merged("The password of the database is hunter2-Xk92!a.")

    memory = open_memory(embedder=None, consolidator=Leaky())
    tell(memory, *TEA)
    run = memory.consolidate()
    assert run.counts == {"refused": 1}
    assert texts(memory) == sorted(TEA)


def test_a_policy_that_refuses_leaves_the_sources_as_they_are(open_memory, tell):
    class Strict(Policy):
        def judge(self, candidate, at):
            ruling = super().judge(candidate, at)
            if candidate.actor == "upkeep":
                return replace(ruling, outcome="rejected", reasons=("no: not by upkeep",))
            return ruling

    memory = open_memory(embedder=None, policy=Strict())
    tell(memory, *TEA, "The retry limit of the upload is 5.", "The retry limit of the upload is 6.")
    memory.consolidate()
    assert set(texts(memory)) >= set(TEA)


# Around new items only


def test_the_first_run_looks_at_everything_and_the_next_around_what_is_new(delta, tell):
    tell(delta, *TEA[:2], "Ben rows on the river.")
    delta.consolidate()
    tell(delta, TEA[2], "On the river, Ben rows.")
    run = delta.consolidate()
    assert run.counts["created"] == 2
    assert texts(delta) == sorted([TEA[2], "On the river, Ben rows."])
    reasons = [delta.history(item.id)[-1].reason for item in delta.list()]
    assert set(reasons) == {"delta_consolidation_merge"}


@pytest.mark.parametrize(
    ("said", "counted"),
    [
        (TEA[:2], {"created": 1, "merged": 2, "linked": 2, "revised": 1}),
        (
            ("The retry limit of the upload is 5.", "The retry limit of the upload is 6."),
            {"revised": 2, "linked": 1, "judged": 1},
        ),
    ],
)
def test_a_dry_run_promotes_what_a_run_promotes(memory, said, counted):
    for text in said:
        memory.add(text, type="decision")
    assert memory.consolidate(dry_run=True).counts == counted
    assert memory.consolidate().counts == counted


def test_without_new_items_a_run_reads_nothing_but_that(delta, tell):
    tell(delta, *TEA)
    delta.consolidate()
    assert delta.consolidate().counts == {}


def test_a_run_by_threshold_looks_around_new_items_even_in_a_small_scope(memory, tell):
    tell(memory, *TEA[:2])
    memory.consolidate()
    tell(memory, TEA[2])
    run = memory.maintain(["consolidate"], scope="global", trigger="threshold")
    assert run.counts["created"] == 1
    (item,) = memory.list()
    assert memory.history(item.id)[-1].reason == "delta_consolidation_merge"


def test_runs_of_many_other_scopes_do_not_hide_when_a_scope_was_last_looked_at(delta, tell):
    tell(delta, *TEA[:2])
    delta.consolidate()
    for number in range(51):
        delta.consolidate(scope=f"user:nobody-{number}")
    tell(delta, TEA[2])
    delta.consolidate()
    (item,) = delta.list()
    assert delta.history(item.id)[-1].reason == "delta_consolidation_merge"


# What goes wrong meanwhile


class Meanwhile:
    """A consolidator during whose work something happens."""

    def __init__(self, what):
        self._what = what

    def merge(self, cluster):
        self._what(cluster)
        return Consolidator().merge(cluster)


def test_a_cluster_of_which_an_item_was_purged_meanwhile_is_left_alone(open_memory, tell):
    def purge(cluster):
        memory.purge(cluster.items[0].id)

    memory = open_memory(embedder=None, consolidator=Meanwhile(purge))
    tell(memory, *TEA[:2])
    run = memory.consolidate()
    assert run.counts == {"skipped": 1}
    assert len(memory.list()) == 1


def test_a_cluster_of_which_an_item_changed_meanwhile_is_left_alone(open_memory, tell):
    def change(cluster):
        memory.forget(cluster.items[0].id)

    memory = open_memory(embedder=None, consolidator=Meanwhile(change))
    tell(memory, *TEA[:2])
    run = memory.consolidate()
    assert run.counts == {"skipped": 1}
    assert run.left_alone[0].why == "an item changed meanwhile"
    assert [item.validation for item in memory.list(archived=True)].count(Validation.RETRACTED) == 1


def test_retracted_items_take_no_part(memory, tell):
    ids = tell(memory, *TEA)
    memory.forget(ids[0])
    memory.consolidate()
    assert memory.get(ids[0]).superseded_by is None
    assert memory.get(ids[1]).superseded_by is not None


class Away:
    """An embedder that cannot say what it is."""

    local = False
    multilingual = True

    @property
    def identity(self):
        raise ProviderUnavailable("the embedder is away")

    def embed(self, texts):
        raise ProviderUnavailable("the embedder is away")


def test_without_an_embedder_items_are_compared_by_their_words_and_it_is_said(open_memory, tell, path):
    tell(open_memory(embedder=None), *TEA, "Ben rows on the river.")
    away = open_memory(path, embedder=Away())
    run = away.consolidate()
    assert texts(away) == [TEA[2], "Ben rows on the river."]
    assert any("by their words alone" in text for text in run.degradations)


class Half:
    """A local embedder of texts with milk only, all alike."""

    local = False
    multilingual = True
    identity = EmbedderIdentity("half", "half-1", 2)

    def embed(self, texts):
        return np.array([[1.0, 0.0] for _ in texts], np.float32)


def test_where_half_the_vectors_are_missing_the_others_are_compared_by_words(open_memory, tell):
    memory = open_memory(embedder=Half())
    tell(memory, *TEA[:2])
    memory.backfill()
    tell(memory, TEA[2], "Ben rows on the river.")
    run = memory.consolidate()
    assert texts(memory) == [TEA[2], "Ben rows on the river."]
    assert any("some items have vectors" in text for text in run.degradations)


def test_a_clock_set_back_merges_as_before(memory, tell, clock):
    tell(memory, *TEA[:2])
    clock.advance(days=-30)
    assert memory.consolidate().counts["merged"] == 2
    (item,) = memory.list()
    assert 0 <= item.confidence <= 1


def test_many_items_are_worked_through_page_by_page(memory):
    memory.add([f"The lamp number {n} of the hall is made of glass." for n in range(510)], type="fact")
    told = []
    memory.consolidate(promote=False, progress=lambda what, done, of: told.append((what, done, of)))
    assert {done for what, done, _ in told if what == "items read"} == {500}
