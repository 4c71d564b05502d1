"""Entities as values: names, types, and what they look like as JSON."""

import json

import pytest

from simonides.domain.entity import (
    MAX_NAME_CHARS,
    Entity,
    EntityProfile,
    EntityType,
    Related,
    entity_type,
    fold,
    valid_name,
)
from simonides.errors import InvalidInput
from simonides.testing import an_item

DAY = 86_400_000_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana  Lovelace", "ana lovelace"),
        ("Петра", "ПЕТРА"),
        ("Straße", "STRASSE"),
        ("Zoe\u0308", "zoë"),
        (" Apollo\n", "APOLLO"),
    ],
)
def test_names_are_compared_without_case_blanks_and_composition(one, other):
    assert fold(one) == fold(other)


def test_different_names_stay_different():
    assert len({fold(name) for name in ("Ana", "Anna", "Aña", "A na")}) == 4


def test_a_name_given_by_hand_is_one_line_without_blanks_around():
    assert valid_name("  Ana   Lovelace ") == "Ana Lovelace"
    for wrong in ("", "  ", "a\nb", "x" * (MAX_NAME_CHARS + 1), "a\0b", None, 5):
        with pytest.raises(InvalidInput):
            valid_name(wrong)


def test_a_type_is_one_of_six_in_any_case():
    assert entity_type(" Person ") is EntityType.PERSON
    assert len(EntityType) == 6
    with pytest.raises(InvalidInput, match="organization"):
        entity_type("robot")


def test_an_entity_is_json_with_iso_times():
    entity = Entity(id="e", name="Ana", first_seen_at=0, last_seen_at=DAY, aliases=("Anna",), mention_count=3)
    assert entity.names == ("Ana", "Anna")
    assert json.loads(json.dumps(entity.to_dict())) == {
        "id": "e",
        "name": "Ana",
        "type": "concept",
        "settled": False,
        "scope": "global",
        "aliases": ["Anna"],
        "summary": None,
        "mention_count": 3,
        "first_seen_at": "1970-01-01T00:00:00Z",
        "last_seen_at": "1970-01-02T00:00:00Z",
        "attributes": {},
    }
    assert Entity(id="e", name="Ana", first_seen_at=0).to_dict()["last_seen_at"] is None


def test_a_profile_is_json():
    item = an_item("Ana keeps bees")
    ana, bo = (Entity(id=name, name=name, first_seen_at=0) for name in ("Ana", "Bo"))
    profile = EntityProfile(ana, facts=(item,), timeline=(item,), related=(Related(bo, 2),))
    found = json.loads(json.dumps(profile.to_dict()))
    assert found["entity"]["name"] == "Ana"
    assert found["facts"] == found["timeline"] == [json.loads(json.dumps(item.to_dict()))]
    assert found["related"] == [{"id": "Bo", "name": "Bo", "type": "concept", "shared": 2}]
