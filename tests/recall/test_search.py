"""Results of a search, by where one looks from, and what it says about itself."""

from functools import partial

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.config import Settings
from simonides.domain.scope import ALL
from simonides.errors import InvalidInput, InvalidText, ProviderUnavailable
from simonides.recall.ranking.profiles import PROFILES
from simonides.recall.settings import RecallSettings
from simonides.testing import FakeEmbedder, FrozenClock


def found(memory, query, **fields):
    return [hit.item.content for hit in memory.search(query, **fields)]


# Filters come before limits


CROWDS = {
    "scope": ({"scope": "user:bo"}, {"scope": "user:ana"}, {"scope": "user:ana"}),
    "type": ({"type": "note"}, {"type": "decision"}, {"types": ["decision"]}),
    "kind": ({"type": "note"}, {"type": "procedure"}, {"kinds": ["procedural"]}),
    "tier": ({}, {"tier": "mtm"}, {"tiers": ["mtm"]}),
    "tag": ({"tags": ["hall"]}, {"tags": ["kitchen", "tea"]}, {"tags": ["Tea", "kitchen"]}),
    "entity": ({"entities": ["Bo"]}, {"entities": ["Ana"]}, {"entity": "ana"}),
    "after": ({"event_at": "2025-01-01"}, {"event_at": "2025-06-01"}, {"after": "2025-03-01"}),
    "before": ({"event_at": "2025-06-01"}, {"event_at": "2025-01-01"}, {"before": "2025-03-01"}),
    "valid_at": ({"valid_from": "2025-06-01"}, {"valid_from": "2025-01-01"}, {"valid_at": "2025-03-01"}),
    "session": ({"session_id": "s2"}, {"session_id": "s1"}, {"session_id": "s1"}),
    "corpus": ({"corpus_id": "c2"}, {"corpus_id": "c1"}, {"corpus_id": "c1"}),
    "pinned": ({}, {"pinned": True}, {"pinned": True}),
    "expiry": ({"expires_at": "2026-02-01"}, {"expires_at": "2026-04-01"}, {}),
}


@pytest.mark.parametrize("name", CROWDS)
def test_what_passes_a_filter_is_not_crowded_out_by_what_does_not(memory, name):
    others, wanted, filters = CROWDS[name]
    memory.add([f"blue kettle blue kettle {n}" for n in range(150)], **others)
    # It matches worse than any of the others, in both channels.
    memory.add("somebody somewhere said something of a kettle that was standing about", **wanted)
    for k in (1, 10):
        result = memory.search("blue kettle", k=k, min_relevance=0, **filters)
        assert [hit.item.content[:8] for hit in result] == ["somebody"]
    assert len(memory.list(**filters)) == 1


def test_archived_items_crowd_nothing_out(memory, add):
    for number in range(100):
        memory.forget(add(f"blue kettle blue kettle {number}"))
    memory.add("somebody somewhere said something of a kettle that was standing about")
    assert len(memory.search("blue kettle", min_relevance=0)) == 1
    assert len(memory.search("blue kettle", min_relevance=0, archived=True, k=200)) == 101


# Scopes


PLACES = ["global", "user:ana", "user:bo", "project:apollo", "user:ana/project:apollo", "user:ana/agent:bot"]
SEES = {
    "global": {"global"},
    "user:ana": {"global", "user:ana"},
    "project:apollo": {"global", "project:apollo"},
    "user:ana/project:apollo": {"global", "user:ana", "project:apollo", "user:ana/project:apollo"},
    "project:apollo/user:ana": {"global", "user:ana", "project:apollo", "user:ana/project:apollo"},
    "user:ana/project:gemini": {"global", "user:ana"},
    "user:ana/project:apollo/agent:bot": set(PLACES) - {"user:bo"},
    "user:nobody": {"global"},
}


@pytest.mark.parametrize("scope", SEES)
def test_from_a_scope_one_sees_what_its_parts_hold(memory, scope):
    for place in PLACES:
        memory.add(f"kettle of {place}", scope=place)
    expected = {f"kettle of {place}" for place in SEES[scope]}
    assert set(found(memory, "kettle", scope=scope)) == expected
    assert {item.content for item in memory.list(scope=scope)} == expected
    assert {item.content for item in memory.timeline(scope=scope)} == expected
    assert {hit.item.content for hit in memory.search("kettle", scope=scope, as_of="2027-01-01")} == expected


def test_everything_is_seen_only_when_that_is_said(memory):
    for place in PLACES:
        memory.add(f"kettle of {place}", scope=place)
    assert len(found(memory, "kettle", scope=ALL)) == len(PLACES)
    assert found(memory, "kettle") == ["kettle of global"]
    assert memory.context("kettle").items[0].content == "kettle of global"
    assert len(memory.context("kettle").items) == 1


