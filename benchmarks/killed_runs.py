"""kill -9 in the middle of upkeep: a run is exactly the steps that it had done, and so is an undo."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from benchmarks.kills import faults, kills, options_of_kills
from benchmarks.report import Table, finish, result
from simonides.compose import Parts, compose
from simonides.config import Settings
from simonides.domain.ids import new_id
from simonides.domain.item import Item, Status
from simonides.domain.link import Link, Relation
from simonides.domain.run import RunStatus
from simonides.domain.scope import ALL
from simonides.memory import Memory
from simonides.ports.runs import RunSelection
from simonides.upkeep.change import AddLink, Revise, new_item
from simonides.upkeep.ground import Ground, Order
from simonides.upkeep.job import Step

#: Pairs of items that a round's runs merge.
PAIRS: Final = 40
_SHORTEST_S, _LONGEST_S = 0.0, 0.4
_PATIENCE_S: Final = 120.0


@dataclass(frozen=True, slots=True)
class Round:
    """One kill.

    Attributes:
        steps: Steps that runs had committed, and undos had taken back, by the kill.
        lost: What is not there any more, in words.
        half: What is there in part only, in words.
    """

    steps: int
    lost: tuple[str, ...]
    half: tuple[str, ...]


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    about = "Kill runs of upkeep and undos at random moments, and look for what is half done."
    options = options_of_kills(name, about, arguments, rounds=50)
    outcome = measure(options.rounds, seed=options.seed)
    return finish(outcome, tables(outcome), options)


def measure(rounds: int = 50, *, seed: int = 1) -> dict[str, Any]:
    """Kill so many times, and count what was lost or half done."""
    done = kills(
        lambda folder, number, alive_s: one_round(folder / f"killed-{number}.db", alive_s),
        rounds,
        seed,
        (_SHORTEST_S, _LONGEST_S),
    )
    figures = {
        "steps": sum(found.steps for found in done),
        "lost": [text for found in done for text in found.lost],
        "half_applied": [text for found in done for text in found.half],
    }
    return result("killed-runs", seed=seed, sizes={"rounds": rounds, "pairs": PAIRS}, figures=figures)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    rows: list[list[object]] = [
        ["steps done and taken back before the kills", figures["steps"]],
        ["lost", len(figures["lost"])],
        ["half applied", len(figures["half_applied"])],
    ]
    title = f"kill -9 in the middle of upkeep: {sizes['rounds']} rounds"
    return [Table(title, ("", "count"), rows), *faults(figures["lost"], figures["half_applied"])]


def one_round(path: Path, alive_s: float) -> Round:
    """Let runs and undos follow one another for a while, kill their process, and look at the file.

    Args:
        alive_s: How long they go on, from the moment when the first step is done.
    """
    with Memory(path, settings=Settings()) as memory:
        texts = [f"pair {n}: the {word} of the harbour" for n in range(PAIRS) for word in ("light", "bell")]
        pairs = list(zip(*[iter(memory.add(texts, type="fact").item_ids)] * 2, strict=True))
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_go_on, args=(path, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(_PATIENCE_S):
            raise RuntimeError("no run began; its error stands above")
        ours.recv()
        time.sleep(alive_s)
    finally:
        process.kill()
        process.join()
        ours.close()
    return checked(path, pairs)


def checked(path: Path, pairs: list[tuple[str, ...]]) -> Round:
    """Check that each pair is whole, whatever was under way, and that all of it can be gone on with and taken back."""
    with Memory(path, settings=Settings()) as memory:
        lost, half = _pairs_that_are_not_whole(memory, pairs)
        half += [f"{problem.area}: {problem.message}" for problem in memory.doctor().problems]
        if without_vector := memory.backfill():
            half.append(f"{without_vector} items had no vector")
        steps = sum(
            len({change.step for change in memory.runs.show(one.id).changes})
            for one in memory.runs.list(limit=1000)
        )
    half += _books_that_do_not_close(path)
    with Memory(path, settings=Settings()) as memory:
        for one in memory.runs.list(limit=1000):
            if one.job != "undo" and one.status is not RunStatus.UNDONE:
                memory.undo(one.id)
        left = [
            item_id for pair in pairs for item_id in pair if memory.get(item_id).status is not Status.ACTIVE
        ]
        half += [f"item {item_id} did not come back" for item_id in left]
    return Round(steps, tuple(lost), tuple(half))


def _pairs_that_are_not_whole(memory: Memory, pairs: list[tuple[str, ...]]) -> tuple[list[str], list[str]]:
    lost: list[str] = []
    half: list[str] = []
    there = {item.id: item for item in memory.list(scope=ALL, archived=True, limit=100_000)}
    for pair in pairs:
        if missing := [item_id for item_id in pair if item_id not in there]:
            lost += [f"item {item_id} is not there" for item_id in missing]
            continue
        merged = {there[item_id].superseded_by for item_id in pair}
        standing = {there[item_id].status for item_id in pair}
        if merged == {None} and standing == {Status.ACTIVE}:
            continue
        (target,) = merged if len(merged) == 1 else (None,)
        if target is None or target not in there:
            half.append(f"pair {pair} is superseded by {merged}")
        elif there[target].status is not Status.ACTIVE or standing != {Status.ARCHIVED}:
            half.append(f"pair {pair} is {standing}, what it became is {there[target].status}")
        elif {link.dst for link in memory.explain(target).links if link.rel is Relation.SUPERSEDES} != set(
            pair
        ):
            half.append(f"pair {pair} lacks a link")
    return lost, half


def _books_that_do_not_close(path: Path) -> Iterator[str]:
    """Runs that are still said to go on once the job has been started again."""
    parts = compose(path, {"settings": Settings()})
    try:
        ended = parts.upkeep.maintain((Pairs(),), Order(scope=ALL))
        if ended.status is not RunStatus.DONE:
            yield f"the job could not be started again: {ended.error}"
        with parts.store.read() as reader:
            yield from (
                f"run {one.id} never ended"
                for one in reader.runs(RunSelection(job=Pairs.name, status=RunStatus.RUNNING))
            )
    finally:
        parts.recall.close()
        parts.store.close()


class Pairs:
    """Merges each pair of items into one, a step a pair, as consolidation does."""

    name = "pairs"
    about = "Merge pairs, for the bench."

    def plan(self, ground: Ground) -> Iterator[Step]:
        pairs: dict[str, list[Item]] = {}
        for item in ground.items(ground.selection()):
            pairs.setdefault(item.content.partition(":")[0], []).append(item)
        for items in pairs.values():
            if len(items) == 2:
                yield merge(items, ground.now())


def merge(items: list[Item], at: int) -> Step:
    """The step that makes one item of several."""
    content = f"{items[0].content}, {items[1].content.partition(': ')[2]}"
    made = replace(items[0], id=new_id(at), content=content, created_at=at, updated_at=at)
    gone = [
        Revise(item, replace(item, status=Status.ARCHIVED, superseded_by=made.id), reason="merge")
        for item in items
    ]
    links = [AddLink(Link(src=made.id, dst=item.id, rel=Relation.SUPERSEDES)) for item in items]
    return Step((*gone, new_item(made, reason="merge"), *links))


def _go_on(path: Path, pipe: Connection) -> None:
    """Run, take back, and run again, without end."""
    parts: Parts = compose(path, {"settings": Settings()})
    with suppress(BrokenPipeError):
        while True:
            pipe.send("begun")
            done = parts.upkeep.maintain((Pairs(),), Order(scope=ALL))
            assert done.status is RunStatus.DONE, done.error
            parts.upkeep.undo(done.id)
