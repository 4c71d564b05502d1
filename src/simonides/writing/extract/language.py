"""Wordings of statements in a language, read from `languages/*.toml` when first asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from simonides.domain.pattern import factored
from simonides.language.tables import alternatives
from simonides.language.tables import table as own
from simonides.packaged import compiled, toml
from simonides.values import dataclass

_FOLDER: Final = resources.files(__package__ or "") / "languages"

#: Long patterns stand on several lines; breaks and what indents them are no part of them.
_BREAK: Final = re.compile(r"\n\s*")
_FIGURE: Final = re.compile(r"\d")
_PIECE: Final = re.compile(r"\{(?:([a-z_]+)\.)?([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class StatementForm:
    """One way of stating something of a type.

    Attributes:
        pattern: Matched at the beginning of a clause, without what opens it ("by the way, …").
        passing: Whether it is said of the moment just as often: then words such as "right now" speak against it.
        whole: Whether it takes the rest of the sentence, clauses and all.
    """

    type: str
    pattern: re.Pattern[str]
    passing: bool
    whole: bool


@dataclass(frozen=True, slots=True)
class Examples:
    """Sentences that show what a group of forms is for.

    Attributes:
        stated: Each is one statement of the type.
        not_stated: Look alike and are none.
    """

    type: str
    stated: Sequence[str]
    not_stated: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Wordings of statements, and what looks like one and is none; `languages/README.md` tells more.

    Attributes:
        parts: Where a sentence falls into clauses; the clause begins behind the match.
        openers: What stands before a statement and says nothing.
        corrects: Openers that announce a correction.
        inner: Leads to a statement within a clause: "my boss is sure that I …"; with a group where it is one of the
            speaker's beyond doubt.
        inverting: What stands before a verb that goes before its subject, the verb, and the subject.
        verb_last: What is asked to be remembered, the `verb` behind all else, its `subject` and the `rest`.
        company: The subject at the beginning of a clause where the speaker is one of several: "my wife and I".
        alone: Subjects in the stead of that one, with which its clause may have a form.
        sharing: Two things told of one `subject`: what is `told` with it, and the `rest` behind it.
        ended: A clause that says that something is so no more; what was so is in its groups.
        beside: What is `told`, and the `rest` that is told of somebody else, who is named.
        tails: What trails behind one.
        remember: Begins what is asked to be remembered; the rest is kept whatever it says.
        no_memory: Begins the rest where something else is asked for: to remember a time, a way, a person.
        asks: Begins a clause that asks for something.
        aside: Begins a clause that tells something all the same behind one that asks: "…, since I'm vegan?".
        addressed: In a clause that says something to the listener; it is no part of what is stated before it.
        unsaid: In a sentence that claims nothing: conditions, guesses, examples, others' words.
        joke: In a sentence that is not meant in earnest.
        takes_back: Says so of what was said right before it.
        circumstance: Tells at the beginning of a sentence when, since when or why the statement behind it holds.
        passing: Holds for the moment only.
        meanwhile: In a statement of who somebody is: it holds for so long only.
        dependent: Begins a clause that says of what only the words before it tell: "…, the new deadline is 13 March".
        conditional: Says on what it depends that something planned happens.
        hedge: The speaker is not sure.
        plainly: What in a clause may be worded so, each with how it is worded plainly: in another order,
            as people spell in a hurry. A clause is known by its plain wording, too, and kept as it was said.
        joints: Between what is stated and a request behind it.
        requests: Begins what the listener is asked or told to do, behind a joint or at the beginning of a sentence.
        reason: In such a request: what is behind it states something.
        sarcasm: Says of its sentence and of those behind it that they are not meant.
        dropped: What a sentence may begin with where it leaves out its subject, each behind that subject.
        wishes: Begins a question that is a wish for good: "Can you always …?"
        pronoun: Begins a clause that tells of a person who was named before.
        person: Names one; the group of that name is what is said before the clause.
        stand_in: In the stead of such a pronoun, where the forms of statements are looked for.
        forms: Tried in this order.
    """

    parts: re.Pattern[str]
    openers: re.Pattern[str]
    corrects: re.Pattern[str]
    tails: re.Pattern[str]
    remember: re.Pattern[str]
    no_memory: re.Pattern[str]
    asks: re.Pattern[str]
    addressed: re.Pattern[str]
    unsaid: re.Pattern[str]
    joke: re.Pattern[str]
    takes_back: re.Pattern[str]
    circumstance: re.Pattern[str]
    passing: re.Pattern[str]
    meanwhile: re.Pattern[str]
    dependent: re.Pattern[str]
    beside: re.Pattern[str]
    conditional: re.Pattern[str]
    hedge: re.Pattern[str]
    full_stop: str
    company: re.Pattern[str]
    alone: Sequence[str]
    forms: Sequence[StatementForm]
    examples: Sequence[Examples]
    plainly: Sequence[tuple[re.Pattern[str], str]] = ()
    aside: re.Pattern[str] | None = None
    inner: re.Pattern[str] | None = None
    inverting: re.Pattern[str] | None = None
    verb_last: re.Pattern[str] | None = None
    sharing: re.Pattern[str] | None = None
    ended: re.Pattern[str] | None = None
    joints: re.Pattern[str] | None = None
    requests: re.Pattern[str] | None = None
    reason: re.Pattern[str] | None = None
    sarcasm: re.Pattern[str] | None = None
    wishes: re.Pattern[str] | None = None
    pronoun: re.Pattern[str] | None = None
    person: re.Pattern[str] | None = None
    stand_in: str = ""
    dropped: Sequence[tuple[str, re.Pattern[str]]] = ()

    def form_of(self, clause: str, *, whole: bool) -> StatementForm | None:
        """The form that a clause has, if it says something lasting."""
        # What is so no more is of the type of what was: "Je ne suis plus infirmière", "Я больше не живу в …".
        over = self.ended.match(clause) if self.ended else None
        readings = ["".join(part or "" for part in over.groups()), clause] if over else [clause]
        plain = clause
        for worded, plainly in self.plainly:
            plain = worded.sub(plainly, plain)
        if plain != clause:
            readings.append(plain)
        if jointly := self.company.match(clause):
            readings += (f"{subject}{clause[jointly.end() :]}" for subject in self.alone)
        fits = (
            form
            for reading in readings
            for form in self.forms
            if form.whole is whole and form.pattern.match(reading)
        )
        form = next(fits, None)
        if form is None or (form.passing and self.passing.search(clause)):
            return None
        # "I'm 34 today" holds tomorrow, too.
        passes = form.type == "identity" and self.meanwhile.search(clause) and not _FIGURE.search(clause)
        return None if passes else form


