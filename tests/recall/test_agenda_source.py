"""The memory as an agenda sees it, over a real store."""

from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from simonides.domain.taxonomy import TAXONOMY
from simonides.domain.verdict import Outcome
from simonides.ports.store import NewItem
from simonides.recall.agenda_source import StoreSource, goal_of
from simonides.recall.ranking.first_look import first_look
from simonides.recall.ranking.profiles.balanced import Balanced
from simonides.testing import an_item

KITCHEN = [
    {"content": "the kettle is blue", "tags": ["kitchen"], "entities": ["Ana Lovelace"]},
    {"content": "the tea of Ana Lovelace is green", "tags": ["kitchen", "book club"], "entities": ["Ana Lovelace"]},
    {"content": "Bo paints the fence", "tags": ["garden"], "entities": ["Bo Lind"]},
    {"content": "Ana Lovelace and Bo Lind met in Riga", "entities": ["Ana Lovelace", "Bo Lind"], "tags": ["travel"]},
    {"content": "the cat is old", "tags": ["чай"]},
]  # fmt: skip
VECTORS = {
    "the kettle is blue": [1, 0, 0, 0],
    "the tea of Ana Lovelace is green": [4, 3, 0, 0],
    "Bo paints the fence": [0, 0, 1, 0],
    "Ana Lovelace and Bo Lind met in Riga": [-1, 0, 0, 0],
    "where is the blue kettle?": [1, 0, 0, 0],
}


@pytest.fixture
def sourced(asked):
    """The source of a question's agenda: what it was made of, and the keys of items by their text."""

    @contextmanager
    def opened(memory, question, *, vectors=True, **fields):
        with asked(memory, question, **fields) as found:
            context = found.candidates.query
            goal = goal_of(found.view, context.analysis, context.entities)

            def search(text, selection):
                query = replace(found.query, text=text, selection=selection)
                return Balanced().rank(
                    first_look(memory._parts.recall.gathered(found.reader, query)), TAXONOMY
                )

            vector, index = None, None
            if vectors and context.vectors is not None:
                vector, index = context.vectors[0], memory._parts.recall.index
            source = StoreSource(found.view, found.query.selection, goal, search, vector, index)
            everything = found.reader.look(list(range(1, 500))).sketches.values()
            keys = {sketch.content: sketch.key for sketch in everything}
            yield SimpleNamespace(source=source, goal=goal, keys=keys, reader=found.reader)

    return opened


@pytest.fixture
def kitchen(open_memory, known_texts):
    memory = open_memory(embedder=known_texts(VECTORS))
    memory.add(KITCHEN)
    return memory


def texts(found):
    return [evidence.sketch.content for evidence in found]


# Searches


def test_find_gives_the_ordinary_hits_best_first(kitchen, sourced):
    with sourced(kitchen, "where is the blue kettle?") as seen:
        found = seen.source.find("where is the blue kettle?", 10)
        assert texts(found)[0] == "the kettle is blue"
        assert [evidence.key for evidence in found] == [seen.keys[text] for text in texts(found)]
        assert len(set(texts(found))) == len(found)
        assert all(evidence.document is None for evidence in found)
        assert texts(seen.source.find("where is the blue kettle?", 1)) == ["the kettle is blue"]
        assert texts(seen.source.find("fence", 1)) == ["Bo paints the fence"]
        assert seen.source.find("where is the blue kettle?", 0) == []


def test_find_is_the_search_in_its_order(open_memory, sourced):
    memory = open_memory()
    memory.add([f"the kettle of room {n}" + " and more" * n for n in range(20)])
    hits = memory.search("kettle of room 7", k=20, min_relevance=0).hits
    with sourced(memory, "kettle of room 7", k=20) as seen:
        found = seen.source.find("kettle of room 7", 20)
        assert texts(found) == [hit.item.content for hit in hits]


