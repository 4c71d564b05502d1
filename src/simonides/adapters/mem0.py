"""mem0's verbs and answers on a memory: `from simonides.adapters.mem0 import Memory` for `from mem0 import Memory`."""

from __future__ import annotations

import hashlib
import logging
import operator
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Self, TypeVar, cast

import simonides
from simonides import ALL, Item, NotFound, Outcome, Scope, Status, Verdict
from simonides.adapters.chat import Awaiting, awaited, time_of
from simonides.agent.tools.call_context import require_memory
from simonides.domain.actor import is_person, valid_actor
from simonides.domain.closing import Closing
from simonides.domain.instant import instant_as_written
from simonides.errors import NeedsApproval
from simonides.texts import users_among

T = TypeVar("T")
_log = logging.getLogger(__name__)
_IDENTITY: Final = ("user_id", "agent_id", "run_id")
#: Parts of a scope by mem0's names; a run is no scope of its own.
_PARTS: Final = {"user_id": "user", "agent_id": "agent"}
#: Marks metadata that came with what they are of, but behind it: mem0 tells of one addition.
_ADDED_WITH: Final = "added_with"
#: Metadata that are no caller's.
_INTERNAL: Final = (_ADDED_WITH, "made_by", "worded_by", "sender")
#: Names of metadata that mem0 answers beside the others.
#: A role is kept under another name: `"role": "assistant"` in a memory is what the policy takes for a forged turn.
_PROMOTED: Final = {"run_id": "run_id", "actor_id": "actor_id", "role": "speaker"}
#: What is no memory of mem0's: turns as they were said, pieces of documents, values of programs.
_HIDDEN: Final = frozenset({"episode", "chunk", "record"})
#: Roles of the user; whoever else speaks says nothing by the user's word.
_USER: Final = frozenset({"user", "human"})
_MODELS: Final = {"assistant": "model", "ai": "model", "model": "model"}
_CONFIGURATION: Final = frozenset({"system", "developer"})
_PAGE: Final = 500
_MOST_HITS: Final = 1000
_UNSET: Final = object()

__all__ = ["AsyncMemory", "Memory"]


