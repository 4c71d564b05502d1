"""Palace: where memories stand, as a plan: domains are floors, rooms rectangles sized by what they hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote, unquote

from simonides.domain.item import Item
from simonides.edges.page.notices import done
from simonides.edges.page.visit import Elsewhere, View, Visit, address

#: The plan of a floor, in units of its view box.
WIDTH: Final = 1000.0
_HEIGHT: Final = 300.0
_SMALLEST: Final = 60.0
_CARDS: Final = 60
_LIT_HITS: Final = 20
#: Rooms that a plan shows by themselves; the rest stands together behind a word.
_ROOMS: Final = 40


@dataclass(frozen=True, slots=True)
class PlanRoom:
    """A room of a plan.

    Attributes:
        lit: Hits of the search that lie in it.
    """

    domain: str
    name: str
    cards: int
    x: float
    y: float
    width: float
    height: float
    lit: int = 0


@dataclass(frozen=True, slots=True)
class Floor:
    """A domain with its rooms."""

    name: str
    cards: int
    height: float
    rooms: Sequence[PlanRoom]
    more: int


def place(visit: Visit) -> View:
    """The plan; with `?domain=` and `?room=` a room with its shelves."""
    rooms = visit.memory.palace.rooms(scope=visit.scope)
    domain, room = visit.query.get("domain"), visit.query.get("room")
    told = done(visit)
    shown: dict[str, Any] = {
        "here": "Palace",
        "notice": None if told is None else told[1],
        "rooms": [(one, name, cards, named_room(one, name)) for (one, name), cards in rooms.items()],
        "lit_by": visit.query.get("q", ""),
    }
    if domain is not None and room is not None:
        shelves = _shelves(visit, domain, room)
        found = {"domain": domain, "room": room, "shelves": shelves, "cards": rooms.get((domain, room), 0)}
        data = {
            "domain": domain,
            "room": room,
            "shelves": {name: [item.to_dict() for item in items] for name, items in shelves.items()},
        }
        return View(template="room", shown=shown | found, data=data)
    lit = _lit(visit)
    data = {"rooms": [{"domain": one, "room": name, "cards": cards} for (one, name), cards in rooms.items()]}
    return View(template="palace", shown=shown | {"floors": _floors(rooms, lit), "width": WIDTH}, data=data)


def _shelves(visit: Visit, domain: str, room: str) -> Mapping[str, list[Item]]:
    names = visit.memory.palace.list(domain, room, scope=visit.scope)
    return {
        name: visit.memory.palace.get(domain, room, name, scope=visit.scope, limit=_CARDS) for name in names
    }


def _lit(visit: Visit) -> Mapping[tuple[str, str], int]:
    """Hits of the question in the address, by room."""
    found: dict[tuple[str, str], int] = {}
    if question := visit.query.get("q", "").strip():
        for hit in visit.memory.search(question, scope=visit.scope, k=_LIT_HITS, noted=False):
            if hit.moved:
                continue
            stands = visit.memory.palace.where(hit.item.id)
            found[stands.domain, stands.room] = found.get((stands.domain, stands.room), 0) + 1
    return found


def _floors(rooms: Mapping[tuple[str, str], int], lit: Mapping[tuple[str, str], int]) -> list[Floor]:
    """Domains, the fullest first."""
    by_domain: dict[str, list[tuple[str, int]]] = {}
    for (domain, name), cards in rooms.items():
        by_domain.setdefault(domain, []).append((name, cards))
    counts = {domain: sum(cards for _, cards in held) for domain, held in by_domain.items()}
    most = max(counts.values(), default=1)
    floors: list[Floor] = []
    for domain in sorted(by_domain, key=lambda name: (-counts[name], name)):
        held = sorted(by_domain[domain], key=lambda pair: (-pair[1], pair[0]))
        drawn, rest = held[:_ROOMS], held[_ROOMS:]
        height = max(_SMALLEST, _HEIGHT * math.sqrt(counts[domain] / most))
        laid = [
            PlanRoom(domain, name, cards, *box, lit=lit.get((domain, name), 0))
            for (name, cards), box in zip(drawn, _laid([cards for _, cards in drawn], height), strict=True)
        ]
        floors.append(Floor(domain, counts[domain], height, laid, len(rest)))
    return floors


def _laid(sizes: Sequence[int], height: float) -> list[tuple[float, float, float, float]]:
    """Rectangles in a floor, with areas in proportion to sizes, the largest first, near to squares.

    Source:
        Bruls, Huizing and van Wijk, Squarified treemaps, 2000.
    """
    # A room that holds little must still be found; areas go by the root.
    weights = [math.sqrt(size) for size in sizes]
    scale = WIDTH * height / (sum(weights) or 1.0)
    areas = [weight * scale for weight in weights]
    found: list[tuple[float, float, float, float]] = []
    x, y, width, tall = 0.0, 0.0, WIDTH, height
    row: list[float] = []

    def worst(row: Sequence[float], side: float) -> float:
        total = sum(row)
        return max(max(side * side * area / total**2, total**2 / (side * side * area)) for area in row)

    def put(row: Sequence[float]) -> None:
        nonlocal x, y, width, tall
        total = sum(row)
        upright = width >= tall
        side = tall if upright else width
        thick = total / side
        at = y if upright else x
        for area in row:
            long = area / thick
            found.append((x, at, thick, long) if upright else (at, y, long, thick))
            at += long
        if upright:
            x, width = x + thick, width - thick
        else:
            y, tall = y + thick, tall - thick

    for area in areas:
        side = min(width, tall)
        if row and worst([*row, area], side) > worst(row, side):
            put(row)
            row = []
        row.append(area)
    if row:
        put(row)
    return [tuple(round(value, 1) for value in box) for box in found]  # pyright: ignore[reportReturnType]


def move(visit: Visit) -> Elsewhere:
    """Move a card to another room."""
    item = visit.own(visit.names["id"])
    before = visit.memory.palace.where(item.id)
    domain, _, room = (unquote(name) for name in visit.form.get("to", "").partition("/"))
    if new := visit.form.get("room", "").strip():
        domain, room = before.domain, new
    visit.memory.palace.assign(
        item.id, domain=domain.strip() or None, room=room.strip(), actor=visit.visitor.actor
    )
    back = address(
        "/palace",
        domain=before.domain,
        room=before.room,
        scope=visit.form.get("scope"),
        done="move",
        on=item.id,
        shelf=before.shelf,
    )
    return Elsewhere(path=back)


def named_room(domain: str, room: str) -> str:
    """A room as a form names it."""
    return f"{quote(domain, safe='')}/{quote(room, safe='')}"
