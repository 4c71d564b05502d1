"""Reading a file: its bytes whole and unchanged meanwhile, their encoding, and what kind of text they are."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import re
import stat
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from simonides.documents.chunking import CHUNK_CHARS, as_plain, pieces_of
from simonides.documents.html import markdown_of
from simonides.domain.document import ReadDocument, Uncut
from simonides.domain.text import cleaned_text
from simonides.errors import ProviderUnavailable

_MOST_BYTES: Final = 20 << 20
#: Of files that are converted: they unfold to a multiple of that.
_MOST_PACKED: Final = 50 << 20
_MOST_UNFOLDED: Final = 400 << 20
_MOST_RATIO: Final = 200
_TRIES: Final = 3
_SNIFFED: Final = 8_192
#: Share of a text's characters that may be control characters.
_MOST_CONTROLS: Final = 0.01
CONVERTED: Final = {
    ".pdf": "pdf",
    ".docx": "word",
    ".pptx": "powerpoint",
    ".xlsx": "excel",
    ".epub": "book",
}
_CONVERTERS: Final = {
    ".pdf": "PdfConverter",
    ".docx": "DocxConverter",
    ".pptx": "PptxConverter",
    ".xlsx": "XlsxConverter",
    ".epub": "EpubConverter",
}
#: Texts in formats that are not read, and what to save them as.
_SAVED_AS: Final = {
    **dict.fromkeys((".doc", ".odt", ".rtf", ".pages", ".wpd"), ".docx or .pdf"),
    **dict.fromkeys((".xls", ".xlsb", ".ods", ".numbers"), ".xlsx or .csv"),
    **dict.fromkeys((".ppt", ".odp"), ".pptx or .pdf"),
    **dict.fromkeys((".mobi", ".azw", ".azw3"), ".epub"),
    **dict.fromkeys((".djvu", ".xps"), ".pdf"),
}
#: Encodings that texts are saved in, the usual first: where two fit a text alike, it is that.
#: Asked of all encodings there are, French in Windows-1252 is taken for Windows-1250, and a word for a mainframe's.
_USUAL: Final = (
    "cp1252", "cp1250", "iso8859_2", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "gb18030", "big5", "cp932", "euc_jp", "cp949",
)  # fmt: skip
#: How files of older versions of Office begin, and those of newer ones that a password locks.
_COMPOUND: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARKDOWN: Final = frozenset({".md", ".markdown", ".mdx", ".qmd"})
_HTML: Final = frozenset({".html", ".htm", ".xhtml"})
_TEXT: Final = frozenset(
    {".txt", ".rst", ".adoc", ".org", ".tex", ".log", ".csv", ".tsv", ".srt", ".vtt", ""}
)
#: Endings of files that nobody takes for texts.
_BINARY: Final = re.compile(
    r"\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|svgz|mp[34]|wav|ogg|flac|avi|mov|mkv|webm|zip|gz|bz2|xz|7z|rar|tar|tgz|zst|"
    r"jar|whl|so|dll|dylib|exe|bin|[oa]|py[co]|class|wasm|db|sqlite3?|np[yz]|pt|onnx|gguf|safetensors|parquet|ttf|otf|"
    r"woff2?|eot|iso|dmg)"
)

#: How the converter begins a slide.
_SLIDE: Final = "<!-- Slide number: {} -->"
#: Headings that the converter puts into a slide.
_IN_SLIDES: Final = re.compile(r"### (?:Notes:|Chart\b.*)")
#: A cell of a sheet without a value, as the converter shows it.
_NOTHING: Final = re.compile(r"(?<=\| )(?:NaN|NaT|Unnamed: \d+)(?= \|)")
#: Begins a line in a text of HTML as a heading or a block of code of Markdown begins, or makes one of the line above.
_LIKE_A_HEADING: Final = re.compile(r"(?m)^([^\S\n]*)(#{1,6}\s|`{3}|~{3}|(?:={2,}|-{2,})[^\S\n]*$)")
#: A dash between words in italics is a text by itself, and no line.
_DASH: Final = re.compile(r"={2,}|-{2,}")


class Unread(Exception):
    """Reason that a file is no document; `skipped` where nobody would expect it to be one."""

    def __init__(self, why: str, *, skipped: bool = False) -> None:
        super().__init__(why)
        self.skipped = skipped


def read_file(file: Path, path: str, root: Path, most: int = CHUNK_CHARS) -> ReadDocument:
    """Read a file of a folder.

    Args:
        path: As its document is called.
        root: The folder; a file that a link leads out of it to is not read.

    Raises:
        Unread: It is no document, too large, of an unknown encoding, or changes while it is read.
    """
    suffix = file.suffix.lower()
    if _BINARY.fullmatch(suffix):
        raise Unread(f"{suffix} files hold no text", skipped=True)
    _require_known(suffix)
    largest = _MOST_PACKED if suffix in CONVERTED else _MOST_BYTES
    data, modified_ns = _bytes(file, root, largest)
    return read_bytes(data, path, modified_ns=modified_ns, most=most)


def read_bytes(
    data: bytes, path: str, *, modified_ns: int | None = None, most: int = CHUNK_CHARS
) -> ReadDocument:
    """Read the bytes of a file.

    Raises:
        Unread: They are no document.
    """
    suffix = Path(path).suffix.lower()
    _require_known(suffix)
    if suffix in CONVERTED:
        kind, text = CONVERTED[suffix], _converted(data, suffix)
        if not text.strip():
            scanned = "; of scanned pages a text has to be made first (OCR)" if suffix == ".pdf" else ""
            raise Unread(f"there is no text in it{scanned}")
    else:
        kind, text = _kind_of(suffix), _text(data)
    return read_text(
        text,
        path,
        kind,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        modified_ns=modified_ns,
        most=most,
    )


def _require_known(suffix: str) -> None:
    """Refuse a text in a format that is not read."""
    if (better := _SAVED_AS.get(suffix)) is not None:
        raise Unread(f"{suffix} is not read; save it as {better}")


def read_text(
    text: str,
    path: str,
    kind: str | None = None,
    *,
    sha256: str | None = None,
    size: int | None = None,
    modified_ns: int | None = None,
    most: int = CHUNK_CHARS,
) -> ReadDocument:
    """Cut a text along its structure.

    Raises:
        Unread: It is to be a notebook, and is none.
    """
    kind = kind or _kind_of(Path(path).suffix.lower())
    data = text.encode("utf-8", "surrogatepass")
    source = _of_cells(text) if kind == "notebook" else text
    clean = cleaned_text(source.replace("\r\n", "\n").replace("\r", "\n"))
    shape = "code" if kind == "code" else "text" if kind == "text" else "markdown"
    seen, numbers = markdown_of(clean) if kind == "html" else (clean, ())
    uncut = Uncut(seen, shape, numbers, most)
    title, pieces = pieces_of(uncut)
    return ReadDocument(
        path=path,
        sha256=hashlib.sha256(data).hexdigest() if sha256 is None else sha256,
        size=len(data) if size is None else size,
        kind=kind,
        title=title,
        lines=clean.count("\n") + 1 if clean else 0,
        pieces=pieces,
        modified_ns=modified_ns,
        uncut=uncut,
    )


def _of_cells(text: str) -> str:
    """The cells of a notebook in Markdown: what is written, and the code in blocks, without what it put out.

    Raises:
        Unread: It is no notebook.
    """
    try:
        notebook = json.loads(text)
        sheets = notebook.get("worksheets") or [notebook]  # Version 3 has its cells in sheets.
        language = str(notebook.get("metadata", {}).get("language_info", {}).get("name", ""))
        return "\n\n".join(_cell(cell, language) for sheet in sheets for cell in sheet["cells"])
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise Unread("it is no notebook that Jupyter would open") from error


def _cell(cell: Any, language: str) -> str:
    source = cell.get("source", cell.get("input", ""))
    source = (source if isinstance(source, str) else "".join(source)).strip("\n")
    match cell["cell_type"]:
        case "code":
            fence = "`" * max(3, 1 + max((len(marks) for marks in re.findall("`+", source)), default=0))
            return f"{fence}{language}\n{source}\n{fence}" if source.strip() else ""
        case "heading":
            level = cell.get("level")
            return f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {source}"
        case _:
            return source


def _kind_of(suffix: str) -> str:
    if suffix in _MARKDOWN:
        return "markdown"
    if suffix in _HTML:
        return "html"
    if suffix == ".ipynb":
        return "notebook"
    return "text" if suffix in _TEXT else "code"


def _bytes(file: Path, root: Path, most: int) -> tuple[bytes, int]:
    """Bytes of a file and when it was changed last, both of one state of it."""
    for _ in range(_TRIES):
        try:
            handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | getattr(os, "O_NOFOLLOW", 0))
            try:
                read = _bytes_of(handle, file, root, most)
            finally:
                os.close(handle)
        except OSError as error:
            raise Unread(f"it cannot be read: {error.strerror}") from error
        if read is not None:
            return read
    raise Unread("it changes while it is read; ingest it again")


def _bytes_of(handle: int, file: Path, root: Path, most: int) -> tuple[bytes, int] | None:
    """The same of a file that is open; None where it changed meanwhile."""
    before = os.fstat(handle)
    # What was a file when the folder was listed may be a folder by now.
    if not stat.S_ISREG(before.st_mode):
        raise Unread("it is no regular file", skipped=True)
    if before.st_size > most:
        raise Unread(f"it has {before.st_size:,} bytes; at most {most:,} are read")
    # Between listing and opening, a folder may have become a link.
    real = Path(os.path.realpath(file))
    if not real.is_relative_to(root) or not _is_same(real, before):
        raise Unread("a link leads out of the folder")
    with os.fdopen(handle, "rb", closefd=False) as stream:
        data = stream.read(most + 1)
    after = os.fstat(handle)
    is_one_state = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    return (data, after.st_mtime_ns) if is_one_state and len(data) == before.st_size else None


def _is_same(path: Path, opened: os.stat_result) -> bool:
    with suppress(OSError):
        now = path.stat()
        return (now.st_dev, now.st_ino) == (opened.st_dev, opened.st_ino)
    return False


def _text(data: bytes) -> str:
    """Bytes as text, in whatever encoding they are.

    Raises:
        Unread: They are no text, or nobody can tell its encoding.
    """
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
        (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):  # fmt: skip
        if data.startswith(mark):
            return _sound(_decoded(data[len(mark) :], encoding))
    if b"\0" not in data[:_SNIFFED]:
        with suppress(UnicodeDecodeError):
            return _sound(data.decode("utf-8"))
    elif (encoding := _wide(data[:_SNIFFED])) is not None:
        return _sound(_decoded(data, encoding))
    else:
        raise Unread("it is binary, whatever its name says")
    try:
        from charset_normalizer import from_bytes  # noqa: PLC0415 - most texts are UTF-8
    except ImportError:
        raise Unread("it is not UTF-8; the extra `documents` tells other encodings") from None
    sample = data[: 1 << 18]
    fitting = list(from_bytes(sample, cp_isolation=[*_USUAL])) or list(from_bytes(sample))
    if not fitting:
        raise Unread("nobody can tell its encoding")
    best = fitting[0]
    alike = {
        encoding
        for match in fitting
        if (match.chaos, match.coherence) == (best.chaos, best.coherence)
        for encoding in match.could_be_from_charset
    }
    return _sound(_decoded(data, next((usual for usual in _USUAL if usual in alike), best.encoding)))


def _wide(data: bytes) -> str | None:
    """UTF-16 without a mark, by where its zeros stand; None for anything else."""
    even, odd = data[0::2].count(0), data[1::2].count(0)
    half = max(1, len(data) // 2)
    if odd > half * 0.4 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.4 and odd < half * 0.05 else None


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise Unread(f"it is not the {encoding} that it seems to be") from error


def _sound(text: str) -> str:
    sample = text[:_SNIFFED]
    controls = sum(character < " " and character not in "\t\n\r\f\x1b" for character in sample)
    if controls > len(sample) * _MOST_CONTROLS:
        raise Unread("it is binary, whatever its name says")
    return text


def _converted(data: bytes, suffix: str) -> str:
    """Text of a file of another format, in Markdown.

    Raises:
        ProviderUnavailable: The extra is not installed.
    """
    if data.startswith(_COMPOUND):
        raise Unread(f"a password locks it, or it is of an older version; save it anew as {suffix}")
    if suffix != ".pdf":
        _require_harmless(data)
    converter = _converter(suffix)
    try:
        text: object = converter(BytesIO(data), file_extension=suffix).text_content
    except Exception as error:
        # What the converter of a format says is told over several lines, the reason last.
        _, marked, why = str(error).rpartition(" with message: ")
        reason = " ".join((why if marked else f"{type(error).__name__}: {error}").split())
        if "PasswordIncorrect" in str(error):
            raise Unread("a password locks it; save it without") from error
        raise Unread(f"it cannot be converted: {reason:.200}") from error
    if suffix == ".pptx":
        return _slides(str(text), data)
    return _NOTHING.sub("", str(text)) if suffix == ".xlsx" else str(text)


def _slides(text: str, data: bytes) -> str:
    """The text of slides, each under its title and number, in which nothing else looks like a heading."""
    from pptx import Presentation  # noqa: PLC0415 - what converts these has it

    shown: list[str] = []
    rest = text
    for number, slide in enumerate(Presentation(BytesIO(data)).slides, 1):
        begun = rest.partition(_SLIDE.format(number))[2]
        own, following, rest = begun.partition(_SLIDE.format(number + 1))
        rest = following + rest
        shape: Any = slide.shapes.title
        title = (shape.text or "").lstrip() if shape is not None and shape.has_text_frame else ""
        if title:
            own = f"{own}\n".replace(f"# {title}\n", "", 1)
        lines = [line if _IN_SLIDES.fullmatch(line) else as_plain(line) for line in own.split("\n")]
        name = " ".join(title.split())
        shown.append(f"# {name} (slide {number})" if name else f"# Slide {number}")
        shown.append("\n".join(lines).strip("\n"))
    return "\n\n".join(shown)


def _converter(suffix: str) -> Callable[..., Any]:
    """The converter of one format alone: others would take a file of it that is damaged for a text."""
    try:
        from markitdown import MarkItDown, converters  # noqa: PLC0415 - for these formats alone
    except ImportError as error:
        raise ProviderUnavailable(
            "PDF, EPUB, Word, PowerPoint and Excel need the extra `documents`: pip install 'simonides[documents]'"
        ) from error
    made = MarkItDown(enable_builtins=False, enable_plugins=False)
    converter: Any = getattr(converters, _CONVERTERS[suffix])()
    if suffix == ".epub":
        converter._html_converter = _Chapters(converters.HtmlConverter())  # noqa: SLF001 - it takes no other way
    made.register_converter(converter)
    return made.convert_stream


class _Chapters:
    """A converter of the chapters of a book: the headings of each begin anew, and no other line looks like one."""

    def __init__(self, pages: Any) -> None:
        self._pages = pages

    def convert(self, page: Any, *given: Any, **options: Any) -> Any:
        from bs4 import BeautifulSoup  # noqa: PLC0415 - what converts these has it

        soup: Any = BeautifulSoup(page, "html.parser")
        headings = soup.find_all(re.compile("^h[1-6]$"))
        least = min((int(heading.name[1]) for heading in headings), default=1)
        for text in soup.find_all(string=_LIKE_A_HEADING):
            is_dash = _DASH.fullmatch(text) and {
                one.name for one in (text.previous_sibling, text.next_sibling) if one
            } - {"br"}
            if not is_dash and not text.find_parents(re.compile("^(?:h[1-6]|pre|code)$")):
                text.replace_with(_LIKE_A_HEADING.sub(r"\1\\\2", text))
        for heading in headings:
            heading.name = f"h{int(heading.name[1]) - least + 1}"
        return self._pages.convert(BytesIO(str(soup).encode()), *given, **options)


def _require_harmless(data: bytes) -> None:
    """Refuse an archive that unfolds to far more than it is."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            unfolded = sum(member.file_size for member in archive.infolist())
    except Exception as error:
        raise Unread("it is not the kind of file that its name says") from error
    if unfolded > _MOST_UNFOLDED or unfolded > _MOST_RATIO * max(len(data), 1 << 16):
        raise Unread(f"it unfolds to {unfolded:,} bytes; that is not read")