class Memory(Closing):
    """mem0's `Memory`, on Simonides.

    What belongs to a user, or an agent, has a scope of its own; a `run_id` is a conversation in it. With `infer` the
    messages are recorded as turns, and what they state is extracted, by the memory's model where it has one; where
    nothing is extracted, what the user said is kept as it was said. Where the actor is a model, all messages are its
    proposals, whatever roles it gives them. What is refused, a secret say, is named in
    `refused` beside `results`. What is deleted goes to the archive; `reset` removes it.

    Args:
        memory: Where everything is kept, which stays the caller's; None opens the user's own.
        scope: The one within which all users and agents are; what lies outside of it is out of sight.
        actor: Who adds, changes and deletes. `api`, the default: your program does, for its user. A model (`model`)
            where a model decides about it, as by tools: what it adds is its own word, and what a person said, pinned or
            confirmed stays.
    """

    def __init__(
        self, memory: simonides.Memory | None = None, *, scope: str | None = None, actor: str = "api"
    ) -> None:
        if memory is not None:
            require_memory(memory)
        self._own = memory is None
        self._memory = simonides.Memory() if memory is None else memory
        self._scope = Scope(scope or "global")
        self._actor = valid_actor(actor)
        self._types = sorted(set(self._memory.settings.taxonomy.specs) - _HIDDEN)

    @classmethod
    def from_config(cls, config_dict: Mapping[str, Any]) -> Self:
        """A memory with the user's own settings. Those of mem0 mean nothing here, and the log says so."""
        if config_dict:
            _log.warning(
                "left out of mem0's configuration: %s; see simonides.toml", ", ".join(sorted(config_dict))
            )
        return cls()

    def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: date | str | None = None,
        infer: bool = True,
        timestamp: Any = None,
        **_: Any,
    ) -> dict[str, Any]:
        """Remember messages; `{"results": [{"id", "memory", "event": "ADD"}]}` of what is new.

        Args:
            timestamp: When the messages were said that have no time of their own (`timestamp`, `created_at`, `at`).

        Raises:
            ValueError: Nobody is named whose it is, or the messages or their time cannot be read.
        """
        whose = _required(_identity({"user_id": user_id, "agent_id": agent_id, "run_id": run_id}))
        kept = {name: value for name, value in (metadata or {}).items() if name not in _IDENTITY}
        kept |= {"run_id": whose["run_id"]} if "run_id" in whose else {}
        read, ends = _messages(messages), _end_of(expiration_date)
        if timestamp is not None:
            instant_as_written(timestamp, name="timestamp")
            read = [message if time_of(message) else {**message, "timestamp": timestamp} for message in read]
        scope = self._place(whose)
        if not is_person(self._actor):
            added = _Added()
            for message in read:
                if message["role"].casefold() not in _CONFIGURATION:
                    added += self._proposed(message, scope, kept, ends)
            return added.answer()
        added = self._inferred(read, scope, whose.get("run_id"), kept, ends) if infer else _Added()
        if not infer or added.nothing:
            own = users_among(map(_name, filter(_by_user, read)), scope)
            by_users = [message for message in read if _by_user(message) and _name(message) in own]
            words = "\n".join(str(message["content"]) for message in by_users)
            for message in read:
                if _by_user(message):
                    other = "" if _name(message) in own else _name(message)
                    added += self._kept(message, scope, kept, ends, whole=not infer, other=other)
                elif not infer and message["role"].casefold() not in _CONFIGURATION:
                    added += self._proposed(message, scope, kept, ends, words)
        return added.answer()

    def search(
        self,
        query: str,
        *,
        top_k: int = 20,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = 0.1,
        show_expired: bool = False,
        **other: Any,
    ) -> dict[str, Any]:
        """Memories that answer a question, best first, each with a `score` in [0, 1]: how well it matches.

        Raises:
            ValueError: `filters` name nobody whose memories are searched, or cannot be read.
        """
        _refuse_identity(other, "search")
        if not isinstance(cast("object", query), str) or not query.strip():
            raise ValueError("Invalid query: must be a non-empty string.")
        least, most = _bound(threshold), _count(top_k)
        whose, passes = _split(filters)
        hits = [
            hit
            for scope in self._places(whose)
            for hit in self._memory.search(
                query, scope=scope, exact=True, k=_MOST_HITS if passes else min(_MOST_HITS, 4 * most + 20),
                archived=show_expired, min_relevance=0.0, types=self._types,
            )
            if self._shown(hit.item, whose, passes, expired=show_expired) and hit.relevance >= least
        ]  # fmt: skip
        best = sorted(hits, key=lambda hit: -hit.relevance)[:most]
        return {"results": [_answer(hit.item, score=hit.relevance) for hit in best]}

    def get_all(
        self,
        *,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 20,
        show_expired: bool = False,
        **other: Any,
    ) -> dict[str, Any]:
        """Memories of a user, an agent or a run, newest first.

        Raises:
            ValueError: `filters` name nobody, or cannot be read.
        """
        _refuse_identity(other, "get_all")
        most = _count(top_k)
        whose, passes = _split(filters)
        rows = self._all(whose, passes, expired=show_expired)
        newest = sorted(rows, key=lambda item: item.created_at, reverse=True)[:most]
        return {"results": [_without_score(item) for item in newest]}

    def get(self, memory_id: str) -> dict[str, Any] | None:
        """A memory by its id; None where there is none."""
        item = self._item(memory_id)
        return None if item is None else _answer(item)

    def update(
        self,
        memory_id: str,
        text: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        expiration_date: Any = _UNSET,
        data: str | None = None,
    ) -> dict[str, str]:
        """Change the text, the metadata or the end of a memory; its identity stays.

        Raises:
            ValueError: There is no such memory, nothing is to be changed, the policy refuses it, or it is a person's
                and a model would change it.
        """
        item = self._required(memory_id)
        changes: dict[str, Any] = {}
        if (content := data if text is None else text) is not None:
            changes["content"] = content
        if metadata is not None:
            own = {name: value for name, value in metadata.items() if name not in (*_IDENTITY, "actor_id")}
            changes["metadata"] = {**item.metadata, **own}
        if expiration_date is not _UNSET:
            changes["expires_at"] = _end_of(expiration_date)
        if not changes:
            raise ValueError("At least one of text, metadata, or expiration_date must be provided.")
        with _as_mem0_refuses(memory_id):
            verdict = self._memory.update(memory_id, actor=self._actor, **changes)
        if verdict.outcome is not Outcome.ACCEPTED:
            raise ValueError(f"Memory with id {memory_id} was not updated: {'; '.join(verdict.reasons)}")
        return {"message": "Memory updated successfully!"}

    def delete(self, memory_id: str) -> dict[str, str]:
        """Take a memory out of recall.

        Raises:
            ValueError: There is no such memory, or it is a person's and a model would delete it.
        """
        self._required(memory_id)
        with _as_mem0_refuses(memory_id):
            self._memory.forget(memory_id, actor=self._actor)
        return {"message": "Memory deleted successfully!"}

    def delete_all(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, str]:
        """Take all memories of a user, an agent or a run out of recall.

        Raises:
            ValueError: Nobody is named, or one of them is a person's and a model would delete it; those before it
                are deleted.
        """
        whose = _identity({"user_id": user_id, "agent_id": agent_id, "run_id": run_id})
        if not whose:
            raise ValueError(
                "At least one filter is required to delete all memories. "
                "If you want to delete all memories, use the `reset()` method."
            )
        for item in list(self._all(whose, None)):
            with _as_mem0_refuses(item.id):
                self._memory.forget(item.id, actor=self._actor)
        return {"message": "Memories deleted successfully!"}

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Changes of a memory, oldest first, its deletion included."""
        try:
            item = self._memory.get(memory_id)
            revisions = self._memory.history(memory_id) if self._sees(item) else []
        except NotFound:
            return []
        events: list[dict[str, Any]] = []
        before: Item | None = None
        for revision in revisions:
            now = revision.item
            event = _event(before, now)
            if event is not None:
                events.append(_change(memory_id, before, now, event, f"{now.id}-{revision.number}"))
            before = now
        return events

    def reset(self) -> None:
        """Remove every memory within the scope, with its history; what others keep in the file stays.

        Raises:
            ValueError: The actor is a model: only a person removes for good.
        """
        if not is_person(self._actor):
            raise ValueError(f"only a person resets a memory, not {self._actor!r}")
        for scope in self._places({}):
            items = [item.id for item in self._listed(scope, archived=True)]
            if items:
                self._memory.purge(items, actor=self._actor)

    def close(self) -> None:
        """Let go of the file, where it was opened here."""
        if self._own:
            self._memory.close()

    def _inferred(
        self,
        messages: Sequence[Mapping[str, Any]],
        scope: Scope,
        run_id: str | None,
        metadata: Mapping[str, Any],
        ends: datetime | None,
    ) -> _Added:
        """Record messages as turns, and extract what they state."""
        turns = [message for message in messages if message["role"] != "system"]
        if not turns:
            return _Added()
        own = {"session_id": run_id} if run_id is not None else {}
        recorded = self._memory.add(
            [
                {name: one[name] for name in ("role", "content", "name") if name in one} | time_of(one)
                for one in turns
            ],
            scope=scope,
            **cast("Any", own),
        )
        if not recorded.count(Outcome.ACCEPTED):
            return _Added(known=True)
        report = self._memory.extract(scope=scope, session_id=recorded.session_id)
        added = _Added()
        for one in report.found:
            if one.verdict is not None:
                added += _Added.of(one.verdict, one.content)
        changes: dict[str, Any] = {} if ends is None else {"expires_at": ends}
        for item_id in added.ids if metadata or changes else ():
            metadata_now = {**self._memory.get(item_id).metadata, **metadata, _ADDED_WITH: True}
            self._memory.update(item_id, metadata=metadata_now, **changes)
        return added

    def _kept(
        self,
        message: Mapping[str, Any],
        scope: Scope,
        metadata: dict[str, Any],
        ends: datetime | None,
        *,
        whole: bool,
        other: str,
    ) -> _Added:
        """Keep what the user said as it was said, and what somebody else did behind their name.

        Args:
            other: The name, where it is somebody else.
        """
        given: dict[str, Any] = {"metadata": metadata | _speaker(message) if whole else metadata}
        content = f"{other}: {message['content']}" if other else message["content"]
        if name := _name(message):
            given["metadata"] = given["metadata"] | {"sender": name}
        if ends is not None:
            given["expires_at"] = ends
        [verdict] = self._memory.add([{"content": content, **_event_at(message), **given}], scope=scope)
        more = {"actor_id": message.get("name"), "role": message["role"]} if whole else {}
        return _Added.of(verdict, str(content), **more)

    def _proposed(
        self,
        message: Mapping[str, Any],
        scope: Scope,
        metadata: dict[str, Any],
        ends: datetime | None,
        user_said: str = "",
    ) -> _Added:
        """Keep what an assistant or a tool said, or a model tells, by its own word and never by the user's."""
        said_by = _MODELS.get(message["role"].casefold(), "external")
        actor = said_by if is_person(self._actor) else self._actor
        entry = {
            "content": message["content"],
            "metadata": metadata | _speaker(message),
            "why_store": "the program keeps it as it was said",
            "source": f"mem0:{message['role']}"[:200],
            **_event_at(message),
        }
        [verdict] = self._memory.propose([entry], scope=scope, actor=actor, user_said=user_said or None)
        if verdict.outcome is Outcome.ACCEPTED and ends is not None:
            self._memory.update(cast("str", verdict.item_id), actor=actor, expires_at=ends)
        return _Added.of(verdict, str(message["content"]), actor_id=message.get("name"), role=message["role"])

    def _place(self, whose: Mapping[str, str]) -> Scope:
        return self._scope.narrowed(**{part: whose[name] for name, part in _PARTS.items() if name in whose})

    def _places(self, whose: Mapping[str, str]) -> list[Scope]:
        """The scopes that hold what is of somebody: also with parts beside those that are named."""
        wanted = set(self._place(whose).parts)
        known = cast("Mapping[str, int]", self._memory.stats(scope=ALL)["by_scope"])
        return [scope for scope in map(Scope, known) if wanted <= set(scope.parts)]

    def _all(
        self, whose: Mapping[str, str], passes: Callable[[Item], bool] | None, *, expired: bool = False
    ) -> Iterator[Item]:
        for scope in self._places(whose):
            rows = self._listed(scope, archived=expired)
            yield from (item for item in rows if self._shown(item, whose, passes, expired=expired))

    def _listed(self, scope: Scope, *, archived: bool) -> list[Item]:
        """Every memory of exactly a scope."""
        rows: list[Item] = []
        while True:
            page = self._memory.list(
                scope=scope, exact=True, limit=_PAGE, offset=len(rows), archived=archived
            )
            rows += page
            if len(page) < _PAGE:
                return [item for item in rows if item.type not in _HIDDEN]

    def _shown(
        self,
        item: Item,
        whose: Mapping[str, str],
        passes: Callable[[Item], bool] | None,
        *,
        expired: bool = False,
    ) -> bool:
        if item.type in _HIDDEN or (passes is not None and not passes(item)):
            return False
        if item.status is Status.ARCHIVED and not (expired and _has_expired(item)):
            return False
        return "run_id" not in whose or item.metadata.get("run_id") == whose["run_id"]

    def _sees(self, item: Item) -> bool:
        return item.type not in _HIDDEN and set(self._scope.parts) <= set(item.scope.parts)

    def _item(self, memory_id: str) -> Item | None:
        try:
            item = self._memory.get(memory_id)
        except NotFound:
            return None
        return item if self._sees(item) and item.status is not Status.ARCHIVED else None

    def _required(self, memory_id: str) -> Item:
        item = self._item(memory_id)
        if item is None:
            raise ValueError(f"Memory with id {memory_id} not found. Please provide a valid 'memory_id'")
        return item


