"""Searches as a whole: the agenda, the profiles, abstaining, rerankers and models, and the same answer again."""

import json
import math
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import Settings
from simonides.domain.scope import ALL
from simonides.errors import InvalidAnswer, InvalidInput, ProviderError, ProviderUnavailable
from simonides.recall.agenda.settings import AgendaSettings
from simonides.recall.hits import _rounded
from simonides.recall.ranking.profiles import PROFILES, profile_named
from simonides.recall.settings import RecallSettings
from simonides.sample import load_sample
from simonides.testing import FakeEmbedder, FakeReranker, FrozenClock, ScriptedModel

APOLLO = [
    {"content": "Lena leads Apollo.", "entities": ["Lena", "Apollo"]},
    {"content": "Ana is the manager of Lena.", "entities": ["Ana", "Lena"]},
    {"content": "Ana lives in Riga.", "entities": ["Ana", "Riga"]},
] + [{"content": f"The city needs note {n} about who leads what."} for n in range(20)]
#: The same among notes that hold more of the question, and others, so that its words are not everywhere.
CROWDED = (
    APOLLO[:3]
    + [
        {"content": f"The city needs note {n} about who leads what, and which person lives where."}
        for n in range(20)
    ]
    + [{"content": f"an unrelated remark, number {n}"} for n in range(90)]
)
HOPS = "Which city does the manager of the person who leads Apollo live in?"


def contents(result):
    return [hit.item.content for hit in result]


def adds_up(hit):
    """True if the signals of a hit make its score."""
    parts = sum(value for name, value in hit.signals.items() if name != "factor")
    return hit.score == pytest.approx(parts * hit.signals.get("factor", 1.0), abs=1e-5)


def bounds(**values):
    return Settings(recall=RecallSettings(**values))


@pytest.fixture
def apollo(memory):
    memory.add(APOLLO)
    return memory


@pytest.fixture
def kettles(memory):
    """Notes and turns, some worth more than others, some linked."""
    ids = memory.add([f"kettle number {n}" + " and more" * (n % 5) for n in range(20)]).item_ids
    memory.add([{"role": "user", "content": f"turn {n} about a kettle"} for n in range(5)], session_id="s")
    memory.reinforce(ids[3])
    memory.demote(ids[4])
    memory.link(ids[0], ids[1], "similar")
    return memory


# The agenda


def test_an_agenda_that_is_asked_for_tells_what_it_did(apollo):
    result = apollo.search(HOPS, agenda=True, k=23)
    assert result.strategy.split("+")[-1] == "agenda"
    assert "start" in str(result.trace)
    assert "Lena leads Apollo." in str(result.trace)
    told = json.loads(json.dumps(result.to_dict()))["trace"]
    first = told["nodes"][0]
    contents = {item.id: item.content for item in apollo.list()}
    for key in first["support"]:
        assert contents[told["items"][str(key)]["id"]].startswith(told["items"][str(key)]["name"].rstrip("…"))
    plain = apollo.search(HOPS, agenda=False, k=23)
    assert plain.trace is None
    assert plain.to_dict()["trace"] is None
    assert plain.strategy == result.strategy.removesuffix("+agenda")
    # What the question is, and how sure an answer is, does not hang on it.
    assert (plain.confidence, plain.analysis) == (result.confidence, result.analysis)


def test_the_same_agenda_gives_the_same_answer_and_trace(apollo):
    first, *others = (apollo.search(HOPS, agenda=True, k=23, noted=False) for _ in range(3))
    for again in others:
        assert json.dumps(again.to_dict()) == json.dumps(first.to_dict())


def test_an_agenda_takes_nothing_away_and_finds_in_order(apollo):
    plain = apollo.search(HOPS, agenda=False, k=23)
    result = apollo.search(HOPS, agenda=True, k=23)
    assert set(contents(plain)) <= set(contents(result))
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert all(adds_up(hit) for hit in result)


