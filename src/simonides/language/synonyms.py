"""Words that say the same in short notes, and words that say nothing, for telling repetitions from news.

The words stand in `data/`. A group holds those that may stand for each other wherever a note states a fact; what only
sometimes means the same is left out: a repetition that is missed costs less than two facts taken for one.
"""

from __future__ import annotations

from typing import Final

from simonides.language.tables import han, phrases, words
from simonides.language.tokens import stemmed

#: What a word counts as: its stem, or the first stem of its group.
_GROUP_OF: Final[dict[str, str]] = {}
for _group in phrases("synonyms"):
    _stems = [stemmed(word) for word in _group]
    for _stem in _stems:
        _GROUP_OF.setdefault(_stem, _GROUP_OF.get(_stems[0], _stems[0]))


def group_of(stem: str) -> str:
    """Name of the group of a stem and all that say the same."""
    return _GROUP_OF.get(stem, stem)


#: Words without which a note says the same.
FILLERS: Final = words("fillers")
HAN_FILLERS: Final = frozenset[str](han("fillers"))
