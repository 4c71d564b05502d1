"""Names that a text mentions, found by its writing alone: capitals, quotation marks, the forms of identifiers.

Pure, deterministic and without a model. It would rather miss a name than take a word for one: what is
registered wrongly stays in the registry, what is missed once is found where it is written plainly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from simonides.domain.entity import MAX_MENTIONS, MENTIONS_OF_A_PAGE, EntityType, Name, fold, is_name
from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.scope import GLOBAL
from simonides.domain.text import CJK, cjk_runs
from simonides.language.chinese_names import chinese_names
from simonides.language.common_words import COMMON, ORGANIZATIONS, PLACES
from simonides.language.tables import worded

#: Characters of a text that are looked through, of which so many at a time, cut where a sentence or a word ends.
_MOST_CHARS: Final = 400_000
_PAGE_CHARS: Final = 4_000
_ENDING_CHARS: Final = 400
#: Each name that becomes known is looked for in up to 64 items that hold its words, the newest first: mostly the same
#: ones again.
_PAGES_KEPT: Final = 1024
#: Stretches of a script without blanks in which known names are looked for, of a page and of a text, and their length.
_MOST_RUNS: Final = 40
_MOST_RUNS_OF_TEXT: Final = 200
_LONGEST_RUN: Final = 60
_LONGEST_TITLE: Final = 6
#: A longer row of capitalised words is a headline.
_LONGEST_RUN_OF_WORDS: Final = 5
_MOST_DIGITS: Final = 4
_LONGEST_IDENTIFIER: Final = 40

_UPPER: Final = "".join(chr(code) for code in range(0x590) if chr(code).isupper())
#: A word that begins with a capital; what holds O'Brien, Jean-Luc, AT&T and Node.js together is part of it.
#: Scripts without blanks are no part of it, though they may stand beside it.
_LETTER: Final = rf"[^\W{CJK}]"
_WORD: Final = rf"[{_UPPER}]{_LETTER}*(?:['’&.-]{_LETTER}+)*"
_PARTICLE: Final = "(?:of|of the|de|de la|del|di|da|du|van|van der|von|von der|ibn|bin|al|y)"
_HONORIFICS: Final = frozenset({"Dr", "Mr", "Mrs", "Ms", "Prof", "St"})
#: A full stop belongs to a name only behind an initial or a title.
_BETWEEN: Final = (
    rf"(?: (?:{_PARTICLE} )?|(?<=\b[A-Z])\. ?|(?<=\b(?:Dr|Mr|Ms|St))\. |(?<=\bMrs)\. |(?<=\bProf)\. )"
)
# What stands before is looked at behind the first letter: a pattern that begins with a set of letters is
# searched for much faster.
_RUN: Final = later(rf"[{_UPPER}](?<![\w@#/.-].){_LETTER}*(?:['’&.-]{_LETTER}+)*(?:{_BETWEEN}{_WORD})*")
_HAS_CAPITAL: Final = later(rf"[{_UPPER}]")
_MAY_BE_IDENTIFIER: Final = later(r"[A-Z_.](?<=[a-z0-9].)(?=\w)")
_FILE_ENDINGS: Final = (
    "py|js|ts|tsx|md|json|toml|yaml|yml|sql|txt|csv|html|css|sh|rs|go|java|cpp|db|cfg|ini|pdf|"
    "com|org|net|io|dev|ai|app"
)
_IDENTIFIER: Final = later(
    r"(?<![\w@/.:-])(?:"
    r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\.\w+)*"
    r"|[a-z]+[A-Z]\w*"
    r"|[a-z]\w*(?:\.[A-Za-z_]\w+){2,}"
    rf"|[a-z][\w-]*\.(?:{_FILE_ENDINGS})"
    r")(?![\w@/])"
)
_QUOTED: Final = later(r"«([^«»\n]{1,80})»|“([^“”\n]{1,80})”|„([^„“”\n]{1,80})[“”]|\"([^\"\n]{1,80})\"")
_QUOTED_UNSPACED: Final = later(r"《([^《》\n]{1,30})》|「([^「」\n]{1,12})」")
_HANDLE: Final = later(r"(?<![\w@./])@([A-Za-z][A-Za-z0-9_]{1,29})(?![\w@.]*@)")
_URL: Final = later(r"\b[a-z]{2,6}://\S+")
_REDACTED: Final = later(r"\[secret: [^\]\n]*\]")
_CODE: Final = later(r"```.*?(?:```|\Z)", re.DOTALL)
#: The first line under a mark of Markdown, or its bold beginning: headings are capitalised for show.
_HEADING: Final = later(r"^[ \t]*(?:#{1,6} [^\n]*|(?:[-*•+] +|\d+[.)] +)?\*\*[^\n*]*(?:\*\*)?)", re.MULTILINE)
#: Behind words at the beginning of a line: they are a heading, or name a field.
_HEADS: Final = later(r"[*_\"”»]*(?::|\n|\Z)")
_NUMBERED: Final = later(r"\d\)$")
_UNSPACED: Final = later(f"[{CJK}]")
_SPEECH: Final = later(r"[.!?…,;:。！？，；]")
#: A pronoun or auxiliary with what follows it: I'm, It's, Don't, C'est.
_SHORTENED: Final = later(
    r"(?:i|you|he|she|it|we|they|that|there|here|this|what|who|where|how|when|why|let|everyone|everybody|someone|one)['’]"
    r"(?:m|re|ve|ll|d|s)|\w+n['’]t|(?:c|j|qu|n|s|y)['’]\w+",
    re.IGNORECASE,
)
_POSSESSIVE: Final = later(r"['’](?:s|S)?$")
#: What may stand between a sentence's end and the next one's first word.
_OPENING: Final = " \t\"'“”«»„‘(*_#>[-–—•·|"
_ENDS: Final = frozenset(".!?…:;\n")
_ACRONYM_INSIDE: Final = later(r"[A-Z]{2}[a-z]{2}")

#: Words of a summary that Simonides made of a talk itself: "The user and the assistant talked about".
_TOLD_OF_TALKS: Final = worded(
    "sessions", r"(?<![^\W_])(?:{user}|{assistant}|{wordings})(?![^\W_])", flags=re.IGNORECASE
)

#: Behind a word these show that it is somebody who acts: the subject, not an opening.
_ACTS: Final = later(
    r"[’']?s? (?:likes|loves|hates|prefers|lives|works|wants|needs|keeps|gives|takes|feeds|eats|drinks|speaks|teaches|"
    r"drives|plans|hopes|believes|remembers|plays|studies|owns|knows|thinks|moved|said|says|told|asked|called|bought|"
    r"joined|visited|married|met|agreed|offered|sent|wrote|built|found|came|saw|cooked|suggested|promised|decided|left|"
    r"learned|is (?:allergic|vegetarian|vegan|married|afraid|\d+)|has (?:a|an|two|three|been))\b"
)
_BEFORE_VERB: Final = frozenset(" '’")
_IS: Final = later(r" (?:is|was|has|had|will|uses|runs|ships|supports|needs|requires)\b")
#: What begins a sentence and ends so is an activity, a quality or an adverb.
_ABSTRACT: Final = (
    "ing",
    "ly",
    "ness",
    "tion",
    "sion",
    "ment",
    "ity",
    "ism",
    "ance",
    "ence",
    "ency",
    "ship",
    "s",
)
#: An initialism of so many letters is a word for a kind of thing as often as a name: "API", "CI", "PDF".
_LONGEST_INITIALISM: Final = 5
_PROJECTS: Final = frozenset({"project", "projekt", "projet", "проект"})
_GERMAN: Final = later(r"\b(?:und|der|die|das|ist|nicht|ich|wir|mit|ein|eine|auf|für|dem|den)\b")


def may_be_a_word(name: str, *, german: bool) -> bool:
    """True if a name may as well be an ordinary word: an initialism, or any single word in German.

    There every noun is written as a name is.
    """
    return name.replace("-", "").isalpha() and (
        german or (name.isupper() and len(name) <= _LONGEST_INITIALISM)
    )


def names_of(item: Item) -> tuple[Name, ...]:
    """The names that an item mentions, the given and the most certain ones first.

    Its `entities` are names whatever they look like; of a turn they are who said it. Of a narrative, the words by
    which Simonides tells of talks are none. Then come the
    names of the content, and those of the title where they are known: titles are capitalised for show.

    Returns:
        At most `MENTIONS_OF_A_PAGE` certain names for each 4,000 characters begun, `MAX_MENTIONS` of a text, and others
        that count where they are known; none twice. Of more, those that most pages mention come first.
    """
    names = names_in(_TOLD_OF_TALKS.sub("\n", item.content) if item.type == "narrative" else item.content)
    if item.title:
        names = [*(name._replace(known_only=True) for name in names_in(item.title)), *names]
    if item.entities:
        said_by = EntityType.PERSON if item.type == "episode" else None
        names = [*(Name(name, said_by or guess(name)) for name in item.entities), *names]
    # What is registered is exported, and nothing loads it again that is no name.
    names = [name for name in names if is_name(name.text)]
    if len(names) > 1:
        names = _distinct(names)
    if names and item.scope != GLOBAL and (project := dict(item.scope.parts).get("project")) is not None:
        folded = fold(project)
        names = [
            name._replace(type=EntityType.PROJECT) if fold(name.text) == folded else name for name in names
        ]
    most = min(MENTIONS_OF_A_PAGE * max(1, -(-len(item.content) // _PAGE_CHARS)), MAX_MENTIONS)
    if len(names) <= most:
        return tuple(names)
    certain = [name for name in names if not name.known_only]
    return (*certain[:most], *(name for name in names if name.known_only))


def names_in(text: str) -> list[Name]:
    """The names that a text mentions, in no order that means anything; some may occur twice.

    Handles, titles in quotation marks, identifiers, and capitalised words: within a sentence they are
    names; at its beginning only where they are written so elsewhere, act as a subject, or are known
    already (`known_only`). In scripts without capitals only titles and known names are found.

    Cost: linear; 10 to 40 µs for a turn of 25 words. 400,000 characters are read.
    """
    text = text[:_MOST_CHARS]
    if "```" in text:
        text = _CODE.sub("\n", text)
    if "://" in text:
        text = _URL.sub(" ", text)
    if "[secret: " in text:
        text = _REDACTED.sub(" ", text)
    if "**" in text or "# " in text:
        text = _HEADING.sub("\n", text)
    if len(text) <= _PAGE_CHARS:
        return list(_names_of_page(text))
    # What many pages mention comes first: a text may name more than an item mentions.
    pages = [_distinct(_names_of_page(page)) for page in _pages(text)]
    often = Counter(fold(name.text) for names in pages for name in names)
    distinct = _distinct([name for names in pages for name in names])
    distinct.sort(key=lambda name: -often[fold(name.text)])
    stretches = [name for name in distinct if name.known_only and _UNSPACED.match(name.text)]
    left_out = {*stretches[_MOST_RUNS_OF_TEXT:]}
    return [name for name in distinct if name not in left_out]


def _pages(text: str) -> Iterator[str]:
    """A text in pages of at most 4,000 characters, cut where a line, a sentence or at least a word ends."""
    start = 0
    while len(text) - start > _PAGE_CHARS:
        end = start + _PAGE_CHARS
        least = end - _ENDING_CHARS
        cuts = (text.rfind(mark, least, end) + len(mark) for mark in ("\n", ". ", "。", " "))
        end = next((cut for cut in cuts if cut > least), end)
        yield text[start:end]
        start = end
    yield text[start:]


@kept(_PAGES_KEPT)
def _names_of_page(text: str) -> tuple[Name, ...]:
    names: list[Name] = []
    if "@" in text:
        names += (Name(f"@{name}", EntityType.PERSON) for name in _HANDLE.findall(text))
    if '"' in text or not text.isascii():
        names += _quoted(text)
    if _MAY_BE_IDENTIFIER.search(text) is not None:
        names += (Name(name, EntityType.TOOL) for name in _IDENTIFIER.findall(text) if _is_plain(name))
    if _HAS_CAPITAL.search(text) is not None:
        names += _capitalised(text)
    return tuple(names)


def guess(name: str) -> EntityType:
    """Guess a name's type by its own words."""
    if " " not in name:
        if name.startswith("@"):
            return EntityType.PERSON
        if _MAY_BE_IDENTIFIER.search(name) or _ACRONYM_INSIDE.search(name):
            return EntityType.TOOL
        return EntityType.CONCEPT
    words = [word.casefold().rstrip(".,") for word in name.split()]
    if not ORGANIZATIONS.isdisjoint(words):
        return EntityType.ORGANIZATION
    if words[-1] in PLACES:
        return EntityType.PLACE
    if words[0] in _PROJECTS or words[-1] in _PROJECTS:
        return EntityType.PROJECT
    return EntityType.CONCEPT


