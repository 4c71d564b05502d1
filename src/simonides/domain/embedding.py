"""Identity of an embedding model."""

from __future__ import annotations

from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """Identity of the model that made a vector. Vectors are comparable only if their identities are equal.

    Attributes:
        name: The model's name, for people.
        fingerprint: Changes whenever the vectors of the same texts would.
        dimension: Length of a vector, >= 1.
    """

    name: str
    fingerprint: str
    dimension: int
