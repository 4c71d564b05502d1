"""An agent of LangChain that knows in one conversation what was said in another.

It prints:
    Noted.
    the system message holds: green tea
"""

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from simonides import Memory
from simonides.adapters.langchain import memory_middleware


class Scripted(GenericFakeChatModel):
    """Stands for yours: it answers "Noted." first, then tells what its system message holds."""

    def _generate(self, messages, *args, **kwargs):
        told = messages[0].text if messages[0].type == "system" else ""
        found = "the system message holds: green tea" if "green tea" in told else "Noted."
        return GenericFakeChatModel(messages=iter([AIMessage(found)]))._generate(messages)  # noqa: SLF001


def main():
    with Memory(":memory:") as memory:
        for session, said in (
            ("monday", "I drink green tea without sugar."),
            ("tuesday", "What do I drink?"),
        ):
            own = memory_middleware(memory, user_id="ana", session_id=session)
            agent = create_agent(Scripted(messages=iter([])), middleware=[own])
            print(agent.invoke({"messages": [("user", said)]})["messages"][-1].text)


if __name__ == "__main__":
    main()
