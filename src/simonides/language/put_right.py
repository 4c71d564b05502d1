"""Turns of a few words that put right a part of the statement before: "No, Linz, not Graz.", "Sorry, 950.".

The name, time, number or other words are put in the place of those before where that makes a sentence that its speaker
might have said. Where a case, an article or a number may have to change with it, both are kept as they were said. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from simonides.domain.text import cjk_runs
from simonides.language.clause_names import NO_NAME, is_word
from simonides.language.clauses import clauses
from simonides.language.contradiction import difference, told_of_one
from simonides.language.corrected_name import corrected_by_name
from simonides.language.cues import Cues
from simonides.language.guess import language_of
from simonides.language.names import names_in
from simonides.language.quantities import NUMERALS
from simonides.language.sentences import sentences
from simonides.language.tables import by_kind, worded, words
from simonides.language.tokens import Shape, tokens
from simonides.language.value import Value, ValueKind
from simonides.language.words import COURTESIES, NOW, OPENERS, PRAISE, SLIPS, STOP

#: What is longer says something of its own.
_LONGEST: Final = 120
#: What says more than that between two turns says much of its own.
_LONGEST_ANSWER: Final = 400
_MOST_SIGNS: Final = 8
_MOST_OF_NAME: Final = 3
#: Stands around a word, and opens a sentence: ¡Claro!
_AROUND: Final = " ,:-–—¡¿\"'“„«(*"
#: Letters of a word beside a time that is no word of its own: a las 11.
_SMALL: Final = 3
_GIVEN: Final = r"[^\s,.;!?](?:[^,;!?\n]{0,38}?[^\s,.;!?])??"
_HAN_NUMBER: Final = r"\d[\d.,]*[^\W\d]{0,3}"
_SIGNS: Final = (
    rf"(?:{_HAN_NUMBER}|[^\W\d_我你您他她它吗呢了的是不没很太真还挺谢有好行请再等想说看就都也这那]{{2,6}}?)"
)
_put_right: Final = partial(worded, "put_right")
_NEW: Final = r"(?:(?P<before>{before})\s+)?(?P<new>given)"
_NOT: Final = r"(?:{not})\s+(?:(?:{before})\s+)?(?P<old>given)"
_PAUSE: Final = r"\s*[,.!;:…—–-]+\s*"
_LED: Final = rf"(?:(?:{{lead}}|{{wrong}}){_PAUSE})"
#: Languages share words such as "no", each of which doubles the ways to read a run of them.
_ALL_LED: Final = f"{_LED}{{1,4}}"
_LED_OR_NOT: Final = f"{_LED}{{0,4}}"
_IS: Final = r"(?:(?:{is})\s*:?\s+)?"
_UNLED: Final = r"(?!(?:{lead})(?!\w))"
_PUT: Final = tuple(
    _put_right(rf"\W*{pattern.replace('given', _GIVEN).replace('signs', _SIGNS)}\W*$")
    for pattern in (
        # No, it's Linz, not Graz; not Graz, Linz.
        rf"(?:{_ALL_LED}{_IS}|(?:{{lead}}[\s,]+){{0,4}}(?:{{meant}})\s*:?\s+){_NEW}(?:\s*,?\s+{_NOT})?",
        rf"{_LED_OR_NOT}{_NEW}\s+(?:{{meant}})",
        rf"{_LED_OR_NOT}{_IS}{_NOT}(?:\s*,\s*(?:(?:{{but}})\s+)?|\s+(?:{{but}})\s+){_IS}{_NEW}",
        rf"{_UNLED}{_IS}{_NEW}\s*,?\s+{_NOT}",
        # York, sorry; two, sorry, two dogs; *York.
        rf"{_LED_OR_NOT}{{setting}}\s+(?P<number>given)",
        rf"{_UNLED}{_NEW}{_PAUSE}(?:{{sorry}})",
        rf"given{_PAUSE}(?:{{sorry}}){_PAUSE}{_NEW}",
        r"\*(?P<new>given)(?!\*)",
        r"{han_lead}{han_is}?(?P<before>在)?(?P<new>signs)(?:[，,]?{han_not}(?P<old>signs))?",
        r"(?P<before>在)?(?P<new>signs)[，,。]?{han_sorry}",
        r"{han_is}?(?P<before>在)?(?P<new>signs)[，,]{han_not}(?P<old>signs)",
        r"{han_lead}?{han_not}(?P<old>signs)[，,]?(?:{han_is}|在)(?P<before>在)?(?P<new>signs)",
    )
)
_BEFORE_IT: Final = _put_right(r"(?<!\w)(?:{before})\s+$")
_ARTICLE: Final = _put_right(r"(?<!\w)(?:{article})\s+$")
#: What says that something was wrong; a bare "No" may refuse anything. "*laughs" does something, "*York" mends.
_MENDING: Final = _put_right(
    r"\W*(?:(?:{lead})[\s,.!;:—–-]+){0,4}?(?:(?:(?:{mending})|{meant})(?!\w)|(?:{han_lead})?{han_mending})"
    r"|\*(?-i:[^\W\da-zà-ÿ])|.*\s(?:{meant})\W*$"
)
_MEANT: Final = _put_right(r"\W*(?:(?:{lead})[\s,.!;:—–-]+){0,4}?(?:{meant})(?!\w)")
_SAID_WRONG: Final = _put_right(
    rf"\W*(?:{_LED_OR_NOT}(?:(?:{{wrong}}){_PAUSE}|(?:{{meant}})\s*:\s*)|(?:{{han_lead}})?{{han_wrong}}[，,。！!:：\s]+){_LED_OR_NOT}(?=\w)"
)
_EXCUSES: Final = _put_right(r"{excuses}|{han_excuses}")
_THEY: Final = r"(?:(?P<she>{she}|{han_she})|(?P<he>{he}|{han_he})|(?P<they>{they}|{han_they}))"
#: "No, she works at Bayer."; "Perdón, trabaja en Telefónica." leaves out who.
_OF_OTHER: Final = _put_right(
    rf"\W*(?:{_ALL_LED}(?:{_THEY}(?:\s+|(?=['’]s\s)))?|{{han_lead}}{_THEY.replace('<', '<han_')})"
    r"(?P<is>['’]s\s)?(?P<rest>\w.*?)\W*$"
)
_OTHERS_NAME: Final = _put_right(
    rf"\W*(?:{_LED_OR_NOT}|{{han_lead}})(?:{{her_name}}\s+|{{han_her_name}})(?P<new>{_GIVEN})\W*$"
)
_OF_MINE: Final = _put_right(r"(?:{mine})\s|{han_mine}")
_FEMALE: Final = _put_right(r"(?<!\w){female}(?!\w)|{han_female}")
_MALE: Final = _put_right(r"(?<!\w){male}(?!\w)|{han_male}")
#: How the key of a number of things begins.
_COUNTED: Final = "n:"
_ONE: Final = frozenset(word for word, number in NUMERALS.items() if number == 1)
_SAYS_WHO: Final = words("being", among="clauses") | frozenset(by_kind("naming"))
_INDEFINITE: Final = words("indefinite", among="clauses")
#: The figure or word of a number at its beginning.
_NUMERAL: Final = re.compile(r"\d[\d.,\u202f' ]*(?<=\d)|[\u4e00-\u9fff]|[^\W\d_]+")
_ASKS: Final = tuple(Cues("expects", kind) for kind in ("time", "number", "place", "person"))
#: What stands for itself, in figures or signs: an address of mail, a number of a telephone, a ratio such as 120/80.
_SHAPES: Final = (
    re.compile(r"(?<![\w.@-])[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}(?![\w@-])"),
    re.compile(r"(?<![\w/-])\+?\d{1,5}(?:[-/]\d{2,5}){1,4}(?![\w/-])"),
)
_BESIDE: Final = words("beside", among="taken_back")
_NO_NAMES: Final = NO_NAME | COURTESIES | NOW | OPENERS | PRAISE | SLIPS | STOP | _BESIDE


class _Place(NamedTuple):
    """The part of a statement whose place something new takes.

    Attributes:
        old: Empty where there is none.
        new: What is put there.
        valued: It is a time or a number.
        both: Other words would have to change with it.
    """

    old: str
    new: str
    valued: bool = False
    both: bool = False


def put_right(former: str, text: str, *, by_name: bool = False) -> str | None:
    """The statement as a turn puts a part of it right; None where it does nothing of the kind.

    Args:
        by_name: Only where it says what is wrong ("Linz, not Graz."): something else was said since.
    """
    if len(text) > _LONGEST:
        return None
    for pattern in _PUT:
        match = pattern.match(text)
        given = match.groupdict() if match else {}
        denied = given.get("old")
        if match is None or (by_name and denied is None):
            continue
        before = given.get("before") or ""
        new = given.get("new") or given["number"]
        place = _place(former, before, new, denied)
        if not place.valued and (given.get("number") or _EXCUSES.fullmatch(new)):
            continue
        if place.valued and denied and denied.casefold() not in former.casefold():
            continue
        if place.both:
            return _both(former, text)
        if place.old and former.count(place.old) == 1:
            return _with(former, place, before, text)
        if place.old == "" and _MENDING.match(text) and _is_of_words(new):
            return _both(former, text)
    return right_by_name(former, text) or (None if by_name else _of_other(former, text))


def right_by_name(former: str, text: str) -> str | None:
    """The statement as an announced correction has it, that denies a part of it: "No, I'm not at Acme but at OVH.".

    Only what one has one of at a time is worded anew, or a value; of anything else the words are in doubt.
    """
    correction = corrected_by_name(former, text)
    if correction is None or not correction.announced or former.count(correction.old) != 1:
        return None
    right = _with(former, _Place(correction.old, correction.new), correction.before, text)
    roles = {role for role, _ in told_of_one(former)}
    if correction.before and "employer" in roles:
        return None  # "Nicht bei Orange, sondern im Urlaub" tells of the day.
    if roles and roles <= _OF_ONE and told_of_one(former).keys() == told_of_one(right).keys():
        return right
    between = difference(former, right)
    return right if between is not None and between.kind in {"number", "date"} else None


#: Kinds of names that somebody is told by, of which an old one is another's or nobody's.
_OF_ONE: Final = frozenset({"place", "employer"})


def _of_other(former: str, text: str) -> str | None:
    """The statement about somebody else as a turn tells it anew by a pronoun: No, she works at Bayer."""
    owned = _OF_MINE.match(former)
    if owned is None or len([*_FEMALE.finditer(former), *_MALE.finditer(former)]) > 1:
        return None
    if match := _OTHERS_NAME.match(text):
        names = [name for clause in clauses(former) for name in clause.names if name.role in {"called", "is"}]
        right = (
            former.replace(names[0].words, match["new"]) if len(names) == 1 and _is_name(match["new"]) else ""
        )
    elif match := _OF_OTHER.match(text):
        rest = f"is {match['rest']}" if match["is"] else match["rest"]
        at = _verb_of(former, rest, owned.end())
        right = f"{former[:at]}{rest}{former[len(former.rstrip('.。!')) :]}" if at else ""
    else:
        return None
    given = {who.removeprefix("han_") for who, word in match.groupdict().items() if word}
    fits = not (("she" in given and _MALE.search(former)) or ("he" in given and _FEMALE.search(former)))
    return right if right and fits and difference(former, right) is not None else None


def _verb_of(former: str, rest: str, behind: int) -> int:
    """Place of the verb in a statement, behind its subject, that is the first word of another; 0 for none."""
    verb = rest[:1] if cjk_runs(rest[:1]) else rf"\b{re.escape(rest.split(maxsplit=1)[0])}\b"
    verb_match = re.compile(verb, re.IGNORECASE).search(former, behind)
    subject = former[behind : verb_match.start()].strip() if verb_match else ""
    return verb_match.start() if verb_match and subject and len(subject.split()) <= _MOST_OF_NAME else 0


def says_what_was_meant(text: str) -> bool:
    """True if a text says outright that another word was meant: "Je voulais dire Lille."."""
    return _MEANT.match(text) is not None


def behind_wrong(text: str) -> str:
    """Rest of a text behind words that only say that what was said is wrong: "My mistake, I live in York."."""
    match = _SAID_WRONG.match(text) if len(text) <= _LONGEST else None
    return text[match.end() :] if match else text


def brings_up(former: str, answer: str) -> bool:
    """True if an answer to a statement says or asks something of its own, of which a few words behind it may be.

    Another name, number or time than the statement has, or a question in whatever form.
    """
    if len(answer) > _LONGEST_ANSWER or any(asks.search(answer.casefold()) for asks in _ASKS):
        return True
    if signs := "".join(cjk_runs(answer)):  # Without blanks and capitals no name is told from other signs.
        return len({*signs} - {*former}) > _MOST_SIGNS
    mine = [value for clause in clauses(former) for value in clause.values]
    # "One moment." counts nothing.
    values = [
        value for clause in clauses(answer) for value in clause.values if value.words.casefold() not in _ONE
    ]
    if not all(any(one.comparable(value) and one.agrees(value) for one in mine) for value in values):
        return True
    known = {token.stem for token in tokens(former)}
    # "Gute Frage!" does not tell its language.
    german = "de" in {language_of(answer), language_of(former)}
    names = _names_within(answer, german=german)
    return any(not {token.stem for token in tokens(name)} <= known for name in names)


def _names_within(text: str, *, german: bool) -> Iterator[str]:
    """Yield names of a text but what stands at the beginning of a sentence, or is a German noun."""
    for start, stop, _ in sentences(text):
        sentence = text[start:stop]
        for name in names_in(sentence):
            before = sentence[: sentence.find(name.text)].strip(_AROUND)
            last = before.rpartition(" ")[2].casefold()
            if before and (not german or _is_led(last) or last in _SAYS_WHO):
                yield name.text


def _both(former: str, text: str) -> str:
    return f"{former} {text[:1].upper()}{text[1:]}"


def _place(former: str, before: str, new: str, denied: str | None) -> _Place:
    """The part of a statement whose place something new takes."""
    if (time := _time(f"{before} {new}".strip())) is not None:
        return _Place(_time_like(former, time), new, valued=True)
    if (shape := next((one for one in _SHAPES if one.fullmatch(new)), None)) is not None:
        alike = [match[0] for match in shape.finditer(former)]
        return _Place(alike[0] if len(alike) == 1 and alike[0] != new else "", new, valued=True)
    if (number := _number(new, former)) is not None:
        return _number_like(former, number)
    if not _is_name(new):
        if not (before or denied) and (old := _written_small(former, new)):
            return _Place(old, new)
        old = _words_like(former, before, new, denied)
        # "A blue one" says nothing alone.
        return _Place(old, new, both=old != "" and tokens(new)[-1].fold in NUMERALS)
    names = [name.words for clause in clauses(former) for name in clause.names if name.role]
    if denied:
        stems = [token.stem for token in tokens(denied)]
        named = next((name for name in names if [token.stem for token in tokens(name)] == stems), "")
        return _Place(named or _words_like(former, before, new, denied), new)
    same = [name for name in names if before and _stands_before(former, name).casefold() == before.casefold()]
    names = same or names
    if len(names) == 1 and names[0] != new:
        # "My wife Lena and I live in Graz." may be wrong of either.
        others = [
            name
            for name in _names_within(former, german=language_of(former) == "de")
            if name not in names[0] and names[0] not in name
        ]
        return _Place(names[0], new, both=not before and others != [])
    return _Place("" if names else _words_like(former, before, new, denied), new)


def _number(text: str, former: str) -> Value | None:
    """The one number that a text is, with what it counts, and with words of the statement before it."""
    given = [value for clause in clauses(text) for value in clause.values]
    figures = [token.text for token in tokens(text) if token.shape is Shape.NUMBER]
    if not given and len(figures) == 1 and figures[0] != text:
        # "I earn 950." of "I earn 900 euros." counts nothing by itself.
        given = [value for clause in clauses(figures[0]) for value in clause.values]
    if len(given) != 1 or given[0].kind is not ValueKind.NUMBER:
        return None
    rest = tokens(text.replace(_as_written(text, given[0]), " "))
    counted = given[0].key.removeprefix(_COUNTED)
    known = {counted, *(token.stem for token in tokens(former))}
    return given[0] if all(token.stem in known or not is_word(token) for token in rest) else None


def _number_like(former: str, number: Value) -> _Place:
    """The one number of a statement that may be of the same as another, but for its unit."""
    values = [value for clause in clauses(former) for value in clause.values]
    numeral = _NUMERAL.match(number.words)
    like = [
        value
        for value in values
        if (value.kind is number.kind and (not number.key or value.comparable(number)))
        or (value.is_a_year and not number.key and len(number.words) == len(value.words))
        or (value.kind is number.kind and f"{_COUNTED}{value.words[1:]}" == number.key)  # 两只, 三只.
    ]
    if len(like) != 1 or numeral is None or (old := _NUMERAL.match(like[0].words)) is None:
        return _Place("", number.words, valued=True)
    one = like[0]
    apart = one.currency and number.currency and one.currency != number.currency
    counted = one.kind is number.kind and (one.low == 1) != (number.low == 1)
    russian = any("\u0400" <= sign <= "\u04ff" for sign in former)
    if apart or (one.key and (counted or russian)):
        return _Place(old[0], numeral[0], valued=True, both=True)
    return _Place("" if old[0].casefold() == numeral[0].casefold() else old[0], numeral[0], valued=True)


def _words_like(former: str, before: str, new: str, denied: str | None) -> str:
    """The words of a statement whose place others take: those denied, or what stands at its end as these do."""
    end = former.rstrip(" .!…")
    if denied:
        bound = "" if cjk_runs(denied) else r"\b"
        denial = re.search(f"{bound}{re.escape(denied)}{bound}", end, re.IGNORECASE)
        return denial[0] if denial else ""
    first, _, rest = f"{before} {new}".strip().partition(" ")
    if not (before or (rest and _is_article(first))) or not _is_of_words(new if before else rest):
        return ""
    stated, at = end.split(), -1
    for place, word in enumerate(stated):
        if word.casefold() == first.casefold():
            at = place
    left = stated[at + 1 :] if at >= 0 else []
    counted = left[1:] if before and left and _is_article(left[0]) else left
    if not 0 < len(counted) <= _MOST_OF_NAME or any(word.endswith((",", ";", ":")) for word in left):
        return ""
    if not before and any(_is_led(word) for word in left):
        return ""
    return " ".join(left if before else [stated[at], *left])


def _written_small(former: str, new: str) -> str:
    """The name at the end of a statement without capitals whose place another such takes: i live in leeds; york."""
    *led, old = former[1:].rstrip(" .!…").split(" ")
    if not (led and _is_led(led[-1]) and former[1:].islower() and new.isalpha() and new.islower()):
        return ""
    sentence = f"{former[0]}{' '.join(led)} {new}."
    named = any(name.role and name.words == new for clause in clauses(sentence) for name in clause.names)
    return old if named and new not in _NO_NAMES and new != old else ""


def _is_article(word: str) -> bool:
    return word.casefold() in _INDEFINITE or _ARTICLE.search(f"{word} ") is not None


def _is_led(word: str) -> bool:
    return _BEFORE_IT.search(f"{word} ") is not None


def _is_of_words(text: str) -> bool:
    """True if a text is a few words that may stand for a thing."""
    written = [token for token in tokens(text) if is_word(token)]
    return 0 < len(written) <= _MOST_OF_NAME and all(token.fold not in _NO_NAMES for token in written)


def _time(text: str) -> Value | None:
    """The one time that a text is, but for small words."""
    given = [value for clause in clauses(text) for value in clause.values]
    rest = text.replace(_as_written(text, given[0]), " ") if len(given) == 1 else text
    small = all(
        token.fold in STOP or not is_word(token) or len(token.text) <= _SMALL for token in tokens(rest)
    )
    return given[0] if len(given) == 1 and given[0].kind is ValueKind.DATE and small else None


def _time_like(former: str, time: Value) -> str:
    """The one time of a statement that is of the kind of another, and another one."""
    like = [
        value
        for clause in clauses(former)
        for value in clause.values
        if value.kind is time.kind and value.key == time.key
    ]
    another = len(like) == 1 and like[0].words.casefold() != time.words.casefold()
    return _as_written(former, like[0]) if another else ""


def _as_written(text: str, time: Value) -> str:
    """Words of a time as they stand in a text: 10h."""
    return time.words if time.words in text else time.words.replace(" ", "")


def _is_name(text: str) -> bool:
    words = [token for token in tokens(text) if is_word(token)]
    if all("\u4e00" <= sign <= "\u9fff" for sign in text):
        return True
    return 0 < len(words) <= _MOST_OF_NAME and all(
        word.capital and word.fold not in _NO_NAMES for word in words
    )


def _stands_before(former: str, name: str) -> str:
    """The preposition before a name, as it is written."""
    match = _BEFORE_IT.search(former[: former.find(name)])
    return match[0].strip() if match else ""


def _with(former: str, place: _Place, before: str, text: str) -> str:
    old, new = place.old, place.new
    at = former.find(old)
    if place.valued and old[0].islower():
        new = f"{new[0].lower()}{new[1:]}"
    led = _BEFORE_IT.search(former[:at])
    russian = any("\u0400" <= sign <= "\u04ff" for sign in new)
    if before and led:
        begun = before[0].lower() if led[0][0].islower() else before[0]
        start, put = led.start(), f"{begun}{before[1:]} {new}"
    else:
        start, put = at, new
        changes_form = before if russian else _ARTICLE.search(former[:at])
        if (changes_form and not place.valued) or (russian and not _of_one_form(old, new)):
            return _both(former, text)
    whole = f"{former[:start]}{put}{former[at + len(old) :]}"
    return f"{whole[0].upper()}{whole[1:]}"


def _of_one_form(one: str, other: str) -> bool:
    """True if two Russian words end alike, as those of one case do."""
    last, end = one[-1].casefold(), other[-1].casefold()
    return last == end or (last not in _VOWELS and end not in _VOWELS)


_VOWELS: Final = frozenset("аеёиоуыэюя")
