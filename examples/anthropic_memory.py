"""Claude's memory tool, whose files are kept in a memory. Its model is a script; put in your own client.

It prints:
    File created successfully at: /memories/tea.md
    Ana drinks green tea without sugar.
"""

from anthropic.tools import BetaAbstractMemoryTool

from simonides import Memory
from simonides.adapters.anthropic import MemoryTool


def scripted(tool: BetaAbstractMemoryTool):
    """Stands for client.beta.messages.tool_runner(model=…, tools=[tool], messages=…)."""
    note = {
        "command": "create",
        "path": "/memories/tea.md",
        "file_text": "Ana drinks green tea without sugar.",
    }
    return tool.call(note)


def main():
    with Memory(":memory:") as memory:
        print(scripted(MemoryTool(memory, user_id="ana")))
        # Any search finds it now, beside everything else that is known of Ana.
        print(memory.search("what does Ana drink?", user_id="ana").hits[0].item.content)


if __name__ == "__main__":
    main()
