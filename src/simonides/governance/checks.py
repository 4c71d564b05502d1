"""Checks that no pattern can express: that a value is random, checks out, or merely stands for one.

A closed registry: rule files name these functions, nothing else. They see a value of at most
512 characters and a little of what stands around it, so their cost is bounded.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from simonides.domain.pattern import later
from simonides.governance.address import addresses_reader, commands
from simonides.language.tables import worded
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value that a pattern found, with up to 80 characters before it and the one after it."""

    value: str
    before: str
    after: str


Check = Callable[[FoundValue], bool]

_worded = partial(worded, "address", flags=re.IGNORECASE | re.VERBOSE)
_PLACEHOLDER = later(
    r"""(?ix)
    x{4} | \*{3} | \.{2} | … | [<>{}] | \$[({] | ^\$\w | %\(
    | \bexample\b | placeholder | your[_\x20-] | redacted | changeme | change_me
    | _here\b | dummy | insert[_\x20-] | todo\b | 1234567 | abcdefg
    | ^(?:none|null|undefined|true|false|password|secret|token)$
    """
)

#: What stands where a password will: a name in brackets, a variable, a call, an element of something.
_STANDS_FOR = later(
    r"""(?x)
    x{4,} | \*{3,} | \.{2,}(?:[.,;]|$) | …
    | (?i: \bexample\b | placeholder | \byour[_\x20-] | redacted | change_?me | _here\b
        | dummy | insert[_\x20-] | \btodo\b | 12345678 | abcdefg )
    | ^["']?(?i:none|null|nil|undefined|true|false|password|secret|token|string|str)["']?$
    | ^[\[({<]{1,3}\s?[A-Za-z][A-Za-z\x20_./:|-]*\s?[\])}>]{1,3}["';,.)]*$
    | ^[\[({<]{1,3}[\])}>]{0,3}$
    | ^\$\{[^}]*\}?["']?$ | ^\$\(?[A-Z_]{3,}\)?["']?$ | ^\$[a-z_]{3,}\W?$
    | \$\{\{ | ^\{\{ | ^%\([a-z_]+\)s | ^%[A-Z_]+%$ | ^<%
    | ^(?:os|process|env|self|this|config|cfg|settings|secrets|vars|ENV|args|options|opts|request|req
        |credentials|user|data|form|body|params|ctx|state|values?)[.\[]
    | ^(?:[a-z_]{3,}|[A-Z_]{3,}|[A-Za-z]?[a-z]{2,}(?:[A-Z][a-z]+)*)(?:[.:]{1,2}[A-Za-z_]{2,})*[(\[]
    | \.(?:get|env|environ|getenv|read|trim|strip|value|text)\b
    | ^[A-Za-z_]+\.[A-Za-z_]+(?:\.[A-Za-z_]+)*[,;)]?$
    """
)

#: Introduces a password as one to be avoided.
_BAD_EXAMPLE = _worded("(?:{bad_example}|{han_bad_example})$")

_CODE = later(
    r"""(?x)
    [(){}\[\]<>] | ^[$%] | ^[\w+.-]{1,20}://
    | ^(?:os|process|env|self|config|settings|secrets|vars|ENV)\b[.]
    | \.(?:get|env|environ)\b
    | ^[A-Za-z_]+\.[A-Za-z_]+\.[A-Za-z_]+$
    """
)

#: Words and short numbers, joined as in names of files, builds and routes.
_WORDS = later(r"(?:[A-Za-z]{1,14}\d{0,3}|\d{1,4})(?:[-_/.:~](?:[A-Za-z]{1,14}\d{0,3}|\d{1,4}))*")