def _quoted(text: str) -> Iterator[Name]:
    for pieces in _QUOTED.findall(text):
        title = "".join(pieces).strip()
        if title[:1].isupper() and len(title.split()) <= _LONGEST_TITLE and not _SPEECH.search(title):
            words = title.split()
            yield Name(" ".join(words), known_only=len(words) == 1 and words[0].casefold() in COMMON)
    if text.isascii() or _UNSPACED.search(text) is None:
        return
    for pieces in _QUOTED_UNSPACED.findall(text):
        title = "".join(pieces).strip()
        if title and not _SPEECH.search(title):
            yield Name(title)
    yield from (Name(name, EntityType.PERSON) for name in chinese_names(text))
    for run in cjk_runs(text)[:_MOST_RUNS]:
        if len(run) > 1:
            yield Name(run[:_LONGEST_RUN], known_only=True)


def _capitalised(text: str) -> list[Name]:
    """Names among the capitalised words of a text."""
    certain: list[Name] = []
    opening: list[Name] = []
    for match in _RUN.finditer(text):
        run = match[0]
        if run.casefold() in COMMON:
            continue
        if _SHORTENED.fullmatch(run):
            continue
        first = _opens(text, match.start())
        if " " in run:
            certain += _names_of_run(text, run, match.end(), opens=first)
        elif (name := run if run.isalpha() else _name([run])) is not None and len(name) > 1:
            named = Name(name, _guess_by_context(text, match.end(), name))
            if first and not _is_subject(text, match.end(), named):
                opening.append(named)
            elif name not in _HONORIFICS:
                certain.append(named)
        if len(certain) >= 2 * MENTIONS_OF_A_PAGE:
            break
    if len(certain) > 2 and len(_GERMAN.findall(text, 0, 400)) > 1:
        # German writes every noun with a capital: single words count where they are known.
        certain = [
            name._replace(known_only=" " not in name.text and name.type is EntityType.CONCEPT)
            for name in certain
        ]
    if opening:
        elsewhere = {name.text for name in certain if not name.known_only}
        certain += (Name(name.text, name.type, name.text not in elsewhere) for name in opening)
    return certain


