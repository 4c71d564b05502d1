"""Documents: texts and files in corpora, cut into chunks that searches find."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from simonides import Document, NotFound
from simonides.edges.http.tokens import Role
from simonides.edges.server.again import NUMBERS, done
from simonides.edges.server.operation import Again, Fields, Operation, OperationCall, Verb
from simonides.edges.server.operations.fields import Limited, Word

#: Content type of a file, whatever it holds.
FILE = "application/octet-stream"


class CorpusRequest(Fields):
    """A corpus, and what is said of it; what is left out stays."""

    name: Word
    label: str | None = None
    parent: Word | None = None
    injectable: bool | None = None


class CompareRequest(Fields):
    """Two corpora."""

    first: Word
    second: Word


class DocumentsRequest(Limited):
    """A corpus, and a folder in it."""

    corpus: Word
    prefix: str = ""
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class DocumentRequest(Fields):
    """A document: its corpus and path."""

    corpus: Word
    path: Word


class PutDocumentRequest(DocumentRequest):
    """A text and where it is kept."""

    text: str


class DeleteRequest(Fields):
    """A document; or, without a path, the corpus with all that it holds."""

    corpus: Word
    path: Word | None = None


def _upload(call: OperationCall, given: DocumentRequest) -> Document:
    return Verb.SCOPE.do("documents.put", call, given, text=call.lines.read())


def _get(call: OperationCall, given: DocumentRequest) -> Document:
    document = call.memory.documents.get(given.corpus, given.path, scope=call.caller.scope)
    if document is None:
        raise NotFound(f"there is no document {given.path!r} in {given.corpus!r}")
    return document


def _retold(call: OperationCall, given: DocumentRequest, _: bool) -> Any:
    return _get(call, given).to_dict()


def _corpus_now(call: OperationCall, given: CorpusRequest, _: bool) -> Any:
    for corpus in call.memory.documents.corpora(scope=call.caller.scope):
        if corpus.name == given.name:
            return corpus.to_dict()
    raise NotFound(f"there is no corpus {given.name!r}")


def _compared(call: OperationCall, given: CompareRequest, _: bool) -> Any:
    return call.memory.documents.compare(given.first, given.second, scope=call.caller.scope).to_dict()


_DOCUMENT = Again(done, _retold)
_R, _W = Role.READER, Role.WRITER
OPERATIONS = (
    Operation(
        "documents.corpora", "GET", "/v1/corpora", _R, "Corpora of exactly the scope, with how much they hold.",
        Verb.SCOPE, "CorporaJson",
    ),
    Operation(
        "documents.corpus", "POST", "/v1/corpora", _W, "Make a corpus, or say something of it.",
        Verb.SCOPE, "CorpusJson", CorpusRequest, again=Again(done, _corpus_now),
    ),
    Operation(
        "documents.compare", "GET", "/v1/corpora/compare", _R, "What two corpora have in common, and what not.",
        Verb.SCOPE, "ComparisonJson", CompareRequest,
    ),
    Operation(
        "documents.relate", "POST", "/v1/corpora/relate", _W, "Compare two corpora, and link what they have in common.",
        Verb.SCOPE, "ComparisonJson", CompareRequest, again=Again(done, _compared),
    ),
    Operation(
        "documents.list", "GET", "/v1/documents", _R, "Documents of a corpus, or of a folder in it.",
        Verb.SCOPE, "DocumentsJson", DocumentsRequest,
    ),
    Operation(
        "documents.put", "POST", "/v1/documents", _W, "Keep a text as a document; what stands there is replaced.",
        Verb.SCOPE, "DocumentJson", PutDocumentRequest, again=_DOCUMENT,
    ),
    Operation(
        "documents.upload", "POST", "/v1/documents/upload", _W, "Keep the bytes of a file as a document.",
        _upload, "DocumentJson", DocumentRequest, lines=FILE, again=_DOCUMENT,
    ),
    Operation(
        "documents.get", "GET", "/v1/documents/one", _R, "A document.", _get, "DocumentJson", DocumentRequest
    ),
    Operation(
        "documents.history", "GET", "/v1/documents/history", _R, "Every version of a document, oldest first.",
        Verb.SCOPE, "RecordVersionsJson", DocumentRequest,
    ),
    Operation(
        "documents.chunks", "GET", "/v1/documents/chunks", _R, "The chunks of a document, in the order of their lines.",
        Verb.SCOPE, "ItemsJson", DocumentRequest,
    ),
    Operation(
        "documents.delete", "DELETE", "/v1/documents", _W, "Archive a document, or a corpus with all that it holds.",
        Verb.SCOPE, "ArchivedJson", DeleteRequest, field="archived", again=NUMBERS,
    ),
    Operation(
        "documents.purge", "POST", "/v1/documents/purge", Role.ADMIN,
        "Delete a document, or a corpus, with every version that it had. It cannot be undone.",
        Verb.SCOPE, "NumbersJson", DeleteRequest, summary=dict, again=NUMBERS, frees=True,
    ),
)  # fmt: skip
