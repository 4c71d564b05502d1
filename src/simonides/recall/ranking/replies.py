"""Laws of ranking: the reply to what a user asked comes before the words that asked, and so does what they told. Pure.

"Is the metro any good?" has the words of "How much is the metro?", and the reply to it has the price. The trees learned
that long turns of assistants seldom answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from simonides.domain.kept import kept
from simonides.language.search_tokens import tokens_of
from simonides.language.succession import changes_told, told_anew
from simonides.language.tokens import tokens
from simonides.language.words import PERSONS
from simonides.recall.candidates import CandidateTable, Floats, Indices
from simonides.recall.question.asks import Asks
from simonides.recall.question.speech import Act, act_of_text, asking_sentences, stated

#: Best candidates that are looked at.
_BEST: Final = 24
#: Different words at most, besides those of the question, of a sentence that only asks: a longer one tells something.
_FEW_WORDS: Final = 8
#: Share of the question's information that the sentences of a turn that ask hold at least.
_HELD: Final = 0.3
#: What a turn loses that only asks about what is asked of its speaker: "Should I insure the trip?" tells of no policy.
_ASKED_ONLY: Final = -4.0
_SPEAKING: Final = frozenset({"user", "we"})


def behind_replies(candidates: CandidateTable, rows: Indices, scores: Floats) -> Floats:
    """The change of each score by what users' turns only ask; shape (rows,).

    A turn and the assistant's reply to it exchange their scores where the assistant's words are asked for, and where
    what the turn asks holds more of the question than what it states. What is asked of oneself is told by what one
    stated, in another turn perhaps: there such a turn loses as much as one that states nothing, unless it tells of a
    change.

    Args:
        scores: As far as they are known.
    """
    analysis, moved = candidates.query.analysis, np.zeros(len(rows))
    if not candidates.neighbours or analysis.about_asking:
        return moved
    of_assistant = analysis.asks is Asks.ASSISTANT
    of_oneself = not of_assistant and any(
        PERSONS.get(token.fold) in _SPEAKING for token in tokens(analysis.text)
    )
    places = {row: place for place, row in enumerate(rows.tolist())}
    best: list[int] = np.argsort(-scores, kind="stable")[:_BEST].tolist()
    for place in best:
        row = int(rows[place])
        one = candidates.sketches[row]
        if one.role != "user" or one.type != "episode":
            continue
        if not (of_assistant or _only_asks(candidates, one.content)):
            continue
        if of_oneself:
            moved[place] = 0.0 if changes_told(one.content) or told_anew(one.content) else _ASKED_ONLY
            continue
        reply = int(candidates.neighbours[1][row])
        behind = places.get(reply)
        if behind is None or scores[behind] >= scores[place] or not _states(candidates, reply):
            continue
        gap = scores[place] - scores[behind]
        moved[[place, behind]] += -gap, gap
    return moved


def _states(candidates: CandidateTable, row: int) -> bool:
    """True for a turn of an assistant that states something."""
    one = candidates.sketches[row]
    return candidates.answer[row] > 0 and act_of_text(one.content, one.type, one.role) is Act.STATES


def _only_asks(candidates: CandidateTable, text: str) -> bool:
    """True if brief sentences of a turn that ask hold more of the question than those that state something."""
    known = {token for match in candidates.matches for token in match.tokens}
    asking, stating = _words(text)
    held = _held(candidates, [words for words in asking if len(words - known) <= _FEW_WORDS])
    return held >= _HELD and held > _held(candidates, stating)


@kept(4096)
def _words(text: str) -> tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...]]:
    """The words of each sentence of a turn that asks, and of each of the others that states something."""
    asking = asking_sentences(text)
    stating = [one for one in stated(text) if one not in asking]
    return tuple(frozenset(tokens_of(one)) for one in asking), tuple(
        frozenset(tokens_of(one)) for one in stating
    )


def _held(candidates: CandidateTable, sentences: Sequence[frozenset[str]]) -> float:
    """The share of the question's information that some sentences hold together, of these words each."""
    held, variants = frozenset[str]().union(*sentences), candidates.query.variants
    return max(
        sum(
            weight
            for token, weight in zip(match.tokens, match.weights.tolist(), strict=True)
            if token in held or not held.isdisjoint(variants.get(token, ()))
        )
        for match in candidates.matches
    )
