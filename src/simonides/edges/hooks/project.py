"""Project of a folder, by its repository."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

_REMOTE: Final = re.compile(r'^\[remote "origin"\]\s*$(?:\n(?!\[).*)*?\n\s*url\s*=\s*(\S+)', re.MULTILINE)
_URL: Final = re.compile(
    r"^(?:[a-z+]+://)?(?:[^@/]+@)?([^/:]+)(?::\d+(?=/))?[:/]+(.+?)(?:\.git)?/*$", re.IGNORECASE
)
_ODD: Final = re.compile(r"[^\w.-]+")
_NAME_CHARS: Final = 60
#: Of a hash, so that projects of one name are told apart.
_MARK: Final = 8


def project_of(folder: str) -> str | None:
    """Name of the project that a folder belongs to; None outside a repository.

    All clones of one origin are one project, and so are all worktrees of a repository that has none. The name ends
    with a mark of the whole address: another project of the same name is another one.
    """
    if (repository := _repository(Path(folder))) is None:
        return None
    match = _REMOTE.search(_text(repository / "config"))
    address = match[1] if match else ""
    url = _URL.match(address)
    if url is not None:
        whole, name = f"{url[1]}/{url[2]}".lower(), url[2].rpartition("/")[2]
    else:
        whole = address or str(repository)
        name = (repository.parent if repository.name == ".git" else repository).name
    mark = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{_ODD.sub('-', name)[:_NAME_CHARS].strip('-') or 'project'}-{mark}"


def _repository(folder: Path) -> Path | None:
    """The folder that holds a repository's configuration, shared by its worktrees."""
    for above in (folder, *folder.parents):
        place = above / ".git"
        if place.is_dir():
            return place
        if place.is_file():
            inner = (above / _text(place).removeprefix("gitdir:").strip()).resolve()
            common = _text(inner / "commondir").strip()
            return (inner / common).resolve() if common else inner
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")[:100_000]
    except OSError:
        return ""
