"""A search as a picture for the terminal: what was read out of the question, and what each hit is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from simonides.edges.cli import render
from simonides.edges.cli.output import Output, width

if TYPE_CHECKING:
    from simonides import Hit, SearchResult

#: Signals and matches in words; others are called by their names.
_WORDS: Final = {"lex": "words", "vec": "meaning"}
#: How far rounding may put a sum of parts from its score.
_ROUNDING: Final = 0.008
#: Parts that are smaller than this share of the largest stand together as "other".
_SMALL: Final = 0.04
#: What an analysis says of most questions.
_UNTOLD: Final = frozenset({"anyone", "other"})
_WIDEST_BAR: Final = 32
_INDENT: Final = 4
_FIGURE: Final = 8


class Makeup(NamedTuple):
    """Parts of a score: base + parts, times a factor.

    Attributes:
        base: What every candidate of a search starts from.
        parts: What the score owes to each signal. Empty where the signals do not add up to it.
        factor: 1 where nothing multiplies.
    """

    base: float
    parts: Mapping[str, float]
    factor: float


def makeup(score: float, signals: Mapping[str, float]) -> Makeup:
    """Take a score apart into the signals that add up to it."""
    base, factor = signals.get("base", 0.0), signals.get("factor", 1.0)
    parts = {name: value for name, value in signals.items() if name not in {"base", "factor"}}
    if abs((base + sum(parts.values())) * factor - score) > _ROUNDING * max(1.0, abs(score)):
        return Makeup(score, {}, 1.0)
    return Makeup(base, parts, factor)


def show(out: Output, result: SearchResult) -> None:
    """The whole picture: the question, the hits with their parts, what was left out, and the agenda's trace."""
    for degradation in result.degradations:
        out.prose(f"degraded: {degradation}", 0, "yellow")
    _question(out, result)
    made = [makeup(hit.score, hit.signals) for hit in result]
    largest = max((abs(value) for one in made for value in one.parts.values()), default=1.0) or 1.0
    for rank, (hit, one) in enumerate(zip(result, made, strict=True), 1):
        _hit(out, rank, hit, one, largest)
    _missed(out, result)
    _left_out(out, result)
    if result.trace:
        out.line(out.paint("how it went on", "bold"))
        for part in str(result.trace).splitlines():
            out.prose(part, _INDENT)


def _question(out: Output, result: SearchResult) -> None:
    fields = {
        name: text for name, value in _shown_analysis(result.analysis).items() if (text := _worded(value))
    }
    fields["channels"] = result.strategy.replace("+", ", ")
    fields["certain"] = f"{result.confidence:.0%} that something stored answers"
    if result.abstained:
        fields["certain"] += (
            ": too little, so what follows is only what is nearest" if result.hits else ": too little"
        )
    out.fields(fields)
    out.line()


def _shown_analysis(analysis: Mapping[str, object]) -> Mapping[str, object]:
    """Entries of an analysis that a reader wants to know, in order, under names for people."""
    names = {"intent": "after", "expects": "expects", "asks": "said by", "window": "time"}
    names |= {"entities": "entities", "complex": "complex"}
    return {
        shown: analysis.get(name) for name, shown in names.items() if str(analysis.get(name)) not in _UNTOLD
    }


def _worded(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else ""
        case [str(start), str(end), str(words)] if start.endswith("Z") and end.endswith("Z"):
            return f"{start.removesuffix('T00:00:00Z')} to {end.removesuffix('T00:00:00Z')} ({words})"
        case list() | tuple():
            return ", ".join(map(str, cast("Sequence[object]", value)))
        case _:
            return str(value)


def _hit(out: Output, rank: int, hit: Hit, one: Makeup, largest: float) -> None:
    number, score = out.paint(f"{rank:>2}", "bold"), f"{hit.score:.2f}"
    out.line(f"{number}  {out.paint(score, 'green')}  {render.head(out, hit.item, len(score) + 6)}")
    out.prose(render.line(hit.item), _INDENT)
    rows = _strongest(one.parts, largest)
    if rows:
        space = max(width(name) for name, _ in rows)
        cells = max(1, min(_WIDEST_BAR, out.width - _INDENT - space - _FIGURE - 4))
        for name, value in rows:
            out.line(_row(out, name, value, space, cells, largest))
        out.line(" " * _INDENT + out.paint(_sum(one, hit.score), "dim"))
    matches = {"relevance": hit.relevance, **hit.matches}
    out.prose("  ".join(f"{_name(name)} {value:.2f}" for name, value in matches.items()), _INDENT, "dim")
    out.line()


def _strongest(parts: Mapping[str, float], largest: float) -> list[tuple[str, float]]:
    """Parts by weight, the greatest first; small ones as one."""
    ranked = sorted(parts.items(), key=lambda part: -abs(part[1]))
    rows = [(_name(name), value) for name, value in ranked if abs(value) >= _SMALL * largest]
    small = [value for _, value in ranked if 0 < abs(value) < _SMALL * largest]
    return [*rows, ("other", sum(small))] if small else rows


def _row(out: Output, name: str, value: float, space: int, cells: int, largest: float) -> str:
    length = round(abs(value) / largest * cells)
    # What speaks against a hit differs in shape too: not everybody sees colours.
    bar = out.paint("━" * length, "cyan") if value >= 0 else out.paint("╌" * length, "red")
    label = out.paint(name + " " * (space - width(name)), "dim")
    return f"{' ' * _INDENT}{label}  {bar}{' ' * (cells - length)}  {value:>+{_FIGURE}.2f}".rstrip()


def _sum(one: Makeup, score: float) -> str:
    """The last line of a sum: what the rows above come to, with what every hit has."""
    total = sum(one.parts.values())
    total_text = f"{total:.2f}" if not one.base else f"{one.base:.2f} (base) {_signed(total)}"
    if one.factor != 1.0:
        total_text = (
            f"({total_text}) × {one.factor:.2f} (factor)"
            if one.base
            else f"{total_text} × {one.factor:.2f} (factor)"
        )
    return f"= {score:.2f}" if total_text == f"{score:.2f}" else f"= {total_text} = {score:.2f}"


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '−'} {abs(value):.2f}"


def _missed(out: Output, result: SearchResult) -> None:
    if not result.missed:
        return
    out.line(out.paint("not among them", "bold"))
    for candidate in result.missed:
        out.prose(f"{candidate.score:.2f}  {render.line(candidate.item)}", _INDENT)
        out.prose(candidate.reason, 2 * _INDENT, "dim")
    out.line()


def _left_out(out: Output, result: SearchResult) -> None:
    if result.hidden:
        few = "1 candidate was" if result.hidden == 1 else f"{result.hidden} candidates were"
        why = "too faint" if result.hits else "too faint, or nothing stored seems to answer"
        out.prose(f"{few} left out: {why}", 0, "dim")


def _name(signal: str) -> str:
    return _WORDS.get(signal, signal.replace("_", " "))


def in_words(score: float, signals: Mapping[str, float]) -> str:
    """Parts of a score as a sum to read; empty where the signals do not add up to it."""
    one = makeup(score, signals)
    if not one.parts:
        return ""
    ranked = sorted(one.parts.items(), key=lambda part: -abs(part[1]))
    terms = " ".join(f"{'+' if value >= 0 else '−'} {_name(name)} {abs(value):.2f}" for name, value in ranked)
    total = f"base {one.base:.2f} {terms}" if one.base else terms.removeprefix("+ ")
    return f"{score:.2f} = {total}" if one.factor == 1.0 else f"{score:.2f} = ({total}) × {one.factor:.2f}"