# Filters


@pytest.fixture
def kitchen(memory):
    memory.add("the kettle is blue", type="fact", tags=["Kitchen", "Чай"], entities=["Ana Lovelace"])
    memory.add("fill the kettle first", type="procedure", tags=["kitchen"], entities=["Анна"], tier="mtm")
    memory.add("a kettle for every guest", type="preference", tags=["STRASSE"], entities=["Bo"])
    memory.add("descale the kettle", type="todo", event_at="2026-01-15", session_id="s1")
    return memory


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({}, 4),
        ({"tags": ["kitchen"]}, 2),
        ({"tags": ["KITCHEN"]}, 2),
        ({"tags": ["чай"]}, 1),
        ({"tags": ["ЧАЙ", " kitchen "]}, 1),
        ({"tags": ["kitchen", "nothing"]}, 0),
        ({"tags": ["kitch"]}, 0),
        ({"tags": ["straße"]}, 1),
        ({"tags": []}, 4),
        ({"tags": None}, 4),
        ({"tags": ("kitchen",)}, 2),
        ({"entity": "ana lovelace"}, 1),
        ({"entity": " ANA LOVELACE "}, 1),
        ({"entity": "ana"}, 0),
        ({"entity": "АННА"}, 1),
        ({"types": ["fact", "todo"]}, 2),
        ({"types": ["How-To"]}, 1),
        ({"types": ["opinion"]}, 1),
        ({"kinds": ["semantic"]}, 2),
        ({"kinds": ["procedural", "opinion"]}, 2),
        ({"kinds": ["semantic"], "types": ["fact", "preference"]}, 1),
        ({"kinds": ["episodic"], "types": ["fact"]}, 0),
        ({"tiers": ["mtm"]}, 1),
        ({"tiers": ["stm", "MTM"]}, 4),
        ({"tiers": ["ltm"]}, 0),
        ({"session_id": "s1"}, 1),
        ({"run_id": "s1"}, 1),
        ({"session_id": "s"}, 0),
        ({"corpus_id": "c"}, 0),
        ({"pinned": False}, 4),
        ({"pinned": True}, 0),
        ({"before": "2026-02-01"}, 1),
        ({"after": "2026-02-01"}, 3),
        ({"after": "2026-01-15", "before": "2026-01-15T00:00:00.000001Z"}, 1),
        ({"before": "2026-01-15"}, 0),
        ({"after": "2027-01-01"}, 0),
    ],
    ids=repr,
)
def test_a_filter_keeps_what_it_names(kitchen, filters, count):
    assert len(kitchen.search("kettle", min_relevance=0, **filters)) == count
    assert len(kitchen.list(**filters)) == count
    assert len(kitchen.timeline(**filters)) == count


BAD_FILTERS = [
    {"tag": ["kitchen"]}, {"type": "fact"}, {"status": "quarantined"}, {"tenant": "x"}, {"injectable": True},
    {"tags": "kitchen"}, {"tags": [""]}, {"tags": 5}, {"types": ["gossip"]}, {"types": "fact"}, {"kinds": ["rare"]},
    {"tiers": ["top"]}, {"entity": ""}, {"entity": 5}, {"entity": ["Ana"]}, {"session_id": 5}, {"corpus_id": []},
    {"pinned": "yes"}, {"archived": "yes"}, {"archived": 1}, {"after": "soonish"}, {"before": 5}, {"valid_at": "x"},
]  # fmt: skip


@pytest.mark.parametrize("filters", BAD_FILTERS, ids=repr)
def test_a_filter_that_is_unknown_or_cannot_be_read_is_an_error(kitchen, filters):
    for read in (
        partial(kitchen.search, "kettle"),
        partial(kitchen.context, "kettle"),
        kitchen.list,
        kitchen.timeline,
    ):
        with pytest.raises(InvalidInput):
            read(**filters)


@pytest.mark.parametrize(
    "fields",
    [
        {"k": 0}, {"k": -1}, {"k": 1001}, {"k": 2.5}, {"k": "5"}, {"k": True}, {"k": None}, {"profile": "magic"},
        {"profile": 5}, {"profile": ""},
        {"at": "x"}, {"as_of": "x"}, {"min_relevance": "x"}, {"min_relevance": float("nan")}, {"min_relevance": True},
        {"agenda": "yes"}, {"agenda": 1}, {"limit": 5},
    ],
    ids=repr,
)  # fmt: skip
def test_a_keyword_of_search_that_cannot_be_used_is_an_error(kitchen, fields):
    with pytest.raises(InvalidInput):
        kitchen.search("kettle", **fields)


