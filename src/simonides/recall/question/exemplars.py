"""Questions of each intent, as people ask them; what an embedder knows of a question is compared with these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from simonides.language.tables import languages, table
from simonides.ports.embedder import Embedder
from simonides.ports.vectors import Exemplars
from simonides.recall.cosines import PAIRS, CosineScale

Vector = NDArray[np.float32]
#: What local embedders made of lines, which are ours: for all memories of this process.
_BY_LOCAL: Final[WeakKeyDictionary[Embedder, dict[tuple[str, ...], Vector]]] = WeakKeyDictionary()


@cache
def exemplars() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Exemplars by language and intent, from the section `exemplars` of each language that has it."""
    found = {code: table(code, "exemplars") for code in languages()}
    return {
        code: {intent: tuple(lines.splitlines()) for intent, lines in by_intent.items()}
        for code, by_intent in found.items()
        if by_intent
    }


class EmbeddedExemplars:
    """The exemplars by one embedder, and the scale of its cosines, made when they are first asked for.

    Safe to use from several threads.

    Args:
        kept: Where they are kept if the embedder is not local; None to ask for them anew each time.
    """

    def __init__(self, embedder: Embedder, kept: Exemplars | None = None) -> None:
        self._embedder = embedder
        self._kept = kept
        self._known: dict[bool, tuple[Vector, tuple[str, ...]]] = {}
        self._scale: CosineScale | None = None

    def known(self, *, english: bool) -> tuple[Vector, tuple[str, ...]]:
        """Vectors of the English exemplars or of all others, shape (n, dimension), and their intents.

        Raises:
            ProviderError: The embedder did not answer.
        """
        found = self._known.get(english)
        if found is None:
            pairs = [
                (line, intent)
                for language, by_intent in exemplars().items()
                if (language == "en") is english
                for intent, lines in by_intent.items()
                for line in lines
            ]
            vectors = self._embedded([line for line, _ in pairs])
            found = self._known[english] = vectors, tuple(intent for _, intent in pairs)
        return found

    @property
    def scale(self) -> CosineScale:
        """The scale of the embedder's cosines.

        Raises:
            ProviderError: The embedder did not answer.
        """
        if self._scale is None:
            self._scale = CosineScale.of_pairs(self._embedded([text for pair in PAIRS for text in pair]))
        return self._scale

    def _embedded(self, lines: Sequence[str]) -> Vector:
        if self._embedder.local:
            return _by_local(self._embedder, tuple(lines))
        if self._kept is None:
            return self._embedder.embed(lines)
        model = self._embedder.identity
        if (known := self._kept.kept(model, lines)) is not None:
            return known
        vectors = self._embedder.embed(lines)
        self._kept.keep(model, lines, vectors)
        return vectors


def _by_local(embedder: Embedder, lines: tuple[str, ...]) -> Vector:
    try:
        made = _BY_LOCAL.setdefault(embedder, {})
    except TypeError:  # Somebody's own, that can neither be hashed nor weakly referred to.
        return embedder.embed(lines)
    if lines not in made:
        made[lines] = embedder.embed(lines)
    return made[lines]
