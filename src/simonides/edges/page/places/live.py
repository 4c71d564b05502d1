"""Live: what is stored, recalled and put into prompts, as it happens."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

import anyio
from anyio import to_thread

from simonides.domain.instant import SECOND_US, iso
from simonides.domain.records import AuditEvent, Injection
from simonides.domain.run import MAINTAIN
from simonides.edges.page.visit import View, Visit
from simonides.edges.wording import line
from simonides.errors import NotFound, SimonidesError

_SHOWN: Final = 30
#: Events that one look reads; of more that came in a second the rest is told in Audit.
_READ: Final = 100
#: Seconds between two looks, and how many looks there are.
_EVERY_S: Final = 1.0
_LOOKS: Final = 60
#: Digits of a mark, at most.
_MARK_DIGITS: Final = 20
#: Beginning of the actions of runs, and how near to one another they are told as one.
_RUN: Final = "run:"
_TOGETHER_US: Final = 60 * SECOND_US
_WORDS: Final[Mapping[str, str]] = {
    "create": "stored",
    "update": "changed",
    "merge": "merged",
    "correct": "corrected",
    "forget": "forgotten",
    "confirm": "confirmed",
    "restore": "brought back",
    "approve": "approved",
    "reject": "rejected",
    "reinforce": "raised",
    "demote": "lowered",
    "link": "linked",
    "assign": "moved",
    "purge": "purged",
    "promote": "promoted",
    "profile": "pinned",
    "ask": "asked for",
    "propose": "proposed",
    "contest": "contested",
    "consolidation_merge": "merged",
    "event": "told as an event",
    "narrative": "summed up",
    "decay": "faded away",
    "expire": "expired",
    "supersede": "replaced",
    "reopen": "waits again",
    "record": "recorded",
    "extract": "drawn from a talk",
    "maintain": "asked for upkeep",
}


def place(visit: Visit) -> View:
    """List what happened last; the rest comes as it happens."""
    happened = _look(visit, 0, 0)[0][:_SHOWN]
    return View(template="live", shown={"here": "Live", "happened": happened}, data={"happened": happened})


async def stream(visit: Visit, since: str) -> AsyncGenerator[bytes]:
    """Server-sent events, one for each thing that happens from now on, for a minute: then the browser asks anew.

    So a key that was revoked sees nothing any more.

    Args:
        since: Mark of the last event that the browser got, which is its instant; empty for none. How many others
            there were, and when, is in no mark.
    """
    mark = int(since) if since.isascii() and since.isdigit() and len(since) < _MARK_DIGITS else 0
    number, at = await to_thread.run_sync(_place_of, visit, mark)
    yield b"retry: 500\n\n"
    for _ in range(_LOOKS):
        try:
            events, number, at = await to_thread.run_sync(_look, visit, number, at)
        except SimonidesError:  # The next look may be luckier.
            events = []
        messages = [f"data: {json.dumps(one, ensure_ascii=False)}\n\n" for one in reversed(events)]
        mark = max([mark, *(one["us"] for one in events)])
        text = "".join([*messages[:-1], *(f"id: {mark}\n{last}" for last in messages[-1:])])
        if text:
            yield text.encode("utf-8", "replace")
        await anyio.sleep(_EVERY_S)


def _place_of(visit: Visit, mark: int) -> tuple[int, int]:
    """Number and instant of what the browser got last; of what happened last where it got nothing."""
    events, prompts = visit.memory.audit.events(limit=_READ), visit.memory.injections(limit=1)
    newest = events[0].number if events else 0
    if not mark:
        return newest, (prompts[0].at if prompts else 0)
    return min([newest, *(event.number - 1 for event in events if event.at > mark)]), mark


def _look(visit: Visit, number: int, at: int) -> tuple[list[dict[str, Any]], int, int]:
    """Events and prompts after a number and an instant, latest first."""
    events = [event for event in visit.memory.audit.events(limit=_READ) if event.number > number]
    newest = max([number, *(event.number for event in events)])
    runs = [event for event in events if event.action.startswith(_RUN)]
    events = [event for event in events if event not in runs]
    prompts = [prompt for prompt in visit.memory.injections(limit=_READ) if prompt.at > at]
    rows = [_event(visit, event) for event in events if event.scope is None or visit.shows(event.scope)]
    if visit.visitor.unbound:
        rows += _runs(runs)
    else:
        rows = [one for one in rows if one["scope"]]
    rows += [_prompt(prompt) for prompt in prompts if visit.asks(prompt.scope)]
    rows.sort(key=lambda one: one["us"], reverse=True)
    return rows, newest, max([at, *(prompt.at for prompt in prompts)])


def _event(visit: Visit, event: AuditEvent) -> dict[str, Any]:
    text = ""
    if event.item_id is not None:
        try:
            text = line(visit.seen(event.item_id).display, 160)
        except NotFound:
            text = "purged since"
    return {
        "what": _WORDS.get(event.action, event.action.removeprefix("tool:")),
        "who": event.actor,
        "text": text,
        "href": None if event.item_id is None or text == "purged since" else f"/m/{event.item_id}",
        "scope": None if event.scope is None else str(event.scope),
        "at": iso(event.at),
        "us": event.at,
    }


def _runs(events: Sequence[AuditEvent]) -> list[dict[str, Any]]:
    """Runs of upkeep, those that followed one another as one: the last of them, latest first."""
    rows: list[dict[str, Any]] = []
    jobs: list[str] = []
    before: AuditEvent | None = None
    for event in events:
        if before is None or before.at - event.at > _TOGETHER_US:
            run, jobs = event.details.get("run"), []
            rows.append(
                {
                    "what": "upkeep",
                    "who": event.actor,
                    "href": f"/runs/{run}" if run else None,
                    "scope": None,
                    "at": iso(event.at),
                    "us": event.at,
                }
            )
        job = event.action.removeprefix(_RUN)
        if job != MAINTAIN:
            jobs.append(job)
        rows[-1]["text"] = line(", ".join(reversed(jobs)) or MAINTAIN, 160)
        before = event
    return rows


def _prompt(prompt: Injection) -> dict[str, Any]:
    return {
        "what": "put into a prompt",
        "who": prompt.session_id or prompt.mode,
        "text": line(prompt.query, 160),
        "href": f"/prompts/{prompt.id}",
        "scope": prompt.scope,
        "at": iso(prompt.at),
        "us": prompt.at,
    }
