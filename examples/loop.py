"""A chat with long-term memory, around any model.

python loop.py memory.db                                      a stand-in: it proposes what begins with "remember"
python loop.py memory.db http://localhost:11434/v1 llama3.2   Ollama, or any server that speaks OpenAI's chat API
"""

import json
import sys

from simonides import Memory
from simonides.agent.middleware import Answer, Chat, Middleware, ToolCall


def stand_in(messages, tools):
    told = messages[-1]["content"]
    text = told.rpartition("\n\n")[2]
    if not text.lower().startswith("remember "):
        return Answer(f"I was told:\n{told}")
    proposal = {"content": text[9:], "type": "fact", "why_store": "the user asked for it"}
    return Answer(f"Noted.\n<MEMORY_PROPOSALS_JSON>{json.dumps([proposal])}</MEMORY_PROPOSALS_JSON>")


def served(url, model):
    import openai

    client = openai.OpenAI(base_url=url, api_key="none")

    def ask(messages, tools):
        given = {"tools": tools} if tools else {}
        reply = client.chat.completions.create(model=model, messages=messages, **given).choices[0]
        calls = [
            ToolCall(c.function.name, c.function.arguments, c.id) for c in reply.message.tool_calls or ()
        ]
        return Answer(reply.message.content or "", tuple(calls), complete=reply.finish_reason is not None)

    return ask


def main(db="memory.db", *server):
    ask = served(*server) if server else stand_in
    chat, history = Chat(scope="user:me"), []
    with Memory(db) as memory, Middleware(memory) as middleware:
        for said in map(str.strip, sys.stdin):
            history.append({"role": "user", "content": said})
            turn = middleware.before_model(history, chat)
            answer = ask(list(turn.messages), middleware.tools(chat))
            while again := middleware.intercept(turn, answer):  # the model asked memory by itself
                turn = again
                answer = ask(list(turn.messages), middleware.tools(chat) if turn.may_call else [])
            outcome = middleware.after_model(turn, answer)
            history.append({"role": "assistant", "content": outcome.text})
            print(
                outcome.text, *(f"({v.outcome}: {'; '.join(v.reasons)})" for v in outcome.verdicts), sep="\n"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
