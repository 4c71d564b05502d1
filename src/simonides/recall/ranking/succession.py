"""A law of ranking: what tells that something has changed stands before what it changed.

A question about the present has the words of what was so: "When do we fly to Graz?" those of the booking, not those of
"Graz is off". Of two candidates that are about the same, of which the later tells that the earlier is over, put off,
replaced or handed on, or that somebody moved, the later comes first. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from simonides.domain.instant import SECOND_US
from simonides.domain.kept import kept
from simonides.domain.pattern import later
from simonides.domain.text import cjk_runs
from simonides.language.bygone import tells_of_the_past
from simonides.language.common_words import COMMON
from simonides.language.guess import small_han
from simonides.language.matters import matters
from simonides.language.quantities import MONTHS, WEEKDAYS
from simonides.language.search_tokens import tokens_of
from simonides.language.sentences import fold, sentences
from simonides.language.succession import (
    DONE,
    SMALL,
    ChangeKind,
    ToldAnew,
    ToldChange,
    asked_kin,
    asks_of_speaker,
    changes_told,
    is_to_come,
    kin_named,
    kind_asked,
    kinds_apart,
    told_anew,
)
from simonides.language.tables import as_written, worded
from simonides.language.taken_back.wording import HAN_BLANK
from simonides.language.tokens import tokens
from simonides.language.words import DEFINITE, LIGHT, NAMING, NOW, PERSONS, STOP
from simonides.recall.candidates import CandidateTable, Floats, Indices
from simonides.recall.question.analysis import Analysis, Expects, Tense
from simonides.recall.ranking.texts import first_name

#: Best candidates that may be of former days, and those among which what changed them is looked for.
_LEADERS: Final = 6
_LATER: Final = 40
#: What was said within so short a time is of one moment.
_AT_ONCE_US: Final = 60 * SECOND_US
#: What comes before another one is scored so much above it.
_AHEAD: Final = 0.01
#: A word with a capital or a digit, which is likely to be a name.
_NAME: Final = later(r"(?<![^\W_])(?=\S*[A-ZÄÖÜÉА-ЯЁ\d])\w[\w'’.-]*\w")
#: A name that so many of the candidates hold tells none of them from the others.
_COMMON: Final = 8
_DONE: Final = frozenset(tokens_of(" ".join(DONE)))
_SMALL: Final = frozenset(tokens_of(" ".join(SMALL)))
_NO_NAMES: Final = STOP | DEFINITE | PERSONS.keys()
#: Words that have a capital where they begin a sentence: "Now", "Heute".
_OPENING: Final = COMMON | NOW | as_written("no_names", among="capitals")
#: In each sentence about a time: "Seit Mai".
_DAYS: Final = MONTHS.keys() | WEEKDAYS.keys()
#: Blanks and marks that may stand before a sentence.
_MARKS: Final = 4
#: Letters in which two forms of a word for somebody's relation agree.
_ROOT: Final = 4
#: Letters in which forms of the word for a thing agree.
_STEM: Final = 6
#: Further below a former statement stands what has to do with it by chance; and where statements were read closely.
_FAR: Final = 5.0
_FAR_CLOSELY: Final = 14.0
#: The same of one that shares a name with the former statement.
_FAR_NAMED: Final = 8.0
#: Share of what the earlier of two texts without blanks holds of the question that the later holds, too, at least.
_SHARED_SIGNS: Final = 0.2
#: Of texts without blanks so many signs in a row may name something; so much of a text is read.
_SIGNS: Final = 3
_MOST_SIGNS: Final = 120
#: Characters of a statement that a passing remark may end; more tell of much else.
_LONGEST_ENDED: Final = 200
#: Somebody else's words may follow; to tell whose they are takes too long for a search.
_QUOTING: Final = later(r"[\"“”«»„「『>：:\n]")
#: Characters of a question, and of a statement that tells one thing.
_LONGEST: Final = 100
#: What is told of one by a statement of where they live or work.
_TELLING_OF: Final = {ChangeKind.MOVED: "place", ChangeKind.EMPLOYED: "employer"}
_SPEAKING: Final = frozenset({"user", "we"})
_OTHERS: Final = frozenset({"he", "she", "they"})
_ANY: Final = frozenset(
    {ChangeKind.OVER, ChangeKind.PUT_OFF, ChangeKind.REPLACED, ChangeKind.HANDED_ON, ChangeKind.DECIDED}
)
#: Matters of which one has one at a time.
_ONE_AT_A_TIME: Final = frozenset(
    {"partner", "job", "role", "rent", "phone", "car", "doctor", "editor", "school", "bank", "diet"}
)
_THINGS: Final = _ONE_AT_A_TIME - {"partner", "doctor", "role"}
_HELD_BY_NOW: Final = frozenset({ChangeKind.REPLACED, ChangeKind.HANDED_ON})
#: Those of which much else is told, too: "My boss is now Carla".
_TOLD_BY_BECOMING: Final = frozenset({"job", "diet", "school"})
_FIGURE: Final = later(r"\d+(?:[.,:]\d+)*")
#: Changes that bear on an answer of a kind; of others any does.
_BEARING: Final[Mapping[Expects, frozenset[ChangeKind]]] = {
    Expects.TIME: frozenset({ChangeKind.OVER, ChangeKind.PUT_OFF, ChangeKind.DECIDED}),
    Expects.PERSON: frozenset({ChangeKind.REPLACED, ChangeKind.HANDED_ON, ChangeKind.DECIDED}),
    Expects.NUMBER: frozenset({ChangeKind.PUT_OFF, ChangeKind.REPLACED, ChangeKind.DECIDED}),
    Expects.LIST: frozenset(),
    Expects.REASON: frozenset(),
}


def asked_change(analysis: Analysis) -> ChangeKind | None:
    """The change that a question about where somebody lives or works now has to know of; None for other questions."""
    return kind_asked(fold(analysis.text)) if _about_now(analysis) else None


class Succession(NamedTuple):
    """What later statements that tell of a change of an earlier one do to it.

    Attributes:
        gained: What a later one gains; shape (rows,), >= 0.
        successors: By the place of an earlier one among the rows, the place of the last one that seems to answer
            otherwise.
    """

    gained: Floats
    successors: Mapping[int, int]


def succeeding(
    candidates: CandidateTable, rows: Indices, scores: Floats, *, closely: bool = False
) -> Succession:
    """Succession of statements among some candidates.

    Args:
        scores: Of these rows.
        closely: The statements were read closely.
    """
    analysis = candidates.query.analysis
    if len(rows) > 1 and _about_before(analysis):
        return Succession(_preceding(candidates, rows, scores), {})
    if len(rows) < 2 or not _about_now(analysis) or not _BEARING.get(analysis.expects, _ANY):
        return Succession(np.zeros(len(rows)), {})
    far = _FAR_CLOSELY if closely else _FAR
    search = _Search(candidates, rows, analysis)
    own: list[float] = scores.tolist()
    gained = [0.0] * len(own)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()
    if len({*own}) < len(own):
        order.sort(key=lambda one: (-own[one], search.contents[one]))
    likely: list[int] = (
        np.flatnonzero(candidates.changing[rows]).tolist() if candidates.changing.any() else []
    )
    leaders = order[:_LEADERS]
    oldest = min(search.at[leader] for leader in leaders)
    later = [
        place
        for place in {*order[: _LATER + 1], *likely}
        if (search.kind or search.at[place] - oldest >= _AT_ONCE_US) and search.may_change(place)
    ]
    # The oldest first: of several that tell of one thing the newest ends before the others. Of one instant the words
    # decide: the order in which items came to be stored says nothing.
    later.sort(key=search.contents.__getitem__)
    later.sort(key=search.at.__getitem__)
    reached: dict[int, float] = {}
    successors: dict[int, int] = {}
    single = {leader for leader in leaders if search.tells_one_thing(leader)}
    for place in later:
        stands_behind = place != order[0]
        text = search.contents[place]
        short = len(text) <= _LONGEST_ENDED
        for leader in leaders:
            best = own[leader] + gained[leader]
            behind = best - own[place]
            gains = stands_behind and behind >= 0
            # What is said twice outdates nothing.
            marks = short and leader in single and text != search.contents[leader]
            if not (gains or marks):
                continue
            near = (
                search.kind or behind <= far or (behind <= _FAR_NAMED and search.share_a_name(place, leader))
            )
            changed = near and search.changes(place, leader)
            answered = not changed and behind <= _FAR_NAMED and search.answers_anew(place, leader)
            if (
                marks
                and (answered or (changed and search.outdates(place, leader)))
                and len(_clauses(search.contents[leader])) <= 1
            ):
                successors[leader] = place
            if gains and (changed or answered):
                reached[leader] = max(best, reached.get(leader, best)) + _AHEAD
                gained[place] = reached[leader] - own[place]
                stands_behind = False
    return Succession(np.array(gained), successors)


def _preceding(candidates: CandidateTable, rows: Indices, scores: Floats) -> Floats:
    """Gain of the last home, or employer, that was told before the change to the one of now; as `succeeding`."""
    gained = np.zeros(len(rows))
    search = _Search(candidates, rows, candidates.query.analysis)
    order: list[int] = np.argsort(-scores, kind="stable").tolist()[: _LATER + 1]
    changes = [place for place in order[:_LEADERS] if search.tells_of_asked(place)]
    if not changes:
        return gained
    newest = max(changes, key=search.at.__getitem__)
    formers = [place for place in order if search.held_before(place, newest)]
    if formers:
        last = max(formers, key=lambda place: (search.at[place], scores[place]))
        ahead = max(float(scores[place]) for place in (*changes, *formers))
        # A turn and what was kept of it say the same.
        for place in (one for one in formers if search.contents[one] == search.contents[last]):
            ahead += _AHEAD
            gained[place] = max(0.0, ahead - float(scores[place]))
    return gained


def tells_what_is_asked(candidates: CandidateTable) -> bool:
    """True if a question asks where somebody lives or works, and a candidate tells that they moved there, or joined.

    Where what it changed was archived, nothing that is left has a word of the question.
    """
    if not candidates.changing.any():
        return False
    search = _Search(candidates, np.flatnonzero(candidates.changing), candidates.query.analysis)
    return any(search.tells_of_asked(place) for place in range(int(np.count_nonzero(candidates.changing))))


def _about_now(analysis: Analysis) -> bool:
    """True for a plain question about what holds, or is to come: a long message names much beside what it asks."""
    return (
        len(analysis.text) <= _LONGEST
        and len(sentences(analysis.text)) == 1
        and analysis.tense in {Tense.PRESENT, Tense.FUTURE}
        and analysis.former is None
        and not (analysis.order or analysis.last_session)
    )


def _about_before(analysis: Analysis) -> bool:
    """True for a plain question about where somebody lived or worked before."""
    return (
        len(analysis.text) <= _LONGEST
        and len(sentences(analysis.text)) == 1
        and analysis.former is not None
        and analysis.former.since is None
        and kind_asked(fold(analysis.text)) is not None
    )


class _Search:
    """Looks among the candidates of a question for what tells of a change."""

    def __init__(self, candidates: CandidateTable, rows: Indices, analysis: Analysis) -> None:
        numbers: list[int] = rows.tolist()
        self._sketches = [candidates.sketches[row] for row in numbers]
        #: Instant at which each was said, microseconds, and its words.
        self.at = [sketch.event_at for sketch in self._sketches]
        self.contents = [sketch.content for sketch in self._sketches]
        self._answers: list[float] = candidates.answer[rows].tolist()
        self._now = candidates.query.now
        self._analysis = analysis
        self._folded = fold(analysis.text)
        self.kind = kind_asked(self._folded)
        self._bearing = _BEARING.get(analysis.expects, _ANY)
        self._unspaced = candidates.query.unspaced
        # Whose words they are is asked by the names of senders.
        self._asked_senders = candidates.query.names
        # "In June" means the next one, in whatever tense.
        named = analysis.window
        self._of_later = analysis.tense is Tense.FUTURE or (
            named is not None and not named.start <= self._now < named.end
        )
        self._holding: dict[str, int] = {}

    @cached_property
    def _kin(self) -> str:
        return asked_kin(self._folded)

    @cached_property
    def _of_speaker(self) -> bool:
        return asks_of_speaker(self._folded)

    @cached_property
    def _of_self(self) -> bool:
        """True if a question is about the speaker by a word for them."""
        return not self._asked_names and any(
            PERSONS.get(token.fold) in _SPEAKING for token in tokens(self._folded)
        )

    @cached_property
    def _apart(self) -> frozenset[str]:
        return kinds_apart(self._analysis.text)

    @cached_property
    def _single(self) -> frozenset[str]:
        asked = {matter.name: words for matter, words in matters(self._analysis.text).items()}
        # "Who is my doctor?" asks for nobody's job.
        beside = {"job"} if asked.get("job", frozenset()) <= asked.get("doctor", frozenset()) else set[str]()
        return _single(self._analysis.text) - beside

    @cached_property
    def _asked_names(self) -> frozenset[str]:
        # In German a relation has a capital as a name has: "Wer ist meine Freundin?".
        names = _names(" ".join(self._analysis.names)) - self._asked_senders - {self._kin} - _DONE
        # The verb that begins a question has a capital, too: "¿Vamos a Lisboa?".
        first = _NAME.search(self._analysis.text)
        return names - {_form(first[0])} or names if first else names

    @cached_property
    def _asked(self) -> frozenset[str]:
        # Of whom it is asked tells nothing of what: "у меня".
        terms = [term for term in self._analysis.content_terms if term.casefold() not in PERSONS]
        # Nor does "我的", which whatever anybody says of themselves holds.
        return frozenset(token for token in tokens_of(" ".join(terms)) if not small_han().issuperset(token))

    @cached_property
    def _senders(self) -> frozenset[str]:
        return frozenset(first_name(sketch.sender) for sketch in self._sketches) - {""}

    def may_change(self, place: int) -> bool:
        """True for what the user said up to the time of the question, or an item; a narrative only tells it again."""
        return (
            not self._answers[place]
            and self._sketches[place].type != "narrative"
            and self.at[place] <= self._now
        )

    def changes(self, place: int, leader: int) -> bool:
        """True if a statement tells of a change of what a leader said before it, or answers where that cannot."""
        one, other = self._sketches[place], self._sketches[leader]
        earlier = one.event_at - other.event_at < _AT_ONCE_US
        if (earlier and (self.kind is None or self._may_answer(leader))) or one.sender != other.sender:
            return False
        if self._asked_senders and first_name(one.sender) not in self._asked_senders:
            return False
        if not earlier and (
            self._puts_right(one.content, other.content) or self._ends(other.content, one.content)
        ):
            return True
        if self.kind is not None:
            return self.tells_of_asked(place) or self._left(place, leader)
        names = _names(one.content)
        named = (
            self._asked_in(one.content)
            or names & _names(other.content)
            or any(_is_of(name, word) for name in self._asked_names & _names(other.content) for word in names)
        )
        # "我戒烟了" has no word of "我抽烟吗".
        return (
            (bool(named) or self._unspaced)
            and any(
                told.change in self._bearing
                and (told.own or told.kin[:_ROOT] in {"", self._kin[:_ROOT]})
                and not self._is_of_another(told, other.content)
                and self._may_name_one(told)
                and (
                    self._about_same(told, other.content) if named else self._ends_asked(told, other.content)
                )
                for told in changes_told(one.content)
            )
            and not tells_of_the_past(one.content)
        )

    def tells_one_thing(self, place: int) -> bool:
        """True of a short statement, which goes once another one tells otherwise: a turn tells of more.

        A narrative only tells again.
        """
        text = self.contents[place]
        return (
            len(text) <= _LONGEST and self._sketches[place].type != "narrative" and len(sentences(text)) == 1
        )

    def outdates(self, place: int, leader: int) -> bool:
        """True if what tells of a change of a leader makes it a statement of former days."""
        if self.kind is not None:  # What cannot answer stands behind, and may hold all the same.
            return self.held_before(leader, place)
        former = self.contents[leader]
        if self._of_speaker and not self._is_of_asked_kin(former):
            return False
        if not kinds_apart(former) <= self._apart | kinds_apart(self.contents[place]):
            return False
        bearing = [told for told in changes_told(self.contents[place]) if told.change in self._bearing]
        # "Finalement c'est pas mal, Lyon" decides nothing.
        if bearing and all(
            told.change is ChangeKind.DECIDED and not self._answers_otherwise(told.sentence, former)
            for told in bearing
        ):
            return False
        return self.at[place] - self.at[leader] >= _AT_ONCE_US

    def share_a_name(self, place: int, leader: int) -> bool:
        """True if two statements hold a name that few others do, and of which the question asks nothing."""
        shared = _names(self.contents[place]) & _names(self.contents[leader]) - self._asked_names
        return any(self._count(name) <= _COMMON for name in shared)

    def _ends_asked(self, told: ToldChange, former: str) -> bool:
        """True if a change ends what a question and a former text without blanks name, or whom they do: 戒烟, 分手."""
        ended = self._held_of(told.former, former)
        return any(
            sign in self._folded or (self._kin != "" and bool(self._asked_in(former))) for sign in ended
        )

    def _ends(self, former: str, text: str) -> bool:
        """True if a text tells that what a former one says of what is asked is over: "the baby's here!"."""
        from simonides.language.ended import ended, may_end_something  # noqa: PLC0415 - few statements need it

        if self._kin or self._asked_senders or self._asked_names or not self._of_speaker:
            return False
        if len(former) > _LONGEST_ENDED:
            return False
        if (len(former) > _LONGEST and not self._asked_in(former)) or _QUOTING.search(text):
            return False
        if not may_end_something(text):
            return False
        if self.kind is not None and all(change.change is not self.kind for change in changes_told(text)):
            return False  # "I left the studio" tells nothing of a home.
        part = ended(former, text)
        return bool(part) and (bool(self._asked_in(part)) or len(former) <= len(part) + _SIGNS)

    def answers_anew(self, place: int, leader: int) -> bool:
        """True if a statement tells another answer by now than a leader, of what the speaker has one of at a time.

        "I'm dating Oscar now" and "My partner is Lena" are of one matter; "My rent is now 845" has the question's word.
        """
        one, other = self._sketches[place], self._sketches[leader]
        if one.sender != other.sender or one.event_at - other.event_at < _AT_ONCE_US:
            return False
        # In German whatever is asked for has a capital.
        if self._asked_senders or not self._of_speaker or not all(map(matters, self._asked_names)):
            return False
        known = _single(other.content) & self._single
        if not (known & _single(one.content) or self._asked_of(one.content) & self._asked_of(other.content)):
            return False
        if not self._is_of_asked_kin(other.content) or kinds_apart(other.content) != self._apart:
            return False
        return any(
            self._is_about(told, other.content, known & _single(told.sentence))
            and kinds_apart(told.sentence) == self._apart
            and self._is_of_speaker(told, other.content)
            and not tells_of_the_past(told.sentence)
            for told in told_anew(one.content)
        )

    def _is_of_another(self, change: ToldChange, former: str) -> bool:
        """True if a question is about the speaker, and a change tells by now of another, or of another kind of thing.

        "Ana's rent is now 900", "My dentist is now Dr Klein".
        """
        return (
            change.change in _HELD_BY_NOW
            and self._of_self
            and any(
                not (told.become or self._is_of_speaker(told, former))
                or kinds_apart(told.sentence) != self._apart
                for told in told_anew(change.sentence)
            )
        )

    def _may_name_one(self, told: ToldChange) -> bool:
        """True unless a person is asked for, and what tells how something is by now names nobody else."""
        return (
            self._analysis.expects is not Expects.PERSON
            or told.change not in _HELD_BY_NOW
            or not told_anew(told.sentence)
            or any(not name[0].isdigit() for name in self._answering(told.sentence))
            or kin_named(told.sentence) != ""
            or self._unspaced
        )

    def _is_about(self, told: ToldAnew, former: str, common: AbstractSet[str]) -> bool:
        """True if a sentence is about what a question and a former text are about, and tells another answer.

        Args:
            common: Matters of all three of which one has one at a time.
        """
        held = self._asked_of(former) - _DONE
        asked = bool(held) and held <= self._asked_of(told.sentence)
        if told.new:
            asked = asked and bool(self._asked_of(told.new))
            common &= _single(told.new)
        if told.become and not common.isdisjoint(_TOLD_BY_BECOMING):
            # "I got promoted" tells what somebody is, and not where.
            where = self.kind is not None and self._analysis.expects is Expects.PLACE
            return not where or self._answers_otherwise(told.sentence, former)
        return (
            self.kind is None  # "I take the train to work now."
            and (asked or bool(common - _TOLD_BY_BECOMING))
            and self._answers_otherwise(told.sentence, former)
        )

    def _is_of_speaker(self, told: ToldAnew, former: str) -> bool:
        """True unless a sentence is about another one by relation, pronoun, or a name before what tells a change."""
        if not self._is_of_asked_kin(told.sentence):
            return False
        if any(PERSONS.get(token.fold) in _OTHERS for token in tokens(told.before)):
            return False
        if any(PERSONS.get(token.fold) in _SPEAKING for token in tokens(told.sentence)):
            return True
        if self._unspaced:
            return not self._begins_with_another(told.sentence, former)
        known = fold(former)
        return all(
            name.isdigit()
            or name in DEFINITE | NOW | STOP
            or name in self._folded
            or name in known
            or matters(name)
            for name in map(fold, _NAME.findall(told.sentence[: len(told.before)]))
        )

    def _is_of_asked_kin(self, text: str) -> bool:
        """True if a text names the relation of whom a question asks: none, or that of "Who is my sister's doctor?"."""
        kin = kin_named(text)
        if self._kin and not (self._single and self._single <= _beside(self._kin)):
            return kin[:_ROOT] == self._kin[:_ROOT]
        # "My landlord raised the rent", and not "My boss has a new job".
        of_matter = self._single & _beside(kin) - _TOLD_BY_BECOMING
        return not kin or kin[:_ROOT] == self._kin[:_ROOT] or bool(of_matter)

    def _answers_otherwise(self, text: str, former: str) -> bool:
        """True if two texts hold figures, or names, neither of the question nor the same: what answers it."""
        some, others = self._answering(text), self._answering(former)
        new, old = some - others, others - some
        # "My partner is now 40" answers another question than "My partner is Lena".
        figures = all(name[0].isdigit() for name in new)
        return bool(new) and bool(old) and (not figures or any(name[0].isdigit() for name in old))

    def _answering(self, text: str) -> frozenset[str]:
        """Names and figures in a text that may answer the question."""
        expects = self._analysis.expects
        figures = frozenset(_FIGURE.findall(text))
        # What a rent is, is a figure, however it is asked.
        if expects is Expects.NUMBER or (expects is Expects.OTHER and "rent" in self._single):
            return figures
        names = _names(text) - _names(self._analysis.text)
        if expects is Expects.PERSON:
            return names - figures
        return names | figures if expects is Expects.TIME else names

    def _puts_right(self, text: str, former: str) -> bool:
        """True if a text denies by name what a former one says of what is asked: "I'm not at Acme but at OVH"."""
        from simonides.language.clauses import clauses  # noqa: PLC0415 - few questions need it
        from simonides.language.corrected_name import corrected_by_name  # noqa: PLC0415

        correction = corrected_by_name(former, text)
        if correction is None:
            return False
        told = clauses(former)
        # What the rest of the former one says still answers.
        return len(told) <= 1 or any(
            {token.text for token in tokens(correction.old)} <= {token.text for token in clause.tokens}
            and self._asked_in(" ".join(token.text for token in clause.tokens))
            for clause in told
        )

    def _may_answer(self, place: int) -> bool:
        """True if a statement has a word of the question, or tells what it asks of anybody."""
        from simonides.language.contradiction import told_of_one  # noqa: PLC0415 - few questions need it

        content = self._sketches[place].content
        return (
            bool(self._asked_in(content))
            or any(
                self.kind is not None and told == _TELLING_OF[self.kind] for told, _ in told_of_one(content)
            )
            or any(one.change is self.kind for one in changes_told(content))
        )

    def tells_of_asked(self, place: int) -> bool:
        """True if a statement tells that somebody of whom the question asks moved, or works elsewhere."""
        return self.may_change(place) and any(
            told.change is self.kind
            and self._is_of_asked(told)
            and (self._of_later or not is_to_come(told, self.at[place], self._now))
            and not tells_of_the_past(self.contents[place])
            for told in changes_told(self._sketches[place].content)
        )

    def held_before(self, place: int, change: int) -> bool:
        """True if a statement tells where the one of whom the question asks lived, or worked, before a change."""
        from simonides.language.contradiction import told_of_one  # noqa: PLC0415 - few questions need it

        one, other = self._sketches[place], self._sketches[change]
        if (
            self.kind is None
            or not self.may_change(place)
            or one.sender != other.sender
            or other.event_at - one.event_at < _AT_ONCE_US
            or _names(one.content) & _names(other.content) - self._asked_names
        ):
            return False
        who = [persons for role, persons in told_of_one(one.content) if role == _TELLING_OF[self.kind]]
        if self._asked_names:
            return bool(who) and self._asked_names <= _names(one.content)
        of_speaker = any(persons <= _SPEAKING for persons in who)
        return self.tells_of_asked(place) or (of_speaker and self._of_speaker and not self._kin)

    def _left(self, place: int, leader: int) -> bool:
        """True if a statement tells that the speaker gave up what a leader names as their work: "I quit Tesco"."""
        former = self._sketches[leader].content
        return (
            self.kind is ChangeKind.EMPLOYED
            and (
                self._may_answer(leader)
                or any(NAMING.get(word.stem) == "employer" for word in tokens(former))
            )
            and any(
                told.change is ChangeKind.OVER
                and told.own
                and self._of_speaker
                and (self._about_same(told, former) or self._is_of_work(told, former))
                for told in changes_told(self._sketches[place].content)
            )
        )

    def _is_of_work(self, told: ToldChange, former: str) -> bool:
        """True if what was given up is named where somebody works: "I quit the plant"."""
        things = _words(told.thing) - _SMALL
        return bool(things) and not self._unspaced and things <= _words(former)

    def _is_of_asked(self, told: ToldChange) -> bool:
        """True if it is of the person of whom the question asks: the speaker, somebody of theirs, or one by name."""
        if self._asked_names:
            return self._asked_names <= _names(told.sentence)
        if self._kin:
            return told.kin[:_ROOT] == self._kin[:_ROOT]
        return told.own and self._of_speaker

    def _about_same(self, told: ToldChange, former: str) -> bool:
        """True if a change is of what a former text is about: what the question names, else what that names."""
        if self._of_another_thing(told, former):
            return False
        names, named = _names(former), _names(told.sentence)
        if (
            told.change is ChangeKind.OVER
            and not told.own
            and self._begins_with_another(told.sentence, former)
        ):
            return False
        if asked := self._asked_names & names:
            # "Der Bodensee-Urlaub" is about the Bodensee, and so is "die Schwedenreise" about Schweden.
            return all(any(_is_of(name, one) for one in named) for name in asked)
        held = self._asked_in(former)
        shared = self._asked_in(told.sentence) & held
        matter = held - _DONE or held
        alike = matter <= shared or (self._unspaced and len(shared) >= _SHARED_SIGNS * len(held))
        if alike and any(self._count(word) <= _COMMON for word in shared):
            return True
        if shared and any(self._count(word) <= _COMMON for word in self._held_of(told.former, former)):
            return True
        # "Ana has quit smoking" is about a sister, and not about her name.
        of_somebody = told.change is ChangeKind.OVER and not told.own and kin_named(former)
        if of_somebody and self._is_another_thing(told, former):
            return False
        return any(
            self._count(name) <= _COMMON and self._asked_beside(name, former)
            for name in (names & named) - self._asked_names
        )

    def _asked_beside(self, name: str, former: str) -> bool:
        """True if a text tells one thing, or a word of the question beside a name: others of it tell something else."""
        told = _clauses(former)
        return len(told) <= 1 or any(name in _names(clause) and self._asked_in(clause) for clause in told)

    def _begins_with_another(self, sentence: str, former: str) -> bool:
        """True of a sentence about somebody whom neither the question names nor a former text."""
        if self._unspaced:
            somebody = _SOMEBODY.match(sentence)
            return somebody is not None and somebody[0] not in former + self._analysis.text
        first = _names(sentence.partition(" ")[0]) - DEFINITE - LIGHT
        return bool(first) and first.isdisjoint(_names(former) | self._asked_names)

    def _of_another_thing(self, told: ToldChange, former: str) -> bool:
        """True if what is handed on, or replaced where a person is asked for, is neither asked nor told of before."""
        asked = told.change is ChangeKind.HANDED_ON or self._analysis.expects is Expects.PERSON
        return asked and self._is_another_thing(told, former)

    def _is_another_thing(self, told: ToldChange, former: str) -> bool:
        """True if what changed is named, and neither asked about nor told of before."""
        if self._unspaced:
            return bool(told.thing) and not (
                self._asked_in(told.thing) or _names(told.thing) & _names(former)
            )
        # In Russian a thing has another ending in each case.
        asked = {word[:_STEM] for word in self._asked | _words(former)}
        things = {word[:_STEM] for word in _words(told.thing)}
        return bool(things) and things.isdisjoint(asked)

    def _held_of(self, named: str, former: str) -> frozenset[str]:
        """Words that a change names as what was so, as far as a former text holds them and the question does not."""
        if self._unspaced:
            return frozenset(sign for sign in named.split() if sign in former.casefold())
        return (_words(named) & _words(former)) - self._asked - _SMALL

    def _asked_in(self, text: str) -> frozenset[str]:
        """The words of the question that a text holds; of texts without blanks the pairs of signs."""
        if self._unspaced:
            return frozenset(pair for pair in self._asked if pair in text)
        return self._asked & _words(text)

    def _asked_of(self, text: str) -> frozenset[str]:
        """The words of the question that a text holds; none of one without blanks: a pair of signs tells too little."""
        return frozenset() if self._unspaced else self._asked_in(text)

    def _count(self, name: str) -> int:
        """Number of candidates that hold a word, or a name; of whoever speaks here, more than tell anything."""
        if any(sender.startswith(name) for sender in self._senders):
            return len(self._sketches) + _COMMON
        if name not in self._holding:
            self._holding[name] = sum(name in sketch.content.casefold() for sketch in self._sketches)
        return self._holding[name]


@kept(4096)
def _single(text: str) -> frozenset[str]:
    """Matters of a text of which one has one at a time, of work that and what one is there.

    Somebody who has to do with a thing is not the thing: a landlord is no rent, nor is a flatmate the landlord.
    """
    told = matters(text)
    # "My cat is called Biscuit" is of no phone.
    naming = {word for matter, words in told.items() if matter.name == "naming" for word in words}
    names = frozenset(
        matter.name
        for matter, words in told.items()
        if matter.name in _ONE_AT_A_TIME
        and not words <= naming
        and not (matter.name in _THINGS and all(map(kin_named, words)))
    )
    return names | {"job"} if "role" in names else names


@kept(4096)
def _beside(kin: str) -> frozenset[str]:
    """Matters that somebody has to do with: the landlord with the rent."""
    return frozenset(matter.name for matter in matters(kin)) & _ONE_AT_A_TIME


#: Whom a sentence begins with, in a language without blanks.
_SOMEBODY: Final = worded("changes", "{han_somebody}")


@kept(4096)
def _names(text: str) -> frozenset[str]:
    """Words of a text that may be names, in one form each; of one without blanks every three signs."""
    found = {
        _form(name)
        for word in _NAME.finditer(text)
        if (name := _without_article(word[0]))
        and not (name.casefold() in _OPENING and _opens(text, word.start()))
        and name.casefold() not in _DAYS
    }
    for run in cjk_runs(text[:_MOST_SIGNS]):
        found |= {run[start : start + _SIGNS] for start in range(len(run) - _SIGNS + 1)}
    return frozenset(found)


def _opens(text: str, start: int) -> bool:
    """True if a sentence begins at a place of a text, and with it a capital."""
    before = text[max(0, start - _MARKS) : start].rstrip(" \"'“„«(¡¿*-")
    return not before or before[-1] in ".!?…:\n"


def _without_article(word: str) -> str:
    """A word with a capital without what is joined to it, "L'Aquila"; nothing for "The" or "I'm": they name nobody."""
    first, mark, name = word.replace("’", "'").partition("'")
    if first.casefold() not in _NO_NAMES:
        return word
    return name if mark and name[:1].isupper() else ""


def _form(name: str) -> str:
    """A name without its ending: in Russian it has one for each case."""
    name = name.casefold().removesuffix("'s").removesuffix("’s")
    return name[:_ROOT] if "\u0400" <= name[0] <= "\u04ff" else name


def _clauses(text: str) -> list[str]:
    """Pieces of a text, one for each statement in it, as they are written but for their blanks."""
    from simonides.language.clauses import clauses  # noqa: PLC0415 - few questions need it

    return [HAN_BLANK.sub("", " ".join(token.text for token in clause.tokens)) for clause in clauses(text)]


def _is_of(name: str, named: str) -> bool:
    """True of a name and of a word that is made of it and another: Bodensee-Urlaub, Schwedenreise."""
    return name in named.split("-") or (len(name) >= _STEM and named.startswith(name))


@kept(4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(tokens_of(text))
