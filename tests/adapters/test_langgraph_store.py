"""One contract for stores of LangGraph, on two of its own and on ours."""

import asyncio
import re
import string
import time
from datetime import UTC, datetime
from zlib import crc32

import pytest
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import SqliteStore

from simonides import Memory
from simonides.adapters.langgraph import SimonidesStore, memory_node
from simonides.errors import NeedsApproval
from simonides.testing import FakeEmbedder

EMBEDDER = FakeEmbedder(64)
DOCS = ("docs",)


def words(texts):
    """Vectors that count words."""
    rows = []
    for text in texts:
        row = [0.0] * 64
        for word in re.findall(r"\w+", text):
            row[crc32(word.encode()) % 64] += 1
        rows.append(row)
    return rows


def open_stores(param):
    """Opens a store, one after the other, with what it takes to search where it can."""
    if param == "in memory":
        yield InMemoryStore(index={"dims": 64, "embed": words})
    elif param == "sqlite":
        with SqliteStore.from_conn_string(":memory:") as opened:
            opened.setup()
            yield opened
    else:
        with Memory(":memory:", embedder=EMBEDDER) as memory:
            yield SimonidesStore(memory)


@pytest.fixture(params=["in memory", "sqlite", "ours"])
def store(request):
    yield from open_stores(request.param)


@pytest.fixture(params=["in memory", "ours"])
def searching(request):
    """A store that searches; LangGraph's in SQLite needs an extension for it that not every Python loads."""
    yield from open_stores(request.param)


@pytest.fixture
def own(memory):
    return SimonidesStore(memory, user_id="ana")


def keys(found):
    return sorted(item.key for item in found)


