"""Patterns that are compiled when they are first needed."""

import re

import pytest

from simonides.domain.pattern import later


def test_it_is_used_as_if_it_were_compiled():
    found = later(r"(?P<word>h\w+)", re.IGNORECASE)
    assert found.search("a Heron")["word"] == "Heron"
    assert found.sub("owl", "a heron, a HEN") == "a owl, a owl"
    assert [match[0] for match in found.finditer("hen heron")] == ["hen", "heron"]
    assert found.flags & re.IGNORECASE


def test_an_error_shows_at_the_first_use():
    broken = later("(")
    with pytest.raises(re.error):
        broken.search("x")