def test_only_what_an_agenda_put_in_or_moved_says_so(path):
    """Scores may be below 0; that is no reason to move anything."""
    sample, clock = load_sample(), FrozenClock("2026-04-20T09:00:00Z")
    with Memory(path, clock=clock, settings=Settings()) as memory:
        for session in sample.sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
    below = 0
    # Read only: no search counts as a use, which would move the scores of the next.
    with Memory(path, clock=clock, settings=Settings(), read_only=True) as memory:
        for question in sample.questions[::6]:
            fields = {"k": 64, "min_relevance": 0, "at": question.at}
            plain = memory.search(question.text, agenda=False, **fields)
            result = memory.search(question.text, agenda=True, **fields)
            below += sum(hit.score < 0 for hit in plain)
            own = {hit.item.id: hit.score for hit in plain}
            for hit in result:
                if "agenda" not in hit.signals and hit.item.id in own:
                    assert hit.score == own[hit.item.id]
            assert sum("agenda" in hit.signals for hit in result) < 10
            scores = [hit.score for hit in result]
            assert scores == sorted(scores, reverse=True)
    assert below > 50


def test_the_end_of_a_chain_is_among_the_hits_where_much_else_looks_like_the_question(open_memory):
    memory = open_memory(embedder=None)
    memory.add(["Lena leads Apollo.", "Ana is the manager of Lena.", "Ana lives in Riga."])
    memory.add([f"Some manager lives in city number {n}." for n in range(40)])
    memory.add([f"Apollo has module {n}." for n in range(30)])
    result = memory.search(HOPS, agenda=True, k=10)
    assert {"Ana is the manager of Lena.", "Ana lives in Riga."} <= set(contents(result))
    # What no search for the question found has its name in the trace too.
    assert "+Ana lives in Riga." in str(result.trace)
    assert re.search(r"\+\d", str(result.trace)) is None


class Latin(FakeEmbedder):
    """Knows Latin script alone; what it says of any other is noise, another one with each seed."""

    def __init__(self, seed):
        super().__init__(8)
        self._seed = seed

    @property
    def multilingual(self):
        return False

    def embed(self, texts):
        return super().embed([f"{self._seed} {text}" for text in texts])


def test_an_agenda_does_not_go_by_the_cosines_of_a_script_that_the_embedder_does_not_know(open_memory, path):
    question = "В каком городе живёт начальник того, кто ведёт проект Аполлон?"
    facts = ["Проект Аполлон ведёт Лена.", "Начальник Лены - Марек.", "Марек живёт в городе Гданьск."]
    others = [f"Какой-то начальник живёт в городе номер {n}." for n in range(8)]
    traces = []
    for seed in range(4):
        memory = open_memory(path.with_name(f"{seed}.db"), embedder=Latin(seed))
        memory.add(facts + others)
        result = memory.search(question, agenda=True, k=20)
        traces.append([line for line in str(result.trace).splitlines() if "start" in line])
    assert [found for found in traces if found != traces[0]] == []


def test_an_agenda_that_ran_out_of_time_says_so(open_memory):
    said = []
    for seconds in (1e-9, 60):
        memory = open_memory(settings=bounds(agenda=AgendaSettings(seconds=seconds)))
        memory.add(APOLLO)
        said.append([text for text in memory.search(HOPS, agenda=True, k=5).degradations if "agenda" in text])
        memory.close()
    assert said == [["agenda: it ran out of time; what it had found until then counts"], []]


def test_a_question_that_names_the_beginning_of_a_chain_goes_on_by_itself_unless_that_is_refused(apollo):
    goes_on = {
        question: apollo.search(question).strategy.endswith("+agenda")
        for question in (
            HOPS,
            "Where does the manager of Apollo's lead live?",
            "Where does the manager of the person who leads the project live?",  # Nobody known is named.
            "Who leads Apollo?",  # One item answers it.
            "Hi! I read about Apollo. In which city does the manager of the person who leads it live?",
        )
    }
    assert list(goes_on.values()) == [True, True, False, False, False]
    assert not apollo.search(HOPS, agenda=False).strategy.endswith("agenda")