def test_at_most_so_many_hits_come_back_as_are_asked_for(memory):
    memory.add([f"kettle number {number}" for number in range(200)])
    for k in (1, 7, 100, 150, 1000):
        assert len(memory.search("kettle", k=k)) == min(k, 200)
    # Up to the width of a channel the candidates are the same, however many hits are wanted.
    best = [hit.item.id for hit in memory.search("kettle", k=60)]
    for k in (1, 10, 50):
        assert [hit.item.id for hit in memory.search("kettle", k=k)] == best[:k]


# Times


def test_expired_items_come_back_only_when_asked_for(memory, add, clock):
    item_id = add("the kettle is lent out", expires_at="2026-03-02T12:00:00Z")
    clock.advance(hours=24, seconds=-1)
    assert len(memory.search("kettle")) == len(memory.list()) == 1
    clock.advance(seconds=1)
    assert len(memory.search("kettle", min_relevance=0)) == len(memory.list()) == 0
    assert memory.context("kettle").text == ""
    assert [hit.item.id for hit in memory.search("kettle", archived=True)] == [item_id]


def test_valid_at_asks_what_was_true_then(memory, add, clock):
    first = add("Ana works at Acme", valid_from="2020-01-01", valid_until="2024-01-01")
    second = add("Ana works at Globex", valid_from="2024-01-01")
    assert [hit.item.id for hit in memory.search("Ana works", valid_at="2022-06-01")] == [first]
    assert [hit.item.id for hit in memory.search("Ana works", valid_at="2023-12-31T23:59:59Z")] == [first]
    assert [hit.item.id for hit in memory.search("Ana works", valid_at="2024-01-01")] == [second]
    assert memory.search("Ana works", valid_at="2019-01-01").hits == ()


def test_what_was_corrected_since_was_true_then_and_what_was_forgotten_is_not_told(memory, add, clock):
    old = add("we ship on Fridays")
    memory.forget(add("we ship on Sundays"))
    clock.advance(days=2)
    new = memory.correct(old, "we ship on Mondays").item_id
    clock.advance(days=2)
    assert [hit.item.id for hit in memory.search("ship", valid_at="2026-03-02")] == [old]
    assert [hit.item.id for hit in memory.search("ship", valid_at="2026-03-04")] == [new]
    assert [hit.item.id for hit in memory.search("ship")] == [new]


def test_as_of_answers_with_the_texts_of_then(memory, add, clock):
    item_id = add("we ship on Fridays", tags=["release"])
    clock.advance(days=1)
    memory.update(item_id, content="we ship on Mondays", tags=["plan"])
    later = add("we ship from Graz")
    clock.advance(days=1)
    then = "2026-03-01T13:00:00Z"
    assert found(memory, "where and when do we ship?", as_of=then) == ["we ship on Fridays"]
    assert found(memory, "ship", as_of=then, tags=["release"]) == ["we ship on Fridays"]
    assert found(memory, "ship", as_of=then, tags=["plan"]) == []
    assert found(memory, "Mondays", as_of=then, min_relevance=0.5) == []
    assert set(found(memory, "ship")) == {"we ship on Mondays", "we ship from Graz"}
    assert found(memory, "ship", as_of="2026-02-01") == []
    assert memory.get(later).usage_count == 1
    assert memory.get(item_id).usage_count == 1


def test_what_has_expired_since_was_known_then(memory, add, clock):
    add("the kettle is lent out", expires_at="2026-03-02")
    clock.advance(days=30)
    assert found(memory, "kettle", as_of="2026-03-01T13:00:00Z") == ["the kettle is lent out"]
    assert found(memory, "kettle", as_of="2026-03-03") == []


def test_what_waited_then_and_was_approved_since_was_not_known_then(memory, clock):
    (verdict,) = memory.propose([{"content": "the kettle is blue"}])
    clock.advance(days=1)
    memory.review.approve(verdict.item_id)
    clock.advance(days=1)
    assert found(memory, "kettle", as_of="2026-03-01T13:00:00Z") == []
    assert found(memory, "kettle", as_of="2026-03-02T13:00:00Z") == ["the kettle is blue"]


# Words in every script


