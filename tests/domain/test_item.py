"""The item: what it refuses, and its snapshot."""

import json
import math
import string
from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.instant import instant, iso
from simonides.domain.item import Item, Status, Usage, Validation, canonical_json, from_snapshot, snapshot
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import TRUST_OF, Origin, Provenance, SourceKind, Trust
from simonides.domain.scope import GLOBAL, Scope
from simonides.domain.taxonomy import TAXONOMY, Tier
from simonides.errors import InvalidInput
from simonides.testing import an_item

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40)
NAMES = st.text(string.ascii_letters + string.digits + "-_ é日", min_size=1, max_size=12)
WORDS = st.lists(NAMES, max_size=4, unique=True).map(tuple)
INSTANTS = st.integers(instant("1900-01-01"), instant("2200-01-01"))
SHARES = st.floats(0, 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
PROVENANCES = st.builds(
    Provenance,
    source_kind=st.sampled_from(SourceKind),
    source_id=st.none() | TEXTS,
    source_role=st.none() | NAMES,
    chunk_ids=WORDS,
    content_hashes=WORDS,
    span=st.none() | st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
)


@st.composite
def items(draw):
    """Any item that can be stored."""
    valid = sorted(draw(st.lists(INSTANTS, min_size=2, max_size=2)))
    maybe = st.none() | INSTANTS
    return Item(
        id=draw(NAMES),
        content=draw(TEXTS),
        type=draw(st.sampled_from(sorted(TAXONOMY.specs))),
        created_at=draw(INSTANTS),
        updated_at=draw(INSTANTS),
        scope=draw(st.sampled_from([GLOBAL, Scope("user:ana"), Scope("user:ana/project:apollo")])),
        tier=draw(st.sampled_from(Tier)),
        title=draw(st.just("") | TEXTS),
        tags=draw(WORDS),
        entities=draw(WORDS),
        provenance=draw(PROVENANCES),
        confidence=draw(SHARES),
        importance=draw(SHARES),
        validation=draw(st.sampled_from(Validation)),
        status=draw(st.sampled_from(Status)),
        injectable=draw(st.booleans()),
        pinned=draw(st.booleans()),
        decay_rate=draw(st.floats(0, 10)),
        event_at=draw(maybe),
        valid_from=draw(st.sampled_from([None, valid[0]])),
        valid_until=draw(st.sampled_from([None, valid[1]])),
        expires_at=draw(maybe),
        superseded_by=draw(st.none() | NAMES),
        session_id=draw(st.none() | NAMES),
        task_id=draw(st.none() | NAMES),
        narrative_id=draw(st.none() | NAMES),
        corpus_id=draw(st.none() | NAMES),
        rule_id=draw(st.none() | NAMES),
        ordinal=draw(st.none() | st.integers(0, 10**9)),
        origin=draw(st.sampled_from(Origin)),
        trust=draw(st.sampled_from(Trust)),
        metadata=draw(st.dictionaries(TEXTS, JSON, max_size=3)),
    )


# Invariants


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": -0.01},
        {"confidence": 1.01},
        {"confidence": float("nan")},
        {"importance": 1.5},
        {"importance": float("nan")},
        {"decay_rate": -0.1},
        {"decay_rate": float("nan")},
        {"title": "x" * 201},
        {"valid_from": 2, "valid_until": 1},
        {"tags": ("two\nlines",)},
        {"entities": ("two\nlines",)},
        {"tags": ("",)},
        {"tags": ("a", "")},
    ],
)
def test_an_item_with_a_value_out_of_range_cannot_be_made(changes):
    with pytest.raises(InvalidInput):
        an_item("x", **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": 0.0, "importance": 1.0, "decay_rate": 0.0},
        {"title": "x" * 200},
        {"valid_from": 1, "valid_until": 1},
        {"valid_until": 1},
    ],
)
def test_the_ends_of_the_ranges_belong_to_them(changes):
    an_item("x", **changes)


def test_an_item_cannot_be_changed_in_place():
    with pytest.raises(FrozenInstanceError):
        an_item("x").content = "y"


def test_usage_says_nothing_about_whether_two_items_are_equal():
    item = an_item("x")
    assert replace(item, usage=Usage(3.0, 7, 1, 1)) == item
    assert replace(item, content="y") != item


@pytest.mark.parametrize(
    ("changes", "protected"),
    [
        ({}, False),
        ({"decay_rate": 0.0}, True),
        ({"pinned": True}, True),
        ({"tier": Tier.LTM}, True),
        ({"tier": Tier.MTM}, False),
        ({"validation": Validation.VERIFIED}, True),
        ({"validation": Validation.CONTESTED}, False),
    ],
)
def test_what_protects_an_item_from_decay_and_pruning(changes, protected):
    assert an_item("x", **changes).protected is protected


def test_the_text_that_is_embedded_is_title_and_content():
    assert an_item("content", title="title").text == "title\ncontent"
    assert an_item("content").text == "content"


def test_every_origin_has_a_trust_and_the_web_the_lowest():
    assert set(TRUST_OF) == set(Origin)
    assert [origin for origin, trust in TRUST_OF.items() if trust is Trust.LOW] == [Origin.WEB]


