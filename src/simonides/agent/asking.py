"""Answers in which a model does nothing but ask memory in words, such as `Recall memory about the boat`.

Models without tools, or that forget them, say what they would look up. Such an answer is looked up for them. It is one
only where it is the whole answer, in one plain line: what a model quotes, repeats within a longer answer or shows as
code asks for nothing.
"""

from __future__ import annotations

import re
from typing import Final

_MOST_CHARS: Final = 300
_ENDS: Final = " .!…。！"
#: Quotation marks, code and lists: somebody else's words, or an example.
_QUOTED: Final = re.compile(r"[\"“”„«»『』「」`‹›]|^[>*#\-–—']")
_GOES_ON: Final = re.compile(r"[.!?。！？]\s|[。！？]")
_ENGLISH: Final = r"""
    (?: ok(?:ay)?,\  | sure,\  )?
    (?: let\ me\  | i(?:['’]ll|\ will|\ need\ to|\ should|\ have\ to)\  | i(?:['’]m|\ am)\ going\ to\  )?
    (?: recall | search | check | query | consult | browse | look\ (?:in|into|through|up\ in) )
    (?:\ (?:my|the|your|our) )? (?:\ long-term )? \ memor(?:y|ies)
    \ (?: about | for | of | on | regarding )\ (?P<asked>.+)
"""
_FRENCH: Final = r"""
    (?: je\ (?:vais|dois)\  | je\  )?
    (?: cherch | consult | interrog | fouill )(?: e | er | ons )\ (?: dans\  )? (?: la | ma | notre )\ mémoire
    \ (?: sur | pour | au\ sujet\ d[eu] | à\ propos\ d[eu] )\ (?P<asked>.+)
"""
_RUSSIAN: Final = r"""
    (?: я\  )? (?: давай(?:те)?\  )? (?: поищу | поискать | поищем | проверю | проверить | посмотрю | найду | ищу )
    \ (?: в\  )? (?: моей\  | своей\  | нашей\  | мою\  | свою\  )? памят[иь]
    \ (?: о | обо? | про | насч[её]т | информацию\ обо? | на\ тему )\ (?P<asked>.+)
"""
_CHINESE: Final = r"""
    (?: 让我 | 我来 | 我要 | 我需要 | 我会 )? 先? (?: 回忆 | 搜索 | 查询 | 查找 | 检索 | 查看 | 查一下 )(?: 一下 )?
    (?: 我的 )? 记忆 [中里]? (?: 关于 | 有关 | ： )(?P<asked>.+?)(?: 的(?:内容|信息|记忆|事) )?
"""
_ASKS: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE) for pattern in (_ENGLISH, _FRENCH, _RUSSIAN, _CHINESE)
)


def asked_of_memory(text: str) -> str | None:
    """Find the question that an answer puts to memory; None where it is an answer."""
    line = text.strip()
    if not line or len(line) > _MOST_CHARS or len(line.splitlines()) > 1 or _QUOTED.search(line):
        return None
    line = line.rstrip(_ENDS)
    if _GOES_ON.search(line):
        return None  # More than one sentence: it says something, too.
    found = next((match for pattern in _ASKS if (match := pattern.fullmatch(line))), None)
    return None if found is None else found["asked"].strip() or None
