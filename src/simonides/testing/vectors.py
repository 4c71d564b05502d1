"""The contract of vector indexes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.item import Status
from simonides.domain.selection import Selection
from simonides.ports.vectors import VectorIndex
from simonides.testing.fakes import FakeEmbedder, FakeVectorSource


class VectorIndexContract:
    """The contract of every `ports.vectors.VectorIndex`. Inherit, override `make_index`, and let pytest run it."""

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
                for number in range(300, 500):
                    self.source.put(number % 350, self.vector(f"text {number % 50}"), scope=number % 4)
                    self.index.refresh(self.source)
            finally:
                done.set()
        assert all(future.result() for future in looking)
