import pytest

from benchmarks.variants import changed, changes
from simonides.config import Settings
from simonides.errors import InvalidInput


def test_a_setting_is_changed_by_its_whole_name_or_by_the_end_of_it():
    whole = changed(Settings(), {"recall.min_relevance": 0.25, "store.synchronous": "NORMAL"})
    assert (whole.recall.min_relevance, whole.store.synchronous) == (0.25, "NORMAL")
    assert changed(Settings(), {"min_relevance": 0.25}).recall.min_relevance == 0.25


def test_a_text_is_read_as_what_the_setting_is():
    assert changed(Settings(), changes("min_relevance=0.5")).recall.min_relevance == 0.5
    with pytest.raises(InvalidInput, match="min_relevance takes a float, not 'much'"):
        changed(Settings(), {"min_relevance": "much"})


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(InvalidInput, match=r"there is no setting 'luck' of the read path; .*min_relevance"):
        changed(Settings(), {"luck": 1})


def test_a_value_out_of_range_is_refused():
    with pytest.raises(InvalidInput, match="min_relevance"):
        changed(Settings(), {"min_relevance": 7})
