"""Bounds of recall's settings."""

from __future__ import annotations

import math

from simonides.errors import InvalidSettings


def require(section: str, settings: object, *names: str, least: float = 0.0, most: float = math.inf) -> None:
    """Hold settings to a closed range; infinity is never in it.

    Args:
        section: Where they stand, such as `recall.profiles.rrf`.

    Raises:
        InvalidSettings: One lies outside; the message names it as `<section>.<name>`.
    """
    for name in names:
        value = getattr(settings, name)
        if not (least <= value <= most and value < math.inf):
            bounds = f"be a number >= {least:g}" if most == math.inf else f"lie in [{least:g}, {most:g}]"
            raise InvalidSettings(f"{section}.{name} must {bounds}, got {value}")
