import pytest

from simonides.domain.entity import Entity, EntityType
from simonides.domain.ids import new_id
from simonides.language.same_names import alike


def entity(name, kind="concept", count=3, **fields):
    return Entity(
        id=new_id(1), name=name, type=EntityType(kind), first_seen_at=1, mention_count=count, **fields
    )


def pairs(*entities):
    return [(pair.keep.name, pair.other.name) for pair in alike(entities)]


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Zoë", "Zoe", "written differently"),
        ("Node.js", "NodeJS", "written differently"),
        ("NYC", "New York City", "initials"),
        ("Acme", "Acme Corp", "legal form"),
        ("Katharina", "Katherina", "one letter"),
        ("Kubernetes", "Kuberentes", "one letter"),
        ("Kubernetes", "Kubernete", "one letter"),
        ("Ana", "Ana Lopez", "part of"),
        ("Анна Петрова", "Анна", "part of"),
    ],
)
def test_names_that_may_mean_one(one, other, why):
    (pair,) = alike([entity(one), entity(other)])
    assert why in pair.why
    assert {pair.keep.name, pair.other.name} == {one, other}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Ben"),
        ("Ana Lopez", "Ana Silva"),
        ("Anna", "Anne"),
        ("Model 1234", "Model 1235"),
        ("release12", "release13"),
        ("AB", "Ana Berg"),
    ],
)
def test_names_that_differ_in_what_matters(one, other):
    assert not pairs(entity(one), entity(other))


def test_a_first_name_that_several_have_is_left_open():
    assert not pairs(entity("Ana"), entity("Ana Lopez"), entity("Ana Silva"))


def test_types_have_to_agree_where_they_are_more_than_a_guess():
    assert not pairs(entity("Apollo", "project"), entity("Apollo Berg", "person"))
    assert pairs(entity("Apollo", "concept"), entity("Apollo Berg", "person"))
    assert not pairs(entity("Apollo", "concept", settled=True), entity("Apollo Berg", "person"))


def test_scopes_are_not_mixed():
    assert not pairs(entity("Zoe", scope="user:ana"), entity("Zoë", scope="user:ben"))


def test_an_alias_counts_as_a_name():
    assert pairs(entity("Robert", aliases=("Bob Miller",)), entity("BobMiller"))


def test_what_is_mentioned_more_often_stays_and_comes_first():
    found = pairs(
        entity("Zoe", count=2), entity("Zoë", count=9), entity("NYC", count=4), entity("New York City")
    )
    assert found == [("Zoë", "Zoe"), ("NYC", "New York City")]
