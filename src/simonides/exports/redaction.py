"""Redaction of texts that go to others: e-mail addresses, paths, hosts, ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from simonides.domain.ids import id_named
from simonides.errors import InvalidInput

#: Scripts that put no blank between a name and the words around it.
_CLOSE: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
#: A letter or digit that would go on with a name. Not the underscore: Markdown sets it around what it stresses.
_LETTER: Final = rf"[^\W_{_CLOSE}]"
_EMAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
#: A name within a path; one with spaces is followed by another name, or ends like a file.
_STEP: Final = (
    r"(?:[\w.@+-]+(?: [\w.@+-]+){0,6}(?=[\\/])|[\w.@+-]+(?: [\w@+-]+){0,4}\.\w{1,8}\b|[\w.@+-]*[\w@+-])"
)
#: Goes on with an address; the sentence may end behind it.
_REST: Final = r"""[^\s"'<>)\]}]*(?<![.,;:!?])"""
_PATH: Final = re.compile(
    rf"(?<!{_LETTER})(?<![+.-])(?:file:/{{1,3}}(?=[\w~.])|[A-Za-z][\w+.-]{{1,20}}:///){_REST}"
    # Behind a colon too, as in lists of folders, but not within the address of a page.
    # Beside the scripts without blanks only what has two steps in ASCII: a slash may stand between their words.
    rf"|(?:(?<![\w./])|(?<=(?<!\w)_)|(?<=(?<!\w)__)|(?<=[{_CLOSE}])(?=~?[\\/][!-.0-9:-~]+[\\/][!-~]|[A-Za-z]:))(?<!:(?=//))"
    rf"(?:~|(?:[A-Za-z]:)?(?=[\\/]))(?:[\\/]{_STEP}){{1,40}}[\\/]?|\\\\[\w.-]+(?:\\[\w.$-]+)+"
)
_GROUP: Final = "[0-9a-f]{1,4}"
_FOUR: Final = r"(?:\d{1,3}\.){3}\d{1,3}"
#: An address of IPv6: eight groups, or fewer around two colons; the last two may be four numbers.
_IPV6: Final = (
    rf"(?:(?:{_GROUP}:){{6}}(?:{_FOUR}|{_GROUP}:{_GROUP})"
    rf"|(?:{_GROUP}(?::{_GROUP}){{0,6}})?::(?:(?:{_GROUP}:){{0,5}}{_FOUR}|(?:{_GROUP}(?::{_GROUP}){{0,6}})?))"
    r"(?:%[\w.-]{1,20})?"
)
_HOST: Final = re.compile(
    rf"(?<!{_LETTER})(?:https?|ssh|ftp|wss?|postgres(?:ql)?|redis|mongodb)://(?:[^\s\"'<>)\]}}@/]*@)?(?:\[{_IPV6}\]"
    r"[^\s\"'<>)\]}]*|[^\s\"'<>)\]}]+)"
    rf"|(?<!{_LETTER})(?<![+.-])[a-z][\w+.-]{{1,20}}://(?=[\w%\[])(?:[^\s\"'<>)\]}}@/]*@)?(?:\[{_IPV6}\])?{_REST}"
    # Not the step of a slice; and outside brackets with a digit: names of Perl have colons too.
    rf"|(?<!{_LETTER})(?<![)\]])\[{_IPV6}\](?::\d+)?"
    rf"|(?<!{_LETTER})(?<!\.)(?<![0-9a-f:]:)(?<![\w)\]]\[)(?=[a-f:]*\d){_IPV6}(?!{_LETTER}|[.:][\w:])"
    rf"|(?<!{_LETTER})(?<![.@-]){_FOUR}(?::\d+)?(?!{_LETTER}|\.\w)"
    rf"|(?<!{_LETTER})(?<![.@/-])(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.){{1,6}}"
    r"(?:com|net|org|io|dev|app|ai|edu|gov|local|internal|lan|corp|test|example|de|fr|es|pt|it|nl|uk|us|ru|cn|jp|br|in)"
    rf"(?::\d+)?(?![_.-]*{_LETTER})",
    re.IGNORECASE,
)
_UUID: Final = re.compile(
    rf"(?<!{_LETTER})[0-9a-f]{{8}}-(?:[0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}}(?!{_LETTER})", re.IGNORECASE
)
#: What can be left out, each by the pattern of it and what stands in its place.
_REPLACED: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "emails": (_EMAIL, "[e-mail]"),
    "hosts": (_HOST, "[host]"),
    "paths": (_PATH, "[path]"),
}
LEVELS: Final = (*_REPLACED, "ids")
#: Fields by which a copy tells one from another: what is left out of them is replaced by a name of its own.
_NAMES: Final = frozenset(
    {"scope", "session_id", "task_id", "narrative_id", "corpus_id", "rule_id", "name", "aliases", "entities"}
)


def levels_of(given: Sequence[str]) -> tuple[str, ...]:
    """Kinds of text to leave out; `all` for everything.

    Raises:
        InvalidInput: A level is unknown.
    """
    if not isinstance(given, list | tuple | set | frozenset):
        raise InvalidInput(f"levels are a list, such as ['emails']; there are {', '.join(LEVELS)}, all")
    if unknown := [level for level in given if level not in (*LEVELS, "all")]:
        raise InvalidInput(
            f"nothing is called {unknown[0]!r} to be redacted; there are {', '.join(LEVELS)}, all"
        )
    return LEVELS if "all" in given else tuple(level for level in LEVELS if level in given)


def redactor(levels: Sequence[str], salt: str) -> Callable[[Any], Any]:
    """A function that leaves these out of a JSON value, in every text of it.

    Args:
        salt: Ids, and what is left out of the names of scopes, sessions and entities, are replaced by others that
            follow from it: the same one by the same one, and none can be told.
    """

    def new_id(former: str) -> str:
        return id_named(f"{salt}\n{former}")

    def text(value: str) -> str:
        for level in levels:
            if level != "ids":
                pattern, instead = _REPLACED[level]
                value = pattern.sub(instead, value)
        return _UUID.sub(lambda match: new_id(match[0].lower()), value) if "ids" in levels else value

    def name_of(value: str) -> str:
        """A name, each of its parts between slashes by itself."""
        return "/".join(map(part_of, value.split("/")))

    def part_of(value: str) -> str:
        for level in levels:
            if level != "ids":
                pattern, instead = _REPLACED[level]
                label = instead.strip("[]")
                value = pattern.sub(lambda match, of=label: f"{of}-{new_id(match[0])[:8]}", value)
        return text(value)

    def redacted(value: Any, plain: Callable[[str], str] = text) -> Any:
        match value:
            case str():
                return plain(value)
            case Mapping():
                fields = cast("Mapping[str, Any]", value)
                # The source of a record is its address.
                names = _NAMES | {"source_id"} if fields.get("type") == "record" else _NAMES
                return {
                    part_of(name): redacted(one, name_of if name in names else plain)
                    for name, one in fields.items()
                }
            case list() | tuple():
                return [redacted(one, plain) for one in cast("Sequence[Any]", value)]
            case _:
                return value

    return redacted if levels else lambda value: value
