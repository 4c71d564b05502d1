"""Changes of a file of somebody else's: shown first, made whole or not at all, with the former file beside it."""

from __future__ import annotations

import codecs
import difflib
import shutil
import tempfile
import time
from pathlib import Path

from simonides.errors import InvalidInput
from simonides.exports.placing import require_no_store
from simonides.values import dataclass


@dataclass(frozen=True, slots=True)
class FileChange:
    """A change of a file, not yet made.

    Attributes:
        before: Its text; None where there is no file.
    """

    path: Path
    before: str | None
    after: str

    @property
    def needed(self) -> bool:
        """False where the file says it already."""
        return self.before != self.after

    def shown(self) -> str:
        """The change, line by line."""
        before, after = ((text or "").splitlines(keepends=True) for text in (self.before, self.after))
        lines = difflib.unified_diff(before, after, str(self.path), str(self.path), n=1)
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

    def made(self) -> Path | None:
        """Make it; where the former file is kept, if there was one.

        Raises:
            InvalidInput: The file belongs to a store.
        """
        path = self.path.resolve()
        require_no_store(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept: Path | None = None
        encoding = "utf-8-sig" if _is_marked(path) else "utf-8"
        if self.before is not None:
            kept = path.with_name(f"{path.name}.{time.strftime('%Y%m%d-%H%M%S')}.bak")
            shutil.copy2(path, kept)
        with tempfile.NamedTemporaryFile(
            "w", encoding=encoding, newline="", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            file.write(self.after)
        if kept is not None:
            shutil.copymode(kept, file.name)
        Path(file.name).replace(path)
        return kept


def text_of(path: Path) -> str | None:
    """Text of a file, without the byte order mark that it may begin with; None where there is none.

    Raises:
        InvalidInput: It is no text.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InvalidInput(f"{path} is no text in UTF-8") from None


def _is_marked(path: Path) -> bool:
    """True of a file that begins with a byte order mark, as some editors write it."""
    try:
        with path.open("rb") as file:
            return file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8
    except FileNotFoundError:
        return False
