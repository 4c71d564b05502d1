"""The files of a folder that may be documents: none that is hidden, ignored, or reached through a link."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from simonides.domain.document import Left, valid_path
from simonides.errors import InvalidInput, ProviderUnavailable
from simonides.governance.patterns import PatternError

_IGNORE: Final = ".gitignore"
_NEVER: Final = frozenset({"node_modules", "__pycache__", ".git", ".hg", ".svn", ".venv", "venv"})


class Listed(NamedTuple):
    """A file below a folder.

    Attributes:
        path: As its document is called.
    """

    file: Path
    path: str
    size: int
    modified_ns: int


def files_of(given: Sequence[Path]) -> Iterator[Listed | Left]:
    """Files of folders and single files, each folder's in alphabetical order.

    Raises:
        InvalidInput: There is nothing at a path, or two of them give one document.
        ProviderUnavailable: A folder has a `.gitignore`, and the package that reads it is not installed.
    """
    seen: set[str] = set()
    for path in given:
        try:
            there = path.exists()
        except (OSError, ValueError) as error:  # Too long for a name, or with a NUL in it.
            raise InvalidInput(f"{str(path)[:200]} cannot be a path: {error}") from error
        if not there:
            raise InvalidInput(f"there is no {path} to ingest")
        files = _below(path.resolve(), "", ()) if path.is_dir() else [_listed(path, path.name)]
        for one in files:
            if isinstance(one, Listed) and one.path in seen:
                raise InvalidInput(
                    f"two of the folders have a file {one.path}; ingest them into corpora of their own"
                )
            if isinstance(one, Listed):
                seen.add(one.path)
            yield one


def root_of(file: Path, given: Sequence[Path]) -> Path:
    """The folder that a file was found in."""
    for path in given:
        root = path.resolve() if path.is_dir() else path.parent.resolve()
        if file.resolve().is_relative_to(root):
            return root
    return file.parent.resolve()


def _below(folder: Path, inside: str, rules: tuple[tuple[str, Any], ...]) -> Iterator[Listed | Left]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        yield Left(inside or folder.name, f"the folder cannot be read: {error.strerror}")
        return
    if any(entry.name == _IGNORE and entry.is_file(follow_symlinks=False) for entry in listed):
        rules = (*rules, (inside, _patterns(folder / _IGNORE)))
    for entry in listed:
        path = f"{inside}{entry.name}"
        if entry.is_symlink():
            yield Left(path, "a link")
            continue
        is_folder = entry.is_dir(follow_symlinks=False)
        if entry.name.startswith(".") or entry.name in _NEVER:
            if not is_folder and entry.name != _IGNORE:
                yield Left(path, "a hidden file")
            continue
        if _is_ignored(f"{path}/" if is_folder else path, rules):
            if not is_folder:
                yield Left(path, "ignored by .gitignore")
            continue
        if is_folder:
            yield from _below(folder / entry.name, f"{path}/", rules)
        else:
            yield _listed(folder / entry.name, path)


def _listed(file: Path, path: str) -> Listed | Left:
    try:
        valid_path(path)
        stat = file.stat(follow_symlinks=False)
    except InvalidInput as error:
        return Left(path.encode("utf-8", "replace").decode(), str(error))
    except OSError as error:
        return Left(path, f"it cannot be read: {error.strerror}")
    return Listed(file, path, stat.st_size, stat.st_mtime_ns)


def _patterns(file: Path) -> Any:
    """The patterns of a `.gitignore`; a line that is none ignores nothing, as with git."""
    try:
        from pathspec import GitIgnoreSpec  # noqa: PLC0415 - where there is something to ignore
    except ImportError as error:
        raise ProviderUnavailable(
            f"{file} is read by the extra `documents`: pip install 'simonides[documents]'"
        ) from error
    try:
        lines = file.read_text("utf-8-sig", errors="replace").splitlines()
    except (FileNotFoundError, IsADirectoryError):
        lines = list[str]()  # It was a file when the folder was listed.
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read: {error}") from error
    known: list[str] = []
    with warnings.catch_warnings(
        action="ignore", category=FutureWarning
    ):  # `[[:alpha:]]` is to be another pattern.
        for line in lines:
            with suppress(ValueError, re.error, PatternError):
                GitIgnoreSpec.from_lines([line])
                known.append(line)
        return GitIgnoreSpec.from_lines(known)


def _is_ignored(path: str, rules: tuple[tuple[str, Any], ...]) -> bool:
    """True if the nearest `.gitignore` that says anything of a path ignores it."""
    for inside, patterns in reversed(rules):
        ignored = patterns.check_file(path.removeprefix(inside)).include
        if ignored is not None:
            return bool(ignored)
    return False
