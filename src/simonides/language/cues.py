"""Words and phrases that tell what a question is after, in several languages, found as whole words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, Generic, TypeVar

from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.tables import cues
from simonides.packaged import compiled

_Kind = TypeVar("_Kind", bound=str)

_CJK = later(f"[{CJK}]")
_CYRILLIC = re.compile("[а-яё]")
#: The same as bounds: fragments are sorted by script in every process, and to compile the signs takes milliseconds.
_CJK_BOUNDS: Final = tuple(zip(CJK[::3], CJK[2::3], strict=True))
#: Between fragments in a line of them.
_SEPARATOR: Final = " / "


class Lexicon(Generic[_Kind]):
    """Cues by what they tell, to be searched for in folded text.

    The patterns of a script are compiled when the first text in it is read: compiling takes longer than
    thousands of searches, and most processes see one language or none.
    """

    def __init__(self, cues: Mapping[_Kind, Callable[[], Sequence[str]]]) -> None:
        """Take cues.

        Args:
            cues: Per kind, what reads its lines when they are first looked for: fragments of regular expressions
                without groups of their own, separated by " / ". Each matches whole words only; one that holds CJK
                characters matches anywhere, since those scripts do not separate words. At one place the first
                kind counts.
        """
        self._kinds = tuple(cues)
        self._lines = tuple(cues.values())
        self._compiled: dict[re.Pattern[str] | None, re.Pattern[str] | None] = {}

    @cached_property
    def _sources(self) -> Mapping[re.Pattern[str] | None, Sequence[str]]:
        """The pattern of each kind, by script."""
        sources: dict[re.Pattern[str] | None, list[str]] = {None: [], _CYRILLIC: [], _CJK: []}
        for place, lines in enumerate(self._lines):
            fragments_by_script: dict[re.Pattern[str] | None, list[str]] = {None: [], _CYRILLIC: [], _CJK: []}
            for fragment in (fragment for line in lines() for fragment in line.split(_SEPARATOR)):
                fragments_by_script[_script(fragment)].append(fragment)
            for script, fragments in fragments_by_script.items():
                if fragments:
                    words = "|".join(fragments)
                    whole = words if script is _CJK else rf"\b(?:{words})(?!\w)"
                    sources[script].append(f"(?P<k{place}>{whole})")
        return sources

    def find(self, text: str, start: int = 0, end: int | None = None) -> tuple[_Kind, int] | None:
        """Meaning of the first cue in text[start:end], and its start."""
        cue = self.match(text, start, end)
        return None if cue is None else (self._kinds[int((cue.lastgroup or "k0")[1:])], cue.start())

    def match(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """The first cue in text[start:end]."""
        stop = len(text) if end is None else end
        best: re.Match[str] | None = None
        for script in (None,) if text.isascii() else (None, _CYRILLIC, _CJK):
            if script is None or script.search(text, start, stop):
                pattern = self._pattern(script)
                cue = pattern.search(text, start, stop) if pattern else None
                if cue and (best is None or cue.start() < best.start()):
                    best = cue
        return best

    def count(self, text: str) -> int:
        """Number of cues in a text, those of one script not overlapping."""
        patterns = (self._pattern(script) for script in (None, _CYRILLIC, _CJK))
        return sum(len(pattern.findall(text)) for pattern in patterns if pattern)

    def _pattern(self, script: re.Pattern[str] | None) -> re.Pattern[str] | None:
        if script not in self._compiled:
            sources = self._sources[script]
            self._compiled[script] = compiled("|".join(sources)) if sources else None
        return self._compiled[script]


class Cues:
    """Cues of one kind; see `Lexicon`."""

    def __init__(self, name: str, kind: str | None = None) -> None:
        """Take those of a table in the section `questions` of each language, or of one kind of it."""
        self._lexicon = Lexicon({"cue": partial(cues, name, kind)})

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """The first cue in text[start:end]."""
        return self._lexicon.match(text, start, end)

    def count(self, text: str) -> int:
        """Number of cues in a text."""
        return self._lexicon.count(text)


def _script(fragment: str) -> re.Pattern[str] | None:
    """Pattern of the script that a fragment's text must hold; None for Latin ones, which are always looked for."""
    if max(fragment) >= CJK[0] and any(
        first <= sign <= last for sign in fragment for first, last in _CJK_BOUNDS
    ):
        return _CJK
    return _CYRILLIC if _CYRILLIC.search(fragment) else None
