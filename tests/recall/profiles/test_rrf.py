"""The profile `rrf`: Σ wᵢ/(60 + rankᵢ), by hand."""

import numpy as np
import pytest

from simonides.domain.taxonomy import TAXONOMY
from simonides.recall.ranking.profiles.rrf import Rrf


def test_ranks_of_three_channels_are_joined(ranking):
    table = ranking.candidates(
        *[ranking.sketch(key) for key in (1, 2, 3)],
        bm25=[5.0, 9.0, 0.0],
        cosine=[0.7, 0.2, 0.9],
        activation=[0.0, 0.1, 0.4],
    )
    found = Rrf().rank(table, TAXONOMY)
    first = 1 / 62 + 1 / 62  # second by text and by vectors, not in the graph: .03226
    second = 1 / 61 + 1 / 63 + 1 / 62  # first by text, third by vectors, second in the graph: .04840
    third = 1 / 61 + 1 / 61  # first by vectors and in the graph: .03279
    assert found.score == pytest.approx([first, second, third])
    assert found.score == pytest.approx([0.0322581, 0.0483955, 0.0327869], abs=1e-7)
    assert ranking.best(found) == [2, 3, 1]


def test_absence_is_no_penalty_and_no_rank(ranking):
    table = ranking.candidates(ranking.sketch(1), ranking.sketch(2), bm25=[0.0, 1e-9])
    found = Rrf().rank(table, TAXONOMY)
    assert found.score == pytest.approx([0, 1 / 61])
    assert found.dropped.tolist() == [True, False]


def test_what_is_below_two_fifths_of_the_best_is_dropped(ranking):
    # The best stands first in all three: 3/61 = .04918; two fifths of it are .01967. One channel's
    # second rank gives 1/62 = .01613, two of them .03226.
    table = ranking.candidates(
        *[ranking.sketch(key) for key in (1, 2, 3)],
        bm25=[9, 8, 0],
        cosine=[0.9, 0, 0.5],
        activation=[0.9, 0, 0.5],
    )
    found = Rrf().rank(table, TAXONOMY)
    assert found.dropped.tolist() == [False, True, False]
    assert not Rrf(least=0.3).rank(table, TAXONOMY).dropped.any()


def test_what_stands_at_the_bound_stays(ranking):
    # The second has half of the best's score, which is the bound, and the third a little less.
    table = ranking.candidates(
        *[ranking.sketch(key) for key in (1, 2, 3)], bm25=[3, 0, 2], cosine=[0.3, 0, 0]
    )
    found = Rrf(least=0.5).rank(table, TAXONOMY)
    assert found.dropped.tolist() == [False, True, True]
    even = ranking.candidates(*[ranking.sketch(key) for key in (1, 2)], bm25=[3, 0], activation=[0, 1])
    assert Rrf(graph=0.5, least=0.5).rank(even, TAXONOMY).dropped.tolist() == [False, False]


def test_weights_and_damping_are_settings(ranking):
    table = ranking.candidates(
        ranking.sketch(1), ranking.sketch(2), bm25=[2, 1], cosine=[0.1, 0.2], activation=[1, 0]
    )
    found = Rrf(k=1, text=2, vectors=0.5, graph=3, least=0).rank(table, TAXONOMY)
    assert found.score == pytest.approx([2 / 2 + 0.5 / 3 + 3 / 2, 2 / 3 + 0.5 / 2])
    assert {name: part[0] for name, part in found.parts.items()} == pytest.approx(
        {"text": 1.0, "vectors": 1 / 6, "graph": 1.5}
    )


def test_only_the_ranks_count_not_the_distances(ranking):
    sketches = [ranking.sketch(key) for key in (1, 2, 3)]
    near = ranking.candidates(*sketches, bm25=[3.0, 2.99, 2.98])
    far = ranking.candidates(*sketches, bm25=[30.0, 2.0, 0.1])
    assert np.array_equal(Rrf().rank(near, TAXONOMY).score, Rrf().rank(far, TAXONOMY).score)
