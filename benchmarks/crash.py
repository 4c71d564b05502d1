"""kill -9 among writers: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TypeAlias

from benchmarks.kills import faults, kills, options_of_kills
from benchmarks.report import Table, finish, result
from simonides.config import Settings
from simonides.domain.item import Status
from simonides.domain.scope import ALL
from simonides.domain.verdict import Verdict
from simonides.errors import NotFound
from simonides.memory import Memory
from simonides.storage.sqlite.store import SqliteStore

#: Rounds that go on with the same file; then there is a new one, so that checking it stays quick.
_ROUNDS_A_FILE: Final = 10
#: Kinds of writes whose items are linked to others: to what they replace, or to the turn beside them.
_LINKED: Final = frozenset({"corrections", "turns of a chat"})
_SHORTEST_S, _LONGEST_S = 0.02, 0.5
_PATIENCE_S: Final = 120.0
#: What a writer says: what it did, the ids concerned, and the text that the first of them has now.
Acknowledged: TypeAlias = tuple[str, tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Round:
    """One kill.

    Attributes:
        acknowledged: Writes that had been answered, by kind.
        lost: Of these, what is not there, in words.
        half: What is there in part only, in words.
    """

    acknowledged: Mapping[str, int]
    lost: Sequence[str]
    half: Sequence[str]


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    about = "Kill writers at random moments, reopen the file, and look for what is missing."
    options = options_of_kills(name, about, arguments, rounds=100)
    outcome = measure(options.rounds, seed=options.seed)
    return finish(outcome, tables(outcome), options)


def measure(rounds: int = 100, *, seed: int = 1) -> dict[str, Any]:
    """Kill so many times, and count what was lost."""
    done = kills(
        lambda folder, number, alive_s: one_round(
            folder / f"crash-{number // _ROUNDS_A_FILE}.db", number, alive_s
        ),
        rounds,
        seed,
        (_SHORTEST_S, _LONGEST_S),
    )
    acknowledged: dict[str, int] = defaultdict(int)
    for found in done:
        for kind, some in found.acknowledged.items():
            acknowledged[kind] += some
    figures = {
        "acknowledged": dict(sorted(acknowledged.items())),
        "acknowledged_in_all": sum(acknowledged.values()),
        "lost": [text for found in done for text in found.lost],
        "half_records": [text for found in done for text in found.half],
    }
    return result("crash", seed=seed, sizes={"rounds": rounds, "writers": len(WRITERS)}, figures=figures)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    rows: list[list[object]] = [
        *([f"acknowledged: {kind}", some] for kind, some in figures["acknowledged"].items()),
        ["acknowledged in all", figures["acknowledged_in_all"]],
        ["lost", len(figures["lost"])],
        ["half there", len(figures["half_records"])],
    ]
    title = f"crash: {sizes['rounds']} kills of {sizes['writers']} writers"
    return [Table(title, ("", "writes"), rows), *faults(figures["lost"], figures["half_records"])]


def one_round(path: Path, number: int, alive_s: float) -> Round:
    """Let the writers write for a while, kill them at the same moment, reopen and check.

    Args:
        number: Tells the texts of this round from those of others.
        alive_s: How long they write, from the moment when each of them has written something.
    """
    Memory(path, settings=Settings()).close()
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    processes: list[BaseProcess] = []
    try:
        for kind in WRITERS:
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(target=_write, args=(kind, path, number, theirs), daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        said = _listen(pipes, alive_s)
    finally:
        for process in processes:
            process.kill()
    said += _drained(pipes)
    for process in processes:
        process.join()
    return checked(path, said)


def checked(path: Path, said: Sequence[Acknowledged]) -> Round:
    """Compare a file with what was acknowledged; all of it has to be there, whole."""
    acknowledged: dict[str, int] = defaultdict(int)
    by_kind: dict[str, list[Acknowledged]] = defaultdict(list)
    for some in said:
        acknowledged[some[0]] += 1
        by_kind[some[0]].append(some)
    with Memory(path, settings=Settings()) as memory:
        lost = [text for kind, some in by_kind.items() for text in _LOOK[kind](memory, some)]
        half = [f"{problem.area}: {problem.message}" for problem in memory.doctor().problems]
        if without_vector := memory.backfill():
            half.append(f"vectors: {without_vector} items had none")
    half += _without_trace(path, said)
    return Round(acknowledged, lost, half)


# What the writers do, each in a process of its own


def _write(kind: str, path: Path, number: int, pipe: Connection) -> None:
    """Write without end, and acknowledge each write once it is durable."""
    with contextlib.suppress(BrokenPipeError), Memory(path, settings=Settings()) as memory:
        for some in WRITERS[kind](memory, f"round {number}"):
            pipe.send((kind, *some))


def _adding(memory: Memory, mark: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Texts one at a time, and every fourth time five in one call."""
    for n in count():
        texts = [f"{mark}: note {n}.{part} of the adding writer" for part in range(1 if n % 4 else 5)]
        yield memory.add(texts).item_ids, texts[0]


