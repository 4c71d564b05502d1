"""What no ranking may get wrong, whatever it has learned, as a caller sees it."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simonides import Memory
from simonides.domain.scope import ALL
from simonides.testing import FakeEmbedder, FrozenClock

WORDS = (
    "kettle",
    "blue",
    "garden",
    "rent",
    "paint",
    "Friday",
    "train",
    "cake",
    "lamp",
    "seven",
    "door",
    "I",
    "we",
)
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join),
    min_size=2, max_size=10, unique=True,
)  # fmt: skip


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=TEXTS, seed=st.integers(0, 999), question=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)
)
def test_the_order_in_which_undated_notes_were_stored_does_not_matter(
    tmp_path_factory, texts, seed, question
):
    turned = random.Random(seed).sample(texts, len(texts))
    told: list[dict[str, float]] = []
    for notes in (texts, turned):
        folder = tmp_path_factory.mktemp("notes")
        with Memory(folder / "m.db", embedder=FakeEmbedder(), clock=FrozenClock("2026-03-01")) as memory:
            for note in notes:
                memory.add(note)
            result = memory.search(f"what of {' '.join(question)}?", k=len(texts))
            told.append({hit.item.content: hit.score for hit in result})
    assert told[1] == pytest.approx(told[0], abs=1e-5)


def test_of_what_ties_the_newest_comes_first(tmp_path):
    with Memory(tmp_path / "m.db", embedder=FakeEmbedder()) as memory:
        ids = [memory.add("The kettle is blue", scope=f"user:u{n}/project:p").item_ids[0] for n in range(5)]
        assert [hit.item.id for hit in memory.search("kettle", scope=ALL, profile="classic", k=5)][:1] == ids[
            -1:
        ]
