"""Each engine: the port's contract, and against brute force on thousands of vectors."""

from contextlib import nullcontext
from importlib.util import find_spec

import numpy as np
import pytest

from simonides.domain.item import Status
from simonides.domain.selection import Selection
from simonides.testing import FakeEmbedder, FakeVectorSource, VectorIndexContract
from simonides.vectors.approximate import ApproximateIndex, SavingPlan
from simonides.vectors.engine import BuildStopped
from simonides.vectors.faiss import FaissHNSW, FaissIVF, FaissPQ
from simonides.vectors.sqlite_vec import SqliteVec
from simonides.vectors.usearch import USearch

DIMENSION = 32
COUNT = 2000
MODEL = FakeEmbedder(DIMENSION).identity
ENGINES = [
    pytest.param(
        engine, id=engine.name, marks=[] if find_spec(package) else pytest.mark.skip(f"no {package}")
    )
    for engine, package in (
        (FaissPQ(), "faiss"),
        (FaissHNSW(16, 100, 400), "faiss"),
        (FaissIVF(0.5), "faiss"),
        (USearch(16, 100, 400), "usearch"),
        (SqliteVec(), "sqlite_vec"),
    )
]


class Eager:
    """An index that makes its structure anew whenever it catches up. Meets `ports.vectors.VectorIndex`."""

    def __init__(self, index):
        self._index = index

    def refresh(self, source):
        self._index.build(lambda: nullcontext(source))

    def __getattr__(self, name):
        return getattr(self._index, name)

    def __len__(self):
        return len(self._index)


@pytest.mark.parametrize("engine", ENGINES)
class TestEngine(VectorIndexContract):
    @pytest.fixture(autouse=True)
    def folder(self, engine, tmp_path):
        self.index = Eager(ApproximateIndex(self.model, engine, SavingPlan(tmp_path / "vectors", above=1)))
        yield
        self.index.close()

    def make_index(self, model):
        self.model = model


def clustered(count, seed, dimension=DIMENSION):
    """Unit vectors in 40 groups, as embeddings of texts on 40 subjects are."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(40, dimension))
    vectors = centres[random.integers(0, 40, count)] + 0.7 * random.normal(size=(count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def filled(vectors, **fields):
    """A source with these vectors; fields by name give each item's, by key."""
    source = FakeVectorSource(vectors.shape[1], piece=500)
    for key, vector in enumerate(vectors, 1):
        source.put(key, vector, **{name: value(key) for name, value in fields.items()})
    return source


@pytest.fixture
def built(tmp_path):
    """Makes indexes with a structure over a source, and closes them at the end."""
    made = []

    def build(engine, source, **plan):
        index = ApproximateIndex(MODEL, engine, SavingPlan(tmp_path / "vectors", **({"above": 1000} | plan)))
        made.append(index)
        index.build(lambda: nullcontext(source))
        return index

    yield build
    for index in made:
        index.close()


def recall(index, source, questions, selection, scopes, limit):
    """Share of the answers that are as near as the last of the true ones; every cosine must be exact."""
    shares = []
    for vector in questions:
        expected = source.expected(vector, selection, scopes)
        keys, cosines = index.search(vector, selection, scopes, limit)
        assert set(keys.tolist()) <= set(expected)
        assert np.allclose(cosines, [expected[key] for key in keys.tolist()], atol=2e-6)
        assert np.array_equal(cosines, index.cosines(vector, keys))
        true = sorted(expected.values(), reverse=True)[:limit]
        assert len(keys) == len(true)
        shares.append(np.count_nonzero(cosines >= true[-1] - 2e-6) / len(true) if true else 1.0)
    return float(np.mean(shares))


ANYTHING = Selection(scopes=None, live_at=None)
QUESTIONS = clustered(12, 2)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_it_finds_is_what_brute_force_finds_but_for_one_in_a_hundred(engine, built):
    source = filled(clustered(COUNT, 1))
    index = built(engine, source)
    assert recall(index, source, QUESTIONS, ANYTHING, None, 10) >= 0.99
    assert recall(index, source, QUESTIONS, ANYTHING, [1], 80) >= 0.98
    assert recall(index, source, QUESTIONS, ANYTHING, None, COUNT) == 1.0
    assert index.degradations == ()


