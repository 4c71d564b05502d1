"""Random calls by three people over every door that agents have: none may see or touch what is another's."""

# pyright: basic
from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from agents.run_config import CallModelData, ModelInputData
from anthropic.lib.tools import ToolError
from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core.base.llms.types import ChatMessage
from mcp import Client
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from benchmarks.report import Table, finish, options_of, progress, result
from simonides.adapters import anthropic, langchain, langgraph, llama_index, mem0, openai_agents, pydantic_ai
from simonides.config import PolicySettings, Settings
from simonides.domain.scope import Scope
from simonides.edges.mcp.caller import Caller
from simonides.edges.mcp.profiles import ToolProfile
from simonides.edges.mcp.server import server
from simonides.errors import SimonidesError
from simonides.memory import Memory
from simonides.testing import FakeEmbedder

#: People, each with a word that is in everything they write, and in nothing of the others'.
PEOPLE: Final = {"ana": "quillabra", "bob": "vextoria", "eve": "mondrasil"}
_WORDS: Final = ("harbour", "kettle", "garden", "bicycle")
_PLACES: Final = (("notes",), ("notes", "a.b"), ("files", "x"))
_KEYS: Final = ("one", "two", "a/b", "..")
_MORE: Final = (
    *("memory_timeline", "memory_stats", "memory_weak", "memory_palace_list", "memory_entity"),
    *("memory_explain", "memory_history", "memory_update", "memory_link", "memory_context"),
)
#: Tools by their names in MCP's profiles.
_ALIASES: Final = {"memory_write": "memory_add", "memory_read": "memory_get"}
#: What doors refuse with.
_REFUSALS: Final = (SimonidesError, ToolError, ValueError, LookupError)
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_MOST_KNOWN: Final = 300
#: Items of a person that a round begins anew with; more would only make each search slower.
_MOST_CALLS: Final = 1000

Door = Callable[[random.Random], Awaitable[object]]


@dataclass
class Person:
    """Somebody with a scope of their own.

    Attributes:
        word: It stands in what they write.
        known: Ids that they or others have seen: anybody may try them.
        doors: Ways to call, by name.
    """

    name: str
    word: str
    known: list[str]
    doors: dict[str, Door] = field(default_factory=dict[str, Door])

    @property
    def scope(self) -> str:
        return f"project:{self.name}"

    def text(self, draw: random.Random) -> str:
        """Something that they write."""
        return f"The {draw.choice(_WORDS)} of {self.word} is number {draw.randrange(40)}."

    def query(self, draw: random.Random) -> str:
        """Something that they ask: about themselves, or about another."""
        return f"Which number has the {draw.choice(_WORDS)} of {draw.choice(list(PEOPLE.values()))}?"

    def id(self, draw: random.Random) -> str:
        """An id, whoever's it is."""
        return draw.choice(self.known) if self.known else "01a20400-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Foreign:
    """An answer that holds what is another's."""

    name: str
    door: str
    answer: str


async def foreign_answers(
    calls: int, seed: int, path: str | Path = ":memory:"
) -> tuple[list[Foreign], Counter[str]]:
    """Answers with rows of others among random calls, and how many calls each door had."""
    draw = random.Random(seed)
    found: list[Foreign] = []
    times: Counter[str] = Counter()
    free = Settings(policy=PolicySettings(calls_per_minute=600_000.0, proposals_per_hour=10_000_000))
    with Memory(path, embedder=FakeEmbedder(8), settings=free) as memory:
        known: list[str] = []
        people = [Person(name, word, known) for name, word in PEOPLE.items()]
        async with AsyncExitStack() as stack:
            for person in people:
                memory.add([person.text(draw) for _ in range(6)], scope=person.scope)
                await stack.enter_async_context(_opened(person, memory))
            for _ in range(calls):
                person = draw.choice(people)
                name = draw.choice(sorted(person.doors))
                times[name] += 1
                try:
                    answer = _written(await person.doors[name](draw))
                except _REFUSALS as error:
                    answer = str(error)
                known += _ID.findall(answer)
                del known[:-_MOST_KNOWN]
                if signs := _signs(answer, person):
                    found.append(Foreign(person.name, name, f"{signs}: {answer[:300]}"))
        found += _strayed(memory, people)
    return found, times


def _signs(answer: str, person: Person) -> list[str]:
    """Words of others in an answer: nobody's question has them in this form."""
    return [word for name, word in PEOPLE.items() if name != person.name and f"of {word} is number" in answer]


def _strayed(memory: Memory, people: Sequence[Person]) -> list[Foreign]:
    """Items that lie in another's scope than their words."""
    return [
        Foreign(person.name, "store", item.content)
        for person in people
        for item in memory.list(scope=person.scope, archived=True, limit=100_000)
        if any(f"of {other.word} is" in item.content for other in people if other is not person)
    ]


