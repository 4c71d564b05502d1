"""Assembly: from hits to a block of text within a token budget."""

from __future__ import annotations

import hashlib
import secrets
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from simonides.domain.item import Item
from simonides.domain.text import count_tokens, shown
from simonides.domain.written import each, read_back
from simonides.errors import InvalidInput
from simonides.recall.context_selection import in_context_order, plain
from simonides.recall.question.speech import states
from simonides.recall.render import (
    HEADER,
    block,
    catalog,
    catalog_entry,
    closing,
    day,
    framed,
    happened_at,
    line,
    notes_on,
    opening,
    reply,
    summary,
)
from simonides.recall.result import Hit
from simonides.values import dataclass

MODES: Final = ("context", "inject", "catalog", "hybrid")
CATALOG_K: Final = 10
#: Hint of an empty text for a prompt where a search finds something.
WITHHELD: Final = (
    "what a search finds may not go into prompts: a corpus of documents has to be made injectable"
)
#: A budget that the question decides.
AUTO: Final = "auto"
#: Tokens of a context: where nothing is said, and where the question decides.
CONTEXT_TOKENS: Final = 2000
SIMPLE_TOKENS: Final = 1000
COMPLEX_TOKENS: Final = 3000
#: The largest budget.
_MOST_TOKENS: Final = 1_000_000
#: Tokens of the core profile, wherever it stands.
PROFILE_TOKENS: Final = 500
#: Hits that a hybrid gives in full; the rest is catalog.
_HYBRID_FULL: Final = 3
#: Sections of a context with their shares; what one leaves unused goes to the next.
_SHARES: Final = {"Facts": 0.40, "Profiles": 0.25, "Timeline": 0.25, "Evidence": 0.10}
#: The same for a question that asks for several things: docs/decisions/0013-frames.md.
_SHARES_COMPLEX: Final = {"Facts": 0.35, "Profiles": 0.20, "Timeline": 0.20, "Evidence": 0.25}
#: Where statements are told, by type; facts by any other. What states nothing is evidence.
_SECTIONS: Final = {"event": "Timeline", "narrative": "Timeline", "episode": "Evidence", "chunk": "Evidence"}
#: What a frame takes without its blocks, at most.
_FRAME_TOKENS: Final = count_tokens("\n".join([HEADER, opening("0" * 16), closing("0" * 16)]))
#: Between two lines.
_LINE_BREAK: Final = count_tokens("\n")
#: A longer text is looked at from its beginning, whether it is too long already.
_LONG_CHARS: Final = 20_000
_PROCESS_KEY: Final = secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class ContextResult:
    """Text for a prompt.

    Attributes:
        items: What it was made of, in the order of the text.
        tokens: Estimate of its length; within the budget that was asked for.
        injection_id: Names this injection to `why`; None if nothing was injected.
        hints: Of an empty text, that what was found does not fit, or which filters nothing in sight has, and which
            names are near.
        least_tokens: Budget from which on something of what was found fits, where nothing does; else None.
    """

    text: str
    items: tuple[Item, ...]
    tokens: int
    mode: str
    injection_id: str | None = None
    abstained: bool = False
    degradations: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    least_tokens: int | None = None

    @classmethod
    def from_dict(cls, written: Mapping[str, Any]) -> ContextResult:
        """The text that `to_dict` wrote.

        Raises:
            InvalidInput: A field is missing or its value cannot be read.
        """
        return read_back(cls, written, items=each(Item.from_dict), degradations=tuple, hints=tuple)

    def to_dict(self) -> dict[str, Any]:
        return {
            "degradations": list(self.degradations),
            "text": self.text,
            "items": [item.to_dict() for item in self.items],
            "tokens": self.tokens,
            "mode": self.mode,
            "injection_id": self.injection_id,
            "abstained": self.abstained,
            "hints": list(self.hints),
            "least_tokens": self.least_tokens,
        }


class EntitySummary(NamedTuple):
    """Entity and what is known of it, in some sentences."""

    name: str
    summary: str


