"""Notices of what was just done, with the way back; where no script runs they travel in the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from simonides.edges.page.visit import Notice, Undo, Visit

#: By what was done: the sentence, and what its undo brings back; empty where there is no way back.
_DONE: Final[Mapping[str, tuple[str, str]]] = {
    "reinforce": ("Raised: it proved useful.", "It stands as it did before."),
    "demote": ("Lowered: it was of no use.", "It stands as it did before."),
    "pin": ("Pinned: it is part of the core profile now.", "It is no longer pinned."),
    "unpin": ("No longer pinned.", "It is pinned again."),
    "confirm": ("Confirmed: it is certain now and does not fade.", "It is as certain as it was before."),
    "correct": ("Corrected: this is what it says now.", "The former sentence holds again."),
    "forget": ("Forgotten: it is out of recall and kept in the archive.", "It comes back into recall."),
    "restore": ("It is back in recall.", "It goes back to the archive."),
    "move": ("Moved to another room.", "It goes back to where it stood."),
    "undone": ("Taken back.", ""),
    "approve": ("Approved: it is in recall now.", "It waits for a decision again."),
    "approved": ("Approved: it was done.", ""),
    "trust": ("Approved: it may be put into prompts.", "It is kept out of prompts again."),
    "reject": (
        "Rejected: it is in the archive, and does not come back by itself.",
        "It waits for a decision again.",
    ),
    "edit": (
        "Stored in your words; the proposal was turned down.",
        "Your words go to the archive; the proposal waits.",
    ),
    "keep": (
        "Kept: this one is certain now, and the other one has ended.",
        "Both stand against each other again.",
    ),
    "both": ("Both hold, one after the other.", "Both stand against each other again."),
    "purge": ("Purged, with every trace of its text.", ""),
}
#: What is done, and the field without which it cannot be taken back.
_NEEDED: Final = (("correct", "was"), ("edit", "was"), ("both", "was"), ("move", "room"))
#: Fields that an undo needs beside what it takes back.
CARRIED: Final = ("run", "was", "since", "until", "domain", "room", "shelf")


def notice_of(verb: str, item_id: str, carried: Mapping[str, str]) -> Notice | None:
    """The notice of something that was done with an item; None of an unknown verb."""
    if verb not in _DONE:
        return None
    text, way_back = _DONE[verb]
    if not way_back or any(verb == needing and not carried.get(name) for needing, name in _NEEDED):
        return Notice(text=text)
    fields = {"of": verb, **{name: carried[name] for name in CARRIED if carried.get(name)}}
    return Notice(text=text, undo=Undo(path=f"/m/{item_id}/undo", fields=fields, says=way_back))


def done(visit: Visit) -> tuple[str, Notice] | None:
    """The item and the notice of what was just done, as the address says it."""
    item_id = visit.query.get("on", "")
    notice = notice_of(visit.query.get("done", ""), item_id, visit.query)
    return None if notice is None or not item_id else (item_id, notice)