def _names_of_run(text: str, run: str, end: int, *, opens: bool) -> Iterator[Name]:
    """Names in a row of capitalised words: one, or several where one owns the next."""
    words = run.split(" ")
    if len(words) > 2 and run.isupper():
        return  # Shouting.
    shortened = len(words)
    while words and _SHORTENED.fullmatch(words[0]):
        del words[0]
    if not words:
        return
    opens = opens and len(words) == shortened
    titled = words[0].rstrip(".") in _HONORIFICS
    if titled:
        del words[0]
    first = opens and not titled and not _without_opening(words)
    while (owner := _possessor(words)) is not None:
        # "Ana's Toyota" are two.
        name = _name(words[: owner + 1])
        if name is not None:
            yield Name(name, guess(name))
        words, first = words[owner + 1 :], False
    name = _name(words)
    if name is not None:
        named = Name(name, EntityType.PERSON if titled else _guess_by_context(text, end, name))
        doubtful = _HEADS.match(text, end) is not None if " " in name else not _is_subject(text, end, named)
        names_field = opens and text[end : end + 1] == ":"
        yield named._replace(known_only=names_field or (first and doubtful))


def _guess_by_context(text: str, end: int, name: str) -> EntityType:
    """Guess the type of a name that ends at a place: somebody who acts is a person."""
    kind = EntityType.CONCEPT if name[1:].islower() and name.isalpha() else guess(name)
    acts = kind is EntityType.CONCEPT and text[end : end + 1] in _BEFORE_VERB and _ACTS.match(text, end)
    return EntityType.PERSON if acts else kind


