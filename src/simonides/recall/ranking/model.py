"""The learned part of the ranking, as `make train` writes it: trees, weights of the confidence, and a card.

The card says what they were learned from and how well they did on worlds that they never saw.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.recall.ranking.trees import Trees
from simonides.values import dataclass

WEIGHTS_FILE: Final = "model.npz"
CARD_FILE: Final = "model.json"


@dataclass(frozen=True, slots=True)
class Model:
    """Trees and weights that were learned together.

    Attributes:
        trees: The ranking.
        confidence: Trees whose sum is the log-odds that anything answers, where vectors know the question's script.
        without_vectors: The same as a `base` and weights by name of the evidence, where they do not: `pairs` for CJK,
            `bare` for words.
    """

    trees: Trees
    confidence: Trees
    without_vectors: Mapping[str, Mapping[str, float]]


@lru_cache(maxsize=1)
def bundled() -> Model:
    """The model that comes along."""
    return unpacked(_file(WEIGHTS_FILE))


def card() -> dict[str, Any]:
    """The card of the model that comes along."""
    return json.loads(_file(CARD_FILE))


def packed(model: Model) -> bytes:
    """The model as a file; `unpacked` reads it."""
    buffer = BytesIO()
    weights = {
        f"{kind}.{name}": value
        for kind, weights in model.without_vectors.items()
        for name, value in weights.items()
    }
    columns: dict[str, Any] = {
        **_columns("trees", model.trees),
        **_columns("confidence", model.confidence),
        "weight_names": np.array(list(weights)),
        "weights": np.array(list(weights.values()), np.float64),
    }
    np.savez_compressed(buffer, **columns)
    return buffer.getvalue()


def unpacked(data: bytes) -> Model:
    """Read what `packed` made."""
    with np.load(BytesIO(data), allow_pickle=False) as found:
        columns: dict[str, NDArray[Any]] = dict(found)
    values: list[float] = columns["weights"].tolist()
    without_vectors: dict[str, dict[str, float]] = {}
    for named, value in zip(_words(columns["weight_names"].tolist()), values, strict=True):
        kind, _, name = named.partition(".")
        without_vectors.setdefault(kind, {})[name] = value
    return Model(_trees("trees", columns), _trees("confidence", columns), without_vectors)


def _columns(prefix: str, trees: Trees) -> dict[str, NDArray[Any]]:
    """The columns of a forest, as a file names them."""
    return {
        f"{prefix}_names": np.array(trees.names),
        f"{prefix}_groups": np.array(trees.groups),
        f"{prefix}_feature": trees.feature,
        f"{prefix}_threshold": trees.threshold,
        f"{prefix}_mask": trees.mask,
        f"{prefix}_parts": trees.parts.astype(np.float32),
        f"{prefix}_base": np.array(trees.base),
    }


def _trees(prefix: str, columns: Mapping[str, NDArray[Any]]) -> Trees:
    return Trees(
        names=_words(columns[f"{prefix}_names"].tolist()),
        groups=_words(columns[f"{prefix}_groups"].tolist()),
        feature=columns[f"{prefix}_feature"],
        threshold=columns[f"{prefix}_threshold"],
        mask=columns[f"{prefix}_mask"],
        parts=columns[f"{prefix}_parts"].astype(np.float64),
        base=float(columns[f"{prefix}_base"]),
    )


def _file(name: str) -> bytes:
    return files("simonides.recall.ranking").joinpath(name).read_bytes()


def _words(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(values)
