"""The page about languages says of each one what its files hold."""

import pytest

from simonides.language.tables import languages, table
from simonides.writing.extract.language import codes

#: First words of a row, and the section of a language without which it says "–".
SECTIONS = {
    "[times": "times",
    "[statements": None,
    "words of others": "framing",
    "corrections": "corrections",
}


@pytest.fixture
def rows(docs):
    lines = docs.read("docs/languages.md").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return {row[0]: dict(zip(cells[0][1:], row[1:], strict=True)) for row in cells}


def test_every_language_that_has_a_file_has_a_column(rows):
    assert set(next(iter(rows.values()))) == set(languages())


@pytest.mark.parametrize("row", SECTIONS)
def test_a_row_says_yes_where_the_language_has_the_table(row, rows):
    (says,) = (cells for name, cells in rows.items() if name.startswith(row))
    assert {code for code, cell in says.items() if cell != "–"} == {
        code for code in languages() if _has(code, SECTIONS[row])
    }


def _has(code, section):
    match section:
        case None:
            return code in codes()
        case "corrections":
            return "correcting" in table(code, "phrases") or "correcting" in table(code, "han")
        case _:
            return bool(table(code, section))


NAMES = {"English": "en", "Russian": "ru", "French": "fr", "Chinese": "zh", "German": "de", "Spanish": "es"}


def test_the_page_on_safety_names_the_languages_in_which_contradictions_are_found(docs, rows):
    (says,) = (cells for name, cells in rows.items() if name.startswith("[contradictions]"))
    named = docs.read("docs/security.md").partition("No model is asked, in ")[2].partition("\n")[0]
    assert {code for name, code in NAMES.items() if name in named} == {
        code for code, cell in says.items() if cell != "–"
    }
