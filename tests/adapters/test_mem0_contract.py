"""One contract for the memory of mem0 and ours: the same calls, answers of the same shape, theirs where it is there."""

import hashlib
import json
import os
from importlib.util import find_spec

import pytest

from simonides import Memory
from simonides.adapters import mem0 as ours
from simonides.testing import FakeEmbedder
from simonides.testing_server import Page, ScriptedServer

ANA = {"user_id": "ana"}
DIMS = 32


def embedding(text):
    """A vector in which a word has a place."""
    found = [0.01] * DIMS
    for word in text.lower().replace(".", "").split():
        found[int(hashlib.sha256(word.encode()).hexdigest(), 16) % DIMS] += 1.0
    return found


def model(asked):
    """The server of models that mem0 asks: vectors, and facts as it wants them."""
    if asked.path != "/v1/embeddings":
        return json.dumps({"memory": [{"id": "0", "text": "I am allergic to walnuts.", "event": "ADD"}]})
    texts = asked.json["input"]
    texts = [texts] if isinstance(texts, str) else texts
    rows = [{"object": "embedding", "index": n, "embedding": embedding(text)} for n, text in enumerate(texts)]
    body = {"object": "list", "data": rows, "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    return Page(json.dumps(body).encode(), 200, (("Content-Type", "application/json"),))


def theirs(folder, monkeypatch):
    """mem0's own memory, on a folder, with a scripted model."""
    monkeypatch.setitem(os.environ, "MEM0_DIR", str(folder / "mem0"))
    monkeypatch.setitem(os.environ, "MEM0_TELEMETRY", "False")
    from mem0 import Memory as Theirs

    server = ScriptedServer(model)
    at = {"openai_base_url": f"{server.url}/v1", "api_key": "any", "model": "m"}
    store = {
        "path": str(folder / "qdrant"),
        "embedding_model_dims": DIMS,
        "collection_name": "c",
        "on_disk": True,
    }
    config = {
        "llm": {"provider": "openai", "config": at},
        "embedder": {"provider": "openai", "config": {**at, "embedding_dims": DIMS}},
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": str(folder / "history.db"),
    }
    return Theirs.from_config(config), server


@pytest.fixture(params=["ours", "theirs"])
def mem0(request, tmp_path, monkeypatch):
    if request.param == "ours":
        with Memory(tmp_path / "memory.db", embedder=FakeEmbedder(8)) as memory:
            yield ours.Memory(memory)
        return
    if find_spec("mem0") is None:
        pytest.skip("mem0ai is not installed")
    found, server = theirs(tmp_path, monkeypatch)
    yield found
    found.close()
    server.close()


def keep(mem0, text, **more):
    [result] = mem0.add(text, infer=False, **(ANA | more))["results"]
    return result["id"]


def texts(answer):
    return sorted(one["memory"] for one in answer["results"])


def test_what_is_kept_is_told(mem0):
    answer = mem0.add("I like herons.", infer=False, **ANA)
    assert set(answer) == {"results"}
    [one] = answer["results"]
    assert (one["memory"], one["event"], one["role"]) == ("I like herons.", "ADD", "user")
    assert set(one) == {"id", "memory", "event", "actor_id", "role"}


def test_what_is_inferred_is_told(mem0):
    [one] = mem0.add("I am allergic to walnuts.", **ANA)["results"]
    assert set(one) == {"id", "memory", "event"}
    assert (one["memory"], one["event"]) == ("I am allergic to walnuts.", "ADD")


def test_the_fields_of_a_memory(mem0):
    own = keep(mem0, "I like herons.", metadata={"topic": "birds"}, run_id="r1")
    got = mem0.get(own)
    assert set(got) - {"score"} == {
        *("id", "memory", "hash", "metadata", "created_at", "updated_at", "user_id", "run_id", "role"),
    }
    assert (got["id"], got["memory"], got["user_id"], got["run_id"]) == (own, "I like herons.", "ana", "r1")
    assert got["metadata"] == {"topic": "birds"}
    [listed] = mem0.get_all(filters=ANA)["results"]
    assert set(listed) == set(got) - {"score"}
    [found] = mem0.search("herons", filters=ANA, threshold=0.0)["results"]
    assert set(found) == set(listed) | {"score"}
    assert 0 <= found["score"] <= 1


def test_changes_and_their_history(mem0):
    own = keep(mem0, "I like herons.")
    assert mem0.update(own, text="I like gulls.") == {"message": "Memory updated successfully!"}
    assert mem0.get(own)["memory"] == "I like gulls."
    assert mem0.delete(own) == {"message": "Memory deleted successfully!"}
    assert mem0.get(own) is None
    told = mem0.history(own)
    assert [(one["event"], one["old_memory"], one["new_memory"]) for one in told] == [
        ("ADD", None, "I like herons."),
        ("UPDATE", "I like herons.", "I like gulls."),
        ("DELETE", "I like gulls.", None),
    ]
    assert [bool(one["is_deleted"]) for one in told] == [False, False, True]
    assert {frozenset(one) for one in told} == {
        frozenset(
            {"id", "memory_id", "old_memory", "new_memory", "event", "created_at", "updated_at"}
            | {"is_deleted", "actor_id", "role"}
        )
    }


def test_metadata_alone_can_be_changed(mem0):
    own = keep(mem0, "I like herons.", metadata={"topic": "birds", "year": 7})
    mem0.update(own, metadata={"topic": "gulls"})
    assert mem0.get(own)["metadata"]["topic"] == "gulls"
    assert mem0.get(own)["memory"] == "I like herons."


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"topic": "birds"}, ["a"]),
        ({"topic": {"eq": "birds"}}, ["a"]),
        ({"topic": {"ne": "birds"}}, ["b"]),
        ({"year": {"gt": 5}}, ["b"]),
        ({"year": {"gte": 5, "lte": 5}}, ["a"]),
        ({"topic": {"in": ["birds", "x"]}}, ["a"]),
        ({"topic": {"nin": ["birds"]}}, ["b"]),
        ({"OR": [{"topic": "birds"}, {"year": 9}]}, ["a", "b"]),
        ({"AND": [{"topic": "birds"}, {"year": 9}]}, []),
        ({"NOT": [{"topic": "birds"}]}, ["b"]),
    ],
)
def test_filters_over_metadata(filters, found, mem0):
    keep(mem0, "a", metadata={"topic": "birds", "year": 5})
    keep(mem0, "b", metadata={"topic": "boats", "year": 9})
    assert texts(mem0.search("a b", filters=ANA | filters, threshold=0.0)) == found


