"""The packaged rules keep what their own files promise."""

import tomllib
from importlib import resources

import pytest

from simonides.governance.checks import CHECKS
from simonides.governance.rulebook import Rule, rulebook
from simonides.governance.scan import redact, scan

RULES = rulebook().rules
EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)

#: Sixty letters of nothing in particular, to move an example along the pieces the gate reads.
FILLER = "The lamp in the hall is green and the stairs are made of oak. "


def names(text: str) -> set[str]:
    return {finding.rule for finding in scan(text)}


@EVERY_RULE
def test_a_rules_example_hits(rule: Rule):
    assert rule.name in names(rule.example)


@EVERY_RULE
def test_a_rules_counterexample_does_not_hit(rule: Rule):
    assert rule.name not in names(rule.counterexample)


@EVERY_RULE
def test_an_example_hits_wherever_it_stands_in_a_longer_text(rule: Rule):
    if rule.short or r"\A" in rule.source:
        pytest.skip("looks at the whole text")
    missed = [
        offset
        for offset in range(0, 480, 37)
        if rule.name not in names((FILLER * 8)[:offset] + "\n" + rule.example + "\n" + FILLER * 2)
    ]
    assert not missed


@pytest.mark.parametrize("rule", [r for r in RULES if r.category == "secret"], ids=lambda rule: rule.name)
def test_a_redacted_example_has_no_secret_left(rule: Rule):
    redacted = redact(rule.example, scan(rule.example))
    assert "[secret: " in redacted
    assert not [finding for finding in scan(redacted) if finding.category == "secret"]


def test_names_are_unique():
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_every_check_is_used_by_a_rule():
    used = {rule.check for rule in RULES}
    assert {name for name, check in CHECKS.items() if check not in used} == set()


def test_every_rule_can_be_reached():
    unreachable = [rule.name for rule in RULES if not (rule.keywords or rule.short or rule.squashed)]
    assert unreachable == []


def test_rule_files_have_no_unknown_fields():
    known = {
        *("name", "kind", "pattern", "token", "keywords", "check"),
        *("case_sensitive", "short", "squashed", "whole", "example", "counterexample"),
    }
    folder = resources.files("simonides.governance") / "rules"
    for file in folder.iterdir():
        if file.name.endswith(".toml"):
            content = tomllib.loads(file.read_text(encoding="utf-8"))
            assert content.keys() <= {"category", "words", "sets", "rule"}, file.name
            for entry in content["rule"]:
                assert entry.keys() <= known, entry["name"]
