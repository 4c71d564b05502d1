"""The pieces of words in many languages: a word to the likeliest pieces that make it up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from simonides.domain.kept import Kept

#: A longer word is unknown as a whole; a run of Chinese characters is no word, and may be as long as it likes.
MAX_WORD_CHARACTERS = 100
#: Stands before a piece that begins a word.
START = "▁"

#: Thousandths of a logarithm, as all costs: what a character that no piece covers costs; dearer than any piece.
_UNKNOWN_COST = 25_000
#: Dearer than any way to cut a word.
_NEVER = 1 << 62
#: What sorts from here on is in no alphabet.
_HAN = "\u3400"
_CACHED_WORD_CHARACTERS = 24
_CACHE_SIZE = 32_768


class UnigramPieces:
    """Cuts words into the pieces of a unigram model; safe to use from several threads."""

    def __init__(self, pieces: Sequence[str], costs: Sequence[int], first_id: int) -> None:
        """Take pieces, each with its cost: the negative logarithm of its probability, in thousandths.

        Args:
            first_id: The id of the first piece; the others' follow.
        """
        self._ids = {piece: id_ for id_, piece in enumerate(pieces, first_id)}
        self._costs = costs
        self._first_id = first_id
        self._longest = max(map(len, pieces))
        in_runs = sorted((piece for piece in pieces if piece >= _HAN), key=len)
        #: Of pieces of runs of Chinese characters, by the first two of these: most lead to no longer one.
        self._longest_in_runs = {piece[:2]: len(piece) for piece in in_runs}
        #: By whether a piece that begins a word must stand at the beginning.
        self._known_words = {
            starts: Kept(partial(self._ids_of, starts=starts), _CACHE_SIZE, _CACHED_WORD_CHARACTERS)
            for starts in (True, False)
        }

    def whole(self, word: str) -> int | None:
        """The id of a piece that is the whole word."""
        return self._ids.get(START + word)

    def ids(self, word: str, *, starts: bool = True) -> tuple[int, ...]:
        """Cut a word in lower case, or a run of Chinese characters.

        Args:
            starts: A piece that begins a word must stand at the beginning, as in a language that writes spaces.

        Returns:
            The pieces of the least sum of costs, in order; characters that none covers are left out.
        """
        return self._known_words[starts][word]

    def _ids_of(self, word: str, *, starts: bool) -> tuple[int, ...]:
        return self._cut(START + word if starts else word)

    def _cut(self, word: str) -> tuple[int, ...]:
        if word.startswith(START) and len(word) > MAX_WORD_CHARACTERS:
            return ()
        known, costs, first = self._ids.get, self._costs, self._first_id
        in_runs = self._longest_in_runs.get if word >= _HAN else None
        length = len(word)
        best: list[int] = [0, *([_NEVER] * length)]
        through: list[tuple[int, int | None]] = [(0, None)] * (length + 1)
        for start in range(length):
            before, id_ = best[start], known(word[start])
            cost = before + (_UNKNOWN_COST if id_ is None else costs[id_ - first])
            if cost < best[start + 1]:
                best[start + 1], through[start + 1] = cost, (start, id_)
            longest = self._longest if in_runs is None else in_runs(word[start : start + 2], 0)
            for end in range(start + 2, min(length, start + longest) + 1):
                id_ = known(word[start:end])
                if id_ is not None and (cost := before + costs[id_ - first]) < best[end]:
                    best[end], through[end] = cost, (start, id_)
        pieces: list[int] = []
        end = length
        while end:
            end, id_ = through[end]
            if id_ is not None:
                pieces.append(id_)
        return tuple(reversed(pieces))
