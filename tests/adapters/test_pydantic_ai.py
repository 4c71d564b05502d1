"""Pydantic AI: a toolset, and a capability whose scope follows from the run."""

import asyncio
import json
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, SystemPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel

from simonides.adapters.pydantic_ai import MemoryCapability, memory_toolset


@dataclass
class Deps:
    user: str


def of_user(deps):
    return f"user:{deps.user}"


class Scripted:
    """A model that gives its answers in order, and keeps what it was sent."""

    __name__ = "scripted"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        self.instructions = []

    def __call__(self, messages, info):
        self.asked.append(messages)
        self.instructions.append(info.instructions or "")
        return ModelResponse(parts=[self.answers.pop(0)])


def run(own, text, **options):
    return asyncio.run(own.run(text, **options))


def parts(messages, kind):
    return [part for message in messages for part in message.parts if isinstance(part, kind)]


def agent(model, memory, **options):
    return Agent(
        FunctionModel(model),
        deps_type=Deps,
        capabilities=[MemoryCapability(memory, scope=of_user, **options)],
    )


def test_the_toolset_works_with_their_test_model(memory):
    memory.add("Ana drinks green tea.", user_id="ana")
    model = TestModel()
    result = run(Agent(model, toolsets=[memory_toolset(memory, scope="user:ana")]), "What is known?")
    offered = {tool.name for tool in model.last_model_request_parameters.function_tools}
    assert offered == {"memory_search", "memory_write", "memory_read", "memory_forget"}
    assert set(json.loads(result.output)) == offered


def test_what_one_user_says_is_known_to_that_user_alone(memory):
    model = Scripted(*(TextPart(text) for text in ("Noted.", "Green tea.", "I do not know.")))
    own = agent(model, memory, session_id=lambda deps: f"session-{deps.user}", tools=())
    run(own, "I drink green tea without sugar.", deps=Deps("ana"))
    result = run(own, "What do I drink?", deps=Deps("ana"))
    run(own, "What do I drink?", deps=Deps("bob"))
    given = [" ".join(part.content for part in parts(asked, SystemPromptPart)) for asked in model.asked]
    assert given[0] == given[2] == ""
    assert "green tea" in given[1]
    # The history has nothing of it.
    assert not parts(result.all_messages(), SystemPromptPart)
    turns = memory.sessions.get("session-ana", scope="user:ana")
    assert [(turn.provenance.source_role, turn.content) for turn in turns] == [
        ("user", "I drink green tea without sugar."),
        ("assistant", "Noted."),
        ("user", "What do I drink?"),
        ("assistant", "Green tea."),
    ]


def test_the_core_profile_stands_in_the_instructions(memory):
    memory.add("Ana is a baker.", user_id="ana", pinned=True)
    model = Scripted(TextPart("Hi."), TextPart("Hi."))
    for user in ("ana", "bob"):
        run(agent(model, memory), "Hello", deps=Deps(user))
    assert "baker" in model.instructions[0]
    assert "baker" not in model.instructions[1]


def test_tools_look_from_the_scope_of_the_run(memory):
    memory.add("Ana drinks green tea.", user_id="ana")
    for user, known in (("ana", True), ("bob", False)):
        model = Scripted(ToolCallPart("memory_search", {"query": "what does Ana drink?"}), TextPart("."))
        run(agent(model, memory), "Look it up.", deps=Deps(user))
        (answer,) = parts(model.asked[1], ToolReturnPart)
        assert ("green tea" in str(answer.content)) is known


def test_a_question_is_recalled_and_recorded_once_while_tools_run(memory):
    memory.add("Ana drinks green tea.", user_id="ana")
    model = Scripted(ToolCallPart("memory_search", {"query": "tea"}), TextPart("Tea."))
    run(agent(model, memory, session_id="s"), "What does Ana drink?", deps=Deps("ana"))
    assert all("green tea" in str(parts(asked, SystemPromptPart)) for asked in model.asked)
    assert [turn.content for turn in memory.sessions.get("s", scope="user:ana")] == [
        "What does Ana drink?",
        "Tea.",
    ]


def test_bad_arguments_are_answered(memory):
    model = Scripted(ToolCallPart("memory_search", {"nonsense": 5}), TextPart("Sorry."))
    assert run(agent(model, memory), "?", deps=Deps("ana")).output == "Sorry."
    (answer,) = parts(model.asked[1], ToolReturnPart)
    assert "error" in str(answer.content)


def test_runs_at_once_do_not_mix(memory):
    for user, drink in (("ana", "green tea"), ("bob", "black coffee")):
        memory.add(f"I drink {drink} in the morning.", user_id=user)

    def told(messages, info):
        return ModelResponse(
            parts=[TextPart(" ".join(part.content for part in parts(messages, SystemPromptPart)))]
        )

    own = agent(told, memory, tools=())

    async def work():
        users = ["ana", "bob"] * 5
        runs = [own.run("What do I drink in the morning?", deps=Deps(user)) for user in users]
        return dict(enumerate(await asyncio.gather(*runs)))

    for n, result in asyncio.run(work()).items():
        assert ("green tea" in result.output, "black coffee" in result.output) == (n % 2 == 0, n % 2 == 1)


def test_a_closed_memory_ends_no_run(memory):
    model = Scripted(TextPart("Hi."))
    own = agent(model, memory, session_id="s", tools=())
    memory.close()
    assert run(own, "What does Ana drink?", deps=Deps("ana")).output == "Hi."
