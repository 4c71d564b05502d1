"""Rules and the packaged ones: read once, when first asked for, and compiled one by one when needed."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import field
from functools import cache, cached_property
from importlib import resources
from typing import Any, Literal, cast, get_args

from simonides.governance.checks import CHECKS, Check
from simonides.governance.patterns import Pattern, PatternSet
from simonides.governance.views import TRIGGERS
from simonides.packaged import toml
from simonides.values import dataclass

Category = Literal[
    "secret", "injection", "mimicry", "junk", "self_instruction", "personal", "forbidden", "review"
]
#: Categories that rules of users' own may have: what is refused, and what waits, whoever says it, among them.
CATEGORIES: tuple[Category, ...] = get_args(Category)

#: A run of text in an example that is dropped on reading, so that scanners of repositories
#: do not take our made-up tokens for real ones.
EXAMPLE_BREAK = "¦"

_ALONE = r"(?:^|[^0-9A-Za-z_/.-])(?P<value>{})(?:$|[^0-9A-Za-z_])"
_PLACEHOLDER = re.compile(r"\{([a-z_]{2,})\}")


@dataclass(frozen=True)
class Rule:
    """One rule of a rule file; docs of the fields stand in rules/README.md."""

    name: str
    category: Category
    kind: str
    source: str
    keywords: tuple[str, ...]
    check: Check | None
    case_sensitive: bool
    squashed: bool
    short: bool
    whole: bool
    example: str = field(compare=False)
    counterexample: str = field(compare=False)

    @cached_property
    def pattern(self) -> Pattern:
        return Pattern(self.source, ignore_case=not self.case_sensitive)


#: Where a rule may hit: byte ranges, in order and apart.
Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Suspects:
    """Rules that the gate suspects to match a text."""

    rules: tuple[tuple[Rule, Ranges], ...]
    triggers: tuple[tuple[str, Ranges], ...]


#: Bytes the gate reads at once, and how many of them it reads twice. The engine's states are
#: made of everything that has occurred since the start: short pieces keep them few and warm.
#: The second is longer than any text that a keyword matches.
_PIECE = 224
_PIECE_OVERLAP = 64

#: Sets that the keywords are dealt out to. A state says which of its set's keywords occurred: of one set there would be
#: so many that ordinary text, all its life, met new ones, and each costs as much as reading a page in known ones.
_SETS = 4

#: What an expression that counts groups contains, such as one for seven words in a row. These are in a set apart: each
#: place of a count would multiply the states of the others. One such among the keywords took a third of all time.
_COUNTS_GROUPS = "){"

#: Bytes before and after a keyword's piece that its rules read. Patterns that reach further
#: are greedy, and are continued where they touch the end (`Pattern.spans`).
_MARGIN = 512

#: Texts of at most so many bytes are read by the rules for short texts.
_SHORT = 60


class Rulebook:
    """All rules behind one gate: a set of keywords that says which rules are worth running, and where."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        #: Rules that read text without gaps between its words, and nothing else.
        self.squashed = tuple(rule for rule in rules if rule.squashed)
        self._short = tuple(rule for rule in rules if rule.short)
        #: Rules of users' own may do without keywords: they read everything.
        self._always = tuple(rule for rule in rules if not (rule.keywords or rule.short or rule.squashed))
        owners: dict[str, list[int]] = {source: [] for source in TRIGGERS.values()}
        for index, rule in enumerate(rules):
            for keyword in rule.keywords:
                # For some rules the shape of a trigger is the keyword.
                owners.setdefault(TRIGGERS.get(keyword, keyword), []).append(index)
        names = {source: name for name, source in TRIGGERS.items()}
        self._gates = [
            (PatternSet(part), [(names.get(source), owners[source]) for source in part])
            for part in _dealt_out(owners)
        ]

    @cached_property
    def of_secrets(self) -> "Rulebook":
        """The rules for secrets alone."""
        return Rulebook(tuple(rule for rule in self.rules if rule.category == "secret"))

    def suspects(self, data: bytes) -> Suspects:
        """The rules that may hit in `data`, in the order of the book, and the triggers in it."""
        pieces: dict[int, list[int]] = {}
        triggers: dict[str, list[int]] = {}
        for start in range(0, max(len(data) - _PIECE_OVERLAP, 1), _PIECE - _PIECE_OVERLAP):
            piece = data[start : start + _PIECE]
            for gate, served in self._gates:
                for hit in gate.match(piece):
                    trigger, rules = served[hit]
                    if trigger is not None:
                        triggers.setdefault(trigger, []).append(start)
                    for rule in rules:
                        pieces.setdefault(rule, []).append(start)
        whole = ((0, len(data)),)
        short = tuple((rule, whole) for rule in self._short) if len(data) <= _SHORT else ()
        short += tuple((rule, whole) for rule in self._always)
        return Suspects(
            tuple((self.rules[rule], _ranges(pieces[rule], data)) for rule in sorted(pieces)) + short,
            tuple((name, _ranges(triggers[name], data)) for name in TRIGGERS if name in triggers),
        )