class AsyncMemory(Awaiting[Memory]):
    """mem0's `AsyncMemory`: the verbs of `Memory`, awaited."""

    def __init__(
        self, memory: simonides.Memory | None = None, *, scope: str | None = None, actor: str = "api"
    ) -> None:
        self.sync = Memory(memory, scope=scope, actor=actor)

    add = awaited(Memory.add)
    search = awaited(Memory.search)
    get_all = awaited(Memory.get_all)
    get = awaited(Memory.get)
    update = awaited(Memory.update)
    delete = awaited(Memory.delete)
    delete_all = awaited(Memory.delete_all)
    history = awaited(Memory.history)
    reset = awaited(Memory.reset)

    def close(self) -> None:
        """Let go of the file, where it was opened here."""
        self.sync.close()


class _Added:
    """Outcome of an addition: new memories, and refusals."""

    def __init__(
        self,
        new: Iterable[dict[str, Any]] = (),
        refused: Iterable[dict[str, Any]] = (),
        *,
        known: bool = False,
    ) -> None:
        self.new = list(new)
        self.refused = list(refused)
        self.known = known

    @classmethod
    def of(cls, verdict: Verdict, content: str, **more: Any) -> _Added:
        """The addition that a verdict tells of."""
        added = cls()
        if verdict.outcome is Outcome.ACCEPTED:
            added.new.append({"id": verdict.item_id, "memory": content, "event": "ADD", **more})
        elif verdict.outcome is Outcome.MERGED:
            added.known = True
        else:
            added.refused.append(
                {"memory": content, "outcome": verdict.outcome.value, "reasons": list(verdict.reasons)}
            )
        return added

    @property
    def nothing(self) -> bool:
        return not (self.new or self.refused or self.known)

    @property
    def ids(self) -> list[str]:
        return [one["id"] for one in self.new]

    def __add__(self, other: _Added) -> _Added:
        known = self.known or other.known
        return _Added((*self.new, *other.new), (*self.refused, *other.refused), known=known)

    def answer(self) -> dict[str, Any]:
        return {"results": self.new} | ({"refused": self.refused} if self.refused else {})


