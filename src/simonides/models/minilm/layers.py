"""A layer of a BERT encoder, in numpy. Pure.

Source:
    Devlin et al., NAACL 2019; Wang et al., NeurIPS 2020 (MiniLM).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.models.weights import Matrix, Norm
from simonides.values import dataclass

Floats = NDArray[np.float32]

HEADS: Final = 12
#: √(2/π) and the weight of the cube, by which the hyperbolic tangent stands for the error function in GELU.
_TANH: Final = (np.float32(0.7978845608), np.float32(0.044715))


@dataclass(frozen=True, slots=True)
class Layer:
    """Attention among the tokens of each text, then a feed-forward map of each token.

    Attributes:
        attend: To queries, keys and values side by side; the queries divided by the root of a head's columns.
        join: Of what the heads attended to.
        widen, narrow: The feed-forward map, GELU between them.
        attended, done: Norms behind the two steps.
    """

    attend: Matrix
    join: Matrix
    attended: Norm
    widen: Matrix
    narrow: Matrix
    done: Norm

    def __call__(self, states: Floats, texts: Sequence[slice]) -> Floats:
        """The next states of tokens, shape (tokens, columns); each text is a slice of them."""
        columns = states.shape[1]
        heads = self.attend(states).reshape(len(states), 3, HEADS, columns // HEADS)
        seen = np.zeros_like(states)
        for text in texts:
            query, key, value = heads[text].transpose(1, 2, 0, 3)
            seen[text] = (_softmax(query @ key.swapaxes(1, 2)) @ value).swapaxes(0, 1).reshape(-1, columns)
        states = self.attended(states + self.join(seen))
        return self.done(states + self.narrow(_gelu(self.widen(states))))


def _softmax(scores: Floats) -> Floats:
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def _gelu(values: Floats) -> Floats:
    slope, cube = _TANH
    inner = values * values
    inner *= cube
    inner += 1
    inner *= values
    inner *= slope
    np.tanh(inner, out=inner)
    inner += 1
    inner *= values
    inner *= np.float32(0.5)
    return inner
