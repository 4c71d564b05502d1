"""The form of a change: what the store keeps of it names its subject."""

import inspect
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.upkeep import change as changes
from simonides.upkeep.change import Change, Subject, subject_of
from simonides.upkeep.change.link import LinkBetween
from simonides.upkeep.change.pair import PairMark
from simonides.upkeep.change.place import PlaceOf
from simonides.upkeep.change.session import SessionEnd, SessionMark
from simonides.upkeep.change.summary import SummaryOf

KINDS = [
    found
    for found in vars(changes).values()
    if inspect.isclass(found) and issubclass(found, Change) and found is not Change
]
OF_KINDS = {
    "link": LinkBetween, "unlink": LinkBetween, "place": PlaceOf, "summary": SummaryOf, "session": SessionMark,
    "ended": SessionEnd, "judged": PairMark,
}  # fmt: skip


def test_no_two_changes_are_kept_under_one_kind():
    assert len({found.kind for found in KINDS}) == len(KINDS) == 17


@pytest.mark.parametrize("kind", OF_KINDS)
@given(data=st.data())
def test_a_stored_change_leads_back_to_its_subject_and_values(kind, data):
    of = OF_KINDS[kind]
    subject = of(*(data.draw(st.text(min_size=1)) for _ in fields(of)))
    before, after = data.draw(st.tuples(*[st.none() | st.integers() | st.text()] * 2))
    row = subject.row(kind, before=before, after=after)
    found = subject_of(row)
    assert found == subject
    assert (found.before(row), found.after(row)) == (before, after)


def test_a_kind_that_nothing_is_known_of_leaves_nothing_to_take_back():
    row = Subject().row("of a later release", before=1, after=2)
    assert subject_of(row) == Subject()
    assert subject_of(row).changed() is None
    assert subject_of(row).lines(1, 2) == ()
