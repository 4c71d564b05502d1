"""Candidates to rank, and strategies that draw them."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import strategies as st

from simonides.domain.instant import DAY_US
from simonides.domain.taxonomy import TAXONOMY
from simonides.ports.store import Sketch
from simonides.recall.candidates import CandidateTable, QueryContext
from simonides.recall.passage import Sought

NOW = 1_772_366_400_000_000
COLUMNS = ("bm25", "cosine", "coverage", "tag", "entity", "activation", "changing", "window")


def sketch(key=1, **changes):
    """A fact about tea, recorded now, of which only what is given is known."""
    values = {
        "key": key, "type": "fact", "title": "", "content": "tea", "tags": "", "derived": "", "sender": "",
        "role": None, "scope": 1, "session_id": None, "ordinal": None, "validation": "unverified",
        "confidence": 1.0, "importance": 0.5, "decay_rate": 0.1, "created_at": NOW, "event_at": NOW,
        "reinforcement": 0.0, "last_used_at": None, "last_hit_at": None, "entities": "", "source_kind": "chat",
        "hashed": 0, "trust": "high", "pinned": 0, "valid_until": None, "superseded_by": None,
    }  # fmt: skip
    return Sketch(**(values | changes))


NOTHING_SOUGHT = Sought({}, (), lambda texts: [text.split() for text in texts])


def candidates(*sketches, now=NOW, **columns):
    """A table of these sketches; a column that is not given is 0, coverage is 1."""
    zeros = np.zeros(len(sketches))
    values = dict.fromkeys(COLUMNS, zeros) | {"coverage": zeros + 1}
    given = {name: np.asarray(value, float) for name, value in columns.items()}
    assert given.keys() <= values.keys()
    return CandidateTable(
        query=QueryContext(analysis=None, k=10, now=now),  # These profiles do not look at the question.
        keys=np.array([sketch.key for sketch in sketches], np.int64),
        sketches=sketches,
        event_at=np.array([sketch.event_at for sketch in sketches], np.int64),
        sought=NOTHING_SOUGHT,
        **(values | given),
    )


def columns(found):
    """The columns of candidates by name."""
    return {name: getattr(found, name) for name in COLUMNS}


def best(ranked):
    """Keys that a ranking kept, best first."""
    return [int(ranked.keys[row]) for row in ranked.ranked()]


def turned(found, rows):
    """The same candidates in another order."""
    return replace(
        found,
        keys=found.keys[rows],
        sketches=[found.sketches[row] for row in rows],
        event_at=found.event_at[rows],
        **{name: column[rows] for name, column in columns(found).items()},
    )


UNIT = st.floats(0, 1)


@st.composite
def tables(draw, most=8):
    """Any candidates, with ties."""
    count = draw(st.integers(0, most))

    def column(values):
        return draw(st.lists(values, min_size=count, max_size=count))

    unit = st.one_of(UNIT, st.sampled_from([0.0, 0.5]))
    sketches = [
        sketch(
            key,
            type=draw(st.sampled_from(sorted(TAXONOMY.specs))),
            importance=draw(UNIT),
            validation=draw(st.sampled_from(["verified", "unverified", "contested", "retracted"])),
            source_kind=draw(st.sampled_from(["doc", "tool", "mixed", "chat"])),
            hashed=draw(st.integers(0, 1)),
            reinforcement=draw(st.floats(-1000, 1000)),
            created_at=NOW - draw(st.integers(-1000, 10_000)) * DAY_US,
            last_used_at=draw(st.one_of(st.none(), st.just(NOW - 3 * DAY_US))),
            last_hit_at=draw(st.one_of(st.none(), st.just(NOW - 5 * DAY_US))),
        )
        for key in range(1, count + 1)
    ]
    return candidates(
        *sketches,
        bm25=column(st.one_of(st.floats(0, 50), st.sampled_from([0.0, 2.0]))),
        **{name: column(unit) for name in COLUMNS if name != "bm25"},
    )


@pytest.fixture(scope="session")
def ranking():
    """Helpers that tests of profiles share."""
    return SimpleNamespace(
        NOW=NOW,
        sketch=sketch,
        candidates=candidates,
        columns=columns,
        best=best,
        turned=turned,
        tables=tables,
    )
