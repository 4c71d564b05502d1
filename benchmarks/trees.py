"""Versions of the package that can be measured: this one, and source trees of others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import simonides
from benchmarks import rounds
from benchmarks.report import commit
from benchmarks.stores import schema_of
from benchmarks.timing import fresh
from simonides.errors import InvalidInput

_FIRST_HIT: Final = """
import json, sys
from dataclasses import fields
from simonides import Memory
from simonides.config import Settings, load
sections = {found.name for found in fields(Settings)}
given = {name: value for name, value in json.loads(sys.argv[4]).items() if name.split("_")[1].lower() in sections}
memory = Memory(sys.argv[1], settings=load(None, given))
hits = len(memory.search(sys.argv[2], scope=sys.argv[3]))
try:
    with open("/proc/self/status") as status:
        used = next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
except OSError:
    import resource
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
print(hits, used, flush=True)
memory.close()
"""


@dataclass(frozen=True, slots=True)
class Tree:
    """A version of the package.

    Attributes:
        label: How tables name it.
        folder: Where its `simonides/` is.
        settings: Variables of the environment that set something; a section that it does not have yet
            is left out.
    """

    label: str
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def own(cls, settings: Mapping[str, str]) -> Tree:
        """The version that runs."""
        return cls("here", Path(simonides.__file__).parents[1], settings)

    @classmethod
    def other(cls, source: Path, settings: Mapping[str, str]) -> Tree:
        """The version in a folder that holds `simonides/` or `src/simonides/`.

        Raises:
            InvalidInput: There is none.
        """
        for folder in (source, source / "src"):
            if (folder / "simonides" / "__init__.py").is_file():
                return cls("there", folder.resolve(), settings)
        raise InvalidInput(
            f"{source} holds no package simonides; give the folder above it, such as SRC of `git worktree add`"
        )

    @property
    def commit(self) -> str | None:
        """The commit that it is at, where that is known."""
        return commit(self.folder / "simonides")

    @property
    def schema(self) -> str:
        """Names the schema of its stores: versions with the same schema can read each other's."""
        return schema_of(self.folder / "simonides")

    def run(self, plan: Mapping[str, Any], place: Path) -> dict[str, Any]:
        """Have a fresh process of this version do a round (`rounds.py`).

        Args:
            place: Working folder, in which there is no settings file.
        """
        done = subprocess.run(  # noqa: S603 - this interpreter with our own code
            [sys.executable, "-P", rounds.__file__],
            input=json.dumps(dict(plan, settings=self.settings)),
            stdout=subprocess.PIPE,
            text=True,
            check=False,
            cwd=place,
            env=self._environment(),
        )
        if done.returncode:
            raise RuntimeError(f"measuring {self.label} ended with {done.returncode}; its error stands above")
        answer = json.loads(done.stdout)
        assert Path(answer["package"]).resolve() == (self.folder / "simonides").resolve(), answer["package"]
        return answer

    def first_hit(
        self, path: Path, question: str, scope: str, place: Path, attempts: int
    ) -> tuple[float, float]:
        """Seconds from starting an interpreter to its first hits, and the MB that it then holds."""
        arguments = [str(path), question, scope, json.dumps(self.settings)]
        spent, words = fresh(_FIRST_HIT, arguments, place, attempts, self._environment())
        return spent, float(words[1])

    def _environment(self) -> dict[str, str]:
        # Compiled modules are kept: one version must not have to compile its own each time.
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return dict(kept, PYTHONPATH=str(self.folder))