def test_documents_gives_pieces_of_documents_alone(kitchen, sourced):
    pieces = [
        an_item("a kettle is a vessel", type="chunk"),
        an_item("a blue kettle costs more", type="chunk", session_id="handbook"),
    ]
    new = [NewItem(piece, Outcome.ACCEPTED) for piece in pieces]
    kitchen._parts.store.write(lambda tx: tx.insert(new, None))
    with sourced(kitchen, "where is the blue kettle?") as seen:
        found = seen.source.documents("blue kettle", 10)
        key = seen.keys["a kettle is a vessel"]
        assert {evidence.sketch.content: evidence.document for evidence in found} == {
            "a blue kettle costs more": "handbook",
            "a kettle is a vessel": str(key),
        }
        # Without a corpus there is nothing to ask, and a question that names types is not led elsewhere.
        assert not seen.source.has_documents


@pytest.mark.parametrize("own", ["user:ana", "user:bo"])
def test_nothing_that_is_found_lies_outside_of_the_selection(open_memory, sourced, own):
    memory = open_memory()
    for scope in ("user:ana", "user:bo"):
        told = [f"the kettle of {scope} {n}" for n in range(40)]
        memory.add(told, scope=scope, tags=["kitchen"], entities=["Ana Lovelace"])
    with sourced(memory, "where is the kettle of Ana Lovelace?", scope=own) as seen:
        several = [
            seen.source.find("kettle", 30),
            seen.source.documents("kettle", 30),
            seen.source.sharing(["Ana Lovelace"], ["kitchen"], (), 30),
        ]
        assert [len(found) for found in several] == [30, 0, 30]
        for found in several:
            assert all(own in text for text in texts(found))


def test_a_selection_of_types_holds_for_every_answer(kitchen, sourced):
    kitchen.add(
        "Ana Lovelace decides on kettles", type="decision", entities=["Ana Lovelace"], tags=["kitchen"]
    )
    with sourced(kitchen, "where is the blue kettle?", types=["decision"]) as seen:
        for found in (
            seen.source.find("kettle", 10),
            seen.source.sharing(["Ana Lovelace"], [], (), 10),
            seen.source.sharing([], ["kitchen"], (), 10),
        ):
            assert texts(found) == ["Ana Lovelace decides on kettles"]
        assert not seen.source.has_documents


# What items share


def test_items_share_entities_and_tags_those_that_share_most_first(kitchen, sourced):
    with sourced(kitchen, "where is the blue kettle?") as seen:
        sharing = seen.source.sharing
        assert texts(sharing(["Ana Lovelace"], [], (), 10)) == [
            "the kettle is blue",
            "the tea of Ana Lovelace is green",
            "Ana Lovelace and Bo Lind met in Riga",
        ]
        assert (
            texts(sharing(["Bo Lind", "ANA LOVELACE"], [], (), 10))[0]
            == "Ana Lovelace and Bo Lind met in Riga"
        )
        assert texts(sharing([], ["Kitchen"], (), 10)) == [
            "the kettle is blue",
            "the tea of Ana Lovelace is green",
        ]
        # Entity and tag: two things in common come before one.
        assert texts(sharing(["Bo Lind"], ["garden"], (), 10)) == [
            "Bo paints the fence",
            "Ana Lovelace and Bo Lind met in Riga",
        ]
        assert texts(sharing([], ["book club"], (), 10)) == ["the tea of Ana Lovelace is green"]
        assert texts(sharing([], ["ЧАЙ"], (), 10)) == ["the cat is old"]
        # A tag is no word of the text.
        assert sharing([], ["kettle"], (), 10) == []
        assert sharing(["Nobody"], ["nothing"], (), 10) == []
        assert sharing([], [], (), 10) == []