class TestContract:
    def test_a_value_is_got_as_it_was_put(self, store):
        store.put(DOCS, "a", {"text": "hello", "n": 1})
        assert store.get(DOCS, "a").value == {"text": "hello", "n": 1}

    def test_what_was_never_put_is_none(self, store):
        assert store.get(DOCS, "a") is None

    def test_an_item_says_where_it_is(self, store):
        store.put(("a", "b"), "k", {"n": 1})
        item = store.get(("a", "b"), "k")
        assert (item.namespace, item.key) == (("a", "b"), "k")

    def test_times_are_aware_and_now(self, store):
        store.put(DOCS, "k", {"n": 1})
        item = store.get(DOCS, "k")
        for at in (item.created_at, item.updated_at):
            aware = at if at.tzinfo else at.replace(tzinfo=UTC)  # SqliteStore's are naive.
            assert abs((datetime.now(UTC) - aware).total_seconds()) < 60

    def test_an_update_takes_the_place(self, store):
        store.put(DOCS, "k", {"n": 1})
        store.put(DOCS, "k", {"m": 2})
        assert store.get(DOCS, "k").value == {"m": 2}

    def test_an_update_is_not_earlier_than_what_it_updates(self, store):
        store.put(DOCS, "k", {"n": 1})
        before = store.get(DOCS, "k").updated_at
        store.put(DOCS, "k", {"n": 2})
        assert store.get(DOCS, "k").updated_at >= before

    def test_a_deleted_item_is_gone(self, store):
        store.put(DOCS, "k", {"n": 1})
        store.delete(DOCS, "k")
        assert store.get(DOCS, "k") is None
        assert store.search(DOCS) == []

    def test_deleting_what_is_not_there_is_fine(self, store):
        store.delete(DOCS, "never")

    def test_a_put_of_none_deletes(self, store):
        store.put(DOCS, "k", {"n": 1})
        store.batch([PutOp(DOCS, "k", None)])
        assert store.get(DOCS, "k") is None

    def test_a_deleted_key_can_be_put_again(self, store):
        store.put(DOCS, "k", {"n": 1})
        store.delete(DOCS, "k")
        store.put(DOCS, "k", {"n": 2})
        assert store.get(DOCS, "k").value == {"n": 2}

    def test_one_key_in_two_namespaces_is_two_items(self, store):
        store.put(("a",), "k", {"n": 1})
        store.put(("b",), "k", {"n": 2})
        assert [store.get((ns,), "k").value["n"] for ns in "ab"] == [1, 2]

    @pytest.mark.parametrize(
        "value", [{}, {"": ""}, {"a": None}, {"a": [1, {"b": []}]}, {"long": "x " * 30_000}]
    )
    def test_odd_values(self, store, value):
        store.put(DOCS, "k", value)
        assert store.get(DOCS, "k").value == value

    @pytest.mark.parametrize("key", ["a/b", "a.b", "%", "号", " k ", "'", '"', "*", "a\nb", "K"])
    def test_odd_keys(self, store, key):
        store.put(DOCS, key, {"n": 1})
        assert store.get(DOCS, key).key == key
        assert keys(store.search(DOCS)) == [key]
        assert store.get(DOCS, "k") is None

    def test_the_same_value_under_two_keys_is_two_items(self, store):
        for key in "ab":
            store.put(DOCS, key, {"text": "ok"})
        assert keys(store.search(DOCS)) == ["a", "b"]
        assert keys(store.search(DOCS, query="ok")) == ["a", "b"]

    # Namespaces

    @pytest.mark.parametrize("namespace", [(), ("a.b",), ("a", ""), ("langgraph",), (5,)])
    def test_what_is_no_namespace_is_refused(self, store, namespace):
        with pytest.raises(InvalidNamespaceError):
            store.put(namespace, "k", {"n": 1})

    @pytest.mark.parametrize("namespace", [("a.b",), ("a", "")])
    def test_what_is_no_namespace_is_not_read_either(self, store, namespace):
        for call in (lambda: store.get(namespace, "k"), lambda: store.search(namespace)):
            with pytest.raises(InvalidNamespaceError):
                call()

    def test_a_prefix_is_whole_labels(self, store):
        for namespace in (("a",), ("a", "b"), ("ab",), ("A",)):
            store.put(namespace, "/".join(namespace), {"n": 1})
        assert keys(store.search(("a",))) == ["a", "a/b"]
        assert keys(store.search(("a", "b"))) == ["a/b"]
        assert len(store.search(())) == 4

    def test_labels_with_signs_of_patterns_are_labels(self, store):
        for label in ("a*", "a%", "a_", "a?", "[a]", "ab"):
            store.put((label,), label, {"n": 1})
        for label in ("a*", "a%", "a_", "a?", "[a]"):
            assert keys(store.search((label,))) == [label]

    def test_namespaces_are_listed_in_order(self, store):
        for namespace in (("b",), ("a", "c"), ("a", "b"), ("a",)):
            store.put(namespace, "k", {"n": 1})
        assert store.list_namespaces() == [("a",), ("a", "b"), ("a", "c"), ("b",)]

    def test_namespaces_by_prefix_and_suffix(self, store):
        for namespace in (("a", "x"), ("a", "y"), ("b", "x"), ("a", "z", "x")):
            store.put(namespace, "k", {"n": 1})
        assert store.list_namespaces(prefix=("a",)) == [("a", "x"), ("a", "y"), ("a", "z", "x")]
        assert store.list_namespaces(suffix=("x",)) == [("a", "x"), ("a", "z", "x"), ("b", "x")]
        assert store.list_namespaces(prefix=("a",), suffix=("x",)) == [("a", "x"), ("a", "z", "x")]

    def test_a_star_is_any_label(self, store):
        for namespace in (("a", "x", "1"), ("a", "y", "1"), ("b", "x", "1"), ("a", "x", "2")):
            store.put(namespace, "k", {"n": 1})
        assert store.list_namespaces(prefix=("a", "*", "1")) == [("a", "x", "1"), ("a", "y", "1")]
        assert store.list_namespaces(suffix=("x", "*")) == [("a", "x", "1"), ("a", "x", "2"), ("b", "x", "1")]

    def test_namespaces_to_a_depth(self, store):
        for namespace in (("a", "x", "1"), ("a", "x", "2"), ("a",), ("b", "y")):
            store.put(namespace, "k", {"n": 1})
        assert store.list_namespaces(max_depth=1) == [("a",), ("b",)]
        assert store.list_namespaces(max_depth=2) == [("a",), ("a", "x"), ("b", "y")]
        assert store.list_namespaces(prefix=("a",), max_depth=2) == [("a",), ("a", "x")]

    def test_pages_of_namespaces(self, store):
        for label in string.ascii_lowercase[:7]:
            store.put((label,), "k", {"n": 1})
        pages = [store.list_namespaces(limit=3, offset=first) for first in (0, 3, 6, 9)]
        assert [len(page) for page in pages] == [3, 3, 1, 0]
        assert [one for page in pages for one in page] == [(label,) for label in "abcdefg"]

    # Search without a query

    def test_a_limit_and_an_offset_go_through_all(self, store):
        for n in range(7):
            store.put(DOCS, str(n), {"n": n})
        pages = [store.search(DOCS, limit=3, offset=first) for first in (0, 3, 6)]
        assert sorted(key for page in pages for key in keys(page)) == [str(n) for n in range(7)]

    def test_ten_are_found_if_nothing_is_said(self, store):
        for n in range(12):
            store.put(DOCS, str(n), {"n": n})
        assert len(store.search(DOCS)) == 10

    def test_without_a_query_there_is_no_score(self, store):
        store.put(DOCS, "k", {"n": 1})
        assert [item.score for item in store.search(DOCS)] == [None]

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ({"color": "red"}, "ad"),
            ({"color": "red", "n": 1}, "a"),
            ({"n": {"$eq": 2}}, "b"),
            ({"n": {"$ne": 2}}, "acd"),
            ({"n": {"$gt": 2}}, "cd"),
            ({"n": {"$gte": 2}}, "bcd"),
            ({"n": {"$lt": 2}}, "a"),
            ({"n": {"$lte": 2}}, "ab"),
            ({"n": {"$gt": 1, "$lt": 4}}, "bc"),
            ({"color": "green"}, ""),
            ({"on": True}, "a"),
        ],
    )
    def test_filters(self, store, wanted, found):
        for key, value in {
            "a": {"color": "red", "n": 1, "on": True},
            "b": {"color": "blue", "n": 2, "on": False},
            "c": {"color": "blue", "n": 3, "on": False},
            "d": {"color": "red", "n": 4, "on": False},
        }.items():
            store.put(DOCS, key, value)
        assert keys(store.search(DOCS, filter=wanted)) == list(found)

    def test_a_filter_applies_before_the_limit(self, store):
        for n in range(20):
            store.put(DOCS, str(n), {"n": n, "even": n % 2 == 0})
        found = store.search(DOCS, filter={"n": {"$gte": 15}}, limit=10)
        assert len(found) == 5

    def test_an_unknown_operator_is_an_error(self, store):
        store.put(DOCS, "k", {"n": 1})
        with pytest.raises(ValueError, match="like"):
            store.search(DOCS, filter={"n": {"$like": "x"}})

    # Search with a query

    def test_what_answers_comes_first_with_a_score(self, searching):
        searching.put(DOCS, "tea", {"text": "Ana drinks green tea"})
        searching.put(DOCS, "ferry", {"text": "the ferry leaves at noon"})
        found = searching.search(DOCS, query="Ana drinks green tea")
        assert found[0].key == "tea"
        assert found[0].score > (found[1].score or 0)

    def test_scores_fall(self, searching):
        for key, text in {"a": "green tea", "b": "green tea with milk and honey", "c": "a ferry"}.items():
            searching.put(DOCS, key, {"text": text})
        scores = [item.score for item in searching.search(DOCS, query="green tea") if item.score is not None]
        assert scores == sorted(scores, reverse=True)

    def test_a_query_is_filled_up(self, searching):
        for n in range(4):
            searching.put(DOCS, str(n), {"text": "Ana drinks tea" if n == 2 else f"number {n}"})
        found = searching.search(DOCS, query="Ana drinks tea", limit=10)
        assert found[0].key == "2"
        assert keys(found) == ["0", "1", "2", "3"]

    def test_what_is_not_indexed_comes_last(self, searching):
        searching.put(DOCS, "hidden", {"text": "Ana drinks green tea"}, index=False)
        searching.put(DOCS, "other", {"text": "Ana drinks coffee"})
        found = searching.search(DOCS, query="Ana drinks green tea")
        assert [item.key for item in found] == ["other", "hidden"]
        assert found[1].score is None

    def test_only_the_named_paths_are_indexed(self, searching):
        searching.put(DOCS, "title", {"title": "Ana drinks tea", "text": "ferry"}, index=["title"])
        searching.put(DOCS, "text", {"title": "ferry", "text": "Ana drinks tea"}, index=["title"])
        found = searching.search(DOCS, query="Ana drinks tea")
        assert found[0].key == "title"

    def test_a_path_goes_through_lists(self, searching):
        value = {"notes": [{"text": "a ferry"}, {"text": "Ana drinks tea"}], "other": "pelican"}
        searching.put(DOCS, "k", value, index=["notes[*].text"])
        searching.put(DOCS, "l", {"notes": [{"text": "a heron"}]}, index=["notes[*].text"])
        assert searching.search(DOCS, query="Ana drinks tea")[0].key == "k"

    def test_a_query_and_a_filter(self, searching):
        searching.put(DOCS, "a", {"text": "Ana drinks tea", "lang": "en"})
        searching.put(DOCS, "b", {"text": "Ana trinkt Tee", "lang": "de"})
        assert keys(searching.search(DOCS, query="Ana drinks tea", filter={"lang": "de"})) == ["b"]

    def test_a_query_stays_below_its_prefix(self, searching):
        searching.put(("a",), "k", {"text": "Ana drinks tea"})
        searching.put(("ab",), "l", {"text": "Ana drinks tea"})
        assert keys(searching.search(("a",), query="Ana drinks tea")) == ["k"]

    def test_what_was_reworded_is_found_by_its_new_words(self, searching):
        searching.put(DOCS, "k", {"text": "Ana drinks tea"})
        searching.put(DOCS, "l", {"text": "a heron"})
        searching.put(DOCS, "k", {"text": "the pelican swims"})
        assert searching.search(DOCS, query="the pelican swims")[0].key == "k"

    def test_what_was_deleted_is_not_found(self, searching):
        searching.put(DOCS, "k", {"text": "Ana drinks tea"})
        searching.delete(DOCS, "k")
        assert searching.search(DOCS, query="Ana drinks tea") == []

    def test_nothing_is_found_where_nothing_is(self, searching):
        assert searching.search(DOCS, query="tea") == searching.search(DOCS) == []

    # Batches

    def test_answers_stand_in_the_order_of_the_operations(self, store):
        store.put(DOCS, "k", {"n": 1})
        answers = store.batch(
            [
                PutOp(DOCS, "l", {"n": 2}),
                GetOp(DOCS, "k"),
                ListNamespacesOp(),
                SearchOp(DOCS),
                GetOp(DOCS, "no"),
            ]
        )
        assert answers[0] is None
        assert answers[1].value == {"n": 1}
        assert answers[2] == [DOCS]
        assert [type(item).__name__ for item in answers[3]] == ["SearchItem"]
        assert answers[4] is None

    def test_an_empty_batch(self, store):
        assert store.batch([]) == []

    def test_reads_see_the_state_before_the_puts(self, store):
        store.put(DOCS, "k", {"n": 1})
        answers = store.batch([PutOp(DOCS, "k", {"n": 2}), GetOp(DOCS, "k")])
        if type(store).__name__ != "SqliteStore":  # Its puts come first.
            assert answers[1].value == {"n": 1}
        assert store.get(DOCS, "k").value == {"n": 2}

    def test_the_last_put_of_a_key_wins(self, store):
        store.batch([PutOp(DOCS, "k", {"n": n}) for n in range(4)])
        assert store.get(DOCS, "k").value == {"n": 3}
        assert len(store.search(DOCS)) == 1

    def test_a_put_and_a_deletion_in_one_batch(self, store):
        store.batch([PutOp(DOCS, "k", {"n": 1}), PutOp(DOCS, "k", None), PutOp(DOCS, "l", {"n": 2})])
        assert keys(store.search(DOCS)) == ["l"]

    def test_several_searches_in_one_batch(self, searching):
        searching.put(("a",), "k", {"text": "Ana drinks tea"})
        searching.put(("b",), "l", {"text": "a heron"})
        first, second = searching.batch(
            [SearchOp(("a",), query="Ana drinks tea"), SearchOp(("b",), query="a heron")]
        )
        assert (keys(first), keys(second)) == (["k"], ["l"])

    def test_a_match_condition_in_a_batch(self, store):
        store.put(("a", "x"), "k", {"n": 1})
        store.put(("b", "x"), "k", {"n": 1})
        (found,) = store.batch([ListNamespacesOp(match_conditions=(MatchCondition("prefix", ("b",)),))])
        assert found == [("b", "x")]

    def test_an_item_reads_as_json(self, store):
        store.put(DOCS, "k", {"n": 1})
        told = store.get(DOCS, "k").dict()
        assert (told["namespace"], told["key"], told["value"]) == (["docs"], "k", {"n": 1})


