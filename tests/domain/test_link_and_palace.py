"""Links, and where an item stands that nobody has put anywhere."""

import pytest

from simonides.domain.link import HAND_MADE, Link, Relation, relation
from simonides.domain.palace import domain_of
from simonides.errors import InvalidInput


@pytest.mark.parametrize("changes", [{"weight": -1}, {"confidence": 1.1}, {"confidence": -0.1}, {"dst": "a"}])
def test_a_link_out_of_range_or_to_itself_cannot_be_made(changes):
    with pytest.raises(InvalidInput):
        Link(**({"src": "a", "dst": "b", "rel": Relation.CAUSAL} | changes))


def test_a_link_as_json_leaves_out_what_is_unknown():
    assert Link(src="a", dst="b", rel=Relation.SUPPORTS).to_dict() == {
        "src": "a",
        "dst": "b",
        "rel": "supports",
        "weight": 1.0,
        "confidence": 1.0,
        "created_at": "1970-01-01T00:00:00Z",
    }


@pytest.mark.parametrize("name", ["supports", " Supports ", "DERIVED_FROM"])
def test_a_relation_is_known_by_its_name(name):
    assert relation(name).value == name.strip().lower()


def test_an_unknown_relation_is_refused_with_those_one_may_use():
    with pytest.raises(InvalidInput, match="references"):
        relation("likes")


def test_what_the_engine_makes_is_not_linked_by_hand():
    assert not HAND_MADE & {Relation.TEMPORAL, Relation.MENTIONS, Relation.CO_RECALLED, Relation.CONTAINS}


@pytest.mark.parametrize(
    ("scope", "corpus", "domain"),
    [
        ("user:ana/project:apollo", None, "apollo"),
        ("user:ana/project:apollo", "manuals", "apollo"),
        ("user:ana", "manuals", "manuals"),
        ("user:ana", None, "user:ana"),
        ("global", None, "global"),
    ],
)
def test_the_domain_is_the_project_else_the_corpus_else_the_scope(scope, corpus, domain):
    assert domain_of(scope, corpus) == domain
