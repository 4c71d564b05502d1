"""Limits of a file's word on its items: who said them, but not what somebody decided about the words of others."""

from __future__ import annotations

from dataclasses import replace

from simonides.domain.item import Item, Validation
from simonides.domain.provenance import FROM_USER, TRUST_OF, TRUSTS, Trust


def taken_at_its_word(item: Item) -> Item:
    """The item as a file may bring it in that nobody vouched for.

    A pin, a verification and a trust above that of its origin are decisions of a person: of what the user did not
    say, they are left out, and what is of low trust goes into no prompt. The answer depends on the item alone, so
    that every state of a history is read alike, however often it is loaded.
    """
    if item.origin in FROM_USER:
        return item
    trust = min(item.trust, TRUST_OF[item.origin], key=TRUSTS.index)
    checked = item.validation is Validation.VERIFIED
    return replace(
        item,
        trust=trust,
        injectable=item.injectable and trust is not Trust.LOW,
        pinned=False,
        validation=Validation.UNVERIFIED if checked else item.validation,
    )


def left_out(given: Item, kept: Item) -> tuple[str, ...]:
    """Fields of an item that were not taken from a file, as reasons of a verdict."""
    names = [
        name
        for name in ("trust", "pinned", "validation", "injectable")
        if getattr(given, name) != getattr(kept, name)
    ]
    if not names:
        return ()
    return (
        f"not taken over: {', '.join(names)}; a file nobody vouches for does not decide that (load it as trusted)",
    )
