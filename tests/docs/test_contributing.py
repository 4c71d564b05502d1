"""The recipes of CONTRIBUTING.md name what there is."""

import re


def paths(docs):
    text = (docs.root / "CONTRIBUTING.md").read_text("utf-8")
    return sorted(set(re.findall(r"`((?:src|tests|docs|benchmarks|scripts)/[\w./-]+)`", text)))


def test_every_place_that_a_recipe_names_is_there(docs):
    found = paths(docs)
    assert len(found) > 10
    missing = [
        path
        for path in found
        if "CODE" not in path and "NAME" not in path and not (docs.root / path).exists()
    ]
    assert missing == []