def _without_opening(words: list[str]) -> bool:
    """Take out what opens a sentence and is no part of a name; whether there was something.

    "Hey Ana": the name is certain, since it does not open the sentence. So is that in "Photo of Ana".
    """
    count = len(words)
    while words and words[0].casefold() in COMMON:
        del words[0]
    if len(words) > 2 and words[1] == "of" and words[0].casefold() not in ORGANIZATIONS:
        del words[:2]
        while not words[0][:1].isupper():
            del words[0]
    return len(words) < count


def _possessor(words: list[str]) -> int | None:
    """The place of a word, before the last one, that owns what follows."""
    return next((n for n, word in enumerate(words[:-1]) if word.endswith(("'s", "’s"))), None)


def _name(words: list[str]) -> str | None:
    """The words as a name; None where they are none."""
    while words and (words[-1].casefold() in COMMON and (len(words) > 1 or not words[-1].isupper())):
        del words[-1]
    if not words or len(words) > _LONGEST_RUN_OF_WORDS:
        return None
    words[-1] = _POSSESSIVE.sub("", words[-1]).rstrip(".-&")
    name = " ".join(words)
    folded = name.casefold()
    if len(name) < 2 or folded in COMMON or name in _HONORIFICS or not _is_plain(name):
        return None
    return name


