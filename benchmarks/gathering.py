"""Questions with known answers as a ranking sees them: what the learned part of the ranking is learned from.

The worlds of every set are put into stores of their own through the public API, and the candidates of each question
are gathered through the read path. A set is also seen as small stores where a dozen of its texts can stand for a
whole store.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import pickle
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import simonides
from benchmarks.baselines import PlainBm25, PlainVectors
from benchmarks.foreign import answerable, foreign
from benchmarks.paraphrases import worlds as paraphrased
from benchmarks.report import progress
from benchmarks.stores import embedder_named, fill
from benchmarks.variants import BUNDLED
from benchmarks.worlds import ABSTAINING, FILES, SETS, DataSet, Kind, asked, lines, said, world
from simonides.compose import Parts, compose
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import instant
from simonides.domain.scope import GLOBAL, visible
from simonides.domain.selection import Selection
from simonides.memory import Memory
from simonides.recall.candidates import CandidateTable
from simonides.recall.ranking import model
from simonides.recall.ranking.confidence import evidence
from simonides.recall.ranking.features import NAMES, features
from simonides.recall.ranking.first_look import SHORTLIST, first_look, shortlist
from simonides.recall.ranking.meaning import by_meaning
from simonides.recall.result import Query
from simonides.sample import Question, SampleSession, World

PARAPHRASES: Final = "paraphrases"
#: Sets of many texts, of which small stores are made, with what these are called.
_SMALL: Final = {
    name: f"{name}_small" for name in ("xquad", "cranfield", "realmem_notes", "locomo", "realtalk", "qmsum")
}
_MADE_FROM: Final = {small: name for name, small in _SMALL.items()}
#: Every set that is learned from; those of small stores are a part of the set that they were made from.
EVERY_SET: Final[Mapping[str, DataSet]] = {
    **SETS,
    PARAPHRASES: DataSet("facts in other words", PARAPHRASES, Kind.NOTES, "this project's own", free=True),
    **{
        small: replace(SETS[name], title=f"{SETS[name].title} in small stores")
        for name, small in _SMALL.items()
    },
}
#: What is left out together: sets that were made from one another, and others of other kinds beside them.
_FOLDS: Final = (
    ("locomo", "locomo_small", "xquad", "xquad_small"),
    ("longmemeval", "cranfield", "cranfield_small"),
    ("beam", "realtalk", "realtalk_small"),
    ("memdaily", "realmem_notes", "realmem_notes_small", "realmem_chat"),
    ("qmsum", "qmsum_small", PARAPHRASES),
)
#: The fold of each set.
FOLD: Final = {name: number for number, fold in enumerate(_FOLDS) for name in fold}
#: Questions of a small store, and the fewest and most other texts beside what answers them.
_ASKED_OF_SMALL: Final = 6
_OTHERS: Final = (8, 60)
#: Most small stores of a world.
_SMALL_STORES: Final = 20
#: Results of a baseline that are looked at.
_DEPTH: Final = 50
OWN, FOREIGN, UNANSWERED = "own", "foreign", "unanswered"


class View(NamedTuple):
    """The shortlist of a question, seen in one way.

    Attributes:
        rows: Its features.
        hit: Which answer.
        linear: The first look.
        groups: The sessions.
        share: The share of a score that is likeness of meaning alone.
        alike: That likeness.
    """

    rows: NDArray[np.float32]
    hit: NDArray[np.bool_]
    linear: NDArray[np.float64]
    groups: NDArray[np.int16]
    share: float
    alike: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a world.

    Attributes:
        group: `OWN`, `FOREIGN`, of another world, or `UNANSWERED`, by this one.
        views: As it is first; of an own one the copies as well.
        evidence: How many turns answer it; 0 where none does.
        sessions: In how many sessions these stand.
        matches: What the confidence goes by.
        plain: Which of the first hits of each baseline answer, best first.
        unspaced: It is of a script without spaces.
    """

    set: str
    world: int
    category: str
    group: str
    views: tuple[View, ...]
    evidence: int
    sessions: int
    matches: Mapping[str, float]
    plain: Mapping[str, NDArray[np.bool_]]
    unspaced: bool


