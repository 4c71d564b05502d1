"""The files of a folder that are somebody's own: none that is hidden, ignored, or reached through a link."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from simonides.domain.document import Left, valid_path
from simonides.errors import InvalidInput
from simonides.governance.patterns import PatternError
from simonides.values import dataclass

LINK: Final = "a link"
IGNORED: Final = "ignored by .gitignore"
HIDDEN: Final = "a hidden folder"
_IGNORE: Final = ".gitignore"
_NEVER: Final = frozenset({"node_modules", "__pycache__", ".git", ".hg", ".svn", ".venv", "venv"})
#: Pairs of a folder, with its slash, and the patterns that hold below it, the outermost first.
Rules = tuple[tuple[str, Any], ...]


class Listed(NamedTuple):
    """A file below a folder.

    Attributes:
        path: As its document is called.
    """

    file: Path
    path: str
    size: int
    modified_ns: int


class Passed(NamedTuple):
    """A folder that was not entered, and why."""

    path: str
    reason: str


class Closed(NamedTuple):
    """A file or folder that tells nothing of what was there: it cannot be read, or is an empty folder.

    Attributes:
        place: Where it lies.
        changed_ns: When something was last put into an empty folder, or taken out of it; None of what cannot be read.
    """

    path: str
    reason: str
    place: Path
    changed_ns: int | None = None

    def holds(self, path: str) -> bool:
        """True if the document of a path is this file, or lies below this folder."""
        return not self.path or path == self.path or path.startswith(f"{self.path}/")


@dataclass(frozen=True, slots=True)
class Entered:
    """Folders that a reader enters.

    Attributes:
        packages: Names of folders with what others wrote.
        shown: Hidden folders that are entered, by name.
        environments: Environments of Python are entered, too, whatever their name.
        ignored: Folders that a `.gitignore` names are entered, too.
    """

    packages: frozenset[str] = _NEVER
    shown: frozenset[str] = frozenset()
    environments: bool = True
    ignored: bool = False


def files_of(given: Sequence[Path]) -> Iterator[Listed | Left | Closed]:
    """Files of folders and single files, each folder's in alphabetical order.

    Raises:
        InvalidInput: There is nothing at a path, or it cannot be read, or two of them give one document.
    """
    seen: set[str] = set()
    for path in given:
        try:
            there = path.exists()
        except (OSError, ValueError) as error:  # Too long for a name, or with a NUL in it.
            raise InvalidInput(f"{str(path)[:200]} cannot be a path: {error}") from error
        if not there:
            raise InvalidInput(f"there is no {path} to ingest")
        files = below(path.resolve(), Entered()) if path.is_dir() else [_listed(path, path.name)]
        for one in files:
            if isinstance(one, Passed):
                continue
            if isinstance(one, Closed) and one.changed_ns is None and one.place in {path, path.resolve()}:
                raise InvalidInput(f"{path}: {one.reason}")
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


def below(folder: Path, entered: Entered) -> Iterator[Listed | Left | Passed | Closed]:
    """Files below a folder by their paths in it, in alphabetical order, and what is passed by.

    Raises:
        InvalidInput: A file above it that says what is ignored cannot be read.
    """
    try:
        inside, rules = ("", ()) if entered.ignored else _rules_above(folder)
    except OSError as error:
        raise InvalidInput(f"what is ignored in {folder} cannot be told: {error}") from error
    for one in _below(folder, inside, rules, entered):
        yield one._replace(path=one.path.removeprefix(inside).removesuffix("/"))


def _rules_above(folder: Path) -> tuple[str, Rules]:
    """Place of a folder in its repository, and the patterns that the repository has for what is below it.

    A folder that is ignored itself was named on purpose: it has none.
    """
    top = next((above for above in (folder, *folder.parents) if (above / ".git").exists()), None)
    if top is None:
        return "", ()
    steps = folder.relative_to(top).parts
    exclude = _repository(top) / "info" / "exclude"
    rules: Rules = (("", _patterns(exclude)),) if exclude.is_file() else ()
    for count in range(len(steps)):
        file = top.joinpath(*steps[:count], _IGNORE)
        if file.is_file():
            rules = (*rules, ("".join(f"{step}/" for step in steps[:count]), _patterns(file)))
    inside = "".join(f"{step}/" for step in steps)
    return inside, () if inside and _is_ignored(inside, rules) else rules


def _repository(top: Path) -> Path:
    """The folder that git keeps of a working tree: `.git`, or the one that a file of that name leads to."""
    named = top / ".git"
    if named.is_file():
        named = top / named.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
    shared = named / "commondir"
    return named / shared.read_text("utf-8", "replace").strip() if shared.is_file() else named


def _below(
    folder: Path, inside: str, rules: Rules, entered: Entered
) -> Iterator[Listed | Left | Passed | Closed]:
    """Files below a folder, and what is passed by.

    Args:
        inside: What their paths begin with, with its slash.
    """
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
        kinds = [(entry.is_symlink(), entry.is_dir(follow_symlinks=False)) for entry in listed]
        ignores = not entered.ignored and any(
            entry.name == _IGNORE and not any(kind) for entry, kind in zip(listed, kinds, strict=True)
        )
        rules = (*rules, (inside, _patterns(folder / _IGNORE))) if ignores else rules
        changed_ns = folder.stat().st_mtime_ns
    except OSError as error:
        name = f"the {_IGNORE} of the folder" if Path(error.filename or "").name == _IGNORE else "the folder"
        yield Closed(inside, f"{name} cannot be read: {error.strerror}", folder)
        return
    if not listed:
        yield Closed(inside, "the folder is empty", folder, changed_ns)
    if not entered.environments and any(entry.name == "pyvenv.cfg" for entry in listed):
        yield Passed(inside or folder.name, "a folder of packages")
        return
    for entry, (is_link, is_folder) in zip(listed, kinds, strict=True):
        path = f"{inside}{entry.name}"
        if is_link:
            yield Left(path, LINK)
            continue
        is_hidden = entry.name.startswith(".") and entry.name not in entered.shown
        if is_hidden or entry.name in entered.packages:
            if is_folder:
                yield Passed(path, HIDDEN if is_hidden else "a folder of packages")
            elif entry.name != _IGNORE:
                yield Left(path, "a hidden file")
            continue
        if _is_ignored(f"{path}/" if is_folder else path, rules):
            yield Passed(path, IGNORED) if is_folder else Left(path, IGNORED)
            continue
        if is_folder:
            yield from _below(folder / entry.name, f"{path}/", rules, entered)
        else:
            yield _listed(folder / entry.name, path)


def _listed(file: Path, path: str) -> Listed | Left | Closed:
    try:
        valid_path(path)
        stat = file.stat(follow_symlinks=False)
    except InvalidInput as error:
        return Left(path.encode("utf-8", "replace").decode(), str(error))
    except FileNotFoundError:  # It was there when the folder was listed.
        return Left(path, "a file that is gone")
    except OSError as error:
        return Closed(path, f"it cannot be read: {error.strerror}", file)
    return Listed(file, path, stat.st_size, stat.st_mtime_ns)


def _patterns(file: Path) -> Any:
    """The patterns of a `.gitignore`; a line that is none ignores nothing, as with git.

    Raises:
        OSError: It cannot be read.
    """
    from pathspec import GitIgnoreSpec  # noqa: PLC0415 - where there is something to ignore

    try:
        lines = file.read_text("utf-8-sig", errors="replace").splitlines()
    except (FileNotFoundError, IsADirectoryError):
        lines = list[str]()  # It was a file when the folder was listed.
    known: list[str] = []
    with warnings.catch_warnings(
        action="ignore", category=FutureWarning
    ):  # `[[:alpha:]]` is to be another pattern.
        for line in lines:
            with suppress(ValueError, re.error, PatternError):
                GitIgnoreSpec.from_lines([line])
                known.append(line)
        return GitIgnoreSpec.from_lines(known)


def _is_ignored(path: str, rules: Rules) -> bool:
    """True if the nearest `.gitignore` that says anything of a path ignores it."""
    for inside, patterns in reversed(rules):
        ignored = patterns.check_file(path.removeprefix(inside)).include
        if ignored is not None:
            return bool(ignored)
    return False