def _written(answer: object) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, default=str, ensure_ascii=False)


@asynccontextmanager
async def _opened(person: Person, memory: Memory) -> AsyncGenerator[None]:
    """Open every door for a person."""
    scope = person.scope
    caller = Caller.of(memory, Scope(scope))
    async with Client(server(lambda _: caller, ToolProfile.FULL)) as client:
        person.doors |= {
            "mcp": lambda draw: _mcp(client, person, draw),
            "mem0": _of_thread(_mem0(mem0.Memory(memory, scope=scope), person)),
            "langgraph": _of_thread(_langgraph(langgraph.SimonidesStore(memory, scope=scope), person)),
            "langchain": _of_thread(_langchain(memory, person)),
            "llama_index": _llama_index(memory, person),
            "openai_agents": _openai_agents(memory, person),
            "pydantic_ai": _pydantic_ai(memory, person),
            "anthropic": _of_thread(_anthropic(anthropic.MemoryTool(memory, scope=scope), person)),
        }
        yield


def _of_thread(work: Callable[[random.Random], object]) -> Door:
    async def called(draw: random.Random) -> object:
        return work(draw)

    return called


def _tool(person: Person, draw: random.Random) -> tuple[str, dict[str, Any]]:
    """A call of one of the four tools that every framework's models are offered."""
    name = draw.choice(["memory_search", "memory_write", "memory_read", "memory_forget"])
    match name:
        case "memory_search":
            given: dict[str, Any] = {"query": person.query(draw), "k": draw.randint(1, 50)}
        case "memory_write":
            given = {"content": person.text(draw), "why_store": "it matters"}
        case "memory_read":
            given = {"id": person.id(draw)}
        case _:
            given = {"target": draw.choice([person.id(draw), person.query(draw)])}
    if draw.random() < 0.2:
        given["scope"] = draw.choice(["global", "ALL", *(f"project:{name}" for name in PEOPLE)])
    return name, given


async def _mcp(client: Client, person: Person, draw: random.Random) -> str:
    if draw.random() < 0.5:
        name, given = _tool(person, draw)
        name = _ALIASES.get(name, name)
    else:
        name = draw.choice(_MORE)
        given = {
            "memory_weak": {"below": 1},
            "memory_entity": {"name": draw.choice(list(PEOPLE.values()))},
            "memory_update": {"id": person.id(draw), "content": person.text(draw)},
            "memory_link": {"src": person.id(draw), "dst": person.id(draw), "kind": "relates_to"},
            "memory_explain": {"id": person.id(draw)},
            "memory_history": {"id": person.id(draw)},
            "memory_context": {"query": person.query(draw)},
        }.get(name, {})
    return (await client.call_tool(name, given)).content[0].text  # pyright: ignore[reportAttributeAccessIssue]


def _mem0(own: mem0.Memory, person: Person) -> Callable[[random.Random], object]:
    def called(draw: random.Random) -> object:
        whose: dict[str, Any] = {"user_id": draw.choice(["u1", "u2"])} | (
            {"run_id": "r"} if draw.random() < 0.3 else {}
        )
        match draw.randrange(8):
            case 0:
                return own.add(person.text(draw), infer=draw.random() < 0.3, **whose)
            case 1:
                return own.search(person.query(draw), filters=whose, threshold=0.0, top_k=100)
            case 2:
                return own.get_all(filters=whose, top_k=100)
            case 3:
                return own.get(person.id(draw))
            case 4:
                return own.update(person.id(draw), person.text(draw))
            case 5:
                return own.delete(person.id(draw))
            case 6:
                return own.history(person.id(draw))
            case _:
                return (
                    own.delete_all(**whose) if draw.random() < 0.05 else own.get_all(filters={"user_id": "*"})
                )

    return called


def _langgraph(store: langgraph.SimonidesStore, person: Person) -> Callable[[random.Random], object]:
    def called(draw: random.Random) -> object:
        place, key = draw.choice(_PLACES), draw.choice(_KEYS)
        match draw.randrange(6):
            case 0 | 1:
                return store.put(place, key, {"text": person.text(draw), "n": draw.randrange(9)})
            case 2:
                held = store.get(place, key)
                return None if held is None else held.dict()
            case 3:
                query = person.query(draw) if draw.random() < 0.5 else None
                return [one.dict() for one in store.search(draw.choice([(), place]), query=query, limit=50)]
            case 4:
                return store.list_namespaces()
            case _:
                return store.delete(place, key)

    return called