# JSON


@given(items())
def test_an_item_as_json_has_every_field_and_iso_times(item):
    found = json.loads(json.dumps(item.to_dict()))
    names = {field.name for field in fields(Item)} - {"usage"}
    assert names <= set(found)
    assert found["created_at"] == iso(item.created_at)
    assert found["content_hash"] == item.content_hash.hex()
    assert found["event_at"] is None if item.event_at is None else instant(found["event_at"]) == item.event_at


# Snapshots


@given(items())
def test_an_item_comes_back_from_its_json(item):
    back = Item.from_dict(json.loads(json.dumps(item.to_dict())))
    assert back == item
    assert back.usage == item.usage


@given(items(), st.data())
def test_json_that_is_no_item_is_refused(item, data):
    found = item.to_dict()
    name = data.draw(st.sampled_from(sorted(set(found) - {"content_hash", "headline"})))
    for broken in (
        {k: v for k, v in found.items() if k != name},
        found | {name: object()},
        [found],
        None,
        "x",
    ):
        with pytest.raises(InvalidInput):
            Item.from_dict(broken)


def test_the_times_of_an_item_are_datetimes_in_utc():
    item = an_item(created_at=0, updated_at=1_000_000)
    assert item.times == {
        "created_at": datetime(1970, 1, 1, tzinfo=UTC),
        "updated_at": datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC),
    }


@given(items())
def test_a_snapshot_gives_the_item_back(item):
    assert from_snapshot(snapshot(item)) == item


@given(items())
def test_equal_items_have_equal_snapshots(item):
    again = from_snapshot(snapshot(item))
    assert snapshot(again) == snapshot(item)
    assert again.content_hash == item.content_hash


@given(items(), st.data())
def test_a_snapshot_shows_every_difference(item, data):
    other = data.draw(items())
    assert item == other or snapshot(item) != snapshot(other)


def test_a_snapshot_holds_no_usage_and_no_empty_values():
    found = json.loads(snapshot(replace(an_item("x"), usage=Usage(3.0, 7, 1, 1))))
    assert not {"usage", "usage_count", "reinforcement", "title", "tags", "metadata"} & set(found)


def test_zero_is_a_value_and_not_an_empty_one():
    item = an_item("x", ordinal=0, event_at=0, valid_from=0)
    assert from_snapshot(snapshot(item)).ordinal == 0
    assert from_snapshot(snapshot(item)).event_at == 0


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{}", '"text"', "{", '{"id":"x"}', "{}" * 3, '{"source_kind":"rumour"}'],
)
def test_what_is_no_snapshot_is_refused(text):
    with pytest.raises(InvalidInput, match="not a snapshot"):
        from_snapshot(text)


@pytest.mark.parametrize("name", ["status", "tier", "validation", "origin", "trust", "scope"])
def test_a_snapshot_with_an_unknown_name_is_refused(name):
    found = json.loads(snapshot(an_item("x"))) | {name: "no such"}
    with pytest.raises(InvalidInput):
        from_snapshot(json.dumps(found))


def test_a_snapshot_with_an_unknown_field_is_refused():
    with pytest.raises(InvalidInput):
        from_snapshot(json.dumps(json.loads(snapshot(an_item("x"))) | {"colour": "red"}))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"x", {("a", "b"): 1}])
def test_what_is_not_json_is_refused(value):
    with pytest.raises(InvalidInput, match="JSON"):
        canonical_json({"value": value})


def test_canonical_json_does_not_depend_on_the_order_of_names():
    assert (
        canonical_json({"b": 1, "a": [1, 2]}) == canonical_json({"a": [1, 2], "b": 1}) == '{"a":[1,2],"b":1}'
    )


@pytest.mark.parametrize("metadata", [{2: "two", 10: "ten"}, {"deep": {2: "two", 10: "ten"}}])
def test_the_snapshot_of_an_item_is_that_of_what_is_read_back(metadata):
    item = an_item("x", metadata=metadata)
    assert snapshot(from_snapshot(snapshot(item))) == snapshot(item)


@pytest.mark.parametrize("number", [-0.0, 0, 0.0, 1, True, np.float64(0.5), np.float32(0.25)])
def test_numbers_of_items_and_links_are_as_a_store_keeps_them(number):
    one, other = an_item("One.", confidence=number, importance=number, decay_rate=number), an_item("Two.")
    link = Link(src=one.id, dst=other.id, rel=Relation.SUPPORTS, weight=number, confidence=number)
    for found in (one.confidence, one.importance, one.decay_rate, link.weight, link.confidence):
        assert type(found) is float
        assert found == float(number)
        assert math.copysign(1, found) == 1


@given(items(), st.sampled_from(["", " ", "\n\t"]), JSON)
def test_every_item_has_a_line_to_be_read_by(item, blank, value):
    for one in (item, replace(item, content=blank, title=blank, metadata={"value": value})):
        assert one.display.strip()
        assert one.headline.strip()
        assert "\n" not in repr(one)
