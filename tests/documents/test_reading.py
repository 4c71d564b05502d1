"""Reading files: encodings, formats, and what is no document."""

import json
import os
import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simonides import Memory
from simonides.documents import reading
from simonides.documents.html import markdown_of
from simonides.documents.reading import Unread, read_bytes, read_file, read_text
from simonides.testing import FakeEmbedder

RUSSIAN = "Память хранит то, что было сказано, решено и прочитано. Она помнит имена и даты. " * 4
CHINESE = "记忆保存着说过的话、做过的决定和读过的书。它记得名字和日期，也记得地点。" * 6


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "utf-8"),
        (RUSSIAN, "utf-8-sig"),
        (RUSSIAN, "utf-16"),
        (RUSSIAN, "cp1251"),
        (CHINESE, "gb18030"),
        (CHINESE, "utf-16"),
        ("Plain words, one after the other.", "utf-16-le"),
        ("Plain words, one after the other.", "utf-16-be"),
        ("Plain words, one after the other.", "utf-32"),
        ("Grüße aus Köln, schöne Tage. " * 8, "latin-1"),
    ],
)
def test_an_encoding_is_told(text, encoding):
    read = read_bytes(text.encode(encoding), "note.txt")
    assert " ".join(piece.text for piece in read.pieces).split() == text.split()


#: What people write in the encodings that their systems had.
WRITTEN = {
    "cp1252": [
        "L'été dernier, nous avons décidé où mettre le four. Ça coûte très cher à l'usage.",
        "El año pasado decidimos dónde poner el horno. ¿Cuándo vendrá el señor Núñez?",
        "Vi kör på måndagar. Åsa är allergisk mot nötter. Över ån går vägen till höger.",
        "Größe der Öfen prüfen wir täglich. Für die Übergabe müssen Schlüssel nachgezählt werden.",
        "Zoë’s café opens at nine. The price is £5 – naïve résumé.",
    ],
    "cp1250": ["Zażółć gęślą jaźń. Przyjdę w środę około południa. Łódź jest piękna."],
    "cp1251": ["Запасной ключ лежит у Гвила. Мы отправляем по пятницам. Анна не ест орехи."],
    "koi8-r": ["Запасной ключ лежит у Гвила. Мы отправляем по пятницам. Анна не ест орехи."],
    "cp1253": ["Το κλειδί είναι στο σπίτι. Φεύγουμε την Παρασκευή."],
    "gb18030": ["备用钥匙在小王那里。我们每周五发布新版本。安娜对榛子过敏。"],
    "big5": ["備用鑰匙在小王那裡。我們每週五發布新版本。安娜對榛子過敏。"],
    "cp932": ["予備の鍵はグウィルの家にあります。金曜日に出荷します。"],
    "euc_jp": ["予備の鍵はグウィルの家にあります。金曜日に出荷します。"],
}


@pytest.mark.parametrize(
    ("encoding", "text"), [(name, one) for name, many in WRITTEN.items() for one in many]
)
@pytest.mark.parametrize("times", [1, 3, 40])
def test_a_text_is_read_in_the_encoding_that_its_language_had(encoding, text, times):
    data = "\n\n".join([text] * times).encode(encoding)
    assert {line for piece in read_bytes(data, "note.txt").pieces for line in piece.text.split("\n\n")} == {
        text
    }


@pytest.mark.parametrize("word", ["Größe", "café", "señor", "Übergabe", "naïve", "déjà vu"])
def test_of_a_word_in_latin_1_no_other_script_is_made(word):
    assert read_bytes(word.encode("latin-1"), "note.txt").pieces[0].text == word


@pytest.mark.parametrize(
    "data",
    [os.urandom(64) * 40 + b"\0", b"\x7fELF\x02\x01\x01" + bytes(200), b"\x01\x02\x03\x04" * 100],
    ids=["random", "program", "controls"],
)
def test_what_is_binary_is_refused_whatever_its_name(data):
    with pytest.raises(Unread, match=r"binary|encoding"):
        read_bytes(data, "letter.txt")


