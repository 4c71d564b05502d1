"""The documents of a Memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Unpack

from simonides.compose import Parts
from simonides.domain.batches import batches
from simonides.domain.document import (
    CHUNK,
    CORPORA,
    DOCUMENTS,
    Comparison,
    Corpus,
    Document,
    IngestReport,
    Left,
    valid_corpus,
    valid_path,
)
from simonides.domain.flag import flag
from simonides.domain.item import Item, Status
from simonides.domain.provenance import Origin
from simonides.domain.record import RecordPut, RecordVersion, stands, under
from simonides.domain.scope import Scope
from simonides.domain.selection import ItemOrder, Selection
from simonides.domain.text import short_text, valid_text
from simonides.errors import InvalidInput, InvalidText, NotFound
from simonides.parts.arguments import (
    Whose,
    callback,
    checked_offset,
    count,
    person_or_engine,
    place_of,
)
from simonides.parts.purging import purge
from simonides.parts.records import versions_of
from simonides.writing.corpora import Beside, beside, by_path
from simonides.writing.records import at_address

if TYPE_CHECKING:
    from simonides.writing.documents import DocumentKeeper

_DELETED_AT_ONCE: Final = 64
_PAGE: Final = 500
_EVERY: Final = 1_000_000_000


class Documents:
    """Documents in corpora: each a record with its versions, its text in chunks that searches find.

    A corpus belongs to exactly its scope. What is put again keeps the chunks that say what they said.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def put(
        self,
        corpus: str,
        path: str,
        text: str | bytes,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Document:
        """Keep a text, or the bytes of a file, as a document.

        Args:
            corpus: Its name; made where there is none of it.
            path: What it is called, such as `docs/guide.md`. The ending says how it is cut.

        Raises:
            InvalidInput: The path leads elsewhere, or the bytes are no document.
            InvalidText: The policy refuses the path or title.
            ProviderUnavailable: The format needs the extra `documents`.
            Busy: Too many files are being read; nothing was done.

        Guarantees:
            It is there whole when this returns, or not at all.
        """
        from simonides.documents.reading import Unread, read_bytes, read_text  # noqa: PLC0415 - where there are any
        from simonides.documents.secrets import without_secrets  # noqa: PLC0415
        from simonides.parts.preparing import is_read_aside, read_aside  # noqa: PLC0415
        from simonides.writing.documents import PreparedDocument  # noqa: PLC0415

        by = person_or_engine(self._parts, actor)
        place, name = self._made(corpus, place_of(self.put, scope, whose), by), valid_path(path)
        try:
            if not isinstance(text, bytes | bytearray | memoryview):
                reading = read_text(valid_text(text, name="the text"), name)
            elif is_read_aside(name):
                reading = read_aside(bytes(text), name, place)
            else:
                reading = read_bytes(bytes(text), name)
        except Unread as error:
            raise InvalidInput(f"{name}: {error}") from error
        clean = without_secrets(reading, self._parts.policy)
        [done] = self._keeper.put([PreparedDocument(clean)], place, actor=by)
        if isinstance(done, Left):
            raise InvalidText(f"{done.path}: {done.reason}")
        return done.document

    def get(
        self, corpus: str, path: str, *, scope: str | None = None, **whose: Unpack[Whose]
    ) -> Document | None:
        """The document of a path; None where there is none."""
        known = self._item(corpus, path, place_of(self.get, scope, whose))
        return None if known is None or known.status is Status.ARCHIVED else Document.of(known)

    def chunks(
        self, corpus: str, path: str, *, scope: str | None = None, **whose: Unpack[Whose]
    ) -> list[Item]:
        """The chunks of a document in the order of its text.

        Raises:
            NotFound: There is no such document.
        """
        from simonides.writing.documents import chunks_of  # noqa: PLC0415 - where there are any

        document = self._standing(corpus, path, place_of(self.chunks, scope, whose))
        with self._parts.reading() as reader:
            return chunks_of(reader, document)

    def list(
        self,
        corpus: str,
        prefix: str = "",
        *,
        scope: str | None = None,
        limit: int = 100,
        offset: int = 0,
        **whose: Unpack[Whose],
    ) -> list[Document]:
        """Documents of a corpus, or of a folder in it, as they were first put."""
        most, first = count(limit, "limit"), checked_offset(offset)
        if not isinstance(prefix, str):
            raise InvalidInput(f"prefix is the path of a folder, not {type(prefix).__name__}")
        documents = self._every(valid_corpus(corpus), place_of(self.list, scope, whose), prefix)
        return [Document.of(item) for item in islice(documents, first, first + most)]

    def delete(
        self,
        corpus: str,
        path: str | None = None,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> int:
        """Archive a document with its chunks, or a corpus with all that it holds; how many documents.

        Its versions stay, as archived items do, until it is purged.
        """
        by, place = person_or_engine(self._parts, actor), place_of(self.delete, scope, whose)
        name = valid_corpus(corpus)
        if path is not None:
            known = self._item(name, path, place)
            gone = [] if known is None or known.status is Status.ARCHIVED else [known]
            self._keeper.delete(gone, actor=by)
            return len(gone)
        documents = list(self._every(name, place))
        self._delete(documents, by)
        put = RecordPut(space=(CORPORA,), key=name, value=None)
        self._parts.records.put([put], place, actor=by)
        return len(documents)

    def purge(
        self,
        corpus: str,
        path: str | None = None,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Mapping[str, int]:
        """Remove a document, or a corpus with all that it holds and held, with every version, chunk and trace.

        It cannot be undone. What was made from its chunks goes along, as of `Memory.purge`.

        Returns:
            Counts of what went, as `Memory.purge` gives them.

        Raises:
            NeedsApproval: A model is to do it.
            Conflict: Something that was made from them is being changed at present; nothing was removed.
        """
        by, place = person_or_engine(self._parts, actor), place_of(self.purge, scope, whose)
        name = valid_corpus(corpus)
        every = Selection(scopes=(place,), live_at=None, statuses=frozenset(Status))
        chunks = replace(every, types=frozenset({CHUNK}), corpus_id=name)
        if path is None:
            known = self._corpus_item(name, place)
            records = list(self._selected(replace(every, space=under((DOCUMENTS, name)))))
        else:
            known, records = self._item(name, path, place), []
            chunks = replace(chunks, path=valid_path(path))
        # What lies in a folder of that name is another document's.
        held = (
            chunk
            for chunk in self._selected(chunks)
            if path is None or chunk.provenance.source_id == chunks.path
        )
        gone = [*([] if known is None else [known]), *records, *held]
        return purge(self._parts, [item.id for item in gone], None, keep_derived=False, actor=by)

    def history(
        self, corpus: str, path: str, *, scope: str | None = None, **whose: Unpack[Whose]
    ) -> list[RecordVersion]:
        """Every version of a document, oldest first, its end included; none where there never was one."""
        known = self._item(corpus, path, place_of(self.history, scope, whose))
        return [] if known is None else versions_of(self._parts, known)

    # Corpora

    def corpora(self, *, scope: str | None = None, **whose: Unpack[Whose]) -> list[Corpus]:
        """The corpora of a scope by name, with how much they hold."""
        place = place_of(self.corpora, scope, whose)
        chosen = Selection(
            scopes=(place,),
            live_at=self._parts.clock.now(),
            types=frozenset({"record"}),
            space=under((CORPORA,)),
        )
        with self._parts.reading() as reader:
            corpora = [_corpus(item) for item in reader.select(chosen, limit=_EVERY).values()]
        return sorted((self._counted(one) for one in corpora), key=lambda one: one.name)

    def corpus(
        self,
        name: str,
        *,
        scope: str | None = None,
        label: str | None = None,
        parent: str | None = None,
        injectable: bool | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Corpus:
        """A corpus, made where there is none of the name, with what is said of it now.

        Args:
            label: What people call it.
            parent: Name of the corpus that it is a version or part of.
            injectable: Whether its chunks may be put into prompts unasked. What gives orders never is.
        """
        by, place = person_or_engine(self._parts, actor), place_of(self.corpus, scope, whose)
        changes: dict[str, Any] = {}
        if label is not None:
            changes["label"] = short_text(label, name="the label")
        if parent is not None:
            changes["parent"] = valid_corpus(parent)
        if injectable is not None:
            changes["injectable"] = flag(injectable, "injectable")
        before = self._made(name, place, by)
        after = replace(before, **changes)
        if after != before:
            self._keep(after, by)
        if after.injectable != before.injectable:
            for chunks in self._pages(after):
                self._keeper.allow(after, chunks, actor=by)
        return self._counted(after)

    def compare(
        self, first: str, second: str, *, scope: str | None = None, **whose: Unpack[Whose]
    ) -> Comparison:
        """Tell two corpora apart, chunk by chunk: by rule where chunks have a `rule_id`, else by what they say.

        Chunks of one path and place that say something else are modified.

        Raises:
            NotFound: There is no such corpus.
        """
        place = place_of(self.compare, scope, whose)
        one, other = (self._known(name, place) for name in (first, second))
        return self._beside(one, other).comparison

    def relate(
        self,
        first: str,
        second: str,
        *,
        scope: str | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> Comparison:
        """Compare two corpora, and link each chunk of the second to what it was in the first.

        `same_rule` to one that says the same, `evolved_from` to one that said something else in its place.

        Raises:
            NotFound: There is no such corpus.

        Guarantees:
            All of the links are durable when this returns, or none is.
        """
        by, place = person_or_engine(self._parts, actor), place_of(self.relate, scope, whose)
        one, other = (self._known(name, place) for name in (first, second))
        compared = self._beside(one, other)
        self._keeper.join(compared.joined, actor=by)
        return compared.comparison

    # Files

    def ingest(
        self,
        *paths: str | Path,
        corpus: str,
        scope: str | None = None,
        dry_run: bool = False,
        allow_empty: bool = False,
        progress: Callable[[int, int], None] | None = None,
        actor: str = "user",
        **whose: Unpack[Whose],
    ) -> IngestReport:
        """Read files and folders into a corpus, and follow what changed in them since.

        Hidden files, links and what git ignores are left out. A document whose file is gone from a folder that is read
        again is archived, but for those below what cannot be read, and below an empty folder that nothing was taken out
        of since: its disk may be away.

        Args:
            corpus: Its name; made where there is none of it.
            dry_run: Tell what would change; write nothing.
            allow_empty: Archive every document of a folder that has none any more; else that is an error, since its
                disk may be away. Those below such a folder within it, too.
            progress: Called with how many files are done, and of how many.

        Raises:
            InvalidInput: There is nothing at a path; or nothing in a folder that documents came from.
            ProviderUnavailable: A package of the extra `documents` is needed.

        Guarantees:
            What `progress` was told of is durable, each document whole. Ingesting again goes on.
        """
        from simonides.documents.folders import Closed, Listed, files_of  # noqa: PLC0415 - where there are any
        from simonides.parts.ingestion import Ingestion  # noqa: PLC0415

        by, place = person_or_engine(self._parts, actor), place_of(self.ingest, scope, whose)
        only_told, empties = flag(dry_run, "dry_run"), flag(allow_empty, "allow_empty")
        progress = callback(progress)
        given, name = _paths(paths), valid_corpus(corpus)
        report = IngestReport(name, only_told)
        listed: list[Listed] = []
        closed: list[Closed] = []
        for one in files_of(given):
            if isinstance(one, Listed):
                listed.append(one)
            elif isinstance(one, Closed):
                closed.append(one)
            else:
                report.left_out[one.reason] = report.left_out.get(one.reason, 0) + 1
        there = {str(item.metadata["value"]["path"]): item for item in self._every(name, place)}
        body = Corpus(name=name, scope=place) if only_told else self._made(name, place, by)
        course = Ingestion(self._parts, body, report, given, there, by)
        if not empties:
            course.require_filled(listed)
        course.take(listed, progress)
        gone = course.missing({one.path for one in listed}, closed, empties=empties)
        report.removed += [str(item.metadata["value"]["path"]) for item in gone]
        report.chunks_removed += sum(int(item.metadata["value"]["chunks"]) for item in gone)
        if not only_told:
            self._delete(gone, by)
        return report

    # Inner

    @property
    def _keeper(self) -> DocumentKeeper:
        return self._parts.documents

    def _delete(self, documents: Sequence[Item], actor: str) -> None:
        for some in batches(documents, _DELETED_AT_ONCE):
            self._keeper.delete(some, actor=actor)

    def _beside(self, one: Corpus, other: Corpus) -> Beside:
        mine, theirs = (
            by_path(item for page in self._pages(corpus) for item in page) for corpus in (one, other)
        )
        return beside(one.name, other.name, mine, theirs)

    def _made(self, name: str, place: Scope, actor: str) -> Corpus:
        """The corpus of a name, made where there is none."""
        known = valid_corpus(name)
        corpus = self._corpus_item(known, place)
        if corpus is not None and stands(corpus, self._parts.clock.now()):
            return _corpus(corpus)
        made = Corpus(name=known, scope=place)
        self._keep(made, actor)
        return made

    def _known(self, name: str, place: Scope) -> Corpus:
        corpus = self._corpus_item(valid_corpus(name), place)
        if corpus is None or corpus.status is Status.ARCHIVED:
            raise NotFound(f"there is no corpus {name!r} in {place!r}")
        return _corpus(corpus)

    def _corpus_item(self, name: str, place: Scope) -> Item | None:
        address = RecordPut(space=(CORPORA,), key=name, value=None).address
        with self._parts.reading() as reader:
            return at_address(reader, place, address)

    def _keep(self, corpus: Corpus, actor: str) -> None:
        value = {
            "label": corpus.label,
            "parent": corpus.parent,
            "injectable": corpus.injectable,
            "name": corpus.name,
        }
        put = RecordPut(space=(CORPORA,), key=corpus.name, value=value, index=False)
        self._parts.records.put([put], corpus.scope, actor=actor, origin=Origin.USER_SAID)

    def _counted(self, corpus: Corpus) -> Corpus:
        documents = list(self._every(corpus.name, corpus.scope))
        chunks = sum(int(item.metadata["value"]["chunks"]) for item in documents)
        return replace(corpus, documents=len(documents), chunks=chunks)

    def _item(self, corpus: str, path: str, place: Scope) -> Item | None:
        from simonides.writing.documents import space_of  # noqa: PLC0415 - where there are any

        name = valid_path(path)
        put = RecordPut(space=space_of(valid_corpus(corpus), name), key=name.rpartition("/")[2], value=None)
        with self._parts.reading() as reader:
            return at_address(reader, place, put.address)

    def _standing(self, corpus: str, path: str, place: Scope) -> Item:
        document = self._item(corpus, path, place)
        if document is None or document.status is Status.ARCHIVED:
            raise NotFound(f"the corpus {corpus!r} holds no document {path!r}")
        return document

    def _every(self, corpus: str, place: Scope, prefix: str = "") -> Iterator[Item]:
        """The records of a corpus' documents, or of those in a folder of it."""
        folder = valid_path(prefix.strip("/")).split("/") if prefix.strip("/") else []
        space = under((DOCUMENTS, corpus, *folder))
        chosen = Selection(
            scopes=(place,), live_at=self._parts.clock.now(), types=frozenset({"record"}), space=space
        )
        return self._selected(chosen)

    def _pages(self, corpus: Corpus) -> Iterator[Sequence[Item]]:
        chosen = Selection(
            scopes=(corpus.scope,), live_at=None, types=frozenset({CHUNK}), corpus_id=corpus.name
        )
        items = self._selected(chosen)
        while page := list(islice(items, _PAGE)):
            yield page

    def _selected(self, chosen: Selection) -> Iterator[Item]:
        after: int | None = None
        while True:
            with self._parts.reading() as reader:
                page = reader.select(chosen, ItemOrder.OLDEST, limit=_PAGE, after=after)
            yield from page.values()
            if len(page) < _PAGE:
                return
            after = max(page)


def _paths(paths: Sequence[str | Path]) -> list[Path]:
    if strange := [path for path in paths if not isinstance(path, str | Path)]:
        raise InvalidInput(f"a path is text or a Path, not {type(strange[0]).__name__}")
    if not paths:
        raise InvalidInput("name a file or folder to ingest")
    return [Path(path).expanduser() for path in paths]


def _corpus(item: Item) -> Corpus:
    value: Mapping[str, Any] = item.metadata["value"]
    return Corpus(
        name=value["name"],
        scope=item.scope,
        label=value["label"],
        parent=value["parent"],
        injectable=value["injectable"],
    )
