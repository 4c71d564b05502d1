"""The user's view of an answer while it streams: everything but blocks of proposals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from simonides.values import dataclass

OPENING: Final = "<MEMORY_PROPOSALS_JSON>"
CLOSING: Final = "</MEMORY_PROPOSALS_JSON>"
#: Characters of a block that are kept; of a longer one only that it was too long.
MAX_BLOCK_CHARS: Final = 64 * 1024
#: Blocks of an answer that are kept: two are one too many, and more say nothing else.
_KEPT_BLOCKS: Final = 2

_NAME: Final = "MEMORY_PROPOSALS_JSON"
_BLANK: Final = r"[ \t\r\n]"
_BEFORE: Final = 8
_WITHIN: Final = 2
_GAP: Final = f"{_BLANK}{{0,{_WITHIN}}}"
_BLANKS: Final = f"{_BLANK}{{0,{_BEFORE}}}"
#: A code fence that a block may stand in, with a word for its language.
_LONGEST_FENCE, _LONGEST_WORD = 10, 12
_FENCE: Final = f"(?:`{{3,{_LONGEST_FENCE}}}|~{{3,{_LONGEST_FENCE}}})"
_WORD: Final = f"[ \\t]{{0,{_WITHIN}}}\\w{{0,{_LONGEST_WORD}}}[ \\t]{{0,{_WITHIN}}}\\r?"
#: A delimiter in any case, with a few blanks in it; blanks before it go with it, and a fence that begins there.
_DELIMITER: Final = re.compile(
    f"{_BLANKS}(?:(?P<fence>{_FENCE}){_WORD}\\n{_BLANKS})?(?P<bare><{_GAP}(?P<closes>/{_GAP})?{_NAME}{_GAP}>)",
    re.IGNORECASE | re.ASCII,
)
_CLOSING: Final = re.compile(f"<{_GAP}/{_GAP}{_NAME}{_GAP}>", re.IGNORECASE | re.ASCII)
#: What ends a fence, at the beginning of a text; and what may be the beginning of that.
_FENCE_END: Final = re.compile(f"{_BLANKS}(?P<fence>{_FENCE})[ \\t]{{0,{_WITHIN}}}(?=[\\r\\n])")
_FENCE_ENDING: Final = re.compile(
    f"{_BLANKS}(?:`{{0,{_LONGEST_FENCE}}}|~{{0,{_LONGEST_FENCE}}})[ \\t]{{0,{_WITHIN}}}\\Z"
)
_FENCE_LINE: Final = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})(?P<rest>[^\n]*)$", re.MULTILINE)
#: The longest that is held back: a delimiter with all that may go with it.
MAX_HELD_CHARS: Final = (
    2 * _BEFORE + _LONGEST_FENCE + _LONGEST_WORD + 2 * _WITHIN + 2 + len(CLOSING) + 3 * _WITHIN
)


def _beginnings() -> re.Pattern[str]:
    """Pattern of endings that may be the beginning of a delimiter, to be completed by the next chunk."""
    tail = f"(?:{_GAP}>?)?"
    for letter in reversed(_NAME):
        tail = f"(?:{letter}{tail})?"
    begun = rf"<{_GAP}(?:/{_GAP})?{tail}"
    fence = (
        rf"(?:`{{1,{_LONGEST_FENCE}}}|~{{1,{_LONGEST_FENCE}}}|{_FENCE}{_WORD}(?:\n{_BLANKS}(?:{begun})?)?)"
    )
    return re.compile(
        rf"(?:{_BLANK}{{1,{_BEFORE}}}(?:{begun}|{fence})?|{begun}|{fence})\Z", re.IGNORECASE | re.ASCII
    )


_BEGINNING: Final = _beginnings()


@dataclass(frozen=True, slots=True)
class Block:
    """Text between two delimiters.

    Attributes:
        body: Its text; of one that is too long its first `MAX_BLOCK_CHARS` and one more.
        closed: Whether its end came.
    """

    body: str
    closed: bool


class VisibleStream:
    """Takes blocks of proposals out of an answer, however it is cut into chunks.

    A code fence that holds nothing but a block goes with it.

    A delimiter may be cut anywhere. Text that only begins like one is passed on as soon as it cannot be one, so
    that no more than `MAX_HELD_CHARS` are held back outside of a block. Of a block no more than
    `MAX_BLOCK_CHARS` are kept, however long it is.

    Not for use from several threads at once: an answer is one stream.
    """

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._fence = ""
        self._around = ""
        self._shown: list[str] = []
        self._raw: list[str] = []
        self._blocks: list[Block] = []
        self._body: list[str] = []
        self._kept = 0
        self._strays = 0

    def feed(self, text: str) -> str:
        """Take a chunk and return what may be shown now, in order; often all of it, sometimes nothing."""
        shown: list[str] = []
        text, self._held = self._held + text, ""
        while text:
            if self._inside:
                text = self._through(text)
            elif self._fence:
                text = self._out_of_the_fence(text, shown)
            else:
                text = self._up_to_a_block(text, shown)
        self._shown += shown
        return "".join(shown)

    def end(self) -> str:
        """Return what was held back and may be shown, now that nothing more comes. A block without end stays out."""
        held, self._held = self._held, ""
        if self._inside:
            self._keep(held)
            self._close("", closed=False)
            return ""
        self._raw.append(held)
        return (
            "" if self._fence else held
        )  # A fence that ends with the answer, or not at all, held the block alone.

    @property
    def raw(self) -> str:
        """All that came, blocks as far as they are kept: `proposals.parse` makes of it what it makes of the whole."""
        return "".join([*self._raw, *self._body, self._held])

    @property
    def withholds(self) -> bool:
        """True if the last chunk is not shown, or not yet."""
        return self._inside or bool(self._held)

    @property
    def blocks(self) -> Sequence[Block]:
        """The blocks that came to their end, or to the answer's; the first two of more."""
        return tuple(self._blocks)

    @property
    def strays(self) -> int:
        """Closing delimiters that ended no block; they are taken out too."""
        return self._strays

    def _up_to_a_block(self, text: str, shown: list[str]) -> str:
        """Show what stands before the next delimiter; what is left to be looked at."""
        block = _DELIMITER.search(text)
        before = [] if block is None else [*shown, text[: block.start()]]
        if block is not None and block["fence"] and (block["closes"] or self._in_code(before)):
            # That fence is not the block's own: it ends what stands before.
            block = _DELIMITER.search(text, block.end("fence"))
        if block is None:
            begun = _BEGINNING.search(text, max(0, len(text) - MAX_HELD_CHARS))
            place = len(text) if begun is None else begun.start()
            self._show(text[:place], shown)
            self._held = text[place:]
            return ""
        self._show(text[: block.start()], shown)
        self._raw.append(block[0])
        if block["closes"] is None:
            self._inside = True
            self._fence = block["fence"] or ""
            self._around = text[block.start() : block.start("bare")] if self._fence else ""
        else:
            self._strays += 1
        return text[block.end() :]

    def _through(self, text: str) -> str:
        """Take the block up to its end; what is left to be looked at behind it."""
        closing = _CLOSING.search(text)
        if closing is None:
            # The end may begin in the last characters.
            place = max(0, len(text) - MAX_HELD_CHARS)
            self._keep(text[:place])
            self._held = text[place:]
            return ""
        self._keep(text[: closing.start()])
        self._close(closing[0], closed=True)
        return text[closing.end() :]

    def _out_of_the_fence(self, text: str, shown: list[str]) -> str:
        """Take the end of a block's fence; where the fence holds more, it is shown. What is left to be looked at."""
        if _FENCE_ENDING.match(text):
            self._held = text
            return ""
        ends = _FENCE_END.match(text)
        if ends is not None and ends["fence"].startswith(self._fence):
            self._raw.append(ends[0])
            text = text[ends.end() :]
        else:
            shown.append(self._around)  # It is part of `raw` already.
        self._fence = self._around = ""
        return text

    def _in_code(self, shown: Sequence[str]) -> bool:
        """True if the text behind all that was shown, and these texts, stands in a code fence."""
        fence = ""
        for line in _FENCE_LINE.finditer("".join([*self._shown, *shown])):
            if not fence:
                fence = line["fence"]
            elif line["fence"].startswith(fence) and not line["rest"].strip():
                fence = ""
        return bool(fence)

    def _show(self, text: str, shown: list[str]) -> None:
        if text:
            shown.append(text)
            self._raw.append(text)

    def _keep(self, text: str) -> None:
        room = MAX_BLOCK_CHARS + 1 - self._kept if len(self._blocks) < _KEPT_BLOCKS else 0
        if room > 0 and text:
            self._body.append(text[:room])
            self._kept += len(self._body[-1])

    def _close(self, delimiter: str, *, closed: bool) -> None:
        body = "".join(self._body)
        if len(self._blocks) < _KEPT_BLOCKS:
            self._blocks.append(Block(body, closed))
        self._raw += [body, delimiter]
        self._body, self._kept, self._inside = [], 0, False