TEXTS = [
    "我们把配置文件放在服务器上",
    "每周五发布新版本",
    "ключ от дачи лежит под ковриком",
    "retryCount is read by parseHTTPHeader in http_client.py",
    "the SIMONIDES_DB variable names the file",
    "l'hôtel de Zoë est à Orléans",
    "the kettle-drum is loud",
    "server 192.168.0.17 hosts v2.3.1",
    "東京タワーは高い",
    "프로젝트 일정은 금요일까지",
]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("配置", 0), ("服务器", 0), ("发布", 1), ("每周五什么时候发布?", 1), ("ключ", 2),
        ("где КЛЮЧ от дачи", 2), ("коврик", 2),
        ("retry", 3), ("count", 3), ("retryCount", 3), ("parse HTTP header", 3), ("http_client", 3), ("client", 3),
        ("SIMONIDES_DB", 4), ("simonides", 4), ("hotel", 5), ("HÔTEL", 5), ("zoe", 5), ("orleans", 5),
        ("kettle drum", 6), ("kettle-drum", 6), ("192.168.0.17", 7), ("v2.3.1", 7), ("東京", 8), ("タワー", 8),
        ("일정", 9),
    ],
)  # fmt: skip
def test_words_are_found_in_every_script(open_memory, query, number):
    memory = open_memory(embedder=None)  # The vectors of the others are of no meaning.
    memory.add(TEXTS)
    result = memory.search(query)
    hits = [hit.item.content for hit in result if "lex" in hit.matches]
    assert hits[:1] == ([] if number is None else [TEXTS[number]])
    if number is not None:
        assert result.hits[0].item.content == TEXTS[number]


@pytest.mark.parametrize(
    "query", ["the", "what is it to you?", "and or not", "的", "и в на", "je ne suis pas", "who", "it", "I"]
)
def test_only_stop_words_are_a_question_too(memory, query):
    memory.add(["the kettle is blue", "что и в на", "的"])
    result = memory.search(query)
    assert result.degradations == ()
    assert memory.search(query, min_relevance=0).hits is not None


@pytest.mark.parametrize("query", ["?", "!!!", "...", "()", "\"'`", "—", "👍", "\0", "\t\n.", "%_\\"])
def test_only_punctuation_finds_nothing_and_is_no_error(memory, query):
    memory.add(["the kettle is blue", "100%_of it\\"])
    if query.strip("\0 "):
        assert memory.search(query).degradations == ()
    else:
        with pytest.raises(InvalidText):
            memory.search(query)


@pytest.mark.parametrize(
    "query",
    [
        'kettle" OR "x', "kettle AND NOT blue", "NEAR(kettle blue, 2)", "kettle*", "content:kettle", "^kettle",
        "(kettle",
        "kettle {x}", "kettle -blue", "+kettle", "kettle; DROP TABLE memory_items", "a' OR 1=1 --", "kettle:::", '"""',
    ],
)  # fmt: skip
def test_operators_of_the_text_index_are_words_like_others(memory, query):
    memory.add(["the kettle is blue", "the tea is green"])
    result = memory.search(query, min_relevance=0)
    assert result.degradations == ()
    if "kettle" in query:
        assert result.hits[0].item.content == "the kettle is blue"


@pytest.mark.parametrize(
    "query", ["", " ", "\n\t", "\0", "\ud800", "kettle \udfff", None, 5, ["kettle"], b"kettle"]
)
def test_a_question_that_is_no_text_is_an_error(memory, query):
    with pytest.raises(InvalidText):
        memory.search(query)


@pytest.mark.parametrize("query", ["", "\0", " \0 "])
def test_an_empty_question_is_told_what_to_ask_not_what_to_store(memory, query):
    with pytest.raises(InvalidText, match=r"^the query is empty; give a word at least$"):
        memory.search(query)


@pytest.mark.parametrize("filler", ["word ", "kettles and pans ", "配置文件", "https://example.org/a?b=c "])
def test_a_question_of_a_hundred_kilobytes_is_answered(memory, filler):
    memory.add(["the kettle is blue", "我们把配置文件放在服务器上"])
    query = ("the blue kettle " + filler * 100_000)[:100_000]
    result = memory.search(query, min_relevance=0)
    assert result.degradations == ()
    assert result.hits[0].item.content in {"the kettle is blue", "我们把配置文件放在服务器上"}


@settings(max_examples=60)
@given(
    query=st.text(
        alphabet=st.one_of(
            st.sampled_from("\"'*()^:-+{}[]\\%_ \n"),
            st.characters(exclude_categories=["Cs"]),
            st.sampled_from("kettle配"),
        ),
        min_size=1,
        max_size=60,
    ).filter(lambda text: text.replace("\0", " ").strip())
)  # fmt: skip
def test_no_question_is_an_error(memory, query):
    memory.add("the kettle is blue 配置")
    assert memory.search(query).degradations == ()


# What it says about itself


def test_a_hit_carries_its_signals_and_they_add_up(memory):
    memory.add([f"kettle number {number}" + " and more" * (number % 5) for number in range(20)])
    memory.add([{"role": "user", "content": f"turn {n} about a kettle"} for n in range(5)], session_id="s")
    result = memory.search("kettle number 7", k=20)
    assert result.strategy == "text+vectors"
    assert [hit.score for hit in result] == sorted((hit.score for hit in result), reverse=True)
    for hit in result:
        assert hit.score == pytest.approx(sum(hit.signals.values()), abs=1e-4)
        assert abs(hit.signals["prior"]) <= RecallSettings().prior_span
        assert all(0 < value <= 1 for value in hit.matches.values())
        seen = {"coverage": 0.0, "vec": 0.0} | hit.matches
        assert hit.relevance == pytest.approx(0.6 * seen["coverage"] + 0.4 * seen["vec"], abs=1e-5)