def test_people_are_apart_and_all_of_one_is_deleted(mem0):
    keep(mem0, "I like herons.")
    keep(mem0, "I like boats.", user_id="bob")
    assert texts(mem0.get_all(filters=ANA)) == ["I like herons."]
    assert mem0.delete_all(user_id="ana") == {"message": "Memories deleted successfully!"}
    assert texts(mem0.get_all(filters=ANA)) == []
    assert texts(mem0.get_all(filters={"user_id": "bob"})) == ["I like boats."]
    mem0.reset()
    assert texts(mem0.get_all(filters={"user_id": "bob"})) == []


def test_what_is_over_is_hidden(mem0):
    keep(mem0, "I like herons.", expiration_date="2020-01-01")
    keep(mem0, "I like gulls.", expiration_date="2099-01-01")
    assert texts(mem0.get_all(filters=ANA)) == ["I like gulls."]
    assert texts(mem0.get_all(filters=ANA, show_expired=True)) == ["I like gulls.", "I like herons."]
    [one] = mem0.get_all(filters=ANA)["results"]
    assert one["expiration_date"] == "2099-01-01"


KEPT = {
    "one": {"k": 1}, "two": {"k": 2}, "half": {"k": 1.5}, "whole": {"k": 1.0}, "true": {"k": True},
    "false": {"k": False}, "text": {"k": "Fig Tree"}, "day": {"k": "2025-01-02"}, "null": {"k": None},
    "letters": {"l": ["a", "b"]}, "numbers": {"l": [1, 2]},
}  # fmt: skip
OF_K = set(KEPT) - {"null", "letters", "numbers"}


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"k": 1}, {"one"}),
        ({"k": True}, {"true"}),
        ({"k": "*"}, set(KEPT)),
        ({"zz": "*"}, set(KEPT)),
        ({"NOT": [{"k": "*"}]}, set(KEPT)),
        ({"OR": [{"k": "*"}]}, set(KEPT)),
        ({"k": {"ne": 1}}, OF_K - {"one"}),
        ({"k": {"nin": [1, 2]}}, OF_K - {"one", "two"}),
        ({"k": {"nin": []}}, OF_K),
        ({"k": {"ne": "Fig Tree"}}, OF_K - {"text"}),
        ({"zz": {"ne": 1}}, set()),
        ({"NOT": [{"k": {"ne": 1}}]}, {"one", "null", "letters", "numbers"}),
        ({"NOT": [{"k": 1}]}, set(KEPT) - {"one"}),
        ({"l": "a"}, {"letters"}),
        ({"l": 1}, {"numbers"}),
        ({"l": True}, set()),
        ({"l": ["a", "z"]}, {"letters"}),
        ({"l": {"in": ["a"]}}, {"letters"}),
        ({"l": {"in": []}}, set()),
        ({"l": {"ne": "a"}}, {"letters", "numbers"}),
        ({"l": {"gt": 1}}, {"numbers"}),
        ({"l": {"contains": "a"}}, {"letters"}),
        ({"k": {"lt": 2}}, {"one", "half", "whole"}),
        ({"k": {"gte": 1, "lt": 2}}, {"one", "half", "whole"}),
        ({"k": {"gt": "2025-01-01"}}, {"day"}),
        ({"k": {"icontains": "fig"}}, {"text"}),
        ({"OR": [{"k": 1}, {"l": "a"}]}, {"one", "letters"}),
        ({"AND": [{"k": {"gte": 1}}, {"k": {"lt": 2}}]}, {"one", "half", "whole"}),
    ],
)
def test_a_filter_finds_the_same(mem0, filters, names):
    for name, metadata in KEPT.items():
        mem0.add(f"The {name} thing.", infer=False, metadata=metadata, **ANA)
    found = mem0.get_all(filters={**ANA, **filters}, top_k=100)["results"]
    assert {one["memory"].split()[1] for one in found} == names


UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    "call",
    [
        lambda mem0: mem0.add("I like herons.", infer=False),
        lambda mem0: mem0.add(5, infer=False, **ANA),
        lambda mem0: mem0.search("herons"),
        lambda mem0: mem0.search("", filters=ANA),
        lambda mem0: mem0.search("herons", user_id="ana"),
        lambda mem0: mem0.search("herons", filters=ANA, threshold=2),
        lambda mem0: mem0.search("herons", filters=ANA, top_k=-1),
        lambda mem0: mem0.get_all(),
        lambda mem0: mem0.get_all(user_id="ana"),
        lambda mem0: mem0.update(UNKNOWN, text="x"),
        lambda mem0: mem0.update(UNKNOWN),
        lambda mem0: mem0.delete(UNKNOWN),
        lambda mem0: mem0.delete_all(),
        lambda mem0: mem0.get_all(filters={**ANA, "k": {"near": 1}}),
        lambda mem0: mem0.get_all(filters={**ANA, "k": {}}),
        lambda mem0: mem0.get_all(filters={**ANA, "k": {"in": 5}}),
        lambda mem0: mem0.add("x", infer=False, expiration_date="soon", **ANA),
    ],
)
def test_bad_input_is_refused(call, mem0):
    with pytest.raises(Exception) as raised:  # noqa: PT011 - their own errors are of several kinds
        call(mem0)
    names = {kind.__name__ for kind in type(raised.value).__mro__}
    assert names & {"ValueError", "ValidationError"}, raised.value


def test_what_is_not_there_is_none(mem0):
    assert mem0.get(UNKNOWN) is None
    assert mem0.history(UNKNOWN) == []
