"""An agent of Pydantic AI: each user's memory, by the dependencies of the run.

It prints:
    ana: I was told: green tea
    bob: Noted.
"""

import asyncio
from dataclasses import dataclass

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, SystemPromptPart, TextPart
from pydantic_ai.models.function import FunctionModel

from simonides import Memory
from simonides.adapters.pydantic_ai import MemoryCapability


@dataclass
class Deps:
    user: str


def scripted(messages, info):
    """Stands for your model: it tells whether its request holds what was said elsewhere."""
    told = [part for message in messages for part in message.parts if isinstance(part, SystemPromptPart)]
    known = any("green tea" in part.content for part in told)
    return ModelResponse(parts=[TextPart("I was told: green tea" if known else "Noted.")])


def main():
    with Memory(":memory:") as memory:
        memory.add("Ana drinks green tea without sugar.", user_id="ana")
        own = MemoryCapability(memory, scope=lambda deps: f"user:{deps.user}", session_id="monday")
        agent = Agent(FunctionModel(scripted), deps_type=Deps, capabilities=[own])
        for user in ("ana", "bob"):
            answer = asyncio.run(agent.run("What does Ana drink?", deps=Deps(user)))
            print(f"{user}: {answer.output}")


if __name__ == "__main__":
    main()