def test_whatever_profile_ranks_the_parts_of_a_score_add_up(memory):
    memory.add([f"kettle number {number}" + " and more" * (number % 5) for number in range(20)])
    memory.add([{"role": "user", "content": f"turn {n} about a kettle"} for n in range(5)], session_id="s")
    for profile in PROFILES:
        result = memory.search("kettle number 17", k=20, profile=profile)
        assert len(result) >= (1 if profile == "strict" else 5)  # One holds all the words.
        for hit in result:
            parts = sum(value for name, value in hit.signals.items() if name != "factor")
            assert hit.score == pytest.approx(parts * hit.signals.get("factor", 1.0), abs=1e-4)


def test_what_an_agenda_put_in_says_so_and_its_parts_add_up_too(memory):
    memory.add(
        [
            {"content": "Lena leads Apollo.", "entities": ["Lena", "Apollo"]},
            {"content": "Ana is the manager of Lena.", "entities": ["Ana", "Lena"]},
            {"content": "Ana lives in Riga.", "entities": ["Ana", "Riga"]},
        ]
        + [{"content": f"The city needs note {n} about who leads what."} for n in range(20)]
    )
    question = "Which city does the manager of the person who leads Apollo live in?"
    assert "agenda" not in memory.search(question, k=3, agenda=False).strategy
    result = memory.search(question, k=20, agenda=True, min_relevance=0)
    assert result.strategy.endswith("+agenda")
    assert "Ana lives in Riga." in [hit.item.content for hit in result]
    assert "start" in str(result.trace)
    assert [hit.score for hit in result] == sorted((hit.score for hit in result), reverse=True)
    for hit in result:
        assert hit.score == pytest.approx(sum(hit.signals.values()), abs=1e-4)


def test_an_agenda_keeps_to_the_bound_of_relevance_and_says_nothing_twice(memory):
    memory.add("the manager of Apollo is Ana", entities=["Ana", "Apollo"])
    for place in ("user:bo", "project:x"):
        memory.add("Ana lives in Riga", scope=place, entities=["Ana", "Riga"])
    memory.add([f"who lives where, note {n}" for n in range(20)])
    question = "Where does the manager of Apollo live?"
    told = [
        hit.item.content for hit in memory.search(question, scope=ALL, k=30, agenda=True, min_relevance=0)
    ]
    assert "Ana lives in Riga" in told
    assert len(told) == len(set(told))
    strict = memory.search(question, scope=ALL, k=30, agenda=True, min_relevance=0.5)
    assert [hit.item.content for hit in strict] == ["the manager of Apollo is Ana"]


def test_what_is_irrelevant_is_hidden_and_counted(memory):
    memory.add(["the kettle is blue", "the tea is green", "the cat is old"])
    result = memory.search("blue kettle", min_relevance=0.5)
    assert [hit.item.content for hit in result] == ["the kettle is blue"]
    assert not result.abstained
    everything = memory.search("blue kettle", min_relevance=0)
    assert (everything.hidden, len(everything)) == (0, len(result) + result.hidden)


def test_a_search_abstains_where_nothing_answers(open_memory):
    memory = open_memory(embedder=None)
    memory.add(["the kettle is blue", "the tea is green", "the cat is old"])
    result = memory.search("who won the chess championship of 1972?")
    assert (result.abstained, result.hidden) == (True, 0)
    assert len(result) > 0  # What is nearest, and that it is no more than that.
    answered = memory.search("what colour is the kettle?", min_relevance=0)
    assert not answered.abstained
    assert result.confidence < answered.confidence / 3


def test_how_many_hits_are_wanted_hides_none_of_the_others(memory):
    memory.add([f"the kettle number {number} is blue" for number in range(30)])
    for k in (1, 5, 30):
        result = memory.search("blue kettle", k=k)
        assert (len(result), result.hidden) == (k, 0)


def test_what_holds_every_word_of_a_short_question_answers_it(open_memory):
    memory = open_memory(embedder=None)
    memory.add([*TEXTS, "the kettle is blue"])
    for word, text in (("count", TEXTS[3]), ("simonides", TEXTS[4]), ("blue", "the kettle is blue")):
        result = memory.search(word)
        assert not result.abstained
        assert result.hits[0].item.content == text
        assert text in memory.context(word).text


def test_an_empty_memory_abstains(memory):
    result = memory.search("kettle")
    assert (result.hits, result.abstained, result.hidden, result.strategy) == ((), True, 0, "none")


