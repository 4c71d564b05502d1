"""A block in a memory of LlamaIndex, which tells what is known of the user's last message.

It prints:
    True
    True
"""

import asyncio

from llama_index.core.base.llms.types import ChatMessage

from simonides import Memory
from simonides.adapters.llama_index import SimonidesMemoryBlock


async def talk(memory):
    block = SimonidesMemoryBlock(memory, user_id="ana")
    # In a program: Memory.from_defaults(session_id="monday", memory_blocks=[block]) of LlamaIndex calls these two.
    await block.aput(
        [ChatMessage(role="user", content="I drink green tea without sugar.")], session_id="monday"
    )
    told = await block.aget([ChatMessage(role="user", content="What do I drink?")])
    print("green tea" in told)
    print(await block.aget([ChatMessage(role="user", content="Which port does the relay use?")]) == "")


def main():
    with Memory(":memory:") as memory:
        asyncio.run(talk(memory))


if __name__ == "__main__":
    main()
