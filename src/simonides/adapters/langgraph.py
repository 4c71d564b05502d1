"""LangGraph: a store of documents on records, and a node that gives a graph what memory knows."""

# pyright: basic, reportMissingImports=false
from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Final, TypedDict, cast

from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from simonides import FoundRecord, Memory, Record
from simonides.adapters.chat import bound
from simonides.domain.record import address
from simonides.errors import InvalidInput

_SWEEP_MINUTES: Final = 5.0

__all__ = ["SimonidesStore", "memory_node"]


class SimonidesStore(BaseStore):
    """A store of LangGraph on the records of a memory: `graph.compile(store=SimonidesStore(memory))`.

    Namespaces are spaces. Every text of a value is found by `search`, unless `index` says otherwise; a search with a
    query never abstains, and what no word finds comes last, without a score. Expired items are always left out.

    Args:
        memory: Where everything is kept. It stays the caller's.
        scope: The one that everything belongs to; `user_id`, `agent_id` and `project` name its parts. Nothing of
            another scope is read or written.
        index: Paths of a value that are indexed where a put does not name its own; False for nothing.
        ttl: As LangGraph's own stores have it: `default_ttl` in minutes, `refresh_on_read`, `sweep_interval_minutes`.
        actor: Who writes. `model`, the default: it is not the user's word, and what a person put, pinned or confirmed
            is not changed. A person (`user`, `api`, `user:ana`) where your own code alone writes what the user said.
    """

    supports_ttl = True

    def __init__(
        self,
        memory: Memory,
        *,
        scope: str | None = None,
        index: Sequence[str] | bool | None = None,
        ttl: TTLConfig | None = None,
        actor: str = "model",
        **whose: str | None,
    ) -> None:
        bound(memory, scope, whose)
        self._records = memory.records
        self._place = {"scope": scope, **whose}
        self._index = index
        self._actor = actor
        self.ttl_config = ttl
        self._stopping = threading.Event()
        self._sweeper: threading.Thread | None = None

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several operations: reads see the state before the puts, of which the last of a key wins.

        Raises:
            InvalidNamespaceError: A namespace is none; nothing was done.
            InvalidInput: A value cannot be stored: it is no JSON, or holds a secret; nothing was written.
            NeedsApproval: A document is a person's, and the store writes as a model; nothing was written.
        """
        given = list(ops)
        puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
        for op in given:
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                if not op.namespace:
                    raise InvalidNamespaceError("Namespace cannot be empty.")
                if op.value is not None or _can_stand(op.namespace, op.key):
                    puts[op.namespace, op.key] = op
        results: list[Result] = [self._result(op) for op in given]
        if puts:
            self._records.put_many(
                [
                    {
                        "space": op.namespace,
                        "key": op.key,
                        "value": op.value,
                        "index": self._index if op.index is None else op.index,
                        "ttl": op.ttl if op.ttl is None or isinstance(op.ttl, bool) else op.ttl * 60,
                    }
                    for op in puts.values()
                ],
                actor=self._actor,
                **cast("Any", self._place),
            )
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Archive what has expired; how many items."""
        return self._records.sweep(**cast("Any", self._place))

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> Future[None]:
        """Sweep again and again in a thread; cancel the future, or call `stop_ttl_sweeper`, to end it."""
        future: Future[None] = Future()
        if self.ttl_config is None:
            future.set_result(None)
            return future
        minutes = sweep_interval_minutes or self.ttl_config.get("sweep_interval_minutes") or _SWEEP_MINUTES
        future.add_done_callback(lambda done: self._stopping.set() if done.cancelled() else None)
        if self._sweeper is not None and self._sweeper.is_alive():
            return future
        self._stopping.clear()

        def sweep() -> None:
            try:
                while not self._stopping.wait(minutes * 60):
                    self.sweep_ttl()
            except Exception as error:  # noqa: BLE001 - the thread's outermost edge: whoever waits gets it
                if not future.cancelled():
                    future.set_exception(error)
            else:
                if not future.cancelled():
                    future.set_result(None)

        self._sweeper = threading.Thread(target=sweep, daemon=True, name="simonides-ttl-sweeper")
        self._sweeper.start()
        return future

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """End the thread that sweeps; True if it has ended."""
        self._stopping.set()
        if self._sweeper is None:
            return True
        self._sweeper.join(timeout)
        return not self._sweeper.is_alive()

    def _result(self, op: Op) -> Result:
        match op:
            case GetOp():
                if not _can_stand(op.namespace, op.key):
                    return None
                record = self._records.get(
                    op.namespace, op.key, refresh=op.refresh_ttl, **cast("Any", self._place)
                )
                return None if record is None else Item(**_fields(record))
            case SearchOp():
                return self._found(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
            case _:
                raise ValueError(f"Unknown operation type: {type(op)}")

    def _found(self, op: SearchOp) -> list[SearchItem]:
        if op.limit < 1:
            return []
        place, first = cast("Any", self._place), max(0, op.offset)
        shared = {"where": op.filter or None, "offset": first, "refresh": op.refresh_ttl}
        if op.query and not op.query.isspace():
            records = self._records.search(op.query, op.namespace_prefix, k=op.limit, **shared, **place)
        else:
            listed = self._records.list(op.namespace_prefix, limit=op.limit, **shared, **place)
            records = [FoundRecord(record, None) for record in listed]
        return [SearchItem(**_fields(one.record), score=one.score) for one in records]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        wanted = op.match_conditions or ()
        known_spaces = self._records.spaces(**cast("Any", self._place))
        spaces = {
            space if op.max_depth is None else space[: op.max_depth]
            for space in known_spaces
            if all(_meets(space, condition) for condition in wanted)
        }
        return sorted(spaces)[op.offset : op.offset + op.limit]


class _Chat(TypedDict):
    messages: Sequence[AnyMessage]


def memory_node(
    memory: Memory, *, scope: str | None = None, **whose: str | None
) -> Callable[[_Chat], dict[str, Any]]:
    """A node that puts what memory knows of the user's last message before the messages of a graph.

    The text is one system message of a fixed id: each time that the node runs it takes the place of the last one.
    """
    bound(memory, scope, whose)

    def remember(state: _Chat) -> dict[str, Any]:
        message = next((one for one in reversed(state["messages"]) if isinstance(one, HumanMessage)), None)
        question = "" if message is None else str(message.text)
        if not question.strip():
            return {}
        known = memory.context(question, mode="inject", scope=scope, **cast("Any", whose))
        if not known.text or known.abstained:
            return {}
        return {"messages": [SystemMessage(known.text, id="simonides-memory")]}

    return remember


def _can_stand(namespace: tuple[str, ...], key: str) -> bool:
    """True if a record can have a key; under any other nothing is found, and nothing is to be deleted."""
    try:
        address(namespace, key)
    except InvalidInput:
        return False
    return True


def _fields(record: Record) -> Mapping[str, Any]:
    return {
        "namespace": record.space,
        "key": record.key,
        "value": record.value,
        "created_at": record.times["created_at"],
        "updated_at": record.times["updated_at"],
    }


def _meets(space: tuple[str, ...], condition: MatchCondition) -> bool:
    """True if a namespace begins, or ends, as a condition says; `*` stands for any one label."""
    path = tuple(condition.path)
    if condition.match_type not in {"prefix", "suffix"}:
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    own = space[: len(path)] if condition.match_type == "prefix" else space[len(space) - len(path) :]
    return len(space) >= len(path) and all(
        label in {"*", held} for label, held in zip(path, own, strict=True)
    )
