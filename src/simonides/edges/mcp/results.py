"""Results of calls, as short as a model can work with: what is cut short is read in full by `memory_get`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from mcp_types import CallToolResult, TextContent

from simonides.domain.text import shortened

#: Where an item of the memory is found as a resource.
ITEM_URI: Final = "simonides://item/"
#: Characters of a content in a list.
_SHOWN_CHARS: Final = 400
_LISTS: Final = ("hits", "items", "candidates")
_KEPT: Final = (
    "id", "type", "title", "content", "tags", "event_at", "relevance", "effective_confidence", "act", "status",
    "superseded_by", "superseded_parts", "outdated_by", "truncated",
)  # fmt: skip
#: Words of a search about itself that a model can do nothing with; and those that say something only where they are
#: not empty.
_LEFT_OUT: Final = frozenset({"strategy", "confidence"})
_OFTEN_EMPTY: Final = frozenset({"abstained", "degradations", "hidden", "reasons"})
_NOTHING: Final = "Nothing is known about this."
_TITLE_CHARS: Final = 80


def result(answer: Mapping[str, Any]) -> CallToolResult:
    """The answer of a tool; an error is marked as one, and says what to do."""
    return _text(_json(compact(answer)), is_error="error" in answer)


def context_result(answer: Mapping[str, Any]) -> CallToolResult:
    """The answer of `memory.context`: its text alone, where it has one, else that there is none, or why."""
    if "error" in answer:
        return result(answer)
    missing = "".join(f"\n(degraded: {remark})" for remark in answer["degradations"])
    why = "" if answer["least_tokens"] is None else f"Something is known: {'; '.join(answer['hints'])}."
    return _text((answer["text"] or why or _NOTHING) + missing)


def connector_result(answer: Mapping[str, Any]) -> CallToolResult:
    """A search or an item in the form that connectors want: titles with addresses, or one whole text."""
    if "error" in answer:
        return result(answer)
    if "item" in answer:
        item = answer["item"]
        fields = _named(item) | {
            "text": item["content"],
            "metadata": {"type": item["type"], "event_at": item["event_at"], "tags": item["tags"]},
        }
    else:
        fields = {"results": [_named(hit) | {"text": _cut(hit)["content"]} for hit in answer["hits"]]}
    return CallToolResult(content=[TextContent(text=_json(fields))], structured_content=fields)


def compact(answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer without what its reader does not need, and with long contents of lists cut short."""
    kept = {
        name: value
        for name, value in answer.items()
        if name not in _LEFT_OUT and (value or name not in _OFTEN_EMPTY)
    }
    for name in _LISTS:
        if isinstance(items := answer.get(name), list):
            kept[name] = [_small(item) for item in cast("list[dict[str, Any]]", items)]
    if isinstance(item := answer.get("item"), dict):
        kept["item"] = {
            name: value for name, value in cast("dict[str, Any]", item).items() if value not in ("", [], None)
        }
    return kept


def _small(item: Mapping[str, Any]) -> dict[str, Any]:
    cut = _cut(item)
    kept = {name: cut[name] for name in _KEPT if cut.get(name)}
    if "relevance" in kept:
        kept["relevance"] = round(kept["relevance"], 2)
    return kept or dict(item)


def _cut(item: Mapping[str, Any]) -> dict[str, Any]:
    content = item.get("content")
    if not isinstance(content, str) or len(content) <= _SHOWN_CHARS:
        return dict(item)
    return {**item, "content": shortened(content, _SHOWN_CHARS), "truncated": True}


def _named(item: Mapping[str, Any]) -> dict[str, Any]:
    title = item["title"] or shortened(" ".join(item["content"].split()), _TITLE_CHARS)
    return {"id": item["id"], "title": title, "url": f"{ITEM_URI}{item['id']}"}


def _text(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=is_error)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
