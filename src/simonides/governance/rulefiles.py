"""Files of rules of a user's own: read, checked, and put behind the packaged ones."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from simonides.errors import InvalidSettings
from simonides.governance.checks import CHECKS
from simonides.governance.rulebook import CATEGORIES, Rule, Rulebook, rulebook, rules_of
from simonides.governance.scan import scan


@cache
def book_with(files: tuple[str, ...] = ()) -> Rulebook:
    """The packaged rules, and those of files of a user's own behind them.

    A file that changes is not read again in the same process.

    Args:
        files: Paths of TOML files; relative ones start from the working directory.

    Raises:
        InvalidSettings: A file cannot be read or a rule of it cannot be used; the message names both.
    """
    packaged = rulebook()
    if not files:
        return packaged
    return Rulebook(packaged.rules + own_rules(files, frozenset(rule.name for rule in packaged.rules)))


def own_rules(files: Iterable[str], taken: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of a user's own files, in their order.

    Each is checked: its fields, its expressions, its name (not among `taken`), and that it hits its example and not
    its counterexample.

    Raises:
        InvalidSettings: A file cannot be read or a rule of it cannot be used; the message names both.
    """
    rules: list[Rule] = []
    for file in files:
        for rule in _own_file(file):
            if rule.name in taken or any(rule.name == other.name for other in rules):
                raise InvalidSettings(f"{file}: rule {rule.name!r}: the name is taken; rename it")
            _check_examples(rule, file)
            rules.append(rule)
    return tuple(rules)


def _own_file(file: str) -> list[Rule]:
    try:
        content = tomllib.loads(Path(file).expanduser().read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidSettings(f"the rule file {file} cannot be read: {error}") from error
    if content.get("category") not in CATEGORIES:
        raise InvalidSettings(
            f"{file}: category is one of {', '.join(CATEGORIES)}, not {content.get('category')!r}"
        )
    if unknown := sorted(set(content) - {"category", "rule", "words", "sets"}):
        raise InvalidSettings(f"{file}: unknown key {unknown[0]!r}; known: category, words, sets, [[rule]]")
    entries = content.get("rule")
    if not isinstance(entries, list) or not entries:
        raise InvalidSettings(f"{file} holds no rule; write each under [[rule]]")
    for number, entry in enumerate(cast("list[object]", entries), 1):
        if problem := _problem(entry):
            name = cast("dict[str, Any]", entry).get("name") if isinstance(entry, dict) else None
            raise InvalidSettings(f"{file}: rule {name or number!r}: {problem}")
    try:
        return list(rules_of(content))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InvalidSettings(f"{file}: words, sets or keywords cannot be used: {error!r}") from error


_FIELDS: Final[Mapping[str, tuple[type, ...]]] = {
    "name": (str,), "kind": (str,), "pattern": (str, list), "token": (list,), "keywords": (list,), "check": (str,),
    "case_sensitive": (bool,), "short": (bool,), "squashed": (bool,), "whole": (bool,), "example": (str,),
    "counterexample": (str,),
}  # fmt: skip
_NEEDED: Final = ("name", "kind", "example", "counterexample")


def _problem(entry: object) -> str | None:
    """Mistake in an entry of a user's own file; None if it can be read."""
    if not isinstance(entry, dict):
        return "is no table"
    given = cast("dict[str, object]", entry)
    if unknown := sorted(set(given) - set(_FIELDS)):
        return f"unknown field {unknown[0]!r}; a rule takes {', '.join(_FIELDS)}"
    for field_name, kinds in _FIELDS.items():
        value = given.get(field_name)
        if value is not None and not isinstance(value, kinds):
            return f"{field_name} must be {' or '.join(kind.__name__ for kind in kinds)}"
        if isinstance(value, list) and not all(isinstance(part, str) for part in cast("list[object]", value)):
            return f"{field_name} must be a list of texts"
    if missing := [field_name for field_name in _NEEDED if not given.get(field_name)]:
        return f"{missing[0]} is missing"
    if ("pattern" in given) == ("token" in given):
        return "give either pattern or token"
    if given.get("check") not in (None, *CHECKS):
        return f"there is no check {given['check']!r}; use one of {', '.join(sorted(CHECKS))}"
    return None


def _check_examples(rule: Rule, file: str) -> None:
    """Check that a rule has the examples that it is for, and that they hold."""
    try:
        alone = Rulebook((rule,))
        _ = rule.pattern
    except Exception as error:
        raise InvalidSettings(f"{file}: rule {rule.name!r}: no expression of RE2: {error}") from error
    for text, wanted in ((rule.example, True), (rule.counterexample, False)):
        if any(finding.rule == rule.name for finding in scan(text, alone)) is not wanted:
            fault = "does not hit its example" if wanted else "hits its counterexample"
            near = " near one of its keywords" if wanted and rule.keywords else ""
            raise InvalidSettings(f"{file}: rule {rule.name!r} {fault}{near}: {text!r}")
