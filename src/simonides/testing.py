"""Public fakes for tests of programs that use Simonides, and contracts that adapters of its ports must meet.

A contract is a class to inherit from: it runs under pytest as it is, once `make_store`, `make_index`,
`make_reranker` or `make_model` says how the adapter is made.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.entity import MAX_MENTIONS, Entity, EntityType, Name, fold
from simonides.domain.ids import new_id
from simonides.domain.instant import DAY_US, SECOND_US, Moment, instant
from simonides.domain.item import Item, Status, Usage, Validation
from simonides.domain.link import Link, Relation
from simonides.domain.provenance import Provenance
from simonides.domain.records import AuditEvent, Injection, Place, Revision
from simonides.domain.run import Run
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.taxonomy import Tier
from simonides.domain.verdict import Outcome
from simonides.errors import (
    Conflict,
    InvalidInput,
    InvalidVector,
    NotFound,
    ProviderError,
    SimonidesError,
    StoreClosed,
)
from simonides.ports.buffer import Buffered
from simonides.ports.copying import Copied
from simonides.ports.governing import Provenances
from simonides.ports.model import LanguageModel, Prompt
from simonides.ports.reranker import Reranker
from simonides.ports.store import NewItem, Reader, Store, StoredVerdict, TextQuery, View, Writer
from simonides.ports.vectors import VectorChanges, VectorIndex


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
                vector = np.random.default_rng(int.from_bytes(seed[:8])).normal(size=self._identity.dimension)
                vectors[row] = vector / np.linalg.norm(vector)
        return vectors


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
Said: TypeAlias = str | Mapping[str, Any] | Exception
#: What it says to a task: the same each time, one after the other, or what a callable makes of the prompt.
Script: TypeAlias = Said | Sequence[Said] | Callable[[Prompt], Said]


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

    def _said(self, prompt: Prompt, before: int) -> Said:
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
    """What a vector index catches up with, held in a dictionary. Meets `ports.vectors.VectorSource`.

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
        """Store or change an item; one without a vector has None."""
        self._rows[key] = (scope, status, expires_at, vector)
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

    def scope_keys(self, selection: Selection) -> Sequence[int] | None:
        return None if selection.scopes is None else [int(dict(s.parts)["user"]) for s in selection.scopes]

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
            and row.any()
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


