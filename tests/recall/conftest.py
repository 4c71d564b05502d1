"""Candidates made by hand, strategies that draw them, and a read path that is opened half way."""

from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US
from simonides.parts.arguments import query_of
from simonides.ports.store import Sketch
from simonides.recall.candidates import CandidateTable, QueryContext, QueryMatch
from simonides.recall.passage import Sought
from simonides.recall.question.analysis import Analysis, Asks, Expects, Intent, Tense
from simonides.recall.ranking.first_look import first_look
from simonides.recall.ranking.text_words import ReadText, TextTable, coded
from simonides.recall.store_view import StoreView
from simonides.testing import FakeEmbedder

NOW = 1_772_366_400_000_000
STEPS = (-4, -3, -2, -1, 1, 2, 3, 4)


def sketch(key=1, content="tea", **changes):
    """A fact, recorded now and alone, of which only what is given is known."""
    values = {
        "key": key, "type": "fact", "title": "", "content": content, "tags": "", "derived": "", "sender": "",
        "role": None, "scope": 1, "session_id": None, "ordinal": None, "validation": "unverified",
        "confidence": 1.0, "importance": 0.5, "decay_rate": 0.1, "created_at": NOW, "event_at": NOW,
        "reinforcement": 0.0, "last_used_at": None, "last_hit_at": None, "entities": "", "source_kind": "chat",
        "hashed": 0, "trust": "high", "pinned": 0, "valid_until": None, "superseded_by": None,
    }  # fmt: skip
    return Sketch(**(values | changes))


def match(counts, weights=None, phrases=None, cosine=None):
    """Candidates against a question; tokens weigh the same where nothing else is said."""
    held = np.array(counts, float)
    size, tokens = held.shape
    zeros = np.zeros(size)
    return QueryMatch(
        tokens=[f"word{number}" for number in range(tokens)],
        counts=held,
        weights=np.full(tokens, 1 / max(1, tokens)) if weights is None else np.array(weights, float),
        phrases=zeros if phrases is None else np.array(phrases, float),
        cosine=zeros if cosine is None else np.array(cosine, float),
    )


#: What is looked for in long texts, where nothing is.
NOTHING_SOUGHT = Sought({}, (), lambda texts: [text.split() for text in texts])
COLUMNS = (
    "bm25", "coverage", "lexical", "speaker", "alone", "linear", "entity", "activation", "tag", "window", "lengths",
    "changing", "words", "answer", "session", "repeated",
)  # fmt: skip


def read_as(contents, tokens):
    """Texts of these tokens."""
    return ReadText.each(contents, [coded(some).tobytes() for some in tokens])


def candidates(
    *sketches, matches=None, neighbours=None, groups=None, tokens=None, vectors=None, names=(), **columns
):
    """A table of these; what is not given is 0, without sessions, and as the sketches have it."""
    size = len(sketches)
    cut = [sorted(set(" ".join(some).split())) for some in tokens or [[one.content] for one in sketches]]
    matches = matches or [match(np.zeros((size, 1)))]
    given = {
        "lengths": [float(len(some)) for some in cut],
        "words": [one.content.count(" ") + 1 for one in sketches],
        "answer": [one.role == "assistant" and one.type == "episode" for one in sketches],
        "cosine": np.max([one.cosine for one in matches], axis=0),
    } | columns
    assert given.keys() <= {*COLUMNS, "cosine"}
    values = {name: np.array(given.get(name, [0.0] * size), float) for name in (*COLUMNS, "cosine")}
    return CandidateTable(
        query=QueryContext(analysis=analysis(), k=10, now=NOW, names=frozenset(names)),
        keys=np.array([one.key for one in sketches], np.int64),
        sketches=sketches,
        read=sketches,
        event_at=np.array([one.event_at for one in sketches], np.int64),
        sought=NOTHING_SOUGHT,
        texts=TextTable.joined(
            read_as([one.content for one in sketches], cut),
            cut,
            str.split,
        ),
        matches=matches,
        vectors=np.zeros((size, 2), np.float32) if vectors is None else np.array(vectors, np.float32),
        neighbours={step: np.array((neighbours or {}).get(step, [-1] * size), np.intp) for step in STEPS},
        vain=np.zeros(size, np.bool_),
        groups=np.array([-1] * size if groups is None else groups, np.intp),
        **values,
    )


def changed(found, **columns):
    """The same candidates with other columns."""
    return replace(found, **{name: np.array(column, float) for name, column in columns.items()})


def sketched(found, sketches):
    """The same candidates with other sketches, of the same words."""
    texts = read_as([one.content for one in sketches], found.texts.pieces)
    return replace(
        found,
        sketches=sketches,
        read=sketches,
        texts=TextTable.joined(texts, found.texts.pieces, str.split),
    )


def asked_for(found, k=10, **fields):
    """The same candidates of another question."""
    return replace(found, query=replace(found.query, k=k, analysis=analysis(**fields)))


def analysis(text="where is the kettle?", **fields):
    """A question that asks for nothing in particular."""
    values = {
        "text": text, "terms": (), "content_terms": (), "names": (), "candidates": (), "window": None,
        "intent": Intent.GENERAL, "asks": Asks.ANYONE, "expects": Expects.OTHER, "complex": False,
        "recall_intent": False, "order": False, "tense": Tense.PRESENT,
    }  # fmt: skip
    return Analysis(**(values | fields))