def test_the_bounds_of_relevance_can_be_set(open_memory):
    strict = open_memory(settings=Settings(recall=RecallSettings(min_relevance=0.9)))
    strict.add("the kettle is blue and old and stands in the hall")
    assert strict.search("blue kettle somewhere").hits == ()
    assert len(strict.search("blue kettle somewhere", min_relevance=0)) == 1


def test_the_bundled_embedder_finds_what_shares_no_word(open_memory):
    memory = open_memory(embedder=None)
    memory.add(["my dog is ill", "the train leaves at noon", "we painted the fence"])
    result = memory.search("sick puppy", min_relevance=0)
    assert result.hits[0].item.content == "my dog is ill"


def test_a_clearly_better_match_is_not_buried_by_what_speaks_for_another(memory, add):
    better = add("the code of the garden gate is on the note in the hall", type="debug", importance=0.0)
    worse = add("the garden is large", type="decision", importance=1.0)
    memory.confirm(worse)
    for _ in range(5):
        memory.reinforce(worse)
        memory.demote(better)
    assert memory.search("note about the code of the garden gate").hits[0].item.id == better


def test_of_equal_matches_the_reinforced_one_comes_first_and_of_equal_ones_the_newer(open_memory):
    memory = open_memory(embedder=EveryTextIsTheSame(8))
    ids = list(memory.add([f"the kettle is {colour}" for colour in ("blue", "red", "pink", "grey")]).item_ids)

    def order():
        return [hit.item.id for hit in memory.search("kettle")]

    assert order() == ids[::-1]
    memory.reinforce(ids[2])
    assert order() == [ids[2], ids[3], ids[1], ids[0]]
    memory.demote(ids[3])
    assert order() == [ids[2], ids[1], ids[0], ids[3]]


class EveryTextIsTheSame(FakeEmbedder):
    """An embedder that tells no text from another."""

    def embed(self, texts):
        return np.full((len(texts), 8), 8**-0.5, np.float32)


# Degradations


class SilentEmbedder(FakeEmbedder):
    """A remote embedder that does not answer."""

    def __init__(self):
        super().__init__(8, local=False)

    @property
    def identity(self):
        raise ProviderUnavailable("nobody listens on port 11434")

    def embed(self, texts):
        raise ProviderUnavailable("nobody listens on port 11434")


def test_without_an_embedder_the_text_channel_answers_and_that_is_said(open_memory):
    memory = open_memory(embedder=SilentEmbedder())
    memory.add(["the kettle is blue", "the tea is green"])
    memory.add([{"role": "user", "content": "where is the kettle?"}], session_id="s")
    result = memory.search("blue kettle", min_relevance=0)
    assert result.hits[0].item.content == "the kettle is blue"
    assert result.strategy == "text"
    assert result.degradations == (
        "vectors: nobody listens on port 11434",
        "intent: nobody listens on port 11434",
    )
    context = memory.context("blue kettle")
    assert "the kettle is blue" in context.text
    assert context.degradations == result.degradations
    with pytest.raises(ProviderUnavailable):
        memory.backfill()


def test_changes_go_on_without_an_embedder_and_are_embedded_later(open_memory):
    memory = open_memory(embedder=SilentEmbedder())
    (verdict,) = memory.add("the kettle is blue")
    assert memory.update(verdict.item_id, content="the kettle is green").outcome == "accepted"
    corrected = memory.correct(verdict.item_id, "the kettle is red")
    assert memory.get(corrected.item_id).content == "the kettle is red"
    (waiting,) = memory.propose([{"content": "the kettle is old"}])
    assert memory.review.approve(waiting.item_id).outcome == "accepted"
    memory.close()
    again = open_memory(embedder=FakeEmbedder(8, local=False))
    assert again.stats()["vectors"] == {}
    assert again.backfill() == 3
    assert again.search("kettle").strategy.startswith("text+vectors")


def test_without_a_text_index_rows_are_searched_one_by_one_and_that_is_said(memory, path, add):
    add("the kettle is blue 100%")
    memory.add(["the tea is green", "我们把配置文件放在服务器上"])
    memory.close()
    connection = apsw.Connection(str(path))
    connection.execute("DROP TABLE memory_items_fts")
    connection.close()
    with Memory(path, clock=FrozenClock("2026-03-01T12:00:00Z"), embedder=FakeEmbedder(8)) as broken:
        result = broken.search("kettle", min_relevance=0)
        assert result.hits[0].item.content == "the kettle is blue 100%"
        assert result.strategy == "text+vectors"
        assert "rebuild-fts" in result.degradations[0]
        assert found(broken, "配置", min_relevance=0)[0].startswith("我们")
        broken.rebuild_fts()
        whole = broken.search("kettle", min_relevance=0)
        assert whole.degradations == ()
        assert whole.hits[0].item.content == "the kettle is blue 100%"


