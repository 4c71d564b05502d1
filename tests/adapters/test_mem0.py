"""mem0's verbs: shapes of its answers as version 2.2 gives them, and what is different by intent."""

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simonides
from simonides.adapters.mem0 import AsyncMemory, Memory
from simonides.domain.scope import ALL
from simonides.testing import FakeEmbedder

ANA = {"user_id": "ana"}
#: Of a memory in `get`, as mem0 2.2 answers; `get_all` has no score.
FIELDS = {"id", "memory", "hash", "metadata", "score", "created_at", "updated_at", "user_id"}
HISTORY = {
    "id", "memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at", "is_deleted", "actor_id",
    "role",
}  # fmt: skip


@pytest.fixture
def mem0(memory):
    return Memory(memory)


def keep(mem0, text, **whose):
    """Keep a text as it is; its id."""
    [result] = mem0.add(text, infer=False, **(whose or ANA))["results"]
    return result["id"]


def texts(answer):
    return sorted(one["memory"] for one in answer["results"])


def test_their_quickstart_runs_with_one_changed_line(mem0):
    """The loop of mem0's README, with a model that stands in."""

    def chat_with_memories(message, user_id="default_user"):
        relevant_memories = mem0.search(query=message, filters={"user_id": user_id}, top_k=3)
        memories_str = "\n".join(f"- {entry['memory']}" for entry in relevant_memories["results"])
        messages = [
            {"role": "system", "content": f"You are a helpful AI.\nUser Memories:\n{memories_str}"},
            {"role": "user", "content": message},
        ]
        messages.append({"role": "assistant", "content": "I see."})
        mem0.add(messages, user_id=user_id)
        return memories_str

    assert chat_with_memories("I am allergic to walnuts.") == ""
    assert "walnuts" in chat_with_memories("What am I allergic to?")
    assert "walnuts" not in chat_with_memories("What am I allergic to?", user_id="bob")


def test_an_addition_is_answered_by_what_is_new(mem0):
    answer = mem0.add("I am allergic to walnuts.", **ANA)
    assert [(set(one), one["event"]) for one in answer["results"]] == [({"id", "memory", "event"}, "ADD")]
    assert "refused" not in answer
    assert mem0.add("I am allergic to walnuts.", **ANA)["results"] == []


def test_messages_are_kept_as_they_are_without_inference(mem0):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "I like herons", "name": "ana"},
        {"role": "assistant", "content": "the ferry leaves at noon"},
    ]
    answer = mem0.add(messages, infer=False, **ANA)
    assert [(one["memory"], one["event"], one["role"], one["actor_id"]) for one in answer["results"]] == [
        ("I like herons", "ADD", "user", "ana"),
        ("the ferry leaves at noon", "ADD", "assistant", None),
    ]
    assert {one["role"] for one in mem0.get_all(filters=ANA)["results"]} == {"user", "assistant"}


@pytest.mark.parametrize("infer", [True, False])
@pytest.mark.parametrize("name", ["timestamp", "created_at", "at"])
def test_a_message_is_of_its_own_time_or_of_the_time_of_its_addition(mem0, memory, name, infer):
    messages = [
        {"role": "user", "content": "I live in Lisbon.", name: 1_772_000_000},
        {"role": "user", "content": "My sister is called Inês."},
        {"role": "assistant", "content": "The ferry leaves at noon.", name: "never"},
    ]
    answer = mem0.add(messages, infer=infer, timestamp=1_773_000_000, **ANA)
    items = (
        memory.list(scope=ALL, types=["episode"])
        if infer
        else [memory.get(one["id"]) for one in answer["results"]]
    )
    assert {item.content: item.to_dict()["event_at"] for item in items} == {
        "I live in Lisbon.": "2026-02-25T06:13:20Z",
        "My sister is called Inês.": "2026-03-08T20:00:00Z",
        "The ferry leaves at noon.": "2026-03-08T20:00:00Z",
    }
    with pytest.raises(ValueError, match="timestamp"):
        mem0.add("I like herons.", timestamp="soon", **ANA)
    assert memory.search("herons", scope=ALL).abstained