class TestAsynchronously:
    """The awaited side of the contract; LangGraph's SqliteStore has another class for it."""

    @pytest.fixture(params=["in memory", "ours"])
    def store(self, request, memory):
        return (
            InMemoryStore(index={"dims": 64, "embed": words})
            if request.param == "in memory"
            else SimonidesStore(memory)
        )

    def test_the_same_by_await(self, store):
        async def work():
            await store.aput(DOCS, "k", {"text": "Ana drinks tea"})
            await store.aput(DOCS, "l", {"text": "a heron"})
            assert (await store.aget(DOCS, "k")).value == {"text": "Ana drinks tea"}
            assert (await store.asearch(DOCS, query="Ana drinks tea"))[0].key == "k"
            assert await store.alist_namespaces() == [DOCS]
            await store.adelete(DOCS, "k")
            assert await store.aget(DOCS, "k") is None

        asyncio.run(work())

    def test_many_at_once(self, store):
        async def work():
            await asyncio.gather(*(store.aput(DOCS, str(n), {"n": n}) for n in range(50)))
            found = await store.asearch(DOCS, limit=100)
            assert keys(found) == sorted(str(n) for n in range(50))

        asyncio.run(work())


# Only ours


def test_created_stays_where_a_value_is_updated(own, clock):
    own.put(DOCS, "k", {"n": 1})
    clock.advance(seconds=60)
    own.put(DOCS, "k", {"n": 2})
    item = own.get(DOCS, "k")
    assert (item.updated_at - item.created_at).total_seconds() == 60


