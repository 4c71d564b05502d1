"""Adapters are tested where their framework is installed; `pip install -e '.[dev]'` brings all of them."""

from importlib.util import find_spec

NEEDS = {
    "test_anthropic.py": "anthropic",
    "test_langchain.py": "langchain",
    "test_langgraph_store.py": "langgraph",
    "test_llama_index.py": "llama_index",
    "test_openai_agents.py": "agents",
    "test_pydantic_ai.py": "pydantic_ai",
}
collect_ignore = [file for file, package in NEEDS.items() if find_spec(package) is None]
