"""Detection rates of the policy on labelled data, and its times.

A text counts as an injection where the scan finds anything of the categories `injection` or `mimicry`:
those are acted on whoever said them. `self_instruction` ("from now on, always …") is what users say of
themselves every day, and is held against other origins only; what it would add stands in a column of its
own. So does what the whole policy refuses or holds back for such a reason when a model proposes the text: there the
learned detector has a say too. A text counts as a secret where anything of the category `secret` is found. Ordinary
notes of the bench's own are judged as a user adds them.
"""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

from benchmarks.notes import notes
from benchmarks.report import Table, finish, options_of, result
from benchmarks.timing import percentiles, times_ms
from benchmarks.worlds import data_folder, lines
from simonides.domain.ids import new_id
from simonides.domain.item import Item
from simonides.domain.provenance import Origin, Provenance
from simonides.domain.scope import GLOBAL
from simonides.domain.verdict import Outcome
from simonides.errors import InvalidInput
from simonides.governance.policy import Candidate, Policy
from simonides.governance.scan import scan
from simonides.sample import load_sample
from simonides.writing.intake import message

#: Categories of findings that make a text what its label says.
CATEGORIES: Final[Mapping[str, frozenset[str]]] = {
    "injection": frozenset({"injection", "mimicry"}),
    "secret": frozenset({"secret"}),
}
_WIDER: Final[Mapping[str, frozenset[str]]] = {
    "injection": CATEGORIES["injection"] | {"self_instruction"},
    "secret": CATEGORIES["secret"],
}
#: How reasons begin that say what the label says.
_REASONS: Final[Mapping[str, tuple[str, ...]]] = {
    "injection": ("injection:", "mimicry:", "self instruction:", "sounds like an order:"),
    "secret": ("secret:",),
}
_NOTES: Final = 2_400
_NOTES_SEED: Final = 11
#: Bytes of the texts that are timed, and how often each is.
_LENGTHS: Final = {200: 200, 2_000: 200, 20_000: 20, 100_000: 5, 200_000: 5}
_LONGEST: Final = max(_LENGTHS)
_SHARED: Final = 20_000
_AT: Final = 1_767_225_600_000_000
_ALL: Final = "all"


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Measure as the options say."""
    parser = options_of(name, "What the policy finds in labelled texts, and its time.")
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        help="folder with security/*.jsonl.gz; SIMONIDES_BENCH_DATA if not given",
    )
    parser.add_argument("--no-data", action="store_true", help="measure the time only")
    parser.add_argument("--notes", type=int, default=_NOTES, help="ordinary notes that a user adds")
    parser.add_argument("--no-times", action="store_true", help="leave the time out")
    options = parser.parse_args(arguments)
    folder = None if options.no_data else data_folder(options.data)
    outcome = measure(folder, options.notes, timed=not options.no_times)
    return finish(outcome, tables(outcome), options)


def measure(
    folder: Path | None, count: int = _NOTES, *, timed: bool = True, repeats: int = max(_LENGTHS.values())
) -> dict[str, Any]:
    """Detection on all labelled files of a folder, if one is given, and the time of scan and policy if wanted.

    Args:
        repeats: Of a time, at most; of long texts fewer are taken anyway.
    """
    detection: dict[str, Any] = {}
    sizes: dict[str, int] = {}
    for path in _files(folder) if folder is not None else ():
        rows: list[Mapping[str, Any]] = [json.loads(line) for line in lines(path)]
        label = next(iter({row["label"] for row in rows} & set(CATEGORIES)), None)
        if label is None:
            raise InvalidInput(f"{path} labels nothing as one of {', '.join(CATEGORIES)}")
        detection[label] = detected(rows, label)
        sizes[label] = len(rows)
    taken = {"notes": _taken(count)} if folder is not None else {}
    figures = {"detection": detection, **taken} | ({"time": _times(repeats)} if timed else {})
    return result("policy", seed=_NOTES_SEED, sizes=sizes, figures=figures)


def _taken(count: int) -> dict[str, int]:
    """Count verdicts on ordinary notes in six languages, of up to 100,000 characters, that a user adds."""
    policy = Policy()
    outcomes = Counter(
        policy.judge(Candidate(_item(note.text, Origin.USER_SAID)), _AT).outcome
        for note in notes(count, _NOTES_SEED)
    )
    return {"notes": count} | {outcome.value: outcomes[outcome] for outcome in Outcome}


def _item(text: str, origin: Origin) -> Item:
    return Item(
        id=new_id(_AT), type="fact", content=text, origin=origin, created_at=_AT, updated_at=_AT,
        provenance=Provenance(source_id="bench"),
    )  # fmt: skip


def _held(policy: Policy, text: str, label: str) -> bool:
    """True if a text that a model proposes is refused or held back for what its label says."""
    proposed = Candidate(_item(text, Origin.ASSISTANT_SAID), proposed=True, why_store="measured")
    return any(reason.startswith(_REASONS[label]) for reason in policy.judge(proposed, _AT).reasons)


def detected(rows: Sequence[Mapping[str, Any]], label: str) -> dict[str, Any]:
    """Count how much of what is labelled so is found, and how much of the rest is flagged.

    Returns:
        `{"found": …, "flagged": …}`, each by `all`, `tier NAME` and kind: `{"texts", "hits", "share",
        "share_with_self_instruction", "share_when_proposed"}`; and `scan_ms` over all rows.
    """
    hits = {"found": dict[str, list[_Hit]](), "flagged": dict[str, list[_Hit]]()}
    policy = Policy()
    spent: list[float] = []
    for row in rows:
        found: set[str] = set()
        spent += times_ms(
            lambda text, found=found: found.update(f.category for f in scan(text)), [row["text"]]
        )
        hit = (
            not found.isdisjoint(CATEGORIES[label]),
            not found.isdisjoint(_WIDER[label]),
            _held(policy, row["text"], label),
        )
        by_group = hits["found" if row["label"] == label else "flagged"]
        for group in (_ALL, f"tier {row['tier']}", row["kind"]):
            by_group.setdefault(group, []).append(hit)
    figures: dict[str, Any] = {
        name: {group: _shares(some) for group, some in sorted(by_group.items(), key=_in_order)}
        for name, by_group in hits.items()
    }
    return figures | {"scan_ms": percentiles(spent, 50, 99, 100)}


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    found: list[Table] = []
    for label, figures in outcome["figures"]["detection"].items():
        for name, title in (("found", f"{label}: found"), ("flagged", f"{label}: flagged though benign")):
            rows: list[list[object]] = [
                [group, some["hits"], some["texts"], *(some[share] for share in _SHARES)]
                for group, some in figures[name].items()
            ]
            found.append(
                Table(title, ("", "hits", "of", "share", "with self-instruction", "held when proposed"), rows)
            )
    taken = outcome["figures"].get("notes")
    if taken is not None:
        found.append(Table("ordinary notes that a user adds", tuple(taken), [list(taken.values())]))
    times = outcome["figures"].get("time")
    if times is None:
        return found
    rows = [
        [f"{what}, {shape}", *by_length.values()]
        for what, by_shape in times["p50_ms"].items()
        for shape, by_length in by_shape.items()
    ]
    lengths = [f"{length:,} B" for length in _LENGTHS]
    found.append(Table("time, p50, ms", ("", *lengths), rows))
    growth: list[list[object]] = [[shape, some] for shape, some in times["growth_of_10_times"].items()]
    found.append(Table("time of a scan from 20,000 B over that from 2,000 B", ("", "times"), growth))
    return found


def _files(folder: Path) -> list[Path]:
    place = folder / "security" if (folder / "security").is_dir() else folder
    found = sorted(place.glob("*eval*.jsonl*"))
    if not found:
        raise InvalidInput(f"{place} has no *eval*.jsonl.gz; give another folder to --data, or --no-data")
    return found


#: Found by the scan, found or a standing order, held back or refused when a model proposes it.
_Hit = tuple[bool, bool, bool]
_SHARES: Final = ("share", "share_with_self_instruction", "share_when_proposed")


def _shares(some: Sequence[_Hit]) -> dict[str, float]:
    sums = [sum(column) for column in zip(*some, strict=True)]
    shares = {name: hits / len(some) for name, hits in zip(_SHARES, sums, strict=True)}
    return {"texts": len(some), "hits": sums[0]} | shares


def _in_order(pair: tuple[str, object]) -> tuple[int, str]:
    group = pair[0]
    return (0 if group == _ALL else 1 if group.startswith("tier ") else 2), group


def _times(repeats: int) -> dict[str, Any]:
    """Times by shape of text: ordinary prose, and what a scanner may choke on.

    Of prose and base64 the short texts are pieces of what the long ones hold: the same text over and over keeps an
    engine's states warm, and the time of a long one would seem to grow faster than it does.
    """
    prose = " ".join(turn.text for turn in load_sample().turns.values())
    prose *= _LONGEST // len(prose) + 1
    encoded = base64.b64encode(prose.encode()).decode()
    shapes: dict[str, Callable[[int], list[str]]] = {
        "prose": lambda length: _pieces(prose, length),
        "base64": lambda length: _pieces(encoded, length),
        "near misses": lambda length: [
            ("ignore the previous password token: key = " * (length // 40 + 1))[:length]
        ],
        "one word": lambda length: ["a" * length],
    }
    policy = Policy()
    lengths = {length: min(often, repeats) for length, often in _LENGTHS.items()}

    def judge(text: str) -> object:
        turn = message({"role": "user", "content": text}).episode(GLOBAL, "bench", _AT)
        return policy.judge(Candidate(turn), _AT)

    scan_ms = {
        shape: {str(length): _p50(scan, make(length), often) for length, often in lengths.items()}
        for shape, make in shapes.items()
    }
    judge_ms = {"prose": {str(n): _p50(judge, shapes["prose"](n), often) for n, often in lengths.items()}}
    return {
        "p50_ms": {"scan": scan_ms, "whole policy": judge_ms},
        "growth_of_10_times": {shape: some["20000"] / some["2000"] for shape, some in scan_ms.items()},
    }


def _pieces(text: str, length: int) -> list[str]:
    """The pieces of a length from the beginning that all lengths share; one of a text that is as long."""
    return [text[start : start + length] for start in range(0, max(_SHARED, length), length)]


def _p50(call: Callable[[str], object], texts: Sequence[str], often: int) -> float:
    """Median time of a text; of several the mean of these."""
    rounds = max(often // len(texts), min(often, 2))
    spent = [times_ms(call, texts) for _ in range(rounds)]
    return fmean(median(some) for some in zip(*spent, strict=True))
