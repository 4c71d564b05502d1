"""The buffer of turns that wait for extraction: what is due, and in which pieces it is taken. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from simonides.domain.instant import SECOND_US
from simonides.domain.text import count_tokens
from simonides.domain.tuning import tuned
from simonides.errors import InvalidSettings
from simonides.ports.buffer import Waiting
from simonides.values import dataclass

#: Bytes of UTF-8 for a token of a language model, about: what is in the buffer is not read to be counted.
_BYTES_A_TOKEN: Final = 4
#: What stands around a turn in a prompt.
_TURN_TOKENS: Final = 24
#: Each further try waits so many times longer.
_BACK_OFF: Final = 4
#: No session is waited for longer: three decades. A store counts no further than 64 bits.
_LONGEST_S: Final = 1e9
_MOST: Final = 1_000_000_000


class Extract(StrEnum):
    """Finders of statements in turns."""

    AUTO = "auto"
    MODEL = "model"
    RULES = "rules"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class BufferSettings:
    """Turns that wait for extraction.

    Attributes:
        extract: What finds in them what should persist: `model`, the language model; `rules`, patterns that
            need no model; `auto`, the model where there is one, and the rules where it failed as often as
            `tries` says; `off`: nothing.
        quiet_s: A session that was silent for so many seconds is extracted from.
        silence_s: A session that was silent for so long is over.
        max_tokens: So much waits at most; it is also the most that a model is given at once. Small models lose
            facts in longer batches.
        max_turns: Turns of a session that are taken at once.
        tries: How often turns are tried before they stand as failed.
        retry_s: Seconds before the second try; each further one waits four times as long.
    """

    extract: str = Extract.AUTO.value
    quiet_s: float = 180.0
    silence_s: float = 1800.0
    max_tokens: int = 6000
    max_turns: int = tuned(500)
    tries: int = tuned(3)
    retry_s: float = tuned(60.0)

    def __post_init__(self) -> None:
        if self.extract not in set(Extract):
            raise InvalidSettings(f"buffer.extract is one of {', '.join(Extract)}, not {self.extract!r}")
        for name in ("quiet_s", "silence_s", "retry_s"):
            if not 0 <= getattr(self, name) <= _LONGEST_S:
                raise InvalidSettings(f"buffer.{name} lies in [0, 1e9], got {getattr(self, name)}")
        for name, least in (("max_tokens", 200), ("max_turns", 1), ("tries", 1)):
            if not least <= getattr(self, name) <= _MOST:
                raise InvalidSettings(f"buffer.{name} lies in [{least}, {_MOST}], got {getattr(self, name)}")


def due(waiting: Sequence[Waiting], now: int, settings: BufferSettings) -> tuple[Waiting, ...]:
    """The sessions whose turns should be extracted from now, in the order given.

    A session is due when it has been quiet, when its scope has moved on to another session, or when as much
    waits as is taken at once; but not before the time for another try has come. What is dated ahead of the
    clock is due: the clock was set back.

    Args:
        waiting: All sessions of a scope that have turns in the buffer.
        now: UTC microseconds, as all instants.
    """
    latest: dict[str, int] = {}
    for one in waiting:
        latest[one.scope] = max(latest.get(one.scope, 0), one.last_at)
    return tuple(one for one in waiting if one.turns and _is_due(one, latest[one.scope], now, settings))


def is_put_off(one: Waiting, now: int, settings: BufferSettings) -> bool:
    """True if the time for another try has not come yet; never where the clock was set back since."""
    return one.retry_at is not None and now < one.retry_at <= now + back_off(settings.tries, settings)


def _is_due(one: Waiting, latest: int, now: int, settings: BufferSettings) -> bool:
    if is_put_off(one, now, settings):
        return False
    quiet = not 0 <= now - one.last_at < settings.quiet_s * SECOND_US
    full = one.turns >= settings.max_turns or one.bytes >= settings.max_tokens * _BYTES_A_TOKEN
    return quiet or full or one.last_at < latest or one.retry_at is not None


def back_off(tries: int, settings: BufferSettings) -> int:
    """Microseconds until another try after so many; tries >= 1."""
    return round(min(settings.retry_s * _BACK_OFF ** min(tries - 1, 20), _LONGEST_S)) * SECOND_US


def batches(texts: Sequence[str], max_tokens: int) -> Iterator[list[tuple[int, str]]]:
    """Texts in batches for a model, in their order: each text with its place, a long one in several pieces.

    Args:
        max_tokens: Of a batch, each text with a little around it; > 24.
    """
    batch: list[tuple[int, str]] = []
    spent = 0
    for place, text in enumerate(texts):
        for piece in _pieces(text, max_tokens - _TURN_TOKENS):
            cost = count_tokens(piece) + _TURN_TOKENS
            if batch and spent + cost > max_tokens:
                yield batch
                batch, spent = [], 0
            batch.append((place, piece))
            spent += cost
    if batch:
        yield batch


def _pieces(text: str, max_tokens: int) -> Iterator[str]:
    """A text whole, or cut in halves at a blank until each piece fits."""
    if count_tokens(text) <= max_tokens or len(text) < 2:
        if text:
            yield text
        return
    middle = len(text) // 2
    cut = text.find(" ", middle, middle + 200)
    cut = middle if cut < 0 else cut
    yield from _pieces(text[:cut].rstrip(), max_tokens)
    yield from _pieces(text[cut:].lstrip(), max_tokens)
