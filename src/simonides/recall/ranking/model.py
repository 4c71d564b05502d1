"""The learned part of the ranking, as `make train` writes it: trees, weights of the confidence, and a card.

The card says what they were learned from and how well they did on worlds that they never saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final

import numpy as np

from simonides.recall.ranking.trees import Trees

WEIGHTS_FILE: Final = "model.npz"
CARD_FILE: Final = "model.json"


@dataclass(frozen=True, slots=True)
class Model:
    """Trees and weights that were learned together.

    Attributes:
        confidence: Log-odds that anything answers, by what there is to go by: `words`, where the embedder knows the
            script; `pairs`, CJK, where pairs of characters are compared and the embedder knows nothing; `bare`, words
            without vectors. Each has a `base` and weights by name of the evidence; the bases are set so that one
            bound turns away as many answerable questions of each.
    """

    trees: Trees
    confidence: Mapping[str, Mapping[str, float]]


@lru_cache(maxsize=1)
def bundled() -> Model:
    """The model that comes along."""
    return unpacked(_file(WEIGHTS_FILE))


def card() -> dict[str, Any]:
    """The card of the model that comes along."""
    return json.loads(_file(CARD_FILE))


def packed(model: Model) -> bytes:
    """The model as a file; `unpacked` reads it."""
    trees, buffer = model.trees, BytesIO()
    weights = {
        f"{kind}.{name}": value
        for kind, weights in model.confidence.items()
        for name, value in weights.items()
    }
    np.savez_compressed(
        buffer,
        names=np.array(trees.names),
        groups=np.array(trees.groups),
        feature=trees.feature,
        threshold=trees.threshold,
        mask=trees.mask,
        parts=trees.parts.astype(np.float32),
        base=np.array(trees.base),
        confidence_names=np.array(list(weights)),
        confidence=np.array(list(weights.values()), np.float64),
    )
    return buffer.getvalue()


def unpacked(data: bytes) -> Model:
    """Read what `packed` made."""
    with np.load(BytesIO(data), allow_pickle=False) as found:
        trees = Trees(
            names=_words(found["names"].tolist()),
            groups=_words(found["groups"].tolist()),
            feature=found["feature"],
            threshold=found["threshold"],
            mask=found["mask"],
            parts=found["parts"].astype(np.float64),
            base=float(found["base"]),
        )
        values: list[float] = found["confidence"].tolist()
        confidence: dict[str, dict[str, float]] = {}
        for named, value in zip(_words(found["confidence_names"].tolist()), values, strict=True):
            kind, _, name = named.partition(".")
            confidence.setdefault(kind, {})[name] = value
        return Model(trees, confidence)


def _file(name: str) -> bytes:
    return files("simonides.recall.ranking").joinpath(name).read_bytes()


def _words(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(values)