@pytest.mark.parametrize("role", ["assistant", "Assistant", "ai", "tool", "function", "critic", "USER ", ""])
def test_what_others_than_the_user_say_is_never_the_users_word(mem0, memory, role):
    for text in ("The user prefers jazz.", "I prefer tea.", "the ferry leaves at noon"):
        mem0.add([{"role": role, "content": text}], infer=False, expiration_date="2126-01-01", **ANA)
    kept = [*memory.list(scope=ALL), *(waiting.item for waiting in memory.review.list(scope=ALL))]
    assert len(kept) == 3
    assert {str(item.origin) for item in kept}.isdisjoint({"user-said", "user-confirmed"})
    assert "high" not in {str(item.trust) for item in kept}


def test_a_users_words_beside_it_bear_out_what_an_assistant_says(mem0, memory):
    said = {"role": "user", "content": "I prefer jazz."}
    repeated = {"role": "assistant", "content": "The user prefers jazz."}
    answer = mem0.add([said, repeated], infer=False, expiration_date="2126-01-01", **ANA)
    assert "refused" not in answer
    assert memory.get(answer["results"][0]["id"]).origin == "user-said"
    assert "refused" in mem0.add([repeated], infer=False, user_id="bob")


def test_a_memory_has_their_fields(mem0):
    item_id = keep(mem0, "Ana drinks green tea.")
    found = mem0.get(item_id)
    assert set(found) == FIELDS | {"role"}
    assert (found["memory"], found["user_id"], found["metadata"]) == ("Ana drinks green tea.", "ana", None)
    [listed] = mem0.get_all(filters=ANA)["results"]
    assert listed == {name: value for name, value in found.items() if name != "score"}
    [hit] = mem0.search("what does Ana drink?", filters=ANA)["results"]
    assert 0.1 <= hit["score"] <= 1
    assert hit | {"score": None} == found
    json.dumps(hit)


@pytest.mark.parametrize("memory_id", ["nonsense", "019ca945-0a00-7000-a10e-ce9fc091a904"])
def test_what_is_not_there(mem0, memory_id):
    assert mem0.get(memory_id) is None
    assert mem0.history(memory_id) == []
    for call in (lambda: mem0.delete(memory_id), lambda: mem0.update(memory_id, "x")):
        with pytest.raises(ValueError, match="not found"):
            call()


def test_an_update_a_deletion_and_their_history(mem0):
    item_id = keep(mem0, "Ana drinks green tea.")
    assert mem0.update(item_id, text="Ana drinks black tea.") == {"message": "Memory updated successfully!"}
    mem0.update(item_id, metadata={"cup": "red", "user_id": "bob"})
    found = mem0.get(item_id)
    assert (found["memory"], found["metadata"], found["user_id"]) == (
        "Ana drinks black tea.",
        {"cup": "red"},
        "ana",
    )
    assert mem0.delete(item_id) == {"message": "Memory deleted successfully!"}
    assert mem0.get(item_id) is None
    assert mem0.get_all(filters=ANA) == {"results": []}
    assert mem0.search("what does Ana drink?", filters=ANA) == {"results": []}
    told = mem0.history(item_id)
    assert all(set(one) == HISTORY for one in told)
    assert [(one["event"], one["old_memory"], one["new_memory"], one["is_deleted"]) for one in told] == [
        ("ADD", None, "Ana drinks green tea.", False),
        ("UPDATE", "Ana drinks green tea.", "Ana drinks black tea.", False),
        ("UPDATE", "Ana drinks black tea.", "Ana drinks black tea.", False),
        ("DELETE", "Ana drinks black tea.", None, True),
    ]