#: People with names in common, each a lead, a manager, or neither.
NAMESAKES = [
    "Lena Vogt leads Apollo.",
    "Lena Ek leads Borealis.",
    "Boris Vogt leads Cirrus.",
    "Lena Vogt reports to Diego Jung.",
    "Lena Ek reports to Clara Jung.",
    "Boris Vogt reports to Diego Holm.",
    "Diego Jung has a home in Riga.",
    "Clara Jung lives in Lyon.",
    "Diego Holm lives in Ghent.",
    *(f"{name} plays chess." for name in ("Lena Vogt", "Diego Jung", "Lena Ek")),
    *(f"{name} likes figs." for name in ("Lena Vogt", "Diego Jung", "Lena Ek")),
    *(f"{name} speaks Dutch." for name in ("Lena Vogt", "Diego Jung", "Lena Ek")),
]


@pytest.mark.parametrize(
    ("project", "chain"),
    [("Apollo", (0, 3, 6)), ("Borealis", (1, 4, 7)), ("Cirrus", (2, 5, 8))],
)
def test_namesakes_do_not_lead_a_chain_astray(open_memory, project, chain):
    memory = open_memory(embedder=None)
    memory.add(NAMESAKES + [f"{project} has module {n}." for n in range(30)], type="fact")
    result = memory.search(f"Where is the home of the boss of whoever leads {project}?", k=10)
    assert {NAMESAKES[n] for n in chain} <= set(contents(result))


def test_where_there_is_nothing_an_agenda_does_not_begin(memory):
    result = memory.search(HOPS, agenda=True)
    assert (result.hits, result.strategy, result.trace, result.abstained) == ((), "none", None, True)


def test_an_agenda_keeps_to_the_scope(memory):
    for place in ("user:ana", "user:bo"):
        memory.add([{**item, "content": f"{item['content']} {place}"} for item in APOLLO], scope=place)
    result = memory.search(HOPS, scope="user:ana", agenda=True, k=60, min_relevance=0)
    assert len(result) == len(APOLLO)
    assert all("user:ana" in text for text in contents(result))
    assert "user:bo" not in str(result.trace)


def test_an_agenda_of_a_former_time_knows_nothing_of_later(apollo, clock):
    clock.advance(days=1)
    apollo.add({"content": "The manager of Lena lives in Graz.", "entities": ["Lena", "Graz"]})
    clock.advance(days=1)
    result = apollo.search(HOPS, agenda=True, k=30, as_of="2026-03-01T13:00:00Z", min_relevance=0)
    assert result.strategy.endswith("+agenda")
    assert len(result) == len(APOLLO)
    assert not any("Graz" in text for text in contents(result))


@pytest.mark.parametrize("profile", PROFILES)
def test_an_agenda_goes_on_from_whatever_profile_ranked(apollo, profile):
    result = apollo.search(HOPS, agenda=True, profile=profile, k=23)
    assert result.strategy.endswith("+agenda")
    assert all(adds_up(hit) for hit in result)
    scores = [hit.score for hit in result]
    assert scores == sorted(scores, reverse=True)
    assert result.degradations == ()


# Profiles


@pytest.mark.parametrize("agenda", [False, True])
@pytest.mark.parametrize("profile", PROFILES)
def test_signals_add_up_to_the_score_of_every_hit(kettles, profile, agenda):
    result = kettles.search("what of kettle number 17", k=25, profile=profile, agenda=agenda, min_relevance=0)
    assert len(result) >= {"classic": 5, "strict": 1}.get(profile, 20)
    assert all(adds_up(hit) for hit in result)
    assert all(math.isfinite(value) for hit in result for value in hit.signals.values())


@pytest.mark.parametrize("profile", ["hebbian", "classic"])
def test_a_hit_that_an_agenda_moved_adds_up_where_the_profile_has_a_factor(open_memory, profile):
    memory = open_memory(embedder=None)
    ids = memory.add(CROWDED).item_ids
    for item in ids[3:23]:
        memory.reinforce(item)
    memory.demote(ids[2])
    result = memory.search(HOPS, profile=profile, agenda=True, k=30, min_relevance=0)
    riga = next(hit for hit in result if hit.item.content == "Ana lives in Riga.")
    assert riga.signals["agenda"] > 0
    assert riga.signals["factor"] < 1
    assert all(adds_up(hit) for hit in result)


