"""Answers to requests that come again, from as much as is kept of the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from simonides import NotFound
from simonides.edges.server.operation import Again, Fields, OperationCall
from simonides.edges.server.problems import HttpProblem


def _verdict(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**answer, "reasons": []}


def _verdicts(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The verdicts, and that there was a session: its name may be purged, and stands with what was said in it."""
    verdicts = [_verdict(verdict) for verdict in answer["verdicts"]]
    return {**answer, "verdicts": verdicts, "session_id": answer["session_id"] is not None}


def _in_their_session(call: OperationCall, given: Fields, kept: Mapping[str, Any]) -> Any:
    name = None
    if kept["session_id"]:
        name = given.given().get("session_id") or _session_of(call, kept["verdicts"])
    return {**kept, "session_id": name}


def _session_of(call: OperationCall, verdicts: Iterable[Mapping[str, Any]]) -> str | None:
    for verdict in verdicts:
        with suppress(NotFound):
            if verdict["item_id"] is not None:
                return call.caller.item(call.memory, verdict["item_id"]).session_id
    return None


def _corrected(answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return None if answer["verdict"] is None else {**answer, "verdict": _verdict(answer["verdict"])}


def _id(answer: Mapping[str, Any]) -> str:
    return answer["id"]


def _meant_id(answer: Mapping[str, Any]) -> str | None:
    return None if answer["item"] is None else answer["item"]["id"]


def _as_it_was(_: OperationCall, __: Fields, kept: Any) -> Any:
    return kept


def _item(call: OperationCall, _: Fields, kept: str) -> Any:
    return call.caller.item(call.memory, kept).to_dict()


def _meant_item(call: OperationCall, given: Fields, kept: str) -> Any:
    return {"item": _item(call, given, kept), "candidates": None}


def done(_: Any) -> bool:
    """Nothing of an answer but that there was one."""
    return True


def _done_if_kept(answer: Mapping[str, Any]) -> bool | None:
    return None if answer["dry_run"] else True


def _already(_: OperationCall, __: Fields, ___: Any) -> Any:
    text = "this request was carried out; its answer is not kept"
    raise HttpProblem(409, "already_done", text)


#: The verdicts as they were, without their reasons, which may quote what was purged since.
VERDICTS: Final = Again(_verdicts, _in_their_session)
VERDICT: Final = Again(_verdict, _as_it_was)
#: The memory as it is now.
ITEM: Final = Again(_id, _item)
COUNTED: Final = Again(_id, _item, counts=True)
#: What words mean may be another memory when they are read again.
MEANT: Final = Again(_meant_id, _meant_item, counts=True)
CORRECTED: Final = Again(_corrected, _as_it_was, counts=True)
#: The answer itself, which quotes nothing.
COUNTS: Final = Again(dict, _as_it_was, counts=True)
#: The answer itself, which quotes nothing; carried out again, it would lead to the same.
NUMBERS: Final = Again(dict, _as_it_was)
#: No more than that it was done.
DONE: Final = Again(done, _already)
#: Likewise, and nothing of what was only tried.
DONE_IF_KEPT: Final = Again(_done_if_kept, _already)