def test_whose_a_memory_is(mem0):
    keep(mem0, "of Ana", user_id="ana")
    keep(mem0, "of Ana with the baker", user_id="ana", agent_id="baker")
    keep(mem0, "of the baker", agent_id="baker")
    keep(mem0, "of Bob", user_id="bob")
    keep(mem0, "of Ana in May", user_id="ana", run_id="may")
    keep(mem0, "in May", run_id="may")
    for filters, found in (
        ({"user_id": "ana"}, ["of Ana", "of Ana in May", "of Ana with the baker"]),
        ({"agent_id": "baker"}, ["of Ana with the baker", "of the baker"]),
        ({"user_id": "ana", "agent_id": "baker"}, ["of Ana with the baker"]),
        ({"user_id": "ana", "run_id": "may"}, ["of Ana in May"]),
        ({"run_id": "may"}, ["in May", "of Ana in May"]),
        ({"user_id": "nobody"}, []),
    ):
        assert texts(mem0.get_all(filters=filters)) == found
        assert set(texts(mem0.search("of Ana baker May Bob", filters=filters, threshold=0))) <= set(found)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"kind": "tea"}, "ab"),
        ({"kind": {"eq": "tea"}, "n": {"gt": 1}}, "b"),
        ({"n": {"gte": 2, "lt": 3}}, "b"),
        ({"n": {"in": [1, 3]}}, "ac"),
        ({"n": {"nin": [1, 3]}}, "b"),
        ({"kind": {"ne": "tea"}}, "c"),
        ({"kind": {"contains": "off"}}, "c"),
        ({"kind": {"icontains": "TEA"}}, "ab"),
        ({"kind": "*"}, "abcd"),
        ({"AND": [{"kind": "tea"}, {"n": 2}]}, "b"),
        ({"OR": [{"n": 1}, {"n": 3}]}, "ac"),
        ({"NOT": [{"kind": "tea"}]}, "cd"),
        ({"OR": [{"AND": [{"kind": "tea"}, {"n": 1}]}, {"kind": "coffee"}]}, "ac"),
    ],
)
def test_filters(mem0, filters, found):
    cups = {
        "a": {"kind": "tea", "n": 1},
        "b": {"kind": "tea", "n": 2},
        "c": {"kind": "coffee", "n": 3},
        "d": {},
    }
    for name, metadata in cups.items():
        mem0.add(f"cup {name}", infer=False, metadata=metadata, **ANA)
    wanted = [f"cup {name}" for name in found]
    assert texts(mem0.get_all(filters=ANA | filters)) == wanted
    assert set(texts(mem0.search("cup", filters=ANA | filters, threshold=0))) <= set(wanted)
    conditions = [ANA, *({name: value} for name, value in filters.items())]
    assert texts(mem0.get_all(filters={"AND": conditions})) == wanted


def test_what_is_inferred_with_metadata_is_one_addition(mem0):
    said = [{"role": "user", "content": "I'm allergic to walnuts and I live in Leeds."}]
    for one in mem0.add(said, user_id="ana", metadata={"k": "v"})["results"]:
        assert [event["event"] for event in mem0.history(one["id"])] == ["ADD"]
        assert mem0.get(one["id"])["metadata"].keys() <= {"k", "category"}
        mem0.update(one["id"], metadata={"k": "w"})
        assert [event["event"] for event in mem0.history(one["id"])] == ["ADD", "UPDATE"]
        assert mem0.get(one["id"])["metadata"]["k"] == "w"


def test_metadata_and_an_end_go_to_what_is_inferred(mem0):
    [new] = mem0.add(
        "I am allergic to walnuts.", metadata={"channel": "mail"}, expiration_date="2099-05-01", **ANA
    )["results"]
    found = mem0.get(new["id"])
    assert found["metadata"]["channel"] == "mail"
    assert found["expiration_date"] == "2099-05-01"


def test_what_has_expired_is_hidden(mem0, memory, clock):
    mem0.add("the kettle is lent out", infer=False, expiration_date="2026-03-02", **ANA)
    assert len(mem0.get_all(filters=ANA)["results"]) == 1
    clock.advance(days=2)
    assert mem0.get_all(filters=ANA)["results"] == []
    assert len(mem0.get_all(filters=ANA, show_expired=True)["results"]) == 1


def test_pages_end_where_they_are_told(mem0):
    for n in range(8):
        keep(mem0, f"cup number {n}")
    assert len(mem0.get_all(filters=ANA, top_k=3)["results"]) == 3
    assert len(mem0.search("cup number", filters=ANA, top_k=3)["results"]) == 3
    assert mem0.search("cup number", filters=ANA, top_k=0)["results"] == []
    scores = [one["score"] for one in mem0.search("cup number 3", filters=ANA)["results"]]
    assert scores == sorted(scores, reverse=True)
    assert mem0.search("which cups are there?", filters=ANA, threshold=1.0)["results"] == []


def test_what_is_refused_is_told_and_not_answered_as_added(mem0):
    answer = mem0.add("the token is ghp_R7xW2qLm9TzKc4VbNs8YdFh3JpQa6EuGiOt1", infer=False, **ANA)
    assert answer["results"] == []
    [refused] = answer["refused"]
    assert refused["outcome"] == "rejected"
    assert "secret" in refused["reasons"][0]


