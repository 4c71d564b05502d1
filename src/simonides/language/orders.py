"""Orders: messages that tell whoever reads them to do a piece of work."""

from __future__ import annotations

import re
from typing import Final

from simonides.language.tables import words
from simonides.language.tokens import folded

#: First words of orders, as people give them to an agent: they are carried out, and then they are over.
_ORDERS: Final = words("orders")
#: Words that may stand before them.
_BEFORE: Final = words("before_orders")
_WORD: Final = re.compile(r"[ ,\t]*([^\W\d_]+)[ ,\t]*")
#: The name of a file or folder where something is to be done.
_PLACE: Final = re.compile(r"(?=\S{0,200}[./])\S{1,200}[:,]\s+")


def orders(message: str) -> bool:
    """True of a message that begins with an order, behind words of politeness or the name of a file."""
    place = 0
    while True:
        if (named := _PLACE.match(message, place)) is not None:
            place = named.end()
        match = _WORD.match(message, place)
        if match is None:
            return False
        word = folded(match[1])
        if word not in _BEFORE:
            return word in _ORDERS
        place = match.end()
