"""The chat of mem0's README, with one changed line and a model that is a script.

It prints:
    - I am allergic to walnuts.
"""

import simonides
from simonides.adapters.mem0 import Memory  # from mem0 import Memory


def chat_with_memories(memory, message, user_id="default_user"):
    relevant_memories = memory.search(query=message, filters={"user_id": user_id}, top_k=3)
    memories_str = "\n".join(f"- {entry['memory']}" for entry in relevant_memories["results"])
    messages = [
        {"role": "system", "content": f"You are a helpful AI.\nUser Memories:\n{memories_str}"},
        {"role": "user", "content": message},
        {"role": "assistant", "content": "I see."},  # your model's answer
    ]
    memory.add(messages, user_id=user_id)
    return memories_str


def main():
    with simonides.Memory(":memory:") as own:
        memory = Memory(own)  # Memory() opens the user's own file
        chat_with_memories(memory, "I am allergic to walnuts.")
        print(chat_with_memories(memory, "What am I allergic to?"))


if __name__ == "__main__":
    main()
