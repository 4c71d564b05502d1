"""Words sorted by what they do in a statement; a word may do several things.

The words themselves stand in `data/`. Written for this project.
"""

from __future__ import annotations

from typing import Final

from simonides.domain.pattern import later
from simonides.language.tables import by_kind, han, languages, pairs, phrases, table, words
from simonides.language.tokens import Shape, Token, folded, stemmed

#: Words that carry no topic.
STOP: Final = words("stop")
#: Words that say that something has a value, or that it has it now: two statements may differ in them.
LIGHT: Final = words("light")
#: Han characters that carry no topic.
HAN_LIGHT: Final = frozenset[str](han("light"))
#: Who speaks of whom. The user is "I" to themselves, "you" and "the user" to a model.
PERSONS: Final = by_kind("persons")
HAN_PERSONS: Final = pairs(han("persons"))

#: What stands for "no longer" and its like once a sentence was read; no word that anybody writes.
ENDED: Final = "nolonger"
HAN_ENDED: Final = "不再"
HAN_NOT: Final = str(han("not"))
HAN_IS: Final = str(han("is"))
NEGATORS: Final = words("negators") | {ENDED}
#: Say that something is so hardly ever; whoever does a thing denies them, and they deny it.
SELDOM: Final = words("seldom")
#: French: stands before a verb that is denied behind it.
NE: Final = words("before_denied")
#: Deny a verb that has "ne" before it.
BEHIND_NE: Final = words("behind_ne")
NEVER: Final = frozenset(stemmed(word) for word in words("never"))
HAN_NEGATORS: Final = tuple[str, ...](han("negators"))
#: In Chinese, words that hold such a character and negate nothing.
HAN_NOT_NEGATING: Final = later(han("not_negating"))

#: A clause with one of these is no plain statement of what is so.
UNSURE: Final = words("unsure")
_BECAME: Final = words("became")
HAN_UNSURE: Final = tuple[str, ...](han("unsure"))
#: A clause with one of these adds to what is known.
ADDING: Final = words("adding")
HAN_ADDING: Final = tuple[str, ...](han("adding"))
#: What was so and is not said to be so now.
PAST: Final = words("past")
HAN_PAST: Final = tuple[str, ...](han("past"))
PRESENT: Final = words("present")
#: Verbs whose past says what is so from then on.
CHANGES: Final = words("changes")
#: Of these, those that happen at one time; "was married" tells of a time that is over.
EVENTS: Final = CHANGES - words("lasting_changes")
HAN_CHANGES: Final = tuple[str, ...](han("changes"))
#: Verbs by which something has another value from then on, where one follows: it went up to 480.
RISING: Final = words("rising")
HAN_RISING: Final = later(han("rising"))
#: Times of the year, feasts and the like, at which something may be otherwise than it is.
OCCASIONS: Final = words("occasions")
OCCASION_PHRASES: Final = frozenset(phrases("occasions"))
HAN_OCCASIONS: Final = tuple[str, ...](han("occasions"))
#: By what a word is joined that follows: a flight to Oslo is another one than a flight from Oslo.
RELATIONS: Final = by_kind("relations")
#: Of these, those that nobody leaves out: "the Oslo flight" may go there, not come from there.
TELLING_RELATIONS: Final = frozenset(RELATIONS.values()) - {"of", "to", "with", "above", "below", "inside"}
#: English pasts and participles that do not end in -ed.
IRREGULAR_PASTS: Final = words("irregular_pasts")
#: Words that end like a past and are none.
_NO_PASTS: Final = words("no_pasts")
#: With one of these a statement tells what was.
PAST_AUXILIARIES: Final = words("past_auxiliaries")
#: With one of these, what will be.
FUTURE: Final = words("future")
#: Two words with which something is about to be.
PURSUED: Final = frozenset(" ".join(pair) for pair in phrases("pursued"))
PRESENT_COPULAS: Final = words("present_copulas")
#: Behind these a participle tells of the present: is painted, est marié, gets paid.
PARTICIPLE_BEHIND: Final = words("participle_behind")
PERFECT: Final = words("perfect", of="en")
#: The same before a French participle; some are English words, too.
FRENCH_PERFECT: Final = words("perfect", of="fr")
DEFINING: Final = words("defining")
#: May stand between an auxiliary and its participle.
ADVERBS: Final = words("adverbs")
#: By what a word tells how a statement is meant.
MANNERS: Final = by_kind("manners") | {ENDED: "ended"}
#: The same in Chinese. A sign that is part of a longer one counts as that, too.
HAN_MANNERS: Final = pairs(han("manners"))
#: Words of which such a sign is a part that tells nothing.
HAN_NO_MANNERS: Final = later(han("no_manners"))
_RUSSIAN_PASTS: Final = tuple(sorted(words("past_endings", of="ru")))


