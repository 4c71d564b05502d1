"""Parts of the bench `store`: small tenants beside a big one, and how much an index of vectors finds."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from statistics import mean
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import Corpus
from benchmarks.growing import grow
from benchmarks.report import Table
from benchmarks.stores import embedder_named
from benchmarks.timing import percentiles, times_ms
from benchmarks.variants import BUNDLED
from simonides import Memory, migrate_store
from simonides.domain.embedding import EmbedderIdentity
from simonides.domain.scope import Scope
from simonides.domain.selection import Selection
from simonides.domain.verdict import Outcome
from simonides.ports.recalling import Nearing
from simonides.ports.store import NewItem
from simonides.sample import load_sample
from simonides.storage.postgres.address import PostgresAddress
from simonides.storage.postgres.store import PostgresStore
from simonides.testing import an_item

_SEED: Final = 11
_PIECE: Final = 512
_WANTED: Final = 60
_SCOPES: Final = ("every scope", "nine tenths", "one tenth")
Vector = NDArray[np.float32]
#: A process that searches a tenant and adds to it until somebody ends it; it says so when it has begun.
_LOAD: Final = """
import sys
from itertools import count
from benchmarks.corpus import Corpus
from benchmarks.stores import embedder_named
from benchmarks.variants import BUNDLED
from simonides import Memory
from simonides.sample import load_sample
url, tenant = sys.argv[1:]
texts = Corpus(load_sample(), 12).stream(3)
with Memory(url, tenant=tenant, embedder=embedder_named(BUNDLED)) as memory:
    for number in count():
        memory.add([next(texts) for _ in range(64)])
        for _ in range(4):
            memory.search(next(texts), k=10)
        if number == 1:
            print("at work", flush=True)