def test_a_page_is_read_as_people_see_it_with_its_lines():
    page = (
        "<html><head><title>x</title><style>p {}</style></head>\n<body>\n<h1>Harbour</h1>\n<p>The <b>ferry</b>\n"
        "leaves at eight.</p>\n<script>alert(1)</script>\n<h2>Winter</h2><p>None.</p>"
    )
    read = read_bytes(page.encode(), "page.html")
    assert read.title == "Harbour"
    text = "\n".join(piece.text for piece in read.pieces)
    assert "The ferry leaves at eight." in " ".join(text.split())
    assert "alert" not in text
    assert "p {}" not in text
    assert read.pieces[0].first == 3


def test_a_document_of_word_is_converted(tmp_path):
    pytest.importorskip("mammoth")
    office = "http://schemas.openxmlformats.org"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = (
        f'<Types xmlns="{office}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    )
    rels = (
        f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>'
    )
    space = f'xmlns:w="{office}/wordprocessingml/2006/main"'
    body = "<w:p><w:r><w:t>The mill is closed on Mondays.</w:t></w:r></w:p>"
    with zipfile.ZipFile(tmp_path / "a.docx", "w") as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", rels)
        archive.writestr("word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>")
    read = read_bytes((tmp_path / "a.docx").read_bytes(), "a.docx")
    assert read.kind == "word"
    assert "The mill is closed on Mondays." in read.pieces[0].text


def pdf_saying(text):
    """A page that says a line, written by hand."""
    return pdf_of(text)


def pdf_of(text, trailer=b""):
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return data + (
        b"xref\n0 7\n0000000000 65535 f \n%strailer\n<< /Size 7 /Root 1 0 R %s>>\nstartxref\n%d\n%%%%EOF\n"
        % (table, trailer, len(data))
    )


def slides_saying(text):
    pptx = pytest.importorskip("pptx")
    made, data = pptx.Presentation(), BytesIO()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "The mill", text
    made.save(data)
    return data.getvalue()


def sheet_saying(text):
    openpyxl = pytest.importorskip("openpyxl")
    made, data = openpyxl.Workbook(), BytesIO()
    made.active.title = "Hours"
    for row in (["day", "note"], ["Monday", text]):
        made.active.append(row)
    made.save(data)
    return data.getvalue()


def book_saying(text):
    data = BytesIO()
    container = '<rootfiles><rootfile full-path="c.opf"/></rootfiles>'
    package = (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Mills</dc:title></metadata><manifest>'
        '<item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>'
    )
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", f"<container>{container}</container>")
        archive.writestr("c.opf", package)
        archive.writestr("a.xhtml", f"<html><body><h1>The mill</h1><p>{text}</p></body></html>")
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "made", "kind"),
    [
        ("a.pdf", pdf_saying, "pdf"),
        ("a.pptx", slides_saying, "powerpoint"),
        ("a.xlsx", sheet_saying, "excel"),
        ("a.epub", book_saying, "book"),
    ],
)
def test_other_formats_are_converted_and_what_is_cut_off_is_refused(name, made, kind, tmp_path):
    pytest.importorskip("markitdown")
    data = made("The mill is closed on Mondays.")
    (tmp_path / name).write_bytes(data)
    read = read_file(tmp_path / name, name, tmp_path)
    assert read.kind == kind
    assert "The mill is closed on Mondays." in "\n".join(piece.text for piece in read.pieces)
    for cut in (0, 20, len(data) // 2):
        try:
            left = read_bytes(data[:cut], name)
        except Unread:
            continue
        # A reader of PDF mends what it can.
        assert kind == "pdf"
        assert all("closed on Mondays" in piece.text for piece in left.pieces)


def test_a_slide_is_a_piece_of_its_own_under_its_number():
    pptx = pytest.importorskip("pptx")
    made, data = pptx.Presentation(), BytesIO()
    for title in ("The mill", "", "The pier"):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = (
            title,
            f"What stands here is {title or 'untitled'}.",
        )
    made.save(data)
    read = read_bytes(data.getvalue(), "a.pptx")
    assert [piece.heading for piece in read.pieces] == [
        ("The mill (slide 1)",),
        ("Slide 2",),
        ("The pier (slide 3)",),
    ]
    for piece, said in zip(read.pieces, ("The mill", "untitled", "The pier"), strict=True):
        assert f"What stands here is {said}." in piece.text
        assert "<!--" not in piece.text


def test_nothing_but_its_title_is_a_heading_of_a_slide():
    pptx = pytest.importorskip("pptx")
    made, data = pptx.Presentation(), BytesIO()
    bodies = (
        "Ana leads.\n# 1 priority: hire a miller\n```\nno code\n-----",
        "What follows.\n## 2",
        "The end.",
    )
    for title, body in zip(("Team", "", "Two\vlines"), bodies, strict=True):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    made.slides[0].notes_slide.notes_text_frame.text = "# Said aside"
    late = made.slides.add_slide(made.slide_layouts[1])
    late.shapes.title.text, late.placeholders[1].text = "Below", "Above"
    late.shapes.title.top = made.slide_height
    made.save(data)
    read = read_bytes(data.getvalue(), "a.pptx")
    assert [piece.heading for piece in read.pieces if "Notes:" not in piece.heading] == [
        ("Team (slide 1)",),
        ("Slide 2",),
        ("Two lines (slide 3)",),
        ("Below (slide 4)",),
    ]
    text = "\n".join(piece.text for piece in read.pieces)
    for line in (*"\n".join(bodies).split("\n"), "# Said aside", "Above"):
        assert line in [one.strip() for one in text.split("\n")]
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        memory.documents.put("c", "a.pptx", data.getvalue())
        assert [one.title for one in memory.documents.chunks("c", "a.pptx")] == [
            "Team (slide 1)", "Slide 2", "Two lines (slide 3)", "Below (slide 4)",
        ]  # fmt: skip


def test_each_chapter_of_a_book_stands_under_its_own_headings():
    pytest.importorskip("markitdown")
    body = "text a</p><p># no heading</p><p>no heading<br/>---<br/>no heading\n====\n<i>a</i>--<i>b</i></p>"
    data = BytesIO(book_saying(f"{body}<pre># code</pre><p>"))
    with zipfile.ZipFile(data, "a") as archive:
        package = archive.read("c.opf").decode()
        package = package.replace("</manifest>", '<item id="b" href="b.xhtml"/></manifest>')
        package = package.replace("</spine>", '<itemref idref="b"/></spine>')
        second = "<html><body><h2>The pier</h2><p>Größe b</p><h3>Its end</h3><p>c</p></body></html>"
        archive.writestr("b.xhtml", second)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("c.opf", package)
    read = read_bytes(data.getvalue(), "a.epub", most=60)
    assert ("The mill",) in [piece.heading for piece in read.pieces]
    assert [piece.heading for piece in read.pieces][-1] in {("The pier",), ("The pier", "Its end")}
    assert not [piece for piece in read.pieces if "no heading" in str(piece.heading)]
    text = "\n".join(piece.text for piece in read.pieces)
    assert "Größe b" in text
    assert "*a*--*b*" in text


def test_a_cell_without_a_value_is_empty_and_each_sheet_stands_by_itself():
    openpyxl = pytest.importorskip("openpyxl")
    made, data = openpyxl.Workbook(), BytesIO()
    made.active.title = "Prices"
    for row in (["rye", None, "oat"], [None, 3, None], ["=1+1", None, 5]):
        made.active.append(row)
    made.create_sheet("Hidden").append(["# no heading"])
    made.save(data)
    read = read_bytes(data.getvalue(), "a.xlsx")
    assert [piece.heading for piece in read.pieces] == [("Prices",), ("Hidden",)]
    assert "NaN" not in str(read.pieces)
    assert "Unnamed" not in str(read.pieces)
    assert "rye" in read.pieces[0].text
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        memory.documents.put("c", "a.xlsx", data.getvalue())
        assert [one.title for one in memory.documents.chunks("c", "a.xlsx")] == ["Prices", "Hidden"]


PICTURE = "iVBORw0KGgo" * 20_000
NOTEBOOK = {
    "nbformat": 4,
    "metadata": {"language_info": {"name": "python"}},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Mills\n", "\n", "They grind rye."]},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": "# no heading\nprint('rye')",
            "outputs": [
                {"output_type": "display_data", "data": {"image/png": PICTURE, "text/plain": "put out"}}
            ],
        },
        {"cell_type": "code", "metadata": {}, "source": [], "outputs": []},
        {"cell_type": "markdown", "metadata": {}, "source": "## Hours\n\nClosed on Mondays."},
        {"cell_type": "raw", "metadata": {}, "source": "As it is."},
    ],
}


