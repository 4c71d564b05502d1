"""TOML files of the package, parsed once and kept where Python keeps compiled modules."""

from __future__ import annotations

import tomllib
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable
    from types import CodeType


def toml(file: Traversable) -> Mapping[str, Any]:
    """The content of a file of the package. Where nothing can be kept, it is parsed each time."""
    if not isinstance(file, Path):
        return tomllib.loads(file.read_text("utf-8"))  # In an archive.
    tables: dict[str, Any] = {}
    code = _Toml(file.stem, str(file)).get_code(file.stem)
    assert code is not None
    exec(code, tables)  # noqa: S102 - a literal
    return tables["content"]


class _Toml(SourceFileLoader):
    """The import system's own loader, which keeps compiled code until its source is another one."""

    def source_to_code(self, data: Any, path: Any, **options: int) -> CodeType:  # type: ignore[override]
        content = tomllib.loads(bytes(data).decode("utf-8"))
        return super().source_to_code(f"content = {content!r}", path, **options)
