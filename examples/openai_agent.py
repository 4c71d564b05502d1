"""An agent of OpenAI Agents that knows in one session what was said in another.

It prints:
    Noted.
    I was told: green tea
"""

import asyncio
import json

from agents import Agent, Model, ModelResponse, RunConfig, Runner, SQLiteSession, Usage, set_tracing_disabled
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from simonides import Memory
from simonides.adapters.openai_agents import SimonidesSession, recall_filter


class Scripted(Model):
    """Stands for yours: it tells whether its request holds what was said elsewhere."""

    async def get_response(self, **request):
        told = "green tea" in json.dumps(request["input"][:-1])
        part = ResponseOutputText(
            type="output_text", text="I was told: green tea" if told else "Noted.", annotations=[]
        )
        said = ResponseOutputMessage(
            id="m", type="message", role="assistant", status="completed", content=[part]
        )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, **request):
        raise NotImplementedError


async def talk(memory):
    set_tracing_disabled(disabled=True)
    agent = Agent("assistant", model=Scripted())
    config = RunConfig(call_model_input_filter=recall_filter(memory, user_id="ana"))
    for name, said in (("monday", "I drink green tea without sugar."), ("tuesday", "What do I drink?")):
        inner = SQLiteSession(name)
        session = SimonidesSession(memory, inner, user_id="ana")
        print((await Runner.run(agent, said, session=session, run_config=config)).final_output)
        inner.close()


def main():
    with Memory(":memory:") as memory:
        asyncio.run(talk(memory))


if __name__ == "__main__":
    main()
