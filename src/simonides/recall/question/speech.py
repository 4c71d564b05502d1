"""Acts of a text: to state something, ask, say that its speaker does not know, or acknowledge.

A question shares its words with every question like it, and answers none of them. The same holds for "I am not sure."
In doubt a text states: what is taken for a question stands behind the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, partial
from typing import Final

from simonides.domain.item import Item
from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import CJK
from simonides.language.cues import Cues
from simonides.language.sentences import QuestionText, fold, sentences
from simonides.language.tables import section, worded
from simonides.language.words import QUESTION_MARKS
from simonides.recall.question.asks import FILLERS, QUESTION_WORDS, Expects
from simonides.recall.question.gate import is_chatter, is_idle

# The words of `{name}` in a pattern stand in the section `acts` of each language; they are looked for in folded text.
_worded: Final = partial(worded, "acts", flags=0)


class Act(StrEnum):
    """Act of a text."""

    STATES = "states"
    ASKS = "asks"
    KNOWS_NOT = "knows not"
    ACKNOWLEDGES = "acknowledges"


#: What tells of turns in their own words.
TELLING_OF_TURNS: Final = frozenset({"narrative"})
_QUOTED: Final = re.compile(r"„([^„“]+)“|“([^“”]+)”|«\s*([^«»]+?)\s*»")
#: Longer texts state something, whatever else they do.
_MOST_CHARS: Final = 1_000
_SPEAKS: Final = re.compile(r"[^\W_]")
_CJK_CHARACTER: Final = later(f"[{CJK}]")
#: Where a sentence falls into clauses; a comma within a number is none.
_CLAUSE_END: Final = _worded(r"[,;:，；：、](?!\d)|(?<=\s)[-—](?=\s)|\b{but}\b|{han_but}")
#: Before what is asked or not known: who is spoken to, how, and that now something is asked.
_OPENERS: Final = _worded(r"(?:{openers}\b[\s,.!…-]*|{han_openers}[\s,，。!！]*)+")
#: How a clause begins that asks, with or without a question mark.
_ASKING: Final = _worded("{asking}")
#: Question words that begin clauses of statements as well: only without a comma do they ask.
_BARE: Final = _worded("{bare}")
_HAN_ASKING: Final = _worded("{han_asking}")
_HAN_STATING: Final = _worded("{han_stating}")
_TAG: Final = _worded(r"{tags}\W*")
#: What is not known may follow, as a clause of its own or as a word for it.
_UNKNOWING: Final = _worded(r"{unknowing}(?:\W*$|\W+{rest}(?!\w).*$)|{han_unknowing}.*$")
#: Nobody knows, it is unclear, or has to be looked up: where, when, who … follows.
_NOBODY_KNOWS: Final = _worded(r"{nobody_knows}(?:\W*$|\W+(?:{unknown_about}\s+)?{unknown}\b.*$)")
_NOTHING_NOTED: Final = _worded("{nothing_noted}.*$")
#: Thanks for something, and a thing that is but named beside thanks.
_THANKS: Final = _worded(
    r"{thanks}(?:\s+{so_much})?\s+{thanks_for}\s+(?!.*\b{not_thanked_for}\b)(?:[^\s]+\s*){1,6}$|{han_thanks}"
)
#: No word that begins like an article: "Yes, latex.", "Yes, Leeds."
_NAMED_ONLY: Final = _worded(r"(?:{as_for}\s+)?{the}(?:\s+|(?<=['’])|(?=['’]))[\w'’-]+(?:\s[\w'’-]+)?$")
#: A question word that stands behind what it asks of: "passport where".
_ASKED_BEHIND: Final = _worded(r"(?!.*\b{not_asking}\b)(?:[\w'’-]+\s+){1,3}{asked_behind}$")
#: What somebody was told, or knows, and does not say here: "where the key is". Behind a comma or colon it may be said.
_INDIRECT: Final = r"{indirect}\b[^,;:—]*"
#: Thanks for having been told something, without it.
_TOLD_THANKS: Final = _worded(rf"{{told_thanks}}\s+{_INDIRECT}")
#: Somebody is said to know something, or asked for it in a word or two: "you know where …", "spare key location pls".
_HINTED: Final = _worded(
    rf"(?:{{hinted}}{_INDIRECT}"
    r"|(?:[\w'’-]+\s+){0,5}{wanted}(?:\s+{of}(?:\s+[\w'’-]+){1,4})?,?\s+{please})\W*$"
)
#: What leads to a question of where something is, and says no more than that it is sought.
_SOUGHT: Final = _worded(r"{sought}\b|{han_sought}")
#: The question where that is: a word for places or for seeing, and a pronoun.
_WHERE: Final = _worded(r"[^.!?\n]*(?:\b{where_it_is}|{han_where_it_is})")
#: A name before a colon, and a question behind it: "the alarm code sheet: where is it?"
_HEADED: Final = _worded(r"(?!.*\b{heading_verbs}\b)(?:{heading}\b|{han_heading})")
#: Says of what its speaker does not know no more than that.
_KNOWS_NOT_WHAT: Final = _worded(rf"{{knows_not_what}},?\s+{_INDIRECT}")
#: How an assistant says that it cannot tell, and what it offers beside that: said by a user, the same words may tell
#: something ("I don't have access to the garage").
_DISCLAIMING: Final = _worded(
    r"(?:(?:{openers}\b|{disclaimers})[\s,.!…-]*)*(?:{disclaiming})(?!.*\b{but}\s+(?!{offering}))|{han_disclaiming}"
)
_OFFERING: Final = _worded(r"(?:(?:{openers}\b|{disclaimers})[\s,.!…-]*)*(?:{offering})|{han_offering}")
#: What an assistant says to what it hears, without adding anything: "Qué ilusión", "Берегите себя", "好可爱".
_HEARD: Final = _worded(r"(?>\W*+(?:(?:{heard})(?!\w)|{han_heard}))++\W*+")
_HEARD_CHARS: Final = 60
#: An answer that cannot tell is short, and so are its sentences.
_MOST_DISCLAIMING: Final = 400
_MOST_WORDS: Final = 24
#: What begins a clause that only leads up to a question.
_SUBORDINATE: Final = _worded(r"{subordinate}\b|{han_subordinate}")
_OWN: Final = _worded(r"{own}\b|{han_own}")
#: So many words at least make a statement beside a question; one that begins with "I" and asks at its end has more.
_LEAST_WORDS: Final = 3
_WHOLE_WORDS: Final = 9
#: How somebody orders a piece of work in a chat: it states nothing, and is over when it is done.
_REQUESTING: Final = _worded(r"{requesting}")
#: What makes an order a rule, and what tells of its speaker beside it.
_FOR_GOOD: Final = _worded(r"\b(?:{for_good})(?!\w)|{han_for_good}")
_TELLING: Final = _worded(r"\b(?:{telling})(?!\w)|{han_telling}|[,;](?:\s*[\w'-]+){1,4}\s+(?:{tells})(?!\w)")
#: How the piece is to be, in a sentence of its own.
_DETAILING: Final = _worded(r"{detailing}")
#: What is behind the colon is what the work is to be done on.
_PASTING: Final = _worded(r"(?:{pasting}(?!\w)|{han_pasting})[^:\n]{0,60}:")
#: A question about what was asked: then questions are what answers.
_ABOUT_ASKING: Final = Cues("about_asking")


@cache
def _denying() -> tuple[str, ...]:
    """Pieces of which one stands in whatever says that it knows not: most texts hold none, and are not read closely."""
    return tuple(piece for acts in section("acts") for piece in acts.get("denying", ()))


def asks_for_questions(reading: QuestionText) -> bool:
    """Recognise a question that is after what was asked: "What did I ask about the ferry?"."""
    return _ABOUT_ASKING.search(reading.asking) is not None


def act_of(item: Item) -> Act:
    """Act of an item. A narrative that quotes nothing but questions asks: its session settled nothing."""
    if item.type in TELLING_OF_TURNS and (quoted := quotations(item.content)):
        return Act.STATES if any(act_of_turn(one) is Act.STATES for one in quoted) else Act.ASKS
    return act_of_text(item.content, item.type, item.provenance.source_role)


def act_of_text(content: str, kind: str, role: str | None) -> Act:
    """Act of what an item of a type says, or somebody in that role."""
    if kind != "episode":
        return act(content)
    return act_of_answer(content) if role == "assistant" else act_of_turn(content)


def states(item: Item) -> bool:
    """True if an item states anything."""
    return act_of(item) is Act.STATES


def quotations(text: str) -> list[str]:
    """Quotations of a text, in order."""
    return ["".join(pieces) for pieces in _QUOTED.findall(text)]


def unquoted(text: str) -> str:
    """The text without its quotations."""
    return _QUOTED.sub(" ", text)


@kept(8192)
def act(text: str) -> Act:
    """Act of a text; the same for the same text.

    It states where any sentence of it does, or a clause beside its question. It asks where nothing is stated and
    something is asked. English, Russian, French and Chinese are known with and without question marks, German and
    Spanish in their commonest forms; of any other language the question mark tells.
    """
    if len(text) > _MOST_CHARS:
        return Act.STATES
    done: set[Act] = set()
    sought = False
    for start, end, mark in sentences(text):
        folded = fold(text[start:end]).strip()
        found = _sentence(folded, marked="?" in mark or "？" in mark) if _SPEAKS.search(folded) else None
        if found is Act.STATES:
            if not (_SOUGHT.match(_opened(folded)) and _WHERE.match(fold(text[end:]).lstrip(" .!…。¿\n"))):
                return found
            sought = True
        elif found:
            done.add(found)
    if sought and Act.ASKS not in done:
        return Act.STATES
    return next((one for one in (Act.ASKS, Act.KNOWS_NOT) if one in done), Act.ACKNOWLEDGES)


@kept(8192)
def act_of_turn(text: str) -> Act:
    """Act of a user's turn: to order a piece of work asks ("Plan a holiday for four."), unless it is a rule for good.

    In a note the same words are a task or the step of a procedure, and state it.
    """
    found = act(text)
    return Act.ASKS if found is Act.STATES and _only_orders(text) else found


def _only_orders(text: str) -> bool:
    """True if a text orders work, says how it is to be done or on what, and states nothing besides."""
    ordered = False
    for start, end, mark in sentences(text[: _MOST_CHARS + 1]):
        folded = fold(text[start:end]).strip()
        body = _opened(folded)
        if _PASTING.match(body):
            return True
        if any(map(_orders, (folded, body))) or (
            ordered and _DETAILING.match(body) and not _tells_besides(body)
        ):
            ordered = True
        elif _SPEAKS.search(folded) and _sentence(folded, marked="?" in mark or "？" in mark) is Act.STATES:
            return False
    return ordered and len(text) <= _MOST_CHARS


def _orders(body: str) -> bool:
    found = _REQUESTING.match(body)
    return found is not None and not _tells_besides(body, found.end())


def _tells_besides(body: str, start: int = 0) -> bool:
    return _FOR_GOOD.search(body) is not None or _TELLING.search(body, start) is not None


@kept(4096)
def act_of_answer(text: str) -> Act:
    """Act of an assistant's turn: `knows not` where it says that it cannot tell, and else only asks or offers help.

    What it says without a word that names anything acknowledges ("Good to know. Keep it with you.").
    """
    if _only_hears(fold(text).strip()):
        return Act.ACKNOWLEDGES  # "Quel joli nom !" asks nothing.
    found = act(text)
    if found is not Act.STATES or len(text) > _MOST_DISCLAIMING:
        return found
    knows_not, asks, idle = False, False, True
    for start, end, mark in sentences(text):
        folded = fold(text[start:end]).strip()
        if not _SPEAKS.search(folded):
            continue
        done = _sentence(folded, marked="?" in mark or "？" in mark)
        if done is Act.KNOWS_NOT or (_weight(folded) <= _MOST_WORDS and _DISCLAIMING.match(folded)):
            knows_not = True
        elif done is Act.ASKS:
            asks = True
        elif done is Act.STATES and not (is_idle(folded, least=0) or _only_hears(folded)):
            if not _OFFERING.match(folded):
                return Act.STATES
            idle = False
    if knows_not or not idle:
        return Act.KNOWS_NOT if knows_not else Act.STATES
    return Act.ASKS if asks else Act.ACKNOWLEDGES


def _only_hears(folded: str) -> bool:
    return (
        len(folded) <= _HEARD_CHARS
        and folded[-1:] not in QUESTION_MARKS
        and _HEARD.fullmatch(folded) is not None
    )


def stated(text: str) -> tuple[str, ...]:
    """The sentences of a text that state something, each without what only opens it ("Noted, …")."""
    found: list[str] = []
    for start, end, mark in sentences(text):
        sentence = text[start:end].strip()
        folded = fold(sentence)
        if (
            not _SPEAKS.search(folded)
            or _sentence(folded, marked="?" in mark or "？" in mark) is not Act.STATES
        ):
            continue
        while (first := _CLAUSE_END.search(folded)) and is_chatter(folded[: first.start()].strip()):
            sentence, folded = sentence[first.end() :].strip(), folded[first.end() :].strip()
        found.append(sentence)
    return tuple(found)


def asking_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a turn that ask something, whatever they tell besides, or order a piece of work."""
    found: list[str] = []
    for start, end, mark in sentences(text):
        folded, marked = fold(text[start:end]).strip(), "?" in mark or "？" in mark
        if _SPEAKS.search(folded) and (
            marked
            or _sentence(folded, marked=False) is Act.ASKS
            or any(map(_orders, (folded, _opened(folded))))
        ):
            found.append(text[start:end].strip())
    return tuple(found)