def _updating(memory: Memory, mark: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """One item after the other, each changed twenty times."""
    for n in count():
        item_id = memory.add(f"{mark}: item {n} of the updating writer").item_ids[0]
        for version in range(20):
            text = f"{mark}: item {n} of the updating writer, version {version:03d}"
            assert memory.update(item_id, content=text, tags=[f"v{version}"]).stored
            yield (item_id,), text


def _correcting(memory: Memory, mark: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """A chain of corrections, each of the one before."""
    item_id = memory.add(f"{mark}: the door code is on page 0").item_ids[0]
    for n in count(1):
        text = f"{mark}: the door code is on page {n}"
        verdict = memory.correct(item_id, text)
        assert isinstance(verdict, Verdict)
        assert verdict.item_id is not None
        yield (verdict.item_id, item_id), text
        item_id = verdict.item_id


def _chatting(memory: Memory, mark: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Turns of a chat, a question and its answer at a time."""
    for n in count():
        question = f"{mark}: what happens at minute {n}?"
        messages = [
            {"role": "user", "content": question},
            {"role": "assistant", "content": f"{mark}: at minute {n} the bell rings {n} times"},
        ]
        yield memory.add(messages, session_id=mark).item_ids, question


WRITERS: Final[Mapping[str, Callable[[Memory, str], Iterator[tuple[tuple[str, ...], str]]]]] = {
    "texts added": _adding,
    "updates": _updating,
    "corrections": _correcting,
    "turns of a chat": _chatting,
}


# What the parent hears


def _listen(pipes: Sequence[Connection], alive_s: float) -> list[Acknowledged]:
    """Collect what writers say until every one has said something and so many seconds more have passed."""
    said: list[Acknowledged] = []
    silent = set(pipes)
    give_up_at = time.monotonic() + _PATIENCE_S
    end_at = None
    while end_at is None or time.monotonic() < end_at:
        if time.monotonic() > give_up_at:
            raise RuntimeError(f"a writer wrote nothing within {_PATIENCE_S:.0f} s; its error stands above")
        for pipe in wait(pipes, 0.005):
            assert isinstance(pipe, Connection)
            try:
                said.append(pipe.recv())
            except EOFError:
                raise RuntimeError("a writer ended before it was killed; its error stands above") from None
            silent.discard(pipe)
        if not silent and end_at is None:
            end_at = time.monotonic() + alive_s
    return said


def _drained(pipes: Sequence[Connection]) -> list[Acknowledged]:
    """Collect what dead writers had still said."""
    said: list[Acknowledged] = []
    for pipe in pipes:
        with contextlib.suppress(EOFError, OSError):
            while True:
                said.append(pipe.recv())
        pipe.close()
    return said


# Whether it is there


def _look_for_texts(memory: Memory, said: Sequence[Acknowledged]) -> Iterator[str]:
    for _, ids, text in said:
        for place, item_id in enumerate(ids):
            yield from _missing(memory, item_id, text if place == 0 else None)


def _look_for_updates(memory: Memory, said: Sequence[Acknowledged]) -> Iterator[str]:
    last = {ids[0]: text for _, ids, text in said}
    for item_id, text in last.items():
        try:
            states = [revision.item.content for revision in memory.history(item_id)]
        except NotFound:
            yield f"item {item_id} is not there: {text!r}"
            continue
        # One more update may have become durable that was never acknowledged.
        if text not in states[-2:]:
            yield f"update of {item_id} is not there: {text!r}; it says {states[-1]!r}"
        elif memory.get(item_id).content != states[-1]:
            yield f"item {item_id} does not say what its last revision says: {states[-1]!r}"


def _look_for_corrections(memory: Memory, said: Sequence[Acknowledged]) -> Iterator[str]:
    for _, (new_id, old_id), text in said:
        yield from _missing(memory, new_id, text)
        old = memory.get(old_id)
        if old.status is not Status.ARCHIVED or old.superseded_by != new_id:
            yield f"item {old_id} was corrected by {new_id}, but is {old.status} and points at {old.superseded_by}"


def _look_for_turns(memory: Memory, said: Sequence[Acknowledged]) -> Iterator[str]:
    for session_id in {text.partition(":")[0] for _, _, text in said}:
        turns = memory.sessions.get(session_id, scope=ALL)
        if [turn.ordinal for turn in turns] != list(range(len(turns))):
            yield f"session {session_id!r} has gaps: {[turn.ordinal for turn in turns]}"
        there = {turn.id for turn in turns}
        for _, ids, text in said:
            if not there.issuperset(ids) and text.startswith(f"{session_id}:"):
                yield f"turns {', '.join(sorted(set(ids) - there))} are not there: {text!r}"


_LOOK: Final[Mapping[str, Callable[[Memory, Sequence[Acknowledged]], Iterator[str]]]] = {
    "texts added": _look_for_texts,
    "updates": _look_for_updates,
    "corrections": _look_for_corrections,
    "turns of a chat": _look_for_turns,
}


def _missing(memory: Memory, item_id: str, text: str | None) -> Iterator[str]:
    try:
        item = memory.get(item_id)
    except NotFound:
        yield f"item {item_id} is not there: {text!r}"
        return
    if text is not None and item.content != text:
        yield f"item {item_id} says {item.content!r}, not {text!r}"


def _without_trace(path: Path, said: Sequence[Acknowledged]) -> Iterator[str]:
    """Items that lack what belongs to every write: a revision, an audit event, and a link where they follow another."""
    store = SqliteStore(path)
    with store.read() as reader:
        for kind, ids, text in said:
            if reader.key(ids[0]) is None:
                continue  # Lost as a whole; said elsewhere.
            lacking = [
                name
                for name, found in (
                    ("revision", reader.revisions(ids[0])),
                    ("audit event", reader.events(item_ids=[ids[0]])),
                    ("link", kind not in _LINKED or reader.links([ids[0]])),
                )
                if not found
            ]
            if lacking:
                yield f"item {ids[0]} has no {' and no '.join(lacking)}: {text!r}"
    store.close()
