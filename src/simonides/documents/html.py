"""Text of a page of HTML, with its headings as those of Markdown, and where each line of it stands in the source."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final, NamedTuple

from simonides.documents.chunking import as_plain

_UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "svg", "head", "iframe", "object"})
#: The way about a site, and what is pressed: seen, and no part of what a page says.
_CONTROLS: Final = frozenset({"nav", "button", "select"})
#: Begins the matter of a page, whatever was left open before it.
_MATTER: Final = frozenset({"main", "article"})
_LEVELS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCKS: Final = frozenset(
    {
        "p",
        "div",
        "br",
        "tr",
        "ul",
        "ol",
        "table",
        "section",
        "article",
        "pre",
        "blockquote",
        "dd",
        "dt",
        *_LEVELS,
    }
)


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


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows = [_Row(1, [])]
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _MATTER and _CONTROLS.issuperset(self._unseen):
            self._unseen.clear()
        if tag in _UNSEEN | _CONTROLS:
            self._unseen.append(tag)
        if self._unseen:
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
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        elif not self._unseen and tag in _BLOCKS:
            self._break()

    def handle_data(self, data: str) -> None:
        if self._unseen:
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
