"""Bounds of the profiles' settings."""

from __future__ import annotations

import math

from simonides.errors import InvalidSettings


def require(section: str, settings: object, *names: str, least: float = 0.0, most: float = math.inf) -> None:
    """Hold settings of a profile to a closed range; infinity is never in it.

    Raises:
        InvalidSettings: One lies outside; the message names it as `recall.profiles.<section>.<name>`.
    """
    for name in names:
        value = getattr(settings, name)
        if not (least <= value <= most and value < math.inf):
            bounds = f"be a number >= {least:g}" if most == math.inf else f"lie in [{least:g}, {most:g}]"
            raise InvalidSettings(f"recall.profiles.{section}.{name} must {bounds}, got {value}")