@pytest.mark.parametrize("profile", ["hebbian", "classic"])
def test_an_item_of_no_importance_adds_up_too_once_an_agenda_moved_it(open_memory, profile):
    memory = open_memory(embedder=None)
    memory.add([{**item, "importance": 0.0} if "Riga" in item["content"] else item for item in CROWDED])
    result = memory.search(HOPS, profile=profile, agenda=True, k=30, min_relevance=0)
    riga = next(hit for hit in result if hit.item.content == "Ana lives in Riga.")
    assert riga.signals["agenda"] > 0
    assert all(adds_up(hit) for hit in result)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_ranks_the_same_again(kettles, profile):
    first, again = (kettles.search("kettle number 17", k=25, profile=profile, noted=False) for _ in range(2))
    assert json.dumps(first.to_dict()) == json.dumps(again.to_dict())


@pytest.mark.parametrize("profile", ["magic", "balance", "", " ", "default"])
def test_an_unknown_profile_is_an_error_that_names_those_there_are(kettles, profile):
    with pytest.raises(InvalidInput) as caught:
        kettles.search("kettle", profile=profile)
    if profile.strip():
        assert all(name in str(caught.value) for name in PROFILES)


def test_a_profile_is_named_without_regard_to_case_and_blanks(kettles):
    named = kettles.search("kettle", profile=" Hebbian ", noted=False)
    assert json.dumps(named.to_dict()) == json.dumps(
        kettles.search("kettle", profile="hebbian", noted=False).to_dict()
    )
    assert profile_named("RRF").name == "rrf"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_profile_of_the_settings_ranks_where_none_is_named(open_memory, profile):
    memory = open_memory(settings=bounds(profile=profile))
    memory.add([f"kettle number {n}" for n in range(9)])
    found = memory.search("kettle number 7", noted=False).to_dict()
    assert found == memory.search("kettle number 7", profile=profile, noted=False).to_dict()


# Times


def test_who_asks_for_a_time_alone_is_told_what_was_then(open_memory):
    memory = open_memory(embedder=None)
    memory.add(["the kettle is blue", "the tea is green"])
    memory.add("the roof leaked", event_at="2026-02-18")
    memory.add("the cat was ill", event_at="2026-01-22")
    result = memory.search("what happened last week?")
    assert result.hits[0].item.content == "the roof leaked"
    assert not result.abstained
    assert result.analysis["window"][2] == "last week"


# Abstaining


def test_between_the_bounds_a_search_abstains_and_shows_what_is_nearest(open_memory):
    memory = open_memory(settings=bounds(abstain_below=1.0, hide_below=0.0))
    (item,) = memory.add("the kettle is blue").item_ids
    result = memory.search("what colour is the kettle?")
    assert result.abstained
    assert contents(result) == ["the kettle is blue"]
    assert 0 < result.confidence < 1
    assert result.hidden == 0
    # What was shown for want of better has not been of use.
    assert memory.get(item).usage_count == 0
    context = memory.context("what colour is the kettle?")
    assert context.abstained


def test_below_the_lower_bound_nothing_is_shown(open_memory):
    memory = open_memory(settings=bounds(abstain_below=1.0, hide_below=1.0))
    memory.add(["the kettle is blue", "a kettle is red"])
    result = memory.search("what colour is the kettle?")
    assert (result.hits, result.abstained, result.hidden) == ((), True, 2)
    assert result.trace is None
    context = memory.context("what colour is the kettle?")
    assert (context.text, context.items, context.tokens, context.abstained) == ("", (), 0, True)
    assert context.injection_id is None
    for mode in ("inject", "catalog", "hybrid"):
        assert memory.context("what colour is the kettle?", mode=mode).items == ()


def test_the_core_profile_is_told_where_nothing_else_is(open_memory):
    memory = open_memory(settings=bounds(abstain_below=1.0, hide_below=1.0))
    memory.add("the kettle is blue")
    memory.add("call me Ana", pinned=True)
    context = memory.context("what colour is the kettle?")
    assert "call me Ana" in context.text
    assert "kettle" not in context.text


def test_a_bound_of_ones_own_shows_what_the_lower_bound_hides(open_memory):
    memory = open_memory(settings=bounds(abstain_below=1.0, hide_below=1.0))
    memory.add("the kettle is blue")
    result = memory.search("what colour is the kettle?", min_relevance=0)
    assert contents(result) == ["the kettle is blue"]
    assert result.abstained


