"""Names that a question may mention: as they are written, and as a registry of names can be asked for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from simonides.domain.pattern import later
from simonides.domain.text import CJK, cjk_runs
from simonides.language.sentences import QuestionText
from simonides.language.tables import as_written, table
from simonides.language.terms import CJK_STOP_WORDS, STOP_WORDS, without_addresses

#: Most names and most candidates of a question.
MAX_NAMES: Final = 40
MAX_CANDIDATES: Final = 200
#: Longest candidates, in words and in characters of a CJK run.
_MOST_WORDS: Final = 5
_MOST_CJK: Final = 6
_SHORTEST_CJK: Final = 2

#: Titles are at most so long; what is longer is a quotation.
_TITLE = r"[^{0}\n]{{2,80}}"
_QUOTED = later(
    "|".join(
        f"{left}({_TITLE.format(right)}){right}"
        for left, right in (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("《", "》"))
    )
    + r"|(?<!\w)'([^'\n]{2,80})'(?!\w)|(?<!\w)‘([^‘’\n]{2,80})’(?!\w)"
)
_HANDLE = r"(?<![\w.@])@\w[\w.]{0,60}\w"
_EMAIL = r"\b[A-Za-z0-9][A-Za-z0-9_.+-]{0,60}@[A-Za-z0-9-]{1,60}(?:\.[A-Za-z0-9-]{2,20}){1,4}"
_DOTTED = r"\b[A-Za-z_][A-Za-z0-9_]{0,60}(?:\.[A-Za-z_][A-Za-z0-9_]{1,60}){1,6}"
_SNAKE = r"\b[A-Za-z]\w{0,80}_\w{1,80}\b"
_CAMEL = r"\b\w{0,60}[a-z0-9][A-Z]\w{0,60}\b"
_IDENTIFIER = later(f"{_EMAIL}|{_HANDLE}|{_DOTTED}|{_SNAKE}|{_CAMEL}")
#: What each of them holds: most questions have no such sign.
_IN_IDENTIFIER = later(r"[@_.A-Z](?:(?<=[@_])|(?<=\.)(?=[A-Za-z_])|(?<=[a-z0-9][A-Z]))")
#: A word with what holds names together: O'Brien, Jean-Luc, AT&T, C++.
_WORD = later(rf"(?:(?![{CJK}])\w)+(?:['’&\-](?:(?![{CJK}])\w)+)*(?:\+{{1,2}}|#)?")
#: The same in ASCII, which is compiled in a tenth of the time.
_PLAIN_WORD = later(r"\w+(?:['&\-]\w+)*(?:\+{1,2}|#)?")
#: Between two capitalised words of one name.
_JOINS: Final = as_written("particles", among="capitals")
_CAPITAL_JOINS: Final = frozenset({"of", "the"})
_WEEKDAYS: Final = frozenset[str](table("en", "calendar")["weekdays"])
#: Capitalised at the beginning of a sentence, or always, without being anyone's name.
_NO_NAMES: Final = as_written("no_names", among="capitals")
#: Longer stop words in capitals are shouted.
_LONGEST_ACRONYM: Final = 3
#: A gap between two words that ends a name or phrase.
_BREAK = later(r"[!?;:()\[\]{}…。！？；，：、,\"“”«»\n|]")
#: A full stop behind a whole word ends a sentence, behind one or two letters a title: "Dr. Seuss".
_STOP = re.compile(r"(?:\w{3,}|\bI)['’]?\w*[.](?:\s|$)")


def names_in(reading: QuestionText, taken: tuple[int, int] = (0, 0)) -> tuple[str, ...]:
    """Names that may be meant, as written, in the order of the text, none twice (compared without case).

    Quoted titles, handles and identifiers, and runs of capitalised words in any script that has capitals;
    not words that begin a sentence and are stop words or ask for something.

    Args:
        taken: Where the words stand that named a time; nothing there is a name.

    Returns:
        At most `MAX_NAMES`.
    """
    text = without_addresses(reading.text)
    quoted = list(_QUOTED.finditer(text))
    spots = [(match.start(), next(filter(None, match.groups())).strip()) for match in quoted]
    for title in quoted:  # A title is one name, whatever words it holds.
        text = f"{text[: title.start()]}{' ' * len(title[0])}{text[title.end() :]}"
    if _IN_IDENTIFIER.search(text):
        spots += [(match.start(), match[0]) for match in _IDENTIFIER.finditer(text)]
    spots += _capitalised(text)
    names: dict[str, str] = {}
    for place, name in sorted(spots):
        if name and not taken[0] <= place < taken[1]:
            names.setdefault(name.casefold(), name)
    return tuple(names.values())[:MAX_NAMES]


def _words_in(text: str) -> Iterator[re.Match[str]]:
    return (_PLAIN_WORD if text.isascii() else _WORD).finditer(text)


def _capitalised(text: str) -> Iterator[tuple[int, str]]:
    """Runs of capitalised words, with their places."""
    if not any(character.islower() for character in text):
        return  # It is all in capitals, or in a script that has none.
    run: list[re.Match[str]] = []
    joins: list[re.Match[str]] = []
    before: re.Match[str] | None = None
    for word in _words_in(text):
        if before is not None and _parted(text, before, word):
            yield from _name(text, run)
            run, joins = [], []
        before = word
        bare = word[0].replace("’", "'")
        low = bare.casefold()
        if _is_name_word(bare, low) or (run and bare[0].isupper() and low in _CAPITAL_JOINS):
            run += [*joins, word] if run else [word]
            joins = []
        elif run and low in _JOINS and len(joins) < 2:
            joins.append(word)
        else:
            yield from _name(text, run)
            run, joins = [], []
        if run and run[-1] is word and bare.endswith(("'s", "'S")):
            yield from _name(text, run)
            run = []
    yield from _name(text, run)


def _is_name_word(bare: str, low: str) -> bool:
    if not (bare[0].isupper() or bare[0].istitle()):
        return False
    if low in STOP_WORDS:  # IT and US are names; It, it and ONLY are none.
        return bare.isupper() and 1 < len(bare) <= _LONGEST_ACRONYM and bare.isalpha()
    if low in _NO_NAMES or low.removesuffix("s") in _WEEKDAYS:
        return False
    head, mark, _ = low.partition("'")  # "What's", "Who'll"; but "O'Brien".
    return not (mark and (head in STOP_WORDS or head in _NO_NAMES))


def _parted(text: str, before: re.Match[str], word: re.Match[str]) -> bool:
    gap = text[before.end() : word.start()]
    if gap == " ":  # As most are.
        return False
    return bool(_BREAK.search(gap)) or (
        "." in gap and _STOP.match(text[before.start() : word.start()]) is not None
    )


def _name(text: str, run: list[re.Match[str]]) -> Iterator[tuple[int, str]]:
    while run and run[-1][0].casefold() in _CAPITAL_JOINS:
        run = run[:-1]
    if run:
        name = " ".join(text[run[0].start() : run[-1].end()].split())
        bare = name[:-2] if name.endswith(("'s", "'S", "’s", "’S")) else name
        if len(bare) > 1:
            yield run[0].start(), bare


def candidates_in(reading: QuestionText, names: Iterable[str]) -> tuple[str, ...]:
    """Phrases to look up in a registry of names, case folded, none twice.

    The names first; then runs of one to five words as they stand in the text, the shorter first, and of runs
    of CJK characters every part of two to six. What is made of stop words only is left out.

    Returns:
        At most `MAX_CANDIDATES`.
    """
    candidates = dict.fromkeys(name.casefold() for name in names)
    text = " ".join(without_addresses(reading.text).split()).casefold()
    phrases = [_Phrase(text, words) for words in _phrases(text)]
    runs = cjk_runs(text) if not text.isascii() else []
    for length in range(1, max(_MOST_WORDS, _MOST_CJK) + 1):
        for phrase in phrases:
            candidates.update(dict.fromkeys(phrase.grams(length)))
        for run in runs:
            candidates.update(dict.fromkeys(_parts(run, length)))
        if len(candidates) >= MAX_CANDIDATES:
            break
    return tuple(candidates)[:MAX_CANDIDATES]


class _Phrase:
    """Words between marks that end a phrase, in a text that is case folded."""

    def __init__(self, text: str, words: list[tuple[int, int, bool]]) -> None:
        """Take words: where they begin and end, and whether they say something by themselves."""
        self._text = text
        self._words = words
        self._telling = [0]
        for _, _, tells in words:
            self._telling.append(self._telling[-1] + tells)

    def grams(self, length: int) -> Iterator[str]:
        """Runs of so many words, as they stand in the text, one of which tells something."""
        if length > _MOST_WORDS:
            return
        for first in range(len(self._words) - length + 1):
            if self._telling[first + length] > self._telling[first]:
                yield self._text[self._words[first][0] : self._words[first + length - 1][1]]


def _phrases(text: str) -> list[list[tuple[int, int, bool]]]:
    phrases: list[list[tuple[int, int, bool]]] = [[]]
    end = 0
    for word in _words_in(text):
        start = word.start()
        if phrases[-1] and start > end + 1 and _BREAK.search(text, end, start):
            phrases.append([])
        end = word.end()
        low = word[0].replace("’", "'")
        owner = low.removesuffix("'s")
        tells = owner not in STOP_WORDS and low not in STOP_WORDS and len(owner) > 1
        phrases[-1].append((start, start + len(owner), tells))
    return phrases


def _parts(run: str, length: int) -> Iterator[str]:
    """Parts of so many characters of a CJK run, unless they are stop words."""
    if not _SHORTEST_CJK <= length <= _MOST_CJK:
        return
    for first in range(len(run) - length + 1):
        part = run[first : first + length]
        if part not in CJK_STOP_WORDS and not CJK_STOP_WORDS.issuperset(part):
            yield part