def turned(found, rows):
    """The same candidates in another order."""
    rows = np.array(rows, np.intp)
    size = len(rows)
    # Where each former row stands now; the last entry keeps "none" what it is.
    places = np.append(np.empty(size, np.intp), -1)
    places[rows] = np.arange(size)
    sketches = [found.sketches[row] for row in rows]
    return replace(
        found,
        sketches=sketches,
        read=sketches,
        matches=[
            replace(one, counts=one.counts[rows], phrases=one.phrases[rows], cosine=one.cosine[rows])
            for one in found.matches
        ],
        texts=TextTable.joined(
            [found.texts.texts[row] for row in rows], [found.texts.pieces[row] for row in rows], str.split
        ),
        neighbours={step: places[column][rows] for step, column in found.neighbours.items()},
        **{
            name: getattr(found, name)[rows]
            for name in (*COLUMNS, "cosine", "keys", "event_at", "groups", "vectors")
        },
    )


UNIT = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.5, 1.0]))
TEXTS = st.one_of(
    st.sampled_from(
        ["", "?", "👍", "I told you: my kettle?", "```x```", "три 3 два", "两个", "yesterday " * 90]
    ),
    st.text(max_size=40),
)


@st.composite
def tables(draw, least=0, most=7):
    """Any candidates, turns of a few sessions and others, with ties and nothing in common with sense."""
    size = draw(st.integers(least, most))

    def column(values):
        return draw(st.lists(values, min_size=size, max_size=size))

    groups = column(st.integers(-1, 1))
    # Numbers of sessions run from 0 without gaps.
    groups = [group - 1 if 0 not in groups and group == 1 else group for group in groups]
    sketches = []
    for row, group in enumerate(groups):
        ordinal = None if group < 0 else sum(other == group for other in groups[:row])
        sketches.append(
            sketch(
                row + 1,
                draw(TEXTS),
                type=draw(st.sampled_from(["episode", "fact", "temp"])),
                role=draw(st.sampled_from([None, "user", "assistant"])),
                session_id=None if group < 0 else f"s{group}",
                ordinal=ordinal,
                event_at=NOW + draw(st.integers(-1000, 1000)) * DAY_US,
                pinned=draw(st.integers(0, 1)),
                importance=draw(st.floats(0, 1)),
                reinforcement=draw(st.floats(-1000, 1000)),
            )
        )
    places = {
        (group, one.ordinal): row for row, (group, one) in enumerate(zip(groups, sketches, strict=True))
    }
    neighbours = {
        step: [
            -1 if one.ordinal is None else places.get((group, one.ordinal + step), -1)
            for group, one in zip(groups, sketches, strict=True)
        ]
        for step in STEPS
    }
    words = draw(st.integers(0, 3))
    matches = [
        match(
            np.array(column(st.lists(st.integers(0, 3), min_size=words, max_size=words))).reshape(
                size, words
            ),
            phrases=column(UNIT),
            cosine=column(UNIT),
        )
        for _ in range(draw(st.integers(1, 2)))
    ]
    vectors = np.array(column(st.lists(st.sampled_from([0.0, 0.6, 0.8, 1.0]), min_size=2, max_size=2)))
    lengths = np.linalg.norm(vectors.reshape(size, 2), axis=1, keepdims=True)
    return candidates(
        *sketches,
        matches=matches,
        neighbours=neighbours,
        groups=groups,
        tokens=column(st.lists(st.sampled_from(["kettle", "blue", "yesterday", "two", ""]), max_size=4)),
        vectors=vectors.reshape(size, 2) / np.where(lengths > 0, lengths, 1.0),
        names=draw(st.sampled_from([(), ("ana",)])),
        lexical=column(UNIT),
        alone=column(st.one_of(UNIT, st.floats(0, 3))),
        linear=column(st.one_of(UNIT, st.floats(0, 5))),
        **{name: column(UNIT) for name in ("speaker", "entity", "activation", "changing", "tag", "window")},
    )


@pytest.fixture(scope="session")
def stage():
    """Helpers that tests of the default profile share."""
    return SimpleNamespace(
        NOW=NOW,
        sketch=sketch,
        match=match,
        candidates=candidates,
        changed=changed,
        sketched=sketched,
        asked_for=asked_for,
        analysis=analysis,
        turned=turned,
        tables=tables,
    )


class KnownTexts(FakeEmbedder):
    """Embeds the texts that it is told to, and all others to nothing.

    Args:
        vectors: Of four numbers each, by text; made unit vectors.
        error: Set it to be raised from then on, as by a provider that has gone.
    """

    def __init__(self, vectors=None):
        super().__init__(4)
        self.vectors = dict(vectors or {})
        self.error = None
        self.asked = []

    def embed(self, texts):
        if self.error is not None:
            raise self.error
        self.asked += texts
        rows = np.zeros((len(texts), 4), np.float32)
        for row, text in enumerate(texts):
            if text in self.vectors:
                vector = np.array(self.vectors[text], np.float32)
                rows[row] = vector / np.linalg.norm(vector)
        return rows


@pytest.fixture
def known_texts():
    """The embedder whose vectors a test knows."""
    return KnownTexts


@pytest.fixture
def asked():
    """Opens a question half way: the reader, the query, and the candidates as the first look sees them."""

    @contextmanager
    def opened(memory, question, *, scope=None, k=10, **fields):
        query = query_of(memory._parts, question, scope, k, fields)
        with memory._parts.store.read() as reader:
            candidates = first_look(memory._parts.recall.gathered(reader, query))
            view = StoreView(reader, reader.state())
            yield SimpleNamespace(reader=reader, view=view, query=query, candidates=candidates)

    return opened
