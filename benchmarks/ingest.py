"""Reading folders: time, memory and a second run over many files; and questions over documents, by the size of chunks.

The folder is made from a seed: pages of Markdown with headings and paragraphs of the corpus of the speed bench. The
questions are this project's own, over its docs and the docstrings of the standard library; their answers are known by
document and heading.
"""

from __future__ import annotations

import importlib
import inspect
import resource
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from benchmarks.baselines import PlainBm25
from benchmarks.corpus import Corpus
from benchmarks.report import Table, finish, options_of, result
from simonides import Memory
from simonides.domain.document import Corpus as Body
from simonides.domain.item import Item
from simonides.domain.scope import GLOBAL
from simonides.sample import load_sample

_DOCS: Final = Path(__file__).parents[1] / "docs"
_QUESTIONS: Final = Path(__file__).with_suffix(".toml")
_SIZES: Final = (400, 800, 1_200, 1_600, 2_000, 2_400, 3_200)
_DEPTH: Final = 20
#: Characters of hits that a reader has room for.
_ROOM: Final = 6_000
_SENTENCES: Final = 4


class Asked(NamedTuple):
    """A question with the place of its answer.

    Attributes:
        under: Stands in the title or the text of a chunk that answers.
    """

    asks: str
    path: str
    under: str

    def answered_by(self, chunk: Item) -> bool:
        text = f"{chunk.title}\n{chunk.content}"
        return chunk.provenance.source_id == self.path and self.under in text


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "Reading of folders into a corpus, and questions over documents.")
    parser.add_argument("--files", type=int, default=10_000, help="files of the folder that is made")
    parser.add_argument("--megabytes", type=float, default=100.0, help="bytes of all of them")
    parser.add_argument("--seed", type=int, default=7, help="another seed, another folder")
    parser.add_argument("--questions", action="store_true", help="the questions only")
    parser.add_argument("--reading", action="store_true", help="the reading only")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=list(_SIZES), help="characters of chunks to compare"
    )
    options = parser.parse_args(arguments)
    figures: dict[str, Any] = {}
    tables: list[Table] = []
    if not options.questions:
        figures["reading"] = read = reading(options.files, options.megabytes, options.seed)
        rows = [[name, value] for name, value in read.items()]
        tables.append(Table("Reading", ("", ""), rows))
    if not options.reading:
        figures["questions"] = asked = by_size(options.sizes)
        rows = [
            [
                f"{one['chunk_chars']:,}",
                one["chunks"],
                one["R@5"],
                one["BM25 R@5"],
                one["R@1"],
                one["BM25 R@1"],
                one["in room"],
            ]
            for one in asked
        ]
        head = ("characters", "chunks", "R@5", "BM25 R@5", "R@1", "BM25 R@1", f"within {_ROOM:,}")
        tables.append(Table(f"{len(questions())} questions over documents", head, rows))
    sizes = {"files": options.files, "megabytes": options.megabytes}
    return finish(result(name, seed=options.seed, sizes=sizes, figures=figures), tables, options)


def questions() -> list[Asked]:
    """The questions in their order."""
    found = tomllib.loads(_QUESTIONS.read_text("utf-8"))["question"]
    return [Asked(one["asks"], one["path"], one["under"]) for one in found]


# Reading