@dataclass(frozen=True, slots=True)
class Task:
    """A world with what is asked of it, as a worker process gets it."""

    set: str
    number: int
    world: World
    questions: Sequence[tuple[Question, str]]


@dataclass(frozen=True, slots=True)
class Stage:
    """The store of a world at a time at which something is asked of it.

    Attributes:
        items: The item of each turn that was stored.
        texts: What baselines read of each turn.
        questions: Each with its group.
    """

    file: Path
    items: Mapping[str, str]
    texts: Mapping[str, str]
    questions: Sequence[tuple[Question, str]]


def gathered(folder: Path, cache: Path | None, sets: Sequence[str], workers: int) -> list[Asked]:
    """Every question of some sets, from the cache where this data was gathered by this code.

    Args:
        folder: With the development files.
        cache: A folder that keeps what was gathered, each set by itself; None to keep nothing.
    """
    found: list[Asked] = []
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for name in sets:
            kept = None if cache is None else cache / f"{name}-{_key(folder, name)}.pickle"
            if kept is not None and kept.exists():
                found += pickle.loads(kept.read_bytes())  # noqa: S301 - written by this very function
                continue
            progress(f"{name} …")
            some = [one for of_world in pool.map(_of_world, tasks(folder, name)) for one in of_world]
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(pickle.dumps(some))
            found += some
    return found


def data_hash(folder: Path, name: str) -> str:
    """SHA-256 of the file that a set is read from."""
    if name == PARAPHRASES:
        return hashlib.sha256(Path(__file__).with_name("paraphrases.toml").read_bytes()).hexdigest()
    return hashlib.sha256(
        (folder / f"{FILES[_MADE_FROM.get(name, name)]}_dev.jsonl.gz").read_bytes()
    ).hexdigest()