@contextmanager
def _as_mem0_refuses(memory_id: str) -> Generator[None]:
    """Form of mem0's for what waits for a person."""
    try:
        yield
    except NeedsApproval as error:
        raise ValueError(f"Memory with id {memory_id} is a person's: {error}") from error


def _answer(item: Item, *, score: float | None = None) -> dict[str, Any]:
    """A memory as mem0 answers it."""
    scope = dict(item.scope.parts)
    answer: dict[str, Any] = {
        "id": item.id,
        "memory": item.content,
        "hash": hashlib.md5(item.content.encode(), usedforsecurity=False).hexdigest(),
        "metadata": None,
        "score": score,
        "created_at": item.times["created_at"].isoformat(),
        "updated_at": item.times["updated_at"].isoformat(),
    }
    answer |= {name: scope[part] for name, part in _PARTS.items() if part in scope}
    answer |= {name: item.metadata[own] for name, own in _PROMOTED.items() if own in item.metadata}
    if item.expires_at is not None:
        answer["expiration_date"] = (item.times["expires_at"] - timedelta(days=1)).date().isoformat()
    hidden = {*_PROMOTED.values(), *_INTERNAL}
    own = {name: value for name, value in item.metadata.items() if name not in hidden}
    return answer | ({"metadata": own} if own else {})


