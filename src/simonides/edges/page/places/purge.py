"""Purging: what would go for good is shown first, and then asked for once more."""

from __future__ import annotations

from typing import Any

from simonides.edges.page.visit import ADMIN, Elsewhere, View, Visit, address


def place(visit: Visit) -> View:
    """Show what purging a memory would take along."""
    item = visit.own(visit.names["id"], ADMIN)
    derived = [one for one in visit.memory.derived(item.id, purge=True) if visit.asks(one.item.scope)]
    shown: dict[str, Any] = {
        "here": "Item",
        "item": item,
        "derived": derived,
    }
    return View(template="purge", shown=shown, data={"derived": [one.item.id for one in derived]})


def purge(visit: Visit) -> Elsewhere:
    """Delete a memory with every trace of its text."""
    item = visit.own(visit.names["id"], ADMIN)
    keeps = visit.form.get("keep") == "yes"
    counts = visit.memory.purge(item.id, keep_derived=keeps, actor=visit.visitor.actor)
    return Elsewhere(path=address("/", done="purge", on=item.id, items=counts.get("items", 1)))