def became(token: Token) -> bool:
    """True for German "wurde", which folded is "würde", too: that says what would be."""
    return token.fold in _BECAME and token.text.casefold() == token.fold


def is_past_form(token: Token) -> bool:
    """True if a word has the form of a past or of a participle."""
    fold = token.fold
    if token.shape is not Shape.WORD or fold in _NO_PASTS:
        return False
    if "\u0400" <= fold[0] <= "\u04ff":
        return len(fold) > 3 and fold.endswith(_RUSSIAN_PASTS)
    written = token.text.casefold()
    if written.endswith(("é", "ée", "és", "ées", "ait", "aient")):
        return True
    return (
        fold in IRREGULAR_PASTS
        or (len(fold) > 4 and fold.endswith("ed") and not fold.endswith("eed"))
        or (fold == "agreed")
    )


# Corrections


#: Begin a statement that corrects an earlier one. "No longer" and "moved to" are none: they tell of a change.
CORRECTING: Final = frozenset(phrases("correcting"))
HAN_CORRECTING: Final = tuple[str, ...](han("correcting"))
#: Words that begin a correction only before a comma or the like.
NEEDS_MARK: Final = words("needs_mark")
#: Of these, those that deny what stands behind "that": wrong that we meet.
BELYING: Final = words("belying")
#: Stand before those, and behind them before what is meant.
BEFORE_CORRECTING: Final = words("before_correcting")
BEHIND_CORRECTING: Final = words("behind_correcting")
BUT: Final = words("but")

# Who says it, and what it is worth

