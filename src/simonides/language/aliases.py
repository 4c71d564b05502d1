"""Names that mean one thing, NYC and New York City, each written in one form before texts are compared. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Final

from simonides.domain.pattern import later
from simonides.language.common_words import COMMON as WORDS
from simonides.language.tables import section
from simonides.language.tokens import MAX_CHARS
from simonides.language.words import STOP

#: The beginning of a word that may be a name; what stands there is looked up.
_BEGINNING: Final = later(r"(?<![\w.])(?=[^\W\d_a-z])\w+")
#: From so many letters on, a name counts in capitals as well: BERLIN.
_LONG: Final = 4
#: From so many on, in small letters.
_SHORTEST: Final = 3


class Aliases:
    """Groups of names that mean one thing, those that everybody knows among them.

    Args:
        groups: Names of one thing each, the usual one first. Groups that share a name are one.
    """

    def __init__(self, groups: Iterable[Sequence[str]] = ()) -> None:
        self._groups = tuple(groups)

    @cached_property
    def _spelled(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Each name as it may be written, with the one form and all names of its group."""
        forms: dict[str, tuple[str, tuple[str, ...]]] = {}
        for group in _joined((*self._groups, *_known())):
            form = max(group, key=lambda name: len(name.split()))  # The first of those with the most words.
            for name in group:
                for written in {name, name.upper()} if len(name) >= _LONG else {name}:
                    forms[written] = form, group
        return forms

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[str]]:
        """Names by the word that they begin with, the longest first."""
        spellings: dict[str, list[str]] = defaultdict(list)
        for written in sorted(self._spelled, key=len, reverse=True):
            if beginning := _BEGINNING.match(written):
                spellings[beginning[0]].append(written)
        return spellings

    def unified(self, text: str) -> str:
        """A text in which each of these names stands in its one form. Cost: linear; 4,000 characters are read."""
        text = text[:MAX_CHARS]
        parts: list[str] = []
        done = 0
        for start, name in self._names(text):
            parts += (text[done:start], self._spelled[name][0])
            done = start + len(name)
            if name.endswith(".") and not text[done : done + 2].lstrip().islower():
                done -= 1  # It ends the sentence as well.
        return "".join((*parts, text[done:])) if parts else text

    def together(self, one: str, other: str) -> tuple[str, str]:
        """Two texts as `unified` gives them, where what one names counts in the other in any case: the nyc office."""
        mine, named = self._read(one[:MAX_CHARS])
        theirs, others = self._read(other[:MAX_CHARS])
        return _in_any_case(mine, others), _in_any_case(theirs, named)

    def _read(self, text: str) -> tuple[str, frozenset[tuple[str, tuple[str, ...]]]]:
        """A text as `unified` gives it, and the forms and groups of what it names."""
        unified = self.unified(text)
        if unified is text:
            return text, frozenset()
        return unified, frozenset(self._spelled[name] for _, name in self._names(text))

    def spellings(self, text: str) -> tuple[str, ...]:
        """All names of what a text mentions by one of these, each once; of the groups given, in any case."""
        text = text[:MAX_CHARS]
        names = [name for _, mentioned in self._names(text) for name in self._spelled[mentioned][1]]
        folded = text.casefold()
        for group in self._groups:
            if any(name.casefold() in folded for name in group if _counts(name)):
                names += group
        return tuple(dict.fromkeys(names))

    def _names(self, text: str) -> Iterator[tuple[int, str]]:
        """Yield the start of each name and the name, in order, none inside another."""
        if " " in text and text.isupper():  # TELL US
            return
        done = 0
        for word in _BEGINNING.finditer(text):
            start = word.start()
            if start < done:
                continue
            for name in self._by_word.get(word[0], ()):
                end = start + len(name)
                if text.startswith(name, start) and not text[end : end + 1].isalnum():
                    yield start, name
                    done = end
                    break


def _in_any_case(text: str, groups: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """A text with each name of some groups in its one form, in whichever case it stands there."""
    for form, group in groups:
        names = sorted((re.escape(name) for name in group if _counts(name)), key=len, reverse=True)
        if names:
            put = form.upper() if text.isupper() else form
            text = re.sub(
                rf"(?<!\w)(?:{'|'.join(names)})(?!\w)", lambda _, put=put: put, text, flags=re.IGNORECASE
            )
    return text


def _counts(name: str) -> bool:
    """True if a name is known in any case: it is long enough, and no word that says something else."""
    fold = name.casefold()
    return len(name) >= _SHORTEST and fold not in WORDS and fold not in STOP


def _joined(groups: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Groups of which none shares a name with another."""
    of: dict[str, dict[str, None]] = {}
    for group in groups:
        names = dict.fromkeys(group)
        for other in [of[name] for name in group if name in of]:
            names |= other
        of |= dict.fromkeys(names, names)
    return list(dict.fromkeys(map(tuple, of.values())))


@cache
def _known() -> tuple[tuple[str, ...], ...]:
    """Names that the languages' tables hold."""
    return tuple(
        tuple(name.strip() for name in line.split("|"))
        for table in section("names")
        for line in table["same"].splitlines()
        if line.strip()
    )


#: What everybody knows by these names.
COMMON: Final = Aliases()