def _dealt_out(sources: Collection[str]) -> list[list[str]]:
    """The expressions of each set: keywords, triggers, and what counts groups of either."""
    counting = [source for source in sources if _COUNTS_GROUPS in source]
    triggers = [source for source in TRIGGERS.values() if source not in counting]
    apart = {*counting, *triggers}
    keywords = [source for source in sources if source not in apart]
    size = max(1, -(-len(keywords) // _SETS))
    return [*(keywords[start : start + size] for start in range(0, len(keywords), size)), triggers, counting]


def _ranges(starts: list[int], data: bytes) -> Ranges:
    """The pieces at `starts`, which are in order, with their margins, joined where they overlap."""
    ranges: list[tuple[int, int]] = []
    low = last = -1
    for start in starts:
        if low < 0 or start - _MARGIN > last:
            if low >= 0:
                ranges.append((low, _boundary(data, min(last, len(data)))))
            low = _boundary(data, max(start - _MARGIN, 0))
        last = start + _PIECE + _MARGIN
    if low >= 0:
        ranges.append((low, _boundary(data, min(last, len(data)))))
    return tuple(ranges)


def _boundary(data: bytes, at: int) -> int:
    """The start of the character that the byte at `at` belongs to."""
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


@cache
def rulebook() -> Rulebook:
    """The packaged rules. Costs some tens of milliseconds once per process."""
    return Rulebook(tuple(_read_rules()))


def _read_rules() -> Iterator[Rule]:
    folder = resources.files("simonides.governance") / "rules"
    for file in sorted(folder.iterdir(), key=lambda f: f.name):
        if file.name.endswith(".toml"):
            yield from rules_of(toml(file))


def rules_of(content: Mapping[str, Any]) -> Iterator[Rule]:
    """The rules of a rule file."""
    expand = _expander(content.get("words", {}))
    sets = content.get("sets", {})
    for entry in content["rule"]:
        yield _rule(entry, cast("Category", content["category"]), expand, sets)


def _rule(
    entry: dict[str, Any], category: Category, expand: Callable[[str], str], sets: dict[str, list[str]]
) -> Rule:
    keywords = (k for n in entry.get("keywords", ()) for k in (sets[n[4:]] if n.startswith("set:") else [n]))
    return Rule(
        name=entry["name"],
        category=category,
        kind=entry["kind"],
        source=expand(_source(entry)),
        keywords=tuple(keywords),
        check=CHECKS[entry["check"]] if "check" in entry else None,
        case_sensitive=entry.get("case_sensitive", False),
        squashed=entry.get("squashed", False),
        short=entry.get("short", False),
        whole=entry.get("whole", False),
        example=entry["example"].replace(EXAMPLE_BREAK, ""),
        counterexample=entry["counterexample"].replace(EXAMPLE_BREAK, ""),
    )


def _source(entry: dict[str, Any]) -> str:
    """One expression: `pattern` (a string, or alternatives), or `token` (shapes that stand alone)."""
    if "token" in entry:
        return _ALONE.format("|".join(entry["token"]))
    pattern: str | list[str] = entry["pattern"]
    return pattern if isinstance(pattern, str) else "|".join(pattern)


def _expander(words: dict[str, str]) -> Callable[[str], str]:
    """Replaces `{name}` by the words of that name as a group; words may use words defined before them."""
    known: dict[str, str] = {}

    def expand(pattern: str) -> str:
        return _PLACEHOLDER.sub(lambda m: f"(?:{known[m[1]]})", pattern)

    for name, alternatives in words.items():
        known[name] = expand("".join(line.strip() for line in alternatives.splitlines()))
    return expand