def test_an_embedder_of_another_model_finds_by_text_until_it_has_embedded(memory, open_memory, add):
    add("the kettle is blue")
    memory.close()
    other = open_memory(embedder=FakeEmbedder(16, name="other"))
    assert other.search("kettle").strategy == "text"
    assert other.backfill() == 1
    assert other.search("kettle").strategy == "text+vectors"


def test_an_explained_search_tells_what_was_near_and_why_it_is_no_hit(memory):
    memory.add(["The heron nests by the weir.", "The heron flew south.", "Herons eat eels."])
    memory.add("The heron nests by the weir.", type="fact")
    found = memory.search("where does the heron nest?", k=1, explain=True)
    reasons = {missed.item.content: missed.reason for missed in found.missed}
    assert reasons["The heron flew south."] == "behind the first 1"
    assert reasons["The heron nests by the weir."] == "says the same as a better one"
    assert memory.search("where does the heron nest?", k=1).missed == ()
    assert found.to_dict()["missed"][0]["reason"]


def test_who_asks_for_an_agenda_gets_one_even_where_nothing_seems_to_answer(open_memory):
    memory = open_memory(embedder=None)
    memory.add("The heron nests by the weir, as the notes say.")
    found = memory.search("quantum chromodynamics lecture notes of professor Grey", agenda=True)
    assert "agenda" in found.strategy
    assert found.trace
    assert found.abstained


def test_what_was_said_thirty_times_crowds_nothing_out(memory):
    turns = ["Coffee?"] * 30 + [f"The coffee of day {n} was {n} degrees too cold." for n in range(20)]
    for number, turn in enumerate(turns):
        memory.add([{"role": "user", "content": turn}], session_id=f"s{number}")
    found = memory.search("how was the coffee?", k=5, min_relevance=0)
    assert len({hit.item.content for hit in found}) == 5


def test_of_a_question_about_a_time_alone_what_lies_in_it_comes_first(memory):
    memory.add("Last week Friday January: nothing.", event_at="2020-03-02")
    memory.add("The stove was repaired.", event_at="2026-02-24")
    first = memory.search("what happened last week?", at="2026-03-02").hits[0]
    assert first.item.content == "The stove was repaired."


def test_a_summary_stands_behind_notes_that_match_nearly_as_well(memory):
    memory.add("The heron nests by the old weir, says Ana.", type="narrative")
    memory.add("The heron nests by the weir that Ben repaired last year with stones.", type="note")
    kinds = [
        hit.item.type for hit in memory.search("where does the heron nest by the old weir?", min_relevance=0)
    ]
    assert kinds == ["note", "narrative"]


# Entities


def test_an_entity_is_found_by_mention_by_hand_and_by_alias_though_the_question_names_it(memory):
    said = memory.add("Priya Nair moved the launch to Friday").item_ids[0]
    given_ = memory.add("He brings the cake", entities=["Priya Nair"]).item_ids[0]
    memory.add("Lev Orlov brings the chairs to the launch")
    memory.entities.alias("Priya Nair", "the boss")
    for name in ("Priya Nair", " priya  nair ", "The Boss"):
        for question in ("what about Priya Nair?", "what did the boss bring to the launch?", "cake"):
            hits = {hit.item.id for hit in memory.search(question, entity=name)}
            assert hits == {said, given_}, (name, question)
        assert {item.id for item in memory.list(entity=name)} == {said, given_}
    assert found(memory, "what about Priya Nair?", entity="Nobody At All") == []


PEOPLE = ("Priya Nair", "Lev Orlov", "Ana Holm", "Éva Nagy")
NOTES = st.lists(
    st.tuples(st.sets(st.sampled_from(PEOPLE), max_size=2), st.sets(st.sampled_from(PEOPLE), max_size=2)),
    min_size=1, max_size=6,
)  # fmt: skip


@settings(max_examples=25)
@given(notes=NOTES, who=st.sampled_from(PEOPLE), asked=st.sampled_from(PEOPLE), case=st.sampled_from("lut"))
def test_the_filter_by_entity_gives_what_names_it_in_either_way_and_nothing_else(
    tmp_path_factory, notes, who, asked, case
):
    with Memory(tmp_path_factory.mktemp("entities") / "m.db", embedder=FakeEmbedder()) as memory:
        wanted: set[str] = set()
        for number, (said, named) in enumerate(notes):
            text = f"note {number} of the club: we met " + " and ".join(["nobody", *sorted(said)])
            (item,) = memory.add(text, entities=sorted(named)).item_ids
            wanted |= {item} if who in said | named else set()
        word = {"l": who.lower(), "u": who.upper(), "t": who}[case]
        assert {hit.item.id for hit in memory.search(f"the club and {asked}", entity=word)} == wanted
        assert {item.id for item in memory.list(entity=word)} == wanted


