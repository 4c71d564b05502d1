"""The dispatcher: a name and arguments in, JSON out, and nothing raised to whoever speaks for a model."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final

from simonides.agent.tools.arguments import InvalidArguments, parse, read
from simonides.agent.tools.call_context import Context, require_memory
from simonides.agent.tools.fields import beside
from simonides.agent.tools.table import ADMIN, BY_NAME, EVERY, TABLE
from simonides.agent.tools.tool import Tool
from simonides.by_hand import for_store
from simonides.domain.actor import is_person, valid_actor
from simonides.domain.flag import flag
from simonides.domain.ids import is_id
from simonides.domain.item import canonical_json
from simonides.domain.reach import reaching
from simonides.domain.records import AuditEvent
from simonides.domain.scope import GLOBAL, Scope
from simonides.errors import InvalidInput, InvalidScope, InvalidText, RateLimited, SimonidesError
from simonides.memory import Memory
from simonides.texts import redacted

_log = logging.getLogger(__name__)
#: Tools that are called otherwise than the verb that they are.
_OF_VERBS: Final = {"runs.list": "memory.upkeep.list", "get": "memory.read", "add": "memory.write"}


class Tools:
    """Tools: everything that a model may do with a memory.

    Args:
        memory: What the tools work on.
        scope: Binds every call: reads look from it, writes go into it, and no field of a call widens it.
            None lets each call name its scope.
        session_id: The conversation that the calls belong to; it is kept as the source of what is written.
        actor: Who calls, for the audit log: a model, never a person.
        caller: Whose calls and proposals are counted together, such as the name of a credential; the bound scope
            if nothing is said, and `global` without one. No name of a session makes a caller another one.
        trust_client: The client shows its user every call and makes it only where the user agrees, as clients of
            MCP do that ask each time. Then what is written or changed is the user's word.
        offered: Names by which a client calls the tools that are offered to it, by those of here; None where it calls
            all of them so.
        admin: Whether there are also tools for what only a person decides: reviews, upkeep, purges. Each that
            changes something is done only where the user agrees to that very call.

    Raises:
        InvalidScope: The scope is none.
        InvalidInput: The actor is a person.

    What is written is a model's word: it passes the policy as such, and no field can make it more. What a model asks
    for on a memory that is not its own waits for a person. Without `admin` nothing can be deleted, only archived.
    Safe to use from several threads.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        scope: str | None = None,
        session_id: str | None = None,
        actor: str = "model",
        caller: str | None = None,
        trust_client: bool = False,
        admin: bool = False,
        store_options: Sequence[str] = (),
        offered: Mapping[str, str] | None = None,
    ) -> None:
        require_memory(memory)
        self._store_options = store_options
        self._offered = offered
        if is_person(valid_actor(actor)):
            raise InvalidInput(f"tools are called by a model; {actor!r} would be a person")
        bound = None if scope is None else Scope(scope)
        self._table, self._by_name = ((*TABLE, *ADMIN), EVERY) if flag(admin, "admin") else (TABLE, BY_NAME)
        self._context = Context(
            memory,
            bound,
            session_id,
            actor,
            str(bound or GLOBAL) if caller is None else caller,
            trust_client=flag(trust_client, "trust_client"),
        )

    def names(self) -> list[str]:
        """The tools, in the order of `schemas`."""
        return [tool.name for tool in self._table]

    def schemas(self, *, dots: bool = True) -> list[dict[str, Any]]:
        """Descriptions of the tools for a model: name, description, and JSON Schema of the parameters.

        Args:
            dots: Names as `memory.search`; False gives `memory_search`, for APIs that refuse dots.

        Returns:
            Always in the same order. A bound scope is not offered as a field.
        """
        dotted = flag(dots, "dots")
        return [schema(tool, dots=dotted, bound=self._context.bound is not None) for tool in self._table]

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str = "",
        *,
        user_said: str | None = None,
        confirmed: bool = False,
    ) -> dict[str, Any]:
        """Do what a model asks for.

        Args:
            name: Of a tool; an alias or underscores for dots will do.
            arguments: An object, or its JSON text of at most 64 KB and 64 levels.
            user_said: The user's turn that the call follows, from a client that records no turns: what the user
                says in it bears out what the model writes or asks for. It is not stored.
            confirmed: The user was shown this very call, and agreed: what it writes or changes is their word.

        Returns:
            The tool's answer, fit for JSON; or `{"error": {"code", "message"}}`, with `fields` where
            arguments are invalid. Bad input never raises.

        Guarantees:
            Each call leaves one event in the audit log, with a keyed hash of the arguments. Calls that are refused
            because there are too many leave one a minute, which says how many.
        """
        tool = self._by_name.get(name.replace("_", ".")) if isinstance(name, str) else None
        given: dict[str, Any] = {}
        refused = 0
        try:
            self._context.memory.admit(self._context.caller)
            if tool is None:
                answer = _error(
                    "unknown_tool", f"there is no such tool; use one of {', '.join(self.names())}"
                )
            else:
                given = read(arguments)
                trusted = self._context.trust_client or flag(confirmed, "confirmed")
                context = replace(self._context, user_said=user_said, trust_client=trusted)
                with nullcontext() if context.bound is None else reaching(context.bound.__eq__):
                    offered = tool.input.model_fields.keys() - ({"scope"} if context.bound else set[str]())
                    answer = tool.run(context, parse(tool.input, given, offered))
        except RateLimited as error:
            answer = self._refusal(error)
            if not error.unnoted:
                return answer
            refused = error.unnoted
        except SimonidesError as error:
            answer = self._refusal(error)
        except Exception:  # noqa: BLE001 - the outermost edge: the model gets an answer, the log the error
            _log.exception("the tool %s failed", tool.name if tool else "")
            answer = _error("internal", "the tool failed; nothing is wrong with the arguments")
        for words, field in ((answer, "say"), (answer.get("error") or {}, "message")):
            if isinstance(text := words.get(field), str):
                words[field] = for_store(text, self._store_options)
        shown = given if given or not isinstance(arguments, str) else arguments
        self._audit(tool, given, _storable(shown), answer, refused)
        return answer

    def _refusal(self, error: SimonidesError) -> dict[str, Any]:
        fields = error.fields if isinstance(error, InvalidArguments) else {}
        return _error(error.code, error.worded(self._name_of), **({"fields": fields} if fields else {}))

    def _name_of(self, verb: str) -> str | None:
        """The tool that a verb of `Memory` is, as the client calls it; None where it is not offered."""
        tool = _OF_VERBS.get(verb, f"memory.{verb}")
        if self._offered is not None:
            return self._offered.get(tool)
        return tool if tool in self._by_name else None

    def _audit(
        self,
        tool: Tool[Any] | None,
        given: Mapping[str, Any],
        shown: str,
        answer: Mapping[str, Any],
        refused: int,
    ) -> None:
        """Note the call. That it cannot be noted does not undo it: the answer stays what it is."""
        error = answer.get("error")
        scope = self._context.bound or _scope_named(given)
        if scope is not None and redacted(str(scope)) != str(scope):
            scope = None  # No name to keep; the call is noted all the same.
        event = AuditEvent(
            action=f"tool:{tool.name}" if tool else "tool:unknown",
            at=0,
            item_id=_item_concerned(given, answer),
            scope=scope,
            actor=self._context.actor,
            details=({"ok": True} if error is None else {"ok": False, "error": error["code"]})
            | ({"refused": refused} if refused else {}),
        )
        try:
            self._context.memory.audit.record(event, shown)
        except Exception:  # noqa: BLE001 - the same edge
            _log.warning("a call of %s could not be noted in the audit log", event.action, exc_info=True)