class VectorIndexContract:
    """What every `ports.vectors.VectorIndex` must do. Inherit, override `make_index`, and let pytest run it."""

    DIMENSION: Final = 16

    def make_index(self, model: EmbedderIdentity) -> VectorIndex:
        """A new, empty index for a model."""
        raise NotImplementedError

    def setup_method(self) -> None:
        embedder = FakeEmbedder(self.DIMENSION)
        self.embed = embedder.embed
        self.index = self.make_index(embedder.identity)
        self.source = FakeVectorSource(self.DIMENSION)

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a text."""
        return self.embed([text])[0]

    def search(
        self, text: str, limit: int = 10, scopes: Sequence[int] | None = None, **changes: Any
    ) -> list[tuple[int, float]]:
        """Keys and cosines that a caught-up index finds."""
        self.index.refresh(self.source)
        values: dict[str, Any] = {"scopes": None, "live_at": None}
        selection = Selection(**(values | changes))
        keys, cosines = self.index.search(self.vector(text), selection, scopes, limit)
        assert keys.dtype == np.int64
        assert cosines.dtype == np.float32
        return list(zip(keys.tolist(), cosines.tolist(), strict=True))

    def found(
        self, text: str, limit: int = 10, scopes: Sequence[int] | None = None, **changes: Any
    ) -> list[int]:
        """Keys that a caught-up index finds."""
        return [key for key, _ in self.search(text, limit, scopes, **changes)]

    def test_an_empty_index_finds_nothing(self) -> None:
        assert self.search("anything") == []
        assert len(self.index) == 0

    def test_the_nearest_come_first_with_their_cosines(self) -> None:
        for key in range(1, 40):
            self.source.put(key, self.vector(f"text {key}"))
        found = self.search("text 7", 39)
        expected = self.source.expected(self.vector("text 7"), Selection(scopes=None, live_at=None), None)
        assert found[0][0] == 7
        assert [key for key, _ in found] == sorted(expected, key=lambda key: -expected[key])
        assert np.allclose(
            [cosine for _, cosine in found], sorted(expected.values(), reverse=True), atol=1e-5
        )
        assert len(self.index) == 39

    def test_no_more_are_found_than_asked_for(self) -> None:
        for key in range(1, 40):
            self.source.put(key, self.vector(f"text {key}"))
        assert self.found("text 7", 5) == self.found("text 7", 39)[:5]

    def test_ties_are_ordered_by_key(self) -> None:
        for key in (5, 3, 9, 1, 7):
            self.source.put(key, self.vector("the same"))
        assert self.found("the same") == [1, 3, 5, 7, 9]
        assert self.found("the same", 3) == [1, 3, 5]

    def test_the_same_search_twice_gives_the_same(self) -> None:
        for key in range(1, 60):
            self.source.put(key, self.vector(f"text {key}"), scope=key % 3 + 1)
        assert self.search("question", 20) == self.search("question", 20)

    def test_the_scope_is_applied_before_the_limit(self) -> None:
        for key in range(1, 101):
            self.source.put(key, self.vector("wanted"), scope=1)
        self.source.put(101, self.vector("something else"), scope=2)
        assert self.found("wanted", 3, [2]) == [101]
        assert self.found("wanted", 3, [3]) == []
        assert self.found("wanted", 3, []) == []
        assert 101 in self.found("something else", 3, None)

    def test_the_status_is_applied_before_the_limit(self) -> None:
        for key in range(1, 101):
            self.source.put(key, self.vector("wanted"), status=Status.ARCHIVED)
        self.source.put(101, self.vector("something else"))
        archived = frozenset({Status.ARCHIVED})
        assert self.found("wanted", 3) == [101]
        assert self.found("wanted", 3, statuses=archived) == [1, 2, 3]
        assert len(self.found("wanted", 200, statuses=archived | {Status.ACTIVE})) == 101

    def test_the_expiry_is_applied_before_the_limit(self) -> None:
        for key in range(1, 101):
            self.source.put(key, self.vector("wanted"), expires_at=1000)
        self.source.put(101, self.vector("something else"), expires_at=1001)
        self.source.put(102, self.vector("another thing"))
        assert set(self.found("wanted", 3, live_at=1000)) == {101, 102}
        assert len(self.found("wanted", 200, live_at=999)) == 102
        assert len(self.found("wanted", 200, live_at=None)) == 102

    def test_quarantined_items_are_never_found(self) -> None:
        self.source.put(1, self.vector("wanted"), status=Status.QUARANTINED)
        assert self.found("wanted", statuses=frozenset(Status)) == []

    def test_items_without_a_vector_are_not_found(self) -> None:
        self.source.put(1, None)
        self.source.put(2, np.zeros(self.DIMENSION, np.float32))
        self.source.put(3, self.vector("wanted"))
        assert self.found("wanted") == [3]
        assert len(self.index) == 1

    def test_it_catches_up_with_what_is_changed_moved_archived_and_removed(self) -> None:
        for key in (1, 2, 3, 4):
            self.source.put(key, self.vector("wanted"))
        assert self.found("wanted", 10, [1]) == [1, 2, 3, 4]
        self.source.put(1, self.vector("reworded"))
        self.source.put(2, self.vector("wanted"), scope=2)
        self.source.put(3, self.vector("wanted"), status=Status.ARCHIVED)
        self.source.remove(4)
        assert self.search("wanted", 10, [2]) == [(2, 1.0)]
        assert self.found("reworded", 10, [1]) == [1]
        assert self.found("wanted", 10, [1], statuses=frozenset({Status.ARCHIVED})) == [3]
        assert len(self.index) == 3

    def test_an_item_that_loses_its_vector_is_not_found_until_it_has_one_again(self) -> None:
        self.source.put(1, self.vector("wanted"))
        assert self.found("wanted") == [1]
        self.source.put(1, None)
        assert self.found("wanted") == []
        self.source.put(1, self.vector("wanted"))
        assert self.found("wanted") == [1]

    def test_many_rounds_of_changes_leave_what_brute_force_finds(self) -> None:
        random = np.random.default_rng(7)
        statuses = list(Status)
        for number in range(400):
            key = int(random.integers(1, 60))
            self.source.put(
                key,
                self.vector(f"text {number}") if random.random() > 0.1 else None,
                scope=int(random.integers(1, 4)),
                status=statuses[int(random.integers(0, 3))],
                expires_at=None if random.random() > 0.3 else int(random.integers(0, 100)),
            )
            if number % 20 == 0:
                self.index.refresh(self.source)
        for live_at in (None, 50):
            selection = Selection(scopes=None, live_at=live_at)
            expected = self.source.expected(self.vector("text 399"), selection, [1, 3])
            found = dict(self.search("text 399", 100, [1, 3], live_at=live_at))
            assert found.keys() == expected.keys()
            assert all(abs(found[key] - expected[key]) < 1e-5 for key in expected)

    def test_cosines_are_given_in_the_order_of_the_keys_and_0_for_one_without_a_vector(self) -> None:
        self.source.put(1, self.vector("one"))
        self.source.put(2, self.vector("two"), scope=2, status=Status.ARCHIVED)
        self.source.put(3, None)
        self.index.refresh(self.source)
        cosines = self.index.cosines(self.vector("two"), np.array([99, 2, 3, 1], np.int64))
        expected = float(self.vector("one") @ self.vector("two"))
        assert np.allclose(cosines, [0, 1, 0, expected], atol=1e-5)
        assert len(self.index.cosines(self.vector("two"), np.empty(0, np.int64))) == 0

    def test_vectors_are_given_in_the_order_of_the_keys_and_zeros_for_one_without(self) -> None:
        self.source.put(1, self.vector("one"))
        self.source.put(2, self.vector("two"), scope=2, status=Status.ARCHIVED)
        self.source.put(3, None)
        self.index.refresh(self.source)
        found = self.index.vectors(np.array([99, 2, 3, 1], np.int64))
        assert found.dtype == np.float32
        expected = np.zeros((4, self.DIMENSION), np.float32)
        expected[1], expected[3] = self.vector("two"), self.vector("one")
        assert np.allclose(found, expected, atol=1e-6)
        assert self.index.vectors(np.empty(0, np.int64)).shape == (0, self.DIMENSION)

    def test_building_changes_no_answer_of_a_small_index_and_says_how_much_it_holds(self) -> None:
        for key in range(1, 100):
            self.source.put(key, self.vector(f"text {key}"), scope=key % 3 + 1)
        before = self.search("text 7", 20, [1, 2])
        assert self.index.build(lambda: nullcontext(self.source)) == 99
        assert self.search("text 7", 20, [1, 2]) == before
        assert self.index.degradations == ()
        assert self.index.describe()

    def test_closing_twice_is_fine(self) -> None:
        self.index.refresh(self.source)
        self.index.close()
        self.index.close()

    def test_searches_beside_a_refresh_see_only_whole_rows(self) -> None:
        for key in range(1, 300):
            self.source.put(key, self.vector(f"text {key % 50}"), scope=key % 4)
        self.index.refresh(self.source)
        done = threading.Event()
        selection = Selection(scopes=None, live_at=None)

        def look() -> int:
            looks = 0
            while not done.is_set() or not looks:
                keys, cosines = self.index.search(self.vector("text 3"), selection, None, 50)
                assert len(keys) == len(cosines) <= 50
                assert (np.diff(cosines) <= 0).all()
                looks += 1
            return looks

        with ThreadPoolExecutor(2) as pool:
            looking = [pool.submit(look) for _ in range(2)]
            try:
                for number in range(300, 900):
                    self.source.put(number % 350, self.vector(f"text {number % 50}"), scope=number % 4)
                    self.index.refresh(self.source)
            finally:
                done.set()
        assert all(future.result() for future in looking)


class RerankerContract:
    """What every `ports.reranker.Reranker` must do. Inherit, override the two methods, and let pytest run it."""

    QUESTION: Final = "Where is the spare key?"
    TEXTS: Final = (
        "Interest rates rose again in March.",
        "The spare key is under the blue pot.",
        "Запасной ключ лежит под горшком, 备用钥匙在花盆下面。",
        "A turn that goes on and on. " * 1000,
        "half \ud83d of a pair, \x00 and NUL",
    )

    def make_reranker(self) -> Reranker:
        """One that answers."""
        raise NotImplementedError

    def make_failing_reranker(self) -> Reranker:
        """One whose provider does not answer usefully."""
        raise NotImplementedError

    def test_a_reranker_has_a_name(self) -> None:
        assert self.make_reranker().name.strip()

    def test_each_text_has_a_finite_score(self) -> None:
        scores = self.make_reranker().rerank(self.QUESTION, self.TEXTS)
        assert scores.dtype == np.float32
        assert scores.shape == (len(self.TEXTS),)
        assert np.isfinite(scores).all()

    def test_without_texts_there_are_no_scores(self) -> None:
        scores = self.make_reranker().rerank(self.QUESTION, [])
        assert (scores.dtype, scores.shape) == (np.float32, (0,))

    def test_what_answers_the_question_stands_above_what_does_not_wherever_it_stands(self) -> None:
        reranker, texts = self.make_reranker(), self.TEXTS[:2]
        away, near = reranker.rerank(self.QUESTION, texts)
        assert near > away
        assert np.allclose(reranker.rerank(self.QUESTION, texts[::-1]), [near, away], atol=1e-4)

    def test_the_same_question_has_the_same_answer_in_every_thread(self) -> None:
        reranker = self.make_reranker()
        expected = reranker.rerank(self.QUESTION, self.TEXTS)
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(reranker.rerank, self.QUESTION, self.TEXTS) for _ in range(8)]
            assert all(np.allclose(scores.result(), expected, atol=1e-4) for scores in asked)

    def test_a_reranker_that_fails_raises_a_provider_error(self) -> None:
        with _raises(ProviderError):
            self.make_failing_reranker().rerank(self.QUESTION, self.TEXTS)


class LanguageModelContract:
    """What every `ports.model.LanguageModel` must do. Inherit, override the two methods, and let pytest run it."""

    PROMPT: Final = Prompt(
        task="greet",
        system="You are polite. Answer in one sentence.",
        user="Say good morning to Ana. Не забудь её кота. 早上好。 \ud83d \x00",
        max_tokens=100,
    )
    SCHEMA: Final[Mapping[str, Any]] = {
        "type": "object",
        "properties": {"greeting": {"type": "string"}},
        "required": ["greeting"],
        "additionalProperties": False,
    }

    def make_model(self) -> LanguageModel:
        """One that answers."""
        raise NotImplementedError

    def make_failing_model(self) -> LanguageModel:
        """One whose provider does not answer, or refuses."""
        raise NotImplementedError

    def test_a_model_has_a_name(self) -> None:
        assert self.make_model().name.strip()

    def test_a_prompt_is_answered_with_a_text(self) -> None:
        answer = self.make_model().answer(self.PROMPT)
        assert isinstance(answer, str)
        assert answer.strip()

    def test_a_prompt_with_a_schema_is_answered_with_a_text_too(self) -> None:
        answer = self.make_model().answer(replace(self.PROMPT, schema=self.SCHEMA))
        assert isinstance(answer, str)
        assert answer.strip()

    def test_several_threads_may_ask_at_once(self) -> None:
        model = self.make_model()
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(model.answer, self.PROMPT) for _ in range(8)]
            assert all(answer.result().strip() for answer in asked)

    def test_a_model_that_fails_raises_a_provider_error(self) -> None:
        with _raises(ProviderError):
            self.make_failing_model().answer(self.PROMPT)


_NEVER: Final = np.iinfo(np.int64).max


@contextmanager
def _raises(kind: type[Exception]) -> Generator[None]:
    try:
        yield
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")


class StoreContract:
    """What every `ports.store.Store` must do. Inherit, override `make_store`, and let pytest run it."""

    MODEL: Final = EmbedderIdentity("fake", "fake-8", 8)
    ANA: Final = Scope("user:ana")
    BO: Final = Scope("user:bo")

    def make_store(self, folder: Path) -> Store:
        """A new, empty store; a folder of its own is there for one that needs files."""
        raise NotImplementedError

    def setup_method(self) -> None:
        self._folder = TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.store = self.make_store(self.folder)

    def teardown_method(self) -> None:
        self.store.close()
        self._folder.cleanup()

    # What the tests below are written with

    def put(self, *items: Item, outcome: Outcome = Outcome.ACCEPTED, **fields: Any) -> None:
        """Store items, each with a vector of its text."""
        vectors = FakeEmbedder(8).embed([item.text for item in items])
        news = [NewItem(item, outcome, vector, **fields) for item, vector in zip(items, vectors, strict=True)]
        self.store.write(lambda tx: tx.insert(news, self.MODEL))

    def revise(self, item: Item, **fields: Any) -> None:
        """Store a new state of an item."""
        values: dict[str, Any] = {"reason": "test", "action": "update"}
        self.store.write(lambda tx: tx.revise(item, **(values | fields)))

    def get(self, item: Item) -> Item:
        """The item as it is stored."""
        with self.store.read() as reader:
            return reader.get([item.id])[item.id]

    def find(self, limit: int = 100, offset: int = 0, **changes: Any) -> list[str]:
        """Contents of the items that pass, newest first; the count must agree."""
        selection = self.selection(**changes)
        with self.store.read() as reader:
            found = reader.find(selection, limit=limit, offset=offset)
            if len(found) < limit and not offset:
                assert reader.count(selection) == len(found)
        return [item.content for item in found]

    def words(
        self, *terms: str, limit: int = 100, every: bool = False, prefixes: bool = False, **changes: Any
    ) -> list[str]:
        """Contents that text search finds, best first."""
        with self.store.read() as reader:
            query = TextQuery(terms, every=every, prefixes=prefixes)
            matches = reader.search_text(query, self.selection(**changes), limit)
            assert matches.degraded is None
            assert matches.keys.dtype == np.int64
            assert (matches.scores > 0).all()
            assert (np.diff(matches.scores) <= 1e-6).all()
            items = reader.load(matches.keys.tolist())
        return [items[key].content for key in matches.keys.tolist()]

    def selection(self, **changes: Any) -> Selection:
        """A selection of everything that is active, with changes."""
        values: dict[str, Any] = {"scopes": None, "live_at": None}
        return Selection(**(values | changes))

    # Items

    def test_an_item_comes_back_as_it_was_stored(self) -> None:
        item = an_item(
            "Ship on Fridays, 每周五发布",
            type="decision",
            scope=Scope("user:ana/project:apollo"),
            tier=Tier.LTM,
            title="Releases",
            tags=("release", "Срок"),
            entities=("Ana Lovelace", "Apollo"),
            provenance=Provenance(source_id="m1", chunk_ids=("c1",), content_hashes=("ab",), span=(3, 9)),
            confidence=0.7,
            importance=0.9,
            validation=Validation.CONTESTED,
            injectable=False,
            pinned=True,
            decay_rate=0.0,
            event_at=5,
            valid_from=1,
            valid_until=9,
            expires_at=99,
            superseded_by="x",
            session_id="s1",
            task_id="t1",
            narrative_id="n1",
            corpus_id="c1",
            rule_id="r1",
            ordinal=0,
            metadata={"sender": "Ana", "deep": [1, {"a": None}]},
        )
        self.put(item)
        assert self.get(item) == item

    def test_items_are_read_by_key_and_by_id_and_unknown_ones_are_left_out(self) -> None:
        items = [an_item(f"item {n}") for n in range(3)]
        self.put(*items)
        with self.store.read() as reader:
            keys = [reader.key(item.id) for item in items]
            found = reader.load([key for key in keys if key is not None])
            assert [found[key] for key in keys if key is not None] == items
            assert reader.key("unknown") is None
            assert reader.load([10**9]) == {}
            assert reader.load([]) == {}
            assert reader.get([]) == {}
            assert reader.get(["unknown", items[0].id]) == {items[0].id: items[0]}
            assert reader.matching(list(found), self.selection()) == set(found)
            assert reader.matching([], self.selection()) == set()
            assert reader.extent() >= 3

    def test_items_are_listed_newest_first_by_pages(self) -> None:
        for n in range(7):
            self.put(an_item(f"item {n}"))
        assert self.find() == [f"item {n}" for n in range(6, -1, -1)]
        assert self.find(3, 0) == ["item 6", "item 5", "item 4"]
        assert self.find(3, 5) == ["item 1", "item 0"]
        assert self.find(3, 99) == []

    def test_scopes_are_meant_exactly_and_none_at_all_finds_nothing(self) -> None:
        self.put(an_item("hers", scope=self.ANA), an_item("his", scope=self.BO), an_item("all"))
        assert self.find(scopes=(self.ANA,)) == ["hers"]
        assert self.find(scopes=(self.BO, self.ANA)) == ["his", "hers"]
        assert self.find(scopes=(Scope("user:nobody"),)) == []
        assert self.find(scopes=(Scope("user:nobody"), self.BO)) == ["his"]
        assert self.find(scopes=()) == []
        assert self.words("hers", "his", "all", scopes=()) == []
        assert len(self.find(scopes=None)) == 3

    def test_status_and_expiry_restrict(self) -> None:
        self.put(
            an_item("active"), an_item("archived", status=Status.ARCHIVED), an_item("brief", expires_at=10)
        )
        self.put(an_item("held", status=Status.QUARANTINED), outcome=Outcome.QUARANTINED)
        assert self.find() == ["brief", "active"]
        assert self.find(live_at=9) == ["brief", "active"]
        assert self.find(live_at=10) == ["active"]
        assert self.find(statuses=frozenset({Status.ARCHIVED})) == ["archived"]
        assert self.find(statuses=frozenset(Status)) == ["held", "brief", "archived", "active"]
        assert self.find(statuses=frozenset()) == []

    def test_every_filter_restricts_lists_texts_and_keys_alike(self) -> None:
        wanted = an_item(
            "the wanted falcon",
            type="decision",
            tier=Tier.MTM,
            tags=("Срочно", "release"),
            entities=("Éva Nagy",),
            event_at=50,
            valid_from=20,
            valid_until=30,
            session_id="s1",
            task_id="t1",
            corpus_id="c1",
            metadata={"channel": "почта", "n": 3, "sent": True, "gone": None, "deep": {"n": 4}},
            pinned=True,
            injectable=False,
        )
        self.put(wanted, an_item("another falcon", at=1))
        passes: list[dict[str, Any]] = [
            {"tiers": frozenset({Tier.MTM, Tier.LTM})},
            {"types": frozenset({"decision"})},
            {"tags": frozenset({"срочно"})},
            {"tags": frozenset({"срочно", "release"})},
            {"entity": "éva nagy"},
            {"after": 50, "before": 51},
            {"valid_at": 20, "types": frozenset({"decision"})},
            {"valid_at": 29, "types": frozenset({"decision"})},
            {"session_id": "s1"},
            {"task_id": "t1"},
            {"corpus_id": "c1"},
            {"metadata": (("channel", '"почта"'), ("n", "3"))},
            {"metadata": (("n", "3.0"), ("sent", "true"), ("gone", "null"))},
            {"pinned": True},
            {"injectable": False},
        ]
        fails: list[dict[str, Any]] = [
            {"tiers": frozenset({Tier.LTM})},
            {"tiers": frozenset()},
            {"types": frozenset({"note"})},
            {"tags": frozenset({"release", "missing"})},
            {"tags": frozenset({"rel"})},
            {"entity": "éva"},
            {"after": 51},
            {"after": 2, "before": 50},
            {"valid_at": 30, "types": frozenset({"decision"})},
            {"valid_at": 19, "types": frozenset({"decision"})},
            {"session_id": "s"},
            {"task_id": "t"},
            {"corpus_id": ""},
            {"metadata": (("channel", '"почта"'), ("n", "4"))},
            {"metadata": (("sent", "1"),)},
            {"metadata": (("n", '"3"'),)},
            {"metadata": (("missing", "null"),)},
            {"pinned": False, "after": 2},
            {"injectable": True, "after": 2},
        ]
        for filters in passes:
            assert self.find(**filters) == ["the wanted falcon"], filters
            assert self.words("falcon", **filters) == ["the wanted falcon"], filters
        for filters in fails:
            assert self.find(**filters) == [], filters
            assert self.words("falcon", **filters) == [], filters

    def test_a_thousand_items_that_do_not_pass_crowd_nothing_out(self) -> None:
        others = [an_item(f"falcon falcon falcon {n}", scope=self.BO) for n in range(1000)]
        notes = [an_item(f"falcon falcon falcon {n}", type="note", scope=self.ANA) for n in range(1000)]
        self.put(an_item("one falcon among many other words", scope=self.ANA), *others, *notes)
        facts = frozenset({"fact"})
        wanted = ["one falcon among many other words"]
        assert self.words("falcon", limit=3, scopes=(self.ANA,), types=facts) == wanted
        assert self.find(3, scopes=(self.ANA,), types=facts) == wanted
        assert len(self.words("falcon", limit=3)) == 3

    # Text

    def test_any_term_or_every_term_or_their_beginnings(self) -> None:
        self.put(an_item("red falcon"), an_item("red heron"), an_item("grey heron"))
        assert set(self.words("red", "falcon")) == {"red falcon", "red heron"}
        assert self.words("red", "falcon")[0] == "red falcon"
        assert self.words("red", "falcon", every=True) == ["red falcon"]
        assert set(self.words("her", prefixes=True)) == {"red heron", "grey heron"}
        assert self.words("her") == []
        assert self.words("nothing") == []
        assert self.words() == []

    def test_words_are_found_in_title_tags_entities_and_parts_of_names(self) -> None:
        self.put(an_item("one", title="Quarterly falcon"), an_item("two", tags=("heron",)))
        self.put(an_item("three", entities=("Ana Lovelace",)), an_item("set retryCount to 4"))
        self.put(an_item("请打开配置文件"), an_item("Où est le café ?"))
        assert self.words("falcon") == ["one"]
        assert self.words("heron") == ["two"]
        assert self.words("lovelace") == ["three"]
        assert self.words("retry") == ["set retryCount to 4"]
        assert self.words("配置") == ["请打开配置文件"]
        assert self.words("CAFE") == ["Où est le café ?"]

    def test_equally_good_matches_are_ordered_by_age(self) -> None:
        self.put(*[an_item(f"falcon {n}") for n in (10, 11, 12, 13)])
        assert self.words("falcon") == ["falcon 13", "falcon 12", "falcon 11", "falcon 10"]
        assert self.words("falcon", limit=2) == ["falcon 13", "falcon 12"]

    def test_a_reworded_item_is_found_by_its_present_words_only(self) -> None:
        item = an_item("falcon", title="heron", tags=("stork",))
        self.put(item)
        self.revise(replace(item, content="osprey", title="", tags=()))
        assert self.words("osprey") == ["osprey"]
        assert self.words("falcon", "heron", "stork") == []

    def test_operators_and_quotes_are_words_like_any_others(self) -> None:
        self.put(an_item("falcon"))
        for term in (
            '"',
            "'",
            "*",
            "AND",
            "NEAR(",
            "(",
            "a:b",
            "-falcon",
            "^",
            "falcon*",
            "\\",
            "%",
            "\0",
            "a\0b",
        ):
            self.words(term)
            self.words(term, "falcon", every=True, prefixes=True)
            assert self.words(term, "falcon") == ["falcon"], term

    def test_every_scope_that_holds_something_is_known(self) -> None:
        with self.store.read() as reader:
            assert reader.scopes() == []
        self.put(an_item("one", scope=self.ANA), an_item("two"), an_item("three", scope=self.ANA))
        with self.store.read() as reader:
            assert reader.scopes() == [Scope(), self.ANA]

    def test_tokens_are_counted_over_all_items(self) -> None:
        self.put(an_item("running falcons"), an_item("a falcon runs"), an_item("heron"))
        with self.store.read() as reader:
            (falcon,), (run,) = reader.tokens(["falcons", "running"])
            assert reader.document_counts([falcon, run, "nothing"]) == {falcon: 2, run: 2, "nothing": 0}

    # Vectors

    def test_vectors_come_with_scope_status_and_expiry(self) -> None:
        self.put(an_item("one", scope=self.ANA), an_item("two", status=Status.ARCHIVED, expires_at=7))
        with self.store.read() as reader:
            (changes,) = reader.vector_changes(0, self.MODEL.fingerprint)
            assert reader.scope_keys(self.selection()) is None
            assert reader.scope_keys(self.selection(scopes=(self.ANA,))) == [changes.scopes[0]]
            assert list(reader.scope_keys(self.selection(scopes=())) or ()) == []
        assert changes.statuses.tolist() == [0, 1]
        assert changes.expires_at.tolist() == [np.iinfo(np.int64).max, 7]
        assert np.array_equal(changes.vectors, FakeEmbedder(8).embed(["one", "two"]))

    def test_a_mark_holds_in_this_and_in_later_states_of_this_store_only(self) -> None:
        marks: list[str] = []

        def mark() -> None:
            with self.store.read() as reader:
                marks.append(reader.mark())

        mark()
        item = an_item("one")
        self.put(item)
        mark()
        self.revise(replace(item, status=Status.ARCHIVED))
        mark()
        self.store.purge([item.id], 0)
        mark()
        with self.store.read() as reader:
            assert all(reader.holds(given) for given in marks)
            assert reader.mark() == marks[-1]
            assert not any(reader.holds(given) for given in ("", "nothing", "0.0.0.0.0", marks[1][:-1]))
        with TemporaryDirectory() as name:
            other = self.make_store(Path(name))
            try:
                other.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED)], None))
                with other.read() as reader:
                    assert not any(reader.holds(given) for given in marks)
            finally:
                other.close()

    def test_changes_are_numbered_and_never_forgotten(self) -> None:
        item = an_item("one")
        self.put(item)
        with self.store.read() as reader:
            before = reader.last_change()
        self.revise(replace(item, status=Status.ARCHIVED))
        with self.store.read() as reader:
            (moved,) = reader.vector_changes(before, self.MODEL.fingerprint)
            key = reader.key(item.id)
            middle = reader.last_change()
        assert moved.keys.tolist() == [key]
        assert moved.statuses.tolist() == [1]
        self.store.purge([item.id], 0)
        with self.store.read() as reader:
            (gone,) = reader.vector_changes(middle, self.MODEL.fingerprint)
            assert reader.last_change() > middle > before
        assert gone.keys.tolist() == [key]
        assert gone.scopes.tolist() == [-1]

    def test_what_lacks_a_vector_of_a_model_is_listed_by_key(self) -> None:
        self.put(an_item("one"), an_item("two"))
        self.store.write(lambda tx: tx.insert([NewItem(an_item("three"), Outcome.ACCEPTED)], None))
        held = NewItem(an_item("held", status=Status.QUARANTINED), Outcome.QUARANTINED)
        self.store.write(lambda tx: tx.insert([held], None))
        with self.store.read() as reader:
            ((key, missing),) = reader.without_vector(self.MODEL.fingerprint, 0, 10)
            assert [item.content for _, item in reader.without_vector("other", 0, 2)] == ["one", "two"]
            assert reader.without_vector(self.MODEL.fingerprint, key, 10) == []
        assert missing.content == "three"
        self.store.write(lambda tx: tx.put_vectors(self.MODEL, [(key, None)]))
        with self.store.read() as reader:
            assert reader.without_vector(self.MODEL.fingerprint, 0, 10) == []
            assert reader.models() == [(self.MODEL, 2)]

    def test_what_lacks_a_vector_is_counted_and_found_among_what_changed(self) -> None:
        name, others = self.MODEL.fingerprint, EmbedderIdentity("other", "other-4", 4)
        self.put(an_item("one"), an_item("two"))
        with self.store.read() as reader:
            assert reader.count_lacking_vector(name) == (0, 2)
            assert reader.count_lacking_vector(others.fingerprint) == (2, 2)
            change, extent = reader.last_change(), reader.extent()
        self.store.write(lambda tx: tx.insert([NewItem(an_item("three"), Outcome.ACCEPTED)], None))
        held = NewItem(an_item("held", status=Status.QUARANTINED), Outcome.QUARANTINED)
        self.store.write(lambda tx: tx.insert([held], None))
        with self.store.read() as reader:
            assert reader.count_lacking_vector(name) == (1, 3)
            ((three, _),) = reader.without_vector(name, 0, 10)
            assert reader.lacking_vector(name, (), change, extent, 10) == [three]
            later = reader.last_change(), reader.extent()
            assert reader.lacking_vector(name, (), *later, 10) == []
            assert reader.lacking_vector(name, (1, three), *later, 10) == [three]
            assert len(reader.lacking_vector(others.fingerprint, (), change, 0, 2)) == 2
        self.store.write(lambda tx: tx.put_vectors(self.MODEL, [(three, None)]))
        with self.store.read() as reader:
            assert reader.count_lacking_vector(name) == (0, 3)
            assert reader.lacking_vector(name, (three,), change, extent, 10) == []
        self.store.write(lambda tx: tx.drop_vectors(name))
        with self.store.read() as reader:
            assert len(reader.lacking_vector(name, (), *later, 10)) == 3

    def test_vectors_of_two_models_stand_beside_each_other_until_one_is_dropped(self) -> None:
        other = EmbedderIdentity("other", "other-4", 4)
        self.put(an_item("one"))
        with self.store.read() as reader:
            ((key, _),) = reader.without_vector(other.fingerprint, 0, 10)
        self.store.write(lambda tx: tx.put_vectors(other, [(key, np.ones(4, np.float32))]))
        with self.store.read() as reader:
            assert reader.models() == [(self.MODEL, 1), (other, 1)]
        self.store.write(lambda tx: tx.drop_vectors(self.MODEL.fingerprint))
        with self.store.read() as reader:
            assert reader.models() == [(other, 1)]
            assert len(reader.without_vector(self.MODEL.fingerprint, 0, 10)) == 1

    def test_vectors_that_were_set_aside_are_read_by_nobody_until_they_are_brought_back(self) -> None:
        name = self.MODEL.fingerprint
        self.put(an_item("one"), an_item("two"))
        with self.store.read() as reader:
            ids = [item.id for _, item in reader.without_vector("other", 0, 10)]
            held = {item_id: vector.tolist() for item_id, vector in reader.vectors_of(name, ids).items()}
        self.store.write(lambda tx: tx.set_vectors_aside(name, "run 1"))
        with self.store.read() as reader:
            assert (reader.models(), reader.known_models(), reader.vectors_of(name, ids)) == ([], (), {})
            assert reader.has_vectors_aside()
            change = reader.last_change()
        assert not self.store.write(lambda tx: tx.bring_vectors_back(name, "run 2"))
        assert self.store.write(lambda tx: tx.bring_vectors_back(name, "run 1"))
        with self.store.read() as reader:
            found = {item_id: vector.tolist() for item_id, vector in reader.vectors_of(name, ids).items()}
            assert found == held
            assert reader.models() == [(self.MODEL, 2)]
            assert reader.last_change() > change  # Whoever keeps vectors in memory looks at them anew.

    def test_what_one_run_set_aside_goes_when_another_does_so(self) -> None:
        self.put(an_item("one"))
        self.store.write(lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "run 1"))
        self.put(an_item("two"))
        self.store.write(lambda tx: tx.set_vectors_aside(self.MODEL.fingerprint, "run 2"))
        assert not self.store.write(lambda tx: tx.bring_vectors_back(self.MODEL.fingerprint, "run 1"))
        assert self.store.write(lambda tx: tx.bring_vectors_back(self.MODEL.fingerprint, "run 2"))
        with self.store.read() as reader:
            assert reader.models() == [(self.MODEL, 1)]

    def test_a_vector_that_is_no_vector_of_its_model_is_refused(self) -> None:
        self.put(an_item("one"))
        for vector in (np.ones(7, np.float32), np.zeros(9, np.float32), np.full(8, np.nan, np.float32)):
            new = NewItem(an_item("two"), Outcome.ACCEPTED, vector)
            with _raises(InvalidVector):
                self.store.write(lambda tx, new=new: tx.insert([new], self.MODEL))
        grown = replace(self.MODEL, dimension=9)
        with _raises(InvalidVector):
            self.store.write(lambda tx: tx.put_vectors(grown, [(1, np.ones(9, np.float32))]))
        assert self.find() == ["one"]

    # What may not be there twice

    def test_no_two_active_items_of_a_scope_have_the_same_content(self) -> None:
        first = an_item("the same", scope=self.ANA)
        self.put(first)
        with _raises(Conflict):
            self.put(an_item("another"), an_item("the  same", scope=self.ANA))
        assert self.find() == ["the same"]
        self.put(an_item("the same", scope=self.BO), an_item("the same", type="note", scope=self.ANA))
        with self.store.read() as reader:
            hashes = [first.content_hash, an_item("unknown").content_hash]
            assert reader.holders(self.ANA, hashes) == {first.content_hash: first.id}
            assert reader.holders(Scope("user:nobody"), hashes) == {}
            assert reader.holders(self.ANA, []) == {}

    def test_an_archived_or_quarantined_item_does_not_hold_its_content(self) -> None:
        archived, held = an_item("one"), an_item("two", status=Status.QUARANTINED)
        self.put(archived)
        self.revise(replace(archived, status=Status.ARCHIVED))
        self.put(held, outcome=Outcome.QUARANTINED)
        with self.store.read() as reader:
            assert reader.holders(archived.scope, [archived.content_hash, held.content_hash]) == {}
            found = reader.holders(archived.scope, [held.content_hash], quarantined=True)
        assert found == {held.content_hash: held.id}
        self.put(an_item("one"), an_item("two"))
        with _raises(Conflict):
            self.revise(replace(archived, status=Status.ACTIVE))
        with _raises(Conflict):
            self.revise(replace(held, status=Status.ACTIVE))
        assert self.get(archived).status is Status.ARCHIVED

    def test_episodes_repeat_but_each_turn_of_a_session_is_there_once(self) -> None:
        def turn(content: str, ordinal: int, source: str | None = None) -> Item:
            provenance = Provenance(source_id=source, source_role="user")
            return an_item(content, type="episode", session_id="s", ordinal=ordinal, provenance=provenance)

        turns = [turn("hi", 0), turn("hi", 1), turn("bye", 2, "m3")]
        self.put(*turns)
        with _raises(Conflict):
            self.put(turn("hi", 1))
        with _raises(Conflict):
            self.put(turn("anything", 9, "m3"))
        with self.store.read() as reader:
            assert [(found.id, found.ordinal, found.role) for found in reader.turns(Scope(), "s")] == [
                (item.id, item.ordinal, "user") for item in turns
            ]
            last = reader.last_turn(Scope(), "s")
            assert last is not None
            assert (last.id, last.content_hash) == (turns[2].id, turns[2].content_hash)
            assert reader.turns_by_source(Scope(), "s", ["m3", "m4"]) == {"m3": turns[2].id}
            assert reader.turns_by_source(Scope(), "s", []) == {}
            for scope, session in ((self.ANA, "s"), (Scope(), "other")):
                assert reader.turns(scope, session) == []
                assert reader.last_turn(scope, session) is None
                assert reader.turns_by_source(scope, session, ["m3"]) == {}

    def test_an_id_is_there_once(self) -> None:
        item = an_item("one")
        self.put(item)
        with _raises(Conflict):
            self.put(an_item("two", id=item.id))
        assert self.find() == ["one"]

    # Writing

    def test_work_that_fails_leaves_no_trace_and_its_error_is_passed_on(self) -> None:
        item = an_item("never", scope=Scope("user:new"))

        def work(tx: Writer) -> None:
            tx.insert([NewItem(item, Outcome.QUARANTINED, np.ones(8, np.float32), ("why",))], self.MODEL)
            tx.use([item.id], "s", 1)
            tx.touch_session("s", item.scope, 1, 1)
            tx.assign(Place(item.id, "d", "r", "s"))
            raise KeyError(item.id)

        with _raises(KeyError):
            self.store.write(work)
        with self.store.read() as reader:
            assert reader.get([item.id]) == {}
            assert reader.events() == []
            assert reader.sessions(None, 10) == []
            assert reader.last_change() == 0
            assert reader.review_queue(None, 10) == []
        assert self.words("never", statuses=frozenset(Status)) == []
        self.put(item)
        assert self.find(scopes=(item.scope,)) == ["never"]

    def test_each_caller_gets_its_own_result_or_its_own_error(self) -> None:
        def work(tx: Writer, n: int) -> int:
            tx.insert([NewItem(an_item(f"item {n}"), Outcome.ACCEPTED)], None)
            if n % 5 == 0:
                raise ZeroDivisionError(str(n))
            return n

        def call(n: int) -> int | str:
            try:
                return self.store.write(lambda tx: work(tx, n))
            except ZeroDivisionError as error:
                return str(error)

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(call, range(320)))
        assert answers == [str(n) if n % 5 == 0 else n for n in range(320)]
        assert set(self.find(1000)) == {f"item {n}" for n in range(320) if n % 5}
        assert self.store.check_audit() == []

    def test_a_reader_keeps_its_view_while_others_write(self) -> None:
        self.put(an_item("before"))
        with self.store.read() as reader:
            assert reader.count(self.selection()) == 1
            self.put(an_item("after"))
            assert reader.count(self.selection()) == 1
            with self.store.read() as newer:
                assert newer.count(self.selection()) == 2

    # History

    def test_each_change_leaves_a_revision_with_the_whole_state(self) -> None:
        first = an_item("first")
        second = replace(first, content="second", confidence=0.4, updated_at=first.updated_at + 5)
        self.put(first)
        self.revise(second, reason="because", run_id="run-1")
        with self.store.read() as reader:
            revisions = reader.revisions(first.id)
            assert reader.revisions("unknown") == []
        assert [(r.number, r.item, r.at, r.reason, r.run_id) for r in revisions] == [
            (1, first, first.created_at, "create", None),
            (2, second, second.updated_at, "because", "run-1"),
        ]
        with _raises(NotFound):
            self.revise(an_item("unknown"))

    def test_what_was_known_at_an_instant(self) -> None:
        first = an_item("first falcon", at=10, scope=self.ANA)
        self.put(first, an_item("another falcon", at=20, scope=self.BO))
        self.revise(replace(first, content="second falcon", updated_at=30))
        self.revise(replace(first, content="second falcon", updated_at=40, status=Status.ARCHIVED))

        def known(at: int, *scopes: Scope) -> list[str]:
            past = self.store.as_of(at, scopes or None)
            try:
                with past.read() as reader:
                    items = [item.content for item in reader.find(self.selection(), limit=10)]
                    found = reader.search_text(TextQuery(("falcon",)), self.selection(), 10)
                    assert len(found.keys) == len(items)
            finally:
                past.close()
            return items

        assert known(9) == []
        assert known(10) == ["first falcon"]
        assert known(25) == ["another falcon", "first falcon"]
        assert known(30) == ["another falcon", "second falcon"]
        assert known(30, self.ANA) == ["second falcon"]
        assert known(40) == ["another falcon"]
        assert self.find() == ["another falcon"]

    def test_what_was_known_before_a_clock_was_set_back_can_still_be_read(self) -> None:
        first, second = an_item("the same", at=10), an_item("the same", at=15)
        self.put(first)
        self.revise(replace(first, content="reworded", updated_at=20))
        self.put(second)  # Stored later, but dated before the rewording.
        past = self.store.as_of(17, None)
        try:
            with past.read() as reader:
                assert [i.content for i in reader.find(self.selection(), limit=10)] == ["the same"] * 2
        finally:
            past.close()

    def test_an_item_of_another_store_is_restored_with_its_history_and_continued(self) -> None:
        first = an_item("first", scope=self.ANA)
        second = replace(first, content="second", updated_at=first.updated_at + 1)
        history = [Revision(1, first, 10, "create"), Revision(2, second, 20, "update", "run")]
        self.store.write(lambda tx: tx.restore(history[:1], first))
        self.store.write(lambda tx: tx.restore(history, second))
        self.store.write(lambda tx: tx.restore(history, second))
        with self.store.read() as reader:
            assert reader.revisions(first.id) == history
        assert self.find(scopes=(self.ANA,)) == ["second"]
        assert self.words("first") == []
        other = [Revision(1, replace(first, content="other"), 10, "create")]
        with _raises(Conflict):
            self.store.write(lambda tx: tx.restore(other, other[0].item))
        taken = an_item("second", scope=self.ANA)
        with _raises(Conflict):
            self.store.write(lambda tx: tx.restore([Revision(1, taken, 10, "create")], taken))
        assert self.find() == ["second"]

    def test_what_hangs_on_items_of_another_store_comes_with_them(self) -> None:
        turn = an_item("first", type="episode", session_id="s", ordinal=0, scope=self.ANA)
        copy = Copied(
            revisions=[Revision(1, turn, 10, "record")],
            usage=replace(turn, usage=Usage(usage_count=2)),
            uses=[("s", 5), ("t", 6)],
            place=Place(turn.id, "home", "hall", "shelf"),
            waits=Buffered("s", failed=True, tries=3, error="no answer"),
        )
        again = Copied(revisions=[Revision(1, replace(turn, content="other"), 10, "record")], usage=turn)
        assert self.store.write(lambda tx: tx.take_in([copy])) == [None]
        (problem,) = self.store.write(lambda tx: tx.take_in([again]))
        assert problem is not None
        with self.store.read() as reader:
            key = reader.key(turn.id) or 0
            assert reader.load([key])[key].usage.usage_count == 2
            assert reader.uses_of([key]) == {key: [("s", 5), ("t", 6)]}
            assert reader.buffered([key]) == {key: copy.waits}
            assert reader.assignment(turn.id) == copy.place

    def test_what_only_files_brought_for_which_nobody_vouched_is_known(self) -> None:
        own, vouched, brought, touched = (an_item(text, scope=self.ANA) for text in ("a", "b", "c", "d"))
        self.put(own)
        copies = [
            Copied(revisions=[Revision(1, item, 10, "create")], usage=item)
            for item in (vouched, brought, touched)
        ]
        self.store.write(lambda tx: tx.take_in(copies[:1], vouched=True))
        self.store.write(lambda tx: tx.take_in(copies[1:], vouched=False))
        self.store.write(lambda tx: tx.record([AuditEvent(action="confirm", at=20, item_id=touched.id)]))
        ids = [item.id for item in (own, vouched, brought, touched)]
        with self.store.read() as reader:
            assert reader.only_files_brought([*ids, new_id(9)]) == {brought.id}
            assert reader.only_files_brought([]) == frozenset()

    def test_a_part_of_a_transaction_that_fails_leaves_the_rest(self) -> None:
        first, second = an_item("first", scope=self.ANA), an_item("second", scope=self.BO)

        def write(tx: Writer) -> None:
            tx.insert([NewItem(first, Outcome.ACCEPTED)], None)
            with suppress(Conflict), tx.savepoint():
                tx.insert([NewItem(second, Outcome.ACCEPTED)], None)
                raise Conflict
            with _raises(Conflict), tx.savepoint():
                tx.put_run(
                    Run(id=new_id(1), job="decay", trigger="hand", scope="ALL", started_at=1, parent="x")
                )

        self.store.write(write)
        assert self.find() == ["first"]
        self.put(second)
        assert sorted(self.find()) == ["first", "second"]

    def test_an_entity_of_another_store_keeps_its_id_and_those_that_lead_to_it(self) -> None:
        known = Entity(id=new_id(5), name="Ana", scope=self.ANA, aliases=("Ada",), first_seen_at=5)
        gone = new_id(6)
        key = self.store.write(lambda tx: tx.know(known, [gone]))
        with self.store.read() as reader:
            assert reader.entity(gone) == (key, known)
            assert reader.known_entities(None, 0, 10) == [(key, known, (gone,))]
        with _raises(Conflict):
            self.store.write(lambda tx: tx.know(replace(known, id=new_id(7)), []))
        self.store.write(lambda tx: tx.drop_unneeded([key]))  # Somebody gave it an alias.
        with self.store.read() as reader:
            assert reader.entity(known.id) is not None

    # Use

    def test_an_item_counts_once_a_session_and_gains_confidence_without_a_revision(self) -> None:
        item = an_item("one", confidence=0.5)
        self.put(item)
        for session, counted in (("s1", {item.id}), ("s1", set[str]()), ("s2", {item.id})):
            assert self.store.write(lambda tx, s=session: tx.use([item.id, "unknown"], s, 7)) == counted
        used = self.get(item)
        assert (used.usage_count, used.last_used_at, used.last_hit_at) == (2, 7, None)
        assert abs(used.confidence - (0.5 + 0.05 * np.log(1 + 1 / 20) + 0.05 * np.log(1 + 2 / 20))) < 1e-9
        with self.store.read() as reader:
            assert len(reader.revisions(item.id)) == 1
        self.revise(replace(used, title="folded"))
        assert abs(self.get(item).confidence - used.confidence) < 1e-9

    def test_a_link_of_items_used_together_grows_by_1_and_fades_between(self) -> None:
        self.put(*[an_item(f"item {n}", id=f"id-{n}", at=1) for n in range(3)])

        def strengthen(*pairs: tuple[str, str], at: int) -> int:
            return self.store.write(lambda tx: tx.strengthen(pairs, at))

        def links() -> list[tuple[str, str, float, int | None, int]]:
            with self.store.read() as reader:
                found = reader.links(["id-0", "id-2"], [Relation.CO_RECALLED])
            return [(x.src, x.dst, round(x.weight, 6), x.valid_from, x.created_at) for x in found]

        assert strengthen(("id-0", "id-1"), at=5) == 1
        assert links() == [("id-0", "id-1", 1.0, 5, 5)]
        # Both ways round it is one link, given twice it counts once: 1 · (0.3 + 0.7 · exp(−0.004 · 180)) + 1.
        assert strengthen(("id-1", "id-0"), ("id-0", "id-1"), ("id-2", "id-0"), at=5 + 180 * DAY_US) == 2
        again = 5 + 180 * DAY_US
        assert links() == [("id-0", "id-1", 1.640727, again, 5), ("id-0", "id-2", 1.0, again, again)]
        # A clock set back fades nothing, and what was learnt later stays as of then.
        assert strengthen(("id-0", "id-1"), at=9) == 1
        assert links()[0] == ("id-0", "id-1", 2.640727, again, 5)
        assert strengthen(at=9) == 0

    def test_only_items_that_may_know_of_each_other_are_linked_by_use(self) -> None:
        project = Scope("project:apollo")
        self.put(
            an_item("hers", id="hers", scope=self.ANA),
            an_item("his", id="his", scope=self.BO),
            an_item("ours", id="ours"),
            an_item("project", id="project", scope=project),
            an_item("hers there", id="both", scope=Scope("user:ana/project:apollo")),
            an_item("turn", id="turn", scope=self.ANA, type="episode"),
            an_item("old", id="old", scope=self.ANA, status=Status.ARCHIVED),
        )
        self.put(
            an_item("held", id="held", scope=self.ANA, status=Status.QUARANTINED), outcome=Outcome.QUARANTINED
        )
        ids = ["hers", "his", "ours", "project", "both", "turn", "old", "held", "unknown"]
        every = [(one, other) for n, one in enumerate(ids) for other in ids[n:]]
        made = self.store.write(lambda tx: tx.strengthen(every, 5))
        with self.store.read() as reader:
            links = {frozenset((link.src, link.dst)) for link in reader.links(ids)}
        together = ("hers ours", "his ours", "ours project", "ours both", "ours turn", "ours old")
        hers = ("hers both", "project both", "both turn", "both old", "hers turn", "hers old", "turn old")
        assert links == {frozenset(pair.split()) for pair in (*together, *hers)}
        assert made == len(links)

    def test_reinforcement_moves_and_an_instant_resets_the_hebbian_clock(self) -> None:
        item = an_item("one")
        self.put(item)
        self.store.write(lambda tx: tx.hit(item.id, 3.0, 7))
        self.store.write(lambda tx: tx.hit(item.id, -1.0, None))
        assert (self.get(item).reinforcement, self.get(item).last_hit_at) == (2.0, 7)
        with _raises(NotFound):
            self.store.write(lambda tx: tx.hit("unknown", 1.0, None))

    def test_the_weakest_come_first_by_effective_confidence_since_the_last_use(self) -> None:
        old, used, safe = an_item("old", at=0), an_item("used", at=0), an_item("safe", at=0, decay_rate=0.0)
        self.put(old, used, safe)
        self.store.write(lambda tx: tx.use([used.id], "s", 23 * DAY_US))
        with self.store.read() as reader:
            found = reader.weakest(self.selection(), 30 * DAY_US, 0.9, 10)
            assert [(item.content, round(value, 3)) for item, value in found] == [
                ("old", 0.219),
                ("used", 0.622),
            ]
            assert len(reader.weakest(self.selection(), 30 * DAY_US, 0.3, 10)) == 1
            assert len(reader.weakest(self.selection(), 30 * DAY_US, 0.9, 1)) == 1

    # What stands beside the items

    def test_links_are_seen_from_both_ends_and_a_repeated_one_is_updated(self) -> None:
        items = [an_item(f"item {n}", id=f"id-{n}") for n in range(3)]
        self.put(*items)
        causal = Link(
            src="id-0", dst="id-1", rel=Relation.CAUSAL, weight=0.5, evidence="said so", created_at=1
        )
        similar = Link(src="id-2", dst="id-0", rel=Relation.SIMILAR, confidence=0.4, valid_from=3)
        for link in (similar, causal, causal):
            self.store.write(lambda tx, link=link: tx.link(link))
        stronger = replace(causal, weight=2.0)
        self.store.write(lambda tx: tx.link(stronger))
        with self.store.read() as reader:
            assert reader.links(["id-0"]) == [stronger, similar]
            assert reader.links(["id-1"]) == [stronger]
            assert reader.links(["id-0"], [Relation.SIMILAR]) == [similar]
            assert reader.links(["unknown"]) == reader.links([]) == []
        for src, dst in (("id-0", "unknown"), ("unknown", "id-0")):
            with _raises(NotFound):
                self.store.write(lambda tx, s=src, d=dst: tx.link(Link(src=s, dst=d, rel=Relation.CAUSAL)))

    def test_settled_is_what_is_pinned_or_verified_in_exactly_these_scopes(self) -> None:
        pinned = an_item("pinned", scope=self.ANA, pinned=True)
        verified = an_item("verified", scope=self.ANA, validation=Validation.VERIFIED)
        held = an_item("held", scope=self.ANA, pinned=True, status=Status.QUARANTINED)
        self.put(
            pinned,
            verified,
            an_item("plain", scope=self.ANA),
            held,
            an_item("bo", scope=self.BO, pinned=True),
        )
        with self.store.read() as reader:
            found = reader.settled((self.ANA,))
            assert {item.content for item in reader.load(list(found)).values()} == {"pinned", "verified"}
            assert len(reader.settled((self.ANA, self.BO))) == 3
            assert reader.settled((Scope("user:nobody"),)) == {}
        self.revise(replace(pinned, content="pinned still"))
        self.revise(replace(verified, validation=Validation.UNVERIFIED))
        with self.store.read() as reader:
            now = reader.settled((self.ANA,))
            [key] = now
            assert now[key] != found[key]

    def test_a_wish_is_kept_beside_the_verdict(self) -> None:
        first, second = (an_item(text, status=Status.QUARANTINED) for text in ("one", "two"))
        wished = {"tier": "mtm", "pinned": True}
        self.put(first, outcome=Outcome.QUARANTINED, reasons=("no source: none",), wished=wished)
        self.put(second, outcome=Outcome.QUARANTINED, reasons=("no source: none",))
        with self.store.read() as reader:
            assert (reader.wish(first.id), reader.wish(second.id), reader.wish("none")) == (
                wished,
                None,
                None,
            )
        self.store.write(lambda tx: tx.keep_wish(second.id, {"tier": "ltm"}))
        with self.store.read() as reader:
            assert reader.wish(second.id) == {"tier": "ltm"}

    def test_items_are_found_by_where_they_come_from(self) -> None:
        page, chat = Provenance(source_id="page"), Provenance(source_id="chat")
        one = an_item("one", scope=self.ANA, provenance=page, session_id="s", created_at=10)
        two = an_item("two", scope=self.BO, provenance=page, session_id="t", created_at=20)
        three = an_item("three", scope=self.ANA, provenance=chat, session_id="s", created_at=30)
        gone = an_item("gone", scope=self.ANA, provenance=page, session_id="s", status=Status.ARCHIVED)
        self.put(one, two, three, gone)

        def coming(scopes: tuple[Scope, ...] | None = None, **given: Any) -> list[str]:
            with self.store.read() as reader:
                return reader.coming_from(Provenances(scopes=scopes, **given))

        assert coming(source_id="page") == [one.id, two.id]
        assert coming(session_id="s") == [one.id, three.id]
        assert coming(since=20) == [two.id, three.id]
        assert coming(session_id="s", source_id="page", since=11) == []
        assert coming(scopes=(self.ANA,)) == [one.id, three.id]
        assert coming(scopes=(Scope("user:nobody"),)) == []

    def test_what_is_quarantined_waits_in_order_until_it_is_judged(self) -> None:
        held = [an_item(f"held {n}", status=Status.QUARANTINED, scope=self.ANA) for n in range(3)]
        self.put(*held, outcome=Outcome.QUARANTINED, reasons=("no source",), why_store="useful")
        with self.store.read() as reader:
            queue = reader.review_queue(None, 10)
            assert [item for item, _ in queue] == held
            assert queue[0][1].reasons == ("no source",)
            assert queue[0][1].why_store == "useful"
            assert len(reader.review_queue((self.ANA,), 2)) == 2
            assert reader.review_queue((self.BO,), 10) == reader.review_queue((), 10) == []
        judged = StoredVerdict("rejected", ("wrong",), None, "user", 5)
        self.store.write(lambda tx: tx.judge(held[0].id, judged))
        with self.store.read() as reader:
            assert reader.verdict(held[0].id) == replace(judged, why_store="useful")
            assert reader.verdict("unknown") is None
            assert [item for item, _ in reader.review_queue(None, 10)] == held[1:]
        with _raises(NotFound):
            self.store.write(lambda tx: tx.judge("unknown", judged))

    def test_every_change_is_in_the_audit_log_without_its_text(self) -> None:
        item = an_item("a secret falcon", scope=self.ANA)
        self.put(item, actor="model")
        self.revise(replace(item, title="x"))
        event = AuditEvent(action="tool:memory.search", at=9, actor="tool", details={"k": 5})
        self.store.write(lambda tx: tx.record([event]))
        with self.store.read() as reader:
            events = reader.events()
            assert [(e.number, e.action, e.item_id) for e in events] == [
                (3, "tool:memory.search", None),
                (2, "update", item.id),
                (1, "create", item.id),
            ]
            assert [e.number for e in reader.events(item_id=item.id)] == [2, 1]
            assert [e.number for e in reader.events(limit=1)] == [3]
        assert events[0].details == {"k": 5}
        assert (events[2].actor, events[2].scope) == ("model", self.ANA)
        assert events[1].content_hash == events[2].content_hash != item.content_hash.hex()
        assert "falcon" not in repr(events)
        assert self.store.check_audit() == []

    def test_a_keyed_hash_is_the_same_each_time_and_another_in_another_store(self) -> None:
        def keyed(store: Store) -> str:
            return store.write(lambda tx: tx.keyed_hash("a guess"))

        other = self.make_store(self.folder / "other")
        try:
            assert keyed(self.store) == keyed(self.store) != keyed(other)
            with self.store.read() as reader:
                assert reader.keyed_hash("a guess") == keyed(self.store) != reader.keyed_hash("another")
        finally:
            other.close()

    def test_an_injection_of_an_item_that_is_gone_is_not_kept(self) -> None:
        late = Injection(
            id="late",
            at=1,
            scope="global",
            mode="inject",
            query="its words",
            items=(("purged", 0.5),),
            tokens=3,
        )
        self.store.write(lambda tx: tx.keep_injections([late]))
        with self.store.read() as reader:
            assert reader.injections(None, 10) == []

    def test_injections_are_kept_once_and_listed_newest_first(self) -> None:
        item = an_item()
        self.put(item)
        made = [
            Injection(
                id=f"i{n}", at=n, scope="global", mode="inject", query="q", items=((item.id, 0.5),), tokens=3,
                session_id="s" if n else None, signals={item.id: {"words": 0.5, "form": -0.125}} if n == 2 else {},
            )
            for n in range(3)
        ]  # fmt: skip
        for _ in range(2):
            self.store.write(lambda tx: tx.keep_injections(made))
        with self.store.read() as reader:
            assert reader.injections(None, 10) == made[::-1]
            assert reader.injections("s", 1) == made[2:]
            assert reader.injection("i0") == made[0]
            assert reader.injection("unknown") is None

    def test_an_item_stands_where_it_was_put_else_where_its_fields_say(self) -> None:
        apollo = Scope("user:ana/project:apollo")
        self.put(an_item("one", id="one", scope=apollo, tags=("release", "x")))
        self.put(an_item("two", id="two", entities=("Ana",), corpus_id="manuals"))
        self.put(an_item("three", id="three"))
        self.store.write(lambda tx: tx.assign(Place("three", "d", "r", "s")))
        self.store.write(lambda tx: tx.assign(Place("three", "apollo", "release", "fact")))
        with self.store.read() as reader:
            assert reader.place("one") == Place("one", "apollo", "release", "fact")
            assert reader.place("two") == Place("two", "manuals", "Ana", "fact")
            assert reader.place("three") == Place("three", "apollo", "release", "fact")
            assert reader.place("unknown") is None
            assert reader.places(self.selection(), None, None) == [
                (Place("", "apollo", "release", "fact"), 2),
                (Place("", "manuals", "Ana", "fact"), 1),
            ]
            assert reader.places(self.selection(scopes=(apollo,)), "apollo", "release") == [
                (Place("", "apollo", "release", "fact"), 1)
            ]
            cards = reader.cards(self.selection(), ("apollo", None, None), 10)
            assert [card.id for card in cards] == ["three", "one"]
            assert reader.cards(self.selection(), ("apollo", "release", "note"), 10) == []
        with _raises(NotFound):
            self.store.write(lambda tx: tx.assign(Place("unknown", "d", "r", "s")))

    def test_sessions_remember_when_they_were_first_and_last_heard_of(self) -> None:
        for at, turns in ((20, 2), (10, 1), (30, 4)):
            self.store.write(lambda tx, a=at, n=turns: tx.touch_session("s", self.ANA, a, n))
        self.store.write(lambda tx: tx.touch_session("t", self.BO, 5, 1))
        with self.store.read() as reader:
            found = reader.session(self.ANA, "s")
            assert found is not None
            assert (found.first_seen_at, found.last_seen_at, found.turns) == (10, 30, 7)
            assert reader.session(self.BO, "s") is None
            assert [session.session_id for session in reader.sessions(None, 10)] == ["s", "t"]
            assert [session.session_id for session in reader.sessions((self.BO,), 10)] == ["t"]
            assert reader.sessions((), 10) == []

    def test_only_what_is_there_can_wait_for_extraction(self) -> None:
        item = an_item("one", type="episode")
        self.put(item)
        for _ in range(2):
            self.store.write(lambda tx: tx.await_extraction([item.id], "s"))
        with _raises(NotFound):
            self.store.write(lambda tx: tx.await_extraction(["unknown"], "s"))

    def test_turns_wait_until_they_are_taken_or_put_off_for_good(self) -> None:
        turns = [an_item(text, type="episode", scope=self.ANA, session_id="s", ordinal=n, at=n + 1)
                 for n, text in enumerate(("one", "zwei"))]  # fmt: skip
        self.put(*turns)
        ids = [turn.id for turn in turns]
        self.store.write(lambda tx: tx.await_extraction(ids, "s"))
        with self.store.read() as reader:
            (one,) = reader.waiting((self.ANA,))
            assert (one.scope, one.session_id, one.turns, one.failed) == (self.ANA, "s", 2, 0)
            assert (one.bytes, one.last_at, one.tries, one.retry_at) == (7, 2, 0, None)
            assert reader.waiting((self.BO,)) == []
            assert [turn.item for turn in reader.waiting_turns(self.ANA, "s", 9)] == turns
            assert len(reader.waiting_turns(self.ANA, "s", 1)) == 1
        assert self.store.write(lambda tx: tx.put_off(ids[:1], "no answer", 5)) == 1
        assert self.store.write(lambda tx: tx.put_off(ids[1:], "no answer", None)) == 1
        with self.store.read() as reader:
            (one,) = reader.waiting(None)
            assert (one.turns, one.failed, one.tries, one.retry_at) == (1, 1, 1, 5)
            (left,) = reader.waiting_turns(self.ANA, "s", 9)
            assert (left.tries, left.failed, left.error, left.retry_at) == (1, False, "no answer", 5)
            assert [turn.failed for turn in reader.waiting_turns(self.ANA, "s", 9, failed=True)] == [
                False,
                True,
            ]
            assert reader.statistics(None)["buffer"] == {"waiting": 1, "failed": 1}
        assert self.store.write(lambda tx: tx.take_turns([*ids, "unknown"])) == 2
        with self.store.read() as reader:
            assert reader.waiting(None) == []

    def test_turns_wait_again_as_they_did(self) -> None:
        turns = [an_item(text, type="episode", scope=self.ANA, session_id="s", ordinal=n)
                 for n, text in enumerate(("one", "two"))]  # fmt: skip
        self.put(*turns)
        first, second = (turn.id for turn in turns)
        waits = {
            first: Buffered("s", failed=True, tries=3, error="no answer"),
            second: Buffered("s", tries=1, retry_at=7),
        }
        for _ in range(2):
            self.store.write(lambda tx: tx.wait_again(waits))
        with self.store.read() as reader:
            found = reader.waiting_turns(self.ANA, "s", 9, failed=True)
        assert [(turn.item, *turn[1:]) for turn in found] == [
            (turns[0], 3, True, "no answer", None),
            (turns[1], 1, False, None, 7),
        ]
        with _raises(NotFound):
            self.store.write(lambda tx: tx.wait_again({"unknown": Buffered("s")}))

    def test_a_session_is_over_until_it_is_heard_of_again(self) -> None:
        self.store.write(lambda tx: tx.touch_session("s", self.ANA, 5, 1))
        self.store.write(lambda tx: tx.touch_session("s", self.BO, 9, 1))
        with self.store.read() as reader:
            assert [one.scope for one in reader.unended(None, 9, 10)] == [self.ANA, self.BO]
            assert [one.scope for one in reader.unended(None, 8, 10)] == [self.ANA]
            assert reader.unended((self.BO,), 8, 10) == []
            assert [one.scope for one in reader.sessions_named(None, "s")] == [self.ANA, self.BO]
            assert reader.sessions_named((self.ANA,), "t") == []
        assert self.store.write(lambda tx: tx.end_session(self.ANA, "s", 20))
        assert not self.store.write(lambda tx: tx.end_session(self.ANA, "s", 30))
        assert not self.store.write(lambda tx: tx.end_session(self.ANA, "unknown", 30))
        with self.store.read() as reader:
            assert [one.scope for one in reader.unended(None, 9, 10)] == [self.BO]
            session = reader.session(self.ANA, "s")
            assert session is not None
            assert session.ended_at == 20
        self.store.write(lambda tx: tx.reopen_session(self.ANA, "s"))
        self.store.write(lambda tx: tx.reopen_session(self.ANA, "unknown"))
        with self.store.read() as reader:
            assert [one.scope for one in reader.unended(None, 9, 10)] == [self.ANA, self.BO]
        self.store.write(lambda tx: tx.end_session(self.ANA, "s", 30))
        self.store.write(lambda tx: tx.touch_session("s", self.ANA, 40, 1))
        with self.store.read() as reader:
            session = reader.session(self.ANA, "s")
            assert session is not None
            assert session.ended_at is None

    def test_statistics_count_by_tier_type_status_and_scope(self) -> None:
        self.put(an_item("one", scope=self.ANA), an_item("two", type="note"), an_item("three", tier=Tier.LTM))
        with self.store.read() as reader:
            counts, hers, none = (reader.statistics(scopes) for scopes in (None, (self.ANA,), ()))
        assert counts["items"] == 3
        assert counts["by_tier"] == {"ltm": 1, "stm": 2}
        assert counts["by_type"] == {"fact": 2, "note": 1}
        assert sum(counts["active_by_type"].values()) == counts["by_status"].get("active", 0)
        assert counts["by_status"] == {"active": 3}
        assert counts["by_scope"] == {"global": 2, "user:ana": 1}
        assert (hers["items"], none["items"]) == (1, 0)

    # Entities and the graph

    def name(self, item: Item, *names: str | Name) -> Item:
        """Store an item that mentions these names."""
        read = tuple(name if isinstance(name, Name) else Name(name) for name in names)
        self.store.write(lambda tx: tx.insert([NewItem(item, Outcome.ACCEPTED, names=read)], None))
        return item

    def entities(self, scopes: tuple[Scope, ...] | None = None, **fields: Any) -> dict[str, Entity]:
        """Entities by name, in the order in which they are listed."""
        with self.store.read() as reader:
            return {entity.name: entity for _, entity in reader.entities(scopes, 100, **fields)}

    def counts(self, scopes: tuple[Scope, ...] | None = None, **fields: Any) -> dict[str, int]:
        """How often entities are mentioned, by name."""
        return {name: entity.mention_count for name, entity in self.entities(scopes, **fields).items()}

    def entity_key(self, name: str, scope: Scope | None = None) -> int:
        """The key of the entity of a name."""
        with self.store.read() as reader:
            ((_, key, _),) = reader.entities_named([fold(name)], None if scope is None else (scope,))
        return key

    def mentioning(self, *names: str, limit: int = 100, **changes: Any) -> list[str]:
        """Contents of the items that pass and mention any of these names, newest first."""
        keys = [self.entity_key(name) for name in names]
        with self.store.read() as reader:
            found = reader.mentions(keys, self.selection(**changes), limit)
            items = reader.load(found)
        return [items[key].content for key in found]

    def test_names_become_entities_that_are_counted(self) -> None:
        self.name(an_item("one", at=10, event_at=5), "Ana Lovelace", Name("Rome", EntityType.PLACE))
        self.name(an_item("two", at=20), "ANA  lovelace")
        found = self.entities()
        assert list(found) == ["Ana Lovelace", "Rome"]
        ana = found["Ana Lovelace"]
        assert (ana.mention_count, ana.first_seen_at, ana.last_seen_at) == (2, 5, 20)
        assert (ana.type, ana.settled, ana.aliases, ana.scope) == (EntityType.CONCEPT, False, (), Scope())
        assert found["Rome"].type is EntityType.PLACE
        assert self.mentioning("ana lovelace") == ["two", "one"]
        assert self.mentioning("Rome", "Ana Lovelace") == ["two", "one"]

    def test_an_entity_belongs_to_the_scope_of_what_mentions_it(self) -> None:
        self.name(an_item("hers", scope=self.ANA), "Zoë")
        self.name(an_item("his", scope=self.BO), "zoë", "Oslo")
        assert self.counts((self.ANA,)) == {"Zoë": 1}
        assert self.counts((self.BO,)) == {"Oslo": 1, "zoë": 1}
        assert self.counts(()) == {}
        with self.store.read() as reader:
            for scopes, found in (
                ((self.ANA,), [("zoë", self.ANA)]),
                ((self.ANA, self.BO), [("oslo", self.BO), ("zoë", self.ANA), ("zoë", self.BO)]),
                ((Scope("user:nobody"),), []),
                ((), []),
            ):
                named = reader.entities_named(["zoë", "oslo", "unknown"], scopes)
                assert [(name, entity.scope) for name, _, entity in named] == found
            assert reader.entities_named([], None) == []

    def test_a_name_that_may_be_a_word_counts_where_it_is_known(self) -> None:
        doubtful = Name("Grace", known_only=True)
        self.name(an_item("before"), doubtful)
        assert self.counts() == {}
        self.name(an_item("certain"), "Grace")
        self.name(an_item("after"), doubtful)
        self.name(an_item("elsewhere", scope=self.ANA), doubtful)
        assert self.mentioning("Grace") == ["after", "certain"]
        assert self.counts((self.ANA,)) == {}

    def test_known_names_are_found_within_a_stretch_without_blanks(self) -> None:
        stretch = Name("昨天见到李明华了", known_only=True)
        self.name(an_item("before"), stretch)
        self.name(an_item("longer"), "李明华")
        self.name(an_item("shorter"), "李明")
        self.name(an_item("after"), stretch)
        assert self.mentioning("李明华") == ["after", "longer"]
        assert self.mentioning("李明") == ["shorter"]

    def test_a_guess_gives_way_to_a_better_one_and_to_what_somebody_says(self) -> None:
        self.name(an_item("one"), "Apollo")
        self.name(an_item("two"), Name("Apollo", EntityType.PROJECT))
        self.name(an_item("three"), Name("Apollo", EntityType.PERSON))
        assert self.entities()["Apollo"].type is EntityType.PROJECT
        key = self.entity_key("Apollo")
        self.store.write(lambda tx: tx.retype(key, EntityType.CONCEPT))
        self.name(an_item("four"), Name("Apollo", EntityType.PERSON))
        apollo = self.entities()["Apollo"]
        assert (apollo.type, apollo.settled, apollo.mention_count) == (EntityType.CONCEPT, True, 4)
        self.name(an_item("five"), "Borel", Name("borel", EntityType.PERSON))
        assert self.entities()["Borel"].type is EntityType.PERSON

    def test_an_item_mentions_so_many_entities_at_most(self) -> None:
        self.name(an_item("many"), *[f"Name {n}" for n in range(MAX_MENTIONS + 5)])
        assert len(self.counts()) == MAX_MENTIONS

    def test_mentions_follow_what_an_item_says_now(self) -> None:
        item = self.name(an_item("Ana and Bo"), "Ana", "Bo")
        self.name(an_item("Bo again"), "Bo")
        self.revise(replace(item, content="Bo and Cid"), names=(Name("Bo"), Name("Cid")))
        assert self.counts() == {"Bo": 2, "Cid": 1}
        self.revise(replace(item, content="Bo and Cid", title="x"))
        assert self.counts() == {"Bo": 2, "Cid": 1}
        self.revise(replace(item, status=Status.ARCHIVED))
        assert self.counts() == {"Bo": 2, "Cid": 1}
        self.name(an_item("Ana returns"), "Ana")
        assert self.counts()["Ana"] == 1
        assert list(self.store.check()) == []

    def test_what_is_quarantined_registers_nothing_until_it_is_let_in(self) -> None:
        held = self.name(an_item("held", status=Status.QUARANTINED), "Gwil")
        assert self.counts() == {}
        self.revise(replace(held, title="x"), names=(Name("Gwil"),))
        assert self.counts() == {}
        self.revise(replace(held, status=Status.ACTIVE), names=(Name("Gwil"),))
        assert self.counts() == {"Gwil": 1}

    def test_mentions_apply_their_filters_before_the_limit(self) -> None:
        for n in range(50):
            self.name(an_item(f"note {n}", type="note"), "Ana")
        self.name(an_item("archived", status=Status.ACTIVE), "Ana")
        wanted = self.name(an_item("wanted"), "Ana", "Bo")
        for n in range(50, 100):
            self.name(an_item(f"note {n}", type="note"), "Ana")
        assert self.mentioning("Ana", limit=1, types=frozenset({"fact"})) == ["wanted"]
        assert self.mentioning("Ana", "Bo", limit=2, types=frozenset({"fact"})) == ["wanted", "archived"]
        assert self.mentioning("Ana", limit=3) == ["note 99", "note 98", "note 97"]
        assert self.mentioning("Ana", scopes=(self.ANA,)) == []
        with self.store.read() as reader:
            key = reader.key(wanted.id)
            assert key is not None
            pairs = [(key, self.entity_key("Ana")), (key, self.entity_key("Bo"))]
            assert reader.mentioned_by([key]) == sorted(pairs)
            assert reader.mentioned_by([]) == reader.mentions([], self.selection(), 5) == []
            assert reader.mentions([10**6], self.selection(), 5) == []

    def test_a_write_that_is_taken_back_leaves_no_name(self) -> None:
        def fail(tx: Writer) -> None:
            tx.insert([NewItem(an_item("one"), Outcome.ACCEPTED, names=(Name("Ana"),))], None)
            raise Conflict("on purpose")

        with _raises(Conflict):
            self.store.write(fail)
        assert self.counts() == {}
        self.name(an_item("two"), "Ana")
        assert self.counts() == {"Ana": 1}
        assert list(self.store.check()) == []

    def test_entities_are_listed_by_beginning_by_type_and_by_what_was_told(self) -> None:
        self.name(an_item("one"), "Ana", "Anton", Name("Apollo", EntityType.PROJECT), "Éva")
        self.name(an_item("two"), "Anton", "Éva")
        self.store.write(lambda tx: tx.alias(self.entity_key("Apollo"), "Antares"))
        assert list(self.counts()) == ["Anton", "Éva", "Ana", "Apollo"]
        assert list(self.counts(prefix="an")) == ["Anton", "Ana", "Apollo"]
        assert list(self.counts(prefix="é")) == ["Éva"]
        assert list(self.counts(prefix="x")) == []
        assert list(self.counts(type=EntityType.PROJECT)) == ["Apollo"]
        assert list(self.counts(told=True)) == ["Apollo"]
        with self.store.read() as reader:
            assert [entity.name for _, entity in reader.entities(None, 1)] == ["Anton"]

    def test_an_alias_means_the_entity_and_no_other(self) -> None:
        self.name(an_item("one"), "Robert", "Alice")
        key = self.entity_key("Robert")
        for alias in ("Bob", "BOB", "robert"):
            self.store.write(lambda tx, alias=alias: tx.alias(key, alias))
        self.name(an_item("two"), "bob")
        assert self.entities()["Robert"].aliases == ("Bob",)
        assert self.mentioning("Bob") == self.mentioning("Robert") == ["two", "one"]
        with _raises(Conflict):
            self.store.write(lambda tx: tx.alias(key, "alice"))
        with _raises(Conflict):
            self.store.write(lambda tx: tx.rename(key, "Alice"))
        with _raises(NotFound):
            self.store.write(lambda tx: tx.alias(10**6, "x"))
        assert self.counts() == {"Robert": 2, "Alice": 1}

    def test_a_former_name_stays_an_alias(self) -> None:
        self.name(an_item("one"), "ana_l")
        key = self.entity_key("ana_l")
        self.store.write(lambda tx: tx.rename(key, "Ana"))
        self.store.write(lambda tx: tx.rename(key, "ANA"))
        assert self.entities()["ANA"].aliases == ("ana_l",)
        self.store.write(lambda tx: tx.rename(key, "ana_l"))
        assert self.entities()["ana_l"].aliases == ("ANA",)
        assert self.entity_key("Ana") == self.entity_key("ana_l") == key
        assert list(self.store.check()) == []

    def test_two_entities_become_one_with_all_names_and_mentions(self) -> None:
        self.name(an_item("one", at=30), "Robert")
        self.name(an_item("two", at=10), "Bob", "Robert")
        self.name(an_item("three", at=50), Name("Bob", EntityType.PERSON))
        self.name(an_item("hers", scope=self.ANA), "Bob")
        here = Scope()
        keep, gone = self.entity_key("Robert"), self.entity_key("Bob", here)
        with self.store.read() as reader:
            old = reader.entities_by_key([gone])[gone]
        self.store.write(lambda tx: tx.alias(gone, "Bobby"))
        self.store.write(lambda tx: tx.merge_entities(keep, gone))
        robert = self.entities((here,))["Robert"]
        assert (robert.aliases, robert.mention_count) == (("Bob", "Bobby"), 3)
        assert (robert.type, robert.first_seen_at, robert.last_seen_at) == (EntityType.PERSON, 10, 50)
        with self.store.read() as reader:
            assert reader.entity(old.id) == (keep, robert)
            assert reader.entity("unknown") is None
        self.name(an_item("four"), "bobby")
        assert self.counts((here,)) == {"Robert": 4}
        assert self.counts((self.ANA,)) == {"Bob": 1}
        for wrong in (keep, self.entity_key("Bob", self.ANA)):
            with _raises(InvalidInput):
                self.store.write(lambda tx, wrong=wrong: tx.merge_entities(keep, wrong))
        with _raises(NotFound):
            self.store.write(lambda tx: tx.merge_entities(keep, gone))
        assert list(self.store.check()) == []

    def test_an_entity_merged_twice_leads_to_the_last(self) -> None:
        self.name(an_item("one"), "A1", "B2", "C3")
        keys = [self.entity_key(name) for name in ("A1", "B2", "C3")]
        with self.store.read() as reader:
            ids = [reader.entities_by_key([key])[key].id for key in keys]
        self.store.write(lambda tx: tx.merge_entities(keys[1], keys[0]))
        self.store.write(lambda tx: tx.merge_entities(keys[2], keys[1]))
        with self.store.read() as reader:
            assert [found[0] for item_id in ids if (found := reader.entity(item_id))] == [keys[2]] * 3
        assert self.entities()["C3"].aliases == ("B2", "A1")

    def test_items_within_a_time_are_found_by_when_it_happened(self) -> None:
        self.put(an_item("told", at=50, event_at=10), an_item("noted", at=20), an_item("late", at=30))
        self.put(an_item("gone", at=20, status=Status.ARCHIVED), an_item("hers", at=20, scope=self.ANA))

        def within(start: int, end: int, limit: int = 10, **changes: Any) -> list[str]:
            selection = self.selection(**({"scopes": (Scope(),)} | changes))
            with self.store.read() as reader:
                keys = reader.within(selection, start, end, limit)
                items = reader.load(keys)
            return [items[key].content for key in keys]

        assert within(0, 100) == ["late", "noted", "told"]
        assert within(10, 30) == ["noted", "told"]
        assert within(0, 100, limit=1) == ["late"]
        assert within(40, 60) == within(30, 30) == []
        assert within(20, 21, scopes=None) == ["hers", "noted"]
        both = frozenset({Status.ACTIVE, Status.ARCHIVED})
        assert within(20, 21, statuses=both) == ["gone", "noted"]
        assert within(0, 100, before=15) == ["told"]

    def test_links_are_read_by_key_from_both_ends(self) -> None:
        items = [an_item(f"item {n}", id=f"id-{n}") for n in range(4)]
        self.put(*items)
        self.name(an_item("mentions"), "Ana")
        for src, dst, rel in ((0, 1, "causal"), (2, 0, "similar"), (3, 0, "temporal"), (2, 3, "causal")):
            link = Link(src=f"id-{src}", dst=f"id-{dst}", rel=Relation(rel), weight=src + 0.5)
            self.store.write(lambda tx, link=link: tx.link(link))
        with self.store.read() as reader:
            keys = [reader.key(item.id) or 0 for item in items]
            assert [edge[:4] for edge in reader.links_from_keys(keys[:1], Relation)] == [
                (keys[0], keys[1], Relation.CAUSAL, 0.5),
                (keys[2], keys[0], Relation.SIMILAR, 2.5),
                (keys[3], keys[0], Relation.TEMPORAL, 3.5),
            ]
            assert [edge[:4] for edge in reader.links_from_keys(keys, [Relation.CAUSAL])] == [
                (keys[0], keys[1], Relation.CAUSAL, 0.5),
                (keys[2], keys[3], Relation.CAUSAL, 2.5),
            ]
            everything = [edge[:4] for edge in reader.links_from_keys(keys, Relation)]
            strongest = sorted(everything, key=lambda edge: (-edge[3], *edge[:3]))
            for limit in range(1, 5):
                kept = reader.links_from_keys(keys, Relation, limit)
                assert [edge[:4] for edge in kept] == sorted(strongest[:limit])
            assert reader.links_from_keys([], Relation) == reader.links_from_keys(keys, []) == []
            everything = [*keys, *range(1, 20)]
            assert reader.links_from_keys(everything, [Relation.MENTIONS]) == []

    def test_no_link_claims_to_be_a_mention(self) -> None:
        self.put(an_item("one", id="id-1"), an_item("two", id="id-2"))
        with _raises(InvalidInput):
            self.store.write(lambda tx: tx.link(Link(src="id-1", dst="id-2", rel=Relation.MENTIONS)))

    def test_what_was_superseded_leads_to_what_is_said_now(self) -> None:
        chain = [
            an_item(f"state {n}", id=f"id-{n}", status=Status.ARCHIVED, superseded_by=f"id-{n + 1}")
            for n in range(3)
        ]
        dead = an_item("dead", id="dead", status=Status.ARCHIVED, superseded_by="end")
        end = an_item("end", id="end", status=Status.ARCHIVED)
        lost = an_item("lost", id="lost", status=Status.ARCHIVED, superseded_by="purged")
        self.put(*chain, an_item("now", id="id-3"), dead, end, lost)
        with self.store.read() as reader:
            keys = {name: reader.key(name) or 0 for name in ("id-0", "id-2", "id-3", "dead", "lost")}
            now = keys["id-3"]
            assert reader.successors(list(keys.values())) == {keys["id-0"]: now, keys["id-2"]: now}
            assert reader.successors([]) == {}

    def test_what_has_no_names_yet_is_listed_until_it_was_looked_through(self) -> None:
        items = [an_item(f"item {n}") for n in range(5)]
        for item in items:
            self.store.write(lambda tx, i=item: tx.restore([Revision(1, i, 10, "create")], i))
        late = an_item("late")
        self.store.write(lambda tx: tx.restore([Revision(1, late, 10, "create")], late, (Name("Ana"),)))
        with self.store.read() as reader:
            waiting = reader.unnamed(3)
            assert [item for _, item in waiting] == items[:3]
        self.store.write(lambda tx: tx.name_items([(key, (Name("Bo"),)) for key, _ in waiting]))
        with self.store.read() as reader:
            rest = reader.unnamed(10)
            assert [item for _, item in rest] == items[3:]
        self.store.write(lambda tx: tx.name_items([(key, ()) for key, _ in rest]))
        with self.store.read() as reader:
            assert reader.unnamed(10) == []
        assert self.counts() == {"Bo": 3, "Ana": 1}
        self.store.write(lambda tx: tx.unname())
        with self.store.read() as reader:
            assert len(reader.unnamed(10)) == 6
        assert self.counts() == {"Bo": 3, "Ana": 1}

    def test_purging_takes_along_the_names_that_nobody_else_says(self) -> None:
        gone = self.name(an_item("Plantagenet met Ana in ROME"), "Plantagenet", "Ana", "ROME")
        self.name(an_item("Ana in Rome"), "Ana", "Rome")
        assert self.counts() == {"Ana": 2, "ROME": 2, "Plantagenet": 1}
        self.store.write(lambda tx: tx.alias(self.entity_key("Ana"), "Plantagenet's friend"))
        counts = self.store.purge([gone.id], 1)
        assert (counts["entities"], counts["links"]) == (1, 3)
        assert self.counts() == {"Ana": 1, "Rome": 1}
        with self.store.read() as reader:
            assert reader.entities_named(["plantagenet"], None) == []
        assert list(self.store.check()) == []
        self.name(an_item("again"), "Plantagenet")
        assert self.counts()["Plantagenet"] == 1

    def test_an_item_whose_scope_changes_takes_its_mentions_along(self) -> None:
        item = self.name(an_item("moved"), "Ana")
        self.revise(replace(item, scope=self.ANA))
        assert self.counts((Scope(),)) == {}
        assert self.counts((self.ANA,)) == {"Ana": 1}
        assert self.mentioning("Ana") == ["moved"]

    # Forgetting

    def test_what_has_faded_is_listed_by_key_without_what_is_protected(self) -> None:
        day = DAY_US
        faded = [an_item(f"faded {n}", at=0, confidence=0.5) for n in range(3)]
        kept = [
            an_item("fresh", at=99 * day, confidence=0.5),
            an_item("sure", at=0, decay_rate=0.0),
            an_item("pinned", at=0, pinned=True, confidence=0.1),
            an_item("settled", at=0, tier=Tier.LTM, confidence=0.1),
            an_item("verified", at=0, validation=Validation.VERIFIED, confidence=0.1),
        ]
        self.put(*faded, *kept)
        selection = Selection(scopes=None, live_at=100 * day)
        with self.store.read() as reader:
            first = reader.faded(selection, 100 * day, 0.05, 0, 2)
            rest = reader.faded(selection, 100 * day, 0.05, first[-1][0], 2)
        assert [item.id for _, item in first + rest] == [item.id for item in faded]

    def test_what_may_be_moved_out_comes_faintest_first(self) -> None:
        old, young = an_item("old", at=0), an_item("young", at=50 * DAY_US)
        liked = an_item("liked", at=0)
        gone = an_item("gone", at=50 * DAY_US, status=Status.ARCHIVED)
        replaced = an_item("replaced", at=50 * DAY_US, status=Status.ARCHIVED, superseded_by=old.id)
        self.put(old, young, liked, gone, replaced)
        self.put(an_item("pinned", pinned=True), an_item("a chunk", type="chunk"))
        self.put(an_item("held", status=Status.QUARANTINED), outcome=Outcome.QUARANTINED)
        self.store.write(lambda tx: tx.hit(liked.id, 9.0, None))
        everything = Selection(scopes=None, live_at=None, statuses=frozenset(Status))
        with self.store.read() as reader:
            found = reader.faintest(everything, 100 * DAY_US, 0, 100)
            items = reader.load([faint.key for faint in found])
            assert reader.faintest(everything, 100 * DAY_US, 0, 2) == found[:2]
            assert 0 < found[0].bytes < reader.bytes_in_use()
        assert [items[faint.key].id for faint in found] == [
            replaced.id, gone.id, old.id, young.id, liked.id,
        ]  # fmt: skip

    def test_links_of_a_relation_are_listed_in_pages(self) -> None:
        items = [an_item(f"item {n}") for n in range(4)]
        self.put(*items)
        links = [
            Link(src=items[n].id, dst=items[n + 1].id, rel=Relation.CAUSAL, created_at=5) for n in range(3)
        ]
        for link in links:
            self.store.write(lambda tx, link=link: tx.link(link))
        self.store.write(lambda tx: tx.link(Link(src=items[0].id, dst=items[3].id, rel=Relation.SIMILAR)))
        with self.store.read() as reader:
            first = reader.links_of(Relation.CAUSAL, (0, 0), 2)
            rest = reader.links_of(Relation.CAUSAL, first[-1][0], 2)
        assert [link for _, link in first + rest] == links

    def test_what_names_an_item_as_its_source_is_found(self) -> None:
        source, chunk = an_item("source"), an_item("chunk", type="chunk")
        told = an_item("told", provenance=Provenance(source_id=source.id))
        both = an_item("both", provenance=Provenance(source_id=source.id, chunk_ids=(chunk.id, "other")))
        self.put(source, chunk, told, both)
        with self.store.read() as reader:
            assert reader.made_from([source.id, chunk.id]) == {
                told.id: frozenset({source.id}),
                both.id: frozenset({source.id, chunk.id}),
            }
            assert reader.made_from([told.id]) == reader.made_from([]) == {}

    def test_an_item_moves_out_and_comes_back_with_all_that_hangs_on_it(self) -> None:
        item, other = an_item("falcon one"), an_item("falcon two")
        self.put(item, other)
        self.revise(replace(item, title="again"))
        link = Link(src=other.id, dst=item.id, rel=Relation.CAUSAL, evidence="seen", created_at=5)
        self.store.write(lambda tx: tx.link(link))
        self.store.write(lambda tx: tx.use([item.id], "s", 7))
        self.store.write(lambda tx: tx.assign(Place(item.id, "d", "r", "s")))
        assert self.store.archive is None

        def told(view: View) -> tuple[Any, ...]:
            with view.read() as reader:
                found = reader.get([item.id]).get(item.id)
                usage = None if found is None else found.usage
                links = reader.links([item.id])
                return found, usage, reader.revisions(item.id), links, reader.assignment(item.id)

        before = told(self.store)
        self.store.write(lambda tx: tx.set_aside([item.id]))
        assert self.words("falcon") == ["falcon two"]
        assert told(self.store) == (None, None, [], [], None)
        archive = self.store.archive
        assert archive is not None
        assert told(archive) == before
        assert list(self.store.check()) == []
        assert self.store.write(lambda tx: tx.bring_back([item.id, other.id])) == [item.id]
        assert (self.store.settle_archive(), self.store.settle_archive()) == (1, 0)
        assert told(self.store) == before
        assert told(archive) == (None, None, [], [], None)
        assert self.words("falcon") == ["falcon two", "falcon one"]
        assert list(self.store.check()) == []

    def test_a_move_that_fails_leaves_the_item_where_it_was(self) -> None:
        item = an_item("falcon")
        self.put(item)

        def fail(tx: Writer) -> None:
            tx.set_aside([item.id])
            raise ZeroDivisionError

        with _raises(ZeroDivisionError):
            self.store.write(fail)
        with self.store.read() as reader:
            assert item.id in reader.get([item.id])
        assert self.store.settle_archive() == 1
        with _raises(NotFound):
            self.store.write(lambda tx: tx.set_aside(["unknown"]))

    def test_compacting_gives_back_what_is_free(self) -> None:
        items = [an_item(f"falcon {n} " + "x" * 900) for n in range(300)]
        self.put(*items)
        with self.store.read() as reader:
            before = reader.statistics(None)
        self.store.write(lambda tx: tx.set_aside([item.id for item in items]))
        assert self.store.compact()
        with self.store.read() as reader:
            after = reader.statistics(None)
        assert after["file_bytes"] == after["live_bytes"] < before["live_bytes"] / 2

    # Purging, checking, closing

    def test_purging_removes_an_item_with_all_that_hangs_on_it(self) -> None:
        gone, kept = an_item("falcon one"), an_item("falcon two")
        self.put(gone, kept)
        self.revise(replace(gone, title="again"))
        self.store.write(lambda tx: tx.link(Link(src=gone.id, dst=kept.id, rel=Relation.CAUSAL)))
        injection = Injection(
            id="i", at=1, scope="global", mode="inject", query="falcon?", items=((gone.id, 1.0),), tokens=1
        )
        self.store.write(lambda tx: tx.keep_injections([injection]))
        self.put(an_item("held", status=Status.QUARANTINED), outcome=Outcome.QUARANTINED)
        counts = self.store.purge([gone.id, gone.id], 77)
        assert counts == {
            "items": 1, "revisions": 2, "vectors": 0, "links": 1, "entities": 0, "injections": 1,
        }  # fmt: skip
        assert self.words("falcon") == self.find() == ["falcon two"]
        with self.store.read() as reader:
            assert reader.get([gone.id]) == {}
            assert reader.revisions(gone.id) == []
            assert reader.links([kept.id]) == []
            assert reader.injections(None, 10) == []
            receipt = reader.events(item_id=gone.id)[0]
        assert (receipt.action, receipt.at) == ("purge", 77)
        assert receipt.details == {"receipt": dict(counts)}
        assert list(self.store.check()) == []

    def test_purging_an_unknown_id_removes_nothing(self) -> None:
        item = an_item("falcon")
        self.put(item)
        with _raises(NotFound):
            self.store.purge([item.id, "unknown"], 1)
        assert self.words("falcon") == ["falcon"]
        with self.store.read() as reader:
            assert [event.action for event in reader.events()] == ["create"]

    def test_an_item_that_was_purged_can_be_purged_again_to_wipe_what_was_in_use(self) -> None:
        item = an_item("falcon")
        self.put(item)
        self.store.purge([item.id], 1)
        assert set(self.store.purge([item.id], 2).values()) == {0}
        with self.store.read() as reader:
            assert [event.action for event in reader.events()] == ["purge", "create"]

    def test_the_text_index_made_anew_finds_the_same(self) -> None:
        self.put(*[an_item(f"falcon {n}") for n in range(10, 20)])
        before = self.words("falcon")
        self.store.rebuild_fts()
        assert self.words("falcon") == before

    def test_a_store_in_order_has_no_problems(self) -> None:
        self.put(*[an_item(f"item {n}", tags=("a",), metadata={"n": n}) for n in range(20)])
        areas: list[str] = []
        assert list(self.store.check(lambda area, _: areas.append(area))) == []
        assert areas
        assert self.store.check_audit() == []
        assert self.store.describe()["backend"]

    def test_a_closed_store_says_so_and_may_be_closed_again(self) -> None:
        def read(use: Any) -> None:
            with self.store.read() as reader:
                use(reader)

        self.put(an_item("one"))
        self.store.close()
        self.store.close()

        def count(reader: Reader) -> int:
            return reader.count(self.selection())

        for use in (
            lambda: read(count),
            lambda: self.put(an_item("two")),
            lambda: self.store.purge(["x"], 0),
            self.store.rebuild_fts,
            lambda: list(self.store.check()),
            self.store.check_audit,
            self.store.describe,
            lambda: self.store.as_of(1, None),
            lambda: self.store.backup(self.folder / "copy"),
        ):
            with _raises(StoreClosed):
                use()

    def test_what_the_store_raises_is_its_own(self) -> None:
        item = an_item("one")
        self.put(item)
        with _raises(SimonidesError):
            self.put(item)