@cache
def codes() -> frozenset[str]:
    """Codes of the languages that have a file."""
    return frozenset(
        file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml")
    )


@cache
def wordings(code: str) -> Language:
    """The wordings of one of `codes`."""
    table = toml(_FOLDER / f"{code}.toml")
    pieces = {"legend": alternatives("framing", "legend")}

    def joined(pattern: str) -> str:
        """A pattern on one line, with its pieces in their places."""
        return _PIECE.sub(
            lambda piece: joined(own(code, piece[1])[piece[2]]) if piece[1] else pieces[piece[2]],
            _BREAK.sub("", f"\n{pattern}"),
        )

    def pattern_of(expression: str) -> re.Pattern[str]:
        return compiled(joined(expression), re.IGNORECASE)

    for piece, pattern in table["pieces"].items():
        pieces[piece] = joined(pattern)
    groups: list[dict[str, Any]] = table["forms"]
    return Language(
        full_stop=table["full_stop"],
        alone=tuple(table["alone"]),
        plainly=tuple((pattern_of(pattern), plain) for pattern, plain in table.get("plainly", ())),
        stand_in=table.get("stand_in", ""),
        dropped=tuple((one["subject"], pattern_of(one["begins"])) for one in table.get("dropped", ())),
        forms=tuple(
            StatementForm(
                group["type"],
                pattern_of(pattern),
                group.get("passing", False),
                group.get("whole", False),
            )
            for group in groups
            for pattern in group["patterns"]
        ),
        examples=tuple(Examples(group["type"], group["stated"], group["not_stated"]) for group in groups),
        **{
            mark: compiled(factored(joined(pattern)), re.IGNORECASE)
            for mark, pattern in table["marks"].items()
        },
    )
