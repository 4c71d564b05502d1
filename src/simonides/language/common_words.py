"""Words by which names are told from other capitals, and from each other; all in small letters."""

from __future__ import annotations

from functools import partial
from typing import Final

from simonides.language.tables import as_written

_words: Final = partial(as_written, among="capitals")
_WRITTEN: Final = _words("common")
#: No names, though they may have a capital: what begins sentences, days and months, shouts.
COMMON: Final = _WRITTEN | {word.replace("'", "’") for word in _WRITTEN}
#: Part of an organization's name.
ORGANIZATIONS: Final = _words("organizations")
#: The last word of a place's name.
PLACES: Final = _words("places")