def _without_score(item: Item) -> dict[str, Any]:
    return {name: value for name, value in _answer(item).items() if name != "score"}


def _change(memory_id: str, before: Item | None, now: Item, event: str, name: str) -> dict[str, Any]:
    return {
        "id": name,
        "memory_id": memory_id,
        "old_memory": None if before is None else before.content,
        "new_memory": None if event == "DELETE" else now.content,
        "event": event,
        "created_at": now.times["created_at"].isoformat(),
        "updated_at": now.times["updated_at"].isoformat(),
        "is_deleted": event == "DELETE",
        "actor_id": now.metadata.get("actor_id"),
        "role": now.metadata.get("speaker"),
    }


def _event(before: Item | None, now: Item) -> str | None:
    """The event of mem0 that a revision is; None for what mem0 knows no event for."""
    if before is None:
        return "ADD"
    if _ADDED_WITH in now.metadata and _ADDED_WITH not in before.metadata:
        return None  # A part of the addition.
    if now.status is Status.ARCHIVED and before.status is not Status.ARCHIVED:
        return "DELETE"
    if before.status is Status.ARCHIVED and now.status is not Status.ARCHIVED:
        return "ADD"
    changed = (before.content, before.metadata, before.expires_at) != (
        now.content,
        now.metadata,
        now.expires_at,
    )
    return "UPDATE" if changed and now.status is not Status.ARCHIVED else None


