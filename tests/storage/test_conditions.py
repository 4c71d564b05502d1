"""Selections as SQL: no field of one is passed over."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from simonides.domain.scope import Scope
from simonides.domain.selection import HeldOnce, Selection, Weakness
from simonides.storage.postgres.conditions import conditions as of_postgres
from simonides.storage.sqlite.conditions import conditions as of_sqlite

WIDE = Selection(scopes=(Scope("global"),), live_at=None)
NARROWING = [one for one in fields(Selection) if one.name not in {"scopes", "live_at", "statuses"}]
VALUES = {
    "former": HeldOnce(1, 2),
    "weak": Weakness(1, 0.5),
    "metadata": (("a", "1"),),
    "place": ("House", None, None),
    **dict.fromkeys(("pinned", "injectable"), True),
    **dict.fromkeys(("tiers", "types"), frozenset({"x"})),
    **dict.fromkeys(("mentioned", "among"), (1,)),
    "tags": frozenset({"x"}),
}


@pytest.mark.parametrize("field", NARROWING, ids=lambda field: field.name)
@pytest.mark.parametrize("conditions", [of_sqlite, of_postgres], ids=["sqlite", "postgres"])
def test_every_field_of_a_selection_is_a_condition(conditions, field):
    one = replace(WIDE, **{field.name: VALUES.get(field.name, True if field.default is False else "x")})
    assert one.narrow
    assert not WIDE.narrow
    plain, _ = conditions(WIDE, lambda _: [1])
    fragments, values = conditions(one, lambda _: [1])
    assert len(fragments) == len(plain) + 1
    names = {name for name in values if f":{name}" in " ".join(fragments)}
    assert names == set(values)


@pytest.mark.parametrize("field", NARROWING, ids=lambda field: field.name)
def test_a_value_that_is_zero_or_empty_narrows_too(field):
    if field.default is None:
        assert replace(WIDE, **{field.name: 0}).narrow
        assert replace(WIDE, **{field.name: ""}).narrow