def schema(
    tool: Tool[Any],
    *,
    dots: bool,
    bound: bool,
    name: str | None = None,
    fields: Collection[str] | None = None,
) -> dict[str, Any]:
    """Description of a tool for a model.

    Args:
        dots: Its name as `memory.search`; else `memory_search`.
        bound: Leave out the field `scope`.
        name: Which of its names, with dots; None for the first.
        fields: Those that are offered, beside `scope`; None for all. A call may give the others all the same.
    """
    parameters = tool.parameters()
    if bound:
        parameters["properties"].pop("scope")
    if fields is not None:
        offered = {field: of for field, of in parameters["properties"].items() if field in {*fields, "scope"}}
        parameters["properties"] = offered
    name = tool.name if name is None else name
    return {
        "name": name if dots else name.replace(".", "_"),
        "description": tool.description,
        "parameters": parameters,
    }


def _error(code: str, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


def _storable(arguments: dict[str, Any] | str) -> str:
    """Arguments as a text that any store can hold, never blank, so that the call is noted whatever they are."""
    return canonical_json(arguments).encode("utf-8", "backslashreplace").decode()


def _item_concerned(given: Mapping[str, Any], answer: Mapping[str, Any]) -> str | None:
    """An id that the call names or answers with. Other text does not get into the log this way."""
    named = (given.get("id"), given.get("target"), given.get("src"), answer.get("item_id"))
    return next((value for value in named if isinstance(value, str) and is_id(value)), None)


def _scope_named(given: Mapping[str, Any]) -> Scope | None:
    try:
        return Scope(beside(str(given["scope"]))) if given.get("scope") else None
    except (InvalidScope, InvalidText):
        return None