def test_above_the_bounds_a_search_does_not_abstain_and_what_is_relevant_counts_as_used(open_memory):
    memory = open_memory(settings=bounds(abstain_below=0.0, hide_below=0.0))
    (item,) = memory.add("the kettle is blue").item_ids
    result = memory.search("what colour is the kettle?")
    assert not result.abstained
    assert memory.get(item).usage_count == (result.confidence >= 0.5 and result.hits[0].relevance >= 0.5)
    memory.search("is the kettle blue?")
    assert memory.get(item).usage_count == 1
    assert not memory.context("what colour is the kettle?").abstained


def test_without_hits_a_search_abstains_whatever_the_bounds(open_memory):
    memory = open_memory(settings=bounds(abstain_below=0.0, hide_below=0.0))
    assert memory.search("kettle").abstained
    memory.add("the kettle is blue")
    hidden = memory.search("kettle", min_relevance=1.0, archived=False, types=["decision"])
    assert (hidden.hits, hidden.abstained) == ((), True)


def test_how_sure_a_search_is_does_not_hang_on_the_hits_that_are_wanted_nor_on_their_bound(kettles):
    told = {
        kettles.search("kettle number 17", agenda=False, **fields).confidence
        for fields in ({}, {"k": 1}, {"k": 60}, {"min_relevance": 0.9}, {"min_relevance": 0})
    }
    assert len(told) == 1


# Rerankers

TEAS = ["the tea is green", "the tea is black", "a cup of tea, green or black", "tea and more tea"]


def test_a_reranker_puts_the_best_in_its_own_order(open_memory):
    plain = open_memory()
    plain.add(TEAS)
    before = plain.search("green tea", agenda=False)
    second = contents(before)[1]
    reranker = FakeReranker({second: 9.0})
    memory = open_memory(reranker=reranker)
    result = memory.search("green tea", agenda=False)
    assert contents(result)[0] == second
    assert result.strategy.endswith("+rerank")
    assert result.degradations == ()
    assert all("rerank" in hit.signals and adds_up(hit) for hit in result)
    ((question, texts),) = reranker.asked
    assert question == "green tea"
    assert sorted(texts) == sorted(TEAS)
    # How likely an answer is, is not what it says.
    assert result.confidence == before.confidence


def test_a_reranker_reads_the_title_too_and_of_a_long_question_what_is_read_of_it(open_memory):
    reranker = FakeReranker()
    memory = open_memory(reranker=reranker)
    memory.add({"title": "Kettles", "content": "they stand in the hall"})
    memory.search("kettles " * 20_000, agenda=False, min_relevance=0)
    ((question, texts),) = reranker.asked
    assert texts == ("Kettles\nthey stand in the hall",)
    assert len(question) <= 1_200


def test_a_reranker_reads_as_many_as_are_wanted_and_twenty_at_least(open_memory):
    reranker = FakeReranker()
    memory = open_memory(reranker=reranker)
    memory.add([f"the kettle number {n}" for n in range(50)])
    for k, read in ((5, 20), (30, 30)):
        reranker.asked.clear()
        memory.search("kettle", k=k, agenda=False)
        assert [len(texts) for _, texts in reranker.asked] == [read]


def test_a_reranker_is_not_asked_where_there_is_nothing_to_read_or_a_profile_stands_by_itself(open_memory):
    reranker = FakeReranker()
    memory = open_memory(reranker=reranker)
    memory.search("green tea", agenda=False)
    memory.add(TEAS)
    for profile in ("weighted", "rrf", "classic", "hebbian"):
        assert "rerank" not in memory.search("green tea", profile=profile, agenda=False).strategy
    assert reranker.asked == []
    assert memory.search("green tea", profile="enhanced", agenda=False).strategy.endswith("+rerank")


class OddReranker(FakeReranker):
    """Says something else than it was asked for."""

    def __init__(self, said):
        super().__init__()
        self._said = said

    def rerank(self, question, texts):
        return self._said


