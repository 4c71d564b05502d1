"""Text of a page of HTML, with its headings as those of Markdown, and where each line of it stands in the source."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import islice
from typing import Final, NamedTuple

from simonides.documents.chunking import as_plain
from simonides.domain.pattern import later

_UNSEEN: Final = frozenset({
    "script", "style", "template", "noscript", "svg", "head", "iframe", "object", "datalist",
})  # fmt: skip
#: The way about a site, and what is pressed: seen, and no part of what a page says.
_CONTROLS: Final = frozenset({"nav", "button", "select"})
#: Begins the matter of a page, whatever was left open before it.
_MATTER: Final = frozenset({"main", "article"})
_LEVELS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCKS: Final = frozenset({
    "address", "article", "aside", "blockquote", "br", "caption", "dd", "details", "dialog", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "legend", "main", "ol", "p", "pre",
    "section", "summary", "table", "tr", "ul", *_LEVELS,
})  # fmt: skip
_VOID: Final = frozenset({
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link", "meta", "param", "source",
    "track", "wbr",
})  # fmt: skip
#: What a browser does not show, whatever a page's sheets say.
_CONCEALING: Final = later(
    r"(?:display:none|visibility:(?:hidden|collapse)|font-size:(?:0+\.?0*|\.0+)(?:[a-z]+|%)?)\s*(?:!\s*important)?"
)
_COMMENT: Final = later(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
#: What ends by itself where another one of its kind begins, and what that is looked for in.
_PARAGRAPH_ENDS: Final = _BLOCKS - {"br", "caption", "dd", "dt", "legend", "tr"} | {"menu", "nav"}
_WITHIN: Final = _PARAGRAPH_ENDS - {"div", "p", "address"} | {"table", "td", "th", "button"}
_ENDED_BY: Final = {
    "li": (frozenset({"li"}), _WITHIN),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), _WITHIN)),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), frozenset({"tr", "table"}))),
    "tr": (frozenset({"tr"}), frozenset({"table"})),
    **dict.fromkeys(
        ("thead", "tbody", "tfoot"), (frozenset({"thead", "tbody", "tfoot"}), frozenset({"table"}))
    ),
    "body": (frozenset({"head"}), frozenset[str]()),
    **dict.fromkeys(
        _PARAGRAPH_ENDS, (frozenset({"p"}), frozenset({"button", "object", "td", "th", "table"}))
    ),
}
#: Nothing where there is no table.
_OF_TABLES: Final = frozenset({"tr", "td", "th"})
#: So far within one another what ends by itself is looked for; browsers nest no deeper.
_DEEPEST: Final = 512


def markdown_of(page: str) -> tuple[str, list[int]]:
    """The text of a page without its controls, and of each line of it the number that it has in the source."""
    parser = _Seen()
    parser.feed(page)
    parser.close()
    return "\n".join(map(_line, parser.rows)), [row.number for row in parser.rows]


class _Row(NamedTuple):
    """Parts of a line, and its number in the source."""

    number: int
    parts: list[str]
    is_heading: bool = False


def _line(row: _Row) -> str:
    text = " ".join("".join(row.parts).split())
    return text if row.is_heading else as_plain(text)


class _Element(NamedTuple):
    """An element that is open.

    Attributes:
        is_unseen: It is not shown, nor is anything in it.
        control: Number of the matter before which it was opened, if it is the way about a site, or what is pressed, or
            within that; else -1. Where another matter has begun since, it was left open, and counts no more.
    """

    tag: str
    is_unseen: bool = False
    control: int = -1


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows = [_Row(1, [])]
        self._open: list[_Element] = []
        #: How many of a kind are open: what ends without having begun is looked for nowhere.
        self._count: Counter[str] = Counter()
        self._matters = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _OF_TABLES and not self._count["table"]:
            return
        self._end_by(tag)
        around = self._open[-1] if self._open else _Element("")
        if tag in _MATTER and self._is_control(around) and not around.is_unseen:
            self._matters += 1
        if tag not in _VOID:
            unseen = around.is_unseen or tag in _UNSEEN or _is_concealed(tag, attrs)
            control = self._matters if self._is_control(around) or tag in _CONTROLS else -1
            self._open.append(_Element(tag, unseen, control))
            self._count[tag] += 1
        if not self._is_seen:
            return
        if tag in _BLOCKS or tag == "li":
            self._break(is_heading=tag in _LEVELS)
        if tag in _LEVELS:
            self.rows[-1].parts.append("#" * _LEVELS[tag] + " ")
        elif tag == "li":
            self.rows[-1].parts.append("- ")
        elif tag in {"td", "th"}:
            self.rows[-1].parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if self._is_seen and tag in _BLOCKS:
            self._break()
        if self._count[tag]:
            self._close(tag)

    def _end_by(self, tag: str) -> None:
        """Close what ends by itself where another element begins: a paragraph, an entry, a cell."""
        kinds, within = _ENDED_BY.get(tag, (frozenset[str](), frozenset[str]()))
        if any(self._count[kind] for kind in kinds):
            for element in islice(reversed(self._open), _DEEPEST):
                if element.tag in kinds:
                    self._close(element.tag)
                    return
                if element.tag in within:
                    return

    def _close(self, tag: str) -> None:
        """Close the last element of a kind, and what was left open in it."""
        while True:
            closed = self._open.pop().tag
            self._count[closed] -= 1
            if closed == tag:
                return

    @property
    def _is_seen(self) -> bool:
        return not self._open or not (self._open[-1].is_unseen or self._is_control(self._open[-1]))

    def _is_control(self, element: _Element) -> bool:
        return element.control == self._matters

    def handle_data(self, data: str) -> None:
        if not self._is_seen:
            return
        start, _ = self.getpos()
        for number, part in enumerate(data.split("\n"), start):
            if number > self.rows[-1].number and part.strip():
                self.rows.append(_Row(number, []))
            self.rows[-1].parts.append(part + " " if number > start else part)

    def _break(self, *, is_heading: bool = False) -> None:
        if not "".join(self.rows[-1].parts).strip() and len(self.rows) > 1 and self._blank:
            self.rows.pop()
        self.rows.append(_Row(self.getpos()[0], [], is_heading))

    @property
    def _blank(self) -> bool:
        """True if the row before the last is blank, too: one is enough to part paragraphs."""
        return not "".join(self.rows[-2].parts).strip()


def _is_concealed(tag: str, attrs: list[tuple[str, str | None]]) -> bool:
    """True if an element's own attributes say that it is not shown."""
    given = dict(reversed(attrs))  # Of an attribute that stands twice the first one counts.
    if "hidden" in given:
        # What is hidden until it is found is there to be read.
        return (given["hidden"] or "").strip().casefold() != "until-found"
    if tag == "dialog" and "open" not in given:
        return True
    values: dict[str, str] = {}
    for declaration in _COMMENT.sub("", given.get("style") or "").casefold().split(";"):
        name, _, value = map(str.strip, declaration.partition(":"))
        # Of a property that is declared twice the later value holds, unless the former one is important.
        if value.endswith("important") or not values.get(name, "").endswith("important"):
            values[name] = value
    return any(_CONCEALING.fullmatch(f"{name}:{value}") for name, value in values.items())
