"""Flip bytes of a small store and of its archive file, one at a time: is each found, or harmless?

    python -m benchmarks.flipped --sample 2000        # so many of each file, spread over all pages
    python -m benchmarks.flipped                      # every byte; hours

Of each byte one bit, drawn at random, is turned over; the store is opened for reading, and the doctor looks at it. What
neither of them notices has to be harmless: every row of every table is as it was, or at least everything that can be
exported or asked for.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw

from simonides import Memory
from simonides.config import Settings, StoreSettings
from simonides.domain.instant import iso
from simonides.domain.scope import ALL
from simonides.errors import SimonidesError
from simonides.storage.sqlite.store import SqliteStore, archive_of
from simonides.testing import FakeEmbedder, FrozenClock

QUESTIONS: Final = ("falcon", "Where does Ana live?", "boat", "what did I say about storks?", "heron")
OUTCOMES: Final = ("found at opening", "found by doctor", "harmless", "UNSEEN", "NOT OUR ERROR")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, help="bytes of each file; all of them if not given")
    parser.add_argument("--seed", type=int, default=1, help="of the bits and of the sample")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = a_store(Path(folder))
        found = {
            file.name: outcomes(store, file, options.sample, options.seed)
            for file in (store, archive_of(store))
        }
    print(json.dumps(found, indent=2))
    if any(told["unseen"] for told in found.values()):
        raise SystemExit(1)


def a_store(folder: Path) -> Path:
    """A store with something of everything, and items in its archive file, closed."""
    path, clock = folder / "memory.db", FrozenClock()
    with opened(path, clock) as memory:
        falcon, heron = (
            memory.add(f"A {bird} on the roof.", tags=["bird"]).item_ids[0] for bird in ("falcon", "heron")
        )
        turns = ("I live in Turku and own a boat.", "My storks nest because of the fish.")
        memory.add([{"role": "user", "name": "Ana", "content": text} for text in turns], session_id="s")
        memory.propose([{"content": "Storks like chimneys."}])
        memory.link(falcon, heron, evidence="both are birds")
        memory.update(falcon, content="A red falcon on the roof.")
        memory.context("falcon heron bird")
        memory.palace.assign(falcon, room="birds")
        memory.reinforce(falcon)
        memory.add(
            "Ana owns a boat.", entities=["Ana"], metadata={"length": 7.5}, expires_at=iso(clock.now() + 1)
        )
        gone = memory.add("Petra is allergic to walnuts.").item_ids[0]
        memory.forget(gone)
        clock.advance(days=1)
        memory.maintain(["expire", "entities", "consolidate", "causes"])
        store = memory._parts.store  # noqa: SLF001 - moves items as pruning does, whatever the size
        store.write(lambda tx: tx.set_aside([gone]))
        store.compact()
    return path


def opened(path: Path, clock: FrozenClock | None = None, *, read_only: bool = False) -> Memory:
    return Memory(
        path,
        settings=Settings(store=StoreSettings(synchronous="NORMAL")),
        clock=clock or FrozenClock("2026-02-01T00:00:00Z"),
        embedder=FakeEmbedder(8),
        read_only=read_only,
    )


def outcomes(store: Path, file: Path, sample: int | None, seed: int) -> dict[str, Any]:
    """Flip bits of a store's file, and count what becomes of it."""
    whole = file.read_bytes()
    before = everything(store), rows(file)
    draw = random.Random(seed)
    places: Sequence[int] = range(len(whole))
    places = places if sample is None else sorted(draw.sample(places, min(sample, len(places))))
    counts: Counter[str] = Counter()
    unseen: list[dict[str, int]] = []
    for place in places:
        bit = draw.randrange(8)
        outcome = flipped(store, file, whole, place, bit, before)
        counts[outcome] += 1
        if outcome in OUTCOMES[3:]:
            unseen.append({"byte": place, "bit": bit})
    file.write_bytes(whole)
    return (
        {"bytes": len(whole), "flipped": len(places)}
        | {name: counts[name] for name in OUTCOMES}
        | {"unseen": unseen}
    )


def flipped(
    store: Path, file: Path, whole: bytes, place: int, bit: int, before: tuple[list[str], list[str]]
) -> str:
    """Flip one bit, and name what becomes of it.

    Args:
        before: All that the store answered, and all that the file held, when it was whole.
    """
    data = bytearray(whole)
    data[place] ^= 1 << bit
    file.write_bytes(data)
    try:
        with closing(SqliteStore(store, read_only=True, reserve=False)) as opened_store:
            if next(opened_store.check(), None) is not None:
                return "found by doctor"
        told, held = before
        return "harmless" if rows(file) == held or everything(store) == told else "UNSEEN"
    except SimonidesError:
        return "found at opening"
    except Exception:  # noqa: BLE001 - whatever a damaged file makes of code is what is looked for
        return "NOT OUR ERROR"
    finally:
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)


def rows(file: Path) -> list[str]:
    """Every row of every table of a file, those of its text index and of SQLite's own as well."""
    with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        try:
            names = connection.execute("SELECT name, type, sql FROM sqlite_schema").fetchall()
            found = [repr((name, kind, sql)) for name, kind, sql in names]
            for name, kind, sql in names:
                if kind == "table" and "VIRTUAL" not in sql:
                    found += [f"{name} {row!r}" for row in connection.execute(f'SELECT * FROM "{name}"')]
        except (apsw.Error, UnicodeDecodeError) as error:
            return [repr(error)]
    return found


def everything(store: Path) -> list[str]:
    """All that a store has and answers, as text."""
    with opened(store, read_only=True) as memory:
        return [repr(told) for told in _told(memory)]


def _told(memory: Memory) -> Iterator[object]:
    yield from memory.export()
    for text in QUESTIONS:
        found = memory.search(text, scope=ALL, archived=True)
        yield [(hit.item, hit.score, hit.matches) for hit in found], found.degradations
        yield memory.search(text, scope=ALL, as_of="2026-01-01T12:00:00Z").degradations
    for item in memory.list(scope=ALL, archived=True):
        yield memory.history(item.id), memory.explain(item.id)
    for run in memory.runs.list():
        yield memory.runs.show(run.id)
    yield memory.injections(), memory.audit.events(), memory.audit.verify(), memory.stats(), memory.growth()
    yield memory.entities.list(scope=ALL), memory.review.list(), memory.sessions.list()


if __name__ == "__main__":
    main()