_NEGATED_NAME = later(
    r"(?i)\b(?:non|no|not|fake|dummy|mock|invalid|wrong|test_?only)[\w-]*(?:key|token|secret|password)\W{0,8}$"
)
_PASSWORD_NAME = later(
    r"(?i)(?:pass(?:word|wd|phrase|code)?|pwd|pw|psw)\W{0,3}\w{0,6}[\"'\])]{0,2}\s{0,4}[:=?,|>-]+\s{0,4}\W{0,3}$"
)
_SYMBOL_INSIDE = later(
    r"\w[!@#$%^&*+?~<>{}\[\]|\\;\"`=]\w|[!#$%^&?~]\w\w|\w\w[!#$%^&]|\w[^\w\s'’.,:/()-]{2,}\w"
)
#: Marks that words have within.
_JOINED = later(r"(?<=[A-Za-z])['’.,:/-](?=[A-Za-z])")
#: Words and numbers in parts: Room-2.B, CVE-2024-3094, 12:30-14:00.
_IN_PARTS = later(r"[A-Za-z0-9]{1,12}(?:[-_./:,+][A-Za-z0-9]{1,12})+")
#: Words with a number behind, in parts: iso-8601, mp3, ipv6/ipv4, python3.12.
_IN_PARTS_OF_WORDS = later(
    r"(?i)[a-z]{1,10}[-/]?\d{1,4}(?:\.\d+)*|\d{1,4}[-/]?[a-z]{1,10}|[a-z]+(?:[-/&+][a-z]+)+"
)
_HEXADECIMAL = later(r"[0-9A-Fa-f]+")
_NUMBERED = later(r"\d{1,2}[.)]")
_SEED_LENGTHS = frozenset({12, 15, 18, 21, 24})
#: No word of a wallet's phrase is among these; hardly a sentence of a dozen words does without.
_OF_SENTENCES = later(
    r"""(?x)
    the|and|for|but|not|with|from|these|those|are|was|were|has|had|would|could|his|her|she|your|our|their|its
    |who|which|how|why|than|them|onto|been|being|did|does|most|while|after|out|per|der|die|das|ein|eine|ist
    |nicht|mit|les|des|une|est|pas|que|los|las|por|con|para|del|nel|che|non|sono|het|een|van|niet
    """
)
_CODE_OF_DIGITS = later(r"[*#]?\d{4,10}[*#]|\d{5,10}")
_KINDS = 4
_SHORTEST_DRAWN = 6
_LEAST_CHANGES = 2

_NOT_A_PASSWORD = later(
    r"""(?ix)
    \d{1,3} | (?:19|20)\d\d | \d{4}-\d\d?-\d\d?\S* | \d+(?:st|nd|rd|th|[a-z]{1,6}) | v?\d+(?:\.\d+)+ | \d+[%€$] | \#\d+
    | [^\s@]+@[^\s@]+\.\w+ | \w+://\S+
    | [a-z]+(?:_[a-z]+)+ | (?-i:[a-z_]{3,}|[A-Z_]{3,})\d?=.* | [@.]\w+(?:\.\w+)*
    | \w+\.(?:py|js|ts|html|json|ya?ml|txt|md|env|com|org|net)
    | sha\d+ | md5 | aes-?\d+ | utf-?8 | base64
    | (?:[a-z]+/)+[a-z]* | (?:e\.g|i\.e)\.?
    | [a-z]+-(?:to|by|in|of|up|off|on|less|protected|based)(?:-[a-z]+)*
    """
)
_STOCK_PASSWORD = later(
    r"(?i)pass(?:word|wd)?|pwd|secret|user(?:name)?|\*+|x+|\d{1,5}(?:/.*)?|[^/]*/[^/]*/.*"
)

_OTHER_CODE = later(
    r"""(?ix)
    \b(?:error|status|exit|return|post(?:al)?|zip|area|country|dial\w*|product|promo\w*|discount|coupon|source|http|response
    |colou?r|tax|item|booking|order|voucher|airport|currency|language|qr|bar|dress|gift|tracking|course|flight)\s?-?codes?\W
    """
)

#: What people become, as letters tell them.
_STANDING = later(
    r"""(?ix)
    \b(?:member|owner|citizen|subscriber|customer|guest|student|resident|part|friend|fan|parent|grand\w+|father|mother|aunt|uncle|brother|sister|dad|mum|mom
    |husband|wife|patient|winner|leader|head|chair\w*|manager|director|partner|participant|graduate|doctor|nurse|teacher|professor|licen\w+|driver|holder|user
    |proud|official|certified|registered|qualified|full|year|step|level|few|bit|lot|little|couple|long|man|woman|adult|teenager|one|first|second|third|only|next|last
    |recipient|beneficiary|tenant|employee|colleague|volunteer|donor|sponsor|subscriber|follower|contact|heir|boss|host|captain|mayor|president|secretary|treasurer)\b
    """
)
#: What one is to forget all about: pasta, not the rules.
_SUBJECT = later(
    r"(?i)(?:\byou\b[\w' ]{0,16} about (?:the )?|\bmemor(?:y|ies) (?:of|from) (?:\w+ ){1,2})([\w'-]+)$"
)
#: What rules are about, at the end of an order in French, Spanish, Portuguese, Italian or Russian.
_TOPIC = _worded(r"\s(?:{topic_of}|d[oa]s?)\x20(\w{3,20})$")
_OF_THE_READER = _worded(r"{of_the_reader}|desenvolv|seus?|tud")
_MENTION = later(r"(?i)\b(?:tags?|tokens?|markers?|delimiters?|regex|patterns?)\b[^.\n]{0,24}[\"'`“‘„(]?$")