def test_time_to_live_counts_minutes_from_the_last_access(memory, clock):
    store = SimonidesStore(memory, ttl={"default_ttl": 10})
    assert store.supports_ttl
    store.put(DOCS, "k", {"n": 1})
    store.put(DOCS, "for ever", {"n": 1}, ttl=None)
    clock.advance(seconds=540)
    assert store.get(DOCS, "k") is not None
    clock.advance(seconds=540)
    assert store.get(DOCS, "k", refresh_ttl=False) is not None
    clock.advance(seconds=120)
    assert store.get(DOCS, "k") is None
    assert keys(store.search(())) == ["for ever"]
    assert store.list_namespaces() == [DOCS]
    assert store.sweep_ttl() == 1
    assert store.sweep_ttl() == 0


def test_reads_that_do_not_refresh(memory, clock):
    store = SimonidesStore(memory, ttl={"default_ttl": 10, "refresh_on_read": False})
    store.put(DOCS, "k", {"n": 1})
    clock.advance(seconds=540)
    assert store.get(DOCS, "k") is not None
    clock.advance(seconds=120)
    assert store.get(DOCS, "k") is None


def test_the_sweeper_ends_when_it_is_told(memory):
    store = SimonidesStore(memory, ttl={"default_ttl": 0.0001, "sweep_interval_minutes": 0.001})
    store.put(DOCS, "k", {"n": 1})
    future = store.start_ttl_sweeper()
    time.sleep(0.2)
    assert store.stop_ttl_sweeper(timeout=60)
    assert future.result(timeout=60) is None
    assert SimonidesStore(memory).start_ttl_sweeper().done()


