"""Export and import: from one store to another without loss."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.scope import ALL
from simonides.testing import FrozenClock


@pytest.fixture
def filled(memory, clock):
    """A memory with a bit of everything that is exported."""
    (decision,) = memory.add(
        "we ship on Fridays, 每周五发布",
        type="decision",
        title="Releases",
        scope="user:ana/project:apollo",
        tags=["release", "Срок"],
        entities=["Ana Lovelace"],
        importance=0.9,
        event_at="2025-12-24T18:00:00.000001Z",
        valid_from="2025-01-01",
        expires_at="2027-01-01",
        provenance={"source_kind": "doc", "source_id": "plan.md", "content_hashes": ["ab"], "span": [3, 9]},
        metadata={"deep": [1, {"a": None}], "ä": 0.1},
    )
    memory.add("a note of nobody")
    memory.add([{"role": "user", "content": "hi", "id": "m1"}, {"role": "assistant", "content": "hello"}])
    clock.advance(days=1)
    memory.update(decision.item_id, content="we ship on Mondays")
    clock.advance(days=1)
    corrected = memory.correct(decision.item_id, "we ship on Tuesdays")
    memory.confirm(corrected.item_id)
    memory.reinforce(corrected.item_id)
    memory.demote(corrected.item_id)
    note = memory.list()[-1]
    memory.forget(note.id)
    memory.link(corrected.item_id, note.id, "supports", evidence="she said so", weight=0.5)
    memory.get(corrected.item_id, used=True)
    memory.flush()
    return memory


def through_json(records):
    return [json.loads(json.dumps(record, ensure_ascii=False)) for record in records]


def everything(memory):
    """All that is known of every item."""
    found = {}
    for item in memory.list(scope=ALL, archived=True, limit=1000):
        told = memory.explain(item.id)
        found[item.id] = (item, item.usage, told.revisions, told.links)
    return found


def test_what_is_exported_and_loaded_is_the_same(filled, open_memory, tmp_path):
    records = through_json(filled.export())
    other = open_memory(tmp_path / "other.db")
    result = other.load(records)
    assert {verdict.outcome.value for verdict in result.verdicts} == {"accepted"}
    assert everything(other) == everything(filled)
    assert through_json(other.export()) == records
    assert other.doctor().healthy
    assert filled.doctor().healthy


def test_what_was_loaded_is_found(filled, open_memory, tmp_path):
    other = open_memory(tmp_path / "other.db")
    other.load(through_json(filled.export()))
    for memory in (filled, other):
        hits = memory.search("when do we ship?", scope="user:ana/project:apollo").hits
        assert [hit.item.content for hit in hits][:1] == ["we ship on Tuesdays"]
    assert other.stats()["vectors"] == filled.stats()["vectors"]


def test_loading_twice_changes_nothing_and_says_merged(filled, open_memory, tmp_path):
    records = through_json(filled.export())
    other = open_memory(tmp_path / "other.db")
    other.load(records)
    before = everything(other)
    again = other.load(records)
    items = [
        verdict for verdict, record in zip(again.verdicts, records, strict=True) if record["kind"] == "item"
    ]
    assert {verdict.outcome.value for verdict in items} == {"merged"}
    assert everything(other) == before
    assert other.doctor().healthy


def test_loading_into_the_store_it_came_from_changes_nothing(filled):
    before = everything(filled)
    filled.load(through_json(filled.export()))
    assert everything(filled) == before


def test_a_later_export_continues_the_history(filled, open_memory, tmp_path, clock):
    other = open_memory(tmp_path / "other.db")
    other.load(through_json(filled.export()))
    clock.advance(days=1)
    item = filled.list(scope="user:ana/project:apollo", limit=1)[0]
    filled.update(item.id, content="we ship whenever we like")
    other.load(through_json(filled.export()))
    assert everything(other) == everything(filled)
    assert other.search("whenever", scope=ALL).hits[0].item.content == "we ship whenever we like"


def test_an_item_that_went_another_way_is_not_overwritten(filled, open_memory, tmp_path):
    records = through_json(filled.export())
    other = open_memory(tmp_path / "other.db")
    other.load(records)
    item = other.list(scope="user:ana/project:apollo", limit=1)[0]
    other.update(item.id, content="we ship in the other store")
    filled.update(item.id, content="we ship in this store")
    result = other.load(through_json(filled.export()))
    rejected = [verdict for verdict in result.verdicts if verdict.outcome == "rejected"]
    assert len(rejected) == 1
    assert "different history" in rejected[0].reasons[0]
    assert other.get(item.id).content == "we ship in the other store"


def test_a_bad_record_costs_the_others_nothing(filled, open_memory, tmp_path):
    records = through_json(filled.export())
    bad = [
        {},
        {"kind": "planet"},
        {"kind": "item"},
        {"kind": "item", "format": 99},
        {"kind": "link", "src": "a"},
    ]
    other = open_memory(tmp_path / "other.db")
    result = other.load([*bad, *records])
    assert [verdict.outcome.value for verdict in result.verdicts[:5]] == ["rejected"] * 5
    assert "record 2" in result.verdicts[1].reasons[0]
    assert everything(other) == everything(filled)


def test_a_turn_that_the_other_store_heard_itself_costs_the_others_nothing(open_memory, tmp_path):
    turns = [
        {"role": "user", "content": "hi", "id": "m1"},
        {"role": "user", "content": "how are you", "id": "m2"},
    ]
    one, other = open_memory(tmp_path / "one.db"), open_memory(tmp_path / "other.db")
    one.add(turns, session_id="s")
    one.add("a note beside it")
    other.add(turns[:1], session_id="s")
    result = other.load(through_json(one.export()), trusted=True)
    outcomes = [verdict.outcome.value for verdict in result.verdicts]
    assert outcomes[:3].count("rejected") == 1
    assert {item.content for item in other.list()} == {"hi", "how are you", "a note beside it"}
    assert other.doctor().healthy


def test_only_the_scope_that_is_asked_for_is_exported(filled):
    assert {record["id"] for record in filled.export(scope="global") if record["kind"] == "item"} == {
        item.id for item in filled.list(archived=True)
    }
    assert len(list(filled.export(scope="user:nobody"))) == len(list(filled.export(scope="global")))


@given(
    changes=st.lists(
        st.tuples(
            st.integers(0, 3), st.sampled_from([None, "1999-05-01", "2020-01-01", "2031-02-03", "2090-12-31"])
        ),
        max_size=6,
    )
)
def test_whenever_a_thing_is_said_to_have_happened_a_copy_is_exported_alike(changes):
    with Memory(":memory:", clock=FrozenClock("2026-03-01")) as memory, Memory(":memory:") as copy:
        texts = [
            "Ana keeps goats with Bob.",
            "Ana met Bob in Graz.",
            "Bob moved to Graz.",
            "Ana sold the goats.",
        ]
        ids = [memory.add(text, user_id="u").item_ids[0] for text in texts]
        for place, event_at in changes:
            memory.update(ids[place], event_at=event_at)
        told = list(memory.export())
        copy.load(told, trusted=True)
        assert list(copy.export()) == told
