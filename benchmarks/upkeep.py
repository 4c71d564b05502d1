"""A night of upkeep over sixty days of notes and turns: what was merged rightly and wrongly, and what it took.

The store is made from a seed (`upkeep_world`), so it is known which notes say the same. A merged pair is a pair of
notes behind which one item stands afterwards.
"""

from __future__ import annotations

import multiprocessing
import resource
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from benchmarks import upkeep_world
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.timing import percentiles, times_ms
from benchmarks.upkeep_world import Note, World
from simonides.config import Settings
from simonides.domain.item import Item
from simonides.domain.link import Relation
from simonides.domain.scope import ALL
from simonides.memory import Memory
from simonides.testing import FrozenClock

_BEGINS: Final = "2026-01-01T08:00:00Z"
#: Notes for each turn: the turns are there besides.
_NOTES_A_TURN: Final = 0.5
#: Share of their words from which two duplicates have to be found.
_SHARED: Final = 0.6
_QUERIES: Final = 100
_PATIENCE_S: Final = 900.0
#: Words that carry no topic, for measuring how much two texts share; a list of the bench's own.
_PLAIN_WORDS: Final = """
a an and are at be by for from in is it of on or so that the their there they this to was we were with
à de des depuis est la le les un une в и на над с
"""
_PLAIN: Final = frozenset(_PLAIN_WORDS.split())


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "Fill a store with known duplicates and near-duplicates, run upkeep, and look.")
    parser.add_argument(
        "--turns", type=int, default=10_000, help="turns of conversations; half as many notes"
    )
    parser.add_argument("--days", type=int, default=60, help="over which they are spread")
    parser.add_argument("--seed", type=int, default=1, help="of the texts")
    options = parser.parse_args(arguments)
    outcome = measure(options.turns, options.days, seed=options.seed)
    return finish(outcome, tables(outcome), options)