@pytest.mark.parametrize("turned", [False, True])
def test_a_name_given_by_hand_counts_as_if_the_text_held_it(memory, turned):
    texts = ["The cake is brought on Friday", "The cake is brought on Monday"]
    memory.add(texts[turned], entities=["Priya Nair"])
    memory.add(texts[not turned], entities=["Lev Orlov"])
    assert found(memory, "when does Priya Nair bring the cake?")[0] == texts[turned]


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("last_week", "2026-02-23"), ("last week", "2026-02-23"), ("Yesterday", "2026-03-03"), ("today", "2026-03-04"),
        ("this_week", "2026-03-02"), ("last_month", "2026-02-01"), ("3 days ago", "2026-03-01"), ("2025", "2025-01-01"),
        ("March 2025", "2025-03-01"), ("friday", "2026-02-27"), ("вчера", "2026-03-03"), ("上周", "2026-02-23"),
        ("la semaine dernière", "2026-02-23"),
    ],
)  # fmt: skip
def test_a_bound_may_be_said_in_words_and_is_where_that_time_begins(open_memory, words, start):
    memory = open_memory(clock=FrozenClock("2026-03-04T10:00:00Z"))
    for event_at in (
        "2024-12-31",
        "2025-02-28",
        "2025-07-01",
        "2026-01-31",
        "2026-02-22",
        "2026-02-26",
        "2026-03-04",
    ):
        memory.add(f"the kettle was blue on {event_at}", event_at=event_at)
    for bound in ("after", "before"):
        said, meant = memory.list(**{bound: words}), memory.list(**{bound: start})
        assert [item.id for item in said] == [item.id for item in meant]
        assert set(found(memory, "kettle", k=9, **{bound: words})) == {item.content for item in meant}


@pytest.mark.parametrize(
    "words", ["whenever", "last kettle", "after lunch", "last week or so I think", "", "week"]
)
def test_a_bound_that_names_no_time_is_refused_and_told_what_is_read(memory, words):
    with pytest.raises(InvalidInput, match=r"after .*2026-03-01.*last_week"):
        memory.search("kettle", after=words)


@pytest.mark.parametrize(
    "question", ["blue kettle", "sick puppy", "zzz", "what did we decide about the boat?"]
)
def test_a_bound_of_zero_is_the_default_bound(open_memory, question):
    memory = open_memory()
    memory.add(["The kettle is blue.", "My dog is ill.", *(f"Note {n} is about boats." for n in range(40))])

    def seen(**bound):
        result = memory.search(question, **bound).to_dict()
        # What each search counts as used is left out.
        hits = [(hit["item"]["id"], hit["relevance"], hit["matches"]) for hit in result["hits"]]
        return hits, result | {"hits": []}

    assert seen() == seen(min_relevance=0) == seen(min_relevance=0.0)


# What a question leaves open


def test_a_question_decides_how_many_hits_it_has_where_it_is_let(open_memory):
    memory = open_memory()
    memory.add([f"Boat {n} lies in the harbour." for n in range(40)])
    assert len(memory.search("which boat?", k="auto")) == 5
    assert (
        len(memory.search("list all boats in the harbour and compare them with each other", k="auto")) == 20
    )
    assert len(memory.search("list all boats in the harbour and compare them with each other")) == 10
    with pytest.raises(InvalidInput, match="k"):
        memory.search("which boat?", k="many")


@pytest.mark.parametrize("text", ["我爱猫和狗。", "她养了一只猫", "猫粮在柜子里", "一只黑猫，很老。", "猫"])
@pytest.mark.parametrize("question", ["猫", "猫？", "猫 狗"])
def test_a_single_chinese_character_is_found_wherever_it_stands(open_memory, text, question):
    memory = open_memory()
    memory.add(["我们去了公园", "昨天的会议很长。", "The cat is black."])
    (verdict,) = memory.add(text)
    result = memory.search(question)
    assert result.hits[0].item.id == verdict.item_id
    assert result.hits[0].matches["lex"] > 0
    if question != "猫 狗":  # Of two that are asked for, one may be missing.
        assert not result.abstained
    assert result.degradations == ()


def test_a_single_character_that_nothing_holds_is_not_found(open_memory):
    memory = open_memory(embedder=None)
    memory.add(["我们去了公园", "昨天的会议很长。"])
    assert memory.search("鸡").abstained


def test_the_items_of_a_task_are_found_by_it(open_memory):
    memory = open_memory()
    memory.add("The mirror is ordered.", task_id="t1")
    memory.add("The mirror is paid.", task_id="t2")
    assert [item.content for item in memory.list(task_id="t1")] == ["The mirror is ordered."]
    assert [hit.item.content for hit in memory.search("mirror", task_id="t2")] == ["The mirror is paid."]
