"""Test each adapter against the oldest versions of its framework that its extra allows.

    python scripts/oldest.py                                     # every extra, one after the other
    python scripts/oldest.py langgraph                           # one of them
    python scripts/oldest.py anthropic --with anthropic==1.0.0   # versions of your choice, to move a bound

Each gets an environment of its own, with nothing else in it but what the tests need; it is removed at the end. The
index that pip is set up for has to be reachable. A lower bound that stands in `pyproject.toml` was tested by this.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
#: Of each extra the tests that its framework is tried with.
TESTS: Final = {
    "anthropic": "tests/adapters/test_anthropic.py",
    "langchain": "tests/adapters/test_langchain.py",
    "langgraph": "tests/adapters/test_langgraph_store.py",
    "llama-index": "tests/adapters/test_llama_index.py",
    "openai-agents": "tests/adapters/test_openai_agents.py",
    "pydantic-ai": "tests/adapters/test_pydantic_ai.py",
    "mcp": "tests/edges/mcp",
}
#: What tests need beside the framework.
_BESIDE: Final = {
    "langgraph": ["langgraph-checkpoint-sqlite"],
    "mcp": ["h11", "httpx", "starlette", "uvicorn"],
}
_BOUND: Final = re.compile(r"([\w.-]+)>=([\w.]+)")


def oldest(extra: str) -> list[str]:
    """The oldest version of each package of an extra, pinned."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    bounds = [_BOUND.match(needed) for needed in project["optional-dependencies"][extra]]
    return [f"{bound[1]}=={bound[2]}" for bound in bounds if bound is not None]


def tried(extra: str, pins: list[str]) -> bool:
    """Run an adapter's tests with these versions; whether they pass."""
    with tempfile.TemporaryDirectory(prefix="simonides-oldest-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        needed = [*pins, *_BESIDE.get(extra, []), "pytest>=9,<10", "hypothesis>=6.150,<7"]
        install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", str(ROOT), *needed]
        if subprocess.run(install, check=False).returncode:
            return False
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        tests = [python, "-m", "pytest", *options, TESTS[extra]]
        return not subprocess.run(tests, check=False, cwd=ROOT, env=environment).returncode


def main() -> None:
    """Try what the arguments name; exit with 1 where a test fails or nothing can be installed."""
    parser = argparse.ArgumentParser(description="Test adapters against the oldest versions that they allow.")
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help=f"of {', '.join(TESTS)}; all by default")
    parser.add_argument("--with", dest="pins", action="append", metavar="PACKAGE==VERSION")
    options = parser.parse_args()
    if unknown := sorted(set(options.extras) - set(TESTS)):
        parser.error(f"no such extra: {', '.join(unknown)}")
    failed: list[str] = []
    for extra in options.extras or TESTS:
        pins = options.pins or oldest(extra)
        print(f"{extra}: {', '.join(pins)}", flush=True)
        if not tried(extra, pins):
            failed.append(extra)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
