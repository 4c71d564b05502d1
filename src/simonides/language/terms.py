"""The words of a question that are worth looking for."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from simonides.domain.text import CJK, cjk_bigrams

#: Characters of a long message that are looked for, most informative terms first.
MAX_CHARS: Final = 200
_URL = re.compile(r"\b(?:https?|ftp)://\S+|\bwww\.\S+")
#: A run of CJK, or a word: letters, digits and what holds identifiers and contractions together.
_WORD = re.compile(rf"[{CJK}]+|(?<!\w)[A-Za-z](?:\+\+|#)|(?:(?![{CJK}])\w)+(?:['’](?:(?![{CJK}])\w)+)?")
_IDENTIFIER = re.compile(r"\w*[a-z0-9][A-Z]\w*|\w+_\w+|[A-Z][A-Z0-9]+|\w*\d\w*")

# Function words only: what carries no topic in a question. Written for this project.
_ENGLISH = """
a about above after again against all also am an and any are aren't as at be because been before being below between
both but by can can't could couldn't did didn't do does doesn't doing don't down during each either else ever few for
from further had hadn't has hasn't have haven't having he her here hers herself him himself his how i i'd i'll i'm i've
if in into is isn't it it's its itself just let let's me might mine more most much must my myself no nor not of off on
once only or other our ours ourselves out over own per please same shall she should shouldn't since so some such tell
than that that's the their theirs them themselves then there these they they're this those through to too under until
up upon us very was wasn't we we're were weren't what what's when where which while who who's whom whose why will with
won't would wouldn't you you're your yours yourself yourselves
"""
_FRENCH = """
ai as au aux avec ce ces cet cette comment dans de des du elle elles en est et eu il ils je la le les leur leurs lui ma
mais me mes moi mon ne nos notre nous on ou où par pas pour pourquoi qu quand que quel quelle quelles quels qui sa se
ses si son sont sur ta te tes toi ton tu un une vos votre vous été était
"""
_RUSSIAN = """
а без был была были было быть в вам вас во вот все всё вы где да для до его ее её ей если есть ещё же за и из или им их
к как какая какие какой когда кто ли мне мой моя мы на над не него нее нет ни но о об он она они оно от по под при про с
со так также там то тоже только ты у уже чего чем что чтобы эта эти это этот я
"""
_CHINESE = """
一 一个 一些 不 不是 个 中 么 也 了 什么 他 他们 以下 会 但 你 你们 到 吗 呢 和 哪 哪个 哪些 在 多少 她 如何 对 就 已 己
很 怎么 怎样 我 我们 才 把 是 是否 有 没有 的 着 能 自己 被 要 这 这个 那 那个 都 里 谁 还 里面 关于
"""
ENGLISH_STOP_WORDS: Final = frozenset(_ENGLISH.split())
FRENCH_STOP_WORDS: Final = frozenset(_FRENCH.split())
STOP_WORDS: Final = ENGLISH_STOP_WORDS | FRENCH_STOP_WORDS | frozenset(_RUSSIAN.split())
CJK_STOP_WORDS: Final = frozenset(_CHINESE.split())


@lru_cache(maxsize=64)
def terms(text: str) -> tuple[str, ...]:
    """Terms for the text index, in the order of the text, none twice (compared without case).

    URLs go, hyphens and other punctuation separate, single characters go (CJK ones are kept where a
    run has no other), stop words go unless nothing else is left; identifiers are never stop words. Of
    a long message the most informative terms are kept, up to `MAX_CHARS` characters: identifiers and
    numbers first, then longer words.
    """
    found: dict[str, str] = {}
    cut = text[: 100 * MAX_CHARS]
    if not cut.isascii():  # Full-width letters are letters.
        cut = unicodedata.normalize("NFKC", cut)
    for word in _WORD.findall(_URL.sub(" ", cut)):
        for part in _parts(word):
            known = found.setdefault(part.casefold(), part)
            if known != part and _is_stop(known) and not _is_stop(part):
                found[part.casefold()] = part  # "does it work in IT?": the identifier counts.
    everything = tuple(found.values())
    chosen = tuple(term for term in everything if not _is_stop(term))
    return _informative(chosen or everything)


def is_topical(text: str) -> bool:
    """Whether any term of a question carries a topic: "what is it to you?" has none."""
    return any(not _is_stop(term) for term in terms(text))


def _parts(word: str) -> list[str]:
    if re.match(f"[{CJK}]", word):
        return cjk_bigrams(word)
    bare = word.replace("’", "'")
    if bare.casefold() in STOP_WORDS or bare[-1] in "+#":
        return [bare]
    head, _, tail = bare.partition("'")
    # "Anna's" is about Anna; "O'Brien" and "l'hôtel" have their weight behind the apostrophe.
    kept = [part for part in (head, tail) if len(part) > 1]
    return kept or ([bare] if len(bare) > 1 or bare.isdigit() else [])


def _is_stop(term: str) -> bool:
    if term.casefold() in STOP_WORDS:
        return not (_IDENTIFIER.fullmatch(term) and len(term) > 1 and term.upper() == term and term != "I")
    return term in CJK_STOP_WORDS


def _informative(found: tuple[str, ...]) -> tuple[str, ...]:
    if sum(len(term) + 1 for term in found) <= MAX_CHARS:
        return found
    ranked = sorted(
        range(len(found)),
        key=lambda n: (_IDENTIFIER.fullmatch(found[n]) is None, -min(len(found[n]), 12), n),
    )
    kept: set[int] = set()
    spent = 0
    for n in ranked:
        spent += len(found[n]) + 1
        if spent > MAX_CHARS and kept:
            break
        kept.add(n)
    return tuple(term for n, term in enumerate(found) if n in kept)