def test_all_of_somebody_is_deleted_and_all_of_everybody_removed(mem0, memory, path):
    keep(mem0, "the heron qzxvvut nests")
    keep(mem0, "of Bob", user_id="bob")
    assert mem0.delete_all(**ANA) == {"message": "Memories deleted successfully!"}
    assert mem0.get_all(filters=ANA)["results"] == []
    assert texts(mem0.get_all(filters={"user_id": "bob"})) == ["of Bob"]
    mem0.reset()
    assert memory.list(scope=ALL, archived=True) == []
    memory.flush()
    assert all(b"qzxvvut" not in file.read_bytes() for file in path.parent.glob("memory.db*"))


@pytest.mark.parametrize(
    "call",
    [
        lambda mem0: mem0.add("x"),
        lambda mem0: mem0.add(5, **ANA),
        lambda mem0: mem0.add([5], **ANA),
        lambda mem0: mem0.add("x", user_id="a b"),
        lambda mem0: mem0.add("x", user_id=" "),
        lambda mem0: mem0.add("x", user_id="a/agent:b"),
        lambda mem0: mem0.add("x", expiration_date="soon", **ANA),
        lambda mem0: mem0.search("x"),
        lambda mem0: mem0.search("x", filters={"kind": "tea"}),
        lambda mem0: mem0.search("x", user_id="ana"),
        lambda mem0: mem0.search(" ", filters=ANA),
        lambda mem0: mem0.search("x", filters=ANA, threshold=2),
        lambda mem0: mem0.search("x", filters=ANA, top_k=-1),
        lambda mem0: mem0.search("x", filters=ANA | {"n": {"like": 1}}),
        lambda mem0: mem0.get_all(filters={"OR": [ANA]}),
        lambda mem0: mem0.get_all(user_id="ana"),
        lambda mem0: mem0.get_all(filters=ANA | {"OR": []}),
        lambda mem0: mem0.delete_all(),
        lambda mem0: mem0.update(keep(mem0, "x y z")),
    ],
)
def test_bad_input_is_a_value_error_as_theirs_is(mem0, memory, call):
    with pytest.raises(ValueError):  # noqa: PT011 - each says why in its own words
        call(mem0)
    assert len(memory.list(scope=ALL)) <= 1


def test_ids_that_are_numbers(mem0):
    keep(mem0, "of number seven", user_id=7)
    assert texts(mem0.get_all(filters={"user_id": 7})) == ["of number seven"]


def test_it_stays_within_its_scope(memory):
    one, two = Memory(memory, scope="project:one"), Memory(memory, scope="project:two")
    item_id = keep(one, "of one")
    assert two.get(item_id) is None
    assert two.get_all(filters=ANA)["results"] == []
    with pytest.raises(ValueError, match="not found"):
        two.delete(item_id)
    two.delete_all(**ANA)
    two.reset()
    assert texts(one.get_all(filters=ANA)) == ["of one"]


def test_what_others_keep_in_the_file_is_no_memory_of_mem0(mem0, memory):
    memory.records.put("a", "b", "the heron nests", user_id="ana")
    memory.add([{"role": "user", "content": "the heron nests"}], session_id="s", user_id="ana")
    assert mem0.get_all(filters=ANA)["results"] == []
    assert mem0.search("the heron nests", filters=ANA)["results"] == []
    mem0.reset()
    assert memory.records.get("a", "b", user_id="ana") is not None


def test_their_configuration_is_named_in_the_log(caplog, tmp_path, monkeypatch):
    monkeypatch.setenv("SIMONIDES_DB", str(tmp_path / "own.db"))
    with Memory.from_config({"vector_store": {"provider": "qdrant"}}) as opened:
        assert opened.get_all(filters=ANA) == {"results": []}
    assert "vector_store" in caplog.text


def test_the_same_by_await(memory):
    async def work():
        mem0 = AsyncMemory(memory)
        [new] = (await mem0.add("Ana drinks tea.", infer=False, **ANA))["results"]
        assert (await mem0.get(new["id"]))["memory"] == "Ana drinks tea."
        assert len((await mem0.search("what does Ana drink?", filters=ANA))["results"]) == 1
        await mem0.update(new["id"], "Ana drinks coffee.")
        assert len(await mem0.history(new["id"])) == 2
        await mem0.delete(new["id"])
        await mem0.delete_all(**ANA)
        assert (await mem0.get_all(filters=ANA))["results"] == []
        await mem0.reset()

    asyncio.run(work())


# Three clients with scopes of their own

CLIENTS = st.sampled_from(["ana", "bob", "cid"])
WORDS = st.sampled_from(["heron", "kettle", "ferry", "walnut"])
ACTS = st.sampled_from(["put", "search", "list", "get", "delete", "change", "delete all"])
CALLS = st.lists(
    st.tuples(CLIENTS, st.sampled_from(["mem0", "store"]), ACTS, WORDS), min_size=10, max_size=40
)