"""


class Sizes(NamedTuple):
    """Sizes of what is measured.

    Attributes:
        tenants: Small ones.
        items: Of each of them.
        big: Items of the big one.
        vectors: Vectors of which an index is made.
        few: So many are compared one by one.
        searches: Searches of the small ones; a quarter as many adds.
        written: So many items of the big one are written by the library, the others are copies of these.
    """

    tenants: int
    items: int
    big: int
    vectors: int
    few: int
    searches: int = 400
    written: int = 8192


def beside_a_big_one(owner: str, url: str, sizes: Sizes) -> dict[str, Any]:
    """Times of small tenants, while nobody else does anything, and while another process is at work on a big one.

    Each of them holds a connection. The searches of the big one itself are timed while nobody else does anything.
    """
    corpus = Corpus(load_sample(), _SEED)
    embedder = embedder_named(BUNDLED)
    names = [f"bench-{secrets.token_hex(6)}" for _ in range(sizes.tenants + 1)]
    migrate_store(owner, tenants=names)
    slim = f"{url}{'&' if '?' in url else '?'}pool_size=1"  # A connection each.
    with ExitStack() as stack:
        small = [stack.enter_context(Memory(slim, tenant=name, embedder=embedder)) for name in names[1:]]
        for part, memory in enumerate(small):
            memory.add(corpus.texts(sizes.items, part))
        with Memory(url, tenant=names[0], embedder=embedder) as big:
            texts = corpus.stream(sizes.tenants)
            written = min(sizes.big, sizes.written)
            for first in range(0, written, _PIECE):
                big.add(list(islice(texts, min(_PIECE, written - first))))
        items = grow(owner, names[0], sizes.big) if sizes.big > written else written
        questions = [text for text, _ in corpus.questions(sizes.items, sizes.searches)]
        adds = sizes.searches // 4
        more = corpus.stream(sizes.tenants + 1)
        found = {"alone": _times(small, questions, list(islice(more, adds)))}
        with Memory(url, tenant=names[0], embedder=embedder) as big:
            of_big = {"search_ms": _searches([big], questions)}
        with _at_work(url, names[0]):
            found["beside_the_big_one"] = _times(small, questions, list(islice(more, adds)))
    alone, beside = found["alone"], found["beside_the_big_one"]
    ratio = {name: beside[name]["p95"] / alone[name]["p95"] for name in alone}
    return found | {"of_the_big_one": of_big, "big": items, "ratio": ratio}


def _times(small: Sequence[Memory], questions: Sequence[str], texts: Sequence[str]) -> dict[str, Any]:
    """Milliseconds of searches and of single adds, by turns of the tenants."""

    def add(one: tuple[int, str]) -> object:
        return small[one[0] % len(small)].add(one[1])

    searches = _searches(small, questions)
    adds = times_ms(add, enumerate(texts))
    return {"search_ms": searches, "add_ms": percentiles(adds, 50, 95, 100)}


def _searches(tenants: Sequence[Memory], questions: Sequence[str]) -> dict[str, float]:
    """Milliseconds of searches, by turns of the tenants, each question asked once before."""

    def search(one: tuple[int, str]) -> object:
        return tenants[one[0] % len(tenants)].search(one[1], k=10)

    # What a process reads once, statements closely above all, is not what another one's work adds.
    for one in enumerate(questions):
        search(one)
    return percentiles(times_ms(search, enumerate(questions)), 50, 95, 100)


@contextmanager
def _at_work(url: str, tenant: str) -> Generator[None]:
    """A block while another process searches a tenant, and adds to it."""
    process = subprocess.Popen(  # noqa: S603 - this interpreter with our own code
        [sys.executable, "-c", _LOAD, url, tenant], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        if process.stdout.readline() != "at work\n":
            raise RuntimeError("the load did not begin; its error stands above")
        yield
        if process.poll() is not None:
            raise RuntimeError("the load ended too soon; its error stands above")
    finally:
        process.kill()
        process.communicate()


def by_an_index(
    owner: str, url: str, sizes: Sizes, texts: Sequence[str], questions: Sequence[str]
) -> dict[str, Any]:
    """Share of the nearest that an index of the tenant finds, and what either way costs.

    Args:
        texts: Those of which vectors are kept; nine tenths in one scope.
    """
    tenant = f"bench-{secrets.token_hex(6)}"
    migrate_store(owner, tenants=[tenant])
    embedder = embedder_named(BUNDLED)
    ana, bo = Scope("user:ana"), Scope("user:bo")
    one_by_one, served, owned = (
        PostgresStore(PostgresAddress(url=at, tenant=tenant), compares=few)
        for at, few in ((url, 1 << 30), (url, sizes.few), (owner, sizes.few))
    )
    for first in range(0, len(texts), _PIECE):
        piece = list(texts[first : first + _PIECE])
        items = [an_item(text, scope=bo if n % 10 == 0 else ana) for n, text in enumerate(piece)]
        new = [
            NewItem(item, Outcome.ACCEPTED, vector)
            for item, vector in zip(items, embedder.embed(piece), strict=True)
        ]
        served.write(lambda tx, new=new: tx.insert(new, embedder.identity))
    owned.index_vectors()
    vectors = [vector for vector in embedder.embed(list(questions)) if vector.any()]
    figures: dict[str, Any] = {
        "vectors": len(texts),
        "questions": len(vectors),
        "compared_by": served.describe()["index"],
    }
    for name, scopes in zip(_SCOPES, (None, (ana,), (bo,)), strict=True):
        selection = Selection(scopes=scopes, live_at=None)
        exact, slow_ms = _asked(one_by_one, selection, vectors, embedder.identity)
        some, ms = _asked(served, selection, vectors, embedder.identity)
        shares = {
            f"recall@{depth}": mean(
                _share(all_[:depth], found[:depth]) for all_, found in zip(exact, some, strict=True)
            )
            for depth in (10, _WANTED)
        }
        figures[name] = shares | {"one_by_one_ms": slow_ms, "as_served_ms": ms}
    for store in (one_by_one, served, owned):
        store.close()
    return figures


def _asked(
    store: PostgresStore, selection: Selection, vectors: Sequence[Vector], model: EmbedderIdentity
) -> tuple[list[list[int]], float]:
    """Keys of what is nearest to each vector, and the median of the times in ms."""
    found: list[list[int]] = []
    took = times_ms(lambda vector: found.append(_nearest(store, selection, vector, model)), vectors)
    return found, percentiles(took, 50)["p50"]


def _nearest(
    store: PostgresStore, selection: Selection, vector: Vector, model: EmbedderIdentity
) -> list[int]:
    asking = Nearing(
        selection=selection, text=[], questions=[vector], model=model, wanted=_WANTED, surrounded=20, reach=2
    )
    with store.read() as reader:
        reader.state()
        return reader.near(asking).near[0].tolist()


def _share(exact: Sequence[int], some: Sequence[int]) -> float:
    return len({*exact} & {*some}) / len(exact) if exact else 1.0


def tables(figures: Mapping[str, Any]) -> list[Table]:
    """The tables of both parts, as far as they were measured."""
    found: list[Table] = []
    if "tenants" in figures:
        rows = [
            (f"{what.removesuffix('_ms')}, {name.replace('_', ' ')}", *one[what].values())
            for what in ("search_ms", "add_ms")
            for name, one in figures["tenants"].items()
            if name not in ("ratio", "big") and what in one
        ]
        ratios = [(f"{what.removesuffix('_ms')}, times as long", None, ratio, None)
                  for what, ratio in figures["tenants"]["ratio"].items()]  # fmt: skip
        found.append(Table("Small tenants", ("what", "p50 ms", "p95 ms", "longest"), [*rows, *ratios]))
    if "nearest" in figures:
        columns = ("recall@10", f"recall@{_WANTED}", "one_by_one_ms", "as_served_ms")
        rows = [
            (name, *[one[column] for column in columns])
            for name, one in figures["nearest"].items()
            if name in _SCOPES
        ]
        head = ("scopes", "recall@10", f"recall@{_WANTED}", "ms one by one", "ms as served")
        found.append(Table("Nearest vectors, by an index", head, rows))
    return found
