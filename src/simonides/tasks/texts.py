"""Texts that a model wrote, fit to be used: valid, on one line, not blank, not long."""

from __future__ import annotations

from collections.abc import Iterable

from simonides.domain.text import cleaned_text


def line(text: str, limit: int) -> str:
    """A text on one line, cut after `limit` characters; empty for a blank one."""
    return " ".join(cleaned_text(text).split())[:limit].rstrip()


def lines(texts: Iterable[str], limit: int, *, most: int) -> tuple[str, ...]:
    """The first `most` texts, each as `line` has it, without blank ones and those that stand there already."""
    distinct: dict[str, str] = {}
    for text in texts:
        if one := line(text, limit):
            distinct.setdefault(one.casefold(), one)
    return tuple(distinct.values())[:most]
