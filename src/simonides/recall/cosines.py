"""The scale of an embedder's cosines: how near a question is to what answers it, and to what does not."""

from __future__ import annotations

from typing import Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from simonides.values import dataclass

_Cosines = TypeVar("_Cosines", float, NDArray[np.float64])

#: Questions, and in other words what answers each: of matters that have nothing in common.
PAIRS: Final = (
    ("When do I have to be at the airport?", "My flight leaves at seven in the morning."),
    ("Which instrument does Nora practise?", "Nora has had cello lessons since she was six."),
    ("What can't I eat?", "Shellfish makes me ill."),
    ("How much do we pay for the flat?", "The rent is 900 euros a month."),
    ("Where did we spend the summer?", "In July we rented a cottage on the coast of Brittany."),
    ("Who looks after the cat when we travel?", "The neighbour feeds Minka while we are away."),
    ("What should I read next?", "Tom recommended a novel about lighthouse keepers."),
    ("Which database does the project use?", "All data of the service is stored in PostgreSQL."),
    ("How do I get to work?", "I cycle to the office along the canal."),
    ("Why was the release late?", "Two tests kept failing, so we shipped a week behind schedule."),
    ("Is my passport still good?", "My travel document expires in March."),
    ("What is wrong with the car?", "The garage says that the brakes are worn."),
    ("What did the doctor prescribe?", "I take two tablets for my blood pressure every evening."),
    ("Which colour did we choose for the kitchen?", "The walls where we cook are going to be pale green."),
    ("Who won the match on Sunday?", "Our team lost three to one at the weekend."),
    ("What does my brother do for a living?", "Paul is a carpenter."),
    ("How tall is the tower?", "The building rises 120 metres above the square."),
    ("When does school start again?", "The holidays end on the second of September."),
    ("What language are they learning?", "They take Portuguese classes on Tuesdays."),
    ("What do I give Mum for her birthday?", "My mother would love a new coffee grinder."),
    ("Where is the nearest chemist?", "There is a pharmacy beside the town hall."),
    ("How do we log errors?", "Exceptions are written to a file as JSON lines."),
    ("What kind of films do I like?", "I enjoy slow documentaries about nature most."),
    ("Do I have any savings?", "I put 200 aside into an account every month."),
)
#: The mean cosine of the bundled embedder, by which the ranking was learned: of a question with what answers another,
#: and with what answers it.
_UNRELATED: Final = 0.024
_RELATED: Final = 0.249
#: As near to these an embedder's own are the same; so near to each other they tell nothing.
_SAME: Final = 0.04
_TELLING: Final = 0.05
#: So many standard deviations of unrelated cosines must the related ones stand above them for an embedder to tell what
#: answers from what does not: the bundled one's stand 3.0, those of encoders with layers 4.3 and more.
_APART: Final = 3.7


@dataclass(frozen=True, slots=True)
class CosineScale:
    """Brings cosines of an embedder to the scale by which the ranking was learned.

    To many encoders all texts lie in one direction: what has nothing in common has a cosine of .5 or .7, and .8 says
    little. The scale puts what is unrelated and what is related to where the bundled embedder has them, and leaves 1
    where it is.

    Attributes:
        unrelated, related: The mean cosine of questions with what answers others, and with what answers them.
        telling: It tells what answers a question in other words from what does not.

    Source:
        Ethayarajh, EMNLP 2019, on how narrow the cone is that such vectors lie in.
    """

    unrelated: float = _UNRELATED
    related: float = _RELATED
    telling: bool = False

    @classmethod
    def of_pairs(cls, vectors: NDArray[np.float32]) -> CosineScale:
        """The scale of an embedder by its vectors of `PAIRS`, flat; shape (2 · pairs, dimension)."""
        cosines = vectors[::2].astype(np.float64) @ vectors[1::2].astype(np.float64).T
        count = len(cosines)
        related = float(np.trace(cosines)) / count
        unrelated = (float(cosines.sum()) - float(np.trace(cosines))) / (count * (count - 1))
        spread = float(cosines[~np.eye(count, dtype=bool)].std())
        telling = related - unrelated >= max(_TELLING, _APART * spread)
        same = abs(unrelated - _UNRELATED) <= _SAME and abs(related - _RELATED) <= _SAME
        if same or related - unrelated < _TELLING:
            return cls(telling=telling)
        return cls(unrelated, related, telling)

    def __call__(self, cosines: _Cosines) -> _Cosines:
        """The cosines, or a mean of cosines, on the scale of the ranking; the order stays."""
        if (self.unrelated, self.related) == (_UNRELATED, _RELATED):
            return cosines
        below = _UNRELATED + (cosines - self.unrelated) * (
            (_RELATED - _UNRELATED) / (self.related - self.unrelated)
        )
        above = 1 - (1 - cosines) * ((1 - _RELATED) / (1 - self.related))
        return cast("_Cosines", np.where(np.less_equal(cosines, self.related), below, above)[()])


#: Cosines as they are.
PLAIN: Final = CosineScale()
