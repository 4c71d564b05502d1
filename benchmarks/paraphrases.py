"""Small stores of plain statements, and what each way of reading offers to questions in other words."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from benchmarks.baselines import PlainBm25, PlainVectors
from benchmarks.report import Table, finish, options_of, result
from benchmarks.stores import embedder_named
from benchmarks.variants import BUNDLED
from simonides.errors import InvalidInput
from simonides.memory import Memory
from simonides.sample import Question, SampleSession, SampleTurn, World

ENGINE: Final = "simonides"
MEASURES: Final = ("first", "among three", "in the context", "nothing offered", "marked")
_DEPTH: Final = 10
PARAPHRASES: Final = "paraphrases"
SUBJECTS: Final = "subjects"


@dataclass(frozen=True, slots=True)
class SmallStore:
    """A dozen statements and what is asked of them.

    Attributes:
        facts: The statements by name.
        questions: Each with the name of the fact that answers it.
        unanswered: Questions that no fact answers.
        turns: The statements are the user's turns of a chat.
    """

    id: str
    language: str
    facts: Mapping[str, str]
    questions: Sequence[tuple[str, str]]
    unanswered: Sequence[str]
    turns: bool = False


def small_stores(name: str = PARAPHRASES) -> list[SmallStore]:
    """The stores of a file beside this module."""
    return [
        SmallStore(
            one["id"],
            one["language"],
            one["facts"],
            [(text, name) for text, name in one["questions"]],
            one["unanswered"],
            one.get("turns", False),
        )
        for one in tomllib.loads(file_of(name).read_text("utf-8"))["store"]
    ]


def file_of(name: str) -> Path:
    """The file that holds the stores of a bench."""
    return Path(__file__).with_name(f"{name}.toml")


def worlds(name: str = PARAPHRASES) -> list[World]:
    """The stores as worlds of notes, or of turns that an assistant took note of."""
    return [_world(store) for store in small_stores(name)]


def _world(store: SmallStore) -> World:
    turns = tuple(
        turn
        for name, text in store.facts.items()
        for turn in (
            SampleTurn(name, "user", None, text, None),
            *((SampleTurn(f"{name}-noted", "assistant", None, "OK.", None),) if store.turns else ()),
        )
    )
    asked = [*store.questions, *((text, None) for text in store.unanswered)]
    questions = tuple(
        Question(
            id=f"{store.id}-{number}",
            text=text,
            at=None,
            category=store.language,
            evidence_turns=() if fact is None else (fact,),
            evidence_sessions=(),
            answer="",
            abstain=fact is None,
        )
        for number, (text, fact) in enumerate(asked)
    )
    session = SampleSession("s", None, turns)
    return World(store.id, store.id, (session,), questions, notes=not store.turns, language=store.language)


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure every store, by language and in all."""
    parser = options_of(name, "Facts asked for in other words.")
    parser.add_argument("--language", metavar="CODE", help="only stores of this language, such as en")
    parser.add_argument(
        "--embedder",
        default=BUNDLED,
        metavar="NAME",
        help="such as universal-sentence-encoder, or PROVIDER:MODEL",
    )
    options = parser.parse_args(arguments)
    stores = [store for store in small_stores(name) if options.language in {None, store.language}]
    if not stores:
        raise InvalidInput(f"there is no store in {options.language!r}; leave --language out for all of them")
    rows = [row for store in stores for row in _measured(store, options.embedder)]
    languages = sorted({store.language for store in stores})
    figures = {
        "overall": _means(rows),
        "languages": {
            language: _means([row for row in rows if row["language"] == language]) for language in languages
        },
    }
    sizes = {
        "stores": len(stores),
        "facts": sum(len(store.facts) for store in stores),
        "questions": sum(len(store.questions) for store in stores),
        "unanswered": sum(len(store.unanswered) for store in stores),
    }
    settings = {"embedder": options.embedder}
    outcome = result(name, seed=None, sizes=sizes, figures=figures, settings=settings)
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """Shares by language, each way of reading beside the others."""
    sizes, figures = outcome["sizes"], outcome["figures"]
    title = f"{sizes['questions']} questions in other words, {sizes['unanswered']} without an answer"
    return [
        Table(
            place,
            ("", *MEASURES, "marked though answered"),
            [[way, *means.values()] for way, means in found.items()],
        )
        for place, found in {title: figures["overall"], **figures["languages"]}.items()
    ]


def _measured(store: SmallStore, embedder: str) -> Iterator[dict[str, Any]]:
    """A row for each question and way of reading."""
    model = embedder_named(embedder)
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "facts.db", embedder=model) as memory:
        names = {memory.add(text).verdicts[0].item_id: name for name, text in store.facts.items()}
        if not model.local:  # One that is slower than a write makes no vectors in one.
            memory.backfill()
        plain = {
            "BM25": PlainBm25(store.facts),
            "vectors": PlainVectors(store.facts, model),
        }
        for text, fact in [*store.questions, *((text, None) for text in store.unanswered)]:
            found = memory.search(text, k=_DEPTH)
            context = memory.context(text)
            ranking = [names[hit.item.id] for hit in found]
            ways = {ENGINE: ranking} | {way: one.ranking(text, _DEPTH) for way, one in plain.items()}
            for way, offered in ways.items():
                row: dict[str, Any] = {"way": way, "language": store.language, "answered": fact is not None}
                row |= {
                    "first": offered[:1] == [fact],
                    "among three": fact in offered[:3],
                    "nothing offered": not offered,
                }
                if way == ENGINE:
                    row["in the context"] = fact is not None and store.facts[fact] in context.text
                    row["marked"] = found.abstained
                yield row


def _means(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float | None]]:
    """Shares of the answered questions; of the unanswered ones those that are marked as such."""
    means: dict[str, dict[str, float | None]] = {}
    for way in dict.fromkeys(row["way"] for row in rows):
        own = [row for row in rows if row["way"] == way and row["answered"]]
        foreign = [row for row in rows if row["way"] == way and not row["answered"]]
        means[way] = {name: _share(own, name) for name in MEASURES[:-1]} | {
            "marked": _share(foreign, "marked"),
            "marked though answered": _share(own, "marked"),
        }
    return means


def _share(rows: Sequence[Mapping[str, Any]], name: str) -> float | None:
    return round(fmean(row[name] for row in rows), 4) if rows and name in rows[0] else None
