"""What a pattern cannot say: whether a value is random, checks out, or merely stands for one.

A closed registry: rule files name these functions, nothing else.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a pattern found, with up to 80 characters before it."""

    value: str
    before: str


Check = Callable[[Candidate], bool]

_PLACEHOLDER = re.compile(
    r"(?i)x{4}|\*{3}|\.{3}|…|[<>{}]|\$[({\w]|%\(|\bexample\b|placeholder|your[_ -]|redacted|changeme|change_me|_here\b"
    r"|dummy|insert[_ -]|todo\b|1234567|abcdefg|^(?:none|null|undefined|true|false|password|secret|token)$"
)
_CODE = re.compile(
    r"[(){}\[\]<>]|^[$%]|^(?:os|process|env|self|config|settings|secrets|vars|ENV)\b[.]|\.(?:get|env|environ)\b|://|^\w+\.\w+\.\w+$"
)
_WORDS = re.compile(r"(?:[A-Za-z]{1,14}|\d{1,4})(?:[-_/.:~](?:[A-Za-z]{1,14}|\d{1,4}))*[.:]?")
_NEGATED_NAME = re.compile(
    r"(?i)\b(?:non|no|not|fake|dummy|mock|invalid|wrong|test_?only)[\w-]*(?:key|token|secret|password)\W{0,8}$"
)
_PASSWORD_NAME = re.compile(
    r"(?i)(?:pass(?:word|wd|phrase|code)?|pwd|pw|psw)\W{0,3}\w{0,6}[\"'\])]{0,2}\s{0,4}[:=?,|>-]+\s{0,4}\W{0,3}$"
)
_SYMBOL_INSIDE = re.compile(r"\w[!@#$%^&*+=?~]|[!@#$%^&*+=?~]\w|\w[-_.]\w+[-_.]\w")
_NOT_A_PASSWORD = re.compile(
    r"(?i)\d{1,3}|(?:19|20)\d\d|\d{4}-\d\d?-\d\d?\S*|\d+(?:st|nd|rd|th|[a-z]{1,6})?|[\d.]+|v?\d+(?:\.\d+)+|\d+[%€$]|\S+@\S+\.\w+|#\d+|\w+://\S+"
    r"|(?:[a-z]+/)+[a-z]*|(?:e\.g|i\.e)\.?|[a-z]+-(?:to|by|in|of|up|off|on|less|protected|based)(?:-[a-z]+)*"
)
_STOCK_PASSWORD = re.compile(r"(?i)pass(?:word|wd)?|pwd|secret|user(?:name)?|\*+|x+|\d{1,5}(?:/.*)?|.*/.*/.*")
_OTHER_CODE = re.compile(
    r"(?i)\b(?:error|status|exit|return|post(?:al)?|zip|area|country|dial\w*|product|promo\w*|discount|coupon|source|http|response|colou?r|tax|item|booking|order|voucher|airport|currency|language|qr|bar|dress|gift|tracking|course|flight)\s?-?codes?\W"
)
_MENTION = re.compile(
    r"(?i)\b(?:detect\w*|flagg\w*|regex|pattern|example|string|phrase|tests?|paper|article|attack\w*|such\sas|called|titled|named"
    r"|false\spositive|documentation|token|tags?|quote\w*|expression)\b[^.\n]{0,24}[\"'`“‘„(]?$"
)
_CONTEXT_OF_IDS = re.compile(
    r"(?i)(?:public|cache|primary|foreign|sort|partition|index|translation|issue|map|dict|row|lookup|storage|s3|object)"
    r"[\s_.-]?keys?\b|\bkey[\s_-]?(?:id|name|fingerprint)\b|non\w*token|fingerprint|checksum|\bsha(?:1|256|512)?\b(?:[^~]|$)"
    r"|\bcommit\b|\bhash\b|\bdigest\b|\buuid\b|\betag\b|\b(?:max|num|n|total|prompt|completion)_tokens?\b|tokeni[sz]"
)


def entropy(value: str) -> float:
    """Bits per character, from the value's own letter counts."""
    length = len(value)
    return -sum(n / length * math.log2(n / length) for n in Counter(value).values()) if length else 0.0


def is_real(candidate: Candidate) -> bool:
    """Not a placeholder: enough different characters, nothing like `xxxx`, `<token>` or `${TOKEN}`."""
    value = candidate.value
    return not _PLACEHOLDER.search(value) and entropy(value) >= min(2.6, math.log2(len(value) or 1) - 0.4)


def is_random(candidate: Candidate) -> bool:
    """As drawn from a generator: letters and digits mixed, near the entropy of its length."""
    value = candidate.value
    if not is_real(candidate) or _CONTEXT_OF_IDS.search(candidate.before):
        return False
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if not digits or not letters:
        return letters >= 20 and _mixed(value) and entropy(value) >= 3.8
    return entropy(value) >= min(3.2, 0.75 * math.log2(len(value)))


def _mixed(value: str) -> bool:
    """Upper and lower case alternate within words, as they do not in names."""
    return len(re.findall(r"[a-z][A-Z]|[A-Z]{2}[a-z]", value)) >= len(value) / 6