def _sentence(folded: str, *, marked: bool) -> Act:
    """Act of a sentence: that of its clauses until one of them asks."""
    if is_chatter(folded):
        return Act.ASKS if marked else Act.ACKNOWLEDGES
    if _TOLD_THANKS.fullmatch(folded):
        return Act.ACKNOWLEDGES
    if _HINTED.fullmatch(folded):
        return Act.ASKS
    if _KNOWS_NOT_WHAT.fullmatch(folded):
        return Act.KNOWS_NOT
    clauses = [clause for clause in _clauses(folded) if _SPEAKS.search(clause)]
    told = ignorant = led = False
    thanked = named = False
    denies = any(piece in folded for piece in _denying())
    first = True
    for number, clause in enumerate(clauses):
        body = _opened(clause)
        forms = (clause,) if body == clause else (clause, body)
        if not body or is_chatter(clause) or any(map(_THANKS.match, forms)):
            thanked = True
            continue
        if first and number + 1 < len(clauses) and _leads(body, clauses[number + 1 :], folded):
            first = False
            continue
        first = False
        alone = not (told or led) and clause is clauses[-1]
        if denies and any(map(_knows_not, forms)):
            ignorant = True
        elif any(_asks(one, marked=marked, alone=alone or ignorant) for one in forms):
            return Act.STATES if told else Act.KNOWS_NOT if ignorant and not marked else Act.ASKS
        elif _SUBORDINATE.match(body):
            led = True
        else:
            only_named = _NAMED_ONLY.match(body) is not None
            named = named or not only_named
            told = told or (not only_named and _weight(body) >= _LEAST_WORDS)
            if told and not marked:
                return Act.STATES  # Whatever follows: what a sentence without a mark has told, it has told.
    if marked:
        tagged = len(clauses) > 1 and _TAG.fullmatch(clauses[-1].strip()) is not None
        return Act.STATES if tagged or (told and _tells(folded)) else Act.ASKS
    if thanked and not (told or led or ignorant or named):
        return Act.ACKNOWLEDGES
    return Act.KNOWS_NOT if ignorant and not (told or led) else Act.STATES


