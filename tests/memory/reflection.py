"""The parts of a Memory, found by what it says of itself, so that a new one is tried without being named."""

from typing import get_type_hints

from simonides import Memory

#: Their classes by the name that a Memory has for them.
PARTS = {
    name: made
    for name, door in vars(Memory).items()
    if isinstance(door, property)
    and getattr(made := get_type_hints(door.fget)["return"], "__module__", "").startswith("simonides.parts.")
}
assert {"palace", "review", "audit"} <= PARTS.keys()
