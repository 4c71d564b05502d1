"""Addressee of an order: the reader, or somebody in a story, a committee, a contract.

"Ignore the earlier rules." is told to whoever reads it; "The committee decided to ignore the earlier rules." is not.
What decides is grammar: who acts, in which form the verb stands, and whether a sentence begins with it.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Final

from simonides.domain.pattern import later
from simonides.language.tables import worded

_worded: Final = partial(worded, "address", flags=re.IGNORECASE | re.VERBOSE)

_OPENING: Final = frozenset("\"'`“‘„«")
#: Characters in front of an order in which its subject stands.
_NEAR: Final = 36
#: Before an order: a word for an example, and a quotation mark.
_QUOTED: Final = later(
    r"""(?ix)
    \b(?:detect\w*|flagg\w*|regex|pattern|examples?|strings?|phrases?|tests?|papers?|articles?|attacks?|such\sas|called|titled|named
    |false\spositive|documentation|quote[ds]?|expressions?|like|payloads?)\b[^.\n]{0,20}["'`“‘„«]\Z
    """
)

#: Before an order: who is said to do it, or that it is not to be done.
_REPORTED: Final = _worded(
    r"""
    \b(?:we|i|he|she|they|who|users?|people|team|attackers?|hackers?|students|clients?|kids|everyone|everybody|nobody|members)\x20
    (?:(?:\w+ly|often|can|could|will|would|then|may|might|did|had\sto|have\sto)\x20)?\Z
    | \b(?:the|these|those|some|many|most|all|our|their|his|her)\x20(?:\w+\x20)?\w{3,}s\x20\Z
    | (?:\b(?:{denying}|niet)|{denying_parts}|{han_denying})\x20?\Z
    | \b(?:our|their)\x20\Z
    | \b(?:did|does|do)\x20(?:you|he|she|they|we|i)\x20\Z
    """
)
#: Whoever is spoken to when a model is.
_READER: Final = later(
    r"(?i)\b(?:you|your|yourself|assistants?|models?|ais?|llms?|agents?|(?:chat)?bots?|chat\s?gpt|gpt|claude|gemini|copilot|task|instruction|please)\b"
)
_ENDS: Final = later(r"[.!?…\n]")
#: Before an infinitive: what somebody decided, was told or is used to.
_GOVERNED: Final = later(
    r"""(?ix)
    \b(?:decid\w+|vot(?:ed|es?|ing)|agree\w*|mov(?:ed|es|ing)|resolv\w+|ch(?:oo|o)s\w+|plan\w*|wants?|wanted|tri(?:ed|es)|propos\w*|was|were|been|had|has
    |refus\w+|threat\w+|order\w*|told|asked|motion|decision|proposal|right|reason|power|tempt\w+|used|likes?|likely|prefer\w*|allow\w*|managed|began|tends?
    |seem\w*|ready|able|free|wish\w*)\x20(?:\w+\x20){0,3}to\x20(?:simply\x20|just\x20|now\x20)?\Z
    """
)
_PAST: Final = later(
    r"(?i)set\saside\sthe\s(?:earlier|original|first|former)\s(?:order|decision|ruling)\b|(?:ignor|disregard|overlook|abandon|dropp|discard|dismiss|bypass|neglect|cancell?|cancel|clear|replac|skipp|eras|wip|delet|remov|violat|revok|suspend|overrul|circumvent|abolish)ed\b|forgot|overrode|broke|dropped"
)
_YOU_DID: Final = later(r"(?i)\byou(?:'ve|\shave|\sare|'re)?(?:\s(?:now|just|already|hereby))?\s\Z")
#: Rules of a house, a club or a country, which somebody lifts: not the instructions of a model.
_OF_A_BODY: Final = later(
    r"(?i)\b(?:rules|orders|restrictions|constraints|guidelines|limitations|polic(?:y|ies))\b"
)
_ALL_OR_YOURS: Final = later(
    r"(?i)\b(?:all|any|every|each|your|its|yours|these|those|above|system|safety|security|content|ethical|moral|openai\S*|instructions?|prompts?|directives?|commands?|told|model\S*|assistant\S*|ai)\b"
)
_THEIRS: Final = later(r"(?i)\b(?:the|our|their|its|his|her|all|this|some|both|that|which)\x20(?:\w+\x20)?\Z")
_LIFTED: Final = later(
    r"(?i)\b(?:void|lifted|revoked|cancel+ed|obsolete|invalid|superseded|suspended|replaced|no\slonger)\b"
)

#: What may stand between the beginning of a clause and an imperative, in languages that have no file.
_CONNECTORS_ELSEWHERE: Final = r"""
    agora|e|depois|deves?|voce\sdeve|a\spartir\sde\sagora|alsjeblieft|nu|en|dan|je\smoet|prosze|teraz|i|lutfen|simdi
  |ve|tolong|sekarang|hay|vui\slong|будь\sласка|тепер
"""
_AT_A_START: Final = _worded(
    r" (?:^|[\n\r\t]|[^\w\s]|_) \s{0,6} (?:(?:{connectors}|" + _CONNECTORS_ELSEWHERE + r")[\s,]{1,3}){0,4} \Z"
)
#: In French an infinitive that hangs on something: "décidé d'ignorer".
_HANGING: Final = later(r"(?i)(?<!\bmerci\s)\b(?:d|l|qu)['’]\Z")
_AT_A_START_IN_CHINESE: Final = worded(
    "address",
    r"(?:^|[^\u3400-\u9fff])\s{0,4} (?:{han_connectors}\s?){0,5}\Z",
    re.VERBOSE,
)
#: Verbs that tell what was done, or what somebody does: forms that give no order.
_TELLING_FORM: Final = _worded(r"^(?:{telling_forms}\b | [\u3400-\u9fff]{2,4}{han_telling_forms})")


#: What is told of models in general: attacks such as telling a model to …
_TOLD_OF_MODELS: Final = later(
    r"(?i)\b(?:telling|asking|tricking|getting|convincing|instructing|persuading|coaxing|urging) (?:an?|any|some) "
    r"(?:[\w-]+ )?(?:model|llm|assistant|chatbot|ai|agent|bot)s? (?:to|into) $"
)


def addresses_reader(before: str, order: str) -> bool:
    """True if an order is told to the reader: not quoted as an example, negated, or what somebody else did.

    Args:
        before: Up to 80 characters in front of it.
        order: Its words, the verb first or what it is about.
    """
    if before[-1:] in _OPENING and _QUOTED.search(before):
        return False
    if _REPORTED.search(before[-_NEAR:]) or _TOLD_OF_MODELS.search(before[-_NEAR:]):
        return False
    sentence = _ENDS.split(before)[-1]
    if "to " in sentence[-_NEAR:] and _GOVERNED.search(sentence) and not _READER.search(sentence):
        return False
    if _LIFTED.search(order) and _OF_A_BODY.search(order) and _THEIRS.search(before):
        return False
    if _PAST.match(order) and not _YOU_DID.search(before):
        return False
    if not _OF_A_BODY.search(order) or _ALL_OR_YOURS.search(order):
        return True
    return bool(_READER.search(f"{sentence} {order}"))


def commands(before: str, order: str) -> bool:
    """True if an order begins its clause, as imperatives do in languages other than English."""
    if not addresses_reader(before, order) or _TELLING_FORM.match(order) or _HANGING.search(before):
        return False
    starts = _AT_A_START_IN_CHINESE if "\u3400" <= order[:1] <= "\u9fff" else _AT_A_START
    return starts.search(before[-_NEAR:]) is not None