@pytest.mark.parametrize(
    "door", [lambda text: read_text(text, "a.ipynb"), lambda text: read_bytes(text.encode(), "a.ipynb")]
)
def test_a_notebook_is_read_as_its_cells(door):
    read = door(json.dumps(NOTEBOOK))
    assert (read.kind, read.title) == ("notebook", "Mills")
    text = "\n".join(piece.text for piece in read.pieces)
    assert "```python\n# no heading\nprint('rye')\n```" in text
    assert "Closed on Mondays." in text
    assert "As it is." in text
    assert PICTURE[:22] not in text
    assert "put out" not in text
    assert not [piece for piece in read.pieces if "no heading" in piece.heading]


def test_a_notebook_of_an_older_version_is_read_as_its_cells():
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Mills"]},
        {"cell_type": "code", "input": ["x = '```'"], "outputs": [], "language": "python"},
    ]
    [piece] = read_text(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}), "a.ipynb").pieces
    assert piece == (1, 5, ("Mills",), "## Mills\n\n````\nx = '```'\n````")


@pytest.mark.parametrize(
    "level", [10**30, 10**9, 7, 0, -1, float("inf"), float("nan"), 1.5, "3", None, [2], {}]
)
def test_a_heading_of_a_notebook_with_an_odd_level_is_of_the_first(level):
    cells = [{"cell_type": "heading", "level": level, "source": "Mills"}]
    read = read_text(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}), "a.ipynb")
    assert [piece.text for piece in read.pieces] == ["# Mills"]


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[1]", "{}", '{"cells": [5]}', '{"cells": [{"source": 5}]}', "[" * 100_000]
)
def test_what_is_no_notebook_is_refused(text):
    with pytest.raises(Unread, match="no notebook"):
        read_text(text, "a.ipynb")


