"""Text of a page of HTML, with its headings as those of Markdown, and where each line of it stands in the source."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

from simonides.documents.chunking import as_plain

_UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "svg", "head", "iframe", "object"})
#: The way about a site, and what is pressed: seen, and no part of what a page says.
_CONTROLS: Final = frozenset({"nav", "button", "select"})
#: Begins the matter of a page, whatever was left open before it.
_MATTER: Final = frozenset({"main", "article"})
_LEVELS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_MARKS: Final = frozenset("#" * level + " " for level in _LEVELS.values())
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
    rows = [(number, _line(parts)) for number, parts in parser.rows]
    return "\n".join(text for _, text in rows), [number for number, _ in rows] or [1]


def _line(parts: list[str]) -> str:
    text = " ".join("".join(parts).split())
    return text if parts and parts[0] in _MARKS else as_plain(text)


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[tuple[int, list[str]]] = [(1, [])]
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        if tag in _MATTER and _CONTROLS.issuperset(self._unseen):
            self._unseen.clear()
        if tag in _UNSEEN | _CONTROLS:
            self._unseen.append(tag)
        if self._unseen:
            return
        if tag in _BLOCKS or tag == "li":
            self._break()
        if tag in _LEVELS:
            self.rows[-1][1].append("#" * _LEVELS[tag] + " ")
        elif tag == "li":
            self.rows[-1][1].append("- ")
        elif tag in {"td", "th"}:
            self.rows[-1][1].append(" ")

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
            if number > self.rows[-1][0] and part.strip():
                self.rows.append((number, []))
            self.rows[-1][1].append(part + " " if number > start else part)

    def _break(self) -> None:
        if not "".join(self.rows[-1][1]).strip() and len(self.rows) > 1 and self._blank:
            self.rows.pop()
        self.rows.append((self.getpos()[0], []))

    @property
    def _blank(self) -> bool:
        """True if the row before the last is blank, too: one is enough to part paragraphs."""
        return not "".join(self.rows[-2][1]).strip()