def test_what_is_known_already_is_left_out_and_crowds_nothing_out(open_memory, sourced):
    memory = open_memory()
    memory.add(
        [{"content": f"note {n}", "entities": ["Ana Lovelace"], "tags": ["kitchen"]} for n in range(30)]
    )
    with sourced(memory, "where is Ana Lovelace?") as seen:
        for entities, tags in ((["Ana Lovelace"], []), ([], ["kitchen"])):
            everything = [e.key for e in seen.source.sharing(entities, tags, (), 30)]
            assert len(everything) == 30
            left = [e.key for e in seen.source.sharing(entities, tags, everything[2:], 5)]
            assert left == everything[:2]
            left = [e.key for e in seen.source.sharing(entities, tags, everything[:28], 5)]
            assert left == everything[28:]
            assert len(seen.source.sharing(entities, tags, (), 5)) == 5


def test_tags_that_were_asked_for_stay_asked_for(kitchen, sourced):
    with sourced(kitchen, "where is the blue kettle?", tags=["kitchen"]) as seen:
        assert seen.source.sharing([], ["garden"], (), 10) == []
        assert texts(seen.source.sharing([], ["book club"], (), 10)) == ["the tea of Ana Lovelace is green"]


def test_the_alias_of_an_entity_is_a_name_too(kitchen, sourced):
    kitchen.entities.alias("Bo Lind", "Robert")
    with sourced(kitchen, "where is the blue kettle?") as seen:
        assert texts(seen.source.sharing(["robert"], [], (), 10)) == [
            "Bo paints the fence",
            "Ana Lovelace and Bo Lind met in Riga",
        ]


# How near and how alike


def looked_at(seen):
    """Every item, once the ground has met it."""
    seen.source.sharing(["Ana Lovelace", "Bo Lind"], ["kitchen", "чай"], (), 20)
    return [seen.keys[item["content"]] for item in KITCHEN]


def test_relevance_is_the_cosine_with_the_question(kitchen, sourced):
    with sourced(kitchen, "where is the blue kettle?") as seen:
        keys = looked_at(seen)
        # What points elsewhere, and what has no vector, is not near.
        assert seen.source.relevance(keys).tolist() == pytest.approx([1.0, 0.8, 0.0, 0.0, 0.0])
        assert seen.source.relevance(keys[::-1]).tolist() == pytest.approx([0.0, 0.0, 0.0, 0.8, 1.0])
        assert seen.source.relevance([]).tolist() == []


def test_without_vectors_relevance_is_the_share_of_the_question_that_an_item_holds(kitchen, sourced):
    with sourced(kitchen, "where is the blue kettle of Riga?", vectors=False) as seen:
        keys = looked_at(seen)
        weights = {want.words: want.weight for want in seen.goal.terms}
        total = sum(weights.values())
        assert set(weights) == {"blue", "kettle", "Riga"}
        expected = [(weights["blue"] + weights["kettle"]) / total, 0, 0, weights["Riga"] / total, 0]
        assert seen.source.relevance(keys).tolist() == pytest.approx(expected)


@pytest.mark.parametrize("vectors", [True, False])
def test_likeness_is_symmetric_a_share_and_whole_with_itself(kitchen, sourced, vectors):
    with sourced(kitchen, "where is the blue kettle?", vectors=vectors) as seen:
        keys = looked_at(seen)
        alike = seen.source.similarities(keys, keys)
        assert alike.shape == (5, 5)
        assert np.array_equal(alike, alike.T)
        assert ((alike >= 0) & (alike <= 1)).all()
        own = [1, 1, 1, 1, 0] if vectors else [1] * 5  # The last has no vector.
        assert np.diag(alike).tolist() == pytest.approx(own)
        assert np.array_equal(seen.source.similarities(keys[:2], keys[2:]), alike[:2, 2:])
        assert seen.source.similarities([], keys).shape == (0, 5)
        assert seen.source.similarities(keys, []).shape == (5, 0)


