"""Examples of the adapters: each runs offline and prints what it says."""

import ast
import runpy
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
#: Each example with the package of its framework.
NEEDS = {
    "anthropic_memory.py": "anthropic",
    "langchain_agent.py": "langchain",
    "langgraph_store.py": "langgraph",
    "llama_index_block.py": "llama_index",
    "mem0_chat.py": "simonides",
    "openai_agent.py": "agents",
    "pydantic_ai_agent.py": "pydantic_ai",
}


def test_every_example_of_an_adapter_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} - {"loop.py"} == set(NEEDS)


@pytest.mark.parametrize("name", NEEDS)
def test_an_example_prints_what_it_says(name, capsys):
    if find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")
    path = EXAMPLES / name
    told = ast.get_docstring(ast.parse(path.read_text("utf-8"))).partition("It prints:\n")[2]
    runpy.run_path(str(path))["main"]()
    assert capsys.readouterr().out.splitlines() == [line[4:] for line in told.splitlines()]