@pytest.mark.parametrize(
    ("reranker", "why"),
    [
        (FakeReranker(error=ProviderUnavailable("no answer within 5 s")), "no answer within 5 s"),
        (FakeReranker(error=ProviderError("HTTP 500")), "HTTP 500"),
        (FakeReranker({TEAS[0]: math.nan}), "fake gave scores that are no finite numbers"),
        (FakeReranker({TEAS[0]: math.inf}), "fake gave scores that are no finite numbers"),
        (OddReranker([0.5]), "fake gave scores of shape (1,) for 4 texts"),
        (OddReranker([]), "fake gave scores of shape (0,) for 4 texts"),
    ],
)
def test_a_reranker_that_fails_leaves_the_order_that_was_there_and_is_named(open_memory, reranker, why):
    memory = open_memory(reranker=reranker)
    memory.add(TEAS)
    # A use that is written down meanwhile would count for the second.
    result, plain = (one.search("green tea", agenda=False, noted=False) for one in (memory, open_memory()))
    assert result.degradations == (f"rerank: {why}",)
    assert contents(result) == contents(plain)
    assert [hit.signals for hit in result] == [hit.signals for hit in plain]
    assert result.strategy == plain.strategy


def test_a_reranker_that_fails_is_named_once_however_often_an_agenda_searches(open_memory):
    memory = open_memory(reranker=FakeReranker(error=ProviderUnavailable("no answer within 5 s")))
    memory.add(APOLLO)
    result = memory.search(HOPS, agenda=True, k=23)
    assert result.strategy.endswith("+agenda")
    assert result.degradations == ("rerank: no answer within 5 s",)


# Language models

EXPANDED = {"lexical": ["pot"], "semantic": ["what vessel boils water?"], "hypothetical": "The pot is red."}


def test_a_model_finds_with_other_words(open_memory):
    model = ScriptedModel({"expand": EXPANDED})
    memory = open_memory(embedder=None, model=model)
    memory.add(["a red pot stands in the hall", "the tea is green", "the cat is old"])
    question = "where does one boil water for it?"
    result = memory.search(question, profile="enhanced", agenda=False, min_relevance=0)
    assert result.strategy.endswith("+expand")
    assert result.degradations == ()
    assert contents(result)[0] == "a red pot stands in the hall"
    assert all(adds_up(hit) for hit in result)
    assert [prompt.task for prompt in model.prompts] == ["expand"]


def test_a_model_and_a_reranker_work_together(open_memory):
    reranker = FakeReranker({"the cat is old": 9.0})
    memory = open_memory(embedder=None, model=ScriptedModel({"expand": EXPANDED}), reranker=reranker)
    memory.add(["a red pot stands in the hall", "the pot is old", "the cat is old"])
    result = memory.search("where is the old one?", profile="enhanced", agenda=False, min_relevance=0)
    assert result.strategy.endswith("+expand+rerank")
    signals = {hit.item.content: hit.signals for hit in result}
    assert signals["the cat is old"]["rerank"] > 0
    assert all(adds_up(hit) for hit in result)


@pytest.mark.parametrize(
    "said",
    [
        ProviderUnavailable("no answer within 5 s"),
        InvalidAnswer("no JSON"),
        "this is no JSON",
        {"lexical": "pot"},
        {},
    ],
    ids=repr,
)
def test_a_model_that_fails_leaves_classic_and_is_named(open_memory, said):
    memory = open_memory(model=ScriptedModel({"expand": said}))
    memory.add(["the kettle is blue", "the tea is green"])
    question = "the colour of any kettle that somebody owns"
    result = memory.search(question, profile="enhanced", agenda=False, min_relevance=0)
    (degradation,) = result.degradations
    assert degradation.startswith("enhanced: ")
    assert degradation.endswith("; ranked by classic")
    assert contents(result) == ["the kettle is blue"]
    assert "expand" not in result.strategy
    plain = memory.search(question, profile="classic", agenda=False, min_relevance=0)
    assert [hit.score for hit in result] == [hit.score for hit in plain]


def test_a_model_is_not_asked_by_the_profiles_that_need_none(open_memory):
    model = ScriptedModel()
    memory = open_memory(model=model)
    memory.add(["the kettle is blue", "the tea is green"])
    for profile in set(PROFILES) - {"enhanced"}:
        memory.search("where is the kettle?", profile=profile, agenda=False)
    assert model.prompts == []


