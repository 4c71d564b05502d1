"""The layers of Google's multilingual encoder of sentences, in numpy. Pure.

Each token sees its neighbours through three windows, of two, three and five tokens; what the tokens of a text came
to is added up, and goes through a map of four layers.

Source:
    Yang et al., ACL 2020 (Multilingual Universal Sentence Encoder, the form with convolutions).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from simonides.models.weights import Matrix, Norm
from simonides.values import dataclass

Floats = NDArray[np.float32]

#: Tokens that each window shows, and how many of them stand before the token itself.
WINDOWS: Final = ((2, 0), (3, 1), (5, 2))


@dataclass(frozen=True, slots=True)
class Convolution:
    """Two layers over windows of one width, each added to what it was given; negative values are cut off.

    Attributes:
        width, before: As of `WINDOWS`.
        first, second: From width × columns to columns.
    """

    width: int
    before: int
    first: Matrix
    second: Matrix

    def __call__(self, states: Floats, texts: Sequence[slice]) -> Floats:
        """The next states of tokens, shape (tokens, columns); what stands outside of a text counts as zeros."""
        for layer in (self.first, self.second):
            states = _cut(layer(self._windows(states, texts))) + states
        return states

    def _windows(self, states: Floats, texts: Sequence[slice]) -> Floats:
        rows, columns = states.shape
        seen = np.zeros((rows, self.width, columns), np.float32)
        for text in texts:
            length = text.stop - text.start
            for place in range(self.width):
                shift = place - self.before
                start, stop = max(0, -shift), min(length, length - shift)
                if start < stop:
                    seen[text][start:stop, place] = states[text][start + shift : stop + shift]
        return seen.reshape(rows, self.width * columns)


@dataclass(frozen=True, slots=True)
class TextHead:
    """From the sum of a text's tokens to its vector.

    Attributes:
        join: Of each token, before they are added up.
        widen, skip, mix: The first two layers, and the way past the first.
        narrow, past, last: The last two layers, and the way past the third.
    """

    join: Matrix
    widen: Matrix
    skip: Matrix
    mix: Matrix
    narrow: Matrix
    past: Matrix
    last: Matrix

    def __call__(self, states: Floats) -> Floats:
        """The vector of one text, of length 1, from the states of its tokens, shape (tokens, columns)."""
        tokens = np.float32(len(states))
        text: Floats = (states.sum(axis=0) @ self.join.weights + tokens * self.join.bias) / np.sqrt(tokens)
        inner = _cut(self.skip(text) + self.mix(_cut(self.widen(text))))
        vector: Floats = np.tanh(self.past(inner) + self.last(_cut(self.narrow(inner))))
        return vector / np.float32(np.linalg.norm(vector))


@dataclass(frozen=True, slots=True)
class Encoder:
    """The whole of it.

    Attributes:
        look: From a token's row to what the windows show of it, those of each width side by side.
        looked, done: Norms, of that and of the row beside what the windows came to.
        windows: One of each width.
    """

    look: Matrix
    looked: Norm
    windows: Sequence[Convolution]
    done: Norm
    head: TextHead

    def __call__(self, rows: Floats, texts: Sequence[slice]) -> Floats:
        """The vectors of texts, each a slice of the rows of tokens, shape (tokens, columns)."""
        shown = np.split(self.looked(self.look(rows)), len(self.windows), axis=1)
        seen = [window(part, texts) for window, part in zip(self.windows, shown, strict=True)]
        states = self.done(np.concatenate([rows, *seen], axis=1))
        return np.array([self.head(states[text]) for text in texts])


def _cut(values: Floats) -> Floats:
    return np.maximum(values, 0, out=values)
