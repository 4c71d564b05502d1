"""TOML files and patterns of the package, worked through once and kept where Python keeps compiled modules."""

from __future__ import annotations

import atexit
import marshal
import re
import sys
import tomllib
import zlib
from array import array
from hashlib import blake2b
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

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


def compiled(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Compile an expression as `re.compile` does, in a twentieth of the time once another process has done so.

    Those of six languages take a second of each process that extracts for the first time. What one process compiles is
    kept at its end, beside the compiled modules; where nothing can be kept, each compiles for itself.

    Args:
        expression: One of the package's own: nothing that is a user's may be kept there.
    """
    return _patterns.compiled(expression, int(flags))


_DIGEST: Final = 16


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()


class _Patterns:
    """Codes that expressions were compiled to, by a digest of them: of this very interpreter, never of another."""

    #: More were left by sources that have changed since.
    _MOST: Final = 3_000

    def __init__(self) -> None:
        self._lock = Lock()
        self._loaded: dict[bytes, tuple[Any, ...]] | None = None
        self._new: dict[bytes, tuple[Any, ...]] = {}

    def compiled(self, expression: str, flags: int) -> re.Pattern[str]:
        try:
            interpreter: Any = import_module("_sre")
            name = _digest(f"{flags} {expression}".encode())
            if self._loaded is None:
                self._loaded = self._read()
            entry = self._loaded.get(name)
            if entry is None:
                entry = self._assembled(expression, flags)
                self._keep(name, entry)
            own_flags, packed, groups, by_name, names = entry
            code = array("I", zlib.decompress(packed)).tolist()
            return interpreter.compile(expression, own_flags, code, groups, by_name, names)
        except (ImportError, AttributeError, NotImplementedError, TypeError, ValueError, RuntimeError):
            # Another interpreter, which compiles in its own way.
            return re.compile(expression, flags)

    def _assembled(self, expression: str, flags: int) -> tuple[Any, ...]:
        """Code and groups of an expression, as `re.compile` hands them to the interpreter."""
        parser: Any = import_module("re._parser")
        compiler: Any = import_module("re._compiler")
        parsed = parser.parse(expression, flags)
        code: list[int] = compiler._code(parsed, flags)  # noqa: SLF001 - held to `re.compile` by the tests
        state: Any = parsed.state
        names: list[str | None] = [None] * state.groups
        for group, number in state.groupdict.items():
            names[number] = group
        packed = zlib.compress(array("I", code).tobytes(), 1)
        return flags | state.flags, packed, state.groups - 1, dict(state.groupdict), tuple(names)

    def _keep(self, name: bytes, entry: tuple[Any, ...]) -> None:
        with self._lock:
            if not self._new:
                atexit.register(self._write)
            self._new[name] = entry
            if self._loaded is not None:
                self._loaded[name] = entry

    @property
    def _file(self) -> Path:
        return Path(cache_from_source(__file__)).with_suffix(".patterns")

    @property
    def _stamp(self) -> list[Any]:
        interpreter: Any = import_module("_sre")
        return [sys.version, interpreter.MAGIC, interpreter.CODESIZE, array("I").itemsize]

    def _read(self) -> dict[bytes, tuple[Any, ...]]:
        try:
            data = self._file.read_bytes()
        except OSError:
            return {}
        # A damaged one is not even looked at.
        if _digest(data[_DIGEST:]) != data[:_DIGEST]:
            return {}
        stamp, entries = marshal.loads(data[_DIGEST:])  # noqa: S302 - as trusted as the modules beside it
        return entries if stamp == self._stamp else {}

    def _write(self) -> None:
        if sys.dont_write_bytecode:
            return
        entries = self._read()
        if len(entries) + len(self._new) > self._MOST:
            entries = {}
        # Written beside it and moved into its place; where that is not allowed, nothing is.
        data = marshal.dumps((self._stamp, entries | self._new))
        SourceFileLoader("patterns", __file__).set_data(str(self._file), _digest(data) + data)


_patterns: Final = _Patterns()
