"""A graph of LangGraph whose store is a memory: a node keeps a note, the next run finds it.

It prints:
    []
    ['Ana drinks green tea']
"""

from typing import Annotated, TypedDict

from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore

from simonides import Memory
from simonides.adapters.langgraph import SimonidesStore


class State(TypedDict):
    said: str
    known: Annotated[list[str], lambda _, new: new]


def remember(state: State, *, store: BaseStore):
    """Look up what is known, then keep what is said."""
    found = store.search(("notes",), query=state["said"], limit=3)
    store.put(("notes",), state["said"], {"text": state["said"]})
    return {"known": [item.value["text"] for item in found]}


def main():
    with Memory(":memory:") as memory:
        graph = StateGraph(State)
        graph.add_node(remember)
        graph.add_edge(START, "remember")
        compiled = graph.compile(store=SimonidesStore(memory, user_id="ana"))
        for said in ("Ana drinks green tea", "what does Ana drink?"):
            print(compiled.invoke({"said": said, "known": []})["known"])


if __name__ == "__main__":
    main()