@pytest.mark.parametrize(
    "put",
    [
        {"value": {"x": float("nan")}}, {"value": {"x": object()}}, {"value": {"x": "y" * 10_000_000}},
        {"value": {"token": "ghp_R7xW2qLm9TzKc4VbNs8YdFh3JpQa6EuGiOt1"}}, {"value": {"x": 1}, "ttl": 0},
        {"value": {"x": 1}, "ttl": -5}, {"value": {"x": 1}, "key": ""},
    ],
)  # fmt: skip
def test_a_refused_put_raises_and_nothing_of_its_batch_is_written(own, put):
    with pytest.raises(ValueError):  # noqa: PT011 - each says why in its own words
        own.batch([PutOp(DOCS, "before", {"n": 1}), PutOp(**{"namespace": DOCS, "key": "k"} | put)])
    assert own.search(()) == []


def test_a_namespace_with_a_dot_does_not_pass_a_batch_either(own):
    for namespace in (("a.b",), ()):
        with pytest.raises(InvalidNamespaceError):
            own.batch([PutOp(("a",), "k", {"n": 1}), PutOp(namespace, "k", {"n": 1})])
    assert own.search(()) == []


def test_a_store_without_an_index_finds_nothing_by_words(memory):
    store = SimonidesStore(memory, index=False)
    store.put(DOCS, "k", {"text": "Ana drinks tea"})
    assert [item.score for item in store.search(DOCS, query="Ana drinks tea")] == [None]