@pytest.mark.parametrize("text", ["# <b>Title</b>", "<span># </span>Title", "#<i> Title</i>"])
def test_a_heading_of_a_page_is_told_by_its_tag(text):
    assert markdown_of(f"<h2>Kiln</h2><p>{text}</p>")[0].split("\n")[-2:-1] == ["    # Title"]
    assert [piece.heading for piece in read_text(f"<h2>Kiln</h2><p>{text}</p>", "a.html").pieces] == [
        ("Kiln",)
    ]


def test_a_text_of_a_page_that_looks_like_a_heading_is_none():
    read = read_text(
        "<h1>Mills</h1><p># 1 priority</p><p>Rye</p><p>-----</p><p>```</p><h2>Hours</h2>x", "a.html"
    )
    [piece] = read.pieces
    assert piece.heading == ("Mills",)
    assert [line for line in piece.text.split("\n") if line] == [
        "# Mills", "    # 1 priority", "Rye", "    -----", "    ```", "## Hours", "x",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("# Alpha\n\nI.\n\n# Gamma\n\nII.\n", ["Alpha", "Gamma"]),
        ("# Alpha\n\nI.\n\n## Beta\n\nII.\n\n# Gamma\n\nIII.\n", ["Alpha", "Gamma"]),
        ("## One\n\nI.\n\n## Two\n\nII.\n", ["One", "Two"]),
        ("Before.\n\n# Alpha\n\nI.\n", ["Alpha"]),
    ],
)
def test_a_heading_takes_the_place_of_the_one_of_its_level_in_a_title(text, titles):
    with Memory(":memory:", embedder=FakeEmbedder(8)) as memory:
        memory.documents.put("c", "a.md", text.replace(".", ". It says so." * 60))
        assert list(dict.fromkeys(one.title for one in memory.documents.chunks("c", "a.md"))) in (
            titles,
            [titles[0], f"{titles[0]} / Beta", *titles[1:]],
        )


