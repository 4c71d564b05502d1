"""The page of docs about tools, made from their table: `python -m simonides.agent.tools > docs/tools.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from simonides.agent.tools.table import TABLE
from simonides.agent.tools.tool import Tool

_ABOUT: Final = """\
# Tools

What a language model may do with a memory, as JSON in and JSON out.

```python
from simonides import Memory
from simonides.agent.tools import Tools

with Memory("memory.db") as memory:
    tools = Tools(memory, scope="user:ana/project:apollo", session_id="s1")
    offered = tools.schemas(dots=False)          # name, description, parameters of each tool
    answer = tools.call("memory_search", '{"query": "when do we ship?"}')
```

* **Names.** `memory.search` and `memory_search` are the same tool. `schemas(dots=False)` gives the second
  form, for APIs that refuse dots.
* **Scope.** The scope that `Tools` was made with binds: every read looks from it, every write goes into it,
  and no field of a call widens it. What cannot be seen from there is `not_found`. What can be seen but belongs
  to a wider scope, which others share, can be read and linked to, not changed (`invalid_scope`). Without a
  bound scope each call may name one in `scope`; if it names none, ids are looked up everywhere, and all else
  is read from and written to `global`.
* **A model's word.** What is written through a tool passes the policy as a proposal and is kept as said by
  the assistant. Nothing that a model calls makes it the user's word, verified, pinned or of high trust.
* **Whose memory it is.** A model changes and forgets by itself what it wrote and no person has approved, confirmed,
  edited or pinned since. What it asks for on any other memory is not done: the answer is `quarantined`, and the
  request waits [for a person](security.md#what-a-model-may-do), who approves it (then it is done) or rejects it.
  Where the user just said what the model writes, or asked to forget it, it is done at once. Quarantined memories can
  be read by id, not changed. Nothing can be deleted; `memory.forget` archives. What only people decide on has
  [tools of its own](mcp.md#tools-of-people), for clients of MCP that ask their user.
* **What to tell the user.** An answer that says `quarantined` has a `say`: what the model should tell the user.
* **The user's turn.** A program that records no turns passes along the one that the call follows,
  `tools.call(name, arguments, user_said="Remember that I am vegetarian.")`: what it says of the user is then borne
  out, as if the session held it. A client that shows its user each call and asks first says so once,
  `Tools(memory, trust_client=True)`: what is written or changed by such a call is the user's word (`user-confirmed`).
* **Items** in answers have `id`, `type`, `tier`, `title`, `content`, `tags`, `scope`, `confidence` and
  `event_at`; with `score`, `relevance` or the like where there is one, and `status` and `superseded_by` where
  they are not active; a turn of which some was replaced has `superseded_parts`: what it states that holds no more, with
  the id of what holds instead; a hit that a later one seems to answer otherwise has `outdated_by`, the id of that. In
  lists a content of over 3000 characters is cut, among hits to what matches best, and marked `truncated`.
* **Errors** are answers: `{"error": {"code": …, "message": …}}`, with `fields` where the code is
  `invalid_arguments`. Further codes: `unknown_tool`, `internal`, and those of the library, such as
  `not_found`, `invalid_scope`, `invalid_input` and `conflict`. Nothing is raised for bad input.
* **Arguments** are an object or its JSON text, at most 64 KB and 64 levels. Unknown fields are errors; null
  means not given. Names that models know from other memories are taken, too: `items`, `item_id`, `src_id`, `dst_id`,
  `text`, `limit` for `k`, `id` or `query` for a `target`, `question` for a `query`, fields in a `patch`, a `path`
  such as `domain/room/shelf`.
* **Rate.** A caller may make 90 calls at once and 60 a minute in the long run; beyond that the answer is
  `rate_limited` and says when to try again ([amounts](security.md#amounts)). A caller is what `Tools(…, caller=…)`
  names, such as a credential, else the bound scope; another session is no other caller.
* **Audit.** Every call leaves an event `tool:<name>` with a keyed hash of its arguments, never their text.

Every tool also takes `scope`, where to look or to write. Fields marked * are required.

| tool | what it does | fields |
|---|---|---|
"""


def reference() -> str:
    """The page, in Markdown."""
    return _ABOUT + "".join(f"| {' | '.join(_row(tool))} |\n" for tool in TABLE)


def _row(tool: Tool[Any]) -> tuple[str, str, str]:
    aliases = "".join(f" (also `{alias}`)" for alias in tool.aliases)
    fields = "<br>".join(line for line in _fields(tool.parameters()) if not line.startswith("`scope`"))
    return f"`{tool.name}`{aliases}", tool.description, fields or "–"


def _fields(parameters: Mapping[str, Any]) -> Iterator[str]:
    for name, field in parameters["properties"].items():
        mark = "*" if name in parameters.get("required", ()) else ""
        yield f"`{name}`{mark}: {_kind(field)}{_sentence(field)}"
        if "properties" in field.get("items", {}):
            inner = field["items"]
            yield from (f"· {line}" for line in _fields(inner))


def _kind(field: Mapping[str, Any]) -> str:
    """The type of a field in words, with its bounds and default."""
    inner = field.get("items", {})
    kind = f"list of {inner['type']}s" if "type" in inner else str(field["type"])
    options = field.get("enum") or inner.get("enum")
    if options:
        kind += f" ({', '.join(options)})"
    if "minimum" in field:
        kind += f" from {field['minimum']} to {field['maximum']}"
    if "default" in field:
        kind += f", {str(field['default']).lower()} if left out"
    return kind


def _sentence(field: Mapping[str, Any]) -> str:
    return f". {field['description']}" if "description" in field else ""