def reading(files: int, megabytes: float, seed: int) -> dict[str, Any]:
    """Seconds, processor seconds and memory of a first run and of a second one that finds nothing new."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / "pages"
        size = make_folder(root, files, int(megabytes * 1_000_000), seed)
        with Memory(Path(folder) / "memory.db") as memory:
            started, worked = time.perf_counter(), time.process_time()
            first = memory.documents.ingest(root, corpus="pages")
            took, cpu = time.perf_counter() - started, time.process_time() - worked
            readers = resource.getrusage(resource.RUSAGE_CHILDREN)
            started = time.perf_counter()
            second = memory.documents.ingest(root, corpus="pages")
            again = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "files": len(first.added),
        "megabytes": round(size / 1e6, 1),
        "chunks": first.chunks_added,
        "seconds": round(took, 1),
        "processor seconds": round(cpu, 1),
        "processor seconds of the processes that read": round(readers.ru_utime + readers.ru_stime, 1),
        "second run, seconds": round(again, 2),
        "unchanged": second.unchanged,
        "peak memory, MB": round(peak),
        "of a process that reads": round(readers.ru_maxrss / 1024),
    }


def make_folder(root: Path, files: int, size: int, seed: int) -> int:
    """Make pages of Markdown in folders of a hundred; their bytes together."""
    texts = Corpus(load_sample(), seed).stream()
    each, written = max(1, size // files), 0
    for number in range(files):
        page = root / f"part-{number // 100:03}" / f"page-{number:05}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(_page(number, texts, each))
        page.write_text(text, "utf-8")
        written += len(text.encode())
    return written


def _page(number: int, texts: Iterator[str], size: int) -> Iterator[str]:
    yield f"# Page {number}\n\n"
    written, section = 0, 0
    while written < size:
        if written >= section * 1_500:
            section += 1
            yield f"## Part {section}\n\n"
        paragraph = " ".join(next(texts) for _ in range(_SENTENCES)) + "\n\n"
        written += len(paragraph)
        yield paragraph


# Questions


def by_size(sizes: Sequence[int]) -> list[dict[str, Any]]:
    """Recall of every size of chunks, beside plain BM25 over the same chunks."""
    pages = {**project_pages(), **library_pages()}
    return [_measured(pages, size) for size in sizes]


def _measured(pages: Mapping[str, str], size: int) -> dict[str, Any]:
    from simonides.documents.reading import read_text  # noqa: PLC0415 - for questions alone
    from simonides.writing.documents import PreparedDocument  # noqa: PLC0415

    asked = questions()
    with Memory(":memory:") as memory:
        # The facade cuts chunks of one size.
        keeper = memory._parts.documents  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        body = Body(name="bench", scope=GLOBAL)
        readings = [read_text(text, path, most=size) for path, text in pages.items()]
        for start in range(0, len(readings), 32):
            keeper.put([PreparedDocument(one) for one in readings[start : start + 32]], body)
        chunks = {chunk.id: chunk for path in pages for chunk in memory.documents.chunks("bench", path)}
        plain = PlainBm25({id_: f"{chunk.title}\n{chunk.content}" for id_, chunk in chunks.items()})
        found = [
            [hit.item for hit in memory.search(one.asks, k=_DEPTH, corpus_id="bench").hits] for one in asked
        ]
        ranks = [_rank(one, hits) for one, hits in zip(asked, found, strict=True)]
        plain_ranks = [_rank(one, [chunks[id_] for id_ in plain.ranking(one.asks, _DEPTH)]) for one in asked]
    return {
        "chunk_chars": size,
        "chunks": len(chunks),
        "R@5": _share(ranks, 5),
        "BM25 R@5": _share(plain_ranks, 5),
        "R@1": _share(ranks, 1),
        "BM25 R@1": _share(plain_ranks, 1),
        "in room": round(mean(map(_has_room, ranks, found)), 3),
        "missed": [one.asks for one, rank in zip(asked, ranks, strict=True) if rank is None or rank >= 5],
    }


def _rank(asked: Asked, found: Sequence[Item]) -> int | None:
    return next((n for n, chunk in enumerate(found) if asked.answered_by(chunk)), None)


def _has_room(rank: int | None, found: Sequence[Item]) -> bool:
    """True if the hits up to the one that answers are short enough together."""
    return rank is not None and sum(len(chunk.content) for chunk in found[: rank + 1]) <= _ROOM


def _share(ranks: Sequence[int | None], depth: int) -> float:
    return round(mean(rank is not None and rank < depth for rank in ranks), 3)


def project_pages() -> dict[str, str]:
    """The pages of this project's docs by path."""
    return {
        f"docs/{page.relative_to(_DOCS).as_posix()}": page.read_text("utf-8")
        for page in sorted(_DOCS.rglob("*.md"))
    }


def library_pages() -> dict[str, str]:
    """Docstrings of the modules of the standard library that are asked about, a page of Markdown for each."""
    modules = sorted(
        {
            one.path.removeprefix("stdlib/").removesuffix(".md")
            for one in questions()
            if one.path.startswith("stdlib/")
        }
    )
    return {f"stdlib/{name}.md": _module_page(name) for name in modules}


def _module_page(name: str) -> str:
    module = importlib.import_module(name)
    parts = [f"# {name}\n", inspect.getdoc(module) or ""]
    for member, found in sorted(vars(module).items()):
        documented = inspect.isroutine(found) or inspect.isclass(found)
        if not member.startswith("_") and documented and (text := inspect.getdoc(found)):
            parts += [f"\n## {name}.{member}\n", text]
    return "\n".join(parts) + "\n"