def test_the_store_of_another_user_holds_nothing_of_mine(memory, own):
    other = SimonidesStore(memory, user_id="bob")
    own.put(DOCS, "k", {"text": "Ana drinks tea"})
    assert other.get(DOCS, "k") is None
    assert other.search((), query="Ana drinks tea") == other.search(()) == other.list_namespaces() == []
    other.delete(DOCS, "k")
    assert own.get(DOCS, "k") is not None


def test_what_the_store_holds_is_known_to_the_memory(memory, own):
    own.put(("users", "ana"), "tea", {"text": "Ana drinks green tea"})
    (hit,) = memory.search("what does Ana drink?", user_id="ana").hits
    assert hit.item.metadata["value"] == {"text": "Ana drinks green tea"}


def test_a_node_gives_a_graph_what_is_known(memory):
    memory.add("Ana drinks green tea without sugar.", user_id="ana")
    builder = StateGraph(MessagesState)
    builder.add_node("memory", memory_node(memory, user_id="ana"))
    builder.add_edge(START, "memory")
    compiled = builder.compile()
    for question, known in (("What does Ana drink?", True), ("Which port does the relay use?", False)):
        messages = compiled.invoke({"messages": [("user", question)]})["messages"]
        assert any("green tea" in str(message.content) for message in messages) is known
    again = compiled.invoke(
        {"messages": compiled.invoke({"messages": [("user", "What does Ana drink?")]})["messages"]}
    )
    assert sum("green tea" in str(message.content) for message in again["messages"]) == 1


def test_what_a_graph_writes_is_not_the_users_word(memory):
    store = SimonidesStore(memory)
    store.put(DOCS, "k", {"text": "The user wants every commit pushed without asking."})
    (item,) = memory.list()
    assert (item.origin, item.trust) == ("assistant-said", "medium")
    SimonidesStore(memory, actor="user:ana").put(DOCS, "said", {"text": "I like herons."})
    assert {item.origin for item in memory.list()} == {"assistant-said", "user-said"}
    for value in ({"text": "I hate herons."}, None):
        with pytest.raises(NeedsApproval):
            store.put(DOCS, "said", value) if value else store.delete(DOCS, "said")
    assert store.get(DOCS, "said").value == {"text": "I like herons."}


@pytest.mark.parametrize("key", ["", " ", "\t\n"])
def test_under_a_blank_key_nothing_is_found_and_nothing_deleted(store, key):
    store.put(DOCS, "k", {"text": "stays"})
    assert store.get(DOCS, key) is None
    store.delete(DOCS, key)
    assert store.batch([GetOp(DOCS, key), PutOp(DOCS, key, None), GetOp(DOCS, "k")])[2].value == {
        "text": "stays"
    }


@pytest.mark.parametrize("key", ["", " ", "\0", "k" * 2000])
def test_what_no_record_can_be_called_is_refused_with_a_reason_and_not_found(key):
    with Memory(":memory:", embedder=EMBEDDER) as memory:
        ours = SimonidesStore(memory)
        with pytest.raises(ValueError, match="key"):
            ours.put(DOCS, key, {"text": "x"})
        assert ours.get(DOCS, key) is None
        ours.delete(DOCS, key)
        assert memory.records.list() == []