@pytest.mark.parametrize("engine", ENGINES)
def test_status_and_expiry_hold_before_the_limit(engine, built):
    source = filled(
        clustered(COUNT, 1),
        status=lambda key: Status.ARCHIVED if key % 3 == 0 else Status.ACTIVE,
        expires_at=lambda key: key if key % 2 == 0 else None,
    )
    index = built(engine, source)
    both = frozenset({Status.ACTIVE, Status.ARCHIVED})
    for statuses, live_at in (
        (frozenset({Status.ACTIVE}), None),
        (frozenset({Status.ACTIVE}), 3000),
        (frozenset({Status.ARCHIVED}), 10 * COUNT),
        (both, 4000),
    ):
        selection = Selection(scopes=None, live_at=live_at, statuses=statuses)
        assert recall(index, source, QUESTIONS, selection, [1], 10) >= 0.99, (statuses, live_at)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_may_not_be_found_never_crowds_out_what_may(engine, built):
    vectors = clustered(COUNT, 1)
    nearest = np.argsort(vectors @ QUESTIONS[0])[::-1]
    hidden = set((nearest[: COUNT // 2] + 1).tolist())
    source = filled(vectors, status=lambda key: Status.ARCHIVED if key in hidden else Status.ACTIVE)
    index = built(engine, source)
    assert recall(index, source, QUESTIONS[:1], ANYTHING, None, 10) == 1.0


@pytest.mark.parametrize("engine", ENGINES)
def test_changes_since_it_was_made_are_followed(engine, built):
    vectors = clustered(COUNT, 1)
    source = filled(vectors)
    index = built(engine, source)
    moved = clustered(200, 5)
    for number, vector in enumerate(moved):
        source.put(number + 1, vector, scope=2)
    for key in range(1000, 1400):
        source.remove(key)
    for number, vector in enumerate(clustered(300, 6)):
        source.put(COUNT + 1 + number, vector)
    index.refresh(source)
    assert "4,000" not in index.describe()
    assert len(index) == COUNT - 400 + 300
    for scopes in (None, [1], [2], [1, 2]):
        assert recall(index, source, QUESTIONS, ANYTHING, scopes, 10) >= 0.99, scopes


@pytest.mark.parametrize("engine", ENGINES)
def test_large_and_small_scopes_are_searched_together(engine, built):
    source = filled(clustered(COUNT, 1), scope=lambda key: 1 if key <= 3300 else key % 100 + 2)
    index = built(engine, source)
    for scopes in (None, [1], [7], [1, 7, 50], [999], []):
        assert recall(index, source, QUESTIONS, ANYTHING, scopes, 10) >= 0.99, scopes


@pytest.mark.parametrize("engine", ENGINES)
def test_two_that_open_the_same_files_give_the_same_answers(engine, built, tmp_path):
    source = filled(clustered(COUNT, 1))
    first = built(engine, source)
    second = ApproximateIndex(MODEL, engine, SavingPlan(tmp_path / "vectors", above=1000))
    second.refresh(source)
    assert second.describe() == first.describe()
    for vector in QUESTIONS:
        for one, other in zip(
            first.search(vector, ANYTHING, None, 80), second.search(vector, ANYTHING, None, 80), strict=True
        ):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_odd_number_of_dimensions_is_no_trouble(engine, tmp_path):
    vectors = clustered(COUNT, 1, dimension=7)
    source = filled(vectors)
    index = ApproximateIndex(FakeEmbedder(7).identity, engine, SavingPlan(tmp_path / "vectors", above=1000))
    index.build(lambda: nullcontext(source))
    assert recall(index, source, clustered(10, 2, dimension=7), ANYTHING, None, 10) >= 0.97
    assert index.vectors(np.array([1])).shape == (1, 7)
    index.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_build_that_is_told_to_stop_stops(engine, tmp_path):
    with pytest.raises(BuildStopped):
        engine.build(clustered(3000, 1), tmp_path / "graph", lambda: True)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_file_of_other_rows_is_refused(engine, tmp_path):
    engine.build(clustered(3000, 1), tmp_path / "graph", lambda: False)
    with pytest.raises(ValueError, match="holds"):
        engine.open(tmp_path / "graph", 2999, DIMENSION)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_file_of_something_else_is_refused(engine, tmp_path):
    (tmp_path / "graph").write_bytes(b"something else" * 1000)
    with pytest.raises(ValueError, match="cannot be read"):
        engine.open(tmp_path / "graph", 3000, DIMENSION)