_CASE_CHANGE = later(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_CONSONANTS = later(r"(?i)[bcdfghjklmnpqrstvwxz]{6}")

#: Before a value: words by which identifiers and hashes are introduced, not secrets.
_CONTEXT_OF_IDS = later(
    r"""(?ix)
    (?:public|cache|primary|foreign|sort|partition|index|translation|issue|map|dict|row|lookup|storage|s3|object)[\s_.-]?keys?\b
    | \bkey[\s_-]?(?:id|name|fingerprint)\b | \bkeywords?\b | non\w*token
    | fingerprint | checksum | \bsha(?:1|256|512)?\b(?:[^~]|$)
    | \b(?:commit|hash|digest|uuid|etag)\b | \b(?:max|num|n|total|prompt|completion)_tokens?\b | tokeni[sz]
    """
)


def entropy(value: str) -> float:
    """Bits per character, from the value's own letter counts."""
    length = len(value)
    return -sum(n / length * math.log2(n / length) for n in Counter(value).values()) if length else 0.0


#: Dots that a sentence trails off in, or that stand for the rest of a key.
_DOTS = later(r"\.{2,}|…")
#: Of so many characters, nobody leaves the rest out; of a password not of so many.
_ENTIRE = 20
_ENTIRE_PASSWORD = 6
#: How every JSON web token begins: of one that stops there, the rest is left out.
_HEAD_OF_TOKEN = later(r"eyJ[\w-]+")


def _before_dots(value: str, least: int) -> str:
    """Beginning of a value before the first dots, if that is long enough to be all of it."""
    dots = _DOTS.search(value, least)
    if dots is None or _HEAD_OF_TOKEN.fullmatch(value, 0, dots.start()):
        return value
    return value[: dots.start()]


def is_real(candidate: FoundValue) -> bool:
    """Not a placeholder: enough different characters, nothing like `xxxx`, `<token>` or `${TOKEN}`."""
    value = _before_dots(candidate.value, _ENTIRE)
    return not _PLACEHOLDER.search(value) and entropy(value) >= min(2.6, math.log2(len(value) or 1) - 0.4)


def is_random(candidate: FoundValue) -> bool:
    """As drawn from a generator: letters and digits mixed, near the entropy of its length."""
    value = _bare(candidate.value)
    if not is_real(candidate) or _CONTEXT_OF_IDS.search(candidate.before):
        return False
    if any(c.isdigit() for c in value) and any(c.isalpha() for c in value):
        return entropy(value) >= min(3.2, 0.75 * math.log2(len(value)))
    return _is_gibberish(value)


def is_mixed_random(candidate: FoundValue) -> bool:
    """Random, with capitals, small letters and digits: not a hash."""
    value = candidate.value
    kinds = (
        any(c.isupper() for c in value),
        any(c.islower() for c in value),
        any(c.isdigit() for c in value),
    )
    return all(kinds) and is_random(candidate)


def is_said(candidate: FoundValue) -> bool:
    """A random value in a sentence; words joined by hyphens and the like are not."""
    value = _bare(candidate.value)
    if _CODE.search(value) or (_WORDS.fullmatch(value) and not _is_gibberish(value)):
        return False
    return is_random(candidate)


def is_assigned(candidate: FoundValue) -> bool:
    """The right side of `api_key = …`: random, or a password where the name says password."""
    calls = candidate.after == "(" and not _HEXADECIMAL.fullmatch(candidate.value)
    if calls or _CODE.search(candidate.value) or _NEGATED_NAME.search(candidate.before):
        return False
    return is_password(candidate) if _PASSWORD_NAME.search(candidate.before) else is_random(candidate)


def is_assigned_password(candidate: FoundValue) -> bool:
    """The right side of `password = …`."""
    return not _NEGATED_NAME.search(candidate.before) and is_password(candidate)


def is_header(candidate: FoundValue) -> bool:
    """The value of an authorization header."""
    return is_real(candidate) and any(c.isdigit() or c in "=+/" for c in candidate.value)


def _is_a_bad_example(candidate: FoundValue) -> bool:
    """True if a password is shown as one that nobody should have."""
    return _BAD_EXAMPLE.search(candidate.before) is not None


def is_password(candidate: FoundValue) -> bool:
    """As people choose them: a digit or a symbol among the letters; not a name from code, not a date."""
    if _is_a_bad_example(candidate):
        return False
    entire = _before_dots(candidate.value, _ENTIRE_PASSWORD)
    value = _bare(entire)
    if value.isalpha() or len(entire) < 4 or candidate.after == "(":
        return False
    if any(map(_STANDS_FOR.search, (entire, candidate.value[len(entire) :].lstrip(".…")))):
        return False
    if _is_drawn(value):
        return True
    return len(value) >= 4 and not _NOT_A_PASSWORD.fullmatch(value) and _has_odd_characters(value)


def is_strict_password(candidate: FoundValue) -> bool:
    """A password where little says so: two of letters, digits and symbols."""
    value = _bare(candidate.value)
    if value.isalpha():
        return False
    kinds = (
        any(c.isalpha() for c in value),
        any(c.isdigit() for c in value),
        bool(_SYMBOL_INSIDE.search(value)),
    )
    return (sum(kinds) >= 2 or _is_drawn(value)) and is_password(candidate)


def is_drawn_password(candidate: FoundValue) -> bool:
    """A password where hardly anything says so: letters with digits and symbols, or a code of digits."""
    if _is_a_bad_example(candidate):
        return False
    value = _bare(candidate.value)
    if value.isalpha():
        return False
    return _CODE_OF_DIGITS.fullmatch(value) is not None or (
        is_strict_password(candidate) and not _IN_PARTS_OF_WORDS.fullmatch(value)
    )


def is_quoted_password(candidate: FoundValue) -> bool:
    """A password, or a phrase of three words and more; single words in quotes are what a form says."""
    words = candidate.value.split()
    return is_password(candidate) or (3 <= len(words) <= 12 and all(word.isalpha() for word in words))


def is_command_password(candidate: FoundValue) -> bool:
    """The value of an option: no further option, path or variable."""
    return not candidate.value.startswith(("-", "/", "$")) and is_strict_password(candidate)


def is_url_password(candidate: FoundValue) -> bool:
    """Between `user:` and `@host`: neither a word that stands for one nor a port and a path."""
    return not _PLACEHOLDER.search(candidate.value) and not _STOCK_PASSWORD.fullmatch(candidate.value)


def is_access_code(candidate: FoundValue) -> bool:
    """Three digits and more, where what is named is not a postal or error code."""
    digits = sum(c.isdigit() for c in candidate.value)
    return 3 <= digits <= 12 and not _OTHER_CODE.search(candidate.before)


def has_digits(candidate: FoundValue) -> bool:
    """Real, with eight digits and more."""
    return is_real(candidate) and sum(c.isdigit() for c in candidate.value) >= 8


def is_mixed_or_hexadecimal(candidate: FoundValue) -> bool:
    """A key of a wallet: hexadecimal digits, or letters of all sizes and digits."""
    value = candidate.value.removeprefix("0x")
    return is_real(candidate) and (_HEXADECIMAL.fullmatch(value) is not None or is_mixed_random(candidate))


def is_token(candidate: FoundValue) -> bool:
    """Behind a prefix of its own: not words with hyphens between them, and nothing that stands for a key."""
    value = candidate.value
    digits = sum(c.isdigit() for c in value[3:])
    return (
        is_real(candidate)
        and not _WORDS.fullmatch(value)
        and (digits >= len(value) / 16 or _is_gibberish(value[3:]))
    )


def is_backup_codes(candidate: FoundValue) -> bool:
    """One code or several, each as long as codes are; no page, no year, no number of codes."""
    codes = [code for code in re.split(r"[\s,;/|]+", candidate.value) if sum(c.isalnum() for c in code) >= 6]
    return any(any(c.isdigit() for c in code) for code in codes) and not _OTHER_CODE.search(candidate.before)


def is_seed(candidate: FoundValue) -> bool:
    """As many words as a wallet has, none of them one that sentences are built with or that grammar has changed."""
    words = _NUMBERED.sub("", candidate.value).replace(",", "").split()
    if len(words) not in _SEED_LENGTHS or len(set(words)) < len(words) - 1:
        return False
    if any(_OF_SENTENCES.fullmatch(word) for word in words):
        return False
    return sum(word.endswith(("s", "ed", "ing", "ly")) for word in words) <= len(words) // 6


def is_private_key(candidate: FoundValue) -> bool:
    """More than a header and filling: the body has many different characters."""
    body = candidate.value.split("-----")[2] if candidate.value.count("-----") >= 2 else candidate.value
    return len(set(body)) >= 20 and "..." not in body


def is_order(candidate: FoundValue) -> bool:
    """Told to the reader: not quoted as an example, not negated, not of a subject, not what somebody else did."""
    subject = _SUBJECT.search(candidate.value)
    if subject is not None and not _OF_THE_READER.match(subject[1]):
        return False
    return addresses_reader(candidate.before, candidate.value)


def is_command(candidate: FoundValue) -> bool:
    """An order that begins its clause, as imperatives do; not one about the rules of something else."""
    topic = _TOPIC.search(candidate.value)
    if topic is not None and not _OF_THE_READER.match(topic[1]):
        return False
    return commands(candidate.before, candidate.value)


def is_persona(candidate: FoundValue) -> bool:
    """A part to play; not what somebody has become: a member, an owner, a grandfather."""
    return not _STANDING.search(candidate.value)


def is_jailbreak(candidate: FoundValue) -> bool:
    """An order, where the name of three letters counts in capitals only."""
    return is_order(candidate) and ("dan" not in candidate.value.lower().split() or "DAN" in candidate.value)


def is_not_mentioned(candidate: FoundValue) -> bool:
    """Structure itself, not a word about it right before it."""
    return not _MENTION.search(candidate.before)


def is_mailbox(candidate: FoundValue) -> bool:
    """An address of a person or a company, not `git@host` and not one that nobody reads."""
    local, _, host = candidate.value.lower().partition("@")
    nobody = {"git", "noreply", "no-reply", "donotreply", "root", "user", "npm"}
    return local not in nobody and not host.endswith((".local", ".internal"))


def is_phone(candidate: FoundValue) -> bool:
    """7 to 15 digits, as E.164 has them."""
    return 7 <= sum(c.isdigit() for c in candidate.value) <= 15


def luhn(candidate: FoundValue) -> bool:
    """The check digit of payment cards."""
    digits = [int(c) for c in candidate.value if c.isdigit()]
    doubled = [d if i % 2 == 0 else sum(divmod(2 * d, 10)) for i, d in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def iban(candidate: FoundValue) -> bool:
    """ISO 7064 mod 97-10 over the account number, country and check digits at the end."""
    number = "".join(c for c in candidate.value if c.isalnum()).upper()
    return number.isascii() and int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1


def _bare(value: str) -> str:
    """Without the punctuation of the sentence around it."""
    return value.strip("*_").rstrip(".,;:!?=*")


def _has_odd_characters(value: str) -> bool:
    return any(c.isdigit() for c in value) or bool(_SYMBOL_INSIDE.search(value))


def _is_drawn(value: str) -> bool:
    """Characters of three kinds and more in no order, as a generator of passwords puts them."""
    kinds = [_kind(c) for c in _JOINED.sub("", value.strip("()[]{}<>\"'`*_~"))]
    changes = sum(a != b for a, b in pairwise(kinds))
    if _NOT_A_PASSWORD.fullmatch(value) or _IN_PARTS.fullmatch(value):
        return len(set(kinds)) == _KINDS and changes >= len(kinds) // 2
    return len(kinds) >= _SHORTEST_DRAWN and len(set(kinds)) >= _KINDS - 1 and changes >= _LEAST_CHANGES


def _kind(char: str) -> str:
    return "0" if char.isdigit() else "A" if char.isupper() else "a" if char.isalpha() else "."


def _is_gibberish(value: str) -> bool:
    """Letters no language puts together: case that changes within words, or many consonants in a row."""
    changes = len(_CASE_CHANGE.findall(value))
    if len(value) >= 13 and changes >= max(4, len(value) / 4):
        return entropy(value) >= 3.2
    return len(value) >= 20 and entropy(value) >= 3.6 and bool(_CONSONANTS.search(value))


CHECKS: dict[str, Check] = {
    "access_code": is_access_code,
    "assigned": is_assigned,
    "assigned_password": is_assigned_password,
    "backup_codes": is_backup_codes,
    "command": is_command,
    "command_password": is_command_password,
    "drawn_password": is_drawn_password,
    "digits": has_digits,
    "header": is_header,
    "iban": iban,
    "jailbreak": is_jailbreak,
    "luhn": luhn,
    "mailbox": is_mailbox,
    "mixed_or_hex": is_mixed_or_hexadecimal,
    "mixed_random": is_mixed_random,
    "not_mention": is_not_mentioned,
    "order": is_order,
    "password": is_password,
    "persona": is_persona,
    "phone": is_phone,
    "private_key": is_private_key,
    "quoted_password": is_quoted_password,
    "random": is_random,
    "real": is_real,
    "said": is_said,
    "seed_words": is_seed,
    "strict_password": is_strict_password,
    "token": is_token,
    "url_password": is_url_password,
}
