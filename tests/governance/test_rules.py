"""The packaged rules keep what their own files promise."""

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.governance.checks import CHECKS
from simonides.governance.patterns import Pattern
from simonides.governance.rulebook import Rule, rulebook
from simonides.governance.scan import redact, scan
from simonides.governance.views import TRIGGERS

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


def value_of(rule: Rule) -> str:
    """Part of a rule's example that the rule finds."""
    found = next(finding for finding in scan(rule.example) if finding.rule == rule.name)
    return rule.example[found.start : found.end]


@pytest.mark.parametrize("mark", ["_", "__", "*", "**", "`"])
@pytest.mark.parametrize(
    "rule",
    [
        r
        for r in RULES
        if r.category in {"secret", "personal"} and r.name in names(f"It is {value_of(r)}, I think.")
    ],
    ids=lambda rule: rule.name,
)
def test_what_is_known_by_its_shape_is_found_between_marks_of_markdown(rule: Rule, mark: str):
    value = value_of(rule)
    marked = f"It is {mark}{value}{mark}, I think."
    assert any(value in marked[hit.start : hit.end] for hit in scan(marked) if hit.category == rule.category)


@pytest.mark.parametrize("mark", ["_", "__", "*", "**", "`"])
@pytest.mark.parametrize("beginning", ["sk-ant-api03-", "sk-proj-", "ghp_"])
@pytest.mark.parametrize("length", [93, 156, 220])
def test_a_key_of_any_usual_length_is_found_between_marks_of_markdown(beginning: str, length: int, mark: str):
    letters = "Tq7Zx2Vw9Lm4Rk8Hd3Ns6Bf1Yc5Jg0Pa"
    key = beginning + (letters * 8)[:length]
    marked = f"It is {mark}{key}{mark}, I think."
    assert any(key in marked[hit.start : hit.end] for hit in scan(marked) if hit.category == "secret")


def test_names_with_an_underscore_before_them_are_no_secrets():
    names_of_code = (
        "self._token = _load_token(__name__, _secret_names_) if __debug__ else _password_of(_session_)"
    )
    assert not scan(f"The code says: {names_of_code}.")


@pytest.mark.parametrize(
    "text",
    ["电话是+43 660 5551234。", "電話（+43 660 5551234）", "전화는+43 660 5551234", "<+43 660 5551234>"],
)
def test_a_telephone_number_is_found_where_no_blank_stands_before_it(text: str):
    assert names(text) == {"phone-number"}


@pytest.mark.parametrize("text", ["v1+43 660 5551234", "x+436605551234", "a/+43 660 5551234/b"])
def test_a_sum_is_no_telephone_number(text: str):
    assert "phone-number" not in names(text)


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


EXPRESSIONS = {
    source: Pattern(source, ignore_case=True)
    for source in dict.fromkeys(
        [*TRIGGERS.values(), *(TRIGGERS.get(keyword, keyword) for rule in RULES for keyword in rule.keywords)]
    )
}
#: Words of rules and of nobody, and what looks like a code: a few of each make a text.
WORDS = st.sampled_from(
    sorted({word for rule in RULES for word in f"{rule.example} {rule.counterexample}".split()})
)
ANYTHING = st.one_of(WORDS, st.text(max_size=8), st.text("abcdef0123456789 :.-", max_size=24))


@given(st.lists(ANYTHING, max_size=12).map(" ".join))
def test_the_gate_suspects_what_each_expression_finds_by_itself(text: str):
    data = text.encode("utf-8", "replace")[:200]  # One piece.
    found = {source for source, one in EXPRESSIONS.items() if any(one.read(data, 0, len(data), range))}
    suspects = rulebook().suspects(data)
    assert [name for name, _ in suspects.triggers] == [
        name for name, source in TRIGGERS.items() if source in found
    ]
    assert {rule.name for rule, _ in suspects.rules if rule.keywords} == {
        rule.name
        for rule in RULES
        if any(TRIGGERS.get(keyword, keyword) in found for keyword in rule.keywords)
    }