def is_assigned(candidate: Candidate) -> bool:
    """The right side of `api_key = …`: random, or a password where the name says password."""
    value = candidate.value
    if _CODE.search(value) or _NEGATED_NAME.search(candidate.before):
        return False
    if _PASSWORD_NAME.search(candidate.before):
        return is_password(candidate)
    return is_random(candidate)


def is_said(candidate: Candidate) -> bool:
    """A random value in a sentence; words joined by hyphens and the like are not."""
    return (
        not _CODE.search(candidate.value) and not _WORDS.fullmatch(candidate.value) and is_random(candidate)
    )


def is_header(candidate: Candidate) -> bool:
    """The value of an authorization header."""
    return is_real(candidate) and any(c.isdigit() or c in "=+/" for c in candidate.value)


def is_password(candidate: Candidate) -> bool:
    """As people choose them: a digit or a symbol among the letters."""
    value = candidate.value.rstrip(".,;:!?")
    if (
        len(value) < 4
        or _PLACEHOLDER.search(value)
        or _CODE.search(value)
        or _NOT_A_PASSWORD.fullmatch(value)
    ):
        return False
    return any(c.isdigit() for c in value) or bool(_SYMBOL_INSIDE.search(value))


def is_strict_password(candidate: Candidate) -> bool:
    """A password where little says so: letters with digits or symbols, or mixed case with symbols."""
    value = candidate.value.rstrip(".,;:!?")
    kinds = [
        any(c.isalpha() for c in value),
        any(c.isdigit() for c in value),
        bool(_SYMBOL_INSIDE.search(value)),
    ]
    return is_password(candidate) and sum(kinds) >= 2


def is_quoted_password(candidate: Candidate) -> bool:
    """Anything in quotes after the word, but not the words that a form or a message would show."""
    value = candidate.value.strip()
    if is_password(candidate):
        return True
    words = value.split()
    return len(words) >= 3 and value.isascii() and value == value.lower() and not _CODE.search(value)


def is_command_password(candidate: Candidate) -> bool:
    value = candidate.value
    return (
        not _PLACEHOLDER.search(value)
        and not value.startswith(("-", "/", "$"))
        and is_strict_password(candidate)
    )


def is_url_password(candidate: Candidate) -> bool:
    return not _PLACEHOLDER.search(candidate.value) and not _STOCK_PASSWORD.fullmatch(candidate.value)


def is_access_code(candidate: Candidate) -> bool:
    """Four digits and more, where what is named is not a postal or error code."""
    digits = sum(c.isdigit() for c in candidate.value)
    return 3 <= digits <= 12 and not _OTHER_CODE.search(candidate.before)


def has_digits(candidate: Candidate) -> bool:
    return is_real(candidate) and sum(c.isdigit() for c in candidate.value) >= 8


def is_not_repeated(candidate: Candidate) -> bool:
    """More than a header and filling: the body has many different characters."""
    body = candidate.value.split("-----")[2] if candidate.value.count("-----") >= 2 else candidate.value
    return len(set(body)) >= 20 and "..." not in body


def is_not_mentioned(candidate: Candidate) -> bool:
    """Said, not talked about: no word of warning, testing or citing right before it."""
    return not _MENTION.search(candidate.before)


def is_mailbox(candidate: Candidate) -> bool:
    """An address of a person or a company, not `git@host`, `noreply` or a scoped package."""
    local, _, host = candidate.value.lower().partition("@")
    return local not in {
        "git",
        "noreply",
        "no-reply",
        "donotreply",
        "root",
        "user",
        "npm",
    } and not host.endswith((".local", ".internal"))


def is_phone(candidate: Candidate) -> bool:
    """7 to 15 digits, as E.164 has them."""
    return 7 <= sum(c.isdigit() for c in candidate.value) <= 15


def luhn(candidate: Candidate) -> bool:
    """The check digit of payment cards."""
    digits = [int(c) for c in candidate.value if c.isdigit()]
    if len(set(digits)) == 1:
        return False
    doubled = [d if i % 2 == 0 else sum(divmod(2 * d, 10)) for i, d in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


def iban(candidate: Candidate) -> bool:
    """ISO 7064 mod 97-10 over the account number, country and check digits at the end."""
    number = "".join(c for c in candidate.value if c.isalnum()).upper()
    return number.isascii() and int("".join(str(int(c, 36)) for c in number[4:] + number[:4])) % 97 == 1


CHECKS: dict[str, Check] = {
    "access_code": is_access_code,
    "assigned": is_assigned,
    "command_password": is_command_password,
    "digits": has_digits,
    "header": is_header,
    "iban": iban,
    "luhn": luhn,
    "not_repeated": is_not_repeated,
    "mailbox": is_mailbox,
    "not_mention": is_not_mentioned,
    "password": is_password,
    "phone": is_phone,
    "quoted_password": is_quoted_password,
    "random": is_random,
    "real": is_real,
    "said": is_said,
    "strict_password": is_strict_password,
    "url_password": is_url_password,
}
