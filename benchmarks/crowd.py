"""Facts in other words in a large store: before and after upkeep has read its statements."""

from __future__ import annotations

import secrets
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from benchmarks.baselines import PlainBm25, PlainVectors
from benchmarks.paraphrases import SmallStore, small_stores
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.stores import embedder_named
from benchmarks.variants import BUNDLED
from benchmarks.worlds import data_folder, lines, world
from simonides import migrate_store
from simonides.domain.kept import forget_texts
from simonides.language.guess import language_of
from simonides.language.tables import languages
from simonides.memory import Memory

_DEPTH: Final = 10
_CUTS: Final = {"first": 1, "among three": 3, "among ten": 10}
_LONGEST: Final = 300
_PIECE: Final = 500
#: A name in front of what is noted.
_HEADING: Final = "】"

#: Rankings of facts' names, a question each, and the processor time that each took, ms.
_Answers = tuple[list[list[str]], list[float]]


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Ask for the facts of every store of `everyday` in one store, alone and among notes of other people."""
    parser = options_of(name, "Facts asked for in other words, in one store of many.")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder with the sets realmem_notes and xquad_sentences; SIMONIDES_BENCH_DATA if not given",
    )
    parser.add_argument(
        "--language", metavar="CODE", default="en", choices=sorted(languages()),
        help="of the facts; those in others than English stand among sentences of an encyclopedia in theirs",
    )  # fmt: skip
    parser.add_argument(
        "--owner", metavar="URL", help="of a database that is asked the same; it may be migrated"
    )
    parser.add_argument("--url", metavar="URL", help="of the role that reads and writes there")
    options = parser.parse_args(arguments)
    if (options.owner is None) != (options.url is None):
        parser.error("--owner and --url belong together")
    stores = [store for store in small_stores("everyday") if store.language == options.language]
    notes = list(dict.fromkeys(_notes(data_folder(options.data), options.language)))
    crowds = {"alone": [], "among notes": notes}
    outcome = result(
        name,
        seed=None,
        sizes={
            "facts": sum(len(store.facts) for store in stores),
            "questions": sum(len(store.questions) for store in stores),
            "notes": len(notes),
        },
        figures={
            crowd: _measured(stores, texts, options.owner, options.url) for crowd, texts in crowds.items()
        },
    )
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """Shares by crowd, each way of reading beside the others."""
    sizes = outcome["sizes"]
    titles = {
        "alone": f"{sizes['facts']} facts in one store, {sizes['questions']} questions",
        "among notes": f"the same among {sizes['notes']} notes of other people",
    }
    return [
        Table(titles[crowd], ("", *_CUTS, "ms"), [[way, *row.values()] for way, row in ways.items()])
        for crowd, ways in outcome["figures"].items()
    ]


def _notes(folder: Path, language: str) -> Iterator[str]:
    name = "realmem_notes_dev.jsonl.gz" if language == "en" else "xquad_sentences_dev.jsonl.gz"
    for line in lines(folder / name):
        for turn in world(line).turns.values():
            text = turn.text.rpartition(_HEADING)[2].strip()
            if 0 < len(text) <= _LONGEST and (language == "en" or language_of(text) == language):
                yield text


def _measured(
    stores: Sequence[SmallStore], notes: Sequence[str], owner: str | None, url: str | None
) -> dict[str, dict[str, float | None]]:
    facts = {f"{store.id}/{name}": text for store in stores for name, text in store.facts.items()}
    asked = [(text, f"{store.id}/{name}") for store in stores for text, name in store.questions]
    texts = facts | {f"note {number}": text for number, text in enumerate(notes)}
    questions = [text for text, _ in asked]
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "facts.db") as memory:
        before, after = _remembered(memory, texts, questions)
    ways: dict[str, _Answers] = {"simonides": before, "after upkeep": after}
    if owner is not None and url is not None:
        tenant = f"bench-{secrets.token_hex(6)}"
        migrate_store(owner, tenants=[tenant])
        with Memory(url, tenant=tenant) as memory:
            there = _remembered(memory, texts, questions)
        ways |= dict(zip(("on PostgreSQL", "on PostgreSQL, after upkeep"), there, strict=True))
        for one, other, way in zip((before, after), there, ("before", "after"), strict=True):
            same = fmean(a == b for a, b in zip(one[0], other[0], strict=True))
            progress(f"{way} upkeep the first ten are the same as in a file in {same:.1%} of the questions")
    plain = {"BM25": PlainBm25(texts), "vectors": PlainVectors(texts, embedder_named(BUNDLED))}
    ways |= {way: ([one.ranking(text, _DEPTH) for text in questions], []) for way, one in plain.items()}
    return {
        way: {
            cut: round(fmean(right in ranking[:most] for (_, right), ranking in zip(asked, found, strict=True)), 4)
            for cut, most in _CUTS.items()
        }
        | {"ms": round(median(spent), 1) if spent else None}
        for way, (found, spent) in ways.items()
    }  # fmt: skip


def _remembered(
    memory: Memory, texts: Mapping[str, str], questions: Sequence[str]
) -> tuple[_Answers, _Answers]:
    """Answers of a memory of these texts, before and after upkeep has read them."""
    names: dict[str, str] = {}
    entries = list(texts.items())
    for start in range(0, len(entries), _PIECE):
        piece = entries[start : start + _PIECE]
        added = memory.add([{"content": text, "type": "fact"} for _, text in piece])
        names |= {
            verdict.item_id: name
            for verdict, (name, _) in zip(added.verdicts, piece, strict=True)
            if verdict.item_id
        }
    before = _answers(memory, names, questions)
    memory.maintain(["embed"])
    return before, _answers(memory, names, questions)


def _answers(memory: Memory, names: Mapping[str, str], questions: Sequence[str]) -> _Answers:
    forget_texts()  # What was read for one pass would be known to the next.
    found: list[list[str]] = []
    spent: list[float] = []
    for text in questions:
        began = time.process_time()
        hits = memory.search(text, k=_DEPTH)
        spent.append((time.process_time() - began) * 1000)
        found.append([names.get(hit.item.id, "") for hit in hits])
    return found, spent