def _langchain(memory: Memory, person: Person) -> Callable[[random.Random], object]:
    scope = person.scope
    retriever = langchain.SimonidesRetriever(memory, scope=scope, k=20, always=True)
    tools = {tool.name: tool for tool in langchain.memory_tools(memory, scope=scope, session_id="s")}

    def called(draw: random.Random) -> object:
        history = langchain.SimonidesChatMessageHistory(memory, draw.choice(["s", "t"]), scope=scope)
        match draw.randrange(5):
            case 0:
                history.add_messages([HumanMessage(person.text(draw)), AIMessage("Noted.")])
            case 1:
                return [message.content for message in history.messages]
            case 2:
                if draw.random() < 0.2:
                    history.clear()
            case 3:
                return [(one.page_content, one.metadata) for one in retriever.invoke(person.query(draw))]
            case _:
                name, given = _tool(person, draw)
                return tools[name].invoke(given)
        return None

    return called


def _llama_index(memory: Memory, person: Person) -> Door:
    block = llama_index.SimonidesMemoryBlock(memory, scope=person.scope)

    async def called(draw: random.Random) -> object:
        session = draw.choice(["s", "t"])
        if draw.random() < 0.5:
            await block.aput([ChatMessage(role="user", content=person.text(draw))], session_id=session)
            return None
        return await block.aget([ChatMessage(role="user", content=person.query(draw))], session_id=session)

    return called


def _openai_agents(memory: Memory, person: Person) -> Door:
    recall = openai_agents.recall_filter(memory, scope=person.scope)
    tools = {tool.name: tool for tool in openai_agents.memory_tools(memory, scope=person.scope)}

    async def called(draw: random.Random) -> object:
        if draw.random() < 0.3:
            asked: Any = [{"role": "user", "content": person.query(draw)}]
            data = CallModelData(ModelInputData(input=asked, instructions=None), agent=Any, context=None)  # pyright: ignore[reportArgumentType]
            return [str(item.get("content")) for item in (await recall(data)).input]  # pyright: ignore[reportAttributeAccessIssue]
        name, given = _tool(person, draw)
        return await tools[name].on_invoke_tool(None, json.dumps(given))  # pyright: ignore[reportArgumentType]

    return called


def _pydantic_ai(memory: Memory, person: Person) -> Door:
    calls: list[tuple[str, dict[str, Any]]] = []

    def model(messages: list[Any], _: Any) -> ModelResponse:
        if calls:
            return ModelResponse(parts=[ToolCallPart(*calls.pop())])
        return ModelResponse(parts=[TextPart(str(messages))])

    capability = pydantic_ai.MemoryCapability(memory, scope=person.scope, session_id="s")
    agent = Agent(FunctionModel(model), capabilities=[capability])

    async def called(draw: random.Random) -> object:
        calls[:] = [_tool(person, draw)]
        calls[0][1].pop("scope", None)
        return (await agent.run(person.query(draw))).output

    return called


def _anthropic(tool: anthropic.MemoryTool, person: Person) -> Callable[[random.Random], object]:
    def called(draw: random.Random) -> object:
        path = f"/memories/{draw.choice(['notes.txt', 'a/b.md', 'a'])}"
        asked: dict[str, Any] = draw.choice(
            [
                {"command": "view", "path": draw.choice(["/memories", path])},
                {"command": "create", "path": path, "file_text": person.text(draw)},
                {"command": "insert", "path": path, "insert_line": 0, "insert_text": person.text(draw)},
                {"command": "str_replace", "path": path, "old_str": "number", "new_str": "number"},
                {"command": "delete", "path": path},
                {"command": "rename", "old_path": path, "new_path": "/memories/moved.txt"},
            ]
        )
        return tool.call(asked)

    return called


def run(name: str, arguments: list[str]) -> dict[str, Any]:
    """Call as the options say."""
    options = _options(name, arguments)
    found: list[Foreign] = []
    times: Counter[str] = Counter()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="simonides-bench-") as folder:
        for number, first in enumerate(range(0, options.calls, _MOST_CALLS)):
            progress(f"call {first:,} of {options.calls:,}")
            calls = min(_MOST_CALLS, options.calls - first)
            path = Path(folder) / f"{number}.db"
            more, told = asyncio.run(foreign_answers(calls, options.seed + number, path))
            found += more
            times += told
    figures = {
        "calls": dict(sorted(times.items())),
        "foreign": len(found),
        "seconds": round(time.perf_counter() - began, 1),
        "examples": [f"{one.name}, {one.door}: {one.answer}" for one in found[:5]],
    }
    outcome = result(name, seed=options.seed, sizes={"calls": options.calls}, figures=figures)
    return finish(outcome, tables(outcome), options)


def tables(outcome: Mapping[str, Any]) -> list[Table]:
    """A result for people."""
    figures = outcome["figures"]
    rows = [[door, count] for door, count in figures["calls"].items()]
    rows.append(["answers or items with what is another's", figures["foreign"]])
    return [Table("random calls by three people with scopes of their own", ("door", "calls"), rows)]


def _options(name: str, arguments: list[str]) -> argparse.Namespace:
    parser = options_of(name, "Random calls by three people over every door that agents have.")
    parser.add_argument("--calls", type=int, default=20_000, help="in all")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)