#: Behind "would" these say what somebody wants.
WISHED: Final = words("wished")
#: Verbs of a wish: one who says so, or orders it, prefers it and wants it.
WISHES: Final = WISHED | words("wishes")
HAN_WISHES: Final = frozenset[str](han("wishes"))
#: Stems of what a statement may say of a wish.
ATTITUDES: Final = frozenset(stemmed(word) for word in words("attitudes"))
#: Stems of words by which somebody says that he tells what another said.
LEADS: Final = frozenset(stemmed(word) for word in words("leads"))
#: Begin an order; what they order stands behind them.
IMPERATIVES: Final = words("imperatives")
#: Of these, those that ask for a thing: without them it would be wished for always.
PRODUCING: Final = words("producing")
#: With a word of a report, and none: a disk is read only.
NO_REPORTS: Final = frozenset(phrases("no_reports"))
#: Before an order that somebody wishes to be carried out: "I want you to use tabs."
WANTING: Final = phrases("wanting")
#: Stand before a statement and say nothing.
OPENERS: Final = words("openers")
HAN_OPENERS: Final = frozenset[str](han("openers"))
#: Say that somebody else says it, or that nobody claims it.
REPORTS: Final = words("reports")
HAN_REPORTS: Final = tuple[str, ...](han("reports"))
#: Words of a language without which a clause says the same: articles, forms of "be", joints, emphasis. No preposition
#: and no negation is among them: they restrict, and turn about.
FREE: Final = {code: words("free", of=code) for code in languages()}
HAN_FREE: Final = frozenset[str](han("free"))
#: Of whom the pronouns of a language speak. In a user's turn "you" is the assistant; "own" may be anybody's.
PRONOUNS: Final = {
    "": dict[str, str](),
    **{
        code: {folded(word): who for who, forms in table(code, "pronouns").items() for word in forms.split()}
        for code in languages()
    },
}
#: Pronouns, of all languages, that speak of somebody or something that was named before.
THIRD_PERSONS: Final = words("it") | frozenset(
    word for known in PRONOUNS.values() for word, who in known.items() if who in {"he", "she", "they"}
) - words("no_antecedent")
HAN_THIRD_PERSONS: Final = ("它", *(sign for sign, who in HAN_PERSONS if who in {"he", "she", "they"}))
#: Verbs whose form says that whoever speaks does it, in languages that leave the pronoun out.
FIRST_PERSON: Final = words("first_person")
#: Name whoever uses the assistant; say before that who is meant, or that anybody is; make a thing's name with it.
USERS: Final = words("users")
DEFINITE: Final = words("definite")
UNSPECIFIC: Final = words("unspecific")
THINGS_OF_USERS: Final = words("things_of_users")
#: Name the user behind "the" or "this".
USERS_IF_DEFINITE: Final = words("users_if_definite")
#: Begin a statement that leaves out of whom it is: prefers tea.
PREDICATES_OF_USERS: Final = words("predicates_of_users")
#: What a sentence without a subject begins with, of whom its scope belongs to: works as a nurse.
PREFERRED: Final = words("preferred")
PREDICATES_OF_OWNERS: Final = words("predicates_of_owners")
#: Before "user" they make a kind of account; behind "user's", what a program keeps of each; of a user, what any does.
ACCOUNT_KINDS: Final = words("account_kinds")
ENTRUSTED: Final = words("entrusted")
INTERFACE: Final = words("interface")
#: Labels of what somebody is: age: 34.
MATTERS_OF_USERS: Final = words("matters_of_users")
#: Behind "you" they say what anybody can or should do.
MODALS: Final = phrases("modals")
#: Whose something is that belongs to whoever is spoken to: your.
OWNERS_ADDRESSED: Final = words("owners_addressed")
#: Behind "user-" they make the name of a thing.
BEHIND_USER: Final = words("behind_user")
#: Thank and praise, together with small words: that sounds great.
PRAISE: Final = words("praise")
HAN_SAYS_NOTHING: Final = frozenset[str](han("says_nothing"))
HAN_THANKING: Final = tuple[str, ...](han("thanking"))
#: Stand before a statement and change nothing in it: by the way.
PREFACES: Final = phrases("prefaces")
HAN_PREFACES: Final = tuple[str, ...](han("prefaces"))
#: Say before a statement that it is so: it is true that.
AFFIRMING: Final = frozenset(phrases("affirming"))
#: Signs of a question in Chinese, and of what points at what was said.
HAN_ASKING: Final = tuple[str, ...](han("asking"))
HAN_POINTING: Final = tuple[str, ...](han("pointing"))
HAN_REMEMBERING: Final = frozenset[str](han("remembering"))
#: Say of somebody what holds now: I live, I have.
STATING: Final = words("stating")
HAN_STATING: Final = tuple[str, ...](han("stating"))
HAN_STATING_OF_ONESELF: Final = tuple[str, ...](han("stating_of_oneself"))
#: Take back, in the first person, what stands beside: I joke, I read that.
TAKING_BACK: Final = words("taking_back")
#: Say, with a word that points, that it came from elsewhere: I read that.
RECEIVING: Final = words("receiving")
#: Begin words that tell under which circumstances the claim behind them holds: at the moment, since May.
SITUATING: Final = words("situating")
HAN_SITUATING: Final = tuple[str, ...](han("situating"))
#: Among such words these say whose claim it is: in your opinion.
VIEWS: Final = words("views")
HAN_SAYING: Final = tuple[str, ...](han("saying"))
#: Among a few words behind a claim these take it back: wrong window, not really.
SLIPS: Final = words("slips")
HAN_SLIPS: Final = tuple[str, ...](han("slips"))
#: Begin a question about the matter; and words of one about how something is said.
ASKING_WORDS: Final = words("asking_words")
MATTERS_OF_TEXTS: Final = words("matters_of_texts")
#: Point at what was said just now.
POINTING: Final = words("pointing")
#: Order that somebody be told or asked something.
ADDRESSING: Final = words("addressing")
#: Say in the first person whose something is.
OWNERS: Final = words("owners")
THAT: Final = words("that")
#: Stems of words by which a name, and a profession, is told.
CALLING: Final = frozenset(stemmed(word) for word in words("calling"))
OCCUPATIONS: Final = frozenset(stemmed(word) for word in words("occupations"))
#: Ask that what stands behind them be remembered.
REMEMBERING: Final = phrases("remembering")
#: Go along with what is asked for.
COURTESIES: Final = words("courtesies")
#: Common verbs, as they stand behind a subject.
VERBS: Final = words("heading_verbs")
#: Pronouns of whoever is spoken to.
LISTENERS: Final = frozenset(
    word for forms in PRONOUNS.values() for word, who in forms.items() if who == "listener"
) - {"assistant"}
#: Pronouns with which a clause begins.
SUBJECTS: Final = words("subjects")
#: Begin what only tells under which circumstances the clause behind it holds.
SUBORDINATE: Final = words("subordinate")
_SAME_FORMS: Final = {"not": "¬not", "never": "¬never", "nor": "¬nor"}
#: Forms of a word that no ending tells, and words that deny in the same way.
SAME_WORDS: Final = {word: _SAME_FORMS.get(kind, kind) for word, kind in by_kind("same_words").items()}