def of_this_process(text: str) -> str:
    """A hash under a secret that ends with the process: for texts that no store stands behind."""
    return hashlib.blake2b(text.encode(), key=_PROCESS_KEY, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class PromptForm:
    """Options of a text for a prompt, beside its mode and budget.

    Attributes:
        now: When it is told: what holds and what has ended.
        profiles: Of the entities that the question names; part of a context.
        is_complex: The question asks for several things: a context gives evidence more room.
        ids: A context names the ids of its items.
        question: What is asked; it is no answer to itself.
        keyed: A hash under a secret that who writes memories does not know; frames are marked with it.
    """

    now: int
    profiles: Sequence[EntitySummary] = ()
    is_complex: bool = False
    ids: bool = False
    question: str = ""
    keyed: Callable[[str], str] = of_this_process


def _always() -> bool:
    return True


def _never(_: Item) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Context that a prompt already holds, for recall that nobody asked for.

    Attributes:
        told: Texts that the prompt holds already, as `plain` has them; items that say the same are left out.
        besides: Whether an item is left out for another reason.
        sure: Leave out everything where an answer is less likely than `recall.inject_below`, where nothing found states
            anything, and for a statement that names nothing that is told of.
        said_before: Message of the same speaker before the question: a statement may go on with what it asks.
        nearest: Relevance, 0 to 1, below which a hit is left out; above 0, so is everything where the search abstains.
        wanted: Asked when the text is ready: whether it is going into the prompt. If not, it comes back empty,
            and nothing was injected.
    """

    told: frozenset[str] = frozenset()
    besides: Callable[[Item], bool] = _never
    sure: bool = False
    said_before: str = ""
    nearest: float = 0.0
    wanted: Callable[[], bool] = _always

    def untold(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        """The hits that are near, and that the prompt does not hold already."""
        return [
            hit
            for hit in self._near(hits)
            if not (self.told and plain(hit.item.content) in self.told) and not self.besides(hit.item)
        ]

    def crowds(self, hits: Sequence[Hit]) -> bool:
        """True if most near hits stand in the prompt already or state nothing, and so take the place of others."""
        near = self._near(hits)
        half = (len(near) + 1) // 2
        # Whether a text states anything is read of no more hits than it takes.
        stating = (hit for hit in self.untold(near) if states(hit.item))
        return sum(1 for _ in islice(stating, half)) < half

    def _near(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        return [hit for hit in hits if hit.relevance >= self.nearest] if self.nearest else hits


NOTHING_AROUND: Final = Surroundings()


def budget_for(question: str) -> int:
    """Tokens that an injection may take, by the length of the question."""
    for chars, tokens in ((80, 1100), (200, 1400), (400, 2000)):
        if len(question) < chars:
            return tokens
    return 2500


def token_budget(max_tokens: int | str | None, mode: str, question: str, *, is_complex: bool) -> int:
    """Tokens that a text may take.

    Args:
        max_tokens: A number is itself. None: 2000 for a context. `auto`: 1000 for a context, 3000 where
            the question asks for several things. In the other modes both go by the question's length.

    Raises:
        InvalidInput: It is neither.
    """
    if isinstance(max_tokens, int) and not isinstance(max_tokens, bool) and 1 <= max_tokens <= _MOST_TOKENS:
        return max_tokens
    if max_tokens is not None and max_tokens != AUTO:
        raise InvalidInput(
            f"max_tokens must be a whole number from 1 to {_MOST_TOKENS}, or {AUTO!r}, got {shown(max_tokens)}"
        )
    if mode != "context":
        return budget_for(question)
    if max_tokens is None:
        return CONTEXT_TOKENS
    return COMPLEX_TOKENS if is_complex else SIMPLE_TOKENS


def assemble(
    hits: Sequence[Hit], pinned: Sequence[Item], mode: str, max_tokens: int, form: PromptForm
) -> tuple[str, tuple[Item, ...]]:
    """Write hits down in a mode, within a budget.

    Args:
        hits: Best first.
        pinned: The core profile: pinned items, most important first.
        mode: `context` (markdown in sections), `inject` (blocks in a frame), `catalog` or `hybrid`.

    Returns:
        The text, empty if nothing fits or there is nothing, and its items. The same thing is not told twice, and
        what asks stands behind what states (`in_context_order`).

    Raises:
        InvalidInput: The mode is unknown or the budget is not positive.
    """
    if mode not in MODES:
        raise InvalidInput(f"unknown mode {shown(mode)}; use one of {', '.join(MODES)}")
    if max_tokens <= 0:
        raise InvalidInput(f"max_tokens must be positive, got {max_tokens}")
    told = in_context_order(hits, form.question, form.now)
    match mode:
        case "context":
            return _context(told, pinned, max_tokens, form)
        case "inject":
            return _inject(told, max_tokens, form)
        case "catalog":
            return _catalog(told[:CATALOG_K], max_tokens, form.now)
        case _:
            return _hybrid(told, max_tokens, form)


def least_budget(told: Callable[[int], str], max_tokens: int) -> int | None:
    """Tokens from which on a text tells anything; None where no budget is enough.

    Args:
        told: The text within a budget; one that tells something within less does so within more.
        max_tokens: A budget within which it is empty.
    """
    few, enough = max_tokens, 2 * max_tokens
    while not told(enough):
        if enough > _MOST_TOKENS:
            return None
        few, enough = enough, 2 * enough
    between = range(few + 1, enough)
    return few + 1 + bisect_left(between, True, key=lambda tokens: bool(told(tokens)))


def unfitting(max_tokens: int, least: int) -> str:
    """The hint that what was found does not fit."""
    return f"what was found does not fit into {max_tokens} tokens; {least} are enough for some of it"


def core_profile(
    pinned: Sequence[Item], max_tokens: int = PROFILE_TOKENS, *, now: int
) -> tuple[str, tuple[Item, ...]]:
    """The core profile by itself, for a system prompt.

    Args:
        pinned: Most important first; what does not fit is left out, and what is shorter may follow.
    """
    entries = [_entry(item, PromptForm(now=now)) for item in _once(pinned, set())]
    # Each stands by itself here: none is laid below the turn before it and shares its date.
    chosen = _fitting([entry._replace(below=entry.text) for entry in entries], max_tokens)
    return "\n".join(entry.text for entry in chosen), _items(chosen)


def _once(items: Iterable[Item], told: set[str]) -> list[Item]:
    """Items that say what was not told yet; it is told then."""
    return [item for item in items if _is_new(item.content, told)]


def _is_new(text: str, told: set[str]) -> bool:
    said = plain(text)
    if said in told:
        return False
    told.add(said)
    return True


# Blocks and catalogs


def _inject(hits: Sequence[Hit], max_tokens: int, form: PromptForm) -> tuple[str, tuple[Item, ...]]:
    spent = _FRAME_TOKENS
    blocks: list[str] = []
    items: list[Item] = []
    for hit in hits:
        text = block(hit.item, form.now, notes_on(hit))
        cost = line_cost(text, max_tokens - spent)
        if spent + cost > max_tokens and hit.excerpt:
            text = block(replace(hit.item, content=hit.excerpt), form.now, notes_on(hit))
            cost = line_cost(text, max_tokens - spent)
        if spent + cost > max_tokens:
            continue  # One long turn must not keep out the short ones behind it.
        spent += cost
        blocks.append(text)
        items.append(hit.item)
    return (framed(blocks, form.keyed) if blocks else "", tuple(items))


def _catalog(hits: Sequence[Hit], max_tokens: int, now: int | None) -> tuple[str, tuple[Item, ...]]:
    entries = [catalog_entry(hit, now) for hit in hits]
    # Each entry adds tokens: as many as fit are found by halves.
    sizes = range(1, len(hits) + 1)
    size = bisect_right(sizes, max_tokens, key=lambda size: count_tokens(catalog(entries[:size])))
    return (catalog(entries[:size]), tuple(hit.item for hit in hits[:size])) if size else ("", ())


def _hybrid(hits: Sequence[Hit], max_tokens: int, form: PromptForm) -> tuple[str, tuple[Item, ...]]:
    full, shown = _inject(hits[:_HYBRID_FULL], max_tokens, form)
    rest = [hit for hit in hits if hit.item not in shown][:CATALOG_K]
    left = max_tokens - count_tokens(full) - _LINE_BREAK
    listed, named = _catalog(rest, left, form.now) if rest else ("", ())
    return "\n".join(part for part in (full, listed) if part), shown + named


# Contexts


class _PromptEntry(NamedTuple):
    """An item, or what is known of an entity, as a section tells it.

    Attributes:
        text: Its line.
        below: Its line where the turn before it stands above and was said on the same day.
        day: When it happened; empty for an entity.
        states: Whether the item states anything.
        short: Its line with an excerpt in the place of a long content; empty where there is none.
    """

    text: str
    below: str
    day: str
    item: Item | None
    states: bool
    short: str = ""


class _TurnPlace(NamedTuple):
    """Place of a turn."""

    scope: str
    session_id: str
    number: int

    def moved(self, by: int) -> _TurnPlace:
        """The place so many turns further on."""
        return self._replace(number=self.number + by)


def _context(
    hits: Sequence[Hit], pinned: Sequence[Item], max_tokens: int, form: PromptForm
) -> tuple[str, tuple[Item, ...]]:
    shares = _SHARES_COMPLEX if form.is_complex else _SHARES
    known = _sections(hits, pinned, shares["Profiles"] * max_tokens, form)
    written: dict[str, _Section] = {}
    left = 0.0
    for name, share in shares.items():
        left += share * max_tokens
        written[name] = section = _Section.of(name, known[name], left)
        left -= section.tokens
    # What the last sections leave goes to the first: a store of facts alone may fill the whole budget.
    for name in shares:
        room = left + written[name].tokens
        written[name] = section = _Section.of(name, known[name], room)
        left = room - section.tokens
    told = [section for section in written.values() if section.entries]
    return "\n\n".join(section.text for section in told), tuple(
        item for section in told for item in _items(section.entries)
    )


class _Section(NamedTuple):
    """A heading with lines below it, and the tokens of that with what parts it from the next."""

    text: str
    entries: Sequence[_PromptEntry]
    tokens: int

    @classmethod
    def of(cls, name: str, known: Sequence[_PromptEntry], room: float) -> _Section:
        """Section of the entries that fit into so many tokens; nothing if none does."""
        heading = f"## {name}"
        chosen = _fitting(known, room - count_tokens(heading) - 2 * _LINE_BREAK)
        while chosen:
            laid = _by_time(chosen) if name == "Timeline" else _snippets(chosen)
            text = "\n".join([heading, *(entry.text for entry in laid)])
            tokens = count_tokens(text) + 2 * _LINE_BREAK
            if tokens <= room:
                return cls(text, laid, tokens)
            chosen = chosen[:-1]  # Turns that were to share a date are apart after all.
        return cls("", (), 0)


def _sections(
    hits: Sequence[Hit], pinned: Sequence[Item], sure: float, form: PromptForm
) -> Mapping[str, list[_PromptEntry]]:
    """Entries that each section may hold, best first; no text twice among all of them.

    Args:
        sure: Tokens that the profiles have whatever else is told.
    """
    core = _fitting([_entry(item, form) for item in _once(pinned, set())], PROFILE_TOKENS)
    # A pinned item that may find no room there can still be a fact that answers.
    certain = _fitting(core, sure - count_tokens("## Profiles") - 2 * _LINE_BREAK)
    told = {plain(item.content) for item in _items(certain)}
    known: dict[str, list[_PromptEntry]] = {name: [] for name in _SHARES} | {"Profiles": certain}
    for profile in form.profiles:
        if _is_new(profile.summary, told):
            text = summary(*profile)
            known["Profiles"].append(_PromptEntry(text, text, "", None, states=False))
    by_id = {hit.item.id: hit for hit in hits}
    for item in _once([hit.item for hit in hits], told):
        entry = _entry(item, form, by_id[item.id])
        known[_SECTIONS.get(item.type, "Facts") if entry.states else "Evidence"].append(entry)
    known["Profiles"] += [entry for entry in core if entry.item and _is_new(entry.item.content, told)]
    return known


def _entry(item: Item, form: PromptForm, hit: Hit | None = None) -> _PromptEntry:
    notes, excerpt = ((), "") if hit is None else (notes_on(hit), hit.excerpt)
    text = line(item, ids=form.ids, now=form.now, notes=notes)
    short = line(replace(item, content=excerpt), ids=form.ids, now=form.now, notes=notes) if excerpt else ""
    return _PromptEntry(text, reply(text), day(item), item, states(item), short)


def _items(entries: Iterable[_PromptEntry]) -> tuple[Item, ...]:
    return tuple(entry.item for entry in entries if entry.item is not None)


def line_cost(text: str, room: float) -> float:
    """Tokens of a line with its end; of one that does not fit perhaps fewer, yet more than there is room for."""
    # A pasted file would be read to its end to learn that it is too long. What stands before a blank costs there
    # what it costs by itself.
    cut = text.rfind(" ", 0, _LONG_CHARS) if len(text) > _LONG_CHARS else -1
    if cut > 0 and (least := count_tokens(text[:cut])) > room:
        return least
    return count_tokens(text) + _LINE_BREAK


def _fitting(entries: Sequence[_PromptEntry], room: float) -> list[_PromptEntry]:
    """The entries that fit, first come first served; of a long one that does not, its excerpt if that does."""
    chosen: list[_PromptEntry] = []
    days: dict[_TurnPlace, str] = {}
    spent = 0
    for whole in entries:
        entry, place = whole, _place(whole)
        # Turns of one day that follow each other will stand together and share its date.
        shared = place is not None and entry.day in (
            days.get(place.moved(-1)),
            days.get(place.moved(1)),
        )
        cost = line_cost(entry.below if shared else entry.text, room - spent)
        if spent + cost > room and entry.short:
            entry = entry._replace(text=entry.short, below=reply(entry.short))
            cost = line_cost(entry.below if shared else entry.text, room - spent)
        if spent + cost > room:
            continue  # One long turn must not keep out the short ones behind it.
        spent += cost
        chosen.append(entry)
        if place is not None:
            days[place] = entry.day
    return chosen


def _snippets(entries: Sequence[_PromptEntry]) -> list[_PromptEntry]:
    """Turns that follow each other together, oldest first, in the place of the best of them.

    What states nothing stands before a statement only where that is the very next turn, which may need it.
    """
    by_place = {place: entry for entry in entries if (place := _place(entry)) is not None}
    laid: list[_PromptEntry] = []
    for entry in entries:
        place = _place(entry)
        if place is None:
            laid.append(entry)
        elif place in by_place:
            laid += _laid([by_place.pop(at) for at in _run(place, by_place)])
    return laid


def _run(place: _TurnPlace, by_place: Mapping[_TurnPlace, _PromptEntry]) -> list[_TurnPlace]:
    """The places of the turns that stand together with one: of those that state nothing only what leads to a statement.

    Where the one itself states nothing, all that states has found its place before.
    """

    def is_statement(at: _TurnPlace) -> bool:
        return by_place[at].states

    run, any_ = [place], not is_statement(place)
    while (before := run[0].moved(-1)) in by_place and (any_ or is_statement(before) or is_statement(run[0])):
        run.insert(0, before)
    while (behind := run[-1].moved(1)) in by_place:
        if not (any_ or is_statement(behind)):
            if (answer := behind.moved(1)) not in by_place or not is_statement(answer):
                break
            run.append(behind)
            behind = answer
        run.append(behind)
    return run


def _laid(turns: Sequence[_PromptEntry]) -> Iterator[_PromptEntry]:
    """Turns one below the other; a date only where it is another."""
    before = ""
    for turn in turns:
        text = turn.text if not before else turn.below if turn.day == before else f"  {turn.text}"
        yield turn._replace(text=text)
        before = turn.day


def _by_time(entries: Iterable[_PromptEntry]) -> list[_PromptEntry]:
    """By when it happened, oldest first; ties stay in their order."""
    return sorted(entries, key=lambda entry: 0 if entry.item is None else happened_at(entry.item))


def _place(entry: _PromptEntry) -> _TurnPlace | None:
    """Place of a turn; None for what is no turn of a session."""
    item = entry.item
    if item is None or item.type != "episode" or item.session_id is None or item.ordinal is None:
        return None
    return _TurnPlace(str(item.scope), item.session_id, item.ordinal)
