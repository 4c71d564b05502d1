"""Measuring Simonides: one bench, one file.

`BENCHES` names them all; importing this loads none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, cast

__all__ = ["AT_HOME", "BENCHES", "Bench"]

#: Begins the code of a bench's processes: they find this package wherever they run.
AT_HOME: Final = f"import sys; sys.path.append({str(Path(__file__).parents[1])!r});"


class _Module(Protocol):
    """Functions that the module of a bench offers."""

    def run(self, name: str, arguments: list[str]) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Bench:
    """Something that can be measured.

    Attributes:
        name: As it is asked for.
        help: One line for a list of benches.
        module: Where it is, within this package.
    """

    name: str
    help: str
    module: str

    def run(self, arguments: list[str]) -> dict[str, Any]:
        """Measure, and print a table, or with `--json` the result itself, on standard output.

        Args:
            arguments: Options of the bench; `--help` lists them.

        Returns:
            The result, fit for JSON: name, commit, version, machine, seed, sizes, figures.

        Raises:
            InvalidInput: An option or the data cannot be used; the message says what to give.
            SystemExit: An option is unknown, or help was asked for.
        """
        module = cast("_Module", import_module(f"benchmarks.{self.module}"))
        return module.run(self.name, arguments)


_ALL: Final = (
    Bench("sample", "retrieval quality on the conversation that ships with the package", "retrieval"),
    Bench("locomo", "retrieval quality on LoCoMo: two people chatting over months", "retrieval"),
    Bench("longmemeval", "retrieval quality on LongMemEval-S: a user and an assistant", "retrieval"),
    Bench("beam", "retrieval quality on BEAM: long technical conversations", "retrieval"),
    Bench("memdaily", "retrieval quality on MemDaily: short Chinese notes", "retrieval"),
    Bench(
        "kinds",
        "every kind of memory: what a search finds, and whether it knows that nothing answers",
        "kinds",
    ),
    Bench("paraphrases", "plain facts asked for in other words, five languages", "paraphrases"),
    Bench("everyday", "the same of stores written by others, six languages", "paraphrases"),
    Bench("natively", "the same of stores that nobody here tuned on, six languages", "paraphrases"),
    Bench("crowd", "these in one store, alone and among notes, before and after upkeep", "crowd"),
    Bench(
        "oneself", "plain facts about oneself, told and asked for in several ways, six languages", "oneself"
    ),
    Bench("diaries", "notes of different days, asked for what happened when, six languages", "diaries"),
    Bench("subjects", "known subjects, asked for what is and is not said of them", "subjects"),
    Bench("closely", "the confidence where statements are read closely: learned and held out", "closely"),
    Bench("chains", "questions that no single item answers, with and without an agenda", "chains"),
    Bench("beliefs", "a developer's beliefs asked for by other names, before and after upkeep", "beliefs"),
    Bench("profiles", "the ranking profiles, on all sets", "profiles"),
    Bench("abstain", "does a search abstain where nothing answers, and only there?", "abstain"),
    Bench("determinism", "two processes give the same answers, byte for byte", "determinism"),
    Bench("speed", "times, rates, memory and bytes over a corpus made from a seed", "speed"),
    Bench("vectors", "indexes of vectors: time to make and to answer, memory, disk, recall", "vectors"),
    Bench("crash", "kill -9 among writers: nothing acknowledged is lost, nothing is half there", "crash"),
    Bench("killed-runs", "kill -9 in the middle of upkeep: nothing is lost or half applied", "killed_runs"),
    Bench("processes", "several processes writing one file: no error, nothing lost", "processes"),
    Bench("policy", "what the policy detects on labelled data, and how long it takes", "policy"),
    Bench("upkeep", "a night of upkeep: what is merged, rightly and wrongly, its time and memory", "upkeep"),
    Bench("extract", "what the extraction without a model finds in labelled turns", "extract"),
    Bench("chatty", "what it hears of turns that another wrote, as people type them", "chatty"),
    Bench("proxy", "what the proxy adds to the time to the first byte", "proxy"),
    Bench("server", "many clients of one server: answers a second, waits, memory, start", "server"),
    Bench("leaving", "what others wait for while clients leave, stall and ask again", "leaving"),
    Bench("page", "answers of the page, and what a browser paints, on a large store", "page"),
    Bench("mcp", "what MCP adds to a search, and what thousands of calls leave behind", "mcp_calls"),
    Bench("walls", "random calls by three people over MCP and all adapters: no foreign rows", "walls"),
    Bench("ingest", "reading a folder: time, memory, a second run; questions over documents", "ingest"),
    Bench("hooks", "a scripted week of a coding agent: what it is told a week later", "hooks"),
    Bench("store", "a file beside PostgreSQL: what is found, bulk, writes and searches", "store"),
    Bench("short", "a short round of all benches that need no data", "short"),
)
BENCHES: Final[dict[str, Bench]] = {bench.name: bench for bench in _ALL}
