"""Palace: where memories stand, as a plan: domains are floors, rooms rectangles sized by what they hold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote, unquote

from simonides.domain.item import Item
from simonides.edges.page.counted import shelves_of
from simonides.edges.page.notices import done
from simonides.edges.page.visit import Elsewhere, View, Visit, address
from simonides.values import dataclass

#: The largest floor: its width in hundredths of the page, its height in pixels.
_WIDTH: Final = 100.0
_HEIGHT: Final = 260.0
#: What a floor is wide at least, in hundredths, and high.
_NARROWEST: Final = 25.0
_LOWEST: Final = 96.0
#: About how many pixels a hundredth of the page is, to keep rooms near to squares.
_HUNDREDTH_PX: Final = 11.5
#: Cards of a room that are told, and rooms to which one can be sent by name.
_CARDS: Final = 120
_DOORS: Final = 400
_LIT_HITS: Final = 20
#: Rooms that a plan shows by themselves; the rest stands together behind a word.
_ROOMS: Final = 30
#: Shelves are drawn in a room that is so wide, from here on, each so high, and so far from its foot; all in pixels.
_SHELF_WIDE: Final = 150
_SHELF_TOP: Final = 62
_SHELF_PX: Final = 24
_SHELF_FOOT: Final = 8


@dataclass(frozen=True, slots=True)
class PlanRoom:
    """A room of a plan, in hundredths of its floor.

    Attributes:
        lit: Hits of the search that lie in it.
        shelves: Those that there is room for, the fullest first: name, cards, and the height of its line in pixels.
        more: How many shelves more it has; `more_at` is the height of the line that says so.
    """

    domain: str
    name: str
    cards: int
    x: float
    y: float
    width: float
    height: float
    lit: int = 0
    shelves: Sequence[tuple[str, int, int]] = ()
    more: int = 0
    more_at: int = 0


@dataclass(frozen=True, slots=True)
class Floor:
    """A domain with its rooms.

    Attributes:
        width: In hundredths of the page, by fives.
        height: In pixels.
    """

    name: str
    cards: int
    width: int
    height: int
    rooms: Sequence[PlanRoom]
    more: int


@dataclass(frozen=True, slots=True)
class Shelf:
    """A shelf of a room.

    Attributes:
        cards: How many stand on it; `items` are the newest.
    """

    name: str
    cards: int
    items: Sequence[Item]


def place(visit: Visit) -> View:
    """The plan; with `?domain=` one floor with a list of its rooms, with `?room=` besides a room with its shelves."""
    shelved = shelves_of(visit.memory, visit.scope, anew="done" in visit.query)
    rooms = _rooms(shelved)
    domain, room = visit.query.get("domain"), visit.query.get("room")
    notice = done(visit)
    shown: dict[str, Any] = {
        "here": "Palace",
        "notice": None if notice is None else notice[1],
        "rooms": _doors(rooms, domain),
        "domain": domain,
        "lit_by": visit.query.get("q", ""),
    }
    if domain is not None and room is not None:
        shelves = _shelves(visit, domain, room)
        opened = {
            "domain": domain,
            "room": room,
            "shelves": shelves,
            "cards": sum(shelf.cards for shelf in shelves),
            "told": sum(len(shelf.items) for shelf in shelves),
            "moved": visit.query.get("move", ""),
        }
        data = {
            "domain": domain,
            "room": room,
            "shelves": {shelf.name: [item.to_dict() for item in shelf.items] for shelf in shelves},
        }
        return View(template="room", shown=shown | opened, data=data)
    if domain is not None:
        rooms = {place: cards for place, cards in rooms.items() if place[0] == domain}
    lit = _lit(visit)
    data = {"rooms": [{"domain": one, "room": name, "cards": cards} for (one, name), cards in rooms.items()]}
    return View(template="palace", shown=shown | {"floors": _floors(rooms, shelved, lit)}, data=data)


def _shelves(visit: Visit, domain: str, room: str) -> list[Shelf]:
    """Shelves of a room with the newest of its cards."""
    counts = visit.memory.palace.list(domain, room, scope=visit.scope)
    held: dict[str, list[Item]] = {name: [] for name in counts}
    for item in visit.memory.palace.get(domain, room, scope=visit.scope, limit=_CARDS):
        held.setdefault(visit.memory.palace.where(item.id).shelf, []).append(item)
    return [Shelf(name, counts.get(name, len(items)), items) for name, items in held.items()]


def _lit(visit: Visit) -> Mapping[tuple[str, str], int]:
    """Hits of the question in the address, by room."""
    lit: dict[tuple[str, str], int] = {}
    if question := visit.query.get("q", "").strip():
        for hit in visit.memory.search(question, scope=visit.scope, k=_LIT_HITS, noted=False):
            if hit.moved:
                continue
            stands = visit.memory.palace.where(hit.item.id)
            lit[stands.domain, stands.room] = lit.get((stands.domain, stands.room), 0) + 1
    return lit


def _doors(rooms: Mapping[tuple[str, str], int], domain: str | None) -> list[tuple[str, str, int, str]]:
    """Rooms of a domain, then the fullest others, by name: domain, room, cards, and how a form names it."""
    fullest = sorted(rooms, key=lambda room: (room[0] != domain, -rooms[room], room))[:_DOORS]
    ordered = sorted(fullest, key=lambda room: (room[0] != domain, room))
    return [(one, name, rooms[one, name], named_room(one, name)) for one, name in ordered]


def _rooms(shelves: Mapping[tuple[str, str, str], int]) -> dict[tuple[str, str], int]:
    """Rooms with the cards of their shelves."""
    counts: Counter[tuple[str, str]] = Counter()
    for (domain, room, _), cards in shelves.items():
        counts[domain, room] += cards
    return dict(counts)


def _floors(
    rooms: Mapping[tuple[str, str], int],
    shelves: Mapping[tuple[str, str, str], int],
    lit: Mapping[tuple[str, str], int],
) -> list[Floor]:
    """Domains, the fullest first."""
    held_by: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for (domain, room, shelf), cards in shelves.items():
        held_by.setdefault((domain, room), []).append((shelf, cards))
    by_domain: dict[str, list[tuple[str, int]]] = {}
    for (domain, name), cards in rooms.items():
        by_domain.setdefault(domain, []).append((name, cards))
    counts = {domain: sum(cards for _, cards in held) for domain, held in by_domain.items()}
    most = max(counts.values(), default=1)
    floors: list[Floor] = []
    for domain in sorted(by_domain, key=lambda name: (-counts[name], name)):
        held = sorted(by_domain[domain], key=lambda pair: (-pair[1], pair[0]))
        drawn, rest = held[:_ROOMS], held[_ROOMS:]
        # Areas go by the root of what is held, as those of rooms do: what holds little must be found, too.
        share = (counts[domain] / most) ** 0.25
        width = min(100, 5 * round(max(_NARROWEST, _WIDTH * share) / 5))
        height = round(max(_LOWEST, _HEIGHT * share))
        boxes = _laid([cards for _, cards in drawn], width * _HUNDREDTH_PX, height)
        laid = [
            _furnished(
                PlanRoom(domain, name, cards, *box, lit=lit.get((domain, name), 0)),
                held_by[domain, name],
                width,
                height,
            )
            for (name, cards), box in zip(drawn, boxes, strict=True)
        ]
        floors.append(Floor(domain, counts[domain], width, height, laid, len(rest)))
    return floors


def _furnished(room: PlanRoom, shelves: Sequence[tuple[str, int]], width: int, height: int) -> PlanRoom:
    """A room with as many of its shelves as there is room for; one shelf alone is the room itself."""
    top = _SHELF_TOP + (_SHELF_PX if room.lit else 0)
    fit = int((room.height / 100 * height - top - _SHELF_FOOT) // _SHELF_PX)
    if len(shelves) < 2 or fit < 1 or room.width / 100 * width * _HUNDREDTH_PX < _SHELF_WIDE:
        return room
    fullest = sorted(shelves, key=lambda shelf: (-shelf[1], shelf[0]))
    # The last line says how many more there are, where not all find room.
    shown = fullest if len(fullest) <= fit else fullest[: fit - 1]
    lines = [(name, cards, top + number * _SHELF_PX) for number, (name, cards) in enumerate(shown)]
    more = len(fullest) - len(shown)
    return replace(room, shelves=lines, more=more, more_at=top + len(shown) * _SHELF_PX)


def _laid(sizes: Sequence[int], wide: float, high: float) -> list[tuple[float, float, float, float]]:
    """Rectangles (x, y, width, height) in hundredths of a floor, near to squares, the largest first.

    Their areas are as the roots of sizes: a room that holds little must be found, too.

    Source:
        Bruls, Huizing and van Wijk, Squarified treemaps, 2000.
    """
    weights = [math.sqrt(size) for size in sizes]
    scale = wide * high / (sum(weights) or 1.0)
    areas = [weight * scale for weight in weights]
    rectangles: list[tuple[float, float, float, float]] = []
    x, y, width, tall = 0.0, 0.0, wide, high
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
            rectangles.append((x, at, thick, long) if upright else (at, y, long, thick))
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
    across, down = 100 / wide, 100 / high
    return [
        (round(a * across, 2), round(b * down, 2), round(c * across, 2), round(d * down, 2))
        for a, b, c, d in rectangles
    ]


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