LOCKED = pdf_of(
    "The mill.",
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -4 >> /ID [<00> <00>] "
    % ((b"ab" * 32,) * 2),
)
COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)


@pytest.mark.parametrize(
    ("name", "data", "advice"),
    [
        ("a.pdf", LOCKED, "a password locks it; save it without"),
        ("a.pdf", pdf_of(""), "no text in it; of scanned pages"),
        ("a.docx", COMPOUND, "a password locks it, or it is of an older version; save it anew as .docx"),
        ("a.xlsx", COMPOUND, "save it anew as .xlsx"),
        ("a.doc", COMPOUND, ".doc is not read; save it as .docx or .pdf"),
        ("a.odt", b"PK\x03\x04", "save it as .docx or .pdf"),
        ("a.RTF", rb"{\rtf1 The mill.}", "save it as .docx or .pdf"),
        ("a.ods", b"PK\x03\x04", "save it as .xlsx or .csv"),
        ("a.mobi", b"BOOKMOBI", "save it as .epub"),
    ],
)
def test_a_refused_document_is_told_with_what_to_do(name, data, advice, tmp_path):
    pytest.importorskip("markitdown")
    with pytest.raises(Unread) as refused:
        read_bytes(data, name)
    assert advice in str(refused.value)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Unread, match=re.escape(advice)):
        read_file(tmp_path / name, name, tmp_path)


def test_why_a_file_cannot_be_converted_is_one_line(tmp_path):
    pytest.importorskip("markitdown")
    with pytest.raises(Unread) as refused:
        read_bytes(b"%PDF-1.4 rest", "a.pdf")
    assert re.fullmatch(r"it cannot be converted: No /Root object! .*", str(refused.value))
    assert "Exception" not in str(refused.value)


def test_an_archive_that_unfolds_to_far_more_than_it_is_is_not_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", bytes(80 << 20))
    with pytest.raises(Unread, match="that is not read"):
        read_bytes((tmp_path / "bomb.docx").read_bytes(), "bomb.docx")
    with pytest.raises(Unread, match="not the kind of file"):
        read_bytes(b"no archive", "x.xlsx")


def test_a_file_of_two_gigabytes_costs_a_look_at_its_size(tmp_path):
    with (tmp_path / "large.txt").open("wb") as file:
        file.truncate(2 << 30)
    with pytest.raises(Unread, match="2,147,483,648 bytes"):
        read_file(tmp_path / "large.txt", "large.txt", tmp_path)


def test_a_link_out_of_the_folder_is_not_read(tmp_path):
    (tmp_path / "root").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.md").write_text("outside")
    (tmp_path / "root" / "a.md").symlink_to(tmp_path / "outside" / "a.md")
    (tmp_path / "root" / "folder").symlink_to(tmp_path / "outside")
    root = tmp_path / "root"
    for path in ("a.md", "folder/a.md"):
        with pytest.raises(Unread):
            read_file(root / path, path, root)


def test_a_device_and_a_pipe_are_no_documents(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(Unread, match="no regular file"):
        read_file(tmp_path / "pipe.txt", "pipe.txt", tmp_path)


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path):
    file = tmp_path / "log.txt"
    file.write_text("line\n" * 10)

    class Growing(type(Path())):
        """A path whose file grows whenever somebody looks where it leads."""

        def __fspath__(self):
            with file.open("a") as stream:
                stream.write("more\n")
            return super().__fspath__()

    with pytest.raises(Unread, match="changes while it is read"):
        read_file(Growing(file), "log.txt", tmp_path)


def test_formats_that_are_converted_are_those_of_the_docs():
    page = (Path(__file__).parents[2] / "docs" / "documents.md").read_text("utf-8")
    assert [suffix for suffix in reading.CONVERTED if suffix.removeprefix(".") not in page.lower()] == []


