"""Fakes for tests of programs that use Simonides: nothing in them waits, guesses or goes over a network."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.ids import new_id
from simonides.domain.instant import DAY_US, SECOND_US, Moment, instant
from simonides.domain.item import Item, Status
from simonides.domain.selection import Selection
from simonides.errors import (
    ProviderError,
)
from simonides.ports.model import Prompt
from simonides.ports.vectors import VectorChanges

_NEVER: Final = np.iinfo(np.int64).max


class FrozenClock:
    """A clock that stands until it is moved.

    Args:
        start: ISO 8601 text or a datetime; without a zone it is UTC.
    """

    def __init__(self, start: Moment = "2026-01-01T00:00:00Z") -> None:
        self._now = instant(start)

    def now(self) -> int:
        return self._now

    def advance(self, *, days: float = 0, hours: float = 0, seconds: float = 0) -> None:
        """Move it by so much; backwards where that is negative."""
        self._now += round(days * DAY_US + hours * 3600 * SECOND_US + seconds * SECOND_US)


class FakeEmbedder:
    """Unit vectors seeded by the SHA-256 of the text: equal texts are equal, others have nothing in common.

    Args:
        local: Whether writes embed at once; False to test backfill.
    """

    def __init__(self, dimension: int = 32, *, local: bool = True, name: str = "fake") -> None:
        self._identity = EmbedderIdentity(name, f"{name}-{dimension}", dimension)
        self._local = local

    @property
    def identity(self) -> EmbedderIdentity:
        return self._identity

    @property
    def local(self) -> bool:
        return self._local

    @property
    def multilingual(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self._identity.dimension), np.float32)
        for row, text in enumerate(texts):
            if text.strip():
                seed = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
                vectors[row] = _unit_vector(int.from_bytes(seed[:8]), self._identity.dimension)
        return vectors


@lru_cache(8192)
def _unit_vector(seed: int, dimension: int) -> NDArray[np.float64]:
    vector = np.random.default_rng(seed).normal(size=dimension)
    return vector / np.linalg.norm(vector)


class FakeReranker:
    """Scores texts by the share of the question's words that are in them, or as it is told to.

    Args:
        scores: What each text gets, others 0; None to count words.
        error: Raised each time instead of an answer.

    Attributes:
        asked: Every question with its texts, in the order they came.
    """

    def __init__(
        self,
        scores: Mapping[str, float] | None = None,
        *,
        error: ProviderError | None = None,
        name: str = "fake",
    ) -> None:
        self._scores = scores
        self._error = error
        self._name = name
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    @property
    def name(self) -> str:
        return self._name

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append((question, tuple(texts)))
        if self._error is not None:
            raise self._error
        if self._scores is not None:
            return np.array([self._scores.get(text, 0.0) for text in texts], np.float32)
        wanted = _words(question)
        return np.array([len(wanted & _words(text)) / max(1, len(wanted)) for text in texts], np.float32)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


#: What a scripted model says: a text, a mapping that is said as JSON, or an error that is raised.
ScriptedAnswer: TypeAlias = str | Mapping[str, Any] | Exception
#: What it says to a task: the same each time, one after the other, or what a callable makes of the prompt.
Script: TypeAlias = ScriptedAnswer | Sequence[ScriptedAnswer] | Callable[[Prompt], ScriptedAnswer]


class ScriptedModel:
    """A language model that says what it was told to say.

    Args:
        scripts: By the name of the task.

    Attributes:
        prompts: Everything it was asked, in the order it came.

    A task without a script, or that is asked more often than its list is long, is an AssertionError.
    """

    def __init__(self, scripts: Mapping[str, Script] | None = None, *, name: str = "scripted") -> None:
        self._scripts = dict(scripts or {})
        self._name = name
        self._lock = threading.Lock()
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        return self._name

    def answer(self, prompt: Prompt) -> str:
        with self._lock:
            before = sum(asked.task == prompt.task for asked in self.prompts)
            self.prompts.append(prompt)
        said = self._said(prompt, before)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)

    def _said(self, prompt: Prompt, before: int) -> ScriptedAnswer:
        if prompt.task not in self._scripts:
            raise AssertionError(f"{self.name} has no script for the task {prompt.task!r}")
        script = self._scripts[prompt.task]
        if callable(script):
            return script(prompt)
        if isinstance(script, str | Mapping | Exception):
            return script
        if before >= len(script):
            raise AssertionError(
                f"{self.name} has {len(script)} answers to the task {prompt.task!r}, not more"
            )
        return script[before]


def an_item(content: str = "a memory", *, at: int = 1_767_225_600_000_000, **fields: Any) -> Item:
    """An item of which only the content matters; fields as of `Item`. Born at `at`, 2026-01-01 by default."""
    values: dict[str, Any] = {"id": new_id(at), "type": "fact", "created_at": at, "updated_at": at}
    return Item(content=content, **(values | fields))


class FakeVectorSource:
    """A source of vectors for an index, held in a dictionary. Meets `ports.vectors.VectorSource`.

    Args:
        piece: Rows that are given at a time.
        name: Tells it from other sources that saw the same changes.
    """

    def __init__(self, dimension: int, *, piece: int = 7, name: str = "fake") -> None:
        self._dimension = dimension
        self._piece = piece
        self._name = name
        self._rows: dict[int, tuple[int, Status, int | None, NDArray[np.float32] | None]] = {}
        self._changes: list[int] = []

    def put(
        self,
        key: int,
        vector: NDArray[np.float32] | None,
        *,
        scope: int = 1,
        status: Status = Status.ACTIVE,
        expires_at: int | None = None,
    ) -> None:
        """Store or change an item; one without a vector has None, which is as good as all zeros."""
        held = vector if vector is not None and vector.any() else None
        self._rows[key] = (scope, status, expires_at, held)
        self._changes.append(key)

    def remove(self, key: int) -> None:
        """Purge an item."""
        del self._rows[key]
        self._changes.append(key)

    def last_change(self) -> int:
        return len(self._changes)

    def vector_changes(self, since: int, model: str) -> Iterator[VectorChanges]:  # noqa: ARG002 - it knows one model
        keys = sorted(set(self._changes[since:]))
        for first in range(0, len(keys), self._piece):
            yield self._columns(keys[first : first + self._piece])

    def mark(self) -> str:
        return f"{len(self._changes)}:{self._digest(len(self._changes))}"

    def holds(self, mark: str) -> bool:
        length, _, digest = mark.partition(":")
        return int(length) <= len(self._changes) and self._digest(int(length)) == digest

    def _digest(self, length: int) -> str:
        return hashlib.sha256(repr((self._name, self._changes[:length])).encode()).hexdigest()

    def expected(
        self, vector: NDArray[np.float32], selection: Selection, scopes: Sequence[int] | None
    ) -> dict[int, float]:
        """The cosine of every item that a search may give, by brute force."""
        return {
            key: float(row @ vector)
            for key, (scope, status, expires_at, row) in self._rows.items()
            if row is not None
            and status in selection.statuses
            and (scopes is None or scope in scopes)
            and (selection.live_at is None or expires_at is None or expires_at > selection.live_at)
        }

    def _columns(self, keys: Sequence[int]) -> VectorChanges:
        gone = (-1, Status.QUARANTINED, None, None)
        rows = [self._rows.get(key, gone) for key in keys]
        codes = {Status.ACTIVE: 0, Status.ARCHIVED: 1, Status.QUARANTINED: -1}
        blank = np.zeros(self._dimension, np.float32)
        return VectorChanges(
            keys=np.array(keys, np.int64),
            scopes=np.array([scope for scope, *_ in rows], np.int64),
            statuses=np.array([codes[status] for _, status, *_ in rows], np.int8),
            expires_at=np.array([_NEVER if at is None else at for _, _, at, _ in rows], np.int64),
            vectors=np.array([blank if vector is None else vector for *_, vector in rows], np.float32),
        )
