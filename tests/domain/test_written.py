"""Values as JSON: what `to_dict` writes of any field, `from_dict` reads."""

import json
import sys
import types
from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simonides import client  # noqa: F401 - it reads all of them
from simonides.domain.entity import Entity, Related
from simonides.domain.instant import iso
from simonides.domain.item import Item
from simonides.domain.record import Record
from simonides.domain.scope import Scope
from simonides.domain.written import Written
from simonides.errors import InvalidInput
from simonides.testing import an_item

NAMES = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
AT = st.integers(0, 4_000_000_000_000_000)
#: Strategies of fields by type; a count of 0 is not told, and a share lies in [0, 1].
OF_TYPES = {
    int: st.integers(1, 9),
    float: st.floats(0, 1),
    str: NAMES,
    bool: st.booleans(),
    Any: VALUES,
    Scope: st.sampled_from(["global", "user:ana", "project:apollo"]).map(Scope),
    Item: st.just(an_item("one")),
    Related: st.builds(
        Related, st.builds(Entity, id=NAMES, name=NAMES, first_seen_at=st.just(0)), st.integers(1, 9)
    ),
}
INSTANTS = {"at", "start", "end", "valid_from", "valid_until"}


def of_type(hint, name=""):
    """Values of a type, of a field of this name."""
    if hint is int and (name.endswith("_at") or name in INSTANTS):
        return AT
    if hint in OF_TYPES:
        return OF_TYPES[hint]
    inner = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        return st.none() | of_type(inner[0], name)
    if get_origin(hint) is Mapping:
        return st.dictionaries(NAMES, of_type(inner[1]), max_size=3)
    if get_origin(hint) is tuple:
        members = st.lists(of_type(inner[0]), max_size=2)
        return members.map(tuple) if inner[1:] == (...,) else st.tuples(*map(of_type, inner))
    return st.sampled_from(hint) if issubclass(hint, Enum) else built(hint)


def built(kind):
    """Values of a class: ends of a link differ, and a run has no runs in it."""
    told = {field.name for field in fields(kind) if not field.metadata.get("inner")} - {"parts"}
    strategies = {name: of_type(hint, name) for name, hint in get_type_hints(kind).items() if name in told}
    if "src" in told:
        strategies |= {"src": st.just("one"), "dst": st.just("other")}
    return st.builds(kind, **strategies)


#: Of a class with slots there is the one without them, too, which nobody can name.
KINDS = sorted(
    (kind for kind in Written.__subclasses__() if vars(sys.modules[kind.__module__])[kind.__name__] is kind),
    key=lambda kind: kind.__name__,
)
RECORDS = built(Record)


def test_the_values_that_a_memory_answers_with_are_tried_here():
    assert len(KINDS) > 20


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(st.data())
def test_a_value_comes_back_from_its_json_with_every_field(kind, data):
    value = data.draw(built(kind))
    assert kind.from_dict(json.loads(json.dumps(value.to_dict()))) == value


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_such_value_is_refused(kind):
    for written in ([], "{}", None, {}):
        if written == {} and not any(required(kind)):
            continue
        with pytest.raises(InvalidInput):
            kind.from_dict(written)


def required(kind):
    """Fields that have no default."""
    return [field.name for field in fields(kind) if field.default is field.default_factory]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(st.data())
def test_a_time_that_is_none_is_refused(kind, data):
    written = data.draw(built(kind)).to_dict()
    for name in [name for name in written if name.endswith("_at") or name in INSTANTS]:
        with pytest.raises(InvalidInput):
            kind.from_dict(written | {name: "yesterday or so"})


@given(RECORDS)
def test_a_record_is_told_with_every_field_in_order(record):
    assert list(record.to_dict()) == [field.name for field in fields(Record)]


@given(RECORDS)
def test_instants_are_told_in_iso_and_what_only_looks_like_one_is_not(record):
    written = record.to_dict()
    assert written["created_at"] == iso(record.created_at)
    assert written["expires_at"] == (None if record.expires_at is None else iso(record.expires_at))
    assert written["value"] == record.value
    assert type(written["scope"]) is str
