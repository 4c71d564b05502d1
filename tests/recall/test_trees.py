"""The forest: two trees by hand, any trees against a walk of them, and what must hold of those that come along."""

import hashlib
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides.recall.ranking import model
from simonides.recall.ranking.confidence import EVIDENCE, RISING
from simonides.recall.ranking.features import GROUPS, NAMES
from simonides.recall.ranking.model import Model, bundled, card, packed, unpacked
from simonides.recall.ranking.profiles.balanced import Balanced
from simonides.recall.ranking.trees import LEAVES, Trees

INFINITE = math.inf
WITHOUT_VECTORS = {"pairs": {"base": -9.57, "coverage": 0.1}, "bare": {"base": 1e-300}}

# By hand: two trees over three features in two groups.
#
#     words > 0.5? ── no: leaf 0          cosine > 0.25? ── no: leaf 0
#          └── yes: cosine > 2? ── no: leaf 1      └── yes: leaf 1
#                       └── yes: leaf 2
HAND = Trees(
    names=("words", "cosine", "age"),
    groups=("match", "time"),
    feature=np.array([[0, 1], [1, 0]], np.uint8),
    threshold=np.array([[0.5, 2.0], [0.25, INFINITE]]),
    mask=np.array([[0b11111110, 0b11111101], [0b11111110, 0b11111111]], np.uint8),
    parts=np.array(
        [
            [[-1.0, 0.0], [0.5, 0.25], [2.0, 0.25], [0.0, 0.0]],
            [[-0.5, 0.125], [0.75, -0.5], [0.0, 0.0], [0.0, 0.0]],
        ]
    ),
    base=1.375,
)
ROWS = np.array(
    [
        [0.0, 0.0, 0.0],  # left in both
        [
            0.5,
            9.0,
            0.0,
        ],  # the threshold itself does not fail; the second split of the first tree is not on the way
        [0.6, 2.0, 0.0],
        [0.6, 2.1, 7.0],
        [0.6, 0.25, 0.0],
    ]
)


def test_each_row_reaches_its_leaf_in_each_tree():
    assert HAND.leaves(ROWS).tolist() == [[0, 0], [0, 1], [1, 1], [2, 1], [1, 0]]


def test_the_parts_of_the_leaves_add_up_by_group():
    expected = [[-1.5, 0.125], [-0.25, -0.5], [1.25, -0.25], [2.75, -0.25], [0.0, 0.375]]
    assert HAND.parts_of(HAND.leaves(ROWS)).tolist() == expected


def test_the_score_is_the_base_and_the_parts():
    assert HAND.scores(HAND.leaves(ROWS)).tolist() == [0.0, 0.625, 2.375, 3.875, 1.75]


def test_no_rows_are_no_scores():
    none = np.zeros((0, 3))
    assert HAND.leaves(none).shape == (0, 2)
    assert HAND.parts_of(HAND.leaves(none)).shape == (0, 2)
    assert HAND.scores(HAND.leaves(none)).shape == (0,)


def test_parts_are_rounded_to_what_counts():
    thirds = replace(HAND, parts=HAND.parts / 3)
    assert thirds.parts_of(thirds.leaves(ROWS[:1])).tolist() == [[-0.5, 0.041667]]


def test_what_was_packed_is_the_same_unpacked():
    other = replace(HAND, base=0.25)
    model = unpacked(packed(Model(HAND, other, WITHOUT_VECTORS)))
    again = model.trees
    assert (again.names, again.groups, again.base) == (HAND.names, HAND.groups, HAND.base)
    for name in ("feature", "threshold", "mask", "parts"):
        kept, expected = getattr(again, name), getattr(HAND, name)
        assert kept.dtype == expected.dtype
        assert np.array_equal(kept, expected)
    assert (model.confidence.base, model.without_vectors) == (0.25, WITHOUT_VECTORS)
    assert packed(model) == packed(Model(HAND, other, WITHOUT_VECTORS))


def test_a_file_that_holds_objects_is_not_read():
    from io import BytesIO

    buffer = BytesIO()
    np.savez_compressed(buffer, names=np.array([{"an": "object"}], object))
    with pytest.raises(ValueError, match="allow_pickle"):
        unpacked(buffer.getvalue())


# Any trees, against a walk of them


def is_leaf(node):
    return isinstance(node, list)


def leaves_of(node):
    """Values of a tree's leaves, from left to right."""
    return [node] if is_leaf(node) else leaves_of(node[2]) + leaves_of(node[3])


def walked(node, row):
    """Value of the leaf that a row reaches, one question after the other."""
    while not is_leaf(node):
        feature, threshold, left, right = node
        node = right if row[feature] > threshold else left
    return node


def encoded(forest, groups):
    """The forest as masks: a split that fails leaves out the leaves on its left."""
    shape = (len(forest), LEAVES - 1)
    feature, mask = np.zeros(shape, np.uint8), np.full(shape, 0xFF, np.uint8)
    threshold = np.full(shape, INFINITE)
    parts = np.zeros((len(forest), LEAVES, len(groups)))
    for number, tree in enumerate(forest):
        parts[number, : len(leaves_of(tree))] = leaves_of(tree)
        splits = []

        def gather(node, first, splits=splits):
            """The splits below a node whose first leaf has this number."""
            if not is_leaf(node):
                size = len(leaves_of(node[2]))
                gone = sum(1 << leaf for leaf in range(first, first + size))
                splits.append((node[0], node[1], 0xFF & ~gone))
                gather(node[2], first)
                gather(node[3], first + size)

        gather(tree, 0)
        for place, (asked, bound, left) in enumerate(splits):
            feature[number, place], threshold[number, place], mask[number, place] = asked, bound, left
    return Trees(("a", "b", "c"), groups, feature, threshold, mask, parts, 0.5)