def measure(turns: int = 10_000, days: int = 60, *, seed: int = 1) -> dict[str, Any]:
    """Fill a store, run every job once, and compare with what is known."""
    world = upkeep_world.make(round(turns * _NOTES_A_TURN), turns, days, seed)
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        path = Path(folder) / "upkeep.db"
        progress(f"filling: {len(world.turns):,} turns and {len(world.notes):,} notes")
        ids = fill(path, world, days)
        progress("the night")
        took = night(path, days, [note.text for note in world.notes][:: max(1, len(world.notes) // _QUERIES)])
        progress("comparing with what is known")
        with Memory(path, settings=Settings(), clock=_at(days)) as memory:
            figures = {"night": took, **compared(memory, world.notes, ids)}
    return result(
        "upkeep", seed=seed, sizes={"turns": turns, "notes": len(world.notes), "days": days}, figures=figures
    )


def fill(path: Path, world: World, days: int) -> list[str]:
    """Write a world as it came, day by day; the ids of its notes in their order."""
    clock = FrozenClock(_BEGINS)
    ids = [""] * len(world.notes)
    with Memory(path, settings=Settings(), clock=clock) as memory:
        for day in range(days):
            by_scope: dict[str, list[int]] = defaultdict(list)
            for number, note in enumerate(world.notes):
                if int(note.at_day) == day:
                    by_scope[note.scope].append(number)
            for scope, numbers in by_scope.items():
                added = memory.add([_fields(world.notes[number]) for number in numbers], scope=scope)
                for number, verdict in zip(numbers, added, strict=True):
                    ids[number] = verdict.item_id or ""
            said = [{"role": "user", "content": text} for text, at in world.turns if int(at) == day]
            if said:
                memory.add(said, session_id=f"day-{day}")
            clock.advance(days=1)
    return ids


def night(path: Path, days: int, queries: Sequence[str]) -> dict[str, Any]:
    """Run every job in a process of its own, searching beside it; times, memory, and what the jobs say."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_maintain, args=(path, days, theirs), daemon=True)
    with Memory(path, settings=Settings(), clock=_at(days)) as memory:

        def ask(query: str) -> object:
            return memory.search(query, scope=ALL)

        times_ms(ask, queries)  # Warm.
        before = times_ms(ask, queries)
        process.start()
        theirs.close()
        try:
            _expected(ours)
            during: list[float] = []
            while not ours.poll() and process.is_alive():
                during += times_ms(ask, queries[: _QUERIES // 10])
            told: dict[str, Any] = _expected(ours)
        finally:
            process.kill()
            process.join()
    known = {
        "before_ms": percentiles(before, 50, 95),
        "meanwhile_ms": percentiles(during, 50, 95) if during else None,
        "times_slower": percentiles(during, 50)["p50"] / percentiles(before, 50)["p50"] if during else None,
    }
    return {**told, "searches": known}


def compared(memory: Memory, notes: Sequence[Note], ids: Sequence[str]) -> dict[str, Any]:
    """Compare the notes with what upkeep made of them.

    Returns:
        `merges`: precision, recall over duplicates that share enough words, over all, and by kind of the note what
        was merged wrongly; `contradictions`: by kind, how many variants there are and how many were linked to
        their statement; `lost`: originals that the history of the item that stands for them does not tell.
    """
    items = {item_id: memory.get(item_id) for item_id in dict.fromkeys(ids)}
    stands: dict[str, list[int]] = defaultdict(list)
    for number, item_id in enumerate(ids):
        stands[_stands(memory, items[item_id])].append(number)
    merged = {pair for some in stands.values() for pair in combinations(sorted(some), 2)}
    merged = {(one, other) for one, other in merged if ids[one] != ids[other]}
    wrong = Counter(
        _kind(notes[one], notes[other]) for one, other in merged if notes[one].meaning != notes[other].meaning
    )
    by_meaning: dict[str, list[int]] = defaultdict(list)
    for number, note in enumerate(notes):
        by_meaning[note.meaning].append(number)
    alike = {
        (one, other)
        for some in by_meaning.values()
        for one, other in combinations(some, 2)
        if ids[one] != ids[other]
    }
    near = {(one, other) for one, other in alike if shared(notes[one].text, notes[other].text) >= _SHARED}
    right = len(merged) - wrong.total()
    return {
        "merges": {
            "pairs": len(merged),
            "precision": right / len(merged) if merged else 1.0,
            "recall": _share(near, merged),
            "recall_of_all": _share(alike, merged),
            "duplicate_pairs": len(near),
            "wrong": {
                kind: wrong[kind] for kind in ("number", "date", "name", "negation", "order", "word", "other")
            },
        },
        "contradictions": _contradictions(memory, notes, ids),
        "lost": _lost(memory, notes, ids),
    }


def shared(one: str, other: str) -> float:
    """Share of their content words that two texts have in common, the lower of the two, in [0, 1]."""
    first, second = _words(one), _words(other)
    return len(first & second) / max(len(first), len(second), 1)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures, sizes = outcome["figures"], outcome["sizes"]
    merges, took = figures["merges"], figures["night"]
    rows: list[list[object]] = [
        ["merge precision", merges["precision"]],
        ["recall, of duplicates with 60 % of their words in common", merges["recall"]],
        ["recall, of all duplicates", merges["recall_of_all"]],
        *([f"merged across a different {kind}", count] for kind, count in merges["wrong"].items()),
        *(
            [f"told of contradictions by {kind}", some["linked"] / max(1, some["variants"])]
            for kind, some in figures["contradictions"].items()
        ),
        ["lost", len(figures["lost"])],
    ]
    searches = took["searches"]
    times: list[list[object]] = [
        *([f"{job}, s", seconds] for job, seconds in took["jobs_s"].items()),
        ["all, s", took["seconds"]],
        ["memory at most, MB", took["peak_mb"]],
        ["memory before, MB", took["before_mb"]],
        ["search before, p50 ms", searches["before_ms"]["p50"]],
        ["search meanwhile, p50 ms", searches["meanwhile_ms"] and searches["meanwhile_ms"]["p50"]],
        ["times slower", searches["times_slower"]],
    ]
    counts: list[list[object]] = [[name, count] for name, count in took["counts"].items()]
    title = f"upkeep: {sizes['turns']:,} turns and {sizes['notes']:,} notes over {sizes['days']} days"
    failed = [[text] for text in (*took["errors"], *figures["lost"])][:20]
    return [
        Table(title, ("", ""), rows),
        Table("one night with everything new", ("", ""), times),
        Table("what the jobs did", ("", ""), counts),
        *([Table("what went wrong", ("",), failed)] if failed else []),
    ]


def _maintain(path: Path, days: int, pipe: Connection) -> None:
    """In a process of its own: say that it begins, run every job, say what it took."""
    with Memory(path, settings=Settings(), clock=_at(days)) as memory:
        before_mb = _peak_mb()
        pipe.send("begins")
        jobs_s: dict[str, float] = {}
        counts: Counter[str] = Counter()
        errors: list[str] = []
        degradations: dict[str, None] = {}
        began = time.perf_counter()
        for job in memory.runs.jobs():
            since = time.perf_counter()
            done = memory.maintain([job], trigger="schedule")
            jobs_s[job] = time.perf_counter() - since
            counts.update(done.counts)
            degradations |= dict.fromkeys(done.degradations)
            if done.error is not None:
                errors.append(f"{job}: {done.error}")
        pipe.send(
            {
                "seconds": time.perf_counter() - began,
                "jobs_s": jobs_s,
                "before_mb": before_mb,
                "peak_mb": _peak_mb(),
                "counts": dict(counts),
                "errors": errors,
                "degradations": list(degradations),
            }
        )


def _expected(pipe: Connection) -> Any:
    if not pipe.poll(_PATIENCE_S):
        raise RuntimeError("the process that runs upkeep said nothing for too long")
    return pipe.recv()


def _at(days: int) -> FrozenClock:
    """The night behind the last day."""
    clock = FrozenClock(_BEGINS)
    clock.advance(days=days - 1, hours=19)
    return clock


def _fields(note: Note) -> dict[str, Any]:
    return {"content": note.text, "type": note.type, "tags": list(note.tags)}


def _stands(memory: Memory, item: Item) -> str:
    """Id of the item that stands for one now: itself, or what it was merged into."""
    while item.superseded_by is not None:
        item = memory.get(item.superseded_by)
    return item.id


def _kind(one: Note, other: Note) -> str:
    kinds = {one.kind, other.kind} - {"same"}
    if one.group != other.group or len(kinds) != 1:
        return "other"
    return kinds.pop()


def _share(wanted: set[tuple[int, int]], found: set[tuple[int, int]]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 1.0


def _contradictions(memory: Memory, notes: Sequence[Note], ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """Variants that deny their statement or give another number or date; how many are linked to it.

    Where the name differs, it is mostly another subject, and no contradiction.
    """
    groups: dict[int, list[int]] = defaultdict(list)
    for number, note in enumerate(notes):
        groups[note.group].append(number)
    found = {kind: {"variants": 0, "linked": 0} for kind in ("number", "date", "negation")}
    for some in groups.values():
        said = {_stands(memory, memory.get(ids[n])) for n in some if notes[n].kind == "same"}
        for number in some:
            if notes[number].kind in found:
                item_id = _stands(memory, memory.get(ids[number]))
                links = memory.graph(item_id, relations=[Relation.CONTRADICTS.value]).edges
                found[notes[number].kind]["variants"] += 1
                found[notes[number].kind]["linked"] += any({link.src, link.dst} & said for link in links)
    return found


def _lost(memory: Memory, notes: Sequence[Note], ids: Sequence[str]) -> list[str]:
    """Originals that the history of the item that stands for them does not tell."""
    histories: dict[str, set[str]] = {}
    lost: list[str] = []
    for note, item_id in zip(notes, ids, strict=True):
        stands = _stands(memory, memory.get(item_id))
        if stands not in histories:
            histories[stands] = {revision.item.content for revision in memory.history(stands)}
        if note.text not in histories[stands]:
            lost.append(item_id)
    return lost


def _words(text: str) -> frozenset[str]:
    words = "".join(character.casefold() if character.isalnum() else " " for character in text).split()
    return frozenset(word for word in words if word not in _PLAIN)


def _peak_mb() -> float:
    """The most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
