"""One run over the files of some folders: what changed of them is read, several at once, and kept, many at once."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from simonides.compose import Parts
from simonides.documents.folders import Closed, Listed, root_of
from simonides.documents.reading import Unread
from simonides.documents.secrets import without_secrets
from simonides.domain.document import Corpus, IngestReport, Left, ReadDocument
from simonides.domain.item import Item
from simonides.errors import InvalidInput
from simonides.parts.preparing import Aside, FileReader, FileRequest, is_read_aside, processes_for, reader_of
from simonides.writing.documents import PreparedDocument, PutDocument

#: New pieces, and files, that are committed together.
_PIECES: Final = 256
_FILES: Final = 64
#: Files that are read ahead, and bytes of them but for one file that is larger.
_AHEAD: Final = 64
_AHEAD_BYTES: Final = 8 << 20
_READERS: Final = 4
#: A file that was changed so shortly before it was read may be changed again at the same instant.
_RACY_NS: Final = 2_000_000_000


class _Coming(NamedTuple):
    """A file that is being read; without a future, one that is as it was."""

    listed: Listed
    future: Future[PreparedDocument | Unread | None] | None
    size: int


class Ingestion:
    """One run over the files of some folders."""

    def __init__(
        self,
        parts: Parts,
        corpus: Corpus,
        report: IngestReport,
        given: Sequence[Path],
        there: Mapping[str, Item],
        actor: str,
    ) -> None:
        self._parts = parts
        self._corpus = corpus
        self._report = report
        self._given = given
        self._there = there
        self._actor = actor
        #: How the paths of files below each folder begin, and its mark.
        self._folders = [
            (f"{path.resolve()}{os.sep}".replace(os.sep * 2, os.sep), _root_mark(path))
            for path in given
            if path.is_dir()
        ]
        self._roots = {mark for _, mark in self._folders}

    def take(
        self,
        listed: Sequence[Listed],
        progress: Callable[[int, int], None] | None = None,
        *,
        processes: int | None = None,
    ) -> None:
        """Read files and keep those that changed.

        Args:
            progress: Called with how many files are done, and of how many.
            processes: In which files are read beside this one; None for as many as are worth it.
        """
        is_real = not self._report.dry_run  # Else nothing is judged and embedded.
        done, waiting, same = 0, dict[str, list[PreparedDocument]](), dict[str, list[Item]]()
        changed = {one.path for one in listed if not self._is_as_it_was(one)}

        def settled() -> None:
            for root, documents in waiting.items():
                self._keep(documents, root or None)
            waiting.clear()
            for root, items in same.items():
                if is_real:
                    self._parts.documents.tie(items, root, actor=self._actor)
            same.clear()
            if progress is not None:
                progress(done, len(listed))

        if processes is None:
            size = sum(one.size for one in listed if one.path in changed)
            processes = processes_for(size) if is_real else 0
        processes = max(processes, any(map(is_read_aside, changed)))
        with (
            _threads(processes or _READERS) as threads,
            reader_of(self._parts.policy, self._parts.embedder, processes, judges=is_real) as reader,
        ):
            for one, read in self._read(listed, changed, reader, threads):
                done += 1
                if isinstance(read, Unread):
                    self._leave(one, read)
                elif read is not None:
                    waiting.setdefault(self._root(one), []).append(read)
                elif one.path in changed:
                    self._report.unchanged += 1
                if read is None and (root := self._root(one)) not in {"", _root_held(self._there[one.path])}:
                    same.setdefault(root, []).append(self._there[one.path])
                held = [document for some in waiting.values() for document in some]
                if (
                    len(held) + sum(map(len, same.values())) >= _FILES
                    or sum(len(one.reading.pieces) for one in held) >= _PIECES
                ):
                    settled()
        settled()

    def require_filled(self, listed: Sequence[Listed]) -> None:
        """Refuse a folder that documents came from and that has none any more.

        Raises:
            InvalidInput: There is one.
        """
        for folder in self._given:
            mark = _root_mark(folder)
            known = sum(_root_held(item) == mark for item in self._there.values())
            if mark in self._roots and known and not any(_holds(folder, one.file) for one in listed):
                raise InvalidInput(
                    f"{folder} holds no document any more, and {known:,} of {self._corpus.name!r} came from it; "
                    "see that its disk is there and that it is the right folder, or allow it to be empty "
                    "(allow-empty), which archives them"
                )

    def missing(self, listed: set[str], closed: Sequence[Closed], *, empties: bool) -> list[Item]:
        """Documents that came from the folders that were read, and are no longer in them.

        What cannot be read is named in the report, and no document is missing for it.

        Args:
            empties: Documents are missing, too, that empty folders held when nothing was taken out of these since.
        """
        gone = {
            path: item
            for path, item in self._there.items()
            if path not in listed and _root_held(item) in self._roots
        }
        for one in closed:
            root, reason = self._root_of(one.place), one.reason
            held = [path for path, item in gone.items() if one.holds(path) and _root_held(item) == root]
            if one.changed_ns is not None:
                # To take a file out of a folder changes that: this is the place of a disk that is not there.
                since = min((gone[path].updated_at * 1000 for path in held), default=0)
                if empties or one.changed_ns >= since:
                    continue
                reason = "the folder is empty and was so before; see that its disk is there, or allow it to be empty"
            self._report.refused.append(Left(self._parts.policy.redacted(one.path), reason))
            for path in held:
                del gone[path]
        return list(gone.values())

    def _root(self, one: Listed) -> str:
        """Mark of the folder that a file is of; empty for one that was given by its own path.

        Such a file stays one of the folder that it came from, if it lies there.
        """
        if root := self._root_of(one.file):
            return root
        known = self._there.get(one.path)
        held = "" if known is None else _root_held(known)
        return held if held and held == _root_mark(one.file.parent) else ""

    def _root_of(self, place: Path) -> str:
        """Mark of the folder that a file or folder lies in, or is; empty where it lies in none that is read."""
        begun = f"{place}{os.sep}"
        return next((mark for begins, mark in self._folders if begun.startswith(begins)), "")

    def _read(
        self,
        listed: Sequence[Listed],
        changed: set[str],
        reader: FileReader | Aside,
        threads: ThreadPoolExecutor,
    ) -> Iterator[tuple[Listed, PreparedDocument | Unread | None]]:
        """Readings of the files, in their order; None for one that is as it was."""
        ahead: deque[_Coming] = deque()
        size = 0

        def first() -> tuple[Listed, PreparedDocument | Unread | None]:
            nonlocal size
            one = ahead.popleft()
            size -= one.size
            return one.listed, None if one.future is None else one.future.result()

        for one in listed:
            if one.path in changed:
                while ahead and size + one.size > _AHEAD_BYTES:
                    yield first()
                ahead.append(_Coming(one, threads.submit(self._request, one, reader), one.size))
                size += one.size
            else:
                self._report.unchanged += 1
                ahead.append(_Coming(one, None, 0))
            if len(ahead) >= _AHEAD:
                yield first()
        while ahead:
            yield first()

    def _request(self, one: Listed, reader: FileReader | Aside) -> PreparedDocument | Unread | None:
        known = self._there.get(one.path)
        request = FileRequest(
            file=one.file,
            path=one.path,
            root=root_of(one.file, self._given),
            corpus=self._corpus,
            at=self._parts.clock.now(),
            sha256=None if known is None else known.metadata["value"]["sha256"],
            # Who only reads has no use for them.
            known=frozenset()
            if known is None or isinstance(reader, FileReader)
            else self._parts.documents.marks(known),
        )
        read = reader.read(request)
        if isinstance(read, ReadDocument):
            return PreparedDocument(without_secrets(read, self._parts.policy))
        return read

    def _leave(self, one: Listed, why: Unread) -> None:
        if why.skipped:
            self._report.left_out[str(why)] = self._report.left_out.get(str(why), 0) + 1
        else:
            self._report.refused.append(Left(self._parts.policy.redacted(one.path), str(why)))

    def _is_as_it_was(self, one: Listed) -> bool:
        """True if neither size nor time of a file changed, and its time is too long past to hide a change."""
        known = self._there.get(one.path)
        if known is None:
            return False
        value = known.metadata["value"]
        settled = one.modified_ns + _RACY_NS < known.updated_at * 1000
        return (value["size"], value.get("modified_ns")) == (one.size, one.modified_ns) and settled

    def _keep(self, documents: Sequence[PreparedDocument], root: str | None) -> None:
        keeper = self._parts.documents
        if self._report.dry_run:
            done = keeper.changes(documents, self._corpus)
        else:
            done = keeper.put(documents, self._corpus, root=root, actor=self._actor)
        for one in done:
            if isinstance(one, Left):
                self._report.refused.append(one)
            else:
                self._count(one)

    def _count(self, one: PutDocument) -> None:
        (self._report.added if one.is_new else self._report.changed).append(one.document.path)
        self._report.chunks_added += one.added
        self._report.chunks_changed += one.changed
        self._report.chunks_removed += one.removed
        self._report.refused += [Left(one.document.path, why) for why in one.document.refused]


@contextmanager
def _threads(number: int) -> Generator[ThreadPoolExecutor]:
    """Threads; what they have not begun when it ends is left alone."""
    made = ThreadPoolExecutor(number, thread_name_prefix="simonides-reader")
    try:
        yield made
    finally:
        made.shutdown(cancel_futures=True)


def _root_held(document: Item) -> str:
    """Mark of the folder that a document came from; empty where it came from none."""
    return str(document.metadata["value"].get("root") or "")


def _root_mark(path: Path) -> str:
    """Mark of a folder that does not tell where it lies."""
    return hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _holds(folder: Path, file: Path) -> bool:
    return folder.is_dir() and file.is_relative_to(folder.resolve())