@pytest.mark.parametrize("page", [
    "<nav><ul><li>Home</li><li>Pricing</li></ul></nav><h1>Kiln</h1><p>It burns for nine hours.</p>",
    "<header><nav><h1>Pots</h1><a>Pricing</a></nav></header><main><h1>Kiln</h1>It burns for nine hours.</main>",
    "<button>Share</button><nav><a>Pricing</a><article><h1>Kiln</h1><p>It burns for nine hours.</p></article>",
])  # fmt: skip
def test_of_a_page_its_matter_is_read_without_the_ways_about_the_site(page):
    text, _ = markdown_of(f"<html><body>{page}</body></html>")
    assert text.split() == ["#", "Kiln", "It", "burns", "for", "nine", "hours."]


@pytest.mark.parametrize("around", [
    "<p hidden>{}</p>", "<div HIDDEN=''>{}</div>", "<div style='display:none'>{}</div>", "<dialog>{}</dialog>",
    "<span style='color: red; /* x */ Visibility : hidden'>{}</span>", "<b style='font-size:0.0px'>{}</b>",
    "<div hidden><div>a</div>{}</div>", "<ul><li hidden><ul><li>b</li></ul>{}</ul>", "<div><span hidden>{}</div>",
    "<p hidden><br><img>{}<p>", "<dl><dt hidden>c<i>{}<dd></dl>", "<main hidden><nav><main>{}</nav></main>",
    "<p style='display:block;display:none'>{}</p>", "<p style='display:none!important;display:block'>{}</p>",
    "<p style='font-size:.0em ! important'>{}</p>", "<datalist><option>{}</option></datalist>",
    "<table><tbody><tr><td>e<tbody hidden><tr><td>{}</table>",
    "<table><tr hidden><td>d<td>{}<tr></table>", "<div hidden></section></p>{}</div>",
    "<nav hidden><main>{}</main></nav>", "<div hidden>" + "<div>" * 600 + "</div>" * 600 + "{}</div>",
])  # fmt: skip
def test_what_a_page_conceals_is_not_read_and_ends_where_it_ends(around):
    page = f"<html><head><title>t</title><body><p>before</p>{around.format('secret')}<p>after</p>"
    words = markdown_of(page)[0].split()
    assert [words[0], words[-1]] == ["before", "after"]
    assert "secret" not in words


@pytest.mark.parametrize("around", [
    "<p hidden='until-found'>{}</p>", "<p style='font-size:0.9em'>{}</p>", "<dialog open>{}</dialog>",
    "<p data-hidden style='displayed:none'>{}</p>", "<img hidden>{}", "<br style='display:none'>{}", "<p hidden>a<p>{}",
    "<details><summary>a</summary>{}</details>", "<nav>a<article>b</article>{}", "<td hidden>{}",
    "<p style='display:none;display:block'>{}</p>", "<p style='display:none-such'>{}</p>",
    "<p style='display:none;display:flex!important'>{}</p>", "<p style='font-size:0.05em'>{}</p>",
    "<table><tbody hidden><tr><td>a<tbody><tr><td>{}</table>",
    "<table><thead hidden><tr><th>a<tbody><tr><td>{}</table>",
    "<p style='display:block' style='display:none'>{}</p>",
])  # fmt: skip
def test_what_a_page_shows_is_read(around):
    assert "shown" in markdown_of(f"<html><head><body>{around.format('shown')}")[0].split()


@st.composite
def _trees(draw, depth=0, shown=True):
    """HTML, closed as it was opened, and its words that are seen, in order."""
    page, seen = [], []
    for _ in range(draw(st.integers(1, 3))):
        if depth == 4 or draw(st.booleans()):
            word = draw(st.sampled_from(["clay", "kiln", "glaze", "wheel"]))
            page.append(f" {word} ")
            seen += [word] * shown
        else:
            tag = draw(st.sampled_from(["div", "section", "span", "ul", "blockquote"]))
            how = draw(st.sampled_from(["", "", " hidden", " style='display:none'"]))
            inner, words = draw(_trees(depth + 1, shown and not how))
            page.append(f"<{tag}{how}>{inner}</{tag}>")
            seen += words
    return "".join(page), seen


@given(_trees())
def test_of_any_page_the_words_that_are_shown_are_read(tree):
    page, seen = tree
    assert markdown_of(f"<body>{page}</body>")[0].split() == seen
