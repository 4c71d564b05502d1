"""Orders and tokens of templates that a note talks about, rather than gives: quoted, or told of by its sentence.

For what the user adds in person. A note about prompts is kept like any other, only out of prompts; whatever gives an
order, or spoofs a turn, is refused whoever it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from simonides.domain.pattern import later
from simonides.governance.scan import Finding
from simonides.language.quoted import quoted_spans

#: Words of a sentence that tells of orders and tokens: what they are, who uses them, and what stops them.
_TELLS: Final = later(
    r"\b(?:tokens?|markers?|delimiters?|chat ?ml|(?:chat|prompt) templates?|template|papers?|stud(?:y|ies)|articles?"
    r"|chapters?|talks?|courses?|lessons?|attack(?:s|ers?|ed|ing)?|jailbreak\w*|prompt[- ]injections?|injections?"
    r"|phrases?|strings?|filters?|classifiers?|detectors?|detects?|detection|blocks?|guardrails?|red[- ]team\w*"
    r"|tokeni[sz]ers?|wraps?|telling (?:an?|the) (?:model|assistant|llm)|tell (?:an?|the) (?:model|assistant|llm)"
    r"|angriff\w*|vortrag|aufsatz|attaques?|article|étude|ataques?|artículo|estudio"
    r"|атак\w*|стать[яеию]|доклад\w*|фильтр\w*|инъекци\w*|токен\w*|маркер\w*)\b"
    r"|攻击|注入|论文|过滤|标记|越狱"
)


_ENDS: Final = later(r"[.!?]+(?=\s)|[。！？\n]+")
_WORD: Final = later(r"[^\W\d_]+")
#: Words at least that stand around a quotation, or in a sentence beside what is mentioned.
_LEAST_AROUND: Final = 3


def mentioned(text: str, findings: Iterable[Finding]) -> bool:
    """Whether a text only talks about what was found in it.

    Args:
        findings: Places in the text as it is written.
    """
    quoted = list(quoted_spans(text))
    left = "".join(text[last:start] for (_, last), (start, _) in pairwise([(0, 0), *quoted, (len(text), 0)]))
    around = quoted if len(_WORD.findall(left)) >= _LEAST_AROUND else []
    return all(
        any(start <= found.start and found.end <= end for start, end in around) or _told_of(text, found)
        for found in findings
    )


def _told_of(text: str, found: Finding) -> bool:
    """Whether the other words of the sentences that it lies in tell of it."""
    start = max((end.end() for end in _ENDS.finditer(text, 0, found.start)), default=0)
    after = _ENDS.search(text, found.end)
    beside = f"{text[start : found.start]} … {text[found.end : after.start() if after else len(text)]}"
    return len(_WORD.findall(beside)) >= _LEAST_AROUND and _TELLS.search(beside.casefold()) is not None
