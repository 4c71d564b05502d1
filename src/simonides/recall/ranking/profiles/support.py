"""Support that source and validation give to what an item says. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from simonides.errors import InvalidSettings
from simonides.ports.store import Sketch
from simonides.recall.bounds import require
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class Support:
    """Worth of sources and validations; each in [0, 1].

    Attributes:
        source, validation: Their shares of the sum.
        doc, tool, mixed, chat: Of a source of this kind that can be checked: its content hash is known.
        doc_unhashed, tool_unhashed, mixed_unhashed, chat_unhashed: The same without a hash.
        verified, unverified, contested, retracted: Of an item that stands so.
    """

    source: float = 0.6
    validation: float = 0.4
    doc: float = 1.0
    tool: float = 0.8
    mixed: float = 0.6
    chat: float = 0.5
    doc_unhashed: float = 0.7
    tool_unhashed: float = 0.5
    mixed_unhashed: float = 0.4
    chat_unhashed: float = 0.2
    verified: float = 1.0
    unverified: float = 0.3
    contested: float = 0.1
    retracted: float = 0.0

    def __post_init__(self) -> None:
        require("recall.profiles.weighted.support", self, *(entry.name for entry in fields(self)), most=1)
        if self.source + self.validation > 1 + 1e-9:
            raise InvalidSettings(
                "recall.profiles.weighted.support.source and recall.profiles.weighted.support.validation "
                f"are shares: together at most 1, got {self.source + self.validation:g}"
            )

    def of(self, sketches: Sequence[Sketch]) -> NDArray[np.float64]:
        """The two shares, each of what source and standing are worth; shape (n,), in [0, 1]."""
        sources = {
            (kind, hashed): getattr(self, f"{kind}{'' if hashed else '_unhashed'}")
            for kind in ("doc", "tool", "mixed", "chat")
            for hashed in (True, False)
        }
        standings = {
            name: getattr(self, name) for name in ("verified", "unverified", "contested", "retracted")
        }
        return np.array(
            [
                self.source * sources[sketch.source_kind, bool(sketch.hashed)]
                + self.validation * standings[sketch.validation]
                for sketch in sketches
            ],
            np.float64,
        )