def _is_subject(text: str, end: int, name: Name) -> bool:
    """True if the first word of a sentence is a name by what it looks like or by what follows it."""
    if name.type is not EntityType.CONCEPT or name.text.isupper():
        return True
    return _IS.match(text, end) is not None and not name.text.endswith(_ABSTRACT)


def _opens(text: str, start: int) -> bool:
    """True if a sentence begins at a place."""
    before = text[max(0, start - 8) : start].rstrip(_OPENING)
    if not before or before[-1] in _ENDS:
        return True
    return before[-1] == ")" and _NUMBERED.search(before) is not None


def _is_plain(name: str) -> bool:
    """True if a name is short and has few digits: keys, hashes and numbers are none."""
    return len(name) <= _LONGEST_IDENTIFIER * (1 + name.count(" ")) and (
        name.isalpha() or sum(map(str.isdigit, name)) <= _MOST_DIGITS
    )


def _distinct(names: Sequence[Name]) -> list[Name]:
    """Each name once, certain where any of its occurrences is, with the first guess that says something."""
    distinct: dict[str, Name] = {}
    for name in names:
        folded = fold(name.text)
        known = distinct.get(folded)
        if known is None:
            distinct[folded] = name
        else:
            kind = known.type if known.type is not EntityType.CONCEPT else name.type
            distinct[folded] = Name(known.text, kind, known.known_only and name.known_only)
    return list(distinct.values())
