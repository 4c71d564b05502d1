"""The same memories in a file and on PostgreSQL, in one run: what is found, how fast, over how many round trips."""

from __future__ import annotations

import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from psycopg.conninfo import conninfo_to_dict

from benchmarks.corpus import Corpus
from benchmarks.measures import recall
from benchmarks.report import Table, finish, options_of, progress, result
from benchmarks.stores import embedder_named, fill
from benchmarks.tenants import Sizes, beside_a_big_one, by_an_index, tables
from benchmarks.timing import percentiles, timed
from benchmarks.variants import BUNDLED
from benchmarks.worlds import FILES, asked, data_file, data_folder, lines, world
from simonides import Memory, migrate_store
from simonides.sample import World, load_sample
from simonides.storage.postgres.nearest import FEW

_FIRST: Final = 10
_BULK: Final = 2048
_SINGLE: Final = 100
#: Of a turn so many characters are embedded where vectors are compared, and of questions so many are asked.
_LONGEST: Final = 2_000
_QUESTIONS: Final = 200


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, __doc__ or "")
    parser.add_argument("--owner", required=True, metavar="URL", help="of a database that may be migrated")
    parser.add_argument("--url", required=True, metavar="URL", help="of the role that reads and writes there")
    parser.add_argument("--against", choices=("sqlite",), default="sqlite")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of the sets")
    parser.add_argument(
        "--sets", default="sample", help="sample, locomo, longmemeval, beam, memdaily; by commas"
    )
    parser.add_argument("--worlds", type=int, default=1000, help="of each set, at most")
    parser.add_argument(
        "--network-ms", type=float, default=1.0, help="added to each round trip in a second round"
    )
    parser.add_argument(
        "--parts", default="found,times,tenants,nearest", help="what is measured, by commas; all without this"
    )
    parser.add_argument("--tenants", type=int, default=100, help="small tenants beside a big one")
    parser.add_argument("--items", type=int, default=1000, help="items of each of them")
    parser.add_argument("--big", type=int, default=1_000_000, help="items of the big one")
    parser.add_argument(
        "--written",
        type=int,
        default=8192,
        help="items of the big one that the library writes; the rest are copies",
    )
    parser.add_argument("--vectors", type=int, default=40_000, help="vectors of which an index is made")
    options = parser.parse_args(arguments)
    sizes = Sizes(
        options.tenants, options.items, options.big, options.vectors, min(FEW, options.vectors // 20),
        written=options.written,
    )  # fmt: skip
    figures: dict[str, Any] = {}
    parts = options.parts.split(",")
    role = conninfo_to_dict(options.url).get("user")
    if role is None:
        parser.error("--url names no role, as postgresql://ROLE@HOST/DATABASE does")
    migrate_store(options.owner, role=str(role))
    with tempfile.TemporaryDirectory() as folder:
        pairs = _Pairs(options.owner, options.url, Path(folder))
        for one in options.sets.split(",") if "found" in parts else ():
            progress(f"{one} …")
            figures[one] = _retrieval(pairs, _worlds(one, options.data, options.worlds))
        if "times" in parts:
            progress("times …")
            figures["times"] = _times(pairs, options.network_ms)
        if "tenants" in parts:
            progress("small tenants beside a big one …")
            figures["tenants"] = beside_a_big_one(options.owner, options.url, sizes)
        if "nearest" in parts:
            progress("an index of vectors …")
            texts, questions = _said(options.sets.split(","), options.data, options.vectors)
            figures["nearest"] = by_an_index(options.owner, options.url, sizes, texts, questions)
    outcome = result(
        name, seed=11, sizes={"bulk": _BULK, "single": _SINGLE, **sizes._asdict()}, figures=figures
    )
    return finish(outcome, [*_tables(figures), *tables(figures)], options)


def _said(sets: Sequence[str], data: Path | None, most: int) -> tuple[list[str], list[str]]:
    """So many different turns of the sets, and questions about them; where they are too few, made ones besides."""
    texts: dict[str, None] = {}
    questions: list[str] = []
    for found in (found for name in sets for found in _worlds(name, data, most)):
        if len(texts) >= most:
            break
        questions += [question.text for question in found.questions]
        texts |= dict.fromkeys(turn.text[:_LONGEST] for turn in found.turns.values())
    made = Corpus(load_sample(), 1).stream(12)
    while len(texts) < most:
        texts[next(made)] = None
    return list(texts)[:most], questions[:_QUESTIONS]


class _Pairs:
    """Makes a memory in a file, and one on PostgreSQL."""

    def __init__(self, owner: str, url: str, folder: Path) -> None:
        self.owner, self.url, self.folder = owner, url, folder
        self._made = 0

    def make(self, through: Callable[[str], str] = lambda url: url) -> tuple[Memory, Memory]:
        """A pair of empty memories."""
        self._made += 1
        tenant = f"bench-{secrets.token_hex(6)}"
        migrate_store(self.owner, tenants=[tenant])
        embedder = embedder_named(BUNDLED)
        file = Memory(self.folder / f"{self._made}.db", embedder=embedder)
        return file, Memory(through(self.url), tenant=tenant, embedder=embedder)


def _worlds(name: str, data: Path | None, most: int) -> Iterator[World]:
    if name == "sample":
        yield load_sample()
        return
    for number, line in enumerate(lines(data_file(data_folder(data), FILES[name]))):
        if number >= most:
            return
        yield world(line)


def _retrieval(pairs: _Pairs, worlds: Iterator[World]) -> dict[str, Any]:
    """Shares of the evidence that each finds, and of questions whose first ten are the same."""
    shares: tuple[list[float], list[float]] = ([], [])
    same: list[bool] = []
    times: tuple[list[float], list[float]] = ([], [])
    for found in worlds:
        both = pairs.make()
        turns = tuple({item: turn for turn, item in _filled(memory, found).items()} for memory in both)
        for question in asked(found.questions, abstaining=False):
            rankings: list[list[str]] = []
            for place, memory in enumerate(both):
                hits, seconds = timed(
                    lambda memory=memory, text=question.text: memory.search(text, k=50).hits
                )
                times[place].append(seconds * 1000)
                rankings.append([turns[place].get(hit.item.id, "") for hit in hits])
                shares[place].append(recall(rankings[-1], set(question.evidence_turns), _FIRST))
            same.append(rankings[0][:_FIRST] == rankings[1][:_FIRST])
        for memory in both:
            memory.close()
    return {
        "questions": len(same),
        "R@10": {"sqlite": mean(shares[0]), "postgresql": mean(shares[1])},
        "same_first_ten": mean(same),
        "search_ms": {
            "sqlite": percentiles(times[0], 50)["p50"],
            "postgresql": percentiles(times[1], 50)["p50"],
        },
    }


def _filled(memory: Memory, found: World) -> dict[str, str]:
    return {turn: item for session in found.sessions for turn, item in fill(memory, found, session).items()}


def _times(pairs: _Pairs, network_ms: float) -> dict[str, Any]:
    """Bulk, single writes and searches: in a file, on the database, and on one that is further away."""
    stream = Corpus(load_sample(), 1).stream(11)
    bulk, warm = ([next(stream) for _ in range(count)] for count in (_BULK, 64))
    single = [next(stream) for _ in range(_SINGLE)]
    network = _Network(pairs.url, network_ms / 1000)
    file, near = pairs.make()
    other, far = pairs.make(network.through)
    other.close()
    found: dict[str, Any] = {}
    for name, memory in (("sqlite", file), ("postgresql", near), ("postgresql, further", far)):
        memory.add(warm)
        _, seconds = timed(lambda memory=memory: memory.add(bulk))
        adds = [timed(lambda memory=memory, text=text: memory.add(text))[1] * 1000 for text in single]
        asks: list[float] = []
        trips: list[float] = []
        for text in single:
            before = network.trips
            asks.append(timed(lambda memory=memory, text=text: memory.search(text))[1] * 1000)
            trips.append(network.trips - before)
        found[name] = {"bulk_a_second": _BULK / seconds, "add_ms": percentiles(adds, 50)["p50"],
                       "search_ms": percentiles(asks, 50)["p50"],
                       "search_trips": percentiles(trips, 50)["p50"] if memory is far else None}  # fmt: skip
        memory.close()
    network.close()
    return found


class _Network:
    """A port of this machine that leads to a database, later by so much each way and back.

    Attributes:
        trips: How often something was sent after something had been heard, by all connections together.
    """

    def __init__(self, url: str, delay_s: float) -> None:
        self.trips = 0
        self._url = urlsplit(url)
        self._delay_s = delay_s
        self._listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    def through(self, url: str) -> str:
        """The address of a database, by way of this."""
        parts = urlsplit(url)
        port = self._listening.getsockname()[1]
        user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
        return f"postgresql://{user}127.0.0.1:{port}{parts.path}?sslmode=disable&gssencmode=disable"

    def _connected(self) -> socket.socket:
        folder = parse_qs(self._url.query).get("host")
        if folder:
            made = socket.socket(socket.AF_UNIX)
            made.connect(f"{folder[0]}/.s.PGSQL.{self._url.port or 5432}")
            return made
        return socket.create_connection((self._url.hostname or "127.0.0.1", self._url.port or 5432))

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self._listening.accept()
            except OSError:
                return
            there = self._connected()
            for end in (here, there):
                if end.family != socket.AF_UNIX:  # Else what is sent in pieces waits 40 ms for a delayed ACK.
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            heard = threading.Event()
            heard.set()
            asked = partial(self._asked, heard)
            for source, target, delay_s, told in (
                (here, there, self._delay_s, asked),
                (there, here, 0.0, heard.set),
            ):
                threading.Thread(target=_carry, args=(source, target, delay_s, told), daemon=True).start()

    def _asked(self, heard: threading.Event) -> None:
        if heard.is_set():
            heard.clear()
            self.trips += 1

    def close(self) -> None:
        self._listening.close()


def _carry(source: socket.socket, target: socket.socket, delay_s: float, told: Callable[[], None]) -> None:
    try:
        while data := source.recv(1 << 20):
            told()
            time.sleep(delay_s)
            target.sendall(data)
    except OSError:
        return
    finally:
        source.close()
        target.close()


def _tables(figures: Mapping[str, Any]) -> list[Table]:
    sets: list[Sequence[object]] = []
    for name, one in figures.items():
        if "R@10" not in one:
            continue
        found, ms = one["R@10"], one["search_ms"]
        row = (
            name,
            one["questions"],
            found["sqlite"],
            found["postgresql"],
            one["same_first_ten"],
            ms["sqlite"],
        )
        sets.append((*row, ms["postgresql"]))
    head = (
        "set",
        "questions",
        "R@10 sqlite",
        "R@10 postgresql",
        "same first ten",
        "ms sqlite",
        "ms postgresql",
    )
    times = [(name, *one.values()) for name, one in figures.get("times", {}).items()]
    made = (
        Table("What is found", head, sets),
        Table("Times", ("store", "bulk/s", "add p50 ms", "search p50 ms", "round trips a search"), times),
    )
    return [table for table in made if table.rows]