def _messages(given: object) -> list[Mapping[str, Any]]:
    if isinstance(given, str):
        return _messages([{"role": "user", "content": given}])
    if isinstance(given, Mapping):
        return _messages([cast("Mapping[str, Any]", given)])
    if not isinstance(given, list | tuple):
        raise ValueError("messages must be str, dict, or list[dict]")  # noqa: TRY004 - mem0's own kind
    read: list[Mapping[str, Any]] = []
    for one in cast("Sequence[object]", given):
        message = cast("Mapping[str, Any]", one)
        if not isinstance(one, Mapping) or not isinstance(message.get("role"), str):
            raise ValueError("messages must be str, dict, or list[dict]")  # noqa: TRY004 - the same
        if str(message.get("content") or "").strip():
            read.append(message)
    return read


def _by_user(message: Mapping[str, Any]) -> bool:
    return message["role"].casefold() in _USER


def _name(message: Mapping[str, Any]) -> str:
    return " ".join(str(message.get("name") or "").split())


def _event_at(message: Mapping[str, Any]) -> dict[str, str]:
    """The time of a message as a memory has it."""
    time = time_of(message)
    return {"event_at": time["at"]} if time else {}


def _speaker(message: Mapping[str, Any]) -> dict[str, str]:
    """Metadata that name who said a message."""
    named = {"actor_id": str(message["name"])} if message.get("name") else {}
    return {"speaker": str(message["role"]), **named}


def _identity(given: Mapping[str, Any]) -> dict[str, str]:
    """Owners of a memory, by mem0's names; ids are words."""
    whose: dict[str, str] = {}
    for name in _IDENTITY:
        if (value := given.get(name)) is not None:
            word = str(value).strip()
            if not word or any(sign.isspace() for sign in word):
                raise ValueError(f"Invalid {name}: it must be a word without blanks, got {value!r}")
            whose[name] = word
    return whose


def _required(whose: dict[str, str]) -> dict[str, str]:
    if not whose:
        raise ValueError("At least one of 'user_id', 'agent_id', or 'run_id' must be provided.")
    return whose


def _refuse_identity(given: Mapping[str, Any], method: str) -> None:
    if named := sorted(set(given) & set(_IDENTITY)):
        raise ValueError(
            f"Top-level entity parameters {named} are not supported in {method}(). "
            "Use filters={'user_id': '...'} instead."
        )


def _split(filters: Mapping[str, Any] | None) -> tuple[dict[str, str], Callable[[Item], bool] | None]:
    """Owners of the memories that are meant, and further conditions on them."""
    given = dict(filters or {})
    for condition in cast("Sequence[Mapping[str, Any]]", given.get("AND") or ()):
        for name in _IDENTITY:
            if isinstance(condition, Mapping) and isinstance(condition.get(name), str | int):
                given.setdefault(name, condition[name])
    whose = _identity(given)
    if not whose:
        raise ValueError(
            "filters must contain at least one of: user_id, agent_id, run_id. Example: filters={'user_id': 'u1'}"
        )
    rest = {name: value for name, value in given.items() if name not in _IDENTITY}
    if not rest:
        return whose, None
    test = _test(rest)
    return whose, None if test is None else lambda item: test(_values(item))


def _values(item: Item) -> dict[str, Any]:
    scope = dict(item.scope.parts)
    values = {name: item.metadata[own] for name, own in _PROMOTED.items() if own in item.metadata}
    return {
        **item.metadata,
        **values,
        **{name: scope[part] for name, part in _PARTS.items() if part in scope},
    }