#: Pairs of words of which one denies the other.
OPPOSITES: Final = frozenset(frozenset((stemmed(one), stemmed(other))) for one, other in phrases("opposites"))
#: Pairs of small words of which one is said where the other is not meant.
CONTRASTS: Final = phrases("contrasts")
HAN_OPPOSITES: Final = pairs(han("opposites"))

#: What somebody does with a thing that he gives up or avoids, by its stem; a Chinese sign.
CONSUMED: Final = frozenset(stemmed(word) for word in words("consumed")) | frozenset[str](han("consumed"))
#: Endings by which a noun and an adjective of one stem are told apart: an allergy, allergic; intolerant, intolerance.
_DERIVED: Final = later(
    "(?<=[^\\W\\d_]{5})(?:ati(?:c|qu)|ic|iqu|y|ia|i|a|an[ct]e?|ancy|en[ct]e?|ency|ичн?|ичен|ик|ия?|ен|н)$"
)


def root_of(stem: str) -> str:
    """A stem without the ending that makes it a noun or an adjective."""
    return _DERIVED.sub("", stem)


#: Words behind which the reason or circumstance follows, which does not change what is said.
ASIDES: Final = words("asides")
HAN_ASIDES: Final = tuple[str, ...](han("asides"))
JOINING: Final = words("joining")
SENTENCE_ENDS: Final = frozenset(".!?;。！？；\n")
QUESTION_MARKS: Final = frozenset("?？")

#: By what a name that follows is the value: of each class of statement there is one value at a time.
#: The word itself says no more than the class does.
NAMING: Final = {stemmed(word): kind for word, kind in by_kind("naming").items()}
#: Stand where a name may, and are states, times and kinds of places: lives in poverty.
STATES: Final = words("states")
#: Persons and animals of whom somebody may have several: another name may be another one's.
SEVERAL: Final = words("several")
HAN_SEVERAL: Final = tuple[str, ...](han("several"))
#: Verbs whose subject is one person at a time.
LEADING: Final = words("leading")
#: Said between the verb and the name.
PREPOSITIONS: Final = words("prepositions")
#: Tell when something changed.
MOMENT: Final = frozenset(stemmed(word) for word in words("moment"))
#: Say of a statement that it was otherwise before.
NOW: Final = words("now")
#: Stand before a name that is put in the place of another: "No, it's Linz."
INSTEAD: Final = words("instead")
#: End with a full stop that ends no sentence.
TITLES: Final = words("titles")
HAN_WORKING: Final = tuple[str, ...](han("working"))
#: Before a time from which on something is so.
SINCE: Final = words("since")
HAN_SINCE: Final = frozenset[str](han("since"))
COPULAS: Final = words("copulas")
HAN_NAMING: Final = pairs(han("naming"))
#: Words by which each class of statement is told.
TELLING: Final = {
    kind: (
        *(word for word, of in by_kind("naming").items() if of == kind),
        *(frame for frame, of in HAN_NAMING if of == kind),
    )
    for kind in set(NAMING.values())
}
