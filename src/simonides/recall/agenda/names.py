"""Names in items: what ties one item to the next. Pure.

The entities of an item are names for certain; besides them, words with a capital letter are taken for
names, at the start of a sentence only with care: "Lena leads" yes, "Thanks, Lena" only the second word.
Scripts without capitals have entities only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from simonides.domain.text import cjk_runs
from simonides.language.terms import STOP_WORDS
from simonides.ports.store import Sketch

#: Characters of a text that are looked through.
_SCANNED: Final = 1000
#: A shorter part of a name ties nothing: initials, "de", "van".
_MIN_LETTERS: Final = 3
#: Blanks and marks that may stand between two sentences.
_MARKS: Final = 8
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")
#: What a sentence ends with, before blanks and opening marks.
_ENDED = re.compile(r"(?:^|[.!?:;…\n])[\s\"'“«(*_-]*$")
#: A capitalised word behind a name, which makes it another one.
_LONGER = re.compile(r" [^\W\d_a-z]\w")
#: What makes the first word of a sentence its subject: a word in lower case behind it, or a possessive.
_GOES_ON = re.compile(r" [^\W\d_A-Z]|(?<=['’]s) ")
#: English writes these with a capital; they name nobody.
_MONTHS_AND_DAYS = """
january february march april may june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
"""
_CALENDAR: Final = frozenset([*_MONTHS_AND_DAYS.split(), *(f"{day}s" for day in _MONTHS_AND_DAYS.split())])


def ordinary_words(texts: Iterable[str]) -> frozenset[str]:
    """Words that these texts write in lower case: where they have a capital, they are no names by themselves."""
    words: set[str] = set()
    for text in texts:
        words.update(word for word in _WORD.findall(text[:_SCANNED]) if word.islower())
    return frozenset(words)


def names_of(sketch: Sketch, ordinary: frozenset[str]) -> tuple[str, ...]:
    """Names that an item mentions, as it writes them, none twice without case; its speaker's is left out.

    Entities first, then words with a capital letter within a sentence, then such at the start of one
    that are followed by a word in lower case. Words side by side make one name; one word alone is none if
    it is `ordinary`.
    """
    entities = [name for name in sketch.entities.split("\n") if name and name != sketch.sender]
    sure, maybe = _capitalised(f"{sketch.title}\n{sketch.content}"[:_SCANNED], ordinary)
    found: dict[str, str] = {}
    for name in [*entities, *sure, *maybe]:
        found.setdefault(name.casefold(), name)
    found.pop(sketch.sender.casefold(), None)
    return tuple(found.values())


class Bonds(NamedTuple):
    """Names that tie one item to another: "Lena Vogt" is tied to "Lena" and to "Lena Vogt", and not to "Lena Ek".

    Attributes:
        names: Case folded.
        parts: Capitalised words of the longer ones, case folded.
    """

    names: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()

    @property
    def every(self) -> frozenset[str]:
        """Names and their parts."""
        return self.names | self.parts

    def shared(self, other: Bonds) -> frozenset[str]:
        """Names that tie two: one that both have, or that is a part of another's."""
        return (self.names & other.every) | (self.parts & other.names)

    def joined(self, others: Iterable[Bonds]) -> Bonds:
        """These, and those of others."""
        every = (self, *others)
        return Bonds(
            frozenset().union(*(one.names for one in every)), frozenset().union(*(one.parts for one in every))
        )

    def without(self, some: Callable[[str], bool]) -> Bonds:
        """These but for some that tell nothing apart."""
        return Bonds(*(frozenset(name for name in names if not some(name)) for names in self))


def bonds_of(names: Iterable[str], ordinary: frozenset[str] = frozenset()) -> Bonds:
    """Bonds of names; words that are written in lower case elsewhere are no parts of a name."""
    written = list(names)
    return Bonds(
        frozenset(name.casefold() for name in written),
        frozenset(
            word.casefold()
            for name in written
            if len(words := name.split()) > 1
            for word in words
            if len(word) >= _MIN_LETTERS and word[0].isupper()
            if word.casefold() not in STOP_WORDS and word.casefold() not in ordinary
        ),
    )


def says_alone(text: str, name: str) -> bool:
    """True if a text says a name that no capitalised word follows: "Apollo leads", not "Apollo Two leads"."""
    return any(
        _LONGER.match(text, found.end()) is None
        for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    )


def says(text: str, name: str) -> bool:
    """True if a text says a name, as whole words and without case; in scripts without blanks, anywhere."""
    folded, wanted = text.casefold(), name.casefold()
    if wanted not in folded:
        return False
    if cjk_runs(wanted):
        return True
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded) is not None


def _capitalised(text: str, ordinary: frozenset[str]) -> tuple[list[str], list[str]]:
    """Names within sentences, and names that begin one."""
    within: list[str] = []
    beginning: list[str] = []
    for first, last, run in _runs(text):
        begins = _ENDED.search(text, max(0, first - _MARKS), first) is not None
        opener = begins and run[0].casefold() in ordinary
        words = run[1:] if opener else run  # "Yesterday Lena came."
        if not words or (len(words) == 1 and words[0].casefold() in ordinary):
            continue
        if opener or not begins:
            within.append(" ".join(words))
        elif _GOES_ON.match(text, last) is not None:
            beginning.append(" ".join(words))
    return within, beginning


def _runs(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Words with a capital letter, those side by side together, with where they begin and end."""
    run: list[str] = []
    first = last = 0
    for found in _WORD.finditer(text):
        written = found[0]
        word = _bare(written) if written[0].isupper() else ""
        if run and not (word and text[last : found.start()] == " "):
            yield first, last, run
            run = []
        if word:
            first = first if run else found.start()
            run = [*run, word]
            last = found.end()
            if len(word) < len(written):  # "Lena's Apollo" are two names.
                yield first, last, run
                run = []
    if run:
        yield first, last, run


def _bare(word: str) -> str:
    """The word without a possessive ending; nothing for one that names nobody."""
    bare = word.replace("’", "'").removesuffix("'s").removesuffix("'")
    folded = bare.casefold()
    return "" if len(bare) < 2 or folded in STOP_WORDS or folded in _CALENDAR else bare
