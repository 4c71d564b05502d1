"""Sentences by which somebody tells the user of the user, as the user says them: du wohnst, Sie wohnen; ich wohne.

The verbs of a statement of the user's are known: only their forms of the second person are read as theirs.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from simonides.language.tables import section, words
from simonides.language.tokens import Shape, folded, tokens

#: Pronouns of who is addressed: a statement of the user's has others.
_ADDRESSES: Final = words("pronouns", among="addressed")
#: Of these, those beside which a verb is polite that would else be of the third person: usted vive.
_POLITE: Final = words("polite", among="addressed")
#: Letters that a verb has at least without its ending.
_LEAST: Final = 2


def as_the_user_says(text: str, statement: str) -> str:
    """A text in which the verbs of a statement of the user's stand as in that, without words for who is addressed.

    The text as it is where it addresses nobody so.
    """
    own = {token.fold for token in tokens(statement) if token.shape is Shape.WORD}
    spoken = tokens(text)
    polite = any(token.fold in _POLITE for token in spoken)
    changed: list[str] = []
    for token in spoken:
        if token.fold in own or token.shape is not Shape.WORD:
            changed.append(token.text)
        elif verb := next((verb for verb in own if _is_form_of(token.fold, verb, polite=polite)), None):
            changed.append(verb)
        elif token.fold not in _ADDRESSES:
            changed.append(token.text)
    return " ".join(changed)


def _is_form_of(form: str, verb: str, *, polite: bool) -> bool:
    """True if a form of the second person is of a verb in the first."""
    endings, polite_endings, irregular = _forms()
    if form in irregular.get(verb, ()):
        return True
    groups = (*endings, *polite_endings) if polite else endings
    for first, *others in groups:
        stem = verb.removesuffix(first)
        if stem != verb and len(stem) >= _LEAST and form.startswith(stem) and form[len(stem) :] in others:
            return True
    return False


@cache
def _forms() -> tuple[list[list[str]], list[list[str]], dict[str, list[str]]]:
    """Endings of the first person, each before those of the second; the same of polite forms; irregular verbs."""
    endings: list[list[str]] = []
    polite: list[list[str]] = []
    irregular: dict[str, list[str]] = {}
    for some in section("addressed"):
        endings += _groups(some.get("endings", ""))
        polite += _groups(some.get("polite_endings", ""))
        for verb, *others in _groups(some.get("irregular", "")):
            irregular.setdefault(verb, []).extend(others)
    return endings, polite, irregular


def _groups(text: str) -> list[list[str]]:
    return [[folded(word) for word in group.split()] for group in text.split("|") if group.strip()]
