"""Items as a run knows them: each looked at once, names that tell nothing apart left out."""

import pytest

from simonides.recall.agenda.known import KnownItems


@pytest.fixture
def known(fake):
    """Everything that is known after looking at these items, in groups, and the ground that was asked."""

    def of(*groups):
        ground = fake.ground(fake.goal("Apollo"), [sketch for group in groups for sketch in group])
        found = KnownItems(ground)
        for group in groups:
            ranked = ground._ranked("Apollo", [sketch.key for sketch in group])
            assert [piece.key for piece in found.take(ranked)] == [evidence.key for evidence in ranked]
        return found, ground

    return of


def test_an_item_is_looked_at_once(fake, known):
    items = [fake.sketch(n, f"Apollo {n}") for n in range(1, 5)]
    found, ground = known(items[:3], items[1:], items)
    assert sorted(ground.looked_at) == [1, 2, 3, 4]
    assert [piece.key for piece in found] == [1, 2, 3, 4]


def test_similarities_stay_right_as_more_is_learned(fake, known):
    texts = ["Apollo flies", "Apollo flies high", "Apollo rests", "Apollo"]
    items = [fake.sketch(n, text) for n, text in enumerate(texts, 1)]
    found, _ = known(items[:1], items[1:3], items[3:])
    pieces = list(found)
    assert found.similarity(pieces[0], pieces[1]) == pytest.approx(2 / 3)
    assert (
        found.similarity(pieces[3], pieces[1])
        == found.similarity(pieces[1], pieces[3])
        == pytest.approx(1 / 3)
    )
    assert found.mean_similarity(pieces[:3]) == pytest.approx((2 / 3 + 1 / 3 + 1 / 4) / 3)
    assert found.mean_similarity(pieces[:1]) == 0.0


def test_a_name_that_most_items_mention_ties_none_of_them(fake, known):
    everywhere = [fake.sketch(n, f"Apollo asked Lena for {n}") for n in range(1, 8)]
    found, _ = known([*everywhere, fake.sketch(8, "Apollo asked Marek")])
    assert [piece.names for piece in found][-2:] == [(), ("Marek",)]
    few, _ = known(everywhere[:5])
    assert next(piece.names for piece in few) == ("Lena", "Apollo")


def test_who_says_most_of_it_ties_nothing_either(fake, known):
    turns = [fake.sketch(n, f"Apollo again {n}", type="episode", sender="Lena") for n in range(1, 8)]
    found, _ = known([*turns, fake.sketch(8, "Apollo asked Lena")])
    assert list(found)[-1].names == ()


def test_tokens_and_documents_come_along(fake, known):
    found, _ = known([fake.sketch(1, "Apollo flies high", title="Sky", type="chunk")])
    [piece] = found
    assert (piece.tokens, piece.document) == (4, "handbook")
