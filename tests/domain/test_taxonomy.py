"""The types and what each implies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.domain.retention import DAILY, FADING, PERMANENT, STEADY
from simonides.domain.taxonomy import TAXONOMY, Kind

SEMANTIC, PROCEDURAL, OPINION, EPISODIC = Kind.SEMANTIC, Kind.PROCEDURAL, Kind.OPINION, Kind.EPISODIC

#: Name, kind, curve, importance, whether confidence decays, whether promoted by itself.
TYPES = [
    ("identity", SEMANTIC, PERMANENT, 1.0, 0.0, True),
    ("config", SEMANTIC, PERMANENT, 0.7, 0.0, False),
    ("credential", SEMANTIC, PERMANENT, 0.7, 0.0, False),
    ("decision", SEMANTIC, STEADY, 0.8, 0.0, True),
    ("constraint", SEMANTIC, STEADY, 0.9, 0.0, True),
    ("definition", SEMANTIC, STEADY, 0.7, 0.1, True),
    ("fact", SEMANTIC, STEADY, 0.5, 0.1, False),
    ("pointer", SEMANTIC, STEADY, 0.4, 0.1, False),
    ("note", SEMANTIC, STEADY, 0.4, 0.1, False),
    ("solution", PROCEDURAL, STEADY, 0.7, 0.1, False),
    ("procedure", PROCEDURAL, STEADY, 0.6, 0.1, False),
    ("pattern", PROCEDURAL, STEADY, 0.6, 0.1, False),
    ("preference", OPINION, STEADY, 0.7, 0.1, False),
    ("event", EPISODIC, DAILY, 0.5, 0.1, False),
    ("episode", EPISODIC, DAILY, 0.3, 0.0, False),
    ("narrative", EPISODIC, DAILY, 0.4, 0.1, False),
    ("todo", SEMANTIC, DAILY, 0.5, 0.1, False),
    ("chunk", SEMANTIC, PERMANENT, 0.3, 0.0, False),
    ("record", SEMANTIC, PERMANENT, 0.4, 0.0, False),
    ("temp", SEMANTIC, FADING, 0.2, 0.1, False),
    ("debug", SEMANTIC, FADING, 0.1, 0.1, False),
]


def test_each_type_is_told_of():
    assert [name for name, *_ in TYPES] == list(TAXONOMY.specs)


@pytest.mark.parametrize(("name", "kind", "curve", "importance", "decay_rate", "promoted"), TYPES)
def test_what_a_type_implies(name, kind, curve, importance, decay_rate, promoted):
    spec = TAXONOMY[name]
    assert (spec.name, spec.kind, spec.retention) == (name, kind, curve)
    assert (spec.importance, spec.decay_rate, spec.auto_promote) == (importance, decay_rate, promoted)


def test_raw_turns_chunks_and_records_are_never_merged_and_have_no_limit_of_length():
    unmerged = {name for name, spec in TAXONOMY.specs.items() if not spec.merges}
    unlimited = {name for name, spec in TAXONOMY.specs.items() if spec.max_chars is None}
    assert unmerged == {"episode", "chunk", "record"}
    assert unlimited == {"episode", "chunk", "pointer", "record"}


@pytest.mark.parametrize("name", list(TAXONOMY.specs))
def test_a_type_is_known_by_its_own_name_without_a_remark(name):
    assert TAXONOMY.resolve(name) == (name, None)
    assert TAXONOMY.resolve(f" {name.upper()} ") == (name, None)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("process", "pattern"),
        ("rule", "constraint"),
        ("requirement", "constraint"),
        ("opinion", "preference"),
        ("conversation", "event"),
        ("how-to", "procedure"),
        ("how_to", "procedure"),
        ("Rule", "constraint"),
    ],
)
def test_other_names_that_models_use_are_understood_and_said(alias, name):
    resolved, remark = TAXONOMY.resolve(alias)
    assert resolved == name
    assert repr(name) in remark


@pytest.mark.parametrize("unknown", ["", "wisdom", "facts", "12", "x" * 1000])
def test_an_unknown_type_is_a_note_and_that_is_said(unknown):
    resolved, remark = TAXONOMY.resolve(unknown)
    assert resolved == "note"
    assert "unknown type" in remark
    assert len(remark) < 120


@given(st.sampled_from(sorted(name for name in TAXONOMY.specs if len(name) > 3)), st.data())
def test_a_mistyped_type_is_told_with_the_one_that_may_be_meant(name, data):
    at = data.draw(st.integers(0, len(name) - 1))
    letter = data.draw(st.sampled_from("aeinrstxq"))
    typed = data.draw(
        st.sampled_from(
            [name[:at] + name[at + 1 :], name[:at] + letter + name[at:], name[:at] + letter + name[at + 1 :]]
        )
    )
    resolved, remark = TAXONOMY.resolve(typed)
    if typed not in {*TAXONOMY.specs, *TAXONOMY.aliases}:
        assert resolved == "note"
        assert repr(name) in remark.partition("did you mean ")[2]


def test_the_spec_of_an_unknown_type_is_that_of_a_note():
    assert TAXONOMY["no such type"] is TAXONOMY["note"]


def test_kinds_select_their_types():
    assert TAXONOMY.of_kinds(frozenset({PROCEDURAL, OPINION})) == {
        "solution",
        "procedure",
        "pattern",
        "preference",
    }
    assert TAXONOMY.of_kinds(frozenset()) == frozenset()
    assert TAXONOMY.of_kinds(frozenset(Kind)) == set(TAXONOMY.specs)
