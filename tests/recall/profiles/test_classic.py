"""The profile `classic`: text · importance · retention, by hand; its keywords and projects."""

import math

import pytest

from simonides.config import Settings, StoreSettings
from simonides.domain.instant import DAY_US
from simonides.domain.scope import ALL
from simonides.domain.taxonomy import TAXONOMY
from simonides.recall.ranking.profiles import ProfileSettings
from simonides.recall.ranking.profiles.classic import Classic, keywords, projects_named
from simonides.recall.settings import RecallSettings


def test_a_score_is_the_match_times_importance_times_retention(ranking):
    now = ranking.NOW
    table = ranking.candidates(
        ranking.sketch(1, type="decision", importance=0.8, created_at=now - 30 * DAY_US),
        ranking.sketch(2, type="event", importance=0.5, created_at=now - 30 * DAY_US),
        ranking.sketch(
            3, type="temp", importance=0.2, created_at=now - 90 * DAY_US, last_used_at=now - 7 * DAY_US
        ),
        ranking.sketch(4, type="identity", importance=1.0, created_at=now - 900 * DAY_US),
        bm25=[4, 8, 8, 2],
        coverage=[0.5, 0.75, 0.75, 0.1],
    )
    found = Classic().rank(table, TAXONOMY)
    # Best BM25 8, of a text that holds three quarters of the question.
    decision = (4 / 8 * 0.75) * 0.8 * (0.3 + 0.7 * math.exp(-0.004 * 30))  # .375 · .8 · .92084 = .27625
    event = (8 / 8 * 0.75) * 0.5 * (0.1 + 0.9 * math.exp(-0.023 * 30))  # .75 · .5 · .55142 = .20678
    temp = (8 / 8 * 0.75) * 0.2 * math.exp(-0.099 * 7)  # .75 · .2 · .50007, 7 days since its last use
    identity = (2 / 8 * 0.75) * 1.0 * 1.0  # .1875: it is never forgotten
    assert found.score == pytest.approx([decision, event, temp, identity])
    assert found.score == pytest.approx([0.27625, 0.20678, 0.07501, 0.1875], abs=1e-5)
    assert ranking.best(found) == [1, 2, 4, 3]
    assert found.relevance.tolist() == [0.5, 0.75, 0.75, 0.1]


@pytest.mark.parametrize(
    ("type_", "days", "kept"),
    [("decision", 30, 0.921), ("decision", 180, 0.641), ("event", 30, 0.551), ("temp", 7, 0.5)],
)
def test_retention_is_that_of_the_type(type_, days, kept, ranking):
    one = ranking.sketch(type=type_, importance=1.0, created_at=ranking.NOW - days * DAY_US)
    found = Classic().rank(ranking.candidates(one, bm25=[1]), TAXONOMY)
    assert found.factor == pytest.approx([kept], abs=5e-4)


def test_a_clock_set_back_makes_nothing_younger_than_new(ranking):
    late = ranking.sketch(type="temp", importance=1.0, created_at=ranking.NOW + 9 * DAY_US)
    assert Classic().rank(ranking.candidates(late, bm25=[1]), TAXONOMY).score == pytest.approx([1.0])


def test_an_item_used_at_the_first_instant_of_all_counts_from_there(ranking):
    old = ranking.sketch(type="temp", importance=1.0, created_at=DAY_US, last_used_at=0)
    found = Classic().rank(ranking.candidates(old, bm25=[1], now=7 * DAY_US), TAXONOMY)
    assert found.score == pytest.approx([math.exp(-0.099 * 7)])


def test_importance_without_a_word_of_the_question_finds_nothing(ranking):
    table = ranking.candidates(
        ranking.sketch(1, type="identity", importance=1.0), ranking.sketch(2, importance=0.1), bm25=[0, 1]
    )
    assert ranking.best(Classic().rank(table, TAXONOMY)) == [2]


def test_only_the_five_best_are_kept_the_newest_of_equals_first(ranking):
    table = ranking.candidates(*[ranking.sketch(key) for key in range(1, 9)], bm25=[1, 1, 1, 2, 1, 1, 1, 1])
    assert ranking.best(Classic().rank(table, TAXONOMY)) == [4, 8, 7, 6, 5]
    assert ranking.best(Classic(most=2).rank(table, TAXONOMY)) == [4, 8]


