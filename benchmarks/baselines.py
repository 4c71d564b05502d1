"""Baselines that a memory has to beat: plain BM25, and plain vectors. They share nothing with the engine's search."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import apsw

from simonides.ports.embedder import Embedder

_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_WORD: Final = re.compile(r"[^\W_]+")
_STOPS: Final = """
a about after all am an and any are as at be because been before being but by can could did do does doing for from
had has have having he her hers him his how i if in into is it its just me my no not of on or our ours out over own
s same she should so some such t than that the their theirs them then there these they this those through to too
under until up very was we were what when where which while who whom why will with would you your yours
的 了 是 我 你 他 她 们 在 和 有 什么 哪 个 吗 呢 以下 哪个 哪些 关于 我们 请问 如何 多少
"""
_STOP_WORDS: Final = frozenset(_STOPS.split())


class PlainBm25:
    """An FTS5 table with the Porter stemmer: terms joined by OR, stop words out, CJK as bigrams."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._ids = list(texts)
        self._connection: Any = apsw.Connection(":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE turns USING fts5(text, tokenize = 'porter unicode61')")
        rows = [(n, _spaced(text)) for n, text in enumerate(texts.values())]
        self._connection.executemany("INSERT INTO turns (rowid, text) VALUES (?, ?)", rows)

    def ranking(self, question: str, limit: int) -> list[str]:
        """Ids, best first, ties in the order of the texts."""
        words = [word for word in _WORD.findall(_spaced(question).lower()) if word not in _STOP_WORDS]
        if not words:
            return []
        rows = self._connection.execute(
            "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY round(bm25(turns), 6), rowid LIMIT ?",
            (" OR ".join(f'"{word}"' for word in dict.fromkeys(words)), limit),
        )
        return [self._ids[cast("int", row[0])] for row in rows]


class PlainVectors:
    """Cosines of one embedder's vectors."""

    def __init__(self, texts: Mapping[str, str], embedder: Embedder) -> None:
        self._ids = list(texts)
        self._embedder = embedder
        self._vectors = embedder.embed(list(texts.values()))

    def ranking(self, question: str, limit: int) -> list[str]:
        """Ids, best first, ties in the order of the texts."""
        asked = self._embedder.embed([question])[0]
        cosines: list[float] = (self._vectors @ asked).tolist()
        order = sorted(range(len(cosines)), key=lambda n: (-round(cosines[n], 6), n))
        return [self._ids[n] for n in order[:limit]]


def _spaced(text: str) -> str:
    """The text with each run of CJK as overlapping pairs of characters."""
    return _CJK.sub(_pairs, text)


def _pairs(run: re.Match[str]) -> str:
    found = run[0]
    return " " + " ".join([found[n : n + 2] for n in range(len(found) - 1)] or [found]) + " "