def test_likeness_is_the_cosine_or_else_the_words_shared(kitchen, sourced):
    with sourced(kitchen, "where is the blue kettle?") as seen:
        kettle, tea, fence, *_ = looked_at(seen)
        found = seen.source.similarities([kettle], [tea, fence])
        assert found.tolist() == [pytest.approx([0.8, 0.0])]
    with sourced(kitchen, "where is the blue kettle?", vectors=False) as seen:
        kettle, tea, fence, *_ = looked_at(seen)
        found = seen.source.similarities([kettle], [tea, fence])
        # "the, is" of "the kettle is blue" and "the tea of ana lovelac is green"; "the" of "bo paint the fenc".
        assert found.tolist() == [pytest.approx([2 / 9, 1 / 7])]


# What an item holds of the question


def test_an_item_holds_the_words_and_names_of_the_question_that_are_in_it(kitchen, sourced):
    with sourced(kitchen, "where did Ana Lovelace put the blue kettles?") as seen:
        assert {want.name: want.words for want in seen.goal.entities} == {"ana lovelace": "Ana Lovelace"}
        keys = looked_at(seen)
        held = dict(zip((item["content"] for item in KITCHEN), seen.source.holds(keys), strict=True))
        # Words as the text index cuts them; an entity where it is registered, or said.
        assert held["the kettle is blue"] == {"blue", "kettl", "ana lovelace"}
        assert held["Ana Lovelace and Bo Lind met in Riga"] == {"ana", "lovelac", "ana lovelace"}
        assert held["the cat is old"] == frozenset()


def test_a_name_is_held_as_a_whole_word(open_memory, sourced):
    memory = open_memory()
    memory.add([{"content": "Ana sings", "entities": ["Ana"]}, "bananas are yellow", "the kettle of Ana"])
    with sourced(memory, "what does Ana do?") as seen:
        seen.source.find("Ana bananas", 10)
        keys = [seen.keys[text] for text in ("Ana sings", "bananas are yellow", "the kettle of Ana")]
        assert ["ana" in held for held in seen.source.holds(keys)] == [True, False, True]


# The goal


def test_rarer_words_weigh_more_and_words_that_name_the_time_are_none(kitchen, sourced):
    kitchen.add([f"a kettle for guest {n}" for n in range(10)])
    with sourced(kitchen, "which kettle did we see in Riga last week?") as seen:
        weights = {want.words: want.weight for want in seen.goal.terms}
        assert weights["Riga"] > weights["kettle"] > 0
        assert "week" not in weights
        start, end = seen.goal.window
        assert end - start == 7 * 86_400_000_000


def test_a_question_without_words_has_a_goal_without_terms(kitchen, sourced):
    with sourced(kitchen, "what happened last week?") as seen:
        assert seen.goal.terms == seen.goal.entities == ()
        assert seen.goal.window is not None
        keys = looked_at(seen)
        assert seen.source.holds(keys) == [frozenset()] * 5
        assert seen.source.relevance(keys).shape == (5,)


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("list all the kettles", True),
        ("how many kettles are there?", True),
        ("in which order did we buy the kettles?", True),
        ("where is the kettle?", False),
    ],
)
def test_lists_counts_and_orders_ask_for_several(kitchen, sourced, question, several):
    with sourced(kitchen, question) as seen:
        assert seen.goal.several == several


@pytest.mark.parametrize("limits", [(1, 2, 9), (9, 1, 2), (2, 9, 1), (1, 1, 9)])
def test_what_is_asked_again_is_answered_as_if_it_were_asked_first(kitchen, sourced, limits):
    kitchen.add([{"content": f"kettle {n} stands in the kitchen", "tags": ["kitchen"]} for n in range(5)])
    question = "where is the blue kettle?"

    def sharing(source, limit, exclude):
        return source.sharing(["Ana Lovelace", "Bo Lind"], ["kitchen", "garden"], exclude, limit)

    with sourced(kitchen, question) as seen:
        for limit in limits:
            for exclude in ((), tuple(seen.keys.values())[:2]):
                with sourced(kitchen, question) as fresh:
                    expected = texts(sharing(fresh.source, limit, exclude))
                assert texts(sharing(seen.source, limit, exclude)) == expected
                assert len(expected) == min(limit, 9 - len(exclude))