def test_vectors_do_not_count(ranking):
    table = ranking.candidates(ranking.sketch(1), ranking.sketch(2), bm25=[0, 1], cosine=[1, 0])
    assert ranking.best(Classic().rank(table, TAXONOMY)) == [2]


# Keywords


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("When did we move the retryCount to 5?", ("move", "retryCount")),
        ("上次的配置是什么？", ("上次的配置是什么",)),
        ("配 config 配置 的", ("config", "配置")),
        ("See https://example.org/release, then the README.", ("See", "README")),
        ("Tea, tea and TEA", ("Tea",)),
        ("Когда сломалась сборка?", ("сломалась", "сборка")),
        ("go on", ()),
        ("", ()),
    ],
)
def test_keywords_are_words_of_three_letters_and_runs_of_two_characters(question, found):
    assert keywords(question) == found


def test_at_most_eight_keywords_are_kept_the_longest_in_their_order():
    question = "red green blue yellow purple orange magenta cyan black white"
    assert keywords(question) == ("green", "blue", "yellow", "purple", "orange", "magenta", "black", "white")
    assert keywords(question, 2) == ("yellow", "magenta")


# Projects


KNOWN = ("apollo", "marrow-hill", "all", "IT", "天文台", "Élan")


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("What did we decide for Apollo?", {"apollo"}),
        ("Marrow Hill and marrow_hill: which one?", {"marrow-hill"}),
        ("Call the apollonian choir", set()),
        ("Is it all there?", set()),
        ("天文台的配置在哪里", {"天文台"}),
        ("our ÉLAN and apollo", {"Élan", "apollo"}),
        ("E\u0301lan", {"Élan"}),
        ("", set()),
    ],
)
def test_a_message_names_known_projects_as_whole_words(message, named):
    assert projects_named(message, KNOWN) == named


def test_a_name_without_letters_names_nothing():
    assert projects_named("-- what? --", ["--", "", " "]) == frozenset()


# In a search


def found(memory, question, **fields):
    result = memory.search(question, profile="classic", min_relevance=0, **fields)
    return {hit.item.content for hit in result}


def test_a_search_looks_for_the_longest_words_only(open_memory):
    recall = RecallSettings(profiles=ProfileSettings(classic=Classic(words=1)))
    memory = open_memory(settings=Settings(store=StoreSettings(synchronous="NORMAL"), recall=recall))
    memory.add(["the kettle is blue", "the telescope is green"])
    assert found(memory, "kettle or telescope?") == {"the telescope is green"}
    assert found(memory, "a kettle?") == {"the kettle is blue"}


def test_a_search_looks_for_no_words_of_two_letters_unless_there_are_no_others(memory):
    memory.add(["the TV is on", "the kettle is blue", "水 is water"])
    assert found(memory, "TV and kettle") == {"the kettle is blue"}
    assert found(memory, "TV") == {"the TV is on"}


def test_a_run_of_characters_is_cut_into_pairs(memory):
    memory.add(["我们把水壶放在厨房里", "the kettle is blue"])
    assert found(memory, "水壶在哪里?") == {"我们把水壶放在厨房里"}


@pytest.fixture
def projects(memory):
    """The same told in every scope."""
    for scope in ("global", "user:ana", "project:apollo", "project:zephyr", "user:ana/project:apollo"):
        memory.add(f"the kettle of {scope.replace(':', ' ').replace('/', ' ')}", scope=scope)
    return memory


def test_a_search_is_narrowed_to_the_project_that_the_message_names_and_global(projects):
    assert len(found(projects, "where is the kettle?", scope=ALL)) == 5
    of_apollo = {
        "the kettle of global",
        "the kettle of project apollo",
        "the kettle of user ana project apollo",
    }
    assert found(projects, "where is the kettle, in Apollo?", scope=ALL) == of_apollo
    assert found(projects, "where is Apollo's kettle?", scope="user:ana/project:apollo") == of_apollo


def test_a_project_out_of_sight_is_not_known(projects):
    """Nor does naming it show anything of it."""
    seen = {"the kettle of global", "the kettle of user ana"}
    assert found(projects, "where is the kettle of apollo?", scope="user:ana") == seen
    assert found(projects, "where is the kettle of apollo?") == {"the kettle of global"}


def test_other_profiles_search_all_that_is_in_sight(projects):
    result = projects.search("where is the kettle, in Apollo?", scope=ALL, profile="hebbian", min_relevance=0)
    assert len(result) == 5
