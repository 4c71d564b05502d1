"""Contents of an installation without extras."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import simonides


@cache
def base_install() -> tuple[dict[str, int], int]:
    """The distributions that `simonides` needs without extras, itself included.

    Returns:
        Bytes on disk of each by name, and their sum. Compiled bytecode does not count.
    """
    sizes: dict[str, int] = {}
    waiting = ["simonides"]
    while waiting:
        name = _canonical(waiting.pop())
        if name in sizes:
            continue
        try:
            found = distribution(name)
        except PackageNotFoundError:
            continue  # Wanted on other systems or Python versions only.
        sizes[name] = _bytes_of(found)
        waiting += [
            match[0]
            for requirement in found.requires or []
            if "extra" not in requirement.partition(";")[2]
            and (match := re.match(r"[A-Za-z0-9._-]+", requirement)) is not None
        ]
    return dict(sorted(sizes.items())), sum(sizes.values())


def _bytes_of(found: Distribution) -> int:
    files = {Path(str(file.locate())).resolve() for file in found.files or []}
    if _canonical(found.name) == "simonides":
        # An editable installation lists a pointer only.
        files |= {file.resolve() for file in Path(simonides.__file__).parent.rglob("*")}
    return sum(file.stat().st_size for file in files if file.is_file() and file.suffix != ".pyc")


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
