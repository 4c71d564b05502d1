"""Pages that hang together: links lead somewhere, what is generated is current, and nothing points at one machine."""

import importlib.util
import re

import pytest

PLACES = ["README.md", "CHANGELOG.md", "Makefile", "NOTICE", "pyproject.toml", "constraints.txt"]
FOLDERS = ["docs", "src", "tests", "scripts", "benchmarks", ".ci"]
SUFFIXES = {".md", ".py", ".toml", ".json", ".sql", ".txt", ".typed", ""}
# Written so that this file does not find itself.
MACHINE = re.compile(
    r"(?<![\w.])/(?:work|root|home|Users)/\w"
    r"|(?:py[p]i\.org|pythonhoste[d]|npmj[s]\.|index-ur[l])"
)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def pages(root):
    found = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "benchmarks").rglob("*.md")]
    return sorted([*found, *(root / "src").rglob("*.md")])


def anchors(text):
    """The names by which headings can be linked to."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_relative_link_leads_somewhere(docs):
    dead = []
    for page in pages(docs.root):
        for link in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            if "://" in link:
                continue
            path, _, anchor = link.partition("#")
            target = page if not path else (page.parent / path)
            if not target.exists() or (anchor and anchor not in anchors(target.read_text("utf-8"))):
                dead.append(f"{page.relative_to(docs.root)}: {link}")
    assert dead == []


def test_no_text_names_a_machine_or_a_registry(docs):
    files = [docs.root / name for name in PLACES]
    for folder in FOLDERS:
        files += [
            path for path in (docs.root / folder).rglob("*") if path.is_file() and path.suffix in SUFFIXES
        ]
    found = [
        f"{path.relative_to(docs.root)}: {hit[0]}"
        for path in files
        if "__pycache__" not in path.parts and path.exists()
        for hit in MACHINE.finditer(path.read_text("utf-8", errors="replace"))
    ]
    assert found == []


def script(docs, name):
    spec = importlib.util.spec_from_file_location(name, docs.root / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_settings_is_current(docs):
    page = docs.read("docs/settings.md")
    assert page == script(docs, "docs_settings").filled(page), "run: python scripts/docs_settings.py"


def test_the_reference_is_current(docs):
    assert docs.read("docs/api.md") == script(docs, "docs_api").page(), "run: python scripts/docs_api.py"


def test_every_page_stands_in_the_index(docs):
    index = docs.read("docs/README.md")
    pages = [page.name for page in (docs.root / "docs").glob("*.md") if page.name != "README.md"]
    assert [name for name in sorted(pages) if f"]({name})" not in index] == []


@pytest.mark.parametrize("name", ["README.md", "docs/benchmarks.md", "docs/extraction.md"])
def test_the_figures_are_current(name, docs):
    if not list((docs.root / "benchmarks" / "results").glob("*.json")):
        pytest.skip("nothing was measured")
    page = docs.read(name)
    assert page == script(docs, "docs_figures").filled(page), "run: python scripts/docs_figures.py"


def test_without_results_the_figures_are_left_empty(docs, tmp_path):
    page = "before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n"
    assert script(docs, "docs_figures").filled(page, tmp_path).replace("\n", "") == (
        "before<!-- figures --><!-- /figures -->after"
    )


def test_the_readme_is_one_page(docs):
    assert len(docs.read("README.md").splitlines()) <= 100


def test_a_decision_is_one_page(docs):
    for page in (docs.root / "docs" / "decisions").glob("0*.md"):
        assert len(page.read_text("utf-8").splitlines()) <= 80, page.name
