"""Changes that are made where a memory stands, each with its way back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl, urlsplit

from simonides.domain.item import Item
from simonides.domain.verdict import Outcome, Verdict
from simonides.edges.page.notices import CARRIED, notice_of
from simonides.edges.page.rows import row_of
from simonides.edges.page.visit import REVIEWER, WRITER, Elsewhere, NotAllowed, View, Visit, address
from simonides.errors import Conflict, InvalidInput, NotFound
from simonides.sample import load_sample

#: Scope of the sample conversation.
SAMPLE: Final = "project:marrow-hill"
#: A path of this page.
_PATH: Final = re.compile(r"/(?!/)[\w.~%/-]*", re.ASCII)
_REINFORCED_BY: Final = 3.0
_DEMOTED_BY: Final = 1.0
#: Bounds of what is true, by the fields that bring them back.
_BOUNDS: Final = {"since": "valid_from", "until": "valid_until"}
#: Changes of a run that are looked at; one of more is taken back by a key of the whole store alone.
_CHANGES: Final = 10_000


class Done(NamedTuple):
    """Outcome of an action.

    Attributes:
        item_id: The item that stands in the place now.
        carried: What its undo needs to know.
    """

    verb: str
    item_id: str
    carried: Mapping[str, str] = {}


Act: TypeAlias = Callable[[Visit, Item], Done]


def act(visit: Visit) -> View | Elsewhere:
    """Do what the path says with the item that it names."""
    verb = visit.names["verb"]
    if verb not in _ACTS:
        raise NotFound(f"there is nothing called {verb!r} that can be done with a memory")
    role, acted = _ACTS[verb]
    item = visit.own(visit.names["id"], role)
    _require_as_shown(visit, item)
    made = acted(visit, item)
    if visit.in_place:
        after = visit.memory.get(made.item_id)
        notice = notice_of(made.verb, after.id, made.carried)
        return View(template="part_row", shown={"row": row_of(after, visit, notice=notice)})
    return Elsewhere(path=_back(visit, made))


def _require_as_shown(visit: Visit, item: Item) -> None:
    """Raise Conflict where the form stood beside an item as it is no longer."""
    shown = visit.form.get("as_of", "")
    if shown and shown != str(item.updated_at):
        raise Conflict(
            "this memory was changed by somebody since the page was loaded; load it again to see what it says "
            "now, then repeat; nothing was changed"
        )


def _back(visit: Visit, made: Done) -> str:
    """The address that the form came from, with what was done; never one of another server."""
    parts = urlsplit(visit.form.get("back", ""))
    path = parts.path if _PATH.fullmatch(parts.path) else f"/m/{made.item_id}"
    if path.startswith("/m/") and made.item_id not in path:
        path = f"/m/{made.item_id}"
    carried = {"done", "on", *CARRIED}
    kept = {name: value for name, value in parse_qsl(parts.query) if name not in carried}
    where = address(path, **kept, done=made.verb, on=made.item_id, **made.carried)
    return where if path.startswith("/m/") else f"{where}#m-{made.item_id}"


def _reinforce(visit: Visit, item: Item) -> Done:
    visit.memory.reinforce(item.id, _REINFORCED_BY, actor=visit.visitor.actor)
    return Done("reinforce", item.id)


def _demote(visit: Visit, item: Item) -> Done:
    visit.memory.demote(item.id, -_DEMOTED_BY, actor=visit.visitor.actor)
    return Done("demote", item.id)


def _pin(visit: Visit, item: Item) -> Done:
    return _pinned(visit, item, pinned=True)


def _unpin(visit: Visit, item: Item) -> Done:
    return _pinned(visit, item, pinned=False)


def _pinned(visit: Visit, item: Item, *, pinned: bool) -> Done:
    _require_stored(visit.memory.update(item.id, actor=visit.visitor.actor, pinned=pinned))
    return Done("pin" if pinned else "unpin", item.id)


def _confirm(visit: Visit, item: Item) -> Done:
    visit.memory.confirm(item.id, actor=visit.visitor.actor)
    return Done("confirm", item.id, resolution(visit, item.id))


def _correct(visit: Visit, item: Item) -> Done:
    content = visit.form.get("content", "").strip()
    if not content:
        raise InvalidInput("write what it should say instead; nothing was changed")
    verdict = visit.memory.correct(item.id, content, actor=visit.visitor.actor)
    assert isinstance(verdict, Verdict)  # Words are not looked for: it was named by its id.
    _require_stored(verdict)
    if verdict.item_id in (None, item.id):
        raise Conflict("it says this already; nothing was changed")
    # Where another memory says it already, that one stays whatever becomes of the correction.
    was = {"was": item.id} if verdict.outcome is Outcome.ACCEPTED else {}
    return Done("correct", verdict.item_id, was)


def resolution(visit: Visit, item_id: str) -> dict[str, str]:
    """The run that ended what contradicted a memory which was just confirmed, for an undo; nothing where none did."""
    at = visit.memory.get(item_id).updated_at
    for run in visit.memory.runs.list(job="resolve", limit=3):
        if run.started_at >= at:
            return {"run": run.id}
    return {}


def _forget(visit: Visit, item: Item) -> Done:
    visit.memory.forget(item.id, actor=visit.visitor.actor)
    run = _retraction(visit, item)
    return Done("forget", item.id, {} if run is None else {"run": run})


def _retraction(visit: Visit, item: Item) -> str | None:
    """The run that dealt with what was made from a forgotten item; None where nothing was."""
    at = visit.memory.get(item.id).updated_at
    for run in visit.memory.runs.list(job="retract", limit=5):
        if run.trigger == "forget" and run.started_at >= at:
            return run.id
    return None


def _restore(visit: Visit, item: Item) -> Done:
    verdict = visit.memory.restore(item.id, actor=visit.visitor.actor)
    return Done("restore", verdict.item_id or item.id)


def _undo(visit: Visit, item: Item) -> Done:
    """Take back what was done last; what stands in the place then is the item as it was."""
    of, actor, memory = visit.form.get("of", ""), visit.visitor.actor, visit.memory
    match of:
        case "reinforce":
            memory.demote(item.id, -_REINFORCED_BY, actor=actor)
        case "demote":
            # Not `reinforce`: that would say that it was of use just now.
            memory.demote(item.id, _DEMOTED_BY, actor=actor)
        case "pin" | "unpin":
            _pinned(visit, item, pinned=of == "unpin")
        case "forget":
            run = visit.form.get("run")
            if run:
                _require_own_run(visit, run)
                memory.undo(run, actor=actor)
            memory.restore(item.id, actor=actor)
        case "confirm" | "keep":
            if of == "keep":
                visit.require(REVIEWER)
            if run := visit.form.get("run"):
                _require_own_run(visit, run)
                memory.undo(run, actor=actor)
            memory.review.reopen(item.id, actor=actor)
        case "approve" | "reject" | "trust":
            visit.require(REVIEWER)
            memory.review.reopen(item.id, actor=actor)
        case "edit":
            visit.require(REVIEWER)
            proposal = visit.own(visit.form.get("was", ""))
            memory.review.reopen(proposal.id, actor=actor)
            memory.forget(item.id, keep_derived=True, actor=actor)
        case "both":
            visit.require(REVIEWER)
            older = visit.own(visit.form.get("was", ""))
            for one, field in ((item, "since"), (older, "until")):
                changes = {_BOUNDS[field]: visit.form.get(field) or None}
                _require_stored(memory.update(one.id, actor=actor, **changes))
        case "restore":
            memory.forget(item.id, keep_derived=True, actor=actor)
        case "correct":
            former = visit.own(visit.form.get("was", ""))
            if former.superseded_by != item.id:
                raise Conflict("the former sentence was not replaced by this one; nothing was changed")
            memory.forget(item.id, keep_derived=True, actor=actor)
            memory.restore(former.id, actor=actor)
            return Done("undone", former.id)
        case "move":
            memory.palace.assign(
                item.id,
                domain=visit.form.get("domain"),
                room=visit.form.get("room", ""),
                shelf=visit.form.get("shelf"),
                actor=actor,
            )
        case _:
            raise InvalidInput("there is no way back from this here; its history tells what it said before")
    return Done("undone", item.id)


def _require_own_run(visit: Visit, run_id: str) -> None:
    """See that a run came of a decision, and that the visitor may change all that it changed."""
    run = visit.memory.runs.show(run_id, limit=_CHANGES)
    if run.job not in {"retract", "resolve"}:
        raise Conflict("this run is none of a decision; see Runs")
    if len(run.changes) == _CHANGES:
        visit.require_whole()
    changed = [id_ for change in run.changes for id_ in (change.item_id, change.other_id)]
    for item_id in dict.fromkeys(id_ for id_ in changed if id_ is not None):
        visit.own(item_id)


def _require_stored(verdict: Verdict) -> None:
    if not verdict.stored or verdict.outcome is Outcome.REJECTED:
        raise Conflict(f"it was not changed: {'; '.join(verdict.reasons)}")


_ACTS: Final[Mapping[str, tuple[str, Act]]] = {
    "reinforce": (WRITER, _reinforce),
    "demote": (WRITER, _demote),
    "pin": (WRITER, _pin),
    "unpin": (WRITER, _unpin),
    "confirm": (WRITER, _confirm),
    "correct": (WRITER, _correct),
    "forget": (WRITER, _forget),
    "restore": (WRITER, _restore),
    "undo": (WRITER, _undo),
}


def may_load(visit: Visit) -> bool:
    """True if the visitor may load the sample conversation."""
    return visit.may(WRITER) and (visit.visitor.unbound or visit.visitor.holds(SAMPLE))


def sample(visit: Visit) -> Elsewhere:
    """Load the sample conversation, and ask its first question."""
    visit.require(WRITER)
    if not may_load(visit):
        raise NotAllowed(f"the sample belongs to {SAMPLE}, and this key is for {visit.visitor.scope}")
    world = load_sample()
    for session in world.sessions:
        messages = [turn.to_message() for turn in session.turns]
        visit.memory.add(messages, scope=SAMPLE, session_id=session.id, actor=visit.visitor.actor)
    visit.memory.extract(scope=SAMPLE)
    return Elsewhere(path=address("/", q=world.questions[0].text, scope=SAMPLE))