@st.composite
def trees(draw, most=LEAVES):
    """A tree of at most so many leaves, over three features in two groups."""
    left = draw(st.integers(0, most - 1))
    if left == 0:
        eighths = st.integers(-80, 80).map(lambda number: number / 8)
        return [draw(eighths), draw(eighths)]
    bound = draw(st.sampled_from([-1.0, 0.0, 0.5, 1.0]))
    return (draw(st.integers(0, 2)), bound, draw(trees(left)), draw(trees(most - left)))


VALUES = st.one_of(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.floats(-2, 2))


@given(
    forest=st.lists(trees(), min_size=1, max_size=6),
    rows=st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=6),
)
def test_masks_find_what_a_walk_from_the_root_finds(forest, rows):
    made = encoded(forest, ("match", "time"))
    found = made.parts_of(made.leaves(np.array(rows)))
    for row, given_parts in zip(rows, found.tolist(), strict=True):
        leaves = [walked(tree, row) for tree in forest]
        # Eighths add up exactly, in any order.
        assert given_parts == [sum(leaf[0] for leaf in leaves), sum(leaf[1] for leaf in leaves)]


@given(
    forest=st.lists(trees(), min_size=1, max_size=6),
    rows=st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=6),
)
def test_a_packed_forest_scores_as_before(forest, rows):
    made = encoded(forest, ("match", "time"))
    again = unpacked(packed(Model(made, HAND, WITHOUT_VECTORS))).trees
    leaves = made.leaves(np.array(rows))
    assert np.array_equal(again.leaves(np.array(rows)), leaves)
    assert np.array_equal(again.scores(leaves), made.scores(leaves))


# The trees that come along; what they hold in numbers is learned anew now and then


def test_the_bundled_trees_were_learned_with_these_features_and_groups():
    assert Balanced().trees is bundled().trees
    assert bundled().trees.names == NAMES
    assert bundled().trees.groups == tuple(GROUPS)


def test_trees_that_were_learned_with_other_features_are_refused():
    with pytest.raises(ValueError, match=r"benchmarks/train\.py"):
        Balanced(trees=HAND)


def test_the_bundled_trees_are_well_formed():
    made = bundled().trees
    count, splits = made.feature.shape
    assert made.threshold.shape == made.mask.shape == (count, splits)
    assert made.parts.shape == (count, made.parts.shape[1], len(GROUPS))
    assert made.parts.shape[1] <= LEAVES
    assert (made.feature < len(NAMES)).all()
    assert np.isfinite(made.parts).all()
    assert not np.isnan(made.threshold).any()
    assert bundled().trees is made


@pytest.mark.parametrize("seed", range(3))
def test_a_score_of_the_bundled_trees_is_the_base_and_its_parts(seed):
    made = bundled().trees
    rows = np.random.default_rng(seed).normal(size=(50, len(NAMES)))
    leaves = made.leaves(rows)
    assert leaves.shape == (50, len(made.feature))
    assert ((leaves >= 0) & (leaves < made.parts.shape[1])).all()
    added = made.parts_of(leaves)
    assert added.shape == (50, len(GROUPS))
    assert np.allclose(made.scores(leaves), made.base + added.sum(axis=1), atol=1e-9)
    # Not one of them says the same of everything.
    assert len(np.unique(made.scores(leaves))) > 40


def test_a_row_of_zeros_scores_nothing():
    made = bundled().trees
    assert made.scores(made.leaves(np.zeros((1, len(NAMES)))))[0] == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize(
    "name", ["linear_share", "linear_rank", "alone_rank", "coverage", "cosine", "lexical", "bm25"]
)
def test_more_of_what_matches_never_lowers_a_score(name):
    made = bundled().trees
    random = np.random.default_rng(11)
    rows = random.uniform(size=(500, len(NAMES)))
    more = rows.copy()
    more[:, NAMES.index(name)] += random.uniform(size=500)
    assert (made.scores(made.leaves(more)) - made.scores(made.leaves(rows)) >= -1e-4).all()


def test_a_row_scores_the_same_beside_any_others():
    made = bundled().trees
    rows = np.random.default_rng(7).normal(size=(64, len(NAMES)))
    together = made.scores(made.leaves(rows))
    alone = [float(made.scores(made.leaves(row[None, :]))[0]) for row in rows]
    assert together.tolist() == alone


# The card


def test_the_card_belongs_to_the_model_that_comes_along():
    told, made = card(), bundled()
    weights = Path(model.__file__).with_name(model.WEIGHTS_FILE).read_bytes()
    assert told["weights_sha256"] == hashlib.sha256(weights).hexdigest()
    assert told["features"] == {group: list(names) for group, names in GROUPS.items()}
    assert (told["trees"], told["leaves"]) == (len(made.trees.feature), LEAVES)
    assert told["confidence"]["without_vectors"] == made.without_vectors
    assert tuple(told["confidence"]["evidence"]) == made.confidence.names


def test_the_card_names_what_was_learned_from_with_its_licence():
    told = card()
    assert all(told[name] for name in ("commit", "data", "versions"))
    assert all(one["licence"] and one["kind"] and one["sha256"] for one in told["data"].values())


@pytest.mark.parametrize("name", sorted(RISING))
def test_more_evidence_never_makes_an_answer_less_likely(name):
    made = bundled().confidence
    random = np.random.default_rng(11)
    rows = random.uniform(size=(500, len(EVIDENCE)))
    more = rows.copy()
    more[:, EVIDENCE.index(name)] += random.uniform(size=500)
    assert (made.scores(made.leaves(more)) - made.scores(made.leaves(rows)) >= -1e-4).all()
