"""Values as JSON: what `to_dict` writes of any field, `from_dict` reads."""

import json
from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.instant import iso
from simonides.domain.record import Record
from simonides.domain.scope import Scope

NAMES = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
AT = st.integers(0, 4_000_000_000_000_000)
RECORDS = st.builds(
    Record,
    space=st.lists(NAMES, max_size=3).map(tuple),
    key=NAMES,
    value=VALUES,
    scope=st.sampled_from(["global", "user:ana", "project:apollo"]).map(Scope),
    item_id=st.just("01J"),
    created_at=AT,
    updated_at=AT,
    expires_at=st.none() | AT,
)


@given(RECORDS)
def test_a_value_comes_back_from_its_json_with_every_field(record):
    written = record.to_dict()
    assert list(written) == [field.name for field in fields(Record)]
    assert Record.from_dict(json.loads(json.dumps(written))) == record


@given(RECORDS)
def test_instants_are_told_in_iso_and_what_only_looks_like_one_is_not(record):
    written = record.to_dict()
    assert written["created_at"] == iso(record.created_at)
    assert written["expires_at"] == (None if record.expires_at is None else iso(record.expires_at))
    assert written["value"] == record.value
    assert type(written["scope"]) is str