def _test(filters: object) -> Callable[[Mapping[str, Any]], bool] | None:
    """A test of the values of a memory, from filters as mem0 has them; None where they ask for nothing.

    `*` asks for nothing, as with mem0: not even that there is a value.
    """
    if not isinstance(filters, Mapping):
        raise ValueError(f"filters are mappings, not {filters!r:.80}")  # noqa: TRY004 - mem0's own kind
    tests: list[Callable[[Mapping[str, Any]], bool]] = []
    for name, wanted in cast("Mapping[str, Any]", filters).items():
        if name in {"AND", "OR", "NOT"}:
            if not isinstance(wanted, list) or (name != "AND" and not wanted):
                raise ValueError(f"{name} operator requires a non-empty list of conditions")
            inner = [test for one in cast("list[object]", wanted) if (test := _test(one)) is not None]
            tests += [_joined(name, inner)] if inner else []
        elif isinstance(wanted, Mapping):
            operators = cast("Mapping[str, Any]", wanted)
            for sign in operators or [""]:
                if sign not in _OPERATORS:
                    raise ValueError(f"Unsupported metadata filter operator: {sign}")
            tests += [_compared(name, sign, bound) for sign, bound in operators.items()]
        elif wanted != "*":
            tests.append(_compared(name, "in" if isinstance(wanted, list) else "eq", wanted))
    return (lambda values: all(test(values) for test in tests)) if tests else None


def _joined(
    name: str, tests: Sequence[Callable[[Mapping[str, Any]], bool]]
) -> Callable[[Mapping[str, Any]], bool]:
    match name:
        case "AND":
            return lambda values: all(test(values) for test in tests)
        case "OR":
            return lambda values: any(test(values) for test in tests)
        case _:
            return lambda values: not any(test(values) for test in tests)


def _compared(name: str, sign: str, bound: Any) -> Callable[[Mapping[str, Any]], bool]:
    """A test of a value, of a list any member: one that is not there passes none but `None`."""
    if sign in {"in", "nin"} and not isinstance(bound, list | tuple | set | frozenset):
        raise ValueError(f"{sign} takes a list, got {bound!r:.80}")
    passes = _OPERATORS[sign]

    def test(values: Mapping[str, Any]) -> bool:
        value = values.get(name)
        if value is None:
            return sign == "eq" and bound is None
        members = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]
        return any(passes(member, bound) for member in members)

    return test


def _is_same(value: Any, bound: Any) -> bool:
    """True if two values are equal and of one kind: 1, 1.0 and True are three."""
    return type(value) is type(bound) and value == bound


def _is_among(value: Any, bounds: Iterable[Any]) -> bool:
    return any(_is_same(value, bound) for bound in bounds)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """A comparison of numbers with numbers, and of texts with texts; what is beside a date has to be one."""

    def passes(value: Any, bound: Any) -> bool:
        if isinstance(value, str) and isinstance(bound, str):
            return compare(value, bound) and (_is_date(value) or not _is_date(bound))
        numbers = isinstance(value, int | float) and isinstance(bound, int | float)
        return numbers and not isinstance(value, bool) and compare(value, bound)

    return passes


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


_OPERATORS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "eq": _is_same,
    "ne": lambda value, bound: not _is_same(value, bound),
    "gt": _ordered(operator.gt),
    "gte": _ordered(operator.ge),
    "lt": _ordered(operator.lt),
    "lte": _ordered(operator.le),
    "in": _is_among,
    "nin": lambda value, bound: not _is_among(value, bound),
    "contains": lambda value, bound: isinstance(value, str) and str(bound) in value,
    "icontains": lambda value, bound: isinstance(value, str) and str(bound).casefold() in value.casefold(),
}


def _bound(threshold: object) -> float:
    if threshold is None:
        return 0.1
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise ValueError(f"Invalid threshold: {threshold}. Must be between 0 and 1 (inclusive).")
    return float(threshold)


def _count(top_k: object) -> int:
    if isinstance(top_k, bool) or not isinstance(top_k, int) or top_k < 0:
        raise ValueError(f"Invalid top_k: {top_k}. Must be a non-negative integer.")
    return top_k


def _end_of(expiration_date: object) -> datetime | None:
    """The end of the day up to which a memory is shown."""
    if expiration_date is None:
        return None
    try:
        day = (
            expiration_date if isinstance(expiration_date, date) else date.fromisoformat(str(expiration_date))
        )
    except ValueError as error:
        raise ValueError("expiration_date must be a valid date in YYYY-MM-DD format.") from error
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1)


def _has_expired(item: Item) -> bool:
    return item.expires_at is not None and item.times["expires_at"] <= datetime.now(UTC)