def test_an_agenda_whose_model_fails_words_its_queries_itself_and_says_so(open_memory):
    model = ScriptedModel({"bridge": ProviderUnavailable("no answer within 5 s")})
    memory = open_memory(model=model)
    memory.add(APOLLO)
    result = memory.search(HOPS, agenda=True, k=23)
    assert result.strategy.endswith("+agenda")
    if model.prompts:
        assert any("no answer within 5 s" in said for said in result.degradations)
    without = open_memory().search(HOPS, agenda=True, k=23)
    assert contents(result) == contents(without)


# The same again

SEARCHES = """
import json, sys
from simonides import Memory
from simonides.recall.ranking.profiles import PROFILES
from simonides.testing import FrozenClock
found = []
with Memory(sys.argv[1], clock=FrozenClock("2026-04-20T09:00:00Z"), read_only=True) as memory:
    for question, at in json.loads(sys.argv[2]):
        found.append(memory.search(question, at=at, agenda=True).to_dict())
        found.append(memory.search(question, at=at, agenda=False, k=70, min_relevance=0).to_dict())
        for profile in PROFILES:
            found.append(memory.search(question, at=at, profile=profile).to_dict())
        found.append(memory.context(question, at=at).text)
    for fields in ({"as_of": "2026-04-20T09:00:00Z"}, {"types": ["note", "episode"]}, {"k": 100, "tags": ["a"]}):
        found.append(memory.search("what did U1 say of the garden gate?", **fields).to_dict())
sys.stdout.write(json.dumps(found, ensure_ascii=False, allow_nan=False))
"""


def test_two_processes_give_the_same_searches_byte_for_byte(path):
    sample = load_sample()
    with Memory(path, clock=FrozenClock("2026-04-20T09:00:00Z"), settings=Settings()) as memory:
        for session in sample.sessions:
            memory.add([turn.to_message() for turn in session.turns], session_id=session.id)
        memory.add(APOLLO)
        memory.add([f"the garden gate {n} of U{n % 3}" for n in range(9)], tags=["a", "b"])
        ids = [item.id for item in memory.list(scope=ALL, limit=20)]
        for one, two in pairwise(ids):
            memory.link(one, two, "similar")
    questions = [(question.text, question.at) for question in sample.questions[::60]]
    questions += [
        (HOPS, None),
        ("what happened last week? Also, who leads Apollo?", None),
        ("配置在哪里?", None),
    ]
    answers = {
        subprocess.run(
            [sys.executable, "-c", SEARCHES, str(path), json.dumps(questions)],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    }
    (answer,) = answers
    found = json.loads(answer)
    assert len(found) == len(questions) * 10 + 3
    assert found[-1]["hits"]
    assert "agenda" in found[0]["strategy"]


@given(
    st.lists(
        st.one_of(
            st.floats(-30, 30),
            st.integers(-60_000_000, 60_000_000).map(lambda n: n / 2e6),
            st.floats(-1e300, 1e300, allow_subnormal=True),
        )
    )
)
def test_what_a_hit_shows_is_rounded_as_python_rounds(values):
    """Between two decimals, too, where a product with a power of ten may fall to the other side."""
    shown = _rounded(np.array(values)).tolist()
    assert list(map(repr, shown)) == [repr(round(value, 6)) for value in values]


class Counting(FakeEmbedder):
    """Notes each text that it embeds."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def embed(self, texts):
        """Embed texts."""
        self.asked += texts
        return super().embed(texts)


def test_a_question_is_embedded_once_however_its_intent_is_told(open_memory):
    embedder = Counting()
    memory = open_memory(embedder=embedder)
    memory.add(["the kettle is of copper", "Anna has a blue bicycle"])
    for question in ("kettle, of copper or tin", "when did Anna get the bicycle?"):
        memory.search(question)
        assert embedder.asked.count(question) == 1


@pytest.mark.parametrize("bound", [-0.1, 1.1, 80, -1])
def test_a_bound_that_is_no_share_is_refused_and_hides_nothing_in_silence(open_memory, bound):
    memory = open_memory()
    memory.add("the kettle is blue")
    for ask in (memory.search, memory.context):
        with pytest.raises(InvalidInput, match=r"min_relevance lies in \[0, 1\]"):
            ask("kettle", min_relevance=bound)