def _leads(body: str, rest: Sequence[str], folded: str) -> bool:
    """True if a clause only names what the rest of its sentence asks for the place of."""
    if _WHERE.match(", ".join(rest).lstrip(" ¿")) is None:
        return False
    headed = _HEADED.match(body) is not None and re.search(f"{re.escape(body)} ?[:：]", folded) is not None
    return headed or _SOUGHT.match(body) is not None


def _tells(folded: str) -> bool:
    """True if a long sentence is about its speaker, whatever it asks at its end."""
    return _weight(folded) >= _WHOLE_WORDS and _OWN.match(_opened(folded)) is not None


def _clauses(folded: str) -> list[str]:
    bounds = [0, *(place for found in _CLAUSE_END.finditer(folded) for place in found.span()), len(folded)]
    return [folded[bounds[n] : bounds[n + 1]].strip() for n in range(0, len(bounds), 2)]


def _opened(clause: str) -> str:
    """A clause without what only opens it, and without words for wondering."""
    rest = clause
    while True:
        opener = _OPENERS.match(rest) or FILLERS.match(rest)
        if opener is None or not opener.end():
            return rest
        rest = rest[opener.end() :].lstrip(" ,，")


def _asks(body: str, *, marked: bool, alone: bool) -> bool:
    """True if a clause asks.

    Args:
        marked: Its sentence ends with a question mark: then a question word near its beginning is enough.
        alone: It is the whole sentence.
    """
    if _ASKING.match(body):
        return True
    if not body.isascii() and _CJK_CHARACTER.search(body):
        return _HAN_ASKING.search(body) is not None and _HAN_STATING.search(body) is None
    if alone and _ASKED_BEHIND.fullmatch(body.rstrip(" .!…")):
        return True
    if _BARE.match(body) and (marked or alone):
        return True
    if not marked:
        return False
    found = QUESTION_WORDS.find(body)
    if found is None or _OWN.match(body):
        return False
    kind, place = found
    return len(body[:place].split()) < (1 if kind is Expects.YES_NO else _LEAST_WORDS)


def _knows_not(body: str) -> bool:
    return any(said.match(body) is not None for said in (_UNKNOWING, _NOBODY_KNOWS, _NOTHING_NOTED))


def _weight(text: str) -> int:
    """Words of a text; two CJK characters make one."""
    if text.isascii():
        return len(text.split())
    han = len(_CJK_CHARACTER.findall(text))
    return len(_CJK_CHARACTER.sub(" ", text).split()) + han // 2
