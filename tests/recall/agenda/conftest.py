"""A small memory in a list, for the agenda to search: words for meaning, no vectors, every call counted."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

from simonides.ports.store import Sketch
from simonides.recall.agenda.names import Bonds
from simonides.recall.agenda.node import Goal, Piece, Want
from simonides.recall.agenda.source import Evidence

_STOPS = "the of a an is in does do who which what where when why has and to for it was on at how".split()  # noqa: SIM905


def words(text):
    """Words as the fake memory compares them: lower case, no stop words, no plural or possessive."""
    found = [word for word in re.findall(r"\w[\w']*", text.lower()) if word not in _STOPS]
    return frozenset(re.sub(r"'?s$", "", word) for word in found)


def a_sketch(key, content="", **fields):
    values = {
        "key": key, "type": "fact", "title": "", "content": content, "tags": "", "derived": "", "sender": "",
        "role": None, "scope": 1, "session_id": None, "ordinal": None, "validation": "unverified",
        "confidence": 1.0, "importance": 0.5, "decay_rate": 0.1, "created_at": 0, "event_at": 0,
        "reinforcement": 0.0, "last_used_at": None, "last_hit_at": None, "entities": "", "source_kind": "chat",
        "hashed": 0, "trust": "high", "pinned": 0, "valid_until": None, "superseded_by": None,
    }  # fmt: skip
    return Sketch(**(values | fields))


def a_piece(key, content="", *, relevance=0.0, holds=(), names=(), tokens=10, document=None, **fields):
    """Support made by hand."""
    bonds = Bonds(frozenset(name.casefold() for name in names))
    sketch = a_sketch(key, content, **fields)
    return Piece(key, sketch, document, relevance, frozenset(holds), tuple(names), bonds, tokens)


class FakeGround:
    """Meets `ground.Ground` with items in a list, for one goal."""

    def __init__(self, goal, items, *, documents=False):
        self.goal = goal
        self.sketches = {sketch.key: sketch for sketch in items}
        self.has_documents = documents
        self.asked = []
        self.looked_at = []
        self._words = {key: words(f"{s.title} {s.content}") for key, s in self.sketches.items()}

    def _ranked(self, text, keys):
        wanted = sorted(words(text))
        holders = {word: sum(word in found for found in self._words.values()) for word in wanted}
        weights = {word: math.log(1 + len(self._words) / holders[word]) for word in wanted if holders[word]}
        scores = {key: sum(w for word, w in weights.items() if word in self._words[key]) for key in keys}
        scores = {key: score / sum(weights.values()) for key, score in scores.items() if score}
        return [
            Evidence(key, self.sketches[key], self._document(key))
            for key, _ in sorted(scores.items(), key=lambda found: (-found[1], found[0]))
        ]

    def _document(self, key):
        return "handbook" if self.sketches[key].type == "chunk" else None

    def find(self, text, limit):
        self.asked.append(("find", text))
        return self._ranked(text, self.sketches)[:limit]

    def documents(self, text, limit):
        assert self.has_documents
        self.asked.append(("documents", text))
        return self._ranked(text, [key for key, s in self.sketches.items() if s.type == "chunk"])[:limit]

    def sharing(self, entities, tags, exclude, limit):
        self.asked.append(("sharing", *entities, "/", *tags))
        entities, tags = ({name.casefold() for name in names} for names in (entities, tags))
        shared = {
            key: len(entities & set(s.entities.casefold().split("\n"))) + len(tags & set(s.tags.split("\n")))
            for key, s in self.sketches.items()
            if key not in exclude
        }
        ranked = sorted((key for key in shared if shared[key]), key=lambda key: (-shared[key], key))
        return [Evidence(key, self.sketches[key], self._document(key)) for key in ranked[:limit]]

    def relevance(self, keys):
        self.looked_at += keys
        wanted = words(self.goal.text)
        return np.array([len(wanted & self._words[key]) / max(1, len(wanted)) for key in keys])

    def similarities(self, keys, others):
        def alike(one, other):
            return len(one & other) / len(one | other) if one | other else 0.0

        rows = [[alike(self._words[key], self._words[other]) for other in others] for key in keys]
        return np.array(rows, np.float64).reshape(len(keys), len(others))

    def holds(self, keys):
        return [
            frozenset(
                want.name
                for want in self.goal.wants
                if want.name in self._words[key]
                or want.name in self.sketches[key].entities.casefold().split("\n")
            )
            for key in keys
        ]


def a_goal(text, items=(), *, entities=(), **fields):
    """The goal of a question: its words, the rarer the heavier; the entities named among them."""
    texts = [words(f"{sketch.title} {sketch.content}") for sketch in items]
    named = {name.casefold() for name in entities}

    def want(name):
        return Want(name, name, math.log(1 + (1 + len(texts)) / (1 + sum(name in found for found in texts))))

    ordered = sorted(words(text), key=lambda word: text.lower().index(word))
    return Goal(
        text=text,
        terms=tuple(want(word) for word in ordered if word not in named),
        entities=tuple(want(name) for name in sorted(named)),
        **fields,
    )


class FakeTime:
    """Seconds that pass with each look at the clock."""

    def __init__(self, step=0.0):
        self.now = 0.0
        self.step = step

    def __call__(self):
        self.now += self.step
        return self.now


CHAIN = "Which city does the manager of the person who leads Apollo live in?"


def the_chain(count=25):
    """Apollo's lead, their manager, where that one lives; and others of whom much the same is said."""
    facts = [
        "Lena leads Apollo.",
        "Marek is the manager of Lena.",
        "Marek lives in Gdansk, a city by the sea.",
    ]
    cities = ["Riga", "Turku", "Bergen", "Malmo", "Aarhus"]
    others = [
        f"The manager of person {n} lives in the city of {cities[n % len(cities)]}." for n in range(count)
    ]
    return [a_sketch(key, text) for key, text in enumerate([*others, *facts], 1)]


@pytest.fixture(scope="session")
def fake():
    """The makers of this file, for tests that cannot import it."""
    return SimpleNamespace(
        sketch=a_sketch,
        piece=a_piece,
        goal=a_goal,
        ground=FakeGround,
        time=FakeTime,
        chain=the_chain,
        question=CHAIN,
    )