def _key(folder: Path, name: str) -> str:
    """Names what is gathered: other data, other features or other code that makes them have another."""
    package = Path(simonides.__file__).parent
    code = [
        path
        for part in ("recall", "language", "storage", "models/bundled")
        for path in sorted((package / part).rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and path.name not in {model.WEIGHTS_FILE, model.CARD_FILE}
    ]
    digest = hashlib.sha256(json.dumps([data_hash(folder, name), NAMES], sort_keys=True).encode())
    for path in (*code, Path(__file__)):
        digest.update(f"{path.name}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:32]


def tasks(folder: Path, name: str) -> Iterator[Task]:
    """The worlds of a set with their own questions, as many foreign ones, and those that nothing answers."""
    worlds = _worlds(folder, name)
    pool = [(one.language, some) for one in worlds for some in answerable(one)]
    for number, one in enumerate(worlds):
        own = asked(one.questions, abstaining=name in ABSTAINING)
        # Parallel texts in several languages answer each other's questions.
        others = [some for language, some in pool if language == one.language]
        # What people tell of themselves answers what is asked of others; there only what was made to have no answer.
        strange = [] if name == PARAPHRASES else foreign(one, others, max(1, len(own)), seed=1)
        unanswered = [
            question for question in one.questions if question.abstain and not question.evidence_turns
        ]
        yield Task(
            name,
            number,
            replace(one, questions=()),
            [
                *((question, OWN) for question in own),
                *((question, FOREIGN) for question in strange),
                *((question, UNANSWERED) for question in unanswered),
            ],
        )


def _worlds(folder: Path, name: str) -> list[World]:
    if name == PARAPHRASES:
        return paraphrased()
    worlds = [world(line) for line in lines(folder / f"{FILES[_MADE_FROM.get(name, name)]}_dev.jsonl.gz")]
    if name in _SMALL.values():
        return [small for one in worlds for small in _small_stores(one)]
    return worlds


def _small_stores(found: World) -> Iterator[World]:
    """Stores of a dozen texts and more, each with what answers a few of the questions.

    Turns of a talk are notes there, and begin with the name of the speaker: apart they are no talk.
    """
    draw = random.Random(found.id)
    questions = [question for question in found.questions if question.evidence_turns]
    draw.shuffle(questions)
    turns = found.turns
    for start in range(0, min(len(questions), _ASKED_OF_SMALL * _SMALL_STORES), _ASKED_OF_SMALL):
        own = questions[start : start + _ASKED_OF_SMALL]
        answers = {turn for question in own for turn in question.evidence_turns}
        others = draw.sample(sorted(set(turns) - answers), draw.randint(*_OTHERS))
        texts = [
            turn if turn.title else replace(turn, text=said(turn), name=None)
            for turn in turns.values()
            if turn.id in answers or turn.id in set(others)
        ]
        session = SampleSession("s", None, tuple(texts))
        asked_at_last = tuple(replace(question, after=None) for question in own)
        yield replace(
            found, id=f"{found.id}-{start}", sessions=(session,), questions=asked_at_last, notes=True
        )


def stages(task: Task) -> Iterator[Stage]:
    """Put a world into a store; what is asked after a session is asked before the next one is held."""
    settings = Settings(store=StoreSettings(synchronous="NORMAL"))
    by_session: dict[str | None, list[tuple[Question, str]]] = {}
    for question, group in task.questions:
        by_session.setdefault(question.after, []).append((question, group))
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        file, items, texts = Path(folder) / "w.db", dict[str, str](), dict[str, str]()
        with Memory(file, settings=settings) as memory:
            for session in task.world.sessions:
                items |= fill(memory, task.world, session)
                texts |= {turn.id: said(turn) for turn in session.turns}
                if some := by_session.pop(session.id, None):
                    yield Stage(file, items, texts, some)
        if left := [one for some in by_session.values() for one in some]:
            yield Stage(file, items, texts, left)


def _of_world(task: Task) -> list[Asked]:
    return [one for stage in stages(task) for one in _asked(task, stage)]


def _asked(task: Task, stage: Stage) -> Iterator[Asked]:
    items = stage.items
    plain = {"BM25": PlainBm25(stage.texts), "vectors": PlainVectors(stage.texts, embedder_named(BUNDLED))}
    parts = compose(stage.file, {"settings": Settings(store=StoreSettings(synchronous="NORMAL"))})
    try:
        for question, group in stage.questions:
            right = set(question.evidence_turns) if group == OWN else set[str]()
            table = candidates_of(parts, question)
            with parts.store.read() as reader:
                keys = {reader.key(items[turn]) for turn in right if turn in items}
            candidates = first_look(table)
            tables = [candidates]
            if group == OWN:
                tables += map(first_look, _copies(table))
            yield Asked(
                set=task.set,
                world=task.number,
                category=question.category,
                group=group,
                views=tuple(_view(one, keys) for one in tables),
                evidence=len(right),
                sessions=len(set(question.evidence_sessions)),
                matches=evidence(candidates),
                plain={
                    name: np.array([turn in right for turn in one.ranking(question.text, _DEPTH)], bool)
                    for name, one in plain.items()
                    if right
                },
                unspaced=candidates.query.unspaced,
            )
    finally:
        parts.recall.close()
        parts.store.close()


def candidates_of(parts: Parts, question: Question) -> CandidateTable:
    """The candidates of a question as the channels give them."""
    now = parts.clock.now()
    query = Query(
        text=question.text,
        selection=Selection(scopes=visible(GLOBAL), live_at=now),
        k=10,
        at=now if question.at is None else instant(question.at),
    )
    with parts.store.read() as reader:
        return parts.recall.gathered(reader, query)


def _copies(found: CandidateTable) -> list[CandidateTable]:
    """The candidates without vectors, and as notes that stand alone, where they are none."""
    without = replace(
        found, query=replace(found.query, vectors=None), vectors=np.zeros((len(found), 1), np.float32)
    )
    alone = [
        sketch._replace(session_id=None, ordinal=None, role=None, sender="", type="note")
        for sketch in found.sketches
    ]
    names = replace(found.query, names=frozenset[str]())
    notes = all(sketch.session_id is None for sketch in found.sketches)
    return [without] if notes else [without, replace(found, query=names, sketches=alone)]


def _view(candidates: CandidateTable, keys: set[int | None]) -> View:
    rows = shortlist(candidates, SHORTLIST)
    meaning = by_meaning(candidates, rows)
    hit = np.array([key in keys for key in candidates.keys[rows].tolist()], bool)
    return View(
        features(candidates, rows).astype(np.float32),
        hit,
        candidates.linear[rows],
        candidates.groups[rows].astype(np.int16),
        meaning.share,
        meaning.alike,
    )