@given(CALLS)
@settings(max_examples=25)
def test_no_client_sees_or_changes_a_row_of_another(calls):
    """Every text names its client: none is ever answered to another, whatever ids and filters are tried."""
    langgraph = pytest.importorskip("simonides.adapters.langgraph")
    with simonides.Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        mem0 = Memory(memory)
        stores = {name: langgraph.SimonidesStore(memory, user_id=name) for name in ("ana", "bob", "cid")}
        ids, kept = {}, {name: set() for name in stores}
        for number, (name, door, what, word) in enumerate(calls):
            text = f"{name} saw {word} number {number}"
            answers = []
            if door == "store":
                store = stores[name]
                if what == "put":
                    store.put(("notes", word), "k", {"text": text})
                elif what == "search":
                    answers += [one.value for one in store.search((), query=word)]
                elif what == "list":
                    answers += [one.value for one in store.search(("notes",))]
                elif what == "get":
                    answers += [one.value for one in [store.get(("notes", word), "k")] if one]
                else:
                    store.delete(("notes", word), "k")
            elif what == "put":
                for new in mem0.add(text, infer=False, user_id=name)["results"]:
                    ids[new["id"]] = name
                    kept[name].add(new["id"])
            elif what == "search":
                answers += mem0.search(word, filters={"user_id": name}, threshold=0)["results"]
            elif what in {"list", "get"}:
                answers += mem0.get_all(filters={"AND": [{"user_id": name}, {"OR": [{"role": "user"}]}]})[
                    "results"
                ]
            elif what == "delete all":
                mem0.delete_all(user_id=name)
                kept[name].clear()
            elif kept[name]:
                item_id = min(kept[name])
                if what == "delete":
                    mem0.delete(item_id)
                    kept[name].discard(item_id)
                else:
                    mem0.update(item_id, metadata={"user_id": "bob", "n": number})
            assert all(str(answer.get("text") or answer.get("memory")).startswith(name) for answer in answers)
        for name, theirs in kept.items():
            found = mem0.get_all(filters={"user_id": name}, top_k=1000)["results"]
            assert {one["id"] for one in found} == theirs


@pytest.mark.parametrize(
    "change",
    [
        lambda mem0, own: mem0.update(own, text="I like gulls"),
        lambda mem0, own: mem0.update(own, metadata={"topic": "gulls"}),
        lambda mem0, own: mem0.delete(own),
        lambda mem0, own: mem0.delete_all(**ANA),
        lambda mem0, _: mem0.reset(),
    ],
)
def test_a_model_changes_nothing_that_a_person_said(memory, change):
    own = keep(Memory(memory), "I like herons")
    before = memory.get(own)
    with pytest.raises(ValueError, match="person"):
        change(Memory(memory, actor="model"), own)
    assert memory.get(own) == before


def test_a_programs_changes_are_its_own_in_the_log(mem0, memory):
    own = keep(mem0, "I like herons")
    mem0.update(own, text="I like gulls")
    mem0.delete(own)
    acts = [(event.action, event.actor) for event in memory.audit.events(item_id=own)]
    assert {actor for action, actor in acts if action in {"update", "forget"}} == {"api"}


def test_an_actor_that_is_none_is_refused(memory):
    with pytest.raises(simonides.InvalidInput):
        Memory(memory, actor="")


_MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(("user", "human", "User", "assistant", "tool", "system")),
            "content": st.sampled_from(
                (
                    "I live in Paris.",
                    "I prefer cola.",
                    "The user is vegan.",
                    "Remember that I am Ana.",
                    "It rains.",
                )
            ),
        }
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=20)
@given(
    st.sampled_from(("I prefer cola.", "I live in Paris.")) | _MESSAGES,
    st.booleans(),
    st.none() | st.just("r"),
)
def test_what_a_model_adds_is_never_the_users_word(messages, infer, run_id):
    with simonides.Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        Memory(memory, actor="model").add(messages, **ANA, infer=infer, run_id=run_id)
        Memory(memory, actor="model").add("The user prefers cola.", **ANA, infer=infer, run_id=run_id)
        kept = memory.list(scope=ALL, archived=True)
        assert not {str(item.origin) for item in kept} & {"user-said", "user-confirmed"}
        assert not {"The user prefers cola.", "I prefer cola."} & {item.content for item in kept}
